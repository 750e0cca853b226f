"""``symdp figure``: the figures of the sources, comparisons of bounds, and a figure for any claim."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import matplotlib as mpl
import typer
from matplotlib.axes import Axes
from sympy import Expr, Symbol

from symdp.audit.campaign import Options
from symdp.cli.campaign import known_records
from symdp.cli.console import (
    BadInput,
    Budget,
    Earlier,
    Force,
    Fresh,
    Memory,
    tell,
    writable_file,
    wrote,
)
from symdp.formulas.notation import k, symbol
from symdp.report.contenders import USUAL
from symdp.report.figures.claim_figures import plot_claim, witness_of
from symdp.report.figures.comparison import plot_comparison
from symdp.report.figures.given_numbers import read_numbers
from symdp.report.figures.saved import KINDS, fitted, inches, save
from symdp.report.figures.source_figures import FIGURES, UnknownFigure, plot_figure
from symdp.sources.drawings import DRAWINGS
from symdp.sources.registry import claim, lookup
from symdp.sources.statement import Statement


def figure(
    name: Annotated[str | None, typer.Argument(
        help=f"{', '.join(DRAWINGS)}; or the id of a claim, such as kov/sec-7.mgf-bound; without a name, "
             "a list")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="a .pdf, .svg or .png file")] = None,
    bound: Annotated[list[str] | None, typer.Option(
        help="for comparison: a bound such as basic, advanced, exact, or an id; may be repeated")] = None,
    against: Annotated[list[str] | None, typer.Option(
        help="the variable along an axis: k, eps, slack, ...; for a map, two of them")] = None,
    at: Annotated[list[str] | None, typer.Option(
        help="fix a variable: 'eps = 0.1'; may be repeated")] = None,
    start: Annotated[float | None, typer.Option(
        "--from", help="for comparison: where the axis begins")] = None,
    end: Annotated[float | None, typer.Option(
        "--to", help="for comparison: where the axis ends")] = None,
    width: Annotated[str | None, typer.Option(
        help="as wide as a column: inches such as 3.3, or 84mm, 8.4cm")] = None,
    title: Annotated[bool, typer.Option(
        "--title/--no-title", help="the values of the other variables above it, or left to its caption")] = True,
    budget: Budget = 10.0,
    memory: Memory = 2.0,
    out: Earlier = None,
    fresh: Fresh = False,
    force: Force = False,
) -> None:
    """Draw a figure of the sources, compare bounds, or show where a claim holds and fails."""
    if name is None:
        _list()
        return
    if output is None:
        raise BadInput("say where to write the figure: -o figure.pdf (or .svg, .png)")
    mpl.use("agg")
    writable_file(output, KINDS, force=force)
    try:
        wide = None if width is None else inches(width)
    except ValueError as reason:
        raise BadInput(f"--width: {reason}") from reason
    axes = _plot(name, bound or [], against or [], at or [], (start, end), budget, out, fresh)
    made: Any = axes.get_figure(root=True)
    fitted(made, width=wide, title=title)
    try:
        save(made, output, force=force)
    except OSError as reason:
        raise BadInput(f"cannot write {output}: {reason.strerror}") from reason
    wrote(output)


def _plot(name: str, bounds: list[str], against: list[str], at: list[str],
          ends: tuple[float | None, float | None], budget: float, out: Path | None, fresh: bool) -> Axes:
    variables = [symbol(v.strip()) for text in against for v in text.split(",")]
    fixed = {}
    for v, several in read_numbers(at).items():
        if len(several) != 1:
            raise BadInput(f"--at {v} gives {len(several)} values; a figure fixes a variable at one")
        fixed[v] = several[0]
    if name == "comparison":
        return _compare(bounds, variables, fixed, ends)
    if bounds or ends != (None, None):
        raise BadInput("--bound, --from and --to go with the name comparison")
    try:
        found = plot_figure(name)[0]
    except UnknownFigure as reason:
        if "/" not in name:
            raise BadInput(str(reason)) from reason
        return _claim(name, variables, fixed, budget, out, fresh)
    if variables or fixed:
        raise BadInput(f"{name} is drawn as its source draws it; --against and --at go with claims")
    return found


def _compare(bounds: list[str], variables: list[Symbol], fixed: dict[Symbol, Expr],
             ends: tuple[float | None, float | None]) -> Axes:
    if len(variables) > 1:
        raise BadInput("bounds are compared against one variable; give --against once")
    names = [name.strip() for text in bounds for name in text.split(",")]
    low, high = ends
    return plot_comparison(names or USUAL, variables[0] if variables else k, fixed, low=low, high=high)


def _claim(id: str, variables: list[Symbol], fixed: dict[Symbol, Expr], budget: float,
           out: Path | None, fresh: bool) -> Axes:
    found = lookup(id)
    if isinstance(found, Statement):
        named = [c.id for c in found.claims]
        if id not in named:
            raise BadInput(f"{id} is a statement; draw one of its claims: {', '.join(named)}")
        found = claim(id)
    (record,) = known_records([found], Options(budget=budget, out=out), 1, fresh=fresh)
    ax = plot_claim(found, witness=witness_of(found, record), against=variables, at=fixed)
    whole: Any = ax.get_figure(root=True)
    whole.suptitle(f"{id}: {record.verdict}", fontsize="medium")
    return ax


def _list() -> None:
    for name, known in sorted(FIGURES.items()):
        tell(f"{name:18}{(known.draw.__doc__ or '').splitlines()[0]}")
    tell("ID                the margin of a claim, or where it fails; `symdp list` has the ids")
