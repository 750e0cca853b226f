r"""One relation of a paper, asked in its place: what is in force there, and what the judge may suppose of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from sympy import Symbol

from symdp.arguments.derivations.obligations import Reducer
from symdp.formulas.relation import Relation
from symdp.kernel.proof import Rejected
from symdp.numbers.domain import DomainError
from symdp.papers.finding import Finding
from symdp.papers.formulas.conditions import has_bare_name
from symdp.papers.sentences.context import InForce
from symdp.papers.work import Work
from symdp.search.prove import NotDefined
from symdp.search.verdict import Status
from symdp.sources.derivations.expressions import (
    DerivationError,
    has_sums,
    relation_variables,
    variables_of,
)
from symdp.sources.derivations.scope import Scope

#: What a relation that is not understood ends in.
TROUBLE = (
    DerivationError,
    DomainError,
    NotDefined,
    Rejected,
    ArithmeticError,
    NotImplementedError,
    ValueError,
    TypeError,
    RecursionError,
    MemoryError,
    AttributeError,
    KeyError,
    IndexError,
)


@dataclass(frozen=True)
class LinkQuestion:
    """A relation in its chain, with its finding so far and what is in force."""

    work: Work
    finding: Finding
    relation: Relation
    context: InForce
    scope: Scope
    #: seconds for it
    budget: float
    #: a folder for certificates
    out: Path | None = None
    #: SymPy's rules of factorials turn one side into the other
    by_rules: bool = False

    @cached_property
    def expanded(self) -> Relation:
        """The relation with what its names stand for."""
        return self.scope.expand_relation(self.relation)

    @cached_property
    def names(self) -> frozenset[Symbol]:
        return relation_variables(self.expanded)

    @cached_property
    def typed(self) -> dict[str, str]:
        return dict(self.work.typed)

    @property
    def opaque(self) -> set[str]:
        """Its quantities of which only the name is known."""
        return {str(v) for v in relation_variables(self.relation)} & self.typed.keys()

    @property
    def named(self) -> str:
        return ", ".join(self.typed[name] for name in sorted(self.opaque))

    def is_proved(self, relation: Relation, scope: Scope | None = None, *, part: float = 1.0) -> bool:
        """Whether a relation is proved in a part of the time, where nothing else is said in the same place."""
        return self.status(relation, scope, part=part) is Status.PROVED

    def status(self, relation: Relation, scope: Scope | None = None, *, part: float = 1.0) -> Status:
        return Reducer(part * self.budget).reduce(relation, scope or self.scope).status


@dataclass(frozen=True)
class PlaceInChain:
    """A relation in its chain, before it is known what the judge may suppose of it."""

    work: Work
    finding: Finding
    relation: Relation
    context: InForce
    budget: float
    out: Path | None = None

    def question(self) -> LinkQuestion:
        return LinkQuestion(self.work, self.finding, self.relation, self.context, self.scope(), self.budget, self.out)

    def scope(self) -> Scope:
        """What is in force, for the judge: names stand for their meanings in hypotheses, too."""
        meanings = self.context.meanings
        meaning = {name: m.value for name, m in meanings.items() if name not in variables_of(m.value)}
        empty = Scope((), self.context.integers, meaning)
        where: list[Relation] = []
        wrong = self.wrong_reasons(empty)
        for r in (*self.context.relations, *self.work.facts):
            if r in wrong:
                continue
            expanded = empty.expand_relation(r) if relation_variables(r) & meaning.keys() else r
            if relation_variables(expanded) or has_sums(expanded.left, expanded.right):
                where.append(expanded)
        return Scope(tuple(dict.fromkeys(where)), frozenset(self.context.integers - meaning.keys()), meaning)

    def wrong_reasons(self, empty: Scope) -> frozenset[Relation]:
        """Equations that a sentence gives as reasons, and that are refuted by what else is in force."""
        names = relation_variables(self.relation)
        given = [h for h in self.context.hypotheses if h.kind == "since" and h.condition.names & names]
        reasons = [r for h in given for r in h.condition.relations if r.op == "==" and not has_bare_name(r)]
        if not reasons:
            return frozenset()
        others = tuple(empty.expand_relation(r) for r in self.context.relations if r not in reasons)
        scope = replace(empty, where=(*others, *self.work.facts))
        return frozenset(
            r
            for r in reasons
            if Reducer(self.budget / 2).reduce(scope.expand_relation(r), scope).status is Status.REFUTED
        )
