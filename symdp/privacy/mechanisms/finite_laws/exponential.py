r"""The exponential mechanism, as any mechanism whose privacy losses span at most $\eta$ (bounded range).

It chooses candidate i with probability proportional to $e^{\eta u_i/(2\Delta)}$, or
$e^{\eta u_i/\Delta}$ for monotone utilities with $\eta$ replaced accordingly; for all neighbours
its losses lie in an interval $[t - \eta, t]$ with $0 \le t \le \eta$ (Durfee and Rogers). Of all
such mechanisms the most revealing for a given t has the two losses $t$ and $t - \eta$; for k of
them, chosen in advance, the worst t is the same for all, and among
$t_l = (\varepsilon + (l+1)\,\eta)/(k+1)$, moved into $[0, \eta]$ (Dong, Durfee and Rogers, Theorem 2). So
$$\delta(\varepsilon) = \max_{0 \le l \le k} \sum_i \binom ki p_t^{k-i} (1-p_t)^i\,
  \bigl(e^{kt - i\eta} - e^\varepsilon\bigr)^+ \Big|_{t = t_l},
  \qquad p_t = \frac{e^{-t} - e^{-\eta}}{1 - e^{-\eta}}.$$
This is about half of what $\varepsilon$-privacy alone gives. Mechanisms that are chosen after seeing answers may be a
little worse: as any $\eta$-private ones they compose with ``--part``.

With scores of one pair of databases, :class:`ChosenByScore` has the two laws themselves.

>>> from symdp.privacy.composition.compose import compose
>>> print(compose(ExponentialMechanism(epsilon="0.1"), 100).epsilon(delta="1e-6", digits=8))
2.246026212
>>> ChosenByScore(epsilon="2*log(2)", scores=[0, 1], others=[1, 1])
ChosenByScore(epsilon=2*log(2), scores=(0, 1), others=(1, 1), sensitivity=1, by=exponential)
>>> ChosenByScore(epsilon="2*log(2)", scores=[0, 1], others=[1, 1]).p
(1/3, 2/3)
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Sequence
from typing import Any

from flint import arb, ctx
from sympy import Expr, Integer, Max, S, exp

from symdp.numbers import quantity
from symdp.numbers.decimals import Enclosure, NotReached
from symdp.numbers.exact import ball, number, sign
from symdp.numbers.quantity import BadQuantity, Quantity, digits_wanted
from symdp.privacy.lattice.losses import Loss
from symdp.privacy.lattice.many_of_one_range import ManyOfOneRange
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.pairs import sampling
from symdp.privacy.pairs.known_by_loss import KnownByLoss
from symdp.privacy.pairs.pair import DIGITS, parameter, positive

#: So few are a maximum over that many sums of that many terms; of more the worst place is searched.
FEW_FOLD, MOST_FOLD = 400, 10**12
#: Permute-and-flip sums over the subsets of the candidates.
MOST_PERMUTED = 14
WAYS = ("exponential", "permute-and-flip")
SEARCHED = ("the place of the range, searched: one place for the lower end, and for the upper one intervals of "
            "places, each bounded by the two losses at its ends")


class ExponentialMechanism(KnownByLoss):
    """Any mechanism whose privacy losses span at most epsilon, as of the epsilon-private exponential one."""

    name = "the exponential mechanism"
    names = ("exponential", "bounded-range")
    theorem = "bounded range, mechanisms chosen in advance (Dong, Durfee and Rogers)"
    composes_by = "for mechanisms that are chosen in advance; chosen adaptively they may reveal a little more"

    def __init__(self, epsilon: Quantity) -> None:
        self.epsilon_0 = parameter(epsilon, "epsilon", positive)

    @property
    def parameters(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon_0}

    def for_group(self, size: int) -> ExponentialMechanism:
        return ExponentialMechanism(self.epsilon_0 * size)

    def largest_loss(self, reverse: bool) -> Expr | None:
        return self.epsilon_0

    def tails(self, epsilon: Any, reverse: bool) -> tuple[Any, Any]:
        raise BadQuantity(f"{self.name} is a family of laws; ask for delta or epsilon")

    def loss(self, reverse: bool = False) -> Loss:
        raise BadQuantity(f"{self.name} composes with its like alone; beside others give its epsilon as a part")

    def composed(self, k: int, **options: Any) -> BoundedRange:
        return BoundedRange(self.epsilon_0, k)

    def _hockey_stick(self, epsilon: Expr, reverse: bool, digits: int) -> Enclosure:
        return BoundedRange(self.epsilon_0, 1).delta(epsilon, digits)

    def _epsilon(self, delta: Expr, reverse: bool, digits: int) -> Enclosure:
        return BoundedRange(self.epsilon_0, 1).epsilon(delta, digits)


class BoundedRange:
    """k mechanisms of that range, chosen in advance."""

    theorem = ExponentialMechanism.theorem

    def __init__(self, span: Expr, k: int) -> None:
        if k > MOST_FOLD:
            raise BadQuantity(f"exponential mechanisms compose up to k = {MOST_FOLD}, not {k}; as any "
                              "epsilon-private ones, given with --epsilon, for any k")
        self.span, self.k, self.total = span, k, k * span
        self.many = ManyOfOneRange(k, lambda: ball(span)) if k > FEW_FOLD else None

    def delta(self, epsilon: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest delta for which all such compositions are (epsilon, delta)-private."""
        at, wanted = quantity.epsilon(epsilon), digits_wanted(digits)
        if quantity.sign(at - self.total, "epsilon") >= 0:
            return Enclosure.exactly(0, self.theorem, "epsilon is at least the largest privacy loss")
        if self.many is not None:
            return Enclosure.between(*self.many.delta_ends(lambda: ball(at)), wanted, self.theorem, rounded=SEARCHED)
        bits = int(3.33 * wanted) + 64 + self.k
        while bits < 1 << 14:
            with ctx.workprec(bits):
                found = self.height(ball(at))
                if found > 0 and found.rel_accuracy_bits() > 3.33 * wanted + 8:
                    return Enclosure.of_ball(found, wanted, self.theorem)
            bits *= 2
        raise NotReached(f"{digits} digits were not reached")

    def epsilon(self, delta: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest epsilon >= 0 for which all such compositions are (epsilon, delta)-private."""
        level, wanted = quantity.probability(delta), digits_wanted(digits)
        if level == 0:
            with ctx.workprec(4 * wanted + 64):
                return Enclosure.of_ball(ball(self.total), wanted, self.theorem)
        if level == 1:
            return Enclosure.exactly(0, self.theorem, "every mechanism is (0, 1)-private")
        if self.many is not None:
            ends = self.many.epsilon_ends(lambda: ball(level))
            return Enclosure.between(*ends, wanted, self.theorem, rounded=SEARCHED)
        turns = int(3.33 * wanted) + 16
        with ctx.workprec(2 * turns + 64 + self.k):
            target = ball(level)
            if self.height(arb(0)) <= target:
                return Enclosure.exactly(0, self.theorem, "delta is at least the total variation")
            low, high = arb(0), ball(self.total).upper()
            for _ in range(turns):
                middle = ((low + high) / 2).mid()
                height = self.height(middle)
                if height > target:
                    low = middle
                elif height <= target:
                    high = middle
                else:
                    break
            return Enclosure.between(low, high, wanted, self.theorem)

    def corners(self, digits: int = DIGITS) -> list[Any]:
        raise BadQuantity("the region of exponential mechanisms has no corners; ask for one epsilon or one delta")

    def height(self, epsilon: Any) -> Any:
        """The maximum over the common place of the range."""
        best, span, k = arb(0), ball(self.span), self.k
        for ell in range(k + 1):
            t = ((epsilon + (ell + 1) * span) / (k + 1)).max(arb(0)).min(span)
            best = best.max(two_losses(k, span, t, epsilon))
        return best


def two_losses(k: int, span: Any, t: Any, epsilon: Any) -> Any:
    """The divergence of k pairs with the losses t and t - span."""
    p = (((-t).exp() - (-span).exp()) / -(-span).expm1()).max(arb(0))
    q = (1 - p).max(arb(0))
    highs, lows = [arb(1)], [arb(1)]  # powers, as products: a ball around zero has no logarithm
    for _ in range(k):
        highs.append(highs[-1] * p)
        lows.append(lows[-1] * q)
    total, level, top = arb(0), epsilon.exp(), t * k
    for i in range(k + 1):
        gain = (top - span * i).exp() - level
        if gain <= 0:
            break
        total += math.comb(k, i) * highs[k - i] * lows[i] * gain.max(arb(0))
    return total


class ChosenByScore(FinitePair):
    """The exponential mechanism, or permute-and-flip, for the scores of all candidates under two databases.

    In a line: ``chosen-by-score epsilon=1 scores=3;1;0 others=2;1;1``.
    """

    name = "a choice by score"
    names = ("chosen-by-score",)

    def __init__(self, epsilon: Quantity, scores: str | Iterable[Quantity], others: str | Iterable[Quantity],
                 sensitivity: Quantity = 1, by: str = "exponential") -> None:
        if by not in WAYS:
            raise BadQuantity(f"by must be {' or '.join(WAYS)}, not {by[:40]!r}")
        self.epsilon_0 = parameter(epsilon, "epsilon", positive)
        self.sensitivity = parameter(sensitivity, "sensitivity", quantity.sensitivity)
        self.scores, self.others, self.by = _scores(scores, "scores"), _scores(others, "others"), by
        if len(self.scores) != len(self.others):
            raise BadQuantity("scores and others must be about the same candidates")
        for one, other in zip(self.scores, self.others, strict=True):
            if sign(number(Max(one - other, other - one) - self.sensitivity)) > 0:
                raise BadQuantity(f"a score that changes from {one} to {other} changes by more than the sensitivity")
        law = _exponential if by == "exponential" else _permute_and_flip
        super().__init__(*(law([s * self.epsilon_0 / (2 * self.sensitivity) for s in side])
                           for side in (self.scores, self.others)))

    @property
    def parameters(self) -> dict[str, Any]:
        return {"epsilon": self.epsilon_0, "scores": self.scores, "others": self.others,
                "sensitivity": self.sensitivity, "by": self.by}

    def sample(self, coins: random.Random | None = None, other: bool = False) -> int:
        """The index of a chosen candidate, exactly: by rejection, or by flipping in a random order."""
        source = coins or sampling.SYSTEM
        scores = self.others if other else self.scores
        best = Max(*scores)
        falls = [(best - s) * self.epsilon_0 / (2 * self.sensitivity) for s in scores]
        while True:
            order = list(range(len(scores)))
            source.shuffle(order)
            if self.by == "exponential":
                order = order[:1]
            for i in order:
                if sampling.bernoulli(lambda i=i: (-ball(falls[i])).exp(), source):  # type: ignore[misc]
                    return i


def _scores(given: str | Iterable[Quantity], name: str) -> tuple[Expr, ...]:
    parts: Iterable[Quantity] = given.split(";") if isinstance(given, str) else given
    found = tuple(quantity.quantity(part, name) for part in parts)
    if not found:
        raise BadQuantity(f"{name} must have at least one candidate")
    return found


def _exponential(weights: Sequence[Expr]) -> tuple[Expr, ...]:
    best = Max(*weights)
    sizes = [exp(w - best) for w in weights]
    total = sum(sizes, S.Zero)
    return tuple(size / total for size in sizes)


def _permute_and_flip(weights: Sequence[Expr]) -> tuple[Expr, ...]:
    r"""$p_i \int_0^1 \prod_{j \ne i} (1 - x p_j)\,dx$ for $p = e^{w - \max w}$: i before all that accept."""
    if len(weights) > MOST_PERMUTED:
        raise BadQuantity(f"permute-and-flip is listed for up to {MOST_PERMUTED} candidates")
    best = Max(*weights)
    chances = [exp(w - best) for w in weights]
    found = []
    for i, chance in enumerate(chances):
        rest = [c for j, c in enumerate(chances) if j != i]
        total: Expr = S.Zero
        for size in range(len(rest) + 1):
            products = (math.prod(group, start=Integer(1)) for group in itertools.combinations(rest, size))
            elementary = sum(products, S.Zero)
            total += (-1) ** size * elementary / (size + 1)
        found.append((chance * total).expand())
    return tuple(found)
