"""Compositions by the moments of their losses: ends that are on their sides, whatever was guessed."""

import math
import random
from decimal import Decimal

import mpmath
import pytest
from flint import acb, arb, ctx

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.composition.compose import compose
from symdp.privacy.composition.inverted import delta_ends, epsilon_ends
from symdp.privacy.composition.laplace import ComposedLaplace
from symdp.privacy.lattice.inversion import Inversion
from symdp.privacy.lattice.moments import Normal, Outcomes, TooSlow
from symdp.privacy.lattice.shifted_normal import ShiftedNormal
from symdp.privacy.mechanisms.every import Gaussian, Laplace
from symdp.privacy.mechanisms.noise.gaussian import hockey_stick
from symdp.privacy.mechanisms.noise.laplace import LaplaceMoments
from symdp.privacy.mechanisms.registry import read_mechanism
from symdp.privacy.mechanisms.sampled.subsampled_gaussian import SubsampledGaussian
from symdp.privacy.mechanisms.sampled.subsampled_laplace import (
    SubsampledLaplace,
    SubsampledLaplaceMoments,
)


def w(y, mu, q):
    return 1 - q + q * mpmath.exp(mu * y - mu**2 / 2)


@pytest.mark.parametrize("bits", [2, 8, 40])
def test_both_ends_are_on_their_sides_however_coarse_the_sum_is(bits):
    """Against the closed form of Gaussian noise; a coarse sum has ends apart, so that a wrong sign shows."""
    draw = random.Random(bits)
    for _ in range(15):
        mu, k = draw.uniform(0.02, 2), draw.choice([1, 3, 1000, 10**9])
        total = mu * math.sqrt(draw.uniform(0.1, 4))
        epsilon, near = draw.uniform(0, 4 * total), draw.uniform(0, 4 * total)
        with ctx.workprec(160):
            square = arb(total) ** 2
            sum_of = Inversion([(Normal(lambda square=square, k=k: square / k), k)], near, bits)
            lower, upper = sum_of.ends(arb(epsilon))
            truth = hockey_stick(arb(total), arb(epsilon))
            assert lower <= truth
            assert truth <= upper
            if bits <= 8 and near == epsilon:
                assert upper > truth * (1 + arb(2) ** -40)


def test_without_the_terms_for_what_is_folded_over_the_lower_end_would_be_wrong():
    """The sum itself is above delta, visibly so for a large step: the subtraction is needed."""
    with ctx.workprec(120):
        sum_of = Inversion([(Normal(lambda: arb(1)), 1)], 1.0, 3)
        lower, upper = sum_of.ends(arb(1))
        truth = hockey_stick(arb(1), arb(1))
        assert upper - truth > arb(2) ** -20
        assert truth > lower


@pytest.mark.parametrize("reverse", [False, True])
def test_moments_of_a_shifted_normal_law_against_integration(reverse):
    draw = random.Random(5)
    for _ in range(3):
        mu, q = draw.uniform(0.1, 3), draw.choice([0.001, 0.1, 0.9])
        c, t = draw.uniform(0.1, 6), draw.uniform(0, 20)
        moments = ShiftedNormal(lambda mu=mu: arb(mu), lambda q=q: arb(q), reverse)
        p = -mpmath.mpc(c, t) if reverse else mpmath.mpc(c + 1, t)
        with mpmath.workdps(18):
            high = 12 + max(p.real, 0) * mu
            points = [-12 + (high + 12) * mpmath.mpf(n) / 12 for n in range(13)]
            truth = mpmath.quad(lambda y, p=p, mu=mu, q=q: mpmath.npdf(y) * w(y, mu, q) ** p, points)
        with ctx.workprec(90):
            found = moments.at(acb(c, t))
            apart = abs(found - acb(arb(str(truth.real)), arb(str(truth.imag))))
            scale = moments.real(arb(c))
            assert apart.mid() < scale * arb(10) ** -14
            assert found.real.rad() < scale * arb(10) ** -18
            bound = moments.beyond(arb(c), arb(t))
            for factor in (1, 1.1, 1.7, 4):
                assert not abs(moments.at(acb(c, t * factor))) > bound * (1 + arb(2) ** -60)


@pytest.mark.parametrize("moments", [
    LaplaceMoments(Laplace.private("1/2").epsilon_0),
    SubsampledLaplaceMoments(Laplace.private(1).epsilon_0, SubsampledLaplace(1, "1/10").rate, False),
    SubsampledLaplaceMoments(Laplace.private(1).epsilon_0, SubsampledLaplace(1, "1/10").rate, True),
])
def test_no_moment_is_above_what_is_promised_of_all_beyond(moments):
    with ctx.workprec(80):
        assert abs(moments.real(arb(0)) - 1) < arb(10) ** -15
        for c in (0.3, 5):
            for t in (1, 30, 500):
                bound = moments.beyond(arb(c), arb(t))
                assert all(not abs(moments.at(acb(c, t * f))) > bound for f in (1, 1.3, 2, 7.5))


def test_laplace_noise_by_moments_and_by_residues():
    exact = ComposedLaplace(Laplace.private(2), 40)
    with ctx.workprec(64):
        parts = [(LaplaceMoments(Laplace.private(2).epsilon_0), 40)]
    truth = exact.delta(45)
    lower, upper = delta_ends(parts, lambda: arb(45), 4)
    assert lower <= arb(str(truth.upper))
    assert upper >= arb(str(truth.lower))
    assert upper < lower * arb("1.01")
    low, high = epsilon_ends(parts, lambda: arb("1e-3"), 4)
    there = exact.epsilon("1e-3")
    assert low <= arb(str(there.upper))
    assert high >= arb(str(there.lower))
    assert high - low < arb("0.01")


