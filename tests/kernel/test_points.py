"""What holds at a point is certain, and a witness is made only where a goal certainly fails."""

import pickle

import pytest
from flint import fmpq

from symdp.kernel.goals import INTEGER, REAL, Each, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected
from symdp.kernel.terms import ONE, ZERO, apply, bound, constant, member, number, sum_over, variable
from symdp.kernel.values.points import Members, Point, holds_at, sign_at, value_at
from symdp.kernel.values.ranges import Undefined
from symdp.kernel.witness import Witness, refute

x, k, i = variable("x"), variable("k"), variable("i")
a0 = member("a", bound(0))
pi = constant("pi")


def at(value):
    return Point({"x": fmpq(value)})


@pytest.mark.parametrize("term", [
    number(1, 3) * x - ONE,
    apply("exp", x - number(3)) - ONE,
    apply("log", x - number(2)),
    apply("sqrt", x + ONE) - number(2),
    (x / number(12)) ** number(-1, 2) - number(2),
    number(8, 27) ** number(2, 3) - number(4, 9),
    apply("sin", x - x),
    apply("Phi", x - x) - number(1, 2),
    apply("gamma", x) - number(2),
    apply("loggamma", x - ONE),
    apply("binomial", number(10), x) - number(120),
    apply("binomial", number(1, 2), number(2)) + number(1, 8),
    apply("floor", pi * x) - number(9),
    apply("exp", pi) - apply("exp", pi),
    sum_over("i", ONE, number(100), i * x) - number(15150),
    apply("log", constant("e")) - ONE,
    apply("log", constant("e") + (x - number(3))) - ONE,
    apply("min", x, pi) - number(3),
    apply("floor", apply("tanh", number(500))),
    (x - x) ** ZERO - ONE,
])
def test_zero_is_seen(term):
    assert sign_at(term, at(3)) == 0


@pytest.mark.parametrize("term", [
    x / (x - number(3)), ZERO * apply("log", -x), (x - number(3)) ** (x - number(4)),
    (-x) ** (x - number(5, 2)), apply("log", -x) - apply("log", -x), (-x) ** number(1, 3),
    ZERO * apply("gamma", number(3) - x), ZERO * apply("binomial", x, x + number(3, 2)),
    sum_over("i", ONE, number(5), ONE / (i - x)),
])
def test_undefined_has_no_sign_and_does_not_hold(term):
    assert sign_at(term, at(3)) is None
    assert holds_at(Relation(term, "==", term), at(3)) is False
    assert holds_at(Relation(term, "<=", number(10**9)), at(3)) is False
    with pytest.raises(Undefined):
        value_at(term, at(3))


@pytest.mark.parametrize("term", [
    (x - number(3)) ** (x - x), (-x) ** (x - number(2)), ZERO * apply("binomial", x, x + ONE),
])
def test_a_value_that_hangs_on_an_integer_that_is_not_seen_is_left_open(term):
    """0^0, (-3)^1 and binomial(3, 4) have values; but they are neither used nor denied."""
    assert sign_at(term, at(3)) is None
    assert holds_at(Relation(term, "<=", number(10**9)), at(3)) is None
    with pytest.raises(Undefined) as caught:
        value_at(term, at(3))
    assert not caught.value.certain


def test_a_real_exponent_is_no_integer_even_where_its_value_is():
    point = Point.of(Goal((("k", INTEGER), ("x", REAL)), (), Relation(x, "<=", k)), {"k": 2, "x": 2})
    assert sign_at(number(-3) ** k - number(9), point) == 0
    assert sign_at(number(-3) ** x - number(9), point) is None
    assert sign_at(ZERO ** x, point) == 0


#: half of the golden ratio, which is cos(pi/5): that is not among what the algebra knows
GOLDEN = (ONE + apply("sqrt", number(5))) / number(4)


def test_close_calls_need_more_bits():
    tiny = apply("exp", number(-200))
    assert sign_at(apply("exp", tiny) - ONE - tiny, at(0)) == 1
    assert sign_at(apply("cos", pi / number(3)) - number(1, 2), at(0)) == 0
    assert sign_at(apply("cos", pi / number(5)) - GOLDEN, at(0)) is None
    assert sign_at(apply("sin", pi), at(0)) == 0
    assert sign_at(apply("sqrt", number(2)) ** number(2) - number(2), at(0)) == 0  # which no bits show, but algebra


