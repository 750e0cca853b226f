"""An enclosure contains the value, and what may be undefined is said to be: on random terms and boxes,
half-lines, sums and integers included, and under attack."""

import mpmath
import pytest
from campaign import tries
from flint import arb, ctx, fmpq
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from products import product_over
from random_terms import ends, goal_on, holds, inside, k, small, terms, x, y

from symdp.kernel.goals import INTEGER, REAL, Each, Goal, Relation
from symdp.kernel.terms import (
    ONE,
    ZERO,
    apply,
    bound,
    constant,
    member,
    mul,
    number,
    substitute,
    sum_over,
    variable,
)
from symdp.kernel.values.enclosure import box_of, is_empty, knowledge_of, need_defined, range_on
from symdp.kernel.values.points import Members, Point, value_at
from symdp.kernel.values.ranges import Range, Undefined, Unsupported, Vacuous, precision

i = variable("i")
e = constant("e")
RELAXED = settings(max_examples=tries(250), deadline=None, suppress_health_check=list(HealthCheck))


def log(t):
    return apply("log", t)


@RELAXED
@given(terms, ends(), ends(), ends(), st.randoms(use_true_random=False))
def test_an_enclosure_contains_the_value(term, at_x, at_y, at_k, rng):
    goal = goal_on(at_x, at_y, at_k)
    try:
        found = range_on(term, goal)
    except (Undefined, Unsupported):
        return
    except Vacuous:
        assert inside(at_k, rng, whole=True) is None
        return
    assert not found.is_empty()
    for _ in range(4):
        values = {"x": inside(at_x, rng), "y": inside(at_y, rng), "k": inside(at_k, rng, whole=True)}
        try:  # where the term was said to be defined on the whole box, it must be at each point
            value = value_at(term, Point.of(goal, values), 400)
        except Unsupported:
            continue
        assert found.lo <= value.hi, values
        assert value.lo <= found.hi, values
        if found.lo_open:
            assert value.hi > found.lo
        if found.hi_open:
            assert value.lo < found.hi


@RELAXED
@given(terms, small, small, st.integers(-3, 4))
def test_certainly_undefined_is_undefined_at_more_bits(term, u, v, n):
    point = Point.of(goal_on(), {"x": u, "y": v, "k": fmpq(n)})
    try:
        value_at(term, point, 53)
    except Undefined as reason:
        if reason.certain:
            with pytest.raises(Undefined):
                value_at(term, point, 500)
    except Unsupported:
        pass


WITH_MPMATH = {
    "+": lambda *a: mpmath.fsum(a), "*": lambda *a: mpmath.fprod(a), "-": lambda a, b: a - b,
    "/": lambda a, b: a / b, "neg": lambda a: -a, "^": lambda a, b: mpmath.power(a, b),
    "exp": mpmath.exp, "log": mpmath.log, "sqrt": mpmath.sqrt, "abs": abs, "sinh": mpmath.sinh,
    "cosh": mpmath.cosh, "tanh": mpmath.tanh, "sin": mpmath.sin, "cos": mpmath.cos, "erf": mpmath.erf,
    "erfc": mpmath.erfc, "Phi": mpmath.ncdf, "gamma": mpmath.gamma, "loggamma": mpmath.loggamma,
    "floor": mpmath.floor, "min": min, "max": max, "binomial": mpmath.binomial,
}


def by_mpmath(term, values):
    if term.head == "number":
        return mpmath.mpf(int(term.value.p)) / int(term.value.q)
    if term.head == "variable":
        return mpmath.mpf(int(values[term.value].p)) / int(values[term.value].q)
    if term.head in ("e", "pi"):
        return +mpmath.e if term.head == "e" else +mpmath.pi
    if term.head in ("sum", "product"):
        low, high = (int(by_mpmath(a, values)) for a in term.args[:2])
        parts = [by_mpmath(term.args[2], {**values, "#": j}) for j in range(low, high + 1)]
        return mpmath.fsum(parts) if term.head == "sum" else mpmath.fprod(parts)
    if term.head == "bound":
        return mpmath.mpf(values["#"])
    return WITH_MPMATH[term.head](*(by_mpmath(a, values) for a in term.args))


