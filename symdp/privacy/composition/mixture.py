r"""The composition of mechanisms of different kinds: Laplace, Gaussian, finite, and (eps, delta).

Where the moments of all losses are known and fall fast enough, delta is computed from their product
(:mod:`symdp.privacy.lattice.inversion`), whatever the counts are. Else the losses are put on one lattice, once so
that delta cannot rise and once so that it cannot fall (see :mod:`symdp.privacy.lattice.losses`); the truth is
between the two. Those that add up to one, as Gaussians do, are first made one.
Where every loss is a multiple of one number, nothing is rounded, and all digits are certain.

>>> from symdp.privacy.mechanisms.every import Gaussian, Geometric, Laplace, RandomisedResponse
>>> mixed = Mixture([(Laplace.private("0.5"), 4), (Gaussian(4), 1), (RandomisedResponse("0.3"), 2)])
>>> print(mixed.epsilon(delta="1e-6"))
4.425451723427882111
>>> exact = Mixture([(Geometric("0.2", sensitivity=2), 3), (RandomisedResponse("0.5", "1e-3"), 2)])
>>> print(exact.delta(epsilon="0.6"))
0.136278074177438267
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, TypeVar

from flint import arb, ctx
from sympy import Expr, Rational, S

from symdp.formulas.balls import ball
from symdp.formulas.printing import to_text
from symdp.numbers import quantity
from symdp.numbers.decimals import INFINITY, Enclosure, NotReached, decimal_above
from symdp.numbers.quantity import NOTHING_COMPOSED, BadQuantity, Quantity, digits_wanted, times
from symdp.privacy.composition import inverted, on_lattice
from symdp.privacy.composition.both_ways import BothWays
from symdp.privacy.composition.composed import DIGITS, ROUNDED_DIGITS, enclose_exactly, reach
from symdp.privacy.composition.cut_off import CutOff
from symdp.privacy.composition.heterogeneous import Heterogeneous, Part, shared_lattice
from symdp.privacy.lattice.convolution import (
    MOST_CELLS,
    Advance,
    Factor,
    Lattice,
    SumOfLosses,
    TooFewBits,
)
from symdp.privacy.lattice.losses import FiniteLosses, Loss
from symdp.privacy.lattice.moments import TooSlow
from symdp.privacy.lattice.profile import epsilon_at
from symdp.privacy.lattice.saddlepoint import Cumulants, guess_epsilon, tilt_for
from symdp.privacy.pairs.pair import Mechanism, one_kind_of_neighbours

THEOREM = "the privacy losses of all mechanisms, added"
NEAR_ONE = "the affinities of the laws, multiplied: delta is near one"
#: If no lattice is given, losses go to one of at least so many points, on which the losses of the most
#: private mechanism are this many apart, unless that makes too many points.
CELLS, APART, TOO_MANY = 1 << 13, 32, 1 << 17
#: Otherwise the step is this part of the deviation of a single loss, as for laws that are wide and thin.
SMALL_PART = 1 / 1024
#: More bits would take minutes.
MOST_BITS = 512
#: A lattice of so few points is quickest as it is.
FEW_CELLS = 1 << 12
#: So few mechanisms are quickest on a lattice of all their sums.
FEW_MECHANISMS = 64
TOO_COARSE = "the resolution is too coarse to say more; a finer one does"
SAYS_NOTHING = ("no two useful ends were found for this composition; give a finer resolution, fewer mechanisms, or "
                "mechanisms known by their epsilon and delta")
CHERNOFF = "Chernoff's bound, by a moment of the privacy losses"
ONLY_CHERNOFF = "nothing better than an upper end was found; give a finer resolution, or fewer mechanisms"
#: The order of the mean that tells how near delta is to one; -1/2 itself is a removable pole of some closed forms.
NEAR_ORDER = -63 / 128
#: Of ends farther apart than this part of the upper one, nearer ones are looked for.
APART_ENOUGH = Decimal("0.02")
#: Fewer than so many with moments that cost much are quicker on a lattice.
FEW_DEAR = 1000
#: What is cut off of a Gaussian is this small beside the delta that is asked for.
NEGLIGIBLE = Rational(1, 2**40)


class Mixture(BothWays):
    """Mechanisms and how many there are of each; both ways round, the databases may be exchanged."""

    theorem = THEOREM

    def __init__(self, mechanisms: Sequence[tuple[Mechanism, Quantity]],
                 resolution: Quantity | None = None, advance: Advance | None = None) -> None:
        many = [(mechanism, times(n, "count")) for mechanism, n in mechanisms]
        if not many:
            raise BadQuantity(f"there is no mechanism to compose: {NOTHING_COMPOSED}")
        for mechanism, _ in many:
            mechanism._must_be_numeric()
        one_kind_of_neighbours(mechanism for mechanism, _ in many)
        self.k = sum(n for _, n in many)
        ways = {mechanism.directions for mechanism, _ in many if not mechanism.symmetric} or {(False,)}
        if len(ways) > 1:
            raise BadQuantity("mechanisms compose for one kind of neighbours: say the same neighbours=... for all")
        self.ways = [_OneWay(many, way, resolution, advance) for way in ways.pop()]


class _OneWay:
    """The losses under P, or with the databases exchanged."""

    def __init__(self, mechanisms: Sequence[tuple[Mechanism, int]], reverse: bool,
                 resolution: Quantity | None, advance: Advance | None) -> None:
        self._advance, self._asked = advance, resolution is not None
        self.losses: list[tuple[Loss, int]] = [(m.loss(reverse), n) for m, n in _made_one(mechanisms)]
        tops = [loss.largest * n for loss, n in self.losses if loss.largest is not None]
        #: the largest privacy loss; None with Gaussian noise, where there is none
        self.total: Expr | None = sum(tops, S.Zero) if len(tops) == len(self.losses) else None
        self._leaks = Heterogeneous([Part(S.Zero, loss.delta_0, n) for loss, n in self.losses])
        self.step, self.rounded = self._choose(resolution)
        known = [(loss.moments(), n) for loss, n in self.losses] if self.rounded and resolution is None else []
        #: their moments, if the ends can come from those; nothing is rounded then
        self.moments = [(moments, n) for moments, n in known if moments is not None and n > 0]
        if len(self.moments) < len(self.losses):
            self.moments = []
        self._many = self._by_one_period(resolution)
        self._coarse = self._by_coarse_period(resolution)
        self._placed: dict[tuple[int, int, int], dict[int, Any]] = {}
        self._cut_off = CutOff([(loss, n) for loss, n in self.losses if n > 0], self._cumulants, self._leaks
                               ) if self.rounded and resolution is None else None
        self._dear = any(moments.dear for moments, _ in self.moments) and sum(n for _, n in self.moments) < FEW_DEAR
        self._few = sum(n for _, n in self.losses) < FEW_MECHANISMS
        self._rounding = (f"losses to multiples of {to_text(self.step)}: gathered for the lower end, spread for the "
                          "upper one; a finer resolution brings the ends nearer") if self.rounded else ""

    # --- what it answers ------------------------------------------------------------------------

    def delta(self, epsilon: Quantity, digits: int) -> Enclosure:
        digits, at = digits_wanted(digits), quantity.epsilon(epsilon)
        if self._leaks.leaks_exactly(S.One) or (
            self.total is not None and quantity.sign(at - self.total, "epsilon") >= 0
        ):
            return self._leaks._leak(digits)
        sure = self._surely_near_one(at, digits)
        if sure is not None and Decimal(1) - sure.lower <= Decimal(10) ** -digits:
            return sure
        tried = [self._by_moments_delta] if self.moments and not self._dear else []
        quick = [way.delta for way in (self._many, self._coarse, self._cut_off) if way is not None]
        # For few mechanisms a lattice of all their sums is the finest.
        rest = [self._delta_on_lattice, *quick] if self._few else [*quick, self._delta_on_lattice]
        tried += [*rest, self._by_moments_delta] if self._dear else rest
        return _nearest(lambda way: way(at, digits), [*tried, self._delta_near_one, self._delta_by_chernoff])

    def _by_moments_delta(self, at: Expr, digits: int) -> Enclosure | None:
        try:
            ends = inverted.delta_ends(self.moments, lambda: ball(at), digits)
        except TooSlow:
            return None
        with ctx.workprec(4 * digits + 128):
            leak = -self._leaks.log_survival().expm1()
            lower, upper = (leak + (1 - leak) * end for end in ends)
            return Enclosure.between(lower, upper, digits, inverted.THEOREM)

    def _surely_near_one(self, at: Expr, digits: int) -> Enclosure | None:
        """Where delta differs from one by less than the digits show, nothing else need be computed."""
        try:
            about = self._cumulants()(NEAR_ORDER)[0] - NEAR_ORDER * float(ball(at).mid())
        except (OverflowError, ValueError):
            return None
        return self._delta_near_one(at, digits) if about < -(digits + 1) * math.log(10) else None

    def _delta_near_one(self, at: Expr, digits: int) -> Enclosure | None:
        r"""$\delta \ge 1 - e^{c\varepsilon} \prod E\,e^{-cL}$ for $0 < c < 1$, since
        $1 - (1 - e^{-x})^+ = \min(1, e^{-x}) \le e^{-cx}$.

        Each mean is a moment, where that is known; else it is taken of losses rounded down or gathered, which lowers
        delta, on a lattice of its own."""
        with ctx.workprec(4 * digits + 128):
            order, known = arb(NEAR_ORDER), [(loss.moments(), n) for loss, n in self.losses if n > 0]
            log_mean, lost = arb(0), arb(0)
            for moments, n in known:
                log_mean += arb.nan() if moments is None else moments.real(order).log() * n
            mean = log_mean.exp()
            if not log_mean.is_finite():
                mean, lost = self._mean(order, -1, digits)
            leak = -self._leaks.log_survival().expm1()
            lower = leak + (1 - leak) * (1 - lost - mean * (-order * ball(at)).exp())
            return Enclosure.between(lower, arb(1), digits, NEAR_ONE) if lower > 0 else None

    def _delta_by_chernoff(self, at: Expr, digits: int) -> Enclosure | None:
        """An upper end where nothing else says anything; the lower one is what is given away."""
        most, leak = self.at_most(at), self._leaks._leak(digits)
        if most >= 1 or most < leak.lower:
            return None
        return Enclosure(leak.lower, most, CHERNOFF, ONLY_CHERNOFF)

    def at_most(self, epsilon: Quantity) -> Decimal:
        r"""No more than this is delta, by Chernoff's bound: $(1 - e^{-x})^+ \le e^{cx}$. It costs little."""
        at = quantity.epsilon(epsilon)
        tilt = max(tilt_for(self._cumulants(), float(ball(at).mid())), 0.0)
        least = Decimal(1)
        with ctx.workprec(256):
            leak = -self._leaks.log_survival().expm1()
            # A smaller order may be better on a lattice that ends a little above the largest loss.
            for order in (arb(tilt) / 4**n for n in range(6)):
                mean, lost = self._moment_or_mean(order)
                upper = leak + (1 - leak) * (lost + mean * (-order * ball(at)).exp())
                if upper.is_finite():
                    least = min(decimal_above(upper, DIGITS), least)
        return least

    def _moment_or_mean(self, order: Any) -> tuple[Any, Any]:
        """The mean of e^(order L) of the sum, by moments where they are known, else of losses spread on lattices."""
        if self.moments:
            try:
                log_mean = sum((moments.real(order).log() * n for moments, n in self.moments), arb(0))
            except TooSlow:
                log_mean = arb.nan()
            if log_mean.is_finite():
                return log_mean.exp(), arb(0)
        return self._mean(order, 1, DIGITS)

    def _mean(self, order: Any, side: int, digits: int) -> tuple[Any, Any]:
        """The mean of e^(order L) of the sum of losses put on lattices, and what is not on those."""
        log_mean, log_kept, tail = arb(0), arb(0), arb(2) ** -(4 * digits + 64)
        for loss, n in self.losses:
            low, high = loss.ends(tail)
            width = float((high - low).mid())
            if not width > 0:
                log_mean += order * high * n
                continue
            step = Rational(2) ** math.floor(math.log2(width / CELLS))
            extent, unit = loss.extent(step, side, tail), ball(step)
            key = id(loss), side, ctx.prec
            if key not in self._placed:
                self._placed[key] = loss.placed(step, side, tail)
            mean = sum((mass * (order * unit * j).exp() for j, mass in self._placed[key].items()), arb(0))
            log_mean += (mean.log() - order * extent.shift) * n
            log_kept += (-extent.cut).log1p() * n
        return log_mean.exp(), -log_kept.expm1()

    def _delta_on_lattice(self, at: Expr, digits: int) -> Enclosure | None:
        near = float(ball(at).mid())
        tilt = tilt_for(self._cumulants(), near)
        # About as large as delta is, by Chernoff's bound: what is cut off is to be small beside it.
        tail = ((arb(self._cumulants()(max(tilt, 0.0))[0]) - arb(max(tilt, 0.0)) * near).exp().min(arb(1))
                * ball(NEGLIGIBLE) ** 2).mid()
        if not tail > 0:  # no ball holds a number so near to zero
            return None

        def compute() -> tuple[Any, Any]:
            point, leak = ball(at), -self._leaks.log_survival().expm1()
            ends = [leak + (1 - leak) * self._height(side, tilt, tail, point) for side in (-1, 1)]
            return ends[0].max(leak), ends[1].min(arb(1))

        try:
            found = self._enclosure(*self._reached(compute, digits), digits)
        except NotReached:
            return None
        except BadQuantity:
            if self._asked:
                raise
            return None  # nobody asked for this lattice
        # A wide ball may reach beyond what a probability can be.
        lower, upper = max(found.lower, Decimal(0)), min(found.upper, Decimal(1))
        return Enclosure(lower, upper, found.theorem, found.note, found.rounded)

    def epsilon(self, delta: Quantity, digits: int) -> Enclosure:
        digits, level = digits_wanted(digits), quantity.probability(delta)
        if level == 1:
            return Enclosure.exactly(0, THEOREM, "every mechanism is (0, 1)-private")
        over = self._leaks._sign_over_leak(level)
        if over < 0:
            return Enclosure.exactly(INFINITY, THEOREM, (
                f"no epsilon is enough: with probability {self._leaks._leak(digits)} one of the "
                f"mechanisms gives the database away, and {quantity.shown(level)} is less"))
        if over == 0:
            if self.total is None:
                return Enclosure.exactly(INFINITY, THEOREM, "the loss of Gaussian noise has no bound")
            return enclose_exactly(self.total, digits, THEOREM, "")
        tried = [self._by_moments_epsilon] if self.moments and not self._dear else []
        quick = [way.epsilon for way in (self._many, self._coarse, self._cut_off) if way is not None]
        rest = [self._epsilon_on_lattice, *quick] if self._few else [*quick, self._epsilon_on_lattice]
        tried += [*rest, self._by_moments_epsilon] if self._dear else rest
        return _nearest(lambda way: way(level, digits), tried)

    def _by_moments_epsilon(self, level: Expr, digits: int) -> Enclosure | None:
        try:
            ends = inverted.epsilon_ends(self.moments, lambda: self._given_no_leak(level), digits)
        except TooSlow:
            return None
        return Enclosure.between(*ends, digits, inverted.THEOREM)

    def _epsilon_on_lattice(self, level: Expr, digits: int) -> Enclosure | None:
        def compute() -> tuple[Any, Any]:
            target = self._given_no_leak(level)
            if not target > 0:
                return arb.nan(), arb.nan()
            tail = (target * ball(NEGLIGIBLE)).mid().min(arb(2) ** -64)
            near, tilt = guess_epsilon(self._cumulants(), float(target.log().mid()))
            ends = []
            for side in (-1, 1):
                profile, lost = self._profile(side, tilt, tail)
                wanted = (target if side < 0 else target - lost) / (1 - lost)
                if not wanted > 0:
                    return arb.nan(), arb.nan()
                if not wanted < 1:
                    ends.append(arb(0) if wanted >= 1 else arb.nan())
                    continue
                start = (profile.cell_of(arb(near)) or (profile.last, 0))[0]
                ends.append(epsilon_at(profile, wanted, start)[0])
            return ends[0].max(arb(0)), ends[1]

        try:
            return self._enclosure(*self._reached(compute, digits), digits)
        except BadQuantity:
            if self._asked:
                raise
            return None
        except NotReached:
            if self.total is None:
                return None
            return self._enclosure(arb(0), ball(self.total), digits, TOO_COARSE)

    def _by_one_period(self, resolution: Quantity | None) -> OnePeriod | None:
        """Where the lattice would have many points: a way whose cost does not grow with them."""
        present = [(loss, n) for loss, n in self.losses if n > 0]
        if resolution is not None or not present:
            return None
        listed = all(isinstance(loss, FiniteLosses) for loss, _ in present)
        if not self.rounded:
            if listed and self._width <= FEW_CELLS * float(ball(self.step).mid()):
                return None
            apart = shared_lattice([mark for loss, _ in present for mark in loss.marks])
            if apart is not None and all(isinstance(loss, FiniteLosses) or loss.lattice_law(abs(apart)) is not None
                                         for loss, _ in present):
                return OnePeriod(present, abs(apart), True, self._cumulants, self._leaks)
            return OnePeriod(present, self.step, False, self._cumulants, self._leaks)
        many = sum(n for _, n in present)
        if many < FEW_MECHANISMS or not self._cumulants()(0.0)[2] > 0:
            return None
        return OnePeriod(present, None, False, self._cumulants, self._leaks)

    def _by_coarse_period(self, resolution: Quantity | None) -> OnePeriod | None:
        """The same on the lattice of the atoms alone: where nearly all of the mass is there, nothing finer is needed,
        and the moments, which come back after a period, do not fall."""
        if resolution is not None or not self.rounded or self._many is None:
            return None
        shared = self._shared()
        return None if shared is None else OnePeriod(self._many.losses, shared, False, self._cumulants, self._leaks)

    def _given_no_leak(self, level: Expr) -> Any:
        """The delta that is left for the losses, given that nothing is given away."""
        leak = -self._leaks.log_survival().expm1()
        return (ball(level) - leak) / (1 - leak)

    # --- how ------------------------------------------------------------------------------------

    def _reached(self, compute: Callable[[], tuple[Any, Any]], digits: int) -> tuple[Any, Any]:
        def tried() -> tuple[Any, Any]:
            try:
                return compute()
            except TooFewBits:
                return arb.nan(), arb.nan()

        return reach(tried, min(digits, ROUNDED_DIGITS) if self.rounded else digits, MOST_BITS)

    def _enclosure(self, lower: Any, upper: Any, digits: int, note: str = "") -> Enclosure:
        shown = min(digits, ROUNDED_DIGITS) if self.rounded else digits
        return Enclosure.between(lower, upper, shown, THEOREM, note, self._rounding)

    def _height(self, side: int, tilt: float, tail: Any, epsilon: Any) -> Any:
        profile, lost = self._profile(side, tilt, tail)
        inside = (1 - lost) * profile.height(epsilon)
        return inside if side < 0 else inside + lost

    def _profile(self, side: int, tilt: float, tail: Any) -> tuple[SumOfLosses, Any]:
        """The lines of the sum on the lattice, and how much of the mass is not there."""
        extents = [(loss.extent(self.step, side, tail), n) for loss, n in self.losses]
        top = sum(e.highest * n for e, n in extents)
        cells = sum((e.highest - e.lowest) * n for e, n in extents)
        lost = -sum(((-e.cut).log1p() * n for e, n in extents), arb(0)).expm1()

        def factors() -> list[Factor]:
            found = []
            for loss, n in self.losses:
                extent, masses = loss.extent(self.step, side, tail), loss.placed(self.step, side, tail)
                found.append(Factor([(extent.highest - at, masses[at] / (1 - extent.cut))
                                     for at in sorted(masses, reverse=True)], n))
            return found

        shift = sum((e.shift * n for e, n in extents), arb(0))
        positive = int((top - shift / ball(self.step)).upper().ceil().unique_fmpz())
        lattice = Lattice(top=lambda: ball(self.step) * top - shift, step=lambda: ball(self.step),
                          factors=factors, cells=max(cells, 1), last=max(positive, 0),
                          many=sum(n for _, n in self.losses))
        return SumOfLosses(lattice, tilt, self._advance), lost

    def _cumulants(self) -> Cumulants:
        each = [loss.cumulants(n) for loss, n in self.losses]

        def cumulants(tilt: float) -> tuple[float, float, float]:
            values = [one(tilt) for one in each]
            return sum(v[0] for v in values), sum(v[1] for v in values), sum(v[2] for v in values)

        return cumulants

    def _choose(self, resolution: Quantity | None) -> tuple[Expr, bool]:
        """The step of the lattice, and whether losses are rounded to it."""
        with ctx.workprec(64):
            ends = [(loss.ends(arb(2) ** -100), n) for loss, n in self.losses]
            width = self._width = sum(float((high - low).mid()) * n for (low, high), n in ends)
        if width == 0:
            return S.One, False
        if resolution is not None:
            step = quantity.within(resolution, "resolution", 0, None, open_below=True)
        else:
            shared = self._shared()
            size = 0.0 if shared is None else float(ball(shared).mid())
            if shared is not None and all(loss.discrete for loss, _ in self.losses):
                return shared, False
            smallest = min(float((high - low).mid()) for (low, high), _ in ends if high > low)
            # What a lattice of that step adds to a loss of the sum is small beside its deviation.
            fine = width / (SMALL_PART * math.sqrt(max(self._cumulants()(0.0)[2] / sum(n for _, n in ends), 1e-300)))
            wanted = min(max(CELLS, 2 * APART * width / smallest, min(fine, 4 * CELLS)), TOO_MANY)
            step = Rational(2) ** math.floor(math.log2(width / wanted))
            if shared is not None and width / size <= TOO_MANY:  # then all atoms are on the lattice
                step = shared / 2 ** max(math.ceil(math.log2(wanted * size / width)), 0)
        cells = width / float(ball(step).mid())
        if cells > MOST_CELLS:
            raise BadQuantity(f"a resolution of {to_text(step)} makes {cells:.0f} losses, more than "
                              f"{MOST_CELLS}; give a coarser one")
        return step, True

    def _shared(self) -> Expr | None:
        """A number of which all losses with positive mass are multiples."""
        found = [mark for loss, _ in self.losses for mark in (*loss.marks, loss.lattice_offset) if mark != 0]
        step = shared_lattice(found) if found else None
        return None if step is None else abs(step)


