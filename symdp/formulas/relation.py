r"""A relation between two expressions, which keeps both of its sides as they are.

SymPy's own ``Le(eps, eps + 1)`` collapses to ``true``; what a paper printed would be lost.

>>> from symdp.formulas.notation import eps
>>> r = Relation(eps, "<=", eps + 1)
>>> r.left, r.op, r.right
(eps, '<=', eps + 1)
>>> r.gap, r.strict
(1, False)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

import sympy
from sympy import Expr

from symdp.formulas.insertion import put
from symdp.formulas.notation import exact
from symdp.formulas.printing import to_text
from symdp.formulas.translation import term_of
from symdp.kernel.goals import MIRROR as MIRRORED
from symdp.kernel.goals import Relation as KernelRelation

Op = Literal["<=", "<", ">=", ">", "=="]
OPS: tuple[Op, ...] = get_args(Op)
MIRROR: dict[Op, Op] = {"<=": ">=", "<": ">", ">=": "<=", ">": "<", "==": "=="}


@dataclass(frozen=True)
class Relation:
    """``left op right``, exactly as written."""

    left: Expr
    op: Op
    right: Expr
    #: parts that the text had, and that must be defined although SymPy has simplified them away
    needs: tuple[Expr, ...] = field(default=(), compare=False, repr=False)
    #: the formula as it was written, where SymPy's sides may have lost a part of it
    written: KernelRelation | None = field(default=None, compare=False, repr=False)
    #: the relation that the formula was written for: with another side it says nothing any more
    _of: tuple[Expr, Op, Expr] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.op not in OPS:
            raise ValueError(f"{self.op!r} is not a relation; use one of {' '.join(OPS)}")
        for name in ("left", "right"):
            side = exact(getattr(self, name))
            object.__setattr__(self, name, side)
        sides = (self.left, self.op, self.right)
        if self._of not in (None, sides):
            object.__setattr__(self, "written", None)
        object.__setattr__(self, "_of", None if self.written is None else sides)

    @property
    def strict(self) -> bool:
        return self.op in ("<", ">")

    @property
    def gap(self) -> Expr:
        """What must be >= 0 (or > 0, or == 0) for the relation to hold."""
        if self.op in ("<=", "<"):
            return self.right - self.left
        return self.left - self.right

    @property
    def symbols(self) -> frozenset[sympy.Symbol]:
        parts = (self.left, self.right, *self.needs)
        return frozenset().union(*(part.free_symbols for part in parts))

    def mirrored(self) -> Relation:
        """The same relation read from right to left.

        >>> from symdp.formulas.notation import x
        >>> str(Relation(x, "<", sympy.Integer(1)).mirrored())
        '1 > x'
        """
        w = self.written
        other = None if w is None else KernelRelation(w.right, MIRRORED[w.op], w.left)
        return Relation(self.right, MIRROR[self.op], self.left, self.needs, other)

    def subs(self, replacements: dict[sympy.Symbol, Expr]) -> Relation:
        written = self.written
        if written is not None:
            written = written.substitute({str(v.name): term_of(e) for v, e in replacements.items()})
        return Relation(
            put(self.left, replacements),
            self.op,
            put(self.right, replacements),
            tuple(put(part, replacements) for part in self.needs),
            written,
        )

    def __str__(self) -> str:
        if self.written is not None and self.left == self.right:  # SymPy has made them the same
            return str(self.written)
        try:
            return f"{to_text(self.left)} {self.op} {to_text(self.right)}"
        except TypeError:  # sums of symbolic length are outside the grammar of texts
            return f"{self.left} {self.op} {self.right}"


@dataclass(frozen=True)
class ForEvery:
    """A relation for every integer from ``low`` to ``high``, which its index stands for.

    >>> from symdp.formulas.notation import k, symbol, x
    >>> print(ForEvery(Relation(x, ">=", symbol("i")), symbol("i"), sympy.Integer(1), k))
    x >= i for every integer 1 <= i <= k
    """

    relation: Relation
    index: sympy.Symbol
    low: Expr
    high: Expr

    @property
    def symbols(self) -> frozenset[sympy.Symbol]:
        return frozenset((self.relation.symbols - {self.index}) | self.low.free_symbols | self.high.free_symbols)

    def __str__(self) -> str:
        return f"{self.relation} for every integer {to_text(self.low)} <= {self.index} <= {to_text(self.high)}"


def le(left: object, right: object) -> Relation:
    """left <= right, both sides kept.

    >>> from symdp.formulas.notation import x
    >>> str(le(x, x + 1))
    'x <= x + 1'
    """
    return Relation(exact(left), "<=", exact(right))


def lt(left: object, right: object) -> Relation:
    """left < right."""
    return Relation(exact(left), "<", exact(right))


def ge(left: object, right: object) -> Relation:
    """left >= right."""
    return Relation(exact(left), ">=", exact(right))


def gt(left: object, right: object) -> Relation:
    """left > right."""
    return Relation(exact(left), ">", exact(right))


def eq(left: object, right: object) -> Relation:
    """left == right."""
    return Relation(exact(left), "==", exact(right))
