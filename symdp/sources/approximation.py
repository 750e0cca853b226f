r"""A promise of utility: a query is answered within a factor and a term, except rarely.

>>> Approximation("utility", "close enough").kind
'guarantee'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from symdp.sources.statement import Claim


@dataclass(frozen=True)
class Approximation(Claim):
    r"""An answer lies between $(1-\eta)q-\tau$ and $(1+\eta)q+\tau$ with probability $1-\nu$."""

    kind: ClassVar[str] = "guarantee"
