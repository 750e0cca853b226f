r"""Certificates for algebraic goals: no solver is believed, only sums of products of known signs.

A goal that z3 settles at once rarely needs more than a short sum: the gap, times a positive factor,
is a combination of conditions, of bounds of its atoms, of squares and of products of these, with
positive weights. Such a sum is searched for here, and what is found is a step of the rule ``combine``
whose premises are enclosures and conditions. Nothing here is trusted.

>>> from symdp.numbers.domain import Domain
>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> from symdp.search.view.goals import sketch
>>> domain = Domain.of([*parse_conditions("x >= 0"), *parse_conditions("y >= 0")])
>>> goal = Target.of(parse_relation("x^3 + y^3 >= x^2*y + x*y^2"), domain)
>>> step = certify(goal)
>>> step.rule, sorted(sketch(goal, step).trust)
('combine', ['Arb', 'exact algebra'])
>>> certify(Target.of(parse_relation("x^3 + y^3 >= x^2*y + 2*x*y^2"), domain)) is None
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, combinations_with_replacement
from typing import Any

from flint import fmpq
from sympy import Expr, Integer, Rational, Symbol

from symdp.formulas.relation import Relation
from symdp.kernel.proof import Rejected
from symdp.numbers.domain import Interval, simple_points
from symdp.numbers.ranges import Unsupported
from symdp.search.deadline import clock, is_past
from symdp.search.tactics.forms import factor_forms
from symdp.search.tactics.polynomials.handelman import (
    Factor,
    GivenUp,
    Known,
    Question,
    leaf_of,
    positive_in,
    under_roots,
)
from symdp.search.tactics.polynomials.squares import better_squares, simple_squares, square_rows
from symdp.search.tactics.polynomials.weights import Exponents, Poly, Weighing, times
from symdp.search.tactics.sample_points import has_counterexample, vanishes
from symdp.search.view.algebra import patience, unsatisfiable
from symdp.search.view.goals import RULES, Move, Target, sketch
from symdp.search.view.rules import lemma_instance
from symdp.search.view.side_conditions import sign_goal

Fact = tuple[str, tuple[tuple[Symbol, Expr], ...]]
Term = tuple[Rational, list[Factor]]

SECONDS = 3.0
MOST_COLUMNS = 1200
#: Rounds of better and better squares.
ROUNDS = 12
DEEPEST = 5
MOST_EFFORT = 3
#: What z3 may spend on the question which lemmas matter, in seconds and in its own units.
HINT_SECONDS, HINT_EFFORT = 0.3, 300_000

#: So many facts are tried all at once.
FEW_FACTS = 3

_FAILURES = (Rejected, ArithmeticError, Unsupported, TypeError, ValueError, KeyError)


def certify(
    goal: Target,
    facts: Iterable[tuple[str, Iterable[tuple[Symbol, Expr]]]] = (),
    seconds: float = SECONDS,
) -> Move | None:
    """A step for the goal that needs no z3, with instances of lemmas to help; None if none is found.

    The step was verified before it is returned.
    """
    if goal.op == "==" or seconds <= 0 or has_counterexample(goal):
        return None
    search = Certifier(clock() + seconds)
    # From a file they are lists.
    known = tuple((name, tuple((v, e) for v, e in at)) for name, at in facts)
    for chosen, effort in _plans(goal, known):
        if is_past(search.deadline):
            return None
        try:
            step = _with_lemmas(goal, chosen, search, effort)
        except _FAILURES:
            step = None
        if step is not None:
            return step
    return None


def _plans(goal: Target, known: tuple[Fact, ...]) -> Iterator[tuple[tuple[Fact, ...], int]]:
    """Which facts to use, with how much effort: many cost more than a second effort with those that seem to
    matter, and of few it takes longer to ask which those are."""
    few = len(known) <= FEW_FACTS and not (known and believed(goal, ()))
    if few:
        yield known, 0
    chosen = needed(goal, known)
    for effort in range(MOST_EFFORT + 2):
        if effort <= MOST_EFFORT and not (few and chosen == known and effort == 0):
            yield chosen, effort
        if chosen != known and effort > few:
            yield known, effort - 1


def needed(goal: Target, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts without which z3 would not believe the goal: a hint where to look, no evidence."""
    if not facts or believed(goal, ()):
        return ()
    for one in facts:  # mostly one is, and then few questions are asked
        if believed(goal, (one,)):
            return (one,)
    kept = list(facts)
    if believed(goal, kept):
        for one in facts:
            fewer = [fact for fact in kept if fact != one]
            if believed(goal, fewer):
                kept = fewer
    return tuple(kept)


