r"""A gap as a polynomial over atoms, beside polynomials whose signs are known. Nothing is trusted here.

The atoms are the variables, exponentials, logarithms and roots in a goal. Each is measured from an
end of its range, so that most of them are known not to be negative; roots are not, so that their
powers can be written out. Conditions and facts of the domain, and the other ends of the ranges, are
polynomials over the same atoms.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq
from sympy import Expr, Pow, Rational, default_sort_key, fraction, log, together

from symdp.formulas.relation import Relation
from symdp.kernel.proof import Rejected
from symdp.numbers.ranges import NEG_INF, POS_INF, Undefined, Unsupported
from symdp.search.tactics.factoring import factor, root_of
from symdp.search.tactics.forms import known_positive
from symdp.search.tactics.polynomials.weights import Exponents, Poly, plus, scaled, times
from symdp.search.view.goals import RULES, Target, range_on
from symdp.search.view.identity import ONE, AlgebraOfExpressions, Quotient, rational
from symdp.search.view.identity import Poly as Sum
from symdp.search.view.side_conditions import sign_goal

#: (expression, exponent, sign), as the rule ``combine`` has them
Factor = tuple[Expr, int, str]

MOST_MONOMIALS = 200
LARGEST_DEGREE = 40
#: Ends of ranges that are not simple numbers are rounded outward to this many bits.
BITS_OF_BOUND = 30


class GivenUp(ArithmeticError):
    """The question is too large, or has a part whose sign is not known."""


@dataclass(frozen=True, eq=False)
class Known:
    """A product of factors whose signs are known, as a polynomial."""

    factors: tuple[Factor, ...]
    poly: Poly
    strict: bool
    #: it is known to be zero
    vanishes: bool = False


@dataclass(frozen=True)
class Atom:
    """What an exponent counts: an expression, and the sign that it is known to have, if any."""

    expr: Expr
    sign: str


def leaf_of(goal: Target) -> str | None:
    """The name of a rule that shows the goal at once, if there is one."""
    for name in ("enclosure", "assumption") if goal.domain.conditions else ("enclosure",):
        try:
            if RULES[name](goal, {}) == []:
                return name
        except (Rejected, ArithmeticError, Unsupported, TypeError, ValueError):
            continue
    return None


def positive_in(goal: Target) -> tuple[Expr, ...]:
    """Everything in the goal and its conditions that algebra may take for positive."""
    relations = (*goal.domain.conditions, *goal.domain.facts)
    return known_positive((goal.left, goal.right, *(r.gap for r in relations)), goal.domain)


def under_roots(goal: Target) -> tuple[Expr, ...]:
    """Those among them that take roots apart but leave logarithms of quotients whole.

    The range of a logarithm of a quotient is better known than those of its two parts.
    """
    below: set[Expr] = set()
    for expr in (goal.gap, *(r.gap for r in (*goal.domain.conditions, *goal.domain.facts))):
        for part in expr.atoms(log):
            below |= fraction(together(part.args[0]))[1].free_symbols
    return tuple(p for p in positive_in(goal) if p.is_Symbol and p not in below)


class Question:
    """A goal as a polynomial whose sign is asked for, with polynomials whose signs are known."""

    def __init__(self, goal: Target, positive: tuple[Expr, ...] = (), shifted: bool = True) -> None:
        self.goal, self.domain, self.shifted = goal, goal.domain, shifted
        relations = (*self.domain.conditions, *self.domain.facts)
        self.positive = positive
        self.algebra = AlgebraOfExpressions(self.positive)
        above, below = self.algebra.normal(goal.gap)
        said: list[tuple[Relation, Quotient]] = []
        for relation in relations:
            try:
                said.append((relation, self.algebra.normal(relation.gap)))
            except (ArithmeticError, TypeError):
                continue
        self.fineness: dict[int, int] = {}
        self._survey([above, below, *(p for _, q in said for p in q)])
        self.generators = sorted(self.fineness)
        self.index = {g: i for i, g in enumerate(self.generators)}
        written = self._as_written((goal.left, goal.right, *(r.gap for r in relations)))
        self.whole = [
            root_of(written.get(g, self.algebra.meaning[g]), self.fineness[g])
            for g in self.generators
        ]
        self._find_ranges()
        self._measure()
        #: place of a root -> which power of it is which polynomial
        self.rewriting: dict[int, tuple[int, Poly]] = {}
        #: place of a square root of a quotient -> what stands under it
        self.quotients: dict[int, Expr] = {}
        #: polynomials that vanish: the other roots
        self.equations: list[Poly] = []
        self._find_roots()
        #: what the gap and the conditions were multiplied with, by its expression
        self.denominators: dict[Expr, Known] = {}
        #: the target is the gap times these factors, all of them positive
        self.target, self.scale = self._polynomial((above, below))
        self.known = list(self._facts(said))

    @property
    def one(self) -> Exponents:
        return (0,) * len(self.generators)

    def _as_written(self, exprs: Iterable[Expr]) -> dict[int, Expr]:
        """What stands under the roots, not multiplied out: so an enclosure sees more of its sign."""
        found: dict[int, Expr] = {}
        for expr in exprs:
            for part in sorted(expr.atoms(Pow), key=default_sort_key):
                if part.exp.is_Rational and not part.exp.is_Integer:
                    try:
                        n, d = self.algebra.normal(part)
                    except (ArithmeticError, TypeError):
                        continue
                    if len(n) == 1 and d == ONE:
                        ((m, c),) = n.items()
                        if c == 1 and len(m) == 1 and rational(m[0][1]) == part.exp:
                            found[m[0][0]] = part.base
        return found

    # --- polynomials over the atoms

    def _survey(self, queue: list[Sum]) -> None:
        while queue:
            for m in queue.pop():
                for g, e in m:
                    if g not in self.fineness:
                        queue.extend(self.algebra.root_of(g) or ())
                    self.fineness[g] = math.lcm(self.fineness.get(g, 1), e.denominator)

    def _polynomial(self, quotient: Quotient) -> tuple[Poly, list[Factor]]:
        """A polynomial, and the positive factors by which the quotient was multiplied for it."""
        sign, scale = self._denominator(quotient[1])
        poly, extra = self._cleared(quotient[0])
        for f, _, strict in scale:
            if f.free_symbols:
                part, more = self._cleared(self.algebra.normal(f)[0])
                if not more:
                    self.denominators.setdefault(f, Known(((f, 1, strict),), part, True))
        return scaled(poly, fmpq(sign)), [*scale, *extra]

    def _laurent(self, p: Sum) -> Poly:
        result: Poly = {}
        for m, c in p.items():
            exponents = [0] * len(self.generators)
            for g, e in m:
                exponents[self.index[g]] = int(e * self.fineness[g])
            result[tuple(exponents)] = c
        return result

    def _cleared(self, p: Sum) -> tuple[Poly, list[Factor]]:
        """Times positive atoms, so that no exponent is negative."""
        q = self._laurent(p)
        scale: list[Factor] = []
        lowest = [min((m[i] for m in q), default=0) for i in range(len(self.generators))]
        for i, low in enumerate(lowest):
            if low < 0:
                if self._sign(i) != ">":
                    raise GivenUp(f"{self.whole[i]} may be 0 in a denominator")
                scale.append((self.whole[i], -low, ">"))
        lift = tuple(-min(0, low) for low in lowest)
        q = {tuple(map(int.__add__, m, lift)): c for m, c in q.items()}
        if len(q) > MOST_MONOMIALS or any(sum(m) > LARGEST_DEGREE for m in q):
            raise GivenUp("too many monomials")
        return self.reduced(self._moved(q)), scale

    def reduced(self, q: Poly) -> Poly:
        """Powers of roots written out."""
        for i, (power, inside) in self.rewriting.items():
            if all(m[i] < power for m in q):
                continue
            powers: list[Poly] = [{self.one: fmpq(1)}]
            result: Poly = {}
            for m, c in q.items():
                count, rest = divmod(m[i], power)
                while len(powers) <= count:
                    powers.append(times(powers[-1], inside))
                kept = {(*m[:i], rest, *m[i + 1 :]): c}
                result = plus(result, times(kept, powers[count]))
            q = result
        return q

    def _moved(self, q: Poly) -> Poly:
        """The atoms put in terms of their distance from an end of their range."""
        for i, (sign, at) in enumerate(self.shift):
            if (sign == 1 and at == 0) or all(m[i] == 0 for m in q):
                continue
            start = fmpq(at.numerator, at.denominator)
            result: Poly = {}
            for m, c in q.items():
                n = m[i]
                for k in range(n + 1):
                    place = (*m[:i], k, *m[i + 1 :])
                    value = c * math.comb(n, k) * sign**k * start ** (n - k)
                    result[place] = result.get(place, fmpq(0)) + value
            q = {m: c for m, c in result.items() if c != 0}
        return q

    # --- ranges of the atoms

    def _find_ranges(self) -> None:
        self.low: list[tuple[Fraction, bool] | None] = []
        self.high: list[tuple[Fraction, bool] | None] = []
        for expr in self.whole:
            low = high = None
            try:
                r = range_on(expr, self.domain)
                if r.lo > NEG_INF:
                    exact = _fraction(r.lo)
                    at = _rounded(exact, down=True)
                    low = at, bool(r.lo_open or at < exact)
                if r.hi < POS_INF:
                    exact = _fraction(r.hi)
                    at = _rounded(exact, down=False)
                    high = at, bool(r.hi_open or at > exact)
            except (Undefined, Unsupported, OverflowError):
                pass
            self.low.append(low)
            self.high.append(high)

    def _sign(self, i: int) -> str:
        low = self.low[i]
        if low is None or low[0] < 0:
            return ""
        return ">" if low[0] > 0 or low[1] else ">="

    def _measure(self) -> None:
        """Decide from where each atom is measured, and in which direction."""
        self.atoms: list[Atom] = []
        self.shift: list[tuple[int, Fraction]] = []
        for i, (g, expr) in enumerate(zip(self.generators, self.whole, strict=True)):
            low, high = self.low[i], self.high[i]
            movable = self.shifted and self.algebra.root_of(g) is None
            if low is not None and low[0] != 0 and movable:
                self.shift.append((1, low[0]))
                self.atoms.append(Atom(expr - _rational(low[0]), ">" if low[1] else ">="))
            elif high is not None and low is None and (movable or high[0] == 0):
                self.shift.append((-1, high[0]))
                self.atoms.append(Atom(_rational(high[0]) - expr, ">" if high[1] else ">="))
            elif high is not None and high[0] <= 0 and self.algebra.root_of(g) is None:
                self.shift.append((-1, Fraction(0)))
                strict = high[0] < 0 or high[1]
                self.atoms.append(Atom(-expr, ">" if strict else ">="))
            else:
                self.shift.append((1, Fraction(0)))
                self.atoms.append(Atom(expr, self._sign(i)))

    # --- what is known

    def _find_roots(self) -> None:
        for g in self.generators:
            under = self.algebra.root_of(g)
            if under is None:
                continue
            n, d = under
            i = self.index[g]
            top, bottom = self._laurent(n), self._laurent(d)
            if set(bottom) == {self.one} and all(e >= 0 for m in top for e in m):
                inside = self.reduced(self._moved(scaled(top, 1 / bottom[self.one])))
                self.rewriting = {i: (self.fineness[g], inside), **self.rewriting}
                continue
            if self.fineness[g] == 2:
                self.quotients[i] = self.algebra.meaning[g]
            power = (*self.one[:i], self.fineness[g], *self.one[i + 1 :])
            whole = plus(times({power: fmpq(1)}, bottom), scaled(top, fmpq(-1)))
            lift = tuple(-min(0, *(m[k] for m in whole)) for k in range(len(self.generators)))
            self.equations.append(self._moved(times(whole, {lift: fmpq(1)})))

    def _denominator(self, below: Sum) -> tuple[int, list[Factor]]:
        """The sign of a denominator, and its factors made positive."""
        result = factor(self.algebra, below)
        if result is None:
            raise GivenUp("the denominator does not factor")
        coefficient, factors = result
        sign = 1 if coefficient > 0 else -1
        found: list[Factor] = [(abs(coefficient), 1, ">")] if abs(coefficient) != 1 else []
        for f, e in factors:
            if leaf_of(sign_goal(f, self.domain, ">")) is not None:
                found.append((f, e, ">"))
            elif leaf_of(sign_goal(-f, self.domain, ">")) is not None:
                found.append((-f, e, ">"))
                sign = -sign if e % 2 else sign
            else:
                raise GivenUp(f"the sign of the denominator {f} is not known")
        return sign, found

    def _facts(self, said: Iterable[tuple[Relation, Quotient]]) -> Iterator[Known]:
        for relation, quotient in said:
            yield from self._fact(relation.gap, quotient, relation.op)
        for i, (by, at) in enumerate(self.shift):
            for end, sign in ((self.low[i], 1), (self.high[i], -1)):
                if end is None or (end[0] == at and by == sign) or (end[0] <= 0 < sign == by):
                    continue  # the atom itself says as much
                expr = sign * (self.whole[i] - _rational(end[0]))
                one = (*self.one[:i], 1, *self.one[i + 1 :])
                poly = {one: fmpq(sign * by)}
                if at != end[0]:
                    rest = sign * (at - end[0])
                    poly[self.one] = fmpq(rest.numerator, rest.denominator)
                yield Known(((expr, 1, ">" if end[1] else ">="),), poly, end[1])
        for g in self.generators:
            under = self.algebra.root_of(g)
            if under is not None and self.algebra.meaning[g].free_symbols:
                yield from self._fact(self.algebra.meaning[g], under, ">=")

    def _fact(self, gap: Expr, quotient: Quotient, op: str) -> Iterator[Known]:
        try:
            poly, scale = self._polynomial(quotient)
        except GivenUp:
            return
        if not poly:
            return
        strict = op in ("<", ">")
        yield Known(((gap, 1, ">" if strict else ">="), *scale), poly, strict, op == "==")
        if op == "==":
            yield Known(((-gap, 1, ">="), *scale), scaled(poly, fmpq(-1)), False, True)
        else:
            yield from self._cofactor(gap, quotient, strict)

    def _cofactor(self, gap: Expr, quotient: Quotient, strict: bool) -> Iterator[Known]:
        """From a^2 <= 1 and 1 + a > 0 follows 1 - a >= 0."""
        result = factor(self.algebra, quotient[0])
        if result is None or len(result[1]) < 2:
            return
        coefficient, factors = result
        sign, below = self._denominator(quotient[1])
        sign = sign if coefficient > 0 else -sign
        others: list[Factor] = []
        unknown: list[Expr] = []
        for f, e in factors:
            if leaf_of(sign_goal(f, self.domain, ">")) is not None:
                others.append((f, -e, ">"))
            elif leaf_of(sign_goal(-f, self.domain, ">")) is not None:
                others.append((-f, -e, ">"))
                sign = -sign if e % 2 else sign
            elif e == 1:
                unknown.append(f)
            else:
                return
        if len(unknown) != 1 or not others:
            return
        (left,) = unknown
        try:
            part, extra = self._polynomial(self.algebra.normal(left))
        except GivenUp:
            return
        number: list[Factor] = [(1 / abs(coefficient), 1, ">")] if abs(coefficient) != 1 else []
        yield Known(((gap, 1, ">" if strict else ">="), *below, *number, *others, *extra),
                    scaled(part, fmpq(sign)), strict)

    # --- columns

    def vanishing(self, support: Iterable[Exponents]) -> list[Known]:
        """Equations times monomials of unknown sign: m e = ((m + 1)/2)^2 e - ((m - 1)/2)^2 e."""
        columns: dict[tuple[int, Exponents], Known] = {}
        places = list(support)
        for k, known in enumerate(self.known):
            if not known.vanishes:
                continue
            for s in places:
                for h in known.poly:
                    m = tuple(map(int.__sub__, s, h))
                    if (k, m) in columns or min(m, default=0) < 0 or self.monomial(m) is not None:
                        continue
                    for sign in (1, -1):
                        root = {m: fmpq(1, 2), self.one: fmpq(sign, 2)}
                        factors = ((self.expression(root), 2, ""), *known.factors)
                        poly = self.reduced(times(times(root, root), known.poly))
                        columns[k, (*m, sign)] = Known(factors, poly, False)
                    columns[k, m] = columns[k, (*m, 1)]
        return list(columns.values())

    def monomial(self, m: Exponents) -> Known | None:
        """A monomial, if it is known not to be negative."""
        factors: list[Factor] = []
        strict = True
        for atom, e in zip(self.atoms, m, strict=True):
            if e < 0 or (e % 2 and not atom.sign):
                return None
            if e:
                sign = atom.sign if e % 2 or atom.sign == ">" else ""
                factors.append((atom.expr, e, sign))
                strict = strict and sign == ">"
        return Known(tuple(factors), self.reduced({m: fmpq(1)}), strict)

    def product(self, a: Known, b: Known) -> Known:
        poly = times(a.poly, b.poly)
        if len(poly) > MOST_MONOMIALS:
            raise GivenUp("too many monomials")
        return Known((*a.factors, *b.factors), self.reduced(poly), a.strict and b.strict)

    def expression(self, p: Poly) -> Expr:
        """A polynomial in the atoms as an expression again."""
        total: Expr = Rational(0)
        for m, c in p.items():
            term: Expr = Rational(int(c.p), int(c.q))
            for atom, e in zip(self.atoms, m, strict=True):
                term *= atom.expr**e
            total += term
        return total


def _fraction(end: arb) -> Fraction:
    mantissa, exponent = end.mid().man_exp()
    m, e = int(mantissa), int(exponent)
    if abs(e) > 300:
        raise OverflowError("a range is too extreme")
    return Fraction(m) * Fraction(2) ** e


def _rounded(value: Fraction, down: bool) -> Fraction:
    """A simple number on the given side."""
    if value == 0:
        return value
    size = value.numerator.bit_length() - value.denominator.bit_length()
    unit = Fraction(2) ** (size - BITS_OF_BOUND)
    steps = value / unit
    return unit * (math.floor(steps) if down else math.ceil(steps))


def _rational(value: Fraction) -> Rational:
    return Rational(value.numerator, value.denominator)
