"""A range that is known to be a single number computes with that number, and its ends stay around it."""

import math
import operator
import random
from fractions import Fraction

import pytest
from flint import arb, fmpq

from symdp.kernel.terms import variable
from symdp.kernel.values import ranges
from symdp.kernel.values.ranges import Range, Vacuous, precision

PART = variable("x")
OPERATIONS = [(ranges.add, operator.add), (ranges.mul, operator.mul), (ranges.sub, operator.sub),
              (ranges.least, min), (ranges.greatest, max)]


def rational(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def end(ball: arb) -> fmpq:
    mantissa, exponent = ball.man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)


@pytest.mark.parametrize("bits", [16, 64])
def test_what_is_exact_is_the_value_and_lies_inside(bits):
    rng = random.Random(bits)
    for _ in range(500):
        a, b = (Fraction(rng.randint(-9, 9) * 10 ** rng.choice([0, 30]) + rng.randint(0, 1), rng.randint(1, 9))
                for _ in range(2))
        with precision(bits):
            one, other = Range.of(rational(a)), Range.of(rational(b))
            found = [(f(one, other), g(a, b)) for f, g in OPERATIONS]
            found += [(ranges.whole_part(one), Fraction(math.floor(a))), (ranges.magnitude(one), abs(a))]
            found += [(ranges.rational_power(one, n, 1, PART), a ** n) for n in range(4)]
            if a > 0:
                found += [(ranges.inverse(one, PART), 1 / a),
                          (ranges.power(one, Range.of(-2), PART), a ** -2),
                          (ranges.rational_power(ranges.mul(one, one), 3, 2, PART), a ** 3)]
        for r, value in found:
            assert r.exact == rational(value)
            assert end(r.lo) <= rational(value) <= end(r.hi)
            assert (r.is_positive(), r.is_negative(), r.is_zero()) == (value > 0, value < 0, value == 0)


def test_two_numbers_are_not_one():
    third, half = Range.of(fmpq(1, 3)), Range.of(fmpq(1, 2))
    assert third.join(half).exact is None
    assert third.meet(Range.between(0, 1)).exact == fmpq(1, 3)
    assert Range.between(0, 0, lower_open=True).is_empty()
    with pytest.raises(Vacuous):
        third.meet(half)


def test_no_root_and_no_long_number_is_taken_for_exact():
    assert ranges.rational_power(Range.of(2), 1, 2, PART).exact is None
    assert Range.of(fmpq(1, 3**20_000)).exact is None
    assert ranges.exponential(Range.of(1)).sharp().exact is None
    assert ranges.exponential(Range.of(0)).sharp().exact == 1


def test_between_bounds_without_an_integer_there_is_no_point():
    with pytest.raises(Vacuous, match="there is no integer between the bounds"):
        Range.between(fmpq(1, 3), fmpq(2, 3)).integers()
    with pytest.raises(Vacuous, match="there is no integer between the bounds"):
        Range.between(0, 1, True, True).integers()
    assert Range.between(0, 1, True, False).integers().integer() == 1
