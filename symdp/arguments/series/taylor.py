r"""Taylor coefficients of functions at an exact centre, and bounds of the next one on an interval.

For a function $g$, a centre $c$ and a number $n$, :func:`taylor` gives $g^{(j)}(c)/j!$ for $j < n$ as
exact expressions, and a bound of $|g^{(n)}(\xi)/n!|$ for all $\xi$ in a range that contains $c$: by
Taylor's theorem that bounds the remainder. No derivative is taken by SymPy.

>>> from sympy import Integer
>>> coefficients, last = taylor(sympy.tanh, Integer(0), 4, Range.between(-1, 1))
>>> coefficients
[0, 1, 0, -1/3]
>>> bool(last >= 0)
True
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from flint import arb
from sympy import Expr, Integer, Rational

from symdp.arguments.series.neighbourhood import Narrower, larger, raised
from symdp.formulas.notation import Phi
from symdp.kernel.values.ranges import Range
from symdp.numbers.ranges import ball as number

Coefficients = Callable[[Expr, int], list[Expr]]
Bound = Callable[[int, Range], arb]


def taylor(kind: type, centre: Expr, n: int, on: Range) -> tuple[list[Expr], arb]:
    """g^(j)(c)/j! for j < n, and a bound of |g^(n)/n!| on the range."""
    coefficients, bound = FUNCTIONS[kind]
    if not on.is_finite():
        raise Narrower("the argument of a function is not bounded")
    last = bound(n, on)
    if not last.is_finite():
        raise Narrower("a Taylor coefficient is not bounded")
    return coefficients(centre, n), last.upper()


def power_taylor(exponent: Rational, n: int, on: Range) -> tuple[list[Expr], arb]:
    """The binomial series: (1 + u)^alpha with 1 + u in the range, which must be positive."""
    if not on.lo > 0:
        raise Narrower("the base of a power may vanish")
    binomials = [Integer(1)]
    for j in range(n):
        binomials.append(binomials[-1] * (exponent - j) / (j + 1))
    ends = [raised(end, exponent - n) for end in (on.lo, on.hi)]  # monotone in between
    return binomials[:n], (abs(number(binomials[n])) * larger(ends[0].upper(), ends[1].upper())).upper()


def log_taylor(n: int, on: Range) -> tuple[list[Expr], arb]:
    """log(1 + u) with 1 + u in the range, which must be positive."""
    if not on.lo > 0:
        raise Narrower("the argument of a logarithm may vanish")
    coefficients = [Integer(0), *(Rational((-1) ** (j + 1), j) for j in range(1, n))]
    return coefficients, (1 / (n * on.lo**n)).upper()


# --- one function each --------------------------------------------------------------------------


def _factorial(n: int) -> arb:
    return arb(int(sympy.factorial(n)))


def _exp(c: Expr, n: int) -> list[Expr]:
    return [sympy.exp(c) / sympy.factorial(j) for j in range(n)]


def _exp_bound(n: int, on: Range) -> arb:
    return on.hi.exp() / _factorial(n)


def _cycle(*derivatives: tuple[int, type]) -> Coefficients:
    """Functions whose derivatives repeat, each with its sign."""

    def coefficients(c: Expr, n: int) -> list[Expr]:
        found = []
        for j in range(n):
            sign, kind = derivatives[j % len(derivatives)]
            found.append(sign * kind(c) / sympy.factorial(j))
        return found

    return coefficients


def _wave_bound(n: int, on: Range) -> arb:
    return 1 / _factorial(n)


def _hyperbolic_bound(n: int, on: Range) -> arb:
    return larger(on.lo.cosh().upper(), on.hi.cosh().upper()) / _factorial(n)


def _tanh(c: Expr, n: int) -> list[Expr]:
    """With T = tanh, T' = 1 - T^2, every derivative is a polynomial in T."""
    value, found = sympy.tanh(c), []
    polynomial = [0, 1]  # coefficients of 1, T, T^2, ...
    for j in range(n):
        total = sympy.Add(*(a * value**i for i, a in enumerate(polynomial)))
        found.append(total / sympy.factorial(j))
        slope = [i * a for i, a in enumerate(polynomial)][1:]
        polynomial = [(slope[i] if i < len(slope) else 0) - (slope[i - 2] if i >= 2 else 0)
                      for i in range(len(slope) + 2)]
    return found


