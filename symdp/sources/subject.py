r"""What a guarantee speaks about: mechanisms of a kind, and how they are put together.

Data only. A noise mechanism is an object of :mod:`symdp.privacy`; here are the two subjects that
are no single mechanism: any mechanism with given parameters, and any sequence of them.

>>> from symdp.formulas.notation import delta, eps
>>> print(AnyPrivate(eps, delta))
(eps, delta)-DP mechanisms
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from sympy import Expr, S, Symbol

from symdp.formulas.notation import exact, latex_names, symbol
from symdp.formulas.printing import to_text
from symdp.privacy.pairs.pair import Mechanism
from symdp.typeset.prose import listed
from symdp.typeset.typesetting import latex


@dataclass(frozen=True)
class AnyPrivate:
    """Whatever is (epsilon, delta)-DP."""

    epsilon: Expr
    delta: Expr = S.Zero

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", exact(self.epsilon))
        object.__setattr__(self, "delta", exact(self.delta))

    @property
    def symbols(self) -> frozenset[Symbol]:
        return frozenset(self.epsilon.free_symbols | self.delta.free_symbols)

    def __str__(self) -> str:
        return f"({to_text(self.epsilon)}, {to_text(self.delta)})-DP mechanisms"

    def words(self, **style: Any) -> str:
        pair = f"{latex(self.epsilon, **style)},{latex(self.delta, **style)}"
        return f"$({pair})$-DP mechanisms"


#: Sums over the mechanisms of a sequence, and the probability that no delta strikes.
loss_sum, mean_sum, square_sum = symbol("loss_sum"), symbol("mean_sum"), symbol("square_sum")
variance_sum, delta_sum, survival = symbol("variance_sum"), symbol("delta_sum"), symbol("survival")
# The sums and the product are over the mechanisms; mu_l for the mean of one loss, eps_l tanh(eps_l/2).
latex_names.update(
    loss_sum=r"\sum_\ell\varepsilon_\ell",
    mean_sum=r"\sum_\ell\mu_\ell",
    square_sum=r"\sum_\ell\varepsilon_\ell^2",
    variance_sum=r"\sum_\ell\varepsilon_\ell^2/\cosh^2(\varepsilon_\ell/2)",
    delta_sum=r"\sum_\ell\delta_\ell",
    survival=r"\prod_\ell(1-\delta_\ell)",
)


@dataclass(frozen=True)
class AnySequence:
    r"""Mechanisms that are $(\varepsilon_\ell,\delta_\ell)$-DP, each with parameters of its own.

    A guarantee about them is written in the sums ``loss_sum``, ``mean_sum``, ``square_sum``,
    ``variance_sum``, ``delta_sum`` and the product ``survival``.
    """

    #: whether every delta is 0
    pure: bool = False

    @property
    def symbols(self) -> frozenset[Symbol]:
        return frozenset()

    def __str__(self) -> str:
        return "eps_l-DP mechanisms" if self.pure else "(eps_l, delta_l)-DP mechanisms"

    def words(self, **style: Any) -> str:
        each = r"$\varepsilon_\ell$-DP mechanisms" if self.pure else \
            r"$(\varepsilon_\ell,\delta_\ell)$-DP mechanisms"
        return rf"{each}, with $\mu_\ell=\varepsilon_\ell\tanh(\varepsilon_\ell/2)$,"


#: the sums that a guarantee about a sequence may use
SUMS: tuple[Symbol, ...] = (loss_sum, mean_sum, square_sum, variance_sum, delta_sum, survival)

Subject: TypeAlias = AnyPrivate | AnySequence | Mechanism


def symbols_of(subject: Subject) -> frozenset[Symbol]:
    return subject.free_symbols if isinstance(subject, Mechanism) else subject.symbols


def words_of(subject: Subject, **style: Any) -> str:
    """The subject with formulas between dollar signs.

    >>> from symdp.privacy.mechanisms.every import Gaussian
    >>> words_of(Gaussian(variance=4))
    'Gaussian noise with variance $4$ and sensitivity $1$'
    """
    if not isinstance(subject, Mechanism):
        return subject.words(**style)
    parts = [f"{name.replace('_', ' ')} ${latex(value, **style)}$"
             for name, value in subject.parameters.items() if isinstance(value, Expr)]
    return f"{subject.name} with {listed(parts)}" if parts else subject.name
