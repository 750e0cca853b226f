"""What may be read in two ways is not read; and what is read is read as its author means it."""

import pytest

from symdp.papers.finding import Finding
from symdp.papers.judging import judge
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import Sources, document
from symdp.papers.work import Work


def findings(text: str) -> list[Finding]:
    """Of a text, without a process for each chain."""
    sources = Sources()
    entries = read_document(sources, sources.add("paper.tex", text))
    return [f for e in entries for f in (judge(e, 1.0) if isinstance(e, Work) else [e])]


def readings(text: str) -> list[tuple[str, str]]:
    """Verdicts and readings, before anything is judged."""
    sources = Sources()
    entries = read_document(sources, sources.add("paper.tex", text))
    return [(f.verdict, f.reading) for e in entries for f in (e.findings if isinstance(e, Work) else [e])]


def one(text: str) -> Finding:
    (found,) = [f for f in findings(text) if f.verdict != "assumption"]
    return found


@pytest.mark.parametrize("rows", [
    r"x &= x + 1 \\ &\qquad - 1", r"x &= x + 1 \\ &\quad{} - 1", r"x &= x \\ & + 0",
    r"x &= \left( x \right. \\ &\left. + 0 \right)",
])
def test_a_row_that_goes_on_is_no_new_chain(rows):
    assert one(rf"Let $x>0$. \begin{{align}}{rows}\end{{align}}").verdict == "proved"


@pytest.mark.parametrize("row", [r"&\quad (1-x)", r"&\qquad x", r"& \frac{1}{2}"])
def test_a_row_that_may_be_a_factor_is_in_doubt(row):
    found = one(rf"Let $x>0$. \begin{{align}} x &\le x \\ {row} \end{{align}}")
    assert found.verdict == "unread"
    assert "two readings" in found.message


@pytest.mark.parametrize("word", ["and", "hence", "so", "which gives", "whence", "and consequently", "but"])
def test_a_relation_behind_words_is_judged(word):
    found = findings(rf"Let $x>0$. Then \[ x \le 2x \quad\text{{{word}}}\quad 2x \le x. \]")
    assert [f.verdict for f in found] == ["assumption", "proved", "refuted"]


def test_an_alternative_is_not_claimed():
    found = findings(r"Let $x>0$. Then \[ x \le 1 \text{ or } x \ge 1. \]")
    assert [f.verdict for f in found][1:] == ["unread", "unread"]


@pytest.mark.parametrize(("formula", "said"), [
    (r"\frac{d}{dx} x^2 = 2x", "derivative"), (r"\frac{df}{dx} = 2x", "derivative"),
    (r"\frac{\partial f}{\partial x} = 2x", "derivative"), (r"x^{(2)} = x", "label"),
    (r"\Delta f^2 \le x", "two readings"),
    (r"ln(x) \le x", "ln"), (r"x \le 1/2x", r"1/(2x) or \frac{1}{2} \cdot x"), (r"x \le \log 2x", "argument"),
    (r"e^{x^2/2y^2} \ge 1", r"x^2/(2y^2) or \frac{x^2}{2} \cdot y^2"), (r"e^{-x/2y} \le 1", "stroke"),
    (r"e^{-x^2/2 y} \le 1", "stroke"), (r"x^2/2y^2 \ge 0", "stroke"), (r"e^{-x^2/2y + 1} \le 1", "stroke"),
    (r"e^{-1/2x^2} \le 1", "stroke"), (r"2^{-x^2/2y^2} \le 1", "stroke"),
    (r"1 + x + \dots \le 2", r"\dots"),
    (r"\mathbf{A}\mathbf{B} = \mathbf{B}\mathbf{A}", "matrix"),
    (r"x \le \mathbb{E} X", "brackets"), (r"\lg x \le x", r"\lg"),
    (r"x = \begin{cases} 1 & x > 0 \\ 0 & x < 0 \end{cases}", "cases"), (r"u^\top v = v^\top u", "power"),
    (r"\langle u, v \rangle = 1", "vectors"), (r"x \neq 1", r"\neq"),
    (r"x^{[2]} \le x", "label"), (r"x^{\{2\}} \le x", "label"), (r"x^{\left(2\right)} \le x", "label"),
    (r"\frac{d^2}{dx^2} x^3 = 6x", "derivative"), (r"\frac{\mathrm{d}}{\mathrm{d}x} x^3 = 3x^2", "derivative"),
    (r"\tfrac{d x^3}{d x} = 3x^2", "derivative"), (r"exp(x) \ge x", "exp"), (r"sqrt(x) \le 1 + x", "sqrt"),
    (r"\sin 2 x \le 1", "argument"), (r"{x \over 2 \over 3} \le x", r"\over"),
])
def test_what_has_two_readings_is_unread_and_the_token_is_named(formula, said):
    found = [f for f in findings(rf"Let $x>0$. Then \[ {formula}. \]") if f.verdict != "assumption"]
    assert {f.verdict for f in found} == {"unread"}
    assert said in found[0].message


