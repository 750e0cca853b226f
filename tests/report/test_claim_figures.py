"""Figures for claims: margins of the right sign, slices that show the witness, reasons for none."""

import math

import matplotlib as mpl
import pytest

mpl.use("agg")

from matplotlib import pyplot
from sympy import Integer, Rational, exp

from symdp.audit.campaign import Options, audit_all
from symdp.formulas.notation import delta, eps, k, lam, slack, symbol, x
from symdp.formulas.relation import eq, le
from symdp.report.figures.claim_figures import plot_claim, witness_of
from symdp.report.figures.comparison import plot_comparison
from symdp.report.figures.margins import chart, curve, margin
from symdp.report.figures.slices import NoFigure, slice_of
from symdp.report.page import page_figures
from symdp.report.page.page_figures import figure_of
from symdp.sources.registry import claim, claims


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


def settled(id):
    (record,) = audit_all([claim(id)], Options(budget=5))
    return claim(id), record


def test_a_proved_claim_has_a_margin_everywhere():
    proved = claim("kov/thm-3.2.centring-helps")
    flat = slice_of(proved, most=1)
    assert min(m for _, m in curve(proved.relation, flat, 60)) > 0


def test_a_refuted_claim_fails_where_the_figure_says_so():
    refuted, record = settled("kov/app-b.less")
    witness = witness_of(refuted, record)
    flat = slice_of(refuted, most=2, witness=witness)
    for axis in flat.axes:
        assert axis.low <= witness[axis.variable] <= axis.high
    _, _, rows = chart(refuted.relation, flat, 12)
    assert min(m for row in rows for m in row if math.isfinite(m)) < 0
    ax = plot_claim(refuted, witness=witness)
    assert {"fails", "witness"} <= {text.get_text() for text in ax.get_legend().get_texts()}


def test_sides_that_nearly_agree_are_told_apart():
    tangent = margin(le(1 + x, exp(x)), {}, [x])
    assert tangent([1e-9]) > 0  # the gap is 5e-19, and floats see nothing of it
    assert tangent([0.0]) == 0


def test_what_underflows_is_computed_again():
    same = margin(eq(exp(-x) * exp(-x), exp(-2 * x)), {}, [x])
    assert same([400.0]) == 0


def test_axes_go_in_and_come_out_and_may_be_chosen():
    ax = pyplot.figure().add_subplot()
    chosen = claim("kov/thm-3.4.simplified.sharper")
    assert plot_claim(chosen, ax, against=[eps], at={k: Integer(7)}) is ax
    assert ax.get_xlabel() == r"$\varepsilon$"
    assert "k = 7" in ax.get_title()
    assert plot_claim(chosen, against=[k, eps]).get_ylabel() == r"$\varepsilon$"


@pytest.mark.parametrize(("id", "against", "at", "words"), [
    ("kov/thm-3.4.simplified.sharper", [symbol("banana")], {}, "no variable banana"),
    ("kov/thm-3.4.simplified.sharper", [], {eps: Integer(-1)}, "does not speak of eps = -1"),
    ("kov/thm-3.4.simplified.sharper", [eps, k, slack], {}, "at most two axes"),
    ("kov/thm-3.1", [eps, k], {}, "against one variable"),
    ("kov/eq-9.definition", [], {}, "without a formula"),
    ("kov/sec-9.3.abel", [], {}, "family of numbers"),
    ("kov/thm-3.5.log-branch", [], {}, "any sequence"),
])
def test_where_there_is_no_figure_there_is_a_reason(id, against, at, words):
    with pytest.raises(NoFigure, match=words):
        plot_claim(claim(id), against=against, at=at)


def test_a_guarantee_shows_what_is_needed_and_what_is_promised():
    ax = plot_claim(claim("kov/thm-3.1"), at={k: Integer(3), delta: Rational(1, 100)})
    needed, promised = (line.get_ydata() for line in ax.lines[:2])
    assert all(a <= b * (1 + 1e-9) for a, b in zip(needed, promised, strict=True) if math.isfinite(a))


def test_sums_are_drawn_too():
    some = next(c for c in claims() if c.id == "kov/eq-25.identity")
    assert len(plot_claim(some, at={k: Integer(3)}).lines) >= 2


def test_bounds_are_compared_with_the_exact_value():
    ax = plot_comparison(["basic", "kov/thm-3.4", "exact"], eps, {k: Integer(20)}, low=0.01, high=1)
    basic, simplified, exact = ax.lines
    assert [line.get_label() for line in ax.lines] == ["Theorem 3.1", "Theorem 3.4", "exact"]
    for place, best in zip(exact.get_xdata(), exact.get_ydata(), strict=True):
        assert best <= 20 * place * (1 + 1e-9)
    assert max(simplified.get_ydata()) <= max(basic.get_ydata()) * (1 + 1e-9)


@pytest.mark.parametrize(("bounds", "against", "words"), [
    (["basic"], slack, "none of the bounds depends on slack"), ([], k, "needs bounds")])
def test_a_comparison_of_nothing_is_refused(bounds, against, words):
    with pytest.raises(NoFigure, match=words):
        plot_comparison(bounds, against)


@pytest.mark.long
def test_the_page_shows_what_says_something_and_keeps_it(tmp_path, monkeypatch):
    refuted, record = settled("kov/app-b.less")
    shown = figure_of(refuted, record, "name", tmp_path)
    assert shown is not None
    assert shown.svg.startswith("<svg")
    assert 'id="name-0"' in shown.svg
    (kept,) = tmp_path.glob("*.figure")
    with monkeypatch.context() as patch:
        patch.setattr(page_figures, "_drawn", lambda *_: pytest.fail("drawn a second time"))
        assert figure_of(refuted, record, "name", tmp_path) == shown
    for changed in (kept.read_text().replace("<svg", "<svg data-kept"), "{}"):
        kept.write_text(changed)
        assert figure_of(refuted, record, "name", tmp_path) == shown  # drawn anew: it is not as we wrote it
    same, other = settled("kov/sec-7.mgf-identity.corrected")
    assert figure_of(same, other, "other") is None  # two curves that coincide are one curve
    assert lam in same.symbols
