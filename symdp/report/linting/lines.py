r"""Findings as lines that editors parse, ``file:line:column: verdict: message``, in colours where a person looks.

>>> from symdp.papers.finding import Finding
>>> finding = Finding("paper.tex", 3, 5, r"x \le 1", "x <= 1", "refuted", message="fails at x = 2",
...                   missing=("where x lives",))
>>> print_finding(Screen(whole=True), finding)
paper.tex:3:5: refuted: fails at x = 2
"""

from __future__ import annotations

from collections.abc import Mapping

from symdp.papers.finding import Finding
from symdp.report.terminal.screen import Screen, styled

#: The colour of each verdict; what is neither good nor bad is dim.
COLOURS: Mapping[str, str] = {
    "proved": "green", "argued": "cyan", "refuted": "bold red", "gap": "magenta", "undecided": "yellow",
    "unread": "yellow", "definition": "dim", "assumption": "dim", "asymptotic": "dim",
}


def said(finding: Finding) -> str:
    """What is told of a finding in one line: the message, or else what was read, or else what stands there."""
    return finding.message or finding.reading or finding.tex


def print_finding(screen: Screen, finding: Finding) -> None:
    screen.say(f"{finding.file}:{finding.line}:{finding.column}: ", styled(finding.verdict, COLOURS[finding.verdict]),
               f": {said(finding)}")
