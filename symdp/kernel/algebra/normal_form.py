r"""Normal forms of terms: sums of monomials over atoms. **Trusted.**

An *atom* is a variable, a member, a logarithm or whatever else stays opaque, or a power $b^T$ of one with
an exponent that is no number; $e^T$ is one of these. A sum under a root or in a denominator is an atom, too:
$1/(1+x)$ is the atom 1+x to the power -1.

**Why it is right.** Read a power by its value alone: $b^E$ is defined if b > 0, or b = 0 and E >= 0 (then
it is 0, or 1 for E = 0), or b < 0 and E is an integer. Wherever a power is defined as it is written it has
that value, so this only extends what terms mean; likewise a binomial coefficient whose lower argument is a
number n >= 0 is a polynomial. In a monomial all powers of one base are read together: $x^m x^{-1}$ there is
$x^{m-1}$. The invariant is

    where a term is defined so is each monomial of its normal form, and the two have the same value,

and each law is used in the direction that keeps it: $b^E b^F \to b^{E+F}$ and never back (with b = 0,
E + F >= 0 does not make E >= 0), $x/x \to 1$, a sum splits into the sums of its monomials, and a factor
leaves a sum only if it is defined even where the range is empty. Products of monomials that are defined
are defined, hence nothing left of the difference of two normal forms, times a denominator that is not zero,
means equal values wherever both terms are defined. The facts in ``positive`` are used as well, so all of
this is meant where those hold.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any

from flint import fmpq

from symdp.kernel import terms
from symdp.kernel.algebra import polynomial
from symdp.kernel.algebra.polynomial import ONE, Monomial, Poly, join, minus, plus, raised, scaled
from symdp.kernel.goals import Whole
from symdp.kernel.terms import BINDERS, FUNCTIONS, Term, add, apply, instantiate, mul, number

MOST_SIZE, MOST_DEPTH = 4000, 120
#: sums with literal bounds are written out up to this many terms
MOST_WRITTEN = 40
#: How many products of monomials and how many parts of terms one Algebra looks at.
MOST_WORK = 100_000
MOST_EXPONENT_BITS = 256

_MINUS = fmpq(-1)
E_TERM, ZERO_TERM, ONE_TERM = terms.constant("e"), number(0), number(1)
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
    >>> print(algebra.term_of(algebra.normal(x / (x * y + x))))
    1/(1 + y)
    """

    def __init__(self, positive: Iterable[Term] = (), whole: IsWhole = NO_INTEGERS) -> None:
        #: atom -> the term it stands for. That says all: b^T and exp(T) are powers, others their own base.
        self.atoms: list[Term] = []
        self._numbers: dict[Term, int] = {}
        self._whole = whole
        self._known_positive: set[Term] = set()
        self._done: dict[Term, Poly] = {}
        self._work = 0
        for fact in 2 * [fact for fact in positive if not fact.loose]:  # one may help to read another
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

    def single(self, term: Term) -> Poly:
        return {((self.atom(term), 1),): fmpq(1)}

    def base(self, g: int) -> Term:
        """What is raised to a power here: b for b^T, e for exp(T), and any other atom for itself."""
        t = self.atoms[g]
        return t.args[0] if t.head == "^" else E_TERM if t.head == "exp" else t

    def exponent(self, g: int) -> Term:
        t = self.atoms[g]
        return t.args[1] if t.head == "^" else t.args[0] if t.head == "exp" else ONE_TERM

    def groups(self, m: Monomial) -> dict[Term, Monomial]:
        """A monomial by the bases of its atoms."""
        groups: dict[Term, Monomial] = {}
        for g, e in m:
            b = self.base(g)
            groups[b] = (*groups.get(b, ()), (g, e))
        return groups

    def is_plain(self, group: Monomial) -> bool:
        """Whether it is one power, with a number for an exponent."""
        return len(group) == 1 and self.exponent(group[0][0]) is ONE_TERM

    def _monomial_rank(self, m: Monomial) -> list[tuple[tuple[Any, ...], polynomial.Exponent]]:
        return sorted((rank(self.atoms[g]), e) for g, e in m)

    def leading(self, p: Poly) -> Monomial:
        """The monomial that is last in an order that depends on nothing but the terms."""
        return max(p, key=self._monomial_rank) if len(p) > 1 else next(iter(p))

    # --- back to terms ------------------------------------------------------------------------

    def term_of(self, p: Poly) -> Term:
        """The sum as a term, a quotient at most. It has the value of the sum wherever it is defined."""
        n, d = self.quotient(p)
        return self._sum(n) if d == ONE else self._sum(n) / self._sum(d)

    def _sum(self, p: Poly) -> Term:
        parts = [_multiple(p[m], self._factors(m)) for m in sorted(p, key=self._monomial_rank)]
        return add(*parts) if parts else ZERO_TERM

    def _factors(self, m: Monomial) -> list[Term]:
        """The powers in a monomial, those of one base together."""
        groups, factors = self.groups(m), []
        for b in sorted(groups, key=rank):
            parts = ((self.exponent(g), rational(e)) for g, e in groups[b])
            exponents = [_multiple(e, [] if t is ONE_TERM else [t]) for t, e in parts]
            factors.append(_power_term(b, add(*sorted(exponents, key=rank))))
        return factors

    def _composite(self, p: Poly) -> Term:
        """A sum as one base; never of the form of a power, which would be read as that of its base."""
        t = self.term_of(p)
        return mul(ONE_TERM, t) if t.head in ("^", "exp") else t

    # --- what is known about signs ------------------------------------------------------------

    def _learn(self, fact: Term) -> None:
        """The fact is positive: so are its parts, as far as that follows."""
        p = self.normal(fact)
        if not p:
            return
        learnt = {self._composite(self.content(p, True)[2]), *(self.base(g) for g, _ in self._split(p)[1])}
        if not learnt <= self._known_positive:
            self._known_positive |= learnt
            self._done.clear()  # normal forms made before this knowledge would miss it

    def is_positive(self, p: Poly) -> bool:
        """Whether the value is seen to be positive wherever it is defined."""
        if self._all_positive(p):
            return True
        if not p or not self._known_positive:
            return False
        return self._composite(self.content(p, True)[2]) in self._known_positive

    def _all_positive(self, p: Poly) -> bool:
        return bool(p) and all(c > 0 and all(self.positive_base(self.base(g)) for g, _ in m) for m, c in p.items())

    def positive_base(self, t: Term) -> bool:
        if t in self._known_positive or t.head in ("e", "pi") or (t.head in FUNCTIONS and FUNCTIONS[t.head].positive):
            return True
        if t.head == "number":
            return bool(t.value > 0)
        if t.head in ("+", "*", "/"):
            return self._all_positive(self.normal(t))
        return t.head == "product" and self.is_positive(self.normal(t.args[2]))

    # --- normal forms -------------------------------------------------------------------------

    def normal(self, term: Term) -> Poly:
        """A sum of monomials, by the invariant above; an ArithmeticError if there is none."""
        found = self._done.get(term)
        if found is None:
            if term.head == "variable":  # the commonest by far, and tidy as it is
                return self.single(term)
            if term.size > MOST_SIZE or term.depth > MOST_DEPTH:
                raise polynomial.TooLarge("the term is too large")
            try:
                found = self.tidied(self._normal(term))
            except RecursionError:
                raise polynomial.TooLarge("the term is too deep") from None
            self.spend(1 + len(found))
            self._done[term] = found
        return found

    def _normal(self, term: Term) -> Poly:
        head = term.head
        if head == "number":
            return polynomial.constant(polynomial.need_small(term.value))
        if head in ("variable", "bound", "pi", "e"):
            return self.single(term)
        if head in BINDERS:
            return self._binder(term)
        if head in FUNCTIONS and (written := FUNCTIONS[head].by_others(*term.args)) is not None:
            return self.normal(written)
        args = [self.normal(a) for a in term.args]
        if head == "^":
            return self.power(args[0], args[1], self._whole(term.args[1]))
        return _OPERATIONS[head](self, *args) if head in _OPERATIONS else self._opaque(term, args)

    def _opaque(self, term: Term, args: Sequence[Poly]) -> Poly:
        """Functions that stay as they are, at the normal forms of their arguments."""
        head, inner = term.head, [self.term_of(a) for a in args]
        if head == "member":
            return self.single(terms.member(term.value, inner[0]))
        if all(t.head == "number" for t in inner) and (known := _value(apply(head, *inner))) is not None:
            return polynomial.constant(known)
        if head == "floor" and self._whole(term.args[0]):
            return args[0]
        if head in ("min", "max"):
            inner = sorted(set(inner), key=rank)
            if len(inner) == 1:
                return args[0]
        if (written := FUNCTIONS[head].by_others(*inner)) is not None:
            return self.normal(written)
        return self._with_sign(head, args[0]) if FUNCTIONS[head].reflected else self.single(apply(head, *inner))

    def _with_sign(self, head: str, u: Poly) -> Poly:
        """f(-u) by f(u): the leading coefficient inside is made positive, and 1 under abs."""
        if head == "abs" and (self.is_positive(u) or not u):
            return u
        lead = u[self.leading(u)] if u else fmpq(1)
        turned, size = lead < 0, abs(lead) if head == "abs" else fmpq(1)
        f = self.single(apply(head, self.term_of(scaled(u, (-1 if turned else 1) / size))))
        sign, more = (turned and FUNCTIONS[head].reflected) or (1, 0)
        return plus(scaled(f, sign * size), polynomial.constant(fmpq(more)))

    def product(self, a: Poly, b: Poly) -> Poly:
        self.spend(1 + len(a) * len(b))
        return polynomial.times(a, b)

    def tidied(self, p: Poly) -> Poly:
        """The same for all ways to write one quotient of sums, as far as that is seen."""
        n, d = self.quotient(p)
        return n if d == ONE else self.product(n, self.inverse(d))

    def quotient(self, p: Poly) -> polynomial.Quotient:
        """The sum as a quotient of two, without common factors; what is below is not zero where it is defined."""
        n, d = self._written_out(p)
        if d != ONE:
            d, more = self._written_out(d)
            n = self.product(n, more)
        if not n or d == ONE:
            return n, ONE
        if len(d) > 1 and self.splits(n, d):
            self.spend(len(n) + len(d))
            n, d = polynomial.cancelled(n, d)
        c, m, d = self.content(d)
        n = self.product(n, {raised(m, -1): 1 / c})
        return self.quotient(n) if m and d == ONE else (n, d)

    def splits(self, *sums: Poly) -> bool:
        """Whether atoms may be taken apart: no base that may vanish has an exponent that is no number."""
        return all(self.exponent(g) is ONE_TERM or self.positive_base(self.base(g))
                   for g in polynomial.atoms_of(*sums))

    # --- whole powers of roots, and denominators ----------------------------------------------

    def _written_out(self, p: Poly, rounds: int = 20) -> polynomial.Quotient:
        """The sum with whole powers of composite bases (1+x, 2, -1) written out, as a quotient."""
        for g in sorted(polynomial.atoms_of(p), reverse=True) if rounds else ():
            changed = self._write_out(p, g)
            if changed is not None:
                n, d = self._written_out(changed[0], rounds - 1)
                return n, self.product(changed[1], d)
        return p, ONE

    def _write_out(self, p: Poly, g: int) -> polynomial.Quotient | None:
        """Whole powers of one base written out; None if there are none to write out.

        $b^{E+c}$ becomes $b^{E+c_0} b^{c-c_0}$, where $c_0$ is the least such c in the sum, so that nothing
        is used but powers that are defined where the sum is.
        """
        b = self.base(g)
        if b.head not in ("+", "*", "/", "number") or b is ZERO_TERM:
            return None
        plain, free = self.atom(b), self.positive_base(b)
        symbolic = [tuple((h, e) for h, e in m if h != plain and self.base(h) is b) for m in p]
        rows = list(zip(polynomial.exponents_of(plain, p), symbolic, strict=True))
        # Where the base is positive, or the exponent is a number, the exponent is brought to [0, 1).
        lowest = [math.floor(c) for c, s in rows if free or not s]
        lift = -min([0, *lowest])  # the sum is multiplied by b^lift: b occurs below, so it is not zero
        least: dict[Any, polynomial.Exponent] = {}
        for c, s in rows:
            least[s, c % 1] = c % 1 - lift if free or not s else min(least.get((s, c % 1), c), c)
        wholes = [int(c - least[s, c % 1]) for c, s in rows]
        most = max(*wholes, lift)
        bits = int(b.value.p).bit_length() if b.head == "number" else polynomial.MOST_BITS // polynomial.MOST_POWER
        if most == 0 or most * bits > polynomial.MOST_BITS:
            return None
        inside = self.normal(b)
        result: Poly = {}
        for m, k in zip(p, wholes, strict=True):
            rest = join(m, raised(((plain, 1),), lift - k))
            result = plus(result, self.product({rest: p[m]}, self._multiplied_out(inside, k)))
        return result, self._multiplied_out(inside, lift)

    # --- powers -------------------------------------------------------------------------------

    def power(self, base: Poly, exponent: Poly, whole: bool) -> Poly:
        """A power; ``whole`` says that the exponent is visibly an integer."""
        e = number_of(exponent)
        if e is not None:
            if int(e.p).bit_length() + int(e.q).bit_length() > MOST_EXPONENT_BITS:
                raise polynomial.TooLarge("an exponent is too large")
            if e.q == 1:
                return self._whole_power(self.inverse(base) if e < 0 else base, abs(int(e.p)))
            if not base:
                return self.inverse(base) if e < 0 else {}
        return self.to_power(self.factored(base, whole) if base else ((self.atom(ZERO_TERM), 1),), exponent)

    def _whole_power(self, p: Poly, k: int) -> Poly:
        """A sum to the power k >= 0, multiplied out if that is small."""
        if k == 0 or not p:
            return {} if k else ONE
        if len(p) == 1:
            (c,) = p.values()
            small = c == 1 or k * (int(c.p).bit_length() + int(c.q).bit_length()) <= polynomial.MOST_BITS
        else:
            small = k <= polynomial.MOST_POWER and math.comb(len(p) + k - 1, k) <= polynomial.MOST_TERMS
        return self._multiplied_out(p, k) if small else {raised(self.factored(p, True), k): fmpq(1)}

    def _multiplied_out(self, p: Poly, k: int) -> Poly:
        if len(p) > 1:
            return reduce(self.product, [p] * k, ONE)
        ((m, c),) = p.items()
        return {raised(m, k): c**k}

    def inverse(self, p: Poly) -> Poly:
        if not p:
            raise NowhereDefined("a division by zero")
        c, m, rest = self.content(p)
        return {raised(self._with_base(m, rest), -1): 1 / c}

    def _with_base(self, m: Monomial, rest: Poly) -> Monomial:
        """A monomial times a sum, which becomes an atom."""
        return m if rest == ONE else join(m, ((self.atom(self._composite(rest)), 1),))

    def factored(self, p: Poly, whole: bool) -> Monomial:
        """A sum as a product of powers of atoms that may be raised one by one, together defined where the
        power of the sum is: to any integer, or (not ``whole``) to any exponent."""
        c, m, rest = self.content(p) if whole else self._split(p)
        return join(self._with_base(m, rest), self.primes(c))

    def content(self, p: Poly, positive: bool = False) -> tuple[fmpq, Monomial, Poly]:
        """A sum as a number times a monomial times a sum that has no such factor left; with ``positive``,
        number and monomial are so for certain."""
        if len(p) == 1 and not positive:
            ((m, c),) = p.items()
            return c, m, ONE
        # A power may be taken out of a sum if its base is positive, or has no powers in the sum but those
        # with a number for an exponent.
        atoms = sorted(polynomial.atoms_of(p))
        fixed = {self.base(g) for g in atoms if positive or self.exponent(g) is not ONE_TERM}
        least = [(g, min(polynomial.exponents_of(g, p))) for g in atoms
                 if self.base(g) not in fixed or self.positive_base(self.base(g))]
        common = tuple((g, e) for g, e in least if e != 0)
        # The positive rational that leaves coprime integers when it is divided out.
        scale = fmpq(math.gcd(*(int(c.p) for c in p.values())), math.lcm(*(int(c.q) for c in p.values())))
        rest = {join(m, raised(common, -1)): c / scale for m, c in p.items()}
        if not positive and self._turned(rest):
            return -scale, common, scaled(rest, _MINUS)
        return scale, common, rest

    def _turned(self, p: Poly) -> bool:
        """Whether a sum is better written with the opposite sign: of the two the positive one, the one with
        a positive constant, or with a positive leading coefficient."""
        if self.is_positive(p):
            return False
        return self.is_positive(scaled(p, _MINUS)) or bool(p.get((), p[self.leading(p)]) < 0)

    def _split(self, p: Poly) -> tuple[fmpq, Monomial, Poly]:
        """A sum that is positive, or not negative, as a number times powers whose bases are that, too, times
        a sum: of bases known to be positive, and of the only other factor, if it has an odd power."""
        c, out, rest = self.content(p, True)
        sign, m, core = self.content(rest)
        if sign > 0 and self.is_plain(m) and _odd(m[0][1]) and self.is_positive(core):
            return c, join(out, m), core
        return c, out, rest

    def primes(self, c: fmpq) -> Monomial:
        """A rational as a monomial in -1 and its primes, or what is left after the small ones."""
        m: Monomial = ((self.atom(number(-1)), 1),) if c < 0 else ()
        for sign, part in ((1, abs(c.p)), (-1, c.q)):
            for prime, e in part.factor() if part.height_bits() <= 64 else part.factor(trial_limit=1000):
                m = join(m, ((self.atom(number(int(prime))), sign * int(e)),))
        return m

    def to_power(self, m: Monomial, exponent: Poly) -> Poly:
        """A monomial to a power, each of its atoms by itself."""
        e = number_of(exponent)
        if e is not None:
            return {raised(m, _fraction(e)): fmpq(1)}
        result, powers = ONE, raised(m, 0)
        for g, k in m:
            b, inner, total = self.base(g), self.exponent(g), scaled(exponent, rational(k))
            if inner is not ONE_TERM:
                total = self.tidied(self.product(total, self.normal(inner)))
            for part, c in self._divided(total).items():
                logs = [(h, n) for h, n in part if b is E_TERM and self.atoms[h].head == "log"]
                if len(logs) == 1 and logs[0][1] == 1:
                    # exp(c T log a) = a^(c T), and a > 0 since its logarithm exists
                    rest = {join(part, raised(tuple(logs), -1)): c}
                    inside = self.normal(self.atoms[logs[0][0]].args[0])
                    result = self.product(result, self.power(inside, rest, self._whole(self.term_of(rest))))
                else:
                    power = _power_term(b, self.term_of({part: fmpq(1)}))
                    powers = join(powers, ((self.atom(power), _fraction(c)),))
        return self.product(result, {powers: fmpq(1)})

    def _divided(self, p: Poly) -> Poly:
        """The sum as q + r/d, where no monomial of r has the first one of the denominator d as a factor.

        Division is linear, so that exponents over one denominator may be added before it or after it. Each
        monomial of q is defined where p is: a base in the first one of d is positive, or has numbers for exponents
        only, none of which becomes negative.
        """
        n, d = self.quotient(p)
        if d == ONE or not self.splits(n, d) or any(e < 0 for m in d for _, e in m):
            return p
        order = sorted(polynomial.atoms_of(d), key=lambda g: rank(self.atoms[g]))
        lead = max(d, key=lambda m: [dict(m).get(g, 0) for g in order])
        whole: Poly = {}
        while found := [m for m in n if all(dict(m).get(g, 0) >= e for g, e in lead)]:
            part = {join(m, raised(lead, -1)): n[m] / d[lead] for m in found}
            whole, n = plus(whole, part), minus(n, self.product(part, d))
        return plus(whole, self.product(n, self.inverse(d)))

    def log(self, p: Poly) -> Poly:
        if not p:
            raise NowhereDefined("the logarithm of 0")
        total: Poly = {}
        for g, e in self.factored(p, False):
            b = self.base(g)
            log = ONE if b is E_TERM else self.single(apply("log", b))
            total = plus(total, scaled(self.product(self.normal(self.exponent(g)), log), rational(e)))
        return total

    # --- sums and products over an index ------------------------------------------------------

    def _binder(self, term: Term) -> Poly:
        low, high, body = term.args
        bounds = self.normal(low), self.normal(high)
        first, last = map(number_of, bounds)
        if (first is not None and last is not None and first.q == last.q == 1 and last - first < MOST_WRITTEN):
            parts = [self.normal(instantiate(body, number(i))) for i in range(int(first.p), int(last.p) + 1)]
            if term.head == "sum":
                return reduce(plus, parts, {})
            return reduce(lambda a, b: self.tidied(self.product(a, b)), parts, ONE)
        from symdp.kernel.values.index_range import Span  # which needs the algebra

        span, inside = Span(self, *bounds), self.normal(body)
        return span.sum(inside) if term.head == "sum" else span.product(inside)

    # --- for those who build on normal forms --------------------------------------------------

    def polynomial_in(self, term: Term, name: str) -> list[Term] | None:
        """The coefficients of a polynomial in that variable, that of degree 0 first; None if it is none.

        Where the term is defined it has the value of the polynomial.

        >>> from symdp.kernel.terms import variable
        >>> x, y = variable("x"), variable("y")
        >>> print(Algebra().polynomial_in((x + y) * (x - y), "x"))
        [Term((-1)*y^2), Term(0), Term(1)]
        """
        by_degree: dict[polynomial.Exponent, Poly] = {}
        x = self.atom(terms.variable(name))
        for m, c in self.normal(term).items():
            degree = dict(m).get(x, 0)
            rest = join(m, raised(((x, 1),), -degree))
            if degree not in range(1000) or any(name in self.atoms[g].variables for g, _ in rest):
                return None
            by_degree[degree] = plus(by_degree.get(degree, {}), {rest: c})
        return [self.term_of(by_degree.get(k, {})) for k in range(int(max(by_degree, default=0)) + 1)]


