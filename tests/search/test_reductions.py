"""Ideas that turn a goal into others: what they prove the kernel accepts, and what is false stays unproved."""

import pytest

from symdp.kernel.certificate import recheck
from symdp.kernel.goals import Relation
from symdp.kernel.proof import Rejected, Step
from symdp.search.certificates import document_of
from symdp.search.elaboration.derived_rules import verify
from symdp.search.prove import check, decide_relation, pose
from symdp.search.reductions import curves, homogeneity, logarithms, roots
from symdp.search.verdict import Status


@pytest.mark.long
@pytest.mark.parametrize(("claim", "where"), [
    ("sin(x)^2 + cos(x)^2 == 1", ()),
    ("cos(2*x) == 1 - 2*sin(x)^2", ()),
    ("sin(x + y) == sin(x)*cos(y) + cos(x)*sin(y)", ()),
    ("3 + 4*cos(x) + cos(2*x) >= 0", ()),
    ("sin(x) + cos(x) <= 3/2", ()),
    ("digamma(x) < log(x)", ("x > 0",)),
    ("trigamma(x) >= 1/x + 1/(2*x^2)", ("x > 0",)),
    ("loggamma(x+1) - loggamma(x+s) >= (1-s)*log(x)", ("x > 0", "0 < s < 1")),
    ("(x-y)/(log(x)-log(y)) >= sqrt(x*y)", ("x > y", "y > 0")),
    ("k*eps*(exp(eps)-1) <= e-1", ("eps > 0", "k >= 1", "k*eps^2 <= 1")),
    ("gamma(x+1)/gamma(x+1/2) >= sqrt(x+1/4)", ("x >= 0",)),
    ("loggamma(x+2/3)-loggamma(x+1/3) <= log(x+1/2)/3", ("x >= 0",)),
    ("gamma(x)*gamma(y)/gamma(x+y) <= 1/(x*y)", ("x >= 1", "y >= 1")),
    ("loggamma(x) >= (x-1/2)*log(x)-x+log(2*pi)/2", ("x > 0",)),
    ("gamma(x+1) >= sqrt(2*pi*x)*(x/e)^x", ("x >= 1",)),
    ("digamma(x)+digamma(x+1/2)-2*digamma(2*x)+2*log(2) >= 0", ("x > 0",)),
    ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= -3*log(p^(2/3)*q^(1/3)+(1-p)^(2/3)*(1-q)^(1/3))",
     ("0 < p < 1", "0 < q < 1")),
    ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) <= log(p^3/q^2+(1-p)^3/(1-q)^2)/2", ("0 < p < 1", "0 < q < 1")),
    ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= -log(1-(p-q)^2)", ("0 < p < 1", "0 < q < 1")),
    ("p*x+(1-p)*y-log(q*exp(x)+(1-q)*exp(y)) <= p*log(p/q)+(1-p)*log((1-p)/(1-q))", ("0 < p < 1", "0 < q < 1")),
])
def test_what_an_idea_proves_survives_as_a_certificate(claim, where):
    verdict = check(claim, where)
    assert verdict.status is Status.PROVED
    assert str(recheck(document_of(verdict.formal)).goal.claim)


