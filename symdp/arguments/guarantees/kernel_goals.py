r"""The formal goal that a guarantee stands for.

The goal is made from the statement alone, so that it does not depend on how somebody proves it. Sums over the
mechanisms of a sequence become sums of terms, and the mechanisms families of parameters. Nothing here is
trusted: the goal is what is shown and proved.

>>> from symdp.formulas.notation import delta, eps, k
>>> from symdp.formulas.parsing import parse_conditions
>>> from symdp.numbers.domain import Domain
>>> from symdp.sources.subject import AnyPrivate
>>> where = [r for text in ("eps > 0", "0 <= delta <= 1", "k >= 1") for r in parse_conditions(text)]
>>> print(formal(Guarantee.of(AnyPrivate(eps, delta), k, k * eps, k * delta, Domain.of(where, [k]))).claim)
the k-fold composition of (eps, delta)-DP mechanisms is (eps*k, delta*k)-DP
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symdp.formulas.printing import to_text
from symdp.formulas.translation import NotATerm, term_of
from symdp.kernel.functions.record import exp
from symdp.kernel.goals import INTEGER, REAL, Each, Formula, Goal, Relation
from symdp.kernel.rules import privacy as kernel
from symdp.kernel.terms import (
    FUNCTIONS,
    ONE,
    ZERO,
    Term,
    bound,
    fresh,
    member,
    substitute,
    variable,
)
from symdp.kernel.values.conditions import bounds_of, without
from symdp.kernel.values.enclosure import range_on
from symdp.kernel.values.ranges import Undefined
from symdp.numbers.domain import hypotheses_of, sorts_of
from symdp.privacy.johnson_lindenstrauss.two_variances import TwoVariances
from symdp.privacy.mechanisms.finite_laws.randomised_response import RandomisedResponse
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.privacy.mechanisms.noise.laplace import Laplace
from symdp.privacy.pairs.pair import Mechanism
from symdp.sources.statement import Guarantee
from symdp.sources.subject import (
    SUMS,
    AnyPrivate,
    AnySequence,
    Subject,
    delta_sum,
    loss_sum,
    mean_sum,
    square_sum,
    survival,
    variance_sum,
)


class NotFormal(ValueError):
    """The kernel has no formula for these mechanisms."""


def formal(guarantee: Guarantee) -> Goal:
    """The goal whose claim is the guarantee; NotFormal where the kernel has no formula for it."""
    try:
        goal = _of_sequence(guarantee) if isinstance(guarantee.subject, AnySequence) else _plain(guarantee)
    except NotATerm as reason:
        raise NotFormal(str(reason)) from reason
    return goal.claiming(replace(goal.claim, ends=infinite_ends(goal)))  # type: ignore[type-var]


def _plain(guarantee: Guarantee) -> Goal:
    fold, epsilon, delta = (term_of(e) for e in (guarantee.fold, guarantee.epsilon, guarantee.delta))
    subject = _subject(guarantee.subject)
    if isinstance(subject, kernel.Finite) and fold is not ONE:
        raise NotFormal("the kernel takes a mechanism that is given by its laws once, "
                        f"not {to_text(guarantee.fold)} times")
    return Goal(sorts_of(guarantee.domain), hypotheses_of(guarantee.domain),
                kernel.Private(subject, fold, epsilon, delta))


def _subject(subject: Subject) -> kernel.Subject:
    if isinstance(subject, Mechanism) and type(subject) not in (Gaussian, Laplace, TwoVariances, RandomisedResponse):
        return _by_laws(subject)  # which may be others than those of the kind that it is made from
    if isinstance(subject, AnyPrivate):
        return kernel.AnyPrivate(term_of(subject.epsilon), term_of(subject.delta))
    if isinstance(subject, Gaussian):
        return kernel.Gaussian(term_of(subject.noise_variance), term_of(subject.sensitivity))
    if isinstance(subject, Laplace):
        return kernel.Laplace(term_of(subject.scale), term_of(subject.sensitivity))
    if isinstance(subject, TwoVariances) and subject.rows == 1:
        return kernel.TwoVariances(term_of(subject.spread))
    if isinstance(subject, RandomisedResponse):
        e, d = term_of(subject.epsilon_0), term_of(subject.delta_0)
        likely = (ONE - d) * exp(e) / (ONE + exp(e))
        unlikely = (ONE - d) / (ONE + exp(e))
        return kernel.Finite((d, likely, unlikely, ZERO), (ZERO, unlikely, likely, d))
    return _by_laws(subject)


def _by_laws(subject: Subject) -> kernel.Subject:
    pair = subject.finite_pair() if isinstance(subject, Mechanism) else None
    if pair is None:
        raise NotFormal(f"the kernel has no formula for {subject}")
    return kernel.Finite(tuple(map(term_of, pair.p)), tuple(map(term_of, pair.q)))


def _of_sequence(guarantee: Guarantee) -> Goal:
    """The steps are l = 1, ..., k with epsilons above 0 and deltas between 0 and 1."""
    pure = isinstance(guarantee.subject, AnySequence) and guarantee.subject.pure
    sorts = tuple((n, s) for n, s in sorts_of(guarantee.domain) if n not in {str(v) for v in SUMS})
    taken = {n for n, _ in sorts} | FUNCTIONS.keys()
    epsilons, deltas, count = fresh("eps", taken), fresh("delta", taken), fresh("k", taken)
    k, e = variable(count), member(epsilons, bound(0))
    d = ZERO if pure else member(deltas, bound(0))
    steps = kernel.Sequence(e, d, k)
    claim = kernel.Private(steps, ONE, ZERO, ZERO)
    meant = meaning(claim)
    setting: list[Formula] = [Relation(ONE, "<=", k), Each(ONE, k, Relation(ZERO, "<", e), "l")]
    if not pure:
        setting += [Each(ONE, k, Relation(ZERO, "<=", d), "l"), Each(ONE, k, Relation(d, "<=", ONE), "l")]
    where = [h.substitute(meant) for h in hypotheses_of(guarantee.domain)]
    epsilon, delta = (substitute(term_of(t), meant) for t in (guarantee.epsilon, guarantee.delta))
    return Goal((*sorts, (count, INTEGER)), (*setting, *where),
                kernel.Private(steps, ONE, epsilon, delta),
                ((epsilons, REAL), *(() if pure else ((deltas, REAL),))))


def meaning(claim: kernel.Private) -> Mapping[str, Term]:
    """What the sums that a guarantee about a sequence is written in stand for."""
    losses = kernel.losses_of(claim)
    return {str(loss_sum): losses.total, str(mean_sum): losses.mean, str(square_sum): losses.squares,
            str(variance_sum): losses.variance, str(delta_sum): losses.deltas, str(survival): losses.survival or ONE}


def infinite_ends(goal: Goal) -> tuple[tuple[Term, Term], ...]:
    """Closed lower ends of variables at which epsilon has no value, so that it is read as its limit."""
    claim = goal.claim
    found = []
    for name, sort in goal.sorts:
        if sort == REAL and isinstance(claim, kernel.Private) and name in claim.epsilon.variables:
            lower, _ = bounds_of(goal, name)
            if lower is not None and lower.op == ">=" and lower.right.head == "number":
                rest, _ = without(goal, name)
                try:
                    range_on(substitute(claim.epsilon, {name: lower.right}), rest)
                except Undefined as reason:
                    if reason.certain:
                        found.append((variable(name), lower.right))
                except ArithmeticError:
                    continue
    return tuple(found)
