r"""From an optimum to a conversation that reaches it, message by message.

First everyone sends pure randomised response. Then, at each point of the grid, a public coin decides
whether to stop or who speaks next, and the speaker's message moves its coordinate one step up or down.

>>> from symdp.privacy.multiparty import accuracy
>>> from symdp.privacy.multiparty.functions import XOR
>>> from symdp.privacy.multiparty.optimum import best
>>> from symdp.privacy.multiparty.parties import alike
>>> two = alike(2, "log(2)", "1/10")
>>> optimum = best(two, XOR(2))
>>> talk = conversation(optimum)
>>> table = talk.protocol(2)
>>> table.is_private(two), accuracy.average(table, XOR(2)).value == optimum.value
(True, True)
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.lp.exact_lp import LinearProgram
from symdp.privacy.multiparty.grid import Grid, Point
from symdp.privacy.multiparty.optimum import Optimum
from symdp.privacy.multiparty.tree import Speak


class Endless(ValueError):
    """The walk may return to a point: no bounded number of rounds reaches the optimum this way."""


def conversation(optimum: Optimum) -> Speak:
    """A conversation that reaches an optimum among conversations.

    If the walk of the linear program may go in circles, the one with the fewest messages that is as
    good is tried; Endless is raised if that one does as well.
    """
    if optimum.among != "conversations":
        raise BadQuantity(f"an optimum among {optimum.among} need not come from a conversation")
    starts = list(Grid(optimum.parties).start())
    try:
        return _Walk(optimum).opening(0, (), starts)
    except Endless:
        return _Walk(fewest_messages(optimum)).opening(0, (), starts)


def fewest_messages(optimum: Optimum) -> Optimum:
    """The same value, with the smallest mean number of messages."""
    program = optimum.program
    again = LinearProgram(rows=dict(program.rows), free=set(program.free))
    again.at_least("as good", program.objective, optimum.value)
    again.maximise({v: -1 for v in program.variables if isinstance(v, tuple) and v[0] == "speak"})
    return replace(optimum, program=again, solution=again.solve())


#: A move: the speaker, and the places below and above to which its coordinate may go.
Move = tuple[int, int, int]


def moves_of(optimum: Optimum) -> dict[Point, dict[Move, Fraction]]:
    """How often each move is made; steps to and fro along one axis are made one longer step.

    On an axis with places 0 < 1 < 2 < 3, whoever goes from 1 to 0 or 2 and from 2 to 1 or 3 may come
    back; going from 1 to 0 or 3 at once ends at the same places equally often.
    """
    axes = Grid(optimum.parties).axes
    steps = optimum.flows()
    found: dict[Point, dict[Move, Fraction]] = {}
    for (u, i), amount in steps.items():
        here, left = u[i], amount
        if len(axes[i]) == 4:
            inner, outer = (*u[:i], 1, *u[i + 1:]), (*u[:i], 2, *u[i + 1:])
            up, back = _share(axes[i], 0, 1, 2), 1 - _share(axes[i], 1, 2, 3)
            visits = min(steps.get((inner, i), Fraction(0)), steps.get((outer, i), Fraction(0)) / up)
            left -= visits if here == 1 else visits * up
            if visits and here == 1:
                found.setdefault(u, {})[i, 0, 3] = visits * (1 - up * back)
        if left:
            found.setdefault(u, {})[i, here - 1, here + 1] = left
    return found


def _share(axis: tuple[Fraction, ...], low: int, here: int, high: int) -> Fraction:
    """How often the upper place is reached, so that the mean stays."""
    return (axis[here] - axis[low]) / (axis[high] - axis[low])


class _Walk:
    def __init__(self, optimum: Optimum) -> None:
        self.grid = Grid(optimum.parties)
        self.ends = optimum.ends()
        self.moves = moves_of(optimum)
        self.nodes: dict[Point, Speak | None] = {}
        self.above: list[Point] = []

    def opening(self, party: int, said: Point, starts: list[Point]) -> Speak:
        """Party after party sends pure randomised response; the last one leads into the walk."""
        places = sorted({u[party] for u in starts})
        messages: dict[Hashable, tuple[Fraction, Fraction]] = {}
        then: dict[Hashable, Speak | None] = {}
        for place in places:
            s = self.grid.axes[party][place]
            weight = Fraction(2, len(places))
            messages[place] = (weight * (1 - s), weight * s)
            so_far = (*said, place)
            then[place] = (self.node(so_far) if len(so_far) == self.grid.k
                           else self.opening(party + 1, so_far, starts))
        return Speak(party, messages, then)

    def node(self, u: Point) -> Speak | None:
        """What happens at a point; None if the conversation ends there."""
        if u in self.above:
            raise Endless(f"the walk comes back to {u}")
        if u not in self.nodes:
            self.above.append(u)
            self.nodes[u] = self._node(u)
            self.above.pop()
        return self.nodes[u]

    def _node(self, u: Point) -> Speak | None:
        stop, moves = self.ends.get(u, Fraction(0)), self.moves.get(u, {})
        if not moves:
            return None
        if stop == 0 and len(moves) == 1:
            return self._move(u, next(iter(moves)))
        whole = stop + sum(moves.values())
        chances: dict[Hashable, tuple[Fraction, Fraction]] = {
            move: (amount / whole,) * 2 for move, amount in moves.items()}
        if stop:
            chances["stop"] = (stop / whole,) * 2
        return Speak(0, chances, {move: self._move(u, move) for move in moves})  # a public coin

    def _move(self, u: Point, move: Move) -> Speak:
        party, low, high = move
        axis, here = self.grid.axes[party], u[party]
        messages: dict[Hashable, tuple[Fraction, Fraction]] = {}
        then: dict[Hashable, Speak | None] = {}
        up = _share(axis, low, here, high)
        for place, share in ((low, 1 - up), (high, up)):
            s = axis[place]
            messages[place] = (share * (1 - s) / (1 - axis[here]), share * s / axis[here])
            then[place] = self.node((*u[:party], place, *u[party + 1:]))
        return Speak(party, messages, then)
