r"""Order relations that hold: explicit constants on an explicit neighbourhood.

Two kinds of evidence, each made by one checking function alone. A :class:`Bounded` order is an
inequality ``|left| <= C*right`` (for ``o`` and ``~`` with a factor that tends to 0) on the part of the
domain near the limit, proved by the kernel. A :class:`Settled` order is an expansion of the ratio of the
two sides in the one variable that moves: its leading term is the limit, its remainder is bounded.

>>> from sympy import Integer, exp
>>> from symdp.notation import x
>>> from symdp.parsing import parse_conditions
>>> q = Question(exp(x) - 1, "O", x, Domain.of(parse_conditions("0 < x <= 1")))
>>> print(bound(q, budget=10))
exp(x) - 1 <= 2*x for 0 < x <= 1
>>> q = Question(exp(x) - 1, "~", x, Domain.of(parse_conditions("x > 0")), {x: Integer(0)})
>>> print(ratio_settles(q).ratio)
(exp(x) - 1)/x = 1 + R, |R| <= 11/14*x for 0 < x <= 1
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, Rational, oo

from symdp.domain import Domain
from symdp.expansions.expanding import expand
from symdp.expansions.expansion import Expansion
from symdp.expansions.leading import limit_at
from symdp.expansions.question import Question, distance
from symdp.expansions.termwise import largest_ratio
from symdp.proving.certificate import FORMAT, encode, rows_of, versions
from symdp.proving.enclosure import Range, Undefined, Unsupported
from symdp.proving.evidence import Evidence
from symdp.proving.identity import identical
from symdp.proving.kernel import Goal, Proof, Rejected, Step, range_on, verify
from symdp.proving.settling import NotDefined, settle_relation
from symdp.relation import Relation
from symdp.text import to_text

_SEAL = object()
#: Constants that are tried, beginning with the first that no sample contradicts.
CONSTANTS = tuple(Rational(c) for c in (
    "1/1000 1/100 1/50 1/20 1/10 1/8 1/5 1/4 1/3 1/2 2/3 1 3/2 2 3 4 5 6 8 10 16 20 32 50 100 200 500 1000"
).split())
CLOSENESS = tuple(Rational(c) for c in ("1 1/4 1/16 1/100 1/1000").split())


# --- by inequalities ------------------------------------------------------------------------------


class Bounded(Evidence):
    """Inequalities with explicit constants, proved by the kernel. Made by :func:`bounded` alone."""

    def __init__(self, question: Question, constants: Sequence[Rational], closeness: Rational,
                 factor: Expr, proofs: Sequence[Proof], seal: object = None) -> None:
        if seal is not _SEAL:
            raise TypeError("only `bounded` makes a Bounded")
        self.question, self.constants, self.closeness = question, tuple(constants), closeness
        self.factor, self.proofs = factor, tuple(proofs)
        self.trust = frozenset().union(*(p.trust for p in proofs))
        self.boxes = sum(p.boxes for p in proofs)

    def __str__(self) -> str:
        return " and ".join(str(p.goal) for p in self.proofs)

    def certificate(self, name: str) -> dict[str, Any]:
        return {"format": FORMAT, "kind": "order", "name": name, "claim": str(self.question),
                "constants": [str(c) for c in self.constants], "closeness": str(self.closeness),
                "factor": encode(self.factor),
                "parts": [rows_of(p.step) for p in self.proofs],
                "trust": sorted(self.trust), "versions": versions()}

    def __reduce__(self) -> tuple[Callable[..., Bounded], tuple[Any, ...]]:
        steps = tuple(p.step for p in self.proofs)
        return bounded, (self.question, self.constants, self.closeness, self.factor, steps)


def bounded(
    question: Question, constants: Sequence[Rational], closeness: Rational, factor: Expr,
    steps: Sequence[Step],
) -> Bounded:
    """The evidence that steps for the inequalities make, or Rejected."""
    goals = goals_of(question, constants, closeness, factor)
    if len(goals) != len(steps):
        raise Rejected(f"there are {len(goals)} inequalities, and {len(steps)} were shown")
    proofs = [verify(goal, step) for goal, step in zip(goals, steps, strict=True)]
    return Bounded(question, constants, closeness, factor, proofs, _SEAL)


def goals_of(
    question: Question, constants: Sequence[Rational], closeness: Rational, factor: Expr
) -> list[Goal]:
    """What has to be shown: one inequality, or two for Theta, and that the vanishing factor is one
    of those that vanish."""
    if closeness <= 0 or any(c <= 0 for c in constants):
        raise Rejected("constants are positive")
    near = question.near(closeness)
    left, right = question.left, question.right
    if question.order in ("o", "~"):
        if factor not in vanishing_factors(question):
            raise Rejected(f"{factor} is not seen to vanish")
        gap = left if question.order == "o" else left - right
        return [Goal(near, _size(gap, near), "<=", constants[0] * factor * _size(right, near))]
    if factor not in fixed_factors(question):
        raise Rejected(f"{factor} is no constant")
    sides = [(left, right)] if question.order == "O" else [(left, right), (right, left)]
    return [Goal(near, _size(a, near), "<=", c * factor * _size(b, near))
            for (a, b), c in zip(sides, constants, strict=True)]


def vanishing_factors(question: Question) -> list[Expr]:
    found: list[Expr] = []
    for v, limit in question.moving.items():
        step = distance(v, limit)
        found += [step, sympy.sqrt(step)]
    return found


def fixed_factors(question: Question) -> list[Expr]:
    """By what a constant may grow with a variable that is fixed; each is defined and positive for v > 0,
    and where it is not, no inequality with it is proved."""
    found: list[Expr] = [Integer(1)]
    for v in sorted(question.fixed, key=str):
        found += [sympy.log(sympy.E + 1 / v), 1 / v, v, 1 + v]
    return found


def _size(e: Expr, domain: Domain) -> Expr:
    """|e|, without the bars where the sign is plain."""
    try:
        r = range_on(e, domain)
    except (Undefined, Unsupported):
        return sympy.Abs(e)
    return e if r.is_nonnegative() else -e if r.is_nonpositive() else sympy.Abs(e)


def bound(question: Question, budget: float) -> Bounded | None:
    """Search for constants: samples propose them, the kernel decides.

    They hold uniformly, and so also for each value of a fixed variable.
    """
    factors = (vanishing_factors if question.order in ("o", "~") else fixed_factors)(question)
    places = CLOSENESS if question.moving else CLOSENESS[:1]
    share = budget / 2
    for factor in factors:
        for closeness in places:
            constants = _proposed(question, closeness, factor)
            if constants is None:
                continue
            found = _attempt(question, constants, closeness, factor, share)
            if found is not None:
                return found
            break  # samples agree, the prover did not: a smaller neighbourhood rarely helps it
    return None


def _attempt(
    question: Question, proposed: list[list[Rational]], closeness: Rational, factor: Expr,
    budget: float,
) -> Bounded | None:
    constants: list[Rational] = []
    steps: list[Step] = []
    for i, candidates in enumerate(proposed):
        for c in candidates:
            trial = [*constants, c, *(later[0] for later in proposed[i + 1:])]
            goal = goals_of(question, trial, closeness, factor)[i]
            relation = Relation(goal.left, "<=", goal.right)
            try:
                verdict = settle_relation(relation, goal.domain, budget=budget / len(candidates))
            except NotDefined:
                return None
            if isinstance(verdict.proof, Proof):
                constants.append(c)
                steps.append(verdict.proof.step)
                break
        else:
            return None
    try:
        return bounded(question, constants, closeness, factor, steps)
    except Rejected:
        return None


def _proposed(
    question: Question, closeness: Rational, factor: Expr
) -> list[list[Rational]] | None:
    """For each inequality a few constants that no sample contradicts; None if there are none."""
    near = question.near(closeness)
    ones = [Integer(1)] * (2 if question.order == "Theta" else 1)
    try:
        goals = goals_of(question, ones, closeness, factor)
    except Rejected:
        return None
    found: list[list[Rational]] = []
    for goal in goals:
        largest = largest_ratio(goal.left, goal.right, near)
        above = [c for c in CONSTANTS if c >= largest * (1 - 1e-12)]
        if not above:
            return None
        found.append(above[:3])
    return found


# --- by an expansion of the ratio -----------------------------------------------------------------


class Settled(Evidence):
    """An expansion of the ratio of the two sides. Made by :func:`ratio_settles` alone."""

    trust = frozenset({"Arb"})

    def __init__(self, question: Question, ratio: Expansion, limit: Expr, seal: object = None) -> None:
        if seal is not _SEAL:
            raise TypeError("only `ratio_settles` makes a Settled")
        self.question, self.ratio, self.limit = question, ratio, limit

    def __str__(self) -> str:
        if self.ratio.is_exact and self.ratio.terms == (self.ratio.expr,):
            return f"the ratio of the two sides is {to_text(self.ratio.expr)}"
        return f"the ratio of the two sides tends to {to_text(self.limit)}: {self.ratio}"

    def certificate(self, name: str) -> dict[str, Any]:
        return {"format": FORMAT, "kind": "order", "name": name, "claim": str(self.question),
                "ratio": self.ratio.as_json(), "trust": sorted(self.trust), "versions": versions()}

    def __reduce__(self) -> tuple[Callable[..., Settled], tuple[Any, ...]]:
        return ratio_settles, (self.question,)


def ratio_settles(question: Question) -> Settled:
    """The evidence from one moving variable, uniform in the others; NoExpansion or Rejected else."""
    if len(question.moving) != 1:
        raise Rejected("an expansion needs exactly one variable that moves")
    ((v, at),) = question.moving.items()
    # Conditions only restrict where the order is claimed; what holds without them holds with them.
    interval = question.domain.intervals[v]
    side = None if at == oo else "+" if interval.lower == at else "-" if interval.upper == at else None
    uniform = [u for u in question.domain.variables if u != v and u not in question.fixed]
    where = [r for u in uniform for r in Domain({u: question.domain.intervals[u]}).relations()]
    ratio = question.left / question.right
    if v in ratio.free_symbols:
        found = expand(ratio, v, at, 1, side=side, where=where)
    elif ratio.is_finite is False or ratio is sympy.nan:
        raise Rejected("the right side is 0")
    else:
        found = Expansion(ratio, v, at, side or "+", 1, (ratio,), Integer(0), Integer(0), Rational(1))
    if not found.is_exact and limit_at(found.scale, v, at, _side(found)) != 0:
        raise Rejected(f"the remainder is of the size of {found.scale}, which does not vanish")
    if not _is_bounded(found.constant, question):
        raise Rejected(f"the constant {found.constant} is not bounded")
    limit = sympy.Add(*(_limit(term, found) for term in found.terms))
    if not agrees(question, limit):
        raise Rejected(f"the ratio tends to {limit}")
    return Settled(question, found, limit, _SEAL)


def _side(found: Expansion) -> str:
    return "-" if found.side == "-" else "+"


def _limit(term: Expr, found: Expansion) -> Expr:
    """The limit of one term of an expansion, which has to be finite."""
    c, function = term.as_independent(found.variable, as_Add=False)
    limit = limit_at(function, found.variable, found.at, _side(found))
    if limit in (oo, -oo):
        raise Rejected(f"the ratio has the term {term}, which is not bounded")
    return c * limit


def _is_bounded(e: Expr, question: Question) -> bool:
    """Whether an expression is bounded over the variables in which constants are uniform."""
    if not e.free_symbols - question.fixed:
        return True
    return _range(e, question).is_finite()


def _range(e: Expr, question: Question) -> Range:
    known = {u: i for u, i in question.domain.intervals.items() if u in e.free_symbols}
    return range_on(e, Domain(known, question.domain.integers & set(known)))


def agrees(question: Question, limit: Expr) -> bool:
    """Whether a ratio with that finite limit is of the order, for all values of the other variables."""
    if question.order == "o":
        return bool(limit == 0)
    if question.order == "~":
        return identical(limit, Integer(1))
    if not _is_bounded(limit, question):
        return False
    if question.order == "O":
        return True
    r = _range(sympy.factor_terms(limit), question)
    if limit.free_symbols - question.fixed:  # bounded away from 0, uniformly
        return bool(r.lo > 0 or r.hi < 0)
    return r.is_positive() or r.is_negative()
