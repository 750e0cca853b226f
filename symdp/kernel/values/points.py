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
>>> sign_at(apply("log", number(9) * x) - apply("log", x + number(8, 3)), at), sign_at(apply("log", x - x), at)
(0, None)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from flint import fmpq

from symdp.kernel.algebra.identity import identical
from symdp.kernel.goals import INTEGER, Each, Formula, Goal, IllFormed, Relation, Whole
from symdp.kernel.terms import ZERO, Term, number, substitute
from symdp.kernel.values.enclosure import Knowledge, Tape
from symdp.kernel.values.ranges import Range, Undefined, precision

#: Of a claim about every integer of a range, longer ranges are refused, and ranges without an end.
MOST_TERMS, MOST_BITS = 10_000, 1024


@dataclass(frozen=True)
class Members:
    """A family of numbers: a table for some integers, and one value for all others."""

    table: Mapping[int, fmpq] = field(default_factory=dict)
    default: fmpq = field(default_factory=lambda: fmpq(0))

    def __getitem__(self, index: int) -> fmpq:
        return self.table.get(index, self.default)


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
        members = {n: Members({i: fmpq(v) for i, v in m.table.items()}, fmpq(m.default))
                   for n, m in (families or {}).items()}
        if given.keys() != dict(goal.sorts).keys() or members.keys() != dict(goal.families).keys():
            raise IllFormed("a point gives a value to every variable and family, and to nothing else")
        for name, sort in goal.sorts:
            IllFormed.unless(sort != INTEGER or given[name].q == 1, f"{name} is an integer")
        for name, sort in goal.families:
            family = members[name]
            if any(type(i) is not int for i in family.table):
                raise IllFormed("the members of a family are numbered by integers")
            if sort == INTEGER and any(v.q != 1 for v in (*family.table.values(), family.default)):
                raise IllFormed(f"{name} is a family of integers")
        return cls(given, members, goal.whole, tuple(indices))


# --- what holds at a point --------------------------------------------------------------------


def value_at(term: Term, point: Point, bits: int = 64) -> Range:
    """The value of a term at a point; Undefined where it is, or may be, undefined."""
    with precision(bits):
        tape = Tape(term, Knowledge(tuple(point.values), point.whole, members=point.families))
        return tape([Range.of(v) for v in point.values.values()])


def sign_at(term: Term, point: Point, most_bits: int = MOST_BITS) -> int | None:
    """-1, 0 or 1, certain; None if that many bits do not tell, or the term is undefined there."""
    try:
        return _sign(term, point, most_bits)
    except Undefined:
        return None


def _sign(term: Term, point: Point, most_bits: int = MOST_BITS) -> int | None:
    """Likewise; but Undefined if it certainly is. A sum that balls do not tell from 0 may be 0 by algebra."""
    bits, defined = 64, False
    while bits <= most_bits:
        try:
            value = value_at(term, point, bits)
        except ArithmeticError as reason:  # an index may become known with more bits, and what is undefined stays so
            if getattr(reason, "certain", False):
                raise
        else:
            if value.is_positive() or value.is_negative() or value.is_zero():
                return value.is_positive() - value.is_negative()
            defined = True
        bits *= 2
    here = substitute(term, {n: number(v) for n, v in point.values.items()})
    return 0 if defined and identical(here, ZERO) else None


def holds_at(formula: Formula, point: Point, most: int = MOST_TERMS) -> bool | None:
    """Whether a formula holds at a point, certain; None if that is not found out."""
    if isinstance(formula, Relation):
        try:
            sign = _sign(formula.gap, point)
        except Undefined:
            return False
        if sign is None:
            return None
        return sign == 0 if formula.op == "==" else sign > 0 if formula.strict else sign >= 0
    if not isinstance(formula, Each) or formula.low is None or formula.high is None:
        return None
    try:
        low, high = (value_at(end, point).integer() for end in (formula.low, formula.high))
    except ArithmeticError:
        return None
    if low is None or high is None or high - low >= most:
        return None
    answer: bool | None = True
    for i in range(low, high + 1):
        found = holds_at(formula.at(number(i)), point, most // (high - low + 1))
        if found is False:
            return False
        answer = answer and found
    return answer
