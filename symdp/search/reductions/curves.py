r"""Variables measured from a curve: from another variable, or from what a hypothesis says of them.

Where a claim is an equality at $y = x$, each side of that line is a goal of its own, with $y = x + t$ or $y = xt$:
the curve has become an end of an interval, from which calculus can start. A hypothesis that orders two variables, or
that can be solved for one of them, gives a curve as well.

>>> from symdp.kernel.goals import REAL
>>> x, y = variable("x"), variable("y")
>>> claim = Relation(apply("exp", x), "<=", apply("exp", y))
>>> ordered = Goal((("x", REAL), ("y", REAL)), (Relation(x, "<=", y),), claim)
>>> print(next(given_curves(ordered)).premises[0])
exp(y - t) <= exp(y) for every real t, y with 0 <= t
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

import sympy
from sympy import Expr, Symbol

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ONE, ZERO, Term, apply, fresh, subterms, variable
from symdp.kernel.values.conditions import bounds_of, shown
from symdp.kernel.values.enclosure import bound_of, range_on
from symdp.numbers import floating
from symdp.numbers.domain import DomainError
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import is_plain, view_of
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour, parts_of, without_what_follows
from symdp.search.tactics.sample_points import points_of, seems_nonnegative

FAILURES = (Rejected, IllFormed, NotATerm, DomainError, ArithmeticError, TypeError, ValueError, KeyError)
_ASSUMED = Step("assumption")
#: How many points of the line y = x are looked at, and how near to 0 the gap is there in floats.
LOOKS, NEAR = 6, 1e-9
#: Claims and hypotheses that are longer are left alone.
LONGEST = 120


def diagonals(goal: Goal) -> Iterator[Detour]:
    """Both sides of a line y = x on which the claim is an equality."""
    for first, second in _lines(goal):
        # In each half the upper one from the lower one; or the same variable in both.
        for names in ((second, first), (second, second), (first, first)):
            yield from _both_sides(goal, first, second, names)


def valleys(goal: Goal) -> Iterator[Detour]:
    """The same where the slope along one of the two has no logarithm and seems to change its sign on the line."""
    for first, second in _lines(goal):
        relation, domain = view_of(goal)
        gap = relation.gap if relation.op in ("<=", "<") else relation.mirrored().gap
        if not gap.has(sympy.log) or gap.has(sympy.Abs):
            continue
        for name, other in ((second, first), (first, second)):
            slope = sympy.diff(sympy.expand_log(gap, force=True), Symbol(name))
            if not slope.has(sympy.log) and seems_nonnegative(slope * (Symbol(name) - Symbol(other)), domain):
                yield from _both_sides(goal, first, second, (name, name))


def _lines(goal: Goal) -> Iterator[tuple[str, str]]:
    """Pairs of variables on whose line of equality the gap seems to vanish."""
    if not isinstance(goal.claim, Relation) or goal.claim.op == "==" or goal.relation.gap.size > LONGEST:
        return
    reals = [n for n, s in goal.sorts if s == REAL and n in goal.claim.variables]
    for first, second in combinations(reals, 2):
        if not any({first, second} <= h.variables for h in goal.hypotheses) and _vanishes(goal, first, second):
            yield first, second


def _both_sides(goal: Goal, first: str, second: str, names: tuple[str, str]) -> Iterator[Detour]:
    """Each half with a variable measured from the line, one name for the upper half and one for the lower."""
    relation = Relation(variable(first), "<=", variable(second))
    try:
        halves = RULES["cases"](goal, {"relation": relation})
        measured = [next(_measured(half, name, variable(first if name == second else second),
                                   (name == second) == lower))
                    for half, name, lower in zip(halves, names, (True, False), strict=True)]
    except (*FAILURES, StopIteration):
        return
    yield Detour(
        tuple(m.goal for m in measured),
        lambda steps: Step("cases", {"relation": relation},
                           tuple(m.around(s) for m, s in zip(measured, steps, strict=True))),
        Reason.of("both sides of the line ", Symbol(first), " = ", Symbol(second)))


def _vanishes(goal: Goal, first: str, second: str) -> bool:
    """Whether the gap seems to be 0 wherever the two are equal."""
    relation, domain = view_of(goal)
    at, gap = domain.variables, relation.right - relation.left
    value = floating.function(gap, at)
    places = [i for i, v in enumerate(at) if v.name in (first, second)]
    looked = 0
    for point in islice(points_of(domain), 40):
        floats = [float(u) for u in point]
        floats[places[1]] = floats[places[0]]
        inside = domain.intervals[at[places[1]]]
        if not float(inside.lower) <= floats[places[1]] <= float(inside.upper):
            continue
        found = value(floats)
        if found != found:
            continue
        if abs(found) > NEAR:
            return False
        looked += 1
        if looked == LOOKS:
            return True
    return looked > 1


def given_curves(goal: Goal) -> Iterator[Detour]:
    """A variable of the claim measured from what a hypothesis compares it with."""
    if not isinstance(goal.claim, Relation) or goal.relation.gap.size > LONGEST:
        return
    ties = [h for h in goal.hypotheses if isinstance(h, Relation) and is_plain(h) and len(h.variables) > 1
            and h.op != "==" and h.left.size + h.right.size <= LONGEST // 2 and h not in goal.facts]
    for tie in ties:
        for name in sorted(tie.variables & goal.claim.variables):
            if dict(goal.sorts)[name] != REAL:
                continue
            for curve, above, strict in _solved(tie, name):
                try:
                    yield from _along(goal, tie, name, curve, above, strict)
                except FAILURES:
                    continue


def distances(goal: Goal) -> Iterator[Detour]:
    """Without the distance of two variables: in either order the smaller one is measured from the other."""
    if not isinstance(goal.claim, Relation) or goal.relation.gap.size > LONGEST:
        return
    for node in parts_of(goal, frozenset({"abs"})):
        if node.args[0].head != "-" or any(u.head != "variable" for u in node.args[0].args):
            continue
        first, second = node.args[0].args
        try:
            halves = [_ordered(half, *pair) for half, pair in zip(
                RULES["branches"](goal, {"node": node}), ((second, first), (first, second)), strict=True)]
        except (*FAILURES, StopIteration):
            continue
        yield Detour(
            tuple(after.goal for _, after in halves),
            lambda steps, halves=halves, node=node: Step("branches", {"node": node}, tuple(  # type: ignore[misc]
                before.around(after.around(s)) for (before, after), s in zip(halves, steps, strict=True))),
            Reason.of("both signs of ", expr_of(node.args[0])), sure=True)


def _ordered(half: Goal, lower: Term, upper: Term) -> tuple[Descent, Descent]:
    """A half whose last hypothesis is the sign of a difference: ordered, then measured."""
    before, (*_, sign) = Descent(half), half.hypotheses
    if not isinstance(sign, Relation):
        raise Rejected("the sign of the difference is not known")
    before.know(Relation(lower, "<=", upper), Step("rewrite", {"left": sign.left, "right": sign.right}, (_ASSUMED,)))
    before.weaken([h for h in before.goal.hypotheses if h != sign])
    (name,) = lower.variables
    return before, next(_measured(before.goal, name, upper, False))


def _along(goal: Goal, tie: Relation, name: str, curve: Expr, above: bool, strict: bool) -> Iterator[Detour]:
    """The variable measured from the curve; first, if need be, that the hypothesis says that it lies on that side."""
    at, v = term_of(curve), variable(name)
    side = Relation(at, "<" if strict else "<=", v) if above else Relation(v, "<" if strict else "<=", at)
    words = Reason.of(Symbol(name), " is measured from ", curve)
    if tie.normal == side:
        for chain in _measured(goal, name, at, above):
            yield chain.reduced(words)
        return
    first, second = RULES["cut"](goal, {"fact": side})
    for chain in _measured(second, name, at, above):
        yield Detour((first, chain.goal), lambda steps, chain=chain: Step(  # type: ignore[misc]
            "cut", {"fact": side}, (steps[0], chain.around(steps[1]))), words)


def bounds(goal: Goal) -> Iterator[Detour]:
    """A hypothesis about one variable as a bound of it."""
    if not isinstance(goal.claim, Relation):
        return
    for h in goal.hypotheses:
        if not isinstance(h, Relation) or len(h.variables) != 1 or h.op == "==" or bound_of(h) is not None:
            continue
        (name,) = h.variables
        for curve, above, strict in _solved(h, name):
            at, v, op = term_of(curve), variable(name), "<" if strict else "<="
            bound = Relation(at, op, v) if above else Relation(v, op, at)
            low, high = bounds_of(goal, name)
            known = low if above else high
            if at.variables or bound in goal.hypotheses or (known is not None and at.head != "number"):
                continue
            if shown(bound, goal.under(tuple(k for k in goal.hypotheses if k is not h))):
                continue
            first, second = RULES["cut"](goal, {"fact": bound})
            chain = Descent(second.under(second.hypotheses))
            try:
                chain.weaken([k for k in second.hypotheses if k != h])
            except FAILURES:
                continue
            yield Detour((first, chain.goal), lambda steps, chain=chain, bound=bound: Step(  # type: ignore[misc]
                "cut", {"fact": bound}, (steps[0], chain.around(steps[1]))), Reason.of("a bound of ", Symbol(name)))


def _solved(tie: Relation, name: str) -> Iterator[tuple[Expr, bool, bool]]:
    """The curve on which the hypothesis is an equality, whether the variable is above it, and strictly so."""
    v, gap = Symbol(name), expr_of(tie.normal.gap)
    strict = tie.normal.op == "<"
    for side, other, above in ((tie.normal.right, tie.normal.left, True), (tie.normal.left, tie.normal.right, False)):
        if side is variable(name) and name not in other.variables:
            yield expr_of(other), above, strict
            return
    if gap.free_symbols != {Symbol(n) for n in tie.variables} or gap.count_ops() > 20:
        return
    positive = {s: sympy.Dummy(s.name, positive=True) for s in gap.free_symbols}
    back = {d: s for s, d in positive.items()}
    try:
        found = sympy.solve(gap.subs(positive), positive[v])
    except (NotImplementedError, ValueError, TypeError):
        return
    if len(found) != 1 or found[0].has(sympy.LambertW, sympy.Piecewise, sympy.I):
        return
    slope = sympy.diff(gap.subs(positive), positive[v])
    above = slope.is_positive or (slope.subs(positive[v], found[0])).is_positive
    below = slope.is_negative or (slope.subs(positive[v], found[0])).is_negative
    if above or below:
        yield found[0].subs(back), bool(above), strict


def _measured(goal: Goal, name: str, curve: Term, above: bool) -> Iterator[Descent]:
    """The goal with the variable measured from a curve that, by a hypothesis, it lies above of or below."""
    if above and curve.head == "variable" and all(_is_share(goal, n) for n in (name, *curve.variables)):
        chain, name, curve, above = _reflected(goal, name, *curve.variables)
        goal = chain.goal
    else:
        chain = Descent(goal)
    v = variable(name)
    lower, upper = (curve, v) if above else (v, curve)
    known = [h.normal.op for h in goal.hypotheses
             if isinstance(h, Relation) and (h.normal.left, h.normal.right) == (lower, upper) and h.op != "=="]
    if not known:
        raise Rejected("no hypothesis says on which side of the curve it lies")
    op = min(known)  # the strict one, where there are two
    side = Relation(lower, op, upper)
    t = fresh("t", goal.taken)
    new = variable(t)
    low, high = bounds_of(goal, name)
    rest = goal.under(tuple(h for h in goal.hypotheses if name not in h.variables))
    length = Step("combine", {"terms": [[ONE, [[upper - lower, 1, _sign(op)]]]]}, (_difference(side),))
    end = high if above else low
    if end is None:
        forward = curve + new if above else curve - new
        chain.change(name, t, forward, upper - lower, [Relation(ZERO, op, new)], [length])
    else:
        if not above and range_on(end.right, rest).is_positive():
            end = Relation(v, ">", ZERO)  # its own lower end stays a hypothesis
        whole = _shorter(end.right - curve) if above else _shorter(curve - end.right)
        positive = range_on(whole, rest).is_positive() or shown(Relation(ZERO, "<", whole), rest)
        if not positive:
            raise Rejected("the curve may lie at the end")
        inverse = (v - curve) / whole if above else (curve - v) / whole
        if not above and end.right is ZERO:  # as a part of the curve
            forward, inverse = curve * new, v / curve
            where = [Relation(ZERO, "<" if end.strict else "<=", new), Relation(new, op, ONE)]
            steps = [_quotient(v, whole, end.strict), _below_one(v, curve, op)]
        else:
            forward = curve + whole * new if above else curve - whole * new
            reached = end.right - v if above else v - end.right
            where = [Relation(ZERO, op, new), Relation(new, "<" if end.strict else "<=", ONE)]
            steps = [_quotient(upper - lower, whole, op == "<"),
                     Step("combine", {"terms": [[ONE, [[reached, 1, _sign("<" if end.strict else "<=")],
                                                       [whole, -1, ">"]]]]},
                          (Step("enclosure"), Step("enclosure")))]
        chain.change(name, t, forward, inverse, where, steps, [whole] if range_on(whole, goal).is_positive() else [])
    without_what_follows(chain)
    _with_logs_together(chain)
    yield chain
    if above and end is None and range_on(curve, rest).is_positive():
        yield _scaled(goal, name, curve, t, op)


def _scaled(goal: Goal, name: str, curve: Term, t: str, op: str) -> Descent:
    """The variable as a multiple of a positive curve below it."""
    chain, v, new = Descent(goal), variable(name), variable(t)
    above_one = Step("combine", {"terms": [[ONE, [[v - curve, 1, _sign(op)], [curve, -1, ">"]]]]},
                     (_difference(Relation(curve, op, v)), Step("enclosure")))
    chain.change(name, t, curve * new, v / curve, [Relation(ONE, op, new)], [above_one], [curve])
    without_what_follows(chain)
    _with_logs_together(chain)
    return chain


def _is_share(goal: Goal, name: str) -> bool:
    """Whether a variable is a number between 0 and 1, and what it leaves of 1 occurs as well."""
    low, high = bounds_of(goal, name)
    ends = low is not None and low.right is ZERO and high is not None and high.right is ONE
    return ends and any(t is ONE - variable(name) for side in goal.claim.terms() for t in subterms(side))


def _reflected(goal: Goal, upper: str, lower: str) -> tuple[Descent, str, Term, bool]:
    """With 1 - p for p and 1 - q for q: what was above the line is below it, and measured as a part."""
    chain, new = Descent(goal), {}
    for name in (upper, lower):
        t, (low, high) = fresh("t", chain.goal.taken), bounds_of(chain.goal, name)
        if low is None or high is None:
            raise Rejected(f"{name} has no ends")
        where = [Relation(ZERO, "<" if high.strict else "<=", variable(t)),
                 Relation(variable(t), "<" if low.strict else "<=", ONE)]
        seen = [Step("rewrite", {"left": variable(name), "right": ONE}, (Step("enclosure"),)),
                Step("rewrite", {"left": ZERO, "right": variable(name)}, (Step("enclosure"),))]
        chain.change(name, t, ONE - variable(t), ONE - variable(name), where, seen)
        chain.put(ONE - (ONE - variable(t)), variable(t), Step("identity"))
        new[name] = t
    above, below = variable(new[upper]), variable(new[lower])
    ties = [h for h in chain.goal.hypotheses if {new[upper], new[lower]} <= h.variables and isinstance(h, Relation)]
    order = Relation(above, min(h.normal.op for h in ties), below)
    chain.know(order, Step("rewrite", {"left": ONE - below, "right": ONE - above}, (_ASSUMED,)))
    chain.weaken([h for h in chain.goal.hypotheses if h not in ties and (h == order or bound_of(h) is not None)])
    without_what_follows(chain)
    return chain, new[upper], below, False


def _with_logs_together(chain: Descent) -> None:
    """The difference of two logarithms as one of a quotient, whose sign is seen."""
    for part in dict.fromkeys(t for side in chain.goal.claim.terms() for t in subterms(side)):
        if part.head == "-" and all(a.head == "log" for a in part.args):
            u, w = (a.args[0] for a in part.args)
            by = apply("log", term_of(sympy.expand(expr_of(u) / expr_of(w))))
            chain.put(part, by, Step("identity", {"positive": [u, w]}))


def _sign(op: str) -> str:
    return ">" if op == "<" else ">="


def _shorter(t: Term) -> Term:
    """Without a 0 that is added or taken away."""
    return term_of(expr_of(t))


def _difference(side: Relation) -> Step:
    """That the upper minus the lower is not negative, from the hypothesis that orders them."""
    return Step("rewrite", {"left": side.left, "right": side.right}, (_ASSUMED,))


def _quotient(above: Term, below: Term, strict: bool) -> Step:
    """That a quotient is not negative, as its parts are not."""
    return Step("combine", {"terms": [[ONE, [[above, 1, ">" if strict else ">="], [below, -1, ">"]]]]},
                (_seen(above), Step("enclosure")))


def _seen(t: Term) -> Step:
    if t.head == "-":
        return Step("rewrite", {"left": t.args[1], "right": t.args[0]}, (_ASSUMED,))
    return Step("enclosure")


def _below_one(part: Term, whole: Term, op: str) -> Step:
    """That a part is at most the whole, as a quotient."""
    return Step("combine", {"terms": [[ONE, [[whole - part, 1, _sign(op)], [whole, -1, ">"]]]]},
                (Step("rewrite", {"left": part, "right": whole}, (_ASSUMED,)), Step("enclosure")))
