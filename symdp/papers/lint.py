r"""A verdict for every relation of a document.

>>> import tempfile
>>> place = Path(tempfile.mkdtemp()) / "paper.tex"
>>> _ = place.write_text(r"Let $x > 0$. Then $$x \le x + 1.$$")
>>> [finding.verdict for finding in lint([place])]
['assumption', 'unread']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from symdp.incoming import NotRead, text_of
from symdp.papers.finding import Finding
from symdp.watched import MEMORY

#: Seconds for each relation.
BUDGET = 2.0
#: Bytes of one file.
LARGEST_FILE = 4_000_000
Advance = Callable[[str, int, int], None]


class NoPaper(ValueError):
    """A document cannot be read at all; the message is one line."""


def lint(
    paths: Iterable[Path | str],
    *,
    budget: float = BUDGET,
    jobs: int = 1,
    memory: int | None = MEMORY,
    out: Path | None = None,
    advance: Advance = lambda what, done, total: None,
) -> Iterator[Finding]:
    """The findings in the order of the documents, each as soon as those before it are known.

    ``budget`` is for each relation, ``out`` a folder for certificates, ``memory`` in bytes for each process.
    """
    for path in map(Path, paths):
        try:
            text = text_of(path, LARGEST_FILE)
        except NotRead as reason:
            raise NoPaper(f"{path}: {reason}") from reason
        displays = list(re.finditer(r"\$\$?([^$]*)\$\$?", text))
        for done, found in enumerate(displays):
            advance(str(path), done, len(displays))
            line = text.count("\n", 0, found.start()) + 1
            column = found.start() - text.rfind("\n", 0, found.start())
            verdict = "assumption" if text[:found.start()].endswith("Let ") else "unread"
            yield Finding(str(path), line, column, found[1], "", verdict, message="it is not read yet")
