r"""Settle a guarantee: look for a point at which it fails, then for a route that shows it.

Nothing here is trusted. A route is a rule of :mod:`symdp.kernel.rules.privacy`; the kernel says which goals it leaves
open, and verifies the steps that are found for them. A violation is the kernel's as well.

>>> from symdp.formulas.notation import delta, eps, k
>>> from symdp.formulas.parsing import parse_conditions
>>> from symdp.sources.subject import AnyPrivate
>>> where = [r for text in ("eps > 0", "0 <= delta <= 1", "k >= 1") for r in parse_conditions(text)]
>>> domain = Domain.of(where, [k])
>>> settle_promise(Promise(AnyPrivate(eps, delta), k, k * eps, k * delta, domain)).status.value
'proved'
>>> verdict = settle_promise(Promise(AnyPrivate(eps, delta), k, k * eps / 2, k * delta, domain))
>>> verdict.status.value, verdict.method.partition(":")[0]
('refuted', 'it fails at delta = 0, eps = 1, k = 1')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, product
from time import process_time
from typing import Any

import sympy
from flint import fmpq
from sympy import Expr, Rational, Symbol, exp, log, oo, sqrt

from symdp.arguments.guarantees.argument import Argument, Violation, fraction
from symdp.arguments.guarantees.calibrated import calibrated
from symdp.arguments.guarantees.promise import NotFormal, Promise, formal
from symdp.arguments.guarantees.variances import by_tails
from symdp.formulas.notation import Phi, symbol
from symdp.formulas.translation import expr_of, term_of
from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.rules.privacy import (
    TWO,
    AnyPrivate,
    Finite,
    Gaussian,
    Laplace,
    Losses,
    Private,
    Sequence,
    TwoVariances,
    losses_of,
)
from symdp.kernel.rules.privacy import sqrt as root
from symdp.kernel.terms import (
    ONE,
    ZERO,
    Term,
    apply,
    fresh,
    number,
    replace_part,
    substitute,
    subterms,
    variable,
)
from symdp.kernel.values.conditions import bounds_of, shown
from symdp.kernel.values.points import Members, Point
from symdp.kernel.witness import refute
from symdp.numbers import floating
from symdp.numbers.domain import Domain
from symdp.search.deadline import TimeIsUp, clock, hard_deadline, is_past
from symdp.search.elaboration.derived import RULES, verify
from symdp.search.elaboration.fitting import step_from
from symdp.search.elaboration.showing import (
    FAILURES,
    Finish,
    accepted,
    at_once,
    narrowed,
    points_of,
    seems_true,
    show,
    sums_in,
    view_of,
    without_sums,
)
from symdp.search.outcomes import beyond_a_cut
from symdp.search.prove import DEFAULT_BUDGET
from symdp.search.verdict import Status, Verdict

#: Points that are looked at, and the share of the budget that they may take.
POINTS, SHARE = 400, 0.25
#: After the simplest points come some that look suspicious among many more.
FIRST, SUSPECTS, SCREENED = 40, 24, 6000
Parameters = tuple[tuple[Rational, Rational], ...]
_SEQUENCES = (
    ((1, 0),), ((1, 0), (1, 0)), ((Rational(1, 10), 0),), ((Rational(1, 2), Rational(1, 100)),),
    ((1, Rational(1, 10)), (1, Rational(1, 10))), ((Rational(1, 10), 0), (2, 0)), ((3, 0),),
    tuple((Rational(1, 10), Rational(1, 1000)) for _ in range(10)),
)


def settle_promise(
    promise: Promise, *, budget: float = DEFAULT_BUDGET, prove: bool = True, refute: bool = True
) -> Verdict:
    """Refute first, then prove, or say where it got stuck; without one of them, the other alone."""
    start, begun = clock(), process_time()
    try:
        goal = formal(promise)
    except NotFormal as reason:
        return Verdict(Status.UNDECIDED, str(reason))
    violation = find_violation(goal, start + SHARE * budget) if refute else None
    if violation is not None:
        verdict = Verdict(Status.REFUTED, violation.where(), witness=violation)
    elif not prove:
        verdict = Verdict(Status.UNDECIDED, "no point was found at which it fails")
    else:
        verdict = _proved(goal, start + budget)
    return replace(verdict, seconds=process_time() - begun)


def _proved(goal: Goal, deadline: float) -> Verdict:
    search = Search(deadline)
    step = search.private(goal)
    if step is None:
        reason = "the time was up; " if is_past(deadline) else ""
        return Verdict(Status.UNDECIDED, reason + search.missing, boxes=1)
    return Verdict(Status.PROVED, _method(step), proof=Argument(verify(goal, step)))


def support(goal: Goal, shown: Proof, budget: float = DEFAULT_BUDGET) -> Step:
    """A step for a guarantee from what a derivation shows of its worst case; Rejected if that is not enough.

    The worst case is the exact one of randomised responses, or the curve of the noise.
    """
    search = Search(clock() + budget, shown)
    step = search.private(goal)
    if step is None:
        raise Rejected(search.missing)
    return step


_WORDS = {
    "certain": "delta is 1",
    "linear": "the losses add up",
    "moments": "the moments of the loss of randomised response",
    "concentrated": "the moments of the loss of randomised response, twice its mean for the variance",
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


# --- refuting ---------------------------------------------------------------------------------------


def find_violation(goal: Goal, deadline: float) -> Violation | None:
    """A simple point at which the exact composition breaks the guarantee."""
    claim = goal.claim
    if not isinstance(claim, Private):
        return None
    if isinstance(claim.subject, Sequence):
        candidates: Iterator[tuple[dict[str, fmpq], dict[str, Members]]] = _points_of_sequences(goal, claim)
    else:
        domain = _domain(goal)
        points = list(islice(points_of(domain), POINTS))
        points[FIRST:FIRST] = islice(_suspects(goal, claim, domain), SUSPECTS)
        candidates = ((_exact(point), {}) for point in points)
    for values, families in candidates:
        if is_past(deadline):
            return None
        try:
            with hard_deadline(2.0):
                return Violation(refute(goal, Point(values, families)))
        except (Rejected, TimeIsUp):
            continue
    return None


def _exact(point: Mapping[Symbol, Any]) -> dict[str, fmpq]:
    return {str(v): fraction(u) for v, u in point.items()}


def _domain(goal: Goal) -> Domain:
    """The box and the conditions on its variables, for choosing points."""
    return view_of(Goal(goal.sorts, goal.hypotheses, Relation(ZERO, "<=", ZERO), goal.families))[1]


def _points_of_sequences(
    goal: Goal, claim: Private
) -> Iterator[tuple[dict[str, fmpq], dict[str, Members]]]:
    assert isinstance(claim.subject, Sequence)
    names = [t.value if t.head == "member" else None for t in (claim.subject.epsilon, claim.subject.delta)]
    count = str(claim.subject.count)
    rest = tuple((n, s) for n, s in goal.sorts if n != count)
    plain = tuple(h for h in goal.hypotheses if count not in h.variables and not h.families)
    domain = _domain(Goal(rest, plain, Relation(ZERO, "<=", ZERO)))
    for sequence, point in product(_SEQUENCES, list(islice(points_of(domain), POINTS))):
        if names[1] is None and any(d != 0 for _, d in sequence):
            continue
        families = {}
        for place, name in enumerate(names):
            if name is not None:
                table = {i: fraction(Rational(pair[place]))
                         for i, pair in enumerate(sequence, 1)}
                families[name] = Members(table, fmpq(0))
        yield {**_exact(point), count: fmpq(len(sequence))}, families


def _suspects(goal: Goal, claim: Private, domain: Domain) -> Iterator[dict[Symbol, Any]]:
    """Points at which a normal law with the moments of the loss would break the guarantee.

    The worst case of many steps is near to that law; in machine floats, only to choose where to look.
    """
    sizes = sizes_of(claim, goal)
    if sizes is None or sums_in(claim.terms()):
        return
    spread = sqrt(sizes.variance)
    away = (sizes.mean - sizes.epsilon) / spread
    tilted = exp(sizes.epsilon - sizes.mean + sizes.variance / 2) * Phi(away - spread)
    needed = 1 - sizes.survival * (1 - Phi(away) + tilted)
    most = sizes.total if sizes.total != oo else 1 + sizes.epsilon
    sides = [floating.function(e, domain.variables) for e in (sizes.delta, needed, sizes.epsilon, most)]
    idle = frozenset(domain.variables) - sizes.epsilon.free_symbols - away.free_symbols
    for point in islice(points_of(domain, idle), SCREENED):
        claimed, wanted, epsilon, total = (side([float(u) for u in point.values()])  # type: ignore[arg-type]
                                           for side in sides)
        if wanted > 1.01 * claimed + 1e-12 and epsilon < total:  # no loss is above the total
            yield point


# --- what is known about the loss, on SymPy's side ---------------------------------------------------


@dataclass(frozen=True)
class Sizes:
    """The guarantee and the loss of its worst case as SymPy sees them, with names for sums."""

    epsilon: Expr
    delta: Expr
    total: Expr
    mean: Expr
    variance: Expr
    survival: Expr
    #: the sum of the deltas
    leak: Expr
    #: what the names stand for
    names: Mapping[str, Term] = field(default_factory=dict)

    def term(self, expr: Expr) -> Term:
        """The term of the kernel that an expression in these names stands for."""
        return substitute(term_of(expr), self.names)


def sizes_of(claim: Private, goal: Goal) -> Sizes | None:
    """None where nothing is known about the loss."""
    subject = claim.subject
    if isinstance(subject, Gaussian):
        squared = claim.fold * subject.sensitivity ** TWO / subject.variance
        losses = Losses(ZERO, squared / TWO, squared, None, ZERO)
    elif isinstance(subject, Laplace):
        pure = AnyPrivate(subject.sensitivity / subject.scale, ZERO)
        losses = losses_of(replace(claim, subject=pure))
    elif isinstance(subject, AnyPrivate | Sequence):
        losses = losses_of(claim)
    else:
        return None
    parts = [claim.epsilon, claim.delta, losses.total, losses.mean, losses.squares, losses.survival or ONE,
             losses.deltas]
    names: dict[str, Term] = {}
    for part in sums_in(iter(parts)):
        name = fresh("s", goal.taken | names.keys())
        names[name] = part
        parts = [replace_part(t, part, variable(name)) for t in parts]
    epsilon, delta, total, mean, variance, survival, leak = map(expr_of, parts)
    sizes = Sizes(epsilon, delta, total, mean, variance, survival, leak, names)
    return replace(sizes, total=oo) if isinstance(subject, Gaussian) else sizes


def in_the_mean(sizes: Sizes, claim: Private, goal: Goal) -> Sizes | None:
    """The same with names for the mean and for the survival, if epsilon depends on nothing else of the steps."""
    if not isinstance(claim.subject, AnyPrivate):
        return None
    losses = losses_of(claim)
    names = {fresh("m", goal.taken): losses.mean}
    m = symbol(next(iter(names)))
    changes: list[dict[Expr, Expr]] = [{sizes.mean: m}]
    fold = expr_of(claim.fold)
    if fold.is_Symbol and not (each := sizes.mean / fold).has(fold):
        changes.append({fold: m / each})
    kept = sizes.survival
    if losses.survival is not None:
        name = fresh("p", goal.taken | names.keys())
        names[name], kept = losses.survival, symbol(name)
    for change in changes:
        epsilon, delta = (e.subs(sizes.survival, kept).subs(change) if sizes.survival != 1 else e.subs(change)
                          for e in (sizes.epsilon, sizes.delta))
        if not (epsilon.free_symbols | delta.free_symbols) & sizes.mean.free_symbols:
            return replace(sizes, epsilon=epsilon, delta=delta, mean=m, survival=kept, names=names)
    return None


# --- proving ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """A route and its parameters, perhaps for a smaller epsilon."""

    rule: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    enough: Term | None = None
    #: whether the smaller epsilon is Chernoff's, which leaves nothing but a comparison of two epsilons
    chernoff: bool = False


ENCLOSED = Step("enclosure")
_MOMENTS = ("moments", "concentrated", "gaussian-moments")


class Search:
    """Looks for a step that shows a guarantee, until the deadline."""

    def __init__(self, deadline: float, given: Proof | None = None) -> None:
        self.deadline = deadline
        #: what a derivation has shown of the worst case; then nothing else is looked for
        self.given = given
        self.missing = "no way was found to show it"
        self._known: dict[Goal, Step | None] = {}

    # --- the parts of the domain ---

    def private(self, goal: Goal) -> Step | None:
        """A step for a goal that claims a guarantee."""
        claim = goal.claim
        assert isinstance(claim, Private)
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
        for concentrated in (False, True):
            if concentrated and isinstance(claim.subject, Gaussian):
                break
            named = in_the_mean(sizes, claim, goal) if concentrated else None
            ways = [] if named is None else [
                Way("concentrated", {"share": named.term(share)}, named.term(named.epsilon))
                for share, union in _shares(named) if not union]
            ways += moment_ways(claim, sizes, concentrated)
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
        return show(goal, max(0.1, left / 2)) if left > 0 else None


def _difficulty(goal: Goal, way: Way) -> tuple[int, int]:
    """How many variables the bound by moments has as SymPy sees it, and how long it is."""
    try:
        inner = goal if way.enough is None else RULES["relax"](goal, {"epsilon": way.enough})[-1]
        relation, _ = view_of(narrowed(without_sums(RULES[way.rule](inner, way.parameters)[-1])[0])[0])
    except FAILURES:
        return 10**6, 10**6
    return len(relation.left.free_symbols | relation.right.free_symbols), int(relation.left.count_ops())


def moment_ways(claim: Private, sizes: Sizes, concentrated: bool) -> Iterator[Way]:
    """Routes by moments, the simple ones first."""
    if isinstance(claim.subject, Gaussian):
        yield Way("gaussian-moments")
        for enough, is_chernoff in _enough(sizes, sizes.delta, sizes.mean, sizes.variance):
            yield Way("gaussian-moments", {}, enough and sizes.term(enough), is_chernoff)
        return
    variance = 2 * sizes.mean if concentrated else sizes.variance
    rule = "concentrated" if concentrated else "moments"
    for (share, union), half in product(_shares(sizes), (False,) if concentrated else (False, True)):
        mean = sizes.variance / 2 if half else sizes.mean
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


def positive_parts(goal: Goal) -> list[Term]:
    """The t of summands max(0, t) on the left side, where there is nothing else but terms without them."""
    claim = goal.claim
    if not isinstance(claim, Relation) or claim.left.head != "+":
        return []
    return [t.args[1] for t in claim.left.args if t.head == "max" and t.args[0] is ZERO]


def show_parts(goal: Goal, parts: list[Term], prove: Callable[[Goal], Step | None]) -> Step | None:
    """Show a sum of positive parts: each is seen to be 0, so that they may be left out."""
    steps = []
    known = goal
    for part in parts:
        fact = Relation(part, "<=", ZERO)
        step = prove(known.claiming(fact))
        if step is None:
            return prove(goal)
        steps.append((fact, step))
        known = known.claiming(known.claim, fact)
    found = _by_branches(known, parts)
    for fact, step in reversed(steps):
        found = None if found is None else Step("cut", {"fact": fact}, (step, found))
    return found if found is not None and accepted(goal, found) else None


def _by_branches(goal: Goal, parts: list[Term]) -> Step | None:
    if not parts:
        claim = goal.claim
        assert isinstance(claim, Relation)
        added = [t for t in claim.left.args if Relation(t, "<=", ZERO) in goal.hypotheses]
        terms = [[ONE, [[-t, 1, ">="]]] for t in added]
        assumed = tuple(Step("assumption") for _ in added)
        return Step("combine", {"terms": terms}, assumed) if added else Step("identity")
    parameters = {"node": apply("max", ZERO, parts[0])}
    inner = [_by_branches(g, parts[1:]) for g in RULES["branches"](goal, parameters)]
    return None if None in inner else Step("branches", parameters, tuple(inner))  # type: ignore[arg-type]


def show_bound(goal: Goal, prove: Callable[[Goal], Step | None]) -> Step | None:
    """Show ``exp(-x^2/(2v))/(1 + x/v) <= share`` for x = epsilon - mean, which a hypothesis says is not negative.

    With that hypothesis the sides are seen to be defined; in SymPy's form, where the mean is gone, it is no
    longer needed. If the variance alone matters, it is shown for any number in its place.
    """
    try:
        plain, finish = without_sums(goal)
        variance, ways = _variance(plain), [(plain, finish)]
        if variance.head == "*" and variance.args[0] is TWO and variance.args[1].head != "variable":
            ways.insert(0, _without(variance.args[1], plain, finish))
        for inner, finished in ways:
            for step in _steps(inner, prove):
                if accepted(goal, finished(step)):
                    return finished(step)
    except FAILURES:
        return None
    return None


def _steps(goal: Goal, prove: Callable[[Goal], Step | None]) -> Iterator[Step]:
    """Steps for a bound by moments, in the forms that it may be written in."""
    claim, variance = goal.claim, _variance(goal)
    assert isinstance(claim, Relation)
    positive = [variable(n) for n in goal.variables if shown(Relation(ZERO, "<", variable(n)), goal)]
    known = {symbol(str(p)): sympy.Dummy(str(p), positive=True) for p in positive}
    powers = {t - ONE for t in subterms(variance) if t.head == "exp"}
    positive += [t for t in powers if shown(Relation(ZERO, "<", t), goal)]
    paid = calibrated(goal, known, prove)
    if paid is not None:
        yield paid
    name = fresh("r", goal.taken)
    for written, size in _forms(claim, expr_of(variance), symbol(name), known):
        step = _rewritten(goal, written, {name: root(variance)} if size else {}, positive, prove)
        if step is not None:
            yield step


def _variance(goal: Goal) -> Term:
    """The v of a bound by moments."""
    claim = goal.claim
    assert isinstance(claim, Relation)
    return claim.left.args[1].args[1].args[1]


def _without(mean: Term, goal: Goal, finish: Finish) -> tuple[Goal, Finish]:
    """The goal for any number in the place of the mean, if it is seen to be positive."""
    fact, given = Relation(ZERO, "<", mean), {"parts": [[mean, fresh("m", goal.taken)]]}
    if not shown(fact, goal):
        return goal, finish
    (inner,) = RULES["generalise"](goal.claiming(goal.claim, fact), given)

    def finished(step: Step) -> Step:
        return finish(Step("cut", {"fact": fact}, (ENCLOSED, Step("generalise", given, (step,)))))

    return inner, finished


def _rewritten(
    goal: Goal, written: tuple[Expr, Expr], size: Mapping[str, Term], positive: list[Term],
    prove: Callable[[Goal], Step | None],
) -> Step | None:
    """Rewrite the sides, put a variable for the variance, and leave out what is no longer needed."""
    left, right = (substitute(term_of(e), size) for e in written)
    rewritten = {"left": left, "right": right, "positive": positive}
    facts = [Relation(ZERO, "<", t) for t in size.values()]
    given = {"parts": [[t, n] for n, t in size.items()]}
    try:
        known = goal.claiming(goal.claim, *facts)
        (known,) = RULES["rewrite"](known, rewritten)
        (known,) = RULES["generalise"](known, given)
        named = known.claim.variables
        kept = [h for h in known.hypotheses if h.variables <= named and not h.families
                and isinstance(h, Relation) and len(h.variables) == 1]
        fewer = {"hypotheses": kept, "variables": [n for n in known.variables if n in named], "families": []}
        (inner,) = RULES["weaken"](known, fewer)
    except FAILURES:
        return None
    step = prove(inner) if seems_true(inner) else None
    if step is None:
        return None
    step = Step("rewrite", rewritten, (Step("generalise", given, (Step("weaken", fewer, (step,)),)),))
    for fact in facts:
        step = Step("cut", {"fact": fact}, (Step("enclosure"), step))
    return step


def _forms(
    claim: Relation, variance: Expr, root: Symbol, positive: Mapping[Symbol, Symbol]
) -> Iterator[tuple[tuple[Expr, Expr], bool]]:
    """Both sides written in the root of the variance alone, where that is possible, and as SymPy has them."""
    sides = [expr_of(t).subs(positive) for t in claim.terms()]
    size, r = variance.subs(positive), sympy.Dummy(positive=True)
    back = {p: v for v, p in positive.items()} | {r: root}
    # e^x - 1 is positive where x is, which SymPy does not see.
    for power in sorted(size.atoms(exp), key=str):
        if power.args[0].is_positive:
            above = sympy.Dummy(positive=True)
            size, *sides = (e.subs(power, 1 + above) for e in (size, *sides))
            back[above] = power.xreplace(back) - 1
    maps: list[dict[Expr, Expr]] = [{size: r**2}, {size / 2: r**2 / 2}]
    for e in sorted(size.free_symbols, key=str):
        for degree in (2, 1):
            rest = sympy.cancel(size / e**degree)
            if e.is_positive and e in positive.values() and not rest.has(e):
                maps.append({e: (r**2 / rest) ** Rational(1, degree)})
    seen = set()
    for change in maps:
        one, other = (e.subs(change) for e in sides)
        if (one, other) not in seen and not (one.free_symbols | other.free_symbols) & size.free_symbols:
            seen.add((one, other))
            yield (one.xreplace(back), other.xreplace(back)), True
    yield (sides[0].xreplace(back), sides[1].xreplace(back)), False