FAMILY = Point({"k": fmpq(3)}, {"a": Members({1: fmpq(1), 2: fmpq(-1)}, fmpq(5))})


def test_each_means_every_one():
    def each(low, high, op, value):
        return Each(low, high, Relation(a0, op, number(value)))

    assert holds_at(each(ONE, k, ">=", 0), FAMILY) is False
    assert holds_at(each(ONE, ONE, ">=", 0), FAMILY) is True
    assert holds_at(each(ONE, number(2), "<=", 4), FAMILY) is True
    assert holds_at(each(ZERO, number(2), "<=", 4), FAMILY) is False  # the default, at 0
    assert holds_at(each(number(5), number(4), ">", 100), FAMILY) is True
    nested = Each(ONE, number(9), Each(number(3), bound(0), Relation(a0, "==", number(5))))
    assert holds_at(nested, FAMILY) is True
    nested = Each(ONE, number(9), Each(number(2), bound(0), Relation(a0, "==", number(5))))
    assert holds_at(nested, FAMILY) is False


def test_without_an_end_nothing_is_said():
    for low, high in ((None, None), (ONE, None), (None, ONE), (ONE, number(10**40))):
        for op in ("<=", ">="):
            assert holds_at(Each(low, high, Relation(a0, op, number(5))), FAMILY) is None
    assert holds_at(Each(ONE, number(9), Each(None, bound(0), Relation(a0, "<=", number(5)))), FAMILY) is None


def test_work_is_limited():
    wide = Each(ONE, number(3000), Each(ONE, number(3000), Relation(bound(0), "<=", bound(1))))
    assert holds_at(wide, FAMILY) is None
    sums = ONE
    for _ in range(4):
        sums = sum_over("i", ONE, number(5000), sums + i)
    assert value_at(sums, at(0)).exact is None  # an enclosure: nobody adds up so many terms
    power = (x + number(1, 7)) ** number(10**6)
    assert value_at(power ** number(10**6), at(1)).is_positive()


# --- witnesses ----------------------------------------------------------------------------------


def goal(claim, *hypotheses):
    return Goal((("x", REAL),), hypotheses, claim)


def test_a_witness_is_found_where_the_claim_fails():
    found = refute(goal(Relation(x, ">=", number(3)), Relation(x, ">", ZERO)), at(1))
    assert found.left.integer() == 1
    assert found.right.integer() == 3
    assert found.violation.integer() == 2
    assert refute(goal(Relation(x, "<", x)), at(1)).violation.is_zero()
    assert refute(goal(Relation(x, "==", number(3))), at(1)).violation.is_positive()
    assert refute(goal(Relation(x, "==", number(3))), at(5)).violation.is_positive()
    again = pickle.loads(pickle.dumps(found))
    assert again.point.values == found.point.values


@pytest.mark.parametrize(("claim", "hypotheses", "value"), [
    (Relation(x, "<=", x), (), 1),
    (Relation(x, ">=", number(3)), (Relation(x, ">", ONE),), 1),
    (Relation(x, ">=", ZERO), (Relation(apply("sqrt", x), "<=", number(9)),), -1),  # undefined there
    (Relation(x, ">=", ZERO), (Relation(ZERO * apply("log", x), "<=", ONE),), -1),
    (Relation(apply("log", x), ">=", ZERO), (), -1),
    (Relation(ONE / x, ">=", ONE), (), 0),
    (Relation(apply("floor", apply("tanh", x)), "<=", ZERO), (), 500),
    (Relation(apply("cos", pi / number(5)), ">", GOLDEN), (), 0),
])
def test_no_witness_where_the_claim_is_not_seen_to_fail(claim, hypotheses, value):
    with pytest.raises(Rejected):
        refute(goal(claim, *hypotheses), at(value))


