"""Sections 7 and 8, Appendices A and B: all claims are there, and verdicts follow the formulas."""

import os
from dataclasses import replace

import pytest
from in_words import at_best, named
from sympy import Rational, exp, log, sqrt

from symdp.arguments.derivations.standing import Standing
from symdp.audit.settling.dispatch import settle
from symdp.formulas.notation import delta, eps, lam, slack
from symdp.formulas.relation import eq, ge, le, lt
from symdp.literature.kov.appendices import (
    conversion_of_parameters,
    derivation_of_gaussian_composition,
)
from symdp.literature.kov.composition import proof_of_heterogeneous_composition
from symdp.literature.kov.simplified_composition import chain_to_delta
from symdp.literature.kov.simplified_composition import (
    derivation as derivation_of_simplified_composition,
)
from symdp.sources.example import Example
from symdp.sources.registry import claim, claims
from symdp.sources.statement import nonnegative
from symdp.sources.subject import mean_sum, square_sum

#: Derivations take minutes, and some are not yet what they were: `make verdicts` runs these.
pytestmark = pytest.mark.skipif(not os.environ.get("SYMDP_CAMPAIGN"), reason="takes minutes: `make verdicts`")

IDS = {
    "kov/sec-7": "alphabet two-fold-matrix maximiser singular-part pointwise tangency mgf-identity "
                 "mgf-bound alon-spencer chain-substitution square-free square-chosen chain-drop "
                 "chain-fraction chain-insert chain-final less-log less-classic",
    "kov/sec-8": "pmf mgf-power target single-mgf final classic",
    "kov/eq-23": "tangent", "kov/eq-24": "split", "kov/eq-25": "identity chernoff", "kov/eq-26": "split",
    "kov/eq-27": "chernoff", "kov/eq-28": "problem", "kov/eq-29": "chernoff",
    "kov/rem-a.1": "conversion total-variation", "kov/app-a": "inclusion tv-form",
    "kov/app-b": "pairs wlog mgf lambda chain-first chain-third chain-fourth less sufficient only-need",
}
OURS = [f"{place}.{name}" for place, names in IDS.items() for name in names.split()]

#: quick ones of every kind, and what the tools say of them
VERDICTS = {
    "kov/sec-7.alphabet": "refuted", "kov/sec-7.alphabet.corrected": "proved",
    "kov/sec-7.tangency": "proved", "kov/sec-7.square-free": "refuted",
    "kov/sec-7.square-free.corrected": "proved", "kov/sec-7.square-chosen": "proved",
    "kov/sec-7.less-log": "proved", "kov/sec-7.less-classic": "refuted",
    "kov/sec-7.less-classic.corrected": "proved", "kov/eq-23.tangent": "proved",
    "kov/eq-24.split": "proved", "kov/sec-8.pmf": "refuted", "kov/sec-8.pmf.corrected": "proved",
    "kov/sec-8.mgf-power": "refuted", "kov/sec-8.mgf-power.corrected": "proved",
    "kov/rem-a.1.conversion": "proved", "kov/rem-a.1.total-variation": "proved",
    "kov/app-a.inclusion": "proved", "kov/eq-28.problem": "proved", "kov/eq-29.chernoff": "proved",
    "kov/app-b.chain-fourth": "refuted", "kov/app-b.chain-fourth.corrected": "proved",
    "kov/app-b.less": "refuted", "kov/app-b.less.corrected": "proved",
    "kov/app-b.sufficient": "refuted", "kov/app-b.only-need": "refuted",
    "kov/app-b.only-need.corrected": "proved",
}


def test_every_claim_of_these_parts_is_there_and_no_other():
    places = tuple(f"{place}." for place in IDS)
    printed = [c.id for c in claims() if c.id.startswith(places) and c.role == "printed"]
    assert sorted(printed) == sorted(OURS)
    assert len(printed) == 46


@pytest.mark.parametrize("id", VERDICTS)
def test_verdicts(id):
    wanted = at_best(claim(id), VERDICTS[id])
    assert named(settle(claim(id), budget=20)) in (wanted, VERDICTS[id])


def test_what_is_refuted_has_its_correction_and_says_why():
    for id, verdict in VERDICTS.items():
        if verdict == "refuted":
            better = claim(f"{id}.corrected")
            assert better.improves == claim(id).name
            assert better.because


def flipped(id, **changes):
    return settle(replace(claim(id), **changes), budget=8).status.value


def test_verdicts_follow_the_formulas():
    chain = chain_to_delta
    # a sign, a constant, a letter, a condition: what was true fails, what was false holds
    plus = eq(chain.first_exponent, chain.true_square)
    assert flipped("kov/sec-7.square-free", relation=plus) == "proved"
    assert flipped("kov/sec-7.less-log", relation=lt(chain.sixth, slack / 5)) == "refuted"
    assert flipped("kov/sec-7.alphabet", examples=(
        Example("letters-carry-their-sets", {"labels": (0, 1, 2, 3)}),)) == "argued"
    assert flipped("kov/eq-24.split", relation=replace(
        claim("kov/eq-24.split").relation, left=1 - (1 - delta))) == "refuted"
    half = replace(claim("kov/rem-a.1.total-variation"), derivation=None,
                   relation=le(claim("kov/rem-a.1.total-variation").relation.left,
                               1 - 3 * (1 - delta) / (1 + exp(eps))))
    assert settle(half, budget=8).status.value == "refuted"
    root = proof_of_heterogeneous_composition
    less = mean_sum + sqrt(square_sum * log(1 / slack)) / 2
    assert flipped("kov/sec-8.classic", epsilon=less) == "refuted"
    assert flipped("kov/sec-8.target", epsilon=root.classic) == "proved"
    assert flipped("kov/sec-8.pmf", examples=(
        Example("pair-is-worst", {"ratio": 2, "exponential": 2, "delta": Rational(1, 10)}),)) == "undecided"
    assert flipped("kov/app-b.lambda", relation=ge(
        derivation_of_gaussian_composition.choice, 1)) == "refuted"


def test_a_wrong_line_inside_of_a_derivation_is_no_proof():
    wrong = conversion_of_parameters.total_variation.state(le(eps, delta))
    assert flipped("kov/eq-28.problem", derivation=wrong) != "proved"


def test_the_printed_proofs_fail_where_they_are_said_to():
    report = derivation_of_simplified_composition.printed.check(budget=10)
    wrong = [line.number for line in report.walk() if line.standing is Standing.FALSE]
    assert wrong == ["4", "5", "8"]
    report = derivation_of_gaussian_composition.printed_conditions.check(budget=10)
    assert [line.standing for line in report.walk()] == [Standing.FALSE]


def test_the_repaired_proofs_leave_nothing_open_but_what_they_cite():
    for proof in (derivation_of_gaussian_composition.theorem, conversion_of_parameters.inclusion,
                  derivation_of_simplified_composition.first_entry):
        standings = {line.standing for line in proof.check(budget=20).walk()}
        assert standings <= {Standing.PROVED, Standing.CITED, Standing.GIVEN}


def test_chernoff_is_read_as_a_limit_where_lambda_is_0_and_only_there():
    pointwise = claim("kov/sec-7.pointwise")
    assert pointwise.variables[lam] == nonnegative
    verdict = settle(pointwise, budget=10)
    assert "the formulas read as their limits at lam = 0" in verdict.trust.lines
    assert settle(replace(pointwise, limit_at=None), budget=10).status.value == "undecided"
