"""For every rule: a correct step, and very many wrong ones made from it. What the kernel accepts must be true.

Derived rules are attacked like those of the kernel, which has to see through what they are made of.

A wrong step is a correct one with a few changes. Some are made at random: sides swapped, a hypothesis weakened, an
end moved, an integer made real. Others are made of every rule in turn, one for each way in which proofs go wrong
(:data:`KINDS`): a part that may be undefined, a relation made strict or not, a name caught by another, a case that is
missing or counted twice, a domain or a range that may be empty. What a rule leaves open is closed by leaves of the
kernel, if they can. If that verifies, no point of a sample may contradict the goal.
"""

import random
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise

import pytest
from flint import fmpq
from kernel_terms import eq, exp, le, log, lt
from random_terms import holds

from symdp.kernel.algebra.normal_form import Algebra
from symdp.kernel.goals import INTEGER, REAL, Each, Formula, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.rules.failing import FailsFor
from symdp.kernel.rules.orders import Fails, Order
from symdp.kernel.rules.privacy import AnyPrivate, Finite, Gaussian, Laplace, Private, TwoVariances
from symdp.kernel.rules.readings import Continued
from symdp.kernel.rules.sums import LAWS
from symdp.kernel.terms import (
    ONE,
    ZERO,
    Term,
    apply,
    bound,
    member,
    number,
    rebuild,
    replace_part,
    substitute,
    subterms,
    sum_over,
    variable,
)
from symdp.kernel.values.points import Members, Point, value_at
from symdp.kernel.values.ranges import Undefined, Unsupported, Vacuous
from symdp.kernel.witness import refute
from symdp.search.elaboration.derived_rules import RULES, verify

x, y, z, k, m, t = (variable(n) for n in "xyzkmt")
TWO, HALF, TEN = number(2), number(1, 2), number(10)
a_i = member("a", bound(0))
SORTS = (("x", REAL), ("y", REAL), ("z", REAL), ("k", INTEGER), ("m", INTEGER))
NAMES = {n for n, _ in SORTS}


def goal_of(claim, *hypotheses):
    return Goal(SORTS, hypotheses, claim, (("a", REAL),))


POSITIVE = lt(ZERO, x)
UNIT = (le(ZERO, x), le(x, ONE))
TO_ZERO = {"path": {"x": ONE / t}, "parameter": "t", "start": 1, "closeness": {"x": ONE}}
TO_INFINITY = {"path": {"x": t}, "parameter": "t", "start": 2}
X_REAL = (("x", REAL),)


def order(left, kind, right, at=ZERO):
    return Goal((), (), Order(left, kind, right, (("x", at),), (), X_REAL, (POSITIVE,)))


def private(subject, epsilon, delta, *where, fold=ONE, ends=()):
    return goal_of(Private(subject, fold, epsilon, delta, ends), *where)


