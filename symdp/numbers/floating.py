r"""Quick values in machine floats or mpmath, for searching and plotting. Guesses, never evidence.

An expression is folded into nested Python functions; no code is generated from it.

>>> from sympy import exp, log
>>> from symdp.formulas.notation import x
>>> f = function(exp(x) - 1, [x])
>>> f([0.0])
0.0
>>> function(log(x), [x])([-1.0])
nan
>>> with mpmath.workdps(30):
...     print(precise(exp(x), [x])([mpmath.mpf(1)]))
2.71828182845904523536028747135
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import sympy
from flint import arb, ctx
from sympy import Expr, Symbol, nan, zoo

from symdp.formulas.functions import NAMES, ball_function, exactly
from symdp.kernel.terms import FUNCTIONS

Function = Callable[[Sequence[Any]], Any]
#: These are folded by themselves.
_FOLDED = ("min", "max", "binomial")


@dataclass(frozen=True)
class _Arithmetic:
    """How one kind of number computes."""

    constant: Callable[[Expr], Any]
    functions: dict[type, Callable[..., Any]]
    add: Callable[[Any], Any]
    multiply: Callable[[Any], Any]
    log_gamma: Callable[[Any], Any]
    exp: Callable[[Any], Any]


def _machine(name: str) -> Callable[..., float]:
    """The function of Python's own math module, or the middle of Arb's ball."""
    own: dict[str, Callable[..., float]] = {
        "abs": abs, "floor": lambda u: float(math.floor(u)), "Phi": lambda u: math.erfc(-u / math.sqrt(2)) / 2}
    names, ball = (name, *FUNCTIONS[name].aliases), ball_function(name)
    found = own.get(name) or next((getattr(math, n) for n in names if hasattr(math, n)), None)
    return found or (lambda *values: float(ball(*map(arb, values)).mid()))


def _many_digits(name: str) -> Callable[..., Any]:
    """The function of mpmath, or the middle of Arb's ball."""
    found = {"abs": abs, "Phi": mpmath.ncdf}.get(name) or getattr(mpmath, name, None)
    ball = ball_function(name)

    def middle(*values: Any) -> Any:
        with ctx.workprec(mpmath.mp.prec + 10):
            return mpmath.mpf(ball(*(exactly(mpmath.mpf(v)._mpf_) for v in values)).mid().str(
                mpmath.mp.dps + 5, radius=False))

    return found or middle


_MACHINE = _Arithmetic(
    float,
    {kind: _machine(name) for kind, name in NAMES.items() if name not in _FOLDED},
    math.fsum,
    math.prod,
    math.lgamma,
    math.exp,
)
_MPMATH = _Arithmetic(
    # SymPy's numbers at the precision in force when the expression is folded
    lambda e: mpmath.mpf(str(e.evalf(mpmath.mp.dps + 5))),
    {kind: _many_digits(name) for kind, name in NAMES.items() if name not in _FOLDED},
    mpmath.fsum,
    mpmath.fprod,
    mpmath.loggamma,
    mpmath.exp,
)


def function(expr: Expr, variables: Sequence[Symbol]) -> Callable[[Sequence[float]], float]:
    """A function of the values of the variables; nan where the expression has no real value."""
    compute = _fold(expr, {v: i for i, v in enumerate(variables)}, {}, _MACHINE)

    def guarded(values: Sequence[float]) -> float:
        try:
            result = compute(values)
        except (ArithmeticError, ValueError, TypeError):  # fsum refuses the root of a negative number
            return math.nan
        return math.nan if isinstance(result, complex) else float(result)

    return guarded


def precise(expr: Expr, variables: Sequence[Symbol]) -> Callable[[Sequence[mpmath.mpf]], Any]:
    """The same with mpmath at its working precision; None where there is no finite real value."""
    compute = _fold(expr, {v: i for i, v in enumerate(variables)}, {}, _MPMATH)

    def guarded(values: Sequence[mpmath.mpf]) -> Any:
        try:
            result = compute(values)
        except (ArithmeticError, ValueError, TypeError):
            return None
        return result if isinstance(result, mpmath.mpf) and mpmath.isfinite(result) else None

    return guarded


def _fold(
    expr: Expr, places: dict[Symbol, int], done: dict[Expr, Function], numbers: _Arithmetic
) -> Function:
    if expr not in done:
        done[expr] = _build(expr, places, done, numbers)
    return done[expr]


def _build(
    expr: Expr, places: dict[Symbol, int], done: dict[Expr, Function], numbers: _Arithmetic
) -> Function:
    if expr.is_Symbol:
        place = places[expr]
        return lambda values: values[place]
    if not expr.free_symbols:
        constant = math.nan if expr.has(zoo, nan) else numbers.constant(expr)
        return lambda values: constant
    parts = [_fold(a, places, done, numbers) for a in expr.args]
    if expr.is_Add:
        return lambda values: numbers.add([f(values) for f in parts])
    if expr.is_Mul:
        return lambda values: numbers.multiply([f(values) for f in parts])
    if expr.is_Pow:
        base, exponent = parts
        return lambda values: base(values) ** exponent(values)
    if isinstance(expr, sympy.Min):
        return lambda values: min(f(values) for f in parts)
    if isinstance(expr, sympy.Max):
        return lambda values: max(f(values) for f in parts)
    if isinstance(expr, sympy.binomial):
        n, m = parts
        log_gamma = numbers.log_gamma
        return lambda values: numbers.exp(
            log_gamma(n(values) + 1) - log_gamma(m(values) + 1) - log_gamma(n(values) - m(values) + 1)
        )
    if type(expr) in numbers.functions:
        apply, (first, *others) = numbers.functions[type(expr)], parts
        if not others:
            return lambda values: apply(first(values))
        return lambda values: apply(*(f(values) for f in parts))
    raise TypeError(f"there is no floating-point value for {expr}")
