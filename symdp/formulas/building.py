"""Builds SymPy expressions, and refuses what would grow too large before SymPy starts on it.

SymPy evaluates while it builds: ``10^10^10`` would fill the memory before anybody could look at it,
and other short texts keep it busy for hours. So every step is weighed *before* it is taken.

>>> from sympy import Integer
>>> from symdp.formulas.notation import x
>>> builder = Builder()
>>> builder.power(x, Integer(2))
x**2
>>> builder.power(Integer(10), Integer(10**10))
Traceback (most recent call last):
...
symdp.formulas.balls.Refused: the number is too large to be written out

``abs``, ``min``, ``max`` and ``floor`` of a variable stay as written; SymPy's own rewriting of them
expands and compares, without any bound on the time.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import sympy
from sympy import Add, Expr, Integer, Mul, Pow, Rational, S, Symbol

from symdp.formulas.balls import BALLS, MAX_BITS, NOT_REAL, TOO_LARGE, Refused, constant, evaluate
from symdp.formulas.functions import SYMPY

#: Bits under a root: SymPy looks for factors and perfect powers there.
MAX_RADICAND = 2_000
#: Arguments of gamma, and the indices of binomial: SymPy multiplies factorials out.
MAX_FACTORIAL = 1_000
#: Terms of a base split into real and imaginary part, as SymPy does under some exponents.
MAX_SPLIT = 100
#: Numbers inside of what is split in this way, and constant arguments of erf and Phi.
MAX_COEFFICIENT = 10_000
#: Degree of an algebraic number next to 0 or 1: SymPy looks for its minimal polynomial.
MAX_DEGREE = 8
#: Visits of SymPy to the nodes of a tree, in one text; a unit is some tenths of a millisecond.
MAX_WORK = 2_500

_TOO_INVOLVED = "the expression is too involved to be built"
#: SymPy multiplies out the real and imaginary part of their arguments.
_EXPANDED = (sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh)


class Weight(NamedTuple):
    """What an expression may cost once SymPy builds something around it."""

    nodes: int = 1
    #: Bits of all its rational numbers.
    bits: int = 0
    #: Bits of its rational factors: an outer power multiplies them.
    growth: int = 0
    #: Bits under its roots: a product of roots becomes the root of a product.
    radicand: int = 0
    #: Bits that appear if c*log(a) becomes log(a^c), as SymPy does inside exp.
    logs: int = 0
    #: Terms of its real and imaginary part, multiplied out.
    split: int = 2
    #: A bound on its degree, if it is built from rational numbers and roots; else 0.
    degree: int = 0
    #: An Arb ball around its value; None if it has variables.
    ball: Any = None


class Builder:
    """Does what SymPy's constructors do, but looks first."""

    def __init__(self) -> None:
        self.work = 0
        self.weights: dict[Expr, Weight] = {}

    def spend(self, units: int) -> None:
        self.work += units
        if self.work > MAX_WORK:
            raise Refused(_TOO_INVOLVED)

    def weigh(self, expr: Expr) -> Weight:
        """The weight of what was built; refused if it is no real number, or a gigantic one."""
        known = self.weights.get(expr)
        if known is None:
            known = self.weights[expr] = self._weigh(expr)
            _limit(known.bits, MAX_BITS)
        return known

    def _weigh(self, expr: Expr) -> Weight:
        if isinstance(expr, Rational):
            bits = 0 if abs(expr.p) <= expr.q == 1 else _bits(expr)
            return Weight(bits=bits, growth=bits, split=1, degree=1,
                           ball=constant(expr))
        if isinstance(expr, Symbol):
            return Weight()
        if expr in (S.Exp1, S.Pi):
            return Weight(split=1, ball=constant(expr))
        if expr.func not in BALLS:  # I, zoo, oo, nan, accumulation bounds
            raise Refused(NOT_REAL)
        parts = [self.weigh(argument) for argument in expr.args]
        growth, logs = 0, sum(part.logs for part in parts)
        radicand = sum(part.radicand for part in parts)
        split = _product([part.split for part in parts])
        if isinstance(expr, Add):
            split = sum(part.split for part in parts)
        elif isinstance(expr, Mul):
            growth = sum(part.growth for part in parts)
            logs *= _ceil(expr.args[0])
        elif isinstance(expr, Pow):
            growth = parts[0].growth * _magnitude(expr.exp) + parts[1].logs
            if isinstance(expr.exp, Integer):
                split = _power_terms(parts[0].split, int(expr.exp))
            else:
                radicand += parts[0].growth
                if isinstance(expr.exp, Rational):
                    small = expr.exp.q <= MAX_SPLIT
                    split = 2 * _power_terms(split, _ceil(expr.exp) if small else MAX_SPLIT + 1)
        else:
            split = 2 + sum(part.split for part in parts)
            if isinstance(expr, _EXPANDED):
                split = min(split * split, MAX_SPLIT + 1)
            growth = logs if isinstance(expr, sympy.exp) else 0
            logs += parts[0].growth if isinstance(expr, sympy.log) else 0
        ball, degree = None, 0
        if all(part.ball is not None for part in parts):
            ball, split = evaluate(expr.func, *(part.ball for part in parts)), 1
            if isinstance(expr, Pow) and isinstance(expr.exp, Rational):
                degree = parts[0].degree * int(expr.exp.q)
            elif isinstance(expr, Add | Mul):
                degree = math.prod(part.degree for part in parts)
            if degree > MAX_DEGREE and any(abs(ball - n).abs_lower() < 1e-50 for n in (-1, 0, 1)):
                raise Refused("cannot tell this constant from a whole number")
        return Weight(1 + sum(part.nodes for part in parts), sum(part.bits for part in parts),
                       growth, radicand, logs, split, degree, ball)

    def checked(self, expr: Expr) -> Expr:
        self.weigh(expr)
        return expr

    def add(self, terms: list[Expr]) -> Expr:
        _limit(sum(self.weigh(term).bits for term in terms), 2 * MAX_BITS)
        self.spend(sum(len(Add.make_args(term)) for term in terms) // 10)
        return self.checked(Add(*terms))

    def negate(self, term: Expr) -> Expr:
        self.spend(len(Add.make_args(term)) // 4)
        return self.checked(-term)

    def multiply(self, factors: list[Expr]) -> Expr:
        weights = [self.weigh(factor) for factor in factors]
        # A number is multiplied into the terms of a sum.
        terms = max(len(Add.make_args(factor)) for factor in factors)
        _limit(terms * sum(weight.growth for weight in weights)
               + sum(weight.bits for weight in weights), 2 * MAX_BITS)
        _limit(sum(weight.radicand for weight in weights), MAX_RADICAND)
        parts = [part for factor in factors for part in Mul.make_args(factor)]
        # Roots of numbers are compared pair by pair, and their exponents are added.
        roots = [part for part in parts if isinstance(part, Pow) and part.base.is_Integer
                 and isinstance(part.exp, Rational)]
        self.spend(len(parts) // 10 + terms // 2 * (terms > 1) + len(roots) ** 2 // 50)
        if len({root.exp for root in roots}) > 1:
            common = math.lcm(*(int(root.exp.q) for root in roots))
            _limit(max(common * _bits(root.base) for root in roots), MAX_BITS, _TOO_INVOLVED)
        return self.settled(Mul(*factors))

    def settled(self, expr: Expr) -> Expr:
        """SymPy sometimes needs a second look at a product to collect all of its powers."""
        while (again := Add(*(Mul(*term.args) if term.is_Mul else term
                              for term in Add.make_args(expr)))) != expr:
            self.spend(len(Add.make_args(expr)))
            expr = again
        return self.checked(expr)

    def power(self, base: Expr, exponent: Expr) -> Expr:
        below, above = self.weigh(base), self.weigh(exponent)
        _limit(below.growth * _magnitude(exponent) + above.logs, MAX_BITS)
        if base is S.One:  # SymPy would ask for the absolute value of the exponent
            return base
        for part in exponent.atoms(Pow):  # and takes the numbers out of the sums in an exponent
            _limit(self.weigh(part.base).bits * _ceil(part.exp), MAX_BITS)
        self.spend(len(Mul.make_args(base)) // 2)
        if not isinstance(exponent, Integer):
            _limit(below.growth + below.radicand, MAX_RADICAND)
            self.spend(below.growth // 10 + (above.nodes if exponent.args else 0))
            if base is S.Exp1:
                return self.exponential(exponent)
            if _splits(base, exponent):
                self.splittable(base)
            if isinstance(base, Rational):  # for its numerator 1, SymPy asks for abs(exponent)
                _limit(above.split, MAX_SPLIT, _TOO_INVOLVED)
            if isinstance(exponent, Rational):
                for number in (part for part in Mul.make_args(base) if part.is_Rational):
                    _limit(_root_bits(number, exponent), MAX_RADICAND)
        elif base.is_zero and exponent.is_negative:
            raise Refused(f"division by zero: {NOT_REAL}")
        self.preview(Pow, base, exponent)
        return self.settled(Pow(base, exponent))

    def exponential(self, argument: Expr) -> Expr:
        weight = self.weigh(argument)
        _limit(weight.logs, MAX_RADICAND)
        if not isinstance(argument, Rational | Symbol):
            self.spend(weight.nodes)
        self.preview(sympy.exp, argument)
        return self.checked(sympy.exp(argument))

    def call(self, name: str, arguments: list[Expr]) -> Expr:
        function = SYMPY[name]
        if name == "sqrt":
            return self.power(arguments[0], S.Half)
        if name == "exp":
            return self.exponential(arguments[0])
        if name in ("abs", "min", "max", "floor"):
            return self.piecewise(name, arguments)
        if name == "loggamma" and not arguments[0].is_Rational:  # it would ask for abs
            self.preview(function, *arguments)
            return self.checked(function(*arguments, evaluate=False))
        if name in ("erf", "erfc", "Phi"):  # beyond, mpmath's erfc overflows
            ball = self.weigh(arguments[0]).ball
            _limit(0 if ball is None or abs(ball) < MAX_COEFFICIENT else 1, 0)
        if name in ("sinh", "cosh", "tanh"):
            self.splittable(arguments[0])
        if name in ("gamma", "loggamma", "binomial"):
            self.factorials(arguments)
        if name != "binomial" or not arguments[1].is_Integer:
            self.preview(function, *arguments)
        self.spend(len(Add.make_args(arguments[0])) // 10)
        return self.checked(function(*arguments))

    def splittable(self, expr: Expr) -> None:
        """Refused if SymPy cannot quickly split it into real and imaginary part.

        It does that to see whether a hyperbolic function is real. Large numbers are a trap there:
        exp(x - 10^300) has the factor exp(-10^300).
        """
        _limit(self.weigh(expr).split, MAX_SPLIT, _TOO_INVOLVED)
        if self.weigh(expr).ball is None and any(
            isinstance(part, sympy.Function) or not part.exp.is_Integer
            for part in expr.atoms(Pow, sympy.Function)
        ):
            for number in expr.atoms(Rational):
                _limit(max(_ceil(number), int(number.q)), MAX_COEFFICIENT, _TOO_INVOLVED)

    def preview(self, function: Any, *arguments: Expr) -> None:
        """Look at a constant through Arb before SymPy computes its digits."""
        weights = [self.weigh(argument) for argument in arguments]
        if all(weight.ball is not None for weight in weights):
            evaluate(function, *(weight.ball for weight in weights))
            if not all(argument.is_Rational for argument in arguments):
                self.spend(2 * sum(weight.nodes for weight in weights))

    def factorials(self, arguments: list[Expr]) -> None:
        """gamma and binomial of numbers are multiplied out; of n over k, SymPy does k steps."""
        numbers = [argument for argument in arguments if self.weigh(argument).ball is not None]
        if len(arguments) == 2 and len(numbers) == 2:
            n, k = arguments
            if k.is_Integer and n.is_Rational:
                steps = min(k, n - k) if n.is_Integer and n >= 0 else k
                _limit(int(steps) * (_bits(n) + 1), MAX_BITS)
                return
            if k.is_Integer:
                _limit(int(k), 20, _TOO_INVOLVED)
            elif not (k.is_Rational and n.is_Rational):
                raise Refused("cannot decide this binomial of irrational constants")
        for number in numbers:
            if number.is_Rational and abs(number) > MAX_FACTORIAL:
                raise Refused(TOO_LARGE)

    def piecewise(self, name: str, arguments: list[Expr]) -> Expr:
        """abs, min, max and floor: decided by Arb for constants, as written for the others."""
        balls = [self.weigh(argument).ball for argument in arguments]
        if any(ball is None for ball in balls):
            return self.checked(SYMPY[name](*arguments, evaluate=False))
        if name == "floor":
            if arguments[0].is_Rational:
                return Integer(arguments[0].p // arguments[0].q)
            whole = evaluate(sympy.floor, balls[0]).unique_fmpz()
            if whole is None:
                raise Refused("cannot decide the floor of this constant")
            return self.checked(Integer(int(whole)))
        if name == "abs":
            sign = self.compare(arguments[0], S.Zero)
            return self.negate(arguments[0]) if sign < 0 else arguments[0]
        best = arguments[0]
        for argument in arguments[1:]:
            if self.compare(argument, best) * (1 if name == "max" else -1) > 0:
                best = argument
        return best

    def compare(self, left: Expr, right: Expr) -> int:
        if left == right:
            return 0
        if left.is_Rational and right.is_Rational:
            return 1 if left > right else -1
        one, other = self.weigh(left).ball, self.weigh(right).ball
        if one > other:
            return 1
        if one < other:
            return -1
        raise Refused("cannot decide which of two constants is larger")


def _limit(size: int, most: int, reason: str = TOO_LARGE) -> None:
    if size > most:
        raise Refused(reason)


def _bits(number: Rational) -> int:
    return int(number.p).bit_length() + (int(number.q).bit_length() if number.q != 1 else 0)


def _root_bits(base: Rational, exponent: Rational) -> int:
    """Bits of the radicand that SymPy computes for a root of a number.

    12^(3/5) = 2^(6/5) * 3^(3/5) becomes 2 * (2*3^3)^(1/5): the exponents of the primes wrap around
    at q, and where q has many digits, so has the radicand.
    """
    size, q = 0, int(exponent.q)
    for number in (abs(int(base.p)), int(base.q)):
        multiplicities = Integer(number).factors(limit=2**15) if number > 1 else {}
        for p in (int(exponent.p), -int(exponent.p)):
            left = {prime: times * p % q for prime, times in multiplicities.items()}
            shared = math.gcd(*left.values()) or 1
            size = max(size, sum(m // shared * int(f).bit_length() for f, m in left.items()))
    return size


def _product(sizes: list[int]) -> int:
    result = 1
    for size in sizes:
        result = min(result * size, MAX_SPLIT + 1)
    return result


def _power_terms(terms: int, exponent: int) -> int:
    """The terms of a power of a sum, multiplied out; twice as many for an inverse."""
    size = abs(exponent)
    if size > MAX_SPLIT or terms > MAX_SPLIT:
        return MAX_SPLIT + 1
    return math.comb(size + terms - 1, size) * (2 if exponent < 0 else 1)


def _ceil(expr: Expr) -> int:
    return max(1, -(-abs(int(expr.p)) // int(expr.q))) if isinstance(expr, Rational) else 1


def _magnitude(exponent: Expr) -> int:
    """How large a number may be left of an exponent once its variables cancel."""
    return sum(_ceil(Mul.make_args(term)[0]) for term in Add.make_args(exponent))


def _splits(base: Expr, exponent: Expr) -> bool:
    """Whether SymPy will ask for the real part of the base, which it multiplies out for that.

    It does so under an exponent with a sum in its denominator, and for a power of a power.
    """
    if base.is_Atom:
        return False
    if any(power.base.is_Add for power in exponent.atoms(Pow)):
        return True
    if not isinstance(base, Pow) or base.base.is_Atom:
        return False
    return not (isinstance(base.exp, Rational) and abs(base.exp) <= 1)
