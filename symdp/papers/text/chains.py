r"""The chains of a display, with what stands beside them: conditions, reasons, words between.

>>> from symdp.papers.text.source_text import Sources
>>> body = Sources().add("p.tex", r"a &\le b + 1 \\ &\quad - c && \text{for } c \le 1 \\ &= d")
>>> (chain,) = chains_of("align", body).chains
>>> [side.signs for side in chain.sides], [link.sign for link in chain.links]
(['a', 'b+1-c', 'd'], ['\\le', '='])
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from symdp.arguments.reading.latex_tokens import LatexError, Token
from symdp.papers.text.rows import (
    ARROWS,
    BOTH_WAYS,
    COMPARED,
    DEFINES,
    IMPLIES,
    RELATIONS,
    RowChain,
    Side,
    Sign,
    at_top,
    columns,
    depth_of,
    is_spread,
    split_rows,
    tokens_of,
    untokened,
    unwrapped,
)
from symdp.papers.text.says_more import says_more
from symdp.papers.text.source_text import Text

REASONS = {
    "since",
    "because",
    "as",
    "by",
    "using",
    "from",
    "due",
    "recall",
    "see",
    "cf",
    "via",
    "eq",
    "equation",
    "lemma",
    "theorem",
    "definition",
    "def",
    "assumption",
    "induction",
    "jensen",
    "markov",
    "cauchy",
    "triangle",
    "convexity",
    "monotonicity",
    "union",
    "independence",
    "linearity",
    "taylor",
    "inductive",
    "simplifying",
    "rearranging",
    "expanding",
    "substituting",
    "plugging",
    "factoring",
    "algebra",
    "prop",
    "claim",
    "cor",
    "corollary",
    "proposition",
    "fact",
}
CONDITIONS = {
    "for",
    "if",
    "when",
    "whenever",
    "where",
    "with",
    "provided",
    "every",
    "any",
    "all",
    "such",
    "assuming",
    "given",
    "each",
    "on",
    "as long as",
}
NEXT = {
    "and",
    "hence",
    "so",
    "thus",
    "therefore",
    "then",
    "which",
    "that",
    "ie",
    "equivalently",
    "implies",
    "gives",
    "giving",
    "while",
    "also",
    "but",
    "moreover",
    "we",
    "yielding",
    "yields",
    "namely",
    "consequently",
    "whence",
    "finally",
    "furthermore",
    "similarly",
    "likewise",
    "particular",
    "follows",
    "conclude",
}
_GOES_ON = {"+", "-", r"\pm", r"\mp", r"\cdot", r"\times", "*", "/"}


_CHOICE = "these are alternatives, of which none is claimed by itself; write each of them on its own"


@dataclass
class Aside:
    """Tokens beside a chain that say when it holds, or why."""

    found: list[Token]
    text: Text
    row: int
    kind: str  # condition, reason, doubt
    begin: int = 0
    #: of one in doubt: why it is not read
    why: str = ""


@dataclass
class Unread:
    """A part of a display that has no tokens, or words that are not understood."""

    begin: int
    end: int
    tex: str
    reason: str
    at: int
    count: int
    row: int


@dataclass
class Spoken:
    """What is said between rows."""

    body: Text
    row: int


@dataclass
class Display:
    chains: list[RowChain] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    spoken: list[Spoken] = field(default_factory=list)


def chains_of(environment: str, body: Text) -> Display:
    """What a display holds; nothing that has a relation is left out."""
    environment, body = unwrapped(environment, body)
    rows = list(split_rows(body))
    reader = _Rows(environment, spread=is_spread([text for kind, text in rows if kind == "row"]))
    for kind, text in rows:
        if kind == "words":
            reader.display.spoken.append(Spoken(text, reader.row))
        elif text.signs.strip():
            reader.take(text)
    return reader.display


class _Rows:
    def __init__(self, environment: str, *, spread: bool) -> None:
        self.environment, self.row, self.begin = environment, 0, -1
        self.spread = spread
        self.display = Display()
        self.current: dict[int, RowChain] = {}

    def take(self, row: Text) -> None:
        shown = Text(re.sub(r"\\(?:label|tag)\s*\{[^{}]*\}", lambda m: " " * len(m.group()), row.signs), row.origins)
        begin = shown.stripped()
        if (
            re.fullmatch(r"\s*(?:\\[A-Za-z]+\*?\s*(?:\{[^{}]*\})?\s*)*", _marks(row.signs))
            and not any(c.isalnum() for c in re.sub(r"\\[A-Za-z]+\*?\s*(?:\{[^{}]*\})?", "", row.signs))
            and not re.search(r"\\(?:frac|sqrt|le|ge|leq|geq|varepsilon|Pr)", row.signs)
        ):
            return
        self.row += 1
        found: list[tuple[int, Text, bool, list[Token]]] = []
        for column, (text, hanging) in enumerate(columns(self.environment, row, spread=self.spread)):
            try:
                given = tokens_of(text)
            except LatexError as reason:
                self.broken(text, begin, str(reason.args[2]), int(reason.args[1]))
                self.current.pop(column, None)
                continue
            if given:
                found.append((column, text, hanging, given))
        self.begin = begin.at(0)
        alone = False
        for column, text, hanging, given in found:
            if alone and given[0].text in RELATIONS:
                self.current.pop(column, None)  # its left side may stand in the column before, or a row above
            alone = all(t.kind != "words" and t.text not in RELATIONS for _, t in at_top(given))
            self.formula(column, text, hanging, given, begin.at(0))

    def broken(self, text: Text, row: Text, reason: str, at: int) -> None:
        clean = text.stripped()
        if not re.search(r"[<>=]|\\(?:leq?|geq?|leqslant|geqslant|coloneqq|triangleq)(?![A-Za-z])", clean.signs):
            return
        self.display.unread.append(
            Unread(
                row.at(0),
                clean.at(len(clean)),
                " ".join(clean.signs.split()),
                reason,
                text.at(at),
                untokened(text),
                self.row,
            )
        )

    # --- one formula of a row

    def formula(self, column: int, text: Text, hanging: bool, given: list[Token], begin: int) -> None:
        inner = next((t for t in given if t.kind == "begin"), None)
        if inner is not None:
            name = inner.text.rpartition("{")[2].rstrip("}")
            cure = "; write each case as a relation of its own" if name == "cases" else ""
            self.broken(text, text.stripped(), f"{inner.text} within a formula is not read{cure}", inner.at)
            if any(t.text in RELATIONS for t in given):
                self.current.pop(column, None)
            return
        segments = _segments(given)
        choice = any(re.search(r"^\s*or\b|\bor\s*$", lead, re.IGNORECASE) for lead, _ in segments)
        for number, (lead, part) in enumerate(segments):
            while [t.text for t in part[:2]] == ["{", "}"]:  # it makes a sign binary, and says nothing
                part = part[2:]
            if not part:
                continue
            if lead in ("", ",") and self.is_beside() and (inside := within_brackets(part)) is not None:
                lead, part = "(", inside
            related = any(t.text in RELATIONS and t.kind != "words" for _, t in at_top(part))
            member = any(t.text == r"\in" for _, t in at_top(part))
            kind = _CHOICE if choice else self.kind_of(lead, part, number, column, related or member)
            if kind in ("condition", "reason"):
                if related or member:
                    self.display.asides.append(Aside(part, text, self.row, kind, begin))
            elif kind == "chain":
                self.chain(column, text, part, begin, lead, hanging and number == 0, related)
            elif related and kind != _CHOICE:
                # it may limit what stands beside it, whatever it is
                self.display.asides.append(Aside(part, text, self.row, "doubt", begin, kind))
            elif related:
                source = text[part[0].at : _behind(part[-1])]
                self.display.unread.append(
                    Unread(
                        begin,
                        text.at(_behind(part[-1])),
                        " ".join(source.signs.split()),
                        kind,
                        text.at(part[0].at),
                        sum(t.text in RELATIONS for _, t in at_top(part)),
                        self.row,
                    )
                )

    def is_beside(self) -> bool:
        """Whether a relation stands before it on its row."""
        return any(c.row == self.row and c.links for c in self.display.chains) or any(
            link.begin == self.begin for c in self.display.chains for link in c.links
        )

    def kind_of(self, lead: str, part: list[Token], number: int, column: int, says: bool) -> str:
        if lead in ("", *ARROWS):
            return "chain"
        if lead == ",":
            defines = any(t.text in DEFINES for _, t in at_top(part))
            return "condition" if self.is_beside() and not defines and is_simple(part) else "chain"
        if lead == "(":
            return "condition"
        words = re.sub(r"[^a-z ]", " ", lead.lower().replace("i.e.", "ie")).split()
        first = words[0] if words else ""
        if words[:3] == ["as", "long", "as"] and not says_more(lead):
            return "condition"
        if (first in CONDITIONS or (words and words[-1] in CONDITIONS - {"that"})) and not says_more(lead):
            return "condition"
        if first in NEXT or (words and words[-1] in NEXT):
            return "chain"
        if not words or first in REASONS or not says:
            return "reason"
        return (
            f"what stands behind {lead.strip()!r} may be a claim, a condition or a reason; write it on a row of its "
            "own, or in the text"
        )

    def chain(
        self, column: int, text: Text, part: list[Token], begin: int, lead: str, hanging: bool, related: bool
    ) -> None:
        current = self.current.get(column)
        first = part[0]
        starts_related = first.text in RELATIONS and first.kind != "words"
        if lead:
            current = None
        if current is not None and not starts_related and current.sides:
            side = current.sides[-1]
            is_open = depth_of(side.found) > 0 or (side.found and side.found[-1].text in _GOES_ON)
            signed = first.text in _GOES_ON and first.kind != "words"
            if is_open or (signed and (hanging or self.environment == "multline" or not related)):
                self.go_on(current, text, part, begin)
                return
            if not related:
                shown = " ".join(text.signs.split())[:60]
                side.doubt = (
                    f"the row {shown!r} has two readings: a factor of the row before, or an expression by "
                    r"itself; begin it with \cdot, + or -, or write its relation"
                )
                return
        if starts_related and current is None:
            current = RowChain(row=self.row, column=column, begin=begin)
            current.sides.append(Side([], text, "its left side is missing"))
            self.display.chains.append(current)
            self.current[column] = current
        elif not starts_related:
            current = RowChain(
                implied=lead in ARROWS, both_ways=lead == "<=>", words="" if lead in ARROWS else lead, row=self.row,
                column=column, begin=begin
            )
            self.display.chains.append(current)
            self.current[column] = current
            current.sides.append(Side([], text))
        assert current is not None  # noqa: S101 - one of the two ways above
        self.go_on(current, text, part, begin)

    def go_on(self, chain: RowChain, text: Text, part: list[Token], begin: int) -> None:
        """The tokens behind what the chain has already."""
        top = {place for place, t in at_top(part) if t.text in RELATIONS and t.kind != "words"}
        joined_text, shift = text, 0
        side = chain.sides[-1]
        if side.found and side.text is not text:
            joined_text = Text.joined([side.text, _space(text), text])
            shift = len(side.text) + 1
            side.text = joined_text
        elif side.found:
            shift = 0
        for place, token in enumerate(part):
            if place in top:
                if chain.links:
                    chain.links[-1].end = chain.links[-1].end
                chain.links.append(Sign(token.text, begin, text.at(_behind(token))))
                side = Side([], text)
                chain.sides.append(side)
                shift = 0
                continue
            moved = Token(token.kind, token.text, token.at + shift, token.words, token.glued) if shift else token
            side.found.append(moved)
            if chain.links:
                chain.links[-1].end = text.at(_behind(token) - 1) + 1


def _space(text: Text) -> Text:
    space = text[0:1]
    return Text(" ", space.origins) if len(space) else space


def _behind(token: Token) -> int:
    return token.at + (len(token.text) if token.kind != "words" else len(token.text) + len(token.words) + 2)


def _marks(signs: str) -> str:
    return re.sub(r"\\(?:label|tag)\s*\{[^{}]*\}", "", signs)


def within_brackets(part: list[Token]) -> list[Token] | None:
    """What stands in brackets around the whole of it, if that says something: (x <= 1), [x > 0]."""
    clean = [t for t in part if t.text not in (r"\left", r"\right") and t.kind != "gap"]
    while clean and clean[-1].text in (".", ",", ";") and clean[-1].kind == "sign":
        clean = clean[:-1]
    if len(clean) < 3 or (clean[0].text, clean[-1].text) not in (("(", ")"), ("[", "]")):
        return None
    if any(True for _ in at_top(clean)):
        return None  # (a) + (b)
    inside = clean[1:-1]
    says = any(t.text in RELATIONS or t.text == r"\in" for _, t in at_top(inside) if t.kind != "words")
    return inside if says and not any(t.kind == "words" for t in inside) else None


def is_simple(part: list[Token]) -> bool:
    """Whether a formula bounds names by numbers: x > 0, 0 < p < 1, x in a set."""
    top = [t for t in part if t.kind not in ("gap",) and t.text not in (",", ".", ";")]
    if any(t.text == r"\in" for _, t in at_top(part)):
        return True
    sides, last = [], []  # type: ignore[var-annotated]
    for token in top:
        if token.text in COMPARED:
            sides.append(last)
            last = []
        else:
            last.append(token)
    sides.append(last)
    letters = [
        any(
            t.kind == "letter" or (t.kind == "command" and t.text not in (r"\frac", r"\infty", r"\tfrac"))
            for t in side
        )
        for side in sides
    ]
    if len(sides) > 1 and all(len(side) == 1 for side in sides):  # 0 \le r \le n
        return True
    return sum(letters) == 1 and all(len(side) <= 8 for side in sides)


def _segments(given: list[Token]) -> list[tuple[str, list[Token]]]:
    """Parts of a row with the words, comma or arrow before each: what is one formula stays together."""
    top = dict(at_top(given))
    found: list[tuple[str, list[Token]]] = [("", [])]
    for place, token in enumerate(given):
        before = given[place - 1].text if place else ""
        at_top_level = place in top
        if token.kind == "words" and at_top_level and before not in ("_", "^"):
            if found[-1][1] or found[-1][0] in ("", ",", *ARROWS):
                found.append((token.words or " ", []))
            else:
                found[-1] = (f"{found[-1][0]} {token.words}", [])
        elif at_top_level and token.text in IMPLIES and token.kind == "command":
            found.append(("<=>" if token.text in BOTH_WAYS else "=>", []))
        elif at_top_level and token.text == r"\forall":
            found.append(("for all", []))
        elif at_top_level and token.text in (",", ";") and token.kind == "sign":
            found.append((",", []))
        elif token.kind == "gap" and at_top_level:
            if found[-1][1]:
                found.append((",", []))
        elif at_top_level and token.text == "." and place == len(given) - 1:
            continue
        else:
            found[-1][1].append(token)
    return _merged(found)


def _merged(found: list[tuple[str, list[Token]]]) -> list[tuple[str, list[Token]]]:
    """Names before a comma belong to the relation behind it; brackets with a relation in them are a condition."""
    kept: list[tuple[str, list[Token]]] = []
    says: Callable[[list[Token]], bool] = lambda part: any(  # noqa: E731
        t.text in RELATIONS or t.text == r"\in" for _, t in at_top(part) if t.kind != "words"
    )
    for lead, part in found:
        if not part and lead in ("", ","):
            continue
        if (
            lead == ","
            and kept
            and not says(kept[-1][1])
            and kept[-1][1]
            and says(part)
            and (kept[-1][0] not in ARROWS and len(kept[-1][1]) <= 4)
        ):
            comma = Token("sign", ",", part[0].at)
            kept[-1] = (kept[-1][0], [*kept[-1][1], comma, *part])
            continue
        if lead == "," and kept and kept[-1][0] not in ("", ",", *ARROWS, "(") and says(kept[-1][1]):
            comma = Token("sign", ",", part[0].at)  # the conditions behind words may be several
            kept[-1] = (kept[-1][0], [*kept[-1][1], comma, *part])
            continue
        inside = part[1:-1]
        if lead == "," and part[0].text == "(" and part[-1].text == ")" and says(inside) and is_simple(inside):
            kept.append(("(", inside))
            continue
        kept.append((lead, part))
    return kept
