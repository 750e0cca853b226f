r"""Whether a bound is tight up to a constant: a path along which its ratio to the truth grows.

>>> from symdp.formulas.notation import symbol, x
>>> some_constant_suffices(x**2, x, {"x": 1 + symbol("C")}).says
'at x = C + 1 the bound is more than C times what is enough, for every C >= 1'
>>> some_constant_suffices(2 * x, x, {"x": symbol("C")}).holds
True
"""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Integer, oo

from symdp.arguments.constructions import Observation, construction
from symdp.formulas.notation import exact, symbol
from symdp.formulas.printing import to_text
from symdp.formulas.relation import gt
from symdp.numbers.domain import Domain, Interval
from symdp.search.prove import decide_relation
from symdp.search.verdict import Status


@construction
def some_constant_suffices(bound: Expr, enough: Expr, along: Mapping[str, Expr]) -> Observation:
    """Is the bound at most a constant times what is known to be enough?

    ``along`` gives a point for every constant C >= 1. Where the bound certainly exceeds C times what is
    enough at each of these points, no constant will do.
    """
    constant = symbol("C")
    point = {symbol(name): exact(value) for name, value in along.items()}
    claim = gt(bound.subs(point), constant * enough.subs(point))
    found = decide_relation(claim, Domain({constant: Interval(Integer(1), oo)}), budget=10)
    where = ", ".join(f"{v} = {to_text(e)}" for v, e in point.items())
    if found.status is Status.PROVED and found.proof is not None:
        return Observation(False, f"at {where} the bound is more than C times what is enough, "
                       "for every C >= 1", {"along": where, "bound": to_text(claim.left)},
                       trust=found.proof.trust)
    return Observation(True, f"along {where} it was not seen that the ratio grows without limit")
