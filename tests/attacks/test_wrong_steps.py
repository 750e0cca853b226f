"""For every rule: a correct step, and very many wrong ones made from it. What the kernel accepts must be true.

Derived rules are attacked like those of the kernel, which has to see through what they are made of.

A wrong step is a correct one with a few changes: sides swapped, a relation made strict or not, a hypothesis dropped
or weakened, an end moved, one variable put for another, an integer made real, a part made undefined, a parameter
or an entry of a list changed or left out. What a rule leaves open is closed by leaves of the kernel, if they can.
If that verifies, no point of a sample may contradict the goal.
"""

import random
from dataclasses import replace

import pytest
from flint import fmpq
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
    sum_over,
    variable,
)
from symdp.kernel.values.points import Members, Point
from symdp.kernel.values.ranges import Undefined, Unsupported, Vacuous
from symdp.kernel.witness import refute
from symdp.search.elaboration.derived import RULES, verify

x, y, z, k, m, t = (variable(n) for n in "xyzkmt")
TWO, HALF, TEN = number(2), number(1, 2), number(10)
a_i = member("a", bound(0))
SORTS = (("x", REAL), ("y", REAL), ("z", REAL), ("k", INTEGER), ("m", INTEGER))
NAMES = {n for n, _ in SORTS}


def exp(u):
    return apply("exp", u)


def log(u):
    return apply("log", u)


def le(a, b):
    return Relation(a, "<=", b)


def lt(a, b):
    return Relation(a, "<", b)


def eq(a, b):
    return Relation(a, "==", b)


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
    "replace": [(goal_of(le(x + y, z), eq(x, y), le(x + x, z)),
                 {"name": "s", "form": le(x + variable("s"), z), "part": y, "by": x}),
                (goal_of(Each(ONE, k, le(a_i, x)), Each(ONE, k, le(a_i, y)), eq(x, y)),
                 {"name": "s", "form": Each(ONE, k, le(a_i, variable("s"))), "part": x, "by": y})],
    "rewrite": [(goal_of(le(x + y, y + ONE), le(x, ONE)), {"left": x, "right": ONE})],
    "transitivity": [(goal_of(lt(x, z), le(x, y), lt(y, z)), {"middle": y})],
    "weaken": [(goal_of(lt(ZERO, x), le(ONE, x)), {"hypotheses": [le(HALF, x)]}),
               (goal_of(le(ZERO, k * k), le(ONE, k)), {"hypotheses": [le(ZERO, k)], "real": ["k"]})],
    # guarantees
    "certain": [(private(AnyPrivate(x, ZERO), x, TWO, le(ZERO, x)), {})],
    "concentrated": [(private(AnyPrivate(ONE, ZERO), TWO, HALF, fold=TWO), {"share": HALF})],
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


def contradicted(goal, rng):
    """A point at which the hypotheses hold and the claim does not, if a sample has one."""
    if not isinstance(goal.claim, Relation | Each | Private):
        return None
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


# --- the tests -----------------------------------------------------------------------------------


def test_every_rule_and_every_law_has_its_mistakes():
    assert {*CORRECT, *WITHOUT_LEAVES, "sum-law"} == set(RULES)
    assert {name for name, _ in SUMS} == set(LAWS)


@pytest.mark.parametrize("claim", [
    le(x, ZERO), lt(x * x, x), eq(x / x, ONE), Each(ONE, k, le(a_i, ZERO)),
    Private(AnyPrivate(ONE, ZERO), ONE, HALF, ZERO)])
def test_a_false_goal_is_seen_to_be_false(claim):
    """Otherwise the test below could not fail."""
    assert contradicted(goal_of(claim), random.Random(1)) is not None


@pytest.mark.parametrize("rule", sorted(set(RULES) - WITHOUT_LEAVES))
def test_a_correct_step_is_accepted(rule):
    for goal, parameters in steps(rule):
        step = opened(rule, goal, parameters)
        assert step is not None, str(goal)
        assert verify(goal, step)


@pytest.mark.parametrize("rule", sorted(set(RULES) - WITHOUT_LEAVES))
def test_a_wrong_step_proves_nothing_false(rule):
    rng = random.Random(f"mistakes in {rule}")
    chosen, accepted = steps(rule), 0
    for turn in range(60):
        try:
            goal, parameters = mistaken(*chosen[turn % len(chosen)], rng)
        except (IllFormed, ZeroDivisionError):
            continue
        step = opened(rule, goal, parameters)
        if step is None:
            continue
        try:
            verify(goal, step)
        except Rejected:
            continue
        accepted += 1
        try:
            point = contradicted(goal, rng)
        except (Undefined, Unsupported, Vacuous):
            continue
        assert point is None, f"{goal} by {step}, at {point}"