#: rule -> goals and parameters of correct steps, what is left open being plain
CORRECT = {
    "aside": [(goal_of(lt(ZERO, exp(y)), POSITIVE), {
        "sorts": [["u", REAL]], "given": [], "hypotheses": [lt(ZERO, variable("u"))],
        "claim": lt(ZERO, variable("u")), "at": {"u": exp(y)}, "families": {}})],
    "assumption": [(goal_of(le(x, y + ONE), le(x - ONE, y)), {})],
    "both": [(goal_of(eq(x, ONE), le(x, ONE), le(ONE, x)), {})],
    "branches": [(goal_of(le(ZERO, apply("abs", x))), {"node": apply("abs", x)}),
                 (goal_of(le(apply("min", x, y), x)), {"node": apply("min", x, y)})],
    "cases": [(goal_of(le(ZERO, apply("max", x, -x))), {"relation": le(x, ZERO)}),
              (goal_of(le(ZERO, x * x), le(ZERO, x)), {"relation": le(x, ONE)}),
              (goal_of(lt(HALF, k * k), le(ONE, k)), {"relation": le(k, number(5, 2))})],
    "change": [(goal_of(le(ONE, x), le(ONE, x)), {
        "variable": "x", "new": "s", "forward": variable("s") + ONE, "inverse": x - ONE,
        "where": [le(ZERO, variable("s"))]}),
        (goal_of(lt(ZERO, x), POSITIVE), {
            "variable": "x", "new": "s", "forward": exp(variable("s")), "inverse": log(x), "positive": [x]})],
    "combine": [(goal_of(le(TWO * x * y, x * x + y * y)), {"terms": [[ONE, [[x - y, 2, ""]]]]}),
                (goal_of(lt(ZERO, x + y * y), POSITIVE), {"terms": [[ONE, [[x, 1, ">"]]], [ONE, [[y, 2, ""]]]]})],
    "concave": [(goal_of(le(ZERO, x * (ONE - x)), *UNIT),
                 {"variable": "x", "weight": ONE, "core": ONE - TWO * x})],
    "contradiction": [(goal_of(le(x, y), lt(x, ZERO), lt(ONE, x)), {}),
                      (goal_of(le(x, y), lt(ZERO, k), lt(k, ONE)), {})],
    "convex": [(goal_of(le(ZERO, (x - HALF) ** TWO), *UNIT), {
        "variable": "x", "at": HALF, "weight": TWO, "core": x - HALF}),
               (goal_of(le(x + ONE, exp(x))), {"variable": "x", "at": ZERO, "weight": ONE, "core": exp(x) - ONE})],
    "cut": [(goal_of(lt(ZERO, x + ONE), le(ONE, x)), {"fact": POSITIVE})],
    "each": [(goal_of(Each(ONE, k, le(ONE, bound(0)))), {"name": "i"})],
    "enclosure": [(goal_of(le(x * x, x), *UNIT), {"gap": x * (ONE - x)}), (goal_of(lt(x, TWO), *UNIT), {})],
    "generalise": [(goal_of(le(ZERO, exp(x) * exp(x)), lt(ZERO, exp(x))), {"parts": [[exp(x), "s"]]})],
    "identity": [(goal_of(eq((x + y) ** TWO, x * x + TWO * x * y + y * y)), {}),
                 (goal_of(eq(log(x * y), log(x) + log(y)), POSITIVE, lt(ZERO, y)), {"positive": [x, y]})],
    "induction": [(goal_of(le(ONE, k), le(ONE, k)), {"variable": "k", "first": 1}),
                  (goal_of(le(ZERO, k * x), le(ZERO, k), le(ZERO, x)), {"variable": "k", "first": 0})],
    "instance": [(goal_of(le(ZERO, member("a", k)), Each(ONE, m, le(ZERO, a_i)), le(ONE, k), le(k, m)),
                  {"hypothesis": 0, "at": k})],
    "lemma": [(goal_of(le(x + ONE, exp(x))), {"name": "exp-tangent", "at": {"z": x}}),
              (goal_of(le(log(x), x - ONE), POSITIVE), {"name": "log-tangent", "at": {"z": x}})],
    "monotone": [(goal_of(le(ZERO, x ** number(3)), le(ZERO, x)), {"variable": "x", "end": "lower"}),
                 (goal_of(lt(ZERO, exp(x) - ONE), POSITIVE),
                  {"variable": "x", "end": "lower", "strict_slope": True}),
                 (goal_of(le(ONE / x, ONE), le(ONE, x)), {"variable": "x", "end": "lower"})],
    "paving": [(goal_of(le(x * x, x + HALF), *UNIT), {"cuts": [0, -1, -1]})],
    "point": [(goal_of(le(x, TWO), eq(x, ONE)), {"variable": "x"}),
              (goal_of(le(k * y, y), le(k, ONE), le(ONE, k)), {"variable": "k"})],
    "recurrence": [(goal_of(eq(apply("gamma", x + ONE), x * apply("gamma", x)), POSITIVE),
                    {"function": "gamma", "at": x}),
                   (goal_of(eq(apply("digamma", y + ONE + ONE), apply("digamma", y + ONE) + ONE / (y + ONE)),
                            le(ZERO, y)), {"function": "digamma", "at": y + ONE})],
    "replace": [(goal_of(le(x + y, z), eq(x, y), le(x + x, z)),
                 {"name": "s", "form": le(x + variable("s"), z), "part": y, "by": x}),
                (goal_of(Each(ONE, k, le(a_i, x)), Each(ONE, k, le(a_i, y)), eq(x, y)),
                 {"name": "s", "form": Each(ONE, k, le(a_i, variable("s"))), "part": x, "by": y})],
    "rewrite": [(goal_of(le(x + y, y + ONE), le(x, ONE)), {"left": x, "right": ONE})],
    "telescoping": [(goal_of(le(ZERO, ONE), POSITIVE), {"variable": "x"}),
                    (goal_of(le(ZERO, TWO), POSITIVE, le(y, x)), {"variable": "x", "bound": ONE - ONE / x}),
                    (goal_of(lt(ZERO, ONE), POSITIVE), {"variable": "x", "bound": ONE - ONE / x})],
    "transitivity": [(goal_of(lt(x, z), le(x, y), lt(y, z)), {"middle": y})],
    "weaken": [(goal_of(lt(ZERO, x), le(ONE, x)), {"hypotheses": [le(HALF, x)]}),
               (goal_of(le(ZERO, k * k), le(ONE, k)), {"hypotheses": [le(ZERO, k)], "real": ["k"]})],
    # guarantees
    "certain": [(private(AnyPrivate(x, ZERO), x, TWO, le(ZERO, x)), {})],
    "concentrated": [(private(AnyPrivate(ONE, ZERO), TWO, HALF, fold=TWO), {"share": HALF})],
    "tilted": [(private(AnyPrivate(ONE, ZERO), TWO, HALF, fold=TWO), {"share": HALF})],
    "finite-laws": [(private(Finite((x, ONE - x), (ONE - x, x)), TWO, TWO, *UNIT), {})],
    "gaussian-curve": [(private(Gaussian(ONE, ONE), ONE, HALF), {})],
    "gaussian-moments": [(private(Gaussian(TEN, ONE), ONE, HALF), {})],
    "laplace-curve": [(private(Laplace(ONE, ONE), HALF, HALF), {})],
    "linear": [(private(AnyPrivate(x, ZERO), k * x, ZERO, le(ZERO, x), le(ONE, k), fold=k), {}),
               (private(AnyPrivate(x, y), x + ONE, y, le(ZERO, x), le(ZERO, y), le(y, ONE)), {"union": True})],
    "moments": [(private(AnyPrivate(ONE, ZERO), number(3), HALF, fold=TWO), {"share": HALF})],
    "one-step": [(private(AnyPrivate(ONE, ZERO), HALF, HALF), {})],
    "opened": [(private(AnyPrivate(ONE, ZERO), ONE + ONE / x, ZERO, le(ZERO, x), ends=((x, ZERO),)), {})],
    "pure-noise": [(private(Laplace(ONE, ONE), ONE, ZERO), {})],
    "relax": [(private(AnyPrivate(x, ZERO), x + ONE, ZERO, le(ZERO, x)), {"epsilon": x})],
    "two-variances": [(private(TwoVariances(TWO), ONE, HALF), {})],
    "void": [(private(AnyPrivate(x, ZERO), log(y), ONE), {})],
    "worst-case": [(private(AnyPrivate(ONE, ZERO), ONE, HALF, fold=TWO), {})],
    # orders, and statements of their own
    "continued": [(Goal((), (), Continued(le(x * log(x), ONE), "x", ZERO, X_REAL, UNIT)), {})],
    "departure-bounded": [(Goal((), (), Fails(order(x * x, "O", x, None).claim)),
                           {**TO_INFINITY, "growth": t / TWO})],
    "departure-limit": [(Goal((), (), Fails(order(exp(x), "O", x, None).claim)),
                         {**TO_INFINITY, "ratio": exp(t) / t})],
    "fails-for": [(Goal((), (), FailsFor(Goal((("x", REAL), ("y", REAL)), (POSITIVE,), le(x, y * x)), ("y",),
                                         (lt(y, ONE),))), {"at": {"x": ONE}})],
    "order-both": [(order(x, "Theta", x), {})],
    "order-bounded": [(order(x, "O", TWO * x), {**TO_ZERO, "factors": [ONE]})],
    "order-chain": [(order(x, "O", x), {"middle": x, "kinds": ["O", "O"]})],
    "order-equal": [(order(x, "O", x), {"left": x, "right": x})],
    "order-follow": [(Goal((), (), Order(y, "O", x, (("x", ZERO),), (), (("x", REAL), ("y", REAL)),
                                         (POSITIVE, eq(y, x)))), {"variable": "y"})],
    "order-limit": [(order(x, "~", x), {**TO_ZERO, "ratio": ONE})],
    "order-product": [(order(x * x, "O", x * x), {})],
    "order-sum": [(order(x + x, "O", x), {})],
}
RANGE = {"low": ONE, "high": k}
#: The laws of sums, each used to show its own instance.
SUMS = [
    ("termwise", {"head": "sum", **RANGE, "body": a_i, "op": "<=", "other": [ONE, k, a_i + ONE]}),
    ("combination", {**RANGE, "op": "==", "left": TWO * a_i, "parts": [[TWO, a_i]]}),
    ("product-sign", {**RANGE, "body": bound(0), "op": "<"}),
    ("termwise", {"head": "product", **RANGE, "body": bound(0), "op": ">=", "other": [ONE, k, ONE]}),
    ("termwise", {"head": "sum", **RANGE, "body": ONE / bound(0), "op": "==", "other": [ONE, k, ONE / bound(0)]}),
    ("parted", {"head": "sum", **RANGE, "body": a_i, "middle": ONE, "after": TWO}),
    ("parted", {"head": "product", **RANGE, "body": a_i, "middle": k - ONE, "after": k}),
    ("parted", {"head": "sum", **RANGE, "body": a_i, "middle": ZERO, "after": ONE}),
    ("written-out", {"head": "sum", "low": ONE, "high": number(3), "body": a_i}),
    ("constant", {"head": "product", **RANGE, "value": x}),
    ("exchange", {"sum": sum_over("i", ONE, k, sum_over("j", ONE, variable("i"), member("a", variable("j"))))}),
    ("telescope", {**RANGE, "body": ONE, "closed": bound(0), "op": "=="}),
    ("factors", {**RANGE, "body": bound(0) ** TWO, "parts": [[bound(0), 2]]}),
    ("product-of-exponentials", {**RANGE, "body": exp(a_i), "inner": a_i}),
    ("log-of-product", {**RANGE, "body": bound(0)}),
    ("binomial-theorem", {"exponent": k, "x": x, "y": y}),
]
WITHOUT_LEAVES = {"claim"}  # which is ``aside``, with a proof elsewhere


