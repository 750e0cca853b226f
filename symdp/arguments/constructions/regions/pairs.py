r"""The region (3) of a pair of laws beside regions (2), in fractions.

As printed, (2) has lower bounds only, so that it holds points no test reaches; these are told apart.

>>> at = {"exponential": "2", "delta": "1/10"}
>>> response_region(**at, reading="lower boundary").holds, response_region(**at, reading="as printed").says
(True, '(P_MD, P_FA) = (1, 1) satisfies (2), and no test reaches it')
>>> cyclic = (("1/2", "1/3", "1/6"), ("1/3", "1/6", "1/2"))
>>> slopes_describe(cyclic).holds, slopes_describe((("1/2", "1/3", "1/6"), ("1/6", "1/3", "1/2"))).holds
(False, True)
"""

from __future__ import annotations

from fractions import Fraction

from sympy import Expr, Max, Rational, S

from symdp.arguments.constructions import Observation, construction
from symdp.arguments.constructions.regions.composition import guarantee, meeting
from symdp.arguments.constructions.regions.decision_rules import Law
from symdp.numbers.exact import number
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.mechanisms.finite_laws.randomised_response import RandomisedResponse
from symdp.privacy.pairs.tradeoff import envelope
from symdp.privacy.regions.region import PrivacyRegion

Pair = tuple[Law, Law]
CORNER = (1, 1)


def _unreached(outer: PrivacyRegion, inner: PrivacyRegion) -> bool:
    """Whether (1, 1) satisfies the lower bounds of the one and is no point of the other."""
    return outer.above(CORNER) and CORNER not in inner


@construction
def response_region(exponential: str, delta: str, reading: str) -> Observation:
    """The region of one randomised response beside R(epsilon, delta), whole or from below."""
    exact = PrivacyRegion.of(RandomisedResponse(f"log({exponential})", delta))
    wanted = PrivacyRegion.guarantee(exp_epsilon=exponential, delta=delta)
    if reading == "as printed" and _unreached(wanted, exact):
        return Observation(False, f"(P_MD, P_FA) = {CORNER} satisfies (2), and no test reaches it",
                       {"corners of the lower boundary": exact.corners})
    return Observation(exact == wanted, "the lower boundaries are the same" if exact == wanted else
                   "the lower boundaries differ", {"corners": exact.corners})


@construction
def mirror_in_the_line(exponential: str, delta: str) -> Observation:
    """Is R(epsilon, delta) its mirror image in P_FA + P_MD = 1? The image of (x, y) is (1 - y, 1 - x)."""
    region = PrivacyRegion.guarantee(exp_epsilon=exponential, delta=delta)
    image = (1 - CORNER[1], 1 - CORNER[0])
    same = region.above(CORNER) == region.above(image)
    return Observation(same, f"{CORNER} satisfies (2), and its mirror image {image} does "
                   f"{'too' if same else 'not'}", {"e^epsilon": exponential, "delta": delta})


def slopes(pair: Pair) -> list[Rational]:
    r"""The ratios $e^{\tilde\varepsilon}\ge1$ of the set E, outcomes of mass 0 left out."""
    masses = zip(*(map(Rational, law) for law in pair), strict=True)
    return sorted({p / q for p, q in masses if q > 0 and p >= q})


def shift(pair: Pair, ratio: Expr) -> Expr:
    """The largest P(S) - ratio Q(S).

    >>> shift((("1/2", "1/2"), ("1/4", "3/4")), Rational(1))
    1/4
    """
    return sum((Max(0, Rational(p) - ratio * Rational(q)) for p, q in zip(*pair, strict=True)), S.Zero)


@construction
def slopes_describe(pair: Pair) -> Observation:
    """Is the region of the pair what the lines with slopes in E, and their mirror images, leave?"""
    exact = PrivacyRegion.of(FinitePair(list(pair[0]), list(pair[1])))
    lines = [(t, shift(pair, t)) for t in slopes(pair)]
    found = meeting(lines) if lines else meeting([(Rational(1), Rational(1))])
    shown = {"P": ", ".join(pair[0]), "Q": ", ".join(pair[1]), "slopes": slopes(pair),
             "corners": exact.corners}
    if found == exact:
        return Observation(True, f"{len(lines)} slopes describe the lower boundary, exactly", shown)
    gap, back = found.separation(exact), exact.separation(found)
    return Observation(False, f"the region is not the meeting over E: {gap or back}", shown)


@construction
def renaming_is_enough(pair: Pair, permutation: tuple[int, ...]) -> Observation:
    r"""With $P_0(x)=P_1(\pi(x))$ alone, is the region the meeting of (2) over E?"""
    first, second = ([Fraction(v) for v in law] for law in pair)
    if any(first[x] != second[y] for x, y in enumerate(permutation)):
        raise ValueError("the permutation does not rename the one law into the other: no instance")
    return slopes_describe(pair)


@construction
def lines_describe(pair: Pair) -> Observation:
    """Is the region of any pair what the lines of all its slopes leave, steep and flat ones?"""
    exact = PrivacyRegion.of(FinitePair(list(pair[0]), list(pair[1])))
    ratios = {Rational(p) / Rational(q) for p, q in zip(*pair, strict=True)
              if Rational(p) > 0 and Rational(q) > 0}
    found = PrivacyRegion(envelope([(number(1 - shift(pair, t)), number(t)) for t in ratios]))
    return Observation(found == exact, f"the lines of {len(ratios)} slopes describe the region"
                   if found == exact else "the lines leave another region", {"corners": exact.corners})


@construction
def deltas_of_six(exponential: str, delta: str, k: int) -> Observation:
    """The meeting of the regions with the delta_i of (6) alone, beside the region of k responses."""
    base, each = Rational(exponential), Rational(delta)
    pairs = [guarantee(base, Rational(0), k, i) for i in range(k // 2 + 1)]
    exact = PrivacyRegion.of(RandomisedResponse(f"log({exponential})", delta).power(k))
    gap = meeting(pairs).separation(exact)
    shown = {"k": k, "delta": each, "delta_i": [d for _, d in pairs]}
    if gap is not None:
        return Observation(False, f"with the delta_i of (6) too much is promised: {gap}", shown)
    return Observation(meeting(pairs) == exact, "the regions are the same", shown)


@construction
def counted_slopes(exponential: str, delta: str, k: int) -> Observation:
    """The set E of k responses: the powers of e^epsilon with exponents k - 2i."""
    base = Rational(exponential)
    whole = RandomisedResponse(f"log({exponential})", delta).power(k)
    seen = slopes((tuple(map(str, whole.p)), tuple(map(str, whole.q))))
    named = sorted(base ** (k - 2 * i) for i in range(k // 2 + 1))
    return Observation(seen == named, f"the ratios are {', '.join(map(str, seen))}", {"k": k, "named": named})
