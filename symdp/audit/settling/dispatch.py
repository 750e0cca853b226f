"""Bring a claim to the tool that settles it.

A claim may come with a derivation or with instances to compute; a relation goes to the prover, a
guarantee to the exact worst case, an order relation to the expansions. A verdict is never written down
by hand: it is what these tools say.

>>> from symdp.sources.registry import claim
>>> settle(claim("kov/thm-3.1")).status.value
'proved'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import process_time

from sympy import Expr, Symbol

from symdp.arguments.guarantees.findings import violate
from symdp.arguments.guarantees.search import decide_guarantee
from symdp.arguments.orders.decision import decide_order
from symdp.audit.settling.derived_claims import establish
from symdp.audit.settling.formal_goals import formal_goal, read_as_limit, status_by
from symdp.audit.settling.instances import argue_from_examples
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Relation
from symdp.formulas.translation import NotATerm
from symdp.kernel.goals import IllFormed
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.numbers.domain import Domain, DomainError, goal_of, without_end
from symdp.search.elaboration.derived_rules import RULES, verify
from symdp.search.memories import remembering
from symdp.search.prove import DEFAULT_BUDGET, NotDefined, decide_relation
from symdp.search.reasons import Reason
from symdp.search.sharpening import NoThreshold, sharpest_of
from symdp.search.tactics.refutation import refute_at
from symdp.search.verdict import Status, Verdict
from symdp.search.view.goals import DEFAULT_BITS, Counterexample, Target
from symdp.sources.drawings import DRAWINGS
from symdp.sources.statement import (
    Asymptotic,
    Claim,
    Comparison,
    Guarantee,
    Identity,
    Inequality,
)

#: Seconds that routes to a guarantee may take, however long a claim may.
MOST_FOR_ROUTES = 40.0
#: The same for order relations, of which each of several searches may take the budget.
MOST_FOR_ORDERS = 10.0
#: The share of the budget for a claim by itself, where it comes with a derivation: most of those need it.
#: An order may have more, and a guarantee a look at each of its routes, which are shorter than most derivations.
A_GLANCE, A_GLANCE_AT_AN_ORDER = 0.05, 0.2


def settle(claim: Claim, *, budget: float = DEFAULT_BUDGET, bits: int = DEFAULT_BITS) -> Verdict:
    """The verdict on a claim of the literature, or on one of a user's own."""
    begun = process_time()
    with remembering():
        verdict = _about(claim, _settle(claim, budget, bits))
    return replace(verdict, seconds=process_time() - begun)


def _about(claim: Claim, verdict: Verdict) -> Verdict:
    """The verdict, if it is about the formal goal that the claim is; a proof of anything else is an argument."""
    if verdict.status not in (Status.PROVED, Status.REFUTED) or verdict.formal is None:
        return verdict
    if status_by(claim, verdict.formal) is verdict.status:
        return verdict
    shown, against = verdict.formal.goal, verdict.status is Status.REFUTED
    return Verdict(Status.ARGUED, verdict.method, words=(f"that this says the same: {claim.says}",),
                   checked=(str(shown),), against=against, boxes=verdict.boxes)


def _settle(claim: Claim, budget: float, bits: int) -> Verdict:
    if claim.task == "cite":
        return Verdict(Status.CITED, "recorded with its reference")
    if claim.task == "draw":
        return _drawn(claim)
    if claim.task == "derive" and formal_goal(claim) is None:
        return _derived(claim, budget)
    verdict = _in_some_way(claim, budget, bits)
    if claim.task == "derive" and _about(claim, verdict).status is Status.PROVED:
        return replace(verdict, status=Status.DERIVED)  # the formula says what was to be found
    return verdict


def _in_some_way(claim: Claim, budget: float, bits: int) -> Verdict:
    best, tried = Verdict(Status.UNDECIDED), []
    for way in _ways(claim, budget, bits):
        verdict = way()
        if verdict.status not in (Status.UNDECIDED, Status.SUPPORTED, Status.ARGUED):
            return verdict
        tried.append(verdict.method)
        best = max(best, verdict, key=_weight)
    if best.status is Status.UNDECIDED:
        return replace(best, method=Reason.joined([*dict.fromkeys(tried)]))
    return best


def _weight(verdict: Verdict) -> tuple[bool, bool, bool]:
    """An instance that speaks against a claim outweighs words that speak for it."""
    argued = verdict.status is Status.ARGUED
    return argued and verdict.against, argued, verdict.status is Status.SUPPORTED


def _ways(claim: Claim, budget: float, bits: int) -> Iterator[Callable[[], Verdict]]:
    """The claim by itself; from its derivation, which is given where that is not easy; from its instances.

    What can prove it comes first: a derivation as one proof, then a longer look at the claim itself; its lines one by
    one, and instances, are arguments at best.
    """
    if claim.derivation is None:
        yield lambda: _decided(claim, budget, bits)
    else:
        constants = claim.constants if isinstance(claim, Asymptotic) else None
        if not constants:  # an order has them where no search finds them
            yield lambda: _at_a_glance(claim, budget, bits)
        if constants is None or constants:  # an inequality without them makes no order
            yield lambda: establish(claim, budget, whole=True)
        yield lambda: _decided(claim, budget, bits)
        yield lambda: establish(claim, budget)
    if claim.examples:
        yield lambda: argue_from_examples(claim)


def _at_a_glance(claim: Claim, budget: float, bits: int) -> Verdict:
    if isinstance(claim, Guarantee):
        return decide_guarantee(claim, budget=min(2 * budget, MOST_FOR_ROUTES), glance=True)
    return _decided(claim, budget * (A_GLANCE_AT_AN_ORDER if isinstance(claim, Asymptotic) else A_GLANCE), bits)


