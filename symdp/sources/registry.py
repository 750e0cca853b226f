r"""Finds the statements: by scanning `symdp/literature/`, other packages and plain folders.

A statement is known as soon as a module that holds it lies in the right place; nothing else has to
be touched. Three kinds of places are scanned: the literature of this package, packages that name
themselves under the entry point ``symdp.literature``, and folders (the environment variable
``SYMDP_LITERATURE``, or an argument).

>>> from symdp.sources.registry import statement
>>> statement("kov/thm-3.4").place.label
'Theorem 3.4'
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

from symdp.sources.source_proof import SourceProof
from symdp.sources.statement import Claim, Statement

ENTRY_POINT = "symdp.literature"
FOLDERS = "SYMDP_LITERATURE"


class UnknownId(LookupError):
    """No statement or claim has that id."""


def _modules_of_package(name: str) -> Iterator[ModuleType]:
    package = import_module(name)
    yield package
    for info in sorted(walk_packages(package.__path__, f"{name}."), key=lambda i: i.name):
        yield import_module(info.name)


def _modules_of_folder(folder: Path) -> Iterator[ModuleType]:
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is not a folder of statements")
    for path in sorted(folder.rglob("*.py")):
        name = "symdp_literature_" + "_".join(path.relative_to(folder).with_suffix("").parts)
        spec = spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            continue
        module = module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        yield module


def _scan(folders: Iterable[Path]) -> Iterator[ModuleType]:
    yield from _modules_of_package("symdp.literature")
    for entry in entry_points(group=ENTRY_POINT):
        yield from _modules_of_package(entry.value)
    for folder in folders:
        yield from _modules_of_folder(folder)


@cache
def _known(folders: tuple[Path, ...]) -> dict[str, Statement]:
    found: dict[str, Statement] = {}
    for module in _scan(folders):
        for value in vars(module).values():
            if isinstance(value, Statement):
                before = found.setdefault(value.id, value)
                if before is not value:
                    raise ValueError(f"{value.id} is stated twice; again in {module.__name__}")
    return {s.id: s for s in sorted(found.values(), key=_place_in_print)}


@cache
def _known_proofs(folders: tuple[Path, ...]) -> dict[str, SourceProof]:
    found: dict[str, SourceProof] = {}
    for module in _scan(folders):
        for value in vars(module).values():
            if isinstance(value, SourceProof) and found.setdefault(value.id, value) is not value:
                raise ValueError(f"{value.id} is proved twice; again in {module.__name__}")
    places = {s.id: i for i, s in enumerate(_known(folders).values())}
    return {p.id: p for p in sorted(found.values(), key=lambda p: places.get(p.id, len(places)))}


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
    return tuple(_known(_folders()).values())


def _folders() -> tuple[Path, ...]:
    return tuple(Path(f) for f in os.environ.get(FOLDERS, "").split(os.pathsep) if f)


def proofs() -> tuple[SourceProof, ...]:
    """The proofs of the sources that are written out line by line, in the order of the print.

    >>> "kov/sec-7" in [p.id for p in proofs()]
    True
    """
    return tuple(_known_proofs(_folders()).values())


def proof(id: str) -> SourceProof:
    """The proof that is printed there.

    >>> [part.title for part in proof("kov/sec-7").printed]
    ['Section 7, as printed']
    """
    for p in proofs():
        if p.id == id:
            return p
    near = difflib.get_close_matches(id, [p.id for p in proofs()], n=1)
    cure = f"did you mean {near[0]}?" if near else "`symdp derive --list` shows what there is"
    raise UnknownId(f"there is no proof {id[:80]!r}; {cure}")


def claims() -> tuple[Claim, ...]:
    return tuple(c for s in statements() for c in s.claims)


def statement(id: str) -> Statement:
    """The statement of that id, or the one that holds the claim of that id."""
    for s in statements():
        if s.id == id or any(c.id == id for c in s.claims):
            return s
    raise _unknown(id)


def claim(id: str) -> Claim:
    for c in claims():
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


def select(ids: Iterable[str]) -> tuple[Claim, ...]:
    """The claims of these ids; the id of a statement or a source stands for all its claims.

    >>> [c.name for c in select(["kov/thm-3.1"])][:1]
    ['']
    """
    ids = tuple(ids)
    if not ids:
        return claims()
    chosen: dict[str, Claim] = {}
    for id in ids:
        exactly = [c for c in claims() if c.id == id] if id not in _statement_ids() else []
        of_statement = [c for s in statements() if id in (s.id, s.source.key) for c in s.claims]
        if not exactly and not of_statement:
            raise _unknown(id)
        chosen |= {c.id: c for c in exactly or of_statement}
    return tuple(chosen.values())


def _statement_ids() -> set[str]:
    return {s.id for s in statements()}


def _unknown(id: str) -> UnknownId:
    known = [*_statement_ids(), *(c.id for c in claims())]
    near = difflib.get_close_matches(id, known, n=1)
    cure = f"did you mean {near[0]}?" if near else "`symdp list` shows what there is"
    return UnknownId(f"there is no statement or claim {id[:80]!r}; {cure}")
