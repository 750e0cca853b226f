"""Order relations: proved with explicit constants, refuted along a path, never both."""

import json

import pytest
from sympy import Integer, exp, log, oo, sqrt

from symdp.domain import Domain
from symdp.expansions.bounding import Bounded, Settled
from symdp.expansions.certificates import replay
from symdp.expansions.paths import Departure, contradicts, depart, find_departure
from symdp.expansions.question import Question
from symdp.expansions.settling import decide, order_of, settle_order
from symdp.expansions.termwise import Termwise
from symdp.notation import delta, eps, k, slack, symbol, x
from symdp.parsing import parse_conditions, parse_expression
from symdp.proving.certificate import BadCertificate
from symdp.proving.kernel import Rejected
from symdp.regime import Regime
from symdp.statement import Asymptotic, Source, Statement, positive, positive_integer, unit_open

ZERO = Integer(0)
u, c = symbol("u"), symbol("c")


def followed(**meanings):
    return {symbol(v): parse_expression(e) for v, e in meanings.items()}


def fixed(*names):
    return frozenset(symbol(n) for n in names)


ALL = ["eps > 0", "k >= 1", "0 < slack < 1"]
old = "k*eps*(exp(eps)-1) + eps*sqrt(2*k*log(1/slack))"
old_order = "k*eps^2 + eps*sqrt(k*log(1/slack))"
new = "k*eps*tanh(eps/2) + eps*sqrt(2*k*log(e+eps*sqrt(k)/slack))"
new_simple = "k*eps^2 + eps*sqrt(2*k*log(e+eps*sqrt(k)/slack))"
new_order = "k*eps^2 + eps*sqrt(k*log(e+eps*sqrt(k)/slack))"
typical = [*ALL, "0 < delta < 1", "1/4 <= a <= 4", "1/4 <= b <= 4"]
proportional = ["eps > 0", "0 < delta < 1", "k >= 1", "0 < nu < 1", "1/4 <= c <= 4"]

#: The order relations of the sources: id, left, order, right, regime, domain, verdict.
CLAIMS = [
    ("kov/sec-1.drv-order", old, "O", old_order, Regime(), ALL, "refuted"),
    ("kov/sec-1.drv-order.corrected", old, "O", old_order, Regime(), [*ALL, "eps <= 1"], "proved"),
    ("kov/sec-1.new-order", new, "O", new_order, Regime(), ALL, "proved"),
    ("kov/sec-1.new-order, simplified", new_simple, "O", new_order, Regime(), ALL, "proved"),
    ("kov/sec-1.log-gain", old_order, "Theta", f"({new_order})*sqrt(log(1/slack))",
     Regime({delta: ZERO}, followed(slack="a*k*delta", eps="b*sqrt(k*delta)"), fixed("k")),
     typical, "refuted"),
    ("kov/sec-1.log-gain.corrected", "eps*sqrt(k*log(1/slack))", "Theta",
     "eps*sqrt(k*log(e+eps*sqrt(k)/slack))*sqrt(log(1/slack))",
     Regime({slack: ZERO}, followed(delta="slack/(a*k)", eps="b*slack/sqrt(k)"), fixed("k")),
     typical, "proved"),
    ("kov/sec-1.small-gain", "sqrt(k*log(e+eps*sqrt(k)/slack))*eps", "o", "eps*sqrt(k*log(1/slack))",
     Regime({slack: ZERO}, followed(eps="b*slack/sqrt(k)"), fixed("k")),
     [*ALL, "1/4 <= b <= 4"], "proved"),
    ("kov/sec-3.1.slack-order, uniformly", new_simple, "O", "k*eps^2 + sqrt(k*eps^2)", Regime(), ALL,
     "refuted"),
    ("kov/sec-3.2.order", new_simple, "O",
     "k*eps^2 + min(sqrt(k*eps^2*log(1/slack)), eps*log(eps/slack))", Regime(), [*ALL, "eps <= 1"],
     "refuted"),
    ("kov/sec-3.2.slack", "log(e + sqrt(k*eps^2)/slack)", "O", "1",
     Regime({}, followed(slack="a*sqrt(k*eps^2)")), [*ALL, "1/4 <= a <= 4"], "proved"),
    ("kov/sec-4.1.gaussian-gain", "k*log(1/delta)/eps^2", "Theta",
     "log(1/delta)*k*log(e+eps/delta)/eps^2", Regime({eps: ZERO}, {delta: c * eps}, fixed("k")),
     proportional, "proved"),
    ("kov/app-b.only-need", "8*k*log(e + eps/delta)/eps^2", "O", "k*log(e + eps/delta)/eps^2",
     Regime(), ["eps > 0", "0 < delta <= 1", "k >= 1"], "proved"),
    ("kov/eq-32.gain", "sqrt(log(1/delta)*log(k/nu))/eps", "Theta",
     "sqrt(log(1/delta))*sqrt(log(e+eps/delta)*log(k/nu))/eps",
     Regime({delta: ZERO}, {eps: c * delta}, fixed("k", "nu")), proportional, "proved"),
    ("kov/app-c.1.variance-gain", "log(1/delta)/eps^2", "Theta", "log(1/delta)*log(e+eps/delta)/eps^2",
     Regime({delta: ZERO}, {eps: c * delta}), ["eps > 0", "0 < delta < 1", "1/4 <= c <= 4"], "proved"),
    ("icml/cor-4.2.mse", "k*8*k*log(e+eps/delta)/eps^2", "O", "k^2*log(e+eps/delta)/eps^2",
     Regime(), ["eps > 0", "0 < delta <= 1", "k >= 1"], "proved"),
    ("note/thm-3.20.growth", old, "O", "sqrt(k)", Regime({k: oo}, {}, fixed("eps", "slack")), ALL,
     "refuted"),
    ("note/thm-3.20.growth.corrected", old, "Theta", "k", Regime({k: oo}, {}, fixed("eps", "slack")),
     ALL, "proved"),
    ("note/thm-3.20.small-epsilon", old, "~", "2*eps*sqrt(k*log(1/slack))",
     Regime({eps: ZERO}, {}, fixed("k", "slack")), ALL, "refuted"),
    ("note/thm-3.20.small-epsilon.corrected", old, "~", "eps*sqrt(2*k*log(1/slack))",
     Regime({eps: ZERO}, {}, fixed("k", "slack")), ALL, "proved"),
    ("blog/sec-advanced.asymptotic", "sqrt(k*(4*log(1/delta)+4*eps)/(2*eps^2))", "o", "k/eps",
     Regime({k: oo}, {}, fixed("eps", "delta")), ["eps > 0", "0 < delta < 1", "k >= 1"], "proved"),
    ("blog/sec-advanced.sqrt-noise", "sqrt(k*(4*log(1/delta)+4*eps)/(2*eps^2))", "Theta", "sqrt(k)",
     Regime({k: oo}, {}, fixed("eps", "delta")), ["eps > 0", "0 < delta < 1", "k >= 1"], "proved"),
    ("blog/sec-advanced.linear-noise", "k/eps", "Theta", "k", Regime({k: oo}, {}, fixed("eps")),
     ["eps > 0", "k >= 1"], "proved"),
]


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
