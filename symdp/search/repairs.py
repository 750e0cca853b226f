r"""What is missing in a claim that fails: the weakest simple repairs of it that are proved.

A smaller domain, a larger constant, an added factor: each is found with the search for thresholds
(:mod:`symdp.search.sharpening`), and each comes with the kernel's proof of the claim as it is repaired.

>>> found = suggest("tanh(x) <= x/2", "x >= 0", budget=2)
>>> for repair in found.repairs: print(repair.kind, "|", repair.statement)
a smaller domain | tanh(x) <= x/2 for every real x with x >= 0, x >= 23/12
an added factor | tanh(x) <= 2*(x/2) for every real x with x >= 0
another constant | tanh(x) <= x/1 for every real x with x >= 0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import process_time
from typing import Any

from flint import fmpq
from sympy import Expr, Rational, Symbol, oo

from symdp.formulas.notation import symbol
from symdp.formulas.parsing import to_text
from symdp.formulas.translation import NotATerm, formula_of, term_of
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Proof
from symdp.kernel.terms import ONE, ZERO, Term, fresh, number, rebuild, variable
from symdp.numbers.domain import Domain, DomainError, Interval
from symdp.numbers.simple_rationals import simplest_between
from symdp.search.elaboration.goal_views import view_of
from symdp.search.prove import Claimed, NotDefined, Posed, decide_relation, pose
from symdp.search.sharpening import NoThreshold, Sharpest, sharpest_of, shown
from symdp.search.verdict import Status, Verdict

#: Constants of a claim that are made larger or smaller, so many of them.
MOST_CONSTANTS = 2
#: How much of the time for a proof is for one in the search for a threshold, of which there are many.
FOR_THRESHOLDS = 0.2
#: A threshold that is no simple number is rounded by as much as this, to where the claim holds.
ROUNDING = Rational(1, 1000)
#: Of a number as text.
LONGEST_SIMPLE = 12
SMALLER_DOMAIN, OTHER_CONSTANT, ADDED_FACTOR = "a smaller domain", "another constant", "an added factor"


@dataclass(frozen=True)
class Repair:
    """A claim that is proved, and what was changed for it."""

    kind: str
    #: what is added to the claim, or put in the place of a part of it
    change: str
    proof: Proof
    #: whether beyond it the claim is proved to fail: no repair of this kind is weaker
    weakest: bool

    @property
    def statement(self) -> str:
        return str(self.proof.goal)

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "change": self.change, "statement": self.statement, "weakest": self.weakest,
                "rules": sorted(self.proof.rules), "trust": sorted(self.proof.trust)}


@dataclass(frozen=True, repr=False)
class Suggestion:
    """What became of a claim, and its repairs if it was not proved."""

    verdict: Verdict
    repairs: tuple[Repair, ...]
    seconds: float = 0.0

    def __str__(self) -> str:
        if self.verdict.status is Status.PROVED:
            return "the claim holds as it is"
        return "; ".join(f"{r.kind}: {r.change}" for r in self.repairs) or "no repair was found"

    def __repr__(self) -> str:
        return f"<Suggestion {self}>"

    def as_json(self) -> dict[str, Any]:
        return {"verdict": self.verdict.status.value, "method": str(self.verdict.method),
                "repairs": [r.as_json() for r in self.repairs], "seconds": round(self.seconds, 4)}


def suggest(
    claim: Claimed,
    where: Claimed | Iterable[Claimed] = (),
    *,
    let: str | Iterable[str] = (),
    integer: str | Symbol | Iterable[str | Symbol] = (),
    budget: float = 5.0,
) -> Suggestion:
    """The weakest simple repairs of a claim that is refuted or undecided, each with a proof within the budget."""
    return suggest_for(pose(claim, where, let=let, integer=integer), budget)


def suggest_for(posed: Posed, budget: float = 5.0) -> Suggestion:
    begun = process_time()
    verdict = decide_relation(posed.relation, posed.domain, formal=posed.goal, budget=budget)
    found: tuple[Repair, ...] = ()
    if verdict.status is not Status.PROVED and posed.goal.relation.op != "==":
        found = (*_smaller_domains(posed, budget), *_added_factor(posed.goal, budget),
                 *_other_constants(posed.goal, budget))
    return Suggestion(verdict, found, process_time() - begun)


# --- a smaller domain -----------------------------------------------------------------------------


def _smaller_domains(posed: Posed, budget: float) -> Iterator[Repair]:
    """For each variable the longest intervals on which the claim is proved."""
    for v in posed.domain.variables:
        if v in posed.domain.integers or v not in posed.relation.symbols:
            continue
        try:
            found = sharpest_of(posed.relation, posed.domain, v, formal=posed.goal, budget=budget * FOR_THRESHOLDS)
        except (NoThreshold, NotDefined, DomainError, NotATerm):
            continue
        if not found.intervals(False):
            continue  # it holds everywhere or nothing is known
        for whole in found.intervals(True):
            simple = _rounded(whole)
            added = [formula_of(r) for r in Domain({v: simple}).relations()]
            added = [h for h in added if h not in posed.goal.hypotheses]
            proof = _proved(posed.goal.claiming(posed.goal.claim, *added), budget) if not simple.is_empty() else None
            if proof is not None and simple.lower != simple.upper:
                yield Repair(SMALLER_DOMAIN, shown(simple, str(v)), proof, found.certain and simple == whole)


def _rounded(interval: Interval) -> Interval:
    """The interval, a little shorter where an end is no simple number."""
    lower, upper = (end if end in (oo, -oo) or _is_simple(end) else _inward(end, inward)
                    for end, inward in ((interval.lower, 1), (interval.upper, -1)))
    return Interval(lower, upper, interval.lower_open and lower == interval.lower,
                    interval.upper_open and upper == interval.upper)


def _is_simple(end: Expr) -> bool:
    if any(abs(int(n.p)).bit_length() + int(n.q).bit_length() > 4 * LONGEST_SIMPLE for n in end.atoms(Rational)):
        return False  # a number of a million digits takes minutes to write
    return len(to_text(end)) <= LONGEST_SIMPLE


def _inward(end: Expr, inward: int) -> Rational:
    """A simple number a little further on."""
    exact = end if end.is_Rational else Rational(str(end.evalf(20)))
    further = exact + inward * max(abs(exact), ROUNDING) * ROUNDING
    return simplest_between(*sorted(((99 * exact + further) / 100, further)))


# --- a constant -----------------------------------------------------------------------------------


def _added_factor(goal: Goal, budget: float) -> Iterator[Repair]:
    """The least factor of the larger side with which the claim holds."""
    r = goal.relation
    c = fresh("c", goal.taken)
    eased = Relation(r.left, r.op, variable(c) * r.right)
    if goal.claim != r:  # as it was written
        eased = eased.mirrored
    for value, weakest in _values_near(goal, eased, c, ONE, budget):
        proof = _proved(goal.claiming(eased.substitute({c: value})), budget)
        if proof is not None:
            yield Repair(ADDED_FACTOR, f"{value} times the larger side", proof, weakest)


def _other_constants(goal: Goal, budget: float) -> Iterator[Repair]:
    """Each of some constants, changed as little as will do."""
    c = fresh("c", goal.taken)
    claim = goal.claim
    if not isinstance(claim, Relation):
        return
    places = [(Relation(t, claim.op, claim.right), n) for t, n in _with_a_hole(claim.left, variable(c))]
    places += [(Relation(claim.left, claim.op, t), n) for t, n in _with_a_hole(claim.right, variable(c))]
    larger_last = places if claim.op in ("<=", "<") else places[::-1]
    for eased, old in larger_last[::-1][:MOST_CONSTANTS]:
        for value, weakest in _values_near(goal, eased, c, old, budget):
            proof = _proved(goal.claiming(eased.substitute({c: value})), budget)
            if proof is not None:
                yield Repair(OTHER_CONSTANT, f"{value} instead of {old}", proof, weakest)


def _with_a_hole(term: Term, hole: Term) -> Iterator[tuple[Term, Term]]:
    """The term with one of its numbers replaced, and that number; exponents are left alone."""
    if term.head == "number":
        yield hole, term
        return
    for i, a in enumerate(term.args[:1] if term.head == "^" else term.args):
        for changed, old in _with_a_hole(a, hole):
            yield rebuild(term, (*term.args[:i], changed, *term.args[i + 1:])), old


def _values_near(goal: Goal, eased: Relation, c: str, old: Term, budget: float) -> Iterator[tuple[Term, bool]]:
    """The value next to the old one with which the claim is proved, and whether nearer ones are proved to fail."""
    sign = [Relation(ZERO, "<", variable(c))] if old.value > 0 else []
    try:
        general = Goal((*goal.sorts, (c, REAL)), (*goal.hypotheses, *sign), eased, goal.families)
        relation, domain = view_of(general)
        found = sharpest_of(relation, domain, symbol(c), formal=general, budget=budget * FOR_THRESHOLDS)
    except (NoThreshold, NotDefined, DomainError, NotATerm, IllFormed, ArithmeticError):
        return
    near = Rational(int(old.value.p), int(old.value.q))
    choices = [v for i in found.intervals(True) if (v := _nearest(i, near)) is not None]
    if choices:
        value = min(choices, key=lambda v: abs(v - near))
        yield _written(value), found.certain and _is_an_end(value, found)


def _nearest(interval: Interval, near: Rational) -> Expr | None:
    """The simplest value of an interval that is next to a number outside of it."""
    below = bool(interval.lower > near)
    end, is_open = (interval.lower, interval.lower_open) if below else (interval.upper, interval.upper_open)
    if end in (oo, -oo):
        return None
    if not is_open and _is_simple(end):
        return end
    value = _inward(end, 1 if below else -1)
    return value if interval.contains(value) else None


def _is_an_end(value: Expr, found: Sharpest) -> bool:
    return any(value in (i.lower, i.upper) for i in found.intervals(True))


def _written(value: Expr) -> Term:
    return number(fmpq(int(value.p), int(value.q))) if value.is_Rational else term_of(value)


def _proved(repaired: Goal, budget: float) -> Proof | None:
    try:
        relation, domain = view_of(repaired)
        verdict = decide_relation(relation, domain, formal=repaired, budget=budget)
    except (NotDefined, DomainError, NotATerm, IllFormed, ArithmeticError):
        return None
    return verdict.formal if isinstance(verdict.formal, Proof) else None
