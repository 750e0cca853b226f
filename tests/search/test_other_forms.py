"""Claims in one variable that are found in another form: logarithms of both sides, and far out in 1/x."""

import pytest

from symdp.search.prove import check, decide_relation, pose

pytestmark = pytest.mark.long


@pytest.mark.parametrize(("claim", "where"), [
    ("(1+1/n)^n < e - 1/(2*n) + 1/n^2", "n >= 1"),
    ("(1+u)^(1/u) < e - u/2 + u^2", "0 < u <= 1"),
    ("n*log(1+1/n) < log(e - 1/(2*n) + 1/n^2)", "n >= 1"),
])
def test_powers_whose_exponent_varies_are_compared_by_logarithms(claim: str, where: str) -> None:
    assert check(claim, where=where, budget=30).status.value == "proved"


def test_what_holds_of_integers_is_asked_for_all_real_numbers() -> None:
    verdict = check("(1+1/n)^n < e - 1/(2*n) + 1/n^2", where="n >= 1", integer="n", budget=30)
    assert verdict.status.value == "proved"


@pytest.mark.parametrize("claim", [
    "(1+1/n)^n < e - 1/(2*n) + 1/(10^6*n^2) - 87/(100*n)", "(1+1/n)^(n+1/2) < e + 1/(13*n^2)"])
def test_false_ones_are_not_proved_without_the_refuter(claim: str) -> None:
    relation, domain, goal = pose(claim, where="n >= 1")
    assert check(claim, where="n >= 1").status.value == "refuted"
    assert decide_relation(relation, domain, formal=goal, may_refute=False, budget=6).status.value != "proved"
