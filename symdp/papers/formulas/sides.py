r"""One side of a relation: read as an expression, seen as an order or as f(x), and shown as it was typed."""

from __future__ import annotations

import re
from time import process_time

from sympy import Expr, Symbol

from symdp.arguments.reading.latex_tokens import LatexError, Token
from symdp.formulas.notation import symbol
from symdp.papers.formulas.quantities import PaperReader, Quantities
from symdp.papers.text.rows import (
    Side,
)
from symdp.papers.text.source_text import Sources, Text
from symdp.search.deadline import TimeIsUp, hard_deadline

#: Seconds in which one side must have become a formula; those for all of a document, behind which each has less.
READING, ALL_READING, HURRIED = 5.0, 20.0, 0.1


def read_side(side: Side, book: Quantities) -> tuple[Expr, tuple[Expr, ...]]:
    """A side of a chain as an expression; LatexError where it is not read."""
    if side.doubt:
        raise LatexError(side.text.signs, side.found[0].at if side.found else 0, side.doubt)
    if not side.found:
        raise LatexError(side.text.signs, 0, "a side of the relation is missing")
    found = [t for t in side.found if t.kind != "gap"]
    while found and found[-1].text in (",", ".", ";"):
        found.pop()
    found = without_empty_sizes(found)
    if not found:
        raise LatexError(side.text.signs, 0, "a side of the relation is missing")
    for before, star, after in zip(found, found[1:], found[2:], strict=False):
        if star.text == "*" and before.text not in ("^", "_", "{") and "number" not in (before.kind, after.kind):
            raise LatexError(side.text.signs, star.at, r"* has two readings: product or convolution; write \cdot")
    reader = PaperReader.of(side.text.signs, book, found)
    begun, seconds = process_time(), READING if book.seconds < ALL_READING else HURRIED
    try:
        with hard_deadline(seconds):
            expr: Expr = reader.whole(reader.expression)
            return expr, reader.lost(expr)
    except TimeIsUp:
        raise LatexError(side.text.signs, side.found[0].at, f"not read within {seconds:g} s") from None
    except IndexError:
        raise LatexError(side.text.signs, side.found[0].at, "the formula ends too early") from None
    finally:
        book.seconds += process_time() - begun


def function_of(side: Side, book: Quantities) -> tuple[str, tuple[Symbol, ...]] | None:
    """f(x) or f(x, y) with names as arguments."""
    found = [t for t in side.found if t.text not in (r"\left", r"\right")]
    reader = PaperReader.of(side.text.signs, Quantities(), [*found, Token("end", "", 0)])
    if len(found) < 4 or found[-1].text != ")" or not (found[0].kind == "letter" or reader.is_name(found[0])):
        return None
    after = reader.behind_scripts(1)
    if found[after].text != "(":
        return None
    inside = found[after + 1 : -1]
    if len(inside) != 1 or (inside[0].kind != "letter" and not reader.is_name(inside[0])):
        return None
    name = reader.written(0, after)
    if found[0].text in book.numbers and after == 1:
        return None
    return name, (symbol(inside[0].text.lstrip("\\")),)


def is_order(side: Side, book: Quantities) -> bool:
    found = side.found
    for place, token in enumerate(found[:-1]):
        if token.kind == "words":
            continue
        after = place + 1
        opened = [t.text for t in found[after : after + 2]]
        applied = opened[:1] == ["("] or opened == [r"\left", "("]
        if token.text in ("O", "o", r"\Theta", r"\Omega") and token.text not in book.numbers and applied:
            return True
        if token.text in (r"\mathcal", r"\tilde", r"\widetilde", r"\mathrm") and found[after].text in ("{", "O"):
            inner = [t.text for t in found[after : after + 3]]
            if (
                inner in (["{", "O", "}"], ["{", "o", "}"])
                or inner[0] == "O"
                or inner[1:2] in ([r"\Theta"], [r"\Omega"])
            ):
                return True
    return False


def source_of(sources: Sources, side: Side) -> str:
    if not side.found:
        return ""
    first, last = side.found[0], side.found[-1]
    start = side.text.at(first.at)
    behind = last.at + (len(last.text) if last.kind != "words" else len(last.text) + len(last.words) + 2)
    stop = side.text.at(behind - 1) + 1
    typed = sources.typed(start, stop)
    if typed.endswith("\\"):  # the last sign came from a macro
        typed = sources.macro_at(start, stop)
    shown = typed if typed and stop > start else side.text.signs[first.at : behind]
    clean = re.sub(r"(?<!\\)%[^\n]*|\\(?:label|tag)\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])", "", shown)
    return re.sub(r"[\s,.;]+$", "", " ".join(clean.replace("&", " ").replace(r"\\", " ").split()))


def without_empty_sizes(found: list[Token]) -> list[Token]:
    r"""\left. and \right. belong to brackets that go on in another row."""
    kept: list[Token] = []
    for token in found:
        if token.text == "." and kept and kept[-1].text in (r"\left", r"\right"):
            kept.pop()
            continue
        kept.append(token)
    lefts = sum(t.text == r"\left" for t in kept)
    if lefts != sum(t.text == r"\right" for t in kept):
        kept = [t for t in kept if t.text not in (r"\left", r"\right")]
    return kept


def shown(body: Text) -> str:
    clean = re.sub(r"\\(?:label|tag)\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])", "", body.signs)
    return re.sub(r"[\s,.;]+$", "", " ".join(clean.split()))
