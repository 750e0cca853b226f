"""symdp lint: a verdict for every relation of a LaTeX document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from symdp.cli.console import (
    Format,
    FormatOption,
    Jobs,
    Memory,
    emit,
    in_bytes,
    leave,
    tell,
    writable,
)
from symdp.cli.progress import progress
from symdp.papers.finding import PaperReport
from symdp.papers.lint import BUDGET
from symdp.papers.lint import lint as findings_of


def lint(
    files: Annotated[list[Path], typer.Argument(help="LaTeX documents")],
    budget: Annotated[float, typer.Option(help="seconds of work for each relation", min=0.01)] = BUDGET,
    jobs: Jobs = 1,
    memory: Memory = 2.0,
    out: Annotated[Path | None, typer.Option(help="a folder for certificates")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="fail also for what is undecided or unread")] = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """A verdict for every relation of a LaTeX document, at its place.

    proved and refuted are the kernel's; gap is what is true and does not follow; undecided says which hypothesis the
    text does not state; unread says what cannot be read, and what to write instead. Exit code 1: one is refuted.
    """
    if out is not None:
        writable(out)
    findings = []
    with progress() as advance:
        found = findings_of(files, budget=budget, jobs=jobs, memory=in_bytes(memory), out=out, advance=advance)
        for finding in found:
            findings.append(finding)
            if format is Format.TEXT:
                tell(finding)
    report = PaperReport(tuple(findings))
    if format is Format.JSON:
        emit(report.data)
    else:
        tell(", ".join(f"{count} {word}" for word, count in report.summary.items() if count or word == "relations"))
    leave(report.exit_code(strict=strict))
