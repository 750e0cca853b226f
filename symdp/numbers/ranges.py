r"""Ranges of SymPy's expressions: the kernel's, seen from SymPy.

An expression is read as a term (:func:`symdp.formulas.translation.term_of`), and what is known of its values is what
the kernel knows of that term. There is no second arithmetic here.

>>> from sympy import Rational, exp, log
>>> from symdp.formulas.notation import x
>>> tape = Tape(exp(-x) * x, [x])
>>> print(tape([between(0, 1)]), tape([between(0, None, lower_open=True)]))
[0, 1] (0, oo)
>>> Tape(log(x), [x])([between(-1, Rational(1, 2))])
Traceback (most recent call last):
...
symdp.kernel.values.ranges.Undefined: log(x) may be undefined: an operand ranges over [-1, 0.5]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import sympy
from flint import arb, fmpq
from sympy import Expr, Rational, Symbol

from symdp.formulas.relation import Relation
from symdp.formulas.translation import NotATerm, term_of
from symdp.kernel.algebra.identity import identical
from symdp.kernel.goals import Relation as Formula
from symdp.kernel.goals import Whole
from symdp.kernel.terms import ZERO, Term, number, substitute
from symdp.kernel.values import points
from symdp.kernel.values.enclosure import Knowledge
from symdp.kernel.values.enclosure import Tape as TapeOfTerm
from symdp.kernel.values.points import Point, value_at
from symdp.kernel.values.ranges import (
    NEG_INF,
    POS_INF,
    Range,
    Undefined,
    Unsupported,
    Vacuous,
    precision,
)

__all__ = [
    "NEG_INF", "POS_INF", "Range", "Tape", "Undefined", "Unsupported", "ball", "between",
    "enclose_constant", "precision", "readable", "sign_at", "sign_of_constant", "whole_between",
]


def exactly(value: Rational | int) -> fmpq:
    """A rational number of SymPy as one of FLINT."""
    value = Rational(value)
    return fmpq(int(value.p), int(value.q))


def ball(value: Rational | int) -> arb:
    """A rational as the narrowest ball around it."""
    return arb(exactly(value))


def between(lower: Rational | int | None, upper: Rational | int | None,
            lower_open: bool = False, upper_open: bool = False) -> Range:
    """The range with these exact ends; None is infinite.

    >>> print(between(Rational(1, 3), None))
    [0.33333333, oo)
    """
    low, high = (None if end is None else exactly(end) for end in (lower, upper))
    return Range.between(low, high, lower_open, upper_open)


def readable(expr: Expr) -> Term:
    """The term that an expression stands for; Unsupported if there is none."""
    try:
        return term_of(expr)
    except NotATerm as reason:
        for part in sorted(expr.atoms(sympy.Float)):
            raise Unsupported(f"{part} is a float; write Rational('{part}')") from None
        raise Unsupported(str(reason)) from None


@lru_cache(maxsize=2000)
def knowledge(variables: tuple[Symbol, ...], integers: frozenset[Symbol],
              given: tuple[Relation, ...]) -> Knowledge:
    """What relations say besides the box of the variables.

    One that the kernel cannot read says nothing.
    """
    whole = Whole(frozenset(str(v.name) for v in integers))
    said = []
    for relation in given:
        try:
            said.append(Formula(readable(relation.left), relation.op, readable(relation.right)))
        except Unsupported:
            continue
    return Knowledge(tuple(str(v.name) for v in variables), whole, tuple(said))


class Tape(TapeOfTerm):
    """An expression, folded once, that can be run on any box of its variables.

    ``given`` holds wherever the tape is run: where the gap of such a relation occurs, up to a rational
    factor and offset, its range is met with what is known.
    """

    def __init__(self, expr: Expr, variables: Sequence[Symbol], given: Iterable[Relation] = (),
                 integers: frozenset[Symbol] = frozenset()) -> None:
        self.expr, self.variables = expr, tuple(variables)
        try:
            super().__init__(readable(expr), knowledge(self.variables, integers, tuple(given)))
        except Vacuous as reason:
            raise Unsupported(str(reason)) from None

    def values(self, box: Sequence[Range]) -> list[Range]:
        try:
            return super().values(box)
        except Vacuous as reason:  # there is no point; a search has other ways to see that
            raise Unsupported(str(reason)) from None


def enclose_constant(expr: Expr, bits: int = 128) -> Range:
    """An expression without variables, as a range.

    >>> print(enclose_constant(sympy.log(2)))
    [0.69314718, 0.69314718]
    """
    return value_at(readable(expr), Point(), bits)


def sign_at(expr: Expr, point: Mapping[Symbol, Expr], most_bits: int = 1024) -> int | None:
    """The sign of an expression at an exact point, certain; None if that many bits do not tell.

    >>> from symdp.formulas.notation import x
    >>> sign_at(x**2 - 2, {x: Rational(141421356, 10**8)}), sign_at(x**2 - 2, {x: sympy.sqrt(2)})
    (-1, 0)
    """
    term = readable(expr)
    values = {str(v.name): exactly(u) for v, u in point.items() if u.is_Rational}
    others = {str(v.name): readable(u) for v, u in point.items() if not u.is_Rational}
    term = substitute(term, others)
    # What is an integer at this point may be an exponent of anything.
    at = Point(values, whole=Whole(frozenset(name for name, u in values.items() if u.q == 1)))
    sign = points.sign_at(term, at, most_bits)
    if sign is not None:
        return sign
    value_at(term, at, most_bits)  # says so where it is undefined
    there = substitute(term, {name: number(u) for name, u in values.items()})
    return 0 if identical(there, ZERO) else None


def sign_of_constant(expr: Expr, most_bits: int = 4096) -> int | None:
    """-1, 0 or 1, certain; None if that many bits do not tell.

    >>> sign_of_constant(sympy.exp(1) - 3), sign_of_constant(sympy.Rational(0))
    (-1, 0)
    """
    return sign_at(expr, {}, most_bits)


def whole_between(expr: Expr) -> tuple[int, int]:
    """The floor and the ceiling of an exact constant, certain; Unsupported if it is too close to an
    integer for that."""
    if expr.is_Rational:
        return int(sympy.floor(expr)), int(sympy.ceiling(expr))
    for bits in (64, 256, 1024, 4096):
        value = enclose_constant(expr, bits)
        if value.is_finite():
            below, above = value.lo.floor().unique_fmpz(), value.hi.floor().unique_fmpz()
            if below is not None and below == above and value.lo > below:
                return int(below), int(below) + 1
    raise Unsupported(f"{expr} is too close to an integer")
