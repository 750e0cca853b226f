r"""Tests of two hypotheses in fractions: hard rules, soft rules, and the two errors.

>>> accepting_rule(["1/3", "2/3"], ["1", "1/2"], counts="accept").says
'P_FA is 1/3, and the sum of p_i P(S_i) is 2/3'
>>> accepting_rule(["1/3", "2/3"], ["1", "1/2"], counts="reject").holds
True
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from symdp.arguments.constructions import Observation, construction
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.regions.region import PrivacyRegion

Law = Sequence[str]


def _law(values: Law) -> list[Fraction]:
    return [Fraction(v) for v in values]


def errors(p: Sequence[Fraction], q: Sequence[Fraction],
           reject: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Missed detection and false alarm of the rule that rejects outcome x with probability reject[x].

    >>> errors([Fraction(1, 4), Fraction(3, 4)], [Fraction(1), Fraction(0)], [Fraction(1), Fraction(0)])
    (Fraction(0, 1), Fraction(1, 4))
    """
    missed = sum((m * (1 - r) for m, r in zip(q, reject, strict=True)), Fraction(0))
    return missed, sum((m * r for m, r in zip(p, reject, strict=True)), Fraction(0))


def _hard_rules(size: int) -> Iterator[tuple[Fraction, ...]]:
    return product((Fraction(0), Fraction(1)), repeat=size)


@construction
def accepting_rule(masses: Law, probabilities: Law, counts: str) -> Observation:
    """The false alarm of a soft rule beside the sum of p_i P(S_i); the p_i are those of one decision."""
    law, given = _law(masses), _law(probabilities)
    reject = given if counts == "reject" else [1 - v for v in given]
    alarm = errors(law, law, reject)[1]
    total = sum((v * m for v, m in zip(given, law, strict=True)), Fraction(0))
    return Observation(alarm == total, f"P_FA is {alarm}, and the sum of p_i P(S_i) is {total}",
                   {"masses of the sets": ", ".join(masses), "p_i": ", ".join(probabilities),
                    "p_i are the probabilities to": counts})


@construction
def definition_beside_tests(p: Law, q: Law, exponential: str, delta: str) -> Observation:
    """Theorem 2.1 in one instance: the definition for all sets, beside (1) for all rejection sets."""
    first, second, ratio, slack = _law(p), _law(q), Fraction(exponential), Fraction(delta)
    private = tested = True
    for rule in _hard_rules(len(first)):
        inside = [sum((m * r for m, r in zip(law, rule, strict=True)), Fraction(0))
                  for law in (first, second)]
        private &= inside[0] <= ratio * inside[1] + slack and inside[1] <= ratio * inside[0] + slack
        missed, alarm = errors(first, second, rule)
        tested &= alarm + ratio * missed >= 1 - slack and ratio * alarm + missed >= 1 - slack
    words = {True: "holds for all of them", False: "fails for some"}
    return Observation(private == tested,
                   f"of {2 ** len(first)} sets, the definition {words[private]}, and (1) {words[tested]}",
                   {"P": ", ".join(p), "Q": ", ".join(q), "e^epsilon": ratio, "delta": slack})


@construction
def soft_rule_is_inside(p: Law, q: Law, reject: Law) -> Observation:
    """Whether the errors of a soft rule lie in the region (3)."""
    missed, alarm = errors(_law(p), _law(q), _law(reject))
    region = PrivacyRegion.of(FinitePair(list(p), list(q)))
    inside = (str(missed), str(alarm)) in region
    return Observation(inside, f"(P_MD, P_FA) = ({missed}, {alarm}) is {'in' if inside else 'out'}side of the "
                   "region", {"corners": region.corners})