def believed(goal: Target, facts: Sequence[Fact]) -> bool:
    """Whether z3 believes the goal, given the facts."""
    known = []
    for fact in facts:
        try:
            known.append(lemma_instance(goal.domain, *fact))
        except _FAILURES:
            continue
    try:
        with patience(HINT_SECONDS / 5):
            return unsatisfiable(goal, known, HINT_EFFORT)
    except _FAILURES:
        return False


def _with_lemmas(
    goal: Target, facts: Sequence[Fact], search: Certifier, effort: int
) -> Move | None:
    instances: dict[Relation, Fact] = {}
    for fact in facts:
        try:
            instances.setdefault(lemma_instance(goal.domain, *fact), fact)
        except _FAILURES:
            continue
    # All of them help the search; those that the proof uses are shown first, each by a cut.
    helped = goal.on(replace(goal.domain, facts=(*goal.domain.facts, *instances)))
    inner = search.prove(helped, effort)
    if inner is None:
        return None
    used = _expressions(inner)
    needed = [r for r in instances if r.gap in used]
    for relations in (needed, list(instances)):
        step = _after_cuts(goal, [(r, instances[r]) for r in relations], inner)
        try:
            sketch(goal, step)
        except Rejected:
            continue
        return step
    return None


def _after_cuts(goal: Target, facts: Sequence[tuple[Relation, Fact]], inner: Move) -> Move:
    if not facts:
        return inner
    (relation, (name, at)), *rest = facts
    cut = {"fact": relation}
    shown, remaining = RULES["cut"](goal, cut)
    lemma = {"name": name, "at": at}
    premises = tuple(Move(leaf_of(p) or "enclosure") for p in RULES["lemma"](shown, lemma))
    return Move("cut", cut, (Move("lemma", lemma, premises), _after_cuts(remaining, rest, inner)))


def _expressions(step: Move) -> set[Expr]:
    """The factors that occur anywhere in a proof."""
    found: set[Expr] = set()
    stack = [step]
    while stack:
        s = stack.pop()
        found |= {f for _, factors in s.parameters.get("terms", ()) for f, _, _ in factors}
        stack.extend(s.premises)
    return found


