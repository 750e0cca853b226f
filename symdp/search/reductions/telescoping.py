r"""Functions of the family of Gamma on half-lines, telescoping to infinity.

By the laws of recurrence $f(x)-f(x+1)$ is elementary; if it is not negative, f is at least its limit. Where that is a
limit of a difference (digamma and log, loggamma and Stirling's formula, two values of loggamma), a bound below f has
it as well, by the lemmas on those.

>>> from symdp.kernel.goals import REAL
>>> x = variable("x")
>>> goal = Goal((("x", REAL),), (Relation(ZERO, "<", x),), Relation(ONE / x, "<=", apply("trigamma", x)))
>>> for premise in next(reductions(goal)).premises: print(premise.claim)
0 <= 1/x^2 + 1/(x + 1) - 1/x
trigamma(x) - 1/x <= trigamma(x) - 1/x
0 <= 0
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import sympy
from sympy import Expr, Rational, Symbol

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import FUNCTIONS, ONE, ZERO, Term, apply, substitute, variable
from symdp.search.elaboration.chords_of_loggamma import law
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour, parts_of

FAMILY = frozenset(name for name, f in FUNCTIONS.items() if f.onward)
#: The recurrence is used so often at most, where an argument goes on by more than 1.
FASTEST = 3
_HALF = Rational(1, 2)
_ASSUMED, _SEEN = Step("assumption"), Step("enclosure")


def reductions(goal: Goal) -> Iterator[Detour]:
    """Along each variable that goes on for ever and by which the functions of the family move."""
    parts = parts_of(goal, FAMILY) if isinstance(goal.claim, Relation) else []
    for name in sorted(set().union(*(p.variables for p in parts))):
        moving = [p for p in parts if name in p.variables]
        if any(_speed(p, name) not in range(1, FASTEST + 1) for p in moving):
            continue
        try:
            yield from _along(goal, name, moving)
        except (Rejected, ArithmeticError, NotATerm, KeyError):
            continue


def _speed(part: Term, name: str) -> Expr:
    """How far the argument of a function goes on where the variable goes on by 1."""
    return sympy.diff(expr_of(part.args[0]), Symbol(name))


def _along(goal: Goal, name: str, moving: Sequence[Term]) -> Iterator[Detour]:
    strict = goal.relation.op == "<"
    below = _bound(goal, moving)
    given = {"variable": name, **({"strict_slope": True} if strict else {})}
    if below is not None:
        given["bound"] = below[0]
    onward, under, *limits = RULES["telescoping"](goal, given)
    chain = Descent(onward)
    for part in moving:
        u = part.args[0]
        further = apply(part.head, substitute(u, {name: variable(name) + ONE}))
        for before in reversed(range(int(_speed(part, name)))):
            relation, shown = law(part.head, u if before == 0 else term_of(expr_of(u) + before))
            if further is not relation.left:
                chain.put(further, relation.left, Step("identity"))
            chain.put(relation.left, relation.right, shown)
            further = apply(part.head, *relation.left.args[0].args[:1])
    gap = sympy.expand(expr_of(chain.goal.relation.gap))
    inside = [term_of(log.args[0]) for log in sorted(gap.atoms(sympy.log), key=sympy.default_sort_key)]
    chain.rewrite(ZERO, term_of(_with_logs_together(gap)), [u for u in inside if u.variables])
    shown_under = below[1] if below is not None else None

    def finish(steps: Sequence[Step]) -> Step:
        first, second, *rest = steps
        return Step("telescoping", given, (chain.around(first), shown_under or second, *rest))

    trivial = [under.claiming(Relation(ZERO, "<=", ZERO))] if below is not None else [under]
    yield Detour((chain.goal, *trivial, *limits), finish,
                    Reason.of("the gap falls from each ", Symbol(name), " to the next, and has a limit"))


def _bound(goal: Goal, moving: Sequence[Term]) -> tuple[Term, Step] | None:
    """A term below the gap without digamma, or without loggamma, and a step for that; None if it has neither."""
    heads = {p.head for p in moving}
    if heads not in ({"digamma"}, {"loggamma"}):
        return None
    gap = expr_of(goal.relation.gap)
    coefficients = {p: sympy.expand(gap).coeff(expr_of(p), 1) for p in moving}
    if any(not c.is_Rational or c == 0 for c in coefficients.values()):
        raise Rejected("a function has no rational coefficient")
    if heads == {"digamma"}:
        bounds = [_of_digamma(part, c) for part, c in coefficients.items()]
    elif sum(coefficients.values()) == 0 and (rises := _of_rises(coefficients)) is not None:
        bounds = rises
    elif sum(coefficients.values()) != 0:
        bounds = [_of_loggamma(part, c) for part, c in coefficients.items()]
    else:
        return None
    below = sympy.expand(gap) - sum(b.weight * expr_of(b.factor) for b in bounds)
    simple = _with_logs_together(sympy.expand(below))
    inside = [log.args[0] for log in sorted(sympy.expand(below).atoms(sympy.log), key=sympy.default_sort_key)]
    positive = [term_of(u) for u in inside if u.free_symbols]
    step = Step("combine", {
        "terms": [[term_of(b.weight), [[b.factor, 1, ">="]]] for b in bounds],
        "positive": list(dict.fromkeys((*(b.positive for b in bounds), *positive))),
    }, tuple(b.shown for b in bounds))
    return term_of(simple), step


class _Bound(NamedTuple):
    """A factor that is not negative, by a lemma; how often it is taken; what is positive in it."""

    weight: Rational
    factor: Term
    shown: Step
    positive: Term


def _of_digamma(part: Term, coefficient: Rational) -> _Bound:
    psi, u = expr_of(part), expr_of(part.args[0])
    lower = coefficient > 0
    by = sympy.log(u) - (1 / u if lower else 0)
    name = "digamma-lower" if lower else "digamma-upper"
    shown = Step("lemma", {"name": name, "at": {"x": part.args[0]}}, (_SEEN, _ASSUMED))
    return _Bound(abs(coefficient), term_of(psi - by if lower else by - psi), shown, part.args[0])


def _of_loggamma(part: Term, coefficient: Rational) -> _Bound:
    """Stirling's formula, with an error that vanishes."""
    u, lower = expr_of(part.args[0]), coefficient > 0
    near = (u - _HALF) * sympy.log(u) - u + sympy.log(2 * sympy.pi) / 2
    error = -1 / (24 * (u + _HALF)) if lower else 1 / (8 * (u + _HALF)) + 1 / (12 * u * (u + 1))
    factor = expr_of(part) - near - error
    shown = Step("lemma", {"name": f"stirling-near-{'lower' if lower else 'upper'}", "at": {"x": part.args[0]}},
                 (_SEEN, _ASSUMED))
    return _Bound(abs(coefficient), term_of(factor if lower else -factor), shown, part.args[0])


