"""What the command line prints: tables for people, on standard output."""

from __future__ import annotations

from collections.abc import Sequence

from symdp.audit.rechecking import Rechecked, tally
from symdp.audit.record import Record
from symdp.report.terminal.screen import Part, Screen, styled
from symdp.report.terminal.statements import verdict_of, why_of
from symdp.search.reasons import Trust
from symdp.search.repairs import Suggestion
from symdp.search.sharpening import Sharpest, shown
from symdp.search.status import COLOURS, Status
from symdp.sources.derivations.source_proof import SourceProof
from symdp.typeset.prose import plain


def print_proofs(proofs: Sequence[SourceProof]) -> None:
    """A table of the proofs of the sources that are written out line by line."""
    def parts(p: SourceProof) -> str:
        return f"{len(p.printed)} printed" + (f", {len(p.repaired)} repaired" if p.repaired else "")

    Screen().table(("id", "title", "parts", "lines"),
                   [(p.id, plain(p.title), parts(p), p.number_of_lines) for p in proofs],
                   unbroken=("id",), right=("lines",))


def print_verdict(r: Record) -> None:
    """One claim of a user's own."""
    screen = Screen()
    screen.say(r.claim, f"   for {r.domain}" if r.domain else "")
    screen.say(verdict_of(r.status), f": {why_of(r)}")
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
        mark = verdict_of(Status(row.verdict)) if row.accepted else styled("! rejected", COLOURS[Status.ERROR])
        return row.path, mark, row.claim if row.accepted else row.reason

    screen = Screen()
    screen.table(("certificate", "", "claim"), map(said, rows))
    screen.say()
    screen.say(f"{len(rows)} certificates: ", ", ".join(f"{n} {word}" for word, n in tally(rows).items()))


def print_suggestion(found: Suggestion, paths: Sequence[str | None]) -> None:
    screen = Screen()
    screen.say(verdict_of(found.verdict.status), "  ", str(found.verdict.method))
    for repair, path in zip(found.repairs, paths, strict=True):
        weakest = ", the weakest" if repair.weakest else ""
        screen.say(verdict_of(Status.PROVED), f"  with {repair.kind}{weakest}: ", styled(repair.change, "bold"))
        screen.say("        ", repair.statement, f" ({path})" if path else "")
    if not found.repairs and found.verdict.status is not Status.PROVED:
        screen.say("no repair was found")


def print_sharpest(found: Sharpest) -> None:
    screen = Screen()
    for text in found.holds:
        screen.say(verdict_of(Status.PROVED), "  the claim holds for ", styled(text, "bold"))
    for piece in found.pieces:
        where = piece.where()
        if where is not None:
            at = f", at {', '.join(f'{v} = {t}' for v, t in where.items())}" if where else ""
            text = shown(piece.interval, found.over)
            screen.say(verdict_of(Status.REFUTED), "  it fails for each ", styled(text, "bold"), at)
    for text in found.unknown:
        screen.say(verdict_of(Status.UNDECIDED), "  nothing is known for ", text)
