"""``symdp show`` and ``symdp errata``: what is known already, told without the prover where that is possible."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from symdp.audit.record import COQ_SUFFIX, path_of
from symdp.audit.shipped import told
from symdp.cli.console import (
    Budget,
    Earlier,
    Format,
    FormatOption,
    Fresh,
    Ids,
    Jobs,
    Memory,
    emit,
    in_bytes,
    known_ids,
    writable,
)
from symdp.report.errata import errata_in, print_errata, summary_of
from symdp.report.page.summary import statement_as_json
from symdp.report.terminal.statements import print_statement


def show(
    id: Annotated[str, typer.Argument(
        help="the id of a statement or claim", autocompletion=known_ids)],
    budget: Budget = 10.0,
    jobs: Jobs = 1,
    memory: Memory = 2.0,
    audited: Annotated[Path, typer.Option("--audit", help="the folder of an audit, for what Coq said")] = Path(
        "build/certificates"),
    fresh: Fresh = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """A statement: formulas, hypotheses, claims with verdicts, reference."""
    rows = None if fresh else told([id], budget)
    if rows is None or any(path_of(audited, claim.id).with_suffix(COQ_SUFFIX).is_file() for _, claim, _ in rows):
        from symdp.cli.campaign import shown_statement  # noqa: PLC0415 - start-up: the prover

        statement, records = shown_statement(id, budget, in_bytes(memory), jobs, audited, fresh=fresh)
    else:
        statement, records = rows[0][0], [record for _, _, record in rows]
    if format is Format.JSON:
        emit(statement_as_json(statement, records))
    else:
        print_statement(statement, records)


def errata(
    ids: Ids = None,
    budget: Budget = 10.0,
    jobs: Jobs = 1,
    out: Earlier = None,
    fresh: Fresh = False,
    latex: Annotated[bool, typer.Option("--latex", help="ready for an author, in LaTeX")] = False,
    document: Annotated[bool, typer.Option("--document", help="a whole LaTeX file")] = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """The refuted claims, each with its witness and its correction."""
    if out is not None:
        writable(out)
    rows = told(ids or (), budget) if out is None and not fresh else None
    if rows is None:
        from symdp.cli.campaign import told_anew  # noqa: PLC0415 - start-up: the prover

        rows = told_anew(ids or (), budget, jobs, out, fresh=fresh)
    found = errata_in(rows)
    if format is Format.JSON:
        emit({"errata": [e.as_json() for e in found], "summary": summary_of(found)})
    elif latex or document:
        from symdp.cli.commands.papers import put  # noqa: PLC0415 - start-up: SymPy
        from symdp.report.paper.errata import errata_piece  # noqa: PLC0415 - start-up: SymPy

        put([errata_piece(found)], document, None)
    else:
        print_errata(found)
