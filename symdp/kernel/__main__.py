"""The checker on its own: ``python -m symdp.kernel FILE...`` replays certificates. **Trusted.**

A certificate that uses other claims is accepted if they are accepted themselves, from the files given,
without a circle. Exit code 0 if every file was accepted, 1 if one was not, 2 if none was given.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
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

    def line(self) -> str:
        if self.found is None:
            return f"rejected  {self.path.name}: {self.reason}"
        word = "proved  " if isinstance(self.found, Proof) else "refuted "
        return f"{word}  {self.path.name}: {self.found.goal}"


def files_of(paths: Iterable[str]) -> Iterator[Path]:
    for text in paths:
        path = Path(text)
        yield from sorted(path.glob("*.json")) if path.is_dir() else [path]


def in_order(documents: Mapping[Path, Any]) -> Iterator[list[Path]]:
    """The files in layers, each after those that it uses; what uses itself in a circle is left out."""
    waiting = dict(documents)
    while waiting:
        names = {name_of(d) for d in waiting.values()}
        ready = [p for p, d in waiting.items() if uses_of(d).isdisjoint(names)]
        if not ready:
            return
        yield ready
        for path in ready:
            del waiting[path]


def check_all(paths: Iterable[Path]) -> Iterator[Outcome]:
    """Each file, after those that it uses."""
    documents: dict[Path, Any] = {}
    for path in paths:
        try:
            documents[path] = read_document(path)
        except BadCertificate as reason:
            yield Outcome(path, None, str(reason))
    proved: dict[str, Goal] = {}
    for layer in in_order(documents):
        for path in layer:
            document = documents.pop(path)
            try:
                found = recheck(document, proved)
            except BadCertificate as reason:
                yield Outcome(path, None, str(reason))
                continue
            if isinstance(found, Proof):
                proved.setdefault(name_of(document), found.goal)
            yield Outcome(path, found)
    for path in documents:
        yield Outcome(path, None, CIRCLE)


CIRCLE = "it uses claims that use each other in a circle"


def name_of(document: Any) -> str:
    return str(document.get("name", "")) if isinstance(document, dict) else ""


def uses_of(document: Any) -> set[str]:
    uses = document.get("uses", {}) if isinstance(document, dict) else {}
    return {str(u) for u in uses} if isinstance(uses, dict) else set()


def main(arguments: list[str]) -> int:
    if not arguments:
        print("usage: python -m symdp.kernel FILE-OR-FOLDER...", file=sys.stderr)
        return 2
    accepted = True
    for outcome in check_all(files_of(arguments)):
        print(_printable(outcome.line()))
        accepted = accepted and outcome.found is not None
    return 0 if accepted else 1


def _printable(line: str) -> str:
    """Names come from strangers: nothing in them may speak to the terminal."""
    return "".join(c if c.isprintable() else "?" for c in line)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
