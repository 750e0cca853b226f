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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from flint import arb, ctx, fmpq, fmpz

from symdp.kernel.terms import Term

POS_INF, NEG_INF = arb.pos_inf(), arb.neg_inf()
ZERO, ONE, TWO = arb(0), arb(1), arb(2)
#: Larger numbers are not turned into integers: their digits might fill the memory.
_LARGE = TWO**256
#: Larger exponents are handled by logarithms.
LARGEST_POWER = 10_000
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


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with that many bits inside the block."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


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
        return cls(
            NEG_INF if lower is None else down(arb(fmpq(lower))),
            POS_INF if upper is None else up(arb(fmpq(upper))),
            lower_open or lower is None,
            upper_open or upper is None,
        )

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

    def is_point(self) -> bool:
        return bool(self.lo == self.hi)

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
        """Whether an integer may lie in it."""
        try:
            self.integers()
        except Vacuous:
            return False
        return True

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
        left = "-oo" if self.lo == NEG_INF else short(self.lo)
        right = "oo" if self.hi == POS_INF else short(self.hi)
        return f"{'(' if self.lo_open else '['}{left}, {right}{')' if self.hi_open else ']'}"

    __repr__ = __str__


def short(end: arb) -> str:
    """An end to eight digits, for people only."""
    text = str(end.mid().str(8, radius=False))
    if "." not in text:
        return text
    digits, _, exponent = text.partition("e")
    return digits.rstrip("0").rstrip(".") + (f"e{exponent}" if exponent else "")


EVERYTHING = Range(NEG_INF, POS_INF, True, True)


class Interval(NamedTuple):
    """Like a range, with exact rational ends; None is infinite."""

    lower: fmpq | None = None
    upper: fmpq | None = None
    lower_open: bool = False
    upper_open: bool = False

    def moved(self, factor: fmpq, offset: fmpq) -> Interval:
        """The numbers factor*t + offset, the factor not being 0."""
        lower = None if self.lower is None else factor * self.lower + offset
        upper = None if self.upper is None else factor * self.upper + offset
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


def _scale(a: Range, b: Range) -> Range:
    """The product with an exact number a other than 0: its sign decides which end is which."""
    c = a.lo
    low, high = c * b.lo, c * b.hi
    if c > 0:
        return Range(down(low), up(high), b.lo_open, b.hi_open)
    return Range(down(high), up(low), b.hi_open, b.lo_open)


def mul(a: Range, b: Range) -> Range:
    if a.exact is not None and b.exact is not None:
        return Range.of(a.exact * b.exact)
    if a.lo == a.hi and a.lo != 0:
        return _scale(a, b)
    if b.lo == b.hi and b.lo != 0:
        return _scale(b, a)
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
        hi = POS_INF if a.lo == 0 else up(1 / a.lo)
        lo = ZERO if a.hi == POS_INF else down(1 / a.hi)
        return Range(lo, hi, a.hi_open, a.lo_open)
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
    flipped = neg(a)
    if a.hi <= 0:
        return flipped
    largest = greatest(a, flipped)
    return Range(ZERO, largest.hi, False, largest.hi_open)


def whole_part(a: Range) -> Range:
    """The floor: below an open end that is an integer it is one less."""
    if a.exact is not None:
        return Range.of(a.exact.floor())
    lo = NEG_INF if a.lo == NEG_INF else down(a.lo.floor())
    hi = POS_INF if a.hi == POS_INF else up(a.hi.ceil() - 1 if a.hi_open else a.hi.floor())
    return Range(lo, hi, bool(lo == NEG_INF), bool(hi == POS_INF))


# --- elementary functions ---------------------------------------------------------------------


def _monotone(f: Callable[[arb], arb], a: Range, at_minus_inf: arb, at_plus_inf: arb,
              rising: bool = True) -> Range:
    """The image under a strictly monotone function, given its limits at the infinite ends."""
    at_lo = at_minus_inf if a.lo == NEG_INF else f(a.lo)
    at_hi = at_plus_inf if a.hi == POS_INF else f(a.hi)
    if rising:
        return Range(down(at_lo), up(at_hi), a.lo_open, a.hi_open)
    return Range(down(at_hi), up(at_lo), a.hi_open, a.lo_open)


#: Strictly monotone functions of all real numbers: as Arb computes them, and their limits at -oo and oo.
MONOTONE: dict[str, tuple[Callable[[arb], arb], arb, arb]] = {
    "exp": (arb.exp, ZERO, POS_INF), "sinh": (arb.sinh, NEG_INF, POS_INF), "tanh": (arb.tanh, -ONE, ONE),
    "erf": (arb.erf, -ONE, ONE), "erfc": (arb.erfc, TWO, ZERO),
    "Phi": (lambda u: (-u / TWO.sqrt()).erfc() / 2, ZERO, ONE),
}


