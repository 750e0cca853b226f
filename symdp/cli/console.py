"""What the commands share: options, complaints of one line, folders to write to."""

from __future__ import annotations

import json
import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from symdp.outgoing import FORCE, replaceable, sweep
from symdp.typeset.visible import visible_lines
from symdp.watched import GIGABYTE


def known_ids(incomplete: str) -> list[str]:
    """Ids that begin so, for the completion of a shell; from the table of contents, without SymPy.

    >>> known_ids("kov/thm-3.4.log")
    ['kov/thm-3.4.log-branch', 'kov/thm-3.4.log-branch.sharper', 'kov/thm-3.4.log-branch.concentrated']
    """
    from symdp.sources.contents import kept  # noqa: PLC0415 - start-up: only a shell asks

    table = kept()
    ids = [id for s in table.statements for id in (s.source, s.id, *(c.id for c in s.claims))] if table else []
    return list(dict.fromkeys(id for id in ids if id.startswith(incomplete)))


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="text, or one JSON document")]
Budget = Annotated[float, typer.Option(help="seconds of work for each claim", min=0.01)]
Jobs = Annotated[int, typer.Option(help="processes that work side by side", min=1)]
ExecutorOption = Annotated[str | None, typer.Option(
    "--executor", metavar="dask://HOST:PORT", help="a cluster that does the work; all that it sends is checked here")]
Memory = Annotated[float, typer.Option(help="gigabytes for each process", min=0.1)]
Precision = Annotated[int, typer.Option(help="bits of the enclosures", min=16, max=4096)]
Out = Annotated[Path | None, typer.Option(help="a folder for certificates")]
Explain = Annotated[bool, typer.Option("--explain", help="print the proof")]
Force = Annotated[bool, typer.Option("--force", help="replace files that symdp has not written")]
Ids = Annotated[list[str] | None, typer.Argument(
    help="ids of statements, claims or sources", autocompletion=known_ids)]
Fresh = Annotated[bool, typer.Option("--fresh", help="settle anew what the package or an earlier audit has settled")]
Earlier = Annotated[Path | None, typer.Option(help="the folder of an earlier audit, to use again")]


class BadInput(Exception):
    """Something the user gave is wrong; the message is one line."""


def in_bytes(gigabytes: float) -> int:
    return int(gigabytes * GIGABYTE)


def emit(document: object) -> None:
    r"""One JSON document; signs that a terminal would obey are written as their codes.

    >>> emit({"name": "\x9b2J"})
    {
      "name": "\u009b2J"
    }
    """
    text = json.dumps(document, indent=2, ensure_ascii=False)
    typer.echo("".join(sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1] for sign in text))


def tell(text: object, *, err: bool = False, nl: bool = True) -> None:
    """Lines of text, in which nothing speaks to the terminal: the one way out besides the screen and JSON."""
    typer.echo(visible_lines(str(text)), err=err, nl=nl)


def wrote(path: Path, what: str = "") -> None:
    """Say on standard error which file was written."""
    tell(f"symdp: wrote {path}{f' ({what})' if what else ''}", err=True)


def leave(code: int) -> NoReturn:
    """End the program with this exit code."""
    raise typer.Exit(code)


def writable(folder: Path) -> None:
    """Make the folder, or say in one line why that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            sweep(folder)
    except OSError as reason:
        raise BadInput(f"cannot write to {folder}: {reason.strerror}") from reason


def writable_file(path: Path, kinds: tuple[str, ...], *, force: bool = False) -> None:
    """Say in one line, before any work is done, why a file could not be written."""
    if path.suffix.lower() not in kinds:
        raise BadInput(f"cannot write {path}: its name must end in {' or '.join(kinds)}")
    if not path.parent.is_dir():
        raise BadInput(f"cannot write {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise BadInput(f"cannot write {path}: it is a folder")
    writable(path.parent)
    if not force:
        replaceable(path, cure=FORCE)
