"""What is read off a formula, and not off its values, is not carried over by putting equals for equals."""

import pytest

from symdp.kernel.goals import REAL, Each, Goal, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.rules.privacy import AnyPrivate, Private
from symdp.kernel.terms import ONE, ZERO, apply, bound, member, variable
from symdp.search.elaboration.derived_rules import verify
from symdp.sources.derivations.derivation import Derivation

x, y = variable("x"), variable("y")
ENCLOSED = Step("enclosure")
SORTS = (("x", REAL), ("y", REAL))


@pytest.mark.parametrize("epsilon", [ONE / y + ONE, ONE + ONE / (y * y), ONE - apply("log", y)])
def test_an_epsilon_that_does_not_move_with_the_end_is_not_infinite_there(epsilon):
    """At x = y = 0, epsilon has no value; but as x alone comes down to 0 nothing grows."""
    ended = Private(AnyPrivate(ONE, ZERO), ONE, epsilon, ZERO, ((x, ZERO),))
    goal = Goal(SORTS, (Relation(ZERO, "<=", x), Relation(x, "<=", ONE), Relation(y, "==", x)), ended)
    linear = Step("linear", {}, (ENCLOSED,) * 3)
    with pytest.raises(Rejected):
        verify(goal, Step("replace", {"hypothesis": 2}, (Step("opened", {}, (linear,)),)))
    with pytest.raises(Rejected):
        verify(goal, Step("point", {"variable": "y"}, (Step("opened", {}, (linear,)),)))


def test_a_range_without_a_meaning_has_no_members():
    low = apply("floor", ONE / x) - apply("floor", ONE / x)
    claim = Each(low, low, Relation(member("a", bound(0)), "<=", ZERO))
    goal = Goal(SORTS, (Relation(x, "==", ZERO),), claim, (("a", REAL),))
    with pytest.raises(Rejected, match="undefined"):
        verify(goal, Step("each", {"name": "i"}, (Step("contradiction"),)))


@pytest.mark.parametrize("derivation", [
    Derivation().start("x/x").eq("1"),
    Derivation().let("m", "1/x").start("m*x").eq("1"),
    Derivation().start("0*log(x)").eq("0"),
    Derivation().start("sqrt(x)^2").eq("x"),
    Derivation().state("exp(log(x)) == x"),
    Derivation(where=["y > 0"]).start("y").le("y + x/x - 1"),
], ids=str)
def test_what_cancels_in_a_derivation_still_needs_a_value(derivation):
    report = derivation.check(budget=2)
    assert not report
    assert report.proof is None


def test_what_cancels_and_has_a_value_is_no_obstacle():
    report = Derivation(where=["x > 0"]).let("m", "1/x").start("m*x").eq("1").check(budget=2)
    assert report
    assert report.proof is not None
