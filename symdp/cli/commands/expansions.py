"""symdp expand: an expansion with a bound of its remainder, proved by the kernel or argued."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from symdp.arguments.series.expanding import expand as expansion_of
from symdp.arguments.series.neighbourhood import NoExpansion
from symdp.arguments.series.remainders import remainder
from symdp.cli.console import BadInput, Force, Format, FormatOption, Memory, emit, tell
from symdp.formulas.parsing import parse_definition
from symdp.report.terminal.expansions import print_expansion
from symdp.search.deadline import TimeIsUp, hard_deadline

#: Seconds for the kernel's proof of one side of the bound.
MOST_FOR_A_GOAL = 5.0


def expand(
    expression: Annotated[str, typer.Argument(help="such as 'eps*tanh(eps/2)'")],
    variable: Annotated[str, typer.Option(help="the variable that moves")],
    at: Annotated[str, typer.Option(help="the point it tends to: a constant, oo or -oo")] = "0",
    order: Annotated[int, typer.Option(help="terms below this power of the distance")] = 4,
    side: Annotated[str | None, typer.Option(help="+ or -, at a finite point")] = None,
    where: Annotated[list[str] | None, typer.Option(help="such as '0 < c <= 2'")] = None,
    along: Annotated[list[str] | None, typer.Option(help="a path, such as 'eps = c/sqrt(k)'")] = None,
    latex: Annotated[bool, typer.Option("--latex", help="print LaTeX")] = False,
    budget: Annotated[float, typer.Option(help="seconds for the work", min=0.01)] = 60.0,
    memory: Memory = 2.0,
    plot: Annotated[Path | None, typer.Option(help="draw terms, truth and remainder band")] = None,
    force: Force = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """An expansion, with a constant and a neighbourhood for its remainder.

    The bound is proved where the kernel has a proof of it; else it is argued: ball arithmetic found it, by code that
    the kernel does not check.
    """
    path = {name: expr for name, expr, _ in map(parse_definition, along or ())}
    try:
        with hard_deadline(budget):
            found = expansion_of(expression, variable, at, order, side=side, where=where or (), along=path)
    except NoExpansion as reason:
        raise BadInput(str(reason)) from reason
    except TimeIsUp:
        raise BadInput(f"not expanded within {budget:g} s; ask for a lower order") from None
    if plot is not None:
        from symdp.report.figures.expansions import save_plot  # noqa: PLC0415 - start-up: matplotlib

        try:
            save_plot(found, plot, force=force)
        except ValueError as reason:
            raise BadInput(str(reason)) from reason
    if format is Format.JSON:
        emit({**found.as_json(), "remainder": remainder(found, min(budget, MOST_FOR_A_GOAL)).as_json()})
    elif latex:
        tell(found.latex())
    else:
        print_expansion(found, remainder(found, min(budget, MOST_FOR_A_GOAL)))
