r"""Many small mechanisms: exact composition against its Gaussian limit, with the next orders.

Of $k$ randomised responses with $\varepsilon = c/\sqrt k$ (the worst mechanisms, Theorem 3.3), the
privacy loss is a sum on a lattice with step $2c/\sqrt k$. As $k\to\infty$ it tends to
$N(c^2/2, c^2)$ and the smallest delta at $\tilde\varepsilon$ to
$\Phi(c/2-\tilde\varepsilon/c) - e^{\tilde\varepsilon}\Phi(-c/2-\tilde\varepsilon/c)$.
Corrections come from the cumulants of the loss (Edgeworth), and from the lattice (Euler and
Maclaurin), which sees where $\tilde\varepsilon$ lies between two losses: $\theta$ is the distance to the
next loss above, in steps.

>>> from symdp.privacy.homogeneous import Homogeneous
>>> exact = Homogeneous("0.1", 0, 100).delta(epsilon=1, digits=12)
>>> print(exact)
0.12568839024064
>>> for order in (0, 1, 2):
...     print(approximate(Integer(1), Integer(1), 100, order).str(9, radius=False))
0.126936738
0.125689839
0.125689839

The errors are of order 1/k, k^(-3/2) and 1/k^2: derived here, confirmed by exact numbers in the tests,
but not enclosed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy
from flint import arb, ctx
from sympy import Expr, Integer, Symbol, diff, exp, log, oo, sqrt

from symdp.balls import ball
from symdp.expansions.expanding import expand
from symdp.notation import Phi, eps, eps_total, k, symbol

c, theta, _t = symbol("c"), symbol("theta"), symbol("t")

#: The smallest delta of the limit, at the total epsilon.
limit: Expr = Phi(c / 2 - eps_total / c) - exp(eps_total) * Phi(-c / 2 - eps_total / c)
#: The density of the privacy loss in the limit.
density: Expr = exp(-(eps_total - c**2 / 2) ** 2 / (2 * c**2)) / (c * sqrt(2 * sympy.pi))


def cumulant(m: int) -> Expr:
    r"""The m-th cumulant of the privacy loss of one randomised response, in $\varepsilon$.

    >>> from symdp.proving.identity import identical
    >>> identical(cumulant(1), eps * sympy.tanh(eps / 2))
    True
    """
    p = 1 / (1 + exp(-eps))
    generating = log(p * exp(_t * eps) + (1 - p) * exp(-_t * eps))
    return diff(generating, _t, m).subs(_t, 0)


@lru_cache(maxsize=8)
def cumulant_correction(m: int) -> Expr:
    """The coefficient of 1/k in the m-th cumulant of the whole loss, from a certified expansion.

    >>> [cumulant_correction(m) for m in (1, 2, 3, 4)]
    [-c**4/24, -c**4/4, -c**4, -2*c**4]
    """
    whole = expand(k * cumulant(m), k, oo, 2, along={eps: c / sqrt(k)}, where=["1/2 <= c <= 2"])
    return sympy.Add(*(t * k for t in whole.terms if not (t * k).has(k)))


@lru_cache(maxsize=4)
def edgeworth(order: int) -> Expr:
    r"""The coefficient of $k^{-(order+1)/2}$ in delta, as a closed form in c, eps_total and theta.

    >>> sympy.simplify((edgeworth(1) / density).subs(theta, 0))
    -c**4/48 - c**2/4 - eps_total**2/12
    """
    if order == 1:
        return _smooth() - 2 * c**2 * sympy.bernoulli(2, theta) * density
    if order == 2:
        # (h f)'' at the kink from above, with h = 1 - exp(eps - x): -f + 2 f'
        slope = 2 * diff(density, eps_total) - density
        return -(2 * c) ** 3 / 6 * sympy.bernoulli(3, theta) * slope
    raise ValueError("there are corrections of order 1 and 2")


def _smooth() -> Expr:
    """What the cumulants change: E h^(m) under the limit, for h(x) = (1 - exp(eps - x))_+.

    With f the density, h' has the mean T = exp(eps) Phi(-c/2 - eps/c), and each further derivative
    adds a derivative of a point mass at the kink: E h^(m+1) = (-1)^(m+1) f^(m-1) - E h^(m).
    """
    mean = exp(eps_total) * Phi(-c / 2 - eps_total / c)
    total = Integer(0)
    for m in range(1, 5):
        total += cumulant_correction(m) / sympy.factorial(m) * mean
        mean = (-1) ** (m + 1) * diff(density, eps_total, m - 1) - mean
    return sympy.expand(total)


def position(chance: Expr, epsilon: Expr, many: int) -> Any:
    """theta: how far the next loss above epsilon is, in steps of the lattice; in [0, 1)."""
    steps = (many * ball(chance) / arb(many).sqrt() - ball(epsilon)) / (
        2 * ball(chance) / arb(many).sqrt())
    exact = (sqrt(Integer(many)) * chance - epsilon) * sqrt(Integer(many)) / (2 * chance)
    if exact.is_Rational:
        return ball(exact - sympy.floor(exact))
    return steps - steps.floor()


def approximate(chance: Expr, epsilon: Expr, many: int, order: int = 2, bits: int = 128) -> Any:
    """The limit with that many corrections, for k = many and eps = c/sqrt(k); a ball."""
    with ctx.workprec(bits):
        values: dict[Symbol, Expr] = {c: chance, eps_total: epsilon}
        place = position(chance, epsilon, many)
        total = ball(limit.subs(values))
        for n in range(1, order + 1):
            coefficients = sympy.Poly(edgeworth(n).subs(values), theta).all_coeffs()
            value = arb(0)
            for coefficient in coefficients:
                value = value * place + ball(coefficient)
            total += value / arb(many).sqrt() ** (n + 1)
        return total


