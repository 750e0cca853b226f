r"""The practice problems in two checkouts of symdp, side by side: is the newer one slower?

    git worktree add --detach /tmp/before COMMIT
    python benchmarks/two_checkouts.py /tmp/before . --problems problems.toml

Each problem is settled in a fresh interpreter, once by each checkout in turn, and so for several rounds; what is
compared is processor time, the smallest of the rounds, so that other work on the machine hardly matters. *work* is
`symdp.check` alone, *whole* is the process with all of its imports. Both checkouts run in the present environment.
The exit code is 1 if a verdict is not the expected one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROBLEMS = ROOT.parent / "shared" / "problems.toml"
CACHE = Path(tempfile.gettempdir()) / "symdp-two-checkouts"
TIMES = ("work", "whole")

#: What a fresh interpreter runs; the door `symdp.check` is the same in all checkouts.
SCRIPT = """
import json, sys, time
import sympy, z3
import symdp
check, e = symdp.check, json.loads(sys.argv[1])
sympy.Symbol("x") + 1
z3.main_ctx()
begun = time.process_time()
verdict = check(e["claim"], e.get("where", ()), let=e.get("let", ()), integer=e.get("integer", ()))
ended = time.process_time()
print(json.dumps({"verdict": verdict.status.value, "work": ended - begun, "whole": ended}))
"""

Row = dict[str, Any]


def settled(checkout: Path, problem: Mapping[str, Any]) -> Row:
    """What a checkout says of a problem, and the processor time that it took."""
    # Modules are compiled once, as for anybody who uses a package, wherever that is switched off.
    environment = {**os.environ, "PYTHONPATH": str(checkout.resolve()), "PYTHONHASHSEED": "0",
                   "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(CACHE)}
    run = subprocess.run([sys.executable, "-c", SCRIPT, json.dumps(problem)], env=environment, cwd=checkout,
                         capture_output=True, text=True, check=True)
    return dict(json.loads(run.stdout.splitlines()[-1]))


def compared(checkouts: Sequence[Path], problems: Sequence[Mapping[str, Any]], rounds: int) -> list[list[Row]]:
    """For each checkout a row for each problem, with the smallest times of all rounds."""
    best: list[list[Row]] = [[{} for _ in problems] for _ in checkouts]
    for _ in range(rounds):
        for i, problem in enumerate(problems):
            for rows, checkout in zip(best, checkouts, strict=True):
                row = settled(checkout, problem)
                if rows[i]:
                    row |= {time: min(row[time], rows[i][time]) for time in TIMES}
                rows[i] = row
    return best


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path, help="the older checkout")
    parser.add_argument("after", type=Path, help="the newer checkout")
    parser.add_argument("--problems", type=Path, default=PROBLEMS, help="the practice problems (TOML)")
    parser.add_argument("--only", nargs="*", help="the names of some problems")
    parser.add_argument("--rounds", type=int, default=4)
    options = parser.parse_args(arguments)
    problems = [p for p in tomllib.loads(options.problems.read_text(encoding="utf-8"))["problem"]
                if not options.only or p["name"] in options.only]
    before, after = compared((options.before, options.after), problems, options.rounds)
    print(f"{'processor seconds':20}" + "".join(f"{f'{time} {when}':>14}" for time in TIMES
                                               for when in ("before", "after")))
    unexpected = 0
    for problem, old, new in zip(problems, before, after, strict=True):
        wrong = [row["verdict"] for row in (old, new) if row["verdict"] != problem["verdict"]]
        unexpected += len(wrong)
        line = "".join(f"{row[time]:14.3f}" for time in TIMES for row in (old, new))
        print(f"{problem['name']:20}{line}" + "".join(f"  {v}!" for v in wrong))
    for name, measure in (("sum", sum), ("median", statistics.median), ("largest", max)):
        line = "".join(f"{measure([row[time] for row in rows]):14.3f}" for time in TIMES for rows in (before, after))
        print(f"{name:20}{line}")
    return int(bool(unexpected))


if __name__ == "__main__":
    sys.exit(main())
