r"""A sum is bounded term by term: each term on the left by a multiple of one term on the right.

What the prover cannot do for a whole sum in three variables, it often does at once for its terms,
after whose common factors are gone there is one variable left.

>>> from sympy import tanh
>>> from symdp.domain import Domain
>>> from symdp.notation import eps, k
>>> from symdp.parsing import parse_conditions
>>> where = [r for w in ("eps > 0", "k >= 1") for r in parse_conditions(w)]
>>> q = Question(k * eps * tanh(eps / 2) + k, "O", k * eps**2 + k, Domain.of(where))
>>> print(bound_termwise(q, budget=10))
k + eps*k*tanh(eps/2) <= 1*(k + k*eps^2) for eps > 0, k >= 1, term by term
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from sympy import Add, Expr, Rational

from symdp import floating
from symdp.domain import Domain, simple_points
from symdp.expansions.question import Question, about
from symdp.proving.certificate import FORMAT, rows_of, versions
from symdp.proving.enclosure import Undefined, Unsupported
from symdp.proving.evidence import Evidence
from symdp.proving.kernel import Goal, Proof, Rejected, Step, range_on, verify
from symdp.proving.settling import NotDefined, settle_relation
from symdp.relation import Relation
from symdp.simplest import diagonal
from symdp.text import to_text

_SEAL = object()
#: For each term of one side: the place of a term of the other side, and a constant.
Plan = tuple[tuple[int, Rational], ...]
CONSTANTS = tuple(Rational(c) for c in "1/4 1/2 1 3/2 2 3 4 6 10 20 50 100".split())


class Termwise(Evidence):
    """Inequalities between terms, proved by the kernel. Made by :func:`termwise` alone."""

    def __init__(self, question: Question, closeness: Rational, plans: Sequence[Plan],
                 proofs: Sequence[Proof], seal: object = None) -> None:
        if seal is not _SEAL:
            raise TypeError("only `termwise` makes a Termwise")
        self.question, self.closeness = question, closeness
        self.plans, self.proofs = tuple(plans), tuple(proofs)
        self.trust = frozenset().union(*(p.trust for p in proofs))
        self.boxes = sum(p.boxes for p in proofs)

    def constants(self) -> list[Rational]:
        """For each direction, C in left <= C*right: the largest sum over one term on the right."""
        return [max(sum(c for i, c in plan if i == j) for j, _ in plan) for plan in self.plans]

    def __str__(self) -> str:
        left, right = self.question.left, self.question.right
        sides = [(left, right), (right, left)]
        parts = [f"{to_text(a)} <= {c}*({to_text(b)})"
                 for (a, b), c in zip(sides, self.constants(), strict=False)]
        return f"{' and '.join(parts)} for {self.question.near(self.closeness)}, term by term"

    def certificate(self, name: str) -> dict[str, Any]:
        plans = [[[j, str(c)] for j, c in plan] for plan in self.plans]
        return {"format": FORMAT, "kind": "order", "name": name, "claim": str(self.question),
                "closeness": str(self.closeness), "plans": plans,
                "parts": [rows_of(p.step) for p in self.proofs],
                "trust": sorted(self.trust), "versions": versions()}

    def __reduce__(self) -> tuple[Callable[..., Termwise], tuple[Any, ...]]:
        steps = tuple(p.step for p in self.proofs)
        return termwise, (self.question, self.closeness, self.plans, steps)


def termwise(
    question: Question, closeness: Rational, plans: Sequence[Plan], steps: Sequence[Step]
) -> Termwise:
    """The evidence that steps for the terms make, or Rejected."""
    goals = goals_of(question, closeness, plans)
    if len(goals) != len(steps):
        raise Rejected(f"there are {len(goals)} inequalities, and {len(steps)} were shown")
    proofs = [verify(goal, step) for goal, step in zip(goals, steps, strict=True)]
    return Termwise(question, closeness, plans, proofs, _SEAL)


def _directions(question: Question) -> list[tuple[tuple[Expr, ...], tuple[Expr, ...]]]:
    """The terms on both sides, once or in both directions."""
    left, right = Add.make_args(question.left), Add.make_args(question.right)
    if question.order == "O":
        return [(left, right)]
    if question.order == "Theta":
        return [(left, right), (right, left)]
    raise Rejected("term by term only O and Theta are shown")


def goals_of(question: Question, closeness: Rational, plans: Sequence[Plan]) -> list[Goal]:
    """|a_i| <= C_i b_j for every term on the left; every term on the right must not be negative."""
    near, goals = question.near(closeness), []
    directions = _directions(question)
    if len(plans) != len(directions) or closeness <= 0:
        raise Rejected("the plan does not fit the claim")
    for plan, (terms, others) in zip(plans, directions, strict=True):
        if len(plan) != len(terms) or any(c <= 0 or not 0 <= j < len(others) for j, c in plan):
            raise Rejected("the plan does not fit the claim")
        for term in (*terms, *others):
            if not range_on(term, near).is_nonnegative():
                raise Rejected(f"the term {term} may be negative")
        goals += [Goal(about(near, a, others[j]), a, "<=", c * others[j])
                  for a, (j, c) in zip(terms, plan, strict=True)]
    return goals


def bound_termwise(question: Question, budget: float, closeness: Rational | None = None) -> Termwise | None:
    """Search for a plan: samples propose it, the kernel decides."""
    close = closeness or Rational(1)
    near = question.near(close)
    plans: list[Plan] = []
    steps: list[Step] = []
    try:
        directions = _directions(question)
        count = sum(len(terms) for terms, _ in directions)
        for terms, others in directions:
            plan: list[tuple[int, Rational]] = []
            for term in terms:
                found = _below_one(term, others, near, budget / count)
                if found is None:
                    return None
                plan.append(found[0])
                steps.append(found[1])
            plans.append(tuple(plan))
        return termwise(question, close, plans, steps)
    except (Rejected, Undefined, Unsupported, NotDefined):
        return None


def _below_one(
    term: Expr, others: Sequence[Expr], near: Domain, budget: float
) -> tuple[tuple[int, Rational], Step] | None:
    """A term on the right that bounds a term on the left, with a constant and the proof of it."""
    sampled = sorted((largest_ratio(term, other, near), j) for j, other in enumerate(others))
    for size, j in sampled[:2]:
        constants = [c for c in CONSTANTS if c >= size * (1 - 1e-12)][:2]
        for c in constants:
            here = about(near, term, others[j])
            verdict = settle_relation(Relation(term, "<=", c * others[j]), here,
                                      budget=budget / (2 * len(constants)))
            if isinstance(verdict.proof, Proof):
                return (j, c), verdict.proof.step
    return None


def largest_ratio(left: Expr, right: Expr, domain: Domain, many: int = 1500) -> float:
    """The largest ratio among simple points, in machine floats: a guess."""
    variables = domain.variables
    choices = [simple_points(domain.intervals[v], v in domain.integers)[:14] for v in variables]
    ratio = floating.function(left / right, variables)
    largest = 0.0
    for place in islice(diagonal(choices), many):
        value = ratio([float(u) for u in place])
        if math.isnan(value) or value <= largest:
            continue
        if not domain.conditions or domain.contains(dict(zip(variables, place, strict=True))):
            largest = value
    return largest
