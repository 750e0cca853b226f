"""symdp notebook: weave, run, check and export the notebooks, and make new ones."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter as clock
from typing import Annotated, NoReturn

import typer

from symdp.cli.console import (
    BadInput,
    Force,
    tell,
    writable,
    wrote,
)
from symdp.cli.progress import progress
from symdp.report.notebooks.execution import Stopped
from symdp.report.notebooks.published.exports import NoExport, able, wanted
from symdp.report.notebooks.readers import Audience
from symdp.report.notebooks.writing import check_notebooks, write_notebooks, write_own


def notebook(
    names: Annotated[list[str] | None, typer.Argument(
        help="all if none is named; `new NAME` for claims of your own")] = None,
    execute: Annotated[bool, typer.Option("--execute", help="run them, and keep output")] = False,
    to: Annotated[str, typer.Option(help="html, pdf or html,pdf: pages and papers, beside them")] = "",
    reader: Annotated[Audience, typer.Option(
        "--for", help="student: without any solution; instructor: with all of them in sight")] = Audience.ANYBODY,
    check: Annotated[bool, typer.Option(
        "--check", help="run them, write nothing, and say where a stored one differs")] = False,
    out: Annotated[Path, typer.Option(help="where to write")] = Path("notebooks"),
    claims: Annotated[Path | None, typer.Option(help="with `new NAME`: a file of problems")] = None,
    force: Force = False,
) -> None:
    """Write the notebooks from the statements, and run them; or one for claims of your own."""
    asked = names or []
    fresh = asked[:1] == ["new"]
    if fresh and (len(asked) != 2 or claims is None):
        raise BadInput("write: symdp notebook new NAME --claims FILE.toml")
    if claims is not None and not fresh:
        raise BadInput("--claims goes with `new NAME`")
    if check:
        if fresh or execute or to or reader is not Audience.ANYBODY:
            raise BadInput("--check writes nothing: it goes with names of notebooks and --out alone")
        _check_notebooks(asked, out)
        return
    try:
        kinds = wanted(to) if to else ()
        able(kinds)
    except NoExport as reason:
        raise BadInput(str(reason)) from reason
    with progress() as advance:
        written = (write_own(asked[1], claims, out, execute=execute, to=kinds, advance=advance, force=force)
                   if fresh and claims is not None
                   else write_notebooks(asked, out, execute=execute, to=kinds, reader=reader, advance=advance,
                                        force=force))
        writable(out)  # not before the names and the claims were read: nothing is left of bad input
        try:
            for path in written:
                wrote(path)
        except Stopped as reason:  # not bad input: something that a notebook shows is not so
            _stop(str(reason))
        except NoExport as reason:
            raise BadInput(str(reason)) from reason


def _check_notebooks(names: list[str], folder: Path) -> None:
    """Run notebooks from clean kernels and compare them with the stored ones."""
    stale = False
    with progress() as advance:
        start = clock()
        try:
            for name, found in check_notebooks(names, folder, advance=advance):
                says = "; ".join(found) if found else "as stored"
                tell(f"{name}: {says} ({clock() - start:.0f} s)", err=True)
                stale, start = stale or bool(found), clock()
        except Stopped as reason:
            _stop(str(reason))
    if stale:
        _stop("run `symdp notebook --execute` (make notebooks) and look at what changed")


def _stop(message: str) -> NoReturn:
    tell(f"symdp: {' '.join(message.split())}", err=True)
    raise typer.Exit(1)
