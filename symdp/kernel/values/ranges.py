r"""Ranges: sets of real numbers between two ends, and arithmetic on them, rounded outward. **Trusted.**

A :class:`Range` is a pair of Arb numbers, either of which may be infinite, with a flag at each end that
says whether the end itself can be reached. Pairs are used and not balls, because a ball is poor on wide
boxes and cannot hold a half-line. Arb's directed rounding is the only source of numeric truth here.

>>> print(mul(Range.between(0, 1, lower_open=True), Range.between(2, None)))
(0, oo)
>>> print(exponential(Range.between(None, 0)))
(0, 1]

The values always lie inside the range. An operation that may be undefined on its operands raises
:class:`Undefined`, whatever is done with the result: there is no ``0*log(-1)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial, reduce
from typing import Any, NamedTuple

from flint import arb, ctx, fmpq, fmpz

from symdp.kernel.terms import Term

POS_INF, NEG_INF = arb.pos_inf(), arb.neg_inf()
ZERO, ONE, TWO = arb(0), arb(1), arb(2)
#: Larger numbers are not turned into integers: their digits might fill the memory.
_LARGE = TWO**256
#: Larger exponents are handled by logarithms.
LARGEST_POWER = 10**6
#: Longer numbers are rounded.
MOST_DIGITS = 20_000


class Undefined(ArithmeticError):
    """A part of a term may be undefined somewhere on the box; ``certain``: it is so everywhere."""

    def __init__(self, part: Term, operand: Range, certain: bool = False) -> None:
        self.part, self.operand, self.certain = part, operand, certain
        super().__init__(part, operand, certain)

    def __str__(self) -> str:
        shown = str(self.part) if self.part.size <= 100 else f"a part with {self.part.head!r}"
        verb = "is" if self.certain else "may be"
        return f"{shown} {verb} undefined: an operand ranges over {self.operand}"


class Unsupported(ArithmeticError):
    """There is no enclosure for a part, or it would take too long."""


class Vacuous(ArithmeticError):
    """There is no point at all: what is known contradicts itself."""


def precision(bits: int) -> AbstractContextManager[None]:
    """Compute with that many bits inside the block."""
    return ctx.workprec(bits)


def down(ball: arb) -> arb:
    lower = ball.lower()
    return NEG_INF if lower.is_nan() else lower


def up(ball: arb) -> arb:
    upper = ball.upper()
    return POS_INF if upper.is_nan() else upper


class Range:
    """All real numbers between ``lo`` and ``hi``, which are exact; an open end is never reached.

    Rounding an end outward keeps its flag valid. ``exact`` is the one number that it stands for, where that
    is known though the ends are rounded.
    """

    __slots__ = ("exact", "hi", "hi_open", "lo", "lo_open")

    def __init__(self, lo: arb, hi: arb, lo_open: bool = False, hi_open: bool = False) -> None:
        self.lo, self.hi, self.lo_open, self.hi_open = lo, hi, lo_open, hi_open
        self.exact: fmpq | None = None

    @classmethod
    def of(cls, value: fmpq | fmpz | int) -> Range:
        """One number."""
        ball = arb(value)
        found = cls(down(ball), up(ball))
        if fmpq(value).height_bits() <= MOST_DIGITS:
            found.exact = fmpq(value)
        return found

    @classmethod
    def between(cls, lower: fmpq | int | None, upper: fmpq | int | None,
                lower_open: bool = False, upper_open: bool = False) -> Range:
        """From exact ends; None is infinite."""
        if lower is not None and lower == upper and not (lower_open or upper_open):
            return cls.of(lower)
        return cls(NEG_INF if lower is None else down(arb(fmpq(lower))),
            POS_INF if upper is None else up(arb(fmpq(upper))), lower_open or lower is None,
            upper_open or upper is None)

    @classmethod
    def of_ball(cls, ball: arb) -> Range:
        return cls(down(ball), up(ball))

    def is_positive(self) -> bool:
        return bool(self.lo > 0 or (self.lo_open and self.lo == 0))

    def is_negative(self) -> bool:
        return bool(self.hi < 0 or (self.hi_open and self.hi == 0))

    def is_nonnegative(self) -> bool:
        return bool(self.lo >= 0)

    def is_nonpositive(self) -> bool:
        return bool(self.hi <= 0)

    def is_zero(self) -> bool:
        return bool(self.lo == 0 and self.hi == 0)

    def is_finite(self) -> bool:
        return bool(self.lo > NEG_INF and self.hi < POS_INF)

    def is_empty(self) -> bool:
        return bool(self.lo > self.hi or (self.lo == self.hi and (self.lo_open or self.hi_open)))

    def meet(self, other: Range) -> Range:
        """The intersection of two ranges that both contain the same values; Vacuous if that is empty."""
        lo, lo_open = max((self.lo, self.lo_open), (other.lo, other.lo_open))
        hi, hi_closed = min((self.hi, not self.hi_open), (other.hi, not other.hi_open))
        met = Range(lo, hi, lo_open, not hi_closed)
        if met.is_empty():
            raise Vacuous("what is known of the values contradicts itself")
        met.exact = other.exact if self.exact is None else self.exact
        return met

    def misses(self, other: Range) -> bool:
        """Whether the two certainly have no number in common."""
        left, right = sorted((self, other), key=lambda r: r.lo)
        return bool(left.hi < right.lo or (left.hi == right.lo and (left.hi_open or right.lo_open)))

    def lies_in(self, other: Range) -> bool:
        """Whether all of it certainly lies in the other, of which an infinite end is no bound."""
        return bool((other.lo == NEG_INF or (self.lo, self.lo_open) >= (other.lo, other.lo_open))
                    and (other.hi == POS_INF or (self.hi, not self.hi_open) <= (other.hi, not other.hi_open)))

    def join(self, other: Range) -> Range:
        """The smallest range around both."""
        low, high = least(self, other), greatest(self, other)
        return Range(low.lo, high.hi, low.lo_open, high.hi_open)

    def integers(self) -> Range:
        """The same for a value that is an integer: the ends move inward."""
        if self.exact is not None and self.exact.q == 1:
            return self
        lo, hi = self.lo, self.hi
        if lo > NEG_INF:
            lo = down(lo.floor() + 1 if self.lo_open else lo.ceil())
        if hi < POS_INF:
            hi = up(hi.ceil() - 1 if self.hi_open else hi.floor())
        if lo > hi:
            raise Vacuous("there is no integer between the bounds")
        return Range(lo, hi, bool(lo == NEG_INF), bool(hi == POS_INF))

    def has_integer(self) -> bool:
        """Whether it may stand for an integer."""
        return self.exact is None or self.exact.q == 1

    def integer(self) -> int | None:
        """The one integer in the range, if that is all it holds."""
        found = self.sharp().exact
        return int(found.p) if found is not None and found.q == 1 and abs(found) < 2**256 else None

    def sharp(self) -> Range:
        """The same, where a single number that is not too long is known exactly."""
        if self.exact is None and self.lo == self.hi and abs(self.lo) < _LARGE:
            mantissa, exponent = self.lo.man_exp()
            self.exact = fmpq(mantissa) * fmpq(2) ** int(exponent) if exponent >= -5000 else None
        return self

    def __str__(self) -> str:
        # eight digits, for people only
        ends = ", ".join(f"{float(end.mid()):.8g}".replace("inf", "oo") for end in (self.lo, self.hi))
        return f"{'(' if self.lo_open else '['}{ends}{')' if self.hi_open else ']'}"

    __repr__ = __str__


EVERYTHING = Range(NEG_INF, POS_INF, True, True)


class Interval(NamedTuple):
    """Like a range, with exact rational ends; None is infinite."""

    lower: fmpq | None = None
    upper: fmpq | None = None
    lower_open: bool = False
    upper_open: bool = False

    def moved(self, factor: fmpq, offset: fmpq) -> Interval:
        """The numbers factor*t + offset, the factor not being 0."""
        lower, upper = (None if end is None else factor * end + offset for end in self[:2])
        if factor > 0:
            return Interval(lower, upper, self.lower_open, self.upper_open)
        return Interval(upper, lower, self.upper_open, self.lower_open)

    def meet(self, other: Interval) -> Interval:
        """The numbers in both; Vacuous if there are none."""
        _, lower, lower_open = max((i.lower is not None, i.lower, i.lower_open) for i in (self, other))
        _, upper, upper_closed = min((i.upper is None, i.upper, not i.upper_open) for i in (self, other))
        if lower is not None and upper is not None and (
                lower > upper or (lower == upper and (lower_open or not upper_closed))):
            raise Vacuous("the hypotheses contradict each other")
        return Interval(lower, upper, lower_open, not upper_closed)


# --- sums, products, quotients ----------------------------------------------------------------


def add(a: Range, b: Range) -> Range:
    if a.exact is not None and b.exact is not None:
        return Range.of(a.exact + b.exact)
    lo = NEG_INF if a.lo == NEG_INF or b.lo == NEG_INF else down(a.lo + b.lo)
    hi = POS_INF if a.hi == POS_INF or b.hi == POS_INF else up(a.hi + b.hi)
    return Range(lo, hi, a.lo_open or b.lo_open, a.hi_open or b.hi_open)


def neg(a: Range) -> Range:
    if a.exact is not None:
        return Range.of(-a.exact)
    # Even a change of sign rounds to the working precision.
    return Range(down(-a.hi), up(-a.lo), a.hi_open, a.lo_open)


def sub(a: Range, b: Range) -> Range:
    return add(a, neg(b))


def _corner(u: arb, u_open: bool, v: arb, v_open: bool) -> tuple[arb, bool]:
    """The product of two ends, and whether it is out of reach. 0 times infinity is 0 here: the
    values near that corner come arbitrarily close to 0, and the ends beside it bound the rest."""
    if u == 0 or v == 0:
        reached = (u == 0 and not u_open) or (v == 0 and not v_open)
        return ZERO, not reached
    return u * v, u_open or v_open


def mul(a: Range, b: Range) -> Range:
    if a.exact is not None and b.exact is not None:
        return Range.of(a.exact * b.exact)
    if a.lo == a.hi and a.lo != 0:
        a, b = b, a
    if b.lo == b.hi and b.lo != 0:  # a number, whose sign decides which end is which
        return _monotone(lambda u: u * b.lo, a, NEG_INF * b.lo, POS_INF * b.lo)
    if a.lo > 0 and b.lo > 0:  # the common case, with half of the work
        hi = POS_INF if a.hi == POS_INF or b.hi == POS_INF else up(a.hi * b.hi)
        return Range(down(a.lo * b.lo), hi, a.lo_open or b.lo_open, a.hi_open or b.hi_open)
    corners = [_corner(u, u_open, v, v_open) for u, u_open in ((a.lo, a.lo_open), (a.hi, a.hi_open))
               for v, v_open in ((b.lo, b.lo_open), (b.hi, b.hi_open))]
    # Of equal corners one that is reached counts.
    lo, lo_open = min((down(ball), is_open) for ball, is_open in corners)
    hi, hi_closed = max((up(ball), not is_open) for ball, is_open in corners)
    return Range(lo, hi, lo_open, not hi_closed)


def inverse(a: Range, part: Term) -> Range:
    if a.exact is not None and a.exact != 0:
        return Range.of(1 / a.exact)
    if a.is_positive():
        return _monotone(lambda u: 1 / u, a, POS_INF, ZERO, ZERO)
    if a.is_negative():
        return neg(inverse(neg(a), part))
    raise Undefined(part, a, certain=a.is_zero())


def least(a: Range, b: Range) -> Range:
    """The minimum of two values."""
    if a.exact is not None and b.exact is not None:
        return a if a.exact < b.exact else b
    lo, lo_open = min((a.lo, a.lo_open), (b.lo, b.lo_open))
    hi, hi_closed = min((a.hi, not a.hi_open), (b.hi, not b.hi_open))
    return Range(lo, hi, lo_open, not hi_closed)


def greatest(a: Range, b: Range) -> Range:
    return neg(least(neg(a), neg(b)))


def magnitude(a: Range) -> Range:
    if a.lo >= 0:
        return a
    size = greatest(a, neg(a))
    return size if a.hi <= 0 else Range(ZERO, size.hi, False, size.hi_open)


def whole_part(a: Range) -> Range:
    """The floor: below an open end that is an integer it is one less."""
    if a.exact is not None:
        return Range.of(a.exact.floor())
    lo = NEG_INF if a.lo == NEG_INF else down(a.lo.floor())
    hi = POS_INF if a.hi == POS_INF else up(a.hi.ceil() - 1 if a.hi_open else a.hi.floor())
    return Range(lo, hi, bool(lo == NEG_INF), bool(hi == POS_INF))


# --- elementary functions ---------------------------------------------------------------------


def _monotone(f: Callable[[arb], arb], a: Range, at_left: arb, at_right: arb, left: arb = NEG_INF,
              right: arb = POS_INF) -> Range:
    """The image under a strictly monotone function from ``left`` to ``right``, given its limits there."""
    at_lo = at_left if a.lo == left else f(a.lo)
    at_hi = at_right if a.hi == right else f(a.hi)
    if at_left < at_right:
        return Range(down(at_lo), up(at_hi), a.lo_open, a.hi_open)
    return Range(down(at_hi), up(at_lo), a.hi_open, a.lo_open)


def monotone(f: Callable[[arb], arb], at_left: arb, at_right: arb, domain: Range = EVERYTHING,
             nowhere: Callable[[Range], bool] | None = None) -> Callable[..., Range]:
    """The image of a range under a function that is strictly monotone and continuous on its domain: as Arb computes
    it, and its limits at the ends, which it has as values only where the domain is closed."""
    ends = [(at_left, domain.lo_open), (at_right, domain.hi_open)]
    (low, low_open), (high, high_open) = ends if at_left < at_right else reversed(ends)
    values = Range(down(low), up(high), low_open, high_open)
    left, right, everywhere, clipped = domain.lo, domain.hi, domain is EVERYTHING, low > NEG_INF or high < POS_INF

    def image(a: Range, part: Any = None) -> Range:
        if not (everywhere or a.lies_in(domain)):
            raise Undefined(part, a, certain=nowhere(a) if nowhere else a.misses(domain))
        found = _monotone(f, a, at_left, at_right, left, right)
        return found.meet(values) if clipped else found

    return image


POSITIVE, NOT_NEGATIVE = Range(ZERO, POS_INF, True, True), Range(ZERO, POS_INF, False, True)
exponential, logarithm = monotone(arb.exp, ZERO, POS_INF), monotone(arb.log, NEG_INF, POS_INF, POSITIVE)


def wave(f: Callable[[arb], arb], slope: Callable[[arb], arb], a: Range, part: Term) -> Range:
    """sin or cos: from end to end where the slope keeps its sign, else around the value in the middle."""
    around = a.lo.union(a.hi)
    steep = slope(around)
    if steep > 0 or steep < 0:  # both ends are finite
        return _monotone(f, a, -steep, steep)
    return Range.of_ball(f(around)).meet(Range(-ONE, ONE))


#: Gamma has its minimum, above 0.8856 with logarithm above -0.1215, between these two points.
_GAMMA_LEFT, _GAMMA_RIGHT = arb("1.46"), arb("1.47")


def _gamma(f: Callable[[arb], arb], bottom: arb, a: Range, part: Term) -> Range:
    if not a.is_positive():
        raise Undefined(part, a, certain=a.is_nonpositive())
    if a.lo == a.hi:
        return Range.of_ball(f(a.lo)).sharp()
    left, right = _monotone(f, a, POS_INF, ZERO, ZERO), _monotone(f, a, ZERO, POS_INF, ZERO)
    if a.hi <= _GAMMA_LEFT:
        return left
    return right if a.lo >= _GAMMA_RIGHT else Range(down(bottom), max(left.hi, right.hi))


gamma, log_gamma = partial(_gamma, arb.gamma, arb("0.8856")), partial(_gamma, arb.lgamma, arb("-0.1215"))


# --- powers and binomials ---------------------------------------------------------------------


def rational_power(a: Range, p: int, q: int, part: Term) -> Range:
    """a^(p/q) in lowest terms; 0^0 is 1. A base under a root is not negative, one under a negative exponent
    not 0."""
    if p < 0:
        return inverse(rational_power(a, -p, q, part), part)
    if q > 1 and not a.is_nonnegative():
        raise Undefined(part, a, certain=a.is_negative())
    if p == 0:
        return Range.of(1)
    if a.exact is not None and p * a.exact.height_bits() <= MOST_DIGITS * q:
        top, bottom = (a.exact.p, a.exact.q) if q == 1 else (a.exact.p.root(q), a.exact.q.root(q))
        if q == 1 or (top**q == a.exact.p and bottom**q == a.exact.q):
            return Range.of(fmpq(top, bottom) ** p)
    if q == 1:
        return _monotone(lambda u: u**p, a if p % 2 else magnitude(a), NEG_INF, POS_INF)
    image = _monotone(lambda u: u if u == 0 else u.root(q) ** p, a, NEG_INF, POS_INF)
    # What rounding put below 0 is clipped; a positive base has a positive root.
    return image.meet(Range(ZERO, POS_INF, a.is_positive(), True))


def power(a: Range, b: Range, part: Term, whole: bool = False) -> Range:
    """a^b = exp(b log a) for a > 0, and 0^b = 0 for b > 0. If the exponent is seen to be an integer, the base
    is not 0, or the exponent not negative."""
    one = b.sharp().exact
    if one is not None and max(abs(one.p), one.q) <= LARGEST_POWER and (whole or (a.exact and a.exact > 0)):
        return rational_power(a, int(one.p), int(one.q), part)
    if a.is_positive():
        return exponential(mul(b, logarithm(a, part)))
    # An exponent whose value is an integer has a meaning, whether or not it is seen to be one.
    if not ((a.is_negative() or b.is_nonnegative()) if whole else (a.is_nonnegative() and b.is_positive())):
        raise Undefined(part, a, certain=(a.is_negative() and not b.has_integer())
                        or (a.is_zero() and b.is_negative()))
    size = magnitude(a)
    if size.is_positive():
        size = power(size, b, part)
    else:
        image = size if size.is_zero() else power(Range(ZERO, size.hi, True, size.hi_open), b, part)
        size = Range(ZERO, image.hi, False, image.hi_open)
        if not b.is_positive():  # 0^0 = 1
            size = size.join(Range(ZERO, ONE))
    # Whether the exponent is even is not known.
    return size if a.is_nonnegative() else size.join(neg(size))


def falling(n: Range, m: int) -> Range:
    """n(n-1)...(n-m+1)/m! for every n, and a literal m."""
    if m > 1000:
        raise Unsupported("a binomial with that many factors")
    if m and n.exact is None and n.lo >= m - 1:
        return _monotone(lambda u: (u - (m - 1)).rising(m) / math.factorial(m), n, NEG_INF, POS_INF)
    factors = (mul(add(n, Range.of(-i)), Range.of(fmpq(1, i + 1))) for i in range(m))
    return reduce(mul, factors, Range.of(1))


def binomial(n: Range, m: Range, rest: Range, part: Term) -> Range:
    """Gamma(n+1)/(Gamma(m+1) Gamma(rest+1)) with rest = n - m, all three arguments positive."""
    shifted = [add(u, Range.of(1)) for u in (n, m, rest)]
    for u in shifted:
        if not u.is_positive():
            raise Undefined(part, u, certain=u.is_nonpositive() and (m.is_negative() or not m.has_integer()))
    whole_n, whole_m = n.integer(), m.integer()
    if whole_n is not None and whole_m is not None and 0 <= whole_m <= whole_n < 2**31:
        return Range.of_ball(arb.bin_uiui(whole_n, whole_m)).sharp()
    top, left, right = (log_gamma(u, part) for u in shifted)
    return exponential(sub(top, add(left, right)))


def repeated_product(count: Range, body: Range, part: Term) -> Range:
    """The product of that many values, each in the range of the body; 1 if there are none."""
    size = power(magnitude(body), count, part, whole=True)
    # The factors may differ in sign, so even a square may be negative.
    return size if body.is_nonnegative() else Range(neg(size).lo, size.hi)
