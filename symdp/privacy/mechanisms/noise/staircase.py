r"""Staircase noise (Geng and Viswanath): the least variance that pure privacy allows.

The density falls by $e^{-\varepsilon_0}$ at $\gamma\Delta, (1+\gamma)\Delta, \dots$ on both sides. Moved
by $\Delta$, each output has one of the losses $\varepsilon_0, 0, -\varepsilon_0$, so that three outcomes
tell everything. Without a ``gamma`` the one of least variance is taken.

>>> from symdp.privacy.mechanisms.noise.laplace import Laplace
>>> noise = Staircase(epsilon=5)
>>> print(noise.variance(digits=10), Laplace.private(5).variance(digits=10))
0.0297110241364 0.0800000000000
>>> Staircase("log(2)", gamma="1/2").finite_pair()
FinitePair(p=(2/3, 0, 1/3), q=(1/3, 0, 2/3))
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from sympy import Abs, Expr, Min, Piecewise, Rational, exp, floor, log

from symdp.formulas.notation import x
from symdp.numbers import quantity
from symdp.numbers.decimals import Enclosure
from symdp.numbers.exact import number, sign
from symdp.numbers.quantity import Quantity
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.mechanisms.noise.additive_noise import AdditiveNoise
from symdp.privacy.pairs.pair import Mechanism, parameter, positive
from symdp.privacy.pairs.privacy_loss import PrivacyLoss


class Staircase(AdditiveNoise):
    """Noise whose density falls in steps; ``gamma`` is where in a period the step lies."""

    name = "staircase noise"
    names = ("staircase",)

    def __init__(self, epsilon: Quantity, sensitivity: Quantity = 1, gamma: Quantity | None = None) -> None:
        self.epsilon_0 = parameter(epsilon, "epsilon", positive)
        self.sensitivity = parameter(sensitivity, "sensitivity", quantity.sensitivity)
        self.least_variance = gamma is None
        self.gamma: Expr = (least_variance_gamma(self.epsilon_0) if gamma is None
                            else parameter(gamma, "gamma", quantity.probability))

    @property
    def parameters(self) -> dict[str, Any]:
        chosen = {} if self.least_variance else {"gamma": self.gamma}
        return {"epsilon": self.epsilon_0, "sensitivity": self.sensitivity, **chosen}

    def for_group(self, size: int) -> Mechanism:
        """Its steps have the length of one record, not of several."""
        return Mechanism.for_group(self, size)

    @property
    def speaks_for(self) -> str:
        return f"{self.name}, at the distance of the sensitivity; of smaller distances its epsilon alone speaks"

    @property
    def largest_loss(self) -> Expr:
        return self.epsilon_0

    @property
    def level(self) -> Expr:
        """The mean height of a period, where the first step has height one."""
        b = exp(-self.epsilon_0)
        return _root(b) if self.least_variance else self.gamma + b * (1 - self.gamma)

    @property
    def height(self) -> Expr:
        """The density at 0, for sensitivity one."""
        return (1 - exp(-self.epsilon_0)) / (2 * self.level)

    @property
    def density(self) -> Expr:
        place = Abs(x) / self.sensitivity
        steps = floor(place) + Piecewise((0, place - floor(place) < self.gamma), (1, True))
        return self.height / self.sensitivity * exp(-self.epsilon_0 * steps)

    @property
    def variance_form(self) -> Expr:
        b, g = exp(-self.epsilon_0), self.gamma
        if self.least_variance:
            return self.sensitivity**2 * (_root(b) ** 2 + b) / (1 - b) ** 2
        ramp, curve = g**2 + b * (1 - g**2), (g**3 + b * (1 - g**3)) / 3
        return self.sensitivity**2 * (
            b * (1 + b) / (1 - b) ** 2 + (b * ramp / (1 - b) + curve) / self.level
        )

    @cached_property
    def mass_of_largest_loss(self) -> Expr:
        """The probability under P of the outputs whose loss is epsilon_0."""
        if self.least_variance:  # gamma is below 1/2, since 4 b < (1 + b)^2
            b = exp(-self.epsilon_0)
            return 1 - b / (2 * _root(b))
        if self.gamma.free_symbols:
            smaller = Min(self.gamma, 1 - self.gamma)
        else:  # SymPy would think long about a minimum of roots
            smaller = self.gamma if sign(number(2 * self.gamma - 1)) <= 0 else 1 - self.gamma
        return Rational(1, 2) + smaller * self.height

    def delta_at(self, epsilon: Expr) -> Expr:
        return self.mass_of_largest_loss * (1 - exp(epsilon - self.epsilon_0))

    def epsilon_at(self, delta: Expr) -> Expr:
        return self.epsilon_0 + log(1 - delta / self.mass_of_largest_loss)

    def renyi_at(self, alpha: Expr) -> Expr:
        mass, loss = self.mass_of_largest_loss, self.epsilon_0
        if alpha == 1:
            return mass * loss * (1 - exp(-loss))
        moment = mass * (exp((alpha - 1) * loss) + exp(-alpha * loss)) + 1 - mass * (1 + exp(-loss))
        return log(moment) / (alpha - 1)

    def finite_pair(self) -> FinitePair:
        """The outputs of loss epsilon_0, of loss 0, and of loss -epsilon_0."""
        most = self.mass_of_largest_loss
        least = most * exp(-self.epsilon_0)
        p = (most, 1 - most - least, least)
        return FinitePair(p, tuple(reversed(p)))

    def _inner_false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure:
        found = self.finite_pair().false_alarm(missed, digits=digits)
        return Enclosure(found.lower, found.upper, origin)

    def privacy_loss(self, *, reverse: bool = False) -> PrivacyLoss:
        pair = self.finite_pair()
        losses = (self.epsilon_0, self.epsilon_0 * 0, -self.epsilon_0)
        return PrivacyLoss(tuple(zip(losses, pair.p, strict=True)), description="3 possible losses")


def least_variance_gamma(epsilon: Expr) -> Expr:
    r"""Where the step must lie for the least variance: with $b = e^{-\varepsilon}$,
    $\gamma = \bigl(\sqrt[3]{b(1+b)/2} - b\bigr)/(1-b)$.

    >>> from sympy import log
    >>> least_variance_gamma(log(2)).evalf(6)
    0.442250
    """
    b = exp(-epsilon)
    return (_root(b) - b) / (1 - b)


def _root(b: Expr) -> Expr:
    return (b * (1 + b) / 2) ** Rational(1, 3)
