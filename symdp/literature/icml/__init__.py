"""Kairouz, Oh and Viswanath: the composition theorem for differential privacy, conference version."""

from symdp.sources.statement import Source

icml = Source(
    key="icml",
    title="The Composition Theorem for Differential Privacy (ICML)",
    cite="kairouz2015composition",
    symbols={"total epsilon": r"\tilde{\varepsilon}_{\tilde{\delta}}"},
    # counted at the running heads
    pages={"sec-1": "1", "fig-1": "3", "thm-3.3": "4", "sec-3.2": "5", "cor-4.2": "7", "thm-4.3": "7"},
)
