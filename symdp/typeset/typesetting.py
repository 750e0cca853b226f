r"""Formulas in LaTeX as a mathematician would write them.

The printer takes factors and terms in the order that :mod:`symdp.typeset.order` finds; what it prints
is the same number, and only amsmath is needed to compile it.

>>> from sympy import exp, log, sqrt
>>> from symdp.formulas.notation import eps, k, slack
>>> print(latex(k * eps * (exp(eps) - 1) + eps * sqrt(2 * k * log(1 / slack))))
k\varepsilon(e^{\varepsilon}-1)+\varepsilon\sqrt{2k\log(1/\tilde{\delta})}
>>> print(latex(k * eps * (exp(eps) - 1) / (exp(eps) + 1)))
k\varepsilon\,\frac{e^{\varepsilon}-1}{e^{\varepsilon}+1}
>>> print(latex(Relation(log(eps), "<", eps - 1), log="ln", epsilon="epsilon"))
\ln\epsilon < \epsilon-1
"""

# ruff: noqa: N802, N815 -- SymPy finds the method for a class by its name.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Any, Literal, TypedDict, Unpack, get_args

import sympy
from sympy import Add, Expr, Indexed, Integer, Mul, Pow, Rational, S, Sum, Symbol
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.printing.latex import LatexPrinter

from symdp.formulas.functions import NAMES, always_bracketed, is_bare, operator
from symdp.formulas.notation import aliases, escaped, exact, symbol_latex
from symdp.formulas.relation import Relation
from symdp.formulas.translation import expr_of
from symdp.typeset.line_breaks import bracket, glue, is_tall, juxtapose, scripts, signs
from symdp.typeset.order import (
    BIG,
    factor_key,
    is_letter,
    is_natural,
    natural_order,
    shared_divisor,
    split_factors,
)

Log = Literal["log", "ln"]
Epsilon = Literal["varepsilon", "epsilon"]
Names = Mapping[Symbol | str, str]


class StyleOptions(TypedDict, total=False):
    """What a caller may choose; the same words as the fields of :class:`Style`."""

    log: Log
    epsilon: Epsilon
    names: Names | None


@dataclass(frozen=True)
class Style:
    r"""The choices on which papers differ.

    >>> Style(log="lg")
    Traceback (most recent call last):
    ...
    ValueError: log='lg' is not a choice; use one of log, ln
    """

    log: Log = "log"
    epsilon: Epsilon = "varepsilon"
    names: Names | None = None

    def __post_init__(self) -> None:
        for field, choices in (("log", get_args(Log)), ("epsilon", get_args(Epsilon))):
            if getattr(self, field) not in choices:
                raise ValueError(f"{field}={getattr(self, field)!r} is not a choice; "
                                 f"use one of {', '.join(choices)}")
        # Keyed by name, so that a symbol and its name are the same key; frozen like the rest.
        own = {aliases.get(str(s), str(s)): tex for s, tex in (self.names or {}).items()}
        object.__setattr__(self, "names", MappingProxyType(own))

    def symbol(self, name: str) -> str:
        """The LaTeX of a symbol: the caller's name for it, else the house's."""
        tex = (self.names or {}).get(name) or symbol_latex(name)
        return tex.replace(r"\varepsilon", rf"\{self.epsilon}")


def latex(obj: object, **options: Unpack[StyleOptions]) -> str:
    r"""The LaTeX of an expression or a relation, without dollar signs.

    >>> from symdp.formulas.notation import x
    >>> print(latex(sympy.exp(-x**2 / 2) / sympy.sqrt(2 * sympy.pi)))
    \frac{e^{-x^{2}/2}}{\sqrt{2\pi}}
    >>> print(latex(x + 1, names={"x": r"\xi"}))
    1+\xi
    """
    printable = obj if isinstance(obj, Relation | Relational) else exact(obj)
    return str(TextbookPrinter(Style(**options)).doprint(printable))


def inline(obj: object, **options: Unpack[StyleOptions]) -> str:
    r"""LaTeX for a line of text.

    >>> inline(Symbol("delta_0") / 2)
    '$\\frac{\\delta_{0}}{2}$'
    """
    return f"${latex(obj, **options)}$"


