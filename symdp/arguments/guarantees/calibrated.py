r"""Bounds by moments for steps calibrated to a total (eps, delta), as in Section 4.

The claim is $F(L,\varepsilon)\le s\delta$ with $L=\log(c+u/\delta)$, c at least 0. Since
$e^{-L}\le\delta/u$, it is enough that $e^{L}F(L,\varepsilon)\le su$, for any number in the place of L that is at
least $\log(c+u)$. Nothing here is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy
from sympy import Expr, Symbol, exp, log

from symdp.formulas.notation import symbol
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import ONE, ZERO, Term, apply, fresh, mul, substitute, variable
from symdp.kernel.values.conditions import shown
from symdp.search.elaboration import increasing_functions
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.elaboration.steps_for_goals import FAILURES, accepted, seems_true, show

Prove = Callable[[Goal], Step | None]


def calibrated(goal: Goal, positive: dict[Symbol, Symbol], prove: Prove) -> Step | None:
    """A step for a bound by moments of that kind, or None."""
    claim = goal.claim
    if not isinstance(claim, Relation):
        return None
    left, right = (expr_of(t).subs(positive) for t in claim.terms())
    for level, d, u in _levels(left):
        found = _shown(goal, (left, right), level, d, u, {p: v for v, p in positive.items()}, prove)
        if found is not None:
            return found
    return None


def _levels(left: Expr) -> Iterator[tuple[Expr, Symbol, Expr]]:
    """Logarithms log(c + u/d) with their d and u."""
    for level in sorted(left.atoms(log), key=str):
        for d in sorted(level.free_symbols, key=str):
            u = sympy.limit(level.args[0] * d, d, 0, "+")
            rest = sympy.simplify(level.args[0] - u / d)
            if d.is_positive and not u.has(d) and not rest.free_symbols and rest.is_nonnegative:
                yield level, d, u


def _shown(goal: Goal, sides: tuple[Expr, Expr], level: Expr, d: Symbol, u: Expr,
           back: dict[Symbol, Symbol], prove: Prove) -> Step | None:
    name = fresh("l", goal.taken)
    any_level = sympy.Dummy(positive=True)
    bare = sides[0].subs(level, any_level)
    share = sympy.simplify(sides[1] / d)
    if bare.has(d) or share.has(d) or not isinstance(bare, sympy.Mul):
        return None
    rest = sympy.Integer(1)
    for factor in bare.args:
        if isinstance(factor, exp):
            rest *= exp(sympy.expand(factor.args[0] + any_level))
        else:
            base, power = factor.as_base_exp()
            rest *= sympy.expand(base) ** power

    def term(e: Expr) -> Term:
        return term_of(e.xreplace({**back, any_level: symbol(name)}))

    here = {name: term(level)}
    paid, pays, whole = (substitute(term(e), here) for e in (d / u, 1 / level.args[0], rest))
    delta = term(d)
    target = substitute(term(rest / u), here), term(share)
    known = [variable(str(v)) for v in back.values()]
    try:
        rewritten = {"left": mul(pays, whole), "right": mul(target[1], delta), "positive": known}
        (split,) = RULES["rewrite"](goal, rewritten)
        middle = {"middle": mul(paid, whole)}
        first, second = RULES["transitivity"](split, middle)
        more = {"terms": [[ONE, [[paid - pays, 1, ">="], [whole, 1, ">"]]]]}
        signs = [prove(g) for g in RULES["combine"](first, more)]
        scale = {"terms": [[ONE, [[delta, 1, ">"], [target[1] - target[0], 1, ">="]]]]}
        _, sign = RULES["combine"](second, scale)
        bare = {"left": target[0], "right": target[1]}
        (bare_goal,) = RULES["rewrite"](sign, bare)
        last = _for_any_level(bare_goal, here, term(level.subs(d, 1)), prove)
        if last is None or None in signs:
            return None
        return Step("rewrite", rewritten, (Step("transitivity", middle, (
            Step("combine", more, tuple(signs)),  # type: ignore[arg-type]
            Step("combine", scale, (Step("enclosure"), Step("rewrite", bare, (last,)))))),))
    except FAILURES:
        return None


def _for_any_level(goal: Goal, level: dict[str, Term], least: Term, prove: Prove) -> Step | None:
    """The goal for any number in the place of the logarithm that is as large."""
    ((name, term),) = level.items()
    facts: list[tuple[Relation, Step]] = []
    for fact in (Relation(ONE, "<=", term), Relation(ZERO, "<", term), Relation(least, "<=", term)):
        step = Step("enclosure") if shown(fact, goal) else show(goal.claiming(fact), 3.0) if fact.left is least \
            else None
        if step is not None:
            facts.append((fact, step))
    known = goal.claiming(goal.claim, *(f for f, _ in facts))
    given = {"parts": [[term, name]]}
    (general,) = RULES["generalise"](known, given)
    kept = [h for h in general.hypotheses if isinstance(h, Relation) and h.variables <= general.claim.variables]
    fewer = {"hypotheses": kept, "variables": [n for n in general.variables if n in general.claim.variables],
             "families": []}
    (inner,) = RULES["weaken"](general, fewer)
    step = (_in_logarithms(inner, prove) or prove(inner)) if seems_true(inner) else None
    if step is None:
        return None
    step = Step("generalise", given, (Step("weaken", fewer, (step,)),))
    for fact, shows in reversed(facts):
        step = Step("cut", {"fact": fact}, (shows, step))
    return step


def _in_logarithms(goal: Goal, prove: Prove) -> Step | None:
    """A single exponential against the rest: the logarithms of both."""
    left, right = (expr_of(t) for t in goal.relation.terms())
    powers = [f for f in sympy.Mul.make_args(left) if isinstance(f, exp)]
    if len(powers) != 1:
        return None
    below = sympy.expand(powers[0] / left)
    lower, upper, factor = (term_of(e) for e in (powers[0], right * below, 1 / below))
    images = [term_of(powers[0].args[0]), apply("log", upper)]
    parameters = {"function": "log", "lower": lower, "upper": upper, "factor": factor, "images": images}
    *signs, last = increasing_functions.premises(goal, parameters)
    steps = [Step("enclosure") if shown(g.relation, g) else None for g in signs]
    if None in steps or (found := prove(last)) is None:
        return None
    step = increasing_functions.step(goal.relation, parameters, (*steps, found))  # type: ignore[arg-type]
    return step if accepted(goal, step) else None
