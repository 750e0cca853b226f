"""``symdp latex``, ``symdp errata`` and ``symdp report``: what is taken away on paper or as a page."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from symdp.cli.console import (
    BadInput,
    Budget,
    Earlier,
    Format,
    FormatOption,
    Ids,
    Jobs,
    emit,
    progress,
    settle,
    writable,
    writable_file,
)

if TYPE_CHECKING:
    from symdp.report.figures.numbers import Several
    from symdp.report.paper.documents import Piece
    from symdp.report.paper.latex import Manner


class Log(StrEnum):
    LOG = "log"
    LN = "ln"


class Epsilon(StrEnum):
    VAREPSILON = "varepsilon"
    EPSILON = "epsilon"


class Symbols(StrEnum):
    HOUSE = "house"
    PAPER = "paper"


Paper = Annotated[Path | None, typer.Option(
    "-o", "--output", help="a whole file: paper.tex with references.bib beside it, or paper.pdf")]


def register(app: typer.Typer) -> None:
    for command in (latex, errata, report):
        app.command()(command)


def latex(
    ids: Annotated[list[str] | None, typer.Argument(
        help="ids of statements, claims or sources; with --table, names of bounds as well")] = None,
    document: Annotated[bool, typer.Option("--document", help="a whole file that compiles")] = False,
    at: Annotated[list[str] | None, typer.Option(
        help="put numbers into the formulas: 'eps = 0.1', 'k = 10, 100'; may be repeated")] = None,
    table: Annotated[bool, typer.Option(
        "--table", help="the bounds side by side, at the numbers of --at")] = False,
    proof: Annotated[bool, typer.Option("--proof", help="settle the claims, and print how")] = False,
    errata: Annotated[bool, typer.Option("--errata", help="what does not hold as printed")] = False,
    log: Annotated[Log | None, typer.Option(help="the name of the natural logarithm")] = None,
    epsilon: Annotated[Epsilon, typer.Option(help="the letter")] = Epsilon.VAREPSILON,
    symbols: Annotated[Symbols, typer.Option(
        help="letters of the house, or of each paper")] = Symbols.HOUSE,
    output: Paper = None,
    budget: Budget = 10.0,
    jobs: Jobs = 1,
    out: Earlier = None,
) -> None:
    """Statements, tables of bounds, proofs and errata as LaTeX that compiles with pdflatex."""
    from symdp.report.figures.numbers import read_numbers
    from symdp.report.paper.latex import Manner

    if sum((table, proof, errata)) > 1:
        raise BadInput("--table, --proof and --errata are pieces of their own; ask for one at a time")
    if not ids and not errata:
        raise BadInput("name a statement or claim, such as kov/thm-3.4; `symdp list` shows what there is")
    if output is not None:
        writable_file(output, (".tex", ".pdf"))
    numbers = read_numbers(at or [])
    manner = Manner(log.value if log else None, epsilon.value, symbols.value, numbers)
    if table:
        pieces = [_table(ids or [], manner, numbers)]
    elif proof:
        pieces = _proofs(ids or [], manner, budget)
    elif errata:
        pieces = [_errata(ids, manner, budget, jobs, out)]
    else:
        from symdp.report.paper.latex import statements_piece

        pieces = [statements_piece(ids or [], manner)]
    _put(pieces, document, output)


def _put(pieces: list[Piece], document: bool, output: Path | None) -> None:
    from symdp.report.paper import documents

    if output is None:
        typer.echo((documents.document if document else documents.fragment)(pieces), nl=False)
    elif output.suffix.lower() == ".pdf":
        documents.write_pdf(pieces, output)
    else:
        for path in documents.write_document(pieces, output):
            typer.echo(str(path), err=True)


def _table(ids: list[str], manner: Manner, numbers: Several) -> Piece:
    from symdp.report.paper.tables import bounds_table

    if not numbers:
        raise BadInput("a table needs numbers: --at 'eps = 0.1' --at 'slack = 1e-6' --at 'k = 10, 100'")
    return bounds_table(ids, numbers, **manner.style)


def _errata(ids: list[str] | None, manner: Manner, budget: float, jobs: int, out: Path | None) -> Piece:
    from symdp.audit.campaign import Options
    from symdp.report.page.errata import errata_in, errata_piece
    from symdp.sources.registry import select

    if out is not None:
        writable(out)
    records = settle(select(ids or ()), Options(budget=budget, out=out, fresh=False), jobs)
    return errata_piece(errata_in(records), manner)


def _proofs(ids: list[str], manner: Manner, budget: float) -> list[Piece]:
    """Settle the claims and typeset what each verdict rests on."""
    from symdp.audit import dispatch as settling
    from symdp.report.paper.proofs import settled_piece
    from symdp.sources.registry import select, statement

    pieces, claims = [], select(ids)
    with progress() as advance:
        for done, claim in enumerate(claims):
            advance(claim.id, done, len(claims))
            style = manner.author(statement(claim.id).source).style
            pieces.append(settled_piece(claim.id, settling.settle(claim, budget=budget), **style))
    return pieces


def errata(
    ids: Ids = None,
    budget: Budget = 10.0,
    jobs: Jobs = 1,
    out: Earlier = None,
    latex: Annotated[bool, typer.Option("--latex", help="ready for an author, in LaTeX")] = False,
    document: Annotated[bool, typer.Option("--document", help="a whole LaTeX file")] = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """The refuted claims, each with its witness and its correction."""
    from symdp.audit.campaign import Options
    from symdp.report.page.errata import errata_in, errata_piece, print_errata
    from symdp.sources.registry import select

    if out is not None:
        writable(out)
    records = settle(select(ids or ()), Options(budget=budget, out=out, fresh=False), jobs)
    found = errata_in(records)
    if format is Format.JSON:
        emit({"errata": [e.as_json() for e in found]})
    elif latex or document:
        _put([errata_piece(found)], document, None)
    else:
        print_errata(found)


def report(
    output: Annotated[Path, typer.Option("-o", "--output", help="the page to write")],
    ids: Ids = None,
    budget: Budget = 10.0,
    jobs: Jobs = 1,
    out: Annotated[Path, typer.Option(help="the folder of the audit, used again")] = Path(
        "build/certificates"),
) -> None:
    """The audit as one self-contained page."""
    from symdp.audit.campaign import Options
    from symdp.report.page.page import page
    from symdp.sources.registry import select

    writable_file(output, (".html", ".htm"))
    claims = select(ids or ())
    writable(out)
    records = settle(claims, Options(budget=budget, out=out, fresh=False, explain=True), jobs)
    with progress() as advance:
        text = page(records, folder=out, advance=advance)
    partial = output.with_name(f".{output.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(output)
    except OSError as reason:
        raise BadInput(f"cannot write {output}: {reason.strerror}") from reason
    typer.echo(f"{output}: {len(records)} claims, {len(text.encode()) // 1024} KiB", err=True)
