"""symdp lint: a verdict for every relation of a LaTeX document."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from symdp.audit.kept_findings import KeptFindings
from symdp.cli.console import (
    BadInput,
    ExecutorOption,
    Force,
    Jobs,
    Memory,
    emit,
    in_bytes,
    leave,
    tell,
    writable,
    writable_file,
    wrote,
)
from symdp.cli.progress import progress
from symdp.incoming import NotRead, text_of
from symdp.outgoing import NotOurs, write
from symdp.papers.finding import VERDICTS, Finding, PaperReport
from symdp.papers.lint import BUDGET, NoPaper
from symdp.papers.lint import lint as findings_of
from symdp.papers.text.source_text import LARGEST_FILE
from symdp.report.linting.lines import print_finding
from symdp.report.linting.margins import write_margins
from symdp.report.linting.page import page
from symdp.report.linting.sarif import sarif
from symdp.report.paper.documents import NoPress
from symdp.report.terminal.screen import Screen
from symdp.workers.cluster import executor_of

#: Seconds between two looks at the files, with --watch.
LOOK = 0.5


class LintFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


def lint(
    files: Annotated[list[Path], typer.Argument(help="LaTeX documents")],
    budget: Annotated[float, typer.Option(help="seconds of work for each relation", min=0.01)] = BUDGET,
    jobs: Jobs = 1,
    executor: ExecutorOption = None,
    memory: Memory = 2.0,
    out: Annotated[Path | None, typer.Option(help="a folder for certificates")] = None,
    html: Annotated[Path | None, typer.Option(help="a page: the source with a note at each relation")] = None,
    pdf: Annotated[Path | None, typer.Option(help="the paper itself with notes in its margin, by pdflatex")] = None,
    show: Annotated[list[str] | None, typer.Option(
        metavar="VERDICT", help="of the lines, only those with this verdict; may be repeated")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="again whenever a file changes, until interrupted")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="fail also for what is undecided or unread")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="use nothing that an earlier run has kept")] = False,
    force: Force = False,
    format: Annotated[LintFormat, typer.Option(
        "--format", help="text, one JSON document, or SARIF")] = LintFormat.TEXT,
) -> None:
    """A verdict for every relation of a LaTeX document, at its place.

    proved and refuted are the kernel's; gap is what is true and does not follow; undecided says which hypothesis the
    text does not state; unread says what cannot be read, and what to write instead. Exit code 1: one is refuted.
    """
    _sensible(files, html, pdf, show, watch, force, format)
    if out is not None:
        writable(out)
    options: dict[str, Any] = {"budget": budget, "jobs": jobs, "memory": in_bytes(memory), "out": out}
    if not fresh:
        options["kept"] = KeptFindings()

    def once() -> PaperReport:
        with ExitStack() as stack:
            cluster = None if executor is None else stack.enter_context(executor_of(executor))
            report = _lint(files, {**options, "executor": cluster}, format, show)
        if html is not None:
            names = dict.fromkeys([*map(str, files), *(f.file for f in report.findings)])
            write(html, page(report, {name: _text(name) for name in names}), force=force)
            wrote(html)
        if pdf is not None:
            write_margins(files[0], report.findings, pdf, force=force)
            wrote(pdf)
        return report

    report = once()
    while watch:
        try:
            _wait_for_change(_stamps(files, report.findings))
        except KeyboardInterrupt:
            break
        tell("-" * 20)
        report = _again(once, report)
    leave(report.exit_code(strict=strict))


def _sensible(files: Sequence[Path], html: Path | None, pdf: Path | None, show: Sequence[str] | None, watch: bool,
              force: bool, format: LintFormat) -> None:
    """What was asked for can be done; said before any work."""
    for word in show or ():
        if word not in VERDICTS:
            raise BadInput(f"{word!r} is no verdict; they are {', '.join(VERDICTS)}")
    if watch and format is not LintFormat.TEXT:
        raise BadInput("--watch prints lines; leave out --format")
    if html is not None:
        writable_file(html, (".html", ".htm"), force=force)
    if pdf is not None:
        if len(files) != 1:
            raise BadInput("--pdf is for one paper at a time")
        writable_file(pdf, (".pdf",), force=force)
    for file in files:
        if file.is_dir():
            raise BadInput(f"{file} is a folder; give its LaTeX files")


def _lint(files: Sequence[Path], options: dict[str, Any], format: LintFormat,
          show: Sequence[str] | None) -> PaperReport:
    findings: list[Finding] = []
    screen = Screen(whole=True)
    with progress() as advance:
        for finding in findings_of(files, advance=advance, **options):
            findings.append(finding)
            if format is LintFormat.TEXT and (not show or finding.verdict in show):
                print_finding(screen, finding)
    report = PaperReport(tuple(findings))
    if format is LintFormat.JSON:
        emit(report.data)
    elif format is LintFormat.SARIF:
        emit(sarif(report))
    else:
        screen.say(report.counts)
    return report


def _text(name: str) -> str:
    try:
        return text_of(Path(name), LARGEST_FILE)
    except NotRead:
        return ""


# --- watching -----------------------------------------------------------------------------------------


def _stamps(files: Sequence[Path], findings: Sequence[Finding]) -> dict[Path, tuple[int, int] | None]:
    """When each file of the documents was written, and how large it is."""
    return {path: _stamp(path) for path in dict.fromkeys([*files, *(Path(f.file) for f in findings)])}


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _wait_for_change(before: dict[Path, tuple[int, int] | None]) -> None:
    while all(_stamp(path) == seen for path, seen in before.items()):
        time.sleep(LOOK)


def _again(once: Any, before: PaperReport) -> PaperReport:
    """Once more; a document that cannot be read at this moment, since it is being written, is a line and no end."""
    try:
        report: PaperReport = once()
    except (NoPaper, NoPress, NotOurs, BadInput) as reason:
        tell(f"symdp: {reason}", err=True)
        return before
    return report
