"""What falls from each point to the next and has a limit that is not negative is not negative; laws of recurrence."""

import pytest
from flint import fmpq

from symdp.kernel.goals import INTEGER, REAL, Goal, Relation
from symdp.kernel.proof import RULES, Rejected, Step, verify
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.terms import FUNCTIONS, ONE, ZERO, apply, constant, number, variable
from symdp.kernel.values.points import Point, sign_at

x, y, pi = variable("x"), variable("y"), constant("pi")
POSITIVE = (Relation(ZERO, "<", x),)
ALONG = {"variable": "x"}


def goal(claim, hypotheses=POSITIVE, sorts=(("x", REAL),)):
    return Goal(sorts, tuple(hypotheses), claim)


def test_one_over_x_falls_to_nothing():
    claim = goal(Relation(ZERO, "<=", ONE / x))
    onward, _, limit = RULES["telescoping"](claim, ALONG)
    assert onward.claim == Relation(ONE / (x + ONE) - ZERO, "<=", ONE / x - ZERO)
    assert onward.hypotheses == POSITIVE
    assert limit.claim == Relation(ZERO, "<=", ZERO)
    falls = Step("combine", {"terms": [[ONE, [[x, -1, ">"], [x + ONE, -1, ">"]]]]},
                 (Step("enclosure"), Step("enclosure")))
    assert verify(claim, Step("telescoping", ALONG, (falls, Step("enclosure"), Step("enclosure"))))


def test_a_term_below_may_have_the_limit():
    gap = ONE / x + apply("digamma", x) - apply("log", x)
    below = -(ONE / x)
    _, under, limit = RULES["telescoping"](goal(Relation(ZERO, "<=", gap)), {**ALONG, "bound": below})
    assert under.claim == Relation(below, "<=", gap - ZERO)
    assert under.hypotheses == POSITIVE
    assert limit.claim == Relation(ZERO, "<=", ZERO)
    with pytest.raises(Rejected, match="tends to -oo"):
        RULES["telescoping"](goal(Relation(ZERO, "<=", gap)), {**ALONG, "bound": -x})
    with pytest.raises(Rejected, match="no term"):
        RULES["telescoping"](goal(Relation(ZERO, "<=", gap)), {**ALONG, "bound": "0"})


def test_a_strict_claim_needs_a_strict_limit_or_a_strict_step():
    claim = goal(Relation(ZERO, "<", ONE / x))
    onward, _, limit = RULES["telescoping"](claim, ALONG)
    assert (onward.claim.op, limit.claim.op) == ("<=", "<")
    onward, _, limit = RULES["telescoping"](claim, {**ALONG, "strict_slope": True})
    assert (onward.claim.op, limit.claim.op) == ("<", "<=")


def test_a_limit_of_plus_infinity_leaves_nothing_and_of_minus_infinity_is_refused():
    assert len(RULES["telescoping"](goal(Relation(ZERO, "<=", x)), ALONG)) == 2
    with pytest.raises(Rejected, match="tends to -oo"):
        RULES["telescoping"](goal(Relation(x, "<=", ZERO)), ALONG)


@pytest.mark.parametrize("claim", [
    goal(Relation(ZERO, "<=", ONE / x), (*POSITIVE, Relation(x, "<=", ONE))),  # an end
    goal(Relation(ZERO, "<=", ONE / x), POSITIVE, (("x", INTEGER),)),  # an integer
    goal(Relation(ZERO, "<=", ONE / x), (*POSITIVE, Relation(x, "<=", y)), (("x", REAL), ("y", REAL))),  # tied
    goal(Relation(ZERO, "<=", ONE / x), (*POSITIVE, Relation(x * x, "==", y)), (("x", REAL), ("y", REAL))),
    goal(Relation(ZERO, "<=", apply("log", x)), ()),  # not defined
    goal(Relation(ZERO, "<=", apply("sin", x)), ()),  # no limit
    goal(Relation(ZERO, "==", ONE / x)),
])
def test_what_does_not_go_on_for_ever_is_refused(claim):
    with pytest.raises((Rejected, ArithmeticError)):
        RULES["telescoping"](claim, ALONG)


@pytest.mark.parametrize("name", ["gamma", "loggamma", "digamma", "trigamma"])
def test_each_law_holds_at_points_and_needs_a_positive_place(name):
    f = FUNCTIONS[name]
    law = Relation(apply(name, x + ONE), "==", f.onward(apply(name, x), x))
    (left,) = RULES["recurrence"](goal(law, ()), {"function": name, "at": x})
    assert left.claim == Relation(ZERO, "<", x)
    for value in (fmpq(1, 3), fmpq(1), fmpq(7, 2), fmpq(40)):
        assert sign_at(law.gap - number(1, 10**12), Point({"x": value})) == -1
        assert sign_at(law.gap + number(1, 10**12), Point({"x": value})) == 1


def test_another_law_is_refused():
    assert [name for name, f in FUNCTIONS.items() if f.onward] == ["gamma", "loggamma", "digamma", "trigamma"]
    for claim in (Relation(apply("gamma", x + ONE), "<=", x * apply("gamma", x)),
                  Relation(apply("gamma", x + ONE), "==", (x + ONE) * apply("gamma", x))):
        with pytest.raises(Rejected, match="gamma has another law, or none"):
            RULES["recurrence"](goal(claim), {"function": "gamma", "at": x})


@pytest.mark.parametrize(("name", "quarters", "value"), [
    ("sin", 0, 0), ("sin", 1, 1), ("sin", 2, 0), ("sin", 3, -1), ("sin", -1, -1), ("sin", 4, 0),
    ("cos", 0, 1), ("cos", 1, 0), ("cos", 2, -1), ("cos", 3, 0), ("cos", -1, 0), ("cos", 8, 1),
])
def test_waves_at_quarters_of_a_turn(name, quarters, value):
    exact = Relation(apply(name, number(quarters, 2) * pi), "==", number(value))
    assert verify(Goal((), (), exact), Step("enclosure", {"gap": ZERO}))
    other = Goal((), (), Relation(exact.left, "==", number(value + 1)))
    with pytest.raises(Rejected):
        verify(other, Step("enclosure", {"gap": ZERO}))
    for angle in (x * pi, pi * pi, number(1, 5) * pi, number(1, 12) * pi, number(2) * x):
        assert FUNCTIONS[name].by_others(angle) is None
