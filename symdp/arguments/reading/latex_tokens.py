r"""LaTeX formulas -> tokens, each with its place in the text.

Spacing and sizes are dropped; what stands in ``\text{...}`` is one token.

>>> [t.text for t in tokens(r"\frac{1}{2}\,x % half")]
['\\frac', '{', '1', '}', '{', '2', '}', 'x', '']
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from symdp.formulas.parsing import ParseError
from symdp.formulas.vocabulary import strange

_TOKEN = re.compile(
    r"(?P<break>\\\\\*?(?:[ \t]*\[[ \t]*-?[0-9.]*[ \t]*(?:pt|em|ex|cm|mm|in|bp|pc|mu|sp|\\[a-z]+skip)[ \t]*\])?)"
    r"|(?P<begin>\\(?:begin|end)\s*\{[A-Za-z]+\*?\})"
    r"|(?P<command>\\[A-Za-z]+|\\[{}|])"
    r"|(?P<space>\\[,;:!> ]|~|[ \t\r\n]+|%[^\n]*)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
    r"|(?P<letter>[A-Za-z])"
    r"|(?P<sign>[-+*/^_{}()\[\]|<>=,;.&'!:])"
)
#: They change how a formula looks, not what it says.
_LOOKS = {
    r"\displaystyle", r"\textstyle", r"\scriptstyle", r"\limits", r"\nolimits",
    r"\big", r"\Big", r"\bigg", r"\Bigg", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\biggl",
    r"\biggr", r"\Biggl", r"\Biggr", r"\bigm", r"\Bigm", r"\nonumber", r"\notag", r"\allowbreak",
    r"\thinspace", r"\negthinspace", r"\middle", r"\hfill", r"\qedhere", r"\qed", r"\displaybreak",
}
#: Their argument is words, not a formula.
WORDS = (r"\text", r"\mbox", r"\textrm", r"\textit", r"\intertext", r"\label", r"\tag", r"\textbf",
         r"\shortintertext")
#: Space: they and their argument are dropped.
_SPACE = (r"\hspace", r"\vspace", r"\phantom", r"\hphantom", r"\vphantom")
#: A sign with a mark above or below it.
_MARKED = (r"\stackrel", r"\overset", r"\underset")
#: The Greek letters that people paste as they are.
_UNICODE = {"ε": r"\varepsilon", "δ": r"\delta", "λ": r"\lambda", "μ": r"\mu", "σ": r"\sigma",
            "≤": r"\le", "≥": r"\ge", "−": "-", "·": r"\cdot"}


_ARROWS = {r"\le", r"\leq", r"\leqslant", r"\ge", r"\geq", r"\geqslant", r"\Rightarrow", r"\implies",
           r"\Longrightarrow", r"\iff", r"\Leftrightarrow", r"\Longleftrightarrow", r"\lt", r"\gt"}


class LatexError(ParseError):
    """What is wrong with a formula, and at which line and column, both counted from 1.

    >>> str(LatexError("x + ?", 4, "unexpected '?'"))
    "line 1, column 5: unexpected '?'"
    """

    def __init__(self, text: str, offset: int, reason: str) -> None:
        before = text[:offset]
        self.line = before.count("\n") + 1
        super().__init__(text, offset - (before.rfind("\n") + 1) + 1, reason)
        self.args = (text, offset, reason)  # so that it can be pickled

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.reason}"


@dataclass(frozen=True)
class Token:
    """``kind``: command, number, letter, sign, words, gap, break, begin, end; ``at``: its offset."""

    kind: str
    text: str
    at: int
    #: the words in the braces of \text{...}
    words: str = ""
    #: whether nothing stands between it and the token before
    glued: bool = False


def tokens(text: str, start: int = 0, stop: int | None = None) -> list[Token]:
    """The tokens of a part of a text, and one that marks the end."""
    stop = len(text) if stop is None else stop
    found: list[Token] = []
    position, glued = start, False
    while position < stop:
        if text[position] in _UNICODE:
            known = _UNICODE[text[position]]
            kind = "command" if known[0] == "\\" else "sign"
            found.append(Token(kind, known, position, glued=glued))
            position, glued = position + 1, True
            continue
        match = _TOKEN.match(text, position, stop)
        if match is None or match.lastgroup is None:
            cure = strange(text[position]) or f"unexpected {_quoted(text[position:position + 10])}"
            raise LatexError(text, position, cure)
        kind, piece = match.lastgroup, match.group()
        position, begin = match.end(), position
        if kind == "space" or (kind == "command" and piece in _LOOKS):
            glued = False
            continue
        if kind == "command" and piece in (r"\quad", r"\qquad"):
            kind = "gap"
        if kind == "command" and piece in _SPACE:
            _, position = _braced(text, position + (text[position:position + 1] == "*"), stop, begin, piece)
            glued = False
            continue
        if kind == "command" and piece in _MARKED:
            # \stackrel{(a)}{\le}: the mark points at words elsewhere, the sign is what counts
            _, position = _braced(text, position, stop, begin, piece)
            sign, position = _braced(text, position, stop, begin, piece)
            if sign not in _ARROWS and sign not in ("=", "<", ">"):
                raise LatexError(text, begin, f"{piece} is read over a sign only: {piece}{{(a)}}{{\\le}}")
            found.append(Token("command" if sign[0] == "\\" else "sign", sign, begin, glued=glued))
        elif kind == "command" and piece in WORDS:
            words, position = _braced(text, position, stop, begin, piece)
            found.append(Token("words", piece, begin, words))
        else:
            found.append(Token(kind, re.sub(r"\s", "", piece), begin, glued=glued))
        glued = True
    found.append(Token("end", "", stop))
    return _without_idle_gaps(found)


def _without_idle_gaps(found: list[Token]) -> list[Token]:
    r"""Wide spaces beside a sign or at an end mean nothing; ``x \quad (3)`` would become a product."""
    idle = {"begin", "words", "break", "end", "gap"}
    signs = {"&", "+", "-", "=", "<", ">", ","}
    kept: list[Token] = []
    for i, token in enumerate(found):
        if token.kind == "gap":
            near = [t for t in (kept[-1] if kept else None, found[i + 1]) if t is not None]
            beside = any(t.kind in idle or t.text in signs or t.text in _ARROWS for t in near)
            if beside or not kept:
                continue
        kept.append(token)
    return kept


def _braced(text: str, position: int, stop: int, begin: int, command: str) -> tuple[str, int]:
    """The words between the braces that follow, and the place behind them."""
    while position < stop and text[position] in " \t\r\n":
        position += 1
    if position >= stop or text[position] != "{":
        raise LatexError(text, begin, f"{command} is followed by words in braces: {command}{{...}}")
    depth, start = 0, position + 1
    while position < stop:
        if text[position] == "\\":
            position += 1
        elif text[position] == "{":
            depth += 1
        elif text[position] == "}":
            depth -= 1
            if depth == 0:
                return text[start:position].strip(), position + 1
        position += 1
    raise LatexError(text, begin, f"the braces of this {command} are never closed")


def _quoted(piece: str) -> str:
    first = piece[0]
    if first == "\\":
        return f"{piece.split()[0]!r}"
    if first == "$":
        return "'$'; formulas are written without dollar signs here"
    return repr(first)
