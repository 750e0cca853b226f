r"""What is left to show after a guarantee was reduced to a bound by moments. Nothing here is trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import sympy
from sympy import Expr, Rational, Symbol, exp

from symdp.arguments.guarantees.calibrated import calibrated
from symdp.formulas.notation import symbol
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.functions.record import TWO
from symdp.kernel.functions.record import sqrt as root
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.terms import (
    ONE,
    ZERO,
    Term,
    apply,
    fresh,
    substitute,
    subterms,
    variable,
)
from symdp.kernel.values.conditions import shown
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.goal_views import Finish
from symdp.search.elaboration.steps_for_goals import FAILURES, accepted, seems_true, without_sums

ENCLOSED = Step("enclosure")


def positive_parts(goal: Goal) -> list[Term]:
    """The t of summands max(0, t) on the left side, where there is nothing else but terms without them."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.left.head != "+":
        return []
    return [t.args[1] for t in claim.left.args if t.head == "max" and t.args[0] is ZERO]


def show_parts(goal: Goal, parts: list[Term], prove: Callable[[Goal], Step | None]) -> Step | None:
    """Show a sum of positive parts: each is seen to be 0, so that they may be left out."""
    steps = []
    known = goal
    for part in parts:
        fact = Relation(part, "<=", ZERO)
        step = prove(known.claiming(fact))
        if step is None:
            return prove(goal)
        steps.append((fact, step))
        known = known.claiming(known.claim, fact)
    found = _by_branches(known, parts)
    for fact, step in reversed(steps):
        found = None if found is None else Step("cut", {"fact": fact}, (step, found))
    return found if found is not None and accepted(goal, found) else None


def _by_branches(goal: Goal, parts: list[Term]) -> Step | None:
    if not parts:
        claim = goal.claim
        if not isinstance(claim, Relation):
            return None
        added = [t for t in claim.left.args if Relation(t, "<=", ZERO) in goal.hypotheses]
        terms = [[ONE, [[-t, 1, ">="]]] for t in added]
        assumed = tuple(Step("assumption") for _ in added)
        return Step("combine", {"terms": terms}, assumed) if added else Step("identity")
    parameters = {"node": apply("max", ZERO, parts[0])}
    inner = [_by_branches(g, parts[1:]) for g in RULES["branches"](goal, parameters)]
    return None if None in inner else Step("branches", parameters, tuple(inner))  # type: ignore[arg-type]


def show_bound(goal: Goal, prove: Callable[[Goal], Step | None]) -> Step | None:
    """Show ``exp(-x^2/(2v))/(1 + x/v) <= share`` for x = epsilon - mean, which a hypothesis says is not negative.

    With that hypothesis the sides are seen to be defined; in SymPy's form, where the mean is gone, it is no
    longer needed. If the variance alone matters, it is shown for any number in its place.
    """
    try:
        plain, finish = without_sums(goal)
        variance, ways = _variance(plain), [(plain, finish)]
        if variance.head == "*" and variance.args[0] is TWO and variance.args[1].head != "variable":
            ways.insert(0, _without(variance.args[1], plain, finish))
        for inner, finished in ways:
            for step in _steps(inner, prove):
                if accepted(goal, finished(step)):
                    return finished(step)
    except FAILURES:
        return None
    return None


def _steps(goal: Goal, prove: Callable[[Goal], Step | None]) -> Iterator[Step]:
    """Steps for a bound by moments, in the forms that it may be written in."""
    claim, variance = goal.claim, _variance(goal)
    if not isinstance(claim, Relation):
        return
    positive = [variable(n) for n in goal.variables if shown(Relation(ZERO, "<", variable(n)), goal)]
    known = {symbol(str(p)): sympy.Dummy(str(p), positive=True) for p in positive}
    powers = {t - ONE for t in subterms(variance) if t.head == "exp"}
    positive += [t for t in powers if shown(Relation(ZERO, "<", t), goal)]
    paid = calibrated(goal, known, prove)
    if paid is not None:
        yield paid
    name = fresh("r", goal.taken)
    for written, size in _forms(claim, expr_of(variance), symbol(name), known):
        step = _rewritten(goal, written, {name: root(variance)} if size else {}, positive, prove)
        if step is not None:
            yield step


