r"""What is said of each member of a family: $a_i \ge 0$ *for all* $i$, $a_1, \dots, a_n > 0$.

A sum over $i$ speaks of all members, and a condition on $a_i$ of one of them, unless the text says *for all* $i$.
What is said for $i$ from 1 to $n$ is used for sums within that range, and nowhere else.

>>> book = Quantities()
>>> spread_over(r"p_1, \dots, p_m", book)
('p_{i}', i, (1, m))
>>> quantified("for every", r"j \in [n]", book), quantified("for some", "j", book)
((j, (1, n)), None)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sympy import Expr, Indexed, IndexedBase, Integer, Product, Sum, Symbol

from symdp.arguments.reading.latex_tokens import LatexError
from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation
from symdp.papers.formulas.quantities import PaperReader, Quantities
from symdp.sources.derivations.expressions import relation_variables, variables_of

Span = tuple[Expr, Expr]
_EVERY = re.compile(
    r"\b(?:for|for all|for each|for every|for any|all|each|every|for all indices|for each index|for every index"
    r"|for all integers|for every integer|here|where)\s*,?\s*$",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:all|each|every|any)\s*(?:index|indices|integer|integers)?\s*$", re.IGNORECASE)
_INDEX = re.compile(r"\s*(\\ell|[a-z])\s*")
_RUNS = re.compile(r"\s*(\\ell|[a-z])\s*=\s*([^,]+?)\s*,(?:[^,]+,){0,2}?\s*\\[lc]?dots[bcm]?\s*,?\s*([^,]+?)\s*")
_IN = re.compile(
    r"\s*(\\ell|[a-z])\s*\\in\s*(?:\[\s*([^\[\],]+?)\s*\]|\\\{\s*([^,]+?)\s*,(?:[^,]+,){0,2}?\s*\\[lc]?dots\s*,"
    r"\s*([^,]+?)\s*\\\})\s*"
)
_BETWEEN = re.compile(r"\s*([^<>=\\]+?)\s*\\leq?\s*(\\ell|[a-z])\s*\\leq?\s*([^<>=\\]+?)\s*")
_INSIDE = re.compile(
    r"(?:\\forall|\\(?:text|mbox|textrm)\s*\{\s*,?\s*(?:for\s+)?(?:all|each|every|any)\s*\})[\s\\,;~]*(\\ell|[a-z])(?![a-zA-Z_])"
    r"\s*(?:\\in\s*\[\s*([^\[\],]+?)\s*\])?"
)
_LISTED = re.compile(
    r"\s*(\\?[A-Za-z]+(?:\{[A-Za-z]+\})?)_\{?\s*([01])\s*\}?\s*,(?:\s*\1_\{?\s*[12]\s*\}?\s*,)?\s*\\[lc]?dots[bcm]?\s*,\s*"
    r"\1_\{?\s*([A-Za-z]|\\ell|[A-Za-z]\s*[-+]\s*1)\s*\}?"
)


@dataclass(frozen=True)
class Member:
    """A relation for each member of a family, and from which to which of them."""

    relation: Relation
    index: Symbol
    span: Span | None = None

    @property
    def families(self) -> frozenset[str]:
        parts = {*self.relation.left.atoms(Indexed), *self.relation.right.atoms(Indexed)}
        return frozenset(str(part.base.label) for part in parts)

    def reaches(self, sides: Iterable[Expr]) -> bool:
        """Whether it speaks of every member that occurs."""
        if self.span is None:
            return True
        low, high = self.span
        for side in sides:
            summed: set[Indexed] = set()
            for part in side.atoms(Sum, Product):
                for index, start, end in part.limits:
                    mine = {m for m in part.atoms(Indexed)
                            if str(m.base.label) in self.families and index in m.indices}
                    more, less = (start - low).expand(), (high - end).expand()
                    if mine and not (more.is_Integer and more >= 0 and less.is_Integer and less >= 0):
                        return False
                    summed |= mine
            if any(str(m.base.label) in self.families for m in side.atoms(Indexed) - summed):
                return False
        return True


def quantified(before: str, typed: str, book: Quantities) -> tuple[Symbol, Span | None] | None:
    """The index that a formula behind these words runs through, and its range if one is said."""
    if not _EVERY.search(before):
        return None
    try:
        if (found := _INDEX.fullmatch(typed)) and _ALL.search(before):
            return symbol(found[1].lstrip("\\")), None
        if found := _RUNS.fullmatch(typed):
            return symbol(found[1].lstrip("\\")), (_read(found[2], book), _read(found[3], book))
        if found := _IN.fullmatch(typed):
            low = Integer(1) if found[2] else _read(found[3], book)
            return symbol(found[1].lstrip("\\")), (low, _read(found[2] or found[4], book))
        if found := _BETWEEN.fullmatch(typed):
            return symbol(found[2].lstrip("\\")), (_read(found[1], book), _read(found[3], book))
    except (LatexError, IndexError, RecursionError):
        return None
    return None


def quantified_inside(typed: str, book: Quantities) -> tuple[Symbol, Span | None] | None:
    r"""The index behind \forall within a formula."""
    found = _INSIDE.search(typed)
    if found is None:
        return None
    try:
        return symbol(found[1].lstrip("\\")), (Integer(1), _read(found[2], book)) if found[2] else None
    except (LatexError, IndexError, RecursionError):
        return None


def spread_over(typed: str, book: Quantities) -> tuple[str, Symbol, Span] | None:
    r"""a_1, \dots, a_n and what stands behind it: the same of a_i, the index, and its range."""
    found = _LISTED.match(typed)
    if found is None:
        return None
    letter = next(c for c in "ijklm" if not re.search(rf"(?<![A-Za-z\\]){c}(?![A-Za-z])", typed))
    try:
        span = (Integer(int(found[2])), _read(found[3], book))
    except (LatexError, IndexError):
        return None
    return f"{found[1]}_{{{letter}}}{typed[found.end():]}", symbol(letter), span


def members_of(relations: Iterable[Relation], index: Symbol, span: Span | None) -> tuple[Member, ...]:
    """The relations that speak of a_i, as relations for each member."""
    other, found = symbol(f"{index}_each"), []
    for r in relations:
        ending = f"_{index}"
        names = {v: IndexedBase(symbol(str(v)[: -len(ending)]))[other] for v in relation_variables(r)
                 if str(v).endswith(ending) and len(str(v)) > len(ending)}
        if names:
            put = {**names, index: other}
            found.append(Member(Relation(r.left.xreplace(put), r.op, r.right.xreplace(put)), other, span))
    return tuple(found)


def in_reach(members: Sequence[Member], sides: Sequence[Expr | None]) -> tuple[Relation, ...]:
    """What is known of the members of the families in these sides; what is said last of a family prevails."""
    known = [side for side in sides if side is not None]
    used = {str(m.base.label) for side in known for m in side.atoms(Indexed)}
    return tuple(dict.fromkeys(m.relation for m in members if m.families & used and m.reaches(known)))


def of_extremes(
    sides: Iterable[Expr], members: Sequence[Member], book: Quantities
) -> tuple[tuple[Member, ...], tuple[Relation, ...]]:
    r"""What \max_i a_i is to each member, and the bounds of the members that it shares."""
    bounds: list[Member] = []
    known: list[Relation] = []
    for name in sorted({str(v) for side in sides for v in variables_of(side)} & book.extremes.keys()):
        word, body, over = book.extremes[name].word, book.extremes[name].body, book.extremes[name].over
        if word not in ("max", "min", "sup", "inf") or body.has(Sum, Product):
            continue
        running = quantified("for all", over, book)
        if running is None or running[0] not in {i for m in body.atoms(Indexed) for i in m.indices}:
            continue
        index, span = running
        largest, other, value = word in ("max", "sup"), symbol(f"{index}_each"), symbol(name)
        put = {m: m.xreplace({index: other}) for m in body.atoms(Indexed)}
        each = body.xreplace(put).xreplace({index: other})
        bounds.append(Member(Relation(each, "<=" if largest else ">=", value), other, span))
        for m in members:
            there = m.relation.left.xreplace({m.index: other})
            free = m.index not in variables_of(m.relation.right) and not m.relation.right.has(Indexed)
            within = m.span is None or m.span == span
            if there == each and free and within and m.relation.op != "==":
                weak = {"<": "<=", ">": ">="}.get(m.relation.op, m.relation.op) if word in ("sup", "inf") else ""
                known.append(Relation(value, weak or m.relation.op, m.relation.right))  # type: ignore[arg-type]
    return tuple(bounds), tuple(known)


def hidden_sums(relations: Iterable[Relation], families: Iterable[str], book: Quantities) -> list[str]:
    r"""Quantities with a name that speak of a family: \sum_i a_i without a range, \max_i a_i."""
    letters = {{"eps": "varepsilon", "lam": "lambda"}.get(f, f).partition("_")[0] for f in families}
    found = []
    for name in {str(v) for r in relations for v in relation_variables(r)} & book.tex.keys():
        spelt = {sign.lstrip("\\") for sign in re.findall(r"\\[A-Za-z]+|[A-Za-z]", book.tex[name])}
        if letters & spelt or ("varepsilon" in letters and "epsilon" in spelt):
            found.append(book.tex[name])
    return sorted(found)


def put_values(sides: Sequence[Expr | None], members: Sequence[Member]) -> list[Expr | None]:
    """The sides with the value of each member in its place, where the text gives one."""
    values = [
        m for m in members
        if m.relation.op == "==" and isinstance(m.relation.left, Indexed) and not m.relation.right.has(Indexed)
    ]
    found = list(sides)
    for m in values:
        known = [side for side in found if side is not None]
        running = {i for side in known for part in side.atoms(Sum, Product) for i in part.variables}
        if m.reaches(known) and not running & (m.relation.right.free_symbols - {m.index}):
            base = m.relation.left.base

            def value(given: Indexed, m: Member = m) -> Expr:
                return m.relation.right.xreplace({m.index: given.indices[0]})

            found = [
                side if side is None else side.xreplace(
                    {p: value(p) for p in side.atoms(Indexed) if p.base == base and len(p.indices) == 1})
                for side in found
            ]
    return found


def _read(typed: str, book: Quantities) -> Expr:
    reader = PaperReader.of(typed, book)
    found: Expr = reader.whole(reader.expression)
    if not (variables_of(found) or found.is_Integer):
        raise LatexError(typed, 0, "no end of a range")
    return found