def image_of(name: str, a: Range) -> Range:
    """The image under a function of the table, which never has its limits as values."""
    f, low, high = MONOTONE[name]
    if low < high:
        return _monotone(f, a, low, high).meet(Range(low, high, True, True))
    return _monotone(f, a, low, high, rising=False).meet(Range(high, low, True, True))


def exponential(a: Range) -> Range:
    return image_of("exp", a)


def logarithm(a: Range, part: Term) -> Range:
    if not a.is_positive():
        raise Undefined(part, a, certain=a.is_nonpositive())
    lo = NEG_INF if a.lo == 0 else down(a.lo.log())
    hi = POS_INF if a.hi == POS_INF else up(a.hi.log())
    return Range(lo, hi, a.lo_open, a.hi_open)


def hyperbolic_cosine(a: Range) -> Range:
    image = _monotone(arb.cosh, magnitude(a), POS_INF, POS_INF)
    return image.meet(Range(ONE, POS_INF, False, True))


def wave(f: Callable[[arb], arb], a: Range, first_crest: arb) -> Range:
    """sin or cos: the ends, and +1 or -1 for every crest or trough that may lie inside."""
    if not (a.lo > -_LARGE and a.hi < _LARGE and a.hi - a.lo < 7):
        return Range(-ONE, ONE)
    image = Range.of_ball(f(a.lo)).join(Range.of_ball(f(a.hi)))
    image.lo_open = image.hi_open = False
    start, stop = (a.lo - first_crest) / arb.pi(), (a.hi - first_crest) / arb.pi()
    first, last = down(start).floor().unique_fmpz(), up(stop).ceil().unique_fmpz()
    if first is None or last is None or last - first > 8:
        return Range(-ONE, ONE)
    for n in range(int(first), int(last) + 1):
        if start > n or stop < n:
            continue
        image = Range(-ONE, image.hi) if n % 2 else Range(image.lo, ONE)
    return image.meet(Range(-ONE, ONE))


#: Gamma has its minimum, above 0.8856 with logarithm above -0.1215, between these two points.
_GAMMA_LEFT, _GAMMA_RIGHT = arb("1.46"), arb("1.47")


def _gamma(f: Callable[[arb], arb], bottom: arb, a: Range, part: Term) -> Range:
    if not a.is_positive():
        raise Undefined(part, a, certain=a.is_nonpositive())
    at_lo = POS_INF if a.lo == 0 else f(a.lo)
    at_hi = POS_INF if a.hi == POS_INF else f(a.hi)
    if a.hi <= _GAMMA_LEFT:
        return Range(down(at_hi), up(at_lo), a.hi_open, a.lo_open)
    if a.lo >= _GAMMA_RIGHT:
        return Range(down(at_lo), up(at_hi), a.lo_open, a.hi_open)
    if a.is_point():
        return Range.of_ball(at_lo)
    low, high = up(at_lo), up(at_hi)
    return Range(down(bottom), high if high > low else low)


def gamma(a: Range, part: Term) -> Range:
    if a.exact is not None and a.exact.q == 1 and 1 <= a.exact <= 50:
        return Range.of(math.factorial(int(a.exact.p) - 1))
    return _gamma(arb.gamma, arb("0.8856"), a, part)


def log_gamma(a: Range, part: Term) -> Range:
    return _gamma(arb.lgamma, arb("-0.1215"), a, part)


# --- powers and binomials ---------------------------------------------------------------------


def integer_power(a: Range, n: int, part: Term) -> Range:
    """a^n for one integer n; 0^0 is 1."""
    if n < 0:
        return inverse(integer_power(a, -n, part), part)
    if n == 0:
        return Range.of(1)
    if a.exact is not None and n * a.exact.height_bits() <= MOST_DIGITS:
        return Range.of(a.exact**n)
    if n % 2 == 0:
        a = magnitude(a)
    return _monotone(lambda u: u**n, a, NEG_INF, POS_INF)


def rational_power(a: Range, exponent: fmpq, part: Term) -> Range:
    """a^(p/q), not an integer: the base is not negative, and positive when the exponent is negative."""
    if exponent < 0:
        return inverse(rational_power(a, -exponent, part), part)
    if not a.is_nonnegative():
        raise Undefined(part, a, certain=a.is_negative())
    p, q = int(exponent.p), int(exponent.q)
    if a.exact is not None and p <= 64 and q <= 64:
        top, bottom = a.exact.p.root(q), a.exact.q.root(q)
        if top**q == a.exact.p and bottom**q == a.exact.q:
            return Range.of(fmpq(top, bottom) ** p)
    if p > LARGEST_POWER or q > LARGEST_POWER:
        return general_power(a, Range.between(exponent, exponent), part)

    def power(u: arb) -> arb:
        return u if u == 0 else (u.sqrt() if q == 2 else u.root(q)) ** p

    image = _monotone(power, a, ZERO, POS_INF)
    # What rounding put below 0 is clipped; a positive base has a positive root.
    return image.meet(Range(ZERO, POS_INF, a.is_positive(), True))