def laws():
    for name, parameters in SUMS:
        _, instance = LAWS[name](parameters)
        yield name, goal_of(instance, le(ONE, k), le(k, number(4))), {"name": name, **parameters}


def steps(rule):
    """The correct steps of a rule."""
    if rule == "sum-law":
        return [(g, p) for _, g, p in laws()]
    return CORRECT[rule]


# --- closing what is left open -------------------------------------------------------------------

LEAVES = (Step("assumption"), Step("enclosure"), Step("identity"), Step("contradiction"))
_NEXT = {Each: Step("each", {"name": "i_new"}), Order: Step("order-bounded", {**TO_ZERO, "factors": [ONE]}),
         Private: Step("linear")}


def applied(rule, goal, parameters):
    try:
        return RULES[rule](goal, parameters)
    except (Rejected, IllFormed, ArithmeticError, KeyError, AttributeError, TypeError, ValueError, IndexError):
        return None


def simplest_gap(goal):
    """The gap in its normal form, where there is one."""
    algebra = Algebra((), goal.whole)
    try:
        return algebra.term_of(algebra.normal(goal.relation.gap))
    except ArithmeticError:
        return None


def closed(goal, depth=2):
    """A step that shows the goal, of leaves and little else; or None."""
    for leaf in LEAVES:
        if applied(leaf.rule, goal, leaf.parameters) == []:
            return leaf
    if isinstance(goal.claim, Relation):
        simpler = simplest_gap(goal)
        if simpler is not None and applied("enclosure", goal, {"gap": simpler}) == []:
            return Step("enclosure", {"gap": simpler})
    further = _NEXT.get(type(goal.claim))
    if further is not None and depth:
        found = opened(further.rule, goal, further.parameters, depth - 1)
        if found is not None:
            return found
    if isinstance(goal.claim, Relation) and depth:
        return opened("monotone", goal, {"variable": "x", "end": "lower"}, 0) if goal.families else None
    return None


