"""The proofs of Section 7 and Appendix D as printed: from the first line to the last, and which line fails."""

import pytest

from symdp.arguments.derivations.standing import Standing
from symdp.literature.kov.simplified_composition.derivation import last_paragraph
from symdp.sources.registry import claim, proof

WRONG = (Standing.FALSE, Standing.GAP, Standing.UNDECIDED)


def wrong_lines(derivation):
    return [line.number for line in derivation.check(budget=10).walk() if line.standing in WRONG]


@pytest.mark.long
def test_appendix_d_goes_on_behind_the_step_that_fails():
    """(40) is the one wrong line; what follows from it follows, up to the theorem."""
    printed = proof("kov/app-d").printed
    titles = " ".join(part.title for part in printed)
    assert all(f"({n})" in titles for n in (34, 36, 37, 39, 41, 42))
    assert [wrong_lines(part) for part in printed] == [[], [], [], ["2"], [], [], [], [], []]


def test_section_7_ends_with_its_last_paragraph():
    """The other choice of epsilon, which fails at a slack of 1 alone, and how (24) leads to the theorem."""
    printed = proof("kov/sec-7").printed
    assert printed[-1] is last_paragraph
    assert claim("kov/sec-7.chain-substitution").derivation in printed  # the moments are inserted into (25)
    assert wrong_lines(last_paragraph) == ["2"]


@pytest.mark.parametrize("id", ["kov/app-d", "kov/sec-7"])
def test_what_these_proofs_support_rests_on_them(id):
    for supported in proof(id).supports:
        assert claim(supported).derivation in proof(id).derivations, supported
