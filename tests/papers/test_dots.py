r"""Dots in sums: read where the terms that are written leave one reading, else refused by name."""

import pytest

from symdp.papers.reading import read_document
from symdp.papers.text.source_text import Sources
from symdp.papers.work import Work


def read(formula):
    """The verdict before judging, the reading and the message of a formula."""
    sources = Sources()
    text = sources.add("paper.tex", rf"Let $n \ge 1$ be an integer and $q > 0$. Then ${formula}$.")
    entry = read_document(sources, text)[-1]
    found = entry.findings[-1] if isinstance(entry, Work) else entry
    return found.verdict, found.reading, found.message


@pytest.mark.parametrize(("formula", "reading"), [
    (r"1 + 2 + \dots + n \le n^2", "Sum(i, (i, 1, n))"),
    (r"1 + 3 + \cdots + (2n-1) \le n^2", "Sum(2*i - 1, (i, 1, n))"),
    (r"1 + q + q^2 + \ldots + q^{n-1} \le n", "Sum(q**(i - 1), (i, 1, n))"),
    (r"1 + \frac{1}{2} + \dots + \frac{1}{n} \le n", "Sum(1/i, (i, 1, n))"),
    (r"a_1 + \dots + a_n \le n", "Sum(a[i], (i, 1, n))"),
    (r"a_1 b_1 + \dots + a_n b_n \le n", "Sum(a[i]*b[i], (i, 1, n))"),
    (r"1 + 2 + 4 + \dots + 2^n \le 2^{n+1}", "Sum(2**i, (i, 0, n))"),
    (r"3(1 + 2 + \dots + n) \le 3n^2", "3*Sum(i, (i, 1, n))"),
])
def test_one_reading(formula, reading):
    assert read(formula)[1].startswith(reading)


@pytest.mark.parametrize("formula", [
    r"1 + 2 + \dots + 2^n \le 2^{n+1}", r"1 + \frac{1}{2} + \dots + \frac{1}{2^n} \le 2", r"1 + \dots + n \le n^2",
    r"1 + 2 + \dots + n - 1 \le n^2", r"n + (n-1) + \dots + 1 \le n^2", r"1 + 2 + \dots + n^2 \le n^4",
    r"1 + 1 + \dots + 1 \le n",
    r"1 - q + q^2 - \dots + q^n \le 1", r"1 + q + \dots \le n", r"1 \cdot 2 \cdots n \le n^n",
    r"a_1 + \dots + b_n \le n",
])
def test_more_than_one_reading_or_none(formula):
    verdict, _, message = read(formula)
    assert verdict == "unread"
    assert "dots" in message
    assert r"\sum" in message
    assert "column" in message
