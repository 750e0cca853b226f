r"""The exact k-fold composition of Laplace noise.

The moment generating function of the privacy loss of one Laplace mechanism is
$M(s) = ((s+1)\,e^{s\varepsilon_0} + s\,e^{-(s+1)\varepsilon_0})/(2s+1)$, and for any loss
$$\delta(\varepsilon) = E\,(1 - e^{\varepsilon - L})^+ =
  \frac{1}{2\pi i}\int_{c-i\infty}^{c+i\infty} \frac{M(s)^k\,e^{-s\varepsilon}}{s(s+1)}\,ds, \qquad c > 0.$$
Expanding the power, each term is an exponential $e^{st}$, $t = (k-2j)\varepsilon_0 - \varepsilon$, times a
rational function of $s$. For $t \le 0$ the contour closes on the right, where there is no pole; for
$t > 0$ on the left, around $s = -1/2$ and, for $j = 0$, around $s = 0$. With $s = (v-1)/2$ this is
$$\delta(\varepsilon) = [k\varepsilon_0 > \varepsilon] +
  \sum_{j:\,t>0} \binom kj e^{-j\varepsilon_0 - t/2}\, 2^{1-k}\,
  [v^{k-1}]\; e^{vt/2} (1+v)^{k-j-1} (v-1)^{j-1},$$
a finite sum, of which balls say how many bits cancel: few.

>>> from symdp.privacy.mechanisms.noise.laplace import Laplace
>>> print(ComposedLaplace(Laplace(scale=10), 1).delta(epsilon="0.05", digits=12))
0.024690087971667
>>> print(ComposedLaplace(Laplace(scale=10), 100).epsilon(delta="1e-6", digits=12))
4.6926674146802
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from flint import arb, arb_poly, ctx, fmpz_poly
from sympy import Expr

from symdp.formulas.balls import ball
from symdp.numbers import quantity
from symdp.numbers.crossing import MOST_BITS, crossing
from symdp.numbers.decimals import Enclosure, NotReached
from symdp.numbers.quantity import BadQuantity, Quantity, digits_wanted, times
from symdp.privacy.composition.composed import DIGITS, Corner, enclose_exactly

if TYPE_CHECKING:
    from symdp.privacy.mechanisms.noise.laplace import Laplace

#: Beyond, the sum has more terms than are worth their time.
MOST_FOLD = 1000


class ComposedLaplace:
    """k queries of the same sensitivity, each with Laplace noise of the same scale."""

    theorem = "Laplace noise composed exactly, by residues of its moment generating function"

    def __init__(self, mechanism: Laplace, k: Quantity) -> None:
        self.epsilon_0: Expr = mechanism.epsilon_0
        self.k = times(k)
        if self.k > MOST_FOLD:
            raise BadQuantity(f"Laplace noise is composed exactly up to k = {MOST_FOLD}, not {self.k}; "
                              "its (epsilon, 0) composes for any k")
        self.total = self.k * self.epsilon_0
        self._made: tuple[int, Curve] | None = None

    def delta(self, epsilon: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest delta for which the composition is (epsilon, delta)-private."""
        digits = digits_wanted(digits)
        at = quantity.epsilon(epsilon)
        if quantity.sign(at - self.total, "epsilon") >= 0:
            return Enclosure.exactly(0, self.theorem, "epsilon is at least the largest privacy loss")
        wanted = int(3.33 * (digits + 1)) + 4
        bits = wanted + 96
        while bits < MOST_BITS:
            with ctx.workprec(bits):
                found = self._curve()(ball(self.epsilon_0), ball(at))[0]
                if found > 0 and found.rel_accuracy_bits() >= wanted:
                    made = Enclosure.of_ball(found, digits, self.theorem)
                    return replace(made, upper=min(made.upper, Decimal(1)))
            bits *= 2
        raise NotReached(f"{digits} digits were not reached with {bits} bits")

    def epsilon(self, delta: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest real epsilon >= 0 for which the composition is (epsilon, delta)-private."""
        digits = digits_wanted(digits)
        level = quantity.probability(delta)
        if level == 0:
            return enclose_exactly(self.total, digits, self.theorem, "")
        if level == 1 or self._over_at_zero(level) <= 0:
            return Enclosure.exactly(0, self.theorem)
        wanted = int(3.33 * (digits + 1)) + 4
        return crossing(lambda x: self._curve()(ball(self.epsilon_0), x), lambda: ball(level),
                        lambda: ball(self.total), wanted + 96, digits, self.theorem)

    def _over_at_zero(self, level: Expr) -> int:
        """The sign of the total variation less delta."""
        bits = 192
        while bits < MOST_BITS:
            with ctx.workprec(bits):
                over = self._curve()(ball(self.epsilon_0), arb(0))[0] - ball(level)
                if over > 0 or over <= 0:
                    return 1 if over > 0 else -1
            bits *= 2
        raise NotReached(f"delta cannot be told from the total variation with {MOST_BITS} bits")

    def _curve(self) -> Curve:
        if self._made is None or self._made[0] != ctx.prec:
            self._made = ctx.prec, Curve(self.k)
        return self._made[1]

    def corners(self, digits: int = DIGITS) -> list[Corner]:
        raise BadQuantity("the region of Laplace noise has no corners; ask for one epsilon or one delta")


class Curve:
    """delta and its slope for any scale of the noise, at the precision at which it was made."""

    def __init__(self, k: int) -> None:
        self.k = k
        self._weights = [arb(1)]
        for n in range(1, k):
            self._weights.append(self._weights[-1] / n)
        self._terms: list[tuple[Any, Any, Any]] = []

    def __call__(self, epsilon_0: Any, epsilon: Any) -> tuple[Any, Any]:
        """delta at an epsilon >= 0, and the negative of its derivative."""
        height, slope = arb(0), arb(0)
        for j in range(self.k // 2 + 1):
            t = epsilon_0 * (self.k - 2 * j) - epsilon
            # As t goes to 0 from above, the term goes to 0: a ball that holds 0 needs no decision.
            if t <= 0:
                break
            binomial, on_height, on_slope = self._term(j)
            scale = binomial * (-epsilon_0 * j - t / 2).exp()
            height += scale * on_height(t / 2) + (1 if j == 0 else 0)  # the residue at s = 0
            slope += scale * on_slope(t / 2) / 2  # one factor s = (v-1)/2 more
        return height, slope

    def _term(self, j: int) -> tuple[Any, Any, Any]:
        """The binomial coefficient, and the two coefficients of v^(k-1) as polynomials in t/2."""
        up, down = fmpz_poly([1, 1]), fmpz_poly([-1, 1])
        while len(self._terms) <= j:
            i = len(self._terms)
            if i == 0:
                self._slope = up ** (self.k - 1)
                # 1/(v-1) = -(1 + v + v^2 + ...): the series of the partial sums, with a minus.
                sums = itertools.accumulate(_padded(self._slope, self.k))
                height = [-partial for partial in sums]
            else:
                lower = self._slope // up  # (1+v)^(k-i-1) (v-1)^(i-1)
                height, self._slope = _padded(lower, self.k), lower * down
            scale = arb(math.comb(self.k, i)) * arb(2) ** (1 - self.k)
            slope = _padded(self._slope, self.k)
            self._terms.append((scale, self._over_factorials(height), self._over_factorials(slope)))
        return self._terms[j]

    def _over_factorials(self, coefficients: list[int]) -> Any:
        """The coefficient of v^(k-1) in the product with e^(vx), a polynomial in x."""
        return arb_poly([c * w for c, w in zip(reversed(coefficients), self._weights, strict=True)])


def _padded(polynomial: Any, length: int) -> list[int]:
    found = [int(c) for c in polynomial.coeffs()]
    return found + [0] * (length - len(found))
