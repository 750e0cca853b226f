"""Exact composition beside dp-accounting, a library of others: its two estimates enclose our numbers.

dp-accounting rounds privacy losses to a grid, up for its pessimistic and down for its optimistic
estimate, and adds distributions in floating point. Up to that floating point, the truth is between
the two; how far they are apart is what its own grid allows.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import reduce

import pytest
from dp_accounting.pld import accountant, common
from dp_accounting.pld import privacy_loss_distribution as pld
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp.numbers.decimals import Enclosure
from symdp.privacy.composition.compose import compose
from symdp.privacy.mechanisms.every import Gaussian, Geometric, Laplace, RandomisedResponse

#: What dp-accounting cuts off (1e-15 of the mass in each of its steps), and its Fourier transforms.
ROUNDING = 1e-9
some = settings(max_examples=15, deadline=None)
counts = st.sampled_from([1, 2, 3, 10, 57, 300, 1000])
totals = st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0])


def between(found: Enclosure, low: float, high: float) -> bool:
    return low - ROUNDING <= float(found.upper) and float(found.lower) <= high + ROUNDING


def estimates(make, k: int, epsilon: float, interval: float) -> tuple[float, float]:  # type: ignore[no-untyped-def]
    """The optimistic and the pessimistic delta of the k-fold composition."""
    low, high = (
        make(value_discretization_interval=interval, pessimistic_estimate=way, use_connect_dots=False)
        .self_compose(k).get_delta_for_epsilon(epsilon)
        for way in (False, True)
    )
    return low, high


def private(epsilon: float, delta: float, interval: float):  # type: ignore[no-untyped-def]
    """Any mechanism that is so private; its epsilon is rounded up to the grid."""
    parameters = common.DifferentialPrivacyParameters(epsilon, delta)
    return pld.from_privacy_parameters(parameters, value_discretization_interval=interval)


@some
@given(epsilon=st.sampled_from([0.001, 0.02, 0.1, 0.7, 2.0]), delta=st.sampled_from([0.0, 1e-6, 0.01]),
       k=counts, total=totals, parts=st.sampled_from([1, 2, 5]))
def test_theorem_3_3_on_a_grid_that_rounds_nothing(
    epsilon: float, delta: float, k: int, total: float, parts: int
) -> None:
    theirs = private(epsilon, delta, epsilon / parts).self_compose(k).get_delta_for_epsilon(total)
    found = compose(RandomisedResponse(epsilon, delta), k).delta(total)
    assert abs(float(found) - theirs) < ROUNDING


@some
@given(epsilon=st.sampled_from([0.0103, 0.105, 0.7301]), k=counts, total=totals)
def test_theorem_3_3_on_a_grid_that_rounds_up(epsilon: float, k: int, total: float) -> None:
    """Each loss rises by less than a step, so that delta is less than that of k steps before."""
    step = Fraction(1, 1024)
    theirs = private(epsilon, 0, float(step)).self_compose(k).get_delta_for_epsilon(total)
    exact = compose(RandomisedResponse(epsilon), k)
    assert float(exact.delta(total).lower) <= theirs + ROUNDING
    if total > k * step:
        assert theirs <= float(exact.delta(Fraction(total) - k * step).upper) + ROUNDING


@some
@given(parts=st.lists(st.tuples(st.integers(1, 60), st.sampled_from([0.0, 1e-5, 1e-3])), min_size=2,
                      max_size=6), total=totals)
def test_different_mechanisms(parts: list[tuple[int, float]], total: float) -> None:
    mechanisms = [(n / 64, delta) for n, delta in parts]
    each = [private(epsilon, delta, 1 / 64) for epsilon, delta in mechanisms]
    whole = reduce(lambda one, other: one.compose(other), each)
    assert abs(float(compose(mechanisms).delta(total)) - whole.get_delta_for_epsilon(total)) < ROUNDING


@some
@given(scale=st.sampled_from([0.5, 1.0, 5.0, 30.0]), k=st.sampled_from([1, 2, 7, 30]), total=totals)
def test_laplace_noise(scale: float, k: int, total: float) -> None:
    found = compose(Laplace(scale), k).delta(total)
    ends = estimates(lambda **how: pld.from_laplace_mechanism(scale, **how), k, total, 1e-3)
    assert between(found, *ends)


@some
@given(deviation=st.sampled_from([0.8, 3.0, 20.0]), k=counts, total=totals)
def test_gaussian_noise(deviation: float, k: int, total: float) -> None:
    found = compose(Gaussian(f"{deviation}^2"), k).delta(total)
    ends = estimates(lambda **how: pld.from_gaussian_mechanism(deviation, **how), k, total, 1e-3)
    assert between(found, *ends)


@some
@given(loss=st.sampled_from([0.05, 0.3, 1.0]), sensitivity=st.sampled_from([1, 2, 3]),
       k=st.sampled_from([1, 2, 7, 40]), total=totals)
def test_geometric_noise(loss: float, sensitivity: int, k: int, total: float) -> None:
    noise = Geometric(loss * sensitivity, sensitivity)
    ends = estimates(lambda **how: pld.from_discrete_laplace_mechanism(loss, sensitivity, **how), k, total,
                     1e-3)
    assert between(compose(noise, k).delta(total), *ends)


@settings(max_examples=4, deadline=None)
@given(deviation=st.sampled_from([0.8, 3.0]), scale=st.sampled_from([1.0, 5.0]), k=st.sampled_from([1, 6]),
       total=totals)
def test_mechanisms_of_different_kinds(deviation: float, scale: float, k: int, total: float) -> None:
    found = compose([Gaussian(f"{deviation}^2"), (Laplace(scale), k)]).delta(total)
    ends = []
    for way in (False, True):
        how = {"value_discretization_interval": 1 / 256, "pessimistic_estimate": way,
               "use_connect_dots": False}
        noise = pld.from_laplace_mechanism(scale, **how).self_compose(k)
        whole = pld.from_gaussian_mechanism(deviation, **how).compose(noise)
        ends.append(whole.get_delta_for_epsilon(total))
    assert between(found, *ends)


@pytest.mark.parametrize(("epsilon", "k", "delta"), [(0.1, 30, 1e-3), (0.5, 12, 1e-6), (1.0, 5, 0.01)])
def test_the_corners_that_dp_accounting_knows(epsilon: float, k: int, delta: float) -> None:
    """Its own formula of Theorem 3.3 answers with the next corner."""
    theirs = accountant.advanced_composition(common.DifferentialPrivacyParameters(epsilon, 0), k, delta)
    found = compose(RandomisedResponse(epsilon), k).epsilon(delta)
    assert float(found.upper) <= theirs + ROUNDING
    assert theirs - float(found.lower) < 2 * epsilon + ROUNDING
    assert math.isfinite(theirs)
