r"""Sums and products over an index, as normal forms. **Trusted.**

A sum splits into the sums of its monomials, and a product into those of its factors. What does not use the
index leaves a sum only if it is defined even where the range is empty: the sum of 1/x over no index is
0 for x = 0 too. The sum of 1 is not the number of indices, if that may be negative. More is for the laws of
:mod:`symdp.kernel.sums` to say, one by one.

>>> from symdp.kernel.identity import identical
>>> from symdp.kernel.terms import number, sum_over, variable
>>> x, k, one = variable("x"), variable("k"), number(1)
>>> constant_sum = sum_over("i", one, k, one / x)
>>> identical(constant_sum, k / x), identical(constant_sum, k / x, positive=[k])
(False, True)
"""

from __future__ import annotations

from flint import fmpq

from symdp.kernel.normal_form import UNIT, ZERO_QUOTIENT, Algebra, negative, number_of
from symdp.kernel.polynomial import ONE, Monomial, Poly, Quotient, atoms_of, join, raised
from symdp.kernel.terms import ONE as ONE_TERM
from symdp.kernel.terms import Term, binder, instantiate, is_total, variable


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

    def _leaving(self, b: Term, group: Monomial) -> Monomial:
        """What leaves a sum, of the powers of one base in it: what is defined even if the range is empty."""
        algebra = self.algebra
        free = tuple((g, e) for g, e in group if self._free(g))
        positive = algebra.positive_base(b)
        if len(free) < len(group) and not positive:
            return ()  # with b = 0, b^E b^F may be defined though b^E is not
        if self.nonempty:
            return free
        whole = all(algebra.exponent(g) is ONE_TERM and e.denominator == 1 and e > 0 for g, e in free)
        total = is_total(b) and all(is_total(algebra.exponent(g)) for g, _ in free)
        return free if total and (positive or whole) else ()

    def sum(self, n: Poly, d: Poly) -> Quotient:
        algebra, below = self.algebra, ONE
        if d != ONE and self._free(*atoms_of(d)) and (
            self.nonempty or (algebra.is_positive((d, ONE)) and is_total(algebra.term_of(d)))
        ):
            below, d = algebra.outside(d), ONE
        parts = []
        for m, c in n.items():
            out: Monomial = ()
            for b, group in algebra.groups(m).items():
                out = join(out, self._leaving(b, group))
            inside = join(m, raised(out, -1))
            if inside == () and d == ONE and self.counted:
                total = self.count
            else:
                total = self._opaque("sum", ({inside: fmpq(1)}, d))
            parts.append(algebra.multiplied((algebra.outside({out: c}), ONE), total))
        return algebra.multiplied(algebra.sum_of(parts), (ONE, below))

    def product(self, p: Poly) -> Quotient:
        """The product over the range of a sum of monomials, that of each base by itself."""
        if p == ONE:
            return UNIT
        if not p:
            return ZERO_QUOTIENT if self.nonempty else self._opaque("product", ZERO_QUOTIENT)
        m, rest = self.algebra.content(p)
        result = UNIT if rest == ONE else self._opaque("product", (rest, ONE))
        for group in self.algebra.groups(m).values():
            result = self.algebra.multiplied(result, self._opaque("product", ({group: fmpq(1)}, ONE)))
        return result


def _uses_index(term: Term) -> bool:
    """Whether the innermost index occurs."""
    return term.loose > 0 and "\0" in instantiate(term, variable("\0")).variables
