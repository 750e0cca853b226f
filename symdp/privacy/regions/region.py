r"""Privacy regions: which pairs of errors a test of two neighbouring databases can reach.

Section 2 of Kairouz, Oh and Viswanath. The region of a pair, equation (3), is the set of all
$(P_{\mathrm{MD}}, P_{\mathrm{FA}})$ that some test reaches, randomised tests included. It is convex, and
symmetric about the point (1/2, 1/2), because a test may be turned round. So its lower boundary tells
everything, and is what is kept here. Equation (2) defines $\mathcal{R}(\varepsilon,\delta)$ by lower
bounds only; read with the upper ones that (3) has, it is the region of randomised response, and that is
what :meth:`PrivacyRegion.guarantee` makes. Whether one region is inside another is the same question in
both readings.

Everything is exact: rational input gives rational corners, and with $e^\varepsilon$ in it comparisons
are decided (:mod:`symdp.numbers.exact`), not rounded.

>>> region = PrivacyRegion.guarantee("log(3)", "1/5")
>>> region.corners
((0, 1), (0, 4/5), (1/5, 1/5), (4/5, 0), (1, 0))
>>> ("1/4", "1/4") in region, ("1/10", "1/10") in region, ("1/2", "1/2") in region
(True, False, True)
>>> print(PrivacyRegion.guarantee(exp_epsilon=2).separation(region))
P_MD = 1/5, P_FA = 1/5 is achieved, and violates P_FA + 2*P_MD >= 1 by 2/5
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb

import sympy
from sympy import Expr

from symdp.numbers import quantity
from symdp.numbers.exact import Number, equal, expression, number, sign
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.pairs import tradeoff
from symdp.privacy.pairs.pair import Mechanism
from symdp.privacy.pairs.tradeoff import Edge, Point
from symdp.privacy.regions.tangent import SeparatingLine, TangentLine
from symdp.typeset.typesetting import latex


class PrivacyRegion:
    """A convex set of error pairs, between its lower boundary and the turned image of it."""

    def __init__(self, chain: Iterable[Edge]) -> None:
        self.chain: tuple[Edge, ...] = tuple(chain)

    # --- where regions come from ---

    @classmethod
    def of(cls, mechanism: Mechanism) -> PrivacyRegion:
        """The region of a mechanism with finitely many privacy losses, equation (3)."""
        pair = mechanism.finite_pair()
        if pair is None:
            raise BadQuantity(f"{mechanism.name} has a curved region; only regions with corners are kept")
        return cls(tradeoff.chain_of(*pair.masses))

    @classmethod
    def guarantee(cls, epsilon: Quantity | None = None, delta: Quantity = 0, *,
                  exp_epsilon: Quantity | None = None) -> PrivacyRegion:
        """R(epsilon, delta) of equation (2); give ``exp_epsilon=3`` or ``epsilon="log(3)"``."""
        return cls.of_guarantees([(_ratio(epsilon, exp_epsilon), delta)], exponentials=True)

    @classmethod
    def of_guarantees(cls, pairs: Iterable[tuple[Quantity, Quantity]], *,
                      exponentials: bool = False) -> PrivacyRegion:
        """The intersection of R(epsilon, delta) over these pairs.

        >>> PrivacyRegion.of_guarantees([("log(4)", 0), (0, "2/5")]).corners
        ((0, 1), (2/15, 7/15), (7/15, 2/15), (1, 0))
        """
        constraints = []
        for first, delta in pairs:
            ratio = number(_ratio(None, first) if exponentials else _ratio(first, None))
            rest = 1 - number(quantity.probability(delta))
            constraints += [(rest, ratio), (rest / ratio, 1 / ratio)]
        if not constraints:
            raise BadQuantity("a region needs at least one pair of epsilon and delta")
        return cls(tradeoff.envelope(constraints))

    @classmethod
    def composed(cls, epsilon: Quantity, delta: Quantity, k: int) -> PrivacyRegion:
        """The region of k-fold composition, from the corners of Theorem 3.3.

        >>> region = PrivacyRegion.composed("log(2)", "1/10", 3)
        >>> region == PrivacyRegion.of(FinitePair(["1/10", "3/5", "3/10", 0],
        ...                                       [0, "3/10", "3/5", "1/10"]).power(3))
        True
        """
        count, base = quantity.count(k), number(sympy.exp(quantity.epsilon(epsilon)))
        kept = _power(1 - number(quantity.probability(delta)), count)
        powers = [Fraction(1)]
        for _ in range(count):
            powers.append(powers[-1] * base)
        whole = _power(1 + base, count)
        constraints = []
        for i in range(count // 2 + 1):
            top = sum((comb(count, j) * (powers[count - j] - powers[count - 2 * i + j])
                       for j in range(i)), Fraction(0))
            height, ratio = kept * (1 - top / whole), powers[count - 2 * i]
            constraints += [(height, ratio), (height / ratio, 1 / ratio)]
        return cls(tradeoff.envelope(constraints))

    # --- what a region tells ---

    @property
    def corners(self) -> tuple[tuple[Expr, Expr], ...]:
        """The corners of the lower boundary, from (0, 1) to (1, 0)."""
        return tuple((expression(x), expression(y)) for x, y in tradeoff.vertices(self.chain))

    @property
    def tangents(self) -> tuple[TangentLine, ...]:
        """The lines of the slanted edges; the region is what they, the axes and symmetry cut out.

        >>> for line in PrivacyRegion.guarantee("log(3)", "1/5").tangents:
        ...     print(line)
        P_FA + 3*P_MD >= 1 - 1/5
        3*P_FA + P_MD >= 1 - 1/5
        """
        return tuple(TangentLine.through(*line) for line in tradeoff.lines(self.chain))

    def delta(self, epsilon: Quantity) -> Expr:
        """The smallest delta for which the region lies in R(epsilon, delta), exactly.

        >>> PrivacyRegion.guarantee("log(3)", "1/5").delta(epsilon="log(2)")
        2/5
        """
        ratio = number(sympy.exp(quantity.epsilon(epsilon)))
        best: Number = Fraction(0)
        for x, y in tradeoff.vertices(self.chain):
            for shift in (1 - y - ratio * x, 1 - x - ratio * y):
                best = shift if sign(shift - best) > 0 else best
        return expression(best)

    @property
    def total_variation(self) -> Expr:
        """The largest 1 - P_MD - P_FA: the dotted line of Figure 1."""
        return self.delta(0)

    def false_alarm(self, missed: Quantity) -> Expr:
        """The smallest P_FA with that P_MD: the trade-off function."""
        return expression(tradeoff.height(self.chain, number(quantity.probability(missed, "P_MD"))))

    def pair(self) -> FinitePair:
        """The smallest pair of distributions with this region: one outcome for each edge."""
        return FinitePair.of_masses((p for p, _ in self.chain), (q for _, q in self.chain))

    # --- symmetry ---

    def exchanged(self) -> PrivacyRegion:
        """The mirror image in the diagonal: the region with the databases exchanged."""
        return PrivacyRegion((q, p) for p, q in reversed(self.chain))

    @property
    def symmetric(self) -> bool:
        """Whether the region is its mirror image in the diagonal P_MD = P_FA.

        Every region is symmetric about the point (1/2, 1/2). The mirror image in the diagonal is the
        region of the exchanged pair, so that this symmetry holds just when exchanging P and Q renames
        outcomes; then, and only then, the region is symmetric about the line P_FA + P_MD = 1 too.

        >>> PrivacyRegion.of(FinitePair(["1/2", "1/2"], ["1/4", "3/4"])).symmetric
        False
        """
        return self == self.exchanged()

    def symmetrised(self) -> PrivacyRegion:
        """The hull with the mirror image: the smallest symmetric region that holds both directions."""
        return self | self.exchanged()

    # --- sets ---

    def __contains__(self, point: tuple[Quantity, Quantity]) -> bool:
        missed, false_alarm = _point(point)
        inside = all(sign(v) >= 0 and sign(1 - v) >= 0 for v in (missed, false_alarm))
        return inside and self._above(missed, false_alarm) and self._above(1 - missed, 1 - false_alarm)

    def above(self, point: tuple[Quantity, Quantity]) -> bool:
        """Whether a point satisfies the lower bounds, which is all that equation (2) asks.

        >>> PrivacyRegion.guarantee(exp_epsilon=3).above((1, 1)), (1, 1) in PrivacyRegion.guarantee(0)
        (True, False)
        """
        return self._above(*_point(point))

    def _above(self, missed: Number, false_alarm: Number) -> bool:
        return all(sign(line.excess(missed, false_alarm)) >= 0 for line in self.tangents)

    def separation(self, inner: PrivacyRegion) -> SeparatingLine | None:
        """Why ``inner`` is not inside this region: the line most violated; None if it is inside.

        A convex curve is above another as soon as its corners are, and those are finitely many.
        """
        worst: tuple[Number, TangentLine, Point] | None = None
        corners = tradeoff.vertices(inner.chain)
        for line in self.tangents:
            for corner in corners:
                excess = line.excess(*corner)
                if sign(excess) < 0 and (worst is None or sign(excess - worst[0]) < 0):
                    worst = excess, line, corner
        if worst is None:
            return None
        return SeparatingLine(worst[1], (expression(worst[2][0]), expression(worst[2][1])))

    def __le__(self, other: PrivacyRegion) -> bool:
        return other.separation(self) is None

    def __ge__(self, other: PrivacyRegion) -> bool:
        return self.separation(other) is None

    def __and__(self, other: PrivacyRegion) -> PrivacyRegion:
        """The intersection."""
        return PrivacyRegion(tradeoff.envelope(
            [*tradeoff.lines(self.chain), *tradeoff.lines(other.chain)]))

    def __or__(self, other: PrivacyRegion) -> PrivacyRegion:
        """The convex hull of the union; the union of regions need not be convex."""
        return PrivacyRegion(tradeoff.hull(
            [*tradeoff.vertices(self.chain), *tradeoff.vertices(other.chain)]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PrivacyRegion):
            return NotImplemented
        return len(self.chain) == len(other.chain) and all(
            equal(a, c) and equal(b, d)
            for (a, b), (c, d) in zip(self.chain, other.chain, strict=True))

    __hash__ = None  # type: ignore[assignment]  # equal numbers may be written differently

    # --- display ---

    def __repr__(self) -> str:
        return f"PrivacyRegion(corners={self.corners})"

    def _repr_latex_(self) -> str:
        conditions = r" \\ ".join(line._repr_latex_().strip("$").replace(r" \geq ", r" &\geq ")
                                  for line in self.tangents)
        return rf"$\begin{{aligned}} {conditions} \end{{aligned}}$" if conditions else "$[0,1]^2$"

    def _repr_markdown_(self) -> str:
        rows = [r"| $P_{\mathrm{MD}}$ | $P_{\mathrm{FA}}$ |", "|---|---|"]
        return "\n".join([*rows, *(f"| ${latex(x)}$ | ${latex(y)}$ |" for x, y in self.corners)])


def _ratio(epsilon: Quantity | None, exponential: Quantity | None) -> Expr:
    if epsilon is not None and exponential is None:
        return sympy.exp(quantity.epsilon(epsilon))
    if exponential is not None and epsilon is None:
        return quantity.within(exponential, "exp_epsilon", 1, None)
    raise BadQuantity("give either epsilon or exp_epsilon")


def _point(point: tuple[Quantity, Quantity]) -> Point:
    if not isinstance(point, tuple | list) or len(point) != 2:
        raise BadQuantity(f"a point is a pair (P_MD, P_FA), not {point!r}")
    missed, false_alarm = point
    return (number(quantity.quantity(missed, "P_MD")),
            number(quantity.quantity(false_alarm, "P_FA")))


def _power(value: Number, count: int) -> Number:
    result: Number = Fraction(1)
    for _ in range(count):
        result = result * value
    return result
