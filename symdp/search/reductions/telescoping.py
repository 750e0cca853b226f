r"""Functions of the family of Gamma on half-lines, telescoping to infinity.

By the laws of recurrence $f(x)-f(x+1)$ is elementary; if it is not negative, f is at least its limit. Where that is a
limit of a difference (digamma and log), a bound below f has it as well, by the lemmas on digamma.

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

import sympy
from sympy import Expr, Symbol

from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import FUNCTIONS, ONE, ZERO, Term, apply, substitute, variable
from symdp.search.elaboration.chords_of_loggamma import law
from symdp.search.elaboration.derived_rules import RULES
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour, parts_of

FAMILY = frozenset(name for name, f in FUNCTIONS.items() if f.onward)
_ASSUMED, _SEEN = Step("assumption"), Step("enclosure")


def reductions(goal: Goal) -> Iterator[Detour]:
    """Along each variable that goes on for ever and by which the functions of the family move."""
    parts = parts_of(goal, FAMILY) if isinstance(goal.claim, Relation) else []
    for name in sorted(set().union(*(p.variables for p in parts))):
        moving = [p for p in parts if name in p.variables]
        if any(sympy.diff(expr_of(p.args[0]), Symbol(name)) != 1 for p in moving):
            continue
        try:
            yield from _along(goal, name, moving)
        except (Rejected, ArithmeticError, NotATerm, KeyError):
            continue


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
        relation, shown = law(part.head, u)
        if further is not relation.left:
            chain.put(further, relation.left, Step("identity"))
        chain.put(relation.left, relation.right, shown)
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
    """A term below the gap without digamma, and a step for that; None if there is no digamma in the gap."""
    gap = expr_of(goal.relation.gap)
    inside = [p for p in moving if p.head == "digamma"]
    if not inside or len(inside) < len(moving):
        return None
    summands, bound = [], gap
    for part in inside:
        psi, u = expr_of(part), expr_of(part.args[0])
        coefficient = sympy.expand(gap).coeff(psi, 1)
        if not coefficient.is_Rational or coefficient == 0:
            raise Rejected("digamma has no rational coefficient")
        lower = coefficient > 0
        by = sympy.log(u) - (1 / u if lower else 0)
        bound = bound.subs(psi, by)
        factor = term_of(psi - by if lower else by - psi)
        name = "digamma-lower" if lower else "digamma-upper"
        summands.append((term_of(abs(coefficient)), factor, name, part.args[0]))
    simple = _with_logs_together(sympy.expand(bound))
    positive = [u for *_, u in summands]
    step = Step("combine", {
        "terms": [[c, [[f, 1, ">="]]] for c, f, _, _ in summands], "positive": positive,
    }, tuple(Step("lemma", {"name": n, "at": {"x": u}}, (_SEEN, _ASSUMED)) for _, _, n, u in summands))
    return term_of(simple), step


def _with_logs_together(expr: Expr) -> Expr:
    """Logarithms with opposite coefficients as one of a quotient, whose limit is seen."""
    logs = {t: c for t, c in expr.as_coefficients_dict().items() if isinstance(t, sympy.log)}
    if len(logs) < 2 or sum(logs.values()) != 0:
        return expr
    first, *others = logs
    rest = expr - sum(c * t for t, c in logs.items())
    return rest + sum(c * sympy.log(t.args[0] / first.args[0]) for t, c in logs.items() if t in others)
