r"""Discrete Gaussian noise for integer queries (Canonne, Kamath and Steinke): $P(z) \propto e^{-z^2/(2v)}$.

The loss of an output is $(\Delta^2 - 2z\Delta)/(2v)$: the losses of all compositions lie on a
lattice, and by Poisson's formula the moments are a few terms of a theta series. The law is
symmetric and log-concave, so that the largest distance speaks for all smaller ones: the best test
asks for $z \le t$, and $F(t) - e^\varepsilon F(t - \Delta)$ grows with $\Delta$.

>>> noise = DiscreteGaussian(variance=4)
>>> print(noise.delta(epsilon=1, digits=12), noise.epsilon(delta="1e-6", digits=12))
0.0072487768459526 2.2757931514381
>>> from symdp.privacy.composition.compose import compose
>>> print(compose(DiscreteGaussian(variance=10**4), 10**4).epsilon(delta="1e-6"))
4.886554119732270892
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import sympy
from flint import acb, arb, ctx
from sympy import Expr, Rational, exp

from symdp.formulas.notation import x
from symdp.numbers import quantity
from symdp.numbers.exact import ball
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.composition.heterogeneous import rational
from symdp.privacy.lattice.losses import PLACING_BITS, Extent, Loss, spread_between
from symdp.privacy.lattice.moments import Moments
from symdp.privacy.lattice.periodic import LatticeLaw, Weighed
from symdp.privacy.lattice.saddlepoint import Cumulants
from symdp.privacy.pairs import sampling
from symdp.privacy.pairs.known_by_loss import KnownByLoss
from symdp.privacy.pairs.pair import parameter, positive

#: A sum over more integers is not begun.
MOST_INTEGERS = 400_000


class DiscreteGaussian(KnownByLoss):
    """Integer noise z of probability proportional to exp(-z^2/(2 variance)), for a query of integer sensitivity."""

    name = "discrete Gaussian noise"
    names = ("discrete-gaussian",)
    log_concave = True

    def __init__(self, variance: Quantity, sensitivity: Quantity = 1) -> None:
        self.parameter = parameter(variance, "variance", positive)
        self.sensitivity = quantity.whole_sensitivity(sensitivity)

    @property
    def parameters(self) -> dict[str, Any]:
        return {"variance": self.parameter, "sensitivity": self.sensitivity}

    @property
    def density(self) -> Expr:
        """The probabilities up to their common factor, in the symbol ``x``."""
        return exp(-(x**2) / (2 * self.parameter))

    def for_group(self, size: int) -> DiscreteGaussian:
        return DiscreteGaussian(self.parameter, self.sensitivity * size)

    def sample(self, coins: random.Random | None = None) -> int:
        """A draw of the noise, exactly."""
        self._must_be_numeric()
        return sampling.discrete_gaussian(lambda: ball(self.parameter), coins)

    def loss(self, reverse: bool = False) -> DiscreteGaussianLoss:
        return DiscreteGaussianLoss(self.parameter, self.sensitivity)

    def largest_loss(self, reverse: bool) -> Expr | None:
        return None

    def tails(self, epsilon: Any, reverse: bool) -> tuple[Any, Any]:
        v, distance = ball(self.parameter), self.sensitivity
        edge = arb(distance) / 2 - epsilon * v / distance  # z below it has a larger loss
        last = int(edge.lower().ceil().unique_fmpz()) - 1
        norm = theta(v)
        p, q = upper_tail(v, -last) / norm, upper_tail(v, distance - last) / norm
        return p, q

    def _height(self, epsilon: Any, reverse: bool) -> tuple[Any, Any]:
        height, slope = super()._height(epsilon, reverse)
        v, distance = ball(self.parameter), self.sensitivity
        edge = arb(distance) / 2 - epsilon * v / distance
        z = int(edge.lower().ceil().unique_fmpz())
        if edge > z:  # the next integer may have a larger loss as well; its own part is about zero
            return height, slope
        gain = (-(arb(z) ** 2) / (2 * v)).exp() - epsilon.exp() * (-(arb(z - distance) ** 2) / (2 * v)).exp()
        return height + arb(0).union(gain / theta(v)) if not edge <= z else height, slope


def theta(v: Any) -> Any:
    """The sum of exp(-z^2/(2v)) over all integers, by the series that falls faster."""
    if v < 1:
        return 1 + 2 * upper_tail(v, 1)
    falling = 2 * arb.pi() ** 2 * v  # Poisson: sqrt(2 pi v) sum of exp(-2 pi^2 v m^2)
    return (2 * arb.pi() * v).sqrt() * (1 + 2 * upper_tail(1 / (2 * falling), 1))


def upper_tail(v: Any, start: int) -> Any:
    """The sum of exp(-z^2/(2v)) over the integers from ``start`` on."""
    if start <= 0:
        return theta(v) - upper_tail(v, 1 - start)
    # From the last term Y on, the terms fall at least like exp(-Y z/v).
    reach = (2 * v * (ctx.prec + 8) * arb(2).log() + arb(start) ** 2).sqrt()
    last = int(reach.upper().ceil().unique_fmpz())
    if last - start > MOST_INTEGERS:
        raise BadQuantity(f"the sum would have more than {MOST_INTEGERS} terms; the variance is too large for it")
    total, term = arb(0), (-(arb(start) ** 2) / (2 * v)).exp()
    ratio, square = (-(2 * arb(start) + 1) / (2 * v)).exp(), (-1 / v).exp()
    for _ in range(start, last + 1):
        total += term
        term *= ratio
        ratio *= square
    rest = (-(arb(last + 1) ** 2) / (2 * v)).exp() / -(-arb(last + 1) / v).expm1()
    return total + arb(0).union(rest.upper())


class DiscreteGaussianLoss(Loss):
    r"""The losses $\Delta^2/(2v) - z\,\Delta/v$ for all integers z."""

    discrete = True

    def __init__(self, variance: Expr, sensitivity: int) -> None:
        self.variance, self.sensitivity = variance, sensitivity
        self.spacing: Expr = sensitivity / variance
        self.middle: Expr = Rational(sensitivity**2, 2) / variance

    @property
    def largest(self) -> Expr | None:
        return None

    @property
    def marks(self) -> list[Expr]:
        return [self.spacing]

    @property
    def lattice_offset(self) -> Expr:
        return self.middle

    def _reach(self, tail: Any) -> int:
        """Beyond +-reach there is at most the tail: the mass beyond z is below 2 exp(-z^2/(2v))(1 + v)."""
        v = ball(self.variance)
        bound = (2 * v * ((2 + 2 * v).log() - tail.log()) + 1).sqrt()
        return int(bound.upper().ceil().unique_fmpz()) + 1

    def ends(self, tail: Any) -> tuple[Any, Any]:
        reach = self._reach(tail)
        return (ball(self.middle) - ball(self.spacing) * reach, ball(self.middle) + ball(self.spacing) * reach)

    def _places(self, step: Expr, reach: int) -> list[tuple[int, int, int]]:
        """For each z the points of the lattice at or below, and at or above, its loss."""
        first, apart = rational(self.middle / step), rational(self.spacing / step)
        if isinstance(first, Rational) and isinstance(apart, Rational):
            exact = [first - z * apart for z in range(-reach, reach + 1)]
            return [(z, int(sympy.floor(at)), int(sympy.ceiling(at)))
                    for z, at in zip(range(-reach, reach + 1), exact, strict=True)]
        with ctx.workprec(PLACING_BITS):
            found = []
            for z in range(-reach, reach + 1):
                at = ball(first) - ball(apart) * z
                found.append((z, int(at.lower().floor().unique_fmpz()), int(at.upper().ceil().unique_fmpz())))
            return found

    def extent(self, step: Expr, side: int, tail: Any) -> Extent:
        reach = self._reach(tail)
        if 2 * reach > MOST_INTEGERS:
            raise BadQuantity(f"more than {MOST_INTEGERS} integers would be listed; the variance is too large")
        places = self._places(step, reach)
        v = ball(self.variance)
        outside = upper_tail(v, reach + 1) / theta(v)
        return Extent(places[-1][1], places[0][2], outside, arb(0))

    def placed(self, step: Expr, side: int, tail: Any) -> dict[int, Any]:
        reach, v = self._reach(tail), ball(self.variance)
        norm, masses = theta(v), dict[int, Any]()
        for z, down, up in self._places(step, reach):
            mass = (-(arb(z) ** 2) / (2 * v)).exp() / norm
            if side < 0 or down == up:
                masses[down] = masses.get(down, arb(0)) + mass
            else:
                loss = ball(self.middle) - ball(self.spacing) * z
                spread_between(masses, ball(step), down, up, mass, mass * (-loss).exp())
        # What is cut: below it counts as the lowest for the upper end, above it as the highest for the lower one.
        outside = upper_tail(v, reach + 1) / norm
        at = min(masses) if side > 0 else max(masses)
        masses[at] += outside
        return masses

    def cumulants(self, many: int) -> Cumulants:
        square = float(ball(self.spacing * self.sensitivity).mid()) * many
        if float(ball(self.variance).mid()) > 0.5:
            return lambda tilt: (tilt * (1 + tilt) * square / 2, (tilt + 0.5) * square, square)
        return self.moments().cumulants(many)

    def moments(self) -> Moments:
        return ThetaMoments(self)

    def lattice_law(self, step: Expr) -> LatticeLaw | None:
        return ThetaLaw(self) if rational(self.spacing / step) == 1 else None


def _sum_at(v: Any, order: Any) -> Any:
    r"""$e^{-v a^2/2} \sum_z e^{-z^2/(2v) - \kappa z}$ for $\kappa = a + ib$: by Poisson
    $\sqrt{2\pi v}$ times the sum of $e^{v(i a \beta - \beta^2/2)}$ over $\beta = b + 2\pi m$."""
    a, b = order.real, order.imag
    total, turn = acb(0), 2 * arb.pi()
    first = int((-b / turn).mid().floor().unique_fmpz())
    around = max(int(((2 * (ctx.prec + 8) * arb(2).log() / v).sqrt() / turn).upper().ceil().unique_fmpz()), 1) + 1
    for m in range(first - around, first + around + 2):
        beta = b + turn * m
        total += acb(-v * beta * beta / 2, v * a * beta).exp()
    # |beta| is at least 2 pi (around - 1) for what is left out, on both sides; the terms fall faster than by halves.
    edge = turn * around
    rest = (4 * (-v * edge * edge / 2).exp()).upper() if v * turn * edge > 1 else arb.pos_inf()
    return (total + acb(arb(0, rest), arb(0, rest))) * (turn * v).sqrt()


class ThetaMoments(Moments):
    """At any order; on a lattice the modulus comes back, so that nothing is promised far out."""

    def __init__(self, loss: DiscreteGaussianLoss) -> None:
        self.law = loss

    def at(self, s: Any) -> Any:
        v, distance = ball(self.law.variance), self.law.sensitivity
        order = s * distance / v
        a = order.real
        return (s * ball(self.law.middle) + v * a * a / 2).exp() * _sum_at(v, order) / theta(v)

    def beyond(self, c: Any, t: Any) -> Any:
        return self.real(c)


class ThetaLaw(LatticeLaw):
    """The index of a loss is -z."""

    def __init__(self, loss: DiscreteGaussianLoss) -> None:
        self.loss = loss

    def weighed(self, rate: Any) -> Weighed:
        return ThetaWeights(ball(self.loss.variance), rate)


class ThetaWeights(Weighed):
    r"""By Poisson the modulus is at most $\sum_m e^{-v(\theta + 2\pi m)^2/2}$ over the sum of
    $e^{va(2\pi i m) - \dots}$ at 0; that theta series falls from 0 to pi, as each factor of its
    triple product does."""

    def __init__(self, v: Any, rate: Any) -> None:
        self.v, self.rate = v, rate
        self._norm = _sum_at(v, acb(rate)).real
        self.total = (v * rate * rate / 2).exp() * self._norm / theta(v)

    def at(self, angles: Sequence[Any]) -> list[Any]:
        return [_sum_at(self.v, acb(self.rate, angle)) / self._norm for angle in angles]

    def beyond(self, angle: Any) -> Any:
        return _sum_at(self.v, acb(arb(0), angle)).real / self._norm