def _tanh_bound(n: int, on: Range) -> arb:
    """Cauchy's estimate on a circle of radius R < pi/2 around a real point, where
    |tanh(x + iy)|^2 = (sinh^2 x + sin^2 y)/(sinh^2 x + cos^2 y) <= max(1, tan^2 R)."""
    estimates = [(larger(arb(1), radius.tan().upper()) / radius**n).upper()
                 for radius in (arb(3) / 4, arb(1), arb(5) / 4, arb(3) / 2)]
    return min(estimates)


def _hermite_like(c: Expr, n: int) -> list[Expr]:
    """The derivatives of exp(-c^2): polynomials times it, p' - 2 c p."""
    found, p = [], [1]
    for _ in range(n):
        found.append(sympy.Add(*(a * c**i for i, a in enumerate(p))))
        slope = [i * a for i, a in enumerate(p)][1:]
        p = [(slope[i] if i < len(slope) else 0) - (2 * p[i - 1] if i >= 1 else 0)
             for i in range(len(p) + 1)]
    return found


def _erf(c: Expr, n: int) -> list[Expr]:
    density = 2 * sympy.exp(-c**2) / sympy.sqrt(sympy.pi)
    rest = [density * p / sympy.factorial(j + 1) for j, p in enumerate(_hermite_like(c, n - 1))]
    return [sympy.erf(c), *rest][:n]


def _erf_bound(n: int, on: Range) -> arb:
    """Cauchy's estimate for exp(-z^2), which is at most exp(R^2) on a circle of radius R around a
    real point; R^2 = (n-1)/2 is the best radius."""
    if n == 0:
        return arb(2)
    radius = (arb(max(n - 1, 1)) / 2).sqrt()
    return 2 / arb.pi().sqrt() * (radius**2).exp() / radius ** (n - 1) / n


def _erfc(c: Expr, n: int) -> list[Expr]:
    return [sympy.erfc(c), *(-a for a in _erf(c, n)[1:])][:n]


def _normal(c: Expr, n: int) -> list[Expr]:
    """Phi(x) = (1 + erf(x/sqrt 2))/2."""
    root = sympy.sqrt(2)
    scaled = [a / (2 * root**j) for j, a in enumerate(_erf(c / root, n))]
    return [Phi(c), *scaled[1:]][:n]


def _normal_bound(n: int, on: Range) -> arb:
    return _erf_bound(n, on) / (2 * arb(2).sqrt() ** n)


FUNCTIONS: dict[type, tuple[Coefficients, Bound]] = {
    sympy.exp: (_exp, _exp_bound),
    sympy.sin: (_cycle((1, sympy.sin), (1, sympy.cos), (-1, sympy.sin), (-1, sympy.cos)), _wave_bound),
    sympy.cos: (_cycle((1, sympy.cos), (-1, sympy.sin), (-1, sympy.cos), (1, sympy.sin)), _wave_bound),
    sympy.sinh: (_cycle((1, sympy.sinh), (1, sympy.cosh)), _hyperbolic_bound),
    sympy.cosh: (_cycle((1, sympy.cosh), (1, sympy.sinh)), _hyperbolic_bound),
    sympy.tanh: (_tanh, _tanh_bound),
    sympy.erf: (_erf, _erf_bound),
    sympy.erfc: (_erfc, _erf_bound),
    Phi: (_normal, _normal_bound),
}


# --- asymptotic series ---------------------------------------------------------------------------


def mills_coefficients(n: int) -> list[Rational]:
    """Those of sqrt(pi) x exp(x^2) erfc(x) in powers of 1/x^2, one more than n of them.

    For x > 0 the error of a partial sum is at most the first term left out (integrate by parts: the
    error after n terms is an integral of alternating sign, hence between 0 and the next term).
    """
    return [Rational((-1) ** j * _odd_factorial(j), 2**j) for j in range(n + 1)]


def _odd_factorial(j: int) -> int:
    return int(sympy.factorial2(2 * j - 1)) if j else 1


def stirling_coefficients(n: int) -> list[Rational]:
    """B_2j/(2j(2j-1)), the coefficients of 1/x^(2j-1) in log Gamma(x), one more than n of them.

    For x > 0 the error of a partial sum is at most the first term left out (Binet's formula: the
    integrand 1/(x^2 + t^2) is enveloped by its geometric series).
    """
    return [sympy.bernoulli(2 * j) / (2 * j * (2 * j - 1)) for j in range(1, n + 2)]

