"""The command line. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from symdp.cli.commands import accounting, deriving, drawing, expanding, notebooks, publishing
from symdp.cli.console import (
    BadInput,
    Budget,
    Format,
    FormatOption,
    Ids,
    Jobs,
    emit,
    progress,
    settle,
    writable,
)

app = typer.Typer(
    name="symdp",
    help="The composition theorems of differential privacy, executable.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
accounting.register(app)
deriving.register(app)
expanding.register(app)
drawing.register(app)
notebooks.register(app)
publishing.register(app)


Precision = Annotated[int, typer.Option(help="bits of the enclosures", min=16, max=4096)]
Out = Annotated[Path | None, typer.Option(help="a folder for certificates")]
Explain = Annotated[bool, typer.Option("--explain", help="print the proof")]


@app.command("list")
def list_command(
    source: Annotated[str | None, typer.Option(help="only this source, such as kov")] = None,
    kind: Annotated[str | None, typer.Option(help="only this kind, such as inequality")] = None,
    format: FormatOption = Format.TEXT,
) -> None:
    """The statements and claims."""
    from symdp.report.terminal import terminal
    from symdp.sources.registry import statements
    from symdp.sources.statement import KINDS

    sources = sorted({s.source.key for s in statements()})
    if source is not None and source not in sources:
        raise BadInput(f"there is no source {source!r}; there are {', '.join(sources)}")
    if kind is not None and kind not in KINDS:
        raise BadInput(f"there is no kind {kind!r}; there are {', '.join(KINDS)}")
    chosen = [
        (s, [c for c in s.claims if kind in (None, c.kind)])
        for s in statements()
        if source in (None, s.source.key)
    ]
    chosen = [(s, claims) for s, claims in chosen if claims or kind is None]
    if format is Format.JSON:
        emit(
            {
                "statements": [
                    {"id": s.id, "title": s.title, "source": s.source.key, "where": s.place.label}
                    for s, _ in chosen
                ],
                "claims": [
                    {
                        "id": c.id,
                        "statement": s.id,
                        "kind": c.kind,
                        "task": c.task,
                        "role": c.role,
                        "where": c.printed_at or s.place.label,
                    }
                    for s, claims in chosen
                    for c in claims
                ],
            }
        )
    else:
        terminal.print_list(chosen)


@app.command()
def show(
    id: Annotated[str, typer.Argument(help="the id of a statement or claim")],
    budget: Budget = 10.0,
    jobs: Jobs = 1,
    format: FormatOption = Format.TEXT,
) -> None:
    """A statement: formulas, hypotheses, claims with verdicts, reference."""
    from symdp.audit.campaign import Options
    from symdp.report.page.summary import statement_as_json
    from symdp.report.terminal import terminal
    from symdp.sources.bibliography import reference
    from symdp.sources.registry import claim, statement

    s = statement(id)
    claims = s.claims if s.id == id else (claim(id),)
    records = settle(claims, Options(budget=budget), jobs)
    if format is Format.JSON:
        emit(statement_as_json(s, records))
    else:
        terminal.print_statement(s, records, reference(s.source.cite))


@app.command()
def check(
    claim: Annotated[str | None, typer.Argument(help="such as 'eps*tanh(eps/2) <= eps^2'")] = None,
    where: Annotated[list[str] | None, typer.Option(help="such as '0 < d <= 1'")] = None,
    let: Annotated[list[str] | None, typer.Option(help="such as 'm = eps/2'")] = None,
    integer: Annotated[list[str] | None, typer.Option(help="a variable that is an integer")] = None,
    file: Annotated[Path | None, typer.Option(help="a TOML file of problems")] = None,
    budget: Budget = 10.0,
    precision: Precision = 64,
    jobs: Jobs = 1,
    out: Out = None,
    explain: Explain = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """Settle a claim of your own, or a file of them.

    A verdict is proved or refuted by the kernel; argued where a part of the argument is in words or was computed
    by code that the kernel does not check, which is never counted as proved; supported where only a search agrees.
    """
    from symdp.audit.campaign import Options
    from symdp.report.page.summary import campaign_as_json
    from symdp.report.terminal import terminal
    from symdp.sources.problems import Problem, read_problems

    options = Options(budget=budget, bits=precision, out=out, explain=explain)
    if (claim is None) == (file is None):
        raise BadInput("give either a claim such as 'exp(x) >= 1+x', or --file problems.toml")
    if out is not None:
        writable(out)
    if file is not None:
        if where or let or integer:
            raise BadInput("--where, --let and --integer belong to a single claim, not to --file")
        records = settle(read_problems(file), options, jobs)
        if format is Format.JSON:
            emit(campaign_as_json(records))
        else:
            terminal.print_verdicts(records)
    else:
        problem = Problem("claim", str(claim), tuple(where or ()), tuple(let or ()),
                          tuple(integer or ()))
        records = settle([problem], options, 1)
        if records[0].verdict == "error" and format is Format.TEXT:
            raise BadInput(records[0].message)
        if format is Format.JSON:
            emit(records[0].as_json())
        else:
            terminal.print_verdict(records[0])
    _leave(2 if any(r.verdict == "error" for r in records)
           else 0 if all(r.verdict == "proved" for r in records) else 1)


@app.command()
def audit(
    ids: Ids = None,
    strict: Annotated[bool, typer.Option("--strict", help="fail unless all is settled")] = False,
    budget: Budget = 10.0,
    precision: Precision = 64,
    jobs: Jobs = 1,
    out: Out = None,
    explain: Explain = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="ignore what lies in --out already")] = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """Settle the claims of the literature, and write their certificates.

    What an earlier audit left in the folder is used again where it still holds.

    A verdict is proved or refuted by the kernel; argued where a part of the argument is in words or was computed
    by code that the kernel does not check, which is never counted as proved; supported where only a search agrees.
    """
    from symdp.audit.campaign import Options
    from symdp.report.page.summary import campaign_as_json, is_settled
    from symdp.report.terminal import terminal
    from symdp.sources.registry import select

    claims = select(ids or ())
    if out is not None:
        writable(out)
    options = Options(budget=budget, bits=precision, out=out, explain=explain, fresh=fresh)
    records = settle(claims, options, jobs)
    document = campaign_as_json(records)
    if out is not None:
        (out / "audit.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    if format is Format.JSON:
        emit(document)
    else:
        terminal.print_audit(records)
    if any(r.verdict == "error" for r in records):
        _leave(2)
    _leave(1 if strict and not all(is_settled(r, records) for r in records) else 0)


@app.command()
def recheck(
    paths: Annotated[list[Path], typer.Argument(help="certificates, or folders of them")],
    budget: Annotated[float, typer.Option(help="seconds for each certificate", min=0.01)] = 60.0,
    jobs: Annotated[int, typer.Option(help="how many processes work side by side", min=1)] = 1,
    format: FormatOption = Format.TEXT,
) -> None:
    """Replay certificates, without the search."""
    from symdp.audit.rechecking import certificates_in, recheck_all
    from symdp.report.terminal import terminal

    files = certificates_in(paths)
    with progress() as advance:
        rows = recheck_all(files, budget, jobs, advance=advance)
    if format is Format.JSON:
        accepted = sum(r.accepted for r in rows)
        summary = {"total": len(rows), "accepted": accepted, "rejected": len(rows) - accepted}
        emit({"certificates": [r.as_json() for r in rows], "summary": summary})
    else:
        terminal.print_rechecked(rows)
    _leave(0 if all(r.accepted for r in rows) else 1)


@app.command()
def sharpest(
    claim: Annotated[str, typer.Argument(help="such as 'eps*tanh(eps/2) <= c*eps^2'")],
    over: Annotated[str, typer.Option(help="the constant or variable to make sharp")],
    where: Annotated[list[str] | None, typer.Option(help="such as 'eps > 0'")] = None,
    let: Annotated[list[str] | None, typer.Option(help="such as 'm = eps/2'")] = None,
    integer: Annotated[list[str] | None, typer.Option(help="a variable that is an integer")] = None,
    budget: Annotated[float, typer.Option(help="seconds for each proof", min=0.01)] = 20.0,
    format: FormatOption = Format.TEXT,
) -> None:
    """The best constant, or the exact threshold, for which a claim holds."""
    from symdp.report.terminal import terminal
    from symdp.search.sharpening import sharpest_value

    with progress() as advance:
        advance("searching", 0, 1)
        found = sharpest_value(
            claim, over, where or (), let=let or (), integer=integer or (), budget=budget
        )
    if format is Format.JSON:
        emit(found.as_json())
    else:
        terminal.print_sharpest(found)
    _leave(0 if found.certain else 1)


def _leave(code: int) -> NoReturn:
    raise typer.Exit(code)


def main(arguments: list[str] | None = None) -> None:
    """Run, and turn every kind of bad input into one line and exit code 2."""
    try:
        code = app(arguments, standalone_mode=False)
    except BadInput as reason:
        _fail(str(reason))
    except typer.Abort:
        _fail("stopped")
    except KeyboardInterrupt:
        _fail("stopped")
    except Exception as reason:
        message = _known_complaint(reason)
        if message is None:
            raise
        _fail(message)
    sys.exit(code if isinstance(code, int) else 0)


def _known_complaint(reason: Exception) -> str | None:
    """The line for an error that is the user's to mend; None for a bug of ours."""
    if isinstance(reason, typer.TyperException):
        return str(reason.format_message())
    from symdp.formulas.parsing import ParseError
    from symdp.kernel.certificate import BadCertificate
    from symdp.numbers.decimals import NotReached
    from symdp.numbers.domain import DomainError
    from symdp.numbers.quantity import BadQuantity
    from symdp.report.figures.slices import NoFigure
    from symdp.report.paper.documents import NoPress
    from symdp.search.prove import NotDefined
    from symdp.search.sharpening import NoThreshold
    from symdp.sources.problems import ProblemFileError
    from symdp.sources.registry import UnknownId
    from symdp.sources.scope import DerivationError

    complaints = (
        UnknownId, ProblemFileError, ParseError, DomainError, NotDefined, NoThreshold,
        BadCertificate, DerivationError, BadQuantity, NotReached, NoFigure, NoPress,
    )
    if isinstance(reason, complaints):
        return str(reason)
    if isinstance(reason, OSError):
        return f"{reason.filename}: {reason.strerror}" if reason.filename else str(reason)
    return None


def _fail(message: str) -> NoReturn:
    line = " ".join(message.split())
    typer.echo(f"symdp: {line}", err=True)
    sys.exit(2)
