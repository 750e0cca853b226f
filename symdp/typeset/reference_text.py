r"""The fields of a reference as LaTeX: accents, letters, emphasis and formulas; everything else is words.

An entry comes as somebody wrote it, for TeX; what is kept of it is what references are made of.

>>> print(reference_latex(r"R{\'e}nyi \& {D}ifferential $\varepsilon$"))
R{\'e}nyi \& {D}ifferential $\varepsilon$
>>> print(reference_latex(r"A title\input{/etc/passwd}"))
A title\textbackslash{}input/etc/passwd
"""

from __future__ import annotations

import re
import unicodedata

from symdp.typeset.mathematics import is_mathematics
from symdp.typeset.prose import words_latex

_LETTER = r"(?:[A-Za-z]|\\[ij](?![A-Za-z]))"
_KNOWN = re.compile("|".join((
    r"[^\\{}$%#&^_\x00-\x1f\x7f]",
    r"\\[&%_#$ ,/-]",
    rf"\\['\"`^=.~]\s*(?:{_LETTER}|\{{{_LETTER}?\}})",
    rf"\\[cvuHkrbdt](?:\s+{_LETTER}|\s*\{{{_LETTER}?\}})",
    r"\\(?:ss|ae|oe|o|l|i|j|aa|AE|OE|O|L|AA|LaTeX|TeX|dots|ldots)(?![A-Za-z])",
    r"\\(?:emph|textit|textbf|textsc|textrm|texttt|mbox)(?=\{)",
    r"\$(?P<math>[^$]+)\$",
    r"(?P<brace>[{}])",
)))


def is_reference(value: str) -> bool:
    """Whether a field has nothing in it but what references are made of, with every brace closed."""
    at = depth = 0
    while at < len(value):
        found = _KNOWN.match(value, at)
        if found is None or (found["math"] and not is_mathematics(found["math"])):
            return False
        if len(found.group()) == 1 and not _is_set(found.group()):
            return False
        depth += {"{": 1, "}": -1}.get(found["brace"] or "", 0)
        if depth < 0:
            return False
        at = found.end()
    return depth == 0


def _is_set(sign: str) -> bool:
    """Whether pdflatex has a letter for it."""
    return sign.isascii() or unicodedata.name(sign, "").startswith("LATIN") or sign in "–—‘’“”"


def reference_latex(value: str) -> str:
    """The field as it stands if it is one, else its words, without the braces."""
    return value if is_reference(value) else words_latex(re.sub(r"[{}]", "", value))
