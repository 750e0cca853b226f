"""The README and the pages in docs show what their commands print, and today's counts."""

import re
import subprocess
import sys

import pytest

from symdp.cli import pages

#: Few processes, since each of them reads the literature, and more than one, since there are several cores.
SHARES = 3


@pytest.mark.long
@pytest.mark.parametrize("first", range(SHARES))
def test_pages_show_what_is_so(first):
    """What is wrong is printed with the name of its page."""
    done = subprocess.run([sys.executable, "-m", "symdp.cli.pages", "--check",
                           *map(str, pages.pages()[first::SHARES])], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("path", pages.pages(), ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        made = "generated/" in target  # by `make docs`, which is strict about links
        assert made or target.startswith("http") or (path.parent / target).exists(), target


def test_a_wrong_output_a_wrong_count_and_a_wrong_example_are_told():
    page = ("```console\n$ symdp check 'exp(x) <= 1' --where 'x >= 0'\n✓ proved\n```\n"
            "```python\n>>> 1 + 1\n3\n```\n<!-- counts -->\nThe last audit: 3 proved.\n<!-- end -->\n")
    command, example, counts, verdicts = pages.complaints(page)
    assert "-✓ proved" in command
    assert "+✗ refuted: it fails at x = 1" in command
    assert "Expected:" in example
    assert "sources are" in counts
    assert verdicts.startswith("counts: the audit has 3 verdicts")


def test_what_differs_is_rewritten_and_what_is_left_out_stays_so():
    page = ("```console\n$ symdp check 'exp(x) <= 1' --where 'x >= 0'\n✓ proved\n```\n"
            "```console\n$ symdp check 'exp(x) <= 1' --where 'x >= 0'\n...\n✗ refuted: it fails at x = 1\n...\n```\n")
    written = pages.rewritten(page)
    assert "  violation  1.71828182846\n" in written
    assert written.endswith("\n...\n✗ refuted: it fails at x = 1\n...\n```\n")
    assert pages.rewritten(written) == written


def test_the_files_that_contributing_shows_can_be_imported():
    text = (pages.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shown = [block for block in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
             if block.startswith('"""')]
    assert len(shown) == 2  # a function and a tactic
    for block in shown:
        exec(compile(block, "CONTRIBUTING.md", "exec"), {"__name__": "shown"})
