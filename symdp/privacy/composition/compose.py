r"""Composition: several mechanisms on the same data, seen as one.

>>> from symdp.privacy.mechanisms.every import Gaussian, Laplace, RandomisedResponse
>>> thirty = compose(RandomisedResponse("0.1", "0.001"), 30)
>>> print(thirty.epsilon(delta="0.05"))
0.8463026344747974061
>>> thirty.epsilon(delta="0.05").theorem
'Theorem 3.3 of Kairouz, Oh and Viswanath'
>>> print(compose([("0.1", "1e-6"), ("0.25", 0), ("0.4", 0, 5)]).delta(epsilon=1))
0.1040237836811942089
>>> print(compose(Gaussian(variance=100), 100).epsilon(delta="1e-6", digits=12))
4.8865541174622
>>> mixed = compose([Gaussian(variance=4), (Laplace.private("0.5"), 4), RandomisedResponse("0.3")])
>>> print(mixed.epsilon(delta="1e-6"))
4.19473969559522001
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import singledispatch
from typing import Any, Protocol

from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity, Quantity, times
from symdp.privacy.composition.composed import DIGITS, Corner
from symdp.privacy.composition.finite import ComposedFinite
from symdp.privacy.composition.heterogeneous import Heterogeneous, Part
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.privacy.composition.mixture import Mixture
from symdp.privacy.lattice.convolution import Advance
from symdp.privacy.mechanisms.finite_laws.randomised_response import RandomisedResponse
from symdp.privacy.pairs.pair import Mechanism


class ComposedAsOne:
    """Mechanisms that together are a single one, as Gaussians are."""

    def __init__(self, single: Mechanism, theorem: str, k: int) -> None:
        self.single, self.theorem, self.k = single, theorem, k

    def delta(self, epsilon: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest delta for which the composition is (epsilon, delta)-private."""
        found = self.single.delta(epsilon, digits=digits)
        return self._named(replace(found, upper=min(found.upper, Decimal(1))))

    def epsilon(self, delta: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest real epsilon >= 0 for which the composition is (epsilon, delta)-private."""
        return self._named(self.single.epsilon(delta, digits=digits))

    def corners(self, digits: int = DIGITS) -> list[Corner]:
        raise BadQuantity(f"the region of {self.single.name} has no corners; ask for one epsilon or one delta")

    def _named(self, found: Enclosure) -> Enclosure:
        return replace(found, theorem=self.theorem)


class Composition(Protocol):
    """What every composition answers."""

    theorem: str

    def delta(self, epsilon: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest delta for which the composition is (epsilon, delta)-private."""

    def epsilon(self, delta: Quantity, digits: int = DIGITS) -> Enclosure:
        """The smallest real epsilon >= 0 for which the composition is (epsilon, delta)-private."""

    def corners(self, digits: int = DIGITS) -> list[Corner]:
        """The guarantees from which all others follow, if they are finitely many."""


@singledispatch
def compose(mechanism: Any, k: int = 1, *, resolution: Quantity | None = None,
            advance: Advance | None = None) -> Composition:
    """The k-fold composition of a mechanism, or the composition of a list of mechanisms.

    mechanism: one mechanism, or a list; in a list, (epsilon, delta) and (epsilon, delta, count) stand for any
    mechanisms that are so private, and (mechanism, count) for several equal ones.
    k: how many times; in a list the count stands with each of them.
    resolution: the lattice to which losses are rounded where there is no exact way.
    advance: told of the progress of a long convolution.

    >>> print(compose([("0.1", "0.001", 30)]).epsilon(delta="0.05", digits=8))
    0.8463026345
    """
    raise BadQuantity(f"there is no composition of {type(mechanism).__name__}")


@compose.register(Mechanism)
def _mechanism(mechanism: Mechanism, k: int = 1, **options: Any) -> Composition:
    """By whichever theorem the mechanism has for it; the most particular one first."""
    many, mechanism = times(k), mechanism.simplified()
    private = mechanism.as_private()
    if private is not None:
        return Homogeneous(*private, many)
    together = _as_one([(mechanism, many)])
    if together is not None:
        return together
    own: Composition | None = mechanism.composed(many, **options)
    if own is not None:
        return own
    pair = mechanism.finite_pair()
    if pair is None:
        return Mixture([(mechanism, many)], **options)
    listed = ComposedFinite(pair, many, **options)
    return listed if listed.is_small or options.get("resolution") is not None else Mixture([(pair, many)], **options)


def _as_one(mechanisms: Sequence[tuple[Mechanism, int]]) -> ComposedAsOne | None:
    kinds = {type(m) for m, _ in mechanisms}
    kind = kinds.pop()
    one = None if kinds else kind.as_one(mechanisms)
    return None if one is None else ComposedAsOne(one, kind.as_one_theorem, sum(n for _, n in mechanisms))


@compose.register(list)
@compose.register(tuple)
def _different(mechanisms: Sequence[Any], k: int = 1, **options: Any) -> Composition:
    if times(k) != 1:
        raise BadQuantity("a list of mechanisms is composed once; give the count with each of them")
    entries = [_entry(m) for m in mechanisms]
    others = [m for m in entries if not isinstance(m, Part)]
    if not others:
        return Heterogeneous([m for m in entries if isinstance(m, Part)], **options)
    if len(entries) == 1:
        return _mechanism(*others[0], **options)
    together = _as_one(others) if len(others) == len(entries) else None
    if together is not None:
        return together
    return Mixture([(RandomisedResponse(m.epsilon, m.delta), m.many) if isinstance(m, Part) else m
                    for m in entries], **options)


def _entry(given: Any) -> Part | tuple[Mechanism, int]:
    """An entry of a list: a part if a randomised response is as bad, else a mechanism and its count."""
    if isinstance(given, Part):
        return given
    together = tuple(given) if isinstance(given, list | tuple) else (given,)
    if together and isinstance(together[0], Mechanism):
        given, *counts = together
        mechanism = given.simplified()
        if len(counts) > 1:
            raise BadQuantity("a mechanism in a list comes alone or as (mechanism, count)")
        many = times(counts[0], "count") if counts else 1
        private = mechanism.as_private()
        if private is None:
            return mechanism, many
        epsilon, delta = private
        return Part.read(epsilon, delta, many)
    if not 1 <= len(together) <= 3:
        raise BadQuantity(f"a mechanism in a list is (epsilon, delta) or (epsilon, delta, count), "
                          f"not {len(together)} numbers")
    return Part.read(*together)
