r"""The regimes that the sources speak of, and how the bounds compare in them: every pair in every regime.

A bound is written in $\varepsilon$, $k$ and the slack $\tilde\delta$. In a regime one of them moves, others
follow it, and the rest is anywhere in a box; the ratio of two bounds is then asymptotic to what
:func:`symdp.arguments.orders.ratios.compare` proves.

>>> for pair in REGIMES["small epsilon"].ratios(["linear", "advanced", "classic"]):
...     print(pair)
linear/advanced ~ sqrt(2)*sqrt(k)/(2*sqrt(log(1/slack)))
linear/classic ~ sqrt(2)*sqrt(k)/(2*sqrt(log(1/slack)))
advanced/classic ~ 1
>>> print(REGIMES["large epsilon"])
large epsilon: eps -> oo, for 1 <= k <= 1000000, 1/10^12 <= slack <= 1/10
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sympy import Expr, Integer, Symbol, oo, sqrt

from symdp.arguments.orders.crossovers import CLOSED_FORMS
from symdp.arguments.orders.ratios import Ratio, compare
from symdp.formulas.notation import eps, k, slack, symbol
from symdp.formulas.printing import to_text
from symdp.typeset.typesetting import latex

c = symbol("c")

@dataclass(frozen=True)
class NamedRegime:
    """What moves where, what follows, and in which box the others are."""

    name: str
    variable: Symbol
    at: Expr
    where: tuple[str, ...]
    along: Mapping[Symbol, Expr] = field(default_factory=dict)

    def ratios(self, names: Iterable[str] | None = None) -> list[Ratio]:
        """The ratio of every pair of closed forms, or of those that are named."""
        chosen = list(CLOSED_FORMS) if names is None else list(names)
        return compare({name: CLOSED_FORMS[name] for name in chosen}, self.variable, self.at,
                       along=self.along, where=self.where)

    def __str__(self) -> str:
        path = "".join(f", {v} = {to_text(e)}" for v, e in self.along.items())
        return f"{self.name}: {self.variable} -> {self.at}{path}, for {', '.join(self.where)}"

    def table(self, names: Iterable[str] | None = None) -> str:
        """The ratios as Markdown."""
        path = "".join(f", ${latex(v)} = {latex(e)}$" for v, e in self.along.items())
        target = r"\infty" if self.at == oo else latex(self.at)
        rows = [f"**{self.name}**: ${latex(self.variable)} \\to {target}${path}", "",
                "| | divided by | is asymptotically |", "|---|---|---|"]
        rows += [f"| {r.upper} | {r.lower} | "
                 + (f"${latex(r.growth)}$ |" if r.growth is not None else f"not found: {r.why} |")
                 for r in self.ratios(names)]
        return "\n".join(rows)

    def _repr_markdown_(self) -> str:
        return self.table()


_COUNTS, _SLACKS = "1 <= k <= 1000000", "1/10^12 <= slack <= 1/10"

#: The regimes of the sources.
REGIMES: dict[str, NamedRegime] = {r.name: r for r in (
    NamedRegime("small epsilon", eps, Integer(0), (_COUNTS, _SLACKS)),
    NamedRegime("large epsilon", eps, oo, (_COUNTS, _SLACKS)),
    NamedRegime("many mechanisms", k, oo, ("1/100 <= eps <= 100", _SLACKS)),
    NamedRegime("many small mechanisms", k, oo, ("1/10 <= c <= 10", _SLACKS), {eps: c / sqrt(k)}),
    NamedRegime("small slack", slack, Integer(0), (_COUNTS, "1/100 <= eps <= 100")),
    # Section 1: eps sqrt(k) in proportion to the slack, where a logarithm is gained
    NamedRegime("slack in proportion", slack, Integer(0), (_COUNTS, "1/10 <= c <= 10"),
                {eps: c * slack / sqrt(k)}),
)}
