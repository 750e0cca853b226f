r"""Small linear programs in floats: least cost of x >= 0 with A x = b. Nothing here is trusted.

A program of a few rows is solved before a large solver is even loaded. Whoever asks checks the answer.

>>> columns = [[(0, 1.0)], [(0, 2.0), (1, 1.0)], [(1, 1.0)]]
>>> least(Program(columns, [1.0, 1.0, 5.0], [4.0, 3.0]), [0, 2]).values
[0.0, 2.0, 1.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: What is taken for zero.
TINY = 1e-9
#: From then on the first column that helps enters, so that no basis comes twice.
CAREFUL = 40
MOST_PIVOTS = 200


@dataclass(frozen=True)
class Program:
    """Columns as (row, entry), what a unit of each costs, and the right sides."""

    columns: list[list[tuple[int, float]]]
    cost: list[float]
    bound: list[float]


@dataclass(frozen=True)
class SimplexOptimum:
    """How much of each column is taken, and what a unit of each right side would cost."""

    values: list[float]
    prices: list[float]


def least(program: Program, start: Sequence[int]) -> SimplexOptimum | None:
    """The optimum, from the columns that are taken in row after row at the start; None if it is not found."""
    rows, width = len(program.bound), len(program.columns)
    # Behind the columns stand those of the identity, which end up as the inverse, and the right side.
    table = [[0.0] * (width + rows) + [b] for b in program.bound]
    for j, column in enumerate(program.columns):
        for i, entry in column:
            table[i][j] = entry
    for i in range(rows):
        table[i][width + i] = 1.0
    cost = [*program.cost, *[0.0] * (rows + 1)]

    def pivot(i: int, j: int) -> None:
        entry = table[i][j]
        row = table[i] = [v / entry for v in table[i]]
        for other in (*(r for k, r in enumerate(table) if k != i), cost):
            if factor := other[j]:
                other[:] = [v - factor * p for v, p in zip(other, row, strict=True)]

    basis = list(start)
    for i, j in enumerate(basis):
        if abs(table[i][j]) < TINY:
            return None
        pivot(i, j)
    if any(row[-1] < -TINY for row in table):
        return None
    for turn in range(MOST_PIVOTS):
        helpful = [j for j in range(width) if cost[j] < -TINY]
        if not helpful:
            values = [0.0] * width
            for i, j in enumerate(basis):
                values[j] = table[i][-1]
            return SimplexOptimum(values, [-c for c in cost[width:-1]])
        j = min(helpful, key=cost.__getitem__) if turn < CAREFUL else helpful[0]
        leaving = [(row[-1] / row[j], basis[i], i) for i, row in enumerate(table) if row[j] > TINY]
        if not leaving:
            return None
        i = min(leaving)[2]
        basis[i] = j
        pivot(i, j)
    return None
