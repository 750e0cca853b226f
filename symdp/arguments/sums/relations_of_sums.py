r"""Relations between sums whose number of terms is a variable.

In this order: such a relation is **refuted** by an instance, with the sums written out for small
numbers of terms; or it is **proved**. For a proof, the laws of :mod:`symdp.arguments.sums.laws` bring
both sides to a common form; what sums are left become variables, about which is known what holds
term by term: their signs, and which of two sums is larger. The rest is for the kernel. Every
condition on the way is an obligation of its own, and the outcome names the laws that were used.

>>> from sympy import Sum, exp, symbols
>>> from symdp.arguments.derivations.obligations import Reducer
>>> from symdp.sources.derivations.scope import Scope
>>> from symdp.formulas.parsing import parse_conditions
>>> k, l, x = symbols("k l x")
>>> scope = Scope(parse_conditions("k >= 1"), frozenset([k]))
>>> claim = Relation(Sum(exp(l * x), (l, 1, k)), ">=", Sum(1 + l * x, (l, 1, k)))
>>> outcome = Reducer(budget=5).reduce(claim, scope)
>>> outcome.status.value, "term by term" in outcome.laws
('proved', True)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from sympy import Expr, Indexed, Integer, Product, Sum, Symbol, binomial

from symdp.arguments.derivations.report import Obligation, Reduction
from symdp.arguments.sums.laws import Range, hinted, written_out
from symdp.arguments.sums.sums_as_variables import Abstraction, Each, sums_in
from symdp.formulas.relation import Relation
from symdp.formulas.translation import NotATerm
from symdp.kernel.values.ranges import Unsupported
from symdp.numbers import floating
from symdp.numbers.domain import DomainError, goal_of, holds_at, simple_points
from symdp.numbers.simple_rationals import diagonal
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.search.prove import NotDefined, refuse_undefined
from symdp.search.tactics.refutation import find_witness
from symdp.search.verdict import Status, Verdict
from symdp.search.view.goals import Target, describe_point
from symdp.sources.derivations.expressions import (
    fresh,
    has_sums,
    insert,
    insert_into,
    is_partial,
    is_whole,
    rebuilt,
    relation_variables,
    show,
    terms,
    variables_of,
)
from symdp.sources.derivations.scope import Scope, assemble

if TYPE_CHECKING:
    from symdp.arguments.derivations.obligations import Reducer

WRITTEN_OUT = "written out term by term"
#: How many instances are tried when a relation is to be refuted.
_INSTANCES = 5
#: Seconds for each instance before a proof is tried.
_FIRST_LOOK = 0.1


def reduce_sums(
    reducer: Reducer,
    relation: Relation,
    scope: Scope,
    premises: Sequence[Relation] = (),
    role: str = "the line",
    *,
    refute: bool = True,
    universal: Sequence[Relation] = (),
) -> Reduction:
    """The verdict on a relation with sums, products or members of families in it.

    Without ``refute``, only a proof is of interest.
    """
    each = _said_of_each(universal, scope)
    outcome = _settled(reducer, relation, scope, premises, role, each, refute=refute)
    if outcome.status is Status.PROVED:
        return outcome + _defined(reducer, relation, scope, premises, each)
    return outcome


def _defined(
    reducer: Reducer, relation: Relation, scope: Scope, premises: Sequence[Relation], each: Each
) -> Reduction:
    """That every quotient, root and logarithm has a value, term by term: laws may cancel them."""
    plain = [p for p in premises if not has_sums(p.left, p.right)]
    asked = Abstraction(reducer, scope.supposing(plain), each)
    outcome, role = Reduction(()), "every term is defined"
    sought = (relation.left, relation.right, *(part for part in relation.needs if has_sums(part)))
    for part, ranges in dict.fromkeys(found for expr in sought for found in _partial_terms(expr)):
        same = Relation(part, "==", part)
        if ranges:
            proved = asked.prove(same, ranges)
        else:
            found = Abstraction(reducer, asked.scope, each).reduce(same, (), role)
            proved = found.status is Status.PROVED
            asked.proved += found.obligations if proved else ()
        if not proved:
            outcome += Reduction((), stuck=f"it was not seen that {show(part)} is always defined")
    return outcome + Reduction(tuple(asked.proved))


def _partial_terms(
    expr: Expr, around: tuple[Range, ...] = ()
) -> Iterator[tuple[Expr, tuple[Range, ...]]]:
    """The parts that are not defined everywhere, and the ranges of the indices around them."""
    if isinstance(expr, Sum | Product):
        body, index, low, high = terms(expr)
        yield from _partial_terms(body, (*around, (index, low, high)))
        return
    if is_partial(expr):
        yield expr, around
    for argument in expr.args:
        yield from _partial_terms(argument, around)


def _settled(
    reducer: Reducer,
    relation: Relation,
    scope: Scope,
    premises: Sequence[Relation],
    role: str,
    each: Each,
    *,
    refute: bool,
) -> Reduction:
    premises = [p for p in premises if not _is_each(p, each)]
    try:
        relation, *premises = _renamed((relation, *premises), scope)
        each = [(free, premise) for (free, _), premise in zip(
            each, _renamed([premise for _, premise in each], scope), strict=True)]
    except NotWhole as reason:
        return Reduction((), stuck=str(reason))
    lengths = _lengths((relation, *premises))
    sides = (relation.left, relation.right)
    if not lengths and not any(side.has(binomial) for side in sides):
        return _instance(reducer, relation, scope, premises, {}, role)
    long = any(side.has(Sum, Product) for side in sides)
    # A line that says what it follows from is nearly always true; others are first tried on instances.
    # Most wrong ones are seen at once; it is looked longer when there is no proof.
    first = refute and long and not (premises or each)
    if first and (found := _refuted(
            reducer, relation, scope, premises, lengths, role, each, _FIRST_LOOK)):
        return found
    if all(side.has(Sum, Product) for side in sides):
        # Sums that a closed form would tear apart may well compare term by term.
        found = Abstraction(reducer, scope, each, evaluate=False).reduce(relation, premises, role)
        if found.status is Status.PROVED:
            return found
    outcome = Abstraction(reducer, scope, each).reduce(relation, premises, role)
    if outcome.status is Status.UNDECIDED and refute:
        seconds = max(0.3, reducer.budget / 10)
        return _refuted(reducer, relation, scope, premises, lengths, role, each, seconds) or outcome
    return outcome


def seem_equal(relation: Relation, scope: Scope) -> bool:
    """Whether the sides agree in machine floats for some small lengths; a guess, to save a search."""
    try:
        (relation,) = _renamed((relation,), scope)
        for values in _small(_lengths((relation,)), scope)[:2]:
            here = _written(relation, values)
            domain = assemble((r for r in scope.plain if relation_variables(r)), scope.integers,
                              relation_variables(here))
            variables = sorted(relation_variables(here), key=str)
            left, right = (floating.function(side, variables) for side in (here.left, here.right))
            choices = [simple_points(domain.intervals[v], v in domain.integers) for v in variables]
            for point in islice(diagonal(choices), 20):
                at = [float(u) for u in point]
                one, other = left(at), right(at)
                if abs(one - other) > 1e-6 * (abs(one) + abs(other)):
                    return False
    except (NotWhole, OverflowError, DomainError, TypeError, ValueError, NotImplementedError, KeyError):
        pass
    return True


def _refuted(
    reducer: Reducer,
    relation: Relation,
    scope: Scope,
    premises: Sequence[Relation],
    lengths: Sequence[Symbol],
    role: str,
    each: Each,
    seconds: float,
) -> Reduction | None:
    """A refutation for one of some small lengths, at a point where the premises on members hold, too."""
    scope = scope.supposing(premise for _, premise in each)
    for values in _small(lengths, scope):
        found = _instance(reducer, relation, scope, premises, values, role, refute_for=seconds)
        if found.status is Status.REFUTED:
            return found
    return None


class NotWhole(ValueError):
    """A bound of a sum is not seen to be an integer."""


def _renamed(relations: Sequence[Relation], scope: Scope) -> list[Relation]:
    """The relations with an index of its own for every sum, so that none catches a variable."""
    taken = set().union(*(relation_variables(r) for r in (*relations, *scope.where)))
    taken |= scope.integers

    def rename(expr: Expr) -> Expr:
        if not expr.has(Sum, Product):
            return expr
        if not isinstance(expr, Sum | Product):
            return rebuilt(expr, [rename(a) for a in expr.args])
        body, index, low, high = terms(expr)
        for bound in (low, high):
            if not is_whole(bound, scope.integers | taken_indices):
                raise NotWhole(f"it was not seen that the bound {show(bound)} of a sum is an integer")
        other = index if index not in taken else fresh(str(index.name), taken)
        taken_indices.add(other)
        return expr.func(rename(insert(body, {index: other})), (other, rename(low), rename(high)))

    taken_indices: set[Symbol] = set()
    for part in (part for r in relations for part in r.needs):
        rename(part)
    return [Relation(rename(r.left), r.op, rename(r.right), r.needs) for r in relations]


def _said_of_each(universal: Sequence[Relation], scope: Scope) -> Each:
    """What holds for all values of a variable of which nothing is assumed, and that variable.

    Such a variable may be an index: then it is said of each term, and of each member of a family.
    """
    variables = scope.integers.union(*(relation_variables(r) for r in scope.plain))
    return [(free, premise) for premise in universal
            for free in sorted(relation_variables(premise) - variables - _in_sums(premise), key=str)]


def _in_sums(relation: Relation) -> frozenset[Symbol]:
    """The variables inside of sums and products; members that sums run over are not singled out."""
    return variables_of(*sums_in(relation))


def _is_each(premise: Relation, each: Each) -> bool:
    """Whether a premise is only about members of families at an index, so says nothing by itself."""
    members = {*premise.left.atoms(Indexed), *premise.right.atoms(Indexed)}
    indices = {i for m in members for i in m.indices if isinstance(i, Symbol)}
    return any(premise == other and free in indices for free, other in each)


def _lengths(relations: Iterable[Relation]) -> list[Symbol]:
    """The variables on which the numbers of terms and the members of families depend."""
    found: set[Symbol] = set()
    for relation in relations:
        for side in (relation.left, relation.right):
            bound = {i for part in side.atoms(Sum, Product) for i in part.variables}
            for part in side.atoms(Sum, Product):
                found |= variables_of(*(end for _, *ends in part.limits for end in ends)) - bound
            for part in side.atoms(Indexed):
                found |= variables_of(*part.indices) - bound
    return sorted(found, key=str)


# --- instances ----------------------------------------------------------------------------------


def _small(lengths: Sequence[Symbol], scope: Scope) -> list[dict[Symbol, Expr]]:
    """Small values of the lengths at which the conditions on them alone hold."""
    about = [r for r in scope.plain if relation_variables(r) <= set(lengths)]
    choices = [[Integer(n) for n in (1, 2, 3, 0, 4, 5)]] * len(lengths)
    points = (dict(zip(lengths, values, strict=True)) for values in diagonal(choices))
    return list(islice((p for p in points if all(holds_at(r, p) for r in about)), _INSTANCES))


def _instance(
    reducer: Reducer,
    relation: Relation,
    scope: Scope,
    premises: Sequence[Relation],
    values: dict[Symbol, Expr],
    role: str,
    *,
    refute_for: float | None = None,
) -> Reduction:
    """The relation with its sums written out, at these lengths; with ``refute_for``, only refuted."""
    try:
        here = _written(relation, values)
        conditions = [_written(r, values) for r in (*scope.where, *premises)]
        members = _members(here, conditions, scope)
        conditions = [r for r in (*conditions, *members) if relation_variables(r)]
        reach = relation_variables(here)
        near = [r for r in conditions if not has_sums(r.left, r.right)]
        if has_sums(here.left, here.right):
            return Reduction((), stuck="a sum in it cannot be written out")
        wanted = reach.union(*(relation_variables(r) for r in near))
        domain = assemble(near, scope.integers, wanted)
    except (OverflowError, DomainError, TypeError, ValueError, NotImplementedError) as reason:
        return Reduction((), stuck=str(reason))
    if refute_for is None:
        found = reducer.on(here, domain, role)
        return replace(found, laws=(WRITTEN_OUT,))
    if here.op not in ("<", ">") and hinted(lambda: here.gap.expand(), 0.3) == 0:
        return Reduction(())  # written out it is an identity: there is nothing to find
    goal = Target.of(here, domain)
    try:
        with hard_deadline(refute_for):
            refuse_undefined(goal_of(here, domain), domain)
            witness = find_witness(goal)
    except (NotATerm, NotDefined, Unsupported, ArithmeticError, TimeIsUp):
        witness = None
    if witness is None:
        return Reduction(())
    at = describe_point({**values, **witness.point})
    verdict = Verdict(Status.REFUTED, f"it fails at {at}", witness=witness)
    return Reduction((Obligation(role, here, domain, verdict),), (WRITTEN_OUT,))


def _written(relation: Relation, values: dict[Symbol, Expr]) -> Relation:
    here = insert_into(relation, values)
    needs = tuple(written_out(part) for part in here.needs if not has_sums(part))
    return Relation(written_out(here.left), here.op, written_out(here.right), needs)


def _members(relation: Relation, conditions: Sequence[Relation], scope: Scope) -> list[Relation]:
    """What the assumptions on a family say of its members a_1, a_2, ... or a_1_2, ... that occur.

    An assumption on one member, such as A[n] == 1, is among the conditions: the value of n is inserted.
    """
    known = scope.integers | scope.variables
    families = [r for r in conditions if has_sums(r.left, r.right)]
    found: dict[Relation, None] = {}
    while True:
        # What is said of one family may bring in members of another, of which more is said.
        everything = (relation, *conditions, *found)
        occurring = frozenset().union(*(relation_variables(r) for r in everything))
        new = [r for family in families for r in _said_of_members(family, occurring, known)]
        if found.keys() >= set(new):
            return list(found)
        found |= dict.fromkeys(new)


def _said_of_members(
    family: Relation, occurring: frozenset[Symbol], known: frozenset[Symbol]
) -> Iterator[Relation]:
    """An assumption on a family, for each of these variables that is a member of it."""
    for part in sorted({*family.left.atoms(Indexed), *family.right.atoms(Indexed)}, key=str):
        stem = f"{part.base.label}_"
        for v in sorted(occurring, key=str):
            places = str(v.name).removeprefix(stem).split("_")
            if not str(v.name).startswith(stem) or len(places) != len(part.indices) \
                    or not all(place.isdigit() for place in places):
                continue
            pairs = list(zip(part.indices, map(Integer, places), strict=True))
            if all(i == j or (isinstance(i, Symbol) and i not in known) for i, j in pairs):
                yield _written(family, {i: j for i, j in pairs if isinstance(i, Symbol)})
