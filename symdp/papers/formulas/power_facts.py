r"""Powers with a symbolic exponent, by what is known of each: $(1+t)^k \le e^{kt}$ and Bernoulli's $1 + kt$.

The search does badly with $(1 - r/n)^n \le e^{-r}$, whose domain has no end. Here a power becomes a variable between
the two bounds, and the rest is for the kernel; that the base and the exponent are such that the bounds hold is asked
from it as well. A verdict that needs this is never more than argued.

>>> from sympy import exp
>>> from symdp.formulas.notation import symbol
>>> n, z = symbol("n"), symbol("z")
>>> found = with_power_facts(Relation((1 - z)**n, "<=", exp(-n * z)), lambda r: True)
>>> print(found[0], "|", *found[1], sep="  ")
power_1 <= exp(-n*z)  |  power_1 >= 0  power_1 <= exp(-n*z)  power_1 >= 1 - n*z
"""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Integer, Pow, Symbol, exp

from symdp.formulas.notation import symbol
from symdp.formulas.relation import Relation

#: Powers that are looked at in one relation.
_MOST = 3


def with_power_facts(
    relation: Relation, prove: Callable[[Relation], bool]
) -> tuple[Relation, tuple[Relation, ...]] | None:
    """The relation with a variable in the place of each power, and what is known of them; None where nothing is."""
    zero, one = Integer(0), Integer(1)
    powers = sorted(
        {p for side in (relation.left, relation.right) for p in side.atoms(Pow)
         if not p.exp.is_number and p.base.free_symbols and not p.base.is_Symbol},
        key=str,
    )
    if not powers or len(powers) > _MOST or relation.op == "==":
        return None
    names: dict[Expr, Symbol] = {}
    facts: list[Relation] = []
    for place, power in enumerate(powers, 1):
        base, exponent = power.base, power.exp
        if not prove(Relation(exponent, ">=", zero)) or not prove(Relation(base, ">=", zero)):
            return None
        if not (prove(Relation(base, ">", zero)) or prove(Relation(exponent, ">", zero))):
            return None
        name = names[power] = symbol(f"power_{place}")
        rise = (exponent * (base - 1)).expand()
        facts += [Relation(name, ">=", zero), Relation(name, "<=", exp(rise))]
        if prove(Relation(exponent, ">=", one)):
            facts.append(Relation(name, ">=", rise + 1))
    hidden = Relation(relation.left.xreplace(names), relation.op, relation.right.xreplace(names), relation.needs)
    return hidden, tuple(facts)
