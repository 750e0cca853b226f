r"""Order relations as goals of the kernel.

The formal statement is the printed one: a variable that follows others is tied to them by a hypothesis, and
nothing is substituted or simplified.

>>> from sympy import Integer, log
>>> from symdp.formulas.notation import delta, eps, symbol
>>> from symdp.formulas.parsing import parse_conditions
>>> where = [r for w in ("eps > 0", "delta > 0", "c > 0") for r in parse_conditions(w)]
>>> regime = Regime({eps: Integer(0)}, {delta: symbol("c") * eps}, frozenset({symbol("c")}))
>>> statement = formal(log(delta), "~", log(eps), regime, Domain.of(where))
>>> str(statement).partition(" with ")[2]
'c > 0, delta > 0, eps > 0, delta == c*eps'
"""

from __future__ import annotations

from sympy import Expr, oo

from symdp.formulas.translation import term_of
from symdp.kernel.goals import Goal, IllFormed
from symdp.kernel.goals import Relation as KernelRelation
from symdp.kernel.proof import Step
from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves
from symdp.kernel.rules.orders import KINDS, Fails, Order
from symdp.kernel.terms import Term, substitute
from symdp.numbers.domain import Domain, hypotheses_of, sorts_of
from symdp.search.elaboration.derived_rules import RULES
from symdp.sources.regime import Regime


def formal(left: Expr, kind: str, right: Expr, regime: Regime, domain: Domain) -> Order:
    """The formal statement that ``left`` is of that order in a regime."""
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is no order; there are {', '.join(KINDS)}")
    for v in sorted((left.free_symbols | right.free_symbols | regime.symbols) - set(domain.variables), key=str):
        raise ValueError(f"nothing says where {v} lives")
    tied = tuple(KernelRelation(term_of(v), "==", term_of(e)) for v, e in regime.following.items())
    moving = tuple((str(v), None if at == oo else term_of(at)) for v, at in regime.moving.items())
    fixed = tuple(sorted(str(v) for v in regime.fixed))
    hypotheses = (*hypotheses_of(domain), *tied)
    return Order(term_of(left), kind, term_of(right), moving, fixed, sorts_of(domain),
                 tuple(h for h in hypotheses if isinstance(h, KernelRelation)))


def goal_that(claim: Order | Fails) -> Goal:
    """The goal that says no more than the order relation, which brings everything with it."""
    return Goal((), (), claim)


def left_open(claim: Order | Fails, rule: str, **parameters: object) -> list[Goal]:
    """What a rule leaves open of a statement; Rejected where it does not apply."""
    return RULES[rule](goal_that(claim), parameters)


def untied(order: Order) -> tuple[Order, dict[str, Term]]:
    """The order without the variables that follow others, and what those are, each in terms of the rest."""
    followed: dict[str, Term] = {}
    while True:
        found = _following(order)
        if found is None:
            return order, followed
        name, meaning = found
        followed = {n: substitute(t, {name: meaning}) for n, t in followed.items()} | {name: meaning}
        (rest,) = left_open(order, "order-follow", variable=name)
        if not isinstance(rest.claim, Order):
            raise IllFormed(f"without {name} the order is none")
        order = rest.claim


def _following(order: Order) -> tuple[str, Term] | None:
    for h in order.hypotheses:
        for a, b in ((h.left, h.right), (h.right, h.left)):
            if h.op == "==" and a.head == "variable" and a.value not in b.variables:
                name = str(a.value)
                if name not in order.fixed and name not in dict(order.moving):
                    return name, b
    return None


def behind(followed: dict[str, Term], last: Step) -> Step:
    """The step for the whole order, from one for the order without what follows."""
    for name in reversed(followed):
        last = Step("order-follow", {"variable": name}, (last,))
    return last
