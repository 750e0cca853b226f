r"""Sums of logarithms, with one logarithm for each factor: along some variable the slope has none of them.

Divergences of Bernoullis are of this kind: a slope in the second argument, or a bend in either, is a quotient of
polynomials, and its sign is a matter of algebra. What is left is one variable less.

>>> from symdp.kernel.goals import REAL
>>> p, t = variable("p"), variable("t")
>>> inside = tuple(Relation(a, "<", b) for v in (p, t) for a, b in ((ZERO, v), (v, ONE)))
>>> claim = Relation(ZERO, "<=", p * t - p - apply("log", ONE - p + p * t))
>>> for premise in next(reductions(Goal((("p", REAL), ("t", REAL)), inside, claim))).premises: print(premise.claim)
0 <= 1
0 <= 0*(t - 1) - log(0*t - 0 + 1) - 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import sympy
from sympy import Expr, Rational, Symbol

from symdp.formulas.derivative import derivative
from symdp.formulas.translation import NotATerm, expr_of, term_of
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ONE, ZERO, Term, add, apply, fresh, mul, subterms, variable
from symdp.kernel.values.conditions import tied
from symdp.numbers.domain import Domain, DomainError, Interval
from symdp.search.elaboration.derived_rules import RULES, followed
from symdp.search.elaboration.goal_views import view_of
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Descent, Detour, parts_of
from symdp.search.tactics.forms import is_positive_on
from symdp.search.tactics.sample_points import seems_nonnegative, seems_nonpositive

FAILURES = (Rejected, IllFormed, NotATerm, DomainError, ArithmeticError, TypeError, ValueError, KeyError,
            sympy.PolynomialError)
#: Claims that are longer are left alone; so are slopes.
LONGEST, LARGEST = 160, 200
#: Other functions than logarithms have no place here.
_FOREIGN = (sympy.exp, sympy.sin, sympy.cos, sympy.tan, sympy.erfc, sympy.gamma, sympy.loggamma, sympy.Abs, sympy.Min,
            sympy.Max, sympy.floor, sympy.polygamma)

#: A factor that is positive, and its exponent.
Factor = tuple[Expr, Rational]


def reductions(goal: Goal) -> Iterator[Detour]:
    """Calculus along a variable in which the slope, or at least the bend, has no logarithm."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.op == "==" or goal.relation.gap.size > LONGEST:
        return
    try:
        relation, domain = view_of(goal)
        gap = relation.right - relation.left
        if not gap.has(sympy.log) or gap.has(*_FOREIGN) or len(gap.free_symbols) > 3:
            return
        if not domain.is_finite():  # far out, logarithms are better taken together
            return
        chain = Descent(goal)
        apart = _taken_apart(chain, domain)
    except FAILURES:
        return
    for name, s in goal.sorts:
        v = Symbol(name)
        if s != REAL or not apart.has(v) or tied(goal, name):
            continue
        for rule, parameters, core, weights in _fitting(chain.goal, v, apart, domain):
            try:
                first, *others = RULES[rule](chain.goal, parameters)
                inner, around = _by_the_core(first, core, weights)
            except FAILURES:
                continue

            def finish(steps: Sequence[Step], rule: str = rule, parameters: dict[str, object] = parameters,
                       around: Callable[[Step], Step] = around) -> Step:
                return chain.around(Step(rule, parameters, (around(steps[0]), *steps[1:])))

            yield Detour((inner, *others), finish, Reason.of("logarithms of factors; calculus along ", v),
                         sure=True)


