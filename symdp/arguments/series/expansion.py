r"""An expansion with a certified remainder: terms, and a bound that holds at every nearby point.

>>> from sympy import Integer, Rational
>>> from symdp.formulas.notation import eps
>>> f = Expansion(sympy.exp(eps), eps, Integer(0), "+", 2, (Integer(1), eps), eps**2,
...               Rational(3, 4), Rational(1))
>>> print(f)
exp(eps) = 1 + eps + R, |R| <= 3/4*eps^2 for 0 < eps <= 1
>>> print(f.latex().replace(r"\quad", "\n"))
e^{\varepsilon} = 1+\varepsilon+R,
 |R| \le \frac{3}{4}\,\varepsilon^{2}
\text{for } 0<\varepsilon\le 1
>>> len(f.check_at([Rational(1, 2), Rational(1, 10)]))
2
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Expr, Rational, Symbol, oo

import symdp
from symdp.formulas.notation import exact
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Relation
from symdp.kernel.values.ranges import Range, magnitude, precision
from symdp.numbers.domain import Domain
from symdp.numbers.ranges import Tape, enclose_constant
from symdp.search.view.identity import identical
from symdp.typeset.prose import domain_latex
from symdp.typeset.typesetting import latex

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Refuted(AssertionError):
    """A remainder bound was seen to fail at a point: a bug, never a result."""


@dataclass(frozen=True, repr=False)
class Expansion:
    """``expr = terms + R`` with ``|R| <= constant*|scale|`` for all points closer than ``radius``.

    Closer means ``0 < |variable - at| <= radius`` (on the stated side), and ``variable >= 1/radius``
    at infinity; it holds for all values of the parameters. An exact expansion has scale 0.
    """

    expr: Expr
    variable: Symbol
    at: Expr
    #: "+", "-" or "+-" at a finite point
    side: str
    order: int
    terms: tuple[Expr, ...]
    scale: Expr
    constant: Expr
    radius: Rational
    parameters: Domain = field(default_factory=lambda: Domain({}))

    @property
    def sum(self) -> Expr:
        return sympy.Add(*self.terms)

    @property
    def is_exact(self) -> bool:
        return bool(self.constant == 0)

    @property
    def remainder(self) -> Expr:
        """The bound of |R|."""
        return self.constant * self.scale

    def where(self) -> tuple[Relation, ...]:
        """The neighbourhood, as relations."""
        v, r = self.variable, self.radius
        if self.at == oo:
            return (Relation(v, ">=", 1 / r),)
        if self.at == -oo:
            return (Relation(v, "<=", -1 / r),)
        if self.side == "+":
            return Relation(v, ">", self.at), Relation(v, "<=", self.at + r)
        if self.side == "-":
            return Relation(v, ">=", self.at - r), Relation(v, "<", self.at)
        return Relation(v, ">=", self.at - r), Relation(v, "<=", self.at + r)

    def contains(self, point: Expr) -> bool:
        """Whether the expansion speaks of that point."""
        if point == self.at:
            return False
        return all(Domain.of([r]).contains({self.variable: point}) for r in self.where())

    # evidence

    def check_at(
        self, points: Iterable[object], parameters: Mapping[Symbol, Expr] | None = None,
        bits: int = 700,
    ) -> list[Range]:
        """|R| enclosed at exact points, each seen to be at most the bound of the remainder.

        Raises Refuted where the bound is seen to fail, which would be a bug.
        """
        values = {v: exact(value) for v, value in (parameters or {}).items()}
        tapes = [Tape(e, [*values, self.variable]) for e in (self.expr - self.sum, self.remainder)]
        found = []
        for given in points:
            point = exact(given)
            if not self.contains(point):
                raise ValueError(f"{self.variable} = {point} is not where the expansion holds")
            found.append(self._checked(point, [*values.values(), point], tapes, bits))
        return found

    def _checked(self, point: Expr, at: list[Expr], tapes: list[Tape], bits: int) -> Range:
        for most in (bits, 4 * bits, 16 * bits):
            # The point is enclosed as sharply as everything else.
            box = [enclose_constant(value, most) for value in at]
            with precision(most):
                gap, allowed = (magnitude(tape(box)) for tape in tapes)
            if gap.lo > allowed.hi:
                raise Refuted(f"at {self.variable} = {point} the remainder is {gap}, not {allowed}")
            if gap.hi <= allowed.lo or (self.is_exact and gap.lo == 0):
                return gap
        values = dict(zip(tapes[0].variables, at, strict=True))
        rest, bound = (e.subs(values) for e in (self.expr - self.sum, self.remainder))
        if identical(rest, bound) or identical(rest, -bound):  # the bound is attained
            return gap
        raise ArithmeticError(f"{16 * bits} bits do not tell at {self.variable} = {point}")

    # display

    def __repr__(self) -> str:
        return f"<Expansion {self}>"

    def __str__(self) -> str:
        return f"{to_text(self.expr)} = {self.right_side()}"

    def right_side(self) -> str:
        """What the expression is: the terms, the bound of what is left, and where that holds."""
        terms = _sum_text(self.terms)
        domain = self._domain_text()
        if self.is_exact:
            return f"{terms} exactly, for {domain}"
        constant, scale = _factor_text(self.constant), _factor_text(self.scale)
        bound = scale if self.constant == 1 else f"{constant}*{scale}"
        return f"{terms} + R, |R| <= {bound} for {domain}"

    def _domain_text(self) -> str:
        v, r = to_text(self.variable), to_text(self.radius)
        if self.at in (oo, -oo):
            text = f"{v} >= {to_text(1 / self.radius)}" if self.at == oo else (
                f"{v} <= {to_text(-1 / self.radius)}")
        else:
            step = {"+": v if self.at == 0 else f"{v} - {_bracketed(to_text(self.at))}",
                    "-": f"-{v}" if self.at == 0 else f"{to_text(self.at)} - {v}"}
            step["+-"] = f"|{step['+']}|"
            text = f"0 < {step[self.side]} <= {r}"
        return f"{text}; {self.parameters}" if self.parameters.variables else text

    def latex(self, **style: Any) -> str:
        """Terms, remainder and neighbourhood, without dollar signs."""
        left = latex(self.expr, **style)
        total = _sum_latex(self.terms, style)
        places = [self._domain_latex(style), *domain_latex(self.parameters, **style)]
        domain = r"\quad\text{for } " + r",\ ".join(places)
        if self.is_exact:
            return f"{left} = {total}{domain}"
        scale, constant = latex(self.scale, **style), latex(self.constant, **style)
        if self.constant.is_Add:
            constant = rf"\left({constant}\right)"
        if self.scale.is_Add or self.scale.could_extract_minus_sign():
            scale = f"({scale})"
        bound = scale if self.constant == 1 else rf"{constant}\,{scale}"
        return rf"{left} = {total}+R,\quad |R| \le {bound}{domain}"

    def _domain_latex(self, style: dict[str, Any]) -> str:
        v, r = latex(self.variable, **style), self.radius
        if self.at in (oo, -oo):
            end, sign = (1 / r, r"\ge") if self.at == oo else (-1 / r, r"\le")
            return rf"{v}{sign} {latex(end, **style)}"
        forward = latex(self.variable - self.at, **style)
        step = {"+": forward, "-": latex(self.at - self.variable, **style), "+-": f"|{forward}|"}
        return rf"0<{step[self.side]}\le {latex(r, **style)}"

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex()}$"

    def as_json(self) -> dict[str, Any]:
        return {
            "expression": to_text(self.expr),
            "variable": str(self.variable),
            "at": str(self.at),
            "side": self.side if self.at not in (oo, -oo) else None,
            "order": self.order,
            "terms": [to_text(t) for t in self.terms],
            "exact": self.is_exact,
            "constant": to_text(self.constant),
            "scale": to_text(self.scale),
            "radius": to_text(self.radius),
            "domain": self._domain_text(),
            "latex": self.latex(),
        }

    def plot(self, ax: Axes | None = None, **how: Any) -> Axes:
        """The truth, the terms, and the band in which the remainder keeps the truth."""
        axes: Axes = symdp.plot_expansion(self, ax, **how)
        return axes


def _factor_text(e: Expr) -> str:
    text = to_text(e)
    return f"({text})" if e.is_Add or text.startswith("-") else text


def _bracketed(text: str) -> str:
    return f"({text})" if " " in text or text.startswith("-") else text


def _sum_text(terms: tuple[Expr, ...]) -> str:
    if not terms:
        return "0"
    text = to_text(terms[0])
    for t in terms[1:]:
        part = to_text(t)
        if t.is_Add:
            part = f"({part})"
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text


def _sum_latex(terms: tuple[Expr, ...], style: dict[str, Any]) -> str:
    if not terms:
        return "0"
    text = latex(terms[0], **style)
    for t in terms[1:]:
        part = latex(t, **style)
        text += part if part.startswith("-") else f"+{part}"
    return text


