r"""Inserts values into expressions, and refuses what would grow too large or be rounded.

SymPy evaluates while it substitutes: 10^9 in place of x turns ``3**x`` into a number of half a billion
digits, and ``gamma(x)`` into a product that never ends. So what the numbers would grow to is bounded
before anything is put in.

>>> from sympy import Integer, gamma
>>> from symdp.formulas.notation import x
>>> put(x**2 + gamma(x), {x: Integer(4)})
22
>>> put((1 + x) ** 10**9, {x: Integer(2)})
Traceback (most recent call last):
...
symdp.formulas.insertion.Overgrown: with x = 2, (x + 1)**1000000000 is too large to be written out
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import sympy
from sympy import Expr, Rational, Symbol

from symdp.kernel.values.ranges import Unsupported

#: SymPy evaluates these on constants by looking at floating-point values; see `inserted`.
DECIDED_BY_ROUNDING = (sympy.floor, sympy.Min, sympy.Max, sympy.Abs, sympy.sign)
#: Bits of a number that SymPy may be made to write out.
MOST_BITS = 100_000


class Overgrown(ValueError):
    """An insertion would make a number that is too large to be written out."""


class _Size(NamedTuple):
    """Bounds on what becomes of the numbers of an expression: log2 of its absolute value, the bits of
    its rational factors, whether variables are left in it, and the bits inside its logarithms."""

    magnitude: float
    bits: float
    varies: bool
    logs: float = 0


def put(expr: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """All values at once, in place of their symbols; Overgrown if that would not end soon."""
    if expr.has(sympy.Pow, sympy.exp, sympy.gamma, sympy.loggamma, sympy.binomial, sympy.factorial):
        _size(expr, values, {})
    # One after the other is quicker, and the same where no value speaks of what is put in.
    mixed = len(values) > 1 and any(value.free_symbols & set(values) for value in values.values())
    return expr.subs(values, simultaneous=mixed)


def inserted(expr: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """The expression with values for variables, where SymPy does that without rounding.

    >>> from sympy import floor, tanh
    >>> from symdp.formulas.notation import x
    >>> inserted(floor(tanh(x)), {x: Rational(500)})
    Traceback (most recent call last):
    ...
    symdp.kernel.values.ranges.Unsupported: values are not inserted into floor(tanh(x))
    """
    for part in sorted(expr.atoms(*DECIDED_BY_ROUNDING), key=sympy.default_sort_key):
        if part.free_symbols & set(values):
            raise Unsupported(f"values are not inserted into {part}")
    try:
        return put(expr, values)
    except Overgrown as reason:
        raise Unsupported(str(reason)) from None


def bits_of(exprs: Iterable[Expr]) -> float:
    """A bound on the bits of the numbers that a product of the expressions would have.

    >>> bits_of([sympy.Integer(3) ** 10, sympy.Integer(7)])
    21
    """
    return sum(_size(expr, {}, {}).bits for expr in exprs)


def _size(expr: Expr, values: Mapping[Symbol, Expr], known: dict[Expr, _Size]) -> _Size:
    if expr not in known:
        size = known[expr] = _measured(expr, values, known)
        if not size.bits <= MOST_BITS:
            raise Overgrown(f"{_described(expr, values)} is too large to be written out")
    return known[expr]


def _described(expr: Expr, values: Mapping[Symbol, Expr]) -> str:
    if len(values) > 3 or expr.count_ops() > 40 or any(v.count_ops() > 20 for v in values.values()):
        return "what an insertion makes"
    if any(n.p.bit_length() + n.q.bit_length() > 300 for v in values.values() for n in v.atoms(Rational)):
        return "what an insertion makes"
    where = ", ".join(f"{v} = {value}" for v, value in values.items())
    return f"with {where}, {expr}" if values else str(expr)


def _measured(expr: Expr, values: Mapping[Symbol, Expr], known: dict[Expr, _Size]) -> _Size:
    if expr.is_Rational:
        above, below = int(expr.p).bit_length(), int(expr.q).bit_length()
        return _Size(max(0, above - below + 1), above + below, False)
    if expr.is_Symbol:
        return _size(values[expr], {}, {}) if expr in values else _Size(0, 0, True)
    if not expr.args:
        return _Size(2, 0, False)
    parts = [_size(a, values, known) for a in expr.args]
    varies, logs = any(p.varies for p in parts), sum(p.logs for p in parts)
    if expr.is_Add:
        magnitude = max(p.magnitude for p in parts) + len(parts)
        bits = 0 if varies else sum(p.bits for p in parts) + len(parts)
        return _Size(magnitude, bits, varies, logs)
    if expr.is_Mul:
        return _Size(sum(p.magnitude for p in parts), sum(p.bits for p in parts), varies, logs)
    if isinstance(expr, sympy.exp):  # exp(n*log(2)) becomes 2^n
        times = _two_to(parts[0].magnitude)
        return _Size(2 * times, times * logs if logs else 0, varies)
    if isinstance(expr, sympy.log):
        return _Size(parts[0].magnitude, parts[0].bits, varies, logs + parts[0].bits)
    if expr.is_Pow:
        times = 1.0 if parts[1].varies else _two_to(parts[1].magnitude)
        grown = times * parts[0].bits if parts[0].bits else 0
        size = max(grown, times * parts[0].magnitude if parts[0].magnitude else 0)
        return _Size(size, grown, varies, logs)
    if isinstance(expr, (sympy.gamma, sympy.loggamma, sympy.binomial, sympy.factorial)):
        largest = max(p.magnitude for p in parts)
        grown = 0 if parts[0].varies else _two_to(largest) * (largest + 1)
        return _Size(grown, grown, varies)
    return _Size(max(p.magnitude for p in parts), sum(p.bits for p in parts), varies)


def _two_to(magnitude: float) -> float:
    return 2.0**magnitude if magnitude < 200 else math.inf
