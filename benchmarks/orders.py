"""The order relations of the sources, settled one after the other, the slow ones included.

    python benchmarks/orders.py [--budget 60]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

from order_claims import CLAIMS, SLOW

from symdp.arguments.orders.decision import order_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=float, default=60)
    arguments = parser.parse_args()
    as_expected = 0
    for name, left, order, right, regime, where, expected in [*CLAIMS, *SLOW]:
        whole = ["k"] if any("k >" in w for w in where) else []
        found = order_of(left, order, right, regime, where=where, integer=whole,
                         budget=arguments.budget)
        as_expected += found.status.value == expected
        print(f"{found.status.value:10} {found.seconds:6.1f} s  {name}: {found.method}", flush=True)
    print(f"{as_expected} of {len(CLAIMS) + len(SLOW)} as expected")


if __name__ == "__main__":
    main()
