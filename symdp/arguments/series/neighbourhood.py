r"""Where an expansion is made: a local variable $s$ in $(0, r]$, and parameters in their domain.

Bounds are taken here once and for all: of coefficients over the parameters, and of
$s^a L^b$ over $(0, r]$, where $L = \log(1/s)$. Where a logarithm occurs, $r \le 1/3$ keeps $L \ge 1$.

>>> from sympy import Rational
>>> here = Setting(Rational(1, 4), depth=4)
>>> print(here.sup(Rational(2), Rational(0)).str(5))
0.062500
>>> here.sign(Rational(-1, 3)), here.sign(sympy.sqrt(2) ** 2 - 2)
(-1, 0)
"""

from __future__ import annotations

import math

import sympy
from flint import arb
from sympy import Expr, Rational

from symdp.kernel.values.ranges import Range, Undefined
from symdp.numbers.domain import Domain, Interval
from symdp.numbers.ranges import ball as number
from symdp.search.view.goals import range_on
from symdp.search.view.identity import TooLarge, identical

#: Working precision of all bounds.
BITS = 128
#: Logarithms need L >= 1, that is r <= 1/e; a third is the simplest such number.
MOST_WITH_LOGS = Rational(1, 3)

#: Coefficients with more terms than this are given up.
MOST_TERMS = 300

#: The exponents of s and of L.
Power = tuple[Rational, Rational]


class NoExpansion(ValueError):
    """There is no expansion of the kind asked for; the message is one line that says why."""


class NotReal(NoExpansion):
    """The expression is not real, or not defined, near the point."""


class Narrower(ArithmeticError):
    """The bounds do not close on (0, r]; they may on a smaller neighbourhood."""


class Deeper(ArithmeticError):
    """Too few terms were carried; what is left after a cancellation is all remainder."""


def tidy(c: Expr) -> Expr:
    """A coefficient multiplied out, so that equal ones tend to look equal. Algebra only."""
    if c.is_Rational:
        return c
    n, d = sympy.fraction(sympy.together(c)) if any(
        f.is_Pow and f.exp.is_negative and f.base.is_Add for f in sympy.preorder_traversal(c)
    ) else (c, sympy.Integer(1))
    # The denominator keeps its factors, so that the next sum finds the common ones.
    return _multiplied_out(n) / d


def _multiplied_out(c: Expr) -> Expr:
    if _terms(c) > MOST_TERMS:
        raise NoExpansion("the coefficients grow too large")
    return sympy.expand(c, power_base=False, power_exp=False, log=False)


def _terms(c: Expr) -> int:
    """How many terms a coefficient has when it is multiplied out."""
    if c.is_Add:
        return sum(_terms(a) for a in c.args)
    if c.is_Mul:
        return math.prod(_terms(a) for a in c.args)
    if c.is_Pow and c.exp.is_Integer and c.exp > 0:
        return math.comb(int(c.exp) + _terms(c.base) - 1, int(c.exp))
    return 1


def key(power: Power) -> tuple[Rational, Rational]:
    """Sorts powers from the largest function near s = 0 to the smallest."""
    return power[0], -power[1]


