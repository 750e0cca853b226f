r"""Quick values in machine floats, for searching and plotting. Guesses only, never evidence.

An expression is folded into nested Python functions; no code is generated from it.

>>> from sympy import exp, log
>>> from symdp.notation import x
>>> f = function(exp(x) - 1, [x])
>>> f([0.0])
0.0
>>> function(log(x), [x])([-1.0])
nan
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import sympy
from sympy import Expr, Symbol

from symdp.notation import Phi

Function = Callable[[Sequence[float]], float]

_UNARY: dict[type, Callable[[float], float]] = {
    sympy.exp: math.exp,
    sympy.log: math.log,
    sympy.Abs: abs,
    sympy.sinh: math.sinh,
    sympy.cosh: math.cosh,
    sympy.tanh: math.tanh,
    sympy.sin: math.sin,
    sympy.cos: math.cos,
    sympy.erf: math.erf,
    sympy.erfc: math.erfc,
    Phi: lambda u: math.erfc(-u / math.sqrt(2)) / 2,
    sympy.gamma: math.gamma,
    sympy.loggamma: math.lgamma,
    sympy.floor: lambda u: float(math.floor(u)),
    sympy.sign: lambda u: float((u > 0) - (u < 0)),
}


def function(expr: Expr, variables: Sequence[Symbol]) -> Function:
    """A function of the values of the variables; nan where the expression has no real value."""
    compute = _fold(expr, {v: i for i, v in enumerate(variables)}, {})

    def guarded(values: Sequence[float]) -> float:
        try:
            result = compute(values)
        except (ArithmeticError, ValueError):
            return math.nan
        return math.nan if isinstance(result, complex) else float(result)

    return guarded


def _fold(expr: Expr, places: dict[Symbol, int], done: dict[Expr, Function]) -> Function:
    if expr in done:
        return done[expr]
    done[expr] = result = _build(expr, places, done)
    return result


def _build(expr: Expr, places: dict[Symbol, int], done: dict[Expr, Function]) -> Function:
    if expr.is_Symbol:
        place = places[expr]
        return lambda values: values[place]
    if not expr.free_symbols:
        constant = float(expr)
        return lambda values: constant
    parts = [_fold(a, places, done) for a in expr.args]
    if expr.is_Add:
        return lambda values: math.fsum(f(values) for f in parts)
    if expr.is_Mul:
        return lambda values: math.prod(f(values) for f in parts)
    if expr.is_Pow:
        base, exponent = parts
        return lambda values: base(values) ** exponent(values)
    if isinstance(expr, sympy.Min):
        return lambda values: min(f(values) for f in parts)
    if isinstance(expr, sympy.Max):
        return lambda values: max(f(values) for f in parts)
    if isinstance(expr, sympy.binomial):
        n, m = parts

        def binomial(values: Sequence[float]) -> float:
            a, b = n(values), m(values)
            return math.exp(math.lgamma(a + 1) - math.lgamma(b + 1) - math.lgamma(a - b + 1))

        return binomial
    if type(expr) in _UNARY:
        unary, argument = _UNARY[type(expr)], parts[0]
        return lambda values: unary(argument(values))
    raise TypeError(f"there is no floating-point value for {expr}")
