r"""What a formula assumes: bounds, intervals and sets of numbers, as relations.

>>> book = Quantities()
>>> found = condition_of(r"0 < p \le 1", book)
>>> [str(r) for r in found.relations]
['0 < p', 'p <= 1']
>>> found = condition_of(r"k, m \in \mathbb{N}", book)
>>> [str(r) for r in found.relations], sorted(map(str, found.integers)), [str(r) for r in found.perhaps]
(['k >= 0', 'm >= 0'], ['k', 'm'], ['k >= 1', 'm >= 1'])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sympy import Abs, Expr, Integer, Symbol

from symdp.arguments.reading.latex_tokens import LatexError, Token, tokens
from symdp.formulas.relation import Op, Relation
from symdp.papers.formulas.members import Member
from symdp.papers.formulas.quantities import PaperReader, Quantities
from symdp.papers.text.rows import COMPARED, at_top
from symdp.sources.derivations.expressions import relation_variables


@dataclass(frozen=True)
class Condition:
    """What is assumed, of which names, and what an author may mean besides."""

    relations: tuple[Relation, ...] = ()
    integers: frozenset[Symbol] = frozenset()
    #: names that it is about
    names: frozenset[Symbol] = frozenset()
    #: what a narrower reading adds: N without 0
    perhaps: tuple[Relation, ...] = ()
    #: names that are no numbers, and what they are
    kinds: tuple[tuple[str, str], ...] = ()
    #: pairs that differ: x \ne 0
    unequal: tuple[tuple[Expr, Expr], ...] = ()
    #: what is said of each member of a family
    members: tuple[Member, ...] = ()

    @property
    def spoken_of(self) -> frozenset[Symbol]:
        """Names that are a side of a relation, perhaps within bars, integers, or lie in a set."""
        bare = (side.args[0] if isinstance(side, Abs) else side for r in self.relations for side in (r.left, r.right))
        sides = {side for side in bare if isinstance(side, Symbol)}
        passing: frozenset[Symbol] = frozenset().union(*(relation_variables(r) for r in self.relations))
        return frozenset(sides) | self.integers | (self.names - passing)

    def __add__(self, other: Condition) -> Condition:
        return Condition(
            (*self.relations, *other.relations),
            self.integers | other.integers,
            self.names | other.names,
            (*self.perhaps, *other.perhaps),
            (*self.kinds, *other.kinds),
            (*self.unequal, *other.unequal),
            (*self.members, *other.members),
        )


_OPPOSITE: dict[str, Op] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def denied(condition: Condition) -> Condition | None:
    """The opposite of one relation, as behind *unless*: that its sides differ, or the other inequality.

    >>> x = Symbol("x")
    >>> print(denied(Condition((Relation(x, "<", Integer(1)),), names=frozenset([x]))).relations[0])
    x >= 1
    """
    if len(condition.relations) != 1 or condition.integers or condition.kinds or condition.unequal:
        return None
    (r,) = condition.relations
    if condition.members or r.needs:
        return None
    if r.op == "==":
        return Condition(names=condition.names, unequal=((r.left, r.right),))
    return Condition((Relation(r.left, _OPPOSITE[r.op], r.right),), names=condition.names)


def has_bare_name(relation: Relation) -> bool:
    """a = b + c, which may say what a is."""
    return isinstance(relation.left, Symbol) or isinstance(relation.right, Symbol)


def condition_of(text: str, book: Quantities, found: Sequence[Token] | None = None) -> Condition:
    """The condition that a formula writes down; LatexError where it is not understood."""
    given = [t for t in (tokens(text) if found is None else found) if t.kind not in ("end", "gap")]
    while given and given[-1].text in (",", ".", ";"):
        given.pop()
    if not given:
        raise LatexError(text, 0, "a condition is missing")
    total, waiting = Condition(), []
    parts = _parts(given)
    for number, part in enumerate(parts):
        signs = [t.text for _, t in at_top(part)]
        if not any(s in COMPARED or s in (r"\in", r"\ni", *_DIFFER) for s in signs):
            waiting.append(part)
            continue
        reader = PaperReader.of(text, book, part)
        names = [_name(PaperReader.of(text, book, w)) for w in waiting]
        waiting = []
        if r"\in" in signs:
            total += _in_set(reader, names)
            continue
        if any(s in _DIFFER for s in signs):
            total += _different(text, book, part, names)
            continue
        total += _compared(reader, names, text, parts[number + 1] if number + 1 < len(parts) else None)
    if waiting:
        raise LatexError(text, waiting[0][0].at, "a relation is missing")
    return total


def _parts(given: list[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    top = {place for place, t in at_top(given) if t.text in (",", ";") and t.kind == "sign"}
    for place, token in enumerate(given):
        if place in top:
            parts.append([])
        else:
            parts[-1].append(token)
    return [p for p in parts if p]


_DIFFER = (r"\ne", r"\neq")


def _different(text: str, book: Quantities, part: list[Token], names: list[Symbol]) -> Condition:
    at = next(place for place, t in at_top(part) if t.text in _DIFFER)
    left, right = (PaperReader.of(text, book, side) for side in (part[:at], part[at + 1 :]))
    left, right = left.whole(left.expression), right.whole(right.expression)
    pairs = tuple((one, right) for one in (*names, left))
    about = frozenset().union(*(relation_variables(Relation(one, "<", other)) for one, other in pairs))
    return Condition(names=about, unequal=pairs)


def _name(reader: PaperReader) -> Symbol:
    found: Symbol = reader.whole(reader.name)
    return found


def _compared(reader: PaperReader, names: list[Symbol], text: str, after: list[Token] | None) -> Condition:
    """A chain of relations; names before it with a comma share its first side."""
    sides: list[Expr] = [reader.expression()]
    ops: list[Op] = []
    while reader.token.kind != "end":
        sign = COMPARED.get(reader.token.text)
        if sign is None or sign == ":=":
            reader.unexpected()
        reader.advance()
        ops.append(sign)  # type: ignore[arg-type]
        sides.append(reader.expression())
    lost = reader.lost(*sides)
    found = [Relation(sides[i], op, sides[i + 1], lost if i == 0 else ()) for i, op in enumerate(ops)]
    found += [Relation(n, ops[0], sides[1]) for n in names]
    perhaps: list[Relation] = []
    # 0 < a, b < 1 is said of both of them by most, and of each of them by some
    if after is not None and len(sides) > 1 and isinstance(sides[-1], Symbol) and not names:
        try:
            other = PaperReader.of(text, reader.book, after)
            first = other.expression()
            sign = COMPARED.get(other.token.text)
            if isinstance(first, Symbol) and sign == ops[-1]:
                other.advance()
                perhaps = [Relation(sides[-2], ops[-1], first), Relation(sides[-1], ops[-1], other.expression())]
        except LatexError:
            perhaps = []
    about = frozenset().union(*(relation_variables(r) for r in found))
    return Condition(tuple(found), frozenset(), about, tuple(perhaps))


def _in_set(reader: PaperReader, names: list[Symbol]) -> Condition:
    first = reader.token
    left = reader.expression()
    subjects: list[Expr] = [*names, left]
    symbols = frozenset(s for s in subjects if isinstance(s, Symbol))
    if not reader.at(r"\in"):
        reader.unexpected()
    reader.advance()
    rest = [t.text for t in reader.tokens[reader.place : -1]]
    shown = "".join(rest)
    if any(sign in rest for sign in _OF_SETS):
        return _without_points(reader, subjects, symbols, rest)
    if rest[:1] in (["["], ["("]) and "," in rest:
        reader.place -= 1
        relations = _intervals(reader, subjects)
        if reader.at("^"):
            return Condition(names=symbols, kinds=tuple((str(s), "a vector") for s in symbols))
        if reader.token.kind != "end":
            reader.unexpected()
        return Condition(relations, names=symbols)
    if len(symbols) != len(subjects):
        reader.fail("only a name lies in a set of numbers here", first)
    # bold letters are the older way to write the sets of numbers
    plain = re.sub(r"[{}\s]", "", shown.replace(r"\mathbf", r"\mathbb"))
    known = _SETS.get(plain) or _from_a_bound_on(plain)
    if known is not None:
        whole, low, perhaps = known
        relations = () if low is None else tuple(Relation(s, low[0], Integer(low[1])) for s in subjects)
        more = () if perhaps is None else tuple(Relation(s, perhaps[0], Integer(perhaps[1])) for s in subjects)
        return Condition(relations, symbols if whole else frozenset(), symbols, more)
    if rest[:1] == ["["] and rest[-1:] == ["]"]:  # [n] = {1, ..., n}
        opening = reader.advance()
        high = reader.nested(reader.sum, opening)
        reader.expect("]", opening)
        relations = tuple(r for s in subjects for r in (Relation(s, ">=", Integer(1)), Relation(s, "<=", high)))
        return Condition(relations, symbols, symbols)
    if rest[:1] == [r"\{"] and rest[-1:] == [r"\}"]:
        return _listed(reader, subjects, symbols)
    if rest[:3] in ([r"\mathbb", "{", "R"], [r"\mathbb", "{", "C"], [r"\mathbb", "{", "Z"]) or "^" in rest:
        return Condition(names=symbols, kinds=tuple((str(s), "a vector") for s in symbols))
    return Condition(names=symbols, kinds=tuple((str(s), f"an element of {shown}") for s in symbols))


_OF_SETS = (r"\cup", r"\cap", r"\setminus", r"\backslash", r"\smallsetminus", r"\triangle", r"\times")


def _without_points(
    reader: PaperReader, subjects: list[Expr], symbols: frozenset[Symbol], rest: list[str]
) -> Condition:
    r"""\mathbb{R} \setminus \{0\}; of other sets that are made of sets, nothing is read."""
    joined = "".join(rest).replace(r"\mathbf", r"\mathbb").replace(r"\left", "").replace(r"\right", "")
    found = re.fullmatch(r"\\mathbb\{R\}\\(?:setminus|smallsetminus|backslash)\\\{(-?\d+)\\\}", joined)
    if found is None or len(symbols) != len(subjects):
        reader.fail(r"a set that is made of sets is not read; write it with < and \le")
    return Condition(names=symbols, unequal=tuple((s, Integer(int(found[1]))) for s in subjects))


def _intervals(reader: PaperReader, subjects: list[Expr]) -> tuple[Relation, ...]:
    """What the interval behind \\in says of each of them."""
    start, found = reader.place, []
    for subject in subjects:
        reader.place = start
        found += reader.interval(subject)
    return tuple(found)


Bound = tuple[Op, int] | None
#: The sets of numbers: whether of integers, a bound, and what a narrower reading adds.
_SETS: dict[str, tuple[bool, Bound, Bound]] = {
    r"\mathbbR": (False, None, None),
    r"\mathbbQ": (False, None, None),
    r"\mathbbR_+": (False, (">=", 0), (">", 0)),
    r"\mathbbR^+": (False, (">=", 0), (">", 0)),
    r"\mathbbR_++": (False, (">", 0), None),
    r"\mathbbZ": (True, None, None),
    r"\mathbbN": (True, (">=", 0), (">=", 1)),
    r"\mathbbN_0": (True, (">=", 0), None),
    r"\mathbbN^+": (True, (">=", 1), None),
    r"\mathbbN_+": (True, (">=", 1), None),
    r"\mathbbZ^+": (True, (">=", 1), None),
    r"\mathbbZ_+": (True, (">=", 0), (">=", 1)),
    r"\mathbbN^*": (True, (">=", 1), None),
}
_BOUNDED_SET = re.compile(
    r"\\mathbb([RQZN])_(>|\\gt(?![a-z])|\\geq?(?:slant)?(?![a-z])|<|\\lt(?![a-z])|\\leq?(?:slant)?(?![a-z]))(-?\d+)"
)


def _from_a_bound_on(shown: str) -> tuple[bool, Bound, Bound] | None:
    r"""\mathbb{Z}_{\ge 2}, \mathbb{R}_{<0}: the set of numbers and a bound below it.

    >>> _from_a_bound_on(r"\mathbbZ_\ge2"), _from_a_bound_on(r"\mathbbR_<0"), _from_a_bound_on(r"\mathbbZ_7")
    ((True, ('>=', 2), None), (False, ('<', 0), None), None)
    """
    found = _BOUNDED_SET.fullmatch(shown)
    if found is None or (found[1] == "N" and (found[2][:2] in ("<", r"\l") or int(found[3]) < 0)):
        return None
    op: Op = {">": ">", r"\gt": ">", "<": "<", r"\lt": "<"}.get(found[2], ">=" if "g" in found[2] else "<=")  # type: ignore[assignment]
    return found[1] in "ZN", (op, int(found[3])), None


def _listed(reader: PaperReader, subjects: list[Expr], symbols: frozenset[Symbol]) -> Condition:
    r"""{1, \dots, n} and {0, 1}."""
    opening = reader.advance()
    entries: list[Expr] = []
    dots = False
    while not reader.at(r"\}"):
        if reader.at(r"\dots", r"\ldots", r"\cdots"):
            reader.advance()
            dots = True
        else:
            entries.append(reader.nested(reader.sum, opening))
        if not reader.at(",", r"\}"):
            reader.unexpected()
        if reader.at(","):
            reader.advance()
    if dots and len(entries) >= 2:
        relations = tuple(
            r for s in subjects for r in (Relation(s, ">=", entries[0]), Relation(s, "<=", entries[-1]))
        )
        return Condition(relations, symbols, symbols)
    whole = sorted(int(e) for e in entries) if all(e.is_Integer for e in entries) else []
    if whole and whole == list(range(whole[0], whole[0] + len(whole))):
        relations = tuple(
            r for s in subjects for r in (Relation(s, ">=", Integer(whole[0])), Relation(s, "<=", Integer(whole[-1])))
        )
        return Condition(relations, symbols, symbols)
    reader.fail("a set of numbers with gaps is not read as a condition", opening)
