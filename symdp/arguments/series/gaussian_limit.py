r"""Many small mechanisms: exact composition against its Gaussian limit, with the next orders.

Of $k$ randomised responses with $\varepsilon = c/\sqrt k$ (the worst mechanisms, Theorem 3.3), the
privacy loss is a sum on a lattice with step $2c/\sqrt k$. As $k\to\infty$ it tends to
$N(c^2/2, c^2)$ and the smallest delta at $\tilde\varepsilon$ to
$\Phi(c/2-\tilde\varepsilon/c) - e^{\tilde\varepsilon}\Phi(-c/2-\tilde\varepsilon/c)$.
Corrections come from the cumulants of the loss (Edgeworth), and from the lattice (Euler and
Maclaurin), which sees where $\tilde\varepsilon$ lies between two losses: $\theta$ is the distance to the
next loss above, in steps.

>>> from symdp.privacy.composition.homogeneous import Homogeneous
>>> exact = Homogeneous("0.1", 0, 100).delta(epsilon=1, digits=12)
>>> print(exact)
0.12568839024064
>>> for order in (0, 1, 2):
...     print(approximate(Integer(1), Integer(1), 100, order).str(9, radius=False))
0.126936738
0.125689839
0.125689839

The errors are of order 1/k, k^(-3/2) and 1/k^2, and :func:`remainder` bounds them, for every k:

>>> print(expansion(Integer(1), Integer(1), least=100))
delta(1) = 0.126936737507 + E_1/k + E_2/k^(3/2) + R, |R| <= 0.86/k^2 for k >= 100, eps = 1/sqrt(k)
>>> print(enclosed(Integer(1), Integer(1), 10**30).str(30))
[0.126936737506643945800829624758 +/- 3.58e-31]

**Why the remainder holds.** With $a = c/\sqrt k$ and $M(s) = E\,e^{sL}$ for one response, the contour of
$\delta = \frac1{2\pi i}\int M^k e^{-s\tilde\varepsilon}/(s(s+1))\,ds$ may be moved from $\Re s > 0$ to
$\Re s = -1/2$, past the pole at 0, where $M(-1/2+it) = \cos(at)/\cosh(a/2)$ is real:
$$\delta = 1 - \frac{e^{\tilde\varepsilon/2}}{2\pi\cosh(a/2)^k} \int_{-\infty}^{\infty}
  \frac{\cos(at)^k\,e^{-it\tilde\varepsilon}}{1/4+t^2}\,dt.$$
The cosine has a peak at each $t_m = m\pi/a$; write $t = t_m + \tau$, $|\tau| \le \pi/(2a)$,
$x = a|\tau|$ and $g = e^{-c^2\tau^2/2}$. As $-\log\cos x = x^2/2 + x^4/12 + r(x)$ with positive Taylor
coefficients, $0 \le r(x) \le \varrho x^6$ for $x \le 1$, $\varrho = r(1)$; for $x > 1$ a power of $x$ is a
bound of 1. So

1. at $m = 0$ the power of the cosine is $g\,(1 - c^4\tau^4/(12k))$ up to
   $g\,(k^{-2}(c^8\tau^8/288 + \varrho c^6\tau^6) + k^{-4}(2c^8\tau^8 + c^{10}\tau^{10}/12))$, outside
   of the peak as well, and the weight is at most $1/\tau^2$;
2. at $m \ne 0$ it is $g$ up to $g\,(c^4\tau^4/(12k) + \varrho c^6\tau^6/k^2 + c^4\tau^4/k^2)$, the
   weight is at most $4/t_m^2$, and it is $1/t_m^2 - 2\tau/t_m^3$ up to $(16\tau^2+4)/t_m^4$; outside of
   the peak, $g$ times these two terms is small;
3. $\cosh(a/2)^{-k} = e^{-c^2/8 + p - s}$ with $p = c^4/(192k)$ and $0 \le s \le c^6/(2880k^2)$, from the
   bounds $x^2/2 - x^4/12 \le \log\cosh x \le x^2/2 - x^4/12 + x^6/45$.

Gaussian moments and $\sum_{m\ne0} t_m^{-2} = a^2/3$, $\sum |t_m|^{-3} = 2\zeta(3)a^3/\pi^3$,
$\sum t_m^{-4} = a^4/45$ add all this up; what is kept is the limit with its corrections, the sums over
the peaks being Fourier series of Bernoulli polynomials. Multiplied by $k^2$ the bound falls with $k$.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy
from flint import arb, ctx
from sympy import Expr, Integer, Rational, Symbol, diff, exp, log, oo, sqrt

from symdp.arguments.series.expanding import expand
from symdp.formulas.balls import ball
from symdp.formulas.notation import Phi, eps, eps_total, k, symbol
from symdp.formulas.printing import to_text
from symdp.typeset.typesetting import latex

c, theta, _t = symbol("c"), symbol("theta"), symbol("t")

#: The smallest delta of the limit, at the total epsilon.
limit: Expr = Phi(c / 2 - eps_total / c) - exp(eps_total) * Phi(-c / 2 - eps_total / c)
#: The density of the privacy loss in the limit.
density: Expr = exp(-(eps_total - c**2 / 2) ** 2 / (2 * c**2)) / (c * sqrt(2 * sympy.pi))


def cumulant(m: int) -> Expr:
    r"""The m-th cumulant of the privacy loss of one randomised response, in $\varepsilon$.

    >>> from symdp.search.view.identity import identical
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


