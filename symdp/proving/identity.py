r"""Exact identities: when two expressions are the same by algebra alone. **Trusted.**

Both sides are brought to a quotient of two sums of monomials over *generators*: the variables,
exponentials $e^t$, roots, logarithms and whatever else is left opaque. Exponents may be any
rational number, so that $e^x e^{-x/2} = e^{x/2}$ needs no special law. The two sides are the same
if cross-multiplying the quotients leaves nothing. Every law used holds wherever both sides are
defined; nothing is approximated, and SymPy's `simplify` is not asked.

>>> from sympy import exp, log, sqrt, tanh
>>> from symdp.notation import x, y
>>> identical(tanh(x / 2), (exp(x) - 1) / (exp(x) + 1))
True
>>> identical(log(exp(x) / (1 + y)), x - log(1 + y), positive=[1 + y])
True
>>> identical(sqrt(x**2), x)
False
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable

import sympy
from flint import fmpq
from sympy import Expr

from symdp.notation import Phi
from symdp.proving.enclosure import enclosable

MOST_TERMS = 4000

Monomial = tuple[tuple[int, fmpq], ...]
Poly = dict[Monomial, fmpq]
Quotient = tuple[Poly, Poly]

_ONE: Poly = {(): fmpq(1)}


class TooLarge(ArithmeticError):
    """The expression grows beyond what may be multiplied out."""


def identical(left: Expr, right: Expr, positive: Iterable[Expr] = ()) -> bool:
    """Whether both sides agree wherever both are defined. False means only: not seen.

    ``positive`` lists expressions that the caller knows to be positive; it may be empty.
    """
    algebra = Algebra()
    algebra.assume_positive(positive)
    try:
        (n1, d1), (n2, d2) = algebra.normal(left), algebra.normal(right)
        difference = _minus(_times(n1, d2), _times(n2, d1))
        return not algebra.reduce(difference)
    except (ZeroDivisionError, TypeError):  # undefined, or with a part that algebra does not know
        return False


def _minus(a: Poly, b: Poly) -> Poly:
    result = dict(a)
    for m, c in b.items():
        rest = result.get(m, 0) - c
        if rest == 0:
            del result[m]
        else:
            result[m] = rest
    return result


def _scaled(a: Poly, by: fmpq) -> Poly:
    return {m: c * by for m, c in a.items()} if by != 0 else {}


def _plus(a: Poly, b: Poly) -> Poly:
    return _minus(a, _scaled(b, fmpq(-1)))


def _join(m1: Monomial, m2: Monomial) -> Monomial:
    if not m1 or not m2:
        return m1 or m2
    exponents = dict(m1)
    for g, e in m2:
        total = exponents.get(g, 0) + e
        if total == 0:
            exponents.pop(g, None)
        else:
            exponents[g] = total
    return tuple(sorted(exponents.items(), key=lambda item: item[0]))


def _raised(m: Monomial, to: fmpq) -> Monomial:
    return tuple((g, e * to) for g, e in m) if to != 0 else ()


def _times(a: Poly, b: Poly) -> Poly:
    if len(a) * len(b) > MOST_TERMS:
        raise TooLarge("the expression is too large to multiply out")
    result: Poly = {}
    for m1, c1 in a.items():
        for m2, c2 in b.items():
            m = _join(m1, m2)
            total = result.get(m, 0) + c1 * c2
            if total == 0:
                del result[m]
            else:
                result[m] = total
    return result


def _power(a: Poly, n: int) -> Poly:
    if len(a) > 1 and n > 40:
        raise TooLarge(f"a sum to the power {n} is too large to multiply out")
    if len(a) == 1:
        ((m, c),) = a.items()
        if n * max(int(c.p).bit_length(), int(c.q).bit_length()) > 100_000 and abs(c) != 1:
            raise TooLarge(f"a number to the power {n} is too large to multiply out")
        return {_raised(m, fmpq(n)): c**n}
    result = _ONE
    for _ in range(n):
        result = _times(result, a)
    return result


def _divide(n: Poly, d: Poly) -> tuple[Poly, Poly]:
    """n = quotient * d + rest, where no term of the rest can be divided by the leading one of d."""
    generators = sorted({g for p in (n, d) for m in p for g, _ in m})

    def rank(m: Monomial) -> list[fmpq]:
        exponents = dict(m)
        return [exponents.get(g, fmpq(0)) for g in generators]

    leading = max(d, key=rank)
    quotient: Poly = {}
    rest: Poly = {}
    for _ in range(100):
        if not n:
            return quotient, rest
        m = max(n, key=rank)
        c = n[m]
        ratio = _join(m, _raised(leading, fmpq(-1)))
        if all(e > 0 and int(e.q) == 1 for _, e in ratio):
            term = {ratio: c / d[leading]}
            quotient = _plus(quotient, term)
            n = _minus(n, _times(term, d))
        else:
            rest = _plus(rest, {m: c})
            n = _minus(n, {m: c})
    return {}, _plus(_plus(n, rest), _times(quotient, d))


def _fmpq(r: sympy.Rational) -> fmpq:
    return fmpq(int(r.p), int(r.q))


def _rational(c: fmpq) -> sympy.Rational:
    return sympy.Rational(int(c.p), int(c.q))


def _key(q: Quotient) -> Hashable:
    """The same for quotients that were seen to be equal; scaled so that constants do not matter."""
    scale = 1 / q[1][max(q[1])]
    return tuple(
        frozenset((m, (int((c * scale).p), int((c * scale).q))) for m, c in part.items())
        for part in q
    )


class Algebra:
    """Generators, given numbers as they turn up, and the normal forms built from them."""

    def __init__(self) -> None:
        self._generator: dict[Hashable, int] = {}
        self.rooted: dict[int, Quotient] = {}  # generator -> what it is when raised to 1
        self._logarithm: dict[int, Quotient] = {}  # exp-generator -> its exponent
        self._inside_log: dict[int, Quotient] = {}  # log-generator -> its argument
        self._positive: set[int] = set()
        self._positive_keys: set[Hashable] = set()
        self._done: dict[Expr, Quotient] = {}
        #: generator -> the expression it stands for
        self.meaning: dict[int, Expr] = {}

    def assume_positive(self, expressions: Iterable[Expr]) -> None:
        for expr in expressions:
            n, d = self.normal(expr)
            self._positive_keys.add(_key((n, d)))
            if expr.is_Symbol:
                self._positive.add(self._new(("symbol", expr), expr))
        # Normal forms made before this knowledge would miss it.
        self._done.clear()

    def _new(self, key: Hashable, meaning: Expr) -> int:
        g = self._generator.setdefault(key, len(self._generator))
        self.meaning.setdefault(g, meaning)
        return g

    def _single(self, key: Hashable, meaning: Expr) -> Poly:
        return {((self._new(key, meaning), fmpq(1)),): fmpq(1)}

    def expression(self, p: Poly) -> Expr:
        """The sum as a SymPy expression again."""
        return sympy.Add(*(_rational(c) * self._product(m) for m, c in p.items()))

    def _product(self, m: Monomial) -> Expr:
        return sympy.Mul(*(self.meaning[g] ** _rational(e) for g, e in m))

    def _quotient(self, q: Quotient) -> Expr:
        return self.expression(q[0]) / self.expression(q[1])

    # normal forms

    def normal(self, expr: Expr) -> Quotient:
        if expr not in self._done:
            n, d = self._normal(expr)
            if not d:
                raise ZeroDivisionError
            self._done[expr] = (n, d)
        return self._done[expr]

    def _normal(self, expr: Expr) -> Quotient:
        if expr.is_Rational:
            return ({(): _fmpq(expr)} if expr != 0 else {}, _ONE)
        if expr.is_Symbol:
            return self._single(("symbol", expr), expr), _ONE
        if expr is sympy.pi:
            self._positive.add(self._new("pi", expr))
            return self._single("pi", expr), _ONE
        if expr is sympy.E:
            return self._exponential((_ONE, _ONE))
        if expr.is_Add:
            return self._sum(expr.args)
        if expr.is_Mul:
            n, d = _ONE, _ONE
            for a in expr.args:
                n2, d2 = self.normal(a)
                n, d = _times(n, n2), _times(d, d2)
            return n, d
        if expr.is_Pow:
            return self._power_of(expr.base, expr.exp)
        if isinstance(expr, sympy.exp):
            return self._exponential(self.normal(expr.args[0]))
        if isinstance(expr, sympy.log):
            return self._log(self.normal(expr.args[0]), expr)
        if isinstance(expr, (sympy.sinh, sympy.cosh, sympy.tanh)):
            return self.normal(_in_exponentials(expr))
        if isinstance(expr, sympy.binomial) and expr.args[1].is_Integer and 0 <= expr.args[1] <= 20:
            return self.normal(enclosable(expr))
        if isinstance(expr, sympy.erf):
            return self.normal(1 - sympy.erfc(expr.args[0]))
        if isinstance(expr, Phi):
            return self.normal(sympy.erfc(-expr.args[0] / sympy.sqrt(2)) / 2)
        if isinstance(expr, sympy.erfc):
            return self._erfc(self.normal(expr.args[0]))
        if not expr.args:
            raise TypeError(f"{expr} has no place in an identity")
        arguments = [_key(self.normal(a)) for a in expr.args]
        if isinstance(expr, (sympy.Min, sympy.Max)):
            return self._single((type(expr).__name__, frozenset(arguments)), expr), _ONE
        return self._single((type(expr).__name__, *arguments), expr), _ONE

    def _sum(self, terms: Iterable[Expr]) -> Quotient:
        by_denominator: list[Quotient] = []
        for term in terms:
            n, d = self.normal(term)
            for i, (n0, d0) in enumerate(by_denominator):
                if d0 == d:
                    by_denominator[i] = (_plus(n0, n), d0)
                    break
            else:
                by_denominator.append((n, d))
        n, d = {}, _ONE
        for n2, d2 in by_denominator:
            n, d = _plus(_times(n, d2), _times(n2, d)), _times(d, d2)
        return n, d

    def _power_of(self, base: Expr, exponent: Expr) -> Quotient:
        n, d = self.normal(base)
        if exponent.is_Integer:
            e = int(exponent)
            if e < 0:
                n, d, e = d, n, -e
            if not d:
                raise ZeroDivisionError
            return _power(n, e), _power(d, e)
        if exponent.is_Rational:
            return self._root(n, d, _fmpq(exponent))
        if self._is_positive(n, d):
            en, ed = self.normal(exponent)
            ln, ld = self._log((n, d))
            return self._exponential((_times(en, ln), _times(ed, ld)))
        key = ("power", _key((n, d)), _key(self.normal(exponent)))
        return self._single(key, base**exponent), _ONE

    def _root(self, n: Poly, d: Poly, exponent: fmpq) -> Quotient:
        """(n/d)^exponent: what is known to be positive comes out, the rest stays under the root."""
        if not n:
            if exponent < 0:
                raise ZeroDivisionError
            return {}, _ONE
        out: Monomial = ()
        if len(n) == 1 and len(d) == 1:
            ((mn, cn),), ((md, cd),) = n.items(), d.items()
            whole = _join(mn, _raised(md, fmpq(-1)))
            out = _raised(tuple((g, e) for g, e in whole if g in self._positive), exponent)
            rest = tuple((g, e) for g, e in whole if g not in self._positive)
            c = cn / cd
            if c > 0:
                out = _join(out, _raised(self._primes(c), exponent))
                c = fmpq(1)
            if not rest and c == 1:
                return {out: fmpq(1)}, _ONE
            n, d = {rest: c}, _ONE
        else:
            (top, n), (bottom, d) = self._strip(n), self._strip(d)
            out = _raised(_join(top, _raised(bottom, fmpq(-1))), exponent)
        g = self._new(("root", _key((n, d))), self._quotient((n, d)))
        self.rooted[g] = (n, d)
        if self._is_positive(n, d):
            self._positive.add(g)
        return {_join(out, ((g, exponent),)): fmpq(1)}, _ONE

    def _strip(self, p: Poly) -> tuple[Monomial, Poly]:
        """A sum as a positive monomial times a sum that has no such factor left."""
        content = fmpq(
            math.gcd(*(int(c.p) for c in p.values())), math.lcm(*(int(c.q) for c in p.values()))
        )
        common: Monomial = ()
        for g in {g for m in p for g, _ in m if g in self._positive}:
            common = _join(common, ((g, min(dict(m).get(g, fmpq(0)) for m in p)),))
        common = tuple((g, e) for g, e in common if e != 0)
        inverse = _raised(common, fmpq(-1))
        rest = {_join(m, inverse): c / content for m, c in p.items()}
        return _join(common, self._primes(content)), rest

    def _primes(self, c: fmpq) -> Monomial:
        """A positive rational as a monomial in its primes."""
        m: Monomial = ()
        for sign, part in ((1, int(c.p)), (-1, int(c.q))):
            if part.bit_length() > 2000:
                raise TooLarge(f"{part} is too large to factor")
            for prime, e in sympy.factorint(part, limit=10**4).items():
                g = self._new(("prime", prime), sympy.Integer(int(prime)))
                self._positive.add(g)
                self.rooted[g] = ({(): fmpq(int(prime))}, _ONE)
                m = _join(m, ((g, fmpq(sign * int(e))),))
        return m

    def _exponential(self, u: Quotient) -> Quotient:
        n, d = u
        result, denominator = _ONE, _ONE
        single = len(d) == 1
        if not single:
            # n/d = whole + rest/d, so that p/(p-1) and 1 + 1/(p-1) are the same exponent.
            whole, n = _divide(n, d)
            if whole:
                result, denominator = self._exponential((whole, _ONE))
        for m, c in n.items():
            if single:
                ((md, cd),) = d.items()
                m, c = _join(m, _raised(md, fmpq(-1))), c / cd
            if single and len(m) == 1 and m[0][0] in self._inside_log and m[0][1] == 1:
                # exp(c log a) = a^c, and a > 0 since its logarithm exists
                an, ad = self._inside_log[m[0][0]]
                pn, pd = self._positive_power(an, ad, c)
                result, denominator = _times(result, pn), _times(denominator, pd)
                continue
            key = ("exp", m) if single else ("exp", m, _key((_ONE, d)))
            exponent = self._product(m)
            g = self._new(key, sympy.exp(exponent if single else exponent / self.expression(d)))
            self._positive.add(g)
            self._logarithm[g] = ({m: fmpq(1)}, _ONE if single else d)
            result = _times(result, {((g, c),): fmpq(1)})
        return result, denominator

    def _positive_power(self, n: Poly, d: Poly, c: fmpq) -> Quotient:
        if int(c.q) == 1:
            e = int(c.p)
            return (_power(n, e), _power(d, e)) if e >= 0 else (_power(d, -e), _power(n, -e))
        return self._root(n, d, c)

    def _is_positive(self, n: Poly, d: Poly) -> bool:
        if _key((n, d)) in self._positive_keys:
            return True
        return all(
            c > 0 and all(g in self._positive for g, _ in m) for p in (n, d) for m, c in p.items()
        )

    def _log(self, u: Quotient, written: Expr | None = None) -> Quotient:
        n, d = u
        if not n:
            raise ZeroDivisionError
        if d != _ONE and (self._is_positive(n, _ONE) or self._is_positive(d, _ONE)):
            # One of them is positive, and so is the quotient: then both are.
            (n1, d1), (n2, d2) = self._log((n, _ONE)), self._log((d, _ONE))
            return _minus(_times(n1, d2), _times(n2, d1)), _times(d1, d2)
        if len(n) == 1 and len(d) == 1:
            return self._log_of_monomial(n, d, written)
        (top, n), (bottom, d) = self._strip(n), self._strip(d)
        total = self._opaque_log(n, d, written if top == bottom else None)
        for g, e in _join(top, _raised(bottom, fmpq(-1))):
            total = self._add_log(total, g, e)
        return total

    def _log_of_monomial(self, n: Poly, d: Poly, written: Expr | None) -> Quotient:
        ((mn, cn),), ((md, cd),) = n.items(), d.items()
        whole, c = _join(mn, _raised(md, fmpq(-1))), cn / cd
        unknown = [(g, e) for g, e in whole if g not in self._positive]
        if c > 0 and len(unknown) == 1 and int(unknown[0][1].q) == 1 and int(unknown[0][1].p) % 2:
            unknown = []  # the product is positive, hence so is its only uncertain odd factor
        total: Quotient = ({}, _ONE)
        if c > 0:
            for g, e in self._primes(c):
                total = self._add_log(total, g, e)
            c = fmpq(1)
        for g, e in whole:
            if (g, e) not in unknown:
                total = self._add_log(total, g, e)
        if unknown or c != 1:
            untouched = written if total == ({}, _ONE) else None
            n3, d3 = self._opaque_log({tuple(unknown): c}, _ONE, untouched)
            total = _plus(_times(total[0], d3), _times(n3, total[1])), _times(total[1], d3)
        return total

    def _add_log(self, total: Quotient, g: int, e: fmpq) -> Quotient:
        if g in self._logarithm:
            n, d = self._logarithm[g]
        elif g in self.rooted and self.rooted[g][0] != {(): fmpq(1)} and not self._is_prime(g):
            n, d = self._log(self.rooted[g])
        else:
            n, d = self._opaque_log({((g, fmpq(1)),): fmpq(1)}, _ONE)
        n0, d0 = total
        return _plus(_times(n0, d), _scaled(_times(n, d0), e)), _times(d0, d)

    def _is_prime(self, g: int) -> bool:
        n, _ = self.rooted[g]
        return set(n) == {()}

    def _opaque_log(self, n: Poly, d: Poly, written: Expr | None = None) -> Quotient:
        """A logarithm that stays as it is; ``written`` is how it stood in the expression."""
        g = self._new(("log", _key((n, d))), written or sympy.log(self._quotient((n, d))))
        self._inside_log[g] = (n, d)
        return {((g, fmpq(1)),): fmpq(1)}, _ONE

    def _erfc(self, u: Quotient) -> Quotient:
        """erfc(-u) = 2 - erfc(u): the sign of the leading coefficient is made positive."""
        n, d = u
        if n and n[max(n)] * d[max(d)] < 0:
            n = _scaled(n, fmpq(-1))
            flipped = self._single(("erfc", _key((n, d))), sympy.erfc(self._quotient((n, d))))
            return _minus({(): fmpq(2)}, flipped), _ONE
        return self._single(("erfc", _key(u)), sympy.erfc(self._quotient(u))), _ONE

    # roots at the end

    def reduce(self, p: Poly) -> Poly:
        """Whole powers of a root are written out. What is left is zero only if it is empty."""
        for g in sorted(self.rooted, reverse=True):
            exponents = {m: dict(m).get(g, fmpq(0)) for m in p}
            if all(0 <= e < 1 for e in exponents.values()):
                continue
            n, d = self.rooted[g]
            lowest = min(0, *(int(e.floor()) for e in exponents.values()))
            wholes = {m: int(e.floor()) - lowest for m, e in exponents.items()}
            highest = max(wholes.values())
            result: Poly = {}
            for m, c in p.items():
                without = tuple(item for item in m if item[0] != g)
                rest = exponents[m] - exponents[m].floor()
                kept = _join(without, ((g, rest),) if rest != 0 else ())
                written_out = _times(_power(n, wholes[m]), _power(d, highest - wholes[m]))
                result = _plus(result, _times({kept: c}, written_out))
            p = result
        return p


def _in_exponentials(expr: Expr) -> Expr:
    u = expr.args[0]
    if isinstance(expr, sympy.sinh):
        return (sympy.exp(u) - sympy.exp(-u)) / 2
    if isinstance(expr, sympy.cosh):
        return (sympy.exp(u) + sympy.exp(-u)) / 2
    return (sympy.exp(2 * u) - 1) / (sympy.exp(2 * u) + 1)
