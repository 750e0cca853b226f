r"""Limits by structure: what a term tends to where a variable runs to an end. **Trusted.**

Every part of a term is compared with a *size* $e^{P(v)} v^d (\log v)^j$, of which P is a polynomial without a
constant: the quotient of the two tends to a coefficient, which does not depend on v. Coefficients and sizes of
products multiply; a sum has the largest size among its terms, and the coefficients of those that have it add up.
The limit is the coefficient if the size is 1, and 0 or infinite if it is smaller or larger. Of some parts it is
known only that they tend to infinity. What that does not settle is refused.

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
symdp.kernel.proof.Rejected: the sign of a limit is not known

**What a limit means.** Fix the other variables and families. If points at which all hypotheses of the goal
hold come arbitrarily close to the end, then along all of them the term tends to the answer. Whether there
are such points, and whether they reach the end, is for the rule to see that asks.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest

from flint import arb, fmpq

from symdp.kernel import terms
from symdp.kernel.algebra.identity import identical
from symdp.kernel.algebra.normal_form import Algebra, NowhereDefined
from symdp.kernel.algebra.polynomial import TooLarge
from symdp.kernel.functions.record import MINUS_INFINITY, PLUS_INFINITY, Infinity, Limit, ball_of
from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Rejected
from symdp.kernel.terms import FUNCTIONS, ONE, ZERO, Term, add, apply, fresh, number, variable
from symdp.kernel.values.enclosure import constant_value, need_defined, range_on
from symdp.kernel.values.ranges import Undefined, Unsupported

__all__ = ["MINUS_INFINITY", "PLUS_INFINITY", "Infinity", "Limit", "limit"]
_NOT_AT_ALL = fmpq(0)
#: Larger terms are not looked at.
LONGEST, DEEPEST = 3000, 60


def limit(term: Term, v: str, at: Limit, goal: Goal, from_above: bool = True) -> Limit:
    """The limit as v tends to ``at`` (from above or below, if that is no infinity) through points at which
    the hypotheses hold: a term in the other variables, or an infinity.

    Rejected where the structure does not tell; Undefined unless the term is defined wherever the hypotheses
    hold.
    """
    sort = dict(goal.sorts).get(v)
    Rejected.unless(sort is not None, f"{v} is no variable")
    Rejected.unless(term.size <= LONGEST and term.depth <= DEEPEST, "the term is too long for a limit")
    need_defined([term], goal)
    if isinstance(at, Term):
        Rejected.unless(v not in at.variables and (not at.loose) and (sort == REAL), f"{v} does not tend to that")
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
    """The quotient by exp(P(v)) * v^degree * log(v)^logs tends to the coefficient, a term without v.

    ``rate`` has the coefficients of P from that of v on, the last one not seen to be zero.
    """

    coefficient: Term
    rate: tuple[Term, ...] = ()
    degree: fmpq = _NOT_AT_ALL
    logs: fmpq = _NOT_AT_ALL


#: A growth, or an infinity where nothing but the limit is known.
_Record = _Growth | Infinity
_STEADY = _Growth(ONE)


class _Limit:
    """Limits as v tends to an end, in one goal."""

    def __init__(self, v: str, at: Limit, goal: Goal) -> None:
        self.v, self.at, self.goal = v, at, goal
        self._algebra = Algebra((), goal.whole)
        # What fails is remembered as well: otherwise the work could double with every level.
        self._records: dict[Term, _Record | Exception] = {}

    def of(self, term: Term) -> Limit:
        return self._limit(self._record(term))

    def _limit(self, r: _Record) -> Limit:
        if isinstance(r, Infinity):
            return r
        size = self._compare(r, _STEADY)
        return r.coefficient if size == 0 else ZERO if size < 0 else Infinity(self._sign(r.coefficient))

    def _record(self, term: Term) -> _Record:
        if self.v not in term.variables:
            return _Growth(term)
        if term not in self._records:
            try:
                self._records[term] = self._of(term)
            except (Rejected, Undefined, Unsupported) as reason:
                self._records[term] = reason
        found = self._records[term]
        if isinstance(found, Exception):
            raise found
        return found

    def _of(self, term: Term) -> _Record:
        head, args = term.head, term.args
        if head == "variable":
            return _Growth(self.at) if isinstance(self.at, Term) else _Growth(ONE, degree=fmpq(1))
        if head in ("+", "-"):
            return self._sum(_terms(term))
        if head in ("*", "/", "neg"):
            return self._product(_factors(term))
        if head == "^":
            return self._power(*args)
        if head in ("min", "max"):
            return self._extreme(term)
        if head == "sqrt":
            return self._power(args[0], number(1, 2))
        if head not in FUNCTIONS:  # sums and products over a range are not looked into
            raise Rejected(f"{head} has no limit by structure")
        return self._function(head, *args)

    # --- signs and sizes ----------------------------------------------------------------------

    def _sign(self, value: Limit) -> int:
        """The sign of a limit that is zero nowhere."""
        if isinstance(value, Infinity):
            return value.value
        r = range_on(value, self.goal)
        if r.is_positive():
            return 1
        if r.is_negative():
            return -1
        raise Rejected("the sign of a limit is not known")

    def _is_zero(self, value: Limit) -> bool:
        return isinstance(value, Term) and (
            identical(value, ZERO, whole=self.goal.whole) or range_on(value, self.goal).is_zero())

    def _trimmed(self, p: list[Term]) -> list[Term]:
        """The coefficients of a polynomial, the last one not seen to be zero."""
        while p and self._is_zero(p[-1]):
            p.pop()
        return p

    def _rates(self, a: tuple[Term, ...], b: tuple[Term, ...]) -> list[Term]:
        return self._trimmed([_folded_sum([*pair]) for pair in zip_longest(a, b, fillvalue=ZERO)])

    def _compare(self, a: _Growth, b: _Growth) -> int:
        """1 if the size of a is larger than that of b, -1 if it is smaller, 0 if it is the same."""
        faster = self._rates(a.rate, tuple(_folded(-c) for c in b.rate))
        if faster:
            return self._sign(faster[-1])
        one, other = (a.degree, a.logs), (b.degree, b.logs)
        return (one > other) - (one < other)

    def _polynomial(self, term: Term) -> list[Term] | None:
        """The coefficients of a polynomial in v; None if it is none, or v does not go to infinity."""
        try:
            p = self._algebra.polynomial_in(term, self.v) if self.at is PLUS_INFINITY else None
        except (TooLarge, NowhereDefined):
            return None
        return None if p is None else self._trimmed(p)

    # --- by structure -------------------------------------------------------------------------

    def _sum(self, parts: list[Term]) -> _Record:
        # Polynomials are added up first, since their leading terms may cancel; and so is what does not move.
        simple = [t for t in parts if self.v not in t.variables or self._polynomial(t) is not None]
        records = [self._record(t) for t in parts if t not in simple]
        if self.at is not PLUS_INFINITY:
            records += [_Growth(t) for t in simple]
        elif (p := self._polynomial(add(ZERO, *simple))) is None:
            raise Rejected("a sum is too long")
        elif p:
            records.append(_Growth(p[-1], degree=fmpq(len(p) - 1)))
        if not records:
            return _Growth(ZERO)
        growths = [r for r in records if isinstance(r, _Growth)]
        if len(growths) == len(records):
            with suppress(Rejected, Undefined, Unsupported):
                return self._largest(growths)
        limits = [self._limit(r) for r in records]
        ends = {p for p in limits if isinstance(p, Infinity)}
        Rejected.unless(len(ends) <= 1, "no term of a sum is seen to outgrow the others")
        return ends.pop() if ends else _Growth(_folded_sum([p for p in limits if isinstance(p, Term)]))

    def _largest(self, records: list[_Growth]) -> _Growth:
        """The size and the coefficient of a sum."""
        top = records[0]
        for r in records[1:]:
            top = r if self._compare(r, top) > 0 else top
        total = _folded_sum([r.coefficient for r in records if self._compare(r, top) == 0])
        return replace(top, coefficient=total)

    def _product(self, factors: list[Term]) -> _Record:
        if any(self.v not in t.variables and self._is_zero(t) for t in factors):
            return _Growth(ZERO)
        result: _Record = _STEADY
        for t in factors:
            result = self._times(result, self._record(t))
        return result

    def _times(self, a: _Record, b: _Record) -> _Record:
        if isinstance(a, Infinity) or isinstance(b, Infinity):
            return Infinity(self._sign(self._limit(a)) * self._sign(self._limit(b)))
        return _Growth(_folded_product([a.coefficient, b.coefficient]), tuple(self._rates(a.rate, b.rate)),
                       a.degree + b.degree, a.logs + b.logs)

    def _extreme(self, term: Term) -> _Record:
        parts, wins = [self.of(a) for a in term.args], MINUS_INFINITY if term.head == "min" else PLUS_INFINITY
        if wins in parts:
            return wins
        finite = [p for p in parts if isinstance(p, Term)]
        # The other infinity loses against every number.
        return _Growth(_folded(apply(term.head, *finite))) if finite else Infinity(-wins.value)

    def _function(self, head: str, *args: Term) -> _Record:
        f, (*others, inner) = FUNCTIONS[head], args
        if not f.slopes and (product := f.by_others(*args)) is not None:
            return self._record(product)
        if head == "exp" and (p := self._polynomial(inner)) is not None:
            constant = _folded(apply("exp", p[0])) if p and p[0] is not ZERO else ONE
            return _Growth(constant, tuple(p[1:]))
        r = self._record(inner)
        if head == "abs":
            if isinstance(r, Infinity):
                return PLUS_INFINITY
            return replace(r, coefficient=_folded(apply(head, r.coefficient)))
        if head == "log" and isinstance(r, _Growth) and self._has_powers(r.coefficient):
            # P + degree*log(v) + logs*log(log(v)) + ..., of which the first that is there is the largest
            if r.rate:
                return _Growth(r.rate[-1], degree=fmpq(len(r.rate)))
            if r.degree != 0:
                return _Growth(number(r.degree), logs=fmpq(1))
        argument = self._limit(r)
        if all(self.v not in t.variables for t in others):
            # An end of the domain that does not belong to it is reached from inside, since the term is defined.
            for end, value, alike in zip((f.domain.lo, f.domain.hi), f.ends, f.alike, strict=True):
                if alike and self._is_at(argument, end):
                    return self._record(alike(*args))
                if value is not None and self._is_at(argument, end):
                    return _Growth(value) if isinstance(value, Term) else value
            if isinstance(argument, Term) and f.continuous:
                there = apply(head, *others, argument)
                if not f.is_total:
                    need_defined([there], self.goal)
                return _Growth(_folded(there))
        raise Rejected(f"{head} has no limit by structure")

    def _is_at(self, argument: Limit, end: arb) -> bool:
        """Whether a limit is that end of a domain, which is an integer or infinite."""
        if isinstance(argument, Infinity):
            return bool(end == ball_of(argument))
        return bool(end.is_finite()) and self._is_zero(argument - number(int(end.unique_fmpz() or 0)))

    # --- powers -------------------------------------------------------------------------------

    def _power(self, base: Term, exponent: Term) -> _Record:
        if self.v in exponent.variables:
            if base is not terms.constant("e"):
                Rejected.unless(range_on(base, self.goal).is_positive(), "a power whose base may be 0 has no limit")
                exponent = exponent * apply("log", base)
            return self._function("exp", exponent)
        b, e = self._record(base), exponent.value if exponent.head == "number" else None
        whole = self.goal.whole(exponent)
        # Continuous wherever it is defined, if the exponent is not negative; else where the base is not 0.
        if e is not None and isinstance(b, _Growth) and (e >= 0 or self._has_powers(b.coefficient, whole)):
            rate = tuple(self._trimmed([_folded(exponent * c) for c in b.rate]))
            return _Growth(_folded(b.coefficient ** exponent) if e != 0 else ONE, rate, b.degree * e, b.logs * e)
        value, rising = self._limit(b), self._sign(exponent) > 0
        if isinstance(value, Infinity) or self._is_zero(value):
            if rising != isinstance(value, Infinity):
                return _Growth(ZERO)
            # Its absolute value grows without bound, and it keeps the sign that it has everywhere.
            if value is PLUS_INFINITY or (r := range_on(base ** exponent, self.goal)).is_nonnegative():
                return PLUS_INFINITY
            if r.is_nonpositive():
                return MINUS_INFINITY
            raise Rejected("a power of 0 or of infinity has no limit by structure")
        Rejected.unless(self._has_powers(value, whole), "a general power of something negative")
        return _Growth(_folded(value**exponent))

    def _has_powers(self, value: Term, whole: bool = False) -> bool:
        """Whether powers are continuous there: it is positive, or negative and the exponent an integer."""
        r = range_on(value, self.goal)
        return r.is_positive() or (whole and r.is_negative())


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
    Rejected.unless(term.size <= LONGEST, "a limit grows too long")
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
