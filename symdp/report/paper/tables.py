r"""Bounds side by side as a table for a paper, set with booktabs.

>>> from symdp.report.figures.given_numbers import read_numbers
>>> made = bounds_table(["basic", "advanced"], read_numbers(["eps = 0.1", "slack = 1e-6", "k = 10, 100"]))
>>> print(made.body)
\begin{table}[ht]
\centering
\caption{The total $\varepsilon$ by each bound, rounded up,
  for $\varepsilon = 0.1$ and $\tilde{\delta} = 10^{-6}$ \cite{kairouz2013composition}.}
\label{symdp:table}
\smallskip
\begin{tabular}{rr@{.}lr@{.}l}
\toprule
$k$ & \multicolumn{2}{r}{Theorem 3.1} & \multicolumn{2}{r}{Theorem 3.2}\\
\midrule
$10$ & 1&00000 & 1&76743\\
$100$ & 10&0000 & 6&30824\\
\bottomrule
\end{tabular}
\end{table}
<BLANKLINE>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING, Context
from typing import Unpack

from sympy import Symbol

from symdp.formulas.notation import eps
from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity, MissingQuantity
from symdp.report.contenders import Contender, contenders
from symdp.report.figures.given_numbers import Numbers, Several, combinations_of
from symdp.report.paper.documents import Piece
from symdp.typeset.numerals import decimal_latex, number_latex
from symdp.typeset.prose import label_latex, listed, text_latex
from symdp.typeset.typesetting import StyleOptions, latex

DIGITS = 6
_DECIMAL = re.compile(r"\d+\.\d+")
#: More numbers than this do not stand beside each other on a page.
MOST_COLUMNS = 5


def bounds_table(bounds: Iterable[str], numbers: Several, *, digits: int = DIGITS,
                 **style: Unpack[StyleOptions]) -> Piece:
    """One column for each bound; one row for each choice of the variables that have several values."""
    columns = contenders(bounds)
    if not columns:
        raise BadQuantity("a table needs bounds: names such as basic, advanced, exact, or ids")
    used = frozenset().union(*(c.symbols for c in columns)) | {v for v, s in numbers.items() if len(s) > 1}
    shown = {v: several for v, several in numbers.items() if v in used or str(v) == "delta"}
    moving = [v for v, several in shown.items() if len(several) > 1]
    fixed = [f"${latex(v, **style)} = {number_latex(s[0])}$" for v, s in shown.items() if len(s) == 1]
    keys = tuple(dict.fromkeys(c.cite for c in columns))
    choices = combinations_of(shown)
    body = _upright(columns, choices, moving, digits, style) if len(columns) <= MOST_COLUMNS else \
        _lying(columns, choices, moving, digits, style)
    lines = [
        r"\begin{table}[ht]", r"\centering",
        rf"\caption{{The total ${latex(eps, **style)}$ by each bound, rounded up,",
        f"  {f'for {listed(fixed)} ' if fixed else ''}" + rf"\cite{{{','.join(map(label_latex, keys))}}}.}}",
        r"\label{symdp:table}", r"\smallskip", *body, r"\end{table}", "",
    ]
    return Piece("\n".join(lines), packages=("booktabs",), keys=keys)


def _upright(columns: Sequence[Contender], choices: Sequence[Numbers], moving: Sequence[Symbol],
             digits: int, style: StyleOptions) -> list[str]:
    """A column for each bound."""
    headings = [*(f"${latex(v, **style)}$" for v in moving), *(_heading(c, len(columns)) for c in columns)]
    rows = [[*(f"${number_latex(at[v])}$" for v in moving), *(_cell(c, at, digits) for c in columns)]
            for at in choices]
    return _tabular("r" * len(moving) + "d" * len(columns), [headings], rows)


def _lying(columns: Sequence[Contender], choices: Sequence[Numbers], moving: Sequence[Symbol],
           digits: int, style: StyleOptions) -> list[str]:
    """A row for each bound, where there are too many of them; as many choices as fit beside each other."""
    found = [r"\small\setlength{\tabcolsep}{4pt}"]
    for start in range(0, len(choices), MOST_COLUMNS):
        some = choices[start:start + MOST_COLUMNS]
        headings = [[f"${latex(v, **style)}$", *(f"${number_latex(at[v])}$" for at in some)]
                    for v in moving]
        rows = [[_words(c), *(_cell(c, at, digits) for at in some)] for c in columns]
        found += [*([r"\par\medskip"] if start else []),
                  *_tabular("l" + "d" * len(some), headings or [["bound", "value"]], rows)]
    return found


def _tabular(shape: str, headings: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]) -> list[str]:
    """Below each other; a column of kind d has its decimal points below each other, without a package for that."""
    def cell(text: str, kind: str) -> str:
        if kind != "d":
            return text
        whole, point, rest = text.partition(".")
        return f"{whole}&{rest}" if point and _DECIMAL.fullmatch(text) else rf"\multicolumn{{2}}{{r}}{{{text}}}"

    def line(cells: Sequence[str]) -> str:
        return " & ".join(map(cell, cells, shape)) + r"\\"

    columns = shape.replace("d", "r@{.}l")
    return [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *map(line, headings), r"\midrule",
            *map(line, rows), r"\bottomrule", r"\end{tabular}"]


def _words(c: Contender) -> str:
    return text_latex(c.heading).replace("Renyi", r"R\'enyi")


def _heading(c: Contender, many: int) -> str:
    words = _words(c)
    if many <= 4 and len(words) <= 16:
        return words
    first, _, rest = words.partition(" ") if "," not in words else words.partition(", ")
    return rf"\shortstack[r]{{{first}\\{rest}}}" if rest else words


def _cell(c: Contender, at: Numbers, digits: int) -> str:
    try:
        return rounded_up(c.epsilon(at, digits + 2), digits)
    except MissingQuantity:
        raise
    except BadQuantity:
        return "--"  # the bound is not stated for such parameters


def rounded_up(found: Enclosure, digits: int) -> str:
    r"""The upper end with that many digits, never below the truth.

    >>> from decimal import Decimal
    >>> rounded_up(Enclosure(Decimal("1.23450"), Decimal("1.23451"), "", ""), 4)
    '1.235'
    """
    if not found.upper.is_finite():
        return r"$\infty$"
    up = Context(prec=digits, rounding=ROUND_CEILING).plus(found.upper)
    if up and not -5 < up.adjusted() < 7:
        return f"${decimal_latex(f'{up:.{digits - 1}e}')}$"
    return _padded(f"{up:f}", digits)


def _padded(text: str, digits: int) -> str:
    """With its zeros at the end, so that columns line up."""
    bare = text.replace(".", "").lstrip("0")
    missing = digits - len(bare)
    if missing <= 0:
        return text
    return f"{text}{'' if '.' in text else '.'}{'0' * missing}"
