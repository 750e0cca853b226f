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

import random
from typing import Any

import sympy
from sympy import Expr, Max, S, exp, log

from symdp.formulas.notation import delta_total, eps_total, symbol
from symdp.numbers import exact, quantity
from symdp.numbers.quantity import Quantity
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.pairs import sampling
from symdp.privacy.pairs.pair import parameter


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

    def for_group(self, size: int) -> RandomisedResponse:
        r"""As any mechanism so private: m records cost $m\varepsilon_0$ and
        $\delta_0 \sum_{j<m} e^{j\varepsilon_0}$, at most 1.

        >>> RandomisedResponse("log(2)", "1/100").for_group(3)
        RandomisedResponse(epsilon=log(8), delta=7/100)
        """
        spent = sum((self.delta_0 * exp(j * self.epsilon_0) for j in range(size)), S.Zero)
        total = exact.expression(exact.number(spent)) if not spent.free_symbols else spent
        if not total.free_symbols and exact.sign(exact.number(total - 1)) > 0:
            total = S.One
        return RandomisedResponse(sympy.logcombine(size * self.epsilon_0, force=True), total)

    def sample(self, coins: random.Random | None = None, other: bool = False) -> int:
        """The index of one of the four outcomes, exactly."""
        masses = self.q if other else self.p
        return sampling.choice(lambda: [exact.ball(mass) for mass in masses[:-1]], coins)

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
