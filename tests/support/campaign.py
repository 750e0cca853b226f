"""What takes long runs in full in a campaign (`make verdicts`); day by day a cheap relative of it does."""

import os

import pytest

IN_FULL = bool(os.environ.get("SYMDP_CAMPAIGN"))
in_full = pytest.mark.skipif(not IN_FULL, reason="takes a while: `make verdicts`")


def heavy(*values, **named):
    """An instance for the campaign."""
    return pytest.param(*values, marks=in_full, **named)


def tries(count: int) -> int:
    """How many examples a random test tries: all of them in a campaign, a third of them day by day."""
    return count if IN_FULL else max(5, count // 3)
