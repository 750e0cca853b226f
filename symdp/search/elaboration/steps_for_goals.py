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
from typing import TypeGuard

from sympy import Symbol

from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation as View
from symdp.formulas.translation import NotATerm, expr_of
from symdp.kernel.goals import INTEGER, Each, Formula, Goal, IllFormed, Relation
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.terms import BINDERS, ONE, ZERO, Term, fresh, replace_part, subterms, variable
from symdp.kernel.values.conditions import shown
from symdp.numbers import floating
from symdp.numbers.domain import Domain, DomainError, simple_points
from symdp.numbers.simple_rationals import diagonal
from symdp.search.elaboration.derived_rules import RULES, followed
from symdp.search.elaboration.steps import NotElaborated
from symdp.search.prove import NotDefined, decide_relation

#: What may go wrong where the search meets a goal it cannot read.
FAILURES = (Rejected, IllFormed, NotElaborated, NotATerm, NotDefined, DomainError, ArithmeticError, TypeError)
Finish = Callable[[Step], Step]


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


def sums_in(terms: Iterator[Term]) -> list[Term]:
    """The outermost sums and products, each once."""
    found: dict[Term, None] = {}
    stack = list(terms)[::-1]
    while stack:
        t = stack.pop()
        if t.head in BINDERS:
            found[t] = None
        else:
            stack.extend(t.args[::-1])
    return list(found)


def is_plain(formula: Formula) -> TypeGuard[Relation]:
    """A relation between numbers, without members and sums."""
    return isinstance(formula, Relation) and not formula.families and not sums_in(formula.terms())


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


# --- SymPy's view ---------------------------------------------------------------------------------


def narrowed(goal: Goal) -> tuple[Goal, Finish]:
    """The goal with those hypotheses alone that speak of its variables, or of what they are tied to."""
    wanted = set(goal.claim.variables)
    plain = [h for h in goal.hypotheses if is_plain(h)]
    while True:
        tied = {v for h in plain if h.variables & wanted for v in h.variables}
        if tied <= wanted:
            break
        wanted |= tied
    kept = [h for h in plain if h.variables & wanted]
    fewer = {"hypotheses": kept, "variables": [n for n in goal.variables if n in wanted], "families": []}
    (inner,) = RULES["weaken"](goal, fewer)
    # As a goal of its own it has no facts, only hypotheses.
    return inner.under(inner.hypotheses), lambda step: Step("weaken", fewer, (step,))


def view_of(goal: Goal) -> tuple[View, Domain]:
    """The claim and the hypotheses as SymPy has them; what is said of members is left out."""
    claim = goal.claim
    if not isinstance(claim, Relation):
        raise NotATerm("only a relation has a view")
    conditions = [relation_of(h) for h in goal.hypotheses if is_plain(h)]
    integers = [symbol(n) for n, s in goal.sorts if s == INTEGER]
    return relation_of(claim), Domain.of(conditions, integers, [symbol(n) for n in goal.variables])


def domain_of(goal: Goal, about: frozenset[str] | None = None) -> Domain:
    """SymPy's view of the points of a goal, or of what it says about some of its variables."""
    names = frozenset(goal.variables) if about is None else about
    relations = [relation_of(h) for h in goal.hypotheses
                 if isinstance(h, Relation) and h.left is not h.right and h.variables
                 and h.variables <= names]
    integers = [symbol(n) for n, s in goal.sorts if s == INTEGER and n in names]
    return Domain.of(relations, integers, [symbol(n) for n in sorted(names)])


def relation_of(r: Relation) -> View:
    return View(expr_of(r.left), r.op, expr_of(r.right))  # type: ignore[arg-type]


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
