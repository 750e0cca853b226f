r"""Two normal laws with the same mean: $N(0, s)$ and $N(0, 1)$, seen ``rows`` times.

One row of the sketch of a graph is normal with the graph's Laplacian as covariance, and a neighbour
changes the Laplacian by a multiple of $(e_i-e_j)(e_i-e_j)^T$. After whitening, all directions but one
are alike: the pair of neighbours is $N(0,s)$ against $N(0,1)$, with $s - 1$ the change of weight times
the effective resistance between i and j. Several rows are as many independent copies, and the sum of
squares tells everything: the divergence is a difference of two gamma tails, for one row of two
complementary error functions.

A pair with a smaller s is made from one with a larger s by adding noise ($x \mapsto a x + \sqrt{1-a^2} z$
keeps $N(0,1)$), so the largest s among the neighbours speaks for all.

>>> from symdp.formulas.notation import symbol
>>> TwoVariances(symbol("s")).closed_form("hockey_stick")
-exp(eps_total)*erfc(sqrt(s*(eps_total + log(s)/2)/(s - 1))) + erfc(sqrt((eps_total + log(s)/2)/(s - 1)))
>>> pair = TwoVariances("11/10")
>>> print(pair.delta(epsilon="1/2", digits=10), pair.epsilon(delta="1e-3", digits=10))
0.0000798307979475 0.267323146991
>>> print(TwoVariances("11/10", rows=100).delta(epsilon=2, digits=10))
0.00253655665886
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import arb, ctx
from sympy import Expr, Rational, erf, erfc, exp, log, lowergamma, sqrt, uppergamma

from symdp.formulas.notation import eps_total, symbol, x
from symdp.numbers import quantity
from symdp.numbers.decimals import INFINITY, Enclosure, enclose
from symdp.numbers.exact import ball
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.pairs.pair import Mechanism, parameter
from symdp.privacy.pairs.privacy_loss import PrivacyLoss


class TwoVariances(Mechanism):
    """P is ``rows`` copies of N(0, spread), Q as many of N(0, 1); the spread is above one."""

    name = "the pair of two variances"

    def __init__(self, spread: Quantity, rows: Quantity = 1) -> None:
        self.spread = parameter(spread, "spread", _above_one)
        self.rows = quantity.count(rows, "rows")

    @property
    def parameters(self) -> dict[str, Any]:
        return {"spread": self.spread, "rows": self.rows}

    @property
    def symmetric(self) -> bool:
        return False

    # --- formulas ---

    def closed_forms(self) -> dict[str, Expr]:
        forward, backward = self._forward(eps_total), self._backward(eps_total)
        alpha, s, r = symbol("alpha"), self.spread, Rational(self.rows)
        return {
            "hockey_stick": forward,
            #: where eps_total < rows log(s)/2; zero beyond
            "hockey_stick_reverse": backward,
            "total_variation": forward.subs(eps_total, 0),
            #: for alpha < s/(s-1); infinite beyond
            "renyi": -r * (alpha * log(s) + log(alpha / s + 1 - alpha)) / (2 * (alpha - 1)),
            "kullback_leibler": r * (s - 1 - log(s)) / 2,
            "max_divergence": sympy.oo,
        }

    def _forward(self, at: Expr) -> Expr:
        s, half = self.spread, Rational(self.rows, 2)
        edge = (at + half * log(s)) / (s - 1)
        if self.rows == 1:
            return erfc(sqrt(edge)) - exp(at) * erfc(sqrt(s * edge))
        return (uppergamma(half, edge) - exp(at) * uppergamma(half, s * edge)) / sympy.gamma(half)

    def _backward(self, at: Expr) -> Expr:
        s, half = self.spread, Rational(self.rows, 2)
        edge = (half * log(s) - at) / (s - 1)
        if self.rows == 1:
            return erf(sqrt(s * edge)) - exp(at) * erf(sqrt(edge))
        return (lowergamma(half, s * edge) - exp(at) * lowergamma(half, edge)) / sympy.gamma(half)

    def privacy_loss(self, *, reverse: bool = False) -> PrivacyLoss:
        s, r = self.spread, Rational(self.rows)
        low, sign = -r * log(s) / 2, -1 if reverse else 1
        # the loss is an affine function of a sum of squares, which has a gamma distribution
        scale = (s - 1) if not reverse else (s - 1) / s
        away = sign * x - low
        return PrivacyLoss(
            density=(away / scale) ** (r / 2 - 1) * exp(-away / scale) / (scale * sympy.gamma(r / 2)),
            support=(-sympy.oo, -low) if reverse else (low, sympy.oo),
            description="a multiple of a chi-squared variable, moved",
        )

    # --- numbers ---

    def _hockey_stick(self, epsilon: Expr, reverse: bool, digits: int) -> Enclosure:
        origin = f"hockey-stick divergence of {self.name}"
        if reverse and quantity.sign(epsilon - self.largest_reverse_loss, "epsilon") >= 0:
            return Enclosure.exactly(0, origin, "epsilon is at least the largest privacy loss")
        return enclose(lambda: self.height(ball(epsilon), reverse), digits, origin)

    @property
    def largest_reverse_loss(self) -> Expr:
        """Seen from the smaller variance the privacy loss is bounded."""
        return self.rows * log(self.spread) / 2

    def height(self, epsilon: Any, reverse: bool = False) -> Any:
        """The divergence in balls, at the working precision; reversed, below the largest loss."""
        s, half = ball(self.spread), arb(self.rows) / 2
        if reverse:
            edge = (half * s.log() - epsilon) / (s - 1)
            return ((s * edge).gamma_lower(half, regularized=1)
                    - epsilon.exp() * edge.gamma_lower(half, regularized=1))
        edge = (epsilon + half * s.log()) / (s - 1)
        return (edge.gamma_upper(half, regularized=1)
                - epsilon.exp() * (s * edge).gamma_upper(half, regularized=1))

    def _epsilon(self, delta: Expr, reverse: bool, digits: int) -> Enclosure:
        origin = f"inverse of the hockey-stick divergence of {self.name}"
        if reverse:
            if delta == 0:
                return enclose(lambda: ball(self.largest_reverse_loss), digits, origin)
            top: Any = self.largest_reverse_loss
        elif delta == 0:
            return Enclosure.exactly(INFINITY, origin, "the privacy loss has no bound")
        else:
            top = None
        return _crossing(lambda at: self.height(at, reverse), delta, top, digits, origin)

    def _false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure:
        """The best test says Q when the sum of squares is small."""
        if missed == 0 or missed == 1:
            return Enclosure.exactly(1 if missed == 0 else 0, origin)
        half = Rational(self.rows, 2)
        edge = _crossing(lambda at: at.gamma_upper(ball(half), regularized=1), missed, None,
                         2 * digits + 10, origin)
        with ctx.workprec(int(6.7 * digits) + 128):
            s, order = ball(self.spread), ball(half)
            low, high = (
                (arb(str(end)) / s).gamma_lower(order, regularized=1) for end in (edge.lower, edge.upper))
            return Enclosure.between(low, high, digits, origin)

    def _renyi(self, alpha: Expr, reverse: bool) -> Callable[[], Any]:
        s, r = self.spread, self.rows
        if alpha is sympy.oo:
            return (lambda: ball(self.largest_reverse_loss)) if reverse else arb.pos_inf
        if alpha == 1:
            return lambda: ball(r * ((1 / s - 1 + log(s)) if reverse else (s - 1 - log(s))) / 2)
        inside = alpha + (1 - alpha) / s if reverse else alpha / s + 1 - alpha
        if quantity.sign(inside, "alpha") <= 0:
            return arb.pos_inf
        power = (1 - alpha) if reverse else alpha
        return lambda: ball(-r * (power * log(s) + log(inside)) / (2 * (alpha - 1)))

    def variance(self, *, digits: int = 17) -> Enclosure:
        raise BadQuantity(f"{self.name} adds no noise to a number, so that there is no variance")


def _crossing(height: Callable[[Any], Any], delta: Expr, top: Expr | None, digits: int,
              origin: str) -> Enclosure:
    """Where the falling divergence has the value delta, by bisection; each side is certified."""
    with ctx.workprec(int(6.7 * digits) + 128):
        target = ball(delta)
        if height(arb(0)) <= target:
            return Enclosure.exactly(0, origin, "delta is at least the total variation")
        low, high = arb(0), arb(1) if top is None else ball(top).upper()
        while top is None and not height(high) < target:
            low, high = high, 2 * high
        for _ in range(4 * digits + 40):
            middle = ((low + high) / 2).mid()
            if top is not None and not middle < ball(top):
                high = middle
                continue
            value = height(middle)
            if value > target:
                low = middle
            elif value < target:
                high = middle
            else:
                break  # as close as the balls can tell
        return Enclosure.between(low, high, digits, origin)


def _above_one(value: Quantity, name: str) -> Expr:
    return quantity.within(value, name, 1, None, open_below=True)
