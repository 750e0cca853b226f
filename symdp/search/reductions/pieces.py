r"""One variable, piece by piece: calculus next to the points where the sides touch, boxes between them.

Numbers say where the gap touches 0, and up to where a slope keeps its sign beside such a point, beside an end at
which the gap has no value, and far out. There the interval is cut. On a piece beside such a point the gap grows from
its limit, or falls towards its other end; that is left to show of the slope, which is asked in the same way. Before
it is differentiated, the gap is divided by what is positive in it (:mod:`~symdp.search.reductions.quotients`).

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import apply, number
>>> x = variable("x")
>>> inside = (Relation(ZERO, "<", x), Relation(x, "<", number(1)))
>>> entropy = -(x * apply("log", x))
>>> goal = Goal((("x", REAL),), inside, Relation(entropy, "<=", apply("sqrt", x)))
>>> next(reductions(goal)).premises
()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, product

import sympy
from flint import fmpq
from sympy import Expr, Rational, Symbol

from symdp.formulas.derivative import derivative
from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import REAL, Formula, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.rules.paving import SETTLED, Box, Gradient, halves
from symdp.kernel.terms import ONE, ZERO, fresh, number, variable
from symdp.kernel.values.conditions import bounds_of, is_bound_of
from symdp.kernel.values.enclosure import range_on
from symdp.numbers.ranges import Range, Tape, Undefined, Unsupported, between, precision
from symdp.search.deadline import clock, is_past, time_left
from symdp.search.elaboration.derived_rules import RULES, followed
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour
from symdp.search.reductions.quotients import Sign, quotients
from symdp.search.tactics.routes import OutOfTime

FAILURES = (Rejected, IllFormed, NotATerm, ArithmeticError, TypeError, ValueError, KeyError, NotImplementedError)
_SEEN, _ASSUMED = Step("enclosure"), Step("assumption")
#: What a goal is worth, in seconds of work and as a share of what is left; how many slopes of slopes are taken, and
#: how many ways for each.
SECONDS, SHARE, HEIGHTS, WAYS = 3.0, 0.4, (1, 2, 3, 4, 6), 4
#: What the one try with a gap that grows first and falls then may take.
HILL_SECONDS = 0.8
#: Boxes of a piece, with this precision; claims and slopes that are longer are left alone.
FEW_BOXES, MOST_BOXES, BITS, LONGEST, MOST_GROWTH = 120, 500, 64, 250, 2
#: How near to an end, and how far out, is looked, in powers of 2; and the precision of samples.
NEAREST, FARTHEST, _SAMPLE_BITS = 40, 30, 220


def reductions(goal: Goal) -> Iterator[Detour]:
    """The claim cut into pieces, if each of them was settled."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.op == "==" or len(claim.variables) != 1:
        return
    (name,) = claim.variables
    about = [h for h in goal.hypotheses if name in h.variables]
    if dict(goal.sorts)[name] != REAL or not all(is_bound_of(h, name) for h in about):
        return
    try:
        gap = expr_of(goal.relation.gap)
        if gap.count_ops() > LONGEST or gap.has(sympy.Abs, sympy.Min, sympy.Max, sympy.floor):
            return
        chain = positive_up_to_ends(goal, gap, Symbol(name))
        step = Pieces(Symbol(name), clock() + min(SECONDS, time_left() * SHARE)).shown(chain.goal)
    except (*FAILURES, OutOfTime):
        return
    if step is not None:
        whole = chain.around(step)
        yield Detour((), lambda _: whole, Reason.of("piece by piece along ", Symbol(name)))


