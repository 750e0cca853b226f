r"""SymPy's view of a goal of the kernel: its relations between numbers, without members and sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeGuard

from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation as View
from symdp.formulas.translation import NotATerm, expr_of
from symdp.kernel.goals import INTEGER, Formula, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import BINDERS, Term
from symdp.numbers.domain import Domain
from symdp.search.elaboration.derived_rules import RULES

Finish = Callable[[Step], Step]


def sums_in(terms: Iterator[Term]) -> list[Term]:
    """The outermost sums and products, each once."""
    found: dict[Term, None] = {}
    stack = list(terms)[::-1]
    while stack:
        t = stack.pop()
        if t.head in BINDERS:
            found[t] = None
        else:
            stack.extend(t.args[::-1])
    return list(found)


def is_plain(formula: Formula) -> TypeGuard[Relation]:
    """A relation between numbers, without members and sums."""
    return isinstance(formula, Relation) and not formula.families and not sums_in(formula.terms())


def narrowed(goal: Goal) -> tuple[Goal, Finish]:
    """The goal with those hypotheses alone that speak of its variables, or of what they are tied to."""
    wanted = set(goal.claim.variables)
    plain = [h for h in goal.hypotheses if is_plain(h)]
    while True:
        tied = {v for h in plain if h.variables & wanted for v in h.variables}
        if tied <= wanted:
            break
        wanted |= tied
    kept = [h for h in plain if h.variables & wanted]
    fewer = {"hypotheses": kept, "variables": [n for n in goal.variables if n in wanted], "families": []}
    (inner,) = RULES["weaken"](goal, fewer)
    # As a goal of its own it has no facts, only hypotheses.
    return inner.under(inner.hypotheses), lambda step: Step("weaken", fewer, (step,))


def view_of(goal: Goal) -> tuple[View, Domain]:
    """The claim and the hypotheses as SymPy has them; what is said of members is left out."""
    claim = goal.claim
    if not isinstance(claim, Relation):
        raise NotATerm("only a relation has a view")
    conditions = [relation_of(h) for h in goal.hypotheses if is_plain(h)]
    integers = [symbol(n) for n, s in goal.sorts if s == INTEGER]
    return relation_of(claim), Domain.of(conditions, integers, [symbol(n) for n in goal.variables])


def domain_of(goal: Goal, about: frozenset[str] | None = None) -> Domain:
    """SymPy's view of the points of a goal, or of what it says about some of its variables."""
    names = frozenset(goal.variables) if about is None else about
    relations = [relation_of(h) for h in goal.hypotheses
                 if isinstance(h, Relation) and h.left is not h.right and h.variables
                 and h.variables <= names]
    integers = [symbol(n) for n, s in goal.sorts if s == INTEGER and n in names]
    return Domain.of(relations, integers, [symbol(n) for n in sorted(names)])


def relation_of(r: Relation) -> View:
    return View(expr_of(r.left), r.op, expr_of(r.right))  # type: ignore[arg-type]
