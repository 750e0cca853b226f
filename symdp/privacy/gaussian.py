"""Gaussian noise."""

from __future__ import annotations

from sympy import Expr, sqrt

from symdp.privacy.pair import Mechanism, parameter, positive
from symdp.privacy.quantity import Quantity


class Gaussian(Mechanism):
    """Normal noise of that variance, added to a query of that sensitivity."""

    def __init__(self, variance: Quantity, sensitivity: Quantity = 1) -> None:
        self.noise_variance = parameter(variance, "variance", positive)
        self.sensitivity = parameter(sensitivity, "sensitivity", positive)

    @property
    def separation(self) -> Expr:
        """The distance of the two means in standard deviations."""
        return self.sensitivity / sqrt(self.noise_variance)
