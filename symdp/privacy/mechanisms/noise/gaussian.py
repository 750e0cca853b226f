r"""Gaussian noise: everything depends on $\mu = \Delta/\sigma$, the distance in standard deviations.

>>> from symdp.formulas.notation import symbol
>>> Gaussian(variance=symbol("v")).closed_form("delta")
-exp(eps_total)*Phi(-eps_total*sqrt(v) - 1/(2*sqrt(v))) + Phi(-eps_total*sqrt(v) + 1/(2*sqrt(v)))
>>> noise = Gaussian(variance=4)
>>> print(noise.delta(epsilon=1, digits=15), noise.epsilon(delta="1e-6", digits=15))
0.0068295949831145754 2.2540846502197409
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Self

import sympy
from flint import arb, ctx
from sympy import Expr, S, erfinv, exp, pi, sqrt

from symdp.formulas.notation import Phi, x
from symdp.numbers import quantity
from symdp.numbers.decimals import Enclosure, NotReached, enclose
from symdp.numbers.exact import ball, number
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.lattice.losses import ContinuousLoss
from symdp.privacy.lattice.moments import Moments, Normal
from symdp.privacy.lattice.saddlepoint import Cumulants
from symdp.privacy.mechanisms.noise.additive_noise import AdditiveNoise, Strength
from symdp.privacy.pairs.pair import parameter, positive
from symdp.privacy.pairs.privacy_loss import PrivacyLoss

MOST_BITS = 1 << 16


class Gaussian(AdditiveNoise):
    """Normal noise of that variance, added to a query of that sensitivity."""

    name = "Gaussian noise"
    names = ("gaussian",)
    log_concave = True
    prescribed_by = "Theorem 4.3"
    prescribed_up_to = None
    pure = False
    as_one_theorem = "k Gaussians are one, farther away: the squares of their distances add up"

    def __init__(self, variance: Quantity, sensitivity: Quantity = 1) -> None:
        self.noise_variance = parameter(variance, "variance", positive)
        self.sensitivity = parameter(sensitivity, "sensitivity", quantity.sensitivity)

    @classmethod
    def private(cls, epsilon: Quantity, sensitivity: Quantity = 1) -> Self:
        raise BadQuantity("no Gaussian noise is enough for delta = 0")

    @property
    def parameters(self) -> dict[str, Any]:
        return {"variance": self.noise_variance, "sensitivity": self.sensitivity}

    @property
    def separation(self) -> Expr:
        """The distance of the two means in standard deviations."""
        return self.sensitivity / sqrt(self.noise_variance)

    @property
    def largest_loss(self) -> Expr:
        return sympy.oo

    @property
    def density(self) -> Expr:
        return exp(-(x**2) / (2 * self.noise_variance)) / sqrt(2 * pi * self.noise_variance)

    @property
    def variance_form(self) -> Expr:
        return self.noise_variance

    def delta_at(self, epsilon: Expr) -> Expr:
        mu = self.separation
        return Phi(mu / 2 - epsilon / mu) - exp(epsilon) * Phi(-mu / 2 - epsilon / mu)

    def false_alarm_at(self, missed: Expr) -> Expr:
        return Phi(sqrt(2) * erfinv(1 - 2 * missed) - self.separation)

    def _inner_false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure:
        def compute() -> Any:
            place = arb(2).sqrt() * (2 * ball(number(missed))).erfcinv() - ball(self.separation)
            return (-place / arb(2).sqrt()).erfc() / 2

        return enclose(compute, digits, origin)

    def renyi_at(self, alpha: Expr) -> Expr:
        return alpha * self.separation**2 / 2

    def quantile(self, u: Any) -> Any:
        return -(2 * ball(self.noise_variance)).sqrt() * (2 * u).erfcinv()

    def loss(self, reverse: bool = False) -> GaussianLoss:
        return GaussianLoss(self.separation**2)

    @classmethod
    def as_one(cls, mechanisms: Sequence[tuple[Self, int]]) -> Self:
        squares: Expr = sum((m.separation**2 * n for m, n in mechanisms), S.Zero)
        return cls(variance=1, sensitivity=sqrt(squares))

    @classmethod
    def strength(cls, k: int) -> Strength:
        """By the distance of the means in standard deviations; k of them are one, sqrt(k) times as far."""
        return Strength(lambda mu, epsilon: _Curve(mu * arb(k).sqrt())(epsilon),
                        lambda epsilon: epsilon / (40 * arb(k).sqrt()), "k Gaussians are one, farther away")

    @classmethod
    def of_strength(cls, strength: Quantity, sensitivity: Quantity) -> Self:
        distance = parameter(sensitivity, "sensitivity", quantity.sensitivity)
        mu = parameter(strength, "mu", positive)
        return cls(distance**2 / mu**2, sensitivity)

    def privacy_loss(self, *, reverse: bool = False) -> PrivacyLoss:
        mu = self.separation
        return PrivacyLoss(
            density=exp(-((x - mu**2 / 2) ** 2) / (2 * mu**2)) / (mu * sqrt(2 * pi)),
            support=(-sympy.oo, sympy.oo),
            distribution=Phi((x - mu**2 / 2) / mu),
            description="normal with half its variance as mean",
        )

    def _positive_epsilon(self, delta: Expr, digits: int, origin: str) -> Enclosure:
        """The guess is Newton's, on logarithms; the two ends are certified by the sign they have."""
        wanted = int(3.33 * (digits + 2)) + 8
        bits = max(128, 2 * wanted)
        while bits <= MOST_BITS:
            with ctx.workprec(bits):
                curve = _Curve(ball(self.separation))
                target = ball(delta)
                guess = curve.guess(target, wanted)
                reach = abs(guess) * arb(2) ** -wanted
                low, high = (guess - reach).mid(), (guess + reach).mid()
                if low > 0 and curve(low) > target and curve(high) < target:
                    return Enclosure.between(low, high, digits, origin)
            bits *= 2
        raise NotReached(f"{digits} digits were not reached with {MOST_BITS} bits")


