"""Random compositions of all kinds, each held against something that was computed in another way.

    python benchmarks/random_compositions.py [--count 5000] [--seed 1] [--done FILE]

Each composition is drawn from the seed and its own number. With ``--done`` a line is added to that file for each,
and a run that was stopped goes on where it was; its tally is of the whole file.

- Gaussian noise: the moments against the closed form, at random precision and around a random place.
- Laplace noise: the moments against the residues (exact for k up to 1000).
- Finite pairs: against exact fractions of all outcomes; on a lattice, any number of times, against
  randomised responses.
- Discrete Gaussian noise, once to three times: against sums of all outcomes with many digits.
- Truncated noise, once: against integration with many digits. Mixtures, once: against the sum of the members.
- Mechanisms known by (epsilon, delta), all different: against the sum over all signs of their losses.
- Geometric and staircase noise, choices by score, many answers, given loss distributions: against all outcomes.
- Laplace noise on a Poisson sample, once: against integration. Noise on a sample without replacement, once or
  twice: against the formula of Zhu, Dong and Wang, and one integral over it.
- Gaussian noise on a sample: against the same split into two parts; half of the steps cost no more, a larger rate no
  less. These share their moments; so once or twice against integration as well, in both directions, and many times
  against moments that are integrated anew.
- Exponential mechanisms: few against their sums at the places of the theorem and at all places of a grid; many above
  what one place costs.
- Groups: against the same noise at so many times the distance, by its own formula. Different mechanisms together:
  against one integral over the loss of one of them. Epsilons: delta at both ends is on its side.

Prints every enclosure that misses, and ends with 1 if there is one.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
from flint import arb, ctx
from sympy import Rational, S

from symdp.formulas.balls import ball
from symdp.numbers.decimals import Enclosure
from symdp.privacy.composition.compose import compose
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.privacy.composition.inverted import Transform, delta_ends
from symdp.privacy.composition.laplace import ComposedLaplace
from symdp.privacy.lattice.inversion import Inversion
from symdp.privacy.lattice.moments import Normal, TooSlow
from symdp.privacy.lattice.periodic import Periodic, PlacedLaw
from symdp.privacy.lattice.saddlepoint import responses
from symdp.privacy.mechanisms.every import (
    ChosenByScore,
    DiscreteGaussian,
    ExponentialMechanism,
    FinitePair,
    Gaussian,
    GaussianWithoutReplacement,
    Geometric,
    KaryResponse,
    LaplaceWithoutReplacement,
    LossDistribution,
    Mixed,
    Staircase,
    TruncatedGaussian,
    TruncatedLaplace,
)
from symdp.privacy.mechanisms.noise.gaussian import hockey_stick
from symdp.privacy.mechanisms.noise.laplace import Laplace, LaplaceMoments
from symdp.privacy.mechanisms.sampled.subsampled_gaussian import SubsampledGaussian
from symdp.privacy.mechanisms.sampled.subsampled_laplace import SubsampledLaplace


def apart(one: Enclosure, other: Enclosure) -> bool:
    return one.upper < other.lower or other.upper < one.lower


def gaussian(draw: random.Random) -> str | None:
    total, k, bits = draw.uniform(0.05, 6), draw.choice([1, 2, 50, 10**4, 10**9]), draw.choice([2, 10, 30, 60, 120])
    epsilon = draw.uniform(0, 5 * total)
    near = max(epsilon + draw.gauss(0, 0.3), 0.0)
    with ctx.workprec(bits + 128):
        lower, upper = Inversion([(Normal(lambda: arb(total) ** 2 / k), k)], near, bits).ends(arb(epsilon))
        truth = hockey_stick(arb(total), arb(epsilon))
        return None if lower <= truth <= upper else f"Gaussian {total} {k} {bits} {epsilon} {near}"


def laplace(draw: random.Random) -> str | None:
    loss, k = draw.choice(["1", "2", "3/2", "4"]), draw.randint(20, 80)
    noise = Laplace.private(loss)
    epsilon = round(draw.uniform(0.3, 0.95) * k * float(noise.epsilon_0), 3)
    parts = [(LaplaceMoments(noise.epsilon_0), k)]
    lower, upper = delta_ends(parts, lambda: arb(str(epsilon)), draw.choice([2, 4, 6]))
    truth = ComposedLaplace(noise, k).delta(str(epsilon))
    fits = lower <= arb(str(truth.upper)) and upper >= arb(str(truth.lower))
    return None if fits else f"Laplace {loss} {k} {epsilon}"


def sampled(draw: random.Random) -> str | None:
    rate, variance = draw.choice(["0.01", "0.05", "0.3"]), draw.choice(["1", "4", "1/2"])
    k, delta = draw.choice([1000, 3000, 10**5]), f"1e-{draw.randint(2, 20)}"
    step = SubsampledGaussian(variance, rate)
    whole, digits = compose(step, k).epsilon(delta, 6), 6
    first = draw.randint(1, k - 1)
    split = compose([(step, first), (step, k - first)]).epsilon(delta, digits)
    less = compose(step, k // 2).epsilon(delta, digits)
    worse = compose(SubsampledGaussian(variance, draw.choice(["0.31", "0.4"])), k).epsilon(delta, digits)
    if apart(whole, split) or less.lower > whole.upper or worse.upper < whole.lower:
        return f"sampled {rate} {variance} {k} {delta}: {whole} {split} {less} {worse}"
    return None


def finite(draw: random.Random) -> str | None:
    """Against exact fractions: the divergence of all products of outcomes."""
    size, k = draw.randint(2, 4), draw.randint(1, 5)
    p, q = ([draw.randint(1, 9) for _ in range(size)] for _ in range(2))
    p, q = ([Fraction(w, sum(side)) for w in side] for side in (p, q))
    ratio = Fraction(draw.randint(10, 40), 10)
    found = compose(FinitePair(p, q), k).delta(f"log({ratio})")
    both = []
    for one, other in ((p, q), (q, p)):
        total = Fraction(0)
        for outcome in itertools.product(range(size), repeat=k):
            a, b = math.prod(one[i] for i in outcome), math.prod(other[i] for i in outcome)
            total += max(a - ratio * b, Fraction(0))
        both.append(total)
    fits = Fraction(found.lower) <= max(both) <= Fraction(found.upper)
    return None if fits else f"finite {p} {q} {k} {ratio}: {found}"


def on_a_lattice(draw: random.Random) -> str | None:
    """Against randomised responses, which have a way of their own."""
    loss, k = Rational(draw.randint(1, 30), draw.choice([10, 100, 1000])), draw.choice([200, 10**4, 10**6, 10**9])
    size = float(loss)
    epsilon = f"{size * size * k / 2 + draw.uniform(0, 6) * size * math.sqrt(k):.6f}"
    if float(epsilon) >= 0.999 * size * k or size > 1:
        return None
    law = PlacedLaw(lambda: {1: 1 / (1 + (-ball(loss)).exp()), -1: 1 / (1 + ball(loss).exp())})
    hint = responses([(size, k)])

    def around(near: float, bits: int) -> Periodic:
        return Periodic([(law, k)], lambda: ball(loss), lambda: arb(0), hint, near, bits)

    transform = Transform(around, lambda: hint, k)
    lower, upper = delta_ends(transform, lambda: arb(epsilon), draw.choice([2, 5, 17]))
    truth = Homogeneous(loss, S.Zero, k).delta(epsilon)
    with ctx.workprec(400):
        fits = lower <= arb(str(truth.upper)) and upper >= arb(str(truth.lower))
    return None if fits else f"lattice {loss} {k} {epsilon}: {lower} {upper} {truth}"


def discrete(draw: random.Random) -> str | None:
    """Against sums of all outcomes, with thirty digits."""
    variance, distance, k = Fraction(draw.randint(1, 30), 5), draw.randint(1, 3), draw.randint(1, 3)
    epsilon = Fraction(draw.randint(0, 40), 10)
    found = compose(DiscreteGaussian(variance, distance), k).delta(epsilon)
    with mpmath.workdps(30):
        v = mpmath.mpf(variance.numerator) / variance.denominator
        reach = int(12 * mpmath.sqrt(v)) + 8
        law = {0: mpmath.mpf(1)}
        once = {z: mpmath.exp(-(z * z) / (2 * v)) for z in range(-reach, reach + 1)}
        norm = sum(once.values())
        for _ in range(k):
            more: dict[int, Any] = {}
            for total, mass in law.items():
                for z, weight in once.items():
                    more[total + z] = more.get(total + z, 0) + mass * weight / norm
            law = more
        at = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        truth = sum(mass * max(0, 1 - mpmath.exp(at - (k * distance**2 - 2 * z * distance) / (2 * v)))
                    for z, mass in law.items())
        slack = mpmath.mpf(10) ** -22
        fits = mpmath.mpf(str(found.lower)) - slack <= truth <= mpmath.mpf(str(found.upper)) + slack
    return None if fits else f"discrete {variance} {distance} {k} {epsilon}: {found} {truth}"


def truncated(draw: random.Random) -> str | None:
    """Against the integral of the positive part, cut where it changes its sign."""
    size, bound, epsilon = Fraction(draw.randint(2, 30), 10), Fraction(draw.randint(10, 60), 10), draw.uniform(0, 1)
    gaussian_noise = draw.random() < 0.5
    noise = TruncatedGaussian(size**2, bound) if gaussian_noise else TruncatedLaplace(size, bound)
    found = noise.delta(repr(epsilon))
    with mpmath.workdps(20):
        b, a, at = float(size), float(bound), mpmath.mpf(repr(epsilon))

        def density(y: Any) -> Any:
            return mpmath.exp(-(y * y) / (2 * b * b)) if gaussian_noise else mpmath.exp(-abs(y) / b)

        norm = mpmath.quad(density, [-a, 0, a])
        edge = mpmath.mpf(1) / 2 - at * b * b if gaussian_noise else (1 - at * b) / 2
        if not gaussian_noise and at * b >= 1:
            edge = 1 - a  # no loss is above epsilon but those that give all away
        edge = float(max(edge, 1 - a))  # the integrand is about zero there
        cuts = sorted({-a, 1 - a, min(max(0.0, 1 - a), edge), edge})
        first = mpmath.quad(density, [c for c in cuts if c <= edge])
        inside = [c for c in cuts if 1 - a <= c <= edge]
        second = mpmath.quad(lambda y: density(y - 1), inside) if len(inside) > 1 else 0
        truth = (first - mpmath.exp(at) * second) / norm
        slack = mpmath.mpf(10) ** -12
        fits = mpmath.mpf(str(found.lower)) - slack <= truth <= mpmath.mpf(str(found.upper)) + slack
    return None if fits else f"truncated {noise} {epsilon}: {found} {truth}"


def mixed(draw: random.Random) -> str | None:
    weight, epsilon = Fraction(draw.randint(1, 9), 10), f"{draw.uniform(0, 1):.4f}"
    one, other = Laplace(draw.randint(1, 9)), Gaussian(draw.randint(1, 9))
    found = Mixed([(weight, one), (1 - weight, other)]).delta(epsilon)
    ends = [(one.delta(epsilon), weight), (other.delta(epsilon), 1 - weight)]
    lower = sum(Fraction(e.lower) * w for e, w in ends)
    upper = sum(Fraction(e.upper) * w for e, w in ends)
    fits = found.lower <= upper and found.upper >= lower
    return None if fits else f"mixed {weight} {one} {other} {epsilon}: {found}"


def holds(found: Enclosure, truth: Any, slack: str = "1e-22") -> bool:
    """Whether a number with many digits is between the ends."""
    lower, upper = mpmath.mpf(str(found.lower)), mpmath.mpf(str(found.upper))
    return bool(lower - mpmath.mpf(slack) <= truth <= upper + mpmath.mpf(slack))


def of_all_outcomes(one: Any, other: Any, k: int, ratio: Any) -> Any:
    """The divergence of all products of outcomes, of one law from the other."""
    total = 0 * ratio
    for outcome in itertools.product(range(len(one)), repeat=k):
        a, b = math.prod(one[i] for i in outcome), math.prod(other[i] for i in outcome)
        total += max(a - ratio * b, 0 * ratio)
    return total


def many_answers(draw: random.Random) -> str | None:
    """Against exact fractions, each answer by itself."""
    ratio, answers, k = Fraction(draw.randint(11, 60), 10), draw.randint(2, 5), draw.randint(1, 4)
    level = Fraction(draw.randint(10, 40), 10)
    found = compose(KaryResponse(f"log({ratio})", answers), k).delta(f"log({level})")
    total = ratio + answers - 1
    p = [ratio / total] + [1 / total] * (answers - 1)
    q = [p[1], p[0], *p[2:]]
    truth = of_all_outcomes(p, q, k, level)
    fits = Fraction(found.lower) <= truth <= Fraction(found.upper)
    return None if fits else f"many answers {ratio} {answers} {k} {level}: {found} {truth}"


def given_losses(draw: random.Random) -> str | None:
    """Against exact fractions; what the losses lack under the other law is an outcome of its own."""
    masses = [draw.randint(1, 9) for _ in range(draw.randint(2, 4))]
    p = [Fraction(m, sum(masses)) for m in masses]
    ratios = [Fraction(draw.randint(10, 40), 10) for _ in p]
    q = [mass / ratio for mass, ratio in zip(p, ratios, strict=True)]
    k, level = draw.randint(1, 4), Fraction(draw.randint(10, 40), 10)
    rows = [(f"log({ratio})", str(mass)) for ratio, mass in zip(ratios, p, strict=True)]
    found = compose(LossDistribution(rows), k).delta(f"log({level})")
    p, q = [*p, Fraction(0)], [*q, 1 - sum(q)]
    truth = max(of_all_outcomes(p, q, k, level), of_all_outcomes(q, p, k, level))
    fits = Fraction(found.lower) <= truth <= Fraction(found.upper)
    return None if fits else f"given losses {rows} {k} {level}: {found} {truth}"


def by_score(draw: random.Random) -> str | None:
    """Against all outcomes with thirty digits; permute-and-flip by all orders of the candidates."""
    size, k, by = draw.randint(2, 4), draw.randint(1, 3), draw.choice(["exponential", "permute-and-flip"])
    scores = [draw.randint(0, 3) for _ in range(size)]
    others = [score + draw.choice([-1, 0, 1]) for score in scores]
    private, epsilon = Fraction(draw.randint(2, 30), 10), Fraction(draw.randint(0, 20), 10)
    found = compose(ChosenByScore(private, scores, others, by=by), k).delta(epsilon)
    with mpmath.workdps(30):
        laws = []
        for side in (scores, others):
            chances = [mpmath.exp(mpmath.mpf(private.numerator) / private.denominator * (s - max(side)) / 2)
                       for s in side]
            law = [c / sum(chances) for c in chances]
            if by != "exponential":
                law = [mpmath.mpf(0)] * size
                orders = list(itertools.permutations(range(size)))
                for order in orders:
                    left = mpmath.mpf(1)
                    for i in order:
                        law[i] += left * chances[i] / len(orders)
                        left *= 1 - chances[i]
            laws.append(law)
        ratio = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        truth = max(of_all_outcomes(*laws, k, ratio), of_all_outcomes(*reversed(laws), k, ratio))
        fits = holds(found, truth)
    return None if fits else f"by score {scores} {others} {by} {private} {k} {epsilon}: {found} {truth}"


def known_parts(draw: random.Random) -> str | None:
    """Against the sum over all signs of the losses, with forty digits."""
    parts = [(Fraction(draw.randint(1, 150), 100), Fraction(draw.choice([0, 0, 1, 5]), 10 ** draw.randint(2, 6)),
              draw.randint(1, 3)) for _ in range(draw.randint(1, 5))]
    each = [(e, d) for e, d, n in parts for _ in range(n)]
    epsilon = Fraction(draw.randint(0, 90), 100) * sum(e for e, _ in each)
    found = compose(parts).delta(epsilon)
    with mpmath.workdps(40):
        sums = {Fraction(0): mpmath.mpf(1)}
        for e, _ in each:
            rise = 1 / (1 + mpmath.exp(-mpmath.mpf(e.numerator) / e.denominator))
            more: dict[Fraction, Any] = {}
            for total, mass in sums.items():
                more[total + e] = more.get(total + e, 0) + mass * rise
                more[total - e] = more.get(total - e, 0) + mass * (1 - rise)
            sums = more
        kept = mpmath.mpf(1)
        for _, d in each:
            kept *= 1 - mpmath.mpf(d.numerator) / d.denominator
        inside = sum(mass * (1 - mpmath.exp(mpmath.mpf((epsilon - total).numerator) / (epsilon - total).denominator))
                     for total, mass in sums.items() if total > epsilon)
        fits = holds(found, 1 - kept + kept * inside, "1e-30")
    return None if fits else f"known parts {parts} {epsilon}: {found}"


def geometric(draw: random.Random) -> str | None:
    """Against sums of all outcomes, with thirty digits."""
    private, distance, k = Fraction(draw.randint(3, 30), 10), draw.randint(1, 3), draw.randint(1, 2)
    epsilon = Fraction(draw.randint(0, 9), 10) * private * k
    found = compose(Geometric(private, distance), k).delta(epsilon)
    with mpmath.workdps(30):
        a = mpmath.exp(-mpmath.mpf(private.numerator) / private.denominator / distance)
        reach = int(mpmath.log(mpmath.mpf(10) ** -28) / mpmath.log(a)) + distance
        # outcomes left of 0 and right of the distance have one loss each
        p = {z: a ** abs(z) for z in range(-reach, reach + 1)}
        norm = sum(p.values())
        losses: dict[int, Any] = {}
        for z, mass in p.items():
            step = abs(z - distance) - abs(z)  # the loss, in units of private/distance
            losses[step] = losses.get(step, 0) + mass / norm
        law = dict(losses)
        for _ in range(k - 1):
            more: dict[int, Any] = {}
            for (x, one), (y, other) in itertools.product(law.items(), losses.items()):
                more[x + y] = more.get(x + y, 0) + one * other
            law = more
        unit, at = -mpmath.log(a), mpmath.mpf(epsilon.numerator) / epsilon.denominator
        truth = sum(mass * max(0, 1 - mpmath.exp(at - x * unit)) for x, mass in law.items())
        fits = holds(found, truth, "1e-20")
    return None if fits else f"geometric {private} {distance} {k} {epsilon}: {found} {truth}"


def staircase(draw: random.Random) -> str | None:
    """Against the sum over the pieces on which its density and the moved one are constant."""
    private, gamma = Fraction(draw.randint(5, 40), 10), Fraction(draw.randint(0, 10), 10)
    epsilon = draw.uniform(0, 0.9)
    found = Staircase(private, gamma=gamma).delta(repr(epsilon * float(private)))
    with mpmath.workdps(30):
        fall = mpmath.exp(-mpmath.mpf(private.numerator) / private.denominator)
        reach = int(30 * mpmath.log(10) / -mpmath.log(fall)) + 3
        cuts = sorted({s * (j + gamma) + move for j in range(reach) for s in (-1, 1) for move in (0, 1)} | {
            Fraction(0), Fraction(1)})
        heights = []
        for low, high in itertools.pairwise(cuts):
            middle = (low + high) / 2
            heights.append((high - low, *(fall ** math.floor(abs(x) + 1 - gamma) for x in (middle, middle - 1))))
        width = [mpmath.mpf(w.numerator) / w.denominator for w, _, _ in heights]
        norm = sum(w * p for w, (_, p, _) in zip(width, heights, strict=True))
        ratio = mpmath.exp(mpmath.mpf(repr(epsilon * float(private))))
        truth = sum(w * max(p - ratio * q, 0) for w, (_, p, q) in zip(width, heights, strict=True)) / norm
        fits = holds(found, truth, "1e-20")
    return None if fits else f"staircase {private} {gamma} {epsilon}: {found} {truth}"


def sampled_laplace(draw: random.Random) -> str | None:
    """Against the integral over the pieces between the kinks of the two densities, both ways round."""
    scale, rate = Fraction(draw.randint(2, 30), 10), Fraction(draw.randint(1, 90), 100)
    epsilon = f"{draw.uniform(0, 0.5) * float(rate):.5f}"
    found = SubsampledLaplace(scale, rate).delta(epsilon)
    with mpmath.workdps(25):
        b, q = (mpmath.mpf(x.numerator) / x.denominator for x in (scale, rate))
        ratio = mpmath.exp(mpmath.mpf(epsilon))

        def p(y: Any) -> Any:
            return (1 - q) * r(y) + q * mpmath.exp(-abs(y - 1) / b) / (2 * b)

        def r(y: Any) -> Any:
            return mpmath.exp(-abs(y) / b) / (2 * b)

        both = []
        for one, other in ((p, r), (r, p)):
            def gap(y: Any, one: Any = one, other: Any = other) -> Any:
                return one(y) - ratio * other(y)

            # the ratio of the densities is constant outside of [0, 1] and monotone inside
            cuts = [mpmath.mpf(0), mpmath.mpf(1)]
            if gap(cuts[0]) * gap(cuts[1]) < 0:
                cuts.insert(1, mpmath.findroot(gap, (0, 1), solver="anderson", tol=1e-40))
            total = b * max(gap(mpmath.mpf(0)), 0) + b * max(gap(mpmath.mpf(1)), 0)
            for low, high in itertools.pairwise(cuts):
                if gap((low + high) / 2) > 0:
                    total += mpmath.quad(gap, [low, high])
            both.append(total)
        fits = holds(found, max(both), "1e-15")
    return None if fits else f"sampled Laplace {scale} {rate} {epsilon}: {found} {max(both)}"


def without_replacement(draw: random.Random) -> str | None:
    """Against the formula for one, and for two an integral of it over the loss of the other."""
    gaussian_noise, k = draw.random() < 0.5, draw.choice([1, 1, 1, 2])
    size, rate = Fraction(draw.randint(5, 30), 10), Fraction(draw.randint(2, 90), 100)
    made = GaussianWithoutReplacement(size**2, rate) if gaussian_noise else LaplaceWithoutReplacement(size, rate)
    epsilon = f"{draw.uniform(0, 0.8) * float(rate):.4f}"
    found = compose(made, k).delta(epsilon)
    with mpmath.workdps(20):
        s, q = (mpmath.mpf(x.numerator) / x.denominator for x in (size, rate))

        def plain(e: Any) -> Any:
            """The divergence of the noise itself, for e >= 0."""
            if gaussian_noise:
                return mpmath.ncdf(1 / (2 * s) - e * s) - mpmath.exp(e) * mpmath.ncdf(-1 / (2 * s) - e * s)
            return max(1 - mpmath.exp((e - 1 / s) / 2), mpmath.mpf(0))

        def once(e: Any) -> Any:
            if e < 0:
                return 1 - mpmath.exp(e) + mpmath.exp(e) * once(-e)
            return q * plain(mpmath.log1p(mpmath.expm1(e) / q))

        at = mpmath.mpf(epsilon)
        if k == 1:
            truth, slack = once(at), "1e-16"
        else:
            # E delta(at - L): by the survival of L, whose derivative of delta is -e^x (mass of Q above x)
            top = mpmath.log1p(q * mpmath.expm1(1 / (2 * s * s) + 9 / s if gaussian_noise else 1 / s))

            def above(x: Any) -> tuple[Any, Any]:
                """The masses of losses above x > 0 under the two laws: slopes of the divergence."""
                inner = mpmath.log1p(mpmath.expm1(x) / q)
                if gaussian_noise:
                    a, b = mpmath.ncdf(1 / (2 * s) - inner * s), mpmath.ncdf(-1 / (2 * s) - inner * s)
                elif inner < 1 / s:
                    b = mpmath.exp(-(1 / s + inner) / 2) / 2
                    a = 1 - mpmath.exp((inner - 1 / s) / 2) / 2
                else:
                    a = b = mpmath.mpf(0)
                return (1 - q) * b + q * a, b

            # E f(L) = f(0) + int_0 f'(x) P(L > x) dx - int_0 f'(-x) P(L < -x) dx, f(x) = delta(at - x)
            def rise(x: Any) -> Any:
                """f'(x) = e^(at - x) Q(L > at - x)."""
                y = at - x
                mass = above(y)[1] if y > 0 else 1 - above(-y)[0]
                return mpmath.exp(y) * mass

            # Laplace noise has atoms at the ends: cut wherever one of the two losses is there
            cuts = sorted({x for x in (0 * at, at, at - top, top - at, top / 2, top) if 0 <= x <= top})
            first = mpmath.quad(lambda x: rise(x) * above(x)[0], cuts)
            second = mpmath.quad(lambda x: rise(-x) * above(x)[1], cuts)
            truth, slack = once(at) + first - second, "1e-9"
        fits = holds(found, truth, slack)
    return None if fits else f"without replacement {made} {k} {epsilon}: {found} {truth}"


