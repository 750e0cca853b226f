"""Ask prv-accountant for its upper bound, with an error of 0.1 and of a thousandth of delta."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

DISTRIBUTION = "prv-accountant"
ERROR = 0.1
MECHANISMS = {"laplace": "LaplaceMechanism(mu={inverse})", "gaussian": "GaussianMechanism({deviation})",
              "subsampled-gaussian": "PoissonSubsampledGaussianMechanism({rate}, {deviation})",
              "private": "PureDPMechanism({epsilon})"}


def prepare() -> None:
    import_module("prv_accountant")


def ways(case: dict[str, Any]) -> Iterator[tuple[str, str, Callable[[], float]]]:
    parts, delta = case["parts"], float(case["delta"])
    if any(part["kind"] not in MECHANISMS or float(part.get("delta", 0)) for part in parts):
        return
    made = [MECHANISMS[part["kind"]].format(**part, inverse=1 / float(part.get("scale", 1))) for part in parts]
    counts = [int(part["count"]) for part in parts]
    text = (f"PRVAccountant(prvs=[{', '.join(made)}], max_self_compositions={counts}, eps_error={ERROR}, "
            f"delta_error={delta / 1000!r}).compute_epsilon({delta!r}, {counts})[2]")

    def call() -> float:
        library = import_module("prv_accountant")
        known = vars(import_module("prv_accountant.privacy_random_variables"))
        prvs = [eval(one, dict(known)) for one in made]
        accountant = library.PRVAccountant(prvs=prvs, max_self_compositions=counts, eps_error=ERROR,
                                           delta_error=delta / 1000)
        return float(accountant.compute_epsilon(delta, counts)[2])

    yield "upper bound", text, call