@settings(max_examples=tries(300), deadline=None, suppress_health_check=list(HealthCheck))
@given(terms, small, small, st.integers(-3, 4))
def test_a_point_agrees_with_mpmath(term, u, v, n):
    """Against an independent evaluator at high precision."""
    values = {"x": u, "y": v, "k": fmpq(n)}
    assume(sum(t in str(term) for t in ("sum(", "product(")) == 0 or str(term).count("i = ") == 1)
    try:
        found = value_at(term, Point.of(goal_on(), values), 300)
    except (Undefined, Unsupported):
        return
    assume(found.is_finite() and abs(found.lo) < 10**40 and "floor" not in str(term))
    with mpmath.workprec(600):
        try:
            value = by_mpmath(term, values)
        except OverflowError:
            return
        assert abs(mpmath.im(value)) < 1e-60
        before, ctx.prec = ctx.prec, 300
        try:
            ball = arb(mpmath.nstr(mpmath.re(value), 100))
            tolerance = abs(ball) * arb("1e-60") + arb("1e-60")
            assert found.lo <= ball + tolerance
            assert ball - tolerance <= found.hi
        finally:
            ctx.prec = before


# --- attacks on definedness ---------------------------------------------------------------------

ON_REALS = Goal((("x", REAL), ("y", REAL), ("k", INTEGER)), (), Relation(ZERO, "<=", ONE))
NEGATIVE = Goal(ON_REALS.sorts, (Relation(x, "<", ZERO), Relation(k, ">=", ONE)), ON_REALS.claim)
FROM_ZERO = Goal(ON_REALS.sorts, (Relation(x, ">=", ZERO), Relation(y, ">=", ZERO)), ON_REALS.claim)


@pytest.mark.parametrize(("term", "goal"), [
    (x / x, FROM_ZERO),
    (ZERO * log(x), NEGATIVE),
    (log(x) ** (number(2) * k), NEGATIVE),
    (ZERO * apply("binomial", x, y), FROM_ZERO),
    (log(x) - log(x), FROM_ZERO),
    (x ** number(-1) * x, FROM_ZERO),
    (x**ZERO / x, FROM_ZERO),
    (apply("sqrt", x) ** number(2), NEGATIVE),
    (x**y, NEGATIVE),
    (x**y, FROM_ZERO),  # 0^0 with a real exponent
    (x ** -k, FROM_ZERO),
    (apply("gamma", x), FROM_ZERO),
    (apply("loggamma", x), NEGATIVE),
    (apply("min", ONE, log(x)), NEGATIVE),
    (sum_over("i", ONE, k, ZERO * log(x)), NEGATIVE),
    (sum_over("i", ONE, k, ONE / (i - number(2))), NEGATIVE),
    (product_over("i", ZERO, ONE, ONE / i), NEGATIVE),
    (number(4) ** (ONE / x), FROM_ZERO),
    (number(-1) ** x, NEGATIVE),
    (apply("binomial", x, number(-1)), FROM_ZERO),
    (ZERO * log(ZERO), ON_REALS),
    (ONE / (ONE / number(3) * number(3) - ONE), ON_REALS),
])
def test_what_may_be_undefined_is_refused(term, goal):
    with pytest.raises(Undefined):
        need_defined([term], goal)


@pytest.mark.parametrize(("term", "goal"), [
    (x**ZERO, ON_REALS),  # 0^0 = 1
    (x**k, NEGATIVE),
    (x ** -k, NEGATIVE),
    (apply("binomial", x, number(3)), ON_REALS),
    (apply("sqrt", x), FROM_ZERO),
    (x ** number(2, 3), FROM_ZERO),
    (sum_over("i", number(2), ONE, log(x)), NEGATIVE),  # empty
])
def test_what_is_defined_is_not_refused(term, goal):
    need_defined([term], goal)


def test_a_limit_is_not_reached():
    for bits in (64, 2048):
        found = range_on(apply("floor", apply("tanh", number(500))), ON_REALS, bits)
        assert found.integer() == 0
        found = range_on(apply("floor", apply("tanh", x)), ON_REALS, bits)
        assert (found.lo, found.hi) == (-1, 0)


def test_the_parity_of_an_exponent_is_not_guessed():
    goal = Goal((("x", REAL), ("k", INTEGER)), (
        Relation(x, ">=", number(-2)), Relation(x, "<=", number(-1)), Relation(k, ">=", number(2)),
        Relation(k, "<=", number(3))), ON_REALS.claim)
    found = range_on(x**k, goal)
    assert found.lo <= -8
    assert found.hi >= 4
    assert range_on((x ** k) ** number(2), goal).is_nonnegative()