def sampled_once(draw: random.Random) -> str | None:
    """Against integration: one step by its two densities, two by an integral over the loss of the first."""
    deviation, rate = Fraction(draw.randint(5, 40), 10), Fraction(draw.choice([1, 10, 200, 500, 900, 999]), 1000)
    k, reverse = draw.choice([1, 1, 2]), draw.random() < 0.5
    most = -math.log1p(-float(rate)) if reverse else 0.9
    epsilon = f"{draw.uniform(0, 0.9) * min(float(rate) * 1.5, most):.5f}"
    step = SubsampledGaussian(deviation**2, rate, neighbours="add" if reverse else "remove")
    found = compose(step, k).delta(epsilon)
    with mpmath.workdps(20):
        s, q = (mpmath.mpf(x.numerator) / x.denominator for x in (deviation, rate))

        def loss(y: Any) -> Any:
            size = mpmath.log(1 - q + q * mpmath.exp((y - mpmath.mpf(1) / 2) / s**2))
            return -size if reverse else size

        def place(level: Any) -> Any:
            """Where the loss is that level; None if it is so nowhere."""
            inside = (mpmath.exp(-level if reverse else level) - (1 - q)) / q
            return None if inside <= 0 else mpmath.mpf(1) / 2 + s**2 * mpmath.log(inside)

        def once(level: Any) -> Any:
            """E (1 - e^(level - L))^+ by normal tails."""
            at = place(level)
            e = mpmath.exp(level)
            if reverse:  # the loss falls with y
                if at is None:
                    return mpmath.mpf(0)
                on_p, on_q = mpmath.ncdf(at / s), (1 - q) * mpmath.ncdf(at / s) + q * mpmath.ncdf((at - 1) / s)
                return on_p - e * on_q
            if at is None:
                return 1 - e
            on_q = mpmath.ncdf(-at / s)
            return (1 - q) * on_q + q * mpmath.ncdf((1 - at) / s) - e * on_q

        target, slack = mpmath.mpf(epsilon), "1e-16"
        if k == 1:
            truth = once(target)
        else:
            def inside(y: Any) -> Any:
                mass = mpmath.npdf(y, 0, s)
                if not reverse:
                    mass = (1 - q) * mass + q * mpmath.npdf(y, 1, s)
                return mass * once(target - loss(y))

            cuts = [-9 * s, -3 * s, 0 * s, 1 + 0 * s, 1 + 3 * s, 1 + 9 * s]
            kink = place(target + mpmath.log(1 - q)) if reverse else place(target - mpmath.log(1 - q))
            if kink is not None and cuts[0] < kink < cuts[-1]:
                cuts = sorted([*cuts, kink])
            truth, slack = mpmath.quad(inside, cuts), "1e-11"
        fits = holds(found, truth, slack)
    return None if fits else f"sampled once {step} {k} {epsilon}: {found} {truth}"


