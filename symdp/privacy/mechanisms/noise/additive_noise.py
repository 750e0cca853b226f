r"""Noise added to a number: P is the law of the noise, Q the same law moved by the sensitivity.

The noise here is symmetric and unimodal, for which neighbours at a smaller distance are harder to
tell apart: the pair at full distance speaks for all. A mechanism gives its formulas once, as
functions of exact arguments; with symbols in them they are the closed forms, with numbers in them
they are evaluated in balls.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import sympy
from flint import arb
from sympy import Expr, S

from symdp.formulas.notation import delta_total, eps_total, symbol, x
from symdp.numbers.decimals import INFINITY, Enclosure, enclose
from symdp.numbers.exact import ball, number, sign
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.pairs import sampling
from symdp.privacy.pairs.pair import Mechanism


@dataclass(frozen=True)
class Strength:
    """A kind of noise by one number, of which more is less private: what k of them need, in balls.

    ``delta`` is a function of the strength and of epsilon; ``start`` gives a strength to begin a search at.
    """

    delta: Callable[[Any, Any], Any]
    start: Callable[[Any], Any]
    theorem: str


class AdditiveNoise(Mechanism):
    """A symmetric law and a distance."""

    #: what Kairouz, Oh and Viswanath prescribe for k queries with this noise, and for which epsilon
    prescribed_by: ClassVar[str] = "Corollary 4.1"
    prescribed_up_to: ClassVar[Expr | None] = sympy.Rational(9, 10)
    #: whether enough of it is (epsilon_0, 0)-private
    pure: ClassVar[bool] = True

    @classmethod
    def private(cls, epsilon: Quantity, sensitivity: Quantity = 1) -> Self:
        """The noise that makes a query of that sensitivity epsilon-private."""
        return cls(epsilon=epsilon, sensitivity=sensitivity)  # type: ignore[call-arg]

    @classmethod
    def strength(cls, k: int) -> Strength | None:
        """What k of them need; None where they are no better than any (epsilon_0, 0)-private mechanism."""
        return None

    @classmethod
    def of_strength(cls, strength: Quantity, sensitivity: Quantity) -> Self:
        """The noise of that strength, which is epsilon_0 unless it says something else."""
        return cls.private(strength, sensitivity)

    @property
    @abstractmethod
    def density(self) -> Expr:
        """The density of the noise, or for integers its probabilities, in the symbol ``x``."""

    @property
    def symmetric(self) -> bool:
        """Always: the mirror image about the middle exchanges P and Q."""
        return True

    def for_group(self, size: int) -> Mechanism:
        """The distance grows with the number of records, the noise stays: exact for noise on the real line."""
        changed = {**self.parameters, "sensitivity": self.parameters["sensitivity"] * size}
        return type(self)(**changed)

    def sample(self, coins: random.Random | None = None, bits: int = 40) -> Fraction:
        """A draw of the noise, rounded down to a multiple of 2^-bits, exactly as likely as that."""
        return sampling.by_quantile(self.quantile, bits, coins)

    def quantile(self, u: Any) -> Any:
        """Below which the noise is with probability u, in balls."""
        raise BadQuantity(f"{self.name} cannot be drawn here")

    # --- the formulas, each valid for symbols and for numbers ---

    @abstractmethod
    def delta_at(self, epsilon: Expr) -> Expr:
        """The hockey-stick divergence where it is positive."""

    def epsilon_at(self, delta: Expr) -> Expr | None:
        """Where the hockey-stick divergence has that value; None without a closed form."""
        return None

    @abstractmethod
    def renyi_at(self, alpha: Expr) -> Expr:
        """The Renyi divergence of that order."""

    @property
    @abstractmethod
    def variance_form(self) -> Expr:
        """The variance of the noise."""

    @property
    @abstractmethod
    def largest_loss(self) -> Expr:
        """The epsilon of pure privacy; infinite if there is none."""

    def closed_forms(self) -> dict[str, Expr]:
        delta = self.delta_at(eps_total)
        bounded = self.largest_loss is not sympy.oo
        forms = {
            "delta": sympy.Max(0, delta) if bounded else delta,
            "total_variation": self.delta_at(S.Zero),
            "renyi": self.renyi_at(symbol("alpha")),
            "kullback_leibler": self.renyi_at(S.One),
            "max_divergence": self.largest_loss,
            "variance": self.variance_form,
        }
        inverse, boundary = self.epsilon_at(delta_total), self.false_alarm_at(x)
        if inverse is not None:
            forms["epsilon"] = sympy.Max(0, inverse)
        return forms if boundary is None else {**forms, "false_alarm": boundary}

    def false_alarm_at(self, missed: Expr) -> Expr | None:
        """The smallest P_FA with that P_MD, strictly between 0 and 1; None without a closed form."""
        return None

    # --- numbers ---

    def _hockey_stick(self, epsilon: Expr, reverse: bool, digits: int) -> Enclosure:
        origin = f"hockey-stick divergence of {self.name}"
        if self.largest_loss is not sympy.oo and sign(number(epsilon - self.largest_loss)) >= 0:
            return Enclosure.exactly(0, origin, "epsilon is at least the largest privacy loss")
        return enclose(evaluating(self.delta_at(epsilon)), digits, origin)

    def _epsilon(self, delta: Expr, reverse: bool, digits: int) -> Enclosure:
        origin = f"inverse of the hockey-stick divergence of {self.name}"
        if delta == 0:
            if self.largest_loss is sympy.oo:
                return Enclosure.exactly(INFINITY, origin, "the privacy loss has no bound")
            return enclose(evaluating(self.largest_loss), digits, origin)
        if delta == 1 or sign(number(delta - self.delta_at(S.Zero))) >= 0:
            return Enclosure.exactly(0, origin, "delta is at least the total variation")
        return self._positive_epsilon(delta, digits, origin)

    def _positive_epsilon(self, delta: Expr, digits: int, origin: str) -> Enclosure:
        """For a delta strictly between 0 and the total variation."""
        found = self.epsilon_at(delta)
        if found is None:
            raise NotImplementedError(f"{self.name} must invert its divergence itself")
        return enclose(evaluating(found), digits, origin)

    def _false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure:
        if missed == 0 or missed == 1:
            return Enclosure.exactly(1 if missed == 0 else 0, origin)
        return self._inner_false_alarm(missed, digits, origin)

    @abstractmethod
    def _inner_false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure:
        """For a P_MD strictly between 0 and 1."""

    def _renyi(self, alpha: Expr, reverse: bool) -> Callable[[], Any]:
        if alpha is not sympy.oo:
            return evaluating(self.renyi_at(alpha))
        return arb.pos_inf if self.largest_loss is sympy.oo else evaluating(self.largest_loss)


def evaluating(expr: Expr) -> Callable[[], Any]:
    """A function that gives the constant as a ball, at whatever precision is set."""
    value = number(expr)
    return lambda: ball(value)
