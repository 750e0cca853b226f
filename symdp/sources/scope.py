r"""What is in force at a line: the assumptions, the names, and the lines that may be used.

>>> from symdp.formulas.parsing import parse_conditions
>>> from symdp.formulas.notation import symbol, x
>>> scope = Scope((*parse_conditions("0 < x <= 1"), *parse_conditions("k >= x")), frozenset([symbol("k")]))
>>> print(scope.domain([x]))
k integer, 0 < x <= 1, k >= x
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import sympy
from sympy import Expr, Indexed, Integer, Pow, Product, Rational, Sum, Symbol

from symdp.formulas.balls import MAX_BITS
from symdp.formulas.building import MAX_FACTORIAL, MAX_RADICAND
from symdp.formulas.notation import symbol
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Relation
from symdp.numbers.domain import Domain, DomainError, Interval, bounds_one_variable
from symdp.sources.steps import Step

#: SymPy decides these by rounding where it can, so they are rebuilt as they were written.
AS_WRITTEN = (sympy.Abs, sympy.Min, sympy.Max, sympy.floor)


class DerivationError(ValueError):
    """The derivation cannot be understood; the message is one line."""


# --- expressions that may have sums in them ---------------------------------------------------


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
    symdp.sources.scope.DerivationError: 10 to the power 1000000000 is too large to be written out
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


def _insert_under(expr: Sum | Product, values: Mapping[Symbol, Expr]) -> Expr:
    """Into a sum or product, whose index must not be caught by what is inserted."""
    body, index, low, high = terms(expr)
    inner = {v: e for v, e in values.items() if v != index}
    if index in variables_of(*inner.values()):
        taken = variables_of(*inner.values()) | variables_of(body)
        other = fresh(str(index.name), taken)
        body, index = insert(body, {index: other}), other
    return expr.func(insert(body, inner), (index, insert(low, values), insert(high, values)))


def insert_into(relation: Relation, values: Mapping[Symbol, Expr]) -> Relation:
    if not relation_variables(relation) & values.keys():
        return relation
    needs = tuple(insert(part, values) for part in relation.needs)
    return Relation(insert(relation.left, values), relation.op, insert(relation.right, values), needs)


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
        return [Sum(part, (index, low, high)) for part in partial_parts(body)]
    found = [part for argument in expr.args for part in partial_parts(argument)]
    return [*found, expr] if is_partial(expr) else found


def is_partial(expr: Expr) -> bool:
    """Whether the outermost operation is not defined everywhere."""
    if expr.is_Pow:
        return not (expr.base is sympy.E or (expr.exp.is_Integer and expr.exp > 0))
    return isinstance(expr, sympy.log | sympy.gamma | sympy.loggamma | sympy.binomial)


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


# --- domains ----------------------------------------------------------------------------------


def assemble(
    relations: Iterable[Relation], integers: Iterable[Symbol], variables: Iterable[Symbol]
) -> Domain:
    """The domain of these relations, which may have no point: a premise may be false.

    Where bounds of one variable contradict each other, they are kept as conditions, and it is for
    the kernel to see that nothing satisfies them.
    """
    relations = tuple(dict.fromkeys(relations))
    intervals = {v: Interval() for v in variables}
    for relation in relations:
        for v in relation.symbols:
            intervals.setdefault(v, Interval())
    whole = frozenset(v for v in integers if v in intervals)
    conditions: list[Relation] = []
    for relation in relations:
        try:
            bound = bounds_one_variable(relation)
            if bound is None:
                conditions.append(relation)
                continue
            v, interval = bound
            met = intervals[v].meet(interval)
            if met.is_empty() or (v in whole and met.to_integers().is_empty()):
                conditions.append(relation)
            else:
                intervals[v] = met
        except DomainError:
            conditions.append(relation)
    return Domain(intervals, whole, tuple(conditions))


def related(where: Iterable[Relation], variables: Iterable[Symbol]) -> tuple[Relation, ...]:
    """The conditions that say something about these variables, directly or through others."""
    known, rest = set(variables), list(where)
    while True:
        near = [r for r in rest if relation_variables(r) & known]
        reached = known.union(*(relation_variables(r) for r in near))
        if reached == known:
            return tuple(r for r in where if relation_variables(r) & known)
        known = reached


# --- the scope --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fact:
    """A line or lemma that later steps may use: it holds wherever its own conditions do."""

    relation: Relation
    where: tuple[Relation, ...]
    integers: frozenset[Symbol] = frozenset()
    #: a lemma has variables of its own: all of them must be given values
    is_lemma: bool = False
    #: variables of which it is known at one value only, as the hypothesis of an induction is
    fixed: frozenset[Symbol] = frozenset()


@dataclass(frozen=True)
class Scope:
    """The assumptions in force, what names stand for, and the facts known by their labels."""

    where: tuple[Relation, ...]
    integers: frozenset[Symbol] = frozenset()
    meaning: Mapping[Symbol, Expr] = field(default_factory=dict)
    facts: Mapping[str, Fact] = field(default_factory=dict)
    #: what was assumed of a variable before it was given a value
    assumed: Mapping[Symbol, tuple[Relation, ...]] = field(default_factory=dict)
    #: variables that stand for one value: that of an induction, in its step
    fixed: frozenset[Symbol] = frozenset()

    @property
    def plain(self) -> tuple[Relation, ...]:
        """The assumptions that say nothing about families of variables."""
        return tuple(r for r in self.where if not has_sums(r.left, r.right))

    @property
    def variables(self) -> frozenset[Symbol]:
        """Those of the assumptions."""
        return frozenset().union(*(relation_variables(r) for r in self.plain))

    @property
    def families(self) -> tuple[Relation, ...]:
        """The assumptions on each member of a family, such as eps[i] > 0."""
        return tuple(r for r in self.where if has_sums(r.left, r.right))

    def speaks_of(self, place: Sequence[Expr], member: Sequence[Expr]) -> bool:
        """Whether an assumption on the member at one place says anything of that at another.

        An index without an assumption of its own stands for every index: eps[i] > 0 is said of all
        members. An index that is a variable stands for itself: A[n] == 1 is said of A[n] alone.
        """
        known = self.integers | self.variables
        return len(place) == len(member) and all(
            i == j or (isinstance(i, Symbol) and i not in known)
            for i, j in zip(place, member, strict=True))

    def expand(self, expr: Expr) -> Expr:
        """The expression with every name replaced by what it stands for."""
        for _ in range(len(self.meaning) + 1):
            if not variables_of(expr) & self.meaning.keys():
                return expr
            expr = insert(expr, self.meaning)
        raise DerivationError(f"the names in {show(expr)} are defined by each other")

    def expand_relation(self, relation: Relation) -> Relation:
        """The relation without names; what they stand for must be defined, even where it cancels."""
        left, right = self.expand(relation.left), self.expand(relation.right)
        needs = [self.expand(part) for part in relation.needs]
        for name in relation_variables(relation) & self.meaning.keys():
            needs += partial_parts(self.expand(name))
        lost = (p for p in dict.fromkeys(needs) if not left.has(p) and not right.has(p))
        return Relation(left, relation.op, right, tuple(lost))

    def names_in(self, relation: Relation) -> list[tuple[Symbol, Expr]]:
        """The names in a relation, and those in what they stand for, each with its meaning."""
        found: dict[Symbol, Expr] = {}
        new = relation_variables(relation) & self.meaning.keys()
        while new:
            found |= {name: self.meaning[name] for name in sorted(new, key=str)}
            new = (variables_of(*found.values()) & self.meaning.keys()) - found.keys()
        return list(found.items())

    def domain(
        self, variables: Iterable[Symbol], premises: Iterable[Relation] = ()
    ) -> Domain:
        """Where these variables live, at the points where the premises hold."""
        premises = tuple(premises)
        wanted = frozenset(variables).union(*(relation_variables(r) for r in premises))
        near = related(self.plain, wanted)
        return assemble((*near, *premises), self.integers, wanted)

    def named(self, name: Symbol, expr: Expr) -> Scope:
        return replace(self, meaning={**self.meaning, name: expr})

    def supposing(self, relations: Iterable[Relation]) -> Scope:
        return replace(self, where=(*self.where, *relations))

    def knowing(self, step: Step, relation: Relation) -> Scope:
        """The scope in which a labelled line may be used; its names stand for what they do now."""
        if not step.label:
            return self
        if step.label in self.facts:
            raise DerivationError(f"there are two lines called {step.label!r}")
        fact = Fact(self.expand_relation(relation), self.where, self.integers, fixed=self.fixed)
        return self.with_fact(step.label, fact)

    def with_fact(self, label: str, fact: Fact) -> Scope:
        return replace(self, facts={**self.facts, label: fact})
