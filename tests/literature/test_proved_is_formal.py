"""What can be called proved is a formal goal of the kernel; a claim in words has none, and so never is."""

import pytest

from symdp.audit.settling.formal_goals import formal_goal
from symdp.sources.registry import claims
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
