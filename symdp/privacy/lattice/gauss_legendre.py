r"""Gauss and Legendre's rule on equal panels, with its error proved from a bound of the integrand.

On a panel of half-width r let $|f| \le B$ in the ellipse with half-axes $r(\rho \pm 1/\rho)/2$ around its ends. The
Chebyshev coefficients of f are at most $2B\rho^{-k}$, the rule of n points is exact for polynomials of degree
$2n - 1$, and neither the integral nor the rule makes more than $2r$ of a Chebyshev polynomial. So the error is at
most $\sum_{k \ge 2n} 2B\rho^{-k} \cdot 4r = 8rB\,\rho^{-2n}/(1 - 1/\rho)$.

>>> with ctx.workprec(100):
...     rule = Rule(arb(0), arb(1), 1, 12)
...     total = sum((y.exp() * weight for y, weight in zip(rule.points, rule.weights, strict=True)), arb(0))
...     print((total + rule.error([arb(4).exp()], arb(5))).str(8))  # e - 1, and |exp| < e^4 in the ellipse
[1.7182818 +/- 2.85e-8]
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flint import arb, ctx

#: Rules of so few points at a time are remembered.
REMEMBERED = 64


class Rule:
    """Points and weights on so many equal panels, of so many points each; balls at the working precision."""

    def __init__(self, low: Any, high: Any, panels: int, points: int) -> None:
        self.half = (high - low) / (2 * panels)
        self.each = points
        self.middles = [low + self.half * (2 * n + 1) for n in range(panels)]
        roots = _roots(points, ctx.prec)
        self.points = [middle + self.half * root for middle in self.middles for root, _ in roots]
        self.weights = [self.half * weight for _ in self.middles for _, weight in roots]

    def error(self, bounds: list[Any], rho: Any) -> Any:
        """A ball around zero that contains the error, from a bound of the integrand in the ellipse of each panel."""
        one = 8 * self.half / (rho ** (2 * self.each) * (1 - 1 / rho))
        most = (sum(bounds, arb(0)) * one).upper()
        return (-most).union(most)


@lru_cache(maxsize=REMEMBERED)
def _roots(points: int, bits: int) -> list[tuple[Any, Any]]:
    with ctx.workprec(bits):
        return [arb.legendre_p_root(points, n, weight=True) for n in range(points)]
