"""Ask riskcal: its accountant for DP-SGD, which stands on the privacy loss distributions of dp-accounting."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

DISTRIBUTION = "riskcal"
KINDS = ("gaussian", "subsampled-gaussian")


def prepare() -> None:
    import_module("riskcal.accountants.ctd")


def ways(case: dict[str, Any]) -> Iterator[tuple[str, str, Callable[[], float]]]:
    parts, delta = case["parts"], float(case["delta"])
    if any(part["kind"] not in KINDS for part in parts):
        return
    history = [(float(p["deviation"]), float(p.get("rate", 1)), int(p["count"])) for p in parts]

    def call() -> float:
        accountant = import_module("riskcal.accountants.ctd").CTDAccountant()
        accountant.history = list(history)
        return float(accountant.get_epsilon(delta=delta))

    yield "CTD", f"a = CTDAccountant(); a.history = {history}; a.get_epsilon(delta={delta!r})", call
