r"""How much a step gives away: the worst factor between its two sides, or the worst difference.

>>> from symdp.numbers.domain import Domain
>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> domain = Domain.of(parse_conditions("0 < x <= 1"))
>>> print(loss_of(parse_relation("x <= 3*x - x^2"), domain))
loses a factor: 3.0000 at x = 1/1000000000, the worst seen
>>> print(loss_of(parse_relation("x <= 3*x"), domain, sharpen=True))
loses a factor of at most 3 (proved sharp)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import islice

from sympy import Expr, Rational, Symbol

from symdp.arguments.derivations.report import Slack
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Relation
from symdp.kernel.values.ranges import Undefined, Unsupported
from symdp.numbers.domain import Domain, Interval, simple_points
from symdp.numbers.floating import function
from symdp.numbers.simple_rationals import diagonal
from symdp.search.sharpening import NoThreshold, sharpest_value
from symdp.search.verdict import digits
from symdp.search.view.goals import describe_point, range_on

_POINTS = 1_500
#: Beyond this the worst seen says more about where we looked than about the step.
_UNBOUNDED = 10_000.0


def loss_of(
    relation: Relation, domain: Domain, *, sharpen: bool = False, budget: float = 10.0
) -> Slack | None:
    """The loss of a proved inequality; None where nothing can be said."""
    if relation.op in (">=", ">"):
        relation = relation.mirrored()
    small, large = relation.left, relation.right
    try:
        points = _values(small, large, domain)
    except TypeError:
        return None
    if not points:
        return None
    kind = "factor" if all(low > 0 for _, low, _ in points) else "difference"

    def size(entry: tuple[dict[Symbol, Rational], float, float]) -> float:
        return entry[2] / entry[1] if kind == "factor" else entry[2] - entry[1]

    worst = max(points, key=size)
    point, estimate = worst[0], size(worst)
    lost = large / small if kind == "factor" else large - small
    certified = _certified(lost, point, domain)
    if certified is None:
        return None
    loss = Slack(kind, certified, describe_point(point), grows=estimate > _UNBOUNDED)
    if sharpen and kind == "factor" and not loss.grows:
        return _sharpened(loss, small, large, domain, budget)
    return loss


def _values(
    small: Expr, large: Expr, domain: Domain
) -> list[tuple[dict[Symbol, Rational], float, float]]:
    """Some points of the domain, with the values of both sides there. Guesses only."""
    variables = domain.variables
    sides = [function(side, variables) for side in (small, large)]
    gaps = [function(c.gap, variables) for c in domain.conditions]
    choices = [simple_points(domain.intervals[v], v in domain.integers) for v in variables]
    found = []
    for values in islice(diagonal(choices), _POINTS):
        at = [float(v) for v in values]
        low, high = (f(at) for f in sides)
        near = all(g(at) >= 0 for g in gaps)
        # Far out, both sides underflow, and their quotient is noise.
        visible = max(abs(low), abs(high)) > 1e-200 and (abs(low) > 1e-200 or abs(high) > 1e-6)
        if near and visible and math.isfinite(low) and math.isfinite(high):
            found.append((dict(zip(variables, values, strict=True)), low, high))
    return found


def _certified(lost: Expr, point: Mapping[Symbol, Rational], domain: Domain) -> str | None:
    """The loss at that point, by an enclosure."""
    at = Domain({v: Interval(value, value) for v, value in point.items()}, domain.integers)
    try:
        return digits(range_on(lost, at, 256), most=5)
    except (Undefined, Unsupported, TypeError):
        return None


def _sharpened(loss: Slack, small: Expr, large: Expr, domain: Domain, budget: float) -> Slack:
    """The same with the best constant proved from both sides, where that succeeds."""
    name = next(n for n in ("c", "c_loss", "c_loss_1") if Symbol(n) not in domain.intervals)
    claim = f"{to_text(large)} <= {name}*({to_text(small)})"
    where = [str(r) for r in domain.relations()]
    try:
        found = sharpest_value(claim, name, where, integer=[str(v) for v in domain.integers],
                               budget=budget)
    except (NoThreshold, ValueError, TypeError):
        return loss
    if not found.certain or found.threshold is None:
        return loss
    best = to_text(found.threshold[1])
    return Slack(loss.kind, loss.at_least, loss.point, best)
