r"""Where one bound overtakes another: closed forms where they exist, enclosures elsewhere.

The three branches of the minimum of Theorem 3.4 meet pairwise at slacks with a closed form; against
other variables a crossover is enclosed by bisection with certain signs.

>>> from sympy import Rational
>>> from symdp.notation import eps, k, slack
>>> slack_where_equal["classic", "logarithmic"]
(-eps*sqrt(k) + 1)*exp(-1)
>>> at = {eps: Rational(1, 10), slack: Rational(1, 10**6)}
>>> found = crossover(BRANCHES["linear"], BRANCHES["logarithmic"], k, 1, 1000, at, digits=6)
>>> print(found)
29.2515...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy
from sympy import Expr, Rational, Symbol, exp, sqrt

from symdp.literature.kov.simplified_composition import classic, linear, logarithmic
from symdp.notation import delta, eps, k, slack
from symdp.proving.enclosure import sign_at
from symdp.relation import exact

#: The entries of the minimum of Theorem 3.4.
BRANCHES: dict[str, Expr] = {"linear": linear, "logarithmic": logarithmic, "classic": classic}

#: k eps minus the mean is 2 k eps/(exp(eps) + 1); against eps sqrt(2 k log u) that is log u equal to
_exponent = 2 * k / (exp(eps) + 1) ** 2
#: The slack at which two branches are equal. The first is the smaller one where the slack is larger
#: (for the linear branch: where the slack is smaller), as the prover shows in the tests.
slack_where_equal: dict[tuple[str, str], Expr] = {
    ("classic", "logarithmic"): (1 - eps * sqrt(k)) / sympy.E,
    ("linear", "classic"): exp(-_exponent),
    ("linear", "logarithmic"): eps * sqrt(k) / (exp(_exponent) - sympy.E),
}
#: The number of mechanisms at which the classic branch overtakes the linear one.
count_where_equal: dict[tuple[str, str], Expr] = {
    ("linear", "classic"): sympy.log(1 / slack) * (exp(eps) + 1) ** 2 / 2,
}
#: Laplace noise per query for k queries at a total (eps, delta): by basic and by advanced composition.
NOISE: dict[str, Expr] = {
    "basic": k / eps,
    "advanced": sqrt(k * (4 * sympy.log(1 / delta) + 4 * eps) / (2 * eps**2)),
}
#: The number of queries from which advanced composition needs less noise.
queries_where_equal: Expr = 2 * sympy.log(1 / delta) + 2 * eps


class NoCrossover(ValueError):
    """The signs at the two ends do not show a crossover."""


@dataclass(frozen=True)
class Crossover:
    """Two rational points between which the difference of two bounds changes its sign."""

    lower: Rational
    upper: Rational
    #: the sign of left - right at the lower point
    sign: int

    def __str__(self) -> str:
        """The digits that both ends share."""
        digits = 1
        while digits < 60:
            texts = [str(sympy.N(end, digits + 1)) for end in (self.lower, self.upper)]
            if texts[0] != texts[1]:
                break
            digits += 1
        return f"{sympy.N(self.lower, max(digits - 1, 1))}..."


def crossover(
    left: Expr, right: Expr, variable: Symbol, lower: object, upper: object,
    at: Mapping[Symbol, Expr] | None = None, digits: int = 10,
) -> Crossover:
    """Bisection between two points at which the difference has different, certain signs; by continuity
    it vanishes between the two points returned, whose distance is below 10^-digits."""
    low, high = Rational(exact(lower)), Rational(exact(upper))
    fixed = {v: exact(value) for v, value in (at or {}).items()}
    gap = left - right

    def sign(point: Rational) -> int | None:
        return sign_at(gap, {**fixed, variable: point})

    first, last = sign(low), sign(high)
    if first in (0, None) or last in (0, None) or first == last:
        raise NoCrossover(f"the difference has the signs {first} and {last} at {variable} = {low} and "
                          f"{high}; a crossover needs two that differ")
    assert first is not None
    width = Rational(1, 10**digits)
    while high - low > width:
        middle = (low + high) / 2
        here = sign(middle)
        if here == 0:
            return Crossover(middle, middle, first)
        if here is None:  # too close to tell: a point a little aside has a sign
            middle = low + (high - low) * Rational(9, 16)
            here = sign(middle)
            if here in (0, None):
                raise NoCrossover(f"the sign of the difference at {variable} = {middle} is too close to 0")
        low, high = (middle, high) if here == first else (low, middle)
    return Crossover(low, high, first)
