r"""Exact finite constructions: instances in which a claim can be computed.

A claim that is no formula (a region, a Markov chain, an optimal protocol) names constructions and the
exact arguments for them. A construction computes, in fractions or certified enclosures, whether the claim
holds in that instance, and says what it saw. One instance refutes a claim about all, and proves a claim
that something exists; it proves a claim about all only where the computation itself covers them all.

>>> finding = run(Example("fair-coin", {"sides": 2}))
>>> finding.holds, finding.says
(True, 'the masses of 2 sides add up to 1')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from sympy import Rational

from symdp.sources.example import Example


@dataclass(frozen=True)
class Observation:
    """What a construction saw."""

    holds: bool
    #: one line that a person understands
    says: str
    #: the exact numbers behind it, as text
    exact: Mapping[str, Any] = field(default_factory=dict)
    #: whether all instances are covered, and not this one alone: the letters have no numbers, or the claim is about
    #: this one instance
    covers_all: bool = False
    trust: frozenset[str] = frozenset({"exact arithmetic"})


Construction = Callable[..., Observation]
_found: dict[str, Construction] = {}


def construction(function: Construction) -> Construction:
    """Register a construction under its name, dashes for underscores."""
    name = function.__name__.replace("_", "-")
    if name in _found:
        raise ValueError(f"there are two constructions called {name!r}")
    _found[name] = function
    return function


def names() -> list[str]:
    """All constructions, after every module of this folder and of those in it was read."""
    for module in walk_packages(__path__, f"{__name__}."):
        import_module(module.name)
    return sorted(_found)


def run(example: Example) -> Observation:
    """What the construction that the example names sees at its arguments."""
    if example.construction not in _found and example.construction not in names():
        raise LookupError(f"there is no construction {example.construction!r}")
    return _found[example.construction](**example.arguments)


@construction
def fair_coin(sides: int) -> Observation:
    """The smallest construction there is, for examples."""
    total = sum((Rational(1, sides) for _ in range(sides)), Rational(0))
    return Observation(total == 1, f"the masses of {sides} sides add up to {total}")
