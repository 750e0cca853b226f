r"""The curves of two centred normal laws, compared with a delta.

The kernel's rule ``two-variances`` leaves two relations open. One way, $\mathrm{erfc}\sqrt c\le e^{-c}$ with
$c=(E+\log(s)/2)/(s-1)\ge E/(s-1)$, so that $e^{-E/(s-1)}\le\delta$ is enough; the other way nothing is left if
$\log(s)/2\le E$. Nothing here is trusted: the kernel verifies the steps.
"""

from __future__ import annotations

from collections.abc import Callable

from symdp.kernel.functions.record import TWO
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.rules.privacy import Private, TwoVariances
from symdp.kernel.terms import ONE, ZERO, apply, fresh, number, subterms, variable
from symdp.search.elaboration.steps_for_goals import FAILURES, accepted, put
from symdp.search.outcomes import part_is

Prove = Callable[[Goal], Step | None]


def by_tails(goal: Goal, claim: Private, prove: Prove) -> Step | None:
    """A step for one of the two curves of the claim."""
    if not isinstance(goal.claim, Relation) or not isinstance(claim.subject, TwoVariances) \
            or goal.claim.left.head != "-":
        return None
    try:
        step = _inner(goal, prove) if goal.claim.left.args[0].head == "erf" else _outer(goal, claim, prove)
    except FAILURES:
        return None
    return step if step is not None and accepted(goal, step) else None


def _inner(goal: Goal, prove: Prove) -> Step | None:
    """The loss that way is never larger than epsilon."""
    node = next(t for t in subterms(goal.relation.left) if t.head == "max")
    known, fact = Relation(node.args[1], "<=", ZERO), Relation(node, "==", ZERO)
    first = prove(goal.claiming(known))
    if first is None:
        return None
    _, replaced = put(goal.knowing(known).knowing(fact), node)
    last = replaced(Step("enclosure"))
    return Step("cut", {"fact": known}, (first, Step("cut", {"fact": fact}, (
        part_is(node, ZERO, Step("assumption")), last))))


def _outer(goal: Goal, claim: Private, prove: Prove) -> Step | None:
    r, spread = goal.relation, claim.subject.spread  # type: ignore[attr-defined]
    tail, rest = r.left.args
    (root,), rise = tail.args, spread - ONE
    (place,) = root.args
    least, near, far = claim.epsilon / rise, fresh("u", goal.taken), fresh("v", goal.taken)
    squared, farther = apply("exp", -(root ** TWO)), apply("exp", -least)
    last = prove(goal.claiming(Relation(farther, "<=", r.right)))
    if last is None:
        return None
    more = Step("combine", {"terms": [[number(1, 2), [[apply("log", spread), 1, ">="], [rise, -1, ">"]]]]},
                (Step("enclosure"), Step("enclosure")))
    lower, upper = -variable(near), -variable(far)
    powers = Step("lemma", {"name": "exp-increasing", "at": {"x": lower, "y": upper}},
                  (Step("assumption"), Step("assumption")))
    nearer = Step("cut", {"fact": Relation(-place, "<=", -least)}, (
        more, Step("generalise", {"parts": [[place, near], [least, far]]}, (powers,))))
    steps = (Step("combine", {"terms": [[ONE, [[f, 1, ">="] for f in rest.args]]]},
                  tuple(Step("enclosure") for _ in rest.args)),
             Step("lemma", {"name": "erfc-chernoff", "at": {"z": root}}, (Step("enclosure"), Step("assumption"))),
             Step("rewrite", {"left": apply("exp", -place), "right": farther}, (nearer,)), last)
    middles = (tail, squared, farther)
    step = steps[-1]
    for middle, before in zip(reversed(middles), reversed(steps[:-1]), strict=True):
        step = Step("transitivity", {"middle": middle}, (before, step))
    return step
