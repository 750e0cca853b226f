"""Compose with dp-accounting: read tasks as JSON, write times and answers.

This script knows nothing of symdp and runs in a virtual environment that has only dp-accounting in it;
`benchmarks/accounting.py` makes that environment and calls it.

    python dp_accounting_times.py < tasks.json > results.json
"""

from __future__ import annotations

import json
import math
import signal
import sys
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from dp_accounting.pld import accountant, common
from dp_accounting.pld import privacy_loss_distribution as pld

SECONDS = 120


def private(epsilon: float) -> common.DifferentialPrivacyParameters:
    return common.DifferentialPrivacyParameters(epsilon, 0.0)


def homogeneous(task: dict[str, Any], interval: float) -> float:
    one = pld.from_privacy_parameters(private(task["epsilon"]), value_discretization_interval=interval)
    return float(one.self_compose(task["k"]).get_epsilon_for_delta(task["delta"]))


def heterogeneous(task: dict[str, Any]) -> float:
    total = None
    for epsilon in task["epsilons"]:
        one = pld.from_privacy_parameters(private(epsilon))
        total = one if total is None else total.compose(one)
    return float(total.get_epsilon_for_delta(task["delta"]))


def sampled(task: dict[str, Any]) -> float:
    one = pld.from_gaussian_mechanism(task["deviation"], sampling_prob=task["rate"])
    return float(one.self_compose(task["k"]).get_epsilon_for_delta(task["delta"]))


def laplace(task: dict[str, Any]) -> float:
    one = pld.from_laplace_mechanism(task["scale"])
    return float(one.self_compose(task["k"]).get_epsilon_for_delta(task["delta"]))


def gaussian(task: dict[str, Any]) -> float:
    one = pld.from_gaussian_mechanism(task["deviation"])
    return float(one.self_compose(task["k"]).get_delta_for_epsilon(task["at"]))


WAYS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "PLD, interval = epsilon": lambda task: homogeneous(task, task["epsilon"]),
    "PLD, default interval": lambda task: homogeneous(task, 1e-4),
    "advanced_composition": lambda task: accountant.advanced_composition(
        private(task["epsilon"]), task["k"], task["delta"]),
    "PLD of different mechanisms": heterogeneous,
    "PLD of Gaussian noise": gaussian,
    "PLD of DP-SGD": sampled,
    "PLD of Laplace noise": laplace,
}


def timed(way: Callable[[dict[str, Any]], Any], task: dict[str, Any]) -> dict[str, Any]:
    """The best of a few runs, and what came out."""
    best, answer = math.inf, None
    try:
        signal.alarm(SECONDS)
        for _ in range(task.get("repeat", 3)):
            start = time.process_time()
            answer = way(task)
            best = min(best, time.process_time() - start)
            if best > 2:
                break
        return {"seconds": best, "answer": repr(answer)}
    except Exception as reason:
        return {"seconds": None, "answer": f"{type(reason).__name__}"}
    finally:
        signal.alarm(0)


def too_long(*_: object) -> None:
    raise TimeoutError


def main() -> None:
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, too_long)
    rows = [{"task": task["name"], "way": way, **timed(WAYS[way], task)}
            for task in json.load(sys.stdin) for way in task["dp-accounting"]]
    json.dump({"version": version("dp-accounting"), "rows": rows}, sys.stdout)


if __name__ == "__main__":
    main()
