r"""Settle a guarantee: look for a point at which it fails, then for a route that shows it.

Nothing here is trusted: :func:`~symdp.proving.argument.violate` and
:func:`~symdp.proving.argument.argue` decide.

>>> from symdp.notation import delta, eps, k
>>> from symdp.parsing import parse_conditions
>>> from symdp.subject import AnyPrivate
>>> where = [r for text in ("eps > 0", "0 <= delta <= 1", "k >= 1") for r in parse_conditions(text)]
>>> domain = Domain.of(where, [k])
>>> settle_promise(Promise(AnyPrivate(eps, delta), k, k * eps, k * delta, domain)).status.value
'proved'
>>> verdict = settle_promise(Promise(AnyPrivate(eps, delta), k, k * eps / 2, k * delta, domain))
>>> verdict.status.value, verdict.witness.point
('refuted', {delta: 0, eps: 1, k: 1})
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

import sympy
from sympy import Expr, Rational, Symbol, exp, log, oo, sqrt

from symdp import floating
from symdp.domain import Domain, simple_points
from symdp.notation import Phi, symbol
from symdp.proving.argument import Argument, Promise, Violation, argue, domain_to_show, violate
from symdp.proving.deadline import TimeIsUp, clock, hard_deadline
from symdp.proving.enclosure import Undefined, Unsupported
from symdp.proving.identity import TooLarge
from symdp.proving.kernel import Goal, Proof, Rejected, Step
from symdp.proving.reduction import Losses, Route, losses_of
from symdp.proving.settling import DEFAULT_BUDGET, NotDefined, settle_relation
from symdp.proving.verdict import Status, Verdict
from symdp.relation import Relation
from symdp.simplest import diagonal
from symdp.subject import AnyPrivate, AnySequence, delta_sum

#: Points that are looked at, and the share of the budget that they may take.
POINTS, SHARE = 400, 0.25
#: After the simplest points come some that look suspicious among many more.
FIRST, SUSPECTS, SCREENED = 40, 24, 6000
_SEQUENCES = (
    ((1, 0),), ((1, 0), (1, 0)), ((Rational(1, 10), 0),), ((Rational(1, 2), Rational(1, 100)),),
    ((1, Rational(1, 10)), (1, Rational(1, 10))), ((Rational(1, 10), 0), (2, 0)), ((3, 0),),
    tuple((Rational(1, 10), Rational(1, 1000)) for _ in range(10)),
)


def settle_promise(
    promise: Promise, *, budget: float = DEFAULT_BUDGET, prove: bool = True
) -> Verdict:
    """Refute first, then prove, or say where it got stuck; without ``prove``, refute only."""
    start = clock()
    violation = find_violation(promise, start + SHARE * budget)
    if violation is not None:
        verdict = Verdict(Status.REFUTED, _where(violation), witness=violation)
    elif not prove:
        verdict = Verdict(Status.UNDECIDED, "no point was found at which it fails")
    elif promise.epsilon.has(sympy.Sum) or promise.delta.has(sympy.Sum):
        verdict = Verdict(Status.UNDECIDED, "sums of symbolic length are for a derivation to show")
    else:
        verdict = _prove(promise, start + budget)
    return replace(verdict, seconds=clock() - start)


def _where(violation: Violation) -> str:
    point = [f"{v} = {value}" for v, value in violation.point.items()]
    if violation.sequence:
        pairs = ", ".join(f"({e}, {d})" for e, d in violation.sequence)
        point.insert(0, f"the parameters {pairs}")
    return (f"it fails at {', '.join(point)}: the worst case needs delta = {violation.exact}, "
            f"{violation.claimed} is promised")


# --- refuting ---------------------------------------------------------------------------------------


def find_violation(promise: Promise, deadline: float) -> Violation | None:
    """A simple point at which the exact composition breaks the promise."""
    sequences = _sequences(promise)
    points = list(islice(_points(promise.domain), POINTS))
    points[FIRST:FIRST] = islice(_suspects(promise), SUSPECTS)
    for sequence, point in product(sequences, points):
        if clock() > deadline:
            return None
        try:
            with hard_deadline(2.0):
                return violate(promise, point, sequence)
        except (Rejected, TimeIsUp):
            continue
    return None


def _suspects(promise: Promise) -> Iterator[dict[Symbol, Expr]]:
    """Points at which a normal law with the moments of the loss would break the promise.

    The worst case of many steps is near to that law; in machine floats, only to choose where to look.
    """
    if isinstance(promise.subject, AnySequence) or promise.delta.has(sympy.Sum):
        return
    try:
        losses = losses_of(promise.subject, promise.fold)
    except Rejected:
        return
    spread = sqrt(losses.variance)
    away = (losses.mean - promise.epsilon) / spread
    tilted = exp(promise.epsilon - losses.mean + losses.variance / 2) * Phi(away - spread)
    needed = 1 - losses.survival * (1 - Phi(away) + tilted)
    most = losses.total if losses.total != oo else 1 + promise.epsilon
    parts = (promise.delta, needed, promise.epsilon, most)
    sides = [floating.function(e, promise.domain.variables) for e in parts]
    idle = frozenset(promise.domain.variables) - promise.epsilon.free_symbols - away.free_symbols
    for point in islice(_points(promise.domain, idle), SCREENED):
        claimed, wanted, epsilon, total = (side([float(u) for u in point.values()]) for side in sides)
        if wanted > 1.01 * claimed + 1e-12 and epsilon < total:  # no loss is above the total
            yield point


def _sequences(promise: Promise) -> list[tuple[tuple[Rational, Rational], ...]]:
    if not isinstance(promise.subject, AnySequence):
        return [()]
    exact = [tuple((Rational(e), Rational(d)) for e, d in s) for s in _SEQUENCES]
    return [s for s in exact if not promise.subject.pure or all(d == 0 for _, d in s)]


def _points(domain: Domain, idle: frozenset[Symbol] = frozenset()) -> Iterator[dict[Symbol, Expr]]:
    """Points of the domain, simple ones first; variables that matter little take few values."""
    choices = [
        [u for u in simple_points(domain.intervals[v], v in domain.integers)
         if v not in domain.integers or u <= 1000][: 2 if v in idle else None]
        for v in domain.variables
    ]
    for values in diagonal(choices):
        yield dict(zip(domain.variables, values, strict=True))


# --- proving ----------------------------------------------------------------------------------------


def _prove(promise: Promise, deadline: float) -> Verdict:
    reason = "no way was found to show it"
    known: dict[Goal, Verdict] = {}  # several ways leave the same relations
    ways: dict[tuple[Symbol, ...], list[Route]] = {}  # the same whichever end is left out
    for void, opened in product(voids(promise), openings(promise)):
        for route in ways[void] if void in ways else _kept(routes(promise, void), void, ways):
            left = deadline - clock()
            if left <= 0:
                return Verdict(Status.UNDECIDED, f"the time was up; {reason}", boxes=1)
            try:
                steps, missing = _steps(promise, route, opened, void, left, known)
                if steps is not None:
                    argument = argue(promise, route, steps, opened, void)
                    return Verdict(Status.PROVED, _method(argument), proof=argument)
                reason = missing or reason
            except (Rejected, Undefined, Unsupported, TooLarge, NotDefined, ArithmeticError):
                continue
    return Verdict(Status.UNDECIDED, reason, boxes=1)


def _kept(
    found: Iterator[Route], void: tuple[Symbol, ...], ways: dict[tuple[Symbol, ...], list[Route]]
) -> Iterator[Route]:
    """The routes as they are found; all of them are kept when the last one was."""
    every = []
    for route in found:
        every.append(route)
        yield route
    ways[void] = every


def _method(argument: Argument) -> str:
    words = {
        "certain": "delta is 1",
        "linear": "the losses add up",
        "moments": "the moments of the loss of randomised response",
        "exact": "the curve of the mechanism itself",
    }
    text = words[argument.route.name]
    return f"{text}; what is left is shown in {len(argument.parts)} parts"


def openings(promise: Promise) -> Iterator[tuple[Symbol, ...]]:
    """None, and each variable at whose lower end epsilon may grow without limit."""
    yield ()
    for v, interval in promise.domain.intervals.items():
        if interval.lower != -oo and not interval.lower_open and v in promise.epsilon.free_symbols:
            yield (v,)


def voids(promise: Promise) -> list[tuple[Symbol, ...]]:
    """Variables that may be taken to be at most 1, since delta is 1 or more beyond."""
    found: tuple[Symbol, ...] = ()
    for v in promise.domain.variables:
        try:
            domain_to_show(promise, (), (*found, v))
        except (Rejected, Undefined, Unsupported):
            continue
        found = (*found, v)
    return [found]


def _steps(
    promise: Promise, route: Route, opened: tuple[Symbol, ...], void: tuple[Symbol, ...],
    seconds: float, known: dict[Goal, Verdict],
) -> tuple[list[Step] | None, str]:
    """Steps for everything that the route leaves, the easy parts first; or what is missing."""
    goals = _goals(promise, route, opened, void)
    deadline = clock() + seconds
    found: dict[int, Step] = {}
    for i in sorted(range(len(goals)), key=lambda i: goals[i][0].gap.count_ops()):
        relation, domain = goals[i]
        goal = Goal.of(relation, domain)
        if goal not in known:
            share = max(0.1, (deadline - clock()) / 2)
            known[goal] = settle_relation(relation, domain, budget=share)
        verdict = known[goal]
        if not isinstance(verdict.proof, Proof):
            return None, f"{route.name} leaves {relation} open ({verdict.status.value})"
        found[i] = verdict.proof.step
    return [found[i] for i in range(len(goals))], ""


def _goals(
    promise: Promise, route: Route, opened: tuple[Symbol, ...] = (), void: tuple[Symbol, ...] = ()
) -> list[tuple[Relation, Domain]]:
    domain = domain_to_show(promise, opened, void)
    return route.goals(promise.subject, promise.fold, promise.epsilon, promise.delta, domain)


def routes(promise: Promise, void: tuple[Symbol, ...] = ()) -> Iterator[Route]:
    """Ways to try, the simple ones first."""
    for name in ("certain", "linear", "exact"):
        route = Route(name)
        if _seems_possible(promise, route, void):
            yield route
    for concentrated in (False, True):
        try:
            losses = Route("moments", concentrated=concentrated).losses(promise.subject, promise.fold)
        except Rejected:
            return
        yield from _by_moments(promise, losses, concentrated, void)


def _by_moments(
    promise: Promise, losses: Losses, concentrated: bool, void: tuple[Symbol, ...]
) -> Iterator[Route]:
    by_moments = [
        Route("moments", share=share, enough=enough, half=half, concentrated=concentrated)
        for share in _shares(promise, losses)
        for enough, half in _enough(promise, losses, share)
        if not (half and concentrated)  # half of the variance is the mean then
    ]
    # Chernoff's epsilon leaves nothing but a comparison of two epsilons.
    chernoff = [route for route in by_moments if _is_chernoff(route, losses)]
    others = [route for route in by_moments if route not in chernoff]

    def possible(way: Route, turns: bool) -> list[Route]:
        turned = [replace(way, turn=v, at=at) for v, at in _turns(promise)] if turns else []
        return [route for route in (*turned, way) if _seems_possible(promise, route, void)]

    for group, turns in ((chernoff, True), (others, False)):
        # what a sample speaks against is not worth another form
        hopeful = [way for way in group if possible(way, turns)]
        for way in _easiest_first(promise, losses, hopeful):
            yield from possible(way, turns)


def _easiest_first(promise: Promise, losses: Losses, ways: list[Route]) -> list[Route]:
    """With their forms in the variance alone, which are nearly always the easier question."""
    sized = [with_size(promise, losses, route) for route in ways]
    every = [*(route for route in sized if route is not None), *ways]
    return sorted(every, key=lambda r: (r.size is None,
                                        r.share.count_ops() if r.share is not None else 0))


def _turns(promise: Promise) -> Iterator[tuple[Symbol, Rational]]:
    """Places from which on the losses may simply add up."""
    if isinstance(promise.subject, AnyPrivate) and promise.subject.epsilon in promise.domain.intervals:
        yield from ((promise.subject.epsilon, Rational(at)) for at in ("1", "1/2", "2"))


def _seems_possible(promise: Promise, route: Route, void: tuple[Symbol, ...]) -> bool:
    """Whether no sample in floats speaks against what the route leaves."""
    try:
        goals = _goals(promise, route, (), void)
    except (Undefined, Unsupported, TooLarge, ArithmeticError):
        return True  # perhaps with an end left out
    except (Rejected, TypeError):
        return False
    for relation, domain in goals:
        gap = floating.function(Goal.of(relation, domain).gap, domain.variables)
        conditions = [(floating.function(c.gap, domain.variables), c) for c in domain.conditions]
        for point in islice(_points(domain), 150):
            values = [float(u) for u in point.values()]
            if all(f(values) >= 0 for f, _ in conditions) and gap(values) < -1e-9:
                return False
    return True


def _shares(promise: Promise, losses: Losses) -> Iterator[Expr]:
    """The part of delta that is left for the moments."""
    seen: set[Expr] = set()
    guesses = [promise.delta] if losses.survival == 1 else []
    guesses.append(sympy.simplify(1 - (1 - promise.delta) / losses.survival))
    if losses.survival.is_Pow:
        leak = promise.fold * (1 - losses.survival.base)
        guesses.append(sympy.simplify(promise.delta - leak))
    elif isinstance(promise.subject, AnySequence) and losses.survival != 1:
        guesses.append(sympy.expand(promise.delta - delta_sum))
    for guess in guesses:
        if guess not in seen and not guess.has(sympy.zoo, sympy.nan):
            seen.add(guess)
            yield guess


def _enough(promise: Promise, losses: Losses, share: Expr) -> Iterator[tuple[Expr | None, bool]]:
    """An epsilon to show: the guarantee's own, its deviation over the mean, or Chernoff's."""
    yield None, False
    deviation = sympy.Add(*(t for t in sympy.Add.make_args(promise.epsilon) if t.has(log)))
    if deviation != 0 and deviation != promise.epsilon:
        yield losses.mean + deviation, False
        yield losses.variance / 2 + deviation, True
    yield None, True
    if share != 0:
        chernoff = _chernoff(losses, share)
        if not _alike(chernoff, deviation, promise.whole_domain):
            yield losses.mean + chernoff, False
            yield losses.variance / 2 + chernoff, True


def _chernoff(losses: Losses, share: Expr) -> Expr:
    """The deviation that Chernoff's bound allows for that share of delta."""
    return sqrt(2 * losses.variance * log(1 / share))


