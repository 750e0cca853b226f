r"""Any number of mechanisms on one lattice, by :mod:`symdp.privacy.lattice.periodic`: exactly, or between two ends.

Where every loss is a multiple of one number, nothing is rounded. Otherwise a law with a density is gathered for the
lower end and spread for the upper one (:mod:`symdp.privacy.lattice.losses`); both are off by the square of the step.
Of finitely many losses the spread ones serve for both ends.

**Why.** Spreading adds to each loss an independent $D$ of at most two values, $\Delta$ apart, with
$E\,e^{-D} = 1$ under P. By Hoeffding's lemma $0 \le E\,D \le \Delta^2/8$, and by his inequality the
sum of $K$ of them exceeds $\theta = K\Delta^2/8 + \Delta\sqrt{K\log(1/\tau)/2}$ with probability at
most $\tau$. Where it does not, $1 - e^{\varepsilon + \theta - L - D} \le 1 - e^{\varepsilon - L}$. Hence
$\delta(\varepsilon) \ge \delta_{spread}(\varepsilon + \theta) - \tau$.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, ctx
from sympy import Expr, Rational, S

from symdp.formulas.balls import ball
from symdp.privacy.composition.heterogeneous import shared_lattice
from symdp.privacy.composition.inverted import Transform
from symdp.privacy.lattice.losses import FiniteLosses, Loss, place
from symdp.privacy.lattice.periodic import LatticeLaw, Periodic, PlacedLaw
from symdp.privacy.lattice.saddlepoint import Cumulants

EXACT = "the moments of privacy losses on a lattice, multiplied and inverted by a sum over one period"
ROUNDED = f"{EXACT}, after rounding losses to the lattice"
#: The step is this part of the deviation of a loss: of a law with a density, and of finitely many losses.
FINE, FINE_FEW = 1 << 11, 1 << 11
#: A law of more points than this would take seconds.
MOST_POINTS = 1 << 15

Losses = Sequence[tuple[Loss, int]]


@dataclass(frozen=True)
class TwoSided:
    """A sum that is at most, and one that is at least, as revealing, with what is lost and moved."""

    lower: Transform
    upper: Transform
    #: the mass that is not on the lattice
    lost_below: Any
    lost_above: Any
    #: how far epsilon is moved for the lower end, and with which probability that is too little
    moved: Any
    unlikely: Any


def exact(losses: Losses, step: Expr, hint: Callable[[], Cumulants]) -> Transform:
    """Of losses that are all multiples of the step."""
    laws = [(loss.lattice_law(step) or PlacedLaw(_masses(loss, step, 0, arb(1))), n) for loss, n in losses]
    start = sum((loss.lattice_offset * n for loss, n in losses), S.Zero)
    return _transform(laws, step, lambda: ball(start), hint)


def fine_step(losses: Losses, deviation: float, tail: Any) -> Expr | None:
    """A step that is fine beside the deviation of one loss; None if a law has too many points on it."""
    few = all(isinstance(loss, FiniteLosses) for loss, _ in losses)
    wanted = deviation / (FINE_FEW if few else FINE)
    step = Rational(2) ** math.floor(math.log2(wanted))
    marks = [mark for loss, _ in losses for mark in loss.marks]
    shared = shared_lattice(marks) if marks else None
    if shared is not None:  # then all atoms are on the lattice, and none is rounded
        size = float(ball(abs(shared)).mid())
        if size < wanted:
            return None if size < wanted / 64 else abs(shared)
        step = abs(shared) / 2 ** math.ceil(math.log2(size / wanted))
    while True:
        with ctx.workprec(64):
            ends = [loss.ends(tail) for loss, _ in losses if not isinstance(loss, FiniteLosses)]
            widest = max((float((high - low).mid()) for low, high in ends), default=0.0)
            unit = float(ball(step).mid())
        if widest / unit <= MOST_POINTS:
            return step
        step *= 2
        if unit > deviation / 8 or (shared is not None and 2 * unit > size):
            return None


def two_sided(losses: Losses, step: Expr, tail: Any, unlikely: Any, hint: Callable[[], Cumulants]) -> TwoSided:
    """Of losses that are rounded to the step; ``tail`` is what may be cut off each of them."""
    sides: list[Transform] = []
    lost: list[Any] = []
    spread = 0
    for side in (-1, 1):
        laws: list[tuple[LatticeLaw, int]] = []
        extents = []
        for loss, n in losses:
            few = isinstance(loss, FiniteLosses)
            if few and side < 0 and any(place(mark, step, -1) != place(mark, step, 1) for mark in loss.marks):
                spread += n
            extents.append((loss.extent(step, 1 if few else side, tail), n))
            laws.append((PlacedLaw(_masses(loss, step, 1 if few else side, tail)), n))
        lost.append(-sum(((-e.cut).log1p() * n for e, n in extents), arb(0)).expm1())
        shift = sum((e.shift * n for e, n in extents), arb(0))
        sides.append(_transform(laws, step, lambda shift=shift: -shift, hint))  # type: ignore[misc]
    moved = arb(0)
    if spread:
        with ctx.workprec(128):
            unit = ball(step)
            moved = (unit * unit * spread / 8 + unit * (-unlikely.log() * spread / 2).sqrt()).upper()
    return TwoSided(sides[0], sides[1], lost[0], lost[1], moved, unlikely if spread else arb(0))


def _masses(loss: Loss, step: Expr, side: int, tail: Any) -> Callable[[], dict[int, Any]]:
    def masses() -> dict[int, Any]:
        # Masses may come from differences of numbers a step apart, which costs some bits.
        with ctx.workprec(ctx.prec + 64):
            cut = loss.extent(step, side, tail).cut if side else arb(0)
            return {j: mass / (1 - cut) for j, mass in loss.placed(step, side or 1, tail).items()}

    return masses


def _transform(laws: Sequence[tuple[LatticeLaw, int]], step: Expr, start: Callable[[], Any],
               hint: Callable[[], Cumulants]) -> Transform:
    many = sum(n for _, n in laws)
    return Transform(lambda near, bits: Periodic(laws, lambda: ball(step), start, hint(), near, bits), hint, many)
