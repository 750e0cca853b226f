r"""Taylor coefficients of functions at an exact centre, and bounds of the next one on an interval.

For a function $g$, a centre $c$ and a number $n$, :func:`taylor` gives $g^{(j)}(c)/j!$ for $j < n$ as
exact expressions, and a bound of $|g^{(n)}(\xi)/n!|$ for all $\xi$ in a range that contains $c$: by
Taylor's theorem that bounds the remainder. Derivatives are those of the table of functions.

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

from symdp.arguments.series.derivatives import exact_coefficients, largest_coefficient
from symdp.arguments.series.neighbourhood import Narrower, NotReal, larger, raised
from symdp.formulas.functions import NAMES
from symdp.kernel.terms import FUNCTIONS
from symdp.kernel.values.ranges import Range
from symdp.numbers.ranges import ball as number

Bound = Callable[[int, Range], arb]

def taylor(kind: type, centre: Expr, n: int, on: Range, *fixed: tuple[Expr, Range]) -> tuple[list[Expr], arb]:
    """g^(j)(c)/j! for j < n, and a bound of |g^(n)/n!| on the range; ``fixed`` are the arguments
    before the one that moves. Of a function whose derivatives have no names there may be fewer."""
    if not on.is_finite():
        raise Narrower("the argument of a function is not bounded")
    name = NAMES[kind]
    domain = FUNCTIONS[name].domain
    if on.lo < domain.lo or on.hi > domain.hi:
        if centre.is_Integer and (domain.lo == int(centre) or domain.hi == int(centre)):
            raise NotReal(f"{name} is not defined on that side of {centre}")
        raise Narrower(f"an argument of {name} may leave its domain")
    coefficients = exact_coefficients(name, [*(c for c, _ in fixed), centre], n)
    order = len(coefficients)
    ranges = [*(r for _, r in fixed), on]
    last = BOUNDS[name](order, on) if name in BOUNDS else largest_coefficient(name, ranges, order)
    if not last.is_finite():
        raise Narrower("a Taylor coefficient is not bounded")
    return coefficients, last.upper()


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


# --- bounds of one function each, where they are better than those on pieces ---------------------


def _factorial(n: int) -> arb:
    return arb(int(sympy.factorial(n)))


def _exp_bound(n: int, on: Range) -> arb:
    return on.hi.exp() / _factorial(n)


def _wave_bound(n: int, on: Range) -> arb:
    return 1 / _factorial(n)


def _hyperbolic_bound(n: int, on: Range) -> arb:
    return larger(on.lo.cosh().upper(), on.hi.cosh().upper()) / _factorial(n)


def _tanh_bound(n: int, on: Range) -> arb:
    """Cauchy's estimate on a circle of radius R < pi/2 around a real point, where
    |tanh(x + iy)|^2 = (sinh^2 x + sin^2 y)/(sinh^2 x + cos^2 y) <= max(1, tan^2 R)."""
    estimates = [(larger(arb(1), radius.tan().upper()) / radius**n).upper()
                 for radius in (arb(3) / 4, arb(1), arb(5) / 4, arb(3) / 2)]
    return min(estimates)


def _erf_bound(n: int, on: Range) -> arb:
    """Cauchy's estimate for exp(-z^2), which is at most exp(R^2) on a circle of radius R around a
    real point; R^2 = (n-1)/2 is the best radius."""
    if n == 0:
        return arb(2)
    radius = (arb(max(n - 1, 1)) / 2).sqrt()
    return 2 / arb.pi().sqrt() * (radius**2).exp() / radius ** (n - 1) / n


def _normal_bound(n: int, on: Range) -> arb:
    return _erf_bound(n, on) / (2 * arb(2).sqrt() ** n)


def _polygamma_bound(start: int) -> Bound:
    """Of the start-th derivative of log Gamma: with m = start + n > 1, |(log Gamma)^(m)(x)| is (m-1)!
    times the sum of all (x + i)^-m, which falls in x > 0."""

    def bound(n: int, on: Range) -> arb:
        if not on.lo > 0:
            raise Narrower("the argument of a Gamma function may vanish")
        m = start + n
        return arb(m).zeta(on.lo) * _factorial(m - 1) / _factorial(n)

    return bound


BOUNDS: dict[str, Bound] = {
    "exp": _exp_bound, "sin": _wave_bound, "cos": _wave_bound, "sinh": _hyperbolic_bound, "cosh": _hyperbolic_bound,
    "tanh": _tanh_bound, "erf": _erf_bound, "erfc": _erf_bound, "Phi": _normal_bound,
    "loggamma": _polygamma_bound(0), "digamma": _polygamma_bound(1), "trigamma": _polygamma_bound(2),
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


def digamma_coefficients(n: int) -> list[Rational]:
    """B_2j/(2j), the coefficients of 1/x^(2j) in log x - 1/(2x) - digamma(x), one more than n of them.

    For x > 0 the error of a partial sum is at most the first term left out, as for log Gamma: the
    derivative of Binet's formula has the integrand 1/(x^2 + t^2) too.
    """
    return [sympy.bernoulli(2 * j) / (2 * j) for j in range(1, n + 2)]


def trigamma_coefficients(n: int) -> list[Rational]:
    """B_2j, the coefficients of 1/x^(2j+1) in trigamma(x) - 1/x - 1/(2x^2), one more than n of them.

    For x > 0 the error of a partial sum is at most the first term left out: the integrand is now
    1/(x^2 + t^2)^2, which the partial sums of its series in t^2 envelop as well.
    """
    return [sympy.bernoulli(2 * j) for j in range(1, n + 2)]
