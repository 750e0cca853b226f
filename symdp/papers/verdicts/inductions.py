r"""Inductions of which the kernel has proved the first case, the step, and that what they divide is positive."""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer

from symdp.formulas.relation import Relation
from symdp.papers.formulas.induction import (
    FirstCaseAndStep,
    induction,
    stronger,
    with_one_logarithm,
)
from symdp.papers.verdicts.question import LinkQuestion
from symdp.sources.derivations.expressions import has_sums, relation_variables, variables_of
from symdp.sources.derivations.scope import Scope


def inducted(q: LinkQuestion, expanded: Relation) -> FirstCaseAndStep | None:
    """An induction that shows a relation where a question is asked.

    Of what is known only that is used which does not speak of the integer.
    """
    return _plainly(q, expanded) or _strongly(q, expanded)


def _strongly(q: LinkQuestion, expanded: Relation) -> FirstCaseAndStep | None:
    """H_n > ln n has no step of its own; H_n >= ln(n + 1) has one, and is more."""
    for n in sorted(q.scope.integers & relation_variables(expanded), key=str):
        more = stronger(expanded, n)
        found = _plainly(q, more[0]) if more is not None else None
        if more is not None and found is not None:
            at_each = replace(q.scope, where=(*q.scope.where, found.from_))
            if _is_shown(q, more[1], at_each):
                return found
    return None


def _plainly(q: LinkQuestion, expanded: Relation) -> FirstCaseAndStep | None:
    scope = q.scope
    found = induction(expanded, scope.where, scope.integers)
    if found is None:
        return None
    rest = tuple(r for r in scope.where if found.n not in relation_variables(r))
    around = replace(scope, where=rest)
    at_each = replace(scope, where=(*rest, found.from_))
    for r in (found.first, *(Relation(p, ">", Integer(0)) for p in found.positive)):
        if not variables_of(r.left, r.right) and not has_sums(r.left, r.right) and _is_plainly(r):
            continue
        here = at_each if found.n in relation_variables(r) else around
        if not q.is_proved(r, here, part=0.5):
            return None
    return found if _is_shown(q, found.step, at_each) else None


def _is_shown(q: LinkQuestion, relation: Relation, scope: Scope) -> bool:
    """Whether a relation is proved, as it stands or with one logarithm in place of several."""
    one = with_one_logarithm(relation)
    if one is not None and all(
        q.is_proved(r, scope, part=0.5) for r in (*(Relation(p, ">", Integer(0)) for p in one[1]), one[0])
    ):
        return True
    return q.is_proved(relation, scope)


def _is_plainly(r: Relation) -> bool:
    """Whether numbers that are exact are related so."""
    exact = r.left.is_Rational and r.right.is_Rational
    return bool(exact and {"<": r.left < r.right, "<=": r.left <= r.right, ">": r.left > r.right,
                           ">=": r.left >= r.right, "==": r.left == r.right}[r.op])
