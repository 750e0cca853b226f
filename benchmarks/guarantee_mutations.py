r"""Guarantees of the literature with one thing changed: is a false one ever proved, or a true one refuted?

Epsilon, delta, the number of steps or the slack of a guarantee are changed. Whether the mutant is false is decided
without the prover: mpmath computes, with 50 digits at rational points of the domain, the delta that the worst case
needs at the epsilon that is promised. A false mutant is put to the prover alone, so that only the kernel stands
between it and *proved*; one that promises less than a guarantee that holds is put to the refuter.

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
from sympy import Expr, Integer, Rational, Symbol

from symdp.arguments.guarantees.promise import NotFormal, Promise, formal
from symdp.arguments.guarantees.search import settle_promise
from symdp.audit.formal import promise_of
from symdp.formulas.notation import slack
from symdp.numbers.domain import holds_at, simple_points
from symdp.numbers.floating import precise
from symdp.privacy.mechanisms.gaussian import Gaussian
from symdp.privacy.mechanisms.laplace import Laplace
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
    promise: Promise
    false_at: Point | None
    #: whether it promises less than a guarantee that holds
    weaker: bool


def value(expr: Expr, point: Point) -> mpf | None:
    names = sorted(expr.free_symbols, key=str)
    if any(v not in point for v in names):
        return None
    return precise(expr, names)([mpf(int(point[v].p)) / int(point[v].q) for v in names])


def needed(promise: Promise, point: Point) -> mpf | None:
    """The delta that the worst case of the mechanisms needs, from the closed forms of their laws."""
    epsilon, fold = value(promise.epsilon, point), value(promise.fold, point)
    if epsilon is None or not 0 <= epsilon <= LARGEST:
        return None
    if fold is None or fold != int(fold) or not 1 <= fold <= MOST_STEPS:
        return None
    k, subject = int(fold), promise.subject
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


def points_of(promise: Promise, rng: random.Random) -> Iterator[Point]:
    domain = promise.domain
    choices = [simple_points(domain.intervals[v], v in domain.integers) for v in domain.variables]
    if not all(choices):
        return
    for _ in range(8 * POINTS):
        point = dict(zip(domain.variables, map(rng.choice, choices), strict=True))
        if all(holds_at(c, point) for c in domain.conditions):
            yield point


def falsified(promise: Promise, rng: random.Random) -> Point | None:
    for point in islice(points_of(promise, rng), POINTS):
        try:
            truth, said = needed(promise, point), value(promise.delta, point)
        except (ArithmeticError, ValueError, TypeError, KeyError):  # a sum has no floating-point value here
            continue
        if truth is not None and said is not None and truth > said * (1 + CLEARLY) + CLEARLY:
            return point
    return None


#: What is changed, and whether the mutant promises less than before.
CHANGES: dict[str, tuple[Callable[[Promise, Rational], Promise], bool]] = {
    "epsilon less": (lambda p, c: replace(p, epsilon=p.epsilon * c), False),
    "delta less": (lambda p, c: replace(p, delta=p.delta * c), False),
    "no delta": (lambda p, c: replace(p, delta=Integer(0)), False),
    "more steps": (lambda p, c: replace(p, fold=2 * p.fold), False),
    "one more step": (lambda p, c: replace(p, fold=p.fold + 1), False),
    "slack squared": (lambda p, c: replace(p, delta=p.delta.subs(slack, slack**2)), False),
    "slack in epsilon": (lambda p, c: replace(p, epsilon=p.epsilon.subs(slack, slack**c)), False),
    "epsilon more": (lambda p, c: replace(p, epsilon=p.epsilon / c), True),
    "delta more": (lambda p, c: replace(p, delta=p.delta / c), True),
}
FACTORS = [Rational(1, 2), Rational(3, 4), Rational(9, 10), Rational(99, 100)]


def promises() -> list[tuple[str, Promise]]:
    """The guarantees that say what holds: corrected and sharper ones, and those that have no correction."""
    corrected = {c.id.removesuffix(c.name) + c.improves for c in claims() if c.role == "corrected"}
    found = []
    for claim in claims():
        if isinstance(claim, Guarantee) and claim.task == "decide" and f"{claim.id}." not in corrected \
                and claim.id not in corrected:
            promise = promise_of(claim)
            try:
                formal(promise)
            except NotFormal:
                continue
            if isinstance(promise.subject, AnyPrivate | Gaussian | Laplace):
                found.append((claim.id, promise))
    return found


def mutants(seed: int) -> Iterator[Mutant]:
    rng, known = random.Random(seed), promises()
    sound = {id for id, promise in known if falsified(promise, rng) is None}
    while True:
        id, promise = rng.choice(known)
        change, (make, weaker) = rng.choice(list(CHANGES.items()))
        mutant = make(promise, rng.choice(FACTORS))
        try:
            formal(mutant)
        except (NotFormal, ValueError):
            continue
        false_at = falsified(mutant, rng)
        if false_at is not None or (weaker and id in sound):
            yield Mutant(f"{id}, {change}", mutant, false_at, weaker)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=3.0, help="seconds of work for each mutant")
    options = parser.parse_args()
    mp.dps = DIGITS
    begun, seen, wrong = time.perf_counter(), Counter[str](), []
    for mutant in islice(mutants(options.seed), options.count):
        if mutant.false_at is not None:
            status = settle_promise(mutant.promise, budget=options.budget, refute=False).status
            seen[f"false, {status.value}"] += 1
            if status is Status.PROVED:
                wrong.append(f"{mutant.name} is false at {mutant.false_at}, and was proved: {mutant.promise}")
        else:
            status = settle_promise(mutant.promise, budget=options.budget, prove=False).status
            seen[f"weaker, {status.value}"] += 1
            if status is Status.REFUTED:
                wrong.append(f"{mutant.name} says less than what holds, and was refuted: {mutant.promise}")
    for line in wrong:
        print("WRONG", line)
    print(f"{options.count} mutants in {time.perf_counter() - begun:.0f} s: "
          + ", ".join(f"{n} {what}" for what, n in seen.most_common()))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
