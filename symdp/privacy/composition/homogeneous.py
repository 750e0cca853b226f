r"""Theorem 3.3: the exact privacy of k mechanisms, each (eps, delta)-private, chosen adaptively.

Of $k$ randomised responses, those that answer against their favour are binomially many: $j$ of them
leave the loss $(k - 2j)\varepsilon$. The corners of the theorem are at these losses; between them, the
smallest epsilon is the logarithm of a linear function, and all of it is computed, for any $k$.

>>> thirty = Homogeneous("0.1", "0.001", 30)
>>> print(thirty.epsilon(delta="0.05"))
0.8463026344747974061
>>> print(thirty.delta(epsilon=1))
0.03981841052213057502
>>> print(thirty.epsilon(delta="0.01"))
Infinity
>>> print(Homogeneous("1e-6", 0, 10**12).epsilon(delta="1e-6", digits=30))
4.8865541174502546312700735782847
"""

from __future__ import annotations

import math
from typing import Any

from flint import arb, ctx
from sympy import Rational

from symdp.formulas.balls import ball
from symdp.numbers import quantity
from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity, Quantity, digits_wanted, times
from symdp.privacy.composition.composed import (
    DIGITS,
    MOST_CORNERS,
    Composed,
    Corner,
    enclose_exactly,
    is_sharp,
)
from symdp.privacy.lattice.binomial import Binomial
from symdp.privacy.lattice.profile import Profile
from symdp.privacy.lattice.saddlepoint import guess_epsilon, responses

#: Ball arithmetic would go further, but the guesses in floating point would not.
MOST_FOLD = 10**15
TINY = 1e-100
THEOREM = "Theorem 3.3 of Kairouz, Oh and Viswanath"


class BinomialProfile(Profile):
    """The lines of k randomised responses, at the working precision."""

    def __init__(self, k: int, epsilon: Any) -> None:
        self.binomial = Binomial(k, epsilon)
        self.top = epsilon * k
        self.step = epsilon * 2
        self.last = (k + 1) // 2

    def line(self, i: int) -> tuple[Any, Any]:
        return self.binomial.lower_pair(i - 1)


class Homogeneous(Composed):
    """The composition of k mechanisms, each of them (epsilon_0, delta_0)-private."""

    theorem = THEOREM

    def __init__(self, epsilon: Quantity, delta: Quantity = 0, k: int = 1) -> None:
        self.epsilon_0 = quantity.epsilon(epsilon)
        self.delta_0 = quantity.probability(delta)
        self.k = times(k)
        if self.k > MOST_FOLD:
            raise BadQuantity(f"k must be at most {MOST_FOLD}, not {self.k}")
        self.total = self.k * self.epsilon_0
        self._made: tuple[int, BinomialProfile] | None = None

    def __repr__(self) -> str:
        return f"Homogeneous(epsilon={self.epsilon_0}, delta={self.delta_0}, k={self.k})"

    def log_survival(self) -> Any:
        if self.delta_0 == 1:
            return arb.neg_inf()
        return (-ball(self.delta_0)).log1p() * self.k

    def leaks_exactly(self, delta: Rational) -> bool:
        if not isinstance(self.delta_0, Rational):
            return False
        return is_power(1 - delta, 1 - self.delta_0, self.k)

    def profiles(self, near: float = 0.0) -> tuple[Profile, Profile]:
        if self._made is None or self._made[0] != ctx.prec:
            self._made = ctx.prec, BinomialProfile(self.k, ball(self.epsilon_0))
        return self._made[1], self._made[1]

    def first_guess(self, log_delta: float) -> float:
        each, scale = float(ball(self.epsilon_0).mid()), 1.0
        if 0 < each < TINY:  # its square would vanish; but so small, delta and epsilon grow with it
            each, scale = TINY, TINY / each
        guess = guess_epsilon(responses([(each, self.k)]), log_delta + math.log(scale))[0]
        return guess / scale

    def corners(self, digits: int = DIGITS) -> list[Corner]:
        """The guarantees ((k - 2i) epsilon, 1 - (1-delta)^k (1 - delta_i)) for i = 0, ..., k/2.

        >>> for corner in Homogeneous("log(2)", 0, 3).corners(digits=5):
        ...     print(corner)
        (2.079442, 0)
        (0.6931472, 0.2222222)
        """
        digits = digits_wanted(digits)
        many = self.k // 2 + 1
        if many > MOST_CORNERS:
            raise BadQuantity(f"there are {many} corners, more than {MOST_CORNERS}; "
                              "ask for one epsilon or one delta")
        wanted = int((digits + 1) * 3.33) + 4
        bits = wanted + 40
        while True:
            with ctx.workprec(bits):
                deltas = self._corner_deltas(many)
            if all(is_sharp(value, wanted) for value in deltas):
                break
            bits *= 2
        return [
            Corner(enclose_exactly((self.k - 2 * i) * self.epsilon_0, digits, self.theorem, ""),
                   Enclosure.of_ball(value, digits, self.theorem))
            for i, value in enumerate(deltas)
        ]

    def _corner_deltas(self, many: int) -> list[Any]:
        if self.delta_0 == 1:
            return [arb(1)] * many
        leak = -self.log_survival().expm1()
        if self.epsilon_0 == 0:
            return [leak] * many
        profile, _ = self.profiles()
        against = (-profile.step).exp()  # the ratio of likelihoods falls by it from loss to loss
        with ctx.workprec(ctx.prec + 2 * self.k.bit_length()):
            likely = 1 / (1 + (-ball(self.epsilon_0)).exp())
            mass = likely**self.k
            odds = (-ball(self.epsilon_0)).exp()
            on_p, scaled, found = arb(0), arb(0), []
            for i in range(many):
                # scaled = e^{loss(i)} Q_i, which is carried along to keep all numbers near one
                found.append(leak + (1 - leak) * (on_p - scaled))
                on_p += mass
                scaled = (scaled + mass) * against
                mass = mass * odds * (self.k - i) / (i + 1)
        return found


def is_power(value: Rational, base: Rational, exponent: int) -> bool:
    """Whether value = base^exponent, both in [0, 1], without computing a power that is too large."""
    if base in (0, 1):
        return bool(value == base)
    if int(value.q).bit_length() < exponent:  # the denominator of the power is at least 2^exponent
        return False
    return bool(int(base.p) ** exponent == int(value.p) and int(base.q) ** exponent == int(value.q))
