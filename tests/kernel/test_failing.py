"""That a claim fails for every value of its parameters: values of the other variables show it."""

import pytest
from kernel_terms import le

from symdp.kernel.goals import INTEGER, REAL, Each, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step, verify
from symdp.kernel.rules.failing import FailsFor
from symdp.kernel.terms import ONE, ZERO, apply, bound, member, number, variable

c, x, n = variable("c"), variable("x"), variable("n")
TWO = number(2)
ENCLOSED = Step("enclosure")


def inside(claim, *hypotheses, sorts=(("c", REAL), ("x", REAL))):
    return Goal(sorts, hypotheses, claim)


def fails(goal, *conditions):
    return Goal((), (), FailsFor(goal, ("c",), conditions))


BELOW_ONE = Relation(c, "<", ONE)
GROWS = fails(inside(le(x, c * x), Relation(ZERO, "<", x)), BELOW_ONE)


def test_values_at_which_the_hypotheses_hold_and_the_claim_is_false():
    assert verify(GROWS, Step("fails-for", {"at": {"x": ONE}}, (ENCLOSED, ENCLOSED)))
    for value, why in ((ZERO, "0 ranges over|0 - 0 ranges"), (-ONE, "ranges over")):
        with pytest.raises(Rejected, match=why):
            verify(GROWS, Step("fails-for", {"at": {"x": value}}, (ENCLOSED, ENCLOSED)))


def test_what_holds_for_some_parameters_does_not_fail_for_all():
    with pytest.raises(Rejected, match="ranges over"):
        verify(fails(inside(le(x, c * x), Relation(ZERO, "<", x))),
               Step("fails-for", {"at": {"x": ONE}}, (ENCLOSED, ENCLOSED)))


@pytest.mark.parametrize(("parameters", "why"), [
    ({"at": {"x": x}}, "the value of x is a term in the parameters"),
    ({"at": {"x": ONE / c}}, "may be undefined"),
    ({"at": {}}, "malformed"),
    ({"at": {"x": bound(0)}}, "refers to an index"),
    ({"at": {"x": ONE}, "op": "<"}, "< does not contradict <="),
    ({"at": {"x": ONE}, "op": "=="}, "== does not contradict <="),
])
def test_a_value_is_a_term_in_the_parameters_that_contradicts_the_claim(parameters, why):
    with pytest.raises(Rejected, match=why):
        verify(GROWS, Step("fails-for", parameters, (ENCLOSED, ENCLOSED)))


def test_an_integer_takes_an_integer_for_its_value():
    whole = fails(inside(le(n, c), sorts=(("c", REAL), ("n", INTEGER))), BELOW_ONE)
    assert verify(whole, Step("fails-for", {"at": {"n": ONE}}, (ENCLOSED,)))
    with pytest.raises(Rejected, match="was not seen to be an integer"):
        verify(whole, Step("fails-for", {"at": {"n": c + TWO}}, (ENCLOSED,)))


def test_an_equality_fails_on_the_side_that_is_named():
    unequal = fails(inside(Relation(x, "==", c)), BELOW_ONE)
    assert verify(unequal, Step("fails-for", {"at": {"x": TWO}, "op": ">"}, (ENCLOSED,)))
    with pytest.raises(Rejected, match="ranges over"):
        verify(unequal, Step("fails-for", {"at": {"x": TWO}, "op": "<"}, (ENCLOSED,)))


def test_where_a_side_is_undefined_the_claim_does_not_fail():
    undefined = fails(inside(le(apply("log", x), c)), BELOW_ONE)
    with pytest.raises(Rejected, match="undefined"):
        verify(undefined, Step("fails-for", {"at": {"x": -ONE}}, (ENCLOSED,)))


def test_what_fails_is_a_relation_in_variables_of_which_some_are_parameters():
    family = Goal((("c", REAL),), (), le(member("a", ZERO), c), (("a", REAL),))
    every = inside(Each(ONE, None, le(x, bound(0))))
    for made, why in ((lambda: FailsFor(family, ("c",), ()), "a relation, without families"),
                      (lambda: FailsFor(every, ("c",), ()), "a relation, without families"),
                      (lambda: FailsFor(inside(le(x, c)), ("c",), (Each(ONE, None, le(c, bound(0))),)),
                       "the conditions are relations"),
                      (lambda: FailsFor(inside(le(x, c)), ("q",), ()), "a parameter is no variable of the goal"),
                      (lambda: FailsFor(inside(le(x, c)), ("c",), (le(x, ONE),)), "nothing says what x is")):
        with pytest.raises(IllFormed, match=why):
            made()


def test_the_rule_is_for_that_kind_of_claim():
    with pytest.raises(Rejected, match="the claim is not that something fails"):
        verify(Goal((), (), le(ZERO, ONE)), Step("fails-for", {"at": {}}))


def test_it_is_shown_with_all_of_its_conditions():
    assert str(GROWS) == "x <= c*x with 0 < x fails for some real x, for every real c with c < 1"
    both = FailsFor(inside(le(x, c)), ("c", "x"), ())
    assert str(both) == "x <= c fails, for every real c, x"
