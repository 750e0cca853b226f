r"""Settle a claim: refute it, prove it, or report that the search ended without an answer.

>>> verdict = check("p*exp(x)+(1-p)*exp(-x) <= (2*p-1)*x + x^2/2", where=["1/2 <= p <= 1"])
>>> verdict.status.value, verdict.witness.point
('refuted', {p: 1, x: 0})
>>> check("log(x) <= x")
Traceback (most recent call last):
...
symdp.search.prove.NotDefined: log(x) is not defined at x = 0, a point of the domain
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from ctypes import ArgumentError
from dataclasses import replace
from itertools import chain, islice
from time import process_time
from typing import Any, NamedTuple, TypeAlias

from flint import fmpq
from sympy import Basic, Expr, Symbol

from symdp.formulas.given import listed, relations_given
from symdp.formulas.insertion import DECIDED_BY_ROUNDING
from symdp.formulas.notation import symbol
from symdp.formulas.parsing import (
    Definition,
    parse_definition,
    parse_name,
)
from symdp.formulas.relation import Relation
from symdp.formulas.translation import NotATerm, expr_of, formula_of
from symdp.kernel.goals import Goal
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.terms import ZERO, Term, subterms
from symdp.kernel.values.enclosure import need_defined
from symdp.kernel.values.points import Point, holds_at, sign_at, value_at
from symdp.kernel.values.ranges import Undefined, Unsupported
from symdp.numbers.domain import Domain, goal_of, simple_points, sorts_of
from symdp.numbers.simple_rationals import diagonal
from symdp.search.deadline import TimeIsUp, clock, hard_deadline
from symdp.search.elaboration.derived_rules import followed
from symdp.search.elaboration.derived_rules import verify as prove_formal
from symdp.search.elaboration.goal_views import narrowed, view_of
from symdp.search.elaboration.steps import NotElaborated, forms_of, step_for
from symdp.search.explanation import summary
from symdp.search.memories import memory
from symdp.search.numbered_names import Naming
from symdp.search.reasons import Reason
from symdp.search.reductions.detour import Detour, Idea
from symdp.search.reductions.ideas import FITTING, IDEAS, LATER, PATIENT, WITHOUT_Z3
from symdp.search.tactics.proof_search import ProofSearch, rests_on_z3
from symdp.search.tactics.refutation import WitnessSearch, find_witness, has_sums, refute_at
from symdp.search.tactics.sample_points import blindfold, points_of
from symdp.search.verdict import Status, Verdict
from symdp.search.view.goals import (
    DEFAULT_BITS,
    Counterexample,
    Move,
    Sketch,
    Target,
    describe_point,
)

#: What may be given for a relation: text, ours or SymPy's; see :mod:`symdp.formulas.given`.
Claimed: TypeAlias = str | Relation | Basic
DEFAULT_BUDGET = 10.0
#: Of one claim; and nodes of a side of a relation, which a text of the greatest length cannot have.
MOST_CONDITIONS, LARGEST_FORMULA = 200, 20_000
#: How much of the budget goes to the search for rewrites; the rest is for branch and bound.
SEARCH_SHARE = 0.8
#: In one variable, boxes with calculus on them are worth more.
SEARCH_SHARE_IN_ONE = 0.5
#: How often a goal may be turned into others, and how much of the time is for each of those.
DEEPEST_REDUCTION, REDUCTION_SHARE, SURE_SHARE = 3, 0.5, 0.8
#: How much of its time the search has before the goal is turned into others by ideas that are not needed often; and
#: the seconds up to which it has all of it, since those ideas come to nothing in less; more of them in one variable.
FIRST_SHARE, FIRST_SECONDS, FIRST_SECONDS_IN_ONE = 0.4, 1.5, 4.0
#: The seconds that have to be left for such ideas in several variables.
PATIENCE = 5.0


class NotDefined(ValueError):
    """A side of the claim has no real value at a point of its domain."""


def check(
    claim: Claimed,
    where: Claimed | Iterable[Claimed] = (),
    *,
    let: str | Iterable[str] = (),
    integer: str | Symbol | Iterable[str | Symbol] = (),
    budget: float = DEFAULT_BUDGET,
    bits: int = DEFAULT_BITS,
) -> Verdict:
    """Settle a claim of one's own.

    ``claim`` is a text, a relation of SymPy's, or a Relation; ``where`` says where its variables live, one condition
    or a list of them; ``let`` gives names a meaning, and ``integer`` says which variables are integers. ``budget`` is
    in seconds, ``bits`` is the precision of the search.

    >>> check("m <= 1", where="eps in [0, 2]", let="m = eps/2").status.value
    'proved'
    >>> import sympy
    >>> x = sympy.Symbol("x", positive=True)
    >>> check(sympy.exp(x) > 1 + x).status.value
    'proved'
    """
    relation, domain, goal = pose(claim, where, let=let, integer=integer)
    return decide_relation(relation, domain, formal=goal, budget=budget, bits=bits)


class Posed(NamedTuple):
    """A user's claim: SymPy's view of it, and the formal goal that the texts write down."""

    relation: Relation
    domain: Domain
    goal: Goal


def pose(
    claim: Claimed,
    where: Claimed | Iterable[Claimed] = (),
    *,
    let: str | Iterable[str] = (),
    integer: str | Symbol | Iterable[str | Symbol] = (),
) -> Posed:
    """What a user's texts stand for."""
    assumed = listed(where)
    if len(assumed) > MOST_CONDITIONS:
        raise ValueError(f"more than {MOST_CONDITIONS} conditions")
    (relation,), of_symbols, whole = relations_given(claim)
    around = relations_given(*assumed, conditions=True)
    conditions = list(dict.fromkeys((*around.relations, *of_symbols, *around.conditions)))
    if len(conditions) > MOST_CONDITIONS:
        raise ValueError(f"more than {MOST_CONDITIONS} conditions")
    # Later definitions may use earlier ones, so they are inserted from the last to the first.
    definitions = [parse_definition(text) for text in listed(let)]
    for place, definition in enumerate(definitions):
        before = [d for d in definitions[:place]
                  if d.name == definition.name or str(definition.name) in d.term.variables]
        if before:
            raise ValueError(f"{definition.name} has a meaning already, in the definition of {before[0].name}")
    for definition in reversed(definitions):
        if str(definition.name) in definition.term.variables:
            raise ValueError(f"{definition.name} is defined by itself")
        relation = _with(definition, relation)
        conditions = [_with(definition, c) for c in conditions]
    integers = [parse_name(v) if isinstance(v, str) else symbol(v.name) for v in listed(integer)]
    integers += [v for v in map(symbol, (*whole, *around.integers)) if v not in integers]
    for definition in definitions:
        if definition.name in integers:
            raise ValueError(f"{definition.name} is defined, so that it cannot be declared an integer")
    written = [formula_of(r) for r in (relation, *conditions)]
    # SymPy may have cancelled a variable that the text has.
    variables = {symbol(v) for formula in written for v in formula.variables}
    domain = Domain.of(conditions, integers, variables)
    hypotheses = tuple(dict.fromkeys(written[1:]))
    return Posed(relation, domain, Goal(sorts_of(domain), hypotheses, written[0]))


