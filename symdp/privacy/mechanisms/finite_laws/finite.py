r"""Finitely many outcomes: a pair of lists of probabilities.

>>> pair = FinitePair(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"])
>>> pair.privacy_loss().atoms
((log(2), 1/2), (0, 1/4), (-log(2), 1/4))
>>> print(pair.delta(epsilon=0), pair.epsilon(delta="1/8", digits=15))
0.25 0.40546510810816438
>>> FinitePair(["1/2", "1/4"], ["1/2", "1/2"])
Traceback (most recent call last):
...
symdp.numbers.quantity.BadQuantity: the probabilities p must sum to 1, not 3/4
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import sympy
from sympy import Add, Expr, Max, S, exp, log

from symdp.formulas.notation import eps_total, symbol
from symdp.formulas.printing import to_text
from symdp.numbers import exact
from symdp.numbers.decimals import INFINITY, Enclosure
from symdp.numbers.exact import Number, number
from symdp.numbers.quantity import BadQuantity, Quantity, count, quantity
from symdp.privacy.lattice.losses import FiniteLosses, Loss
from symdp.privacy.pairs import divergence, tradeoff
from symdp.privacy.pairs.pair import DIGITS, Mechanism, enclosed, parameter
from symdp.privacy.pairs.privacy_loss import PrivacyLoss


class FinitePair(Mechanism):
    """Outcome i has probability ``p[i]`` under P and ``q[i]`` under Q."""

    name = "the finite pair"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "symmetric" in vars(cls):  # or of two directions only the better one might be shown
            raise TypeError(f"whether {cls.__name__} is symmetric is seen from its laws; leave symmetric out")

    def __init__(self, p: Iterable[Quantity], q: Iterable[Quantity]) -> None:
        self.p: tuple[Expr, ...] = _read(p, "p")
        self.q: tuple[Expr, ...] = _read(q, "q")
        if len(self.p) != len(self.q):
            raise BadQuantity(f"p and q must have the same length, not {len(self.p)} and {len(self.q)}")

    @classmethod
    def of_masses(cls, p: Iterable[Number], q: Iterable[Number]) -> FinitePair:
        """From exact numbers that are known to be distributions, and are not read again."""
        pair = object.__new__(FinitePair)
        pair.masses = tuple(p), tuple(q)
        pair.p, pair.q = (tuple(map(exact.expression, side)) for side in pair.masses)
        return pair

    @property
    def parameters(self) -> dict[str, Any]:
        return {"p": self.p, "q": self.q}

    @cached_property
    def masses(self) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
        """The two lists as exact numbers."""
        self._must_be_numeric()
        return tuple(map(number, self.p)), tuple(map(number, self.q))

    def __len__(self) -> int:
        return len(self.p)

    @property
    def symmetric(self) -> bool:
        """Whether exchanging P and Q is a renaming of outcomes, likelihood ratios merged."""
        if self.free_symbols:
            return sorted(zip(self.p, self.q, strict=True), key=str) == sorted(
                zip(self.q, self.p, strict=True), key=str)
        return self._symmetric

    @cached_property
    def _symmetric(self) -> bool:
        chain = divergence.by_likelihood(*self.masses)
        return all(exact.equal(a, d) and exact.equal(b, c)
                   for (a, b), (c, d) in zip(chain, reversed(chain), strict=True))

    def finite_pair(self) -> FinitePair:
        return self

    def loss(self, reverse: bool = False) -> Loss:
        p, q = (self.q, self.p) if reverse else (self.p, self.q)
        delta_0: Expr = sum((a for a, b in zip(p, q, strict=True) if b == 0), S.Zero)
        if delta_0 == 1:
            return FiniteLosses([(S.Zero, S.One)], delta_0)
        masses: dict[Expr, Expr] = {}
        for a, b in zip(p, q, strict=True):
            if a != 0 and b != 0:
                loss = log_ratio(a, b)
                masses[loss] = masses.get(loss, S.Zero) + a / (1 - delta_0)
        return FiniteLosses(list(masses.items()), delta_0)

    def exchanged(self) -> FinitePair:
        """The pair with the databases exchanged."""
        return FinitePair(self.q, self.p)

    def reduced(self) -> FinitePair:
        """The same pair with outcomes of equal likelihood ratio merged, falling ratio.

        >>> FinitePair(["1/4", "1/4", "1/2"], ["1/8", "1/8", "3/4"]).reduced()
        FinitePair(p=(1/2, 1/2), q=(1/4, 3/4))
        """
        chain = divergence.by_likelihood(*self.masses)
        return FinitePair.of_masses((a for a, _ in chain), (b for _, b in chain))

    def power(self, k: int, most_outcomes: int = 20_000) -> FinitePair:
        """k independent copies, outcomes of equal likelihood ratio merged: exact composition.

        >>> FinitePair(["3/4", "1/4"], ["1/4", "3/4"]).power(2)
        FinitePair(p=(9/16, 3/8, 1/16), q=(1/16, 3/8, 9/16))
        """
        once = divergence.by_likelihood(*self.masses)
        result: list[tuple[Number, Number]] = [(number(1), number(1))]
        for _ in range(count(k)):
            if len(result) * len(once) > most_outcomes:
                raise BadQuantity(f"the product has more than {most_outcomes} outcomes; "
                                  "compose bounds, or allow more with most_outcomes")
            pairs = [(a * c, b * d) for a, b in result for c, d in once]
            result = divergence.by_likelihood([a for a, _ in pairs], [b for _, b in pairs])
        return FinitePair.of_masses((a for a, _ in result), (b for _, b in result))

    # --- formulas ---

    def closed_forms(self) -> dict[str, Expr]:
        forward, backward = _hockey_form(self.p, self.q), _hockey_form(self.q, self.p)
        delta = forward if self.symmetric else Max(forward, backward)
        alpha, pairs = symbol("alpha"), list(zip(self.p, self.q, strict=True))
        forms = {"delta": delta, "hockey_stick": forward, "hockey_stick_reverse": backward,
                 "total_variation": forward.subs(eps_total, 0)}
        if any(b == 0 != a for a, b in pairs):
            infinite = dict.fromkeys(("renyi", "kullback_leibler", "max_divergence"), sympy.oo)
            return {**forms, **infinite}
        present = [(a, b) for a, b in pairs if a != 0]
        return {
            **forms,
            "renyi": log(Add(*(a**alpha * b ** (1 - alpha) for a, b in present))) / (alpha - 1),
            "kullback_leibler": Add(*(a * log(a / b) for a, b in present)),
            "max_divergence": Max(*(log(a / b) for a, b in present)),
        }

    def privacy_loss(self, *, reverse: bool = False) -> PrivacyLoss:
        if self.free_symbols:
            p, q = (self.q, self.p) if reverse else (self.p, self.q)
            atoms = [(sympy.oo if b == 0 else _real_log(sympy.simplify(a / b)), a)
                     for a, b in zip(p, q, strict=True) if a != 0]
        else:
            p, q = self.masses[::-1] if reverse else self.masses
            atoms = [(_loss(a, b), exact.expression(a))
                     for a, b in divergence.by_likelihood(p, q) if exact.sign(a) > 0]
        return PrivacyLoss(tuple(atoms), description=f"{len(atoms)} possible losses")

    # --- numbers ---

    def _hockey_stick(self, epsilon: Expr, reverse: bool, digits: int) -> Enclosure:
        p, q = self.masses[::-1] if reverse else self.masses
        value = divergence.hockey_stick(p, q, number(exp(epsilon)))
        return enclosed(value, digits, f"hockey-stick divergence of {self.name}")

    def _epsilon(self, delta: Expr, reverse: bool, digits: int) -> Enclosure:
        p, q = self.masses[::-1] if reverse else self.masses
        origin = f"inverse of the hockey-stick divergence of {self.name}"
        ratio = divergence.smallest_ratio(p, q, number(delta))
        if ratio is None:
            return Enclosure.exactly(
                INFINITY, origin, f"delta {to_text(delta)} is below the mass of the outcomes "
                "that only one of the databases can give")
        if exact.equal(ratio, number(1)):
            return Enclosure.exactly(0, origin)
        return enclosed(log(exact.expression(ratio)), digits, origin)

    def _false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure:
        chain = divergence.by_likelihood(*self.masses)
        return enclosed(tradeoff.height(chain, number(missed)), digits, origin)

    def _renyi(self, alpha: Expr, reverse: bool) -> Callable[[], Any]:
        p, q = self.masses[::-1] if reverse else self.masses
        return lambda: divergence.renyi(p, q, alpha)

    def variance(self, *, digits: int = DIGITS) -> Enclosure:
        raise BadQuantity(f"{self.name} adds no noise to a number, so that there is no variance")


def log_ratio(a: Expr, b: Expr) -> Expr:
    """log(a/b), with exponentials cancelled.

    >>> from sympy import Rational
    >>> log_ratio(exp(Rational(1, 10)) / (1 + exp(1)), 1 / (1 + exp(1)))
    1/10
    """
    return log(exact.expression(exact.number(a / b)))


def _read(values: Iterable[Quantity], name: str) -> tuple[Expr, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise BadQuantity(f"{name} must be a list of probabilities, not {values!r}")
    read = tuple(parameter(value, f"{name}[{i}]", _probability) for i, value in enumerate(values))
    if not read:
        raise BadQuantity(f"{name} must have at least one outcome")
    total = Add(*read)
    if total.free_symbols:
        if sympy.simplify(total - 1) != 0:
            raise BadQuantity(f"the probabilities {name} must sum to 1; "
                              f"{to_text(total)} cannot be shown to be 1")
        return read
    excess = sum(map(number, read), number(-1))
    if exact.sign(excess) != 0:
        raise BadQuantity(f"the probabilities {name} must sum to 1, "
                          f"not {to_text(exact.expression(excess + 1))}")
    return read


def _probability(value: Quantity, name: str) -> Expr:
    """A number between 0 and 1, compared as exact numbers are: 1/(1 + exp(-10^9)) is below 1."""
    expr = quantity(value, name)
    if exact.sign(number(expr)) < 0:
        raise BadQuantity(f"{name} must be at least 0, not {to_text(expr)}")
    if exact.sign(1 - number(expr)) < 0:
        raise BadQuantity(f"{name} must be at most 1, not {to_text(expr)}")
    return expr


def _hockey_form(p: tuple[Expr, ...], q: tuple[Expr, ...]) -> Expr:
    return Add(*(Max(0, a - exp(eps_total) * b) if b != 0 else a for a, b in zip(p, q, strict=True)
                 if a != 0))


def _real_log(expr: Expr) -> Expr:
    """The logarithm, where parameters are real, so that log(exp(eps)) is eps."""
    return expr.args[0] if isinstance(expr, exp) else log(expr)


def _loss(a: Number, b: Number) -> Expr:
    return log(exact.expression(a / b)) if exact.sign(b) > 0 else sympy.oo
