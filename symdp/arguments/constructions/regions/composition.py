r"""Theorem 3.3 in fractions: the region of k randomised responses beside the regions of (5).

>>> from symdp.arguments.constructions import run
>>> from symdp.sources.example import Example
>>> at = {"exponential": "2", "delta": "1/10", "k": 3}
>>> print(run(Example("corners-are-the-region", at)).says)
2 regions of (5) meet in the region of 3 randomised responses, exactly
>>> print(run(Example("regions-needed", {**at, "claimed": "k"})).says)
for k = 3 the regions with i = 0, 1 are needed and enough, 2 of them; 3 are claimed
>>> run(Example("indices-suffice", {**at, "first": 1})).holds
False
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb

from sympy import Expr, Integer, Rational

from symdp.arguments.constructions import Observation, construction
from symdp.formulas.notation import symbol
from symdp.formulas.parsing import parse_expression
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.mechanisms.finite_laws.randomised_response import RandomisedResponse
from symdp.privacy.mechanisms.noise.geometric import Geometric
from symdp.privacy.regions.region import PrivacyRegion

Guarantee = tuple[Expr, Expr]


def guarantee(exponential: Rational, delta: Rational, k: int, i: int) -> Guarantee:
    r"""The pair of (5) for one $i$: $e^{(k-2i)\varepsilon}$, and its delta with $\delta_i$ from (6).

    >>> guarantee(Rational(2), Rational(0), 2, 1)
    (1, 1/3)
    """
    terms = (comb(k, j) * (exponential ** (k - j) - exponential ** (k - 2 * i + j)) for j in range(i))
    delta_i = sum(terms, Integer(0)) / (1 + exponential) ** k
    return exponential ** (k - 2 * i), 1 - (1 - delta) ** k * (1 - delta_i)


def meeting(pairs: Iterable[Guarantee]) -> PrivacyRegion:
    return PrivacyRegion.of_guarantees(pairs, exponentials=True)


def _read(exponential: str, delta: str) -> tuple[Rational, Rational]:
    return Rational(exponential), Rational(delta)


@construction
def corners_are_the_region(exponential: str, delta: str, k: int) -> Observation:
    """The regions of (5), i = 0, ..., k/2, meet exactly in the region of k randomised responses."""
    base, each = _read(exponential, delta)
    found = meeting(guarantee(base, each, k, i) for i in range(k // 2 + 1))
    exact = PrivacyRegion.of(RandomisedResponse(f"log({exponential})", delta).power(k))
    same = found == exact
    says = (f"{k // 2 + 1} regions of (5) meet in the region of {k} randomised responses, exactly" if same
            else f"the regions of (5) do not meet in that of {k} randomised responses")
    return Observation(same, says, {"corners": exact.corners})


@construction
def regions_needed(exponential: str, delta: str, k: int, claimed: str) -> Observation:
    """How many of the regions of (5) are needed: none of them may be left out."""
    base, each = _read(exponential, delta)
    pairs = [guarantee(base, each, k, i) for i in range(k // 2 + 1)]
    whole = meeting(pairs)
    needed = [i for i in range(len(pairs))
              if len(pairs) == 1 or meeting(p for j, p in enumerate(pairs) if j != i) != whole]
    number = parse_expression(claimed).subs(symbol("k"), k)
    listed = ", ".join(map(str, needed))
    return Observation(
        number == len(needed),
        f"for k = {k} the regions with i = {listed} are needed and enough, {len(needed)} of them; "
        f"{number} are claimed",
        {"needed": needed, "claimed": number},
    )


@construction
def indices_suffice(exponential: str, delta: str, k: int, first: int) -> Observation:
    """Whether the regions with i = first, ..., k/2 meet where those from 0 on do."""
    base, each = _read(exponential, delta)
    chosen = [guarantee(base, each, k, i) for i in range(first, k // 2 + 1)]
    if not chosen:
        says = f"for k = {k} there is no i from {first} to k/2, and nothing would be promised"
        return Observation(False, says)
    whole = meeting(guarantee(base, each, k, i) for i in range(k // 2 + 1))
    gap = whole.separation(meeting(chosen))
    if gap is None:
        return Observation(True, f"for k = {k} the indices from {first} on give the same region")
    return Observation(False, f"for k = {k} the indices from {first} on allow more: {gap}",
                   {"errors": gap.point})


@construction
def geometric_region(exponential: str, k: int) -> Observation:
    """The region of k geometric mechanisms on queries that differ by one, beside (5) with delta = 0."""
    pair = Geometric(f"log({exponential})").finite_pair()
    found = PrivacyRegion.of(pair.power(k))
    same = found == meeting(guarantee(Rational(exponential), Rational(0), k, i) for i in range(k // 2 + 1))
    return Observation(same, f"the region of {k} geometric mechanisms is {'' if same else 'not '}that of (5)",
                   {"corners": found.corners})


@construction
def geometric_on_equal_answers(exponential: str) -> Observation:
    r"""Two neighbouring databases on which the query has the same answer.

    The noisy answer tells nothing about which of them was asked. Another $(\varepsilon,0)$-DP mechanism
    may look at the database itself: it reports by randomised response whether the row is there in which
    the two differ. Every other pair of neighbours gives it the same distribution twice.
    """
    noisy = PrivacyRegion.of(FinitePair((1,), (1,)))
    loss = f"log({exponential})"
    other = PrivacyRegion.of(RandomisedResponse(loss))
    private = other <= PrivacyRegion.guarantee(loss)
    gap = noisy.separation(other)
    if gap is None or not private:
        return Observation(True, "no private mechanism was seen to have a larger region")
    return Observation(
        False,
        "on two databases with the same answer the noisy answer has the smallest region of all, while "
        f"randomised response about the row in which they differ is as private and has a larger one: {gap}",
        {"errors that only the other mechanism allows": gap.point},
    )
