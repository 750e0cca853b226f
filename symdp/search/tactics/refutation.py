r"""Look for a counterexample: quickly in floats, then polished, then certified by the kernel.

>>> from symdp.numbers.domain import Domain
>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> domain = Domain.of(parse_conditions("x >= 0"))
>>> find_witness(Target.of(parse_relation("exp(x) <= 1+x+x^2/2"), domain)).point
{x: 1}
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product

import sympy
from flint import fmpq
from sympy import Expr, Integer, Rational, Symbol, oo, sign

from symdp.formulas.relation import Relation
from symdp.formulas.translation import NotATerm
from symdp.kernel.goals import Goal
from symdp.kernel.proof import Rejected
from symdp.kernel.terms import BINDERS, subterms
from symdp.kernel.values.points import Point
from symdp.kernel.witness import refute
from symdp.numbers import floating
from symdp.numbers.domain import Domain, Interval, find_point, goal_of, simple_points
from symdp.numbers.simple_rationals import diagonal, simplest_between
from symdp.search.view.goals import Counterexample, Target

#: Points tried from the grid, and steps of the polishing.
GRID, POLISH = 6000, 400
#: A climb whose steps, relative to the point, have become so short is at its top.
FINEST = 1e-6
#: A violation in floats below this part of the size of the sides is taken for rounding.
ROUNDING = 1e-13
#: How near to an end floats do not see any more, in powers of ten; and how many such points are tried.
DISTANCES, DEEP, CORNERS = (13, 20, 40), 80, 8
#: Numbers so far out that floats of tails are 0; simple values of others between whose bounds is looked, and where.
FAR, BETWEEN, SHARES = (4, 6), 40, (Rational(1, 2), Rational(1, 100), Rational(99, 100))
#: How many integers in a row, or places of a long line a stride apart, are looked at.
LINE, STRIDE = 3000, Rational(7, 40)
#: How often the best line through a point of a conic is turned by half as much.
CONIC = 40
#: How many points are tried where floats are of no use.
SIMPLE = 150


def find_witness(goal: Target, formal: Goal | None = None, seed: int = 0) -> Counterexample | None:
    """A counterexample that the kernel sees, as simple as could be found, or None.

    ``formal`` is the goal as it was written, where it is more than the view at hand.
    """
    try:
        claim = goal_of(Relation(goal.left, goal.op, goal.right), goal.domain)  # type: ignore[arg-type]
    except NotATerm:
        return None
    refutation = WitnessSearch(goal, formal or claim, seed)
    return refutation.at_a_glance() or refutation.patiently()


def refute_at(goal: Target, point: Mapping[Symbol, Expr], formal: Goal | None = None) -> Counterexample:
    """The witness that a goal fails at a point, if the kernel sees that; Rejected otherwise."""
    if not all(isinstance(e, Rational) for e in point.values()):
        raise Rejected("a witness is a point with rational coordinates")
    claim = goal_of(Relation(goal.left, goal.op, goal.right), goal.domain)  # type: ignore[arg-type]
    at = {str(v): fmpq(int(e.p), int(e.q)) for v, e in point.items()}
    return Counterexample.of(goal, point, refute(formal or claim, Point(at)))


class WitnessSearch:
    """The view of a goal, in which points are sought, and the goal that is to fail there."""

    def __init__(self, goal: Target, formal: Goal, seed: int = 0) -> None:
        self.goal, self.formal, self.domain, self.seed = goal, formal, goal.domain, seed
        #: the points at which the claim is nearest to failing
        self.worst: list[tuple[float, int, tuple[float, ...]]] = []

    @cached_property
    def quick(self) -> _Quick:
        return _Quick(self.goal)

    def certify(self, point: Mapping[Symbol, Expr]) -> Counterexample | None:
        try:
            at = {str(v): fmpq(int(e.p), int(e.q)) for v, e in point.items()}
            return Counterexample.of(self.goal, point, refute(self.formal, Point(at)))
        except Rejected:
            return None

    def at_a_glance(self) -> Counterexample | None:
        """A counterexample among simple points."""
        if has_sums(self.formal):
            return _among_simple_points(self)
        suspects, found = 0, []
        for i, (point, values) in enumerate(islice(_grid(self.domain), GRID)):
            badness = self.quick.at(values)
            if badness > -ROUNDING and suspects <= 60:  # many: touching along a curve, rounding alone
                suspects += 1
                witness = self.certify(dict(zip(self.quick.variables, point, strict=True)))
                if witness is not None:
                    return _simplify(self, witness)
            found.append((-badness, i, values))
        self.worst = heapq.nsmallest(8, found)
        return None

    def patiently(self) -> Counterexample | None:
        """One that is uphill from the worst of the simple points, or next to an end."""
        if has_sums(self.formal):
            return None
        witness = (_polish(self, self.quick, self.worst, random.Random(self.seed)) or _at_the_ends(self)
                   or _between_conditions(self) or _along_a_line(self) or _on_a_conic(self))
        return None if witness is None else _simplify(self, witness)


def has_sums(goal: Goal) -> bool:
    """Whether there are sums in it, or families, of which floats know nothing."""
    parts = (p for formula in (*goal.hypotheses, goal.claim) for t in formula.terms() for p in subterms(t))
    return any(p.head in (*BINDERS, "member") for p in parts)


def _among_simple_points(goal: WitnessSearch) -> Counterexample | None:
    """A counterexample among simple points, each looked at by the kernel."""
    if goal.formal.families:
        return None
    variables = goal.domain.variables
    for point, _ in islice(_grid(goal.domain), SIMPLE):
        witness = goal.certify(dict(zip(variables, point, strict=True)))
        if witness is not None:
            return witness
    return None


def _at_the_ends(goal: WitnessSearch) -> Counterexample | None:
    """A counterexample so close to an end, or so far out, that no float tells it from the end."""
    for point in islice(_deep_points(goal.domain), DEEP):
        witness = goal.certify(point)
        if witness is not None:
            return witness
    return None


def _between_conditions(goal: WitnessSearch) -> Counterexample | None:
    """A counterexample with one variable between the bounds that conditions give to it at simple values of the
    others: of a thin cone, simple points lie outside."""
    domain = goal.domain
    for v in domain.variables if domain.conditions and not domain.integers else ():
        slopes = [(c, c.gap.diff(v)) for c in domain.conditions if v in c.symbols]
        if not slopes or any(slope.has(v) or c.op == "==" for c, slope in slopes):
            continue
        others = Domain({u: i for u, i in domain.intervals.items() if u != v})
        for values, _ in islice(_grid(others), BETWEEN):
            at = dict(zip(others.variables, values, strict=True))
            bounds = _bounds_at(v, slopes, at, domain.intervals[v])
            for share in SHARES if bounds is not None else ():
                low, high = bounds  # type: ignore[misc]
                point = {**at, v: low + (high - low) * share}
                if goal.quick.at([float(point[u]) for u in goal.quick.variables]) > -ROUNDING:
                    witness = goal.certify(point)
                    if witness is not None:
                        return witness
    return None


def _bounds_at(v: Symbol, slopes: Sequence[tuple[Relation, Expr]], at: Mapping[Symbol, Expr],
               interval: Interval) -> tuple[Expr, Expr] | None:
    """The ends that conditions and the interval leave to a variable at a point of the others, if rational."""
    lows, highs = [interval.lower], [interval.upper]
    for c, slope in slopes:
        s, rest = slope.subs(at), c.gap.subs({**at, v: 0})
        if not (s.is_Rational and rest.is_Rational and s != 0):
            return None
        (lows if s > 0 else highs).append(-rest / s)
    low, high = max(lows), min(highs)
    return (low, high) if low.is_Rational and high.is_Rational and low < high else None


def _along_a_line(goal: WitnessSearch) -> Counterexample | None:
    """A counterexample at one of many integers, or on a long line where something is periodic."""
    domain, quick = goal.domain, goal.quick
    waves = (goal.goal.left - goal.goal.right).has(sympy.sin, sympy.cos)
    for v in domain.variables:
        if v not in domain.integers and not waves:
            continue
        place, interval = domain.variables.index(v), domain.intervals[v]
        start = interval.lower if interval.lower != -oo else Integer(0)
        step = Integer(1) if v in domain.integers else STRIDE
        others = [simple_points(domain.intervals[u], u in domain.integers)[:2] for u in domain.variables if u != v]
        for fixed in islice(diagonal(others), 2) if others else [()]:
            found = []
            floats = [float(u) for u in fixed]
            for k in range(LINE):
                value = float(start) + k * float(step)
                if value > float(interval.upper):
                    break
                values = (*floats[:place], value, *floats[place:])
                found.append((-quick.at(values), k, values))
            best = heapq.nsmallest(4, found)
            if v in domain.integers:
                for _, k, _ in best:
                    exact = (*fixed[:place], start + k, *fixed[place:])
                    witness = goal.certify(dict(zip(domain.variables, exact, strict=True)))
                    if witness is not None:
                        return witness
            elif (witness := _polish(goal, quick, best, random.Random(goal.seed))) is not None:
                return witness
    return None


def _on_a_conic(goal: WitnessSearch) -> Counterexample | None:
    """A counterexample on a circle, an ellipse or their like: a line with a rational slope through a rational point
    of it meets it in another one."""
    domain = goal.domain
    curves = [c.gap for c in domain.conditions if c.op == "=="]
    if len(curves) != 1 or len(domain.variables) != 2 or domain.integers:
        return None
    x, y = domain.variables
    conic = sympy.Poly(curves[0], x, y) if curves[0].is_polynomial(x, y) else None
    start = find_point(domain) if conic is not None and conic.total_degree() == 2 else None
    if conic is None or start is None or not all(c.is_Rational for c in (*conic.coeffs(), *start.values())):
        return None

    t, m = sympy.Dummy(), sympy.Dummy()
    along = sympy.Poly(conic.as_expr().subs({x: start[x] + t, y: start[y] + m * t}, simultaneous=True), t)
    square, linear = along.coeff_monomial(t**2), along.coeff_monomial(t)

    def on_it(slope: Rational) -> dict[Symbol, Expr] | None:
        below = square.subs(m, slope)
        if below == 0:
            return None
        step = -linear.subs(m, slope) / below
        return {x: start[x] + step, y: start[y] + slope * step}

    def badness(slope: Rational) -> float:
        point = on_it(slope)
        return -math.inf if point is None else goal.quick.at([float(point[v]) for v in goal.quick.variables])

    slopes = [Rational(i, 8) for i in range(-40, 41)] + [Rational(8, i) for i in range(-7, 8) if i]
    best, width = max(slopes, key=badness), Rational(1, 8)
    for _ in range(CONIC):
        point = on_it(best)
        witness = None if point is None or badness(best) <= -ROUNDING else goal.certify(point)
        if witness is not None:
            return witness
        width /= 2
        best = max((best, best - width, best + width), key=badness)
    return None


def _deep_points(domain: Domain) -> Iterator[dict[Symbol, Rational]]:
    """Points with one variable next to an end of its interval, or all of them, the others simple."""
    usual = {v: simple_points(domain.intervals[v], v in domain.integers)[:3] for v in domain.variables}
    unbounded = [v for v in domain.variables if domain.intervals[v].upper == oo]
    for power in FAR if len(domain.variables) == 1 else ():
        yield from ({v: Integer(10**power)} for v in unbounded)
    for distance in DISTANCES:
        deep = {v: _next_to_ends(domain.intervals[v], v in domain.integers, distance)
                for v in domain.variables}
        if len(domain.variables) > 1:
            for values in islice(product(*(deep[v] or usual[v][:1] for v in domain.variables)), CORNERS):
                yield dict(zip(domain.variables, values, strict=True))
        for v in domain.variables:
            for near in deep[v]:
                for others in diagonal([usual[u] if u != v else [near] for u in domain.variables]):
                    yield dict(zip(domain.variables, others, strict=True))


def _next_to_ends(interval: Interval, integer: bool, distance: int) -> list[Rational]:
    """The numbers a power of ten inside of finite ends, and that power itself where there is none."""
    found = []
    for end, inward in ((interval.lower, 1), (interval.upper, -1)):
        if end in (oo, -oo):
            found.append(Integer(-inward * 10**distance))
        elif not integer:
            exact = end if end.is_Rational else Rational(str(end.evalf(3 * distance)))
            found.append(exact + Rational(inward, 10**distance))
    return [u for u in found if interval.contains(u)]


class _Quick:
    """The claim in floats: how badly it fails at a point, relative to the size of its sides."""

    def __init__(self, goal: Target) -> None:
        variables = goal.domain.variables
        self.variables, self.op = variables, goal.op
        self.left = floating.function(goal.left, variables)
        self.right = floating.function(goal.right, variables)
        self.conditions = [
            (floating.function(c.gap, variables), c.op) for c in goal.domain.conditions
        ]

    def at(self, values: Sequence[float]) -> float:
        """Positive where the claim fails, -inf outside of the domain or where it is unknown."""
        for gap, op in self.conditions:
            value = gap(values)
            if not (abs(value) < 1e-12 if op == "==" else value >= 0):
                return -math.inf
        left, right = self.left(values), self.right(values)
        if math.isnan(left) or math.isnan(right) or math.isinf(left) or math.isinf(right):
            return -math.inf
        difference = abs(left - right) if self.op == "==" else left - right
        return difference / (abs(left) + abs(right) + 1e-300)


def _grid(domain: Domain) -> Iterator[tuple[tuple[Rational, ...], tuple[float, ...]]]:
    """Simple points of the domain, exact and as floats."""
    choices = [
        [(u, float(u)) for u in simple_points(domain.intervals[v], v in domain.integers)]
        for v in domain.variables
    ]
    for pairs in diagonal(choices):
        yield tuple(u for u, _ in pairs), tuple(f for _, f in pairs)


def _polish(
    goal: WitnessSearch, quick: _Quick, worst: list[tuple[float, int, tuple[float, ...]]], rng: random.Random
) -> Counterexample | None:
    """Climb from the worst grid points by random steps whose size adapts."""
    bounds = [(float(i.lower), float(i.upper)) for i in goal.domain.intervals.values()]
    for goodness, _, start in worst:
        if goodness == math.inf:
            continue
        here, badness = list(start), -goodness
        width = 0.5
        for _ in range(POLISH):
            if width < FINEST:
                break
            there = [
                round(u + rng.choice((-1, 0, 1)) * max(1, abs(u) * width))
                if v in goal.domain.integers
                else (u * math.exp(min(50.0, width * rng.gauss(0, 1))) if u and rng.random() < 0.7
                      else u + width * rng.gauss(0, 1))
                for v, u in zip(quick.variables, here, strict=True)
            ]
            if not _inside(bounds, there):
                width *= 0.95
                continue
            new = quick.at(there)
            if new > badness:
                here, badness, width = there, new, width * 1.5
            else:
                width *= 0.95
        if badness > 0:
            witness = goal.certify(_exactly(goal.domain, here))
            if witness is not None:
                return witness
    return None


def _inside(bounds: list[tuple[float, float]], values: list[float]) -> bool:
    return all(math.isfinite(u) and low <= u <= high for u, (low, high) in zip(values, bounds, strict=True))


def _exactly(domain: Domain, values: list[float]) -> dict[Symbol, Rational]:
    """The simplest rationals within a billionth of the floats."""
    point = {}
    for v, u in zip(domain.variables, values, strict=True):
        value = Rational(u)
        room = abs(value) / 10**9
        point[v] = simplest_between(value - room, value + room)
    return point


def _simplify(goal: WitnessSearch, witness: Counterexample) -> Counterexample:
    """Replace each coordinate by the simplest nearby number at which the claim still fails."""
    for v in goal.domain.variables:
        if v not in goal.domain.integers:
            witness = next(filter(None, (
                goal.certify({**witness.point, v: simple}) for simple in _simpler(witness.point[v])
            )), witness)
    return witness


def _simpler(value: Rational) -> Iterator[Rational]:
    """Simpler numbers near to a number, the simplest first."""
    if value and not Rational(1, 10**6) < abs(value) < 10**6:  # a power of ten says how small or large
        towards = 1 if abs(value) > 1 else -1
        power = abs(len(str(abs(value.p))) - len(str(value.q)))
        powers = [e for e in (9, 12, *DISTANCES, 100) if e < power - 1]
        powers += [power - 1, power, power + 1]
        yield from (sign(value) * Rational(10) ** (towards * e) for e in powers)
    for digits in range(1, 12):
        slack = abs(value) * Rational(1, 10**digits)
        simple = simplest_between(value - slack, value + slack)
        if simple == value:
            return
        yield simple