def _of_rises(coefficients: dict[Term, Rational]) -> list[_Bound] | None:
    """Differences of loggamma from the least of the arguments to the others, if those are numbers."""
    parts = list(coefficients)
    apart = {p: sympy.expand(expr_of(p.args[0]) - expr_of(parts[0].args[0])) for p in parts}
    if any(not d.is_Rational for d in apart.values()):
        return None
    least, *others = sorted(parts, key=apart.__getitem__)
    found, (x,) = [], least.args
    for part in others:
        s, lower = apart[part] - apart[least], coefficients[part] > 0
        rise, u = expr_of(part) - expr_of(least), expr_of(x)
        factor = rise - s * (sympy.log(u) - 1 / u) if lower else s * sympy.log(expr_of(part.args[0])) - rise
        known = Step("lemma", {"name": f"loggamma-rise-{'lower' if lower else 'upper'}",
                               "at": {"x": x, "s": term_of(s)}}, (_SEEN, _SEEN, _ASSUMED))
        found.append(_Bound(abs(coefficients[part]), term_of(factor), known, x))
    return found


def _with_logs_together(expr: Expr) -> Expr:
    """Logarithms whose coefficients add up to 0 as those of quotients, whose limits are seen."""
    places = {t: sympy.Dummy() for t in sorted(expr.atoms(sympy.log), key=sympy.default_sort_key) if t.free_symbols}
    flat = sympy.expand(expr.xreplace(places))
    logs = {t: sympy.expand(flat.coeff(d)) for t, d in places.items()}
    if len(logs) < 2 or sympy.expand(sum(logs.values())) != 0:
        return expr
    first, *others = logs
    rest = sympy.expand(flat - sum(c * places[t] for t, c in logs.items()))
    if rest.has(*places.values()):
        return expr
    return rest + sum(sympy.factor(logs[t]) * sympy.log(t.args[0] / first.args[0]) for t in others)
