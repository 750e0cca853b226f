"""What is proved is as sharp as it can be, or has a sharper claim beside it."""

from dataclasses import replace
from itertools import islice

import pytest
from campaign import IN_FULL
from sympy import Integer, Rational, exp, log, tanh

from symdp.arguments.guarantees.findings import violate
from symdp.audit.settling.dispatch import settle
from symdp.audit.settling.sharpness import Necessity, Topic, corners, sharpness
from symdp.formulas.notation import delta, eps, k, slack, x
from symdp.formulas.relation import eq, ge, le, lt
from symdp.search.verdict import Status
from symdp.search.view.goals import Counterexample
from symdp.sources import registry
from symdp.sources.statement import (
    Claim,
    Comparison,
    Guarantee,
    Inequality,
    Source,
    Statement,
    Structural,
    positive,
    positive_integer,
    real,
    unit,
    unit_positive,
)
from symdp.sources.subject import AnyPrivate, AnySequence, loss_sum

BOOK = Source("book", "A book", "nobody2026book")


def stated(claim: Claim) -> Claim:
    """The claim in a statement of its own, which gives it its domain."""
    spaces = {x: real, eps: positive, delta: unit, slack: unit_positive, k: positive_integer}
    return Statement(BOOK.lemma("1"), "A lemma", variables=spaces, claims=(claim,)).claims[0]


def findings(claim: Claim) -> dict[str, Necessity]:
    return {a.change: a.finding for a in sharpness(claim, budget=2).answers}


# --- hypotheses -----------------------------------------------------------------------------------


def test_a_condition_is_needed_if_a_point_beyond_it_speaks_against_the_claim():
    found = sharpness(stated(Inequality("", "", le(exp(x), 1 + 2 * x), where=(ge(x, 0), le(x, 1)))))
    answers = {a.change: a for a in found.answers}
    assert answers["without x <= 1"].finding is Necessity.NEEDED
    assert isinstance(answers["without x <= 1"].verdict.witness, Counterexample)
    assert answers["without x >= 0"].finding is Necessity.NEEDED


def test_a_condition_is_not_needed_if_the_claim_is_proved_without_it():
    found = sharpness(stated(Inequality("", "", le(1 + x, exp(x)), where=(le(x, 1),))))
    assert [(a.change, a.finding) for a in found.gains] == [("without x <= 1", Necessity.NOT_NEEDED)]
    assert not found.is_best


def test_a_condition_may_be_needed_for_the_formula_alone():
    found = findings(stated(Inequality("", "", le(log(x), x - 1), where=(ge(x, Rational(1, 9)),))))
    assert found["without x >= 1/9"] is Necessity.WITHOUT_MEANING


def test_a_condition_may_follow_from_the_others():
    claim = stated(Inequality("", "", le(eps**2, slack**2), where=(le(eps, slack), le(eps, 1))))
    assert findings(claim)["without slack <= 1"] is Necessity.NOT_NEEDED  # only what kind of quantity it is
    claim = stated(Inequality("", "", le(x, exp(eps) - 1), where=(ge(x, 0), le(x, eps), ge(x + eps, 0))))
    assert findings(claim)["without eps + x >= 0"] is Necessity.IMPLIED


def test_signs_ends_and_whole_numbers_are_no_gain():
    found = sharpness(stated(Inequality("", "", le(k * eps, k * (exp(eps) - 1)))))
    free = {a.topic for a in found.answers if a.finding is Necessity.NOT_NEEDED}
    assert free == {Topic.NATURE, Topic.WHOLE}
    assert found.is_best


@pytest.mark.long
def test_what_counts_begins_at_one():
    found = findings(stated(Inequality("", "", lt(1 + k * eps**2, (1 + eps**2) ** k), where=(ge(k, 2),))))
    assert found["k >= 1 instead of k >= 2"] is Necessity.NEEDED


# --- constants ------------------------------------------------------------------------------------


