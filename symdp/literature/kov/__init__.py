"""Kairouz, Oh and Viswanath: the composition theorem for differential privacy, long version."""

from symdp.sources.statement import Source

kov = Source(
    key="kov",
    title="The Composition Theorem for Differential Privacy",
    cite="kairouz2013composition",
    symbols={"total epsilon": r"\tilde{\varepsilon}_{\tilde{\delta}}"},
    # counted where the text shows that a page ends, which it does up to Section 5
    pages={
        "sec-1": "1-3", "thm-2.1": "3", "eq-2": "3", "eq-3": "3", "fig-1": "4", "rem-2.2": "4", "cor-2.3": "4",
        "thm-2.4": "5", "thm-2.5": "5", "sec-3": "5-6", "sec-3.1": "6-7", "thm-3.1": "6", "thm-3.2": "6",
        "thm-3.3": "7", "sec-3.2": "7-8", "fig-2": "8", "fig-3": "8", "thm-3.4": "8", "thm-3.5": "9", "sec-4": "9",
        "sec-4.1": "9-11",
        "cor-4.1": "10", "cor-4.2": "10", "thm-4.3": "11", "sec-4.2": "11-12", "thm-4.4": "12", "sec-5": "12",
        "sec-5.1": "12-15", "eq-9": "13", "eq-10": "13", "eq-11": "14", "eq-12": "14", "eq-13": "14", "eq-14": "14",
        "eq-15": "14", "eq-16": "15", "sec-5.2": "15", "thm-5.1": "15",
    },
)