@pytest.mark.parametrize("formula", [
    r"e^{-x^2/2y^2}", r"\exp(-x^2/2y^2)", r"\exp\left(-x^2/2y^2\right)", r"e^{-x^{2}/2y^{2}}",
])
def test_the_exponent_of_a_normal_tail_has_one_reading(formula):
    found = findings(rf"Let $x>0$ and $y>0$. Then \[ {formula} = e^{{-\frac{{x^2}}{{2y^2}}}}. \]")
    assert found[-1].verdict == "proved"


def test_two_columns_are_two_relations():
    found = readings(r"\begin{align} b &\le 1 & c &\le 2 \end{align}")
    assert found == [("undecided", "b <= 1"), ("undecided", "c <= 2")]


def test_a_condition_beside_a_row_is_used_and_reported():
    (_, found, condition) = findings(
        r"Let $\varepsilon > 0$. Then \begin{align} e^\varepsilon &\le 1 + 2\varepsilon && "
        r"\text{for } \varepsilon \le 1 \end{align}")
    assert (found.verdict, condition.verdict) == ("proved", "assumption")
    assert (r"\varepsilon \le 1", 1) in found.hypotheses


@pytest.mark.parametrize("beside", [
    r"&& (\varepsilon \le 1)", r"&& [\varepsilon \le 1]", r"&& \left( 0 < \varepsilon \le 1 \right)",
    r"\quad (\varepsilon \le 1)", r",\qquad 0 < \varepsilon \le 1", r"\quad \forall \varepsilon \le 1",
    r"&& \text{as long as } \varepsilon \le 1",
])
def test_a_condition_may_stand_in_brackets_or_behind_a_comma(beside):
    row = rf"e^\varepsilon &\le 1 + 2\varepsilon {beside}"
    found = findings(rf"Let $\varepsilon > 0$. Then \begin{{align*}} {row} \end{{align*}}")
    assert [f.verdict for f in found[1:2]] == ["proved"]
    assert {f.verdict for f in found[2:]} == {"assumption"}


def test_words_that_are_not_understood_keep_from_refuting_what_stands_beside_them():
    found = findings(r"Let $x > 0$. Then \[ e^x \le 1 + 2x \quad\text{unless } x > 1. \]")
    assert [f.verdict for f in found] == ["assumption", "undecided", "unread"]
    assert "unless" in found[-1].message


def test_what_is_applied_elsewhere_is_no_factor_here():
    text = r"Let $a, b$ be real numbers. Here $g(t) = t^2$ and $g + 1 > g$. Then $g(a+b) = ga + gb$."
    found = findings(text)[-1]
    assert found.verdict == "unread"
    assert r"g \cdot (a+b)" in found.message


def test_a_power_of_a_function_has_more_than_one_reading():
    found = findings(r"Let $x > 0$ and $f(x) = x^2$. Then \[ f^2(x) = x^4, \quad f^{-1}(x) = x. \]")
    assert [f.verdict for f in found if f.verdict not in ("assumption", "definition")] == ["unread", "unread"]
    assert "readings" in found[-1].message


@pytest.mark.parametrize("reasons", [
    r"Since $2x \le x$,", r"Since $x + y \le 1$ and $x \ge 2 + y$,",
    r"Suppose $x + y \le 1$. Since $x \ge 2$ and $y \ge x$,",
])
def test_from_reasons_that_contradict_each_other_nothing_follows(reasons):
    found = findings(rf"Let $x > 0$ and $y > 0$. {reasons} we have $e^x \le \frac12$.")
    assert found[-1].verdict != "proved"


def test_a_second_definition_of_a_display_is_known_behind_it():
    display = r"\[ a := 2k, \qquad \varepsilon_0 \triangleq k/2 . \]"
    found = findings(rf"Let $k \ge 1$. Then {display} So $\varepsilon_0 \ge \frac12$.")
    assert [f.verdict for f in found] == ["assumption", "definition", "definition", "proved"]


def test_what_is_bound_by_others_leaves_them_as_they_were():
    """Let d >= ln(p/(1-p)) says nothing new of p."""
    found = findings(r"Let $\frac12 \le p < 1$ and let $d \ge \ln\frac{p}{1-p}$. Then $\frac{1-p}{p} \le 1$.")
    assert found[-1].verdict == "proved"


def test_what_has_no_value_at_an_end_of_its_domain_is_judged_on_the_rest_and_said():
    let = r"Let $x \ge 0$. Then "
    assert one(let + r"$\ln x \le x - 1$.").verdict == "argued"
    assert "x > 0" in one(let + r"$\ln x \le x - 1$.").message
    assert one(let + r"$\ln x \le \sqrt{x} - 2$.").verdict == "refuted"
    assert one(r"Let $x$ be a real number. Then $\ln x \le x - 1$.").verdict == "undecided"


