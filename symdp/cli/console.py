"""What the commands share: options, complaints of one line, the progress bar, folders to write to."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from symdp.audit.record import Record


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="text, or one JSON document")]
Budget = Annotated[float, typer.Option(help="seconds of work for each claim", min=0.01)]
Jobs = Annotated[int, typer.Option(help="processes that work side by side", min=1)]
Ids = Annotated[list[str] | None, typer.Argument(help="ids of statements, claims or sources")]
Earlier = Annotated[Path | None, typer.Option(help="the folder of an earlier audit, to use again")]


class BadInput(Exception):
    """Something the user gave is wrong; the message is one line."""


def emit(document: object) -> None:
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))


class progress:  # noqa: N801 - reads as a statement: `with progress() as advance:`
    """A progress bar on standard error; `advance(what, done, total)` moves it."""

    def __enter__(self) -> Callable[[str, int, int], None]:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TimeElapsedColumn(), console=console, transient=True, disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("starting", total=None)
        self._bar.start()

        def advance(what: str, done: int, total: int) -> None:
            self._bar.update(self._task, description=what, completed=done, total=total)

        return advance

    def __exit__(self, *_: object) -> None:
        self._bar.stop()


def settle(items: Any, options: Any, jobs: int) -> list[Record]:
    """The records of claims or problems, with a bar that shows how far it is."""
    from symdp.audit.campaign import settle_all

    with progress() as advance:
        return settle_all(items, options, jobs=jobs, advance=advance)


def writable(folder: Path) -> None:
    """Make the folder, or say in one line why that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".symdp-probe"
        probe.touch()
        probe.unlink()
    except OSError as reason:
        raise BadInput(f"cannot write to {folder}: {reason.strerror}") from reason


def writable_file(path: Path, kinds: tuple[str, ...]) -> None:
    """Say in one line, before any work is done, why a file could not be written."""
    if path.suffix.lower() not in kinds:
        raise BadInput(f"cannot write {path}: its name must end in {' or '.join(kinds)}")
    if not path.parent.is_dir():
        raise BadInput(f"cannot write {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise BadInput(f"cannot write {path}: it is a folder")
    writable(path.parent)
