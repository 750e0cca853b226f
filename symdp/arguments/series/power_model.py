r"""Sums of powers and logarithms with a rest that is bounded on the whole neighbourhood.

A :class:`PowerModel` says of a function $f$ that
$f(s) = \sum c_{ab}\, s^a L^b + \rho(s)\, s^A L^B$ with $|\rho(s)| \le R$ for every $0 < s \le r$
and all parameters, where $L = \log(1/s)$. The coefficients are exact; $R$ is rounded up.
Arithmetic on models follows the algebra and puts whatever is cut off into the rest.

>>> from symdp.arguments.series.neighbourhood import Setting
>>> here = Setting(Rational(1, 2), depth=3)
>>> s = PowerModel(here, {(Rational(1), Rational(0)): Integer(1)})
>>> print(s * s + s)
1*s^1 + 1*s^2
>>> long = s * s * s * s + s
>>> print(long)  # s^4 is beyond the depth, and s^4 <= r^0 s^4
1*s^1 + [-1, 1]*s^4
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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
from symdp.kernel.values.ranges import Range, add, mul

ZERO = Rational(0)
UNIT: Power = (ZERO, ZERO)
#: A bound R and the power s^A L^B that it belongs to.
Rest = tuple[arb, Power]


def combined(p: Power, q: Power) -> Power:
    return p[0] + q[0], p[1] + q[1]


class PowerModel:
    """Terms and rest; see the module."""

    __slots__ = ("rest", "setting", "terms")

    def __init__(
        self, setting: Setting, terms: Mapping[Power, Expr], rests: Iterable[Rest] = ()
    ) -> None:
        self.setting = setting
        kept = {p: c for p, c in sorted(terms.items(), key=lambda t: key(t[0])) if c != 0}
        if any(p[1] != 0 for p in kept):
            setting.need_logs()
        small = [(bound, p) for bound, p in rests if not bound.is_zero()]
        if kept:
            first = next(iter(kept))
            for p in [p for p in kept if self._is_beyond(p, first)]:
                small.append((setting.bound(kept.pop(p)), p))
        self.terms: dict[Power, Expr] = kept
        self.rest: Rest | None = None
        if small:
            largest = min((p for _, p in small), key=key)
            small += [(setting.bound(kept.pop(p)), p)
                      for p in [p for p in kept if key(p) >= key(largest)]]
            total = arb(0)
            for bound, p in small:
                total += bound * setting.sup(p[0] - largest[0], p[1] - largest[1])
            if not total.is_finite():
                raise Narrower("a remainder has no bound")
            self.rest = total.upper(), largest

    def _is_beyond(self, p: Power, first: Power) -> bool:
        if p[0] >= first[0] + self.setting.depth:
            return True
        return bool(p[0] == first[0] and p[1] <= first[1] - self.setting.logs)

    @classmethod
    def constant(cls, setting: Setting, c: Expr) -> PowerModel:
        return cls(setting, {UNIT: c})

    @property
    def is_zero(self) -> bool:
        return not self.terms and self.rest is None

    def __add__(self, other: PowerModel) -> PowerModel:
        terms = dict(self.terms)
        for p, c in other.terms.items():
            terms[p] = tidy(terms[p] + c) if p in terms else c
        return PowerModel(self.setting, terms, [m.rest for m in (self, other) if m.rest])

    def __neg__(self) -> PowerModel:
        return self.times(Integer(-1))

    def __sub__(self, other: PowerModel) -> PowerModel:
        return self + -other

    def times(self, c: Expr, shift: Power = UNIT) -> PowerModel:
        """c s^a L^b times the model."""
        terms = {combined(p, shift): tidy(c * d) for p, d in self.terms.items()}
        if self.rest is None:
            return PowerModel(self.setting, terms)
        bound, p = self.rest
        return PowerModel(
            self.setting, terms, [((bound * self.setting.bound(c)).upper(), combined(p, shift))]
        )

    def __mul__(self, other: PowerModel) -> PowerModel:
        terms: dict[Power, Expr] = {}
        for p, c in self.terms.items():
            for q, d in other.terms.items():
                pq = combined(p, q)
                terms[pq] = terms[pq] + c * d if pq in terms else c * d
        terms = {p: tidy(c) for p, c in terms.items()}
        rests: list[Rest] = []
        for one, two in ((self, other), (other, self)):
            if one.rest is not None:
                bound, p = one.rest
                rests += [((bound * self.setting.bound(d)).upper(), combined(p, q))
                          for q, d in two.terms.items()]
        if self.rest is not None and other.rest is not None:
            rests.append(((self.rest[0] * other.rest[0]).upper(),
                          combined(self.rest[1], other.rest[1])))
        return PowerModel(self.setting, terms, rests)

    # sizes

    def largest(self) -> Power | None:
        """The largest power that occurs, in the terms or as the rest."""
        powers = [*self.terms, *([self.rest[1]] if self.rest else [])]
        return min(powers, key=key) if powers else None

    def bound_by(self, power: Power) -> arb:
        """K with |f| <= K s^a L^b on (0, r]; no part may be larger than that power."""
        total = arb(0)
        for p, c in self.terms.items():
            total += self.setting.bound(c) * self.setting.sup(p[0] - power[0], p[1] - power[1])
        if self.rest is not None:
            bound, p = self.rest
            total += bound * self.setting.sup(p[0] - power[0], p[1] - power[1])
        return total.upper()

    def tends_to_zero(self) -> bool:
        p = self.largest()
        return p is None or key(p) > key(UNIT)

    def range(self) -> Range:
        """The values on (0, r], if they are bounded."""
        total = Range(arb(0), arb(0))
        for p, c in self.terms.items():
            size = Range(arb(1), arb(1)) if p == UNIT else Range(arb(0), self.setting.sup(*p))
            total = add(total, mul(self.setting.range_of(c), size))
        if self.rest is not None:
            bound, p = self.rest
            size_of_rest = (bound * self.setting.sup(*p)).upper()
            total = add(total, Range((-size_of_rest).lower(), size_of_rest))
        return total

    def lead(self) -> tuple[Power, Expr, int]:
        """The leading power, its coefficient and the sign of that; zeros before it are dropped."""
        for p, c in list(self.terms.items()):
            sign = self.setting.sign(c)
            if sign is None:
                raise NoExpansion(
                    f"cannot tell the sign of the leading coefficient {c}"
                    + (f" over {self.setting.parameters}" if self.setting.parameters.variables else "")
                )
            if sign:
                return p, c, sign
            del self.terms[p]
        raise Deeper("no leading term") if self.rest is not None else NotReal("division by zero")

    def relative(self) -> tuple[Power, Expr, int, PowerModel]:
        """f = c s^a L^b (1 + u): the power, c, its sign, and u."""
        power, c, sign = self.lead()
        others = {p: d for p, d in self.terms.items() if p != power}
        down = (-power[0], -power[1])
        u = PowerModel(self.setting, others, [self.rest] if self.rest else []).times(1 / c, down)
        if not u.tends_to_zero():
            raise Deeper("the remainder is as large as the leading term")
        return power, c, sign, u

    # composition

    def series(self, coefficients: Sequence[Expr], last: arb) -> PowerModel:
        """c_0 + c_1 f + ... + c_{n-1} f^{n-1} + rest, with |rest| <= last |f|^n; f tends to 0."""
        result = PowerModel.constant(self.setting, coefficients[-1])
        for c in reversed(coefficients[:-1]):
            result = result * self + PowerModel.constant(self.setting, c)
        power = self.largest()
        if power is None:
            return result
        n = len(coefficients)
        bound = (last * self.bound_by(power) ** n).upper()
        if not bound.is_finite():
            raise Narrower("the remainder of a composition has no bound")
        return result + PowerModel(self.setting, {}, [(bound, (n * power[0], n * power[1]))])

    def terms_needed(self) -> int:
        """How many powers of f reach the depth of the setting."""
        power = self.largest()
        if power is None:
            return 1
        if power[0] == 0:
            return max(2, -int(-self.setting.logs // -power[1]))
        return max(2, -int(-self.setting.depth // power[0]))

    def __str__(self) -> str:
        parts = [str(c) if p == UNIT else f"{c}*{_name(p)}" for p, c in self.terms.items()]
        if self.rest is not None:
            bound, p = self.rest
            size = f"{float(bound.mid()):.8g}"
            parts.append(f"[-{size}, {size}]*{_name(p)}")
        return " + ".join(parts) or "0"


def _name(p: Power) -> str:
    return "*".join(filter(None, [f"s^{p[0]}" if p[0] else "", f"L^{p[1]}" if p[1] else ""])) or "1"
