r"""A product is bounded factor by factor: each factor on the left by one on the right, or by 1.

Both sides are written as products with as many factors, in pairs of those that are most alike; that they are
the sides is left to the kernel, like the order of each pair.

>>> from sympy import log, sqrt
>>> from symdp.formulas.notation import eps, k, slack
>>> paired(eps * sqrt(k * log(1 / slack)), sqrt(k * eps**2))
[(eps, eps), (sqrt(k), sqrt(k)), (sqrt(log(1/slack)), 1)]
"""

from __future__ import annotations

import sympy
from sympy import Expr, Mul, Pow, S


def paired(left: Expr, right: Expr) -> list[tuple[Expr, Expr]]:
    """Factors in pairs, the most alike first; those left over are paired with 1."""
    ups, downs = _factors(left), _factors(right)
    ranked = sorted((-_likeness(a, b), i, j) for i, a in enumerate(ups) for j, b in enumerate(downs)
                    if a.free_symbols & b.free_symbols or a == b)
    pairs: list[tuple[int, int]] = []
    for _, i, j in ranked:
        if all(i != p and j != q for p, q in pairs):
            pairs.append((i, j))
    found = [(ups[i], downs[j]) for i, j in pairs]
    found += [(a, S.One) for i, a in enumerate(ups) if all(i != p for p, _ in pairs)]
    found += [(S.One, b) for j, b in enumerate(downs) if all(j != q for _, q in pairs)]
    return found


def split_roots(e: Expr) -> Expr:
    """Powers of products as products of powers, as if everything were positive."""
    return sympy.powdenest(sympy.expand_power_base(e, force=True), force=True)


def _factors(e: Expr) -> list[Expr]:
    """The factors of a product; constants are collected in one."""
    e = split_roots(e)
    constant, rest = e.as_independent(*e.free_symbols, as_Add=False) if e.free_symbols else (e, S.One)
    factors = sorted((f for f in Mul.make_args(rest) if f != 1), key=sympy.default_sort_key)
    return factors + ([constant] if constant != 1 else [])


def _likeness(a: Expr, b: Expr) -> float:
    if a == b:
        return 2.0
    common, both = a.free_symbols & b.free_symbols, a.free_symbols | b.free_symbols
    same = a.func == b.func and (not isinstance(a, Pow) or a.exp == b.exp)
    return len(common) / len(both) + (0.2 if same else 0.0)