def test_a_million_laplace_mechanisms():
    """The normal law is near: the mean of the loss is k (a - 1 + e^-a), its variance about k a^2."""
    found = compose(Laplace.private("0.001"), 10**6).epsilon("1e-6")
    assert found.digits >= 15
    assert Decimal("4.8856") < found.lower < Decimal("4.8857")
    below = compose(Gaussian(variance=10**6), 10**6).epsilon("1e-6")
    assert abs(found.lower - below.lower) < Decimal("0.002")


def test_dp_sgd_to_many_digits_at_every_delta():
    step = SubsampledGaussian(variance=1, rate="0.01")
    many = compose(step, 10**4)
    found = many.epsilon("1e-6")
    assert found.digits >= 15
    # prv-accountant 0.2.0 with eps_error 0.01 says 6.897087, 6.907386, 6.917685
    assert Decimal("6.897088") < found.lower <= found.upper < Decimal("6.917684")
    assert many.epsilon("1e-15").digits >= 15
    tiny = many.epsilon("1e-30")
    assert tiny.digits >= 15
    back = many.delta(tiny.lower)
    assert back.lower >= Decimal("0.99999e-30")


def test_the_two_directions_are_the_two_parts_of_both():
    one_way = [compose(SubsampledGaussian(1, "0.02", neighbours=way), 2000).epsilon("1e-5", digits=8)
               for way in ("remove", "add")]
    both = compose(SubsampledGaussian(1, "0.02"), 2000).epsilon("1e-5", digits=8)
    assert both.lower == max(found.lower for found in one_way)
    assert one_way[0].lower > one_way[1].upper


def test_one_sample_against_integration():
    mu, q, epsilon = 1 / mpmath.sqrt(2), mpmath.mpf("0.1"), mpmath.mpf("0.05")
    step = SubsampledGaussian(variance=2, rate="0.1")
    for reverse in (False, True):
        def gap(y, reverse=reverse):
            mixed = mpmath.npdf(y) * w(y, mu, q)
            p, r = (mpmath.npdf(y), mixed) if reverse else (mixed, mpmath.npdf(y))
            return max(p - mpmath.exp(epsilon) * r, 0)

        ratio = mpmath.exp(-epsilon if reverse else epsilon)
        corner = (mpmath.log((ratio - 1 + q) / q) + mu**2 / 2) / mu
        truth = mpmath.quad(gap, [-14, -5, corner, 5, 14])
        found = step.hockey_stick("0.05", reverse=reverse)
        assert abs(float(found) - truth) < 1e-12
        assert abs(float(step._epsilon(read_delta(found), reverse, 12)) - 0.05) < 1e-9


def read_delta(found):
    return SubsampledGaussian(1, found.lower).rate


def test_few_samples_are_between_ends_too():
    """Where the moments fall too slowly, the lattice answers; two at once cost at least as much as one."""
    step = SubsampledLaplace(1, "1/2", neighbours="remove")
    one, two = step.delta("0.3", digits=8), compose(step, 2).delta("0.3", digits=8)
    assert one.lower < two.upper
    assert two.lower < 2 * one.upper


def test_nothing_and_everything_sampled():
    assert compose(SubsampledGaussian(1, 0), 10**6).epsilon("1e-6").upper == 0
    assert compose(SubsampledGaussian(1, 0), 5).delta(0).upper == 0
    whole, plain = compose(SubsampledGaussian(4, 1), 10), compose(Gaussian(4), 10)
    assert abs(whole.epsilon("1e-6", digits=8).lower - plain.epsilon("1e-6").lower) < Decimal("1e-6")
    assert SubsampledGaussian(1, "0.3").epsilon(0).upper == Decimal("Infinity")
    assert SubsampledGaussian(1, "0.3", neighbours="add").epsilon(0, digits=5).digits >= 5  # log(1/0.7)
    assert compose(SubsampledGaussian(1, "0.3"), 3).epsilon(1).upper == 0


@pytest.mark.parametrize(("text", "says"), [
    ("subsampled-gaussian variance=1 rate=2", "rate must be at most 1"),
    ("subsampled-gaussian variance=1 rate=-1", "rate must be at least 0"),
    ("subsampled-gaussian variance=0 rate=0.5", "variance must be greater than 0"),
    ("subsampled-gaussian variance=1 rate=0.5 sensitivity=0", "sensitivity must be greater than 0"),
    ("subsampled-gaussian variance=1 rate=0.5 neighbours=replace", "neighbours must be both, remove or add"),
    ("subsampled-gaussian variance=1", "needs more parameters"),
])
def test_what_makes_no_sense_is_one_line(text, says):
    with pytest.raises(BadQuantity, match=says):
        read_mechanism(text)


def test_one_kind_of_neighbours():
    with pytest.raises(BadQuantity, match="the same neighbours"):
        compose([SubsampledGaussian(1, "0.1"), SubsampledGaussian(1, "0.1", neighbours="add")])


def test_a_law_without_a_density_is_refused_by_the_sum():
    with pytest.raises(TooSlow):
        epsilon_ends([(Outcomes(lambda: [(arb(1), arb(1) / 2), (arb(-1), arb(1) / 2)]), 10)], lambda: arb("1e-3"), 5)
