r"""Expressions that may have sums in them: their variables, insertion, and how they are shown.

>>> from sympy import Sum
>>> from symdp.formulas.notation import k, x
>>> i = symbol("i")
>>> variables_of(Sum(x**i, (i, 1, k))) == {k, x}
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import sympy
from sympy import Expr, Indexed, IndexedBase, Integer, Pow, Product, Rational, Sum, Symbol

from symdp.formulas import functions
from symdp.formulas.balls import MAX_BITS
from symdp.formulas.building import MAX_FACTORIAL, MAX_RADICAND
from symdp.formulas.notation import GREEK, symbol
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Relation

#: SymPy decides these by rounding where it can, so they are rebuilt as they were written.
AS_WRITTEN = (sympy.Abs, sympy.Min, sympy.Max, sympy.floor)


class DerivationError(ValueError):
    """The derivation cannot be understood; the message is one line, and says where, once somebody knew."""

    def __init__(self, reason: object = "", place: str = "") -> None:
        super().__init__(f"{place}: {reason}" if place else str(reason))
        self.place = place


def variables_of(*exprs: Expr) -> frozenset[Symbol]:
    """The free variables; the name of an indexed family is not one of them, nor is a bound index.

    >>> from sympy import IndexedBase, Sum, symbols
    >>> i, k = symbols("i k")
    >>> variables_of(Sum(IndexedBase("a")[i], (i, 1, k)))
    frozenset({k})
    """
    found: frozenset[Symbol] = frozenset()
    for expr in exprs:
        if isinstance(expr, Symbol):
            found |= {expr}
        elif isinstance(expr, Indexed):
            found |= variables_of(*expr.indices)
        elif isinstance(expr, Sum | Product):
            inside = variables_of(expr.function)
            for index, low, high in expr.limits:
                inside = (inside - {index}) | variables_of(low, high)
            found |= inside
        else:
            found |= variables_of(*expr.args)
    return found


def families_of(*exprs: Expr) -> frozenset[str]:
    """The names of the families of which a member occurs.

    >>> from sympy import IndexedBase, Sum, symbols
    >>> i, k = symbols("i k")
    >>> sorted(families_of(Sum(IndexedBase("a")[i], (i, 1, k)) + k))
    ['a']
    """
    return frozenset(str(base.label) for expr in exprs for base in expr.atoms(IndexedBase))


def number_and_member(exprs: Iterable[Expr]) -> str | None:
    r"""A name such as a_i that stands for one number, where a_i is also written for the members of a family.

    In a text both look the same, and a reader takes them for the same.

    >>> from sympy import IndexedBase, Sum, symbols
    >>> i, k, a_i, a_max = symbols("i k a_i a_max")
    >>> number_and_member([a_i, Sum(IndexedBase("a")[i], (i, 1, k))])
    'a_i'
    >>> number_and_member([a_max, Sum(IndexedBase("a")[i], (i, 1, k))])
    """
    exprs = tuple(exprs)
    families = families_of(*exprs)
    if not families:
        return None
    for v in sorted(map(str, variables_of(*exprs))):
        base, mark, index = v.rpartition("_")
        if mark and base in families and (index.isdigit() or len(index) == 1 or index in GREEK or index == "ell"):
            return v
    return None


def terms(expr: Sum | Product) -> tuple[Expr, Symbol, Expr, Expr]:
    """Summand, index and bounds; SymPy writes a sum of sums as one, whose outer index comes last.

    >>> from sympy import Sum, symbols
    >>> i, j, k = symbols("i j k")
    >>> terms(Sum(Sum(i * j, (j, 1, i)), (i, 0, k)))
    (Sum(i*j, (j, 1, i)), i, 0, k)
    """
    *inner, (index, low, high) = expr.limits
    return (expr.func(expr.function, *inner) if inner else expr.function), index, low, high


def relation_variables(relation: Relation) -> frozenset[Symbol]:
    return variables_of(relation.left, relation.right, *relation.needs)


def size_of(expr: Expr, values: Mapping[Symbol, Expr]) -> int:
    """How many nodes the expression would have with these values, which are not inserted for that.

    >>> from symdp.formulas.notation import x, y
    >>> size_of(x * sympy.exp(x), {x: y + 1}), size_of(x * sympy.exp(x), {})
    (8, 4)
    """
    known: dict[tuple[bool, Expr], int] = {}

    def size(part: Expr, inside: bool) -> int:
        if (inside, part) not in known:
            known[inside, part] = size(values[part], False) if inside and part in values else \
                1 + sum(size(a, inside) for a in part.args)
        return known[inside, part]

    return size(expr, True)


def insert(expr: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """The expression with values for variables; nothing in it is decided by rounding.

    >>> from symdp.formulas.notation import x, y
    >>> insert(sympy.Abs(x, evaluate=False) + y, {x: sympy.exp(y)})
    y + Abs(exp(y))
    """
    if not variables_of(expr) & values.keys():
        return expr
    if isinstance(expr, Symbol):
        return values[expr]
    if isinstance(expr, Indexed):
        return Indexed(expr.base, *(insert(i, values) for i in expr.indices))
    if isinstance(expr, Sum | Product):
        return _insert_under(expr, values)
    return rebuilt(expr, [insert(argument, values) for argument in expr.args])


def rebuilt(expr: Expr, arguments: list[Expr]) -> Expr:
    """The same function of other arguments; refused where SymPy would compute a gigantic number.

    >>> from symdp.formulas.notation import x, y
    >>> rebuilt(x**y, [sympy.Integer(10), sympy.Integer(10**9)])
    Traceback (most recent call last):
    ...
    symdp.sources.derivations.expressions.DerivationError: 10 to the power 1000000000 is too large to be written out
    """
    if isinstance(expr, AS_WRITTEN):
        return expr.func(*arguments, evaluate=False)
    numbers = [a for a in arguments if isinstance(a, Rational)]
    if isinstance(expr, Pow) and len(numbers) == 2:
        base, exponent = arguments
        bits = max(abs(int(base.p)), int(base.q)).bit_length() if abs(base) != 1 else 0
        most = MAX_BITS if exponent.is_Integer else MAX_RADICAND
        if bits * max(1, abs(exponent)) > most:
            raise DerivationError(f"{_short(base)} to the power {_short(exponent)} is too large to be "
                                  "written out")
    if isinstance(expr, sympy.gamma | sympy.loggamma | sympy.binomial) and any(
            abs(n) > MAX_FACTORIAL for n in numbers):
        raise DerivationError(f"{expr.func.__name__} of {_short(max(numbers, key=abs))} is too large to "
                              "be written out")
    return expr.func(*arguments)


def _short(number: Rational) -> str:
    text = str(number)
    return text if len(text) <= 30 else f"a number of {len(text)} signs"


def _insert_under(expr: Sum | Product, values: Mapping[Symbol, Expr],
                  put: Callable[[Expr, Mapping[Symbol, Expr]], Expr] = insert) -> Expr:
    """Into a sum or product, whose index must not be caught by what is inserted."""
    body, index, low, high = terms(expr)
    inner = {v: e for v, e in values.items() if v != index}
    if index in variables_of(*inner.values()):
        taken = variables_of(*inner.values()) | variables_of(body)
        other = fresh(str(index.name), taken)
        body, index = put(body, {index: other}), other
    return expr.func(put(body, inner), (index, put(low, values), put(high, values)))


def insert_into(relation: Relation, values: Mapping[Symbol, Expr]) -> Relation:
    """The relation with values for variables; what cancels on the way must still be defined.

    >>> from symdp.formulas.notation import x, y
    >>> insert_into(Relation(x * sympy.log(y), "<=", x), {x: sympy.Integer(0)}).needs
    (log(y),)
    """
    taken = {v: values[v] for v in relation_variables(relation) & values.keys()}
    if not taken:
        return relation
    left, right = insert(relation.left, taken), insert(relation.right, taken)
    said = (relation.left, relation.right, *relation.needs)
    parts = [*(as_written(part, taken) for expr in said for part in partial_parts(expr)),
             *(part for value in taken.values() for part in partial_parts(value)),
             *sorted(variables_of(*said) - taken.keys(), key=str)]  # which may be names of something
    return Relation(left, relation.op, right, lost(parts, left, right))


def as_written(expr: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """The expression with values for variables, where nothing that could be undefined is evaluated.

    >>> from symdp.formulas.notation import x, y
    >>> as_written(1/x, {x: 1/y}), insert(1/x, {x: 1/y})
    (1/(1/y), y)
    """
    if not variables_of(expr) & values.keys() or isinstance(expr, Symbol | Indexed):
        return insert(expr, values)
    if isinstance(expr, Sum | Product):
        return _insert_under(expr, values, as_written)
    arguments = [as_written(argument, values) for argument in expr.args]
    return expr.func(*arguments, evaluate=False) if is_partial(expr) else rebuilt(expr, arguments)


def lost(parts: Iterable[Expr], *exprs: Expr) -> tuple[Expr, ...]:
    """Those of the parts that nobody finds in the expressions, nor in each other, and that must still be defined."""
    found = [p for p in dict.fromkeys(parts) if not any(occurs(p, e) for e in exprs)]
    return tuple(p for p in found if not any(p is not q and occurs(p, q) for q in found))


def occurs(part: Expr, expr: Expr) -> bool:
    """Whether an expression has this part; what a sum says of its index is no such part.

    >>> i, x = sympy.symbols("i x")
    >>> occurs(sympy.log(i), Sum(sympy.log(i), (i, 1, x))), occurs(sympy.log(x), sympy.log(x)**2)
    (False, True)
    """
    if part == expr:
        return True
    if isinstance(expr, Sum | Product):
        body, index, low, high = terms(expr)
        inside = index not in variables_of(part) and occurs(part, body)
        if isinstance(part, Sum):  # a part of each term
            summand, *over = terms(part)
            inside = inside or (over == [index, low, high] and occurs(summand, body))
        return inside or occurs(part, low) or occurs(part, high)
    return any(occurs(part, argument) for argument in (expr.indices if isinstance(expr, Indexed) else expr.args))


def fresh(stem: str, taken: Iterable[Symbol]) -> Symbol:
    """A symbol whose name is not taken.

    >>> from symdp.formulas.notation import x
    >>> fresh("x", [x])
    x_1
    """
    names = {str(v.name) for v in taken}
    name, number = stem, 0
    while name in names:
        number += 1
        name = f"{stem}_{number}"
    return symbol(name)


def show(obj: Expr | Relation) -> str:
    """Plain text. Sums, which the grammar of texts does not have, are shown with their range.

    >>> from sympy import IndexedBase, Sum, symbols
    >>> i, k = symbols("i k")
    >>> show(2 * Sum(IndexedBase("a")[i] ** 2, (i, 1, k)) - k)
    '2*sum(a[i]^2, i = 1..k) - k'
    """
    if isinstance(obj, Relation):
        return f"{show(obj.left)} {obj.op} {show(obj.right)}"
    names = {part: symbol(f"shown_{place}_") for place, part in enumerate(_outermost(obj))}
    try:
        text = to_text(obj.xreplace(names))
    except TypeError:
        return str(obj)
    for part, name in names.items():
        text = text.replace(str(name), _shown(part))
    return text


def _outermost(expr: Expr) -> list[Expr]:
    """The sums, products and members of families that are not inside of another."""
    if isinstance(expr, Sum | Product | Indexed):
        return [expr]
    return list(dict.fromkeys(part for argument in expr.args for part in _outermost(argument)))


def _shown(part: Expr) -> str:
    if isinstance(part, Indexed):
        return f"{part.base.label}[{', '.join(show(i) for i in part.indices)}]"
    body, index, low, high = terms(part)
    word = "sum" if isinstance(part, Sum) else "product"
    return f"{word}({show(body)}, {index} = {show(low)}..{show(high)})"


def partial_parts(expr: Expr) -> list[Expr]:
    """The parts that are not defined everywhere: quotients, roots, logarithms.

    >>> from symdp.formulas.notation import x
    >>> partial_parts(x * sympy.log(x) + sympy.exp(-x))
    [log(x)]
    """
    if not variables_of(expr):
        return []
    if isinstance(expr, Sum | Product):
        body, index, low, high = terms(expr)
        inside = [Sum(part, (index, low, high)) for part in partial_parts(body)]
        ends = [part for end in (low, high) for part in partial_parts(end)]
        whole = [expr] if variables_of(low, high) else []  # whose ends must be integers
        return [*ends, *inside, *whole]
    found = [part for argument in expr.args for part in partial_parts(argument)]
    return [*found, expr] if is_partial(expr) else found


def is_partial(expr: Expr) -> bool:
    """Whether the outermost operation is not defined everywhere."""
    if expr.is_Pow:
        return not (expr.base is sympy.E or (expr.exp.is_Integer and expr.exp > 0))
    return functions.is_partial(expr)


def is_whole(expr: Expr, integers: frozenset[Symbol]) -> bool:
    """Whether an expression is visibly an integer: sums and products of integers, and floors."""
    if isinstance(expr, Integer | sympy.floor):
        return True
    if isinstance(expr, Symbol):
        return expr in integers
    if expr.is_Pow:
        return is_whole(expr.base, integers) and isinstance(expr.exp, Integer) and bool(expr.exp >= 0)
    return bool(expr.is_Add or expr.is_Mul) and all(is_whole(a, integers) for a in expr.args)


def has_sums(*exprs: Expr) -> bool:
    return any(expr.has(Sum, Product, Indexed) for expr in exprs)
