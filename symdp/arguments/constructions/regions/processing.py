r"""Processing the output of a mechanism, and building one mechanism from another, in fractions.

>>> wide, narrow = (("3/4", "1/4"), ("1/4", "3/4")), (("1/2", "1/2"), ("1/4", "3/4"))
>>> one_from_the_other(wide, narrow).says
'the region is inside, and a stochastic map that makes the one from the other was built'
>>> one_from_the_other(narrow, wide).exact["no map crosses"]
'P_MD = 1/4, P_FA = 1/4 is achieved, and violates 3/2*P_FA + P_MD >= 1 by 3/8'
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symdp.arguments.constructions import Observation, construction
from symdp.arguments.constructions.regions.decision_rules import Law, errors
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.mechanisms.finite_laws.randomised_response import RandomisedResponse
from symdp.privacy.regions.processing import StochasticMap, post_process, simulate
from symdp.privacy.regions.region import PrivacyRegion
from symdp.privacy.regions.tangent import SeparatingLine

Pair = tuple[Law, Law]


def _pair(laws: Pair) -> FinitePair:
    return FinitePair(list(laws[0]), list(laws[1]))


@construction
def processed_region(source: Pair, rows: Sequence[Law]) -> Observation:
    """The region after a stochastic map, beside the one before."""
    before = _pair(source)
    after = post_process(before, StochasticMap.of([list(row) for row in rows]))
    gap = PrivacyRegion.of(before).separation(PrivacyRegion.of(after))
    return Observation(gap is None, "the region after the map is inside of the one before" if gap is None
                   else f"after the map, {gap}", {"before": before, "after": after})


@construction
def decision_before_the_map(source: Pair, rows: Sequence[Law], reject: Law) -> Observation:
    """Who sees the input of a map can run it, and has the errors of any rule for its output."""
    p, q = ([Fraction(v) for v in law] for law in source)
    kernel = [[Fraction(v) for v in row] for row in rows]
    rule = [Fraction(v) for v in reject]
    there = [[sum((m * row[y] for m, row in zip(law, kernel, strict=True)), Fraction(0))
              for y in range(len(rule))] for law in (p, q)]
    here = [sum((t * r for t, r in zip(row, rule, strict=True)), Fraction(0)) for row in kernel]
    seen, made = errors(there[0], there[1], rule), errors(p, q, here)
    return Observation(seen == made, f"the errors behind the map are ({seen[0]}, {seen[1]}), and before it "
                   f"({made[0]}, {made[1]})", {"rule before the map": ", ".join(map(str, here))})


@construction
def one_from_the_other(source: Pair, target: Pair) -> Observation:
    """If the region of the target is inside, is there a map? It is built, and multiplied out."""
    found = simulate(_pair(source), _pair(target))
    if isinstance(found, SeparatingLine):
        return Observation(True, "the region is not inside, so nothing is promised",
                       {"no map crosses": str(found)})
    good = found.turns(_pair(source), _pair(target))
    return Observation(good, "the region is inside, and a stochastic map that makes the one from the other was "
                   "built", {"map": found.matrix.tolist()})


@construction
def made_from_responses(exponential: str, delta: str, target: Pair) -> Observation:
    """An (epsilon, delta)-DP pair, made from the randomised response with these parameters."""
    source, wanted = RandomisedResponse(f"log({exponential})", delta), _pair(target)
    if not PrivacyRegion.of(wanted) <= PrivacyRegion.guarantee(exp_epsilon=exponential, delta=delta):
        raise ValueError("the pair is not private with these parameters, so that it is no instance")
    found = simulate(source, wanted)
    if isinstance(found, SeparatingLine):
        return Observation(False, f"no map makes it from randomised response: {found}")
    return Observation(found.turns(source, wanted), "a stochastic map makes it from randomised response",
                   {"map": found.matrix.tolist()})


@construction
def dominates(first: Pair, second: Pair) -> Observation:
    """Whether the second pair can be made from the first."""
    found = simulate(_pair(first), _pair(second))
    if isinstance(found, SeparatingLine):
        return Observation(False, f"no stochastic map makes the second from the first: {found}",
                       {"first": _pair(first), "second": _pair(second)})
    return Observation(True, "a stochastic map makes the second from the first", {"map": found.matrix.tolist()})
