r"""Points at which a guarantee of privacy fails. **Trusted.**

At an exact point the worst mechanisms of a subject are laws that can be written down, and any set $S$ of
outcomes shows that delta must be at least $P(S)-e^EQ(S)$. What is computed here is such a lower bound, in
balls; the claimed delta is computed likewise, and the guarantee fails if the first certainly lies above the
second. Decimals are for show alone.

>>> from symdp.kernel.privacy import AnyPrivate
>>> from symdp.kernel.terms import number, variable
>>> e, k = variable("e"), variable("k")
>>> half = Private(AnyPrivate(e, number(0)), k, k * e / number(2), number(0))
>>> needed, claimed = failing(half, Point({"e": fmpq(1), "k": fmpq(1)}))
>>> round(float(needed.lo), 9), float(claimed.hi)
(0.287649137, 0.0)
"""

from __future__ import annotations

from flint import arb, arb_poly, fmpq

from symdp.kernel.effort import Effort
from symdp.kernel.goals import Relation
from symdp.kernel.points import Point, holds_at, value_at
from symdp.kernel.privacy import CURVES, AnyPrivate, Laplace, Private, Sequence, needed_delta
from symdp.kernel.proof import Rejected
from symdp.kernel.ranges import Range, Unsupported, precision
from symdp.kernel.terms import ONE, ZERO, Term, instantiate, number

MOST_FOLD = 10**9
#: How many outcomes are added up, and how many steps of a sequence are multiplied out.
MOST_OUTCOMES, MOST_LIES, MOST_STEPS = 20_000, 6_000, 200


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
    subject, n, epsilon = claim.subject, _count(claim.fold, point), value_at(claim.epsilon, point, bits)
    if isinstance(subject, Sequence):
        return Range.of_ball(_of_sequence(subject, point, _ball(epsilon)))
    if isinstance(subject, Laplace) and n > 1:
        return Range.of_ball(_of_laplace(_ball(value_at(subject.sensitivity / subject.scale, point, bits)), n,
                                         _ball(epsilon)))
    if isinstance(subject, AnyPrivate):
        # The outcomes with the largest losses, which are (n - 2j)e; where to end is a matter of the choice of a set.
        size = float(value_at(subject.epsilon, point, bits).lo)
        last = n if size <= 0 else int(min(n, max(-1.0, (n - float(epsilon.lo) / size) / 2)))
        first = max(0, last - MOST_LIES)
        pure = needed_delta(AnyPrivate(subject.epsilon, ZERO), claim.fold, claim.epsilon, number(first), number(last))
        # 1 - kept (1 - pure), without a difference of nearly equal numbers where nothing leaks
        kept = (ONE - subject.delta) ** claim.fold
        curves = [(ONE - kept) + kept * pure]
    else:
        curves = CURVES[type(subject)](claim)
    return max((value_at(t, point, bits) for t in curves), key=lambda needed: float(needed.lo))


def _ball(found: Range) -> arb:
    if not found.is_finite():
        raise Unsupported("a parameter is not enclosed")
    return found.lo.union(found.hi)


def _count(term: Term, point: Point) -> int:
    found = value_at(term, point).exact
    if found is None or found.q != 1 or not 1 <= found <= MOST_FOLD:
        raise Unsupported(f"a number of times from 1 to {MOST_FOLD} is needed")
    return int(found.p)


def _positive(ball: arb) -> arb:
    """A ball for the positive part, of which only the lower end is used: 0 if the sign is unknown."""
    return ball if ball > 0 else arb(0)


def _of_sequence(subject: Sequence, point: Point, threshold: arb) -> arb:
    """Different randomised responses: outcomes with the same loss are one, since losses are rational."""
    count = _count(subject.count, point)
    if count > MOST_STEPS:
        raise Unsupported(f"at most {MOST_STEPS} different steps are multiplied out")
    masses, kept = {fmpq(0): arb(1)}, arb(1)
    for step in range(1, count + 1):
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
    total = sum((m * _positive(1 - (threshold - arb(z)).exp()) for z, m in masses.items()), arb(0))
    return (1 - kept) + kept * total


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
    losses = ((i - n * parts) * unit for i in range(2 * n * parts + 1))
    return sum((composed[i] * _positive(1 - (threshold - z).exp()) for i, z in enumerate(losses)), arb(0))
