r"""Settle an order relation: proved with constants, refuted along a path, or honestly undecided.

>>> from symdp.notation import eps
>>> print(order_of("k*eps*(exp(eps)-1)", "O", "k*eps^2", where=["eps > 0", "k >= 1"]).method)
along eps = 1/t, k = 1 the ratio of the two sides tends to oo
>>> order_of("k*eps*(exp(eps)-1)", "O", "k*eps^2", where=["0 < eps <= 1", "k >= 1"]).status.value
'proved'
>>> print(order_of("exp(eps)-1", "~", "eps", Regime({eps: 0}), where=["eps > 0"]))
proved: the ratio of the two sides tends to 1:
(exp(eps) - 1)/eps = 1 + R, |R| <= 11/14*eps for 0 < eps <= 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from sympy import Expr, Symbol

from symdp.domain import Domain
from symdp.expansions.bounding import bound, ratio_settles
from symdp.expansions.factorwise import bound_factorwise
from symdp.expansions.paths import find_departure
from symdp.expansions.question import Question
from symdp.expansions.setting import Deeper, Narrower, NoExpansion
from symdp.expansions.termwise import bound_termwise
from symdp.parsing import parse_conditions, parse_expression
from symdp.proving.deadline import TimeIsUp, clock, hard_deadline
from symdp.proving.enclosure import Undefined, Unsupported
from symdp.proving.evidence import Evidence
from symdp.proving.kernel import Rejected
from symdp.proving.settling import DEFAULT_BUDGET
from symdp.proving.verdict import Status, Verdict
from symdp.regime import Regime
from symdp.relation import Relation
from symdp.statement import Asymptotic


def settle_order(claim: Asymptotic, *, budget: float = DEFAULT_BUDGET) -> Verdict:
    """The verdict on an order relation of the literature."""
    if not isinstance(claim.regime, Regime):
        return Verdict(Status.UNDECIDED, "the regime is given in words only")
    question = Question.of(claim.left, claim.order, claim.right, claim.regime, claim.domain)
    return decide(question, budget)


def order_of(
    left: str | Expr,
    order: str,
    right: str | Expr,
    regime: Regime | None = None,
    *,
    where: Iterable[str | Relation] = (),
    integer: Iterable[str | Symbol] = (),
    budget: float = DEFAULT_BUDGET,
) -> Verdict:
    """Settle an order relation of one's own: ``order`` is O, Theta, o or ~."""
    sides = [parse_expression(s) if isinstance(s, str) else s for s in (left, right)]
    regime = regime or Regime()
    relations = [r for w in where for r in (parse_conditions(w) if isinstance(w, str) else [w])]
    symbols = sides[0].free_symbols | sides[1].free_symbols | regime.symbols
    domain = Domain.of(relations, integer, symbols)
    return decide(Question.of(sides[0], order, sides[1], regime, domain), budget)


def decide(question: Question, budget: float = DEFAULT_BUDGET) -> Verdict:
    """The verdict on a question."""
    start = clock()
    try:
        with hard_deadline(4 * budget + 1):
            verdict = _decide(question, budget)
    except TimeIsUp:
        verdict = Verdict(Status.UNDECIDED, "the time was up")
    except (MemoryError, RecursionError):
        verdict = Verdict(Status.UNDECIDED, "the expression grew too large")
    return replace(verdict, seconds=clock() - start)


def _decide(question: Question, budget: float) -> Verdict:
    reason = "neither constants nor a path were found"
    if len(question.moving) == 1:
        try:
            settled = ratio_settles(question)
            return Verdict(Status.PROVED, str(settled), proof=settled)
        except (NoExpansion, Rejected, Undefined, Unsupported, Narrower, Deeper) as why:
            reason = f"{reason}; {why}"
    departure = find_departure(question)
    if departure is not None:
        return Verdict(Status.REFUTED, str(departure), witness=departure)
    for search in _searches(question):
        found = search(question, budget)
        if found is not None:
            return Verdict(Status.PROVED, str(found), proof=found, boxes=found.boxes)
    return Verdict(Status.UNDECIDED, reason)


def _searches(question: Question) -> list[Callable[[Question, float], Evidence | None]]:
    """Products by their factors, sums by their terms; then the inequality as a whole."""
    product = question.left.is_Mul and question.right.is_Mul
    return [*([bound_factorwise] if product else []), bound_termwise, bound]
