"""The checker on its own: ``python -m symdp.kernel FILE...`` replays certificates. **Trusted.**

A certificate that uses other claims is accepted if they are accepted themselves, from the files given,
without a circle. Exit code 0 if every file was accepted, 1 if one was not, 2 if none was given.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from symdp.kernel.certificate import BadCertificate, read_document, recheck
from symdp.kernel.goals import Goal
from symdp.kernel.proof import Proof
from symdp.kernel.witness import Witness


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


def check_all(paths: Iterable[Path]) -> Iterator[tuple[Path, Proof | Witness | BadCertificate]]:
    """What became of each file, after those that it uses."""
    documents: dict[Path, Any] = {}
    for path in paths:
        try:
            documents[path] = read_document(path)
        except BadCertificate as reason:
            yield path, reason
    proved: dict[str, Goal] = {}
    for layer in in_order(documents):
        for path in layer:
            document = documents.pop(path)
            try:
                found = recheck(document, proved)
            except BadCertificate as reason:
                yield path, reason
                continue
            if isinstance(found, Proof):
                proved.setdefault(name_of(document), found.goal)
            yield path, found
    yield from ((path, BadCertificate(CIRCLE)) for path in documents)


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
    for path, found in check_all(files_of(arguments)):
        word = "proved  " if isinstance(found, Proof) else "refuted " if isinstance(found, Witness) else "rejected"
        says = found if isinstance(found, BadCertificate) else found.goal
        print(_printable(f"{word}  {path.name}: {says}"))
        accepted = accepted and says is not found
    return 0 if accepted else 1


def _printable(line: str) -> str:
    """Names come from strangers: nothing in them may speak to the terminal."""
    return "".join(c if c.isprintable() else "?" for c in line)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
