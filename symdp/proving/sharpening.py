r"""The best constant, or the exact threshold, for which a claim holds.

Numbers come first: high-precision floating point finds where the claim is tightest. Then both
directions are certified: the claim is proved on the good side, and refuted by a point on the bad
side, either at a closed form that was recognised, or within a hair of it.

>>> found = sharpest_value("eps*tanh(eps/2) <= c*eps^2", "c", ["eps > 0"])
>>> found.closed_form, found.holds, found.certain
('1/2', 'c >= 1/2', True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

import mpmath
import sympy
from sympy import Expr, Rational, Symbol

from symdp.domain import Domain, Interval, simple_points
from symdp.floating import precise
from symdp.parsing import parse_name, to_text
from symdp.proving.settling import pose, settle_relation
from symdp.proving.verdict import Status, Verdict
from symdp.relation import Relation
from symdp.simplest import diagonal, simplest_between

DIGITS = 13
_WORKING = 60


class NoThreshold(ValueError):
    """The claim holds for all values, for none, or in a way that is not monotone."""


@dataclass(frozen=True)
class Sharpest:
    """Where a claim begins to fail along one axis."""

    over: str
    lower: str
    upper: str
    closed_form: str | None
    #: the side on which the claim holds, such as ``c >= 1/2``
    holds: str
    proved: Verdict
    refuted: Verdict

    @property
    def certain(self) -> bool:
        """Both directions are certified."""
        return self.proved.status is Status.PROVED and self.refuted.status is Status.REFUTED

    def as_json(self) -> dict[str, Any]:
        return {
            "over": self.over,
            "lower": self.lower,
            "upper": self.upper,
            "closed_form": self.closed_form,
            "holds": self.holds,
            "certain": self.certain,
            "proved": self.proved.as_json(),
            "refuted": self.refuted.as_json(),
        }


def sharpest_value(
    claim: str,
    over: str,
    where: Iterable[str] = (),
    *,
    let: Iterable[str] = (),
    integer: Iterable[str] = (),
    budget: float = 20.0,
) -> Sharpest:
    """The value of ``over`` at which the claim begins to hold, or to fail."""
    relation, domain, _ = pose(claim, where, let=let, integer=integer)
    return sharpest_of(relation, domain, parse_name(over), budget=budget)


def sharpest_of(relation: Relation, domain: Domain, v: Symbol, *, budget: float = 20.0) -> Sharpest:
    """The value of a variable at which a relation on a domain begins to hold, or to fail."""
    if v not in relation.symbols:
        raise NoThreshold(f"{v} does not occur in the claim")
    if relation.op == "==":
        raise NoThreshold("an equality has no threshold")
    axis = _Axis(relation, domain, v)
    value, holds_above = axis.threshold()
    return _certify(axis, value, holds_above, budget)


class _Axis:
    """The claim along one axis: at each value of v, the worst of the other variables."""

    def __init__(self, relation: Relation, domain: Domain, v: Symbol) -> None:
        self.relation, self.domain, self.v = relation, domain, v
        self.others = [u for u in domain.variables if u != v]
        self.interval = domain.intervals[v]
        self.gap = relation.gap
        with mpmath.workdps(_WORKING):
            self._f = precise(self.gap, [v, *self.others])

    def value(self, at: mpmath.mpf, point: Sequence[mpmath.mpf]) -> mpmath.mpf | None:
        return self._f([at, *point])

    def points(self) -> list[tuple[mpmath.mpf, ...]]:
        choices = []
        for u in self.others:
            simple = simple_points(self.domain.intervals[u], u in self.domain.integers)
            extra = [s * Rational(10) ** e for e in (-15, -12, 12) for s in (1, -1)]
            choices.append([*simple, *(x for x in extra if self.domain.intervals[u].contains(x)
                                       and (x.is_Integer or u not in self.domain.integers))])
        return [tuple(mpmath.mpf(int(x.p)) / int(x.q) for x in values)
                for values in islice(diagonal(choices), 3000)]

    def threshold(self) -> tuple[mpmath.mpf, bool]:
        """The critical value, and whether the claim holds above it."""
        with mpmath.workdps(_WORKING):
            if not self.others:
                return self._crossing()
            worst = None
            holds_above = None
            for point in self.points():
                found = self._required(point)
                if found is None:
                    continue
                value, above = found
                if holds_above is None:
                    holds_above = above
                if above is holds_above and (worst is None or (value > worst[0]) == above):
                    worst = (value, point)
            if worst is None or holds_above is None:
                raise NoThreshold(f"no value of {self.v} was found at which the claim changes")
            return self._polish(worst[0], worst[1], holds_above), holds_above

    def _required(self, point: tuple[mpmath.mpf, ...]) -> tuple[mpmath.mpf, bool] | None:
        """The value of v at which the claim changes at that point, for a gap linear in v."""
        slope = sympy.diff(self.gap, self.v)
        if slope.has(self.v):
            return self._change(lambda a: self.value(a, point))
        f0, f1 = self.value(mpmath.mpf(0), point), self.value(mpmath.mpf(1), point)
        if f0 is None or f1 is None or f0 == f1:
            return None
        return f0 / (f0 - f1), bool(f1 > f0)

    def _crossing(self) -> tuple[mpmath.mpf, bool]:
        found = self._change(lambda a: self.value(a, ()))
        if found is None:
            raise NoThreshold(f"no value of {self.v} was found at which the claim changes")
        return found

    def _change(
        self, f: Callable[[mpmath.mpf], mpmath.mpf | None]
    ) -> tuple[mpmath.mpf, bool] | None:
        """The first change of sign on a grid of simple values, refined by bisection."""
        grid = sorted(simple_points(self.interval, False))
        values = [(mpmath.mpf(int(g.p)) / int(g.q)) for g in grid]
        signs = [(a, y) for a in values if (y := f(a)) is not None and y != 0]
        for (a, fa), (b, fb) in pairwise(signs):
            if fa * fb < 0:
                for _ in range(4 * _WORKING):
                    m = (a + b) / 2
                    fm = f(m)
                    if fm is None:
                        return None
                    if fm * fa > 0:
                        a = m
                    else:
                        b = m
                return (a + b) / 2, bool(fb > 0)
        return None

    def _polish(
        self, best: mpmath.mpf, point: tuple[mpmath.mpf, ...], above: bool
    ) -> mpmath.mpf:
        """Climb in the other variables by steps that shrink."""
        here = list(point)
        step = mpmath.mpf("0.25")
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
                    found = self._required(tuple(there))
                    if found is not None and (found[0] > best) == above and found[0] != best:
                        best, here, moved = found[0], there, True
                        break
            if not moved:
                step /= 2
        return best

    def _inside(self, u: Symbol, value: mpmath.mpf) -> bool:
        i = self.domain.intervals[u]
        low = i.lower == -sympy.oo or value >= mpmath.mpf(str(i.lower.evalf(40)))
        high = i.upper == sympy.oo or value <= mpmath.mpf(str(i.upper.evalf(40)))
        return bool(low and high)

    # certification

    def settle_at(self, value: Expr, budget: float) -> Verdict:
        """The claim with v fixed, for all other variables."""
        fixed = self.relation.subs({self.v: value})
        rest = Domain(
            {u: self.domain.intervals[u] for u in self.others},
            self.domain.integers - {self.v},
            tuple(c.subs({self.v: value}) for c in self.domain.conditions),
        )
        return settle_relation(fixed, rest, budget=budget)

    def settle_side(self, value: Expr, above: bool, budget: float) -> Verdict:
        """The claim on the whole side of the threshold on which it should hold."""
        i = self.interval
        try:
            side = i.meet(Interval(value, sympy.oo) if above else Interval(-sympy.oo, value))
            domain = self.domain.replace_interval(self.v, side)
        except ValueError as reason:
            raise NoThreshold(str(reason)) from reason
        return settle_relation(self.relation, domain, budget=budget)


def recognise(value: mpmath.mpf) -> Expr | None:
    """A closed form that agrees to all digits that are certain, if a simple one does."""
    with mpmath.workdps(_WORKING // 2 - 8):
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
    from symdp.parsing import ParseError, parse_expression

    try:
        return parse_expression(text)
    except ParseError:
        return None


def _certify(axis: _Axis, value: mpmath.mpf, above: bool, budget: float) -> Sharpest:
    """Prove one side and refute the other, exactly if the value is recognised, else by a hair."""
    exact = recognise(value)
    with mpmath.workdps(_WORKING):
        hair = abs(value) * mpmath.mpf(10) ** -DIGITS + mpmath.mpf(10) ** -(2 * DIGITS)
        below, beyond = (Rational(str(mpmath.nstr(value + s * hair, 30))) for s in (-1, 1))
    good, bad = (beyond, below) if above else (below, beyond)
    settle = axis.settle_at if axis.others else (
        lambda at, seconds: axis.settle_side(at, above, seconds)
    )
    if exact is not None:
        proved = settle(exact, budget)
        if proved.status is Status.PROVED:
            good = exact
    if exact is None or good is not exact:
        exact = None
        proved = settle(good, budget)
    refuted = axis.settle_at(bad, budget)
    low, high = (bad, good) if above else (good, bad)
    op = ">=" if above else "<="
    with mpmath.workdps(_WORKING):
        shown = [mpmath.nstr(mpmath.mpf(str(e.evalf(30))), 20) for e in (low, high)]
    return Sharpest(
        str(axis.v), shown[0], shown[1], None if exact is None else to_text(exact),
        f"{axis.v} {op} {to_text(exact) if exact is not None else shown[1 if above else 0]}",
        proved, refuted,
    )
