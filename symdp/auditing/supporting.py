r"""Whether a derivation supports a guarantee: it ends in *the worst case needs at most this delta*.

The worst case is a formula (:mod:`symdp.worst_case`), so that a derivation about another formula, a
smaller domain or other mechanisms is not mistaken for one of the guarantee. What a derivation may assume:
the domain of the guarantee, the setting of its subject (each $\varepsilon_\ell$ is positive, and so on),
and bounds by numbers on variables of its own that are gone in the end.

>>> from symdp.derivation import Derivation
>>> from symdp.registry import claim
>>> basic = claim("kov/thm-3.1")
>>> need_support(basic, Derivation(where=["x > 0"]).start("x").le("2*x").check())
Traceback (most recent call last):
...
symdp.proving.kernel.Rejected: it ends in x <= 2*x, not in what the guarantee needs
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from sympy import Symbol

from symdp.derivation.report import Report
from symdp.derivation.scope import has_sums, insert, relation_variables, show
from symdp.derivation.steps import Cite, Lemma, Suppose
from symdp.domain import Domain, DomainError
from symdp.numbers.ranges import Undefined, Unsupported
from symdp.privacy.gaussian import Gaussian
from symdp.privacy.laplace import Laplace
from symdp.proving.argument import Promise, domain_to_show, reading_of
from symdp.proving.guaranteeing import openings, voids
from symdp.proving.kernel import Rejected
from symdp.proving.reduction import CURVE, DOMINATION, GAUSSIANS, need_sensible
from symdp.proving.side_conditions import is_implied
from symdp.relation import Relation
from symdp.statement import Claim, Guarantee
from symdp.subject import AnyPrivate, AnySequence
from symdp.worst_case import MEANING, NoClosedForm, needed_delta, setting_of


def promise_of(claim: Guarantee) -> Promise:
    return Promise(claim.subject, claim.fold, claim.epsilon, claim.delta, claim.domain)


def has_worst_case(claim: Claim) -> bool:
    """Whether the claim is a guarantee whose worst case is a formula."""
    return isinstance(claim, Guarantee) and isinstance(
        claim.subject, AnyPrivate | AnySequence | Gaussian | Laplace)


def conclusion(claim: Guarantee) -> Relation:
    """What a derivation of the guarantee has to end in."""
    needed = needed_delta(claim.subject, claim.fold, claim.epsilon)
    return Relation(insert(needed, MEANING), "<=", insert(claim.delta, MEANING))


def need_support(claim: Guarantee, report: Report) -> frozenset[str]:
    """What is trusted when the derivation is taken for a proof of the guarantee; else Rejected."""
    try:
        wanted, shown = conclusion(claim), report.settled
    except NoClosedForm as clash:
        raise Rejected(str(clash)) from clash
    for found in () if shown is None else (shown, shown.mirrored()):
        if found.op in ("<=", "<") and (found.left, found.right) == (wanted.left, wanted.right):
            break
    else:
        ends = "nothing" if shown is None else show(shown)
        raise Rejected(f"it ends in {ends}, not in what the guarantee needs")
    for step in report.derivation.steps:
        if isinstance(step, Cite | Lemma) and step.reference and step.relation is not None and (
                step.relation.left, step.relation.right) in ((wanted.left, wanted.right),
                                                             (wanted.right, wanted.left)):
            raise Rejected("it cites what it has to show")
    supposed = [r for step in report.derivation.steps if isinstance(step, Suppose) for r in step.relations]
    assumed = [r for r in (*report.derivation.where, *supposed) if r not in setting_of(claim.subject)]
    promise, reason = promise_of(claim), ""
    for void, opened in product(voids(promise), openings(promise)):
        try:
            domain = domain_to_show(promise, opened, void)
        except (Rejected, Undefined, Unsupported):
            continue
        # Of a delta above 1, or a number of times that is none, the formula says nothing.
        need_sensible(promise.subject, promise.fold, domain)
        missing = _not_given(assumed, report.derivation.integers, domain, relation_variables(wanted))
        if not missing:
            return frozenset({*_theorems(claim), *reading_of(opened, void)})
        reason = reason or missing
    raise Rejected(f"it assumes {reason}, which the guarantee does not")


def gives(domain: Domain, relation: Relation) -> bool:
    """Whether the domain says so, or is seen to imply it.

    >>> from symdp.parsing import parse_conditions
    >>> (positive,) = parse_conditions("x > 0")
    >>> gives(Domain.of(parse_conditions("x >= 1")), positive)
    True
    """
    if {relation, relation.mirrored()} & {*domain.relations(), *domain.conditions}:
        return True
    try:
        return is_implied(relation, domain)
    except (Undefined, Unsupported, Rejected, TypeError):
        return False


def _theorems(claim: Guarantee) -> set[str]:
    if isinstance(claim.subject, Gaussian):
        return {GAUSSIANS, CURVE}
    return {DOMINATION} | ({CURVE} if isinstance(claim.subject, Laplace) else set())


def _not_given(
    assumed: Iterable[Relation], integers: frozenset[Symbol], domain: Domain, concluded: frozenset[Symbol]
) -> str:
    """An assumption that the domain does not give; empty if there is none."""
    known, own = set(domain.variables), []
    for v in sorted(integers & known - domain.integers, key=str):
        return f"{v} integer"
    for relation in assumed:
        variables = relation_variables(relation)
        if has_sums(relation.left, relation.right):  # of a family, and not in the setting
            return show(relation)
        if variables.isdisjoint(known | concluded):
            own.append(relation)
            continue
        if not variables <= known:
            return show(relation)
        if not gives(domain, relation):
            return show(relation)
    try:
        box = Domain.of(own, integers & frozenset().union(*(relation_variables(r) for r in own)))
    except DomainError:
        return ", ".join(map(show, own))
    # Bounds by numbers, each met by some number; anything else might be met by none.
    return ", ".join(map(show, box.conditions))
