r"""Where a claim fails, for every value of its parameters. **Trusted.**

A :class:`FailsFor` is a closed statement about a goal: for every value of the parameters at which the conditions
hold, there are values of the other variables at which all hypotheses of the goal hold, both sides of its claim
are defined, and the claim is false. (That the goal is false for each of these parameters says no less than that.)

>>> from symdp.kernel.goals import REAL
>>> from symdp.kernel.terms import ZERO, ONE, number, variable
>>> c, x = variable("c"), variable("x")
>>> goal = Goal((("c", REAL), ("x", REAL)), (Relation(ZERO, "<=", x),), Relation(x, "<=", c * x))
>>> print(FailsFor(goal, ("c",), (Relation(c, "<", ONE),)))
x <= c*x with 0 <= x fails for some real x, for every real c with c < 1
"""

from dataclasses import dataclass

from symdp.kernel.goals import INTEGER, Goal, IllFormed, Relation, spoken
from symdp.kernel.proof import Parameters, Rejected, rule
from symdp.kernel.rules.logic import NEGATION, need_term
from symdp.kernel.rules.orders import Closed
from symdp.kernel.terms import ZERO
from symdp.kernel.values.enclosure import need_defined


@dataclass(frozen=True)
class FailsFor(Closed):
    """A goal, some of its variables as parameters, and conditions on those."""

    goal: Goal
    parameters: tuple[str, ...]
    conditions: tuple[Relation, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.goal.claim, Relation) or self.goal.families:
            raise IllFormed("what fails is a relation, without families")
        IllFormed.unless(all(isinstance(c, Relation) for c in self.conditions), "the conditions are relations")
        _ = self.outside

    @property
    def outside(self) -> Goal:
        """The values of the parameters that are spoken of."""
        sorts = tuple((n, s) for n, s in self.goal.sorts if n in self.parameters)
        IllFormed.unless(len(sorts) == len(self.parameters), "a parameter is no variable of the goal")
        return Goal(sorts, self.conditions, Relation(ZERO, "<=", ZERO))

    def __str__(self) -> str:
        others = spoken(tuple((n, s) for n, s in self.goal.sorts if n not in self.parameters))
        where = f" with {', '.join(map(str, self.goal.hypotheses))}" if self.goal.hypotheses else ""
        some = f" for some {others}" if others else ""
        given = f" with {', '.join(map(str, self.conditions))}" if self.conditions else ""
        return f"{self.goal.claim}{where} fails{some}, for every {spoken(self.outside.sorts)}{given}"


@rule()
def fails_for(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Values of the other variables, as terms in the parameters, at which the hypotheses hold and the claim is
    false; for an equality, ``op`` says on which side."""
    claim = goal.claim
    if not isinstance(claim, FailsFor):
        raise Rejected("the claim is not that something fails")
    outside, at, values = claim.outside, parameters["at"], {}
    for name, sort in claim.goal.sorts:
        if name in claim.parameters:
            continue
        values[name] = need_term(at[name])
        if not values[name].variables <= set(claim.parameters):
            raise Rejected(f"the value of {name} is a term in the parameters")
        need_defined([values[name]], outside)
        if sort == INTEGER and not outside.whole(values[name]):
            raise Rejected(f"{values[name]} was not seen to be an integer")
    r = claim.goal.relation.substitute(values)
    ops = NEGATION[r.op]
    op = parameters.get("op", ops[0])
    Rejected.unless(op in ops, f"{str(op)[:9]} does not contradict {r.op}")
    return [*(outside.claiming(h.substitute(values)) for h in claim.goal.hypotheses),
            outside.claiming(Relation(r.left, op, r.right))]
