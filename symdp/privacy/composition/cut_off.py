r"""Any mechanisms whose sum of losses has few points once its thin ends are cut off (:mod:`..lattice.truncated`).

This is for some tens to some thousands of mechanisms: too many for a lattice of all their sums, and too few for
their moments to fall fast.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, ctx
from sympy import Expr

from symdp.formulas.balls import ball
from symdp.formulas.printing import to_text
from symdp.numbers.decimals import Enclosure
from symdp.privacy.composition import on_lattice
from symdp.privacy.composition.composed import ROUNDED_DIGITS
from symdp.privacy.composition.heterogeneous import Heterogeneous
from symdp.privacy.lattice.losses import Loss
from symdp.privacy.lattice.moments import TooSlow
from symdp.privacy.lattice.saddlepoint import Cumulants, tilt_for
from symdp.privacy.lattice.truncated import Truncated

THEOREM = "privacy losses on a lattice, added by products of polynomials, with the thin ends cut off and counted"
#: The step is about this part of the deviation of a loss.
PART = 32
#: What is cut off is this part of delta, as a power of two.
NEGLIGIBLE_BITS = 40
#: Bits besides those of what is cut off.
GUARD = 128


class CutOff:
    """Losses, each so many times; each answer is None where that takes too long."""

    def __init__(self, losses: Sequence[tuple[Loss, int]], hint: Callable[[], Cumulants],
                 leaks: Heterogeneous) -> None:
        self.losses, self.hint, self.leaks = losses, hint, leaks
        self._made: dict[tuple[int, int], tuple[Expr, Truncated, Any]] = {}

    def delta(self, at: Expr, digits: int) -> Enclosure | None:
        """The smallest delta for an epsilon."""
        value, near = self.hint(), float(ball(at).mid())
        tilt = max(tilt_for(value, near), 0.0)
        about = min((value(tilt)[0] - tilt * near) / math.log(2), 0.0)  # its logarithm, by Chernoff's bound
        try:
            ends = []
            for side in (-1, 1):
                step, total, shift = self._sum(side, about)
                with ctx.workprec(self._bits(about)):
                    leak = -self.leaks.log_survival().expm1()
                    ends.append(leak + (1 - leak) * total.delta(ball(step), ball(at), shift))
        except TooSlow:
            return None
        return self._enclosure(step, ends, digits)

    def epsilon(self, level: Expr, digits: int) -> Enclosure | None:
        """The smallest epsilon for a delta that is more than what is given away."""
        ends = []
        try:
            with ctx.workprec(GUARD):
                leak = -self.leaks.log_survival().expm1()
                about = float(((ball(level) - leak) / (1 - leak)).log().mid()) / math.log(2)
            if not math.isfinite(about):
                return None
            for side in (-1, 1):
                step, total, shift = self._sum(side, about)
                with ctx.workprec(self._bits(about)):
                    leak = -self.leaks.log_survival().expm1()
                    ends.append(total.epsilon(ball(step), (ball(level) - leak) / (1 - leak), shift))
        except TooSlow:
            return None
        return self._enclosure(step, ends, digits)

    def _bits(self, about: float) -> int:
        return math.ceil(GUARD + 2 * NEGLIGIBLE_BITS - about)

    def _sum(self, side: int, about: float) -> tuple[Expr, Truncated, Any]:
        """The step, the sum on it, and how far it is moved down."""
        power = math.floor(about) - NEGLIGIBLE_BITS
        key = side, power
        if key not in self._made:
            with ctx.workprec(self._bits(about)):
                many = sum(n for _, n in self.losses)
                small = arb(2) ** power
                tail = (small / (8 * many)).mid()
                deviation = math.sqrt(max(self.hint()(0.0)[2] / many, 1e-300))
                step = on_lattice.fine_step(self.losses, deviation * on_lattice.FINE / PART, tail)
                if step is None:
                    raise TooSlow("a law has too many points on a fine lattice")
                laws, shift = [], arb(0)
                for loss, n in self.losses:
                    extent = loss.extent(step, side, tail)
                    laws.append((loss.placed(step, side, tail), extent.cut, n))
                    shift += extent.shift * n
                self._made[key] = step, Truncated(laws, side, small), shift
        return self._made[key]

    def _enclosure(self, step: Expr, ends: Sequence[Any], digits: int) -> Enclosure | None:
        if not all(end.is_finite() for end in ends) or not ends[0].lower() <= ends[1].upper():
            return None
        lower, upper = ends
        return Enclosure.between(lower, upper, min(digits, ROUNDED_DIGITS), THEOREM, rounded=(
            f"losses to multiples of {to_text(step)}: gathered for the lower end, spread for the upper one"))
