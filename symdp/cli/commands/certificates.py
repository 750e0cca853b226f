"""``symdp recheck``: certificates, replayed without the search."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from symdp.audit.rechecking import certificates_in, recheck_all, tally
from symdp.cli.console import BadInput, Format, FormatOption, Memory, emit, in_bytes, leave
from symdp.cli.progress import progress
from symdp.report.terminal.claims import print_rechecked


def recheck(
    paths: Annotated[list[Path], typer.Argument(help="certificates, or folders of them")],
    budget: Annotated[float, typer.Option(help="seconds for each certificate", min=0.01)] = 60.0,
    jobs: Annotated[int, typer.Option(help="how many processes work side by side", min=1)] = 1,
    memory: Memory = 2.0,
    format: FormatOption = Format.TEXT,
) -> None:
    """Replay certificates, without the search.

    Each shows that its claim is proved or refuted, or is rejected. A file that is no certificate stops no other; the
    exit code is then 2.
    """
    files = certificates_in(paths)
    with progress() as advance:
        rows = recheck_all(files, budget, jobs, advance=advance, memory=in_bytes(memory))
    if format is Format.TEXT and all(r.malformed for r in rows):
        raise BadInput(f"{rows[0].path}: {rows[0].reason}")
    if format is Format.JSON:
        summary = {"total": len(rows), "accepted": sum(r.accepted for r in rows), **tally(rows)}
        emit({"certificates": [r.as_json() for r in rows], "summary": summary})
    else:
        print_rechecked(rows)
    leave(2 if any(r.malformed for r in rows) else 0 if all(r.accepted for r in rows) else 1)
