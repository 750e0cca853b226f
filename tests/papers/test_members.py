r"""Families: what is said of each member is used in sums, within the range for which it is said, and nowhere else."""

import pytest

from symdp.papers.judging import judge
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import Sources
from symdp.papers.work import Work

LET = r"Let $n \ge 1$ be an integer. "


def verdict(text, budget=3.0):
    """Of the last relation of a text."""
    sources = Sources()
    entry = read_document(sources, sources.add("paper.tex", text))[-1]
    return (judge(entry, budget)[-1] if isinstance(entry, Work) else entry).verdict


@pytest.mark.parametrize("said", [
    r"Let $a_i \ge 0$ for all $i$.", r"Let $a_i \ge 0$ for $i = 1, \dots, n$.", r"Suppose that each $a_i \ge 0$, "
    r"for every $i \in [n]$.", r"Let $a_1, \dots, a_n \ge 0$.", r"Let $a_i \ge 0$ for $1 \le i \le n$.",
    r"Let $a_1, a_2, \ldots, a_n \in [0,\infty)$.",
])
def test_what_is_said_of_each_member_bounds_a_sum(said):
    assert verdict(LET + said + r" Then $\sum_{i=1}^n a_i \ge 0$.") == "proved"


@pytest.mark.parametrize("said", [
    "", r"Fix $i$ with $a_i \ge 0$.", r"Let $a_i \ge 0$ for some $i$.", r"There is an $i$ with $a_i \ge 0$.",
    r"Let $a_1 \ge 0$.", r"Let $a_j \ge 0$.", r"Let $a_i \ge 0$ for $i = 2, \dots, n$.",
    r"Let $b_i \ge 0$ for all $i$.",
])
def test_what_is_said_of_one_or_of_some_does_not(said):
    assert verdict(LET + said + r" Then $\sum_{i=1}^n a_i \ge 0$.") == "undecided"


def test_beyond_the_range_nothing_is_known():
    assert verdict(LET + r"Let $a_1, \dots, a_n \ge 0$. Then $\sum_{i=0}^n a_i \ge 0$.") == "undecided"


def test_a_value_for_each_member_is_put_into_a_sum():
    let = LET + r"Let $\varepsilon > 0$ and let $\varepsilon_i = \varepsilon/n$ for each $i$. Then "
    assert verdict(let + r"$\sum_{i=1}^n \varepsilon_i^2 = \frac{\varepsilon^2}{n}$.") == "proved"
    assert verdict(let + r"$\sum_{i=1}^n \varepsilon_i^2 = \frac{\varepsilon}{n}$.") == "refuted"


def test_a_sum_that_is_bounded_without_its_range_keeps_from_refuting():
    said = LET + r"Suppose $a_i \ge 0$ for all $i$ and $\sum_i a_i = 1$. Then $\sum_{i=1}^n a_i \le \frac12$."
    assert verdict(said) == "undecided"


@pytest.mark.parametrize(("claim", "right"), [
    (r"\sum_{i=1}^n a_i \le n", "proved"), (r"\sum_{i=1}^n a_i \le n \max_i a_i", "proved"),
    (r"\max_{1 \le i \le n} a_i \le 1", "proved"), (r"n \min_i a_i \le \sum_{i=1}^n a_i", "proved"),
    (r"\max_i a_i \le \frac12", "undecided"), (r"\sup_i a_i < 1", "undecided"),
    (r"\sum_{i=1}^n a_i \le n/2", "refuted"),
])
def test_bounds_of_members_bound_sums_and_the_largest_member(claim, right):
    assert verdict(LET + rf"Let $0 \le a_i \le 1$ for all $i$. Then ${claim}$.") == right


@pytest.mark.parametrize("claim", [
    r"\left(\sum_{i=1}^n a_i\right)^2 \le n \sum_{i=1}^n a_i^2",
    r"\left(\sum_{i=1}^n a_i b_i\right)^2 \le \sum_{i=1}^n a_i^2 \cdot \sum_{i=1}^n b_i^2",
    r"\sum_{i=1}^n \sqrt{a_i} \le \sqrt{n \sum_{i=1}^n a_i}",
    r"\frac{n}{\sum_{i=1}^n 1/a_i} \le \frac{1}{n} \sum_{i=1}^n a_i",
    r"\exp\left(\frac{1}{n} \sum_{i=1}^n a_i\right) \le \frac{1}{n} \sum_{i=1}^n e^{a_i}",
    r"\frac{1}{n} \sum_{i=1}^n \ln a_i \le \ln\left(\frac{1}{n} \sum_{i=1}^n a_i\right)",
])
def test_cauchy_schwarz_and_jensen_are_laws_that_the_kernel_does_not_have(claim):
    assert verdict(LET + rf"Let $a_i > 0$ and $b_i > 0$ for all $i$. Then \[ {claim}. \]") in ("argued", "proved")


@pytest.mark.parametrize("claim", [
    r"\left(\sum_{i=1}^n a_i\right)^2 \le \sum_{i=1}^n a_i^2",
    r"\sum_{i=1}^n \sqrt{a_i} \le \sqrt{\sum_{i=1}^n a_i}",
    r"\exp\left(\frac{1}{n} \sum_{i=1}^n a_i\right) \ge \frac{1}{n} \sum_{i=1}^n e^{a_i}",
    r"\frac{1}{n} \sum_{i=1}^n \ln a_i \ge \ln\left(\frac{1}{n} \sum_{i=1}^n a_i\right)",
])
def test_what_they_do_not_say_is_refuted(claim):
    assert verdict(LET + rf"Let $a_i > 0$ for all $i$. Then \[ {claim}. \]") in ("refuted", "undecided")


def test_jensen_needs_its_conditions():
    claim = r"\left(\frac{1}{n} \sum_{i=1}^n a_i\right)^3 \le \frac{1}{n} \sum_{i=1}^n a_i^3"
    assert verdict(LET + rf"Let $a_i \ge 0$ for all $i$. Then \[ {claim}. \]") in ("argued", "proved")
    assert verdict(LET + rf"Let $a_i \ge -1$ for all $i$. Then \[ {claim}. \]") in ("refuted", "undecided")
