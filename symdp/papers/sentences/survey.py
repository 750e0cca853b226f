r"""The whole document before anything of it is read: which names are numbers, and which are functions."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import zip_longest

from symdp.arguments.reading.latex_tokens import LatexError, Token
from symdp.papers.formulas.quantities import PaperReader, Quantities
from symdp.papers.text.macros import EndlessMacro
from symdp.papers.text.rows import (
    RELATIONS,
    tokens_of,
)
from symdp.papers.text.source_text import Text
from symdp.papers.text.walking import (
    DocumentWalk,
    Math,
    Prose,
)

#: Signs of a display.
LARGEST = 40_000


def survey_document(walked: DocumentWalk, book: Quantities) -> dict[int, Text | str]:
    """Fill the book; the formulas without macros, by their items, or why one cannot be expanded."""
    said = walked.words.lower()
    book.binary_logarithms = (
        re.search(
            r"log\w*\b[^.]{0,40}\b(?:base|to the base)[\s$]*(?:two|2)\b|binary log|base[- ](?:2|two) log"
            r"|log\w*\b(?: \w+){0,3} (?:is|are|means?|denotes?|will be|be)(?: \w+){0,3} "
            r"(?:binary|dyadic|base[- ](?:2|two))\b",
            said,
        )
        is not None
    )
    book.differentiates = (
        re.search(
            r"\b(?:derivatives?|differentiat\w+|calculus|convex\w*|concav\w*|tangents?|slopes?|taylor"
            r"|stationary point|(?:in|de)creasing|monoton\w+)\b",
            said,
        )
        is not None
    )
    expanded: dict[int, Text | str] = {}
    words = ""
    deltas: set[str] = set()
    alone = False
    for place, item in enumerate(walked.items):
        if not isinstance(item, Math):
            words = item.text if isinstance(item, Prose) else ""
            continue
        text = expanded[id(item)] = expanded_formula(walked, item)
        if not isinstance(text, str):
            following = walked.items[place + 1] if place + 1 < len(walked.items) else None
            behind = following.text if isinstance(following, Prose) and item.inline else ""
            take_constant(words, text.signs if item.inline else f"{_rows(text.signs)[0]} + ", book, behind)
            for row in [] if item.inline else _rows(text.signs):
                take_constant("", row, book)
        words = ""
        if isinstance(text, str) or len(text) > LARGEST:
            continue
        for piece in re.split(r"\\\\|&", text.signs):
            with suppress(LatexError, RecursionError):
                given = tokens_of(Text(piece, text.origins[: len(piece)]))
                survey(given, book)
                for token, after in zip_longest(given, given[1:]):
                    if token.text == r"\Delta" and token.kind == "command":
                        if after is not None and after.kind == "letter":
                            deltas.add(f"\\Delta {after.text}")
                        else:
                            alone = True
    if not alone:
        book.changes = {pair for pair in deltas if pair.split()[1] not in book.numbers}
    return expanded


_TAKEN = re.compile(
    r"[^=]*?(?<![A-Za-z\\])(?P<name>e|\\pi)\s*(?:(?P<alone>,[^=]*)?$|(?P<bound>[<>]|\\[lg]eq?(?![A-Za-z])"
    r"|\\in(?![A-Za-z])))"
)
#: e = x - y gives the letter a value of its own; e = 2.718, e = \\sum 1/k! and e = \\lim (1 + 1/n)^n say what it is.
_GIVEN = re.compile(
    r"\s*(?P<name>e|\\pi)\s*(?::\s*=|=|\\(?:coloneqq|triangleq|defeq|eqdef|doteq|leftarrow)(?![A-Za-z]))"
    r"(?!\s*(?:[-\d.\s]+$|[-\d.]*\s*\\(?:sum|lim|int|prod|exp|arctan|arccos|arcsin|ldots|dots|approx)(?![A-Za-z])|[\d.]+\s*\\))"
)
#: $e$ edges
_COUNTED = re.compile(
    r"\s*(?:[a-z-]+(?:ed|ent|al|ing|ive|ous|ble)\s+)?"
    r"(?:edges|errors|elements|events|epochs|examples|experts|entries|equations|exceptions|evaluations|erasures)\b",
    re.IGNORECASE,
)
_DECLARES = re.compile(
    r"\b(?:let|for|fix|every|any|all|each|some|where|with|suppose|assume|consider|given|an?|denoted? by|edges?"
    r"|polic(?:y|ies)"
    r"|permutations?|prior|errors?|if|take|pick|choose)\s*$",
    re.IGNORECASE,
)
_CONSTANT = re.compile(
    r"\b(?:constants?|euler|napier|base|numbers?|like|value of|digits of|times|approximat\w+)\b", re.IGNORECASE
)


def _rows(typed: str) -> list[str]:
    r"""The rows of a display, without signs of columns."""
    about = r"\\(?:begin|end)\{[^{}]*\}(?:\{[rclCLR]+\})?|\\(?:label|tag)\{[^{}]*\}|&|\$\$|\\\[|\\\]"
    inner = re.sub(about, " ", typed)
    return re.split(r"\\\\|\\qquad|\\quad", inner)


def take_constant(words: str, typed: str, book: Quantities, behind: str = "") -> None:
    r"""Let $e > 0$, for every policy $\pi$: the letter is a name here, and perhaps no longer the constant.

    >>> book = Quantities()
    >>> take_constant("Let", "e > 0", book), take_constant("for every policy", r"\pi", book), book.taken
    (None, None, {'e': True, 'pi': False})
    >>> book = Quantities()
    >>> take_constant("the constant", "e", book), take_constant("so", r"3 < \pi < 4", book), book.taken
    (None, None, {})
    >>> take_constant("Put", "e = x - y", book), book.taken
    (None, {'e': True})
    >>> book = Quantities()
    >>> take_constant("so", r"e = 2.718\dots", book), take_constant("has", r"e \le n^2/4", book, "edges."), book.taken
    (None, None, {'e': True})
    """
    given = _GIVEN.match(typed)
    if given is not None and not _CONSTANT.search(words[-30:]):
        book.taken[given["name"].lstrip("\\")] = True
        return
    found = _TAKEN.match(typed.strip().rstrip(",.;"))
    if found is not None and found["name"] == "e" and not found["alone"] and _COUNTED.match(behind):
        book.taken["e"] = True
        return
    if found is None or not _DECLARES.search(words) or _CONSTANT.search(words[-30:]):
        return
    before = typed[: found.start("name")].strip()
    if before and not re.fullmatch(r"[-\d.,\s]*(?:<|\\leq?\b)?|(?:\\?[A-Za-z_0-9]+\s*,\s*)*", before):
        return
    name = found["name"].lstrip("\\")
    number = found["bound"] not in (None, r"\in")
    book.taken[name] = book.taken.get(name, False) or number


def expanded_formula(walked: DocumentWalk, item: Math) -> Text | str:
    """A formula without macros, or why it has no end."""
    try:
        return walked.macros.expand(item.body)
    except EndlessMacro as reason:
        return str(reason)


def survey(given: list[Token], book: Quantities) -> None:
    """Which names stand alone as numbers in a formula, and which are applied."""
    if not any(t.text in RELATIONS or t.text in ("+", "-", "/", r"\frac", r"\in") for t in given):
        return
    reader = PaperReader.of("", Quantities(), [*given, Token("end", "", 0)])
    hidden = 0
    for place, token in enumerate(given):
        if place < hidden:
            continue
        if token.text in (r"\Pr", r"\mathbb", r"\mathbf", r"\mathcal", r"\mathrm", r"\operatorname", r"\mathsf"):
            after = place + 1
            while (
                after < len(given)
                and given[after].text not in ("[", "(", r"\left")
                and given[after].text in ("{", "}", "_")
            ) or (after < len(given) and given[after].kind == "letter" and after < place + 8):
                after += 1
            hidden = after
            with suppress(LatexError):
                if after < len(given):
                    hidden = max(after, reader.brackets(after))
            continue
        name = token.text.lstrip("\\")
        if token.kind != "letter" and not (token.kind == "command" and reader.is_name(token)):
            continue
        after = reader.behind_scripts(place + 1)
        applied = after < len(given) and given[after].text == "("
        if not applied:
            applied = after + 1 < len(given) and given[after].text == r"\left" and given[after + 1].text == "("
        scripted = reader.written(place, after)
        if not applied and _may_be_power_of_function(given, after):
            continue  # f^2(x) says nothing of what f is
        if not applied:
            if after == place + 1:
                book.numbers.add(name)
            elif given[place + 1].text != "'":
                book.with_scripts.add(name)
            book.numbers.add(scripted)
            continue
        opening = after + (given[after].text == r"\left")
        inside = given[opening + 1 : opening + 3]
        if len(inside) == 2 and inside[0].kind in ("letter", "command") and inside[1].text in (")", r"\right"):
            book.applied.add(scripted)


def _may_be_power_of_function(given: list[Token], place: int) -> bool:
    """^2(x) or ^{-1}(x), with one name in the brackets."""
    if place >= len(given) or given[place].text != "^":
        return False
    depth, place = 0, place + 1
    while place < len(given):
        depth += {"{": 1, "}": -1}.get(given[place].text, 0)
        place += 1
        if depth <= 0:
            break
    inside = [t.text for t in given[place : place + 5] if t.text not in (r"\left", r"\right")]
    return inside[:1] == ["("] and inside[2:3] == [")"] and inside[1].strip("\\").isalpha()
