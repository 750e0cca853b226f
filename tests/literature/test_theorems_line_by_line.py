"""The theorems rest on their derivations: a route of the kernel must not step in unseen.

Claims whose derivations begin with the same lines are together, so that these are settled once.
"""

import os

import pytest

from symdp.audit.settling.derived_claims import establish
from symdp.audit.settling.dispatch import settle
from symdp.audit.settling.formal_goals import formal_goal
from symdp.kernel.proof import Proof
from symdp.sources.registry import claim

#: proved by a route of the kernel within seconds
QUICK = ["kov/thm-3.1", "kov/thm-3.2", "kov/thm-3.3.guarantee", "kov/thm-3.4.linear-branch",
         "kov/thm-3.5.linear-branch", "kov/rem-a.1.conversion", "blog/thm-basic", "note/thm-3.16.basic"]
THEOREMS = [
    ("kov/thm-3.3.guarantee", "kov/rem-a.1.conversion"),
    ("kov/thm-3.4.log-branch", "kov/thm-3.4.classic-branch", "kov/cor-4.1", "kov/cor-4.2"),
    ("kov/thm-3.5.linear-branch", "kov/thm-3.5.log-branch", "kov/thm-3.5.classic-branch",
     "blog/thm-advanced", "blog/fn-1.approximate"),
    ("kov/thm-4.3.corrected",),
]


@pytest.mark.parametrize("id", [id for ids in THEOREMS for id in ids])
def test_every_theorem_is_a_formal_goal(id):
    assert formal_goal(claim(id)) is not None
    assert claim(id).derivation is not None


@pytest.mark.skipif(not os.environ.get("SYMDP_CAMPAIGN"), reason="takes a while: `make verdicts`")
@pytest.mark.parametrize("ids", THEOREMS, ids=lambda ids: ids[0])
def test_the_kernel_has_the_derivation_as_one_proof_of_the_theorem(ids):
    for id in ids:
        verdict = establish(claim(id), budget=20)
        assert isinstance(verdict.formal, Proof), f"{id}: {verdict.method}"
        assert verdict.formal.goal == formal_goal(claim(id))


@pytest.mark.parametrize("id", QUICK)
def test_the_theorem_itself_is_proved(id):
    verdict = settle(claim(id), budget=20)
    assert verdict.status.value == "proved", verdict.method
    assert verdict.formal.goal == formal_goal(claim(id))