class OnePeriod:
    """The same losses by a sum over one period of a lattice; each answer is None where that takes too long."""

    def __init__(self, losses: Sequence[tuple[Loss, int]], step: Expr | None, exactly: bool,
                 hint: Callable[[], Cumulants], leaks: Heterogeneous) -> None:
        self.losses, self.step, self.exactly, self.leaks = losses, step or S.Zero, exactly, leaks
        made: list[Cumulants] = []

        def once() -> Cumulants:
            if not made:
                made.append(hint())
            return made[0]

        self.hint = once

    @property
    def rounding(self) -> str:
        return "" if self.exactly else (f"losses to multiples of {to_text(self.step)}, once so that delta cannot "
                                        "rise and once so that it cannot fall")

    def delta(self, at: Expr, digits: int) -> Enclosure | None:
        """The smallest delta for an epsilon."""
        shown = digits if self.exactly else min(digits, ROUNDED_DIGITS)
        try:
            if self.exactly:
                whole = on_lattice.exact(self.losses, self.step, self.hint)
                ends = inverted.delta_ends(whole, lambda: ball(at), digits)
            else:
                value = self.hint()
                tilt = max(tilt_for(value, float(ball(at).mid())), 0.0)
                about = (arb(value(tilt)[0]) - arb(tilt) * float(ball(at).mid())).exp().min(arb(1)) * ball(NEGLIGIBLE)
                two = self._two(about.mid() * 2 ** 20)
                lower = inverted.delta_ends(two.lower, lambda: ball(at) + two.moved, shown)[0]
                upper = inverted.delta_ends(two.upper, lambda: ball(at), shown)[1]
                ends = ((lower * (1 - two.lost_below) - two.unlikely).max(arb(0)),
                        upper * (1 - two.lost_above) + two.lost_above)
        except TooSlow:
            return None
        with ctx.workprec(4 * digits + 128):
            leak = -self.leaks.log_survival().expm1()
            lower, upper = (leak + (1 - leak) * end for end in ends)
            found = Enclosure.between(lower, upper, shown, self._theorem, rounded=self.rounding)
            # A wide ball may reach beyond what a probability can be.
            return replace(found, lower=max(found.lower, Decimal(0)), upper=min(found.upper, Decimal(1)))

    def epsilon(self, level: Expr, digits: int) -> Enclosure | None:
        """The smallest epsilon for a delta that is more than what is given away."""

        def target() -> Any:
            leak = -self.leaks.log_survival().expm1()
            return (ball(level) - leak) / (1 - leak)

        shown = digits if self.exactly else min(digits, ROUNDED_DIGITS)
        try:
            if self.exactly:
                ends = inverted.epsilon_ends(on_lattice.exact(self.losses, self.step, self.hint), target, digits)
                return Enclosure.between(*ends, digits, self._theorem)
            with ctx.workprec(128):
                small = (target() * arb(2) ** -24).lower()
            if not small > 0:
                return None
            two = self._two(small)
            lower = inverted.epsilon_ends(
                two.lower, lambda: (target() + two.unlikely) / (1 - two.lost_below), shown)[0]
            upper = inverted.epsilon_ends(
                two.upper, lambda: (target() - two.lost_above) / (1 - two.lost_above), shown)[1]
            return Enclosure.between((lower - two.moved).max(arb(0)), upper, shown, self._theorem,
                                     rounded=self.rounding)
        except TooSlow:
            return None

    def _two(self, small: Any) -> on_lattice.TwoSided:
        many = sum(n for _, n in self.losses)
        tail = (small * arb(2) ** -20 / many).mid().min(arb(2) ** -64)
        if self.step == 0:
            deviation = math.sqrt(max(self.hint()(0.0)[2] / many, 1e-300))
            found = on_lattice.fine_step(self.losses, deviation, tail)
            if found is None:
                raise TooSlow("a law has too many points on a fine lattice")
            self.step = found
        return on_lattice.two_sided(self.losses, self.step, tail, small, self.hint)

    @property
    def _theorem(self) -> str:
        return on_lattice.EXACT if self.exactly else on_lattice.ROUNDED


Way = TypeVar("Way")


def _nearest(answer: Callable[[Way], Enclosure | None], ways: Sequence[Way]) -> Enclosure:
    """The first answer whose ends are near each other, or that whose ends are nearest; refused if none says much."""
    best: Enclosure | None = None
    for way in ways:
        found = answer(way)
        if found is None or not found.upper.is_finite():
            continue
        if found.upper - found.lower <= APART_ENOUGH * found.upper:
            return found
        if best is None or found.upper - found.lower < best.upper - best.lower:
            best = found
    if best is None or (best.lower == 0 and best.upper == 1 and not best.note):
        raise BadQuantity(SAYS_NOTHING)
    return best


def _made_one(mechanisms: Sequence[tuple[Mechanism, int]]) -> list[tuple[Mechanism, int]]:
    """The mechanisms, with those of a kind that adds up, such as Gaussian noise, made one."""
    found: list[tuple[Mechanism, int]] = []
    for kind in dict.fromkeys(type(m) for m, _ in mechanisms):
        several = [(m, n) for m, n in mechanisms if type(m) is kind]
        one = kind.as_one(several)
        found += several if one is None else [(one, 1)]
    return found
