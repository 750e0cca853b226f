r"""Sample points of a domain: they choose between moves and drop hopeless goals, nothing more.

Values are computed with Arb at exact points, so that a goal is dropped only for a real counterexample
and not for a rounding error. No sample ever discharges a premise.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from sympy import Expr, Rational, Symbol

from symdp.formulas.relation import Relation
from symdp.numbers.domain import Domain, holds_at, simple_points
from symdp.numbers.ranges import Range, Tape, Undefined, Unsupported, between, precision
from symdp.search.view.goals import Target

POINTS = 36


@lru_cache(maxsize=2000)
def points_of(domain: Domain) -> tuple[tuple[Rational, ...], ...]:
    """Some points of the domain, the same ones every time."""
    variables = domain.variables
    choices = [simple_points(domain.intervals[v], v in domain.integers) for v in variables]
    if not all(choices):
        return ()
    rng = random.Random(len(variables))
    found: dict[tuple[Rational, ...], None] = {}
    conditions = [_condition(c, variables, domain.integers) for c in domain.conditions]
    for attempt in range(POINTS * (12 if domain.conditions else 3)):
        if len(choices) == 1:
            if attempt >= len(choices[0]):
                break
            values = (choices[0][attempt],)
        else:
            values = tuple(
                rng.choice(c[: 6 + attempt] if rng.random() < 0.7 else c) for c in choices
            )
        if values in found:
            continue
        if all(holds(values) for holds in conditions):
            found[values] = None
        if len(found) >= POINTS:
            break
    return tuple(found)


def _condition(
    condition: Relation, variables: tuple[Symbol, ...], integers: frozenset[Symbol]
) -> Callable[[tuple[Rational, ...]], bool]:
    """Whether the condition holds at a point: folded once, since most points need few bits to tell."""
    try:
        tape = Tape(condition.gap, variables, integers=integers)
    except (Undefined, Unsupported):
        tape = None

    def holds(values: tuple[Rational, ...]) -> bool:
        if tape is not None and condition.op != "==":
            try:
                with precision(64):
                    gap = tape([between(u, u) for u in values])
            except (Undefined, Unsupported):
                gap = None
            if gap is not None and (gap.is_positive() or gap.is_negative()):
                return gap.is_positive()
        return holds_at(condition, dict(zip(variables, values, strict=True)))

    return holds


@lru_cache(maxsize=2000)
def _boxes(domain: Domain) -> tuple[tuple[Range, ...], ...]:
    with precision(160):
        return tuple(tuple(between(u, u) for u in point) for point in points_of(domain))


_blind = False


@contextmanager
def blindfold() -> Iterator[None]:
    """Let the samples say nothing, so that the search proposes whatever it can.

    For tests: a false claim then meets every rule of the kernel that could be tried on it.
    """
    global _blind
    _blind = True
    try:
        yield
    finally:
        _blind = False


def signs(expr: Expr, domain: Domain) -> tuple[int | None, ...]:
    """The sign of the expression at each sample point; None where it is not known."""
    return (None,) if _blind else _signs(expr, domain)


@lru_cache(maxsize=8000)
def _signs(expr: Expr, domain: Domain) -> tuple[int | None, ...]:
    try:
        tape = Tape(expr, domain.variables, integers=domain.integers)
    except Unsupported:
        return ()
    found: list[int | None] = []
    with precision(160):
        for box in _boxes(domain):
            try:
                value = tape(box)
            except (Undefined, Unsupported):
                found.append(None)
                continue
            if value.is_positive():
                found.append(1)
            elif value.is_negative():
                found.append(-1)
            else:
                found.append(0 if value.lo == value.hi == 0 else None)
    return tuple(found)


def seems_nonnegative(expr: Expr, domain: Domain) -> bool:
    return -1 not in signs(expr, domain)


def seems_nonpositive(expr: Expr, domain: Domain) -> bool:
    return 1 not in signs(expr, domain)


def vanishes(expr: Expr, domain: Domain) -> bool:
    """Whether the expression is zero or too close to tell at every sample point."""
    if _blind:
        return True
    try:
        tape = Tape(expr, domain.variables, integers=domain.integers)
    except Unsupported:
        return False
    with precision(160):
        for box in _boxes(domain):
            try:
                value = tape(box)
            except (Undefined, Unsupported):
                continue
            if value.is_positive() or value.is_negative():
                return False
    return bool(_boxes(domain))


def drop_variable(domain: Domain, v: Symbol) -> Domain:
    return Domain(
        {u: i for u, i in domain.intervals.items() if u != v},
        domain.integers - {v},
        tuple(c for c in domain.conditions if v not in c.symbols),
    )


def has_counterexample(goal: Target) -> bool:
    """Whether one of the samples certainly violates the goal."""
    found = signs(goal.gap, goal.domain)
    if goal.op == "==":
        return 1 in found or -1 in found
    return -1 in found or (goal.strict and 0 in found)
