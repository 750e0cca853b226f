r"""Claims about a value that was given a name: the search often does better with the name than with the value.

After *with $\lambda = (E-m)/v$*, a line about $\lambda$ may be shown

* for every $\lambda$ that satisfies its conditions, with $\lambda$ = its value as one more condition; or
* with $E$ replaced by $m + v\lambda$, where the value is affine in $E$ with a factor of known sign: then
  every point of the domain is one of the points $(\lambda, \dots)$ that are left.

Either is at least as strong as the line with the value written out, and that the value satisfies the
conditions was shown when it was chosen. Nothing is refuted in this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import sympy
from sympy import Expr, Integer, Symbol

from symdp.arguments.derivations.obligations import Reducer
from symdp.arguments.derivations.report import Reduction
from symdp.arguments.sums.laws import hinted
from symdp.formulas.relation import Op, Relation
from symdp.search.verdict import Status
from symdp.sources.derivations.expressions import (
    has_sums,
    insert,
    insert_into,
    partial_parts,
    relation_variables,
    variables_of,
)
from symdp.sources.derivations.scope import Scope

_SIGNS: tuple[Op, ...] = (">", "<")


def reduce_named(
    reducer: Reducer, printed: Relation, scope: Scope, premises: Sequence[Relation] = ()
) -> Reduction | None:
    """The outcome of a proof that keeps a name, or None. The premises are as printed, too."""
    names = set(scope.meaning).intersection(relation_variables(printed))
    for name in sorted(names, key=str):
        value = scope.expand(name)
        # Where the value means nothing, no point with that name is left, and nothing would be shown.
        defined = reducer.hurried(3.0).reduce(Relation(value, "==", value), scope,
                                              role="the value is defined")
        if defined.status is not Status.PROVED:
            continue
        for relation, inner, known, needed in _ways(printed, name, scope, premises):
            if has_sums(relation.left, relation.right):
                continue
            own = defined
            if needed is not None:
                own += _known_sign(reducer, needed, scope)
                if own.status is not Status.PROVED:
                    continue
            tidied, equal = _tidied(reducer, relation, inner)
            own += equal
            found = reducer.reduce(tidied, inner, known)
            if found.status is Status.PROVED:
                return own + found
    return None


_Way = tuple[Relation, Scope, list[Relation], Expr | None]


def _ways(
    printed: Relation, name: Symbol, scope: Scope, premises: Sequence[Relation]
) -> Iterator[_Way]:
    value = scope.expand(name)
    others = replace(scope, meaning={v: e for v, e in scope.meaning.items() if v != name})
    relation = others.expand_relation(printed)
    known = [others.expand_relation(p) for p in premises]
    # What was assumed of the name before it was chosen, and everything else.
    about = [r for r in scope.assumed.get(name, ()) if not has_sums(r.left, r.right)]
    inserted = {scope.expand_relation(r) for r in about}
    rest = tuple(r for r in scope.where if r not in inserted)
    for v in sorted(variables_of(value), key=str):
        factor = sympy.diff(value, v)
        if v in scope.integers or v in variables_of(factor) or factor == 0:
            continue
        offset = hinted(lambda: sympy.expand(value - factor * v))  # noqa: B023 - called at once
        if offset is None or v in variables_of(offset):
            continue
        solution = hinted(lambda: sympy.expand((name - offset) / factor))  # noqa: B023
        if solution is None:
            continue
        where = (*(insert_into(r, {v: solution}) for r in rest), *about)
        parts = (*partial_parts(relation.left), *partial_parts(relation.right), *relation.needs)
        left, right = (insert(side, {v: solution}) for side in (relation.left, relation.right))
        needs = (insert(part, {v: solution}) for part in parts)
        lost = tuple(p for p in dict.fromkeys(needs) if not left.has(p) and not right.has(p))
        changed = Relation(left, relation.op, right, lost)
        yield (changed, replace(others, where=where),
               [insert_into(p, {v: solution}) for p in known], factor)
    equation = Relation(name, "==", value)
    yield relation, replace(others, where=(*rest, *about, equation)), known, None


def _known_sign(reducer: Reducer, factor: Expr, scope: Scope) -> Reduction:
    """That a factor does not vanish on the domain."""
    found = Reduction(())
    for op in _SIGNS:
        found = reducer.hurried(2.0).reduce(Relation(factor, op, Integer(0)), scope,
                                            role="the value determines the variable")
        if found.status is Status.PROVED:
            return found
    return found


def _tidied(reducer: Reducer, relation: Relation, scope: Scope) -> tuple[Relation, Reduction]:
    """The relation with its exponents multiplied out, where the kernel sees that this is the same."""
    sides, proved = [], Reduction(())
    for side in (relation.left, relation.right):
        tidy = hinted(lambda: side.replace(  # noqa: B023 - called at once
            sympy.exp, lambda argument: sympy.exp(sympy.expand(argument))))
        if tidy is not None and tidy != side:
            same = reducer.hurried(3.0).reduce(Relation(side, "==", tidy), scope,
                                               role="the same, multiplied out")
            if same.status is Status.PROVED:
                proved += same
                side = tidy
        sides.append(side)
    return Relation(sides[0], relation.op, sides[1], relation.needs), proved
