r"""Order relations that fail: a path in the domain along which the ratio goes elsewhere.

A :class:`Departure` is made by :func:`depart` alone, which checks that the path stays in the domain,
that its moving variables tend to their limits, that fixed ones stay, that integers are integers at
$t = 1/n$, and that the leading terms of both sides along the path contradict the order. The search for
a path may be clever; it cannot lie.

>>> from sympy import exp
>>> from symdp.domain import Domain
>>> from symdp.notation import x
>>> from symdp.parsing import parse_conditions
>>> q = Question(exp(x) - 1, "O", x, Domain.of(parse_conditions("x > 0")))
>>> print(find_departure(q))
along x = 1/t the ratio of the two sides tends to oo
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import islice, pairwise
from typing import Any

import sympy
from sympy import Expr, Integer, Symbol, oo

from symdp import floating
from symdp.domain import Interval, simple_points
from symdp.expansions.leading import leading, limit_at, limit_of, quotient
from symdp.expansions.question import Question
from symdp.expansions.setting import NoExpansion
from symdp.notation import symbol
from symdp.proving.certificate import FORMAT, versions
from symdp.proving.enclosure import sign_of_constant
from symdp.proving.evidence import Evidence
from symdp.proving.kernel import Rejected
from symdp.relation import Relation
from symdp.simplest import diagonal
from symdp.text import to_text

ZERO = Integer(0)
Path = Mapping[Symbol, Expr]
_SEAL = object()


class Departure(Evidence):
    """A path along which an order relation fails. Made by :func:`depart` alone."""

    trust = frozenset({"Arb"})
    supports = False

    def __init__(self, question: Question, path: Path, limit: Expr, seal: object = None) -> None:
        if seal is not _SEAL:
            raise TypeError("only `depart` makes a Departure")
        self.question, self.path, self.limit = question, dict(path), limit

    def __str__(self) -> str:
        path = ", ".join(f"{v} = {to_text(e)}" for v, e in self.path.items())
        return f"along {path} the ratio of the two sides tends to {_shown(self.limit)}"

    def as_json(self) -> dict[str, Any]:
        row = {str(v): to_text(e) for v, e in self.path.items()}
        wanted = {"O": "bounded", "Theta": "between two positive constants", "o": "0", "~": "1"}
        return {**row, "left": f"ratio tends to {_shown(self.limit)}",
                "right": f"ratio {wanted[self.question.order]}", "violation": _shown(self.limit)}

    def certificate(self, name: str) -> dict[str, Any]:
        return {"format": FORMAT, "kind": "order", "name": name, "claim": str(self.question),
                "path": {str(v): to_text(e) for v, e in self.path.items()},
                "trust": sorted(self.trust), "versions": versions()}

    def __reduce__(self) -> tuple[Callable[..., Departure], tuple[Any, ...]]:
        return depart, (self.question, self.path)


def _shown(limit: Expr) -> str:
    return "oo" if limit == oo else "-oo" if limit == -oo else to_text(limit)


def parameter(question: Question) -> Symbol:
    """The variable of paths: t, or another letter where that is taken."""
    return next(v for v in map(symbol, ("t", "tau", "theta", "w_")) if v not in question.domain.intervals)


def depart(question: Question, path: Path) -> Departure:
    """The departure along a path, or Rejected with the reason."""
    t = parameter(question)
    path = {v: path[v] for v in question.domain.variables}
    for v, e in path.items():
        if e.free_symbols - {t}:
            raise Rejected(f"{v} = {e} is not a path in {t} alone")
        if v in question.fixed and e.free_symbols:
            raise Rejected(f"{v} is fixed and may not move")
        if v in question.domain.integers and not _is_whole(e, t):
            raise Rejected(f"{v} = {e} is not seen to be an integer at t = 1/n")
    try:
        for v, limit in question.moving.items():
            if limit_at(path[v], t, ZERO) != limit:
                raise Rejected(f"{v} = {path[v]} does not tend to {limit}")
        for relation in question.domain.relations():
            if not _holds(relation, t, path):
                raise Rejected(f"the path is not seen to keep {relation}")
        sides = [leading(side, t, ZERO, "+", None, path) for side in (question.left, question.right)]
        limit = limit_of(quotient(*sides))
    except NoExpansion as reason:
        raise Rejected(str(reason)) from reason
    if not contradicts(question.order, limit):
        raise Rejected(f"the ratio tends to {limit}, which does not contradict the claim")
    return Departure(question, path, limit, _SEAL)


def contradicts(order: str, limit: Expr) -> bool:
    """Whether a ratio with that limit is not of the order; certain."""
    infinite = limit in (oo, -oo)
    if order == "O":
        return infinite
    if order == "Theta":
        return infinite or limit == 0
    if order == "o":
        return infinite or bool(limit != 0 and sign_of_constant(limit) not in (0, None))
    return infinite or sign_of_constant(limit - 1) in (1, -1)


def _is_whole(e: Expr, t: Symbol) -> bool:
    if not e.free_symbols:
        return bool(e.is_Integer)
    c, power = e.as_coeff_Mul()
    base, exponent = power.as_base_exp()
    return bool(c.is_Integer and base == t and exponent.is_Integer and exponent < 0)


def _holds(relation: Relation, t: Symbol, path: Path) -> bool:
    """Whether a relation holds along the path for all small t."""
    gap = relation.gap
    if gap.subs(path) == 0:
        return not relation.strict
    if relation.op == "==":
        return False
    term = leading(gap, t, ZERO, "+", None, path)
    return sign_of_constant(term.coefficient) == 1


# --- the search -----------------------------------------------------------------------------------


def find_departure(question: Question, most: int = 4000, tries: int = 8) -> Departure | None:
    """A path that refutes the claim, the simplest one that was found, or None."""
    t = parameter(question)
    variables = question.domain.variables
    choices = [list(_ways(question, v, t)) for v in variables]
    ratio = floating.function(question.left / question.right, variables)
    sampled = [[(way, _values(way, t)) for way in ways] for ways in choices]
    tried = 0
    for ways in islice(diagonal(sampled), most):
        if not any(e.free_symbols for e, _ in ways):
            continue
        sizes = [abs(ratio(place)) for place in zip(*(values for _, values in ways), strict=True)]
        if not _looks_bad(question.order, sizes):
            continue
        try:
            return depart(question, dict(zip(variables, (e for e, _ in ways), strict=True)))
        except Rejected:
            tried += 1
            if tried >= tries:
                break
    return None


def _ways(question: Question, v: Symbol, t: Symbol) -> Iterator[Expr]:
    """How a variable may behave along a path, simple ways first."""
    interval, whole = question.domain.intervals[v], v in question.domain.integers
    if v in question.moving:
        yield from _towards(question.moving[v], interval, whole, t)
        return
    yield from simple_points(interval, whole)[:3]
    if v in question.fixed:
        return
    yield from _towards(interval.upper, interval, whole, t)
    if not whole:
        yield from _towards(interval.lower, interval, whole, t)


def _towards(limit: Expr, interval: Interval, whole: bool, t: Symbol) -> Iterator[Expr]:
    if limit == -oo:
        yield -1 / t
    elif limit == oo:
        yield from (1 / t, 1 / t**2, 1 / t**4)
        if not whole:
            yield sympy.exp(1 / t)
    else:
        steps = (t, t**2, t**4, sympy.exp(-1 / t), sympy.sqrt(t))
        sign = -1 if limit == interval.upper else 1
        yield from (limit + sign * step for step in steps)


def _values(way: Expr, t: Symbol) -> list[float]:
    f = floating.function(way, [t])
    return [f([1 / time]) for time in (6, 12, 24, 48)]


def _looks_bad(order: str, sizes: list[float]) -> bool:
    """Sizes of the ratio on the way, in machine floats: only to choose which path is tried."""
    if any(math.isnan(s) for s in sizes):
        return False
    grows = all(b > 1.08 * a for a, b in pairwise(sizes))
    falls = all(b < 0.92 * a for a, b in pairwise(sizes))
    if order == "O":
        return grows
    if order == "Theta":
        return grows or falls
    if order == "o":
        return not falls and sizes[-1] > 0
    return not abs(sizes[-1] - 1) < 0.8 * abs(sizes[0] - 1)


