"""SymPy -> text, in the grammar that :mod:`symdp.formulas.parsing` reads.

>>> from sympy import log
>>> from symdp.formulas.notation import eps, slack
>>> to_text(eps * log(1 / slack) / 2)
'eps*log(1/slack)/2'
"""

from __future__ import annotations

from sympy import Add, Expr, Mul, Pow, Rational, S, Symbol

from symdp.formulas.functions import NAMES
from symdp.formulas.notation import exact, symbol
from symdp.formulas.vocabulary import KNOWN, MAX_DIGITS, is_variable

_SUM, _PRODUCT, _POWER, _ATOM = range(4)


def to_text(expr: Expr) -> str:
    """The expression in the grammar of :mod:`symdp.formulas.parsing`; reading it gives the same expression.

    Only SymPy's own loose ends are tidied on the way: it leaves -(1/4)^x/3 - 1 as it is after a
    division by 3, but writes -4^(-x)/3 - 1 when asked again.

    >>> from sympy import exp, sqrt
    >>> from symdp.formulas.notation import eps, k, x
    >>> to_text(eps * sqrt(2 * k) - (exp(x) - 1) ** 2 / 3)
    'eps*sqrt(2)*sqrt(k) - (exp(x) - 1)^2/3'
    >>> to_text(0.1)
    Traceback (most recent call last):
    ...
    TypeError: 0.1 is a float; write Rational('0.1')
    """
    return _print(exact(expr), _SUM)


def spelled(expr: Expr) -> str:
    """The text for people to read: of sums too, which the grammar of texts has none of."""
    try:
        return to_text(expr)
    except TypeError:
        return str(expr)


def _print(expr: Expr, level: int) -> str:
    """The text of an expression, in brackets where the place binds tighter than it does."""
    text, own = _printed(expr)
    return text if own >= level else f"({text})"


def _printed(expr: Expr) -> tuple[str, int]:
    for constant, name in ((S.Exp1, "e"), (S.Pi, "pi")):
        if expr is constant:
            return name, _ATOM
    if isinstance(expr, Symbol):
        return _symbol_name(expr), _ATOM
    if isinstance(expr, Add):
        return _sum_text(expr), _SUM
    if isinstance(expr, Rational | Mul) or _is_inverse(expr):
        negative, text, level = _product_text(expr)
        return ("-" + text, _SUM) if negative else (text, level)
    if expr.func in NAMES:
        arguments = ", ".join(_print(argument, _SUM) for argument in expr.args)
        return f"{NAMES[expr.func]}({arguments})", _ATOM
    if isinstance(expr, Pow):
        return _power_text(expr.base, expr.exp)
    kind = type(expr).__name__
    raise TypeError(f"{kind} is outside the grammar; known functions: {KNOWN}")


def _symbol_name(expr: Symbol) -> str:
    name = str(expr.name)
    if not is_variable(name) or symbol(name) != expr:
        raise TypeError(f"the symbol {name!r} cannot be written down; "
                        "make symbols by symdp.formulas.notation.symbol")
    return name


def _sum_text(expr: Add) -> str:
    """Terms in SymPy's order, but the number last and a positive term first."""
    terms = sorted(expr.args, key=lambda term: bool(term.is_Rational))
    printed = [_product_text(term) for term in terms]
    first = next((i for i, (negative, _, _) in enumerate(printed) if not negative), 0)
    printed.insert(0, printed.pop(first))
    text = ""
    for negative, term, level in printed:
        text += (" - " if text else "-") if negative else (" + " if text else "")
        text += term if level > _SUM else f"({term})"
    return text


def _is_inverse(expr: Expr) -> bool:
    """x^-2, which is written 1/x^2; exp(-2) stays."""
    return (isinstance(expr, Pow) and expr.base is not S.Exp1
            and isinstance(expr.exp, Rational) and expr.exp.is_negative)


def _product_text(expr: Expr) -> tuple[bool, str, int]:
    """Sign, text without the sign, and how tightly it binds."""
    number, above, below = S.One, [], []
    factors = Mul.make_args(expr)
    for factor in factors:
        if isinstance(factor, Rational) and factor is factors[0]:
            number = factor
        elif _is_inverse(factor):
            below.append(_power_text(factor.base, -factor.exp))
        else:
            above.append(_printed(factor))
    if abs(number.p) != 1 or not above:
        above.insert(0, (_integer_text(abs(number.p)), _ATOM))
    divisors = [_joined(below)] if below else []
    if number.q != 1:
        divisors.append((_integer_text(number.q), _ATOM))
    # x/(a + b)/2 and not x/(2*(a + b)): SymPy would multiply the 2 into the sum.
    if len(divisors) == 2 and divisors[0][1] > _SUM:
        divisors = [_joined([divisors[1], *below])]
    text, level = _joined(above)
    if divisors:
        text, level = text if level > _SUM else f"({text})", _PRODUCT
    for divisor, tightness in divisors:
        text += f"/{divisor}" if tightness > _PRODUCT else f"/({divisor})"
    return bool(number.is_negative), text, level


def _joined(factors: list[tuple[str, int]]) -> tuple[str, int]:
    if len(factors) == 1:
        return factors[0]
    return "*".join(text if level > _PRODUCT else f"({text})" for text, level in factors), _PRODUCT


def _power_text(base: Expr, exponent: Expr) -> tuple[str, int]:
    if exponent is S.One:
        return _printed(base)
    if exponent is S.Half:
        return f"sqrt({_print(base, _SUM)})", _ATOM
    return f"{_print(base, _ATOM)}^{_print(exponent, _ATOM)}", _POWER


def _integer_text(number: int) -> str:
    """Digits; beyond what the grammar reads as one number, in pieces."""
    high, low = divmod(int(number), 10**MAX_DIGITS)
    return f"({_integer_text(high)}*10^{MAX_DIGITS} + {low})" if high else str(low)


def said(expr: Expr) -> str:
    """The text of an expression, for people: what the grammar cannot write, SymPy does.

    >>> from sympy import Sum
    >>> from symdp.formulas.notation import k, symbol
    >>> said(Sum(symbol("i"), (symbol("i"), 0, k)))
    'Sum(i, (i, 0, k))'
    """
    try:
        return to_text(expr)
    except TypeError:
        return str(expr)
