"""A strict relation that becomes an equality at a closed end is false there, and functions end where they end."""

import pytest
from sympy import Rational

from symdp.kernel.algebra.identity import identical
from symdp.kernel.terms import ONE, ZERO, apply, constant, number
from symdp.kernel.values.points import Point, value_at
from symdp.search.prove import NotDefined, check

EQUAL_AT_AN_END = [
    ("asin(x) < pi/2", ["-1 <= x <= 1"], 1), ("asin(x) > -pi/2", ["-1 <= x <= 1"], -1),
    ("acos(x) > 0", ["-1 <= x <= 1"], 1), ("acos(x) < pi", ["-1 <= x <= 1"], -1),
    ("asin(2*x - 1) < pi/2", ["0 <= x <= 1"], 1), ("asin(sqrt(x)) < pi/2", ["0 <= x <= 1"], 1),
    ("2*acos(x)^2 > 0", ["0 <= x <= 1"], 1), ("x + asin(x) < 1 + pi/2", ["0 <= x <= 1"], 1),
    ("sqrt(x) < sqrt(2)", ["0 <= x <= 2"], 2), ("acosh(x) > 0", ["x >= 1"], 1), ("asinh(x) > 0", ["x >= 0"], 0),
    ("expm1(x) > 0", ["x >= 0"], 0), ("log1p(x) < 0", ["-1 < x <= 0"], 0), ("atan(x) > 0", ["0 <= x <= 1"], 0),
    ("atan(x) < pi/4", ["0 <= x <= 1"], 1), ("atan(x) > -pi/4", ["-1 <= x <= 1"], -1),
    ("4*atan(2*x - 1) < pi", ["0 <= x <= 1"], 1), ("atan(sqrt(x)) < pi/3", ["0 <= x <= 3"], 3),
    ("atan(1/sqrt(x)) < pi/6", ["x >= 3"], 3), ("exp(atan(x)) < exp(pi/4)", ["0 <= x <= 1"], 1),
    ("atan(x) + atan(1/x) > pi/2", ["x >= 1"], 1), ("asin(x) < pi/6", ["0 <= x <= 1/2"], Rational(1, 2)),
    ("acos(x) < 2*pi/3", ["-1/2 <= x <= 1/2"], Rational(-1, 2)), ("asin(sqrt(x)/2) < pi/3", ["0 <= x <= 3"], 3),
    ("sin(pi*x) < 1/2", ["0 <= x <= 1/6"], Rational(1, 6)), ("cos(pi*x) > 1/2", ["0 <= x <= 1/3"], Rational(1, 3)),
    ("sin(pi*x) < sqrt(2)/2", ["0 <= x <= 1/4"], Rational(1, 4)),
    ("tan(pi*x) < 1", ["0 <= x <= 1/4"], Rational(1, 4)),
    ("sin(pi*x) > -sqrt(3)/2", ["1 <= x <= 4/3"], Rational(4, 3)),
    ("gamma(x) < sqrt(pi)", ["1/2 <= x <= 1"], Rational(1, 2)),
    ("gamma(x + 1/2) > sqrt(pi)/2", ["1 <= x <= 3"], 1), ("digamma(x) < digamma(1) + 1", ["1 <= x <= 2"], 2),
    ("trigamma(x) < pi^2/6", ["x >= 1"], 1), ("trigamma(x) < pi^2/2", ["x >= 1/2"], Rational(1, 2)),
]


@pytest.mark.parametrize(("claim", "where", "at"), EQUAL_AT_AN_END)
def test_a_strict_relation_fails_at_an_end_with_equality(claim, where, at):
    verdict = check(claim, where, budget=3)
    assert verdict.status.value == "refuted"
    assert list(verdict.witness.point.values()) == [at]


