r"""Derivations are checked line by line: right steps are proved, the wrong one is found."""

import json
import random
import shutil
import subprocess
from dataclasses import replace
from itertools import islice

import derivation_mutations
import pytest
from campaign import IN_FULL, tries
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import (
    Indexed,
    IndexedBase,
    Integer,
    Product,
    Rational,
    Sum,
    binomial,
    exp,
    symbols,
    tanh,
)

from symdp.arguments.derivations.chains import composed, sign_implies
from symdp.arguments.derivations.obligations import Reducer
from symdp.arguments.derivations.standing import Standing
from symdp.arguments.reading.latex_tokens import LatexError
from symdp.arguments.reading.text_file import DerivationFileError, derivation_from
from symdp.arguments.sums.laws import written_out
from symdp.cli.app import main
from symdp.formulas.notation import eps, k, lam, x
from symdp.formulas.parsing import parse_conditions
from symdp.formulas.relation import Relation
from symdp.report.paper.derivations import derivation_latex
from symdp.search.memories import remembering
from symdp.search.tactics.proof_search import ProofSearch
from symdp.search.verdict import Status
from symdp.search.view.goals import Counterexample, Sketch
from symdp.sources.derivations.derivation import Derivation, use
from symdp.sources.derivations.expressions import DerivationError, insert, variables_of
from symdp.sources.derivations.scope import Scope

ell, i, m = symbols("ell i m")
a, d = IndexedBase("eps"), IndexedBase("delta")


def standings(report):
    return [line.standing.value for line in report.lines]


# --- chains -----------------------------------------------------------------------------------


def test_every_line_has_a_proof_from_the_kernel():
    report = Derivation(where=["x > 0"]).start("1 + x").lt("exp(x)").le("exp(2*x)").check()
    assert standings(report) == ["given", "proved", "proved"]
    assert report
    assert report.shown == "x + 1 < exp(2*x)"
    for line in report.lines[1:]:
        assert line.outcome.obligations
        assert all(isinstance(o.verdict.proof, Sketch) for o in line.outcome.obligations)


def test_a_false_step_comes_with_a_witness():
    report = Derivation(where=["x > 0"]).start("exp(x)").le("1 + x + x^2/2").check()
    wrong = report.first_wrong
    assert wrong.number == "2"
    assert wrong.standing is Standing.FALSE
    assert isinstance(wrong.outcome.refuted.verdict.witness, Counterexample)
    assert "it fails at x = " in wrong.why


def test_a_gap_is_told_from_a_falsehood():
    gap = Derivation(where=["x >= 0"]).start("0").le("x + 2").le("x + 1").check()
    assert standings(gap) == ["given", "proved", "gap"]
    assert "does not follow from line 2" in gap.lines[2].why
    false = Derivation(where=["x >= 0"]).start("x + 1").le("x + 2").le("x").check()
    assert standings(false) == ["given", "proved", "false"]


def test_the_line_after_a_wrong_one_is_not_blamed():
    report = Derivation(where=["x >= 0"]).start("x").eq("x + 1").eq("2*x - x").le("x + 3").check()
    assert standings(report) == ["given", "false", "proved", "proved"]
    assert "line 2 is wrong" in report.lines[2].notes[0]


def test_an_equality_printed_as_an_inequality_is_noticed():
    report = Derivation(where=["x > 0"]).start("(x+1)^2").le("x^2 + 2*x + 1").check()
    assert report.lines[1].notes == ("it is an equality",)


def test_what_a_step_loses_at_worst():
    proof = Derivation(where=["0 < x <= 1"]).start("x").le("3*x")
    assert proof.check().lines[1].loss.at_least == "3"
    assert proof.check().lines[1].loss.at_most is None
    assert proof.check(sharpen=True).lines[1].loss.at_most == "3"
    unbounded = Derivation(where=["x > 0"]).start("x").le("exp(x)").check()
    assert unbounded.lines[1].loss.grows


def test_the_conclusion_must_follow_from_the_signs():
    proof = Derivation(where=["x > 0"]).start("x").le("x + 1").ge("x + 1/2")
    report = proof.conclude("x <= x + 1/2").check()
    assert report.lines[-1].standing is Standing.GAP
    assert "nothing about these two" in report.lines[-1].why
    assert proof.conclude("x <= x + 1").check()
    weak = Derivation(where=["x > 0"]).start("x").le("x + 1").conclude("x < x + 1").check()
    assert weak.lines[-1].standing is Standing.GAP
    false = Derivation(where=["x > 0"]).start("x").le("x + 1").conclude("x >= x + 1").check()
    assert false.lines[-1].standing is Standing.FALSE


@given(st.lists(st.sampled_from(["<=", "<", ">=", ">", "=="]), min_size=1, max_size=6), st.randoms())
def test_signs_compose_as_numbers_do(ops, rng):
    values = [0]
    for op in ops:
        step = {"<=": rng.choice([0, 1]), "<": 1, ">=": -rng.choice([0, 1]), ">": -1, "==": 0}[op]
        values.append(values[-1] + step)
    op = composed(ops)
    first, last = values[0], values[-1]
    if op is not None:
        truth = {"<=": first <= last, "<": first < last, ">=": first >= last, ">": first > last,
                 "==": first == last}
        assert truth[op]
        assert all(truth[wanted] for wanted in truth if sign_implies(op, wanted))


# --- other steps ------------------------------------------------------------------------------


def test_implications_use_the_line_before():
    proof = Derivation(where=["x >= 0", "y >= 0"]).suppose("x*y >= 4")
    report = proof.state("x*y >= 4").implies("(x + y)^2 >= 16").check()
    assert report
    assert not proof.state("x*y >= 4").implies("x >= 1").check()
    back = Derivation(where=["x >= 0"]).suppose("x >= 2").state("x >= 2").iff("x^2 >= 4").check()
    assert back


def test_a_lemma_at_values():
    mgf = exp(eps) / (exp(eps) + 1) * exp(lam * eps) + exp(-lam * eps) / (exp(eps) + 1)
    bound = exp((exp(eps) - 1) / (exp(eps) + 1) * lam * eps + lam**2 * eps**2 / 2)
    proof = (
        Derivation("moment generating function", where=["eps > 0"])
        .lemma("two-point", "p*exp(x) + (1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)", "0 <= p <= 1")
        .start(mgf)
        .le(bound, by=use("two-point", p="exp(eps)/(exp(eps)+1)", x="lam*eps"))
    )
    report = proof.check()
    assert report
    roles = [o.role for o in report.lines[2].outcome.obligations]
    assert roles.count("two-point applies") == 2


