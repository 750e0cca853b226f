"""No claim is a term compared with itself, and none such is listed as the checked part of an argument."""

import pytest

from symdp.audit.settling.derived_claims import establish
from symdp.audit.settling.formal_goals import formal_goal
from symdp.search.elaboration.trivial_goals import is_reflexive
from symdp.sources import beyond
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.registry import claims
from symdp.sources.statement import Structural


@pytest.mark.parametrize("claim", [c for c in claims() if formal_goal(c) is not None], ids=lambda c: c.id)
def test_the_goal_of_a_claim_is_not_true_by_reflexivity(claim):
    goal = formal_goal(claim)
    assert not is_reflexive(goal), str(goal)
    assert goal.claim not in goal.hypotheses, "it is one of its own hypotheses"


def test_what_says_nothing_is_no_checked_part():
    """The lines go through, and yet they say nothing about primes."""
    empty = Derivation("", where=["eps > 0"]).state("eps == eps").start("2*eps").eq("eps + eps")
    verdict = establish(Structural("", "there are infinitely many twin primes", derivation=empty), budget=5)
    assert verdict.status.value == "argued"
    assert verdict.checked == ()
    assert "the proof says nothing of the words" in str(empty.check())


def test_what_says_something_is_listed():
    tangent = Derivation("", where=["x >= 0"]).state("x == x").start("1 + x").le("exp(x)")
    verdict = establish(Structural("", "the tangent", derivation=tangent), budget=5)
    assert verdict.checked == ("x + 1 <= exp(x) for every real x with x >= 0",)


def test_a_claim_in_words_says_what_a_formal_statement_would_need():
    in_words = [c for c in claims() if c.task == "decide" and formal_goal(c) is None]
    assert [c.id for c in in_words if not c.beyond] == []
    assert {c.beyond for c in in_words} <= {v for name, v in vars(beyond).items() if name.isupper()}
