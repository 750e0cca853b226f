r"""Branch and bound: cut the domain into boxes until an enclosure settles each of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import sympy
from sympy import Rational, Symbol, oo

from symdp.kernel.proof import Rejected
from symdp.kernel.rules.paving import SETTLED, Box, halves
from symdp.numbers.domain import Domain, Interval
from symdp.numbers.ranges import Undefined, Unsupported, precision
from symdp.search.deadline import is_past
from symdp.search.view import calculus, rules  # noqa: F401 - the rules register themselves
from symdp.search.view.goals import RULES, Move, Target
from symdp.search.view.paving import GradientInView

#: No more open boxes than this are kept; the search then ends undecided.
QUEUE_LIMIT = 20_000
#: Cuts after which a box is small enough for the mean-value form to pay.
SMALL = 5

Path = tuple[int, ...]


@dataclass(frozen=True)
class Bisection:
    """A step for the whole goal; or the reason, the smallest box that resisted, and what is proved."""

    step: Move | None
    boxes: int
    reason: str = ""
    stuck: Domain | None = None
    proved: list[tuple[Path, Domain]] = field(default_factory=list)

    def proved_part(self) -> str:
        """Where the claim is proved, in words."""
        if not self.proved:
            return "proved nowhere yet"
        variables = self.proved[0][1].variables
        if len(variables) == 1:
            pieces = merged([d.intervals[variables[0]] for _, d in self.proved])
            if len(pieces) <= 4:
                return f"proved for {variables[0]} in {' and '.join(str(p) for p in pieces)}"
        share = sum(2.0 ** -len(path) for path, _ in self.proved)
        return f"proved on {len(self.proved)} boxes, {share:.0%} of the domain counted by halvings"


def merged(intervals: list[Interval]) -> list[Interval]:
    """Neighbouring intervals joined.

    >>> from sympy import Integer
    >>> a, b = Interval(Integer(0), Integer(1)), Interval(Integer(1), Integer(2))
    >>> [str(i) for i in merged([b, a])]
    ['[0, 2]']
    """
    joined: list[Interval] = []
    for i in sorted(intervals, key=lambda i: float(i.lower)):
        last = joined[-1] if joined else None
        if last is not None and last.upper == i.lower and not (last.upper_open and i.lower_open):
            joined[-1] = Interval(last.lower, i.upper, last.lower_open, i.upper_open)
        else:
            joined.append(i)
    return joined


def bisect(
    goal: Target,
    deadline: float,
    bits: int,
    most_boxes: int = QUEUE_LIMIT,
    locally: Callable[[Target, int], Move | None] = lambda goal, depth: None,
) -> Bisection:
    """Cut at the middle of the relatively widest side, the largest boxes first.

    ``locally`` may close a box that its enclosure leaves open.
    """
    settled: dict[Path, Move] = {}
    where: list[tuple[Path, Domain]] = []
    cuts: dict[Path, tuple[Symbol, Rational]] = {}
    queue: deque[tuple[Path, Target]] = deque([((), goal)])
    boxes = 0

    def ended(reason: str, stuck: Target) -> Bisection:
        smallest = queue[-1][1] if queue else stuck
        return Bisection(None, boxes, reason, smallest.domain, where)

    while queue:
        path, current = queue.popleft()
        boxes += 1
        leaf = close(current, bits, len(path)) or locally(current, len(path))
        if leaf is not None:
            settled[path] = leaf
            where.append((path, current.domain))
            continue
        if boxes > most_boxes or len(queue) > QUEUE_LIMIT:
            return ended(f"{boxes} boxes were not enough", current)
        if is_past(deadline):
            return ended("the time was up", current)
        cut = choose_cut(current.domain, len(path))
        if cut is None or len(path) > 200:
            return ended("a box resists that cannot be cut further", current)
        cuts[path] = cut
        v, at = cut
        halves = RULES["split"](current, {"variable": v, "at": at})
        queue.extend(((*path, side), half) for side, half in enumerate(halves))
    return Bisection(_assemble((), cuts, settled), boxes)


def pave(goal: Target, deadline: float, bits: int, most: int) -> tuple[Move | None, int]:
    """A paving of a finite box without conditions, if that many boxes are enough; and their number.

    The piece at hand is always the lower half of the last one cut, so that the cuts come in the order
    in which the kernel reads them. The side is cut along which the gap changes most, but from time
    to time the widest, so that no side is left whole for ever.
    """
    cuts: list[int] = []
    if not goal.domain.variables:  # a single number: an enclosure tells, or nothing does
        return None, 0
    try:
        with precision(bits):
            gradient = GradientInView(goal, bits)
            pieces: list[tuple[Box, int]] = [(gradient.whole, 0)]
            while pieces:
                box, depth = pieces.pop()
                if len(cuts) >= most or depth > 60 or is_past(deadline):
                    return None, len(cuts)
                place = _place_to_cut(gradient, box, depth)
                cuts.append(place)
                if place != SETTLED:
                    lower, upper = halves(box, place)
                    pieces += [(upper, depth + 1), (lower, depth + 1)]
    except (Rejected, Undefined, Unsupported, ArithmeticError, TypeError):
        return None, len(cuts)
    return Move("paving", {"bits": bits, "along": goal.domain.variables, "cuts": cuts}), len(cuts)


def _place_to_cut(gradient: GradientInView, box: Box, depth: int) -> int:
    """The coordinate to cut, or SETTLED."""
    if gradient.settles(box):
        return SETTLED
    widths = [float(side.hi) - float(side.lo) for side in box]
    try:
        slopes = [slope(box) for slope in gradient.slopes]
    except Undefined:
        return widths.index(max(widths))
    if depth % 6 == 5:
        return widths.index(max(widths))
    changes = [
        0.0 if s.lo >= 0 or s.hi <= 0 else max(-float(s.lo), float(s.hi)) * w
        for s, w in zip(slopes, widths, strict=True)
    ]
    if not max(changes) > 0:
        return widths.index(max(widths))
    return changes.index(max(changes))


def _assemble(
    path: Path, cuts: dict[Path, tuple[Symbol, Rational]], settled: dict[Path, Move]
) -> Move:
    if path in settled:
        return settled[path]
    v, at = cuts[path]
    halves = tuple(_assemble((*path, side), cuts, settled) for side in (0, 1))
    return Move("split", {"variable": v, "at": at}, halves)


def close(goal: Target, bits: int, depth: int = 0) -> Move | None:
    """A step without premises that settles the goal at once, if there is one."""
    parameters = {"bits": bits}
    names = ["enclosure"]
    if goal.domain.conditions:
        names.append("infeasible")
    if depth >= SMALL and goal.domain.is_finite():
        names.append("mean-value")
    for name in names:
        try:
            if not RULES[name](goal, parameters):
                return Move(name, parameters)
        except (Rejected, ArithmeticError, TypeError):
            continue
    return None


def choose_cut(domain: Domain, depth: int) -> tuple[Symbol, Rational] | None:
    """The variable to cut and where: the widest, relative to its magnitude, but all in turn."""
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
