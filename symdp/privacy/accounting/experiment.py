r"""The composition experiment, played: an adversary, a hidden bit and k randomised responses.

In each round the adversary picks two neighbouring databases and a mechanism, seeing all answers so far;
the mechanism is run on the database that the hidden bit selects. At the end the adversary says what the
bit is. The advantage, P(says 1 | bit is 1) - P(says 1 | bit is 0), is at most the total
variation of the composition, whatever the adversary does; the one who compares likelihoods reaches it.

>>> game = Experiment(RandomisedResponse("0.1", "0.001"), rounds=30, seed=1)
>>> outcome = game.play(likelihood, games=4000)
>>> print(outcome)
advantage 0.248 +- 0.015 in 4000 games; exactly 0.2372595286678146213 at most
>>> game.play(stubborn, games=4000).estimate
0.0
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symdp.formulas.balls import ball
from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity, count
from symdp.privacy.composition.compose import compose
from symdp.privacy.mechanisms.finite_laws.randomised_response import RandomisedResponse

#: An answer of the randomised response: 0 and 3 give the bit away, 1 and 2 favour bits 0 and 1.
Answer = int


@dataclass(frozen=True)
class Round:
    """What the adversary chose, and what came back."""

    #: whether the databases were exchanged, so that the mechanism saw the opposite bit
    exchanged: bool
    answer: Answer

    @property
    def favours(self) -> int:
        """1 if the answer speaks for the hidden bit being 1, else 0."""
        return int((self.answer >= 2) != self.exchanged)

    @property
    def certain(self) -> bool:
        return self.answer in (0, 3)


#: Given the rounds so far: whether to exchange the databases in the next one.
Choice = Callable[[Sequence[Round]], bool]
#: Given all rounds: the bit that the adversary says.
Verdict = Callable[[Sequence[Round]], int]


@dataclass(frozen=True)
class Adversary:
    """A strategy: how to choose, and what to say at the end."""

    name: str
    choose: Choice
    say: Verdict


def _majority(rounds: Sequence[Round]) -> int:
    """The more likely bit; certain answers decide, ties say 0."""
    for played in rounds:
        if played.certain:
            return played.favours
    return int(2 * sum(r.favours for r in rounds) > len(rounds))


#: Compares the likelihoods of the two bits: the best there is.
likelihood = Adversary("likelihood", lambda rounds: False, _majority)
#: Exchanges the databases after each answer, which does not help.
fickle = Adversary("fickle", lambda rounds: len(rounds) % 2 == 1, _majority)
#: Looks at the first answer only.
hasty = Adversary("hasty", lambda rounds: False, lambda rounds: _majority(rounds[:1]))
#: Says 0 whatever comes.
stubborn = Adversary("stubborn", lambda rounds: False, lambda rounds: 0)


@dataclass(frozen=True)
class Outcome:
    """How often the adversary was right, beside the most that is possible."""

    adversary: str
    games: int
    #: the difference of the two frequencies
    estimate: float
    #: one standard deviation of the estimate
    error: float
    #: the exact total variation of the composition
    largest: Enclosure

    def __str__(self) -> str:
        return (f"advantage {self.estimate:.3f} +- {self.error:.3f} in {self.games} games; "
                f"exactly {self.largest} at most")


class Experiment:
    """k rounds with the randomised response; the same seed gives the same games."""

    def __init__(self, mechanism: RandomisedResponse, rounds: int, seed: int = 0) -> None:
        self.mechanism, self.rounds, self.seed = mechanism, count(rounds, "rounds"), seed
        # A simulation may use floating point: it is an estimate, with its error beside it.
        self._chances = [float(ball(p).mid()) for p in mechanism.p]

    def play(self, adversary: Adversary, games: int = 1000) -> Outcome:
        """Play with a random bit each time, and count."""
        if count(games, "games") < 2:
            raise BadQuantity("games must be at least 2")
        source = random.Random(self.seed)
        said, played = [0, 0], [0, 0]
        for game in range(games):
            bit = game % 2  # as many games with each bit
            said[bit] += adversary.say(self.rounds_of(adversary, bit, source))
            played[bit] += 1
        rates = [s / n for s, n in zip(said, played, strict=True)]
        error = math.sqrt(sum(r * (1 - r) / n for r, n in zip(rates, played, strict=True)))
        return Outcome(adversary.name, games, rates[1] - rates[0], error,
                       compose(self.mechanism, self.rounds).delta(epsilon=0))

    def rounds_of(self, adversary: Adversary, bit: int, source: random.Random) -> list[Round]:
        """One game: the adversary chooses, the mechanism answers, k times."""
        rounds: list[Round] = []
        for _ in range(self.rounds):
            exchanged = adversary.choose(tuple(rounds))
            answer = source.choices(range(4), self._chances)[0]
            # The chances are those of bit 0; bit 1 sees the mirrored answer.
            rounds.append(Round(exchanged, 3 - answer if bit != exchanged else answer))
        return rounds
