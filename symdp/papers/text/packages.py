r"""Commands of packages that papers load: what they stand for, where the paper does not define them itself.

>>> from symdp.papers.text.source_text import Sources
>>> from symdp.papers.text.macros import Macros
>>> def meant(tex):
...     return Macros().expand(Sources().add("paper.tex", tex)).signs
>>> meant(r"\ln\qty(1+x) \le \nicefrac{x}{2} + \num{2.5e-3}")
'\\ln(1+x) \\le \\frac{x}{2} + \\left(2.5 \\cdot 10^{-3}\\right)'
>>> meant(r"\abs{x} \vcentcolon= 2, \qty{5}{\meter}")
'\\left\\lvert x \\right\\rvert := 2, \\qty{5}{\\meter}'
"""

from __future__ import annotations

import re

#: command -> how many arguments it has, and what it stands for
COMMANDS: dict[str, tuple[int, str]] = {
    # fractions: nicefrac, xfrac, amsmath, physics
    r"\nicefrac": (2, r"\frac{#1}{#2}"),
    r"\sfrac": (2, r"\frac{#1}{#2}"),
    r"\cfrac": (2, r"\frac{#1}{#2}"),
    r"\flatfrac": (2, r"\frac{#1}{#2}"),
    # brackets: physics, commath, mleftright, mathtools
    r"\abs": (1, r"\left\lvert #1 \right\rvert"),
    r"\norm": (1, r"\left\lVert #1 \right\rVert"),
    r"\ceil": (1, r"\left\lceil #1 \right\rceil"),
    r"\floor": (1, r"\left\lfloor #1 \right\rfloor"),
    r"\pqty": (1, r"\left( #1 \right)"),
    r"\bqty": (1, r"\left[ #1 \right]"),
    r"\vqty": (1, r"\left\lvert #1 \right\rvert"),
    r"\mleft": (0, r"\left"),
    r"\mright": (0, r"\right"),
    r"\lparen": (0, "("),
    r"\rparen": (0, ")"),
    r"\order": (1, r"O\left( #1 \right)"),
    # the differential of an integral: physics
    r"\dd": (1, r"\mathrm{d} #1"),
    r"\differential": (1, r"\mathrm{d} #1"),
    # signs: mathtools, colonequals, amssymb
    r"\vcentcolon": (0, ":"),
    r"\colonequals": (0, r"\coloneqq "),
    r"\coloneq": (0, r"\coloneqq "),
    r"\equalscolon": (0, r"\eqqcolon "),
    r"\eqcolon": (0, r"\eqqcolon "),
    r"\leqq": (0, r"\le "),
    r"\geqq": (0, r"\ge "),
}
_NUMBER = re.compile(r"\s*\{\s*([+-]?\d+(?:\.\d+)?)(?:[eE]([+-]?\d+))?\s*\}")
_GROUP = re.compile(r"\s*(?:[(\[|]|\\\{|\\[bB]igg?[lr]?(?![A-Za-z]))")


def number_written(signs: str, at: int) -> tuple[str, int] | None:
    r"""What \num{2.5e-3} of siunitx says, and where it ends; None for what it prints in a way of its own."""
    found = _NUMBER.match(signs, at)
    if found is None:
        return None
    if found[2] is None and found[1][0].isdigit():
        return found[1], found.end()
    # one number for its author, also behind a stroke or a sign
    power = f" \\cdot 10^{{{int(found[2])}}}" if found[2] else ""
    return rf"\left({found[1]}{power}\right)", found.end()


def is_grouping(signs: str, at: int, end_of_braces: int) -> bool:
    r"""Whether the \qty before this place only groups, as that of physics does; siunitx has a unit behind it."""
    if _GROUP.match(signs, at):
        return True
    return re.match(r"\s*\{", signs[at:]) is not None and re.match(r"\s*\{", signs[end_of_braces + 1 :]) is None
