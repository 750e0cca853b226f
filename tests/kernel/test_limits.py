"""A limit is right or refused: on known ones, on traps, and on random terms far out."""

import contextlib

import pytest
from campaign import tries
from flint import fmpq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symdp.kernel.goals import INTEGER, REAL, Goal, Relation
from symdp.kernel.proof import Rejected
from symdp.kernel.terms import ONE, ZERO, Term, apply, constant, number, sum_over, variable
from symdp.kernel.values.limits import MINUS_INFINITY, PLUS_INFINITY, Infinity, limit
from symdp.kernel.values.points import Point, sign_at, value_at
from symdp.kernel.values.ranges import Undefined, Unsupported, Vacuous

x, y, k, i = variable("x"), variable("y"), variable("k"), variable("i")
e, pi, two = constant("e"), constant("pi"), number(2)
OO = PLUS_INFINITY
REFUSED = (Rejected, Undefined, Unsupported, Vacuous)


def f(name):
    return lambda *args: apply(name, *args)


exp, log, sqrt, erfc, sinh, cosh, sin, floor, phi, tanh = map(
    f, "exp log sqrt erfc sinh cosh sin floor Phi tanh".split())
HIDDEN_ZERO = sqrt(two) * sqrt(two) - two


def between(low, high, *more):
    """x in an open interval, y in [-1, 1]."""
    given_ = [Relation(x, ">", low)] if low is not None else []
    given_ += [Relation(x, "<", high)] if high is not None else []
    given_ += [Relation(y, ">=", number(-1)), Relation(y, "<=", ONE), *more]
    return Goal((("x", REAL), ("y", REAL)), tuple(given_), Relation(x, "<=", x))


