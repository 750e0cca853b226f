r"""Paving: a finite box, halved again and again, with an enclosure on each piece. Not trusted.

A piece is settled by the range of the gap on it, or by the gradient: where the slope along a
coordinate keeps its sign, the gap is least at one end of that coordinate; along the others the mean
value theorem bounds it by its value at the middle. A proof by paving is nothing but the list of cuts,
so that thousands of boxes make a small certificate.

>>> from symdp.numbers.domain import Domain
>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> domain = Domain.of(parse_conditions("0 <= x <= 1"))
>>> goal = Goal.of(parse_relation("x - x^2 <= 3/10"), domain)
>>> paving(goal, {"cuts": [0, -1, -1]})
[]
>>> paving(goal, {"cuts": [-1]})
Traceback (most recent call last):
...
symdp.kernel.proof.Rejected: a piece of the paving is not settled: [0, 1]
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb

from symdp.kernel.values.ranges import Range, Undefined, add, mul, precision
from symdp.numbers.domain import Domain
from symdp.search.view.goals import Goal, Parameters, Rejected, bits_of, box_of, rule, tape_of
from symdp.search.view.side_conditions import DERIVATIVE, derivative, need_defined, need_smooth

Box = Sequence[Range]

#: In a list of cuts: this piece is not cut any further.
SETTLED = -1
MOST_CUTS = 200_000


class Gradient:
    """The gap of a goal and its slopes, to be bounded on boxes inside the goal's own.

    Conditions of the domain are not used: the mean value theorem passes through points at which they
    may fail.
    """

    def __init__(self, goal: Goal, bits: int) -> None:
        if goal.op == "==":
            raise Rejected("an equality is shown by identity")
        domain = Domain(goal.domain.intervals)
        if not domain.is_finite():
            raise Rejected("the mean-value form needs a finite box")
        need_defined((goal.left, goal.right), goal.domain, bits)
        for v in domain.variables:
            need_smooth(goal.gap, v, domain)
        self.strict, self.whole = goal.strict, box_of(domain)
        self.gap = tape_of(goal.gap, domain)
        self.slopes = [tape_of(derivative(goal.gap, v), domain) for v in domain.variables]

    def bounds(self, box: Box) -> tuple[arb, list[Range]]:
        """A number that the gap does not go below on the box, and the ranges of its slopes."""
        slopes = [slope(box) for slope in self.slopes]
        anchor: list[Range] = []  # the point from which the mean value theorem starts
        edge: list[Range] = []  # the box, pushed to the ends at which the gap is least
        sideways = Range(arb(0), arb(0))
        for slope, side in zip(slopes, box, strict=True):
            if slope.lo >= 0 or slope.hi <= 0:
                end = side.lo if slope.lo >= 0 else side.hi
                anchor.append(Range(end, end))
                edge.append(anchor[-1])
            else:
                middle = middle_of(side)
                anchor.append(middle)
                edge.append(side)
                away = Range((side.lo - middle.lo).lower(), (side.hi - middle.lo).upper())
                sideways = add(sideways, mul(slope, away))
        least = add(self.gap(anchor), sideways).lo
        if any(one is not other for one, other in zip(edge, box, strict=True)):
            natural = self.gap(edge).lo
            least = natural if natural > least else least
        return least, slopes

    def suffices(self, least: arb) -> bool:
        return bool(least > 0 or (least == 0 and not self.strict))

    def settles(self, box: Box) -> bool:
        """Whether the gap is seen to have the right sign on the box."""
        try:
            return self.suffices(self.gap(box).lo) or self.suffices(self.bounds(box)[0])
        except Undefined:  # a slope; the gap itself is defined on the whole box
            return False


def middle_of(r: Range) -> Range:
    """A point of the range near its middle; rounding must not push it outside."""
    m = ((r.lo + r.hi) / 2).mid()
    m = r.lo if m < r.lo else r.hi if m > r.hi else m
    return Range(m, m)


def halves(box: Box, place: int) -> tuple[list[Range], list[Range]]:
    """The two parts of a box, cut in the middle along one coordinate; together they cover it."""
    side, at = box[place], middle_of(box[place]).lo
    lower, upper = Range(side.lo, at), Range(at, side.hi)
    return [*box[:place], lower, *box[place + 1 :]], [*box[:place], upper, *box[place + 1 :]]


@rule("Arb", DERIVATIVE)
def mean_value(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The gap at one point and the ranges of its slopes bound it on a finite box."""
    bits = bits_of(parameters)
    with precision(bits):
        gradient = Gradient(goal, bits)
        least = gradient.bounds(gradient.whole)[0]
    if not gradient.suffices(least):
        raise Rejected(f"the mean-value form goes down to {least.str(5, radius=False)}")
    return []


@rule("Arb", DERIVATIVE)
def paving(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The box is cut as the list says, the lower half first, and each piece is settled."""
    bits, cuts = bits_of(parameters), parameters["cuts"]
    if not isinstance(cuts, list) or len(cuts) > MOST_CUTS:
        raise Rejected(f"the cuts are not a list of at most {MOST_CUTS} entries")
    with precision(bits):
        gradient = Gradient(goal, bits)
        pieces: list[Box] = [gradient.whole]
        order = goal.domain.variables
        along = [order.index(v) for v in parameters.get("along", order)]  # which names come first is chance
        for cut in cuts:
            if not pieces:
                raise Rejected("there are more cuts than pieces")
            piece = pieces.pop()
            if cut == SETTLED:
                if not gradient.settles(piece):
                    where = " x ".join(str(side) for side in piece)
                    raise Rejected(f"a piece of the paving is not settled: {where}")
                continue
            if type(cut) is not int or not 0 <= cut < len(piece):
                raise Rejected(f"{str(cut)[:20]!r} is no coordinate")
            lower, upper = halves(piece, along[cut])
            pieces += [upper, lower]
        if pieces:
            raise Rejected(f"{len(pieces)} pieces of the paving are left open")
    return []
