r"""Laplace noise: $\varepsilon_0$-private for $\varepsilon_0 = \Delta/b$.

>>> from symdp.formulas.notation import symbol
>>> noise = Laplace(scale=symbol("b"))
>>> noise.closed_form("kullback_leibler"), noise.closed_form("variance")
(-1 + exp(-1/b) + 1/b, 2*b**2)
>>> print(Laplace(scale=10).delta(epsilon="0.05", digits=12))
0.024690087971667
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from flint import arb, ctx
from sympy import Abs, Expr, Piecewise, Rational, exp, log

from symdp.formulas.notation import x
from symdp.numbers import quantity
from symdp.numbers.decimals import Enclosure, enclose
from symdp.numbers.exact import ball, number, sign
from symdp.numbers.quantity import Quantity
from symdp.privacy.composition.laplace import MOST_FOLD, ComposedLaplace, Curve
from symdp.privacy.lattice.losses import GUESSES, ContinuousLoss, differences
from symdp.privacy.lattice.moments import Moments
from symdp.privacy.lattice.saddlepoint import Cumulants, outcomes
from symdp.privacy.mechanisms.noise.additive_noise import AdditiveNoise, Strength, evaluating
from symdp.privacy.pairs.pair import parameter, positive
from symdp.privacy.pairs.privacy_loss import PrivacyLoss


class Laplace(AdditiveNoise):
    """Noise of density exp(-|x|/scale)/(2 scale), added to a query of that sensitivity."""

    name = "Laplace noise"
    names = ("laplace",)
    log_concave = True
    prescribed_by = "Corollary 4.2"

    def __init__(self, scale: Quantity, sensitivity: Quantity = 1) -> None:
        self.scale = parameter(scale, "scale", positive)
        self.sensitivity = parameter(sensitivity, "sensitivity", quantity.sensitivity)

    @classmethod
    def private(cls, epsilon: Quantity, sensitivity: Quantity = 1) -> Laplace:
        """The noise that makes a query of that sensitivity epsilon-private.

        >>> Laplace.private("1/2", sensitivity=3)
        Laplace(scale=6, sensitivity=3)
        """
        distance = parameter(sensitivity, "sensitivity", quantity.sensitivity)
        return cls(distance / parameter(epsilon, "epsilon", positive), distance)

    @property
    def parameters(self) -> dict[str, Any]:
        return {"scale": self.scale, "sensitivity": self.sensitivity}

    @property
    def epsilon_0(self) -> Expr:
        return self.sensitivity / self.scale

    @property
    def largest_loss(self) -> Expr:
        return self.epsilon_0

    @property
    def density(self) -> Expr:
        return exp(-Abs(x) / self.scale) / (2 * self.scale)

    @property
    def variance_form(self) -> Expr:
        return 2 * self.scale**2

    def delta_at(self, epsilon: Expr) -> Expr:
        return 1 - exp((epsilon - self.epsilon_0) / 2)

    def epsilon_at(self, delta: Expr) -> Expr:
        return self.epsilon_0 + 2 * log(1 - delta)

    def false_alarm_at(self, missed: Expr) -> Expr:
        loss, half = self.epsilon_0, Rational(1, 2)
        steep, middle, flat = 1 - exp(loss) * missed, exp(-loss) / (4 * missed), exp(-loss) * (1 - missed)
        if missed.free_symbols or loss.free_symbols:
            return Piecewise((steep, missed <= exp(-loss) / 2), (middle, missed <= half), (flat, True))
        if sign(number(missed - exp(-loss) / 2)) <= 0:
            return steep
        return middle if sign(number(missed - half)) <= 0 else flat

    def _inner_false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure:
        return enclose(evaluating(self.false_alarm_at(missed)), digits, origin)

    def renyi_at(self, alpha: Expr) -> Expr:
        loss = self.epsilon_0
        if alpha == 1:
            return loss - 1 + exp(-loss)
        if alpha == Rational(1, 2):  # where the general formula has a removable pole
            return loss - 2 * log(1 + loss / 2)
        moment = (alpha * exp((alpha - 1) * loss) + (alpha - 1) * exp(-alpha * loss)) / (2 * alpha - 1)
        return log(moment) / (alpha - 1)

    def quantile(self, u: Any) -> Any:
        if u <= arb("0.5"):
            return ball(self.scale) * (2 * u).log()
        return -ball(self.scale) * (2 * (1 - u)).log() if u >= arb("0.5") else arb.nan()

    def loss(self, reverse: bool = False) -> LaplaceLoss:
        return LaplaceLoss(self.epsilon_0)

    def composed(self, k: int, **options: Any) -> ComposedLaplace | None:
        if k > MOST_FOLD or options.get("resolution") is not None:
            return None
        return ComposedLaplace(self, k)

    @classmethod
    def strength(cls, k: int) -> Strength | None:
        """By its own exact composition where that is affordable, else as any eps_0-private mechanism."""
        if k > MOST_FOLD // 4:
            return None
        curves: dict[int, Curve] = {}
        return Strength(lambda loss, epsilon: curves.setdefault(ctx.prec, Curve(k))(loss, epsilon)[0],
                        lambda epsilon: epsilon / k, "Laplace noise composed exactly")

    def privacy_loss(self, *, reverse: bool = False) -> PrivacyLoss:
        loss, half = self.epsilon_0, Rational(1, 2)
        return PrivacyLoss(
            atoms=((loss, half), (-loss, exp(-loss) / 2)),
            density=exp((x - loss) / 2) / 4,
            support=(-loss, loss),
            distribution=exp((x - loss) / 2) / 2,
            description="two atoms at the ends, from outputs outside of the two means, "
            "and a density between them",
        )


class LaplaceLoss(ContinuousLoss):
    """Of Laplace noise: atoms at both ends, and a density between them."""

    def __init__(self, epsilon_0: Expr) -> None:
        super().__init__()
        self.epsilon_0 = epsilon_0

    @property
    def largest(self) -> Expr | None:
        return self.epsilon_0

    def ends(self, tail: Any) -> tuple[Any, Any]:
        return -ball(self.epsilon_0), ball(self.epsilon_0)

    def grid(self, points: Sequence[Any]) -> list[tuple[Any, Any]]:
        # The density under P is e^((x - a)/2)/4 on [-a, a], under Q its mirror image.
        a = ball(self.epsilon_0)
        inside = [x.max(-a).min(a) for x in points]
        on_p = [((x - a) / 2).exp() / 2 for x in inside]
        on_q = [((-x - a) / 2).exp() / 2 for x in inside]
        return list(zip(differences(on_p), [-q for q in differences(on_q)], strict=True))

    def outside(self, low: Any, high: Any) -> tuple[Any, Any]:
        return arb(0), arb(0)

    def atoms(self) -> list[tuple[Expr, Any]]:
        return [(self.epsilon_0, arb(1) / 2), (-self.epsilon_0, (-ball(self.epsilon_0)).exp() / 2)]

    def cumulants(self, many: int) -> Cumulants:
        with ctx.workprec(64):
            a = float(ball(self.epsilon_0).mid())
            points = [-a + 2 * a * n / GUESSES for n in range(GUESSES + 1)]
            steps = [float(mass.mid()) for mass, _ in self.grid([arb(x) for x in points])]
            ends = [float(mass.mid()) for _, mass in self.atoms()]
        middles = [(x + y) / 2 for x, y in itertools.pairwise(points)]
        return outcomes([a, *middles, -a], [ends[0], *steps, ends[1]], many)

    def moments(self) -> Moments:
        return LaplaceMoments(self.epsilon_0)


class LaplaceMoments(Moments):
    r"""$M(s) = ((s+1)\,e^{sa} + s\,e^{-(s+1)a})/(2s+1)$ for $a = \varepsilon_0$.

    On a line $s = c + it$ the squares of $|s+1|/|2s+1|$ and of $|s|/|2s+1|$ are quotients of linear functions of
    $t^2$, so that each goes in one direction, to 1/4: from $t$ on, neither is above the larger of that and its value
    at $t$.
    """

    def __init__(self, epsilon_0: Expr) -> None:
        self.epsilon_0 = epsilon_0

    def at(self, s: Any) -> Any:
        a = ball(self.epsilon_0)
        return ((s + 1) * (s * a).exp() + s * (-(s + 1) * a).exp()) / (2 * s + 1)

    def beyond(self, c: Any, t: Any) -> Any:
        a = ball(self.epsilon_0)
        below, half = (2 * c + 1) ** 2 + 4 * t * t, arb(1) / 2
        first, second = ((x * x + t * t) / below for x in (c + 1, c))
        return first.sqrt().max(half) * (c * a).exp() + second.sqrt().max(half) * (-(c + 1) * a).exp()
