r"""Sums and products over an index, as normal forms. **Trusted.**

A sum splits into the sums of its monomials, and a product into those of its factors. What does not use the
index leaves a sum only if it is defined even where the range is empty: the sum of 1/x over no index is
0 for x = 0 too. The sum of 1 is not the number of indices, if that may be negative. More is for the laws of
:mod:`symdp.kernel.rules.sums` to say, one by one.

>>> from symdp.kernel.algebra.identity import identical
>>> from symdp.kernel.terms import number, sum_over, variable
>>> x, k, one = variable("x"), variable("k"), number(1)
>>> constant_sum = sum_over("i", one, k, one / x)
>>> identical(constant_sum, k / x), identical(constant_sum, k / x, positive=[k])
(False, True)
"""

from flint import fmpq

from symdp.kernel.algebra.normal_form import Algebra
from symdp.kernel.algebra.polynomial import ONE, Monomial, Poly, join, minus, plus, raised
from symdp.kernel.terms import ONE as ONE_TERM
from symdp.kernel.terms import ZERO, Term, binder, instantiate, is_total, variable


class Span:
    """The integers over which an index runs; it may be seen that there are some, or how many there are.

    What does not use the index may leave the range if it is defined even where the range is empty.
    """

    def __init__(self, algebra: Algebra, low: Poly, high: Poly) -> None:
        self.algebra, self.bounds = algebra, (algebra.term_of(low), algebra.term_of(high))
        self.count = algebra.tidied(plus(minus(high, low), ONE))
        # An integer above -1 is at least 0.
        self.counted, self.nonempty = algebra.is_positive(plus(self.count, ONE)), algebra.is_positive(self.count)

    def _opaque(self, head: str, body: Poly) -> Term:
        return binder(head, *self.bounds, self.algebra.term_of(body))

    def _leaving(self, b: Term, group: Monomial) -> Monomial:
        """What leaves a sum, of the powers of one base in it: what is defined even if the range is empty."""
        algebra = self.algebra
        free = tuple((g, e) for g, e in group if not _uses_index(algebra.atoms[g]))
        positive = algebra.positive_base(b)
        if len(free) < len(group) and not positive:
            return ()  # with b = 0, b^E b^F may be defined though b^E is not
        if self.nonempty:
            return free
        whole = all(algebra.exponent(g) is ONE_TERM and e.denominator == 1 and e > 0 for g, e in free)
        total = is_total(b) and all(is_total(algebra.exponent(g)) for g, _ in free)
        return free if total and (positive or whole) else ()

    def sum(self, p: Poly) -> Poly:
        algebra = self.algebra
        result: Poly = {}
        for m, c in p.items():
            out: Monomial = ()
            for b, group in algebra.groups(m).items():
                out = join(out, self._leaving(b, group))
            inside = join(m, raised(out, -1))
            counted = not inside and self.counted
            total = self.count if counted else algebra.single(self._opaque("sum", {inside: fmpq(1)}))
            outside = sorted((algebra.atom(instantiate(algebra.atoms[g], ZERO)), e) for g, e in out)
            result = plus(result, algebra.product({tuple(outside): c}, total))
        return result

    def product(self, p: Poly) -> Poly:
        """The product over the range of a sum of monomials, that of each base by itself."""
        algebra, result = self.algebra, ONE
        if not p:
            return {} if self.nonempty else algebra.single(self._opaque("product", p))
        for b, group in algebra.groups(algebra.factored(p, True)).items():
            # the product of whole powers is that power of the product
            whole = algebra.is_plain(group) and group[0][1].denominator == 1
            body, e = (b, group[0][1]) if whole else (algebra.term_of({group: fmpq(1)}), 1)
            result = algebra.product(result, {((algebra.atom(binder("product", *self.bounds, body)), e),): fmpq(1)})
        return result


def _uses_index(term: Term) -> bool:
    """Whether the innermost index occurs."""
    return term.loose > 0 and "\0" in instantiate(term, variable("\0")).variables
