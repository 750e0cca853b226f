"""Exact composition, side by side with dp-accounting and prv-accountant in one run.

    python benchmarks/accounting.py                 everything, as two markdown tables
    python benchmarks/accounting.py --skip-peers    our own numbers alone
    python benchmarks/accounting.py --json FILE     the raw numbers as well
    python benchmarks/accounting.py --only DP-SGD   the tasks with this in their name
    python benchmarks/accounting.py --environments DIR

Each peer runs in a virtual environment of its own under build/peers/, made by name on the first run.
Every time is the processor's, the best of a few calls of a tool's own work, from parameters to an
answer: imports and the start of processes are left out. The digits of a peer are those in which its
answer agrees with our enclosure; ours are those that both ends of the enclosure share. The numbers are for people: no
test asserts them.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy

from symdp.numbers.decimals import Enclosure
from symdp.privacy.composition.compose import compose
from symdp.privacy.composition.heterogeneous import Heterogeneous
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.privacy.mechanisms.every import Gaussian, Laplace
from symdp.privacy.mechanisms.sampled.subsampled_gaussian import SubsampledGaussian

HERE = Path(__file__).resolve().parent
ENVIRONMENTS = HERE.parent / "build" / "peers"
PEERS = {
    "dp-accounting": ("dp-accounting==0.6.0", HERE / "peers" / "dp_accounting_times.py"),
    "prv-accountant": ("prv-accountant==0.2.0", HERE / "peers" / "prv_accountant_times.py"),
}
#: The digits that our column promises, and those that the peers are measured against.
PROMISED, TRUTH = 15, 30

Row = dict[str, Any]


def _power(k: int) -> str:
    return f"10^{round(math.log10(k))}"


def root_task(k: int, delta: str, dp_accounting: list[str], prv_accountant: list[float]) -> Row:
    return {
        "name": f"k = {_power(k)}, delta = {delta}", "k": k, "epsilon": 1 / math.sqrt(k),
        "delta": float(delta), "dp-accounting": dp_accounting, "prv-accountant": prv_accountant,
        "ours": lambda digits: Homogeneous(1 / sympy.sqrt(k), 0, k).epsilon(delta, digits),
    }


TIGHT = ["PLD, interval = epsilon", "PLD, default interval"]
DIFFERENT = [Fraction(n, 1000) for n in range(1, 1001)]
SMALL = [Fraction(n % 50 + 1, 1000) for n in range(1000)]


def mixed_task(name: str, epsilons: list[Fraction]) -> Row:
    return {
        "name": name, "epsilons": [float(e) for e in epsilons], "delta": 1e-6, "repeat": 1,
        "dp-accounting": ["PLD of different mechanisms"], "prv-accountant": [],
        "ours": lambda digits: Heterogeneous([(e, 0) for e in epsilons]).epsilon("1e-6", digits),
    }


def sampled_task(delta: str, prv_accountant: list[float]) -> Row:
    return {
        "name": f"DP-SGD, rate 0.01, deviation 1, 10^4 steps, delta = {delta}", "k": 10**4, "rate": 0.01,
        "deviation": 1.0, "delta": float(delta), "repeat": 1,
        "dp-accounting": ["PLD of DP-SGD"], "prv-accountant": prv_accountant,
        "ours": lambda digits: compose(SubsampledGaussian(1, "0.01"), 10**4).epsilon(delta, digits),
    }


def laplace_task(delta: str, prv_accountant: list[float]) -> Row:
    return {
        "name": f"Laplace noise, epsilon = 0.001, k = 10^6, delta = {delta}", "k": 10**6, "scale": 1000.0,
        "delta": float(delta), "repeat": 1,
        "dp-accounting": ["PLD of Laplace noise"], "prv-accountant": prv_accountant,
        "ours": lambda digits: compose(Laplace(1000), 10**6).epsilon(delta, digits),
    }


TASKS: list[Row] = [
    root_task(10**3, "1e-6", [*TIGHT, "advanced_composition"], [0.01]),
    root_task(10**3, "1e-10", TIGHT, [0.01]),
    root_task(10**3, "1e-50", TIGHT, [0.01]),
    root_task(10**6, "1e-6", TIGHT, [0.1]),
    root_task(10**6, "1e-10", TIGHT, []),
    root_task(10**6, "1e-50", TIGHT[:1], []),
    root_task(10**9, "1e-6", [], []),
    root_task(10**12, "1e-6", [], []),
    root_task(10**12, "1e-50", [], []),
    mixed_task("1000 of 50 kinds, epsilon = 1/1000, ..., 50/1000, delta = 1e-6", SMALL),
    mixed_task("1000 different, epsilon = 1/1000, 2/1000, ..., 1, delta = 1e-6", DIFFERENT),
    sampled_task("1e-6", [0.01]),
    sampled_task("1e-15", [0.01]),
    sampled_task("1e-30", [0.01]),
    laplace_task("1e-6", [0.1]),
    laplace_task("1e-30", []),
]
#: Calls whose answer is not a bound, or no number.
WRONG: list[Row] = [
    {
        "name": "epsilon = 1, k = 100, delta = 1e-6", "k": 100, "epsilon": 1.0, "delta": 1e-6,
        "dp-accounting": [], "prv-accountant": [0.1],
        "ours": lambda digits: Homogeneous(1, 0, 100).epsilon("1e-6", digits),
    },
    {
        "name": "epsilon = 0.1, k = 100, delta = 1e-20", "k": 100, "epsilon": 0.1, "delta": 1e-20,
        "dp-accounting": ["advanced_composition"], "prv-accountant": [],
        "ours": lambda digits: Homogeneous("0.1", 0, 100).epsilon("1e-20", digits),
    },
    {
        "name": "epsilon = 0.01, k = 10^4, delta = 1e-10", "k": 10**4, "epsilon": 0.01, "delta": 1e-10,
        "dp-accounting": ["PLD, default interval"], "prv-accountant": [],
        "ours": lambda digits: Homogeneous("0.01", 0, 10**4).epsilon("1e-10", digits),
    },
    {
        "name": "Gaussian, deviation 100, k = 10^4: delta at epsilon = 8", "k": 10**4,
        "deviation": 100.0, "at": 8.0,
        "dp-accounting": ["PLD of Gaussian noise"], "prv-accountant": [],
        "ours": lambda digits: compose(Gaussian(variance=10**4), 10**4).delta(8, digits),
    },
]


def ours(compute: Callable[[int], Enclosure], digits: int) -> tuple[float, Enclosure]:
    """The best time of a few calls, and the answer."""
    best, runs = math.inf, 0
    while runs < 20 and (runs < 2 or best * runs < 1):
        start = time.process_time()
        found = compute(digits)
        best, runs = min(best, time.process_time() - start), runs + 1
    return best, found


def peer(name: str, tasks: list[Row], environments: Path) -> Row:
    """What a peer answers, from its own environment."""
    requirement, script = PEERS[name]
    python = environments / name / "bin" / "python"
    if subprocess.run([python, "-c", f"import {name.replace('-', '_')}"], capture_output=True,
                      check=False).returncode if python.exists() else True:
        subprocess.run([sys.executable, "-m", "venv", str(environments / name)], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", requirement], check=True)
    plain = [{key: value for key, value in task.items() if key != "ours"} for task in tasks]
    done = subprocess.run([python, script], input=json.dumps(plain), capture_output=True, text=True,
                          check=True)
    return dict(json.loads(done.stdout))


def agreement(answer: str, truth: Enclosure) -> str:
    """How many digits of an answer are right, and on which side of the truth it is."""
    try:
        value = Decimal(answer)
    except ArithmeticError:
        return "no answer"
    if not value.is_finite():
        return "no answer"
    if value in truth:
        return "right"
    side = "below the truth" if value < truth.lower else "above"
    digits = -math.log10(abs(float((value - truth.middle) / truth.middle)))
    return f"{max(digits, 0):.1f} digits, {side}"


def _seconds(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value * 1000:.2f} ms" if value < 1 else f"{value:.1f} s"


def measure(tasks: list[Row], peers: list[str], environments: Path) -> list[Row]:
    answers = {name: peer(name, tasks, environments) for name in peers}
    rows = []
    for task in tasks:
        seconds, found = ours(task["ours"], PROMISED)
        _, truth = ours(task["ours"], TRUTH)
        rows.append({"task": task["name"], "who": "symdp", "seconds": seconds, "answer": str(found),
                     "quality": f"{found.digits} digits, certain",
                     "lower": str(found.lower), "upper": str(found.upper)})
        for name, answer in answers.items():
            for row in answer["rows"]:
                if row["task"] == task["name"]:
                    rows.append({"task": task["name"], "who": f"{name} {answer['version']}: {row['way']}",
                                 "seconds": row["seconds"], "answer": row["answer"],
                                 "quality": agreement(row["answer"], truth)})
    return rows


def print_times(rows: list[Row]) -> None:
    print("| smallest epsilon | who | time | answer | quality |\n|---|---|---|---|---|")
    before = ""
    for row in rows:
        task = row["task"] if row["task"] != before else ""
        before = row["task"]
        print(f"| {task} | {row['who']} | {_seconds(row['seconds'])} | {row['answer']} | "
              f"{row['quality']} |")


def print_ratios(rows: list[Row]) -> None:
    """What the times say, in a line each."""
    print()
    mine = {row["task"]: row["seconds"] for row in rows if row["who"] == "symdp"}
    for task, seconds in mine.items():
        others = [row["seconds"] for row in rows if row["task"] == task and row["who"] != "symdp"
                  and row["seconds"] is not None and row["quality"] != "no answer"]
        if others:
            print(f"- {task}: {min(others) / seconds:.0f} times faster than the fastest peer")
    first, last = mine.get("k = 10^3, delta = 1e-6"), mine.get("k = 10^12, delta = 1e-6")
    if first and last:
        print(f"- k = 10^12 takes {last / first:.1f} times as long as k = 10^3")


def print_wrong(rows: list[Row]) -> None:
    print("\n| call | who | returned | enclosure of the truth |\n|---|---|---|---|")
    truth = {row["task"]: f"[{row['lower']}, {row['upper']}]" for row in rows if row["who"] == "symdp"}
    for row in rows:
        if row["who"] != "symdp":
            print(f"| {row['task']} | {row['who']} | {row['answer']} | {truth[row['task']]} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--skip-peers", action="store_true", help="our own numbers alone")
    parser.add_argument("--only", default="", help="the tasks with this in their name")
    parser.add_argument("--environments", type=Path, default=ENVIRONMENTS, help="of the peers, one for each name")
    parser.add_argument("--json", type=Path, help="the raw numbers as well")
    options = parser.parse_args()
    peers = [] if options.skip_peers else list(PEERS)
    tasks = [task for task in TASKS if options.only in task["name"]]
    times = measure(tasks, peers, options.environments)
    print(f"Python {platform.python_version()}, {platform.machine()}; one run, times are the best of a "
          "few calls\n")
    print_times(times)
    wrong: list[Row] = []
    if peers:
        print_ratios(times)
        if not options.only:
            wrong = measure(WRONG, peers, options.environments)
            print_wrong(wrong)
    if options.json is not None:
        options.json.write_text(json.dumps({"times": times, "wrong": wrong}, indent=2) + "\n",
                                encoding="utf-8")


if __name__ == "__main__":
    main()
