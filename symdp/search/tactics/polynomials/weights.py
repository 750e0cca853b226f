r"""Weights with which given polynomials add up to another one, found by a linear program.

A linear program proposes which polynomials take part; the weights are then solved for in fractions, so that the
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
from itertools import accumulate

from flint import fmpq, fmpq_mat

from symdp.search.tactics.polynomials.simplex import Program, SimplexOptimum, least

Exponents = tuple[int, ...]
Poly = dict[Exponents, fmpq]

#: What is left over, relative to the largest coefficient, when a representation was found.
TOLERANCE = 1e-7
#: Weights below this are taken for zero.
TINY = 1e-9
#: How much dearer a remainder is than a missing strict term.
DEAR = 1000.0
#: Up to so many entries a program is solved here, without a solver that has to be loaded first.
SMALL = 4000


def plus(a: Poly, b: Poly) -> Poly:
    total = {m: a.get(m, fmpq(0)) + b.get(m, fmpq(0)) for m in (*a, *b)}
    return {m: c for m, c in total.items() if c != 0}


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
        norm, strictly, most = n, n + 1, n + 2
        program = Program([], [], [0.0] * n + [1.0] + ([0.0, 0.01] if self.strict is not None else []))

        def column(entries: list[tuple[int, float]], price: float = 0.0) -> int:
            program.columns.append(entries)
            program.cost.append(price)
            return len(program.columns) - 1

        self.size = [_size(p) for p in (*self.targets, *self.columns, *self.free)]
        largest = max(self.size[: len(self.targets)])
        for p in self.targets:
            column([*((self.rows[m], -float(c) / largest) for m, c in p.items()), (norm, 1.0)])
        for k, (p, size) in enumerate(
            zip((*self.columns, *self.free), self.size[len(self.targets):], strict=True)
        ):
            entries = [(self.rows[m], float(c) / size) for m, c in p.items()]
            if self.strict is not None and k in self.strict:
                entries.append((strictly, 1.0))
            column(entries)
        head, free = len(program.columns), len(program.columns) - len(self.free)
        for k in range(free, head):  # a free weight is a difference
            column([(i, -v) for i, v in program.columns[k]])
        over = [(column([(i, 1.0)], DEAR), column([(i, -1.0)], DEAR)) for i in range(n)]
        missing = {self.rows[m]: -c for m, c in self.targets[0].items()}
        start = [over[i][missing.get(i, 0) > 0] for i in range(n)] + [0]
        if self.strict is not None:  # the more of strict terms the better, up to some of them
            start += [column([(strictly, -1.0)]), column([(most, 1.0)])]
            column([(strictly, -1.0), (most, 1.0)], -1.0)
        small = len(program.bound) * len(program.columns) <= SMALL
        found = least(program, start) if small else None
        found = found or optimum(program)
        self.found = found is not None
        values, prices = (found.values, found.prices) if found is not None else ([], [])
        self.values = [*values[:free], *(values[k] - values[k + len(self.free)] for k in range(free, head) if values)]
        self.left_over = sum(values[k] for pair in over for k in pair) if self.found else float("inf")
        #: what one more unit of each monomial would save
        self.prices = dict(zip(self.rows, prices, strict=False))

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


def optimum(program: Program) -> SimplexOptimum | None:
    """The same from HiGHS, for programs of any size."""
    import highspy  # noqa: PLC0415 - start-up: with NumPy a fifth of that of the prover, and most proofs need none
    import numpy as np  # noqa: PLC0415 - start-up: as the solver

    infinity, width = highspy.kHighsInf, len(program.columns)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = width, len(program.bound)
    lp.col_cost_ = np.array(program.cost)
    lp.col_lower_, lp.col_upper_ = np.zeros(width), np.full(width, infinity)
    lp.row_lower_ = lp.row_upper_ = np.array(program.bound)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.array([0, *accumulate(map(len, program.columns))], dtype=np.int32)
    entries = [entry for column in program.columns for entry in column]
    lp.a_matrix_.index_ = np.array([i for i, _ in entries], dtype=np.int32)
    lp.a_matrix_.value_ = np.array([v for _, v in entries])
    solver = highspy.Highs()
    solver.silent()
    # Work is counted, so that the answer does not depend on the load of the machine; the clock only ends a wait.
    for name, option in (("simplex_iteration_limit", 20_000), ("time_limit", 60.0), ("threads", 1),
                         ("presolve", "on"), ("solver", "simplex"),
                         ("primal_feasibility_tolerance", 1e-9),
                         ("dual_feasibility_tolerance", 1e-9)):
        solver.setOptionValue(name, option)
    solver.passModel(lp)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    solution = solver.getSolution()
    return SimplexOptimum(list(solution.col_value), list(solution.row_dual))


def _size(p: Poly) -> float:
    return max((abs(float(c.p) / float(c.q)) for c in p.values()), default=1.0)
