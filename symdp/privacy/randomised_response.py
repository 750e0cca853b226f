"""The canonical randomised response: the mechanism that every (eps, delta)-private one comes from."""

from __future__ import annotations

from sympy import S, exp

from symdp.privacy import quantity
from symdp.privacy.finite import FinitePair
from symdp.privacy.pair import parameter
from symdp.privacy.quantity import Quantity


class RandomisedResponse(FinitePair):
    """Four outcomes; two of them give the database away, with probability ``delta``."""

    def __init__(self, epsilon: Quantity, delta: Quantity = 0) -> None:
        self.epsilon_0 = parameter(epsilon, "epsilon", quantity.epsilon)
        self.delta_0 = parameter(delta, "delta", quantity.probability)
        rest = 1 - self.delta_0
        likely = rest * exp(self.epsilon_0) / (1 + exp(self.epsilon_0))
        unlikely = rest / (1 + exp(self.epsilon_0))
        super().__init__((self.delta_0, likely, unlikely, S.Zero),
                         (S.Zero, unlikely, likely, self.delta_0))
