r"""What privacy regions promise: exact sets, reasons for every no, and the remarks of the source."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from finite_pairs import pairs
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy import Rational, exp, log, simplify, sqrt

from symdp.formulas.notation import delta, eps, eps_total
from symdp.numbers import exact
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.mechanisms.finite_laws.finite import FinitePair
from symdp.privacy.mechanisms.finite_laws.randomised_response import RandomisedResponse
from symdp.privacy.mechanisms.noise.gaussian import Gaussian
from symdp.privacy.mechanisms.noise.geometric import Geometric
from symdp.privacy.mechanisms.noise.staircase import Staircase
from symdp.privacy.pairs.tradeoff import height, vertices
from symdp.privacy.regions import conversion
from symdp.privacy.regions.region import PrivacyRegion

ratios = st.fractions(min_value=1, max_value=6, max_denominator=12)
chances = st.fractions(min_value=0, max_value=1, max_denominator=12)


def reached(pair: FinitePair) -> list[tuple[Fraction, Fraction]]:
    """The errors of every test that decides by a set, equation (3) before the hull."""
    p, q = pair.masses
    sets = range(1 << len(p))
    return [(sum(q[i] for i in range(len(q)) if not s >> i & 1),
             sum((p[i] for i in range(len(p)) if s >> i & 1), Fraction(0))) for s in sets]


@given(pairs())
def test_a_region_holds_every_test_and_no_more(pair) -> None:
    region = PrivacyRegion.of(pair)
    tests = reached(pair)
    assert all(point in region for point in tests)
    assert set(vertices(region.chain)) <= set(tests)  # its corners are reached, so it is their hull


@given(pairs())
def test_boundaries_are_convex_and_fall(pair) -> None:
    chain = PrivacyRegion.of(pair).chain
    corners = vertices(chain)
    assert corners[0] == (0, 1)
    assert corners[-1] == (1, 0)
    slopes = [p / q for p, q in chain if q > 0]
    assert all(a > b for a, b in pairwise(slopes))


@given(pairs(), pairs(), chances, chances, chances)
def test_regions_are_convex(pair, other, x, y, weight) -> None:
    region = PrivacyRegion.of(pair)
    (a, b), (c, d) = vertices(region.chain)[len(pair) % 2], vertices(region.chain)[-1]
    assert (weight * a + (1 - weight) * c, weight * b + (1 - weight) * d) in region
    assert ((x, y) in region) == ((1 - x, 1 - y) in region)  # a test may be turned round


@given(pairs(), pairs(), chances)
def test_intersection_and_hull_are_max_and_hull_of_the_boundaries(one, other, x) -> None:
    a, b = PrivacyRegion.of(one), PrivacyRegion.of(other)
    both, hull = a & b, a | b
    assert height(both.chain, x) == max(height(a.chain, x), height(b.chain, x))
    assert height(hull.chain, x) <= min(height(a.chain, x), height(b.chain, x))
    assert both <= a <= hull
    assert both <= b <= hull
    assert a & a == a | a == a
    assert set(vertices(hull.chain)) <= {*vertices(a.chain), *vertices(b.chain)}
    assert (a <= b) == (a & b == a) == (a | b == b)


@given(pairs(), pairs())
def test_a_separation_is_a_reason(one, other) -> None:
    outer, inner = PrivacyRegion.of(one), PrivacyRegion.of(other)
    reason = outer.separation(inner)
    if reason is None:
        assert all(point in outer for point in reached(other))
        return
    assert reason.point in inner
    assert reason.point not in outer
    assert exact.sign(exact.number(reason.gap)) > 0
    assert all(reason.line.excess(*corner) >= 0 for corner in vertices(outer.chain))
    assert not reason


@given(ratios, chances, pairs())
def test_containment_is_differential_privacy(ratio, chance, pair) -> None:
    """Corollary 2.3."""
    region = PrivacyRegion.guarantee(exp_epsilon=ratio, delta=chance)
    p, q = pair.masses
    private = all(
        sum((a[i] - ratio * b[i] for i in range(len(a)) if s >> i & 1), Fraction(0)) <= chance
        for s in range(1 << len(p)) for a, b in ((p, q), (q, p)))
    assert (PrivacyRegion.of(pair) <= region) == private


@given(ratios, chances)
def test_the_guarantee_is_the_region_of_randomised_response(ratio, chance) -> None:
    response = RandomisedResponse(log(Rational(ratio)), chance)
    region = PrivacyRegion.guarantee(exp_epsilon=ratio, delta=chance)
    assert PrivacyRegion.of(response) == region == PrivacyRegion.of(region.pair())
    assert region.symmetric


@given(pairs(), ratios)
def test_delta_of_a_region_is_that_of_its_pair(pair, ratio) -> None:
    region = PrivacyRegion.of(pair)
    value = region.delta(log(Rational(ratio)))
    assert Fraction(int(value.p), int(value.q)) in pair.delta(log(Rational(ratio)))
    assert region <= PrivacyRegion.guarantee(exp_epsilon=ratio, delta=value)
    assume(value > Rational(1, 10**6))
    assert not region <= PrivacyRegion.guarantee(exp_epsilon=ratio, delta=value * Rational(99, 100))


@given(pairs())
def test_symmetry_and_its_limits(pair) -> None:
    region = PrivacyRegion.of(pair)
    assert region.exchanged() == PrivacyRegion.of(pair.exchanged())
    assert region.symmetric == pair.symmetric
    assert region.symmetrised().symmetric
    assert region <= region.symmetrised()
    if region.symmetric:  # Remark 6.1: the lines with epsilon >= 0 in both forms are enough
        losses = [line for line in region.tangents if not line.exchanged]
        rebuilt = PrivacyRegion.of_guarantees(
            [(line.epsilon, line.delta) for line in losses] or [(0, 1)])
        assert rebuilt == region


def test_remark_6_1_needs_an_involution_of_the_outcomes() -> None:
    """A permutation that takes P to Q, as printed, is not enough: the region may be lopsided."""
    p = [Rational(1, 2), Rational(1, 3), Rational(1, 6)]
    pair = FinitePair(p, [p[1], p[2], p[0]])  # Q is P, cyclically renamed
    region = PrivacyRegion.of(pair)
    assert not region.symmetric
    losses = [(line.epsilon, line.delta) for line in region.tangents if not line.exchanged]
    assert PrivacyRegion.of_guarantees(losses) != region


@settings(max_examples=25)
@given(ratios.filter(lambda r: r > 1), chances, st.integers(1, 5))
def test_composition_from_the_corners_of_theorem_3_3(ratio, chance, k) -> None:
    loss = log(Rational(ratio))
    power = RandomisedResponse(loss, chance).power(k)
    assert PrivacyRegion.composed(loss, chance, k) == PrivacyRegion.of(power)


@pytest.mark.parametrize("loss", [Rational(1, 10), Rational(2), 1 / sqrt(30), log(3)])
def test_exact_where_the_exponential_is_no_rational(loss) -> None:
    region = PrivacyRegion.guarantee(loss, "1/7")
    assert region == PrivacyRegion.of(RandomisedResponse(loss, "1/7"))
    corner = region.corners[2]
    assert simplify(corner[0] - Rational(6, 7) / (1 + exp(loss))) == 0
    assert corner in region
    assert (corner[0], corner[1] - Rational(1, 10**40)) not in region
    assert PrivacyRegion.composed(loss, "1/7", 3) == PrivacyRegion.of(
        RandomisedResponse(loss, "1/7").power(3))
    assert PrivacyRegion.composed(loss, "1/7", 3) <= PrivacyRegion.guarantee(3 * loss, 1)
    assert PrivacyRegion.guarantee(loss) <= region <= PrivacyRegion.composed(loss, "1/7", 2)


def test_geometric_noise_has_the_region_of_randomised_response() -> None:
    assert PrivacyRegion.of(Geometric(1)) == PrivacyRegion.guarantee(1)
    assert PrivacyRegion.of(Geometric(1, 5)) <= PrivacyRegion.guarantee(1)
    assert not PrivacyRegion.of(Geometric(1, 5)) >= PrivacyRegion.guarantee(1)
    assert PrivacyRegion.of(Staircase("log(2)", 1, "1/3")) <= PrivacyRegion.guarantee("log(2)")


# --- Remark A.1 ---


@given(ratios, chances, ratios, chances)
def test_remark_a_1_is_an_equivalence(e, d, f, g) -> None:
    given_, wanted = (log(Rational(e)), d), (log(Rational(f)), g)
    inside = PrivacyRegion.guarantee(*given_) <= PrivacyRegion.guarantee(*wanted)
    assert conversion.implies(given_, wanted) == inside
    assert (conversion.counterexample(given_, wanted) is None) == inside
    least = conversion.least_delta(given_, wanted[0])
    assert inside == (Rational(g) >= least)
    assert conversion.implies(given_, (wanted[0], least))
    assert least == conversion.least_delta_form.subs(
        {exp(eps): Rational(e), exp(eps_total): Rational(f), delta: Rational(d)})
    epsilon = conversion.least_epsilon(given_, g)
    assert inside == bool(epsilon.is_finite and exact.sign(exact.number(wanted[0] - epsilon)) >= 0)
    try:
        largest = conversion.largest_delta(wanted, given_[0])
    except BadQuantity:
        assert not inside
    else:
        assert inside == (Rational(d) <= largest)


@given(ratios, chances)
def test_remark_a_1_b_is_attained(ratio, chance) -> None:
    region = PrivacyRegion.guarantee(exp_epsilon=ratio, delta=chance)
    assert region.total_variation == conversion.total_variation_form.subs(
        {exp(eps): Rational(ratio), delta: Rational(chance)})


# --- errors and display ---


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PrivacyRegion.guarantee(-1), "epsilon must be at least 0"),
        (lambda: PrivacyRegion.guarantee(1, 2), "delta must be at most 1"),
        (lambda: PrivacyRegion.guarantee(), "either epsilon or exp_epsilon"),
        (lambda: PrivacyRegion.guarantee(exp_epsilon="1/2"), "exp_epsilon must be at least 1"),
        (lambda: PrivacyRegion.of_guarantees([]), "at least one pair"),
        (lambda: PrivacyRegion.of(Gaussian(1)), "curved region"),
        (lambda: 1 in PrivacyRegion.guarantee(1), "a point is a pair"),
        (lambda: PrivacyRegion.guarantee(1).false_alarm(2), "P_MD must be at most 1"),
        (lambda: PrivacyRegion.composed(1, 0, 0), "k must be at least 1"),
    ],
)
def test_nonsense_is_refused_in_one_line(make, message) -> None:
    with pytest.raises(BadQuantity, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_regions_show_themselves() -> None:
    region = PrivacyRegion.guarantee(1, "1/5")
    assert r"P_{\mathrm{FA}} + e P_{\mathrm{MD}}" in region._repr_latex_()
    assert region._repr_markdown_().count("\n") == 6
    reason = PrivacyRegion.guarantee("1/2").separation(region)
    assert reason is not None
    assert "lies below" in reason._repr_markdown_()
    assert "violates" in str(reason)


def test_regions_are_drawn_with_their_corners() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    from symdp.report.figures.regions import outline, plot_regions, plot_separation

    regions = {f"$k = {k}$": PrivacyRegion.composed("0.4", "0.1", k) for k in range(1, 6)}
    ax = plot_regions(regions)
    for line, region in zip(ax.lines, regions.values(), strict=True):
        drawn = list(zip(line.get_xdata(), line.get_ydata(), strict=True))
        assert drawn == [(pytest.approx(float(x)), pytest.approx(float(y))) for x, y in region.corners]
        assert outline(region, whole=True)[0] == outline(region, whole=True)[-1]
    assert plot_regions(regions, ax, whole=True) is ax
    assert outline(Geometric(1).finite_pair()) == outline(PrivacyRegion.guarantee(1))
    curve = dict(outline(Gaussian(1)))
    assert curve[0.5] == pytest.approx(0.15865525393)
    reason = regions["$k = 1$"].separation(regions["$k = 3$"])
    assert reason is not None
    assert plot_separation(reason, ax) is ax
    ax.figure.canvas.draw()  # matplotlib can read the LaTeX
    pyplot.close("all")
