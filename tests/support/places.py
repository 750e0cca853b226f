"""Where things lie that tests look at, whatever folder the test is in."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
BENCHMARKS = ROOT / "benchmarks"
#: beside the checkout, where there is one: the catalogue of claims and the practice problems
SHARED = ROOT.parent / "shared"
