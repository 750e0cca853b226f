r"""The union bound: $\Pr[A \cup B] \le \Pr[A] + \Pr[B]$, of probabilities that have a name and nothing more.

The kernel knows no events: what needs this is never more than argued. It is used where the text of one probability is
the union of the events of the others, over the same range.

>>> book = Quantities()
>>> def read(tex):
...     reader = PaperReader.of(tex, book)
...     return reader.whole(reader.expression)
>>> sides = [read(r"\Pr[A \cup B]"), read(r"\Pr[A] + \Pr[B]")]
>>> [str(r) for r in union_bounds(sides, book)]
['Pr1 <= Pr2 + Pr3', 'Pr1 >= Pr2', 'Pr1 >= Pr3']
>>> sides = [read(r"\Pr[\bigcup_{i=1}^{n} E_i]"), read(r"\sum_{i=1}^{n} \Pr[E_i]")]
>>> [str(r) for r in union_bounds(sides, book)]
['Pr4 <= Sum(Pr5[i], (i, 1, n))']
>>> union_bounds([sides[0], read(r"\sum_{i=2}^{n} \Pr[E_i]")], book)
()
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from sympy import Add, Expr, Indexed, Integer, Sum, Symbol, Tuple

from symdp.arguments.reading.latex_tokens import LatexError
from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation
from symdp.papers.formulas.quantities import PaperReader, Quantities
from symdp.sources.derivations.expressions import variables_of

#: A head with its scripts, and what stands in its brackets.
_PROBABILITY = re.compile(
    r"(\\(?:Pr|P|Prob|mathbb\{P\}|mathrm\{Pr\})(?:_\{[^{}]*\}|_\w)?)([\[(]|\\\{)(.*)([\])]|\\\})"
)
_OR = re.compile(r"\\cup(?![a-z])|\\lor(?![a-z])|\\vee(?![a-z])|\\text\{\s*or\s*\}")
_INDEX = r"(\\ell|[a-z])"
_FROM_TO = re.compile(rf"\\bigcup_\{{{_INDEX}=([^{{}}]*)\}}\^(?:\{{([^{{}}]*)\}}|(\w))(.*)")
_IN = re.compile(rf"(?:\\bigcup_\{{{_INDEX}\\in\[([^\[\]]*)\]\}}|\\exists {_INDEX}\\in\[([^\[\]]*)\][:,])(.*)")


def union_bounds(sides: Iterable[Expr | None], book: Quantities) -> tuple[Relation, ...]:
    """What the union bound says of the probabilities that stand in these sides."""
    read = [side for side in sides if side is not None]
    names = {str(v): v for side in read for v in variables_of(side) if str(v) in book.tex}
    sums = [s for side in read for s in side.atoms(Sum)]
    found: list[Relation] = []
    for name, v in sorted(names.items()):
        typed = _PROBABILITY.fullmatch(re.sub(r"(\\[a-zA-Z]+) (?![A-Za-z])", r"\1", book.tex[name]))
        if typed is not None:
            found += _of_list(v, typed, names.values(), book)
            found += _of_family(v, typed, sums, book)
    return tuple(dict.fromkeys(found))


def _of_list(v: Symbol, typed: re.Match[str], names: Iterable[Symbol], book: Quantities) -> Iterator[Relation]:
    events = _split(typed[3])
    if len(events) < 2:
        return
    head, opening, _, closing = typed.groups()
    keys = [re.sub(r"\s+", "", f"{head}{opening}{event}{closing}") for event in events]
    parts = [book.names.get(key) for key in keys]
    known = set(names)
    single = [p for p in parts if p is not None and p in known]
    if len(single) == len(parts):
        yield Relation(v, "<=", Add(*single))
    yield from (Relation(v, ">=", p) for p in single)


def _of_family(v: Symbol, typed: re.Match[str], sums: Sequence[Sum], book: Quantities) -> Iterator[Relation]:
    over = _range(typed[3], book)
    if over is None:
        return
    index, low, high, event = over
    key = re.sub(r"\s+", "", f"{typed[1]}{typed[2]}{event}{typed[4]}")
    for sum_ in sums:
        term = sum_.function
        member = isinstance(term, Indexed) and term.indices == (index,)
        same = sum_.limits == (Tuple(index, low, high),)
        if member and same and str(book.names.get(key)) == str(term.base):
            yield Relation(v, "<=", sum_)


def _split(events: str) -> list[str]:
    """The events of a union, where none of it stands in brackets."""
    pieces = _OR.split(events)
    closed = all(p.count(a) == p.count(b) for p in pieces for a, b in ("()", "[]", "{}"))
    return [p.strip() for p in pieces] if closed and all(map(_is_plain, pieces)) else []


def _is_plain(event: str) -> bool:
    """Whether an event is neither an intersection nor under a condition; bars in pairs are absolute values."""
    return event.count("|") % 2 == 0 and not re.search(
        r"\\(?:cap|mid|setminus|land|wedge|big\w*|exists|forall|text|Vert|vert)(?![a-z])", event
    )


def _range(event: str, book: Quantities) -> tuple[Symbol, Expr, Expr, str] | None:
    found = _FROM_TO.fullmatch(event)
    if found is not None:
        index, low, high, inside = found[1], found[2], found[3] or found[4], found[5]
    else:
        found = _IN.fullmatch(event)
        if found is None:
            return None
        index, low, high, inside = found[1] or found[3], "1", found[2] or found[4], found[5]
    if _OR.search(inside) or not _is_plain(inside):
        return None
    try:
        ends = [_read(low, book), _read(high, book)]
    except (LatexError, IndexError, RecursionError):
        return None
    return symbol(index.lstrip("\\")), ends[0], ends[1], inside.strip()


def _read(tex: str, book: Quantities) -> Expr:
    if tex.strip().isdigit():
        return Integer(int(tex))
    reader = PaperReader.of(tex, book)
    value: Expr = reader.released(reader.whole(reader.expression))
    return value
