r"""Guarantees, shown or refuted: what the kernel found, as people read it.

An :class:`Argument` is the kernel's proof of the formal goal of a guarantee, a :class:`Violation` its
counterexample: an exact point at which the worst mechanisms need a larger delta than the guarantee gives.
Nothing here is trusted, and decimals are for show.

>>> from symdp.formulas.notation import delta, eps, k
>>> from symdp.formulas.parsing import parse_conditions
>>> from sympy import Integer
>>> from symdp.sources.subject import AnyPrivate
>>> where = [r for text in ("eps > 0", "0 <= delta <= 1", "k >= 1") for r in parse_conditions(text)]
>>> half = Guarantee.of(AnyPrivate(eps, delta), k, k * eps / 2, k * delta, Domain.of(where, [k]))
>>> point = {eps: Integer(1), delta: Integer(0), k: Integer(1)}
>>> print(violate(half, point).exact)
0.28764913664497
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy
from flint import fmpq
from sympy import Expr, Rational, Symbol

from symdp.arguments.guarantees.kernel_goals import NotFormal, formal
from symdp.formulas.notation import symbol
from symdp.formulas.parsing import to_text
from symdp.kernel.goals import Goal
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.rules.privacy import Private, Sequence
from symdp.kernel.values.points import Members, Point
from symdp.kernel.values.ranges import Range
from symdp.kernel.witness import Witness, refute
from symdp.numbers.decimals import Enclosure
from symdp.numbers.domain import Domain  # noqa: F401 - for the examples above
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.composition.compose import compose
from symdp.privacy.composition.heterogeneous import Heterogeneous
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.search.reasons import Reason
from symdp.search.verdict import Evidence
from symdp.sources.statement import Guarantee
from symdp.sources.subject import AnyPrivate, AnySequence

MOST_FOLD = 10**6
#: Sums with more terms are not written out.
MOST_TERMS = 1000
Parameters = tuple[tuple[Rational, Rational], ...]


class Argument(Evidence):
    """A guarantee that holds: the kernel's proof of its formal goal."""

    def __init__(self, formal: Proof) -> None:
        self.formal, self.trust = formal, formal.trust

    @property
    def goal(self) -> Goal:
        goal: Goal = self.formal.goal
        return goal

    def explanation(self) -> list[str]:
        """The rules of the proof, each under the one that it serves."""
        lines: list[str] = []
        stack: list[tuple[Step, int]] = [(self.formal.step, 0)]
        while stack:
            step, depth = stack.pop()
            lines.append("  " * depth + step.rule)
            stack.extend((s, depth + 1) for s in reversed(step.premises))
        return lines

    def __reduce__(self) -> tuple[Callable[..., Argument], tuple[Any, ...]]:
        return Argument, (self.formal,)


class Violation(Evidence):
    """An exact point at which a guarantee fails: the kernel's counterexample."""

    supports = False
    trust = frozenset({"Arb"})

    def __init__(self, formal: Witness) -> None:
        self.formal = formal
        claim = formal.goal.claim
        values = dict(formal.point.values)
        #: the parameters of the steps, where the guarantee is about a sequence
        self.sequence: Parameters = ()
        if isinstance(claim, Private) and isinstance(claim.subject, Sequence):
            count = values.pop(str(claim.subject.count))
            self.sequence = tuple(
                (_member(claim.subject.epsilon.value, formal, i), _member(claim.subject.delta.value, formal, i))
                for i in range(1, int(count.p) + 1))
        self.point: dict[Symbol, Rational] = {symbol(n): rational(v) for n, v in values.items()}

    @property
    def exact(self) -> Enclosure:
        """The delta that is needed there, or a lower bound on it."""
        return _decimals(self.formal.left)

    @property
    def claimed(self) -> Enclosure:
        return _decimals(self.formal.right)

    @property
    def goal(self) -> Goal:
        goal: Goal = self.formal.goal
        return goal

    def as_json(self) -> dict[str, Any]:
        row = {str(v): to_text(value) for v, value in self.point.items()}
        if self.sequence:
            row["sequence"] = " ".join(f"({e}, {d})" for e, d in self.sequence)
        least = self.exact.lower - self.claimed.upper
        return {**row, "left": str(self.exact), "right": str(self.claimed), "violation": f"{least:.6g}"}

    def place(self) -> Reason:
        """The point, in words."""
        if not self.sequence:
            return Reason.of("it fails at ", self.point)
        pairs = ", ".join(f"({e}, {d})" for e, d in self.sequence)
        return Reason.of(f"it fails at the parameters {pairs}", *([", ", self.point] if self.point else []))

    def where(self) -> Reason:
        """The point and the two deltas, in words."""
        ((*place,),) = self.place().phrases
        return Reason.of(*place, f": the worst case needs delta = {self.exact}, {self.claimed} is promised")

    def __reduce__(self) -> tuple[Callable[..., Violation], tuple[Any, ...]]:
        return Violation, (self.formal,)


