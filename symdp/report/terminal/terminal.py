"""What the command line prints: tables for people, on standard output."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from symdp.audit.rechecking import Rechecked
from symdp.audit.record import Record
from symdp.formulas.printing import spelled
from symdp.report.page.summary import counts
from symdp.search.sharpening import Sharpest, shown
from symdp.search.trust import trust_line
from symdp.search.verdict import COLOURS, MARKS, Status
from symdp.sources.source_proof import SourceProof
from symdp.sources.statement import Claim, Statement
from symdp.typeset.prose import plain

#: Lines that go to a file or another program are not broken: `grep` finds whole rows.
UNBROKEN = 10_000
#: Below this many columns the sentence of a claim gets a line of its own.
NARROW = 120


def _console() -> Console:
    console = Console(highlight=False, soft_wrap=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = UNBROKEN
    return console


def _print_table(table: Table) -> None:
    """The table, without the blanks with which its last column is filled up."""
    console = _console()
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as captured:
        console.print(table)
    console.file.writelines(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _verdict(status: Status) -> str:
    return f"[{COLOURS[status]}]{MARKS[status]} {status.value}[/]"


def print_list(chosen: Sequence[tuple[Statement, Sequence[Claim]]]) -> None:
    console = _console()
    if console.width < NARROW:
        for s, claims in chosen:
            console.print(f"[bold]{escape(s.id)}  {escape(s.title)}[/]")
            for c in claims:
                console.print(f"  {escape(c.id)}  [dim]{c.kind}, {c.task}[/]")
                console.print(Padding(escape(plain(c.says)), (0, 0, 0, 6)))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("id", "kind", "task", "says"):
        table.add_column(heading, overflow="fold", no_wrap=heading != "says")
    for s, claims in chosen:
        table.add_row(f"[bold]{escape(s.id)}[/]", "", "", f"[bold]{escape(s.title)}[/]")
        for c in claims:
            table.add_row(f"  {escape(c.id)}", c.kind, c.task, escape(plain(c.says)))
    _print_table(table)


def print_proofs(proofs: Sequence[SourceProof]) -> None:
    """A table of the proofs of the sources that are written out line by line."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("id", "title", "parts", "lines"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "id",
                         justify="right" if heading == "lines" else "left")
    for p in proofs:
        parts = f"{len(p.printed)} printed" + (f", {len(p.repaired)} repaired" if p.repaired else "")
        table.add_row(escape(p.id), escape(plain(p.title)), parts, str(p.number_of_lines))
    _print_table(table)


def print_audit(records: Sequence[Record]) -> None:
    """A table of verdicts, and how many of each there are."""
    print_verdicts(records)
    summary = ", ".join(f"{n} {name}" for name, n in counts(records).items())
    console = _console()
    console.print(f"\n{len(records)} claims: {summary}")
    beyond: dict[str, list[str]] = {}
    for r in records:
        if r.beyond and r.status is Status.ARGUED:
            beyond.setdefault(r.beyond, []).append(r.name)
    for needed, names in beyond.items():
        console.print(f"\n{len(names)} argued; a formal statement would need {needed}:\n  {', '.join(names)}")


def print_verdicts(records: Sequence[Record]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("claim", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("why", overflow="fold")
    table.add_column("seconds", justify="right", no_wrap=True)
    for r in records:
        table.add_row(
            escape(r.name), _verdict(r.status), escape(_why(r)), f"{r.data['seconds']:.2f}"
        )
    _print_table(table)


def _why(r: Record) -> str:
    why = r.message or str(r.data["method"])
    return f"{why}; corrected in {r.corrected}" if r.corrected else why


def print_verdict(r: Record) -> None:
    """One claim of a user's own."""
    console = _console()
    console.print(f"{escape(r.claim)}   for {escape(r.domain)}" if r.domain else escape(r.claim))
    console.print(f"{_verdict(r.status)}: {escape(_why(r))}")
    witness = r.data["witness"]
    if witness:
        console.print(
            f"  left side  {witness['left']}\n  right side {witness['right']}\n"
            f"  violation  {witness['violation']}"
        )
    for line in r.explanation:
        console.print(f"  {escape(line)}")
    trust = trust_line(r.data["trust"])
    console.print(f"  {escape(f'{trust}; ' if trust else '')}{r.data['seconds']:.2f} s")


def print_rechecked(rows: Sequence[Rechecked]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("certificate", "", "claim"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        # What a certificate of a counterexample shows is that the claim is false.
        mark = f"[{COLOURS[Status(row.verdict)]}]✓ {row.verdict}[/]" if row.accepted else "[red]rejected[/]"
        said = row.claim if row.accepted else row.reason
        table.add_row(escape(row.path), mark, escape(said))
    _print_table(table)


def print_statement(s: Statement, records: Sequence[Record], cited_as: str) -> None:
    console = _console()
    console.print(f"[bold]{escape(s.title)}[/]  ({escape(s.id)})")
    console.print(f"{escape(s.place.label)} of {escape(cited_as)}\n")
    if s.hypotheses:
        console.print(escape(plain(s.hypotheses)) + "\n")
    for name, expr in s.formulas.items():
        console.print(f"{escape(name)}:\n  {escape(spelled(expr))}\n")
    says = {c.id: plain(c.says) for c in s.claims}
    for r in records:
        console.print(f"{_verdict(r.status)}  [bold]{escape(r.name)}[/]: {escape(says[r.name])}")
        console.print(f"    {escape(r.claim)}")
        console.print(f"    for {escape(r.domain)}; {escape(_why(r))}")


def print_sharpest(found: Sharpest) -> None:
    console = _console()
    for text in found.holds:
        console.print(f"{_verdict(Status.PROVED)}  the claim holds for [bold]{escape(text)}[/]")
    for piece in found.pieces:
        where = piece.where()
        if where is not None:
            at = f", at {', '.join(f'{v} = {t}' for v, t in where.items())}" if where else ""
            text = shown(piece.interval, found.over)
            console.print(f"{_verdict(Status.REFUTED)}  it fails for each [bold]{escape(text)}[/]{escape(at)}")
    for text in found.unknown:
        console.print(f"{_verdict(Status.UNDECIDED)}  nothing is known for {escape(text)}")
