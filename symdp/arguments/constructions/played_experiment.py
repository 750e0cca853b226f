r"""The composition experiment with an adaptive adversary, played out in fractions.

A bit b is drawn, and a coin r of the adversary. In step i the adversary chooses one of three mechanisms,
m_i, from r and the answers so far; a letter x_i is drawn by the law of b, and the answer y_i is made from
the letter by the map of the chosen mechanism. All probabilities of all outcomes are listed, so that a
Markov chain is a finite set of equations.

>>> markov_chain(2, ["b"], ["x1", "x2"], ["y1", "y2"]).holds, markov_chain(2, ["b"], ["x2"], ["y1"]).holds
(True, False)
>>> choices_are_determined(2, answers_until=-1).says
'the choice of step 2 is determined by r and y_l for l <= 1'
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

from symdp.arguments.constructions import Observation, construction
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.regions.region import PrivacyRegion

Outcome = tuple[int, ...]
Law = dict[Outcome, Fraction]

#: the bit, the coin, and the letters at e^epsilon = 2 and delta = 1/10
BIT = (Fraction(2, 5), Fraction(3, 5))
COIN = (Fraction(1, 3), Fraction(2, 3))
LETTERS = tuple(tuple(Fraction(n, 10) for n in law) for law in ((1, 6, 3, 0), (0, 3, 6, 1)))
#: for each mechanism and letter, the probability of the answer 1
ANSWERS = tuple(tuple(Fraction(n, 10) for n in row) for row in ((1, 3, 8, 10), (9, 2, 5, 0), (4, 4, 7, 1)))


def names(steps: int) -> list[str]:
    return ["b", "r", *(f"{kind}{i}" for i in range(1, steps + 1) for kind in "mxy")]


def choice(coin: int, answers: Sequence[int]) -> int:
    """Which mechanism the adversary asks for."""
    return (coin + sum((place + 1) * y for place, y in enumerate(answers))) % len(ANSWERS)


@cache
def joint(steps: int) -> Law:
    """The probability of every outcome, in the order of :func:`names`.

    >>> sum(joint(2).values())
    Fraction(1, 1)
    """
    law: Law = {(b, r): BIT[b] * COIN[r] for b, r in product(range(2), repeat=2)}
    for _ in range(steps):
        longer: Law = {}
        for seen, chance in law.items():
            mechanism = choice(seen[1], seen[4::3])
            for x, y in product(range(4), range(2)):
                one = ANSWERS[mechanism][x]
                longer[(*seen, mechanism, x, y)] = chance * LETTERS[seen[0]][x] * (one if y else 1 - one)
        law = longer
    return law


def marginal(steps: int, kept: Sequence[str]) -> Law:
    """The law of some of the variables, in the order in which they are given."""
    places = [names(steps).index(name) for name in kept]
    found: Law = defaultdict(Fraction)
    for outcome, chance in joint(steps).items():
        found[tuple(outcome[p] for p in places)] += chance
    return dict(found)


@construction
def markov_chain(steps: int, left: Sequence[str], middle: Sequence[str], right: Sequence[str]) -> Observation:
    """Whether left - middle - right: P(l, m, r) P(m) = P(l, m) P(m, r) for all values."""
    whole = marginal(steps, [*left, *middle, *right])
    centre, one, other = (marginal(steps, part) for part in (
        middle, [*left, *middle], [*middle, *right]))
    wrong = None
    for outcome, chance in whole.items():
        at = outcome[len(left):len(left) + len(middle)]
        before, after = outcome[:len(left)], outcome[len(left) + len(middle):]
        gap = chance * centre[at] - one[(*before, *at)] * other[(*at, *after)]
        if gap != 0:
            wrong = outcome, gap
            break
    shown = " - ".join(f"({', '.join(part)})" for part in (left, middle, right))
    if wrong is None:
        return Observation(True, f"{shown} is a Markov chain: {len(whole)} equations hold", {"steps": steps})
    return Observation(False, f"{shown} is no Markov chain: at {wrong[0]} the sides differ by {wrong[1]}",
                   {"steps": steps})


@construction
def letters_are_independent(steps: int) -> Observation:
    """Given b, the letters have the product law, although the choices depend on the answers."""
    letters = [f"x{i}" for i in range(1, steps + 1)]
    law = marginal(steps, ["b", *letters])
    good = all(chance == BIT[b] * prod(LETTERS[b][x] for x in xs) for (b, *xs), chance in law.items())
    return Observation(good, f"given b, {steps} letters {'have' if good else 'do not have'} the product law",
                   {"outcomes": len(law)})


@construction
def choices_are_determined(steps: int, answers_until: int) -> Observation:
    """Whether r and the answers up to i + ``answers_until`` determine the choice of the last step i."""
    last = steps + answers_until
    known = ["r", *(f"y{i}" for i in range(1, last + 1))]
    found: dict[Outcome, set[int]] = defaultdict(set)
    for outcome, chance in marginal(steps, [*known, f"m{steps}"]).items():
        if chance > 0:
            found[outcome[:-1]].add(outcome[-1])
    good = all(len(choices) == 1 for choices in found.values())
    verb = "is" if good else "is not"
    return Observation(good, f"the choice of step {steps} {verb} determined by r and y_l for l <= {last}",
                   {"histories": len(found)})


@construction
def law_factorises(steps: int) -> Observation:
    """The joint law beside the three products of Section 6.2, wherever their conditions can happen."""
    letters, answers = ([f"{kind}{i}" for i in range(1, steps + 1)] for kind in "xy")
    order = ["b", "r", *letters, *answers]
    whole = marginal(steps, order)

    def chance(kept: Sequence[str], at: dict[str, int]) -> Fraction:
        return marginals[tuple(kept)][tuple(at[name] for name in kept)]

    pasts = [(["r", *letters[:i + 1], *answers[:i]], answers[i]) for i in range(steps)]
    needed = [("b", "r"), ("b",), ("r", *letters), ("b", "r", *letters), ("r", *letters, *answers),
              *(("b", x) for x in letters), *(tuple(c) for c, _ in pasts), *((*c, y) for c, y in pasts)]
    marginals = {kept: marginal(steps, kept) for kept in needed}
    seen = 0
    for outcome, left in whole.items():
        at = dict(zip(order, outcome, strict=True))
        if chance(("b", "r", *letters), at) == 0 or any(chance(c, at) == 0 for c, _ in pasts):
            continue  # a condition that cannot happen
        seen += 1
        first = chance(("b", "r"), at) * prod(chance(("b", x), at) / chance(("b",), at) for x in letters)
        first *= prod(chance((*c, y), at) / chance(c, at) for c, y in pasts)
        given = chance(("r", *letters, *answers), at) / chance(("r", *letters), at)
        second = chance(("b", "r", *letters), at) * given
        third = chance(("b", "r", *letters), at) / chance(("r", *letters), at)
        third *= chance(("r", *letters, *answers), at)
        if not left == first == second == third:
            return Observation(False, f"the products differ at {at}", {"steps": steps})
    return Observation(True, f"the three products agree with the joint law at {seen} outcomes",
                   {"steps": steps})


@construction
def view_is_inside(steps: int) -> Observation:
    """The region of the coin and the answers beside that of the letters."""
    letters, answers = ([f"{kind}{i}" for i in range(1, steps + 1)] for kind in "xy")
    regions = []
    for seen in (["r", *answers], letters):
        law = marginal(steps, ["b", *seen])
        outcomes = sorted({outcome[1:] for outcome in law})
        masses = [[law.get((b, *outcome), Fraction(0)) / BIT[b] for outcome in outcomes] for b in range(2)]
        regions.append(PrivacyRegion.of(FinitePair.of_masses(*masses)))
    gap = regions[1].separation(regions[0])
    return Observation(gap is None, f"the region of the view of {steps} steps is inside of that of the letters"
                   if gap is None else f"the view allows more: {gap}", {"corners": regions[0].corners})
