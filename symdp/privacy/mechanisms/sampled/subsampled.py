r"""A mechanism on a random part of the data, every record taken with probability q (Poisson sampling).

With $P_0$ and $Q_0$ the laws of the mechanism with and without a record, the record is there with probability $q$:
the laws with and without it in the data are $P = (1-q)\,Q_0 + q\,P_0$ and $Q = Q_0$ (Zhu, Dong and Wang: if
$P_0, Q_0$ speak for all neighbours, so do these).
The two directions differ, and both count: *remove* a record, P against Q,
and *add* one, Q against P. With $\delta_0$ the divergence of the mechanism itself,
$$\delta_{remove}(\varepsilon) = q\,\delta_0\bigl(\log(1 + (e^\varepsilon - 1)/q)\bigr), \qquad
  \delta_{add}(\varepsilon) = r\,\delta_0\bigl(\log(q\,e^\varepsilon / r)\bigr),\quad r = 1 - (1-q)\,e^\varepsilon,$$
the latter for $r > 0$, and else nothing: to add a record costs at most $\log(1/(1-q))$.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import sympy
from flint import arb, ctx
from sympy import Expr, Max, Piecewise, S, exp, log

from symdp.formulas.notation import eps_total
from symdp.numbers import quantity
from symdp.numbers.crossing import crossing
from symdp.numbers.decimals import INFINITY, Enclosure, enclose
from symdp.numbers.exact import ball, number, sign
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.lattice.losses import ContinuousLoss, FiniteLosses, Loss
from symdp.privacy.lattice.moments import Moments
from symdp.privacy.lattice.saddlepoint import Cumulants, outcomes
from symdp.privacy.mechanisms.noise.additive_noise import AdditiveNoise, evaluating
from symdp.privacy.pairs.known_by_loss import Once
from symdp.privacy.pairs.pair import Mechanism, parameter
from symdp.privacy.pairs.privacy_loss import PrivacyLoss

#: Where a loss of the mechanism itself cannot be so small: instead of minus infinity.
FAR_BELOW = -(10**9)
#: Points at which a law stands in for itself, where only a guess is wanted.
GUESSES = 400
NEIGHBOURS = ("both", "remove", "add")


class Subsampled(Mechanism):
    """Noise on a sample; ``neighbours`` says in which direction: remove a record, add one, or both."""

    #: the noise, made from the other parameters
    noise: AdditiveNoise
    rate: Expr
    neighbours: str
    neighbours_are = "a record that is added or removed"
    #: how the loss is moved and inverted, if there is such a way
    theorem: ClassVar[str] = "Poisson sampling of a dominating pair (Zhu, Dong and Wang)"

    def __init__(self, noise: AdditiveNoise, rate: Quantity, neighbours: str = "both") -> None:
        if neighbours not in NEIGHBOURS:
            raise BadQuantity(f"neighbours must be both, remove or add, not {neighbours!r}")
        self.noise, self.neighbours = noise, neighbours
        self.rate = parameter(rate, "rate", quantity.probability)

    @abstractmethod
    def _moments(self, reverse: bool) -> Moments | None:
        """Of the loss in one direction, for a rate strictly between 0 and 1."""

    @property
    def parameters(self) -> dict[str, Any]:
        chosen = {} if self.neighbours == "both" else {"neighbours": self.neighbours}
        return {**self.noise.parameters, "rate": self.rate, **chosen}

    @property
    def speaks_for(self) -> str:
        ways = {"both": "a record is added or removed, the worse of the two", "add": "a record is added",
                "remove": "a record is removed"}
        return f"{self.name}: {self.theorem}; {ways[self.neighbours]}"

    @property
    def symmetric(self) -> bool:
        """Only where nothing or everything is sampled."""
        return self.rate in (0, 1)

    @property
    def directions(self) -> tuple[bool, ...]:
        return {"both": (False, True), "remove": (False,), "add": (True,)}[self.neighbours]

    # --- formulas ---

    def simplified(self) -> Mechanism:
        """A sample of everything is everything."""
        return self.noise if self.rate == 1 else self

    def closed_forms(self) -> dict[str, Expr]:
        forward, backward = (self._delta_form(reverse) for reverse in (False, True))
        each = [(forward, backward)[reverse] for reverse in self.directions]
        return {"delta": Max(*each), "hockey_stick": forward, "hockey_stick_reverse": backward,
                "total_variation": self.rate * self.noise.closed_form("total_variation"),
                "variance": self.noise.closed_form("variance")}

    def _delta_form(self, reverse: bool) -> Expr:
        weight, at = self._amplified(eps_total, reverse)
        inside = weight * self.noise.closed_form("delta").subs(eps_total, at)
        return Piecewise((inside, weight > 0), (0, True)) if reverse else inside

    def _amplified(self, epsilon: Expr, reverse: bool) -> tuple[Expr, Expr]:
        """The factor before the divergence of the noise, and where that is asked for."""
        if not reverse:
            return self.rate, log(1 + (exp(epsilon) - 1) / self.rate)
        weight = 1 - (1 - self.rate) * exp(epsilon)
        return weight, log(self.rate * exp(epsilon) / weight)

    def privacy_loss(self, *, reverse: bool = False) -> PrivacyLoss:
        raise BadQuantity(f"the law of the loss of {self.name} is not written down; "
                          "closed_form('delta') tells everything")

    # --- numbers ---

    def _hockey_stick(self, epsilon: Expr, reverse: bool, digits: int) -> Enclosure:
        origin = f"hockey-stick divergence of {self.name}; {self.theorem}"
        if self.rate == 0:
            return Enclosure.exactly(0, origin, "nothing is sampled")
        if self.rate == 1:
            return self.noise._hockey_stick(epsilon, reverse, digits)
        if reverse and sign(number(1 - (1 - self.rate) * exp(epsilon))) <= 0:
            return Enclosure.exactly(0, origin, "epsilon is at least the largest privacy loss")
        weight, at = self._amplified(epsilon, reverse)
        largest = self.noise.largest_loss
        if largest is not sympy.oo and sign(number(exp(at) - exp(largest))) >= 0:
            return Enclosure.exactly(0, origin, "epsilon is at least the largest privacy loss")
        return enclose(evaluating(weight * self.noise.delta_at(at)), digits, origin)

    def _epsilon(self, delta: Expr, reverse: bool, digits: int) -> Enclosure:
        origin = f"inverse of the hockey-stick divergence of {self.name}; {self.theorem}"
        if self.rate == 1:
            return self.noise._epsilon(delta, reverse, digits)
        if self.rate == 0 or delta == 1 or sign(number(delta - self.rate * self.noise.delta_at(S.Zero))) >= 0:
            return Enclosure.exactly(0, origin, "delta is at least the total variation")
        if delta == 0:
            most = largest_loss(self.noise.largest_loss, self.rate, reverse)
            if most is None:
                return Enclosure.exactly(INFINITY, origin, "the privacy loss has no bound")
            return enclose(evaluating(most), digits, origin)
        if reverse:
            return self._by_crossing(delta, digits, origin)
        inner = self.noise._epsilon(delta / self.rate, False, digits + 3)
        ends = [sympy.Rational(*end.as_integer_ratio()) for end in (inner.lower, inner.upper)]
        with ctx.workprec(4 * digits + 64):
            low, high = ((ball(self.rate) * ball(end).expm1()).log1p() for end in ends)
            return Enclosure.between(low, high, digits, origin)

    def _by_crossing(self, delta: Expr, digits: int, origin: str) -> Enclosure:
        def height(at: Any) -> Any:
            grown = at.exp()
            weight = 1 - (1 - ball(self.rate)) * grown
            inner = (ball(self.rate) * grown / weight).log()
            return weight * self._noise_delta(inner) if weight > 0 else arb(0) if weight <= 0 else arb.nan()

        def curve(at: Any) -> tuple[Any, Any]:
            apart = arb(2) ** -(ctx.prec // 3)
            return height(at), (height(at - apart) - height(at + apart)) / (2 * apart)  # the slope is a hint

        return crossing(curve, lambda: ball(delta), lambda: -(1 - ball(self.rate)).log(),
                        12 * digits + 96, digits, origin)

    @abstractmethod
    def _noise_delta(self, epsilon: Any) -> Any:
        """The divergence of the noise itself at a ball, which may be any positive number."""

    def _false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure:
        raise BadQuantity(f"the trade-off of errors of {self.name} is not computed; ask for delta or epsilon")

    def _renyi(self, alpha: Expr, reverse: bool) -> Callable[[], Any]:
        if self.rate == 0:
            return lambda: arb(0)
        if self.rate == 1:
            return self.noise._renyi(alpha, reverse)
        if alpha is sympy.oo:
            most = largest_loss(self.noise.largest_loss, self.rate, reverse)
            return arb.pos_inf if most is None else evaluating(most)
        moments = self._moments(reverse)
        if moments is None or sign(number(alpha - 1)) <= 0:
            raise BadQuantity(f"Renyi divergences of {self.name} are computed for orders above 1")
        return lambda: moments.real(ball(alpha) - 1).log() / (ball(alpha) - 1)

    # --- composition ---

    def composed(self, k: int, **options: Any) -> Any:
        """Once, its own formulas tell everything."""
        return Once(self) if k == 1 and options.get("resolution") is None else None

    def loss(self, reverse: bool = False) -> Loss:
        return loss_of_sample(self, self.noise, self.rate,
                              lambda base: SubsampledLoss(base, self.rate, reverse, self._moments(reverse)))


def loss_of_sample(mechanism: Mechanism, noise: AdditiveNoise, rate: Expr,
                   between: Callable[[ContinuousLoss], Loss]) -> Loss:
    """The loss of noise on a sample: nothing where nothing is sampled, that of the noise where everything is."""
    if rate == 0:
        return FiniteLosses([(S.Zero, S.One)])
    base = noise.loss()
    if rate == 1:
        return base
    if not isinstance(base, ContinuousLoss):
        raise BadQuantity(f"there is no composition of {type(mechanism).__name__}")
    return between(base)


def largest_loss(most: Expr | None, rate: Expr, reverse: bool) -> Expr | None:
    """The supremum of the loss of a sample, from that of the mechanism; None if there is none."""
    if most is None or most is sympy.oo:
        return -log(1 - rate) if reverse else None
    return -log(1 - rate + rate * exp(-most)) if reverse else log(1 + rate * (exp(most) - 1))


class SubsampledLoss(ContinuousLoss):
    r"""The loss $\log(1 - q + q\,e^L)$, or reversed its negative; the loss $L$ is mirrored under $Q_0$."""

    def __init__(self, base: ContinuousLoss, rate: Expr, reverse: bool, moments: Moments | None) -> None:
        super().__init__()
        self.base, self.rate, self.reverse, self._moments = base, rate, reverse, moments

    @property
    def largest(self) -> Expr | None:
        return largest_loss(self.base.largest, self.rate, self.reverse)

    def moments(self) -> Moments | None:
        return self._moments

    def _sampled(self, loss: Any) -> Any:
        return (ball(self.rate) * loss.expm1()).log1p()

    def _of_mechanism(self, loss: Any) -> Any:
        """The loss of the mechanism at which that of the sample is so much."""
        odds = 1 + loss.expm1() / ball(self.rate)
        if odds > 0:
            return odds.log()
        below = arb(FAR_BELOW)
        return below if odds <= 0 else below.union(odds.upper().log())

    def ends(self, tail: Any) -> tuple[Any, Any]:
        low, high = self.base.ends(tail)
        far = (-low).max(high)  # beyond it, on both sides, there is no more than the tail under either law
        low, high = self._sampled(-far), self._sampled(far)
        return (-high, -low) if self.reverse else (low, high)

    def grid(self, points: Sequence[Any]) -> list[tuple[Any, Any]]:
        rate = ball(self.rate)
        if self.reverse:
            cells = self.base.grid([self._of_mechanism(-x) for x in reversed(points)])
            return [(on_q, (1 - rate) * on_q + rate * on_p) for on_p, on_q in reversed(cells)]
        cells = self.base.grid([self._of_mechanism(x) for x in points])
        return [((1 - rate) * on_q + rate * on_p, on_q) for on_p, on_q in cells]

    def outside(self, low: Any, high: Any) -> tuple[Any, Any]:
        if self.reverse:
            low, high = -high, -low
        low, high = self._of_mechanism(low), self._of_mechanism(high)
        below, above = self.base.outside(low, high)  # under P_0; under Q_0 the loss is mirrored
        mirrored_above, mirrored_below = self.base.outside(-high, -low)
        if self.reverse:
            return mirrored_above, mirrored_below
        rate = ball(self.rate)
        return (1 - rate) * mirrored_below + rate * below, (1 - rate) * mirrored_above + rate * above

    def atoms(self) -> list[tuple[Expr, Any]]:
        found, rate = [], ball(self.rate)
        for loss, mass in self.base.atoms():
            sampled, on_q = log(1 + self.rate * (exp(loss) - 1)), mass * (-ball(loss)).exp()
            found.append((-sampled, on_q) if self.reverse else (sampled, (1 - rate) * on_q + rate * mass))
        return found

    def cumulants(self, many: int) -> Cumulants:
        if self._moments is not None:
            return self._moments.cumulants(many)
        with ctx.workprec(64):
            low, high = self.ends(arb(2) ** -64)
            points = [low + (high - low) * n / GUESSES for n in range(GUESSES + 1)]
            pairs = [(float(((x + y) / 2).mid()), float(mass.mid())) for (x, y), (mass, _) in
                     zip(itertools.pairwise(points), self.grid(points), strict=True)]
            pairs += [(float(ball(loss).mid()), float(mass.mid())) for loss, mass in self.atoms()]
        kept = [(loss, mass) for loss, mass in pairs if mass > 0]
        return outcomes([loss for loss, _ in kept], [mass for _, mass in kept], many)