def _with(definition: Definition, relation: Relation) -> Relation:
    """The relation with a name replaced by what it stands for, in the text and in SymPy's view of it."""
    name, meaning, term = definition
    if str(name) not in formula_of(relation).variables:
        return relation
    written = formula_of(relation).substitute({str(name): term})
    if max(written.left.size, written.right.size) > LARGEST_FORMULA:  # names that stand for names double it each time
        raise ValueError(f"with what {name} stands for, the formulas grow too large")
    view = relation.subs({name: meaning})  # refuses what would grow too large
    if relation.left.has(*DECIDED_BY_ROUNDING) or relation.right.has(*DECIDED_BY_ROUNDING):
        return Relation(expr_of(written.left), relation.op, expr_of(written.right), view.needs, written)
    return replace(view, written=written)


#: what was proved, however it was turned -> the step that shows it
_SHOWN = memory()
#: what was not settled -> the budget that was not enough, and what was said then
_MISSED = memory()
#: what was refuted, as it was written -> the verdict
_REFUTED = memory()


def _turned(relation: Relation, domain: Domain) -> Any:
    """The same for all ways to turn the relation and the conditions, and to order those."""
    def turned(r: Relation) -> tuple[Expr, str, Expr]:
        r = r.mirrored() if r.op in (">=", ">") else r
        return r.left, r.op, r.right

    return (turned(relation), frozenset(domain.intervals.items()), domain.integers,
            frozenset(map(turned, domain.conditions)), frozenset(map(turned, domain.facts)))


