"""An enclosure contains the value: on random expressions and boxes, half-lines included."""

import pytest
import sympy
from campaign import tries
from expressions import expressions, small
from flint import arb, ctx
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_terms import inside
from sympy import Float, Integer, Rational, exp, floor, log, sin, sqrt

from symdp.formulas.notation import p, x
from symdp.numbers.domain import Domain, Interval
from symdp.numbers.ranges import Tape, Undefined, Unsupported, between, precision, sign_of_constant


@st.composite
def ends(draw):
    low, high = sorted((draw(small), draw(small)))
    lower = draw(st.sampled_from([low, low, low, None]))
    upper = draw(st.sampled_from([high, high, high, None]))
    assume(low != high or (lower is not None and upper is not None))
    may_open = low != high
    return lower, upper, may_open and draw(st.booleans()), may_open and draw(st.booleans())


@settings(max_examples=tries(400), deadline=None, suppress_health_check=list(HealthCheck))
@given(expressions, ends(), ends(), st.randoms(use_true_random=False))
def test_an_enclosure_contains_the_value(expr, at_x, at_p, rng):
    try:
        tape = Tape(expr, [x, p])
        found = tape([between(*at_x), between(*at_p)])
    except (Undefined, Unsupported):
        return
    for _ in range(5):
        values = [inside(end, rng, rational=Rational) for end in (at_x, at_p)]
        # The same point at 400 bits, without any of the wide-range logic mattering.
        with precision(400):
            value = tape([between(v, v) for v in values])
        assert found.lo <= value.hi, (expr, values)
        assert value.lo <= found.hi, (expr, values)
        if found.lo_open:
            assert value.hi > found.lo
        if found.is_positive():
            assert value.hi > 0
        if found.is_negative():
            assert value.lo < 0


@settings(max_examples=tries(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(expressions, small, small)
def test_a_point_agrees_with_sympy_at_high_precision(expr, u, v):
    """Against an independent evaluator: mpmath at 400 bits through SymPy."""
    try:
        with precision(400):
            found = Tape(expr, [x, p])([between(u, u), between(v, v)])
    except (Undefined, Unsupported):
        return
    exact = expr.subs({x: u, p: v})
    assume(exact.is_real is not False and not exact.has(sympy.zoo, sympy.nan, sympy.oo))
    value = exact.evalf(120)
    assume(value.is_Float or value.is_Rational)
    before, ctx.prec = ctx.prec, 400
    try:
        ball = arb(str(value))
        tolerance = abs(ball) * arb("1e-100") + arb("1e-100")
        assert found.lo <= ball + tolerance
        assert ball - tolerance <= found.hi
    finally:
        ctx.prec = before


def test_an_open_end_keeps_a_sign_strict():
    half_line = between(0, None, lower_open=True)
    assert Tape(x * exp(-x), [x])([half_line]).is_positive()
    assert not Tape(x * exp(-x), [x])([between(0, None)]).is_positive()


def test_crests_inside_are_seen():
    found = Tape(sin(x), [x])([between(0, 7)])
    assert found.lo == -1
    assert found.hi == 1
    found = Tape(sin(x), [x])([between(0, 1)])
    assert found.lo == 0
    assert found.hi < 1


def test_zero_to_a_positive_power_is_zero():
    power = Tape((1 + x) ** p, [x, p])
    assert power([between(-1, -1), between(1, 2)]).hi == 0
    with pytest.raises(Undefined):
        power([between(-1, -1), between(0, 2)])


@pytest.mark.parametrize(
    ("expr", "low", "high"),
    [(log(x), -1, 1), (1 / x, -1, 1), (sqrt(x), -1, 1), (sympy.gamma(x), -1, 1)],
)
def test_what_may_be_undefined_is_refused(expr, low, high):
    with pytest.raises(Undefined):
        Tape(expr, [x])([between(low, high)])


def test_a_float_is_an_error_that_names_the_cure():
    with pytest.raises(Unsupported, match=r"write Rational\('0\.1"):
        Tape(x + Float("0.1"), [x])


def test_a_variable_without_a_range_is_an_error():
    with pytest.raises(Unsupported, match="nothing says what p is"):
        Tape(x + p, [x])


def test_huge_values_do_not_wrap_around():
    found = Tape(exp(exp(x)), [x])([between(0, 10**6)])
    assert found.lo > 2
    assert not found.hi < 10**300


def test_signs_of_constants_are_certain():
    assert sign_of_constant(exp(1) - Rational(2718281828, 10**9)) == 1
    assert sign_of_constant(floor(Integer(3)) - 3) == 0


def test_ends_that_are_constants_are_rounded_outward():
    from symdp.search.view.goals import range_of

    r = range_of(Interval(Integer(0), log(2)))
    assert r.hi >= arb(2).log().lower()


def test_facts_narrow_what_they_speak_about():
    from symdp.formulas.relation import gt
    from symdp.search.view.goals import range_on

    d = Domain({x: Interval(Integer(0), oo := sympy.oo), p: Interval(Integer(0), oo)},
               conditions=(gt(x, p),))
    assert range_on(log(x - p), d).hi > 0  # defined, since x - p > 0 on the domain
