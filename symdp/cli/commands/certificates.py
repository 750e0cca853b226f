"""``symdp recheck``: certificates, replayed without the search."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from symdp.audit.rechecking import certificates_in, recheck_all, tally
from symdp.cli.console import (
    BadInput,
    ExecutorOption,
    Format,
    FormatOption,
    Memory,
    emit,
    in_bytes,
    leave,
)
from symdp.cli.progress import progress
from symdp.report.terminal.claims import print_rechecked
from symdp.workers.cluster import executor_of


def recheck(
    paths: Annotated[list[Path], typer.Argument(help="certificates, or folders of them")],
    budget: Annotated[float, typer.Option(help="seconds for each certificate", min=0.01)] = 60.0,
    jobs: Annotated[int, typer.Option(help="how many processes work side by side", min=1)] = 1,
    executor: ExecutorOption = None,
    memory: Memory = 2.0,
    format: FormatOption = Format.TEXT,
) -> None:
    """Replay certificates, without the search.

    Each shows that its claim is proved or refuted, or is rejected. A file that is no certificate stops no other; the
    exit code is then 2. On a cluster it is its workers that replay them, and their word is what is printed: they need
    the same folders, and have to be yours.
    """
    files = certificates_in(paths)
    with ExitStack() as stack:
        cluster = None if executor is None else stack.enter_context(executor_of(executor))
        advance = stack.enter_context(progress())
        rows = recheck_all(files, budget, jobs, cluster, advance, in_bytes(memory))
    if format is Format.TEXT and all(r.malformed for r in rows):
        raise BadInput(f"{rows[0].path}: {rows[0].reason}")
    if format is Format.JSON:
        summary = {"total": len(rows), "accepted": sum(r.accepted for r in rows), **tally(rows)}
        emit({"certificates": [r.as_json() for r in rows], "summary": summary})
    else:
        print_rechecked(rows)
    leave(2 if any(r.malformed for r in rows) else 0 if all(r.accepted for r in rows) else 1)
