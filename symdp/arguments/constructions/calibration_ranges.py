r"""How far the calibrations of Section 4 hold: the largest $E$, from both sides.

With $\ell=\log(e+\varepsilon/\delta)$ the loss of the composition has moments at most those of a normal
law with variance $v=\varepsilon^2/(c\,\ell)$ and mean $v/2$, and a share $s\delta$ of $\delta$ is for it.
By kov/sec-7.pointwise and kov/sec-7.alon-spencer the loss needs at most
$e^{-u^2/2v}(1+\lambda)^{-1}(1+1/\lambda)^{-\lambda}$, where $u=\varepsilon-v/2\ge0$ and $\lambda=u/v$;
since $\log(1+x)\ge 2x/(2+x)$, the last factor is at most $e^{-2\lambda/(2\lambda+1)}$. Steps that leak
$\delta/2k$ each leak at most $\delta/2$, by Bernoulli's inequality, and $s=1/2$ is left. As
$\delta=\varepsilon/(e^\ell-e)\ge\varepsilon e^{-\ell}$, what remains is, in logarithms,
$\ell-\log s+\varepsilon/2
\le c\ell/2+\varepsilon^2/(8c\ell)+\log(\varepsilon/2+c\ell)+1-\varepsilon/(2c\ell)$
for $\varepsilon\le2c\ell$ and $\ell\ge\log(e+\varepsilon)$, which is $\delta\le1$. This the kernel shows on
$(0,a]$ in pieces: on the first with the inequality of the two means, on the others as it stands. It goes on
with randomised responses, which dominate the steps and Laplacian noise: small $\delta$ by the
moments, the rest by binomial tails for all $k$ up to a number and by the normal limit from there on
(:mod:`symdp.arguments.constructions.normal_limit`). From above, exact composition breaks the promise at a point; for
Laplacian noise, which comes near to its limit only for very many queries, the normal law with its own
moments does. The search is in machine floats; what is said is certified.

>>> print(break_above(CALIBRATIONS["any"]).point[eps])  # and below, it is shown as far as the kernel goes
3069/100
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx
from sympy import E, Expr, Integer, Rational, Symbol, log, sqrt

from symdp.arguments.constructions import Observation, construction
from symdp.arguments.constructions.normal_limit import (
    BERRY_ESSEEN,
    Box,
    calibration_holds,
    of_laplace,
)
from symdp.arguments.guarantees.findings import violate
from symdp.formulas.balls import ball
from symdp.formulas.notation import delta, eps, k, symbol
from symdp.formulas.parsing import parse_conditions
from symdp.formulas.relation import Relation, le
from symdp.kernel.proof import Rejected
from symdp.kernel.rules.privacy import DOMINATION, POINTWISE, TWO_POINTS
from symdp.numbers.domain import Domain
from symdp.privacy.mechanisms.noise.laplace import Laplace
from symdp.search.prove import decide_relation
from symdp.search.verdict import Status
from symdp.sources.statement import Guarantee
from symdp.sources.subject import AnyPrivate, Subject

#: Seconds for one question to the kernel.
BUDGET = 12.0
#: From this many steps on the normal limit is used, and from four times as many where delta is small.
MANY = 4096
level = symbol("l")
logarithm = log(E + eps / delta)


@dataclass(frozen=True)
class CalibratedSubject:
    """A subject with parameters from a target (eps, delta), and where to look."""

    subject: Subject
    #: c, and the part of delta that is for the loss
    factor: int
    share: Rational
    #: how the inequality of the two means is used on (0, first]
    means: tuple[Rational, Rational]
    first: int
    #: how many steps the point has at which it breaks
    fold: int
    leaks: bool = False
    #: up to which epsilon the normal limit is tried
    reach: int = 0

    def room(self, least: Any, k: int) -> Any:
        """What the steps leave of delta for the loss."""
        return 1 - (1 - least) / (1 - least / (2 * k)) ** k if self.leaks else least


def _scale(factor: int) -> Expr:
    return factor * k * logarithm / eps**2


_FOUR = (Rational(1, 4), Rational(1, 2))
CALIBRATIONS = {
    "any": CalibratedSubject(AnyPrivate(sqrt(1 / _scale(4)), delta / (2 * k)), 4, Rational(1, 2), _FOUR, 12,
                       10**6, leaks=True, reach=29),
    "laplace": CalibratedSubject(Laplace(scale=sqrt(_scale(8) / 2)), 4, Rational(1), _FOUR, 16, 10**12, reach=33),
}


def domain(*where: str, integers: Iterable[str] = ()) -> Domain:
    conditions = [r for text in where for r in parse_conditions(text)]
    return Domain.of(conditions, [symbol(v) for v in integers])


def _holds(relation: Relation, where: Domain) -> bool:
    return decide_relation(relation, where, budget=BUDGET).status is Status.PROVED


def means_hold(plan: CalibratedSubject) -> bool:
    """The first piece: p eps <= t l + eps^2/(8 c l), and what that leaves, on (0, plan.first]."""
    c, (slope, part) = Integer(plan.factor), plan.means
    here = domain(f"0 < eps <= {plan.first}", "l >= log(e + eps)")
    rest = (c / 2 - 1 - part) * level + log(eps / 2 + c * level)
    return (_holds(le(eps, 2 * c * level), here)
            and _holds(le(slope * eps, part * level + eps**2 / (8 * c * level)), domain("eps > 0", "l > 0"))
            and _holds(le(eps / 2 - slope * eps - log(plan.share), rest), here))


def moments_hold(plan: CalibratedSubject, low: Rational, high: Rational, least: str) -> bool:
    """Whether the kernel shows the moment bound for low <= eps <= high and l >= least."""
    c = Integer(plan.factor)
    here = domain(f"{low} <= eps <= {high}", f"l >= {least}")
    bound = (c * level / 2 + eps**2 / (8 * c * level) + log(eps / 2 + c * level)
             + 1 - eps / (2 * c * level))
    return (_holds(le(eps, 2 * c * level), here)
            and _holds(le(level - log(plan.share) + eps / 2, bound), here))


def _needed(plan: CalibratedSubject, e: float, d: float) -> float:
    """The delta that a normal law with these moments needs, in machine floats: only to search."""
    root = math.sqrt(plan.factor * math.log(math.e + e / d))
    mu = e / root
    tail = math.erfc((mu / 2 + root) / math.sqrt(2)) / 2
    h = math.erfc((root - mu / 2) / math.sqrt(2)) / 2 - (math.exp(e) * tail if e < 700 else 0.0)
    return 1 - math.exp(-d / 2) * (1 - h) if plan.leaks else h


def suspect(plan: CalibratedSubject) -> tuple[float, float]:
    """Roughly the smallest eps that fails, and a delta for it."""
    best = (math.inf, 0.5)
    for d in (n / 200 for n in range(10, 200)):
        low, high = 1.0, 200.0
        while high - low > 1e-6:
            middle = (low + high) / 2
            low, high = (low, middle) if _needed(plan, middle, d) > d else (middle, high)
        best = min(best, (high, d))
    return best


@dataclass(frozen=True)
class BrokenPromise:
    """A point at which the promise fails, and the delta that is needed there."""

    point: Mapping[Symbol, Expr]
    needed: str
    promised: str


def break_above(plan: CalibratedSubject) -> BrokenPromise | None:
    """A point near the suspect at which the promise fails, certainly."""
    near, d = suspect(plan)
    guarantee = Guarantee.of(plan.subject, k, eps, delta, domain("eps > 0", "0 < delta <= 1", "k >= 1",
                                                          integers=["k"]))
    for excess in (0.0, 0.001, 0.01, 0.05, 0.1):
        at = Rational(math.ceil(near * (1 + excess) * 100), 100)
        point = {eps: at, delta: Rational(round(d * 200), 200), k: Integer(plan.fold)}
        if isinstance(plan.subject, Laplace):
            needed = _laplace_needs(plan, at, point[delta])
            if needed is not None:
                return BrokenPromise(point, f"at least {needed}", str(point[delta]))
            continue
        try:
            found = violate(guarantee, point)
        except Rejected:
            continue
        return BrokenPromise(found.point, str(found.exact), str(found.claimed))
    return None


def _laplace_needs(plan: CalibratedSubject, at: Rational, d: Rational) -> str | None:
    """A lower bound on the delta of that many queries, if it is above the one that is promised."""
    with ctx.workprec(400):
        epsilon, promised = ball(at), ball(d)
        level_there = (arb(1).exp() + epsilon / promised).log()
        step = epsilon / (plan.factor * plan.fold * level_there).sqrt()
        needed = of_laplace(epsilon, step, plan.fold)
        return str(needed.lower().str(8, radius=False)) if needed > promised else None


def hold_below(plan: CalibratedSubject, above: Rational) -> Rational | None:
    """How far it is shown, in steps of one."""
    if not means_hold(plan):
        return None
    below = Rational(plan.first)
    while below + 1 < above and moments_hold(plan, below, below + 1, "log(e + eps)"):
        below += 1
    while below + 1 <= min(plan.reach, above) and limit_holds(plan, below):
        below += 1
    return below


def limit_holds(plan: CalibratedSubject, below: Rational) -> bool:
    """Whether it holds from below to below + 1: by the moments where delta is small, else by boxes."""
    part = _part_for_moments(plan, float(below + 1))
    if not moments_hold(plan, below, below + 1, f"log(e + {part}*eps)"):
        return False
    here, cut = (Fraction(int(below)), Fraction(int(below) + 1)), Fraction(1, min(part, 10))
    boxes = [Box(here, (cut, Fraction(1)), folds) for folds in ((MANY, None), (1, MANY - 1))]
    if cut > Fraction(1, part):
        boxes += [Box(here, (Fraction(1, part), cut), folds)
                  for folds in ((4 * MANY, None), (1, 4 * MANY - 1))]
    return all(calibration_holds(box, plan.factor, plan.room) for box in boxes)


def _part_for_moments(plan: CalibratedSubject, e: float) -> int:
    """For which part 1/n of delta the moments seem to be enough, with something to spare."""
    c, share, n = plan.factor, float(plan.share), 2
    while n < 1000:
        m = math.log(math.e + n * e / 1.5)
        bound = c * m / 2 + e**2 / (8 * c * m) + math.log(e / 2 + c * m) + 1 - e / (2 * c * m)
        if e <= 2 * c * m and m - math.log(share) + e / 2 <= bound:
            break
        n += 1
    return n


@construction
def calibration_range(mechanism: str) -> Observation:
    """The largest E such that the calibration holds for all eps < E, every k and every delta."""
    plan = CALIBRATIONS[mechanism]
    broken = break_above(plan)
    below = None if broken is None else hold_below(plan, broken.point[eps])
    if broken is None or below is None:
        return Observation(False, "the two ends were not found")
    above = broken.point[eps]
    where = ", ".join(f"{v} = {u}" for v, u in broken.point.items())
    return Observation(
        True,
        f"it holds for eps <= {below} and fails at {where}: {below} <= E <= {above}",
        {"from below": below, "from above": above, "needed there": broken.needed,
         "promised there": broken.promised},
        covers_all=True,
        trust=frozenset(
            {"Arb", POINTWISE, TWO_POINTS, DOMINATION, BERRY_ESSEEN}),
    )
