r"""Compositions that accountants are asked about: from the usual to tiny deltas, huge counts and mixtures.

A case is what every library can be told: parts of a kind with numbers, each so many times, and a total delta.

>>> [part.kind for part in CASES[0].parts], CASES[0].name
(['private'], 'epsilon = 0.1, k = 100, delta = 1e-6')
>>> print(CASES[0].truth())
4.774567588107986153
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity, quantity
from symdp.privacy.composition.compose import compose
from symdp.privacy.mechanisms.finite_laws.randomised_response import RandomisedResponse
from symdp.privacy.mechanisms.noise.discrete_gaussian import DiscreteGaussian
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.privacy.mechanisms.noise.geometric import Geometric
from symdp.privacy.mechanisms.noise.laplace import Laplace
from symdp.privacy.mechanisms.sampled.subsampled_gaussian import SubsampledGaussian
from symdp.privacy.pairs.pair import Mechanism

#: The digits of the truth, more than a float has.
DIGITS = 17


@dataclass(frozen=True)
class CasePart:
    """So many mechanisms of one kind, as in ``mechanism``; numbers as texts."""

    kind: str
    count: int
    numbers: Mapping[str, str] = field(default_factory=dict)

    def mechanism(self) -> Mechanism:
        """As the mechanism of ours that it is."""
        n = self.numbers
        if self.kind == "private":
            return RandomisedResponse(n["epsilon"], n.get("delta", "0"))
        if self.kind == "laplace":
            return Laplace(n["scale"])
        if self.kind == "gaussian":
            return Gaussian(quantity(n["deviation"], "deviation") ** 2)
        if self.kind == "discrete-gaussian":
            return DiscreteGaussian(quantity(n["deviation"], "deviation") ** 2)
        if self.kind == "discrete-laplace":
            return Geometric(1 / quantity(n["scale"], "scale"))
        if self.kind == "subsampled-gaussian":
            return SubsampledGaussian(quantity(n["deviation"], "deviation") ** 2, n["rate"])
        raise BadQuantity(f"there is no kind of mechanism {self.kind!r} in the cases of accountants")

    def as_json(self) -> dict[str, Any]:
        more = {"delta": "0"} if self.kind == "private" else {}
        return {"kind": self.kind, "count": self.count, **more, **self.numbers}

    def __str__(self) -> str:
        words = ", ".join(f"{name} = {value}" for name, value in self.numbers.items())
        return words if self.kind == "private" else f"{self.kind} {words}"


@dataclass(frozen=True)
class Case:
    """A composition and the delta for which the smallest epsilon is asked."""

    parts: tuple[CasePart, ...]
    delta: str

    @property
    def name(self) -> str:
        parts = " and ".join(f"{part}, k = {_short(part.count)}" for part in self.parts)
        return f"{parts}, delta = {self.delta}"

    def truth(self) -> Enclosure:
        """Between which two numbers the smallest epsilon lies."""
        return compose([(part.mechanism(), part.count) for part in self.parts]).epsilon(self.delta, DIGITS)

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "parts": [part.as_json() for part in self.parts], "delta": self.delta}


def _short(count: int) -> str:
    power = round(math.log10(count))
    return f"10^{power}" if power > 3 and 10**power == count else str(count)


def _private(epsilon: str, count: int, delta: str = "0") -> CasePart:
    return CasePart("private", count, {"epsilon": epsilon} | ({"delta": delta} if delta != "0" else {}))


def _laplace(scale: str, count: int) -> CasePart:
    return CasePart("laplace", count, {"scale": scale})


def _gaussian(deviation: str, count: int) -> CasePart:
    return CasePart("gaussian", count, {"deviation": deviation})


def _sampled(deviation: str, rate: str, count: int) -> CasePart:
    return CasePart("subsampled-gaussian", count, {"deviation": deviation, "rate": rate})


def _whole_gaussian(deviation: str, count: int) -> CasePart:
    return CasePart("discrete-gaussian", count, {"deviation": deviation})


def _whole_laplace(scale: str, count: int) -> CasePart:
    return CasePart("discrete-laplace", count, {"scale": scale})


def _grid() -> Iterator[Case]:
    for parts, deltas in [
        ((_private("0.1", 100),), ("1e-6", "1e-15", "1e-20")),
        ((_private("1", 100),), ("1e-6",)),
        ((_private("0.01", 10**4),), ("1e-10", "1e-30")),
        ((_private("0.001", 10**6),), ("1e-6",)),
        ((_private("0.1", 10, "1e-8"), _private("0.5", 5)), ("1e-6",)),
        ((_laplace("100", 10**4),), ("1e-6", "1e-15", "1e-30")),
        ((_laplace("1000", 10**6),), ("1e-6",)),
        ((_gaussian("100", 10**4),), ("1e-6", "1e-15", "1e-30")),
        ((_gaussian("30000", 10**9),), ("1e-6",)),
        ((_sampled("1", "0.01", 10**4),), ("1e-6", "1e-15", "1e-30")),
        ((_sampled("0.8", "0.001", 10**5),), ("1e-8",)),
        ((_sampled("2", "0.1", 1000),), ("1e-6", "1e-12")),
        ((_laplace("50", 1000), _gaussian("20", 100)), ("1e-6", "1e-15")),
        ((_sampled("1", "0.01", 5000), _gaussian("10", 10)), ("1e-6", "1e-15")),
        ((_sampled("1", "0.01", 1000), _sampled("2", "0.05", 1000)), ("1e-6",)),
        ((_sampled("5", "0.001", 10**6),), ("1e-6", "1e-30")),
        ((_sampled("1", "0.5", 10),), ("1e-6",)),
        ((_gaussian("1", 1),), ("1e-6", "1e-15")),
        ((_gaussian("10", 100),), ("1e-6", "1e-30")),
        ((_laplace("10", 100),), ("1e-6", "1e-15")),
        ((_laplace("1", 10),), ("1e-6",)),
        ((_whole_gaussian("1", 1),), ("1e-6",)),
        ((_whole_gaussian("10", 100),), ("1e-6", "1e-15", "1e-30")),
        ((_whole_laplace("10", 100),), ("1e-6", "1e-15")),
        ((_whole_laplace("100", 10**4), _whole_laplace("50", 1000)), ("1e-6",)),
    ]:
        for delta in deltas:
            yield Case(parts, delta)


#: The grid.
CASES: tuple[Case, ...] = tuple(_grid())
