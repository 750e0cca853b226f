"""Compose with prv-accountant: read tasks as JSON, write times and answers.

This script knows nothing of symdp and runs in a virtual environment that has only prv-accountant in
it; `benchmarks/accounting.py` makes that environment and calls it.

    python prv_accountant_times.py < tasks.json > results.json
"""

from __future__ import annotations

import json
import signal
import sys
import time
import warnings
from importlib.metadata import version
from typing import Any

from prv_accountant import PRVAccountant
from prv_accountant.privacy_random_variables import (
    LaplaceMechanism,
    PoissonSubsampledGaussianMechanism,
    PureDPMechanism,
)

SECONDS = 120


def mechanism(task: dict[str, Any]) -> Any:
    if "rate" in task:
        return PoissonSubsampledGaussianMechanism(task["rate"], task["deviation"])
    return LaplaceMechanism(mu=1 / task["scale"]) if "scale" in task else PureDPMechanism(task["epsilon"])


def upper_bound(task: dict[str, Any], error: float) -> float:
    accountant = PRVAccountant(
        prvs=[mechanism(task)], max_self_compositions=[task["k"]],
        eps_error=error, delta_error=task["delta"] / 1000)
    _, _, upper = accountant.compute_epsilon(delta=task["delta"], num_self_compositions=[task["k"]])
    return float(upper)


def timed(task: dict[str, Any], error: float) -> dict[str, Any]:
    try:
        signal.alarm(SECONDS)
        start = time.process_time()
        answer = upper_bound(task, error)
        return {"seconds": time.process_time() - start, "answer": repr(answer)}
    except Exception as reason:
        return {"seconds": None, "answer": f"{type(reason).__name__}"}
    finally:
        signal.alarm(0)


def too_long(*_: object) -> None:
    raise TimeoutError


def main() -> None:
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, too_long)
    rows = [{"task": task["name"], "way": f"upper bound, eps_error {error}", **timed(task, error)}
            for task in json.load(sys.stdin) for error in task["prv-accountant"]]
    json.dump({"version": version("prv-accountant"), "rows": rows}, sys.stdout)


if __name__ == "__main__":
    main()
