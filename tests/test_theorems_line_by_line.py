"""The theorems rest on their derivations: a route of the kernel must not step in unseen.

Claims whose derivations begin with the same lines are together, so that these are settled once.
"""

import pytest

from symdp.auditing.established import Established, establish
from symdp.registry import claim


@pytest.mark.parametrize("ids", [
    ("kov/thm-3.3.guarantee", "kov/rem-a.1.conversion"),
    ("kov/thm-3.4.log-branch", "kov/thm-3.4.classic-branch", "kov/cor-4.1", "kov/cor-4.2"),
    ("kov/thm-3.5.linear-branch", "kov/thm-3.5.log-branch", "kov/thm-3.5.classic-branch",
     "blog/thm-advanced", "blog/fn-1.approximate"),
    ("kov/thm-4.3.corrected",),
], ids=lambda ids: ids[0])
def test_every_line_is_proved_or_cited(ids):
    for id in ids:
        verdict = establish(claim(id), budget=20)
        assert isinstance(verdict.proof, Established), f"{id}: {verdict.method}"