def decide_relation(
    relation: Relation,
    domain: Domain,
    *,
    formal: Goal | None = None,
    budget: float = DEFAULT_BUDGET,
    bits: int = DEFAULT_BITS,
    may_refute: bool = True,
    blind: bool = False,
    reductions: int = DEEPEST_REDUCTION,
) -> Verdict:
    """Refute first, then prove. ``may_refute=False`` leaves the kernel alone with the claim: no
    witness is sought, and no goal is dropped because of a sample. ``blind`` goes further: samples
    do not even choose between moves, so that every rule is tried. ``formal`` is the goal as it was
    written, where it is known; the verdict is about that one. ``reductions`` says how often the goal may be turned
    into others."""
    start, begun = clock(), process_time()
    asked = _turned(relation, domain), bits, may_refute, blind, reductions
    missed: tuple[float, Verdict] | None = _MISSED.get(asked)
    if missed is not None and budget <= missed[0]:
        return missed[1]
    try:
        target = goal_of(relation, domain) if formal is None else formal
    except NotATerm as reason:
        raise NotDefined(str(reason)) from None
    refuted: Verdict | None = _REFUTED.get((relation, domain, target, may_refute))
    if refuted is not None:
        return refuted
    naming = Naming.of(target)
    hidden = Posed(*(naming.hide(part) for part in (relation, domain, target)))
    goal = Target.of(hidden.relation, hidden.domain)
    share = SEARCH_SHARE if len(goal.gap.free_symbols) > 1 else SEARCH_SHARE_IN_ONE
    search = ProofSearch(deadline=start + budget * share, bits=bits, prune=may_refute)
    try:
        # SymPy does not look at the clock; beyond some grace it is interrupted.
        with hard_deadline(budget * 1.1 + 0.5), blindfold() if blind else nullcontext():
            known = naming.hide(_SHOWN.get(asked))
            way = _Way(start + budget, bits, may_refute, blind, reductions)
            found = _settle(goal, hidden, search, way, known)
            verdict = _in_words_of(naming, found, Posed(relation, domain, target))
            if found.step is not None and verdict.status is not Status.PROVED:
                # Where the kernel does not take this way, another one.
                other = _reduced(_ideas((*PATIENT, *LATER), hidden.goal, way), way)
                if other is not None:
                    found, verdict = other, _in_words_of(naming, other, Posed(relation, domain, target))
            if verdict and found.step is not None:
                _SHOWN[asked] = naming.show(found.step)
    except NotDefined as reason:
        raise NotDefined(naming.show(str(reason))) from None
    except (TimeIsUp, ArgumentError):  # ctypes, under z3, turns the former into the latter
        verdict = Verdict(Status.UNDECIDED, "the time was up")
    except (MemoryError, RecursionError):
        verdict = Verdict(Status.UNDECIDED, "the expression grew too large")
    verdict = replace(verdict, seconds=process_time() - begun, boxes=search.boxes)
    if verdict.status is Status.UNDECIDED:
        _MISSED[asked] = budget, verdict
    elif verdict.status is Status.REFUTED:
        _REFUTED[relation, domain, target, may_refute] = verdict
    return verdict


class _Found(NamedTuple):
    """What became of a goal whose names are hidden: at most one of a proposal and a point."""

    status: Status
    method: str
    step: Move | None = None
    #: the kernel's steps, the likeliest first
    formal: Iterable[Step] = ()
    point: Mapping[Symbol, Expr] | None = None


def _in_words_of(naming: Naming, found: _Found, question: Posed) -> Verdict:
    """The verdict on the goal as it was written."""
    goal, method = Target.of(question.relation, question.domain), naming.show(found.method)
    if found.point is not None:
        witness = refute_at(goal, naming.show(found.point), question.goal)
        return Verdict(Status.REFUTED, method, witness=witness)
    reason: Exception | None = None
    for step in found.formal:
        try:
            formal = prove_formal(question.goal, naming.show(step))
        except Rejected as why:
            reason = why
            continue
        if found.step is None:
            return Verdict(Status.PROVED, method, proof=formal)
        return Verdict(Status.PROVED, method, proof=Sketch(goal, naming.show(found.step), formal=formal))
    if reason is not None:
        return Verdict(Status.UNDECIDED, f"the kernel rejected it: {reason}")
    return Verdict(found.status, method)


