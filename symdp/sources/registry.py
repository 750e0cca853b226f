r"""Finds the statements: by scanning `symdp/literature/`, other packages and plain folders.

A statement is known as soon as a module that holds it lies in the right place; nothing else has to
be touched. Three kinds of places are scanned: the literature of this package, packages that name
themselves under the entry point ``symdp.literature``, and folders of one's own (:mod:`symdp.folders`).
A file of somebody else's that is broken counts as not there, and a warning says why, once.

>>> from symdp.sources.registry import statement
>>> statement("kov/thm-3.4").place.label
'Theorem 3.4'
"""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

from symdp import folders
from symdp.folders import BrokenFile, FolderContents
from symdp.sources import bibliography, contents
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.statement import Claim, Statement

ENTRY_POINT = "symdp.literature"


class UnknownId(LookupError):
    """No statement or claim has that id."""


@dataclass(frozen=True)
class Literature:
    """All that was found, by id, and the files that were left out."""

    statements: dict[str, Statement]
    proofs: dict[str, SourceProof]
    broken: tuple[BrokenFile, ...] = ()
    #: the module of this package that states it
    homes: dict[str, str] = field(default_factory=dict)


def _modules_of_package(name: str) -> Iterator[ModuleType]:
    package = import_module(name)
    yield package
    for info in sorted(walk_packages(package.__path__, f"{name}."), key=lambda i: i.name):
        yield import_module(info.name)


@cache
def _known(own: tuple[Path, ...]) -> Literature:
    statements: dict[str, Statement] = {}
    proofs: dict[str, SourceProof] = {}
    homes: dict[str, str] = {}
    for module in _modules_of_package("symdp.literature"):
        for value in vars(module).values():
            if isinstance(value, Statement):
                if statements.setdefault(value.id, value) is not value:
                    raise ValueError(f"{value.id} is stated twice; again in {module.__name__}")
                homes.setdefault(value.id, module.__name__)
            if isinstance(value, SourceProof) and proofs.setdefault(value.id, value) is not value:
                raise ValueError(f"{value.id} is proved twice; again in {module.__name__}")
    others = [folders.read_package(entry.value) for entry in entry_points(group=ENTRY_POINT)]
    others += [folders.read(folder) for folder in own]
    faults = list(_add(others, statements, proofs, set(bibliography.entries())))
    for fault in faults:
        warnings.warn(fault, stacklevel=2)
    broken = [fault for one in others for fault in one.broken] + faults
    in_print = {s.id: s for s in sorted(statements.values(), key=_place_in_print)}
    places = {id: i for i, id in enumerate(in_print)}
    return Literature(
        in_print, {p.id: p for p in sorted(proofs.values(), key=lambda p: places.get(p.id, len(places)))},
        tuple(broken), homes)


def _add(others: Iterable[FolderContents], statements: dict[str, Statement], proofs: dict[str, SourceProof],
         references: set[str]) -> Iterator[BrokenFile]:
    """Put in what files of others hold; a file with a fault adds nothing, and its fault is yielded."""
    where = dict.fromkeys(statements, "the literature of symdp")
    for one in others:
        # What a file defines is its own; what it imports belongs to the file that it comes from.
        held = [(file, name, value) for file in one.files for name, value in vars(file.module).items()
                if isinstance(value, Statement | SourceProof)]
        defined = {id(value) for file, name, value in held if file.line_of(name)}
        for file in one.files:
            mine = [(file.line_of(name) or 1, value) for holder, name, value in held
                    if holder is file and (file.line_of(name) or id(value) not in defined)]
            stated = {value.id: value for _, value in reversed(mine) if isinstance(value, Statement)}
            proved = {value.id: value for _, value in reversed(mine) if isinstance(value, SourceProof)}
            fault = None
            for line, value in mine:
                known = {**stated, **statements} if isinstance(value, Statement) else {**proved, **proofs}
                if known[value.id] is not value:
                    fault = (line, f"{value.id} is known already, from {where.get(value.id, file.path.name)}",
                             "give it another place")
                elif missing := [key for key in _cited(value) if key not in references]:
                    fault = (line, f"{value.id} cites {missing[0]!r}, which no BibTeX file has",
                             f"write its entry into {file.path.parent / 'references.bib'}")
            if fault is not None:
                yield BrokenFile(file.path, *fault)
                continue
            statements |= stated
            proofs |= proved
            where |= dict.fromkeys(stated, str(file.path))


def _cited(value: Statement | SourceProof) -> tuple[str, ...]:
    return (value.source.cite, *(value.cites if isinstance(value, Statement) else ()))


