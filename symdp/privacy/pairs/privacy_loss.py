r"""The privacy loss: the logarithm of $P(x)/Q(x)$, as a random variable when $x$ is drawn from P.

>>> from sympy import log, Rational
>>> loss = PrivacyLoss(((log(3), Rational(3, 4)), (-log(3), Rational(1, 4))))
>>> loss.finite, loss.largest
(True, log(3))
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy import Expr

from symdp.typeset.typesetting import latex


@dataclass(frozen=True)
class PrivacyLoss:
    """Atoms, each a loss with its P-mass (largest loss first), and a continuous part if any."""

    atoms: tuple[tuple[Expr, Expr], ...] = ()
    #: density of the continuous part, in the symbol ``x``, on the open interval ``support``
    density: Expr | None = None
    support: tuple[Expr, Expr] | None = None
    #: P(loss <= x) for x inside the support
    distribution: Expr | None = None
    description: str = ""

    @property
    def finite(self) -> bool:
        """Whether there are finitely many losses."""
        return self.density is None

    @property
    def largest(self) -> Expr:
        """The largest possible loss, which may be infinite."""
        ends = [loss for loss, _ in self.atoms]
        return ends[0] if ends else self.support[1] if self.support else sympy.oo

    def _repr_markdown_(self) -> str:
        rows = ["| privacy loss | probability under $P$ |", "|---|---|"]
        rows += [f"| ${_tex(loss)}$ | ${_tex(mass)}$ |" for loss, mass in self.atoms]
        if self.density is not None and self.support is not None:
            low, high = (_tex(end) for end in self.support)
            rows.append(f"| $x \\in ({low}, {high})$ | density ${_tex(self.density)}$ |")
        return "\n".join(rows)


def _tex(expr: Expr) -> str:
    if expr in (sympy.oo, -sympy.oo):
        return r"\infty" if expr is sympy.oo else r"-\infty"
    return latex(expr)
