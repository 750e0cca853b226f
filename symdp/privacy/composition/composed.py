r"""What every exact composition answers: delta for an epsilon, epsilon for a delta, its corners.

A composition of $(\varepsilon_l, \delta_l)$-private mechanisms is at worst that of randomised responses:
with probability $D = 1 - \prod (1 - \delta_l)$ one of them gives the database away, and otherwise the
privacy loss is a sum of independent $\pm\varepsilon_l$, whose trade of delta for epsilon is $h$. So
$\delta(\varepsilon) = D + (1 - D)\, h(\varepsilon)$.
"""

from __future__ import annotations

import decimal
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from flint import arb, ctx
from sympy import Expr, Rational, S

from symdp.formulas.balls import ball
from symdp.numbers import quantity
from symdp.numbers.decimals import INFINITY, Enclosure, NotReached
from symdp.numbers.quantity import BadQuantity, Quantity, digits_wanted
from symdp.privacy.lattice.profile import Profile, epsilon_at

DIGITS = 17
MOST_CORNERS = 100_000
#: The digits of two ends that were rounded to a lattice.
ROUNDED_DIGITS = 10
#: For more digits than this, the cell is looked for with few bits first.
FAR_DIGITS, WARM_BITS = 50, 128


@dataclass(frozen=True)
class Corner:
    """A guarantee (epsilon, delta) that no smaller epsilon or delta replaces."""

    epsilon: Enclosure
    delta: Enclosure

    def __str__(self) -> str:
        return f"({self.epsilon}, {self.delta})"

    def as_json(self) -> dict[str, dict[str, str]]:
        return {"epsilon": self.epsilon.as_json(), "delta": self.delta.as_json()}


