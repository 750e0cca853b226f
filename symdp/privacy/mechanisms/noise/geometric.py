r"""Two-sided geometric noise for counting queries.

With $a = e^{-\varepsilon_0/\Delta}$ the outputs $x \le 0$ all have the loss $\varepsilon_0$ and the
outputs $x \ge \Delta$ the loss $-\varepsilon_0$, so that $\Delta + 1$ outcomes tell everything. At
sensitivity one they are two, and the pair is randomised response: hence the optimality under
composition of Section 4.2 of Kairouz, Oh and Viswanath.

>>> Geometric(epsilon="log(3)").finite_pair()
FinitePair(p=(3/4, 1/4), q=(1/4, 3/4))
>>> print(Geometric(1).variance(digits=12), Geometric(1, sensitivity=4).delta("1/2", digits=12))
1.8413471884156 0.22119921692860
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any

from flint import arb
from sympy import Abs, Expr, Integer, Rational, S, exp, floor, log

from symdp.formulas.notation import x
from symdp.numbers import quantity
from symdp.numbers.decimals import Enclosure, enclose
from symdp.numbers.exact import ball, number, sign
from symdp.numbers.quantity import Quantity
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.mechanisms.noise.additive_noise import AdditiveNoise
from symdp.privacy.pairs import sampling
from symdp.privacy.pairs.pair import parameter, positive
from symdp.privacy.pairs.privacy_loss import PrivacyLoss

#: How many outcomes a list of them may have.
MOST_OUTCOMES = 2000


class Geometric(AdditiveNoise):
    """Integer noise z of probability proportional to exp(-epsilon |z| / sensitivity)."""

    name = "two-sided geometric noise"
    names = ("geometric", "discrete-laplace")
    log_concave = True

    def __init__(self, epsilon: Quantity, sensitivity: Quantity = 1) -> None:
        self.epsilon_0 = parameter(epsilon, "epsilon", positive)
        self.sensitivity = quantity.whole_sensitivity(sensitivity)

    @property
    def parameters(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon_0, "sensitivity": self.sensitivity}

    def for_group(self, size: int) -> Geometric:
        return Geometric(self.epsilon_0 * size, self.sensitivity * size)

    def sample(self, coins: random.Random | None = None, bits: int = 0) -> Fraction:
        """A draw of the noise, exactly: an integer."""
        return Fraction(sampling.two_sided_geometric(lambda: ball(self.epsilon_0 / self.sensitivity), coins))

    @property
    def ratio(self) -> Expr:
        """How much less probable the next integer is."""
        return exp(-self.epsilon_0 / self.sensitivity)

    def _power(self, exponent: Expr | int) -> Expr:
        """The ratio to that power, with the exponents multiplied out."""
        return exp(-self.epsilon_0 * exponent / self.sensitivity)

    @property
    def largest_loss(self) -> Expr:
        return self.epsilon_0

    @property
    def density(self) -> Expr:
        return (1 - self.ratio) / (1 + self.ratio) * self._power(Abs(x))

    @property
    def variance_form(self) -> Expr:
        return 2 * self.ratio / (1 - self.ratio) ** 2

    # The curve is the maximum of one line in e^epsilon for each set {x <= m}; the best m is known.

    def best_set(self, epsilon: Expr) -> Expr:
        """The largest m for which all outputs up to m have a loss above epsilon, before rounding."""
        return Rational(self.sensitivity, 2) * (1 - epsilon / self.epsilon_0)

    def delta_at(self, epsilon: Expr) -> Expr:
        return self._line(epsilon, floor(self.best_set(epsilon)))

    def _line(self, epsilon: Expr, m: Expr) -> Expr:
        a = self.ratio
        return 1 - (self._power(m + 1) + exp(epsilon) * self._power(self.sensitivity - m)) / (1 + a)

    def epsilon_at(self, delta: Expr) -> Expr:
        return self._inverse(delta, floor(self._cell(delta)))

    def _cell(self, delta: Expr) -> Expr:
        # the curve passes 1 - a^m at epsilon_0 (1 - 2 m / sensitivity)
        return -self.sensitivity * log(1 - delta) / self.epsilon_0

    def _inverse(self, delta: Expr, m: Expr) -> Expr:
        a = self.ratio
        return log(((1 - delta) * (1 + a) - self._power(m + 1)) * self._power(m - self.sensitivity))

    def renyi_at(self, alpha: Expr) -> Expr:
        a, distance, loss = self.ratio, self.sensitivity, self.epsilon_0
        if alpha == 1:
            return loss - 2 * loss / distance * a * (1 - self._power(distance)) / (1 - a**2)
        ends = (self._power((1 - alpha) * distance) + self._power(alpha * distance)) / (1 + a)
        step, last = self._power(2 * alpha - 1), self._power((2 * alpha - 1) * distance)
        between: Expr = Integer(distance - 1)
        if alpha != Rational(1, 2):
            between = (step - last) / (1 - step) if distance > 1 else S.Zero
        inner = (1 - a) / (1 + a) * self._power((1 - alpha) * distance) * between
        return log(ends + inner) / (alpha - 1)

    def as_private(self) -> tuple[Expr, Expr] | None:
        """At sensitivity one it is the randomised response."""
        return (self.epsilon_0, S.Zero) if self.sensitivity == 1 else None

    def finite_pair(self) -> FinitePair:
        """The outputs up to 0, each one below the sensitivity, and all from there on."""
        if self.sensitivity > MOST_OUTCOMES:
            raise quantity.BadQuantity(f"a list of {self.sensitivity + 1} outcomes is too long; "
                                       f"the sensitivity may be {MOST_OUTCOMES} here")
        a, distance = self.ratio, self.sensitivity
        inner = [(1 - a) / (1 + a) * self._power(i) for i in range(1, distance)]
        p = (1 / (1 + a), *inner, self._power(distance) / (1 + a))
        return FinitePair(p, tuple(reversed(p)))

    def _inner_false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure:
        found = self.finite_pair().false_alarm(missed, digits=digits)
        return Enclosure(found.lower, found.upper, origin)

    def privacy_loss(self, *, reverse: bool = False) -> PrivacyLoss:
        return self.finite_pair().privacy_loss()

    # --- numbers: the rounding of m is never guessed ---

    def _hockey_stick(self, epsilon: Expr, reverse: bool, digits: int) -> Enclosure:
        origin = f"hockey-stick divergence of {self.name}"
        if sign(number(epsilon - self.epsilon_0)) >= 0:
            return Enclosure.exactly(0, origin, "epsilon is at least the largest privacy loss")
        compute = self._largest(self.best_set(epsilon), lambda m: self._line(epsilon, m))
        return enclose(compute, digits, origin)

    def _positive_epsilon(self, delta: Expr, digits: int, origin: str) -> Enclosure:
        compute = self._largest(self._cell(delta), lambda m: self._inverse(delta, m))
        return enclose(compute, digits, origin)

    def _largest(self, place: Expr, line: Callable[[Expr], Expr]) -> Callable[[], Any]:
        """The maximum over the sets that may be the best: one, or two where a ball covers a whole m."""

        def compute() -> Any:
            around = ball(place)
            if not around.is_finite():
                return arb.nan()
            first, last = (max(0, min(self.sensitivity - 1, int(end.floor().unique_fmpz())))
                           for end in (around.lower(), around.upper()))
            if last - first > 2:
                return arb.nan()
            return reduce(arb.max, (ball(line(Integer(m))) for m in range(first, last + 1)))

        return compute
