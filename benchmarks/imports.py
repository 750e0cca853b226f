"""What importing costs: `import symdp` against `import sympy`, and the help page.

Run it with `make benchmarks` or `python benchmarks/imports.py`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

REPEATS = 7


def median_seconds(*arguments: str) -> float:
    """The median wall time of a fresh interpreter with these arguments."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    sympy = median_seconds("-c", "import sympy")
    rows = [
        ("import sympy", sympy),
        ("import symdp", median_seconds("-c", "import symdp")),
        ("import symdp, and use it", median_seconds("-c", "import symdp; symdp.check")),
        ("symdp --help", median_seconds("-m", "symdp", "--help")),
        ("symdp list", median_seconds("-m", "symdp", "list")),
    ]
    print(f"median of {REPEATS} runs in fresh interpreters")
    for name, seconds in rows:
        print(f"{name:28} {seconds * 1000:7.0f} ms   {seconds / sympy:5.2f} x sympy")


if __name__ == "__main__":
    main()
