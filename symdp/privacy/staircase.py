"""Staircase noise."""

from __future__ import annotations

from sympy import Expr

from symdp.privacy import quantity
from symdp.privacy.pair import Mechanism, parameter, positive
from symdp.privacy.quantity import Quantity


class Staircase(Mechanism):
    """Noise whose density falls in steps; ``gamma`` is where in a period the step lies."""

    def __init__(self, epsilon: Quantity, sensitivity: Quantity = 1, gamma: Quantity | None = None) -> None:
        self.epsilon_0 = parameter(epsilon, "epsilon", positive)
        self.sensitivity = parameter(sensitivity, "sensitivity", positive)
        self.gamma: Expr | None = gamma if gamma is None else parameter(
            gamma, "gamma", quantity.probability)
