"""A strict relation that becomes an equality at a closed end is false there, and functions end where they end."""

import pytest

from symdp.kernel.algebra.identity import identical
from symdp.kernel.terms import ONE, ZERO, apply, constant, number
from symdp.search.prove import NotDefined, check

EQUAL_AT_AN_END = [
    ("asin(x) < pi/2", ["-1 <= x <= 1"], 1), ("asin(x) > -pi/2", ["-1 <= x <= 1"], -1),
    ("acos(x) > 0", ["-1 <= x <= 1"], 1), ("acos(x) < pi", ["-1 <= x <= 1"], -1),
    ("asin(2*x - 1) < pi/2", ["0 <= x <= 1"], 1), ("asin(sqrt(x)) < pi/2", ["0 <= x <= 1"], 1),
    ("2*acos(x)^2 > 0", ["0 <= x <= 1"], 1), ("x + asin(x) < 1 + pi/2", ["0 <= x <= 1"], 1),
    ("sqrt(x) < sqrt(2)", ["0 <= x <= 2"], 2), ("acosh(x) > 0", ["x >= 1"], 1), ("asinh(x) > 0", ["x >= 0"], 0),
    ("expm1(x) > 0", ["x >= 0"], 0), ("log1p(x) < 0", ["-1 < x <= 0"], 0), ("atan(x) > 0", ["0 <= x <= 1"], 0),
]


@pytest.mark.parametrize(("claim", "where", "at"), EQUAL_AT_AN_END)
def test_a_strict_relation_fails_at_an_end_with_equality(claim, where, at):
    verdict = check(claim, where, budget=3)
    assert verdict.status.value == "refuted"
    assert list(verdict.witness.point.values()) == [at]


@pytest.mark.parametrize(("claim", "where"), [
    ("asin(x) < pi/2", ["-1 <= x < 1"]), ("acos(x) > 0", ["-1 <= x < 1"]), ("asin(x) <= pi/2", ["-1 <= x <= 1"]),
    ("acos(x) >= 0", ["-1 <= x <= 1"])])
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


@pytest.mark.parametrize("end", [ONE, number(-1), number(2), number(1, 2)], ids=str)
def test_only_the_ends_of_the_arc_sine_are_known(end):
    """asin(1) is pi/2, and nothing else is: neither beyond the end, nor beside it, nor by its neighbour's value."""
    half = constant("pi") / number(2)
    for value in (half, -half, ZERO, constant("pi"), ONE):
        known = (end, value) in ((ONE, half), (number(-1), -half))
        assert identical(apply("asin", end), value) is known
        assert identical(apply("acos", end), half - value) is known
