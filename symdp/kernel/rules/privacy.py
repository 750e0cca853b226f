r"""Guarantees of privacy as formulas, and the theorems that reduce them to relations. **Trusted.**

A law $P$ on outcomes is $(\varepsilon,\delta)$-close to $Q$ if $P(S)\le e^\varepsilon Q(S)+\delta$ for
every set $S$. A mechanism is $(\varepsilon,\delta)$-DP if its laws on any two neighbouring databases are
close, each to the other. In a composition the next mechanism, and the two databases that it is asked about,
may depend on all outcomes before; what is private is the tuple of all outcomes.

:class:`Private` holds at a point if every term in it is defined there, its parameters are those of some
mechanism (an epsilon is at least 0, a delta between 0 and 1, a variance positive; see the subjects), the
fold is at least 1, and the fold-fold adaptive composition of *any* mechanisms of its subject is
(epsilon, delta)-DP. The total epsilon may be any real number, also one below 0. A guarantee also holds,
since it promises nothing,

* where delta is defined and at least 1, whatever the rest is;
* at an end (x, a) that the formula names, if epsilon is undefined where x = a, and grows without limit as x
  comes down to a while the other variables stay: it is read as infinity there.

So nothing about definedness may be concluded from a guarantee among the hypotheses.

A route is a rule that computes, from the formula alone, relations that are enough for it. It leaves open
that the parameters are sensible, and since a relation says that its sides are defined, what it leaves open
says that everything is. A parameter of a route never stands for something that the route knows: it is a
share of delta, or a flag. The routes rest on theorems, each a :class:`Citation` in the trust of the proof:

*Domination.* Any composition of $(\varepsilon_\ell,\delta_\ell)$-DP mechanisms is a function of
independent randomised responses, each of which gives the database away with probability $\delta_\ell$ and
otherwise has the loss $\pm\varepsilon_\ell$ with odds $e^{\varepsilon_\ell}$. So its delta at $E$ is at most
$1-s(1-h)$ with $s=\prod(1-\delta_\ell)$ and $h=\mathbb{E}\,(1-e^{E-Z})_+$, where $Z$ is the sum of these
losses; and randomised responses attain it. It rises in $h$. If $E\ge\sum\varepsilon_\ell$ then $h=0$.

*Moments.* $(1-e^{E-z})_+\le e^{\lambda(z-E)}/(1+\lambda)$ for $\lambda\ge0$, and
$\mathbb{E}\,e^{\lambda Z}\le e^{\lambda m+\lambda^2v/2}$ with
$m=\sum\varepsilon_\ell\tanh(\varepsilon_\ell/2)$ and $v=\sum\varepsilon_\ell^2$, or $v=2m$
(*concentrated*), or the variance $v=\sum\varepsilon_\ell^2/\cosh^2(\varepsilon_\ell/2)$ (*tilted*). At
$\lambda=(E-m)/v\ge0$ this is $h\le b(E-m)$ with $b(x)=e^{-x^2/2v}/(1+x/v)$. Since $b$ falls for $x\ge0$ and
$m\le v/2$ for the first $v$, $h\le b(E-v/2)$ as well where $E\ge v/2$ (*half*). Gaussian noise has these moments
exactly, with $m=v/2$ and $v=k\Delta^2/\sigma^2$.

*Union.* $1-\prod(1-\delta_\ell)\le\sum\delta_\ell$ by induction on their number: with $s\le1$ the product of
the others, $1-s(1-\delta)=1-s+s\delta\le(1-s)+\delta$. So for a share $\eta\ge0$,
$1-s(1-\eta)=(1-s)+s\eta\le\sum\delta_\ell+\eta$; the share of moments is positive, being at least $b$.

>>> from symdp.kernel.terms import variable
>>> e, d, k = variable("e"), variable("d"), variable("k")
>>> goal = Goal((("e", "real"), ("d", "real"), ("k", "integer")), (),
...             Private(AnyPrivate(e, d), k, k * e, k * d))
>>> print(goal.claim)
the k-fold composition of (e, d)-DP mechanisms is (k*e, k*d)-DP
>>> for premise in linear(goal, {}):
...     print(premise.claim)
1 <= k
0 <= e
0 <= d
d <= 1
k*e <= k*e
1 - (1 - d)^k <= k*d
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import partial

from symdp.kernel.functions.record import TWO, exp, sqrt
from symdp.kernel.goals import Each, Formula, Goal, IllFormed, Relation, Stated, Whole
from symdp.kernel.proof import Parameters, Rejected, Rule, rule
from symdp.kernel.terms import ONE, ZERO, Term, add, apply, binder, bound, number, substitute
from symdp.kernel.values.conditions import bounds_of, need_real, shown, without
from symdp.kernel.values.enclosure import range_on
from symdp.kernel.values.limits import PLUS_INFINITY, limit
from symdp.kernel.values.ranges import Undefined


class Citation(str):
    """A result that a rule rests on: a BibTeX key or the id of a claim, the place, and what it says."""

    key: str

    def __new__(cls, key: str, says: str) -> Citation:
        made = super().__new__(cls, f"{key}: {says}")
        made.key = key
        return made

    def __reduce__(self) -> tuple[Callable[..., Citation], tuple[str, str]]:
        return Citation, (self.key, self[len(self.key) + 2:])


DOMINATION = Citation("kairouz2015composition, Section 6",
                      "a composition of private mechanisms is a function of randomised responses")
POINTWISE = Citation("kov/sec-7.pointwise", "what an outcome adds to delta lies below an exponential")
TWO_POINTS = Citation("kov/sec-7.alon-spencer", "the moments of two points lie below those of a normal law")
TILTED = Citation("kov/sec-7.mgf-bound.variance", "the variance of a loss, tilted upwards, only falls")
CONCENTRATION = Citation("kov/sec-7.mgf-bound.sharper", "twice the mean of a loss takes the place of its square")
ONE_STEP = Citation("kov/app-a.inclusion", "the curve of the worst (eps, delta)-DP mechanism, taken once")
GAUSSIANS = Citation("dong2022gaussian",
                     "k adaptive Gaussians are at most as telling as one with k times the squared distance")
GAUSSIAN_CURVE = Citation("balle2018improving", "the curve of Gaussian noise")
LAPLACE_LOSS = Citation("dwork2006calibrating", "the loss of Laplace noise is at most sensitivity/scale")
LAPLACE_CURVE = Citation("balle2018subsampling", "the curve of Laplace noise")
TWO_VARIANCES = Citation("symdp/kernel/rules/privacy.py",
                         "the best set for two densities is where one exceeds e^eps times the other")
NOTHING_PROMISED = Citation("reading", "a delta of 1 or more promises nothing, whatever epsilon and the parameters")
READ_AS_LIMIT = Citation("reading", "an epsilon without a value that grows without limit at an end is infinity")


positive_part = partial(apply, "max", ZERO)


# --- subjects ---------------------------------------------------------------------------------


class Subject(Stated):
    """A kind of mechanism. Every kind is a frozen dataclass of terms, or of tuples of terms."""

    def __post_init__(self) -> None:
        IllFormed.unless(all(isinstance(t, Term) for t in self.terms()), "a parameter of a mechanism is no term")

    def terms(self) -> Iterator[Term]:
        for f in fields(self):  # type: ignore[arg-type]
            value = getattr(self, f.name)
            yield from value if isinstance(value, tuple) else (value,)

    def map(self, change: Callable[[Term], Term]) -> Subject:
        values = (getattr(self, f.name) for f in fields(self))  # type: ignore[arg-type]
        return type(self)(*(tuple(map(change, v)) if isinstance(v, tuple) else change(v) for v in values))

    def sensible(self) -> list[Formula]:
        """That the parameters are those of a mechanism; every parameter is in it."""
        return [Relation(ZERO, "<", t) for t in self.terms()]


@dataclass(frozen=True)
class AnyPrivate(Subject):
    """Whatever is (epsilon, delta)-DP."""

    epsilon: Term
    delta: Term

    def sensible(self) -> list[Formula]:
        return [Relation(ZERO, "<=", self.epsilon), *_probability(self.delta)]

    def __str__(self) -> str:
        return f"({self.epsilon}, {self.delta})-DP mechanisms"


@dataclass(frozen=True)
class Sequence(Subject):
    """For l = 1, ..., count, the l-th mechanism is (epsilon, delta)-DP, where l is ``bound(0)``."""

    epsilon: Term
    delta: Term
    count: Term

    def sensible(self) -> list[Formula]:
        steps = (Relation(ZERO, "<=", self.epsilon), *_probability(self.delta))
        return [Relation(ONE, "<=", self.count), *(Each(ONE, self.count, r, "l") for r in steps)]

    def __str__(self) -> str:
        each = Each(ONE, self.count, Relation(self.epsilon, "<=", self.delta), "l")
        pair, _, steps = str(each).partition(" for every integer ")
        return f"({pair.replace(' <= ', ', ', 1)})-DP mechanisms, {steps}"


@dataclass(frozen=True)
class Gaussian(Subject):
    """Normal noise of that variance, added to a number that changes by at most the sensitivity."""

    variance: Term
    sensitivity: Term

    def __str__(self) -> str:
        return f"Gaussian noise with variance {self.variance} and sensitivity {self.sensitivity}"


@dataclass(frozen=True)
class Laplace(Subject):
    """Noise of density exp(-|x|/scale)/(2 scale), for a number that changes by at most the sensitivity."""

    scale: Term
    sensitivity: Term

    def __str__(self) -> str:
        return f"Laplace noise with scale {self.scale} and sensitivity {self.sensitivity}"


@dataclass(frozen=True)
class Finite(Subject):
    """A mechanism with finitely many outcomes, which has these two laws on any neighbouring databases."""

    one: tuple[Term, ...]
    other: tuple[Term, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= len(self.one) == len(self.other) <= 64 or any(
                all(p is ZERO for p in law) for law in (self.one, self.other)):
            raise IllFormed("the two laws must have the same outcomes, from 2 to 64, not all of mass 0")

    def sensible(self) -> list[Formula]:
        masses = [Relation(ZERO, "<=", t) for t in self.terms() if t is not ZERO]
        return [*masses, *(Relation(add(*law), "==", ONE) for law in (self.one, self.other))]

    def __str__(self) -> str:
        one, other = (", ".join(map(str, law)) for law in (self.one, self.other))
        return f"a mechanism with the laws ({one}) and ({other})"


@dataclass(frozen=True)
class TwoVariances(Subject):
    """A mechanism with the laws N(0, spread) and N(0, 1) on any neighbouring databases; spread > 1."""

    spread: Term

    def sensible(self) -> list[Formula]:
        return [Relation(ONE, "<", self.spread)]

    def __str__(self) -> str:
        return f"a mechanism with the laws N(0, {self.spread}) and N(0, 1)"


def _probability(t: Term) -> list[Relation]:
    if t.head == "number" and 0 <= t.value <= 1:
        return []
    return [Relation(ZERO, "<=", t), Relation(t, "<=", ONE)]


# --- the formula ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Private(Formula):
    """The fold-fold adaptive composition of mechanisms of the subject is (epsilon, delta)-DP.

    A sequence says itself how many mechanisms there are, so its fold is 1. ``ends`` are pairs of a variable
    and a number, at which epsilon is read as infinity.
    """

    subject: Subject
    fold: Term
    epsilon: Term
    delta: Term
    ends: tuple[tuple[Term, Term], ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.subject, Subject) or not all(isinstance(t, Term) for t in self.terms()):
            raise IllFormed("a guarantee is about a kind of mechanisms, and made of terms")
        if isinstance(self.subject, Sequence | Finite | TwoVariances) and self.fold is not ONE:
            raise IllFormed("a sequence, and a mechanism given by its laws, is taken once")
        if any(v.head != "variable" or a.head != "number" for v, a in self.ends):
            raise IllFormed("an end is a variable and a number")

    def terms(self) -> Iterator[Term]:
        yield from self.subject.terms()
        yield from (self.fold, self.epsilon, self.delta)
        for end in self.ends:
            yield from end

    def map(self, change: Callable[[Term], Term]) -> Private:
        # How epsilon behaves beside an end is a matter of the formula, not of its value at a point.
        if self.ends and any(change(t) is not t for t in self.terms()):
            raise IllFormed("a guarantee that names an end is shown as it is written, or without the end")
        fold, epsilon, delta = (change(t) for t in (self.fold, self.epsilon, self.delta))
        return Private(self.subject.map(change), fold, epsilon, delta, self.ends)

    def check(self, whole: Whole) -> None:
        for formula in (*self.sensible(), Relation(self.epsilon, "<=", self.delta)):
            formula.check(whole)
        whole.need(self.fold)

    def sensible(self) -> list[Formula]:
        """That there are such mechanisms, and that the fold is a number of times."""
        times: list[Formula] = [] if self.fold is ONE else [Relation(ONE, "<=", self.fold)]
        return [*times, *self.subject.sensible()]

    def __str__(self) -> str:
        fold = "" if self.fold is ONE else f"the {self.fold}-fold composition of "
        if isinstance(self.subject, Sequence):
            fold = "the composition of "
        text = f"{fold}{self.subject} is ({self.epsilon}, {self.delta})-DP"
        if self.ends:
            at = ", ".join(f"{v} = {a}" for v, a in self.ends)
            text += f", with an epsilon that grows without limit read as infinity at {at},"
        return text


Subjects = type[Subject] | tuple[type[Subject], ...]
Made = Callable[..., list[Goal]]
#: What a route may be told: terms, and flags.
PARAMETERS: dict[str, type] = {"share": Term, "epsilon": Term, "delta": Term, "half": bool, "union": bool}


def _route(*trust: str, subject: Subjects = Subject, once: bool = False) -> Callable[[Made], Rule]:
    """A rule for guarantees about these subjects (taken once), given the goal, its claim, and its parameters."""

    def register(made: Made) -> Rule:
        def checked(goal: Goal, parameters: Parameters) -> list[Goal]:
            claim = goal.claim
            if not isinstance(claim, Private) or not isinstance(claim.subject, subject):
                raise Rejected("the claim is no guarantee of privacy of such mechanisms")
            Rejected.unless(not once or claim.fold is ONE, "this is about one mechanism, taken once")
            for name, value in parameters.items():
                if not isinstance(value, PARAMETERS.get(name, ())):
                    raise Rejected(f"there is no parameter {str(name)[:40]!r} of that kind")
            return made(goal, claim, **parameters)

        checked.__name__, checked.__doc__ = made.__name__, made.__doc__
        return rule(*trust)(checked)

    return register


#: The deltas that mechanisms of a subject need: each shows one set of outcomes, and the best one is among them.
CURVES: dict[type[Subject], Callable[[Private], list[Term]]] = {}


def _curve(*trust: str, subject: type[Subject], once: bool = False, least: Term | None = None) -> Callable[..., Rule]:
    """A rule for guarantees from the curve of these mechanisms, at an epsilon that is at least so much."""

    def register(made: Callable[[Private], list[Term]]) -> Rule:
        def curve(goal: Goal, claim: Private) -> list[Goal]:
            has_value = Relation(claim.epsilon if least is None else least, "<=", claim.epsilon)
            return _leaving(goal, claim, has_value, *(Relation(t, "<=", claim.delta) for t in made(claim)))

        CURVES[subject] = made
        curve.__name__, curve.__doc__ = made.__name__, made.__doc__
        return _route(*trust, subject=subject, once=once)(curve)

    return register


def _leaving(goal: Goal, claim: Private, *relations: Relation) -> list[Goal]:
    """The parameters are sensible, and these relations hold."""
    return [goal.claiming(f) for f in (*claim.sensible(), *relations)]


# --- what is known about the loss -------------------------------------------------------------


@dataclass(frozen=True)
class Losses:
    """The loss of randomised responses: its largest value and mean, the sum of squares, its variance, the
    probability that no delta strikes (None: there is none), and the sum of the deltas."""

    total: Term
    mean: Term
    squares: Term
    variance: Term
    survival: Term | None
    deltas: Term

    def leak(self, share: Term, union: bool) -> Term:
        """A bound on the delta of the composition, for that bound on the part of pure responses."""
        if self.survival is None:
            return share
        if union:
            return self.deltas if share is ZERO else self.deltas + share
        return ONE - self.survival if share is ZERO else ONE - self.survival * (ONE - share)


def losses_of(claim: Private) -> Losses:
    """The loss of the randomised responses that dominate the composition."""
    subject, n = claim.subject, claim.fold
    if not isinstance(subject, AnyPrivate | Sequence):
        raise Rejected("the loss of these mechanisms is not bounded by an epsilon")

    def over_steps(head: str, body: Term) -> Term:
        if isinstance(subject, Sequence):
            return binder(head, ONE, subject.count, body, "l")
        return n * body if head == "sum" else body ** n

    e, d = subject.epsilon, subject.delta
    kept = None if d is ZERO else over_steps("product", ONE - d)
    mean, variance = e * (exp(e) - ONE) / (exp(e) + ONE), e ** TWO / apply("cosh", e / TWO) ** TWO
    total, mean, squares, variance, deltas = (over_steps("sum", t) for t in (e, mean, e ** TWO, variance, d))
    return Losses(total, mean, squares, variance, kept, deltas)


def moment_bound(excess: Term, variance: Term) -> Term:
    """The bound on h for that excess of epsilon over the mean."""
    return exp(-(excess ** TWO / (TWO * variance))) / (ONE + excess / variance)


# --- routes -----------------------------------------------------------------------------------


@_route()
def certain(goal: Goal, claim: Private) -> list[Goal]:
    """A delta of 1 promises nothing."""
    return _leaving(goal, claim, Relation(claim.epsilon, "==", claim.epsilon), Relation(ONE, "<=", claim.delta))


@_route(NOTHING_PROMISED)
def void(goal: Goal, claim: Private) -> list[Goal]:
    """A delta of 1 or more, read as no promise even where epsilon or a parameter means nothing."""
    return [goal.claiming(Relation(ONE, "<=", claim.delta))]


@_route(READ_AS_LIMIT)
def opened(goal: Goal, claim: Private) -> list[Goal]:
    """An end at which epsilon is infinity is left out; the variable must be seen not to lie below it."""
    Rejected.unless(claim.ends, "the guarantee names no end at which epsilon is infinity")
    (v, at), *others = claim.ends
    need_real(v.value, goal)
    Rejected.unless(shown(Relation(at, "<=", v), goal), f"it was not seen that {v} is at least {at}")
    # The others stay where they are, and the variable comes down below its upper bound, if that is further up.
    rest, _ = without(goal, v.value)
    _, upper = bounds_of(goal, v.value)
    near = [upper] if upper is not None and shown(Relation(at, "<", upper.right), goal) else []
    beside = Goal(goal.sorts, (*rest.hypotheses, Relation(at, "<", v), *near), rest.claim, goal.families)
    if limit(claim.epsilon, v.value, at, beside) is not PLUS_INFINITY:
        raise Rejected(f"epsilon was not seen to grow without limit as {v} goes to {at}")
    try:
        range_on(substitute(claim.epsilon, {v.value: at}), rest)
    except Undefined as reason:
        if reason.certain:
            inside = replace(claim, ends=tuple(others))
            return [goal.claiming(inside, Relation(at, "<", v))]
    raise Rejected(f"epsilon may have a value at {v} = {at}")


@_route()
def relax(goal: Goal, claim: Private, epsilon: Term | None = None, delta: Term | None = None) -> list[Goal]:
    """From a guarantee with a smaller epsilon and a smaller delta."""
    smaller = replace(claim, epsilon=epsilon or claim.epsilon, delta=delta or claim.delta)
    return [goal.claiming(Relation(smaller.epsilon, "<=", claim.epsilon)),
            goal.claiming(Relation(smaller.delta, "<=", claim.delta)), goal.claiming(smaller)]


@_route(DOMINATION)
def linear(goal: Goal, claim: Private, union: bool = False) -> list[Goal]:
    """The losses add up, and none is larger except where some delta strikes."""
    losses = losses_of(claim)
    return _leaving(goal, claim, Relation(losses.total, "<=", claim.epsilon),
                    Relation(losses.leak(ZERO, union), "<=", claim.delta))


def _by_moments(goal: Goal, claim: Private, mean: Term, variance: Term, leak: Term, share: Term) -> list[Goal]:
    """The mean is at most epsilon, what leaks and the share at most delta; then, the bound at most the share."""
    above = Relation(mean, "<=", claim.epsilon)
    bounded = Relation(moment_bound(claim.epsilon - mean, variance), "<=", share)
    return [*_leaving(goal, claim, above, Relation(leak, "<=", claim.delta)), goal.claiming(bounded, above)]


@_route(DOMINATION, POINTWISE, TWO_POINTS)
def moments(goal: Goal, claim: Private, share: Term, half: bool = False, union: bool = False) -> list[Goal]:
    """The moments of the loss, with the sum of squares for the variance.

    ``share`` bounds the part of delta that pure responses have, ``half`` takes half the variance for the
    mean, ``union`` adds up the deltas.
    """
    losses = losses_of(claim)
    mean = losses.squares / TWO if half else losses.mean
    return _by_moments(goal, claim, mean, losses.squares, losses.leak(share, union), share)


@_route(DOMINATION, POINTWISE, CONCENTRATION)
def concentrated(goal: Goal, claim: Private, share: Term, union: bool = False) -> list[Goal]:
    """The same with twice the mean for the variance."""
    losses = losses_of(claim)
    return _by_moments(goal, claim, losses.mean, TWO * losses.mean, losses.leak(share, union), share)


@_route(DOMINATION, POINTWISE, TILTED)
def tilted(goal: Goal, claim: Private, share: Term, union: bool = False) -> list[Goal]:
    """The same with the variance of the loss."""
    losses = losses_of(claim)
    return _by_moments(goal, claim, losses.mean, losses.variance, losses.leak(share, union), share)


@_route(DOMINATION, subject=AnyPrivate)
def worst_case(goal: Goal, claim: Private) -> list[Goal]:
    """The exact delta of randomised responses, as a sum over how many of them lie."""
    needed = needed_delta(claim.subject, claim.fold, claim.epsilon)  # type: ignore[arg-type]
    return _leaving(goal, claim, Relation(needed, "<=", claim.delta))


def needed_delta(subject: AnyPrivate, n: Term, epsilon: Term, least: Term = ZERO, most: Term | None = None) -> Term:
    """The smallest delta at epsilon of n mechanisms of the subject, whatever they are; or a part of it, that of
    the outcomes with so many lies at least and at most."""
    e, d, lies = subject.epsilon, subject.delta, bound(0)
    told = apply("binomial", n, lies) * exp((n - lies) * e)
    excess = positive_part(ONE - exp(epsilon - (n - TWO * lies) * e))
    pure = binder("sum", least, most or n, told * excess, "j") / (ONE + exp(e)) ** n
    return pure if d is ZERO else ONE - (ONE - d) ** n * (ONE - pure)


@_route(ONE_STEP, subject=AnyPrivate, once=True)
def one_step(goal: Goal, claim: Private) -> list[Goal]:
    r"""The curve of the worst mechanism with these parameters, taken once, at an epsilon of at least 0.

    Let a set have the masses $a$ and $b$. Privacy says $a-e^{\varepsilon}b\le\delta$ and, of its
    complement, $e^{\varepsilon}a-b\le e^{\varepsilon}-1+\delta$. For $0\le E\le\varepsilon$, $a-e^Eb$ is a
    combination of the two left sides with weights that are not negative, and so at most
    $\delta+(1-\delta)(e^\varepsilon-e^E)/(1+e^\varepsilon)$. Beyond, it is at most $\delta$.
    """
    e, d = claim.subject.terms()
    curve = d + (ONE - d) * positive_part((exp(e) - exp(claim.epsilon)) / (ONE + exp(e)))
    return _leaving(goal, claim, Relation(ZERO, "<=", claim.epsilon), Relation(curve, "<=", claim.delta))


@_curve(subject=Finite)
def finite_laws(claim: Private) -> list[Term]:
    """What the best set of outcomes shows, either way: the definition."""
    def needed(one: tuple[Term, ...], other: tuple[Term, ...]) -> Term:
        # An outcome that the other law never has adds its mass, which is not negative; one of mass 0 nothing.
        pairs = [(p, q) for p, q in zip(one, other, strict=True) if p is not ZERO]
        return add(*(p if q is ZERO else positive_part(p - exp(claim.epsilon) * q) for p, q in pairs))

    one, other = claim.subject.one, claim.subject.other  # type: ignore[attr-defined]
    return [needed(one, other), needed(other, one)]


@_route(LAPLACE_LOSS, subject=Laplace)
def pure_noise(goal: Goal, claim: Private) -> list[Goal]:
    """Laplace noise is some (sensitivity/scale, 0)-DP mechanism."""
    scale, sensitivity = claim.subject.terms()
    weaker = replace(claim, subject=AnyPrivate(sensitivity / scale, ZERO))
    return [*_leaving(goal, claim), goal.claiming(weaker)]


@_curve(LAPLACE_CURVE, subject=Laplace, once=True, least=ZERO)
def laplace_curve(claim: Private) -> list[Term]:
    r"""The curve of Laplace noise, once, at an epsilon of at least 0; it grows with the distance.

    With the means 0 and $\Delta$ and $a=\Delta/b$, the loss falls from $a$ to $-a$ between them, and is $E$ at
    $t=(\Delta-bE)/2$. Below t the one law has the mass $1-e^{(E-a)/2}/2$, and the other $e^{-E}e^{(E-a)/2}/2$.
    """
    scale, sensitivity = claim.subject.terms()
    return [positive_part(ONE - exp((claim.epsilon - sensitivity / scale) / TWO))]


def _squared_distance(claim: Private) -> Term:
    """Of the means of the k-fold product, in standard deviations."""
    variance, sensitivity = claim.subject.terms()
    return claim.fold * sensitivity ** TWO / variance


@_curve(GAUSSIANS, GAUSSIAN_CURVE, subject=Gaussian)
def gaussian_curve(claim: Private) -> list[Term]:
    """The curve of k Gaussians, at any epsilon; it grows with the distance of the means."""
    mu, half = sqrt(_squared_distance(claim)), number(1, 2)
    near, far = half * mu - claim.epsilon / mu, -(half * mu) - claim.epsilon / mu
    return [apply("Phi", near) - exp(claim.epsilon) * apply("Phi", far)]


@_route(GAUSSIANS, POINTWISE, subject=Gaussian)
def gaussian_moments(goal: Goal, claim: Private) -> list[Goal]:
    """The moments of the loss of k Gaussians, which is normal with half its variance as mean."""
    variance = _squared_distance(claim)
    return _by_moments(goal, claim, variance / TWO, variance, claim.delta, claim.delta)


@_curve(TWO_VARIANCES, subject=TwoVariances, least=ZERO)
def two_variances(claim: Private) -> list[Term]:
    r"""The curves of two centred normal laws, either way, at an epsilon of at least 0.

    The loss $\log(p/q)$ at $x$ is $x^2(1-1/s)/2-\log(s)/2$. It exceeds $E$ where $x^2/2s > c$ with
    $c=(E+\log(s)/2)/(s-1)$; the other way it does where $x^2/2s < c'$, $c'=(\log(s)/2-E)_+/(s-1)$.
    """
    (s,) = claim.subject.terms()
    middle = apply("log", s) / TWO
    outer, inner = (claim.epsilon + middle) / (s - ONE), positive_part(middle - claim.epsilon) / (s - ONE)
    forth = apply("erfc", sqrt(outer)) - exp(claim.epsilon) * apply("erfc", sqrt(s * outer))
    back = apply("erf", sqrt(s * inner)) - exp(claim.epsilon) * apply("erf", sqrt(inner))
    return [forth, back]
