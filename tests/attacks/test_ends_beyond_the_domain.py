r"""The ends of a box are rounded outward: what holds inside of the domain need not hold at such an end.

Each of these was once proved: the mean value theorem started at an end beyond a pole, or beside the only point.
"""

import pytest
from flint import fmpq

from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Rejected, Step, verify
from symdp.kernel.terms import ONE, ZERO, apply, constant, number, variable
from symdp.kernel.values.points import Point
from symdp.kernel.witness import refute

x = variable("x")
HALF_PI = constant("pi") / number(2)
PAVING = Step("paving", {"cuts": [-1]})


def goal(claim, *hypotheses):
    return Goal((("x", REAL),), hypotheses, claim)


def test_a_slope_before_a_pole_says_nothing_of_the_end_behind_it():
    # A number between pi/2 and the rounded one, at which the tangent is -4*10^19.
    behind = number(14488038916154245685, 2**63)
    high = goal(Relation(apply("tan", x), "<=", number(5)),
                Relation(ZERO, "<=", x), Relation(x, "<", HALF_PI), Relation(x, "<=", behind))
    assert refute(high, Point({"x": fmpq(3, 2)}))
    for cuts in ([-1], [0, -1, -1], [0, -1, 0, -1, -1]):
        with pytest.raises(Rejected, match="may be undefined"):
            verify(high, Step("paving", {"cuts": cuts}))


@pytest.mark.parametrize("equal", [
    (Relation(x, "<=", number(1, 3)), Relation(x, ">=", number(1, 3))), (Relation(x, "==", number(1, 3)),)])
def test_the_slope_at_one_point_says_nothing_of_the_rounded_point_beside_it(equal):
    # At x = 1/3 the sine is -0.88; at 1/3 rounded down to 64 bits it is positive.
    wave = apply("sin", number(2**70) * x - number(393530540239137101056) - number(85) + number(-7, 5))
    positive = goal(Relation(ZERO, "<=", wave), *equal)
    assert refute(positive, Point({"x": fmpq(1, 3)}))
    with pytest.raises(Rejected, match="not settled"):
        verify(positive, PAVING)


@pytest.mark.parametrize(("claim", "hypotheses"), [
    (Relation(apply("tan", x), "<=", number(2)), (Relation(ZERO, "<=", x), Relation(x, "<=", ONE))),
    (Relation(apply("sin", x), "<=", number(2)), (Relation(ZERO, "<=", x), Relation(x, "<", HALF_PI))),
    (Relation(x * x, "<=", x), (Relation(x, "==", number(1, 3)),)),
    (Relation(x - number(2), "<", apply("sqrt", x)), (Relation(ZERO, "<", x), Relation(x, "<", ONE))),
])
def test_what_is_smooth_up_to_its_rounded_ends_is_proved(claim, hypotheses):
    assert verify(goal(claim, *hypotheses), PAVING).rules == {"paving"}


def test_a_box_without_an_end_is_refused():
    with pytest.raises(Rejected, match="finite box"):
        verify(goal(Relation(ZERO, "<=", x * x), Relation(ZERO, "<=", x)), PAVING)
