r"""A guarantee, reduced to inequalities between closed forms. **Trusted.**

A guarantee says that for the worst mechanisms of its subject, composed, no set of outcomes has
$P(S) > e^{E} Q(S) + D$. A :class:`Route` names a theorem that bounds the worst case, and the relations
that it leaves to be shown on the domain of the guarantee. The theorems:

*linear*. The loss of a composition never exceeds the sum of the $\varepsilon$, except with the
probability $1 - \prod(1-\delta_\ell)$ that some $\delta$ strikes.

*moments*. Any composition of $(\varepsilon_\ell,\delta_\ell)$-DP mechanisms is dominated by randomised
responses (Kairouz, Oh and Viswanath, Section 6), for which
$d_E = 1-\prod(1-\delta_\ell)(1-h)$ with $h = \mathbb{E}\,(1-e^{E-Z})_+$. Since
$(1-e^{E-z})_+ \le e^{\lambda(z-E)}/(1+\lambda)$ for every $\lambda\ge0$, and since the loss $Z$ is a sum of
independent terms with $\mathbb{E}\,e^{\lambda Z}\le e^{\lambda m+\lambda^2 v/2}$, where
$m=\sum\varepsilon_\ell\tanh(\varepsilon_\ell/2)$ and $v=\sum\varepsilon_\ell^2$, the choice
$\lambda=(E-m)/v\ge0$ gives $h\le e^{-(E-m)^2/2v}/(1+(E-m)/v)$. So it is enough to have $\eta$ with
$h$'s bound at most $\eta$ and $1-\prod(1-\delta_\ell)(1-\eta)\le D$. Both inequalities used here are claims
of the literature that the kernel proves: kov/sec-7.pointwise, kov/sec-7.alon-spencer.
Gaussian noise has exactly these moments, with $m=\mu^2/2$ and $v=\mu^2$. For randomised responses
$v=2m$ will do as well, and is less (kov/sec-7.mgf-bound.sharper): then the moments are ``concentrated``.

*exact*. The curve of the mechanism itself, in closed form; $k$ Gaussians are one with $\sqrt k$ times the
distance. For any $(\varepsilon,\delta)$-DP mechanism, taken once, the curve of :func:`one_step_curve`.

>>> from symdp.notation import delta, eps, k
>>> from symdp.subject import AnyPrivate
>>> for relation in Route("linear").relations(AnyPrivate(eps, delta), k, k * eps, k * delta):
...     print(relation)
eps*k <= eps*k
1 - (1 - delta)^k <= delta*k
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sympy import Expr, Integer, Max, Symbol, exp, oo

from symdp.domain import Domain, Interval
from symdp.notation import eps_total
from symdp.privacy.gaussian import Gaussian
from symdp.privacy.pair import Mechanism
from symdp.proving.identity import identical
from symdp.proving.kernel import Rejected, range_on
from symdp.relation import Relation, ge, le
from symdp.subject import (
    AnyPrivate,
    AnySequence,
    Subject,
    delta_sum,
    loss_sum,
    mean_sum,
    square_sum,
    survival,
)

ZERO, ONE = Integer(0), Integer(1)

DOMINATION = "domination by randomised response (KOV, Section 6)"
MOMENTS = "moment bound (kov/sec-7.pointwise, kov/sec-7.alon-spencer)"
CONCENTRATED = "moment bound (kov/sec-7.pointwise, kov/sec-7.mgf-bound.sharper)"
GAUSSIANS = "k Gaussians are one with k times the squared distance"
ONE_STEP = "the region of one (eps, delta)-DP mechanism (kov/app-a.inclusion)"
CURVE = "the closed form of the mechanism's curve"


@dataclass(frozen=True)
class Losses:
    """The loss of a composition: at most ``total``, with mean ``mean`` and ``variance`` bounding its
    moments, except with the probability that nothing survives."""

    total: Expr
    mean: Expr
    variance: Expr
    survival: Expr
    trust: frozenset[str]


def losses_of(subject: Subject, fold: Expr) -> Losses:
    """What is known about the loss of the worst mechanisms of a subject."""
    if isinstance(subject, AnySequence):
        kept = ONE if subject.pure else survival
        return Losses(loss_sum, mean_sum, square_sum, kept, frozenset({DOMINATION}))
    if isinstance(subject, Gaussian):
        squared = fold * subject.separation**2
        return Losses(oo, squared / 2, squared, ONE, frozenset({GAUSSIANS}))
    if isinstance(subject, AnyPrivate):
        e, d = subject.epsilon, subject.delta
    elif subject.closed_form("max_divergence").is_finite is not False:
        e, d = subject.closed_form("max_divergence"), ZERO
    else:
        raise Rejected(f"nothing is known about the loss of {subject}")
    mean = fold * e * (exp(e) - 1) / (exp(e) + 1)
    return Losses(fold * e, mean, fold * e**2, (1 - d) ** fold, frozenset({DOMINATION}))


@dataclass(frozen=True)
class Route:
    r"""A way to show a guarantee: the name of the theorem, and what it leaves open.

    ``share`` is the part of delta that the moments get. ``enough`` is an epsilon, at most the
    guarantee's, that is shown to be enough; ``half`` takes half the variance for the mean, which is
    never less, since $\tanh(x/2)\le x/2$. ``size`` may name a variable that stands for the variance
    where the rest of the relation depends on it alone: then ``excess`` and ``bound`` are the excess of
    epsilon over the mean and the share, written with it. Where a variable ``turn`` is ``at`` or more, the
    losses simply add up, and the rest of the route is for where it is ``at`` or less. ``concentrated``
    takes twice the mean for the variance, as losses of randomised responses allow.
    """

    name: str
    share: Expr | None = None
    enough: Expr | None = None
    half: bool = False
    size: Symbol | None = None
    excess: Expr | None = None
    bound: Expr | None = None
    turn: Symbol | None = None
    at: Expr | None = None
    concentrated: bool = False

    def losses(self, subject: Subject, fold: Expr) -> Losses:
        """What the route knows about the loss of the worst mechanisms of a subject."""
        known = losses_of(subject, fold)
        if not self.concentrated:
            return known
        if DOMINATION not in known.trust:
            raise Rejected(f"the loss of {subject} is not that of randomised responses")
        return replace(known, variance=2 * known.mean)

    def trust(self, subject: Subject, fold: Expr) -> frozenset[str]:
        if self.name == "exact" and isinstance(subject, AnyPrivate):
            return frozenset({ONE_STEP})
        if self.name == "exact":
            return frozenset({CURVE} | ({GAUSSIANS} if isinstance(subject, Gaussian) else set()))
        known = losses_of(subject, fold).trust
        if self.name != "moments":
            return known
        return known | {CONCENTRATED if self.concentrated else MOMENTS}

    def relations(self, subject: Subject, fold: Expr, epsilon: Expr, delta: Expr) -> list[Relation]:
        """What has to hold on the domain for the guarantee to hold there."""
        if self.name == "certain":  # a delta of 1 promises nothing
            return [ge(delta, ONE)]
        if self.name == "exact":
            return [ge(epsilon, ZERO), le(exact_curve(subject, fold, epsilon), delta)]
        losses = self.losses(subject, fold)
        if self.name == "linear":
            if losses.total == oo:
                raise Rejected(f"the loss of {subject} has no limit")
            return [le(losses.total, epsilon), le(1 - losses.survival, delta)]
        if self.name != "moments" or self.share is None:
            raise Rejected(f"there is no way called {self.name!r}")
        excess = self.excess_over_mean(losses, epsilon)
        found = [
            ge(self.excess if self.excess is not None else excess, ZERO),
            le(1 - losses.survival * (1 - self.share), delta),
        ]
        if self.enough is not None:
            found.append(le(self.enough, epsilon))
        if self.size is None:
            return [*found, le(moment_bound(excess, losses.variance), self.share)]
        if self.excess is None or self.bound is None:
            raise Rejected("with a variable for the variance, the excess and the bound are needed")
        return [*found, le(moment_bound(self.excess, self.size), self.bound)]

    def excess_over_mean(self, losses: Losses, epsilon: Expr) -> Expr:
        enough = epsilon if self.enough is None else self.enough
        return enough - (losses.variance / 2 if self.half else losses.mean)

    def goals(
        self, subject: Subject, fold: Expr, epsilon: Expr, delta: Expr, domain: Domain
    ) -> list[tuple[Relation, Domain]]:
        """The relations, each with the domain on which it has to be shown."""
        if self.turn is not None:
            below, above = _halves(domain, self.turn, self.at)
            rest = replace(self, turn=None, at=None)
            return [*rest.goals(subject, fold, epsilon, delta, below),
                    *Route("linear").goals(subject, fold, epsilon, delta, above)]
        need_sensible(subject, fold, domain)
        wider = domain
        if self.size is not None:
            self._check_size(subject, fold, epsilon, domain)
            wider = Domain(
                {**domain.intervals, self.size: Interval(ZERO, oo, lower_open=True)},
                domain.integers, domain.conditions,
            )
        return [
            (relation, only(wider, relation.symbols))
            for relation in self.relations(subject, fold, epsilon, delta)
        ]

    def _check_size(self, subject: Subject, fold: Expr, epsilon: Expr, domain: Domain) -> None:
        """The variable may stand for the variance: what is written with it says the same."""
        if self.size in domain.intervals or self.excess is None or self.bound is None:
            raise Rejected("the variable for the variance must be a new one")
        losses = self.losses(subject, fold)
        if not range_on(losses.variance, domain).is_positive():
            raise Rejected("the variance was not seen to be positive")
        positive = [v for v in domain.variables if range_on(v, domain).is_positive()]
        pairs = ((self.excess, self.excess_over_mean(losses, epsilon)), (self.bound, self.share))
        for written, meant in pairs:
            if not identical(written.subs(self.size, losses.variance), meant, positive):
                raise Rejected(f"{written} was not seen to say the same as {meant}")


def _halves(domain: Domain, turn: Symbol, at: Expr | None) -> tuple[Domain, Domain]:
    """Two domains that cover this one: the variable at most, and at least, that number."""
    interval = domain.intervals.get(turn)
    if interval is None or turn in domain.integers or at is None or not at.is_Rational:
        raise Rejected(f"the domain is not divided at {turn} = {at}")
    if not (interval.contains(at) and interval.lower != at != interval.upper):
        raise Rejected(f"{turn} = {at} does not divide the domain")
    return (domain.replace_interval(turn, Interval(interval.lower, at, interval.lower_open, False)),
            domain.replace_interval(turn, Interval(at, interval.upper, False, interval.upper_open)))


def need_sensible(subject: Subject, fold: Expr, domain: Domain) -> None:
    """The parameters are those of some mechanism, and the fold is a number of times."""
    if not (fold.is_Integer or fold in domain.integers) or not range_on(fold, domain).lo >= 1:
        raise Rejected(f"{fold} was not seen to be a number of times")
    if isinstance(subject, AnyPrivate):
        epsilon, delta = range_on(subject.epsilon, domain), range_on(subject.delta, domain)
        if not (epsilon.is_nonnegative() and delta.is_nonnegative() and delta.hi <= 1):
            raise Rejected(f"{subject} were not seen to have sensible parameters on the whole domain")
    elif isinstance(subject, Mechanism):
        for name, value in subject.parameters.items():
            if not isinstance(value, Expr) or not range_on(value, domain).is_positive():
                raise Rejected(f"the {name} of {subject.name} was not seen to be positive")


def moment_bound(excess: Expr, variance: Expr) -> Expr:
    """The bound on h for that excess of epsilon over the mean."""
    return exp(-(excess**2) / (2 * variance)) / (1 + excess / variance)


def exact_curve(subject: Subject, fold: Expr, epsilon: Expr) -> Expr:
    """The smallest delta of a noise mechanism at epsilon, where it has a closed form."""
    if isinstance(subject, AnyPrivate) and fold == 1:
        return one_step_curve(subject, epsilon)
    if isinstance(subject, Gaussian):
        # All that matters is the variance in units of the squared distance; it is positive.
        subject = Gaussian(subject.noise_variance / (fold * subject.sensitivity**2))
    elif not isinstance(subject, Mechanism) or fold != 1:
        raise Rejected("there is no closed form for this composition")
    return subject.closed_form("delta").subs(eps_total, epsilon)


def one_step_curve(subject: AnyPrivate, epsilon: Expr) -> Expr:
    r"""The smallest delta of one mechanism at epsilon, at least 0, among all with these parameters.

    Let a set have the masses $a$ and $b$. Privacy says $a-e^{\varepsilon}b\le\delta$ and, of its
    complement, $e^{\varepsilon}a-b\le e^{\varepsilon}-1+\delta$. For $0\le E\le\varepsilon$, $a-e^Eb$ is
    a combination of the two left sides with weights that are not negative and add up to
    $(1+e^E)/(1+e^{\varepsilon})$; randomised response attains the value. Beyond, it is at most $\delta$.
    """
    e, d = subject.epsilon, subject.delta
    return d + (1 - d) * Max(0, (exp(e) - exp(epsilon)) / (1 + exp(e)))


def only(domain: Domain, symbols: frozenset[Symbol]) -> Domain:
    """The domain of some of the variables; conditions bring the variables that they tie to them."""
    needed = set(symbols)
    while True:
        tied = {v for c in domain.conditions if c.symbols & needed for v in c.symbols}
        if tied <= needed:
            break
        needed |= tied
    return Domain(
        {v: i for v, i in domain.intervals.items() if v in needed},
        frozenset(domain.integers & needed),
        tuple(c for c in domain.conditions if c.symbols <= needed),
    )


def sums_domain(domain: Domain, pure: bool) -> Domain:
    r"""The domain with the sums of a sequence in it, and what holds between them.

    $\tanh(x/2)\le x/2$ and $\tanh(x/2)<1$ give the relations of the mean, the union bound that of the
    deltas.
    """
    positive, unit = Interval(ZERO, oo, lower_open=True), Interval(ZERO, ONE)
    sums: Mapping[Symbol, Interval] = {
        loss_sum: positive, mean_sum: positive, square_sum: positive,
        **({} if pure else {delta_sum: Interval(ZERO, oo), survival: unit}),
    }
    known = [le(2 * mean_sum, square_sum), le(mean_sum, loss_sum), le(square_sum, loss_sum**2)]
    if not pure:
        known.append(le(1 - survival, delta_sum))
    missing = {v: i for v, i in sums.items() if v not in domain.intervals}
    return Domain({**domain.intervals, **missing}, domain.integers,
                  (*domain.conditions, *known))
