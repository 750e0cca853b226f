r"""Where the variables of a claim live.

A :class:`Domain` gives every variable an interval (open, closed or infinite at each end), says
which variables are integers, and keeps the conditions that relate variables to one another.

>>> from symdp.formulas.parsing import parse_conditions
>>> d = Domain.of(parse_conditions("0 < eps <= 0.9") + parse_conditions("k >= 1"), integers=["k"])
>>> print(d)
0 < eps <= 9/10, k >= 1 integer
>>> Domain.of(parse_conditions("x > 1") + parse_conditions("x < 1"))
Traceback (most recent call last):
...
symdp.numbers.domain.DomainError: no point satisfies x > 1 and x < 1

A relation on a domain stands for a goal of the kernel (:func:`goal_of`).

>>> from symdp.formulas.parsing import parse_relation
>>> print(goal_of(parse_relation("k*eps <= k"), d))
k*eps <= k for every real eps and integer k with eps > 0, eps <= 9/10, k >= 1
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice

import sympy
from sympy import Expr, Rational, Symbol, oo

from symdp.formulas.notation import exact, symbol
from symdp.formulas.printing import to_text
from symdp.formulas.relation import ForEvery, Relation
from symdp.formulas.translation import formula_of, said_of_each, term_of
from symdp.kernel import terms as t
from symdp.kernel.goals import INTEGER, REAL, Formula, Goal
from symdp.kernel.goals import Relation as KernelRelation
from symdp.numbers import floating
from symdp.numbers.ranges import Undefined, Unsupported, sign_at, sign_of_constant, whole_between
from symdp.numbers.simple_rationals import diagonal


class DomainError(ValueError):
    """The domain has no point, or cannot be understood."""


def _less(a: Expr, b: Expr) -> bool:
    """a < b for exact constants, either of which may be infinite; certain."""
    if a == b:
        return False
    if a == -oo or b == oo:
        return True
    if a == oo or b == -oo:
        return False
    if a.is_Rational and b.is_Rational:
        return int(a.p) * int(b.q) < int(b.p) * int(a.q)
    try:
        sign = sign_of_constant(b - a)
    except Undefined:
        raise DomainError(f"{a if b.is_Rational else b} is not a real number") from None
    if sign is None:
        raise DomainError(f"cannot tell which of {a} and {b} is larger")
    return sign > 0


@dataclass(frozen=True)
class Interval:
    """From ``lower`` to ``upper``: exact constants or infinities; infinite ends are open.

    >>> from sympy import Integer
    >>> print(Interval(Integer(0), oo, lower_open=True))
    (0, oo)
    """

    lower: Expr = -oo
    upper: Expr = oo
    lower_open: bool = False
    upper_open: bool = False

    def __post_init__(self) -> None:
        for side in ("lower", "upper"):
            end = exact(getattr(self, side))
            if end.free_symbols or end is sympy.nan or end is sympy.zoo:
                raise DomainError(f"an end of an interval is a constant; {end} is not")
            object.__setattr__(self, side, end)
            if end in (oo, -oo):
                object.__setattr__(self, f"{side}_open", True)
        if self.lower == oo or self.upper == -oo:
            raise DomainError("an interval cannot start at oo or end at -oo")

    def is_empty(self) -> bool:
        if self.lower == self.upper:
            return self.lower_open or self.upper_open
        return _less(self.upper, self.lower)

    def meet(self, other: Interval) -> Interval:
        lower, lower_open = self.lower, self.lower_open
        if _less(lower, other.lower):
            lower, lower_open = other.lower, other.lower_open
        elif lower == other.lower:
            lower_open = lower_open or other.lower_open
        upper, upper_open = self.upper, self.upper_open
        if _less(other.upper, upper):
            upper, upper_open = other.upper, other.upper_open
        elif upper == other.upper:
            upper_open = upper_open or other.upper_open
        return Interval(lower, upper, lower_open, upper_open)

    def contains(self, value: Expr) -> bool:
        """Whether an exact constant lies inside; certain.

        >>> from sympy import Integer
        >>> Interval(Integer(0), Integer(1), upper_open=True).contains(Integer(1))
        False
        """
        above = _less(self.lower, value) or (value == self.lower and not self.lower_open)
        below = _less(value, self.upper) or (value == self.upper and not self.upper_open)
        return above and below

    def covers(self, other: Interval) -> bool:
        """Whether every point of the other interval is a point of this one.

        >>> from sympy import Integer
        >>> Interval(Integer(0), oo).covers(Interval(Integer(0), Integer(1)))
        True
        >>> Interval(Integer(0), oo, lower_open=True).covers(Interval(Integer(0), Integer(1)))
        False
        """
        met = self.meet(other)
        return met == other

    def to_integers(self) -> Interval:
        """The smallest interval with the same integers, closed at finite ends.

        >>> from sympy import Integer
        >>> print(Interval(Integer(0), Integer(7) / 2, lower_open=True).to_integers())
        [1, 3]
        """
        lower, upper = self.lower, self.upper
        try:
            if lower != -oo:
                below, above = whole_between(lower)
                lower = sympy.Integer(below + 1 if self.lower_open else above)
            if upper != oo:
                below, above = whole_between(upper)
                upper = sympy.Integer(above - 1 if self.upper_open else below)
        except Unsupported as reason:
            raise DomainError(str(reason)) from reason
        return Interval(lower, upper)

    def __str__(self) -> str:
        left, right = "(" if self.lower_open else "[", ")" if self.upper_open else "]"
        return f"{left}{self.lower}, {self.upper}{right}"


#: Where things happen: both magnitudes near 0 and near infinity, and the simple fractions between.
_MAGNITUDES = [Rational(m) for m in (
    "0 1 1/2 2 1/10 10 1/3 3/2 3 1/4 3/4 2/3 5 1/100 100 9/10 11/10 1/1000 1000 20 50 1/50 1/5 4/5 "
    "6/5 4 7 30 99/100 1/10000 10000 1/1000000 1000000 1/1000000000"
).split()]


def simple_points(interval: Interval, integer: bool = False) -> list[Rational]:
    """Rational points of an interval, simple ones first, ends and their neighbourhoods included.

    >>> from sympy import Integer
    >>> simple_points(Interval(Integer(0), Integer(1), lower_open=True))[:4]
    [1, 1/2, 1/10, 1/3]
    """
    return list(_simple_points(interval, integer))


@lru_cache(maxsize=2000)
def _simple_points(interval: Interval, integer: bool) -> tuple[Rational, ...]:
    candidates = [s * m for m in _MAGNITUDES for s in (1, -1)]
    ends = [e for e in (interval.lower, interval.upper) if e not in (oo, -oo)]
    for end, inward in ((interval.lower, 1), (interval.upper, -1)):
        if end.is_Rational:
            candidates += [end + inward * m for m in _MAGNITUDES]
    if len(ends) == 2:
        low, high = (Rational(str(e.evalf(15))) if not e.is_Rational else e for e in ends)
        candidates += [low + (high - low) * Rational(i, 12) for i in range(1, 12)]
        candidates += [low + (high - low) * m for m in _MAGNITUDES if m < 1]
    seen = dict.fromkeys(c for c in candidates if c.is_Integer or not integer)
    return tuple(c for c in seen if interval.contains(c))


@dataclass(frozen=True)
class Domain:
    """The points over which a claim is quantified."""

    intervals: Mapping[Symbol, Interval]
    integers: frozenset[Symbol] = frozenset()
    conditions: tuple[Relation, ...] = ()
    #: what is known to hold at every point of the domain; it narrows enclosures, not the domain
    facts: tuple[Relation, ...] = ()

    def __post_init__(self) -> None:
        intervals, asked = {}, self.intervals
        for v in self.intervals:
            if v != Symbol(v.name):
                raise DomainError(f"{v} carries assumptions; a domain says where a plain symbol lives")
        for v in sorted(self.intervals, key=lambda s: str(s.name)):
            interval = self.intervals[v]
            intervals[v] = interval.to_integers() if v in self.integers else interval
        object.__setattr__(self, "intervals", intervals)
        for v in sorted(self.integers - set(intervals), key=str):
            raise DomainError(f"{v} is declared an integer but is not a variable of the claim")
        for condition in (*self.conditions, *self.facts):
            for v in sorted(condition.symbols - set(intervals), key=str):
                raise DomainError(f"the condition {condition} uses {v}, which has no interval")
        for v, interval in intervals.items():
            if interval.is_empty():
                kind, given = "integer " if v in self.integers else "", asked[v]
                lies = f"is {to_text(given.lower)}" if given.lower == given.upper else f"lies in {given}"
                raise DomainError(f"no {kind}{v} {lies}")

    def __hash__(self) -> int:
        return hash((tuple(self.intervals.items()), self.integers, self.conditions, self.facts))

    @classmethod
    def of(
        cls,
        relations: Iterable[Relation],
        integers: Iterable[str | Symbol] = (),
        variables: Iterable[Symbol] = (),
    ) -> Domain:
        """The domain given by relations; a variable without one ranges over all reals."""
        relations = tuple(relations)
        whole = {symbol(v) if isinstance(v, str) else v for v in integers}
        intervals = {v: Interval() for v in {*variables, *whole}}
        for relation in relations:
            for v in relation.symbols:
                intervals.setdefault(v, Interval())
        conditions = []
        for relation in relations:
            bound = bounds_one_variable(relation)
            if bound is None:
                conditions.append(relation)
                continue
            v, interval = bound
            met = intervals[v].meet(interval)
            if met.is_empty():
                about = " and ".join(str(r) for r in relations if v in r.symbols)
                raise DomainError(f"no point satisfies {about}")
            intervals[v] = met
        domain = cls(intervals, frozenset(whole), tuple(dict.fromkeys(conditions)))
        if conditions and find_point(domain) is None:
            about = " and ".join(str(r) for r in relations)
            cure = (
                "; solve an equality for one of its variables, and put that in"
                if any(c.op == "==" for c in conditions) else ""
            )
            raise DomainError(f"no point was found that satisfies {about}{cure}")
        return domain

    @property
    def variables(self) -> tuple[Symbol, ...]:
        """In the order of their names."""
        return tuple(self.intervals)

    def is_box(self) -> bool:
        """Whether there are no conditions between variables."""
        return not self.conditions

    def is_finite(self) -> bool:
        return all(i.lower != -oo and i.upper != oo for i in self.intervals.values())

    def replace_interval(self, v: Symbol, interval: Interval) -> Domain:
        """The domain with another interval for v, which must be a part of the old one."""
        return replace(self, intervals={**self.intervals, v: interval})

    def contains(self, point: Mapping[Symbol, Expr]) -> bool:
        """Whether a point with exact coordinates lies in the domain; certain."""
        for v, interval in self.intervals.items():
            value = point[v]
            if v in self.integers and not value.is_Integer:
                return False
            if not interval.contains(value):
                return False
        return all(holds_at(c, point) for c in self.conditions)

    def relations(self) -> tuple[Relation, ...]:
        """The domain as relations, intervals first; `Domain.of` reads them back."""
        found: list[Relation] = []
        for v, interval in self.intervals.items():
            if interval.lower == interval.upper:
                found.append(Relation(v, "==", interval.lower))
                continue
            if interval.lower != -oo:
                found.append(Relation(v, ">" if interval.lower_open else ">=", interval.lower))
            if interval.upper != oo:
                found.append(Relation(v, "<" if interval.upper_open else "<=", interval.upper))
        return (*found, *self.conditions)

    def __str__(self) -> str:
        return ", ".join((*(self._describe(v) for v in self.intervals),
                          *(str(c) for c in self.conditions)))

    def _describe(self, v: Symbol) -> str:
        i = self.intervals[v]
        kind = " integer" if v in self.integers else ""
        if i.lower == -oo and i.upper == oo:
            return f"{v} {'integer' if kind else 'real'}"
        if i.lower == i.upper:
            return f"{v} == {to_text(i.lower)}{kind}"
        above, below = ">" if i.lower_open else ">=", "<" if i.upper_open else "<="
        if i.upper == oo:
            return f"{v} {above} {to_text(i.lower)}{kind}"
        if i.lower == -oo:
            return f"{v} {below} {to_text(i.upper)}{kind}"
        start = f"{to_text(i.lower)} {'<' if i.lower_open else '<='} "
        return f"{start}{v} {below} {to_text(i.upper)}{kind}"


def without_end(domain: Domain, v: Symbol, at: Expr) -> Domain:
    """The domain with a closed end of the variable left out; DomainError where it is none."""
    interval = domain.intervals.get(v)
    if interval is None or v in domain.integers or interval.lower == interval.upper:
        raise DomainError(f"{v} = {at} is no closed end of the domain")
    if at == interval.lower and not interval.lower_open:
        return domain.replace_interval(v, Interval(at, interval.upper, True, interval.upper_open))
    if at == interval.upper and not interval.upper_open:
        return domain.replace_interval(v, Interval(interval.lower, at, interval.lower_open, True))
    raise DomainError(f"{v} = {at} is no closed end of the domain")


def _far_points(domain: Domain, v: Symbol) -> list[Rational]:
    """Coordinates of a size that the simple ones do not have: about as large as the numbers that the domain names,
    those of other variables and of conditions included, and large and small in themselves."""
    ends = [e for i in domain.intervals.values() for e in (i.lower, i.upper)]
    named = {n for e in (*ends, *(c.gap for c in domain.conditions)) for n in e.atoms(Rational)}
    far = sorted((n for n in named if n != 0 and not Rational(1, 10**6) <= abs(n) <= 10**6),
                 key=lambda n: (abs(n), n))
    candidates = [s * n * m for n in far for m in (1, 2, Rational(1, 2), 10, Rational(1, 10)) for s in (1, -1)]
    candidates += [n + s * m for n in far for m in (1, 10, 1000) for s in (1, -1)]
    candidates += [s * Rational(10) ** (t * power) for power in (9, 12, 20, 30, 60, 100, 200) for t in (1, -1)
                   for s in (1, -1)]
    integer, interval = v in domain.integers, domain.intervals[v]
    return [c for c in dict.fromkeys(candidates) if (c.is_Integer or not integer) and interval.contains(c)]


def find_point(domain: Domain) -> dict[Symbol, Expr] | None:
    """A point of the domain with simple exact coordinates, or None if none was found.

    >>> from symdp.formulas.notation import x, y
    >>> d = Domain({x: Interval(), y: Interval()}, conditions=(Relation(x, ">", y + 10),))
    >>> point = find_point(d)
    >>> d.contains(point)
    True
    >>> far = Domain({x: Interval(Rational(10) ** 20), y: Interval()}, conditions=(Relation(y, ">", 10**30 * x),))
    >>> far.contains(find_point(far))
    True
    """
    equations = [c for c in domain.conditions if c.op == "=="]
    solved: dict[Symbol, Expr] = {}
    for c in equations:  # a variable that occurs linearly follows from the others
        gap = c.gap.subs(solved)
        for v in sorted(gap.free_symbols, key=str):
            slope = gap.diff(v)
            if slope.is_Rational and slope != 0:
                value = (v - gap / slope).expand()
                solved = {other: e.subs(v, value) for other, e in solved.items()} | {v: value}
                break
    free = [v for v in domain.variables if v not in solved]
    residual = [floating.function(c.gap.subs(solved), free) for c in domain.conditions]
    tolerance = [-1e-9 if c.op == "==" else 0.0 for c in domain.conditions]
    choices = [[*dict.fromkeys((*simple_points(domain.intervals[v], v in domain.integers), *_far_points(domain, v)))]
               for v in free]
    for values in islice(diagonal(choices), 50_000):
        at = [float(v) for v in values]
        if any(not f(at) >= low for f, low in zip(residual, tolerance, strict=True)):
            continue
        point = dict(zip(free, values, strict=True))
        point |= {v: e.subs(point) for v, e in solved.items()}
        if domain.contains(point):
            return point
    return None if equations else _between_curves(domain)


#: How many values of the other variables are tried for a point between two curves.
MOST_PLACES = 300


def _between_curves(domain: Domain) -> dict[Symbol, Expr] | None:
    """A point of a domain that is thin along a variable: halfway between what the conditions say of it there.

    >>> from symdp.formulas.notation import x, y
    >>> thin = (Relation(y, ">", x**2), Relation(1000 * y, "<", 1001 * x**2))
    >>> d = Domain({x: Interval(sympy.Integer(0), oo, True), y: Interval()}, conditions=thin)
    >>> d.contains(_between_curves(d))
    True
    """
    for v in (v for v in domain.variables if v not in domain.integers):
        about = [c.gap for c in domain.conditions if v in c.symbols]
        slopes = [gap.diff(v) for gap in about]
        if len(about) < 2 or not all(a.is_Rational and a != 0 for a in slopes):
            continue
        others = [u for u in domain.variables if u != v]
        ends = [floating.function(v - gap / a, others) for gap, a in zip(about, slopes, strict=True)]
        choices = [simple_points(domain.intervals[u], u in domain.integers) for u in others]
        for values in islice(diagonal(choices), MOST_PLACES):
            found = [end([float(u) for u in values]) for end in ends]
            lows = [u for u, a in zip(found, slopes, strict=True) if a > 0] + [float(domain.intervals[v].lower)]
            highs = [u for u, a in zip(found, slopes, strict=True) if a < 0] + [float(domain.intervals[v].upper)]
            low, high = max(lows), min(highs)
            if math.isfinite(low) and math.isfinite(high) and low < high:
                point = dict(zip(others, values, strict=True)) | {v: _simply((low + high) / 2, (high - low) / 3)}
                if domain.contains(point):
                    return point
    return None


def _simply(value: float, within: float) -> Rational:
    """A short number that close to a value."""
    asked = Fraction(value)
    size = 1
    while abs(asked.limit_denominator(size) - asked) > within:
        size *= 4
    short = asked.limit_denominator(size)
    return Rational(short.numerator, short.denominator)


def bounds_one_variable(relation: Relation) -> tuple[Symbol, Interval] | None:
    """The interval that `x op c` (or `c op x`, or `|x| <= c`) stands for, if it is one.

    >>> from symdp.formulas.parsing import parse_relation
    >>> v, interval = bounds_one_variable(parse_relation("2 > x"))
    >>> print(v, interval)
    x (-oo, 2)
    """
    left, op, right = relation.left, relation.op, relation.right
    if not left.free_symbols:
        return None if not right.free_symbols else bounds_one_variable(relation.mirrored())
    if right.free_symbols:
        return None
    if left.is_Symbol:
        if op == "==":
            return left, Interval(right, right)
        if op in ("<", "<="):
            return left, Interval(-oo, right, upper_open=op == "<")
        return left, Interval(right, oo, lower_open=op == ">")
    if isinstance(left, sympy.Abs) and left.args[0].is_Symbol and op in ("<", "<="):
        if sign_of_constant(right) == -1:
            raise DomainError(f"no point satisfies {relation}")
        is_open = op == "<"
        return left.args[0], Interval(-right, right, is_open, is_open)
    return None


def holds_at(relation: Relation, point: Mapping[Symbol, Expr]) -> bool:
    """Whether a relation holds at a point with exact coordinates; False also when unsure."""
    try:
        sign = sign_at(relation.gap, {v: point[v] for v in relation.symbols}, most_bits=512)
    except Undefined:
        return False
    if relation.op == "==":
        return sign == 0
    return sign == 1 or (sign == 0 and not relation.strict)


def hypotheses_of(domain: Domain) -> tuple[Formula, ...]:
    """Intervals and conditions of a domain as hypotheses; what is known besides comes last."""
    found = (*domain.relations(), *domain.facts)
    return tuple(dict.fromkeys(KernelRelation(term_of(r.left), r.op, term_of(r.right)) for r in found))


def sorts_of(domain: Domain) -> tuple[tuple[str, str], ...]:
    return tuple((str(v.name), INTEGER if v in domain.integers else REAL) for v in domain.variables)


@lru_cache(maxsize=500)
def setting_of(domain: Domain) -> Goal:
    """A goal that claims nothing, for those who ask what its hypotheses say."""
    return Goal(sorts_of(domain), hypotheses_of(domain), KernelRelation(t.ZERO, "<=", t.ZERO))


def goal_of(relation: Relation, domain: Domain, members: Iterable[Relation | ForEvery] = ()) -> Goal:
    """The formal goal that a relation on a domain stands for, with what else is known: of members of families, or for
    every integer of a range."""
    known = [said_of_each(m) if isinstance(m, ForEvery) else formula_of(m) for m in members]
    claim, hypotheses = formula_of(relation), (*hypotheses_of(domain), *known)
    families = sorted(claim.families.union(*(h.families for h in hypotheses)))
    return Goal(sorts_of(domain), hypotheses, claim, tuple((name, REAL) for name in families))
