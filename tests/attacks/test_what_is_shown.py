"""The text of a statement says all of it: nothing that was assumed can be left out of what a reader sees."""

from dataclasses import replace

import pytest

from symdp.kernel.certificate import digest_of
from symdp.kernel.goals import INTEGER, REAL, Each, Goal, Relation
from symdp.kernel.proof import Step, verify
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.rules.failing import FailsFor
from symdp.kernel.rules.orders import Order
from symdp.kernel.rules.readings import Continued
from symdp.kernel.terms import ONE, ZERO, apply, bound, member, number, variable

x, k = variable("x"), variable("k")
ABSURD = Relation(ONE, "<=", ZERO)
OTHER = {REAL: INTEGER, INTEGER: REAL}
FULL = Goal((("x", REAL), ("k", INTEGER)), (ABSURD, Relation(ZERO, "<", x), Each(None, None, Relation(
    member("a", bound(0)), "<=", x))), Relation(x, "<=", member("b", ONE)), (("a", REAL), ("b", INTEGER)))
GOALS = [
    FULL,
    Goal((), (ABSURD,), ABSURD),
    Goal((), (), Relation(apply("floor", member("a", ONE)), "==", member("a", ONE)), (("a", INTEGER),)),
]


def weaker(goal):
    """The same with one thing less, or of another kind."""
    for place in range(len(goal.hypotheses)):
        yield replace(goal, hypotheses=(*goal.hypotheses[:place], *goal.hypotheses[place + 1:]))
    for part in ("sorts", "families"):
        named = getattr(goal, part)
        for place, (name, sort) in enumerate(named):
            yield replace(goal, **{part: (*named[:place], (name, OTHER[sort]), *named[place + 1:])})


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_another_goal_has_another_text(goal):
    texts = [str(goal), *map(str, weaker(goal))]
    assert len(set(texts)) == len(texts)


def test_an_assumption_without_variables_is_shown():
    """Once the checker printed "proved 1 <= 0" for this."""
    assert str(verify(GOALS[1], Step("assumption")).goal) == "1 <= 0 with 1 <= 0"


@pytest.mark.parametrize("sort", [REAL, INTEGER])
def test_what_fails_says_what_its_variables_are(sort):
    c, y = variable("c"), variable("y")
    inner = Goal((("c", sort), ("y", OTHER[sort])), (), Relation(apply("floor", c), "<", c + y))
    assert str(FailsFor(inner, ("c",), ())).endswith(f"for some {OTHER[sort]} y, for every {sort} c")


def test_orders_and_limits_show_assumptions_without_variables():
    order = Order(x, "O", x, (("x", None),), (), (("x", REAL),), (ABSURD,))
    closed = Continued(Relation(x, "<=", x), "x", number(0), (("x", REAL),), (ABSURD, Relation(ZERO, "<=", x)))
    assert "1 <= 0" in str(order)
    assert "1 <= 0" in str(closed)


def test_what_is_assumed_of_an_order_is_not_read_as_a_part_of_it():
    """An order on an empty domain is false; from what is absurd it follows."""
    def order(*hypotheses):
        return Order(apply("exp", x), "O", x, (("x", None),), (), (("x", REAL),), hypotheses)

    outside, inside = Goal((), (ABSURD,), order()), Goal((), (), order(ABSURD))
    assert str(outside) != str(inside)
    assert digest_of(outside) != digest_of(inside)
