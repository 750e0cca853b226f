r"""Privacy regions drawn as in the sources: missed detections across, false alarms up.

>>> import matplotlib
>>> matplotlib.use("agg")
>>> from symdp.privacy.regions.region import PrivacyRegion
>>> ax = plot_regions({"one": PrivacyRegion.guarantee("0.4"),
...                    "five": PrivacyRegion.composed("0.4", 0, 5)})
>>> [line.get_label() for line in ax.lines], ax.get_xlabel()
(['one', 'five'], '$P_{\\mathrm{MD}}$')
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import cycle
from typing import TYPE_CHECKING

from symdp.numbers.exact import expression
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.pairs.pair import Mechanism
from symdp.privacy.regions.region import PrivacyRegion
from symdp.privacy.regions.tangent import SeparatingLine
from symdp.report.figures.curves import COLOURS, DASHES, dress, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIDE = 4.2
#: On a curved boundary, so many pieces.
POINTS = 200


def plot_regions(
    regions: Mapping[str, PrivacyRegion | Mechanism], ax: Axes | None = None, *, whole: bool = False
) -> Axes:
    """One outline for each region, lightly filled; below the diagonal unless ``whole`` is asked for.

    A mechanism stands for its region, which may be curved. The corners are exact; they become
    machine floats only to be drawn.
    """
    if ax is None:
        ax = new_axes(SIDE, SIDE)
    styles = zip(cycle(COLOURS), cycle(DASHES), strict=False)
    for (name, region), (colour, dash) in zip(regions.items(), styles, strict=False):
        corners = outline(region, whole=whole)
        across, up = [x for x, _ in corners], [y for _, y in corners]
        ax.fill(across, up, color=colour, alpha=0.08, linewidth=0)
        ax.plot(across, up, dash, color=colour, label=name, linewidth=1.8)
    ax.set_xlabel(r"$P_{\mathrm{MD}}$")
    ax.set_ylabel(r"$P_{\mathrm{FA}}$")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.set_aspect("equal")
    dress(ax)
    return ax


def plot_separation(reason: SeparatingLine, ax: Axes) -> Axes:
    """The line that one region respects, and the point of the other that violates it."""
    line = reason.line
    ratio, rest = (float(expression(value).evalf(20)) for value in (line.ratio, 1 - line.shift))
    ends = ([0, rest / ratio], [rest, 0])
    across, up = ends[::-1] if line.exchanged else ends
    ax.plot(across, up, ":", color=COLOURS[-1], linewidth=1.2, label=line._repr_latex_())
    ax.plot([float(reason.point[0].evalf(20))], [float(reason.point[1].evalf(20))], "o",
            color=COLOURS[-1], markersize=5)
    ax.legend(frameon=False)
    return ax


def outline(region: PrivacyRegion | Mechanism, *, whole: bool = False) -> list[tuple[float, float]]:
    """The corners in floats, and with ``whole`` the way back along the turned boundary.

    >>> outline(PrivacyRegion.guarantee(exp_epsilon=3), whole=True)
    [(0.0, 1.0), (0.25, 0.25), (1.0, 0.0), (0.75, 0.75), (0.0, 1.0)]
    """
    if isinstance(region, FinitePair):
        region = PrivacyRegion.of(region)
    if isinstance(region, Mechanism):
        places = [Fraction(i, POINTS) for i in range(POINTS + 1)]
        lower = [(float(x), float(region.false_alarm(x, digits=8))) for x in places]
    else:
        lower = [(float(x.evalf(20)), float(y.evalf(20))) for x, y in region.corners]
    turned = [(1 - x, 1 - y) for x, y in lower]
    return lower + turned[1:] if whole else lower

