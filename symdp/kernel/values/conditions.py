r"""What the rules check before they conclude anything. **Trusted.**

Each ``need_...`` raises where it cannot see to what it is asked; the others make the goals that premises
speak about.
"""

from collections.abc import Iterable

from symdp.kernel.algebra.identity import identical
from symdp.kernel.goals import REAL, Formula, Goal, Relation
from symdp.kernel.proof import DEFAULT_BITS, Rejected
from symdp.kernel.terms import ZERO, Term, substitute, subterms
from symdp.kernel.values.calculus import derivative, need_smooth
from symdp.kernel.values.enclosure import bound_of, need_defined, range_on
from symdp.kernel.values.ranges import Range

__all__ = ["need_defined"]


def fits(gap: Range, op: str) -> bool:
    """Whether every gap in the range has the sign that the relation asks for."""
    return gap.is_positive() if op == "<" else gap.is_nonnegative() if op == "<=" else gap.is_zero()


def shown(relation: Relation, goal: Goal, bits: int = DEFAULT_BITS) -> bool:
    """Whether enclosures show a relation at every point of the goal's hypotheses."""
    r = relation.normal
    try:
        left, right = range_on(r.left, goal, bits), range_on(r.right, goal, bits)
        if r.op != "==" and (left.hi < right.lo or (
                left.hi == right.lo and (r.op == "<=" or left.hi_open or right.lo_open))):
            return True
        return fits(range_on(r.gap, goal, bits), r.op)
    except ArithmeticError:
        return False


def need_positive(terms: Iterable[Term], goal: Goal) -> list[Term]:
    found = list(terms)
    for t in found:
        if not isinstance(t, Term) or t.loose or not range_on(t, goal).is_positive():
            raise Rejected(f"{t} was not seen to be positive")
    return found


def need_same(a: Term, b: Term, goal: Goal, positive: Iterable[Term] = ()) -> None:
    """Both agree wherever both are defined, by exact algebra."""
    if not identical(a, b, need_positive(positive, goal), goal.whole):
        raise Rejected(f"{a} and {b} were not seen to be the same")


def same_gap(known: Relation, wanted: Relation, goal: Goal) -> bool:
    return identical(known.normal.gap, wanted.normal.gap, (), goal.whole)


def sign_claim(term: Term, op: str) -> Relation:
    """term >= 0 or term > 0."""
    return Relation(ZERO, {">=": "<=", ">": "<"}[op], term)


def is_bound_of(h: Formula, name: str) -> bool:
    """Whether a hypothesis compares that variable with a constant."""
    r = bound_of(h)
    return r is not None and r.left.value == name


def bounds_of(goal: Goal, name: str) -> tuple[Relation | None, Relation | None]:
    """The strictest hypotheses that bound a variable from below and from above, as ``v op constant``."""
    found = [r for r in map(bound_of, goal.hypotheses) if r is not None and r.left.value == name]
    return (_strictest([r for r in found if r.op in (">=", ">", "==")], ">"),
            _strictest([r for r in found if r.op in ("<=", "<", "==")], "<"))


def _strictest(bounds: list[Relation], beyond: str) -> Relation | None:
    """The one that all others follow from; Rejected where that is not certain."""
    constants = Goal((), (), Relation(ZERO, "<=", ZERO))
    for one in bounds:
        if all((one.right is other.right and (one.strict or not other.strict))
               or shown(Relation(one.right, beyond, other.right), constants) for other in bounds):
            return one
    if bounds:
        raise Rejected(f"it is not certain which of {', '.join(str(r.right) for r in bounds)} is the stricter bound")
    return None


def need_real(name: str, goal: Goal) -> None:
    Rejected.unless(dict(goal.sorts).get(name) == REAL, f"{str(name)[:40]} is no real variable of the goal")


def tied(goal: Goal, name: str) -> list[Formula]:
    """The hypotheses that tie a variable to others: all about it but its bounds by constants, and but facts,
    which hold wherever the others do."""
    return [h for h in goal.hypotheses if name in h.variables and h not in goal.facts and not is_bound_of(h, name)]


def untied(goal: Goal, name: str) -> Goal:
    """The goal without the hypotheses that tie the variable to others, and without what follows from them."""
    return goal.under(tuple(h for h in goal.hypotheses if name not in h.variables or is_bound_of(h, name)))


def without(goal: Goal, name: str, further: Iterable[Formula] = ()) -> tuple[Goal, tuple[Formula, ...]]:
    """The goal's other variables: what is left of the hypotheses, for a claim that does not mention it."""
    kept = tuple(h for h in goal.hypotheses if name not in h.variables)
    sorts = tuple((n, s) for n, s in goal.sorts if n != name)
    hypotheses = tuple(dict.fromkeys((*kept, *further)))
    return Goal(sorts, hypotheses, Relation(ZERO, "<=", ZERO), goal.families), kept


def opened(goal: Goal, name: str) -> Goal:
    """The goal with both bounds of the variable strict."""
    changed: list[Formula] = []
    for h in goal.hypotheses:
        r = bound_of(h)
        if r is not None and r.left.value == name:
            Rejected.unless(r.op != "==", f"{name} has one value only")
            h = Relation(r.left, r.op[0], r.right)
        changed.append(h)
    return goal.under(tuple(changed), frozenset(f for f in goal.facts if not is_bound_of(f, name)))


def need_continuous_at(term: Term, name: str, at: Term, rest: Goal) -> None:
    """That a term, smooth in a variable on one side of an end and defined at it, is continuous up to it.

    Every operation is continuous where it is defined, from the side on which it is defined, but for powers:
    0^b at b = 0, and a base that comes to 0 under an exponent that moves.
    """
    for t in subterms(term):
        if t.head == "^" and name in t.variables and t.args[1].head != "number":
            base, exponent = (substitute(a, {name: at}) for a in t.args)
            Rejected.unless(not (base.loose or exponent.loose), "a power inside of a sum may not be continuous")
            moving = name in t.args[1].variables
            if not (range_on(base, rest).is_positive() or (not moving and range_on(exponent, rest).is_positive())):
                raise Rejected(f"{t} was not seen to be continuous at the end of {name}")


def need_continuous(term: Term, name: str, goal: Goal) -> None:
    """That a term, smooth inside of the interval of a variable, is continuous at the ends that belong to it."""
    rest, _ = without(goal, name)
    for found in bounds_of(goal, name):
        if found is not None and not found.strict:
            need_continuous_at(term, name, found.right, rest)


def need_easing(goal: Goal, name: str, end: str) -> None:
    """The hypotheses that tie the variable to others only get truer on the way to that end."""
    box = untied(goal, name)
    for h in tied(goal, name):
        if not isinstance(h, Relation) or h.op == "==":
            raise Rejected(f"{h} may fail on the way to the {end} end of {name}")
        need_smooth(h.gap, name, box)
        slope = range_on(derivative(h.gap, name), box)
        if not (slope.is_nonpositive() if end == "lower" else slope.is_nonnegative()):
            raise Rejected(f"{h} may fail on the way to the {end} end of {name}")
