r"""Witnesses: points at which a goal fails, and the only function that makes them. **Trusted.**

A relation fails where it certainly does not hold, both sides being defined. A guarantee of privacy fails where
it needs a larger delta: at an exact point the worst mechanisms of a subject are laws that can be written down,
and any set $S$ of outcomes shows that delta must be at least $P(S)-e^EQ(S)$. What is computed here is such a
lower bound, in balls; the claimed delta is computed likewise, and the guarantee fails if the first certainly
lies above the second. Decimals are for show alone.

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

>>> from symdp.kernel.rules.privacy import AnyPrivate
>>> e, k = variable("e"), variable("k")
>>> half = Private(AnyPrivate(e, number(0)), k, k * e / number(2), number(0))
>>> needed, claimed = failing(half, Point({"e": fmpq(1), "k": fmpq(1)}))
>>> round(float(needed.lo), 9), float(claimed.hi)
(0.287649137, 0.0)
"""

from collections.abc import Iterable

from flint import arb, arb_poly, fmpq

from symdp.kernel.effort import Effort
from symdp.kernel.goals import Each, Goal, IllFormed, Relation
from symdp.kernel.proof import _SEAL, Rejected
from symdp.kernel.rules.privacy import CURVES, AnyPrivate, Laplace, Private, Sequence, needed_delta
from symdp.kernel.terms import ONE, ZERO, Term, instantiate, number
from symdp.kernel.values.points import MOST_BITS, Point, holds_at, value_at
from symdp.kernel.values.ranges import Range, Unsupported, magnitude, precision, sub

MOST_FOLD = 10**9
#: How many outcomes are added up, and how many steps of a sequence are multiplied out.
MOST_OUTCOMES, MOST_LIES, MOST_STEPS = 20_000, 6_000, 200
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
        self.goal, self.point, self.left, self.right, self.violation = goal, point, left, right, violation

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
        Rejected.unless(holds_at(h, point) is True, "a hypothesis is not seen to hold at this point")
    claim, left_over = goal.claim, list(point.indices)
    while isinstance(claim, Each):
        Rejected.unless(left_over and type(left_over[0]) is int, "the claim speaks of a range, and none was named")
        index = number(left_over.pop(0))
        for end, op in ((claim.low, "<="), (claim.high, ">=")):
            if end is not None and holds_at(Relation(end, op, index), point) is not True:
                raise Rejected("the integer is not seen to lie in the range of the claim")
        claim = claim.at(index)
    Rejected.unless(not left_over, "more integers were named than the claim speaks of")
    with precision(MOST_BITS):
        if isinstance(claim, Private):
            left, right = failing(claim, point)
            return Witness(goal, point, left, right, sub(left, right), _SEAL)
        if not isinstance(claim, Relation) or holds_at(claim, point) is not False:
            raise Rejected("the claim is not seen to fail at this point")
        try:
            left, right, gap = (value_at(t, point, _SHOWN) for t in (claim.left, claim.right, claim.gap))
        except ArithmeticError as reason:
            raise Rejected(f"a side of the claim has no value at this point: {reason}") from reason
        return Witness(goal, point, left, right, magnitude(gap), _SEAL)


# --- guarantees -------------------------------------------------------------------------------


def failing(claim: Private, point: Point) -> tuple[Range, Range]:
    """A delta that is needed at a point, and the claimed one, which is certainly smaller; or Rejected.

    The parameters must be those of mechanisms there, and both totals defined.
    """
    totals = [Relation(t, "==", t) for t in (claim.epsilon, claim.delta)]
    for formula in (*claim.sensible(), *totals):
        if holds_at(formula, point) is not True:
            raise Rejected(f"it is not seen at the point that {formula}")
    reason = "the claimed delta is not seen to be too small there"
    for bits in (64, 128, 256, 512, 1024):
        try:
            claimed = value_at(claim.delta, point, bits)
            with precision(bits):
                needed = _needed(claim, point, bits)
        except ArithmeticError as failure:
            reason = f"the worst case is not computed there: {failure}"
            continue
        if needed.lo > claimed.hi:  # a nan is above nothing
            return needed, claimed
        if needed.hi < claimed.lo:
            break
    raise Rejected(reason)


