r"""Calculus on functions of the family of Gamma, whose slopes are again of that family.

The search takes derivatives as well, but what is left of these functions is settled by ideas, by telescoping above
all, and those look at whole goals. So their slopes become goals of their own. The law of recurrence comes first: with
all arguments as small as possible, ends at which the claim is an equality are seen.

>>> from symdp.kernel.goals import REAL
>>> x, t = variable("x"), variable("t")
>>> above = (Relation(ZERO, "<", x), Relation(ZERO, "<=", t))
>>> growing = Relation(apply("loggamma", x + ONE), "<=", apply("loggamma", x) + apply("log", x) + t)
>>> print(next(reductions(Goal((("x", REAL), ("t", REAL)), above, growing))).premises[0].claim)
0 <= t
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy
from sympy import Expr, Symbol

from symdp.formulas.derivative import derivative
from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ONE, ZERO, Term, apply, variable
from symdp.kernel.values.conditions import tied
from symdp.numbers.domain import Domain, DomainError
from symdp.search.elaboration.chords_of_loggamma import law
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import view_of
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour, parts_of
from symdp.search.reductions.telescoping import FAMILY
from symdp.search.tactics.sample_points import seems_nonnegative, seems_nonpositive

FAILURES = (Rejected, IllFormed, NotATerm, DomainError, ArithmeticError, TypeError, ValueError, KeyError)
_SAME = Step("identity")
#: Larger differences between arguments are not bridged; larger slopes are not looked at.
MOST_STEPS, LARGEST = 6, 150


def reductions(goal: Goal) -> Iterator[Detour]:
    """By recurrence; then from an end of a variable where the slope keeps its sign, or from both where it falls."""
    if not isinstance(goal.claim, Relation) or goal.claim.op == "==" or not parts_of(goal, FAMILY):
        return
    chain = Descent(goal)
    try:
        if _to_least_arguments(chain):
            yield chain.reduced(Reason.of("by the law of recurrence"), sure=True)
            return  # calculus on what is left
    except FAILURES:
        return
    yield from _by_calculus(goal, sorted(goal.claim.variables))


def along_ties(goal: Goal) -> Iterator[Detour]:
    """The same for any claim along a variable that is tied to others: at its end, the tie is one of the others."""
    if isinstance(goal.claim, Relation) and goal.claim.op != "==" and goal.relation.gap.size <= LARGEST:
        names = sorted(goal.claim.variables)
        yield from _by_calculus(goal, [n for n in names if any(isinstance(h, Relation) for h in tied(goal, n))])


def _by_calculus(goal: Goal, names: Sequence[str]) -> Iterator[Detour]:
    try:
        relation, domain = view_of(goal)
    except FAILURES:
        return
    gap = relation.gap if relation.op in ("<=", "<") else relation.mirrored().gap
    for name in (n for n in names if dict(goal.sorts)[n] == REAL):
        slope = derivative(gap, Symbol(name))
        if slope.count_ops() > LARGEST or slope.has(sympy.Derivative):
            continue
        for rule, parameters in _ways(goal, name, slope, domain):
            try:
                premises = RULES[rule](goal, parameters)
            except FAILURES:
                continue
            yield Detour(tuple(premises), lambda steps, rule=rule, parameters=parameters: Step(  # type: ignore[misc]
                rule, parameters, tuple(steps)), Reason.of("calculus along ", Symbol(name)))


def _ways(goal: Goal, name: str, slope: Expr, domain: Domain) -> Iterator[tuple[str, dict[str, object]]]:
    v, strict = Symbol(name), goal.relation.op == "<"
    interval = domain.intervals[v]
    for seems, end, is_open in ((seems_nonnegative, "lower", interval.lower_open),
                                (seems_nonpositive, "upper", interval.upper_open)):
        if seems(slope, domain):
            yield "monotone", {"variable": name, "end": end, **({"strict_slope": True} if strict and is_open else {})}
    bounded = sympy.oo not in (interval.upper, -interval.lower)
    if bounded and not tied(goal, name) and seems_nonpositive(derivative(slope, v), domain):
        bend = {"strict_bend": True} if strict and interval.lower_open and interval.upper_open else {}
        yield "concave", {"variable": name, "weight": ONE, "core": term_of(slope), **bend}


# --- recurrence -------------------------------------------------------------------------------------


def _to_least_arguments(chain: Descent) -> bool:
    """Every argument that lies a whole number above another one, or above its own part without a number, is brought
    down to it; whether anything was done."""
    done = False
    for _ in range(MOST_STEPS):
        found = next(_reducible(parts_of(chain.goal, FAMILY), parts_of(chain.goal, frozenset({"log"}))), None)
        if found is None:
            break
        part, lower = found
        relation, shown = law(part.head, lower)
        chain.put(part, relation.left, _SAME)
        chain.put(relation.left, relation.right, shown)
        done = True
    if done:
        gap = sympy.expand(expr_of(chain.goal.relation.gap))
        chain.rewrite(ZERO, term_of(gap))
    return done


def _reducible(parts: Sequence[Term], logs: Sequence[Term]) -> Iterator[tuple[Term, Term]]:
    """A part, and its argument less 1, if another part of the same function lies a whole number below, or if it
    is the only one and a logarithm of that is there, as in Stirling's formula for a factorial."""
    for part in parts:
        less = sympy.expand(expr_of(part.args[0]) - 1)
        if len(parts) == 1 and part.head == "loggamma" and less.is_Symbol and any(
                (expr_of(t.args[0]) / less).is_constant() for t in logs):
            yield part, term_of(less)
            break
        for other in parts:
            apart = sympy.expand(expr_of(part.args[0]) - expr_of(other.args[0]))
            if other.head == part.head and apart.is_Integer and 1 <= apart <= MOST_STEPS:
                yield part, term_of(sympy.expand(expr_of(part.args[0]) - 1))
                break


__all__ = ["apply", "reductions", "variable"]
