r"""Data processing and its converse (Theorems 2.4 and 2.5; Blackwell), constructively and exactly.

A stochastic map $T$ turns the outcomes of a mechanism into others; the region shrinks. Conversely, if
the region of one pair lies in that of another, there is a map from the larger to the smaller, and
:func:`simulate` builds it; if not, it answers with a line that no map can cross.

>>> from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
>>> source = FinitePair(["3/4", "1/4"], ["1/4", "3/4"])
>>> target = FinitePair(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"])
>>> simulate(source, target).matrix
Matrix([
[5/8, 1/4, 1/8],
[1/8, 1/4, 5/8]])
>>> print(simulate(target, source))
P_MD = 1/4, P_FA = 1/4 is achieved, and violates P_FA + 2*P_MD >= 1 by 1/4

How the map is found: line up the outcomes of the source by falling likelihood ratio. For each outcome
of the target there is a window of this line, possibly cutting outcomes at its ends, with exactly the
masses of that outcome; take it out and go on. A window of the right total mass has the more of P the
further left it lies, so that its place is the solution of a linear equation. That what remains always
suffices for the rest is the theory of shadows in convex order (Beiglboeck and Juillet). Here nothing
rests on it: the map is checked by multiplication before it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy

from symdp.formulas.printing import to_text
from symdp.numbers import quantity
from symdp.numbers.exact import Number, equal, expression, number, sign
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.pairs.divergence import likelihood_order
from symdp.privacy.regions.region import PrivacyRegion
from symdp.privacy.regions.tangent import SeparatingLine


@dataclass(frozen=True)
class StochasticMap:
    """``rows[i][j]`` is the probability that outcome i becomes outcome j."""

    rows: tuple[tuple[Number, ...], ...]

    @classmethod
    def of(cls, rows: Iterable[Iterable[Quantity]]) -> StochasticMap:
        """From anything that reads as numbers; each row must be a distribution.

        >>> StochasticMap.of([["1/2", "1/3"]])
        Traceback (most recent call last):
        ...
        symdp.numbers.quantity.BadQuantity: row 0 of the map must sum to 1, not 5/6
        """
        read = tuple(tuple(number(quantity.probability(v, f"row {i}, column {j} of the map"))
                           for j, v in enumerate(row)) for i, row in enumerate(rows))
        if not read or not read[0]:
            raise BadQuantity("the map must have at least one row and one column")
        for i, row in enumerate(read):
            if len(row) != len(read[0]):
                raise BadQuantity(f"row {i} of the map must have {len(read[0])} entries, not {len(row)}")
            total = sum(row, Fraction(0))
            if not equal(total, Fraction(1)):
                raise BadQuantity(f"row {i} of the map must sum to 1, "
                                  f"not {to_text(expression(total))}")
        return cls(read)

    @property
    def matrix(self) -> sympy.Matrix:
        """The map in SymPy, one row for each outcome that goes in."""
        return sympy.Matrix([[expression(v) for v in row] for row in self.rows])

    def applied(self, masses: Sequence[Number]) -> list[Number]:
        """The distribution that comes out where ``masses`` go in."""
        if len(masses) != len(self.rows):
            raise BadQuantity(f"the map takes {len(self.rows)} outcomes, not {len(masses)}")
        return [sum((m * row[j] for m, row in zip(masses, self.rows, strict=True) if row[j] != 0),
                    Fraction(0)) for j in range(len(self.rows[0]))]

    def turns(self, source: FinitePair, target: FinitePair) -> bool:
        """Whether it makes the target from the source, by multiplication."""
        return all(
            len(wanted) == len(self.rows[0]) and all(map(equal, self.applied(given), wanted))
            for given, wanted in zip(source.masses, target.masses, strict=True)
        ) and all(sign(v) >= 0 for row in self.rows for v in row) and all(
            equal(sum(row, Fraction(0)), Fraction(1)) for row in self.rows)

    def _repr_latex_(self) -> str:
        return f"${sympy.latex(self.matrix)}$"


def post_process(mechanism: FinitePair, by: StochasticMap) -> FinitePair:
    """The mechanism followed by the map.

    >>> pair = FinitePair(["3/4", "1/4"], ["1/4", "3/4"])
    >>> blurred = post_process(pair, StochasticMap.of([["9/10", "1/10"], ["1/10", "9/10"]]))
    >>> blurred, PrivacyRegion.of(blurred) <= PrivacyRegion.of(pair)
    (FinitePair(p=(7/10, 3/10), q=(3/10, 7/10)), True)
    """
    p, q = mechanism.masses
    return FinitePair.of_masses(by.applied(p), by.applied(q))


def simulate(source: FinitePair, target: FinitePair) -> StochasticMap | SeparatingLine:
    """A map that makes the target from the source, or the line that shows that there is none."""
    reason = PrivacyRegion.of(source).separation(PrivacyRegion.of(target))
    if reason is not None:
        return reason
    p, q = source.masses
    line = [_Piece(i, p[i], q[i]) for i in likelihood_order(p, q)]
    shares: list[dict[int, Number]] = [{} for _ in p]
    for j in likelihood_order(*target.masses):
        taken, line = _window(line, target.masses[0][j], target.masses[1][j])
        for piece in taken:
            whole, part = (p[piece.index] + q[piece.index], piece.p + piece.q)
            shares[piece.index][j] = shares[piece.index].get(j, Fraction(0)) + part / whole
    size = len(target)
    rows = [tuple(share.get(j, Fraction(0)) for j in range(size)) if share
            else (Fraction(1), *[Fraction(0)] * (size - 1)) for share in shares]
    found = StochasticMap(tuple(rows))
    if not found.turns(source, target):
        raise ArithmeticError("the map that was built does not make the target; please report this")
    return found


@dataclass(frozen=True)
class _Piece:
    """A part of an outcome of the source."""

    index: int
    p: Number
    q: Number

    def cut(self, share: Number) -> tuple[_Piece, _Piece]:
        left = _Piece(self.index, share * self.p, share * self.q)
        return left, _Piece(self.index, self.p - left.p, self.q - left.q)


def _window(line: list[_Piece], p: Number, q: Number) -> tuple[list[_Piece], list[_Piece]]:
    """The window of masses (p, q), and the line without it.

    The window moves to the right from one cut to the next; the mass p falls linearly in between.
    """
    mass = p + q
    before: list[_Piece] = []
    inside, after = _split(line, mass)
    while True:
        surplus = sum((piece.p for piece in inside), Fraction(0)) - p
        if sign(surplus) <= 0 or not after:
            return inside, _joined(before + after)
        first, following = inside[0], after[0]
        sizes = first.p + first.q, following.p + following.q
        step = sizes[0] if sign(sizes[0] - sizes[1]) <= 0 else sizes[1]
        fall = first.p / sizes[0] - following.p / sizes[1]  # of p, for each unit of mass moved
        if sign(fall) > 0 and sign(surplus - fall * step) < 0:
            step = surplus / fall
        gone, first_rest = first.cut(step / sizes[0])
        come, following_rest = following.cut(step / sizes[1])
        before.append(gone)
        inside = [*_present(first_rest), *inside[1:], come]
        after = [*_present(following_rest), *after[1:]]


def _split(line: list[_Piece], mass: Number) -> tuple[list[_Piece], list[_Piece]]:
    """The first pieces of that total mass, and the others."""
    inside: list[_Piece] = []
    for place, piece in enumerate(line):
        size = piece.p + piece.q
        if sign(mass - size) < 0:
            left, right = piece.cut(mass / size)
            return [*inside, *_present(left)], [right, *line[place + 1:]]
        inside.append(piece)
        mass = mass - size
    return inside, []


def _joined(line: list[_Piece]) -> list[_Piece]:
    """Neighbouring parts of one outcome made one again, lest they multiply from window to window."""
    joined: list[_Piece] = []
    for piece in line:
        if joined and joined[-1].index == piece.index:
            last = joined.pop()
            piece = _Piece(piece.index, last.p + piece.p, last.q + piece.q)
        joined.append(piece)
    return joined


def _present(piece: _Piece) -> list[_Piece]:
    return [piece] if sign(piece.p + piece.q) > 0 else []
