r"""Simple rationals: the witness that a person can check by hand.

>>> from sympy import Rational
>>> simplest_between(Rational(31, 100), Rational(36, 100))
1/3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from sympy import Integer, Rational, floor

T = TypeVar("T")


def simplest_between(low: Rational, high: Rational) -> Rational:
    """The rational with the smallest denominator (then numerator) in [low, high].

    >>> simplest_between(Rational(-1, 2), Rational(1, 2))
    0
    >>> simplest_between(Rational(314, 100), Rational(315, 100))
    22/7
    """
    if low > high:
        raise ValueError(f"{low} is larger than {high}")
    if low <= 0 <= high:
        return Integer(0)
    if high < 0:
        return -simplest_between(-high, -low)
    whole = floor(low)
    if whole == low:
        return whole
    if whole + 1 <= high:
        return whole + 1
    # Both ends share their whole part: go on with the reciprocals of the rests (Stern and Brocot).
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


def diagonal(choices: Sequence[Sequence[T]]) -> Iterator[tuple[T, ...]]:
    """The product of sequences, pairs of early entries first.

    >>> list(diagonal([[0, 1], "ab"]))
    [(0, 'a'), (0, 'b'), (1, 'a'), (1, 'b')]
    >>> len(list(diagonal([range(5), range(4), range(3)])))
    60
    """
    if not choices:
        yield ()
        return
    lengths = [len(c) for c in choices]
    for total in range(sum(lengths) - len(lengths) + 1):
        yield from (
            tuple(c[i] for c, i in zip(choices, places, strict=True))
            for places in _summing_to(total, lengths)
        )


def _summing_to(total: int, lengths: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if len(lengths) == 1:
        if total < lengths[0]:
            yield (total,)
        return
    for first in range(min(total, lengths[0] - 1) + 1):
        for rest in _summing_to(total - first, lengths[1:]):
            yield (first, *rest)