def test_a_lemma_that_does_not_apply_is_a_gap_if_the_line_is_true():
    proof = Derivation(where=["x >= -1"]).lemma("root", "sqrt(t) <= (1 + t)/2", "t >= 0")
    report = proof.start("x").le("1 + 2*x^2", by=use("root", t="x")).check()
    assert report.lines[-1].standing is Standing.GAP
    assert "does not apply" in report.lines[-1].why


def test_an_earlier_line_at_other_values():
    proof = Derivation(where=["x > 0"]).start("tanh(x)").le("x", label="small")
    assert proof.state("tanh(x^2) <= x^2", by=use("small", x="x^2")).check()
    outside = proof.state("tanh(-x) >= -2", by=use("small", x="-x")).check()
    assert outside.lines[-1].standing is Standing.GAP
    with pytest.raises(DerivationError, match="has no variable y"):
        proof.state("x > 0", by=use("small", y="1")).check()


def test_a_cited_lemma_is_never_green():
    proof = Derivation(where=["x > 0"]).lemma("L", "exp(t) >= 1 + t", cited="a book, page 3")
    report = proof.start("1 + x").le("exp(x)", by=use("L", t="x")).check()
    assert report.standing is Standing.ARGUED  # a book without a key is no citation, but words
    assert not report
    assert any("page 3" in line.why for line in report.lines)
    assert report.trust.lines[0].startswith("line 1: lemma L")
    looked_up = Derivation(where=["x > 0"]).lemma("L", "exp(t) >= 1 + t", cited="alon2004probabilistic, page 3")
    report = looked_up.start("1 + x").le("exp(x)", by=use("L", t="x")).check()
    assert report.standing is Standing.CITED
    assert not report
    assert report.lines[0].citation.as_json() == {"reference": "alon2004probabilistic", "place": "page 3"}
    assert report.trust.lines[0].startswith("cited: lemma L")


def test_a_choice_must_lie_where_the_variable_lives():
    proof = Derivation(where=["lam >= 0", "t > 0"]).start("lam^2 - 2*lam*t")
    good = proof.choose("lam", "t").eq("-t^2").check()
    assert standings(good) == ["given", "proved", "proved"]
    bad = proof.choose("lam", "t - 1").check()
    assert bad.lines[1].standing is Standing.FALSE


def test_names_are_new_and_not_circular():
    with pytest.raises(DerivationError, match="is a variable already"):
        Derivation(where=["x > 0"]).let("x", "1").start("x").check()
    with pytest.raises(DerivationError, match="defined by itself"):
        Derivation().let("m", "m + 1").start("m").check()
    with pytest.raises(DerivationError, match="no line or lemma 'L'"):
        Derivation().start("x").le("x + 1", by="L").check()
    with pytest.raises(DerivationError, match="there is none; start one"):
        Derivation().le("x").check()
    with pytest.raises(DerivationError, match="no point satisfies"):
        Derivation(where=["x > 1", "x < 0"]).start("x").check()


def test_a_definition_does_not_change_under_another():
    """m = x/2 was said of every x; a later x = 3 would make it 3/2."""
    changed = Derivation("").let("m", "x/2").let("x", "3").start("m").le("2")
    with pytest.raises(DerivationError, match=r"x occurs in the definition of m.*define x before m"):
        changed.check(budget=2)
    assert Derivation("").let("x", "3").let("m", "x/2").start("m").le("2").check(budget=5).proof is not None


def test_cases_must_cover_everything():
    claim = "max(x, 0) >= x"
    assert Derivation().cases(claim, ("x >= 0", None), ("x < 0", None)).check()
    hole = Derivation().cases(claim, ("x > 0", None), ("x < 0", None)).check()
    assert hole.lines[0].standing is Standing.FALSE
    assert "x = 0" in hole.lines[0].why


def test_a_wrong_line_inside_a_case_is_the_one_that_is_blamed():
    proof = Derivation().cases(
        "abs(x) <= x^2 + 1",
        ("x >= 0", lambda c: c.start("abs(x)").eq("x").le("x^2 + 1")),
        ("x < 0", lambda c: c.start("abs(x)").eq("x").le("x^2 + 1")),
    )
    report = proof.check()
    assert report.first_wrong.number == "1.2.2"
    assert [line.number for line in report.walk() if line.blamed] == ["1.2.2"]


def test_induction():
    proof = Derivation(where=["k >= 1", "x >= -1"], integer=["k"])
    bernoulli = "(1 + x)^k >= 1 + k*x"
    by_hand = Derivation(where=["k >= 1", "y >= 0"], integer=["k"]).induction(
        "k", Relation(Sum(ell, (ell, 1, k)), "==", k * (k + 1) / 2))
    assert by_hand.check()
    wrong = Derivation(where=["k >= 1"], integer=["k"]).induction("k", "2^k >= k^2").check()
    assert not wrong
    assert wrong.first_wrong.number.startswith("1.step")
    with pytest.raises(DerivationError, match="say that it is an integer"):
        Derivation(where=["k >= 1"]).induction("k", "k >= 1").check()
    assert proof.induction("k", bernoulli) is not None


def test_a_false_claim_is_not_proved_by_induction():
    # The step would hold for k >= 3; it is the base that fails.
    report = Derivation(where=["k >= 3"], integer=["k"]).induction("k", "2^k >= 2*k + 3", first=3).check()
    assert not report
    assert report.first_wrong.number == "1.base.1"


def test_expectations():
    proof = Derivation(where=["p >= 0", "p <= 1"]).state("exp(z) >= 1 + z")
    report = proof.expect("z", [("t", "p"), ("-t", "1-p")],
                          "p*exp(t) + (1-p)*exp(-t) >= 1 + (2*p-1)*t").check()
    assert standings(report) == ["proved", "proved"]
    heavy = proof.expect("z", [("t", "p"), ("-t", "1")]).check()
    assert heavy.lines[1].standing is Standing.FALSE  # the masses do not add up


def test_structural_steps_are_listed_as_trust():
    report = Derivation(where=["x > 0"]).cite("data processing", "kov/thm-2.4").start("x").le("2*x").check()
    assert report.standing is Standing.CITED
    assert report.trust.lines[0] == "cited: data processing [kov/thm-2.4]"


