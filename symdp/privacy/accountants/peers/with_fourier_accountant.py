"""Ask fourier-accountant: subsampled Gaussian noise, with its default truncation and number of points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

DISTRIBUTION = "fourier-accountant"


def prepare() -> None:
    import_module("fourier_accountant")


def ways(case: dict[str, Any]) -> Iterator[tuple[str, str, Callable[[], float]]]:
    parts, delta = case["parts"], float(case["delta"])
    if len(parts) != 1 or parts[0]["kind"] not in ("gaussian", "subsampled-gaussian"):
        return
    part = parts[0]
    rate, deviation, count = float(part.get("rate", 1)), float(part["deviation"]), int(part["count"])

    def call() -> float:
        library = import_module("fourier_accountant")
        return float(library.get_epsilon_R(target_delta=delta, sigma=deviation, q=rate, ncomp=count))

    text = f"get_epsilon_R(target_delta={delta!r}, sigma={deviation}, q={rate}, ncomp={count})"
    yield "add or remove", text, call
