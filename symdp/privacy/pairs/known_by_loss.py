"""A mechanism that is known by the tails of its privacy loss: once, its numbers come from those alone."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import sympy
from flint import arb, ctx
from sympy import Expr, S

from symdp.numbers.crossing import crossing
from symdp.numbers.decimals import INFINITY, Enclosure, enclose
from symdp.numbers.exact import ball, number, sign
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.pairs.pair import DIGITS, Mechanism
from symdp.privacy.pairs.privacy_loss import PrivacyLoss


class KnownByLoss(Mechanism):
    """Its pair of laws speaks for all neighbours; what is asked of one mechanism is computed from two tails."""

    #: where the law of the loss comes from
    theorem: str = ""
    #: the probability of giving the database away, in either direction
    leak: Expr = S.Zero

    @abstractmethod
    def tails(self, epsilon: Any, reverse: bool) -> tuple[Any, Any]:
        """Balls around the probabilities that the loss is above a positive number, under P and under Q."""

    def largest_loss(self, reverse: bool) -> Expr | None:
        """The supremum of the finite losses; None if there is none."""
        found = self.loss(reverse).largest
        return None if found is sympy.oo else found

    @property
    def speaks_for(self) -> str:
        return f"{self.name}: {self.theorem}" if self.theorem else super().speaks_for

    @property
    def symmetric(self) -> bool:
        """Whether the mirror image exchanges P and Q."""
        return True

    def closed_forms(self) -> dict[str, Expr]:
        return {}

    def privacy_loss(self, *, reverse: bool = False) -> PrivacyLoss:
        raise BadQuantity(f"the law of the loss of {self.name} is not written down; ask for delta or epsilon")

    def composed(self, k: int, **options: Any) -> Any:
        """Once, its own formulas tell everything."""
        return Once(self) if k == 1 and options.get("resolution") is None else None

    def _height(self, epsilon: Any, reverse: bool) -> tuple[Any, Any]:
        p, q = self.tails(epsilon, reverse)
        slope = epsilon.exp() * q
        return p - slope, slope

    def _hockey_stick(self, epsilon: Expr, reverse: bool, digits: int) -> Enclosure:
        origin = f"hockey-stick divergence of {self.name}{self._by}"
        most = self.largest_loss(reverse)
        if most is not None and sign(number(exp_of(epsilon) - exp_of(most))) >= 0:
            note = "epsilon is at least the largest privacy loss"
            if self.leak == 0:
                return Enclosure.exactly(0, origin, note)
            return enclose(lambda: ball(self.leak), digits, origin, note)
        return enclose(lambda: self._height(ball(epsilon), reverse)[0], digits, origin)

    def _epsilon(self, delta: Expr, reverse: bool, digits: int) -> Enclosure:
        origin = f"inverse of the hockey-stick divergence of {self.name}{self._by}"
        over = sign(number(delta - self.leak)) if self.leak != 0 else int(delta != 0)
        if over < 0:
            return Enclosure.exactly(INFINITY, origin, "delta is below the probability of giving the database away")
        most = self.largest_loss(reverse)
        if over == 0:
            if most is None:
                return Enclosure.exactly(INFINITY, origin, "the privacy loss has no bound")
            return enclose(lambda: ball(most), digits, origin)
        if delta == 1 or self._at_zero(delta, reverse) <= 0:
            return Enclosure.exactly(0, origin, "delta is at least the total variation")
        return crossing(lambda x: self._height(x, reverse), lambda: ball(delta),
                        lambda: self._end(ball(delta), most, reverse), 6 * digits + 96, digits, origin)

    def _end(self, level: Any, most: Expr | None, reverse: bool) -> Any:
        if most is not None:
            return ball(most)
        end = arb(1)
        while not self._height(end, reverse)[0] < level:
            end *= 2
        return end

    def _at_zero(self, delta: Expr, reverse: bool) -> int:
        for bits in (128, 512, 2048, 8192):
            with ctx.workprec(bits):
                over = self._height(arb(0), reverse)[0] - ball(delta)
                if over > 0 or over <= 0:
                    return 1 if over > 0 else -1
        return -1 if sympy.simplify(delta) == 1 else self._refuse()

    def _refuse(self) -> int:
        raise BadQuantity("delta cannot be told from the total variation")

    def _false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure:
        raise BadQuantity(f"the trade-off of errors of {self.name} is not computed; ask for delta or epsilon")

    def _renyi(self, alpha: Expr, reverse: bool) -> Callable[[], Any]:
        if self.leak != 0 and (alpha is sympy.oo or sign(number(alpha - 1)) >= 0):
            return arb.pos_inf
        if alpha is sympy.oo:
            most = self.largest_loss(reverse)
            return arb.pos_inf if most is None else lambda: ball(most)
        moments = self.loss(reverse).moments()
        if moments is None or sign(number(alpha - 1)) <= 0:
            raise BadQuantity(f"Renyi divergences of {self.name} are not computed for this order")
        return lambda: moments.real(ball(alpha) - 1).log() / (ball(alpha) - 1)

    @property
    def _by(self) -> str:
        return f"; {self.theorem}" if self.theorem else ""


class Once:
    """A single mechanism, in the way of a composition."""

    def __init__(self, mechanism: Mechanism, theorem: str = "") -> None:
        self.mechanism = mechanism
        self.theorem = theorem or getattr(mechanism, "theorem", "") or f"the two laws of {mechanism.name}"

    def delta(self, epsilon: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest delta for which it is (epsilon, delta)-private."""
        return self.mechanism.delta(epsilon, digits=digits)

    def epsilon(self, delta: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest real epsilon >= 0 for which it is (epsilon, delta)-private."""
        return self.mechanism.epsilon(delta, digits=digits)

    def corners(self, digits: int = DIGITS) -> list[Any]:
        raise BadQuantity(f"the region of {self.mechanism.name} has no corners; ask for one epsilon or one delta")


def exp_of(expr: Expr) -> Expr:
    return sympy.exp(expr)
