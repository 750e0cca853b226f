r"""A product is bounded factor by factor: each factor on the left by a multiple of one on the right.

Factors that occur on both sides cancel. What is left over on the left must be bounded, what is left
over on the right bounded from below.

>>> from sympy import exp, log, sqrt
>>> from symdp.domain import Domain
>>> from symdp.notation import k, slack, x
>>> from symdp.parsing import parse_conditions
>>> where = [r for w in ("0 < slack <= 1/2", "k >= 1", "0 < x <= 1") for r in parse_conditions(w)]
>>> q = Question(k * log(2 / slack) * (exp(x) - 1), "O", k * x * log(1 / slack), Domain.of(where))
>>> print(bound_factorwise(q, budget=10))
log(2/slack) <= 2*log(1/slack) and exp(x) - 1 <= 2*x, factor by factor
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy
from sympy import Expr, Integer, Mul, Rational

from symdp.domain import Domain
from symdp.expansions.question import Question, about
from symdp.expansions.termwise import CONSTANTS, largest_ratio
from symdp.proving.certificate import FORMAT, rows_of, versions
from symdp.proving.deadline import clock
from symdp.proving.enclosure import Undefined, Unsupported
from symdp.proving.evidence import Evidence
from symdp.proving.kernel import Goal, Proof, Rejected, Step, range_on, verify
from symdp.proving.settling import NotDefined, settle_relation
from symdp.relation import Relation
from symdp.text import to_text

_SEAL = object()
ONE = Integer(1)
#: Pairs of places of factors, -1 standing for the number 1, each with a constant.
Pairs = tuple[tuple[int, int, Rational], ...]


class Factorwise(Evidence):
    """Inequalities between factors, proved by the kernel. Made by :func:`factorwise` alone."""

    def __init__(self, question: Question, closeness: Rational, plans: Sequence[Pairs],
                 proofs: Sequence[Proof], seal: object = None) -> None:
        if seal is not _SEAL:
            raise TypeError("only `factorwise` makes a Factorwise")
        self.question, self.closeness = question, closeness
        self.plans, self.proofs = tuple(plans), tuple(proofs)
        self.trust = frozenset().union(*(p.trust for p in proofs))
        self.boxes = sum(p.boxes for p in proofs)

    def constants(self) -> list[Rational]:
        """For each direction, C in left <= C*right."""
        return [sympy.prod([c for _, _, c in pairs]) for pairs in self.plans]

    def __str__(self) -> str:
        parts = [f"{to_text(p.goal.left)} {p.goal.op} {to_text(p.goal.right)}" for p in self.proofs]
        return f"{' and '.join(parts)}, factor by factor" if parts else "both sides have the same factors"

    def certificate(self, name: str) -> dict[str, Any]:
        pairs = [[[i, j, str(c)] for i, j, c in plan] for plan in self.plans]
        return {"format": FORMAT, "kind": "order", "name": name, "claim": str(self.question),
                "closeness": str(self.closeness), "pairs": pairs,
                "parts": [rows_of(p.step) for p in self.proofs],
                "trust": sorted(self.trust), "versions": versions()}

    def __reduce__(self) -> tuple[Callable[..., Factorwise], tuple[Any, ...]]:
        steps = tuple(p.step for p in self.proofs)
        return factorwise, (self.question, self.closeness, self.plans, steps)


def factorwise(
    question: Question, closeness: Rational, plans: Sequence[Pairs], steps: Sequence[Step]
) -> Factorwise:
    """The evidence that steps for the factors make, or Rejected."""
    goals = goals_of(question, closeness, plans)
    if len(goals) != len(steps):
        raise Rejected(f"there are {len(goals)} inequalities, and {len(steps)} were shown")
    proofs = [verify(goal, step) for goal, step in zip(goals, steps, strict=True)]
    return Factorwise(question, closeness, plans, proofs, _SEAL)


def _directions(question: Question) -> list[tuple[list[Expr], list[Expr]]]:
    """The factors of both sides without the common ones, once or in both directions."""
    if question.order not in ("O", "Theta"):
        raise Rejected("factor by factor only O and Theta are shown")
    left, right = list(Mul.make_args(question.left)), list(Mul.make_args(question.right))
    for factor in list(left):
        if factor in right:
            left.remove(factor)
            right.remove(factor)
    return [(left, right)] if question.order == "O" else [(left, right), (right, left)]


def goals_of(question: Question, closeness: Rational, plans: Sequence[Pairs]) -> list[Goal]:
    """a_i <= C b_j for the pairs; every factor is used once, and none is negative."""
    near, goals = question.near(closeness), []
    directions = _directions(question)
    if len(plans) != len(directions) or closeness <= 0:
        raise Rejected("the plan does not fit the claim")
    for factor in {*Mul.make_args(question.left), *Mul.make_args(question.right)}:
        if not range_on(factor, near).is_nonnegative():
            raise Rejected(f"the factor {factor} may be negative")
    for pairs, (factors, others) in zip(plans, directions, strict=True):
        used = sorted(i for i, _, _ in pairs if i >= 0), sorted(j for _, j, _ in pairs if j >= 0)
        if used != (list(range(len(factors))), list(range(len(others)))) or any(
            c <= 0 for _, _, c in pairs
        ):
            raise Rejected("the plan does not use every factor once")
        for i, j, c in pairs:
            a, b = factors[i] if i >= 0 else ONE, c * (others[j] if j >= 0 else ONE)
            goals.append(Goal(about(near, a, b), a, "<=", b))
    return goals


def bound_factorwise(question: Question, budget: float) -> Factorwise | None:
    """Search for pairs: likeness and samples propose them, the kernel decides."""
    close, deadline = Rational(1), clock() + budget
    try:
        near, directions = question.near(close), _directions(question)
        plans: list[Pairs] = []
        steps: list[Step] = []
        for factors, others in directions:
            pairs: list[tuple[int, int, Rational]] = []
            for i, j in _paired(factors, others):
                a, b = factors[i] if i >= 0 else ONE, others[j] if j >= 0 else ONE
                found = _shown(a, b, near, (deadline - clock()) / 2)
                if found is None:
                    return None
                pairs.append((i, j, found[0]))
                steps.append(found[1])
            plans.append(tuple(pairs))
        return factorwise(question, close, plans, steps)
    except (Rejected, Undefined, Unsupported, NotDefined):
        return None


def _paired(factors: list[Expr], others: list[Expr]) -> list[tuple[int, int]]:
    """The most alike first: those with the most variables in common, of the same function."""
    ranked = sorted(
        ((-_likeness(a, b), i, j) for i, a in enumerate(factors) for j, b in enumerate(others)
         if a.free_symbols & b.free_symbols),
    )
    pairs: list[tuple[int, int]] = []
    for _, i, j in ranked:
        if all(i != p and j != q for p, q in pairs):
            pairs.append((i, j))
    alone = [(i, -1) for i in range(len(factors)) if all(i != p for p, _ in pairs)]
    spare = [(-1, j) for j in range(len(others)) if all(j != q for _, q in pairs)]
    return [*pairs, *alone, *spare]


def _likeness(a: Expr, b: Expr) -> float:
    common, both = a.free_symbols & b.free_symbols, a.free_symbols | b.free_symbols
    return len(common) / len(both) + (0.2 if a.func == b.func else 0.0)


def _shown(a: Expr, b: Expr, near: Domain, budget: float) -> tuple[Rational, Step] | None:
    here = about(near, a, b)
    size = largest_ratio(a, b, here) if here.variables else float(a / b)
    above = [c for c in CONSTANTS if c >= size * (1 - 1e-12)]
    wanted = above[:1] + above[3:4]  # a generous constant is easier to prove
    if (a / b).is_Rational:
        wanted = [a / b]
    for c in dict.fromkeys(wanted) if budget > 0 else ():
        verdict = settle_relation(Relation(a, "<=", c * b), here, budget=budget)
        if isinstance(verdict.proof, Proof):
            return c, verdict.proof.step
    return None
