r"""Which part of a domain a figure shows: one or two variables along axes, the others fixed.

>>> from symdp.sources.registry import claim
>>> flat = slice_of(claim("kov/sec-7.alon-spencer"), most=2)
>>> [str(axis.variable) for axis in flat.axes], {str(v): str(u) for v, u in flat.fixed.items()}
(['p', 'x'], {})
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Integer, Rational, Symbol, oo

from symdp.formulas.notation import delta, eps, k, lam, slack, symbol
from symdp.numbers import floating
from symdp.numbers.domain import Domain, Interval, find_point
from symdp.sources.statement import Claim
from symdp.typeset.numerals import number_latex
from symdp.typeset.typesetting import latex

Point = Mapping[Symbol, Expr]


class NoFigure(ValueError):
    """There is nothing to draw, and the message says why."""


#: These are shown before others.
_FIRST = (eps, k, slack, delta, lam)
#: What a reader would take, where nothing else is said.
_TYPICAL = {
    eps: Rational(1, 10), k: Integer(30), slack: Rational(1, 10**6), delta: Rational(1, 10**3),
    symbol("Delta"): Integer(1), symbol("eps_0"): Rational(1, 10), symbol("delta_0"): Rational(1, 10**6),
}


@dataclass(frozen=True)
class Axis:
    """A variable, the range in which it is shown, and how."""

    variable: Symbol
    low: float
    high: float
    logarithmic: bool = False
    integer: bool = False

    def places(self, many: int, interval: Interval) -> list[Rational]:
        """Exact places along the axis, inside of the interval.

        >>> from symdp.formulas.notation import k
        >>> Axis(k, 1, 100, logarithmic=True, integer=True).places(3, Interval(Integer(1)))
        [1, 10, 100]
        """
        found: dict[Rational, None] = {}
        for i in range(many):
            share = i / (many - 1)
            at = (self.low * (self.high / self.low) ** share if self.logarithmic
                  else self.low + (self.high - self.low) * share)
            exact = Integer(round(at)) if self.integer else Rational(f"{at:.6g}")
            if interval.contains(exact):
                found[exact] = None
        return list(found)

    @classmethod
    def over(cls, v: Symbol, domain: Domain, focus: Expr | None = None, *, short: bool = False) -> Axis:
        """A range that a reader would choose, wide enough to show the focus."""
        interval, whole = domain.intervals[v], v in domain.integers
        low, high, logarithmic = _range(v, interval, whole)
        if short and high > low + 30:
            high, logarithmic = low + 30, False
        if focus is not None:
            at = float(focus)
            if logarithmic and at <= 0:
                low, logarithmic = 0.0, False
            if logarithmic:
                low, high = min(low, at / 10), max(high, 10 * at)
            elif at < low or at > high:
                low, high = min(low, at - abs(at)), max(high, at + abs(at))
        low = max(low, _end(interval.lower))
        high = min(high, _end(interval.upper))
        if not whole and not logarithmic:  # an open end belongs to the axis, but not to the curve
            inset = (high - low) / 400
            low += inset * interval.lower_open
            high -= inset * interval.upper_open
        return cls(v, low, high, logarithmic, whole)


def _end(value: Expr) -> float:
    return math.inf if value == oo else -math.inf if value == -oo else float(value)


def _range(v: Symbol, interval: Interval, whole: bool) -> tuple[float, float, bool]:
    low, high = _end(interval.lower), _end(interval.upper)
    if math.isfinite(low) and math.isfinite(high):
        probability = low == 0 < high <= 1 and v.name.startswith(("slack", "delta"))
        return (1e-8 * high, high, True) if probability else (low, high, high > 1e3 * low > 0)
    if math.isfinite(low):
        if whole and low < 1:
            return low, low + 30, False
        if low == 0:
            return 1e-3, 1e2, True
        return (low, 1e4 * low, True) if low > 0 else (low, low + 10, False)
    if math.isfinite(high):
        return high - 10, high, False
    return -5.0, 5.0, False


@dataclass(frozen=True)
class Slice:
    """The axes, the domain, and where the other variables stand."""

    axes: tuple[Axis, ...]
    fixed: dict[Symbol, Expr]
    domain: Domain
    #: a point that must be seen, such as a witness
    focus: dict[Symbol, Expr] | None = None

    def grid(self, many: Sequence[int]) -> list[list[Rational]]:
        return [axis.places(n, self.domain.intervals[axis.variable])
                for axis, n in zip(self.axes, many, strict=True)]

    def inside(self) -> Any:
        """Whether a place on the axes satisfies the conditions of the domain, as far as floats tell."""
        variables = [axis.variable for axis in self.axes]
        gaps = [(floating.function(c.gap.subs(self.fixed), variables), c.op)
                for c in self.domain.conditions]

        def test(at: Sequence[float]) -> bool:
            for gap, op in gaps:
                value = gap(at)
                if op == "==":
                    if not abs(value) <= 1e-9:
                        return False
                elif not value >= (1e-15 if op in "<>" else 0):
                    return False
            return True

        return test

    @property
    def caption(self) -> str:
        """The fixed variables, for a title."""
        return ", ".join(f"${latex(v)} = {_short(value)}$" for v, value in self.fixed.items())


def _short(value: Expr) -> str:
    if not value.is_Rational:
        return latex(value)
    text = number_latex(value)
    return text if len(text) <= 16 else f"{float(value):.4g}"


def slice_of(
    claim: Claim, *, most: int, witness: Point | None = None, against: Iterable[Symbol] = (),
    at: Point | None = None, short: frozenset[Symbol] = frozenset(),
) -> Slice:
    """The slice through a claim's domain with at most that many axes; ``short`` ones are kept short."""
    domain = claim.domain
    chosen = tuple(against)
    given = dict(at or {})
    _known((*chosen, *given), domain, claim.id)
    for v, value in given.items():
        if not domain.intervals[v].contains(value) or (v in domain.integers and not value.is_Integer):
            raise NoFigure(f"{claim.id} does not speak of {v} = {value}: its domain is {domain}")
    shown = chosen or tuple([v for v in variables_in_order(claim) if v not in given][:most])
    if not shown:
        raise NoFigure(f"{claim.id} has no variable to draw it against")
    focus = {v: witness[v] for v in domain.variables} if witness and not given else None
    base = focus or find_point(domain)
    if base is None:
        raise NoFigure(f"no point of the domain of {claim.id} was found")
    fixed = {v: given.get(v, base[v]) for v in domain.variables if v not in shown}
    if focus is None:
        bound = {v for c in domain.conditions for v in c.symbols}
        for v in set(fixed) - set(given) - bound:
            typical = _TYPICAL.get(v)
            if typical is not None and domain.intervals[v].contains(typical):
                fixed[v] = typical
    axes = tuple(Axis.over(v, domain, focus[v] if focus else None, short=v in short) for v in shown)
    return Slice(axes, fixed, domain, focus)


def variables_in_order(claim: Claim) -> list[Symbol]:
    """The variables that can be drawn against, the most telling first."""
    domain, order = claim.domain, {v: i for i, v in enumerate(_FIRST)}
    moving = [v for v in domain.variables if v in claim.symbols
              and domain.intervals[v].lower != domain.intervals[v].upper]
    return sorted(moving, key=lambda v: (order.get(v, len(order)), str(v)))


def _known(named: Iterable[Symbol], domain: Domain, id: str) -> None:
    for v in named:
        if v not in domain.intervals:
            there = ", ".join(map(str, domain.variables)) or "none"
            raise NoFigure(f"{id} has no variable {v}; its variables are {there}")
