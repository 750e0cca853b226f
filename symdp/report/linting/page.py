r"""A linted paper as one self-contained page: its source line by line, and in the margin a note for each relation.

The source is shown as its author typed it; a formula in a note is MathML. Everything that comes from the paper is
escaped, the page asks for nothing from elsewhere, and no script runs in it.

>>> from symdp.papers.finding import Finding, PaperReport
>>> report = PaperReport((Finding("p.tex", 2, 1, r"x \le 1 < 2", "x <= 1", "refuted", message="fails at <2>"),))
>>> made = page(report, {"p.tex": "Let <b>\n$x \\le 1$"})
>>> "Let &lt;b&gt;" in made, "fails at &lt;2&gt;" in made, "<math" in made, "<script" in made
(True, True, True, False)
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from symdp import __version__
from symdp.outgoing import MARK
from symdp.papers.finding import VERDICTS, Finding, PaperReport
from symdp.report.page.mathml import formula


def page(report: PaperReport, texts: Mapping[str, str]) -> str:
    """The page; ``texts`` are the sources, by the names that the findings have for them."""
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    parts = files("symdp.report.linting").joinpath("parts")
    made = environment.from_string(parts.joinpath("paper.html.j2").read_text(encoding="utf-8")).render(
        style=Markup(parts.joinpath("paper.css").read_text(encoding="utf-8")),  # ours; nothing of a user is in it
        version=__version__, mark=MARK, title=", ".join(texts),
        counts=[(word, count) for word, count in report.summary.items() if count and word in VERDICTS],
        total=len(report.findings),
        files=[_file(name, text, [f for f in report.findings if f.file == name]) for name, text in texts.items()],
    )
    return str(made).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")  # HTML knows what <math> is


def _file(name: str, text: str, findings: list[Finding]) -> dict[str, Any]:
    notes: dict[int, list[Finding]] = {}
    lines = text.split("\n")
    for finding in findings:
        notes.setdefault(min(max(1, finding.line), len(lines)), []).append(finding)
    return {"name": name, "lines": [
        {"number": number, "text": line.rstrip("\r"), "notes": [_note(f) for f in notes.get(number, [])]}
        for number, line in enumerate(lines, start=1)]}


def _note(finding: Finding) -> dict[str, Any]:
    return {
        "verdict": finding.verdict, "formula": formula(finding.tex), "message": finding.message,
        "reading": finding.reading, "hypotheses": finding.hypotheses, "missing": finding.missing,
        "witness": ", ".join(f"{name} = {value}" for name, value in (finding.witness or {}).items()),
        "place": f"{finding.line}:{finding.column}",
    }
