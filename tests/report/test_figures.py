r"""What the figures promise: axes in and out, curves that agree with the exact values."""

from __future__ import annotations

import math

import matplotlib

matplotlib.use("agg")

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.text import Text
from sympy import Integer, Rational, log

from symdp.formulas.notation import eps, k, slack, x
from symdp.report.figures.comparison import plot_comparison
from symdp.report.figures.curves import COLOURS, evaluate, plot_bounds
from symdp.report.figures.saved import fitted, inches, save
from symdp.sources.registry import statement
from symdp.typeset.numerals import number_latex

AT = {eps: Rational(1, 10), slack: Rational(1, 10**6)}
BOUNDS = {
    s.place.label: s.formulas["epsilon in total"]
    for s in map(statement, ("kov/thm-3.1", "kov/thm-3.2", "kov/thm-3.4"))
}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    pyplot.close("all")


def test_the_axes_that_go_in_come_out() -> None:
    ax = pyplot.figure().add_subplot()
    assert plot_bounds(BOUNDS, k, range(1, 5), AT, ax) is ax
    assert plot_bounds(BOUNDS, k, range(1, 5), AT) is not ax


def test_each_bound_is_a_curve_that_agrees_with_exact_evaluation() -> None:
    counts = [1, 7, 30, 200]
    ax = plot_bounds(BOUNDS, k, counts, AT)
    assert [line.get_label() for line in ax.lines] == list(BOUNDS)
    for line, bound in zip(ax.lines, BOUNDS.values(), strict=True):
        for count, height in zip(counts, line.get_ydata(), strict=True):
            exact = bound.subs({**AT, k: Integer(count)}).evalf(30)
            assert height == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.long
@settings(max_examples=30)
@given(st.integers(1, 10**4), st.fractions(min_value="1/100", max_value=2))
def test_evaluation_agrees_with_exact_values_anywhere(count: int, loss) -> None:
    at = {eps: Rational(loss), slack: Rational(1, 10**6)}
    for bound in BOUNDS.values():
        exact = float(bound.subs({**at, k: Integer(count)}).evalf(30))
        assert evaluate(bound, k, [count], at) == [pytest.approx(exact, rel=1e-11)]


def test_labels_are_in_the_notation_of_the_house() -> None:
    ax = plot_bounds(BOUNDS, k, range(1, 5), {**AT, x: 3}, quantity="epsilon in total")
    assert ax.get_xlabel() == "$k$"
    assert ax.get_ylabel() == "epsilon in total"
    assert ax.get_title() == r"$\varepsilon = 0.1$, $\tilde{\delta} = 10^{-6}$"
    ax.figure.canvas.draw()  # matplotlib can read the LaTeX


def test_axes_are_logarithmic_only_on_request() -> None:
    ax = plot_bounds(BOUNDS, k, range(1, 5), AT, log_x=True)
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "linear")
    assert plot_bounds(BOUNDS, k, range(1, 5), AT, log_y=True).get_yscale() == "log"


def test_curves_differ_in_colour_and_dashes() -> None:
    ax = plot_bounds(BOUNDS, k, range(1, 5), AT)
    assert len({line.get_color() for line in ax.lines}) == len(BOUNDS)
    assert len({line.get_linestyle() for line in ax.lines}) == len(BOUNDS)
    assert len(set(COLOURS)) == len(COLOURS)


def test_a_missing_value_names_the_cure() -> None:
    with pytest.raises(ValueError, match="slack to draw; give it in `at`"):
        plot_bounds(BOUNDS, k, [1], {eps: 1})


def test_where_there_is_no_value_there_is_no_point() -> None:
    heights = evaluate(log(x), x, [-1, 1], {})
    assert math.isnan(heights[0])
    assert heights[1] == 0


@pytest.mark.parametrize(
    ("value", "tex"),
    [(3, "3"), (0.25, "0.25"), (Rational(2, 7), r"\frac{2}{7}"), (Rational(1, 1000), "10^{-3}")],
)
def test_numbers_read_well(value: object, tex: str) -> None:
    assert number_latex(value) == tex


def test_a_figure_for_a_journal_has_its_letters_inside_and_the_width_of_a_column(tmp_path):
    made = plot_comparison(["basic", "advanced"]).get_figure(root=True)
    fitted(made, width=inches("84mm"), title=False)
    save(made, tmp_path / "column.pdf")
    content = (tmp_path / "column.pdf").read_bytes()
    assert b"/FontFile2" in content  # TrueType
    assert b"/Type3" not in content
    assert made.get_size_inches()[0] == pytest.approx(84 / 25.4)
    assert all(axes.get_title() == "" for axes in made.axes)
    assert max(text.get_fontsize() for text in made.findobj(Text) if text.get_text()) <= 8


def test_a_legend_below_a_narrow_figure_hides_no_curve():
    made = plot_comparison(["basic", "advanced", "simplified"]).get_figure(root=True)
    fitted(made, width=3.3)
    made.draw_without_rendering()
    axes = made.axes[0]
    assert axes.get_legend().get_window_extent().y1 <= axes.get_window_extent().y0


def test_a_width_that_is_none_is_named():
    for text in ("wide", "-3", "0.1", "100"):
        with pytest.raises(ValueError, match=r"width|wide"):
            inches(text)