def test_a_product_of_two_factors_may_be_negative():
    goal = goal_on((fmpq(-1), fmpq(2), False, False))
    body = apply("max", number(-1), apply("min", x, i - ONE))
    found = range_on(product_over("i", ONE, k, body), goal.claiming(
        goal.claim, Relation(k, "==", number(2))))
    assert found.lo <= -1 <= found.hi
    huge = range_on(product_over("i", ONE, number(10**6), x), goal)
    assert huge.lo < 0 < huge.hi


@pytest.mark.parametrize(("head", "low", "high", "at"), [
    ("gamma", 1, 3, fmpq(73, 50)), ("loggamma", 1, 2, fmpq(73, 50)), ("gamma", fmpq(1, 9), fmpq(73, 50), 1),
    ("sin", 1, 2, fmpq(11, 7)), ("cos", 3, 4, fmpq(22, 7)), ("cosh", -1, 2, 0), ("abs", -1, 2, 0),
    ("sin", -2, 1, fmpq(-11, 7)), ("cos", -1, 1, 0), ("cos", 4, 8, fmpq(44, 7)),
])
def test_an_extreme_inside_is_seen(head, low, high, at):
    found = range_on(apply(head, x), goal_on((fmpq(low), fmpq(high), True, True)))
    value = value_at(apply(head, x), Point({"x": fmpq(at)}), 200)
    assert found.lo <= value.lo
    assert value.hi <= found.hi


# --- boxes and facts ----------------------------------------------------------------------------


def test_integers_are_rounded_inward():
    goal = Goal((("k", INTEGER),), (Relation(k, ">", number(1, 2)), Relation(constant("pi"), ">", k)),
                ON_REALS.claim)
    box = box_of(goal)
    assert (box["k"].lo, box["k"].hi) == (1, 3)


@pytest.mark.parametrize("given_", [
    (Relation(x, ">", number(1, 3)), Relation(x, "<", number(1, 3))),
    (Relation(x, ">", ONE / number(3)), Relation(number(3) * x, "<=", ONE)),
    (Relation(x, ">", e), Relation(constant("pi"), "<", x), Relation(x, "<", number(3))),
    (Relation(k, ">", ZERO), Relation(k, "<", ONE)),
    (Relation(y, ">=", ONE), Relation(x, ">=", y), Relation(x, "<", ONE)),
])
def test_bounds_that_contradict_leave_no_point(given_):
    goal = Goal(ON_REALS.sorts, given_, ON_REALS.claim)
    assert is_empty(goal)
    with pytest.raises(Vacuous):
        range_on(x + k, goal)


def test_bounds_that_meet_in_a_point_are_not_empty():
    goal = Goal(ON_REALS.sorts, (Relation(x, ">=", number(1, 3)), Relation(x, "<=", number(1, 3))),
                ON_REALS.claim)
    assert not is_empty(goal)
    found = range_on(x * number(3), goal)
    assert found.lo <= 1 <= found.hi


def test_facts_narrow_what_they_speak_about():
    goal = Goal(ON_REALS.sorts, (Relation(x, ">", y), Relation(y, ">=", ZERO)), ON_REALS.claim)
    assert range_on(log(x - y), goal).hi > 0
    assert range_on((y - x) / number(3) - ONE, goal).is_negative()
    assert range_on(x, goal).is_positive()
    with pytest.raises(Undefined):
        range_on(log(x - number(2) * y), goal)
    equal = Goal(ON_REALS.sorts, (Relation(x + y, "==", ONE),), ON_REALS.claim)
    assert range_on(number(2) * y + number(2) * x - number(5), equal).integer() == -3


def test_a_strict_fact_about_integers_is_one_step():
    j = variable("j")
    goal = Goal((("j", INTEGER), ("k", INTEGER)), (Relation(j, "<", k),), ON_REALS.claim)
    assert range_on(k - j - ONE, goal).is_nonnegative()
    assert range_on(k - j, goal).lo == 1
    real = Goal((("j", REAL), ("k", INTEGER)), goal.hypotheses, ON_REALS.claim)
    assert range_on(k - j, real).lo == 0


def test_a_fact_about_a_function_is_found():
    goal = Goal((("x", REAL),), (Relation(x, ">", ZERO), Relation(log(x), ">=", number(2))), ON_REALS.claim)
    assert range_on(log(x), goal).lo == 2
    assert range_on(ONE / (number(2) * log(x) - number(3)), goal).hi <= 1