def _decided(claim: Claim, budget: float, bits: int) -> Verdict:
    if isinstance(claim, (Inequality, Comparison, Identity)):
        try:
            if claim.limit_at is not None:
                return _continued(claim, claim.limit_at, budget, bits)
            # With more hypotheses than its domain has, a point at which it fails is one of theirs.
            formal = formal_goal(claim) if claim.members else None
            if (seen := _seen_to_fail(claim)) is not None:
                return Verdict(Status.REFUTED, Reason.of("it fails at ", seen.point), witness=seen)
            return decide_relation(claim.relation, claim.domain, formal=formal, budget=budget, bits=bits)
        except (NotDefined, Rejected, NotATerm, IllFormed) as reason:
            return Verdict(Status.UNDECIDED, str(reason))
    if isinstance(claim, Guarantee):
        return decide_guarantee(claim, budget=min(2 * budget, MOST_FOR_ROUTES))
    if isinstance(claim, Asymptotic):
        return _in_regime(claim, budget)
    if claim.examples or claim.derivation is not None:
        return Verdict(Status.UNDECIDED)
    return Verdict(Status.UNDECIDED, "it has neither a formula nor a derivation nor an instance")


def _seen_to_fail(claim: Inequality | Comparison | Identity) -> Counterexample | None:
    """The point that the claim names, if the goal that the claim is does fail there."""
    if not claim.fails_at:
        return None
    try:
        return refute_at(Target.of(claim.relation, claim.domain), claim.fails_at, formal_goal(claim))
    except Rejected:
        return None


def _continued(
    claim: Inequality | Comparison | Identity, end: Relation, budget: float, bits: int
) -> Verdict:
    """The relation without that end of its domain, and there as a limit."""
    goal = read_as_limit(goal_of(claim.relation, claim.domain), end)
    try:
        (inside,) = RULES["continued"](goal, {})
        off = without_end(claim.domain, end.left, end.right)
    except (Rejected, DomainError, ArithmeticError) as reason:
        return Verdict(Status.UNDECIDED, str(reason))
    verdict = decide_relation(claim.relation, off, formal=inside, budget=budget, bits=bits)
    if not isinstance(verdict.formal, Proof) or verdict.status is not Status.PROVED:
        return verdict
    whole = verify(goal, Step("continued", {}, (verdict.formal.step,)))
    limit = Reason.of("at ", {end.left: end.right}, " as a limit")
    return replace(verdict, method=Reason.joined([verdict.method, limit]), proof=whole)


def _in_regime(claim: Asymptotic, budget: float) -> Verdict:
    return decide_order(claim, budget=min(budget, MOST_FOR_ORDERS))


def _derived(claim: Claim, budget: float) -> Verdict:
    """What is asked for is a value: the largest range, the best constant, a growth."""
    if isinstance(claim, Guarantee) and claim.over is not None and claim.up_to is not None:
        return _how_far(claim, claim.over, claim.up_to, budget)
    if isinstance(claim, (Inequality, Comparison)) and claim.over is not None:
        try:
            found = sharpest_of(claim.relation, claim.domain, claim.over, budget=budget)
        except NoThreshold as reason:
            whole = decide_relation(claim.relation, claim.domain, budget=budget)
            if whole.status is Status.PROVED:
                text = f"it holds on the whole of {claim.domain}"
                return Verdict(Status.DERIVED, text, proof=whole.proof)
            return Verdict(Status.UNDECIDED, str(reason))
        proofs = [p.proof for p in found.pieces if p.holds]
        if proofs and found.certain:
            return Verdict(Status.DERIVED, f"it holds for {' and '.join(found.holds)}, and fails for each "
                           f"{' and each '.join(found.fails)}", proof=proofs[0])
        return Verdict(Status.UNDECIDED, f"it is not known for {' and '.join(found.unknown)}")
    if claim.examples:
        found_example = argue_from_examples(claim)
        if found_example.status is Status.PROVED:
            return replace(found_example, status=Status.DERIVED)
        return found_example
    if claim.derivation is not None:
        report = establish(claim, budget)
        return replace(report, status=Status.DERIVED) if report.status is Status.PROVED else report
    return Verdict(Status.UNDECIDED, "nothing says how to derive it")


def _how_far(claim: Guarantee, over: Symbol, end: Expr, budget: float) -> Verdict:
    """How far a guarantee holds, from both sides: the kernel's proof up to a value, and its point beyond."""
    whole = replace(claim, task="decide", over=None)
    below = replace(whole, domain=Domain.of((*claim.domain.relations(), Relation(over, "<=", end)),
                                            claim.domain.integers, claim.domain.variables))
    holds = _about(below, _in_some_way(below, budget, DEFAULT_BITS))
    if holds.status is not Status.PROVED:
        return Verdict(Status.UNDECIDED, f"that it holds for {over} <= {to_text(end)} is {holds.status.value}")
    try:
        fails = violate(whole, claim.fails_at)
    except Rejected as reason:
        return Verdict(Status.UNDECIDED, str(reason))
    between = f"it holds for {over} <= {to_text(end)}, and the largest one is at most {to_text(claim.fails_at[over])}"
    return Verdict(Status.DERIVED, Reason.joined([between, fails.where()]), proof=holds.proof, witness=fails)


def _drawn(claim: Claim) -> Verdict:
    name = claim.id.rpartition("/")[2]
    if name in DRAWINGS:
        return Verdict(Status.DRAWN, f"`symdp figure {name}` draws it")
    return Verdict(Status.UNDECIDED, "it is not drawn yet")
