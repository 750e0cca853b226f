"""Functions by their records: ranges around the values, where there is one, derivatives, limits and normal forms."""

import importlib
from dataclasses import replace
from itertools import product

import mpmath
import pytest
from flint import fmpq
from kernel_terms import le, lt

import symdp.kernel.functions
from symdp.kernel.algebra.identity import identical
from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Rejected
from symdp.kernel.terms import FUNCTIONS, ONE, ZERO, apply, constant, number, variable
from symdp.kernel.values.calculus import derivative, need_smooth
from symdp.kernel.values.enclosure import range_on
from symdp.kernel.values.limits import PLUS_INFINITY, limit
from symdp.kernel.values.points import Point, value_at
from symdp.kernel.values.ranges import Undefined

x, s, k = variable("x"), variable("s"), variable("k")
pi, half = constant("pi"), number(1, 2)


def upper(*args):
    return apply("uppergamma", *args)


def tan(u):
    return apply("tan", u)


def goal(*hypotheses):
    return Goal((("x", REAL), ("s", REAL)), hypotheses, le(x, x))


def box(low_s, high_s, low_x, high_x):
    return goal(le(number(low_s), s), le(s, number(high_s)), le(number(low_x), x), le(x, number(high_x)))


# --- the upper incomplete Gamma function --------------------------------------------------------


@pytest.mark.parametrize("ends", [
    (fmpq(1), fmpq(3), fmpq(2), fmpq(4)), (fmpq(-2), fmpq(3), fmpq(1, 10), fmpq(1, 2)),
    (fmpq(1, 2), fmpq(5), fmpq(0), fmpq(3, 4)), (fmpq(-1), fmpq(4), fmpq(1, 2), fmpq(3)),
    (fmpq(5, 2), fmpq(5, 2), fmpq(1, 4), fmpq(1, 2)), (fmpq(1, 3), fmpq(1, 3), fmpq(0), fmpq(2)),
])
def test_the_range_of_an_incomplete_gamma_function_holds_its_values(ends):
    found = range_on(upper(s, x), box(*ends))
    low, high = float(found.lo), float(found.hi)
    low_s, high_s, low_x, high_x = (mpmath.mpf(int(v.p)) / int(v.q) for v in ends)
    values = [mpmath.gammainc(low_s + (high_s - low_s) * a / 5, low_x + (high_x - low_x) * b / 5)
              for a, b in product(range(6), repeat=2)]
    assert low <= min(values) * (1 + 1e-12)
    assert max(values) <= high * (1 + 1e-12)
    assert found.is_positive()
    assert high <= 30 * max(values)  # and it is not the whole line


def test_towards_an_end_an_incomplete_gamma_function_has_no_bound():
    growing = range_on(upper(s, x), goal(lt(ZERO, x), le(x, ONE), le(number(-1), s), le(s, ONE)))
    assert not growing.is_finite()
    assert growing.is_positive()
    falling = range_on(upper(s, x), goal(le(ONE, x), le(ONE, s), le(s, number(2))))
    assert falling.is_positive()
    assert falling.lo == 0
    assert float(falling.hi) == pytest.approx(float(mpmath.gammainc(2, 1)))


@pytest.mark.parametrize(("hypotheses", "certain"), [
    ((Relation(x, "==", ZERO), le(s, ZERO)), True), ((Relation(x, "==", ZERO),), False), ((le(ZERO, x),), False),
    ((le(number(-1), x), lt(ZERO, s)), False),
])
def test_where_an_incomplete_gamma_function_may_have_no_value(hypotheses, certain):
    with pytest.raises(Undefined) as caught:
        range_on(upper(s, x), goal(*hypotheses))
    assert caught.value.certain is certain


def test_of_a_half_integer_it_is_written_out():
    def root(u):
        return apply("sqrt", u)

    def exp(u):
        return apply("exp", u)

    assert identical(upper(ONE, x), exp(-x))
    assert identical(upper(number(3), x), exp(-x) * (x ** number(2) + number(2) * x + number(2)))
    assert identical(upper(half, x), root(pi) * apply("erfc", root(x)))
    assert identical(upper(number(3, 2), x), half * root(pi) * apply("erfc", root(x)) + root(x) * exp(-x))
    for order in (ZERO, number(-1), number(1, 3), number(21), s):
        assert not identical(upper(order, x), upper(order, x) + exp(-x))
        assert identical(upper(order, x) * exp(x), exp(x) * upper(order, x))


