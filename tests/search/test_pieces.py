"""Claims in one variable, piece by piece."""

import pytest
from sympy import Symbol, sin, sqrt

from symdp import check
from symdp.search.elaboration.derived_rules import verify
from symdp.search.prove import decide_relation, pose
from symdp.search.reductions import pieces
from symdp.search.reductions.quotients import factors_of, with_roots_apart

ENTROPY = "-p*log(p)-(1-p)*log(1-p)"
TRUE = [
    (f"{ENTROPY} >= 4*log(2)*p*(1-p)", "0 < p < 1"),
    (f"{ENTROPY} <= 2*log(2)*sqrt(p*(1-p))", "0 < p < 1"),
    ("tan(x) >= x+x^3/3", "0 <= x < pi/2"),
    ("sin(x)/x < (2+cos(x))/3", "0 < x < pi/2"),
    ("(sin(x)/x)^2+tan(x)/x > 2", "0 < x < pi/2"),
    ("sin(x)/x >= (pi^2-x^2)/(pi^2+x^2)", "0 < x < pi"),
    ("-x*log(x) <= sqrt(x)", "0 < x < 1"),
    ("exp(x) >= 1+x+x^2/2+x^3/6", "x >= -3"),
]
FALSE = [
    (f"{ENTROPY} >= 4.001*log(2)*p*(1-p)", "0 < p < 1"),
    (f"{ENTROPY} > 4*log(2)*p*(1-p)", "0 < p < 1"),
    (f"{ENTROPY} <= 1.999*log(2)*sqrt(p*(1-p))", "0 < p < 1"),
    ("tan(x) >= x+x^3/2.99", "0 <= x < pi/2"),
    ("tan(x) > x+x^3/3", "0 <= x < pi/2"),
    ("sin(x)/x < (2.0001+cos(x))/3.001", "0 < x < pi/2"),
    ("-x*log(x) <= 0.73*sqrt(x)", "0 < x < 1"),
    ("exp(x) >= 1+x+x^2/2+x^3/6+x^4/24.1", "x >= -3"),
]


@pytest.mark.parametrize(("claim", "where"), TRUE)
def test_every_piece_is_shown(claim, where):
    goal = pose(claim, where).goal
    (found,) = pieces.reductions(goal)
    assert found.premises == ()
    assert verify(goal, found.finish([])).goal == goal


@pytest.mark.parametrize(("claim", "where"), FALSE)
def test_nothing_false_is_proved_without_the_refuter(claim, where):
    assert list(pieces.reductions(pose(claim, where).goal)) == []


@pytest.mark.parametrize(("claim", "where"), FALSE[1:4:2])
def test_nor_by_the_whole_search(claim, where):
    posed = pose(claim, where)
    verdict = decide_relation(posed.relation, posed.domain, formal=posed.goal, budget=2, may_refute=False)
    assert verdict.status.value == "undecided"


@pytest.mark.parametrize(("claim", "where"), FALSE)
def test_without_samples_the_kernel_still_stands_guard(claim, where, monkeypatch):
    """The search believes that the gap is positive everywhere; what it proposes is worth nothing."""
    monkeypatch.setattr(pieces, "sign_of", lambda r: None if r is None else 1)
    monkeypatch.setattr(pieces, "SECONDS", 0.7)
    goal = pose(claim, where).goal
    for found in pieces.reductions(goal):
        with pytest.raises(Exception, match=r"."):
            verify(goal, found.finish([]))


def test_an_entropy_is_bounded_at_the_usual_budget():
    assert check(TRUE[0][0], TRUE[0][1]).status.value == "proved"


def test_several_variables_are_for_others():
    assert list(pieces.reductions(pose("x*y <= (x^2+y^2)/2", "x >= 0").goal)) == []


def test_factors_know_that_the_square_of_a_root_is_what_is_under_it():
    x = Symbol("x")
    coefficient, found = factors_of(x**2 - sqrt(x**2 + 1) ** 2 + 1 + x * sin(x), x)
    assert coefficient == 1
    assert dict(found) == {x: 1, sin(x): 1}


def test_a_root_is_taken_apart_only_where_the_signs_of_its_factors_are_known():
    x = Symbol("x")
    assert with_roots_apart(sqrt(1 - x**2), x, lambda _: None) == sqrt(1 - x**2)
    signs = {x - 1: -1, x + 1: 1}
    assert with_roots_apart(sqrt(1 - x**2), x, signs.get) == sqrt(1 - x) * sqrt(1 + x)
