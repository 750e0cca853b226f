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

from symdp.kernel import privacy
from symdp.kernel.effort import Effort
from symdp.kernel.goals import Relation
from symdp.kernel.points import Point, holds_at, value_at
from symdp.kernel.privacy import AnyPrivate, Finite, Gaussian, Laplace, Private, Sequence
from symdp.kernel.proof import Rejected
from symdp.kernel.ranges import Range, Unsupported, precision
from symdp.kernel.terms import Term, instantiate, number

MOST_FOLD = 10**9
#: How many outcomes are added up, and how many steps of a sequence are multiplied out.
MOST_OUTCOMES, MOST_STEPS = 20_000, 200

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
                needed = Range.of_ball(_needed(claim, point, bits))
        except ArithmeticError as failure:
            reason = f"the worst case is not computed there: {failure}"
            continue
        if needed.lo > claimed.hi:  # a nan is above nothing
            return needed, claimed
        if needed.hi < claimed.lo:
            break
    raise Rejected(reason)


def _needed(claim: Private, point: Point, bits: int) -> arb:
    """A ball whose lower end is a lower bound on the delta that the composition needs."""

    def ball(term: Term) -> arb:
        found = value_at(term, point, bits)
        if not found.is_finite():
            raise Unsupported("a parameter is not enclosed")
        return found.lo.union(found.hi)

    subject, threshold = claim.subject, ball(claim.epsilon)
    if isinstance(subject, Sequence):
        return _of_sequence(subject, point, threshold)
    if isinstance(subject, Finite):
        return _of_finite(list(map(ball, subject.one)), list(map(ball, subject.other)), threshold)
    if isinstance(subject, privacy.TwoVariances):
        return _of_two_variances(ball(subject.spread), threshold)
    n = _count(claim.fold, point)
    if isinstance(subject, AnyPrivate):
        return _of_responses(ball(subject.epsilon), ball(subject.delta), n, threshold)
    if isinstance(subject, Gaussian):
        distance = (n * ball(subject.sensitivity) ** 2 / ball(subject.variance)).sqrt()
        return _of_gaussian(distance, threshold)
    if isinstance(subject, Laplace):
        return _of_laplace(ball(subject.sensitivity) / ball(subject.scale), n, threshold)
    raise Unsupported("nothing is known about the worst case of these mechanisms")


def _count(term: Term, point: Point) -> int:
    found = value_at(term, point).exact
    if found is None or found.q != 1 or not 1 <= found <= MOST_FOLD:
        raise Unsupported(f"a number of times from 1 to {MOST_FOLD} is needed")
    return int(found.p)


def _positive(ball: arb) -> arb:
    """A ball for the positive part, of which only the lower end is used: 0 if the sign is unknown."""
    return ball if ball > 0 else arb(0)


def _with_leak(pure: arb, kept: arb) -> arb:
    """1 - kept (1 - pure), without a difference of nearly equal numbers where nothing leaks."""
    return (1 - kept) + kept * pure


def _of_responses(e: arb, d: arb, n: int, threshold: arb) -> arb:
    """n randomised responses: the outcomes with the largest losses, by how many of them lie.

    The losses are (n - 2j)e. Where the sum begins and ends is a matter of the choice of a set.
    """
    size = float(e.mid())
    last = n if size <= 0 else int(min(n, max(-1.0, (n - float(threshold.mid()) / size) / 2)))
    if last < 0:
        return _with_leak(arb(0), (1 - d) ** n)
    odds = e.exp()
    log_mass = _log_binomial(n, last) + (n - last) * e - n * (1 + odds).log()
    mass, excess = log_mass.exp(), (threshold - (n - 2 * last) * e).exp()
    shrinks, total = (-2 * e).exp(), arb(0)
    for j in range(last, max(-1, last - MOST_OUTCOMES), -1):
        total += mass * _positive(1 - excess)
        mass, excess = mass * odds * j / (n - j + 1), excess * shrinks
    return _with_leak(total, (1 - d) ** n)


def _log_binomial(n: int, j: int) -> arb:
    return arb(n + 1).lgamma() - arb(j + 1).lgamma() - arb(n - j + 1).lgamma()


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
    return _with_leak(total, kept)


def _of_finite(one: list[arb], other: list[arb], threshold: arb) -> arb:
    odds = threshold.exp()
    forth = sum((_positive(p - odds * q) for p, q in zip(one, other, strict=True)), arb(0))
    back = sum((_positive(q - odds * p) for p, q in zip(one, other, strict=True)), arb(0))
    return forth.max(back)


def _of_gaussian(distance: arb, threshold: arb) -> arb:
    root, place = arb(2).sqrt(), threshold / distance
    near, far = (place - distance / 2) / root, (place + distance / 2) / root
    return (near.erfc() - threshold.exp() * far.erfc()) / 2


def _of_two_variances(spread: arb, threshold: arb) -> arb:
    """The set of x with x^2/2 > s c, for the c at which the loss is the threshold; any c >= 0 will do."""
    edge = (threshold + spread.log() / 2) / (spread - 1)
    if not edge >= 0:
        raise Unsupported("the edge of the best set is not seen to exist")
    return edge.sqrt().erfc() - threshold.exp() * (spread * edge).sqrt().erfc()


def _of_laplace(largest: arb, n: int, threshold: arb) -> arb:
    r"""n Laplace noises, of which only the interval is seen that an output lies in.

    Between the two means the loss falls from $a$ to $-a$, $a$ the largest. Cut into m equal parts, the i-th
    of them shows the loss $(m-1-2i)a/m$, and the outside $\pm a$: all are multiples of $a/m$. A part around
    the loss z has the mass $e^{(z-a)/2}\sinh(a/2m)$. Once, the threshold itself divides the best set from
    the rest, and the value is exact for losses between the two ends, a lower bound elsewhere.
    """
    if n == 1:
        return 1 - ((threshold - largest) / 2).exp()
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