def general_power(a: Range, b: Range, part: Term) -> Range:
    """a^b = exp(b log a) for a > 0, and 0^b = 0 for b > 0."""
    if a.is_positive():
        if a.exact is not None and b.exact is not None and max(abs(b.exact.p), b.exact.q) <= LARGEST_POWER:
            p, whole = b.exact, b.exact.q == 1
            return integer_power(a, int(p.p), part) if whole else rational_power(a, p, part)
        return exponential(mul(b, logarithm(a, part)))
    if a.is_nonnegative() and b.is_positive():
        return Range(ZERO, ZERO) if a.is_zero() else _up_to(a, b)
    # An exponent whose value is an integer has a meaning, whether or not it is seen to be one.
    raise Undefined(part, a, certain=(a.is_negative() and not b.has_integer()) or (a.is_zero() and b.is_negative()))


def _up_to(a: Range, b: Range) -> Range:
    """a^b for a >= 0, b >= 0, where 0 is among the values of a."""
    top = POS_INF if a.hi == POS_INF else up(a.hi.log())
    image = exponential(mul(b, Range(NEG_INF, top, True, a.hi_open)))
    return Range(ZERO, image.hi, False, image.hi_open)


def whole_power(a: Range, b: Range, part: Term) -> Range:
    """a^b for an exponent that is an integer: the base is not 0, or the exponent is not negative."""
    n = b.integer()
    if n is not None and abs(n) <= LARGEST_POWER:
        return integer_power(a, n, part)
    if not (a.is_positive() or a.is_negative() or b.is_nonnegative()):
        raise Undefined(part, a, certain=a.is_zero() and b.is_negative())
    if a.is_positive():
        return exponential(mul(b, logarithm(a, part)))
    size = magnitude(a)
    if size.is_positive():
        size = exponential(mul(b, logarithm(size, part)))
    elif b.is_positive():
        size = Range(ZERO, ZERO) if size.is_zero() else _up_to(size, b)
    else:  # 0^0 = 1
        size = Range(ZERO, ONE) if size.is_zero() else _up_to(size, b).join(Range(ZERO, ONE))
    # Whether the exponent is even is not known.
    return size if a.is_nonnegative() else size.join(neg(size))


def falling(n: Range, m: int) -> Range:
    """n(n-1)...(n-m+1)/m! for every n, and a literal m."""
    if m > 1000:
        raise Unsupported("a binomial with that many factors")

    def at(u: arb) -> arb:
        value = ONE
        for i in range(m):
            value = value * (u - i) / (i + 1)
        return value

    if m and n.exact is None and n.lo >= m - 1:
        return _monotone(at, n, NEG_INF, POS_INF)
    value = Range.of(1)
    for i in range(m):
        value = mul(value, mul(add(n, Range.of(-i)), Range.of(fmpq(1, i + 1))))
    return value


def binomial(n: Range, m: Range, rest: Range, part: Term) -> Range:
    """Gamma(n+1)/(Gamma(m+1) Gamma(rest+1)) with rest = n - m, all three arguments positive."""
    one = Range.of(1)
    top, *bottom = (add(u, one) for u in (n, m, rest))
    for u in (top, *bottom):
        if not u.is_positive():
            raise Undefined(part, u, certain=u.is_nonpositive() and (m.is_negative() or not m.has_integer()))
    whole_n, whole_m = n.integer(), m.integer()
    if whole_n is not None and whole_m is not None and 0 <= whole_m <= whole_n < 2**31:
        return Range.of(fmpz.bin_uiui(whole_n, whole_m)) if whole_n <= LARGEST_POWER else Range.of_ball(
            arb.bin_uiui(whole_n, whole_m))
    logs = [log_gamma(u, part) for u in (top, *bottom)]
    return exponential(sub(logs[0], add(logs[1], logs[2])))


def repeated_product(count: Range, body: Range, part: Term) -> Range:
    """The product of that many values, each in the range of the body; 1 if there are none."""
    if body.is_nonnegative():
        return whole_power(body, count, part)
    size = whole_power(magnitude(body), count, part)
    # The factors may differ in sign, so even a square may be negative.
    return Range(neg(size).lo, size.hi)
