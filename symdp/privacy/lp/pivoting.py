r"""The simplex method in fractions, from a basis that is nearly optimal.

Rounding makes a floating-point solver stop one or two pivots early, at a basis that violates a
constraint by 1e-20. Here the rest of the way is gone in exact arithmetic: costs are first shifted so
that every price is right, dual pivots make the point feasible, and primal pivots with the true costs
make it optimal. Bland's rule ends both.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

ZERO = Fraction(0)
Column = dict[Hashable, Fraction]
#: From a basis that a solver proposed, few pivots are left; more mean that something is wrong.
MOST_PIVOTS = 400


class Stuck(ArithmeticError):
    """The pivots did not end in an optimum."""


class Tableau:
    """Maximise cost . x with sum of columns x = bound and x >= 0, from a starting basis."""

    def __init__(self, columns: dict[Hashable, Column], bound: Column, cost: Column,
                 basis: Iterable[Hashable]) -> None:
        self.columns, self.bound, self.cost = columns, bound, cost
        self.rows = list(bound)
        self.order = {name: i for i, name in enumerate(columns)}
        self.basis = sorted(basis, key=self.order.__getitem__)
        if len(self.basis) != len(self.rows):
            raise Stuck(f"{len(self.basis)} columns are no basis of {len(self.rows)} rows")
        self.left = MOST_PIVOTS

    # --- solving with the basis ---

    def _factor(self) -> None:
        """Columns with one entry (slacks) are solved by hand; the rest is a smaller system."""
        self.single: dict[Hashable, Hashable] = {}
        for name in self.basis:
            column = self.columns[name]
            if len(column) == 1:
                row = next(iter(column))
                if row not in self.single:
                    self.single[row] = name
        by_hand = set(self.single.values())
        self.hard = [name for name in self.basis if name not in by_hand]
        self.kept = [row for row in self.rows if row not in self.single]
        at = {row: i for i, row in enumerate(self.kept)}
        table = [[fmpq(0)] * len(self.hard) for _ in self.kept]
        for j, name in enumerate(self.hard):
            for row, c in self.columns[name].items():
                if row in at:
                    table[at[row]][j] = _fmpq(c)
        self.matrix = fmpq_mat(table) if table else None
        self.transposed = self.matrix.transpose() if self.matrix is not None else None

    def _point(self, right: Column) -> Column:
        """The basic solution for that right-hand side."""
        found: Column = {}
        if self.matrix is not None:
            solved = self._solve(self.matrix, [right.get(row, ZERO) for row in self.kept])
            found = dict(zip(self.hard, solved, strict=True))
        rest = dict(right)
        for name, value in found.items():
            if value:
                for row, c in self.columns[name].items():
                    if row in self.single:
                        rest[row] = rest.get(row, ZERO) - c * value
        for row, name in self.single.items():
            found[name] = rest.get(row, ZERO) / self.columns[name][row]
        return found

    def _prices(self, cost: Column) -> Column:
        """The prices of the rows at which the basic columns cost what they should."""
        prices = {row: cost.get(name, ZERO) / self.columns[name][row]
                  for row, name in self.single.items()}
        if self.transposed is not None:
            right = [cost.get(name, ZERO) - sum((c * prices[row]
                     for row, c in self.columns[name].items() if row in prices), ZERO)
                     for name in self.hard]
            prices |= dict(zip(self.kept, self._solve(self.transposed, right), strict=True))
        return prices

    @staticmethod
    def _solve(matrix: Any, right: list[Fraction]) -> list[Fraction]:
        try:
            found = matrix.solve(fmpq_mat([[_fmpq(v)] for v in right]))
        except ZeroDivisionError as reason:
            raise Stuck("the basis is singular") from reason
        return [Fraction(int(v.p), int(v.q)) for v in found.entries()]

    def _worth(self, prices: Column, cost: Column) -> Column:
        """What each other column would gain: its cost less what its rows are priced at."""
        basic = set(self.basis)
        return {name: cost.get(name, ZERO) - _dot(prices, column)
                for name, column in self.columns.items() if name not in basic}

    # --- pivots ---

    def optimise(self, idle: Iterable[Hashable] = ()) -> tuple[Column, Column]:
        """An optimal point and its prices.

        ``idle`` are columns of the starting basis that only stand in for an equation: they go first.
        """
        self._factor()
        for name in idle:
            self._drive_out(name)
        cost = dict(self.cost)
        for name, gain in self._worth(self._prices(cost), cost).items():
            if gain > 0:
                cost[name] = cost.get(name, ZERO) - gain
        self._dual(cost)
        return self._primal()

    def _drive_out(self, idle: Hashable) -> None:
        """Exchange a stand-in for the column that disturbs the prices least, if there is one."""
        worth = self._worth(self._prices(self.cost), self.cost)
        row = self._prices({idle: Fraction(1)})
        slopes = {name: slope for name in worth if (slope := _dot(row, self.columns[name]))}
        if slopes:  # otherwise the equation follows from others, and the stand-in stays zero
            self._exchange(idle, min(slopes, key=lambda n: (abs(worth[n] / slopes[n]), self.order[n])))
            del self.columns[idle]

    def _dual(self, cost: Column) -> None:
        while True:
            point = self._point(self.bound)
            leaving = min((n for n, v in point.items() if v < 0), key=self.order.__getitem__,
                          default=None)
            if leaving is None:
                return
            worth = self._worth(self._prices(cost), cost)
            row = self._prices({leaving: Fraction(1)})
            best: tuple[Fraction, int] | None = None
            entering: Hashable = None
            for name, gain in worth.items():
                slope = _dot(row, self.columns[name])
                if slope < 0:
                    key = (gain / slope, self.order[name])
                    if best is None or key < best:
                        best, entering = key, name
            if best is None:
                raise Stuck("no point meets all the constraints")
            self._exchange(leaving, entering)

    def _primal(self) -> tuple[Column, Column]:
        while True:
            prices = self._prices(self.cost)
            worth = self._worth(prices, self.cost)
            entering = min((n for n, v in worth.items() if v > 0), key=self.order.__getitem__,
                           default=None)
            point = self._point(self.bound)
            if entering is None:
                return point, prices
            direction = self._point(self.columns[entering])
            ratios = [(point[n] / v, self.order[n], n) for n, v in direction.items() if v > 0]
            if not ratios:
                raise Stuck("the linear program has no maximum")
            self._exchange(min(ratios, key=lambda r: r[:2])[2], entering)

    def _exchange(self, leaving: Hashable, entering: Hashable) -> None:
        self.left -= 1
        if self.left < 0:
            raise Stuck(f"{MOST_PIVOTS} pivots were not enough")
        self.basis = sorted([*(n for n in self.basis if n != leaving), entering],
                            key=self.order.__getitem__)
        self._factor()


def _dot(prices: Column, column: Column) -> Fraction:
    return sum((prices.get(row, ZERO) * c for row, c in column.items()), ZERO)


def _fmpq(value: Fraction) -> Any:
    return fmpq(value.numerator, value.denominator)
