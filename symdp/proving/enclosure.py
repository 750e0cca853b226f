r"""Enclosures: the set of values of an expression on a box, rounded outward. **Trusted.**

A :class:`Range` is a pair of Arb numbers, lower and upper, either of which may be infinite, with a
flag at each end that says whether the end itself can be reached. Pairs are used and not balls,
because a ball is poor on wide boxes and cannot hold a half-line. Arb's directed rounding is the
only source of numeric truth here; nothing in this module ever sees a machine float.

A :class:`Tape` is an expression folded once into a list of steps, then run on many boxes:

>>> from sympy import exp
>>> from symdp.notation import x
>>> tape = Tape(exp(-x) * x, [x])
>>> print(tape([Range.between(0, 1)]))
[0, 1]
>>> print(tape([Range.between(0, None, lower_open=True)]))
(0, oo)
>>> import sympy
>>> Tape(sympy.log(x), [x])([Range.between(-1, 1)])
Traceback (most recent call last):
...
symdp.proving.enclosure.Undefined: log(x) may be undefined: x ranges over [-1, 1]

The set of values always lies inside the range; how much larger the range is depends on how the
expression is written and is the business of whoever searches for a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import sympy
from flint import arb, ctx, fmpq
from sympy import Expr, Rational, Symbol

from symdp.insertion import Overgrown, put
from symdp.notation import Phi

POS_INF, NEG_INF = arb.pos_inf(), arb.neg_inf()
ZERO, ONE, TWO = arb(0), arb(1), arb(2)


#: SymPy evaluates these on constants by looking at floating-point values; see `inserted`.
DECIDED_BY_ROUNDING = (sympy.floor, sympy.Min, sympy.Max, sympy.Abs, sympy.sign)


class Undefined(ArithmeticError):
    """A part of the expression may be undefined (or not real) somewhere on the box.

    ``certain`` says that it is undefined everywhere on the box.
    """

    def __init__(self, part: Expr, operand: Range, certain: bool = False) -> None:
        self.part, self.operand, self.certain = part, operand, certain
        argument = part.args[0] if part.args else part
        verb = "is" if certain else "may be"
        super().__init__(f"{part} {verb} undefined: {argument} ranges over {operand}")


class Unsupported(TypeError):
    """The expression has a part for which there is no enclosure."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with that many bits inside the block."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def number(value: Rational | int) -> arb:
    """A rational as the narrowest ball around it."""
    value = Rational(value)
    return arb(fmpq(int(value.p), int(value.q)))


def _down(ball: arb) -> arb:
    lower = ball.lower()
    return NEG_INF if lower.is_nan() else lower


def _up(ball: arb) -> arb:
    upper = ball.upper()
    return POS_INF if upper.is_nan() else upper


class Range:
    """All real numbers between ``lo`` and ``hi``; an open end is never reached.

    Infinite ends are always open. Rounding an end outward keeps its flag valid.
    """

    __slots__ = ("hi", "hi_open", "lo", "lo_open")

    def __init__(self, lo: arb, hi: arb, lo_open: bool = False, hi_open: bool = False) -> None:
        self.lo, self.hi, self.lo_open, self.hi_open = lo, hi, lo_open, hi_open

    @classmethod
    def between(
        cls,
        lower: Rational | int | None,
        upper: Rational | int | None,
        lower_open: bool = False,
        upper_open: bool = False,
    ) -> Range:
        """From exact ends; None is infinite."""
        return cls(
            NEG_INF if lower is None else _down(number(lower)),
            POS_INF if upper is None else _up(number(upper)),
            lower_open or lower is None,
            upper_open or upper is None,
        )

    @classmethod
    def of_ball(cls, ball: arb) -> Range:
        return cls(_down(ball), _up(ball))

    def is_positive(self) -> bool:
        return bool(self.lo > 0 or (self.lo_open and self.lo == 0))

    def is_negative(self) -> bool:
        return bool(self.hi < 0 or (self.hi_open and self.hi == 0))

    def is_nonnegative(self) -> bool:
        return bool(self.lo >= 0)

    def is_nonpositive(self) -> bool:
        return bool(self.hi <= 0)

    def is_finite(self) -> bool:
        return bool(self.lo > NEG_INF and self.hi < POS_INF)

    def meet(self, other: Range) -> Range:
        """The intersection of two ranges that both contain the same values."""
        lo, lo_open, hi, hi_open = self.lo, self.lo_open, self.hi, self.hi_open
        if other.lo > lo:
            lo, lo_open = other.lo, other.lo_open
        elif other.lo == lo:
            lo_open = lo_open or other.lo_open
        if other.hi < hi:
            hi, hi_open = other.hi, other.hi_open
        elif other.hi == hi:
            hi_open = hi_open or other.hi_open
        return Range(lo, hi, lo_open, hi_open)

    def contains(self, ball: arb) -> bool:
        """Whether the ball lies inside for certain (open ends are taken as closed)."""
        return bool(self.lo <= ball and ball <= self.hi)

    def __str__(self) -> str:
        left = "-oo" if self.lo == NEG_INF else short(self.lo)
        right = "oo" if self.hi == POS_INF else short(self.hi)
        return f"{'(' if self.lo_open else '['}{left}, {right}{')' if self.hi_open else ']'}"


