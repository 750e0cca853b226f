r"""A goal as a theorem of Coq, as a person would write it.

This is all that decides what an exported theorem says. It knows nothing of proofs: variables are real numbers (an
integer one is a real number that is an ``integer``), hypotheses are premises, and the claim is that both sides are
defined, as they are written, and that the relation holds between them. A hypothesis that has no value somewhere does
not hold there, so what makes it defined is a premise as well. Only a power with a variable exponent is different: a
negative number has some of them, and the word ``power`` does not know these. Such a hypothesis comes last, and that
the base is not negative there is not assumed, but concluded from the premises before it.

>>> from symdp.kernel.goals import REAL, Goal, Relation
>>> from symdp.kernel.terms import apply, number, variable
>>> x = variable("x")
>>> goal = Goal((("x", REAL),), (Relation(x, ">", number(0)),), Relation(apply("log", x), "<=", x - number(1)))
>>> print(proposition(goal))
forall x : R,
  x > 0 ->
  0 < x /\ ln x <= x - 1
"""

from dataclasses import dataclass

from symdp.formal.printing import condition, conditions, name_of, relation
from symdp.formal.refusals import NotExportable
from symdp.kernel.goals import INTEGER, Formula, Goal, Relation
from symdp.kernel.terms import subterms


@dataclass(frozen=True)
class Premise:
    """A line of the domain: a relation, that a variable is an integer, or what makes a hypothesis defined."""

    text: str
    hypothesis: Relation | None = None
    #: whether it is no premise, but concluded from those before it
    concluded: bool = False

def the_relation(formula: Formula) -> Relation:
    if not isinstance(formula, Relation):
        raise NotExportable(type(formula).__name__.lower(), "only relations are exported")
    return formula

def premises(goal: Goal) -> list[Premise]:
    """The domain of a goal, in the order of the theorem."""
    if goal.families:
        raise NotExportable("family", "families of numbers are not exported")
    names = [name_of(n) for n, _ in goal.sorts]
    if len(set(names)) < len(names):
        raise NotExportable("name", "two variables would have one name in Coq")
    found = [Premise(f"integer {name_of(n)}") for n, sort in goal.sorts if sort == INTEGER]
    for formula in sorted(goal.hypotheses, key=lambda h: bool(moving_powers(h))):
        h = the_relation(formula)
        needed, shown = conditions(*h.terms()), moving_powers(h)
        new = [c for c in needed if c not in {p.text for p in found}]
        found += [Premise(c) for c in new if c not in shown]
        found += [Premise(c, concluded=True) for c in new if c in shown]
        found.append(Premise(relation(h), h))
    return found


def moving_powers(formula: Formula) -> list[str]:
    """What makes the powers in a formula defined whose exponents are no numbers."""
    parts = (s for t in formula.terms() for s in subterms(t))
    return [c for s in parts if s.head == "^" and s.args[1].head != "number" and (c := condition(s)) is not None]


def conclusion(claim: Relation) -> list[str]:
    """What makes both sides defined, and the relation itself."""
    return [*conditions(*claim.terms()), relation(claim)]

def _quantified(quantifier: str, goal: Goal) -> str:
    names = " ".join(name_of(n) for n, _ in goal.sorts)
    return f"{quantifier} {names} : R,\n  " if names else ""

def proposition(goal: Goal) -> str:
    """The goal: for all points of the domain, the claim is defined and holds."""
    text, opened = "", 0
    for p in premises(goal):
        text += f"{p.text} /\\ (\n  " if p.concluded else f"{p.text} ->\n  "
        opened += p.concluded
    return _quantified("forall", goal) + text + " /\\ ".join(conclusion(the_relation(goal.claim))) + ")" * opened


def negation(goal: Goal) -> str:
    """The opposite, in the form in which a counterexample shows it: a point of the domain at which both sides are
    defined, and the relation fails."""
    *defined, claim = conclusion(the_relation(goal.claim))
    parts = [*(p.text for p in premises(goal)), *defined, f"~ ({claim})"]
    return _quantified("exists", goal) + " /\\ ".join(parts)

