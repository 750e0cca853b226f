r"""A derivation yields one kernel proof of a formal goal, or none: never one of something else."""

from __future__ import annotations

import pytest
from sympy import Abs, IndexedBase, Integer, Product, Sum, binomial, exp, log, symbols

from symdp.arguments.formal.derivations import Formalised, formalise
from symdp.formulas.relation import Relation
from symdp.kernel.goals import Each
from symdp.kernel.goals import Relation as Formal
from symdp.kernel.proof import verify
from symdp.kernel.terms import ZERO, bound, member, variable
from symdp.sources.derivations.derivation import Derivation, use

a, b = IndexedBase("a"), IndexedBase("b")
i, j, k, n, p, x = symbols("i j k n p x")
POSITIVE = Relation(a[i], ">", Integer(0))


def total(body: object, high: object = k, low: object = 1) -> Sum:
    return Sum(body, (i, low, high))


def proved(derivation: Derivation) -> Formalised:
    found = formalise(derivation, budget=5)
    assert found.proof is not None, found.stopped
    # what came out is accepted again, from nothing but the goal and the step
    assert verify(found.proof.goal, found.proof.step).goal == found.goal
    return found


def refused(derivation: Derivation) -> str:
    found = formalise(derivation, budget=2)
    assert found.proof is None
    return found.stopped


# --- what is shown -------------------------------------------------------------------------------


def test_a_chain_ends_in_one_proof() -> None:
    found = proved(Derivation(where=["0 <= x <= 1"]).start("x^3").le("x^2").le("x").conclude("x^3 <= x"))
    assert str(found.goal) == "x^3 <= x for every real x with 0 <= x, x <= 1"


def test_a_report_has_the_proof() -> None:
    report = Derivation(where=["x >= 1"]).start("x").le("x^2").conclude("x <= x^2").check(budget=5)
    assert report.proof is not None
    assert str(report.goal) == "x <= x^2 for every real x with x >= 1"


def test_a_strict_link_makes_a_strict_conclusion() -> None:
    d = Derivation(where=["x > 1"]).start("1").lt("x").le("x^2").eq("x*x").conclude("1 < x*x")
    assert str(proved(d).goal) == "1 < x^2 for every real x with x > 1"
    refused(Derivation(where=["x >= 1"]).start("1").le("x").le("x^2").conclude("1 < x^2"))


def test_cases_become_a_rule() -> None:
    d = Derivation(where=["-1 <= x <= 1"]).cases("x^2 <= 1", ("x >= 0", None), ("x < 0", None))
    found = proved(d)
    assert found.proof is not None
    assert "cases" in found.proof.rules


def test_an_induction_becomes_a_rule() -> None:
    found = proved(Derivation(where=["k >= 1"], integer=["k"]).induction("k", "2^k >= 1 + k"))
    assert found.proof is not None
    assert "induction" in found.proof.rules


def test_an_induction_over_a_sum() -> None:
    claim = Relation(a[n] + Sum(a[i - 1] - a[i], (i, 1, n)), "==", a[0])
    found = proved(Derivation(where=["n >= 1"], integer=["n"]).induction("n", claim))
    assert "sum(a[i - 1] - a[i], i = 1..n)" in str(found.goal)


def test_a_lemma_is_shown_aside_and_used_at_values() -> None:
    d = (Derivation(where=["y >= 0"]).lemma("tangent", "exp(x) >= 1 + x")
         .state("exp(y^2) >= 1 + y^2", by=use("tangent", x="y^2")))
    found = proved(d)
    assert found.proof is not None
    assert "aside" in found.proof.rules
    assert [str(lemma.goal.claim) for lemma in found.lemmas] == ["exp(x) >= x + 1"]


def test_a_lemma_is_used_of_each_term() -> None:
    d = (Derivation(where=["k >= 1"], integer=["k"]).lemma("tangent", "exp(y) >= 1 + y")
         .state(Relation(total(exp(i * x)), ">=", total(1 + i * x)), by=use("tangent", y="i*x")))
    proved(d)