@dataclass
class Certifier:
    """One search, with its deadline and what failed at which effort."""

    deadline: float
    failed: dict[Target, int] = field(default_factory=dict)
    asked: dict[tuple[Target, bool], tuple[list[Question], Iterator[Question]]] = field(default_factory=dict)
    tried: set[tuple[Target, int]] = field(default_factory=set)

    def prove(self, goal: Target, effort: int, depth: int = 0) -> Move | None:
        """The cheap ways first: a leaf, a product, a sum; with more effort squares and cuts."""
        if self.failed.get(goal, -1) >= effort or depth > DEEPEST or is_past(self.deadline):
            return None
        name = leaf_of(goal)
        if name is not None:
            return Move(name)
        step = self.by_identity(goal)
        if step is None and not has_counterexample(goal):
            step = self.by_sum(goal, 0, depth)
            if step is None and effort >= 1:
                step = self.by_squaring(goal, effort, depth)
            if step is None:
                step = self.by_factors(goal, effort, depth)
            for more in range(1, min(effort, 2) + 1):
                if step is None:
                    step = self.by_sum(goal, more, depth)
            if step is None and effort >= 2 and depth == 0 and goal.domain.conditions:
                step = self.by_contradiction(goal, depth)
            if step is None and effort >= 3:
                step = self.by_splitting(goal, depth)
        if step is None:
            self.failed[goal] = max(effort, self.failed.get(goal, -1))
        return step

    def finished(
        self, goal: Target, rule: str, parameters: dict[str, Any], effort: int, depth: int
    ) -> Move | None:
        """The step with its premises proved."""
        try:
            premises = RULES[rule](goal, parameters)
        except _FAILURES:
            return None
        # Points are no counterexamples to what the facts of the domain say, which they do not look at.
        if goal in premises or any(has_counterexample(p) and leaf_of(p) is None for p in premises):
            return None
        steps = []
        for p in premises:
            step = self.prove(p, effort, depth + 1)
            if step is None:
                return None
            steps.append(step)
        return Move(rule, parameters, tuple(steps))

    def by_identity(self, goal: Target) -> Move | None:
        """Both sides are the same."""
        if goal.strict or not vanishes(goal.gap, goal.domain):
            return None
        for positive in ((), positive_in(goal)):
            parameters = {"positive": list(positive)}
            try:
                if RULES["identity"](goal, parameters) == []:
                    return Move("identity", parameters)
            except _FAILURES:
                continue
        return None

    def by_factors(self, goal: Target, effort: int, depth: int) -> Move | None:
        for proposal in factor_forms(goal):
            ((_, factors),) = proposal.parameters["terms"]
            if len(factors) == 1 and factors[0][1] == 1:
                continue
            if proposal.parameters["positive"] and not effort:
                continue
            step = self.finished(goal, proposal.rule, proposal.parameters, effort, depth)
            if step is not None:
                return step
        return None

    def by_sum(self, goal: Target, effort: int, depth: int) -> Move | None:
        if (goal, effort) in self.tried:
            return None
        self.tried.add((goal, effort))
        kinds = (False, True) if effort >= 2 else (effort == 1,)
        for question in chain.from_iterable(self.questions(goal, late) for late in kinds):
            try:
                terms = representation(question, goal.strict, self.deadline, effort)
            except _FAILURES:
                continue
            if terms is None:
                continue
            parameters = {"terms": terms, "positive": list(question.positive)}
            step = self.finished(goal, "combine", parameters, effort, depth)
            if step is not None:
                return step
        return None

    def questions(self, goal: Target, late: bool) -> Iterator[Question]:
        """Each is put once, and no sooner than it is needed."""
        known, rest = self.asked.setdefault((goal, late), ([], questions(goal, late)))
        yield from known
        for question in rest:
            known.append(question)
            yield question

    def by_squaring(self, goal: Target, effort: int, depth: int) -> Move | None:
        """A root on one side, the rest on the other, and both squared."""
        for positive in dict.fromkeys(((), under_roots(goal), positive_in(goal))):
            try:
                question = Question(goal, positive, shifted=False)
            except _FAILURES:
                continue
            for parameters in squared(question):
                step = self.finished(goal, "increasing", parameters, effort, depth)
                if step is not None:
                    return step
        return None

    def by_contradiction(self, goal: Target, depth: int) -> Move | None:
        """The negation leaves no point, or is a factor that helps."""
        try:
            (where_it_fails,) = RULES["otherwise"](goal, {})
            RULES["infeasible"](where_it_fails, {})
            return Move("otherwise", {}, (Move("infeasible"),))
        except _FAILURES:
            return self.finished(goal, "otherwise", {}, 2, depth)

    def by_splitting(self, goal: Target, depth: int) -> Move | None:
        """Cut an interval in two: the ranges of all atoms get narrower."""
        free = goal.gap.free_symbols & set(goal.domain.variables)
        for v in sorted(free, key=str):
            for at in cuts_of(goal.domain.intervals[v])[:2]:
                cut = {"variable": v, "at": at}
                step = self.finished(goal, "split", cut, 2 + (len(free) == 1), depth)
                if step is not None:
                    return step
        return None


def cuts_of(interval: Interval) -> list[Rational]:
    """Simple numbers inside an interval, the middle first."""
    lower, upper = interval.lower, interval.upper
    if lower.is_Rational and upper.is_Rational:
        return [(lower + upper) / 2]
    return [p for p in simple_points(interval) if p not in (lower, upper)]


def questions(goal: Target, late: bool) -> Iterator[Question]:
    """The goal over its atoms, measured from their ends or as they are, roots whole or taken apart; those with
    logarithms taken apart too come late."""
    early = dict.fromkeys(((), under_roots(goal)))
    for positive in early if not late else {positive_in(goal): None}.keys() - early.keys():
        before = None
        for shifted in (True, False):
            try:
                question = Question(goal, positive, shifted)
            except _FAILURES:
                continue
            if before is None or before != question.shift:
                yield question
            before = question.shift