@pytest.mark.parametrize("reference", ["", "Theorem 2.4", "folklore", "kov/thm-99", "nobody2026book, page 1"])
def test_free_text_is_no_citation(reference):
    """It makes the whole an argument, with these words in the first place, however right its lines are."""
    report = Derivation(where=["x > 0"]).cite("data processing", reference).start("x").le("2*x").check()
    assert standings(report) == ["argued", "given", "proved"]
    assert report.standing is Standing.ARGUED
    assert not report
    assert report.trust.lines[0].startswith("line 1: data processing")
    for shown in (str(report), report._repr_markdown_(), derivation_latex(report), json.dumps(report.as_json())):
        assert "data processing" in shown
        assert "rgued" in shown
    assert "✓" not in str(report).splitlines()[0]


def test_a_file_cites_by_an_id_or_a_key():
    text = "assume: x \\ge 0\ncite: data processing [kov/thm-2.4]\nstate: e^x \\ge 1\n"
    assert derivation_from(text).check().standing is Standing.CITED
    assert derivation_from(text.replace("kov/thm-2.4", "everybody")).check().standing is Standing.ARGUED


def test_a_line_that_only_the_judge_finds_right_is_argued():
    """The kernel has no terms with two indices; the line check has."""
    rows = IndexedBase("T")
    proof = Derivation(where=["n >= 1", Relation(rows[i, ell], ">=", Integer(0))], integer=["n", "i"])
    report = proof.state(Relation(Sum(rows[i, ell], (ell, 1, symbols("n"))), ">=", Integer(0))).check()
    assert standings(report) == ["argued"]
    assert not report
    assert report.lines[0].words
    assert report.trust.lines[0].startswith("line 1: the line check says")
    assert "∴" in str(report)
    assert "✓" not in report._repr_markdown_()
    assert r"\surd" not in derivation_latex(report)


def test_nobody_calls_a_line_proved_without_a_proof():
    report = Derivation(where=["x >= 0"]).start("1 + x").le("exp(x)").check()
    bare = replace(report.lines[1], proofs=())
    with pytest.raises(TypeError, match="proved needs a Proof from the kernel"):
        replace(report, lines=(report.lines[0], bare))
    assert replace(report, proof=None).standing is Standing.ARGUED


def test_the_way_back_and_the_value_have_proofs_of_their_own():
    there = Derivation(where=["x >= 0"]).suppose("x >= 2").state("x >= 2").iff("x^2 >= 4").check()
    assert len(there.lines[-1].proofs) == 2
    proof = Derivation(where=["lam >= 0", "t > 0"]).start("lam^2 - 2*lam*t").ge("-t^2", label="before")
    report = proof.choose("lam", "t").state("lam^2 - 2*lam*t == -t^2").check()
    assert report
    # what stands before the choice is said of every lam, not of the chosen one
    assert not any("lam == t" in str(h) for h in report.lines[1].proofs[-1].goal.hypotheses)


# --- sums -------------------------------------------------------------------------------------


def settle(left, op, right, where=(), integers=(k,), families=()):
    conditions = tuple(c for text in ("k >= 1", *where) for c in parse_conditions(text))
    scope = Scope((*conditions, *families), frozenset(integers))
    return Reducer(20).reduce(Relation(left, op, right), scope)


POSITIVE = (Relation(a[ell], ">", Integer(0)),)
FRACTION = (Relation(d[ell], ">=", Integer(0)), Relation(d[ell], "<=", Integer(1)))


@pytest.mark.parametrize(
    ("claim", "where", "families", "law"),
    [
        ((Sum(ell, (ell, 1, k)), "==", k * (k + 1) / 2), [], (), "telescoping of a closed form"),
        ((Sum(3, (ell, 1, k)), "==", 3 * k), [], (), "sum of a constant"),
        ((Sum(binomial(k, ell) * exp(eps * ell), (ell, 0, k)), "==", (1 + exp(eps)) ** k), ["eps > 0"], (),
         "binomial theorem"),
        ((Sum(x**ell, (ell, 0, k)), "<=", 1 / (1 - x)), ["0 < x < 1"], (), "telescoping of a closed form"),
        ((Product(exp(a[ell]), (ell, 1, k)), "==", exp(Sum(a[ell], (ell, 1, k)))), [], POSITIVE,
         "a product of exponentials is the exponential of a sum"),
        ((Sum(a[ell] * tanh(a[ell] / 2), (ell, 1, k)), "<=", Sum(a[ell] ** 2, (ell, 1, k)) / 2), [],
         POSITIVE, "term by term"),
        ((Sum(a[ell], (ell, 1, k + 1)), "==", Sum(a[ell], (ell, 1, k)) + a[k + 1]), [], POSITIVE,
         "splitting off terms"),
        ((Sum(a[ell + 1], (ell, 0, k - 1)), "==", Sum(a[m], (m, 1, k))), [], POSITIVE, "term by term"),
        ((Product(1 - d[ell], (ell, 1, k)), "<=", Integer(1)), [], FRACTION,
         "the sign of a sum or product from its terms"),
    ],
)
def test_sums_of_symbolic_length(claim, where, families, law):
    outcome = settle(*claim, where, families=families)
    assert outcome.status is Status.PROVED
    assert law in outcome.laws


def test_binomial_sums_up_to_i():
    terms = binomial(k, ell) * (exp(eps * (k - ell)) - exp(eps * (k - 2 * i + ell)))
    where = ["eps > 0", "i >= 1", "k >= 2*i"]
    outcome = settle(Sum(terms, (ell, 0, i - 1)), ">=", Integer(0), where, (k, i))
    assert outcome.status is Status.PROVED


def test_a_range_is_cut_where_it_can_be():
    """A sum is its head and its tail; the two may be empty, but not overlap."""
    whole, head, tail = Sum(a[ell], (ell, 1, k)), Sum(a[ell], (ell, 1, i)), Sum(a[ell], (ell, i + 1, k))
    for where in (["i >= 0", "i <= k"], ["i >= 3", "i <= k - 1"]):
        outcome = settle(whole, "==", head + tail, where, (k, i))
        assert outcome.status is Status.PROVED
        assert "cutting the range" in outcome.laws
    factors = [Product(1 + d[ell], limits) for limits in ((ell, 1, k), (ell, 1, i), (ell, i + 1, k))]
    outcome = settle(factors[0], "==", factors[1] * factors[2], ["i >= 0", "i <= k"], (k, i),
                     families=FRACTION)
    assert outcome.status is Status.PROVED
    # Beyond the end the head is longer than the whole, and nothing is left for the tail to give back.
    for where in (["i >= 0"], ["i <= k"], ["i >= 0", "i <= k + 1"]):
        outcome = settle(whole, "==", head + tail, where, (k, i), families=POSITIVE)
        assert outcome.status is not Status.PROVED


