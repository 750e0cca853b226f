r"""Guarantees of the literature with one thing changed: is a false one ever proved, or a true one refuted?

Epsilon, delta, the number of steps, the slack, the mechanisms or the conditions of a guarantee are changed. Whether
the mutant is false is decided without the prover: mpmath computes, with 50 digits at rational points of the domain,
the delta that the worst case needs at the epsilon that is promised. A false mutant is put to the prover alone, so
that only the kernel stands between it and *proved*; one that promises less than a guarantee that holds is put to
prover and refuter.

    python benchmarks/guarantee_mutations.py --count 200
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import mpmath
from mpmath import mp, mpf
from sympy import Expr, Integer, Rational, Symbol, oo

from symdp.arguments.guarantees.kernel_goals import NotFormal, formal
from symdp.arguments.guarantees.search import decide_guarantee
from symdp.formulas.notation import slack
from symdp.numbers.domain import Domain, Interval, holds_at, simple_points
from symdp.numbers.floating import precise
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.privacy.mechanisms.noise.laplace import Laplace
from symdp.search.verdict import Status
from symdp.sources.registry import claims
from symdp.sources.statement import Guarantee
from symdp.sources.subject import AnyPrivate

DIGITS = 50
#: By how much the needed delta must exceed the promised one, relatively.
CLEARLY = mpf("1e-12")
POINTS = 40
MOST_STEPS = 40
#: Beyond that an exponential has more digits than there is memory.
LARGEST = 10**5

Point = dict[Symbol, Rational]


@dataclass(frozen=True)
class Mutant:
    name: str
    change: str
    guarantee: Guarantee
    false_at: Point | None
    #: whether it promises less than a guarantee that holds
    weaker: bool


def value(expr: Expr, point: Point) -> mpf | None:
    names = sorted(expr.free_symbols, key=str)
    if any(v not in point for v in names):
        return None
    return precise(expr, names)([mpf(int(point[v].p)) / int(point[v].q) for v in names])


def needed(guarantee: Guarantee, point: Point) -> mpf | None:
    """The delta that the worst case of the mechanisms needs, from the closed forms of their laws."""
    epsilon, fold = value(guarantee.epsilon, point), value(guarantee.fold, point)
    if epsilon is None or not 0 <= epsilon <= LARGEST:
        return None
    if fold is None or fold != int(fold) or not 1 <= fold <= MOST_STEPS:
        return None
    k, subject = int(fold), guarantee.subject
    if isinstance(subject, AnyPrivate):
        e, d = value(subject.epsilon, point), value(subject.delta, point)
        if e is None or d is None or not 0 <= d <= 1 or not 0 <= e <= LARGEST:
            return None
        pure = mpmath.fsum(
            math.comb(k, i) * max(mpf(0), mpmath.exp((k - i) * e) - mpmath.exp(epsilon + i * e))
            for i in range(k + 1)) / (1 + mpmath.exp(e)) ** k
        return 1 - (1 - d) ** k * (1 - pure)
    if isinstance(subject, Gaussian):
        variance, shift = value(subject.noise_variance, point), value(subject.sensitivity, point)
        if variance is None or shift is None or variance <= 0:
            return None
        m = mpmath.sqrt(k) * shift / mpmath.sqrt(variance)
        return mpmath.ncdf(m / 2 - epsilon / m) - mpmath.exp(epsilon) * mpmath.ncdf(-m / 2 - epsilon / m)
    if isinstance(subject, Laplace) and k == 1:
        scale, shift = value(subject.scale, point), value(subject.sensitivity, point)
        if scale is None or shift is None or scale <= 0:
            return None
        return max(mpf(0), 1 - mpmath.exp((epsilon - shift / scale) / 2))
    return None


def points_of(guarantee: Guarantee, rng: random.Random) -> Iterator[Point]:
    domain = guarantee.domain
    choices = [simple_points(domain.intervals[v], v in domain.integers) for v in domain.variables]
    if not all(choices):
        return
    for _ in range(8 * POINTS):
        point = dict(zip(domain.variables, map(rng.choice, choices), strict=True))
        if all(holds_at(c, point) for c in domain.conditions):
            yield point


def falsified(guarantee: Guarantee, rng: random.Random) -> Point | None:
    for point in islice(points_of(guarantee, rng), POINTS):
        try:
            truth = needed(guarantee, point)
            # A promise may be a sum of as many terms as there are steps: it is worth a look only beside a truth.
            said = None if truth is None else value(guarantee.delta, point)
        except (ArithmeticError, ValueError, TypeError, KeyError):  # a sum has no floating-point value here
            continue
        if truth is not None and said is not None and truth > said * (1 + CLEARLY) + CLEARLY:
            return point
    return None


def less_private(guarantee: Guarantee, by: Rational) -> Guarantee:
    """Mechanisms that leak more, or add less noise."""
    subject = guarantee.subject
    if isinstance(subject, AnyPrivate):
        return replace(guarantee, subject=AnyPrivate(subject.epsilon / by, subject.delta))
    if isinstance(subject, Gaussian):
        return replace(guarantee, subject=Gaussian(subject.noise_variance * by, subject.sensitivity))
    assert isinstance(subject, Laplace)
    return replace(guarantee, subject=Laplace(subject.scale * by, subject.sensitivity))


def anywhere_positive(guarantee: Guarantee, by: Rational) -> Guarantee:
    """Finite upper ends and conditions between variables are dropped."""
    intervals = {v: i if i.upper == oo else Interval(i.lower, oo, i.lower_open, True)
                 for v, i in guarantee.domain.intervals.items()}
    return replace(guarantee, domain=Domain(intervals, guarantee.domain.integers))


#: What is changed, and whether the mutant promises less than before.
CHANGES: dict[str, tuple[Callable[[Guarantee, Rational], Guarantee], bool]] = {
    "epsilon less": (lambda p, c: replace(p, epsilon=p.epsilon * c), False),
    "delta less": (lambda p, c: replace(p, delta=p.delta * c), False),
    "no delta": (lambda p, c: replace(p, delta=Integer(0)), False),
    "more steps": (lambda p, c: replace(p, fold=2 * p.fold), False),
    "one more step": (lambda p, c: replace(p, fold=p.fold + 1), False),
    "slack squared": (lambda p, c: replace(p, delta=p.delta.subs(slack, slack**2)), False),
    "slack in epsilon": (lambda p, c: replace(p, epsilon=p.epsilon.subs(slack, slack**c)), False),
    "less private": (less_private, False),
    "no conditions": (anywhere_positive, False),
    "epsilon more": (lambda p, c: replace(p, epsilon=p.epsilon / c), True),
    "delta more": (lambda p, c: replace(p, delta=p.delta / c), True),
}
FACTORS = [Rational(1, 2), Rational(3, 4), Rational(9, 10), Rational(99, 100)]


def guarantees() -> list[tuple[str, Guarantee]]:
    """The guarantees that say what holds: corrected and sharper ones, and those that have no correction."""
    corrected = {c.id.removesuffix(c.name) + c.improves for c in claims() if c.role == "corrected"}
    found = []
    for claim in claims():
        if isinstance(claim, Guarantee) and claim.task == "decide" and f"{claim.id}." not in corrected \
                and claim.id not in corrected:
            try:
                formal(claim)
            except NotFormal:
                continue
            if isinstance(claim.subject, AnyPrivate | Gaussian | Laplace):
                found.append((claim.id, claim))
    return found


def mutants(seed: int) -> Iterator[Mutant]:
    rng, known = random.Random(seed), guarantees()
    sound = {id for id, guarantee in known if falsified(guarantee, rng) is None}
    while True:
        id, guarantee = rng.choice(known)
        change, (make, weaker) = rng.choice(list(CHANGES.items()))
        mutant = make(guarantee, rng.choice(FACTORS))
        try:
            formal(mutant)
        except (NotFormal, ValueError, TypeError):
            continue
        false_at = falsified(mutant, rng)
        if false_at is not None or (weaker and id in sound):
            yield Mutant(f"{id}, {change}", change, mutant, false_at, weaker)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=3.0, help="seconds of work for each mutant")
    options = parser.parse_args()
    mp.dps = DIGITS
    begun, seen, wrong = time.perf_counter(), Counter[tuple[str, str]](), []
    for number, mutant in enumerate(islice(mutants(options.seed), options.count), 1):
        false = mutant.false_at is not None
        status = decide_guarantee(mutant.guarantee, budget=options.budget, refute=not false).status
        seen["false" if false else "weaker", status.value] += 1
        seen[mutant.change, status.value] += 1
        if false and status is Status.PROVED:
            wrong.append(f"{mutant.name} is false at {mutant.false_at}, and was proved: {mutant.guarantee}")
        if not false and status is Status.REFUTED:
            wrong.append(f"{mutant.name} says less than what holds, and was refuted: {mutant.guarantee}")
        print(f"{number} {mutant.name}: {'false' if false else 'weaker'}, {status.value}, "
              f"{time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    for line in wrong:
        print("WRONG", line)
    for kind in ("false", "weaker", *CHANGES):
        counts = {what: n for (of, what), n in seen.items() if of == kind}
        print(f"{kind:18}{sum(counts.values()):5}: "
              + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    print(f"{options.count} mutants in {time.perf_counter() - begun:.0f} s, {len(wrong)} wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