def display(obj: object, **options: Unpack[StyleOptions]) -> str:
    r"""LaTeX that stands on a line of its own.

    >>> display(Relation(Symbol("k"), ">=", Integer(1)))
    '$$k \\ge 1$$'
    """
    return f"$${latex(obj, **options)}$$"


# --- the printer ----------------------------------------------------------------------------------

_OPERATORS = {"<=": r"\le", "<": "<", ">=": r"\ge", ">": ">", "==": "=", "!=": r"\ne"}
#: Written without brackets around a lone letter, where nothing follows: $\lambda\log\lambda$.
_BARE = tuple(kind for kind, name in NAMES.items() if is_bare(name))
_HEADS = {kind: operator(name) for kind, name in NAMES.items()}
#: End in a closing delimiter, so that an exponent can follow.
_CLOSED = (*(kind for kind, name in NAMES.items() if always_bracketed(name)),
           sympy.Abs, sympy.floor, sympy.ceiling, sympy.binomial, AppliedUndef)


class Room(IntEnum):
    """How much height a formula may take; it only ever gets less on the way down."""

    DISPLAY = 0   # every fraction is built up
    ARGUMENT = 1  # small fractions are on one line: log(1/delta)
    LINE = 2      # all of them are: exponents, and what is inside a fraction


def _is_short_exponent(tex: str) -> bool:
    nested = [script for script in scripts(tex)[1] if script[0] == "^"]
    return signs(tex) <= 16 and not any("^" in script[1:] for script in nested) \
        and "e^{" not in tex and not is_tall(tex)


def _sides(relation: Relation) -> tuple[Expr, Expr]:
    """The sides to be printed: as they were written, where SymPy has made them the same."""
    if relation.written is None or relation.left != relation.right:
        return relation.left, relation.right
    with sympy.evaluate(False):
        return expr_of(relation.written.left), expr_of(relation.written.right)



def _is_big(tex: str) -> bool:
    r"""Whether a name is a sum or a product of others, and would take in what stands behind it.

    >>> _is_big(r"\sum_\ell\varepsilon_\ell"), _is_big(r"\varepsilon")
    (True, False)
    """
    return tex.startswith((r"\sum", r"\prod"))


