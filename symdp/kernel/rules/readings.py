r"""A relation read as a limit at an end where a formula has no value. **Trusted.**

Papers print $\lambda\log\lambda$ for $\lambda\ge0$; at 0 everybody reads the limit. A :class:`Continued` is a
statement of its own, which says that this is how it is meant; it is closed, as an order relation is, and no
other rule takes it for the relation itself. D is the set of points at which all hypotheses hold. It says:

* at every point of D where the variable is not at the end, the relation holds, with both sides defined;
* at every point of D where it is, each side stands for its value if it is defined there, and else for its limit
  as the variable comes to the end within D while the others stay; this limit exists, in the real numbers or as
  one of the infinities, and the relation holds between what the sides stand for.

>>> from symdp.kernel.terms import ZERO, apply, number
>>> x = variable("x")
>>> r = Relation(x - number(1), "<=", x * apply("log", x))
>>> print(Continued(r, "x", ZERO, (("x", REAL),), (Relation(ZERO, "<=", x),)))
x - 1 <= x*log(x), read as its limit at x = 0, for every real x with 0 <= x
"""

from dataclasses import dataclass

from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Parameters, Rejected, rule
from symdp.kernel.rules.logic import need_term
from symdp.kernel.rules.orders import Closed
from symdp.kernel.terms import Term, substitute, variable
from symdp.kernel.values.conditions import bounds_of, need_real, need_same, shown, tied, without
from symdp.kernel.values.enclosure import need_defined
from symdp.kernel.values.limits import limit
from symdp.kernel.values.ranges import Undefined


@dataclass(frozen=True)
class Continued(Closed):
    """A relation on a domain, with one end of a variable read as a limit."""

    relation: Relation
    variable: str
    at: Term
    sorts: tuple[tuple[str, str], ...]
    hypotheses: tuple[Relation, ...]

    def __post_init__(self) -> None:
        if dict(self.sorts).get(self.variable) != REAL or not self.at.is_closed:
            raise IllFormed("a real variable comes to a constant")
        if not all(isinstance(h, Relation) for h in self.hypotheses):
            raise IllFormed("the hypotheses of a reading are relations")
        _ = self.inside

    @property
    def inside(self) -> Goal:
        """The relation as it stands, which need not be defined at the end."""
        return Goal(self.sorts, self.hypotheses, self.relation)

    def __str__(self) -> str:
        rest = str(self.inside).removeprefix(str(self.relation))
        return f"{self.relation}, read as its limit at {self.variable} = {self.at},{rest}"


@rule("a formula without a value at an end is read as its limit there")
def continued(goal: Goal, parameters: Parameters) -> list[Goal]:
    """A relation that is not strict passes to the limit: it is left to show without the end."""
    claim = goal.claim
    if not isinstance(claim, Continued):
        raise Rejected("the claim is not read as a limit")
    inside, name, at = claim.inside, claim.variable, claim.at
    Rejected.unless(not claim.relation.strict, "a strict relation does not pass to a limit")
    end = _closed_end(inside, name, at)
    off = Relation(at, "<", variable(name)) if end == "lower" else Relation(variable(name), "<", at)
    without_end = inside.claiming(claim.relation, off)
    rest, _ = without(inside, name)
    for side in claim.relation.terms():
        if name in side.variables:
            value, there = limit(side, name, at, without_end, from_above=end == "lower"), substitute(side, {name: at})
            try:
                need_defined([there], rest)
            except Undefined as reason:
                if not reason.certain:
                    raise
                continue  # it has no value at any point there, so that it may be read otherwise
            need_defined([need_term(value)], rest)  # where there is a value, there is no infinite limit
            need_same(need_term(value), there, rest)
    return [without_end]


def _closed_end(goal: Goal, name: str, at: Term) -> str:
    """Which end of the variable's interval that constant is: one that belongs to it, with points beside it
    whatever the values of the others."""
    need_real(name, goal)
    Rejected.unless(not tied(goal, name), f"a hypothesis ties {name} to others: its end cannot be left out alone")
    lower, upper = bounds_of(goal, name)
    for end, found, other, op in (("lower", lower, upper, "<"), ("upper", upper, lower, ">")):
        if found is not None and found.right is at and found.op in ("<=", ">=") and (
                other is None or shown(Relation(at, op, other.right), goal)):
            return end
    raise Rejected(f"{name} = {at} was not seen to be a closed end of the domain, with points beside it")
