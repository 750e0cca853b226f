r"""The moments $M(s) = E_P\,e^{sL}$ of a privacy loss at complex orders, in balls.

Those of a sum of independent losses are the product of theirs: a million equal mechanisms cost a power. What
:mod:`symdp.privacy.lattice.inversion` needs besides is how fast $|M(c + it)|$ falls, for all large $t$ at once.

>>> with ctx.workprec(64):
...     print(Normal(lambda: arb(4)).at(acb(1)).real.str(6, radius=False))  # exp(4)
54.5982
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from flint import acb, arb, ctx

from symdp.privacy.lattice.saddlepoint import Cumulants

#: How far apart, and with how many bits, moments are compared for a guess of their slopes.
APART, GUESSING_BITS = 2.0**-24, 160


class TooSlow(ArithmeticError):
    """The moments do not fall fast enough for a sum of few terms, or nothing is known of how they fall."""


class Moments(ABC):
    r"""Of the law of one loss: finite for all orders $s$ with $\operatorname{Re} s > -1$, as $E\,e^{-L} \le 1$."""

    #: whether a single one costs much, as an integral does
    dear: bool = False

    @abstractmethod
    def at(self, s: Any) -> Any:
        """A ball around M(s) at the working precision, for one complex order."""

    @abstractmethod
    def beyond(self, c: Any, t: Any) -> Any:
        """At least |M(c + iu)| for every real u with |u| >= t; never above M(c) in truth, as |e^(iuL)| = 1."""

    def along(self, c: Any, h: Any, many: int) -> list[Any]:
        """M at c, c + ih, c + 2ih, ..., so many of them."""
        return [self.at(acb(c, h * n)) for n in range(many)]

    def real(self, c: Any) -> Any:
        """M at a real order."""
        return self.at(acb(c)).real

    def cumulants(self, many: int) -> Cumulants:
        """K = log M and its two derivatives, of that many, in floating point: hints."""

        def cumulants(tilt: float) -> tuple[float, float, float]:
            with ctx.workprec(GUESSING_BITS):
                apart = arb(APART) * max(abs(tilt), 2.0**-20)
                below, here, above = (self.real(arb(tilt) + apart * n).mid().log() for n in (0, 1, 2))
                first = (above - below) / (2 * apart)
                second = (above - 2 * here + below) / apart**2
                return many * float(here.mid()), many * float(first.mid()), many * float(second.mid())

        return cumulants


class Normal(Moments):
    r"""Of a Gaussian mechanism: $M(s) = e^{s(s+1)\mu^2/2}$, of modulus $M(c)\,e^{-t^2\mu^2/2}$."""

    def __init__(self, square: Callable[[], Any]) -> None:
        self.square = square

    def at(self, s: Any) -> Any:
        return (s * (s + 1) * self.square() / 2).exp()

    def beyond(self, c: Any, t: Any) -> Any:
        return ((c * (c + 1) - t * t) * self.square() / 2).exp()


class Outcomes(Moments):
    """Of finitely many losses. Nothing is promised far out: on a lattice the modulus comes back to where it was."""

    def __init__(self, atoms: Callable[[], list[tuple[Any, Any]]]) -> None:
        self.atoms = atoms
        self._bits, self._made = 0, [(arb(0), arb(1))]

    def at(self, s: Any) -> Any:
        if self._bits != ctx.prec:
            self._bits, self._made = ctx.prec, self.atoms()
        return sum(((s * loss).exp() * mass for loss, mass in self._made), acb(0))

    def beyond(self, c: Any, t: Any) -> Any:
        return self.real(c)
