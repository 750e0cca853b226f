r"""Factors and terms in the order of a mathematician.

SymPy sorts for the machine and stores $\sqrt{2k}$ as $\sqrt2\sqrt k$. Here a product is taken apart
again, into what stands above and below the bar, and a sum into terms in the order of a paper. Nothing
is printed, and no value is changed.

Roots are merged, $\sqrt a\sqrt b=\sqrt{ab}$, under the house's reading of a formula: it is real, so
under each of its roots stands something that is not negative where the formula is used. A positive
number may join any root; a radicand that wears a minus sign joins nothing but numbers, because
$\sqrt{-x}\sqrt{-y}=\sqrt{xy}$ would hide for which $x$ the formula has a meaning.

>>> from symdp.formulas.notation import eps, k
>>> split_factors(sympy.sqrt(2 * k) * eps).above
(eps, sqrt(2*k))
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

import sympy
from sympy import Add, Expr, Indexed, Integer, Mul, Pow, Product, Rational, S, Sum, Symbol
from sympy.core.function import AppliedUndef

_SYMBOLIC = (Symbol, Indexed, AppliedUndef)
#: Operators that reach over all that stands right of them.
BIG = (Sum, Product, sympy.Integral, sympy.Derivative, sympy.Limit)


# --- products -------------------------------------------------------------------------------------


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

    >>> from symdp.formulas.notation import k, x
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


# --- order ----------------------------------------------------------------------------------------


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
    if isinstance(base, BIG):
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


def is_letter(expr: Expr) -> bool:
    """Whether the expression is a letter, or a natural power of one."""
    base, power = expr.as_base_exp() if isinstance(expr, Pow) else (expr, S.One)
    return isinstance(base, _SYMBOLIC) and is_natural(power)


def is_natural(expr: Expr) -> bool:
    return isinstance(expr, Integer) and expr > 0
