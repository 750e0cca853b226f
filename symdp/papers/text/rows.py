r"""A formula of a document -> its rows, and the rows -> chains of sides with relations between them.

A row belongs to the one before where it begins with a relation (the chain goes on) or, in a display with its signs
in columns, with a plus, minus or times (the side goes on). A row without a relation that begins with anything else
may be a factor or an expression by itself: it is marked as in doubt, and nothing that it touches is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from symdp.arguments.reading.latex_tokens import LatexError, Token, tokens
from symdp.papers.text.marked_signs import refused_mark, with_definitions
from symdp.papers.text.source_text import Text

#: Signs between two sides.
COMPARED = {
    r"\le": "<=",
    r"\leq": "<=",
    r"\leqslant": "<=",
    "<": "<",
    r"\lt": "<",
    r"\ge": ">=",
    r"\geq": ">=",
    r"\geqslant": ">=",
    ">": ">",
    r"\gt": ">",
    "=": "==",
    r"\eqqcolon": ":=",
}
DEFINES = {r"\coloneqq", r"\triangleq", r"\defeq", r"\eqdef", r"\stackrel{def}", r"\doteq"}
ROUGHLY = {r"\approx", r"\sim", r"\simeq", r"\lesssim", r"\gtrsim", r"\ll", r"\gg", r"\asymp", r"\propto", r"\cong"}
UNKNOWN = {r"\ne", r"\neq", r"\equiv", r"\preceq", r"\succeq", r"\prec", r"\succ", r"\not", r"\nless", r"\nleq"}
BOTH_WAYS = {r"\iff", r"\Leftrightarrow", r"\Longleftrightarrow"}
IMPLIES = {r"\Rightarrow", r"\implies", r"\Longrightarrow", *BOTH_WAYS}
#: What stands for them before a part of a row.
ARROWS = ("=>", "<=>")
RELATIONS = {*COMPARED, *DEFINES, *ROUGHLY, *UNKNOWN}
_OPEN = {"(", "[", "{", r"\{", r"\lvert", r"\lfloor", r"\lceil", r"\langle", r"\lVert", r"\lbrace"}
_CLOSE = {")", "]", "}", r"\}", r"\rvert", r"\rfloor", r"\rceil", r"\rangle", r"\rVert", r"\rbrace"}
_GOES_ON = {"+", "-", r"\pm", r"\mp", r"\cdot", r"\times", "*", "/", r"\cap", r"\cup"}
_INNER = re.compile(
    # only these have arguments: a brace behind the others begins a formula
    r"\\begin\s*\{(?:(?P<columns>alignedat|array)\}(?:\s*\[[tcb]\])?\s*\{[^{}]*\}"
    r"|(?P<placed>aligned|gathered|multlined)\}(?:\s*\[[tcb]\])?|(?P<plain>split|align|gather|equation)\*?\})"
)
_MARKS = re.compile(
    r"\\(?:label|tag\*?)\s*\{[^{}]*\}|\\(?:nonumber|notag|qedhere|qed)(?![A-Za-z])"
    r"|\\(?:num|eqnum)berthis|\\allowdisplaybreaks|\\hfill|\\quad\s*\\blacksquare"
    r"|\\IEEE(?:(?:yes|no)(?:sub)?number|nosubnumber|eqnarraynumspace|QEDhere\w*)\*?(?![A-Za-z])"
)
#: The space behind \\\\, which is a length; any other bracket there begins the next row.
_LENGTH = r"(?:\s*\[\s*[-+]?(?:[\d.]+\s*(?:pt|em|ex|mm|cm|in|pc|bp|sp|mu)|[\d.]*\\[A-Za-z]+)\s*\])?"
_SPACES = re.compile(r"\\(?:q?quad(?![A-Za-z])|[,;:! ]|hspace\*?\s*\{[^{}]*\}|\w?phantom\s*\{[^{}]*\})|~|\{\}")
_HAS_RELATION = re.compile(
    "|".join(
        re.escape(sign) + ("(?![A-Za-z])" if sign.startswith("\\") else "") for sign in sorted(RELATIONS)
    )
)
#: Columns of these have a sign in the middle cell: left, sign, right.
_THREE = {"eqnarray", "IEEEeqnarray", "array"}


@dataclass
class Side:
    """The tokens of one side, and the text they point into."""

    found: list[Token]
    text: Text
    #: why it cannot be read, where that is plain from the rows
    doubt: str = ""

    @property
    def signs(self) -> str:
        return "".join(t.words if t.kind == "words" else t.text for t in self.found)


@dataclass
class Sign:
    """The sign behind a side, and the row it stands on: where that begins, and where the relation ends."""

    sign: str
    begin: int
    end: int


@dataclass
class RowChain:
    """Sides and the signs between them."""

    sides: list[Side] = field(default_factory=list)
    links: list[Sign] = field(default_factory=list)
    #: behind \implies: what stands before it is the premise
    implied: bool = False
    #: and the other way round
    both_ways: bool = False
    #: words before the chain on its row, such as hence, where, for all
    words: str = ""
    #: in which part of the display it stands; parts on one row share conditions
    row: int = 0
    column: int = 0
    begin: int = 0


def unwrapped(environment: str, body: Text) -> tuple[str, Text]:
    r"""The rows of a display that holds one \begin{split} or the like, and nothing else."""
    for _ in range(4):
        clean = _MARKS.sub(lambda m: " " * len(m.group()), body.signs)
        text = clean.strip()
        inner = _INNER.match(text)
        if inner is None:
            break
        name = inner[inner.lastgroup or 0]
        close = re.search(rf"\\end\s*\{{{name}\*?\}}\s*[.,;]?$", text)
        if close is None or text.count(r"\begin") != text.count(r"\end"):
            break
        depth = 0
        for mark in re.finditer(r"\\(begin|end)\s*\{", text[: close.start()]):
            depth += 1 if mark[1] == "begin" else -1
            if depth == 0:
                return environment, body
        lead = len(clean) - len(clean.lstrip())
        body = body[lead + inner.end() : lead + close.start()]
        environment = name
    return environment, body


def split_rows(body: Text) -> Iterator[tuple[str, Text]]:
    r"""('row', its text) and ('words', what \intertext says), in their order."""
    signs, depth, nested, last, at = body.signs, 0, 0, 0, 0
    mark = re.compile(
        r"\\begin\s*\{|\\end\s*\{|\\(?:short)?intertext\s*\{|\\\\\*?" + _LENGTH + r"|\\cr(?![A-Za-z])|\\."
        r"|[{}]",
        re.DOTALL,
    )
    while found := mark.search(signs, at):
        piece = found.group()
        at = found.end()
        if piece.startswith(r"\begin"):
            nested, depth = nested + 1, depth + 1
        elif piece.startswith(r"\end"):
            nested, depth = nested - 1, depth + 1
        elif "intertext" in piece and depth <= 0:
            stop = _closing(signs, at - 1)
            yield "row", body[last : found.start()]
            yield "words", body[at:stop]
            at = last = stop + 1
        elif "intertext" in piece or piece == "{":
            depth += 1
        elif piece == "}":
            depth -= 1
        elif (piece.startswith("\\\\") or piece == r"\cr") and depth <= 0 and nested <= 0:
            yield "row", body[last : found.start()]
            last = at
    yield "row", body[last:]


def _closing(signs: str, at: int) -> int:
    depth = 0
    while at < len(signs):
        if signs[at] == "\\":
            at += 1
        elif signs[at] in "{}":
            depth += 1 if signs[at] == "{" else -1
            if depth == 0:
                return at
        at += 1
    return len(signs)


def cells(row: Text) -> list[Text]:
    """The row at its & signs, outside of braces and environments."""
    found, depth, last, at = [], 0, 0, 0
    for mark in re.finditer(r"\\begin\s*\{|\\end\s*\{|\\.|[{}&]", row.signs, re.DOTALL):
        piece, at = mark.group(), mark.start()
        if piece.startswith(r"\begin"):
            depth += 2
        elif piece == "{":
            depth += 1
        elif piece == "}":
            depth -= 1
        elif piece.startswith(r"\end"):
            depth += 0
        elif piece == "&" and depth <= 0:
            found.append(row[last:at])
            last = at + 1
    return [*found, row[last:]]


def columns(environment: str, row: Text, *, spread: bool = False) -> list[tuple[Text, bool]]:
    """The formulas of a row, each with whether it begins behind an & that has nothing before it.

    ``spread`` is whether the display writes its left sides and its relations in two columns.
    """
    parts = cells(row)
    if len(parts) == 1 or environment in _THREE or environment == "split":
        return [(Text.joined(_spaced(parts)), len(parts) > 1 and not parts[0].signs.strip(" {}\n\t"))]
    found: list[tuple[Text, bool]] = []
    at = 0
    while at < len(parts):
        pair = parts[at : at + (4 if spread and at == 0 else 2)]
        # x & = & y, with the sign in a column of its own
        while at + len(pair) < len(parts) and _ends_open(pair[-1].signs):
            pair.append(parts[at + len(pair)])
        found.append((Text.joined(_spaced(pair)), not pair[0].signs.strip(" {}\n\t")))
        at += len(pair)
    return [part for part in found if part[0].signs.strip()] or found[:1]


def is_spread(rows: Sequence[Text]) -> bool:
    r"""Whether all rows of a display are & x && = y: a left side, and in the next column the relation behind it.

    >>> from symdp.papers.text.source_text import Sources
    >>> rows = lambda *given: [Sources().add("p.tex", row) for row in given]
    >>> is_spread(rows(r"& x && \le y", r"& && \le z")), is_spread(rows(r"x & \le y & a & \le b", r"& c & & \le d"))
    (True, False)
    """
    return {_spread_cells(cells(row)) for row in rows if row.signs.strip()} in ({True}, {True, None})


def _spread_cells(parts: Sequence[Text]) -> bool | None:
    """Whether the first four cells are one formula; None where a relation goes on, behind three that are empty."""
    if len(parts) < 4 or any(_blank(parts[i]) for i in (0, 2)):
        return False
    sign = re.match(r"\\[A-Za-z]+|:?=|.", _blank(parts[3]))
    if sign is None or (sign[0] not in RELATIONS and sign[0] != ":="):
        return False
    left = _blank(parts[1])
    first = re.match(r"\\[A-Za-z]+|.", left)
    if first is None:
        return None
    while (inside := re.sub(r"\{[^{}]*\}", "", left)) != left:
        left = inside
    return not _HAS_RELATION.search(left) and first[0] not in _GOES_ON | _CLOSE and first[0] != r"\right"


def _blank(part: Text) -> str:
    """What is in a cell besides spaces and marks."""
    return _SPACES.sub("", _MARKS.sub("", part.signs)).strip()


def _ends_open(signs: str) -> bool:
    last = re.search(r"(\\[A-Za-z]+|[-+=<>*/])\s*(?:\{\})?\s*$", signs)
    return last is not None and (last[1] in RELATIONS or last[1] in _GOES_ON)


def _spaced(parts: Sequence[Text]) -> list[Text]:
    return [part for part in parts if len(part)]


def depth_of(found: Sequence[Token]) -> int:
    """How many brackets are open at the end."""
    depth, after = 0, ""
    for token in found:
        if token.text == "." and after in (r"\left", r"\right"):
            pass  # the bracket is in another row
        elif after == r"\left":
            depth += 1
        elif after == r"\right":
            depth -= 1
        elif token.kind != "words" and token.text in _OPEN:
            depth += 1
        elif token.kind != "words" and token.text in _CLOSE:
            depth -= 1
        after = token.text
    return depth


def at_top(found: Sequence[Token]) -> Iterator[tuple[int, Token]]:
    """The tokens outside of all brackets, with their places."""
    depth, after = 0, ""
    for place, token in enumerate(found):
        opens = token.kind != "words" and (after == r"\left" or (after != r"\right" and token.text in _OPEN))
        closes = token.kind != "words" and (after == r"\right" or (after != r"\left" and token.text in _CLOSE))
        if token.text == "." and after in (r"\left", r"\right"):
            pass  # the bracket is in another row
        elif opens:
            depth += 1
        elif closes:
            depth = max(0, depth - 1)
        elif depth == 0:
            yield place, token
        after = token.text


def tokens_of(text: Text) -> list[Token]:
    """The tokens of a row, without the one at the end; LatexError where a sign is unknown."""
    clean = with_definitions(_MARKS.sub(lambda m: " " * len(m.group()), text.signs))
    mark = refused_mark(clean)
    if mark is not None:
        raise LatexError(clean, mark[0], f"with {mark[1]} over it, the sign says something else; write it in words")
    found = tokens(clean)[:-1]
    return _definitions(found)


def _definitions(found: list[Token]) -> list[Token]:
    """:= and \\stackrel{def}{=} as one token."""
    kept: list[Token] = []
    for token in found:
        if token.text == "=" and kept and kept[-1].text == ":" and token.kind == "sign":
            kept[-1] = Token("command", r"\coloneqq", kept[-1].at)
        elif token.text == ":" and kept and kept[-1].text == "=" and token.glued:
            kept[-1] = Token("command", r"\eqqcolon", kept[-1].at)
        else:
            kept.append(token)
    return kept


def untokened(text: Text) -> int:
    """How many relations a text seems to have that has no tokens."""
    return max(
        1,
        len(re.findall(r"\\(?:leq?|geq?|leqslant|geqslant|coloneqq|triangleq|approx)(?![A-Za-z])|[<>=]", text.signs)),
    )


