r"""Formulas as MathML, made when the page is built, so that a reader needs no script.

>>> print(mathml(r"\varepsilon \le 1"))
<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>&#x003B5;</mi><mo>&#x02264;</mo><mn>1</mn></math>
>>> print(prose(r"$x<1$ & more"))
<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><mo>&#x0003C;</mo><mn>1</mn></math> &amp; more

A formula may come from a stranger. Only mathematics is converted (:mod:`symdp.typeset.mathematics`), and of what the
converter makes of it, which escapes nothing, only elements and attributes of MathML are written anew, with every text
escaped. What is no mathematics is shown as it was typed, as code.

>>> print(prose(r"$\\href{javascript:alert(1)}{x}$"))
<code>$\\href{javascript:alert(1)}{x}$</code>
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element
from markupsafe import Markup

from symdp.typeset.mathematics import is_mathematics
from symdp.typeset.prose import pieces

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


_ELEMENTS = frozenset("""math mrow mi mn mo mtext mspace ms msub msup msubsup munder mover munderover mfrac msqrt
mroot mtable mtr mtd mstyle mpadded mphantom mmultiscripts mprescripts none""".split())
_ATTRIBUTES = frozenset("""display displaystyle scriptlevel mathvariant stretchy fence form separator accent
accentunder movablelimits largeop symmetric lspace rspace minsize maxsize linethickness width height depth voffset
columnalign rowspacing columnspacing columnlines rowlines rowalign""".split())
_VALUE = re.compile(r"[A-Za-z0-9 .%+-]*")
_ENTITY = re.compile(r"(&#x[0-9A-Fa-f]{1,6};)")
SPACE = "http://www.w3.org/1998/Math/MathML"


class RawFormula(ValueError):
    """A formula that is no mathematics, or in which some TeX was left."""


@lru_cache(maxsize=5000)
def mathml(tex: str, display: bool = False) -> str:
    """The MathML of a formula; raises RawFormula for what is none, or where the converter leaves TeX behind."""
    if not is_mathematics(tex):
        raise RawFormula(f"{tex[:80]!r} is more than mathematics")
    for pattern, instead in _INSTEAD:
        tex = pattern.sub(instead, tex)
    tex = tex.replace("{aligned}[t]", "{aligned}")
    aligned = _ALIGNED.fullmatch(tex.strip())
    if aligned:
        return _table(aligned.group(1), display)
    tex = tex.replace("{aligned}", "{split}")  # inside of something larger, the nearest there is
    try:
        made = _written(convert_to_element(tex, display="block" if display else "inline"))
    except Exception as reason:  # the converter has errors of many kinds
        raise RawFormula(f"{tex[:80]!r} could not be set as MathML") from reason
    if "\\" in made or "<mi>&amp;</mi>" in made:
        raise RawFormula(f"not all of {tex[:80]!r} could be set as MathML")
    made = _TIGHT.sub(r'<mo\1 lspace="0" rspace="0">\2</mo>', made)
    return _OUTER.sub(r"<math\1>\2</math>", made)


def _written(element: Element) -> str:
    """An element that the converter made, written anew: what is not on the lists is refused, texts are escaped."""
    if element.tag not in _ELEMENTS:
        raise RawFormula(f"a formula has the element {element.tag!r}")
    given = {name: value for name, value in element.attrib.items() if name in _ATTRIBUTES}
    if not all(map(_VALUE.fullmatch, given.values())):
        raise RawFormula("a formula has an attribute that is none of MathML")
    if element.tag == "math":
        block = given.get("display") == "block"
        given = {"xmlns": SPACE, **({"display": "block"} if block else {})}
    attributes = "".join(f' {name}="{value}"' for name, value in given.items())
    inside = _text(element.text) + "".join(_written(child) + _text(child.tail) for child in element)
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>" if inside else f"<{element.tag}{attributes} />"


def _text(text: str | None) -> str:
    """Text in which only references to letters, as the converter writes them, are more than text."""
    return "".join(part if _ENTITY.fullmatch(part) else html.escape(part, quote=False)
                   for part in _ENTITY.split(text or ""))


def _table(text: str, display: bool) -> str:
    made = []
    for row in _parted(text, "\\\\"):
        if row.strip():
            cells = [_inside(mathml(cell)) if cell.strip() else "" for cell in _parted(row, "&")]
            made.append("<mtr>" + "".join(f"<mtd>{cell}</mtd>" for cell in cells) + "</mtr>")
    kind = ' display="block"' if display else ""
    return f'<math xmlns="{SPACE}"{kind}><mtable displaystyle="true">{"".join(made)}</mtable></math>'


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


def prose(text: str) -> Markup:
    """A sentence with formulas between dollar signs, as HTML."""
    made = ""
    for piece, math in pieces(text):
        if math:
            made += str(formula(piece))
            continue
        point = re.match(r"[.,;:)]+", piece) if made.endswith("</math>") else None
        if point:  # punctuation stays with its formula
            start = made.rindex("<math")
            made = f'{made[:start]}<span class="together">{made[start:]}{html.escape(point.group())}</span>'
        made += "".join(f"<code>{html.escape(part)}</code>" if i % 2 else html.escape(part, quote=False)
                        for i, part in enumerate(_REFUSED.split(piece[point.end() if point else 0:])))
    return Markup(made)  # every part was escaped, or written by _written


#: What stands between dollar signs and is no mathematics.
_REFUSED = re.compile(r"(\$[^$]*\\[^$]*\$)")


def formula(tex: str, display: bool = False) -> Markup:
    r"""MathML; the TeX itself, as code, where it cannot be converted.

    >>> formula(r"\unheardof x")
    Markup('<code>\\unheardof x</code>')
    """
    try:
        return Markup(mathml(tex, display))
    except RawFormula:
        return Markup("<code>{}</code>").format(tex)
