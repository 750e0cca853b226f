r"""Lines in the plane of the two errors, in the form that differential privacy gives them.

>>> from fractions import Fraction
>>> line = TangentLine.through(height=Fraction(4, 5), slope=Fraction(3))
>>> print(line)
P_FA + 3*P_MD >= 1 - 1/5
>>> line.epsilon, line.delta
(log(3), 1/5)
>>> print(TangentLine.through(height=Fraction(4, 15), slope=Fraction(1, 3)))
3*P_FA + P_MD >= 1 - 1/5
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, log

from symdp.formulas.printing import to_text
from symdp.numbers.exact import Number, expression, number, sign
from symdp.typeset.typesetting import latex


@dataclass(frozen=True)
class TangentLine:
    r"""$P_{\mathrm{FA}} + e^\varepsilon P_{\mathrm{MD}} \geq 1 - \delta$, or with the errors exchanged."""

    ratio: Number  # e^epsilon, at least 1
    shift: Number  # delta; negative for a line that no guarantee gives
    exchanged: bool = False

    @classmethod
    def through(cls, height: Number, slope: Number) -> TangentLine:
        """The line P_FA + slope * P_MD = height, written with an epsilon that is not negative."""
        if sign(slope - 1) >= 0:
            return cls(slope, 1 - height)
        return cls(1 / slope, 1 - height / slope, True)

    @property
    def epsilon(self) -> Expr:
        return log(expression(self.ratio))

    @property
    def delta(self) -> Expr:
        return expression(self.shift)

    def excess(self, missed: Number, false_alarm: Number) -> Number:
        """How far above the line a point is; negative below it."""
        steep, flat = (false_alarm, missed) if self.exchanged else (missed, false_alarm)
        return flat + self.ratio * steep - (1 - self.shift)

    def __str__(self) -> str:
        factor = expression(self.ratio)
        text = to_text(factor)
        sign_ = f"({text})*" if factor.is_Add else "" if factor == 1 else f"{text}*"
        steep, flat = ("P_FA", "P_MD") if self.exchanged else ("P_MD", "P_FA")
        left = f"{sign_}{steep} + {flat}" if self.exchanged else f"{flat} + {sign_}{steep}"
        right = "1" if self.delta == 0 else f"1 - {_bracketed(self.delta)}"
        return f"{left} >= {right}"

    def _repr_latex_(self) -> str:
        factor = expression(self.ratio)
        before = "" if factor == 1 else latex(factor)
        if factor.is_Add:
            before = rf"\left({before}\right)"
        steep, flat = ("FA", "MD") if self.exchanged else ("MD", "FA")
        parts = [f"{before} P_{{\\mathrm{{{steep}}}}}", f"P_{{\\mathrm{{{flat}}}}}"]
        left = " + ".join(parts if self.exchanged else reversed(parts))
        shift = latex(self.delta)
        if self.delta == 0:
            return rf"${left} \geq 1$"
        return rf"${left} \geq 1 - {shift if not self.delta.is_Add else rf'({shift})'}$"


@dataclass(frozen=True)
class SeparatingLine:
    """Why a region is not inside another: one of its points below a line that bounds the other."""

    line: TangentLine
    point: tuple[Expr, Expr]

    @property
    def gap(self) -> Expr:
        """By how much the point misses the line."""
        missed, false_alarm = (number(coordinate) for coordinate in self.point)
        return expression(-self.line.excess(missed, false_alarm))

    def __bool__(self) -> bool:
        return False  # it stands where a map or a yes was asked for

    def __str__(self) -> str:
        missed, false_alarm = (to_text(coordinate) for coordinate in self.point)
        return (f"P_MD = {missed}, P_FA = {false_alarm} is achieved, and violates {self.line} "
                f"by {to_text(self.gap)}")

    def _repr_markdown_(self) -> str:
        missed, false_alarm = (latex(coordinate) for coordinate in self.point)
        return (f"The point $({missed}, {false_alarm})$ lies below {self.line._repr_latex_()}, "
                f"by ${latex(self.gap)}$.")


def _bracketed(expr: Expr) -> str:
    text = to_text(expr)
    return f"({text})" if expr.is_Add or text.startswith("-") else text
