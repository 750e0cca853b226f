r"""Ratios of bounds in a regime: the leading term of every pair, exact.

>>> from sympy import Integer, exp, oo, tanh
>>> from symdp.formulas.notation import eps, k
>>> bounds = {"printed": k * eps * (exp(eps) - 1), "centred": k * eps * tanh(eps / 2)}
>>> for pair in compare(bounds, eps, Integer(0), where=["1 <= k <= 100"]):
...     print(pair)
printed/centred ~ 2
>>> for pair in compare(bounds, eps, oo, where=["1 <= k <= 100"]):
...     print(pair)
printed/centred ~ exp(eps)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import sympy
from sympy import Expr, Symbol

from symdp.arguments.orders.leading_terms import leading, limit_of, quotient
from symdp.arguments.series.neighbourhood import NoExpansion
from symdp.arguments.series.positive_factors import split
from symdp.arguments.series.truncation import SeriesTerm
from symdp.formulas.parsing import parse_conditions
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Relation
from symdp.numbers.domain import Domain
from symdp.search.view.identity import TooLarge, identical
from symdp.typeset.typesetting import latex


@dataclass(frozen=True)
class Ratio:
    """What the quotient of two bounds is asymptotic to; no growth where that was not found."""

    upper: str
    lower: str
    growth: Expr | None
    limit: Expr | None
    why: str = ""

    def __str__(self) -> str:
        shown = f"~ {to_text(self.growth)}" if self.growth is not None else f"? {self.why}"
        return f"{self.upper}/{self.lower} {shown}"

    def _repr_latex_(self) -> str:
        shown = rf"\sim {latex(self.growth)}" if self.growth is not None else "?"
        return rf"$\text{{{self.upper}}}/\text{{{self.lower}}} {shown}$"


def tidied(growth: Expr) -> Expr:
    """The same as a shorter product, where SymPy finds one that is seen to be the same.

    >>> from sympy import exp
    >>> from symdp.formulas.notation import eps
    >>> tidied(eps * (exp(eps) + 1) / (eps * exp(eps) - eps))
    (exp(eps) + 1)/(exp(eps) - 1)
    """
    try:
        product = sympy.factor(growth)
        shorter = product.count_ops() < growth.count_ops() and identical(product, growth)
    except TooLarge:
        return growth
    return product if shorter else growth


def compare(
    bounds: Mapping[str, Expr], variable: Symbol, at: Expr, *, along: Mapping[Symbol, Expr] | None = None,
    where: Iterable[str | Relation] = (), side: str = "+",
) -> list[Ratio]:
    """The ratio of every pair as the variable tends to the point, others following ``along``."""
    relations = [r for w in where for r in (parse_conditions(w) if isinstance(w, str) else [w])]
    parameters = Domain.of(relations)
    terms: dict[str, SeriesTerm | NoExpansion] = {}
    for name, f in bounds.items():
        try:
            terms[name] = leading(f, variable, at, side, parameters, along)
        except NoExpansion as reason:
            terms[name] = reason
    found = []
    for one, two in combinations(bounds, 2):
        try:
            term = quotient(*(_known(terms[name]) for name in (one, two)))
            growth = tidied(split(term.written(variable, at, side), parameters))
            found.append(Ratio(one, two, growth, limit_of(term, parameters)))
        except NoExpansion as reason:
            found.append(Ratio(one, two, None, None, str(reason)))
    return found


def _known(term: SeriesTerm | NoExpansion) -> SeriesTerm:
    if isinstance(term, NoExpansion):
        raise term
    return term
