"""The screen: lines and tables on standard output, for a person in a window, for another program in whole lines.

This is the one place that prints with colours, and it knows no markup: what is printed is a text, or a text with a
style. So a name such as ``[/x]`` is a name, and every text goes through :func:`symdp.typeset.visible.visible`.

>>> Screen().say("the name ", styled("[/x]", "bold"), " is", chr(27), "[2J a name")
the name [/x] is\\x1b[2J a name

A line that is too long for a window hangs below its beginning.

>>> os.environ["COLUMNS"] = "26"
>>> Screen().say("  a sentence that is longer than its window is")
  a sentence that is
    longer than its window
    is
>>> del os.environ["COLUMNS"]
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from symdp.typeset.visible import visible

#: Lines that go to a file or another program are not broken: `grep` finds whole rows.
UNBROKEN = 10_000

#: Signs by which the second line of a long one stands further in, and the least room in which that is of use.
HANG, NARROWEST = 2, 20

#: What is printed: anything as its text, or a text with a style.
Part = object


def styled(text: object, style: str) -> Text:
    """A text in a colour, or bold, or dim."""
    return Text(visible(text), style)


def together(*parts: Part) -> Text:
    """Several parts as one, for a cell of a table."""
    return Text.assemble(*(part if isinstance(part, Text) else Text(visible(part)) for part in parts))


class Screen:
    """Standard output; breaks no line which another program reads, and with ``whole`` none at all."""

    def __init__(self, *, whole: bool = False) -> None:
        self._console = Console(highlight=False, markup=False, emoji=False, soft_wrap=whole)
        if not self._console.is_terminal and "COLUMNS" not in os.environ:
            self._console.width = UNBROKEN

    @property
    def width(self) -> int:
        return self._console.width

    def say(self, *parts: Part, indent: int = 0) -> None:
        """One line; without parts, an empty one. What goes on in a second one hangs below the first."""
        line = together(" " * indent, *parts)
        start = len(line.plain) - len(line.plain.lstrip(" "))
        room = self._console.width - start - HANG
        if self._console.soft_wrap or line.cell_len <= self._console.width or room < NARROWEST:
            self._console.print(line)
            return
        first, *others = line[start:].wrap(self._console, room)
        for part, before in ((first, start), *((other, start + HANG) for other in others)):
            part.rstrip()
            self._console.print(together(" " * before, part))

    def table(self, headings: Sequence[str], rows: Iterable[Sequence[Part]], *, unbroken: Iterable[str] = (),
              right: Iterable[str] = ()) -> None:
        """A table, without the blanks with which its last column is filled up."""
        unbroken, right = set(unbroken), set(right)
        made = Table(box=None, pad_edge=False, header_style="bold")
        for heading in headings:
            made.add_column(heading, overflow="fold", no_wrap=heading in unbroken,
                            justify="right" if heading in right else "left")
        for row in rows:
            made.add_row(*(together(part) for part in row))
        if self._console.is_terminal:
            self._console.print(made)
            return
        with self._console.capture() as captured:
            self._console.print(made)
        self._console.file.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())