def sampled_often(draw: random.Random) -> str | None:
    """Many steps against an integral along a line, with moments that are integrated by mpmath."""
    deviation, rate = Fraction(draw.randint(8, 30), 10), Fraction(draw.choice([1, 5, 20, 100]), 1000)
    k, reverse = draw.choice([2000, 10**4, 10**6]), draw.random() < 0.5
    size = math.sqrt(k * math.expm1(1 / float(deviation) ** 2)) * float(rate)
    if size > 8:
        return None
    epsilon = f"{size * size / 2 + draw.uniform(0.5, 5) * size:.5f}"
    step = SubsampledGaussian(deviation**2, rate, neighbours="add" if reverse else "remove")
    found = compose(step, k).delta(epsilon, 8)
    with mpmath.workdps(25):
        s, q = (mpmath.mpf(x.numerator) / x.denominator for x in (deviation, rate))
        e, h = mpmath.mpf(epsilon), mpmath.mpf(1) / 16
        nodes = []
        for n in range(-200, 200 + int(16 * 60 / float(s))):  # the trapezoid rule is exact here but for 1e-25
            nodes.append((h * mpmath.npdf(n * h), mpmath.log(1 - q + q * mpmath.exp(n * h / s - 1 / (2 * s * s)))))

        def log_term(order: Any) -> Any:
            power = -order if reverse else order + 1
            moment = mpmath.fsum(w * mpmath.exp(power * log) for w, log in nodes)
            return k * mpmath.log(moment) - order * e - mpmath.log(order * (order + 1))

        # the order at which the integrand is least along the real line, roughly
        c = min((mpmath.mpf(1.3) ** n / 4 for n in range(24)), key=log_term)
        low, sums = log_term(c), []
        for period in (1, mpmath.mpf(1.7)):
            apart = 2 * mpmath.pi / (period * ((30 - low) / c + 20 * size))
            total, n = mpmath.exp(low), 1
            while n < 600:
                term = mpmath.exp(log_term(mpmath.mpc(c, n * apart))).real
                total, n = total + 2 * term, n + 1
                if n * apart > 4 * (1 / c + 1 / mpmath.mpf(size)) and abs(term) < mpmath.mpf(10) ** -13 * abs(total):
                    break
            sums.append(total * apart / (2 * mpmath.pi))
        if n == 600 or abs(sums[0] - sums[1]) > mpmath.mpf(10) ** -8 * abs(sums[1]):
            raise TooSlow("the referee is not sure")
        fits = holds(found, sums[1], str(mpmath.mpf(10) ** -7 * sums[1]))
    return None if fits else f"sampled often {step} {k} {epsilon}: {found} {sums[1]}"