def squared(question: Question) -> Iterator[dict[str, Any]]:
    """Ways to isolate a square root of the target."""
    factor: Expr = Integer(1)
    for f, e, _ in question.scale:
        factor /= f**e
    roots: dict[int, Expr | None] = {i: None for i, (p, _) in question.rewriting.items() if p == 2}
    for i, inside in (roots | question.quotients).items():
        with_root = {m: c for m, c in question.target.items() if m[i] == 1}
        rest = {m: c for m, c in question.target.items() if m[i] == 0}
        if not with_root or len(with_root) + len(rest) < len(question.target):
            continue
        for upper, lower in ((rest, with_root), (with_root, rest)):
            above = question.expression(upper)
            if has_counterexample(sign_goal(above, question.domain, ">=")):
                continue
            yield {
                "function": "square", "lower": -question.expression(lower), "upper": above,
                "images": (_square_of(question, lower, i, inside),
                           _square_of(question, upper, i, inside)),
                "factor": factor, "positive": list(question.positive),
            }


def _square_of(question: Question, p: Poly, i: int, inside: Expr | None) -> Expr:
    """The square, in which the root of that place does not occur any more."""
    factor: Expr = Integer(1)
    if inside is not None and all(m[i] == 1 for m in p):
        p, factor = {(*m[:i], 0, *m[i + 1 :]): c for m, c in p.items()}, inside
    return factor * question.expression(question.reduced(times(p, p)))


# --- sums ---------------------------------------------------------------------------------------


def representation(
    question: Question, strict: bool, deadline: float, effort: int
) -> list[Term] | None:
    """Terms that add up to the gap, sought with more and more candidates."""
    if not question.target:
        return None
    one = [Known((), {question.one: fmpq(1)}, True)]
    multiples = [*one, *multipliers(question)]
    # Of the others a sum may be positive, though none of them need be.
    positive = [k for k in multiples if k.strict]
    plans = [(one, 1, 0), (one, 2, 0), (positive, 1, 0)]
    if effort >= 2:
        plans = [(one, 1, ROUNDS), (positive, 2, 0), (multiples, 2, 0), (one, 3, 0), (one, 2, ROUNDS)]
    for targets, level, rounds in plans:
        if is_past(deadline):
            return None
        columns = candidates(question, targets, level, deadline)
        found = weighed(question, targets, columns, strict, deadline, rounds)
        if found is not None:
            return found
    return None


def multipliers(question: Question) -> Iterator[Known]:
    """Positive factors by which the gap may be multiplied before it is represented."""
    for i, atom in enumerate(question.atoms):
        if atom.sign:
            m = (*question.one[:i], 1, *question.one[i + 1 :])
            found = question.monomial(m)
            if found is not None:
                yield found
    yield from question.known
    denominators = list(question.denominators.values())[:4]
    yield from denominators
    for a, b in combinations(denominators, 2):
        yield question.product(a, b)


def candidates(
    question: Question, targets: Sequence[Known], level: int, deadline: float
) -> list[Known]:
    """Products of what is known with monomials, where they meet the monomials of the target."""
    one = Known((), {question.one: fmpq(1)}, True)
    bases: list[Known] = [one]
    for n in range(1, level + 1):
        if n == 3 and len(question.known) > 9:
            continue
        for chosen in combinations_with_replacement(question.known, n):
            product = one
            try:
                for k in chosen:
                    product = question.product(product, k)
            except GivenUp:
                continue
            bases.append(product)
            if is_past(deadline):
                break
    support: dict[Exponents, None] = {}
    for t in targets:
        support.update(dict.fromkeys(question.reduced(times(t.poly, question.target))))
    found: dict[tuple[int, Exponents], Known] = {}
    for wave in range(2):
        places = list(support)
        for b, base in enumerate(bases):
            if wave and b > len(question.known):
                break
            for s in places:
                for h in base.poly:
                    m = tuple(map(int.__sub__, s, h))
                    if (b, m) in found or min(m, default=0) < 0:
                        continue
                    monomial = question.monomial(m)
                    if monomial is not None:
                        found[b, m] = question.product(monomial, base)
                        support.update(dict.fromkeys(found[b, m].poly))
            if len(found) > MOST_COLUMNS or is_past(deadline):
                break
        if len(found) > MOST_COLUMNS // 4:
            break
    columns = list(found.values())
    columns += question.vanishing(support)
    columns += simple_squares(question, targets)
    return _useful(columns, [*(times(t.poly, question.target) for t in targets), *question.equations])


