"""The names of what can be drawn again: `symdp.report.figures.source_figures` draws these and no others."""

from __future__ import annotations

DRAWINGS = ("fig-1.region", "fig-2.regions", "fig-3.comparison", "fig-4.network", "comparison", "regimes")
