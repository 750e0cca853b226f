"""What the commands share: the two formats, complaints of one line, the progress bar."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import typer


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"


FormatOption = Annotated[Format, typer.Option("--format", help="text, or one JSON document")]


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
