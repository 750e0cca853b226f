r"""Sparse sums of monomials with rational exponents, exactly. **Trusted.**

A monomial is a tuple of pairs (atom, exponent) in the order of the atoms, which are integers; what an atom
stands for is not known here. Exponents are whole numbers or fractions, negative ones included, and a
product of monomials adds them.

>>> x = {((0, 1),): fmpq(1)}
>>> product = times(plus(x, ONE), minus(x, ONE))
>>> product == minus(times(x, x), ONE)
True
>>> cancelled(product, plus(x, ONE)) == (minus(x, ONE), ONE)
True
"""

import math
from collections.abc import Iterable
from fractions import Fraction

from flint import Ordering, fmpq, fmpq_mpoly_ctx

#: a sum may have that many terms, and a product of two as many before like ones are collected,
MOST_TERMS = 4000
#: a sum is raised to at most this power,
MOST_POWER = 40
#: and a coefficient has at most this many bits.
MOST_BITS = 20_000
#: A common divisor is looked for in a box of at most this many exponents.
MOST_DENSE = 20_000

Exponent = int | Fraction
Monomial = tuple[tuple[int, Exponent], ...]
Poly = dict[Monomial, fmpq]
Quotient = tuple[Poly, Poly]

ONE: Poly = {(): fmpq(1)}


class TooLarge(ArithmeticError):
    """The term grows beyond what may be multiplied out."""


def constant(c: fmpq) -> Poly:
    return {(): c} if c != 0 else {}


def need_small(c: fmpq) -> fmpq:
    if int(c.p).bit_length() + int(c.q).bit_length() > MOST_BITS:
        raise TooLarge("a number is too large to compute with")
    return c


def minus(a: Poly, b: Poly) -> Poly:
    return plus(a, scaled(b, fmpq(-1)))


def scaled(a: Poly, by: fmpq) -> Poly:
    return {m: c * by for m, c in a.items()} if by != 0 else {}


def plus(a: Poly, b: Poly) -> Poly:
    result = dict(a)
    for m, c in b.items():
        total = result.get(m, 0) + c
        if total == 0:
            del result[m]
        else:
            result[m] = total
    if len(result) > MOST_TERMS:
        raise TooLarge("a sum has too many terms")
    return result


def join(m1: Monomial, m2: Monomial) -> Monomial:
    """The product of two monomials."""
    if not m1 or not m2:
        return m1 or m2
    exponents = dict(m1)
    for g, e in m2:
        total = exponents.get(g, 0) + e
        if total == 0:
            exponents.pop(g, None)
        else:
            exponents[g] = total
    return tuple(sorted(exponents.items()))


def raised(m: Monomial, to: Exponent) -> Monomial:
    return tuple((g, e * to) for g, e in m) if to != 0 else ()


def times(a: Poly, b: Poly) -> Poly:
    if ONE in (a, b):  # most denominators
        return b if a == ONE else a
    if len(a) * len(b) > MOST_TERMS:
        raise TooLarge("the term is too large to multiply out")
    result: Poly = {}
    for m1, c1 in a.items():
        # different monomials stay different
        result = plus(result, {join(m1, m2): need_small(c1 * c2) for m2, c2 in b.items()})
    return result


def atoms_of(*sums: Poly) -> set[int]:
    return {g for p in sums for m in p for g, _ in m}


def exponents_of(g: int, monomials: Iterable[Monomial]) -> list[Exponent]:
    """The exponent of an atom in each monomial; 0 where it does not occur."""
    return [next((e for h, e in m if h == g), 0) for m in monomials]


def cancelled(n: Poly, d: Poly) -> Quotient:
    """The quotient without its greatest common divisor, where that is cheap to find.

    Where d is not zero neither is any divisor of it, so the shorter quotient has the same value there.
    """
    atoms = sorted(atoms_of(n, d))
    columns = [exponents_of(g, (*n, *d)) for g in atoms]
    steps = [math.lcm(*(e.denominator for e in column)) for column in columns]
    shifts = [min(column) for column in columns]
    if math.prod(int((max(c) - low) * q) + 1 for c, low, q in zip(columns, shifts, steps, strict=True)) > MOST_DENSE:
        return n, d
    context = fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(atoms))], Ordering.lex)

    def packed(m: Monomial) -> tuple[int, ...]:
        exponents = dict(m)
        return tuple(int((exponents.get(g, 0) - low) * step)
                     for g, low, step in zip(atoms, shifts, steps, strict=True))

    def unpacked(exponents: tuple[int, ...]) -> Monomial:
        return tuple((g, Fraction(int(e), step) if step > 1 else int(e))
                     for g, e, step in zip(atoms, exponents, steps, strict=True) if e)

    upper, lower = (context.from_dict({packed(m): c for m, c in p.items()}) for p in (n, d))
    common = upper.gcd(lower)
    upper, lower = upper / common, lower / common
    return ({unpacked(m): c for m, c in upper.to_dict().items()},
            {unpacked(m): c for m, c in lower.to_dict().items()})
