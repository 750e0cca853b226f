r"""What is in force at a line: the assumptions, the names, and the lines that may be used.

>>> from symdp.formulas.parsing import parse_conditions
>>> from symdp.formulas.notation import symbol, x
>>> scope = Scope((*parse_conditions("0 < x <= 1"), *parse_conditions("k >= x")), frozenset([symbol("k")]))
>>> print(scope.domain([x]))
k integer, 0 < x <= 1, k >= x
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import sympy
from sympy import Expr, Indexed, Symbol

from symdp.formulas.relation import Relation
from symdp.numbers.domain import Domain, DomainError, Interval, bounds_one_variable
from symdp.sources.derivations.expressions import (
    DerivationError,
    as_written,
    fresh,
    has_sums,
    insert,
    lost,
    partial_parts,
    relation_variables,
    show,
    size_of,
    variables_of,
)
from symdp.sources.derivations.lines import Line

#: Nodes of a formula whose names are replaced by what they stand for.
LARGEST_FORMULA = 20_000

# --- domains ----------------------------------------------------------------------------------


def assemble(
    relations: Iterable[Relation], integers: Iterable[Symbol], variables: Iterable[Symbol]
) -> Domain:
    """The domain of these relations, which may have no point: a premise may be false.

    Where bounds of one variable contradict each other, they are kept as conditions, and it is for
    the kernel to see that nothing satisfies them.
    """
    relations = tuple(dict.fromkeys(relations))
    intervals = {v: Interval() for v in variables}
    for relation in relations:
        for v in relation.symbols:
            intervals.setdefault(v, Interval())
    whole = frozenset(v for v in integers if v in intervals)
    conditions: list[Relation] = []
    for relation in relations:
        try:
            bound = bounds_one_variable(relation)
            if bound is None:
                conditions.append(relation)
                continue
            v, interval = bound
            met = intervals[v].meet(interval)
            if met.is_empty() or (v in whole and met.to_integers().is_empty()):
                conditions.append(relation)
            else:
                intervals[v] = met
        except DomainError:
            conditions.append(relation)
    return Domain(intervals, whole, tuple(conditions))


def related(where: Iterable[Relation], variables: Iterable[Symbol]) -> tuple[Relation, ...]:
    """The conditions that say something about these variables, directly or through others."""
    known, rest = set(variables), list(where)
    while True:
        near = [r for r in rest if relation_variables(r) & known]
        reached = known.union(*(relation_variables(r) for r in near))
        if reached == known:
            return tuple(r for r in where if relation_variables(r) & known)
        known = reached


# --- the scope --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fact:
    """A line or lemma that later steps may use: it holds wherever its own conditions do."""

    relation: Relation
    where: tuple[Relation, ...]
    integers: frozenset[Symbol] = frozenset()
    #: a lemma has variables of its own: all of them must be given values
    is_lemma: bool = False
    #: variables of which it is known at one value only, as the hypothesis of an induction is
    fixed: frozenset[Symbol] = frozenset()


@dataclass(frozen=True)
class Scope:
    """The assumptions in force, what names stand for, and the facts known by their labels."""

    where: tuple[Relation, ...]
    integers: frozenset[Symbol] = frozenset()
    meaning: Mapping[Symbol, Expr] = field(default_factory=dict)
    facts: Mapping[str, Fact] = field(default_factory=dict)
    #: what was assumed of a variable before it was given a value
    assumed: Mapping[Symbol, tuple[Relation, ...]] = field(default_factory=dict)
    #: variables that stand for one value: that of an induction, in its step
    fixed: frozenset[Symbol] = frozenset()

    @property
    def plain(self) -> tuple[Relation, ...]:
        """The assumptions that say nothing about families of variables."""
        return tuple(r for r in self.where if not has_sums(r.left, r.right))

    @property
    def variables(self) -> frozenset[Symbol]:
        """Those of the assumptions."""
        return frozenset().union(*(relation_variables(r) for r in self.plain))

    @property
    def families(self) -> tuple[Relation, ...]:
        """The assumptions on each member of a family, such as eps[i] > 0."""
        return tuple(r for r in self.where if has_sums(r.left, r.right))

    def refuse_empty(self, what: str = "the assumptions") -> None:
        """An error if the assumptions contradict each other, or the bounds of a member of a family do."""
        names: dict[Expr, Symbol] = {}
        bounds: list[Relation] = []
        for r in self.families:
            for part in (part for part in (r.left, r.right) if isinstance(part, Indexed)):
                names.setdefault(part, fresh("member", {*self.variables, *names.values()}))
            bound = Relation(r.left.xreplace(names), r.op, r.right.xreplace(names))
            if len(relation_variables(bound)) == 1 and not has_sums(bound.left, bound.right):
                bounds.append(bound)
        try:
            Domain.of((*self.plain, *bounds), self.integers & self.variables)
        except DomainError as reason:
            text = str(reason)
            for part, name in names.items():
                text = re.sub(rf"\b{name}\b", show(part), text)
            raise DerivationError(f"{what}: {text}") from reason

    def speaks_of(self, place: Sequence[Expr], member: Sequence[Expr]) -> bool:
        """Whether an assumption on the member at one place says anything of that at another.

        An index without an assumption of its own stands for every index: eps[i] > 0 is said of all
        members. An index that is a variable stands for itself: A[n] == 1 is said of A[n] alone.
        """
        known = self.integers | self.variables
        return len(place) == len(member) and all(
            i == j or (isinstance(i, Symbol) and i not in known)
            for i, j in zip(place, member, strict=True))

    def expand(self, expr: Expr) -> Expr:
        """The expression with every name replaced by what it stands for."""
        for _ in range(len(self.meaning) + 1):
            if not variables_of(expr) & self.meaning.keys():
                return expr
            if size_of(expr, self.meaning) > LARGEST_FORMULA:  # names that stand for names double it each time
                raise DerivationError("with what its names stand for, a formula grows too large")
            found = insert(expr, self.meaning)
            if found.has(sympy.zoo, sympy.nan, sympy.I) and not expr.has(sympy.zoo, sympy.nan, sympy.I):
                raise DerivationError(f"with what its names stand for, {show(expr)} has no value")
            expr = found
        raise DerivationError(f"the names in {show(expr)} are defined by each other")

    def expand_relation(self, relation: Relation) -> Relation:
        """The relation without names; what they stand for must be defined, even where it cancels."""
        left, right = self.expand(relation.left), self.expand(relation.right)
        return Relation(left, relation.op, right, lost(self.needed(relation), left, right))

    def needed(self, relation: Relation) -> list[Expr]:
        """All that must be defined where a relation is said: its parts, and those of the names in it, as written."""
        names = dict(self.names_in(relation))
        parts = [part for expr in (relation.left, relation.right, *relation.needs, *names.values())
                 for part in partial_parts(expr)]
        values = {name: self.expand(name) for name in names}
        return [as_written(part, values) for part in parts]

    def needed_for(self, *exprs: Expr) -> tuple[Expr, ...]:
        """All that must be defined where expressions are mentioned."""
        return lost(part for e in exprs for part in self.needed(Relation(e, "==", e)))

    def names_in(self, relation: Relation) -> list[tuple[Symbol, Expr]]:
        """The names in a relation, and those in what they stand for, each with its meaning."""
        found: dict[Symbol, Expr] = {}
        new = relation_variables(relation) & self.meaning.keys()
        while new:
            found |= {name: self.meaning[name] for name in sorted(new, key=str)}
            new = (variables_of(*found.values()) & self.meaning.keys()) - found.keys()
        return list(found.items())

    def domain(
        self, variables: Iterable[Symbol], premises: Iterable[Relation] = ()
    ) -> Domain:
        """Where these variables live, at the points where the premises hold."""
        premises = tuple(premises)
        wanted = frozenset(variables).union(*(relation_variables(r) for r in premises))
        near = related(self.plain, wanted)
        return assemble((*near, *premises), self.integers, wanted)

    def named(self, name: Symbol, expr: Expr) -> Scope:
        return replace(self, meaning={**self.meaning, name: expr})

    def supposing(self, relations: Iterable[Relation]) -> Scope:
        return replace(self, where=(*self.where, *relations))

    def knowing(self, step: Line, relation: Relation) -> Scope:
        """The scope in which a labelled line may be used; its names stand for what they do now."""
        if not step.label:
            return self
        if step.label in self.facts:
            raise DerivationError(f"there are two lines called {step.label!r}")
        fact = Fact(self.expand_relation(relation), self.where, self.integers, fixed=self.fixed)
        return self.with_fact(step.label, fact)

    def with_fact(self, label: str, fact: Fact) -> Scope:
        return replace(self, facts={**self.facts, label: fact})
