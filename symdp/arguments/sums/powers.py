r"""Powers with a symbolic exponent: $b^{m+n}=b^m b^n$, for a base that may be zero or negative.

The kernel takes logarithms of such powers, which needs a positive base. Here the lowest power of each
base becomes a variable $P=b^m$, the others are $P^q b^n$, and what is known of $P$ is said beside it.
The exponents must be visibly integers, and the kernel has to show $m\ge1$.

>>> from symdp.arguments.derivations.obligations import Reducer
>>> from symdp.sources.derivations.scope import Scope
>>> from symdp.formulas.notation import k
>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> scope = Scope((*parse_conditions("k >= 1"), *parse_conditions("0 <= x <= 1")), frozenset([k]))
>>> Reducer(budget=5).reduce(parse_relation("(1-x)^(k+1) == (1-x)*(1-x)^k"), scope).status.value
'proved'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sympy import Add, Expr, Integer, Pow, Rational, Symbol

from symdp.arguments.derivations.report import Reduction
from symdp.formulas.relation import Relation
from symdp.numbers.domain import DomainError
from symdp.search.verdict import Status
from symdp.sources.derivations.expressions import (
    fresh,
    is_whole,
    rebuilt,
    relation_variables,
    variables_of,
)
from symdp.sources.derivations.scope import Scope

if TYPE_CHECKING:
    from symdp.arguments.derivations.obligations import Reducer

LAW = "a power with exponent m + n is a product of two powers"
_ZERO, _ONE = Integer(0), Integer(1)


def reduce_powers(
    reducer: Reducer,
    relation: Relation,
    scope: Scope,
    premises: Sequence[Relation] = (),
    role: str = "the line",
) -> Reduction | None:
    """A proof with the lowest power of each base as a variable, or None. Nothing is refuted here."""
    sides = [s for r in (relation, *premises) for s in (r.left, r.right)]
    groups = _groups(sides, scope.integers)
    if not groups:
        return None
    taken = {v for r in (relation, *premises, *scope.where) for v in relation_variables(r)}
    names: dict[Expr, Expr] = {}
    known: list[Relation] = []
    own = Reduction(())
    for base, lowest, powers in groups:
        own += reducer.hurried(2.0).reduce(Relation(lowest, ">=", _ONE), scope, premises,
                                           "the exponent is positive")
        if own.status is not Status.PROVED:
            return None
        name = fresh("power_1", taken)
        taken.add(name)
        names |= {power: name**q * base**n for power, (q, n) in powers.items()}
        found = _about(reducer, scope, premises, base, name)
        own += found[0]
        known += found[1]
    hidden = [Relation(_put(r.left, names), r.op, _put(r.right, names), r.needs)
              for r in (relation, *premises)]
    if any(part.has(*names) for r in hidden for part in r.needs):
        return None
    wanted = frozenset().union(*(relation_variables(r) for r in (*hidden, *known)))
    try:
        domain = scope.domain(wanted, (*hidden[1:], *known))
    except DomainError:
        return None
    shown = reducer.on(hidden[0], domain, role)
    return replace(own + shown, laws=(LAW,)) if shown.status is Status.PROVED else None


def _about(
    reducer: Reducer, scope: Scope, premises: Sequence[Relation], base: Expr, name: Symbol
) -> tuple[Reduction, list[Relation]]:
    """What the size of the base says of a power with an exponent of at least 1."""

    def proved(claim: Relation) -> Reduction | None:
        found = reducer.hurried(1.0).reduce(claim, scope, premises, "the size of the base", refute=False)
        return found if found.status is Status.PROVED else None

    sign = proved(Relation(base, ">", _ZERO))
    known = [Relation(name, ">", _ZERO)]
    if sign is None:
        sign, known = proved(Relation(base, ">=", _ZERO)), [Relation(name, ">=", _ZERO)]
    if sign is None:
        return Reduction(()), []
    small = proved(Relation(base, "<=", _ONE))
    if small is not None:
        return sign + small, [*known, Relation(name, "<=", base)]
    large = proved(Relation(base, ">=", _ONE))
    return (sign, known) if large is None else (sign + large, [Relation(name, ">=", base)])


#: a base, its lowest exponent, and each power b^e of it as (q, n): b^e = (b^lowest)^q b^n
_Group = tuple[Expr, Expr, dict[Expr, tuple[int, int]]]


def _groups(sides: Iterable[Expr], integers: frozenset[Symbol]) -> list[_Group]:
    """The powers in the sides that can be written with another; the outermost of each kind."""
    found = sorted({p for side in sides for p in side.atoms(Pow)
                    if variables_of(p.exp) and is_whole(p.exp, integers)}, key=str)
    groups = []
    for base in dict.fromkeys(p.base for p in found):
        powers = [p for p in found if p.base == base]
        parts = {p: p.exp.as_coeff_Add() for p in powers}
        steps = {p: _coefficient(symbolic) for p, (_, symbolic) in parts.items()}
        least = min(steps.values())
        unit = next(parts[p][1] for p in powers if steps[p] == least)
        start = min(parts[p][0] for p in powers if parts[p][1] == unit)
        written: dict[Expr, tuple[int, int]] = {}
        for p in powers:
            q = parts[p][1] / unit
            n = parts[p][0] - q * start
            if q.is_Integer and q > 0 and n.is_Integer and n >= 0:
                written[p] = (int(q), int(n))
        if len(written) == len(powers) > 1:
            groups.append((base, Add(unit, start), written))
    return groups


def _coefficient(symbolic: Expr) -> Rational:
    """A size by which exponents such as k and 2k are told apart."""
    return abs(Add.make_args(symbolic)[0].as_coeff_Mul()[0])


def _put(expr: Expr, names: dict[Expr, Expr]) -> Expr:
    if expr in names:
        return names[expr]
    if not expr.args or not expr.has(*names):
        return expr
    return rebuilt(expr, [_put(a, names) for a in expr.args])
