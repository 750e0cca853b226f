"""Formal goals of relations on domains."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from symdp.formulas.relation import Relation
from symdp.formulas.translation import formula_of, term_of
from symdp.kernel import terms as t
from symdp.kernel.goals import INTEGER, REAL, Formula, Goal
from symdp.kernel.goals import Relation as KernelRelation
from symdp.numbers.domain import Domain


def hypotheses_of(domain: Domain) -> tuple[Formula, ...]:
    """Intervals and conditions of a domain as hypotheses; what is known besides comes last."""
    found = (*domain.relations(), *domain.facts)
    return tuple(dict.fromkeys(KernelRelation(term_of(r.left), r.op, term_of(r.right)) for r in found))


def sorts_of(domain: Domain) -> tuple[tuple[str, str], ...]:
    return tuple((str(v.name), INTEGER if v in domain.integers else REAL) for v in domain.variables)


@lru_cache(maxsize=500)
def setting_of(domain: Domain) -> Goal:
    """A goal that claims nothing, for those who ask what its hypotheses say."""
    return Goal(sorts_of(domain), hypotheses_of(domain), KernelRelation(t.ZERO, "<=", t.ZERO))


def goal_of(relation: Relation, domain: Domain, members: Iterable[Relation] = ()) -> Goal:
    """The formal goal that a relation on a domain stands for, with what is known of members of families."""
    claim, hypotheses = formula_of(relation), (*hypotheses_of(domain), *map(formula_of, members))
    families = sorted(claim.families.union(*(h.families for h in hypotheses)))
    return Goal(sorts_of(domain), hypotheses, claim, tuple((name, REAL) for name in families))
