r"""Why finitely many transcripts are enough: the grid of symbols.

After a conversation, all that a transcript says about bit i is how likely the bit is to be 1, if both
values were equally likely before. Call it $s_i$; a transcript is a point $s \in [0,1]^k$, and its
column is proportional to $u_s(x) = \prod_i s_i^{x_i} (1-s_i)^{1-x_i}$.

*Only four values of $s_i$ matter.* Condition (15) of party i says that, for every input, the sum over
transcripts of $\max(0, P(\tau|x) - e^{\varepsilon_i} P(\tau|x'))$ is at most $\delta_i$. As a function
of the likelihoods of one party, with those of the others fixed, each such term is linear between the
ratios 0, $e^{-\varepsilon_i}$, $e^{\varepsilon_i}$ and infinity, and the terms of the other parties are
linear everywhere. A transcript between two of these ratios may therefore be split into the two: no
party loses privacy, and every viewer can still do as before. So

$$ s_i \in \{0,\ 1/(1+e^{\varepsilon_i}),\ e^{\varepsilon_i}/(1+e^{\varepsilon_i}),\ 1\}, $$

the symbols of randomised response (16); only how they occur *together* is up to the protocol, and (15)
reads: for each input, bit i is given away (s_i = x_i) with probability at most $\delta_i$.

>>> from symdp.privacy.multiparty.parties import parties
>>> grid = Grid(parties([("log(2)", "1/10"), ("log(3)", 0)]))
>>> grid.axes
((Fraction(0, 1), Fraction(1, 3), Fraction(2, 3), Fraction(1, 1)), (Fraction(1, 4), Fraction(3, 4)))
>>> len(grid.points), grid.column((0, 1))
(8, (Fraction(1, 4), Fraction(3, 4), Fraction(0, 1), Fraction(0, 1)))
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.multiparty.functions import Bits, inputs
from symdp.privacy.multiparty.parties import Party
from symdp.privacy.multiparty.protocol import product_column, refuse_if_large

#: A point of the grid: the position of each party on its axis.
Point = tuple[int, ...]
HALF, ZERO, ONE = Fraction(1, 2), Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Grid:
    """The points at which a conversation of these parties may end."""

    parties: tuple[Party, ...]

    def __post_init__(self) -> None:
        for i, party in enumerate(self.parties):
            if not party.is_rational:
                raise BadQuantity(f"party {i + 1}: e^epsilon and delta must be rational for an exact "
                                  f"answer, such as epsilon = log(2), not {party}")
        size = math.prod(len(axis) for axis in self.axes)
        refuse_if_large(self.k, size, f"the grid of {self.k} parties")

    @property
    def k(self) -> int:
        return len(self.parties)

    @cached_property
    def axes(self) -> tuple[tuple[Fraction, ...], ...]:
        """For each party the values of s, rising; without the ends if nothing may be given away."""
        found = []
        for party in self.parties:
            inner = sorted({1 / (1 + party.ratio), party.ratio / (1 + party.ratio)})
            found.append(tuple([ZERO, *inner, ONE] if party.given_away else inner))
        return tuple(found)

    @cached_property
    def points(self) -> tuple[Point, ...]:
        return tuple(itertools.product(*(range(len(axis)) for axis in self.axes)))

    def column(self, point: Point) -> tuple[Fraction, ...]:
        """The likelihood of the point for each input, up to a factor; sums to one."""
        pairs = [(1 - axis[i], axis[i]) for axis, i in zip(self.axes, point, strict=True)]
        return product_column(pairs)

    @cached_property
    def columns(self) -> dict[Point, tuple[Fraction, ...]]:
        return {point: self.column(point) for point in self.points}

    def gives_away(self, point: Point, party: int, x: Bits) -> bool:
        """Whether the transcript proves that the party has the bit that it has in x."""
        return self.axes[party][point[party]] == x[party]

    def budgets(self) -> Iterator[tuple[int, Bits, dict[Point, Fraction]]]:
        """Condition (15): for each party and input, the points that give the bit away, and how
        much of their weight counts."""
        for i, party in enumerate(self.parties):
            if 0 < party.given_away < 1:
                for row, x in enumerate(inputs(self.k)):
                    yield i, x, {u: 2**self.k * column[row] for u, column in self.columns.items()
                                 if column[row] and self.gives_away(u, i, x)}

    def start(self) -> dict[Point, Fraction]:
        """Where a conversation may begin: everyone sends pure randomised response."""
        sides = []
        for axis in self.axes:
            at = {i: HALF for i, s in enumerate(axis) if 0 < s < 1}
            sides.append(dict.fromkeys(at, ONE) if len(at) == 1 else at)
        found = {}
        for chosen in itertools.product(*(side.items() for side in sides)):
            weight = ONE
            for _, w in chosen:
                weight *= w
            found[tuple(i for i, _ in chosen)] = weight
        return found

    def moves(self, point: Point) -> Iterator[tuple[int, dict[Point, Fraction]]]:
        """What a party may say next: s moves up or down one step, so that its mean stays."""
        for i, axis in enumerate(self.axes):
            here = point[i]
            if 0 < here < len(axis) - 1:
                low, s, high = axis[here - 1: here + 2]
                down = (high - s) / (high - low)
                yield i, {(*point[:i], here - 1, *point[i + 1:]): down,
                          (*point[:i], here + 1, *point[i + 1:]): 1 - down}
