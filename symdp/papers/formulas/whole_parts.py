r"""Whole parts as numbers of which only x - 1 < floor(x) <= x is known.

>>> from sympy import Symbol, floor
>>> x = Symbol("x", real=True)
>>> (hidden,), facts, names = with_whole_parts([Relation(-floor(-x), ">=", x)])
>>> str(hidden), [str(r) for r in facts], [str(v) for v in names]
('-whole_1 >= x', ['whole_1 <= -x', 'whole_1 > -x - 1'], ['whole_1'])
>>> with_whole_parts([Relation(x, ">=", x)]) is None
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympy import Expr, Symbol, floor

from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation
from symdp.sources.derivations.expressions import has_sums


def with_whole_parts(
    relations: Sequence[Relation],
) -> tuple[list[Relation], list[Relation], frozenset[Symbol]] | None:
    """The relations with a name for each whole part, what is known of these, and their names; None without any.

    The first relation is claimed, the others are known. A whole part within a whole part, or within a sum, is not
    taken for a number.
    """
    found = sorted({p for r in relations for side in (r.left, r.right) for p in side.atoms(floor)}, key=str)
    if not found or any(p.args[0].has(floor) for p in found) or any(has_sums(r.left, r.right) for r in relations):
        return None
    names: dict[Expr, Symbol] = {part: symbol(f"whole_{n}") for n, part in enumerate(found, 1)}
    if any(v in r.symbols for r in relations for v in names.values()):
        return None
    # k = ceil(2m): what is known of the whole part is known of k
    values = {r.left: r.right for r in relations[1:]
              if r.op == "==" and isinstance(r.left, Symbol) and r.right.has(floor) and not r.right.has(r.left)}
    first, *known = relations
    kept = [first, *(r for r in known if r.op != "==" or values.get(r.left) != r.right)]
    put = [_put(_put(r, values), names) for r in kept]
    facts = [fact for part, name in names.items()
             for fact in (Relation(name, "<=", part.args[0]), Relation(name, ">", part.args[0] - 1))]
    return put, facts, frozenset(names.values())


def _put(r: Relation, values: Mapping[Expr, Expr]) -> Relation:
    needs = tuple(e.xreplace(values) for e in r.needs)
    return Relation(r.left.xreplace(values), r.op, r.right.xreplace(values), needs)
