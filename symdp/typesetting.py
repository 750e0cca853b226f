r"""Formulas in LaTeX as a mathematician would write them.

SymPy sorts factors and terms for the machine and stores $\sqrt{2k}$ as $\sqrt2\sqrt k$. The printer
here undoes both; what it prints is the same number, and only amsmath is needed to compile it.

>>> from sympy import exp, log, sqrt
>>> from symdp.notation import eps, k, slack
>>> print(latex(k * eps * (exp(eps) - 1) + eps * sqrt(2 * k * log(1 / slack))))
k\varepsilon(e^{\varepsilon}-1)+\varepsilon\sqrt{2k\log(1/\tilde{\delta})}
>>> print(latex(k * eps * (exp(eps) - 1) / (exp(eps) + 1)))
k\varepsilon\,\frac{e^{\varepsilon}-1}{e^{\varepsilon}+1}
>>> print(latex(Relation(log(eps), "<", eps - 1), log="ln", epsilon="epsilon"))
\ln\epsilon < \epsilon-1

Roots are merged, $\sqrt a\sqrt b=\sqrt{ab}$, under the house's reading of a formula: it is real, so
under each of its roots stands something that is not negative where the formula is used. A positive
number may join any root; a radicand that wears a minus sign joins nothing but numbers, because
$\sqrt{-x}\sqrt{-y}=\sqrt{xy}$ would hide for which $x$ the formula has a meaning.
"""

# ruff: noqa: N802, N815 -- SymPy finds the method for a class by its name.

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from math import gcd
from types import MappingProxyType
from typing import Any, Literal, TypedDict, Unpack, get_args

import sympy
from sympy import Add, Expr, Indexed, Integer, Mul, Pow, Product, Rational, S, Sum, Symbol
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.printing.latex import LatexPrinter

from symdp.notation import GREEK, Phi, aliases, latex_names
from symdp.relation import Relation, exact

Log = Literal["log", "ln"]
Epsilon = Literal["varepsilon", "epsilon"]
Names = Mapping[Symbol | str, str]


class Options(TypedDict, total=False):
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


def latex(obj: object, **options: Unpack[Options]) -> str:
    r"""The LaTeX of an expression or a relation, without dollar signs.

    >>> from symdp.notation import x
    >>> print(latex(sympy.exp(-x**2 / 2) / sympy.sqrt(2 * sympy.pi)))
    \frac{e^{-x^{2}/2}}{\sqrt{2\pi}}
    >>> print(latex(x + 1, names={"x": r"\xi"}))
    1+\xi
    """
    printable = obj if isinstance(obj, Relation | Relational) else exact(obj)
    return str(TextbookPrinter(Style(**options)).doprint(printable))


def inline(obj: object, **options: Unpack[Options]) -> str:
    r"""LaTeX for a line of text.

    >>> inline(Symbol("delta_0") / 2)
    '$\\frac{\\delta_{0}}{2}$'
    """
    return f"${latex(obj, **options)}$"


def display(obj: object, **options: Unpack[Options]) -> str:
    r"""LaTeX that stands on a line of its own.

    >>> display(Relation(Symbol("k"), ">=", Integer(1)))
    '$$k \\ge 1$$'
    """
    return f"$${latex(obj, **options)}$$"


# -- Names ----------------------------------------------------------------------------------------

_CAPITALS = re.findall(r"\w+", "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega")
_ACCENTS = {"tilde": r"\tilde{%s}", "hat": r"\hat{%s}", "bar": r"\bar{%s}", "prime": "%s'",
            "star": "%s^{*}"}


def symbol_latex(name: str) -> str:
    r"""The house's LaTeX for a symbol's name: Greek letters, accents, subscripts.

    >>> [symbol_latex(n) for n in ("eps_0", "x1", "delta_tilde_i", "slope")]
    ['\\varepsilon_{0}', 'x_{1}', '\\tilde{\\delta}_{i}', '\\mathit{slope}']
    """
    if name in latex_names or name.startswith("\\"):
        return latex_names.get(name, name)
    # Only the digits after a letter are a subscript by themselves: x1, not x_12 twice.
    first, *others = [part for part in re.sub(r"([^\W\d_])(\d+)$", r"\1_\2", name).split("_")
                      if part] or [name]
    tex = _letter(first, r"\mathit{%s}")
    for accent in (part for part in others if part in _ACCENTS):
        tex = _ACCENTS[accent] % tex
    below = ",".join(_letter(part, r"\mathrm{%s}") for part in others if part not in _ACCENTS)
    return f"{tex}_{{{below}}}" if below else tex


