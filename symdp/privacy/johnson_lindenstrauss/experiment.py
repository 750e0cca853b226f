r"""The mechanism in action: measured errors of cut queries beside the bounds (31) and (32).

For each epsilon the mechanism runs three times: with the noise of the old analysis, with that of the
new one, and with the smallest noise that is private at all. Everything is drawn from one seed.

>>> import networkx
>>> from symdp.privacy.johnson_lindenstrauss.graphs import Graph
>>> graph = Graph.of_networkx(networkx.random_regular_graph(4, 600, seed=1))
>>> plan = ExperimentPlan(delta="1/100", eta=1, nu="1/10", queries=5, side=20, seed=7)
>>> point = measure(graph, plan, ["4"])[0]
>>> [f"{run.analysis}: w = {run.w:.0f}" for run in point.runs]
['old: w = 269', 'new: w = 302', 'exact: w = 6']
>>> all(run.worst_excess <= run.bound for run in point.runs)
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sympy import Expr, Integer

from symdp.formulas.notation import delta, eps
from symdp.numbers import quantity
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.johnson_lindenstrauss import parameters
from symdp.privacy.johnson_lindenstrauss.graphs import Graph, answer
from symdp.privacy.johnson_lindenstrauss.utility import rows_for


@dataclass(frozen=True)
class ExperimentPlan:
    """What is fixed in an experiment."""

    delta: Quantity
    eta: Quantity
    nu: Quantity
    queries: int
    #: how many nodes are on the small side of each cut
    side: int
    seed: int


@dataclass(frozen=True)
class Run:
    """One run: the noise, the bound on the additive error, and what was measured."""

    analysis: str
    w: float
    bound: float
    #: the largest |answer - cut| - eta cut over the queries, or zero
    worst_excess: float
    #: the largest |answer - cut|
    worst_error: float


@dataclass(frozen=True)
class Measured:
    epsilon: float
    rows: int
    runs: tuple[Run, ...]


def measure(graph: Graph, plan: ExperimentPlan, epsilons: Iterable[Quantity]) -> list[Measured]:
    """Run the mechanism for each epsilon; the same cuts are asked every time."""
    import numpy as np  # noqa: PLC0415 - start-up: the literature imports this, and draws nothing

    generator = np.random.default_rng(plan.seed)
    if not 0 < plan.side <= graph.n // 2:
        raise BadQuantity(f"side must be between 1 and half of the {graph.n} nodes, not {plan.side}")
    sides = [generator.choice(graph.n, plan.side, replace=False).tolist() for _ in range(plan.queries)]
    cuts = [float(graph.cut(side)) for side in sides]
    rows = rows_for(plan.eta, plan.nu, plan.queries)
    width = quantity.quantity(plan.eta, "eta")
    found = []
    for given in epsilons:
        epsilon = quantity.within(given, "epsilon", 0, None, open_below=True)
        runs = []
        for analysis, w in noises(epsilon, quantity.probability(plan.delta), rows).items():
            unmet = parameters.conditions(graph.n, w, small_side=plan.side, eta_=width)
            if unmet:
                raise BadQuantity(f"{analysis} analysis, epsilon = {epsilon}: {unmet[0]}")
            sketch = graph.sketch(float(w), rows, generator)
            errors = [abs(answer(sketch, side, float(w)) - cut)
                      for side, cut in zip(sides, cuts, strict=True)]
            excess = max(max(e - float(width) * c for e, c in zip(errors, cuts, strict=True)), 0.0)
            runs.append(Run(analysis, float(w), float(2 * plan.side * width * w), excess, max(errors)))
        found.append(Measured(float(epsilon), rows, tuple(runs)))
    return found


def noises(epsilon: Expr, delta_: Expr, rows: int) -> dict[str, Expr]:
    """The w of each analysis."""
    at: dict[Any, Any] = {eps: epsilon, delta: delta_, parameters.r: Integer(rows)}
    exact = quantity.quantity(parameters.smallest_noise(epsilon, delta_, rows).upper, "w")
    return {"old": parameters.noise("old").subs(at), "new": parameters.noise("new").subs(at),
            "exact": exact}
