r"""From a transseries to an answer: which terms are shown, and one bound for all that is left out.

The terms of all exponentials are sorted by size. The first one that is beyond the order asked for
gives its name to the remainder, and everything behind it is bounded by a multiple of it on the whole
neighbourhood.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from flint import arb
from sympy import Expr, Integer, Rational, Symbol

from symdp.arguments.series.neighbourhood import Deeper, Power, Setting, key
from symdp.arguments.series.transseries import Exponent, Transseries, joined, scaled


@dataclass(frozen=True)
class SeriesTerm:
    """c exp(E) s^a L^b."""

    exponent: Exponent
    power: Power
    coefficient: Expr = sympy.S.One

    def written(self, variable: Symbol, at: Expr, side: str, positive: bool = False) -> Expr:
        """In the variable of the user; what measures a remainder is positive."""
        s = _local(variable, at, side)
        a, b = self.power
        rate = sympy.Add(*(c * _power_in(s, p, at) for p, c in sorted(self.exponent, key=_order)))
        size = sympy.exp(rate) * _power_in(s, (a, b), at, positive)
        if size.is_Add and self.coefficient.is_Rational and self.coefficient != 1:
            # SymPy would multiply (x - 2)/3 out, and the term would no longer look like one.
            return sympy.Mul(self.coefficient, size, evaluate=False)
        return self.coefficient * size


def _order(item: tuple[Power, Expr]) -> tuple[Rational, Rational]:
    return key(item[0])


def _local(variable: Symbol, at: Expr, side: str) -> Expr:
    """s itself, or 1/s where that is the simpler expression."""
    if at in (sympy.oo, -sympy.oo):
        return variable if at == sympy.oo else -variable
    return variable - at if side == "+" else at - variable


def _power_in(s: Expr, power: Power, at: Expr, positive: bool = False) -> Expr:
    a, b = power
    if at in (sympy.oo, -sympy.oo):
        return s**-a * sympy.log(s) ** b
    if not b.is_Integer or (positive and b % 2):
        return s**a * sympy.log(1 / s) ** b
    return s**a * Integer(-1) ** b * sympy.log(s) ** b


@dataclass(frozen=True)
class Truncation:
    """The terms to show, what the remainder is measured in, and its bound; exact without a scale."""

    terms: tuple[SeriesTerm, ...]
    scale: SeriesTerm | None
    bound: arb
    #: whether the scale is that of a term, and not only of what was cut off
    sharp: bool


def truncated(f: Transseries, order: int) -> Truncation:
    """Cut a transseries at the order; Deeper if it does not reach that far."""
    setting = f.setting
    classes = f.sorted()
    terms = [(i, SeriesTerm(e, p, c)) for i, (e, m) in enumerate(classes) for p, c in m.terms.items()
             if c.is_Rational or setting.sign(c) != 0]
    rests = [(i, SeriesTerm(e, m.rest[1]), m.rest[0]) for i, (e, m) in enumerate(classes) if m.rest]
    if not terms:
        if rests:
            raise Deeper("every term cancelled")
        return Truncation((), None, arb(0), True)
    threshold = max(Rational(order), terms[0][1].power[0] + 1)

    def is_beyond(place: int, term: SeriesTerm) -> bool:
        return place >= order or term.power[0] >= threshold

    def position(place: int, term: SeriesTerm) -> tuple[int, Rational, Rational]:
        return (place, *key(term.power))

    first = next((n for n, (i, t) in enumerate(terms) if is_beyond(i, t)), len(terms))
    worst = min(rests, key=lambda r: position(r[0], r[1])) if rests else None
    if first == len(terms) and worst is None:
        return Truncation(tuple(t for _, t in terms), None, arb(0), True)
    if worst is None or (first < len(terms) and position(*terms[first]) <= position(worst[0], worst[1])):
        sharp = True
        scale = SeriesTerm(terms[first][1].exponent, terms[first][1].power)
    else:
        sharp = False
        scale = worst[1]
        # Powers of L alone are a scale of their own: there the order counts terms.
        enough = is_beyond(worst[0], scale) or (
            scale.power[0] == terms[0][1].power[0] and worst[0] == 0 and len(terms) > order
        )
        if not enough:
            raise Deeper("the remainder is larger than the order allows")
        first = sum(bool(position(i, t) < position(worst[0], worst[1])) for i, t in terms)
        if scale.power[0] == terms[0][1].power[0] and first > order:
            scale, first, sharp = SeriesTerm(terms[order][1].exponent, terms[order][1].power), order, True
    bound = arb(0)
    for term, size in [*((t, setting.bound(t.coefficient)) for _, t in terms[first:]),
                       *((t, size) for _, t, size in rests)]:
        bound += size * _ratio(setting, term, scale)
    return Truncation(tuple(t for _, t in terms[:first]), scale, bound.upper(), sharp)


def _ratio(setting: Setting, term: SeriesTerm, scale: SeriesTerm) -> arb:
    """An upper bound of one over the other on (0, r]."""
    a, b = term.power[0] - scale.power[0], term.power[1] - scale.power[1]
    gap = joined(term.exponent, scaled(scale.exponent, Integer(-1)))
    return setting.decay(dict(gap), a, b) if gap else setting.sup(a, b)


