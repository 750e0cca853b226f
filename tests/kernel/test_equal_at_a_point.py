"""Sides that are equal at a point, though no number of digits shows it: a strict claim fails there."""

import pytest
from flint import fmpq

from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Rejected
from symdp.kernel.terms import apply, number, variable
from symdp.kernel.values.points import Point, holds_at, sign_at
from symdp.kernel.witness import refute

x, y = variable("x"), variable("y")
one, two, three = number(1), number(2), number(3)
log, exp = (lambda t: apply("log", t)), (lambda t: apply("exp", t))
AT = Point({"x": fmpq(1, 3), "y": fmpq(2)})
EQUAL = [
    (x * (exp(y) - one), x * exp(y) - x),
    (log(one / x), number(0) - log(x)),
    (log(three * y), log(three) + log(y)),
    (apply("tanh", y / two), (exp(y) - one) / (exp(y) + one)),
]


@pytest.mark.parametrize(("left", "right"), EQUAL, ids=str)
def test_a_strict_claim_between_equal_sides_is_refuted(left, right):
    goal = Goal((("x", REAL), ("y", REAL)), (Relation(number(0), "<", x),), Relation(left, "<", right))
    assert refute(goal, AT)


@pytest.mark.parametrize(("left", "right"), EQUAL, ids=str)
def test_a_claim_that_allows_equality_is_not(left, right):
    goal = Goal((("x", REAL), ("y", REAL)), (Relation(number(0), "<", x),), Relation(left, "<=", right))
    with pytest.raises(Rejected):
        refute(goal, AT)


@pytest.mark.parametrize("part", [
    log(x - one), one / (three * x - one), apply("sqrt", x - one), log(exp(y) - exp(y)), one / (exp(y) - exp(y)),
], ids=str)
def test_what_has_no_value_is_not_zero(part):
    assert sign_at(part - part, AT) is None
    assert holds_at(Relation(part, "==", part), AT) is not True


def test_what_differs_by_less_than_the_digits_show_is_not_equal():
    tiny = exp(number(-(10**4)))
    assert sign_at(log(two) + tiny - log(two), AT) in (1, None)
