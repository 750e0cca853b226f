r"""One of several mechanisms, drawn with given probabilities; which one is public.

The loss is that of mechanism i with probability $w_i$, and so
$\delta(\varepsilon) = \sum_i w_i\,\delta_i(\varepsilon)$; moments mix likewise. In a line: ``mixed
of=1/3:laplace:scale=1;2/3:gaussian:variance=4``.

>>> from symdp.privacy.mechanisms.every import Gaussian, Laplace
>>> either = Mixed([("1/3", Laplace(1)), ("2/3", Gaussian(4))])
>>> print(either.delta(epsilon="1/2", digits=6))
0.10869329
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, ctx
from sympy import Expr, Rational, S

from symdp.numbers.decimals import INFINITY, Enclosure, enclose
from symdp.numbers.exact import ball, number, sign
from symdp.numbers.quantity import BadQuantity, Quantity, probability
from symdp.privacy.lattice.losses import Extent, FiniteLosses, Loss
from symdp.privacy.lattice.moments import Moments
from symdp.privacy.lattice.saddlepoint import Cumulants
from symdp.privacy.pairs import sampling
from symdp.privacy.pairs.known_by_loss import KnownByLoss
from symdp.privacy.pairs.pair import Mechanism, one_kind_of_neighbours


class Mixed(KnownByLoss):
    """Pairs of a probability and a mechanism, or the text of a line."""

    name = "a mixture of mechanisms"
    names = ("mixed",)
    theorem = "the law of the loss of a mixture, whose draw is public"

    def __init__(self, of: str | Iterable[tuple[Quantity, Mechanism]]) -> None:
        members = _read(of) if isinstance(of, str) else [(probability(w, "a weight"), m) for w, m in of]
        self.members: list[tuple[Expr, Mechanism]] = [(w, m) for w, m in members if w != 0]
        if not self.members:
            raise BadQuantity("a mixture must have at least one mechanism")
        if sign(number(sum((w for w, _ in self.members), S.Zero) - 1)) != 0:
            raise BadQuantity("the weights of a mixture must sum to 1")
        one_kind_of_neighbours(m for _, m in self.members)
        self.neighbours_are = next((m.neighbours_are for _, m in self.members if m.neighbours_are), "")
        ways = {m.directions for _, m in self.members if not m.symmetric} or {(False,)}
        if len(ways) > 1:
            raise BadQuantity("mechanisms mix for one kind of neighbours: say the same neighbours=... for all")
        self._ways = ways.pop()

    @property
    def parameters(self) -> dict[str, Any]:
        return {"of": tuple(self.members)}

    def _must_be_numeric(self) -> None:
        for _, mechanism in self.members:
            mechanism._must_be_numeric()

    @property
    def symmetric(self) -> bool:
        """Whether all members are."""
        return all(m.symmetric for _, m in self.members)

    @property
    def directions(self) -> tuple[bool, ...]:
        return self._ways

    def tails(self, epsilon: Any, reverse: bool) -> tuple[Any, Any]:
        raise BadQuantity(f"the tails of {self.name} are those of its members")

    def loss(self, reverse: bool = False) -> Loss:
        losses = [(w, m.loss(reverse)) for w, m in self.members]
        mixed = MixedLoss(losses)
        if not all(isinstance(loss, FiniteLosses) for _, loss in losses):
            return mixed
        masses: dict[Expr, Expr] = {}
        for w, loss in mixed.members:
            for at, mass in loss.atoms if isinstance(loss, FiniteLosses) else ():
                masses[at] = masses.get(at, S.Zero) + w * mass
        return FiniteLosses(list(masses.items()) or [(S.Zero, S.One)], mixed.delta_0)

    def _hockey_stick(self, epsilon: Expr, reverse: bool, digits: int) -> Enclosure:
        origin = f"hockey-stick divergence of {self.name}; {self.theorem}"
        with ctx.workprec(4 * digits + 64):
            lower = upper = arb(0)
            for w, mechanism in self.members:
                found = mechanism.hockey_stick(epsilon, reverse=reverse, digits=digits + 2)
                lower += ball(w) * arb(str(found.lower))
                upper += ball(w) * arb(str(found.upper))
            return Enclosure.between(lower, upper.min(arb(1)), digits, origin)

    def _epsilon(self, delta: Expr, reverse: bool, digits: int) -> Enclosure:
        """By halving, between two ends at which the sum of the deltas is certainly on its side."""
        origin = f"inverse of the hockey-stick divergence of {self.name}; {self.theorem}"
        leak, most = self.loss(reverse).delta_0, self.largest_loss(reverse)
        over = sign(number(delta - leak))
        if over < 0 or (over == 0 and most is None):
            return Enclosure.exactly(INFINITY, origin, "no epsilon is enough")
        if over == 0 and most is not None:
            return enclose(lambda: ball(most), digits, origin)
        level = Fraction(int(delta.p), int(delta.q)) if isinstance(delta, Rational) else None
        if level is None:
            raise BadQuantity("delta must be a rational number here")
        low, high = Fraction(0), Fraction(1)
        if Fraction(self._hockey_stick(S.Zero, reverse, digits).upper) <= level:
            return Enclosure.exactly(0, origin, "delta is at least the total variation")
        while Fraction(self._hockey_stick(Rational(high), reverse, digits).upper) > level:
            low, high = high, 2 * high
        for _ in range(int(3.33 * digits) + 8):
            middle = (low + high) / 2
            found = self._hockey_stick(Rational(middle), reverse, digits + 4)
            if Fraction(found.lower) > level:
                low = middle
            elif Fraction(found.upper) <= level:
                high = middle
            else:
                break
        with ctx.workprec(8 * digits + 64):
            return Enclosure.between(ball(Rational(low)), ball(Rational(high)), digits, origin)

    def sample(self, coins: random.Random | None = None) -> int:
        """The index of the mechanism that is drawn, exactly."""
        return sampling.choice(lambda: [ball(w) for w, _ in self.members[:-1]], coins)


def _read(text: str) -> list[tuple[Expr, Mechanism]]:
    from symdp.privacy.mechanisms.registry import read_mechanism  # noqa: PLC0415 - start-up: the registry reads all mechanisms, and this one first

    found = []
    for part in text.split(";"):
        weight, colon, rest = part.partition(":")
        if not colon:
            raise BadQuantity(f"{part[:40]!r}: a member of a mixture is WEIGHT:NAME:PARAMETER=VALUE:...")
        member, many = read_mechanism(rest.replace(":", " "))
        if many != 1:
            raise BadQuantity("a member of a mixture is drawn once: count=... goes with the mixture")
        found.append((probability(weight, "a weight"), member))
    return found


class MixedLoss(Loss):
    """The losses of the members, each with its weight given that nothing is given away."""

    def __init__(self, members: Sequence[tuple[Expr, Loss]]) -> None:
        self.delta_0 = sum((w * loss.delta_0 for w, loss in members), S.Zero)
        self.members: list[tuple[Expr, Loss]] = [
            (w * (1 - loss.delta_0) / (1 - self.delta_0), loss) for w, loss in members if loss.delta_0 != 1]

    @property
    def largest(self) -> Expr | None:
        tops = [loss.largest for _, loss in self.members]
        if any(top is None for top in tops):
            return None
        return max((top for top in tops if top is not None), key=lambda top: float(ball(top).mid()))

    @property
    def marks(self) -> list[Expr]:
        return [mark for _, loss in self.members for mark in loss.marks]

    def ends(self, tail: Any) -> tuple[Any, Any]:
        each = [loss.ends(tail) for _, loss in self.members]
        low, high = each[0]
        for one, other in each[1:]:
            low, high = low.min(one), high.max(other)
        return low, high

    def extent(self, step: Expr, side: int, tail: Any) -> Extent:
        each = [(ball(w), loss.extent(step, side, tail)) for w, loss in self.members]
        shift = arb(0)
        for _, one in each:
            shift = shift.max(one.shift)
        return Extent(min(one.lowest for _, one in each), max(one.highest for _, one in each),
                      sum((w * one.cut for w, one in each), arb(0)), shift)

    def placed(self, step: Expr, side: int, tail: Any) -> dict[int, Any]:
        masses: dict[int, Any] = {}
        for w, loss in self.members:
            for at, mass in loss.placed(step, side, tail).items():
                masses[at] = masses.get(at, arb(0)) + ball(w) * mass
        return masses

    def cumulants(self, many: int) -> Cumulants:
        each = [(float(ball(w).mid()), loss.cumulants(1)) for w, loss in self.members]

        def cumulants(tilt: float) -> tuple[float, float, float]:
            values = [(math.log(w) + one(tilt)[0], *one(tilt)[1:]) for w, one in each]
            top = max(value for value, _, _ in values)
            shares = [math.exp(value - top) for value, _, _ in values]
            norm = sum(shares)
            first = sum(s * v[1] for s, v in zip(shares, values, strict=True)) / norm
            second = sum(s * (v[2] + (v[1] - first) ** 2) for s, v in zip(shares, values, strict=True)) / norm
            return many * (top + math.log(norm)), many * first, many * second

        return cumulants

    def moments(self) -> Moments | None:
        each = [(w, loss.moments()) for w, loss in self.members]
        known = [(w, moments) for w, moments in each if moments is not None]
        return MixedMoments(known) if len(known) == len(each) else None


class MixedMoments(Moments):
    """Weighted sums."""

    def __init__(self, members: Sequence[tuple[Expr, Moments]]) -> None:
        self.members = members

    def at(self, s: Any) -> Any:
        return sum((moments.at(s) * ball(w) for w, moments in self.members), arb(0))

    def beyond(self, c: Any, t: Any) -> Any:
        return sum((moments.beyond(c, t) * ball(w) for w, moments in self.members), arb(0))
