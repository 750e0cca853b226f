"""Some hundred steps, and what is far below the mean loss: two near ends, by sums whose thin ends are cut off."""

import itertools

import mpmath
import pytest
from flint import arb, ctx
from sympy import S

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.composition.compose import compose
from symdp.privacy.lattice.truncated import Truncated
from symdp.privacy.mechanisms.every import (
    ChosenByScore,
    Gaussian,
    LaplaceWithoutReplacement,
)
from symdp.privacy.mechanisms.sampled.subsampled_gaussian import SubsampledGaussian


def delta_of_all(masses, k, step, epsilon):
    total = mpmath.mpf(0)
    for outcome in itertools.product(masses, repeat=k):
        mass = mpmath.fprod(mpmath.mpf(masses[j]) for j in outcome)
        total += mass * max(0, 1 - mpmath.exp(mpmath.mpf(epsilon) - mpmath.mpf(step) * sum(outcome)))
    return total


@pytest.mark.parametrize("epsilon", ["0", "0.15", "0.3", "0.61", "1.2", "5"])
@pytest.mark.parametrize("small", [-100, -8, -3])
def test_the_ends_hold_the_sum_over_all_outcomes_however_much_is_cut_off(epsilon, small):
    masses = {-2: "0.125", 0: "0.25", 1: "0.5", 3: "0.125"}
    truth = delta_of_all(masses, 5, "0.3", epsilon)
    with ctx.workprec(128):
        law = {j: arb(mass) for j, mass in masses.items()}
        ends = [Truncated([(law, arb(0), 5)], side, arb(2) ** small).delta(arb("0.3"), arb(epsilon), arb(0))
                for side in (-1, 1)]
        assert ends[0].lower() <= arb(str(truth)) + arb(10) ** -12
        assert ends[1].upper() >= arb(str(truth)) - arb(10) ** -12
        if small == -100:
            assert abs(ends[1] - ends[0]) < arb(10) ** -25


def test_an_epsilon_for_a_delta_is_between_its_ends():
    masses = {-1: "0.4", 1: "0.6"}
    with ctx.workprec(128):
        law = {j: arb(mass) for j, mass in masses.items()}
        low, high = (Truncated([(law, arb(0), 8)], side, arb(2) ** -80).epsilon(arb("0.3"), arb("0.2"), arb(0))
                     for side in (-1, 1))
        assert low < high < low + arb(10) ** -9
        middle = float(((low + high) / 2).mid())
    assert abs(delta_of_all(masses, 8, "0.3", middle) - mpmath.mpf("0.2")) < 1e-9


@pytest.mark.long
def test_a_hundred_steps_of_dp_sgd_agree_with_their_moments():
    step = SubsampledGaussian(1, "0.01", neighbours="remove")
    way = compose(step, 100).ways[0]
    exact = way._by_moments_delta(S.One, 8)
    cut = way._cut_off.delta(S.One, 8)
    assert cut.lower <= exact.lower
    assert exact.upper <= cut.upper < cut.lower * 2


def test_a_hundred_steps_without_replacement_have_two_near_ends():
    found = compose(LaplaceWithoutReplacement(1, "0.1"), 100)
    for number in (found.epsilon("1e-6", 6), found.delta("0", 6)):
        assert 0 < number.lower < number.upper < number.lower * 101 / 100


def test_where_delta_is_near_one_it_says_so():
    found = compose(ChosenByScore(1, [3, 1, 0], [2, 1, 1]), 10**6).delta("1", 6)
    assert found.lower > 0.99
    assert found.upper == 1


def test_a_sample_of_everything_is_the_noise():
    for k in (1, 7, 10**6):
        assert compose(SubsampledGaussian(4, 1), k).epsilon("1e-6", 8) == compose(Gaussian(4), k).epsilon("1e-6", 8)


def test_losses_that_share_a_lattice_in_disguise_are_placed():
    """Its losses are logarithms of sums of exponentials, whole multiples of 3/4 apart."""
    made = ChosenByScore("3/2", [1, 0, 1, 2], [2, 1, 2, 3])
    assert compose(made, 3).delta("1/2").upper == 0
    assert compose(ChosenByScore("3/2", [0, 1, 1, 2], [1, 0, 2, 1]), 3).delta("1/2").lower > 0


def test_counts_of_zero_and_empty_lists_are_refused_in_a_line():
    with pytest.raises(BadQuantity, match="at least 1"):
        compose(Gaussian(1), 0)
    with pytest.raises(BadQuantity, match="no mechanism"):
        compose([])
