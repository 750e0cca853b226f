r"""Kernel steps for goals without sums: what the search of :mod:`symdp.search` finds, elaborated.

Nothing here is trusted: the kernel verifies the step that comes out.
"""

from __future__ import annotations

from collections.abc import Iterable

from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation
from symdp.formulas.translation import expr_of
from symdp.kernel.goals import Formula, Goal, IllFormed
from symdp.kernel.goals import Relation as Formal
from symdp.kernel.proof import Parameters, Proof, Rejected, Step
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.terms import BINDERS, subterms
from symdp.kernel.values.ranges import Unsupported
from symdp.numbers.domain import DomainError
from symdp.search.elaboration.derived_rules import RULES, followed
from symdp.search.prove import NotDefined, decide_relation
from symdp.search.verdict import Status
from symdp.sources.derivations.scope import assemble, related


class Unproved(Exception):
    """The search ended; the reason is one line."""


def premises_of(goal: Goal, rule: str, parameters: Parameters) -> list[Goal]:
    """What a rule leaves open; Unproved where it does not apply."""
    try:
        return RULES[rule](goal, parameters)
    except (Rejected, IllFormed, ArithmeticError) as reason:
        raise Unproved(f"{rule}: {reason}") from reason


def leaf(goal: Goal, *rules: str) -> Step | None:
    """The first of these rules that leaves nothing open."""
    for rule in rules:
        try:
            if not premises_of(goal, rule, {}):
                return Step(rule)
        except Unproved:
            continue
    return None


def is_plain(formula: Formula) -> bool:
    """Whether it has neither sums nor members of families."""
    return isinstance(formula, Formal) and not any(
        t.head in BINDERS or t.head == "member" for side in formula.terms() for t in subterms(side))


def relation_of(formula: Formal) -> Relation:
    """SymPy's view of a relation."""
    r = formula.normal
    return Relation(expr_of(r.left), r.op, expr_of(r.right))  # type: ignore[arg-type]


def plain_step(goal: Goal, budget: float) -> Step:
    """A step for a relation without sums; hypotheses that have some are left aside."""
    claim = goal.claim
    if not isinstance(claim, Formal) or not is_plain(claim):
        raise Unproved("the claim has sums in it")
    found = leaf(goal, "assumption", "enclosure", "identity", "contradiction")
    if found is not None:
        return found
    kept = tuple(h for h in goal.hypotheses if is_plain(h))
    try:
        return _searched(goal, claim.normal, kept, budget)
    except Unproved:
        if claim.op != "==":
            raise
    sides = premises_of(goal, "both", {})
    return Step("both", {}, tuple(plain_step(side, budget) for side in sides))


def _searched(goal: Goal, claim: Formal, kept: Iterable[Formula], budget: float) -> Step:
    """What the search finds for the claim, from the hypotheses that say something about its variables."""
    wanted = relation_of(claim)
    integers = frozenset(symbol(n) for n in goal.whole.integers)
    views = {h: relation_of(h) for h in kept if isinstance(h, Formal) and h.variables}
    where = related(views.values(), wanted.symbols | {symbol(n) for n in claim.variables})
    hypotheses = tuple(h for h, view in views.items() if view in where)
    names = claim.variables.union(*(h.variables for h in hypotheses))
    parameters = {"hypotheses": list(hypotheses), "variables": [n for n in goal.variables if n in names],
                  "families": []}
    (here,) = premises_of(goal.claiming(goal.claim), "weaken", parameters)
    here = here.under(here.hypotheses)  # as a goal of its own it has no facts
    try:
        domain = assemble((r for r in where if r.symbols), integers, sorted(map(symbol, names), key=str))
        # What is searched for comes without facts; where it stands, they are hypotheses among others.
        verdict = decide_relation(wanted, domain, formal=here.under(here.hypotheses), budget=budget)
    except (NotDefined, DomainError, Unsupported, ValueError) as reason:
        raise Unproved(" ".join(str(reason).split())) from reason
    if verdict.status is not Status.PROVED or not isinstance(verdict.formal, Proof):
        raise Unproved(f"{claim}: {verdict}")
    if here.facts and not _is_accepted(here, verdict.formal.step):
        raise Unproved(f"{claim}: the proof does not go through where facts are known")
    return Step("weaken", parameters, (verdict.formal.step,))


def _is_accepted(goal: Goal, step: Step) -> bool:
    try:
        followed(goal, step)
    except (Rejected, IllFormed, ArithmeticError):
        return False
    return True
