"""Claims in other forms: a geometric mean, sines for tangents, an equality as inequalities; thin domains."""

import pytest

from symdp import check
from symdp.search.elaboration.derived_rules import verify
from symdp.search.prove import decide_relation, pose
from symdp.search.reductions import equalities, means, pieces, roots, tangents

INSIDE = ["0 < x < pi/2"]


def shown(idea, claim, where=()):
    """What the first detour of an idea leaves, and whether the kernel takes it with proofs of that."""
    goal = pose(claim, where).goal
    found = next(idea(goal))
    steps = []
    for premise in found.premises:
        verdict = check(str(premise.claim), [str(h) for h in premise.hypotheses])
        assert verdict.status.value == "proved", premise
        steps.append(verdict.formal.step)
    return goal, found, steps


def test_an_equality_is_two_inequalities():
    goal, found, steps = shown(equalities.reductions, "atan(x)+atan(1/x) == pi/2", ["x > 0"])
    assert verify(goal, found.finish(steps)).goal == goal
    assert check("atan(x)+atan(1/x) == pi/2", ["x > 0"]).status.value == "proved"


@pytest.mark.parametrize(("claim", "where"), [("atan(x)+atan(1/x) == 1.5707963", ["x > 0"]),
                                              ("atan(x)+atan(1/x) == pi/2", ["x < 0"])])
def test_an_equality_that_fails_is_no_pair_of_inequalities(claim, where):
    assert list(equalities.reductions(pose(claim, where).goal)) == []
    assert check(claim, where).status.value == "refuted"


def test_tangents_up_to_their_poles():
    goal = pose("tan(x)/x >= 8/(pi^2-4*x^2)", INSIDE).goal
    (found,) = tangents.reductions(goal)
    assert "0 < cos(x)" in [str(p.claim) for p in found.premises]
    assert not any("tan" in str(p) for p in found.premises)


@pytest.mark.long
@pytest.mark.parametrize("claim", ["tan(x)/x <= pi^2/(pi^2-4*x^2)", "tan(x)/x >= 8/(pi^2-4*x^2)"])
def test_the_bounds_of_becker_and_stark(claim):
    assert check(claim, INSIDE).status.value == "proved"


def test_a_gap_that_grows_and_falls():
    goal = pose("(pi^2-4*x^2)*sin(x) <= pi^2*x*cos(x)", INSIDE).goal
    (found,) = pieces.reductions(goal)
    assert verify(goal, found.finish([])).goal == goal


def test_a_gap_that_falls_below_0_between_its_ends():
    assert list(pieces.reductions(pose("(pi^2-4*x^2)*sin(x) <= 0.99*pi^2*x*cos(x)", INSIDE).goal)) == []


def test_two_variables_by_their_geometric_mean():
    goal = pose("cosh(sqrt(x*y)) <= sqrt(cosh(x)*cosh(y))", ["x > 0", "y > 0"]).goal
    (found,) = means.reductions(goal)
    assert [str(p.claim) for p in found.premises] == 2 * ["cosh(u) <= sqrt(cosh(r*u)*cosh(u/r))"]


@pytest.mark.parametrize("where", [["x > 0", "y > 0", "x > y"], ["x > 0", "1 > y > 0"], ["x >= 1", "y > 0"]])
def test_variables_that_are_no_half_lines_are_left_alone(where):
    assert list(means.reductions(pose("cosh(sqrt(x*y)) <= sqrt(cosh(x)*cosh(y))", where).goal)) == []


def test_a_root_of_a_variable_from_1_on():
    goal = pose("(x-1)/log(x) <= ((x^(1/3)+1)/2)^3", ["x > 1"]).goal
    (found,) = roots.reductions(goal)
    (inner,) = found.premises
    (piece,) = pieces.reductions(inner)
    assert verify(goal, found.finish([piece.finish([])])).goal == goal


@pytest.mark.parametrize(("claim", "where"), [
    ("y <= 1.0009*x^2", ["x > 0", "x^2 < y", "y < 1.001*x^2"]),
    ("x+y <= 1.41", ["x^2+y^2 == 1"]),
    ("2*x+y <= 2.236", ["x^2+y^2 == 1"]),
])
def test_the_refuter_in_thin_domains_and_on_conics(claim, where):
    assert check(claim, where).status.value == "refuted"


@pytest.mark.parametrize("claim", [
    "cosh(sqrt(x*y)) < sqrt(cosh(x)*cosh(y))", "exp(sqrt(x*y)) <= (exp(x)+exp(y))/2.01"])
def test_nothing_false_by_the_mean(claim):
    posed = pose(claim, ["x > 0", "y > 0"])
    verdict = decide_relation(posed.relation, posed.domain, formal=posed.goal, budget=1, may_refute=False)
    assert verdict.status.value != "proved"
