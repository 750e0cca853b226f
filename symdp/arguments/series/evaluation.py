r"""From an expression to its transseries at a point, part by part.

>>> import sympy
>>> from symdp.formulas.notation import x
>>> from symdp.arguments.series.neighbourhood import Setting
>>> here = Setting(Rational(1, 4), depth=4)
>>> print(Evaluation(here, x, Integer(0), "+")(sympy.sqrt(x) * sympy.log(x)))
-1*s^1/2*L^1
>>> print(Evaluation(here, x, sympy.oo, "-")(sympy.tanh(x)))
1 + exp(-2*s^-1)*(-2) + exp(-4*s^-1)*(2) + exp(-6*s^-1)*(-2) + exp(-8*s^-1)*(2) + ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import sympy
from sympy import Expr, Integer, Rational, Symbol

from symdp.arguments.series.neighbourhood import (
    BITS,
    Deeper,
    Narrower,
    NoExpansion,
    NotReal,
    Setting,
    key,
)
from symdp.arguments.series.power_model import UNIT, PowerModel
from symdp.arguments.series.taylor import (
    digamma_coefficients,
    log_taylor,
    mills_coefficients,
    stirling_coefficients,
    taylor,
    trigamma_coefficients,
)
from symdp.arguments.series.transseries import NONE, Transseries, analytic
from symdp.formulas.functions import NAMES, SYMPY, expr_of, unfolded
from symdp.formulas.notation import Phi
from symdp.formulas.translation import term_of
from symdp.kernel.terms import FUNCTIONS, variable
from symdp.kernel.values.ranges import ONE, Range, Undefined, Unsupported, inverse, mul
from symdp.numbers.domain import Domain
from symdp.search.view.goals import range_on

HALF = Rational(1, 2)
#: Arguments of a function that is written by others.
NAMED = ("#0", "#1")


class Evaluation:
    """Expressions in one variable near one point, from one side.

    ``along`` gives other variables as expressions in that one: a path, followed without substituting,
    because SymPy may round when numbers are put into a minimum.
    """

    def __init__(
        self, setting: Setting, variable: Symbol, at: Expr, side: str,
        along: Mapping[Symbol, Expr] | None = None,
    ) -> None:
        self.along = dict(along or {})
        self._moving = {variable, *self.along}
        self.setting, self.variable, self.at, self.side = setting, variable, at, side
        parameters = setting.parameters
        self._domain = Domain(
            {**parameters.intervals, variable: setting.interval(at, side)},
            parameters.integers, parameters.conditions, parameters.facts,
        )
        self._done: dict[Expr, Transseries] = {}

    def __call__(self, expr: Expr) -> Transseries:
        return self._of(_enclosable(expr))

    def _of(self, expr: Expr) -> Transseries:
        if expr not in self._done:
            self._done[expr] = self._made(expr)
        return self._done[expr]

    def _made(self, expr: Expr) -> Transseries:
        if expr == self.variable:
            return self._variable()
        if expr in self.along:
            return self._of(self.along[expr])
        if not self._moves(expr):
            return Transseries.constant(self.setting, expr)
        if expr.is_Add or expr.is_Mul:
            result = self._of(expr.args[0])
            for part in expr.args[1:]:
                result = result + self._of(part) if expr.is_Add else result * self._of(part)
            return result
        if expr.is_Pow:
            return self._power(expr.base, expr.exp)
        if isinstance(expr, (sympy.Min, sympy.Max)):
            return self._extremum(expr)
        if isinstance(expr, sympy.Abs):
            inside = self._of(expr.args[0])
            return inside if not inside.parts or inside.sign() > 0 else -inside
        if isinstance(expr, sympy.exp):
            return self._exp(expr)
        if isinstance(expr, sympy.log):
            return self._log(expr.args[0])
        if isinstance(expr, (sympy.loggamma, sympy.gamma)):
            found = self._log_gamma(self._of(expr.args[0]), expr)
            return found.exp() if isinstance(expr, sympy.gamma) else found
        if (name := NAMES.get(type(expr))) in FUNCTIONS and FUNCTIONS[name].slopes:
            return self._function(expr)
        raise NoExpansion(f"{name or type(expr).__name__} has no expansion here")

    def _moves(self, expr: Expr) -> bool:
        return not self._moving.isdisjoint(expr.free_symbols)

    def _variable(self) -> Transseries:
        if self.at in (sympy.oo, -sympy.oo):
            sign = 1 if self.at == sympy.oo else -1
            return Transseries.power(self.setting, Rational(-1)).times(Integer(sign))
        step = Transseries.power(self.setting, Rational(1))
        centre = Transseries.constant(self.setting, self.at)
        return centre + step if self.side == "+" else centre - step

    def _power(self, base: Expr, exponent: Expr) -> Transseries:
        if exponent.is_Rational:
            return self._of(base).raised(exponent)
        if base.free_symbols or self._moves(exponent):
            log = self._log(base) if base != sympy.E else Transseries.constant(self.setting, Integer(1))
            return (self._of(exponent) * log).exp()
        raise NoExpansion(f"the power {exponent} is not a rational number")

    def _log(self, argument: Expr) -> Transseries:
        if not self._moves(argument):
            return Transseries.constant(self.setting, sympy.log(argument))
        inside = self._of(argument)
        if not inside.parts:
            raise NotReal("a logarithm of zero")
        if inside.is_plain() and inside.plain().largest() == UNIT:
            values = self._values(argument)  # often much better than what the model knows
            if values is not None and values.is_positive():
                return Transseries(self.setting, {NONE: _log_near(inside.plain(), values)})
        return inside.log()

    def _exp(self, expr: Expr) -> Transseries:
        inside = self._of(expr.args[0])
        model = inside.plain()
        if inside.is_plain() and (model.tends_to_zero() or model.largest() == UNIT):
            return Transseries(self.setting, {
                NONE: analytic(sympy.exp, model, self._values(expr.args[0]))
            })
        return inside.exp()

    def _values(self, expr: Expr) -> Range | None:
        """The values of a part on the neighbourhood by interval arithmetic, if they are finite."""
        if not expr.free_symbols.isdisjoint(self.along):  # their ranges are not those of parameters
            return None
        try:
            r = range_on(expr, self._domain, BITS)
        except (Undefined, Unsupported):
            return None
        return r if r.is_finite() else None

    def _extremum(self, expr: Expr) -> Transseries:
        """Min and Max, where one entry is certainly the smallest or largest on all of (0, r]."""
        best = self._of(expr.args[0])
        for part in expr.args[1:]:
            other = self._of(part)
            gap = other - best
            if not gap.parts:
                continue
            keep = gap.sign() > 0 if isinstance(expr, sympy.Min) else gap.sign() < 0
            best = best if keep else other
        return best

    def _function(self, expr: Expr) -> Transseries:
        kind, name = type(expr), NAMES[type(expr)]
        *fixed, argument = expr.args
        if any(self._moves(a) for a in fixed):
            raise NoExpansion(f"{name} has an expansion here only along its last argument")
        inside = self._of(argument)
        model, small = inside.split() if kind not in (sympy.tanh, sympy.sinh, sympy.cosh) or (
            inside.is_plain()) else (PowerModel(self.setting, {}), inside)
        if not small.parts and (model.tends_to_zero() or model.largest() == UNIT):
            limit = model.terms.get(UNIT, Integer(0))
            if limit == 0 and FUNCTIONS[name].domain.lo == 0 and inside.sign() < 0:
                raise NotReal(f"the argument of {name} is negative")
            if name == "uppergamma" and limit == 0:
                return self._upper_gamma_near_zero(model, fixed[0], argument)
            if (moved := away_from_an_end(expr, limit)) is not None:
                return self._of(moved)
            values = self._values(argument)
            return Transseries(self.setting, {NONE: analytic(kind, model, values, *fixed)})
        if kind in (sympy.sin, sympy.cos):
            return self._wave(kind, model, small)
        if kind in (sympy.sinh, sympy.cosh):
            up, down = inside.exp(), (-inside).exp()
            return (up + (down if kind is sympy.cosh else -down)).times(HALF)
        if kind is sympy.tanh:
            return self._tanh(inside)
        if kind in (sympy.erf, sympy.erfc, Phi):
            return self._error_function(kind, inside, expr)
        if small.parts:
            raise NoExpansion(f"{name} of an exponential is outside the scale")
        return self._towards_infinity(name, inside, fixed, argument)

    def _towards_infinity(self, name: str, u: Transseries, fixed: list[Expr], argument: Expr) -> Transseries:
        """A function whose argument grows: by others, or by an asymptotic series of its own."""
        if name == "tan":
            raise NoExpansion("tan oscillates: its argument tends to infinity")
        if name == "atan":  # atan(u) + atan(1/u) = pi/2 for u > 0
            right_angle = Transseries.constant(self.setting, sympy.pi / 2)
            return (right_angle if u.sign() > 0 else -right_angle) - self._of(SYMPY["atan"](1 / argument))
        if name == "digamma":
            log, half_over = self._of(sympy.log(argument)), self._over(u).times(HALF)
            return log - half_over - self._bernoulli(u, digamma_coefficients)
        if name == "trigamma":
            over = self._over(u)
            return over + (over * over).times(HALF) + over * self._bernoulli(u, trigamma_coefficients)
        if name == "uppergamma":
            return self._upper_gamma(u, fixed[0], argument)
        same = FUNCTIONS[name].by_others(*map(variable, NAMED[:len(fixed) + 1]))
        if same is None:
            raise NotReal(f"{name} is not defined where its argument tends to infinity")
        return self._of(expr_of(same, dict(zip(NAMED, (*fixed, argument), strict=False))))

    def _over(self, u: Transseries) -> Transseries:
        """1/u, for u that tends to infinity."""
        if u.sign() < 0:
            raise NotReal("the argument of a Gamma function tends to -oo")
        return u.raised(Rational(-1))

    def _bernoulli(self, u: Transseries, coefficients: Callable[[int], list[Rational]]) -> Transseries:
        square = self._over(u) * self._over(u)
        return square * self._enveloped(square, coefficients, Integer(1))

    def _upper_gamma(self, u: Transseries, s: Expr, argument: Expr) -> Transseries:
        r"""$x^{s-1}e^{-x}\sum_j (s-1)\cdots(s-j)\,x^{-j}$. The rest after n terms is
        $(s-1)\cdots(s-n)\,\Gamma(s-n,x)$, which is at most the next term once $n \ge s-1$."""
        over = self._over(u)
        reach = self.setting.range_of(s).hi.ceil().unique_fmpz()
        if reach is None:
            raise NoExpansion(f"nothing bounds {s}, the first argument of uppergamma")
        n = max(over.plain().terms_needed(), int(reach))
        falling = [Integer(1)]
        for j in range(1, n + 1):
            falling.append(falling[-1] * (s - j))
        series = over.plain().series(falling[:n], self.setting.bound(falling[n]))
        return self._of(argument ** (s - 1) * sympy.exp(-argument)) * Transseries(self.setting, {NONE: series})

    def _upper_gamma_near_zero(self, model: PowerModel, s: Expr, argument: Expr) -> Transseries:
        r"""$\Gamma(s) - x^s h(x)$ for $s > 0$, where $h(x)=\int_0^1 t^{s-1}e^{-xt}\,dt$: the derivatives of h at
        0 are $\pm 1/(s+j)$, and for $x > 0$ they are smaller."""
        if self.setting.sign(s) != 1:
            raise NoExpansion(f"uppergamma({s}, {argument}) has an expansion at 0 only for a positive first argument")
        n = model.terms_needed()
        known = [Integer(-1) ** j / (sympy.factorial(j) * (s + j)) for j in range(n + 1)]
        h = Transseries(self.setting, {NONE: model.series(known[:n], self.setting.bound(known[n]))})
        return Transseries.constant(self.setting, sympy.gamma(s)) - self._power(argument, s) * h

    def _wave(self, kind: type, model: PowerModel, small: Transseries) -> Transseries:
        if not model.tends_to_zero() and model.largest() != UNIT:
            raise NoExpansion(f"{kind.__name__} oscillates: its argument tends to infinity")
        one, two = (sympy.sin, sympy.cos) if kind is sympy.sin else (sympy.cos, sympy.sin)
        near = {k: small.small_function(partial(taylor, k, Integer(0))) for k in (sympy.sin, sympy.cos)}
        a = Transseries(self.setting, {NONE: analytic(one, model)})
        b = Transseries(self.setting, {NONE: analytic(two, model)})
        second = b * near[sympy.sin]
        return a * near[sympy.cos] + (second if kind is sympy.sin else -second)

    def _tanh(self, inside: Transseries) -> Transseries:
        """1 - 2/(exp(2u) + 1), or the negative of it at -u, so that the exponential is large."""
        if inside.sign() < 0:
            return -self._tanh(-inside)
        one = Transseries.constant(self.setting, Integer(1))
        return one - (inside.times(Integer(2)).exp() + one).raised(Rational(-1)).times(Integer(2))

    def _error_function(self, kind: type, inside: Transseries, expr: Expr) -> Transseries:
        """erf and Phi through erfc, and that at +oo by its asymptotic series."""
        one = Transseries.constant(self.setting, Integer(1))
        if not inside.is_plain():
            raise NoExpansion(f"{kind.__name__} of an exponential is outside the scale")
        if kind is Phi:
            u = inside.times(-1 / sympy.sqrt(2))
            return self._erfc(u).times(HALF)
        return self._erfc(inside) if kind is sympy.erfc else one - self._erfc(inside)

    def _erfc(self, u: Transseries) -> Transseries:
        if u.sign() < 0:  # erfc(u) = 2 - erfc(-u)
            return Transseries.constant(self.setting, Integer(2)) - self._erfc(-u)
        return (-(u * u)).exp() * u.raised(Rational(-1)) * self._enveloped(
            (u * u).raised(Rational(-1)), mills_coefficients, 1 / sympy.sqrt(sympy.pi)
        )

    def _log_gamma(self, u: Transseries, expr: Expr) -> Transseries:
        if not u.is_plain() or u.plain().tends_to_zero() or u.plain().largest() == UNIT:
            return self._function(sympy.loggamma(expr.args[0], evaluate=False))
        if u.sign() < 0:
            raise NotReal(f"the argument of {type(expr).__name__} tends to -oo")
        inverse = u.raised(Rational(-1))
        half = Transseries.constant(self.setting, HALF)
        constant = Transseries.constant(self.setting, sympy.log(2 * sympy.pi) / 2)
        series = self._enveloped(inverse * inverse, stirling_coefficients, Integer(1))
        return (u - half) * u.log() - u + constant + inverse * series

    def _enveloped(
        self, w: Transseries, coefficients: Callable[[int], list[Rational]], factor: Expr
    ) -> Transseries:
        """A series in w > 0, a power model that tends to 0, whose error is at most the next term."""
        model = w.plain()
        n = model.terms_needed()
        known = coefficients(n)
        last = self.setting.bound(known[n])
        return Transseries(self.setting, {NONE: model.series(known[:n], last)}).times(factor)


def away_from_an_end(expr: Expr, limit: Expr) -> Expr | None:
    """The same by functions that are smooth there, where the argument tends to an end of the domain."""
    u = expr.args[-1]
    if isinstance(expr, SYMPY["asin"]) and limit in (1, -1):  # asin(sin t) with t = pi/2 - 2 a, sin^2 a = (1 - u)/2
        return limit * (sympy.pi / 2 - 2 * SYMPY["asin"](sympy.sqrt((1 - limit * u) / 2)))
    if isinstance(expr, SYMPY["tan"]) and sympy.cos(limit) == 0:
        return sympy.sin(u) / sympy.cos(u)
    if limit != 0:
        return None
    if isinstance(expr, SYMPY["loggamma"]):
        return SYMPY["loggamma"](1 + u) - sympy.log(u)
    if isinstance(expr, SYMPY["digamma"]):
        return SYMPY["digamma"](1 + u) - 1 / u
    if isinstance(expr, SYMPY["trigamma"]):
        return SYMPY["trigamma"](1 + u) + 1 / u**2
    return None


def _log_near(model: PowerModel, values: Range) -> PowerModel:
    """log at a positive limit, with the argument enclosed from outside."""
    if model.rest is not None and key(model.rest[1]) <= key(UNIT):
        raise Deeper("the limit of a logarithm is not known")
    centre = model.terms.get(UNIT, Integer(0))
    sign = model.setting.sign(centre)
    if sign != 1:
        raise NoExpansion(f"cannot tell that {centre} is positive") if sign is None else NotReal(
            "a logarithm of something negative")
    others = {p: c for p, c in model.terms.items() if p != UNIT}
    u = PowerModel(model.setting, others, [model.rest] if model.rest else []).times(1 / centre)
    constant = PowerModel.constant(model.setting, sympy.log(centre))
    if u.largest() is None:
        return constant
    around = mul(values, inverse(model.setting.range_of(centre), term_of(centre)))
    if not around.lo > 0:
        raise Narrower("the argument of a logarithm may vanish")
    hull = Range(around.lo if around.lo < 1 else ONE, around.hi if around.hi > 1 else ONE)
    return constant + u.series(*log_taylor(u.terms_needed(), hull))


def _enclosable(expr: Expr) -> Expr:
    """The expression as it is expanded: functions that are nothing but others written out, binomials
    through Gamma, log(e + u) as 1 + log(1 + u/e)."""
    expr = unfolded(expr)
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
