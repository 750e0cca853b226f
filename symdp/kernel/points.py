r"""Points: exact values for variables and families, and what holds there for certain. **Trusted.**

A point is a box that is a single point: a term is evaluated exactly where rational arithmetic can do that,
and in ball arithmetic elsewhere; a ball that is a single number is exact again, so that ``exp(0) - 1`` is
seen to be 0.

>>> from symdp.kernel.terms import apply, number, variable
>>> x = variable("x")
>>> at = Point({"x": fmpq(1, 3)})
>>> print(value_at(apply("log", x), at))
[-1.0986123, -1.0986123]
>>> sign_at(x * number(3) - number(1), at), sign_at(apply("log", x) / (x - x), at)
(0, None)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from flint import fmpq

from symdp.kernel.enclosure import Knowledge, Tape
from symdp.kernel.goals import INTEGER, Each, Formula, Goal, IllFormed, Relation, Whole
from symdp.kernel.ranges import Range, Undefined, Unsupported, precision
from symdp.kernel.terms import Term, fresh, number, subterms, variable

#: Longer ranges of integers are refused.
MOST_TERMS = 10_000
MOST_BITS = 1024


@dataclass(frozen=True)
class Members:
    """A family of numbers: a table for some integers, and one value for all others."""

    table: Mapping[int, fmpq] = field(default_factory=dict)
    default: fmpq = field(default_factory=lambda: fmpq(0))

    def __getitem__(self, index: int) -> fmpq:
        return self.table.get(index, self.default)

    def values(self) -> Iterator[fmpq]:
        yield from self.table.values()
        yield self.default


@dataclass(frozen=True)
class Point:
    """Exact values for variables and for families, and which of them are declared as integers."""

    values: Mapping[str, fmpq] = field(default_factory=dict)
    families: Mapping[str, Members] = field(default_factory=dict)
    whole: Whole = field(default_factory=lambda: Whole(frozenset()))
    #: integers at which a claim about every integer is looked at
    indices: tuple[int, ...] = ()

    @classmethod
    def of(cls, goal: Goal, values: Mapping[str, fmpq],
           families: Mapping[str, Members] | None = None, indices: tuple[int, ...] = ()) -> Point:
        """A point at which every name of the goal has a value of its sort; IllFormed otherwise."""
        given = {n: fmpq(v) for n, v in values.items()}
        members = {n: Members({_plain(i): fmpq(v) for i, v in m.table.items()}, fmpq(m.default))
                   for n, m in (families or {}).items()}
        if given.keys() != dict(goal.sorts).keys() or members.keys() != dict(goal.families).keys():
            raise IllFormed("a point gives a value to every variable and family, and to nothing else")
        for name, sort in goal.sorts:
            if sort == INTEGER and given[name].q != 1:
                raise IllFormed(f"{name} is an integer")
        for name, sort in goal.families:
            if sort == INTEGER and any(v.q != 1 for v in members[name].values()):
                raise IllFormed(f"{name} is a family of integers")
        return cls(given, members, goal.whole, tuple(indices))


def _plain(index: int) -> int:
    if type(index) is not int:
        raise IllFormed("the members of a family are numbered by integers")
    return index


# --- what holds at a point --------------------------------------------------------------------


def value_at(term: Term, point: Point, bits: int = 64) -> Range:
    """The value of a term at a point; Undefined where it is, or may be, undefined."""
    with precision(bits):
        return _tape(term, point)([Range.of(v) for v in point.values.values()])


def _tape(term: Term, point: Point) -> Tape:
    return Tape(term, Knowledge(tuple(point.values), point.whole, members=point.families))


def sign_at(term: Term, point: Point, most_bits: int = MOST_BITS) -> int | None:
    """-1, 0 or 1, certain; None if that many bits do not tell, or the term is undefined there."""
    try:
        return _sign(term, point, most_bits)
    except ArithmeticError:
        return None


def _sign(term: Term, point: Point, most_bits: int = MOST_BITS) -> int | None:
    bits, tape = 64, _tape(term, point)
    while True:
        try:
            with precision(bits):
                value = tape([Range.of(v) for v in point.values.values()])
        except Undefined as reason:
            if reason.certain or 2 * bits > most_bits:
                raise
        except Unsupported:
            # An index may become known with more bits; a limit of work will not.
            if 2 * bits > most_bits:
                raise
        else:
            if value.is_positive() or value.is_negative() or value.is_zero():
                return value.is_positive() - value.is_negative()
            if 2 * bits > most_bits:
                return None
        bits *= 2


def holds_at(formula: Formula, point: Point) -> bool | None:
    """Whether a formula holds at a point, certain; None if that is not found out."""
    return _holds(formula, point, MOST_TERMS)


def _holds(formula: Formula, point: Point, most: int) -> bool | None:
    if isinstance(formula, Relation):
        try:
            sign = _sign(formula.gap, point)
        except Undefined as reason:
            return False if reason.certain else None
        except ArithmeticError:
            return None
        if sign is None:
            return None
        return sign == 0 if formula.op == "==" else sign > 0 if formula.strict else sign >= 0
    if not isinstance(formula, Each):
        return None
    chosen = _indices(formula, point, most)
    if chosen is None:
        return None
    answer: bool | None = True
    for i in chosen:
        found = _holds(formula.at(number(i)), point, most // max(1, len(chosen)))
        if found is False:
            return False
        answer = answer and found
    return answer


def _indices(formula: Each, point: Point, most: int) -> list[int] | None:
    """The integers at which the body is to be looked at, so that it holds at these only if at all."""
    ends: list[int | None] = []
    for end in (formula.low, formula.high):
        try:
            ends.append(None if end is None else value_at(end, point).integer())
        except ArithmeticError:
            return None
    low, high = ends
    if (low is None and formula.low is not None) or (high is None and formula.high is not None):
        return None
    if low is not None and high is not None and high - low < most:
        return list(range(low, high + 1))
    if not _through_members_alone(formula):
        return None
    # The body tells integers apart by the tables only: all that are in no table are alike.
    families = formula.families
    known = {i for name in families if name in point.families for i in point.families[name].table}
    inside = sorted(i for i in known if (low is None or low <= i) and (high is None or i <= high))
    if len(inside) >= most:
        return None
    other = low if low is not None else high if high is not None else 0
    while other in known:
        other += 1 if low is not None or high is None else -1
    if low is not None and high is not None and other > high:
        return inside
    return [*inside, other]


def _through_members_alone(formula: Each) -> bool:
    """Whether the body has its index only as the index of a member, a[i] and not a[i + 1]."""
    name = fresh("#", formula.variables)
    index = variable(name)
    for t in formula.at(index).terms():
        if t is index:
            return False
        for part in subterms(t):
            if part.head != "member" and index in part.args:
                return False
    return True
