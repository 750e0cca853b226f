"""Sums against closed forms: the other side says how they telescope, and a wrong one is not proved."""

import pytest

from symdp.arguments.reading.text_file import derivation_from

RIGHT = [
    r"\sum_{i=1}^{n} \frac{1}{i(i+1)} = 1 - \frac{1}{n+1}",
    r"\sum_{i=1}^{n} \frac{1}{i} \le 1 + \ln n",
    r"\sum_{i=1}^{n} \frac{1}{i} \ge \ln(n+1)",
    r"\sum_{i=1}^{n} \frac{1}{\sqrt{i}} \le 2\sqrt{n}",
    r"\sum_{i=1}^{n} \frac{1}{i^2} \le 2 - \frac{1}{n}",
    r"\sum_{i=1}^{n} \ln i \le n\ln n",
]
WRONG = [
    r"\sum_{i=1}^{n} \frac{1}{i(i+1)} = 1 - \frac{1}{n}",
    r"\sum_{i=1}^{n} \frac{1}{i} \le \ln n",
    r"\sum_{i=1}^{n} \frac{1}{\sqrt{i}} \le \sqrt{n}",
    r"\sum_{i=1}^{n} \frac{1}{i^2} \le 2 - \frac{2}{n}",
]


def standing(relation):
    report = derivation_from(f"integer: n\nassume: n \\ge 1\nstate: {relation}\n").check(budget=10)
    (line,) = report.lines
    return line.standing.value


@pytest.mark.parametrize("relation", RIGHT)
def test_what_telescopes_is_proved(relation):
    assert standing(relation) == "proved"


@pytest.mark.parametrize("relation", WRONG)
def test_what_is_wrong_is_refuted(relation):
    assert standing(relation) == "false"
