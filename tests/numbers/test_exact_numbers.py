r"""What exact numbers promise: the same value as the expression, and equality that is decided."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy
from flint import ctx
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import Rational, S, cosh, exp, log, sqrt, tanh

from symdp.numbers.exact import Exponential, ball, equal, expression, number, sign
from symdp.numbers.quantity import BadQuantity

ratios = st.fractions(min_value=-3, max_value=3, max_denominator=12)
units = st.sampled_from([S.One, sqrt(2), sqrt(30) / 5])


@st.composite
def sums(draw, unit):
    """A sum of a few multiples of powers of e."""
    terms = draw(st.lists(st.tuples(ratios, ratios), min_size=1, max_size=3))
    return sum((Rational(c) * exp(Rational(r) * unit) for c, r in terms), S.Zero)


def value(expr) -> mpmath.mpf:
    with mpmath.workdps(60):
        return mpmath.mpf(expr.evalf(60))


def near(found, expr) -> bool:
    """Whether a ball of 200 bits holds the value that SymPy's floats give."""
    with ctx.workprec(200), mpmath.workdps(60):
        middle = ball(found)
        low, high = (mpmath.mpf(end.str(50, radius=False)) for end in (middle.lower(), middle.upper()))
        slack = mpmath.mpf(10) ** -40 * (1 + abs(value(expr)))
        return low - slack <= value(expr) <= high + slack and high - low <= slack


@settings(max_examples=40)
@given(st.data())
def test_arithmetic_is_that_of_the_expressions(data) -> None:
    unit = data.draw(units)
    a, b = data.draw(sums(unit)), data.draw(sums(unit))
    x, y = number(a), number(b)
    assert not isinstance(x, sympy.Expr)
    for found, expr in ((x + y, a + b), (x - y, a - b), (x * y, a * b), (-x, -a),
                        (2 - x, 2 - a), (Fraction(1, 3) * x, a / 3)):
        assert near(found, expr)
        assert sign(found) == sign(number(sympy.expand(expr)))
        assert equal(found, number(sympy.expand(expr)))
    assume(sign(y) != 0)
    assert near(x / y, a / b)
    assert equal(x / y * y, x)
    assert near(1 / y, 1 / b)
    assert equal(number(a / b), x / y)
    assert equal(number(expression(x / y)), x / y)


@settings(max_examples=20)
@given(st.data())
def test_equality_is_decided_and_not_guessed(data) -> None:
    unit = data.draw(units)
    a, b = data.draw(sums(unit)), data.draw(sums(unit))
    assert sign(number(sympy.expand((a + b) ** 2)) - number(a**2 + 2 * a * b + b**2)) == 0
    tiny = Rational(1, 10**200)
    assert sign(number(a + tiny) - number(a)) == 1


def test_what_is_read() -> None:
    assert number(exp(log(3))) == 3
    assert number(exp(Rational(1, 2)) * exp(Rational(-1, 2))) == 1
    assert equal(number(cosh(1)), number((exp(1) + exp(-1)) / 2))
    assert equal(number(tanh(Rational(1, 2))), number((sympy.E - 1) / (sympy.E + 1)))
    assert isinstance(number(exp(1000)), Exponential)
    assert isinstance(number(exp(sqrt(30) / 30)), Exponential)
    assert isinstance(number(sqrt(2)), sympy.Expr)


def test_mixed_numbers_fall_back_to_expressions_and_are_still_compared() -> None:
    mixed = number(exp(sqrt(2))) * number(exp(1))
    assert isinstance(mixed, sympy.Expr)
    assert sign(mixed - exp(1 + sqrt(2))) == 0
    assert sign(mixed - 11) == 1
    assert sign(number(sqrt(2)) - Fraction(7, 5)) == 1
    far = number(exp(Rational(1, 10))) * number(exp(Rational("0.1234567")))  # too fine a lattice
    assert isinstance(far, sympy.Expr)
    assert sign(far - Fraction(5, 4)) == 1


def test_what_cannot_be_told_is_refused() -> None:
    nested = sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3)  # zero, but not by the rules of fractions
    large = sum((nested * exp(sqrt(sympy.prime(i))) for i in range(1, 6)), S.Zero)
    with pytest.raises(BadQuantity, match="cannot be told from zero"):
        sign(sympy.expand(large))


def test_division_by_zero_is_an_error() -> None:
    x = number(exp(1))
    with pytest.raises(ZeroDivisionError):
        x / (x - x)
    with pytest.raises(ZeroDivisionError):
        1 / (x - x)
