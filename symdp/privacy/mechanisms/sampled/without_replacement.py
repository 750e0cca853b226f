r"""A mechanism on a sample of fixed size, drawn without replacement; neighbours differ in one record (substitution).

Of n records m are taken, $q = m/n$. With a pair $P_0, Q_0$ that speaks for all neighbours by
substitution of the mechanism itself, the divergences are at most those of $(1-q)\,Q_0 + q\,P_0$ from $Q_0$ for
$\varepsilon \ge 0$, and of $P_0$ from $(1-q)\,P_0 + q\,Q_0$ for $\varepsilon < 0$ (Zhu, Dong and
Wang, Theorem 11). For noise that is its own mirror image one law of the loss has exactly this
profile, and it is its own mirror image: above zero it is the loss $\log(1 - q + q\,e^L)$ of a
Poisson sample, below zero the mirrored one, and what is left is at zero. It composes as any other.

The sensitivity is that of substitution: twice that of adding a record, for a sum of clipped vectors.
"""

from __future__ import annotations

import itertools
import random
from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy
from flint import arb, ctx
from sympy import Expr, S, exp, log

from symdp.formulas.notation import eps_total
from symdp.numbers import quantity
from symdp.numbers.exact import ball
from symdp.numbers.quantity import Quantity
from symdp.privacy.lattice.losses import ContinuousLoss, Loss
from symdp.privacy.lattice.moments import Moments
from symdp.privacy.lattice.saddlepoint import Cumulants, outcomes
from symdp.privacy.mechanisms.noise.additive_noise import AdditiveNoise
from symdp.privacy.mechanisms.sampled.subsampled import SubsampledLoss, largest_loss, loss_of_sample
from symdp.privacy.pairs.known_by_loss import KnownByLoss
from symdp.privacy.pairs.pair import Mechanism, parameter

#: Points at which a law stands in for itself, where only a guess is wanted.
GUESSES = 500


class WithoutReplacement(KnownByLoss):
    """Noise on a sample of that rate, drawn without replacement."""

    noise: AdditiveNoise
    neighbours_are = "a record that is substituted"
    theorem = "sampling without replacement of a dominating pair, neighbours by substitution (Zhu, Dong and Wang)"

    def __init__(self, noise: AdditiveNoise, rate: Quantity) -> None:
        self.noise = noise
        self.rate = parameter(rate, "rate", quantity.probability)

    @property
    def parameters(self) -> dict[str, Any]:
        return {**self.noise.parameters, "rate": self.rate}

    def simplified(self) -> Mechanism:
        """A sample of everything is everything."""
        return self.noise if self.rate == 1 else self

    def closed_forms(self) -> dict[str, Expr]:
        at = log(1 + (exp(eps_total) - 1) / self.rate)
        return {"delta": self.rate * self.noise.closed_form("delta").subs(eps_total, at),
                "total_variation": self.rate * self.noise.closed_form("total_variation")}

    @abstractmethod
    def noise_tails(self, loss: Any) -> tuple[Any, Any]:
        """The probabilities that the loss of the noise is above a number >= 0, under its two laws."""

    def tails(self, epsilon: Any, reverse: bool) -> tuple[Any, Any]:
        if self.rate == 0:
            return arb(0), arb(0)
        rate = ball(self.rate)
        p, q = self.noise_tails((epsilon.expm1() / rate).log1p())
        return (1 - rate) * q + rate * p, q

    def largest_loss(self, reverse: bool) -> Expr | None:
        if self.rate == 0:
            return S.Zero
        return largest_loss(self.noise.largest_loss, self.rate, False)

    def loss(self, reverse: bool = False) -> Loss:
        return loss_of_sample(self, self.noise, self.rate, lambda base: WithoutReplacementLoss(
            SubsampledLoss(base, self.rate, False, None), self))

    def moments(self) -> Moments | None:
        """Of the loss, for a rate strictly between 0 and 1; None if they are not known."""
        return None

    def sample(self, coins: random.Random | None = None, bits: int = 40) -> Fraction:
        """A draw of the noise; the sample of the records is the caller's."""
        return self.noise.sample(coins, bits)


class WithoutReplacementLoss(ContinuousLoss):
    """That of a Poisson sample above zero, its mirror image below, and an atom at zero."""

    def __init__(self, sampled: SubsampledLoss, mechanism: WithoutReplacement) -> None:
        super().__init__()
        self.sampled, self.mechanism = sampled, mechanism

    @property
    def largest(self) -> Expr | None:
        found = self.sampled.largest
        return None if found is sympy.oo else found

    @property
    def marks(self) -> list[Expr]:
        return [loss for loss, _ in self.atoms() if loss != 0]

    def ends(self, tail: Any) -> tuple[Any, Any]:
        high = self.sampled.ends(tail)[1]
        return -high, high

    def grid(self, points: Sequence[Any]) -> list[tuple[Any, Any]]:
        # Cells on the other side of zero have no mass at all, not a small ball.
        return [(p + mirrored_q, q + mirrored_p) for (p, q), (mirrored_p, mirrored_q) in zip(
            self._above(points), reversed(self._above([-x for x in reversed(points)])), strict=True)]

    def _above(self, points: Sequence[Any]) -> list[tuple[Any, Any]]:
        """Between rising points, of what is above zero."""
        first = next((n for n, x in enumerate(points) if not x <= 0), len(points))
        start = max(first - 1, 0)
        kept = [x.max(arb(0)) for x in points[start:]]
        return [(arb(0), arb(0))] * start + (self.sampled.grid(kept) if len(kept) > 1 else [])

    def outside(self, low: Any, high: Any) -> tuple[Any, Any]:
        if self.largest is not None:
            return arb(0), arb(0)
        return self.mechanism.tails(-low, False)[1], self.mechanism.tails(high, False)[0]

    def atoms(self) -> list[tuple[Expr, Any]]:
        found: list[tuple[Expr, Any]] = []
        for loss, mass in self.sampled.atoms():
            if ball(loss) > 0:
                found += [(loss, mass), (-loss, mass * (-ball(loss)).exp())]
        p, q = self.mechanism.tails(arb(0), False)
        return [*found, (S.Zero, 1 - p - q)]

    def moments(self) -> Moments | None:
        return self.mechanism.moments()

    def cumulants(self, many: int) -> Cumulants:
        with ctx.workprec(64):
            far = self.sampled.base.ends(arb(2) ** -64)[1]
            points = [self.sampled._sampled(far * n / GUESSES) for n in range(GUESSES + 1)]
            pairs = []
            for (x, y), (p, q) in zip(itertools.pairwise(points), self.sampled.grid(points), strict=True):
                middle = float(((x + y) / 2).mid())
                pairs += [(middle, float(p.mid())), (-middle, float(q.mid()))]
            pairs += [(float(ball(loss).mid()), float(mass.mid())) for loss, mass in self.atoms()]
        kept = [(loss, mass) for loss, mass in pairs if mass > 0]
        return outcomes([loss for loss, _ in kept], [mass for _, mass in kept], many)
