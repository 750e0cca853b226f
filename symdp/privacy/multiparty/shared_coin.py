r"""The smallest protocol that beats randomised response: a coin that everybody sees.

Toss a public coin. With probability $\delta$ everyone tells the truth; otherwise everyone sends pure
randomised response. For each input each bit is given away with probability $\delta$, as (15) allows; but
the bits are given away *together*, while the responses (16) give each away at its own time. For the
XOR of k bits and an observer the advantage over guessing is, with $t = \tanh(\varepsilon/2)$,

$$ \delta + (1-\delta) t^k \quad\text{instead of}\quad (\delta + (1-\delta) t)^k, $$

which is more, by Jensen's inequality, whenever $0 < \delta < 1$ and $k \ge 2$.

>>> from symdp.privacy.multiparty.functions import XOR
>>> from symdp.privacy.multiparty.parties import alike
>>> found = against_responses(alike(2, "log(2)", "1/10"), XOR(2))
>>> found.with_coin, found.with_responses, found.problems()
(Fraction(3, 5), Fraction(29, 50), [])
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from sympy import Expr, Integer, tanh

from symdp.formulas.notation import delta, eps, k
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.multiparty import accuracy
from symdp.privacy.multiparty.functions import BitFunction, Reward, correct
from symdp.privacy.multiparty.parties import Parties, Party, parties
from symdp.privacy.multiparty.protocol import Protocol, randomised_response
from symdp.privacy.multiparty.tree import Speak

#: The advantage over guessing for XOR, with the coin and without.
advantage_with_coin: Expr = delta + (1 - delta) * tanh(eps / 2) ** k
advantage_with_responses: Expr = (delta + (1 - delta) * tanh(eps / 2)) ** k
#: For two parties, the difference is a square.
gain_of_two: Expr = delta * (1 - delta) * (1 - tanh(eps / 2)) ** Integer(2)


def shared_coin(levels: Parties) -> Speak:
    """The conversation; with different deltas, party i tells the truth if a public number is below
    its delta.

    >>> talk = shared_coin([("log(2)", "1/10"), ("log(3)", "1/4")])
    >>> table = talk.protocol(2)
    >>> table.is_private([("log(2)", "1/10"), ("log(3)", "1/4")]), table.delta(1, 3)
    (True, Fraction(1, 4))
    """
    read = _rational(levels)
    steps = sorted({Fraction(0), Fraction(1), *(party.given_away for party in read)})
    messages: dict[Hashable, tuple[Fraction, Fraction]] = {}
    then: dict[Hashable, Speak | None] = {}
    for low, high in itertools.pairwise(steps):
        outcome = f"coin below {high}"
        messages[outcome] = (high - low,) * 2
        then[outcome] = _round(read, 0, low)
    return Speak(0, messages, then)


def best_for_xor(levels: Parties) -> Fraction:
    r"""The accuracy of the best of all conversations for XOR and an observer, on average and in the worst case.

    It is that of :func:`shared_coin`. With the parties by falling delta, the advantage over guessing is $X_k$, where
    $X_0 = 1$ and $X_i = t_i X_{i-1} + (1 - t_i)\delta_i$ with $t_i = \tanh(\varepsilon_i/2)$.

    >>> best_for_xor([("log(2)", "1/10")] * 2), best_for_xor([("log(2)", "1/10"), ("log(3)", "1/4")])
    (Fraction(3, 5), Fraction(51, 80))
    """
    ahead = Fraction(1)
    for party in sorted(_rational(levels), key=lambda party: -party.given_away):
        tilt = (party.ratio - 1) / (party.ratio + 1)
        ahead = tilt * ahead + (1 - tilt) * party.given_away
    return (1 + ahead) / 2


def most_to_gain(levels: Parties, measure: str = "average") -> Fraction:
    r"""By how much no conversation exceeds pure responses, whatever the function, with rewards in [0, 1].

    On average $\sum_i 2\delta_i\eta_i$ with $\eta_i = 1/(1 + e^{\varepsilon_i})$, and in the worst case
    $\sum_i 4\delta_i\eta_i \prod_{j \ne i} (1 + \eta_j)$.

    >>> most_to_gain([("log(2)", "1/10")] * 2), most_to_gain([("log(2)", "1/10")] * 2, "worst")
    (Fraction(2, 15), Fraction(16, 45))
    """
    read = _rational(levels)
    shares = [1 / (1 + party.ratio) for party in read]
    if measure == "average":
        return sum((2 * party.given_away * share for party, share in zip(read, shares, strict=True)), Fraction(0))
    together = math.prod((1 + share for share in shares), start=Fraction(1))
    return sum((4 * party.given_away * share * together / (1 + share)
                for party, share in zip(read, shares, strict=True)), Fraction(0))


def _rational(levels: Parties) -> tuple[Party, ...]:
    read = parties(levels)
    if not all(party.is_rational for party in read):
        raise BadQuantity("e^epsilon and delta must be rational, such as epsilon = log(2)")
    return read


def _round(read: tuple[Party, ...], i: int, low: Fraction) -> Speak | None:
    if i == len(read):
        return None
    truth = low < read[i].given_away
    p = Fraction(1) if truth else read[i].ratio / (1 + read[i].ratio)
    names = ("is 0", "is 1") if truth else ("maybe 0", "maybe 1")
    after = _round(read, i + 1, low)
    return Speak(i, {names[0]: (p, 1 - p), names[1]: (1 - p, p)}, dict.fromkeys(names, after))


@dataclass(frozen=True)
class Refutation:
    """A private conversation that is more accurate than randomised response, in fractions."""

    parties: tuple[Party, ...]
    function: BitFunction
    reward: Reward
    viewer: int | None
    conversation: Speak
    table: Protocol
    #: average and worst-case accuracy are compared by the same measure
    measure: str
    with_coin: Fraction
    with_responses: Fraction
    #: a rule of guessing from the transcript, and a prior against which the responses do no better
    rule: accuracy.Rule
    prior: dict[tuple[int, ...], Fraction]

    def problems(self) -> list[str]:
        """What is wrong with it: nothing, if it refutes Theorem 5.1. Sums and maxima only."""
        wrong = [str(breach) for breach in self.table.breaches(self.parties)]
        k_ = len(self.parties)
        mine = accuracy.reached(dict(zip(self.table.transcripts, self.table.columns, strict=True)), k_,
                                self.function, self.reward, self.viewer, self.rule)
        got = sum(mine.values()) / 2**k_ if self.measure == "average" else min(mine.values())
        responses = randomised_response(self.parties)
        most = accuracy.bound(dict(zip(responses.transcripts, responses.columns, strict=True)), k_,
                              self.function, self.reward, self.viewer, self.prior)
        if self.measure == "average" and set(self.prior.values()) != {Fraction(1, 2**k_)}:
            wrong.append("the prior is not uniform")
        if sum(self.prior.values()) != 1 or min(self.prior.values()) < 0:
            wrong.append("the prior is no distribution")
        if got < self.with_coin or most > self.with_responses:
            wrong.append(f"the conversation gets {got}, randomised response at most {most}")
        if self.with_coin <= self.with_responses:
            wrong.append("the conversation is not better")
        return wrong


def against_responses(levels: Parties, function: BitFunction, reward: Reward = correct, *,
                      measure: str = "average", viewer: int | None = None,
                      conversation: Speak | None = None) -> Refutation:
    """Compare a conversation (the shared coin, if none is given) with randomised response.

    >>> from symdp.privacy.multiparty.functions import AND
    >>> from symdp.privacy.multiparty.parties import alike
    >>> against_responses(alike(3, "log(2)", "1/10"), AND(3), viewer=1, measure="worst").problems()
    []
    """
    read = parties(levels, function.k)
    talk = shared_coin(read) if conversation is None else conversation
    table = talk.protocol(len(read))
    find = accuracy.average if measure == "average" else accuracy.worst_case
    mine = find(table, function, reward, viewer)
    theirs = find(randomised_response(read), function, reward, viewer)
    if not isinstance(mine.value, Fraction) or not isinstance(theirs.value, Fraction):
        raise BadQuantity("they are compared in fractions only: e^epsilon, delta and what is said must be "
                          "rational, such as epsilon = log(2)")
    return Refutation(read, function, reward, viewer, talk, table, measure, mine.value,
                      theirs.value, mine.rule, theirs.prior)
