r"""COMPOSE(A, M, k, b): an adversary who chooses databases, queries and mechanisms, and the exact law of the view.

In each round the adversary, who has coins of its own and has seen all answers so far, requests two databases, a query
and a mechanism; the mechanism answers on the database that the hidden bit selects. A mechanism says its law on a
database and a query, in rational numbers, and is let in if its two laws are $(\varepsilon,\delta)$-private, which
is decided exactly. So is the law of the view, and with it what the adversary gains at every slope; Theorem 3.3 says
the most.

>>> family = Family(exponential=2, delta="1/10")
>>> truth = {0: Fraction(2, 3), 1: Fraction(1, 3)}
>>> def response(database, query):  # tells the bit of the database, or the opposite
...     return truth if database == 0 else {0: truth[1], 1: truth[0]}
>>> def asks(coin, answers):
...     return Request((0, 1), "the bit", response)
>>> gained(asks, family, rounds=2, slope=1), largest_gain(family, rounds=2, slope=1)
(Fraction(1, 3), Fraction(23, 50))
>>> def boasts(coin, answers):
...     return Request((0, 1), "the bit", lambda database, query: {database: 1})
>>> gained(boasts, family, rounds=1, slope=1)
Traceback (most recent call last):
    ...
symdp.privacy.accounting.adaptive_experiment.NotPrivate: round 1: the mechanism needs delta = 1 at e^eps = 2, not 1/10
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, TypeAlias

Law: TypeAlias = Mapping[Any, Fraction | int]
#: A database and a query to the law of the answer.
Answering: TypeAlias = Callable[[Hashable, Hashable], Law]
View: TypeAlias = tuple[Hashable, tuple[Hashable, ...]]


class NotPrivate(ValueError):
    """The adversary asked for a mechanism that is not in the family."""


@dataclass(frozen=True)
class Request:
    """What the adversary wants to see: one of two databases, a query, and by which mechanism."""

    databases: tuple[Hashable, Hashable]
    query: Hashable
    mechanism: Answering


#: The adversary: its own coin and the answers so far, to the next request.
Adversary: TypeAlias = Callable[[Hashable, tuple[Hashable, ...]], Request]
#: A coin that is always the same.
NO_COIN: Mapping[Hashable, Fraction] = {None: Fraction(1)}


@dataclass(frozen=True)
class Family:
    """All mechanisms that are (epsilon, delta)-private, with e^epsilon a rational number."""

    exponential: Fraction
    delta: Fraction

    def __init__(self, exponential: int | str | Fraction, delta: int | str | Fraction = 0) -> None:
        object.__setattr__(self, "exponential", Fraction(exponential))
        object.__setattr__(self, "delta", Fraction(delta))
        if self.exponential < 1 or not 0 <= self.delta <= 1:
            raise ValueError("e^epsilon is at least 1, and delta between 0 and 1")

    def check(self, p: Law, q: Law, number: int) -> None:
        """NotPrivate unless the two laws are private in both directions."""
        for law in (p, q):
            if any(mass < 0 for mass in law.values()) or sum(law.values()) != 1:
                raise NotPrivate(f"round {number}: the masses of a law are not negative, and add up to 1")
        need = max(excess(p, q, self.exponential), excess(q, p, self.exponential))
        if need > self.delta:
            raise NotPrivate(f"round {number}: the mechanism needs delta = {need} at e^eps = {self.exponential}, "
                             f"not {self.delta}")


def excess(p: Law, q: Law, slope: Fraction) -> Fraction:
    """The largest P(S) - slope Q(S) over all sets.

    >>> excess({0: Fraction(2, 3), 1: Fraction(1, 3)}, {0: Fraction(1, 3), 1: Fraction(2, 3)}, Fraction(1))
    Fraction(1, 3)
    """
    return sum((max(Fraction(0), Fraction(mass) - slope * q.get(x, 0)) for x, mass in p.items()), Fraction(0))


def views(adversary: Adversary, family: Family, rounds: int, bit: int,
          coins: Mapping[Hashable, Fraction] = NO_COIN) -> dict[View, Fraction]:
    """The law of the view V^b = (R, Y_1, ..., Y_k), for the hidden bit b."""
    found: dict[View, Fraction] = {(coin, ()): Fraction(mass) for coin, mass in coins.items()}
    for number in range(1, rounds + 1):
        after: dict[View, Fraction] = {}
        for (coin, answers), mass in found.items():
            asked = adversary(coin, answers)
            laws = [asked.mechanism(database, asked.query) for database in asked.databases]
            family.check(laws[0], laws[1], number)
            for answer, chance in laws[bit].items():
                view = (coin, (*answers, answer))
                after[view] = after.get(view, Fraction(0)) + mass * chance
        found = after
    return found


def gained(adversary: Adversary, family: Family, rounds: int, slope: int | str | Fraction,
           coins: Mapping[Hashable, Fraction] = NO_COIN) -> Fraction:
    """The delta that the view needs at that slope, e^epsilon in total: the largest of both directions."""
    first, second = (views(adversary, family, rounds, bit, coins) for bit in (0, 1))
    return max(excess(first, second, Fraction(slope)), excess(second, first, Fraction(slope)))


def largest_gain(family: Family, rounds: int, slope: int | str | Fraction) -> Fraction:
    """The most that any adversary can gain, by Theorem 3.3: what k randomised responses need."""
    t, above = family.exponential, Fraction(slope)
    pure = sum((comb(rounds, j) * max(Fraction(0), t ** (rounds - j) - above * t**j) for j in range(rounds + 1)),
               Fraction(0)) / (1 + t) ** rounds
    return 1 - (1 - family.delta) ** rounds * (1 - pure)