def test_log_of_e_is_exact():
    goal = Goal((("x", REAL),), (Relation(x, ">=", ZERO),), ON_REALS.claim)
    assert range_on(log(e + x) - ONE, goal).is_nonnegative()
    assert range_on(log(e) - ONE, goal).is_zero()
    assert range_on(log(x + e - ZERO), goal).lo == 1
    assert not range_on(log(e - apply("tanh", x)), goal).lo >= 1


# --- sums and members ---------------------------------------------------------------------------

FAMILY = (("a", REAL),)
a_i = member("a", i)
EACH_POSITIVE = Each(ONE, k, Relation(member("a", bound(0)), ">", ZERO))


def family_goal(*hypotheses):
    return Goal((("k", INTEGER), ("x", REAL)), hypotheses, ON_REALS.claim, FAMILY)


def test_the_index_of_a_sum_is_known_to_lie_in_its_range():
    goal = family_goal(Relation(k, ">=", ONE))
    assert range_on(sum_over("i", ONE, k, ONE / (k - i + ONE)), goal).is_positive()
    choose = apply("binomial", k, i)
    found = range_on(sum_over("i", ZERO, k, choose), goal)
    assert found.lo >= 2
    # k over k + 1 is 0: with a lower argument from 0 on, a coefficient is a polynomial of the upper one
    assert range_on(sum_over("i", ZERO, k + ONE, choose), goal).lo >= 0
    with pytest.raises(Undefined):
        range_on(sum_over("i", -ONE, k, choose), goal)


def test_a_sum_that_may_be_empty_may_be_zero():
    goal = family_goal(Relation(k, ">=", ZERO))
    found = range_on(sum_over("i", ONE, k, ONE), goal)
    assert found.lo == 0
    assert not found.is_positive()
    found = range_on(product_over("i", ONE, k, number(5)), goal)
    assert found.lo == 1
    assert range_on(product_over("i", ONE, k, number(1, 2)), goal).hi == 1


@pytest.mark.parametrize(("low", "high"), [(k + ONE, k), (k, k - number(2)), (k, number(2) * k)])
def test_an_empty_sum_does_not_make_the_goal_empty(low, high):
    goal = family_goal(Relation(k, "<=", number(-1)))
    for body in (log(i - k), (i - k) / (k - i), ONE / (k - i), a_i, i, i - k, k - i):
        for over in (sum_over, product_over):
            try:
                found = range_on(over("i", low, high, body), goal)
            except Undefined:
                continue
            assert found.lo <= (0 if over is sum_over else 1) <= found.hi


def test_long_sums_of_constants_are_added_up():
    harmonic = sum_over("i", ONE, number(1000), ONE / i)
    exact = sum((fmpq(1, n) for n in range(1, 1001)), fmpq(0))
    found = range_on(harmonic, ON_REALS)
    assert not (arb(exact) < found.lo)
    assert not (arb(exact) > found.hi)
    assert found.hi - found.lo < arb("1e-15")
    huge = sum_over("i", ONE, number(10**30), ONE / i)
    assert range_on(huge, ON_REALS).is_positive()
    nested = sum_over("i", ONE, number(1000), sum_over("j", ONE, number(1000), sum_over(
        "l", ONE, number(1000), ONE / (i + variable("j") + variable("l")))))
    assert range_on(nested, ON_REALS).is_positive()


def test_members_have_the_range_that_every_member_has():
    goal = family_goal(Relation(k, ">=", ONE), EACH_POSITIVE)
    assert range_on(member("a", k), goal).is_positive()
    assert range_on(sum_over("i", ONE, k, log(ONE + a_i)), goal).is_positive()
    for outside in (member("a", k + ONE), member("a", ZERO), sum_over("i", ZERO, k, a_i)):
        assert not range_on(outside, goal).is_positive()


def test_a_fact_about_one_member_says_nothing_of_the_others():
    j = variable("j")
    goal = Goal((("j", INTEGER), ("k", INTEGER)), (Relation(member("a", j), ">=", ZERO),),
                ON_REALS.claim, FAMILY)
    assert range_on(member("a", j), goal).is_nonnegative()
    assert not range_on(member("a", k), goal).is_nonnegative()
    assert not range_on(sum_over("i", ONE, k, a_i), goal).is_nonnegative()