#: (term, end, its limit, or None if there is none that holds for every y, whether it must be found)
LIMITS = [
    (x * log(x), ZERO, ZERO, True),
    (x - exp(x), OO, MINUS_INFINITY, True),
    (x * exp(-x), OO, ZERO, True),
    (exp(x) / x, OO, OO, True),
    (log(x) / x, OO, ZERO, True),
    (x**x, ZERO, ONE, True),
    ((ONE + ONE / x) ** x, OO, e, False),
    (sinh(x) - cosh(x), OO, ZERO, False),
    (sqrt(x + ONE) - sqrt(x), OO, ZERO, False),
    (x**two + log(erfc(x)), OO, MINUS_INFINITY, False),
    (log(erfc(x)) + x, OO, MINUS_INFINITY, False),
    (erfc(x) * exp(x**two), OO, ZERO, False),
    (erfc(x) * exp(x**two) * x, OO, ONE / sqrt(pi), False),
    (erfc(x) * exp(x), OO, ZERO, True),
    (phi(-x) * x ** number(7), OO, ZERO, True),
    (phi(-x) * exp(x**two), OO, OO, False),
    (erfc(x) ** number(-1) * exp(-(x**two)), OO, OO, False),
    (erfc(x) ** number(-1) * exp(-(x**two)) * x ** number(-1, 2), OO, OO, False),
    (x * (pi / two) - x * pi / two + x, OO, OO, False),
    (log(ONE + exp(x)) - x, OO, ZERO, False),
    (log(ONE + exp(x)) - x / two, OO, OO, False),
    (log(ONE + exp(two * x)) - x**two, OO, MINUS_INFINITY, True),
    (exp(x) - exp(x + ONE), OO, MINUS_INFINITY, False),
    (exp(x**two) - exp(x**two + x), OO, MINUS_INFINITY, True),
    (x * HIDDEN_ZERO, OO, ZERO, False),
    (exp(HIDDEN_ZERO * x) - ONE, OO, ZERO, False),
    (x * (ONE - ONE), OO, ZERO, True),
    (x * (y - y), OO, ZERO, True),
    (ONE / x - log(x), ZERO, OO, True),
    (log(x) + ONE / x - ONE / x**two, ZERO, MINUS_INFINITY, True),
    (ONE / (x - ONE), ONE, MINUS_INFINITY, True),
    (ONE / (x - ONE) ** two, ONE, OO, True),
    (sin(x), OO, None, False),
    (x * sin(x), OO, None, False),
    (y * x, OO, None, False),
    (exp(y * x), OO, None, False),
    (exp(y * x) * exp(-x), OO, None, False),
    (exp(two * x) - y * x, OO, OO, True),
    (x - y * x, OO, None, False),
    (x - y * x + exp(-x), OO, None, False),
    (y / x, ZERO, None, False),
    (x ** y, ZERO, None, False),
    (x ** (y + two), ZERO, ZERO, True),
    (x ** (y + two), OO, OO, True),
    (x**y, OO, None, False),
    (floor(x), OO, OO, True),
    (floor(x), ONE, ZERO, False),
    (floor(ONE / (ONE + x)), ZERO, ZERO, False),
    (apply("max", x, y), OO, OO, True),
    (apply("min", x, y), OO, y, True),
    (apply("max", -x, y), OO, y, True),
    (apply("abs", y - x), OO, OO, True),
    (tanh(x) * y + erfc(x), OO, y, True),
    (x * (x + ONE) - x**two, OO, OO, True),
    (x * (x + ONE) - x**two - x, OO, ZERO, True),
    (sqrt(x), ZERO, ZERO, True),
    (sqrt(x) * log(x), ZERO, ZERO, True),
    (apply("gamma", x), ZERO, OO, True),
    (apply("loggamma", x), OO, OO, True),
    (apply("binomial", x, two) / x**two, OO, number(1, 2), False),
    (apply("binomial", x, two), OO, OO, True),
    (sum_over("i", ONE, number(3), y + exp(-i * x)), OO, sum_over("i", ONE, number(3), y), False),  # not looked into
    (sum_over("i", ONE, number(3), exp((y - i) * x)), OO, None, False),  # y - 1 = 0 is possible
    (e**x / x ** number(10), OO, OO, True),
    (number(2) ** x / exp(x), OO, ZERO, True),
    (x ** ZERO, OO, ONE, True),
    (exp(x) ** ZERO * x, OO, OO, True),
    (log(log(x + two)) - log(x), OO, MINUS_INFINITY, False),
    ((x - ONE) / (x + ONE), OO, ONE, False),
    (exp(ONE / x), ZERO, OO, True),
    (x - x / x, ZERO, number(-1), False),
    (x - x**two / x**two - sin(x) / sin(x), ZERO, number(-2), False),
    (exp(-(ONE / x)) / x ** number(5), ZERO, ZERO, True),
]


@pytest.mark.parametrize(("term", "at", "truth", "found"), LIMITS, ids=[str(t[0]) for t in LIMITS])
def test_a_limit_is_right_or_refused(term, at, truth, found):
    goal = between(ZERO, ONE if at is ONE else None)
    try:
        value = limit(term, "x", at, goal, from_above=at is not ONE)
    except REFUSED:
        assert not found
        return
    assert truth is not None
    if isinstance(truth, Infinity) or isinstance(value, Infinity):
        assert value is truth
    else:
        for at_y in (fmpq(1, 3), fmpq(-1), fmpq(1)):
            gap = value_at(value - truth, Point({"y": at_y}), 200)
            assert gap.lo <= 0 <= gap.hi, value


def test_towards_minus_infinity():
    goal = between(None, ZERO)
    assert limit(x * exp(x), "x", MINUS_INFINITY, goal) is ZERO
    assert limit(x ** number(3) + x**two, "x", MINUS_INFINITY, goal) is MINUS_INFINITY
    assert limit(exp(x**two) + x, "x", MINUS_INFINITY, goal) is PLUS_INFINITY
    assert limit(phi(x) * x, "x", MINUS_INFINITY, goal) is ZERO
    with pytest.raises(REFUSED):
        limit((x**two) ** (y / two), "x", MINUS_INFINITY, goal)


