r"""Limits by structure: what a term tends to where a variable runs to an end. **Trusted.**

The limit of a sum, product, quotient, power or elementary function follows from the limits of its parts
whenever that is not an indeterminate form. For products and sums that are, the growth of their parts
decides: $e^{P(v)} v^d (\log v)^j$ with leading coefficients of known sign. What even that does not settle
is refused.

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import apply, number, variable
>>> x, y, one = variable("x"), variable("y"), number(1)
>>> above = tuple(Relation(v, ">", number(0)) for v in (x, y))
>>> goal = Goal((("x", REAL), ("y", REAL)), above, Relation(x, "<=", x))
>>> print(limit(y + apply("exp", -x) / (one + x), "x", PLUS_INFINITY, goal))
y
>>> limit(y * x - apply("log", x), "x", PLUS_INFINITY, goal)
<Infinity.PLUS: 1>
>>> print(limit(x * apply("log", x), "x", number(0), goal))
0
>>> limit(x ** number(2) + apply("log", apply("erfc", x)), "x", PLUS_INFINITY, goal)
Traceback (most recent call last):
...
symdp.kernel.proof.Rejected: the growth of a logarithm is not known

**What a limit means.** Fix the other variables and families. If points at which all hypotheses of the goal
hold come arbitrarily close to the end, then along all of them the term tends to the answer. Whether there
are such points, and whether they reach the end, is for the rule to see that asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from flint import arb, fmpq

from symdp.kernel import terms
from symdp.kernel.enclosure import constant_value, need_defined, range_on
from symdp.kernel.goals import INTEGER, REAL, Goal, Relation
from symdp.kernel.identity import identical
from symdp.kernel.normal_form import Algebra, NowhereDefined
from symdp.kernel.polynomial import TooLarge
from symdp.kernel.proof import Rejected
from symdp.kernel.ranges import MONOTONE, Range, Undefined, Unsupported, Vacuous
from symdp.kernel.terms import BINDERS, ONE, ZERO, Term, add, apply, binder, fresh, number, variable


class Infinity(Enum):
    PLUS = 1
    MINUS = -1


PLUS_INFINITY, MINUS_INFINITY = Infinity.PLUS, Infinity.MINUS
Limit = Term | Infinity


def _end(value: arb) -> Limit:
    finite = Range(value, value).integer()
    return number(finite) if finite is not None else PLUS_INFINITY if value > 0 else MINUS_INFINITY


#: Larger terms are not looked at.
LONGEST, DEEPEST = 3000, 60

#: The limits of functions at -oo and oo.
_AT_INFINITY: dict[str, tuple[Limit, Limit]] = {
    **{name: (_end(low), _end(high)) for name, (_, low, high) in MONOTONE.items()},
    "cosh": (PLUS_INFINITY, PLUS_INFINITY), "abs": (PLUS_INFINITY, PLUS_INFINITY),
    "floor": (MINUS_INFINITY, PLUS_INFINITY),
}
#: Defined for positive numbers only, and growing to oo.
_OF_POSITIVE = ("log", "gamma", "loggamma")
_CONTINUOUS = (*MONOTONE, "cosh", "abs", "sin", "cos")


def limit(term: Term, v: str, at: Limit, goal: Goal, from_above: bool = True) -> Limit:
    """The limit as v tends to ``at`` (from above or below, if that is no infinity) through points at which
    the hypotheses hold: a term in the other variables, or an infinity.

    Rejected where the structure does not tell; Undefined unless the term is defined wherever the hypotheses
    hold.
    """
    sort = dict(goal.sorts).get(v)
    if sort is None:
        raise Rejected(f"{v} is no variable")
    if term.size > LONGEST or term.depth > DEEPEST:
        raise Rejected("the term is too long for a limit")
    need_defined([term], goal)
    if isinstance(at, Term):
        if v in at.variables or at.loose or sort != REAL:
            raise Rejected(f"{v} does not tend to that")
        need_defined([at], goal)
        try:
            return _Limit(v, at, goal).of(term)
        except (Rejected, Undefined, Unsupported):
            pass
    # Growth is measured towards infinity: v = at +- 1/w, or v = -w.
    name = fresh("w", goal.taken | {v})
    w = variable(name)
    if isinstance(at, Term):
        step = ONE / w if from_above else -(ONE / w)
        forward = step if at is ZERO else at + step
    elif at is MINUS_INFINITY:
        forward = -w
    else:
        name, forward = v, variable(v)
        w = forward
    # Only what is beyond 1 matters, so that may be assumed.
    far = Relation(w, ">=", ONE)
    moved = Goal(tuple((name if n == v else n, s) for n, s in goal.sorts),
                 (*(h.substitute({v: forward}) for h in goal.hypotheses), far), far, goal.families)
    return _Limit(name, PLUS_INFINITY, moved).of(terms.substitute(term, {v: forward}))


@dataclass(frozen=True)
class _Growth:
    """sign * exp(P(v)) * v^degree * log(v)^logs with a polynomial P, the ``rate``, up to a factor that
    tends to a positive constant.

    ``exact`` is False if the true size may be smaller, and the sign another; then only a limit of 0 may
    be concluded.
    """

    rate: Term = ZERO
    degree: fmpq = field(default_factory=lambda: fmpq(0))
    logs: int = 0
    sign: int = 1
    exact: bool = True

    def times(self, other: _Growth) -> _Growth:
        rate = _folded_sum([self.rate, other.rate])
        return _Growth(rate, self.degree + other.degree, self.logs + other.logs, self.sign * other.sign,
                       self.exact and other.exact)


_BOUNDED = _Growth(exact=False)


class _Limit:
    """Limits as v tends to an end, in one goal."""

    def __init__(self, v: str, at: Limit, goal: Goal) -> None:
        self.v, self.at, self.goal = v, at, goal
        self._algebra = Algebra((), goal.whole)
        # What fails is remembered as well: otherwise the work could double with every level.
        self._limits: dict[Term, Limit | Exception] = {}
        self._growths: dict[Term, _Growth | Exception] = {}

    def of(self, term: Term) -> Limit:
        if self.v not in term.variables:
            return term
        return _once(self._of, term, self._limits)

    def _of(self, term: Term) -> Limit:
        head = term.head
        if head == "variable":
            return self.at
        if head in ("+", "-"):
            return self._sum(term)
        if head in ("*", "/", "neg"):
            return self._product(_factors(term))
        if head == "^":
            return self._power(*term.args)
        if head in ("min", "max"):
            return self._extreme(term)
        if head in BINDERS:
            return self._repeated(term)
        if head == "sqrt":
            return self._power(term.args[0], number(1, 2))
        if head == "binomial" and (product := terms.falling(*term.args)) is not None:
            return self.of(product)
        if len(term.args) != 1 or head == "member":
            raise Rejected(f"{head} has no limit by structure")
        return self._function(head, term.args[0])

    # --- signs --------------------------------------------------------------------------------

    def _range(self, value: Term) -> Range:
        return range_on(value, self.goal)

    def _sign(self, value: Limit) -> int:
        """The sign of a limit that is zero nowhere."""
        if isinstance(value, Infinity):
            return value.value
        r = self._range(value)
        if r.is_positive():
            return 1
        if r.is_negative():
            return -1
        raise Rejected("the sign of a limit is not known")

    def _is_zero(self, value: Limit) -> bool:
        return isinstance(value, Term) and (
            identical(value, ZERO, whole=self.goal.whole) or self._range(value).is_zero())

    # --- by structure -------------------------------------------------------------------------

    def _sum(self, term: Term) -> Limit:
        if self.at is PLUS_INFINITY:
            p = self._polynomial(term)
            if p is not None:
                return Infinity(self._sign(p[-1])) if len(p) > 1 else p[0]
        terms = _terms(term)
        try:
            parts = [self.of(t) for t in terms]
        except Rejected:  # what has no limit may be outgrown by something that has one
            return self._outcome(self._dominant(terms))
        ends = {p for p in parts if isinstance(p, Infinity)}
        if len(ends) > 1:
            return self._outcome(self._dominant(terms))
        if ends:
            return ends.pop()
        return _folded_sum([p for p in parts if isinstance(p, Term)])

    def _product(self, factors: list[Term]) -> Limit:
        if any(self.v not in t.variables and self._is_zero(t) for t in factors):
            return ZERO
        parts = [self.of(t) for t in factors]
        if not any(isinstance(p, Infinity) for p in parts):
            return _folded_product([p for p in parts if isinstance(p, Term)])
        if any(self._is_zero(p) for p in parts):
            growth = _Growth()
            for t in factors:
                growth = growth.times(self._growth(t))
            return self._outcome(growth)
        sign = 1
        for p in parts:
            sign *= self._sign(p)
        return Infinity(sign)

    def _extreme(self, term: Term) -> Limit:
        parts = [self.of(a) for a in term.args]
        wins = MINUS_INFINITY if term.head == "min" else PLUS_INFINITY
        if wins in parts:
            return wins
        finite = [p for p in parts if isinstance(p, Term)]
        # The other infinity loses against every number.
        return _folded(apply(term.head, *finite)) if finite else Infinity(-wins.value)

    def _repeated(self, term: Term) -> Limit:
        """A finite sum or product with fixed bounds, term by term."""
        low, high, body = term.args
        if self.v in low.variables | high.variables:
            raise Rejected(f"the bounds of a {term.head} move")
        name = fresh("i", self.goal.taken | term.variables)
        index = variable(name)
        bounds = (Relation(low, "<=", index), Relation(index, "<=", high))
        inside = self.goal.with_variable(name, INTEGER).claiming(self.goal.claim, *bounds)
        try:
            value = _Limit(self.v, self.at, inside).of(terms.instantiate(body, index))
        except Vacuous:
            raise Rejected(f"a {term.head} is empty") from None
        if isinstance(value, Infinity):
            raise Rejected(f"the terms of a {term.head} have no finite limits")
        return binder(term.head, low, high, terms.close(value, name), term.hint)

    def _function(self, head: str, inner: Term) -> Limit:
        argument = self.of(inner)
        if isinstance(argument, Infinity):
            if head in _AT_INFINITY:
                return _AT_INFINITY[head][argument is PLUS_INFINITY]
            if head in _OF_POSITIVE and argument is PLUS_INFINITY:
                return PLUS_INFINITY
            raise Rejected(f"{head} has no limit there")
        if head in _OF_POSITIVE:
            if self._is_zero(argument):  # it is positive on its way to 0, since the term is defined
                return MINUS_INFINITY if head == "log" else PLUS_INFINITY
            if self._sign(argument) < 0:
                raise Rejected(f"{head} of a negative limit")
            return _folded(apply(head, argument))
        if head in _CONTINUOUS:
            return _folded(apply(head, argument))
        raise Rejected(f"{head} has no limit by structure")

    # --- powers -------------------------------------------------------------------------------

    def _power(self, base: Term, exponent: Term) -> Limit:
        if self.v in exponent.variables:
            return self._function("exp", self._exponent(base, exponent))
        b = self.of(base)
        literal = exponent.value if exponent.head == "number" else None
        if literal is not None and literal == 0:
            return ONE
        if isinstance(b, Infinity):
            return self._power_of_infinity(b, exponent)
        if literal is not None and literal > 0:
            return _folded(b**exponent)  # continuous wherever it is defined
        if self._is_zero(b):
            return self._power_of_zero(base, exponent)
        # Continuous where the base stays away from 0; below 0 only for an integer.
        if self._sign(b) < 0 and not self.goal.whole(exponent):
            raise Rejected("a general power of something negative")
        return _folded(b**exponent)

    def _exponent(self, base: Term, exponent: Term) -> Term:
        """u with base^exponent = exp(u), which asks for a positive base."""
        if base is terms.constant("e"):
            return exponent
        if not self._range(base).is_positive():
            raise Rejected("a power whose base may be 0 has no limit by structure")
        return exponent * apply("log", base)

    def _power_of_infinity(self, b: Infinity, exponent: Term) -> Limit:
        literal = exponent.value if exponent.head == "number" else None
        if literal is not None and literal < 0:
            return ZERO
        if b is PLUS_INFINITY:
            return PLUS_INFINITY if self._sign(exponent) > 0 else ZERO
        if literal is None or literal.q != 1:
            raise Rejected("a general power of -oo has no limit")
        return PLUS_INFINITY if int(literal) % 2 == 0 else MINUS_INFINITY

    def _power_of_zero(self, base: Term, exponent: Term) -> Limit:
        if self._sign(exponent) > 0:
            return ZERO
        if exponent.head == "number" and exponent.value.q == 1 and int(exponent.value) % 2 == 0:
            return PLUS_INFINITY
        r = self._range(base)  # the base has one sign on its way to 0
        if r.is_nonnegative():
            return PLUS_INFINITY
        if r.is_nonpositive() and exponent.head == "number" and exponent.value.q == 1:
            return MINUS_INFINITY
        raise Rejected("1/0 has no limit by structure")

    # --- growth towards infinity --------------------------------------------------------------

    def _dominant(self, terms: list[Term]) -> _Growth:
        """A sum follows its fastest growing term, if there is exactly one."""
        self._need_infinity()
        # Polynomials are added up first, since their leading terms may cancel.
        simple = [t for t in terms if self._polynomial(t) is not None]
        growths = [self._growth_or_bound(t) for t in terms if t not in simple]
        total = self._polynomial(add(*simple)) if simple else None
        if total is not None and len(total) > 1:
            growths.append(self._leading(total))
        elif total is not None and not self._is_zero(total[0]):
            growths.append(self._growth_or_bound(total[0]))
        elif simple and total is None:
            raise Rejected("a sum is too long")
        for i, g in enumerate(growths):
            if g.exact and all(self._compare(g, h) > 0 for j, h in enumerate(growths) if j != i):
                return g
        raise Rejected("no term of a sum is seen to outgrow the others")

    def _need_infinity(self) -> None:
        if self.at is not PLUS_INFINITY:
            raise Rejected("growth is measured at infinity only")

    def _leading(self, p: list[Term]) -> _Growth:
        degree = fmpq(len(p) - 1)
        try:
            return _Growth(degree=degree, sign=self._sign(p[-1]))
        except Rejected:
            return _Growth(degree=degree, exact=False)

    def _growth_or_bound(self, term: Term) -> _Growth:
        try:
            return self._growth(term)
        except Rejected:
            if isinstance(self.of(term), Infinity):
                raise
            return _BOUNDED

    def _outcome(self, g: _Growth) -> Limit:
        self._need_infinity()
        size = self._compare(g, _Growth())
        if size < 0:
            return ZERO
        if size > 0 and g.exact:
            return Infinity(g.sign)
        raise Rejected("the growth of the parts does not tell the limit")

    def _compare(self, a: _Growth, b: _Growth) -> int:
        """1 if a outgrows b, -1 if b outgrows a, 0 if they are of one size."""
        faster = self._leading_rate(a.rate - b.rate)
        if faster is not None:
            return self._sign(faster[1])
        if a.degree != b.degree:
            return 1 if a.degree > b.degree else -1
        return (a.logs > b.logs) - (a.logs < b.logs)

    def _growth(self, term: Term) -> _Growth:
        return _once(self._growth_of, term, self._growths)

    def _growth_of(self, term: Term) -> _Growth:
        self._need_infinity()
        if self.v not in term.variables:
            return _Growth(sign=self._sign(term))
        head = term.head
        if head in ("*", "/", "neg"):
            growth = _Growth()
            for factor in _factors(term):
                growth = growth.times(self._growth(factor))
            return growth
        if head == "variable":
            return _Growth(degree=fmpq(1))
        if head in ("+", "-"):
            return self._dominant(_terms(term))
        if head == "exp":
            return _Growth(self._rate(term.args[0]))
        if head in ("sinh", "cosh") and self.of(term.args[0]) is PLUS_INFINITY:
            return _Growth(self._rate(term.args[0]))
        if head in ("erfc", "Phi") and self._is_zero(self.of(term)):
            return self._gaussian_tail(term)
        if head == "log" and isinstance(self.of(term), Infinity):
            return self._growth_of_logarithm(term)
        if head == "sqrt":
            return self._growth_of_power(term.args[0], fmpq(1, 2))
        if head == "^":
            base, exponent = term.args
            if exponent.head == "number":
                return self._growth_of_power(base, exponent.value)
            if self.v in exponent.variables:
                return _Growth(self._rate(self._exponent(base, exponent)))
        value = self.of(term)
        if isinstance(value, Infinity) or self._is_zero(value):
            raise Rejected("the growth of a part is not known")
        return _Growth(sign=self._sign(value))

    def _growth_of_logarithm(self, term: Term) -> _Growth:
        inner = self._growth(term.args[0])
        top = self._leading_rate(inner.rate)
        if not inner.exact or (top is None and inner.degree == 0):
            raise Rejected("the growth of a logarithm is not known")
        if top is not None:  # log exp(P) grows like the leading term of P
            return _Growth(degree=fmpq(top[0]), sign=self._sign(top[1]))
        return _Growth(logs=1, sign=1 if inner.degree > 0 else -1)

    def _growth_of_power(self, base: Term, e: fmpq) -> _Growth:
        inner = self._growth(base)
        if e < 0 and not inner.exact:
            raise Rejected("the growth of a quotient is not known")
        if e.q != 1 and inner.exact and inner.sign < 0:
            raise Rejected("a root of something negative")
        if (inner.logs * e).q != 1:
            raise Rejected("a root of a logarithm")
        if e == 0:
            return _Growth()
        rate = _folded_product([number(e), inner.rate])
        odd = e.q == 1 and int(e) % 2
        return _Growth(rate, inner.degree * e, int(inner.logs * e), inner.sign if odd else 1, inner.exact)

    def _gaussian_tail(self, term: Term) -> _Growth:
        """0 < erfc(u) <= exp(-u^2) for u >= 0, and Phi(-u) = erfc(u/sqrt(2))/2."""
        scale = number(-1) if term.head == "erfc" else number(-1, 2)
        return _Growth(self._rate(scale * term.args[0] ** number(2)), exact=False)

    def _rate(self, exponent: Term) -> Term:
        if self._polynomial(exponent) is None:
            raise Rejected("the growth of an exponential is not known")
        return exponent

    def _leading_rate(self, rate: Term) -> tuple[int, Term] | None:
        """The degree and the coefficient of the leading term, if that is no constant."""
        p = self._polynomial(rate)
        if p is None:
            raise Rejected("the growth of an exponential is not known")
        return (len(p) - 1, p[-1]) if len(p) > 1 else None

    def _polynomial(self, term: Term) -> list[Term] | None:
        """The coefficients of a polynomial in v, the last one not zero unless it is the only one; None if
        it is no polynomial."""
        try:
            p = self._algebra.polynomial_in(term, self.v)
        except (TooLarge, NowhereDefined):
            return None
        while p is not None and len(p) > 1 and self._is_zero(p[-1]):
            p.pop()
        return p


_Found = TypeVar("_Found")


def _once(find: Callable[[Term], _Found], term: Term, known: dict[Term, _Found | Exception]) -> _Found:
    """What is found for a term, or why nothing is, looked for once."""
    if term not in known:
        try:
            known[term] = find(term)
        except (Rejected, Undefined, Unsupported) as reason:
            known[term] = reason
    found = known[term]
    if isinstance(found, Exception):
        raise found
    return found


# --- terms and factors -----------------------------------------------------------


def _terms(term: Term) -> list[Term]:
    """What is added up in a sum."""
    if term.head == "+":
        return [t for a in term.args for t in _terms(a)]
    if term.head == "-":
        return [*_terms(term.args[0]), *(-t for t in _terms(term.args[1]))]
    return [term]


def _factors(term: Term) -> list[Term]:
    """What is multiplied in a product or quotient."""
    if term.head == "*":
        return [t for a in term.args for t in _factors(a)]
    if term.head == "neg":
        return [number(-1), *_factors(term.args[0])]
    if term.head == "/":
        return [*_factors(term.args[0]), *(t ** number(-1) for t in _factors(term.args[1]))]
    return [term]


def _folded(term: Term) -> Term:
    """The same value, as a number where that is seen. The term is known to be defined."""
    if term.head == "number":
        return term
    if term.size > LONGEST:
        raise Rejected("a limit grows too long")
    if not term.is_closed:
        return term
    try:
        value = constant_value(term).exact
    except (Undefined, Unsupported):
        return term
    return term if value is None else number(value)


def _folded_sum(parts: list[Term]) -> Term:
    kept = [p for p in parts if p is not ZERO]
    return _folded(add(*kept)) if kept else ZERO


def _folded_product(parts: list[Term]) -> Term:
    if ZERO in parts:
        return ZERO
    kept = [p for p in parts if p is not ONE]
    return _folded(terms.mul(*kept)) if kept else ONE
