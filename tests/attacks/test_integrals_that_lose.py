r"""An integral or an infinite sum in a paper stands for a closed form only if nothing is lost on the way.

Each of these was once argued, or read as something else: what an integrand mentions cancels in its integral, a pole
lies between the ends, a
term has no value, or a sum inside was taken apart.
"""

import pytest
from sympy import Abs, Integer, log, oo, sqrt

from symdp.formulas.notation import symbol
from symdp.papers.formulas.closed_forms import infinite_sum, integral
from symdp.papers.lint import lint

z, t, b, n = symbol("z"), symbol("t"), symbol("b"), symbol("n")
LOST = [
    ("Let $b$ be real.", r"\int_{-1}^{1} z\log b\,dz \le 0"),
    ("Let $b$ be real.", r"\int_{0}^{1} \frac{\log b}{\log b}\,dz \le 1"),
    ("Let $b$ be real.", r"\int_{0}^{1} 0\cdot\sqrt{b}\,dz \le 1"),
    ("", r"\int_{-2}^{-1} \frac{\log z}{\log z}\,dz \le 1"),
    ("Let $0<r<1$.", r"\sum_{k=0}^{\infty} \frac{k}{k} r^k \le \frac{1}{1-r}"),
    ("Let $0<r<1$ and let $b$ be real.", r"\sum_{k=0}^{\infty} r^k\frac{\log b}{\log b} \le \frac{1}{1-r}"),
    ("Let $n\\ge 1$ be an integer.", r"\sum_{i=1}^{n} x_i = \int_0^1 \sum_{i=1}^{n} y_i\,dz"),
]


@pytest.mark.parametrize(("said", "claim"), LOST)
def test_what_is_lost_on_the_way_settles_nothing(tmp_path, said, claim):
    paper = tmp_path / "paper.tex"
    paper.write_text(r"\documentclass{article}\begin{document}" + said + rf" Then \[ {claim} .\]\end{{document}}")
    verdicts = {f.verdict for f in lint([paper]) if "int" in f.tex or "sum" in f.tex}
    assert verdicts
    assert not verdicts & {"proved", "argued", "refuted"}


@pytest.mark.parametrize(("f", "low", "high"), [
    (z**-2, Integer(1), t), (z**-2, t, Integer(1)), (1 / z, Integer(1), -Integer(1)), (1 / z, Integer(0), Integer(1)),
    (1 / sqrt(z), Integer(1), t), (z**-2, -oo, Integer(-1))])
def test_a_pole_between_the_ends_leaves_no_closed_form(f, low, high):
    assert integral(f, z, low, high, frozenset()) is None


def test_without_one_there_is():
    assert (integral(z**-2, z, Integer(1), t, frozenset([t])) - 1 + 1 / t).simplify() == 0
    assert (infinite_sum(b**n, n, Integer(0), frozenset([b]), frozenset([b])) - 1 / (1 - b)).simplify() == 0


@pytest.mark.parametrize(("term", "first"), [
    (b ** Abs(n), -3), (b**n / (n - 3), 0), (1 / n**2, 0), (b**n * log(n), 1), (b**n * sqrt(n - 2), 0),
    (b**n / (n**2 - 5 * n + 6), 1)])
def test_a_term_without_a_value_leaves_no_closed_form(term, first):
    assert infinite_sum(term, n, Integer(first), frozenset([b]), frozenset([b])) is None
