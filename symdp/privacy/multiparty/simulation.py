r"""Theorem D.1 asked of one protocol: can its transcripts be made from randomised responses?

Either there is a stochastic map from the responses to the transcripts, the same for every input; or
there is a decision problem that the protocol wins more often than randomised response can, whatever
is done with the responses. Both are found in fractions and can be checked by a sum.

>>> from symdp.privacy.multiparty.parties import alike
>>> from symdp.privacy.multiparty.shared_coin import shared_coin
>>> two = alike(2, "log(2)", "1/10")
>>> found = simulate(shared_coin(two).protocol(2), two)
>>> type(found).__name__, found.with_protocol > found.with_responses, found.problems()
('Separation', True, [])

Without delta every conversation can be simulated, by a formula:

>>> from symdp.privacy.multiparty.tree import Speak
>>> answer = Speak(1, {"no": ("2/3", "1/3"), "yes": ("1/3", "2/3")})
>>> talk = Speak(0, {"low": ("2/3", "1/3"), "high": ("1/3", "2/3")}, {"high": answer})
>>> pure = alike(2, "log(2)")
>>> map_of(talk.protocol(2), pure) == simulate(talk.protocol(2), pure).map
True
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.lp.exact_lp import LinearProgram, ProgramSolution
from symdp.privacy.multiparty.parties import Parties, Party, parties
from symdp.privacy.multiparty.protocol import Protocol, randomised_response

ZERO = Fraction(0)
#: (what was responded, transcript) -> probability
Map = dict[tuple[Hashable, Hashable], Fraction]


@dataclass(frozen=True)
class Simulation:
    """A stochastic map that turns randomised responses into the transcripts of the protocol."""

    protocol: Protocol
    responses: Protocol
    map: Map

    def problems(self) -> list[str]:
        """What is wrong with it: nothing, if it is a simulation."""
        wrong = [f"the map has the negative entry {key}" for key, v in self.map.items() if v < 0]
        for response in self.responses.transcripts:
            whole = sum((self.map.get((response, t), ZERO) for t in self.protocol.transcripts), ZERO)
            if whole != 1:
                wrong.append(f"the response {response} goes on with probability {whole}")
        for t, column in zip(self.protocol.transcripts, self.protocol.columns, strict=True):
            for x in range(2**self.protocol.k):
                made = sum((p[x] * self.map.get((r, t), ZERO) for r, p in zip(
                    self.responses.transcripts, self.responses.columns, strict=True)), ZERO)
                if made != column[x]:
                    wrong.append(f"transcript {t} has probability {made}, not {column[x]}")
        return wrong


@dataclass(frozen=True)
class Separation:
    """A decision problem: name a transcript, and get what the table says for the true input."""

    protocol: Protocol
    responses: Protocol
    #: (row of the input, transcript) -> gain
    gains: dict[tuple[int, Hashable], Fraction]
    #: sum of the gains over all inputs for naming the transcript that occurred
    with_protocol: Fraction
    #: the most that any use of the responses gets
    with_responses: Fraction

    def problems(self) -> list[str]:
        """What is wrong with it: nothing, if it shows that there is no simulation."""
        rows, names = range(2**self.protocol.k), self.protocol.transcripts
        mine = sum((self.gains.get((x, t), ZERO) * column[x] for t, column in zip(
            names, self.protocol.columns, strict=True) for x in rows), ZERO)
        theirs = sum((max(sum((self.gains.get((x, t), ZERO) * column[x] for x in rows), ZERO)
                          for t in names) for column in self.responses.columns), ZERO)
        wrong = []
        if (mine, theirs) != (self.with_protocol, self.with_responses):
            wrong.append(f"the protocol gets {mine} and the responses {theirs}")
        if mine <= theirs:
            wrong.append("the protocol does not get more than the responses")
        return wrong


def simulate(protocol: Protocol, levels: Parties) -> Simulation | Separation:
    """The map of Theorem D.1, or the proof that there is none."""
    responses = _responses(protocol, levels)
    rows, names = range(2**protocol.k), protocol.transcripts
    program = LinearProgram()
    program.maximise({(sign, x, t): -1 for sign in ("over", "under") for x in rows for t in names})
    for t, column in zip(names, protocol.columns, strict=True):
        for x in rows:
            made = {("map", r, t): p[x] for r, p in zip(responses.transcripts, responses.columns,
                                                        strict=True)}
            program.equal((x, t), {**made, ("under", x, t): 1, ("over", x, t): -1}, column[x])
    for r in responses.transcripts:
        program.equal(("certain", r), {("map", r, t): 1 for t in names}, 1)
    solution = program.solve()
    if solution.value == 0:
        found = {key[1:]: v for key, v in solution.primal.items() if key[0] == "map"}
        return Simulation(protocol, responses, found)
    return _separation(protocol, responses, solution)


def _separation(protocol: Protocol, responses: Protocol, solution: ProgramSolution) -> Separation:
    rows, names = range(2**protocol.k), protocol.transcripts
    gains = {(x, t): -solution.dual[x, t] for x in rows for t in names if (x, t) in solution.dual}
    mine = sum((gains.get((x, t), ZERO) * column[x]
                for t, column in zip(names, protocol.columns, strict=True) for x in rows), ZERO)
    theirs = sum((max(sum((gains.get((x, t), ZERO) * column[x] for x in rows), ZERO) for t in names)
                  for column in responses.columns), ZERO)
    return Separation(protocol, responses, gains, mine, theirs)


def map_of(protocol: Protocol, levels: Parties) -> Map:
    r"""The simulation in closed form, for parties with delta = 0 and any factorised table.

    A pair of likelihoods $(g(0), g(1))$ whose ratio is at most $r = e^\varepsilon$ either way is
    $\alpha_0 (r, 1) + \alpha_1 (1, r)$ over $1 + r$ with $\alpha_0 = (r g(0) - g(1))/(r - 1) \ge 0$
    and $\alpha_1 = (r g(1) - g(0))/(r-1) \ge 0$. A transcript is a product of such pairs, so it is a
    sum of products, with coefficients $\ge 0$: these are the map. Its rows sum to one because the
    table of responses is invertible. That is Theorem D.1 for delta = 0, for every conversation.
    """
    read = parties(levels, protocol.k)
    for i, party in enumerate(read):
        if party.given_away or party.ratio == 1:
            raise BadQuantity(f"party {i + 1} must have delta = 0 and epsilon > 0, not {party}")
    if not protocol.factorises():
        raise BadQuantity("the table does not factor over the parties, so that it is no conversation")
    responses = _responses(protocol, read)
    found: Map = {}
    for t, column in zip(protocol.transcripts, protocol.columns, strict=True):
        for r in responses.transcripts:
            value = _coefficient(column, r, read)
            if value:
                found[r, t] = value
    return found


def _coefficient(column: tuple[Fraction, ...], response: Any, read: tuple[Party, ...]) -> Fraction:
    """Apply the two functionals above, one party after the other."""
    values = list(column)
    for symbol, party in zip(response, read, strict=True):
        half, r = len(values) // 2, party.ratio
        zero, one = values[:half], values[half:]
        likely, unlikely = (zero, one) if symbol == 1 else (one, zero)
        values = [(r * a - b) / (r - 1) for a, b in zip(likely, unlikely, strict=True)]
    return values[0]


def first_step(protocol: Protocol, levels: Parties) -> tuple[LinearProgram, ProgramSolution]:
    r"""The smallest delta with which the step from (34) to (35) could be made, for two parties.

    (34) gives maps $T_1(\tilde x_1, x_2)$; the step needs (42): for *each* response $\tilde x_1$ the
    output must be $(\varepsilon_2, \delta_2)$-private for $x_2$. Over all maps that satisfy (34), this
    is the least delta for which that holds, as minus the value of a linear program.

    >>> from symdp.privacy.multiparty.parties import alike
    >>> from symdp.privacy.multiparty.shared_coin import shared_coin
    >>> two = alike(2, "log(2)", "1/10")
    >>> program, solution = first_step(shared_coin(two).protocol(2), two)
    >>> -solution.value  # the second party promised 1/10
    Fraction(1, 1)
    """
    if protocol.k != 2:
        raise BadQuantity(f"the first step is examined for two parties, not {protocol.k}")
    first, second = parties(levels, 2)
    responses = randomised_response([first])
    names = protocol.transcripts
    program = LinearProgram()
    program.maximise({"delta": -1})
    for t, column in zip(names, protocol.columns, strict=True):
        for x1 in (0, 1):
            for x2 in (0, 1):
                program.equal(("made", t, x1, x2), {
                    ("map", x2, r, t): p[x1] for r, p in zip(responses.transcripts,
                                                             responses.columns, strict=True)},
                    column[2 * x1 + x2])
    for r in responses.transcripts:
        for x2 in (0, 1):
            for t in names:
                program.at_most(("excess", x2, r, t), {("map", x2, r, t): 1, ("excess", x2, r, t): -1,
                                                       ("map", 1 - x2, r, t): -second.ratio}, 0)
            program.at_most(("private", x2, r), {**{("excess", x2, r, t): 1 for t in names},
                                                 "delta": -1}, 0)
    return program, program.solve()


def _responses(protocol: Protocol, levels: Parties) -> Protocol:
    responses = randomised_response(parties(levels, protocol.k))
    if not (protocol.is_rational and responses.is_rational):
        raise BadQuantity("a simulation is found in fractions only: e^epsilon, delta and the "
                          "probabilities must be rational, such as epsilon = log(2)")
    return responses
