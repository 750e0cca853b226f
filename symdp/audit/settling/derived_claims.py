"""A claim that rests on a derivation: one proof of the kernel where the claim is a formula, else an argument.

>>> from symdp.sources.derivations.derivation import Derivation
>>> from symdp.sources.statement import Structural
>>> proof = Derivation("A tail", where=["x >= 0"]).start("1 + x").le("exp(x)")
>>> verdict = establish(Structural("", "the tangent", derivation=proof), budget=5)
>>> verdict.status.value, verdict.words[0]
('argued', 'that this shows: the tangent')
"""

from __future__ import annotations

from typing import Any, cast

from symdp.arguments.derivations.checking import check_derivation
from symdp.arguments.derivations.report import Report
from symdp.arguments.derivations.standing import Standing
from symdp.arguments.formal.derivations import Formalised, formalise
from symdp.arguments.guarantees.search import support
from symdp.arguments.orders.from_derivation import order_from
from symdp.audit.seal import written
from symdp.audit.settling.formal_goals import formal_goal
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Relation
from symdp.kernel.goals import Goal
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.rules.orders import Order
from symdp.kernel.rules.privacy import Private
from symdp.kernel.rules.readings import Continued
from symdp.numbers.domain import DomainError
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.search.elaboration.derived_rules import RULES, verify
from symdp.search.elaboration.reused_proofs import step_from
from symdp.search.elaboration.trivial_goals import is_reflexive
from symdp.search.memories import memory, remembering
from symdp.search.verdict import Status, Verdict
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.expressions import DerivationError, insert
from symdp.sources.statement import Asymptotic, Claim, Guarantee
from symdp.sources.worst_case import MEANING, NoClosedForm, needed_delta

#: A derivation has many lines, each of which may take the budget of a claim: so many may, or one in so many.
PATIENCE, ONE_IN = 4, 2
MOST_FOR_A_LINE = 5.0
_GOOD = (Standing.PROVED, Standing.CITED, Standing.ARGUED)


def establish(claim: Claim, budget: float, *, whole: bool = False) -> Verdict:
    """What the derivation of a claim gives: proved, if the kernel has a proof of the claim itself from it.

    Only that is looked for as a ``whole``; else the lines by themselves are an argument.
    """
    if claim.derivation is None:
        return Verdict(Status.UNDECIDED, "it has no derivation")
    with remembering():  # what one proof of all lines needs, each line by itself needs too
        return _establish(claim, claim.derivation, budget, whole)


def _establish(claim: Claim, derivation: Derivation, budget: float, whole: bool) -> Verdict:
    goal = formal_goal(claim)
    lines = f"a derivation of {len(derivation.steps)} lines"
    if goal is None:  # in words, it is argued at best
        if whole:
            return Verdict(Status.UNDECIDED)
        return _line_by_line(claim, Formalised(None, None, stopped="the claim is no formula"), lines, budget)
    if isinstance(goal.claim, Order) and isinstance(claim, Asymptotic) and claim.constants:
        try:
            return Verdict(Status.PROVED, f"{lines}, with the constants {', '.join(map(to_text, claim.constants))}",
                           proof=order_from(goal.claim, derivation, claim.constants, budget))
        except Rejected as reason:
            return Verdict(Status.UNDECIDED, f"{lines}, but {reason}")
    found = formalised(derivation, budget, _conclusion(claim))
    if found.proof is None:
        if whole:
            return Verdict(Status.UNDECIDED, f"{lines}, but {found.stopped}")
        return _line_by_line(claim, found, lines, budget)
    if found.proof.goal.facts:
        raise ValueError("a proof comes without facts")
    # What is cited is a hypothesis of what was proved, and has to follow like any other; what is said in words
    # beside a complete proof of the claim is a remark.
    try:
        step = _step(goal, found.proof, budget)
        return Verdict(Status.PROVED, lines, proof=verify(goal, step, found.proof.uses))
    except Rejected as reason:
        # the same, but from assumptions that the claim does not make
        if found.proof.goal.claim == _inside(goal).claim:
            return _argued(claim, found, f"{lines}, but {reason}")
        return Verdict(Status.UNDECIDED, f"{lines}, but {reason}")


