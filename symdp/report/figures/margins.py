r"""By how much a claim holds, and where it fails: the margin of a relation over a slice of its domain.

The margin of a relation is (larger - smaller)/(|left| + |right|), between -1 and 1: positive where the
relation holds, negative where it fails, and without a unit, so that it can be compared across a figure.
The numbers are floats, computed again with fifty digits where both sides nearly agree: good for the eye,
never evidence.

>>> from symdp.sources.registry import claim
>>> from symdp.report.figures.slices import slice_of
>>> bound = claim("kov/thm-3.2.centring-helps")
>>> values = curve(bound.relation, slice_of(bound, most=1), 5)
>>> all(margin > 0 for _, margin in values)
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import mpmath
from sympy import Expr, Indexed, IndexedBase, Integer, Rational, Sum, Symbol

from symdp.arguments.guarantees.findings import written_out
from symdp.formulas.relation import Relation
from symdp.numbers import floating
from symdp.numbers.quantity import BadQuantity
from symdp.report.figures.slices import NoFigure, Slice

#: Closer than this, floats cannot tell the sides apart.
NEAR, DIGITS = 1e-9, 50
Value = Callable[[Sequence[float]], float]


def margin(relation: Relation, fixed: dict[Symbol, Expr], variables: Sequence[Symbol]) -> Value:
    """The margin as a function of the variables; nan where it has no value."""
    return _careful([e.subs(fixed) for e in (relation.gap, relation.left, relation.right)], variables,
                    lambda gap, left, right: gap / (abs(left) + abs(right)) if left or right else 0 * gap)


def value(expr: Expr, fixed: dict[Symbol, Expr], variables: Sequence[Symbol]) -> Value:
    """An expression as a function of the variables; nan where it has no value."""
    return _careful([expr.subs(fixed)], variables, lambda only: only)


def _careful(parts: Sequence[Expr], variables: Sequence[Symbol], combine: Callable[..., Any]) -> Value:
    if any(e.has(Sum) for e in parts):
        return _with_sums(parts, variables, combine)
    if any(e.has(Indexed, IndexedBase) for e in parts):
        raise NoFigure("it speaks of a family of numbers, which no axis can show")
    try:
        quick = [floating.function(e, variables) for e in parts]
        with mpmath.workdps(DIGITS):
            slow = [floating.precise(e, variables) for e in parts]
    except TypeError as reason:
        raise NoFigure(f"it cannot be drawn: {reason}") from reason

    def compute(at: Sequence[float]) -> float:
        values = [f(at) for f in quick]
        if all(map(math.isfinite, values)) and all(values):  # a zero may be what an underflow left
            found = float(combine(*values))
            if len(parts) == 1 or abs(found) > NEAR:
                return found
        with mpmath.workdps(DIGITS):
            exact = [f([mpmath.mpf(str(u)) for u in at]) for f in slow]
            if any(e is None for e in exact):
                return math.nan
            precise: Any = combine(*exact)
            # what is left of fifty digits after the sides cancel is no sign of anything
            return float(precise) if len(parts) == 1 or abs(precise) > 1e-40 else 0.0

    return compute


def _with_sums(parts: Sequence[Expr], variables: Sequence[Symbol], combine: Callable[..., Any]) -> Value:
    """Sums are written out for each of the integers on which their length depends."""
    counted = lengths(parts)
    known: dict[tuple[int, ...], Value] = {}

    def compute(at: Sequence[float]) -> float:
        numbers = {v: Integer(round(u)) for v, u in zip(variables, at, strict=True) if v in counted}
        key = tuple(map(int, numbers.values()))
        if key not in known:
            try:
                written = [written_out(e.subs(numbers)) for e in parts]
            except BadQuantity as reason:
                raise NoFigure(f"it cannot be drawn: {reason}") from reason
            known[key] = _careful(written, variables, combine)
        return known[key](at)

    return compute


def lengths(parts: Sequence[Expr]) -> frozenset[Symbol]:
    """The variables on which the lengths of sums depend.

    >>> from symdp.formulas.notation import k, x, symbol
    >>> lengths([Sum(x**symbol("j"), (symbol("j"), 0, k))])
    frozenset({k})
    """
    sums = {s for e in parts for s in e.atoms(Sum)}
    ends = [end for s in sums for _, *bounds in s.limits for end in bounds]
    return frozenset().union(*(end.free_symbols for end in ends)) if ends else frozenset()


def curve(relation: Relation, flat: Slice, many: int) -> list[tuple[Rational, float]]:
    """The margin along the one axis of a slice."""
    compute = margin(relation, flat.fixed, [flat.axes[0].variable])
    return _along(compute, flat, many)


def _along(compute: Value, flat: Slice, many: int) -> list[tuple[Rational, float]]:
    inside = flat.inside()
    (places,) = flat.grid([many])
    return [(u, compute([float(u)]) if inside([float(u)]) else math.nan) for u in places]


def values_along(expr: Expr, flat: Slice, many: int) -> list[tuple[Rational, float]]:
    """An expression along the one axis of a slice."""
    return _along(value(expr, flat.fixed, [flat.axes[0].variable]), flat, many)


Places = list[Rational]


def chart(relation: Relation, flat: Slice, many: int) -> tuple[Places, Places, list[list[float]]]:
    """The margin over the two axes of a slice: places across, places up, rows of margins."""
    across, up = flat.grid([many, many])
    compute = margin(relation, flat.fixed, [axis.variable for axis in flat.axes])
    inside = flat.inside()
    rows = []
    for v in up:
        points = [(float(u), float(v)) for u in across]
        rows.append([compute(p) if inside(p) else math.nan for p in points])
    return across, up, rows