class _Way(NamedTuple):
    """How a goal is to be settled, and those that it is turned into."""

    deadline: float
    bits: int
    may_refute: bool
    blind: bool
    reductions: int


def _settle(goal: Target, question: Posed, search: ProofSearch, way: _Way, known: Move | None) -> _Found:
    deadline, may_refute = way.deadline, way.may_refute
    refuse_undefined(question.goal, question.domain)
    if known is not None and (again := _elaborated(question, known)).status is Status.PROVED:
        return again
    if _plainly(question.goal):
        return _Found(Status.PROVED, summary(Move("enclosure")), formal=(Step("enclosure"),))
    if has_sums(question.goal):
        return _with_sums(goal, question, may_refute)
    refutation = WitnessSearch(goal, question.goal)
    step = search.at_once(goal)
    if step is None and may_refute and (witness := refutation.at_a_glance()) is not None:
        return _at(witness)
    # What a goal was turned into is seldom false where the goal itself was not: there, ideas come first.
    first = way.reductions == DEEPEST_REDUCTION
    if step is None and not first and (reduced := _reduced(_ideas(FITTING, question.goal, way), way)) is not None:
        return reduced
    step = step or search.run(goal, deepest=0)
    if step is None and may_refute and (witness := refutation.patiently()) is not None:
        return _at(witness)
    ideas = (*IDEAS, *FITTING) if first else IDEAS
    if step is None and (reduced := _reduced(_ideas(ideas, question.goal, way), way)) is not None:
        return reduced
    later = list(_ideas(LATER, question.goal, way)) if step is None else []
    in_one = len(goal.gap.free_symbols) == 1
    patient = PATIENT if first and (in_one or deadline - clock() >= PATIENCE) else ()
    if step is None and (later or patient):
        until, left = search.deadline, search.deadline - clock()
        at_least = FIRST_SECONDS_IN_ONE if first and in_one else FIRST_SECONDS
        search.deadline = clock() + min(left, max(left * FIRST_SHARE, at_least))
        step = search.run(goal)
        search.deadline = until
        if step is None and (reduced := _reduced(chain(_ideas(patient, question.goal, way), later), way)) is not None:
            return reduced
    step = step or search.run(goal)
    reason = "no proof was found"
    if step is None and goal.op != "==":
        outcome = search.by_boxes(goal, deadline)
        step = outcome.step
        if outcome.stuck is not None:
            reason = f"{outcome.reason}; {outcome.proved_part()}, stuck on {outcome.stuck}"
    if step is None:
        return _Found(Status.UNDECIDED, reason)
    search.deadline = max(search.deadline, clock() + 1)
    step = search.relieved(goal, step)
    if rests_on_z3(step):
        if (reduced := _reduced(_ideas(WITHOUT_Z3, question.goal, way), way)) is not None:
            return reduced
        search.deadline = max(deadline, clock() + 1)
        step = search.run_without_z3(goal) or step
    return _elaborated(question, step)


def _ideas(ideas: Iterable[Idea], goal: Goal, way: _Way) -> Iterator[Detour]:
    """What the goal may be turned into, as long as that is allowed."""
    for idea in ideas if way.reductions else ():
        yield from idea(goal)


def _reduced(reductions: Iterable[Detour], way: _Way) -> _Found | None:
    """A proof by way of other goals, each settled in the same way."""
    for reduction in reductions:
        steps: list[Step] = []
        for premise in reduction.premises:
            share = SURE_SHARE if reduction.sure else REDUCTION_SHARE
            step = _shown(premise, way._replace(
                deadline=clock() + (way.deadline - clock()) * share, reductions=way.reductions - 1))
            if step is None:
                break
            steps.append(step)
        else:
            return _Found(Status.PROVED, reduction.words, formal=(reduction.finish(steps),))
    return None


