r"""Gaussian noise cut off at $\pm A$: the loss is a normal law cut off on both sides, and some outputs give all away.

With $\mu = \Delta/\sigma$ and $T = A/\sigma$ the loss is $\mu^2/2 - \mu x$ for $x$ between
$\mu - T$ and $T$, and below there is the mass $\delta_0 = (\Phi(T) - \Phi(T - \mu))/Z$,
$Z = 2\Phi(T) - 1$. The law is log-concave: the largest distance speaks for all smaller ones.

>>> noise = TruncatedGaussian(variance=4, bound=12)
>>> print(noise.epsilon(delta="1e-6", digits=10), noise.delta(epsilon=1, digits=10))
2.25499324962 0.00682959669183
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import arb
from sympy import Expr, sqrt

from symdp.formulas.notation import Phi
from symdp.numbers.exact import ball
from symdp.numbers.quantity import Quantity
from symdp.privacy.lattice.losses import ContinuousLoss
from symdp.privacy.lattice.moments import Moments
from symdp.privacy.lattice.saddlepoint import Cumulants
from symdp.privacy.mechanisms.noise.truncated_noise import TruncatedNoise
from symdp.privacy.pairs import sampling
from symdp.privacy.pairs.pair import parameter, positive


class TruncatedGaussian(TruncatedNoise):
    """Noise of density proportional to exp(-x^2/(2 variance)) between -bound and bound, at least the sensitivity."""

    name = "truncated Gaussian noise"
    names = ("truncated-gaussian",)

    def __init__(self, variance: Quantity, bound: Quantity, sensitivity: Quantity = 1) -> None:
        self.of_normal = parameter(variance, "variance", positive)
        super().__init__(bound, sensitivity)

    @property
    def parameters(self) -> dict[str, Any]:
        return {"variance": self.of_normal, "bound": self.bound, "sensitivity": self.sensitivity}

    @property
    def separation(self) -> Expr:
        return self.sensitivity / sqrt(self.of_normal)

    @property
    def cut(self) -> Expr:
        return self.bound / sqrt(self.of_normal)

    @property
    def leak(self) -> Expr:
        # By the tails that are small.
        return (Phi(self.separation - self.cut) - Phi(-self.cut)) / (1 - 2 * Phi(-self.cut))

    def closed_forms(self) -> dict[str, Expr]:
        return {"leak": self.leak}

    def for_group(self, size: int) -> TruncatedGaussian:
        return TruncatedGaussian(self.of_normal, self.bound, self.sensitivity * size)

    def tails(self, epsilon: Any, reverse: bool) -> tuple[Any, Any]:
        mu, t = ball(self.separation), ball(self.cut)
        norm = 1 - 2 * below(-t)
        edge = (mu / 2 - epsilon / mu).max(mu - t)
        p = below(edge) - below(mu - t)
        q = below(edge - mu) - below(-t)
        return ball(self.leak) + p / norm, q / norm

    def loss(self, reverse: bool = False) -> TruncatedGaussianLoss:
        return TruncatedGaussianLoss(self.separation, self.cut, self.leak)

    def sample(self, coins: random.Random | None = None, bits: int = 40) -> Fraction:
        """A draw of the noise, rounded down to a multiple of 2^-bits."""

        def quantile(u: Any) -> Any:
            tail = below(-ball(self.cut))
            at = 2 * (tail + u * (1 - 2 * tail))  # twice the mass below
            return -arb(2).sqrt() * at.erfcinv() * ball(sqrt(self.of_normal))

        return sampling.by_quantile(quantile, bits, coins)


def below(z: Any) -> Any:
    """The normal distribution function in balls."""
    return (-z / arb(2).sqrt()).erfc() / 2


class TruncatedGaussianLoss(ContinuousLoss):
    """Given that the database is not given away."""

    def __init__(self, separation: Expr, cut: Expr, leak: Expr) -> None:
        super().__init__()
        self.separation, self.cut, self.delta_0 = separation, cut, leak

    @property
    def largest(self) -> Expr | None:
        return self.separation * self.cut - self.separation**2 / 2

    def ends(self, tail: Any) -> tuple[Any, Any]:
        most = self.largest
        end = ball(most) if most is not None else arb(0)
        return -end, end

    def norm(self) -> Any:
        return (1 - 2 * below(-ball(self.cut))) * (1 - ball(self.delta_0))

    def grid(self, points: Sequence[Any]) -> list[tuple[Any, Any]]:
        mu, norm, (low, high) = ball(self.separation), self.norm(), self.ends(arb(0))
        inside = [x.max(low).min(high) for x in points]
        found = []
        for x, y in itertools.pairwise(inside):
            left, right = mu / 2 - y / mu, mu / 2 - x / mu
            # Differences of the tail that is small.
            p = below(-left) - below(-right) if left > 0 else below(right) - below(left)
            q = below(mu - left) - below(mu - right) if left > mu else below(right - mu) - below(left - mu)
            found.append((p / norm, q / norm))
        return found

    def outside(self, low: Any, high: Any) -> tuple[Any, Any]:
        return arb(0), arb(0)

    def atoms(self) -> list[tuple[Expr, Any]]:
        return []

    def cumulants(self, many: int) -> Cumulants:
        return self.moments().cumulants(many)

    def moments(self) -> Moments:
        return TruncatedGaussianMoments(self)


class TruncatedGaussianMoments(Moments):
    r"""$e^{s(s+1)\mu^2/2}\,(\Phi(T + s\mu) - \Phi(\mu - T + s\mu))/Z$.

    On a line $\operatorname{Re} s = c$ it is the integral of a unimodal density times
    $e^{-it\mu x}$: in parts, no more than twice its height over $t\mu$.
    """

    def __init__(self, law: TruncatedGaussianLoss) -> None:
        self.law = law

    def at(self, s: Any) -> Any:
        mu, t = ball(self.law.separation), ball(self.law.cut)
        inside = below(t + s * mu) - below(mu - t + s * mu)
        return (s * (s + 1) * mu * mu / 2).exp() * inside / self.law.norm()

    def beyond(self, c: Any, t: Any) -> Any:
        mu = ball(self.law.separation)
        return (c * (c + 1) * mu * mu / 2).exp() * 2 / ((2 * arb.pi()).sqrt() * t * mu * self.law.norm())
