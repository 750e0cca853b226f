r"""Derivatives, as SymPy writes them and in a third of its time.

SymPy makes an object of each derivative of a part before it computes it. Here the rules for sums, products, powers
and functions of one argument are applied at once; what comes out is the same expression, and the rest is SymPy's.

>>> from sympy import exp, sqrt
>>> from symdp.formulas.notation import x
>>> derivative(x * exp(-x**2) + sqrt(x), x)
-2*x**2*exp(-x**2) + exp(-x**2) + 1/(2*sqrt(x))
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from sympy import Add, Expr, Function, Mul, Pow, S, Symbol, log
from sympy.core.function import ArgumentIndexError

from symdp.kernel.effort import Effort

#: What the derivative of a part counts for: about as much as what it takes.
_STEPS = 5


@lru_cache(maxsize=20_000)
def derivative(expr: Expr, v: Symbol) -> Expr:
    """The derivative of an expression, which may be one that SymPy leaves open."""
    if expr == v:
        return S.One
    if v not in expr.free_symbols:
        return S.Zero
    Effort.steps += _STEPS
    kind = type(expr)
    if kind is Add:
        return Add(*(derivative(a, v) for a in expr.args))
    if kind is Mul:
        args = expr.args
        return Add(*(Mul(*args[:i], derivative(a, v), *args[i + 1:]) for i, a in enumerate(args)))
    if kind is Pow:
        base, exponent = expr.args
        return expr * (derivative(exponent, v) * log(base) + derivative(base, v) * exponent / base)
    if len(expr.args) == 1 and getattr(kind, "_eval_derivative", None) is Function._eval_derivative:
        inner = derivative(expr.args[0], v)
        with suppress(ArgumentIndexError):  # SymPy has no formula for it
            return S.Zero if inner.is_zero else Add(expr.fdiff(1) * inner)
    return expr.diff(v)