def test_a_fresh_name_is_taken():
    w = variable("w")
    above = (Relation(x, ">", ZERO), Relation(w, ">", ZERO))
    goal = Goal((("x", REAL), ("w", REAL)), above, Relation(x, "<=", x))
    assert limit(x * log(x) + w, "x", ZERO, goal) is w
    assert limit(log(x) * w, "x", ZERO, goal) is MINUS_INFINITY


def test_an_end_may_be_another_variable():
    above = (Relation(x, ">", y), Relation(y, ">", ZERO))
    goal = Goal((("x", REAL), ("y", REAL)), above, Relation(x, "<=", x))
    assert limit(log(x - y), "x", y, goal) is MINUS_INFINITY
    assert limit(ONE / (x - y), "x", y, goal) is PLUS_INFINITY
    assert limit((x - y) * log(x - y) + x, "x", y, goal) is not None


def test_signs_come_from_the_hypotheses():
    positive = between(ZERO, None, Relation(y, ">", ZERO))
    assert limit(y * x, "x", OO, positive) is OO
    assert limit(exp(-y * x) * x, "x", OO, positive) is ZERO


def test_integers_tend_to_infinity_only():
    goal = Goal((("k", INTEGER),), (Relation(k, ">=", ONE),), Relation(k, "<=", k))
    assert limit(number(1, 2) ** k * k, "k", OO, goal) is ZERO
    for term, at in ((number(-1) ** k, OO), (number(-1, 2) ** k, OO), (k, ONE)):
        with pytest.raises(REFUSED):
            limit(term, "k", at, goal)


def test_a_term_must_be_defined_on_the_way():
    for term in (log(-x), x / (x - ONE), ZERO * log(y)):
        with pytest.raises(Undefined):
            limit(term, "x", OO, between(ZERO, None))
    # There is no point on the side that was named, and nothing wrong is said about it.
    assert limit(ONE / (x - ONE), "x", ONE, between(ZERO, ONE), from_above=True) is MINUS_INFINITY


@pytest.mark.parametrize("term", [
    x * exp((ONE + x) ** number(10**9)) * (-x),
    -x * exp(-x) * exp((ONE + x) ** number(999)),
    x - exp(x) * ((ONE + x) ** number(10**9) - x),
    x - exp((two + y * x) ** number(60)),
])
def test_no_limit_hangs(term):
    with contextlib.suppress(REFUSED):
        assert limit(term, "x", OO, between(ONE, None)) is MINUS_INFINITY


def test_nested_doubts_do_not_double_the_work():
    term = x
    for _ in range(18):
        term = sqrt(ONE + x * log(two + term * term)) - x
        if term.size > 2500:
            break
    with pytest.raises(REFUSED):
        limit(term, "x", OO, between(ONE, None))
    deep = x
    for _ in range(500):
        deep = exp(-deep)
    with pytest.raises(REFUSED):
        limit(deep, "x", OO, between(ONE, None))


# --- far out --------------------------------------------------------------------------------------


def _extend(children):
    unary = st.tuples(st.sampled_from("exp log sqrt abs tanh erfc Phi cosh neg loggamma".split()), children)
    binary = st.tuples(st.sampled_from("+ - * / + - * min max".split()), children, children)
    powers = st.tuples(children, st.sampled_from([-2, -1, 2, 3, fmpq(1, 2), fmpq(-2, 3)]))
    return st.one_of(unary.map(lambda t: apply(*t)), binary.map(lambda t: apply(*t)),
                     powers.map(lambda t: t[0] ** number(fmpq(t[1]))))


far_terms = st.recursive(
    st.sampled_from([x, x, x, y, ONE, two, number(-1), number(1, 3), exp(x), log(x), exp(-x)]),
    _extend, max_leaves=7)


