"""A sentence that quantifies and ends with its list claims what the list says of the names it has quantified."""

import pytest

from symdp.papers.lint import lint


def verdicts(tmp_path, text):
    paper = tmp_path / "paper.tex"
    paper.write_text(rf"\documentclass{{article}}\begin{{document}}{text}\end{{document}}")
    return [f.verdict for f in lint([paper])]


@pytest.mark.parametrize("text", [
    r"For every $a > 0$, $a + 1 > 1$ and $a^2 \le 2$. Hence $a \le 2$.",
    r"For all $a > 0$, $a \ge 0$, and $a^3 \le 5$. It follows that $a \le 3$.",
    r"For any integer $n \ge 1$, $n \le 5$ and $n^2 \le 25$. Thus $n \le 6$.",
    r"If $a > 0$, $a + 1 > 1$ and $a^2 \le 2$. Hence $a \le 2$.",
    r"For each $\delta > 0$, $\delta > -1$ as well as $\delta \le 1$. Therefore $\delta^2 \le 1$.",
])
def test_what_a_list_claims_is_no_condition_of_what_follows(tmp_path, text):
    assert verdicts(tmp_path, text)[-1] != "proved"


@pytest.mark.parametrize("text", [
    r"For all $x > 0$ and $y > 0$ with $x + y \le 1$, we have $x y \le 1$.",
    r"For all $x > 0$, $y > 0$ and $x y \le 1$, we have \[ x y \le 2 . \]",
    r"For $s > 0$ and $s < 1$: \[ s^2 \le s. \]",
    r"If $u > 1$ and $u < 3$, the bound \[ u^2 \le 9 \] holds.",
    r"For every $\delta > 0$, $\delta^2 > 0$ and $\delta + 1 > 1$. Hence $\delta^2 + \delta > 0$.",
])
def test_conditions_of_a_claim_stay_conditions(tmp_path, text):
    found = verdicts(tmp_path, text)
    assert found[-1] == "proved"
    assert "refuted" not in found


def test_conditions_behind_a_claim_stay_conditions(tmp_path):
    found = verdicts(tmp_path, r"The bound $w^2 \le w$ holds for all $w \ge 0$ and $w \le 1$.")
    assert found == ["proved", "assumption", "assumption"]