def test_coefficients_are_the_same_from_both_ends():
    likely, mirrored = binomial(k, ell) * exp((k - ell) * eps), binomial(k, ell) * exp(ell * eps)
    limits = (ell, 0, k)
    assert settle(Sum(a[ell] * likely, limits), "==", Sum(a[k - ell] * mirrored, limits)).status \
        is Status.PROVED
    assert settle(Sum(a[ell] * likely, limits), "==", Sum(a[k - ell] * likely, limits)).status \
        is Status.REFUTED
    # Beyond its row n over m is 0 and n over n - m is not defined by the same rule: nothing is said.
    free = Derivation(where=["k >= 1", "i >= 0"], integer=["k", "i"])
    assert not free.state(Relation(binomial(k, i), "==", binomial(k, k - i))).check(budget=1)


def test_what_is_assumed_of_two_indices_is_not_forgotten():
    rows, rule = IndexedBase("T"), IndexedBase("g")
    families = (Relation(rows[i, ell], ">=", Integer(0)), Relation(rule[ell], ">=", Integer(0)),
                Relation(rule[ell], "<=", Integer(1)))
    taken, all_ = Sum(rows[i, ell] * rule[ell], (ell, 1, k)), Sum(rows[i, ell], (ell, 1, k))
    assert settle(taken, "<=", all_, ["i >= 1"], (k, i), families).status is Status.PROVED
    assert settle(all_, "<=", taken, ["i >= 1"], (k, i), families).status is Status.REFUTED


def test_what_one_family_says_of_another_is_not_forgotten():
    """A point that violates an assumption refutes nothing, even if only a second family is affected."""
    own, other, x_ = IndexedBase("f"), IndexedBase("g"), symbols("x")
    families = (Relation(own[ell], "==", other[ell] + 1), Relation(x_, ">=", own[ell]))
    limits = (ell, 1, k)
    claim = Sum(x_, limits), ">=", Sum(other[ell], limits)
    assert settle(*claim, families=families).status is Status.PROVED
    assert settle(*claim, families=families[:1]).status is Status.REFUTED


def test_what_is_assumed_of_one_member_is_not_said_of_the_others():
    masses, n = IndexedBase("A"), symbols("n")
    last = Relation(masses[n], "==", Integer(1))
    proof = Derivation(where=["n >= 2"], integer=["n"]).suppose(last)
    assert proof.state(last).check()
    for claim in (Relation(masses[n - 1], "==", Integer(1)), Relation(masses[1], "==", Integer(1)),
                  Relation(Sum(masses[ell], (ell, 1, n)), "==", n)):
        assert proof.state(claim).check().standing is Standing.FALSE


def test_sums_over_several_ranges_compare_one_by_one():
    one, other = Sum(ell**2, (ell, 0, i)), Sum(exp(x * ell), (ell, i + 1, k))
    smaller, less = Sum(ell, (ell, 0, i)), Sum(1 + x * ell, (ell, i + 1, k))
    where = ["i >= 1", "i <= k", "x >= 0"]
    assert settle(one + other, ">=", smaller + less, where, (k, i)).status is Status.PROVED
    assert settle(one + less, ">=", smaller + other, where, (k, i)).status is not Status.PROVED


@pytest.mark.parametrize(
    "claim",
    [
        (Sum(ell, (ell, 1, k)), "==", k * (k + 2) / 2),
        (Sum(ell, (ell, 1, k)), "==", k * (k + 1) * (k**2 - 3 * k + 3) / 2),  # right for k = 1 and 2
        (Sum(a[ell], (ell, 1, k)), "<=", Sum(a[ell] ** 2, (ell, 1, k))),
        (Sum(a[ell], (ell, 1, k)) ** 2, "<=", Sum(a[ell] ** 2, (ell, 1, k))),
        (Product(1 + a[ell], (ell, 1, k)), "<=", 1 + Sum(a[ell], (ell, 1, k))),
    ],
)
def test_wrong_sums_are_refuted_by_an_instance(claim):
    outcome = settle(*claim, families=POSITIVE)
    assert outcome.status is Status.REFUTED
    assert "k = " in outcome.method


def test_concrete_sums_are_written_out():
    report = Derivation(where=["x > 0"]).start(Sum(x**ell, (ell, 0, 3))).eq("1 + x + x^2 + x^3").check()
    assert report
    assert report.lines[1].outcome.laws == ("written out term by term",)


@given(st.integers(0, 6), st.integers(0, 6), st.sampled_from(["linear", "geometric", "binomial"]))
@settings(max_examples=25)
def test_the_laws_agree_with_sums_written_out(low, length, kind):
    """What a law gives for symbolic k is, for each k, what adding up gives."""
    body = {"linear": 2 * ell + 1, "geometric": x**ell, "binomial": binomial(k, ell) * x**ell}[kind]
    if kind == "binomial":
        low = 0
    total = Sum(body, (ell, low, k))
    from symdp.arguments.sums.laws import Laws

    closed = Laws(lambda relation, index: True).simplified(total)
    at = {k: Integer(low + length), x: Rational(2, 3)}
    assert written_out(insert(total, at)) == closed.subs(at)


def test_an_empty_range_is_not_mistaken():
    # The sum of a constant over an empty range is 0, and k - 4 would be negative for k < 4.
    outcome = settle(Sum(1, (ell, 5, k)), "==", k - 4)
    assert outcome.status is not Status.PROVED


def test_a_bound_index_is_not_caught():
    body = Sum(x * ell, (ell, 1, k))
    assert variables_of(insert(body, {x: ell})) == {ell, k}
    assert written_out(insert(insert(body, {x: ell}), {k: Integer(2)})) == 3 * ell
    assert isinstance(a[ell], Indexed)


# --- files ------------------------------------------------------------------------------------

TAIL = r"""
title: The exponent in the tail bound
assume: \varepsilon > 0, k \ge 1, \lambda > 0
integer: k
let: m = \tilde\varepsilon - k\varepsilon\frac{e^\varepsilon-1}{e^\varepsilon+1}
\begin{align*}
  & \frac{e^\varepsilon - 1}{e^\varepsilon + 1} \lambda \varepsilon k
    + \frac{1}{2} \lambda^2 \varepsilon^2 k - \lambda \tilde{\varepsilon} \\
  &= SIGN \frac{k\varepsilon^2}{2} \left(\lambda - \frac{m}{k\varepsilon^2} \right)^2
     - \frac{m^2}{2k\varepsilon^2} \quad \text{completing the square} \tag{square}
\end{align*}
"""


def test_the_printed_square_has_the_wrong_sign():
    """The long paper completes the square with a minus; with a plus the step is right."""
    printed = derivation_from(TAIL.replace("SIGN", "-")).check()
    assert printed.first_wrong.step.label == "square"
    assert printed.first_wrong.step.line == 9
    assert derivation_from(TAIL.replace("SIGN", "")).check()


