r"""Where variables live, in LaTeX: what a claim says after the word *For*.

>>> from symdp.formulas.parsing import parse_conditions
>>> where = parse_conditions("0 < eps <= 0.9") + parse_conditions("k >= 1")
>>> print(quantifier(Domain.of(where, integers=["k"])))
$0<\varepsilon\le\frac{9}{10}$ and $k\in\mathbb{N},\ k\ge 1$
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from sympy import Symbol, oo

from symdp.numbers.domain import Domain, Interval
from symdp.typeset.prose import listed
from symdp.typeset.typesetting import Options, latex


def quantifier(
    domain: Domain, order: Iterable[Symbol] = (), **options: Unpack[Options]
) -> str:
    """The domain in a sentence: separate formulas, between which a line may end."""
    return listed([f"${part}$" for part in domain_latex(domain, order, **options)])


def domain_latex(
    domain: Domain, order: Iterable[Symbol] = (), **options: Unpack[Options]
) -> list[str]:
    r"""A domain as formulas, one for each variable and each condition, without dollar signs.

    >>> from symdp.formulas.parsing import parse_conditions
    >>> print(*domain_latex(Domain.of(parse_conditions("x > y"))))
    x\in\mathbb{R} y\in\mathbb{R} x > y
    """
    first = [v for v in order if v in domain.intervals]
    variables = [*first, *(v for v in domain.variables if v not in first)]
    parts = [_where(v, domain.intervals[v], v in domain.integers, options) for v in variables]
    return [*parts, *(latex(c, **options) for c in domain.conditions)]


def _where(v: Symbol, i: Interval, integer: bool, options: Options) -> str:
    name = latex(v, **options)
    if i.lower == i.upper:
        return f"{name}={latex(i.lower, **options)}"
    bounds = _bounds(name, i, options)
    if not integer:
        return bounds or f"{name}\\in\\mathbb{{R}}"
    natural = i.lower != -oo and i.lower >= 0
    return ",\\ ".join(filter(None, [f"{name}\\in\\mathbb{{{'N' if natural else 'Z'}}}", bounds]))


def _bounds(name: str, i: Interval, options: Options) -> str:
    lower, upper = (latex(end, **options) for end in (i.lower, i.upper))
    below = "<" if i.upper_open else r"\le"
    if i.lower == -oo:
        return "" if i.upper == oo else _joined(name, below, upper)
    if i.upper == oo:
        return _joined(name, ">" if i.lower_open else r"\ge", lower)
    return _joined(_joined(lower, "<" if i.lower_open else r"\le", name), below, upper)


def _joined(left: str, sign: str, right: str) -> str:
    # A command needs no space before another command, but one before a letter or digit.
    return f"{left}{sign}{right if right.startswith(chr(92)) or sign in '<>' else ' ' + right}"
