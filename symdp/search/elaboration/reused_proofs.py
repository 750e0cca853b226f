r"""A proof of one goal, used for another: the same variables, hypotheses that follow.

What was proved is shown aside and used at the variables of the goal; its hypotheses are shown there, and its
conclusion is the claim, perhaps written in another way. Nothing here is trusted.

>>> from symdp.search.prove import check
>>> proof = check("exp(x) >= 1 + x", where=["x >= 0"]).formal
>>> from symdp.kernel.goals import Goal, Relation
>>> from symdp.kernel.terms import number, variable
>>> x = variable("x")
>>> goal = Goal((("x", "real"),), (Relation(x, ">=", number(2)),), proof.goal.claim)
>>> print(fitted(goal, proof).goal)
exp(x) >= 1 + x for every real x with x >= 2
"""

from __future__ import annotations

from symdp.kernel.goals import INTEGER, Formula, Goal, Relation
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.terms import ONE, Term, bound, member, number, variable
from symdp.search.elaboration.derived_rules import RULES, verify
from symdp.search.elaboration.steps_for_goals import accepted, show, with_signs

#: Values for a variable or a family of the proof that the goal does not have: some number at which its bounds hold.
_CHOICES = (ONE, number(1, 2), number(2), number(0), number(1, 10), number(-1), number(10))
_BUDGET = 4.0


def fitted(goal: Goal, proof: Proof, budget: float = _BUDGET) -> Proof:
    """The proof of the goal; Rejected where what was proved does not give it."""
    return verify(goal, step_from(goal, proof, budget), proof.uses)


def step_from(goal: Goal, proof: Proof, budget: float = _BUDGET) -> Step:
    known = proof.goal
    if known == goal:
        return proof.step
    sorts, families = dict(goal.sorts), dict(goal.families)
    own_families = [n for n, s in known.families if families.get(n) != s]
    reason = "its assumptions do not follow"
    own = [n for n, s in known.sorts if n not in sorts or (s == INTEGER and sorts[n] != INTEGER)]
    for value in _CHOICES if own or own_families else (ONE,):
        at: dict[str, Term] = {n: value if n in own else variable(n) for n, _ in known.sorts}
        parameters = {
            "sorts": [list(p) for p in known.sorts], "given": [list(p) for p in known.families],
            "hypotheses": list(known.hypotheses), "claim": known.claim, "at": at,
            "families": {n: value if n in own_families else member(n, bound(0)) for n, _ in known.families},
        }
        try:
            _, *needed, rest = RULES["aside"](goal, parameters)
        except (Rejected, ArithmeticError) as why:
            reason = str(why)
            continue
        steps = []
        for premise in needed:
            step = show(premise, budget)
            if step is None:
                reason = f"it assumes {premise.claim}, which the claim does not"
                break
            steps.append(step)
        else:
            last = _written_so(rest, rest.hypotheses[-1]) or show(rest, budget)
            if last is not None:
                return Step("aside", parameters, (proof.step, *steps, last))
            reason = f"it ends in {known.claim}, and not in {goal.claim}"
    raise Rejected(reason)


def _written_so(goal: Goal, known: Formula) -> Step | None:
    """The claim in the form of that hypothesis, where algebra with what is positive shows that it is the same."""
    if not isinstance(known, Relation) or not isinstance(goal.claim, Relation):
        return None
    positive, named, finish = with_signs(goal, goal.claim, known)
    sides = known.normal.map(named)
    step = finish(Step("rewrite", {"left": sides.left, "right": sides.right, "positive": positive},
                       (Step("assumption"),)))
    return step if accepted(goal, step) else None