def opened(rule, goal, parameters, depth=2):
    premises = applied(rule, goal, parameters)
    if premises is None:
        return None
    found = []
    for premise in premises:
        step = closed(premise, depth)
        if step is None:
            return None
        found.append(step)
    return Step(rule, parameters, tuple(found))


# --- what is true --------------------------------------------------------------------------------

VALUES = [fmpq(v) for v in (0, 0, 1, 1, -1, 2, 3, -2, 10)] + [fmpq(1, 2), fmpq(-1, 2), fmpq(1, 100), fmpq(3, 2)]


def points(goal, rng, count=40):
    for _ in range(count):
        values = {n: rng.choice(VALUES) if s == REAL else fmpq(rng.randint(-1, 4)) for n, s in goal.sorts}
        families = {n: Members({i: rng.choice(VALUES) for i in range(-2, 6)}, rng.choice(VALUES))
                    for n, _ in goal.families}
        yield Point.of(goal, values, families)


def contradicted(goal, rng, parameters=None):
    """A point at which the hypotheses hold and the claim does not, if a sample has one."""
    if isinstance(goal.claim, Continued):  # beside the end it says what its relation says
        claim = goal.claim
        beside = [h for op in "<>" for h in (Relation(claim.at, op, variable(claim.variable)),)]
        inside = (claim.inside.claiming(claim.relation, h) for h in beside)
        return next((found for g in inside if (found := contradicted(g, rng)) is not None), None)
    if isinstance(goal.claim, Order | Fails):
        return far_out(goal.claim)
    if isinstance(goal.claim, FailsFor):
        return does_not_fail(goal.claim, (parameters or {}).get("at"), rng)
    for point in points(goal, rng):
        if all(holds(h, point) is True for h in goal.hypotheses):
            if isinstance(goal.claim, Private):
                try:
                    return refute(goal, point)
                except Rejected:
                    continue
            if holds(goal.claim, point) is False:
                return point
    return None


