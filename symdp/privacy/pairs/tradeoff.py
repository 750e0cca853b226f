r"""The lower boundary of a privacy region: a falling convex chain from (0, 1) to (1, 0), exactly.

A point is $(P_{\mathrm{MD}}, P_{\mathrm{FA}})$. The edges of the chain, steepest first, are the outcomes of
a test by falling likelihood ratio: an outcome of masses $(p, q)$ goes $q$ to the right and $p$ down.
So a chain is a pair of distributions in which no two outcomes have the same ratio.

>>> from fractions import Fraction as F
>>> chain = chain_of([F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)])
>>> vertices(chain)
[(Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 4), Fraction(1, 2)), (Fraction(1, 1), Fraction(0, 1))]
>>> lines(chain)
[(Fraction(1, 1), Fraction(2, 1)), (Fraction(2, 3), Fraction(2, 3))]
>>> envelope(lines(chain)) == chain
True
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import TypeAlias

from symdp.numbers.exact import Number, sign
from symdp.privacy.pairs.divergence import Masses, by_likelihood

Point: TypeAlias = tuple[Number, Number]
#: The masses (p, q) of one outcome.
Edge: TypeAlias = tuple[Number, Number]
#: (height, slope): the points with P_FA + slope * P_MD >= height.
Line: TypeAlias = tuple[Number, Number]

ZERO, ONE = Fraction(0), Fraction(1)


def chain_of(p: Masses, q: Masses) -> list[Edge]:
    """The boundary of the region of a pair."""
    return by_likelihood(p, q)


def vertices(chain: Iterable[Edge]) -> list[Point]:
    """The corners from (0, 1), always reject, to (1, 0), never reject."""
    at: Point = (ZERO, ONE)
    corners = [at]
    for p, q in chain:
        at = (at[0] + q, at[1] - p)
        corners.append(at)
    return corners


def lines(chain: Iterable[Edge]) -> list[Line]:
    """The lines through the slanted edges; vertical and horizontal edges say nothing new."""
    chain = list(chain)
    found = []
    for (x, y), (p, q) in zip(vertices(chain), chain, strict=False):
        if sign(p) > 0 and sign(q) > 0:
            found.append((y + p / q * x, p / q))
    return found


def height(chain: Iterable[Edge], at: Number) -> Number:
    """The smallest P_FA with that P_MD.

    >>> height([(Fraction(1, 2), Fraction(1, 4)), (Fraction(1, 2), Fraction(3, 4))], Fraction(1, 8))
    Fraction(3, 4)
    """
    x, y = ZERO, ONE
    for p, q in chain:
        if sign(q) > 0 and sign(x + q - at) >= 0:
            return y - (at - x) * p / q
        x, y = x + q, y - p
    return y


def through(corners: list[Point]) -> list[Edge]:
    """The chain with these vertices."""
    edges = ((a[1] - b[1], b[0] - a[0]) for a, b in pairwise(corners))
    return [(p, q) for p, q in edges if sign(p) != 0 or sign(q) != 0]


def envelope(constraints: Iterable[Line]) -> list[Edge]:
    """The boundary of the points above all of these lines: the intersection of regions."""
    falling = sorted(constraints, key=cmp_to_key(_steepest_then_lowest))
    used: list[Line] = []
    for line in [*falling, (ZERO, ZERO)]:
        # a flatter line that starts no lower is above for good
        while used and sign(line[0] - used[-1][0]) >= 0:
            used.pop()
        while len(used) > 1 and sign(_crossing(used[-1], line) - _crossing(used[-2], used[-1])) <= 0:
            used.pop()
        used.append(line)
    corners: list[Point] = [(ZERO, ONE), (ZERO, used[0][0])]
    for steep, flat in pairwise(used):
        x = _crossing(steep, flat)
        corners.append((x, flat[0] - flat[1] * x))
    return through([*corners, (ONE, ZERO)])


def hull(points: Iterable[Point]) -> list[Edge]:
    """The lower boundary of the convex hull of these points, (0, 1) and (1, 0)."""
    ordered = sorted([*points, (ZERO, ONE), (ONE, ZERO)], key=cmp_to_key(_left_then_low))
    kept: list[Point] = []
    for point in ordered:
        if kept and sign(point[0] - kept[-1][0]) == 0:
            continue  # the lowest of each column came first
        while len(kept) > 1 and sign(_turn(kept[-2], kept[-1], point)) <= 0:
            kept.pop()
        kept.append(point)
    return through([(ZERO, ONE), *kept])


def _steepest_then_lowest(one: Line, other: Line) -> int:
    return sign(other[1] - one[1]) or sign(one[0] - other[0])


def _left_then_low(one: Point, other: Point) -> int:
    return sign(one[0] - other[0]) or sign(one[1] - other[1])


def _crossing(steep: Line, flat: Line) -> Number:
    return (steep[0] - flat[0]) / (steep[1] - flat[1])


def _turn(a: Point, b: Point, c: Point) -> Number:
    """Positive if the way from a over b to c turns left, which a convex chain does."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
