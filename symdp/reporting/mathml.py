r"""Formulas as MathML, made when the page is built, so that a reader needs no script.

>>> print(mathml(r"\varepsilon \le 1"))
<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>&#x003B5;</mi><mo>&#x02264;</mo><mn>1</mn></math>
>>> print(prose(r"$x<1$ & more"))
<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><mo>&#x0003C;</mo><mn>1</mn></math> &amp; more
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

from latex2mathml.converter import convert

#: What the converter does not know, and what it does in its place.
_INSTEAD = (
    (re.compile(r"\\(begin|end)\{(aligned|gathered)\}"), r"\\\1{split}"),
    (re.compile(r"\\text(rm|it)?\{-DP\}"), r"\\text{‑DP}"),
    # A browser sets no space before the name of a function.
    (re.compile(r"(?<=[\w})])\s*\\(log|ln|exp|tanh|sinh|cosh|min|max|Phi)\b"), r"\\,\\\1"),
    (re.compile(r"\\(mathstrut|displaystyle|textstyle)\b"), ""),
)
_OUTER = re.compile(r"^<math([^>]*)><mrow>(.*)</mrow></math>$", re.DOTALL)


class RawFormula(ValueError):
    """A formula in which some TeX was left."""


@lru_cache(maxsize=5000)
def mathml(tex: str, display: bool = False) -> str:
    """The MathML of a formula; raises RawFormula where the converter leaves TeX behind."""
    for pattern, instead in _INSTEAD:
        tex = pattern.sub(instead, tex)
    made = convert(tex, display="block" if display else "inline")
    if "\\" in made or "<mi>&</mi>" in made:
        raise RawFormula(f"not all of {tex!r} could be set as MathML")
    if not display:
        made = made.replace(' display="inline"', "", 1)
    return _OUTER.sub(r"<math\1>\2</math>", made)


def prose(text: str) -> str:
    """A sentence with formulas between dollar signs, as HTML."""
    parts = re.split(r"\$([^$]+)\$([.,;:)]*)", text)  # punctuation stays with its formula
    made = []
    for i in range(0, len(parts) - 2, 3):
        before, formula, point = parts[i : i + 3]
        set_formula = mathml(formula)
        if point:
            set_formula = f'<span class="together">{set_formula}{html.escape(point)}</span>'
        made.append(html.escape(before, quote=False) + set_formula)
    return "".join(made) + html.escape(parts[-1], quote=False)
