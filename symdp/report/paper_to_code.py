"""A map from paper to code: every numbered item of a source, its claims and verdicts, and where they are written.

>>> row = next(row for row in rows("kov") if row.claim == "kov/thm-3.4.log-branch")
>>> row.item, row.page, row.file
('Theorem 3.4', '8', 'symdp/literature/kov/simplified_composition/theorem.py')
>>> row.line > 1
True
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from symdp.sources.contents import ListedClaim, ListedStatement, contents

SOURCES = ("kov", "icml", "note", "blog")


@dataclass(frozen=True)
class Mapped:
    """One claim of a numbered item, and the line of the code that states it."""

    item: str
    page: str
    statement: str
    claim: str
    role: str
    file: str
    line: int


@cache
def items() -> Mapping[str, Mapping[str, list[str]]]:
    """The numbered items of the sources, and the statements that say them."""
    text = files("symdp.literature").joinpath("items.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def rows(source: str) -> Iterator[Mapped]:
    """The map of one source, in the order of the print."""
    known = {s.id: s for s in contents().statements}
    owners = _owners(source, known)
    for item, ids in items()[source].items():
        for id in ids:
            statement = known[id]
            begun = _line_of_statement(statement)
            if owners[id] != item or statement.source != source or not statement.claims:
                # a number within a theorem, a section of sections, what the long version has, or a definition
                yield Mapped(item, "", id, "", "", _path(statement.module), begun)
                continue
            for claim in statement.claims:
                module, line = _line_of_claim(statement, claim, begun)
                yield Mapped(item, claim.page, id, claim.id, claim.role, _path(module), line)


def _owners(source: str, known: Mapping[str, ListedStatement]) -> dict[str, str]:
    """Of each statement, the item under which its claims are told: the one it is called by, or else the first."""
    found: dict[str, str] = {}
    for item, ids in items()[source].items():
        for id in ids:
            if id not in found or known[id].where in (item, f"Equation {item}"):
                found[id] = item
    return found


def as_markdown(source: str, verdicts: Mapping[str, str]) -> str:
    """The map of one source as a table."""
    lines = ["| item | page | claim | verdict | code |", "|---|---|---|---|---|"]
    before = ""
    for row in rows(source):
        item, before = ("" if row.item == before else row.item), row.item
        verdict = verdicts.get(row.claim, "not settled yet") if row.claim else ""
        claim = f"`{row.claim}`" if row.claim else f"see `{row.statement}`"
        lines.append(f"| {item} | {row.page} | {claim} | {verdict} | {row.file}:{row.line} |")
    return "\n".join(lines)


def _path(module: str) -> str:
    return module.replace(".", "/") + ".py"


@cache
def _source_of(module: str) -> tuple[str, ...]:
    package, _, name = module.rpartition(".")
    return tuple(files(package).joinpath(f"{name}.py").read_text(encoding="utf-8").splitlines())


def _line_of_statement(s: ListedStatement) -> int:
    """Where the place of the statement is written, or the module begins."""
    slug = s.id.partition("/")[2]
    number = re.escape(slug.partition("-")[2])
    named = re.compile(rf'"{re.escape(slug)}"|\.\w+\("{number}"\)|step\("{number}"|outer_bound\("{number}"'
                       rf'|^    "{number}",|best_rule\("{number}"', re.IGNORECASE)
    return next((i for i, line in enumerate(_source_of(s.module), 1) if named.search(line)), 1)


def _line_of_claim(s: ListedStatement, c: ListedClaim, begun: int) -> tuple[str, int]:
    """Where the name of the claim is written: in its statement, elsewhere in the same module, or in one beside it."""
    name = c.id[len(s.id) + 1:]
    if not name:
        return s.module, begun
    package = s.module.rpartition(".")[0]
    beside = [f"{package}.{p.name[:-3]}" for p in sorted(files(package).iterdir(), key=lambda p: p.name)
              if p.name.endswith(".py") and p.name != "__init__.py"]
    for module in (s.module, *beside):
        found = [i for i, line in enumerate(_source_of(module), 1) if f'"{name}"' in line]
        after = [i for i in found if module == s.module and i >= begun]
        if found:
            return module, (after or found)[0]
    return s.module, begun
