r"""Integrals and infinite sums as closed forms, where that is certain.

The kernel knows neither: a verdict that needs one is never more than argued. An integral is the difference of an
antiderivative at its ends, if that is continuous between them and its derivative is the integrand; an infinite sum is
what SymPy says, under a condition that the text states.

>>> from symdp.formulas.notation import eps, symbol
>>> from sympy import exp, oo
>>> z, t = symbol("z"), symbol("t")
>>> integral(eps * exp(-eps * z), z, t, oo, frozenset([eps]))
exp(-eps*t)
>>> integral(1 / z, z, -t, t, frozenset([t])) is None
True
"""

from __future__ import annotations

import sympy
from sympy import Abs, Dummy, Expr, Piecewise, Pow, Symbol, erf, oo

from symdp.search.deadline import TimeIsUp, hard_deadline

#: Seconds for one of them.
PATIENCE = 3.0


def integral(f: Expr, z: Symbol, low: Expr, high: Expr, positive: frozenset[Symbol]) -> Expr | None:
    """The integral of f from low to high; None where it is not certain."""
    names = {s: Dummy(str(s), positive=True) if s in positive else Dummy(str(s), real=True)
             for s in (f.free_symbols | low.free_symbols | high.free_symbols) - {z}}
    x = Dummy("z", real=True)
    inside, a, b = (e.xreplace({**names, z: x}) for e in (f, low, high))
    back = {d: s for s, d in names.items()}
    try:
        with hard_deadline(PATIENCE):
            whole = sympy.integrate(inside, x)
            if not _is_continuous(whole, x, a, b) or sympy.simplify(whole.diff(x) - inside) != 0:
                return None
            ends = [sympy.limit(whole, x, end) if end in (oo, -oo) else whole.xreplace({x: end}) for end in (a, b)]
            value = sympy.simplify(ends[1] - ends[0])
    except (TimeIsUp, NotImplementedError, ValueError, TypeError, AttributeError, RecursionError, ArithmeticError):
        return None
    return _finite(value, back)


def infinite_sum(
    term: Expr, k: Symbol, first: Expr, positive: frozenset[Symbol], unit: frozenset[Symbol]
) -> Expr | None:
    """The sum of the terms from the first on; ``unit`` are names between 0 and 1, where 0^0 is 1.

    The first index is a number, or a positive name and a number behind it.

    >>> from symdp.formulas.notation import symbol
    >>> k, q, m = symbol("k"), symbol("q"), symbol("m")
    >>> infinite_sum(q**k, k, m + 1, frozenset([m]), frozenset([q])).equals(q**(m + 1)/(1 - q))
    True
    """
    least, start = first.as_coeff_Add()  # a name is a positive one
    if not (start == 0 or isinstance(start, Symbol)) or not least.is_Integer or least < 0:
        return None
    if not _has_values(term, k, least):
        return None
    names = {s: Dummy(str(s), positive=True) if s in positive | unit else Dummy(str(s), real=True)
             for s in term.free_symbols - {k}}
    if start != 0:
        names[start] = Dummy(str(start), integer=True, nonnegative=True)
    n = Dummy("k", integer=True, nonnegative=True)
    back = {d: s for s, d in names.items()}
    try:
        with hard_deadline(PATIENCE):
            inside = term.xreplace({**names, k: n}).replace(sympy.gamma, lambda z: sympy.factorial(z - 1))
            if start != 0:  # SymPy knows the sum from 0 on more often
                inside = sympy.powsimp(sympy.expand_power_exp(inside.subs(n, n + first.xreplace(names))))
            inside, falling = _as_powers(sympy.powsimp(inside.expand()), n)
            value = sympy.summation(inside, (n, first if start == 0 else 0, oo))
    except (TimeIsUp, NotImplementedError, ValueError, TypeError, AttributeError, RecursionError, ArithmeticError):
        return None
    below_one = [*(names[s] for s in unit if s in names), *falling]
    small = {c for d in below_one for c in (Abs(d) < 1, d < 1, Abs(1 - d) < 1, Abs(d - 1) < 1, d**2 < 1, d**3 < 1)}

    def converges(given: Piecewise) -> Expr:
        branch, condition = given.args[0]
        below = isinstance(condition, sympy.StrictLessThan) and condition.rhs == 1 and is_unit(
            condition.lhs.args[0] if isinstance(condition.lhs, Abs) else condition.lhs)
        return branch if below or condition in small or condition is sympy.true else given

    value = value.replace(Piecewise, lambda *cases: converges(Piecewise(*cases, evaluate=False)))
    return _finite(value.xreplace(falling), back)


