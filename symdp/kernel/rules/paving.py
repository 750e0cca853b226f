r"""Paving: a finite box, halved again and again, with an enclosure on each piece. **Trusted.**

A piece is settled by the range of the gap on it, or by the gradient: where the slope along a coordinate
keeps its sign, the gap is least at one end of that coordinate; along the others the mean value theorem
bounds it by its value at the middle. A proof by paving is nothing but the list of cuts, so that thousands
of boxes make a small certificate.
"""

from collections.abc import Iterator, Sequence

from flint import arb

from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Parameters, Rejected, bits_of, rule
from symdp.kernel.rules.analysis import stated
from symdp.kernel.terms import number, variable
from symdp.kernel.values.calculus import derivative, need_smooth
from symdp.kernel.values.conditions import is_bound_of, need_defined
from symdp.kernel.values.enclosure import box_of, knowledge_of
from symdp.kernel.values.ranges import Range, add, mul, precision

Box = Sequence[Range]

#: In a list of cuts: this piece is not cut any further.
SETTLED = -1
MOST_CUTS = 200_000


class Gradient:
    """The gap of a goal and its slopes, to be bounded on boxes inside the goal's own.

    Only bounds of variables by constants are used: the mean value theorem passes through points at which
    other hypotheses may fail, and through numbers between the integers.
    """

    def __init__(self, goal: Goal, parameters: Parameters) -> None:
        r, bits = goal.relation, bits_of(parameters)
        Rejected.unless(r.op != "==", "an equality is shown by identity")
        need_defined((r.left, r.right), goal, bits)
        gap = stated(parameters, "gap", r.gap, goal)
        names = list(parameters.get("along", [n for n in goal.variables if n in gap.variables]))
        Rejected.unless(sorted(names) == sorted(gap.variables), "the coordinates are not the variables of the gap")
        bounds = tuple(h for h in goal.hypotheses if any(is_bound_of(h, n) for n in names))
        box = Goal(tuple((n, REAL) for n in names), bounds, Relation(gap, "<=", gap))
        # The theorem starts at ends of boxes, which are rounded: also beyond 1/3 or pi/2 the gap must be smooth.
        ends = [(n, Range(e, e).sharp().exact, op) for n, side in box_of(box, bits).items() for e, op in (
            (side.lo, ">" if side.lo_open else ">="), (side.hi, "<" if side.hi_open else "<="))]
        Rejected.unless(all(e is not None for _, e, _ in ends), "the mean-value form needs a finite box")
        box = box.under(tuple(Relation(variable(n), op, number(e)) for n, e, op in ends if e is not None))
        self.strict, self.whole = r.op == "<", list(box_of(box, bits).values())
        for n in names:
            need_smooth(gap, n, box)
        given, tape = dict(zip(names, parameters.get("slopes", ()), strict=False)), knowledge_of(box).tape
        self.gap = tape(gap)
        self.slopes = [tape(stated({**parameters, **({"slope": given[n]} if n in given else {})}, "slope",
                                   derivative(gap, n), box)) for n in names]

    def bounds(self, box: Box) -> Iterator[arb]:
        """Numbers that the gap does not go below on the box."""
        yield self.gap(box).lo
        anchor: list[Range] = []  # the point from which the mean value theorem starts
        edge: list[Range] = []  # the box, pushed to the ends at which the gap is least
        sideways = Range(arb(0), arb(0))
        for tape, side in zip(self.slopes, box, strict=True):
            slope = tape(box)
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
        yield add(self.gap(anchor), sideways).lo
        yield self.gap(edge).lo

    def settles(self, box: Box) -> bool:
        """Whether the gap is seen to have the right sign on the box."""
        try:
            return any(least > 0 or (least == 0 and not self.strict) for least in self.bounds(box))
        except ArithmeticError:  # a slope; the gap itself is defined on the whole box
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
    return [*box[:place], lower, *box[place + 1:]], [*box[:place], upper, *box[place + 1:]]


@rule()
def paving(goal: Goal, parameters: Parameters) -> list[Goal]:
    """The box is cut as the list says, the lower half first, and each piece is settled."""
    cuts = parameters.get("cuts", [SETTLED])
    Rejected.unless(isinstance(cuts, list) and len(cuts) <= MOST_CUTS, f"no list of at most {MOST_CUTS} entries")
    with precision(bits_of(parameters)):
        gradient = Gradient(goal, parameters)
        pieces: list[Box] = [gradient.whole]
        for cut in cuts:
            Rejected.unless(pieces, "there are more cuts than pieces")
            piece = pieces.pop()
            if cut == SETTLED:
                if not gradient.settles(piece):
                    where = " x ".join(str(side) for side in piece)
                    raise Rejected(f"a piece of the paving is not settled: {where}")
                continue
            Rejected.unless(type(cut) is int and 0 <= cut < len(piece), f"{str(cut)[:20]!r} is no coordinate")
            lower, upper = halves(piece, cut)
            pieces += [upper, lower]
        Rejected.unless(not pieces, f"{len(pieces)} pieces of the paving are left open")
    return []