def far_out(claim):
    """Whether numbers on the way to the limit belie an order in one variable: the quotient of the sides grows or
    shrinks again and again where it should not, or does not tend to 0. Of one that is said to fail, the opposite."""
    order = claim.order if isinstance(claim, Fails) else claim
    if len(order.sorts) != 1 or len(order.moving) != 1:
        return None
    (_, at), sizes = order.moving[0], []
    for j in (2, 4, 6, 8, 10):
        step = fmpq(10) ** j
        point = Point.of(order.points, {"x": step if at is None else at.value + 1 / step})
        if not all(holds(h, point) is True for h in order.hypotheses):
            return None
        left, right = (abs(float(value_at(t, point, 512).lo)) for t in (
            order.left - order.right if order.kind == "~" else order.left, order.right))
        if right == 0:
            return None
        sizes.append(left / right)
    grows = all(b > 30 * a for a, b in pairwise(sizes)) and sizes[-1] > 1e6
    shrinks = all(30 * b < a for a, b in pairwise(sizes)) and sizes[-1] < 1e-6
    steady = all(a / 2 < b < 2 * a for a, b in pairwise(sizes))
    wrong = {"O": grows, "Theta": grows or shrinks, "o": grows or (steady and sizes[-1] > 0.1),
             "~": grows or (steady and sizes[-1] > 0.1)}[order.kind]
    right_then = {"O": shrinks or steady, "Theta": steady and sizes[-1] > 0.1, "o": shrinks, "~": shrinks}[order.kind]
    return sizes if (right_then if isinstance(claim, Fails) else wrong) else None


def does_not_fail(claim, at, rng):
    """A value of the parameters for which the point that a step names shows nothing."""
    for point in points(claim.outside, rng):
        if all(holds(c, point) is True for c in claim.conditions):
            values = {n: t for n, t in at.items() if n not in claim.parameters}
            if any(holds(h.substitute(values), point) is False for h in claim.goal.hypotheses) or (
                    holds(claim.goal.claim.substitute(values), point) is True):
                return point
    return None


# --- mistakes ------------------------------------------------------------------------------------


