r"""Weights with which given polynomials add up to another one, found by a linear program.

HiGHS proposes which polynomials take part; the weights are then solved for in fractions, so that the
sum is exact or nothing is returned.

>>> x2, x, one = (2,), (1,), (0,)
>>> target = {x2: fmpq(2), x: fmpq(-2), one: fmpq(1)}
>>> columns = [{x2: fmpq(1), x: fmpq(-2), one: fmpq(1)}, {x2: fmpq(1)}, {one: fmpq(1)}]
>>> Weighing([target], columns).exact().columns
{0: 1, 1: 1}
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import highspy
import numpy as np
from flint import fmpq, fmpq_mat

Exponents = tuple[int, ...]
Poly = dict[Exponents, fmpq]

#: What is left over, relative to the largest coefficient, when a representation was found.
TOLERANCE = 1e-7
#: Weights below this are taken for zero.
TINY = 1e-9
#: How much dearer a remainder is than a missing strict term.
DEAR = 1000.0


def plus(a: Poly, b: Poly) -> Poly:
    result = dict(a)
    for m, c in b.items():
        total = result.get(m, 0) + c
        if total == 0:
            del result[m]
        else:
            result[m] = total
    return result


def times(a: Poly, b: Poly) -> Poly:
    if len(a) < len(b):
        a, b = b, a
    result: Poly = {}
    for m1, c1 in b.items():
        for m2, c2 in a.items():
            m = tuple(map(int.__add__, m1, m2))
            result[m] = result[m] + c1 * c2 if m in result else c1 * c2
    return {m: c for m, c in result.items() if c != 0}


def scaled(a: Poly, by: fmpq) -> Poly:
    return {m: c * by for m, c in a.items()}


@dataclass(frozen=True)
class Weights:
    """How much of each target the columns add up to, and how much of each column that takes."""

    targets: dict[int, fmpq]
    columns: dict[int, fmpq]
    free: dict[int, fmpq]


class Weighing:
    """sum of columns >= 0 times weights, plus free ones, = sum of targets; the targets weigh 1."""

    def __init__(
        self,
        targets: Sequence[Poly],
        columns: Sequence[Poly],
        free: Sequence[Poly] = (),
        strict: Collection[int] | None = None,
        monomials: Iterable[Exponents] = (),
    ) -> None:
        self.targets, self.columns, self.free = targets, columns, free
        #: columns of which one must take part, if any
        self.strict = strict
        rows: dict[Exponents, int] = {}
        for p in (*targets, *columns, *free):
            for m in p:
                rows.setdefault(m, len(rows))
        for m in monomials:  # of which the price is to be known
            rows.setdefault(m, len(rows))
        self.rows = rows
        self._run()

    def _run(self) -> None:
        n = len(self.rows)
        starts, index, value = [0], [], []
        cost, lower, upper = [], [], []
        infinity = highspy.kHighsInf

        def column(entries: list[tuple[int, float]], price: float, low: float, high: float) -> None:
            for i, v in entries:
                index.append(i)
                value.append(v)
            starts.append(len(index))
            cost.append(price)
            lower.append(low)
            upper.append(high)

        norm, strictly = n, n + 1
        self.size = [_size(p) for p in (*self.targets, *self.columns, *self.free)]
        largest = max(self.size[: len(self.targets)])
        for p in self.targets:
            entries = [(self.rows[m], -float(c) / largest) for m, c in p.items()]
            column([*entries, (norm, 1.0)], 0.0, 0.0, infinity)
        for k, (p, size) in enumerate(
            zip((*self.columns, *self.free), self.size[len(self.targets):], strict=True)
        ):
            entries = [(self.rows[m], float(c) / size) for m, c in p.items()]
            if self.strict is not None and k in self.strict:
                entries.append((strictly, 1.0))
            column(entries, 0.0, 0.0 if k < len(self.columns) else -infinity, infinity)
        if self.strict is not None:
            column([(strictly, -1.0)], -1.0, 0.0, 0.01)
        for i in range(n):
            column([(i, 1.0)], DEAR, 0.0, infinity)
            column([(i, -1.0)], DEAR, 0.0, infinity)
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(cost), n + 2
        lp.col_cost_ = np.array(cost)
        lp.col_lower_, lp.col_upper_ = np.array(lower), np.array(upper)
        bounds = [0.0] * n + [1.0, 0.0]
        lp.row_lower_ = np.array(bounds)
        lp.row_upper_ = np.array([*bounds[:-1], infinity])
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.array(starts, dtype=np.int32)
        lp.a_matrix_.index_ = np.array(index, dtype=np.int32)
        lp.a_matrix_.value_ = np.array(value)
        solver = highspy.Highs()
        solver.silent()
        for name, option in (("time_limit", 2.0), ("threads", 1), ("presolve", "on"),
                             ("solver", "simplex"),
                             ("primal_feasibility_tolerance", 1e-9),
                             ("dual_feasibility_tolerance", 1e-9)):
            solver.setOptionValue(name, option)
        solver.passModel(lp)
        solver.run()
        solution = solver.getSolution()
        self.found = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
        values = list(solution.col_value)
        head = len(self.targets) + len(self.columns) + len(self.free)
        self.values = values[:head]
        self.left_over = sum(values[-2 * n:]) if self.found else float("inf")
        #: what one more unit of each monomial would save
        self.prices = dict(zip(self.rows, solution.row_dual, strict=False)) if self.found else {}

    @property
    def feasible(self) -> bool:
        return self.found and self.left_over < TOLERANCE

    def exact(self) -> Weights | None:
        """The weights as fractions, all of them checked."""
        if not self.feasible:
            return None
        for tiny, fine in ((TINY, 60), (1e-6, 10**5)):
            chosen = [j for j, v in enumerate(self.values) if abs(v) > tiny]
            found = self._solved(chosen, fine)
            if found is not None:
                return found
        return None

    def _guess(self, j: int, fine: int) -> fmpq:
        """The weight that the linear program gave, as a simple fraction."""
        value = self.values[j]
        if j >= len(self.targets):
            value *= max(self.size[: len(self.targets)]) / self.size[j]
        simple = Fraction(value).limit_denominator(fine)
        return fmpq(simple.numerator, simple.denominator)

    def _solved(self, chosen: list[int], fine: int) -> Weights | None:
        polys = (*self.targets, *self.columns, *self.free)
        first, second = len(self.targets), len(self.targets) + len(self.columns)
        rows: dict[Exponents, int] = {}
        for j in chosen:
            for m in polys[j]:
                rows.setdefault(m, len(rows))
        table = [[fmpq(0)] * (len(chosen) + 1) for _ in range(len(rows) + 1)]
        for place, j in enumerate(chosen):
            sign = fmpq(-1) if j < first else fmpq(1)
            for m, c in polys[j].items():
                table[rows[m]][place] = sign * c
            if j < first:
                table[-1][place] = fmpq(1)
        table[-1][-1] = fmpq(1)
        solved, rank = fmpq_mat(table).rref()
        leading = [
            next(k for k in range(len(chosen) + 1) if solved[i, k] != 0) for i in range(rank)
        ]
        if len(chosen) in leading:
            return None
        # Where a strict term was asked for, the equations leave some weights open.
        open_ = [k for k in range(len(chosen)) if k not in set(leading)]
        weight = {chosen[k]: self._guess(chosen[k], fine) for k in open_}
        for i, place in enumerate(leading):
            rest = sum((solved[i, k] * weight[chosen[k]] for k in open_), fmpq(0))
            weight[chosen[place]] = solved[i, len(chosen)] - rest
        if any(w < 0 for j, w in weight.items() if j < second):
            return None
        found = Weights(
            {j: w for j, w in weight.items() if j < first and w != 0},
            {j - first: w for j, w in weight.items() if first <= j < second and w != 0},
            {j - second: w for j, w in weight.items() if j >= second and w != 0},
        )
        if self.strict is not None and not set(found.columns) & set(self.strict):
            return None
        return found


def _size(p: Poly) -> float:
    return max((abs(float(c.p) / float(c.q)) for c in p.values()), default=1.0)