def _shown(goal: Goal, way: _Way) -> Step | None:
    """A step for a goal that another one was turned into, or None."""
    for step in (Step("assumption"), Step("enclosure"), Step("enclosure", {"gap": ZERO})):
        try:
            followed(goal, step)
        except (Rejected, ArithmeticError):
            continue
        return step
    try:
        narrow, weakened = narrowed(goal)
        relation, domain = view_of(narrow)
        verdict = decide_relation(
            relation, domain, formal=narrow, budget=way.deadline - clock(), bits=way.bits, may_refute=way.may_refute,
            blind=way.blind, reductions=way.reductions)
    except (Rejected, ArithmeticError, TypeError, ValueError):
        return None
    return weakened(verdict.formal.step) if isinstance(verdict.formal, Proof) else None


def _elaborated(question: Posed, step: Move) -> _Found:
    """What the search found, as steps of the kernel."""
    try:
        formal = step_for(question.goal, question.relation, question.domain, step)
    except Rejected as rejection:
        return _Found(Status.UNDECIDED, f"the kernel rejected it: {rejection}", step)
    except NotElaborated as why:
        return _Found(Status.SUPPORTED, f"only z3 or the search says so: {why}", step)
    return _Found(Status.PROVED, summary(step), step, forms_of(question.goal, formal))


def _at(witness: Counterexample) -> _Found:
    return _Found(Status.REFUTED, Reason.of("it fails at ", witness.point), point=witness.point)


def _with_sums(goal: Target, question: Posed, may_refute: bool) -> _Found:
    """Sums of a variable number of terms: the search has no moves for them, derivations do."""
    witness = find_witness(goal, question.goal) if may_refute else None
    if witness is not None:
        return _at(witness)
    return _Found(Status.UNDECIDED, "it has sums; write a derivation of it")


def _plainly(goal: Goal) -> bool:
    """Whether one enclosure of the goal as it was written is all it needs."""
    try:
        prove_formal(goal, Step("enclosure"))
    except Rejected:
        return False
    return True


def refuse_undefined(goal: Goal, domain: Domain) -> None:
    """Raise if a side, as written, is certainly undefined at one of some simple points of the domain, or
    between two of them."""
    sides = tuple(goal.claim.terms())
    if all(_is_defined(side, goal) for side in sides):
        return
    variables = domain.variables
    choices = [simple_points(domain.intervals[v], v in domain.integers) for v in variables]
    for values in islice(diagonal(choices), 300):
        point = dict(zip(variables, values, strict=True))
        at = Point.of(goal, {str(v): fmpq(int(e.p), int(e.q)) for v, e in point.items()})
        for side in sides:
            try:
                value_at(side, at, 128)
            except Undefined as reason:
                if reason.certain and all(holds_at(h, at) is True for h in goal.hypotheses):
                    raise NotDefined(f"{reason.part} is not defined at {describe_point(point)}, "
                                     "a point of the domain") from None
            except Unsupported as reason:
                raise NotDefined(str(reason)) from None
    for side in sides:
        refuse_pole(side, goal, domain)


def _is_defined(side: Term, goal: Goal) -> bool:
    try:
        need_defined([side], goal)
    except ArithmeticError:
        return False
    return True


def refuse_pole(side: Term, goal: Goal, domain: Domain) -> None:
    """Raise if a denominator has both signs on a box on which it is continuous: it vanishes between."""
    if domain.conditions:
        return
    whole = {str(v) for v in domain.integers}
    for part in subterms(side):
        if part.head != "/" or part.loose or part.args[1].is_closed:
            continue
        below = part.args[1]
        if below.variables & whole or not _is_continuous(below) or not _is_defined(below, goal):
            continue
        found: dict[int, dict[Symbol, Expr]] = {}
        for values in islice(points_of(domain), 200):
            point = dict(zip(domain.variables, values, strict=True))
            at = Point.of(goal, {str(v): fmpq(int(e.p), int(e.q)) for v, e in point.items()})
            found.setdefault(sign_at(below, at) or 0,
                             {v: e for v, e in point.items() if str(v) in below.variables})
            if 1 in found and -1 in found:
                raise NotDefined(
                    f"{part} is not defined between {describe_point(found[-1])} and "
                    f"{describe_point(found[1])}, where {below} changes its sign")


def _is_continuous(term: Term) -> bool:
    return not any(t.head in ("floor", "member", "sum", "product", "binomial") for t in subterms(term))
