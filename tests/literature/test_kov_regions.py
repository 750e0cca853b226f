"""Sections 2, 6 and 9, the figures and Appendix C: verdicts follow from the formulas, not from names."""

from dataclasses import replace

import networkx
import pytest
from campaign import tries
from hypothesis import given, settings
from hypothesis import strategies as st
from in_words import at_best, named
from sympy import Integer, Rational, exp

from symdp.arguments.constructions import names, run
from symdp.arguments.constructions.d_separation import experiment, separated
from symdp.arguments.constructions.played_experiment import markov_chain
from symdp.arguments.constructions.played_experiment import names as variables
from symdp.audit.settling.dispatch import settle
from symdp.formulas.notation import delta, eps
from symdp.formulas.relation import eq
from symdp.report.figures.source_figures import network_edges
from symdp.search.verdict import Status
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.example import Example
from symdp.sources.registry import claim, statements

PLACES = ("thm-2.1", "eq-2", "eq-3", "rem-2.2", "cor-2.3", "thm-2.4", "sec-2", "thm-2.5", "fig-1", "fig-2",
          "fig-3", "fig-4", "eq-17", "sec-6.1", "eq-19", "rem-6.1", "sec-6.2", "eq-20", "eq-21", "eq-22",
          "sec-9.1", "sec-9.2", "sec-9.3", "app-c")
MINE = [c for s in statements() if s.id in {f"kov/{p}" for p in PLACES} for c in s.claims]
#: What is printed and does not hold; nothing else of these places is refuted.
WRONG = {"kov/fig-1.symmetry", "kov/fig-2.caption", "kov/sec-6.1.single-region", "kov/sec-6.1.example-set",
         "kov/rem-6.1", "kov/sec-6.1.k-fold-set", "kov/sec-6.1.k-fold-region", "kov/sec-6.2.domination",
         "kov/sec-9.3.accept"}
#: Settled within a second or two; `symdp audit` settles all of them.
QUICK = ("kov/thm-2.1.sharper", "kov/cor-2.3", "kov/sec-2.post-processing", "kov/fig-1.dotted-line",
         "kov/fig-3.tightest.sharper", "kov/fig-4.d-separation", "kov/eq-19.shift", "kov/eq-19.shift.above",
         "kov/rem-6.1.between", "kov/sec-6.1.dominates",
         "kov/sec-6.1.k-fold-law", "kov/sec-6.1.k-fold-set.corrected", "kov/sec-6.2.simulator",
         "kov/sec-6.2.history.sharper", "kov/sec-6.2.domination.corrected", "kov/sec-6.2.inclusion",
         "kov/eq-20.markov", "kov/eq-21.markov", "kov/eq-22.markov", "kov/eq-17.dp")


def test_the_places_are_all_there():
    assert {s.id for s in statements() if set(s.claims) & set(MINE)} == {f"kov/{p}" for p in PLACES}
    assert {c.id for c in MINE} >= WRONG | set(QUICK)


@pytest.mark.parametrize("id_", sorted(WRONG))
def test_what_fails_as_printed_is_refuted_and_has_a_correction(id_):
    found = settle(claim(id_), budget=5)
    assert named(found) in ("refuted", at_best(claim(id_), "refuted")), found.method
    statement = next(s for s in statements() if claim(id_) in s.claims)
    assert statement.improvement_of(claim(id_), "corrected") is not None


@pytest.mark.parametrize("id_", QUICK)
def test_what_holds_is_proved(id_):
    assert named(settle(claim(id_), budget=8)) in ("proved", at_best(claim(id_), "proved"))


def test_every_instance_that_is_named_holds_where_the_claim_does():
    for c in MINE:
        for example in c.examples:
            assert example.construction in names()
            assert run(example).holds is (c.id not in WRONG), (c.id, str(example))


def test_a_derivation_is_not_for_another_claim():
    """A claim about tests is not shown by a derivation in which a constant is another one."""
    printed = claim("kov/fig-1.dotted-line")
    changed = replace(printed, relation=eq(printed.relation.left, printed.relation.right + delta))
    assert settle(changed, budget=3).status is not Status.PROVED


def test_a_wrong_corner_is_no_corner():
    wrong = Derivation("", where=["eps >= 0", "0 <= delta <= 1"]).state(
        eq(1 - 2 * (1 - delta) / (1 + exp(eps)), delta + (1 - delta) * (exp(eps) - 1) / exp(eps)))
    assert settle(replace(claim("kov/cor-2.3"), derivation=wrong), budget=3).status is Status.UNDECIDED


