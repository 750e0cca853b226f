r"""Between SymPy and the terms of the kernel: SymPy is a view of a term.

Statements of the literature are SymPy expressions; :func:`term_of` says which term such an expression is, and
that term is what is proved and shown. The other way, :func:`expr_of` gives SymPy's view of a term, which may
simplify (``x/x`` becomes 1) and is therefore only for search and show.

>>> from sympy import exp, log, sqrt
>>> from symdp.formulas.notation import eps, k, slack
>>> print(term_of(sqrt(k * log(1 / slack)) / (exp(eps) - 1)))
sqrt(k*log(1/slack))/(exp(eps) - 1)
>>> from symdp.kernel.terms import variable
>>> expr_of(variable("x") / variable("x"))
1
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import sympy
from flint import fmpq
from sympy import Add, Expr, Indexed, Mul, Pow, Product, Rational, S, Sum, Symbol

from symdp.formulas.functions import NAMES, expr_of
from symdp.kernel import terms as t
from symdp.kernel.goals import Each
from symdp.kernel.goals import Relation as KernelRelation
from symdp.kernel.terms import Term

if TYPE_CHECKING:  # both are views themselves, and built on this
    from symdp.formulas.relation import ForEvery, Relation

__all__ = ["NotATerm", "expr_of", "formula_of", "number_of", "said_of_each", "term_of"]


class NotATerm(TypeError):
    """The expression has a part that the kernel's language does not have."""


# --- SymPy to terms -----------------------------------------------------------------------------


def number_of(value: Rational) -> Term:
    return t.number(fmpq(int(value.p), int(value.q)))


@lru_cache(maxsize=50_000)
def term_of(expr: Expr) -> Term:
    """The term that an expression stands for, as a person would write it."""
    if isinstance(expr, Rational):
        return number_of(expr)
    if isinstance(expr, Symbol):
        return t.variable(_plain_name(expr))
    if expr is S.Exp1:
        return t.constant("e")
    if expr is S.Pi:
        return t.constant("pi")
    if isinstance(expr, Add):
        return _sum(expr)
    if isinstance(expr, Mul):
        return _product(expr)
    if isinstance(expr, Pow):
        return _power(expr)
    if isinstance(expr, sympy.factorial):
        return t.apply("gamma", term_of(expr.args[0]) + t.ONE)
    if isinstance(expr, sympy.polygamma) and expr.args[0] in (0, 1):
        return t.apply(("digamma", "trigamma")[int(expr.args[0])], term_of(expr.args[1]))
    if expr.func in NAMES:
        return t.apply(NAMES[expr.func], *(term_of(a) for a in expr.args))
    if isinstance(expr, Indexed) and len(expr.indices) == 1:
        return t.member(str(expr.base.label), term_of(expr.indices[0]))
    if isinstance(expr, Sum | Product):
        head = "sum" if isinstance(expr, Sum) else "product"
        body = term_of(expr.function)
        for index, low, high in expr.limits:
            name = str(index.name)
            body = t.binder(head, term_of(low), term_of(high), t.close(body, name), name)
        return body
    raise NotATerm(f"{str(expr)[:60]} is outside of the kernel's language")


def _plain_name(symbol: Symbol) -> str:
    """The name of a symbol, which says all of it: of two symbols with one name, SymPy would see two variables and the
    kernel one; and what SymPy assumes of a symbol would be lost."""
    name = str(symbol.name)
    if symbol != Symbol(name) or name in t.CONSTANTS:
        raise NotATerm(f"the symbol {name!r} is no plain one: it carries assumptions, or its name means something "
                       "else; make symbols by symdp.formulas.notation.symbol, and say where they live by conditions")
    return name


def _sum(expr: Add) -> Term:
    """Terms in SymPy's order, but the number last and a positive term first, as text shows them."""
    terms = sorted(expr.args, key=lambda term: bool(term.is_Rational))
    first = next((i for i, term in enumerate(terms) if not _is_negative(term)), 0)
    terms.insert(0, terms.pop(first))
    result: Term | None = None
    run: list[Term] = []
    for part in terms:
        if result is None and not run:
            run = [term_of(part)]
        elif _is_negative(part):
            result = t.add(*run) if result is None else result
            result, run = result - term_of(-part), []
        elif result is None:
            run.append(term_of(part))
        else:
            result = result + term_of(part)
    return t.add(*run) if result is None else result


def _is_negative(expr: Expr) -> bool:
    return bool(expr.as_coeff_Mul()[0].is_negative)


def _product(expr: Mul) -> Term:
    """A quotient of two products; a negative one has its sign in front."""
    number, above, below = S.One, [], []
    for factor in expr.args:
        if isinstance(factor, Rational):
            number = factor * number
        elif isinstance(factor, Pow) and _is_inverse(factor):
            below.append(term_of(Pow(factor.base, -factor.exp)))
        else:
            above.append(term_of(factor))
    p, q = abs(int(number.p)), int(number.q)
    if p != 1 or not above:
        above.insert(0, t.number(p))
    if q != 1:
        below.insert(0, t.number(q))
    result = t.mul(*above) / t.mul(*below) if below else t.mul(*above)
    return -result if number.is_negative else result


def _is_inverse(expr: Pow) -> bool:
    return expr.base is not S.Exp1 and isinstance(expr.exp, Rational) and bool(expr.exp.is_negative)


def _power(expr: Pow) -> Term:
    base, exponent = expr.base, expr.exp
    if base is S.Exp1:
        return t.apply("exp", term_of(exponent))
    if _is_inverse(expr):
        return t.ONE / term_of(Pow(base, -exponent))
    if exponent is S.Half:
        return t.apply("sqrt", term_of(base))
    return term_of(base) ** term_of(exponent)


def said_of_each(said: ForEvery) -> Each:
    """The formula of a relation that is said of every integer of a range."""
    name = _plain_name(said.index)
    body = formula_of(said.relation).map(lambda term: t.close(term, name))
    return Each(term_of(said.low), term_of(said.high), body, name)


def formula_of(relation: Relation) -> KernelRelation:
    """The formula that a relation stands for: as it was written where that is known.

    Where it is not, the parts that SymPy has cancelled stand beside the left side, times 0: they must have a
    value, and add nothing.
    """
    if relation.written is not None:
        return relation.written
    left = t.add(term_of(relation.left), *(t.mul(t.ZERO, term_of(part)) for part in relation.needs))
    return KernelRelation(left, relation.op, term_of(relation.right))