@cache
def _catalogue() -> dict[str, int]:
    text = files("symdp.literature").joinpath("catalogue.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return {line.split()[0]: i for i, line in enumerate(lines)}


def _place_in_print(s: Statement) -> float:
    """Where the sources first speak of it; what the catalogue does not know comes last."""
    places = _catalogue()
    return min((places[c.id] for c in s.claims if c.id in places), default=float("inf"))


def statements() -> tuple[Statement, ...]:
    """All statements, in the order in which the sources print them.

    >>> [s.id for s in statements() if s.id.startswith("kov/thm-3")]
    ['kov/thm-3.1', 'kov/thm-3.2', 'kov/thm-3.3', 'kov/thm-3.4', 'kov/thm-3.5']
    """
    return tuple(_known(folders.own()).statements.values())


def broken() -> tuple[BrokenFile, ...]:
    """The files of others that could not be used; none where there are none of them.

    >>> broken()
    ()
    """
    return _known(folders.own()).broken


def proofs() -> tuple[SourceProof, ...]:
    """The proofs of the sources that are written out line by line, in the order of the print.

    >>> "kov/sec-7" in [p.id for p in proofs()]
    True
    """
    return tuple(_known(folders.own()).proofs.values())


def proof(id: str) -> SourceProof:
    """The proof that is printed there.

    >>> proof("kov/sec-7").printed[0].title
    'Every set lies above the line'
    """
    for p in proofs():
        if p.id == id:
            return p
    near = difflib.get_close_matches(id, [p.id for p in proofs()], n=1)
    cure = f"did you mean {near[0]}?" if near else "`symdp derive --list` shows what there is"
    raise UnknownId(f"there is no proof {id[:80]!r}; {cure}")


def claims() -> tuple[Claim, ...]:
    return tuple(c for s in statements() for c in s.claims)


def homes() -> dict[str, str]:
    """The modules of this package, by the ids of the statements that they hold."""
    return _known(folders.own()).homes


@cache
def _listed(own: tuple[Path, ...]) -> dict[str, str]:
    """The modules by the ids of statements and claims, from the table of contents; empty if that is not of today."""
    table = contents.kept()
    return {} if table is None else {
        id: s.module for s in table.statements for id in (s.id, *(c.id for c in s.claims))}


def _alone(id: str) -> Statement | None:
    """The statement of that id or with a claim of that id, without reading the others."""
    module = _listed(folders.own()).get(id)
    held = () if module is None else vars(import_module(module)).values()
    return next((s for s in held if isinstance(s, Statement) and id in (s.id, *(c.id for c in s.claims))), None)


def statement(id: str) -> Statement:
    """The statement of that id, or the one that holds the claim of that id."""
    if (alone := _alone(id)) is not None:
        return alone
    for s in statements():
        if id in (s.id, *(c.id for c in s.claims)):
            return s
    raise _unknown(id)


def claim(id: str) -> Claim:
    for c in statement(id).claims:
        if c.id == id:
            return c
    raise _unknown(id)


def lookup(id: str) -> Statement | Claim:
    """The statement or the claim of that id; what a notebook asks for.

    >>> lookup("kov/sec-7.alon-spencer").kind
    'inequality'
    """
    found = statement(id)
    return found if found.id == id else claim(id)


def named(id: str) -> tuple[Statement, ...]:
    """The statements of the source with that key, or else the one of that id, or with a claim of that id.

    >>> [s.id for s in named("kov/thm-3.1")], len(named("icml")) > 1
    (['kov/thm-3.1'], True)
    """
    if (alone := _alone(id)) is not None:
        return (alone,)
    return tuple(s for s in statements() if s.source.key == id) or (statement(id),)


def select(ids: Iterable[str]) -> tuple[Claim, ...]:
    """The claims of these ids; the id of a statement or a source stands for all its claims.

    >>> [c.name for c in select(["kov/thm-3.1"])][:1]
    ['']
    """
    ids = tuple(ids)
    if not ids:
        return claims()
    return tuple({c.id: c for id in ids for s in named(id) for c in s.claims
                  if id in (s.source.key, s.id, c.id)}.values())


def _unknown(id: str) -> UnknownId:
    table = contents.kept()
    left_out = "; files that could not be read were left out" if table is None and broken() else ""
    known = [id for s in (table or contents.read()).statements
             for id in (s.id, *(c.id for c in s.claims))]
    near = difflib.get_close_matches(id, known, n=1)
    cure = f"did you mean {near[0]}?" if near else "`symdp list` shows what there is"
    return UnknownId(f"there is no statement or claim {id[:80]!r}; {cure}{left_out}")
