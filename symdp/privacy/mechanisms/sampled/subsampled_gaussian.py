r"""Gaussian noise on a Poisson sample: a step of DP-SGD, for a clipped gradient of norm at most the sensitivity.

>>> step = SubsampledGaussian(variance=1, rate="0.01")
>>> print(step.delta(epsilon=1, digits=12), step.epsilon(delta="1e-6", digits=12))
2.7320092615461E-9 0.36394783961551
>>> from symdp.privacy.composition.compose import compose
>>> print(compose(step, 10**4).epsilon(delta="1e-6"))
6.907384495045082348
"""

from __future__ import annotations

from typing import Any

from symdp.numbers.exact import ball
from symdp.numbers.quantity import Quantity
from symdp.privacy.lattice.moments import Moments
from symdp.privacy.lattice.shifted_normal import ShiftedNormal
from symdp.privacy.mechanisms.noise.gaussian import Gaussian, hockey_stick
from symdp.privacy.mechanisms.sampled.subsampled import Subsampled


class SubsampledGaussian(Subsampled):
    """Normal noise of that variance, added to a query of that sensitivity on a sample of that rate."""

    name = "Gaussian noise on a Poisson sample"
    names = ("subsampled-gaussian", "dp-sgd")
    noise: Gaussian

    def __init__(self, variance: Quantity, rate: Quantity, sensitivity: Quantity = 1,
                 neighbours: str = "both") -> None:
        super().__init__(Gaussian(variance, sensitivity), rate, neighbours)

    def _moments(self, reverse: bool) -> Moments | None:
        return ShiftedNormal(lambda: ball(self.noise.separation), lambda: ball(self.rate), reverse)

    def _noise_delta(self, epsilon: Any) -> Any:
        return hockey_stick(ball(self.noise.separation), epsilon)
