r"""Order relations from derivations: the constants are written down, and the inequalities are its lines.

The author says with which constants (terms in the fixed variables) one side is at most a multiple of the other;
the derivation speaks of the sides in the variables that follow no others. Nothing here is trusted.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Expr

from symdp.arguments.formal.derivations import formalise
from symdp.arguments.orders.kernel_goals import behind, goal_that, left_open, untied
from symdp.arguments.orders.paths import approach
from symdp.arguments.orders.ratio_limits import closenesses
from symdp.formulas.relation import Relation
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Goal
from symdp.kernel.goals import Relation as KernelRelation
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.rules.orders import Order
from symdp.search.elaboration.derived_rules import verify
from symdp.search.elaboration.reused_proofs import step_from
from symdp.search.elaboration.steps_for_goals import show
from symdp.sources.derivations.derivation import Derivation


def order_from(order: Order, derivation: Derivation, constants: Sequence[Expr], budget: float) -> Proof:
    """The proof of an order O or Theta, or Rejected with what is missing."""
    plain, followed = untied(order)
    if len(constants) != {"O": 1, "Theta": 2}.get(order.kind):
        raise Rejected("O has one constant and Theta has two; o and ~ have none")
    walk = approach(plain)
    if walk is None:
        raise Rejected("no path was found on which the limit is approached")
    left, right = expr_of(plain.left), expr_of(plain.right)
    proofs = []
    for (small, large), constant in zip(((left, right), (right, left)), constants, strict=False):
        found = formalise(derivation, budget, claim=Relation(small, "<=", constant * large))
        if found.proof is None:
            raise Rejected(f"that {small} <= {constant * large} does not follow: {found.stopped}")
        proofs.append(found.proof)
    factors = [term_of(constant) for constant in constants]
    reason = "no neighbourhood will do"
    for closeness in closenesses(plain):
        parameters = {**walk, "closeness": closeness, "factors": factors}
        try:
            needed = left_open(plain, "order-bounded", **parameters)
            steps = tuple(_step(goal, factors, proofs, budget) for goal in needed)
        except (Rejected, ArithmeticError) as why:
            reason = str(why)
            continue
        uses = {name: goal for proof in proofs for name, goal in proof.uses.items()}
        return verify(goal_that(order), behind(followed, Step("order-bounded", parameters, steps)), uses)
    raise Rejected(reason)


def _step(goal: Goal, factors: Sequence[object], proofs: Sequence[Proof], budget: float) -> Step:
    """An inequality from the proof that has its factor; whatever else a neighbourhood needs by a search."""
    claim, reason = goal.claim, f"{goal.claim} is not shown"
    if isinstance(claim, KernelRelation) and claim.op == "<=" and claim.right.head == "*":
        for factor, proof in zip(factors, proofs, strict=True):
            if claim.right.args[0] is factor:
                try:
                    return step_from(goal, proof, budget)
                except Rejected as why:
                    reason = str(why)
    step = show(goal, budget)
    if step is None:
        raise Rejected(reason)
    return step