def mistaken_term(term, rng):
    parts = [term]
    while parts[-1].args and rng.random() < 0.8:
        parts.append(rng.choice(parts[-1].args))
    part = parts[-1]
    if part.head == "variable":
        other = variable(rng.choice(sorted(NAMES | {part.value})))
    elif part.head == "number":
        other = number(part.value + rng.choice([-1, 1, fmpq(1, 2), -2 * part.value]))
    elif len(part.args) > 1 and rng.random() < 0.5 and part.head not in ("sum", "product"):
        other = rebuild(part, part.args[::-1])
    else:
        v = variable(rng.choice(sorted(NAMES)))
        other = rng.choice([-part, part * v, part + v - v, part * (v / v), part + ZERO * log(v), part + ONE,
                            ZERO * part])
    if part.loose or other.loose:
        return rng.choice([term + ONE, -term, term / bound(0)]) if term.loose else term
    return replace_part(term, part, other)


def mistaken_formula(formula, rng):
    if isinstance(formula, Relation):
        choice = rng.randrange(4)
        if choice == 0:
            return Relation(formula.right, formula.op, formula.left)
        if choice == 1:
            return Relation(formula.left, rng.choice(["<", "<=", "==", ">", ">="]), formula.right)
        if choice == 2:
            return Relation(mistaken_term(formula.left, rng), formula.op, formula.right)
        return Relation(formula.left, formula.op, mistaken_term(formula.right, rng))
    if isinstance(formula, Each):
        low, high = (mistaken_term(e, rng) if e is not None and rng.random() < 0.4 else e
                     for e in (formula.low, formula.high))
        return Each(rng.choice([low, None]), high, formula.body)
    if isinstance(formula, Order):
        side = rng.choice(["left", "right"])
        return replace(formula, **{side: mistaken_term(getattr(formula, side), rng)})
    if isinstance(formula, Private):
        side = rng.choice(["fold", "epsilon", "delta"])
        return replace(formula, **{side: mistaken_term(getattr(formula, side), rng)})
    return formula


def mistaken_goal(goal, rng):
    choice, hypotheses = rng.randrange(5), list(goal.hypotheses)
    if choice == 0 and hypotheses:
        hypotheses.pop(rng.randrange(len(hypotheses)))
    elif choice in (1, 2) and hypotheses:
        place = rng.randrange(len(hypotheses))
        hypotheses[place] = mistaken_formula(hypotheses[place], rng)
    elif choice == 3:
        sorts = tuple((n, rng.choice([REAL, INTEGER]) if rng.random() < 0.3 else s) for n, s in goal.sorts)
        return replace(goal, sorts=sorts)
    else:
        return replace(goal, claim=mistaken_formula(goal.claim, rng))
    return replace(goal, hypotheses=tuple(hypotheses))


def mistaken_value(value, rng):
    if isinstance(value, Term):
        return mistaken_term(value, rng)
    if isinstance(value, Formula):
        return mistaken_formula(value, rng)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-1, 1])
    if isinstance(value, str):
        return rng.choice([*sorted(NAMES), "lower", "upper", "<", "<=", ">=", ">", "", "log", "exp", "sqrt", "sum"])
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        if rng.random() < 0.2:
            return [*value[:place], *value[place + 1:]]
        return [*value[:place], mistaken_value(value[place], rng), *value[place + 1:]]
    if isinstance(value, dict) and value:
        key = rng.choice(sorted(value))
        return {**value, key: mistaken_value(value[key], rng)}
    return value


def mistaken(goal, parameters, rng):
    for _ in range(rng.randint(1, 3)):
        if parameters and rng.random() < 0.5:
            parameters = mistaken_value(parameters, rng)
        else:
            goal = mistaken_goal(goal, rng)
    return goal, parameters


# --- one mistake of a kind -------------------------------------------------------------------------


def changed(value, change):
    """The same with one part changed: every part of it in turn, in every way that ``change`` knows."""
    yield from change(value)
    if is_dataclass(value) and not isinstance(value, type):
        for f in fields(value):
            if f.name not in ("hint", "facts"):
                for other in changed(getattr(value, f.name), change):
                    try:
                        yield replace(value, **{f.name: other})
                    except (IllFormed, ValueError, TypeError, AttributeError):
                        continue
    elif isinstance(value, Mapping):
        for key in value:
            yield from ({**value, key: other} for other in changed(value[key], change))
    elif isinstance(value, list | tuple):
        for place, entry in enumerate(value):
            yield from (type(value)([*value[:place], other, *value[place + 1:]]) for other in changed(entry, change))


