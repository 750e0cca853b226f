"""The list of statements and claims, as `symdp list` prints it."""

from __future__ import annotations

from collections.abc import Sequence

from symdp.report.terminal.screen import Part, Screen, styled
from symdp.sources.contents import ListedStatement

#: Below this many columns the sentence of a claim gets a line of its own.
NARROW = 120


def print_list(chosen: Sequence[ListedStatement]) -> None:
    screen = Screen()
    if screen.width < NARROW:
        for s in chosen:
            screen.say(styled(f"{s.id}  {s.title}", "bold"))
            for c in s.claims:
                screen.say(f"  {c.id}  ", styled(f"{c.kind}, {c.task}", "dim"))
                screen.say(c.says.plain, indent=6)
        return
    rows: list[tuple[Part, ...]] = []
    for s in chosen:
        rows.append((styled(s.id, "bold"), "", "", styled(s.title, "bold")))
        rows += [(f"  {c.id}", c.kind, c.task, c.says.plain) for c in s.claims]
    screen.table(("id", "kind", "task", "says"), rows, unbroken=("id", "kind", "task"))