class Setting:
    """The neighbourhood, the domain of the parameters, and how many terms are carried.

    ``depth`` is how far the powers of s go beyond the leading one, ``logs`` how far those of L do,
    and ``exponentials`` how many powers of an exponentially small part are kept.
    """

    def __init__(
        self,
        radius: Rational,
        parameters: Domain | None = None,
        *,
        depth: int = 8,
        logs: int | None = None,
        exponentials: int = 4,
    ) -> None:
        self.radius, self.depth, self.exponentials = radius, depth, exponentials
        self.logs = depth if logs is None else logs
        self.parameters = parameters or Domain({})
        self._r = number(radius)
        self._ranges: dict[Expr, Range] = {}
        #: why no more terms can be had, where a function has ended a series
        self.ends_early = ""

    # coefficients

    def range_of(self, c: Expr) -> Range:
        """The values of a coefficient over all parameters."""
        if c not in self._ranges:
            try:
                self._ranges[c] = range_on(c, self.parameters, BITS)
            except Undefined as reason:
                product = self._factored(c)
                if product is None:
                    raise NotReal(str(reason)) from None
                self._ranges[c] = self.range_of(product)
        return self._ranges[c]

    @staticmethod
    def _factored(c: Expr) -> Expr | None:
        """The same as a product, if SymPy finds one and it is seen to be the same."""
        try:
            product = sympy.factor(c)
            return product if product != c and identical(product, c) else None
        except TooLarge:
            return None

    def bound(self, c: Expr) -> arb:
        """An upper bound of |c| over all parameters."""
        r = self.range_of(c)
        if not r.is_finite():
            raise NoExpansion(
                f"the coefficient {c} has no bound over {self.parameters}; narrow the parameters"
            )
        return larger(abs(r.lo).upper(), abs(r.hi).upper())

    def sign(self, c: Expr) -> int | None:
        """1 or -1 if that is the sign for all parameters, 0 if c is identically 0, None if unsure."""
        if c == 0:
            return 0
        r = self.range_of(c)
        if r.lo > 0:
            return 1
        if r.hi < 0:
            return -1
        try:
            if not c.is_Rational and identical(c, sympy.Integer(0)):
                return 0
        except TooLarge:
            return None
        return self._sign_of_factors(c)

    def _sign_of_factors(self, c: Expr) -> int | None:
        """The sign from a product that is the same: x exp(x) - x says less than x (exp(x) - 1)."""
        product = self._factored(c)
        if product is None:
            return None
        sign = 1
        for factor in sympy.Mul.make_args(product):
            r = self.range_of(factor)
            if not (r.lo > 0 or r.hi < 0):
                return None
            sign = sign if r.lo > 0 else -sign
        return sign

    # functions of s

    def need_logs(self) -> None:
        if self.radius > MOST_WITH_LOGS:
            raise Narrower("logarithms need a smaller neighbourhood")

    def log_at_radius(self) -> arb:
        self.need_logs()
        return -self._r.log()

    def sup(self, a: Rational, b: Rational) -> arb:
        """An upper bound of s^a L^b on (0, r]; the power must not grow towards 0."""
        if a < 0 or (a == 0 and b > 0):
            raise AssertionError(f"s^{a} L^{b} is not bounded near 0")
        if b == 0:
            return raised(self._r, a).upper()
        log_r = self.log_at_radius()
        at_radius = raised(self._r, a) * raised(log_r, b)
        if b < 0 or a == 0:  # rising in s
            return at_radius.upper()
        peak = number(b / a)  # of L, where s^a L^b is largest
        if log_r >= peak:
            return at_radius.upper()
        return (raised(peak, b) * (-number(b)).exp()).upper()

    def decay(self, rate: dict[Power, Expr], a: Rational, b: Rational) -> arb:
        """An upper bound on (0, r] of exp(rate) s^a L^b, where the rate tends to -oo.

        With x = 1/s, the lesser parts of the rate are at most a fraction of its leading part on
        x >= 1/r, and x^p exp(-c x^q) has its maximum where x^q = p/(c q).
        """
        powers = sorted(rate, key=key)
        (q, m), lead = powers[0], -self.range_of(rate[powers[0]]).hi
        if q >= 0:
            raise NoExpansion("an exponential of a power of a logarithm is outside the scale")
        if m < 0:
            raise NoExpansion("an exponential of a quotient by a logarithm is outside the scale")
        if not lead > 0:
            raise Narrower("the sign of an exponent is not certain")
        if b != 0 or any(power[1] != 0 for power in powers):
            self.need_logs()
        for power in powers[1:]:
            top = self.range_of(rate[power]).hi
            if top > 0:
                lead = lead - top * self.sup(power[0] - q, power[1] - m)
        c = lead.lower()
        if not c > 0:
            raise Narrower("the leading part of an exponent does not dominate yet")
        # L^b <= x^b, because log x <= x; and L^m >= 1 in the exponent.
        p, q = -a + max(b, Rational(0)), -q
        x = 1 / self._r
        at_radius = raised(x, p) * (-c * raised(x, q)).exp()
        if p <= 0:
            return at_radius.upper()
        peak = number(p / q) / c
        if raised(x, q) >= peak:
            return at_radius.upper()
        return (raised(peak, p / q) * (-number(p / q)).exp()).upper()

    def interval(self, at: Expr, side: str) -> Interval:
        """The neighbourhood in the variable of the user."""
        if at == sympy.oo:
            return Interval(1 / self.radius, sympy.oo)
        if at == -sympy.oo:
            return Interval(-sympy.oo, -1 / self.radius)
        if side == "+":
            return Interval(at, at + self.radius, lower_open=True)
        return Interval(at - self.radius, at, upper_open=True)


def raised(base: arb, exponent: Rational) -> arb:
    """A power of a positive ball."""
    if exponent.q == 1:
        return base ** int(exponent.p)
    root = base.sqrt() if exponent.q == 2 else base.root(int(exponent.q))
    return root ** int(exponent.p)


def larger(a: arb, b: arb) -> arb:
    return a if a >= b else b
