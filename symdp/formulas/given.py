r"""What a person at a Python prompt gives for a relation: text, our own :class:`Relation`, or one of SymPy's.

>>> import sympy
>>> x, n = sympy.Symbol("x", positive=True), sympy.Symbol("n", integer=True)
>>> given = relations_given(sympy.exp(x) >= 1 + n * x)
>>> [str(r) for r in given.relations], [str(r) for r in given.conditions], given.integers
(['exp(x) >= n*x + 1'], ['x > 0'], ('n',))

SymPy decides some relations by itself, and then what was written is lost:

>>> relations_given(x <= x + 1)
Traceback (most recent call last):
...
TypeError: SymPy has turned this relation into True before it got here; write it as text, 'x <= x + 1',
or as Relation(left, '<=', right)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import sympy
from sympy import Expr, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanAtom

from symdp.formulas.notation import symbol
from symdp.formulas.parsing import parse_conditions, parse_relation
from symdp.formulas.relation import Op, Relation

#: SymPy's relations, and ours.
_OPS: dict[type, Op] = {
    sympy.Le: "<=", sympy.Lt: "<", sympy.Ge: ">=", sympy.Gt: ">", sympy.Eq: "==",
}
#: An assumption of SymPy's about a symbol, and the relation to 0 that it says; stronger ones first.
_SIGNS: tuple[tuple[str, Op], ...] = (
    ("positive", ">"), ("negative", "<"), ("zero", "=="), ("nonnegative", ">="), ("nonpositive", "<="),
)
#: What else SymPy may know of a symbol that is more than "a real number", and that a condition cannot say.
_UNSAID = ("prime", "even", "odd", "composite", "rational", "irrational", "algebraic", "transcendental", "nonzero")


class Given(NamedTuple):
    """Relations between plain symbols, and what SymPy's assumptions said of these."""

    relations: tuple[Relation, ...]
    conditions: tuple[Relation, ...] = ()
    integers: tuple[str, ...] = ()


def relations_given(*given: object, conditions: bool = False) -> Given:
    """The relations, and where SymPy's symbols live; a condition in text may be a chain, or ``x in [0, 1]``."""
    found = [r for one in given for r in _relations(one, conditions)]
    symbols: set[Symbol] = {s for r in found if r.written is None
                            for side in (r.left, r.right, *r.needs) for s in side.free_symbols}
    plain = {s: symbol(s.name) for s in symbols}
    for name in {s.name for s in symbols}:
        of_that_name = {s for s in symbols if s.name == name}
        if len(of_that_name) > 1:
            raise ValueError(f"two symbols are called {name}, with different assumptions; declare it once")
    assumed = [(s, plain[s]) for s in sorted(symbols, key=lambda s: str(s.name))]
    return Given(
        tuple(_plain(r, plain) for r in found),
        tuple(r for s, v in assumed for r in _said_of(s, v)),
        tuple(str(v.name) for s, v in assumed if s.is_integer),
    )


def listed(given: object) -> list[Any]:
    """One condition or several, as a list: a text is one, not its letters."""
    if given is None:
        return []
    if isinstance(given, str | Relation | sympy.Basic | bool):
        return [given]
    if isinstance(given, Iterable):
        return list(given)
    raise TypeError(f"{given!r} is no condition; write a text such as 'x >= 0', a relation, or a list of them")


def _relations(given: object, conditions: bool) -> Iterable[Relation]:
    if isinstance(given, str):
        return parse_conditions(given) if conditions else (parse_relation(given),)
    if isinstance(given, Relation):
        return (given,)
    if isinstance(given, bool | BooleanAtom):
        raise TypeError(f"SymPy has turned this relation into {bool(given)} before it got here; "
                        "write it as text, 'x <= x + 1', or as Relation(left, '<=', right)")
    if isinstance(given, Relational) and type(given) in _OPS:
        return (Relation(_expr(given.lhs), _OPS[type(given)], _expr(given.rhs)),)
    if conditions and isinstance(given, sympy.And):
        return tuple(r for part in given.args for r in _relations(part, conditions))
    if conditions and isinstance(given, sympy.Contains) and isinstance(given.args[1], sympy.Interval):
        return tuple(_relations(given.args[1].as_relational(given.args[0]), conditions))
    if isinstance(given, sympy.Ne):
        raise TypeError(f"{given} says that two things differ; claims and conditions have one of <= < >= > ==")
    raise TypeError(f"{str(given)[:60]} is no relation; write a text such as 'exp(x) >= 1 + x', "
                    "a relation of SymPy's, or Relation(left, '<=', right)")


def _expr(side: Any) -> Expr:
    if not isinstance(side, Expr):
        raise TypeError(f"{str(side)[:60]} is no expression, so that a relation with it says nothing of numbers")
    return side


def _said_of(s: Symbol, v: Symbol) -> Iterable[Relation]:
    if s == v:
        return
    if s.is_real is False or s.is_commutative is False:
        raise ValueError(f"{s.name} is declared not to be a real number; claims are about real ones")
    known = s.assumptions0
    unsaid = next((word for word in _UNSAID if s._assumptions_orig.get(word)), None)
    if unsaid is not None:
        raise ValueError(f"{s.name} is declared {unsaid}, which a condition cannot say; "
                         "declare it positive, negative, nonnegative, nonpositive, integer or real")
    op = next((op for word, op in _SIGNS if known.get(word)), None)
    if op is not None:
        yield Relation(v, op, sympy.Integer(0))


def _plain(relation: Relation, plain: dict[Symbol, Symbol]) -> Relation:
    """The same with plain symbols; nothing is evaluated anew that SymPy has not evaluated already."""
    if relation.written is not None or all(s == v for s, v in plain.items()):
        return relation
    left, right, *needs = (e.xreplace(plain) for e in (relation.left, relation.right, *relation.needs))
    return Relation(left, relation.op, right, tuple(needs))