@pytest.mark.long
@pytest.mark.parametrize(("claim", "where"), [
    ("sin(x)^2 + cos(x)^2 == 2", ()),
    ("cos(2*x) == 1 - sin(x)^2", ()),
    ("3 + 4*cos(x) + 99*cos(2*x)/100 >= 0", ()),
    ("digamma(x) > log(x)", ("x > 0",)),
    ("digamma(x) >= log(x) - 1/(2*x)", ("x > 0",)),
    ("trigamma(x) <= 1/x + 1/(2*x^2)", ("x > 0",)),
    ("loggamma(x + 1) <= loggamma(x)", ("x > 0",)),
    ("loggamma(x+1) - loggamma(x+s) >= (1-s)*log(x+1)", ("x > 0", "0 < s < 1")),
    ("(x-y)/(log(x)-log(y)) >= 101*sqrt(x*y)/100", ("x > y", "y > 0")),
    ("k*eps*(exp(eps)-1) <= 17/10", ("eps > 0", "k >= 1", "k*eps^2 <= 1")),
    ("sqrt(x*y) >= (x+y)/2", ("x > 0", "y > 0")),
    ("gamma(x+1)/gamma(x+1/2) >= sqrt(x+2501/10000)", ("x >= 0",)),
    ("loggamma(x+2/3)-loggamma(x+1/3) >= log(x+1/1000)/3", ("x >= 0",)),
    ("loggamma(x) <= (x-1/2)*log(x)-x+log(2*pi)/2+1/(13*x)", ("x > 0",)),
    ("loggamma(x) >= (x-1/2)*log(x)-x+log(2*pi)/2+1/1000", ("x > 0",)),
    ("loggamma(x) >= (x-1/2)*log(x)-x+log(7)/2", ("x > 0",)),
    ("digamma(x)+digamma(x+1/2)-2*digamma(2*x)+2*log(2) > 0", ("x > 0",)),
    ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= -(21/10)*log(sqrt(p*q)+sqrt((1-p)*(1-q)))", ("0 < p < 1", "0 < q < 1")),
    ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) <= (99/100)*log(p^2/q+(1-p)^2/(1-q))", ("0 < p < 1", "0 < q < 1")),
    ("p*log(p/q)+(1-p)*log((1-p)/(1-q)) >= -(21/10)*log(1-(p-q)^2)", ("0 < p < 1", "0 < q < 1")),
    ("log((exp(x)+exp(y))/2) <= (x+y)/2", ()),
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


@pytest.mark.parametrize(("claim", "where", "idea", "left"), [
    ("x^2*y <= x^3 + y^3", ("x > 0", "y > 0"), homogeneity.reductions, {"0 <= t^3 - t + 1"}),
    ("x - y <= exp(x-y) - 1", (), homogeneity.reductions, {"0 <= t + exp(-t) - 1"}),
    ("sqrt(x)*y <= x + y^2", ("x > 0",), roots.reductions, {"t*y <= t^2 + y^2"}),
    ("x <= y^2", ("y >= 1", "x <= y"), curves.given_curves, {"y - t <= y^2", "x <= (x + t)^2"}),
    ("2*x*y <= x^2 + y^2", (), curves.diagonals, {
        "2*x*(x + t) <= x^2 + (x + t)^2", "2*(y + t)*y <= (y + t)^2 + y^2",
        "2*x*(x - t) <= x^2 + (x - t)^2", "2*(y - t)*y <= (y - t)^2 + y^2"}),
])
def test_an_idea_leaves_what_it_says(claim, where, idea, left):
    found = {str(premise.claim) for reduction in idea(pose(claim, where).goal) for premise in reduction.premises}
    assert found == left


@pytest.mark.long
def test_what_is_claimed_of_factorials_is_shown_for_real_numbers():
    verdict = check("gamma(n+1) <= sqrt(2*pi*n)*(n/e)^n*exp(1/(12*n))", ["n >= 1"], integer="n", budget=20)
    assert verdict.status is Status.PROVED


def test_logarithms_of_factors_leave_a_polynomial_and_one_variable_less():
    goal = pose("p*log(1/t) + (1-p)*log((1-p)/(1-p*t)) >= (p-p*t)^2", ("0 < p < 1", "0 < t < 1")).goal
    first, *others = next(logarithms.reductions(goal)).premises
    assert "log" not in str(first.claim)
    assert all(len(other.variables) == 1 for other in others)


def test_the_distance_of_two_shares_is_a_share_of_the_larger_one():
    goal = pose("abs(p-q) <= 1", ("0 < p < 1", "0 < q < 1")).goal
    found = {str(premise.claim) for reduction in curves.distances(goal) for premise in reduction.premises}
    assert found == {"p - p*t <= 1", "-(q*t - q) <= 1"}


def test_an_idea_cannot_make_a_proof_of_what_is_false():
    goal = pose("x^2*y >= x^3 + y^3", ("x > 0", "y > 0")).goal
    for reduction in homogeneity.reductions(goal):
        assert isinstance(reduction.premises[0].claim, Relation)
        with pytest.raises(Rejected):
            verify(goal, reduction.finish([Step("assumption")]))


@pytest.mark.long
def test_a_root_of_a_high_order_is_not_written_out_as_a_product():
    verdict = check("log(1+x) <= 10^6*(x^(1/10^6)-0.99999)", ["x >= 1"], budget=5)
    assert verdict.status is Status.PROVED