def test_bounds_of_members_by_members_end():
    around = Each(None, None, Relation(member("a", bound(0)), "<=", member("a", bound(0) + ONE)))
    below = Each(None, None, Relation(member("a", bound(0)), "<=", number(3)))
    assert range_on(member("a", k), family_goal(around, below)).hi == 3
    assert range_on(member("a", k), family_goal(around)).hi == Range.between(None, None).hi


# --- hostile input ------------------------------------------------------------------------------


def test_deep_and_huge_terms_end_soon():
    deep = x
    for _ in range(5000):
        deep = deep + ONE
    assert range_on(deep, FROM_ZERO).lo == 5000
    shared = k
    for _ in range(200):
        shared = shared + shared
    assert range_on(shared, NEGATIVE).is_positive()
    tower = number(10)
    for _ in range(20):
        tower = tower**tower
        if tower.size > 100:
            break
    assert not range_on(tower, ON_REALS).hi < 10**30
    for head in ("sin", "floor", "gamma", "erfc", "cosh"):
        range_on(apply(head, number(2) ** number(10**9)), ON_REALS)
    range_on(apply("sin", x), goal_on((fmpq(10) ** 300, None, False, False)))
    with pytest.raises(Unsupported):
        range_on(apply("binomial", x, number(10**9)), ON_REALS)
    range_on(number(2) ** number(10**40), ON_REALS)
    assert range_on(number(3) ** number(10**40, 7), ON_REALS).is_positive()
    with pytest.raises(Unsupported):
        range_on(bound(0), ON_REALS)


def test_a_variable_called_like_the_index_is_another():
    sharp = variable("#")
    goal = Goal((("#", REAL), ("k", INTEGER)), (Relation(sharp, "<", ZERO), Relation(k, ">=", ONE)),
                ON_REALS.claim)
    found = range_on(sum_over("i", ONE, k, sharp), goal)
    assert found.is_negative()


def test_a_tape_runs_on_parts_of_the_box():
    tape = knowledge_of(FROM_ZERO).tape(apply("exp", -x) * x)
    assert tape.names == ("x", "y", "k")
    with precision(64):
        r = tape([Range.between(0, 1), Range.between(0, 1), Range.between(0, 0)])
    assert (r.lo, r.hi) == (0, 1)


def test_names_do_not_matter():
    goal = Goal((("x", REAL), ("y", REAL)), (Relation(x, ">", y), Relation(y, ">", ZERO)), ON_REALS.claim)
    swapped = {"x": y, "y": x}
    other = Goal(goal.sorts, tuple(h.substitute(swapped) for h in goal.hypotheses), goal.claim)
    term = log(x - y) + x / y
    assert str(range_on(term, goal)) == str(range_on(substitute(term, swapped), other))


def test_products_of_open_ends():
    assert range_on(mul(x, apply("exp", -x)), Goal((("x", REAL),), (Relation(x, ">", ZERO),),
                                                   ON_REALS.claim)).is_positive()
    assert not range_on(mul(x, apply("exp", -x)), FROM_ZERO).is_positive()


# --- hypotheses of any form -----------------------------------------------------------------------

PIECES = [x, y, k, log(x), x * y, member("a", k), member("a", k + ONE), number(2) * x - y, x / y, k - ONE]
pieces = st.sampled_from(PIECES)
combinations = st.lists(st.tuples(st.integers(-2, 2), pieces), min_size=1, max_size=3).map(
    lambda parts: sum((number(c) * t for c, t in parts[1:]), number(parts[0][0], 2) * parts[0][1]))
relations = st.tuples(combinations, st.sampled_from(["<", "<=", "==", ">", ">="]),
                      st.one_of(combinations, small.map(number), pieces)).map(lambda t: Relation(*t))
limits = st.sampled_from([ZERO, bound(0), x, y - bound(0), member("a", bound(0) + ONE)])
each_member = st.tuples(st.sampled_from([None, ONE, k]), st.sampled_from([None, k, number(3)]),
                        st.sampled_from(["<", "<=", ">", ">="]), limits).map(
    lambda t: Each(t[0], t[1], Relation(member("a", bound(0)), t[2], t[3])))
UNDER = (("x", REAL), ("y", REAL), ("k", INTEGER))


