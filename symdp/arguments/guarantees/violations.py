r"""Points at which a guarantee fails: simple ones first, then some that look suspicious in floats.

Nothing here is trusted: a violation is the kernel's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice, product
from typing import Any

from flint import fmpq
from sympy import Rational, Symbol, exp, oo, sqrt

from symdp.arguments.guarantees.findings import Violation, fraction
from symdp.arguments.guarantees.loss_sizes import sizes_of
from symdp.formulas.notation import Phi
from symdp.kernel.goals import Goal, Relation
from symdp.kernel.proof import Rejected
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.rules.privacy import (
    Private,
    Sequence,
)
from symdp.kernel.terms import (
    ZERO,
)
from symdp.kernel.values.points import Members, Point
from symdp.kernel.witness import refute
from symdp.numbers import floating
from symdp.numbers.domain import Domain
from symdp.search.deadline import TimeIsUp, hard_deadline, is_past
from symdp.search.elaboration.goal_views import sums_in, view_of
from symdp.search.elaboration.steps_for_goals import points_of
from symdp.search.memories import memory

#: Points that are looked at, and the share of the budget that they may take.
POINTS, SHARE = 400, 0.25
#: After the simplest points come some that look suspicious among many more.
FIRST, SUSPECTS, SCREENED = 40, 24, 6000
Parameters = tuple[tuple[Rational, Rational], ...]
_SEQUENCES = (
    ((1, 0),), ((1, 0), (1, 0)), ((Rational(1, 10), 0),), ((Rational(1, 2), Rational(1, 100)),),
    ((1, Rational(1, 10)), (1, Rational(1, 10))), ((Rational(1, 10), 0), (2, 0)), ((3, 0),),
    tuple((Rational(1, 10), Rational(1, 1000)) for _ in range(10)),
)


#: guarantees of which all of these points were looked at
_UNBROKEN = memory()


def find_violation(goal: Goal, deadline: float, *, simplest: bool = False) -> Violation | None:
    """A point at which the exact composition breaks the guarantee: one of the ``simplest``, or of the others."""
    if not isinstance(goal.claim, Private) or (goal, simplest) in _UNBROKEN:
        return None
    points = _points(goal, goal.claim)
    for values, families in islice(points, FIRST) if simplest else islice(points, FIRST, None):
        if is_past(deadline):
            return None
        try:
            with hard_deadline(2.0):
                return Violation(refute(goal, Point(values, families)))
        except (Rejected, TimeIsUp):
            continue
    _UNBROKEN[goal, simplest] = True
    return None


def _points(goal: Goal, claim: Private) -> Iterator[tuple[dict[str, fmpq], dict[str, Members]]]:
    """Simple points; behind the first of them some that look suspicious."""
    if isinstance(claim.subject, Sequence):
        yield from _points_of_sequences(goal, claim.subject)
        return
    domain = _domain(goal)
    points = islice(points_of(domain), POINTS)
    for point in chain(islice(points, FIRST), islice(_suspects(goal, claim, domain), SUSPECTS), points):
        yield _exact(point), {}


def _exact(point: Mapping[Symbol, Any]) -> dict[str, fmpq]:
    return {str(v): fraction(u) for v, u in point.items()}


def _domain(goal: Goal) -> Domain:
    """The box and the conditions on its variables, for choosing points."""
    return view_of(Goal(goal.sorts, goal.hypotheses, Relation(ZERO, "<=", ZERO), goal.families))[1]


def _points_of_sequences(
    goal: Goal, subject: Sequence
) -> Iterator[tuple[dict[str, fmpq], dict[str, Members]]]:
    names = [t.value if t.head == "member" else None for t in (subject.epsilon, subject.delta)]
    count = str(subject.count)
    rest = tuple((n, s) for n, s in goal.sorts if n != count)
    plain = tuple(h for h in goal.hypotheses if count not in h.variables and not h.families)
    domain = _domain(Goal(rest, plain, Relation(ZERO, "<=", ZERO)))
    for sequence, point in product(_SEQUENCES, list(islice(points_of(domain), POINTS))):
        if names[1] is None and any(d != 0 for _, d in sequence):
            continue
        families = {}
        for place, name in enumerate(names):
            if name is not None:
                table = {i: fraction(Rational(pair[place]))
                         for i, pair in enumerate(sequence, 1)}
                families[name] = Members(table, fmpq(0))
        yield {**_exact(point), count: fmpq(len(sequence))}, families


def _suspects(goal: Goal, claim: Private, domain: Domain) -> Iterator[dict[Symbol, Any]]:
    """Points at which a normal law with the moments of the loss would break the guarantee.

    The worst case of many steps is near to that law; in machine floats, only to choose where to look.
    """
    sizes = sizes_of(claim, goal)
    if sizes is None or sums_in(claim.terms()):
        return
    spread = sqrt(sizes.squares)
    away = (sizes.mean - sizes.epsilon) / spread
    tilted = exp(sizes.epsilon - sizes.mean + sizes.squares / 2) * Phi(away - spread)
    needed = 1 - sizes.survival * (1 - Phi(away) + tilted)
    most = sizes.total if sizes.total != oo else 1 + sizes.epsilon
    claimed, wanted, epsilon, total = (
        floating.function(e, domain.variables) for e in (sizes.delta, needed, sizes.epsilon, most))
    idle = frozenset(domain.variables) - sizes.epsilon.free_symbols - away.free_symbols
    for point in islice(points_of(domain, idle), SCREENED):
        at = [float(u) for u in point.values()]  # type: ignore[arg-type]
        if wanted(at) > 1.01 * claimed(at) + 1e-12 and epsilon(at) < total(at):  # no loss is above the total
            yield point
