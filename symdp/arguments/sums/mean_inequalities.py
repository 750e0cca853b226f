r"""Cauchy-Schwarz and Jensen for finite sums: what they say of sums that became variables.

Each law has conditions on the terms, which the kernel has to prove, and then says one relation between sums that
occur in the claim:

* **Cauchy-Schwarz**: if $h^2 = pq$, $p \ge 0$ and $q \ge 0$ for every term, then
  $(\sum h)^2 \le \sum p \sum q$. A sum of ones is the number of terms, so that this bounds $(\sum a)^2$ by
  $n \sum a^2$ and $n^2$ by $\sum a \sum 1/a$.
* **Jensen**: if $w \ge 0$ for every term and $W = \sum w > 0$, then
  $\sum w\,\varphi(u) \ge W \varphi(\sum w u / W)$ for a convex $\varphi$: an exponential, or a power above 1 or
  below 0. For a logarithm, and a power between 0 and 1, it is the other way round. Where $\varphi$ needs it, $u$
  is positive.

The kernel has no rule for them: a line that needs one is found right, and not proved.

>>> from sympy import IndexedBase, Sum, exp, symbols
>>> from symdp.arguments.derivations.obligations import Reducer
>>> from symdp.formulas.parsing import parse_conditions
>>> from symdp.formulas.relation import Relation
>>> from symdp.sources.derivations.scope import Scope
>>> n, i = symbols("n i")
>>> a, scope = IndexedBase("a"), Scope(parse_conditions("n >= 1"), frozenset([n]))
>>> squares = Relation(Sum(a[i], (i, 1, n)) ** 2, "<=", n * Sum(a[i] ** 2, (i, 1, n)))
>>> outcome = Reducer(budget=5).reduce(squares, scope)
>>> outcome.status.value, "Cauchy-Schwarz" in outcome.laws
('proved', True)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import sympy
from sympy import Expr, Integer, Mul, Pow, S, Sum, Symbol

from symdp.arguments.sums.laws import Range, hinted
from symdp.formulas.relation import Op, Relation
from symdp.sources.derivations.expressions import insert, terms, variables_of

if TYPE_CHECKING:
    from symdp.arguments.sums.sums_as_variables import Abstraction

#: Sums that are looked at, and seconds for bringing one product of terms to a common form.
_MOST, _HINT = 5, 0.3
_ZERO = Integer(0)


class Summed(NamedTuple):
    """The terms of a sum, and what stands for it."""

    body: Expr
    value: Expr


def mean_inequalities(abstraction: Abstraction) -> list[Relation]:
    """What both laws say of the sums of a claim that have their range in common."""
    sums = [(a, name) for a, name in abstraction.atoms.items() if isinstance(a, Sum) and len(a.limits) == 1]
    found: list[Relation] = []
    for span, entries in _by_range(sums[:_MOST]):
        count = span[2] - span[1] + 1
        if not abstraction.prove(Relation(count, ">=", Integer(1))):
            continue
        every = [*entries, Summed(S.One, count)]
        found += _cauchy_schwarz(abstraction, span, every)
        for entry in entries:
            found += _jensen(abstraction, span, entry, count)
    return found


def _by_range(sums: list[tuple[Expr, Symbol]]) -> list[tuple[Range, list[Summed]]]:
    groups: list[tuple[Range, list[Summed]]] = []
    for atom, name in sums:
        body, i, low, high = terms(atom)
        for (j, start, end), entries in groups:
            if start == low and end == high:
                entries.append(Summed(insert(body, {i: j}), name))
                break
        else:
            groups.append(((i, low, high), [Summed(body, name)]))
    return groups


def _cauchy_schwarz(abstraction: Abstraction, span: Range, entries: list[Summed]) -> Iterator[Relation]:
    for h in entries:
        for place, p in enumerate(entries):
            for q in entries[place:]:
                if h in (p, q) or hinted(lambda: (h.body**2 - p.body * q.body).expand(), _HINT) != 0:  # noqa: B023
                    continue
                if all(abstraction.prove(Relation(e.body, ">=", _ZERO), (span,)) for e in (p, q)):
                    abstraction.laws.note("Cauchy-Schwarz")
                    yield Relation(h.value**2, "<=", p.value * q.value)
                    yield Relation(h.value, "<=", sympy.sqrt(p.value) * sympy.sqrt(q.value))


def _jensen(abstraction: Abstraction, span: Range, entry: Summed, count: Expr) -> Iterator[Relation]:
    i = span[0]
    for factor in Mul.make_args(entry.body):
        if i not in variables_of(factor):
            continue
        inside, convex, needs = _curved(factor)
        if inside is None or i not in variables_of(inside):
            continue
        weight = entry.body / factor
        total = _known_sum(abstraction, weight, span, count)
        mean = _known_sum(abstraction, weight * inside, span, count)
        if total is None or mean is None:
            continue
        asked = [Relation(weight, ">", _ZERO), *([Relation(inside, needs, _ZERO)] if needs else [])]
        if all(abstraction.prove(r, (span,)) for r in asked if variables_of(r.left)):
            abstraction.laws.note("Jensen")
            yield Relation(total, ">", _ZERO)
            value = total * factor.func(*(mean / total if a == inside else a for a in factor.args))
            yield Relation(entry.value, ">=" if convex else "<=", value)


def _curved(factor: Expr) -> tuple[Expr | None, bool, Op | None]:
    """The argument of a function, whether that is convex (else it is concave), and the sign it needs."""
    if isinstance(factor, sympy.exp):
        return factor.args[0], True, None
    if isinstance(factor, sympy.log):
        return factor.args[0], False, ">"
    if isinstance(factor, Pow) and factor.exp.is_Rational and factor.exp not in (0, 1):
        power = factor.exp
        if power.is_Integer and power > 0 and power % 2 == 0:
            return factor.base, True, None
        return factor.base, bool(power > 1 or power < 0), ">" if power < 0 else ">="
    return None, False, None


def _known_sum(abstraction: Abstraction, body: Expr, span: Range, count: Expr) -> Expr | None:
    """The sum of these terms by sums that the claim speaks of."""
    i, low, high = span
    body = hinted(lambda: sympy.powsimp(body).expand(), _HINT) if body != 1 else body
    if body is None:
        return None
    if i not in variables_of(body):
        return body * count
    value = abstraction.laws.simplified(Sum(body, (i, low, high)))
    new = {a for a in value.atoms(Sum) if a not in abstraction.atoms
           and not any(abstraction.same(known, a) for known in abstraction.atoms)}
    return None if new else abstraction.hidden(value)
