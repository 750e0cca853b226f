r"""Sums and products over an index, as normal forms. **Trusted.**

A sum splits into the sums of its monomials, and a product into those of its factors. What does not use the
index leaves the range only if it is defined even where the range is empty: the sum of 1/x over no index is
0 for x = 0 too. The sum of 1 is not the number of indices, if that may be negative.

>>> from symdp.kernel.identity import identical
>>> from symdp.kernel.terms import number, sum_over, variable
>>> x, k, one = variable("x"), variable("k"), number(1)
>>> constant_sum = sum_over("i", one, k, one / x)
>>> identical(constant_sum, k / x), identical(constant_sum, k / x, positive=[k])
(False, True)
"""

from __future__ import annotations

from flint import fmpq

from symdp.kernel import normal_form
from symdp.kernel.normal_form import UNIT, ZERO_QUOTIENT, Algebra, negative, number_of
from symdp.kernel.polynomial import ONE, Monomial, Poly, Quotient, atoms_of, join, raised, scaled
from symdp.kernel.terms import ONE as ONE_TERM
from symdp.kernel.terms import ZERO as ZERO_TERM
from symdp.kernel.terms import Term, binder, bound, instantiate, variable


class Span:
    """The integers over which an index runs; it may be seen that there are some, or how many there are.

    What does not use the index may leave the range if it is defined even where the range is empty.
    """

    def __init__(self, algebra: Algebra, bounds: tuple[Quotient, Quotient], first: fmpq | None) -> None:
        self.algebra, self.first = algebra, first
        self.low, self.high = (algebra.quotient_term(b) for b in bounds)
        one: Quotient = (ONE, ONE)
        self.count = algebra.tidied(algebra.sum_of([bounds[1], negative(bounds[0]), one]))
        # An integer above -1 is at least 0.
        self.counted = algebra.is_positive(algebra.sum_of([self.count, one]))
        self.nonempty = algebra.is_positive(self.count)
        fixed = number_of(self.count)
        if fixed is not None:
            self.counted, self.nonempty = bool(fixed >= 0), bool(fixed > 0)

    def _opaque(self, head: str, body: Quotient) -> Quotient:
        algebra = self.algebra
        return algebra.single(binder(head, self.low, self.high, algebra.quotient_term(body)))

    def _free(self, *atoms: int) -> bool:
        return not any(_uses_index(self.algebra.atoms[g]) for g in atoms)

    def _defined(self, group: Monomial) -> bool:
        """Whether powers of one base, without the index, are defined even if the range is empty."""
        algebra = self.algebra
        if self.nonempty:
            return True
        b = algebra.base(group[0][0])
        if not algebra.total(b) or not all(algebra.total(algebra.exponent(g)) for g, _ in group):
            return False
        if algebra.positive_base(b):
            return True
        if len(group) > 1 or algebra.exponent(group[0][0]) is not ONE_TERM:
            return False
        e = group[0][1]
        return e.denominator == 1 and (e > 0 or algebra.nonzero_base(b))

    def _leaving(self, group: Monomial) -> Monomial:
        """What leaves a sum, of the powers of one base in it."""
        algebra = self.algebra
        free = tuple((g, e) for g, e in group if self._free(g))
        if not free or not self._defined(free):
            return ()
        b = algebra.base(group[0][0])
        if len(free) == len(group) or algebra.positive_base(b):
            return free
        # b^(ci+k) = b^k b^(ci) even if b = 0, where i >= 0, c > 0 and k > 0 are integers.
        bent = [(g, e) for g, e in group if (g, e) not in free]
        apart = (self.first is not None and self.first >= 0 and len(bent) == len(free) == 1
                 and algebra.exponent(bent[0][0]) is bound(0) and algebra.exponent(free[0][0]) is ONE_TERM
                 and all(e.denominator == 1 and e > 0 for e in (bent[0][1], free[0][1])))
        return free if apart else ()

    def sum(self, n: Poly, d: Poly) -> Quotient:
        algebra, below = self.algebra, ONE
        if d != ONE and self._free(*atoms_of(d)) and (
            self.nonempty or (algebra.is_positive((d, ONE)) and algebra.total(algebra.term_of(d)))
        ):
            below, d = algebra.outside(d), ONE
        parts = []
        for m, c in n.items():
            out: Monomial = ()
            for group in algebra.groups(m).values():
                out = join(out, self._leaving(group))
            inside = join(m, raised(out, -1))
            if inside == () and d == ONE and self.counted:
                total = self.count
            else:
                total = self._opaque("sum", ({inside: fmpq(1)}, d))
            parts.append(algebra.multiplied((algebra.outside({out: c}), ONE), total))
        return algebra.multiplied(algebra.sum_of(parts), (ONE, below))

    def product(self, p: Poly) -> Quotient:
        """The product over the range of a sum of monomials."""
        algebra = self.algebra
        if p == ONE:
            return UNIT
        if not p:
            return ZERO_QUOTIENT if self.nonempty else self._opaque("product", ZERO_QUOTIENT)
        m, rest = algebra.content(p)
        result = UNIT
        if rest != ONE:
            result = self._opaque("product", (rest, ONE))
        for b, group in algebra.groups(m).items():
            result = algebra.multiplied(result, self._product_of_powers(b, group))
        return algebra.tidied(result)

    def _product_of_powers(self, b: Term, group: Monomial) -> Quotient:
        algebra = self.algebra
        base_free, fixed = not _uses_index(b), self._free(*(g for g, _ in group))
        exponent: Quotient = ({}, ONE)
        for g, e in group:
            n, d = algebra.normal(algebra.exponent(g))
            exponent = algebra.tidied(algebra.sum_of([exponent, (scaled(n, normal_form.rational(e)), d)]))
        k = number_of(exponent)
        stays = self.nonempty or algebra.total(b)
        if fixed and k is None:
            stays = self.nonempty or (stays and algebra.total(algebra.quotient_term(exponent)))
        if base_free and stays and (self.counted or not fixed):
            # The same base each time: the exponents add up, and none of them is negative if it is 0.
            plain = ((algebra.atom(instantiate(b, ZERO_TERM)), 1),)
            total = self._total_exponent(exponent) if fixed else self.sum(*exponent)
            return algebra.to_power(plain, total)
        if k is not None:
            return algebra.to_power(next(iter(self._opaque("product", algebra.single(b))[0])), exponent)
        if not base_free and self._free(*atoms_of(*exponent)) and (
            self.nonempty or algebra.total(algebra.quotient_term(exponent))
        ):
            outer = algebra.outside(exponent[0]), algebra.outside(exponent[1])
            return algebra.to_power(next(iter(self._opaque("product", algebra.single(b))[0])), outer)
        return self._opaque("product", ({group: fmpq(1)}, ONE))

    def _total_exponent(self, exponent: Quotient) -> Quotient:
        """An exponent without the index, as often as there are integers in the range."""
        algebra = self.algebra
        n, d = exponent
        return algebra.tidied(algebra.multiplied((algebra.outside(n), algebra.outside(d)), self.count))


def _uses_index(term: Term) -> bool:
    """Whether the innermost index occurs."""
    return term.loose > 0 and "\0" in instantiate(term, variable("\0")).variables