EVERYTHING = r"""
title: A bit of everything
assume: x \ge 0, k \ge 1, \varepsilon > 0
integer: k
index: \ell
assume: 0 \le \delta_\ell \le 1
distribution Z: \varepsilon with e^\varepsilon/(1+e^\varepsilon); -\varepsilon with 1/(1+e^\varepsilon)
lemma bernoulli: (1+t)^2 \ge 1 + 2t where t \ge 0
let: m = \varepsilon/2
\begin{align}
  \mathbb{E}[Z] &= \varepsilon\tanh(m) \tag{mean} \\
     &\le \varepsilon^2/2
\end{align}
state: (1+x)^2 \ge 1 + 2x \text{by bernoulli with $t = x$}
implies: (1+x)^2 \ge 1
use: bernoulli with t = 2x
state: (1+2x)^2 \ge 1 + 4x
cases: |x-1| \ge x - 1
case: x \ge 1
  \[ |x-1| = x-1 \]
case: x < 1
end
induction k from 1: 2^k \ge 1 + k
base:
step:
  \begin{align*} 2^{k+1} &= 2\cdot 2^k \\ &\ge 2 + 2k \text{by hypothesis} \\ &\ge 2 + k \end{align*}
end
\begin{align*}
 1 - \prod_{\ell=1}^{k} (1-\delta_\ell) &\ge 0 \\
   &\ge -1
\end{align*}
conclude: 1 - \prod_{\ell=1}^{k} (1-\delta_\ell) \ge -1
"""


def test_expectations_in_a_file():
    text = r"""
    assume: 0 \le p \le 1, t \ge 0
    distribution Z: t with p; -t with 1 - p
    state: e^{Z} \ge 1 + Z
    expect Z: p e^{t} + (1-p) e^{-t} \ge 1 + (2p-1)t
    """
    report = derivation_from(text).check()
    assert standings(report) == ["proved", "proved"]
    silent = derivation_from(text.replace(r"p e^{t} + (1-p) e^{-t} \ge 1 + (2p-1)t", "")).check()
    assert silent.shown == "p*exp(t) + (1 - p)*exp(-t) >= p*(t + 1) + (1 - p)*(1 - t)"


@pytest.fixture(scope="module")
def everything():
    return derivation_from(EVERYTHING).check()


def test_a_file_with_every_kind_of_step(everything):
    assert everything.standing is Standing.PROVED, str(everything)


def test_the_report_is_json_text_and_markdown(everything):
    document = json.loads(json.dumps(everything.as_json()))
    assert document["standing"] == "proved"
    assert document["lines"][6]["line"] == 11  # behind three lines that say that Z has a law
    assert "by induction" in str(everything)
    assert "✓" in everything._repr_markdown_()
    assert everything.derivation._repr_markdown_().startswith("**A bit")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
def test_the_latex_compiles_with_amsmath_alone(everything, tmp_path):
    text = derivation_latex(everything, document=True)
    assert text.count("usepackage") == 1
    (tmp_path / "proof.tex").write_text(text)
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "proof.tex"],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
def test_every_mark_compiles(tmp_path, capsys):
    """Gaps, falsehoods, what is undecided and what is cited, through the command line."""
    path = tmp_path / "marks.txt"
    path.write_text("assume: x \\ge 0\ncite: data processing, 50\\% of Theorem 2.4\n\\begin{align*}\n"
                    " 0 &\\le x+2 \\\\ &\\le x+1 \\text{a gap & more} \\\\ &\\le x - 1 \n\\end{align*}\n")
    with pytest.raises(SystemExit) as stop:
        main(["derive", str(path), "--latex", "--document"])
    assert stop.value.code == 1
    (tmp_path / "marks.tex").write_text(capsys.readouterr().out)
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "marks.tex"],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize(
    ("text", "line", "about"),
    [
        ("", 1, "no step"),
        ("assume: x > 0\n", 1, "no step"),
        ("x = 1\n", 1, "neither a keyword"),
        ("assum: x > 0\n", 1, "no keyword 'assum'"),
        ("assume: x >\n", 1, "ends"),
        ("\n\\begin{align}\n x &= y \\\\\n &= \\foo z\n\\end{align}\n", 4, "\\foo"),
        ("\\begin{align}\n x &= y\n", 1, "never closed"),
        ("\\begin{tabular}x\\end{tabular}\n", 1, "tabular"),
        ("\\begin{align}\n &= y\n\\end{align}\n", 2, "no expression is before"),
        ("\\begin{align}\n x &= y \\\\ & z\n\\end{align}\n", 2, "factor of the row before"),
        ("use: L\nstate: x > 0\n", 1, "no line or lemma"),
        ("cases: x > 0\ncase: x > 0\n", 1, "never closed by 'end'"),
        ("state: x > 0\nend\n", 2, "'end' without"),
        ("expect Z:\n", 1, "distribution"),
        ("lemma: x > 0\n", 1, "has a name"),
        ("induction k: x > 0\nend\n", 1, "induction k from 1"),
    ],
)
def test_bad_files_are_refused_with_their_line(text, line, about, tmp_path, capsys):
    path = tmp_path / "bad.txt"
    path.write_text(text)
    with pytest.raises(SystemExit) as stop:
        main(["derive", str(path)])
    assert stop.value.code == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert f"line {line}" in message
    assert about in message


def _is_one_line(message: str) -> None:
    assert message
    assert "\n" not in message


@given(st.text(alphabet="astexk:=\\{}&<\n +1", max_size=60))
@settings(max_examples=tries(100))
def test_any_file_is_read_or_refused(text):
    try:
        derivation_from(text)
    except (DerivationError, LatexError) as error:
        _is_one_line(str(error))


def test_exit_codes_and_one_json_document(tmp_path, capsys):
    path = tmp_path / "proof.txt"
    for sign, code in (("", 0), ("-", 1)):
        path.write_text(TAIL.replace("SIGN", sign))
        with pytest.raises(SystemExit) as stop:
            main(["derive", str(path), "--format", "json", "--out", str(tmp_path / f"out{code}")])
        assert stop.value.code == code
        document = json.loads(capsys.readouterr().out)
        assert document["standing"] == ("proved" if code == 0 else "false")
    with pytest.raises(SystemExit) as stop:
        main(["recheck", str(tmp_path / "out0")])
    assert stop.value.code == 0
    with pytest.raises(SystemExit) as stop:
        main(["derive", str(tmp_path / "nothing")])
    assert stop.value.code == 2
    with pytest.raises(DerivationFileError):
        derivation_from("title: only a title")


