r"""A regime: which variables go where, which follow others, and which are fixed.

What is not named moves freely over its domain: constants must hold uniformly in it. Constants may
depend on a variable that is fixed.

>>> from sympy import Integer, oo
>>> from symdp.formulas.notation import delta, eps, k, symbol
>>> r = Regime(moving={eps: Integer(0)}, following={delta: symbol("c") * eps}, fixed=frozenset({k}))
>>> print(r)
eps -> 0, delta = c*eps, k fixed
>>> r.words()
'$\\varepsilon\\to 0$ with $\\delta=c\\varepsilon$, for fixed $k$'
>>> Regime().words()
'uniformly on the domain'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy import Expr, Symbol, oo

from symdp.formulas.notation import exact
from symdp.formulas.printing import to_text
from symdp.typeset.prose import listed
from symdp.typeset.typesetting import latex


@dataclass(frozen=True)
class Regime:
    """Where an order relation is meant to hold."""

    #: variable -> the constant (or oo) that it tends to, within its domain
    moving: Mapping[Symbol, Expr] = field(default_factory=dict, hash=False)
    #: variable -> the expression in the others that it equals
    following: Mapping[Symbol, Expr] = field(default_factory=dict, hash=False)
    fixed: frozenset[Symbol] = frozenset()

    def __post_init__(self) -> None:
        for name in ("moving", "following"):
            values = {v: exact(e) for v, e in getattr(self, name).items()}
            object.__setattr__(self, name, values)
        for v, limit in self.moving.items():
            if limit.free_symbols or limit == -oo:
                raise ValueError(f"{v} tends to a constant or to oo, not to {limit}")
            if v in self.fixed:
                raise ValueError(f"{v} cannot move and be fixed")
        for v, e in self.following.items():
            if v in self.moving or v in self.fixed or e.free_symbols & set(self.following):
                raise ValueError(f"{v} = {e} follows variables that are free, not itself")

    @property
    def symbols(self) -> frozenset[Symbol]:
        inside = frozenset().union(*(e.free_symbols for e in self.following.values()))
        return inside | frozenset(self.moving) | frozenset(self.following) | self.fixed

    def words(self, **style: Any) -> str:
        """In words, with formulas between dollar signs."""
        moving = [f"${latex(v, **style)}\\to {_limit(e, style)}$" for v, e in self.moving.items()]
        parts = [listed(moving)] if moving else []
        if self.following:
            along = [f"${latex(v, **style)}={latex(e, **style)}$" for v, e in self.following.items()]
            parts.append(f"with {listed(along)}")
        text = " ".join(parts)
        if self.fixed:
            names = [f"${latex(v, **style)}$" for v in sorted(self.fixed, key=str)]
            text += f"{', ' if text else ''}for fixed {listed(names)}"
        return text or "uniformly on the domain"

    def __str__(self) -> str:
        parts = [f"{v} -> {'oo' if e == oo else to_text(e)}" for v, e in self.moving.items()]
        parts += [f"{v} = {to_text(e)}" for v, e in self.following.items()]
        parts += [f"{v} fixed" for v in sorted(self.fixed, key=str)]
        return ", ".join(parts) or "uniformly"


def _limit(e: Expr, style: dict[str, Any]) -> str:
    return r"\infty" if e == oo else latex(e, **style)
