"""Ideas that turn a goal into others: what they prove the kernel accepts, and what is false stays unproved."""

import pytest

from symdp.kernel.certificate import recheck
from symdp.search.certificates import document_of
from symdp.search.prove import check, decide_relation, pose
from symdp.search.verdict import Status


@pytest.mark.parametrize(("claim", "where"), [
    ("sin(x)^2 + cos(x)^2 == 1", ()),
    ("cos(2*x) == 1 - 2*sin(x)^2", ()),
    ("sin(x + y) == sin(x)*cos(y) + cos(x)*sin(y)", ()),
    ("3 + 4*cos(x) + cos(2*x) >= 0", ()),
    ("sin(x) + cos(x) <= 3/2", ()),
    ("digamma(x) < log(x)", ("x > 0",)),
    ("trigamma(x) >= 1/x + 1/(2*x^2)", ("x > 0",)),
])
def test_what_an_idea_proves_survives_as_a_certificate(claim, where):
    verdict = check(claim, where)
    assert verdict.status is Status.PROVED
    assert str(recheck(document_of(verdict.formal)).goal.claim)


@pytest.mark.parametrize(("claim", "where"), [
    ("sin(x)^2 + cos(x)^2 == 2", ()),
    ("cos(2*x) == 1 - sin(x)^2", ()),
    ("3 + 4*cos(x) + 99*cos(2*x)/100 >= 0", ()),
    ("digamma(x) > log(x)", ("x > 0",)),
    ("digamma(x) >= log(x) - 1/(2*x)", ("x > 0",)),
    ("trigamma(x) <= 1/x + 1/(2*x^2)", ("x > 0",)),
    ("loggamma(x + 1) <= loggamma(x)", ("x > 0",)),
])
def test_with_the_refuter_off_nothing_false_is_proved(claim, where):
    relation, domain, goal = pose(claim, where)
    verdict = decide_relation(relation, domain, formal=goal, budget=2, may_refute=False)
    assert verdict.status is not Status.PROVED


@pytest.mark.parametrize(("claim", "where", "integer"), [
    ("cos(n) >= -0.99999", ("n >= 0",), "n"),
    ("sin(x) + sin(sqrt(2)*x) <= 1.999", (), ()),
    ("x^3*y^5*z^7 <= 0.99999", ("0 < x < 1", "0 < y < 1", "0 < z < 1"), ()),
    ("log(Phi(-x)) >= -x^2/2 - 10", ("x >= 0",), ()),
])
def test_the_refuter_looks_far_out_in_corners_and_along_lines(claim, where, integer):
    assert check(claim, where, integer=integer, budget=2).status is Status.REFUTED
