r"""A goal as a theorem of Coq, as a person would write it.

This is all that decides what an exported theorem says. It knows nothing of proofs: variables are real numbers (an
integer one is a real number that is an ``integer``), hypotheses are premises, and the claim is that both sides are
defined, as they are written, and that the relation holds between them. A hypothesis that has no value somewhere does
not hold there, so what makes it defined is a premise as well. Only a power with a variable exponent is different: a
negative number has some of them, and the word ``power`` does not know these. Such a hypothesis comes last, and that
the base is not negative there is not assumed, but concluded from the premises before it. The same holds for a
binomial coefficient, which has values between the whole numbers that the word ``binomial`` does not know.

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

from symdp.formal.claims import conclusion, conditions_of, ends
from symdp.formal.printing import condition, formula, name_of, whole_exponent
from symdp.formal.refusals import NotExportable
from symdp.kernel.goals import INTEGER, Formula, Goal, Relation
from symdp.kernel.rules.privacy import Private
from symdp.kernel.terms import falling, subterms


@dataclass(frozen=True)
class Premise:
    """A line of the domain: a relation, that a variable is an integer, or what makes a hypothesis defined."""

    text: str
    hypothesis: Formula | None = None
    #: whether it is no premise, but concluded from those before it
    concluded: bool = False

def the_relation(formula: Formula) -> Relation:
    if not isinstance(formula, Relation):
        raise NotExportable(type(formula).__name__.lower(), "only relations are exported")
    return formula

def premises(goal: Goal, at_a_point: bool = False) -> list[Premise]:
    """The domain of a goal, in the order of the theorem; of a point, all that makes it defined there is said."""
    names = [name_of(n) for n, _ in (*goal.sorts, *goal.families)]
    if len(set(names)) < len(names):
        raise NotExportable("name", "two variables would have one name in Coq")
    found = [Premise(f"integer {name_of(n)}") for n, sort in goal.sorts if sort == INTEGER]
    found += [Premise(f"(forall i : R, integer i -> integer ({name_of(n)} i))") for n, sort in goal.families
              if sort == INTEGER]
    for h in goal.hypotheses:
        if isinstance(h, Private):
            raise NotExportable("private", "a guarantee among the hypotheses")
    moving = {h: [] if at_a_point else moving_powers(h) for h in goal.hypotheses}
    for h in sorted(goal.hypotheses, key=lambda h: bool(moving[h])):
        needed, shown = conditions_of(h), moving[h]
        new = [c for c in needed if c not in {p.text for p in found}]
        found += [Premise(c) for c in new if c not in shown]
        found += [Premise(c, concluded=True) for c in new if c in shown]
        found.append(Premise(formula(h), h))
    return [*found, *(Premise(e) for e in ends(goal.claim))]


def moving_powers(formula: Formula) -> list[str]:
    """What makes the powers in a formula defined whose exponents are no numbers, and binomial coefficients."""
    inside = [s for t in formula.terms() for s in subterms(t)]
    powers = [s for s in inside if s.head == "^" and whole_exponent(s) is None]
    chosen = [s for s in inside if s.head == "binomial" and falling(*s.args) is None]
    if any(s.loose for s in powers):
        raise NotExportable("^", "a power that moves with an index in a hypothesis")
    if any(s.loose for s in chosen):
        raise NotExportable("binomial", "a binomial coefficient that moves with an index in a hypothesis")
    moving = [*(s for s in powers if s.args[1].head != "number"), *chosen]
    return [c for s in moving if (c := condition(s)) is not None]



def _quantified(quantifier: str, goal: Goal) -> str:
    names = " ".join(name_of(n) for n, _ in goal.sorts)
    families = " ".join(name_of(n) for n, _ in goal.families)
    text = f"{quantifier} {names} : R,\n  " if names else ""
    return text + (f"{quantifier} {families} : R -> R,\n  " if families else "")

def proposition(goal: Goal, promises: bool = True) -> str:
    """The goal: for all points of the domain, the claim is defined and holds."""
    text, opened = "", 0
    for p in premises(goal):
        text += f"{p.text} /\\ (\n  " if p.concluded else f"{p.text} ->\n  "
        opened += p.concluded
    return _quantified("forall", goal) + text + " /\\ ".join(conclusion(goal.claim, promises)) + ")" * opened


def negation(goal: Goal) -> str:
    """The opposite, in the form in which a counterexample shows it: a point of the domain at which both sides are
    defined, and the relation fails."""
    *defined, claim = conclusion(goal.claim)
    parts = [*(p.text for p in premises(goal, at_a_point=True)), *defined, f"~ ({claim})"]
    return _quantified("exists", goal) + " /\\ ".join(parts)

