"""Facts are hypotheses that follow from the others; where they no longer do, no rule may rely on that."""

import pytest

from symdp.kernel.goals import INTEGER, REAL, Goal, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ONE, ZERO, number, variable
from symdp.search.elaboration.derived_rules import verify

k, w, x = (variable(n) for n in "kwx")
ENCLOSED, ASSUMED = Step("enclosure"), Step("assumption")


def is_one(v):
    """What 0 < v < 2 says of an integer, and of no other number."""
    return Relation((v - ONE) ** number(2), "<=", w)


def false_of_one(v):
    return Relation(number(3, 2) * v, "<=", v * v)


def along(v):
    """Where v is 1 the gap v^2 - 3v/2 rises, and it is 0 at v = 0: so it would not be negative at 1."""
    slope = Step("combine", {"terms": [
        [number(2), [[v - number(1, 2), 2, ""]]],
        [number(2), [[w - (v - ONE) ** number(2), 1, ">="]]],
        [number(2), [[-w, 1, ">="]]]]}, (ASSUMED, ASSUMED))
    return Step("monotone", {"variable": v.value, "end": "lower"}, (slope, ENCLOSED))


BETWEEN = (Relation(ZERO, "<", k), Relation(k, "<", number(2)), Relation(w, "==", ZERO))


def test_a_fact_about_integers_is_no_fact_about_reals():
    goal = Goal((("k", INTEGER), ("w", REAL)), BETWEEN, false_of_one(k))
    relaxed = Step("weaken", {"hypotheses": [*BETWEEN, is_one(k)], "real": ["k"]}, (along(k),))
    with pytest.raises(Rejected):
        verify(goal, Step("cut", {"fact": is_one(k)}, (ENCLOSED, relaxed)))


@pytest.mark.parametrize("value", [x, x + ZERO, number(2) * x / number(2)])
def test_a_fact_about_an_integer_is_no_fact_about_the_term_it_equals(value):
    tied = (Relation(k, "<=", value), Relation(k, ">=", value))
    claim = false_of_one(x)
    goal = Goal((("k", INTEGER), ("w", REAL), ("x", REAL)), (*BETWEEN, *tied), claim)
    step = Step("point", {"variable": "k"}, (along(x),))
    with pytest.raises(Rejected):
        verify(goal, Step("cut", {"fact": is_one(k)}, (ENCLOSED, step)))


def test_facts_stay_where_they_follow():
    """The same for reals: the fact that is used does follow, and the claim is true."""
    goal = Goal((("x", REAL), ("w", REAL)), (Relation(ONE, "<=", x), Relation(w, "==", ZERO)),
                Relation(x, "<=", x * x))
    fact = Relation(ZERO, "<=", x * x - ONE)
    shown = Step("weaken", {"hypotheses": [*goal.hypotheses, fact], "real": ["x"]}, (
        Step("monotone", {"variable": "x", "end": "lower"}, (ENCLOSED, ENCLOSED)),))
    assert verify(goal, Step("cut", {"fact": fact}, (
        Step("monotone", {"variable": "x", "end": "lower"}, (ENCLOSED, ENCLOSED)), shown)))


def test_a_family_whose_name_is_one_of_our_own_marks_is_not_caught():
    """A lemma about integers is not used at a formula that takes the place of an integer member."""
    from symdp.kernel.terms import member

    u, mark = variable("u"), "b\0"
    half = number(1, 2)
    lemma = Relation(ZERO, "<", (u - half) ** number(2))
    goal = Goal((), (), Relation(ONE, "<=", ZERO), ((mark, INTEGER),))
    at = {"sorts": [["u", INTEGER]], "given": [["b", REAL]], "hypotheses": [], "claim": lemma,
          "at": {"u": member(mark, ZERO)}, "families": {"b": half}}
    by_cases = Step("cases", {"relation": Relation(u, "<=", ZERO)}, (
        Step("enclosure"), Step("enclosure")))
    absurd = Step("contradiction")
    with pytest.raises(Rejected):
        verify(goal, Step("aside", at, (by_cases, absurd)))
