r"""Numbers in LaTeX as a person would write them.

>>> number_latex(Rational("0.1")), decimal_latex("1.5e-7")
('0.1', '1.5\\cdot 10^{-7}')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from sympy import Expr, Rational, Symbol

from symdp.typeset.typesetting import latex

Number: TypeAlias = int | float | Fraction | Expr
#: Significant digits of a number beside a text.
DIGITS = 6


def number_latex(value: Number) -> str:
    r"""A number as it stands under a figure: a decimal where that is exact.

    >>> [number_latex(Rational(text)) for text in ("1/1000000", "0.1", "1/3")]
    ['10^{-6}', '0.1', '\\frac{1}{3}']
    """
    if isinstance(value, float):
        return f"{value:g}"
    exact = Rational(value)
    if exact.p == 1 and exact.q >= 1000 and set(str(exact.q)[1:]) == {"0"}:
        return f"10^{{-{len(str(exact.q)) - 1}}}"
    decimal = f"{float(exact):g}"
    if "e" not in decimal and Rational(decimal) == exact:
        return decimal
    return latex(exact)


def decimal_latex(text: str) -> str:
    r"""A decimal number that a machine printed.

    >>> decimal_latex("2.50000e+10"), decimal_latex("[-inf, 3]"), decimal_latex("1e-06")
    ('2.5\\cdot 10^{10}', '[-\\infty, 3]', '10^{-6}')
    """
    text = re.sub(r"(\.\d*?)0+(?=e|$)", r"\1", text).replace(".e", "e").removesuffix(".")
    text = re.sub(r"e([+-]?)0*(\d+)", lambda m: rf"\cdot 10^{{{m[1].strip('+')}{m[2]}}}", text)
    text = re.sub(r"(?<![\d.])1\\cdot (?=10)", "", text)  # 10^-6 needs no factor 1
    return re.sub(r"\b(inf|oo)\b", r"\\infty", text)


def point_latex(point: Mapping[Symbol, Expr]) -> list[str]:
    r"""The coordinates of a point; one with many digits is rounded, and says so.

    >>> from symdp.formulas.notation import lam, x
    >>> point_latex({lam: Rational(1, 2), x: Rational(1234567, 7654321)})
    ['\\lambda = 1/2', 'x \\approx 0.16129']
    """
    return [f"{latex(v)} {_equals(value)}" for v, value in point.items()]


def _equals(value: Expr) -> str:
    if not isinstance(value, Rational):
        return f"= {latex(value)}"
    if len(str(abs(value.p))) <= DIGITS and len(str(value.q)) <= DIGITS:
        return f"= {value}"
    exact = number_latex(value)
    if len(exact) <= 2 * DIGITS and not exact.startswith((r"\frac", r"-\frac")):
        return f"= {exact}"
    return rf"\approx {decimal_latex(str(value.n(DIGITS)))}"