def positive_up_to_ends(goal: Goal, gap: Expr, v: Symbol) -> Descent:
    """Known to be positive: polynomials below a line, under a root or in a logarithm that vanish at an end. It is no
    rational number, so that an enclosure does not see it."""
    chain, (low, high) = Descent(goal), bounds_of(goal, str(v.name))
    inside = [p.base for p in gap.atoms(sympy.Pow) if not (p.exp.is_Integer and p.exp > 0)]
    inside += [p.args[0] for p in gap.atoms(sympy.log)]
    for bound in (b for b in (low, high) if b is not None and b.strict and b.right.head != "number"):
        end = expr_of(bound.right)
        distance = v - end if bound is low else end - v
        for e in sorted({e for e in inside if e.is_polynomial(v) and e.has(v)}, key=sympy.default_sort_key):
            if sympy.expand(e.subs(v, end)) != 0:
                continue
            times = sympy.cancel(e / distance)
            fact = Relation(ZERO, "<", term_of(e))
            apart: dict[str, object] = {"terms": [[ONE, [[term_of(distance), 1, ">"], [term_of(times), 1, ">"]]]]}
            step = Step("combine", apart, (Step("rewrite", {"left": bound.normal.left, "right": bound.normal.right},
                                                (_ASSUMED,)), _SEEN))
            try:
                followed(chain.goal.claiming(fact), step)
                chain.know(fact, step)
            except FAILURES:
                continue
    return chain


# --- numbers ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stretch:
    """The interval of the variable; None is infinite."""

    low: Expr | None
    high: Expr | None
    low_open: bool
    high_open: bool

    @classmethod
    def of(cls, goal: Goal, name: str) -> Stretch:
        low, high = bounds_of(goal, name)
        return cls(None if low is None else expr_of(low.right), None if high is None else expr_of(high.right),
                   low is None or low.strict, high is None or high.strict)

    def points(self) -> list[Rational]:
        """From the lower end to the upper one, dense beside both."""
        return list(_points(self.low, self.high))


@lru_cache(maxsize=500)
def _points(low: Expr | None, high: Expr | None) -> tuple[Rational, ...]:
    near = [Rational(1, 2**k) for k in range(1, NEAREST)]
    far = [Rational(2**k) for k in range(FARTHEST)]
    if low is None and high is None:
        found = [s * r for r in (*near, *far) for s in (1, -1)] + [Rational(0)]
    elif low is None or high is None:
        end, way = (rationally(low), 1) if low is not None else (rationally(high), -1)
        steps = [*near, *far, *(Rational(i, 4) for i in range(1, 20))]
        found = [end + way * r for r in steps]
    else:
        a, b = rationally(low), rationally(high)
        found = [a + (b - a) * r for r in near] + [b - (b - a) * r for r in near]
        found += [a + (b - a) * Rational(i, 24) for i in range(1, 24)]
    return tuple(sorted(set(found)))


def rationally(end: Expr | None) -> Rational:
    """A number close to an end."""
    if end is None:
        raise Rejected("no such end")
    return end if end.is_Rational else Rational(str(end.evalf(40)))


def values_of(e: Expr, v: Symbol, points: Sequence[Rational]) -> list[Range | None]:
    """The values at points, None where there is none."""
    try:
        tape = Tape(e, (v,))
    except Unsupported as reason:
        raise Rejected(str(reason)) from None
    found: list[Range | None] = []
    with precision(_SAMPLE_BITS):
        for p in points:
            try:
                found.append(tape([between(p, p)]))
            except (Undefined, Unsupported):
                found.append(None)
    return found


def sign_of(r: Range | None) -> int | None:
    """1 or -1; 0 if it is next to nothing; None if it is not known."""
    if r is None:
        return None
    if r.is_positive():
        return 1
    return -1 if r.is_negative() else 0


def middle_of(r: Range) -> float:
    return float(((r.lo + r.hi) / 2).mid())


