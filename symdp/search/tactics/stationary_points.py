r"""Guess where a slope vanishes. The kernel checks the guess by algebra.

>>> from sympy import exp, log
>>> from symdp.formulas.notation import lam, x
>>> zeros_of(2 * exp(x) - lam, x)
[log(lam/2)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy
from sympy import Expr, Symbol

from symdp.formulas.insertion import Overgrown, put
from symdp.numbers.domain import Domain, Interval
from symdp.numbers.floating import function
from symdp.numbers.ranges import Unsupported
from symdp.search.tactics.factoring import factored, has_high_powers, multiplied_out
from symdp.search.tactics.sample_points import (
    drop_variable,
    points_of,
    seems_nonnegative,
    seems_nonpositive,
    vanishes,
)

#: At numbers up to the first, rounding errors stay far below the second.
SMALL, FAR = 5, 1e-3


def stationary_points(slope: Expr, v: Symbol, domain: Domain) -> Iterator[Expr]:
    """Expressions in the other variables at which the slope seems to vanish, simplest first."""
    others = [u for u in domain.variables if u != v]
    interval: Interval = domain.intervals[v]
    guesses: list[Expr] = [sympy.Integer(0), sympy.Integer(1), sympy.Rational(1, 2), sympy.Integer(-1)]
    guesses += [e for e in (interval.lower, interval.upper) if e not in (sympy.oo, -sympy.oo)]
    for u in others:
        guesses += [u, -u, 1 / u, 1 - u, sympy.exp(u), sympy.log(u), sympy.exp(u - 1), 2 * u]
    rest = drop_variable(domain, v)
    likely = _near_zero(slope, v, rest)
    found = list(_vanishing([at for at in guesses if likely(at)], slope, v, interval, rest))
    # Solving is slow; it is done only where guessing did not help.
    yield from found or _vanishing(zeros_of(slope, v), slope, v, interval, rest)


def _near_zero(slope: Expr, v: Symbol, rest: Domain) -> Callable[[Expr], bool]:
    """A quick look at the slope in floating point, at small numbers: most guesses are far off."""
    others = rest.variables
    points = [[float(u) for u in point] for point in points_of(rest) if all(abs(u) <= SMALL for u in point)]
    try:
        height = function(slope, (v, *others))
    except TypeError:
        return lambda at: True

    def near_zero(at: Expr) -> bool:
        place = function(at, others)
        for point in points:
            x = place(point)
            if abs(x) <= SMALL and abs(height((x, *point))) > FAR:
                return False
        return True

    return near_zero


def _vanishing(
    guesses: list[Expr], slope: Expr, v: Symbol, interval: Interval, rest: Domain
) -> Iterator[Expr]:
    for at in dict.fromkeys(guesses):
        if at.free_symbols:
            if not _seems_inside(interval, at, rest):
                continue
        elif not _inside(interval, at):
            continue
        try:
            value = put(slope, {v: at})
        except Overgrown:
            continue
        if value.has(sympy.zoo, sympy.nan, sympy.oo):
            continue
        if vanishes(value, rest):
            yield at


def _seems_inside(interval: Interval, at: Expr, rest: Domain) -> bool:
    above = interval.lower == -sympy.oo or seems_nonnegative(at - interval.lower, rest)
    below = interval.upper == sympy.oo or seems_nonpositive(at - interval.upper, rest)
    return above and below


def _inside(interval: Interval, at: Expr) -> bool:
    try:
        return interval.contains(at) or at in (interval.lower, interval.upper)
    except (ValueError, TypeError, Unsupported):  # a zero that is not a real number
        return False


def zeros_of(expr: Expr, v: Symbol) -> list[Expr]:
    """Zeros in closed form of the factors that are linear in v, exp, log or a power of it."""
    found: list[Expr] = []
    expr = sympy.powsimp(expr)
    if expr.has(sympy.Pow) and len(sympy.Add.make_args(expr)) == 2:
        found += _zeros_of_factor(expr, v)
    result = factored(expr)
    factors = [f for f, e in result[1] if e > 0 and f.has(v)] if result else [expr]
    for f in factors:
        found += _zeros_of_factor(f, v)
    return list(dict.fromkeys(z for z in found if not z.has(v, sympy.zoo, sympy.nan)))


def _zeros_of_factor(f: Expr, v: Symbol) -> list[Expr]:
    terms = sympy.Add.make_args(multiplied_out(f))
    varying = [t for t in terms if t.has(v)]
    constant = -sympy.Add(*(t for t in terms if not t.has(v)))
    if f.is_polynomial(v) and not has_high_powers(f):
        coefficients = sympy.Poly(f, v).all_coeffs()
        if len(coefficients) == 2:
            return [-coefficients[1] / coefficients[0]]
        if len(coefficients) == 3:
            a, b, c = coefficients
            root = sympy.sqrt(b**2 - 4 * a * c)
            return [(-b + root) / (2 * a), (-b - root) / (2 * a)]
    if len(varying) == 2 and constant == 0:  # a = b: take logarithms
        return _invert(sympy.expand_log(sympy.log(varying[0] / -varying[1]), force=True), sympy.S.Zero, v)
    if len(varying) == 1:
        return _invert(varying[0], constant, v)
    return _zeros_in_one_function(varying, constant, v)


def _zeros_in_one_function(varying: list[Expr], constant: Expr, v: Symbol) -> list[Expr]:
    """Where a linear or quadratic polynomial in one function of v vanishes, such as exp(v).

    >>> from sympy import exp
    >>> from symdp.formulas.notation import p, x
    >>> _zeros_in_one_function([exp(x), -p * exp(x)], p, x)
    [log(-p/(p - 1))]
    """
    parts: dict[Expr, Expr] = {}
    for t in varying:
        coefficient, of = sympy.powsimp(t).as_independent(v, as_Add=False)
        parts[of] = parts.get(of, sympy.S.Zero) + coefficient
    if len(parts) == 1:
        ((of, a),) = parts.items()
        return _invert(of, sympy.factor(constant / a), v)
    if len(parts) == 2:
        for of, square in (tuple(parts), tuple(parts)[::-1]):
            if sympy.powsimp(of**2) == square:
                a, b = parts[square], parts[of]
                root = sympy.sqrt(b**2 + 4 * a * constant)
                return [z for r in (root, -root) for z in _invert(of, (r - b) / (2 * a), v)]
    return []


def _invert(left: Expr, right: Expr, v: Symbol, depth: int = 0) -> list[Expr]:
    """Solve left == right by undoing one operation after the other."""
    if left == v:
        return [right]
    if depth > 8 or not left.has(v):
        return []
    if left.is_Add:
        constant = [a for a in left.args if not a.has(v)]
        rest = sympy.Add(*(a for a in left.args if a.has(v)))
        if constant:
            return _invert(rest, right - sympy.Add(*constant), v, depth + 1)
        slope = sympy.simplify(sympy.diff(rest, v)) if rest.count_ops() < 30 else rest
        if not slope.has(v) and slope != 0:
            return [sympy.simplify(right / slope)]
        return []
    if left.is_Mul:
        constant = sympy.Mul(*(a for a in left.args if not a.has(v)))
        rest = sympy.Mul(*(a for a in left.args if a.has(v)))
        if constant != 1:
            return _invert(rest, right / constant, v, depth + 1)
        return []
    if left.is_Pow and not left.exp.has(v):
        return _invert(left.base, right ** (1 / left.exp), v, depth + 1)
    if isinstance(left, sympy.exp):
        return _invert(left.args[0], sympy.log(right), v, depth + 1)
    if isinstance(left, sympy.log):
        return _invert(left.args[0], sympy.exp(right), v, depth + 1)
    return []