# --- small things -----------------------------------------------------------------------------


@lru_cache(maxsize=50_000)
def rank(term: Term) -> tuple[Any, ...]:
    """An order of terms that depends on nothing but the terms."""
    return (term.head, 0 if term.value is None else term.value, *map(rank, term.args))


def _power_term(base: Term, exponent: Term) -> Term:
    if exponent is ONE_TERM:
        return base
    return apply("exp", exponent) if base is E_TERM else base**exponent


def _multiple(c: fmpq, factors: list[Term]) -> Term:
    return mul(*([number(c)] if c != 1 or not factors else []), *factors)


def _value(term: Term) -> fmpq | None:
    """The value of a function at numbers, where that is seen to be rational."""
    from symdp.kernel.values.enclosure import constant_value  # which needs normal forms

    try:
        return constant_value(term).exact
    except ArithmeticError:
        return None


#: What is done to the normal forms of the arguments.
_OPERATIONS: dict[str, Callable[..., Poly]] = {"+": lambda _, *args: reduce(plus, args),
    "-": lambda _, a, b: minus(a, b), "neg": lambda _, a: scaled(a, _MINUS),
    "*": lambda algebra, *args: reduce(algebra.product, args),
    "/": lambda algebra, a, b: algebra.product(a, algebra.inverse(b)),
    "sqrt": lambda algebra, a: algebra.power(a, polynomial.constant(fmpq(1, 2)), False),
    "exp": lambda algebra, a: algebra.to_power(((algebra.atom(E_TERM), 1),), a), "log": Algebra.log}


def _odd(e: polynomial.Exponent) -> bool:
    """Not even: what has such a power that is positive is positive itself."""
    return e.denominator > 1 or bool(e % 2)


def number_of(p: Poly) -> fmpq | None:
    return p.get((), fmpq(0)) if len(p) <= 1 and (not p or () in p) else None


def rational(e: polynomial.Exponent) -> fmpq:
    return fmpq(e.numerator, e.denominator)


def _fraction(c: fmpq) -> polynomial.Exponent:
    return int(c.p) if c.q == 1 else Fraction(int(c.p), int(c.q))