def bounded_range(draw: random.Random) -> str | None:
    """Few: against all places on a grid, which are below, and a theorem's list; many: above what one place costs."""
    span = Fraction(draw.randint(2, 200), 100)
    if draw.random() < 0.7:
        k = draw.randint(1, 8)
        epsilon = Fraction(draw.randint(0, 90), 100) * span * k
        found = compose(ExponentialMechanism(span), k).delta(epsilon)
        with mpmath.workdps(30):
            eta, e = (mpmath.mpf(x.numerator) / x.denominator for x in (span, epsilon))

            def at(t: Any) -> Any:
                high = (mpmath.exp(-t) - mpmath.exp(-eta)) / (1 - mpmath.exp(-eta))
                return sum(mpmath.binomial(k, i) * high ** (k - i) * (1 - high) ** i
                           * max(mpmath.exp(k * t - i * eta) - mpmath.exp(e), 0) for i in range(k + 1))

            grid = [at(eta * n / 300) for n in range(301)]
            listed = max(at(min(max((e + (j + 1) * eta) / (k + 1), 0 * eta), eta)) for j in range(k + 1))
            above = mpmath.mpf(str(found.upper)) * (1 + mpmath.mpf(10) ** -20)
            fits = holds(found, listed, "1e-24") and max(grid) <= above
        return None if fits else f"bounded range {span} {k} {epsilon}: {found} {listed}"
    k = draw.choice([500, 10**4, 10**7, 10**9])
    each = Fraction(1, draw.randint(1, 50)) / math.isqrt(k)
    delta = f"1e-{draw.randint(2, 40)}"
    found = compose(ExponentialMechanism(each), k).epsilon(delta)
    one, all_of_it = (compose([(part, 0, k)]).epsilon(delta) for part in (each / 2, each))
    fits = found.upper >= one.lower and found.lower <= all_of_it.upper and found.lower <= found.upper
    return None if fits else f"bounded range {each} {k} {delta}: {found} {one} {all_of_it}"


