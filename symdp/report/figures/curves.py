r"""Curves of closed forms. An axes goes in or is made, and comes out, so that figures compose.

>>> import matplotlib
>>> matplotlib.use("agg")
>>> from sympy import Rational
>>> from symdp.formulas.notation import eps, k
>>> ax = plot_bounds({"basic": k * eps}, k, [1, 2, 4], {eps: Rational("0.1")})
>>> ax.get_xlabel(), ax.get_title()
('$k$', '$\\varepsilon = 0.1$')
>>> [float(y) for y in ax.lines[0].get_ydata()]
[0.1, 0.2, 0.4]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import TYPE_CHECKING

from matplotlib import pyplot
from sympy import Expr, Symbol

from symdp.numbers import floating
from symdp.typeset.numerals import Number, number_latex
from symdp.typeset.typesetting import inline, latex

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Okabe and Ito's colours without the yellow, which is too pale for a line: told apart by readers
#: of every kind of colour vision. The dashes tell them apart in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES = ("-", "--", "-.", ":")
WIDTH, HEIGHT = 6.0, 3.6
#: More names than this stand below the axes.
CROWD = 5


def plot_bounds(
    bounds: Mapping[str, Expr],
    against: Symbol,
    values: Iterable[Number],
    at: Mapping[Symbol, Number],
    ax: Axes | None = None,
    *,
    log_x: bool = False,
    log_y: bool = False,
    quantity: str = "",
) -> Axes:
    """One curve for each bound, named as in ``bounds``, with the other variables fixed ``at``.

    The values are machine floats: good for the eye, never evidence. ``quantity`` names the
    vertical axis, and may contain LaTeX between dollar signs.
    """
    values = tuple(values)
    if ax is None:
        ax = new_axes()
    styles = zip(cycle(COLOURS), cycle(DASHES), strict=False)
    for (name, bound), (colour, dash) in zip(bounds.items(), styles, strict=False):
        heights = evaluate(bound, against, values, at)
        ax.plot([float(v) for v in values], heights, dash, color=colour, label=name, linewidth=1.8)
    used = frozenset().union(*(b.free_symbols for b in bounds.values())) if bounds else frozenset()
    ax.set_xlabel(inline(against))
    ax.set_ylabel(quantity)
    ax.set_title(", ".join(f"${latex(v)} = {number_latex(x)}$" for v, x in at.items() if v in used),
                 fontsize="medium")
    if log_x:
        ax.set_xscale("log")
    if log_y:
        ax.set_yscale("log")
    dress(ax)
    return ax


def evaluate(
    bound: Expr, against: Symbol, values: Iterable[Number], at: Mapping[Symbol, Number]
) -> list[float]:
    """The bound at each value, in floats; nan where it has no real value.

    >>> from symdp.formulas.notation import eps, k
    >>> evaluate(k * eps, k, [1, 3], {eps: 2})
    [2.0, 6.0]
    >>> evaluate(k * eps, k, [1, 3], {})
    Traceback (most recent call last):
    ...
    ValueError: nothing says at which eps to draw; give it in `at`
    """
    free = sorted(bound.free_symbols - {against, *at}, key=str)
    if free:
        names = ", ".join(map(str, free))
        raise ValueError(f"nothing says at which {names} to draw; give it in `at`")
    fixed = [v for v in at if v != against]
    compute = floating.function(bound, [against, *fixed])
    rest = [float(at[v]) for v in fixed]
    return [compute([float(value), *rest]) for value in values]


def new_axes(width: float = WIDTH, height: float = HEIGHT) -> Axes:
    """Axes of their own, in a figure that leaves room for labels."""
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def whole_figure(ax: Axes) -> Figure:
    """The figure that these axes are in."""
    found = ax.get_figure(root=True)
    if found is None:
        raise ValueError("the axes are in no figure any more")
    return found


def dress(ax: Axes) -> None:
    """Little ink: no box, a faint grid, the legend without a frame."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(alpha=0.25, linewidth=0.6)
    ax.set_axisbelow(True)
    many = len(ax.get_legend_handles_labels()[0])
    if many > CROWD:  # among so many curves there is no free corner
        ax.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, fontsize="small")
    elif many:
        ax.legend(frameon=False)
