"""A bar on standard error that shows how far the work is."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from symdp.typeset.visible import visible


class progress:  # noqa: N801 - reads as a statement: `with progress() as advance:`
    """A progress bar on standard error; `advance(what, done, total)` moves it."""

    def __enter__(self) -> Callable[[str, int, int], None]:
        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
            TimeElapsedColumn(), console=console, transient=True, disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("starting", total=None)
        self._bar.start()

        def advance(what: str, done: int, total: int) -> None:
            self._bar.update(self._task, description=visible(what), completed=done, total=total)

        return advance

    def __exit__(self, *_: object) -> None:
        self._bar.stop()
