r"""What exercises promise: a right answer in any form is right, a wrong one meets a counterexample."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from sympy import Integral, Rational, Symbol, exp, oo, tanh

from symdp.report.exercises import UnknownExercise, exercise, exercises

ALL = exercises()


@pytest.mark.parametrize("e", ALL, ids=lambda e: e.name)
def test_every_solution_is_right(e) -> None:
    assert e.check(e.solution), e.check(e.solution)
    assert e.why
    assert e.question
    assert e.title


@pytest.mark.parametrize("e", ALL, ids=lambda e: e.name)
def test_every_solution_made_a_little_larger_or_smaller_is_wrong(e) -> None:
    for factor in ("101/100", "99/100"):
        answer = f"({factor})*({e.solution})"
        if e.kind == "bound" and not e.sharp:
            continue
        assert not e.check(answer), (e.name, answer)


def test_names_are_unique() -> None:
    assert len({e.name for e in ALL}) == len(ALL)


@pytest.mark.parametrize(("name", "answer"), [
    ("best-advantage", "(e^eps-1)/(e^eps+1)"),
    ("best-advantage", "1 - 2/(1+exp(eps))"),
    ("best-advantage", tanh(Symbol("eps") / 2)),
    ("xor-accuracy", "(1+tanh(eps/2)^2)/2"),
    ("leaks-of-many", "k*delta*exp((k-1)*log(1-delta))"),
    ("geometric-variance", "1/(cosh(eps)-1)"),
    ("geometric-at-zero", "tanh(ε/2)"),
    ("hoeffding-cosh", "cosh(x) <= exp(x*x/2)"),
    ("hoeffding-cosh", "exp(x^2)"),
    ("when-advanced-wins", 30.616),
    ("when-advanced-wins", Fraction(3062, 100)),
    ("best-mean-constant", 0.5),
    ("best-mean-constant", Rational(1, 2)),
    ("best-mean-constant", Decimal("0.5")),
])
def test_a_right_answer_in_another_form_is_right(name: str, answer: object) -> None:
    assert exercise(name).check(answer), exercise(name).check(answer)


@pytest.mark.parametrize(("name", "answer", "says"), [
    ("best-advantage", "eps/2", "at eps = 1 your formula is 0.5"),
    ("best-mean-constant", "0.4", "a counterexample is eps = "),
    ("best-mean-constant", 1, "it holds, but something better holds as well"),
    ("hoeffding-cosh", "exp(x^2/3)", "a counterexample is x = "),
    ("hoeffding-cosh", "cosh(x)", "not of the form that is asked for"),
    ("hoeffding-cosh", "(e^x + e^(-x))/2", "not of the form that is asked for"),
    ("hoeffding-cosh", "2*exp(x^2)", "not of the form that is asked for"),
    ("hoeffding-cosh", "1/(x-1)", "not of the form that is asked for"),
    ("hoeffding-cosh", "sinh(x) <= exp(x^2/2)", "has the form cosh(x) <= ..."),
    ("hoeffding-cosh", "cosh(x) >= exp(x^2/2)", "has the form cosh(x) <= ..."),
    ("best-mean-constant", "eps*tanh(eps/2) <= eps^2/2", "give c alone"),
    ("when-advanced-wins", 30, "is too small"),
    ("when-advanced-wins", "k", "the answer has k in it; it may have no variable"),
    ("laplace-variance", "1/(eps-1)", "is not defined at eps = 1"),
    ("laplace-variance", "2/x^2", "the answer has x in it; it may have eps"),
    ("laplace-variance", "2/eps^", "column"),
    ("laplace-variance", "__import__('os')", "column"),
    ("laplace-variance", None, "an answer is a formula as text"),
    ("laplace-variance", float("nan"), "not yet"),
    ("laplace-variance", oo, "outside the grammar"),
    ("laplace-variance", Integral(Symbol("eps")), "outside the grammar"),
    ("laplace-variance", Symbol("eps; import os"), "cannot be written down"),
    pytest.param("laplace-variance", 10**5000, "the number is too long", id="very long"),
    ("laplace-variance", "9^9^9^9", "too large"),
    pytest.param("laplace-variance", "(" * 3000 + "eps" + ")" * 3000, "column", id="very deep"),
    ("laplace-variance", "", "column 1"),
])
def test_a_wrong_answer_is_told_what_is_wrong(name: str, answer: object, says: str) -> None:
    feedback = exercise(name).check(answer)
    assert not feedback
    assert says in str(feedback)
    assert exercise(name).solution not in str(feedback)
    assert "\n" not in feedback._repr_markdown_()


@settings(max_examples=30, deadline=None)
@given(some.fractions(min_value=-3, max_value=3, max_denominator=50))
def test_a_constant_is_right_exactly_if_it_is_the_solution(c: Fraction) -> None:
    assert bool(exercise("squares-are-least").check(c)) == (c == Fraction(1, 2))


@settings(max_examples=30, deadline=None)
@given(some.floats(min_value=29, max_value=32))
def test_a_number_is_right_within_its_tolerance(k: float) -> None:
    truth = 30.6159
    feedback = exercise("when-advanced-wins").check(k)
    assert bool(feedback) == (abs(k - truth) <= 0.001 * truth) or abs(abs(k / truth - 1) - 0.001) < 1e-5


def test_an_unknown_exercise_is_said_so() -> None:
    with pytest.raises(UnknownExercise, match="there is no exercise 'x'"):
        exercise("x")


def test_a_solution_is_shown_to_whoever_asks() -> None:
    shown = exercise("laplace-variance").solve()
    assert "2/eps^2" in shown._repr_markdown_()
    assert "scale" in str(shown)
    assert exercise("best-advantage").check(exp(0) - 1).right is False