def test_a_shift_that_is_off_is_refuted():
    printed = claim("kov/sec-6.1.k-fold-set.corrected")
    off = replace(printed, relation=eq(printed.relation.left, Integer(2) * printed.relation.right))
    assert settle(off, budget=5).status is Status.REFUTED


def test_the_other_direction_of_domination_holds():
    printed = claim("kov/sec-6.2.domination")
    (example,) = printed.examples
    turned = Example("dominates", {"first": example.arguments["second"],
                                   "second": example.arguments["first"]})
    assert settle(replace(printed, examples=(turned,)), budget=3).status is Status.UNDECIDED


# --- constructions can fail -------------------------------------------------------------------------


@pytest.mark.parametrize(("construction", "arguments"), [
    ("markov-chain", {"steps": 2, "left": ["b"], "middle": ["x1"], "right": ["y1", "y2"]}),
    ("markov-chain", {"steps": 2, "left": ["x2"], "middle": ["r"], "right": ["x1", "y1"]}),
    ("choices-are-determined", {"steps": 3, "answers_until": -2}),
    ("letters-separate", {"k": 4, "without": 3}),
    ("slopes-describe", {"pair": (("1/2", "1/2"), ("1/4", "3/4"))}),
    ("dominates", {"first": (("1/2", "1/2"), ("1/4", "3/4")),
                   "second": (("3/4", "1/4"), ("1/4", "3/4"))}),
    ("deltas-of-six", {"exponential": "3", "delta": "1/100", "k": 4}),
])
def test_a_construction_sees_what_is_false(construction, arguments):
    assert not run(Example(construction, arguments)).holds


def test_no_instance_is_no_evidence():
    with pytest.raises(ValueError, match="no instance"):
        run(Example("renaming-is-enough", {"pair": (("1/2", "1/2"), ("1/4", "3/4")),
                                           "permutation": (1, 0)}))
    with pytest.raises(ValueError, match="no instance"):
        run(Example("made-from-responses", {"exponential": "2", "delta": "0",
                                            "target": (("9/10", "1/10"), ("1/10", "9/10"))}))


def test_the_network_is_the_one_drawn():
    assert sorted(experiment(4)) == sorted(network_edges(4))


@settings(max_examples=tries(60), deadline=None)
@given(st.sets(st.sampled_from([(i, j) for i in range(6) for j in range(i)]), max_size=12),
       st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_d_separation_is_that_of_networkx(pairs, roles):
    edges = [(str(j), str(i)) for i, j in pairs]
    one, other, by = ({str(n) for n, role in enumerate(roles) if role == wanted} for wanted in (1, 2, 3))
    graph = networkx.DiGraph(edges)
    graph.add_nodes_from(map(str, range(6)))
    if one and other:
        assert separated(edges, one, other, by) == networkx.is_d_separator(graph, one, other, by)


@settings(max_examples=25, deadline=None)
@given(st.permutations(variables(2)), st.integers(1, 3), st.integers(0, 3))
def test_what_the_graph_separates_is_a_markov_chain(order, ends, inside):
    """The exact law obeys every independence that its network promises."""
    edges = [("b", "x1"), ("b", "x2"), ("r", "m1"), ("m1", "y1"), ("x1", "y1"), ("r", "m2"), ("y1", "m2"),
             ("m2", "y2"), ("x2", "y2")]
    left, middle, right = order[:ends], order[ends:ends + inside], order[ends + inside:ends + inside + 2]
    if separated(edges, set(left), set(right), set(middle)):
        assert markov_chain(2, left, middle, right).holds


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 9), st.integers(0, 10), st.lists(st.integers(0, 10), min_size=4, max_size=4),
       st.lists(st.integers(0, 10), min_size=4, max_size=4))
def test_errors_of_soft_rules_stay_inside(exponential, tenths, masses, rule):
    """Remark 2.2 and the two readings of a rule, on random pairs."""
    total = sum(masses) + 4
    p = [str(Rational(m + 1, total)) for m in masses]
    reject = [str(Rational(r, 10)) for r in rule]
    q = list(reversed(p))
    assert run(Example("soft-rule-is-inside", {"p": p, "q": q, "reject": reject})).holds
    assert run(Example("slopes-describe", {"pair": (p, q)})).holds
    assert run(Example("definition-beside-tests", {"p": p, "q": q, "exponential": str(exponential),
                                                   "delta": str(Rational(tenths, 10))})).holds
    assert run(Example("accepting-rule", {"masses": p, "probabilities": reject, "counts": "reject"})).holds
