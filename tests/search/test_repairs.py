"""Repairs of a claim that fails: each is proved, and says what was changed."""

import pytest

from symdp.kernel.certificate import recheck
from symdp.search.certificates import document_of
from symdp.search.repairs import ADDED_FACTOR, OTHER_CONSTANT, SMALLER_DOMAIN, suggest
from symdp.search.verdict import Status


def test_a_claim_that_holds_needs_no_repair():
    found = suggest("exp(x) >= 1 + x")
    assert found.verdict.status is Status.PROVED
    assert found.repairs == ()
    assert str(found) == "the claim holds as it is"


@pytest.mark.long
def test_a_claim_that_fails_gets_a_smaller_domain_a_factor_and_a_constant():
    found = suggest("tanh(x) <= x/2", "x >= 0", budget=2)
    assert found.verdict.status is Status.REFUTED
    assert [r.kind for r in found.repairs] == [SMALLER_DOMAIN, ADDED_FACTOR, OTHER_CONSTANT]
    for repair in found.repairs:
        assert recheck(document_of(repair.proof)).goal == repair.proof.goal
    domain, factor, constant = found.repairs
    assert domain.change.startswith("x >= ")
    assert (factor.change, factor.weakest) == ("2 times the larger side", True)
    assert (constant.change, constant.weakest) == ("1 instead of 2", True)
    rows = found.as_json()["repairs"]
    assert [row["kind"] for row in rows] == [r.kind for r in found.repairs]


def test_nothing_repairs_what_is_false_everywhere_but_a_constant():
    found = suggest("x^2 + 1 <= -1", budget=1)
    assert found.verdict.status is Status.REFUTED
    assert all(r.kind != SMALLER_DOMAIN for r in found.repairs)
    for repair in found.repairs:
        assert recheck(document_of(repair.proof)).goal == repair.proof.goal
