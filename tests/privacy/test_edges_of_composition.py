"""Where compositions end: no mechanism, epsilon 0, delta near one, moments that grow fast."""

import math
from decimal import Decimal

import pytest
from flint import acb, arb, ctx

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.composition.compose import compose
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.privacy.lattice.inversion import Inversion, LeftOfZero
from symdp.privacy.lattice.moments import Normal
from symdp.privacy.mechanisms.every import (
    DiscreteGaussian,
    Gaussian,
    GaussianWithoutReplacement,
    Laplace,
    LaplaceWithoutReplacement,
    Mixed,
)
from symdp.privacy.mechanisms.registry import read_mechanism
from symdp.privacy.mechanisms.sampled.subsampled_gaussian import SubsampledGaussian

EDGES = [
    "laplace scale=10", "subsampled-laplace scale=10 rate=0.1", "dp-sgd variance=1 rate=0.01",
    "truncated-gaussian variance=4 bound=6", "gaussian-without-replacement variance=1 rate=0.01 sensitivity=2",
    "mixed of=1/2:laplace:scale=10;1/2:gaussian:variance=4",
    "chosen-by-score epsilon=1 scores=3;1;0 others=2;1;1",
]


def mechanism(text: str):
    return read_mechanism(text)[0]


class TestNoMechanism:
    @pytest.mark.parametrize("made", [
        lambda: compose(mechanism("laplace scale=1"), 0),
        lambda: compose(mechanism("gaussian variance=1"), 0),
        lambda: compose([("0.1", 0, 0)]),
        lambda: compose([]),
        lambda: read_mechanism("laplace scale=1 count=0"),
    ])
    def test_is_refused_with_what_is_true_of_it(self, made):
        with pytest.raises(BadQuantity, match="without mechanisms nothing is revealed, and epsilon and delta are 0"):
            made()

    def test_less_than_none_is_no_number_of_mechanisms(self):
        with pytest.raises(BadQuantity, match=r"k must be at least 1, not -1$"):
            compose(mechanism("laplace scale=1"), -1)


class TestDeltaAtZero:
    def test_total_variation_is_the_same_both_ways_round(self):
        # One is found on a line left of zero, the other through the saddlepoint.
        ways = [compose(mechanism(f"dp-sgd variance=1 rate=0.01 neighbours={one}"), 100).delta(0, 7)
                for one in ("add", "remove")]
        assert ways[0].lower <= ways[1].upper
        assert ways[1].lower <= ways[0].upper
        for one in ways:
            assert one.upper - one.lower <= Decimal("1e-8")

    def test_both_lines_agree(self):
        with ctx.workprec(120):
            parts = [(Normal(lambda: arb(1) / 4), 3)]
            for at in ("0", "0.3", "1"):
                right, left = (line(parts, float(at), 60).ends(arb(at)) for line in (Inversion, LeftOfZero))
                assert left[0].lower() <= right[1].upper()
                assert right[0].lower() <= left[1].upper()
                assert left[1] - left[0] < arb("1e-15")

    def test_below_zero_too(self):
        # delta(-e) = 1 - e^-e + e^-e delta(e) for a law that is its own mirror image
        with ctx.workprec(120):
            parts = [(Normal(lambda: arb(1)), 2)]
            line = LeftOfZero(parts, 0.0, 60)
            (low, high), (other_low, other_high) = line.ends(arb("-0.5")), line.ends(arb("0.5"))
            fall = arb("-0.5").exp()
            assert low.lower() <= (1 - fall + fall * other_high).upper()
            assert (1 - fall + fall * other_low).lower() <= high.upper()


class TestDeltaNearOne:
    @pytest.mark.parametrize("text", EDGES)
    def test_is_said_at_once(self, text):
        found = compose(mechanism(text), 10**8).delta(0, 6)
        assert Decimal(1) - found.lower <= Decimal("1e-6")
        assert found.upper == 1


class TestBatchesOfFixedSize:
    @pytest.mark.parametrize("text", ["variance=1 rate=0.01 sensitivity=2", "variance=1/4 rate=0.1",
                                      "variance=100 rate=0.5"])
    @pytest.mark.parametrize("order", ["0.75", "-0.49"])
    def test_moments_along_a_line_are_those_one_by_one(self, text, order):
        moments = mechanism(f"gaussian-without-replacement {text}").moments()
        with ctx.workprec(100):
            c, h = arb(order), arb("1.3")
            row = moments.along(c, h, 20)
            for n in (0, 7, 19):
                alone = moments.at(acb(c, h * n))
                assert row[n].overlaps(alone)
                assert row[n].real.rad() < arb("1e-20")

    def test_what_bounds_the_moments_far_out_does_left_of_zero(self):
        moments = mechanism("gaussian-without-replacement variance=1 rate=0.1").moments()
        with ctx.workprec(80):
            c = arb("-0.49")
            for t in (1, 4, 30):
                bound = moments.beyond(c, arb(t))
                assert all(abs(moments.at(acb(c, arb(t) * more))) <= bound for more in (1, 2, 5))