def test_a_choice_is_a_hypothesis_with_its_value() -> None:
    d = (Derivation(where=["x > 0", "t > 0"]).start("t^2 + x").ge("x").choose("t", "x")
         .conclude("t^2 + x >= x"))
    goal = proved(d).goal
    assert goal is not None
    assert Formal(variable("t"), "==", variable("x")) in goal.hypotheses


def test_an_expectation_is_a_combination() -> None:
    d = (Derivation(where=["0 <= p <= 1", "s >= 0"]).state("exp(x) >= 1 + x")
         .expect("x", [("s", "p"), ("-s", "1 - p")]))
    found = proved(d)
    assert found.proof is not None
    assert "combine" in found.proof.rules


def test_a_derivation_may_be_asked_for_another_claim() -> None:
    d = Derivation(where=["0 <= x <= 1"]).start("x^3").le("x^2").le("x")
    found = formalise(d, 5, claim=Relation(x**3, "<=", 2 * x))
    assert found.proof is not None
    assert str(found.proof.goal.claim) == "x^3 <= 2*x"
    assert formalise(d, 2, claim=Relation(x, "<=", x**3)).proof is None


def test_absolute_values_and_maxima_are_looked_at_in_turn() -> None:
    proved(Derivation().cases("abs(x) >= x", ("x >= 0", None), ("x < 0", None)))
    proved(Derivation(where=["t >= 0"]).state("abs(t) <= t"))
    refused(Derivation().state("abs(t) <= t"))


def test_a_family_may_be_called_like_a_variable() -> None:
    v = symbols("a")
    d = Derivation(where=["k >= 1", "a > 0", POSITIVE], integer=["k"]).state(
        Relation(total(v * a[i]), ">", Integer(0)))
    assert "a*a_[i]" in str(proved(d).goal)


@pytest.mark.parametrize("claim", [
    Relation(total(2 * i + 1), "==", k**2 + 2 * k),
    Relation(total(a[i], k + 1), ">", total(a[i])),
    Relation(total(a[i] + b[i]), "==", total(a[i]) + total(b[i])),
    Relation(total(a[i]), "==", Sum(a[k + 1 - j], (j, 1, k))),
    Relation(log(Product(a[i], (i, 1, k))), "==", total(log(a[i]))),
    Relation(Product(exp(b[i]), (i, 1, k)), "==", exp(total(b[i]))),
    Relation(Sum(binomial(k, j) * p**j * (1 - p) ** (k - j), (j, 0, k)), "==", Integer(1)),
])
def test_laws_of_sums(claim: Relation) -> None:
    proved(Derivation(where=["k >= 1", "0 < p < 1", POSITIVE], integer=["k"]).state(claim))


# --- words and citations -------------------------------------------------------------------------


def test_words_are_listed_and_prove_nothing() -> None:
    d = Derivation(where=["x >= 0"]).cite("it is well known").state("exp(x) >= 1")
    found = proved(d)
    assert found.words == ("it is well known",)
    assert found.cited == ()


def test_what_is_cited_is_a_hypothesis() -> None:
    d = Derivation(where=["x >= 0"]).cite("a theorem", claim="y <= x", label="t").state("y <= 2*x", by="t")
    found = proved(d)
    assert found.goal is not None
    assert found.cited == (Formal(variable("y"), "<=", variable("x")),)
    assert set(found.cited) <= set(found.goal.hypotheses)


def test_a_cited_lemma_is_a_hypothesis_where_it_is_used() -> None:
    d = (Derivation(where=["x >= 0"]).lemma("t", "f <= u", cited="somewhere")
         .state("f <= 2*x", by=use("t", u="x")))
    found = proved(d)
    assert found.cited == (Formal(variable("f"), "<=", variable("x")),)


# --- attacks -------------------------------------------------------------------------------------


def test_an_assumption_on_a_member_is_said_of_each() -> None:
    found = proved(Derivation(where=["k >= 1", POSITIVE], integer=["k"]).state(
        Relation(total(a[i]), ">", Integer(0))))
    assert found.goal is not None
    assert Each(None, None, Formal(member("a", bound(0)), ">", ZERO)) in found.goal.hypotheses