def groups(draw: random.Random) -> str | None:
    """Against the formula of the noise at so many times the distance."""
    size, many, k = draw.randint(2, 5), Fraction(draw.randint(2, 90), 10), draw.choice([1, 3, 40])
    epsilon = f"{draw.uniform(0, 2):.4f}"
    if draw.random() < 0.5:
        found = compose(Gaussian(many**2).for_group(size), k).delta(epsilon)
        with mpmath.workdps(40):
            mu, e = mpmath.sqrt(k) * size * many.denominator / mpmath.mpf(many.numerator), mpmath.mpf(epsilon)
            truth = mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)
            fits = holds(found, truth, "1e-30")
            return None if fits else f"group of {size}, {many}, {k}, {epsilon}: {found} {truth}"
    found = compose(Laplace(many).for_group(size), 1).delta(epsilon)
    with mpmath.workdps(40):
        loss = mpmath.mpf(size) * many.denominator / many.numerator
        truth = max(1 - mpmath.exp((mpmath.mpf(epsilon) - loss) / 2), 0)
        return None if holds(found, truth, "1e-30") else f"group of {size}, {many}, {epsilon}: {found} {truth}"


def together(draw: random.Random) -> str | None:
    """Gaussian noise beside randomised responses and Laplace noise: an integral over the loss of the latter."""
    deviation, scale = Fraction(draw.randint(10, 60), 10), Fraction(draw.randint(5, 60), 10)
    coins = [Fraction(draw.randint(1, 15), 10) for _ in range(draw.randint(0, 3))]
    epsilon = f"{draw.uniform(0, 1.5):.4f}"
    found = compose([Gaussian(deviation**2), Laplace(scale), *((coin, 0) for coin in coins)]).delta(epsilon)
    with mpmath.workdps(20):
        mu = mpmath.mpf(deviation.denominator) / deviation.numerator
        b = mpmath.mpf(scale.numerator) / scale.denominator

        def normal(level: Any) -> Any:
            return mpmath.ncdf(mu / 2 - level / mu) - mpmath.exp(level) * mpmath.ncdf(-mu / 2 - level / mu)

        truth = mpmath.mpf(0)
        for signs in itertools.product((1, -1), repeat=len(coins)):
            mass, level = mpmath.mpf(1), mpmath.mpf(epsilon)
            for way, coin in zip(signs, coins, strict=True):
                e = mpmath.mpf(coin.numerator) / coin.denominator
                mass *= 1 / (1 + mpmath.exp(-way * e))
                level -= way * e
            # Laplace noise: half of it at 1/b, half of e^(-1/b) at -1/b, between them a density on [0, 1]
            inner = normal(level - 1 / b) / 2 + mpmath.exp(-1 / b) / 2 * normal(level + 1 / b)
            inner += mpmath.quad(
                lambda y, level=level: mpmath.exp(-y / b) / (2 * b) * normal(level - (1 - 2 * y) / b), [0, 1])
            truth += mass * inner
        fits = holds(found, truth, "1e-15")
    return None if fits else f"together {deviation} {scale} {coins} {epsilon}: {found} {truth}"


