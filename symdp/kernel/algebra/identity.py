r"""Exact identities: when two terms are the same by algebra alone. **Trusted.**

Both are brought to a sum of monomials, and they are the same if nothing is left of the difference, its
denominators multiplied out.

>>> from symdp.kernel.goals import Whole
>>> from symdp.kernel.terms import apply, number, variable
>>> x, y, m, one, two = variable("x"), variable("y"), variable("m"), number(1), number(2)
>>> def exp(t): return apply("exp", t)
>>> def log(t): return apply("log", t)
>>> identical(apply("tanh", x / two), (exp(x) - one) / (exp(x) + one))
True
>>> identical(log(exp(x) / (one + y)), x - log(one + y), positive=[one + y])
True
>>> identical(apply("sqrt", x ** two), x)
False
>>> identical((x * y) ** (m + one), x ** m * y ** m * y * x, whole=Whole(frozenset("m")))
True

Why that is right is said where the normal forms are made (:mod:`symdp.kernel.algebra.normal_form`).
"""

from collections.abc import Hashable, Iterable
from functools import lru_cache

from flint import fmpq

from symdp.kernel.algebra.normal_form import NO_INTEGERS, Algebra, IsWhole, NowhereDefined
from symdp.kernel.algebra.polynomial import TooLarge, minus, scaled
from symdp.kernel.terms import Term

__all__ = ["Algebra", "NowhereDefined", "TooLarge", "canonical", "identical"]


def identical(left: Term, right: Term, positive: Iterable[Term] = (), whole: IsWhole = NO_INTEGERS) -> bool:
    """Whether both sides agree wherever both are defined and all of ``positive`` is positive.

    False means only: not seen, or too large. ``whole`` says which terms are visibly integers.
    """
    return _identical(left, right, tuple(positive), whole)


@lru_cache(maxsize=4096)
def _identical(left: Term, right: Term, positive: tuple[Term, ...], whole: IsWhole) -> bool:
    try:
        algebra = Algebra(positive, whole)
        one, other = algebra.normal(left), algebra.normal(right)
        return one == other or not algebra.quotient(minus(one, other))[0]
    except (TooLarge, NowhereDefined):
        return False


@lru_cache(maxsize=8192)
def canonical(term: Term, whole: IsWhole = NO_INTEGERS) -> tuple[Hashable, fmpq, fmpq] | None:
    """(key, factor, offset): the term is factor * thing + offset, where the thing has no constant term
    and a leading coefficient of 1, and the key says which one it is. None if it is constant or too large.

    Two terms with one key have the same thing wherever both are defined.

    >>> from symdp.kernel.terms import number, variable
    >>> x, y = variable("x"), variable("y")
    >>> key, factor, offset = canonical(number(3) - number(2) * (x + y))
    >>> other, *rest = canonical(y + x)
    >>> key == other, factor, offset
    (True, -2, 3)
    """
    algebra = Algebra((), whole)
    try:
        n, d = algebra.quotient(algebra.normal(term))
    except (TooLarge, NowhereDefined):
        return None
    top = algebra.leading(d)
    offset = n.get(top, fmpq(0)) / d[top]
    n = minus(n, scaled(d, offset))
    if not n:
        return None
    factor = n[algebra.leading(n)]
    key = tuple(frozenset((frozenset((algebra.atoms[g], e) for g, e in m), (int(c.p), int(c.q)))
                  for m, c in part.items()) for part in (scaled(n, 1 / factor), d))
    return key, factor, offset
