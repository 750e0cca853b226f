r"""Branch and bound: cut the domain into boxes until the enclosure settles each of them."""

from __future__ import annotations

import time
from dataclasses import dataclass

import sympy
from sympy import Rational, Symbol, oo

from symdp.domain import Domain, Interval
from symdp.proving import rules as _rules  # noqa: F401 - the rules register themselves
from symdp.proving.enclosure import Undefined, Unsupported
from symdp.proving.kernel import RULES, Goal, Rejected, Step

#: No more open boxes than this are kept; the search then ends undecided.
QUEUE_LIMIT = 20_000


@dataclass(frozen=True)
class Outcome:
    """A step for the whole goal, or the reason and the smallest box that resisted."""

    step: Step | None
    boxes: int
    reason: str = ""
    stuck: Domain | None = None
    #: how many boxes were closed before the search ended
    settled: int = 0


def bisect(goal: Goal, deadline: float, bits: int, most_boxes: int = QUEUE_LIMIT) -> Outcome:
    """Cut at the middle of the relatively widest side, smallest boxes last.

    A depth-first walk: what is still open never exceeds the depth times the variables.
    """
    settled: dict[tuple[int, ...], Step] = {}
    cuts: dict[tuple[int, ...], tuple[Symbol, Rational]] = {}
    open_boxes: list[tuple[tuple[int, ...], Goal]] = [((), goal)]
    boxes = 0
    while open_boxes:
        path, current = open_boxes.pop()
        boxes += 1
        leaf = close(current, bits)
        if leaf is not None:
            settled[path] = leaf
            continue
        if boxes > most_boxes or len(path) > 200:
            return Outcome(
                None, boxes, f"{boxes} boxes were not enough", current.domain, len(settled)
            )
        if time.monotonic() > deadline:
            return Outcome(None, boxes, "the time was up", current.domain, len(settled))
        cut = choose_cut(current.domain, len(path))
        if cut is None:
            return Outcome(None, boxes, "a single point resists", current.domain, len(settled))
        cuts[path] = cut
        v, at = cut
        halves = RULES["split"](current, {"variable": v, "at": at})
        open_boxes.extend(((*path, side), half) for side, half in enumerate(halves))
    return Outcome(_assemble((), cuts, settled), boxes)


def _assemble(
    path: tuple[int, ...],
    cuts: dict[tuple[int, ...], tuple[Symbol, Rational]],
    settled: dict[tuple[int, ...], Step],
) -> Step:
    if path in settled:
        return settled[path]
    v, at = cuts[path]
    halves = tuple(_assemble((*path, side), cuts, settled) for side in (0, 1))
    return Step("split", {"variable": v, "at": at}, halves)


def close(goal: Goal, bits: int) -> Step | None:
    """A step without premises that settles the goal at once, if there is one."""
    parameters = {"bits": bits}
    names = ["enclosure", "infeasible"] if goal.domain.conditions else ["enclosure"]
    for name in names:
        try:
            if not RULES[name](goal, parameters):
                return Step(name, parameters)
        except (Rejected, Undefined, Unsupported):
            continue
    return None


def choose_cut(domain: Domain, depth: int) -> tuple[Symbol, Rational] | None:
    """The variable to cut and where: the widest, relative to its magnitude, in turn."""
    candidates = []
    for v, interval in domain.intervals.items():
        at = middle(interval, v in domain.integers)
        if at is not None:
            candidates.append((_relative_width(interval), v, at))
    if not candidates:
        return None
    candidates.sort(key=lambda c: (-c[0], str(c[1])))
    _, v, at = candidates[depth % len(candidates) if depth % 3 == 2 else 0]
    return v, at


def _relative_width(interval: Interval) -> float:
    if interval.lower == -oo or interval.upper == oo:
        return float("inf")
    low, high = float(interval.lower), float(interval.upper)
    return (high - low) / (1 + min(abs(low), abs(high)))


def middle(interval: Interval, integer: bool) -> Rational | None:
    """A rational strictly inside; geometric towards an infinite end.

    >>> from sympy import Integer
    >>> middle(Interval(Integer(0), oo), False), middle(Interval(Integer(8), oo), False)
    (1, 16)
    """
    lower, upper = interval.lower, interval.upper
    if lower == upper:
        return None
    if lower == -oo and upper == oo:
        at = Rational(0)
    elif upper == oo:
        at = _rationally(lower) * 2 if lower >= 1 else Rational(1)
    elif lower == -oo:
        at = _rationally(upper) * 2 if upper <= -1 else Rational(-1)
    else:
        at = (_rationally(lower) + _rationally(upper)) / 2
    if integer:
        at = sympy.floor(at)
        return at if lower <= at < upper else None
    return at if interval.contains(at) and at not in (lower, upper) else None


def _rationally(end: sympy.Expr) -> Rational:
    return end if end.is_Rational else Rational(str(end.evalf(12)))