# --- mutants ----------------------------------------------------------------------------------


def test_the_wrong_step_of_ten_is_found_and_no_other_blamed():
    mutants = (mutant for mutant in derivation_mutations.mutants(random.Random(3))
               if mutant.derivation.title != "binomial sums")
    for mutant in islice(mutants, 8 if IN_FULL else 3):
        report = mutant.derivation.check(budget=2)
        found = derivation_mutations.outcome(mutant, report)
        assert found in ("found", "quiet", "found beyond the sample"), f"{mutant.derivation.title}-{mutant.line}"




# --- attacks ----------------------------------------------------------------------------------


def test_what_cancels_must_still_be_defined():
    assert not Derivation().let("m", "1/x").start("m*x").eq("1").check()
    assert Derivation(where=["x > 0"]).let("m", "1/x").start("m*x").eq("1").check()
    chosen = Derivation().start("lam*x").choose("lam", "1/x").eq("1").check()
    assert chosen.lines[1].standing is not Standing.PROVED
    assert not Derivation().start("x/x").eq("1").check()
    assert not derivation_from("\\[ \\frac{x}{x} = 1 \\]").check()
    assert Derivation(where=["x > 0"]).start("x/x").eq("1").check()
    with pytest.raises(ValueError, match="cancels"):
        Derivation().let("m", "x/x")
    with pytest.raises(LatexError, match="cancels"):
        derivation_from("let: m = x/x\nstate: m = 1")
    lemma = Derivation().lemma("L", "t^2 >= 0")
    assert not lemma.state("x^2 >= 0", by=use("L", t="1/x")).check()


def test_a_case_that_means_nothing_somewhere_covers_nothing_there():
    report = Derivation().cases("x^2 >= -1", ("log(x) > 0", None), ("log(x) <= 0", None)).check(budget=1)
    assert report.lines[0].standing is not Standing.PROVED


def test_a_sum_to_a_half_is_not_understood():
    outcome = settle(Sum(1, (ell, 1, k / 2)), "==", k / 2)
    assert outcome.status is Status.UNDECIDED
    assert "integer" in outcome.method


def test_an_index_does_not_catch_a_variable_of_the_same_name():
    total = Sum(a[ell] * ell, (ell, 1, k))
    outcome = settle(total, "<=", ell * Sum(a[ell], (ell, 1, k)), ["ell >= 1"], (k, ell), POSITIVE)
    assert outcome.status is Status.REFUTED


def test_nobody_is_blamed_in_a_case_that_cannot_be():
    proof = Derivation(where=["y >= 2"]).cases(
        "y >= 1", ("y < 1", lambda c: c.state("x >= 0").state("y >= 1")), ("y >= 1", None))
    assert not [line for line in proof.check().walk() if line.blamed]


@pytest.mark.parametrize("text", [
    "let: m = 99999999999\nstate: m^m \\ge 1",
    "let: m = 99999999999\nstate: \\Gamma(m) \\ge 1",
    "let: m = 99999999999\nstate: \\sum_{i=1}^{m} \\frac{1}{i^i} \\ge 1",
    "assume: k \\ge 1\ninteger: k\ninduction k from 999999999: 3^k \\ge 1\nend",
    "state: \\sum_{i=1}^{k} (a+b+c+d+e+f)^{900} i \\ge 0",
])
def test_gigantic_numbers_are_not_computed(text):
    try:
        assert not derivation_from(text).check(budget=1)
    except DerivationError as error:
        _is_one_line(str(error))


def test_a_long_sum_with_a_closed_form_is_not_added_up():
    report = derivation_from("let: m = 99999999999\nstate: \\sum_{i=1}^{m} i \\ge 1").check(budget=1)
    assert report
    assert report.seconds < 5


def test_a_contradiction_is_not_supposed():
    with pytest.raises(DerivationError, match="no point"):
        Derivation(where=["x > 0"]).suppose("x < -1").state("x >= 7").check()


def test_what_is_supposed_is_said_in_the_end():
    report = Derivation(where=["x > 0"]).suppose("x*y >= 1").state("y > 0").check()
    assert report
    assert report.domain == "x > 0, x*y >= 1"


def test_an_average_over_values_that_are_not_allowed():
    proof = Derivation(where=["z >= 0"]).state("sqrt(z) <= 1 + z")
    assert proof.expect("z", [("1", "1/2"), ("4", "1/2")]).check()
    assert not proof.expect("z", [("1", "1/2"), ("-4", "1/2")]).check()


def test_the_hypothesis_is_used_only_where_it_holds():
    # k <= n is an assumption about k: what is shown for k + 1 <= n may use it for k.
    proof = Derivation(where=["k >= 1", "n >= 2", "k <= n"], integer=["k", "n"])
    assert proof.induction("k", "k <= n").check()
    # Here the assumption for k + 1 does not give the one for k, so the hypothesis is out of reach.
    other = Derivation(where=["k >= 1", "x*k^2 >= 2*k"], integer=["k"])
    step = other.induction("k", "x*k >= 2", step=lambda s: s.state("x*(k+1) >= 2", by="hypothesis"))
    assert not step.check()


@pytest.mark.parametrize(
    ("claim", "where"),
    [
        ((Sum(x**ell, (ell, 0, k)), "<=", (1 - x ** (k + 1)) / (1 - x)), []),  # undefined at x = 1
        ((Sum(ell, (ell, 2, k)), "==", (k - 1) * (k + 2) / 2 + Rational(1, 10**6)), []),
        ((Sum(a[ell], (ell, 1, k)), ">=", a[k + 1]), []),
        ((Product(d[ell], (ell, 1, k)), "<=", Product(d[ell], (ell, 1, k + 1))), []),
    ],
)
def test_no_wrong_sum_is_proved(claim, where):
    assert settle(*claim, where, families=(*POSITIVE, *FRACTION)).status is not Status.PROVED


# --- ways to a false line, each of which was open once ------------------------------------------


def says(text):
    return derivation_from(text).check(budget=3)


def test_no_line_uses_itself():
    for proof in (
        Derivation(where=["x >= 0"]).start("x").le("x - 1", by="a", label="a"),
        Derivation(where=["x >= 0"]).state("x <= -1", by="a", label="a"),
    ):
        with pytest.raises(DerivationError, match="no line or lemma 'a'"):
            proof.check()
    again = Derivation(where=["x >= 0"]).state("x >= 0", label="a").state("x >= -1", label="a")
    with pytest.raises(DerivationError, match="two lines called 'a'"):
        again.check()