def test_its_derivative_and_its_limit():
    assert derivative(upper(s, x), "x") is -(x ** (s - ONE) * apply("exp", -x))
    assert derivative(upper(number(1, 3), x), "x") is -(x ** number(-2, 3) * apply("exp", -x))
    with pytest.raises(Rejected, match="no derivative of uppergamma"):
        derivative(upper(s, x), "s")
    positive = goal(lt(ZERO, x), lt(ZERO, s))
    need_smooth(upper(s, x), "s", positive)
    with pytest.raises(Rejected, match="may not be smooth"):
        need_smooth(upper(s, x), "x", goal(le(ZERO, x), lt(ZERO, s)))
    assert limit(upper(number(1, 3), x), "x", PLUS_INFINITY, positive) is ZERO
    with pytest.raises(Rejected, match="uppergamma has no limit by structure"):
        limit(upper(x, s), "x", PLUS_INFINITY, positive)  # along its first argument


# --- the tangent ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("low", "high"), [(fmpq(-1), fmpq(1)), (fmpq(2), fmpq(4)), (fmpq(3, 2), fmpq(157, 100))])
def test_the_tangent_grows_between_its_poles(low, high):
    found = range_on(tan(x), goal(le(number(low), x), le(x, number(high))))
    assert float(found.lo) == pytest.approx(float(mpmath.tan(mpmath.mpf(int(low.p)) / int(low.q))))
    assert float(found.hi) == pytest.approx(float(mpmath.tan(mpmath.mpf(int(high.p)) / int(high.q))))


def test_up_to_its_poles_the_tangent_takes_all_values():
    left, right = lt(-(pi / number(2)), x), lt(x, pi / number(2))
    whole = range_on(tan(x), goal(left, right))
    assert whole.lo < -1000
    assert whole.hi > 1000
    above = range_on(tan(x), goal(le(ZERO, x), right))
    assert above.lo == 0
    assert above.hi > 1000
    below = range_on(tan(x), goal(left, le(x, ONE)))
    assert float(below.hi) == pytest.approx(float(mpmath.tan(1)))
    assert below.lo < -1000


@pytest.mark.parametrize("hypotheses", [
    (), (le(ZERO, x),), (le(ZERO, x), le(x, number(3))), (le(ZERO, x), le(x, pi / number(2))),
    (lt(ZERO, x), lt(x, pi)),
])
def test_across_a_pole_the_tangent_has_no_value(hypotheses):
    with pytest.raises(Undefined):
        range_on(tan(x), goal(*hypotheses))


# --- what all of them have ------------------------------------------------------------------------


def test_a_function_that_is_said_by_others_has_their_range():
    found = range_on(apply("expm1", x), goal(le(ZERO, x), le(x, ONE)))
    assert found.lo == 0
    assert float(found.hi) == pytest.approx(float(mpmath.e - 1))
    with pytest.raises(Undefined):
        range_on(apply("log1p", x), goal(le(number(-1), x)))


@pytest.mark.parametrize("name", ["digamma", "trigamma"])
def test_at_a_pole_there_is_certainly_no_value_and_between_them_there_is_none_that_is_used(name):
    for at, certain in ((fmpq(0), True), (fmpq(-3), True), (fmpq(-1, 2), False)):
        with pytest.raises(Undefined) as caught:
            value_at(apply(name, x), Point({"x": at}))
        assert caught.value.certain is certain
    wanted = {"digamma": mpmath.digamma(1), "trigamma": mpmath.polygamma(1, 1)}[name]
    assert float(value_at(apply(name, x), Point({"x": fmpq(1)})).lo) == pytest.approx(float(wanted))


def test_a_binomial_whose_lower_argument_turns_out_to_be_a_number():
    assert identical(apply("binomial", x, ONE + ONE), x * (x - ONE) / number(2))
    assert not identical(apply("binomial", x, ONE + ONE), x)


def test_a_function_has_one_record(monkeypatch):
    monkeypatch.setitem(FUNCTIONS, "exp", replace(FUNCTIONS["exp"]))
    with pytest.raises(ImportError, match="the function exp has two records"):
        importlib.reload(symdp.kernel.functions)
    monkeypatch.undo()
    importlib.reload(symdp.kernel.functions)
