"""Kairouz, Oh and Viswanath: the composition theorem for differential privacy, long version."""

from symdp.sources.statement import Source

kov = Source(
    key="kov",
    title="The Composition Theorem for Differential Privacy",
    cite="kairouz2013composition",
    symbols={"total epsilon": r"\tilde{\varepsilon}_{\tilde{\delta}}"},
)