@pytest.mark.parametrize(("claim", "where"), [
    ("asin(x) < pi/2", ["-1 <= x < 1"]), ("acos(x) > 0", ["-1 <= x < 1"]), ("asin(x) <= pi/2", ["-1 <= x <= 1"]),
    ("acos(x) >= 0", ["-1 <= x <= 1"]), ("atan(x) < pi/4", ["0 <= x < 1"]), ("asin(x) < pi/6", ["0 <= x < 1/2"])])
def test_beside_that_end_it_holds(claim, where):
    assert check(claim, where, budget=3).status.value == "proved"


#: relations that would hold if the functions went on beyond their domains
BEYOND = [
    ("asin(x) <= 2", ["0 <= x <= 2"]), ("acos(x) >= 0", ["-2 <= x <= 1"]), ("0*asin(x) == 0", []),
    ("asin(x) - asin(x) == 0", ["x >= 1"]), ("sin(asin(x)) == x", []), ("cos(acos(x)) <= x", ["x >= 0"]),
    ("uppergamma(x, y) >= 0", ["x >= 1", "y >= -1"]), ("0*uppergamma(x, 0) == 0", ["-1 <= x <= 1"]),
    ("uppergamma(x, y) <= gamma(x)", ["-2 <= x <= -1", "y >= 1"]),
    ("0*asinh(log(x)) == 0", []), ("asinh(1/x)^2 >= 0", ["x >= 0"]), ("asinh(sqrt(x)) >= 0", ["x >= -1"]),
    ("expm1(log(x)) == x - 1", []), ("expm1(1/x) >= -1", []), ("0*expm1(sqrt(x)) <= 0", ["-1 <= x <= 1"]),
    ("log1p(x) <= x", ["x >= -1"]), ("atanh(x)^2 >= 0", ["-1 <= x <= 1"]), ("acosh(x) >= 0", ["x >= 0"]),
]


@pytest.mark.parametrize(("claim", "where"), BEYOND)
def test_beyond_its_domain_a_function_proves_nothing(claim, where):
    try:
        verdict = check(claim, where, budget=3)
    except NotDefined:
        return
    assert verdict.status.value not in ("proved", "refuted")


@pytest.mark.parametrize("end", [ONE, number(-1), number(2), number(1, 3)], ids=str)
def test_only_the_ends_of_the_arc_sine_are_known(end):
    """asin(1) is pi/2, and nothing else is: neither beyond the end, nor beside it, nor by its neighbour's value."""
    half = constant("pi") / number(2)
    for value in (half, -half, ZERO, constant("pi"), ONE):
        known = (end, value) in ((ONE, half), (number(-1), -half))
        assert identical(apply("asin", end), value) is known
        assert identical(apply("acos", end), half - value) is known


ROOTS = [s * number(p, q) * apply("sqrt", number(n)) for s in (ONE, number(-1)) for n in (1, 2, 3)
         for p, q in ((1, 1), (1, 2), (1, 3), (2, 1))]
ANGLES = [number(n, 12) * constant("pi") for n in range(-30, 31)]


@pytest.mark.long
@pytest.mark.parametrize("name", ["sin", "cos", "tan", "asin", "acos", "atan", "gamma", "trigamma"])
def test_values_that_are_known_are_those_of_the_balls(name):
    """Whatever the algebra takes for the same, enclosures with many bits do not tell apart."""
    seen = 0
    for argument in (*ROOTS, *ANGLES, *(number(n, 2) for n in range(-3, 45))):
        for value in (*ROOTS, ZERO, *ANGLES, apply("sqrt", constant("pi")), constant("pi") ** number(2) / number(6)):
            term = apply(name, argument)
            if identical(term, value):
                try:
                    gap = value_at(term - value, Point(), 200)
                except ArithmeticError:  # it has no value at all
                    continue
                assert gap.lo <= 0 <= gap.hi
                assert gap.hi - gap.lo < 1e-50
                seen += 1
    assert seen >= (2 if name == "gamma" else 1 if "gamma" in name else 6)
