"""Laplace noise."""

from __future__ import annotations

from sympy import Expr

from symdp.privacy.pair import Mechanism, parameter, positive
from symdp.privacy.quantity import Quantity


class Laplace(Mechanism):
    """Noise of density exp(-|x|/scale)/(2 scale), added to a query of that sensitivity."""

    def __init__(self, scale: Quantity, sensitivity: Quantity = 1) -> None:
        self.scale = parameter(scale, "scale", positive)
        self.sensitivity = parameter(sensitivity, "sensitivity", positive)

    @property
    def epsilon_0(self) -> Expr:
        return self.sensitivity / self.scale
