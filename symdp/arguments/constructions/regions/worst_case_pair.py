r"""The pair of laws that is worst among all $(\varepsilon,\delta)$-DP mechanisms, letter by letter.

Masses are rational functions of $q=e^{\varepsilon}$ and $\delta$. With numbers for them one instance is
computed; without, the same is shown for all $q\ge1$ and $0\le\delta\le1$: written with $q=1+t$ and
$\delta=d/(c+d)$, what must not be negative is a fraction of polynomials in $t,c,d\ge0$ without a
negative coefficient.

>>> letters_carry_their_sets([0, 1, 2, 3]).covers_all, letters_carry_their_sets([1, 2, 3, 4]).holds
(True, False)
>>> pair_is_worst(ratio=4, exponential=2, delta=Rational(1, 10)).holds
False
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from sympy import Expr, Poly, Rational, S, cancel, fraction, symbols, together

from symdp.arguments.constructions import Observation, construction

Number: TypeAlias = int | Rational

_t, _c, _d = symbols("t c d")
#: q >= 1 and 0 <= delta <= 1, each in its own nonnegative variables
_Q, _DELTA = 1 + _t, _d / (_c + _d)
ALGEBRA = frozenset({"SymPy's polynomials"})


def masses(q: Expr, delta: Expr) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """The two laws on their four letters, in the order of the source."""
    high, low = (1 - delta) * q / (1 + q), (1 - delta) / (1 + q)
    return (delta, high, low, S.Zero), (S.Zero, low, high, delta)


def _is_zero(expr: Expr) -> bool:
    return bool(cancel(together(expr)) == 0)


def _never_negative(expr: Expr) -> bool:
    """A fraction in t, c, d that is visibly at least 0 where these are."""
    above, below = fraction(cancel(together(expr)))
    parts = [Poly(part, _t, _c, _d).coeffs() for part in (above, below)]
    return any(all(sign * c >= 0 for part in parts for c in part) for sign in (1, -1))


@construction
def letters_carry_their_sets(
    labels: Sequence[int], exponential: Number | None = None, delta: Number | None = None
) -> Observation:
    r"""With these names for the four letters, is $\{1,2\}$ where both masses are positive, and does
    $\{1,2,3\}$ miss only the letter that the second law never shows?"""
    general = exponential is None or delta is None
    q, d = (_Q, _DELTA) if general else (Rational(exponential), Rational(delta))
    first, second = (dict(zip(labels, law, strict=True)) for law in masses(q, d))
    seen = {
        "first law of {1,2,3}": sum(first.get(i, S.Zero) for i in (1, 2, 3)),
        "first law of {1,2}": sum(first.get(i, S.Zero) for i in (1, 2)),
        "second law of {1,2}": sum(second.get(i, S.Zero) for i in (1, 2)),
    }
    wrong = [name for name, mass in seen.items() if not _is_zero(mass - (1 - d))]
    exact = {name: cancel(together(mass)) for name, mass in seen.items()}
    if wrong:
        return Observation(False, f"with the letters {list(labels)} the {wrong[0]} is not 1 - delta", exact,
                       trust=ALGEBRA)
    return Observation(True, f"with the letters {list(labels)} each of the sets has mass 1 - delta", exact,
                   covers_all=general, trust=ALGEBRA)


@construction
def pair_is_worst(
    ratio: Number | None = None, exponential: Number | None = None, delta: Number | None = None
) -> Observation:
    r"""Is the pair whose letters have this ratio a pair of laws that is exactly
    $(\varepsilon,\delta)$-DP, with $q=e^{\varepsilon}$? Without numbers: for the ratio $q$ itself, all."""
    general = ratio is None or exponential is None or delta is None
    q, d = (_Q, _DELTA) if general else (Rational(exponential), Rational(delta))
    first, second = masses(q if general else Rational(ratio), d)
    least = _never_negative if general else (lambda expr: bool(expr >= 0))
    if not all(_is_zero(sum(law) - 1) and all(least(p) for p in law) for law in (first, second)):
        return Observation(False, "the masses are no probabilities", trust=ALGEBRA)
    if general:
        # Letters above the threshold are 0 and 1; the others must not be.
        gaps = [p - q * s for p, s in zip(first, second, strict=True)]
        placed = least(gaps[0]) and least(gaps[1]) and all(least(-g) for g in gaps[2:])
        needed: Expr = gaps[0] + gaps[1]
        if not placed:
            return Observation(False, "the set of large likelihood ratio is another one", trust=ALGEBRA)
    else:
        gaps = [p - q * s for p, s in zip(first, second, strict=True)]
        needed = sum((g for g in gaps if g > 0), S.Zero)
    holds = _is_zero(needed - d)
    says = "it needs exactly its delta" if holds else \
        f"at e^eps = {exponential} it needs delta = {needed}, not {d}"
    return Observation(holds, says, {"needed": cancel(together(needed)), "delta": d},
                   covers_all=general and holds, trust=ALGEBRA)