class Composed(ABC):
    """A composition, whose numbers are enclosures of the exact ones."""

    #: the theorem that the numbers come from
    theorem: str
    #: the largest privacy loss, which is the sum of all epsilons
    total: Expr
    #: what was rounded before the ends were, such as losses to a lattice
    rounding: str = ""
    #: whether the ends are apart anyway, so that many digits of each are of no use
    rounded: bool = False
    #: the precision at which to give up
    most_bits: int = 1 << 14

    # --- what a kind of composition provides --------------------------------------------------

    @abstractmethod
    def log_survival(self) -> Any:
        """log(1 - D) at the working precision; -infinity where a mechanism has delta = 1."""

    @abstractmethod
    def leaks_exactly(self, delta: Rational) -> bool:
        """Whether D is exactly that rational number."""

    @abstractmethod
    def profiles(self, near: float) -> tuple[Profile, Profile]:
        """Of a pair that is at most, and of one that is at least, as revealing; often the same.

        They may be sharpest around ``near``, an epsilon.
        """

    @abstractmethod
    def first_guess(self, log_delta: float) -> float:
        """An epsilon to start the search at; never evidence."""

    # --- what it answers ----------------------------------------------------------------------

    def delta(self, epsilon: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest delta for which the composition is (epsilon, delta)-private."""
        digits = digits_wanted(digits)
        at = quantity.epsilon(epsilon)
        if self.leaks_exactly(S.One) or quantity.sign(at - self.total, "epsilon") >= 0:
            return self._leak(digits)

        def compute() -> tuple[Any, Any]:
            point, leak = ball(at), -self.log_survival().expm1()
            near = float(point.mid())
            ends = [leak + (1 - leak) * t.height(point) for t in self._both(near)]
            return ends[0], ends[-1]

        return self._reach(compute, digits)

    def epsilon(self, delta: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest real epsilon >= 0 for which the composition is (epsilon, delta)-private."""
        digits = digits_wanted(digits)
        level = quantity.probability(delta)
        if level == 1:
            return Enclosure.exactly(0, self.theorem, "every mechanism is (0, 1)-private")
        over = self._sign_over_leak(level)
        if over < 0:
            leak = self._leak(digits)
            return Enclosure.exactly(INFINITY, self.theorem, (
                f"no epsilon is enough: with probability {leak} one of the mechanisms gives the "
                f"database away, and {quantity.shown(level)} is less"))
        if over == 0 or self.total == 0:
            return enclose_exactly(self.total, digits, self.theorem, "")
        starts: list[int | None] = [None, None]
        guess: list[float] = []

        def compute() -> tuple[Any, Any]:
            leak = -self.log_survival().expm1()
            target = (ball(level) - leak) / (1 - leak)
            if not target > 0:
                return arb.nan(), arb.nan()
            near = guess[0] if guess else self.first_guess(float(target.log().mid()))
            guess[:] = [near]
            ends = []
            for side, profile in enumerate(self._both(near)):
                start = starts[side]
                if start is None:
                    start = (profile.cell_of(arb(near)) or (profile.last, 0))[0]
                end, starts[side] = epsilon_at(profile, target, start)
                ends.append(end)
            # What is asked for is not negative, whatever the radius of a ball at zero says.
            return ends[0].max(arb(0)), ends[-1]

        if digits > FAR_DIGITS:
            with ctx.workprec(WARM_BITS):
                compute()  # the search costs little here, and leaves its cell in `starts`
        try:
            return self._reach(compute, digits)
        except NotReached:
            if starts[1] is None:  # one exact distribution, and no two ends
                raise
            # A lattice too coarse to say more; what is left is certain all the same.
            note = "the resolution is too coarse for this delta; a finer one says more"
            return Enclosure.between(arb(0), ball(self.total), digits, self.theorem, note, self.rounding)

    def at_most(self, epsilon: Quantity) -> Decimal:
        """No more than this is delta; nothing is known that is quicker than delta itself."""
        return Decimal(1)

    def corners(self, digits: int = DIGITS) -> list[Corner]:
        """All guarantees from which the others follow, epsilon falling."""
        raise BadQuantity("the corners of this composition are not those of one lattice")

    # --- how ----------------------------------------------------------------------------------

    def _both(self, near: float) -> tuple[Profile, ...]:
        lower, upper = self.profiles(near)
        return (lower,) if lower is upper else (lower, upper)

    def _leak(self, digits: int) -> Enclosure:
        if self.leaks_exactly(S.Zero):
            return Enclosure.exactly(0, self.theorem)
        if self.leaks_exactly(S.One):
            return Enclosure.exactly(1, self.theorem)

        def compute() -> tuple[Any, Any]:
            leak = -self.log_survival().expm1()
            return leak, leak

        return self._reach(compute, digits)

    def _sign_over_leak(self, level: Expr) -> int:
        """The sign of delta - D."""
        if self.leaks_exactly(S.One):
            return -1
        if isinstance(level, Rational) and self.leaks_exactly(level):
            return 0
        bits = 128
        while bits <= quantity.MOST_BITS * 4:
            with ctx.workprec(bits):
                over = ball(level) + self.log_survival().expm1()
            if over > 0 or over < 0:
                return 1 if over > 0 else -1
            bits *= 2
        raise BadQuantity(f"delta {quantity.shown(level)} cannot be told from the smallest that is reached")

    def _reach(self, compute: Callable[[], tuple[Any, Any]], digits: int) -> Enclosure:
        digits = min(digits, ROUNDED_DIGITS) if self.rounded else digits
        lower, upper = reach(compute, digits, self.most_bits)
        return Enclosure.between(lower, upper, digits, self.theorem, rounded=self.rounding)


def reach(compute: Callable[[], tuple[Any, Any]], digits: int,
          most_bits: int = 1 << 14) -> tuple[Any, Any]:
    """A lower and an upper ball, each to that many digits, or as many as the bits allowed give."""
    wanted = int((digits + 1) * 3.33) + 4
    bits = wanted + 24
    most = max(most_bits, 4 * wanted)
    best: tuple[Any, Any] | None = None
    while True:
        with ctx.workprec(bits):
            ends = compute()
            if all(is_sharp(end, wanted) for end in ends):
                return ends
            if all(end.is_finite() for end in ends):
                best = ends
        if bits >= most:
            if best is None:
                raise NotReached(f"{digits} digits were not reached with {bits} bits")
            return best
        bits = min(bits + max(64, bits // 2), most)


def is_sharp(value: Any, wanted: int) -> bool:
    if not value.is_finite():
        return False
    return bool(value == 0 or value.rel_accuracy_bits() >= wanted)


def enclose_exactly(value: Expr, digits: int, theorem: str, note: str) -> Enclosure:
    """A number whose decimals end is given exactly."""
    if isinstance(value, Rational):
        rest = int(value.q)
        for prime in (2, 5):
            while rest % prime == 0:
                rest //= prime
        if rest == 1 and len(str(value.p)) + len(str(value.q)) < 200:
            return Enclosure.exactly(_decimal(value), theorem, note)
    lower, _ = reach(lambda: (ball(value), ball(value)), digits)
    return Enclosure.of_ball(lower, digits, theorem, note)


def _decimal(value: Rational) -> Decimal:
    with decimal.localcontext(prec=2000):
        return Decimal(int(value.p)) / Decimal(int(value.q))
