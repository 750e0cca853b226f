"""Samplers: their laws, on fixed seeds, against the formulas; and that no float comes in or out."""

from collections import Counter
from fractions import Fraction
from math import exp, sqrt
from random import Random

import pytest

from symdp.privacy import discrete_noise
from symdp.privacy.discrete_noise import (
    coin,
    discrete_gaussian,
    discrete_laplace,
    exponential_coin,
    geometric,
    noisy,
    randomised_response,
    staircase,
    two_sided_geometric,
)

DRAWS = 4000


def distance(draw, weight, places):
    """The largest deviation of a frequency from its probability, in standard deviations; the rest is one place."""
    total = sum(weight(i) for i in range(-400, 401))
    seen = Counter(draw() for _ in range(DRAWS))
    rows = [(seen[i], weight(i) / total) for i in places]
    rows.append((DRAWS - sum(n for n, _ in rows), 1 - sum(p for _, p in rows)))
    return max(abs(n - DRAWS * p) / sqrt(DRAWS * p * (1 - p)) for n, p in rows if p > 1e-4)


def stairs(eps, sensitivity, wide):
    def weight(i):
        k, place = divmod(abs(i), sensitivity)
        return exp(-eps * (k + (place >= wide)))
    return weight


LAWS = {
    "geometric, rate 2/3": (lambda s: geometric("2/3", s), lambda i: exp(-2 * i / 3) if i >= 0 else 0.0, range(6)),
    "geometric, rate 7/2": (lambda s: geometric("7/2", s), lambda i: exp(-3.5 * i) if i >= 0 else 0.0, range(3)),
    "two-sided": (lambda s: two_sided_geometric("1/2", s), lambda i: exp(-abs(i) / 2), range(-4, 5)),
    "Laplacian": (lambda s: discrete_laplace("5/2", s), lambda i: exp(-abs(i) / 2.5), range(-5, 6)),
    "Gaussian": (lambda s: discrete_gaussian("7/2", s), lambda i: exp(-i * i / 7), range(-4, 5)),
    "narrow Gaussian": (lambda s: discrete_gaussian("1/3", s), lambda i: exp(-i * i * 1.5), range(-1, 2)),
    "staircase": (lambda s: staircase("1/2", 4, 2, s), stairs(0.5, 4, 2), range(-9, 10)),
    "staircase of one place": (lambda s: staircase("1/2", 1, 1, s), lambda i: exp(-abs(i) / 2), range(-4, 5)),
}


@pytest.mark.parametrize("name", LAWS)
def test_the_law_is_that_of_the_formula(name):
    draw, weight, places = LAWS[name]
    source = Random(2024)
    assert distance(lambda: draw(source), weight, places) < 4.5


def test_the_measure_sees_another_law():
    source = Random(1)
    assert distance(lambda: two_sided_geometric("1/2", source), lambda i: exp(-abs(i) * 0.6), range(-4, 5)) > 4.5


@pytest.mark.parametrize("x", ["0", "1/3", "1", "5/2"])
def test_the_exponential_coin(x):
    source, p = Random(3), exp(-float(Fraction(x)))
    falls = sum(exponential_coin(x, source) for _ in range(DRAWS))
    assert abs(falls - DRAWS * p) <= 4.5 * sqrt(DRAWS * p * (1 - p)) + 1e-9


@pytest.mark.parametrize("bit", [0, 1])
def test_randomised_response_has_the_letters_of_17_and_18(bit):
    source = Random(5)
    seen = Counter(randomised_response(bit, "1/2", "1/10", source) for _ in range(DRAWS))
    truth = 0.9 * exp(0.5) / (1 + exp(0.5))
    law = [0.1, truth, 0.9 - truth, 0.0]
    for letter, p in enumerate(law if bit == 0 else law[::-1]):
        assert abs(seen[letter] - DRAWS * p) <= 4.5 * sqrt(DRAWS * p * (1 - p)), letter


def test_the_likelihood_of_shifted_staircase_noise_is_bounded():
    """For each shift up to the sensitivity the ratio of two neighbouring laws is at most e^eps, by the law."""
    for sensitivity in (1, 2, 5):
        for wide in range(1, sensitivity + 1):
            def level(i, d=sensitivity, w=wide):  # minus the logarithm of the weight, in units of epsilon
                k, place = divmod(abs(i), d)
                return k + (place >= w)
            for i in range(-20, 21):
                for shift in range(-sensitivity, sensitivity + 1):
                    assert abs(level(i) - level(i + shift)) <= 1, (sensitivity, wide, i, shift)


def test_floats_are_refused_and_answers_are_exact():
    for call in (lambda: coin(0.5), lambda: exponential_coin(0.5), lambda: geometric(0.5),
                 lambda: discrete_gaussian(1.0), lambda: noisy(0.5, 1), lambda: randomised_response(0, 0.5)):
        with pytest.raises(TypeError, match="is a float"):
            call()
    assert noisy("1/3", 4, grid="1/8") == Fraction(7, 8)
    assert isinstance(two_sided_geometric(1), int)


def test_what_is_no_parameter_is_refused():
    for call in (lambda: geometric(0), lambda: exponential_coin(-1), lambda: coin(2), lambda: staircase(1, 2, 3),
                 lambda: discrete_gaussian(0), lambda: randomised_response(2, 1)):
        with pytest.raises(ValueError):  # noqa: PT011
            call()


def test_a_release_takes_the_systems_source():
    assert discrete_noise._SYSTEM is two_sided_geometric.__defaults__[-1]
