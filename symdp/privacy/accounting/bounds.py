r"""The closed-form composition bounds of the sources, with one interface, in both directions.

All but the simplest say: the composition is $(\tilde\varepsilon, \delta)$-private for
$\tilde\varepsilon = \text{drift} + \sqrt{2\,\text{spread}\,\log g(\tilde\delta)}$, where a slack
$\tilde\delta$ is given away besides the $\delta_l$ of the mechanisms. They are evaluated as printed;
which of them are guarantees, and where, is settled elsewhere.

>>> for bound in BOUNDS:
...     print(bound.name, bound.epsilon([("0.1", 0, 100)], delta="1e-6", digits=6))
basic 10
advanced 6.3082310
simplified 5.7561055
simplified-for-small-epsilon 6.2565218
note 17.67429
blog 5.7565218
zcdp 5.7565218
renyi 5.577053
>>> by_name("advanced").closed_form()
eps*k*(exp(eps) - 1) + sqrt(2)*eps*sqrt(k*log(1/slack))
>>> print(by_name("advanced").delta([("0.1", 0, 100)], epsilon=4, digits=6))
0.012955830
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from flint import arb
from sympy import E, Expr, Rational, S, Sum, exp, log, sqrt

from symdp.formulas.balls import ball
from symdp.formulas.notation import delta as delta_symbol
from symdp.formulas.notation import eps, k, slack
from symdp.numbers import quantity
from symdp.numbers.decimals import INFINITY, Enclosure
from symdp.numbers.quantity import NOTHING_COMPOSED, BadQuantity, Quantity, digits_wanted
from symdp.privacy.composition.composed import DIGITS, enclose_exactly, reach
from symdp.privacy.composition.heterogeneous import Heterogeneous, Part

Parts = Iterable[Part | Sequence[Quantity]]
alpha = sympy.Symbol("alpha")

KOV = "of Kairouz, Oh and Viswanath"
NO_SLACK = "the bound needs a delta above {}: what the mechanisms leak leaves no slack"


class Bound(ABC):
    """A bound with a name, its place in the sources and its hypotheses."""

    name: str
    theorem: str
    hypotheses: str

    @abstractmethod
    def closed_form(self, *, different: bool = False) -> Expr:
        """The epsilon in total, for equal or for different mechanisms, as SymPy."""

    def epsilon(self, parts: Parts, delta: Quantity, digits: int = DIGITS) -> Enclosure:
        """The epsilon that the bound gives for a total delta; infinite where it gives none."""
        return self._epsilon(_read(parts), quantity.probability(delta), digits_wanted(digits))

    def delta(self, parts: Parts, epsilon: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest total delta that the bound gives for an epsilon; 1 where it gives none."""
        return self._delta(_read(parts), quantity.epsilon(epsilon), digits_wanted(digits))

    @abstractmethod
    def _epsilon(self, parts: list[Part], delta: Expr, digits: int) -> Enclosure: ...

    @abstractmethod
    def _delta(self, parts: list[Part], epsilon: Expr, digits: int) -> Enclosure: ...


@dataclass(frozen=True)
class Leak:
    """How the deltas of the mechanisms and the slack make the total delta."""

    closed_form: Expr
    #: exact sum, or product of survivals
    adds: bool

    def slack(self, parts: list[Part], delta: Expr) -> tuple[int, Callable[[], Any]]:
        """The sign of the slack that a total delta leaves, and the slack in balls."""
        if self.adds:
            rest = delta - sum((p.many * p.delta for p in parts), S.Zero)
            return quantity.sign(rest, "delta"), lambda: ball(rest)
        mixed = Heterogeneous([Part(S.Zero, p.delta, p.many) for p in parts])
        if delta == 1:
            return 1, lambda: arb(1)
        return (mixed._sign_over_leak(delta),
                lambda: 1 - (1 - ball(delta)) / mixed.log_survival().exp())

    def total(self, parts: list[Part], slack: Any) -> Any:
        """The total delta, in balls; at most 1, where every mechanism is private."""
        if self.adds:
            total = sum((ball(p.delta) * p.many for p in parts), arb(0)) + slack
        elif any(p.delta == 1 for p in parts):
            total = arb(1)
        else:
            logs = sum(((-ball(p.delta)).log1p() * p.many for p in parts), arb(0))
            total = -logs.expm1() + logs.exp() * slack
        return total.min(arb(1))


