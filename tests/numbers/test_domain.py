"""Where variables live: ends, integers, conditions, and no empty domains."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import Integer, Rational, log, oo, pi

from symdp.formulas.notation import k, x, y
from symdp.formulas.parsing import parse_conditions
from symdp.numbers.domain import Domain, DomainError, Interval, find_point, simple_points


def domain(*texts, integers=()):
    return Domain.of([r for t in texts for r in parse_conditions(t)], integers)


def test_chained_conditions_become_one_interval():
    assert domain("0 < x <= 1").intervals[x] == Interval(Integer(0), Integer(1), lower_open=True)


def test_an_end_may_be_any_exact_constant():
    assert domain("0 <= x <= log(2)").intervals[x].upper == log(2)
    assert domain("0 <= x", "x <= pi/2").intervals[x].upper == pi / 2


def test_absolute_values_of_a_variable_are_an_interval():
    assert domain("abs(x) <= 2").intervals[x] == Interval(Integer(-2), Integer(2))


def test_infinite_ends_are_open():
    assert Interval().lower_open
    assert Interval().upper_open


def test_conditions_between_variables_are_kept():
    d = domain("y > 0", "x > y")
    assert [str(c) for c in d.conditions] == ["x > y"]
    assert d.contains({x: Integer(2), y: Integer(1)})
    assert not d.contains({x: Integer(1), y: Integer(1)})


def test_integers_round_their_interval_inward():
    d = domain("1/2 < k < 7/2", integers=["k"])
    assert d.intervals[k] == Interval(Integer(1), Integer(3))
    assert not d.contains({k: Rational(3, 2)})


@pytest.mark.parametrize(
    "texts",
    [
        ("x > 1", "x < 1"),
        ("0 < x < 0",),
        ("x >= 1", "x < 1"),
        ("x > y", "y > x"),
        ("x^2 < 0",),
        ("x > 0", "y > 0", "x + y < 0"),
        ("x == 1", "x == 2"),
        ("abs(x) < -1",),
        ("x > 0", "x + y == 0", "y > 0"),
    ],
)
def test_a_domain_without_a_point_is_an_error(texts):
    with pytest.raises(DomainError):
        domain(*texts)


def test_no_integer_between_is_an_error():
    with pytest.raises(DomainError, match="integer"):
        domain("1/4 < k < 3/4", integers=["k"])


def test_a_declared_integer_must_be_an_identifiable_variable():
    with pytest.raises(DomainError, match="integer"):
        Domain({x: Interval()}, frozenset({k}))


def test_equations_that_share_a_variable_are_solved_together():
    d = domain("v == t", "w == t", "z == t", "u >= t + 1")
    point = find_point(d)
    assert d.contains(point)
    assert all(value.is_Rational for value in point.values())


def test_equations_are_solved_to_find_a_point():
    d = domain("x + y == 1", "x > y")
    assert d.contains(find_point(d))


rationals = st.fractions(min_value=-50, max_value=50, max_denominator=12).map(
    lambda f: Rational(f.numerator, f.denominator)
)


@st.composite
def intervals(draw):
    low, high = sorted((draw(rationals), draw(rationals)))
    if low == high:
        return Interval(low, high)
    lower = draw(st.sampled_from([low, -oo]))
    upper = draw(st.sampled_from([high, oo]))
    return Interval(lower, upper, draw(st.booleans()), draw(st.booleans()))


@given(intervals(), intervals(), rationals)
def test_meeting_intervals_keeps_exactly_the_common_points(a, b, value):
    assert a.meet(b).contains(value) == (a.contains(value) and b.contains(value))


@given(intervals(), intervals(), rationals)
def test_a_covering_interval_has_every_point(a, b, value):
    if a.covers(b) and b.contains(value):
        assert a.contains(value)


@given(intervals())
def test_simple_points_lie_inside(interval):
    assert all(interval.contains(p) for p in simple_points(interval))


@given(intervals())
def test_a_domain_reads_back_from_its_relations(interval):
    d = Domain({x: interval})
    assert Domain.of(d.relations(), variables=[x]) == d


@pytest.mark.parametrize("conditions", [
    ["k > 10^20", "n > k"], ["y >= 1", "x > 10^10*y"], ["x > 0", "x < y/10^40", "y < 1"]])
def test_domains_far_out_have_points(conditions: list[str]) -> None:
    """Coordinates are as large as the numbers that the conditions name."""
    domain = Domain.of(r for c in conditions for r in parse_conditions(c))
    point = find_point(domain)
    assert point is not None
    assert domain.contains(point)
