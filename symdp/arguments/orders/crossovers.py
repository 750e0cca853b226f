r"""Where one bound overtakes another: closed forms where they exist, enclosures elsewhere.

Every closed form of the sources is $k\varepsilon$, or $k\,d + \sqrt{2k\,s\,\log u}$ with a drift $d$ and a
spread $s$ in $\varepsilon$, and $u = 1/\tilde\delta$ or $u = e + \sqrt{ks}/\tilde\delta$. What two of them
are decides whether they meet, and where: :func:`meeting` knows it for every pair, in the slack and in
the number of mechanisms. What has no closed form is enclosed by bisection with certain signs.

>>> from sympy import Rational
>>> from symdp.formulas.notation import eps, k, slack
>>> print(meeting("classic", "logarithmic"))
classic = logarithmic at slack = (1 - eps*sqrt(k))*exp(-1), provided that eps*sqrt(k) < 1
>>> print(meeting("linear", "blog", k))
linear = blog at k = 8*log(1/slack)/(eps - 2)^2, provided that eps^2/2 < eps
>>> print(meeting("classic", "blog"))
classic <= blog everywhere, because eps*tanh(eps/2) <= eps^2/2
>>> print(meeting("blog", "logarithmic"))
blog = logarithmic has no closed form in slack
>>> at = {eps: Rational(1, 10), k: Rational(10)}
>>> [str(found) for found in crossings("blog", "logarithmic", at, digits=6)]
['0.2516...']
>>> at = {eps: Rational(1, 10), slack: Rational(1, 10**6)}
>>> found = crossover(BRANCHES["linear"], BRANCHES["logarithmic"], k, 1, 1000, at, digits=6)
>>> print(found)
29.2515...
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

import sympy
from sympy import E, Expr, Integer, Rational, Symbol, exp, log, sqrt, tanh

from symdp.formulas.notation import delta, eps, exact, k, slack
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Relation
from symdp.numbers.ranges import sign_at
from symdp.privacy.accounting import bounds
from symdp.search.view.identity import identical
from symdp.typeset.numerals import decimal_latex
from symdp.typeset.typesetting import latex

#: The entries of the minimum of Theorem 3.4.
BRANCHES: dict[str, Expr] = {
    branch.name: branch.closed_form() for branch in (bounds.linear, bounds.logarithmic, bounds.classic)}

#: The closed forms of the sources. The linear one is also basic composition, and that of the post is
#: also what concentrated privacy gives; Renyi's has an order to choose, and is no closed form.
DEVIATIONS: dict[str, bounds.Deviation] = {bound.name: bound for bound in (
    bounds.advanced, bounds.logarithmic, bounds.classic, bounds.small_logarithmic, bounds.small_classic,
    bounds.note, bounds.blog)}
CLOSED_FORMS: dict[str, Expr] = {
    "linear": BRANCHES["linear"], **{name: bound.closed_form() for name, bound in DEVIATIONS.items()}}
#: The drifts, the smallest first: each is at most the next, for every eps > 0.
DRIFTS: tuple[Expr, ...] = (eps * tanh(eps / 2), eps**2 / 2, eps**2, eps * (exp(eps) - 1))

#: Laplace noise per query for k queries at a total (eps, delta): by basic and by advanced composition.
NOISE: dict[str, Expr] = {
    "basic": k / eps,
    "advanced": sqrt(k * (4 * log(1 / delta) + 4 * eps) / (2 * eps**2)),
}
#: The number of queries from which advanced composition needs less noise.
queries_where_equal: Expr = 2 * log(1 / delta) + 2 * eps


@dataclass(frozen=True)
class Meeting:
    """Where two bounds are equal, or why they never are."""

    one: str
    two: str
    variable: Symbol
    #: the value of the variable; None where there is no closed form, or no meeting
    value: Expr | None = None
    #: what must hold besides: there is no meeting otherwise
    provided: Relation | None = None
    #: the relation that makes the first bound the smaller one everywhere
    because: Relation | None = None

    def __str__(self) -> str:
        if self.because is not None:
            return f"{self.one} <= {self.two} everywhere, because {self.because}"
        if self.value is None:
            return f"{self.one} = {self.two} has no closed form in {self.variable}"
        besides = f", provided that {self.provided}" if self.provided is not None else ""
        return f"{self.one} = {self.two} at {self.variable} = {to_text(self.value)}{besides}"

    def _repr_latex_(self) -> str:
        names = [rf"\text{{{name}}}" for name in (self.one, self.two)]
        if self.because is not None:
            sides = rf"{latex(self.because.left)} \le {latex(self.because.right)}"
            return rf"${names[0]} \le {names[1]}$, because ${sides}$"
        if self.value is None:
            return rf"${names[0]} = {names[1]}$ has no closed form in ${latex(self.variable)}$"
        return rf"${names[0]} = {names[1]}$ at ${latex(self.variable)} = {latex(self.value)}$"


def meeting(one: str, two: str, variable: Symbol = slack) -> Meeting:
    """Where two of the closed forms are equal, as the value of the slack, of k, or of eps.

    >>> print(meeting("note", "advanced"))
    note = advanced at eps = 1
    """
    if variable not in (slack, k, eps):
        raise ValueError(f"the bounds meet in slack, k or eps, not in {variable}")
    if one == two:
        raise ValueError(f"{one} is the same bound twice")
    for name in (one, two):
        if name not in CLOSED_FORMS:
            raise ValueError(f"there is no closed form {name!r}; there are {', '.join(CLOSED_FORMS)}")
    if two == "linear":
        one, two = two, one
    if one == "linear":
        value = _with_linear(DEVIATIONS[two], variable)
        least = Relation(DRIFTS[_rank(DEVIATIONS[two])], "<", eps)
        return Meeting(one, two, variable, value, least if value is not None else None)
    first, second = DEVIATIONS[one], DEVIATIONS[two]
    same_drift, same_spread = _rank(first) == _rank(second), first.spread == second.spread
    if same_spread and first.shifted == second.shifted:
        smaller, larger = sorted((first, second), key=_rank)
        because = Relation(DRIFTS[_rank(smaller)], "<=", DRIFTS[_rank(larger)])
        return Meeting(smaller.name, larger.name, variable, because=because)
    if same_drift and same_spread:
        least = (Relation(sqrt(k) * _root(first.spread), "<", Integer(1)) if variable == slack
                 else Relation(slack, "<", 1 / E))
        value = _with_shift(first.spread, variable)
        return Meeting(one, two, variable, value, least if value is not None else None)
    if not first.shifted and not second.shifted and same_drift:
        return Meeting(one, two, eps, Integer(1))  # where the spreads are equal: eps = eps^2
    if not first.shifted and not second.shifted:
        return Meeting(one, two, variable, *_with_other_spread(first, second, variable))
    return Meeting(one, two, variable)


def _rank(bound: bounds.Deviation) -> int:
    """The place of a drift in their order."""
    return next(n for n, drift in enumerate(DRIFTS) if identical(drift, bound.drift))


def _with_linear(bound: bounds.Deviation, variable: Symbol) -> Expr | None:
    """k eps - k d = sqrt(2 k s log u) says log u = k (eps - d)^2/(2 s); it needs d < eps."""
    rate = sympy.factor((eps - bound.drift) ** 2 / (2 * bound.spread))
    if variable == slack:
        return sqrt(k * bound.spread) / (exp(k * rate) - E) if bound.shifted else exp(-k * rate)
    return log(1 / slack) / rate if variable == k and not bound.shifted else None


def _with_shift(spread: Expr, variable: Symbol) -> Expr | None:
    """1/slack = e + sqrt(k s)/slack, whatever the drift."""
    if variable == slack:
        return sympy.sympify((1 - sqrt(k) * _root(spread)) / E)
    if variable == k:
        return sympy.sympify((1 - E * slack) ** 2 / spread)
    return sympy.sympify((1 - E * slack) / sqrt(k)) if spread == eps**2 else None


def _with_other_spread(
    one: bounds.Deviation, two: bounds.Deviation, variable: Symbol
) -> tuple[Expr | None, Relation | None]:
    """k d + sqrt(2 k s L) = k d' + sqrt(2 k s' L): the drift that is larger has the smaller spread."""
    gap = _root(one.spread) - _root(two.spread)
    more = DRIFTS[_rank(two)] - DRIFTS[_rank(one)]
    rate = more**2 / (2 * gap**2)
    if variable == eps:
        return None, None
    value = exp(-k * rate) if variable == slack else log(1 / slack) / rate
    return value, Relation(more * gap, ">", Integer(0))


def _root(spread: Expr) -> Expr:
    return eps if spread == eps**2 else sqrt(spread)


class NoCrossover(ValueError):
    """The signs at the two ends do not show a crossover."""


@dataclass(frozen=True)
class Crossover:
    """Two rational points between which the difference of two bounds changes its sign."""

    lower: Rational
    upper: Rational
    #: the sign of left - right at the lower point
    sign: int

    def __str__(self) -> str:
        return f"{self.digits()}..."

    def digits(self) -> str:
        """The digits that both ends share."""
        digits = 1
        while digits < 60:
            texts = [str(sympy.N(end, digits + 1)) for end in (self.lower, self.upper)]
            if texts[0] != texts[1]:
                break
            digits += 1
        return str(sympy.N(self.lower, max(digits - 1, 1)))

    def _repr_latex_(self) -> str:
        return rf"${decimal_latex(self.digits())}\ldots$"


def crossover(
    left: Expr, right: Expr, variable: Symbol, lower: object, upper: object,
    at: Mapping[Symbol, Expr] | None = None, digits: int = 10,
) -> Crossover:
    """Bisection between two points at which the difference has different, certain signs; by continuity
    it vanishes between the two points returned, whose distance is below 10^-digits."""
    low, high = Rational(exact(lower)), Rational(exact(upper))
    fixed = {v: exact(value) for v, value in (at or {}).items()}
    gap = left - right

    def sign(point: Rational) -> int | None:
        return sign_at(gap, {**fixed, variable: point})

    first, last = sign(low), sign(high)
    if first is None or last is None or 0 in (first, last) or first == last:
        raise NoCrossover(f"the difference has the signs {first} and {last} at {variable} = {low} and "
                          f"{high}; a crossover needs two that differ")
    width = Rational(1, 10**digits)
    while high - low > width:
        middle = (low + high) / 2
        here = sign(middle)
        if here == 0:
            return Crossover(middle, middle, first)
        if here is None:  # too close to tell: a point a little aside has a sign
            middle = low + (high - low) * Rational(9, 16)
            here = sign(middle)
            if here in (0, None):
                raise NoCrossover(f"the sign of the difference at {variable} = {middle} is too close to 0")
        low, high = (middle, high) if here == first else (low, middle)
    return Crossover(low, high, first)


def crossings(
    one: str, two: str, at: Mapping[Symbol, Expr], variable: Symbol = slack, digits: int = 10,
    low: object = Rational(1, 10**30), high: object = Rational(999, 1000), many: int = 60,
) -> list[Crossover]:
    """Every crossover of two closed forms that shows between two points: the signs of the difference
    are looked at on a geometric grid, and each change of sign is enclosed."""
    left, right = CLOSED_FORMS[one], CLOSED_FORMS[two]
    first, last = Rational(exact(low)), Rational(exact(high))
    step = float(sympy.log(last / first)) / many
    between = [Rational(f"{float(first) * math.exp(n * step):.17g}") for n in range(1, many)]
    signs = [(point, sign_at(left - right, {**at, variable: point})) for point in (first, *between, last)]
    certain = [(point, sign) for point, sign in signs if sign]
    return [crossover(left, right, variable, here, there, at, digits)
            for (here, before), (there, after) in itertools.pairwise(certain) if before != after]
