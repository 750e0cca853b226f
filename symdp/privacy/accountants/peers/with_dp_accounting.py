"""Ask dp-accounting: its privacy loss distributions, and its Renyi accountant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

DISTRIBUTION = "dp-accounting"
MODULE = "dp_accounting"
#: Its own names for what a part of a case is.
EVENTS = {"laplace": "LaplaceDpEvent({scale})", "gaussian": "GaussianDpEvent({deviation})",
          "subsampled-gaussian": "PoissonSampledDpEvent({rate}, GaussianDpEvent({deviation}))"}
#: Of integer noise it has distributions, and no events.
WHOLE = {"discrete-gaussian": "from_discrete_gaussian_mechanism",
         "discrete-laplace": "from_discrete_laplace_mechanism"}
#: Renyi divergences of Laplace noise are there, those of randomised responses are not.
ACCOUNTANTS = {"PLD": "pld.PLDAccountant()", "RDP": "rdp.RdpAccountant()"}


def ways(case: dict[str, Any]) -> Iterator[tuple[str, str, Callable[[], float]]]:
    parts, delta = case["parts"], float(case["delta"])
    if all(part["kind"] in EVENTS for part in parts):
        for name, made in ACCOUNTANTS.items():
            events = [(EVENTS[part["kind"]].format(**part), int(part["count"])) for part in parts]
            composed = "".join(f".compose({event}, {count})" for event, count in events)
            yield name, f"{made}{composed}.get_epsilon({delta!r})", partial(by_events, name, events, delta)
    elif all(part["kind"] in WHOLE for part in parts):
        text = " composed with ".join(f"{WHOLE[p['kind']]}({_size(p)!r}).self_compose({p['count']})" for p in parts)
        yield "PLD", f"{text}; get_epsilon_for_delta({delta!r})", partial(by_discrete_pld, parts, delta)
    elif all(part["kind"] == "private" for part in parts):
        plds = [f"from_privacy_parameters(DifferentialPrivacyParameters({p['epsilon']}, {p['delta']}))"
                f".self_compose({p['count']})" for p in parts]
        text = f"{' composed with '.join(plds)}; get_epsilon_for_delta({delta!r})"
        yield "PLD", text, partial(by_pld, parts, delta)


def prepare() -> None:
    import_module(f"{MODULE}.pld")
    import_module(f"{MODULE}.rdp")


def _size(part: dict[str, Any]) -> float:
    """The deviation of discrete Gaussian noise, or how fast discrete Laplace noise falls."""
    return float(part["deviation"]) if "deviation" in part else 1 / float(part["scale"])


def by_events(name: str, events: list[tuple[str, int]], delta: float) -> float:
    library = import_module(MODULE)
    accountant = (import_module(f"{MODULE}.pld").PLDAccountant() if name == "PLD"
                  else import_module(f"{MODULE}.rdp").RdpAccountant())
    for text, count in events:
        accountant.compose(_event(library, text), count)
    return float(accountant.get_epsilon(delta))


def _event(library: Any, text: str) -> Any:
    """From the text that is shown, so that what is shown is what was run."""
    return eval(text, {name: getattr(library, name) for name in dir(library) if name.endswith("Event")})


def by_pld(parts: list[dict[str, Any]], delta: float) -> float:
    made = import_module(f"{MODULE}.pld.privacy_loss_distribution")
    shared = import_module(f"{MODULE}.pld.common")
    total = None
    for part in parts:
        one = made.from_privacy_parameters(
            shared.DifferentialPrivacyParameters(float(part["epsilon"]), float(part["delta"])))
        several = one.self_compose(int(part["count"]))
        total = several if total is None else total.compose(several)
    return float(total.get_epsilon_for_delta(delta)) if total is not None else 0.0


def by_discrete_pld(parts: list[dict[str, Any]], delta: float) -> float:
    made = import_module(f"{MODULE}.pld.privacy_loss_distribution")
    total = None
    for part in parts:
        several = getattr(made, WHOLE[part["kind"]])(_size(part)).self_compose(int(part["count"]))
        total = several if total is None else total.compose(several)
    return float(total.get_epsilon_for_delta(delta)) if total is not None else 0.0