def _taken_apart(chain: Descent, domain: Domain) -> Expr:
    """The gap with the logarithms of products as sums, and each logarithm once."""
    for part in parts_of(chain.goal, frozenset({"log"})):
        try:
            coefficient, bases = factors_of(expr_of(part.args[0]), domain)
        except FAILURES:
            continue
        if coefficient is None or (coefficient == 1 and bases == [(expr_of(part.args[0]), 1)]):
            continue
        _take_apart(chain, part, coefficient, bases)
    apart = expr_of(chain.goal.relation.gap)
    # Inside of the logarithms nothing is multiplied out: it was seen to be positive as it stands.
    logs = {t: sympy.Dummy() for t in sorted(apart.atoms(sympy.log), key=sympy.default_sort_key)}
    back = {d: t for t, d in logs.items()}
    summed = sympy.collect(sympy.expand(apart.xreplace(logs)), list(back), evaluate=False)
    whole = sympy.Add(*(sympy.factor(c) * t for t, c in summed.items())).xreplace(back)
    chain.rewrite(ZERO, term_of(whole))
    return whole


def _take_apart(chain: Descent, part: Term, coefficient: Rational, bases: Sequence[Factor]) -> None:
    """The logarithm of a product as a sum: shown for any positive numbers in the place of the factors."""
    total, shown = as_a_sum(chain.goal, part, coefficient, bases)
    chain.put(part, total, shown)


def as_a_sum(goal: Goal, part: Term, coefficient: Rational, bases: Sequence[Factor], back: bool = False,
             ) -> tuple[Term, Step]:
    """The logarithm of a product as a sum, and a step for their being equal; ``back`` with the sum on the left."""
    factors = [(term_of(b), e) for b, e in bases]
    rest = [] if coefficient == 1 else [term_of(coefficient)]
    total = add(*(apply("log", c) for c in rest), *(term_of(e) * apply("log", b) for b, e in factors), ZERO)
    aside = Descent(goal.claiming(Relation(total, "==", part) if back else Relation(part, "==", total)))
    for b, _ in factors:
        aside.know(Relation(ZERO, "<", b), Step("enclosure"))
    if any(b not in set(subterms(part)) for b, _ in factors):
        product = mul(*rest, *(b ** term_of(e) for b, e in factors), ONE)
        aside.put(part, apply("log", product), Step("identity", {"positive": [b for b, _ in factors]}))
    names: dict[Term, str] = {}
    for b, _ in sorted(factors, key=lambda f: -f[0].size):
        if b.head != "variable":
            names[b] = fresh("factor", aside.goal.taken | set(names.values()))
    if names:
        aside.generalise(list(names.items()))
    positive = [variable(names[b]) if b in names else b for b, _ in factors]
    last = Step("identity", {"positive": positive})
    followed(aside.goal, last)
    return total, aside.around(last)


def factors_of(inside: Expr, domain: Domain) -> tuple[Rational | None, list[Factor]]:
    """A positive coefficient and positive factors with their exponents; None if they are not seen to be positive."""
    if inside.has(sympy.log):
        return None, []
    coefficient, found = Rational(1), dict[Expr, Rational]()
    for part, power in _powers(inside):
        if part.is_Rational:
            if power.is_Integer:
                coefficient *= part**power
                continue
            return None, []
        constant, bases = sympy.factor_list(part)
        for base, exponent in bases:
            seen, way = _seen(base, domain)
            if seen is None or not base.free_symbols:
                return None, []
            constant *= way**exponent
            found[seen] = found.get(seen, Rational(0)) + exponent * power
        if constant <= 0 or (constant != 1 and not power.is_Integer):
            return None, []
        coefficient *= constant**power
    return coefficient, [(b, e) for b, e in found.items() if e != 0]


def _powers(inside: Expr) -> Iterator[tuple[Expr, Rational]]:
    """Polynomials, and the exponents with which they are multiplied; roots of products are roots of their factors."""
    if inside.is_Mul:
        for part in inside.args:
            yield from _powers(part)
    elif inside.is_Pow and inside.exp.is_Rational:
        for part, power in _powers(inside.base):
            yield part, power * inside.exp
    elif all(p.exp.is_Integer for p in inside.atoms(sympy.Pow)):
        above, below = sympy.fraction(sympy.together(inside))
        yield above, Rational(1)
        if below != 1:
            yield below, Rational(-1)
    else:
        raise Rejected("a root of a sum")


