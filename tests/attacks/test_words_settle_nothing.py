"""What is said in words beside a formula settles nothing: not an order, not a range, not a value that was derived."""

from dataclasses import replace

import pytest
from sympy import Integer, Rational, exp, log, oo, sqrt

from symdp.audit.settling.dispatch import settle
from symdp.audit.settling.formal_goals import formal_goal
from symdp.formulas.notation import delta, eps, k, slack, symbol
from symdp.formulas.relation import le, lt
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.regime import Regime
from symdp.sources.registry import claim
from symdp.sources.statement import Asymptotic, Inequality, Structural, domain_over, positive, real

x = symbol("x")
TANGENT = Derivation("The tangent", where=["x >= 0"]).start("1 + x").le("exp(x)")
BOUNDED = Derivation("Bounded", where=["0 <= x <= 1"]).start("exp(x)").le("1 + 2*x")


def growth(**given):
    """The exponential is of the order of its argument, which is false where that is not bounded."""
    return Asymptotic("", "exp grows linearly", exp(x), "O", 1 + x, **given, domain=domain_over({x: positive}))


@pytest.mark.parametrize("task", ["decide", "derive"])
@pytest.mark.parametrize("derivation", [None, TANGENT, BOUNDED])
@pytest.mark.parametrize("more", [
    {"regime": "for all x"}, {"regime": "as x grows", "constants": (Integer(2),)},
    {"regime": Regime(moving={x: oo})}, {"constants": (Integer(2),)}, {"constants": (exp(x),)}])
def test_a_false_order_is_not_settled_by_a_regime_or_constants(task, derivation, more):
    verdict = settle(growth(task=task, derivation=derivation, **more), budget=3)
    assert verdict.status.value not in ("proved", "derived")


@pytest.mark.parametrize("derivation", [None, TANGENT, BOUNDED])
@pytest.mark.parametrize("relation", [le(x, 1), le(exp(x), 1 + 2 * x), lt(exp(x), 1 + x)])
def test_a_value_to_be_derived_is_derived_only_if_its_formula_is_proved(relation, derivation):
    found = Inequality("", "derived", relation, task="derive", derivation=derivation,
                       domain=domain_over({x: positive}))
    assert settle(found, budget=3).status.value != "derived"


def test_a_formula_that_was_to_be_derived_and_is_proved_is_derived_from_the_kernels_proof_of_it():
    found = Inequality("", "the tangent", le(1 + x, exp(x)), task="derive", domain=domain_over({x: real}))
    verdict = settle(found, budget=3)
    assert verdict.status.value == "derived"
    assert verdict.formal.goal == formal_goal(found)


def test_words_alone_are_derived_by_nothing():
    for says in ("every even number above 2 is a sum of two primes", "the tangent"):
        found = Structural("", says, task="derive", derivation=TANGENT)
        assert settle(found, budget=3).status.value in ("argued", "undecided")


SETTLED_TODAY = ["kov/sec-1.small-gain", "blog/sec-advanced.asymptotic", "kov/eq-31.order", "kov/eq-32.order",
                 "note/thm-3.20.lower", "note/thm-3.20.tight.corrected", "note/thm-3.20.adaptive",
                 "kov/thm-3.3.k-regions.between", "kov/thm-3.3.k-regions", "kov/thm-3.3.k-regions.corrected",
                 "kov/thm-3.3.index-set", "kov/thm-3.3.index-set.corrected", "note/thm-3.20.tight",
                 "note/thm-3.20.tail.survives"]


@pytest.mark.parametrize("name", SETTLED_TODAY)
def test_these_are_formal_goals(name):
    assert formal_goal(claim(name)) is not None


@pytest.mark.parametrize(("name", "change"), [
    ("kov/sec-1.small-gain", {"right": sqrt(log(1 / slack))}),
    ("blog/sec-advanced.asymptotic", {"right": sqrt(k)}),
    ("kov/sec-1.small-gain.none", {"relation": lt(log(1 / slack) / log(2 + eps * sqrt(k) / slack), Rational(1, 2))}),
    ("note/thm-3.20.tight.no-constant", {"relation": lt(symbol("C") * k, k)}),
    ("note/thm-3.20.adaptive", {"delta": k * delta}),
])
def test_with_another_formula_they_are_not_settled(name, change):
    """The derivation and the words stay as they are."""
    verdict = settle(replace(claim(name), **change), budget=3)
    assert verdict.status.value in ("refuted", "undecided")
