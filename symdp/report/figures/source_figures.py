"""The figures of the sources, each by the name of the claim that prints it, drawn anew.

>>> import matplotlib
>>> matplotlib.use("agg")
>>> known_figures()
('comparison', 'fig-1.region', 'fig-2.regions', 'fig-3.comparison', 'fig-4.network', 'regimes')
>>> draw("fig-4.network").axes[0].get_title()
'the composition experiment, k = 4'
>>> from matplotlib import pyplot
>>> panels = pyplot.subplots(1, 2)[1]
>>> plot_figure("fig-2", panels)[0] is panels[0]
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matplotlib import pyplot
from sympy import Rational

from symdp.arguments.orders.crossovers import BRANCHES
from symdp.numbers.exact import expression
from symdp.privacy.accounting.bounds import by_name
from symdp.privacy.regions.region import PrivacyRegion
from symdp.report.figures.comparison import plot_comparison
from symdp.report.figures.curves import COLOURS, whole_figure
from symdp.report.figures.regimes import plot_regimes, regimes
from symdp.report.figures.regions import plot_regions

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Whole

Draw = Callable[..., None]
INK, SOFT = COLOURS[-1], "#7f7f7f"


@dataclass(frozen=True)
class Drawing:
    """How a figure is drawn, on how many axes, and how large one of them is."""

    draw: Draw
    panels: int = 1
    size: tuple[float, float] = (4.4, 4.2)


FIGURES: dict[str, Drawing] = {}


class UnknownFigure(LookupError):
    """There is no figure of that name."""


def figure(
    name: str, panels: int = 1, size: tuple[float, float] = (4.4, 4.2)
) -> Callable[[Draw], Draw]:
    def register(drawing: Draw) -> Draw:
        FIGURES[name] = Drawing(drawing, panels, size)
        return drawing

    return register


def known_figures() -> tuple[str, ...]:
    return tuple(sorted(FIGURES))


def draw(name: str) -> Whole:
    """The figure of that name; ``kov/`` may stand before it, and ``fig-1`` alone is enough."""
    return whole_figure(plot_figure(name)[0])


def plot_figure(name: str, ax: Axes | Sequence[Axes] | None = None) -> tuple[Axes, ...]:
    """The figure of that name, on axes that go in or are made, and come out."""
    short = name.removeprefix("kov/")
    for known, found in FIGURES.items():
        if short in (known, known.partition(".")[0]):
            axes = _panels(found) if ax is None else _given(ax, found.panels, known)
            found.draw(*axes)
            return axes
    raise UnknownFigure(f"there is no figure {name[:60]!r}; there are {', '.join(known_figures())}, "
                        "and the ids of claims")


def _panels(found: Drawing) -> tuple[Axes, ...]:
    width, height = found.size
    axes = pyplot.subplots(1, found.panels, figsize=(width * found.panels, height), layout="constrained",
                           squeeze=False)[1]
    return tuple(axes[0])


def _given(ax: Axes | Sequence[Axes], panels: int, name: str) -> tuple[Axes, ...]:
    axes = tuple(ax) if isinstance(ax, Iterable) else (ax,)
    if len(axes) != panels:
        raise ValueError(f"{name} is drawn on {panels} axes, not on {len(axes)}")
    return axes


@figure("fig-1.region")
def privacy_region(ax: Axes) -> None:
    """R(eps, delta) with its corner, its intercepts and the tangent of problem (28)."""
    epsilon, delta = Rational(1), Rational(1, 10)
    region = PrivacyRegion.guarantee(epsilon, delta)
    plot_regions({r"$\mathcal{R}(\varepsilon,\delta)$": region}, ax)
    corner = (1 - float(delta)) / (1 + math.e)
    ax.plot([0, 1], [1, 0], "-", color=SOFT, linewidth=0.8)
    # The level set on which P_FA + P_MD is least, and so the total variation greatest.
    ax.plot([0, 2 * corner], [2 * corner, 0], ":", color=INK, linewidth=1.4)
    ax.plot([corner], [corner], "o", color=INK, markersize=4)
    _note(ax, r"$\left(\frac{1-\delta}{1+e^{\varepsilon}},\frac{1-\delta}{1+e^{\varepsilon}}\right)$",
          (corner, corner), (10, 8))
    _note(ax, r"$1-\delta$", (0, 1 - float(delta)), (8, 2))
    _note(ax, r"slope $-e^{\varepsilon}$", (corner / 2, (1 - float(delta) + corner) / 2), (8, 4))
    _note(ax, r"slope $-e^{-\varepsilon}$", ((1 - float(delta) + corner) / 2, corner / 2), (4, 8))
    legend = ax.get_legend()
    if legend is not None:
        legend.remove()


def _note(ax: Axes, words: str, at: tuple[float, float], away: tuple[float, float]) -> None:
    ax.annotate(words, at, xytext=away, textcoords="offset points", fontsize=10)


@figure("fig-2.regions", panels=2)
def regions_of_composition(*axes: Axes) -> None:
    """The exact regions for k = 1, ..., 5 at eps = 0.4, with delta = 0 and 0.1."""
    for ax, delta in zip(axes, (Rational(0), Rational(1, 10)), strict=True):
        regions = {f"$k = {k}$": PrivacyRegion.composed("0.4", delta, k) for k in range(1, 6)}
        plot_regions(regions, ax)
        ax.set_title(rf"$\varepsilon = 0.4,\ \delta = {float(delta):g}$", fontsize="medium")


@figure("fig-3.comparison", panels=2)
def comparison_of_theorems(left: Axes, right: Axes) -> None:
    """Theorems 3.1, 3.2 and 3.3 for 30 mechanisms of (0.1, 0.001), and tangent lines of the last."""
    epsilon, delta, k = Rational(1, 10), Rational(1, 1000), 30
    exact = PrivacyRegion.composed(epsilon, delta, k)
    plot_regions({
        "Theorem 3.1": PrivacyRegion.guarantee(k * epsilon, k * delta),
        "Theorem 3.2": advanced_region(epsilon, delta, k),
        "Theorem 3.3": exact,
    }, left)
    plot_regions({r"$\mathcal{R}(M, D_0, D_1)$": exact}, right)
    for line in exact.tangents[::3]:
        ratio, rest = (float(expression(value).evalf(15)) for value in (line.ratio, 1 - line.shift))
        ends = ([0, rest / ratio], [rest, 0])
        across, up = ends[::-1] if line.exchanged else ends
        right.plot(across, up, "-", color=SOFT, linewidth=0.7)
    right.set_title(r"$P_{\mathrm{FA}} = -e^{\tilde{\varepsilon}}P_{\mathrm{MD}} + 1 - "
                    r"d_{\tilde{\varepsilon}}(P_0, P_1)$", fontsize="medium")


def advanced_region(epsilon: Rational, delta: Rational, k: int, lines: int = 40) -> PrivacyRegion:
    """What Theorem 3.2 leaves: the intersection over many slacks, each rounded to its safe side."""
    bound = by_name("advanced")
    pairs = []
    for i in range(lines):
        total = k * delta + Rational(10) ** -6 * Rational(9, 5) ** i
        if total >= 1:
            break
        enclosure = bound.epsilon([(epsilon, delta, k)], delta=total, digits=12)
        pairs.append((Rational(str(enclosure.upper)), total))
    return PrivacyRegion.of_guarantees(pairs)


@figure("fig-4.network", size=(6.4, 4.2))
def bayesian_network(ax: Axes, k: int = 4) -> None:
    """The composition experiment as a network: what is drawn under what."""
    place: dict[str, tuple[float, float]] = {"b": (0.5, 1.0), "R": (0.5, 0.02)}
    for i in range(1, k + 1):
        across = (i - 0.5) / k
        place[f"X{i}"], place[f"Y{i}"] = (across, 0.68), (across, 0.36)
    for source, target in network_edges(k):
        bend = 0.25 if source[0] == target[0] == "Y" and int(target[1:]) - int(source[1:]) > 1 else 0.0
        ax.annotate("", place[target], place[source], arrowprops={
            "arrowstyle": "-|>", "color": SOFT, "linewidth": 0.9, "shrinkA": 13, "shrinkB": 13,
            "connectionstyle": f"arc3,rad={bend}"})
    for name, (x, y) in place.items():
        words = f"${name}$" if len(name) == 1 else f"${name[0]}^{{{name[1:]},b}}$"
        colour = COLOURS[0] if name[0] == "X" else INK
        ax.text(x, y, words, ha="center", va="center", color=colour, fontsize=11, bbox={
            "boxstyle": "circle,pad=0.35", "facecolor": "white", "edgecolor": colour, "linewidth": 1.1})
    ax.set_xlim(0, 1)
    ax.set_ylim(-0.1, 1.1)
    ax.set_axis_off()
    ax.set_title(f"the composition experiment, k = {k}", fontsize="medium")


@figure("regimes")
def map_of_regimes(ax: Axes) -> None:
    """Which branch of Theorem 3.4 is best where, and by what factor it misses the exact value."""
    plot_regimes(regimes(BRANCHES, "1e-6"), ax)


@figure("comparison", size=(6.0, 3.6))
def usual_comparison(ax: Axes) -> None:
    """Theorems 3.1, 3.2 and 3.4 and the exact value against the number of mechanisms."""
    plot_comparison(ax=ax)


def network_edges(k: int) -> list[tuple[str, str]]:
    """b draws every X; an answer depends on the coins R, its own X and the answers before it.

    >>> len(network_edges(4))
    18
    """
    edges = [("b", f"X{i}") for i in range(1, k + 1)]
    for i in range(1, k + 1):
        edges += [("R", f"Y{i}"), (f"X{i}", f"Y{i}")]
        edges += [(f"Y{j}", f"Y{i}") for j in range(1, i)]
    return edges
