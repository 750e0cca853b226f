r"""An expansion as a picture: its terms, the truth, and the band of the remainder.

>>> import matplotlib
>>> matplotlib.use("agg")
>>> from symdp.arguments.series.expanding import expand
>>> ax = expand("eps*tanh(eps/2)", "eps", 0, 4, where=["eps > 0"]).plot()
>>> [line.get_label() for line in ax.lines]
['$\\varepsilon\\tanh(\\varepsilon/2)$', '$\\frac{\\varepsilon^{2}}{2}$']
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib
from sympy import Symbol, oo

from symdp.arguments.series.expansion import Expansion
from symdp.numbers import floating
from symdp.report.figures.curves import COLOURS, new_axes, whole_figure
from symdp.report.figures.saved import save
from symdp.typeset.numerals import Number
from symdp.typeset.typesetting import inline

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 200


def plot_expansion(
    found: Expansion, ax: Axes | None = None, *, at: Mapping[Symbol, Number] | None = None,
    log: bool = False,
) -> Axes:
    """The truth, the sum of the terms, and the band of the remainder, on the neighbourhood.

    ``at`` fixes the parameters. With ``log`` both axes are logarithmic in the distance and in the
    size of the remainder: the true remainder then runs below the line of its bound.
    """
    axes = ax if ax is not None else new_axes()
    fixed = dict(at or {})
    missing = sorted((found.expr.free_symbols | found.constant.free_symbols)
                     - {found.variable, *fixed}, key=str)
    if missing:
        names = ", ".join(map(str, missing))
        raise ValueError(f"nothing says at which {names} to draw; give it in `at`")
    order = [found.variable, *fixed]
    rest = [float(value) for value in fixed.values()]
    truth, terms, bound = (floating.function(e, order)
                           for e in (found.expr, found.sum, found.remainder))
    places = _places(found, log)
    values = [[f([p, *rest]) for p in places] for f in (truth, terms, bound)]
    if log:
        _draw_sizes(axes, found, places, values)
    else:
        axes.plot(places, values[0], "-", color=COLOURS[0], linewidth=1.8, label=inline(found.expr))
        axes.plot(places, values[1], "--", color=COLOURS[1], linewidth=1.8, label=inline(found.sum))
        low = [t - abs(b) for t, b in zip(values[1], values[2], strict=True)]
        high = [t + abs(b) for t, b in zip(values[1], values[2], strict=True)]
        axes.fill_between(places, low, high, color=COLOURS[1], alpha=0.2, linewidth=0,
                          label=rf"$\pm$ {inline(found.remainder)}")
    axes.set_xlabel(inline(found.variable))
    axes.legend(frameon=False)
    return axes


def save_plot(found: Expansion, path: Path, *, force: bool = False) -> None:
    """The picture as a file, of the kind that the name of the file says."""
    matplotlib.use("agg")
    axes = new_axes()
    plot_expansion(found, axes)
    save(whole_figure(axes), path, force=force)


def _draw_sizes(
    axes: Axes, found: Expansion, places: list[float], values: list[list[float]]
) -> None:
    gaps = [abs(t - s) for t, s in zip(values[0], values[1], strict=True)]
    steps = places if found.at in (oo, -oo) else [abs(p - float(found.at)) for p in places]
    # Rounding of machine floats hides the smallest remainders; they are not drawn.
    seen = [(s, g) for s, g, t in zip(steps, gaps, values[0], strict=True) if g > 1e-12 * abs(t)]
    axes.loglog([s for s, _ in seen], [g for _, g in seen], "-", color=COLOURS[0], label="$|R|$")
    axes.loglog(steps, [abs(b) for b in values[2]], "--", color=COLOURS[1],
                label=inline(found.remainder))


def _places(found: Expansion, log: bool) -> list[float]:
    r = float(found.radius)
    steps = [10 ** (-4 * (1 - i / POINTS)) if log else i / POINTS for i in range(1, POINTS + 1)]
    if found.at in (oo, -oo):
        sign = 1 if found.at == oo else -1
        return [sign / r * (1 + 9 * s) for s in steps]
    centre = float(found.at)
    if found.side == "-":
        return [centre - r * s for s in reversed(steps)]
    right = [centre + r * s for s in steps]
    if found.side == "+" or log:
        return right
    return [*(centre - r * s for s in reversed(steps)), *right]
