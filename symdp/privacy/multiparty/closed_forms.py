r"""The accuracy of randomised response as a formula: XOR, AND and the sum.

Each function takes the levels of the parties as SymPy expressions (numbers or symbols) and gives the
accuracy of the best guess from the responses (16), for an observer; a party that knows its own bit is
an observer of the others, see the ``party_`` forms.

>>> from symdp.formulas.notation import delta, eps
>>> xor_accuracy([(eps, 0)] * 2)
(exp(eps) - 1)**2/(2*(exp(eps) + 1)**2) + 1/2
>>> xor_accuracy([("log(2)", "1/10")] * 2), and_accuracy([("log(3)", 0)] * 2)
(29/50, 25/32)
>>> sum_squared_error([(eps, delta)] * 3)
3*(1 - delta)*exp(eps)/(exp(eps) + 1)**2
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeAlias

from sympy import Add, Expr, Integer, Max, Mul, Rational, exp

from symdp.numbers import quantity
from symdp.numbers.quantity import BadQuantity, Quantity
from symdp.privacy.pairs.pair import parameter

#: (epsilon, delta) of each party, numbers or expressions.
Levels: TypeAlias = Sequence[tuple[Quantity, Quantity]]
#: The formulas for AND and the sum have a term for each pattern of responses.
MOST_PARTIES = 8
HALF = Rational(1, 2)


def xor_accuracy(levels: Levels) -> Expr:
    r"""$\tfrac12 + \tfrac12\prod_i \frac{e^{\varepsilon_i} - 1 + 2\delta_i}{e^{\varepsilon_i} + 1}$:
    how often the XOR of the best guesses of the bits is right, on average and in the worst case."""
    return HALF + HALF * Mul(*((exp(e) - 1 + 2 * d) / (exp(e) + 1) for e, d in _read(levels)))


def and_accuracy(levels: Levels) -> Expr:
    r"""How often the best guess of AND is right, on average over uniform inputs.

    Guessing 1 pays only if no response speaks for a zero; over the sets A of parties whose bit was
    not given away, $1 - 2^{-k} + 2^{-k} \sum_A \prod_{i \in A} (1-\delta_i) \prod_{i \notin A}
    \delta_i \, \max(0, 2 \prod_{i \in A} q_i - 1)$ with $q_i = e^{\varepsilon_i}/(1+e^{\varepsilon_i})$.
    """
    read = _read(levels, MOST_PARTIES)
    terms = []
    for hidden in itertools.product((True, False), repeat=len(read)):
        weight = Mul(*(1 - d if h else d for (_, d), h in zip(read, hidden, strict=True)))
        certain = Mul(*(exp(e) / (1 + exp(e)) for (e, _), h in zip(read, hidden, strict=True) if h))
        terms.append(weight * Max(0, 2 * certain - 1))
    share = Integer(1) / 2 ** len(read)
    return 1 - share + share * Add(*terms)


def sum_accuracy(levels: Levels) -> Expr:
    r"""How often the best guess of the sum is right, on average over uniform inputs.

    The sum over the patterns of responses of the largest probability of a value: bits that were given
    away only shift it, so only how the others were answered counts.
    """
    read = _read(levels, MOST_PARTIES)
    terms = []
    for pattern in itertools.product(("given", "zero", "one"), repeat=len(read)):
        weight = Mul(*(d if said == "given" else (1 - d) / 2
                       for (_, d), said in zip(read, pattern, strict=True)))
        masses: list[Expr] = [Integer(1)]
        for (e, _), said in zip(read, pattern, strict=True):
            if said != "given":
                q = exp(e) / (1 + exp(e)) if said == "one" else 1 / (1 + exp(e))
                masses = [(masses[j] * (1 - q) if j < len(masses) else 0)
                          + (masses[j - 1] * q if j else 0) for j in range(len(masses) + 1)]
        if weight != 0:
            terms.append(weight * _largest(masses))
    return Add(*terms)


def sum_squared_error(levels: Levels) -> Expr:
    r"""The least mean squared error of a real-valued guess of the sum:
    $\sum_i (1-\delta_i) e^{\varepsilon_i}/(1+e^{\varepsilon_i})^2$, the variance that is left."""
    return Add(*((1 - d) * exp(e) / (1 + exp(e)) ** 2 for e, d in _read(levels)))


def party_xor_accuracy(levels: Levels, viewer: int) -> Expr:
    """XOR, for a party: its own bit is certain.

    >>> from symdp.formulas.notation import delta, eps
    >>> party_xor_accuracy([(eps, delta)] * 2, 0)
    1/2 + (2*delta + exp(eps) - 1)/(2*(exp(eps) + 1))
    """
    return xor_accuracy(_without(levels, viewer))


def party_and_accuracy(levels: Levels, viewer: int) -> Expr:
    """AND, for a party: certain if its own bit is 0, the AND of the others if it is 1."""
    return HALF + HALF * and_accuracy(_without(levels, viewer))


def party_sum_accuracy(levels: Levels, viewer: int) -> Expr:
    """The sum, for a party: its own bit is added to the sum of the others."""
    return sum_accuracy(_without(levels, viewer))


def _largest(masses: list[Expr]) -> Expr:
    if all(isinstance(mass, Rational) for mass in masses):
        return max(masses)
    return Max(*masses, evaluate=False) if len(masses) > 1 else masses[0]


def _without(levels: Levels, viewer: int) -> Levels:
    if not 0 <= viewer < len(levels):
        raise BadQuantity(f"there is no party {viewer + 1} among {len(levels)}")
    return [level for i, level in enumerate(levels) if i != viewer]


def _read(levels: Levels, most: int | None = None) -> list[tuple[Expr, Expr]]:
    if most is not None and len(levels) > most:
        raise BadQuantity(f"the formula has up to 3^k terms; k must be at most {most}, not {len(levels)}")
    return [(parameter(e, f"epsilon of party {i + 1}", quantity.epsilon),
             parameter(d, f"delta of party {i + 1}", quantity.probability))
            for i, (e, d) in enumerate(levels)]
