r"""The canonical randomised response: the mechanism that every private one can be made from.

Equations (16) to (18) of Kairouz, Oh and Viswanath. Two outcomes give the database away, each with
probability $\delta_0$ under one of the two; the others are a biased coin.

>>> from symdp.formulas.notation import delta, eps
>>> RandomisedResponse("log(3)", "1/5").p
(1/5, 3/5, 1/5, 0)
>>> RandomisedResponse(eps, delta).closed_form("delta")
delta + (1 - delta)*Max(0, (exp(eps) - exp(eps_total))/(exp(eps) + 1))
>>> print(RandomisedResponse(1, "1/1000").epsilon(delta="1/100", digits=12))
0.98760020105696
"""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Expr, Max, S, exp, log

from symdp.formulas.notation import delta_total, eps_total, symbol
from symdp.numbers import quantity
from symdp.numbers.quantity import Quantity
from symdp.privacy.mechanisms.finite import FinitePair
from symdp.privacy.mechanisms.pair import parameter


class RandomisedResponse(FinitePair):
    """Four outcomes; two of them give the database away, with probability ``delta``."""

    name = "randomised response"
    names = ("randomised-response",)

    def __init__(self, epsilon: Quantity, delta: Quantity = 0) -> None:
        self.epsilon_0 = parameter(epsilon, "epsilon", quantity.epsilon)
        self.delta_0 = parameter(delta, "delta", quantity.probability)
        rest = 1 - self.delta_0
        likely = rest * exp(self.epsilon_0) / (1 + exp(self.epsilon_0))
        unlikely = rest / (1 + exp(self.epsilon_0))
        super().__init__((self.delta_0, likely, unlikely, S.Zero),
                         (S.Zero, unlikely, likely, self.delta_0))

    @property
    def parameters(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon_0, "delta": self.delta_0}

    def as_private(self) -> tuple[Expr, Expr]:
        return self.epsilon_0, self.delta_0

    def closed_forms(self) -> dict[str, Expr]:
        loss, given, alpha = self.epsilon_0, self.delta_0, symbol("alpha")
        curve = given + (1 - given) * Max(0, (exp(loss) - exp(eps_total)) / (1 + exp(loss)))
        forms = {
            "delta": curve,
            "hockey_stick": curve,
            "hockey_stick_reverse": curve,
            "total_variation": given + (1 - given) * (exp(loss) - 1) / (1 + exp(loss)),
        }
        if given != 1:  # for delta_total >= delta_0; below there is none
            spent = (delta_total - given) * (1 + exp(loss)) / (1 - given)
            forms["epsilon"] = Max(0, log(exp(loss) - spent))
        if given != 0:
            infinite = dict.fromkeys(("renyi", "kullback_leibler", "max_divergence"), sympy.oo)
            return {**forms, **infinite}
        return {
            **forms,
            "renyi": log((exp(alpha * loss) + exp((1 - alpha) * loss)) / (1 + exp(loss)))
            / (alpha - 1),
            "kullback_leibler": loss * (exp(loss) - 1) / (exp(loss) + 1),
            "max_divergence": loss,
        }
