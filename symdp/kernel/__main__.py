"""The checker on its own: ``python -m symdp.kernel FILE...`` replays certificates. **Trusted.**

A certificate that uses other claims is accepted if they are accepted themselves, from the files given,
without a circle. Exit code 0 if every file was accepted, 1 if one was not, 2 if none was given.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symdp.kernel.certificate import BadCertificate, read_document, recheck
from symdp.kernel.goals import Goal
from symdp.kernel.proof import Proof
from symdp.kernel.witness import Witness


@dataclass(frozen=True)
class Outcome:
    """What became of one file."""

    path: Path
    found: Proof | Witness | None
    reason: str = ""

    @property
    def accepted(self) -> bool:
        return self.found is not None

    def line(self) -> str:
        if self.found is None:
            return f"rejected  {self.path.name}: {self.reason}"
        word = "refuted " if isinstance(self.found, Witness) else "proved  "
        return f"{word}  {self.path.name}: {self.found.goal}"


def files_of(paths: Iterable[str]) -> Iterator[Path]:
    for text in paths:
        path = Path(text)
        yield from sorted(path.glob("*.json")) if path.is_dir() else [path]


def check_all(paths: Iterable[Path]) -> Iterator[Outcome]:
    """Each file, after those that it uses."""
    documents: dict[Path, Any] = {}
    for path in paths:
        try:
            documents[path] = read_document(path)
        except BadCertificate as reason:
            yield Outcome(path, None, str(reason))
    proved: dict[str, Goal] = {}
    waiting = dict(documents)
    while waiting:
        names = {_name(d) for d in waiting.values()}
        ready = [p for p, d in waiting.items() if not _uses(d) & names]
        if not ready:
            for path in waiting:
                yield Outcome(path, None, "it uses claims that use each other in a circle")
            return
        for path in ready:
            document = waiting.pop(path)
            try:
                found = recheck(document, proved)
            except BadCertificate as reason:
                yield Outcome(path, None, str(reason))
                continue
            if isinstance(found, Proof) and _name(document):
                proved.setdefault(_name(document), found.goal)
            yield Outcome(path, found)


def _name(document: Any) -> str:
    return str(document.get("name", "")) if isinstance(document, dict) else ""


def _uses(document: Any) -> set[str]:
    uses = document.get("uses", {}) if isinstance(document, dict) else {}
    return set(uses) if isinstance(uses, dict) else set()


def main(arguments: list[str]) -> int:
    if not arguments:
        print("usage: python -m symdp.kernel FILE-OR-FOLDER...", file=sys.stderr)
        return 2
    accepted = True
    for outcome in check_all(files_of(arguments)):
        print(_printable(outcome.line()))
        accepted = accepted and outcome.accepted
    return 0 if accepted else 1


def _printable(line: str) -> str:
    """Names come from strangers: nothing in them may speak to the terminal."""
    return "".join(c if c.isprintable() else "?" for c in line)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
