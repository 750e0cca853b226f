r"""Whether a proved claim can be sharper: each hypothesis dropped, each constant made a little better.

Every question is itself a claim, the given one with one thing changed, and goes to the same settlers. If
the changed claim is refuted, the hypothesis is needed, or the constant best up to the change; if it is
proved, the claim can be sharper.

>>> from symdp.sources.registry import claim
>>> print(sharpness(claim("kov/sec-7.alon-spencer")))
kov/sec-7.alon-spencer: nothing to gain
  without p >= 0: not needed
  without p <= 1: not needed
  the right side times 999/1000: best, it fails at p = 0, x = 0
  the term x^2/2 of the exponent times 999/1000: best, it fails at p = 1/2, x = 1/91
  equality: attained, at p = 0, x = 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from operator import itemgetter
from typing import Any

from sympy import Add, Expr, Integer, Rational, Sum, Symbol, cosh, exp

from symdp.arguments.guarantees.findings import Violation, violate
from symdp.arguments.guarantees.search import decide_guarantee
from symdp.audit.settling.dispatch import settle
from symdp.formulas.notation import delta, eps, k, symbol
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Relation, ge, gt, le
from symdp.kernel.proof import Rejected
from symdp.numbers.domain import Domain, DomainError, Interval, bounds_one_variable, without_end
from symdp.numbers.ranges import Undefined, Unsupported
from symdp.numbers.simple_rationals import diagonal
from symdp.search.deadline import TimeIsUp, clock, hard_deadline, is_past
from symdp.search.prove import NotDefined, decide_relation
from symdp.search.tactics.refutation import find_witness
from symdp.search.verdict import Status, Verdict
from symdp.search.view.goals import Counterexample, Target, describe_point, range_on
from symdp.search.view.identity import TooLarge
from symdp.sources.statement import Claim, Comparison, Guarantee, Inequality
from symdp.sources.subject import (
    AnyPrivate,
    AnySequence,
    delta_sum,
    loss_sum,
    mean_sum,
    square_sum,
    survival,
    variance_sum,
)

#: Seconds for one question.
DEFAULT_BUDGET = 3.0
#: The changes of a constant, the smallest first; the later ones are for what the first leaves open.
CHANGES = (Rational(1, 1000), Rational(1, 100), Rational(1, 10))


class Necessity(StrEnum):
    """What became of the claim with one thing changed."""

    NEEDED = "needed"
    WITHOUT_MEANING = "needed for the formula to have a value"
    BEST = "best"
    IMPLIED = "follows from the other conditions"
    NOT_NEEDED = "not needed"
    BETTER = "can be better"
    OPEN = "open"


class Topic(StrEnum):
    """What was changed. The last three change little that a theorem is read for."""

    CONDITION = "condition"
    CONSTANT = "constant"
    NATURE = "nature"
    END = "end"
    WHOLE = "whole"


@dataclass(frozen=True)
class Answer:
    """One change, and what the settlers say about the claim with it."""

    change: str
    topic: Topic
    finding: Necessity
    verdict: Verdict

    @property
    def is_gain(self) -> bool:
        """The changed claim is proved, and says more than that an end is closed or a sign free."""
        slight = self.topic in (Topic.NATURE, Topic.END, Topic.WHOLE)
        return not slight and self.finding in (Necessity.NOT_NEEDED, Necessity.BETTER)

    def __str__(self) -> str:
        return f"{self.change}: {self.finding.value}{_place(self.verdict)}"


@dataclass(frozen=True)
class Sharpness:
    """All answers about one claim, and whether its two sides ever meet."""

    claim: Claim
    answers: tuple[Answer, ...]
    #: "always", "attained", "never" or "open"; empty for a guarantee
    equality: str = ""
    meeting: str = ""

    @property
    def gains(self) -> tuple[Answer, ...]:
        return tuple(a for a in self.answers if a.is_gain)

    @property
    def open(self) -> tuple[Answer, ...]:
        return tuple(a for a in self.answers if a.finding is Necessity.OPEN)

    @property
    def summary(self) -> str:
        if self.equality == "always" and _relation(self.claim).op != "==":
            return "both sides are always equal"
        if self.gains:
            return f"can be sharper in {len(self.gains)} of {len(self.answers)} questions"
        asked = [a for a in self.open if a.topic in (Topic.CONDITION, Topic.CONSTANT)]
        return f"{len(asked)} of {len(self.answers)} questions open" if asked else "nothing to gain"

    @property
    def is_best(self) -> bool:
        """Every condition is seen to be needed and every constant to be best."""
        return self.summary == "nothing to gain"

    def as_json(self) -> dict[str, Any]:
        answers = [{"change": a.change, "topic": a.topic.value, "finding": a.finding.value,
                    "gain": a.is_gain, "text": str(a)} for a in self.answers]
        return {"id": self.claim.id, "summary": self.summary, "best": self.is_best,
                "equality": self.equality, "answers": answers}

    def __str__(self) -> str:
        rows = [f"{self.claim.id}: {self.summary}", *(f"  {a}" for a in self.answers)]
        if self.equality:
            rows.append(f"  equality: {self.equality}{self.meeting}")
        return "\n".join(rows)


def sharpness(claim: Claim, *, budget: float = DEFAULT_BUDGET) -> Sharpness:
    """Ask about every hypothesis and every constant of a claim; it is taken to be proved."""
    if not isinstance(claim, Inequality | Comparison | Guarantee):
        raise TypeError(f"{claim.id} is a claim of kind {claim.kind}; it has no constant to better")
    claim = replace(claim, derivation=None, examples=())
    answers = [*_hypotheses(claim, budget), *_constants(claim, budget)]
    if isinstance(claim, Guarantee):
        return Sharpness(claim, tuple(answers))
    return Sharpness(claim, tuple(answers), *_equality(claim, budget))


def _settled(claim: Claim, budget: float) -> Verdict:
    """The verdict on a changed claim; undecided where it cannot even be posed."""
    if not isinstance(claim, Guarantee) and any(side.has(Sum) for side in _sides(claim)):
        return Verdict(Status.UNDECIDED, "sums of symbolic length are for a derivation to show")
    try:
        if isinstance(claim, Guarantee):
            return decide_guarantee(claim, budget=budget)
        if claim.limit_at is not None:
            return settle(claim, budget=budget)
        return decide_relation(_relation(claim), claim.domain, budget=budget)
    except (Rejected, Unsupported, TooLarge, DomainError, TypeError, ArithmeticError) as reason:
        return Verdict(Status.UNDECIDED, str(reason))


def _sides(claim: Claim) -> tuple[Expr, Expr]:
    relation = _relation(claim)
    return relation.left, relation.right


def _relation(claim: Claim) -> Relation:
    if not isinstance(claim, Inequality | Comparison):
        raise TypeError(f"{claim.id} is no relation")
    return claim.relation


def _place(verdict: Verdict) -> str:
    """The point at which the changed claim fails, or what stands in the way."""
    if isinstance(verdict.witness, Counterexample):
        return f", it fails at {describe_point(verdict.witness.point)}"
    if isinstance(verdict.witness, Violation):
        return f", {verdict.witness.place()}"
    return f", {verdict.method}" if verdict.method and not verdict.proof else ""


# --- hypotheses --------------------------------------------------------------------------------------


def _hypotheses(claim: Claim, budget: float) -> Iterator[Answer]:
    for relation in claim.domain.relations():
        bound = bounds_one_variable(relation)
        if bound is None:
            yield _without(claim, relation, Topic.CONDITION, budget)
        elif bound[0] in claim.domain.integers and relation.op == ">=" and relation.right >= 0:
            if relation.right > 1:  # what counts begins at 1
                yield _with(claim, relation, ge(bound[0], 1), Topic.CONDITION, budget)
        elif not _is_natural(claim, *bound):
            yield _without(claim, relation, Topic.CONDITION, budget)
        elif not isinstance(claim, Guarantee):  # without it there may be no mechanism to speak of
            answer = _without(claim, relation, Topic.NATURE, budget)
            yield answer
            if relation.strict and answer.finding is not Necessity.NOT_NEEDED:
                closed = Relation(relation.left, "<=" if relation.op == "<" else ">=", relation.right)
                yield _with(claim, relation, closed, Topic.END, budget)
    if not isinstance(claim, Guarantee):
        for v in sorted(claim.domain.integers, key=str):
            yield _over_the_reals(claim, v, budget)


def _is_natural(claim: Claim, v: Symbol, interval: Interval) -> bool:
    """Whether a bound only says what kind of quantity it is: the statement does, where it introduces the variable."""
    space = claim.variables.get(v)
    return space is not None and interval.covers(Interval(space.interval.lower, space.interval.upper, True, True))


def _without(claim: Claim, relation: Relation, topic: Topic, budget: float) -> Answer:
    kept = [r for r in claim.domain.relations() if r != relation]
    answer = _on_domain(claim, kept, claim.domain.integers, f"without {relation}", topic, budget)
    if answer.finding is Necessity.NOT_NEEDED and topic is Topic.CONDITION and claim.domain.conditions:
        wider = Domain.of(kept, claim.domain.integers, claim.domain.variables)
        try:
            if decide_relation(relation, wider, budget=1.0).status is Status.PROVED:
                return replace(answer, finding=Necessity.IMPLIED)
        except NotDefined:
            pass
    return answer


def _with(claim: Claim, relation: Relation, other: Relation, topic: Topic, budget: float) -> Answer:
    kept = [other if r == relation else r for r in claim.domain.relations()]
    return _on_domain(claim, kept, claim.domain.integers, f"{other} instead of {relation}", topic, budget)


def _over_the_reals(claim: Claim, v: Symbol, budget: float) -> Answer:
    rest = claim.domain.integers - {v}
    bounds = list(claim.domain.relations())
    return _on_domain(claim, bounds, rest, f"{v} not an integer", Topic.WHOLE, budget)


def _on_domain(
    claim: Claim, relations: list[Relation], integers: frozenset[Symbol], change: str, topic: Topic,
    budget: float,
) -> Answer:
    try:
        wider = Domain.of(relations, integers, claim.domain.variables)
        end = claim.limit_at  # beyond the end it is read as a formula, not as a limit
        if end is not None and wider.intervals[end.left] != claim.domain.intervals[end.left]:
            claim = replace(claim, limit_at=None)
        verdict = _settled(replace(claim, domain=wider), budget)
    except NotDefined as reason:
        return Answer(change, topic, Necessity.WITHOUT_MEANING, Verdict(Status.UNDECIDED, str(reason)))
    except DomainError as reason:
        return Answer(change, topic, Necessity.OPEN, Verdict(Status.UNDECIDED, str(reason)))
    found = {Status.PROVED: Necessity.NOT_NEEDED, Status.REFUTED: Necessity.NEEDED}
    return Answer(change, topic, found.get(verdict.status, Necessity.OPEN), verdict)


# --- constants ---------------------------------------------------------------------------------------


def _constants(claim: Claim, budget: float) -> Iterator[Answer]:
    for name, better in _places(claim):
        yield _bettered(claim, name, better, budget)


def _bettered(claim: Claim, name: str, better: Callable[[Rational], Claim], budget: float) -> Answer:
    """The smallest change that is settled; a proof of it shows that there is something to gain."""
    first, *later = CHANGES
    found = {Status.PROVED: Necessity.BETTER, Status.REFUTED: Necessity.BEST}
    try:
        verdict = _failing(better(first), budget) or _settled(better(first), budget)
    except NotDefined as reason:
        verdict = Verdict(Status.UNDECIDED, str(reason))
    if verdict.status in found:
        return Answer(f"{name} times {1 - first}", Topic.CONSTANT, found[verdict.status], verdict)
    for change in later:  # a larger change is not proved where a smaller one was not, but may fail
        failing = _failing(better(change), budget)
        if failing is not None:
            return Answer(f"{name} times {1 - change}", Topic.CONSTANT, Necessity.BEST, failing)
    return Answer(f"{name} times {1 - first}", Topic.CONSTANT, Necessity.OPEN, verdict)


def _failing(claim: Claim, budget: float) -> Verdict | None:
    """A point at which a claim fails, looked for where bounds are tight: far out, and next to ends."""
    if not isinstance(claim, Guarantee):
        if any(side.has(Sum) for side in _sides(claim)):
            return None
        try:
            witness = find_witness(Target.of(_relation(claim), _inside(claim)))
        except (Undefined, Unsupported, Rejected, TooLarge, TypeError, ValueError, ArithmeticError):
            return None
        return None if witness is None else Verdict(
            Status.REFUTED, f"it fails at {describe_point(witness.point)}", witness=witness)
    guarantee, deadline = _of_equals(claim), clock() + budget
    for point in corners(guarantee.domain):
        if is_past(deadline):
            break
        try:
            with hard_deadline(1.0):
                violation = violate(guarantee, point)
        except (Rejected, TimeIsUp):
            continue
        return Verdict(Status.REFUTED, _corner(violation), witness=violation)
    return None


def _of_equals(claim: Guarantee) -> Guarantee:
    """A guarantee about sequences, read for k equal mechanisms: it fails if that one does."""
    if not isinstance(claim.subject, AnySequence):
        return claim
    pure = claim.subject.pure
    leak = Integer(0) if pure else delta
    sums = {loss_sum: k * eps, mean_sum: k * eps * (exp(eps) - 1) / (exp(eps) + 1),
            square_sum: k * eps**2, variance_sum: k * eps**2 / cosh(eps / 2) ** 2, delta_sum: k * leak,
            survival: (1 - leak) ** k}
    taken = claim.domain.intervals.keys() & {eps, k, delta}
    if taken:  # the claim means something else by these names
        other = {v: symbol(f"{v}_total") for v in taken}
        conditions = [r.subs(other) for r in claim.domain.relations()]
        claim = replace(claim, epsilon=claim.epsilon.subs(other), delta=claim.delta.subs(other),
                        domain=Domain.of(conditions, (), other.values()))
    rest = [r.subs(sums) for r in claim.domain.relations()]
    usual = [gt(eps, 0), ge(k, 1), *([] if pure else [ge(delta, 0), le(delta, 1)])]
    kept = {v for r in rest for v in r.symbols}
    return replace(claim, subject=AnyPrivate(eps, leak), fold=k, epsilon=claim.epsilon.subs(sums),
                   delta=claim.delta.subs(sums), domain=Domain.of([*rest, *usual], [k], kept))


def _corner(violation: Violation) -> str:
    point = ", ".join(f"{v} = {_short(value)}" for v, value in violation.point.items())
    return f"it fails at {point}"


def _short(value: Expr) -> str:
    return str(value) if len(str(value)) < 20 else f"{float(value):.0e}" if value > 1e-300 else (
        f"10^-{len(str(value.q)) - len(str(value.p))}")


def corners(domain: Domain) -> Iterator[dict[Symbol, Rational]]:
    """Points far out in a domain and next to its ends, where the bounds of composition are nearly attained.

    >>> from symdp.formulas.parsing import parse_conditions
    >>> next(corners(Domain.of(parse_conditions("eps > 0"))))
    {eps: 1}
    """
    tiny, small = Rational(1, 10**800), Rational(1, 10**6)
    whole = [Integer(n) for n in (1, 10**6, 10**4, 100, 2)]
    unit = [Integer(0), tiny, small, Rational(1, 2), 1 - small, Integer(1), 1 - Rational(1, 10**12)]
    ray = [Rational(n) for n in ("1", "1/10000", "1/100", "100", "100000", "10")] + [tiny, 1 - small]
    choices = []
    for v, interval in domain.intervals.items():
        usual = whole if v in domain.integers else unit if interval.upper == 1 else ray
        ends = [end for end in (interval.lower, interval.upper) if end.is_Rational]
        ends += [end - small * end for end in (interval.upper,) if end.is_Rational]
        choices.append([u for u in dict.fromkeys([*usual, *ends]) if interval.contains(u)])
    for values in diagonal(choices):
        yield dict(zip(domain.variables, values, strict=True))


Factor = Callable[[Expr], Expr]


def _places(claim: Claim) -> Iterator[tuple[str, Callable[[Rational], Claim]]]:
    """The constants of a claim: of a whole side or parameter, and of each of its terms."""
    if isinstance(claim, Guarantee):
        for part in ("epsilon", "delta"):
            for name, at in _factors(getattr(claim, part), claim.domain):
                yield f"the term {name} of {part}" if name else part, partial(_promising, claim, part, at)
        return
    relation = _relation(claim)
    if relation.op == "==" or relation.left.is_zero or relation.right.is_zero:
        return  # a sign has no constant
    side = "right" if relation.op in ("<", "<=") else "left"
    whole = getattr(relation, side)
    for name, at in _factors(whole, _inside(claim)):
        words = f"the term {name} of the {side} side" if name else f"the {side} side"
        yield words, partial(_bounding, claim, side, at)
    if isinstance(whole, exp):
        for name, at in filter(itemgetter(0), _factors(whole.exp, claim.domain)):
            yield f"the term {name} of the exponent", partial(_bounding, claim, side, partial(_raised, at))


def _promising(claim: Guarantee, part: str, at: Factor, change: Rational) -> Claim:
    better: Any = {part: at(1 - change)}
    return replace(claim, **better)


def _bounding(claim: Claim, side: str, at: Factor, change: Rational) -> Claim:
    better: Any = {side: at(1 - change)}
    return _related(claim, replace(_relation(claim), **better))


def _related(claim: Claim, relation: Relation) -> Claim:
    return replace(claim, relation=relation)  # type: ignore[call-arg]


def _raised(at: Factor, factor: Expr) -> Expr:
    return exp(at(factor))


def _inside(claim: Claim) -> Domain:
    """The domain without an end at which a formula is read as a limit."""
    if claim.limit_at is None:
        return claim.domain
    return without_end(claim.domain, claim.limit_at.left, claim.limit_at.right)


def _factors(whole: Expr, domain: Domain) -> Iterator[tuple[str, Factor]]:
    """The expression with a factor, if it is never negative; then each such term of a sum."""
    if whole.is_zero:
        return
    if _is_nonnegative(whole, domain):
        yield "", partial(_scaled, (whole,), 0)
    terms = Add.make_args(whole)
    if len(terms) > 1:
        for i, term in enumerate(terms):
            if term.free_symbols and _is_nonnegative(term, domain):
                yield to_text(term), partial(_scaled, terms, i)


def _scaled(terms: tuple[Expr, ...], place: int, factor: Expr) -> Expr:
    return Add(*(factor * t if i == place else t for i, t in enumerate(terms)))


def _is_nonnegative(expr: Expr, domain: Domain) -> bool:
    if not expr.free_symbols <= set(domain.variables):
        return bool(expr.free_symbols) and not expr.could_extract_minus_sign()  # sums of a sequence
    try:
        if range_on(expr, domain).lo >= 0:
            return True
        return decide_relation(Relation(expr, ">=", Integer(0)), domain, budget=1.0).status is Status.PROVED
    except (Undefined, Unsupported, NotDefined, Rejected, TooLarge):
        return not expr.could_extract_minus_sign()


# --- equality ----------------------------------------------------------------------------------------


def _equality(claim: Claim, budget: float) -> tuple[str, str]:
    """Whether both sides meet always, somewhere or never."""
    relation = _relation(claim)
    if relation.op == "==":
        return "always", ""
    try:
        same = _settled(_related(claim, replace(relation, op="==")), budget)
        if same.status is Status.PROVED:
            return "always", ""
        if relation.strict:
            return "never", ""
        strictly = replace(relation, op="<" if relation.op == "<=" else ">")
        apart = _settled(_related(claim, strictly), budget)
    except NotDefined:
        return "open", ""
    if isinstance(apart.witness, Counterexample):
        return "attained", f", at {describe_point(apart.witness.point)}"
    return ("never" if apart.status is Status.PROVED else "open"), ""
