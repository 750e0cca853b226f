r"""Formulas that an author means in one sense and a reader might take in another: each is an error, not a guess.

Each of these was once "proved" in a sense that nobody has in mind.
"""

import pytest
from sympy import Dummy, Symbol, sqrt

from symdp.arguments.reading.latex_reader import read_expression
from symdp.arguments.reading.latex_tokens import LatexError
from symdp.arguments.reading.text_file import derivation_from
from symdp.formulas.parsing import parse_expression
from symdp.formulas.relation import Relation
from symdp.formulas.translation import NotATerm
from symdp.search.prove import check


@pytest.mark.parametrize("tex", [
    r"\Phi^{-1}(x)", r"\tanh^{-1} x", r"\operatorname{erf}^{-1}(x)",  # inverse functions, no quotients
    r"\log^{(2)} x", r"x^{(2)}", r"x^{(k+1)}", r"\varepsilon_0^{(k)}",  # iterations and labels, no powers
    r"exp(-x)", r"2exp(-x)", r"xlog x", r"\delta ln x", r"max x",  # no products of letters
    r"2\tfrac12", r"1 + 3\frac{1}{4}x",  # two and a half
    r"{x+1}^2", r"2{x-1}", r"{-x}^2", r"{kx}^2", r"{x^2}^3", r"\log{x}y", r"\log{x+1}",  # braces do not show
])
def test_what_may_be_meant_otherwise_is_refused(tex):
    with pytest.raises(LatexError):
        read_expression(tex, known=["p", "x", "k"])


@pytest.mark.parametrize("text", [
    "assume: x \\ge 1 if y \\ge 0\nstate: x \\ge 0", "assume: x \\ge 0 unless y \\ge 0\nstate: x \\ge 0",
    "assume: x \\ge 2 and y \\ge 0\nstate: x \\ge 0", "assume: x = 2 or y = 0\nstate: x y = 2 y",
    "assume: not x \\ge 2\nstate: x \\ge 2", "assume: x \\ge 0 for all y \\ge 0\nstate: x \\ge 0",
    "assume: x \\ge 0 as y \\ge 0\nstate: x \\ge 0",
])
def test_a_word_between_formulas_is_no_product_of_letters(text):
    with pytest.raises(ValueError, match="product of letters"):
        derivation_from(text)


@pytest.mark.parametrize("tex", ["a s + x", "as", "is + x", "a n d", "o r x", "nota", "x f o r"])
def test_letters_that_are_no_word_are_a_product(tex):
    assert read_expression(tex) == parse_expression(" + ".join(
        "*".join(part.replace(" ", "")) for part in tex.split(" + ")))


@pytest.mark.parametrize(("tex", "text"), [
    (r"\frac{1}{\Phi(x)}", "1/Phi(x)"), (r"\log^{-2} x", "log(x)^(-2)"), (r"\log^{2} x", "log(x)^2"),
    (r"e^{(k)}", "exp(k)"), (r"x^{(k)(k+1)}", "x^(k*(k+1))"),
    (r"e x p", "e*x*p"), (r"2 \cdot \tfrac12", "1"), (r"2\frac{x}{2}", "x"), (r"2+\frac12", "5/2"),
    (r"{x}^2", "x^2"), (r"{\left(x+1\right)}^2", "(x+1)^2"), (r"\log{x}", "log(x)"),
    (r"\exp{\left(k x\right)}", "exp(k*x)"),
    (r"{x_1}^{2}", "x_1^2"), (r"e^{x+1}", "exp(x+1)"),
])
def test_what_is_clear_is_read(tex, text):
    assert read_expression(tex, known=["x", "k"]) == parse_expression(text)


def test_a_row_that_begins_with_a_square_bracket_is_read():
    # "\\" and "[2]" on the next line were taken for the space between two rows.
    lines = "assume: x > 0\n\\begin{align}\n x &\\le x + 1 \\\\\n [2] x &\\le x\n\\end{align}\n"
    assert derivation_from(lines).check().standing != "proved"
    spaced = lines.replace("\\\\\n [2] x", "\\\\*[-2pt]\n x")
    assert derivation_from(spaced).check().standing == "proved"


@pytest.mark.parametrize("row", [
    r"x \le x + 1 \text{ and } x \le x - 1", r"x^2 \ge x \text{ for } x \ge 1", r"x \ge 1 \text{ if } x \ge 2",
    r"x \le x + 1 \quad\text{and so }\quad x < 0",
])
def test_a_claim_or_a_condition_behind_words_is_not_passed_over(row):
    with pytest.raises(LatexError, match="is not read"):
        derivation_from(f"state: {row}\n")


def test_a_reason_behind_words_stays_a_reason():
    assert derivation_from(r"state: x \le x + 1 \text{ since } 0 \le 1").check().standing == "proved"
    assert derivation_from(r"state: x \le x + 1 \text{ for all } x").check().standing == "proved"