def short(end: arb) -> str:
    """An end to eight digits, for people only."""
    text = str(end.mid().str(8, radius=False))
    if "." not in text:
        return text
    digits, _, exponent = text.partition("e")
    return digits.rstrip("0").rstrip(".") + (f"e{exponent}" if exponent else "")


EVERYTHING = Range(NEG_INF, POS_INF, True, True)


# --- arithmetic on ranges ------------------------------------------------------------------


def add(a: Range, b: Range) -> Range:
    lo = NEG_INF if a.lo == NEG_INF or b.lo == NEG_INF else _down(a.lo + b.lo)
    hi = POS_INF if a.hi == POS_INF or b.hi == POS_INF else _up(a.hi + b.hi)
    return Range(lo, hi, a.lo_open or b.lo_open, a.hi_open or b.hi_open)


def neg(a: Range) -> Range:
    # Even a change of sign rounds to the working precision.
    return Range(_down(-a.hi), _up(-a.lo), a.hi_open, a.lo_open)


def _corner(u: arb, u_open: bool, v: arb, v_open: bool) -> tuple[arb, bool]:
    """The product of two ends, and whether it is out of reach. 0 times infinity is 0 here: the
    values near that corner come arbitrarily close to 0 but the ends beside it bound the rest."""
    if u == 0 or v == 0:
        reached = (u == 0 and not u_open) or (v == 0 and not v_open)
        return ZERO, not reached
    return u * v, u_open or v_open


def scale(a: Range, b: Range) -> Range:
    """The product with an exact number a other than 0: its sign decides which end is which."""
    c = a.lo
    low, high = c * b.lo, c * b.hi
    if c > 0:
        return Range(_down(low), _up(high), b.lo_open, b.hi_open)
    return Range(_down(high), _up(low), b.hi_open, b.lo_open)


def mul(a: Range, b: Range) -> Range:
    if a.lo == a.hi and a.lo != 0:
        return scale(a, b)
    if b.lo == b.hi and b.lo != 0:
        return scale(b, a)
    if a.lo > 0 and b.lo > 0:  # the common case, with half of the work
        hi = POS_INF if a.hi == POS_INF or b.hi == POS_INF else _up(a.hi * b.hi)
        return Range(_down(a.lo * b.lo), hi, a.lo_open or b.lo_open, a.hi_open or b.hi_open)
    lo, hi = POS_INF, NEG_INF
    lo_open = hi_open = True
    for u, u_open in ((a.lo, a.lo_open), (a.hi, a.hi_open)):
        for v, v_open in ((b.lo, b.lo_open), (b.hi, b.hi_open)):
            ball, is_open = _corner(u, u_open, v, v_open)
            low, high = _down(ball), _up(ball)
            if low < lo:
                lo, lo_open = low, is_open
            elif low == lo:
                lo_open = lo_open and is_open
            if high > hi:
                hi, hi_open = high, is_open
            elif high == hi:
                hi_open = hi_open and is_open
    return Range(lo, hi, lo_open, hi_open)


def _monotone(
    f: Callable[[arb], arb], a: Range, at_minus_inf: arb, at_plus_inf: arb, rising: bool = True
) -> Range:
    """The image under a strictly monotone function, given its limits at the infinite ends."""
    at_lo = at_minus_inf if a.lo == NEG_INF else f(a.lo)
    at_hi = at_plus_inf if a.hi == POS_INF else f(a.hi)
    if rising:
        return Range(_down(at_lo), _up(at_hi), a.lo_open, a.hi_open)
    return Range(_down(at_hi), _up(at_lo), a.hi_open, a.lo_open)


