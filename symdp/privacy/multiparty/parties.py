r"""Parties: one bit each, and how well it must be hidden.

>>> party = Party("log(2)", "1/10")
>>> party.ratio, party.given_away
(Fraction(2, 1), Fraction(1, 10))
>>> Party(1).is_rational, Party(1).bracket(digits=6)
(False, (Party(log(2718281/1000000), 0), Party(log(1359141/500000), 0)))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import sympy
from flint import ctx
from sympy import Expr, Rational

from symdp.formulas.balls import ball
from symdp.numbers import quantity
from symdp.numbers.exact import Number, number
from symdp.numbers.quantity import BadQuantity, Quantity


class Party:
    """Privacy level (epsilon, delta) of one bit."""

    def __init__(self, epsilon: Quantity, delta: Quantity = 0) -> None:
        self.epsilon: Expr = quantity.epsilon(epsilon)
        self.delta: Expr = quantity.probability(delta)
        #: e^epsilon, a fraction where it is rational
        self.ratio: Number = number(sympy.exp(self.epsilon))
        #: delta: how often the bit may be given away
        self.given_away: Number = number(self.delta)

    @property
    def is_rational(self) -> bool:
        """Whether e^epsilon and delta are fractions, so that everything can be computed exactly."""
        return isinstance(self.ratio, Fraction) and isinstance(self.given_away, Fraction)

    def bracket(self, digits: int) -> tuple[Party, Party]:
        """Two parties with rational levels, one stricter and one laxer, about 10^-digits apart."""
        low, high = (_fraction_beside(sympy.exp(self.epsilon), digits, up) for up in (False, True))
        least, most = (_fraction_beside(self.delta, digits, up) for up in (False, True))
        return (Party(sympy.log(max(low, Rational(1))), max(least, Rational(0))),
                Party(sympy.log(high), min(most, Rational(1))))

    @property
    def symbols(self) -> tuple[tuple[Number, Number], ...]:
        """The two probabilities, for bit 0 and bit 1, of each symbol of randomised response (16).

        >>> Party("log(2)", "1/10").symbols
        ((Fraction(1, 10), Fraction(0, 1)), (Fraction(3, 5), Fraction(3, 10)),
         (Fraction(3, 10), Fraction(3, 5)), (Fraction(0, 1), Fraction(1, 10)))
        """
        none, rest = Fraction(0), (1 - self.given_away)
        likely, unlikely = rest * self.ratio / (1 + self.ratio), rest / (1 + self.ratio)
        return ((self.given_away, none), (likely, unlikely), (unlikely, likely),
                (none, self.given_away))

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Party)
                and (self.epsilon, self.delta) == (other.epsilon, other.delta))

    def __hash__(self) -> int:
        return hash((self.epsilon, self.delta))

    def __repr__(self) -> str:
        return f"Party({self.epsilon}, {self.delta})"


#: Parties, or pairs (epsilon, delta) of them.
Parties: TypeAlias = Sequence[Party | tuple[Quantity, Quantity]]


def parties(given: Parties | Iterable[Any], k: int | None = None) -> tuple[Party, ...]:
    """Read a list of parties.

    >>> parties([("log(3)", 0), (1, "1/100")], k=2)
    (Party(log(3), 0), Party(1, 1/100))
    >>> parties([("log(3)", 0)], k=2)
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: there are 2 parties, but 1 privacy level
    """
    read = []
    for i, one in enumerate(given):
        if isinstance(one, Party):
            read.append(one)
        elif isinstance(one, tuple) and len(one) == 2:
            read.append(Party(*one))
        else:
            raise BadQuantity(f"party {i + 1} must be a pair (epsilon, delta), not {one!r}")
    if k is not None and len(read) != k:
        raise BadQuantity(f"there are {k} parties, but {len(read)} privacy "
                          f"level{'s' if len(read) != 1 else ''}")
    if not read:
        raise BadQuantity("there must be at least one party")
    return tuple(read)


def alike(k: int, epsilon: Quantity, delta: Quantity = 0) -> tuple[Party, ...]:
    """k parties with the same privacy level.

    >>> alike(2, "log(2)")
    (Party(log(2), 0), Party(log(2), 0))
    """
    return (Party(epsilon, delta),) * quantity.count(k)


def _fraction_beside(value: Expr, digits: int, up: bool) -> Rational:
    """A fraction on that side of the number, with about that many digits; itself if rational."""
    if isinstance(value, Rational):
        return value
    with ctx.workprec(int(3.4 * digits) + 64):
        middle = ball(value)
        scaled = middle * 10**digits
        whole = int((scaled.upper().ceil() if up else scaled.lower().floor()).unique_fmpz())
    return Rational(whole, 10**digits)
