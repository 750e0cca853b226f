"""Two-sided geometric noise for counting queries."""

from __future__ import annotations

from symdp.privacy import quantity
from symdp.privacy.pair import Mechanism, parameter, positive
from symdp.privacy.quantity import Quantity


class Geometric(Mechanism):
    """Integer noise z of probability proportional to exp(-epsilon |z| / sensitivity)."""

    def __init__(self, epsilon: Quantity, sensitivity: Quantity = 1) -> None:
        self.epsilon_0 = parameter(epsilon, "epsilon", positive)
        self.sensitivity = quantity.count(sensitivity, "sensitivity")
