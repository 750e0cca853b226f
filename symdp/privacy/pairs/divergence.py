r"""How far two finite distributions lie apart: hockey-stick, Renyi, and the order of likelihoods.

The lists hold exact numbers (:mod:`symdp.numbers.exact`), so that what is decided here (which
outcomes count, whether a divergence is zero or infinite) is decided by algebra.

>>> from fractions import Fraction as F
>>> p, q = [F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]
>>> hockey_stick(p, q, F(1)), hockey_stick(p, q, F(3))
(Fraction(1, 2), Fraction(0, 1))
>>> smallest_ratio(p, q, F(1, 4))
Fraction(2, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

import sympy
from flint import arb
from sympy import Expr

from symdp.numbers.exact import Number, ball, equal, number, sign

Masses = Sequence[Number]


def hockey_stick(p: Masses, q: Masses, ratio: Number) -> Number:
    r"""$\sum_x \max(0, p(x) - r\,q(x))$, which is $\max_S P(S) - r\,Q(S)$."""
    gains = (a - ratio * b for a, b in zip(p, q, strict=True))
    return sum((gain for gain in gains if sign(gain) > 0), Fraction(0))


def by_likelihood(p: Masses, q: Masses) -> list[tuple[Number, Number]]:
    """The masses (p, q) with falling ratio p/q, first those with q = 0; equal ratios are merged.

    Nothing is lost by merging: the ratio is all that a test of P against Q can use.

    >>> by_likelihood([Fraction(1, 6), Fraction(1, 2), Fraction(1, 3)],
    ...               [Fraction(1, 3), Fraction(0), Fraction(2, 3)])
    [(Fraction(1, 2), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 1))]
    """
    merged: list[tuple[Number, Number]] = []
    for index in likelihood_order(p, q):
        a, b = p[index], q[index]
        if merged and equal(merged[-1][0] * b, a * merged[-1][1]):
            merged[-1] = (merged[-1][0] + a, merged[-1][1] + b)
        else:
            merged.append((a, b))
    return merged


def likelihood_order(p: Masses, q: Masses) -> list[int]:
    """The outcomes of positive mass, those that speak most for P first."""
    present = [i for i in range(len(p)) if sign(p[i]) > 0 or sign(q[i]) > 0]
    if all(isinstance(v, Fraction) for v in (*p, *q)):
        return sorted(present, key=lambda i: q[i] / (p[i] + q[i]))

    def falling(i: int, j: int) -> int:
        return sign(p[j] * q[i] - p[i] * q[j])

    return sorted(present, key=cmp_to_key(falling))


def smallest_ratio(p: Masses, q: Masses, delta: Number) -> Number | None:
    r"""The smallest $r \ge 1$ with hockey-stick divergence at most ``delta``; None if there is none.

    Between two likelihood ratios the divergence is linear in $r$, so that the answer is exact.
    """
    if sign(delta - hockey_stick(p, q, Fraction(1))) >= 0:
        return Fraction(1)
    above_p, above_q = Fraction(0), Fraction(0)  # the masses of the outcomes with larger ratio
    for a, b in by_likelihood(p, q):
        if sign(b) > 0 and sign(above_p - a / b * above_q - delta) > 0:
            return (above_p - delta) / above_q
        if sign(b) > 0 and sign(above_p - delta) == 0:  # all that is above has infinite ratio
            return a / b
        if sign(b) == 0 and sign(a - delta) > 0:
            return None
        above_p, above_q = above_p + a, above_q + b
    return (above_p - delta) / above_q


def renyi(p: Masses, q: Masses, alpha: Expr) -> Any:
    """A ball around the Renyi divergence of P from Q; of order 1 it is Kullback and Leibler's.

    Infinite where P has mass that Q lacks (and for orders below 1 only if they share none).
    """
    shared = [(a, b) for a, b in zip(p, q, strict=True) if sign(a) > 0 and sign(b) > 0]
    lost = any(sign(a) > 0 and sign(b) == 0 for a, b in zip(p, q, strict=True))
    if not shared or (lost and (alpha is sympy.oo or sign(number(alpha - 1)) >= 0)):
        return arb.pos_inf()
    if all(equal(a, b) for a, b in zip(p, q, strict=True)):
        return arb(0)
    if alpha is sympy.oo:
        best = likelihood_order(p, q)[0]
        return ball(p[best] / q[best]).log()
    order = ball(number(alpha))
    pairs = [(ball(a), ball(b)) for a, b in shared]
    if alpha == 1:
        return sum((a * (a / b).log() for a, b in pairs), arb(0))
    total = sum(((a.log() * order + b.log() * (1 - order)).exp() for a, b in pairs), arb(0))
    return total.log() / (order - 1)
