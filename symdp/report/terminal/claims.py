"""What the command line prints: tables for people, on standard output."""

from __future__ import annotations

from collections.abc import Sequence

from symdp.audit.rechecking import Rechecked, tally
from symdp.audit.record import Record
from symdp.formulas.printing import spelled
from symdp.report.page.summary import checked_by_coq, counts
from symdp.report.terminal.screen import Part, Screen, styled
from symdp.search.reasons import Trust
from symdp.search.sharpening import Sharpest, shown
from symdp.search.verdict import COLOURS, MARKS, Status
from symdp.sources.derivations.source_proof import SourceProof
from symdp.sources.statement import Statement
from symdp.typeset.prose import plain


def _verdict(status: Status) -> Part:
    return styled(f"{MARKS[status]} {status.value}", COLOURS[status])


def print_proofs(proofs: Sequence[SourceProof]) -> None:
    """A table of the proofs of the sources that are written out line by line."""
    def parts(p: SourceProof) -> str:
        return f"{len(p.printed)} printed" + (f", {len(p.repaired)} repaired" if p.repaired else "")

    Screen().table(("id", "title", "parts", "lines"),
                   [(p.id, plain(p.title), parts(p), p.number_of_lines) for p in proofs],
                   unbroken=("id",), right=("lines",))


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
                   [(r.name, _verdict(r.status), f"{r.data['seconds']:.2f}", _why(r)) for r in records],
                   unbroken=("verdict", "seconds"), right=("seconds",))


def _why(r: Record) -> str:
    why = r.message or str(r.data["method"])
    why = f"{why}; checked by Coq" if r.by_coq else why
    return f"{why}; corrected in {r.corrected}" if r.corrected else why


def print_verdict(r: Record) -> None:
    """One claim of a user's own."""
    screen = Screen()
    screen.say(r.claim, f"   for {r.domain}" if r.domain else "")
    screen.say(_verdict(r.status), f": {_why(r)}")
    witness = r.data["witness"]
    if witness:
        screen.say(f"  left side  {witness['left']}")
        screen.say(f"  right side {witness['right']}")
        screen.say(f"  violation  {witness['violation']}")
    for line in r.explanation:
        screen.say("  ", line)
    trust = str(Trust.read(r.data))
    screen.say("  ", f"{trust}; " if trust else "", f"{r.data['seconds']:.2f} s")


def print_rechecked(rows: Sequence[Rechecked]) -> None:
    """What each certificate shows, and how many show what."""
    def said(row: Rechecked) -> tuple[Part, Part, Part]:
        # What a certificate of a counterexample shows is that the claim is false.
        mark = _verdict(Status(row.verdict)) if row.accepted else styled("! rejected", COLOURS[Status.ERROR])
        return row.path, mark, row.claim if row.accepted else row.reason

    screen = Screen()
    screen.table(("certificate", "", "claim"), map(said, rows))
    screen.say()
    screen.say(f"{len(rows)} certificates: ", ", ".join(f"{n} {word}" for word, n in tally(rows).items()))


def print_statement(s: Statement, records: Sequence[Record], cited_as: str) -> None:
    screen = Screen()
    screen.say(styled(s.title, "bold"), f"  ({s.id})")
    screen.say(f"{s.place.label} of {cited_as}")
    screen.say()
    if s.hypotheses:
        screen.say(plain(s.hypotheses))
        screen.say()
    for name, expr in s.formulas.items():
        screen.say(f"{name}:")
        screen.say("  ", spelled(expr))
        screen.say()
    says = {c.id: plain(c.says) for c in s.claims}
    for r in records:
        screen.say(_verdict(r.status), "  ", styled(r.name, "bold"), ": ", says[r.name])
        screen.say("    ", r.claim)
        screen.say(f"    for {r.domain}; {_why(r)}")


def print_sharpest(found: Sharpest) -> None:
    screen = Screen()
    for text in found.holds:
        screen.say(_verdict(Status.PROVED), "  the claim holds for ", styled(text, "bold"))
    for piece in found.pieces:
        where = piece.where()
        if where is not None:
            at = f", at {', '.join(f'{v} = {t}' for v, t in where.items())}" if where else ""
            text = shown(piece.interval, found.over)
            screen.say(_verdict(Status.REFUTED), "  it fails for each ", styled(text, "bold"), at)
    for text in found.unknown:
        screen.say(_verdict(Status.UNDECIDED), "  nothing is known for ", text)
