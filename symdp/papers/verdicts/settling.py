r"""What the judge of derivations says of a relation -> the verdict on it."""

from __future__ import annotations

import re
from dataclasses import replace

from symdp.arguments.derivations.checking import check_derivation
from symdp.arguments.derivations.obligations import Reducer
from symdp.arguments.derivations.report import CheckedLine
from symdp.arguments.derivations.standing import Standing
from symdp.formulas.relation import Relation
from symdp.kernel.proof import Proof
from symdp.papers.finding import Finding
from symdp.papers.formulas.factorials import rearranged
from symdp.papers.verdicts.certificates import certificate
from symdp.papers.verdicts.points import witness_of
from symdp.papers.verdicts.question import LinkQuestion
from symdp.papers.verdicts.refuting import homogeneous, refuted, with_more
from symdp.papers.verdicts.said import missing, unfounded, used
from symdp.papers.verdicts.together import CONTRADICT, inhabited
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.expressions import has_sums, relation_variables
from symdp.sources.derivations.lines import Link, Start
from symdp.sources.derivations.scope import related

BY_RULES = "by SymPy's rules of factorials, not by the kernel"


def settled(q: LinkQuestion, checked: CheckedLine) -> Finding:
    """The finding on a relation that the judge has looked at."""
    q = replace(q, finding=replace(q.finding, hypotheses=used(q)))
    if checked.standing is Standing.PROVED:
        return _right(q, checked)
    lacking = missing(q)
    # of a gap the ends of the chain compare as claimed; an equation is false all the same
    if checked.standing is Standing.FALSE or (checked.standing is Standing.GAP and q.relation.op == "=="):
        return refuted(q, checked, lacking)
    if checked.standing is Standing.GAP:
        return _gap(q, checked, lacking)
    by_laws = _proof_of(q, q.expanded) if has_sums(q.expanded.left, q.expanded.right) else None
    if by_laws is not None and not q.work.computed and inhabited(q):
        return replace(q.finding, verdict="proved", certificate=certificate(q, by_laws))
    if q.by_rules or rearranged(q.expanded, q.scope.where, q.scope.integers):
        return replace(q.finding, verdict="argued", message=BY_RULES)
    why = _numbered(checked.why, q.work.findings).removeprefix("undecided: ") or "no proof was found"
    if q.opaque:
        why = f"it rests on what {q.named} is; {why}"
    return replace(q.finding, verdict="undecided", message=line(why), missing=lacking)


def _right(q: LinkQuestion, checked: CheckedLine) -> Finding:
    if not inhabited(q):
        return replace(q.finding, verdict="undecided", message=CONTRADICT)
    verdict, proof = _proved(q, checked)
    if verdict == "argued":
        message = line(f"found right line by line, without a proof of the kernel's: {checked.why}")
        return replace(q.finding, verdict=verdict, message=message)
    message = _numbered("; ".join(checked.notes), q.work.findings)
    given, wrong = unfounded(q)
    if given:
        said = ", ".join(map(str, given))
        message = f"with {said}, which the text gives as a reason and nothing before it says"
        if wrong:  # and what is said before allows the opposite
            return replace(q.finding, verdict="undecided", message=f"it holds {message}", missing=(said,))
        return replace(q.finding, verdict="argued", message=message)
    if q.work.computed:
        message = f"with the value that SymPy gives of {', '.join(q.work.computed)}"
        return replace(q.finding, verdict="argued", message=message)
    return replace(q.finding, verdict=verdict, message=message, certificate=certificate(q, proof))


def _gap(q: LinkQuestion, checked: CheckedLine, lacking: tuple[str, ...]) -> Finding:
    unknown = q.opaque and not homogeneous(q)
    softer = "" if lacking or unknown else with_more(q)
    lacking = (softer,) if softer else lacking
    return replace(
        q.finding,
        verdict="undecided" if lacking or unknown or q.work.denied else "gap",
        message=_numbered(checked.why, q.work.findings),
        witness=witness_of(q, checked),
        missing=lacking,
    )


def _proved(q: LinkQuestion, checked: CheckedLine) -> tuple[str, Proof | None]:
    """Whether the kernel has a proof of the relation itself, or only the judge says so."""
    outcome = checked.outcome
    proofs = [o.verdict.formal for o in outcome.obligations]
    if not outcome.laws and proofs and all(isinstance(p, Proof) for p in proofs) and not checked.step.uses:
        proof = proofs[-1]
        return "proved", proof if isinstance(proof, Proof) else None
    proof = _proof_of(q, checked.relation or q.expanded)
    return ("proved", proof) if proof is not None else ("argued", None)


def _proof_of(q: LinkQuestion, expanded: Relation) -> Proof | None:
    """The kernel's proof of a relation as a derivation of one line, which knows the laws of sums."""
    steps = (Start(expanded.left, needs=expanded.needs), Link(expanded.op, expanded.right))
    families = [r for r in q.scope.where if has_sums(r.left, r.right)]
    near = tuple(dict.fromkeys((*related(q.scope.where, relation_variables(expanded)), *families)))
    report = check_derivation(
        Derivation("", near, q.scope.integers, steps), budget=q.budget, reducer=Reducer(q.budget)
    )
    last = report.lines[-1]
    return last.proofs[-1] if last.standing is Standing.PROVED and last.proofs else None


def line(text: str) -> str:
    """One line for a person."""
    return " ".join(text.split())[:400]


def _numbered(why: str, findings: tuple[Finding, ...]) -> str:
    """Lines of a chain by those of the document."""

    def of_document(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"line {findings[max(0, min(number - 1, len(findings) - 1))].line}"

    return line(re.sub(r"\bline (\d+)\b", of_document, why))
