r"""A protocol as a table: the probability of each transcript for each input, and its privacy (15).

>>> coin = Protocol.of(1, {"heads": ["3/4", "1/4"], "tails": ["1/4", "3/4"]})
>>> coin.delta(party=0, ratio=3), coin.delta(party=0, ratio=2)
(Fraction(0, 1), Fraction(1, 4))
>>> print(coin.breaches([("log(2)", "1/10")])[0])
party 1 with the other bits (): the transcripts ('heads',) have probability 3/4 for bit 0,
which exceeds e^epsilon 1/4 + delta by 3/20
>>> Protocol.of(1, {"heads": ["3/4", "1/4"], "tails": ["1/4", "1/4"]})
Traceback (most recent call last):
...
symdp.numbers.quantity.BadQuantity: the transcripts have probability 1/2 in total for the input (1,),
not 1
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symdp.formulas.printing import to_text
from symdp.numbers import exact
from symdp.numbers.exact import Number, number
from symdp.numbers.quantity import BadQuantity, Quantity, count, quantity
from symdp.privacy.multiparty.functions import Bits, inputs, position
from symdp.privacy.multiparty.parties import Parties, parties

#: Tables with more entries than that are refused, with the size that they would have.
MOST_ENTRIES = 1 << 21
#: An exact number takes about so many bytes.
BYTES_PER_ENTRY = 100


@dataclass(frozen=True)
class Breach:
    """A violation of (15): a party, the bits of the others, and the transcripts that tell."""

    party: int
    #: the input for which the transcripts are too likely
    x: Bits
    transcripts: tuple[Hashable, ...]
    likely: Number
    unlikely: Number
    #: by how much the condition fails
    excess: Number

    def __str__(self) -> str:
        others = self.x[: self.party] + self.x[self.party + 1:]
        shown = self.transcripts if len(self.transcripts) <= 4 else (*self.transcripts[:4], "...")
        return (f"party {self.party + 1} with the other bits {others}: the transcripts {shown} have "
                f"probability {_text(self.likely)} for bit {self.x[self.party]}, which exceeds "
                f"e^epsilon {_text(self.unlikely)} + delta by {_text(self.excess)}")


@dataclass(frozen=True)
class Protocol:
    """``columns[j][x]`` is the probability of transcript j when the input is the x-th."""

    k: int
    transcripts: tuple[Hashable, ...]
    columns: tuple[tuple[Number, ...], ...]

    def __post_init__(self) -> None:
        size = 2 ** count(self.k)
        if len(self.transcripts) != len(self.columns) or not self.columns:
            raise BadQuantity(f"there are {len(self.transcripts)} transcripts and "
                              f"{len(self.columns)} columns of probabilities")
        if len(set(self.transcripts)) != len(self.transcripts):
            raise BadQuantity("two transcripts have the same name")
        for name, column in zip(self.transcripts, self.columns, strict=True):
            if len(column) != size:
                raise BadQuantity(f"transcript {name!r} needs a probability for each of the "
                                  f"{size} inputs, not {len(column)}")
            signs = [exact.sign(entry) for entry in column]
            if min(signs) < 0:
                x = signs.index(-1)
                raise BadQuantity(f"transcript {name!r} has the negative probability "
                                  f"{_text(column[x])} for the input {_input(x, self.k)}")
            if max(signs) == 0:
                raise BadQuantity(f"transcript {name!r} has probability zero for every input; leave it out")
        for x in range(size):
            whole = sum((column[x] for column in self.columns), Fraction(0))
            if exact.sign(whole - 1) != 0:
                raise BadQuantity(f"the transcripts have probability {_text(whole)} in total for the "
                                  f"input {_input(x, self.k)}, not 1")

    @classmethod
    def of(cls, k: int, columns: Mapping[Any, Sequence[Quantity | Number]]) -> Protocol:
        """From numbers as a person writes them: transcript -> its probability for each input."""
        read = tuple(tuple(_read(v, f"P[{x}, {name}]") for x, v in enumerate(column))
                     for name, column in columns.items())
        return cls(k, tuple(columns), read)

    @property
    def is_rational(self) -> bool:
        return all(isinstance(entry, Fraction) for column in self.columns for entry in column)

    def probability(self, transcript: Hashable, x: Sequence[int]) -> Number:
        return self.columns[self.transcripts.index(transcript)][position(tuple(x))]

    # --- condition (15) ---

    def delta(self, party: int, ratio: Number) -> Number:
        """The smallest delta for which (15) holds for the party with e^epsilon = ratio."""
        worst: Number = Fraction(0)
        for x in range(2**self.k):
            spent = self._spent(party, ratio, x)
            if exact.sign(spent - worst) > 0:
                worst = spent
        return worst

    def breaches(self, levels: Parties) -> list[Breach]:
        """Where the protocol is less private than the levels ask for; empty if it is as private."""
        found = []
        for i, party in enumerate(parties(levels, self.k)):
            for x in range(2**self.k):
                excess = self._spent(i, party.ratio, x) - party.given_away
                if exact.sign(excess) > 0:
                    found.append(self._breach(i, party.ratio, x, excess))
        return found

    def is_private(self, levels: Parties) -> bool:
        """Whether (15) holds for every party."""
        return not self.breaches(levels)

    def _spent(self, party: int, ratio: Number, x: int) -> Number:
        other = x ^ (1 << (self.k - 1 - party))
        gaps = (column[x] - ratio * column[other] for column in self.columns)
        return sum((gap for gap in gaps if exact.sign(gap) > 0), Fraction(0))

    def _breach(self, party: int, ratio: Number, x: int, excess: Number) -> Breach:
        other = x ^ (1 << (self.k - 1 - party))
        tell = [j for j, column in enumerate(self.columns)
                if exact.sign(column[x] - ratio * column[other]) > 0]
        likely, unlikely = (sum((self.columns[j][row] for j in tell), Fraction(0))
                            for row in (x, other))
        return Breach(party, _input(x, self.k), tuple(self.transcripts[j] for j in tell),
                      likely, unlikely, excess)

    # --- condition of interaction ---

    def factorises(self) -> bool:
        r"""Whether each column is a product $\prod_i g_i(\tau, x_i)$, as for every real protocol.

        >>> Protocol.of(2, {0: [1, 0, 0, 1], 1: [0, 1, 1, 0]}).factorises()
        False
        """
        for column in self.columns:
            for x, y in itertools.combinations(range(2**self.k), 2):
                for i in range(self.k):
                    bit = 1 << i
                    if (x ^ y) & bit and exact.sign(
                            column[x] * column[y] - column[x ^ bit] * column[y ^ bit]) != 0:
                        return False
        return True


def refuse_if_large(k: int, transcripts: int, what: str) -> None:
    """Tables that would not fit are refused before they are begun.

    >>> refuse_if_large(12, 4**12, "randomised response of 12 parties")
    Traceback (most recent call last):
    ...
    symdp.numbers.quantity.BadQuantity: randomised response of 12 parties needs 2^12 x 16777216 =
    68719476736 probabilities, about 6553600 MiB; at most 2097152 are allowed
    """
    entries = 2**k * transcripts
    if entries > MOST_ENTRIES:
        raise BadQuantity(f"{what} needs 2^{k} x {transcripts} = {entries} probabilities, about "
                          f"{entries * BYTES_PER_ENTRY >> 20} MiB; at most {MOST_ENTRIES} are allowed")


def randomised_response(levels: Parties) -> Protocol:
    """Each party broadcasts its symbol (16), whatever the others say; symbols that cannot occur
    are left out.

    >>> both = randomised_response([("log(2)", 0), (0, "1/2")])
    >>> both.transcripts
    ((1, 0), (1, 1), (1, 3), (2, 0), (2, 1), (2, 3))
    >>> both.is_private([("log(2)", 0), (0, "1/2")]), both.factorises()
    (True, True)
    """
    read = parties(levels)
    k = len(read)
    alphabets = [symbols_of(party.symbols) for party in read]
    size = 1
    for alphabet in alphabets:
        size *= len(alphabet)
    refuse_if_large(k, size, f"randomised response of {k} parties")
    transcripts, columns = [], []
    for chosen in itertools.product(*(alphabet.items() for alphabet in alphabets)):
        transcripts.append(tuple(symbol for symbol, _ in chosen))
        columns.append(product_column([pair for _, pair in chosen]))
    return Protocol(k, tuple(transcripts), tuple(columns))


def symbols_of(pairs: Sequence[tuple[Number, Number]]) -> dict[int, tuple[Number, Number]]:
    """The symbols that occur; two that tell the same (1 and 2 if epsilon = 0) are one."""
    kept: dict[int, tuple[Number, Number]] = {}
    for symbol, (a, b) in enumerate(pairs):
        if exact.sign(a + b) == 0:
            continue
        if symbol == 2 and 1 in kept and exact.sign(a - b) == 0:
            c, d = kept[1]
            kept[1] = a + c, b + d
        else:
            kept[symbol] = a, b
    return kept


def product_column(pairs: Sequence[tuple[Number, Number]]) -> tuple[Number, ...]:
    """The products over the parties, one for each input."""
    column: list[Number] = [Fraction(1)]
    for a, b in pairs:
        column = [value * factor for value in column for factor in (a, b)]
    return tuple(column)


def _read(value: Any, name: str) -> Number:
    if isinstance(value, Fraction | exact.Exponential):
        return value
    return number(quantity(value, name))


def _input(row: int, k: int) -> Bits:
    return next(itertools.islice(inputs(k), row, None))


def _text(value: Number) -> str:
    return to_text(exact.expression(value))
