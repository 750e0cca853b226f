r"""What mechanisms promise: closed forms that integration and summation confirm, answers that enclose."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
import sympy
from campaign import tries
from finite_pairs import pairs
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy import Rational, exp, log, sqrt

from symdp.formulas.notation import delta_total, eps, eps_total, symbol, x
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.mechanisms.every import (
    FinitePair,
    Gaussian,
    Geometric,
    Laplace,
    RandomisedResponse,
    Staircase,
)

mpmath.mp.dps = 30

small = st.fractions(min_value="1/20", max_value=4, max_denominator=50)
unit = st.fractions(min_value="1/50", max_value="49/50", max_denominator=50)
orders = st.fractions(min_value="1/10", max_value=8, max_denominator=10)


def mpf(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def holds(enclosure, value, slack: float = 1e-18) -> bool:
    """Whether the enclosure contains the value up to the error of the independent computation."""
    low, high = mpmath.mpf(str(enclosure.lower)), mpmath.mpf(str(enclosure.upper))
    return low - slack <= value <= high + slack and high - low <= 1e-14 * max(1, abs(value))


# --- the independent side: densities by definition, integrals by mpmath ---


def laplace_pair(scale, distance):
    def f(t):
        return mpmath.exp(-abs(t) / scale) / (2 * scale)

    return f, lambda t: f(t - distance), [0, distance]


def gaussian_pair(variance, distance):
    def f(t):
        return mpmath.exp(-t * t / (2 * variance)) / mpmath.sqrt(2 * mpmath.pi * variance)

    return f, lambda t: f(t - distance), [0, distance / 2, distance]


def integrate(function, breaks, reach):
    points = sorted({-reach, *breaks, *(b for b in (-reach / 8, reach / 8)), reach})
    return mpmath.quad(function, points)


@settings(max_examples=15)
@given(small, small, small)
def test_laplace_curve_is_the_integral(scale, distance, epsilon) -> None:
    s, d, e = mpf(scale), mpf(distance), mpf(epsilon)
    f, g, breaks = laplace_pair(s, d)
    crossing = (d - s * e) / 2  # where the loss is epsilon
    gain = integrate(lambda t: max(mpmath.mpf(0), f(t) - mpmath.exp(e) * g(t)),
                     [*breaks, crossing], 80 * s + d)
    assert holds(Laplace(scale, distance).delta(epsilon), gain, 1e-15)


@settings(max_examples=15)
@given(small, small, small)
def test_gaussian_curve_is_the_integral(variance, distance, epsilon) -> None:
    v, d, e = mpf(variance), mpf(distance), mpf(epsilon)
    f, g, _ = gaussian_pair(v, d)
    crossing = d / 2 - v * e / d
    gain = mpmath.quad(lambda t: f(t) - mpmath.exp(e) * g(t),
                       [crossing - 40 * mpmath.sqrt(v), crossing - 4 * mpmath.sqrt(v), crossing])
    assert holds(Gaussian(variance, distance).delta(epsilon), gain, 1e-20)


@settings(max_examples=tries(12))
@given(small, small, orders)
@example(Fraction(2, 3), Fraction(3, 2), Fraction(1, 2))  # the orders with formulas of their own
@example(Fraction(2, 3), Fraction(3, 2), Fraction(1))
def test_renyi_of_continuous_noise_is_the_integral(spread, distance, alpha) -> None:
    s, d, a = mpf(spread), mpf(distance), mpf(alpha)
    for mechanism, (f, g, breaks), reach in [
        (Laplace(spread, distance), laplace_pair(s, d), 120 * s + 10 * d),
        (Gaussian(spread, distance), gaussian_pair(s, d), 45 * mpmath.sqrt(s) + 10 * d),
    ]:
        def under(t, f=f, g=g):
            if a == 1:
                return f(t) * mpmath.log(f(t) / g(t))
            return mpmath.exp(a * mpmath.log(f(t)) + (1 - a) * mpmath.log(g(t)))

        total = integrate(under, [*breaks, d * a, d * (1 - a)], reach)
        value = total if a == 1 else mpmath.log(total) / (a - 1)
        assert holds(mechanism.renyi(alpha), value, 1e-10 * max(1, value))


@pytest.mark.long
@settings(max_examples=25)
@given(small.map(lambda v: v + Fraction(1, 2)), st.integers(1, 5), small, orders)
@example(Fraction(3, 2), 4, Fraction(1, 2), Fraction(1, 2))
@example(Fraction(3, 2), 4, Fraction(1, 2), Fraction(1))
def test_geometric_noise_is_the_sum_over_the_integers(epsilon, distance, at, alpha) -> None:
    a = mpmath.exp(-mpf(epsilon) / distance)
    reach = int(60 / (1 - float(a))) + 20
    mass = [(1 - a) / (1 + a) * a ** abs(z) for z in range(-reach, reach + 1)]
    p, q = mass[distance:], mass[:-distance]
    noise = Geometric(epsilon, distance)
    gain = mpmath.fsum(max(0, u - mpmath.exp(mpf(at)) * w) for u, w in zip(p, q, strict=True))
    assert holds(noise.delta(at), gain)
    assert holds(noise.variance(), mpmath.fsum(
        m * (i - reach) ** 2 for i, m in enumerate(mass)), 1e-15)
    order = mpf(alpha)
    if alpha == 1:
        value = mpmath.fsum(u * mpmath.log(u / w) for u, w in zip(p, q, strict=True))
    else:
        value = mpmath.log(mpmath.fsum(
            u * (u / w) ** (order - 1) for u, w in zip(p, q, strict=True))) / (order - 1)
    assert holds(noise.renyi(alpha), value, 1e-15)
    assert holds(noise.finite_pair().renyi(alpha), value, 1e-15)


@pytest.mark.long
@settings(max_examples=10)
@given(small, small, unit, small, orders)
@example(Fraction(3, 2), Fraction(2), Fraction(1, 3), Fraction(1, 2), Fraction(1))
def test_staircase_noise_is_the_sum_over_its_steps(epsilon, distance, gamma, at, alpha) -> None:
    e, d, g, b = mpf(epsilon), mpf(distance), mpf(gamma), mpmath.exp(-mpf(epsilon))
    height = (1 - b) / (2 * d * (g + b * (1 - g)))

    def f(t):
        place = abs(t) / d
        whole = mpmath.floor(place)
        return height * b**whole * (1 if place - whole < g else b)

    reach = int(80 / float(e)) + 5
    cuts = sorted({s * (j + h) * d + m for j in range(reach) for h in (0, g)
                   for s in (-1, 1) for m in (0, d)})
    pieces = [(b - a, f((a + b) / 2), f((a + b) / 2 - d), a, b)
              for a, b in pairwise(cuts) if b - a > 1e-25]
    noise = Staircase(epsilon, distance, gamma)
    assert holds(noise.delta(at), mpmath.fsum(
        w * max(0, p - mpmath.exp(mpf(at)) * q) for w, p, q, _, _ in pieces), 1e-15)
    assert holds(noise.variance(), mpmath.fsum(
        p * (right**3 - left**3) / 3 for _, p, _, left, right in pieces), 1e-13)
    order = mpf(alpha)
    total = mpmath.fsum(w * (p * mpmath.log(p / q) if alpha == 1 else p * (p / q) ** (order - 1))
                        for w, p, q, _, _ in pieces)
    value = total if alpha == 1 else mpmath.log(total) / (order - 1)
    assert holds(noise.renyi(alpha), value, 1e-13)
    assert holds(noise.finite_pair().renyi(alpha), value, 1e-13)


@pytest.mark.parametrize("epsilon", ["1/10", 1, 3, 10])
def test_the_default_staircase_has_the_least_variance(epsilon) -> None:
    best = Staircase(epsilon)
    assert 0 < best.gamma.evalf() < Rational(1, 2)
    for shift in (Rational(-1, 50), Rational(1, 50), Rational(1, 10)):
        moved = best.gamma + shift
        if moved.evalf() > 0:
            assert Staircase(epsilon, 1, moved).variance().lower > best.variance().upper
    written_out = Staircase(epsilon, 1, best.gamma)
    for ask in (lambda m: m.variance(), lambda m: m.delta("1/20"), lambda m: m.renyi(3)):
        assert holds(ask(best), mpmath.mpf(str(ask(written_out).middle)), 1e-16)
    assert best.variance().upper < Laplace.private(epsilon).variance().lower


@settings(max_examples=20)
@given(small, small, st.fractions(min_value=-3, max_value=6, max_denominator=9))
def test_continuous_boundaries_are_reached_by_thresholds(spread, distance, threshold) -> None:
    """By Neyman and Pearson: reject where the output is beyond a threshold."""
    s, d, t = mpf(spread), mpf(distance), mpf(threshold)

    def normal(z):
        return mpmath.ncdf(z / mpmath.sqrt(s))

    def two_sided(z):
        return mpmath.exp(z / s) / 2 if z < 0 else 1 - mpmath.exp(-z / s) / 2

    for noise, law in ((Gaussian(spread, distance), normal), (Laplace(spread, distance), two_sided)):
        missed, alarm = law(t - d), 1 - law(t)
        at = Fraction(int(missed * 2**80), 2**80)
        if 10**-6 < at < 1 - Fraction(1, 10**6):
            assert holds(noise.false_alarm(at), alarm, 1e-12)


def test_boundaries_start_at_one_and_end_at_zero() -> None:
    for noise in (Gaussian(2), Laplace(2), Geometric(1, 3), Staircase(1), RandomisedResponse(1, "1/10")):
        assert noise.false_alarm(1).upper == 0
        given_away = mpmath.mpf("0.1") if isinstance(noise, RandomisedResponse) else 0
        assert holds(noise.false_alarm(0), 1 - given_away)
    assert holds(Staircase(1).false_alarm("1/10"),
                 1 - mpmath.e / 10)  # before the first corner the slope is e


# --- densities and loss distributions ---


@pytest.mark.parametrize("noise", [Laplace(2, 3), Gaussian(2, 3), Staircase(1, 2, "1/3")])
def test_densities_are_normalised_with_the_variance_stated(noise) -> None:
    f = sympy.lambdify(x, noise.density, "mpmath")
    cuts = [mpmath.mpf(2) * (j + h) for j in range(40) for h in (0, mpmath.mpf(1) / 3)]
    if isinstance(noise, Gaussian):
        cuts = [0, 2, 5, 10, 20, 30]
    assert mpmath.almosteq(2 * mpmath.quad(f, cuts), 1, 1e-9)
    second = 2 * mpmath.quad(lambda t: t * t * f(t), cuts)
    assert mpmath.almosteq(second, mpmath.mpf(str(noise.variance().middle)), 1e-9)


@settings(max_examples=10)
@given(small, small)
def test_continuous_privacy_losses_give_the_curve_back(spread, at) -> None:
    for noise in (Laplace(spread), Gaussian(spread)):
        loss = noise.privacy_loss()
        f = sympy.lambdify(x, loss.density, "mpmath")
        e = mpf(at)
        low, high = loss.support
        if high is sympy.oo:
            mu = 1 / mpmath.sqrt(mpf(spread))
            low, high = mu**2 / 2 - 40 * mu, max(e, mu**2 / 2) + 40 * mu
        else:
            low, high = (mpf(Fraction(int(end.p), int(end.q))) for end in (low, high))
        mass = mpmath.quad(f, [low, (low + high) / 2, high]) + sum(m for _, m in loss.atoms)
        assert mpmath.almosteq(mass, 1, 1e-12)
        def gained(t, f=f, e=e):
            return f(t) * (1 - mpmath.exp(e - t))

        gain = mpmath.quad(gained, [e, high]) if e < high else 0
        gain += sum(mpmath.mpf(m.evalf(30)) * max(0, 1 - mpmath.exp(e - mpmath.mpf(end.evalf(30))))
                    for end, m in loss.atoms)
        assert holds(noise.delta(at), gain, 1e-12)
        inside = min(e, high) * mpmath.mpf("0.3")
        below = mpmath.quad(f, [low, inside]) + sum(
            mpmath.mpf(m.evalf(30)) for end, m in loss.atoms if end.evalf() < inside)
        assert mpmath.almosteq(loss.distribution.subs(x, inside).evalf(30), below, 1e-11)


def test_finite_privacy_losses_are_exact() -> None:
    loss = FinitePair(["1/2", "1/4", "1/4", 0], ["1/4", "1/8", 0, "5/8"]).privacy_loss()
    assert loss.atoms == ((sympy.oo, Rational(1, 4)), (log(2), Rational(3, 4)))
    assert RandomisedResponse(2).privacy_loss().atoms[0][0] == 2
    assert r"\infty" in loss._repr_markdown_()


# --- randomised response and finite pairs ---


def brute_force(pair: FinitePair, factor: mpmath.mpf) -> mpmath.mpf:
    """The maximum over all sets, by trying them."""
    p, q = ([mpf(v) for v in side] for side in pair.masses)
    return max(mpmath.fsum(p[i] - factor * q[i] for i in range(len(p)) if subset >> i & 1)
               for subset in range(1 << len(p)))


@given(pairs(5), small)
def test_delta_is_the_maximum_over_all_sets(pair, epsilon) -> None:
    factor = mpmath.exp(mpf(epsilon))
    assert holds(pair.hockey_stick(epsilon), brute_force(pair, factor))
    assert holds(pair.hockey_stick(epsilon, reverse=True), brute_force(pair.exchanged(), factor))
    both = max(brute_force(pair, factor), brute_force(pair.exchanged(), factor))
    assert holds(pair.delta(epsilon), both)


@given(pairs(5), unit)
def test_epsilon_is_the_smallest_that_is_enough(pair, delta) -> None:
    found = pair.epsilon(delta)
    if found.upper.is_infinite():
        assert found.lower.is_infinite()
        assert found.note
        assert pair.delta(60).lower > delta
        return
    above, below = Fraction(found.upper) + Fraction(1, 10**12), found.lower - found.lower / 10**9
    # where outcomes of one law alone leave exactly that delta, the decimal above it is a little larger
    assert Fraction(pair.delta(above).upper) <= Fraction(delta) + Fraction(1, 10**15)
    if found.lower > 0:
        assert pair.delta(below).lower > delta


@given(pairs(5), st.lists(small, min_size=3, max_size=3, unique=True))
def test_delta_decreases_and_is_convex_in_the_exponential(pair, points) -> None:
    a, b, c = sorted(points)
    first, middle, last = (pair.delta(e) for e in (a, b, c))
    assert first.upper >= middle.lower >= 0
    assert middle.upper >= last.lower
    weight = (mpmath.exp(mpf(b)) - mpmath.exp(mpf(a))) / (mpmath.exp(mpf(c)) - mpmath.exp(mpf(a)))
    chord = (1 - weight) * mpmath.mpf(str(first.upper)) + weight * mpmath.mpf(str(last.upper))
    assert mpmath.mpf(str(middle.lower)) <= chord + mpmath.mpf(10) ** -15


@given(pairs(), st.lists(orders, min_size=2, max_size=2, unique=True))
def test_renyi_grows_with_its_order(pair, both) -> None:
    low, high = sorted(both)
    assert pair.renyi(low).lower <= pair.renyi(high).upper
    assert pair.renyi(high).lower <= pair.renyi("inf").upper


@pytest.mark.long
@settings(max_examples=40)
@given(small, st.fractions(min_value=0, max_value=1, max_denominator=20), small)
def test_randomised_response_closed_forms_agree_with_its_outcomes(epsilon, delta, at) -> None:
    response = RandomisedResponse(epsilon, delta)
    plain = FinitePair(response.p, response.q)
    assert plain.symmetric
    values = {eps_total: Rational(at)}
    exact = plain.delta(at)
    assert holds(exact, mpmath.mpf(response.closed_form("delta").subs(values).evalf(30)))
    assert holds(response.total_variation(),
                 mpmath.mpf(response.closed_form("total_variation").evalf(30)))
    if delta == 0:
        for name in ("kullback_leibler", "max_divergence"):
            assert holds(getattr(plain, name)(), mpmath.mpf(response.closed_form(name).evalf(30)))
    if delta < 1:
        target = delta + (1 - delta) / 7
        form = response.closed_form("epsilon").subs(delta_total, Rational(target)).evalf(30)
        assert holds(plain.epsilon(target), mpmath.mpf(form))


@settings(max_examples=20)
@given(small, st.integers(1, 6))
def test_round_trips(epsilon, distance) -> None:
    for noise in (Laplace.private(epsilon, distance), Gaussian(epsilon, distance),
                  Geometric(epsilon, distance), Staircase(epsilon, distance),
                  RandomisedResponse(epsilon, "1/100")):
        at = epsilon / 3
        delta = noise.delta(at, digits=100)
        back = [noise.epsilon(end, digits=20) for end in (delta.lower, delta.upper)]
        assert back[1].lower <= Fraction(at) <= back[0].upper
        assert back[0].upper - back[1].lower < Fraction(1, 10**12)


def test_symbols_give_formulas_that_numbers_confirm() -> None:
    b = symbol("b")
    for symbolic, values in [
        (Laplace(b, 2), {b: 3}), (Gaussian(b, 2), {b: 3}), (Geometric(b, 3), {b: 2}),
        (Staircase(b, 2), {b: 3}), (Staircase(b, 2, "2/3"), {b: 3}), (RandomisedResponse(b), {b: 1}),
        (FinitePair([exp(b) / (1 + exp(b)), 1 / (1 + exp(b))],
                    [1 / (1 + exp(b)), exp(b) / (1 + exp(b))]), {b: 1}),
    ]:
        numeric = symbolic.at(values)
        for name, form in symbolic.closed_forms().items():
            number = form.subs({**values, eps_total: Rational(1, 5), delta_total: Rational(1, 50),
                                symbol("alpha"): Rational(5, 2), x: Rational(1, 3)})
            answer = {
                "delta": lambda m=numeric: m.delta("1/5"), "epsilon": lambda m=numeric: m.epsilon("1/50"),
                "renyi": lambda m=numeric: m.renyi("5/2"),
                "false_alarm": lambda m=numeric: m.false_alarm("1/3"),
                "hockey_stick": lambda m=numeric: m.hockey_stick("1/5"),
                "hockey_stick_reverse": lambda m=numeric: m.hockey_stick("1/5", reverse=True),
            }.get(name, lambda m=numeric, n=name: getattr(m, n)())()
            if number is sympy.oo:
                assert answer.lower.is_infinite()
            else:
                assert holds(answer, mpmath.mpf(number.evalf(30))), (symbolic, name)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_powers_are_products(k) -> None:
    pair = FinitePair(["1/2", "1/3", "1/6"], ["1/6", "1/2", "1/3"])
    p, q = [mpmath.mpf(1)], [mpmath.mpf(1)]
    for _ in range(k):
        p = [a * mpf(b) for a in p for b in pair.masses[0]]
        q = [a * mpf(b) for a in q for b in pair.masses[1]]
    e = mpmath.exp(mpmath.mpf(1) / 2)
    gain = mpmath.fsum(max(0, a - e * b) for a, b in zip(p, q, strict=True))
    assert holds(pair.power(k).hockey_stick("1/2"), gain)


@settings(max_examples=8)
@given(small, st.integers(1, 4), unit)
def test_more_digits_stay_within_fewer(epsilon, distance, chance) -> None:
    for noise in (Laplace.private(epsilon, distance), Gaussian(epsilon, distance),
                  Geometric(epsilon, distance), Staircase(epsilon, distance),
                  RandomisedResponse(epsilon, chance)):
        for ask in (lambda m, n: m.delta(epsilon / 5, digits=n), lambda m, n: m.epsilon(chance, digits=n),
                    lambda m, n: m.renyi(chance, digits=n), lambda m, n: m.false_alarm(chance, digits=n)):
            few, many = ask(noise, 4), ask(noise, 60)
            assert few.lower <= many.upper
            assert many.lower <= few.upper
            assert few.digits >= 4
            assert many.digits >= 60


# --- extremes and errors ---


def test_extremes() -> None:
    assert RandomisedResponse(1).delta(1).upper == 0
    assert RandomisedResponse(0).epsilon(0).upper == 0
    assert RandomisedResponse(1, 1).epsilon("1/2").lower.is_infinite()
    assert RandomisedResponse(1000, 0).delta(999, digits=30).digits >= 30
    assert RandomisedResponse("6e9", "1/9").epsilon("1/8", digits=40).digits >= 40
    assert RandomisedResponse("1e-12").total_variation().digits >= 17
    assert RandomisedResponse(1, "1e-300").delta(1).digits >= 17
    assert RandomisedResponse(sqrt(2), "1/7").delta(sqrt(2)).digits >= 17
    assert Laplace(1).delta(1).upper == 0
    assert Laplace(1).epsilon(0).lower == 1
    assert Gaussian(1).epsilon(0).lower.is_infinite()
    assert Gaussian(1).epsilon("1e-300", digits=30).digits >= 30
    assert Gaussian(1).epsilon(1).upper == 0
    assert Gaussian("1e8").delta(1, digits=10).upper > 0
    assert Gaussian("1e-8").epsilon("1e-6").digits >= 17
    assert Geometric("1/3", 10**6).delta("1/4").digits >= 17
    assert Geometric("log(2)", 4).delta("log(2)/2", digits=30).digits >= 30  # a corner exactly
    assert RandomisedResponse(1, "1/10").renyi(2).lower.is_infinite()
    assert FinitePair([1, 0], [0, 1]).renyi("1/2").lower.is_infinite()
    assert FinitePair(["1/2", "1/2"], ["1/2", "1/2"]).renyi(3).upper == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FinitePair([], []), "p must have at least one outcome"),
        (lambda: FinitePair([1], ["1/2", "1/2"]), "same length, not 1 and 2"),
        (lambda: FinitePair(["3/2", "-1/2"], [1, 0]), r"p\[0\] must be at most 1, not 3/2"),
        (lambda: FinitePair([1, 0], ["-1/2", "3/2"]), r"q\[0\] must be at least 0, not -1/2"),
        (lambda: FinitePair(["1/3", "1/3"], [1, 0]), "p must sum to 1, not 2/3"),
        (lambda: FinitePair([exp(-1), exp(-1)], [1, 0]), r"p must sum to 1, not 2\*exp\(-1\)"),
        (lambda: FinitePair([eps, eps], [1, 0]), r"2\*eps cannot be shown to be 1"),
        (lambda: FinitePair([math.nan, 1], [1, 0]), r"p\[0\] must be a finite number"),
        (lambda: FinitePair("1/2", "1/2"), "p must be a list"),
        (lambda: RandomisedResponse(-1), "epsilon must be at least 0, not -1"),
        (lambda: RandomisedResponse(1, 2), "delta must be at most 1, not 2"),
        (lambda: RandomisedResponse(1).delta(-1), "epsilon must be at least 0"),
        (lambda: RandomisedResponse(1).epsilon("11/10"), "delta must be at most 1"),
        (lambda: RandomisedResponse(1).renyi(0), "alpha must be greater than 0"),
        (lambda: RandomisedResponse(1).variance(), "adds no noise"),
        (lambda: RandomisedResponse(eps).delta(1), "no number for eps; closed_form"),
        (lambda: RandomisedResponse(1).delta(1, digits=0), "digits must be at least 1"),
        (lambda: Laplace(0), "scale must be greater than 0"),
        (lambda: Laplace(1, -1), "sensitivity must be greater than 0"),
        (lambda: Gaussian(math.inf), "variance must be a finite number"),
        (lambda: Geometric(1, "1/2"), "sensitivity must be an integer"),
        (lambda: Staircase(1, 1, 2), "gamma must be at most 1"),
        (lambda: FinitePair(["1/2", "1/2"], [1, 0]).power(0), "k must be at least 1"),
    ],
)
def test_nonsense_is_refused_in_one_line(make, message) -> None:
    with pytest.raises(BadQuantity, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)