def hockey_stick(mu: Any, epsilon: Any) -> Any:
    """The divergence of two normal laws of that distance in standard deviations, in balls."""
    return _Curve(mu)(epsilon)


class _Curve:
    """The hockey-stick divergence in balls, for a distance in standard deviations."""

    def __init__(self, mu: Any) -> None:
        self.mu, self.root = mu, arb(2).sqrt()

    def __call__(self, epsilon: Any) -> Any:
        p, q = self.tails(epsilon)
        return p - q

    def tails(self, epsilon: Any) -> tuple[Any, Any]:
        middle, half = epsilon / self.mu, self.mu / 2
        p = ((middle - half) / self.root).erfc() / 2
        return p, epsilon.exp() * ((middle + half) / self.root).erfc() / 2

    def guess(self, target: Any, wanted: int) -> Any:
        """Where the curve has the target's value, roughly: an exact number, promised nothing."""
        low, high = arb(0), arb(1)
        while not self(high) < target and high < arb(2) ** 200:
            low, high = high, 2 * high
        for _ in range(12):
            middle = ((low + high) / 2).mid()
            low, high = (low, middle) if self(middle) < target else (middle, high)
        at = low.mid() if low > 0 else (high / 2).mid()
        for _ in range(40):
            p, q = self.tails(at)
            value = (p - q).mid()
            if not value > 0 or not q > 0:
                break
            step = (value * (value / target).log() / q).mid()  # the slope of the curve is -q
            at = (at + step).mid()
            if not at > 0 or not abs(step) > abs(at) * arb(2) ** (-wanted - 8):
                break
        return at


class GaussianLoss(ContinuousLoss):
    r"""Of Gaussian noise: normal with mean $\mu^2/2$ and variance $\mu^2$; moved by $-\mu^2$ under Q."""

    def __init__(self, square: Expr) -> None:
        super().__init__()
        self.square = square

    @property
    def largest(self) -> Expr | None:
        return None

    def ends(self, tail: Any) -> tuple[Any, Any]:
        square = ball(self.square)
        # P(N > z) <= exp(-z^2/2)
        reach = (-2 * tail.log()).sqrt() * square.sqrt()
        return square / 2 - reach, square / 2 + reach

    def grid(self, points: Sequence[Any]) -> list[tuple[Any, Any]]:
        half = ball(self.square) / 2
        return list(zip(self._masses(points, half), self._masses(points, -half), strict=True))

    def _masses(self, points: Sequence[Any], mean: Any) -> list[Any]:
        """Differences of the tail that is small: of 1 less the upper one, above the mean."""
        scale = (2 * ball(self.square)).sqrt()
        tails = []
        for point in points:
            z = (point - mean) / scale
            tails.append((-(z.erfc()) / 2, 1) if z > 0 else ((-z).erfc() / 2, 0))
        return [high - low + (after - before) for (low, before), (high, after) in itertools.pairwise(tails)]

    def outside(self, low: Any, high: Any) -> tuple[Any, Any]:
        square = ball(self.square)
        scale = (2 * square).sqrt()
        return ((square / 2 - low) / scale).erfc() / 2, ((high - square / 2) / scale).erfc() / 2

    def atoms(self) -> list[tuple[Expr, Any]]:
        return []

    def cumulants(self, many: int) -> Cumulants:
        square = float(ball(self.square).mid()) * many
        return lambda tilt: (tilt * (1 + tilt) * square / 2, (tilt + 0.5) * square, square)

    def moments(self) -> Moments:
        return Normal(lambda: ball(self.square))
