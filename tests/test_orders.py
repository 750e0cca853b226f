"""Order relations: proved with explicit constants, refuted along a path, never both."""

import json

import pytest
from order_claims import CLAIMS, old
from symdp.expansions.certificates import replay
from symdp.expansions.question import Question
from symdp.expansions.termwise import Termwise
from symdp.proving.certificate import BadCertificate
from sympy import Integer, exp, log, oo, sqrt

from symdp.domain import Domain
from symdp.expansions.bounding import Bounded, Settled
from symdp.expansions.paths import Departure, contradicts, depart, find_departure
from symdp.expansions.settling import decide, order_of, settle_order
from symdp.notation import eps, k, slack, symbol, x
from symdp.parsing import parse_conditions, parse_expression
from symdp.proving.kernel import Rejected
from symdp.regime import Regime
from symdp.statement import Asymptotic, Source, Statement, positive, positive_integer, unit_open

ZERO = Integer(0)


@pytest.mark.parametrize(("left", "order", "right", "regime", "where", "verdict"),
                         [c[1:] for c in CLAIMS], ids=[c[0] for c in CLAIMS])
def test_order_relations_of_the_sources_are_settled(left, order, right, regime, where, verdict):
    whole = ["k"] if any("k >" in w for w in where) else []
    found = order_of(left, order, right, regime, where=where, integer=whole, budget=20)
    assert found.status.value == verdict, found
    evidence = found.proof or found.witness
    # The certificate survives a trip through JSON, and a stranger accepts it.
    document = json.loads(json.dumps(evidence.certificate("mine")))
    assert type(replay(document, evidence.question)) is type(evidence)


def question(left, order, right, moving=None, where=("x > 0",), fixed=frozenset()):
    domain = Domain.of([r for w in where for r in parse_conditions(w)])
    return Question(left, order, right, domain, moving or {}, fixed)


def test_the_three_kinds_of_evidence_and_the_path():
    near_zero = {x: ZERO}
    assert isinstance(decide(question(exp(x) - 1, "~", x, near_zero)).proof, Settled)
    both = decide(question(exp(x) - 1, "O", x, where=["0 < x <= 1"])).proof
    assert isinstance(both, (Bounded, Termwise))
    departure = decide(question(exp(x), "O", x, near_zero)).witness
    assert isinstance(departure, Departure)
    assert departure.limit == oo


@pytest.mark.parametrize(("left", "order", "right", "at", "verdict"), [
    (x**2, "o", x, 0, "proved"), (x, "o", x**2, 0, "refuted"), (x, "o", 2 * x, 0, "refuted"),
    (x, "Theta", 2 * x, 0, "proved"), (x * log(x), "O", x, 0, "refuted"),
    (x * log(x), "o", sqrt(x), 0, "proved"), (x + log(x), "~", x, oo, "proved"),
    (exp(-x), "o", 1 / x**5, oo, "proved"), (x**x, "~", 1 + x, 0, "proved"),
    (exp(x + 1 / x), "~", exp(x), oo, "proved"), (exp(x + 1), "~", exp(x), oo, "refuted"),
])
def test_textbook_orders(left, order, right, at, verdict):
    found = decide(question(left, order, right, {x: Integer(at) if at != oo else oo}))
    assert found.status.value == verdict, found


# --- paths are checked --------------------------------------------------------------------------


def test_a_path_must_stay_in_the_domain_and_obey_the_regime():
    t = symbol("t")
    q = question(exp(x), "O", Integer(1), where=["0 < x <= 1"])
    with pytest.raises(Rejected, match="keep"):
        depart(q, {x: 1 / t})
    with pytest.raises(Rejected, match="does not contradict"):
        depart(q, {x: t})
    with pytest.raises(Rejected, match="does not tend"):
        depart(question(exp(x), "O", x, {x: ZERO}), {x: 1 / t})
    with pytest.raises(Rejected, match="fixed"):
        depart(question(exp(x), "O", x, fixed=frozenset({x})), {x: 1 / t})
    with pytest.raises(TypeError):
        Departure(q, {x: t}, oo)
    whole = Question(exp(x), "O", x, Domain.of(parse_conditions("x >= 1"), ["x"]))
    with pytest.raises(Rejected, match="integer"):
        depart(whole, {x: 1 / sqrt(t)})
    assert depart(whole, {x: 1 / t}).limit == oo


def test_what_holds_is_not_refuted():
    assert find_departure(question(x, "O", x + 1)) is None
    assert find_departure(question(exp(x) - 1, "O", x, where=["0 < x <= 1"])) is None
    assert not contradicts("O", Integer(10**9))
    assert contradicts("~", Integer(2))
    assert not contradicts("Theta", Integer(2))


def test_a_constant_that_is_not_uniform_does_not_count():
    """k*x = O(x) for fixed k, but not uniformly in k."""
    where = ["x > 0", "k >= 1"]
    for_each = decide(question(k * x, "O", x, {x: ZERO}, where, frozenset({k})))
    uniform = decide(question(k * x, "O", x, {x: ZERO}, where))
    assert (for_each.status.value, uniform.status.value) == ("proved", "refuted")


def test_certificates_that_were_tampered_with_are_rejected():
    found = decide(question(exp(x) - 1, "O", x, where=["0 < x <= 1"])).proof
    document = found.certificate("mine")
    other = question(exp(x) - 1, "O", x**2, where=["0 < x <= 1"])
    with pytest.raises(BadCertificate, match="out of date"):
        replay(document, other)
    plans = [[[0, "1/2"]]]
    with pytest.raises(BadCertificate):
        replay({**document, "plans": plans}, found.question)
    with pytest.raises(BadCertificate, match="malformed"):
        replay({**document, "plans": 7}, found.question)


# --- claims -----------------------------------------------------------------------------------------


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
    assert settle_order(small).status.value == "proved"
    assert settle_order(words).status.value == "undecided"
    assert r"\varepsilon\to 0" in small._repr_markdown_()
