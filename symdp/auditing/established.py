"""A claim that rests on a derivation: every line settled, what is cited named.

>>> from symdp.derivation import Derivation
>>> from symdp.statement import Structural
>>> proof = Derivation("A tail", where=["x >= 0"]).start("1 + x").le("exp(x)")
>>> verdict = establish(Structural("", "the tangent", derivation=proof), budget=5)
>>> verdict.status.value, verdict.method
('proved', 'a derivation of 2 lines, 1 proved')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sympy import Add, Expr, Sum

from symdp import floating
from symdp.auditing.record import digest_of
from symdp.auditing.supporting import gives, has_worst_case, need_support
from symdp.derivation.checking import check_derivation
from symdp.derivation.derivation import Derivation
from symdp.derivation.obligations import Settler
from symdp.derivation.report import Report, Standing
from symdp.derivation.scope import DerivationError, show
from symdp.derivation.steps import Let, Step, Suppose, With
from symdp.domain import Domain, DomainError
from symdp.proving.certificate import (
    FORMAT,
    BadCertificate,
    point_from,
    rows_of,
    steps_from,
    versions,
)
from symdp.proving.continuation import need_limits, reading, without_end
from symdp.proving.evidence import Evidence
from symdp.proving.kernel import Goal, Proof, Rejected, Witness, refute, verify
from symdp.proving.verdict import Status, Verdict
from symdp.relation import Relation
from symdp.statement import Asymptotic, Claim, Guarantee
from symdp.text import said

_SEAL = object()


class Established(Evidence):
    """A derivation whose every line is proved or cited. Made by :func:`establish` alone."""

    def __init__(
        self, claim: Claim, report: Report, reduction: frozenset[str] = frozenset(), seal: object = None
    ) -> None:
        if seal is not _SEAL:
            raise TypeError("only `establish` makes this")
        self.claim, self.report = claim, report
        own = [r for r in report.derivation.where if not r.symbols <= set(claim.domain.variables)]
        if has_worst_case(claim):  # then no more is assumed than the subject gives
            own = []
        setting = f"that its setting exists: {', '.join(map(show, own))}"
        end = [reading(claim.limit_at.left, claim.limit_at.right)] if claim.limit_at else []
        self.trust = frozenset(
            {*report.on_trust, *reduction, *([setting] if own and claim.domain.variables else []), *end})
        proofs = [o.verdict.proof for o in _obligations(report)]
        self.boxes = sum(p.boxes for p in proofs if p is not None)

    def certificate(self, name: str) -> dict[str, Any]:
        parts: dict[str, Any] = {}
        for o in _obligations(self.report):
            goal = str(Goal.of(o.relation, o.domain))
            if isinstance(o.verdict.proof, Proof):
                parts[goal] = {"steps": rows_of(o.verdict.proof.step)}
            elif isinstance(o.verdict.witness, Witness):
                point = o.verdict.witness.point
                parts[goal] = {"witness": {str(v): str(u) for v, u in point.items()}}
        return {"format": FORMAT, "kind": "derivation", "name": name, "claim": self.claim.says,
                "digest": digest_of(self.claim), "versions": versions(),
                "trust": sorted(self.trust), "parts": parts}

    def explanation(self) -> list[str]:
        return str(self.report).splitlines()


def _obligations(report: Report) -> list[Any]:
    return [o for line in report.walk() for o in line.outcome.obligations]


def establish(claim: Claim, budget: float, settler: Settler | None = None) -> Verdict:
    """Check the derivation of a claim; it has to end in the claim, where that is a relation."""
    if claim.derivation is None:
        return Verdict(Status.UNDECIDED, "it has no derivation")
    try:
        report = (_report(claim.derivation, budget) if settler is None
                  else check_derivation(claim.derivation, budget=budget, settler=settler))
    except (DerivationError, DomainError) as reason:
        return Verdict(Status.UNDECIDED, f"its derivation cannot be read: {reason}")
    proved = sum(line.standing is Standing.PROVED for line in report.walk())
    cited = sum(line.standing is Standing.CITED for line in report.walk())
    total = sum(1 for _ in report.walk())
    words = f"a derivation of {total} lines, {proved} proved" + (f", {cited} cited" if cited else "")
    if report.standing not in (Standing.PROVED, Standing.CITED) or not proved:
        open_line = next((line for line in report.walk() if line.standing in (
            Standing.FALSE, Standing.GAP, Standing.UNDECIDED)), None)
        where = f"; line {open_line.number} is {open_line.standing.value}" if open_line else ""
        return Verdict(Status.UNDECIDED, words + where)
    relation = getattr(claim, "relation", None)
    if relation is not None and not _ends_in(report, relation):
        return Verdict(Status.UNDECIDED, f"{words}, but it ends in {report.shown}")
    if isinstance(claim, Guarantee) and has_worst_case(claim):
        try:
            reduction = need_support(claim, report)
        except Rejected as reason:
            return Verdict(Status.UNDECIDED, f"{words}, but {reason}")
        return Verdict(Status.PROVED, words, proof=Established(claim, report, reduction, _SEAL))
    stranger = unmentioned(claim)
    if stranger is not None:
        return Verdict(Status.UNDECIDED, f"{words}, but it does not speak of {said(stranger)}")
    try:
        missing = _not_in_the_claim(claim, _where_shown(claim))
    except Rejected as reason:
        return Verdict(Status.UNDECIDED, f"{words}, but {reason}")
    if missing:
        return Verdict(Status.UNDECIDED, f"{words}, but it assumes {missing}, which the claim does not")
    return Verdict(Status.PROVED, words, proof=Established(claim, report, seal=_SEAL))


def _where_shown(claim: Claim) -> Domain:
    """Where the derivation has to hold: on the domain, without an end at which limits are read."""
    if claim.limit_at is None:
        return claim.domain
    v, at = claim.limit_at.left, claim.limit_at.right
    relation = getattr(claim, "relation", None)
    if relation is None:
        raise Rejected("only a relation is read as a limit")
    need_limits(Goal.of(relation, claim.domain), v, at)
    return without_end(claim.domain, v, at)


@lru_cache(maxsize=8)
def _report(derivation: Derivation, budget: float) -> Report:
    """Several claims may rest on one derivation, which then is checked once."""
    return check_derivation(derivation, budget=budget)


def _not_in_the_claim(claim: Claim, domain: Domain) -> str:
    """An assumption of the derivation that the domain of the claim does not give; empty if none.

    A claim without variables of its own says in words where it lives, and its derivation in symbols.
    An order holds near a point, and a range that was asked for is what the derivation finds.
    """
    derivation = claim.derivation
    if derivation is None or not domain.variables:
        return ""
    if claim.task == "derive" or isinstance(claim, Asymptotic):
        return ""
    whole = {v for v in derivation.integers if v in domain.intervals}
    for v in sorted(whole - domain.integers, key=str):
        return f"{v} integer"
    supposed = [r for step in derivation.steps if isinstance(step, Suppose) for r in step.relations]
    for relation in (*derivation.where, *supposed):
        if not relation.symbols <= set(domain.variables):
            continue  # about a variable that the derivation brings itself; listed as trust
        if not gives(domain, relation):
            return str(relation)
    return ""


def unmentioned(claim: Claim) -> Expr | None:
    """A formula of the claim that its derivation never mentions, not even with another factor.

    Where a derivation cannot end in the claim itself (a guarantee, an order), this ties the two
    together: with another formula in the claim, the derivation is no longer about it.
    """
    if claim.derivation is None or claim.task == "derive":
        return None
    if not isinstance(claim, Guarantee | Asymptotic):
        return None
    formulas = (claim.epsilon, claim.delta) if isinstance(claim, Guarantee) else (claim.left, claim.right)
    said_there = expressions_of(claim.derivation.steps)
    meaning = {step.name: step.expr for step in claim.derivation.steps if isinstance(step, Let | With)}
    for _ in meaning:  # a name may stand for something with names in it
        said_there += [e.xreplace(meaning) for e in said_there if e.free_symbols & set(meaning)]
    for formula in formulas:
        if formula.is_Symbol or formula.is_Number:
            continue
        exactly = isinstance(claim, Guarantee)
        if not any(e.has(formula) or _same(e, formula, exactly) for e in said_there):
            return formula
    return None


def expressions_of(steps: Sequence[Step]) -> list[Expr]:
    """Every expression that the steps write down, and every term of a sum in them."""
    found: list[Expr] = []
    for step in steps:
        relations = [getattr(step, "relation", None), *getattr(step, "relations", ())]
        sides = [side for r in relations if r is not None for side in (r.left, r.right)]
        found += [*sides, *([step.expr] if hasattr(step, "expr") else [])]
        for block in ("base", "step"):
            found += expressions_of(getattr(step, block, ()))
        for branch in getattr(step, "branches", ()):
            found += expressions_of(branch.steps)
    return list(dict.fromkeys(part for e in found for part in (e, *Add.make_args(e))))


def _same(written: Expr, formula: Expr, exactly: bool) -> bool:
    """Whether two expressions agree at some points in floats, up to a factor unless ``exactly``.

    It only ties a derivation to its claim; nothing is proved by it.
    """
    variables = sorted(formula.free_symbols, key=str)
    if set(written.free_symbols) != set(variables) or written.has(Sum) or formula.has(Sum):
        return False
    try:
        one, other = (floating.function(e, variables) for e in (written, formula))
    except TypeError:
        return False
    ratios = []
    for shift in (0.0, 0.11, 0.23, 0.31):
        at = [0.17 + shift + 0.05 * i for i in range(len(variables))]
        below = other(at)
        if not below or below != below:
            return False
        ratios.append(one(at) / below)
    first = 1.0 if exactly else ratios[0]
    return all(abs(r - first) <= 1e-9 * abs(first) for r in ratios)


def _ends_in(report: Report, relation: Relation) -> bool:
    """The last line of the derivation says what the claim says, of variables and not of names."""
    shown = report.settled
    return shown is not None and (shown == relation or shown.mirrored() == relation)


# --- made anew ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Replay(Settler):
    """Settles a relation by the steps of a certificate, and not at all without them."""

    parts: dict[str, Any] = field(default_factory=dict)

    def hurried(self, most: float) -> Settler:
        return self

    def _verdict(self, relation: Relation, domain: Domain) -> Verdict:
        goal = Goal.of(relation, domain)
        part = self.parts.get(str(goal))
        try:
            if isinstance(part, dict) and "steps" in part:
                return Verdict(Status.PROVED, "replayed", proof=verify(goal, steps_from(part["steps"])))
            if isinstance(part, dict) and "witness" in part:
                found = refute(goal, point_from(part["witness"]))
                return Verdict(Status.REFUTED, "replayed", witness=found)
        except Rejected as reason:
            raise BadCertificate(str(reason)) from reason
        return Verdict(Status.UNDECIDED, "not in the certificate")


def recheck_established(document: dict[str, Any], claim: Claim) -> Established:
    """The derivation of the claim once more, with the steps of the certificate."""
    if document.get("digest") != digest_of(claim) or not isinstance(document.get("parts"), dict):
        raise BadCertificate("the certificate does not belong to this claim as it stands today")
    verdict = establish(claim, 0.0, Replay(0.0, document["parts"]))
    if not isinstance(verdict.proof, Established):
        raise BadCertificate(f"the derivation does not go through: {verdict.method}")
    return verdict.proof