def test_the_hypothesis_is_not_used_at_the_next_integer():
    proof = Derivation(where=["k >= 1"], integer=["k"])
    steps = [
        lambda s: s.state("k + 1 <= 1", by=use("hypothesis", k="k + 1")),
        lambda s: s.state("k <= 1", by="hypothesis", label="L").state("k + 1 <= 1", by=use("L", k="k + 1")),
        lambda s: s.state("k <= 1", by="hypothesis").expect("k", [(7, 1)]).state("k + 1 <= 1"),
    ]
    for step in steps:
        with pytest.raises(DerivationError, match="for this k alone"):
            proof.induction("k", "k <= 1", step=step).check()


def test_a_name_is_not_a_variable_of_the_line_that_has_it():
    proof = Derivation(where=["0 <= x <= 2"]).let("m", "x/2").state("m <= 1", label="L")
    with pytest.raises(DerivationError, match="no variable m"):
        proof.state("x <= -1", by=use("L", m=100)).check()


def test_after_an_average_the_variable_lives_where_it_lived():
    proof = Derivation(where=["x >= 0"]).state("x >= 0").expect("x", [(1, "1/2"), (3, "1/2")])
    assert proof.choose("x", -5).conclude("1 <= 0").check().standing is Standing.FALSE


@pytest.mark.parametrize(
    "step", [lambda b: b.suppose("y >= 5"), lambda b: b.choose("y", 6), lambda b: b.let("y", 6)])
def test_a_block_shows_its_claim_as_it_stands(step):
    proof = Derivation().cases("y >= 5", ("x >= 0", lambda b: step(b).state("y >= 5")), ("x < 0", None))
    with pytest.raises(DerivationError, match=r"step 1\.1\.1"):
        proof.check()


def test_what_is_shown_says_what_its_names_stand_for():
    chosen = Derivation(where=["y > 0"]).start("y").choose("y", 2).ge("1").check()
    assert chosen.shown == "y >= 1 where y = 2"
    named = Derivation(where=["y > 0"]).let("m", "2*y").state("m >= y").check()
    assert named.shown == "m >= y where m = 2*y"


def test_a_member_of_a_family_is_not_taken_for_another_variable():
    family = "integer: k\nindex: \\ell\nassume: k \\ge 1, a_\\ell > 0\n"
    with pytest.raises(DerivationFileError, match="a_1 is one number here, and a member of a family"):
        derivation_from(family + r"state: a_\ell = a_1")
    assert says(family + r"state: \sum_{\ell=1}^k a_\ell = \mathit{sum}_1").standing is Standing.FALSE


@pytest.mark.parametrize(
    "line",
    [
        r"\frac{\sum_{\ell=1}^k a_\ell}{\sum_{\ell=1}^k a_\ell} = 1",
        r"\sum_{\ell=1}^k \log(a_\ell) = \sum_{\ell=1}^k \log(a_\ell)",
        r"\sum_{\ell=1}^k \frac{1}{\ell-2} \le \sum_{\ell=1}^k \frac{1}{\ell-2}",
        r"\sum_{\ell=1}^k \frac{\ell-2}{\ell-2} = k",
        r"\sum_{\ell=0}^{1} \frac{(-1)^\ell}{x} = 0",
        r"\frac{k-3}{\sum_{\ell=1}^k 1 - 3} = 1",
    ],
)
def test_every_term_of_a_sum_must_be_defined(line):
    assert not says(f"integer: k\nassume: k \\ge 1\nstate: {line}")


def test_terms_that_are_defined_are_no_obstacle():
    family = "integer: k\nindex: \\ell\nassume: k \\ge 1, a_\\ell > 0\n"
    assert says(family + r"state: \frac{\sum_{\ell=1}^k a_\ell}{\sum_{\ell=1}^k a_\ell} = 1")
    assert says(family + r"state: \sum_{\ell=1}^k \frac{x\ell}{\ell} = kx")
    assert says(family + r"state: \log \prod_{\ell=1}^k a_\ell = \sum_{\ell=1}^k \log(a_\ell)")


def test_a_case_about_one_member_says_nothing_of_the_others():
    report = says("integer: k\nindex: \\ell\nassume: k \\ge 2\ncases: k \\ge 1\ncase: a_\\ell > 0\n"
                  "case: \\sum_{\\ell=1}^k a_\\ell \\le 0\nend")
    assert report.lines[0].standing is not Standing.PROVED


def test_two_names_do_not_become_one_variable():
    confused = ((r"\epsilon", r"\varepsilon"), (r"\phi", r"\varphi"), (r"\hat{x}", r"x_{\text{hat}}"))
    for one, other in confused:
        with pytest.raises(LatexError, match="the same variable"):
            derivation_from(f"state: {one} = {other}")
    assert says(r"state: \tilde\delta + \widetilde{\delta} = 2\tilde{\delta}")


def test_a_chain_whose_signs_turn_shows_nothing():
    report = says("assume: x \\ge 0\n\\begin{align} x &\\le x+1 \\\\ &\\ge x \\end{align}")
    assert standings(report) == ["given", "proved", "proved"]
    assert "the signs turn here" in report.lines[2].notes[0]
    assert not report


# --- sums of sums, powers, and lemmas of each term -----------------------------------------------


@pytest.mark.parametrize(
    ("line", "law"),
    [
        (r"\sum_{i=1}^k \sum_{j=1}^i 1 = \frac{k(k+1)}{2}", "telescoping of a closed form"),
        (r"\sum_{i=1}^k \sum_{j=1}^n a_i b_j = \left(\sum_{i=1}^k a_i\right)\left(\sum_{j=1}^n b_j\right)",
         "linearity"),
        (r"\sum_{i=1}^k \sum_{j=1}^n e^{ijx} = \sum_{j=1}^n \sum_{i=1}^k e^{ijx}",
         "exchanging the order of summation"),
        (r"\sum_{i=1}^k \sum_{j=1}^i a_i b_j = \sum_{j=1}^k \sum_{i=j}^k a_i b_j",
         "exchanging the order of summation"),
        (r"1 - (1-y)^k = \sum_{j=0}^{k-1} y(1-y)^j", "telescoping of a closed form"),
    ],
)
def test_sums_of_sums_and_differences_of_powers(line, law):
    report = says(f"integer: k, n\nassume: k \\ge 1, n \\ge 1, y \\in [0,1)\nstate: {line}")
    assert report, str(report)
    assert law in report.lines[0].outcome.laws


