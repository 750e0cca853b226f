r"""Where the truth of a claim seems to change along one variable: guesses in floating point.

At each value of the variable the claim is tried at many points of the others; where that changes, the place is
refined, first by halving, then by moving the point at which the claim fails so that it fails for more. What is
found is only a proposal, which says which intervals are worth a proof.

>>> from symdp.numbers.domain import Domain
>>> from symdp.formulas.notation import symbol
>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> domain = Domain.of(parse_conditions("x >= 0"), (), [symbol("c")])
>>> axis = ClaimAlongVariable(parse_relation("c*(c-1)*(c-2) >= -x"), domain, symbol("c"))
>>> [(str(b.low), str(b.high)) for b in axis.breaks]
[('0', '0'), ('1', '1'), ('2', '2')]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, pairwise

import mpmath
import sympy
from sympy import Expr, Rational, Symbol, oo

from symdp.formulas.parsing import ParseError, parse_expression
from symdp.formulas.relation import Relation
from symdp.numbers import floating
from symdp.numbers.domain import Domain, Interval, simple_points
from symdp.numbers.floating import precise
from symdp.numbers.simple_rationals import diagonal, simplest_between

DIGITS = 13
_WORKING = 60
#: How many points of the other variables are tried, and how many places along the axis.
POINTS = 800
#: Numbers beside the simple ones at which the claim is tried.
_EXTRA = tuple(Rational(n, 8) for n in range(-48, 49)) + tuple(Rational(n) for n in range(-30, 31))


@dataclass(frozen=True)
class TruthChange:
    """A place at which the truth of the claim seems to change: two ends, equal where it is known exactly."""

    low: Expr
    high: Expr
    #: the point of the other variables at which the claim is tight there
    point: tuple[mpmath.mpf, ...] | None = field(default=None, compare=False)

    @property
    def is_exact(self) -> bool:
        return bool(self.low == self.high)


class ClaimAlongVariable:
    """The claim along one variable: at each of its values, the worst of the others."""

    def __init__(self, relation: Relation, domain: Domain, v: Symbol) -> None:
        self.relation, self.domain, self.v = relation, domain, v
        self.others = [u for u in domain.variables if u != v]
        self.interval: Interval = domain.intervals[v]
        order = [v, *self.others]
        self._sides = [floating.function(side, order) for side in (relation.left, relation.right)]
        self._conditions = [floating.function(c.gap, order) for c in domain.conditions]
        with mpmath.workdps(_WORKING):
            self._gap = precise(relation.gap, order)

    @cached_property
    def points(self) -> list[tuple[Rational, ...]]:
        """Points of the other variables, simple ones first."""
        choices = []
        for u in self.others:
            simple = simple_points(self.domain.intervals[u], u in self.domain.integers)
            extra = [s * Rational(10) ** e for e in (-9, -6, 6, 9) for s in (1, -1)]
            inside = self.domain.intervals[u]
            choices.append([*simple, *(x for x in extra if inside.contains(x)
                                       and (x.is_Integer or u not in self.domain.integers))])
        return list(islice(diagonal(choices), POINTS))

    @cached_property
    def _floats(self) -> list[tuple[float, ...]]:
        return [tuple(map(float, p)) for p in self.points]

    def margin(self, c: float, point: Sequence[float]) -> float:
        """By how much the claim holds there, relative to its sides; nan where it says nothing."""
        at = [c, *point]
        if any(not g(at) >= 0 for g in self._conditions):
            return math.nan
        left, right = (f(at) for f in self._sides)
        gap = right - left if self.relation.op[0] == "<" else left - right
        size = abs(left) + abs(right)
        if self.relation.op == "==":
            gap = -abs(left - right)
        return gap / size if size and math.isfinite(size) else gap

    def is_bare(self, c: Rational) -> bool:
        """Whether none of the points that are tried satisfies the conditions at that value."""
        return all(any(not g([float(c), *p]) >= 0 for g in self._conditions) for p in self._floats)

    def holds_clearly(self, c: Expr, point: Sequence[Expr]) -> bool:
        """Whether many digits say that the claim holds, with something to spare, at one point."""
        if self.relation.op == "==":
            return False
        with mpmath.workdps(_WORKING):
            values = [mpmath.mpf(str(e.evalf(_WORKING))) for e in (c, *point)]
            gap = self._gap(values)
            return gap is not None and bool(gap > mpmath.mpf(10) ** -(_WORKING - 10))

    def holds(self, c: float) -> bool:
        """Whether no point was found at which the claim fails for that value."""
        return self.worst(c) is None

    def worst(self, c: float) -> int | None:
        """The place of a point at which the claim fails most clearly, or None."""
        least, place = 0.0, None
        for i, point in enumerate(self._floats):
            m = self.margin(c, point)
            if m < -1e-12 and m < least:
                least, place = m, i
            elif self.relation.strict and m == 0 and place is None:
                place = i
        return place

    @cached_property
    def grid(self) -> list[Rational]:
        """Values of the variable that are tried."""
        whole = self.v in self.domain.integers
        extra = [x for x in _EXTRA if self.interval.contains(x) and (x.is_Integer or not whole)]
        return sorted({*simple_points(self.interval, whole), *extra})

    @cached_property
    def tried(self) -> dict[Rational, bool]:
        return {c: self.holds(float(c)) for c in self.grid}

    @cached_property
    def breaks(self) -> list[TruthChange]:
        """Where the truth seems to change, from below."""
        found: list[TruthChange] = []
        with mpmath.workdps(_WORKING):
            for (a, at_a), (b, at_b) in pairwise(self.tried.items()):
                if at_a == at_b:
                    continue
                value, point = self._refined(a, b, at_a)
                exact = recognise(value)
                if exact is not None:
                    found.append(TruthChange(exact, exact, point))
                    continue
                hair = abs(value) * mpmath.mpf(10) ** -DIGITS + mpmath.mpf(10) ** -(2 * DIGITS)
                ends = [Rational(mpmath.nstr(value + s * hair / 2, 30)) for s in (-2, -1, 1, 2)]
                low, high = simplest_between(*ends[:2]), simplest_between(*ends[2:])
                found.append(TruthChange(low, high, point))
        merged: list[TruthChange] = []
        for b in found:  # a single point between two that differ from it gives one place twice
            if not merged or (b.low != merged[-1].low and b.low - merged[-1].high > 0):
                merged.append(b)
        return merged

    def _refined(
        self, a: Rational, b: Rational, at_a: bool
    ) -> tuple[mpmath.mpf, tuple[mpmath.mpf, ...] | None]:
        """The place between two values at which the truth changes, and the point at which it does."""
        low, high = float(a), float(b)
        for _ in range(60):
            middle = (low + high) / 2
            if not low < middle < high:
                break
            if self.holds(middle) == at_a:
                low = middle
            else:
                high = middle
        failing = high if at_a else low
        place = self.worst(failing)
        here = mpmath.mpf(low + high) / 2
        if place is None:
            return here, None
        point = [mpmath.mpf(int(x.p)) / int(x.q) for x in self.points[place]]
        ends = mpmath.mpf(int(a.p)) / int(a.q), mpmath.mpf(int(b.p)) / int(b.q)
        start = self._root(point, here, ends)
        return (here, None) if start is None else self._polish(start, point, ends, upwards=not at_a)

    def _root(
        self, point: list[mpmath.mpf], near: mpmath.mpf, ends: tuple[mpmath.mpf, mpmath.mpf]
    ) -> mpmath.mpf | None:
        """The value near by at which the gap at one point is 0."""
        width = max(abs(near), mpmath.mpf(1)) * mpmath.mpf(2) ** -40
        span = ends[1] - ends[0]
        while width < 4 * span:
            low, high = (max(ends[0] - span, near - width), min(ends[1] + span, near + width))
            at = [self._gap([end, *point]) for end in (low, high)]
            if None not in at and at[0] * at[1] <= 0 and at[0] != at[1]:
                return self._narrowed(low, high, (at[0], at[1]), point)
            width *= 16
        return None

    def _narrowed(
        self, low: mpmath.mpf, high: mpmath.mpf, at: tuple[mpmath.mpf, mpmath.mpf], point: list[mpmath.mpf]
    ) -> mpmath.mpf | None:
        """The root between two values at which the gap has different signs: where the chord crosses, and the middle
        in each third step."""
        at_low, at_high = at
        if at_low == 0 or at_high == 0:
            return low if at_low == 0 else high
        kept = 0  # which end stayed: its value is halved where it does so twice
        for n in range(3 * 3 * _WORKING):
            middle = (low * at_high - high * at_low) / (at_high - at_low) if n % 3 < 2 else (low + high) / 2
            least = 2 * mpmath.mp.eps * max(abs(low), abs(high))
            middle = min(max(middle, low + least), high - least)
            if not low < middle < high:
                return (low + high) / 2
            value = self._gap([middle, *point])
            if value is None:
                return None
            if value == 0:
                return middle
            if (value > 0) == (at_low > 0):
                low, at_low = middle, value
                at_high, kept = (at_high / 2 if kept > 0 else at_high), 1
            else:
                high, at_high = middle, value
                at_low, kept = (at_low / 2 if kept < 0 else at_low), -1
        return (low + high) / 2

    def _polish(
        self, best: mpmath.mpf, point: list[mpmath.mpf], ends: tuple[mpmath.mpf, mpmath.mpf], upwards: bool
    ) -> tuple[mpmath.mpf, tuple[mpmath.mpf, ...]]:
        """Move the point by steps that shrink, so that the claim fails there for more values."""
        here, step = list(point), mpmath.mpf("0.25")
        while step > mpmath.mpf(10) ** -(_WORKING // 2 - 4):
            moved = False
            for i, u in enumerate(self.others):
                if u in self.domain.integers:
                    continue
                for direction in (1, -1):
                    there = list(here)
                    there[i] = here[i] * (1 + direction * step) if here[i] else direction * step
                    if not self._inside(u, there[i]):
                        continue
                    found = self._root(there, best, ends)
                    if found is not None and found != best and (found > best) == upwards:
                        best, here, moved = found, there, True
                        break
            if not moved:
                step /= 2
        return best, tuple(here)

    def _inside(self, u: Symbol, value: mpmath.mpf) -> bool:
        i = self.domain.intervals[u]
        low = i.lower == -oo or value >= mpmath.mpf(str(i.lower.evalf(40)))
        high = i.upper == oo or value <= mpmath.mpf(str(i.upper.evalf(40)))
        return bool(low and high)


def recognise(value: mpmath.mpf) -> Expr | None:
    """A closed form that agrees to all digits that are certain, if a simple one does."""
    with mpmath.workdps(_WORKING // 2 - 8):
        if abs(value) < mpmath.mpf(10) ** -18:
            return sympy.Integer(0)
        rational = simplest_between(*(Rational(str(value * (1 + s * mpmath.mpf(10) ** -20)))
                                      for s in ((-1, 1) if value > 0 else (1, -1))))
        if rational.q <= 1000 and abs(rational.p) <= 10_000:
            return rational
        for constants in ([], ["log(2)"], ["pi"], ["e"], ["exp(-1)"], ["sqrt(2)"], ["log(2)", "pi"]):
            try:
                text = mpmath.identify(value, constants, tol=mpmath.mpf(10) ** -18)
            except (ValueError, ZeroDivisionError):
                continue
            if not text:
                continue
            found = _closed_form(text)
            if found is not None and abs(mpmath.mpf(str(found.evalf(30))) - value) < 1e-17:
                return found
    return None


def _closed_form(text: str) -> Expr | None:
    """mpmath writes Python syntax with `sqrt`, `exp`, `log`, fractions in brackets: our grammar too."""
    try:
        return parse_expression(text)
    except ParseError:
        return None