def _letter(word: str, roman: str) -> str:
    """One letter or number; a longer word is set by the template, lest it look like a product."""
    bare = word.rstrip("'")
    known = aliases.get(bare, bare)
    if known in latex_names:
        tex = latex_names[known]
    elif known in ("l", "ell"):  # a slanted l is too near to 1
        tex = r"\ell"
    elif known in GREEK or known in _CAPITALS:
        tex = "o" if known == "omicron" else f"\\{known}"
    elif len(bare) == 1 or bare.isdigit():
        tex = _escaped(bare)
    else:
        tex = roman % _escaped(bare)
    return tex + word[len(bare):]


def _escaped(text: str) -> str:
    return re.sub(r"([#$%&_{}])", r"\\\1", re.sub(r"[\\^~]", "", text))


# -- Factors --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Factors:
    """A product taken apart for printing; its value is that of the product."""

    negative: bool
    above: tuple[Expr, ...]
    below: tuple[Expr, ...]

    @property
    def value(self) -> Expr:
        sign = S.NegativeOne if self.negative else S.One
        return sign * Mul(*self.above) / Mul(*self.below)


def split_factors(expr: Expr) -> Factors:
    """What stands above and below the fraction bar, each side with at most one merged root.

    >>> from symdp.notation import k, x
    >>> split_factors(-sympy.sqrt(2 * k) * sympy.sqrt(x) / 3)
    Factors(negative=True, above=(sqrt(2*k*x),), below=(3,))
    >>> split_factors(sympy.sqrt(2) / (2 * sympy.sqrt(sympy.pi)))
    Factors(negative=False, above=(), below=(sqrt(2*pi),))
    """
    number = under_above = under_below = S.One
    above: list[Expr] = []
    below: list[Expr] = []
    roots_above: list[Expr] = []
    roots_below: list[Expr] = []
    for factor in _flat(expr):
        base, power = factor.as_base_exp() if isinstance(factor, Pow) else (factor, S.One)
        if isinstance(factor, Rational):
            number *= factor
        elif power == S.Half and isinstance(base, Integer) and base > 0:
            under_above *= base
        elif power == -S.Half and isinstance(base, Integer) and base > 0:
            under_below *= base
        elif abs(power) == S.Half:
            (roots_above if power > 0 else roots_below).append(base)
        elif is_negated(power) and (power.is_Rational or not base.is_number):
            below.append(Pow(base, -power))
        else:
            above.append(factor)
    # 1/sqrt(2) arrives as sqrt(2)/2: what divides both goes back under the bar, the root with it.
    shared = Integer(gcd(int(under_above), int(number.q)))
    if shared == under_above:
        number, under_above, under_below = number * shared, S.One, under_below * shared
    if roots_above and not roots_below:
        under_above, under_below = under_above / under_below, S.One
    above += merged_roots(under_above, roots_above)
    below += merged_roots(under_below, roots_below)
    p, q = Integer(abs(number.p)), Integer(number.q)
    return Factors(bool(number < 0),
                   (*((p,) if p != 1 else ()), *above), (*((q,) if q != 1 else ()), *below))


def merged_roots(number: Rational, radicands: Sequence[Expr]) -> list[Expr]:
    """The product of the roots of a positive number and of the radicands, in few roots.

    A radicand shared by two roots is left alone: sqrt(x)*sqrt(x*y) is not a square under a root.

    >>> x, y = sympy.symbols("x y")
    >>> merged_roots(Integer(2), [x, y]), merged_roots(Integer(1), [-x, y])
    ([sqrt(2*x*y)], [sqrt(y), sqrt(-x)])
    """
    joined: list[Expr] = []
    alone: list[Expr] = []
    for radicand in radicands:
        parts = _flat(radicand)
        bases = {part.as_base_exp()[0] for part in parts}
        taken = {part.as_base_exp()[0] for part in joined}
        if is_negated(radicand) or bases & taken:
            alone.append(radicand)
        else:
            joined += parts
    if not joined and alone and number != 1:
        joined = _flat(alone.pop(0))
    numbers = [part for part in joined if isinstance(part, Rational)]
    rest = [part for part in joined if not isinstance(part, Rational)]
    coefficient = Mul(number, *numbers)
    whole = ([] if coefficient == 1 and rest else [coefficient]) + rest
    roots = [] if whole == [S.One] else [whole]
    return [_root(parts) for parts in [*roots, *([radicand] for radicand in alone)]]


