"""The table of contents: every statement and claim in a line, without its formulas.

Building all the formulas takes seconds, and a list of names needs none of them. So the table is kept beside the
literature, with a digest of the files that it was made from; where one of them has changed since, or there is
literature of somebody else, the statements themselves are read. ``python -m symdp.sources.contents`` writes it anew.

>>> next(entry.title for entry in contents().statements if entry.id == "kov/thm-3.1")
'Basic composition'
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

LITERATURE = Path(__file__).resolve().parent.parent / "literature"
TABLE = LITERATURE / "contents.json"


@dataclass(frozen=True)
class ListedClaim:
    id: str
    kind: str
    task: str
    role: str
    where: str
    #: as plain text
    says: str


@dataclass(frozen=True)
class ListedStatement:
    id: str
    title: str
    source: str
    where: str
    claims: tuple[ListedClaim, ...]


@dataclass(frozen=True)
class Contents:
    #: the kinds that a claim may have
    kinds: tuple[str, ...]
    statements: tuple[ListedStatement, ...]


def contents() -> Contents:
    """The table, from the file that is kept, or else from the statements."""
    if os.environ.get("SYMDP_LITERATURE") or entry_points(group="symdp.literature"):
        return read()
    try:
        kept = json.loads(TABLE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return read()
    return _from_json(kept) if kept.get("digest") == digest() else read()


def digest() -> str:
    """Of the literature, and of the classes that it is written in."""
    found = hashlib.sha256()
    for folder in (LITERATURE, LITERATURE.parent / "sources"):
        for path in sorted(folder.rglob("*.py")):
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    found.update((LITERATURE / "catalogue.txt").read_bytes())
    return found.hexdigest()


def read() -> Contents:
    """The table, from the statements themselves."""
    from symdp.sources import registry  # noqa: PLC0415 - start-up: it builds every formula
    from symdp.sources.statement import KINDS  # noqa: PLC0415 - start-up: SymPy
    from symdp.typeset.prose import plain  # noqa: PLC0415 - start-up: SymPy

    return Contents(KINDS, tuple(
        ListedStatement(s.id, s.title, s.source.key, s.place.label, tuple(
            ListedClaim(c.id, c.kind, c.task, c.role, c.printed_at or s.place.label, plain(c.says))
            for c in s.claims))
        for s in registry.statements()))


def _from_json(kept: dict[str, Any]) -> Contents:
    return Contents(tuple(kept["kinds"]), tuple(
        ListedStatement(**{**s, "claims": tuple(ListedClaim(**c) for c in s["claims"])}) for s in kept["statements"]))


def write() -> None:
    """Keep the table of today's literature."""
    document = {"digest": digest(), **asdict(read())}
    TABLE.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
