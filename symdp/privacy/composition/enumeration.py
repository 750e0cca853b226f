r"""The privacy curve of a distribution with few privacy losses, which are listed one by one.

Losses whose balls overlap are kept together as one group. Within a group the order is not known, but
it is not needed: each set of losses gives a line that is not above the curve, and the height of the
curve is a sum of positive parts, whatever the order.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from flint import arb

from symdp.privacy.lattice.binomial import Binomial
from symdp.privacy.lattice.profile import Profile

#: So many losses are worked through one by one.
MOST_LOSSES = 20_000


class EnumeratedLosses(Profile):
    """Lines of a pair from its triples (loss, probability, probability under the other)."""

    def __init__(self, outcomes: Iterable[tuple[Any, Any, Any]]) -> None:
        # For an epsilon >= 0, losses that are certainly not positive play no part.
        positive = [outcome for outcome in outcomes if not outcome[0] <= 0]
        positive.sort(key=lambda outcome: outcome[0].mid(), reverse=True)
        self._groups: list[list[tuple[Any, Any, Any]]] = []
        self._losses: list[Any] = []
        for outcome in positive:
            if self._losses and not outcome[0] < self._losses[-1]:
                self._groups[-1].append(outcome)
                self._losses[-1] = self._losses[-1].union(outcome[0])
            else:
                self._groups.append([outcome])
                self._losses.append(outcome[0])
        self._lines = [(arb(0), arb(0))]
        for group in self._groups:
            on_p, on_q = self._lines[-1]
            for _, p, q in group:
                on_p, on_q = on_p + p, on_q + q
            self._lines.append((on_p, on_q))
        self.last = len(self._groups)

    def loss(self, i: int) -> Any:
        return self._losses[i] if i < self.last else arb(0)

    def line(self, i: int) -> tuple[Any, Any]:
        return self._lines[i]

    def cell_of(self, epsilon: Any) -> tuple[int, int]:
        first = _how_many(self._losses, lambda loss: loss > epsilon)
        last = _how_many(self._losses, lambda loss: not loss < epsilon)
        return first, last

    def height(self, epsilon: Any) -> Any:
        first, last = self.cell_of(epsilon)
        u = epsilon.exp()
        on_p, on_q = self._lines[first]
        height = on_p - u * on_q
        for group in self._groups[first:last]:
            for _, p, q in group:
                height += (p - u * q).max(arb(0))
        return height


def _how_many(losses: Sequence[Any], holds: Any) -> int:
    """How many of the falling losses satisfy what holds for the first and not for the last ones."""
    low, high = 0, len(losses)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if holds(losses[middle]) else (low, middle)
    return low


def of_responses(groups: Sequence[tuple[Any, int]]) -> EnumeratedLosses:
    """The lines of randomised responses: pairs of epsilon and how many have it."""
    each = []
    for epsilon, many in groups:
        binomial = Binomial(many, epsilon)
        found = []
        for j in range(many + 1):
            loss, mass = epsilon * (many - 2 * j), binomial.log_mass(j)
            found.append((loss, mass.exp(), (mass - loss).exp()))
        each.append(found)

    def outcomes() -> Iterable[tuple[Any, Any, Any]]:
        for choice in itertools.product(*each):
            loss, p, q = choice[0]
            for more, on_p, on_q in choice[1:]:
                loss, p, q = loss + more, p * on_p, q * on_q
            yield loss, p, q

    return EnumeratedLosses(outcomes())
