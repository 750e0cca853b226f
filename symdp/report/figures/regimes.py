r"""A map of regimes: which closed form is best where, and by what factor it misses the exact value.

The plane is spanned by the number of mechanisms and the epsilon of each, both logarithmic; the slack
is fixed. The exact epsilon comes from Theorem 3.3.

>>> import matplotlib
>>> matplotlib.use("agg")
>>> chart = regimes({"linear": k * eps}, "1e-6", counts=[1, 4], epsilons=["0.1", "1"])
>>> chart.best
[[0, 0], [0, 0]]
>>> ax = plot_regimes(chart)
>>> ax.get_xlabel(), ax.get_ylabel()
('$k$', '$\\varepsilon$')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch
from sympy import Expr, Rational

from symdp.formulas.notation import eps, k, slack
from symdp.numbers import floating
from symdp.numbers.quantity import Quantity, quantity
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.report.figures.curves import COLOURS, new_axes
from symdp.typeset.numerals import number_latex
from symdp.typeset.typesetting import inline, latex

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DIGITS = 6
#: The lines that are drawn.
FACTORS = (1.02, 1.05, 1.1, 1.2, 1.3, 1.5, 2, 3)


@dataclass(frozen=True)
class Regimes:
    """The chart as numbers: rows are epsilons, columns are counts."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    epsilons: tuple[float, ...]
    slack: float
    #: which bound is the smallest
    best: list[list[int]]
    #: that bound divided by the exact epsilon; nan where the exact epsilon is 0
    factor: list[list[float]]


def regimes(
    bounds: Mapping[str, Expr], target: Quantity, counts: Sequence[int] | None = None,
    epsilons: Sequence[Quantity] | None = None,
) -> Regimes:
    """Compare the bounds, in k, eps and slack, on a grid of magnitudes with the exact composition."""
    many = tuple(counts or sorted({round(10 ** (i / 8)) for i in range(49)}))
    each = [quantity(e, "epsilon") for e in (epsilons or [f"{10 ** (i / 8 - 4):.4g}" for i in range(41)])]
    target_value = float(quantity(target, "delta"))
    functions = [floating.function(b, [k, eps, slack]) for b in bounds.values()]
    best: list[list[int]] = []
    factor: list[list[float]] = []
    for e in each:
        row, factors = [], []
        for n in many:
            values = [f([float(n), float(e), target_value]) for f in functions]
            smallest = min(range(len(values)), key=lambda i: values[i])
            truth = float(Homogeneous(e, 0, n).epsilon(delta=target, digits=DIGITS).upper)
            row.append(smallest)
            factors.append(values[smallest] / truth if truth > 0 else float("nan"))
        best.append(row)
        factor.append(factors)
    return Regimes(tuple(bounds), many, tuple(float(e) for e in each), target_value, best, factor)


def plot_regimes(chart: Regimes, ax: Axes | None = None) -> Axes:
    """Colours say which closed form is best, lines by what factor it is above the exact value."""
    axes = ax if ax is not None else new_axes()
    colours = COLOURS[: len(chart.names)]
    axes.pcolormesh(chart.counts, chart.epsilons, chart.best, cmap=ListedColormap(colours), alpha=0.35,
                    vmin=-0.5, vmax=len(colours) - 0.5, shading="nearest")
    axes.set_xscale("log")
    axes.set_yscale("log")
    if len(chart.counts) > 2 and len(chart.epsilons) > 2:
        lines: Any = axes.contour(chart.counts, chart.epsilons, chart.factor, levels=FACTORS,
                                  colors="black", linewidths=0.8)
        axes.clabel(lines, fmt=lambda level: f"×{level:g}", fontsize="small")
    patches = [Patch(color=colour, alpha=0.35, label=name)
               for colour, name in zip(colours, chart.names, strict=True)]
    axes.legend(handles=patches, frameon=False, loc="upper left")
    axes.set_xlabel(inline(k))
    axes.set_ylabel(inline(eps))
    axes.set_title(f"${latex(slack)} = {number_latex(Rational(f'{chart.slack:g}'))}$", fontsize="medium")
    return axes