SUM = Leak(k * delta_symbol + slack, adds=True)
PRODUCT = Leak(1 - (1 - delta_symbol) ** k * (1 - slack), adds=False)


@dataclass(frozen=True)
class Linear(Bound):
    """The epsilons add up, and no slack is needed."""

    name: str
    theorem: str
    hypotheses: str
    leak: Leak

    def closed_form(self, *, different: bool = False) -> Expr:
        return total_of(eps, different)

    def _epsilon(self, parts: list[Part], delta: Expr, digits: int) -> Enclosure:
        if self.leak.slack(parts, delta)[0] < 0:
            return _none(self, parts)
        return enclose_exactly(sum((p.many * p.epsilon for p in parts), S.Zero), digits, self.theorem, "")

    def _delta(self, parts: list[Part], epsilon: Expr, digits: int) -> Enclosure:
        least = sum((p.many * p.epsilon for p in parts), S.Zero)
        if quantity.sign(epsilon - least, "epsilon") < 0:
            return Enclosure.exactly(1, self.theorem, "epsilon is less than what the bound can give")
        if all(p.delta == 0 for p in parts):
            return Enclosure.exactly(0, self.theorem)
        return _enclosed(lambda: self.leak.total(parts, arb(0)), digits, self)


@dataclass(frozen=True)
class Deviation(Bound):
    """Drift and deviation: sums over the mechanisms, and a logarithm of the slack."""

    name: str
    theorem: str
    hypotheses: str
    leak: Leak
    #: what a mechanism adds to the drift and to the spread, in eps
    drift: Expr
    spread: Expr
    #: whether the logarithm is of e + sqrt(spread)/slack instead of 1/slack
    shifted: bool = False
    #: the mechanisms for which the bound is printed
    applies: Callable[[Expr], bool] = lambda epsilon: True

    def closed_form(self, *, different: bool = False) -> Expr:
        return self.mean(different=different) + self.deviation(different=different)

    def mean(self, *, different: bool = False) -> Expr:
        """The drift of all mechanisms together."""
        return total_of(self.drift, different)

    def deviation(self, *, different: bool = False) -> Expr:
        """What comes on top of the mean, for the slack; an epsilon stands before the root, as it is printed."""
        spread = total_of(self.spread, different)
        inside = log(E + sqrt(spread) / slack) if self.shifted else log(1 / slack)
        if not different and self.spread == eps**2:
            return eps * sqrt(2 * k * inside)
        return sqrt(2 * spread * inside)

    def _epsilon(self, parts: list[Part], delta: Expr, digits: int) -> Enclosure:
        self._must_apply(parts)
        sign, slack_ball = self.leak.slack(parts, delta)
        if sign <= 0:
            return _none(self, parts)

        def compute() -> Any:
            drift, spread = self._sums(parts)
            rest = slack_ball()
            if not rest > 0:
                return arb.nan()
            inside = arb(1).exp() + spread.sqrt() / rest if self.shifted else 1 / rest
            return drift + (2 * spread * inside.log().max(arb(0))).sqrt()

        return _enclosed(compute, digits, self)

    def _delta(self, parts: list[Part], epsilon: Expr, digits: int) -> Enclosure:
        self._must_apply(parts)

        def compute() -> Any:
            drift, spread = self._sums(parts)
            beyond = ball(epsilon) - drift
            if beyond <= 0:
                return arb(1)
            # Where epsilon may be the drift itself, what follows goes on to 1 all the same.
            inside = (beyond.max(arb(0)) ** 2 / (2 * spread)).exp()
            if self.shifted:
                inside -= arb(1).exp()
                if not inside > 0:
                    return arb(1) if inside <= 0 else arb.nan()
                needed = spread.sqrt() / inside
            else:
                needed = 1 / inside
            return self.leak.total(parts, needed.min(arb(1)))

        return _enclosed(compute, digits, self)

    def _sums(self, parts: list[Part]) -> tuple[Any, Any]:
        drift = sum((ball(self.drift.subs(eps, p.epsilon)) * p.many for p in parts), arb(0))
        spread = sum((ball(self.spread.subs(eps, p.epsilon)) * p.many for p in parts), arb(0))
        return drift, spread

    def _must_apply(self, parts: list[Part]) -> None:
        for p in parts:
            if not self.applies(p.epsilon):
                raise BadQuantity(f"{self.theorem} is for {self.hypotheses}")
            if p.epsilon == 0:
                raise BadQuantity(f"{self.theorem} is printed for epsilon > 0")


