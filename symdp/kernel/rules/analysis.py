r"""The rules of analysis: enclosures, exact algebra, calculus along one variable. **Trusted.**

Wherever a premise does not already say that both sides of the claim are defined, the rule sees to it by an
enclosure over all points of the hypotheses.
"""

from collections.abc import Iterable
from functools import partial

from symdp.kernel import terms
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Parameters, Rejected, bits_of, rule
from symdp.kernel.rules.logic import need_term
from symdp.kernel.terms import ZERO, Term, add, mul, number, replace_part, substitute
from symdp.kernel.values import conditions
from symdp.kernel.values.calculus import derivative, need_smooth
from symdp.kernel.values.conditions import need_continuous_at, need_defined, need_same, opened
from symdp.kernel.values.enclosure import range_on
from symdp.kernel.values.limits import MINUS_INFINITY, PLUS_INFINITY, limit

LARGEST_EXPONENT = 1000

# --- leaves -------------------------------------------------------------------------------------


@rule()
def enclosure(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The ranges of both sides, or of the gap (as it is, or in another form), show the relation.

    Sides that are the same by the laws of algebra have the gap 0.
    """
    r, bits = goal.relation, bits_of(parameters)
    if conditions.shown(r, goal, bits):
        return []
    need_defined((r.left, r.right), goal, bits)
    gap = stated(parameters, "gap", r.gap, goal)
    found = range_on(gap, goal, bits)
    if not conditions.fits(found, r.op):
        raise Rejected(f"{gap} ranges over {found}")
    return []


# --- minimum, maximum, absolute value -----------------------------------------------------------


@rule()
def branches(goal: Goal, parameters: Parameters) -> list[Goal]:
    """An absolute value, minimum or maximum is one of its arguments; look at each in turn."""
    node = need_term(parameters["node"])
    need_defined(node.args, goal)
    if node.head == "abs":
        (u,) = node.args
        found: list[tuple[Term, list[Relation]]] = [(u, [Relation(ZERO, "<=", u)]), (-u, [Relation(u, "<=", ZERO)])]
    elif node.head in ("min", "max"):
        op = "<=" if node.head == "min" else ">="
        found = [(a, [Relation(a, op, b) for b in node.args if b is not a]) for a in node.args]
    else:
        raise Rejected(f"{node} is no absolute value, minimum or maximum")
    return [goal.claiming(goal.claim.map(partial(replace_part, part=node, by=value)), *assumed)
            for value, assumed in found]


# --- rewriting ----------------------------------------------------------------------------------


@rule()
def combine(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The gap is a sum of products of factors of known sign, with positive coefficients.

    Each term is a coefficient and a list of factors ``(term, exponent, sign)``, the sign one of ``>``,
    ``>=`` and empty. An even power needs no sign, a negative one a strict sign.
    """
    r = goal.relation
    need_defined((r.left, r.right), goal)
    summands: list[Term] = []
    premises: list[Goal] = []
    some_strict = False
    for coefficient, factors in parameters["terms"]:
        if need_term(coefficient).head != "number" or not coefficient.value > 0:
            raise Rejected(f"the coefficient {coefficient} is not a positive rational number")
        product, strict = [coefficient], True
        for term, exponent, sign in factors:
            Rejected.unless(type(exponent) is int and 0 < abs(exponent) <= LARGEST_EXPONENT, "a wrong exponent")
            if sign not in ("", ">=", ">") or (exponent % 2 and not sign) or (exponent < 0 and sign != ">"):
                raise Rejected(f"{term} to the power {exponent} has no known sign")
            strict = strict and sign == ">"
            product.append(need_term(term) if exponent == 1 else term ** number(exponent))
            if sign:
                premises.append(goal.claiming(conditions.sign_claim(term, sign)))
            else:
                need_defined([term], goal)
        some_strict = some_strict or strict
        summands.append(mul(*product))
    Rejected.unless(r.op != "==" and (r.op != "<" or some_strict), "no term is strictly positive")
    need_same(r.gap, add(*summands) if summands else ZERO, goal, parameters.get("positive", ()))
    return list(dict.fromkeys(premises))


# --- calculus along one variable ----------------------------------------------------------------


def stated(parameters: Parameters, key: str, own: Term, goal: Goal) -> Term:
    """A gap or a derivative as the step writes it, seen to be the kernel's own; without one, the kernel's."""
    if key not in parameters:
        return own
    written = need_term(parameters[key])
    need_defined([written], goal, bits_of(parameters))
    need_same(written, own, goal, parameters.get("positive", ()))
    return written


def smooth_gap(goal: Goal, parameters: Parameters) -> Term:
    """The gap of the claim, smooth in the variable and continuous at the ends that belong to it; in the form that
    the step gives, where it gives one.

    That says the same where the hypotheses hold; if its value is to be taken at an end of the variable's interval
    that does not belong to it, it must not jump there: it is smooth as well.
    """
    r, name = goal.relation, parameters["variable"]
    need_defined((r.left, r.right), goal)
    gap = stated(parameters, "gap", r.gap, goal)
    for form in {r.gap, gap}:
        need_smooth(form, name, opened(goal, name))
    conditions.need_continuous(r.gap, name, goal)
    return gap


def end_of(goal: Goal, name: str, end: str) -> tuple[Term | None, bool]:
    """The constant at that end of the variable (None if infinite), and whether the end is left out."""
    lower, upper = conditions.bounds_of(goal, name)
    found = lower if end == "lower" else upper
    return (None, True) if found is None else (found.right, found.strict)


def value_at_end(goal: Goal, gap: Term, name: str, end: str, strict: bool, parameters: Parameters) -> list[Goal]:
    """That the gap, or its limit, is not negative where the variable reaches that end."""
    at, is_open = end_of(goal, name, end)
    rest, _ = conditions.without(goal, name)
    if at is not None and not (is_open and parameters.get(f"limit_{end}", False)):
        eased = [h.substitute({name: at}) for h in conditions.tied(goal, name)]
        known = [h for h in eased if _has_values(h.terms(), rest)]
        need_continuous_at(gap, name, at, rest.claiming(rest.claim, *known))
        return [rest.claiming(conditions.sign_claim(substitute(gap, {name: at}), ">" if strict else ">="), *known)]
    infinite = MINUS_INFINITY if end == "lower" else PLUS_INFINITY
    value = limit(gap, name, infinite if at is None else at, goal, from_above=end == "lower")
    if value is PLUS_INFINITY:
        return []
    Rejected.unless(value is not MINUS_INFINITY, f"the gap tends to -oo at the {end} end of {name}")
    return [rest.claiming(conditions.sign_claim(need_term(value), ">" if strict else ">="))]


def _has_values(terms: Iterable[Term], goal: Goal) -> bool:
    try:
        need_defined(terms, goal)
    except (ArithmeticError, Rejected):
        return False
    return True


@rule()
def monotone(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The gap grows away from one end of a variable's interval, and is not negative there."""
    r, name, end = goal.relation, parameters["variable"], parameters["end"]
    Rejected.unless(end in ("lower", "upper") and r.op != "==", f"{str(end)[:20]!r} is no end of an interval")
    conditions.need_real(name, goal)
    conditions.need_easing(goal, name, end)
    inner, gap = opened(goal, name), smooth_gap(goal, parameters)
    slope = stated(parameters, "slope", derivative(r.gap, name), inner)
    # A strict claim is strict at the end, or the end is left out and the slope is strict.
    by_slope = r.op == "<" and bool(parameters.get("strict_slope", False))
    Rejected.unless(not by_slope or end_of(goal, name, end)[1], "the claim must be strict at an end of the domain")
    op = "<" if by_slope else "<="
    growth = Relation(ZERO, op, slope) if end == "lower" else Relation(slope, op, ZERO)
    return [inner.claiming(growth), *value_at_end(goal, gap, name, end, r.op == "<" and not by_slope, parameters)]


@rule()
def telescoping(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The gap does not grow from any point to the one that is 1 further, is everywhere at least as large as a term
    (itself, if none is given), and that has a limit that is not negative."""
    r, name = goal.relation, parameters["variable"]
    Rejected.unless(r.op != "==" and end_of(goal, name, "upper")[0] is None, f"{name} cannot go on without end")
    conditions.need_real(name, goal)
    conditions.need_easing(goal, name, "upper")
    by_step, bound = r.op == "<" and bool(parameters.get("strict_slope", False)), parameters.get("bound", r.gap)
    onward = Relation(substitute(r.gap, {name: terms.variable(name) + terms.ONE}), "<" if by_step else "<=", r.gap)
    return [goal.claiming(onward), goal.claiming(Relation(need_term(bound), "<=", r.gap)),
            *value_at_end(goal, bound, name, "upper", r.op == "<" and not by_step, parameters)]


@rule()
def recurrence(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The value of a function at u + 1 from that at u > 0, by the law that it has."""
    f, u = terms.FUNCTIONS[parameters["function"]], need_term(parameters["at"])
    law = f.onward and Relation(terms.apply(f.name, u + terms.ONE), "==", f.onward(terms.apply(f.name, u), u))
    Rejected.unless(goal.claim == law, f"{f.name} has another law, or none")
    return [goal.claiming(Relation(ZERO, "<", u))]


def curved(goal: Goal, parameters: Parameters) -> tuple[Term, Term, Term, Goal]:
    """The slope of the gap is weight times core: the gap, the core, its slope, and that the weight is positive.

    A gap whose core grows falls first and rises then; one whose core shrinks does the opposite.
    """
    r, name, positive = goal.relation, parameters["variable"], parameters.get("positive", ())
    conditions.need_real(name, goal)
    Rejected.unless(r.op != "==" and not conditions.tied(goal, name), f"an equality, or {name} is tied to others")
    inner, gap = opened(goal, name), smooth_gap(goal, parameters)
    weight, core = need_term(parameters["weight"]), need_term(parameters["core"])
    need_defined((weight, core), inner)
    need_same(derivative(r.gap, name), weight * core, inner, positive)
    need_smooth(core, name, inner)
    bend = stated(parameters, "bend", derivative(core, name), inner)
    return gap, core, bend, inner.claiming(conditions.sign_claim(weight, ">"))


@rule()
def convex(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The slope grows, up to a positive weight, and vanishes at a point; the gap is least there."""
    r, name, at = goal.relation, parameters["variable"], need_term(parameters["at"])
    rest, _ = conditions.without(goal, name)
    Rejected.unless(at.variables <= set(rest.variables), "the stationary point may depend on other variables only")
    gap, core, bend, weighted = curved(goal, parameters)
    if at in (end_of(goal, name, "lower")[0], end_of(goal, name, "upper")[0]):
        # A closed end will do if everything is continuous up to it.
        there, value = substitute(core, {name: at}), substitute(gap, {name: at})
        need_defined([there, value], rest)
        need_continuous_at(core, name, at, rest)
        need_continuous_at(gap, name, at, rest)
    else:
        for end, op in (("lower", "<"), ("upper", ">")):
            bound = end_of(goal, name, end)[0]
            if bound is not None and not conditions.shown(Relation(bound, op, at), rest):
                raise Rejected(f"{at} was not seen to lie inside of the interval of {name}")
        # The point is one of the goal's, whatever the others are: the core is defined there, and facts hold.
        need_defined([at], rest)
        rest = rest.knowing(*(h.substitute({name: at}) for h in goal.hypotheses
                              if h in goal.facts and name in h.variables))
        there = substitute(core, {name: at})
    need_same(there, ZERO, rest, [p for p in parameters.get("positive", ()) if name not in p.variables])
    return [opened(goal, name).claiming(Relation(ZERO, "<=", bend)), weighted,
            rest.claiming(conditions.sign_claim(substitute(gap, {name: at}), ">" if r.op == "<" else ">="))]


@rule()
def concave(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The slope shrinks, up to a positive weight: the gap is least at an end, and not negative there."""
    r, name = goal.relation, parameters["variable"]
    gap, _, bend, weighted = curved(goal, parameters)
    by_bend = r.op == "<" and bool(parameters.get("strict_bend", False))
    if by_bend and not all(end_of(goal, name, e)[1] for e in ("lower", "upper")):
        raise Rejected("an end belongs to the domain, so the claim must be strict there")
    strict = r.op == "<" and not by_bend
    return [opened(goal, name).claiming(Relation(bend, "<" if by_bend else "<=", ZERO)), weighted,
            *(g for e in ("lower", "upper") for g in value_at_end(goal, gap, name, e, strict, parameters))]
