r"""Jensen's inequality for the logarithm, with weights that add up to 1.

The logarithm of a sum of two terms is at least the mean, with the weights w and 1 - w, of the logarithms of the terms
over their weights. Divergences of Bernoullis are compared in this way: for the weight p, $-\log\sum_i p_i x_i$ and
$-\sum_i p_i\log x_i$.

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import ZERO, number
>>> x, y, half = variable("x"), variable("y"), number(1, 2)
>>> positive = (Relation(ZERO, "<", x), Relation(ZERO, "<", y))
>>> claim = Relation(half * apply("log", x) + half * apply("log", y), "<=", apply("log", half * x + half * y))
>>> next(reductions(Goal((("x", REAL), ("y", REAL)), positive, claim))).premises
()
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy
from sympy import Expr, Rational

from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ONE, Term, apply, fresh, variable
from symdp.numbers.domain import Domain
from symdp.search.elaboration.derived_rules import RULES, followed
from symdp.search.elaboration.goal_views import view_of
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour, parts_of
from symdp.search.reductions.logarithms import FAILURES, LONGEST, as_a_sum, factors_of
from symdp.search.tactics.sample_points import seems_nonnegative, vanishes

_SEEN, _ASSUMED = Step("enclosure"), Step("assumption")
_HALF = Rational(1, 2)


def reductions(goal: Goal) -> Iterator[Detour]:
    """The mean of logarithms below the logarithm of the mean, and what the claim has beyond that."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.normal.op != "<=" or goal.relation.gap.size > LONGEST:
        return
    for part in parts_of(goal, frozenset({"log"})):
        if not expr_of(part.args[0]).is_Add or len(expr_of(part.args[0]).args) != 2:
            continue
        try:
            _, domain = view_of(goal)
            place = sympy.Dummy()
            weight = sympy.expand(expr_of(goal.relation.gap).xreplace({expr_of(part): place})).coeff(place)
            if not weight.is_Rational or weight <= 0:
                continue
            for w in _weights(domain):
                yield from _by(goal, part, weight, w, domain)
        except FAILURES:
            continue


def _weights(domain: Domain) -> Iterator[Expr]:
    for v, interval in domain.intervals.items():
        if interval.lower == 0 and interval.upper == 1 and v not in domain.integers:
            yield v
            yield 1 - v
    yield _HALF


def _by(goal: Goal, part: Term, weight: Rational, w: Expr, domain: Domain) -> Iterator[Detour]:
    first, second = expr_of(part.args[0]).args
    x, y = first / w, second / (1 - w)
    mean = w * sympy.log(x) + (1 - w) * sympy.log(y)
    beyond = expr_of(goal.relation.gap) - weight * (expr_of(part) - mean)
    exactly = vanishes(beyond, domain)
    if not exactly and not seems_nonnegative(beyond, domain):
        return
    chain = Descent(goal)
    means = [_apart(goal, apply("log", term_of(u)), domain, back=True) for u in (x, y)]
    fact, shown = _jensen(goal, part, w, (x, y), means)
    for log in parts_of(goal, frozenset({"log"})):
        if log is not part:
            try:
                chain.put(log, *_apart(chain.goal, log, domain))
            except FAILURES:
                continue
    given = fact.right - fact.left
    terms: list[object] = [[term_of(weight), [[given, 1, ">="]]]]
    if not exactly:
        terms.append([ONE, [[term_of(_left(chain.goal, weight, given)), 1, ">="]]])
    parameters = {"terms": terms}
    _, *others = RULES["combine"](chain.goal, parameters)
    about = Step("rewrite", {"left": fact.left, "right": fact.right}, (shown,))
    yield Detour(tuple(others), lambda steps: chain.around(Step("combine", parameters, (about, *steps))),
                 Reason.of("the mean of logarithms is at most the logarithm of the mean"))


def _left(goal: Goal, weight: Rational, given: Term) -> Expr:
    """What the gap has beyond the inequality, with each logarithm once."""
    beyond = expr_of(goal.relation.gap) - weight * expr_of(given)
    logs = {t: sympy.Dummy() for t in beyond.atoms(sympy.log)}
    back = {d: t for t, d in logs.items()}
    return sympy.collect(sympy.expand(beyond.xreplace(logs)), list(back), sympy.factor).xreplace(back)


def _apart(goal: Goal, log: Term, domain: Domain, back: bool = False) -> tuple[Term, Step]:
    """A logarithm as a sum, and a step for their being equal."""
    coefficient, bases = factors_of(expr_of(log.args[0]), domain)
    if coefficient is None:
        raise Rejected(f"{log} was not seen to be the logarithm of a product")
    return as_a_sum(goal, log, coefficient, bases, back)


def _jensen(goal: Goal, part: Term, w: Expr, at: Sequence[Expr], means: Sequence[tuple[Term, Step]],
            ) -> tuple[Relation, Step]:
    """The inequality, its logarithms as sums, and a step for it from the lemma of the library."""
    weight, other, (x, y) = term_of(w), term_of(1 - w), (term_of(u) for u in at)
    sums = [total for total, _ in means]
    fact = Relation(weight * sums[0] + other * sums[1], "<=", part)
    chain = Descent(goal.claiming(fact))
    for place, (value, (total, equal)) in enumerate(zip((x, y), means, strict=True)):
        hole = fresh("hole", chain.goal.taken)
        entries = [apply("log", x) if place == 1 else sums[0], sums[1]]
        entries[place] = variable(hole)
        form = Relation(weight * entries[0] + other * entries[1], "<=", part)
        chain.put_in(form, hole, total, apply("log", value), equal)
    inside = weight * x + (ONE - weight) * y
    chain.put(part.args[0], inside, Step("identity", {"positive": [weight, other]}))
    lemma = Step("lemma", {"name": "log-concave", "at": {"w": weight, "x": x, "y": y}}, (
        *[_SEEN] * 4, Step("rewrite", {
            "left": weight * apply("log", x) + (ONE - weight) * apply("log", y), "right": apply("log", inside),
        }, (_ASSUMED,))))
    followed(chain.goal, lemma)
    return fact, chain.around(lemma)

