"""A statement with what became of its claims, as `symdp show` prints it; without SymPy."""

from __future__ import annotations

from collections.abc import Sequence

from symdp.audit.record import Record
from symdp.report.terminal.screen import Part, Screen, styled
from symdp.search.status import COLOURS, MARKS, Status
from symdp.sources.contents import ListedStatement


def verdict_of(status: Status) -> Part:
    return styled(f"{MARKS[status]} {status.value}", COLOURS[status])


def why_of(r: Record) -> str:
    why = r.message or str(r.data["method"])
    why = f"{why}; checked by Coq" if r.by_coq else why
    return f"{why}; corrected in {r.corrected}" if r.corrected else why


def print_statement(s: ListedStatement, records: Sequence[Record]) -> None:
    screen = Screen()
    screen.say(styled(s.title, "bold"), f"  ({s.id})")
    screen.say(f"{s.where} of {s.reference}")
    screen.say()
    if s.hypotheses.plain:
        screen.say(s.hypotheses.plain)
        screen.say()
    for name, formula in s.formulas.items():
        screen.say(f"{name}:")
        screen.say("  ", formula)
        screen.say()
    says = {c.id: c.says.plain for c in s.claims}
    for r in records:
        screen.say(verdict_of(r.status), "  ", styled(r.name, "bold"), ": ", says[r.name])
        screen.say("    ", r.claim)
        screen.say(f"    for {r.domain}; {why_of(r)}")