def undefined(value):
    """A part that has no value everywhere; multiplied by 0, or divided by itself."""
    if isinstance(value, Term):
        for v in (x, z):
            yield value + ZERO * log(v - ONE)
            yield value * (v / v)


def strictness(value):
    """Another sign between the two sides, another flag, a bound that is a little sharper."""
    if isinstance(value, Private):
        tiny = number(1, 1000)
        yield from (replace(value, epsilon=value.epsilon - tiny), replace(value, delta=value.delta - tiny))
    elif isinstance(value, Order):
        yield from (replace(value, kind=kind) for kind in ("O", "Theta", "o", "~") if kind != value.kind)
    elif isinstance(value, Relation):
        yield from (Relation(value.left, op, value.right) for op in ("<", "<=", "==", ">", ">=") if op != value.op)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, str) and value in ("<", "<=", "==", ">", ">=", ""):
        yield from (op for op in ("<", "<=", "==", ">", ">=", "") if op != value)


def captured(value):
    """A name that is in use for one that should be new; one variable for another, also where an index binds it; and
    around a statement that brings its variables with it, another variable of the same name."""
    if isinstance(value, Goal) and value.claim.has_domain:
        yield Goal(X_REAL, (eq(x, ONE),), value.claim)
    elif isinstance(value, Term):
        for v in sorted(value.variables):
            yield from (substitute(value, {v: variable(w)}) for w in ("x", "y", "k", "i", "t") if w != v)
        if value.loose:
            yield from (replace_index(value, other) for other in (x, k, variable("i"), variable("i_new")))
    elif isinstance(value, str) and value not in (REAL, INTEGER, "<", "<=", "==", ">", ">=", ""):
        yield from (name for name in ("x", "k", "a", "exp", "s") if name != value)


def replace_index(term, other):
    """The same with a variable in the place of an index."""
    return rebuild(term, tuple(replace_index(a, other) if a.loose else a for a in term.args)) if term.args else other


def cases(value):
    """A number that is off by one; an entry of a list that is missing, or there twice, or in another place."""
    if isinstance(value, Term):
        numbers = [t for t in subterms(value) if t.head == "number"]
        yield value + ONE
        yield from (replace_part(value, t, number(t.value + by)) for t in numbers for by in (-1, 1))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from (value - 1, value + 1)
    elif isinstance(value, list) and value:
        yield from (value[:-1], value[1:], [*value, value[-1]], [value[0], *value], value[::-1])


def empty(value):
    """A hypothesis that is missing or turned round, so that a range may be empty or a domain have no point."""
    if isinstance(value, Goal):
        yield value.claiming(value.claim, lt(ONE, ZERO))
    elif isinstance(value, tuple) and value and all(isinstance(h, Formula) for h in value):
        for place, h in enumerate(value):
            yield (*value[:place], *value[place + 1:])
            if isinstance(h, Relation):
                yield (*value[:place], Relation(h.right, h.op, h.left), *value[place + 1:])
    elif isinstance(value, Each):
        yield Each(value.high, value.low, value.body)
    elif isinstance(value, Mapping) and {"low", "high"} <= value.keys():
        yield {**value, "low": value["high"], "high": value["low"]}


KINDS = (undefined, strictness, captured, cases, empty)


def mistakes(rule, kind):
    """Steps of the rule that are wrong in that way: in the goal, or in a parameter."""
    found = []
    for goal, parameters in steps(rule):
        found += [(g, parameters) for g in changed(goal, kind)]
        found += [(goal, p) for p in changed(parameters, kind)]
    return found


# --- the tests -----------------------------------------------------------------------------------


def test_every_rule_and_every_law_has_its_mistakes():
    assert {*CORRECT, *WITHOUT_LEAVES, "sum-law"} == set(RULES)
    assert {name for name, _ in SUMS} == set(LAWS)


