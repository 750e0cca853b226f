"""Ask autodp: Renyi divergences, composed and converted; and characteristic functions, where it has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

DISTRIBUTION = "autodp"
MECHANISMS = {"laplace": "LaplaceMechanism(b={scale})", "gaussian": "GaussianMechanism(sigma={deviation})",
              "private": "PureDP_Mechanism(eps={epsilon})",
              "discrete-gaussian": "DiscreteGaussianMechanism(sigma={deviation})",
              "subsampled-gaussian": "AmplificationBySampling(PoissonSampling=True)("
                                     "GaussianMechanism(sigma={deviation}), {rate}, improved_bound_flag=True)"}
FOURIER = {"laplace": "LaplaceMechanism(b={scale}, phi_off=False)",
           "gaussian": "GaussianMechanism(sigma={deviation}, phi_off=False)"}


def prepare() -> None:
    import_module("autodp.transformer_zoo")


def ways(case: dict[str, Any]) -> Iterator[tuple[str, str, Callable[[], float]]]:
    parts, delta = case["parts"], float(case["delta"])
    counts = [int(part["count"]) for part in parts]
    for way, kinds, composed in (("Renyi", MECHANISMS, "Composition"), ("Fourier", FOURIER, "ComposeAFA")):
        if any(part["kind"] not in kinds or float(part.get("delta", 0)) for part in parts):
            continue
        made = [kinds[part["kind"]].format(**part) for part in parts]
        text = f"{composed}()([{', '.join(made)}], {counts}).get_approxDP({delta!r})"
        yield way, text, partial(asked, composed, made, counts, delta)


def asked(composed: str, made: list[str], counts: list[int], delta: float) -> float:
    transformers = vars(import_module("autodp.transformer_zoo"))
    known = {**transformers, **vars(import_module("autodp.mechanism_zoo"))}
    return float(transformers[composed]()([eval(one, known) for one in made], counts).get_approxDP(delta))
