"""A hundred random expansions of composed functions, each checked at a thousand points.

At every point the expression and the terms are evaluated in ball arithmetic at 200 digits and more,
and the distance between them is certified to be at most the bound of the remainder. The terms are
also compared with the truth very close to the point, where a wrong coefficient would show.

    python benchmarks/expansions.py [--count 100] [--points 1000] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import time

import sympy
from sympy import Expr, Integer, Rational, oo

from symdp.arguments.series.expanding import expand
from symdp.arguments.series.expansion import Expansion
from symdp.arguments.series.neighbourhood import NoExpansion
from symdp.formulas.notation import Phi, x

OUTER = (
    sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh, sympy.erf, sympy.erfc, Phi,
    lambda u: sympy.log(1 + u**2), lambda u: sympy.sqrt(1 + u**2), lambda u: 1 / (2 + u**2),
    lambda u: sympy.log(2 + u), lambda u: (3 + u) ** Rational(1, 3),
)
SMALL = (Integer(1), Integer(2), Integer(3), Rational(1, 2), Rational(-1, 3), Integer(-1))


def inner(rng: random.Random) -> Expr:
    """Something simple that may vanish at 0."""
    c, d = rng.choice(SMALL), rng.choice(SMALL)
    return rng.choice((c * x, c * x + d * x**2, c * sympy.sqrt(x), c * x * sympy.log(x),
                       c * sympy.sin(x), x / (2 + x), c * x**2))


def composed(rng: random.Random, depth: int = 2) -> Expr:
    """A random composed function, smooth enough at 0+ to have an expansion."""
    if depth == 0:
        return inner(rng)
    kind = rng.randrange(4)
    if kind == 0:
        return composed(rng, depth - 1) + rng.choice(SMALL) * composed(rng, depth - 1)
    if kind == 1:
        return composed(rng, depth - 1) * composed(rng, depth - 1)
    return rng.choice(OUTER)(composed(rng, depth - 1))


def question(rng: random.Random) -> tuple[Expr, Expr, int]:
    """An expression, a point and an order."""
    f = composed(rng)
    order = rng.randint(2, 6)
    if rng.random() < 0.35:  # the same at infinity, with functions that need the other end as well
        g = f.subs(x, 1 / x)
        if rng.random() < 0.5:
            g = g * rng.choice((sympy.erfc(x), sympy.tanh(x), sympy.log(1 + sympy.exp(x)), Phi(-x),
                                sympy.exp(-x), x**2))
        return g, oo, order
    return f, Integer(0), order


def points(found: Expansion, count: int, rng: random.Random) -> list[Rational]:
    """Rational points of the neighbourhood on all magnitudes, its end included."""
    steps = [Rational(1), *(
        Rational(rng.randint(1, 10**6), 10**6) * Rational(1, 2 ** rng.choice((0, 0, 0, 1, 3, 7, 12)))
        for _ in range(count - 1)
    )]
    if found.scale.has(sympy.exp):  # differences of the size of exp(-x^2) need x^2 digits
        close = [found.radius / (1 + 30 * (1 - s)) for s in steps]
        return [1 / s for s in close] if found.at == oo else [found.at + s for s in close]
    if found.at == oo:
        return [1 / (found.radius * s) for s in steps]
    return [found.at + found.radius * s for s in steps]


def measure(count: int, many: int, seed: int) -> dict[str, float]:
    """Expand until that many expansions were found; every refusal is counted."""
    rng = random.Random(seed)
    done = refused = checked = 0
    spent = 0.0
    while done < count:
        f, at, order = question(rng)
        if x not in f.free_symbols:
            continue
        start = time.perf_counter()
        try:
            found = expand(f, x, at, order, where=["x > 0"])
        except NoExpansion as reason:
            refused += 1
            print(f"refused  {f} at {at}: {reason}", flush=True)
            continue
        spent += time.perf_counter() - start
        try:
            checked += len(found.check_at(points(found, many, rng), bits=800))
        except ArithmeticError as reason:
            raise ArithmeticError(f"{found}: {reason}") from reason
        done += 1
    return {"expansions": done, "refused": refused, "points": checked,
            "seconds per expansion": round(spent / done, 4)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for name, value in measure(arguments.count, arguments.points, arguments.seed).items():
        print(f"{name:24} {value}")


if __name__ == "__main__":
    main()
