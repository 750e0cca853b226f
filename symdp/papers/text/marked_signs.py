r"""Signs with something above them: a mark that points elsewhere, or one that makes another sign of it.

Over a sign, (a) names a reason. A question mark asks, an exclamation mark demands, and a *d* over an equals sign
speaks of distributions: none of them says that the sides are so related. *def* over it defines.

>>> refused_mark(r"x \stackrel{?}{\le} 1"), refused_mark(r"x \overset{(a)}{\le} 1") is None
((2, '?'), True)
>>> with_definitions(r"x \stackrel{\mathrm{def}}{=} 1").split()
['x', ':=', '1']
"""

from __future__ import annotations

import re

_INSIDE = r"((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)"
_MARKED = re.compile(
    rf"\\(?:stackrel|overset|underset)\s*\{{{_INSIDE}\}}\s*(?:\{{\s*([^{{}}]*?)\s*\}}|([=<>]|\\[A-Za-z]+))"
)
_DEFINITION = re.compile(r"\bdef(?:\.|inition)?\b|\\triangle|\\Delta|\btext\{def", re.IGNORECASE)
_ANOTHER = re.compile(
    r"[?!]|^\W*(?:\\(?:math|text)(?:rm|cal|sf|bf|tt|scr|up|it)?\W*)?(?:[dDLpP]|dist\w*|law|st|lex|a\.?\s*s\.?"
    r"|w\.?h\.?p\.?"
    r"|iid|i\.i\.d\.)\W*$"
)


def refused_mark(typed: str) -> tuple[int, str] | None:
    """Where a sign stands whose mark makes another one of it, and the mark."""
    for found in _MARKED.finditer(typed):
        if _ANOTHER.search(found[1].strip()):
            return found.start(), found[1].strip()
    return None


def with_definitions(typed: str) -> str:
    """The same text, of the same length, with := in place of an equals sign that is marked as a definition."""

    def defines(found: re.Match[str]) -> str:
        sign = found[2] or found[3] or ""
        if sign.strip() != "=" or not _DEFINITION.search(found[1]):
            return found.group()
        return ":=".ljust(len(found.group()))

    return _MARKED.sub(defines, typed)
