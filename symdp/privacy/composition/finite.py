r"""The k-fold composition of a mechanism with finitely many outcomes.

With $L$ the sum of the privacy losses, $\delta(\varepsilon) = E\,(1 - e^{\varepsilon - L})^+$ under P.
It is exact where the losses lie on a lattice, or where those of the sum can be listed. Otherwise each
loss is rounded down to a lattice for a lower bound, as the formula grows with $L$; and it is spread
over its two neighbours on the lattice for an upper bound, because the formula is convex in $e^{-L}$, which
in the mean stays what it is.

>>> from symdp.privacy.mechanisms.every import FinitePair, Staircase
>>> pair = FinitePair(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"])
>>> print(ComposedFinite(pair, 10).delta(epsilon=1))
0.4711677665439816351
>>> print(ComposedFinite(Staircase(epsilon="0.1").finite_pair(), 100).epsilon(delta="1e-6", digits=15))
4.7735132795056231
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from flint import arb, ctx
from sympy import Expr, Rational, S

from symdp.formulas.balls import ball
from symdp.formulas.printing import to_text
from symdp.numbers import quantity
from symdp.numbers.quantity import Quantity, times
from symdp.privacy.composition.both_ways import BothWays
from symdp.privacy.composition.composed import Composed
from symdp.privacy.composition.enumeration import MOST_LOSSES, EnumeratedLosses
from symdp.privacy.composition.heterogeneous import CELLS, gathered_masses, multiples
from symdp.privacy.composition.homogeneous import is_power
from symdp.privacy.lattice.convolution import MOST_CELLS, Advance, Factor, Lattice, SumOfLosses
from symdp.privacy.lattice.profile import Profile
from symdp.privacy.lattice.saddlepoint import guess_epsilon, outcomes, tilt_for
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair, log_ratio

THEOREM = "the privacy loss of a finite pair, summed k times"
#: Lattices of more points are not needed: a sum over one period is quicker.
FEW_CELLS = 1 << 14


class ComposedFinite(BothWays):
    """Both ways round: the databases may be exchanged."""

    theorem = THEOREM

    def __init__(self, pair: FinitePair, k: Quantity, resolution: Quantity | None = None,
                 advance: Advance | None = None) -> None:
        self.k = times(k)
        ways = [(pair.p, pair.q)] if pair.symmetric else [(pair.p, pair.q), (pair.q, pair.p)]
        self.ways = [OneWay(p, q, self.k, resolution, advance) for p, q in ways]

    @property
    def is_small(self) -> bool:
        """Whether all losses of the sum fit into a list or a lattice; else there are quicker ways."""
        return not any(way.rounded or way.cells > FEW_CELLS for way in self.ways if isinstance(way, OneWay))


class OneWay(Composed):
    """k times a pair, in one direction."""

    theorem = THEOREM

    def __init__(self, p: Sequence[Expr], q: Sequence[Expr], k: int, resolution: Quantity | None,
                 advance: Advance | None) -> None:
        self.k = k
        # Outcomes that are impossible under Q give the database away.
        self.delta_0: Expr = sum((a for a, b in zip(p, q, strict=True) if b == 0), S.Zero)
        masses: dict[Expr, Expr] = {}
        for a, b in zip(p, q, strict=True):
            if a != 0 and b != 0:
                loss = log_ratio(a, b)
                masses[loss] = masses.get(loss, S.Zero) + a
        with ctx.workprec(128):
            order = sorted(masses, key=lambda loss: float(ball(loss).mid()), reverse=True)
        self.losses, self.masses = order, [masses[loss] for loss in order]
        largest = order[0] if order else S.Zero
        self.total = k * largest if quantity.sign(largest) > 0 else S.Zero
        floats = [float(ball(loss).mid()) for loss in order], [float(ball(masses[x]).mid()) for x in order]
        self._cumulants = outcomes(*floats, k)
        self._advance = advance
        #: how many steps each loss is below the largest, where nothing is rounded
        self._places: list[int] = []
        self._step, self.rounded = self._choose(resolution)
        if self.rounded:
            self.rounding = (f"losses, for the lower end down to multiples of {to_text(self._step)}, for the upper "
                             "end spread over them; a finer resolution brings the ends nearer")

    def log_survival(self) -> Any:
        if self.delta_0 == 1:
            return arb.neg_inf()
        return (-ball(self.delta_0)).log1p() * self.k

    def leaks_exactly(self, delta: Rational) -> bool:
        return isinstance(self.delta_0, Rational) and is_power(1 - delta, 1 - self.delta_0, self.k)

    def first_guess(self, log_delta: float) -> float:
        return max(guess_epsilon(self._cumulants, log_delta)[0], 0.0)

    def profiles(self, near: float) -> tuple[Profile, Profile]:
        if self._step is None:
            few = EnumeratedLosses(self._listed())
            return few, few
        tilt = tilt_for(self._cumulants, near)
        if not self.rounded:
            same = SumOfLosses(self._lattice(0), tilt, self._advance)
            return same, same
        return (SumOfLosses(self._lattice(-1), tilt, self._advance),
                SumOfLosses(self._lattice(1), tilt, self._advance))

    @property
    def cells(self) -> float:
        """How many points the lattice of the sum has; none where the sums are listed."""
        if self._step is None:
            return 0
        return float(ball((self.losses[0] - self.losses[-1]) / self._step).mid()) * self.k

    # --- where the losses are -----------------------------------------------------------------

    def _choose(self, resolution: Quantity | None) -> tuple[Any, bool]:
        """The step of a lattice and whether losses are rounded to it; no step if they are listed."""
        if len(self.losses) <= 1:
            return None, False
        spread = self.losses[0] - self.losses[-1]
        if resolution is not None:
            step = quantity.within(resolution, "resolution", 0, None, open_below=True)
            return step, True
        shared = multiples([self.losses[0] - loss for loss in self.losses[1:]])
        if shared is not None and max(shared[1]) * self.k <= MOST_CELLS:
            self._places = [0, *shared[1]]
            return shared[0], False
        r = len(self.losses)
        if math.comb(self.k + r - 1, r - 1) <= MOST_LOSSES:
            return None, False
        width = float(ball(spread).mid()) * self.k / CELLS
        return Rational(2) ** math.floor(math.log2(width)), True

    def _lattice(self, side: int) -> Lattice:
        """The losses as they are (0), rounded down (-1) or spread (1)."""
        step = self._step
        if side == 0:
            top: Expr = self.losses[0]
            lowest = max(self._places)
        else:
            highest = _rounded(self.losses[0], step, side)
            top, lowest = step * highest, highest - _rounded(self.losses[-1], step, -1)

        def factors() -> list[Factor]:
            survival = 1 - ball(self.delta_0)
            masses = [(loss, ball(mass) / survival)
                      for loss, mass in zip(self.losses, self.masses, strict=True)]
            if side == 0:
                places = [(place, mass) for place, (_, mass) in zip(self._places, masses, strict=True)]
            elif side < 0:
                places = [(highest - _rounded(loss, step, -1), mass) for loss, mass in masses]
            else:
                places = [place for loss, mass in masses for place in _spread(loss, mass, step, highest)]
            return [Factor(gathered_masses(places), self.k)]

        with ctx.workprec(128):
            last = int((ball(top) * self.k / ball(step)).upper().ceil().unique_fmpz())
        return Lattice(top=lambda: ball(top) * self.k, step=lambda: ball(step), factors=factors,
                       cells=max(lowest * self.k, 1), last=max(last, 0), many=self.k)

    def _listed(self) -> list[tuple[Any, Any, Any]]:
        """All sums of losses, by how often each outcome comes up."""
        survival = 1 - ball(self.delta_0)
        found = [(arb(0), arb(1), 0)]  # loss, probability over multinomials, how many are drawn
        for n, (loss, mass) in enumerate(zip(self.losses, self.masses, strict=True)):
            at, chance = ball(loss), ball(mass) / survival
            longer = []
            for so_far, weight, drawn in found:
                left = self.k - drawn
                for many in range(left, left + 1) if n == len(self.losses) - 1 else range(left + 1):
                    ways = math.comb(left, many)
                    longer.append((so_far + at * many, weight * chance**many * ways, drawn + many))
            found = longer
        return [(loss, weight, weight * (-loss).exp()) for loss, weight, _ in found]


def _rounded(loss: Expr, step: Expr, side: int) -> int:
    with ctx.workprec(256):
        place = ball(loss) / ball(step)
        end = place.lower().floor() if side < 0 else place.upper().ceil()
        return int(end.unique_fmpz())


def _spread(loss: Expr, mass: Any, step: Expr, highest: int) -> list[tuple[int, Any]]:
    """The mass at the two neighbours of its loss, so that the mean of e^-loss is kept."""
    down, up = _rounded(loss, step, -1), _rounded(loss, step, 1)
    if up == down:
        return [(highest - up, mass)]
    unit = ball(step)
    at_up, at_down = (-unit * up).exp(), (-unit * down).exp()
    on_down = mass * ((-ball(loss)).exp() - at_up) / (at_down - at_up)
    return [(highest - up, mass - on_down), (highest - down, on_down)]
