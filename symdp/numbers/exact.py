r"""Numbers that can be compared without doubt: rational, or rational in a power of $e$.

The probabilities of randomised response are rational functions of $e^\varepsilon$. For an algebraic
$\varepsilon \ne 0$, such as $1/10$ or $1/\sqrt{30}$, that power is transcendental (Lindemann), so such a
number is zero only if the polynomial above the fraction bar is: equality is decided by algebra,
order by balls of growing precision, and neither can fail. Any other constant stays a SymPy
expression; if balls do not tell its sign it must be zero by the rules of fractions, or it is refused.

>>> from sympy import Rational, exp, log
>>> third = number(exp(Rational(1, 10)) / (exp(Rational(1, 10)) + exp(log(2) + Rational(1, 10))))
>>> third
Fraction(1, 3)
>>> p = number(1 / (1 + exp(-Rational(1, 5))))
>>> sign(p - Fraction(1, 2)), sign(p + number(1 / (1 + exp(Rational(1, 5)))) - 1)
(1, 0)
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, TypeAlias

import sympy
from flint import arb, arb_poly, ctx, fmpq, fmpq_poly
from sympy import Add, Expr, Integer, Mul, Pow, Rational, S

from symdp.formulas.balls import Refused
from symdp.formulas.balls import ball as ball_of_expression
from symdp.numbers import quantity

#: Powers beyond this are left to SymPy: polynomials of that degree are slower than balls.
MOST_DEGREE = 4096
#: So many bits are tried on an expression before SymPy is asked whether it is zero, which is slow.
BALLS_FIRST = 512
#: How large an expression may be for SymPy to look for a proof that it is zero: beyond, it may not end.
MOST_FRACTIONS = 400
MOST_SIMPLIFIED = 30


class Exponential:
    """A rational function of ``e^(base * unit)``, not constant; arithmetic is exact.

    The unit is 1 or a root, such as sqrt(30); numbers with different units do not mix here.
    """

    __slots__ = ("base", "bottom", "top", "unit")

    def __init__(self, base: Fraction, top: Any, bottom: Any, unit: Expr = S.One) -> None:
        self.base, self.top, self.bottom, self.unit = base, top, bottom, unit

    def __add__(self, other: object) -> Any:
        return _combine(self, other, lambda a, b, c, d: (a * d + c * b, b * d))

    def __sub__(self, other: object) -> Any:
        return _combine(self, other, lambda a, b, c, d: (a * d - c * b, b * d))

    def __rsub__(self, other: object) -> Any:
        return _combine(self, other, lambda a, b, c, d: (c * b - a * d, b * d))

    def __mul__(self, other: object) -> Any:
        return _combine(self, other, lambda a, b, c, d: (a * c, b * d))

    def __truediv__(self, other: object) -> Any:
        return _combine(self, other, lambda a, b, c, d: (a * d, b * c))

    def __rtruediv__(self, other: object) -> Any:
        return _combine(self, other, lambda a, b, c, d: (c * b, d * a))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Exponential:
        return Exponential(self.base, -self.top, self.bottom, self.unit)

    def __repr__(self) -> str:
        return str(expression(self))

    def _sympy_(self) -> Expr:
        return expression(self)


Number: TypeAlias = Any  # Fraction | Exponential | Expr: they add, multiply and divide alike


def number(value: Expr | Fraction | int | Exponential) -> Number:
    """The constant in the simplest of the three forms."""
    if isinstance(value, Fraction | Exponential):
        return value
    if isinstance(value, int):
        return Fraction(value)
    found = _read(value)
    return value if found is None else found


def sign(value: Number) -> int:
    """-1, 0 or 1."""
    if isinstance(value, Fraction | int):
        return int(value > 0) - int(value < 0)
    bits = 64
    while not isinstance(value, Expr) or bits <= BALLS_FIRST:
        with ctx.workprec(bits):
            found = ball(value)
        if found > 0 or found < 0:
            return 1 if found > 0 else -1
        bits *= 2  # ends for a rational function of a power of e: it is not zero
    if _size(value) <= MOST_FRACTIONS and _vanishes(value):
        return 0
    if _size(value) <= MOST_SIMPLIFIED:
        return quantity.sign(value)
    raise quantity.BadQuantity("a number of this kind cannot be told from zero; epsilon should be "
                               "rational, a root, or the logarithm of a rational")


def _size(expr: Expr) -> int:
    return sum(1 for _ in sympy.preorder_traversal(expr))


def equal(left: Number, right: Number) -> bool:
    return sign(left - right) == 0


def ball(value: Number) -> Any:
    """A ball around the number, at the working precision; not a number if that is too low."""
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    if isinstance(value, Exponential):
        exponent = arb(fmpq(value.base.numerator, value.base.denominator))
        power = (exponent * ball_of_expression(value.unit)).exp()
        return arb_poly(value.top)(power) / arb_poly(value.bottom)(power)
    try:
        return ball_of_expression(value)
    except Refused:  # too wide to divide by, or to take the logarithm of
        return arb.nan()


def expression(value: Number) -> Expr:
    """The number in SymPy."""
    if isinstance(value, Fraction | int):
        return Rational(value.numerator, value.denominator)
    if isinstance(value, Expr):
        return value
    base = Rational(value.base.numerator, value.base.denominator) * value.unit
    scale = value.bottom.denom()  # monic below is exact, integers below read better
    top, bottom = (
        Add(*(Rational(int(c.p), int(c.q)) * sympy.exp(power * base)
              for power, c in enumerate((poly * scale).coeffs()) if c))
        for poly in (value.top, value.bottom)
    )
    return top / bottom


def _vanishes(expr: Expr) -> bool:
    """Whether it is zero by the rules of fractions alone, whatever its roots and powers are.

    Those are replaced by variables, powers of one thing by powers of one variable, so that nothing
    depends on what SymPy knows of them.

    >>> from sympy import exp, sqrt
    >>> _vanishes((exp(sqrt(2)) - 1) * (exp(sqrt(2) / 2) + 1) - exp(3 * sqrt(2) / 2)
    ...           - exp(sqrt(2)) + exp(sqrt(2) / 2) + 1)
    True
    """
    expr = sympy.expand_power_exp(expr)
    atoms = [part for part in sympy.preorder_traversal(expr)
             if not isinstance(part, Add | Mul | Rational)
             and not (isinstance(part, Pow) and isinstance(part.exp, Integer))]
    steps: dict[Any, Fraction] = {}
    for part in atoms:
        thing, power = _thing_and_power(part)
        steps[thing] = _common(steps[thing], abs(power)) if thing in steps else abs(power)
    variables = {thing: sympy.Dummy() for thing in steps}
    names = {}
    for part in dict.fromkeys(atoms):
        thing, power = _thing_and_power(part)
        names[part] = variables[thing] ** int(power / steps[thing])
    return bool(sympy.cancel(expr.xreplace(names)) == 0)


def _thing_and_power(part: Expr) -> tuple[Any, Fraction]:
    """What is raised to a rational power, and the power; for e^(2 u/3) they are e^u and 2/3."""
    if isinstance(part, sympy.exp) or part is S.Exp1:
        power, unit = (part.args[0] if part.args else S.One).as_coeff_Mul()
        return ("exp", unit), Fraction(int(power.p), int(power.q))
    if isinstance(part, Pow) and isinstance(part.exp, Rational):
        return part.base, Fraction(int(part.exp.p), int(part.exp.q))
    return part, Fraction(1)


# --- reading SymPy -----------------------------------------------------------------------------


def _read(expr: Expr) -> Fraction | Exponential | None:
    """None if the expression is not rational in one power of e."""
    if isinstance(expr, Rational):
        return Fraction(int(expr.p), int(expr.q))
    if isinstance(expr, sympy.sinh | sympy.cosh | sympy.tanh):
        return _read(expr.rewrite(sympy.exp))
    exponent = S.One if expr is S.Exp1 else expr.args[0] if isinstance(expr, sympy.exp) else None
    if exponent is not None:
        if isinstance(exponent, Add):
            return _read(Mul(*(sympy.exp(part) for part in exponent.args), evaluate=False))
        return _power_of_e(exponent)
    if isinstance(expr, Pow) and isinstance(expr.exp, Integer) and abs(expr.exp) <= MOST_DEGREE:
        inner = _read(expr.base)
        return None if inner is None else _raised(inner, int(expr.exp))
    if not isinstance(expr, Add | Mul):
        return None
    parts = [_read(part) for part in expr.args]
    if any(part is None for part in parts):
        return None
    total: Any = parts[0]
    for part in parts[1:]:
        total = total + part if isinstance(expr, Add) else total * part
        if isinstance(total, Expr):
            return None
    return total if isinstance(total, Fraction | Exponential) else None


def _power_of_e(exponent: Expr) -> Fraction | Exponential | None:
    factor, unit = exponent.as_coeff_Mul()
    if exponent == 0:
        return Fraction(1)
    if not isinstance(factor, Rational) or not (unit is S.One or _is_root(unit)):
        return None
    one, variable = fmpq_poly([1]), fmpq_poly([0, 1])
    base = abs(Fraction(int(factor.p), int(factor.q)))
    return Exponential(base, *((variable, one) if factor.p > 0 else (one, variable)), unit)


def _is_root(expr: Expr) -> bool:
    """A product of roots of positive rationals: algebraic, real and not zero, to be seen at once."""
    return all(isinstance(part, Pow) and isinstance(part.exp, Rational)
               and isinstance(part.base, Rational) and part.base.p > 0
               for part in Mul.make_args(expr))


def _raised(value: Fraction | Exponential, power: int) -> Fraction | Exponential | None:
    if isinstance(value, Fraction):
        return None if value == 0 and power < 0 else Fraction(value**power)
    top, bottom = (value.top, value.bottom) if power >= 0 else (value.bottom, value.top)
    if max(top.degree(), bottom.degree()) * abs(power) > MOST_DEGREE:
        return None
    return Exponential(value.base, *_lowest(top ** abs(power), bottom ** abs(power)), value.unit)


# --- arithmetic --------------------------------------------------------------------------------


def _combine(left: Exponential, other: object, rule: Any) -> Any:
    if isinstance(other, Expr):
        return _fallen_back(left, other, rule)
    if isinstance(other, int | Fraction):
        right = (fmpq_poly([fmpq(other.numerator, other.denominator)]), fmpq_poly([1]))
        return _made(left.base, rule(left.top, left.bottom, *right), left.unit)
    if not isinstance(other, Exponential):
        return NotImplemented
    if left.unit != other.unit:
        return _fallen_back(left, expression(other), rule)
    base = _common(left.base, other.base)
    first, second = left.base / base, other.base / base
    degrees = [first * max(left.top.degree(), left.bottom.degree()),
               second * max(other.top.degree(), other.bottom.degree())]
    if max(degrees) > MOST_DEGREE:
        return _fallen_back(left, expression(other), rule)
    above, below = (_stretched(poly, int(first)) for poly in (left.top, left.bottom))
    there = (_stretched(poly, int(second)) for poly in (other.top, other.bottom))
    return _made(base, rule(above, below, *there), left.unit)


def _fallen_back(left: Exponential, other: Expr, rule: Any) -> Expr:
    top, bottom = rule(expression(left), S.One, other, S.One)
    return top / bottom


def _common(one: Fraction, other: Fraction) -> Fraction:
    """The largest rational of which both are whole multiples."""
    below = math.lcm(one.denominator, other.denominator)
    return Fraction(math.gcd(int(one * below), int(other * below)), below)


def _stretched(poly: Any, power: int) -> Any:
    return poly if power == 1 else poly(fmpq_poly([0] * power + [1]))


def _made(base: Fraction, quotient: tuple[Any, Any], unit: Expr) -> Fraction | Exponential:
    top, bottom = quotient
    if bottom.is_zero():
        raise ZeroDivisionError("division by zero")
    top, bottom = _lowest(top, bottom)
    if top.degree() <= 0 and bottom.degree() == 0:
        value = top[0] / bottom[0]
        return Fraction(int(value.p), int(value.q))
    return Exponential(base, top, bottom, unit)


def _lowest(top: Any, bottom: Any) -> tuple[Any, Any]:
    shared = top.gcd(bottom)
    if shared.degree() > 0:
        top, bottom = top // shared, bottom // shared
    leading = bottom[bottom.degree()]
    return top / leading, bottom / leading
