r"""The text of a formula: how large it is, brackets around it, its factors side by side, its lines.

LaTeX goes in and comes out; no formula is looked at as mathematics here.

>>> bracket(r"\frac{1}{2}"), juxtapose(["2", "3"])
('\\left(\\frac{1}{2}\\right)', '2\\cdot 3')
>>> print(break_lines("aaaa+bbbb", room=8))
\begin{aligned}
&aaaa\\
&\quad {}+bbbb
\end{aligned}
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

#: About how many signs fit on a line of an article in 11 points, inside a list.
LINE = 46
#: The points of such a line that each of them may count on, however wide it is.
SIGN = 6.7
#: Of a line on paper: signs that are not worth one, and signs beside which the other side of a relation begins.
TINY, SHORT = 3, 8
#: And in a notebook, without scrolling sideways.
SCREEN = 72


# --- size and brackets ----------------------------------------------------------------------------


def signs(tex: str) -> int:
    r"""About how many signs a reader sees.

    >>> signs(r"\frac{1}{\tilde{\delta}}"), signs(r"\log(1/\sqrt{k})")
    (2, 8)
    """
    text = re.sub(r"\\(frac|tilde|hat|bar|left|right|mathrm|mathit|operatorname|,|;)", "", tex)
    text = re.sub(r"\\sqrt", "**", text)
    return len(re.sub(r"[{}^_\s]", "", re.sub(r"\\[A-Za-z]+|\\.", "*", text)))


def scripts(tex: str) -> tuple[str, list[str]]:
    """The text without its exponents and indices, and these."""
    kept, found, i = [], [], 0
    while i < len(tex):
        if tex[i] in "^_" and tex[i + 1:i + 2] == "{" and tex[i - 1:i] != "\\":
            depth, j = 1, i + 2
            while j < len(tex) and depth:
                depth += {"{": 1, "}": -1}.get(tex[j], 0) if tex[j - 1] != "\\" else 0
                j += 1
            found.append(tex[i:j])
            kept.append("{}")  # or \sum_{i}x would become a command of its own
            i = j
        else:
            kept.append(tex[i])
            i += 1
    return "".join(kept), found


def is_tall(tex: str) -> bool:
    """Whether plain brackets would look too small around the text."""
    return bool(re.search(r"\\(frac|binom|sum|prod|int|left|begin)(?![A-Za-z])", scripts(tex)[0]))


def bracket(tex: str, left: str = "(", right: str = ")") -> str:
    r"""Brackets of the right size.

    >>> bracket("1+x"), bracket(r"\frac{1}{2}")
    ('(1+x)', '\\left(\\frac{1}{2}\\right)')
    """
    if is_tall(tex):
        left, right = rf"\left{left}", rf"\right{right}"
    return glue(glue(left, tex), right)


def juxtapose(parts: Sequence[str]) -> str:
    r"""A product: a dot between digits, a little air where signs would run together.

    >>> juxtapose([r"\lambda", "x"]), juxtapose(["2", "3^{x}"]), juxtapose(["k", r"\frac{1}{2}"])
    ('\\lambda x', '2\\cdot 3^{x}', 'k\\,\\frac{1}{2}')
    """
    tex = parts[0] if parts else "1"
    for before, part in pairwise(parts):
        if part[0].isdigit():
            tex += r"\cdot "
        elif part.startswith(r"\frac") or before[:5] == part[:5] == r"\sqrt" \
                or r"\mathit" in (before[:7], part[:7]):
            tex += r"\,"
        tex = glue(tex, part)
    return tex


def glue(left: str, right: str) -> str:
    """One after the other; a letter must not become part of the command before it."""
    space = " " if re.search(r"\\[A-Za-z]+$", left) and right[:1].isalpha() else ""
    return f"{left}{space}{right}"


# --- lines ----------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"\\(?:left|right)(?![A-Za-z])\s*(?:\\[A-Za-z]+|\\.|.)"  # a delimiter is one token
    r"|\\(?:begin|end)\{\w+\*?\}|\\[A-Za-z]+|\\.|.",
    re.DOTALL,
)
_OPENS = re.compile(r"\\left(?![A-Za-z])|\\begin|\\\{$|[({\[]$|\\l(?:floor|ceil)$")
_CLOSES = re.compile(r"\\right(?![A-Za-z])|\\end|\\\}$|[)}\]]$|\\r(?:floor|ceil)$")
_RELATIONS = {r"\le", r"\ge", r"\ne", r"\sim", "<", ">", "="}


def _tokens(tex: str) -> list[tuple[str, int]]:
    """The tokens with the depth of brackets at which each stands."""
    depth, found = 0, []
    for token in _TOKEN.findall(tex):
        depth -= bool(_CLOSES.match(token))
        found.append((token, depth))
        depth += bool(_OPENS.match(token))
    return found


def _cut(tex: str, before: Callable[[str, str], bool]) -> list[str]:
    """Pieces of a formula, cut at the outermost level before the tokens that are asked for."""
    pieces, last = [""], ""
    for token, depth in _tokens(tex):
        if depth == 0 and before(token, last):
            pieces.append("")
        pieces[-1] += token
        last = last if token.isspace() else token
    return [piece.strip() for piece in pieces if piece.strip()]


def _starts_term(token: str, last: str) -> bool:
    return token in "+-" and last not in ("", *_RELATIONS) and last not in ("^", "_", r"\cdot")


def width(tex: str) -> int:
    r"""About how many signs wide a formula is; of a fraction the wider side counts.

    >>> width(r"\frac{e^{x}-1}{e^{x}+1}"), width(r"k\varepsilon \le 1")
    (5, 5)
    """
    total, i, tokens = 0, 0, [t for t, _ in _tokens(tex) if not t.isspace()]
    while i < len(tokens):
        token = tokens[i]
        i += 1
        if token == r"\frac":
            sides = []
            for _ in range(2):
                i, inside = _group(tokens, i)
                sides.append(width(inside))
            total += max(sides)
        elif token in (r"\text", r"\mathrm"):
            i, inside = _group(tokens, i)
            total += len(inside)
        elif token in _RELATIONS or (token in "+-"):
            total += 2  # with the air around it
        elif token in _COMMANDS:
            total += len(token) - 1
        elif token not in _INVISIBLE:
            total += 1
    return total - _small(tex)


_COMMANDS = {r"\log", r"\ln", r"\exp", r"\min", r"\max", r"\tanh", r"\sinh", r"\cosh"}
_INVISIBLE = {"{", "}", "^", "_", "&", r"\,", r"\;", r"\ ", r"\tilde", r"\hat", r"\bar"}


#: In Computer Modern at 11 points: a sign, a capital, a bracket, one that grows, a sign of a sum, one of a relation.
_LETTER, _CAPITAL, _BRACKET, _GROWN, _TERM, _SIDES = 5.6, 8.2, 4.3, 8.6, 13.4, 14.6
#: How much smaller an exponent is.
_SCRIPT = 0.73
_WIDE = {r"\sum": 19.4, r"\prod": 18.0, r"\int": 11.0, r"\sqrt": 10.5, r"\quad": 11.0, r"\cdot": 8.0, r"\Phi": 7.9,
         r"\Theta": 8.5, r"\Delta": 9.1, r"\,": 1.8, r"\;": 3.0, r"\ ": 3.6, ",": 4.9, ".": 3.0, "'": 3.0, "|": 3.0}
_LARGE = {r"\sum", r"\prod"}
_STACKED = {r"\frac": 2.4, r"\binom": 16.0}


def points(tex: str) -> float:
    r"""How many points wide TeX sets a formula in an article in 11 points, to a few in a hundred.

    >>> round(points(r"1-(1-\delta)^{k}(1-\tilde{\delta})")), round(points(r"\frac{e^{x}-1}{e^{x}+1}"))
    (90, 32)
    """
    return _points([t for t, _ in _tokens(tex) if not t.isspace()], script=False)


def _points(tokens: Sequence[str], *, script: bool) -> float:
    total, i, last = 0.0, 0, ""
    while i < len(tokens):
        token, before, last = tokens[i], last, tokens[i]
        i += 1
        if token in _STACKED:
            i, above = _inside(tokens, i)
            i, below = _inside(tokens, i)
            total += max(_points(part, script=script) for part in (above, below)) + _STACKED[token]
        elif token in ("^", "_"):
            wide = 0.0
            while True:  # what stands above and what stands below share the room
                i, small = _inside(tokens, i)
                wide = max(wide, _SCRIPT * _points(small, script=True) + 0.5)
                if tokens[i:i + 1] not in (["^"], ["_"]):
                    break
                i += 1
            total += max(0.0, wide - _WIDE[before]) if before in _LARGE else wide
            last = before  # an exponent belongs to what it stands at
        elif token in (r"\text", r"\mathrm", r"\mathit", r"\operatorname"):
            i, inside = _inside(tokens, i)
            total += 5.2 * len("".join(inside))
        elif token in _COMMANDS:
            total += 5.2 * (len(token) - 1) + 1.8
        elif token in _RELATIONS:
            total += 8.5 if script else _SIDES
        elif token in "+-":
            total += 8.5 if script or not _starts_term(token, before) else _TERM
        elif token in _WIDE:
            total += _WIDE[token]
        elif token not in _INVISIBLE:
            total += (_GROWN if token.startswith((r"\left", r"\right")) else _BRACKET if token in "()[]"
                      else _CAPITAL if token.isupper() else _LETTER)
    return total


def _inside(tokens: Sequence[str], i: int) -> tuple[int, list[str]]:
    """The index after the braced group, or the one token, that starts at i, and what is in it."""
    depth, start = 0, i
    while i < len(tokens):
        depth += {"{": 1, "}": -1}.get(tokens[i], 0)
        i += 1
        if depth == 0:
            break
    return i, list(tokens[start + 1:i - 1] if i - start > 1 else tokens[start:i])


def on_paper(tex: str) -> int:
    r"""How many signs of a line on paper a formula needs; narrow ones need less than they count.

    >>> width("x" * 50), on_paper("x" * 50)
    (50, 42)
    """
    return min(width(tex), math.ceil(points(tex) / SIGN))


def fits(tex: str, room: int) -> bool:
    r"""Whether a formula has room on one line; the room of a screen is in signs of unknown type.

    >>> fits("x" * 50, LINE), fits("+x" * 22, LINE), fits("x" * 80, SCREEN)
    (True, False, False)
    """
    return width(tex) <= room or (room <= LINE and on_paper(tex) <= room)


def _small(tex: str) -> int:
    """Exponents and indices are set in smaller type."""
    scripts = re.findall(r"[\^_]\{([^{}]*)\}", tex)
    return sum(len(re.sub(r"\\[A-Za-z]+", "x", script)) // 2 for script in scripts)


def _group(tokens: Sequence[str], i: int) -> tuple[int, str]:
    """The index after the braced group that starts at i, and its inside."""
    i, inside = _inside(tokens, i)
    return i, " ".join(inside)


def break_lines(tex: str, room: int = LINE) -> str:
    r"""The formula over several lines where it is too wide for one.

    A relation is broken before its sign, a minimum has one entry on each line, a sum is broken
    before a plus or a minus.

    >>> print(break_lines("a+b \\le c+d"))
    a+b \le c+d
    >>> print(break_lines(r"\min\{aaaa, bbbb\} \le cccc+dddd", room=8))
    \begin{aligned}
    &\min\left\{\begin{aligned}
    &aaaa,\\
    &bbbb
    \end{aligned}\right\}\\
    &\quad {}\le \begin{aligned}[t]
    &cccc\\
    &\quad {}+dddd
    \end{aligned}
    \end{aligned}
    >>> print(break_lines(r"\left(aaaa\right) = cccc+dddd", room=8).splitlines()[1])
    &\left(aaaa\right)\\
    """
    if fits(tex, room):
        return tex
    sides = _cut(tex, lambda token, last: token in _RELATIONS)
    if room <= LINE and len(sides) == 2 and on_paper(sides[0]) <= min(SHORT, room // 3):
        # a name, and what it stands for, beside each other where there is room
        beside = f"{sides[0]} {_break_side(sides[1], room - on_paper(sides[0]), top='')}"
        if broken_width(beside) <= room:
            return beside
    if len(sides) > 1:
        first, *others = [_break_side(side, room) for side in sides]
        return aligned([first, *(f"\\quad {{}}{other}" for other in others)])
    return _break_sum(tex, room)


def widest_piece(tex: str) -> int:
    r"""The width of what TeX keeps together of a formula in a sentence: it breaks between terms and before relations,
    in brackets too, but never between those that grow.

    >>> widest_piece("a(b+c) \\le d"), widest_piece(r"a\left(b+c\right) \le d")
    (4, 7)
    """
    depth, last, pieces = 0, "", [""]
    for token in _TOKEN.findall(tex):
        depth -= bool(_HOLDS_TO.match(token))
        if depth == 0 and (token in _RELATIONS or _starts_term(token, last)):
            pieces.append("")
        depth += bool(_HOLDS_FROM.match(token))
        pieces[-1] += token
        last = last if token.isspace() else token
    return max(map(width, pieces))


_HOLDS_FROM = re.compile(r"\\left(?![A-Za-z])|\\begin|\{$")
_HOLDS_TO = re.compile(r"\\right(?![A-Za-z])|\\end|\}$")


def broken_width(tex: str, measure: Callable[[str], int] = on_paper) -> int:
    r"""How far the widest line of a formula reaches that may be over several lines, within each other too.

    >>> broken_width(break_lines("aaaa+bbbb", room=8)), broken_width(break_lines(r"cc\left(aaaa+bbbb\right)", room=8))
    (6, 10)
    """
    blocks = [[0, 0]]  # where the lines of each block begin, and how far they reach
    for line in tex.split("\n"):
        at = blocks[-1][0] + (2 if len(blocks) > 2 and r"\quad {}" in line else 0)
        for piece in re.split(r"(\\(?:begin|end)\{aligned\})", line.replace(r"\quad {}", "").removesuffix(r"\\")):
            if piece == r"\begin{aligned}":
                blocks.append([at, at])
            elif piece == r"\end{aligned}" and len(blocks) > 1:
                at = blocks.pop()[1]
            else:
                at += measure(piece.removeprefix("[t]"))
            blocks[-1][1] = max(blocks[-1][1], at)
    return blocks[0][1]


def _break_side(side: str, room: int, top: str = "[t]") -> str:
    # what begins like a relation may be another word: a fence opens with more letters than "le"
    found = re.match(r"\\(?:le|ge|ne|sim)(?![A-Za-z])|[<>=]", side)
    sign = found.group() if found else ""
    rest = side[len(sign):].strip()
    broken = _break_sum(rest, room - 3)
    if sign and broken.startswith(r"\begin{aligned}"):
        broken = broken.replace(r"\begin{aligned}", rf"\begin{{aligned}}{top}", 1)
    return f"{sign} {broken}".strip()


def _break_sum(tex: str, room: int) -> str:
    if fits(tex, room):
        return tex
    extremum = re.fullmatch(r"\\(min|max)\s*(?:\\left)?\\\{(.*?)(?:\\right)?\\\}", tex, re.DOTALL)
    if extremum and len(_cut(tex, lambda token, last: last in (r"\}", r"\right\}"))) == 1:
        return _break_extremum(extremum.group(1), extremum.group(2), room)
    lines: list[str] = []
    for term in _cut(tex, _starts_term):
        if lines and (fits(lines[-1] + term, room) or (room <= LINE and on_paper(lines[-1]) <= TINY)):
            lines[-1] += term
        else:
            lines.append(term)
    if len(lines) == 1:
        return _break_inside(tex, room)
    lines = [_break_inside(line, room) for line in lines]
    return aligned([lines[0], *(f"\\quad {{}}{line}" for line in lines[1:])])


def _break_inside(term: str, room: int) -> str:
    r"""A term that is too wide, broken in the widest of its brackets that grow, where that makes it narrower.

    >>> print(_break_inside(r"k\left(aaaa+bbbb\right)", 8))
    k\left(\begin{aligned}
    &aaaa\\
    &\quad {}+bbbb
    \end{aligned}\right)
    """
    if fits(term, room):
        return term
    pieces = _cut(term, lambda token, last: token.startswith(r"\left") or (
        last.startswith(r"\right") and not token.startswith(r"\right")))  # at the end of what is nested it goes on
    widest = max(range(len(pieces)), key=lambda i: width(pieces[i]) if pieces[i].startswith(r"\left") else -1)
    found = _GROWING.fullmatch(pieces[widest])
    if found is None:  # then before a factor that is a word by itself
        factors = _cut(term, lambda token, last: token in (r"\max", r"\min") and last not in ("", "+", "-"))
        return aligned([factors[0], *(f"\\quad {{}}{f}" for f in factors[1:])]) if len(factors) > 1 else term
    opening, inside, closing = found.groups()
    around = width("".join(pieces[:widest] + pieces[widest + 1:])) + 2
    broken = break_lines(inside.strip(), max(room - around, room // 2))
    whole = "".join([*pieces[:widest], f"{opening}{broken}{closing}", *pieces[widest + 1:]])
    return whole if broken_width(whole, width) < width(term) else term


_GROWING = re.compile(r"(\\left(?:\\.|.))(.*)(\\right(?:\\.|.))", re.DOTALL)


def _break_extremum(name: str, inside: str, room: int) -> str:
    entries = [e.removeprefix(",").removeprefix(r"\;").strip()
               for e in _cut(inside, lambda token, last: token == ",")]
    lines = [_break_sum(e, room - 6) for e in entries]
    return f"\\{name}\\left\\{{{aligned([*(f'{e},' for e in lines[:-1]), lines[-1]])}\\right\\}}"


def aligned(lines: Sequence[str], mark: str = "&") -> str:
    """Lines below each other, aligned where the mark stands."""
    body = "\\\\\n".join(f"{mark}{line}" for line in lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"
