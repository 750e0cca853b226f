"""A composition in both directions: the true database may be either of the two neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Protocol

from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.composition.composed import DIGITS, Corner
from symdp.privacy.pairs.pair import larger


class Direction(Protocol):
    """The losses under one of the two laws."""

    def delta(self, epsilon: Quantity, digits: int) -> Enclosure: ...

    def epsilon(self, delta: Quantity, digits: int) -> Enclosure: ...

    def at_most(self, epsilon: Quantity) -> Decimal:
        """No more than this is delta, quickly."""


class BothWays:
    """The worse of the two ways; where the mechanisms are symmetric, one is enough."""

    ways: Sequence[Direction]

    def delta(self, epsilon: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest delta for which the composition is (epsilon, delta)-private."""
        way, *others = self.ways
        first = way.delta(epsilon, digits)
        if not others or others[0].at_most(epsilon) <= first.lower:
            return first  # the other way round it is certainly less
        return larger(first, others[0].delta(epsilon, digits))

    def epsilon(self, delta: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest real epsilon >= 0 for which the composition is (epsilon, delta)-private."""
        first, *others = [way.epsilon(delta, digits) for way in self.ways]
        return larger(first, others[0]) if others else first

    def corners(self, digits: int = DIGITS) -> list[Corner]:
        raise BadQuantity("corners are listed for randomised responses only")