def _needed(claim: Private, point: Point, bits: int) -> Range:
    """A range whose lower end is a lower bound on the delta that the composition needs."""
    subject, n, epsilon = claim.subject, _count(claim.fold, point), _ball(claim.epsilon, point, bits)
    if isinstance(subject, Sequence):
        return Range.of_ball(_of_sequence(subject, point, epsilon))
    if isinstance(subject, Laplace) and n > 1:
        return Range.of_ball(_of_laplace(_ball(subject.sensitivity / subject.scale, point, bits), n, epsilon))
    if isinstance(subject, AnyPrivate):
        # The outcomes with the largest losses, which are (n - 2j)e; where to end is a matter of the choice of a set.
        size = float(value_at(subject.epsilon, point, bits).lo)
        last = n if size <= 0 else int(min(n, max(-1.0, (n - float(epsilon) / size) / 2)))
        first = max(0, last - MOST_LIES)
        pure = needed_delta(AnyPrivate(subject.epsilon, ZERO), claim.fold, claim.epsilon, number(first), number(last))
        # 1 - kept (1 - pure), without a difference of nearly equal numbers where nothing leaks
        kept = (ONE - subject.delta) ** claim.fold
        curves = [(ONE - kept) + kept * pure]
    else:
        curves = CURVES[type(subject)](claim)
    return max((value_at(t, point, bits) for t in curves), key=lambda needed: float(needed.lo))


def _ball(term: Term, point: Point, bits: int) -> arb:
    found = value_at(term, point, bits)
    if not found.is_finite():
        raise Unsupported("a parameter is not enclosed")
    return found.lo.union(found.hi)


def _count(term: Term, point: Point, most: int = MOST_FOLD) -> int:
    found = value_at(term, point).integer()
    if found is None or not 1 <= found <= most:
        raise Unsupported(f"a number of times from 1 to {most} is needed")
    return found


def _delta(law: Iterable[tuple[arb, arb]], threshold: arb) -> arb:
    """A lower bound on the delta of a law, given as losses and their masses: what has an unknown sign is left out."""
    parts = ((mass, 1 - (threshold - loss).exp()) for loss, mass in law)
    return sum((mass * part for mass, part in parts if part > 0), arb(0))


def _of_sequence(subject: Sequence, point: Point, threshold: arb) -> arb:
    """Different randomised responses: outcomes with the same loss are one, since losses are rational."""
    masses, kept = {fmpq(0): arb(1)}, arb(1)
    for step in range(1, _count(subject.count, point, MOST_STEPS) + 1):
        at_step = (instantiate(t, number(step)) for t in (subject.epsilon, subject.delta))
        e, d = (value_at(t, point).exact for t in at_step)
        if e is None or d is None:
            raise Unsupported("a step has parameters that are not rational")
        kept *= 1 - arb(d)
        truth = 1 / (1 + (-arb(e)).exp())
        after: dict[fmpq, arb] = {}
        for loss, mass in masses.items():
            after[loss + e] = after.get(loss + e, arb(0)) + mass * truth
            after[loss - e] = after.get(loss - e, arb(0)) + mass * (1 - truth)
        masses = after
        if len(masses) > MOST_OUTCOMES:
            raise Unsupported("the steps have too many outcomes")
    return (1 - kept) + kept * _delta(((arb(z), m) for z, m in masses.items()), threshold)


def _of_laplace(largest: arb, n: int, threshold: arb) -> arb:
    r"""n Laplace noises, of which only the interval is seen that an output lies in.

    Between the two means the loss falls from $a$ to $-a$, $a$ the largest. Cut into m equal parts, the i-th
    of them shows the loss $(m-1-2i)a/m$, and the outside $\pm a$: all are multiples of $a/m$. A part around
    the loss z has the mass $e^{(z-a)/2}\sinh(a/2m)$.
    """
    parts = min(16, MOST_OUTCOMES // (2 * n))
    if parts < 1:
        raise Unsupported("there are too many outcomes")
    unit = largest / parts
    Effort.steps += 2 * n * parts
    law = [arb(0)] * (2 * parts + 1)  # the i-th has the loss (i - parts) unit
    law[0], law[-1] = (-largest).exp() / 2, arb(1) / 2
    for i in range(1, 2 * parts, 2):
        law[i] = (((i - parts) * unit - largest) / 2).exp() * (unit / 2).sinh()
    composed = arb_poly(law) ** n
    return _delta((((i - n * parts) * unit, composed[i]) for i in range(2 * n * parts + 1)), threshold)