def test_a_constant_is_best_if_a_little_less_fails():
    found = sharpness(stated(Inequality("", "", le(tanh(x), x), where=(ge(x, 0),))))
    assert found.is_best
    assert found.equality == "attained"


def test_a_constant_can_be_better_if_a_little_less_is_proved():
    found = sharpness(stated(Inequality("", "", le(tanh(x), 2 * x), where=(ge(x, 0),))))
    assert [a.finding for a in found.gains] == [Necessity.BETTER]


def test_each_term_of_a_sum_has_a_constant():
    found = findings(stated(Inequality("", "", le(eps + eps**2 / 2, eps + eps**2))))
    assert found["the term eps of the right side times 999/1000"] is Necessity.BEST
    assert found["the term eps^2 of the right side times 999/1000"] is Necessity.BETTER


def test_an_inequality_may_be_an_equality():
    found = sharpness(stated(Comparison("", "", le((eps + 1) ** 2, eps**2 + 2 * eps + 1))))
    assert (found.equality, found.summary) == ("always", "both sides are always equal")


def test_a_sign_has_no_constant():
    assert not [a for a in sharpness(stated(Inequality("", "", ge(exp(x), 0)))).answers
                if a.topic is Topic.CONSTANT]


@pytest.mark.long
def test_the_constants_of_a_guarantee():
    basic = Guarantee("", "", AnyPrivate(eps, delta), k * eps, k * delta, fold=k)
    assert sharpness(stated(basic)).is_best
    loose = replace(basic, epsilon=2 * k * eps)
    assert [a.change for a in sharpness(stated(loose)).gains] == ["epsilon times 999/1000"]


def test_a_guarantee_about_sequences_is_tried_on_equal_mechanisms():
    sums = Guarantee("", "", AnySequence(pure=True), loss_sum, delta)
    assert findings(stated(sums))["epsilon times 999/1000"] is Necessity.BEST


@pytest.mark.long
def test_the_root_of_two_is_best_where_the_slack_is_tiny():
    claim = registry.claim("kov/thm-3.4.classic-branch")
    root = next(t for t in claim.epsilon.args if t.has(log))
    promise = replace(claim, epsilon=claim.epsilon - root / 100)
    far = {eps: Rational(1, 10**4), k: Integer(10**6), slack: Rational(1, 10**800), delta: Integer(0)}
    assert far in list(islice(corners(claim.domain), 1000))
    assert violate(promise, far).exact.lower > violate(promise, far).claimed.upper


def test_corners_lie_in_the_domain():
    domain = registry.claim("kov/thm-3.4.classic-branch").domain
    assert all(domain.contains(point) for point in islice(corners(domain), 100))


def test_only_bounds_can_be_sharper():
    with pytest.raises(TypeError, match="structural"):
        sharpness(stated(Structural("", "a definition")))


def test_the_answers_are_plain_data():
    found = sharpness(stated(Inequality("", "", eq(exp(x), exp(x)))))
    assert found.as_json()["equality"] == "always"
    assert found.as_json()["best"]


# --- the literature -------------------------------------------------------------------------------


def settled_at_once() -> list[Claim]:
    """The relations of the four sources that the prover takes on directly, without a derivation.

    Comparisons between notions are our own words: they say which is smaller, and not by how much.
    """
    return [c for c in registry.claims() if isinstance(c, Inequality | Comparison) and c.role == "printed"
            and c.task == "decide" and c.derivation is None and not c.id.startswith("notions/")]


def sharper_beside(claim: Claim) -> bool:
    statement = registry.statement(claim.id)
    return any(c.improves == claim.name and c.role == "sharper" for c in statement.claims)


@pytest.mark.long
def test_every_printed_inequality_is_best_or_has_a_sharper_one_beside_it():
    for claim in settled_at_once()[:: 1 if IN_FULL else 4]:
        if sharper_beside(claim) or settle(claim, budget=5).status is not Status.PROVED:
            continue  # what is refuted has a correction, which is another claim
        found = sharpness(claim, budget=2)
        assert found.is_best, found