def simplest_between(low: Rational, high: Rational) -> Rational:
    """The number with the smallest denominator in an interval.

    >>> simplest_between(Rational(31, 100), Rational(2, 3))
    1/2
    """
    if low > high:
        low, high = high, low
    if low <= 0 <= high:
        return Rational(0)
    if high < 0:
        return -simplest_between(-high, -low)
    whole = sympy.floor(low)
    if whole == low:
        return Rational(whole)
    if whole + 1 <= high:
        return Rational(whole + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


# --- the search -------------------------------------------------------------------------------------


@dataclass
class Pieces:
    """One search along one variable, with what it has failed to show."""

    v: Symbol
    deadline: float
    _failed: dict[Goal, int] = field(default_factory=dict)
    _looks: dict[Goal, _Look | None] = field(default_factory=dict)
    #: what was asked, in the forms that it has
    _whole: set[Goal] = field(default_factory=set)
    _tried_hill: bool = False

    @property
    def name(self) -> str:
        return str(self.v.name)

    def shown(self, goal: Goal) -> Step | None:
        self._whole = {goal}
        for height in HEIGHTS:
            step = self.show(goal, height)
            if step is not None:
                return step
        return None

    def show(self, goal: Goal, height: int) -> Step | None:
        """A step for 0 <= gap, or 0 < gap."""
        if is_past(self.deadline):
            raise OutOfTime
        if (leaf := self.leaf(goal)) is not None:
            return leaf
        if self._failed.get(goal, -1) >= height:
            return None
        try:
            step = self._show(goal, height)
        except FAILURES:
            step = None
        if step is None:
            self._failed[goal] = height
        return step

    def leaf(self, goal: Goal) -> Step | None:
        try:
            return _SEEN if RULES["enclosure"](goal, {}) == [] else None
        except FAILURES:
            return None

    def _show(self, goal: Goal, height: int) -> Step | None:
        if goal not in self._looks:
            self._looks[goal] = self._look(goal)
        look = self._looks[goal]
        if look is None:
            return None
        if look.over is not None:
            inner, around = look.over
            self._whole |= {inner} if goal in self._whole else set()
            return None if (step := self.show(inner, height)) is None else around(step)
        if look.touch is not None:
            return self._cut(goal, look.touch, height)
        if not any(look.hard):
            return self.paved(goal)
        if height == 0:
            return None
        for way in look.ways():
            step = self._along(goal, way, look, height)
            if step is not None:
                return step
        if not all(look.hard) and height < 3:
            return None
        step = self._cut(goal, self._inside(look.span), height - 1)
        if step is None and look.hills and not self._tried_hill:
            self._tried_hill, until = True, self.deadline
            self.deadline = min(until, clock() + HILL_SECONDS)
            with suppress(OutOfTime):
                step = self._hill(goal, look.hills[0], HEIGHTS[-1])
            self.deadline = until
        return step

    def _look(self, goal: Goal) -> _Look | None:
        """What numbers say of a goal; None if it is false, or too long."""
        gap, span = expr_of(goal.relation.gap), Stretch.of(goal, self.name)
        if gap.count_ops() > LONGEST or not gap.has(self.v):
            return None
        points, sign = span.points(), self.signs(goal)
        values = values_of(gap, self.v, points)
        if any(sign_of(r) == -1 for r in values):
            return None
        weight, core = next(quotients(gap, self.v, sign))
        if weight.has(self.v) and (over := self.over(goal, weight, core)) is not None:
            return _Look(span, over=over)
        touch = next(self._touches(points, values, gap), None)
        hard = tuple(self._is_hard(gap, end) for end in (span.low, span.high))
        return _Look(span, None, touch, hard, lambda: self._ways(gap, sign))

    def _is_hard(self, gap: Expr, end: Expr | None) -> bool:
        """Whether boxes cannot come to this end."""
        if end is None:
            return True
        try:
            at = Goal((), (), Relation(ZERO, "<", term_of(gap.subs(self.v, end))))
            return RULES["enclosure"](at, {}) != []
        except FAILURES:
            return True

    def _inside(self, span: Stretch) -> Rational:
        """A point between two ends."""
        if span.low is not None and span.high is not None:
            a, b = rationally(span.low), rationally(span.high)
            return simplest_between(a + (b - a) * Rational(2, 5), a + (b - a) * Rational(3, 5))
        if span.low is not None:
            return simplest_between(rationally(span.low) + Rational(1, 2), rationally(span.low) + 2)
        if span.high is not None:
            return simplest_between(rationally(span.high) - 2, rationally(span.high) - Rational(1, 2))
        return Rational(0)

    def _touches(self, points: Sequence[Rational], values: Sequence[Range | None], gap: Expr,
                 ) -> Iterator[Expr]:
        """Inner points at which the gap vanishes."""
        known = [(p, r) for p, r in zip(points, values, strict=True) if r is not None]
        for p, r in known:
            if r.lo <= 0 <= r.hi and middle_of(r) == 0.0 and gap.subs(self.v, p) == 0:
                yield p
                return
        sizes = [middle_of(r) for _, r in known]
        for i in range(1, len(known) - 1):
            before, here, after = sizes[i - 1 : i + 2]
            if here <= min(before, after) and here < 0.1 * max(before, after):
                at = self._least(gap, known[i - 1][0], known[i + 1][0])
                if at is not None:
                    yield at
                    return

    def _least(self, gap: Expr, low: Rational, high: Rational) -> Expr | None:
        """A constant at which the gap vanishes, if its least value between two points seems to be 0."""
        for _ in range(45):
            third = (high - low) / 3
            inner = [low + third, high - third]
            left, right = (middle_of(r) if r is not None else float("inf") for r in values_of(gap, self.v, inner))
            low, high = (low, inner[1]) if left <= right else (inner[0], high)
            low, high = (Rational(int(sympy.floor(u * 2**64)), 2**64) for u in (low, high))
        at = (low + high) / 2
        guess = simplest_between(at - Rational(1, 10**7), at + Rational(1, 10**7))
        for candidate in (guess, *_constants(at)):
            try:
                if gap.subs(self.v, candidate) == 0 or sympy.simplify(gap.subs(self.v, candidate)) == 0:
                    return candidate
            except FAILURES:
                continue
        return None

    # --- pieces ---------------------------------------------------------------------------------

    def _cut(self, goal: Goal, at: Expr, height: int) -> Step | None:
        relation = Relation(variable(self.name), "<=", term_of(at))
        halves = [self._bare(half) for half in RULES["cases"](goal, {"relation": relation})]
        steps: list[Step] = []
        for half, weakened in halves:
            step = self._mirrored(half, halves[0][0], at, steps[0].premises[0]) if steps else None
            step = step or self.show(half, height)
            if step is None:
                return None
            steps.append(Step("weaken", weakened, (step,)))
        return Step("cases", {"relation": relation}, tuple(steps))

    def _mirrored(self, goal: Goal, other: Goal, at: Expr, shown: Step) -> Step | None:
        """From the step for the other half, where the gap is the same on both sides of a point."""
        low, high = bounds_of(other, self.name)[0], bounds_of(goal, self.name)[1]
        gap = expr_of(other.relation.gap)
        if (low is None) != (high is None) or (low and high and expr_of(low.right + high.right) != 2 * at):
            return None
        near = Stretch.of(other, self.name).points()[::9]
        here, there = (values_of(gap, self.v, points) for points in (near, [2 * at - p for p in near]))
        pairs = list(zip(here, there, strict=True))
        if any(a is None or b is None or not (a.lo <= b.hi and b.lo <= a.hi) for a, b in pairs):
            return None
        chain = Descent(goal)
        name = fresh("mirrored", goal.taken)
        try:
            v, new = variable(self.name), variable(name)
            mirror = term_of(2 * at)
            chain.change(self.name, name, mirror - new, mirror - v, [h.substitute({self.name: new}) for h in (
                other.hypotheses)], [_SEEN] * len(other.hypotheses))
            chain.change(name, self.name, v, new, list(other.hypotheses), [_ASSUMED] * len(other.hypotheses))
            chain.weaken(list(other.hypotheses))
            chain.rewrite(other.relation.left, other.relation.right)
            step = chain.around(shown) if chain.goal.claim == other.relation else None
            if step is not None:
                followed(goal, step)
        except FAILURES:
            return None
        return step

    def _bare(self, goal: Goal) -> tuple[Goal, dict[str, object]]:
        """With one bound at each end, and with what else is known of the variable."""
        kept: list[Formula] = []
        for bound in bounds_of(goal, self.name):
            if bound is not None:
                kept.append(next(h for h in goal.hypotheses if is_bound_of(h, self.name) and _same_bound(h, bound)))
        kept += [h for h in goal.hypotheses if not is_bound_of(h, self.name) and self.name in h.variables]
        fewer: dict[str, object] = {"hypotheses": kept, "variables": [self.name], "families": []}
        (inner,) = RULES["weaken"](goal, fewer)
        return inner, fewer

    def paved(self, goal: Goal) -> Step | None:
        """Boxes on the whole piece, for the gap or for it over one of its terms, which may be far less flat."""
        if (step := self._boxes(goal, FEW_BOXES)) is not None:
            return step
        points = Stretch.of(goal, self.name).points()[::4]
        ways = []
        for weight, core in quotients(expr_of(goal.relation.gap), self.v, self.signs(goal)):
            sizes = [middle_of(r) for r in values_of(core, self.v, points) if r is not None]
            if sizes and max(sizes) > 0:
                ways.append((min(sizes) / max(sizes), weight, core))
        for flatness, weight, core in sorted(ways, key=lambda w: -w[0])[:2]:
            over = self.over(goal, weight, core) if flatness > 0 and weight.has(self.v) else None
            if over is not None and (step := self._boxes(over[0], MOST_BOXES)) is not None:
                return over[1](step)
        return self._boxes(goal, MOST_BOXES)

    def _boxes(self, goal: Goal, most: int) -> Step | None:
        cuts: list[int] = []
        try:
            with precision(BITS):
                gradient = Gradient(goal, {"bits": BITS})
                pieces: list[tuple[Box, int]] = [(gradient.whole, 0)]
                while pieces:
                    box, depth = pieces.pop()
                    if len(cuts) > most or depth > 40:
                        return None
                    if is_past(self.deadline):
                        raise OutOfTime
                    if gradient.settles(box):
                        cuts.append(SETTLED)
                        continue
                    cuts.append(0)
                    lower, upper = halves(box, 0)
                    pieces += [(upper, depth + 1), (lower, depth + 1)]
        except FAILURES:
            return None
        return Step("paving", {"bits": BITS, "cuts": cuts})

    # --- calculus -------------------------------------------------------------------------------

    def signs(self, goal: Goal) -> Sign:
        """What enclosures say of the sign of a term."""

        def sign(e: Expr) -> int | None:
            try:
                r = range_on(term_of(e), goal)
            except FAILURES:
                return None
            return 1 if r.is_positive() else -1 if r.is_negative() else None

        return sign

    def over(self, goal: Goal, weight: Expr, core: Expr) -> tuple[Goal, Callable[[Step], Step]] | None:
        """The claim about the gap over a positive weight, and the step around one for it."""
        strict = goal.relation.op == "<"
        terms = [[ONE, [[term_of(weight), 1, ">"], [term_of(core), 1, ">" if strict else ">="]]]]
        parameters: dict[str, object] = {"terms": terms, **self.positive(goal)}
        first, inner = RULES["combine"](goal, parameters)
        seen = self.leaf(first)
        return None if seen is None else (inner, lambda step: Step("combine", parameters, (seen, step)))

    def _ways(self, gap: Expr, sign: Sign) -> list[_Slope]:
        """The gap over weights, with the slopes of what is left, the simplest first."""
        raw: list[tuple[int, int, Expr, Expr, Expr]] = []
        for weight, core in quotients(gap, self.v, sign):
            slope = derivative(core, self.v)
            if not slope.has(sympy.Derivative, sympy.sign) and slope.count_ops() <= LONGEST and slope != 0:
                raw.append((self.cost(slope), len(raw), weight, core, slope))
        ways = []
        # over one of its terms, a polynomial in sines and cosines has no limit by structure where that vanishes
        most = WAYS if not gap.has(sympy.sin, sympy.cos) else 1
        for _, _, weight, core, slope in sorted(raw, key=lambda w: w[:2])[:most]:
            tidy_weight, tidy = next(quotients(slope, self.v, sign))
            if tidy.count_ops() <= MOST_GROWTH * gap.count_ops() + 40:
                ways.append(_Slope(weight, core, tidy_weight * tidy, tidy, self.cost(tidy)))
        return sorted(ways, key=lambda way: way.cost)

    def cost(self, slope: Expr) -> int:
        functions = [p for p in slope.atoms(sympy.Function) if p.has(self.v)]
        roots = [p for p in slope.atoms(sympy.Pow) if p.has(self.v) and not p.exp.is_Integer]
        return int(slope.count_ops()) + 12 * len(functions) + 6 * len(roots)

    def _along(self, goal: Goal, way: _Slope, look: _Look, height: int) -> Step | None:
        """By the slope of this form of the gap: on the whole, or beside a hard end as long as it keeps its sign."""
        span, hard = look.span, look.hard
        points = span.points()
        signs = [sign_of(r) for r in values_of(way.core_of_slope, self.v, points)]
        known = [(p, s) for p, s in zip(points, signs, strict=True) if s]
        if not known:
            return None
        if len({s for _, s in known}) == 1:
            return self._monotone(goal, way, known[0][1], height)
        if all(hard):
            turns = [i for i in range(1, len(known)) if known[i][1] != known[i - 1][1]]
            if goal in self._whole and len(turns) == 1 and known[0][1] == 1:
                look.hills.append(way)
            return None
        if hard[1]:
            known.reverse()
        run = next(i for i, (_, s) in enumerate(known) if s != known[0][1])
        if run < 4:
            return None
        inner, outer = known[run - 1][0], known[run][0]
        at = self._edge(way, inner, outer, known[0][1])
        begin = known[0][0]
        end = span.high if hard[1] else span.low
        if end is None:
            far = abs(at - begin)
            at = simplest_between(at + min(1, far) / 8 * (1 if hard[1] else -1), at + min(1, far) / 3 * (
                1 if hard[1] else -1))
        else:
            start = rationally(end)
            at = simplest_between(start + (at - start) * Rational(6, 10), start + (at - start) * Rational(8, 10))
        relation = Relation(variable(self.name), "<=", number(_exactly(at)))
        both = [self._bare(half) for half in RULES["cases"](goal, {"relation": relation})]
        (near, _), (away, _) = both if not hard[1] else both[::-1]
        step = self._monotone(near, way, known[0][1], height)
        if step is None:
            return None
        calm = self.show(away, height - 1)
        if calm is None:
            return None
        order = (step, calm) if not hard[1] else (calm, step)
        return Step("cases", {"relation": relation}, tuple(
            Step("weaken", weakened, (s,)) for (_, weakened), s in zip(both, order, strict=True)))

    def _edge(self, way: _Slope, inner: Rational, outer: Rational, sign: int) -> Rational:
        """Where the slope changes its sign, from inside."""
        for _ in range(8):
            between_them = (inner + outer) / 2
            (found,) = values_of(way.core_of_slope, self.v, [between_them])
            inner, outer = (between_them, outer) if sign_of(found) == sign else (inner, between_them)
        return inner

    def _monotone(self, goal: Goal, way: _Slope, sign: int, height: int) -> Step | None:
        """The gap over a weight grows from an end, or falls towards the other one."""
        around: Callable[[Step], Step] = lambda step: step  # noqa: E731
        if way.weight != 1:
            found = self.over(goal, way.weight, way.core)
            if found is None:
                return None
            goal, around = found
        end = "lower" if sign > 0 else "upper"
        low, high = bounds_of(goal, self.name)
        bound = low if sign > 0 else high
        strict = goal.relation.op == "<" and (bound is None or bound.strict)
        for limit in (False, True):
            if limit and (bound is None or not bound.strict):
                break
            given = {"variable": self.name, "end": end, "slope": term_of(way.slope), **self.positive(goal),
                     **({"strict_slope": True} if strict else {}), **({f"limit_{end}": True} if limit else {})}
            try:
                slope, *ends = RULES["monotone"](goal, given)
            except FAILURES:
                continue
            leaves = [self.leaf(g) or self.same(g) for g in ends]
            if any(s is None for s in leaves):
                continue
            step = self.show(slope, height - 1)
            if step is None:
                return None
            whole = Step("monotone", given, (step, *(s for s in leaves if s is not None)))
            return around(whole)
        return None

    def _hill(self, goal: Goal, way: _Slope, height: int) -> Step | None:
        """The gap over a weight grows first and falls then: it is least at an end."""
        around: Callable[[Step], Step] = lambda step: step  # noqa: E731
        if way.weight != 1:
            found = self.over(goal, way.weight, way.core)
            if found is None:
                return None
            goal, around = found
        points = Stretch.of(goal, self.name).points()
        for weight, core in islice(quotients(sympy.diff(way.core, self.v), self.v, self.signs(goal)), WAYS):
            bend = sympy.diff(core, self.v)
            if bend.count_ops() > LONGEST or 1 in map(sign_of, values_of(bend, self.v, points)):
                continue
            step = self._between_ends(goal, weight, core, height)
            if step is not None:
                return around(step)
        return None

    def _between_ends(self, goal: Goal, weight: Expr, core: Expr, height: int) -> Step | None:
        """By the values or limits at both ends, if the slope is a positive weight times a core that falls."""
        is_open = [b is not None and b.strict for b in bounds_of(goal, self.name)]
        strict = goal.relation.op == "<" and all(b is None or b.strict for b in bounds_of(goal, self.name))
        for limits in product(*((False, True) if o else (False,) for o in is_open)):
            given = {"variable": self.name, "weight": term_of(weight), "core": term_of(core), **self.positive(goal),
                     **({"strict_bend": True} if strict else {}),
                     **{f"limit_{end}": True for end, asked in zip(("lower", "upper"), limits, strict=True) if asked}}
            try:
                bend, weighted, *ends = RULES["concave"](goal, given)
            except FAILURES:
                continue
            leaves = [self.leaf(g) or self.same(g) for g in (weighted, *ends)]
            if any(s is None for s in leaves):
                continue
            step = self.show(bend, height - 1)
            return None if step is None else Step("concave", given, (step, *(s for s in leaves if s is not None)))
        return None

    def same(self, goal: Goal) -> Step | None:
        same = Step("enclosure", {"gap": ZERO})
        try:
            return same if RULES["enclosure"](goal, same.parameters) == [] else None
        except FAILURES:
            return None

    def positive(self, goal: Goal) -> dict[str, object]:
        """The variable and what is under roots, where that is seen to be positive."""
        found = []
        gap = expr_of(goal.relation.gap)
        inside = [p.base for p in gap.atoms(sympy.Pow) if p.exp.is_Rational and p.exp.q > 1]
        inside += [p.args[0] for p in gap.atoms(sympy.log)]
        inside += [b for e in inside if e.is_polynomial(self.v) for b, _ in sympy.factor_list(e)[1]]
        inside += [-e for e in inside]
        for e in dict.fromkeys((self.v, *sorted(inside, key=sympy.default_sort_key))):
            try:
                if e.free_symbols and range_on(term_of(e), goal).is_positive():
                    found.append(term_of(e))
            except FAILURES:
                continue
        return {"positive": found} if found else {}


@dataclass
class _Look:
    """What is known of a goal: the same over a weight; where the gap touches 0; which ends are hard; and the ways."""

    span: Stretch
    over: tuple[Goal, Callable[[Step], Step]] | None = None
    touch: Expr | None = None
    hard: tuple[bool, ...] = ()
    make: Callable[[], list[_Slope]] = list
    made: list[_Slope] | None = None
    #: ways along which the gap grows first and falls then
    hills: list[_Slope] = field(default_factory=list)

    def ways(self) -> list[_Slope]:
        if self.made is None:
            self.made = self.make()
        return self.made


@dataclass(frozen=True)
class _Slope:
    """A gap is weight times core; the slope of the core, and that without its positive factors."""

    weight: Expr
    core: Expr
    slope: Expr
    core_of_slope: Expr
    cost: int


def _constants(at: Rational) -> Iterator[Expr]:
    """Constants close to a number."""
    for unit in (sympy.pi, sympy.E, 1 / sympy.E, sympy.sqrt(2), sympy.sqrt(3), sympy.sqrt(5), sympy.log(2)):
        ratio = at / Rational(str(unit.evalf(30)))
        guess = simplest_between(ratio - Rational(1, 10**7), ratio + Rational(1, 10**7))
        if guess.q <= 12 and abs(guess.p) <= 60:
            yield guess * unit


def _same_bound(h: object, bound: Relation) -> bool:
    return isinstance(h, Relation) and bound in (h, h.mirrored)


def _exactly(value: Rational) -> fmpq:
    return fmpq(int(value.p), int(value.q))