@lru_cache(maxsize=4)
def remainder(order: int = 2) -> Expr:
    r"""A bound of $|\delta - \text{limit and corrections up to that order}|$, in c, eps_total and k.

    It holds for every $c > 0$, $\tilde\varepsilon \ge 0$ and $k \ge 1$; see the module for why.
    """
    if order == 0:
        raise ValueError("the bound is for the limit with one or two corrections")
    rho = -log(sympy.cos(1)) - Rational(7, 12)
    apery = Rational(12021, 10000)  # zeta(3) = 1.20205...
    gauss = sqrt(2 * sympy.pi)
    middle = c * (Rational(15, 288) + 3 * rho) / k**2 + Rational(155, 4) * c / k**4
    peaks = Rational(4, 3) * c * (1 / (4 * k**2) + (15 * rho + 3) / k**3)
    weights = (16 * c + 4 * c**3) / (45 * k**2)
    outside = c / (3 * k**2) + 4 * apery * c / (sympy.pi**3 * k**2)
    p, s = c**4 / (192 * k), c**6 / (2880 * k**2)
    third = 8 * apery * c / (sympy.pi**3 * k ** Rational(3, 2))
    corrections = gauss * c * Rational(5, 12) / k + third
    total = exp(p) * gauss * (middle + peaks + weights + outside)
    total += exp(p) * (p**2 / 2 + s) * 2 * sympy.pi + (exp(p) * p + s) * corrections
    if order == 1:
        total += third
    return exp(eps_total / 2 - c**2 / 8) / (2 * sympy.pi) * total


def enclosed(chance: Expr, epsilon: Expr, many: int, order: int = 2, bits: int = 256) -> Any:
    """delta itself: the limit with its corrections, and the remainder as the radius of a ball.

    The work does not grow with k.
    """
    with ctx.workprec(bits):
        bound = ball(remainder(order).subs({c: chance, eps_total: epsilon, k: Integer(many)})).upper()
        return approximate(chance, epsilon, many, order, bits) + (-bound).union(bound)


@dataclass(frozen=True)
class GaussianExpansion:
    """delta(epsilon) of k mechanisms with eps = c/sqrt(k), for all k from ``least`` on."""

    chance: Expr
    epsilon: Expr
    least: int
    #: |R| <= constant/k^2
    constant: Rational

    def __str__(self) -> str:
        with ctx.workprec(128):
            value = ball(limit.subs({c: self.chance, eps_total: self.epsilon})).str(12, radius=False)
        scale = to_text(self.chance / sqrt(k))
        return (f"delta({to_text(self.epsilon)}) = {value} + E_1/k + E_2/k^(3/2) + R, "
                f"|R| <= {float(self.constant):g}/k^2 for k >= {self.least}, eps = {scale}")

    def _repr_latex_(self) -> str:
        at = latex(self.epsilon)
        value = latex(limit.subs({c: self.chance, eps_total: self.epsilon}))
        terms = rf"{value} + \frac{{E_1(\theta)}}{{k}} + \frac{{E_2(\theta)}}{{k^{{3/2}}}} + R"
        bound = rf"|R| \le \frac{{{float(self.constant):g}}}{{k^2}}"
        place = rf"\text{{for }} k \ge {self.least},\ \varepsilon = {latex(self.chance / sqrt(k))}"
        return rf"$\delta({at}) = {terms},\quad {bound}\quad {place}$"


def expansion(chance: Expr, epsilon: Expr, least: int = 1) -> GaussianExpansion:
    """The expansion with one constant for all k >= least: k^2 times the bound falls with k."""
    with ctx.workprec(128):
        at = {c: chance, eps_total: epsilon, k: Integer(least)}
        top = ball((remainder(2) * k**2).subs(at)).upper()
        hundredths = int((top * 100).upper().ceil().unique_fmpz())
    return GaussianExpansion(chance, epsilon, least, Rational(hundredths, 100))


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


