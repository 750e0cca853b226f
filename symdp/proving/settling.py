r"""Settle a claim: refute it, prove it, or say honestly that the search ended.

>>> verdict = check("p*exp(x)+(1-p)*exp(-x) <= (2*p-1)*x + x^2/2", where=["1/2 <= p <= 1"])
>>> verdict.status.value, verdict.witness.point
('refuted', {p: 1, x: 0})
>>> check("log(x) <= x")
Traceback (most recent call last):
...
symdp.proving.settling.NotDefined: log(x) is not defined at x = 0, a point of the domain
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from ctypes import ArgumentError
from dataclasses import replace
from itertools import islice

from sympy import Expr, Integer, Pow, Symbol, default_sort_key, floor, log

from symdp.domain import Domain, Interval, simple_points
from symdp.insertion import Overgrown, put
from symdp.parsing import parse_conditions, parse_definition, parse_name, parse_relation, to_text
from symdp.proving.deadline import TimeIsUp, clock, hard_deadline
from symdp.proving.enclosure import Undefined, Unsupported
from symdp.proving.explanation import summary
from symdp.proving.identity import TooLarge
from symdp.proving.kernel import (
    DEFAULT_BITS,
    Goal,
    Rejected,
    describe_point,
    range_on,
    verify,
)
from symdp.proving.tactics.refutation import find_witness
from symdp.proving.tactics.samples import blindfold, points_of, signs
from symdp.proving.tactics.search import Search
from symdp.proving.verdict import Status, Verdict
from symdp.relation import Relation
from symdp.simplest import diagonal

DEFAULT_BUDGET = 10.0
#: How much of the budget goes to the search for rewrites; the rest is for branch and bound.
SEARCH_SHARE = 0.8
#: In one variable, boxes with calculus on them are worth more.
SEARCH_SHARE_IN_ONE = 0.5


class NotDefined(ValueError):
    """A side of the claim has no real value at a point of its domain."""


def check(
    claim: str | Relation,
    where: Iterable[str | Relation] = (),
    *,
    let: Iterable[str] = (),
    integer: Iterable[str | Symbol] = (),
    budget: float = DEFAULT_BUDGET,
    bits: int = DEFAULT_BITS,
) -> Verdict:
    """Settle a claim of one's own.

    >>> check("m <= 1", where=["0 <= eps <= 2"], let=["m = eps/2"]).status.value
    'proved'
    """
    relation, domain = pose(claim, where, let=let, integer=integer)
    return settle_relation(relation, domain, budget=budget, bits=bits)


def pose(
    claim: str | Relation,
    where: Iterable[str | Relation] = (),
    *,
    let: Iterable[str] = (),
    integer: Iterable[str | Symbol] = (),
) -> tuple[Relation, Domain]:
    """The relation and the domain that a user's texts stand for."""
    relation = parse_relation(claim) if isinstance(claim, str) else claim
    conditions: list[Relation] = []
    for text in where:
        conditions.extend(parse_conditions(text) if isinstance(text, str) else [text])
    # Later definitions may use earlier ones, so they are inserted from the last to the first.
    for name, meaning in reversed([parse_definition(text) for text in let]):
        if name in meaning.free_symbols:
            raise ValueError(f"{name} is defined by itself")
        relation = relation.subs({name: meaning})
        conditions = [c.subs({name: meaning}) for c in conditions]
    integers = [parse_name(v) if isinstance(v, str) else v for v in integer]
    return relation, Domain.of(conditions, integers, relation.symbols)


def settle_relation(
    relation: Relation,
    domain: Domain,
    *,
    budget: float = DEFAULT_BUDGET,
    bits: int = DEFAULT_BITS,
    may_refute: bool = True,
    blind: bool = False,
) -> Verdict:
    """Refute first, then prove. ``may_refute=False`` leaves the kernel alone with the claim: no
    witness is sought, and no goal is dropped because of a sample. ``blind`` goes further: samples
    do not even choose between moves, so that every rule is tried."""
    start = clock()
    goal = Goal.of(relation, domain)
    share = SEARCH_SHARE if len(goal.gap.free_symbols) > 1 else SEARCH_SHARE_IN_ONE
    search = Search(deadline=start + budget * share, bits=bits, prune=may_refute)
    try:
        # SymPy does not look at the clock; beyond some grace it is interrupted.
        with hard_deadline(budget * 1.1 + 0.5), blindfold() if blind else nullcontext():
            verdict = _settle(goal, search, start + budget, may_refute, relation.needs)
    except (TimeIsUp, ArgumentError):  # ctypes, under z3, turns the former into the latter
        verdict = Verdict(Status.UNDECIDED, "the time was up", boxes=search.boxes)
    except (MemoryError, RecursionError):
        verdict = Verdict(Status.UNDECIDED, "the expression grew too large", boxes=search.boxes)
    return replace(verdict, seconds=clock() - start)


