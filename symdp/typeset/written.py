r"""Formulas that are only text, as a verdict on disk has them, set as LaTeX.

The text is read and printed again, and only where that gives the same text is it set: a formula that SymPy would
simplify on the way stays text, so that nobody sees another formula than the one that was settled.

>>> print(relation_latex("0 < slack <= 1"))
0 < \tilde{\delta} \le 1
>>> relation_latex("x/x <= 1") is None
True
>>> print(told("x <= exp(x) for x >= 0, k >= 1 integer"))
$x \le e^{x}$ for $x \ge 0$, $k \ge 1$ integer
>>> print(told("x/x <= 1 for x > 0"))
x/x <= 1 for $x > 0$
"""

from __future__ import annotations

import re

from symdp.formulas.parsing import ParseError, parse_expression
from symdp.formulas.printing import to_text
from symdp.typeset.typesetting import latex

_SIGNS = {"<=": r"\le", ">=": r"\ge", "==": "=", "<": "<", ">": ">", "!=": r"\ne", "=": "="}
_CUT = re.compile(r" (<=|>=|==|!=|<|>|=) ")
#: A formula longer than this is read by nobody.
LONGEST = 2000


def expression_latex(text: str) -> str | None:
    """One expression; None where it would not be the same one."""
    if len(text) > LONGEST:
        return None
    try:
        read = parse_expression(text)
        return latex(read) if to_text(read) == text else None
    except (ParseError, ValueError, ArithmeticError, RecursionError):
        return None


def relation_latex(text: str) -> str | None:
    """Expressions with signs between them."""
    sides = _CUT.split(text)
    made = [_SIGNS[side] if i % 2 else expression_latex(side) for i, side in enumerate(sides)]
    return " ".join(part for part in made if part) if len(sides) > 1 and None not in made else None


def told(text: str) -> str:
    """A relation and where it holds, with formulas between dollar signs; what is not set is left as it is."""
    relation, where, scope = text.partition(" for ")
    return _set(relation) + (f" for {scope_told(scope)}" if where else "")


def scope_told(scope: str) -> str:
    """Conditions with commas between them."""
    return ", ".join(map(_set, _parted(scope)))


def _set(text: str) -> str:
    bare = text.removesuffix(" integer")
    made = relation_latex(bare)
    return text if made is None else f"${made}${text[len(bare):]}"


def _parted(text: str) -> list[str]:
    """Cut at commas outside of brackets."""
    depth, parts = 0, [""]
    for sign in text:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def values_told(values: dict[str, str]) -> str:
    r"""Names with their values.

    >>> print(values_told({"eps": "1/10", "k": "2"}))
    $\varepsilon = 1/10$, $k = 2$
    """
    return ", ".join(_value(name, value) for name, value in values.items())


def _value(name: str, value: str) -> str:
    letter = expression_latex(name)
    if letter is None:
        return f"{name} = {value}"
    if re.fullmatch(r"-?\d+(/\d+)?", value):
        return f"${letter} = {value}$"
    made = expression_latex(value)
    return f"{name} = {value}" if made is None else f"${letter} = {made}$"
