"""The table of contents: every statement and claim as text, and the module that states it.

Building all the formulas takes seconds, and whoever lists, shows or looks up needs few of them. So the table is kept
beside the literature, with a digest of the files that it was made from; where one of them has changed since, or
there is literature of somebody else, the statements themselves are read. ``python -m symdp.sources.contents`` writes
it anew.

>>> next(entry.title for entry in contents().statements if entry.id == "kov/thm-3.1")
'Basic composition'
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symdp.sources.slips import Slip, slip_of

if TYPE_CHECKING:
    from symdp.sources.statement import Claim, Statement

LITERATURE = Path(__file__).resolve().parent.parent / "literature"
TABLE = LITERATURE / "contents.json"


@dataclass(frozen=True)
class Words:
    """A text with formulas in LaTeX between dollar signs, and the same for a terminal."""

    tex: str
    plain: str

    @classmethod
    def of(cls, tex: str) -> Words:
        from symdp.typeset.prose import plain  # noqa: PLC0415 - start-up: SymPy

        return cls(tex, plain(tex))


@dataclass(frozen=True)
class ListedClaim:
    id: str
    kind: str
    task: str
    role: str
    where: str
    says: Words
    #: what it says as one line of plain text, and where
    text: str
    domain: str
    because: Words
    #: the id of its corrected form
    corrected: str | None = None
    #: its page, and whether the authors or the way from the page to the text made it what it is
    page: str = ""
    provenance: str = "authors"
    #: what the slip says that makes it fail, and how the sentence is true as it is meant; where there is such a slip
    wrong: Words = Words("", "")
    meant: Words = Words("", "")

    @property
    def slip(self) -> Slip | None:
        """The slip that makes it fail, if one is known."""
        return slip_of(self.id)


@dataclass(frozen=True)
class ListedStatement:
    id: str
    title: str
    #: the key of its source, its title, its key in BibTeX, and how it is cited
    source: str
    source_title: str
    cite: str
    reference: str
    where: str
    hypotheses: Words
    #: named closed forms as plain text
    formulas: Mapping[str, str]
    claims: tuple[ListedClaim, ...]
    #: the module that states it; none for literature of others
    module: str = ""


@dataclass(frozen=True)
class Contents:
    #: the kinds that a claim may have
    kinds: tuple[str, ...]
    statements: tuple[ListedStatement, ...]

    def chosen(self, ids: Iterable[str]) -> tuple[tuple[ListedStatement, ListedClaim], ...] | None:
        """The claims with these ids, each in its statement; one of a statement or a source stands for all its claims.

        None if one of the ids is not known; without ids, all claims.
        """
        found: dict[str, tuple[ListedStatement, ListedClaim]] = {}
        for id in (*ids,) or (None,):
            of_statement = {c.id: (s, c) for s in self.statements if id in (None, s.id, s.source) for c in s.claims}
            several = of_statement or {c.id: (s, c) for s in self.statements for c in s.claims if c.id == id}
            if not several:
                return None
            found |= several
        return tuple(found.values())


def contents() -> Contents:
    """The table, from the file that is kept, or else from the statements."""
    return kept() or read()


def kept() -> Contents | None:
    """The table that is kept, if it is of today's literature and there is none of others."""
    if os.environ.get("SYMDP_LITERATURE") or entry_points(group="symdp.literature"):
        return None
    try:
        found = json.loads(TABLE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return _from_json(found) if found.get("digest") == digest() else None


def digest() -> str:
    """Of the literature, and of the classes that it is written in."""
    found = hashlib.sha256()
    for folder in (LITERATURE, LITERATURE.parent / "sources"):
        for path in sorted(folder.rglob("*.py")):
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    for name in ("catalogue.txt", "references.bib", "slips.toml"):
        found.update((LITERATURE / name).read_bytes())
    return found.hexdigest()


def read() -> Contents:
    """The table, from the statements themselves."""
    from symdp.sources import registry  # noqa: PLC0415 - start-up: it builds every formula
    from symdp.sources.statement import KINDS  # noqa: PLC0415 - start-up: SymPy

    homes = registry.homes()
    return Contents(KINDS, tuple(listed(s, homes.get(s.id, "")) for s in registry.statements()))


def listed(s: Statement, module: str = "") -> ListedStatement:
    """A statement as text."""
    from symdp.formulas.printing import spelled  # noqa: PLC0415 - start-up: SymPy
    from symdp.sources.bibliography import reference  # noqa: PLC0415 - start-up: SymPy

    return ListedStatement(
        s.id, s.title, s.source.key, s.source.title, s.source.cite, reference(s.source.cite), s.place.label,
        Words.of(s.hypotheses), {name: spelled(e) for name, e in s.formulas.items()},
        tuple(_listed_claim(s, c) for c in s.claims), module)


def _listed_claim(s: Statement, c: Claim) -> ListedClaim:
    correction, slip = s.improvement_of(c, "corrected"), slip_of(c.id)
    return ListedClaim(c.id, c.kind, c.task, c.role, c.printed_at or s.place.label, Words.of(c.says), c.text(),
                       str(c.domain), Words.of(c.because), correction.id if correction else None,
                       c.page, c.provenance, Words.of(slip.says if slip else ""),
                       Words.of(slip.meant if slip else ""))


def _from_json(found: dict[str, Any]) -> Contents:
    def claim(c: dict[str, Any]) -> ListedClaim:
        return ListedClaim(**{**c, **{name: Words(**c[name]) for name in ("says", "because", "wrong", "meant")}})

    def statement(s: dict[str, Any]) -> ListedStatement:
        return ListedStatement(**{**s, "hypotheses": Words(**s["hypotheses"]),
                                  "claims": tuple(map(claim, s["claims"]))})

    return Contents(tuple(found["kinds"]), tuple(map(statement, found["statements"])))


def write() -> None:
    """Keep the table of today's literature."""
    table = asdict(read())
    document = {"digest": digest(), "kinds": table["kinds"], "statements": table["statements"]}
    TABLE.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
