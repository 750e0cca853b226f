"""At a Python prompt: formulas as text, LaTeX or SymPy has them, and answers that fit into a line."""

import ast
from pathlib import Path

import pytest
import sympy

import symdp
from symdp import prompt
from symdp.sources.registry import statements

x = sympy.Symbol("x")
positive = sympy.Symbol("x", positive=True)
n = sympy.Symbol("n", integer=True, nonnegative=True)


@pytest.mark.parametrize("claim", ["exp(x) >= 1 + x", r"e^{x} \ge 1+x", sympy.exp(x) >= 1 + x,
                                   symdp.Relation(sympy.exp(x), ">=", 1 + x)])
@pytest.mark.parametrize("where", ["x >= 0", ["x >= 0"], r"x \ge 0", x >= 0, "x in [0, 1]", r"x \in [0,1]",
                                   sympy.And(x >= 0, x <= 1), sympy.Contains(x, sympy.Interval(0, 1)), ()])
def test_a_claim_is_the_same_however_it_is_written(claim, where):
    assert symdp.check(claim, where=where).status == "proved"


def test_assumptions_of_symbols_are_conditions():
    assert symdp.check(sympy.exp(positive) > 1 + positive)
    assert not symdp.check(sympy.exp(x) > 1 + x)  # equal at 0
    assert symdp.check(positive**n >= 1 + n * (positive - 1))
    assert symdp.check(n * (n - 1) >= 0)
    assert not symdp.check(x * (x - 1) >= 0)


@pytest.mark.parametrize(("claim", "reason"), [
    (positive <= positive + 1, "SymPy has turned this relation into True"),
    (True, "SymPy has turned this relation into True"),
    (positive <= x, "two symbols are called x"),
    (sympy.Ne(x, 1), "two things differ"),
    (sympy.sqrt(x) <= 1.5, "is a float"),
    (sympy.Symbol("q", rational=True) <= 3, "rational, which a condition cannot say"),
    (sympy.Symbol("z", imaginary=True) + x <= 3, "not to be a real number"),
    (x + 1, "is no relation"),
    (3, "is no relation"),
])
def test_what_says_less_or_more_than_it_seems_is_refused(claim, reason):
    with pytest.raises((TypeError, ValueError), match=reason):
        symdp.check(claim)


def test_a_condition_is_no_row_of_letters():
    with pytest.raises(TypeError, match="is no condition"):
        symdp.check("x <= 1", where=3)


@pytest.mark.parametrize("op", ["<=", "<", ">=", ">", "=="])
def test_a_witness_has_its_sides_as_they_were_written(op):
    left, right = ("exp(x)", "2") if op in ("<=", "<", "==") else ("2", "exp(x)")
    verdict = symdp.check(f"{left} {op} {right}", where="x >= 1")
    shown = verdict.as_json()["witness"]
    assert (shown["left"][:4], shown["right"][:4]) == (("2.71", "2") if left == "exp(x)" else ("2", "2.71"))
    assert "left" in str(verdict)


def test_answers_fit_into_a_line_and_solutions_stay_hidden():
    found = [symdp.check("x <= 1", where="x <= 2"), symdp.sharpest("x <= c", "c", where="x in [0, 1]"),
             symdp.lookup("kov/thm-3.1"), symdp.proof("kov/sec-7"), symdp.expand("exp(x)", "x"),
             symdp.derive("assume: x > 0\nstate: x^2 > 0"), *statements()]
    assert not [repr(one)[:90] for one in found if "\n" in repr(one) or len(repr(one)) > 600]
    assert repr(found[1]) == "<Sharpest holds for c >= 1; fails for c < 1>"
    task = symdp.exercise("best-advantage")
    assert task.solution not in repr(task)


def test_a_derivation_is_read_from_text_and_from_files(tmp_path):
    text = "assume: x > 0\nstate: \\log(1+x) \\le x"
    file = tmp_path / "line.txt"
    file.write_text(text)
    assert symdp.derive(text)
    assert symdp.derive(file)
    assert symdp.derive(str(file))


def test_editors_see_what_the_front_door_offers():
    tree = ast.parse(Path(symdp.__file__).read_text(encoding="utf-8"))
    told = {(alias.asname, node.module) for branch in tree.body if isinstance(branch, ast.If)
            for node in branch.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert told == set(symdp._HOME.items())
    assert {"check", "sharpest", "derive", "expand", "compose", "calibrate", "figure", "latex", "lookup",
            "exercise"} <= set(symdp.__all__)


@pytest.mark.parametrize("name", prompt.__all__)
def test_parameters_are_named_in_the_docstring(name):
    function = getattr(prompt, name)
    said = function.__doc__
    assert ">>>" in said
    assert not [p for p in function.__code__.co_varnames[:function.__code__.co_argcount]
                if f"{p}:" not in said and f"{p}," not in said and name != "exercise"]


def test_a_paper_is_a_file_or_a_text(tmp_path):
    text = r"Let $x > 0$. Then $x \le x + 1 < x$."
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    kinds = ["assumption", "proved", "refuted"]
    given = tmp_path / "paper.tex"
    for what in (text, given, str(given), [given]):
        assert [f.verdict for f in symdp.lint(what)] == kinds
    assert not symdp.lint(text)
    assert symdp.lint(r"Let $x > 0$. Then $x \le x + 1$.")
    with pytest.raises(ValueError, match="cannot be read"):
        symdp.lint(tmp_path / "other.tex")


@pytest.mark.parametrize("formula", [
    "exp(x) >= 1 + x", r"e^{x} \ge 1+x", sympy.exp(sympy.Symbol("x")) >= 1 + sympy.Symbol("x")])
def test_latex_takes_text_latex_and_sympy(formula):
    assert symdp.latex(formula) == r"e^{x} \ge 1+x"