def _variance(goal: Goal) -> Term:
    """The v of a bound by moments."""
    return goal.relation.left.args[1].args[1].args[1]


def _without(mean: Term, goal: Goal, finish: Finish) -> tuple[Goal, Finish]:
    """The goal for any number in the place of the mean, if it is seen to be positive."""
    fact, given = Relation(ZERO, "<", mean), {"parts": [[mean, fresh("m", goal.taken)]]}
    if not shown(fact, goal):
        return goal, finish
    (inner,) = RULES["generalise"](goal.claiming(goal.claim, fact), given)

    def finished(step: Step) -> Step:
        return finish(Step("cut", {"fact": fact}, (ENCLOSED, Step("generalise", given, (step,)))))

    return inner, finished


def _rewritten(
    goal: Goal, written: tuple[Expr, Expr], size: Mapping[str, Term], positive: list[Term],
    prove: Callable[[Goal], Step | None],
) -> Step | None:
    """Rewrite the sides, put a variable for the variance, and leave out what is no longer needed."""
    left, right = (substitute(term_of(e), size) for e in written)
    rewritten = {"left": left, "right": right, "positive": positive}
    facts = [Relation(ZERO, "<", t) for t in size.values()]
    given = {"parts": [[t, n] for n, t in size.items()]}
    try:
        known = goal.claiming(goal.claim, *facts)
        (known,) = RULES["rewrite"](known, rewritten)
        (known,) = RULES["generalise"](known, given)
        named = known.claim.variables
        kept = [h for h in known.hypotheses if h.variables <= named and not h.families
                and isinstance(h, Relation) and len(h.variables) == 1]
        fewer = {"hypotheses": kept, "variables": [n for n in known.variables if n in named], "families": []}
        (inner,) = RULES["weaken"](known, fewer)
    except FAILURES:
        return None
    step = prove(inner) if seems_true(inner) else None
    if step is None:
        return None
    step = Step("rewrite", rewritten, (Step("generalise", given, (Step("weaken", fewer, (step,)),)),))
    for fact in facts:
        step = Step("cut", {"fact": fact}, (Step("enclosure"), step))
    return step


def _forms(
    claim: Relation, variance: Expr, root: Symbol, positive: Mapping[Symbol, Symbol]
) -> Iterator[tuple[tuple[Expr, Expr], bool]]:
    """Both sides written in the root of the variance alone, where that is possible, and as SymPy has them."""
    sides = [expr_of(t).subs(positive) for t in claim.terms()]
    size, r = variance.subs(positive), sympy.Dummy(positive=True)
    back = {p: v for v, p in positive.items()} | {r: root}
    # e^x - 1 is positive where x is, which SymPy does not see.
    for power in sorted(size.atoms(exp), key=str):
        if power.args[0].is_positive:
            above = sympy.Dummy(positive=True)
            size, *sides = (e.subs(power, 1 + above) for e in (size, *sides))
            back[above] = power.xreplace(back) - 1
    maps: list[dict[Expr, Expr]] = [{size: r**2}, {size / 2: r**2 / 2}]
    for e in sorted(size.free_symbols, key=str):
        for degree in (2, 1):
            rest = sympy.cancel(size / e**degree)
            if e.is_positive and e in positive.values() and not rest.has(e):
                maps.append({e: (r**2 / rest) ** Rational(1, degree)})
    seen = set()
    for change in maps:
        one, other = (e.subs(change) for e in sides)
        if (one, other) not in seen and not (one.free_symbols | other.free_symbols) & size.free_symbols:
            seen.add((one, other))
            yield (one.xreplace(back), other.xreplace(back)), True
    yield (sides[0].xreplace(back), sides[1].xreplace(back)), False