def both_questions(draw: random.Random) -> str | None:
    """The epsilon of a delta: delta at its lower end is no less, at its upper end no more."""
    made: list[Any] = [
        lambda: (Laplace(draw.randint(1, 50)), draw.choice([1, 20, 10**5])),
        lambda: (Gaussian(draw.randint(1, 50)), draw.choice([1, 20, 10**9])),
        lambda: (DiscreteGaussian(draw.randint(1, 50)), draw.choice([1, 20, 1000])),
        lambda: (Geometric(Fraction(1, draw.randint(1, 20)), draw.randint(1, 3)), draw.choice([1, 20, 1000])),
        lambda: (KaryResponse(Fraction(1, draw.randint(1, 20)), draw.randint(2, 6)), draw.choice([1, 20, 10**6])),
        lambda: (SubsampledLaplace(draw.randint(1, 9), Fraction(1, draw.randint(2, 90))), draw.choice([1, 2000])),
        lambda: (TruncatedLaplace(draw.randint(1, 9), 200), draw.choice([1, 30])),
        lambda: (Staircase(Fraction(1, draw.randint(1, 20))), draw.choice([1, 20, 10**6]))]
    mechanism, k = draw.choice(made)()
    delta = Fraction(1, 10 ** draw.randint(1, 12))
    composed = compose(mechanism, k)
    found = composed.epsilon(delta, 8)
    if not found.upper.is_finite():
        return None
    below, above = composed.delta(found.lower, 8), composed.delta(found.upper, 8)
    fits = Fraction(above.lower) <= delta and (found.lower == 0 or Fraction(below.upper) >= delta)
    return None if fits else f"both questions {mechanism} {k} {delta}: {found} {below} {above}"


