r"""Linear programs whose optimum is a fraction, with the two solutions that prove it.

A floating-point solver (HiGHS) only proposes which variables and rows are active at the optimum. From
there pivots in fractions lead to the optimum, and it is taken only if :func:`verify` accepts it: a
feasible point of the program and one of its dual, with the same value. Who doubts the number needs
no solver to check it.

>>> lp = LinearProgram()
>>> lp.maximise({"bread": 3, "beer": 2})
>>> lp.at_most("flour", {"bread": 2, "beer": 1}, 4)
>>> lp.at_most("time", {"bread": 1, "beer": 3}, 6)
>>> best = lp.solve()
>>> best.value, best.primal, best.dual
(Fraction(34, 5), {'bread': Fraction(6, 5), 'beer': Fraction(8, 5)},
 {'flour': Fraction(7, 5), 'time': Fraction(1, 5)})
>>> lp.at_least("feast", {"beer": 1}, 3)
>>> lp.solve()
Traceback (most recent call last):
...
symdp.privacy.lp.exact_lp.Infeasible: no point meets all the constraints
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.lp.pivoting import Stuck, Tableau

Sense = Literal["<=", ">=", "=="]
ZERO = Fraction(0)


#: Programs with more rows than that are refused: their system of equations is dense and exact.
MOST_ROWS = 2000
BYTES_PER_FRACTION = 24


class NotCertified(ArithmeticError):
    """The solver's proposal did not survive the check in exact arithmetic."""


class Infeasible(ValueError):
    """No point meets the constraints."""


def refuse_if_many(rows: int, what: str) -> None:
    """Say how large the system would be, before it is begun.

    >>> refuse_if_many(4480, "the optimum of 6 parties")
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: the optimum of 6 parties needs a system of 4480 x 4480
    fractions, 459 MiB or more; at most 2000 x 2000 are allowed
    """
    if rows > MOST_ROWS:
        raise BadQuantity(f"{what} needs a system of {rows} x {rows} fractions, "
                          f"{rows * rows * BYTES_PER_FRACTION >> 20} MiB or more; at most "
                          f"{MOST_ROWS} x {MOST_ROWS} are allowed")


@dataclass(frozen=True)
class Constraint:
    """One constraint: the sum of coefficients times variables, compared with a number."""

    coefficients: dict[Hashable, Fraction]
    sense: Sense
    bound: Fraction


@dataclass(frozen=True)
class ProgramSolution:
    """The optimum, a point that reaches it and the prices that prove that nothing exceeds it."""

    value: Fraction
    #: variables that are not zero
    primal: dict[Any, Fraction]
    #: prices of rows, where they are not zero
    dual: dict[Any, Fraction]


@dataclass
class LinearProgram:
    """Maximise a linear form under linear constraints; variables are >= 0 unless declared free."""

    objective: dict[Hashable, Fraction] = field(default_factory=dict)
    rows: dict[Hashable, Constraint] = field(default_factory=dict)
    free: set[Hashable] = field(default_factory=set)

    def maximise(self, coefficients: Mapping[Any, Fraction | int]) -> None:
        self.objective = _fractions(coefficients)

    def at_most(self, name: Hashable, row: Mapping[Any, Fraction | int], bound: Fraction | int) -> None:
        self._add(name, row, "<=", bound)

    def at_least(self, name: Hashable, row: Mapping[Any, Fraction | int], bound: Fraction | int) -> None:
        self._add(name, row, ">=", bound)

    def equal(self, name: Hashable, row: Mapping[Any, Fraction | int], bound: Fraction | int) -> None:
        self._add(name, row, "==", bound)

    def _add(self, name: Hashable, row: Mapping[Any, Fraction | int], sense: Sense,
             bound: Fraction | int) -> None:
        if name in self.rows:
            raise ValueError(f"there is already a row {name!r}")
        self.rows[name] = Constraint(_fractions(row), sense, Fraction(bound))

    @property
    def variables(self) -> list[Hashable]:
        """In the order in which they were first mentioned."""
        seen: dict[Hashable, None] = dict.fromkeys(self.objective)
        for row in self.rows.values():
            seen |= dict.fromkeys(row.coefficients)
        return list(seen)

    def solve(self) -> ProgramSolution:
        """The optimum, verified; the solver is asked in several ways before it is given up."""
        refuse_if_many(len(self.rows), "the linear program")
        for options in _WAYS:
            start = _proposal(self, options)
            if start is None:
                continue
            try:
                solution = _finished(self, *start)
            except Stuck:
                continue
            if not verify(self, solution):
                return solution
        raise NotCertified(
            f"no basis that the solver proposed leads to an optimum in exact arithmetic "
            f"({len(self.variables)} variables, {len(self.rows)} rows)")