def inverse(a: Range, part: Expr) -> Range:
    if a.is_positive():
        hi = POS_INF if a.lo == 0 else _up(1 / a.lo)
        lo = ZERO if a.hi == POS_INF else _down(1 / a.hi)
        return Range(lo, hi, a.hi_open, a.lo_open)
    if a.is_negative():
        return neg(inverse(neg(a), part))
    raise Undefined(part, a, certain=bool(a.lo == 0 and a.hi == 0))


def magnitude(a: Range) -> Range:
    if a.lo >= 0:
        return a
    flipped = neg(a)
    if a.hi <= 0:
        return flipped
    return Range(ZERO, greatest(a, flipped).hi, False, greatest(a, flipped).hi_open)


def integer_power(a: Range, n: int, part: Expr) -> Range:
    if n < 0:
        return inverse(integer_power(a, -n, part), part)
    if n % 2 == 0:
        a = magnitude(a)
    return _monotone(lambda u: u**n, a, NEG_INF, POS_INF)


EXP_IMAGE = Range(ZERO, POS_INF, True, True)


def exponential(a: Range) -> Range:
    return _monotone(arb.exp, a, ZERO, POS_INF).meet(EXP_IMAGE)


def logarithm(a: Range, part: Expr) -> Range:
    if not a.is_positive():
        raise Undefined(part, a, certain=a.is_nonpositive())
    lo = NEG_INF if a.lo == 0 else _down(a.lo.log())
    hi = POS_INF if a.hi == POS_INF else _up(a.hi.log())
    return Range(lo, hi, a.lo_open, a.hi_open)


def rational_power(a: Range, exponent: Rational, part: Expr) -> Range:
    """a^(p/q) for a non-negative base (positive when the exponent is negative)."""
    if exponent < 0:
        return inverse(rational_power(a, -exponent, part), part)
    if not a.is_nonnegative():
        raise Undefined(part, a, certain=a.is_negative())
    p, q = int(exponent.p), int(exponent.q)
    root = arb.sqrt if q == 2 else (lambda u: u.root(q))
    # A tiny negative rounding at 0 is clipped; a positive base has a positive root.
    return _monotone(lambda u: root(u) ** p, a, ZERO, POS_INF).meet(
        Range(ZERO, POS_INF, a.is_positive(), True)
    )


def general_power(a: Range, b: Range, part: Expr) -> Range:
    """a^b = exp(b log a) for a > 0, and 0^b = 0 for b > 0; any base for a whole exponent."""
    n = b.lo.unique_fmpz() if b.lo == b.hi else None
    if n is not None and 0 < abs(n) < 10_000:
        return integer_power(a, int(n), part)
    if a.is_positive():
        return exponential(mul(b, logarithm(a, part)))
    if a.is_nonnegative() and b.is_positive():
        hi = POS_INF if a.hi == POS_INF else (NEG_INF if a.hi == 0 else _up(a.hi.log()))
        image = mul(b, Range(NEG_INF, hi, a.lo_open, a.hi_open))
        top = POS_INF if image.hi == POS_INF else _up(image.hi.exp())
        return Range(ZERO, ZERO if a.hi == 0 else top, a.lo_open, image.hi_open and a.hi != 0)
    fractional = b.lo == b.hi and not b.lo.is_integer()
    certain = (a.hi == 0 and b.is_nonpositive()) or (a.is_negative() and fractional)
    raise Undefined(part, a, certain=bool(certain))


def hyperbolic_cosine(a: Range) -> Range:
    return _monotone(arb.cosh, magnitude(a), POS_INF, POS_INF).meet(
        Range(ONE, POS_INF, False, True)
    )


