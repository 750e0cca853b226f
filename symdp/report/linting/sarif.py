r"""Findings as SARIF 2.1.0, which code hosts and editors show beside the lines of a file.

Each verdict is a rule. What is refuted is an error, what is open a warning or a note; what is settled has the kind
``pass`` or ``informational``, which viewers hide unless asked.

>>> from symdp.papers.finding import Finding, PaperReport
>>> found = sarif(PaperReport((Finding("a b.tex", 3, 5, "x<1", "x < 1", "refuted", message="fails at x = 2"),)))
>>> result = found["runs"][0]["results"][0]
>>> result["level"], result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
('error', 'a%20b.tex')
>>> result["locations"][0]["physicalLocation"]["region"]
{'startLine': 3, 'startColumn': 5}
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from symdp import __version__
from symdp.papers.finding import VERDICTS, Finding, PaperReport

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
#: The kind and the level of a result, and what the rule says.
_RULES: Mapping[str, tuple[str, str, str]] = {
    "proved": ("pass", "none", "The relation has a proof that the kernel accepted."),
    "argued": ("informational", "none", "A part of the argument is in words."),
    "refuted": ("fail", "error", "The relation fails at a point that satisfies every stated hypothesis."),
    "gap": ("fail", "warning", "The relation is true but does not follow from the line before."),
    "undecided": ("open", "none", "Neither a proof nor a point of failure was found."),
    "unread": ("review", "none", "The relation could not be read, or could be read in two ways."),
    "definition": ("informational", "none", "The relation defines a name."),
    "assumption": ("informational", "none", "The relation is a hypothesis of the text."),
    "asymptotic": ("notApplicable", "none", "The relation speaks of orders of growth."),
}


def sarif(report: PaperReport) -> dict[str, Any]:
    """One SARIF document with one run."""
    driver = {
        "name": "symdp", "version": __version__,
        "rules": [{"id": verdict, "name": verdict.capitalize(), "shortDescription": {"text": _RULES[verdict][2]},
                   "defaultConfiguration": {"level": _RULES[verdict][1]}} for verdict in VERDICTS],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{
        "tool": {"driver": driver}, "columnKind": "unicodeCodePoints",
        "results": [_result(f) for f in report.findings],
    }]}


def _result(finding: Finding) -> dict[str, Any]:
    kind, level, _ = _RULES[finding.verdict]
    region = {"startLine": max(1, finding.line), "startColumn": max(1, finding.column)}
    if finding.end_line >= finding.line and finding.end_column > 0:
        region |= {"endLine": finding.end_line, "endColumn": finding.end_column}
    said = finding.message or finding.reading or finding.tex or finding.verdict
    return {
        "ruleId": finding.verdict, "ruleIndex": VERDICTS.index(finding.verdict), "kind": kind, "level": level,
        "message": {"text": f"{finding.verdict}: {_plain(said)}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(finding.file)}, "region": region}}],
        "properties": {name: value for name, value in finding.data.items()
                       if name in ("tex", "reading", "hypotheses", "missing", "witness", "certificate") and value},
    }


def _plain(text: str) -> str:
    """A message in which nothing of the paper is a link; in SARIF ``[words](address)`` is one in plain text too.

    >>> _plain("see [the proof](http://127.0.0.1/)")
    'see [the proof] (http://127.0.0.1/)'
    """
    return text.replace("](", "] (")


def _uri(file: str) -> str:
    """A relative name stays relative: a code host knows files by their place in the repository."""
    return Path(file).as_uri() if Path(file).is_absolute() else quote(os.fsencode(Path(file).as_posix()))
