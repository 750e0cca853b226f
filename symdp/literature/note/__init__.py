"""A note on the advanced composition theorem, after the textbook of Dwork and Roth."""

from symdp.sources.statement import Source

note = Source(
    key="note",
    title="A note on Theorem 3.20, advanced composition",
    cite="dwork2014foundations",
    log="ln",
    symbols={"slack": r"\delta'", "total epsilon": r"\varepsilon'"},
)