def _wave(f: Callable[[arb], arb], a: Range, first_crest: arb) -> Range:
    """sin or cos: the ends, and +1 or -1 for every crest or trough that may lie inside."""
    if not a.is_finite() or a.hi - a.lo > 7:
        return Range(-ONE, ONE)
    left, right = Range.of_ball(f(a.lo)), Range.of_ball(f(a.hi))
    image = Range(least(left, right).lo, greatest(left, right).hi)
    pi = arb.pi()
    start, stop = (a.lo - first_crest) / pi, (a.hi - first_crest) / pi
    first, last = _down(start).floor().unique_fmpz(), _up(stop).ceil().unique_fmpz()
    if first is None or last is None or last - first > 8:
        return Range(-ONE, ONE)
    for n in range(int(first), int(last) + 1):
        if start > n or stop < n:
            continue
        image = Range(-ONE, image.hi) if n % 2 else Range(image.lo, ONE)
    return image.meet(Range(-ONE, ONE))


#: Gamma has its minimum, above 0.8856 with logarithm above -0.1215, between these two points.
_GAMMA_LEFT, _GAMMA_RIGHT = arb("1.46"), arb("1.47")


def _gamma(f: Callable[[arb], arb], floor: arb, a: Range, part: Expr) -> Range:
    if not a.is_positive():
        raise Undefined(part, a)
    at_lo = POS_INF if a.lo == 0 else f(a.lo)
    at_hi = POS_INF if a.hi == POS_INF else f(a.hi)
    if a.hi <= _GAMMA_LEFT:
        return Range(_down(at_hi), _up(at_lo), a.hi_open, a.lo_open)
    if a.lo >= _GAMMA_RIGHT:
        return Range(_down(at_lo), _up(at_hi), a.lo_open, a.hi_open)
    low, high = _up(at_lo), _up(at_hi)
    return Range(_down(floor), high if high > low else low)


def whole_part(a: Range) -> Range:
    lo = NEG_INF if a.lo == NEG_INF else _down(a.lo.floor())
    hi = POS_INF if a.hi == POS_INF else _up(a.hi.floor())
    return Range(lo, hi, a.lo == NEG_INF, a.hi == POS_INF)


def least(a: Range, b: Range) -> Range:
    """The minimum of two values."""
    if a.lo < b.lo or (a.lo == b.lo and not a.lo_open):
        lo, lo_open = a.lo, a.lo_open
    else:
        lo, lo_open = b.lo, b.lo_open
    if a.hi < b.hi or (a.hi == b.hi and a.hi_open):
        hi, hi_open = a.hi, a.hi_open
    else:
        hi, hi_open = b.hi, b.hi_open
    return Range(lo, hi, lo_open, hi_open)


def greatest(a: Range, b: Range) -> Range:
    return neg(least(neg(a), neg(b)))


def _normal(u: arb) -> arb:
    return (-u / TWO.sqrt()).erfc() / 2


_UNIT = Range(ZERO, ONE, True, True)

#: Functions of one argument. Those that can be undefined get the expression, to name it.
_UNARY: dict[type, Callable[[Range, Expr], Range]] = {
    sympy.exp: lambda a, _: exponential(a),
    sympy.log: logarithm,
    sympy.Abs: lambda a, _: magnitude(a),
    sympy.sinh: lambda a, _: _monotone(arb.sinh, a, NEG_INF, POS_INF),
    sympy.cosh: lambda a, _: hyperbolic_cosine(a),
    sympy.tanh: lambda a, _: _monotone(arb.tanh, a, -ONE, ONE).meet(Range(-ONE, ONE, True, True)),
    sympy.sin: lambda a, _: _wave(arb.sin, a, arb.pi() / 2),
    sympy.cos: lambda a, _: _wave(arb.cos, a, ZERO),
    sympy.erf: lambda a, _: _monotone(arb.erf, a, -ONE, ONE).meet(Range(-ONE, ONE, True, True)),
    sympy.erfc: lambda a, _: _monotone(arb.erfc, a, TWO, ZERO, rising=False).meet(
        Range(ZERO, TWO, True, True)
    ),
    Phi: lambda a, _: _monotone(_normal, a, ZERO, ONE).meet(_UNIT),
    sympy.gamma: lambda a, part: _gamma(arb.gamma, arb("0.8856"), a, part),
    sympy.loggamma: lambda a, part: _gamma(arb.lgamma, arb("-0.1215"), a, part),
    sympy.floor: lambda a, _: whole_part(a),
}


# --- folding an expression into a tape ------------------------------------------------------

Step = Callable[[list[Range]], Range]