def _useful(columns: list[Known], others: Sequence[Any]) -> list[Known]:
    """Without those that have a monomial which nothing else could cancel.

    Each that goes may leave others alone with one of their monomials, which then go, too; the order does not matter.
    """
    fixed = {m for p in others for m in p}
    #: of a monomial: the columns with it, and how many of them have it with either sign
    having: dict[Exponents, list[int]] = {}
    up: Counter[Exponents] = Counter()
    down: Counter[Exponents] = Counter()
    rising: list[list[tuple[Exponents, bool]]] = []
    for place, k in enumerate(columns):
        rising.append([(m, c > 0) for m, c in k.poly.items() if m not in fixed])
        for m, is_up in rising[-1]:
            having.setdefault(m, []).append(place)
            (up if is_up else down)[m] += 1
    going = [place for place, k in enumerate(columns) if not k.poly]
    going += [place for m, places in having.items() if not (up[m] and down[m]) for place in places]
    gone = set(going)
    going = list(gone)
    while going:
        for m, is_up in rising[going.pop()]:
            side = up if is_up else down
            side[m] -= 1
            if not side[m]:
                alone = [place for place in having[m] if place not in gone]
                gone.update(alone)
                going += alone
    return [k for place, k in enumerate(columns) if place not in gone]


def weighed(
    question: Question, targets: Sequence[Known], columns: list[Known], strict: bool,
    deadline: float, rounds: int,
) -> list[Term] | None:
    multiples = [question.reduced(times(t.poly, question.target)) for t in targets]
    free = equation_columns(question, multiples, columns)
    for turn in range(rounds + 1):
        positive = {i for i, k in enumerate(columns) if k.strict} if strict else None
        rows = square_rows(question) if rounds else ()
        weighing = Weighing(multiples, [k.poly for k in columns], free, positive, rows)
        weights = weighing.exact()
        if weights is not None:
            return _terms(question, targets, columns, weights.targets, weights.columns)
        if turn == rounds or not weighing.found or is_past(deadline):
            return None
        better = better_squares(question, weighing.prices)
        if not better:
            return None
        columns = [*columns, *better]
    return None


def equation_columns(
    question: Question, targets: Sequence[Any], columns: Sequence[Known]
) -> list[Any]:
    """The polynomials that vanish, times monomials, where they meet the others."""
    if not question.equations:
        return []
    places = dict.fromkeys(m for p in (*targets, *(k.poly for k in columns)) for m in p)
    found: dict[tuple[int, Exponents], Any] = {}
    for e, equation in enumerate(question.equations):
        lead = max(equation, key=sum)
        for s in places:
            m = tuple(map(int.__sub__, s, lead))
            if min(m) >= 0:
                found[e, m] = question.reduced(times({m: fmpq(1)}, equation))
    return list(found.values())[:MOST_COLUMNS]


def _terms(
    question: Question, targets: Sequence[Known], columns: Sequence[Known],
    shares: dict[int, fmpq], weights: dict[int, fmpq],
) -> list[Term]:
    """The gap is the sum of the columns over the scale and the multiplier."""
    below = list(question.scale)
    if set(shares) != {0}:
        multiplier: Expr = Integer(0)
        for t, c in shares.items():
            part: Expr = _rational(c)
            for f, e, _ in targets[t].factors:
                part *= f**e
            multiplier += part
        below.append((multiplier, 1, ">"))
    share = shares[0] if set(shares) == {0} else fmpq(1)
    over: list[Factor] = [(f, -e, s) for f, e, s in below]
    return [
        (_rational(c / share), _merged((*columns[j].factors, *over))) for j, c in weights.items()
    ]


def _merged(factors: Iterable[Factor]) -> list[Factor]:
    """Equal factors put together, numbers among them left to the coefficient's identity."""
    exponents: dict[Expr, int] = {}
    signs: dict[Expr, str] = {}
    for f, e, s in factors:
        exponents[f] = exponents.get(f, 0) + e
        signs[f] = max(signs.get(f, ""), s, key=len) if ">" not in (signs.get(f), s) else ">"
    return [
        (f, e, signs[f] if e % 2 or e < 0 or signs[f] == ">" else "")
        for f, e in exponents.items() if e
    ]


def _rational(c: fmpq) -> Rational:
    return Rational(int(c.p), int(c.q))
