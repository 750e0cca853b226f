r"""Bounds against the number of mechanisms, their epsilon or the slack, beside the exact value.

>>> import matplotlib
>>> matplotlib.use("agg")
>>> ax = plot_comparison(["basic", "exact"], low=1, high=4)
>>> [line.get_label() for line in ax.lines], ax.get_xlabel(), ax.get_title()
(['Theorem 3.1', 'exact'], '$k$', '$\\varepsilon = 0.1$, $\\tilde{\\delta} = 10^{-6}$')
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import cycle
from typing import TYPE_CHECKING

from sympy import Expr, Integer, Rational, Symbol

from symdp.formulas.notation import delta, eps, k, slack
from symdp.numbers.decimals import NotReached
from symdp.numbers.domain import Interval
from symdp.numbers.quantity import BadQuantity
from symdp.report.contenders import USUAL, Contender, contenders
from symdp.report.figures.curves import COLOURS, DASHES, dress, evaluate, new_axes
from symdp.report.figures.given_numbers import Numbers
from symdp.report.figures.slices import Axis, NoFigure
from symdp.typeset.numerals import number_latex
from symdp.typeset.typesetting import inline, latex

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS, EXACT_POINTS, DIGITS = 300, 80, 6
#: Where a curve starts and ends, and where the other variables stand, unless something else is said.
RANGES = {k: (1.0, 1e4), eps: (1e-3, 10.0), slack: (1e-12, 1.0), delta: (1e-9, 1e-2)}
USUALLY = {eps: Rational(1, 10), k: Integer(100), slack: Rational(1, 10**6)}

#: What the exact composition is computed for, and no figure needs more.
FARTHEST = 1e15


def plot_comparison(
    bounds: Iterable[str] = USUAL, against: Symbol = k, at: Numbers | None = None, ax: Axes | None = None,
    *, low: float | None = None, high: float | None = None,
) -> Axes:
    """One curve for each bound that is named; `exact` is what Theorem 3.3 gives."""
    chosen = contenders(bounds)
    if not chosen:
        raise NoFigure("a comparison needs bounds, such as basic, advanced and exact")
    if not any(against in c.symbols for c in chosen) and against != delta:
        there = sorted({str(v) for c in chosen for v in c.symbols})
        raise NoFigure(f"none of the bounds depends on {against}; they depend on {', '.join(there)}")
    axis = _axis(against, low, high)
    fixed: dict[Symbol, Expr] = {**USUALLY, **(at or {})}
    fixed.pop(against, None)
    axes = ax if ax is not None else new_axes()
    styles = zip(cycle(COLOURS), cycle(DASHES), strict=False)
    heights: list[float] = []
    for one, (colour, dash) in zip(chosen, styles, strict=False):
        places, values = _curve(one, axis, fixed)
        heights += [u for u in values if math.isfinite(u) and u > 0]
        axes.plot([float(u) for u in places], values, dash, color=colour, linewidth=1.8, label=one.heading)
    if not heights:
        raise NoFigure("none of the bounds has a value there")
    if axis.logarithmic:
        axes.set_xscale("log")
    if max(heights) > 100 * min(heights):
        axes.set_yscale("log")
    axes.set_xlim(axis.low, axis.high)
    axes.set_xlabel(inline(against))
    axes.set_ylabel(r"$\varepsilon_{\mathrm{total}}$")
    used = frozenset().union(*(c.symbols for c in chosen)) | set(at or {})
    axes.set_title(", ".join(f"${latex(v)} = {number_latex(u)}$" for v, u in fixed.items() if v in used),
                   fontsize="medium")
    dress(axes)
    return axes


def _axis(against: Symbol, low: float | None, high: float | None) -> Axis:
    usual = RANGES.get(against, (1e-3, 1e2))
    first, last = (usual[0] if low is None else low), (usual[1] if high is None else high)
    if not first < last:
        raise NoFigure(f"from {first:g} to {last:g} there is nothing to draw")
    if not max(abs(first), abs(last)) <= FARTHEST:
        raise NoFigure(f"an axis ends at {FARTHEST:g} at the latest, and not at {last:g}")
    return Axis(against, first, last, logarithmic=first > 0 and last >= 30 * first, integer=against == k)


def _curve(one: Contender, axis: Axis, fixed: dict[Symbol, Expr]) -> tuple[list[Rational], list[float]]:
    if one.formula is not None:
        places = axis.places(POINTS, Interval())
        missing = sorted(one.formula.free_symbols - {axis.variable, *fixed}, key=str)
        if missing:
            raise NoFigure(f"{one.name} needs a value of {missing[0]}; write --at '{missing[0]} = ...'")
        return places, evaluate(one.formula, axis.variable, places, fixed)
    places = axis.places(EXACT_POINTS, Interval())
    values = []
    for u in places:
        try:
            found = one.epsilon({**fixed, axis.variable: u}, DIGITS).upper
            values.append(float(found) if found.is_finite() else math.nan)
        except (BadQuantity, NotReached):
            values.append(math.nan)
    return places, values