def _root(parts: Sequence[Expr]) -> Expr:
    # Unevaluated, or SymPy would pull the number out again (and spread it over a sum).
    radicand = parts[0] if len(parts) == 1 else Mul(*parts, evaluate=False)
    return Pow(radicand, S.Half, evaluate=False)


def _flat(expr: Expr) -> list[Expr]:
    if not isinstance(expr, Mul):
        return [expr]
    return [factor for arg in expr.args for factor in _flat(arg)]


def is_negated(expr: Expr) -> bool:
    """Whether every term of the expression wears a minus sign.

    >>> x, y = sympy.symbols("x y")
    >>> is_negated(-2 * x), is_negated(-x - y), is_negated(x - y)
    (True, True, False)
    """
    return all(Mul(*(f for f in _flat(term) if f.is_Rational)) < 0 for term in Add.make_args(expr))


# -- Order ----------------------------------------------------------------------------------------

_SYMBOLIC = (Symbol, Indexed, AppliedUndef)
_BIG = (Sum, Product, sympy.Integral, sympy.Derivative, sympy.Limit)


def symbol_rank(name: str) -> tuple[int, bool, str]:
    """The place of a letter in a product: counts, parameters, Greek letters, then variables.

    >>> sorted(["x", "eps", "lam", "p", "k"], key=symbol_rank)
    ['k', 'p', 'lam', 'eps', 'x']
    """
    name = re.sub(r"^ell(?![a-z])", "l", name)
    stem = name.split("_")[0].rstrip("0123456789'")
    if stem in tuple("ijklmnN"):
        kind = 1
    elif len(stem) == 1 and stem.isalpha() and stem < "t":
        kind = 2
    else:
        kind = 4 if len(stem) == 1 else 3
    return kind, stem != "lam", name


def _rank(expr: Expr) -> tuple[int, bool, str]:
    name = expr.base.label if isinstance(expr, Indexed) else getattr(expr, "func", expr)
    return symbol_rank(str(expr if isinstance(expr, Symbol) else name))


def _letters(expr: Expr) -> list[tuple[int, bool, str]]:
    return sorted(_rank(symbol) for symbol in expr.free_symbols if isinstance(symbol, Symbol))


def factor_key(factor: Expr) -> tuple[Any, ...]:
    r"""Where a factor stands in its product.

    Number, binomial, symbols, bracketed sums, exponentials, functions, roots, big operators. A sum
    of earlier letters is a coefficient and comes before a later one: $(k-2i)\varepsilon$.
    """
    base, power = factor.as_base_exp() if isinstance(factor, Pow) else (factor, S.One)
    tie = str(factor)
    if isinstance(base, Rational):
        return (0 if power == 1 else 7 if power == S.Half else 0.5, tie)
    if power == S.Half:
        return 7, tie
    if base in (S.Pi, S.Exp1, S.ImaginaryUnit):
        return 1, base is not S.Pi, tie
    if isinstance(base, sympy.binomial):
        return 2, tie
    if isinstance(base, _SYMBOLIC):
        kind, *rest = _rank(base)
        return 3, kind, tuple(rest), tie
    if isinstance(base, _BIG):
        return 8, tie
    if isinstance(base, Add):
        letters = _letters(base)
        if letters and not base.has(sympy.Function):
            return 3, letters[-1][0] + 0.5, (), str(letters), tie
        return 4, tie
    return 5 if isinstance(base, sympy.exp) else 6, tie


def _depth(term: Expr) -> int:
    """How much happens in a term: a constant, a polynomial, exponentials, functions, roots."""
    if term in (S.Exp1, S.Pi):
        return 0
    powers = term.atoms(Pow)
    if any(not p.exp.is_Integer and p.exp.is_Rational for p in powers):
        return 4
    functions = {f for f in term.atoms(sympy.Function) if not isinstance(f, AppliedUndef)}
    if any(not isinstance(f, sympy.exp) for f in functions):
        return 3
    return 2 if functions or term.has(Sum, Product) or any(not p.exp.is_Integer for p in powers) \
        else 1


def _degree(term: Expr) -> int:
    pairs = (factor.as_base_exp() for factor in _flat(term) if not isinstance(factor, sympy.exp))
    return sum(int(power) for base, power in pairs
               if isinstance(base, _SYMBOLIC) and power.is_Integer)


