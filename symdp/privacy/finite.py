"""Finitely many outcomes: a pair of lists of probabilities."""

from __future__ import annotations

from collections.abc import Iterable

from sympy import Expr

from symdp.privacy.pair import Mechanism, parameter
from symdp.privacy.quantity import Quantity, probability


class FinitePair(Mechanism):
    """Outcome i has probability ``p[i]`` under P and ``q[i]`` under Q."""

    def __init__(self, p: Iterable[Quantity], q: Iterable[Quantity]) -> None:
        self.p: tuple[Expr, ...] = tuple(parameter(v, "p", probability) for v in p)
        self.q: tuple[Expr, ...] = tuple(parameter(v, "q", probability) for v in q)
