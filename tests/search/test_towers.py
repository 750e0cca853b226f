"""Claims in several variables: calculus over what is positive."""

import pytest

from symdp.search.elaboration.derived_rules import verify
from symdp.search.prove import check, decide_relation, pose
from symdp.search.reductions import towers

#: claim, conditions, integers
AT_ONCE = [
    ("log(a/(2*a-1)*exp((a-1)*x)+(a-1)/(2*a-1)*exp(-a*x)) <= a*(a-1)*x^2/2", ["a > 1", "x >= 0"], []),
    ("exp(-n*t)-(1-t)^n <= n*t^2*exp(-n*t)", ["0 <= t < 1", "n >= 1"], []),
    ("Phi(x+t)-Phi(x) >= t*exp(-(x+t)^2/2)/sqrt(2*pi)", ["x >= 0", "t >= 0"], []),
    ("p*x+(1-p)*y >= x^p*y^(1-p)", ["x > 0", "y > 0", "0 <= p <= 1"], []),
]
#: the same, with what is left to show
IN_PARTS = [
    ("uppergamma(a,x) <= x^(a-1)*exp(-x)", ["0 < a <= 1", "x > 0"], [], 1),
    ("exp(-x)-(1-x/n)^n <= x^2*exp(-x)/n", ["0 <= x <= n", "n >= 1"], ["n"], 1),
    ("x^n*(1-x) <= 1/(e*n)", ["0 <= x <= 1", "n >= 1"], ["n"], 2),
]
FALSE = [
    ("log(a/(2*a-1)*exp((a-1)*x)+(a-1)/(2*a-1)*exp(-a*x)) <= a*(a-1)*x^2/2.001", ["a > 1", "x >= 0"], []),
    ("exp(-n*t)-(1-t)^n <= n*t^2*exp(-n*t)", ["0 <= t < 1", "n >= 0.99"], []),
    ("exp(-n*t)-(1-t)^n < n*t^2*exp(-n*t)", ["0 <= t < 1", "n >= 1"], []),
    ("Phi(x+t)-Phi(x) >= t*exp(-(x+t)^2/2)/sqrt(2*pi)", ["x >= -1", "t >= 0"], []),
    ("p*x+(1-p)*y > x^p*y^(1-p)", ["x > 0", "y > 0", "0 <= p <= 1"], []),
    ("uppergamma(a,x) <= x^(a-1)*exp(-x)", ["0 < a <= 1.01", "x > 0"], []),
    ("uppergamma(a,x) < x^(a-1)*exp(-x)", ["0 < a <= 1", "x > 0"], []),
    ("exp(-x)-(1-x/n)^n <= 0.99*x^2*exp(-x)/n", ["0 <= x <= n", "n >= 1"], ["n"]),
    ("x^n*(1-x) <= 0.999/(e*n)", ["0 <= x <= 1", "n >= 1"], ["n"]),
]


@pytest.mark.parametrize(("claim", "where", "integer"), AT_ONCE)
def test_a_slope_over_a_positive_factor(claim, where, integer):
    goal = pose(claim, where, integer=integer).goal
    found = next(towers.reductions(goal))
    assert found.premises == ()
    assert verify(goal, found.finish([])).goal == goal


@pytest.mark.parametrize(("claim", "where", "integer", "left"), IN_PARTS)
def test_the_end_of_an_interval_and_the_last_variable_are_left(claim, where, integer, left):
    goal = pose(claim, where, integer=integer).goal
    assert len(next(towers.reductions(goal)).premises) == left


@pytest.mark.long
@pytest.mark.parametrize(("claim", "where", "integer", "left"), IN_PARTS)
def test_and_is_shown(claim, where, integer, left):
    goal = pose(claim, where, integer=integer).goal
    verdict = check(claim, where, integer=integer)
    assert verdict.status.value == "proved"
    assert verify(goal, verdict.formal.step).goal == goal


@pytest.mark.parametrize(("claim", "where", "integer"), FALSE)
def test_nothing_false_is_proved_without_samples(claim, where, integer, monkeypatch):
    """The search believes that every sign is the one it wants; what it proposes is worth nothing."""
    monkeypatch.setattr(towers, "signs", lambda *_: (None,))
    monkeypatch.setattr(towers, "SECONDS", 0.5)
    goal = pose(claim, where, integer=integer).goal
    for found in towers.reductions(goal):
        assert found.premises, "nothing is left to show of something false"


@pytest.mark.long
@pytest.mark.parametrize(("claim", "where", "integer"), FALSE[::3])
def test_nor_by_the_whole_search(claim, where, integer):
    posed = pose(claim, where, integer=integer)
    verdict = decide_relation(posed.relation, posed.domain, formal=posed.goal, budget=1.5, may_refute=False)
    assert verdict.status.value != "proved"
