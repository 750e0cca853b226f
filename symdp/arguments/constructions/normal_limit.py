r"""Many small steps against their normal limit: the delta of $k$ pure steps, for ranges of all parameters.

With $\varepsilon_0=\sqrt{v/k}$ the loss $Z$ of $k$ randomised responses has a mean of at most $v/2$ and a
variance $s^2=v/\cosh^2(\varepsilon_0/2)$, and needs $h=\mathbb{E} f(Z)$ with
$f(z)=(1-e^{E-z})_+$. For $k_1\le k\le k_2$ it is dominated by $k_2$ responses with
$\varepsilon_0=\sqrt{v/k_1}$, of which $h$ is a difference of two binomial tails. For all $k\ge k_1$: $f$
rises from 0 to 1, so by the theorem of Berry and Esseen $h$ is within
$0.4748\,\rho/(\sigma^3\sqrt{k})$ of its value for the normal law with the same two moments. That value
grows with the mean; and in the deviation its slope is $\mathbb{E} f'(m+sG)G$, at most
$\max_g|g|\varphi(g)\int_0^\infty e^{-su}du=1/(s\sqrt{2\pi e})$ in size, where $1/\sqrt{2\pi e}<1/4$.

>>> from flint import arb
>>> print(of_responses(arb(1), arb(4), 100, 100).str(6, radius=False))
0.510892
>>> print(of_the_limit(arb(1), arb(4)).str(6, radius=False))
0.509862
>>> bool(of_responses(arb(1), arb(4), 10**4, None) < arb("0.515"))
True
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flint import arb, ctx

#: An absolute constant of the theorem of Berry and Esseen (Shevtsova 2011).
ESSEEN = "0.4748"
BERRY_ESSEEN = "the theorem of Berry and Esseen, with Shevtsova's constant"
BITS = 64
#: Boxes that are looked at before a range is given up.
MOST_BOXES = 60_000


def normal_tail(x: Any) -> Any:
    """The probability that a standard normal variable exceeds x."""
    return (x / arb(2).sqrt()).erfc() / 2


def of_the_limit(epsilon: Any, variance: Any, mean: Any = None) -> Any:
    """What a normal loss of that variance needs at epsilon; its mean is half of it, or as given."""
    mean, spread = variance / 2 if mean is None else mean, variance.sqrt()
    away = (epsilon - mean) / spread
    return normal_tail(away) - (epsilon - mean + variance / 2).exp() * normal_tail(away + spread)


def of_responses(epsilon: Any, variance: Any, least: int, most: int | None) -> Any:
    """At least what k randomised responses need, for every k from ``least`` to ``most`` (or on)."""
    step = (variance / least).sqrt()
    if most is not None:
        return _binomial(epsilon, step, most)
    distance = step.exp()
    likely, unlikely = distance / (1 + distance), 1 / (1 + distance)
    ratio = (likely**2 + unlikely**2) / (likely * unlikely).sqrt()
    narrower = ((step / 2).cosh() - 1) / 4
    return of_the_limit(epsilon, variance) + arb(ESSEEN) * ratio / arb(least).sqrt() + narrower


def _binomial(epsilon: Any, step: Any, k: int) -> Any:
    """What k responses need: the outcomes whose loss is above epsilon, under either law."""
    untrue = int(float(((k - epsilon / step) / 2).mid()) // 1)
    found = arb(0)
    for j in range(untrue - 1, untrue + 2):  # the best set, wherever the balls leave it
        if 0 <= j < k and not (k - 2 * j) * step < epsilon:
            first, second = (_at_most(j, k, 1 / (1 + (sign * step).exp())) for sign in (1, -1))
            found = found.max(first - epsilon.exp() * second)
            if (k - 2 * (j + 1)) * step < epsilon < (k - 2 * j) * step:
                return (first - epsilon.exp() * second).max(arb(0))
    return found


def _at_most(j: int, k: int, chance: Any) -> Any:
    """The probability of at most j successes of k, from the side on which it is the smaller one."""
    if j + 1 > k * float(chance.mid()):
        return 1 - _lower_tail(k - j - 1, k, 1 - chance)
    return _lower_tail(j, k, chance)


def _lower_tail(j: int, k: int, chance: Any) -> Any:
    """The terms from j down, until the rest is below a geometric series that is too small to matter."""
    odds = (1 - chance) / chance
    term = arb.bin_uiui(k, j) * chance**j * (1 - chance) ** (k - j)
    total = term
    last = max(1, j - _worth_adding(j, k, float(chance.mid())))
    for i in range(j, last - 1, -1):
        term = term * (odds * i / (k - i + 1))
        total = total + term
    if last == 1:
        return total
    factor = odds * (last - 1) / (k - last + 2)
    if not factor < 1:
        raise ArithmeticError("the terms do not fall yet")
    return total.union(total + term * factor / (1 - factor))


def _worth_adding(j: int, k: int, chance: float) -> int:
    """How many terms below the j-th matter, in machine floats."""
    odds, term, total = (1 - chance) / chance, 1.0, 1.0
    for n, i in enumerate(range(j, 0, -1), start=1):
        term *= odds * i / (k - i + 1)
        total += term
        if term < 1e-14 * total:
            return n
    return j


def of_laplace(epsilon: Any, step: Any, k: int) -> Any:
    """At most what k Laplace mechanisms need, each with the privacy ``step``, by the normal law."""
    rest = (-step).exp()
    mean = step - 1 + rest
    between = (step**2 * (1 - rest) - 4 * step * (1 - (1 + step) * rest)
               + 4 * (2 - (2 + 2 * step + step**2) * rest)) / 2
    variance = step**2 * (1 + rest) / 2 + between - mean**2
    # No loss is further from its mean than 2 step, so the third moment is at most that times the second.
    error = arb(ESSEEN) * 2 * step / (variance * k).sqrt()
    return of_the_limit(epsilon, k * variance, k * mean) - error


@dataclass(frozen=True)
class Box:
    """Ranges of epsilon, delta and k; without a last k, all from the first on."""

    epsilon: tuple[Fraction, Fraction]
    delta: tuple[Fraction, Fraction]
    folds: tuple[int, int | None]

    def cuts(self) -> list[tuple[Box, Box]]:
        """In two, in each of the ways that there are; that of k first, which settles ties."""
        (e, f), (c, d), (k, last) = self.epsilon, self.delta, self.folds
        half, part = (e + f) / 2, (c + d) / 2
        found = [(replace(self, delta=(c, part)), replace(self, delta=(part, d))),
                 (replace(self, epsilon=(e, half)), replace(self, epsilon=(half, f)))]
        if last is not None and last > k:
            middle = (k + last) // 2
            found.insert(0, (replace(self, folds=(k, middle)), replace(self, folds=(middle + 1, last))))
        return found


def calibration_holds(box: Box, factor: int, room: Callable[[Any, int], Any]) -> bool:
    r"""Whether $k$ responses with $v=\varepsilon^2/(c\log(e+\varepsilon/\delta))$ stay within their room.

    ``room`` is what is left of delta for them; it grows with delta and with k. In a box the worst is
    the smallest epsilon with the largest variance, which grows with both parameters. How the box is cut is
    chosen in machine floats; each piece is then certified.
    """
    waiting, seen = [box], 0
    with ctx.workprec(BITS):
        while waiting:
            here, seen = waiting.pop(), seen + 1
            if _margin(here, factor, room) > 0:
                if not _fits(here, factor, room):
                    return False
            elif seen > MOST_BOXES:
                return False
            else:
                waiting += max(here.cuts(), key=lambda cut: min(_margin(b, factor, room) for b in cut))
    return True


def _fits(box: Box, factor: int, room: Callable[[Any, int], Any]) -> bool:
    (low, high), (least, most), (k, last) = box.epsilon, box.delta, box.folds
    top, bottom = _number(high), _number(low)
    variance = top**2 / (factor * (arb(1).exp() + top / _number(most)).log())
    return bool(of_responses(bottom, variance, k, last) <= room(_number(least), k))


def _number(value: Fraction) -> Any:
    return arb(value.numerator) / value.denominator


# --- the same in machine floats, to choose by ----------------------------------------------------------


def _margin(box: Box, factor: int, room: Callable[[Any, int], Any]) -> float:
    (low, high), (least, most), (k, last) = box.epsilon, box.delta, box.folds
    epsilon, top = float(low), float(high)
    variance = top**2 / (factor * math.log(math.e + top / float(most)))
    step = math.sqrt(variance / k)
    if last is None:
        return float(room(_number(least), k) - of_responses(_number(low), arb(variance), k, None)) - 1e-9
    untrue = min(math.floor((last - epsilon / step) / 2), last - 1)
    if untrue < 0:
        return float(room(float(least), k))
    first, second = (_rough(untrue, last, 1 / (1 + math.exp(sign * step))) for sign in (1, -1))
    return float(room(float(least), k)) - first + math.exp(epsilon) * second - 1e-9


def _rough(j: int, k: int, chance: float) -> float:
    if j + 1 > k * chance:
        return 1 - _rough_tail(k - j - 1, k, 1 - chance)
    return _rough_tail(j, k, chance)


def _rough_tail(j: int, k: int, chance: float) -> float:
    if j < 0 or not 0 < chance < 1:
        return 0.0
    weight = math.lgamma(k + 1) - math.lgamma(j + 1) - math.lgamma(k - j + 1)
    term = math.exp(weight + j * math.log(chance) + (k - j) * math.log1p(-chance))
    total, odds = term, (1 - chance) / chance
    for i in range(j, 0, -1):
        term *= odds * i / (k - i + 1)
        total += term
        if term < 1e-12 * total:
            break
    return total
