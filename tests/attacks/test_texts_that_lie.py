"""Texts that were once proved, or refuted, although they are not: undefined parts, names, rounding."""

from dataclasses import replace

import pytest

from symdp.formulas.notation import symbol
from symdp.formulas.parsing import ParseError, parse_relation
from symdp.numbers.domain import Domain
from symdp.search.prove import NotDefined, check, decide_relation

#: (claim, where, let, integer): none of these may be proved
UNDEFINED = [
    ("x/x == 1", [], [], []),
    ("m == 1", [], ["m = x/x"], []),
    ("m - m == 0", [], ["m = log(x)"], []),
    ("0*m <= 1", [], ["m = 1/x"], []),
    ("0*binomial(x, y) == 0", [], [], []),
    ("0*log(x) == 0", [], [], []),
    ("0*sqrt(x) <= 0", [], [], []),
    ("0*gamma(x) <= 0", [], [], []),
    ("log(x)^(2*k) >= 0", ["x < 0", "k >= 1"], [], ["k"]),
    ("sqrt(x)^2 == x", [], [], []),
    ("exp(log(x)) == x", [], [], []),
    ("log(x^2) - 2*log(x) == 0", [], [], []),
    ("x^y*x^(-y) == 1", [], [], []),
    ("(x^(1/2))^2 >= x", ["-1 <= x <= 1"], [], []),
    ("1/(1/x) == x", [], [], []),
    ("x*y/y == x", [], [], []),
    ("x^0 == x/x", [], [], []),
    ("min(1, log(x)) <= 1", [], [], []),
    ("max(0, 1/x) >= 0", [], [], []),
    ("abs(sqrt(x)) >= 0", [], [], []),
    ("floor(log(x)) <= log(x)", [], [], []),
]


@pytest.mark.parametrize(("claim", "where", "let", "integer"), UNDEFINED)
def test_what_is_undefined_somewhere_is_not_proved(claim, where, let, integer):
    try:
        verdict = check(claim, where, let=let, integer=integer, budget=3)
    except NotDefined:
        return
    assert verdict.status.value not in ("proved", "refuted")


DECIDED_BY_ROUNDING = [
    ("floor(m) >= 1", ["m = tanh(500)"]),
    ("m >= 1", ["m = floor(tanh(500))"]),
    ("floor(m) >= 1", ["m = 1 - exp(-1000)"]),
    ("m == 1", ["m = max(1, 1 + exp(-500))"]),
    ("m <= 0", ["m = abs(exp(-2000))"]),
    ("m >= 1", ["m = min(1, tanh(400))"]),
    ("floor(1 - m) >= 1", ["m = erfc(40)"]),
]


@pytest.mark.parametrize(("claim", "let"), DECIDED_BY_ROUNDING)
def test_nothing_is_decided_by_rounding(claim, let):
    try:
        verdict = check(claim, let=let, budget=3)
    except ParseError:  # a constant that is too close to a whole number is refused
        return
    assert verdict.status.value != "proved"


def test_a_true_statement_near_a_whole_number_is_not_refuted():
    assert check("floor(m) <= 0", let=["m = tanh(500)"], budget=3).status.value == "proved"
    assert check("floor(tanh(x)) <= 0", where=["x >= 0"], budget=3).status.value != "refuted"


@pytest.mark.parametrize("where", [["sqrt(x) <= 1"], ["log(x) <= 0"], ["1/x >= 1/2"], ["x/x >= 1"]])
def test_a_witness_lies_where_the_conditions_mean_something(where):
    verdict = check("x >= 1/10", where=where, budget=3)
    assert verdict.status.value == "refuted"
    (value,) = verdict.witness.point.values()
    assert value >= 0 if "sqrt" in where[0] else value > 0 or "x/x" in where[0]
    assert value != 0 or "sqrt" in where[0]


NAMES = ["x", "e_1", "eps_total", "square_sum", "loss_sum", "survival", "place_", "w_", "line_0", "shown_0_",
         "power_1", "i", "z", "t"]


@pytest.mark.parametrize("name", NAMES)
def test_a_verdict_does_not_depend_on_a_name(name):
    assert check(f"exp({name}) >= 1 + {name}", budget=3).status.value == "proved"
    assert check(f"cosh({name}) <= 1 + {name}^2/2", budget=3).status.value == "refuted"
    other = "y" if name != "y" else "x"
    claim = f"{name}*{other} <= {name}^2/2 + {other}^2/2"
    assert check(claim, budget=3).status.value == "proved"


def test_definitions_do_not_capture_each_other():
    # m = x with x a variable of the claim itself
    assert check("m + x == 2*x", let=["m = x"], budget=3).status.value == "proved"
    # later definitions may use earlier ones, and names of ours are nobody's
    assert check("n == 2*x", let=["m = x", "n = m + m"], budget=3).status.value == "proved"
    assert check("eps_total == 1", let=["eps_total = slack"], budget=3).status.value == "refuted"


def test_a_text_does_not_outlive_a_change_of_the_relation_it_was_written_for():
    true = parse_relation("x <= x + 1")
    changed = replace(true, right=symbol("x") - 1)
    assert (true.written is None, changed.written) == (False, None)
    assert decide_relation(changed, Domain.of([], variables=[symbol("x")])).status.value == "refuted"