@dataclass(frozen=True)
class Smallest(Bound):
    """The minimum of several bounds."""

    name: str
    theorem: str
    hypotheses: str
    branches: tuple[Bound, ...]

    def closed_form(self, *, different: bool = False) -> Expr:
        return sympy.Min(*(b.closed_form(different=different) for b in self.branches))

    def _epsilon(self, parts: list[Part], delta: Expr, digits: int) -> Enclosure:
        return self._least([b._epsilon(parts, delta, digits) for b in self.branches])

    def _delta(self, parts: list[Part], epsilon: Expr, digits: int) -> Enclosure:
        return self._least([b._delta(parts, epsilon, digits) for b in self.branches])

    def _least(self, found: list[Enclosure]) -> Enclosure:
        best = min(found, key=lambda e: e.upper)
        return Enclosure(min(e.lower for e in found), best.upper, self.theorem, best.theorem)


@dataclass(frozen=True)
class Renyi(Bound):
    """Renyi divergences add up; each order alpha gives a bound, and the best one found is taken."""

    name: str
    theorem: str
    hypotheses: str

    #: the divergence of order alpha that an eps-private mechanism has at most
    divergence = log((exp(alpha * eps) + exp((1 - alpha) * eps)) / (1 + exp(eps))) / (alpha - 1)

    def closed_form(self, *, different: bool = False) -> Expr:
        return total_of(self.divergence, different) + log(1 / slack) / (alpha - 1)

    def _epsilon(self, parts: list[Part], delta: Expr, digits: int) -> Enclosure:
        sign, slack_ball = SUM.slack(parts, delta)
        if sign <= 0:
            return _none(self, parts)
        level = -float(slack_ball().log().mid())
        order = _best_order(lambda a: _divergence(parts, a) + level / (a - 1))

        def compute() -> Any:
            return self._total(parts, order) - slack_ball().log() / ball(order - 1)

        return _enclosed(compute, digits, self, f"at order {order}, the best that was found")

    def _delta(self, parts: list[Part], epsilon: Expr, digits: int) -> Enclosure:
        at = float(ball(epsilon).mid())
        order = _best_order(lambda a: (a - 1) * (_divergence(parts, a) - at))

        def compute() -> Any:
            inside = (self._total(parts, order) - ball(epsilon)) * ball(order - 1)
            return SUM.total(parts, inside.exp().min(arb(1)))

        return _enclosed(compute, digits, self, f"at order {order}, the best that was found")

    def _total(self, parts: list[Part], order: Rational) -> Any:
        at = self.divergence.subs(alpha, order)
        return sum((ball(at.subs(eps, p.epsilon)) * p.many for p in parts), arb(0))


def _divergence(parts: list[Part], order: float) -> float:
    """The sum of the divergences in floating point, to choose an order by."""
    total = 0.0
    for p in parts:
        e = float(ball(p.epsilon).mid())
        total += p.many * (order * e + math.log1p(math.exp((1 - 2 * order) * e)) - e
                           - math.log1p(math.exp(-e))) / (order - 1)
    return total


def _best_order(value: Callable[[float], float]) -> Rational:
    """An order that makes the value small: golden section on a logarithmic scale. A hint."""
    low, high, golden = math.log(1e-3), math.log(1e6), (math.sqrt(5) - 1) / 2
    for _ in range(60):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if value(1 + math.exp(left)) < value(1 + math.exp(right)):
            high = right
        else:
            low = left
    return 1 + Rational(str(float(f"{math.exp((low + high) / 2):.6g}")))


# --- what the sources print -------------------------------------------------------------------

tanh_form = (exp(eps) - 1) * eps / (exp(eps) + 1)

basic = Linear("basic", f"Theorem 3.1 {KOV} (basic composition)",
               "each mechanism is (epsilon, delta)-private", SUM)
advanced = Deviation(
    "advanced", f"Theorem 3.2 {KOV} (advanced composition of Dwork, Rothblum and Vadhan)",
    "each mechanism is (epsilon, delta)-private, epsilon > 0, a slack in (0, 1]", SUM,
    drift=eps * (exp(eps) - 1), spread=eps**2)
linear = Linear("linear", f"Theorem 3.4 {KOV}, first branch",
                "each mechanism is (epsilon, delta)-private, epsilon > 0", PRODUCT)
