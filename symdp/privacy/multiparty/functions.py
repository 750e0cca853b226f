r"""What the parties want to know: functions of k bits, and how a guess is rewarded.

A function is its truth table, ``values[x]`` with the bits of x read from the first party to the
last; :func:`BitFunction.of` tabulates any rule. A reward (the accuracy measure w of the paper) says what
the guess ``y`` is worth when the truth is ``f(x)``.

>>> AND(2).values, XOR(3)((1, 1, 1)), total(3).range
((0, 0, 0, 1), 1, (0, 1, 2, 3))
>>> BitFunction.of(2, lambda a, b: a <= b, "implies").values
(1, 1, 0, 1)
>>> BitFunction(2, (0, 1, 1))
Traceback (most recent call last):
...
symdp.numbers.quantity.BadQuantity: a function of 2 bits has 4 values, not 3
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symdp.formulas.notation import symbol
from symdp.formulas.parsing import ParseError, parse_expression
from symdp.numbers.quantity import BadQuantity, Quantity, count, quantity

Bits = tuple[int, ...]
#: More parties than that have more inputs than anything here can enumerate.
MOST_PARTIES = 20


def inputs(k: int) -> Iterator[Bits]:
    """The 2^k inputs, in the order of the truth table.

    >>> list(inputs(2))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    return itertools.product((0, 1), repeat=k)


def position(x: Bits) -> int:
    """The row of an input in the truth table."""
    row = 0
    for bit in x:
        row = 2 * row + bit
    return row


@dataclass(frozen=True)
class BitFunction:
    """A function of k bits; its values are integers or names."""

    k: int
    values: tuple[int | str, ...]
    name: str = "f"

    def __post_init__(self) -> None:
        if count(self.k) > MOST_PARTIES:
            raise BadQuantity(f"k must be at most {MOST_PARTIES}, not {self.k}: "
                              f"a truth table has 2^k rows")
        object.__setattr__(self, "values", tuple(self.values))
        if len(self.values) != 2**self.k:
            raise BadQuantity(f"a function of {self.k} bits has {2**self.k} values, "
                              f"not {len(self.values)}")

    @classmethod
    def of(cls, k: int, rule: Callable[..., object], name: str = "f") -> BitFunction:
        """The truth table of a rule that takes k bits."""
        if count(k) > MOST_PARTIES:
            raise BadQuantity(f"k must be at most {MOST_PARTIES}, not {k}: a truth table has 2^k rows")
        try:
            found = [rule(*x) for x in inputs(k)]
        except TypeError as reason:
            raise BadQuantity(f"{name} does not take {k} bits: {reason}") from reason
        return cls(k, tuple(v if isinstance(v, str) else int(v) for v in found), name)  # type: ignore[call-overload]

    @classmethod
    def formula(cls, k: int, text: str, name: str = "f") -> BitFunction:
        """The truth table of a formula in the bits x1, ..., xk.

        >>> BitFunction.formula(2, "x1 + x2 - 2*x1*x2").values
        (0, 1, 1, 0)
        """
        try:
            expr = parse_expression(text)
        except ParseError as reason:
            raise BadQuantity(f"{name}: {reason}") from reason
        bits = [symbol(f"x{i + 1}") for i in range(count(k))]
        for unknown in sorted(expr.free_symbols - set(bits), key=str):
            raise BadQuantity(f"{name}: {unknown} is none of the bits x1 to x{k}")

        def value(*x: int) -> int:
            found = expr.subs(dict(zip(bits, x, strict=True)))
            if not found.is_Integer:
                raise BadQuantity(f"{name} must be an integer at {x}, not {found}")
            return int(found)

        return cls.of(k, value, name)

    def __call__(self, x: Sequence[int]) -> int | str:
        if len(x) != self.k or any(bit not in (0, 1) for bit in x):
            raise BadQuantity(f"{self.name} takes {self.k} bits, not {tuple(x)}")
        return self.values[position(tuple(x))]

    @property
    def range(self) -> tuple[int | str, ...]:
        """The values that occur, each once, in order."""
        return tuple(sorted(set(self.values), key=lambda v: (isinstance(v, str), v)))

    def restricted(self, party: int, bit: int) -> BitFunction:
        """What is left to find out for someone who knows one of the bits.

        >>> AND(3).restricted(0, 1).values
        (0, 0, 0, 1)
        """
        kept = tuple(self.values[position(x)] for x in inputs(self.k) if x[party] == bit)
        return BitFunction(self.k - 1, kept, f"{self.name} with bit {party + 1} = {bit}")


def XOR(k: int) -> BitFunction:  # noqa: N802 - the functions have the names that logicians give them
    return BitFunction.of(k, lambda *x: sum(x) % 2, "XOR")


def AND(k: int) -> BitFunction:  # noqa: N802
    return BitFunction.of(k, lambda *x: min(x), "AND")


def OR(k: int) -> BitFunction:  # noqa: N802
    return BitFunction.of(k, lambda *x: max(x), "OR")


def majority(k: int) -> BitFunction:
    """More ones than zeros."""
    return BitFunction.of(k, lambda *x: 2 * sum(x) > k, "majority")


def total(k: int) -> BitFunction:
    """How many ones."""
    return BitFunction.of(k, lambda *x: sum(x), "sum")


@dataclass(frozen=True)
class Reward:
    """What each guess is worth: ``worth(truth, guess)``, a fraction; ``guesses`` are the choices.

    Without ``guesses``, one may guess the values of the function.
    """

    worth: Callable[[int | str, int | str], Fraction | int]
    guesses: tuple[int | str, ...] | None = None
    name: str = "w"

    @classmethod
    def table(cls, values: dict[tuple[int | str, int | str], Quantity], name: str = "w") -> Reward:
        """From a table (truth, guess) -> worth, with exact numbers.

        >>> w = Reward.table({(0, 0): 1, (0, 1): 0, (1, 0): "1/2", (1, 1): 1})
        >>> w(1, 0)
        Fraction(1, 2)
        """
        read: dict[tuple[int | str, int | str], Fraction] = {}
        for pair, value in values.items():
            number = quantity(value, f"{name}{pair}")
            if not number.is_Rational:
                raise BadQuantity(f"{name}{pair} must be rational, not {number}")
            read[pair] = Fraction(int(number.p), int(number.q))

        def worth(truth: int | str, guess: int | str) -> Fraction:
            if (truth, guess) not in read:
                raise BadQuantity(f"{name} has no value for the truth {truth!r} and the guess {guess!r}")
            return read[truth, guess]

        guesses = tuple(dict.fromkeys(guess for _, guess in read))
        return cls(worth, guesses, name)

    def __call__(self, truth: int | str, guess: int | str) -> Fraction:
        return Fraction(self.worth(truth, guess))

    def choices(self, function: BitFunction) -> tuple[int | str, ...]:
        return function.range if self.guesses is None else self.guesses


def _number(value: int | str) -> int:
    if isinstance(value, str):
        raise BadQuantity(f"{value!r} is not a number; this reward measures a distance")
    return value


#: 1 for the truth, 0 for anything else: accuracy is the probability of being right.
correct = Reward(lambda truth, guess: int(truth == guess), name="correct")
#: minus the squared error, with guesses among the values of the function
squared = Reward(lambda truth, guess: -((_number(truth) - _number(guess)) ** 2), name="squared")
#: minus the absolute error
absolute = Reward(lambda truth, guess: -abs(_number(truth) - _number(guess)), name="absolute")
