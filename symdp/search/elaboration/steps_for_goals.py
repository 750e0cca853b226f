r"""Steps for goals of the kernel: tried at once, or searched for on SymPy's view of them.

A goal with sums is shown for any numbers in their place, of which only what an enclosure sees is kept.
Nothing here is trusted: the kernel verifies every step.

>>> from symdp.kernel.terms import member, number, sum_over, variable
>>> k, l = variable("k"), variable("l")
>>> total = sum_over("l", number(1), k, member("a", l) ** number(2))
>>> goal = Goal((("k", "integer"),), (), Relation(number(0), "<=", total + number(1)), (("a", "real"),))
>>> show(goal, 5).rule
'enclosure'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sympy import Symbol

from symdp.formulas.translation import NotATerm
from symdp.kernel.goals import Each, Goal, IllFormed, Relation
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.terms import ONE, ZERO, Term, fresh, replace_part, subterms, variable
from symdp.kernel.values.conditions import shown
from symdp.numbers import floating
from symdp.numbers.domain import Domain, DomainError, simple_points
from symdp.numbers.simple_rationals import diagonal
from symdp.search.elaboration.derived_rules import RULES, followed
from symdp.search.elaboration.goal_views import Finish, is_plain, narrowed, sums_in, view_of
from symdp.search.elaboration.steps import NotElaborated
from symdp.search.prove import NotDefined, decide_relation

#: What may go wrong where the search meets a goal it cannot read.
FAILURES = (Rejected, IllFormed, NotElaborated, NotATerm, NotDefined, DomainError, ArithmeticError, TypeError)


def accepted(goal: Goal, step: Step) -> bool:
    """Whether the kernel follows the step to its end; the goal may be a part of a proof, with facts."""
    try:
        followed(goal, step)
    except FAILURES:
        return False
    return True


def put(goal: Goal, old: Term) -> tuple[Goal, Finish]:
    """Equals for equals everywhere, by a hypothesis ``old == new``: what is left, and the step around it."""
    name = fresh("value_1", goal.taken)
    parts, point = {"parts": [[old, name]]}, {"variable": name}
    (general,) = RULES["generalise"](goal, parts)
    (left,) = RULES["point"](general, point)
    return left, lambda step: Step("generalise", parts, (Step("point", point, (step,)),))


def show_all(goals: list[Goal], budget: float) -> tuple[Step, ...] | None:
    """Steps for all of them, or None."""
    steps: list[Step] = []
    for goal in goals:
        found = show(goal, budget / len(goals))
        if found is None:
            return None
        steps.append(found)
    return tuple(steps)


def show(goal: Goal, budget: float) -> Step | None:
    """A step that proves the goal, or None."""
    if isinstance(goal.claim, Each):
        return _each(goal, budget)
    found = at_once(goal)
    if found is not None or not isinstance(goal.claim, Relation):
        return found
    try:
        inner, finish = without_sums(goal)
        if inner is not goal and (found := at_once(inner)) is not None:
            step = finish(found)
        else:
            narrow, weakened = narrowed(inner)
            relation, domain = view_of(narrow)
            verdict = decide_relation(relation, domain, formal=narrow, budget=budget)
            if not isinstance(verdict.formal, Proof):
                return None
            step = finish(weakened(verdict.formal.step))
    except FAILURES:
        return None
    return step if accepted(goal, step) else None


def at_once(goal: Goal) -> Step | None:
    """A single step, where one will do."""
    positive = [variable(n) for n in goal.variables if shown(Relation(ZERO, "<", variable(n)), goal)]
    for step in (Step("assumption"), Step("enclosure"), Step("identity", {"positive": positive})):
        if accepted(goal, step):
            return step
    return None


def with_signs(goal: Goal, *relations: Relation) -> tuple[list[Term], Callable[[Term], Term], Finish]:
    """What is seen to be positive in these relations, with variables for logarithms, which algebra would take apart
    (log(1/x) is -log(x) there); how a term reads then, and what a step for the goal so written needs around it."""
    parts = {t: None for r in relations for side in r.terms() for t in subterms(side)
             if t.head in ("variable", "log") and not t.loose}
    facts = [Relation(ZERO, "<", t) for t in parts if shown(Relation(ZERO, "<", t), goal)]
    logs = [f for f in facts if f.right.head == "log"]
    names: dict[Term, str] = {}
    for fact in logs:
        names[fact.right] = fresh("l", goal.taken | set(names.values()))

    def named(t: Term) -> Term:
        for part, name in names.items():
            t = replace_part(t, part, variable(name))
        return t

    def finish(step: Step) -> Step:
        if names:
            step = Step("generalise", {"parts": [[t, n] for t, n in names.items()]}, (step,))
        for fact in reversed(logs):
            step = Step("cut", {"fact": fact}, (Step("enclosure"), step))
        return step

    return [named(f.right) for f in facts], named, finish


def identity_with_signs(goal: Goal) -> Step | None:
    """Both sides are the same, by what is positive in them."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.strict:
        return None
    positive, _, finish = with_signs(goal, claim)
    step = finish(Step("identity", {"positive": positive}))
    return step if accepted(goal, step) else None