def _settle(
    goal: Goal, search: Search, deadline: float, may_refute: bool, needs: Sequence[Expr]
) -> Verdict:
    refuse_undefined(goal, needs)
    step = search.at_once(goal)
    if step is None and may_refute and (witness := find_witness(goal)) is not None:
        point = describe_point(witness.point)
        return Verdict(Status.REFUTED, f"it fails at {point}", witness=witness)
    if step is None:
        step = search.run(goal)
    boxes, reason = search.boxes, "no proof was found"
    if step is None and goal.op != "==":
        outcome = search.by_boxes(goal, deadline)
        step, boxes = outcome.step, search.boxes
        if outcome.stuck is not None:
            reason = f"{outcome.reason}; {outcome.proved_part()}, stuck on {outcome.stuck}"
    if step is None:
        return Verdict(Status.UNDECIDED, reason, boxes=boxes)
    search.deadline = max(search.deadline, clock() + 1)
    step = search.relieved(goal, step)
    for part in needs:
        if not _is_defined(part, goal.domain):
            reason = f"it was not seen that {to_text(part)}, which was cancelled, is defined"
            return Verdict(Status.UNDECIDED, reason, boxes=boxes)
    try:
        proof = verify(goal, step)
    except Rejected as rejection:
        return Verdict(Status.UNDECIDED, f"the kernel rejected it: {rejection}", boxes=boxes)
    return Verdict(Status.PROVED, summary(step), proof=proof, boxes=boxes)


def _is_defined(part: Expr, domain: Domain) -> bool:
    try:
        range_on(part, domain)
    except (Undefined, Unsupported):
        return False
    return True


def refuse_undefined(goal: Goal, needs: Sequence[Expr] = ()) -> None:
    """Raise if a side is certainly undefined at one of some simple points of the domain, or between
    two of them."""
    if all(_is_defined(side, goal.domain) for side in (goal.left, goal.right, *needs)):
        return
    variables = goal.domain.variables
    choices = [simple_points(goal.domain.intervals[v], v in goal.domain.integers)
               for v in variables]
    for values in islice(diagonal(choices), 300):
        point: Mapping[Symbol, Expr] = dict(zip(variables, values, strict=True))
        at = Domain({v: Interval(u, u) for v, u in point.items()}, goal.domain.integers)
        for side in (goal.left, goal.right, *needs):
            try:
                range_on(side, at, bits=128)
            except Undefined as reason:
                certain = reason.certain or _is_outside(reason.part, point)
                if certain and goal.domain.contains(point):
                    raise NotDefined(
                        f"{to_text(reason.part)} is not defined at {describe_point(point)}, "
                        "a point of the domain"
                    ) from None
            except (Unsupported, TooLarge) as reason:
                raise NotDefined(str(reason)) from None
    for side in (goal.left, goal.right, *needs):
        refuse_pole(side, goal.domain)


def _is_outside(part: Expr, point: Mapping[Symbol, Expr]) -> bool:
    """Whether exact arithmetic shows that a power or logarithm is undefined at a rational point."""
    try:
        inside = put(part.args[0], point)
        exponent = put(part.exp, point) if part.is_Pow else Integer(0)
    except Overgrown:
        return False
    if not inside.is_Rational or not exponent.is_Rational or not (part.is_Pow or isinstance(part, log)):
        return False
    if isinstance(part, log):
        return bool(inside <= 0)
    return bool(exponent < 0 if inside == 0 else inside < 0 and not exponent.is_Integer)


def refuse_pole(side: Expr, domain: Domain) -> None:
    """Raise if a denominator has both signs on a box on which it is continuous: it vanishes between."""
    if domain.conditions or domain.integers & side.free_symbols:
        return
    for part in sorted(side.atoms(Pow), key=default_sort_key):
        if not (part.exp.is_Rational and part.exp < 0 and part.base.free_symbols):
            continue
        if part.base.has(floor) or not _is_defined(part.base, domain):
            continue
        known = zip(signs(part.base, domain), points_of(domain), strict=False)
        found = dict(reversed(list(known)))  # the first points are the simplest
        if 1 in found and -1 in found:
            one, other = (
                describe_point({
                    v: u for v, u in zip(domain.variables, found[s], strict=True)
                    if v in part.base.free_symbols
                })
                for s in (-1, 1)
            )
            raise NotDefined(
                f"{to_text(part)} is not defined between {one} and {other}, "
                f"where {to_text(part.base)} changes its sign"
            )
