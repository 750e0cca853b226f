"""Order relations: proved or refuted by the kernel, never both."""

import json

import pytest
from order_claims import CLAIMS, old
from sympy import Integer, exp, log, oo, sqrt

from symdp.arguments.orders import explicit_constants, paths
from symdp.arguments.orders.decision import decide, decide_order, order_of
from symdp.arguments.orders.kernel_goals import formal, goal_that, untied
from symdp.arguments.orders.paths import approach, find_departure
from symdp.formulas.notation import eps, k, slack, symbol, x
from symdp.formulas.parsing import parse_conditions, parse_expression
from symdp.kernel.certificate import recheck
from symdp.kernel.rules.orders import Fails
from symdp.numbers import floating
from symdp.numbers.domain import Domain
from symdp.search.certificates import document_of
from symdp.sources.regime import Regime
from symdp.sources.statement import (
    Asymptotic,
    Source,
    Statement,
    positive,
    positive_integer,
    unit_open,
)

ZERO = Integer(0)
#: Relations that the search of old settled by an expansion that is uniform in a parameter, and that still need
#: an inequality in more than one variable from the prover.
HARD = {
    "kov/sec-1.log-gain.corrected", "kov/sec-1.small-gain", "kov/sec-3.2.order", "kov/sec-4.1.gaussian-gain",
    "kov/eq-31.order", "kov/eq-31.order.corrected, k = 2", "kov/eq-32.gain", "kov/app-c.1.variance-gain",
    "kov/sec-1.log-gain", "kov/sec-1.new-order", "kov/sec-1.new-order, simplified",
    "kov/sec-3.1.slack-order, uniformly",
}


@pytest.mark.parametrize(("left", "order", "right", "regime", "where", "verdict"),
                         [c[1:] for c in CLAIMS if c[0] not in HARD], ids=[c[0] for c in CLAIMS if c[0] not in HARD])
def test_order_relations_of_the_sources_are_settled(left, order, right, regime, where, verdict):
    whole = ["k"] if any("k >" in w for w in where) else []
    found = order_of(left, order, right, regime, where=where, integer=whole, budget=20)
    assert found.status.value == verdict, found
    # The certificate survives a trip through JSON, and a stranger accepts it.
    document = json.loads(json.dumps(document_of(found.formal, "mine")))
    assert recheck(document).goal == found.formal.goal


def order(left, kind, right, moving=None, where=("x > 0",), fixed=frozenset(), following=None):
    domain = Domain.of([r for w in where for r in parse_conditions(w)])
    return formal(left, kind, right, Regime(moving or {}, following or {}, fixed), domain)


@pytest.mark.parametrize(("left", "kind", "right", "at", "verdict"), [
    (x**2, "o", x, 0, "proved"), (x, "o", x**2, 0, "refuted"), (x, "o", 2 * x, 0, "refuted"),
    (x, "Theta", 2 * x, 0, "proved"), (x * log(x), "O", x, 0, "refuted"),
    (x * log(x), "o", sqrt(x), 0, "proved"), (x + log(x), "~", x, oo, "proved"),
    (exp(-x), "o", 1 / x**5, oo, "proved"),
    (exp(x + 1 / x), "~", exp(x), oo, "proved"), (exp(x + 1), "~", exp(x), oo, "refuted"),
])
def test_textbook_orders(left, kind, right, at, verdict):
    found = decide(order(left, kind, right, {x: Integer(at) if at != oo else oo}))
    assert found.status.value == verdict, found


def test_a_verdict_is_about_the_statement_itself():
    claim = order(exp(x) - 1, "O", x, where=["0 < x <= 1"])
    assert decide(claim).formal.goal == goal_that(claim)
    wrong = order(exp(x), "O", x, {x: ZERO})
    assert decide(wrong).formal.goal == goal_that(Fails(wrong))


def test_what_follows_stays_in_the_statement():
    c = symbol("c")
    claim = order(log(1 / slack), "Theta", log(1 / x), {x: ZERO}, ["0 < x < 1", "0 < slack < 1", "c > 0"],
                  frozenset({c}), {slack: c * x})
    assert "slack == c*x" in str(claim)
    plain, followed = untied(claim)
    assert set(followed) == {"slack"}
    assert "slack" not in str(plain)


def test_what_holds_is_not_refuted():
    assert find_departure(order(x, "O", x + 1), 2) is None
    assert find_departure(order(exp(x) - 1, "O", x, where=["0 < x <= 1"]), 2) is None


def test_a_limit_that_is_not_reached_has_no_path():
    claim = order(exp(x), "O", x, {x: oo}, ["0 < x <= 1"])
    assert approach(claim) is None
    found = decide(claim, 2)
    assert found.status.value == "undecided"
    assert "path" in found.method


def test_a_constant_that_is_not_uniform_does_not_count():
    """k*x = O(x) for fixed k, but not uniformly in k."""
    where = ["x > 0", "k >= 1"]
    for_each = decide(order(k * x, "O", x, {x: ZERO}, where, frozenset({k})))
    uniform = decide(order(k * x, "O", x, {x: ZERO}, where))
    assert (for_each.status.value, uniform.status.value) == ("proved", "refuted")


def test_a_claim_of_the_literature_is_settled_from_its_data():
    book = Source("book", "A book", "nobody2026book")
    statement = Statement(
        place=book.lemma("1"), title="Growth",
        variables={eps: positive, slack: unit_open, k: positive_integer},
        claims=(
            Asymptotic("small", "the deviation dominates", parse_expression(old), "~",
                       eps * sqrt(2 * k * log(1 / slack)),
                       Regime({eps: ZERO}, {}, frozenset({k, slack}))),
            Asymptotic("words", "only words", eps, "O", eps**2, "as $x$ grows"),
        ),
    )
    small, words = statement.claims
    assert decide_order(small).status.value == "proved"
    assert decide_order(words).status.value == "undecided"
    assert r"\varepsilon\to 0" in small._repr_markdown_()


def test_a_path_that_leaves_the_domain_is_not_walked(monkeypatch):
    y, t = symbol("y"), symbol("t")
    domain = Domain.of([r for text in ("0 < x <= 1", "y >= 0", "x*y^2 <= 1") for r in parse_conditions(text)])
    conditions = paths._conditions(domain)

    def leaves(*ways):
        return paths._leaves(conditions, [floating.function(way, [t]) for way in ways])

    assert leaves(t, ZERO)
    assert leaves(1 / t, t)
    assert not leaves(1 / t**2, t)  # on its border
    assert not leaves(1 / t, log(t))
    walked = []
    monkeypatch.setattr(paths, "_departing", lambda order, ways, budget: walked.append(ways))
    find_departure(order(x * y, "O", x, where=["0 < x <= 1", "y > 0", "x*y <= 1", "y <= x"]), 2)  # y is at most 1
    assert walked == []
    find_departure(order(x * y, "O", x, where=["0 < x <= 1", "y > 0", "x*y <= 1"]), 2)
    assert {x: 1 / t, y: t} in walked


def test_constants_are_looked_at_before_one_is_sought_for_long(monkeypatch):
    asked = []
    monkeypatch.setattr(explicit_constants, "show_size", lambda goal, budget: asked.append(budget))
    claim = order(exp(x) - 1, "O", x, where=["0 < x <= 1"])
    assert explicit_constants.bound(claim, approach(claim), 30) is None
    assert asked[:3] == [explicit_constants.LOOK] * 3
    assert asked[3] > explicit_constants.LOOK