def test_a_point_has_all_names_and_their_sorts():
    whole = Goal((("k", INTEGER),), (), Relation(k, "<=", ZERO))
    for values in ({}, {"k": fmpq(1, 2)}, {"k": fmpq(1), "x": fmpq(1)}):
        with pytest.raises(Rejected):
            refute(whole, Point(values))
    refute(whole, Point({"k": fmpq(1)}))
    # The sorts are those of the goal, not those that a point pretends.
    parity = Goal((("x", REAL),), (), Relation(number(-1) ** x, "<=", ZERO))
    with pytest.raises(Rejected):
        refute(parity, Point({"x": fmpq(2)}, whole=whole.whole))
    with pytest.raises(IllFormed):
        Point.of(whole, {"k": fmpq(1, 2)})
    family = Goal((), (), Each(None, None, Relation(a0, "<=", ZERO)), (("a", INTEGER),))
    for members in (Members({"1": fmpq(1)}), Members({1: fmpq(1, 2)}), Members({}, fmpq(1, 2)),
                    Members({1: 0.5}), None):
        with pytest.raises(Rejected):
            refute(family, Point({}, {} if members is None else {"a": members}, indices=(1,)))
    refute(family, Point({}, {"a": Members({1: fmpq(1)})}, indices=(1,)))


def test_a_claim_about_every_integer_is_refuted_at_one():
    each = Goal((("k", INTEGER),), (), Each(ONE, k, Relation(bound(0), "<=", number(3))))
    assert refute(each, Point({"k": fmpq(9)}, indices=(4,))).left.integer() == 4
    for indices in ((), (3,), (10,), (0,), (4, 4)):
        with pytest.raises(Rejected):
            refute(each, Point({"k": fmpq(9)}, indices=indices))


def test_only_the_kernel_makes_a_witness():
    with pytest.raises(TypeError):
        Witness(None, None, None, None, None)


@pytest.mark.parametrize(("base", "exponent", "certain"), [
    (number(-2), fmpq(1, 2), True), (number(-2), fmpq(0), False), (number(-2), fmpq(3), False),
    (number(0), fmpq(-1), True), (number(0), fmpq(0), False), (number(0), fmpq(-1, 2), True),
])
def test_a_power_is_not_called_undefined_where_its_exponent_is_an_integer(base, exponent, certain):
    """What is defined is a matter of values: (-2)^y has a value at y = 3, though y is any real number."""
    goal = Goal((("y", REAL),), (), Relation(number(0), "<=", number(1)))
    with pytest.raises(Undefined) as caught:
        value_at(base ** variable("y"), Point.of(goal, {"y": exponent}))
    assert caught.value.certain is certain


def test_a_binomial_is_not_called_undefined_where_m_is_an_integer():
    goal = Goal((("y", REAL),), (), Relation(number(0), "<=", number(1)))
    for m, certain in ((fmpq(2), False), (fmpq(0), False), (fmpq(1, 2), True), (fmpq(-3), True)):
        with pytest.raises(Undefined) as caught:
            value_at(apply("binomial", number(-3), variable("y")), Point.of(goal, {"y": m}))
        assert caught.value.certain is certain


def test_an_index_that_more_bits_make_known_is_found():
    """floor(3 exp(s)) with a tiny s: 64 bits do not tell which member that is."""
    tiny = apply("exp", number(-60))
    which = apply("floor", number(3) * apply("exp", tiny))
    point = Point({}, {"a": Members({3: fmpq(7)}, fmpq(0))})
    assert sign_at(member("a", which) - number(7), point) == 0
    below = apply("floor", number(3) * apply("exp", -tiny))
    assert sign_at(member("a", below), point) == 0
    # and one that no number of bits tells is left open
    assert sign_at(member("a", apply("floor", apply("sqrt", number(2)) ** number(2))), point) is None


def test_a_range_without_a_meaning_is_left_open():
    for end in (apply("floor", apply("log", -x)), apply("floor", ONE / (x - x))):
        each = Each(ONE, end, Relation(ZERO, "<=", bound(0)))
        assert holds_at(each, at(3)) is None
        with pytest.raises(Rejected, match="a hypothesis is not seen to hold"):
            refute(goal(Relation(x, "<=", ZERO), each), at(3))
