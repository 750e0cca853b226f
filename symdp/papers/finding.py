r"""What became of one relation of a paper, and of all of them.

>>> finding = Finding("paper.tex", 3, 5, r"x \le x+1", "x <= x + 1", "proved", hypotheses=(("x > 0", 2),))
>>> print(finding)
paper.tex:3:5: proved: x <= x + 1
>>> finding.data["hypotheses"]
[{'text': 'x > 0', 'line': 2}]
>>> PaperReport((finding,)).summary
{'relations': 1, 'proved': 1, 'argued': 0, 'refuted': 0, 'gap': 0, 'undecided': 0, 'unread': 0, 'definition': 0,
'assumption': 0, 'asymptotic': 0}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from symdp.search.status import INKS, Status, inked

#: What may become of a relation.
VERDICTS = ("proved", "argued", "refuted", "gap", "undecided", "unread", "definition", "assumption", "asymptotic")
#: What a strict run does not let pass.
OPEN = ("refuted", "gap", "undecided", "unread")
_DIM = INKS[Status.NOT_RECHECKED]
_INK_OF = {"proved": INKS[Status.PROVED], "argued": INKS[Status.ARGUED], "refuted": INKS[Status.REFUTED],
           "gap": INKS[Status.ERROR], "undecided": INKS[Status.UNDECIDED], "unread": INKS[Status.UNDECIDED]}


@dataclass(frozen=True)
class Finding:
    """A relation of a document. Lines and columns are counted from 1, and are those of the source."""

    file: str
    #: where the row of the relation begins
    line: int
    column: int
    #: the relation as it was typed, its left side first even where that stands on a row before
    tex: str
    #: what it was understood to say, in the grammar of ``symdp check``; empty where it was not read
    reading: str
    verdict: str
    #: behind the last sign of the relation
    end_line: int = 0
    end_column: int = 0
    #: each hypothesis that was used, and the line of its file on which it stands
    hypotheses: tuple[tuple[str, int], ...] = ()
    #: what the text does not say, and would have to
    missing: tuple[str, ...] = ()
    #: one line for a person
    message: str = ""
    witness: Mapping[str, str] | None = field(default=None, hash=False)
    certificate: str | None = None
    seconds: float = 0.0
    #: whether a comment of the author's says that it is refuted
    expected: bool = False

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise ValueError(f"{self.verdict!r} is no verdict on a relation; they are {', '.join(VERDICTS)}")

    @property
    def data(self) -> dict[str, Any]:
        """The finding as one entry of the JSON document."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "tex": self.tex,
            "reading": self.reading,
            "verdict": self.verdict,
            "hypotheses": [{"text": text, "line": line} for text, line in self.hypotheses],
            "missing": list(self.missing),
            "message": self.message,
            "witness": None if self.witness is None else dict(self.witness),
            "certificate": self.certificate,
            "seconds": round(self.seconds, 4),
        }

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.verdict}: {self.message or self.reading or self.tex}"


@dataclass(frozen=True)
class PaperReport:
    """All findings, in the order of the documents."""

    findings: tuple[Finding, ...]

    @property
    def summary(self) -> dict[str, int]:
        """How many there are of each kind, which add up to ``relations``."""
        counts = {verdict: sum(f.verdict == verdict for f in self.findings) for verdict in VERDICTS}
        return {"relations": len(self.findings), **counts}

    @property
    def data(self) -> dict[str, Any]:
        return {"relations": [f.data for f in self.findings], "summary": self.summary}

    @property
    def counts(self) -> str:
        """How many there are of each kind, in words.

        >>> PaperReport(()).counts
        'no relations'
        """
        total, *kinds = self.summary.items()
        found = ", ".join(f"{count} {word}" for word, count in kinds if count)
        return f"{total[1]} relations: {found}" if found else "no relations"

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __bool__(self) -> bool:
        """Whether nothing is left open: every relation is read, and none is refuted, undecided or a gap."""
        return self.exit_code(strict=True) == 0

    def __repr__(self) -> str:
        return f"<PaperReport {self.counts}>"

    def __str__(self) -> str:
        return "\n".join([*map(str, self.findings), self.counts])

    def _repr_markdown_(self) -> str:
        rows = [f"| {f.line} | {inked(f'**{f.verdict}**', _INK_OF.get(f.verdict, _DIM))} | "
                f"{_cell(f.reading or f.tex)} | {_cell(f.message)} |" for f in self.findings]
        return "\n".join(["| line | verdict | relation | |", "|--:|:--|:--|:--|", *rows, "", self.counts])

    def exit_code(self, *, strict: bool = False) -> int:
        """1 if something is refuted; with ``strict`` also if something is open."""
        bad = OPEN if strict else ("refuted",)
        return (
            1 if any(f.verdict in bad and not (f.expected and f.verdict == "refuted") for f in self.findings) else 0
        )


def _cell(text: str) -> str:
    """Words of a stranger as a cell of a table in Markdown, in which no sign has a meaning."""
    return re.sub(r"([\\`*_\[\]<>|$#&~])", r"\\\1", " ".join(text.split()))
