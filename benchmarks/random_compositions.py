"""Random compositions of all kinds, each held against something that was computed in another way.

    python benchmarks/random_compositions.py [--count 5000] [--seed 1]

- Gaussian noise: the moments against the closed form, at random precision and around a random place.
- Laplace noise: the moments against the residues (exact for k up to 1000).
- Finite pairs: against exact fractions of all outcomes; on a lattice, any number of times, against
  randomised responses.
- Discrete Gaussian noise, once to three times: against sums of all outcomes with many digits.
- Truncated noise, once: against integration with many digits. Mixtures, once: against the sum of the members.
- Gaussian noise on a sample: against the same split into two parts; half of the steps cost no more, a larger rate no
  less. These share their moments, so that an error in those would not show here; tests/privacy has integration.

Prints every enclosure that misses, and ends with 1 if there is one.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
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
    DiscreteGaussian,
    FinitePair,
    Gaussian,
    Mixed,
    TruncatedGaussian,
    TruncatedLaplace,
)
from symdp.privacy.mechanisms.noise.gaussian import hockey_stick
from symdp.privacy.mechanisms.noise.laplace import Laplace, LaplaceMoments
from symdp.privacy.mechanisms.sampled.subsampled_gaussian import SubsampledGaussian


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


KINDS: dict[str, Callable[[random.Random], str | None]] = {
    "gaussian": gaussian, "laplace": laplace, "sampled": sampled, "finite": finite, "lattice": on_a_lattice,
    "discrete": discrete, "truncated": truncated, "mixed": mixed}
#: How often each kind is drawn: the cheap ones more often.
WEIGHTS = {"gaussian": 25, "laplace": 10, "sampled": 1, "finite": 20, "lattice": 20, "discrete": 8, "truncated": 8,
           "mixed": 8}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw, done, start, missed = random.Random(options.seed), Counter[str](), time.process_time(), 0
    for _ in range(options.count):
        kind = draw.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        try:
            complaint = KINDS[kind](draw)
        except TooSlow:
            kind, complaint = f"{kind}, too slow", None
        done[kind] += 1
        if complaint is not None:
            missed += 1
            print(complaint, flush=True)
    spent = time.process_time() - start
    print(f"{options.count} compositions ({', '.join(f'{n} {kind}' for kind, n in done.items())}), {missed} outside; "
          f"{math.ceil(spent)} s of processor")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
