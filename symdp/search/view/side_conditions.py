r"""What the rules of the search check before they conclude anything. Not trusted.

Each ``need_...`` raises Rejected, Undefined or Unsupported where it cannot see to what it is asked; the
others make the domains and goals that premises speak about.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

import sympy
from sympy import Expr, Symbol, oo

from symdp.formulas.derivative import derivative as plain_derivative
from symdp.formulas.insertion import inserted
from symdp.formulas.parsing import to_text
from symdp.formulas.relation import Relation
from symdp.kernel.proof import Rejected
from symdp.kernel.values import calculus
from symdp.numbers.domain import Domain, Interval, bounds_one_variable, setting_of
from symdp.numbers.ranges import readable
from symdp.search.view.goals import DEFAULT_BITS, Target, range_on
from symdp.search.view.identity import identical

DERIVATIVE = "SymPy's derivative"
ZERO = sympy.Integer(0)


def sign_goal(expr: Expr, domain: Domain, op: str) -> Target:
    """expr >= 0 or expr > 0."""
    return Target(domain, ZERO, {">=": "<=", ">": "<"}[op], expr)


def need_defined(exprs: Iterable[Expr], domain: Domain, bits: int = DEFAULT_BITS) -> None:
    """Raises Undefined if one of them may be undefined somewhere on the domain."""
    for expr in exprs:
        range_on(expr, domain, bits)


def need_positive(exprs: Iterable[Expr], domain: Domain) -> list[Expr]:
    """Those of the expressions that the domain speaks about, each seen to be positive on it."""
    checked = []
    for expr in exprs:
        if not expr.free_symbols <= set(domain.variables):
            continue
        if not range_on(expr, domain).is_positive():
            raise Rejected(f"{to_text(expr)} was not seen to be positive on {domain}")
        checked.append(expr)
    return checked


def need_same(a: Expr, b: Expr, domain: Domain, positive: Iterable[Expr] = ()) -> None:
    if not identical(a, b, need_positive(positive, domain)):
        raise Rejected(f"{to_text(a)} and {to_text(b)} were not seen to be the same")


def need_variable(goal: Target, v: Symbol) -> Interval:
    """The interval of a real variable that no condition ties to the others."""
    if v not in goal.domain.intervals:
        raise Rejected(f"{v} is not a variable of the goal")
    if v in goal.domain.integers:
        raise Rejected(f"{v} is an integer; relax it first")
    if any(v in c.symbols for c in goal.domain.conditions):
        raise Rejected(f"a condition ties {v} to other variables")
    return goal.domain.intervals[v]


def need_way_to_end(goal: Target, v: Symbol, end: str) -> Interval:
    """The interval of a real variable that may be moved to that end without leaving the domain.

    A condition may tie it to the others if it only gets truer on the way: its gap is monotone in v.
    """
    if any(v in c.symbols for c in goal.domain.conditions):
        box = Domain(goal.domain.intervals, goal.domain.integers)
        for c in goal.domain.conditions:
            if v not in c.symbols:
                continue
            slope = range_on(derivative(c.gap, v), box)
            eases = slope.is_nonpositive() if end == "lower" else slope.is_nonnegative()
            if c.op == "==" or not eases:
                raise Rejected(f"the condition {c} may fail on the way to the {end} end of {v}")
            need_smooth(c.gap, v, box)
        goal = goal.on(replace(goal.domain, conditions=()))
    return need_variable(goal, v)


def section(domain: Domain, v: Symbol, at: Expr) -> Domain:
    """The other variables of the points whose v can be moved to ``at``, where conditions only ease."""
    conditions = []
    for c in domain.conditions:
        if v not in c.symbols:
            conditions.append(c)
        elif at not in (oo, -oo) and (there := inserted_into(c, {v: at})).symbols:
            conditions.append(there)
    # Where a condition has eased there may be new points, about which the facts say nothing.
    tied = any(v in c.symbols for c in domain.conditions)
    facts = () if tied else tuple(f for f in domain.facts if v not in f.symbols)
    others = {u: i for u, i in domain.intervals.items() if u != v}
    return Domain(others, domain.integers - {v}, tuple(dict.fromkeys(conditions)), facts)


def without(domain: Domain, v: Symbol) -> Domain:
    return Domain(
        {u: i for u, i in domain.intervals.items() if u != v},
        domain.integers - {v},
        domain.conditions,
        tuple(f for f in domain.facts if v not in f.symbols),
    )


def opened(domain: Domain, v: Symbol) -> Domain:
    i = domain.intervals[v]
    return domain if i.lower == i.upper else domain.replace_interval(
        v, Interval(i.lower, i.upper, True, True)
    )


def restrict(domain: Domain, relation: Relation) -> Domain | None:
    """The part of the domain where the relation holds; None if it is seen to be empty."""
    bound = bounds_one_variable(relation)
    if bound is None:
        if not relation.symbols:
            raise Rejected(f"{relation} does not speak about a variable")
        if relation in domain.conditions:
            return domain
        return replace(domain, conditions=(*domain.conditions, relation))
    v, interval = bound
    met = domain.intervals[v].meet(interval)  # raises if ends cannot be compared
    if v in domain.integers and not met.is_empty():
        met = met.to_integers()
    return None if met.is_empty() else domain.replace_interval(v, met)


def inserted_into(relation: Relation, values: Mapping[Symbol, Expr]) -> Relation:
    return Relation(
        inserted(relation.left, values), relation.op, inserted(relation.right, values)
    )


def need_smooth(expr: Expr, v: Symbol, domain: Domain) -> None:
    """Every part that depends on v is infinitely differentiable on the domain."""
    calculus.need_smooth(readable(expr), str(v.name), setting_of(domain))


def derivative(expr: Expr, v: Symbol, order: int = 1) -> Expr:
    found = plain_derivative(expr, v) if order == 1 else sympy.diff(expr, v, order)
    if found.has(sympy.Derivative, sympy.Subs):
        raise Rejected(f"no derivative of {to_text(expr)} is known")
    return found


def need_inside(expr: Expr, interval: Interval, domain: Domain) -> None:
    need_defined([expr], domain)
    inside = True
    if interval.lower != -oo:
        above = range_on(expr - interval.lower, domain)
        inside = above.is_positive() if interval.lower_open else above.is_nonnegative()
    if interval.upper != oo:
        below = range_on(expr - interval.upper, domain)
        inside = inside and (below.is_negative() if interval.upper_open else below.is_nonpositive())
    if not inside:
        raise Rejected(f"{to_text(expr)} may leave {interval}")


def degree_bound(expr: Expr) -> float:
    """A bound on the degree of a polynomial in all its variables together; oo for anything else."""
    if expr.is_Symbol or not expr.free_symbols:
        return 1 if expr.is_Symbol else 0
    if expr.is_Add or expr.is_Mul:
        degrees = [degree_bound(a) for a in expr.args]
        return max(degrees) if expr.is_Add else sum(degrees)
    if expr.is_Pow and expr.exp.is_Integer and expr.exp > 0:
        return degree_bound(expr.base) * min(int(expr.exp), 10**6)
    return math.inf


def is_implied(relation: Relation, domain: Domain) -> bool:
    """Whether an enclosure of the gap, as it is or with common factors taken out, shows it."""
    if relation.op == "==":
        return False
    forms = [relation.gap, sympy.factor_terms(relation.gap)]
    if degree_bound(relation.gap) <= 8 and relation.gap.count_ops() < 40:
        forms.append(sympy.factor(relation.gap))
    for gap in dict.fromkeys(forms):
        if gap != relation.gap and not identical(relation.gap, gap):
            continue
        r = range_on(gap, domain)
        if r.is_positive() or (relation.op in ("<=", ">=") and r.is_nonnegative()):
            return True
    return False
