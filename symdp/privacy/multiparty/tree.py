r"""A protocol as a conversation: who speaks next depends on what was said.

A node says which party speaks and how likely each message is for either bit; behind a message comes
the next node, or None where the conversation ends. A message that does not depend on the bit is a
public coin.

>>> second = lambda a, b: Speak(1, {"no": (1 - a, 1 - b), "yes": (a, b)})
>>> talk = Speak(0, {"low": ("3/4", "1/4"), "high": ("1/4", "3/4")},
...              {"high": second(Fraction(1, 4), Fraction(3, 4))})
>>> table = talk.protocol(2)
>>> table.transcripts
(('low',), ('high', 'no'), ('high', 'yes'))
>>> table.delta(1, 3), table.factorises(), talk.rounds
(Fraction(0, 1), True, 2)
>>> Speak(0, {"low": ("3/4", "1/4")}).protocol(2)
Traceback (most recent call last):
...
symdp.numbers.quantity.BadQuantity: after (), the messages of party 1 with bit 0 have probability 3/4
in total, not 1
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symdp.formulas.printing import to_text
from symdp.numbers import exact
from symdp.numbers.exact import Number, number
from symdp.numbers.quantity import BadQuantity, Quantity, quantity
from symdp.privacy.multiparty.protocol import Protocol, product_column, refuse_if_large


@dataclass(frozen=True)
class Speak:
    """``messages[m]`` are the probabilities of message m for bit 0 and bit 1 of the party."""

    party: int
    messages: Mapping[Hashable, tuple[Quantity | Number, Quantity | Number]]
    then: Mapping[Hashable, Speak | None] = field(default_factory=dict)

    @property
    def rounds(self) -> int:
        """How many messages there are at most."""
        return 1 + max((node.rounds for node in self.then.values() if node is not None), default=0)

    def protocol(self, k: int) -> Protocol:
        """The table of the conversation; a transcript is the list of its messages.

        Transcripts that never occur are left out.
        """
        leaves = list(self._leaves(k, (), [(Fraction(1), Fraction(1))] * k))
        refuse_if_large(k, len(leaves), "the conversation")
        return Protocol(k, tuple(said for said, _ in leaves),
                        tuple(product_column(pairs) for _, pairs in leaves))

    def _leaves(self, k: int, said: tuple[Hashable, ...],
                pairs: list[tuple[Number, Number]]) -> Iterator[tuple[tuple[Hashable, ...],
                                                                       list[tuple[Number, Number]]]]:
        if not 0 <= self.party < k:
            raise BadQuantity(f"after {said}, party {self.party + 1} speaks, but there are only {k}")
        unknown = set(self.then) - set(self.messages)
        if unknown:
            raise BadQuantity(f"after {said}, there is no message {unknown.pop()!r} to go on from")
        read = {m: tuple(_probability(v, f"after {said}, message {m!r}") for v in pair)
                for m, pair in self.messages.items()}
        for bit in (0, 1):
            whole = sum((pair[bit] for pair in read.values()), Fraction(0))
            if exact.sign(whole - 1) != 0:
                raise BadQuantity(
                    f"after {said}, the messages of party {self.party + 1} with bit {bit} have "
                    f"probability {to_text(exact.expression(whole))} in total, not 1")
        for message, (a, b) in read.items():
            before = pairs[self.party]
            after = before[0] * a, before[1] * b
            if exact.sign(after[0]) == exact.sign(after[1]) == 0:
                continue
            changed = [*pairs[: self.party], after, *pairs[self.party + 1:]]
            node = self.then.get(message)
            if node is None:
                yield (*said, message), changed
            else:
                yield from node._leaves(k, (*said, message), changed)


def _probability(value: Any, name: str) -> Number:
    found = value if isinstance(value, Fraction | exact.Exponential) else number(quantity(value, name))
    if exact.sign(found) < 0:
        raise BadQuantity(f"{name} has the negative probability {to_text(exact.expression(found))}")
    return found
