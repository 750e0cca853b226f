r"""Several variables: calculus on a claim over what is positive in it, again and again, down to one variable.

A slope is often simple only after the gap was divided by one of its terms, as $A\,e^{(a-1)x} + B\,e^{-ax}$ has one
exponential less over its second term. Samples choose a variable along which such a form grows from an end, or falls
towards one. What is left at the end has a variable less, and the slope is asked in the same way. Claims in one
variable are settled :mod:`piece by piece <symdp.search.reductions.pieces>`.

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import apply
>>> x, y = variable("x"), variable("y")
>>> above = (Relation(ZERO, "<=", x), Relation(ZERO, "<=", y))
>>> goal = Goal((("x", REAL), ("y", REAL)), above, Relation(ONE + x * y, "<=", apply("exp", x * y)))
>>> next(reductions(goal)).premises
()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice

import sympy
from sympy import Expr, Integer, Symbol

from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import INTEGER, REAL, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import ONE, ZERO, variable
from symdp.kernel.values.conditions import bounds_of, tied
from symdp.numbers.domain import Domain, DomainError
from symdp.search.deadline import clock, is_past, time_left
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import narrowed, view_of
from symdp.search.reasons import Reason
from symdp.search.reductions import roots
from symdp.search.reductions.curves import given_curves
from symdp.search.reductions.detour import Descent, Detour, parts_of
from symdp.search.reductions.pieces import FAILURES as OF_PIECES
from symdp.search.reductions.pieces import Pieces
from symdp.search.reductions.quotients import quotients
from symdp.search.tactics.forms import known_positive
from symdp.search.tactics.routes import OutOfTime
from symdp.search.tactics.sample_points import signs
from symdp.search.tactics.stationary_points import stationary_points

FAILURES = (*OF_PIECES, DomainError, sympy.PolynomialError)
#: What a goal is worth, in seconds of work and as a share of what is left; of slopes of slopes, how many are taken.
SECONDS, SHARE, HEIGHTS = 3.0, 0.4, (1, 2, 3, 4)
#: Claims and slopes that are longer are left alone; so many forms are looked at, and so many of them followed.
LONGEST, MOST_FORMS, WAYS = 160, 7, 3
#: How much of what is left a claim in one variable may take.
LAST_SHARE = 0.5
#: How many of those may be left to others, and how a step says so.
MOST_LEFT, LEFT = 2, "left to others"
Finish = Callable[[Sequence[Step]], Step]
Way = tuple[tuple[Goal, ...], Finish]


def reductions(goal: Goal) -> Iterator[Detour]:
    """The claim itself, if it was settled; integers are relaxed first.

    Else with a variable measured from the curve that bounds it; or for the inner points of an interval, the end of
    which is left to show.
    """
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.op == "==" or not 2 <= len(claim.variables) <= 4:
        return
    try:
        gap = expr_of(goal.relation.gap)
        if gap.count_ops() > LONGEST or gap.has(sympy.Abs, sympy.Min, sympy.Max, sympy.floor):
            return
        whole = [n for n, s in goal.sorts if s == INTEGER]
        relaxed = {"hypotheses": list(goal.hypotheses), "real": whole}
        inner = RULES["weaken"](goal, relaxed)[0] if whole else goal
        for left, finish in _ways(inner, Towers(clock() + min(SECONDS, time_left() * SHARE))):
            def final(steps: Sequence[Step], finish: Finish = finish) -> Step:
                return Step("weaken", relaxed, (finish(steps),)) if whole else finish(steps)

            yield Detour(left, final, Reason.of("calculus over positive factors"), sure=True)
    except (*FAILURES, OutOfTime):
        return


def _ways(goal: Goal, towers: Towers) -> Iterator[Way]:
    """Goals that are left, and the step from steps for them."""
    for may_leave in (False, True):
        if may_leave:
            towers.leave()
        for curve in sorted(given_curves(goal), key=lambda c: _mixed(expr_of(c.premises[-1].relation.gap))):
            *others, last = curve.premises
            inner, cancelled = _cancelled(last)
            for left, finish in chain(_directly(inner, towers), _inside(inner, towers)):
                def final(steps: Sequence[Step], curve: Detour = curve, finish: Finish = finish,
                          cancelled: Callable[[Step], Step] = cancelled) -> Step:
                    before = len(curve.premises) - 1
                    return curve.finish([*steps[:before], cancelled(finish(steps[before:]))])

                yield (*others, *left), final
        yield from _directly(goal, towers)
        yield from _inside(goal, towers)


def _mixed(gap: Expr) -> int:
    """How many functions and powers are of sums with several variables."""
    return sum(any(a.is_Add and len(a.free_symbols) > 1 for a in part.args)
               for part in gap.atoms(sympy.Function, sympy.Pow))


def _directly(goal: Goal, towers: Towers) -> Iterator[Way]:
    if (step := towers.shown(goal)) is not None and len(left := tuple(_left(step))) <= MOST_LEFT:
        yield left, lambda steps: _filled(step, dict(zip(left, steps, strict=True)))


def _left(step: Step) -> dict[Goal, None]:
    """The goals that a step leaves to others."""
    if step.rule == LEFT:
        return {step.parameters["goal"]: None}
    return {g: None for s in step.premises for g in _left(s)}


def _filled(step: Step, found: Mapping[Goal, Step]) -> Step:
    """With steps for what was left."""
    if step.rule == LEFT:
        return found[step.parameters["goal"]]
    return Step(step.rule, step.parameters, tuple(_filled(s, found) for s in step.premises))


def _cancelled(goal: Goal) -> tuple[Goal, Callable[[Step], Step]]:
    """With quotients in which something cancels as what is left of them: an enclosure does not see that."""
    below = Descent(goal)
    for part in parts_of(goal, frozenset({"/"})):
        by = term_of(expr_of(part))
        if by.size < part.size:
            try:
                if RULES["identity"](below.goal.claiming(Relation(part, "==", by)), {}) == []:
                    below.put(part, by, Step("identity"))
            except FAILURES:
                continue
    return below.goal, below.around


def _inside(goal: Goal, towers: Towers) -> Iterator[Way]:
    """The end of an interval by itself, where a power is of another kind there than inside."""
    for name in goal.variables:
        for bound in bounds_of(goal, name):
            if bound is None or bound.strict or not _is_delicate(goal, name, bound):
                continue
            relation = Relation(bound.left, bound.op[0], bound.right)
            inside, at_the_end = RULES["cases"](goal, {"relation": relation})
            open_goal, weakened = _without(inside, bound)
            for left, finish in _directly(open_goal, towers):
                def final(steps: Sequence[Step], relation: Relation = relation, finish: Finish = finish,
                          weakened: Callable[[Step], Step] = weakened) -> Step:
                    return Step("cases", {"relation": relation}, (weakened(finish(steps[1:])), steps[0]))

                yield (at_the_end, *left), final


def _is_delicate(goal: Goal, name: str, bound: Relation) -> bool:
    """Whether the variable is in an exponent, on whose sign limits depend, or a base vanishes at the bound."""
    for part in parts_of(goal, frozenset({"^", "uppergamma"})):
        base, exponent = part.args if part.head == "^" else part.args[::-1]
        if name in exponent.variables:
            return True
        at_end = expr_of(base).subs(Symbol(name), expr_of(bound.right)) if part.head == "^" else None
        if at_end == 0 and exponent.variables:
            return True
    return False


def _without(goal: Goal, bound: Relation) -> tuple[Goal, Callable[[Step], Step]]:
    """Without a bound that a strict one has made idle."""
    fewer: dict[str, object] = {
        "hypotheses": [h for h in goal.hypotheses if not isinstance(h, Relation) or h.normal != bound.normal],
        "variables": list(goal.variables), "families": []}
    (inner,) = RULES["weaken"](goal, fewer)
    return inner, lambda step: Step("weaken", fewer, (step,))


@dataclass(frozen=True)
class Form:
    """The gap is weight times core; the slope of that along a variable, as a product of something positive and of
    something simple; and the end from which the gap grows, or where it is least, or that it is least at an end."""

    v: Symbol
    weight: Expr
    core: Expr
    outer: Expr
    tidy: Expr
    cost: int
    end: str = ""
    at: Expr | None = None
    falling: bool = False


def _piece_by_piece(goal: Goal, until: float) -> Step | None:
    """Claims in one variable; with a root of it as the variable, where roots occur."""
    for detour in roots.reductions(goal):
        (inner,) = detour.premises
        step = Pieces(Symbol(*inner.variables), until).shown(inner)
        return None if step is None else detour.finish([step])
    return Pieces(Symbol(*goal.variables), until).shown(goal)


def _written(at: Expr) -> list[Expr]:
    """A point in partial fractions, where it has them, so that an enclosure sees that n/(n + 1) is below 1."""
    if at.is_rational_function() and len(at.free_symbols) == 1:
        return list(dict.fromkeys([sympy.apart(at), at]))
    return [at]


@dataclass
class Towers:
    """One search, with what it has failed to show."""

    deadline: float
    #: whether a claim in one variable that was not settled may be left to others
    may_leave: bool = False
    _failed: dict[Goal, int] = field(default_factory=dict)
    _forms: dict[Goal, list[Form]] = field(default_factory=dict)
    _pieces: dict[Goal, Step | None] = field(default_factory=dict)

    def leave(self) -> None:
        """From now on claims in one variable may be left to others."""
        self.may_leave = True
        self._failed.clear()

    def shown(self, goal: Goal) -> Step | None:
        for height in HEIGHTS:
            step = self.show(goal, height)
            if step is not None:
                return step
        return None

    def show(self, goal: Goal, height: int) -> Step | None:
        """A step for 0 <= gap, or 0 < gap."""
        if is_past(self.deadline):
            raise OutOfTime
        for step in (Step("enclosure"), Step("enclosure", {"gap": ZERO})):
            try:
                if RULES["enclosure"](goal, step.parameters) == []:
                    return step
            except FAILURES:
                continue
        if height < 0 or self._failed.get(goal, -1) >= height:
            return None
        try:
            step_below = self._show(goal, height)
        except FAILURES:
            step_below = None
        if step_below is None:
            self._failed[goal] = height
        return step_below

    def _show(self, goal: Goal, height: int) -> Step | None:
        shorter = term_of(expr_of(goal.relation.gap))
        if shorter.size < goal.relation.gap.size - 4:  # what was put in is computed: 1 - 1 under a root is 0
            sides: dict[str, object] = {"left": ZERO, "right": shorter}
            (inner,) = RULES["rewrite"](goal, sides)
            step = self.show(inner, height)
            return None if step is None else Step("rewrite", sides, (step,))
        inner, weakened = narrowed(goal)
        if len(inner.variables) <= 1:
            return self._in_one(inner, weakened)
        _, domain = view_of(inner)
        if -1 in signs(expr_of(inner.relation.gap), domain):
            return None
        if inner not in self._forms:
            self._forms[inner] = self._look(inner, domain)
        followed = 0
        for form in self._forms[inner]:
            try:
                step = self._along(inner, form, height)
            except FAILURES:  # the rule does not apply
                continue
            if step is not None:
                return weakened(step)
            followed += 1
            if followed == WAYS:
                break
        return None

    def _in_one(self, goal: Goal, weakened: Callable[[Step], Step]) -> Step | None:
        """Piece by piece."""
        if goal not in self._pieces:
            self._pieces[goal] = None
            if len(goal.variables) == 1 and dict(goal.sorts)[goal.variables[0]] == REAL:
                until = clock() + (self.deadline - clock()) * LAST_SHARE
                with suppress(OutOfTime):
                    self._pieces[goal] = _piece_by_piece(goal, until)
        step = self._pieces[goal]
        if step is None and self.may_leave and len(goal.variables) == 1:
            _, domain = view_of(goal)
            if -1 not in signs(expr_of(goal.relation.gap), domain):
                step = Step(LEFT, {"goal": goal})
        return None if step is None else weakened(step)

    def _look(self, goal: Goal, domain: Domain) -> list[Form]:
        """Forms of the gap that grow along a variable as far as samples see, the simplest slopes first."""
        gap, found = expr_of(goal.relation.gap), []
        for name in goal.variables:
            v = Symbol(name)
            if not gap.has(v):
                continue
            along = Pieces(v, self.deadline)
            sign = along.signs(goal)
            for weight, core in dict.fromkeys([(Integer(1), gap), *islice(quotients(gap, v, sign), MOST_FORMS)]):
                if is_past(self.deadline):
                    raise OutOfTime
                slope = sympy.diff(core, v)
                if slope == 0 or slope.count_ops() > LONGEST or slope.has(sympy.Derivative, sympy.sign):
                    continue
                seen = signs(slope, domain)
                if None not in seen and not (1 in seen or -1 in seen):
                    continue
                outer, tidy = next(quotients(slope, v, sign))
                form = Form(v, weight, core, outer, tidy, along.cost(tidy))
                ends = [e for e, against in (("lower", -1), ("upper", 1)) if against not in seen]
                found += [replace(form, end=e) for e in ends]
                if ends or tied(goal, name):
                    continue
                bends = signs(sympy.diff(tidy, v), domain)
                if 1 not in bends:
                    found.append(replace(form, falling=True))
                if 1 not in signs(sympy.diff(slope, v), domain):
                    found.append(replace(form, falling=True, outer=Integer(1), tidy=slope))
                if -1 not in bends:
                    found += [replace(form, at=at, cost=form.cost + at.count_ops())
                              for found_at in islice(stationary_points(tidy, v, domain), 2)
                              for at in _written(found_at)]
        return sorted(found, key=lambda f: f.cost)

    def _along(self, goal: Goal, form: Form, height: int) -> Step | None:
        """From an end of the variable on."""
        along, name = Pieces(form.v, self.deadline), str(form.v.name)
        around: Callable[[Step], Step] = lambda step: step  # noqa: E731
        if form.weight != 1:
            over = along.over(goal, form.weight, form.core)
            if over is None:
                return None
            goal, around = over
        if form.at is not None:
            step = self._valley(goal, form, form.at, height)
            return None if step is None else around(step)
        if form.falling:
            step = self._hill(goal, form, height)
            return None if step is None else around(step)
        bound = bounds_of(goal, name)[0 if form.end == "lower" else 1]
        strict = goal.relation.op == "<" and (bound is None or bound.strict) and not tied(goal, name)
        for limit in (False, True):
            if limit and (bound is None or not bound.strict):
                break
            given = {"variable": name, "end": form.end, "slope": term_of(form.outer * form.tidy),
                     **along.positive(goal), **({"strict_slope": True} if strict else {}),
                     **({f"limit_{form.end}": True} if limit else {})}
            try:
                slope, *ends = RULES["monotone"](goal, given)
            except FAILURES:
                continue
            below = []
            for g in ends:
                step = self.show(g, height)
                if step is None:
                    return None
                below.append(step)
            above = self._slope(slope, along, height - 1)
            return None if above is None else around(Step("monotone", given, (above, *below)))
        return None

    def _valley(self, goal: Goal, form: Form, at: Expr, height: int) -> Step | None:
        """From the point at which the gap is least."""
        along, name = Pieces(form.v, self.deadline), str(form.v.name)
        _, domain = view_of(goal)
        parts = (form.core, form.outer, form.tidy, at, form.tidy.subs(form.v, at))
        given = {"variable": name, "at": term_of(at), "weight": term_of(form.outer), "core": term_of(form.tidy),
                 "positive": [term_of(e) for e in known_positive(parts, domain)]}
        bend, weight, value = RULES["convex"](goal, given)
        seen = along.leaf(weight)
        below = self.show(value, height) if seen is not None else None
        above = self._slope(bend, along, height - 1) if below is not None else None
        if seen is None or below is None or above is None:
            return None
        return Step("convex", given, (above, seen, below))

    def _hill(self, goal: Goal, form: Form, height: int) -> Step | None:
        """From both ends."""
        along, name = Pieces(form.v, self.deadline), str(form.v.name)
        strict = goal.relation.op == "<" and all(b is None or b.strict for b in bounds_of(goal, name))
        given = {"variable": name, "weight": term_of(form.outer), "core": term_of(form.tidy), **along.positive(goal),
                 **({"strict_bend": True} if strict else {})}
        bend, weight, *ends = RULES["concave"](goal, given)
        steps = [along.leaf(weight)]
        for g in ends:
            if steps[-1] is not None:
                steps.append(self.show(g, height))
        above = self._slope(bend, along, height - 1) if steps[-1] is not None else None
        return None if above is None else Step("concave", given, (above, *(s for s in steps if s is not None)))

    def _slope(self, goal: Goal, along: Pieces, height: int) -> Step | None:
        """The sign of a slope, without its positive factors."""
        step = self.show(goal, 0)
        if step is not None or height < 0:
            return step
        outer, tidy = next(quotients(expr_of(goal.relation.gap), along.v, along.signs(goal)))
        if outer.free_symbols and (over := along.over(goal, outer, tidy)) is not None:
            inner, around = over
            return None if (step := self.show(inner, height)) is None else around(step)
        return self.show(goal, height)


__all__ = ["ONE", "reductions", "variable"]
