r"""Settle an order relation: proved or refuted by the kernel, or left undecided.

>>> from sympy import Integer
>>> from symdp.formulas.notation import eps
>>> order_of("k*eps*(exp(eps)-1)", "O", "k*eps^2", where=["eps > 0", "k >= 1"]).status.value
'refuted'
>>> order_of("k*eps*(exp(eps)-1)", "O", "k*eps^2", where=["0 < eps <= 1", "k >= 1"]).status.value
'proved'
>>> order_of("exp(eps)-1", "~", "eps", Regime({eps: Integer(0)}), where=["eps > 0"]).status.value
'proved'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from time import process_time

from sympy import Expr, Symbol

from symdp.arguments.orders.kernel_goals import behind, formal, goal_that, untied
from symdp.arguments.orders.orders_of_parts import compose
from symdp.arguments.orders.paths import approach, find_departure
from symdp.arguments.orders.ratio_limits import by_limit
from symdp.formulas.given import listed, relations_given
from symdp.formulas.parsing import parse_expression
from symdp.kernel.goals import IllFormed
from symdp.kernel.proof import Proof, Rejected
from symdp.kernel.rules.orders import Fails, Order
from symdp.kernel.terms import Term
from symdp.numbers.domain import Domain
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.search.elaboration.derived_order_rules import ratio_in
from symdp.search.elaboration.derived_rules import verify
from symdp.search.prove import DEFAULT_BUDGET
from symdp.search.reasons import Piece, Reason
from symdp.search.verdict import Departure, Status, Verdict
from symdp.sources.regime import Regime
from symdp.sources.statement import Asymptotic


def decide_order(claim: Asymptotic, *, budget: float = DEFAULT_BUDGET) -> Verdict:
    """The verdict on an order relation of the literature."""
    if not isinstance(claim.regime, Regime):
        return Verdict(Status.UNDECIDED, "the regime is given in words only")
    return decide(formal(claim.left, claim.order, claim.right, claim.regime, claim.domain), budget)


def order_of(
    left: str | Expr,
    order: str,
    right: str | Expr,
    regime: Regime | None = None,
    *,
    where: object = (),
    integer: Iterable[str | Symbol] = (),
    budget: float = DEFAULT_BUDGET,
) -> Verdict:
    """Settle an order relation of one's own: ``order`` is O, Theta, o or ~."""
    sides = [parse_expression(s) if isinstance(s, str) else s for s in (left, right)]
    regime = regime or Regime()
    relations = relations_given(*listed(where), conditions=True).relations
    symbols = sides[0].free_symbols | sides[1].free_symbols | regime.symbols
    domain = Domain.of(relations, integer, symbols)
    return decide(formal(sides[0], order, sides[1], regime, domain), budget)


def decide(order: Order, budget: float = DEFAULT_BUDGET) -> Verdict:
    """The verdict on a formal order relation."""
    begun = process_time()
    try:
        with hard_deadline(4 * budget + 1):
            verdict = _decide(order, budget)
    except TimeIsUp:
        verdict = Verdict(Status.UNDECIDED, "the time was up")
    except (MemoryError, RecursionError):
        verdict = Verdict(Status.UNDECIDED, "the expression grew too large")
    return replace(verdict, seconds=process_time() - begun)


def _decide(order: Order, budget: float) -> Verdict:
    try:
        plain, followed = untied(order)
    except (Rejected, IllFormed, ArithmeticError) as reason:
        return Verdict(Status.UNDECIDED, str(reason))
    walk = approach(plain)
    if walk is None:
        return Verdict(Status.UNDECIDED, "no path was found on which the limit is approached")
    step = by_limit(plain, walk, budget)
    if step is None:
        departure = find_departure(order, budget)
        if departure is not None:
            return Verdict(Status.REFUTED, told(departure), witness=Departure(departure))
        step = compose(plain, walk, 3 * budget)
    if step is None:
        return Verdict(Status.UNDECIDED, "neither constants nor a path were found")
    proof = verify(goal_that(order), behind(followed, step))
    return Verdict(Status.PROVED, told(proof), proof=proof)


def told(proof: Proof) -> Reason:
    """The proof of an order, or of its failure, in one line."""
    step, by_ratio = proof.step, False
    rows: list[tuple[Piece, ...]] = []
    if isinstance(proof.goal.claim, Fails):
        along = "along ", step.parameters["path"]
        if (ratio := ratio_in(step)) is not None:
            return Reason.of(*along, " the ratio of the two sides is ", ratio)
        return Reason.of(*along, " the ratio of the two sides outgrows ", step.parameters["growth"])
    stack = [step]
    while stack:
        s = stack.pop()
        if (ratio := ratio_in(s)) is not None:
            by_ratio = True
            rows.append(("the ratio of the two sides is ", ratio, ", which has a limit"))
        elif s.rule == "order-bounded":
            rows.append(("with ", *_listed(s.parameters["factors"])))
        stack.extend(p for p in reversed(s.premises) if p.rule.startswith("order"))
    if len(rows) == 1:
        (row,) = rows
        return Reason.of(*row) if by_ratio else Reason.of("an inequality ", *row)
    manner = {"order-product": "factor by factor ", "order-sum": "term by term "}
    how = next((manner[r] for r in ("order-product", "order-sum") if r in proof.rules), "")
    (first, *rest) = dict.fromkeys(rows)
    return Reason(((f"inequalities {how}", *first), *rest))


def _listed(terms: Iterable[Term]) -> Iterator[Piece]:
    """The terms with commas between them."""
    for i, term in enumerate(terms):
        if i:
            yield ", "
        yield term
