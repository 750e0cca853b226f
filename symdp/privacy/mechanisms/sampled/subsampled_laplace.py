r"""Laplace noise on a Poisson sample.

>>> query = SubsampledLaplace(scale=1, rate="0.1")
>>> print(query.epsilon(delta=0, digits=12), query.delta(epsilon="0.1", digits=6))
0.15856507874043 0.013121831
"""

from __future__ import annotations

from typing import Any

from flint import acb, arb
from sympy import Expr

from symdp.numbers.exact import ball
from symdp.numbers.quantity import Quantity
from symdp.privacy.lattice.moments import Moments
from symdp.privacy.mechanisms.noise.laplace import Laplace
from symdp.privacy.mechanisms.sampled.subsampled import Subsampled


class SubsampledLaplace(Subsampled):
    """Laplace noise of that scale, added to a query of that sensitivity on a sample of that rate."""

    name = "Laplace noise on a Poisson sample"
    names = ("subsampled-laplace",)
    noise: Laplace

    def __init__(self, scale: Quantity, rate: Quantity, sensitivity: Quantity = 1,
                 neighbours: str = "both") -> None:
        super().__init__(Laplace(scale, sensitivity), rate, neighbours)

    def _moments(self, reverse: bool) -> Moments | None:
        return SubsampledLaplaceMoments(self.noise.epsilon_0, self.rate, reverse)

    def _noise_delta(self, epsilon: Any) -> Any:
        return (1 - ((epsilon - ball(self.noise.epsilon_0)) / 2).exp()).max(arb(0))


class SubsampledLaplaceMoments(Moments):
    r"""$E_{Q_0} w^p$ at $p = s + 1$, or reversed at $p = -s$, of $w = 1 - q + q\,e^L$.

    Under $Q_0$ the loss $L$ of Laplace noise has the mass 1/2 at $-a$, $e^{-a}/2$ at $a$, and between them the
    density $f = e^{-(x+a)/2}/4$. On a line $\operatorname{Re} p = g$ the two atoms are at most what they are at
    $p = g$. For the rest, in parts: with $u = \log w$,
    $\int f e^{pu}\,dx = [\,(f/u')\,e^{pu}/p\,] - \int (f/u')'\,e^{pu}/p\,dx$, and
    $f/u' = e^{-(x+a)/2}(1 - q + q e^x)/(4 q e^x)$ falls, so that the modulus is at most
    $2\,(f/u')(-a) \max w^g / |p|$ (the two ends, and the whole fall between them).
    """

    def __init__(self, epsilon_0: Expr, rate: Expr, reverse: bool) -> None:
        self.epsilon_0, self.rate, self.reverse = epsilon_0, rate, reverse

    def at(self, s: Any) -> Any:
        a, q = ball(self.epsilon_0), ball(self.rate)
        p = -s if self.reverse else s + 1

        def inside(x: Any, _: Any) -> Any:
            return (-(x + a) / 2 + p * (1 - q + q * x.exp()).log()).exp() / 4

        ends = (p * self._log_w(-a)).exp() / 2 + (p * self._log_w(a) - a).exp() / 2
        found = ends + acb.integral(inside, acb(-a), acb(a))
        return acb(found.real) if p.imag == 0 else found

    def beyond(self, c: Any, t: Any) -> Any:
        a, q = ball(self.epsilon_0), ball(self.rate)
        g = -c if self.reverse else c + 1
        low, high = self._log_w(-a), self._log_w(a)
        atoms = (g * low).exp() / 2 + (g * high - a).exp() / 2
        start = (1 - q + q * (-a).exp()) / (4 * q * (-a).exp())
        return atoms + 2 * start * (g * low).max(g * high).exp() / (g * g + t * t).sqrt()

    def _log_w(self, loss: Any) -> Any:
        return (ball(self.rate) * loss.expm1()).log1p()