def natural_order(terms: Sequence[Expr], *, below_power: bool = False) -> list[Expr]:
    r"""The terms of a sum in the order of a paper, a positive one first if there is one.

    $1+x$ and $1-\delta$, but $k+1$, $\lambda+1$ and $e^\varepsilon+1$; $(1+e^\varepsilon)^k$ again.

    >>> x, k = sympy.symbols("x k")
    >>> natural_order([x, 1, x**2]), natural_order([x, -1, x**2]), natural_order([1, k])
    ([1, x, x**2], [x**2, x, -1], [k, 1])
    """
    terms = [sympy.sympify(term) for term in terms]
    numbers = [term for term in terms if isinstance(term, Rational)]
    others = sorted((t for t in terms if not isinstance(t, Rational)), key=_term_key)
    last = not numbers or numbers[0] < 0 or _ends_in_number(others, below_power)
    if not last:
        others.sort(key=lambda term: (_depth(term), _degree(term)))
    ordered = others + numbers if last else numbers + others
    first = next((term for term in ordered if not is_negated(term)), ordered[0])
    ordered.remove(first)
    return [first, *ordered]


def shared_divisor(terms: Sequence[Expr]) -> Integer:
    """The denominator that all terms have in common, negative if all of them are.

    >>> x = Symbol("x")
    >>> shared_divisor([x / 2, sympy.S(1) / 2]), shared_divisor([x / 2, x**2])
    (2, 1)
    """
    numbers = [Mul(*(f for f in _flat(term) if isinstance(f, Rational))) for term in terms]
    divisor = numbers[0].q
    rooted = any(f.is_Pow and f.base.is_Integer for term in terms for f in _flat(term))
    if rooted or divisor == 1 or any(number.q != divisor for number in numbers):
        return S.One
    return Integer(-divisor if all(number < 0 for number in numbers) else divisor)


def _term_key(term: Expr) -> tuple[Any, ...]:
    """Polynomials by falling degree, then by letters; the rest growing terms first, then short."""
    depth, text = _depth(term), str(term)
    if depth <= 1:
        return depth, -_degree(term), _letters(term), text
    decays = any(isinstance(f, sympy.exp) and is_negated(f.exp) for f in _flat(term))
    return depth, decays, len(text), text


def _ends_in_number(others: Sequence[Expr], below_power: bool) -> bool:
    lead = next((term for term in others if not is_negated(term)), None)
    if lead is None:
        return False
    if isinstance(lead, sympy.exp):
        return not below_power and not is_negated(lead.exp)
    letters = _letters(lead)
    return _depth(lead) == 1 and bool(letters) and all(
        kind == 1 or name.split("_")[0] in ("lam", "alpha") for kind, _, name in letters)


# -- Shape of the printed text --------------------------------------------------------------------


class Room(IntEnum):
    """How much height a formula may take; it only ever gets less on the way down."""

    DISPLAY = 0   # every fraction is built up
    ARGUMENT = 1  # small fractions are on one line: log(1/delta)
    LINE = 2      # all of them are: exponents, and what is inside a fraction


def width(tex: str) -> int:
    r"""About how many signs a reader sees.

    >>> width(r"\frac{1}{\tilde{\delta}}"), width(r"\log(1/\sqrt{k})")
    (2, 8)
    """
    text = re.sub(r"\\(frac|tilde|hat|bar|left|right|mathrm|mathit|operatorname|,|;)", "", tex)
    text = re.sub(r"\\sqrt", "**", text)
    return len(re.sub(r"[{}^_\s]", "", re.sub(r"\\[A-Za-z]+|\\.", "*", text)))


def _scripts(tex: str) -> tuple[str, list[str]]:
    """The text without its exponents and indices, and these."""
    kept, scripts, i = [], [], 0
    while i < len(tex):
        if tex[i] in "^_" and tex[i + 1:i + 2] == "{" and tex[i - 1:i] != "\\":
            depth, j = 1, i + 2
            while j < len(tex) and depth:
                depth += {"{": 1, "}": -1}.get(tex[j], 0) if tex[j - 1] != "\\" else 0
                j += 1
            scripts.append(tex[i:j])
            kept.append("{}")  # or \sum_{i}x would become a command of its own
            i = j
        else:
            kept.append(tex[i])
            i += 1
    return "".join(kept), scripts


def is_tall(tex: str) -> bool:
    """Whether plain brackets would look too small around the text."""
    return bool(re.search(r"\\(frac|binom|sum|prod|int|left|begin)(?![A-Za-z])", _scripts(tex)[0]))


