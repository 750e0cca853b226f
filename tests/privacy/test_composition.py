"""Composition: every enclosure holds the number that another route gives."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from campaign import IN_FULL, tries
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp.cli.app import main
from symdp.formulas import notation
from symdp.numbers.decimals import INFINITY
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.accounting import bounds
from symdp.privacy.accounting.calibration import calibrate, largest_epsilon
from symdp.privacy.accounting.experiment import Experiment, fickle, hasty, likelihood
from symdp.privacy.composition.compose import compose
from symdp.privacy.composition.heterogeneous import Heterogeneous
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.privacy.composition.mixture import Mixture
from symdp.privacy.lattice.binomial import Binomial, mills_ratio
from symdp.privacy.lattice.convolution import Factor, Lattice, SumOfLosses
from symdp.privacy.mechanisms.every import (
    FinitePair,
    Gaussian,
    Geometric,
    Laplace,
    RandomisedResponse,
    Staircase,
)

quick = settings(max_examples=tries(60), deadline=None)
ratios = st.fractions(min_value=Fraction(51, 50), max_value=20, max_denominator=50)
probabilities = st.fractions(min_value=0, max_value=1, max_denominator=1000)
small_counts = st.integers(min_value=1, max_value=12)


def fraction(value: object) -> sympy.Rational:
    value = Fraction(value)
    return sympy.Rational(value.numerator, value.denominator)


def log(value: Fraction) -> sympy.Expr:
    return sympy.log(fraction(value))


def exact_delta(ratio: Fraction, delta: Fraction, k: int, bound: Fraction) -> Fraction:
    """The definition: over all outcomes, how much P is above e^epsilon Q; in rationals."""
    likely, unlikely = ratio / (1 + ratio), 1 / (1 + ratio)
    beyond = Fraction(0)
    for j in range(k + 1):
        on_p = math.comb(k, j) * unlikely**j * likely ** (k - j)
        on_q = math.comb(k, j) * likely**j * unlikely ** (k - j)
        beyond += max(Fraction(0), on_p - bound * on_q)
    survival = (1 - delta) ** k
    return 1 - survival + survival * beyond


def holds(ball: arb, value: Fraction) -> bool:
    with ctx.workprec(8000):  # enough to multiply the ball by the denominator without loss
        return bool((ball * value.denominator - value.numerator).contains(0))


# --- binomial tails ---------------------------------------------------------------------------


@quick
@given(k=st.integers(1, 400), j=st.integers(0, 400), odds=ratios)
def test_tails_are_those_of_the_rational_sum(k: int, j: int, odds: Fraction) -> None:
    j = min(j, k)
    low = sum(math.comb(k, i) * odds ** (k - i) for i in range(j + 1)) / (1 + odds) ** k
    with ctx.workprec(90):
        binomial = Binomial(k, (arb(odds.numerator) / odds.denominator).log())
        found, mirrored = binomial.lower_pair(j)
        assert holds(found, low)
        assert found.rel_accuracy_bits() > 60
        if j < k * odds / (1 + odds):
            other = sum(math.comb(k, i) * odds**i for i in range(j + 1)) / (1 + odds) ** k
            assert holds(mirrored, other)


@settings(max_examples=40, deadline=None)
@given(
    k=st.sampled_from([10**3, 10**5, 10**6, 10**9, 10**12]),
    away=st.floats(min_value=0.5, max_value=12),
    epsilon=st.sampled_from(["0.001", "0.01", "0.5"]),
)
def test_tails_are_those_of_the_incomplete_beta_function(k: int, away: float, epsilon: str) -> None:
    with ctx.workprec(100):
        binomial = Binomial(k, arb(epsilon))
        mean, spread = float(binomial.p) * k, math.sqrt(float(binomial.p * binomial.q) * k)
        j = int(mean - away * spread)
        if j < 0:
            return
        ratio = mills_ratio(k, j, binomial.p, binomial.q, 80)
    with ctx.workprec(200):
        sharp = Binomial(k, arb(epsilon))
        beta = sharp.q.beta_lower(k - j, j + 1, regularized=True)
        mass = (sharp.log_mass(j) - (k - 2 * j) * sharp.log_ratio).exp()
        assert ratio.overlaps(beta / mass)
        assert ratio.rel_accuracy_bits() > 50


# --- homogeneous ------------------------------------------------------------------------------


@quick
@given(ratio=ratios, delta=probabilities, k=small_counts,
       bound=st.fractions(min_value=1, max_value=100, max_denominator=30))
def test_delta_is_that_of_the_rational_sum(
    ratio: Fraction, delta: Fraction, k: int, bound: Fraction
) -> None:
    found = Homogeneous(log(ratio), fraction(delta), k).delta(log(bound))
    assert exact_delta(ratio, delta, k, bound) in found
    assert found.digits >= 17


@quick
@given(ratio=ratios, delta=probabilities, k=small_counts, target=probabilities)
def test_epsilon_is_the_smallest_that_the_rational_sum_allows(
    ratio: Fraction, delta: Fraction, k: int, target: Fraction
) -> None:
    found = Homogeneous(log(ratio), fraction(delta), k).epsilon(fraction(target))
    if found.upper == INFINITY:
        assert target < 1 - (1 - delta) ** k
        return
    with ctx.workprec(300):
        upper = arb(str(found.upper)).exp().upper()
        lower = arb(str(found.lower)).exp().lower()
    assert exact_delta(ratio, delta, k, _above(upper)) <= target
    if found.lower > 0:
        assert exact_delta(ratio, delta, k, _below(lower)) >= target


def _above(value: arb) -> Fraction:
    mantissa, power = (int(part) for part in (value * (1 + arb(2) ** -200)).upper().man_exp())
    return Fraction(mantissa) * Fraction(2) ** power


def _below(value: arb) -> Fraction:
    mantissa, power = (int(part) for part in (value * (1 - arb(2) ** -200)).lower().man_exp())
    return max(Fraction(1), Fraction(mantissa) * Fraction(2) ** power)


@quick
@given(ratio=ratios, delta=probabilities, k=st.integers(1, 25))
def test_corners_are_those_of_the_theorem(ratio: Fraction, delta: Fraction, k: int) -> None:
    corners = Homogeneous(log(ratio), fraction(delta), k).corners()
    assert len(corners) == k // 2 + 1
    for i, corner in enumerate(corners):
        printed = sum(
            math.comb(k, m) * (ratio ** (k - m) - ratio ** (k - 2 * i + m)) for m in range(i)
        ) / (1 + ratio) ** k
        assert 1 - (1 - delta) ** k * (1 - printed) in corner.delta


@settings(max_examples=40, deadline=None)
@given(
    k=st.sampled_from([1, 2, 7, 1000, 10**6, 10**9, 10**12]),
    size=st.sampled_from(["1e-12", "1e-6", "0.001", "0.1", "3", "1000"]),
    target=st.sampled_from(["1e-300", "1e-50", "1e-10", "1e-6", "0.01"]),
)
def test_there_and_back(k: int, size: str, target: str) -> None:
    composed = Homogeneous(size, 0, k)
    found = composed.epsilon(target)
    assert 0 <= found.lower <= found.upper <= k * Decimal(size) * (1 + Decimal("1e-17"))
    assert composed.delta(str(found.upper)).lower <= Decimal(target)
    if found.lower > 0:
        assert composed.delta(str(found.lower)).upper >= Decimal(target)


@settings(max_examples=12, deadline=None)
@given(
    k=st.sampled_from([10**3, 10**4 + 1, 10**6, 10**9]),
    scale=st.sampled_from([Fraction(1, 100), Fraction(1, 2), Fraction(2)]),
    away=st.floats(min_value=0.1, max_value=9),
    delta=st.sampled_from(["0", "1e-30", "1e-12"]),
)
def test_delta_is_that_of_the_incomplete_beta_function(
    k: int, scale: Fraction, away: float, delta: str
) -> None:
    """P[Bin(k, x) <= j] is the regularised incomplete beta function: two of them give delta."""
    each = fraction(scale / math.isqrt(k))
    total = fraction(Fraction(float(scale) * away + float(scale) ** 2 / 2))
    found = Homogeneous(each, delta, k).delta(total)
    with ctx.workprec(300):
        epsilon = arb(int(each.p)) / int(each.q)
        q = 1 / (1 + epsilon.exp())
        at = arb(int(total.p)) / int(total.q)
        below = int(((k - at / epsilon) / 2).lower().ceil().unique_fmpz())  # losses above are fewer
        on_p = (1 - q).beta_lower(k - below + 1, below, regularized=True)
        on_q = q.beta_lower(k - below + 1, below, regularized=True)
        survival = (1 - arb(delta)) ** k
        other = 1 - survival + survival * (on_p - at.exp() * on_q)
        assert arb(str(found.lower)) <= other.upper()
        assert arb(str(found.upper)) >= other.lower()
    assert found.digits >= 17


def test_thirty_mechanisms_have_sixteen_corners_to_thirty_digits() -> None:
    corners = Homogeneous("0.1", "0.001", 30).corners(digits=30)
    assert len(corners) == 16
    assert all(c.delta.digits >= 30 and c.epsilon.digits >= 30 for c in corners)
    assert corners[0].epsilon.lower == 3


def test_delta_that_is_out_of_reach_says_why() -> None:
    found = Homogeneous("0.1", "0.001", 30).epsilon("0.01")
    assert found.lower == INFINITY
    assert "gives the database away" in found.note
    assert Homogeneous("0.1", "1/2", 2).epsilon("3/4").upper == Decimal("0.2")
    assert Homogeneous("0.1", 1, 2).epsilon("0.999").lower == INFINITY
    assert Homogeneous("0.1", 1, 2).epsilon(1).upper == 0


def test_delta_on_a_corner_gives_its_epsilon() -> None:
    assert Decimal("0.69314718055994530941") in Homogeneous("log(2)", 0, 3).epsilon("6/27")


@pytest.mark.parametrize("digits", [1, 5, 50, 400])
def test_digits_come_as_asked(digits: int) -> None:
    found = Homogeneous("0.01", "1e-9", 10**4).epsilon("1e-4", digits=digits)
    assert found.digits >= digits


def test_numbers_of_numpy_are_read_as_they_print() -> None:
    same = str(Homogeneous("0.1", 0, 10).epsilon("1e-3"))
    for tenth in (np.float64("0.1"), np.float32("0.1"), np.float16("0.1")):
        found = Homogeneous(tenth, 0, np.int64(10)).epsilon(np.float64("1e-3"))  # type: ignore[arg-type]
        assert str(found) == same
    for wrong in (np.array([0.1]), np.float32("nan"), np.bool_(True)):
        with pytest.raises(BadQuantity):
            Homogeneous(wrong, 0, 10)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("epsilon", "delta", "k"),
    [(-1, 0, 1), (1, -1, 1), (1, 2, 1), (1, 0, 0), (1, 0, 2.5), (math.nan, 0, 1), ("x", 0, 1),
     (1, math.inf, 1), (1, 0, "many")],
)
def test_bad_input_is_refused(epsilon: object, delta: object, k: object) -> None:
    with pytest.raises(BadQuantity):
        Homogeneous(epsilon, delta, k)  # type: ignore[arg-type]


# --- heterogeneous ----------------------------------------------------------------------------


def exact_mixed(ratios: list[Fraction], bound: Fraction) -> Fraction:
    """The definition, over all 2^k outcomes, in rationals."""
    outcomes = [(Fraction(1), Fraction(1))]
    for ratio in ratios:
        likely, unlikely = ratio / (1 + ratio), 1 / (1 + ratio)
        outcomes = [
            pair for p, q in outcomes for pair in ((p * likely, q * unlikely), (p * unlikely, q * likely))
        ]
    return sum((max(Fraction(0), p - bound * q) for p, q in outcomes), Fraction(0))


@settings(max_examples=40, deadline=None)
@given(base=ratios, powers=st.lists(st.integers(1, 5), min_size=2, max_size=6),
       bound=st.fractions(min_value=1, max_value=50, max_denominator=9))
def test_multiples_of_one_epsilon_compose_exactly(
    base: Fraction, powers: list[int], bound: Fraction
) -> None:
    composed = Heterogeneous([(n * log(base), 0) for n in powers])
    found = composed.delta(log(bound))
    assert exact_mixed([base**n for n in powers], bound) in found
    assert found.digits >= 17
    back = composed.epsilon(str(found.upper))
    if bound < base ** sum(powers):
        with ctx.workprec(200):
            assert arb(str(back.lower)) <= (arb(bound.numerator) / bound.denominator).log().upper()


@settings(max_examples=20, deadline=None)
@given(each=st.lists(ratios, min_size=2, max_size=6), target=st.fractions(0, 1, max_denominator=200),
       bound=st.fractions(min_value=1, max_value=50, max_denominator=9))
def test_unrelated_epsilons_compose_exactly_or_between_bounds(
    each: list[Fraction], target: Fraction, bound: Fraction
) -> None:
    parts = [(log(ratio), 0) for ratio in each]
    truth = exact_mixed(each, bound)
    assert truth in Heterogeneous(parts).delta(log(bound))
    rounded = Heterogeneous(parts, resolution="1/50")
    assert truth in rounded.delta(log(bound))
    finer = Heterogeneous(parts, resolution="1/500").delta(log(bound))
    assert truth in finer
    assert finer.upper <= rounded.delta(log(bound)).upper * (1 + Decimal("1e-15"))
    exactly = Heterogeneous(parts).epsilon(fraction(target))
    around = rounded.epsilon(fraction(target))
    assert around.lower <= exactly.upper
    assert exactly.lower <= around.upper


@settings(max_examples=tries(60), deadline=None)
@given(
    tables=st.lists(st.lists(st.integers(1, 50), min_size=2, max_size=6), min_size=1, max_size=4),
    many=st.integers(1, 5), tilt=st.floats(-0.5, 6), i=st.integers(0, 60), bits=st.integers(20, 120),
)
def test_products_in_fixed_point_hold_the_exact_sums(
    tables: list[list[int]], many: int, tilt: float, i: int, bits: int
) -> None:
    masses = [[Fraction(w, sum(table)) for w in table] for table in tables]
    exactly = [Fraction(1)]
    for table in masses:
        for _ in range(many):
            longer = [Fraction(0)] * (len(exactly) + len(table) - 1)
            for s, a in enumerate(exactly):
                for t, b in enumerate(table):
                    longer[s + t] += a * b
            exactly = longer
    cells = len(exactly) - 1
    lattice = Lattice(
        top=lambda: arb(1), step=lambda: arb(1) / 7, cells=cells, last=cells, many=many * len(masses),
        factors=lambda: [Factor([(s, arb(m.numerator) / m.denominator) for s, m in enumerate(table)], many)
                         for table in masses])
    with ctx.workprec(bits):
        on_p, on_q = SumOfLosses(lattice, tilt).line(min(i, cells + 1))
    assert holds(on_p, sum(exactly[:i], Fraction(0)))
    with ctx.workprec(400):
        other = sum((arb(m.numerator) / m.denominator * (arb(s) / 7 - 1).exp()
                     for s, m in enumerate(exactly[:i])), arb(0))
        assert on_q.overlaps(other)
        if tilt < 1 and bits > 80:  # a tilt far off costs digits, never truth
            assert on_p.rad() < 1e-9
            assert on_q.rad() < 1e-9


def test_equal_mechanisms_in_two_parts_are_the_homogeneous_composition() -> None:
    one = Homogeneous("0.1", "0.001", 30)
    two = Heterogeneous([("0.1", "0.001", 10), ("0.1", "0.001", 20)])
    assert two.epsilon("0.05", digits=30).middle == one.epsilon("0.05", digits=30).middle
    assert [str(c.delta) for c in two.corners()] == [str(c.delta) for c in one.corners()]
    nearly = Heterogeneous([("0.1", "0.001", 29), ("0.2", 0), ("0", "0.001")])
    wider = Heterogeneous([("0.1", "0.001", 29), ("0.1", "0.001", 2)])
    assert nearly.epsilon("0.05").lower > one.epsilon("0.05").upper
    assert nearly.delta(0).lower > 0
    assert wider.epsilon("0.05").lower > one.epsilon("0.05").upper


def test_corners_of_different_mechanisms_are_on_the_curve() -> None:
    composed = Heterogeneous([("0.1", "1e-3", 3), ("0.25", 0, 2), ("0.4", "1e-5")])
    for corner in composed.corners(digits=20):
        at = composed.delta(str(corner.epsilon.lower), digits=20)
        assert at.lower <= corner.delta.upper
        assert corner.delta.lower <= at.upper


def test_a_lattice_too_fine_is_refused_with_its_size() -> None:
    with pytest.raises(BadQuantity, match="makes 2000000000 losses"):
        Heterogeneous([("1", 0), ("sqrt(2)-sqrt(2)+9", 0)], resolution="1e-8")
    with pytest.raises(BadQuantity, match="no mechanism"):
        Heterogeneous([])


# --- Gaussian and Laplace noise ---------------------------------------------------------------


def laplace_by_integration(loss: float, k: int, epsilon: float) -> float:
    """E (1 - e^(epsilon - L))^+ by integrating over the loss of one mechanism after the other."""
    if epsilon >= k * loss:
        return 0.0
    if epsilon <= -k * loss:
        return -math.expm1(epsilon)
    if k == 1:
        return -math.expm1((epsilon - loss) / 2)
    ends = laplace_by_integration(loss, k - 1, epsilon - loss) / 2
    ends += float(mpmath.exp(-loss)) / 2 * laplace_by_integration(loss, k - 1, epsilon + loss)
    kinks = sorted({-loss, loss} | {epsilon - loss * m for m in range(-k, k + 1)
                                    if abs(epsilon - loss * m) < loss})
    between = mpmath.quad(
        lambda x: mpmath.exp((x - loss) / 2) / 4 * laplace_by_integration(loss, k - 1, epsilon - float(x)),
        kinks)
    return ends + float(between)


@pytest.mark.parametrize(("loss", "k", "epsilon"), [
    ("1", 1, "1/3"), ("1", 2, "1/2"), ("1/10", 2, "1/8"), ("3", 2, "1"), ("1/2", 2, "0"),
    ("1/2", 3, "3/4"), ("1", 3, "1/5"),
])
def test_laplace_noise_composes_as_integration_says(loss: str, k: int, epsilon: str) -> None:
    with mpmath.workdps(15 if k < 3 else 10):
        other = laplace_by_integration(float(Fraction(loss)), k, float(Fraction(epsilon)))
    found = compose(Laplace.private(loss), k).delta(epsilon)
    assert abs(float(found) - other) < 1e-9
    assert found.digits >= 17


@settings(max_examples=25, deadline=None)
@given(loss=st.sampled_from(["1/100", "1/10", "1/2", "2"]), k=st.integers(1, 40),
       target=st.sampled_from(["1e-12", "1e-6", "1e-3", "0.1"]))
def test_laplace_noise_is_never_worse_than_randomised_response(loss: str, k: int, target: str) -> None:
    laplace = compose(Laplace.private(loss), k)
    found = laplace.epsilon(target)
    assert found.lower <= compose(RandomisedResponse(loss), k).epsilon(target).upper
    if found.lower > 0:
        assert laplace.delta(str(found.upper)).lower <= Decimal(target)
        assert laplace.delta(str(found.lower)).upper >= Decimal(target)


@settings(max_examples=15, deadline=None)
@given(variance=st.sampled_from(["1", "9", "400"]), k=st.integers(1, 10**6), epsilon=st.floats(0.01, 3))
def test_gaussian_noise_composes_as_integration_says(variance: str, k: int, epsilon: float) -> None:
    found = compose(Gaussian(variance=variance), k).delta(epsilon)
    mu = math.sqrt(k / float(variance))
    with mpmath.workdps(20):
        middle, e = mpmath.mpf(mu) ** 2 / 2, mpmath.mpf(repr(epsilon))
        density = lambda x: mpmath.npdf(x, middle, mu) * -mpmath.expm1(e - x)  # noqa: E731
        stops = [middle + mu * t for t in range(-12, 15, 2)]
        other = mpmath.quad(density, [e, *(x for x in stops if x > e)])
    assert abs(float(found) - float(other)) < 1e-9


def test_different_gaussians_add_the_squares_of_their_distances() -> None:
    two = compose([Gaussian(variance=2), Gaussian(variance=2)])
    assert str(two.epsilon("1e-5")) == str(compose(Gaussian(variance=1)).epsilon("1e-5"))
    assert str(compose([(Gaussian(variance=2), 2)]).epsilon("1e-5")) == str(two.epsilon("1e-5"))
    with pytest.raises(BadQuantity, match="no composition of str"):
        compose("0.1")


# --- mechanisms of different kinds -----------------------------------------------------------


def gaussian_and_laplace(square: float, loss: float, epsilon: float) -> float:
    """The delta of Gaussian noise, which knows no ends, in the mean over the loss of Laplace noise."""
    mu = mpmath.sqrt(square)

    def gaussian(at: object) -> object:
        return mpmath.ncdf(mu / 2 - at / mu) - mpmath.exp(at) * mpmath.ncdf(-mu / 2 - at / mu)

    ends = gaussian(epsilon - loss) / 2 + mpmath.exp(-loss) / 2 * gaussian(epsilon + loss)
    return float(ends + mpmath.quad(lambda x: mpmath.exp((x - loss) / 2) / 4 * gaussian(epsilon - x),
                                    [-loss, 0, loss]))


@settings(max_examples=6 if IN_FULL else 3, deadline=None)
@given(variance=st.sampled_from(["1/4", "9", "100"]), loss=st.sampled_from(["1/10", "1/3", "2"]),
       response=st.sampled_from(["0.2", "sqrt(2)"]), epsilon=st.sampled_from(["0", "0.3", "2", "6"]))
def test_a_mixture_is_what_integration_says(
    variance: str, loss: str, response: str, epsilon: str
) -> None:
    found = compose([Gaussian(variance), Laplace.private(loss), (response, "0.01")]).delta(epsilon)
    answer, at = mpmath.mpf(sympy.sympify(response).evalf(20)), mpmath.mpf(epsilon)
    likely = 1 / (1 + mpmath.exp(-answer))
    square, reach = 1 / float(Fraction(variance)), float(Fraction(loss))
    other = 0.01 + 0.99 * (likely * gaussian_and_laplace(square, reach, at - answer)
                           + (1 - likely) * gaussian_and_laplace(square, reach, at + answer))
    assert float(found.lower) * (1 - 1e-12) <= other <= float(found.upper) * (1 + 1e-12)
    assert float(found.upper) < other * 1.01


@settings(max_examples=3 if IN_FULL else 2, deadline=None)
@given(k=st.integers(1, 60) if IN_FULL else st.integers(2, 9), loss=st.sampled_from(["1/10", "1/2", "2"]),
       target=st.sampled_from(["1e-60", "1e-9", "1e-3", "0.1"]))
def test_a_mixture_of_one_kind_is_its_composition(k: int, loss: str, target: str) -> None:
    kinds = (RandomisedResponse(loss, "1e-90"), Laplace.private(loss), Gaussian(f"({loss})^-2"), Staircase(loss))
    for noise in kinds if IN_FULL else kinds[:2]:
        exactly = compose(noise, k)
        mixed = Mixture([(noise, k)])
        found, truth = mixed.epsilon(target), exactly.epsilon(target)
        assert found.lower <= truth.upper
        assert found.upper >= truth.lower
        found, truth = mixed.delta(1), exactly.delta(1)
        assert found.lower <= truth.upper
        assert found.upper >= truth.lower


def test_a_mixture_of_finite_pairs_on_one_lattice_has_all_digits() -> None:
    unfair = FinitePair(["4/10", "3/10", "3/10"], ["1/10", "6/10", "3/10"])
    mixed = compose([(unfair, 2), ("log(2)", "1/10", 1), Geometric("2*log(2)", sensitivity=2)])
    found = mixed.delta("log(2)", digits=30)
    steps = Geometric("2*log(2)", sensitivity=2).finite_pair()
    outcomes = [(Fraction(1), Fraction(1))]
    for p, q in [(unfair.p, unfair.q)] * 2 + [((0, "2/3", "1/3"), (0, "1/3", "2/3")), (steps.p, steps.q)]:
        outcomes = [(a * Fraction(str(x)), b * Fraction(str(y))) for a, b in outcomes
                    for x, y in zip(p, q, strict=True)]
    ways = [sum((max(Fraction(0), a - 2 * b) for a, b in pairs), Fraction(0))
            for pairs in (outcomes, [(b, a) for a, b in outcomes])]
    assert Fraction(1, 10) + Fraction(9, 10) * max(ways) in found
    assert found.digits >= 30


@pytest.mark.long
def test_mixtures_say_what_they_cannot_answer() -> None:
    mixed = compose([Gaussian(4), ("0.1", "0.01")])
    assert mixed.epsilon("0.001").lower == INFINITY
    assert "gives the database away" in mixed.epsilon("0.001").note
    assert "no bound" in mixed.epsilon("0.01").note
    with pytest.raises(BadQuantity, match="only"):
        mixed.corners()
    with pytest.raises(BadQuantity, match="more than"):
        compose([Gaussian(4), ("0.1", 0)], resolution="1e-9")
    with pytest.raises(BadQuantity, match="mechanism, count"):
        compose([(Gaussian(4), 1, 1)])
    assert compose(Laplace.private("0.001"), 5000).epsilon("1e-6").digits >= 2
    hopeless = compose([(Laplace(1), 10**6), ("0.1", "1e-9")]).delta(1)
    assert 0 <= hopeless.lower <= hopeless.upper <= 1


# --- finite pairs -----------------------------------------------------------------------------

weights = st.lists(st.integers(0, 6), min_size=3, max_size=3).filter(lambda w: sum(w) > 0)


@settings(max_examples=30, deadline=None)
@given(one=weights, other=weights, k=st.integers(1, 4),
       bound=st.fractions(min_value=1, max_value=20, max_denominator=5),
       resolution=st.sampled_from([None, "1/100"]))
def test_finite_pairs_compose_as_all_their_outcomes_say(
    one: list[int], other: list[int], k: int, bound: Fraction, resolution: str | None
) -> None:
    p, q = ([Fraction(w, sum(side)) for w in side] for side in (one, other))
    outcomes = [(Fraction(1), Fraction(1))]
    for _ in range(k):
        outcomes = [(a * x, b * y) for a, b in outcomes for x, y in zip(p, q, strict=True)]
    forwards = sum((max(Fraction(0), a - bound * b) for a, b in outcomes), Fraction(0))
    backwards = sum((max(Fraction(0), b - bound * a) for a, b in outcomes), Fraction(0))
    found = compose(FinitePair(p, q), k, resolution=resolution).delta(log(bound))
    assert max(forwards, backwards) in found


def test_mechanisms_of_few_losses_are_between_the_extremes() -> None:
    worst = compose(RandomisedResponse("0.1"), 50).epsilon("1e-6")
    assert str(compose(Geometric("0.1"), 50).epsilon("1e-6")) == str(worst)
    for noise in (Staircase("0.1"), Geometric("0.1", sensitivity=4), Laplace.private("0.1")):
        assert compose(noise, 50).epsilon("1e-6").upper < worst.lower


# --- closed-form bounds -----------------------------------------------------------------------

small = st.sampled_from(["1/1000", "1/50", "1/10", "1/3", "4/5"])
slacks = st.sampled_from(["1e-30", "1e-9", "1e-6", "1e-3", "1/10"])


@settings(max_examples=30, deadline=None)
@given(bound=st.sampled_from(bounds.BOUNDS[:-1] + bounds.BRANCHES), epsilon=small, target=slacks,
       k=st.integers(1, 5000))
def test_a_bound_is_its_closed_form(bound: bounds.Bound, epsilon: str, target: str, k: int) -> None:
    form = bound.closed_form().subs(
        {notation.eps: sympy.Rational(epsilon), notation.slack: sympy.Rational(target), notation.k: k}
    )
    assert abs(float(bound.epsilon([(epsilon, 0, k)], target)) - float(form.evalf(30))) <= 1e-12 * abs(form)


@quick
@given(bound=st.sampled_from(bounds.BOUNDS[1:-1] + bounds.BRANCHES[1:]), epsilon=small, target=slacks,
       k=st.integers(1, 5000))
def test_a_bound_and_its_inverse_agree(bound: bounds.Bound, epsilon: str, target: str, k: int) -> None:
    parts = [(epsilon, "1e-40", k), (epsilon, 0, 1)]
    found = bound.epsilon(parts, target, digits=30)
    back = bound.delta(parts, str(found.upper), digits=20)
    assert back.lower <= Decimal(str(sympy.Rational(target).evalf(40)))
    if not isinstance(bound, bounds.Smallest) or found.note == "":
        assert abs(float(back) / float(sympy.Rational(target)) - 1) < 1e-9


@quick
@given(bound=st.sampled_from([b for b in bounds.BOUNDS if b.name != "note"]), epsilon=small,
       delta=st.sampled_from(["0", "1e-8"]), target=st.sampled_from(["1e-4", "1e-2", "1/10"]),
       k=st.integers(1, 3000))
def test_no_bound_is_below_the_exact_composition(
    bound: bounds.Bound, epsilon: str, delta: str, target: str, k: int
) -> None:
    parts = [(epsilon, delta, k)]
    exactly = Homogeneous(epsilon, delta, k)
    assert bound.epsilon(parts, target).upper >= exactly.epsilon(target).lower
    assert bound.delta(parts, 1).upper >= exactly.delta(1).lower


def test_a_bound_without_slack_is_infinite_and_says_why() -> None:
    found = bounds.advanced.epsilon([("0.1", "0.001", 30)], "0.01")
    assert found.lower == INFINITY
    assert "slack" in found.note
    assert bounds.basic.epsilon([("0.1", "0.001", 30)], "0.03").upper == 3
    with pytest.raises(BadQuantity, match=r"at most 0\.9"):
        bounds.by_name("simplified-for-small-epsilon").epsilon([("0.95", 0, 3)], "0.01")


# --- the experiment ---------------------------------------------------------------------------


@pytest.mark.parametrize("adversary", [likelihood, fickle], ids=lambda a: a.name)
def test_who_compares_likelihoods_reaches_the_total_variation(adversary: object) -> None:
    outcome = Experiment(RandomisedResponse("0.2", "0.01"), rounds=9, seed=5).play(adversary, 6000)
    assert abs(outcome.estimate - float(outcome.largest)) < 5 * outcome.error


def test_who_is_hasty_reaches_that_of_one_round() -> None:
    mechanism = RandomisedResponse("0.5", "0.01")
    outcome = Experiment(mechanism, rounds=9, seed=5).play(hasty, 6000)
    assert abs(outcome.estimate - float(mechanism.delta(0))) < 5 * outcome.error
    again = Experiment(mechanism, rounds=9, seed=5).play(hasty, 6000)
    assert outcome == again


# --- calibration ------------------------------------------------------------------------------

targets = st.sampled_from(["1/10", "1/2", "1", "4"])
deltas = st.sampled_from(["1e-12", "1e-6", "1e-2"])


@settings(max_examples=25, deadline=None)
@given(epsilon=targets, delta=deltas, k=st.sampled_from([1, 2, 7, 100, 10**4, 10**9]),
       share=st.sampled_from([0, 2, 3]))
def test_the_largest_epsilon_is_enough_and_a_larger_one_is_not(
    epsilon: str, delta: str, k: int, share: int
) -> None:
    each = sympy.Rational(delta) / (share * k) if share else 0
    found = largest_epsilon(epsilon, delta, k, each)
    level = Decimal(delta)
    assert Homogeneous(str(found.lower), each, k).delta(epsilon, digits=25).upper <= level
    assert Homogeneous(str(found.upper), each, k).delta(epsilon, digits=25).upper >= level
    assert found.digits >= 16


@settings(max_examples=20, deadline=None)
@given(epsilon=targets, delta=deltas, k=st.sampled_from([1, 2, 7, 40]),
       kind=st.sampled_from(["laplace", "gaussian"]))
def test_the_variance_is_enough_and_a_smaller_one_is_not(
    epsilon: str, delta: str, k: int, kind: str
) -> None:
    found = calibrate(epsilon, delta, k, kind, sensitivity=2)

    def reached(variance: Decimal) -> Decimal:
        exact = sympy.Rational(str(variance))
        noise = (Gaussian(exact, 2) if kind == "gaussian" else Laplace(sympy.sqrt(exact / 2), 2))
        return compose(noise, k).delta(epsilon, digits=25).upper

    level = Decimal(delta)
    slightly = Decimal(1) + Decimal("1e-16")
    assert reached(found.variance.upper * slightly) <= level
    assert reached(found.variance.lower / slightly) >= level
    assert found.prescribed is not None
    assert ("up to 9/10" in found.prescribed.outside) == (kind == "laplace" and epsilon in ("1", "4"))


@pytest.mark.parametrize(("kind", "problem"), [
    ("laplace", ("1", "1")), ("gaussian", ("1", "0")), ("laplace", ("0", "1e-6")), ("none", ("1", "0.1")),
])
def test_targets_that_no_noise_is_for_are_refused(kind: str, problem: tuple[str, str]) -> None:
    with pytest.raises(BadQuantity):
        calibrate(*problem, 10, kind)


def test_calibrate_prints_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    for kind in ("laplace", "gaussian", "geometric", "staircase"):
        with pytest.raises(SystemExit) as ended:
            main(["calibrate", "--epsilon", "0.9", "--delta", "1e-6", "--count", "100",
                  "--mechanism", kind, "--format", "json"])
        assert not ended.value.code
        document = json.loads(capsys.readouterr().out)
        low, high = (Decimal(document["variance"][end]) for end in ("lower", "upper"))
        assert 0 < low <= high
        assert Decimal(document["prescribed"]["ratio"]["lower"]) > 1


# --- the command line -------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["compose", *arguments])
    shown = capsys.readouterr()
    return int(ended.value.code or 0), shown.out, shown.err


def test_compose_prints_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--epsilon", "0.1", "--delta", "0.001", "--count", "30", "--corners",
                       "--target-delta", "0.05", "--target-epsilon", "1", "--bounds", "--digits", "30",
                       "--format", "json")
    document = json.loads(out)
    assert code == 0
    assert len(document["corners"]) == 16
    for number in (document["epsilon"], document["delta"], *(c["delta"] for c in document["corners"])):
        low, high = Decimal(number["lower"]), Decimal(number["upper"])
        assert 0 <= (high - low) / high < Decimal("1e-30")
    assert [b["bound"] for b in document["bounds"]] == [b.name for b in bounds.BOUNDS]


def test_compose_reads_parts_and_files(capsys: pytest.CaptureFixture[str], tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "parts.txt"
    file.write_text("# epsilon delta count\n0.1, 0.001, 10\n0.1 0.001 20  # the rest\n")
    _, from_file, _ = run(capsys, "--file", str(file), "--target-delta", "0.05")
    _, from_parts, _ = run(capsys, "--part", "0.1 0.001 30", "--target-delta", "0.05")
    assert from_file.splitlines()[0] == from_parts.splitlines()[0]
    file.write_text("0.1\n-0.2\n")
    code, _, err = run(capsys, "--file", str(file), "--target-delta", "0.05")
    assert code == 2
    assert "line 2: epsilon must be at least 0, not -1/5" in err


@pytest.mark.parametrize(
    "arguments",
    ["--epsilon -1 --target-delta 0.1", "--epsilon 1 --delta 2 --target-delta 0.1", "--epsilon 1",
     "--epsilon 1 --count 0 --target-delta 0.1", "--epsilon 1 --count 1.5 --target-delta 0.1",
     "--epsilon nan --target-delta 0.1", "--epsilon 1 --target-delta 1.1", "--target-delta 0.1",
     "--epsilon 1 --target-epsilon -1", "--epsilon 1 --target-delta 0.1 --digits 0",
     "--epsilon 1 --target-delta 0.1 --digits 1000000", "--epsilon 1 --count 10^12 --corners",
     "--file nowhere.txt --target-delta 0.1", "--delta 0.1 --target-delta 0.1",
     "--part 1,2,3,4 --target-delta 0.1", "--epsilon 1 --corners --bounds",
     "--part 1 --part 2 --resolution 1e-9 --target-delta 0.1", "--epsilon inf --target-delta 0.1",
     "--epsilon 10^10^10 --target-delta 0.1"],
)
def test_bad_input_is_one_line_and_code_two(
    capsys: pytest.CaptureFixture[str], arguments: str
) -> None:
    code, out, err = run(capsys, *arguments.split())
    assert code == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
