r"""What multi-party computation promises: exact optima with both proofs, and where Theorem 5.1 stands."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from in_words import at_best, named

from symdp.formulas.notation import delta, eps
from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.lp.exact_lp import LinearProgram, ProgramSolution, verify
from symdp.privacy.multiparty import accuracy, closed_forms
from symdp.privacy.multiparty.accuracy import average, worst_case
from symdp.privacy.multiparty.functions import (
    AND,
    OR,
    XOR,
    BitFunction,
    Reward,
    absolute,
    correct,
    inputs,
    majority,
    squared,
    total,
)
from symdp.privacy.multiparty.grid import Grid
from symdp.privacy.multiparty.optimum import AMONG, best, grid_program
from symdp.privacy.multiparty.parties import alike, parties
from symdp.privacy.multiparty.protocol import Protocol, randomised_response
from symdp.privacy.multiparty.shared_coin import (
    advantage_with_coin,
    advantage_with_responses,
    against_responses,
    gain_of_two,
    shared_coin,
)
from symdp.privacy.multiparty.simulation import Separation, Simulation, first_step, map_of, simulate
from symdp.privacy.multiparty.tree import Speak
from symdp.privacy.multiparty.walk import conversation

MEASURES = {"average": average, "worst": worst_case}
TENTH = Fraction(1, 10)

ratios = st.fractions(min_value=1, max_value=5, max_denominator=6)
chances = st.fractions(min_value=0, max_value=1, max_denominator=8)
levels_of = st.builds(lambda r, d: (sympy.log(sympy.Rational(r.numerator, r.denominator)), d),
                      ratios, st.sampled_from([Fraction(0), Fraction(1, 20), Fraction(1, 3)]))


@st.composite
def functions(draw, k=2):
    return BitFunction(k, tuple(draw(st.lists(st.integers(0, 2), min_size=2**k, max_size=2**k))))


@st.composite
def conversations(draw, k=2, depth=3, least=0):
    """Random talk, with no care for privacy; with least = 1 every message is possible."""
    messages = draw(st.integers(2, 3))
    split = [draw(st.lists(st.integers(least, 4), min_size=messages, max_size=messages)
                  .filter(any)) for _ in (0, 1)]
    sides = [[Fraction(v, sum(row)) for v in row] for row in split]
    then = {m: draw(conversations(k, depth - 1, least)) for m in range(messages)
            if depth > 1 and draw(st.booleans())}
    return Speak(draw(st.integers(0, k - 1)), dict(enumerate(zip(*sides, strict=True))), then)


# --- linear programs -------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(-3, 5), min_size=4, max_size=4), min_size=2, max_size=4),
       st.lists(st.integers(0, 6), min_size=4, max_size=4),
       st.lists(st.integers(-3, 3), min_size=3, max_size=3))
def test_exact_optima_survive_the_check_and_nothing_else_does(rows, bounds, cost):
    program = LinearProgram()
    program.maximise(dict(zip("abc", cost, strict=True)))
    program.at_most("box", {"a": 1, "b": 1, "c": 1}, 10)
    for i, (row, bound) in enumerate(zip(rows, bounds, strict=False)):
        program.at_most(i, dict(zip("abc", row, strict=False)), bound)
    found = program.solve()
    assert verify(program, found) == []
    assert verify(program, ProgramSolution(found.value + 1, found.primal, found.dual))
    if found.dual:
        assert verify(program, ProgramSolution(found.value, found.primal, {}))


def test_pivots_finish_what_floating_point_began():
    """Two vertices that differ by 1e-24 in value: only exact arithmetic tells which is better."""
    tiny = Fraction(1, 10**24)
    program = LinearProgram()
    program.maximise({"x": 1, "y": 1 + tiny})
    program.at_most("sum", {"x": 1, "y": 1}, 1)
    assert program.solve().value == 1 + tiny


# --- malformed input -------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "words"), [
    (lambda: Protocol.of(1, {"a": ["1/2", 1], "b": ["1/4", 0]}), r"3/4 in total for the input \(0,\)"),
    (lambda: Protocol.of(1, {"a": ["3/2", 1], "b": ["-1/2", 0]}), "negative probability -1/2"),
    (lambda: Protocol.of(1, {"a": [1, 1], "b": [0, 0]}), "'b' has probability zero"),
    (lambda: Protocol.of(2, {"a": [1, 1]}), "each of the 4 inputs, not 2"),
    (lambda: Protocol.of(1, {"a": ["x", 1]}), "x has no value"),
    (lambda: Protocol(1, ("a", "a"), ((1, 0), (0, 1))), "same name"),
    (lambda: average(randomised_response(alike(2, 1)), XOR(3)), "XOR takes 3 bits, but there are 2"),
    (lambda: average(randomised_response(alike(2, 1)), XOR(2), viewer=2), "no party 3 among 2"),
    (lambda: BitFunction.of(2, lambda a: a), "does not take 2 bits"),
    (lambda: XOR(2)((0, 2)), "takes 2 bits"),
    (lambda: parties([(1, 2)]), "delta must be at most 1"),
    (lambda: parties([(-1, 0)]), "epsilon must be at least 0"),
    (lambda: parties([1]), "a pair"),
    (lambda: best(alike(2, 1), XOR(2), measure="median"), "average or worst"),
    (lambda: best(alike(2, "log(2)"), XOR(2), among="friends"), "among is one of"),
    (lambda: randomised_response(alike(12, 1, "1/10")), "6553600 MiB"),
    (lambda: best(alike(9, "log(2)", "1/10"), XOR(9)), "the grid of 9 parties needs"),
    (lambda: best(alike(6, "log(2)", "1/10"), XOR(6)), "4096 x 4096 fractions, 384 MiB"),
    (lambda: best(alike(8, "log(2)"), total(8), viewer=0, among="curators"), "curator of 8 parties needs"),
    (lambda: BitFunction.formula(2, "x1 + x3"), "x3 is none of the bits x1 to x2"),
    (lambda: BitFunction.formula(2, "x1/2"), "an integer"),
    (lambda: BitFunction.formula(2, "x1 +"), "f: "),
    (lambda: Speak(2, {"a": (1, 1)}).protocol(2), "party 3 speaks, but there are only 2"),
    (lambda: Speak(0, {"a": (1, 1)}, {"b": None}).protocol(2), "no message 'b'"),
    (lambda: Speak(0, {"a": (2, 1), "b": (-1, 0)}).protocol(2), "negative probability -1"),
    (lambda: simulate(randomised_response(alike(2, 1)), alike(2, 1)), "fractions only"),
    (lambda: average(randomised_response(alike(1, 1)), BitFunction(1, ("no", "yes")), squared),
     "not a number"),
])
def test_malformed_input_gets_one_clear_line(make, words):
    with pytest.raises(BadQuantity, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_formulas_are_truth_tables():
    assert BitFunction.formula(2, "x1 + x2 - 2*x1*x2").values == XOR(2).values
    assert BitFunction.formula(3, "min(x1, x2, x3)").values == AND(3).values
    assert BitFunction.formula(3, "max(x1, x2, x3)").values == OR(3).values
    assert BitFunction.formula(3, "floor((x1 + x2 + x3)/2)").values == majority(3).values


# --- protocols, privacy, decision rules ------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.lists(levels_of, min_size=1, max_size=3))
def test_randomised_response_is_exactly_as_private_as_it_says(levels):
    table = randomised_response(levels)
    assert table.is_private(levels)
    assert table.factorises()
    for i, party in enumerate(parties(levels)):
        assert table.delta(i, party.ratio) == party.given_away
        if party.ratio > 1:
            assert table.delta(i, (1 + party.ratio) / 2) > party.given_away


@settings(max_examples=25, deadline=None)
@given(conversations(k=2))
def test_every_conversation_factorises(talk):
    assert talk.protocol(2).factorises()


@settings(max_examples=20, deadline=None)
@given(conversations(k=2, depth=2), functions(), st.sampled_from([None, 0, 1]),
       st.sampled_from([correct, squared, absolute]))
def test_rules_reach_what_priors_allow(talk, function, viewer, reward):
    table = talk.protocol(2)
    columns = dict(zip(table.transcripts, table.columns, strict=True))
    for measure, find in MEASURES.items():
        found = find(table, function, reward, viewer)
        each = accuracy.reached(columns, 2, function, reward, viewer, found.rule)
        assert all(sum(chances.values()) == 1 for chances in found.rule.values())
        assert sum(found.prior.values()) == 1
        got = sum(each.values()) / 4 if measure == "average" else min(each.values())
        assert got == found.value
        assert accuracy.bound(columns, 2, function, reward, viewer, found.prior) == found.value


@settings(max_examples=15, deadline=None)
@given(functions(), st.sampled_from([None, 1]))
def test_average_rule_is_best_among_all_rules(function, viewer):
    """(10) and (13), against every deterministic rule there is."""
    table = randomised_response(alike(2, "log(3)"))
    guesses = function.range
    places = list(itertools.product(table.transcripts, (None,) if viewer is None else (0, 1)))
    if len(guesses) ** len(places) > 300:
        places = places[:4]  # the rest follows the best rule
    found = average(table, function, correct, viewer)
    columns = dict(zip(table.transcripts, table.columns, strict=True))
    for chosen in itertools.product(guesses, repeat=len(places)):
        rule = found.rule | {p: {y: Fraction(1)} for p, y in zip(places, chosen, strict=True)}
        each = accuracy.reached(columns, 2, function, correct, viewer, rule)
        assert sum(each.values()) / 4 <= found.value


def test_irrational_levels_are_enclosed():
    """e^epsilon between rationals: the enclosure lies between the exact values beside it."""
    for function, viewer in itertools.product((XOR(2), AND(2), total(2)), (None, 0)):
        for measure, find in MEASURES.items():
            found = find(randomised_response([(1, "1/20")] * 2), function, viewer=viewer).value
            assert isinstance(found, Enclosure)
            assert found.upper - found.lower < Fraction(1, 10**15)
            for among in ("responses", "conversations"):
                between = best([(1, "1/20")] * 2, function, viewer=viewer, among=among,
                               measure=measure, digits=9).value
                assert between.upper - between.lower < Fraction(1, 10**7)
                if among == "responses":
                    assert between.lower <= found.lower <= found.upper <= between.upper
                else:
                    assert between.upper >= found.lower


# --- closed forms ----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", range(1, 9))
def test_closed_form_of_xor_agrees_with_enumeration(k):
    closed = closed_forms.xor_accuracy([("log(3)", 0)] * k)
    assert average(randomised_response(alike(k, "log(3)")), XOR(k)).value == Fraction(str(closed))
    if k <= 4:
        levels = [("log(2)", "1/10"), ("log(3)", "1/4"), ("log(5/2)", 0), (0, "1/3")][:k]
        closed = Fraction(str(closed_forms.xor_accuracy(levels)))
        assert average(randomised_response(levels), XOR(k)).value == closed
        if k <= 3:
            assert worst_case(randomised_response(levels), XOR(k)).value == closed


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("ratio", [Fraction(3, 2), 2, 4, 9])
def test_closed_forms_of_and_and_sum_agree_with_enumeration(k, ratio):
    level = sympy.log(sympy.Rational(str(ratio)))
    levels = [(level, "1/10"), (level, 0), ("log(3)", "1/4")][:k]
    table = randomised_response(levels)
    for closed, party, function in (
            (closed_forms.and_accuracy, closed_forms.party_and_accuracy, AND(k)),
            (closed_forms.sum_accuracy, closed_forms.party_sum_accuracy, total(k)),
            (closed_forms.xor_accuracy, closed_forms.party_xor_accuracy, XOR(k))):
        assert average(table, function).value == Fraction(str(closed(levels)))
        if k > 1:
            assert average(table, function, viewer=1).value == Fraction(str(party(levels, 1)))


def test_closed_forms_are_formulas():
    form = closed_forms.sum_accuracy([(eps, delta)] * 2)
    table = randomised_response(alike(2, "log(4)", "1/5"))
    assert sympy.nsimplify(form.subs({eps: sympy.log(4), delta: sympy.Rational(1, 5)}).doit()) == (
        sympy.Rational(str(average(table, total(2)).value)))


def test_squared_error_of_the_sum_is_what_is_left_of_the_variance():
    levels = [("log(2)", "1/10"), ("log(4)", "1/5")]
    table = randomised_response(levels)
    left = Fraction(0)
    for column in table.columns:
        mass = sum(column)
        mean = sum(p * sum(x) for p, x in zip(column, inputs(2), strict=True)) / mass
        left += sum(p * (sum(x) - mean) ** 2 for p, x in zip(column, inputs(2), strict=True)) / 4
    assert left == Fraction(str(closed_forms.sum_squared_error(levels)))


# --- Theorem 5.1 -----------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(functions(), st.lists(ratios, min_size=2, max_size=2), st.sampled_from([None, 0]),
       st.sampled_from(["average", "worst"]), st.sampled_from([correct, absolute]))
def test_without_delta_randomised_response_is_optimal(function, ratio, viewer, measure, reward):
    levels = [(sympy.log(sympy.Rational(str(r))), 0) for r in ratio]
    found = [best(levels, function, reward, measure=measure, viewer=viewer, among=among)
             for among in ("responses", "conversations", "tables")]
    assert found[0].value == found[1].value == found[2].value
    for optimum in found[1:]:
        assert verify(optimum.program, optimum.solution) == []


@settings(max_examples=12, deadline=None)
@given(functions(), st.lists(levels_of, min_size=2, max_size=2), st.sampled_from(["average", "worst"]))
def test_more_freedom_never_hurts(function, levels, measure):
    values = [best(levels, function, measure=measure, among=among).value
              for among in ("responses", *AMONG)]
    assert values == sorted(values)
    wider = [(e, min(1, d + TENTH)) for e, d in levels]
    assert best(wider, function, measure=measure).value >= values[1]


@settings(max_examples=12, deadline=None)
@given(functions(), st.lists(levels_of, min_size=2, max_size=2), st.sampled_from(["average", "worst"]))
def test_of_two_parties_each_does_best_with_randomised_response(function, levels, measure):
    """Who knows one of two bits asks about one bit only, and there Theorem 2.5 is enough."""
    values = {best(levels, function, measure=measure, viewer=0, among=among).value
              for among in ("responses", "conversations", "tables")}
    assert len(values) == 1


@pytest.mark.parametrize(("k", "viewer"), [(2, None), (3, None), (3, 0)])
@pytest.mark.parametrize("measure", ["average", "worst"])
def test_with_delta_a_shared_coin_refutes_theorem_5_1(k, viewer, measure):
    found = against_responses(alike(k, "log(2)", TENTH), XOR(k), measure=measure, viewer=viewer)
    assert found.problems() == []
    t, m = Fraction(1, 3), k if viewer is None else k - 1
    assert found.with_coin == (1 + TENTH + (1 - TENTH) * t**m) / 2
    assert found.with_responses == (1 + (TENTH + (1 - TENTH) * t) ** m) / 2
    optimum = best(alike(k, "log(2)", TENTH), XOR(k), measure=measure, viewer=viewer)
    assert optimum.value == found.with_coin  # and nothing beats the coin for XOR here


def test_a_refutation_that_is_none_says_so():
    found = against_responses(alike(2, "log(2)"), XOR(2))
    assert found.problems() == ["the conversation is not better"]


def test_the_gain_of_the_coin_is_a_square():
    two = {sympy.Symbol("k"): 2}
    assert sympy.expand((advantage_with_coin - advantage_with_responses).subs(two) - gain_of_two) == 0


@pytest.mark.parametrize(("levels", "function", "holds"), [
    ([("log(2)", 0), ("log(2)", TENTH)], AND(2), False),  # one delta is enough to break it
    ([("log(2)", 0), ("log(2)", TENTH)], XOR(2), True),  # but not for XOR
    ([(0, TENTH), (0, TENTH)], XOR(2), False),
    ([(0, TENTH), (0, TENTH)], AND(2), False),
    ([(0, 0), ("log(2)", TENTH)], AND(2), True),  # a party that says nothing
    ([("log(2)", 1), ("log(2)", TENTH)], AND(2), True),  # a party that tells everything
    ([("log(2)", 1), ("log(2)", 0)], AND(2), True),
])
def test_the_exact_conditions(levels, function, holds):
    responses, talk = (best(levels, function, among=among).value
                       for among in ("responses", "conversations"))
    assert (responses == talk) is holds


def test_asymmetric_rewards_are_not_served_by_the_xor_of_the_responses():
    """Section 5.1 names no condition on w; here the best guess ignores the responses."""
    timid = Reward.table({(0, 0): 1, (0, 1): 0, (1, 0): "9/10", (1, 1): 1})
    table = randomised_response(alike(2, "log(2)"))
    found = average(table, XOR(2), timid)
    assert all(guess == {0: 1} for guess in found.rule.values())
    by_xor = {(t, None): {(t[0] + t[1]) % 2: Fraction(1)} for t in table.transcripts}
    columns = dict(zip(table.transcripts, table.columns, strict=True))
    each = accuracy.reached(columns, 2, XOR(2), timid, None, by_xor)
    assert sum(each.values()) / 4 < found.value == Fraction(19, 20)


def test_randomised_response_is_not_the_only_optimal_protocol():
    """With e^epsilon = 2, silence is as good for AND on average; and a coin beside it never hurts."""
    levels = alike(2, "log(2)")
    silence = Protocol.of(2, {"": [1, 1, 1, 1]})
    assert average(silence, AND(2)).value == best(levels, AND(2)).value == Fraction(3, 4)


# --- conversations that reach the optimum ----------------------------------------------------------


@pytest.mark.parametrize("function", [XOR(2), AND(2), OR(2), total(2), XOR(3), majority(3), total(3)],
                         ids=lambda f: f"{f.name}{f.k}")
@pytest.mark.parametrize("measure", ["average", "worst"])
def test_the_optimum_is_reached_by_a_conversation(function, measure):
    levels = alike(function.k, "log(2)", TENTH)
    optimum = best(levels, function, measure=measure)
    assert verify(optimum.program, optimum.solution) == []
    table = conversation(optimum).protocol(function.k)
    assert table.is_private(levels)
    assert MEASURES[measure](table, function).value == optimum.value
    assert optimum.value > best(levels, function, measure=measure, among="responses").value


def test_some_factorised_tables_are_no_conversation():
    """For AND in the worst case the factorised table is strictly better than any conversation."""
    levels = alike(2, "log(2)", TENTH)
    talk, tables = (best(levels, AND(2), measure="worst", among=a) for a in ("conversations", "tables"))
    assert (talk.value, tables.value) == (Fraction(35, 54), Fraction(88, 135))
    table = tables.protocol()
    assert table.factorises()
    assert table.is_private(levels)
    assert worst_case(table, AND(2)).value == tables.value
    with pytest.raises(BadQuantity, match="need not come from a conversation"):
        conversation(tables)


@settings(max_examples=15, deadline=None)
@given(conversations(k=2), functions(), st.sampled_from(["average", "worst"]))
def test_no_conversation_beats_the_optimum(talk, function, measure):
    """Measure how private a random conversation is, and compare with the optimum for that."""
    table = talk.protocol(2)
    for ratio in (Fraction(1), Fraction(2)):
        levels = [(sympy.log(sympy.Rational(str(ratio))), table.delta(i, ratio)) for i in (0, 1)]
        for viewer in (None, 0):
            found = MEASURES[measure](table, function, viewer=viewer).value
            assert found <= best(levels, function, measure=measure, viewer=viewer).value


@settings(max_examples=6, deadline=None)
@given(functions(), st.sampled_from([None, 0]), st.sampled_from(["average", "worst"]))
def test_curators_publish_private_tables(function, viewer, measure):
    levels = [("log(2)", TENTH), ("log(3)", 0)]
    optimum = best(levels, function, measure=measure, viewer=viewer, among="curators")
    table = optimum.protocol()
    assert table.is_private(levels)
    assert MEASURES[measure](table, function, viewer=viewer).value == optimum.value


@pytest.mark.long
def test_three_parties_sum_worst_case():
    """All parties and the observer; benchmarks/multiparty.py has the time, well under a minute."""
    levels = alike(3, "log(2)", TENTH)
    found = {(viewer, among): best(levels, total(3), measure="worst", viewer=viewer, among=among).value
             for viewer in (None, 0, 1, 2) for among in ("responses", "conversations")}
    assert found[None, "responses"] < found[None, "conversations"]
    assert len({found[v, "conversations"] for v in (0, 1, 2)}) == 1  # the parties are alike
    # who knows a bit looks at two others, and its own bit shifts the sum
    pair = best(alike(2, "log(2)", TENTH), total(2), measure="worst").value
    assert found[0, "conversations"] == pair


class FinerGrid(Grid):
    """Every fraction between the four values as well, and (15) as it is defined."""

    @property
    def axes(self):
        found = []
        for axis in Grid(self.parties).axes:
            halves = {(a + b) / 2 for a, b in itertools.pairwise(axis)}
            found.append(tuple(sorted({*axis, *halves, Fraction(1, 2)})))
        return tuple(found)

    def start(self):
        return {tuple(axis.index(Fraction(1, 2)) for axis in self.axes): Fraction(1)}

    def budgets(self):
        for i, party in enumerate(self.parties):
            for row, x in enumerate(inputs(self.k)):
                other = row ^ (1 << (self.k - 1 - i))
                yield i, x, {u: 2**self.k * max(Fraction(0), c[row] - party.ratio * c[other])
                             for u, c in self.columns.items()}


@pytest.mark.parametrize("function", [XOR(2), AND(2), total(2)], ids=lambda f: f.name)
@pytest.mark.parametrize(("measure", "viewer"), [("average", None), ("worst", None), ("worst", 0)])
@pytest.mark.parametrize("among", ["conversations", "tables"])
def test_four_values_for_each_party_are_enough(function, measure, viewer, among):
    """Transcripts between them, and (15) as a sum of positive parts, change nothing."""
    levels = parties([("log(2)", TENTH), ("log(3)", "1/4")])
    finer = grid_program(FinerGrid(levels), function, correct, measure, viewer, among).solve()
    assert finer.value == best(levels, function, measure=measure, viewer=viewer, among=among).value


def test_the_grid_of_a_party_that_says_nothing_is_a_point():
    assert Grid(parties([(0, 0), (0, "1/2")])).axes == (
        (Fraction(1, 2),), (Fraction(0), Fraction(1, 2), Fraction(1)))


# --- Theorem D.1 -----------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(conversations(least=1))
def test_without_delta_every_conversation_is_simulated_by_the_formula(talk):
    table = talk.protocol(2)
    ratio = [max([Fraction(2), *(c[x] / c[y] for c in table.columns for x, y in _pairs(i))])
             for i in (0, 1)]
    levels = [(sympy.log(sympy.Rational(str(r))), 0) for r in ratio]
    assert table.is_private(levels)
    made = Simulation(table, randomised_response(levels), map_of(table, levels))
    assert made.problems() == []


def _pairs(party):
    bit = 2 >> party
    return [(x, x ^ bit) for x in range(4)]


def test_simulations_and_separations_can_be_checked():
    two = alike(2, "log(2)", TENTH)
    coarse = Speak(0, {"no": ("7/10", "3/10"), "yes": ("3/10", "7/10")})
    found = simulate(coarse.protocol(2), two)
    assert isinstance(found, Simulation)
    assert found.problems() == []
    wrong = dict.fromkeys(found.map, Fraction(1, 2))
    assert Simulation(found.protocol, found.responses, wrong).problems()
    refuted = simulate(shared_coin(two).protocol(2), two)
    assert isinstance(refuted, Separation)
    assert refuted.problems() == []
    none = Separation(refuted.protocol, refuted.responses, {}, Fraction(0), Fraction(0))
    assert none.problems() == ["the protocol does not get more than the responses"]


def test_the_induction_step_asks_for_more_than_was_promised():
    """(40) to (42): whatever maps are chosen in (34), for some response nothing is private at all."""
    two = alike(2, "log(2)", TENTH)
    program, solution = first_step(shared_coin(two).protocol(2), two)
    assert verify(program, solution) == []
    assert -solution.value == 1
    program, solution = first_step(randomised_response(two), two)
    assert -solution.value == TENTH


# --- the literature --------------------------------------------------------------------------------

SECTION_5 = ["kov/sec-5", "kov/sec-5.1", "kov/sec-5.2", "kov/thm-5.1", "kov/app-d", "kov/thm-d.1",
             *(f"kov/eq-{n}" for n in (10, 11, 12, 13, 14, 15, 16, 34, 36, 37, 38, 39, 40, 41, 42, 43))]


@pytest.mark.long
@pytest.mark.parametrize("name", SECTION_5)
def test_claims_are_settled_and_what_fails_has_a_correction(name):
    from symdp.audit.settling.dispatch import settle
    from symdp.sources.registry import statement

    found = statement(name)
    for c in found.claims:
        verdict = named(settle(c))
        assert verdict in {at_best(c, word) for word in ("proved", "refuted", "cited")}
        if c.role != "printed":
            assert verdict == at_best(c, "proved")
        elif verdict == at_best(c, "refuted"):
            assert found.improvement_of(c, "corrected") is not None


def test_protocols_speak_against_the_parts_of_theorem_5_1():
    from symdp.audit.settling.dispatch import settle
    from symdp.sources.registry import claim

    for part in ("party-average", "party-worst", "observer-average", "observer-worst", "simultaneous"):
        assert named(settle(claim(f"kov/thm-5.1.{part}"))) == "argued against"


# --- exactly where the responses are optimal ------------------------------------------------------


def _leaking(leak: Fraction, p: Fraction) -> Speak:
    """The first party gives its bit away so often, and sends pure randomised response otherwise."""
    said = {"is 0": (leak, 0), "is 1": (0, leak), "maybe 0": ((1 - leak) * p, (1 - leak) * (1 - p)),
            "maybe 1": ((1 - leak) * (1 - p), (1 - leak) * p)}
    return Speak(0, {m: chances for m, chances in said.items() if any(chances)})


def test_one_delta_is_enough_to_beat_the_responses():
    """Only the first party has a delta: it gives its bit away after the answers where that helps AND."""
    levels = [("log(2)", "1/10"), ("log(2)", 0)]
    likely, leak = Fraction(2, 3), Fraction(1, 10) / Fraction(2, 3)
    talk = Speak(1, {"no": (likely, 1 - likely), "yes": (1 - likely, likely)},
                 {"no": _leaking(Fraction(0), likely), "yes": _leaking(leak, likely)})
    found = against_responses(levels, AND(2), conversation=talk)
    assert found.problems() == []
    assert (found.with_coin, found.with_responses) == (Fraction(61, 80), Fraction(91, 120))
    assert best(levels, AND(2)).value == Fraction(61, 80)  # and nothing does better


@pytest.mark.parametrize("levels", [
    [("log(2)", 0), ("log(3)", 0)], [("log(2)", 1), ("log(3)", 0)], [("log(2)", "1/10"), ("log(3)", 1)],
    [("log(2)", "1/10"), (0, 0)],
])
def test_the_responses_are_optimal_where_no_leak_can_be_coordinated(levels):
    for function in (XOR(2), AND(2), OR(2)):
        for measure in ("average", "worst"):
            optimum = best(levels, function, measure=measure)
            assert optimum.value == best(levels, function, measure=measure, among="responses").value


@pytest.mark.parametrize("levels", [
    [("log(2)", "1/10"), ("log(3)", "1/4")], [("log(2)", "9/10"), ("log(3)", 0)],
    [(0, "1/10"), ("log(2)", 0)], [(0, "1/10"), (0, "1/3")],
])
def test_and_not_where_one_can(levels):
    gains = [best(levels, function).value - best(levels, function, among="responses").value
             for function in (XOR(2), AND(2))]
    assert min(gains) >= 0
    assert max(gains) > 0
