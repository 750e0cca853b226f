r"""Laplace noise cut off at $\pm A$ (Geng, Ding, Guo and Kumar): bounded noise that is
$(\varepsilon_0, \delta_0)$-private.

With $a = \Delta/b$ and $T = A/b$ the outputs that only one of the databases can give have the mass
$\delta_0 = (e^{a-T} - e^{-T})/Z$, $Z = 2(1 - e^{-T})$; besides, the losses are those of Laplace noise. The law is
log-concave, so that the largest distance speaks for all smaller ones.

>>> noise = TruncatedLaplace(scale=1, bound=10)
>>> print(noise.epsilon(delta="1e-4", digits=12), noise.delta(epsilon=1, digits=6))
0.99987800017834 0.000039006708
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import arb
from sympy import Expr, exp

from symdp.numbers.exact import ball
from symdp.numbers.quantity import Quantity
from symdp.privacy.lattice.losses import differences
from symdp.privacy.lattice.moments import Moments
from symdp.privacy.lattice.saddlepoint import Cumulants
from symdp.privacy.mechanisms.noise.laplace import LaplaceLoss
from symdp.privacy.mechanisms.noise.truncated_noise import TruncatedNoise
from symdp.privacy.pairs import sampling
from symdp.privacy.pairs.pair import parameter, positive


class TruncatedLaplace(TruncatedNoise):
    """Noise of density proportional to exp(-|x|/scale) between -bound and bound, at least the sensitivity."""

    name = "truncated Laplace noise"
    names = ("truncated-laplace",)

    def __init__(self, scale: Quantity, bound: Quantity, sensitivity: Quantity = 1) -> None:
        self.scale = parameter(scale, "scale", positive)
        super().__init__(bound, sensitivity)

    @property
    def parameters(self) -> dict[str, Any]:
        return {"scale": self.scale, "bound": self.bound, "sensitivity": self.sensitivity}

    @property
    def norm(self) -> Expr:
        return 2 * (1 - exp(-self.bound / self.scale))

    @property
    def leak(self) -> Expr:
        t = self.bound / self.scale
        return (exp(self.sensitivity / self.scale - t) - exp(-t)) / self.norm

    def closed_forms(self) -> dict[str, Expr]:
        return {"max_divergence_without_leak": self.sensitivity / self.scale, "leak": self.leak}

    def for_group(self, size: int) -> TruncatedLaplace:
        return TruncatedLaplace(self.scale, self.bound, self.sensitivity * size)

    def tails(self, epsilon: Any, reverse: bool) -> tuple[Any, Any]:
        a, t, norm = (ball(e) for e in (self.sensitivity / self.scale, self.bound / self.scale, self.norm))
        leak = ball(self.leak)
        half = ((a - epsilon) / 2).max(arb(0))
        atom = (1 - (a - t).exp()) / norm
        inside, other = -(-half).expm1() / norm, (-a).exp() * half.expm1() / norm
        if epsilon >= a:
            return leak, arb(0)
        p, q = leak + atom + inside, atom * (-a).exp() + other
        return (p, q) if epsilon < a else (leak.union(p), arb(0).union(q))

    def loss(self, reverse: bool = False) -> TruncatedLaplaceLoss:
        return TruncatedLaplaceLoss(self.sensitivity / self.scale, self.bound / self.scale, self.leak)

    def sample(self, coins: random.Random | None = None, bits: int = 40) -> Fraction:
        """A draw of the noise, rounded down to a multiple of 2^-bits."""

        def quantile(u: Any) -> Any:
            t = ball(self.bound / self.scale)
            reach = -(-t).expm1()  # the mass of one side, before the norm
            lower, upper = reach * (1 - 2 * u), reach * (2 * u - 1)
            if u <= arb("0.5"):
                return ball(self.scale) * (1 - lower).log()
            return -ball(self.scale) * (1 - upper).log() if u >= arb("0.5") else arb.nan()

        return sampling.by_quantile(quantile, bits, coins)


class TruncatedLaplaceLoss(LaplaceLoss):
    """Given that the database is not given away: the atoms and the density of Laplace noise, with other masses."""

    def __init__(self, epsilon_0: Expr, cut: Expr, leak: Expr) -> None:
        super().__init__(epsilon_0)
        self.cut, self.delta_0 = cut, leak

    def _norm(self) -> Any:
        return 2 * -(-ball(self.cut)).expm1() * (1 - ball(self.delta_0))

    def grid(self, points: Sequence[Any]) -> list[tuple[Any, Any]]:
        a, norm = ball(self.epsilon_0), self._norm()
        inside = [x.max(-a).min(a) for x in points]
        on_p = [((x - a) / 2).exp() / norm for x in inside]
        on_q = [((-x - a) / 2).exp() / norm for x in inside]
        return list(zip(differences(on_p), [-q for q in differences(on_q)], strict=True))

    def atoms(self) -> list[tuple[Expr, Any]]:
        a, t, norm = ball(self.epsilon_0), ball(self.cut), self._norm()
        high, low = -(a - t).expm1() / norm, ((-a).exp() - (-t).exp()) / norm
        if self.cut == self.epsilon_0:
            return []
        return [(self.epsilon_0, high), (-self.epsilon_0, low)]

    def cumulants(self, many: int) -> Cumulants:
        return self.moments().cumulants(many)

    def moments(self) -> Moments:
        return TruncatedLaplaceMoments(self)


class TruncatedLaplaceMoments(Moments):
    r"""$h\,e^{sa} + l\,e^{-sa} + (e^{sa} - e^{-(s+1)a})/((2s+1)Z)$ with the masses h and l of the two atoms."""

    def __init__(self, law: TruncatedLaplaceLoss) -> None:
        self.law = law

    def _parts(self) -> tuple[Any, Any, Any, Any]:
        a, t, norm = ball(self.law.epsilon_0), ball(self.law.cut), self.law._norm()
        return a, -(a - t).expm1() / norm, ((-a).exp() - (-t).exp()) / norm, norm

    def at(self, s: Any) -> Any:
        a, high, low, norm = self._parts()
        inside = ((s * a).exp() - (-(s + 1) * a).exp()) / ((2 * s + 1) * norm)
        return high * (s * a).exp() + low * (-s * a).exp() + inside

    def beyond(self, c: Any, t: Any) -> Any:
        a, high, low, norm = self._parts()
        inside = ((c * a).exp() + (-(c + 1) * a).exp()) / (((2 * c + 1) ** 2 + 4 * t * t).sqrt() * norm)
        return high * (c * a).exp() + low * (-c * a).exp() + inside
