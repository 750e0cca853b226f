"""Random compositions of all kinds, each held against something that was computed in another way.

    python benchmarks/random_compositions.py [--count 5000] [--seed 1]

- Gaussian noise: the moments against the closed form, at random precision and around a random place.
- Laplace noise: the moments against the residues (exact for k up to 1000).
- Gaussian noise on a sample: against the same split into two parts; half of the steps cost no more, a larger rate no
  less. These share their moments, so that an error in those would not show here; tests/privacy has integration.

Prints every enclosure that misses, and ends with 1 if there is one.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Callable

from flint import arb, ctx

from symdp.numbers.decimals import Enclosure
from symdp.privacy.composition.compose import compose
from symdp.privacy.composition.inverted import delta_ends
from symdp.privacy.composition.laplace import ComposedLaplace
from symdp.privacy.lattice.inversion import Inversion
from symdp.privacy.lattice.moments import Normal, TooSlow
from symdp.privacy.mechanisms.gaussian import hockey_stick
from symdp.privacy.mechanisms.laplace import Laplace, LaplaceMoments
from symdp.privacy.mechanisms.subsampled_gaussian import SubsampledGaussian


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


KINDS: dict[str, Callable[[random.Random], str | None]] = {
    "gaussian": gaussian, "laplace": laplace, "sampled": sampled}
#: How often each kind is drawn: the cheap ones more often.
WEIGHTS = {"gaussian": 60, "laplace": 35, "sampled": 5}


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
