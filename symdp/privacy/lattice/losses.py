r"""Privacy losses put on a lattice, so that delta is certainly not raised, or certainly not lowered.

What a mechanism adds to a composition is the law of its privacy loss $L$ under P, because
$\delta(\varepsilon) = E_P(1 - e^{\varepsilon - L})^+$ for the sum of independent losses. This grows with
each loss, so that rounding losses *down* gives a lower bound; and it is convex in $e^{-L}$, so that
*spreading* the mass between two neighbours of the lattice over both, with its masses under P and
under Q kept, gives an upper bound. For the same reason *gathering* what lies around a point of the
lattice at its mean in $e^{-L}$ gives a lower bound (Jensen); that mean is a little off the point, and
one shift of the whole lattice, of the order of the square of the step, makes up for it. What is cut
off of a law without ends counts as nothing below, and as giving the database away above.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flint import arb, ctx
from sympy import Expr, Rational, S

from symdp.formulas.balls import ball
from symdp.privacy.composition.heterogeneous import rational
from symdp.privacy.lattice.moments import Moments, Outcomes
from symdp.privacy.lattice.periodic import LatticeLaw
from symdp.privacy.lattice.saddlepoint import Cumulants, outcomes

#: Places on the lattice are decided with so many bits; a ball across a point goes to its outer side.
PLACING_BITS = 256
#: What moving thin tails costs, beside what it saves.
THIN = 0.125
#: Points at which a continuous law stands in for itself, where only a guess is wanted.
GUESSES = 33


@dataclass(frozen=True)
class Extent:
    """The lowest and the highest multiple of the step that is used, the mass that is cut off, and how
    far the lattice is to be moved down; what is near an unsure point goes to the point below it."""

    lowest: int
    highest: int
    cut: Any
    shift: Any
    unsure: frozenset[int] = frozenset()


class Loss(ABC):
    """The law of a privacy loss."""

    #: the probability of giving the database away
    delta_0: Expr = S.Zero

    @property
    @abstractmethod
    def largest(self) -> Expr | None:
        """The largest loss; None if there is none."""

    @property
    @abstractmethod
    def marks(self) -> list[Expr]:
        """The losses other than 0 that have positive mass: the lattice goes through them if it can."""

    @abstractmethod
    def ends(self, tail: Any) -> tuple[Any, Any]:
        """Balls below and above which there is at most that mass under P (none where losses end)."""

    @abstractmethod
    def extent(self, step: Expr, side: int, tail: Any) -> Extent:
        """Where the law lies on the multiples of the step, rounded down or gathered (-1), or spread (1)."""

    @abstractmethod
    def placed(self, step: Expr, side: int, tail: Any) -> dict[int, Any]:
        """Its masses there, which sum to one less what was cut off."""

    @abstractmethod
    def cumulants(self, many: int) -> Cumulants:
        """Of that many, in floating point: hints."""

    def moments(self) -> Moments | None:
        """At complex orders, given that the database is not given away; None if they are not known."""
        return None

    #: whether there are no more losses than integers, none of them rounded where they are on the lattice
    discrete: bool = False
    #: what is added to every multiple of the step in such a law
    lattice_offset: Expr = S.Zero

    def lattice_law(self, step: Expr) -> LatticeLaw | None:
        """Infinitely many losses that are all multiples of the step; None if they are not, or are listed."""
        return None


class FiniteLosses(Loss):
    """Finitely many losses with their masses under P, given that the database is not given away."""

    discrete = True

    def __init__(self, atoms: Sequence[tuple[Expr, Expr]], delta_0: Expr = S.Zero) -> None:
        self.atoms, self.delta_0 = tuple(atoms), delta_0
        with ctx.workprec(128):
            self._floats = [(float(ball(loss).mid()), float(ball(mass).mid())) for loss, mass in atoms]

    @property
    def largest(self) -> Expr | None:
        with ctx.workprec(128):
            return max((loss for loss, _ in self.atoms), key=lambda loss: float(ball(loss).mid()))

    @property
    def marks(self) -> list[Expr]:
        return [loss for loss, _ in self.atoms if loss != 0]

    def ends(self, tail: Any) -> tuple[Any, Any]:
        values = [ball(loss) for loss, _ in self.atoms]
        low = high = values[0]
        for value in values[1:]:
            low, high = low.min(value), high.max(value)
        return low, high

    def extent(self, step: Expr, side: int, tail: Any) -> Extent:
        places = [place(loss, step, way) for loss, _ in self.atoms for way in (-1, side)]
        return Extent(min(places), max(places), arb(0), arb(0))

    def placed(self, step: Expr, side: int, tail: Any) -> dict[int, Any]:
        masses: dict[int, Any] = {}
        for loss, mass in self.atoms:
            _place_atom(masses, loss, ball(mass), step, side)
        return masses

    def cumulants(self, many: int) -> Cumulants:
        return outcomes([loss for loss, _ in self._floats], [mass for _, mass in self._floats], many)

    def moments(self) -> Moments:
        return Outcomes(lambda: [(ball(loss), ball(mass)) for loss, mass in self.atoms])


class ContinuousLoss(Loss):
    """A law with a density, and perhaps with atoms at its ends."""

    def __init__(self) -> None:
        self._extents: dict[Any, Extent] = {}

    @property
    def marks(self) -> list[Expr]:
        return [loss for loss, _ in self.atoms()]

    @abstractmethod
    def grid(self, points: Sequence[Any]) -> list[tuple[Any, Any]]:
        """The masses of the continuous part between neighbouring points, under P and under Q."""

    @abstractmethod
    def outside(self, low: Any, high: Any) -> tuple[Any, Any]:
        """The mass under P below the one and above the other."""

    @abstractmethod
    def atoms(self) -> list[tuple[Expr, Any]]:
        """Losses with positive mass under P."""

    def extent(self, step: Expr, side: int, tail: Any) -> Extent:
        key = step, side, tail
        if key not in self._extents:
            self._extents[key] = self._extent(step, side, tail)
        return self._extents[key]

    def _extent(self, step: Expr, side: int, tail: Any) -> Extent:
        with ctx.workprec(PLACING_BITS):
            unit, (low, high) = ball(step), self.ends(tail)
            first, last = _outer(low / unit, -1), _outer(high / unit, 1)
            below, above = self.outside(unit * first, unit * last)
            if side > 0:
                return Extent(first, last, above, arb(0))
            offsets, unsure = [], []
            for n, (on_p, on_q) in self._gathered(step, first, last).items():
                if on_p > 0 and on_q > 0:
                    offsets.append((unit * n + (on_q / on_p).log(), n, float(on_p.mid())))
                else:
                    unsure.append(n)  # mostly nothing is there, and certainly very little
            # A few cells in thin tails would move the whole lattice: they go to the point below themselves.
            offsets.sort(key=lambda cell: float(cell[0].mid()), reverse=True)
            moved, size = 0.0, float(unit.mid())
            for count, (offset, n, mass) in enumerate(offsets):
                moved += mass * size
                if moved > THIN * float(offset.mid()):
                    offsets = offsets[count:]
                    break
                unsure.append(n)
            shift = arb(0)
            for offset, _, _ in offsets:
                shift = shift.max(offset)
            return Extent(first - 1, last, below, shift.upper(), frozenset(unsure))

    def placed(self, step: Expr, side: int, tail: Any) -> dict[int, Any]:
        unit, extent = ball(step), self.extent(step, side, tail)
        first, last = extent.lowest, extent.highest
        masses: dict[int, Any] = {}
        if side < 0:
            for n, (on_p, _) in self._gathered(step, first + 1, last).items():
                _add(masses, n - 1 if n in extent.unsure else n, on_p)
            _add(masses, last, self.outside(unit * first, unit * last)[1])  # rounded down
            return masses
        below = self.outside(unit * first, unit * last)[0]
        for n, (on_p, on_q) in enumerate(self.grid([unit * n for n in range(first, last + 1)]), first):
            spread_between(masses, unit, n, n + 1, on_p, on_q)
        for loss, mass in self.atoms():
            _place_atom(masses, loss, mass, step, side)
        _add(masses, first, below)  # rounded up
        return masses

    def _gathered(self, step: Expr, first: int, last: int) -> dict[int, tuple[Any, Any]]:
        """What is nearest to each point, under P and under Q; atoms besides are at or below their loss."""
        unit = ball(step)
        atoms = [(place(loss, step, -1), mass) for loss, mass in self.atoms()]
        # Half a cell without an atom at its upper end would lie far below it; the one before takes it.
        highest = last if any(at == last for at, _ in atoms) else last - 1
        points = [unit * first, *(unit * n + unit / 2 for n in range(first, highest)), unit * last]
        cells = dict(enumerate(self.grid(points), first))
        for at, mass in atoms:
            on_p, on_q = cells[at]
            # A loss above its point may count as one at it, under Q as well.
            cells[at] = on_p + mass, on_q + mass * (-unit * at).exp()
        return cells


@lru_cache(maxsize=4096)
def place(loss: Expr, step: Expr, side: int) -> int:
    """The multiple of the step at or below (-1), or at or above (1), a loss.

    >>> from sympy import log
    >>> place(log(4), log(2), -1), place(log(4), log(2), 1), place(log(3), log(2), 1)
    (2, 2, 2)
    """
    ratio = loss / step
    with ctx.workprec(PLACING_BITS):
        at = ball(ratio)
        if at.contains_integer():
            ratio = rational(ratio)
    if isinstance(ratio, Rational):
        return int(ratio.p) // int(ratio.q) if side < 0 else -(-int(ratio.p) // int(ratio.q))
    return _outer(at, side)


def _outer(at: Any, side: int) -> int:
    return int((at.lower().floor() if side < 0 else at.upper().ceil()).unique_fmpz())


def differences(values: Sequence[Any]) -> list[Any]:
    """Of each value and the one before it."""
    return [y - x for x, y in itertools.pairwise(values)]


def _place_atom(masses: dict[int, Any], loss: Expr, mass: Any, step: Expr, side: int) -> None:
    down, up = place(loss, step, -1), place(loss, step, 1)
    if side < 0 or up == down:
        _add(masses, down, mass)
    else:
        spread_between(masses, ball(step), down, up, mass, mass * (-ball(loss)).exp())


def _add(masses: dict[int, Any], at: int, mass: Any) -> None:
    masses[at] = masses[at] + mass if at in masses else mass


def spread_between(masses: dict[int, Any], unit: Any, down: int, up: int, on_p: Any, on_q: Any) -> None:
    """A mass between two points, put at both, so that it is kept under P and under Q."""
    at_up, at_down = (-unit * up).exp(), (-unit * down).exp()
    lower = (on_q - on_p * at_up) / (at_down - at_up)
    _add(masses, down, lower)
    _add(masses, up, on_p - lower)
