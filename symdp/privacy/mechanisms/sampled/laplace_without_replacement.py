r"""Laplace noise on a sample without replacement, neighbours by substitution.

>>> query = LaplaceWithoutReplacement(scale=1, rate="0.1")
>>> print(query.epsilon(delta=0, digits=12), query.delta(epsilon="0.1", digits=6))
0.15856507874043 0.013121831
"""

from __future__ import annotations

from typing import Any

from flint import arb

from symdp.numbers.exact import ball
from symdp.numbers.quantity import Quantity
from symdp.privacy.mechanisms.noise.laplace import Laplace
from symdp.privacy.mechanisms.sampled.without_replacement import WithoutReplacement


class LaplaceWithoutReplacement(WithoutReplacement):
    """Laplace noise of that scale; the sensitivity is that of substitution, in a sample of that rate."""

    name = "Laplace noise on a sample without replacement"
    names = ("laplace-without-replacement",)
    noise: Laplace

    def __init__(self, scale: Quantity, rate: Quantity, sensitivity: Quantity = 1) -> None:
        super().__init__(Laplace(scale, sensitivity), rate)

    def noise_tails(self, loss: Any) -> tuple[Any, Any]:
        a = ball(self.noise.epsilon_0)
        if loss >= a:
            return arb(0), arb(0)
        p, q = 1 - ((loss - a) / 2).exp() / 2, ((-loss - a) / 2).exp() / 2
        return (p, q) if loss < a else (arb(0).union(p), arb(0).union(q))
