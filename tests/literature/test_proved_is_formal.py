"""What can be called proved is a formal goal of the kernel; a claim in words has none, and so never is."""

from dataclasses import replace

import pytest

from symdp.audit.settling.dispatch import settle
from symdp.audit.settling.formal_goals import formal_goal
from symdp.audit.settling.instances import argue_from_examples
from symdp.search.verdict import Status
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.registry import claim, claims
from symdp.sources.statement import Asymptotic, Comparison, Guarantee, Identity, Inequality

FORMULAS = (Inequality, Identity, Comparison, Guarantee, Asymptotic)
#: What asks for a value that its formula does not name: derived, or cited, and never called proved.
NO_GOAL = {c.id for c in claims() if c.task in ("derive", "cite", "draw")}


def test_there_is_something_to_look_at():
    assert sum(isinstance(c, FORMULAS) for c in claims()) > 250


@pytest.mark.parametrize("claim", [c for c in claims() if isinstance(c, FORMULAS) and c.id not in NO_GOAL],
                         ids=lambda c: c.id)
def test_every_formula_is_a_formal_goal(claim):
    assert formal_goal(claim) is not None


@pytest.mark.parametrize("claim", [c for c in claims() if not isinstance(c, FORMULAS)], ids=lambda c: c.id)
def test_words_are_no_goal(claim):
    assert formal_goal(claim) is None


def test_families_are_among_the_hypotheses_of_the_goal():
    """A claim about all finite laws is one about all families of masses, and not about one instance."""
    (claim,) = (c for c in claims() if c.id == "kov/eq-27.chernoff")
    goal = formal_goal(claim)
    assert {name for name, _ in goal.families} == {"w", "z"}
    assert "w[i] >= 0 for every integer i" in str(goal)


#: Claims for which a computation speaks: it has letters and no numbers, or the claim is about that one network.
COMPUTED = {"kov/sec-7.alphabet.corrected", "kov/sec-8.pmf.corrected", "kov/fig-4.d-separation"}


@pytest.mark.parametrize("claim", [c for c in claims() if c.examples and c.derivation is None], ids=lambda c: c.id)
def test_no_claim_about_all_rests_on_an_instance(claim):
    """An instance may speak against it; what speaks for it is a proof, or words that are named."""
    verdict = argue_from_examples(claim)
    if claim.quantifier == "all" and claim.id not in COMPUTED:
        assert verdict.against or verdict.status is Status.UNDECIDED


@pytest.mark.parametrize("claim", [c for c in claims() if c.examples and c.derivation is not None],
                         ids=lambda c: c.id)
def test_no_instance_speaks_against_what_words_speak_for(claim):
    assert argue_from_examples(claim).status is Status.UNDECIDED


def test_an_instance_against_outweighs_words_for():
    said = Derivation("So it is").cite("every transcript is made from the responses", "somebody")
    verdict = settle(replace(claim("kov/thm-d.1"), derivation=said))
    assert verdict.status is Status.ARGUED
    assert verdict.against