def _each(goal: Goal, seconds: float) -> Step | None:
    if accepted(goal, Step("assumption")):
        return Step("assumption")
    parameters = {"name": fresh("i", goal.taken)}
    try:
        (inner,) = RULES["each"](goal, parameters)
    except FAILURES:
        return None
    found = show(inner, seconds)
    return None if found is None else Step("each", parameters, (found,))


# --- sums -----------------------------------------------------------------------------------------


def without_sums(goal: Goal) -> tuple[Goal, Finish]:
    """The goal for any numbers in the place of its sums, and how a step for it serves the goal itself."""
    parts = sums_in(goal.claim.terms())
    if not parts:
        return goal, lambda step: step
    known = goal
    facts = []
    for part in parts:
        for fact in (Relation(ZERO, "<", part), Relation(ZERO, "<=", part), Relation(part, "<=", ONE)):
            if shown(fact, known):
                facts.append(fact)
                known = known.claiming(known.claim, fact)
                if fact.op == "<":
                    break
    names: list[str] = []
    for _ in parts:
        names.append(fresh("s", goal.taken | set(names)))
    given = {"parts": [[t, n] for t, n in zip(parts, names, strict=True)]}
    (general,) = RULES["generalise"](known, given)
    kept = [h for h in general.hypotheses if is_plain(h)]
    fewer = {"hypotheses": kept, "families": [],
             "variables": [n for n in general.variables
                           if n in general.claim.variables or any(n in h.variables for h in kept)]}
    (inner,) = RULES["weaken"](general, fewer)

    def finish(step: Step) -> Step:
        step = Step("generalise", given, (Step("weaken", fewer, (step,)),))
        for fact in reversed(facts):
            step = Step("cut", {"fact": fact}, (Step("enclosure"), step))
        return step

    return inner, finish


# --- samples --------------------------------------------------------------------------------------


def points_of(domain: Domain, idle: frozenset[Symbol] = frozenset()) -> Iterator[dict[Symbol, object]]:
    """Points of the box of a domain, simple ones first; variables that matter little take few values."""
    choices = [
        [u for u in simple_points(domain.intervals[v], v in domain.integers)
         if v not in domain.integers or u <= 1000][: 2 if v in idle else None]
        for v in domain.variables
    ]
    for values in diagonal(choices):
        yield dict(zip(domain.variables, values, strict=True))


def seems_true(goal: Goal, samples: int = 150) -> bool:
    """Whether no sample in floats speaks against the claim; True also where that cannot be told."""
    try:
        relation, domain = view_of(narrowed(without_sums(goal)[0])[0])
    except FAILURES:
        return True
    slack = -1e-9
    gap = floating.function(relation.gap, domain.variables)
    conditions = [floating.function(c.gap, domain.variables) for c in domain.conditions]
    for count, point in enumerate(points_of(domain)):
        if count == samples:
            break
        values = [float(u) for u in point.values()]  # type: ignore[arg-type]
        if all(f(values) >= 0 for f in conditions) and gap(values) < slack:
            return False
    return True
