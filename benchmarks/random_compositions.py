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
  less. These share their moments, so that an error in those would not show here; tests/privacy has integration.

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


KINDS: dict[str, Callable[[random.Random], str | None]] = {
    "gaussian": gaussian, "laplace": laplace, "sampled": sampled, "finite": finite, "lattice": on_a_lattice,
    "discrete": discrete, "truncated": truncated, "mixed": mixed, "known parts": known_parts,
    "geometric": geometric, "staircase": staircase, "by score": by_score, "many answers": many_answers,
    "given losses": given_losses, "sampled laplace": sampled_laplace, "without replacement": without_replacement}
#: How often each kind is drawn: the cheap ones more often.
WEIGHTS = {"gaussian": 25, "laplace": 10, "sampled": 1, "finite": 15, "lattice": 20, "discrete": 8, "truncated": 8,
           "mixed": 8, "known parts": 10, "geometric": 8, "staircase": 5, "by score": 8, "many answers": 8,
           "given losses": 8, "sampled laplace": 8, "without replacement": 8}


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
