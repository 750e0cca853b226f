"""The conference version: all its claims are there, and their verdicts follow the formulas."""

import subprocess
import sys
from dataclasses import replace

import pytest
from campaign import IN_FULL
from in_words import at_best, named

from symdp.audit.seal import seal_of_claim
from symdp.audit.settling.dispatch import settle
from symdp.formulas.notation import delta, eps, k
from symdp.formulas.relation import lt
from symdp.literature.icml.slack import new, old
from symdp.privacy.mechanisms.every import RandomisedResponse
from symdp.privacy.regions.region import PrivacyRegion
from symdp.sources.registry import claim, select

PRINTED = """sec-1.basic sec-1.techniques fig-1.corner thm-3.3.region sec-3.2.slack-instead cor-4.2.mse
thm-4.3.mse""".split()


def verdict(c, **change):
    return named(settle(replace(c, **change), budget=10))


def test_all_claims_of_the_conference_version_are_there():
    assert {c.id for c in select(["icml"]) if c.role == "printed"} == {f"icml/{n}" for n in PRINTED}


@pytest.mark.long
@pytest.mark.parametrize(
    ("id", "expected", "change"),
    [
        ("icml/sec-1.basic", "refuted", {}),
        ("icml/sec-1.basic", "proved", {"epsilon": k * eps}),
        ("icml/sec-1.basic.corrected", "refuted", {"delta": delta}),
        ("icml/sec-1.techniques", "cited", {}),
        ("icml/fig-1.corner", "proved", {}),
        ("icml/thm-3.3.region", "refuted", {}),
        ("icml/thm-3.3.region.corrected", "proved", {}),
        ("icml/sec-3.2.slack-instead", "proved", {}),
        ("icml/cor-4.2.mse", "proved", {}),
        ("icml/thm-4.3.mse", "proved", {}),
    ],
)
def test_verdicts_follow_the_formulas(id, expected, change):
    assert verdict(claim(id), **change) in (at_best(claim(id), expected), expected)


def test_an_error_without_k_squared_is_of_another_order():
    c = claim("icml/thm-4.3.mse")
    assert verdict(c, right=c.right / k) == "refuted"


def test_the_old_slack_is_not_the_smaller_one():
    c = claim("icml/sec-3.2.slack-instead")
    assert verdict(c, relation=lt(old, new), derivation=None) == "refuted"


@pytest.mark.parametrize("fold", [1, 2, 3, 4])
def test_the_corrected_regions_are_those_of_the_mechanisms(fold):
    """The intersection with 1 - (1 - delta)^k (1 - delta_i), against k randomised responses."""
    found = PrivacyRegion.of(RandomisedResponse("log(3)", "1/10").power(fold))
    assert found == PrivacyRegion.composed("log(3)", "1/10", fold)
    assert found != PrivacyRegion.composed("log(3)", 0, fold)


@pytest.mark.long
def test_the_seal_of_a_claim_is_the_same_in_every_process():
    """Sets have another order in every process; a certificate must not depend on it."""
    ask = ("from symdp.sources.registry import select; from symdp.audit.seal import seal_of_claim; "
           "print([seal_of_claim(c) for c in select(['icml', 'blog'])])")
    seen = {str([seal_of_claim(c) for c in select(["icml", "blog"])]) + "\n"}
    for seed in "1234" if IN_FULL else "1":
        place = {"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"}
        seen.add(subprocess.run([sys.executable, "-c", ask], env=place, capture_output=True, text=True,
                                check=True).stdout)
    assert len(seen) == 1
