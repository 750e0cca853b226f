"""The note on Theorem 3.20: all its claims are there, and their verdicts follow the formulas."""

from dataclasses import replace

import pytest
from campaign import heavy
from in_words import at_best, named
from sympy import Integer, Rational, exp, sqrt, tanh

from symdp.audit.settling.dispatch import settle
from symdp.audit.settling.formal_goals import formal_goal
from symdp.formulas.notation import delta, eps, k, slack
from symdp.formulas.relation import le, lt
from symdp.literature.note.derivation_of_advanced_composition import tail
from symdp.literature.note.tightness import (
    classic,
    growth,
    least,
    mean,
    needed,
    printed,
    square_root,
    up_to_a_factor,
)
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.sources.registry import claim, select

PRINTED = """thm-3.20.source thm-3.20.bound thm-3.20.growth thm-3.16.basic lem-3.18.bounded
lem-3.18.expectation thm-3.20.tail thm-3.20.rdp thm-3.20.small-epsilon thm-3.20.adaptive
lem-3.17.reduction thm-3.20.monotone thm-3.20.delta-choice cor-3.gaussian thm-3.20.tight
thm-3.20.lower""".split()


def verdict(c, **change):
    return named(settle(replace(c, **change), budget=10))


def test_all_claims_of_the_note_are_there():
    assert {c.id for c in select(["note"]) if c.role == "printed"} == {f"note/{n}" for n in PRINTED}


def test_whatever_is_corrected_says_what_was_wrong():
    for c in select(["note"]):
        assert bool(c.because) == (c.role != "printed")


@pytest.mark.parametrize(
    ("id", "expected", "change"),
    [
        heavy("note/thm-3.20.bound", "proved", {}),
        ("note/thm-3.20.bound", "refuted", {"epsilon": k * eps / 2}),
        ("note/thm-3.20.growth", "refuted", {}),
        ("note/thm-3.20.growth", "proved", {"left": eps * sqrt(k) + eps}),
        ("note/thm-3.16.basic", "proved", {}),
        ("note/thm-3.16.basic", "refuted", {"delta": k * delta / 2}),
        ("note/lem-3.18.expectation", "proved", {}),
        ("note/lem-3.18.expectation.outcome", "proved", {}),
        ("note/thm-3.20.tail", "refuted", {}),
        ("note/thm-3.20.tail.corrected", "proved", {}),
        ("note/thm-3.20.rdp", "cited", {}),
        ("note/thm-3.20.small-epsilon", "refuted", {}),
        ("note/thm-3.20.small-epsilon", "refuted", {"left": classic}),
        ("note/thm-3.20.small-epsilon.corrected", "proved", {}),
        ("note/thm-3.20.monotone", "refuted", {}),
        ("note/cor-3.gaussian", "refuted", {}),
        ("note/thm-3.20.tight", "refuted", {}),
        ("note/thm-3.20.tight", "refuted", {"left": classic}),
        ("note/thm-3.20.tight", "proved", {"left": k * eps * (2 - exp(-eps))}),
        heavy("note/thm-3.20.tail.survives", "proved", {}),
        heavy("note/thm-3.20.tail.survives", "undecided", {"relation": le(tail, slack / 2)}),
        # statements in words: what is computed or derived argues against them or for them, and no more
        ("note/lem-3.17.reduction", "argued", {}),
        ("note/thm-3.20.tight.no-constant", "proved", {}),
        pytest.param("note/thm-3.20.lower", "derived", {}, marks=pytest.mark.long),
        pytest.param("note/thm-3.20.lower.above", "proved", {}, marks=pytest.mark.long),
    ],
)
def test_verdicts_follow_the_formulas(id, expected, change):
    assert verdict(claim(id), **change) in (at_best(claim(id), expected), expected)


def test_the_mean_of_the_loss_is_not_less_than_its_best_bound():
    c = claim("note/lem-3.18.expectation.chord")
    less = c.relation.right - eps * tanh(eps / 2) / 10
    assert verdict(c, relation=le(c.relation.left, less)) == "refuted"


@pytest.mark.long
@pytest.mark.parametrize("derivation", [growth, heavy(up_to_a_factor), square_root])
def test_a_derivation_with_a_wrong_line_shows_nothing(derivation):
    c = claim("note/thm-3.20.tight.corrected")
    assert verdict(c, derivation=derivation.state("eps*k <= eps")) == "undecided"


@pytest.mark.long
def test_a_derivation_of_less_shows_nothing():
    """That of the growth is about another epsilon."""
    assert verdict(claim("note/thm-3.20.tight.corrected"), derivation=growth) == "undecided"


@pytest.mark.parametrize(("loss", "fold"), [("1/10", 10_000), ("1", 100), ("1/2", 400)])
def test_the_exact_epsilon_lies_between_the_derived_bounds(loss, fold):
    """What the derivations say, asked of the exact composition."""
    for given in ("1/2", "1/100"):
        exact = Homogeneous(loss, 0, fold).epsilon(given)
        at = {eps: Homogeneous(loss).epsilon_0, k: Integer(fold)}
        assert float(least.subs(at)) < float(exact.upper)
        for bound in (classic, printed):
            assert float(exact.lower) <= float(bound.subs({**at, slack: Rational(given)}))
    deviation = (eps * sqrt(k) / (exp(eps / 2) + exp(-eps / 2)) * 2).subs(at)
    small = Integer(7) / 200 * (1 - exp(-deviation / 20))
    assert float(Homogeneous(loss, 0, fold).epsilon(str(round(float(small), 12))).upper) >= \
        float(deviation / 20)


def test_the_exact_epsilon_is_not_more_than_its_bound():
    """With a larger epsilon in the same formula, responses need less than the slack."""
    c = claim("note/thm-3.20.lower")
    for more in (mean + 3 * eps * sqrt(k), k * eps):
        assert verdict(c, relation=lt(slack, needed(more)), derivation=None) == "refuted"


def test_what_is_said_of_adaptive_choices_is_the_guarantee_itself():
    c = claim("note/thm-3.20.adaptive")
    assert formal_goal(c) == formal_goal(claim("note/thm-3.20.bound"))
    assert verdict(c, epsilon=k * eps / 2) == "refuted"
