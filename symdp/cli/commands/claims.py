"""``symdp check``, ``sharpest`` and ``suggest``: claims of one's own, and what becomes of them."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from symdp.audit.campaign import Options
from symdp.cli.campaign import records_of
from symdp.cli.console import (
    BadInput,
    Budget,
    ExecutorOption,
    Explain,
    Format,
    FormatOption,
    Jobs,
    Memory,
    Out,
    Precision,
    emit,
    in_bytes,
    leave,
    tell,
    writable,
    wrote,
)
from symdp.cli.progress import progress
from symdp.report.page.summary import campaign_as_json
from symdp.report.terminal.claims import (
    print_sharpest,
    print_suggestion,
    print_verdict,
)
from symdp.report.terminal.verdicts import print_verdicts
from symdp.search.certificates import document_of, write_document
from symdp.search.repairs import suggest as suggestion_for
from symdp.search.sharpening import sharpest_value
from symdp.search.status import Status
from symdp.sources.problems import Problem, read_problems
from symdp.watched import OutOfBounds, watched

#: How many proofs a search for a threshold or a repair may take at the most, and seconds for all else.
PROOFS, SLACK = 40, 30.0


def check(
    claim: Annotated[str | None, typer.Argument(help="such as 'eps*tanh(eps/2) <= eps^2'")] = None,
    where: Annotated[list[str] | None, typer.Option(help="such as '0 < d <= 1'")] = None,
    let: Annotated[list[str] | None, typer.Option(help="such as 'm = eps/2'")] = None,
    integer: Annotated[list[str] | None, typer.Option(help="a variable that is an integer")] = None,
    file: Annotated[Path | None, typer.Option(help="a TOML file of problems")] = None,
    budget: Budget = 10.0,
    precision: Precision = 64,
    jobs: Jobs = 1,
    executor: ExecutorOption = None,
    memory: Memory = 2.0,
    out: Out = None,
    explain: Explain = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """Settle a claim of your own, or a file of them.

    A verdict is proved or refuted by the kernel; argued where a part of the argument is in words or was computed
    by code that the kernel does not check, which is never counted as proved; supported where only a search agrees.
    """
    options = Options(budget=budget, bits=precision, out=out, explain=explain, memory=in_bytes(memory))
    if (claim is None) == (file is None):
        raise BadInput("give either a claim such as 'exp(x) >= 1+x', or --file problems.toml")
    if out is not None:
        writable(out)
    if file is not None:
        if where or let or integer:
            raise BadInput("--where, --let and --integer belong to a single claim, not to --file")
        records = records_of(read_problems(file), options, jobs, executor)
        if format is Format.JSON:
            emit(campaign_as_json(records))
        else:
            print_verdicts(records)
    else:
        problem = Problem("claim", str(claim), tuple(where or ()), tuple(let or ()),
                          tuple(integer or ()))
        records = records_of([problem], options, 1, executor)
        if records[0].verdict == "error" and format is Format.TEXT:
            raise BadInput(records[0].message)
        if format is Format.JSON:
            emit(records[0].as_json())
        else:
            print_verdict(records[0])
    if out is not None and (many := sum(r.data.get("certificate") is not None for r in records)):
        wrote(out, "one certificate" if many == 1 else f"{many} certificates")
    leave(2 if any(r.verdict == "error" for r in records)
          else 0 if all(r.verdict == "proved" for r in records) else 1)


def sharpest(
    claim: Annotated[str, typer.Argument(help="such as 'eps*tanh(eps/2) <= c*eps^2'")],
    over: Annotated[str, typer.Option(help="the constant or variable to make sharp")],
    where: Annotated[list[str] | None, typer.Option(help="such as 'eps > 0'")] = None,
    let: Annotated[list[str] | None, typer.Option(help="such as 'm = eps/2'")] = None,
    integer: Annotated[list[str] | None, typer.Option(help="a variable that is an integer")] = None,
    budget: Annotated[float, typer.Option(help="seconds for each proof", min=0.01)] = 20.0,
    memory: Memory = 2.0,
    format: FormatOption = Format.TEXT,
) -> None:
    """The best constant, or the exact threshold, for which a claim holds."""

    def answer() -> int:
        found = sharpest_value(claim, over, where or (), let=let or (), integer=integer or (), budget=budget)
        if format is Format.JSON:
            emit(found.as_json())
        else:
            print_sharpest(found)
        return 0 if found.certain else 1

    leave(_watched(answer, budget, memory))


def suggest(
    claim: Annotated[str, typer.Argument(help="such as 'exp(x) <= 1 + x + x^2'")],
    where: Annotated[list[str] | None, typer.Option(help="such as 'x >= 0'")] = None,
    let: Annotated[list[str] | None, typer.Option(help="such as 'm = eps/2'")] = None,
    integer: Annotated[list[str] | None, typer.Option(help="a variable that is an integer")] = None,
    budget: Annotated[float, typer.Option(help="seconds for each proof", min=0.01)] = 5.0,
    memory: Memory = 2.0,
    out: Out = None,
    format: FormatOption = Format.TEXT,
) -> None:
    """The weakest simple repairs of a claim that fails, each proved.

    A repair is a smaller domain, an added factor or another constant. Its proof is a certificate, which is written
    where --out says.
    """
    if out is not None:
        writable(out)

    def answer() -> int:
        found = suggestion_for(claim, where or (), let=let or (), integer=integer or (), budget=budget)
        paths: list[str | None] = []
        for place, repair in enumerate(found.repairs, start=1):
            paths.append(None if out is None else str(out / f"repair-{place}.json"))
            if out is not None:
                write_document(document_of(repair.proof, f"repair-{place}"), out / f"repair-{place}.json")
        if format is Format.JSON:
            document = {"claim": claim, "where": where or [], **found.as_json()}
            for row, path in zip(document["repairs"], paths, strict=True):
                row["certificate"] = path
            emit(document)
        else:
            print_suggestion(found, paths)
        return 0 if found.repairs or found.verdict.status is Status.PROVED else 1

    leave(_watched(answer, budget, memory))


def _watched(answer: Callable[[], int], budget: float, memory: float) -> int:
    """The exit code of a search of many proofs, in a process of its own that has an end whatever code it is in."""
    try:
        with progress() as advance:
            advance("searching", 0, 1)
            code, said = watched(partial(_said, answer), seconds=SLACK + PROOFS * budget, memory=in_bytes(memory))
    except OutOfBounds as reason:
        tell(f"symdp: the search was {reason}; nothing was found until then", err=True)
        return 1
    sys.stdout.write(said)
    return code


def _said(answer: Callable[[], int]) -> tuple[int, str]:
    """The exit code, and what was printed, where somebody in the process that asked reads it and not a terminal."""
    if sys.stdout is sys.__stdout__:
        return answer(), ""
    with redirect_stdout(io.StringIO()) as printed:
        return answer(), printed.getvalue()
