"""Ask Opacus: its accountants by privacy random variables, by Renyi divergences, and by the central limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

DISTRIBUTION = "opacus"
ACCOUNTANTS = {"PRV": "PRVAccountant", "RDP": "RDPAccountant", "GDP": "GaussianAccountant"}
KINDS = ("gaussian", "subsampled-gaussian")


def prepare() -> None:
    import_module("opacus.accountants")


def ways(case: dict[str, Any]) -> Iterator[tuple[str, str, Callable[[], float]]]:
    parts, delta = case["parts"], float(case["delta"])
    if any(part["kind"] not in KINDS for part in parts):
        return
    history = [(float(p["deviation"]), float(p.get("rate", 1)), int(p["count"])) for p in parts]
    for name, kind in ACCOUNTANTS.items():
        if name == "GDP" and len(history) > 1:
            continue  # it takes one kind of steps
        text = f"a = {kind}(); a.history = {history}; a.get_epsilon({delta!r})"
        yield name, text, partial(asked, kind, history, delta)


def asked(kind: str, history: list[tuple[float, float, int]], delta: float) -> float:
    accountant = getattr(import_module("opacus.accountants"), kind)()
    accountant.history = list(history)
    return float(accountant.get_epsilon(delta))
