r"""The worst case as a sum over its outcomes, compared with a sum that ends earlier.

The kernel's rule ``worst-case`` leaves $1-s(1-\sum_{j=0}^kw_j(1-e^{x_j})_+/c)\le\delta$ open, where $x_j$ grows with
j. If $\delta$ has a sum that ends at m, the range is cut there: beyond m no outcome gains ($x_j\ge0$), so that this
part is at most 0; up to m each gains ($x_j\le0$), and is compared with its term of the other sum. Nothing here is
trusted: the kernel verifies the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import sympy

from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Each, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.terms import ONE, ZERO, Term, binder, fresh, subterms
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import sums_in
from symdp.search.elaboration.minima import each_entry, one_entry
from symdp.search.elaboration.steps_for_goals import FAILURES, accepted, put, show, show_all


def beyond_a_cut(goal: Goal, budget: float) -> Step | None:
    """A step for what the worst case leaves open, or None."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.op != "<=":
        return None
    for whole, shorter in _pairs(claim):
        try:
            step = _cut(goal, whole, shorter, budget)
        except FAILURES:
            continue
        if step is not None and accepted(goal, step):
            return step
    return None


def _pairs(claim: Relation) -> Iterator[tuple[Term, Term]]:
    """A sum of positive parts on the left, and on the right one that begins where it begins."""
    for whole in sums_in(iter([claim.left])):
        for shorter in sums_in(iter([claim.right])):
            if whole.head == shorter.head == "sum" and whole.args[0] is shorter.args[0] and _gain(whole.args[2]):
                yield whole, shorter


def _gain(body: Term) -> Term | None:
    """The positive part in the terms of the sum."""
    return next((t for t in subterms(body) if t.head == "max" and t.args[0] is ZERO), None)


def _cut(goal: Goal, whole: Term, shorter: Term, budget: float) -> Step | None:
    (low, high, body), (_, middle, terms) = whole.args, shorter.args
    after = middle.args[0] if middle.head == "-" and middle.args[1] is ONE else middle + ONE
    one, rest = binder("sum", low, middle, body), binder("sum", after, high, body)
    laws: list[Mapping[str, Any]] = [
        {"name": "parted", "head": "sum", "low": low, "high": high, "body": body, "middle": middle, "after": after},
        {"name": "combination", "low": after, "high": high, "op": ">=", "parts": [[None, body]]},
        {"name": "termwise", "head": "sum", "low": low, "high": middle, "body": body, "op": "<=",
         "other": [low, middle, terms]},
    ]
    frames: list[tuple[Mapping[str, Any], list[Step]]] = []
    for law in laws:
        *conditions, goal = RULES["sum-law"](goal, law)
        steps: list[Step] = []
        for condition in conditions:
            each = isinstance(condition.claim, Each)
            step = _each(condition, law["name"] == "termwise", budget) if each else show(condition, budget)
            if step is None:
                return None
            steps.append(step)
        frames.append((law, steps))
    last = _last(goal, whole, shorter - one, -rest)
    for law, steps in reversed(frames):
        last = Step("sum-law", law, (*steps, last))
    return last


def _each(goal: Goal, gains: bool, budget: float) -> Step | None:
    """What is said of each outcome on one side of the cut: there max(0, 1 - exp(x)) is one of the two."""
    name = {"name": fresh("j", goal.taken)}
    (inner,) = RULES["each"](goal, name)
    node = next(n for n in map(_gain, inner.claim.terms()) if n is not None)
    gain = node.args[1]
    exponent = gain.args[1].args[0]
    value = gain if gains else ZERO
    sign = Relation(exponent, "<=", ZERO) if gains else Relation(ZERO, "<=", exponent)
    fact = Relation(node, "==", value)
    signed = _signed(inner.claiming(sign), budget)
    known = inner.knowing(sign).knowing(fact)
    plain, replaced = put(known, node)
    compared = show(plain, budget)
    if signed is None or compared is None:
        return None
    below = Step("generalise", {"parts": [[exponent, fresh("x", inner.taken)]]}, (Step("enclosure"),))
    shown = Step("cut", {"fact": fact}, (part_is(node, value, below), replaced(compared)))
    return Step("each", name, (Step("cut", {"fact": sign}, (signed, shown)),))


def part_is(node: Term, value: Term, below: Step) -> Step:
    """That max(a, b) is one of the two; the step shows that the other is not above."""
    steps = [Step("identity") if entry is value else below for entry in node.args]
    return Step("both", {}, (each_entry(Relation(node, "<=", value), steps),
                             one_entry(Relation(value, "<=", node), value, Step("identity"))))


def _signed(goal: Goal, budget: float) -> Step | None:
    """The sign of a product from the signs of its factors."""
    coefficient, factors = sympy.factor(expr_of(goal.relation.gap)).as_coeff_mul()
    signs: list[list[Any]] = []
    for factor in factors:
        for sign in (1, -1):
            term = term_of(sign * factor)
            if show(goal.claiming(Relation(ZERO, "<=", term)), budget) is not None:
                signs.append([term, 1, ">="])
                coefficient *= sign
                break
    if len(signs) < len(factors) or coefficient <= 0:
        return show(goal, budget)
    terms = {"terms": [[term_of(coefficient), signs]]}
    return _closed(goal, "combine", terms, budget)


def _closed(goal: Goal, rule: str, parameters: Mapping[str, Any], budget: float) -> Step | None:
    """The rule, with steps for what it leaves open."""
    steps = show_all(RULES[rule](goal, parameters), budget)
    return None if steps is None else Step(rule, parameters, steps)


def _last(goal: Goal, whole: Term, *more: Term) -> Step:
    """The gap is a positive factor times what the one sum has more, and times the part that is at most 0."""
    goal, replaced = put(goal, whole)
    left = goal.relation.left
    factors: list[list[Any]] = []
    if left.head == "-":  # 1 - kept (1 - pure)
        kept, rest = left.args[1].args
        left = rest.args[1]
        factors.append([kept, 1, ">="])
    factors.append([ONE / left.args[1], 1, ">"])
    terms = [[ONE, [*factors, [term, 1, ">="]]] for term in more]
    count = len(RULES["combine"](goal, {"terms": terms}))
    signs = [Step("enclosure") for _ in factors]
    return replaced(Step("combine", {"terms": terms}, (
        *signs, *(Step("assumption") for _ in range(count - len(signs))))))
