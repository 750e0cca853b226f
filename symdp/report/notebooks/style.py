"""How figures look in a notebook: little ink, formulas in the type of the text around them.

>>> STYLE["legend.frameon"], len(STYLE["axes.prop_cycle"])
(False, 7)
"""

from __future__ import annotations

from typing import Any

from cycler import cycler

from symdp.report.figures.curves import COLOURS

#: For ``pyplot.rcParams``: what every figure of the course has in common.
STYLE: dict[str, Any] = {
    "figure.figsize": (6.4, 3.5),
    "figure.constrained_layout.use": True,
    "font.size": 10.5,
    "mathtext.fontset": "stix",
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.titlesize": "medium",
    "axes.titlepad": 9,
    "axes.labelpad": 5,
    "axes.edgecolor": "#555555",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "xtick.color": "#555555",
    "ytick.color": "#555555",
    "xtick.labelcolor": "black",
    "ytick.labelcolor": "black",
    "lines.linewidth": 2,
    "lines.markersize": 5,
    "legend.frameon": False,
}