def _is_short_exponent(tex: str) -> bool:
    nested = [script for script in _scripts(tex)[1] if script[0] == "^"]
    return width(tex) <= 16 and not any("^" in script[1:] for script in nested) \
        and "e^{" not in tex and not is_tall(tex)


def bracket(tex: str, left: str = "(", right: str = ")") -> str:
    r"""Brackets of the right size.

    >>> bracket("1+x"), bracket(r"\frac{1}{2}")
    ('(1+x)', '\\left(\\frac{1}{2}\\right)')
    """
    if is_tall(tex):
        left, right = rf"\left{left}", rf"\right{right}"
    return _glue(_glue(left, tex), right)


def juxtapose(parts: Sequence[str]) -> str:
    r"""A product: a dot between digits, a little air where signs would run together.

    >>> juxtapose([r"\lambda", "x"]), juxtapose(["2", "3^{x}"]), juxtapose(["k", r"\frac{1}{2}"])
    ('\\lambda x', '2\\cdot 3^{x}', 'k\\,\\frac{1}{2}')
    """
    tex = parts[0] if parts else "1"
    for before, part in pairwise(parts):
        if part[0].isdigit():
            tex += r"\cdot "
        elif part.startswith(r"\frac") or before[:5] == part[:5] == r"\sqrt" \
                or r"\mathit" in (before[:7], part[:7]):
            tex += r"\,"
        tex = _glue(tex, part)
    return tex


def _glue(left: str, right: str) -> str:
    space = " " if re.search(r"\\[A-Za-z]+$", left) and right[:1].isalpha() else ""
    return f"{left}{space}{right}"


# -- The printer ----------------------------------------------------------------------------------

_OPERATORS = {"<=": r"\le", "<": "<", ">=": r"\ge", ">": ">", "==": "=", "!=": r"\ne"}
#: Written without brackets around a lone letter, where nothing follows: $\lambda\log\lambda$.
_BARE = (sympy.log, sympy.sin, sympy.cos, sympy.tan, sympy.sinh, sympy.cosh, sympy.tanh)
_HEADS = {sympy.gamma: r"\Gamma", Phi: r"\Phi", sympy.erf: r"\operatorname{erf}",
          sympy.erfc: r"\operatorname{erfc}"}
#: End in a closing delimiter, so that an exponent can follow.
_CLOSED = (*_HEADS, sympy.Abs, sympy.floor, sympy.ceiling, sympy.binomial, AppliedUndef)


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
        left, right = self._print(relation.left), self._print(relation.right)
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
            if width(tex) > 4 or is_tall(tex) or any(isinstance(f, Add) for f in side):
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
        return bracket(tex) if loose or (isinstance(expr, _BIG) and not last) else tex

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
        free = atom and not any(script[0] == "^" for script in _scripts(tex)[1])
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
        _print_Function

    def function(self, expr: Expr, power: Expr = S.One, *, bare: bool = True) -> str:
        head = self.head(expr) + (f"^{{{self._print(power)}}}" if power != 1 else "")
        tex = ", ".join(self.within(Room.ARGUMENT, arg) for arg in expr.args)
        lone = isinstance(expr, _BARE) and (
            isinstance(expr.args[0], Symbol | Indexed) or is_natural(expr.args[0]))
        if lone and bare:
            return _glue(head, tex) if head[-1] == "}" or tex[0] == "\\" else f"{head} {tex}"
        return head + bracket(tex)

    def head(self, expr: Expr) -> str:
        if isinstance(expr, sympy.log):
            return rf"\{self.style.log}"
        if isinstance(expr, sympy.loggamma):
            return rf"\{self.style.log}\Gamma"
        if isinstance(expr, AppliedUndef):
            return self.style.symbol(expr.func.__name__)
        name = expr.func.__name__
        known = rf"\{name}" if isinstance(expr, _BARE) else rf"\operatorname{{{_escaped(name)}}}"
        return _HEADS.get(expr.func, known)

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
        items = sorted((str(self._print(arg)) for arg in expr.args), key=lambda t: (width(t), t))
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


def is_letter(expr: Expr) -> bool:
    """Whether the expression is a letter, or a natural power of one."""
    base, power = expr.as_base_exp() if isinstance(expr, Pow) else (expr, S.One)
    return isinstance(base, _SYMBOLIC) and is_natural(power)


def is_natural(expr: Expr) -> bool:
    return isinstance(expr, Integer) and expr > 0

