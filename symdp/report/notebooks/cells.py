"""Cells, and a narrative that is read into cells and marked places.

A narrative is Markdown. A fenced block of Python is a code cell; a comment on a line of its own,
``<!-- claims kov/thm-3.1 -->``, is a place where generated cells go. So what a person writes and what
the statements say stand in one document, and neither can overwrite the other.

>>> for part in read_narrative('''# Title
...
... Words.
...
... <!-- claims kov/thm-3.1 -->
...
... ```python
... 1 + 1
... ```
... '''):
...     print(part)
Cell(kind='words', source='# Title\\n\\nWords.', metadata={})
Mark(what='claims', about=('kov/thm-3.1',), line=5)
Cell(kind='code', source='1 + 1', metadata={})
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

_MARK = re.compile(r"<!--\s*([a-z-]+)((?:\s+\S+)*?)\s*-->\s*")
_FENCE = "```python"


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook; the metadata are those of Jupyter and nbgrader."""

    kind: Literal["words", "code"]
    source: str
    metadata: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Mark:
    """A place for generated cells: what kind, about which statements, claims or exercises."""

    what: str
    about: tuple[str, ...]
    line: int


def literal(value: object) -> str:
    r"""A text as a literal of Python on one line, whatever is in it.

    Some signs end a line in the eyes of a program that reads one; what follows would be code.

    >>> print(literal("ε \u2028 1"))
    "ε \u2028 1"
    """
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1]
                   for sign in json.dumps(str(value), ensure_ascii=False))


class NarrativeError(ValueError):
    """A narrative that cannot be read; says the line."""


def read_narrative(text: str) -> Iterator[Cell | Mark]:
    """The cells and marks of a narrative, in order."""
    words: list[str] = []
    code: list[str] | None = None
    began = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if code is not None:
            if line.rstrip() == "```":
                yield Cell("code", "\n".join(code).strip("\n"))
                code = None
            else:
                code.append(line)
            continue
        mark = _MARK.fullmatch(line)
        if mark or line.rstrip() == _FENCE:
            yield from _spoken(words)
            words = []
        if mark:
            yield Mark(mark[1], tuple(mark[2].split()), number)
        elif line.rstrip() == _FENCE:
            code, began = [], number
        else:
            words.append(line)
    if code is not None:
        raise NarrativeError(f"line {began}: the block of Python has no end")
    yield from _spoken(words)


def _spoken(lines: list[str]) -> Iterator[Cell]:
    """A heading starts a cell of its own, so that a reader can fold what is below it."""
    pieces: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("## ") and any(map(str.strip, pieces[-1])):
            pieces.append([])
        pieces[-1].append(line)
    for piece in pieces:
        source = "\n".join(piece).strip()
        if source:
            yield Cell("words", source)
