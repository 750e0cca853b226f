r"""The most that can be learned: over every conversation, every factorised table, a trusted curator.

*Conversations.* By :mod:`~symdp.privacy.multiparty.grid` a transcript is a point of a grid, and a
message of party i moves the point along axis i, its mean unchanged. The accuracy less the price of the
privacy that is spent is, on the grid, to be maximised by a walk that moves one coordinate at a time;
the maximum is the smallest function above it that is concave along each axis. Between grid points such
a function is continued by multilinear interpolation, which keeps it concave along each axis, so that
moves off the grid gain nothing: one linear program has the supremum over all conversations, of
whatever length, and its dual solution is that function.

*Factorised tables*, $P(\tau|x) = \prod_i g_i(\tau, x_i)$, are all tables that conversations make and
some that none does; only the mean has to be right. *A curator* sees the bits and publishes anything
that satisfies (15).

*When is randomised response optimal?* Call a party trivial if it says nothing (epsilon = delta = 0) or
everything (delta = 1). For an observer, and for every function and reward at once, exactly if at most
one party is not trivial, or all that are not trivial have delta = 0: then each transcript is a sum of
responses with coefficients >= 0. Otherwise a party i with 0 < delta_i < 1 gains for the AND with
another party j by giving its bit away more often after a message that speaks for x_j = 1, and less often
after the others. A party that knows its own bit is an observer of the others, so that of two parties
each does best with randomised response, whatever delta.

>>> from symdp.privacy.multiparty.functions import XOR
>>> from symdp.privacy.multiparty.parties import alike
>>> two = alike(2, "log(2)", "1/10")
>>> [best(two, XOR(2), among=among).value for among in ("responses", *AMONG)]
[Fraction(29, 50), Fraction(3, 5), Fraction(3, 5), Fraction(7, 10)]
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from flint import arb, fmpq

from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.lp.exact_lp import LinearProgram, ProgramSolution, refuse_if_many
from symdp.privacy.multiparty import accuracy
from symdp.privacy.multiparty.accuracy import check_arity, knowledge
from symdp.privacy.multiparty.functions import BitFunction, Reward, correct, inputs
from symdp.privacy.multiparty.grid import Grid, Point
from symdp.privacy.multiparty.parties import Parties, Party, parties
from symdp.privacy.multiparty.protocol import Protocol, randomised_response

Among = Literal["responses", "conversations", "tables", "curators"]
Measure = Literal["average", "worst"]
#: From the least to the most that is allowed; randomised response comes before all of them.
AMONG: tuple[Among, ...] = ("conversations", "tables", "curators")


@dataclass(frozen=True)
class Optimum:
    """An exact optimum with the linear program and its two solutions; ``verify`` needs no solver."""

    value: Fraction
    among: Among
    program: LinearProgram
    solution: ProgramSolution
    parties: tuple[Party, ...]

    def protocol(self) -> Protocol:
        """The table that reaches the optimum."""
        weights: dict[Any, dict[int, Fraction]] = {}
        k = len(self.parties)
        if self.among == "curators":
            for (kind, *rest), value in ((key, v) for key, v in self.solution.primal.items()
                                         if isinstance(key, tuple)):
                if kind == "publish":
                    weights.setdefault(rest[0], {})[rest[1]] = value
            return Protocol(k, tuple(weights), tuple(
                tuple(column.get(x, Fraction(0)) for x in range(2**k)) for column in weights.values()))
        grid = Grid(self.parties)
        ends = self.ends()
        return Protocol(k, tuple(ends), tuple(
            tuple(2**k * weight * p for p in grid.column(u)) for u, weight in ends.items()))

    def ends(self) -> dict[Point, Fraction]:
        """How likely the conversation ends at each point of the grid, over uniform inputs."""
        return {key[1]: value for key, value in self.solution.primal.items()
                if isinstance(key, tuple) and key[0] == "end"}

    def flows(self) -> dict[tuple[Point, int], Fraction]:
        """How often party i speaks at a point, over uniform inputs."""
        return {key[1:]: value for key, value in self.solution.primal.items()
                if isinstance(key, tuple) and key[0] == "speak"}


@dataclass(frozen=True)
class Bracketed:
    """An optimum for irrational levels, between those for stricter and for laxer rational ones."""

    value: Enclosure
    stricter: Any
    laxer: Any


def best(levels: Parties, function: BitFunction, reward: Reward = correct, *,
         measure: Measure = "average", viewer: int | None = None,
         among: Among = "conversations", digits: int = 12) -> Any:
    """The best accuracy of a viewer; ``among`` says over which protocols.

    An exact :class:`Optimum` (for randomised responses an ``Accuracy``) if each e^epsilon and delta
    is rational. Otherwise it lies between the optima for rational levels just below and above: whoever
    is allowed to say more can do at least as well.

    >>> from symdp.privacy.multiparty.functions import AND
    >>> print(best([(1, "1/100"), (1, "1/100")], AND(2), measure="worst").value)
    0.644665240255
    """
    read = parties(levels)
    check_arity(len(read), function, viewer)
    if measure not in ("average", "worst"):
        raise BadQuantity(f"the measure is average or worst, not {measure!r}")
    if all(party.is_rational for party in read):
        return _exact_best(read, function, reward, measure, viewer, among)
    pairs = [party.bracket(digits) for party in read]
    stricter, laxer = (
        _exact_best(tuple(pair[side] for pair in pairs), function, reward, measure, viewer, among)
        for side in (0, 1))
    value = Enclosure.between(_ball(stricter.value), _ball(laxer.value), digits,
                              f"optimum among {among}")
    return Bracketed(value, stricter, laxer)


def _exact_best(levels: tuple[Party, ...], function: BitFunction, reward: Reward, measure: Measure,
                viewer: int | None, among: Among) -> Any:
    if among == "responses":
        find = accuracy.average if measure == "average" else accuracy.worst_case
        return find(randomised_response(levels), function, reward, viewer)
    if among == "curators":
        program = _curator_program(Grid(levels), function, reward, measure, viewer)
    elif among in ("conversations", "tables"):
        program = grid_program(Grid(levels), function, reward, measure, viewer, among)
    else:
        raise BadQuantity(f"among is one of responses, {', '.join(AMONG)}, not {among!r}")
    solution = program.solve()
    return Optimum(solution.value, among, program, solution, levels)


# --- linear programs on the grid -----------------------------------------------------------------


def grid_program(grid: Grid, function: BitFunction, reward: Reward, measure: Measure,
                 viewer: int | None, among: Among) -> LinearProgram:
    """Conversations, or factorised tables, that end at the points of the grid."""
    program = LinearProgram()
    size = 2**grid.k
    points = len(grid.points)
    rules = 0 if measure == "average" else points * (1 if viewer is None else 2) + size
    refuse_if_many((size if among == "tables" else points) + rules, f"the optimum of {grid.k} parties")
    for i, x, weights in grid.budgets():
        program.at_most(("private", i, x), {("end", u): w for u, w in weights.items()},
                        grid.parties[i].given_away)
    if among == "tables":
        for row, x in enumerate(inputs(grid.k)):
            program.equal(("certain", x), {("end", u): size * column[row]
                                           for u, column in grid.columns.items()}, 1)
    else:
        balance: dict[Point, dict[Any, Fraction]] = {u: {("end", u): Fraction(1)} for u in grid.points}
        for u in grid.points:
            for i, reached in grid.moves(u):
                speak = ("speak", u, i)
                balance[u][speak] = Fraction(1)
                for v, share in reached.items():
                    balance[v][speak] = -share
        start = grid.start()
        for u, row_ in balance.items():
            program.equal(("balance", u), row_, start.get(u, Fraction(0)))
    if measure == "average":
        program.maximise({("end", u): sum((
            max(sum((column[row] * reward(function.values[row], y)
                     for row, x in enumerate(inputs(grid.k)) if viewer is None or x[viewer] == bit),
                    Fraction(0)) for y in reward.choices(function))
            for bit in knowledge(viewer)), Fraction(0)) for u, column in grid.columns.items()})
        return program
    program.free.add("least")
    program.maximise({"least": 1})
    guesses = reward.choices(function)
    for row, x in enumerate(inputs(grid.k)):
        bit = None if viewer is None else x[viewer]
        gains = {("guess", u, bit, y): size * column[row] * reward(function.values[row], y)
                 for u, column in grid.columns.items() for y in guesses}
        program.at_least(("least", x), {**gains, "least": -1}, 0)
    for u in grid.points:
        for bit in knowledge(viewer):
            chosen = {("guess", u, bit, y): 1 for y in guesses}
            program.equal(("rule", u, bit), {**chosen, ("end", u): -1}, 0)
    return program


# --- a trusted curator ---------------------------------------------------------------------------


def _curator_program(grid: Grid, function: BitFunction, reward: Reward, measure: Measure,
                     viewer: int | None) -> LinearProgram:
    """The curator may as well publish the guess itself; for a party, one guess for each bit."""
    program = LinearProgram()
    k, rows = grid.k, list(inputs(grid.k))
    guesses = reward.choices(function)
    answers = 1 if viewer is None else 2
    refuse_if_many(k * 2**k * len(guesses) ** answers, f"the curator of {k} parties")
    messages: list[tuple[Any, ...]] = list(itertools.product(guesses, repeat=answers))

    def gain(row: int, message: tuple[Any, ...]) -> Fraction:
        guess = message[0] if viewer is None else message[rows[row][viewer]]
        return reward(function.values[row], guess)

    for row in range(2**k):
        program.equal(("certain", row), {("publish", m, row): 1 for m in messages}, 1)
        for i, party in enumerate(grid.parties):
            if party.given_away == 1:
                continue
            other = row ^ (1 << (k - 1 - i))
            for m in messages:
                pair: dict[Any, Any] = {("publish", m, row): 1, ("publish", m, other): -party.ratio}
                if party.given_away:
                    pair["excess", m, row, i] = -1
                program.at_most(("private", i, row, m), pair, 0)
            if party.given_away:
                program.at_most(("private", i, row), {("excess", m, row, i): 1 for m in messages},
                                party.given_away)
    if measure == "average":
        program.maximise({("publish", m, row): gain(row, m) / 2**k
                          for m in messages for row in range(2**k)})
        return program
    program.free.add("least")
    program.maximise({"least": 1})
    for row in range(2**k):
        program.at_least(("least", row), {**{("publish", m, row): gain(row, m) for m in messages},
                                          "least": -1}, 0)
    return program


def _ball(value: Fraction) -> Any:
    return arb(fmpq(value.numerator, value.denominator))