def test_an_assumption_on_one_member_says_nothing_of_the_others() -> None:
    """Declared an integer, the index is this one; a sum over all members knows nothing of it."""
    refused(Derivation(where=["k >= 1", POSITIVE], integer=["k", "i"]).state(
        Relation(Sum(a[j], (j, 1, k)), ">", Integer(0))))


@pytest.mark.parametrize("integers", [["k"], ["k", "i"]])
def test_cases_on_one_member_prove_nothing_of_all(integers: list[str]) -> None:
    claim = Relation(Sum(Abs(a[j]), (j, 1, k)) ** 2, "<=", Sum(a[j], (j, 1, k)) ** 2)
    above, below = Relation(a[i], ">=", Integer(0)), Relation(a[i], "<", Integer(0))
    refused(Derivation(where=["k >= 1"], integer=integers).cases(claim, (above, None), (below, None)))


def test_a_lemma_about_each_is_not_used_under_an_assumption_on_one() -> None:
    each = Relation(total(a[i]), ">", Integer(0))
    d = (Derivation(where=["k >= 1", "n >= 1", Relation(a[n], ">", Integer(0))], integer=["k", "n"])
         .lemma("positive", each, where=["k >= 1", POSITIVE], integer=["k"]).state(each, by="positive"))
    refused(d)


def test_cases_must_cover() -> None:
    refused(Derivation().cases("x*(x - 1) >= 0", ("x >= 1", None), ("x <= 0", None)))
    refused(Derivation().cases("x <= 1", ("x <= 0", None), ("x <= 1", None)))


def test_a_case_that_means_nothing_is_no_case() -> None:
    refused(Derivation().cases("x >= 0", ("log(x) >= 0", None), ("log(x) < 0", None)))


def test_an_index_and_a_number_have_two_names() -> None:
    d = Derivation(where=["k >= 1", POSITIVE], integer=["k"]).state("i <= i^2 + 1")
    assert "index here and a number there" in refused(d)


@pytest.mark.parametrize("name", ["i", "sum_1", "value_1", "power_1", "a_1", "choose_1"])
def test_names_of_variables_do_not_matter(name: str) -> None:
    """A variable may be called like an index, or like what the search calls its own."""
    v = symbols(name)
    claim = Relation(Sum(v * a[j], (j, 1, k)), "==", v * Sum(a[j], (j, 1, k)))
    proved(Derivation(where=["k >= 1", Relation(v, ">", Integer(0))], integer=["k"]).state(claim))
    refused(Derivation(where=["k >= 1", Relation(v, ">", Integer(0))], integer=["k"]).state(
        Relation(Sum(j * a[j], (j, 1, k)), "==", v * Sum(a[j], (j, 1, k)))))


def test_a_range_that_may_be_empty_has_no_positive_sum() -> None:
    claim = Relation(total(a[i]), ">", Integer(0))
    refused(Derivation(where=["k >= 0", POSITIVE], integer=["k"]).state(claim))


def test_a_count_must_not_be_negative() -> None:
    claim = Relation(total(x), "==", k * x)
    refused(Derivation(where=["k >= -5"], integer=["k"]).state(claim))
    proved(Derivation(where=["k >= 0"], integer=["k"]).state(claim))


def test_a_term_without_a_value_is_no_term() -> None:
    hole = Relation(total(1 / i, low=0), "==", 1 + total(1 / i, low=0) - 1)
    refused(Derivation(where=["k >= 1"], integer=["k"]).state(hole))
    empty = Relation(Sum(1 / i, (i, 0, k)), "==", Integer(0))
    refused(Derivation(where=["k >= -2", "k <= 0"], integer=["k"]).state(empty))


def test_a_wrong_line_has_no_proof_even_if_the_conclusion_is_true() -> None:
    refused(Derivation(where=["x >= 1"]).start("x").le("x - 1").le("x^2").conclude("x <= x^2"))
    refused(Derivation().lemma("wrong", "exp(x) <= 1 + x").state("1 <= 2"))


def test_the_hypothesis_of_an_induction_is_about_this_integer() -> None:
    d = Derivation(where=["k >= 1"], integer=["k"]).induction(
        "k", "k <= 5", step=lambda s: s.state("k + 1 <= 5", by=use("hypothesis", k="k + 1")))
    refused(d)
