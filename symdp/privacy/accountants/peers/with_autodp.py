"""Ask autodp: Renyi divergences, composed and converted; and characteristic functions, where it has them.

Its Fourier accountant is called as its own example does, ``ComposeAFA()(mechanisms, counts).get_approxDP(delta)``. In
that call ``minimize_scalar`` gets a bracket and the bounds [0, 1] of e^epsilon; a SciPy that heeds the bounds (seen
with 1.17) then returns an epsilon below zero. Its delta for an epsilon does not go that way: it is asked for that as
well, and the smallest epsilon whose delta is enough is looked for here.
"""

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

#: Where the search for epsilon ends.
LARGEST, HALVINGS = 1e6, 40


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
        if way == "Fourier":
            text = f"bisection of {composed}()([{', '.join(made)}], {counts}).get_approx_delta(epsilon) <= {delta!r}"
            yield "Fourier, by its delta", text, partial(searched, composed, made, counts, delta)


def asked(composed: str, made: list[str], counts: list[int], delta: float) -> float:
    return float(composition(composed, made, counts).get_approxDP(delta))


def searched(composed: str, made: list[str], counts: list[int], delta: float) -> float:
    """The smallest epsilon at which its delta is enough, by halving."""
    delta_at = composition(composed, made, counts).get_approx_delta
    low, high = 0.0, 1.0
    while not delta_at(high) <= delta:
        low, high = high, 2 * high
        if high > LARGEST:
            return float("inf")
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_at(middle) <= delta else (middle, high)
    return high


def composition(composed: str, made: list[str], counts: list[int]) -> Any:
    transformers = vars(import_module("autodp.transformer_zoo"))
    known = {**transformers, **vars(import_module("autodp.mechanism_zoo"))}
    return transformers[composed]()([eval(one, known) for one in made], counts)
