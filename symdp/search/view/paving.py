r"""Paving: a finite box, halved again and again, with an enclosure on each piece. Not trusted.

A piece is settled by the range of the gap on it, or by the gradient: where the slope along a
coordinate keeps its sign, the gap is least at one end of that coordinate; along the others the mean
value theorem bounds it by its value at the middle. A proof by paving is nothing but the list of cuts,
so that thousands of boxes make a small certificate.

>>> from symdp.numbers.domain import Domain
>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> domain = Domain.of(parse_conditions("0 <= x <= 1"))
>>> goal = Target.of(parse_relation("x - x^2 <= 3/10"), domain)
>>> paving(goal, {"cuts": [0, -1, -1]})
[]
>>> paving(goal, {"cuts": [-1]})
Traceback (most recent call last):
...
symdp.kernel.proof.Rejected: a piece of the paving is not settled: [0, 1]
"""

from __future__ import annotations

from collections.abc import Callable

from symdp.kernel.proof import Rejected
from symdp.kernel.rules.paving import MOST_CUTS, SETTLED, Box, Gradient, halves
from symdp.kernel.values.ranges import Range, precision
from symdp.numbers.domain import Domain
from symdp.search.view.goals import Parameters, Target, bits_of, box_of, rule, tape_of
from symdp.search.view.side_conditions import DERIVATIVE, derivative, need_defined, need_smooth


class GradientInView(Gradient):
    """The kernel's bounds of a gap by its slopes, for a goal in SymPy's view.

    Conditions of the domain are not used: the mean value theorem passes through points at which they
    may fail.
    """

    def __init__(self, goal: Target, bits: int) -> None:
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
        slopes = (tape_of(derivative(goal.gap, v), domain) for v in domain.variables)
        self.slopes = [_remembering(slope) for slope in slopes]  # type: ignore[misc] # a tape is only run


def _remembering(tape: Callable[[Box], Range]) -> Callable[[Box], Range]:
    """The tape, run once for a box: a box that its slopes do not settle is cut along the steepest of them."""
    last: tuple[Box, Range] | None = None

    def run(box: Box) -> Range:
        nonlocal last
        if last is None or last[0] is not box:
            last = box, tape(box)
        return last[1]

    return run


@rule("Arb", DERIVATIVE)
def mean_value(goal: Target, parameters: Parameters) -> list[Target]:
    """The gap at one point and the ranges of its slopes bound it on a finite box."""
    return paving(goal, {**parameters, "cuts": [SETTLED]})


@rule("Arb", DERIVATIVE)
def paving(goal: Target, parameters: Parameters) -> list[Target]:
    """The box is cut as the list says, the lower half first, and each piece is settled."""
    bits, cuts = bits_of(parameters), parameters["cuts"]
    if not isinstance(cuts, list) or len(cuts) > MOST_CUTS:
        raise Rejected(f"the cuts are not a list of at most {MOST_CUTS} entries")
    with precision(bits):
        gradient = GradientInView(goal, bits)
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
