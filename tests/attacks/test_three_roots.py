"""Three roots from which false proofs grew, each with relatives of what was once accepted.

Terms that evaluate; a name or an index with two meanings; verdicts that hang on words.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import Integer, Rational, Sum, exp, floor, tanh

from symdp.arguments.guarantees.search import decide_guarantee
from symdp.audit.settling.dispatch import settle
from symdp.formulas.notation import delta, eps, k, symbol
from symdp.formulas.parsing import parse_conditions
from symdp.formulas.relation import ForEvery, ge, le
from symdp.kernel.certificate import recheck
from symdp.kernel.goals import INTEGER, REAL, Each, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step, verify
from symdp.kernel.terms import ONE, ZERO, apply, bound, member, number, sum_over, variable
from symdp.kernel.values.ranges import Range, precision
from symdp.numbers.domain import Domain, goal_of
from symdp.search.certificates import document_of
from symdp.search.prove import NotDefined, check
from symdp.search.sharpening import sharpest_value
from symdp.search.verdict import Status, digits
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.registry import claim
from symdp.sources.statement import (
    Guarantee,
    Inequality,
    Structural,
    domain_over,
    positive_integer,
    real,
    unit,
)
from symdp.sources.subject import AnyPrivate

x = symbol("x")


def where(*texts, integers=()):
    return Domain.of([r for t in texts for r in parse_conditions(t)], integers)


# --- terms that evaluate --------------------------------------------------------------------------

#: one step is (eps, delta)-DP with an epsilon or a delta that rounding would change
NEARLY_WHOLE = [(1 + floor(tanh(eps)), Integer(0)), (Integer(1), floor(tanh(eps))),
                (Integer(1), floor(1 - exp(-1000 * eps)))]


@pytest.mark.parametrize(("epsilon", "lost"), NEARLY_WHOLE, ids=str)
def test_a_true_guarantee_with_a_floor_near_a_whole_number_is_not_refuted(epsilon, lost):
    """floor(tanh(x)) is 0 for every positive x, however near to 1 the hyperbolic tangent is."""
    made = Guarantee.of(AnyPrivate(Integer(1), Integer(0)), Integer(1), epsilon, lost, where("eps > 0"))
    assert decide_guarantee(made, budget=2).status is not Status.REFUTED


@pytest.mark.parametrize("lost", [floor(tanh(eps) + exp(-1000)), 1 - floor(tanh(eps))], ids=str)
def test_a_false_guarantee_with_a_floor_is_not_proved(lost):
    made = Guarantee.of(AnyPrivate(Integer(1), Rational(1, 2)), Integer(1), Integer(0), lost - 1, where("eps > 0"))
    assert decide_guarantee(made, budget=2).status is not Status.PROVED


@pytest.mark.parametrize(("text", "conditions", "let"), [
    ("m <= 2", ["-1 <= x <= 1"], ["m = sqrt(x)^2/x + 1"]), ("m >= 0", ["x <= 2"], ["m = log(x)^2"]),
    ("0*m == 0", [], ["m = gamma(x)"]), ("m == m", ["x >= 0"], ["m = x^(-1)"]), ("m^0 == 1", [], ["m = log(x)"]),
    ("m <= 1", ["x >= 0"], ["m = x^2/x^2"]), ("m*0 <= 1", ["n >= 0"], ["m = 1/(n - 3)"]),
    ("m >= 0", ["-3 <= x <= 3"], ["m = abs(1/sin(pi*x))"]), ("max(m, 1) >= 1", [], ["m = 1/(x*(x - 1))"]),
    ("exp(m - m) == 1", ["x >= 1"], ["m = atanh(1/x)"]), ("m/m == 1", ["x >= 1"], ["m = floor(1/x)"])])
def test_a_definition_brings_along_where_it_means_nothing(text, conditions, let):
    try:
        verdict = check(text, conditions, let=let, integer=["n"] if "n >= 0" in conditions else [], budget=2)
    except NotDefined:
        return
    assert verdict.status.value not in ("proved", "refuted")


@pytest.mark.parametrize(("numerator", "denominator"), [(4, 7), (1, 3), (-2, 3), (5, 11), (10**30 + 1, 7)])
@pytest.mark.parametrize("most", [1, 2, 5, 12])
def test_a_decimal_that_is_shown_of_a_range_is_no_further_off_than_it_says(numerator, denominator, most):
    """Once rounded twice, an enclosure of 4/7 left 4/7 out: what is shown as two ends must contain the number."""
    with precision(64):
        shown = digits(Range.of(numerator) if denominator == 1 else Range.between(
            number(numerator, denominator).value, number(numerator, denominator).value), most)
    value = Fraction(numerator, denominator)
    if shown.startswith("["):
        low, high = map(Fraction, shown.strip("[]").split(","))
        assert low <= value <= high
    else:
        last = Fraction(1, 10 ** len(shown.partition(".")[2])) if "e" not in shown else abs(value) / 10 ** (most - 1)
        assert abs(Fraction(shown) - value) <= last


# --- a name or an index with two meanings ---------------------------------------------------------

i, n = variable("i"), variable("n")
a_i = member("a", bound(0))
SUM, SIZE = sum_over("j", ONE, n, member("a", variable("j"))), sum_over("j", ONE, n, apply(
    "abs", member("a", variable("j"))))


def about_families(claimed, *hypotheses):
    return Goal((("i", INTEGER), ("n", INTEGER)), hypotheses, claimed, (("a", REAL),))


def test_cases_about_this_member_say_nothing_of_each():
    """Once: a_i >= 0 or a_i < 0, so (sum |a_i|)^2 <= (sum a_i)^2."""
    two = number(2)
    goal = about_families(Relation(SIZE ** two, "<=", SUM ** two), Relation(ONE, "<=", n))
    this = Relation(ZERO, "<=", member("a", i))
    leaf = Step("sum-law", {"name": "termwise", "head": "sum", "low": ONE, "high": n, "op": "==",
                            "body": apply("abs", a_i), "other": [ONE, n, a_i]},
                (Step("each", {"name": "l"}, (Step("assumption"),)), Step("assumption"), Step("assumption")))
    for step in (Step("cases", {"relation": this}, (leaf, leaf)),
                 Step("cases", {"relation": this}, (Step("enclosure"), Step("enclosure")))):
        with pytest.raises(Rejected):
            verify(goal, step)


@pytest.mark.parametrize("known", [Relation(ZERO, "<=", member("a", i)), Each(ONE, i, Relation(ZERO, "<=", a_i)),
                                   Each(ONE, n - ONE, Relation(ZERO, "<=", a_i))], ids=str)
def test_what_is_known_of_some_members_is_not_known_of_each(known):
    goal = about_families(Each(ONE, n, Relation(ZERO, "<=", a_i)), known, Relation(ONE, "<=", n))
    at = variable("l")
    for inner in (Step("assumption"), Step("enclosure"),
                  Step("instance", {"hypothesis": 0, "at": at}, (Step("assumption"), Step("assumption"),
                                                                 Step("assumption")))):
        with pytest.raises(Rejected):
            verify(goal, Step("each", {"name": "l"}, (inner,)))


def test_an_index_that_is_declared_is_no_new_one():
    goal = about_families(Each(ONE, n, Relation(ZERO, "<=", a_i)), Relation(ZERO, "<=", member("a", i)))
    with pytest.raises(Rejected, match="no new name"):
        verify(goal, Step("each", {"name": "i"}, (Step("assumption"),)))


def test_a_lemma_about_each_member_is_not_used_under_an_assumption_about_one():
    goal = about_families(Relation(SIZE, "<=", SUM), Relation(ZERO, "<=", member("a", i)), Relation(ONE, "<=", n))
    parameters = {"sorts": [["n", INTEGER]], "given": [["a", REAL]], "at": {"n": n}, "families": {"a": a_i},
                  "hypotheses": [Each(None, None, Relation(ZERO, "<=", a_i))], "claim": Relation(SIZE, "<=", SUM)}
    for shown in (Step("assumption"), Step("each", {"name": "l"}, (Step("assumption"),))):
        with pytest.raises(Rejected):
            verify(goal, Step("aside", parameters, (Step("assumption"), shown, Step("assumption"))))


def test_what_is_said_of_every_integer_binds_its_own_index():
    """The index of a hypothesis about each is no variable of the claim, whatever both are called."""
    index, domain = symbol("i"), domain_over({x: real, symbol("i"): positive_integer, k: positive_integer})
    said = ForEvery(ge(x, index), index, Integer(1), k)
    goal = goal_of(le(index, x), domain, (said,))
    (each,) = [h for h in goal.hypotheses if isinstance(h, Each)]
    assert "i" not in each.variables
    with pytest.raises(Rejected):
        verify(goal, Step("assumption"))
    bounds = ForEvery(ge(x, 0), index, Integer(1), index)  # the bound is the variable, not the index
    (each,) = [h for h in goal_of(le(0, x), domain, (bounds,)).hypotheses if isinstance(h, Each)]
    assert each.variables == {"x", "i"}
    with pytest.raises(IllFormed):
        goal_of(le(0, x), domain, (ForEvery(ge(x, 0), index, Integer(0), x),))  # x is no integer


@pytest.mark.long
def test_a_claim_with_a_hypothesis_about_each_is_refuted_only_where_it_holds_of_each():
    index = symbol("i")
    claimed = Inequality("", "x is large", ge(x, 3), variables={x: real, k: positive_integer},
                         domain=domain_over({x: real, k: positive_integer}),
                         members=(ForEvery(ge(x, index), index, Integer(1), k),))
    verdict = settle(claimed, budget=3)
    assert verdict.status is Status.REFUTED
    assert verdict.witness.point[x] >= verdict.witness.point[k]
    true = replace(claimed, relation=ge(x, 1))
    assert settle(true, budget=3).status is not Status.REFUTED


# --- verdicts that hang on words --------------------------------------------------------------------

HALVES = Derivation("Halves", where=["eps >= 0"]).start("eps/2").le("eps").conclude("eps/2 <= eps")
ITS_OWN = (Derivation("From its own assumptions", where=["x >= 0"]).suppose("x <= 1").state("x <= 1")
           .conclude("x <= 1"))
CITED = (Derivation("From a citation", where=["x >= 0"]).cite("everybody knows", "folklore", "x <= 1")
         .conclude("x <= 1"))


@pytest.mark.parametrize("proof", [ITS_OWN, CITED])
def test_what_a_derivation_assumes_is_not_proved_by_it(proof):
    found = Inequality("", "small", le(x, 1), derivation=proof, domain=domain_over({x: real}))
    assert settle(found, budget=2).status is not Status.PROVED
    assert settle(replace(found, task="derive"), budget=2).status.value != "derived"


def test_a_guarantee_is_not_shown_by_a_derivation_of_something_else():
    """Once: two million mechanisms are private, since eps/2 <= eps."""
    for fold in (Integer(2_000_000), k):
        made = replace(Guarantee.of(AnyPrivate(eps, delta), fold, eps, delta,
                                    domain_over({eps: claim("kov/thm-3.1").variables[eps], delta: unit,
                                                 k: positive_integer})), derivation=HALVES)
        assert settle(made, budget=2).status is not Status.PROVED


@pytest.mark.parametrize("says", ["every even number above 2 is a sum of two primes", "x is at most 1", ""])
@pytest.mark.parametrize("proof", [HALVES, ITS_OWN, CITED])
def test_words_with_a_derivation_that_passes_are_argued_at_best(says, proof):
    assert settle(Structural("", says, derivation=proof), budget=2).status.value in ("argued", "undecided")


@pytest.mark.parametrize(("name", "values"), [
    ("kov/thm-3.3.index-set", {"k": 2}), ("kov/thm-3.3.k-regions", {"k": 3}), ("note/thm-3.20.tight", {})])
def test_printed_forms_that_are_false_are_refuted_by_the_kernel(name, values):
    verdict = settle(claim(name), budget=5)
    assert verdict.status is Status.REFUTED
    assert all(verdict.witness.point[symbol(v)] >= least for v, least in values.items())
    again = recheck(document_of(verdict.formal, name))
    assert again.goal == verdict.formal.goal


@pytest.mark.parametrize("name", ["kov/fig-1.symmetry.corrected", "kov/thm-3.3.k-regions.corrected"])
def test_what_is_in_words_is_not_called_proved(name):
    found = claim(name)
    if isinstance(found, Structural):
        assert settle(found, budget=5).status is not Status.PROVED
    else:  # a formula: at delta = 1 it must not be said
        assert not found.domain.contains({**{v: Integer(1) for v in found.domain.variables}, delta: Integer(1)})


@pytest.mark.long
def test_the_best_constant_is_the_best_one():
    """Once "the best factor there is" was said of 2 where a smaller one works."""
    found = sharpest_value("x*tanh(x/2) <= c*x", "c", ["x > 0"], budget=2)
    assert not any("c >= 2" in part for part in found.fails)
    assert not any(part.startswith("c >= 1/2") for part in found.holds)


def test_a_sum_is_not_taken_for_its_closed_form_where_it_is_empty():
    index = symbol("j")
    found = check(ge(Sum(index, (index, 1, k)), k * (k + 1) / 2), ["k >= -5"], integer=["k"], budget=2)
    assert found.status is not Status.PROVED
