r"""The distribution of a sum of privacy losses on a lattice, in fixed point with an error bound.

The losses of each mechanism lie at ``top - s step``, $s = 0, 1, \dots$; its distribution is a
polynomial in $z^s$, and that of the sum is the product. Before multiplying, each polynomial is
*tilted*, its mass at $s$ weighed by $e^{-\lambda s\,\mathrm{step}}$ and made to sum to one again:
this moves the bulk of the distribution to the losses that are asked for, so that a fixed number of
bits behind the point is as good as floating point there. Below the mean of the loss the tilt is
negative, and the probability under P is one less that of the other losses.

**The error.** Let $F$ hold integers with $|F_s - 2^B f_s| \le E_f$ where $f \ge 0$ sums to at most
one, and $G$ likewise. Then $2^{-B} F G$ differs from $2^B f g$ in each coefficient by at most
$E_f + E_g + n E_f E_g 2^{-B}$, with $n$ the smaller number of coefficients, because
$\sum_t f_t |G_{s-t} - 2^B g_{s-t}| \le E_g$; rounding adds one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, arb_poly, ctx, fmpz_poly

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.lattice.profile import Profile

#: A lattice of more losses than this is refused: it would take minutes and gigabytes.
MOST_CELLS = 1 << 22
#: Products of up to so many terms are made term by term.
MOST_SPARSE = 256
#: What a long computation calls to say how far it is: ``advance(what, done, total)``.
Advance = Callable[[str, int, int], None]


class TooFewBits(ArithmeticError):
    """The working precision is too small for the tilt."""


@dataclass(frozen=True)
class Factor:
    """Equal mechanisms: the probabilities of the losses ``top - s step``, and how many they are."""

    masses: Sequence[tuple[int, Any]]
    many: int = 1

    @property
    def width(self) -> int:
        return self.masses[-1][0]


@dataclass(frozen=True)
class Lattice:
    """Losses ``top - s step`` for s up to ``cells``; the functions compute at any precision."""

    top: Callable[[], Any]
    step: Callable[[], Any]
    factors: Callable[[], Sequence[Factor]]
    cells: int
    #: how many of the losses are positive
    last: int
    #: how many mechanisms there are
    many: int


@dataclass(frozen=True)
class _Fixed:
    """``2^-bits * coefficients`` from ``start`` on, each wrong by at most ``error`` units."""

    coefficients: Any
    start: int
    error: int


@dataclass(frozen=True)
class _Sparse:
    """The same, of few coefficients."""

    masses: dict[int, int]
    error: int

    def dense(self) -> _Fixed:
        coefficients = [0] * (max(self.masses) + 1)
        for s, mass in self.masses.items():
            coefficients[s] = mass
        return _Fixed(fmpz_poly(coefficients), 0, self.error)


class SumOfLosses(Profile):
    """The lines of a sum of independent losses on one lattice, at the working precision."""

    def __init__(self, lattice: Lattice, tilt: float = 0.0, advance: Advance | None = None) -> None:
        refuse_if_too_fine(lattice.cells)
        self.last, self._cells = lattice.last, lattice.cells
        # The largest tilted probabilities are about 1/sqrt(cells), the errors about 4 per factor.
        self.fraction_bits = ctx.prec + lattice.cells.bit_length() + lattice.many.bit_length() + 8
        # Masses may come from differences of numbers a step apart, which costs some bits.
        with ctx.workprec(self.fraction_bits + 64):
            self.top, self.step = lattice.top(), lattice.step()
            # Any number serves as a tilt: take an exact one.
            self.rate = arb(tilt * float(self.step.mid()))
            self._log_norm = arb(0)
            product = self._product(self._powers(lattice.factors()), advance)
            self._start, self._error = product.start, product.error
            self._polynomial = arb_poly(product.coefficients)

    def line(self, i: int) -> tuple[Any, Any]:
        with ctx.workprec(self.fraction_bits + 32):
            log_scale = self._log_norm - self.fraction_bits * arb(2).log()
            on_q = self._lower(i, self.rate + self.step, log_scale - self.top)
            on_p = 1 - self._upper(i, self.rate, log_scale) if self.rate < 0 else self._lower(i, self.rate, log_scale)
            return on_p, on_q

    def _lower(self, i: int, rate: Any, log_scale: Any) -> Any:
        """The sum of coefficient_s e^(rate s) over s < i, for weights that grow."""
        if i <= 0:
            return arb(0)
        shown = self._polynomial.truncate(max(i - self._start, 0))
        value = shown(rate.exp()) * (rate * self._start).exp()
        return self._with_error(value, i, rate, i - 1, log_scale)

    def _upper(self, i: int, rate: Any, log_scale: Any) -> Any:
        """The same over s >= i, for weights that fall."""
        first = max(i, self._start)
        shown = self._polynomial.right_shift(first - self._start)
        value = shown(rate.exp()) * (rate * first).exp()
        return self._with_error(value, self._cells + 1 - i, rate, i, log_scale)

    def _with_error(self, value: Any, many: int, rate: Any, heaviest: int, log_scale: Any) -> Any:
        """Each of the coefficients is wrong by some units: a geometric series of weights, or so many."""
        terms = arb(max(many, 0))
        if rate != 0:
            terms = terms.min(1 / -(-abs(rate)).expm1())
        bound = (terms * self._error * (rate * heaviest).exp()).upper()
        return (value + (-bound).union(bound)) * log_scale.exp()

    # --- products in fixed point --------------------------------------------------------------

    def _tilted(self, factor: Factor) -> _Sparse:
        weighed = [(s, mass * (self.rate * -s).exp()) for s, mass in factor.masses]
        norm = sum((mass for _, mass in weighed), arb(0))
        self._log_norm += norm.log() * factor.many
        found = {}
        for s, mass in weighed:
            scaled = (mass / norm) * arb(2) ** self.fraction_bits
            if not scaled.rad() < 1:
                raise TooFewBits("a probability is known to too few bits")
            found[s] = int(scaled.mid().floor().unique_fmpz())
        return _Sparse(found, 2)

    def _powers(self, factors: Sequence[Factor]) -> list[_Fixed]:
        """The powers, and the products of those few that are cheaper as sparse polynomials."""
        dense, waiting = [], _Sparse({0: 1 << self.fraction_bits}, 0)
        for factor in factors:
            tilted = self._tilted(factor)
            if factor.many > 1:
                dense.append(self._power(tilted.dense(), factor.many))
                continue
            if len(waiting.masses) * len(tilted.masses) > MOST_SPARSE:
                dense.append(waiting.dense())
                waiting = tilted
            else:
                waiting = self._multiply_sparse(waiting, tilted)
        return [*dense, waiting.dense()]

    def _multiply_sparse(self, one: _Sparse, other: _Sparse) -> _Sparse:
        product: dict[int, int] = {}
        for s, mass in one.masses.items():
            for t, more in other.masses.items():
                product[s + t] = product.get(s + t, 0) + mass * more
        bits = self.fraction_bits
        n = min(len(one.masses), len(other.masses))
        error = one.error + other.error + 2 + ((n * one.error * other.error) >> bits)
        return _Sparse({s: mass >> bits for s, mass in product.items()}, error)

    def _multiply(self, one: _Fixed, other: _Fixed) -> _Fixed:
        n = min(one.coefficients.length(), other.coefficients.length())
        product = (one.coefficients * other.coefficients) // (1 << self.fraction_bits)
        error = one.error + other.error + 1
        error += ((n * one.error * other.error) >> self.fraction_bits) + 1
        start = one.start + other.start
        return _without_leading_zeros(_Fixed(product, start, error))

    def _power(self, base: _Fixed, many: int) -> _Fixed:
        """By squaring, for many >= 1: the least power of two in it first."""
        while not many & 1:
            base, many = self._multiply(base, base), many >> 1
        power = base
        while many := many >> 1:
            base = self._multiply(base, base)
            if many & 1:
                power = self._multiply(power, base)
        return power

    def _product(self, factors: list[_Fixed], advance: Advance | None) -> _Fixed:
        # Short ones first, so that each product has factors of about the same length.
        total, done = max(len(factors) - 1, 1), 0
        while len(factors) > 1:
            factors.sort(key=lambda f: f.coefficients.length())
            pairs = [factors[t : t + 2] for t in range(0, len(factors), 2)]
            factors = []
            for pair in pairs:
                factors.append(self._multiply(*pair) if len(pair) == 2 else pair[0])
                done += len(pair) - 1
                if advance is not None:
                    advance("multiplying distributions", done, total)
        return factors[0]


def _without_leading_zeros(fixed: _Fixed) -> _Fixed:
    """Mass too small for the fixed point leaves zeros at both ends; those at the end are gone."""
    length = fixed.coefficients.length()
    if length < 64 or fixed.coefficients[length // 64] != 0:
        return fixed
    low, high = length // 64, length  # coefficients below `low` are zero if the one there is
    while high - low > 64:
        middle = (low + high) // 2
        low, high = (middle, high) if fixed.coefficients[middle] == 0 else (low, middle)
    if not fixed.coefficients.truncate(low).is_zero():
        return fixed
    return _Fixed(fixed.coefficients.right_shift(low), fixed.start + low, fixed.error)


def most_bits_for(cells: int) -> int:
    """More bits than this would take minutes on a lattice of that size."""
    return max(1024, min(1 << 14, (1 << 29) // max(cells, 1)))


def refuse_if_too_fine(cells: int) -> None:
    if cells > MOST_CELLS:
        raise BadQuantity(f"the lattice has {cells} losses, more than {MOST_CELLS}; "
                          "give a coarser resolution")
