"""A statement with what became of its claims, as `symdp show` prints it; without SymPy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symdp.audit.record import Record
from symdp.report.terminal.screen import Part, Screen, styled
from symdp.search.status import COLOURS, MARKS, Status
from symdp.sources.contents import ListedClaim, ListedStatement


def verdict_of(status: Status) -> Part:
    return styled(f"{MARKS[status]} {status.value}", COLOURS[status])


def why_of(r: Record) -> str:
    why = r.message or str(r.data["method"])
    why = f"{why}; checked by Coq" if r.by_coq else why
    return f"{why}; corrected in {r.corrected}" if r.corrected else why


def charity_of(claim: ListedClaim) -> Iterator[str]:
    """Beside a claim that fails: how it is meant, and what the text may have lost."""
    slip = claim.slip
    if slip is None:
        return
    if slip.provenance == "extraction":
        yield f"the text extraction may have made it: {claim.wrong.plain}"
    if slip.meant:
        yield f"as meant it holds: {claim.meant.plain}"


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
    listed = {c.id: c for c in s.claims}
    for r in records:
        screen.say(verdict_of(r.status), "  ", styled(r.name, "bold"), ": ", listed[r.name].says.plain)
        screen.say("    ", r.claim)
        screen.say(f"    for {r.domain}; {why_of(r)}")
        if r.status is Status.REFUTED or r.data.get("against"):
            for line in charity_of(listed[r.name]):
                screen.say("    ", line)