def enclosable(expr: Expr) -> Expr:
    """The expression as it is enclosed: binomials through Gamma, log(e + u) as 1 + log(1 + u/e).

    The latter keeps log(e) = 1 exact, which rounding would lose.
    """
    if expr.has(sympy.log) and expr.has(sympy.E):
        expr = expr.replace(
            lambda part: isinstance(part, sympy.log) and sympy.E in sympy.Add.make_args(part.args[0]),
            lambda part: 1 + sympy.log(1 + (part.args[0] - sympy.E) / sympy.E),
        )
    if not expr.has(sympy.binomial):
        return expr

    def rewrite(n: Expr, m: Expr) -> Expr:
        if m.is_Integer and 0 <= m <= 20:
            return sympy.prod([n - i for i in range(int(m))]) / sympy.factorial(m)
        return sympy.exp(
            sympy.loggamma(n + 1) - sympy.loggamma(m + 1) - sympy.loggamma(n - m + 1)
        )

    return expr.replace(sympy.binomial, rewrite)


def _constant(part: Expr) -> Range:
    if part.is_Rational:
        return Range.of_ball(number(part))
    return Range.of_ball(arb.const_e() if part is sympy.E else arb.pi())


def _many(f: Callable[[Range, Range], Range], places: tuple[int, ...]) -> Step:
    if len(places) == 2:
        i, j = places
        return lambda values: f(values[i], values[j])

    def step(values: list[Range]) -> Range:
        result = values[places[0]]
        for i in places[1:]:
            result = f(result, values[i])
        return result

    return step


def _step(part: Expr, places: tuple[int, ...]) -> Step:
    """How to compute that part from the ranges of its operands."""
    if part.is_Add:
        return _many(add, places)
    if part.is_Mul:
        return _many(mul, places)
    if isinstance(part, sympy.Min):
        return _many(least, places)
    if isinstance(part, sympy.Max):
        return _many(greatest, places)
    i = places[0]
    if part.is_Pow:
        exponent = part.exp
        if exponent.is_Integer:
            n = int(exponent)
            return lambda values: integer_power(values[i], n, part)
        if exponent.is_Rational:
            return lambda values: rational_power(values[i], exponent, part)
        j = places[1]
        return lambda values: general_power(values[i], values[j], part)
    function = _UNARY[type(part)]
    return lambda values: function(values[i], part)


class Tape:
    """An expression, folded once, that can be run on any box of its variables.

    ``facts`` are ranges of subexpressions that are known from elsewhere (a condition of the domain,
    a lemma): where such a part occurs, its range is met with what is known.
    """

    def __init__(
        self, expr: Expr, variables: Sequence[Symbol], facts: Mapping[Expr, Range] | None = None
    ) -> None:
        self.expr, self.variables = expr, tuple(variables)
        self._facts = {enclosable(part): known for part, known in (facts or {}).items()}
        #: every part of the expression and its place among the values; the variables come first
        self.places: dict[Expr, int] = {v: i for i, v in enumerate(self.variables)}
        self._steps: list[Step] = []
        self._constants: dict[int, list[Range]] = {}
        self._constant_parts: list[Expr] = []
        self.root = self._fold(enclosable(expr))

    def _fold(self, root: Expr) -> int:
        # An explicit stack: expressions may be deeper than Python's recursion limit.
        stack = [root]
        order: list[tuple[Expr, tuple[Expr, ...]]] = []
        seen: set[Expr] = set(self.variables)
        while stack:
            part = stack[-1]
            if part in seen:
                stack.pop()
                continue
            operands = self._operands(part)
            missing = [c for c in operands if c not in seen]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            seen.add(part)
            order.append((part, operands))
        # Constants stand between the variables and the steps, so that they are computed only once.
        self._constant_parts = [part for part, operands in order if not operands]
        for part in self._constant_parts:
            self.places[part] = len(self.places)
        for part, operands in order:
            if operands:
                step = _step(part, tuple(self.places[c] for c in operands))
                self._steps.append(self._with_fact(part, step))
                self.places[part] = len(self.places)
        return self.places[root]

    def _with_fact(self, part: Expr, step: Step) -> Step:
        fact = self._facts.get(part)
        return step if fact is None else lambda values: step(values).meet(fact)

    def _operands(self, part: Expr) -> tuple[Expr, ...]:
        if part.is_Float:
            raise Unsupported(f"{part} is a float; write Rational('{part}')")
        if part.is_Symbol:
            raise Unsupported(f"the variable {part} has no range")
        if part.is_Rational or part in (sympy.E, sympy.pi):
            return ()
        if part.is_Pow and part.exp.is_Rational:
            return (part.base,)
        if part.is_Add or part.is_Mul or part.is_Pow or isinstance(part, (sympy.Min, sympy.Max)):
            return tuple(part.args)
        if type(part) in _UNARY:
            return (part.args[0],)
        raise Unsupported(f"there is no enclosure for {part}")

    def __call__(self, box: Sequence[Range]) -> Range:
        return self.values(box)[self.root]

    def values(self, box: Sequence[Range]) -> list[Range]:
        """The range of every part, in the order of ``places``."""
        if ctx.prec not in self._constants:
            self._constants[ctx.prec] = [_constant(part) for part in self._constant_parts]
        values = [*box, *self._constants[ctx.prec]]
        for step in self._steps:
            values.append(step(values))
        return values


