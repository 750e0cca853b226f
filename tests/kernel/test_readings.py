"""An end at which a formula has no value may be read as a limit, and nothing else may."""

import json

import pytest
from kernel_terms import log

from symdp.kernel.certificate import BadCertificate, recheck
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import RULES, Rejected, Step, verify
from symdp.kernel.rules.readings import Continued
from symdp.kernel.terms import ONE, ZERO, apply, number, variable
from symdp.search.certificates import document_of

x, y = variable("x"), variable("y")


def between(low, v, high):
    return Relation(low, "<=", v), Relation(v, "<=", high)


UNIT = between(ZERO, x, ONE)


def reading(left, op, right, at=ZERO, where=UNIT, names=("x",)):
    claim = Continued(Relation(left, op, right), "x", at, tuple((n, REAL) for n in names), tuple(where))
    return Goal((), (), claim)


def prove(goal, leaf=None):
    """By the reading, and one leaf for what is left."""
    return verify(goal, Step("continued", {}, (leaf or Step("enclosure"),)))


def test_what_holds_inside_holds_in_the_limit():
    goal = reading(x * log(x), "<=", ZERO)
    found = prove(goal)
    assert any("limit" in words for words in found.trust)
    assert "read as its limit at x = 0" in str(found.goal)
    document = json.loads(json.dumps(document_of(found)))
    assert recheck(document).goal == goal
    for change in ({"variable": "y"}, {"variable": 3}, {"inside": {}}):
        changed = json.loads(json.dumps(document))
        changed["goal"]["claim"].update(change)
        with pytest.raises(BadCertificate):
            recheck(changed)


def test_the_end_is_left_out_and_nothing_else():
    (inside,) = RULES["continued"](reading(x * log(x), "<=", ZERO), {})
    assert set(inside.hypotheses) == {*UNIT, Relation(ZERO, "<", x)}
    (above,) = RULES["continued"](reading((ONE - x) * log(ONE - x), "<=", ZERO, ONE), {})
    assert Relation(x, "<", ONE) in above.hypotheses
    # the other side has a value at the end, which is its limit
    (inside,) = RULES["continued"](reading(x - ONE, "<=", x * log(x)), {})
    assert Relation(ZERO, "<", x) in inside.hypotheses


@pytest.mark.parametrize("goal", [
    # it has a value there, which is not the limit
    reading(apply("floor", x), "<=", ZERO, ONE),
    reading(apply("floor", x), "<=", ONE + log(ONE - x) * (ONE - x), ONE),
    # a strict relation may be an equality in the limit
    reading(x * log(x), "<", ONE),
    # no closed end
    reading(x * log(x), "<=", ZERO, ZERO, (Relation(ZERO, "<", x), Relation(x, "<=", ONE))),
    reading(x * log(x), "<=", ZERO, number(2)),
    # the domain is that one point, so that nothing comes to it
    reading(log(x), "<=", number(-5), ZERO, between(ZERO, x, ZERO)),
    reading(log(x), "<=", number(-5), ZERO, (*UNIT, Relation(x, "==", ZERO))),
    reading(log(x), "<=", number(-5), ZERO, (*UNIT, Relation(x, "<", ZERO))),
    # other points with x = 0 may have no neighbours in the domain
    reading(x * log(x), "<=", ZERO, ZERO, (*UNIT, Relation(y, "<=", x)), ("x", "y")),
    # no limit is known
    reading(apply("sin", ONE / x), "<=", ONE),
])
def test_anything_else_is_rejected(goal):
    with pytest.raises((Rejected, ArithmeticError)):
        RULES["continued"](goal, {})


def test_a_relation_is_not_taken_for_its_reading():
    relation = Goal((("x", REAL),), UNIT, Relation(x * log(x), "<=", ZERO))
    with pytest.raises(Rejected):
        prove(relation)
    with pytest.raises(Rejected):
        verify(relation, Step("enclosure"))
    with pytest.raises(IllFormed):
        Continued(Relation(x, "<=", x), "x", y, (("x", REAL), ("y", REAL)), ())


def test_a_value_at_the_end_that_may_be_there_is_not_read_otherwise():
    """0^0 is 1, which is the limit of x^(x/2); but that 0/2 is an integer is not seen, and so it is not left out."""
    claim = reading(x ** (x / number(2)), "<=", number(2))
    with pytest.raises(Rejected, match="may be undefined"):
        prove(claim)
    assert prove(reading(x**x, "<=", number(2)))
    # where log(x + y) has a value for each y, that is its limit; where it has none for any, the limit is read
    value = reading(log(x + y), "<=", ONE, ZERO, (*UNIT, *between(ONE, y, ONE)), ("x", "y"))
    none = reading(log(x + y), "<=", ONE, ZERO, (*UNIT, Relation(y, "==", ZERO)), ("x", "y"))
    for goal in (value, none):
        (inside,) = RULES["continued"](goal, {})
        assert Relation(ZERO, "<", x) in inside.hypotheses
    with pytest.raises(Rejected):
        prove(reading(log(x + y), "<=", ONE, ZERO, (*UNIT, *between(ZERO, y, ONE)), ("x", "y")))


def test_an_infinite_limit_is_a_reading_where_there_is_no_value():
    assert prove(reading(ZERO, "<=", ONE / x))
    with pytest.raises(Rejected):
        prove(reading(ONE / x, "<=", number(100)))


def test_the_hypotheses_of_a_reading_are_relations():
    from symdp.kernel.goals import Each
    from symdp.kernel.terms import bound

    with pytest.raises(IllFormed, match="the hypotheses of a reading are relations"):
        reading(x, "<=", x, where=(Each(ONE, None, Relation(ZERO, "<", bound(0))),))