def _as_powers(term: Expr, n: Dummy) -> tuple[Expr, dict[Dummy, Expr]]:
    """exp(-y n + d) as a power of one number between 0 and 1, of which SymPy knows more."""
    falling: dict[Dummy, Expr] = {}

    def power(argument: Expr) -> Expr:
        poly = argument.as_poly(n)
        if poly is None or poly.degree() != 1 or not poly.LC().is_negative:
            return sympy.exp(argument)
        q = next((d for d, e in falling.items() if e.args[0] == poly.LC()), Dummy("q", positive=True))
        falling[q] = sympy.exp(poly.LC())
        return sympy.exp(poly.eval(0)) * q**n

    return term.replace(sympy.exp, power), falling


def is_unit(value: Expr) -> bool:
    """Whether a value is plainly between 0 and 1, by the signs of its names."""
    if isinstance(value, sympy.exp):
        return bool(value.args[0].is_negative)
    if isinstance(value, Pow) and value.exp.is_positive:
        return is_unit(value.base)
    return bool(value.is_positive and sympy.together(1 - value).is_positive)


def signed(value: Expr, positive: frozenset[Symbol]) -> Expr:
    """A value with names that know their signs."""
    return value.xreplace({s: Dummy(str(s), positive=True) if s in positive else Dummy(str(s), real=True)
                           for s in value.free_symbols})


def _has_values(term: Expr, k: Symbol, first: Expr) -> bool:
    """Whether each term plainly has a value: what is below a bar is no zero at an index, and no root or logarithm of
    the index is there."""
    for part in sympy.preorder_traversal(term):
        known = part.is_Add or part.is_Mul or isinstance(part, sympy.exp | sympy.factorial)
        if not part.has(k) or part == k or known or _is_factorial(part, k, first):
            continue
        if isinstance(part, Pow) and part.exp.is_Integer and all(
            _is_factorial(f, k, first) or (isinstance(f, Pow) and f.base.is_positive) or f.is_positive
            for f in sympy.Mul.make_args(part.base)
        ):
            continue
        if isinstance(part, Pow) and (not part.base.has(k) or (part.exp.is_Integer and part.exp > 0)):
            continue
        if not (isinstance(part, Pow) and part.exp.is_Integer and part.base.is_polynomial(k)
                and part.base.free_symbols == {k}):
            return False
        if any(root.is_integer and root >= first for root in sympy.Poly(part.base, k).ground_roots()):
            return False
    return True


def _is_factorial(part: Expr, k: Symbol, first: Expr) -> bool:
    """(ak + b)! with a positive argument for each index."""
    if not isinstance(part, sympy.gamma) or not part.args[0].is_polynomial(k):
        return False
    poly = sympy.Poly(part.args[0], k)
    return poly.degree() == 1 and bool(poly.LC() > 0 and poly.eval(first) > 0) if poly.domain.is_ZZ else False


def _finite(value: Expr, back: dict[Dummy, Symbol]) -> Expr | None:
    strange = value.has(oo, -oo, sympy.zoo, sympy.nan, sympy.I, Piecewise, sympy.Integral, sympy.Limit, sympy.Sum)
    if strange or not value.free_symbols <= set(back):
        return None
    return value.xreplace(back)


def _is_continuous(whole: Expr, x: Symbol, low: Expr, high: Expr) -> bool:
    """Whether an antiderivative is plainly continuous: exponentials, polynomials; powers and logarithms above 0."""
    above = bool(low.is_positive and (high.is_positive or high == oo))
    not_below = bool(low.is_nonnegative and (high.is_nonnegative or high == oo))
    inside = Dummy("z", positive=True) if above else Dummy("z", nonnegative=True) if not_below else x
    for part in sympy.preorder_traversal(whole):
        known = part.is_Add or part.is_Mul or isinstance(part, sympy.exp | erf | sympy.atan)
        if not part.has(x) or part == x or known:
            continue
        if isinstance(part, Pow) and part.exp.is_Integer and part.exp > 0:
            continue
        if isinstance(part, Pow) and not part.base.has(x):
            continue
        if isinstance(part, Pow) and part.base == x and not_below and part.exp.is_positive and not part.exp.has(x):
            continue
        # a denominator, a root or a logarithm of what is positive between the ends
        exponent = part.exp if isinstance(part, Pow) else None
        if isinstance(part, Pow | sympy.log) and part.args[0].xreplace({x: inside}).is_positive and not (
            exponent is not None and exponent.has(x)
        ):
            continue
        return False
    return True