class TestMomentsLeftOfZero:
    @pytest.mark.parametrize("text", ["laplace scale=1", "laplace scale=1/5", "subsampled-laplace scale=1 rate=0.1",
                                      "truncated-laplace scale=1 bound=6", "truncated-gaussian variance=4 bound=6",
                                      "dp-sgd variance=1 rate=0.1"])
    @pytest.mark.parametrize("reverse", [False, True])
    @pytest.mark.parametrize("order", ["-0.7", "-0.49", "-0.2"])
    def test_none_farther_out_is_above_its_bound(self, text, reverse, order):
        moments = mechanism(text).loss(reverse).moments()
        with ctx.workprec(100):
            c = arb(order)
            for t in ("0.5", "3", "20"):
                bound = moments.beyond(c, arb(t))
                for more in (1, "1.5", 3, 10):
                    assert abs(moments.at(acb(c, arb(t) * arb(more)))).lower() <= bound.upper()


def test_neighbours_of_different_kinds_do_not_compose():
    with pytest.raises(BadQuantity, match=r"one kind of neighbours: .* added or removed, .* substituted"):
        compose([(SubsampledGaussian(1, "0.01"), 10), (GaussianWithoutReplacement(1, "0.1"), 1)])
    with pytest.raises(BadQuantity, match="one kind of neighbours"):
        Mixed([("1/2", SubsampledGaussian(1, "0.01")), ("1/2", LaplaceWithoutReplacement(1, "0.1"))])
    with pytest.raises(BadQuantity, match="one kind of neighbours"):
        compose([Mixed([("1/2", SubsampledGaussian(1, "0.01")), ("1/2", Laplace(1))]),
                 GaussianWithoutReplacement(1, "0.1")])
    # a sample of everything is the noise, whose sensitivity says it
    assert compose([SubsampledGaussian(4, 1), GaussianWithoutReplacement(4, 1)]).epsilon("1e-6").upper > 0


def test_a_count_inside_of_a_mixture_is_not_left_out():
    with pytest.raises(BadQuantity, match="drawn once"):
        read_mechanism("mixed of=1/2:laplace:scale=1:count=5;1/2:gaussian:variance=4")


@pytest.mark.parametrize("text", [
    "laplace scale=2 sensitivity=0", "gaussian variance=2 sensitivity=0", "geometric epsilon=1 sensitivity=0",
    "discrete-gaussian variance=4 sensitivity=0", "staircase epsilon=1 sensitivity=0",
    "truncated-laplace scale=1 bound=5 sensitivity=0", "truncated-gaussian variance=1 bound=5 sensitivity=0",
    "dp-sgd variance=1 rate=0.1 sensitivity=0", "laplace-without-replacement scale=1 rate=0.1 sensitivity=0",
    "chosen-by-score epsilon=1 scores=1;0 others=1;0 sensitivity=0"])
def test_a_sensitivity_of_zero_is_answered(text):
    with pytest.raises(BadQuantity, match="not 0: a query that no record changes reveals nothing"):
        read_mechanism(text)


def test_a_parameter_without_a_value():
    with pytest.raises(BadQuantity, match="mixed: of has no value"):
        read_mechanism("mixed of=")


def test_nearly_all_of_the_mass_on_two_losses():
    """Laplace noise that is so wide that its losses are a lattice, nearly: no moment falls, and a coarse one does."""
    noise, k = Laplace(10**8), 10**9
    for level in ("1e-6", "1e-300"):
        found = compose(noise, k).epsilon(level)
        most = Homogeneous("1e-8", 0, k).epsilon(level)
        assert found.lower <= most.upper
        assert found.upper <= most.upper * Decimal("1.00001")
        assert found.lower >= most.lower * Decimal("0.9999")
    assert compose(noise, k).epsilon("0.999999").upper == 0


def test_steps_at_a_tiny_rate_and_a_tiny_delta():
    """About normal: k q^2 (e^(1/v) - 1) is the variance, roughly."""
    found = compose(SubsampledGaussian(4, "0.00001", neighbours="remove"), 10**9).epsilon("1e-30", 6)
    assert found.upper - found.lower < found.upper / 10**5
    square = math.expm1(1 / 4) / 10
    assert float(found.upper) == pytest.approx(math.sqrt(square * 2 * 65.7), rel=0.1)


@pytest.mark.parametrize("many", [1, 7, 300])
def test_no_delta_is_above_one(many):
    assert compose(Laplace("1/1000"), many).delta(0).upper <= 1
    assert Gaussian("1/1000000").delta(0).upper <= 1


def test_an_epsilon_beyond_all_reason_is_answered_or_refused():
    found = compose(DiscreteGaussian(100), 10**9).delta(10**12)
    assert found.lower == 0 < found.upper < Decimal("1e-30")