@settings(max_examples=tries(250), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(relations, min_size=1, max_size=3), st.lists(each_member, max_size=2),
       st.one_of(combinations, combinations.map(lambda t: t * t), combinations.map(lambda t: ONE / t),
                 combinations.map(lambda t: sum_over("i", ONE, k, t * member("a", i) + (k - i)))),
       st.randoms(use_true_random=False))
def test_what_the_hypotheses_say_is_true_where_they_hold(given_, each, term, rng):
    goal = Goal(UNDER, (*given_, *each), ON_REALS.claim, FAMILY)
    found, empty = None, False
    try:
        found = range_on(term, goal)
    except Vacuous:
        empty = True
    except (Undefined, Unsupported):
        return
    for _ in range(40):
        n = fmpq(rng.randint(-4, 8), 2)
        values = {"x": n, "y": n * rng.choice([-1, 1, 2, fmpq(1, 2)]), "k": fmpq(rng.randint(-1, 4))}
        table = {j: fmpq(rng.randint(-2, 4)) for j in range(-1, 5)}
        point = Point.of(goal, values, {"a": Members(table, fmpq(rng.randint(-2, 4)))})
        if not all(holds(h, point) for h in goal.hypotheses):
            continue
        assert not empty, point
        value = value_at(term, point, 200)
        assert found.lo <= value.hi, point
        assert value.lo <= found.hi, point
        assert not (found.lo_open and value.hi <= found.lo)
        assert not (found.hi_open and value.lo >= found.hi)


# --- where nobody looks any further ----------------------------------------------------------------


def test_a_part_that_nobody_looks_into_is_refused():
    goal = family_goal(Relation(k, ">=", ONE), Relation(x, ">", ZERO))
    nested = x
    for j in range(8):
        nested = sum_over("i", ONE, k, nested * i + number(j))
    with pytest.raises(Unsupported, match="sums stand too deep in sums"):
        range_on(nested, goal)
    deep = i
    for _ in range(301):
        deep = -deep
    with pytest.raises(Unsupported, match="the body of a sum is too deep"):
        range_on(sum_over("i", ONE, k, deep), goal)
    long = apply("+", *(number(1, j + 2) * x for j in range(300)))
    with pytest.raises(Unsupported, match="an exponent is too long"):
        range_on(x ** long, goal)


def test_what_is_said_of_every_member_is_left_aside_where_it_means_nothing():
    """Of a[k] the first hypothesis says nothing, since log(k) may be undefined; the second does."""
    a_0 = member("a", bound(0))
    undefined = Each(None, None, Relation(a_0, "<=", log(bound(0))))
    bounded = Each(None, None, Relation(a_0, "<=", number(7)))
    assert range_on(member("a", k), family_goal(undefined, bounded)).hi == 7
    assert range_on(member("a", k), family_goal(undefined)).hi == float("inf")
    long = apply("+", *(number(1, j + 2) * x for j in range(300)))
    unread = Each(None, None, Relation(a_0, "<=", x ** long))
    assert range_on(member("a", k), family_goal(unread, bounded)).hi == 7


def test_on_a_part_of_the_box_without_a_point_a_sum_is_empty_or_there_is_none():
    """Where y <= x, no point has x <= 1 and 2 <= y. That says nothing of a sum that may be empty."""
    given_ = (Relation(y, "<=", x), Relation(k, "<=", number(9)))
    total = sum_over("i", ONE, k, (x - y) * i)

    def on_part(least):
        goal = Goal((("x", REAL), ("y", REAL), ("k", INTEGER)), (*given_, Relation(k, ">=", number(least))),
                    ON_REALS.claim)
        tape = knowledge_of(goal).tape(total)
        return tape([Range.between(0, 1), Range.between(2, 3), Range.between(least, 9)])

    assert on_part(0).is_zero()
    with pytest.raises(Vacuous):
        on_part(1)


def test_gamma_and_a_binomial_where_they_are_monotone():
    goal = Goal((("x", REAL),), (Relation(x, ">=", number(1, 2)), Relation(x, "<=", ONE)), Relation(x, "<=", x))
    found = range_on(apply("gamma", x), goal)
    assert found.lo == 1
    assert float(found.hi) == pytest.approx(float(mpmath.sqrt(mpmath.pi)))
    beyond = Goal((("x", REAL),), (Relation(x, ">=", number(5, 2)), Relation(x, "<=", number(7))),
                  Relation(x, "<=", x))
    found = range_on(apply("binomial", x, number(3)), beyond)
    assert found.lo == fmpq(5, 16)
    assert found.hi == 35
