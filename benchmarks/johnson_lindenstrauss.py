r"""Cut queries on a random graph: measured errors, and the bounds of the old and the new analysis.

    python benchmarks/johnson_lindenstrauss.py                      a table
    python benchmarks/johnson_lindenstrauss.py --figure errors.svg  and a picture

Every number comes from the seed. The third line of the picture is the smallest noise that is private,
from the exact divergence of the sketch.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import networkx
from matplotlib import pyplot
from rich.console import Console
from rich.table import Table

from symdp.privacy.johnson_lindenstrauss.experiment import ExperimentPlan, Measured, measure
from symdp.privacy.johnson_lindenstrauss.graphs import Graph

EPSILONS = ("1/10", "1/5", "2/5", "4/5")
#: The first of these epsilons needs w below n/2, which is why the graph is large.
NODES, DEGREE = 60_000, 6
STYLES = {"old": ("tab:red", "o"), "new": ("tab:blue", "s"), "exact": ("tab:green", "^")}


def draw(points: Sequence[Measured], path: str) -> None:
    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for i, name in enumerate(run.analysis for run in points[0].runs):
        colour, marker = STYLES[name]
        runs = [point.runs[i] for point in points]
        where = [point.epsilon for point in points]
        axes.plot(where, [run.bound for run in runs], color=colour, label=f"{name}: bound $2|S|\\eta w$")
        axes.plot(where, [run.worst_error for run in runs], marker, color=colour,
                  label=f"{name}: largest error measured")
    axes.set(xscale="log", yscale="log", xlabel=r"$\varepsilon$", ylabel="additive error of a cut")
    axes.legend(fontsize="small")
    figure.savefig(path)
    pyplot.close(figure)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--epsilon", nargs="+", default=list(EPSILONS))
    parser.add_argument("--delta", default="1/10")
    parser.add_argument("--figure", help="where to save the picture")
    options = parser.parse_args(arguments)
    graph = Graph.of_networkx(networkx.random_regular_graph(DEGREE, options.nodes, seed=options.seed))
    plan = ExperimentPlan(delta=options.delta, eta=1, nu="1/10", queries=20, side=100, seed=options.seed)
    points = measure(graph, plan, options.epsilon)
    table = Table("epsilon", "rows", "analysis", "w", "bound", "largest error",
                  "largest error - eta cut", title=f"{options.nodes} nodes, delta {options.delta}")
    for point in points:
        for run in point.runs:
            table.add_row(f"{point.epsilon:g}", str(point.rows), run.analysis, f"{run.w:.1f}",
                          f"{run.bound:.0f}", f"{run.worst_error:.0f}", f"{run.worst_excess:.0f}")
    Console().print(table)
    if options.figure:
        draw(points, options.figure)
    return int(any(run.worst_excess > run.bound for point in points for run in point.runs))


if __name__ == "__main__":
    sys.exit(main())
