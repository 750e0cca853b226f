"""How work spreads over workers: a sweep of many claims, and the audit, with 1, 2 and 4 workers.

A sweep is one inequality with other numbers in each claim, as in a table of a paper. Times are of the wall, and
efficiency is what N workers gain over one, divided by the least of N and the cores of this machine. With ``--dask``
the workers are processes of a dask cluster that is started here for the purpose, in which nothing is trusted:
certificates come back and are replayed, which is a part of the time.

    python benchmarks/workers.py                       10,000 claims, processes
    python benchmarks/workers.py --claims 500 --dask   a smaller sweep on a cluster of this machine
    python benchmarks/workers.py --audit kov/sec-7     claims of the literature from nothing, with each number
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice, product
from pathlib import Path

from rich.console import Console
from rich.table import Table

WORKERS = (1, 2, 4)
#: The claims of a sweep: text with a place for a number. Most need one enclosure, as most rows of a table do, so that
#: what the workers cost is a part of what is measured; one in ten has to be searched for.
SHAPES = (
    "exp({a}*x) >= 1",
    "{a}*x*tanh(x/2) >= 0",
    "log(1 + {a}*x^2) >= 0",
    "cosh({a}*x) > 1/2",
    "x^2 + {a}*x + {a} > 0",
    "sqrt(x + {a}) > 0",
    "exp(-{a}*x) <= 1",
    "1/(x + {a}) <= 1/{a}",
    "{a}/(1 + x^2) > 0",
    "({a}+1)*x^2 >= {a}*x^2 + x - 1/4",
)


def sweep(count: int) -> str:
    """A file of problems, each claim with a number of its own."""
    numbers = (f"{n}/{d}" for d in range(1, 200) for n in range(1, 200))
    rows = ((shape, number) for number, shape in product(numbers, SHAPES))
    claims = (shape.format(a=f"({number})") for shape, number in islice(rows, count))
    return "\n".join(f'[[problem]]\nname = "sweep-{i}"\nclaim = "{claim}"\nwhere = ["x >= 0"]\n'
                     for i, claim in enumerate(claims))


@contextlib.contextmanager
def cluster(workers: int) -> Iterator[list[str]]:
    """The option that names a cluster of so many worker processes, which ends with this."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "scheduler.json"
        quiet = {**os.environ, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error"}
        here = {"env": quiet, "stderr": subprocess.DEVNULL}
        dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard",
                "--host", "127.0.0.1", "--scheduler-file", str(place)]
        started = [subprocess.Popen(dask, **here)]  # type: ignore[call-overload]
        try:
            for _ in range(300):
                if place.exists() and place.read_text(encoding="utf-8").strip():
                    break
                time.sleep(0.1)
            address = json.loads(place.read_text(encoding="utf-8"))["address"]
            worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny",
                      "--no-dashboard", "--local-directory", folder]
            started += [subprocess.Popen(worker, **here) for _ in range(workers)]  # type: ignore[call-overload]
            time.sleep(5)
            yield ["--executor", address.replace("tcp://", "dask://")]
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait()


def timed(words: Sequence[str]) -> tuple[float, dict[str, int]]:
    """Seconds of the wall, and how many claims got which verdict."""
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "symdp", *words, "--format", "json"], capture_output=True, text=True,
                          check=False)
    seconds = time.perf_counter() - begun
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.strip() or f"symdp ended with {done.returncode}")
    return seconds, json.loads(done.stdout)["summary"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--audit", nargs="*", metavar="ID", help="in place of a sweep, the audit of these, or of all")
    parser.add_argument("--dask", action="store_true", help="on a cluster of this machine")
    parser.add_argument("--workers", type=int, nargs="+", default=list(WORKERS))
    options = parser.parse_args(arguments)
    console, cores = Console(), os.cpu_count() or 1
    what = f"a sweep of {options.claims:,} claims" if options.audit is None else "the audit from nothing"
    table = Table("workers", "seconds", "efficiency", "verdicts",
                  title=f"{what}, {'dask' if options.dask else 'processes'}, {cores} cores")
    first, same = None, set()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sweep.toml"
        file.write_text(sweep(options.claims), encoding="utf-8")
        for number in options.workers:
            words = ["check", "--file", str(file)] if options.audit is None else ["audit", *options.audit, "--fresh"]
            with cluster(number) if options.dask else contextlib.nullcontext(["--jobs", str(number)]) as where:
                seconds, summary = timed([*words, *where])
            first = first or seconds * number
            same.add(json.dumps({k: v for k, v in summary.items() if isinstance(v, int)}, sort_keys=True))
            table.add_row(str(number), f"{seconds:.1f}", f"{first / seconds / min(number, cores):.0%}",
                          ", ".join(f"{v} {k}" for k, v in summary.items() if isinstance(v, int) and v))
    console.print(table)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    console.print(f"largest process: {largest:.2f} GB; verdicts {'are the same' if len(same) == 1 else 'DIFFER'}")
    return int(len(same) > 1)


if __name__ == "__main__":
    sys.exit(main())