@settings(max_examples=tries(300), deadline=None, suppress_health_check=list(HealthCheck))
@given(far_terms, st.sampled_from([OO, ZERO]), st.fractions(min_value=1, max_value=2, max_denominator=7))
def test_limits_agree_with_values_far_out(term, at, at_y):
    low = number(1000) if at is OO else ZERO
    given_ = (Relation(x, ">", low), Relation(y, ">=", ONE), Relation(y, "<=", two))
    goal = Goal((("x", REAL), ("y", REAL)), given_, Relation(x, "<=", x))
    try:
        found = limit(term, "x", at, goal)
    except REFUSED:
        return
    far = fmpq(10) ** 60
    point = {"x": far if at is OO else 1 / far, "y": fmpq(at_y.numerator, at_y.denominator)}
    try:
        value = value_at(term, Point(point), 2000)
    except (Undefined, Unsupported):
        return
    if not value.is_finite() or not value.hi - value.lo < (abs(value.hi) + 1) / 1000:
        return
    if isinstance(found, Infinity):
        assert sign_at(term - number(found.value), Point(point), 4000) in (found.value, None)
        return
    assert isinstance(found, Term)
    end = value_at(found, Point({"y": point["y"]}), 2000)
    near = {**point, "x": fmpq(10) ** 8 if at is OO else fmpq(1, 10**8)}
    before = value_at(term, Point(near), 2000)
    distance = abs(value.hi - end.lo)
    assert distance < (abs(end.hi) + 1) / 10 or distance < abs(before.hi - end.lo) * fmpq(9, 10)


def test_a_variable_that_is_not_there_tends_to_nothing():
    with pytest.raises(Rejected, match="q is no variable"):
        limit(x, "q", OO, between(ZERO, None))


def test_numbers_that_are_too_large_for_algebra():
    huge = number(10**20_000)
    assert limit(huge * x, "x", OO, between(ZERO, None)) is OO
    with pytest.raises(Rejected, match="a sum is too long"):
        limit(huge + x, "x", OO, between(ZERO, None))


def test_the_size_of_something_infinite():
    assert limit(apply("abs", floor(-x)), "x", OO, between(ZERO, None)) is OO


def test_powers_with_an_exponent_that_stays():
    goal = Goal((("x", REAL), ("y", REAL), ("k", INTEGER)),
                (Relation(x, ">", ZERO), Relation(y, ">", ZERO), Relation(k, ">=", ONE)), Relation(x, "<=", x))
    assert limit((two + ONE / x) ** y, "x", OO, goal) is two**y
    assert limit((-two - ONE / x) ** k, "x", OO, goal) is number(-2) ** k
    assert limit(x**y, "x", OO, goal) is OO
    assert limit(x ** -y, "x", OO, goal) is ZERO
    with pytest.raises(Rejected, match="a power of 0 or of infinity has no limit by structure"):
        limit((-x) ** k, "x", OO, goal)
    with pytest.raises(Rejected, match="a general power of something negative"):
        limit((y - ONE + ONE / x) ** k, "x", OO, goal)


def test_a_place_that_no_point_comes_near_has_no_limit():
    """log(3 - x) is defined for x < 1, and would be undefined at 5."""
    with pytest.raises(REFUSED):
        limit(log(number(3) - x), "x", number(5), between(ZERO, ONE))


def test_a_limit_that_grows_too_long_is_refused():
    names = [variable(n) for n in "yuvw"]
    goal = Goal((("x", REAL), *((n, REAL) for n in "yuvw")), (Relation(x, ">", ZERO),), Relation(x, "<=", x))
    with pytest.raises(Rejected, match="a limit grows too long"):
        limit(exp((names[0] + names[1] + names[2] + names[3] + ONE) ** number(10) - x), "x", OO, goal)


def test_a_constant_that_few_bits_do_not_show_is_kept_as_it_is_written():
    tiny = HIDDEN_ZERO + number(fmpq(1, 2**57))
    goal = between(ZERO, None)
    assert limit(sqrt(tiny) * (x / (x + ONE)), "x", OO, goal) is sqrt(tiny)
