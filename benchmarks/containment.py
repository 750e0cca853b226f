"""Containment fuzz: what the trusted code says of a value, against the value itself.

Every range must contain the value at every point of its box, and an end that is flagged open must
never be the value; `identical` may say yes only to expressions that agree; a limit must be what the
expression tends to. The values come from mpmath with 60 digits or from exact fractions, never from
the code under attack. Everything is drawn from a seed, so that a violation can be seen again.

    python benchmarks/containment.py --full             100,000 draws and more
    python benchmarks/containment.py --count 2000 --seed 7
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from fractions import Fraction

import mpmath
import sympy
from flint import arb
from rich.console import Console
from rich.table import Table
from sympy import Expr, Integer, Rational, Symbol, oo

from symdp.formulas.insertion import put
from symdp.formulas.notation import Phi, symbol, x, y
from symdp.formulas.relation import Relation
from symdp.formulas.translation import term_of
from symdp.kernel.goals import Whole
from symdp.kernel.proof import Rejected
from symdp.kernel.values import ranges as trusted
from symdp.kernel.values.enclosure import operation
from symdp.numbers.domain import Domain, Interval
from symdp.numbers.ranges import (
    NEG_INF,
    POS_INF,
    Range,
    Tape,
    Undefined,
    Unsupported,
    between,
    precision,
)
from symdp.search.view.calculus import limit
from symdp.search.view.goals import Target, range_on
from symdp.search.view.identity import TooLarge, identical
from symdp.search.view.paving import GradientInView

DIGITS = 60
#: Arguments beyond this are not followed: the value of exp there would take too long.
LARGEST = 10**6
_REACH: dict[type, mpmath.mpf] = {sympy.Abs: mpmath.inf, sympy.log: mpmath.inf, sympy.gamma: 10**4}
Point = Mapping[Symbol, Fraction]
PART = x
NAMED = term_of(PART)  # what an Undefined names; its content does not matter here


class NoValue(ArithmeticError):
    """The expression has no real value at the point, or none that can be computed here."""


@dataclass
class Tally:
    """What one attack did."""

    name: str
    draws: int = 0
    #: draws in which the trusted code gave an answer that could be compared
    compared: int = 0
    violations: list[str] = field(default_factory=list)


# --- values, independent of the code under attack ----------------------------------------------------


def _normal(u: mpmath.mpf) -> mpmath.mpf:
    return mpmath.erfc(-u / mpmath.sqrt(2)) / 2


def _positive(f: Callable[[mpmath.mpf], mpmath.mpf]) -> Callable[[mpmath.mpf], mpmath.mpf]:
    def guarded(u: mpmath.mpf) -> mpmath.mpf:
        if not u > 0:
            raise NoValue
        return f(u)

    return guarded


_FUNCTIONS: dict[type, Callable[[mpmath.mpf], mpmath.mpf]] = {
    sympy.exp: mpmath.exp, sympy.log: _positive(mpmath.log), sympy.Abs: abs,
    sympy.sinh: mpmath.sinh, sympy.cosh: mpmath.cosh, sympy.tanh: mpmath.tanh,
    sympy.sin: mpmath.sin, sympy.cos: mpmath.cos, sympy.erf: mpmath.erf, sympy.erfc: mpmath.erfc,
    Phi: _normal, sympy.gamma: _positive(mpmath.gamma), sympy.loggamma: _positive(mpmath.loggamma),
    sympy.floor: mpmath.floor,
}


def _power(base: mpmath.mpf, exponent: mpmath.mpf, written: Expr) -> mpmath.mpf:
    if written.is_Integer:
        if base == 0 and exponent < 0:
            raise NoValue
        return base ** int(written) if abs(written) <= LARGEST else mpmath.nan
    if base < 0 or (base == 0 and exponent <= 0):
        raise NoValue
    if base == 0:
        return mpmath.mpf(0)
    if abs(exponent * mpmath.log(base)) > LARGEST:
        raise NoValue
    return mpmath.power(base, exponent)


def _sum(terms: Sequence[mpmath.mpf]) -> mpmath.mpf:
    total = mpmath.fsum(terms)
    if max(abs(t) for t in terms) > mpmath.mpf(10) ** 40 * max(abs(total), mpmath.mpf(10) ** -20):
        raise NoValue  # too many digits have cancelled
    return total


def _value(expr: Expr, point: Mapping[Symbol, mpmath.mpf]) -> mpmath.mpf:
    if expr.is_Rational:
        return mpmath.mpf(int(expr.p)) / int(expr.q)
    if expr.is_Symbol:
        return point[expr]
    if expr is sympy.pi or expr is sympy.E:
        return +(mpmath.pi if expr is sympy.pi else mpmath.e)
    if expr.is_Pow and not isinstance(expr, sympy.exp):
        return _power(_value(expr.base, point), _value(expr.exp, point), expr.exp)
    operands = [_value(a, point) for a in expr.args]
    if expr.is_Add:
        return _sum(operands)
    if expr.is_Mul:
        return mpmath.fprod(operands)
    if isinstance(expr, (sympy.Min, sympy.Max)):
        return (min if isinstance(expr, sympy.Min) else max)(operands)
    if isinstance(expr, sympy.binomial):
        n, m = operands
        if expr.args[1].is_Integer and 0 <= m <= 20:
            return mpmath.fprod((n - i) / (i + 1) for i in range(int(m)))
        raise NoValue
    if type(expr) not in _FUNCTIONS or abs(operands[0]) > _REACH.get(type(expr), LARGEST):
        raise NoValue
    return _FUNCTIONS[type(expr)](operands[0])


def evaluate(expr: Expr, point: Point, digits: int = DIGITS) -> tuple[mpmath.mpf, mpmath.mpf]:
    """The value at an exact point and a bound on its error, from two precisions; NoValue otherwise."""
    found = []
    for more in (0, 35):
        with mpmath.workdps(digits + more):
            at = {v: mpmath.mpf(u.numerator) / u.denominator for v, u in point.items()}
            try:
                value = _value(expr, at)
            except (ArithmeticError, ValueError, OverflowError, mpmath.libmp.NoConvergence):
                raise NoValue from None
            if not isinstance(value, mpmath.mpf) or not mpmath.isfinite(value):
                raise NoValue
            found.append(value)
    with mpmath.workdps(digits):
        rough, fine = found
        return fine, 10 * abs(fine - rough) + abs(fine) * mpmath.mpf(10) ** (10 - digits)


def as_fraction(end: arb) -> Fraction:
    """An exact finite Arb number."""
    mantissa, exponent = end.man_exp()
    m, e = int(mantissa), int(exponent)
    return Fraction(m * 2**e) if e >= 0 else Fraction(m, 2**-e)


def is_moderate(end: arb) -> bool:
    """Whether the number fits into memory as a fraction."""
    return abs(int(end.man_exp()[1])) < 20_000


def _rough(value: Fraction, end: arb, sign: int) -> mpmath.mpf:
    """How far the value is inside of an end that is huge, or tiny."""
    with mpmath.workdps(DIGITS):
        return sign * (mpmath.mpf(value.numerator) / value.denominator - as_float(end))


def as_float(end: arb) -> mpmath.mpf:
    """An exact Arb number, which may be infinite or have a huge exponent."""
    if not end.is_finite():
        return mpmath.mpf("-inf") if end < 0 else mpmath.mpf("inf")
    mantissa, exponent = end.man_exp()
    return mpmath.mpf(int(mantissa)) * mpmath.mpf(2) ** int(exponent)


def has_blurred_end(r: Range) -> bool:
    """An end must be a number and not a ball: whoever compares it or takes its middle errs."""
    return not (r.lo.is_exact() and r.hi.is_exact())


def outside(r: Range, value: mpmath.mpf, error: mpmath.mpf) -> bool:
    """Whether the value certainly lies outside of the range."""
    if has_blurred_end(r):
        return True
    with mpmath.workdps(2 * DIGITS):
        return bool(value + error < as_float(r.lo) or value - error > as_float(r.hi))


def outside_exactly(r: Range, value: Fraction) -> bool:
    """Whether an exact value lies outside of the range, or on an end that is flagged open."""
    if has_blurred_end(r):
        return True
    for end, is_open, sign in ((r.lo, r.lo_open, 1), (r.hi, r.hi_open, -1)):
        if not end.is_finite():
            if (end < 0) != (sign > 0):
                return True
            continue
        distance = sign * (value - as_fraction(end)) if is_moderate(end) else _rough(value, end, sign)
        if distance < 0 or (distance == 0 and is_open):
            return True
    return False


# --- random intervals and points ---------------------------------------------------------------------

_SIMPLE = [Fraction(s * n, d) for n in (0, 1, 2, 3, 5, 10) for d in (1, 2, 3, 7) for s in (1, -1)]


def random_fraction(rng: random.Random) -> Fraction:
    kind = rng.random()
    if kind < 0.6:
        return rng.choice(_SIMPLE)
    if kind < 0.9:
        return Fraction(rng.randint(-4000, 4000), rng.randint(1, 1000))
    return rng.choice((1, -1)) * Fraction(rng.randint(1, 99)) * Fraction(10) ** rng.randint(-12, 6)


@dataclass(frozen=True)
class Ends:
    """An interval with exact ends; None is infinite."""

    lower: Fraction | None
    upper: Fraction | None
    lower_open: bool = False
    upper_open: bool = False

    def range(self) -> Range:
        low, high = (None if e is None else rational(e) for e in (self.lower, self.upper))
        return between(low, high, self.lower_open, self.upper_open)

    def interval(self) -> Interval:
        low = -oo if self.lower is None else rational(self.lower)
        high = oo if self.upper is None else rational(self.upper)
        return Interval(low, high, self.lower_open, self.upper_open)

    def point(self, rng: random.Random) -> Fraction:
        """A point inside, often an end that belongs to it or one beside an end."""
        low, high = self.lower, self.upper
        if low is not None and low == high:
            return low
        kind = rng.random()
        if kind < 0.2 and low is not None and not self.lower_open:
            return low
        if kind > 0.8 and high is not None and not self.upper_open:
            return high
        step = Fraction(1, 2) ** rng.choice((1, 1, 2, 5, 20, 60))
        if low is not None and high is not None:
            step = (high - low) * (step if rng.random() < 0.5 else 1 - step)
            return low + step
        if low is None and high is None:
            return random_fraction(rng)
        step = step * Fraction(10) ** rng.randint(0, 5)
        return low + step if low is not None else high - step  # type: ignore[operator]


def rational(f: Fraction) -> Rational:
    return Rational(f.numerator, f.denominator)


def random_ends(rng: random.Random, positive: bool = False, finite: bool = False) -> Ends:
    low, high = sorted((random_fraction(rng), random_fraction(rng)))
    if positive:
        low, high = sorted((abs(low), abs(high)))
    if rng.random() < 0.12:
        return Ends(low, low)
    if low == high:
        high = low + 1
    lower = None if not positive and not finite and rng.random() < 0.2 else low
    upper = None if not finite and rng.random() < 0.2 else high
    return Ends(lower, upper, rng.random() < 0.5, rng.random() < 0.5)


# --- every function on ranges ------------------------------------------------------------------------


@dataclass(frozen=True)
class Rule:
    """One function on ranges, and how to compute the same on numbers."""

    name: str
    enclose: Callable[..., Range]
    #: exact on fractions, or None where the value is not rational
    exact: Callable[..., Fraction | None]
    #: with mpmath, or None if ``exact`` always tells
    approximate: Callable[..., mpmath.mpf] | None = None
    arity: int = 1
    positive: bool = False


def _only(at: dict[Fraction, Fraction]) -> Callable[[Fraction], Fraction | None]:
    return at.get


def _root(value: Fraction, exponent: Fraction) -> Fraction | None:
    """An exact power with a rational exponent, where it is rational."""
    if value < 0 or (value == 0 and exponent <= 0):
        return None
    parts = []
    for part in (value.numerator, value.denominator):
        whole, is_exact = sympy.integer_nthroot(part, exponent.denominator)
        if not is_exact:
            return None
        parts.append(Fraction(int(whole)))
    return (parts[0] / parts[1]) ** exponent.numerator


def _exact_power(a: Fraction, b: Fraction) -> Fraction | None:
    if a == 1 or (b == 0 and a > 0):
        return Fraction(1)
    return _root(a, b) if abs(b) <= 30 and b.denominator <= 60 else None


def _mp(f: Callable[..., mpmath.mpf]) -> Callable[..., mpmath.mpf]:
    def on_fractions(*operands: Fraction) -> mpmath.mpf:
        return f(*(mpmath.mpf(u.numerator) / u.denominator for u in operands))

    return on_fractions


def _unary(kind: type) -> Callable[[Range], Range]:
    _, image = operation(term_of(kind(PART)), Whole(frozenset()))
    return image


_ZERO, _ONE = Fraction(0), Fraction(1)
#: function -> where its value is known exactly, and whether it is only asked for positive arguments
_KNOWN: dict[type, tuple[dict[Fraction, Fraction], bool]] = {
    sympy.exp: ({_ZERO: _ONE}, False), sympy.log: ({_ONE: _ZERO}, True),
    sympy.sinh: ({_ZERO: _ZERO}, False), sympy.cosh: ({_ZERO: _ONE}, False),
    sympy.tanh: ({_ZERO: _ZERO}, False), sympy.sin: ({_ZERO: _ZERO}, False),
    sympy.cos: ({_ZERO: _ONE}, False), sympy.erf: ({_ZERO: _ZERO}, False),
    sympy.erfc: ({_ZERO: _ONE}, False), Phi: ({_ZERO: Fraction(1, 2)}, False),
    sympy.gamma: ({_ONE: _ONE, Fraction(2): _ONE, Fraction(3): Fraction(2)}, True),
    sympy.loggamma: ({_ONE: _ZERO, Fraction(2): _ZERO}, True),
}


def _exact_inverse(u: Fraction) -> Fraction | None:
    return 1 / u if u else None


def _integer_power(n: int) -> Rule:
    return Rule(
        f"power {n}", lambda a: trusted.rational_power(a, n, 1, NAMED),
        lambda u: u**n if u or n > 0 else None,
    )


def _rational_power(p: int, q: int) -> Rule:
    exponent = Fraction(p, q)
    return Rule(
        f"power {p}/{q}", lambda a: trusted.rational_power(a, p, q, NAMED),
        lambda u: _root(u, exponent), _mp(lambda u: mpmath.power(u, mpmath.mpf(p) / q)), 1, True,
    )


def rules() -> list[Rule]:
    """Every function of the kernel that makes a range from ranges."""
    found = [
        Rule("add", trusted.add, lambda a, b: a + b, arity=2),
        Rule("mul", trusted.mul, lambda a, b: a * b, arity=2),
        Rule("min", trusted.least, min, arity=2),
        Rule("max", trusted.greatest, max, arity=2),
        Rule("neg", trusted.neg, lambda u: -u),
        Rule("inverse", lambda a: trusted.inverse(a, NAMED), _exact_inverse),
        Rule("abs", trusted.magnitude, abs),
        Rule("floor", trusted.whole_part, lambda u: Fraction(math.floor(u))),
        Rule("general power", lambda a, b: trusted.power(a, b, NAMED), _exact_power,
             _mp(mpmath.power), 2),
        *(_integer_power(n) for n in (-3, -2, -1, 1, 2, 3, 4, 7)),
        *(_rational_power(p, q) for p, q in ((1, 2), (-1, 2), (1, 3), (2, 3), (-5, 4), (7, 2))),
    ]
    for kind, (at, positive) in _KNOWN.items():
        f = _FUNCTIONS[kind]
        found.append(Rule(kind.__name__, _unary(kind), _only(at), _mp(f), 1, positive))
    return found


def attack_rule(rule: Rule, rng: random.Random, tally: Tally) -> None:
    """One draw: a box, its range, and some points of the box."""
    ends = [random_ends(rng, rule.positive and rng.random() < 0.8) for _ in range(rule.arity)]
    bits = rng.choice((16, 24, 53, 64, 64, 128))
    tally.draws += 1
    with precision(rng.choice((bits, 128))):  # the ends of a box are finer than the work on it
        box = [e.range() for e in ends]
    with precision(bits):
        try:
            found = rule.enclose(*box)
        except Undefined:
            return
    for _ in range(3):
        at = [e.point(rng) for e in ends]
        if _contradicts(rule, found, at):
            tally.violations.append(f"{rule.name} at {[str(a) for a in at]} of {ends}: "
                                    f"not in {found} ({bits} bits)")
    tally.compared += 1


def _contradicts(rule: Rule, found: Range, at: Sequence[Fraction]) -> bool:
    exact = rule.exact(*at)
    if exact is not None:
        return outside_exactly(found, exact)
    if rule.approximate is None:
        return True  # a range where there is no value
    try:
        with mpmath.workdps(DIGITS):
            value = rule.approximate(*at)
    except (ArithmeticError, ValueError, mpmath.libmp.NoConvergence):
        return True
    if not isinstance(value, mpmath.mpf):
        return True  # a range where the value is not real
    with mpmath.workdps(DIGITS):
        # The argument is rounded too, which a steep function magnifies: ten digits to spare.
        largest = max(abs(a) for a in at)
        error = (abs(value) + mpmath.mpf(10) ** -DIGITS) * mpmath.mpf(10) ** (12 - DIGITS)
        error *= 1 + mpmath.mpf(largest.numerator) / largest.denominator
    return outside(found, value, error)


# --- expressions -------------------------------------------------------------------------------------

_SMOOTH: list[Callable[[Expr], Expr]] = [
    sympy.exp, sympy.log, sympy.sqrt, sympy.sinh, sympy.cosh, sympy.tanh, sympy.sin, sympy.cos,
    sympy.erf, sympy.erfc, Phi, lambda u: u**2, lambda u: u**3, lambda u: 1 / u,
    lambda u: u ** Rational(2, 3), lambda u: u ** Rational(-1, 2),
]
_ROUGH: list[Callable[[Expr], Expr]] = [
    lambda u: _gamma(u), lambda u: put(sympy.loggamma(PART), {PART: u}), sympy.floor, sympy.Abs,
    lambda u: _max(u, Integer(0)), lambda u: _min(u, x), lambda u: sympy.binomial(u, 3),
]


def _gamma(u: Expr) -> Expr:
    """SymPy multiplies gamma(10^12) out, which never ends; `put` refuses that with a ValueError."""
    return put(sympy.gamma(PART), {PART: u})


def random_expression(
    rng: random.Random, size: int, variables: Sequence[Symbol] = (x, y), smooth: bool = False
) -> Expr:
    if size <= 1:
        if rng.random() < 0.75:
            return rng.choice(variables)
        return rng.choice([rational(random_fraction(rng)), sympy.pi, sympy.E, Integer(1)])
    if rng.random() < 0.45:
        functions = _SMOOTH if smooth or rng.random() < 0.7 else _ROUGH
        return rng.choice(functions)(random_expression(rng, size - 1, variables, smooth))
    cut = rng.randint(1, size - 1)
    a = random_expression(rng, cut, variables, smooth)
    b = random_expression(rng, size - cut, variables, smooth)
    kind = rng.random()
    if kind < 0.35:
        return a + b
    if kind < 0.5:
        return a - b
    if kind < 0.8:
        return a * b
    return a / b if kind < 0.92 or smooth else put(x**y, {x: a, y: b})


def is_real(expr: Expr) -> bool:
    """Nothing that SymPy has already turned into an infinity or a complex number."""
    strange = (sympy.zoo, sympy.nan, oo, -oo, sympy.I, sympy.AccumBounds, sympy.re, sympy.im)
    if not isinstance(expr, Expr) or expr.has(*strange) or expr.count_ops() > 200:
        return False
    return all(int(n.p).bit_length() + int(n.q).bit_length() < 600 for n in expr.atoms(Rational))


def drawn_expression(rng: random.Random, most: int = 7, **how: object) -> Expr | None:
    try:
        expr = random_expression(rng, rng.randint(2, most), **how)  # type: ignore[arg-type]
    except (ArithmeticError, ValueError, TypeError, RecursionError):
        return None
    return expr if is_real(expr) else None


def random_box(rng: random.Random, finite: bool = False) -> dict[Symbol, Ends]:
    return {v: random_ends(rng, rng.random() < 0.6, finite) for v in (x, y)}


def random_point(box: Mapping[Symbol, Ends], rng: random.Random) -> dict[Symbol, Fraction]:
    return {v: ends.point(rng) for v, ends in box.items()}


def attack_expression(rng: random.Random, tally: Tally) -> None:
    """A random expression on a random box, sometimes under the condition x > y."""
    tally.draws += 1
    expr = drawn_expression(rng)
    if expr is None:
        return
    box = random_box(rng)
    conditions = (Relation(x, ">", y),) if rng.random() < 0.3 else ()
    domain = Domain({v: e.interval() for v, e in box.items()}, conditions=conditions)
    try:
        found = range_on(expr, domain, rng.choice((16, 53, 64)))
    except (Undefined, Unsupported, OverflowError):
        return
    tally.compared += 1
    for _ in range(4):
        at = random_point(box, rng)
        if conditions and not at[x] > at[y]:
            continue
        try:
            value, error = evaluate(expr, at)
        except NoValue:
            continue
        if outside(found, value, error):
            tally.violations.append(f"{expr} at {_text(at)} of {domain}: {value} not in {found}")


def _text(point: Point) -> str:
    return ", ".join(f"{v} = {u}" for v, u in point.items())


def attack_mean_value(rng: random.Random, tally: Tally) -> None:
    """The gap does not go below what its slopes say."""
    tally.draws += 1
    expr = drawn_expression(rng, smooth=True)
    if expr is None:
        return
    box = random_box(rng, finite=True)
    goal = Target(Domain({v: e.interval() for v, e in box.items()}), Integer(0), "<=", expr)
    try:
        bits = rng.choice((32, 64))
        with precision(bits):
            gradient = GradientInView(goal, bits)
            found = Range(max(gradient.bounds(gradient.whole)), POS_INF)
    except (Rejected, Undefined, Unsupported, OverflowError):
        return
    tally.compared += 1
    for _ in range(4):
        at = random_point(box, rng)
        try:
            value, error = evaluate(goal.gap, at)
        except NoValue:
            continue
        if outside(found, value, error):
            tally.violations.append(
                f"mean value of {goal.gap} at {_text(at)} of {goal.domain}: {value} not in {found}"
            )


# --- identities --------------------------------------------------------------------------------------


_log, _exp, _sqrt = sympy.log, sympy.exp, sympy.sqrt


def _max(*entries: Expr) -> Expr:
    return sympy.Max(*entries, evaluate=False)  # SymPy may think for minutes about their order


def _min(*entries: Expr) -> Expr:
    return sympy.Min(*entries, evaluate=False)


Law = Callable[[Expr, Expr, Expr], tuple[Expr, Expr]]
#: Pairs that a careless algebra takes for the same: some always are, some never, some at times.
LAWS: list[Law] = [
    lambda a, b, c: (_sqrt(a**2), a),
    lambda a, b, c: (_sqrt(a**2), sympy.Abs(a)),
    lambda a, b, c: (_log(a * b), _log(a) + _log(b)),
    lambda a, b, c: (_log(a / b), _log(a) - _log(b)),
    lambda a, b, c: (_log(a**2), 2 * _log(a)),
    lambda a, b, c: (_log(a**3), 3 * _log(a)),
    lambda a, b, c: ((a**b) ** c, a ** (b * c)),
    lambda a, b, c: (a**b * a**c, a ** (b + c)),
    lambda a, b, c: (a**c * b**c, (a * b) ** c),
    lambda a, b, c: (_sqrt(a) * _sqrt(b), _sqrt(a * b)),
    lambda a, b, c: (_sqrt(a / b), _sqrt(a) / _sqrt(b)),
    lambda a, b, c: (_exp(_log(a) * b), a**b),
    lambda a, b, c: (_exp(_log(a) / (1 + b)), a),
    lambda a, b, c: (_exp(_log(a) / (1 + b)), a ** (1 / (1 + b))),
    lambda a, b, c: (_exp(a / (1 + b)), _exp(a) ** (1 / (1 + b))),
    lambda a, b, c: (_exp(a + b), _exp(a) * _exp(b)),
    lambda a, b, c: (_exp(a * b), _exp(a) * _exp(b)),
    lambda a, b, c: (_log(_exp(a)), a),
    lambda a, b, c: (_log(_exp(a) + _exp(b)), _log(1 + _exp(b - a)) + a),
    lambda a, b, c: (_log(a + b), _log(a) + _log(1 + b / a)),
    lambda a, b, c: ((a + b) ** 2, a**2 + 2 * a * b + b**2),
    lambda a, b, c: ((a + b) ** 2, a**2 + b**2),
    lambda a, b, c: (1 / (1 + a), 1 - a / (1 + a)),
    lambda a, b, c: ((a**2 - b**2) / (a - b), a + b),
    lambda a, b, c: (sympy.tanh(a), (_exp(2 * a) - 1) / (_exp(2 * a) + 1)),
    lambda a, b, c: (sympy.tanh(a / 2), sympy.sinh(a) / (1 + sympy.cosh(a))),
    lambda a, b, c: (sympy.cosh(a) ** 2 - sympy.sinh(a) ** 2, Integer(1)),
    lambda a, b, c: (sympy.sin(a) ** 2, 1 - sympy.cos(a) ** 2),
    lambda a, b, c: (sympy.erfc(-a), 2 - sympy.erfc(a)),
    lambda a, b, c: (sympy.erf(-a), sympy.erf(a)),
    lambda a, b, c: (Phi(a), 1 - Phi(-a)),
    lambda a, b, c: (Phi(a), sympy.erfc(-a / _sqrt(2)) / 2),
    lambda a, b, c: (sympy.Abs(a) * sympy.Abs(b), sympy.Abs(a * b)),
    lambda a, b, c: (sympy.Abs(a), a),
    lambda a, b, c: (_max(a, b), _max(b, a)),
    lambda a, b, c: (_max(a, b) + _min(a, b), a + b),
    lambda a, b, c: (sympy.floor(a + 1), sympy.floor(a) + 1),
    lambda a, b, c: (sympy.floor(a) + sympy.floor(b), sympy.floor(a + b)),
    lambda a, b, c: (_gamma(a + 1), a * _gamma(a)),
    lambda a, b, c: (_sqrt(8) * _sqrt(a), 2 * _sqrt(2 * a)),
    lambda a, b, c: (_sqrt(8), 2 * _sqrt(3)),
    lambda a, b, c: (a ** Rational(1, 3) * a ** Rational(2, 3), a),
    lambda a, b, c: ((a**3) ** Rational(1, 3), a),
    lambda a, b, c: ((a**2) ** Rational(1, 3), a ** Rational(2, 3)),
    lambda a, b, c: (_log(_sqrt(a)), _log(a) / 2),
    lambda a, b, c: (_log(8 * a), 3 * _log(2) + _log(a)),
    lambda a, b, c: (_log(1 / a), -_log(a)),
    lambda a, b, c: (a + b * c, (a + b) * c),
    lambda a, b, c: (a / b / c, a / (b / c)),
    lambda a, b, c: (a, a + c / 10**6),
]


def random_pair(rng: random.Random) -> tuple[Expr, Expr] | None:
    parts = [drawn_expression(rng, 4) for _ in range(3)]
    if None in parts:
        return None
    a, b, c = parts
    try:
        left, right = rng.choice(LAWS)(a, b, c)
        if rng.random() < 0.3:  # inside of something, where a wrong law may hide
            f = rng.choice(_SMOOTH)
            left, right = f(left + a), f(right + a)
        if rng.random() < 0.2:
            left, right = sympy.expand(left), sympy.together(right)
    except (ArithmeticError, ValueError, TypeError, RecursionError):
        return None
    return (left, right) if is_real(left) and is_real(right) else None


def attack_identity(rng: random.Random, tally: Tally) -> None:
    """`identical` says yes: then the sides agree wherever both have a value."""
    tally.draws += 1
    pair = random_pair(rng)
    if pair is None:
        return
    left, right = pair
    positive: list[Expr] = rng.choice(([], [], [x], [y], [x, y], [1 + x], [x * y]))
    try:
        if not identical(left, right, positive):
            return
    except (TooLarge, OverflowError, ValueError):
        return
    tally.compared += 1
    for _ in range(12):
        at = {v: random_fraction(rng) for v in (x, y)}
        try:
            if any(evaluate(p, at)[0] <= 0 for p in positive):
                continue
            (u, error), (w, error2) = evaluate(left, at), evaluate(right, at)
        except NoValue:
            continue
        if abs(u - w) > 10 * (error + error2) + mpmath.mpf(10) ** -40:
            tally.violations.append(f"identical: {left} and {right} (positive: {positive}) at "
                                    f"{_text(at)} are {mpmath.nstr(u, 8)} and {mpmath.nstr(w, 8)}")
            return


# --- limits ------------------------------------------------------------------------------------------

_ENDS: list[tuple[Expr, str, Ends]] = [
    (oo, "-", Ends(_ONE, None)),
    (oo, "-", Ends(_ZERO, None, True)),
    (-oo, "+", Ends(None, -_ONE)),
    (-oo, "+", Ends(None, Fraction(5))),
    (Integer(0), "+", Ends(_ZERO, _ONE, True)),
    (Integer(0), "-", Ends(-_ONE, _ZERO, False, True)),
    (Integer(1), "-", Ends(_ZERO, _ONE, True, True)),
    (Rational(1, 2), "+", Ends(Fraction(1, 2), None, True)),
]


def approach(at: Expr, side: str, steps: int) -> Fraction:
    """A point that is 10^-steps from the end, or 10^steps out."""
    if at in (oo, -oo):
        return Fraction(10**steps) * (1 if at == oo else -1)
    step = Fraction(1, 10**steps)
    return Fraction(int(at.p), int(at.q)) + (step if side == "+" else -step)


def attack_limit(rng: random.Random, tally: Tally) -> None:
    """A limit by structure, against the values on the way."""
    tally.draws += 1
    expr = drawn_expression(rng, 6, smooth=rng.random() < 0.7)
    if expr is None or x not in expr.free_symbols:
        return
    at, side, ends = rng.choice(_ENDS)
    other = random_ends(rng, positive=True)
    domain = Domain({x: ends.interval(), y: other.interval()})
    try:
        range_on(expr, domain)  # the rules ask for a limit only of what is defined
        claimed = limit(expr, x, at, side, domain)
    except (Rejected, Undefined, Unsupported, OverflowError):
        return
    beside = other.point(rng)
    if not -8 < beside < 8:
        return  # sinh(y) would dwarf every x on the way
    tally.compared += 1
    if not tends_to(expr, claimed, [approach(at, side, n) for n in (3, 6, 12, 24, 48)], beside):
        tally.violations.append(f"limit of {expr} at {at}{side} with y = {beside} is not {claimed}")


def tends_to(expr: Expr, claimed: Expr, way: Sequence[Fraction], beside: Fraction) -> bool:
    """False only if the values on the way clearly speak against the limit."""
    values = []
    for at in way:
        try:
            values.append(evaluate(expr, {x: at, y: beside}, digits=150)[0])
        except NoValue:
            continue
    if len(values) < 2:
        return True
    before, last = values[-2:]
    if claimed in (oo, -oo):
        sign = 1 if claimed == oo else -1
        # A constant such as sinh(exp(8)) dwarfs every x on the way, and says nothing.
        constant = last == before or abs(last - before) < abs(last) * mpmath.mpf(10) ** -60
        return bool(sign * last > sign * before or sign * last > 1000 or constant)
    try:
        target = evaluate(claimed, {y: beside}, digits=150)[0]
    except NoValue:
        return False
    distance = abs(last - target)
    # A slow limit such as 1/log(x) still comes closer from step to step.
    return bool(distance < abs(before - target) or distance <= mpmath.mpf("1e-6") * (1 + abs(target)))


# --- the run -----------------------------------------------------------------------------------------


def run(count: int, seed: int) -> list[Tally]:
    """``count`` draws over the enclosure rules, and a share of it for everything else."""
    table = rules()
    tallies = {rule.name: Tally(rule.name) for rule in table}
    rng = random.Random(seed)
    for i in range(count):
        rule = table[i % len(table)]
        attack_rule(rule, rng, tallies[rule.name])
    attacks: list[tuple[str, Callable[[random.Random, Tally], None], int]] = [
        ("expressions", attack_expression, count // 4),
        ("mean value", attack_mean_value, count // 10),
        ("identical", attack_identity, count // 4),
        ("limit", attack_limit, count // 8),
    ]
    for name, attack, draws in attacks:
        tallies[name] = Tally(name)
        rng = random.Random(f"{seed} {name}")
        for _ in range(draws):
            attack(rng, tallies[name])
    return list(tallies.values())


def table_of(tallies: Sequence[Tally]) -> Table:
    table = Table("attack", "draws", "compared", "violations", title="containment")
    for t in tallies:
        colour = "red" if t.violations else "green"
        table.add_row(t.name, str(t.draws), str(t.compared), f"[{colour}]{len(t.violations)}[/]")
    table.add_row("all", *(str(sum(getattr(t, n) for t in tallies)) for n in ("draws", "compared")),
                  str(sum(len(t.violations) for t in tallies)), style="bold")
    return table


#: A campaign goes in batches, each with a seed of its own, so that one sees how far it is.
BATCH = 5000


def merged(batches: Sequence[Sequence[Tally]]) -> list[Tally]:
    """The sums over all batches, attack by attack."""
    total: dict[str, Tally] = {}
    for tally in (t for batch in batches for t in batch):
        into = total.setdefault(tally.name, Tally(tally.name))
        into.draws += tally.draws
        into.compared += tally.compared
        into.violations += tally.violations
    return list(total.values())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="100,000 draws of the enclosure rules")
    parser.add_argument("--count", type=int, default=5000, help="draws of the enclosure rules")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    count = 100_000 if options.full else options.count
    sizes = [min(BATCH, count - done) for done in range(0, count, BATCH)]
    start = time.monotonic()
    batches: list[list[Tally]] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(run, size, options.seed + i) for i, size in enumerate(sizes)]
        for future in as_completed(futures):
            batches.append(future.result())
            draws = sum(t.draws for batch in batches for t in batch)
            wrong = sum(len(t.violations) for batch in batches for t in batch)
            print(f"{len(batches)} of {len(sizes)} batches, {draws} draws, {wrong} violations, "
                  f"{time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    tallies = merged(batches)
    console = Console()
    console.print(table_of(tallies))
    last = options.seed + len(sizes) - 1
    console.print(f"seeds {options.seed} to {last}, {time.monotonic() - start:.0f} s")
    for violation in (v for t in tallies for v in t.violations[:3]):
        console.print(f"violation: {violation}", style="red", highlight=False, markup=False)
    return 1 if any(t.violations for t in tallies) else 0


# Names that the tests use as well.
__all__ = ["NEG_INF", "POS_INF", "NoValue", "Tape", "evaluate", "run", "symbol"]

if __name__ == "__main__":
    sys.exit(main())
