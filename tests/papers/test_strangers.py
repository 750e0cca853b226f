"""What sources of other people brought to light, in words of our own: no alarm where nothing is wrong."""

import pytest

from symdp.papers.lint import lint


def verdicts(tmp_path, text):
    path = tmp_path / "paper.tex"
    path.write_text(text)
    return [(f.tex, f.verdict) for f in lint([path], memory=None)]


@pytest.mark.parametrize("text", [
    r"For random variables, then $\mathbb{I}[X:Y] = 0$ iff they are independent.",
    r"Hence $I(X;Y) = 0$.",
    r"It follows that $\|x - y\| \le 0$.",
    r"Therefore $\Pr[A] = 0$.",
])
def test_that_a_quantity_with_a_name_is_zero_is_not_refuted(tmp_path, text):
    assert "refuted" not in dict(verdicts(tmp_path, text)).values()


def test_a_factor_of_both_sides_may_still_be_wrong(tmp_path):
    found = verdicts(tmp_path, r"Let $x > 0$. Then $\Pr[A] (1 + x) \le \Pr[A]$.")
    assert found[-1][1] in ("refuted", "undecided")
    assert found[-1][1] != "proved"


def test_what_a_definition_defines_is_known_behind_it(tmp_path):
    r"""A constant that is fixed in a definition of its own, and used in the proof of a later theorem."""
    found = verdicts(tmp_path, r"""\documentclass{article}
\newtheorem{definition}{Definition} \newtheorem{theorem}{Theorem}
\begin{document}
\begin{definition} $\eta := 1/9$. \end{definition}
\begin{theorem} There is a bound. \end{theorem}
\begin{proof} We have $8\eta + \eta^2 < 1$. \end{proof}
\end{document}
""")
    assert found[-1][1] == "proved"


@pytest.mark.parametrize("words", ["If moreover", "If further", "If also", "If in addition"])
def test_a_further_condition_is_a_condition(tmp_path, words):
    found = verdicts(tmp_path, rf"Let $0 < x < 1$. {words} $x \le \frac12$, then $-\ln(1-x) \le x + x^2$.")
    assert [verdict for _, verdict in found[-2:]] == ["assumption", "proved"]


@pytest.mark.parametrize("again", ["the first bit is $a = 1$", "we have $a > 0$", "it follows that $a = 2$"])
def test_what_was_concluded_in_one_case_is_not_held_against_the_next(tmp_path, again):
    found = verdicts(tmp_path, rf"""Case 1. The index is small, and it follows that $a = 0$.

Case 2. The index is large. Then {again}.
""")
    assert "refuted" not in dict(found).values()
