r"""Whether a formula has a value at a point: a claim fails where one of its sides has none.

>>> from sympy import log
>>> from symdp.formulas.notation import lam
>>> has_a_value(lam * log(lam), {"lam": 0}).says
'log(lam) has no value at lam = 0'
"""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Integer, Rational

from symdp.arguments.constructions import Observation, construction
from symdp.formulas.notation import exact, symbol
from symdp.numbers.domain import Domain, Interval
from symdp.numbers.ranges import Undefined
from symdp.search.reasons import Reason
from symdp.search.view.goals import describe_point, range_on


@construction
def has_a_value(formula: Expr, at: Mapping[str, int | Rational]) -> Observation:
    """The formula at an exact point; where it certainly has no real value, the claim fails there."""
    point = {symbol(name): exact(value) for name, value in at.items()}
    whole = frozenset(v for v, u in point.items() if isinstance(u, Integer))
    where = describe_point(point)
    try:
        value = range_on(formula, Domain({v: Interval(u, u) for v, u in point.items()}, whole), bits=128)
    except Undefined as reason:
        if not reason.certain:
            return Observation(True, f"it was not seen whether there is a value at {where}")
        says = Reason.of(reason.part, " has no value at ", point)
        return Observation(False, says, {"at": where, "part": str(reason.part)}, trust=frozenset({"Arb"}))
    return Observation(True, f"it has a value at {where}", {"lower": value.lo, "upper": value.hi})
