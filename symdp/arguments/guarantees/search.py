r"""Settle a guarantee: look for a point at which it fails, then for a route that shows it.

Nothing here is trusted. A route is a rule of :mod:`symdp.kernel.rules.privacy`; the kernel says which goals it leaves
open, and verifies the steps that are found for them. A violation is the kernel's as well.

>>> from symdp.formulas.notation import delta, eps, k
>>> from symdp.formulas.parsing import parse_conditions
>>> from symdp.numbers.domain import Domain
>>> from symdp.sources.subject import AnyPrivate
>>> where = [r for text in ("eps > 0", "0 <= delta <= 1", "k >= 1") for r in parse_conditions(text)]
>>> domain = Domain.of(where, [k])
>>> decide_guarantee(Guarantee.of(AnyPrivate(eps, delta), k, k * eps, k * delta, domain)).status.value
'proved'
>>> verdict = decide_guarantee(Guarantee.of(AnyPrivate(eps, delta), k, k * eps / 2, k * delta, domain))
>>> verdict.status.value, verdict.witness.place()
('refuted', 'it fails at delta = 0, eps = 1, k = 1')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import inf
from time import process_time
from typing import Any

import sympy
from sympy import Expr, log, sqrt

from symdp.arguments.guarantees.bounds_of_moments import (
    positive_parts,
    show_bound,
    show_parts,
)
from symdp.arguments.guarantees.findings import Argument
from symdp.arguments.guarantees.kernel_goals import NotFormal, formal
from symdp.arguments.guarantees.loss_sizes import Sizes, in_the_mean, sizes_of
from symdp.arguments.guarantees.two_variances import by_tails
from symdp.arguments.guarantees.violations import (
    SHARE,
    find_violation,
)
from symdp.kernel.goals import REAL, Goal, IllFormed, Relation
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.rules.privacy import (
    AnyPrivate,
    Finite,
    Gaussian,
    Laplace,
    Private,
    Sequence,
    TwoVariances,
)
from symdp.kernel.terms import (
    ONE,
    ZERO,
    Term,
    number,
    variable,
)
from symdp.kernel.values.conditions import bounds_of, shown
from symdp.search.deadline import clock, is_past
from symdp.search.elaboration.derived_rules import RULES, verify
from symdp.search.elaboration.goal_views import narrowed, sums_in, view_of
from symdp.search.elaboration.reused_proofs import step_from
from symdp.search.elaboration.steps_for_goals import (
    FAILURES,
    at_once,
    seems_true,
    show,
    without_sums,
)
from symdp.search.memories import memory
from symdp.search.outcomes import beyond_a_cut
from symdp.search.prove import DEFAULT_BUDGET
from symdp.search.verdict import Status, Verdict
from symdp.sources.statement import Guarantee

#: Most routes that lead anywhere need little: so much work each part of one gets before all of them were looked at,
#: and so much of the budget that look; then the same with more.
LOOKS = ((0.5, 0.5), (2.0, 0.35))
#: The same where a derivation is tried next.
GLANCES = ((0.5, 0.2), (2.0, 0.35))
#: guarantees of which every route was looked at
_LOOKED = memory()


def decide_guarantee(
    guarantee: Guarantee, *, budget: float = DEFAULT_BUDGET, prove: bool = True, refute: bool = True,
    glance: bool = False,
) -> Verdict:
    """Refute first, then prove, or say where it got stuck; without one of them, the other alone.

    A ``glance`` ends where every route was looked at.
    """
    start, begun = clock(), process_time()
    try:
        goal = formal(guarantee)
    except NotFormal as reason:
        return Verdict(Status.UNDECIDED, str(reason))
    verdict = _settled(goal, start, budget, prove, refute, glance)
    return replace(verdict, seconds=process_time() - begun)


def _settled(goal: Goal, start: float, budget: float, prove: bool, refute: bool, glance: bool) -> Verdict:
    """The simplest points, a look at each route; then all points, and the routes for as long as there is time."""
    if refute and (found := find_violation(goal, start + SHARE * budget, simplest=True)) is not None:
        return Verdict(Status.REFUTED, found.where(), witness=found)
    begun, search, step = clock(), GuaranteeSearch(start + budget), None
    looks = () if not prove or goal in _LOOKED else GLANCES if glance else LOOKS
    for most, share in looks:
        search = GuaranteeSearch(clock() + share * budget, most=most)
        if (step := search.private(goal)) is not None:
            break
    if looks and step is None:
        _LOOKED[goal] = True
    if step is None and not glance:
        # what was looked at costs nothing of the time for a longer search
        search = GuaranteeSearch(start + budget + clock() - begun)
        if refute and (found := find_violation(goal, clock() + SHARE * budget)) is not None:
            return Verdict(Status.REFUTED, found.where(), witness=found)
        if not prove:
            return Verdict(Status.UNDECIDED, "no point was found at which it fails")
        step = search.private(goal)
    if step is None:
        reason = "the time was up; " if is_past(search.deadline) else ""
        return Verdict(Status.UNDECIDED, reason + search.missing, boxes=1)
    return Verdict(Status.PROVED, _method(step), proof=Argument(verify(goal, step)))


def support(goal: Goal, shown: Proof, budget: float = DEFAULT_BUDGET) -> Step:
    """A step for a guarantee from what a derivation shows of its worst case; Rejected if that is not enough.

    The worst case is the exact one of randomised responses, or the curve of the noise.
    """
    search = GuaranteeSearch(clock() + budget, shown)
    step = search.private(goal)
    if step is None:
        raise Rejected(search.missing)
    return step


_WORDS = {
    "certain": "delta is 1",
    "linear": "the losses add up",
    "moments": "the moments of the loss of randomised response",
    "concentrated": "the moments of the loss of randomised response, twice its mean for the variance",
    "tilted": "the moments of the loss of randomised response, with its own variance",
    "gaussian-moments": "the moments of the loss of Gaussian noise",
    "one-step": "the curve of the worst mechanism, taken once",
    "gaussian-curve": "the curve of Gaussian noise itself",
    "laplace-curve": "the curve of Laplace noise itself",
    "finite-laws": "the best sets of outcomes, either way",
    "two-variances": "the best sets for two variances, either way",
    "worst-case": "the worst case, as a sum over its outcomes",
}


def _method(step: Step) -> str:
    routes: list[tuple[str, int]] = []
    stack = [step]
    while stack:
        current = stack.pop()
        if current.rule in _WORDS:
            routes.append((_WORDS[current.rule], len(current.premises)))
        else:
            stack.extend(current.premises)
    words = list(dict.fromkeys(w for w, _ in routes))
    return f"{'; '.join(words)}; what is left is shown in {sum(n for _, n in routes)} parts"


@dataclass(frozen=True)
class Way:
    """A route and its parameters, perhaps for a smaller epsilon."""

    rule: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    enough: Term | None = None
    #: whether the smaller epsilon is Chernoff's, which leaves nothing but a comparison of two epsilons
    chernoff: bool = False


_OF_RESPONSES = ("moments", "concentrated", "tilted")
_MOMENTS = (*_OF_RESPONSES, "gaussian-moments")


class GuaranteeSearch:
    """Looks for a step that shows a guarantee, until the deadline; for each part of it with ``most`` work at most."""

    def __init__(self, deadline: float, given: Proof | None = None, most: float = inf) -> None:
        self.deadline, self.most = deadline, most
        #: what a derivation has shown of the worst case; then nothing else is looked for
        self.given = given
        self.missing = "no way was found to show it"
        self._known: dict[Goal, Step | None] = {}

    # --- the parts of the domain ---

    def private(self, goal: Goal) -> Step | None:
        """A step for a goal that claims a guarantee."""
        claim = goal.claim
        if not isinstance(claim, Private):
            raise IllFormed("the claim is no guarantee")
        for name, sort in goal.sorts:
            if sort == REAL and self._is_void_beyond_one(goal, name):
                relation = Relation(variable(name), "<=", ONE)
                below, _ = RULES["cases"](goal, {"relation": relation})
                inner = self.private(below)
                void = Step("void", {}, (Step("enclosure"),))
                return None if inner is None else Step("cases", {"relation": relation}, (inner, void))
        if claim.ends:
            try:
                (inside,) = RULES["opened"](goal, {})
            except FAILURES as reason:
                self.missing = str(reason)
                return None
            inner = self.private(inside)
            return None if inner is None else Step("opened", {}, (inner,))
        return self._by_routes(goal, claim)

    def _is_void_beyond_one(self, goal: Goal, name: str) -> bool:
        """Whether delta is at least 1 where that variable is, and the variable may be larger."""
        claim = goal.claim
        if not isinstance(claim, Private) or name not in claim.delta.variables:
            return False
        _, upper = bounds_of(goal, name)
        if upper is not None and not shown(Relation(ONE, "<", upper.right), goal):
            return False
        relation = Relation(variable(name), ">", ONE)
        return shown(Relation(ONE, "<=", claim.delta), goal.claiming(goal.claim, relation))

    # --- routes ---

    def _by_routes(self, goal: Goal, claim: Private) -> Step | None:
        for way in self._simple_ways(claim):
            found = self._attempt(goal, way)
            if found is not None:
                return found
        if isinstance(claim.subject, Laplace):
            *sensible, weaker = RULES["pure-noise"](goal, {})
            first = [self._show(g) for g in sensible]
            inner = None if None in first else self._by_routes(weaker, weaker.claim)  # type: ignore[arg-type]
            return None if inner is None else Step("pure-noise", {}, (*first, inner))  # type: ignore[arg-type]
        sizes = None if self.given is not None else sizes_of(claim, goal)
        if sizes is None:
            return None
        for rule in ("gaussian-moments",) if isinstance(claim.subject, Gaussian) else _OF_RESPONSES:
            named = in_the_mean(sizes, claim, goal) if rule == "concentrated" else None
            ways = [] if named is None else [
                Way("concentrated", {"share": named.term(share)}, named.term(named.epsilon))
                for share, union in _shares(named) if not union]
            ways += moment_ways(rule, sizes)
            chernoff = [w for w in ways if w.chernoff]
            others = sorted((w for w in ways if not w.chernoff), key=lambda w: _difficulty(goal, w))
            for way, turns in (*((w, True) for w in chernoff), *((w, False) for w in others)):
                found = self._attempt(goal, way)
                if found is None and turns:
                    found = self._divided(goal, claim, way)
                if found is not None or is_past(self.deadline):
                    return found
        return None

    def _simple_ways(self, claim: Private) -> Iterator[Way]:
        subject, once = claim.subject, claim.fold is ONE
        if self.given is not None and isinstance(subject, AnyPrivate):
            yield Way("worst-case")
            return
        yield Way("certain")
        if isinstance(subject, AnyPrivate) and sums_in(iter([claim.delta])):
            yield Way("worst-case")
        if isinstance(subject, AnyPrivate | Sequence):
            yield Way("linear")
            if subject.delta is not ZERO:
                yield Way("linear", {"union": True})
        if isinstance(subject, AnyPrivate) and once:
            yield Way("one-step")
        for kind, rule in ((Gaussian, "gaussian-curve"), (Finite, "finite-laws"),
                           (TwoVariances, "two-variances")):
            if isinstance(subject, kind):
                yield Way(rule)
        if isinstance(subject, Laplace) and once:
            yield Way("laplace-curve")

    def _divided(self, goal: Goal, claim: Private, way: Way) -> Step | None:
        """From some place on, the losses simply add up."""
        if not isinstance(claim.subject, AnyPrivate) or claim.subject.epsilon.head != "variable":
            return None
        name = claim.subject.epsilon.value
        for at in (number(1), number(1, 2), number(2)):
            parameters = {"relation": Relation(variable(name), "<=", at)}
            below, above = RULES["cases"](goal, parameters)
            for rest in (Way("linear", {"union": True}), Way("linear")):
                second = self._attempt(above, rest)
                first = None if second is None else self._attempt(below, way)
                if first is not None and second is not None:
                    return Step("cases", parameters, (first, second))
        return None

    def _attempt(self, goal: Goal, way: Way) -> Step | None:
        """The step that a way leads to, if everything it leaves open is shown."""
        try:
            if way.enough is not None:
                parameters = {"epsilon": way.enough}
                epsilon, delta, inner = RULES["relax"](goal, parameters)
                if not seems_true(epsilon):
                    return None
                rest = self._attempt(inner, replace(way, enough=None))
                first = None if rest is None else self._show(epsilon)
                second = None if first is None else self._show(delta)
                if rest is None or first is None or second is None:
                    return None
                return Step("relax", parameters, (first, second, rest))
            premises = RULES[way.rule](goal, way.parameters)
        except FAILURES:
            return None
        exact = way.rule == "worst-case"  # a comparison of sums, which samples do not see
        if self.given is None and not exact and not all(map(seems_true, premises)):
            return None
        found: dict[int, Step] = {}
        for i in sorted(range(len(premises)), key=lambda i: sum(t.size for t in premises[i].claim.terms())):
            bounded = way.rule in _MOMENTS and i == len(premises) - 1
            step = None
            if way.rule == "two-variances" and isinstance(goal.claim, Private):
                step = by_tails(premises[i], goal.claim, self._hurried)
            step = step or self._show(premises[i], bounded)
            if step is None:
                self.missing = f"{way.rule} leaves {premises[i].claim} open"
                return None
            found[i] = step
        return Step(way.rule, dict(way.parameters), tuple(found[i] for i in range(len(premises))))

    def _show(self, goal: Goal, bounded: bool = False) -> Step | None:
        """A step for what a route leaves open; ``bounded``: it is a bound by moments."""
        if goal not in self._known:
            if is_past(self.deadline):
                return None
            parts = positive_parts(goal)
            if parts and self.given is None:
                self._known[goal] = show_parts(goal, parts, self._hurried)
            elif self.given is not None:
                self._known[goal] = self._from_given(goal, self.given)
            elif bounded:
                self._known[goal] = show_bound(goal, self._hurried)
            elif len(sums_in(goal.claim.terms())) > 1 and (found := beyond_a_cut(goal, 2.0)) is not None:
                self._known[goal] = found
            else:
                self._known[goal] = self._hurried(goal)
        return self._known[goal]

    def _from_given(self, goal: Goal, given: Proof) -> Step | None:
        """What is obvious by itself, and the rest from what a derivation has shown."""
        found = show(goal, 0.5) if not sums_in(goal.claim.terms()) else at_once(goal)
        if found is not None:
            return found
        try:
            return step_from(goal, given)
        except FAILURES as reason:
            self.missing = str(reason)
            return None

    def _hurried(self, goal: Goal) -> Step | None:
        left = self.deadline - clock()
        return show(goal, max(0.1, min(self.most, left / 2))) if left > 0 else None


def _difficulty(goal: Goal, way: Way) -> tuple[int, int]:
    """How many variables the bound by moments has as SymPy sees it, and how long it is."""
    try:
        inner = goal if way.enough is None else RULES["relax"](goal, {"epsilon": way.enough})[-1]
        relation, _ = view_of(narrowed(without_sums(RULES[way.rule](inner, way.parameters)[-1])[0])[0])
    except FAILURES:
        return 10**6, 10**6
    return len(relation.left.free_symbols | relation.right.free_symbols), int(relation.left.count_ops())


def moment_ways(rule: str, sizes: Sizes) -> Iterator[Way]:
    """Routes by moments, the simple ones first."""
    if rule == "gaussian-moments":
        yield Way("gaussian-moments")
        for enough, is_chernoff in _enough(sizes, sizes.delta, sizes.mean, sizes.variance):
            yield Way("gaussian-moments", {}, enough and sizes.term(enough), is_chernoff)
        return
    variance = {"moments": sizes.squares, "concentrated": 2 * sizes.mean, "tilted": sizes.variance}[rule]
    for (share, union), half in product(_shares(sizes), (False, True) if rule == "moments" else (False,)):
        mean = sizes.squares / 2 if half else sizes.mean
        flags = {**({"half": True} if half else {}), **({"union": True} if union else {})}
        given = {"share": sizes.term(share), **flags}
        for enough, is_chernoff in _enough(sizes, share, mean, variance):
            yield Way(rule, given, enough and sizes.term(enough), is_chernoff)


def _shares(sizes: Sizes) -> Iterator[tuple[Expr, bool]]:
    """The part of delta that is left for the moments, and whether the deltas are added up."""
    if sizes.survival == 1:
        yield sizes.delta, False
        return
    seen: set[Expr] = set()
    for guess, union in ((sympy.simplify(1 - (1 - sizes.delta) / sizes.survival), False),
                         (sympy.simplify(sizes.delta - sizes.leak), True)):
        if guess not in seen and not guess.has(sympy.zoo, sympy.nan) and guess != 0:
            seen.add(guess)
            yield guess, union


def _enough(sizes: Sizes, share: Expr, mean: Expr, variance: Expr) -> Iterator[tuple[Expr | None, bool]]:
    """An epsilon to show: the guarantee's own, its deviation over the mean, or Chernoff's."""
    yield None, False
    deviation = sympy.Add(*(t for t in sympy.Add.make_args(sizes.epsilon) if t.has(log)))
    if deviation not in (0, sizes.epsilon):
        yield mean + deviation, False
    if share != 0:
        yield mean + sqrt(2 * variance * log(1 / share)), True
