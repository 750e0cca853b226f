"""Ask autodp: Renyi divergences, composed and converted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

DISTRIBUTION = "autodp"
MECHANISMS = {"laplace": "LaplaceMechanism(b={scale})", "gaussian": "GaussianMechanism(sigma={deviation})"}


def ways(case: dict[str, Any]) -> Iterator[tuple[str, str, Callable[[], float]]]:
    parts, delta = case["parts"], float(case["delta"])
    if any(part["kind"] not in MECHANISMS for part in parts):
        return
    made = [MECHANISMS[part["kind"]].format(**part) for part in parts]
    counts = [int(part["count"]) for part in parts]

    def call() -> float:
        known = dict(vars(import_module("autodp.mechanism_zoo")))
        compose = import_module("autodp.transformer_zoo").Composition()
        return float(compose([eval(one, known) for one in made], counts).get_approxDP(delta))

    yield "Renyi", f"Composition()([{', '.join(made)}], {counts}).get_approxDP({delta!r})", call
