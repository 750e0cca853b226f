"""Certificates of the package with something changed: does the kernel accept a proof of something false?

A certificate is a goal and a tree of steps. In a mutant the goal says something else (a number, a sign, a function, a
condition, a sort), with the steps as they were or with the same change made in all of them; or the steps alone are
changed. What the kernel accepts for another goal is looked at with mpmath, by an evaluator that shares no code with
the kernel: at rational points at which every hypothesis clearly holds, does the claim clearly fail?

    python benchmarks/mutated_certificates.py --count 5000 --seed 3
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any
from zipfile import ZipFile

import mpmath
from flint import fmpq
from mpmath import mpf

from symdp.audit.shipped import ARCHIVE
from symdp.kernel.certificate import Reader
from symdp.kernel.goals import INTEGER, REAL, Each, Formula, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step, verify
from symdp.kernel.rules import every_rule
from symdp.kernel.rules.privacy import AnyPrivate, Private
from symdp.kernel.terms import (
    BINDERS,
    FUNCTIONS,
    Term,
    apply,
    number,
    subterms,
    transform,
    variable,
)

assert every_rule  # which registers kinds of formulas
DIGITS = 60
#: How clear a violation must be, relative to the sides.
CLEARLY = mpf(10) ** -25
POINTS = 60
MOST_TERMS = 60
#: Of numbers with few digits mpmath makes exact ones with these.
EXACT = frozenset(["number", "variable", "bound", "member", "+", "-", "*", "neg"])
#: Seconds of processor for one mutant, and steps of a certificate that is not too long for that.
PATIENCE, LONGEST = 1.0, 400


class TooLong(BaseException):
    """The kernel has had its time; not an Exception, so that nobody takes it for a refusal."""


@dataclass(frozen=True)
class Certified:
    name: str
    goal: Goal
    step: Step
    uses: Mapping[str, Goal]


@dataclass
class Tally:
    """What became of the mutants of one piece."""

    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    #: what was accepted for another goal, by the rule at the root of its proof
    rules: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")


# --- what is mutated ---------------------------------------------------------------------------------


@cache
def certified() -> tuple[Certified, ...]:
    """The proofs that come with the package and are short enough, with the goals that they use."""
    documents = {}
    with ZipFile(ARCHIVE) as archive:
        for name in archive.namelist():
            if name.endswith(".json") and name != "audit.json":
                found = json.loads(archive.read(name))
                if isinstance(found, dict) and "steps" in found and len(found["steps"]) <= LONGEST:
                    documents[str(found.get("name", name))] = found
    read = {name: Reader(found["terms"]) for name, found in documents.items()}
    goals = {name: read[name].goal(found["goal"]) for name, found in documents.items()}
    return tuple(
        Certified(name, goals[name], read[name].steps(found["steps"]),
                  {used: goals[used] for used in found.get("uses", {}) if used in goals})
        for name, found in sorted(documents.items()) if set(found.get("uses", {})) <= goals.keys())


# --- changes -----------------------------------------------------------------------------------------

Change = Callable[[Term], Term]
PARTNERS = {"exp": "cosh", "cosh": "exp", "sinh": "tanh", "tanh": "sinh", "log": "log1p", "log1p": "log",
            "sin": "cos", "cos": "sin", "min": "max", "max": "min", "erf": "erfc", "erfc": "erf", "sqrt": "abs",
            "abs": "floor", "gamma": "loggamma", "loggamma": "gamma", "atan": "tanh", "expm1": "exp"}


def parts_of(goal: Goal) -> list[Term]:
    return [part for formula in (*goal.hypotheses, goal.claim) for term in formula.terms() for part in subterms(term)]


def drawn_change(goal: Goal, rng: random.Random) -> Change | None:
    """A change of terms: of one number, function, operation or variable, wherever it stands."""
    parts = [p for p in parts_of(goal) if p.head in ("number", "variable", "-", "/", "^", "*") or p.head in PARTNERS]
    if not parts:
        return None
    part = rng.choice(parts)
    if part.head == "number":
        step = rng.choice([fmpq(1), fmpq(-1), fmpq(1, 2), part.value / 100, -part.value / 2, -2 * part.value])
        other = number(part.value + step)
    elif part.head == "variable":
        names = [n for n, s in goal.sorts if n != part.value and s == dict(goal.sorts).get(part.value)]
        if not names:
            return None
        name = rng.choice(names)
        return partial(transform, leaf=lambda t, _: replaced_name(t, str(part.value), name))
    elif part.head in PARTNERS and FUNCTIONS[part.head].arity == FUNCTIONS[PARTNERS[part.head]].arity:
        other = apply(PARTNERS[part.head], *part.args)
    elif part.head in ("-", "/", "^"):
        other = apply(part.head, *part.args[::-1])
    else:
        other = -part
    if part.loose or other.loose:
        return None
    return partial(transform, leaf=lambda t, _: other if t is part else None)


def replaced_name(term: Term, old: str, new: str) -> Term | None:
    return variable(new) if term.head == "variable" and term.value == old else None


def through(value: Any, change: Change) -> Any:
    """The same change in whatever a step has for its parameters."""
    if isinstance(value, Term):
        return change(value)
    if isinstance(value, Formula):
        return value.map(change)
    if isinstance(value, list | tuple):
        return type(value)(through(v, change) for v in value)
    if isinstance(value, Mapping):
        return {k: through(v, change) for k, v in value.items()}
    return value


def in_steps(step: Step, change: Change) -> Step:
    return Step(step.rule, through(step.parameters, change), tuple(in_steps(p, change) for p in step.premises))


def other_goal(goal: Goal, rng: random.Random) -> Goal:
    """Another condition, relation or sort."""
    kind, hypotheses = rng.randrange(5), list(goal.hypotheses)
    if kind == 0 and hypotheses:
        hypotheses.pop(rng.randrange(len(hypotheses)))
        return goal.under(tuple(hypotheses))
    if kind == 1 and hypotheses:
        place = rng.randrange(len(hypotheses))
        found = hypotheses[place]
        if isinstance(found, Relation):
            laxer = {"<": "<=", ">": ">=", "<=": "<", ">=": ">", "==": "<="}
            hypotheses[place] = Relation(found.left, laxer[found.op], found.right)
        return goal.under(tuple(hypotheses))
    if kind == 2 and goal.sorts:
        place = rng.randrange(len(goal.sorts))
        sorts = [(n, (REAL if s == INTEGER else INTEGER) if i == place else s) for i, (n, s) in enumerate(goal.sorts)]
        return replace(goal, sorts=tuple(sorts))
    if isinstance(goal.claim, Relation):
        ops = [op for op in ("<", "<=", "==", ">=", ">") if op != goal.claim.op]
        return replace(goal, claim=Relation(goal.claim.left, rng.choice(ops), goal.claim.right))
    return goal


def other_steps(step: Step, rng: random.Random) -> Step:
    """A premise that is missing, there twice, or in another place; or a parameter that is missing."""
    if step.premises and rng.random() < 0.7:
        place = rng.randrange(len(step.premises))
        premises = list(step.premises)
        kind = rng.randrange(4)
        if kind == 0:
            premises.pop(place)
        elif kind == 1:
            premises.append(premises[place])
        elif kind == 2:
            rng.shuffle(premises)
        else:
            premises[place] = other_steps(premises[place], rng)
        return Step(step.rule, step.parameters, tuple(premises))
    names = sorted(step.parameters)
    gone = rng.choice(names) if names else None
    return Step(step.rule, {k: v for k, v in step.parameters.items() if k != gone}, step.premises)


def mutant(of: Certified, rng: random.Random) -> tuple[str, Goal, Step] | None:
    kind = rng.choice(("goal", "both", "both", "condition", "steps"))
    if kind == "condition":
        return kind, other_goal(of.goal, rng), of.step
    if kind == "steps":
        return kind, of.goal, other_steps(of.step, rng)
    change = drawn_change(of.goal, rng)
    if change is None:
        return None
    goal = replace(of.goal, hypotheses=tuple(h.map(change) for h in of.goal.hypotheses), facts=frozenset(),
                   claim=of.goal.claim.map(change))
    return kind, goal, in_steps(of.step, change) if kind == "both" else of.step


# --- the truth, independent of the kernel ------------------------------------------------------------


class NoValue(ArithmeticError):
    """Not defined, or not to be computed here."""


def _need(fact: object) -> None:
    if not fact:
        raise NoValue


def _power(a: mpf, b: mpf) -> mpf:
    whole = b == mpmath.floor(b)
    _need(a > 0 or (a == 0 and b > 0) or (whole and (a != 0 or b >= 0)))
    _need(abs(b) < 10**4 and (a == 0 or abs(b * mpmath.log(abs(a))) < 10**4))
    return mpf(1) if b == 0 else a ** int(b) if whole else mpmath.power(a, b)


def _inside(low: float, high: float, f: Callable[[mpf], mpf], open_ends: bool = False) -> Callable[[mpf], mpf]:
    def guarded(u: mpf) -> mpf:
        _need(low < u < high if open_ends else low <= u <= high)
        return f(u)

    return guarded


_positive = partial(_inside, 0, mpmath.inf, open_ends=True)
VALUES: dict[str, Callable[..., mpf]] = {
    "exp": _inside(-10**4, 10**4, mpmath.exp), "log": _positive(mpmath.log),
    "sqrt": _inside(0, mpmath.inf, mpmath.sqrt),
    "expm1": _inside(-10**4, 10**4, mpmath.expm1), "log1p": _inside(-1, mpmath.inf, mpmath.log1p, open_ends=True),
    "gamma": _inside(0, 500, mpmath.gamma, open_ends=True), "loggamma": _positive(mpmath.loggamma),
    "digamma": _positive(mpmath.digamma), "trigamma": _positive(partial(mpmath.psi, 1)),
    "sinh": _inside(-10**4, 10**4, mpmath.sinh), "cosh": _inside(-10**4, 10**4, mpmath.cosh), "tanh": mpmath.tanh,
    "asinh": mpmath.asinh, "acosh": _inside(1, mpmath.inf, mpmath.acosh),
    "atanh": _inside(-1, 1, mpmath.atanh, open_ends=True), "erf": mpmath.erf, "erfc": mpmath.erfc, "Phi": mpmath.ncdf,
    "abs": abs, "floor": mpmath.floor, "min": min, "max": max, "sin": mpmath.sin,
    "cos": mpmath.cos, "tan": mpmath.tan,
    "asin": _inside(-1, 1, mpmath.asin), "acos": _inside(-1, 1, mpmath.acos), "atan": mpmath.atan,
    "+": lambda *u: mpmath.fsum(u), "*": lambda *u: mpmath.fprod(u), "-": lambda a, b: a - b, "neg": lambda a: -a,
    "^": _power,
}


@dataclass(frozen=True)
class Place:
    """Values of the variables, and of the members of families."""

    values: Mapping[str, mpf]
    families: Mapping[str, Callable[[int], mpf]]


def value(term: Term, at: Place, indices: tuple[int, ...] = ()) -> mpf:
    """The value of a term as it is written; NoValue where it has none, or none that is easy to compute."""
    head = term.head
    if head == "number":
        return mpf(int(term.value.p)) / int(term.value.q)
    if head == "variable":
        return at.values[term.value]
    if head == "bound":
        return mpf(indices[term.value])
    if head in ("pi", "e"):
        return +getattr(mpmath, head)
    if head in BINDERS:
        low, high = (value(a, at, indices) for a in term.args[:2])
        _need(high - low <= MOST_TERMS)
        parts = [value(term.args[2], at, (i, *indices)) for i in range(int(low), int(high) + 1)]
        return mpmath.fsum(parts) if head == "sum" else mpmath.fprod(parts)
    args = [value(a, at, indices) for a in term.args]
    if head == "member":
        return at.families[term.value](int(args[0]))
    if head == "/":
        _need(args[1] != 0)
        return args[0] / args[1]
    if head == "binomial":
        n, m = args
        _need(m == mpmath.floor(m) and 0 <= m <= 200)
        return mpmath.binomial(n, m)
    if head not in VALUES:
        raise NoValue
    found = VALUES[head](*args)
    _need(mpmath.isfinite(found))
    return mpf(found)


def holds(formula: Formula, at: Place, indices: tuple[int, ...] = ()) -> bool | None:
    """Whether a formula clearly holds or clearly fails at a place; None if that is not clear."""
    if isinstance(formula, Each):
        if formula.low is None or formula.high is None:
            return None
        low, high = (int(value(e, at, indices)) for e in (formula.low, formula.high))
        if high - low > MOST_TERMS:
            return None
        found = [holds(formula.body, at, (i, *indices)) for i in range(low, high + 1)]
        return False if False in found else None if None in found else True
    if isinstance(formula, Private):
        return promised(formula, at)
    if not isinstance(formula, Relation):
        return None
    left, right = value(formula.left, at, indices), value(formula.right, at, indices)
    gap, size = right - left, CLEARLY * (1 + abs(left) + abs(right))
    if formula.op in (">", ">="):
        gap = -gap
    exact = all(t.head in EXACT for s in (formula.left, formula.right) for t in subterms(s))
    if abs(gap) <= size:
        return formula.op in ("<=", ">=", "==") if exact and gap == 0 else None
    return False if formula.op == "==" else bool(gap > 0)


def promised(claim: Private, at: Place) -> bool | None:
    """Whether k randomised responses, the worst there is, clearly need more than the delta that is promised."""
    if not isinstance(claim.subject, AnyPrivate):
        return None
    fold, total, promise = (value(t, at) for t in (claim.fold, claim.epsilon, claim.delta))
    e, d = value(claim.subject.epsilon, at), value(claim.subject.delta, at)
    if not (fold == mpmath.floor(fold) and 1 <= fold <= MOST_TERMS and 0 <= d <= 1 and 0 <= e <= 50):
        return None
    k = int(fold)
    pure = mpmath.fsum(mpmath.binomial(k, i) * max(mpf(0), mpmath.exp((k - i) * e) - mpmath.exp(total + i * e))
                       for i in range(k + 1)) / (1 + mpmath.exp(e)) ** k
    return False if 1 - (1 - d) ** k * (1 - pure) > promise + CLEARLY else None


_SIMPLE = [mpf(n) / d for d in (1, 2, 3, 4, 10, 100, 1000) for n in range(-12, 13)] + [mpf(10), mpf(20), mpf(50)]


def places(goal: Goal, rng: random.Random) -> Iterator[Place]:
    """Points at which every hypothesis clearly holds; bounds that speak of one variable alone choose its values."""
    alone = {n: [h for h in goal.hypotheses if isinstance(h, Relation) and h.variables == {n} and not h.families]
             for n, _ in goal.sorts}
    choices: dict[str, list[mpf]] = {}
    for name, sort in goal.sorts:
        simple = [mpf(i) for i in range(-6, 25)] if sort == INTEGER else _SIMPLE
        choices[name] = [v for v in simple if all(_clearly(h, Place({name: v}, {})) for h in alone[name])]
        if not choices[name]:
            return
    for _ in range(POINTS):
        at = Place({n: rng.choice(choices[n]) for n, _ in goal.sorts},
                   {n: _members(rng.randrange(2**30), s) for n, s in goal.families})
        if all(_clearly(h, at) for h in goal.hypotheses):
            yield at


def _members(seed: int, sort: str) -> Callable[[int], mpf]:
    def at(index: int) -> mpf:
        rng = random.Random(seed * 1_000_003 + index)
        return mpf(rng.randrange(-2, 7)) if sort == INTEGER else mpf(rng.randrange(-2, 13)) / rng.choice((1, 4, 12))

    return at


def _clearly(formula: Formula, at: Place) -> bool:
    try:
        return holds(formula, at) is True
    except (ArithmeticError, ValueError, KeyError, IndexError):
        return False


def falsehood(goal: Goal, rng: random.Random) -> str:
    """A point at which the goal clearly fails, as text; empty if none was found."""
    for at in places(goal, rng):
        try:
            if holds(goal.claim, at) is False:
                return ", ".join(f"{n} = {mpmath.nstr(v, 12)}" for n, v in at.values.items()) or "everywhere"
        except (ArithmeticError, ValueError, KeyError, IndexError):
            continue
    return ""


# --- the campaign ------------------------------------------------------------------------------------


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    def late(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def piece(count: int, seed: int) -> Tally:
    """So many mutants, and what became of them; the same for the same seed."""
    tally, known = Tally(seed), certified()
    for number_ in range(count):
        rng = random.Random(f"{seed}/{number_}")
        of = rng.choice(known)
        with mpmath.workdps(DIGITS):
            _one(of, rng, tally, f"seed {seed}, mutant {number_} of {of.name}")
    return tally


def _one(of: Certified, rng: random.Random, tally: Tally, name: str) -> None:
    begun = time.process_time()
    try:
        made = mutant(of, rng)
    except (IllFormed, ValueError, TypeError, ArithmeticError):
        made = None
    if made is None:
        tally.counts["nothing to change"] += 1
        return
    kind, goal, step = made
    try:
        with patience(PATIENCE):
            verify(goal, step, of.uses)
    except (Rejected, IllFormed):
        tally.counts[f"{kind}: refused"] += 1
        return
    except TooLong:
        tally.counts[f"{kind}: stopped"] += 1
        return
    finally:
        tally.slowest = max(tally.slowest, (round(time.process_time() - begun, 2), name))
    if goal == of.goal or kind == "steps":
        tally.counts[f"{kind}: the same goal, accepted"] += 1
        return
    tally.rules[step.rule] += 1
    if not isinstance(goal.claim, Relation | Each | Private):
        tally.counts[f"{kind}: another goal of a kind that is not evaluated, accepted"] += 1
        return
    why = falsehood(goal, rng)
    tally.counts[f"{kind}: another goal, accepted, {'FALSE' if why else 'nothing against it'}"] += 1
    if why:
        tally.wrong.append(f"{name} ({kind}): {goal} was accepted, and fails at {why}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    begun = time.perf_counter()
    tally = piece(options.count, options.seed)
    for line in tally.wrong:
        print("WRONG", line)
    for what, n in sorted(tally.counts.items()):
        print(f"{n:7} {what}")
    print("accepted for another goal, by rule:", dict(tally.rules.most_common()))
    print(f"slowest {tally.slowest}; {options.count} mutants in {time.perf_counter() - begun:.0f} s, "
          f"{len(tally.wrong)} wrong")
    return int(bool(tally.wrong))


if __name__ == "__main__":
    sys.exit(main())