@pytest.mark.parametrize("line", [
    r"\sum_{i=1}^k \sum_{j=1}^i 1 = k^2",
    r"\sum_{i=1}^k \sum_{j=1}^i a_i b_j = \sum_{j=1}^k \sum_{i=1}^j a_i b_j",
])
def test_wrong_sums_of_sums_are_refuted(line):
    assert says(f"integer: k\nassume: k \\ge 1\nstate: {line}").standing is Standing.FALSE


def test_sums_of_sums_agree_with_adding_up():
    from symdp.arguments.sums.sums_as_variables import exchanged

    n, j = symbols("n j")
    for inner in ((j, 1, i), (j, i, n), (j, 2, 4)):
        double = Sum(Sum(i**2 + 3 * j, inner), (i, 1, n))
        for size in range(5):
            at = {n: Integer(size)}
            assert written_out(insert(double, at)) == written_out(insert(exchanged(double), at))
    assert exchanged(Sum(Sum(i, (j, 1, i**2)), (i, 1, n))) is None


def test_powers_of_a_base_that_may_vanish():
    proof = Derivation(where=["k >= 1", "0 <= x <= 1"], integer=["k"])
    for claim in ("(1-x)^(k+1) == (1-x)*(1-x)^k", "(1-x)^(k+1) <= (1-x)^k", "x^(2*k) <= x^k",
                  "x^(k-1)*x == x^k"):  # 0^0 is 1
        assert proof.state(claim).check(), claim
    for claim in ("(1-x)^(k+1) < (1-x)^k", "(2*x)^(2*k) <= (2*x)^k", "x^(k-2)*x^2 == x^k"):
        assert not proof.state(claim).check(budget=2), claim


def test_a_lemma_may_be_used_of_each_term():
    text = (r"integer: k" "\n" r"assume: k \ge 2" "\n" r"lemma tangent: e^t \ge 1 + t" "\n"
            r"use: tangent with t = x \ell^2" "\n"
            r"state: \sum_{\ell=1}^k \ell e^{x\ell^2} \ge \sum_{\ell=1}^k \ell (1 + x\ell^2)")
    assert says(text)
    # What is known of one value only is not known of each term.
    alone = text.replace(r"k \ge 2", r"k \ge 2, \ell \ge 9").replace("tangent:", "tangent: t +")
    assert not says(alone)


def test_marks_and_intervals_are_read():
    report = says(r"assume: x \in [0,1), y \in (0, \infty)" "\n" r"\begin{align*}"
                  r" x &\stackrel{(a)}{<} 1 \\ &\overset{\text{(b)}}{\leq} 1 + y \end{align*}")
    assert report
    assert report.domain == "0 <= x < 1, y > 0"
    for bad in (r"assume: x \in \mathbb{N}", r"assume: x \in \{1,2\}", r"assume: x \in (0)",
                r"state: x \overset{a}{b} y"):
        with pytest.raises(LatexError):
            derivation_from(f"{bad}\nstate: x = x")


PASTED = r"""
title: What people paste
integer: k
assume: \varepsilon \in (0, 1], k \geq 1, 0 < \tilde\delta < 1
let: m = \tfrac{e^\varepsilon - 1}{e^\varepsilon+1}
\begin{align}
  \label{eq:first}
  k \varepsilon m + \varepsilon \sqrt{2 k \log(1/\tilde\delta)}
   &\leq \frac{k\varepsilon^2}{2} + \varepsilon\sqrt{2k\log\Big(\frac{1}{\tilde\delta}\Big)}
     && \text{since } m \le \varepsilon/2 \\
   &\leq \bigl(k\varepsilon^2 + \varepsilon\sqrt{2k\ln(1/\tilde{\delta})}\bigr), \nonumber \\
   &= \varepsilon \left[ k\varepsilon + \sqrt{2k\ln(1/\tilde\delta)} \right] \label{eq:last} % done
   \\
   &\le \varepsilon \cdot \left( k + \sqrt{2k \ln\tfrac{1}{\tilde\delta}} \right). \quad \qedhere
\end{align}
\begin{align*}
  \sum_{i=1}^{n} i \hspace{1em} &= \frac{n(n+1)}{2}
\end{align*}
"""


def test_a_block_as_it_stands_in_a_paper():
    proof = derivation_from(PASTED)
    assert [step.reason for step in proof.steps if step.reason] == [r"since $m \le \varepsilon/2$"]
    assert [step.label for step in proof.steps if step.label] == ["eq:first", "eq:last"]
    assert proof.steps[-1].expr == symbols("n") * (symbols("n") + 1) / 2


@pytest.mark.parametrize(("formula", "column", "cure"), [
    (r"\log_2 x \le x", 12, r"\frac{\ln x}{\ln 2}"), ("m := x", 10, "let: m"),
    (r"x \approx 1", 10, r"\approx"), (r"\Pr[x] \le 1", 8, r"\Pr"), (r"x! \le 1", 9, r"\Gamma(n+1)"),
])
def test_what_is_not_understood_is_pointed_at(formula, column, cure):
    with pytest.raises(LatexError) as error:
        derivation_from(f"state: {formula}")
    assert f"line 1, column {column}" in str(error.value)
    assert cure in str(error.value)


def test_cases_that_end_in_a_chain_are_proved():
    proof = Derivation(where=["y >= 0"]).cases(
        "min(x, y) <= abs(x) + 1",
        ("x >= 0", lambda d: d.start("min(x, y)").le("x").le("abs(x) + 1")),
        ("x < 0", None))
    assert {line.standing for line in proof.check().walk()} == {Standing.PROVED, Standing.GIVEN}


def test_what_was_sought_once_is_not_sought_again(monkeypatch):
    """The lines one by one, and all of them as one proof, need the same; nothing is kept afterwards."""
    sought = []
    run = ProofSearch.run
    monkeypatch.setattr(ProofSearch, "run", lambda self, goal, **k: sought.append(goal.gap) or run(self, goal, **k))

    def searches():
        before = len(sought)
        assert Derivation(where=["0 <= x <= 1"]).state("exp(x) >= 1 + x + x^2/2").check(budget=9)
        return len(sought) - before

    with remembering():
        assert [searches(), searches()] == [1, 0]
    assert searches() == 1


def test_a_row_that_begins_with_a_sign_goes_on():
    whole = derivation_from(
        "assume: x \\ge 0\n\\begin{align}\n (1+x)^2 &= 1 + 2x \\\\ &\\qquad + x^2\n\\end{align}\n")
    assert whole.check().shown == "(x + 1)^2 == x^2 + 2*x + 1"
    assert not derivation_from("assume: x \\ge 1\n\\begin{align}\n x &= x \\\\ &+ 1\n\\end{align}\n").check()
