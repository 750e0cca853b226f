"""``symdp new``: a theorem or a mechanism of one's own, as a file that works and explains itself."""

from __future__ import annotations

import keyword
import os
import re
from datetime import date
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from symdp import folders
from symdp.cli.console import BadInput, tell, writable
from symdp.outgoing import write
from symdp.privacy.mechanisms.registry import mechanisms
from symdp.sources.registry import statements

Name = Annotated[str, typer.Argument(help="letters, digits and -, such as tail-bound")]
Folder = Annotated[Path | None, typer.Option(
    help="where to write it; without it the first folder of SYMDP_LITERATURE, or ./literature")]

new = typer.Typer(help="Begin a theorem or a mechanism of your own: a template that passes.",
                  add_completion=False, rich_markup_mode=None)


@new.command()
def theorem(name: Name, folder: Folder = None) -> None:
    """A statement with claims that are proved, its BibTeX entry, and a test."""
    at, words = _begin(name, folder)
    paths = _absent(at, words, {"{module}.py": "theorem", "{module}.bib": "bibliography",
                                "test_{module}.py": "test_theorem"})
    if any(s.source.key == words["name"] for s in statements()):
        raise BadInput(f"there is a source {words['name']!r} already; its ids would be taken")
    _write(at, words, paths)
    tell(f"next: symdp {_named(at)}audit {words['name']}", err=True)


@new.command()
def mechanism(name: Name, folder: Folder = None) -> None:
    """A mechanism that composes, and a test."""
    at, words = _begin(name, folder)
    paths = _absent(at, words, {"{module}.py": "mechanism", "test_{module}.py": "test_mechanism"})
    if words["name"] in mechanisms():
        raise BadInput(f"there is a mechanism {words['name']!r} already; give yours another name")
    _write(at, words, paths)
    tell(f"next: symdp {_named(at)}compose --mechanism '{words['name']} epsilon=1 silence=1/10 "
               "count=10' --target-delta 1e-6", err=True)


def _begin(name: str, folder: Path | None) -> tuple[Path, dict[str, str]]:
    """Where to write, and what stands for what in the templates."""
    word = name.lower().replace("_", "-")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", word):
        raise BadInput(f"{name!r} is no name for a file of Python; write letters, digits and -, such as tail-bound")
    module = word.replace("-", "_")
    if keyword.iskeyword(module):
        raise BadInput(f"{name!r} is a word of Python's own; add another one to it")
    own = folders.own()
    at = folder or (own[0] if own else Path("literature"))
    parts, year = word.split("-"), str(date.today().year)
    title = " ".join(parts).capitalize()
    # What lies in the folder already is looked at too: an id or a name must be new there.
    if at.is_dir() and at.absolute() not in own and not _ours(at):
        os.environ[folders.FOLDERS] = os.pathsep.join([str(at), *map(str, own)])
    return at, {"name": word, "module": module, "variable": module, "klass": "".join(p.capitalize() for p in parts),
                "title": title, "words": " ".join(parts), "cite": f"{''.join(parts)}draft", "year": year,
                "folder": str(at)}


def _ours(folder: Path) -> bool:
    """Whether it is a folder of this package, which is read anyway."""
    return folder.absolute().is_relative_to(Path(folders.__file__).parent)


def _named(folder: Path) -> str:
    return "" if _ours(folder) else f"--literature {folder} "


def _absent(folder: Path, words: dict[str, str], wanted: dict[str, str]) -> dict[Path, str]:
    """The files with their templates, if none of them is there already."""
    paths = {folder / pattern.format(**words): template for pattern, template in wanted.items()}
    for path in paths:
        if path.exists():
            raise BadInput(f"{path} exists, and is not replaced; take another name or folder")
    return paths


def _write(folder: Path, words: dict[str, str], paths: dict[Path, str]) -> None:
    writable(folder)
    for path, template in paths.items():
        text = files("symdp.cli").joinpath("templates", f"{template}.txt").read_text(encoding="utf-8")
        write(path, Template(text).substitute(words), ours=lambda content: False)
        tell(str(path))
