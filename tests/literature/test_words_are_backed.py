r"""What is said beside a corrected or sharper form: no superlative that nobody has shown.

*The best factor*, *exactly there*, *no less will do*, *beyond, it fails* are claims. A claim that says so itself (an
optimality, or an argument in words) gets its own verdict; beside a formula such words need a claim that is settled.
"""

import re

import pytest

from symdp.sources.registry import claims
from symdp.sources.statement import Comparison, Guarantee, Identity, Inequality

STRONG = re.compile(
    r"\b(best|optimal|optimum|tightest|unavoidable|attained|exactly|precisely|least one|smallest|largest"
    r"|cannot be (?:improved|weakened|less)|(?:no|nothing) (?:less|better|smaller|larger)|will do|if and only if"
    r"|only where|necessary|fails|deviation needs)\b", re.IGNORECASE)
FORMULAS = (Guarantee, Inequality, Comparison, Identity)
#: The words, by the claim beside which they stand, and what backs them.
BACKED = {
    # an identity says that both sides agree, which is all that *exactly* means there
    "blog/fn-2.inequality.largest": "blog/fn-2.inequality.largest",
    # where something fails is a claim with a point
    "kov/thm-4.3.corrected": "kov/thm-4.3.range",
    "kov/sec-3.1.equality-set.sharper": "kov/sec-3.1.equality-set.sharper",
}
BETTER = [c for c in claims() if c.role in ("corrected", "sharper") and isinstance(c, FORMULAS)]


@pytest.mark.parametrize("claim", BETTER, ids=lambda c: c.id)
def test_no_superlative_without_a_claim(claim):
    found = [m.group() for text in (claim.says, claim.because or "") for m in STRONG.finditer(text)]
    if claim.id in BACKED:
        assert BACKED[claim.id] in {c.id for c in claims()}
        return
    assert not found, f"{claim.id} says {found}: state that as a claim, or leave it out"
