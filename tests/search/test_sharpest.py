"""`sharpest` claims what is proved on both sides, and nothing else."""

import json

import pytest
from campaign import IN_FULL
from sympy import Integer, oo

from symdp.cli.app import main
from symdp.kernel.certificate import recheck
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import RULES, Rejected, Step, verify
from symdp.kernel.rules.failing import FailsFor
from symdp.kernel.terms import ONE, ZERO, number, variable
from symdp.numbers.domain import Interval
from symdp.search.certificates import document_of
from symdp.search.sharpening import NoThreshold, sharpest_value

c, x = variable("c"), variable("x")


@pytest.mark.long
@pytest.mark.parametrize(("claim", "over", "where", "holds", "fails"), [
    # truth is not monotone in c
    ("c*(c-1)*(c-2) >= -x", "c", ["x >= 0"], ["0 <= c <= 1", "c >= 2"], ["c < 0", "1 < c < 2"]),
    # it fails for every c, each time elsewhere
    ("c*(c-1)*(c-2) >= -x", "c", [], [], ["every c"]),
    ("-(c-1)^2*x >= 0", "c", ["x > 0"], ["c == 1"], ["c < 1", "c > 1"]),
    ("x < c*(1+x^2)", "c", [], ["c > 1/2"], ["c <= 1/2"]),
    ("log(x) <= c*sqrt(x)", "c", ["x > 0"], ["c >= 2*exp(-1)"], ["c < 2*exp(-1)"]),
    ("exp(x) >= c + x", "c", [], ["c <= 1"], ["c > 1"]),
])
def test_both_sides_are_proved(claim, over, where, holds, fails):
    found = sharpest_value(claim, over, where, budget=10)
    assert (found.holds, found.fails, found.unknown) == (holds, fails, [])
    for piece in found.pieces:
        goal = piece.proof.goal
        assert isinstance(goal.claim, FailsFor) is not piece.holds
        assert recheck(json.loads(json.dumps(document_of(piece.proof)))).goal == goal


@pytest.mark.long
def test_what_is_not_proved_is_unknown():
    """Where the sine is 0 no proof is found; nothing is said there, and nothing wrong anywhere."""
    found = sharpest_value("sin(c) >= -x", "c", ["x >= 0", "-4 <= c <= 4"], budget=1 if IN_FULL else 0.3)
    assert found.unknown
    assert not found.certain
    for holds in (True, False):
        for i in found.intervals(holds):
            middle = float((i.lower + i.upper) / 2)
            assert (middle > 0) is holds or abs(middle) > 3.14


def test_a_threshold_without_a_closed_form_lies_between_two_numbers():
    found = sharpest_value("exp(x) - 1 <= 2*x", "x", ["x > 0"], budget=10)
    assert found.certain
    assert found.closed_form is None
    (gap,) = found.gaps()
    assert 0 < gap.upper - gap.lower < 1e-12


@pytest.mark.parametrize(("claim", "over", "where"), [("x <= 1", "c", []), ("x <= k", "k", ["k >= 1"])])
def test_there_must_be_something_to_look_for(claim, over, where):
    with pytest.raises(NoThreshold):
        sharpest_value(claim, over, where, integer=[over] if over == "k" else [])


@pytest.mark.parametrize(("claim", "where"), [
    ("c*x <= 1", ["x >= 0", "x <= c"]), ("x <= 14 - c", ["x >= 5", "x <= c", "0 <= c <= 10"])])
def test_where_the_domain_is_empty_nothing_holds(claim, where):
    """For such values every claim would hold; they are not counted, and the user is asked what is meant."""
    with pytest.raises(NoThreshold, match="the domain is empty for c = "):
        sharpest_value(claim, "c", where, budget=2)


def test_an_empty_domain_is_bad_input(capsys):
    with pytest.raises(SystemExit) as left:
        main(["sharpest", "c*x <= 1", "--over", "c", "--where", "x >= 0", "--where", "x <= c"])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "the domain is empty for c = " in said


def test_the_gaps_are_what_the_pieces_leave():
    from symdp.search.sharpening import ProvedInterval, Sharpest

    def piece(low, high, holds=True, **ends):
        return ProvedInterval(Interval(Integer(low), Integer(high), **ends), None, holds)

    found = Sharpest("c", Interval(Integer(0), oo), (piece(0, 1), piece(1, 2, False, lower_open=True),
                                                     piece(3, 4, lower_open=True)))
    assert found.unknown == ["2 < c <= 3", "c > 4"]
    assert found.holds == ["0 <= c <= 1", "3 < c <= 4"]


# --- the kernel's rule --------------------------------------------------------------------------


def fails(claim, where, conditions, at, **further):
    inside = Goal((("c", REAL), ("x", REAL)), tuple(where), claim)
    goal = Goal((), (), FailsFor(inside, ("c",), tuple(conditions)))
    parameters = {"at": at, **further}
    try:
        needed = RULES["fails-for"](goal, parameters)
    except ArithmeticError as reason:
        raise Rejected(str(reason)) from reason
    return verify(goal, Step("fails-for", parameters, tuple(Step("enclosure") for _ in needed)))


def test_it_fails_for_every_value_and_not_for_some():
    claim, where = Relation(x, "<=", c * x), [Relation(ZERO, "<=", x)]
    assert fails(claim, where, [Relation(c, "<", ONE)], {"x": ONE})
    with pytest.raises(Rejected):  # not for c = 1
        fails(claim, where, [Relation(c, "<=", ONE)], {"x": ONE})
    with pytest.raises(Rejected):  # not at a point of the domain
        fails(claim, where, [Relation(c, ">", ONE)], {"x": number(-1)})
    with pytest.raises(Rejected):  # a point that is nowhere
        fails(claim, where, [Relation(c, "<", ONE)], {"x": ONE / (c - c)})
    with pytest.raises(Rejected):  # undefined sides are no counterexample
        fails(Relation(ZERO, "<=", x / x), [], [Relation(c, "<", ONE)], {"x": ZERO})
    with pytest.raises(Rejected, match="contradict"):
        fails(claim, where, [Relation(c, "<", ONE)], {"x": ONE}, op="<=")
    with pytest.raises(IllFormed):
        FailsFor(Goal((("x", REAL),), (), Relation(x, "<=", x)), ("c",), ())
    with pytest.raises(IllFormed):  # conditions speak of the parameters alone
        FailsFor(Goal((("c", REAL), ("x", REAL)), (), claim), ("c",), (Relation(x, "<", ZERO),))
