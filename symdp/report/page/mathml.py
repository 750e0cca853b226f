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
    (re.compile(r"\\text(rm|it)?\{-DP\}"), r"\\text{‑DP}"),
    # A browser sets no space before the name of a function.
    (re.compile(r"(?<=[\w})])\s*\\(log|ln|exp|tanh|sinh|cosh|min|max|Phi)\b"), r"\\,\\\1"),
    (re.compile(r"\\(mathstrut|displaystyle|textstyle)\b"), ""),
)
#: TeX sets no space around these; a browser would.
_TIGHT = re.compile(r"<mo([^>]*)>(&#x0002F;|&#x0007C;|/|\|)</mo>")
_OUTER = re.compile(r"^<math([^>]*)><mrow>(.*)</mrow></math>$", re.DOTALL)


#: The converter has no aligned environment; its rows and columns are set one by one.
_ALIGNED = re.compile(r"\\begin\{aligned\}(.*)\\end\{aligned\}", re.DOTALL)
#: What counts when rows and columns are told apart: environments and braces inside are left alone.
_MARK = re.compile(r"\\begin\{\w+\*?\}|\\end\{\w+\*?\}|\\[{}&]|\\\\|[{}&]")


class RawFormula(ValueError):
    """A formula in which some TeX was left."""


@lru_cache(maxsize=5000)
def mathml(tex: str, display: bool = False) -> str:
    """The MathML of a formula; raises RawFormula where the converter leaves TeX behind."""
    for pattern, instead in _INSTEAD:
        tex = pattern.sub(instead, tex)
    tex = tex.replace("{aligned}[t]", "{aligned}")
    aligned = _ALIGNED.fullmatch(tex.strip())
    if aligned:
        return _table(aligned.group(1), display)
    tex = tex.replace("{aligned}", "{split}")  # inside of something larger, the nearest there is
    made = convert(tex, display="block" if display else "inline")
    if "\\" in made or "<mi>&</mi>" in made:
        raise RawFormula(f"not all of {tex!r} could be set as MathML")
    if not display:
        made = made.replace(' display="inline"', "", 1)
    made = _TIGHT.sub(r'<mo\1 lspace="0" rspace="0">\2</mo>', made)
    return _OUTER.sub(r"<math\1>\2</math>", made)


def _table(text: str, display: bool) -> str:
    made = []
    for row in _parted(text, "\\\\"):
        if row.strip():
            cells = [_inside(mathml(cell)) if cell.strip() else "" for cell in _parted(row, "&")]
            made.append("<mtr>" + "".join(f"<mtd>{cell}</mtd>" for cell in cells) + "</mtr>")
    kind = ' display="block"' if display else ""
    space = 'xmlns="http://www.w3.org/1998/Math/MathML"'
    return f'<math {space}{kind}><mtable displaystyle="true">{"".join(made)}</mtable></math>'


def _parted(text: str, at: str) -> list[str]:
    r"""The text cut at a mark that stands in no braces and in no environment.

    >>> _parted(r"a & {b & c} & d", "&")
    ['a ', ' {b & c} ', ' d']
    """
    depth, start, parts = 0, 0, []
    for mark in _MARK.finditer(text):
        word = mark.group()
        if word.startswith(r"\begin") or word == "{":
            depth += 1
        elif word.startswith(r"\end") or word == "}":
            depth -= 1
        elif word == at and depth == 0:
            parts.append(text[start : mark.start()])
            start = mark.end()
    return [*parts, text[start:]]


def _inside(made: str) -> str:
    return made.partition(">")[2].removesuffix("</math>")


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