class TextbookPrinter(LatexPrinter):  # type: ignore[misc]
    """SymPy's LaTeX printer with the habits of the house; what is not named here stays SymPy's."""

    def __init__(self, style: Style | None = None) -> None:
        super().__init__()
        self.style = style or Style()
        self.room = Room.DISPLAY

    @contextmanager
    def at(self, room: Room) -> Iterator[None]:
        """Print with no more room than that."""
        outer, self.room = self.room, max(self.room, room)
        try:
            yield
        finally:
            self.room = outer

    def within(self, room: Room, expr: Expr) -> str:
        with self.at(room):
            return str(self._print(expr))

    # Relations

    def _print_Relation(self, relation: Relation) -> str:
        left, right = (self._print(side) for side in _sides(relation))
        return f"{left} {_OPERATORS[relation.op]} {right}"

    def _print_Relational(self, expr: Any) -> str:
        return f"{self._print(expr.lhs)} {_OPERATORS[expr.rel_op]} {self._print(expr.rhs)}"

    # Atoms

    def _print_Symbol(self, expr: Symbol, style: str = "plain") -> str:
        return self.style.symbol(expr.name)

    def _print_Indexed(self, expr: Indexed) -> str:
        below = ",".join(self.within(Room.LINE, index) for index in expr.indices)
        return f"{self._print(expr.base.label)}_{{{below}}}"

    def _print_Idx(self, expr: Any) -> str:
        return str(self._print(expr.label))

    def _print_Integer(self, expr: Integer) -> str:
        return str(expr)

    def _print_Rational(self, expr: Rational) -> str:
        return self._print_Mul(expr)

    def _print_Float(self, expr: sympy.Float) -> str:
        raise TypeError(f"{expr} is a float; write Rational('{expr}')")

    # Sums of terms

    def _print_Add(self, expr: Add, order: object = None, *, below_power: bool = False) -> str:
        terms = Add.make_args(expr)
        shared = shared_divisor(terms)
        if shared != 1:  # SymPy spread (1+x)/2 over the sum
            return ("-" if shared < 0 else "") + self.quotient(
                [Add(*(term * shared for term in terms))], [abs(shared)])
        tex = ""
        for term in natural_order(terms, below_power=below_power):
            part = self._print(term)
            if isinstance(term, Add):  # only from unevaluated sums
                part = bracket(part)
            tex += part if not tex or part.startswith("-") else f"+{part}"
        return tex

    # Products and fractions

    def _print_Mul(self, expr: Expr) -> str:
        factors = split_factors(expr)
        above, below = (sorted(side, key=factor_key) for side in (factors.above, factors.below))
        return ("-" if factors.negative else "") + self.quotient(above, below)

    def quotient(self, above: list[Expr], below: list[Expr]) -> str:
        if not below:
            return self.product(above)
        if self.room is Room.LINE or (self.room is Room.ARGUMENT and self._is_small(above, below)):
            return self.on_one_line(above, below)
        return self.built_up(above, below)

    def _is_small(self, above: list[Expr], below: list[Expr]) -> bool:
        for side in (above, below):
            tex = self.product(side)
            if signs(tex) > 4 or is_tall(tex) or any(isinstance(f, Add) for f in side):
                return False
        return True

    def on_one_line(self, above: list[Expr], below: list[Expr]) -> str:
        with self.at(Room.LINE):
            bottom = self.product(below)
            return f"{self.product(above, last=False)}/" + (
                bottom if len(below) == 1 else bracket(bottom))

    def built_up(self, above: list[Expr], below: list[Expr]) -> str:
        """A fraction with its bar; what is simple or tall stands beside it, not on it."""
        before, top, after = self.allotted(above, below)
        fraction = rf"\frac{{{self.bar_side(top)}}}{{{self.bar_side(below)}}}"
        parts = [self.factor(f, last=False) for f in before] + [fraction]
        return juxtapose(parts + [self.factor(f, last=f is after[-1]) for f in after])

    def allotted(self, above: list[Expr], below: list[Expr]) -> tuple[list[Expr], ...]:
        """The factors before, on and after the fraction bar."""
        sums = [f for f in above if isinstance(f, Add)]
        simple = [f for f in above if isinstance(f, Integer) or is_letter(f)]
        if len(below) == len(sums) == 1 and isinstance(below[0], Add) \
                and len(simple) == len(above) - 1:
            return simple, sums, []
        if len(above) == 1 and sums:
            return [], above, []
        after = [f for f in above if is_tall(self.factor(f, last=True)) or (
            isinstance(f, sympy.Function) and not isinstance(f, sympy.exp | AppliedUndef)
            and all(isinstance(b, Integer) for b in below))]
        return [], [f for f in above if f not in after], after

    def bar_side(self, factors: list[Expr]) -> str:
        """The numerator or the denominator: a lone sum needs no brackets there."""
        with self.at(Room.LINE):
            return str(self._print(factors[0])) if len(factors) == 1 else self.product(factors)

    def product(self, factors: list[Expr], *, last: bool = True) -> str:
        end = len(factors) - 1
        return juxtapose([self.factor(f, last=last and i == end) for i, f in enumerate(factors)])

    def factor(self, expr: Expr, *, last: bool) -> str:
        """One factor, bracketed if it would otherwise run into its neighbours."""
        function, power = expr.as_base_exp() if isinstance(expr, Pow) else (expr, S.One)
        if isinstance(function, _BARE) and is_natural(power):
            return self.function(function, power, bare=last)
        tex = str(self._print(expr))
        loose = isinstance(expr, Add | Mul | sympy.Piecewise) or tex.startswith("-")
        big = isinstance(expr, BIG) or _is_big(tex)
        return bracket(tex) if loose or (big and not last) else tex

    # Powers

    def _print_Pow(self, expr: Pow) -> str:
        base, power = expr.args
        if power == S.Half:
            return rf"\sqrt{{{self.within(Room.ARGUMENT, base)}}}"
        if split_factors(expr).below:
            return self._print_Mul(expr)
        if isinstance(base, _BARE) and is_natural(power):
            return self.function(base, power)
        return f"{self.base(base)}^{{{self.within(Room.LINE, power)}}}"

    def base(self, expr: Expr) -> str:
        if isinstance(expr, Add):
            return bracket(self._print_Add(expr, below_power=True))
        tex = str(self._print(expr))
        atom = isinstance(expr, Symbol | Indexed) or expr in (S.Pi, S.Exp1) or (
            isinstance(expr, Integer) and expr >= 0)
        # A name may have an exponent already, x^{*}, and TeX stops at a second one.
        free = atom and not _is_big(tex) and not any(script[0] == "^" for script in scripts(tex)[1])
        return tex if free or isinstance(expr, _CLOSED) else bracket(tex)

    def _print_exp(self, expr: Expr) -> str:
        power = self.within(Room.LINE, expr.exp)
        if _is_short_exponent(power):
            return f"e^{{{power}}}"
        return rf"\exp{bracket(self._print(expr.exp))}"

    # Functions

    def _print_Function(self, expr: Expr, exp: object = None) -> str:
        return self.function(expr)

    _print_log = _print_gamma = _print_HyperbolicFunction = _print_TrigonometricFunction = \
        _print_InverseTrigonometricFunction = _print_uppergamma = _print_polygamma = _print_Function

    def function(self, expr: Expr, power: Expr = S.One, *, bare: bool = True) -> str:
        head = self.head(expr) + (f"^{{{self._print(power)}}}" if power != 1 else "")
        tex = ", ".join(self.within(Room.ARGUMENT, arg) for arg in expr.args)
        lone = isinstance(expr, _BARE) and (
            isinstance(expr.args[0], Symbol | Indexed) or is_natural(expr.args[0]))
        if lone and bare and not _is_big(tex):
            return glue(head, tex) if head[-1] == "}" or tex[0] == "\\" else f"{head} {tex}"
        return head + bracket(tex)

    def head(self, expr: Expr) -> str:
        if isinstance(expr, sympy.log):
            return rf"\{self.style.log}"
        if isinstance(expr, sympy.loggamma):
            return rf"\{self.style.log}\Gamma"
        if isinstance(expr, AppliedUndef):
            return self.style.symbol(expr.func.__name__)
        return _HEADS.get(expr.func) or rf"\operatorname{{{escaped(expr.func.__name__)}}}"

    def _print_Abs(self, expr: Expr, exp: object = None) -> str:
        return bracket(self.within(Room.ARGUMENT, expr.args[0]), "|", "|")

    def _print_floor(self, expr: Expr, exp: object = None) -> str:
        return bracket(self.within(Room.ARGUMENT, expr.args[0]), r"\lfloor", r"\rfloor")

    def _print_ceiling(self, expr: Expr, exp: object = None) -> str:
        return bracket(self.within(Room.ARGUMENT, expr.args[0]), r"\lceil", r"\rceil")

    def _print_binomial(self, expr: Expr, exp: object = None) -> str:
        top, bottom = (self.within(Room.LINE, arg) for arg in expr.args)
        return rf"\binom{{{top}}}{{{bottom}}}"

    def _print_Min(self, expr: Expr, exp: object = None) -> str:
        # SymPy keeps the arguments as a set; the simplest first is how papers list them.
        items = sorted((str(self._print(arg)) for arg in expr.args), key=lambda t: (signs(t), t))
        comma = r",\; " if any(map(is_tall, items)) else ", "
        return rf"\{expr.func.__name__.lower()}" + bracket(comma.join(items), r"\{", r"\}")

    _print_Max = _print_Min

    # Big operators

    def _print_Sum(self, expr: Sum) -> str:
        sign = r"\sum" if isinstance(expr, Sum) else r"\prod"
        tex = ""
        for index, low, high in reversed(expr.limits):
            bounds = [self.within(Room.LINE, bound) for bound in (index, low, high)]
            tex += "{}_{{{}={}}}^{{{}}}".format(sign, *bounds)
        body = self._print(expr.function)
        loose = isinstance(expr.function, Add | sympy.Piecewise) or body.startswith("-")
        return tex + (bracket(body) if loose else body)

    _print_Product = _print_Sum
