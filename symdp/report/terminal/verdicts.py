"""Many verdicts as a table, as `symdp audit` prints them; without SymPy."""

from __future__ import annotations

from collections.abc import Sequence

from symdp.audit.record import Record
from symdp.report.page.summary import checked_by_coq, counts
from symdp.report.terminal.screen import Screen
from symdp.report.terminal.statements import verdict_of, why_of
from symdp.search.status import Status


def print_audit(records: Sequence[Record]) -> None:
    """A table of verdicts, and how many of each there are."""
    print_verdicts(records)
    screen = Screen()
    screen.say()
    screen.say(f"{len(records)} claims: ", ", ".join(f"{n} {name}" for name, n in counts(records).items()))
    if by_coq := checked_by_coq(records):
        screen.say(f"{by_coq} of them checked by Coq as well")
    beyond: dict[str, list[str]] = {}
    for r in records:
        if r.beyond and r.status is Status.ARGUED:
            beyond.setdefault(r.beyond, []).append(r.name)
    for needed, names in beyond.items():
        screen.say()
        screen.say(f"{len(names)} argued; a formal statement would need {needed}:")
        screen.say("  ", ", ".join(names))


def print_verdicts(records: Sequence[Record]) -> None:
    Screen().table(("claim", "verdict", "seconds", "why"),
                   [(r.name, verdict_of(r.status), f"{r.data['seconds']:.2f}", why_of(r)) for r in records],
                   unbroken=("verdict", "seconds"), right=("seconds",))