@pytest.mark.parametrize("given", [
    {"let": ["m = x/2", "x = 3"]}, {"let": ["m = 3", "m = 1"]}, {"let": ["m = x/2"], "integer": ["m"]},
])
def test_a_name_has_one_meaning(given):
    # m <= 2 with x = 3 was refuted at x = 9; of two definitions the last one won.
    with pytest.raises(ValueError, match=r"meaning already|is defined"):
        check("m <= 2", **given)


@pytest.mark.parametrize("lines", [
    "distribution Z: 0 with 1; 1 with 1\nstate: \\mathbb{E}[1] = 2",
    "distribution Z: x with 2; 0 with -1\n\\begin{align}\n\\mathbb{E}[Z^2] &= 2 x^2\n\\end{align}",
    "assume: 0 \\le p \\le 1\ndistribution Z: 1 with p; 0 with p\nlet: m = \\mathbb{E}[1]\nstate: m = 2p",
    "distribution Z: 1 with p; 0 with 1-p\nstate: \\mathbb{E}[Z] = p",
])
def test_a_mean_is_taken_over_a_law(lines):
    # With any masses it was written out, so that the mean of 1 was 2.
    assert derivation_from(lines).check().standing != "proved"


def test_a_mean_over_a_law_is_written_out():
    lines = "assume: 0 \\le p \\le 1\ndistribution Z: 1 with p; 0 with 1-p\nstate: \\mathbb{E}[Z] = p"
    assert derivation_from(lines).check().standing == "proved"


def test_a_mean_that_follows_from_the_line_before_is_over_a_law():
    with pytest.raises(LatexError, match="asks for a law"):
        derivation_from("distribution Z: 0 with 1; 1 with 1\nstate: 2 = 2\nimplies: \\mathbb{E}[1] = 2")


@pytest.mark.parametrize("row", [
    r"-1 &\le x & 0 &\le 1", r"x &\le x + 1 & -1 &\le y^2", r"x &\le x + 1 &&\quad y &\le y",
    r"x &= x, & y &\le y",
])
def test_a_second_column_is_no_factor(row):
    # "-1 <= x" and "0 <= 1" were read as -1 <= x*0 <= 1.
    with pytest.raises(LatexError, match="second formula"):
        derivation_from(f"\\begin{{align}}\n{row}\n\\end{{align}}")


@pytest.mark.parametrize("row", [
    r"x & = & x", r"x &= x && \text{by nothing}", r"x &= x \\ &\quad \le x + 1",
])
def test_one_column_is_read(row):
    assert derivation_from(f"\\begin{{align}}\n{row}\n\\end{{align}}").check().standing in ("proved", "undecided")


@pytest.mark.parametrize("tex", ["1e-6", "2e6", "x + 1e-6", "1.5e-3 x"])
def test_a_floating_number_is_no_difference(tex):
    with pytest.raises(LatexError, match="1e-6"):
        read_expression(tex)


def test_multiples_of_e_are_read():
    assert read_expression("2 e - 6") == read_expression(r"2 \cdot e - 6") == parse_expression("2*e - 6")
    assert read_expression("2e - 6") == read_expression("2 e -6") == parse_expression("2*e - 6")
    assert read_expression("2e^{x} - 6") == parse_expression("2*e^x - 6")


@pytest.mark.parametrize("tex", [
    "lgamma(x)", "gamma(x)", "2digamma(x)", "trigamma(x)", "Phi(x)", "psi x", "cot x", "k eps", "epsilon x",
    r"arc\tan x", r"x arc \sin x", r"2ar\sinh x",
])
def test_no_function_and_no_letter_is_read_as_the_product_of_its_letters(tex):
    # gamma(x) was g a^2 m^2 x, and arc\tan x was a r c tan(x).
    with pytest.raises(LatexError, match="is read as a product"):
        read_expression(tex, known=["x", "k", "a"])


def test_products_of_letters_are_read():
    assert read_expression(r"k p x \arctan x", known=["x"]) == parse_expression("k*p*x*atan(x)")
    assert read_expression(r"a\tan x", known=["x"]) == parse_expression("a*tan(x)")


@pytest.mark.parametrize("left", [
    Symbol("x", positive=True) * Symbol("x"), sqrt(Symbol("x", positive=True) ** 2), Symbol("x", integer=True),
    Dummy("x"), Symbol("e"), Symbol("pi"),
])
def test_a_symbol_that_is_more_than_its_name_is_refused(left):
    # Two symbols called x were one variable, so that their product was proved to be a square.
    with pytest.raises((NotATerm, ValueError), match=r"no plain one|two symbols are called x"):
        check(Relation(left, ">=", Symbol("x")))


@pytest.mark.parametrize("given", [{"claim": Symbol("x", positive=True) >= 0},
                                   {"claim": "x <= 1", "where": [Symbol("x", negative=True) <= 0]}])
def test_a_relation_that_sympy_has_evaluated_is_refused(given):
    with pytest.raises(TypeError, match="SymPy has turned this relation into True"):
        check(**given)