def _line_by_line(claim: Claim, found: Formalised, lines: str, budget: float) -> Verdict:
    """Where the lines do not yet make one proof of the kernel: each by itself, which is an argument at most."""
    reason = f"{lines}, which the kernel does not have as one proof: {found.stopped}"
    try:
        report = _report(claim.derivation, budget)  # type: ignore[arg-type]
    except (TimeIsUp, DerivationError, DomainError) as why:
        return Verdict(Status.UNDECIDED, f"{reason}; {str(why) or 'the time was up'}")
    proved = [line for line in report.walk() if line.standing is Standing.PROVED]
    if report.standing not in _GOOD or not proved:
        return Verdict(Status.UNDECIDED, reason)
    wanted, settled = _conclusion(claim), report.settled
    if formal_goal(claim) is not None and not (
            wanted is not None and settled is not None and wanted in (settled, settled.mirrored())):
        return Verdict(Status.UNDECIDED, f"{reason}; it does not end in the claim")
    whole = () if report.proof is not None else ("that the lines, each checked by itself, make one argument",)
    cited = tuple(f"cited: {line.text}" for line in report.walk() if line.citation is not None)
    words = (f"that this shows: {claim.says}", *whole, *report.words, *cited)
    checked = tuple(str(line.proofs[-1].goal) for line in proved if not is_reflexive(line.proofs[-1].goal))
    # of a claim in words nobody expects one proof; what can be proved of its derivation is
    formulas = "1 of them a formula, which is proved" if len(proved) == 1 else \
        f"{len(proved)} of them formulas, which are proved"
    method = f"{lines}, {formulas}; the rest is words" if formal_goal(claim) is None else \
        f"{reason}; by themselves {len(proved)} lines are proved"
    return Verdict(Status.ARGUED, method,
                   words=tuple(dict.fromkeys(words)), checked=checked)


def _patience(derivation: Derivation, budget: float) -> float:
    """The work that all lines together may take."""
    return max(PATIENCE, len(derivation.steps) / ONE_IN) * min(budget, MOST_FOR_A_LINE)


def _argued(claim: Claim, found: Formalised, method: str) -> Verdict:
    """A proof of something, and words that tie it to the claim."""
    cited = tuple(f"cited: {formula}" for formula in found.cited)
    words = (f"that this shows: {claim.says}", *cited, *found.words)
    checked = tuple(str(p.goal) for p in (*found.lemmas, found.proof) if p is not None and not is_reflexive(p.goal))
    shown = f"; checked by the kernel: {checked[-1]}" if checked else ""
    return Verdict(Status.ARGUED, f"{method}{shown}", words=words, checked=checked)


#: of this claim: what became of its derivation
_TRIED = memory()
#: of all claims that this process has settled: derivations that led to their end
_SHOWN: dict[Any, Any] = {}
_MOST_KEPT = 16


def formalised(derivation: Derivation, budget: float, claim: Relation | None) -> Formalised:
    """Several claims may rest on one derivation, which then is checked once.

    Of what did not succeed nothing is kept for other claims: they may know more.
    """
    key = (derivation, written(derivation), budget, claim)
    if (known := _TRIED.get(key) or _SHOWN.get(key)) is not None:
        return cast("Formalised", known)
    try:
        with hard_deadline(_patience(derivation, budget)):
            found = formalise(derivation, budget, claim=claim)
    except TimeIsUp:
        found = Formalised(None, None, stopped="the time was up")
    _TRIED[key] = found
    if found.proof is not None:
        _keep(key, found)
    return found


def _report(derivation: Derivation, budget: float) -> Report:
    """The lines of a derivation, each by itself; checked once for all claims, if they hold."""
    key = (derivation, written(derivation), budget)
    if key in _SHOWN:
        return cast("Report", _SHOWN[key])
    with hard_deadline(_patience(derivation, budget)):
        found = check_derivation(derivation, budget=budget, remarks=False)
    if found.standing in _GOOD:
        _keep(key, found)
    return found


def _keep(key: Any, found: Formalised | Report) -> None:
    if len(_SHOWN) >= _MOST_KEPT:
        _SHOWN.clear()
    _SHOWN[key] = found


def conclusion(claim: Guarantee) -> Relation:
    """What a derivation of the guarantee has to end in: *the worst case needs at most this delta*.

    The worst case is a formula (:mod:`symdp.sources.worst_case`), else NoClosedForm; the kernel's rule ``worst-case``
    makes the guarantee from it, so that a derivation about another formula, a smaller domain or other mechanisms is
    of no use.

    >>> from symdp.sources.registry import claim
    >>> print(conclusion(claim("kov/thm-3.1")).right)
    delta*k
    """
    needed = needed_delta(claim.subject, claim.fold, claim.epsilon)
    return Relation(insert(needed, MEANING), "<=", insert(claim.delta, MEANING))


def _conclusion(claim: Claim) -> Relation | None:
    """What the derivation has to end in."""
    if isinstance(claim, Guarantee):
        try:
            return conclusion(claim)
        except NoClosedForm:
            return None
    return getattr(claim, "relation", None)


def _inside(goal: Goal) -> Goal:
    """What a claim says before limits are taken at the ends of its domain."""
    if not isinstance(goal.claim, Continued):
        return goal
    (inside,) = RULES["continued"](goal, {})
    return inside


def _step(goal: Goal, proof: Proof, budget: float) -> Step:
    """A step for the claim's goal from the proof of what the derivation shows."""
    if isinstance(goal.claim, Continued):
        return Step("continued", {}, (step_from(_inside(goal), proof, budget),))
    if isinstance(goal.claim, Private):
        return support(goal, proof, budget)
    return step_from(goal, proof, budget)
