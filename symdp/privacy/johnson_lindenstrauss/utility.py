r"""How far off a query is: exactly a chi-squared variable, so the failure probability is too.

The answer to a cut query is $q + (q + B)(\chi^2_r/r - 1)$ with $B = w|S|(n-|S|)/(n-w)$: the true
value, blurred in proportion to itself and to the weight that was added. The guarantee (30) fails
with a probability that two incomplete gamma functions give.

>>> print(failure(rows=119, eta="1/2", digits=10))  # r = 8 log(2/nu)/eta^2 rounded up, nu = 1/20
0.000343273833254
>>> print(cut_failure(n=100, w=90, side=10, cut=0, eta="1/2", rows=119, digits=6))
0.39051431
"""

from __future__ import annotations

from typing import Any

import sympy
from flint import arb
from sympy import Expr, Rational, ceiling, log

from symdp.formulas.balls import ball
from symdp.numbers import quantity
from symdp.numbers.decimals import Enclosure, enclose
from symdp.numbers.quantity import BadQuantity, Quantity, count


def rows_for(eta: Quantity, nu: Quantity, queries: Quantity = 1) -> int:
    """The r of Lemma 1, rounded up; over several queries nu is divided among them.

    >>> rows_for("1/2", "1/20"), rows_for("1/2", "1/20", queries=100)
    (119, 266)
    """
    width = quantity.within(eta, "eta", 0, None, open_below=True)
    fail = quantity.within(nu, "nu", 0, 1, open_below=True)
    return int(ceiling(8 * log(2 * count(queries, "queries") / fail) / width**2))


def failure(rows: Quantity, eta: Quantity, digits: int = 12) -> Enclosure:
    r"""The probability that $\chi^2_r/r$ is further than eta from one."""
    width = quantity.within(eta, "eta", 0, None, open_below=True)
    return _outside(count(rows, "rows"), width, digits)


def _outside(rows: int, width: Expr, digits: int) -> Enclosure:
    half = Rational(rows, 2)
    above = half * (1 + width)
    below = half * (1 - width) if quantity.sign(1 - width, "eta") > 0 else None

    def probability() -> Any:
        order = ball(half)
        tail = ball(above).gamma_upper(order, regularized=1)
        return tail if below is None else tail + ball(below).gamma_lower(order, regularized=1)

    return enclose(probability, digits, "tails of a chi-squared variable")


def added_weight(n: int, w: Quantity, side: int) -> Expr:
    """B: how much the weight that every pair receives adds to the blur of a cut."""
    if not 0 < side < n:
        raise BadQuantity(f"a cut has between 1 and {n - 1} of the {n} nodes on a side, not {side}")
    wide = quantity.within(w, "w", 0, None, open_below=True)
    if quantity.sign(wide - n) >= 0:
        raise BadQuantity(f"w must be below the number of nodes, {n}, not {sympy.N(wide, 6)}")
    return wide * side * (n - side) / (n - wide)


def cut_failure(n: int, w: Quantity, side: int, cut: Quantity, eta: Quantity, rows: Quantity,
                tau: Quantity | None = None, digits: int = 12) -> Enclosure:
    """The probability that (30) fails for a cut of that true value; tau is Lemma 1's unless given."""
    blur = added_weight(n, w, side)
    width = quantity.within(eta, "eta", 0, None, open_below=True)
    wide, value = quantity.quantity(w, "w"), quantity.within(cut, "cut", 0, None)
    extra = 2 * min(side, n - side) * width * wide if tau is None else quantity.quantity(tau, "tau")
    return _outside(count(rows, "rows"), (width * value + extra) / (value + blur), digits)


def variance_failure(variance: Quantity, w: Quantity, eta: Quantity, rows: Quantity,
                     tau: Quantity | None = None, digits: int = 12) -> Enclosure:
    r"""The probability that the answer to a variance query is off by more than eta v + tau.

    In a direction of length 1 in which the data have the variance v, the answer is exactly
    $v + (v + w^2)(\chi^2_r/r - 1)$; tau is $\eta w^2$ unless given.

    >>> print(variance_failure(3, w=2, eta="1/2", rows=119, digits=10))  # as for any v and w
    0.000343273833254
    >>> print(variance_failure(3, w=2, eta="1/2", rows=119, tau=0, digits=6))  # nothing for the noise
    0.096443798
    """
    width = quantity.within(eta, "eta", 0, None, open_below=True)
    value = quantity.within(variance, "variance", 0, None)
    blur = quantity.within(w, "w", 0, None) ** 2
    extra = width * blur if tau is None else quantity.within(tau, "tau", 0, None)
    if quantity.sign(value + blur) == 0:
        raise BadQuantity("without variance and without noise the answer is exact")
    return _outside(count(rows, "rows"), (width * value + extra) / (value + blur), digits)


def largest_eta() -> Enclosure:
    r"""Up to where Lemma 1's rows are enough by the tail bound: $\eta - \log(1+\eta) = \eta^2/4$.

    >>> print(largest_eta())
    1.623772756106
    """
    def gap(at: Any) -> Any:
        return at - (1 + at).log() - at * at / 4

    def root() -> Any:
        low, high = arb(1), arb(2)
        for _ in range(200):
            middle = ((low + high) / 2).mid()
            sign = gap(middle)
            if sign > 0:
                low = middle
            elif sign < 0:
                high = middle
            else:
                break
        return low.union(high)

    return enclose(root, 12, "where the tail bound ends")