def inserted(expr: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """The expression with values for variables, where SymPy does that without rounding.

    >>> from sympy import floor, tanh
    >>> from symdp.notation import x
    >>> inserted(floor(tanh(x)), {x: Rational(500)})
    Traceback (most recent call last):
    ...
    symdp.proving.enclosure.Unsupported: values are not inserted into floor(tanh(x))
    """
    for part in expr.atoms(*DECIDED_BY_ROUNDING):
        if part.free_symbols & set(values):
            raise Unsupported(f"values are not inserted into {part}")
    try:
        return put(expr, values)
    except Overgrown as reason:
        raise Unsupported(str(reason)) from None


def whole_between(expr: Expr) -> tuple[int, int]:
    """The floor and the ceiling of an exact constant, certain; Unsupported if it is too close to an
    integer for that."""
    if expr.is_Rational:
        return int(sympy.floor(expr)), int(sympy.ceiling(expr))
    for bits in (64, 256, 1024, 4096):
        value = enclose_constant(expr, bits)
        if value.is_finite():
            below, above = value.lo.floor().unique_fmpz(), value.hi.floor().unique_fmpz()
            if below is not None and below == above and value.lo > below:
                return int(below), int(below) + 1
    raise Unsupported(f"{expr} is too close to an integer")


def sign_at(expr: Expr, point: Mapping[Symbol, Rational], most_bits: int = 1024) -> int | None:
    """The sign of an expression at an exact point, certain; None if that many bits do not tell.

    >>> from symdp.notation import x
    >>> sign_at(x**2 - 2, {x: Rational(141421356, 10**8)})
    -1
    """
    if expr.is_rational_function() and all(_is_small(v) for v in point.values()):
        value = _put_if_small(expr, point)
        if value is not None and value.is_Rational:
            return int(sympy.sign(value))
    tape = Tape(expr, tuple(point))
    bits = 64
    while bits <= most_bits:
        with precision(bits):
            value = tape([Range.between(v, v) for v in point.values()])
        if value.is_positive():
            return 1
        if value.is_negative():
            return -1
        if value.lo == 0 and value.hi == 0:
            return 0
        bits *= 2
    # Only here is SymPy asked to insert the numbers, and only where that can neither run away nor
    # round: it is how an equality such as exp(0) = 1 is seen to be exact.
    if not all(_is_small(v) for v in point.values()) or expr.has(*DECIDED_BY_ROUNDING):
        return None
    return 0 if _put_if_small(expr, point) == 0 else None


def _put_if_small(expr: Expr, point: Mapping[Symbol, Rational]) -> Expr | None:
    try:
        return put(expr, point)
    except Overgrown:
        return None


def _is_small(value: Rational) -> bool:
    return bool(value.is_Rational and abs(value.p) <= 1000 and value.q <= 1000)


def enclose_constant(expr: Expr, bits: int = 128) -> Range:
    """An expression without variables, as a range.

    >>> import sympy
    >>> print(enclose_constant(sympy.log(2)))
    [0.69314718, 0.69314718]
    """
    with precision(bits):
        return Tape(expr, [])([])


def sign_of_constant(expr: Expr, most_bits: int = 4096) -> int | None:
    """-1, 0 or 1, certain; None if that many bits do not tell.

    >>> import sympy
    >>> sign_of_constant(sympy.exp(1) - 3), sign_of_constant(sympy.Rational(0))
    (-1, 0)
    """
    return sign_at(expr, {}, most_bits)
