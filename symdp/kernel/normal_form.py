r"""Normal forms of terms: quotients of sums of monomials over atoms. **Trusted.**

An *atom* is a variable, a member, a logarithm or whatever else stays opaque, or a power $b^T$ of one with
an exponent that is no number; $e^T$ is one of these.

**Why it is right.** Read a power by its value alone: $b^E$ is defined if b > 0, or b = 0 and E >= 0 (then
it is 0, or 1 for E = 0), or b < 0 and E is an integer. Wherever a power is defined as it is written it has
that value, so this only extends what terms mean; likewise a binomial coefficient whose lower argument is a
number n >= 0 is a polynomial. In a monomial all powers of one base are read together: $x^m x^{-1}$ there is
$x^{m-1}$. The invariant is

    where a term is defined so is each monomial of its normal form, the denominator is not zero,
    and the two have the same value,

and each law is used in the direction that keeps it: $b^E b^F \to b^{E+F}$ and never back (with b = 0,
E + F >= 0 does not make E >= 0), $x/x \to 1$, a sum splits into the sums of its monomials, and a factor
leaves a sum only if it is defined even where the range is empty. Products of monomials that are defined
are defined, hence nothing left of $n_1 d_2 - n_2 d_1$ means equal values wherever both terms are defined.
The facts in ``positive`` are used as well, so all of this is meant where those hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpz

from symdp.kernel import polynomial
from symdp.kernel.goals import Whole
from symdp.kernel.polynomial import ONE, Monomial, Poly, Quotient, join, minus, plus, raised, scaled
from symdp.kernel.terms import (
    BINDERS,
    Term,
    add,
    apply,
    falling,
    instantiate,
    member,
    mul,
    number,
)
from symdp.kernel.terms import ONE as ONE_TERM
from symdp.kernel.terms import ZERO as ZERO_TERM
from symdp.kernel.terms import constant as named_constant

MOST_SIZE, MOST_DEPTH = 4000, 120
#: sums with literal bounds are written out up to this many terms
MOST_WRITTEN = 40
#: How many products of monomials and how many parts of terms one Algebra looks at.
MOST_WORK = 100_000
MOST_EXPONENT_BITS = 256

_NO_POWERS: Monomial = ()
#: f(-u) = a f(u) + b: a and b
_REFLECTED = {"erfc": (-1, 2), "sin": (-1, 0), "cos": (1, 0), "abs": (1, 0)}
ZERO_QUOTIENT: Quotient = ({}, ONE)
UNIT: Quotient = (ONE, ONE)
E_TERM, MINUS_ONE = named_constant("e"), number(-1)
#: What is visibly an integer by its form alone.
NO_INTEGERS = Whole(frozenset())
IsWhole = Callable[[Term], bool]


class NowhereDefined(ArithmeticError):
    """The term has no value anywhere."""


class Algebra:
    """Atoms, given numbers as they turn up, and the normal forms built from them.

    >>> from symdp.kernel.terms import variable
    >>> x, y = variable("x"), variable("y")
    >>> algebra = Algebra()
    >>> n, d = algebra.normal(x / (x * y + x))
    >>> print(algebra.term_of(n), "over", algebra.term_of(d))
    1 over 1 + y
    """

    def __init__(self, positive: Iterable[Term] = (), whole: IsWhole = NO_INTEGERS) -> None:
        #: atom -> the term it stands for. That says all: b^T and exp(T) are powers, others their own base.
        self.atoms: list[Term] = []
        self._numbers: dict[Term, int] = {}
        self._whole = whole
        self._known_positive: set[Term] = set()
        self._done: dict[Term, Quotient] = {}
        self._ranks: dict[Term, tuple[Any, ...]] = {}
        self._work = 0
        facts = tuple(positive)
        for _ in range(2):  # what one fact says may help to read another
            for fact in facts:
                if not fact.loose:
                    self._learn(fact)

    def spend(self, amount: int) -> None:
        self._work += amount
        if self._work > MOST_WORK:
            raise polynomial.TooLarge("the term takes too long to bring to its normal form")

    # --- atoms and what they mean -------------------------------------------------------------

    def atom(self, term: Term) -> int:
        g = self._numbers.setdefault(term, len(self.atoms))
        if g == len(self.atoms):
            self.atoms.append(term)
        return g

    def single(self, term: Term) -> Quotient:
        return {((self.atom(term), 1),): fmpq(1)}, ONE

    def base(self, g: int) -> Term:
        """What is raised to a power here: b for b^T, e for exp(T), and any other atom for itself."""
        t = self.atoms[g]
        return t.args[0] if t.head == "^" else E_TERM if t.head == "exp" else t

    def exponent(self, g: int) -> Term:
        t = self.atoms[g]
        return t.args[1] if t.head == "^" else t.args[0] if t.head == "exp" else ONE_TERM

    def _power_atom(self, base: Term, exponent: Term) -> int:
        if exponent is ONE_TERM:
            return self.atom(base)
        return self.atom(apply("exp", exponent) if base is E_TERM else base**exponent)

    def rank(self, term: Term) -> tuple[Any, ...]:
        """An order of terms that depends on nothing but the terms."""
        found = self._ranks.get(term)
        if found is None:
            value = term.value if term.value is not None else 0
            found = (term.head, value, *(self.rank(a) for a in term.args))
            self._ranks[term] = found
        return found

    def _monomial_rank(self, m: Monomial) -> list[tuple[tuple[Any, ...], polynomial.Exponent]]:
        return sorted((self.rank(self.atoms[g]), e) for g, e in m)

    def leading(self, p: Poly) -> Monomial:
        """The monomial that is last in an order that depends on nothing but the terms."""
        return max(p, key=self._monomial_rank) if len(p) > 1 else next(iter(p))

    # --- back to terms ------------------------------------------------------------------------

    def term_of(self, p: Poly) -> Term:
        """The sum as a term. It has the value of the sum wherever it is defined."""
        parts = []
        for m in sorted(p, key=self._monomial_rank):
            c, factors = p[m], self._factors(m)
            if not factors or c != 1:
                factors = [number(c), *factors]
            parts.append(mul(*factors))
        return add(*parts) if parts else ZERO_TERM

    def _factors(self, m: Monomial) -> list[Term]:
        """The powers in a monomial, those of one base together."""
        groups = self.groups(m)
        factors = []
        for base in sorted(groups, key=self.rank):
            exponent = self.term_of(self._exponent_sum(groups[base]))
            if exponent is ONE_TERM:
                factors.append(base)
            else:
                factors.append(apply("exp", exponent) if base is E_TERM else base**exponent)
        return factors

    def quotient_term(self, q: Quotient) -> Term:
        n, d = q
        return self.term_of(n) if d == ONE else self.term_of(n) / self.term_of(d)

    def groups(self, m: Monomial) -> dict[Term, Monomial]:
        """A monomial by the bases of its atoms."""
        groups: dict[Term, Monomial] = {}
        for g, e in m:
            b = self.base(g)
            groups[b] = (*groups.get(b, ()), (g, e))
        return groups

    def _exponent_sum(self, group: Monomial) -> Poly:
        """The exponent of powers of one base, as a sum over atoms that stand for whole exponents."""
        total: Poly = {}
        for g, e in group:
            t = self.exponent(g)
            if t is ONE_TERM:
                part: Poly = {(): rational(e)}
            else:
                n, d = self.normal(t)
                part = scaled(n if d == ONE else self.single(t)[0], rational(e))
            total = plus(total, part)
        return total

    # --- what is known about signs ------------------------------------------------------------

    def _learn(self, fact: Term) -> None:
        """The fact is positive: so are its parts, as far as that follows."""
        n, d = self.normal(fact)
        if not n:
            return
        (_, n), (_, d) = self._strip(n), self._strip(d)
        self._known_positive.add(self._composite((n, d)))
        if len(n) == 1 and d == ONE:
            self._known_positive |= self._positive_factors(*next(iter(n.items()))).keys()
        # Normal forms made before this knowledge would miss it.
        self._done.clear()

    def _positive_factors(self, m: Monomial, c: fmpq) -> dict[Term, Monomial]:
        """The powers of bases, with a number for an exponent, that are positive if the product is: of what has
        a root, and the only other factor to an odd power."""
        groups = self.groups(m)
        plain = {b: group for b, group in groups.items() if self._is_plain(group)}
        sure = {b for b, ((_, e),) in plain.items() if e.denominator > 1}
        rest = groups.keys() - sure
        if c > 0 and len(rest) == 1 and all(b in plain and _odd(plain[b][0][1]) for b in rest):
            sure |= rest
        return {b: plain[b] for b in sorted(sure, key=self.rank)}

    def _is_plain(self, group: Monomial) -> bool:
        """Whether it is one power, with a number for an exponent."""
        return len(group) == 1 and self.exponent(group[0][0]) is ONE_TERM

    def is_positive(self, q: Quotient) -> bool:
        """Whether the value is seen to be positive wherever it is defined."""
        n, d = q
        if not n:
            return False
        if all(c > 0 and all(self.positive_base(self.base(g)) for g, _ in m)
               for p in q for m, c in p.items()):
            return True
        if not self._known_positive:
            return False
        (_, n), (_, d) = self._strip(n), self._strip(d)
        return self._composite((n, d)) in self._known_positive

    def positive_base(self, t: Term) -> bool:
        if t in self._known_positive or t.head in ("e", "pi", "exp", "gamma", "erfc"):
            return True
        if t.head == "number":
            return bool(t.value > 0)
        if t.head in ("+", "*", "/"):
            n, d = self.normal(t)
            return all(c > 0 and all(self.positive_base(self.base(g)) for g, _ in m)
                       for p in (n, d) for m, c in p.items())
        return t.head == "product" and self.is_positive(self.normal(t.args[2]))

    # --- normal forms -------------------------------------------------------------------------

    def normal(self, term: Term) -> Quotient:
        """Numerator and denominator, by the invariant above; an ArithmeticError if there are none."""
        found = self._done.get(term)
        if found is None:
            if term.size > MOST_SIZE or term.depth > MOST_DEPTH:
                raise polynomial.TooLarge("the term is too large")
            self.spend(1)
            try:
                found = self.tidied(self._normal(term))
            except RecursionError:
                raise polynomial.TooLarge("the term is too deep") from None
            self._done[term] = found
        return found

    def _normal(self, term: Term) -> Quotient:
        head, args = term.head, term.args
        if head == "number":
            return polynomial.constant(polynomial.need_small(term.value)), ONE
        if head in ("variable", "bound", "pi", "e"):
            return self.single(term)
        if head == "+":
            return self.sum_of([self.normal(a) for a in args])
        if head == "-":
            return self.sum_of([self.normal(args[0]), negative(self.normal(args[1]))])
        if head == "neg":
            return negative(self.normal(args[0]))
        if head == "*":
            result = UNIT
            for a in args:
                result = self.multiplied(result, self.normal(a))
            return result
        if head == "/":
            return self.multiplied(self.normal(args[0]), inverse(self.normal(args[1])))
        if head == "^":
            return self.power(self.normal(args[0]), self.normal(args[1]), self._whole(args[1]))
        if head == "sqrt":
            return self.power(self.normal(args[0]), (polynomial.constant(fmpq(1, 2)), ONE), False)
        if head == "exp":
            return self._exponential(self.normal(args[0]))
        if head == "log":
            return self._log(self.normal(args[0]))
        if head in BINDERS:
            return self._binder(term)
        other = rewritten(term)
        if other is not None:
            return self.normal(other)
        return self._opaque(term, [self.normal(a) for a in args])

    def _opaque(self, term: Term, args: Sequence[Quotient]) -> Quotient:
        """Functions that stay as they are, at the normal forms of their arguments."""
        head = term.head
        if head == "member":
            return self.single(member(term.value, self.quotient_term(args[0])))
        if all(number_of(a) is not None for a in args):
            known = _value(apply(head, *map(self.quotient_term, args)))
            if known is not None:
                return polynomial.constant(known), ONE
        if head == "floor" and self._whole(term.args[0]):
            return args[0]
        if head in ("min", "max"):
            parts = sorted({self.quotient_term(a) for a in args}, key=self.rank)
            return self.single(apply(head, *parts)) if len(parts) > 1 else args[0]
        if head == "binomial" and (product := falling(*map(self.quotient_term, args))) is not None:
            return self.normal(product)
        if head in _REFLECTED:
            return self._with_sign(head, args[0])
        return self.single(apply(head, *(self.quotient_term(a) for a in args)))

    def _with_sign(self, head: str, u: Quotient) -> Quotient:
        """f(-u) by f(u): the leading coefficient inside is made positive, and 1 under abs."""
        n, d = u
        if head == "abs" and (self.is_positive(u) or not n):
            return u
        lead = n[self.leading(n)] if n else fmpq(1)
        turned, size = lead < 0, abs(lead) if head == "abs" else fmpq(1)
        f = self.single(apply(head, self.quotient_term((scaled(n, (-1 if turned else 1) / size), d))))[0]
        sign, more = _REFLECTED[head] if turned else (1, 0)
        return plus(scaled(f, sign * size), polynomial.constant(fmpq(more))), ONE

    def _product(self, a: Poly, b: Poly) -> Poly:
        self.spend(1 + len(a) * len(b))
        return polynomial.times(a, b)

    def multiplied(self, a: Quotient, b: Quotient) -> Quotient:
        return self._product(a[0], b[0]), self._product(a[1], b[1])

    def sum_of(self, quotients: Iterable[Quotient]) -> Quotient:
        by_denominator: list[Quotient] = []
        for n, d in quotients:
            self.spend(len(n))
            for i, (n0, d0) in enumerate(by_denominator):
                if d0 == d:
                    by_denominator[i] = (plus(n0, n), d0)
                    break
            else:
                by_denominator.append((n, d))
            if sum(len(n0) for n0, _ in by_denominator) > polynomial.MOST_TERMS:
                raise polynomial.TooLarge("the sum has too many terms")
        total = ZERO_QUOTIENT
        for n, d in by_denominator:
            n0, d0 = total
            total = self.tidied((plus(self._product(n0, d), self._product(n, d0)), self._product(d0, d)))
        return total

    def _splits(self, *sums: Poly) -> bool:
        """Whether atoms may be taken apart: no base that may vanish has an exponent that is no number."""
        return all(self.exponent(g) is ONE_TERM or self.positive_base(self.base(g))
                   for g in polynomial.atoms_of(*sums))

    def tidied(self, q: Quotient) -> Quotient:
        """Roots to whole powers written out, a monomial below moved up, common factors cancelled, and the
        leading coefficient below made 1 or -1."""
        n, d = q
        if not d:
            raise NowhereDefined("a division by zero")
        if not n:
            return ZERO_QUOTIENT
        if len(d) == 1:
            n, d = _moved_up(n, d), ONE
        (n, more_below), (d, more_above) = self._written_out(n), self._written_out(d)
        n, d = self._product(n, more_above), self._product(d, more_below)
        if not d:
            raise NowhereDefined("a division by zero")
        if not n:
            return ZERO_QUOTIENT
        if len(d) > 1 and self._splits(n, d):
            self.spend(len(n) + len(d))
            n, d = polynomial.cancelled(n, d)
        if len(d) == 1:
            n = _moved_up(n, d)
            return (n, ONE) if () in d else self.tidied((n, ONE))
        lead = abs(d[self.leading(d)])
        if self._turned(d):
            lead = -lead
        return (n, d) if lead == 1 else (scaled(n, 1 / lead), scaled(d, 1 / lead))

    def _turned(self, p: Poly) -> bool:
        """Whether a sum is better written with the opposite sign: of the two the positive one, the one with
        a positive constant, or with a positive leading coefficient."""
        if self.is_positive((p, ONE)):
            return False
        return self.is_positive((scaled(p, fmpq(-1)), ONE)) or bool(p.get((), p[self.leading(p)]) < 0)

    # --- whole powers of roots ----------------------------------------------------------------

    def is_zero(self, p: Poly) -> bool:
        """Whether nothing is left when whole powers of roots are written out."""
        return not self._written_out(p)[0]

    def _written_out(self, p: Poly) -> Quotient:
        """The sum with whole powers of composite bases (1+x, 2, -1) written out, as a quotient."""
        below = ONE
        for _ in range(20):
            for g in sorted(polynomial.atoms_of(p), reverse=True):
                changed = self._write_out(p, g)
                if changed is not None:
                    p, more = changed
                    below = self._product(below, more)
                    break
            else:
                return p, below
        return p, below

    def _write_out(self, p: Poly, g: int) -> Quotient | None:
        """Whole powers of one base written out; None if there are none to write out.

        $b^{E+c}$ becomes $b^{E+c_0} b^{c-c_0}$, where $c_0$ is the least such c in the sum, so that nothing
        is used but powers that are defined where the sum is.
        """
        b = self.base(g)
        if b.head not in ("+", "*", "/", "number") or b is ZERO_TERM:
            return None
        plain, free = self.atom(b), self.positive_base(b)
        constants = polynomial.exponents_of(plain, p)
        symbolic = [tuple((h, e) for h, e in m if h != plain and self.base(h) is b) for m in p]
        # Where the base is positive, or the exponent is a number, the exponent is brought to [0, 1).
        lowest = [math.floor(c) for c, s in zip(constants, symbolic, strict=True) if free or not s]
        lift = -min([0, *lowest])  # the sum is multiplied by b^lift: b occurs below, so it is not zero
        least: dict[Any, polynomial.Exponent] = {}
        for c, s in zip(constants, symbolic, strict=True):
            least[s, c % 1] = c % 1 - lift if free or not s else min(least.get((s, c % 1), c), c)
        wholes = [int(c - least[s, c % 1]) for c, s in zip(constants, symbolic, strict=True)]
        top = max(wholes)
        bits = int(b.value.p).bit_length() if b.head == "number" else polynomial.MOST_BITS // polynomial.MOST_POWER
        if top == lift == 0 or max(top, lift) * bits > polynomial.MOST_BITS:
            return None
        n, d = self.normal(b)

        def written(k: int) -> Poly:
            return self._product(self._whole_power(n, k, True), self._whole_power(d, max(top, lift) - k, True))

        result: Poly = {}
        for (m, coefficient), w in zip(p.items(), wholes, strict=True):
            rest = join(m, ((plain, lift - w),)) if lift != w else m
            result = plus(result, self._product({rest: coefficient}, written(w)))
        return result, written(lift)

    # --- powers -------------------------------------------------------------------------------

    def power(self, base: Quotient, exponent: Quotient, whole: bool) -> Quotient:
        """A power; ``whole`` says that the exponent is visibly an integer."""
        n, d = base
        e = number_of(exponent)
        if e is not None:
            if int(e.p).bit_length() + int(e.q).bit_length() > MOST_EXPONENT_BITS:
                raise polynomial.TooLarge("an exponent is too large")
            if e.q == 1:
                k = int(e.p)
                if k < 0:
                    n, d = inverse((n, d))
                return self._whole_power(n, abs(k)), self._whole_power(d, abs(k))
            if not n:
                if e < 0:
                    raise NowhereDefined("0 to a negative power")
                return ZERO_QUOTIENT
        factors = self._factored(n, d, whole) if n else ((self.atom(ZERO_TERM), 1),)
        return self.to_power(factors, exponent)

    def _whole_power(self, p: Poly, k: int, written: bool = False) -> Poly:
        """A sum to the power k >= 0, written out if it is small; ``written``: or not at all."""
        if k == 0 or not p:
            return ONE if k == 0 else {}
        if len(p) == 1:
            ((m, c),) = p.items()
            if c == 1 or k * (int(c.p).bit_length() + int(c.q).bit_length()) <= polynomial.MOST_BITS:
                return {raised(m, k): c**k}
        elif k <= polynomial.MOST_POWER and math.comb(len(p) + k - 1, k) <= polynomial.MOST_TERMS:
            result = ONE
            for _ in range(k):
                result = self._product(result, p)
            return result
        if written:
            raise polynomial.TooLarge("a power is too large to multiply out")
        return {raised(self._factored(p, ONE, True), k): fmpq(1)}

    def _factored(self, n: Poly, d: Poly, whole: bool) -> Monomial:
        """n/d as a product of powers of atoms that may be raised one by one, together defined where the
        power of n/d is: to any integer, or (not ``whole``) to any exponent."""
        if whole:
            result: Monomial = ()
            for p, sign in ((n, 1), (d, -1)):
                m, rest = self.content(p)
                if rest != ONE:
                    m = join(m, ((self.atom(self._composite((rest, ONE))), 1),))
                result = join(result, raised(m, sign))
            return result
        (top, n), (bottom, d) = self._strip(n), self._strip(d)
        out = join(top, raised(bottom, -1))
        if d != ONE and (self.is_positive((n, ONE)) or self.is_positive((d, ONE))):
            # Both have the sign of the quotient then.
            upper, lower = self._factored(n, ONE, False), self._factored(d, ONE, False)
            return join(out, join(upper, raised(lower, -1)))
        if n == d == ONE:
            return out
        if d == ONE and len(n) == 1:
            ((m, c),) = n.items()
            if c == 1 and self._is_plain(m) and _odd(m[0][1]):
                return join(out, m)
        return join(out, ((self.atom(self._composite((n, d))), 1),))

    def _composite(self, q: Quotient) -> Term:
        """A quotient as one base; never of the form of a power, which would be read as that of its base."""
        t = self.quotient_term(q)
        return mul(ONE_TERM, t) if t.head in ("^", "exp") else t

    def to_power(self, m: Monomial, exponent: Quotient) -> Quotient:
        e = number_of(exponent)
        if e is not None:
            return {raised(m, _fraction(e)): fmpq(1)}, ONE
        result, powers = UNIT, _NO_POWERS
        for g, k in m:
            base, inner = self.base(g), self.exponent(g)
            total = (scaled(exponent[0], rational(k)), exponent[1])
            if inner is not ONE_TERM:
                total = self.tidied(self.multiplied(total, self.normal(inner)))
            if base is E_TERM:
                result = self.multiplied(result, self._exponential(total))
            else:
                for c, t in self._parts(total):
                    powers = join(powers, ((self._power_atom(base, t), _fraction(c)),))
        return self.multiplied(result, ({powers: fmpq(1)}, ONE))

    def _parts(self, q: Quotient) -> list[tuple[fmpq, Term]]:
        """A quotient as a sum of numbers times terms, one for each monomial of what it is after division."""
        whole, rest = (q[0], {}) if q[1] == ONE else self._divided(*q)
        parts = [(c, self.term_of({m: fmpq(1)})) for m, c in whole.items()]
        for m, c in rest.items():
            above, below = self.tidied(({m: fmpq(1)}, q[1]))
            factor = above[self.leading(above)]
            parts.append((c * factor, self.quotient_term((scaled(above, 1 / factor), below))))
        return parts

    def _divided(self, n: Poly, d: Poly) -> Quotient:
        """A sum q and a rest r with n = q d + r, of which no monomial has the first one of d as a factor.

        Division is linear in n, so that exponents over one denominator may be added before it or after it. Each
        monomial of q is defined where n and d are: the bases in the first one of d have numbers for exponents, none
        of which becomes negative, or are positive.
        """
        order = sorted(polynomial.atoms_of(d), key=lambda g: self.rank(self.atoms[g]))
        lead = max(d, key=lambda m: [dict(m).get(g, 0) for g in order])
        fixed = self._fixed(n, d)
        whole: Poly = {}
        if any(self.base(g) in fixed for g, _ in lead) or any(e < 0 for m in d for _, e in m):
            return whole, n
        while (found := next((m for m in n if all(dict(m).get(g, 0) >= e for g, e in lead)), None)) is not None:
            part = {join(found, raised(lead, -1)): n[found] / d[lead]}
            whole, n = plus(whole, part), minus(n, self._product(part, d))
        return whole, n

    def _fixed(self, *sums: Poly) -> set[Term]:
        """The bases, not known to be positive, of powers with an exponent that is no number."""
        powers = (g for g in polynomial.atoms_of(*sums) if self.exponent(g) is not ONE_TERM)
        return {b for b in map(self.base, powers) if not self.positive_base(b)}

    def content(self, p: Poly) -> tuple[Monomial, Poly]:
        """A sum as a monomial, its number by sign and primes, times a sum that has no such factor left."""
        if len(p) == 1:
            ((m, c),) = p.items()
            return join(m, self.primes(c)), ONE
        content = _common_number(p)
        # A power may be taken out of a sum if its base is positive, or has no powers in the sum but those
        # with a number for an exponent.
        fixed = self._fixed(p)
        common, rest = self._without(p, content, lambda g: self.base(g) not in fixed)
        if self._turned(rest):
            content, rest = -content, scaled(rest, fmpq(-1))
        return join(common, self.primes(content)), rest

    def _strip(self, p: Poly) -> tuple[Monomial, Poly]:
        """A sum as a positive monomial times a sum that has no such factor left."""
        content = _common_number(p)
        common, rest = self._without(p, content, lambda g: self.positive_base(self.base(g)))
        return join(common, self.primes(content)), rest

    @staticmethod
    def _without(p: Poly, content: fmpq, allowed: Callable[[int], bool]) -> tuple[Monomial, Poly]:
        """The greatest monomial in these atoms that divides the whole sum, and the sum without it and the
        number."""
        least: dict[int, polynomial.Exponent] = {}
        for g in sorted(polynomial.atoms_of(p)):
            if allowed(g):
                least[g] = min(polynomial.exponents_of(g, p))
        common = tuple((g, e) for g, e in least.items() if e != 0)
        inverse = raised(common, -1)
        return common, {join(m, inverse): c / content for m, c in p.items()}

    def primes(self, c: fmpq) -> Monomial:
        """A rational as a monomial in -1 and its primes, or what is left after the small ones."""
        m: Monomial = ((self.atom(MINUS_ONE), 1),) if c < 0 else ()
        for sign, part in ((1, abs(int(c.p))), (-1, int(c.q))):
            if part > 1:
                bits = part.bit_length()
                if bits > 2000:
                    raise polynomial.TooLarge("a number is too large to factor")
                found = fmpz(part).factor() if bits <= 64 else fmpz(part).factor(trial_limit=1000)
                for prime, e in found:
                    m = join(m, ((self.atom(number(int(prime))), sign * int(e)),))
        return m

    def _exponential(self, u: Quotient) -> Quotient:
        result: Quotient = UNIT
        m: Monomial = ()
        for c, t in self._parts(u):
            n, d = self.normal(t)
            logs = [(g, e) for g, e in next(iter(n)) if self.atoms[g].head == "log"] if len(n) == 1 else []
            if len(logs) == 1 and logs[0][1] == 1:
                # exp(c T log a) = a^(c T), and a > 0 since its logarithm exists
                rest = {join(k, ((logs[0][0], -1),)): v * c for k, v in n.items()}
                inside = self.normal(self.atoms[logs[0][0]].args[0])
                whole = self._whole(self.quotient_term((rest, d)))
                result = self.multiplied(result, self.power(inside, (rest, d), whole))
            else:
                m = join(m, ((self._power_atom(E_TERM, t), _fraction(c)),))
        return self.multiplied(result, ({m: fmpq(1)}, ONE))

    def _log(self, u: Quotient) -> Quotient:
        n, d = u
        if not n:
            raise NowhereDefined("the logarithm of 0")
        if d != ONE and (self.is_positive((n, ONE)) or self.is_positive((d, ONE))):
            # One of them is positive, and so is the quotient: then both are.
            return self.sum_of([self._log((n, ONE)), negative(self._log((d, ONE)))])
        (top, n), (bottom, d) = self._strip(n), self._strip(d)
        out = join(top, raised(bottom, -1))
        if d == ONE and len(n) == 1:
            for power in self._positive_factors(*next(iter(n.items()))).values():
                out = join(out, power)
                n = {join(k, raised(power, -1)): v for k, v in n.items()}
        parts = [] if n == d == ONE else [self.single(apply("log", self._composite((n, d))))]
        for g, e in out:
            base, t = self.base(g), self.normal(self.exponent(g))
            log = UNIT if base is E_TERM else self.single(apply("log", base))
            upper, lower = self.multiplied(t, log)
            parts.append((scaled(upper, rational(e)), lower))
        return self.sum_of(parts)

    # --- sums and products over an index ------------------------------------------------------

    def _binder(self, term: Term) -> Quotient:
        low, high, body = term.args
        bounds = self.normal(low), self.normal(high)
        first, last = number_of(bounds[0]), number_of(bounds[1])
        is_sum = term.head == "sum"
        if (first is not None and last is not None and first.q == last.q == 1
                and last - first < MOST_WRITTEN):
            indices = range(int(first.p), int(last.p) + 1)
            parts = [self.normal(instantiate(body, number(i))) for i in indices]
            if is_sum:
                return self.sum_of(parts)
            result = UNIT
            for part in parts:
                result = self.tidied(self.multiplied(result, part))
            return result
        from symdp.kernel.index_range import Span  # which needs the algebra

        span = Span(self, bounds, first)
        n, d = self.normal(body)
        if is_sum:
            return span.sum(n, d)
        return self.multiplied(span.product(n), inverse(span.product(d)))

    def outside(self, p: Poly) -> Poly:
        """A sum that does not use the innermost index, as it reads outside of the range."""
        result: Poly = {}
        for m, c in p.items():
            shifted = ((self.atom(instantiate(self.atoms[g], ZERO_TERM)), e) for g, e in m)
            result = plus(result, {tuple(sorted(shifted)): c})
        return result

    # --- for those who build on normal forms --------------------------------------------------

    def polynomial_in(self, term: Term, variable: str) -> list[Term] | None:
        """The coefficients of a polynomial in that variable, that of degree 0 first; None if it is none.

        Where the term is defined it has the value of the polynomial.

        >>> from symdp.kernel.terms import variable
        >>> x, y = variable("x"), variable("y")
        >>> print(Algebra().polynomial_in((x + y) * (x - y), "x"))
        [Term((-1)*y^2), Term(0), Term(1)]
        """
        n, d = self.normal(term)
        if any(variable in self.atoms[g].variables for g in polynomial.atoms_of(d)):
            return None
        by_degree: dict[int, Poly] = {}
        for m, c in n.items():
            degree, rest = 0, m
            for g, e in m:
                t = self.atoms[g]
                if t.head == "variable" and t.value == variable and e.denominator == 1 and 0 <= e <= 1000:
                    degree, rest = int(e), join(m, ((g, -e),))
                elif variable in t.variables:
                    return None
            by_degree[degree] = plus(by_degree.get(degree, {}), {rest: c})
        return [self.quotient_term((by_degree.get(k, {}), d)) for k in range(max(by_degree, default=0) + 1)]


# --- small things -----------------------------------------------------------------------------


def _value(term: Term) -> fmpq | None:
    """The value of a function at numbers, where that is seen to be rational."""
    from symdp.kernel.enclosure import constant_value  # which compares terms by their normal forms

    try:
        return constant_value(term).exact
    except ArithmeticError:
        return None


def rewritten(term: Term) -> Term | None:
    """Functions by others: hyperbolic ones by exp, the normal ones by erfc, loggamma by gamma."""
    head, two = term.head, number(2)
    if not term.args:
        return None
    u = term.args[0]
    if head in ("sinh", "cosh"):
        up, down = apply("exp", u), apply("exp", -u)
        return (up - down if head == "sinh" else up + down) / two
    if head == "tanh":
        square = apply("exp", two * u)
        return (square - ONE_TERM) / (square + ONE_TERM)
    if head == "erf":
        return ONE_TERM - apply("erfc", u)
    if head == "Phi":
        return apply("erfc", -u / apply("sqrt", two)) / two
    if head == "loggamma":
        return apply("log", apply("gamma", u))
    return None


def _odd(e: polynomial.Exponent) -> bool:
    """Not even: what has such a power that is positive is positive itself."""
    return e.denominator > 1 or bool(e % 2)


def number_of(q: Quotient) -> fmpq | None:
    n, d = q
    return n.get((), fmpq(0)) if d == ONE and len(n) <= 1 and (not n or () in n) else None


def negative(q: Quotient) -> Quotient:
    return scaled(q[0], fmpq(-1)), q[1]


def inverse(q: Quotient) -> Quotient:
    if not q[0]:
        raise NowhereDefined("a division by zero")
    return q[1], q[0]


def _common_number(p: Poly) -> fmpq:
    """The positive rational that leaves coprime integers when it is divided out."""
    return fmpq(math.gcd(*(int(c.p) for c in p.values())), math.lcm(*(int(c.q) for c in p.values())))


def _moved_up(n: Poly, d: Poly) -> Poly:
    """n/d, where d is a single monomial."""
    ((m, c),) = d.items()
    if not m and c == 1:
        return n
    return {join(k, raised(m, -1)): polynomial.need_small(v / c) for k, v in n.items()}


def rational(e: polynomial.Exponent) -> fmpq:
    return fmpq(e.numerator, e.denominator)


def _fraction(c: fmpq) -> polynomial.Exponent:
    return int(c.p) if c.q == 1 else Fraction(int(c.p), int(c.q))