def _member(family: Any, found: Witness, index: int) -> Rational:
    return rational(found.point.families[family][index]) if isinstance(family, str) else Rational(0)


def _decimals(value: Range, digits: int = 12) -> Enclosure:
    """Outward to decimals, from the ends of the range alone."""
    return Enclosure.between(value.lo, value.hi, digits)


def rational(value: fmpq) -> Rational:
    return Rational(int(value.p), int(value.q))


def fraction(value: Expr) -> fmpq:
    if not value.is_Rational:
        raise Rejected("the point is not rational")
    return fmpq(int(value.p), int(value.q))


def violate(guarantee: Guarantee, point: Mapping[Symbol, Expr], sequence: Parameters = ()) -> Violation:
    """The violation at a point (for a sequence: with those parameters), or Rejected.

    A domain may speak of the sums of a sequence; they are what they are for this one, whatever a point says.
    """
    try:
        goal = formal(guarantee)
    except NotFormal as reason:
        raise Rejected(str(reason)) from reason
    values = {n: fraction(point[symbol(n)]) for n in goal.variables if symbol(n) in point}
    families: dict[str, Members] = {}
    claim = goal.claim
    if isinstance(claim, Private) and isinstance(claim.subject, Sequence):
        values[str(claim.subject.count)] = fmpq(len(sequence))
        for place, term in enumerate((claim.subject.epsilon, claim.subject.delta)):
            numbers = {i: fraction(pair[place]) for i, pair in enumerate(sequence, 1)}
            if term.head == "member":
                families[term.value] = Members(numbers, fmpq(0))
            elif any(v != 0 for v in numbers.values()):
                raise Rejected("the guarantee is about mechanisms without a delta")
    elif sequence:
        raise Rejected("only a guarantee about a sequence has one")
    return Violation(refute(goal, Point(values, families)))


# --- numbers for show -----------------------------------------------------------------------------


def exact_delta(
    guarantee: Guarantee, values: Mapping[Symbol, Expr], sequence: Parameters, epsilon: Expr, digits: int
) -> Enclosure:
    """The delta that the worst mechanisms of the subject really need at that epsilon."""
    subject, fold = guarantee.subject, guarantee.fold.subs(values)
    if isinstance(subject, AnySequence):
        return Heterogeneous(sequence).delta(epsilon, digits)
    if not fold.is_Integer or not 1 <= fold <= MOST_FOLD:
        raise BadQuantity(f"{fold} is no number of times that is computed here")
    if isinstance(subject, AnyPrivate):
        each = subject.epsilon.subs(values), subject.delta.subs(values)
        return Homogeneous(*each, int(fold)).delta(epsilon, digits)
    numeric = subject.at({v: values[v] for v in subject.free_symbols})
    if isinstance(numeric, Gaussian):
        distance = numeric.sensitivity * sympy.sqrt(fold)
        return Gaussian(numeric.noise_variance, distance).delta(epsilon, digits=digits)
    if fold != 1:
        return compose(numeric, int(fold)).delta(epsilon)
    return numeric.delta(epsilon, digits=digits)


def written_out(expr: Expr) -> Expr:
    """The expression with its sums written out, where their bounds are numbers; empty sums are 0.

    >>> l = sympy.Symbol("l")
    >>> written_out(2 * sympy.Sum(l**2, (l, 0, 2))), written_out(sympy.Sum(l, (l, 0, -1)))
    (10, 0)
    """
    found = {}
    for part in expr.atoms(sympy.Sum):
        ((index, low, high),) = part.limits
        if not (low.is_Integer and high.is_Integer and high - low <= MOST_TERMS):
            raise BadQuantity(f"the number of terms of {part} is unknown or too large")
        terms = (part.function.subs(index, n) for n in range(int(low), int(high) + 1))
        found[part] = sympy.Add(*terms)
    return expr.xreplace(found)
