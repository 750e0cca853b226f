"""The folders are those of the rooms; what several tests share is in `support`, and campaigns are in `benchmarks`.

No property depends on how fast it is tried.
"""

import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "support"), str(HERE.parent / "benchmarks")]

# What this user keeps is not for tests: they have a key of their own.
os.environ["SYMDP_STATE"] = tempfile.mkdtemp(prefix="symdp-state-")

# A random test that does not say how often tries this often: in a campaign (`make verdicts`), and day by day.
EXAMPLES = 100 if os.environ.get("SYMDP_CAMPAIGN") else 30
settings.register_profile("symdp", deadline=None, max_examples=EXAMPLES)
settings.load_profile("symdp")


# In CI the same examples are tried every time; elsewhere new ones are looked for.
if os.environ.get("CI"):
    settings.register_profile("ci", derandomize=True, deadline=None, max_examples=EXAMPLES)
    settings.load_profile("ci")


@pytest.fixture
def symdp(capsys):
    """The command line in this process: the exit code, and what was printed on standard output and standard error."""
    from symdp.cli.app import main

    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            main([str(a) for a in arguments])
        printed = capsys.readouterr()
        return stop.value.code or 0, printed.out, printed.err

    return run