def test_without_the_condition_it_is_refuted():
    assert one(r"Let $\varepsilon > 0$. Then \[ e^\varepsilon \le 1 + 2\varepsilon. \]").verdict == "refuted"


def test_a_definition_is_not_refuted():
    found = findings(
        r"Let $k \ge 1$. \begin{align} \varepsilon' &= 2k \\ &\le 3k \end{align} Then $\varepsilon' \ge 2$.")
    assert [f.verdict for f in found] == ["assumption", "definition", "proved", "proved"]


def test_the_line_after_a_wrong_one_is_compared_with_the_last_right_one():
    found = findings(r"Let $x > 0$. \begin{align} x &\le 2x \\ &\le x \\ &\le 3x \end{align}")
    assert [f.verdict for f in found][1:] == ["proved", "gap", "proved"]


def test_of_an_unknown_name_what_is_missing_is_said():
    found = one(r"We have \[ e^x \le 1 + 2x. \]")
    assert found.verdict == "undecided"
    assert found.missing == ("where x lives",)
    assert "holds for" in found.message
    assert "1.2564" in found.message


def test_a_quantity_that_is_only_a_name_is_not_refuted():
    assert one(r"Then \[ \Pr[A] \le \frac12. \]").verdict == "undecided"
    assert one(r"Let $x \ge 0$. Then \[ \Pr[A] \le \Pr[A] + x. \]").verdict == "proved"


def test_orders_are_asymptotic():
    assert one(r"Then \[ f(n) = O(n^2). \]").verdict == "asymptotic"


def test_natural_numbers_may_begin_at_one():
    assert one(r"Let $k \in \mathbb{N}$. Then \[ k^2 \ge 1. \]").verdict == "undecided"
    assert one(r"Let $k \in \mathbb{N}$. Then \[ k^2 \ge k. \]").verdict == "proved"
    assert one(r"Let $k \in \mathbb{N}$. Then \[ k^2 \ge 2k + 1. \]").verdict == "refuted"


def test_a_hypothesis_that_is_not_read_keeps_from_refuting():
    found = findings(r"Let $x > 0$. Suppose that $\mathbf{v} x \le 1$. Then \[ x^2 \ge x. \]")[-1]
    assert found.verdict == "undecided"
    assert "not read" in found.missing[0]


def test_a_bound_behind_vague_words_says_what_they_mean():
    words = r"Let $z > 0$ and $q > 0$. For small $z$ the loss is quadratic in $q$. "
    assert findings(words + r"Then $q^2 (2z)^2 \le 3 z$.")[-1].verdict == "undecided"
    precise = words + "\n" + r"Suppose $z \le 1$. Then $q^2 (2z)^2 = 2 q^2 z^2$."
    assert findings(precise)[-1].verdict == "refuted"


def test_hypotheses_have_scopes():
    text = (r"\newtheorem{thm}{Theorem}\begin{document}\begin{thm} Let $0 < x \le 1$. Then $x^2 \le x$. \end{thm}"
            "\n" r"\begin{proof} We have $x^3 \le x$. \end{proof}" "\n"
            r"\section{Other} Let $x > 0$. Then $x^2 \le x$. \end{document}")
    assert [f.verdict for f in findings(text) if f.verdict != "assumption"] == ["proved", "proved", "refuted"]


def test_macros_without_end_are_said():
    found = findings(r"\newcommand{\a}{\b}\newcommand{\b}{\a} Then $\a \le 1$.")
    assert found[0].verdict == "unread"
    assert "stands for itself" in found[0].message


def test_places_are_those_of_the_source():
    text = "\n".join([r"\newcommand{\eps}{\varepsilon}", r"\begin{document}", r"Let $\eps > 0$.", r"\begin{align}",
                      r"  \eps", r"  &\le 2\eps \\", r"  &\le \eps", r"\end{align}", r"\end{document}"])
    assert [(f.line, f.column) for f in findings(text)] == [(3, 6), (5, 3), (7, 3)]


def test_comments_steer():
    text = "\n".join(["% symdp: assume x > 0", "% symdp: integer n", "Then", r"\[", "% symdp: ignore", r"x \le 0",
                      r"\]", "and", r"\[", "% symdp: expect refuted", r"x \le 0", r"\]"])
    found = findings(text)
    assert [f.verdict for f in found] == ["assumption", "unread", "refuted"]
    assert found[-1].expected


def test_a_file_cannot_be_put_in_from_elsewhere(tmp_path):
    (tmp_path / "secret.tex").write_text("Then $1 \\le 0$.")
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    (folder / "main.tex").write_text(
        r"\input{../secret} \input{link} \input{main} \input{/etc/passwd} Then $0 \le 1$.")
    found = [f for e in read_document(*document(folder / "main.tex"))
             for f in (e.findings if isinstance(e, Work) else [e])]
    assert [f.tex for f in found] == [r"\input"] * 4 + [r"0 \le 1"]
