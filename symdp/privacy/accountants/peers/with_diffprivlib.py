"""Ask diffprivlib: what its BudgetAccountant says that mechanisms known by their epsilon cost together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

DISTRIBUTION = "diffprivlib"
#: It keeps a list of all queries.
MOST = 100_000


def prepare() -> None:
    import_module("diffprivlib")


def ways(case: dict[str, Any]) -> Iterator[tuple[str, str, Callable[[], float]]]:
    parts, delta = case["parts"], float(case["delta"])
    # With a delta of their own the total would be more than the slack.
    if any(part["kind"] != "private" or float(part["delta"]) for part in parts):
        return
    if sum(int(part["count"]) for part in parts) > MOST:
        return

    def call() -> float:
        spent = [(float(p["epsilon"]), float(p["delta"])) for p in parts for _ in range(int(p["count"]))]
        made = import_module("diffprivlib").BudgetAccountant(float("inf"), 1.0, slack=delta, spent_budget=spent)
        return float(made.total()[0])

    shown = " + ".join(f"[({p['epsilon']}, {p['delta']})] * {p['count']}" for p in parts)
    yield "slack = delta", f"BudgetAccountant(inf, 1.0, slack={delta!r}, spent_budget={shown}).total()[0]", call