def _seen(base: Expr, domain: Domain) -> tuple[Expr | None, int]:
    """A sum, or the opposite of it, in a form whose enclosure is positive, as p + (1 - p)*t is; and the sign."""
    for way in (1, -1):
        forms = [way * base, *(sympy.collect(sympy.expand(way * base), v, sympy.factor)
                               for v in sorted(base.free_symbols, key=str))]
        for form in forms:
            if is_positive_on(form, domain):
                return form, way
    return None, 1


def _factored(slope: Expr, domain: Domain) -> tuple[Expr, list[tuple[Expr, int]]]:
    """A quotient of polynomials as a core times factors that are seen to be positive, with their exponents."""
    above, below = sympy.fraction(sympy.together(slope))
    core, weights = Rational(1), []
    for part, sign in ((above, 1), (below, -1)):
        coefficient, bases = (part, []) if part.is_Rational else sympy.factor_list(part)
        core *= coefficient**sign
        for base, exponent in bases:
            seen, way = _seen(base, domain)
            if seen is None:
                core *= base ** (sign * exponent)
            else:
                core *= way**exponent
                weights.append((seen, sign * int(exponent)))
    return core, weights


def _by_the_core(goal: Goal, core: Expr, weights: Sequence[tuple[Expr, int]]) -> tuple[Goal, Callable[[Step], Step]]:
    """A claim about the sign of such a product as one about its core; and the step from that."""
    strict = goal.relation.op == "<"
    claimed = core if goal.relation.left is ZERO else -core
    terms = [[ONE, [*([term_of(b), e, ">"] for b, e in weights), [term_of(claimed), 1, ">" if strict else ">="]]]]
    *seen, last = RULES["combine"](goal, {"terms": terms})
    return last, lambda step: Step("combine", {"terms": terms}, (*[Step("enclosure")] * len(seen), step))


def _fitting(goal: Goal, v: Symbol, gap: Expr, domain: Domain) -> list[_Way]:
    try:
        return list(_ways(goal, v, gap, domain))
    except FAILURES:
        return []


_Way = tuple[str, dict[str, object], Expr, list[tuple[Expr, int]]]


def _ways(goal: Goal, v: Symbol, gap: Expr, domain: Domain) -> Iterator[_Way]:
    """A rule with its parameters, and the slope or bend whose sign it asks for: the core and the other factors."""
    slope, strict = derivative(gap, v), goal.relation.op == "<"
    interval = domain.intervals[v]
    if slope.count_ops() > LARGEST:
        return
    given: dict[str, object] = {"variable": v.name, **_limits(gap, v, interval)}
    if not slope.has(sympy.log):
        core, weights = _factored(slope, domain)
        stated = sympy.Mul(core, *(b**e for b, e in weights))
        for seems, end, is_open in ((seems_nonnegative, "lower", interval.lower_open),
                                    (seems_nonpositive, "upper", interval.upper_open)):
            if seems(core, domain):
                yield "monotone", {**given, "slope": term_of(stated), "end": end,
                                   **({"strict_slope": True} if strict and is_open else {})}, core, weights
    bend = derivative(slope, v)
    if bend.has(sympy.log) or sympy.oo in (interval.upper, -interval.lower) or bend.count_ops() > LARGEST:
        return
    core, weights = _factored(bend, domain)
    if seems_nonpositive(core, domain):
        strictly = {"strict_bend": True} if strict and interval.lower_open and interval.upper_open else {}
        stated = sympy.Mul(core, *(b**e for b, e in weights))
        yield "concave", {**given, "weight": ONE, "core": term_of(slope), "bend": term_of(stated),
                          **strictly}, core, weights


def _limits(gap: Expr, v: Symbol, interval: Interval) -> dict[str, object]:
    """At an open end where the gap has no value its limit is taken."""
    found: dict[str, object] = {}
    for end, at, is_open in (("lower", interval.lower, interval.lower_open),
                             ("upper", interval.upper, interval.upper_open)):
        if is_open and at not in (sympy.oo, -sympy.oo) and any(
                t.args[0].subs(v, at) == 0 for t in gap.atoms(sympy.log)):
            found[f"limit_{end}"] = True
    return found

