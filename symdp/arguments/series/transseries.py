r"""Sums of exponentials times power models: $\sum_E e^{E(s)} M_E(s)$.

An exponent $E$ is a sum of powers $c\,s^{-a} L^b$ that tends to $\pm\infty$; the empty exponent is 1.
Of two different exponents one dominates, which the sign of the leading coefficient of their
difference tells. A function of a transseries splits off what dominates, and expands in the rest,
which is exponentially small.

>>> from sympy import Integer
>>> from symdp.arguments.series.neighbourhood import Setting
>>> here = Setting(Rational(1, 4), depth=3)
>>> x = Transseries.power(here, Rational(-1))  # x = 1/s tends to infinity
>>> print((x.exp() + x).log())
1*s^-1 + exp(-s^-1)*(1*s^-1) + exp(-2*s^-1)*(-1/2*s^-2) + exp(-3*s^-1)*(1/3*s^-3) + ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cmp_to_key, partial

import sympy
from flint import arb
from sympy import Expr, Integer, Rational

from symdp.arguments.series.neighbourhood import (
    Deeper,
    Narrower,
    NoExpansion,
    NotReal,
    Power,
    Setting,
    key,
    tidy,
)
from symdp.arguments.series.power_model import UNIT, ZERO, PowerModel
from symdp.arguments.series.taylor import log_taylor, power_taylor, taylor
from symdp.kernel.values.ranges import Range

Exponent = frozenset[tuple[Power, Expr]]
NONE: Exponent = frozenset()


def scaled(e: Exponent, by: Expr) -> Exponent:
    return frozenset((p, tidy(by * c)) for p, c in e)


def joined(e: Exponent, f: Exponent) -> Exponent:
    total = dict(e)
    for p, c in f:
        total[p] = tidy(total[p] + c) if p in total else c
    return frozenset((p, c) for p, c in total.items() if c != 0 and not _vanishes(c))


def _vanishes(c: Expr) -> bool:
    """Whether logarithms of numbers cancel: 2 log 2 is log 4."""
    return bool(len(c.atoms(sympy.log)) > 1 and sympy.expand_log(c, factor=True) == 0)


def grows(setting: Setting, e: Exponent) -> int:
    """1 if exp(E) tends to infinity, -1 if it tends to 0, 0 if E is empty."""
    for _, c in sorted(e, key=lambda item: key(item[0])):
        sign = setting.sign(c)
        if sign is None:
            raise NoExpansion(f"cannot tell the sign of {c} in an exponent")
        if sign:
            return sign
    return 0


class Transseries:
    """Power models by the exponential they are multiplied with; see the module."""

    __slots__ = ("parts", "setting")

    def __init__(self, setting: Setting, parts: Mapping[Exponent, PowerModel]) -> None:
        self.setting = setting
        self.parts = {e: m for e, m in parts.items() if not m.is_zero}

    @classmethod
    def constant(cls, setting: Setting, c: Expr) -> Transseries:
        setting.range_of(c)  # defined for all parameters
        return cls(setting, {NONE: PowerModel.constant(setting, c)})

    @classmethod
    def power(cls, setting: Setting, a: Rational, b: Rational = ZERO) -> Transseries:
        """s^a L^b."""
        return cls(setting, {NONE: PowerModel(setting, {(a, b): Integer(1)})})

    def __add__(self, other: Transseries) -> Transseries:
        parts = dict(self.parts)
        for e, m in other.parts.items():
            parts[e] = parts[e] + m if e in parts else m
        return Transseries(self.setting, parts)

    def __mul__(self, other: Transseries) -> Transseries:
        parts: dict[Exponent, PowerModel] = {}
        for e, m in self.parts.items():
            for f, n in other.parts.items():
                g = joined(e, f)
                parts[g] = parts[g] + m * n if g in parts else m * n
        return Transseries(self.setting, parts)

    def times(self, c: Expr) -> Transseries:
        return Transseries(self.setting, {e: m.times(c) for e, m in self.parts.items()})

    def __neg__(self) -> Transseries:
        return self.times(Integer(-1))

    def __sub__(self, other: Transseries) -> Transseries:
        return self + -other

    # what dominates

    def sorted(self) -> list[tuple[Exponent, PowerModel]]:
        """From the dominant exponential to the smallest."""
        def compare(e: Exponent, f: Exponent) -> int:
            return -grows(self.setting, joined(e, scaled(f, Integer(-1))))

        order = sorted(self.parts, key=cmp_to_key(compare))
        return [(e, self.parts[e]) for e in order]

    def is_plain(self) -> bool:
        return not self.parts or set(self.parts) == {NONE}

    def plain(self) -> PowerModel:
        """The part without an exponential."""
        return self.parts.get(NONE, PowerModel(self.setting, {}))

    def relative(self) -> tuple[Exponent, Power, Expr, int, PowerModel, Transseries]:
        """exp(E) c s^a L^b (1 + u)(1 + v): E, the power, c, its sign, u, and v, which is smaller than
        every power."""
        if not self.parts:
            raise NotReal("division by zero")
        (e, m), *others = self.sorted()
        power, c, sign, u = m.relative()
        down = (-power[0], -power[1])
        smaller = Transseries(self.setting, {
            joined(f, scaled(e, Integer(-1))): n.times(1 / c, down) for f, n in others
        })
        if smaller.parts:
            smaller = smaller * Transseries(self.setting, {NONE: _power_of(u, Rational(-1))})
        return e, power, c, sign, u, smaller

    def sign(self) -> int:
        """The sign on all of (0, r]; Narrower if that is not seen."""
        _, _, _, sign, u, v = self.relative()
        if not u.range().lo > -1:
            raise Narrower("the sign is not certain")
        if v.parts and not v.small_range().lo > -1:
            raise Narrower("the sign is not certain")
        return sign

    # exponentially small parts

    def bound_small(self) -> tuple[arb, Exponent, Power]:
        """K, E, (a, b) with |v| <= K exp(E) s^a L^b on (0, r], for v of which all parts decay."""
        (first, model), *others = self.sorted()
        power = model.largest() or UNIT
        total = model.bound_by(power)
        for e, m in others:
            gap = dict(joined(e, scaled(first, Integer(-1))))
            for p, bound in _sizes(m):
                total += bound * self.setting.decay(gap, p[0] - power[0], p[1] - power[1])
        return total.upper(), first, power

    def small_range(self) -> Range:
        bound, e, power = self.bound_small()
        size = (bound * self.setting.decay(dict(e), *power)).upper()
        return Range((-size).lower(), size)

    def small_series(self, coefficients: list[Expr], last: arb) -> Transseries:
        """c_0 + c_1 v + ... + rest, with |rest| <= last |v|^n, for an exponentially small v."""
        result = Transseries.constant(self.setting, coefficients[-1])
        for c in reversed(coefficients[:-1]):
            result = result * self + Transseries.constant(self.setting, c)
        bound, e, power = self.bound_small()
        n = len(coefficients)
        rest = PowerModel(self.setting, {}, [((last * bound**n).upper(), (n * power[0], n * power[1]))])
        return result + Transseries(self.setting, {scaled(e, Integer(n)): rest})

    def small_function(
        self, taylor_of: Callable[[int, Range], tuple[list[Expr], arb]], around: int = 0
    ) -> Transseries:
        """A function at around + v, from its Taylor coefficients and a bound of the next one."""
        if any(grows(self.setting, e) >= 0 for e in self.parts):
            raise NoExpansion("two exponents could not be told apart")
        r = self.small_range()
        n = self.setting.exponentials
        return self.small_series(*taylor_of(n, Range((r.lo + around).lower(), (r.hi + around).upper())))

    # functions

    def raised(self, exponent: Rational) -> Transseries:
        """A rational power; the base must be positive unless the exponent is an integer."""
        if exponent.is_Integer and 0 <= exponent <= 6:
            result = Transseries.constant(self.setting, Integer(1))
            for _ in range(int(exponent)):
                result = result * self
            return result
        if not self.parts and exponent > 0:
            return self
        e, power, c, sign, u, v = self.relative()
        if sign < 0 and not exponent.is_Integer:
            raise NotReal("a fractional power of something negative")
        moved = (power[0] * exponent, power[1] * exponent)
        model = _power_of(u, exponent).times(c**exponent, moved)
        result = Transseries(self.setting, {scaled(e, exponent): model})
        if v.parts:
            result = result * v.small_function(partial(power_taylor, exponent), 1)
        return result

    def log(self) -> Transseries:
        e, power, c, sign, u, v = self.relative()
        if sign < 0:
            raise NotReal("a logarithm of something negative")
        if power[1] != 0:
            raise NoExpansion("an iterated logarithm is outside the scale of powers and logarithms")
        result = PowerModel(self.setting, dict(e))
        result = result + PowerModel(self.setting, {UNIT: sympy.log(c)})
        if power[0] != 0:
            result = result + PowerModel(self.setting, {(ZERO, Rational(1)): -power[0]})
        if u.largest() is not None:
            n = u.terms_needed()
            result = result + u.series(*log_taylor(n, _around_one(u)))
        total = Transseries(self.setting, {NONE: result})
        return total + v.small_function(log_taylor, 1) if v.parts else total

    def split(self) -> tuple[PowerModel, Transseries]:
        """The part without an exponential, and the exponentially small ones."""
        small = {}
        for e, m in self.parts.items():
            if e != NONE:
                if grows(self.setting, e) > 0:
                    raise NoExpansion("a function of an exponential that grows is outside the scale")
                small[e] = m
        return self.plain(), Transseries(self.setting, small)

    def exp(self) -> Transseries:
        plain, small = self.split()
        polar: dict[Power, Expr] = {}
        s_power, regular = ZERO, {}
        for p, c in plain.terms.items():
            if p[0] < 0 or (p[0] == 0 and p[1] > 0 and p[1] != 1):
                polar[p] = c
            elif p == (ZERO, Rational(1)):  # exp(c L) = s^-c
                if not c.is_Rational:
                    raise NoExpansion(f"the power {c} of the variable is not a rational number")
                s_power = -c
            else:
                regular[p] = c
        if plain.rest is not None and key(plain.rest[1]) <= key(UNIT):
            raise Deeper("an exponent is not known up to o(1)")
        model = PowerModel(self.setting, regular, [plain.rest] if plain.rest else [])
        result = Transseries(self.setting, {
            frozenset(polar.items()): analytic(sympy.exp, model).times(Integer(1), (s_power, ZERO))
        })
        if small.parts:
            result = result * small.small_function(partial(taylor, sympy.exp, Integer(0)))
        return result

    def __str__(self) -> str:
        shown = []
        for e, m in self.sorted():
            if not m.terms:
                shown.append("...")
                continue
            inside = " + ".join(_factor(c, p) for p, c in sorted(e, key=lambda i: key(i[0])))
            shown.append(f"exp({inside})*({m})" if e else str(m))
        return " + ".join(shown) or "0"


def _factor(c: Expr, p: Power) -> str:
    log = f"*L^{p[1]}" if p[1] else ""
    front = "" if c == 1 else "-" if c == -1 else f"{c}*"
    return f"{front}s^{p[0]}{log}"


def _sizes(m: PowerModel) -> list[tuple[Power, arb]]:
    found = [(p, m.setting.bound(c)) for p, c in m.terms.items()]
    return [*found, (m.rest[1], m.rest[0])] if m.rest else found


def _around_one(u: PowerModel) -> Range:
    r = u.range()
    return Range((r.lo + 1).lower(), (r.hi + 1).upper())


def _power_of(u: PowerModel, exponent: Rational) -> PowerModel:
    """(1 + u)^exponent."""
    if u.largest() is None:
        return PowerModel.constant(u.setting, Integer(1))
    return u.series(*power_taylor(exponent, u.terms_needed(), _around_one(u)))


def analytic(kind: type, model: PowerModel, values: Range | None = None, *fixed: Expr) -> PowerModel:
    """A function at a model with a finite limit; ``values`` encloses the argument, if known better,
    and ``fixed`` are the arguments before it."""
    if not model.tends_to_zero() and model.largest() != UNIT:
        raise AssertionError("the argument has no finite limit")
    if model.rest is not None and key(model.rest[1]) <= key(UNIT):
        raise Deeper("the limit of an argument is not known")
    centre = model.terms.get(UNIT, Integer(0))
    u = PowerModel(model.setting, {p: c for p, c in model.terms.items() if p != UNIT},
                   [model.rest] if model.rest else [])
    if u.largest() is None:
        return PowerModel.constant(model.setting, kind(*fixed, centre))
    model.setting.range_of(kind(*fixed, centre))  # defined there
    on, at = model.range(), model.setting.range_of(centre)
    if values is not None:
        on = on.meet(values)
    hull = Range(at.lo if at.lo < on.lo else on.lo, at.hi if at.hi > on.hi else on.hi)
    n = u.terms_needed()
    coefficients, last = taylor(kind, centre, n, hull, *((c, model.setting.range_of(c)) for c in fixed))
    if len(coefficients) < n:
        model.setting.ends_early = (f"there are names for the first {len(coefficients) - 1} derivatives of "
                                    f"{kind.__name__} and no further one; ask for a lower order")
    return u.series(coefficients, last)