@pytest.mark.parametrize("claim", [
    le(x, ZERO), lt(x * x, x), eq(x / x, ONE), Each(ONE, k, le(a_i, ZERO)),
    Private(AnyPrivate(ONE, ZERO), ONE, HALF, ZERO)])
def test_a_false_goal_is_seen_to_be_false(claim):
    """Otherwise the tests below could not fail."""
    assert contradicted(goal_of(claim), random.Random(1)) is not None


@pytest.mark.parametrize(("claim", "at"), [
    (order(x, "O", x * x).claim, None), (order(x * x, "Theta", x).claim, None), (order(x, "o", TWO * x).claim, None),
    (order(x, "~", TWO * x).claim, None), (Fails(order(x, "O", TWO * x).claim), None),
    (Fails(order(x, "Theta", TWO * x).claim), None), (Fails(order(x * x, "o", x).claim), None),
    (Fails(order(x + x * x, "~", x).claim), None),
    (Continued(le(ONE, x * log(x)), "x", ZERO, X_REAL, UNIT), None),
    (FailsFor(Goal((("x", REAL), ("y", REAL)), (POSITIVE,), le(x, y * x)), ("y",), ()), {"x": ONE}),
    (FailsFor(Goal((("x", REAL), ("y", REAL)), (POSITIVE,), le(x, y * x)), ("y",), (lt(y, ONE),)), {"x": -ONE}),
])
def test_a_false_statement_of_another_kind_is_seen_to_be_false(claim, at):
    assert contradicted(Goal((), (), claim), random.Random(1), {"at": at}) is not None


@pytest.mark.parametrize("rule", sorted({*CORRECT, "sum-law"}))
def test_a_true_statement_is_not_called_false(rule):
    for goal, parameters in steps(rule):
        assert contradicted(goal, random.Random(rule), parameters) is None


@pytest.mark.parametrize("rule", sorted(set(RULES) - WITHOUT_LEAVES))
def test_a_correct_step_is_accepted(rule):
    for goal, parameters in steps(rule):
        step = opened(rule, goal, parameters)
        assert step is not None, str(goal)
        assert verify(goal, step)


def proves_nothing_false(rule, goal, parameters, rng):
    """Whether the step is refused; if it is accepted, no point contradicts the goal."""
    step = opened(rule, goal, parameters)
    if step is None:
        return True
    try:
        verify(goal, step)
    except Rejected:
        return True
    try:
        point = contradicted(goal, rng, parameters)
    except (Undefined, Unsupported, Vacuous):
        return False
    assert point is None, f"{goal} by {step}, at {point}"
    return False


@pytest.mark.parametrize("rule", sorted(set(RULES) - WITHOUT_LEAVES))
def test_a_wrong_step_proves_nothing_false(rule):
    rng = random.Random(f"mistakes in {rule}")
    chosen = steps(rule)
    for turn in range(40):
        try:
            goal, parameters = mistaken(*chosen[turn % len(chosen)], rng)
        except (IllFormed, ZeroDivisionError):
            continue
        proves_nothing_false(rule, goal, parameters, rng)


@pytest.mark.parametrize("rule", sorted(set(RULES) - WITHOUT_LEAVES))
def test_of_each_kind_of_mistake_a_rule_has_some_and_proves_nothing_false(rule):
    rng = random.Random(f"kinds of mistakes in {rule}")
    refused = 0
    for kind in KINDS:
        found = mistakes(rule, kind)
        assert found, f"no mistake of {rule} is one of {kind.__name__}: {kind.__doc__}"
        for goal, parameters in rng.sample(found, min(len(found), 8)):
            refused += proves_nothing_false(rule, goal, parameters, rng)
    assert refused, f"{rule} takes whatever it is given"


@pytest.mark.parametrize("rule", sorted(set(RULES) - WITHOUT_LEAVES))
def test_a_premise_that_is_missing_or_there_twice_is_refused(rule):
    for goal, parameters in steps(rule):
        step = opened(rule, goal, parameters)
        for premises in (step.premises[1:], (*step.premises, Step("enclosure")), step.premises * 2):
            if len(premises) != len(step.premises):
                with pytest.raises(Rejected):
                    verify(goal, replace(step, premises=premises))