def verify(program: LinearProgram, solution: ProgramSolution) -> list[str]:
    """What is wrong with the solution: nothing, if it is feasible, and optimal by its prices.

    >>> lp = LinearProgram()
    >>> lp.maximise({"x": 1})
    >>> lp.at_most("cap", {"x": 2}, 1)
    >>> verify(lp, ProgramSolution(Fraction(1, 2), {"x": Fraction(1, 2)}, {"cap": Fraction(1, 2)}))
    []
    >>> verify(lp, ProgramSolution(Fraction(1), {"x": Fraction(1)}, {"cap": Fraction(1, 2)}))
    ["row 'cap' is violated", 'the point gives 1, its prices 1/2, not both 1']
    """
    wrong = [f"variable {v!r} is negative" for v, value in solution.primal.items()
             if value < 0 and v not in program.free]
    for name, row in program.rows.items():
        gap = sum((c * solution.primal.get(v, ZERO) for v, c in row.coefficients.items()), ZERO)
        gap -= row.bound
        if (gap > 0 and row.sense != ">=") or (gap < 0 and row.sense != "<="):
            wrong.append(f"row {name!r} is violated")
        price = solution.dual.get(name, ZERO)
        if (price < 0 and row.sense == "<=") or (price > 0 and row.sense == ">="):
            wrong.append(f"the price of row {name!r} has the wrong sign")
    reached = sum((c * solution.primal.get(v, ZERO) for v, c in program.objective.items()), ZERO)
    bound = sum((program.rows[r].bound * y for r, y in solution.dual.items()), ZERO)
    prices: dict[Hashable, Fraction] = {}
    for name, price in solution.dual.items():
        for v, c in program.rows[name].coefficients.items():
            prices[v] = prices.get(v, ZERO) + price * c
    for v in program.variables:
        slack = prices.get(v, ZERO) - program.objective.get(v, ZERO)
        if slack < 0 or (v in program.free and slack != 0):
            wrong.append(f"the prices do not pay for variable {v!r}")
    if not reached == bound == solution.value:
        wrong.append(f"the point gives {reached}, its prices {bound}, not both {solution.value}")
    return wrong


# --- proposals in floating point -----------------------------------------------------------------

_TIGHT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
_WAYS: tuple[dict[str, Any], ...] = (
    {"presolve": "off", **_TIGHT},
    {"presolve": "on", **_TIGHT},
    {"presolve": "off", "simplex_strategy": 4, **_TIGHT},
    {"presolve": "off", "simplex_scale_strategy": 0, **_TIGHT},
    {"presolve": "off", "simplex_strategy": 4, "simplex_scale_strategy": 0},
)


def _proposal(
    program: LinearProgram, options: Mapping[str, Any]
) -> tuple[dict[Hashable, bool], set[Hashable]] | None:
    """The last basis: its variables (and whether they are negative), and the rows that are slack."""
    import highspy  # noqa: PLC0415 - start-up: the solver loads slowly, and few claims need it
    import numpy as np  # noqa: PLC0415 - start-up: as the solver

    solver = highspy.Highs()
    solver.silent()
    for name, value in options.items():
        solver.setOptionValue(name, value)
    variables, names = program.variables, list(program.rows)
    index = {v: i for i, v in enumerate(variables)}
    infinity = solver.inf
    for v in variables:
        solver.addVar(-infinity if v in program.free else 0.0, infinity)
        solver.changeColCost(index[v], float(program.objective.get(v, ZERO)))
    for row in program.rows.values():
        bound = float(row.bound)
        solver.addRow(
            -infinity if row.sense == "<=" else bound, infinity if row.sense == ">=" else bound,
            len(row.coefficients), np.array([index[v] for v in row.coefficients], dtype=np.int32),
            np.array([float(c) for c in row.coefficients.values()], dtype=np.float64))
    solver.changeObjectiveSense(highspy.ObjSense.kMaximize)
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        raise Infeasible("no point meets all the constraints")
    if status == highspy.HighsModelStatus.kUnbounded:
        raise ValueError("the linear program has no maximum")
    basis = solver.getBasis()
    if not basis.valid:
        return None
    basic = highspy.HighsBasisStatus.kBasic
    values = solver.getSolution().col_value
    return ({v: x < 0 for v, x, s in zip(variables, values, basis.col_status, strict=True) if s == basic},
            {r for r, s in zip(names, basis.row_status, strict=True) if s == basic})


def _finished(
    program: LinearProgram, basic: Mapping[Hashable, bool], slack: set[Hashable]
) -> ProgramSolution:
    """The optimum that pivots in fractions reach from the proposal."""
    columns: dict[Hashable, dict[Hashable, Fraction]] = {}
    cost: dict[Hashable, Fraction] = {}
    for sign in (1, -1):  # a free variable is the difference of two
        for v in program.variables if sign == 1 else program.free:
            columns[sign, v] = {}
            cost[sign, v] = sign * program.objective.get(v, ZERO)
    for name, row in program.rows.items():
        for v, c in row.coefficients.items():
            columns[1, v][name] = c
            if v in program.free:
                columns[-1, v][name] = -c
        if row.sense != "==" or name in slack:
            columns[0, name] = {name: Fraction(-1 if row.sense == ">=" else 1)}
    start = [(-1 if negative and v in program.free else 1, v) for v, negative in basic.items()]
    tableau = Tableau(columns, {name: row.bound for name, row in program.rows.items()}, cost,
                      [*start, *((0, name) for name in slack)])
    point, prices = tableau.optimise(
        [(0, name) for name, row in program.rows.items() if name in slack and row.sense == "=="])
    primal: dict[Any, Fraction] = {}
    for key, value in point.items():
        sign, v = key  # type: ignore[misc]
        if sign and value:
            primal[v] = primal.get(v, ZERO) + sign * value
    value = sum((program.objective.get(v, ZERO) * x for v, x in primal.items()), ZERO)
    return ProgramSolution(value, primal, {r: y for r, y in prices.items() if y})


def _fractions(row: Mapping[Any, Fraction | int]) -> dict[Hashable, Fraction]:
    return {v: Fraction(c) for v, c in row.items() if c}
