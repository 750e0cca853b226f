r"""Proofs and counterexamples that somebody else has found, for a judge that would have to search for them.

Whoever searches writes down a certificate for each goal that is settled; whoever judges the same lines again is given
them. They are not trusted: one that is looked up is replayed by the kernel and must be about the very goal that is
asked, and for all that none is given, or a wrong one, the judge searches by itself.

>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> from symdp.arguments.derivations.obligations import Reducer
>>> from symdp.sources.derivations.scope import Scope
>>> scope, claim = Scope(parse_conditions("x >= 0")), parse_relation("exp(x) >= 1 + x")
>>> with written_down() as certificates:
...     first = Reducer(budget=5).reduce(claim, scope)
>>> with given(certificates):
...     again = Reducer(budget=5).reduce(claim, scope)
>>> again.status.value, again.obligations[0].verdict.method
('proved', 'found elsewhere')
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from sympy import Rational

from symdp.formulas.relation import Relation
from symdp.formulas.translation import NotATerm
from symdp.kernel.certificate import BadCertificate, digest_of, recheck
from symdp.kernel.proof import Proof, Rejected
from symdp.kernel.witness import Witness
from symdp.numbers.domain import Domain, goal_of
from symdp.search.certificates import document_of
from symdp.search.prove import refuse_undefined
from symdp.search.reasons import Reason
from symdp.search.tactics.refutation import refute_at
from symdp.search.verdict import Status, Verdict
from symdp.search.view.goals import Target

#: The certificates of goals as texts, by the digests of the goals.
_GIVEN: ContextVar[Mapping[str, str] | None] = ContextVar("given", default=None)
_WRITTEN: ContextVar[dict[str, str] | None] = ContextVar("written", default=None)


@contextmanager
def written_down() -> Iterator[dict[str, str]]:
    """Everything that is settled meanwhile, as certificates."""
    certificates: dict[str, str] = {}
    before = _WRITTEN.set(certificates)
    try:
        yield certificates
    finally:
        _WRITTEN.reset(before)


@contextmanager
def given(certificates: Mapping[str, str]) -> Iterator[None]:
    """What is asked meanwhile is looked up among these first."""
    before = _GIVEN.set(certificates)
    try:
        yield
    finally:
        _GIVEN.reset(before)


def write_down(verdict: Verdict) -> None:
    """Keep the certificate of what was settled, where somebody wants it."""
    certificates, found = _WRITTEN.get(), verdict.formal
    if certificates is not None and isinstance(found, (Proof, Witness)):
        certificates[digest_of(found.goal)] = json.dumps(document_of(found))


def looked_up(relation: Relation, domain: Domain) -> Verdict | None:
    """The verdict by the certificate that was given for it, if the kernel accepts that; NotDefined as the search."""
    certificates = _GIVEN.get()
    if not certificates:
        return None
    try:
        goal = goal_of(relation, domain)
    except NotATerm:
        return None
    text = certificates.get(digest_of(goal))
    if text is None:
        return None
    refuse_undefined(goal, domain)  # what has no value somewhere is not settled by a point elsewhere
    try:
        found = recheck(json.loads(text))
        if found.goal != goal:
            return None
        if isinstance(found, Proof):
            return Verdict(Status.PROVED, "found elsewhere", proof=found)
        names = {str(v): v for v in domain.variables}
        point = {names[name]: Rational(int(q.p), int(q.q)) for name, q in found.point.values.items()}
        witness = refute_at(Target.of(relation, domain), point, goal)
    except (BadCertificate, Rejected, ValueError, TypeError, KeyError, ArithmeticError, RecursionError, MemoryError):
        return None
    return Verdict(Status.REFUTED, Reason.of("it fails at ", point), witness=witness)
