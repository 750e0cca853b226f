"""Symmetric claims, by the order of their variables."""

import pytest

from symdp import check
from symdp.search.prove import decide_relation, pose

POSITIVE = ["x >= 0", "y >= 0", "z >= 0"]
SCHUR = "x*(x-y)*(x-z) + y*(y-x)*(y-z) + z*(z-x)*(z-y)"


@pytest.mark.parametrize("claim", [
    f"{SCHUR} >= 0",
    "(x+y-z)*(y+z-x)*(z+x-y) <= x*y*z",
    "x^3+y^3+z^3+6*x*y*z >= (x+y+z)^3/4",
])
def test_one_order_speaks_for_all(claim):
    verdict = check(claim, POSITIVE, budget=30)
    assert verdict.status.value == "proved"
    assert "the order of x, y, z" in str(verdict.method)


def test_every_order_is_looked_at_where_they_differ():
    verdict = check("x^2*y+y^2*z+z^2*x <= 4/27", [*POSITIVE, "x+y+z == 1"], budget=30)
    assert verdict.status.value == "proved"


@pytest.mark.parametrize("claim", [f"{SCHUR} >= x*y*z/1000", "x^2*y+y^2*z+z^2*x <= x^3+y^2*z"])
def test_nothing_false_is_proved_without_the_refuter(claim):
    posed = pose(claim, POSITIVE)
    verdict = decide_relation(posed.relation, posed.domain, formal=posed.goal, budget=4, may_refute=False)
    assert verdict.status.value == "undecided"
