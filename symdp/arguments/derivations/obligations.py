r"""A line of a derivation as obligations for the kernel, and their verdicts as one outcome.

>>> from symdp.sources.derivations.scope import Scope
>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> scope = Scope(parse_conditions("x >= 1"))
>>> Reducer(budget=5).reduce(parse_relation("x*y >= y"), scope, parse_conditions("y >= 0")).status.value
'proved'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sympy import binomial

from symdp.arguments.derivations.found_elsewhere import looked_up, write_down
from symdp.arguments.derivations.report import Obligation, Reduction
from symdp.arguments.sums.powers import reduce_powers
from symdp.arguments.sums.relations_of_sums import reduce_sums
from symdp.formulas.relation import Relation
from symdp.kernel.values.ranges import Unsupported
from symdp.numbers.domain import Domain, DomainError
from symdp.search.memories import memory
from symdp.search.prove import NotDefined, decide_relation
from symdp.search.verdict import Status, Verdict
from symdp.sources.derivations.expressions import has_sums, relation_variables
from symdp.sources.derivations.scope import Scope


def has_points(scope: Scope, domain: Domain) -> bool:
    """Whether the assumptions that were left out, since they are about other variables, can hold.

    A point that contradicts a line contradicts it only where all of the assumptions hold.
    """
    others = [r for r in scope.plain if not r.symbols & set(domain.variables)]
    try:
        Domain.of(others, scope.integers & frozenset().union(*(r.symbols for r in others)))
    except DomainError:
        return False
    return True


def has_coefficients(relation: Relation) -> bool:
    """Whether there are binomial coefficients with a variable below."""
    parts = {*relation.left.atoms(binomial), *relation.right.atoms(binomial)}
    return any(part.args[1].free_symbols for part in parts)


#: what was asked -> what became of it
_REDUCED = memory()


@dataclass(frozen=True)
class Reducer:
    """Reduces relations, under the assumptions of a scope, to obligations that are decided within the budget."""

    budget: float = 10.0

    def hurried(self, most: float) -> Reducer:
        return replace(self, budget=min(self.budget, most))

    def reduce(
        self,
        relation: Relation,
        scope: Scope,
        premises: Iterable[Relation] = (),
        role: str = "the line",
        *,
        refute: bool = True,
        universal: Sequence[Relation] = (),
    ) -> Reduction:
        """The relation at every point of the scope's domain at which the premises hold.

        Premises that are ``universal`` hold for all values of the variables without assumptions, so
        they may be used of each term of a sum.
        """
        premises = tuple(premises)
        said = (relation, *scope.where, *premises, *universal)
        key = (relation, scope.where, premises, tuple(universal), tuple(r.needs for r in said),
               scope.integers, role, refute, self.budget)
        found: Reduction | None = _REDUCED.get(key)
        if found is None:
            found = _REDUCED[key] = self._reduce(relation, scope, premises, role, refute, universal)
        return found

    def _reduce(
        self,
        relation: Relation,
        scope: Scope,
        premises: tuple[Relation, ...],
        role: str,
        refute: bool,
        universal: Sequence[Relation],
    ) -> Reduction:
        if has_sums(relation.left, relation.right, *relation.needs,
                    *(s for p in premises for s in (p.left, p.right))):
            return reduce_sums(self, relation, scope, premises, role, refute=refute, universal=universal)
        if has_coefficients(relation):  # the kernel knows them through Gamma functions only
            found = reduce_sums(self, relation, scope, premises, role, refute=refute, universal=universal)
            if found.status is not Status.UNDECIDED:
                return found
        powers = reduce_powers(self.hurried(3.0), relation, scope, premises, role)
        if powers is not None:
            return powers
        try:
            domain = scope.domain(relation_variables(relation), premises)
            found = self.on(relation, domain, role)
            if found.status is Status.REFUTED and not has_points(scope, domain):
                whole = scope.domain(scope.variables | relation_variables(relation), premises)
                return self.on(relation, whole, role)
        except DomainError as reason:
            return Reduction((), stuck=str(reason))
        return found

    def on(self, relation: Relation, domain: Domain, role: str = "the line") -> Reduction:
        """The relation on a domain; an equality is also tried as two inequalities."""
        verdict = self._verdict(relation, domain)
        if relation.op != "==" or verdict.status is not Status.UNDECIDED or not domain.conditions:
            return Reduction((Obligation(role, relation, domain, verdict),))
        sides = (Relation(relation.left, "<=", relation.right, relation.needs),
                 Relation(relation.left, ">=", relation.right, relation.needs))
        both = Reduction(tuple(Obligation(role, r, domain, self._verdict(r, domain)) for r in sides))
        if both.status is Status.PROVED:
            return both
        return Reduction((Obligation(role, relation, domain, verdict),))

    def _verdict(self, relation: Relation, domain: Domain) -> Verdict:
        try:
            found = looked_up(relation, domain)
            if found is None:
                found = decide_relation(relation, domain, budget=self.budget)
                write_down(found)
        except (NotDefined, DomainError, Unsupported) as reason:
            return Verdict(Status.UNDECIDED, " ".join(str(reason).split()))
        return found
