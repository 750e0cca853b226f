r"""The rules of the search: its model of what the kernel will accept. Not trusted.

A rule takes a goal and parameters and returns the goals that are left open: if those hold, the goal
holds. It raises Rejected when a side condition fails. Read each as an inference, from the goals that
it returns to the goal that it was given. Wherever a premise does not already say that both sides of
the goal are defined, the rule sees to it by an enclosure over the whole domain.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import sympy
from sympy import Expr, Rational, Symbol

from symdp.formulas.insertion import DECIDED_BY_ROUNDING, inserted
from symdp.formulas.parsing import parse_conditions, parse_relation, to_text
from symdp.formulas.relation import Relation
from symdp.kernel import lemmas as library
from symdp.kernel.proof import Rejected
from symdp.numbers.domain import Domain, Interval, bounds_one_variable
from symdp.search.view.algebra import LARGEST_EFFORT, shown_by_z3
from symdp.search.view.goals import Parameters, Target, bits_of, range_on, rule
from symdp.search.view.identity import identical
from symdp.search.view.side_conditions import (
    ZERO,
    inserted_into,
    is_implied,
    need_defined,
    need_inside,
    need_positive,
    need_same,
    restrict,
    sign_goal,
    without,
)

# --- leaves -----------------------------------------------------------------------------------------


@rule("Arb")
def enclosure(goal: Target, parameters: Parameters) -> list[Target]:
    """The ranges of both sides, or of the gap, show the relation on the whole domain."""
    if goal.op == "==":
        raise Rejected("enclosure: an enclosure cannot show an equality")
    bits = bits_of(parameters)
    left = range_on(goal.left, goal.domain, bits)
    right = range_on(goal.right, goal.domain, bits)
    if left.hi < right.lo:
        return []
    if left.hi == right.lo and (not goal.strict or left.hi_open or right.lo_open):
        return []
    gap = range_on(goal.gap, goal.domain, bits)
    if gap.is_positive() or (gap.is_nonnegative() and not goal.strict):
        return []
    raise Rejected(f"{to_text(goal.gap)} ranges over {gap} on {goal.domain}")


@rule("Arb")
def infeasible(goal: Target, parameters: Parameters) -> list[Target]:
    """A condition of the domain fails on its whole box, so there is no point to speak of."""
    box = Domain(goal.domain.intervals, goal.domain.integers, facts=goal.domain.facts)
    for condition in goal.domain.conditions:
        gap = range_on(condition.gap, box, bits_of(parameters))
        if gap.is_negative() or (condition.strict and gap.is_nonpositive()):
            return []
        if condition.op == "==" and gap.is_positive():
            return []
    raise Rejected("every condition may hold somewhere on the box")


@rule("exact algebra")
def identity(goal: Target, parameters: Parameters) -> list[Target]:
    """Both sides are the same expression by the laws of algebra and of exp and log."""
    if goal.op == "<":
        raise Rejected("equal sides do not make a strict inequality")
    need_defined((goal.left, goal.right), goal.domain)
    need_same(goal.left, goal.right, goal.domain, parameters.get("positive", ()))
    return []


@rule("z3")
def algebraic(goal: Target, parameters: Parameters) -> list[Target]:
    """No values of the atoms, within their ranges and under the conditions, violate the goal.

    Exponentials, logarithms and the like are atoms: unknown numbers about which only their ranges
    and the conditions of the domain are used. What is left is decided over the reals.
    """
    need_defined((goal.left, goal.right), goal.domain)
    if goal.op == "==":
        raise Rejected("an equality is shown by identity")
    facts = [lemma_instance(goal.domain, name, at) for name, at in parameters.get("facts", ())]
    shown_by_z3(goal, facts, int(parameters.get("effort", LARGEST_EFFORT)))
    return []


@rule("condition")
def assumption(goal: Target, parameters: Parameters) -> list[Target]:
    """The goal is one of the conditions of its domain."""
    need_defined((goal.left, goal.right), goal.domain)
    for condition in goal.domain.conditions:
        if goal.op == "==" and condition.op != "==":
            continue
        if goal.strict and not condition.strict:
            continue
        if identical(condition.gap, goal.gap):
            return []
    raise Rejected("no condition of the domain says this")


# --- cutting the domain -----------------------------------------------------------------------------


@rule()
def split(goal: Target, parameters: Parameters) -> list[Target]:
    """Cut one variable in two; an integer variable goes on at the next integer."""
    v, at = parameters["variable"], parameters["at"]
    if v not in goal.domain.intervals:
        raise Rejected(f"{v} is not a variable of the goal")
    if not at.is_Rational:
        raise Rejected(f"{at} is not a rational number")
    interval = goal.domain.intervals[v]
    if not interval.contains(at):
        raise Rejected(f"{at} is not in {interval}")
    below = Interval(interval.lower, at, interval.lower_open)
    above = Interval(at, interval.upper, False, interval.upper_open)
    if v in goal.domain.integers:
        above = Interval(sympy.floor(at) + 1, interval.upper, False, interval.upper_open)
    if below.is_empty() or above.is_empty():
        raise Rejected(f"{at} does not cut {interval} in two")
    return [goal.on(goal.domain.replace_interval(v, part)) for part in (below, above)]


@rule()
def weaken(goal: Target, parameters: Parameters) -> list[Target]:
    """Show it on a larger domain: wider intervals, fewer conditions, integers relaxed to reals."""
    larger: Domain = parameters["domain"]
    for v, interval in larger.intervals.items():
        if v not in goal.domain.intervals or not interval.covers(goal.domain.intervals[v]):
            raise Rejected(f"the new interval of {v} does not cover the old one")
    if not larger.integers <= goal.domain.integers:
        raise Rejected("a real variable cannot become an integer")
    if not set(larger.conditions) <= set(goal.domain.conditions) or larger.facts:
        raise Rejected("a condition is new")
    if not (goal.left.free_symbols | goal.right.free_symbols) <= set(larger.intervals):
        raise Rejected("a variable of the goal was forgotten")
    return [goal.on(larger)]


@rule()
def point(goal: Target, parameters: Parameters) -> list[Target]:
    """A variable with a single value is replaced by it."""
    v = parameters["variable"]
    interval = goal.domain.intervals[v]
    if interval.lower != interval.upper:
        raise Rejected(f"{v} has more than one value")
    value = {v: interval.lower}
    need_defined((goal.left, goal.right), goal.domain)
    conditions = [inserted_into(c, value) for c in goal.domain.conditions]
    kept = tuple(c for c in conditions if c.symbols)
    free = replace(goal.domain, conditions=())
    return [
        Target(
            replace(without(free, v), conditions=kept),
            inserted(goal.left, value),
            goal.op,
            inserted(goal.right, value),
        )
    ]


@rule()
def cases(goal: Target, parameters: Parameters) -> list[Target]:
    """An absolute value, minimum or maximum is one of its arguments; look at each in turn."""
    node = parameters["node"]
    # Where the node is undefined none of its cases applies, so that must be nowhere.
    need_defined((goal.left, goal.right, node), goal.domain)
    for side in (goal.left, goal.right):
        for part in sorted(side.atoms(*DECIDED_BY_ROUNDING), key=sympy.default_sort_key):
            # SymPy would evaluate it anew, by looking at floats, once the node is replaced.
            if part != node and part.has(node):
                raise Rejected(f"{to_text(node)} stands inside {to_text(part)}")
    if isinstance(node, sympy.Abs):
        u = node.args[0]
        branches = [(u, [Relation(u, ">=", ZERO)]), (-u, [Relation(u, "<=", ZERO)])]
    elif isinstance(node, (sympy.Min, sympy.Max)):
        op = "<=" if isinstance(node, sympy.Min) else ">="
        branches = [
            (a, [Relation(a, op, b) for b in node.args if b != a])  # type: ignore[arg-type]
            for a in node.args
        ]
    else:
        raise Rejected(f"{to_text(node)} is no absolute value, minimum or maximum")
    open_goals = []
    for value, conditions in branches:
        domain: Domain | None = goal.domain
        for c in conditions:
            if domain is not None and c.symbols:
                domain = restrict(domain, c)
        if domain is not None:
            left, right = (side.xreplace({node: value}) for side in (goal.left, goal.right))
            open_goals.append(Target(domain, left, goal.op, right))
    return open_goals


@rule()
def every(goal: Target, parameters: Parameters) -> list[Target]:
    """Below a minimum means below each entry; above a maximum means above each."""
    if isinstance(goal.right, sympy.Min):
        return [Target(goal.domain, goal.left, goal.op, a) for a in goal.right.args]
    if isinstance(goal.left, sympy.Max):
        return [Target(goal.domain, a, goal.op, goal.right) for a in goal.left.args]
    raise Rejected("the right side is no minimum and the left side no maximum")


@rule()
def some(goal: Target, parameters: Parameters) -> list[Target]:
    """A minimum is below as soon as one entry is; a maximum above."""
    chosen = parameters["entry"]
    if goal.op == "==":
        raise Rejected("one entry does not make an equality")
    need_defined((goal.left, goal.right), goal.domain)
    if isinstance(goal.left, sympy.Min) and chosen in goal.left.args:
        return [Target(goal.domain, chosen, goal.op, goal.right)]
    if isinstance(goal.right, sympy.Max) and chosen in goal.right.args:
        return [Target(goal.domain, goal.left, goal.op, chosen)]
    raise Rejected(f"{to_text(chosen)} is no entry of a minimum on the left or maximum on the right")


@rule("exact algebra")
def substitute(goal: Target, parameters: Parameters) -> list[Target]:
    """Write a variable as a function of a new one that reaches every value it has.

    ``inverse`` is the value of the new variable that belongs to a point; it must lie in the new
    interval, and give the old variable back.
    """
    v, t = parameters["variable"], parameters["new"]
    forward, inverse = parameters["forward"], parameters["inverse"]
    interval: Interval = parameters["interval"]
    domain = goal.domain
    if v not in domain.intervals or t in domain.intervals or not t.is_Symbol:
        raise Rejected(f"{t} must be new and {v} a variable of the goal")
    if v in domain.integers:
        raise Rejected(f"{v} is an integer; relax it first")
    if not inverse.free_symbols <= set(domain.variables) or v in forward.free_symbols:
        raise Rejected("the substitution uses unknown variables")
    if not forward.free_symbols <= {t, *domain.variables}:
        raise Rejected("the substitution uses unknown variables")
    need_same(inserted(forward, {t: inverse}), v, domain, parameters.get("positive", ()))
    need_inside(inverse, interval, domain)
    need_defined((goal.left, goal.right), domain)
    others = {u: i for u, i in domain.intervals.items() if u != v}
    new = Domain({**others, t: interval}, domain.integers)
    need_defined([forward], new)
    old = domain.intervals[v]
    bounds = Domain({v: old}).relations()
    for c in (inserted_into(r, {v: forward}) for r in (*domain.conditions, *bounds)):
        if c.symbols and not is_implied(c, new):
            restricted = restrict(new, c)
            if restricted is None:
                return []
            new = restricted
    # Every point of the new domain comes from one of the old, so that its facts carry over.
    facts = (inserted_into(f, {v: forward}) for f in domain.facts)
    new = replace(new, facts=tuple(f for f in facts if f.symbols))
    return [
        Target(new, inserted(goal.left, {v: forward}), goal.op, inserted(goal.right, {v: forward}))
    ]


# --- facts ------------------------------------------------------------------------------------------


@rule()
def cut(goal: Target, parameters: Parameters) -> list[Target]:
    """First show a fact, then use it as a condition of the domain."""
    fact: Relation = parameters["fact"]
    return [Target.of(fact, goal.domain), goal.on(_with_fact(goal.domain, fact))]


def _with_fact(domain: Domain, fact: Relation) -> Domain:
    narrower = (
        replace(domain, facts=(*domain.facts, fact))
        if bounds_one_variable(fact) is None
        else restrict(domain, fact)
    )
    if narrower is None:
        raise Rejected("the fact contradicts the domain")
    return narrower


@rule()
def otherwise(goal: Target, parameters: Parameters) -> list[Target]:
    """The claim holds, or what is shown from its negation is that it does."""
    if goal.op == "==":
        raise Rejected("the negation of an equation is no relation")
    need_defined((goal.left, goal.right), goal.domain)
    negation = Relation(goal.left, ">=" if goal.strict else ">", goal.right)
    return [goal.on(_with_fact(goal.domain, negation))]


@rule()
def transitivity(goal: Target, parameters: Parameters) -> list[Target]:
    """Through an expression in the middle."""
    middle = parameters["middle"]
    if goal.op == "==":
        return [Target(goal.domain, goal.left, "==", middle), Target(goal.domain, middle, "==", goal.right)]
    strict_first = goal.strict and bool(parameters.get("strict_first", False))
    first, second = ("<", "<=") if strict_first else ("<=", goal.op)
    return [
        Target(goal.domain, goal.left, first, middle),
        Target(goal.domain, middle, second, goal.right),
    ]


def lemma_instance(domain: Domain, name: str, at: Iterable[tuple[Symbol, Expr]]) -> Relation:
    """A lemma at expressions for its variables, where enclosures show that it applies."""
    known, values = _lemma_at(name, at)
    for relation in known.domain.relations():
        gap = range_on(Relation(
            inserted(relation.left, values),
            relation.op,
            inserted(relation.right, values),
        ).gap, domain)
        if not (gap.is_positive() if relation.strict else gap.is_nonnegative()):
            raise Rejected(f"the lemma {name!r} was not seen to apply")
    left, right = (inserted(s, values) for s in (known.left, known.right))
    need_defined((left, right), domain)
    return Relation(left, "<" if known.strict else "<=", right)


def _lemma_at(name: str, at: Iterable[tuple[Symbol, Expr]]) -> tuple[Target, dict[Symbol, Expr]]:
    try:
        known = stated(name)
    except KeyError:
        raise Rejected(f"there is no lemma called {name!r}") from None
    values = dict(at)
    if known.domain.integers or set(values) != set(known.domain.variables):
        raise Rejected(f"the lemma {name!r} speaks about other variables")
    return known, values


@rule("exact algebra")
def lemma(goal: Target, parameters: Parameters) -> list[Target]:
    """An instance of a lemma of the library, whose variables are replaced by expressions."""
    known, values = _lemma_at(parameters["name"], parameters["at"])
    need_defined((goal.left, goal.right), goal.domain)
    if goal.op == "==" or known.op == "==" or (goal.strict and not known.strict):
        raise Rejected("the lemma does not say that much")
    gap = inserted(known.gap, values)
    need_same(goal.gap, gap, goal.domain, parameters.get("positive", ()))
    premises = []
    for relation in known.domain.relations():
        instance = Relation(
            inserted(relation.left, values),
            relation.op,
            inserted(relation.right, values),
        )
        premises.append(Target.of(instance, goal.domain))
    return premises


# --- rewriting --------------------------------------------------------------------------------------


LARGEST_EXPONENT = 1000


@rule("exact algebra")
def combine(goal: Target, parameters: Parameters) -> list[Target]:
    """The gap is a sum of products of factors of known sign, with positive coefficients.

    Each term is a coefficient and a list of factors ``(expression, exponent, sign)``, the sign one of
    ``>``, ``>=`` and empty. An even power needs no sign, a negative one a strict sign.
    """
    terms = parameters["terms"]
    need_defined((goal.left, goal.right), goal.domain)
    total: Expr = ZERO
    premises: list[Target] = []
    some_strict = False
    for coefficient, factors in terms:
        if not (isinstance(coefficient, Rational) and coefficient > 0):
            raise Rejected(f"the coefficient {coefficient} is not a positive rational")
        product: Expr = coefficient
        strict = True
        for expr, exponent, sign in factors:
            exponent = int(exponent)
            if abs(exponent) > LARGEST_EXPONENT:
                raise Rejected(f"the exponent {exponent} is too large")
            if sign not in ("", ">=", ">") or exponent == 0:
                raise Rejected(f"a factor has the sign {sign!r} and exponent {exponent}")
            if exponent % 2 and not sign:
                raise Rejected(f"an odd power of {to_text(expr)} has no sign of its own")
            if exponent < 0 and sign != ">":
                raise Rejected(f"{to_text(expr)} may be 0 in a denominator")
            strict = strict and sign == ">"
            product *= inserted(_PLACE**exponent, {_PLACE: expr})
            if sign:
                premises.append(sign_goal(expr, goal.domain, sign))
            else:
                need_defined([expr], goal.domain)
        some_strict = some_strict or strict
        total += product
    if goal.op == "==" or (goal.strict and not some_strict):
        raise Rejected("no term is strictly positive")
    need_same(goal.gap, total, goal.domain, parameters.get("positive", ()))
    return list(dict.fromkeys(premises))


_PLACE = Symbol("place_")
_INCREASING = {
    "log": (sympy.log, ">", ">"),
    "exp": (sympy.exp, "", ""),
    "sqrt": (sympy.sqrt, ">=", ">="),
    "square": (lambda u: u**2, "", ">="),
}


@rule("exact algebra")
def increasing(goal: Target, parameters: Parameters) -> list[Target]:
    """Apply an increasing function to two sides whose difference is the gap, up to a positive factor.

    ``lower`` and ``upper`` are the sides, ``images`` what the function makes of them.
    """
    lower, upper = parameters["lower"], parameters["upper"]
    factor = parameters.get("factor", sympy.Integer(1))
    image_lower, image_upper = parameters["images"]
    if parameters["function"] not in _INCREASING:
        raise Rejected(f"{parameters['function']!r} is no increasing function that is known here")
    function, sign_lower, sign_upper = _INCREASING[parameters["function"]]
    if goal.op == "==":
        raise Rejected("an equality is shown by identity")
    need_defined((goal.left, goal.right), goal.domain)
    positive = need_positive(parameters.get("positive", ()), goal.domain)
    for a, b in (
        (goal.gap, factor * (upper - lower)),
        (image_lower, inserted(function(_PLACE), {_PLACE: lower})),
        (image_upper, inserted(function(_PLACE), {_PLACE: upper})),
    ):
        if not identical(a, b, positive):
            raise Rejected(f"{to_text(a)} and {to_text(b)} were not seen to be the same")
    premises = []
    for expr, sign in ((lower, sign_lower), (upper, sign_upper)):
        if sign:
            premises.append(sign_goal(expr, goal.domain, sign))
        else:
            need_defined([expr], goal.domain)
    if factor != 1:
        premises.append(sign_goal(factor, goal.domain, ">"))
    premises.append(Target(goal.domain, image_lower, goal.op, image_upper))
    return list(dict.fromkeys(premises))


# --- what the lemmas say, on SymPy's side; the kernel's library holds their proofs --------------------

#: name -> (claim, where); a proof may use those before it
LEMMAS: dict[str, tuple[str, tuple[str, ...]]] = {
    "exp-tangent": ("exp(z) >= 1 + z", ()),
    "exp-quadratic": ("exp(z) >= 1 + z + z^2/2", ("z >= 0",)),
    "log-tangent": ("log(z) <= z - 1", ("z > 0",)),
    "log-chord": ("log(z) >= 2*(z - 1)/(z + 1)", ("z >= 1",)),
    "log-root": ("log(z) <= (z - 1)/sqrt(z)", ("z >= 1",)),
    "erfc-chernoff": ("erfc(z) <= exp(-z^2)", ("z >= 0",)),
    "mills-upper": ("erfc(z) <= exp(-z^2)/(sqrt(pi)*z)", ("z > 0",)),
    "mills-lower": ("erfc(z) >= 2*z*exp(-z^2)/(sqrt(pi)*(2*z^2 + 1))", ("z >= 0",)),
    "mills-birnbaum": ("erfc(z) >= 2*exp(-z^2)/(sqrt(pi)*(z + sqrt(z^2 + 2)))", ("z >= 0",)),
    "normal-chernoff": ("Phi(-z) <= exp(-z^2/2)/2", ("z >= 0",)),
    "normal-mills": ("Phi(-z) <= exp(-z^2/2)/(sqrt(2*pi)*z)", ("z > 0",)),
    "cosh-gauss": ("cosh(z) <= exp(z^2/2)", ()),
    "log-concave": (
        "w*log(x) + (1-w)*log(y) <= log(w*x + (1-w)*y)", ("x > 0", "y > 0", "0 <= w <= 1"),
    ),
    "exp-convex": ("exp(w*x + (1-w)*y) <= w*exp(x) + (1-w)*exp(y)", ("0 <= w <= 1",)),
}


def target_of(claim: str, where: Iterable[str]) -> Target:
    relation = parse_relation(claim)
    conditions = [c for text in where for c in parse_conditions(text)]
    return Target.of(relation, Domain.of(conditions, variables=relation.symbols))


@lru_cache
def _read(name: str) -> Target:
    return target_of(*LEMMAS[name])


def stated(name: str) -> Target:
    """What a lemma of the kernel's library says; KeyError if there is none of that name.

    >>> print(stated("exp-tangent"))
    z + 1 <= exp(z) for z real
    """
    if name not in library.documents():
        raise KeyError(name)
    return _read(name)
