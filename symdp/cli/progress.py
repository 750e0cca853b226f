"""How far the work is, on standard error: a bar in a terminal, elsewhere a line each half minute.

>>> moments = iter([0, 10, 31, 40, 100])
>>> said = []
>>> lines = Lines(said.append, lambda: next(moments))
>>> for done in range(4):
...     lines("settling", done, 9)
>>> said
['symdp: settling, 1 of 9 (31 s)', 'symdp: settling, 3 of 9 (100 s)']
"""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from symdp.cli.console import tell
from symdp.typeset.visible import visible

#: Seconds between two lines, where there is no terminal.
PAUSE = 30


class Lines:
    """Says how far the work is, but not more often than every half minute."""

    def __init__(self, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._say, self._clock = say, clock
        self._start = self._last = clock()

    def __call__(self, what: str, done: int, total: int) -> None:
        now = self._clock()
        if now - self._last < PAUSE:
            return
        self._last = now
        far = f", {done} of {total}" if total > 1 else ""
        self._say(f"symdp: {' '.join(what.split())}{far} ({now - self._start:.0f} s)")


class progress:  # noqa: N801 - reads as a statement: `with progress() as advance:`
    """Progress on standard error; `advance(what, done, total)` tells it."""

    def __enter__(self) -> Callable[[str, int, int], None]:
        console = Console(stderr=True)
        self._bar: Progress | None = None
        if not console.is_terminal:
            return Lines(lambda line: tell(line, err=True))
        self._bar = bar = Progress(
            TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
            TimeElapsedColumn(), console=console, transient=True,
        )
        task = bar.add_task("starting", total=None)
        bar.start()

        def advance(what: str, done: int, total: int) -> None:
            bar.update(task, description=visible(what), completed=done, total=total)

        return advance

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