logarithmic = Deviation(
    "logarithmic", f"Theorem 3.4 {KOV}, second branch",
    "each mechanism is (epsilon, delta)-private, epsilon > 0, a slack in (0, 1]", PRODUCT,
    drift=tanh_form, spread=eps**2, shifted=True)
classic = Deviation(
    "classic", f"Theorem 3.4 {KOV}, third branch",
    "each mechanism is (epsilon, delta)-private, epsilon > 0, a slack in (0, 1]", PRODUCT,
    drift=tanh_form, spread=eps**2)
simplified = Smallest(
    "simplified", f"Theorem 3.4 {KOV}; for different mechanisms, Theorem 3.5",
    "each mechanism is (epsilon, delta)-private, epsilon > 0", (linear, logarithmic, classic))


def _at_most_nine_tenths(epsilon: Expr) -> bool:
    return quantity.sign(epsilon - Rational(9, 10), "epsilon") <= 0


small_logarithmic, small_classic = (
    Deviation(f"{b.name}-for-small-epsilon", f"{b.theorem}, simplified", "epsilon at most 0.9",
              PRODUCT, drift=eps**2, spread=eps**2, shifted=b.shifted, applies=_at_most_nine_tenths)
    for b in (logarithmic, classic))
simplified_for_small_epsilon = Smallest(
    "simplified-for-small-epsilon", f"Theorem 3.4 {KOV}, second display", "epsilon at most 0.9",
    (linear, small_logarithmic, small_classic))
note = Deviation(
    "note", "the note on Theorem 3.20 of Dwork and Roth, as printed",
    "each mechanism is (epsilon, delta)-private, any slack", SUM,
    drift=eps * (exp(eps) - 1), spread=eps)
blog = Deviation(
    "blog", "advanced composition from pure privacy, Steinke's post (its footnote 1 for delta > 0)",
    "each mechanism is (epsilon, delta)-private, independent, a slack above 0", SUM,
    drift=eps**2 / 2, spread=eps**2)
zcdp = Deviation(
    "zcdp", "concentrated privacy: epsilon^2/2 each, rho + sqrt(4 rho log(1/slack)); Steinke's post",
    "each mechanism is epsilon^2/2-concentrated private up to its delta", SUM,
    drift=eps**2 / 2, spread=eps**2)
renyi = Renyi("renyi", "Renyi divergences of randomised response, added and converted (Mironov)",
              "each mechanism is (epsilon, delta)-private, a slack above 0")

#: The bounds of the sources, in their order.
BOUNDS: tuple[Bound, ...] = (
    basic, advanced, simplified, simplified_for_small_epsilon, note, blog, zcdp, renyi)
#: The branches of the minima, by themselves.
BRANCHES: tuple[Bound, ...] = (linear, logarithmic, classic, small_logarithmic, small_classic)


def by_name(name: str) -> Bound:
    """The bound of that name.

    >>> by_name("classic").theorem
    'Theorem 3.4 of Kairouz, Oh and Viswanath, third branch'
    """
    for bound in BOUNDS + BRANCHES:
        if bound.name == name:
            return bound
    raise BadQuantity(f"there is no bound {name!r}; there are "
                      f"{', '.join(b.name for b in BOUNDS + BRANCHES)}")


def total_of(each: Expr, different: bool) -> Expr:
    """The sum over the mechanisms of what each adds."""
    if not different:
        return k * each
    place = sympy.Symbol("l", integer=True)
    return Sum(each.subs(eps, sympy.IndexedBase("eps")[place]), (place, 1, k))


def _read(parts: Parts) -> list[Part]:
    read = [p if isinstance(p, Part) else Part.read(*p) for p in parts]
    if not read:
        raise BadQuantity(f"there is no mechanism to compose: {NOTHING_COMPOSED}")
    return read


def _none(bound: Bound, parts: list[Part]) -> Enclosure:
    leak = SUM.total(parts, arb(0)).str(4, radius=False)
    return Enclosure.exactly(INFINITY, bound.theorem, NO_SLACK.format(f"about {leak}"))


def _enclosed(compute: Callable[[], Any], digits: int, bound: Bound, remark: str = "") -> Enclosure:
    lower, upper = reach(lambda: (compute(),) * 2, digits)
    return Enclosure.between(lower, upper, digits, bound.theorem, remark)
