"""Kairouz, Oh and Viswanath: the composition theorem for differential privacy, conference version."""

from symdp.sources.statement import Source

icml = Source(
    key="icml",
    title="The Composition Theorem for Differential Privacy (ICML)",
    cite="kairouz2015composition",
    symbols={"total epsilon": r"\tilde{\varepsilon}_{\tilde{\delta}}"},
)