KINDS: dict[str, Callable[[random.Random], str | None]] = {
    "gaussian": gaussian, "laplace": laplace, "sampled": sampled, "finite": finite, "lattice": on_a_lattice,
    "discrete": discrete, "truncated": truncated, "mixed": mixed, "known parts": known_parts,
    "geometric": geometric, "staircase": staircase, "by score": by_score, "many answers": many_answers,
    "given losses": given_losses, "sampled laplace": sampled_laplace, "without replacement": without_replacement,
    "sampled once": sampled_once, "sampled often": sampled_often, "bounded range": bounded_range, "groups": groups,
    "together": together, "both questions": both_questions}
#: How often each kind is drawn: the cheap ones more often.
WEIGHTS = {"gaussian": 25, "laplace": 10, "sampled": 1, "finite": 15, "lattice": 20, "discrete": 8, "truncated": 8,
           "mixed": 8, "known parts": 10, "geometric": 8, "staircase": 5, "by score": 8, "many answers": 8,
           "given losses": 8, "sampled laplace": 8, "without replacement": 8,
           "sampled once": 8, "sampled often": 1, "bounded range": 5, "groups": 8, "together": 3, "both questions": 6}


def one_of(seed: int, number: int) -> tuple[str, str | None]:
    """The kind of a composition and what is wrong with it, if anything is."""
    draw = random.Random(f"{seed} {number}")
    kind = draw.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    try:
        return kind, KINDS[kind](draw)
    except TooSlow:
        return f"{kind}, too slow", None


def known(file: Path | None, seed: int) -> dict[int, tuple[str, str | None]]:
    """What a former run has left; a line that was cut off is done again."""
    found: dict[int, tuple[str, str | None]] = {}
    if file is not None and file.exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            try:
                row = json.loads(line)
                if row["seed"] == seed:
                    found[row["number"]] = row["kind"], row["complaint"]
            except (ValueError, KeyError, TypeError):
                continue
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--done", type=Path)
    options = parser.parse_args()
    start, seen = time.process_time(), known(options.done, options.seed)
    for number in range(options.count):
        if number in seen:
            continue
        kind, complaint = seen[number] = one_of(options.seed, number)
        if options.done is not None:
            row = {"seed": options.seed, "number": number, "kind": kind, "complaint": complaint}
            with options.done.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(row) + "\n")
        if complaint is not None:
            print(number, complaint, flush=True)
    spent = time.process_time() - start
    tally = Counter(seen[number][0] for number in range(options.count))
    missed = sum(seen[number][1] is not None for number in range(options.count))
    kinds = ", ".join(f"{n} {kind}" for kind, n in tally.items())
    print(f"{options.count} compositions ({kinds}), {missed} outside; {math.ceil(spent)} s of processor now")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