def _is_chernoff(route: Route, losses: Losses) -> bool:
    if route.enough is None or route.share is None:
        return False
    centre = losses.variance / 2 if route.half else losses.mean
    return bool(route.enough == centre + _chernoff(losses, route.share))


def _alike(one: Expr, other: Expr, domain: Domain) -> bool:
    """Whether two expressions have the same values at some points, as far as floats can tell."""
    if not (one - other).free_symbols <= set(domain.variables):
        return False
    gap = floating.function(one - other, domain.variables)
    points = islice(_points(domain), 20)
    return not any(abs(gap([float(u) for u in point.values()])) > 1e-9 for point in points)


def with_size(promise: Promise, losses: Losses, route: Route) -> Route | None:
    """The same route with a variable for the variance, if nothing but the variance matters."""
    if isinstance(promise.subject, AnySequence) or route.share is None:
        return None
    domain, size = promise.whole_domain, symbol("v")
    if size in domain.intervals:
        return None
    if route.concentrated:
        written = [e.subs(losses.mean, size / 2)
                   for e in (route.excess_over_mean(losses, promise.epsilon), route.share)]
        alone = not any(e.free_symbols & losses.variance.free_symbols for e in written)
        return replace(route, size=size, excess=written[0], bound=written[1]) if alone else None
    for v in sorted(losses.variance.free_symbols - domain.integers, key=str):
        roots = [r for r in (sqrt(size / promise.fold),) if losses.variance == promise.fold * v**2]
        for root in roots:
            written = [
                sympy.powdenest(sympy.simplify(e.subs(v, root)), force=True)
                for e in (route.excess_over_mean(losses, promise.epsilon), route.share)
            ]
            if not any(e.free_symbols & (losses.variance.free_symbols) for e in written):
                return replace(route, size=size, excess=written[0], bound=written[1])
    return None
