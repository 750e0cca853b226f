r"""Randomised response with m answers: the true one with probability $e^{\varepsilon_0}/(e^{\varepsilon_0} + m - 1)$.

>>> KaryResponse("log(3)", answers=4).p
(1/2, 1/6, 1/3)
>>> print(KaryResponse(1, answers=10).delta(epsilon=0, digits=12))
0.14663257409342
"""

from __future__ import annotations

import random
from typing import Any

from sympy import exp

from symdp.numbers import quantity
from symdp.numbers.exact import ball
from symdp.numbers.quantity import Quantity
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.pairs import sampling
from symdp.privacy.pairs.pair import parameter


class KaryResponse(FinitePair):
    """Three outcomes tell everything: the answer of the one, that of the other, and all the rest."""

    name = "randomised response with many answers"
    names = ("kary-response",)

    def __init__(self, epsilon: Quantity, answers: Quantity = 2) -> None:
        self.epsilon_0 = parameter(epsilon, "epsilon", quantity.epsilon)
        self.answers = quantity.count(answers, "answers", 2)
        total = exp(self.epsilon_0) + self.answers - 1
        true, other, rest = exp(self.epsilon_0) / total, 1 / total, (self.answers - 2) / total
        super().__init__((true, other, rest), (other, true, rest))

    @property
    def parameters(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon_0, "answers": self.answers}

    def sample(self, truth: int = 0, coins: random.Random | None = None) -> int:
        """An answer, from 0 on, exactly."""
        source = coins or sampling.SYSTEM
        total = exp(self.epsilon_0) + self.answers - 1
        if sampling.bernoulli(lambda: ball((exp(self.epsilon_0) - 1) / total), source):
            return truth
        return source.randrange(self.answers)  # the truth may come up here as well
