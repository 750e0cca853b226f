"""Ask OpenDP: measurements composed, through concentrated privacy, and plainly added where that is pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

DISTRIBUTION = "opendp"
#: It is told about every measurement.
MOST = 20_000
MECHANISMS = {"laplace": ("make_laplace", "scale"), "gaussian": ("make_gaussian", "deviation"),
              "discrete-gaussian": ("make_gaussian", "deviation"), "discrete-laplace": ("make_laplace", "scale")}


def prepare() -> None:
    import_module("opendp.prelude")


def ways(case: dict[str, Any]) -> Iterator[tuple[str, str, Callable[[], float]]]:
    parts, delta = case["parts"], float(case["delta"])
    if any(part["kind"] not in MECHANISMS for part in parts) or sum(int(p["count"]) for p in parts) > MOST:
        return
    pure = all("laplace" in part["kind"] for part in parts)

    def made(concentrated: bool) -> Any:
        dp = import_module("opendp.prelude")
        dp.enable_features("contrib")
        several = []
        for part in parts:
            name, number = MECHANISMS[part["kind"]]
            whole = part["kind"].startswith("discrete")
            space = ((dp.atom_domain(T=int), dp.absolute_distance(T=float)) if whole else
                     (dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)))
            one = getattr(dp.m, name)(*space, scale=float(part[number]))
            if concentrated and "laplace" in part["kind"]:
                one = dp.c.make_pureDP_to_zCDP(one)
            several += [one] * int(part["count"])
        return dp.c, dp.c.make_composition(several)

    def through_zcdp() -> float:
        combinators, composed = made(True)
        return float(combinators.make_zCDP_to_approxDP(composed).map(1.0).epsilon(delta))

    shown = " + ".join(f"[{MECHANISMS[p['kind']][0]}(*space, scale={p[MECHANISMS[p['kind']][1]]}"
                       f"{') >> make_pureDP_to_zCDP' if 'laplace' in p['kind'] else ')'}] * {p['count']}"
                       for p in parts)
    yield "zCDP", f"make_zCDP_to_approxDP(make_composition({shown})).map(1.0).epsilon({delta!r})", through_zcdp
    if pure:
        plain = shown.replace(") >> make_pureDP_to_zCDP", ")")
        yield "added", f"make_composition({plain}).map(1.0)", lambda: float(made(False)[1].map(1.0))
