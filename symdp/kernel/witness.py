r"""Witnesses: points at which a goal fails, and the only function that makes them. **Trusted.**

>>> from symdp.kernel.goals import REAL, Relation
>>> from flint import fmpq
>>> from symdp.kernel.terms import apply, number, variable
>>> x = variable("x")
>>> claim = Relation(apply("log", x), "<", x - number(1))
>>> goal = Goal((("x", REAL),), (Relation(x, ">", number(0)),), claim)
>>> found = refute(goal, Point({"x": fmpq(1)}))
>>> print(found.left, found.right, found.violation)
[0, 0] [0, 0] [0, 0]
>>> refute(goal, Point({"x": fmpq(2)}))
Traceback (most recent call last):
...
symdp.kernel.proof.Rejected: the claim is not seen to fail at this point
"""

from __future__ import annotations

from symdp.kernel.goals import Each, Goal, IllFormed, Relation
from symdp.kernel.points import MOST_BITS, Point, holds_at, sign_at, value_at
from symdp.kernel.privacy import Private
from symdp.kernel.proof import Rejected
from symdp.kernel.ranges import Range, precision, sub
from symdp.kernel.terms import number
from symdp.kernel.violations import failing

_SEAL = object()
#: Bits for the numbers that are shown.
_SHOWN = 128


class Witness:
    """A point at which every hypothesis of a goal holds and its claim fails. Only :func:`refute` makes one.

    ``left`` and ``right`` are the sides of the claim as it is written; ``violation`` is by how much it
    fails: left - right, or right - left, whichever ought not to be positive. Of a guarantee, left is a
    delta that is needed there and right the claimed one.
    """

    __slots__ = ("goal", "left", "point", "right", "violation")

    def __init__(self, goal: Goal, point: Point, left: Range, right: Range, violation: Range,
                 seal: object = None) -> None:
        if seal is not _SEAL:
            raise TypeError("only the kernel makes a Witness")
        self.goal, self.point = goal, point
        self.left, self.right, self.violation = left, right, violation

    def __reduce__(self) -> tuple[object, ...]:
        # A witness that travels between processes is checked again where it arrives.
        return refute, (self.goal, self.point)


def refute(goal: Goal, point: Point) -> Witness:
    """The witness that a goal fails at a point, or Rejected with the reason.

    Every variable and family has a value, every hypothesis certainly holds, both sides of the claim are
    certainly defined, and the relation certainly fails. A claim about every integer of a range is refuted
    at one integer; the ``indices`` of the point name it (one for each *for every*).
    """
    try:
        point = Point.of(goal, point.values, point.families, point.indices)
    except (IllFormed, TypeError, ValueError) as reason:
        raise Rejected(f"that is no point: {reason}") from reason
    for h in goal.hypotheses:
        if holds_at(h, point) is not True:
            raise Rejected("a hypothesis is not seen to hold at this point")
    if isinstance(goal.claim, Private) and not point.indices:
        needed, claimed = failing(goal.claim, point)
        with precision(MOST_BITS):
            return Witness(goal, point, needed, claimed, sub(needed, claimed), _SEAL)
    claim, left_over = goal.claim, list(point.indices)
    while isinstance(claim, Each):
        if not left_over or type(left_over[0]) is not int:
            raise Rejected("the claim speaks of every integer of a range, and none was named")
        index = number(left_over.pop(0))
        for end, op in ((claim.low, "<="), (claim.high, ">=")):
            if end is not None and holds_at(Relation(end, op, index), point) is not True:
                raise Rejected("the integer is not seen to lie in the range of the claim")
        claim = claim.at(index)
    if left_over or not isinstance(claim, Relation):
        raise Rejected("more integers were named than the claim speaks of")
    sign = sign_at(claim.gap, point)
    if sign is None or not _fails(claim.op, sign):
        raise Rejected("the claim is not seen to fail at this point")
    normal = claim.normal
    excess = normal.left - normal.right if claim.op != "==" or sign < 0 else normal.right - normal.left
    try:
        left, right, violation = (value_at(t, point, _SHOWN) for t in (claim.left, claim.right, excess))
    except ArithmeticError as reason:
        raise Rejected(f"a side of the claim has no value at this point: {reason}") from reason
    return Witness(goal, point, left, right, violation, _SEAL)


def _fails(op: str, sign: int) -> bool:
    """Whether right minus left of the normal form has a sign that the relation excludes."""
    return sign != 0 if op == "==" else sign <= 0 if op in ("<", ">") else sign < 0
