r"""Laws of finite sums and products with a symbolic number of terms.

Each law turns a sum into something simpler and says under which conditions; the conditions are
relations that the kernel has to prove. SymPy's ``summation`` is asked for closed forms, but only as
a hint: a closed form $G$ of $\sum_{l=a}^{b} f(l)$ is accepted by *telescoping*, that is if
$G(l)-G(l-1)=f(l)$ for every $l$ from $a$ to $b$ and $G(a-1)=0$.

The sum over an empty range is 0 and the product 1; the range from $a$ to $b$ is empty if $b<a$.

>>> from sympy import Sum, binomial, symbols
>>> k, l = symbols("k l")
>>> laws = Laws(lambda relation, indices: True)
>>> laws.simplified(Sum(2 * l + 1, (l, 1, k))).expand(), laws.used
(k**2 + 2*k, ['linearity', 'sum of a constant', 'telescoping of a closed form'])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from zlib import crc32

import sympy
from sympy import Add, Expr, Indexed, Integer, Mul, Pow, Product, Rational, Sum, Symbol, binomial
from sympy.concrete.gosper import gosper_sum

from symdp.formulas.relation import Relation
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.search.memories import memory
from symdp.sources.derivations.expressions import insert, rebuilt, terms, variables_of

#: More terms than this are not written out.
MOST_TERMS = 300
#: (index, from, to)
Range = tuple[Symbol, Expr, Expr]
#: whether a condition holds for all values of these indices, the outermost first
Prove = Callable[[Relation, tuple[Range, ...]], bool]
#: (body, index) -> what SymPy suggested
_RATIOS = memory()


def is_concrete(expr: Expr) -> bool:
    """Whether the number of terms is a number."""
    _, _, low, high = terms(expr)
    return bool(low.is_Integer and high.is_Integer)


def written_out(expr: Expr) -> Expr:
    """Every sum and product with concrete bounds, term by term.

    >>> from sympy import IndexedBase, Sum, symbols
    >>> l = symbols("l")
    >>> written_out(Sum(IndexedBase("a")[l], (l, 1, 3)))
    a_1 + a_2 + a_3
    """
    if isinstance(expr, Indexed):
        return member(expr)
    if not expr.args:
        return expr
    if isinstance(expr, Sum | Product):
        body, index, low, high = terms(expr)
        low, high = written_out(low), written_out(high)
        if not (low.is_Integer and high.is_Integer):
            return expr.func(written_out(body), (index, low, high))
        if high - low > MOST_TERMS:
            raise OverflowError(f"more than {MOST_TERMS} terms")
        values = [written_out(insert(body, {index: Integer(i)}))
                  for i in range(int(low), int(high) + 1)]
        return Add(*values) if isinstance(expr, Sum) else Mul(*values)
    return rebuilt(expr, [written_out(a) for a in expr.args])


def member(expr: Indexed) -> Expr:
    """The variable a_3 for the member a[3] of a family; other members stay."""
    if all(i.is_Integer and i >= 0 for i in expr.indices):
        return Symbol("_".join([str(expr.base.label), *(str(i) for i in expr.indices)]))
    return expr


@dataclass
class Laws:
    """Rewrites sums; asks for the conditions of each law, and remembers which laws were used."""

    ask: Prove
    used: list[str] = field(default_factory=list)
    #: the indices of the sums around the one that is being rewritten
    around: tuple[Range, ...] = ()

    def prove(self, relation: Relation, index: Range | None) -> bool:
        """Whether a condition of a law holds, for every value of the index where there is one."""
        return self.ask(relation, self.around if index is None else (*self.around, index))

    def note(self, law: str) -> None:
        if law not in self.used:
            self.used.append(law)

    def simplified(self, expr: Expr) -> Expr:
        """The expression with its sums split, evaluated and brought to a common form."""
        if not expr.has(Sum, Product):
            return expr
        if isinstance(expr, Sum | Product):
            body, index, low, high = terms(expr)
            around, self.around = self.around, (*self.around, (index, low, high))
            body = self.simplified(body)
            self.around = around
            inner = expr.func(body, (index, low, high))
            return self.sum(inner) if isinstance(expr, Sum) else self.product(inner)
        found = rebuilt(expr, [self.simplified(a) for a in expr.args])
        if isinstance(found, sympy.log) and isinstance(found.args[0], Product):
            return self.log_of_product(found)
        return found

    # --- sums ---------------------------------------------------------------------------------

    def sum(self, expr: Sum) -> Expr:
        body, index, low, high = terms(expr)
        if is_concrete(expr):
            self.note("written out term by term")
            return written_out(expr)
        body = hinted(lambda: _flattened(body)) or body
        if isinstance(body, Add):
            self.note("linearity")
            return Add(*(self.sum(Sum(part, (index, low, high))) for part in body.args))
        outer, inner = _separated(body, index)
        if outer != 1:
            self.note("linearity")
        if inner == 1:
            length = high - low + 1
            if self.prove(Relation(length, ">=", Integer(0)), None):
                self.note("sum of a constant")
                return outer * length
            return outer * Sum(inner, (index, low, high))
        known = self.binomial_theorem(inner, index, low, high)
        if known is None:
            known = self.absorbed(inner, index, low, high)
        if known is None:
            known = self.telescoped(inner, index, low, high)
        if known is None and outer != 1:
            whole = self.geometric_difference(outer, inner, index, low, high)
            if whole is not None:
                return whole
        return outer * (Sum(inner, (index, low, high)) if known is None else known)

    def binomial_theorem(self, body: Expr, index: Symbol, low: Expr, high: Expr) -> Expr | None:
        """Σ C(n,l) g(l) from 0 to n is g(0) (1+r)^n if g(l+1) = r g(l): then g(l) = g(0) r^l."""
        chosen = [f for f in Mul.make_args(body) if f == binomial(high, index)]
        if len(chosen) != 1 or low != 0:
            return None
        rest = Mul(*(f for f in Mul.make_args(body) if f != chosen[0]))
        ratio = hinted(lambda: _ratio(rest, index))
        if ratio is None:
            return None
        after = insert(rest, {index: index + 1})
        if not (self.prove(Relation(high, ">=", Integer(0)), None)
                and self.prove(Relation(after, "==", ratio * rest), (index, low, high))):
            return None
        self.note("binomial theorem")
        return insert(rest, {index: Integer(0)}) * (1 + ratio) ** high

    def absorbed(self, body: Expr, index: Symbol, low: Expr, high: Expr) -> Expr | None:
        """l C(n,l) = n C(n-1,l-1): the sum of l C(n,l) g(l) from 0 or 1 to n is n times that of C(n-1,l) g(l+1)."""
        factors = list(Mul.make_args(body))
        if binomial(high, index) not in factors or low not in (0, 1):
            return None
        taken = next((f for f in factors if f == index or (
            isinstance(f, Pow) and f.base == index and f.exp.is_Integer and f.exp > 0)), None)
        if taken is None or not self.prove(Relation(high, ">=", Integer(1)), None):
            return None
        rest = Mul(*(f for f in factors if f not in (taken, binomial(high, index)))) * taken / index
        self.note("k C(n,k) = n C(n-1,k-1)")
        after = insert(rest, {index: index + 1})
        return high * self.sum(Sum(binomial(high - 1, index) * after, (index, Integer(0), high - 1)))

    def telescoped(self, body: Expr, index: Symbol, low: Expr, high: Expr) -> Expr | None:
        """A closed form, hinted and then verified by telescoping."""
        if body.has(Sum, Product, Indexed, binomial):
            return None
        closed = hinted(lambda: _closed_form(body, index, low))
        return None if closed is None else self.verified(closed, body, index, low, high)

    def verified(self, closed: Expr, body: Expr, index: Symbol, low: Expr, high: Expr) -> Expr | None:
        """The closed form at the upper end, if it telescopes to the terms of the sum."""
        before = insert(closed, {index: index - 1})
        steps = Relation(closed - before, "==", body)
        empty = Relation(insert(closed, {index: low - 1}), "==", Integer(0))
        if not (self.prove(Relation(high - low + 1, ">=", Integer(0)), None)
                and self.prove(steps, (index, low, high)) and self.prove(empty, None)):
            return None
        self.note("telescoping of a closed form")
        return insert(closed, {index: high})

    def geometric_difference(
        self, outer: Expr, body: Expr, index: Symbol, low: Expr, high: Expr
    ) -> Expr | None:
        """(1-r) r^l telescopes to a difference of powers, at r = 1 as well, where r^l has no such form."""
        if body.has(Sum, Product, Indexed, binomial):
            return None

        def factor() -> Expr | None:
            ratio = _ratio(body, index)
            found = None if ratio is None or ratio == 1 else sympy.cancel(outer / (ratio - 1))
            return found if found is not None and sympy.denom(found).is_Number else None

        scale = hinted(factor)
        if scale is None:
            return None
        closed = scale * (insert(body, {index: index + 1}) - insert(body, {index: low}))
        return self.verified(closed, outer * body, index, low, high)

    # --- products -----------------------------------------------------------------------------

    def product(self, expr: Product) -> Expr:
        body, index, low, high = terms(expr)
        if is_concrete(expr):
            self.note("written out term by term")
            return written_out(expr)
        if isinstance(body, Mul):
            self.note("a product of products")
            return Mul(*(self.product(Product(part, (index, low, high))) for part in body.args))
        if index not in variables_of(body):
            length = high - low + 1
            if not self.prove(Relation(length, ">=", Integer(0)), None):
                return expr
            self.note("product of a constant")
            return Pow(body, length)
        if isinstance(body, sympy.exp):
            self.note("a product of exponentials is the exponential of a sum")
            return sympy.exp(self.sum(Sum(body.exp, (index, low, high))))
        if isinstance(body, Pow) and index not in variables_of(body.exp) and body.exp.is_Integer:
            self.note("a product of powers is a power of the product")
            return Pow(self.product(Product(body.base, (index, low, high))), body.exp)
        return expr

    def log_of_product(self, expr: Expr) -> Expr:
        product = expr.args[0]
        body, index, low, high = terms(product)
        if not self.prove(Relation(body, ">", Integer(0)), (index, low, high)):
            return expr
        self.note("the logarithm of a product is a sum of logarithms")
        return self.sum(Sum(sympy.log(body), (index, low, high)))


def hinted(hint: Callable[[], Expr | None], seconds: float = 2.0) -> Expr | None:
    """What SymPy suggests, if it does so soon; it does not look at the clock by itself."""
    try:
        with hard_deadline(seconds):
            return hint()
    except (TimeIsUp, MemoryError, RecursionError, NotImplementedError, ValueError, TypeError):
        return None


def _flattened(body: Expr) -> Expr:
    """A product with a sum in it, multiplied out, so that linearity can act on it."""
    if isinstance(body, Mul) and any(isinstance(f, Add) for f in body.args):
        return body.expand(deep=False, power_exp=False, power_base=False, log=False)
    return body


def _separated(body: Expr, index: Symbol) -> tuple[Expr, Expr]:
    """The factors without the index, and those with it."""
    inner = [f for f in Mul.make_args(body) if index in variables_of(f)]
    outer = [f for f in Mul.make_args(body) if index not in variables_of(f)]
    return Mul(*outer), Mul(*inner)


def _ratio(body: Expr, index: Symbol) -> Expr | None:
    """What each term is multiplied by to give the next, if that is always the same. A hint."""
    if (body, index) in _RATIOS:
        known: Expr | None = _RATIOS[body, index]
        return known
    found = _RATIOS[body, index] = _sought_ratio(body, index)
    return found


def _sought_ratio(body: Expr, index: Symbol) -> Expr | None:
    ratio = sympy.powsimp(sympy.expand_power_exp(insert(body, {index: index + 1}) / body))
    if index not in variables_of(ratio):
        return ratio
    if _visibly_varies(ratio, index):  # most do, and SymPy takes seconds to find nothing
        return None
    simpler = sympy.simplify(ratio)
    return None if index in variables_of(simpler) else simpler


def _visibly_varies(expr: Expr, index: Symbol) -> bool:
    """Whether an expression has two different values for two values of the index, all else being equal.

    >>> from sympy import symbols
    >>> l, x = symbols("l x")
    >>> _visibly_varies((x + l) / x, l), _visibly_varies((x * l + l) / l, l)
    (True, False)
    """
    others = sorted(variables_of(expr) - {index}, key=str)
    at = {v: Rational(7 + 2 * place, 3) for place, v in enumerate(others)}
    values = []
    for i in (2, 5):
        try:
            there = insert(expr, {**at, index: Integer(i)})
            members = {m: Rational(crc32(str(m).encode()) % 97 + 1, 50) for m in there.atoms(Indexed)}
            value = there.xreplace(members).evalf(15)
        except (ValueError, TypeError, ArithmeticError, NotImplementedError):
            return False  # nobody knows
        if not (value.is_Float or value.is_Rational):
            return False
        values.append(float(value))
    first, second = values
    return abs(first - second) > 1e-6 * (abs(first) + abs(second))


def _closed_form(body: Expr, index: Symbol, low: Expr) -> Expr | None:
    """The sum from ``low`` to ``index`` as SymPy guesses it, or as a geometric sum."""
    ratio = _ratio(body, index)
    if ratio is not None and ratio != 1:
        return (ratio * body - insert(body, {index: low})) / (ratio - 1)
    dummy = Symbol(f"{index.name}_upper")
    if body.is_polynomial(index):
        found = sympy.summation(body, (index, low, dummy))
    elif body.is_rational_function(index):
        found = gosper_sum(body, (index, low, dummy))
    else:
        return None
    if found is None or found.has(Sum, sympy.Piecewise) or index in variables_of(found):
        return None
    return insert(found, {dummy: index})
