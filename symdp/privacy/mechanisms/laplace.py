r"""Laplace noise: $\varepsilon_0$-private for $\varepsilon_0 = \Delta/b$.

>>> from symdp.formulas.notation import symbol
>>> noise = Laplace(scale=symbol("b"))
>>> noise.closed_form("kullback_leibler"), noise.closed_form("variance")
(-1 + exp(-1/b) + 1/b, 2*b**2)
>>> print(Laplace(scale=10).delta(epsilon="0.05", digits=12))
0.024690087971667
"""

from __future__ import annotations

from typing import Any

from sympy import Abs, Expr, Piecewise, Rational, exp, log

from symdp.formulas.notation import x
from symdp.numbers.decimals import Enclosure, enclose
from symdp.numbers.exact import number, sign
from symdp.numbers.quantity import Quantity
from symdp.privacy.mechanisms.additive_noise import AdditiveNoise, evaluating
from symdp.privacy.mechanisms.pair import parameter, positive
from symdp.privacy.mechanisms.privacy_loss import PrivacyLoss


class Laplace(AdditiveNoise):
    """Noise of density exp(-|x|/scale)/(2 scale), added to a query of that sensitivity."""

    name = "Laplace noise"

    def __init__(self, scale: Quantity, sensitivity: Quantity = 1) -> None:
        self.scale = parameter(scale, "scale", positive)
        self.sensitivity = parameter(sensitivity, "sensitivity", positive)

    @classmethod
    def private(cls, epsilon: Quantity, sensitivity: Quantity = 1) -> Laplace:
        """The noise that makes a query of that sensitivity epsilon-private.

        >>> Laplace.private("1/2", sensitivity=3)
        Laplace(scale=6, sensitivity=3)
        """
        distance = parameter(sensitivity, "sensitivity", positive)
        return cls(distance / parameter(epsilon, "epsilon", positive), distance)

    @property
    def parameters(self) -> dict[str, Any]:
        return {"scale": self.scale, "sensitivity": self.sensitivity}

    @property
    def epsilon_0(self) -> Expr:
        return self.sensitivity / self.scale

    @property
    def largest_loss(self) -> Expr:
        return self.epsilon_0

    @property
    def density(self) -> Expr:
        return exp(-Abs(x) / self.scale) / (2 * self.scale)

    @property
    def variance_form(self) -> Expr:
        return 2 * self.scale**2

    def delta_at(self, epsilon: Expr) -> Expr:
        return 1 - exp((epsilon - self.epsilon_0) / 2)

    def epsilon_at(self, delta: Expr) -> Expr:
        return self.epsilon_0 + 2 * log(1 - delta)

    def false_alarm_at(self, missed: Expr) -> Expr:
        loss, half = self.epsilon_0, Rational(1, 2)
        steep, middle, flat = 1 - exp(loss) * missed, exp(-loss) / (4 * missed), exp(-loss) * (1 - missed)
        if missed.free_symbols or loss.free_symbols:
            return Piecewise((steep, missed <= exp(-loss) / 2), (middle, missed <= half), (flat, True))
        if sign(number(missed - exp(-loss) / 2)) <= 0:
            return steep
        return middle if sign(number(missed - half)) <= 0 else flat

    def _inner_false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure:
        return enclose(evaluating(self.false_alarm_at(missed)), digits, origin)

    def renyi_at(self, alpha: Expr) -> Expr:
        loss = self.epsilon_0
        if alpha == 1:
            return loss - 1 + exp(-loss)
        if alpha == Rational(1, 2):  # where the general formula has a removable pole
            return loss - 2 * log(1 + loss / 2)
        moment = (alpha * exp((alpha - 1) * loss) + (alpha - 1) * exp(-alpha * loss)) / (2 * alpha - 1)
        return log(moment) / (alpha - 1)

    def privacy_loss(self, *, reverse: bool = False) -> PrivacyLoss:
        loss, half = self.epsilon_0, Rational(1, 2)
        return PrivacyLoss(
            atoms=((loss, half), (-loss, exp(-loss) / 2)),
            density=exp((x - loss) / 2) / 4,
            support=(-loss, loss),
            distribution=exp((x - loss) / 2) / 2,
            description="two atoms at the ends, from outputs outside of the two means, "
            "and a density between them",
        )


