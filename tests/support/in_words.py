"""What a claim may be called: one that is a formula is proved or refuted, one in words is argued at best."""

import os

import pytest

from symdp.audit.settling.formal_goals import formal_goal


def named(verdict):
    """The word for a verdict, with the direction of an argument."""
    return "argued against" if verdict.against else verdict.status.value


def at_best(claim, word):
    """The word that a claim can get where a formula of its kind would get this one."""
    if claim.derivation is not None and not os.environ.get("SYMDP_CAMPAIGN"):
        pytest.skip("it rests on a derivation, and takes a while: `make verdicts` settles it")
    if formal_goal(claim) is not None and not claim.examples:
        return word
    return {"proved": "argued", "derived": "argued", "refuted": "argued against"}.get(word, word)
