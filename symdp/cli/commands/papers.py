"""``symdp latex``: what is taken away on paper."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from symdp.cli.console import (
    BadInput,
    Budget,
    Earlier,
    Force,
    Fresh,
    Jobs,
    known_ids,
    tell,
    writable,
    writable_file,
    wrote,
)
from symdp.cli.progress import progress
from symdp.report.figures.given_numbers import Several, read_numbers
from symdp.report.paper import documents
from symdp.report.paper.documents import Piece
from symdp.report.paper.latex import Manner, bare_formulas, statements_piece
from symdp.report.paper.tables import bounds_table
from symdp.sources.registry import select, statement


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


def latex(
    ids: Annotated[list[str] | None, typer.Argument(
        help="ids of statements, claims or sources; with --table, names of bounds as well",
        autocompletion=known_ids)] = None,
    document: Annotated[bool, typer.Option("--document", help="a whole file that compiles")] = False,
    at: Annotated[list[str] | None, typer.Option(
        help="put numbers into the formulas: 'eps = 0.1', 'k = 10, 100'; may be repeated")] = None,
    theorem: Annotated[bool, typer.Option(
        "--theorem", help="a whole statement as one theorem, without the remarks of the audit")] = False,
    formula: Annotated[bool, typer.Option(
        "--formula", help="the formulas alone, one a line, without anything around them")] = False,
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
    fresh: Fresh = False,
    force: Force = False,
) -> None:
    """Statements, tables of bounds, proofs and errata as LaTeX that compiles with pdflatex."""
    if sum((theorem, formula, table, proof, errata)) > 1:
        raise BadInput("--theorem, --formula, --table, --proof and --errata are pieces of their own; "
                       "ask for one at a time")
    if formula and (document or output is not None or at):
        raise BadInput("--formula prints formulas without anything around them; it goes with ids and letters alone")
    if not ids and not errata:
        raise BadInput("name a statement or claim, such as kov/thm-3.4; `symdp list` shows what there is")
    if output is not None:
        writable_file(output, (".tex", ".pdf"), force=force)
    numbers = read_numbers(at or [])
    manner = Manner(log.value if log else None, epsilon.value, symbols.value, theorem, numbers)
    if formula:
        tell(bare_formulas(ids or [], manner), nl=False)
        return
    if table:
        pieces = [_table(ids or [], manner, numbers)]
    elif proof:
        pieces = _proofs(ids or [], manner, budget)
    elif errata:
        pieces = [_errata(ids, manner, budget, jobs, out, fresh)]
    else:
        pieces = [statements_piece(ids or [], manner)]
    put(pieces, document, output, force)


def put(pieces: list[Piece], document: bool, output: Path | None, force: bool = False) -> None:
    """Print the pieces, or write them to a file."""
    if output is None:
        tell((documents.document if document else documents.fragment)(pieces), nl=False)
    elif output.suffix.lower() == ".pdf":
        documents.write_pdf(pieces, output, force=force)
        wrote(output)
    else:
        for path in documents.write_document(pieces, output, force=force):
            wrote(path)


def _table(ids: list[str], manner: Manner, numbers: Several) -> Piece:
    if not numbers:
        raise BadInput("a table needs numbers: --at 'eps = 0.1' --at 'slack = 1e-6' --at 'k = 10, 100'")
    return bounds_table(ids, numbers, **manner.style)


def _errata(ids: list[str] | None, manner: Manner, budget: float, jobs: int, out: Path | None,
            fresh: bool) -> Piece:
    if out is not None:
        writable(out)
    from symdp.cli.campaign import told_anew  # noqa: PLC0415 - start-up: the prover
    from symdp.report.errata import errata_in  # noqa: PLC0415 - start-up: typesetting
    from symdp.report.paper.errata import errata_piece  # noqa: PLC0415 - start-up: typesetting

    return errata_piece(errata_in(told_anew(ids or (), budget, jobs, out, fresh=fresh)), manner)


def _proofs(ids: list[str], manner: Manner, budget: float) -> list[Piece]:
    """Settle the claims and typeset what each verdict rests on."""
    from symdp.audit.settling import dispatch  # noqa: PLC0415 - start-up: the prover
    from symdp.report.paper.proofs import settled_piece  # noqa: PLC0415 - start-up: the prover

    pieces, claims = [], select(ids)
    with progress() as advance:
        for done, claim in enumerate(claims):
            advance(claim.id, done, len(claims))
            style = manner.author(statement(claim.id).source).style
            pieces.append(settled_piece(claim.id, dispatch.settle(claim, budget=budget), **style))
    return pieces
