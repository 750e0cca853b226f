r"""What a relation of a derivation says, as a formula of the kernel.

An index that was neither declared an integer nor assumed anything of stands for *every* integer.

>>> from sympy import Integer
>>> a, i = IndexedBase("a"), Symbol("i")
>>> print(formula_of(Relation(a[i], ">", Integer(0)), fixed=frozenset()))
a[i] > 0 for every integer i
>>> print(formula_of(Relation(a[i], ">", Integer(0)), fixed=frozenset({i})))
a[i] > 0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from sympy import Expr, Indexed, IndexedBase, Product, Sum, Symbol

from symdp.formulas.relation import Relation
from symdp.formulas.translation import term_of
from symdp.kernel.goals import Each, Formula
from symdp.kernel.goals import Relation as Formal
from symdp.kernel.terms import Term, bound, fresh, transform
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.expressions import terms, variables_of
from symdp.sources.derivations.lines import (
    Cases,
    Induction,
    Lemma,
    Let,
    Line,
    Link,
    Start,
    Suppose,
    Use,
    With,
)


def free_indices(expr: Expr, bound_: frozenset[Symbol] = frozenset()) -> frozenset[Symbol]:
    """The variables in the indices of members that no sum around them binds."""
    if isinstance(expr, Indexed):
        return variables_of(*expr.indices) - bound_
    if isinstance(expr, Sum | Product):
        body, index, low, high = terms(expr)
        return free_indices(body, bound_ | {index}) | free_indices(low, bound_) | free_indices(high, bound_)
    return frozenset().union(*(free_indices(a, bound_) for a in expr.args)) if expr.args else frozenset()


def formula_of(relation: Relation, fixed: frozenset[Symbol], also: Iterable[Symbol] = ()) -> Formula:
    """The formula of a relation: said of every integer for an index that is not fixed (and for ``also``)."""
    found: Formal | Each = Formal(term_of(relation.left), relation.op, term_of(relation.right))
    loose = free_indices(relation.left) | free_indices(relation.right)
    for index in sorted((loose - fixed).union(also), key=str, reverse=True):
        found = Each(None, None, _closed(found, str(index.name)), str(index.name))
    return found


def _closed(formula: Formal | Each, name: str, level: int = 0) -> Formal | Each:
    """The formula with the variable of that name as an index further out than its own quantifiers."""
    if isinstance(formula, Formal):
        return formula.map(lambda t: _index_of(t, name, level))
    return Each(formula.low, formula.high, _closed(formula.body, name, level + 1), formula.hint)


def _index_of(term: Term, name: str, level: int) -> Term:
    def leaf(t: Term, inner: int) -> Term | None:
        if t.head == "variable" and t.value == name:
            return bound(inner)
        if t.head == "bound" and t.value >= inner:
            return bound(t.value + 1)
        return t if name not in t.variables and t.loose <= inner else None

    return transform(term, leaf, level)


# --- one name for one thing -------------------------------------------------------------------


def families_to_rename(derivation: Derivation) -> dict[str, str]:
    """Families that are called like a variable get another name: a name means one thing."""
    exprs = [*expressions(derivation.steps, lemmas=True), *(s for r in derivation.where for s in (r.left, r.right))]
    variables = {str(v.name) for e in exprs for v in variables_of(e)} | {str(v) for v in derivation.integers}
    families = {str(part.base.label) for e in exprs for part in e.atoms(Indexed)}
    taken = variables | families
    found = {}
    for name in sorted(families & variables):
        found[name] = fresh(f"{name}_", taken)
        taken.add(found[name])
    return found


def with_families(thing: Any, names: Mapping[str, str]) -> Any:
    """An expression, or whatever data has expressions in it, with other names for families."""
    if not names:
        return thing
    if isinstance(thing, Expr):
        return thing.xreplace({part.base: IndexedBase(names[str(part.base.label)])
                               for part in thing.atoms(Indexed) if str(part.base.label) in names})
    if isinstance(thing, tuple):
        return tuple(with_families(part, names) for part in thing)
    if isinstance(thing, Mapping):
        return {key: with_families(value, names) for key, value in thing.items()}
    if isinstance(thing, Derivation):
        return Derivation(thing.title, with_families(thing.where, names), thing.integers,
                          with_families(thing.steps, names))
    if is_dataclass(thing) and not isinstance(thing, type):
        changed = {f.name: with_families(getattr(thing, f.name), names) for f in fields(thing) if f.name != "written"}
        return replace(thing, **changed, **({"written": None} if isinstance(thing, Relation) else {}))
    return thing


def uses_in(steps: Iterable[Line]) -> Iterator[Use]:
    for step in steps:
        yield from step.uses
        if isinstance(step, Cases):
            for b in step.branches:
                yield from uses_in(b.steps)
        if isinstance(step, Induction):
            yield from uses_in((*step.base, *step.step))


def expressions(steps: Iterable[Line], *, lemmas: bool = False) -> Iterator[Expr]:
    """Every expression of the steps, without those of lemmas, whose variables are their own."""
    for step in steps:
        if isinstance(step, Lemma) and not lemmas:
            continue
        if isinstance(step, Lemma):
            for r in step.where:
                yield r.left
                yield r.right
        if isinstance(step, Start | Link | Let | With):
            yield step.expr
        if isinstance(step, With):
            yield step.name
        yield from step.needs
        relation = getattr(step, "relation", None)
        if isinstance(relation, Relation):
            yield from (relation.left, relation.right, *relation.needs)
        if isinstance(step, Suppose):
            for r in step.relations:
                yield r.left
                yield r.right
        if isinstance(step, Cases):
            for b in step.branches:
                for r in b.where:
                    yield r.left
                    yield r.right
                yield from expressions(b.steps, lemmas=lemmas)
        if isinstance(step, Induction):
            yield from expressions((*step.base, *step.step), lemmas=lemmas)
