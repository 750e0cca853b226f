r"""The exact privacy of different mechanisms together, the l-th of them (eps_l, delta_l)-private.

Where the $\varepsilon_l$ are multiples of one number, the losses of the composition lie on a lattice, and
its distribution is a product of polynomials: exact, to any number of digits; and so it is where they
take few values, because the losses can be listed. Otherwise each $\varepsilon_l$ is rounded down to
a lattice for a lower bound, and its outcomes are spread over the lattice for an upper bound.

**Why rounding down is sound.** An $(\varepsilon, \delta)$-private mechanism is
$(\varepsilon', \delta)$-private for each $\varepsilon' \ge \varepsilon$, so the randomised response with
$\varepsilon$ is a post-processing of that with $\varepsilon'$ (Theorem 2.5 and the proof of Theorem
3.3). Processing each answer of a composition is a processing of the composition, which loses no
privacy (Theorem 2.4). Hence the delta of the composition, at any epsilon, and its epsilon, at any
delta, grow with each $\varepsilon_l$.

**Why spreading is sound.** With $y$ the product of the likelihood ratios $Q/P$ of the mechanisms,
$\delta(\varepsilon) = E_P (1 - e^\varepsilon y)^+$ is convex in the ratio of each of them. An outcome whose
loss lies between two points of the lattice may therefore be replaced by both, with its probabilities
under P and under Q kept in sum: delta does not fall. This is nearer to the truth than rounding up.

>>> mixed = Heterogeneous([("0.1", "1e-6"), ("0.25", 0), ("0.4", 0)])
>>> print(mixed.epsilon(delta="0.01"))
0.6917453840964582766
>>> print(Heterogeneous([("sqrt(2)/10", 0, 50), ("0.1", 0, 50)]).epsilon(delta="1e-6"))
5.999416531556935164
>>> print(Heterogeneous([(f"sqrt({l})/10", 0) for l in range(2, 22)], "1/1000").epsilon(delta="0.01"))
3.88
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy
from flint import arb, arb_poly, ctx
from sympy import Expr, Rational, S

from symdp.formulas.balls import ball
from symdp.formulas.printing import to_text
from symdp.numbers import quantity
from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import NOTHING_COMPOSED, BadQuantity, Quantity, digits_wanted, times
from symdp.privacy.composition.composed import DIGITS, Composed, Corner, enclose_exactly, is_sharp
from symdp.privacy.composition.enumeration import MOST_LOSSES, of_responses
from symdp.privacy.composition.homogeneous import THEOREM, BinomialProfile
from symdp.privacy.lattice.convolution import (
    MOST_CELLS,
    Advance,
    Factor,
    Lattice,
    SumOfLosses,
    most_bits_for,
)
from symdp.privacy.lattice.profile import Profile
from symdp.privacy.lattice.saddlepoint import guess_epsilon, responses, tilt_for

#: If no lattice is given, the losses are rounded to one of about this many points.
CELLS = 100_000
#: Corners are listed for lattices up to this.
MOST_LISTED = 20_000


@dataclass(frozen=True)
class Part:
    """Mechanisms that are equally private."""

    epsilon: Expr
    delta: Expr
    many: int = 1

    @classmethod
    def read(cls, epsilon: Quantity, delta: Quantity = 0, many: Quantity = 1) -> Part:
        return cls(quantity.epsilon(epsilon), quantity.probability(delta), times(many, "count"))


class Heterogeneous(Composed):
    """The composition of parts, each (epsilon, delta) or (epsilon, delta, how many)."""

    theorem = f"{THEOREM}, for different mechanisms"

    def __init__(self, parts: Iterable[Part | Sequence[Quantity]],
                 resolution: Quantity | None = None, advance: Advance | None = None) -> None:
        read = [p if isinstance(p, Part) else Part.read(*p) for p in parts]
        if not read:
            raise BadQuantity(f"there is no mechanism to compose: {NOTHING_COMPOSED}")
        self.parts = tuple(read)
        self.k = sum(p.many for p in read)
        self.total = sum((p.many * p.epsilon for p in read), S.Zero)
        self._advance = advance
        self._made: tuple[tuple[int, float], tuple[Profile, Profile]] | None = None
        self._losses = _gathered(read)
        self._cumulants = responses([(float(ball(e).mid()), m) for e, m in self._losses.items()])
        self._few = False
        self._lattice, self.rounded = self._choose_lattice(resolution)
        if len(self._losses) > 1 and not self._few:
            cells = float((ball(self.total) / ball(self._lattice)).mid())
            self.most_bits = most_bits_for(int(cells))
        if self.rounded:
            self.rounding = (f"epsilons, for the lower end down to multiples of {to_text(self._lattice)}, for the "
                             "upper end spread over them; a finer resolution brings the ends nearer")

    def __repr__(self) -> str:
        return f"Heterogeneous({len(self.parts)} parts, k={self.k})"

    def log_survival(self) -> Any:
        if any(p.delta == 1 for p in self.parts):
            return arb.neg_inf()
        return sum(((-ball(p.delta)).log1p() * p.many for p in self.parts if p.delta != 0), arb(0))

    def leaks_exactly(self, delta: Rational) -> bool:
        if any(p.delta == 1 for p in self.parts):
            return bool(delta == 1)
        leaky = [p for p in self.parts if p.delta != 0]
        if not leaky or delta == 0:
            return not leaky and delta == 0
        if not all(isinstance(p.delta, Rational) for p in leaky):
            return False
        # The product of the 1 - delta_l can be written out if it is not much longer than delta.
        size = sum(p.many * max(int(p.delta.q).bit_length() - 1, 1) for p in leaky)
        if size > 100_000:
            return False
        survival = math.prod((Fraction(int((1 - p.delta).p), int(p.delta.q)) ** p.many for p in leaky),
                             start=Fraction(1))
        return survival == 1 - Fraction(int(delta.p), int(delta.q))

    def first_guess(self, log_delta: float) -> float:
        return guess_epsilon(self._cumulants, log_delta)[0] if self._losses else 0.0

    def profiles(self, near: float) -> tuple[Profile, Profile]:
        key = ctx.prec, near
        if self._made is None or self._made[0] != key:
            self._made = key, self._make(near)
        return self._made[1]

    def _make(self, near: float) -> tuple[Profile, Profile]:
        if len(self._losses) == 1:
            (only, many), = self._losses.items()
            lines = BinomialProfile(many, ball(only))
            return lines, lines
        if self._few:
            few = of_responses([(ball(e), m) for e, m in self._losses.items()])
            return few, few
        tilt = tilt_for(self._cumulants, near)
        if not self.rounded:
            exact = SumOfLosses(self._on_lattice(0), tilt, self._advance)
            return exact, exact
        return (SumOfLosses(self._on_lattice(-1), tilt, self._advance),
                SumOfLosses(self._spread(), tilt, self._advance))

    # --- the lattice --------------------------------------------------------------------------

    def _choose_lattice(self, resolution: Quantity | None) -> tuple[Expr, bool]:
        """A number of which the epsilons are multiples, or are rounded to ones."""
        if len(self._losses) <= 1:
            return S.One, False
        if resolution is not None:
            step = quantity.within(resolution, "resolution", 0, None, open_below=True)
            cells = int(2 * float(ball(self.total).mid()) / float(ball(step).mid()))
            if cells > MOST_CELLS:
                raise BadQuantity(f"a resolution of {to_text(step)} makes {cells} losses, more than "
                                  f"{MOST_CELLS}; give a coarser one")
            return step, any(self._multiple(e, step, 1) != self._multiple(e, step, -1)
                             for e in self._losses)
        shared = shared_lattice(list(self._losses))
        if shared is not None and self.total / shared <= MOST_CELLS:
            return shared, False
        if math.prod(m + 1 for m in self._losses.values()) <= MOST_LOSSES:
            self._few = True
            return S.One, False
        spread = float(ball(self.total).mid()) / CELLS
        return Rational(2) ** math.floor(math.log2(spread)), True

    @staticmethod
    def _multiple(epsilon: Expr, step: Expr, side: int) -> int:
        """How many steps epsilon is, rounded down (-1) or up (1)."""
        ratio = epsilon / step
        if isinstance(ratio, Rational):
            whole = int(ratio.p) // int(ratio.q)
            return whole if ratio.q == 1 or side <= 0 else whole + 1
        with ctx.workprec(256):
            place = ball(epsilon) / ball(step)
            # Where the ball holds an integer, its outer end is still a sound choice.
            end = place.lower().floor() if side <= 0 else place.upper().ceil()
            return int(end.unique_fmpz())

    def _on_lattice(self, side: int) -> Lattice:
        step = self._lattice
        steps = [(self._multiple(e, step, side), m) for e, m in self._losses.items()]
        steps = [(n, m) for n, m in steps if n > 0]
        cells = sum(n * m for n, m in steps)
        # A mechanism of n steps has the losses n and -n: the lattice of the sum has double steps.
        return Lattice(
            top=lambda: ball(step) * cells,
            step=lambda: ball(step) * 2,
            factors=lambda: [_response(ball(step) * n, n, m) for n, m in steps] or
            [Factor([(0, arb(1))])],
            cells=max(cells, 1),
            last=(cells + 1) // 2,
            many=self.k,
        )

    def _spread(self) -> Lattice:
        """Each loss between two points of the lattice, spread over both."""
        step = self._lattice
        steps = [(e, self._multiple(e, step, -1), self._multiple(e, step, 1), m)
                 for e, m in self._losses.items()]
        last = sum(up * m for _, _, up, m in steps)
        return Lattice(
            top=lambda: ball(step) * last,
            step=lambda: ball(step),
            factors=lambda: [Factor(_spread_response(ball(e), ball(step), down, up), m)
                             for e, down, up, m in steps],
            cells=2 * last,
            last=last,
            many=self.k,
        )

    # --- corners ------------------------------------------------------------------------------

    def corners(self, digits: int = DIGITS) -> list[Corner]:
        """All guarantees from which the others follow, epsilon falling.

        >>> for corner in Heterogeneous([("log(2)", 0), ("2*log(2)", 0)]).corners(digits=5):
        ...     print(corner)
        (2.079442, 0)
        (0.6931472, 0.4000000)
        """
        digits = digits_wanted(digits)
        if self.rounded or self._few:
            raise BadQuantity("the epsilons share no lattice, so that there is no list of corners; "
                              "ask for one epsilon or one delta")
        steps = [(self._multiple(e, self._lattice, 0), m) for e, m in self._losses.items()]
        if len(steps) == 1:
            self._lattice, steps = next(iter(self._losses)), [(1, steps[0][1])]
        cells = sum(n * m for n, m in steps)
        if cells > MOST_LISTED:
            raise BadQuantity(f"the lattice has {cells} losses, more than the {MOST_LISTED} for which "
                              "corners are listed; ask for one epsilon or one delta")
        reached = _reached(steps)
        wanted = int((digits + 1) * 3.33) + 4
        bits = wanted + 64
        while True:
            with ctx.workprec(bits):
                deltas = self._corner_deltas(steps, cells, reached)
            if all(is_sharp(value, wanted) for _, value in deltas):
                break
            bits *= 2
        return [
            Corner(enclose_exactly(sympy.expand((cells - 2 * s) * self._lattice), digits, self.theorem, ""),
                   Enclosure.of_ball(value, digits, self.theorem))
            for s, value in deltas
        ]

    def _corner_deltas(self, steps: list[tuple[int, int]], cells: int,
                       reached: int) -> list[tuple[int, Any]]:
        if any(p.delta == 1 for p in self.parts):
            return [(0, arb(1))]
        leak = -self.log_survival().expm1()
        unit = ball(self._lattice)
        product = arb_poly([1])
        for n, many in steps:
            response = _response(unit * n, n, 1)
            coefficients = [arb(0)] * (n + 1)
            for s, mass in response.masses:
                coefficients[s] = mass
            product *= arb_poly(coefficients) ** many
        against = (-2 * unit).exp()
        on_p, scaled, found = arb(0), arb(0), []
        for s in range(cells // 2 + 1):
            if reached >> s & 1 or s == 0:
                found.append((s, leak + (1 - leak) * (on_p - scaled) if s else leak))
                mass = product[s]
                on_p += mass
                scaled += mass
            scaled *= against  # scaled = e^{loss(s+1)} Q
        return found


def _response(epsilon: Any, steps: int, many: int) -> Factor:
    """A randomised response: the loss epsilon is likely, and -epsilon is that many steps below."""
    small = (-epsilon).exp()
    return Factor([(0, 1 / (1 + small)), (steps, small / (1 + small))], many)


def _spread_response(epsilon: Any, step: Any, down: int, up: int) -> list[tuple[int, Any]]:
    """A randomised response on the multiples of a step, from ``up`` steps on downwards.

    Outcome epsilon, of probabilities p and q, becomes the losses ``up`` and ``down``: m_up + m_down = p
    and m_up e^-up + m_down e^-down = q. The outcome -epsilon is its mirror image.
    """
    small = (-epsilon).exp()
    p, q = 1 / (1 + small), small / (1 + small)
    at_up, at_down = (-step * up).exp(), (-step * down).exp()
    if up == down:
        return [(0, p), (2 * up, q)]
    on_down = (q - p * at_up) / (at_down - at_up)
    on_up = p - on_down
    return gathered_masses([(0, on_up), (up - down, on_down), (up + down, on_down * at_down),
                             (2 * up, on_up * at_up)])


def gathered_masses(masses: Sequence[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """Masses at the same place, as for down = 0, are one."""
    found: dict[int, Any] = {}
    for place, mass in masses:
        found[place] = found[place] + mass if place in found else mass
    return sorted(found.items(), key=lambda item: item[0])


def _gathered(parts: Sequence[Part]) -> dict[Expr, int]:
    """How many mechanisms have each epsilon; those with epsilon = 0 lose nothing but their delta."""
    losses: dict[Expr, int] = {}
    for p in parts:
        if p.epsilon != 0:
            losses[p.epsilon] = losses.get(p.epsilon, 0) + p.many
    return losses


def _reached(steps: Sequence[tuple[int, int]]) -> int:
    """Which points of the lattice are losses of the composition, as bits."""
    reached = 1
    for n, many in steps:
        for _ in range(many):
            reached |= reached << n
    return reached


def shared_lattice(epsilons: Sequence[Expr]) -> Expr | None:
    """The largest number of which all are multiples; None if none is found.

    >>> shared_lattice([sympy.Rational(1, 10), sympy.Rational(1, 4)])
    1/20
    >>> shared_lattice([sympy.log(2), 3 * sympy.log(2)])
    log(2)
    """
    found = multiples(epsilons)
    return None if found is None else found[0]


def multiples(epsilons: Sequence[Expr]) -> tuple[Expr, list[int]] | None:
    """The largest number of which all are multiples, and how many times it each is.

    >>> multiples([sympy.Rational(1, 10), sympy.Rational(1, 4)])
    (1/20, [2, 5])
    """
    unit = epsilons[0]
    ratios = [rational(epsilon / unit) for epsilon in epsilons]
    if not all(isinstance(r, Rational) for r in ratios):
        return None
    below = math.lcm(*(int(r.q) for r in ratios))
    above = reduce(math.gcd, (int(r * below) for r in ratios))
    return unit * Rational(above, below), [int(r * below) // above for r in ratios]


def rational(ratio: Expr) -> Expr:
    """The rational number that a ratio is, if it is one of moderate size.

    >>> rational(sympy.log(9) / sympy.log(3)), rational(sympy.sqrt(2))
    (2, sqrt(2))
    """
    if isinstance(ratio, Rational):
        return ratio
    with ctx.workprec(192):
        near = ball(ratio)
        mantissa, power = (int(part) for part in near.mid().man_exp())
        guess = (Fraction(mantissa) * Fraction(2) ** power).limit_denominator(MOST_CELLS)
        close = abs(near - arb(guess.numerator) / guess.denominator) < arb(2) ** -128
    exact = Rational(guess.numerator, guess.denominator)
    # Equality is for SymPy to show; what it cannot show is treated as different.
    return exact if close and sympy.simplify(ratio - exact) == 0 else ratio
