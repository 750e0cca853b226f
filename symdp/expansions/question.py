r"""An order relation as a question: two sides, what moves, what is fixed, and a domain for all.

Variables that follow others are substituted at once, and the domain of such a variable becomes a
condition on what it follows. Roots of products are split where the factors are positive.

>>> from sympy import Integer, log
>>> from symdp.notation import delta, eps, symbol
>>> from symdp.parsing import parse_conditions
>>> from symdp.regime import Regime
>>> where = [r for w in ("eps > 0", "0 < delta < 1", "1/2 <= c <= 2") for r in parse_conditions(w)]
>>> regime = Regime(moving={eps: Integer(0)}, following={delta: symbol("c") * eps})
>>> q = Question.of(log(1 / delta), "Theta", log(1 / eps), regime, Domain.of(where))
>>> print(q)
log(1/(c*eps)) = Theta(log(1/eps)) for eps -> 0; 1/2 <= c <= 2, eps > 0, c*eps > 0, c*eps < 1
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sympy import Expr, Integer, Rational, Symbol, oo

from symdp.domain import Domain, Interval
from symdp.expansions.splitting import split
from symdp.proving.enclosure import inserted
from symdp.regime import Regime
from symdp.relation import Relation
from symdp.text import to_text

ORDERS = ("O", "Theta", "o", "~")


@dataclass(frozen=True)
class Question:
    """``left = order(right)`` as the moving variables tend to their limits within the domain."""

    left: Expr
    order: str
    right: Expr
    domain: Domain
    moving: Mapping[Symbol, Expr] = field(default_factory=dict, hash=False)
    fixed: frozenset[Symbol] = frozenset()

    @classmethod
    def of(cls, left: Expr, order: str, right: Expr, regime: Regime, domain: Domain) -> Question:
        if order not in ORDERS:
            raise ValueError(f"{order!r} is no order; there are {', '.join(ORDERS)}")
        for v in sorted((left.free_symbols | right.free_symbols | regime.symbols)
                        - set(domain.variables), key=str):
            raise ValueError(f"nothing says where {v} lives")
        follow = dict(regime.following)
        intervals = {v: i for v, i in domain.intervals.items() if v not in follow}
        conditions = [Relation(inserted(c.left, follow), c.op, inserted(c.right, follow))
                      for c in domain.conditions]
        for v, e in follow.items():
            alone = Domain({v: domain.intervals[v]})
            conditions += [Relation(e, r.op, r.right) for r in alone.relations()]
        inside = Domain(intervals, domain.integers - set(follow), tuple(conditions))
        sides = [split(inserted(side, follow), inside) for side in (left, right)]
        return cls(sides[0], order, sides[1], inside, regime.moving, regime.fixed)

    def near(self, closeness: Rational) -> Domain:
        """The part of the domain with every moving variable that close to its limit."""
        domain = self.domain
        for v, limit in self.moving.items():
            if limit == oo:
                interval = Interval(1 / closeness, oo)
            else:
                interval = Interval(limit - closeness, limit + closeness)
                if v not in domain.integers and domain.intervals[v].contains(limit):
                    # the limit itself is not meant
                    side = domain.intervals[v].lower == limit
                    interval = Interval(limit, limit + closeness, lower_open=True) if side else interval
            domain = domain.replace_interval(v, domain.intervals[v].meet(interval))
        return domain

    def claim(self) -> str:
        left, right = to_text(self.left), to_text(self.right)
        return f"{left} ~ {right}" if self.order == "~" else f"{left} = {self.order}({right})"

    def __str__(self) -> str:
        regime = Regime(self.moving, {}, self.fixed)
        return f"{self.claim()} for {regime}; {self.domain}"


def about(domain: Domain, *exprs: Expr) -> Domain:
    """The domain of the variables that occur; what holds there holds on the whole domain."""
    used = frozenset().union(*(e.free_symbols for e in exprs))
    return Domain(
        {v: i for v, i in domain.intervals.items() if v in used},
        domain.integers & used,
        tuple(c for c in domain.conditions if c.symbols <= used),
    )


def distance(v: Symbol, limit: Expr) -> Expr:
    """What tends to 0 as the variable tends to its limit."""
    return Integer(1) / v if limit == oo else v - limit
