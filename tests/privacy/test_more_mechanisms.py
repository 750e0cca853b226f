"""Mechanisms of practice: laws against sums and integrals made elsewhere, ends on their sides, draws that fit."""

import itertools
import json
import math
import random
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb, ctx
from sympy import Rational, S

from symdp.cli.app import main
from symdp.formulas.balls import ball
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.composition.compose import compose
from symdp.privacy.composition.homogeneous import Homogeneous
from symdp.privacy.lattice.many_of_one_range import ManyOfOneRange
from symdp.privacy.lattice.periodic import Periodic, PlacedLaw
from symdp.privacy.lattice.saddlepoint import responses
from symdp.privacy.mechanisms.every import (
    ChosenByScore,
    DiscreteGaussian,
    ExponentialMechanism,
    FinitePair,
    Gaussian,
    GaussianWithoutReplacement,
    Geometric,
    KaryResponse,
    Laplace,
    LaplaceWithoutReplacement,
    LossDistribution,
    Mixed,
    RandomisedResponse,
    Staircase,
    TruncatedGaussian,
    TruncatedLaplace,
)
from symdp.privacy.mechanisms.finite_laws.exponential import BoundedRange, two_losses
from symdp.privacy.mechanisms.registry import read_mechanism
from symdp.privacy.pairs import sampling


def holds(found, truth, slack=1e-9):
    return float(found.lower) * (1 - slack) <= truth <= float(found.upper) * (1 + slack)


# --- a sum over one period --------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [2, 8, 40])
def test_ends_of_a_period_are_on_their_sides_however_coarse(bits):
    draw = random.Random(bits)
    for _ in range(12):
        eps, k = Rational(draw.randint(1, 40), 20), draw.choice([30, 200, 5000])
        epsilon = draw.uniform(0, 3) * float(eps) * math.sqrt(k)
        with ctx.workprec(200):
            truth = Homogeneous(eps, S.Zero, k).delta(repr(epsilon))
            law = PlacedLaw(lambda eps=eps: {1: 1 / (1 + (-ball(eps)).exp()), -1: 1 / (1 + ball(eps).exp())})
            sum_of = Periodic([(law, k)], lambda eps=eps: ball(eps), lambda: arb(0), responses([(float(eps), k)]),
                              max(epsilon + draw.gauss(0, 0.2), 0.0), bits)
            lower, upper = sum_of.ends(arb(repr(epsilon)))
            assert lower <= arb(str(truth.upper))
            assert upper >= arb(str(truth.lower))


@pytest.mark.long
def test_terms_that_are_left_out_are_bounded_where_the_modulus_comes_back():
    """The losses -2, 0 and 3 steps come back to a modulus near one at many angles: those terms are computed."""
    pair = FinitePair(["1/2", "3/10", "1/5"], ["11/20", "3/10", "3/20"])
    quick, slow = compose(pair, 600).epsilon("1e-3"), compose(pair, 600, resolution="1/2000").epsilon("1e-3")
    assert quick.lower <= slow.upper
    assert quick.upper >= slow.lower
    assert quick.upper < quick.lower * Decimal("1.01")


def test_a_billion_responses_and_staircases():
    mine = compose(FinitePair(["3/4", "1/4"], ["1/4", "3/4"]), 10**9).delta("549306100")
    known = Homogeneous("log(3)", S.Zero, 10**9).delta("549306100")
    assert mine.lower <= known.upper
    assert mine.upper >= known.lower
    assert mine.digits >= 10
    assert compose(Staircase("0.0001"), 10**8).epsilon("1e-6").digits >= 15


# --- discrete Gaussian ------------------------------------------------------------------------------


@pytest.mark.parametrize(("variance", "sensitivity"), [("4", 1), ("1/3", 1), ("10", 3), ("50", 2)])
def test_discrete_gaussian_once_and_twice_against_sums(variance, sensitivity):
    v = float(Fraction(variance))
    weights = {z: math.exp(-z * z / (2 * v)) for z in range(-120, 121)}
    norm = sum(weights.values())

    def loss(z):
        return (sensitivity**2 - 2 * z * sensitivity) / (2 * v)

    noise = DiscreteGaussian(variance, sensitivity)
    for epsilon in (0, 0.3, 1.7):
        once = sum(w / norm * max(0, 1 - math.exp(epsilon - loss(z))) for z, w in weights.items())
        twice = sum(w * u / norm**2 * max(0, 1 - math.exp(epsilon - loss(z) - loss(y)))
                    for z, w in weights.items() for y, u in weights.items() if abs(z) < 60 and abs(y) < 60)
        assert holds(noise.delta(epsilon), once)
        assert holds(compose(noise, 2).delta(epsilon), twice)


def test_discrete_gaussian_noise_is_nearly_gaussian_and_takes_any_count():
    for k in (10**4, 10**9):
        found = compose(DiscreteGaussian(variance=k), k).epsilon("1e-6")
        assert found.digits >= 15
        assert abs(found.lower - compose(Gaussian(variance=k), k).epsilon("1e-6").lower) < Decimal("1e-4")


def test_discrete_noise_of_several_kinds():
    parts = [(DiscreteGaussian(4), 2), (RandomisedResponse("1/8"), 2)]
    found = compose(parts).delta(1)
    weights = {z: math.exp(-z * z / 8) for z in range(-40, 41)}
    norm, p = sum(weights.values()), 1 / (1 + math.exp(-1 / 8))
    truth = 0.0
    for (z, w), (y, u) in itertools.product(weights.items(), repeat=2):
        for a, b in itertools.product(((0.125, p), (-0.125, 1 - p)), repeat=2):
            loss = (1 - 2 * z) / 8 + (1 - 2 * y) / 8 + a[0] + b[0]
            truth += w * u / norm**2 * a[1] * b[1] * max(0, 1 - math.exp(1 - loss))
    assert holds(found, truth, 1e-8)


# --- truncated noise --------------------------------------------------------------------------------


def by_integration(density, low, high, distance, epsilon):
    """The divergence of a law on [low, high] from itself moved, by quadrature of the positive part."""
    def gain(x):
        inside = low <= x - distance <= high
        return max(density(x) - (mpmath.exp(epsilon) * density(x - distance) if inside else 0), 0)

    cuts = sorted({low, high, min(low + distance, high), 0.0, distance,
        *[low + (high - low) * n / 60 for n in range(61)]})
    return float(mpmath.quad(gain, [c for c in cuts if low <= c <= high]))


@pytest.mark.parametrize("epsilon", [0.0, 0.4, 0.9])
def test_truncated_noise_against_integration(epsilon):
    scale, bound = 1.5, 4.0
    norm = 2 * scale * (1 - math.exp(-bound / scale))
    truth = by_integration(lambda x: mpmath.exp(-abs(x) / scale) / norm, -bound, bound, 1.0, epsilon)
    assert holds(TruncatedLaplace("3/2", 4).delta(epsilon), truth, 1e-3)
    norm = math.sqrt(2 * math.pi * 4) * math.erf(bound / 2 / math.sqrt(2))
    truth = by_integration(lambda x: mpmath.exp(-x * x / 8) / norm, -bound, bound, 1.0, epsilon)
    assert holds(TruncatedGaussian(4, 4).delta(epsilon), truth, 1e-3)


@pytest.mark.parametrize("noise", [TruncatedLaplace(10, 60), TruncatedGaussian(100, 60),
                                   LaplaceWithoutReplacement(1, "1/5"), GaussianWithoutReplacement(1, "1/5")])
def test_laws_of_losses_are_laws_and_their_moments_are_theirs(noise):
    """On a fine lattice the masses add up to one, and the moments lie between those of the two ends."""
    loss = noise.loss()
    with ctx.workprec(120):
        for side in (-1, 1):
            extent, placed = loss.extent(Rational(1, 256), side, arb(2) ** -70), loss.placed(Rational(1, 256), side,
                                                                                             arb(2) ** -70)
            assert abs(sum(placed.values(), arb(0)) + extent.cut - 1) < arb(2) ** -40
        moments = loss.moments()
        if moments is not None:
            assert abs(moments.real(arb(0)) - 1) < arb(10) ** -9
            total = sum(mass * (arb(j) / 128).exp() for j, mass in placed.items())
            assert abs(total / moments.real(arb(2)) - 1) < arb(10) ** -3
            bound = moments.beyond(arb(2), arb(30))
            assert all(not abs(moments.at(acb(2, 30 * f))) > bound for f in (1, 1.5, 4))


@pytest.mark.parametrize("text", [
    "truncated-laplace scale=10 bound=200", "truncated-gaussian variance=100 bound=100",
    "laplace-without-replacement scale=1 rate=1/10", "mixed of=1/2:laplace:scale=10;1/2:gaussian:variance=100"])
def test_moments_and_lattice_agree(text):
    mechanism, _ = read_mechanism(text)
    quick = compose(mechanism, 80).epsilon("1e-3", digits=8)
    slow = compose(mechanism, 80, resolution="1/64").epsilon("1e-3", digits=8)
    assert quick.lower <= slow.upper
    assert quick.upper >= slow.lower


def test_noise_that_is_hardly_cut_off_is_the_noise_itself():
    cut, whole = TruncatedLaplace(1, 200), Laplace(1)
    assert abs(cut.epsilon("0.01").lower - whole.epsilon("0.01").lower) < Decimal("1e-15")
    assert abs(compose(TruncatedGaussian(100, 300), 100).epsilon("1e-6").lower
               - compose(Gaussian(100), 100).epsilon("1e-6").lower) < Decimal("1e-12")


# --- sampling without replacement -------------------------------------------------------------------


def test_without_replacement_once_is_amplification_and_all_is_the_noise():
    for q in ("1/100", "1/2"):
        step = GaussianWithoutReplacement(4, q)
        at = math.log(1 + (math.e - 1) / float(Fraction(q)))
        assert holds(step.delta(1), float(Fraction(q)) * float(Gaussian(4).delta(repr(at)).lower), 1e-9)
    assert GaussianWithoutReplacement(4, 0).delta("0.1").upper == 0
    assert compose(LaplaceWithoutReplacement(1, 0), 10).epsilon(0).upper == 0
    whole = compose(GaussianWithoutReplacement(4, 1), 10).epsilon("1e-6")
    noise = compose(Gaussian(4), 10).epsilon("1e-6")
    assert abs(whole.lower - noise.lower) < Decimal("1e-9")


@pytest.mark.long
def test_twice_without_replacement_against_integration():
    """The law of the loss is above zero that of a Poisson sample, mirrored below, with the rest at zero."""
    mu, q, epsilon = 1.0, 0.3, 0.2

    def w(y):
        return 1 - q + q * mpmath.exp(mu * y - mu * mu / 2)

    edge = mu / 2
    rest = 1 - mpmath.quad(lambda y: mpmath.npdf(y) * (w(y) + 1), [edge, 3, 6, 12])

    def height(at):  # of one, at any real epsilon: normal integrals between the places where w is e^at or e^-at
        level, cdf = mpmath.exp(at), mpmath.ncdf
        place = [max(edge, mpmath.log1p((v - 1) / q) / mu + edge) if v > 1 else edge for v in (level, 1 / level)]
        up = (1 - q - level) * cdf(-place[0]) + q * cdf(mu - place[0])
        down = ((1 - level * (1 - q)) * (cdf(place[1]) - cdf(edge))
                - level * q * (cdf(place[1] - mu) - cdf(edge - mu)))
        return up + down + rest * max(0, 1 - level)

    with mpmath.workdps(12):
        twice = rest * height(epsilon)
        twice += mpmath.quad(lambda y: mpmath.npdf(y) * w(y) * height(epsilon - mpmath.log(w(y))), [edge, 1, 2, 4, 9])
        twice += mpmath.quad(lambda y: mpmath.npdf(y) * height(epsilon + mpmath.log(w(y))), [edge, 1, 2, 4, 9])
    assert holds(compose(GaussianWithoutReplacement(1, "0.3"), 2).delta("0.2"), float(twice), 1e-3)


# --- choices ----------------------------------------------------------------------------------------


def test_no_places_of_the_range_are_worse_than_the_one_of_the_theorem():
    draw = random.Random(3)
    with ctx.workprec(80):
        for _ in range(25):
            k, span = draw.randint(1, 5), draw.uniform(0.2, 2)
            epsilon = draw.uniform(0, 0.7 * k * span)
            best = float(BoundedRange(S(1) * Rational(repr(span)), k).height(arb(epsilon)).mid())
            common = max(float(two_losses(k, arb(span), arb(span * n / 200), arb(epsilon)).mid()) for n in range(201))
            assert common <= best * (1 + 1e-9)
            assert common >= best * 0.99
            places = [draw.uniform(0, span) for _ in range(k)]
            chances = [(math.exp(-t) - math.exp(-span)) / (1 - math.exp(-span)) for t in places]
            different = 0.0
            for lows in itertools.product((0, 1), repeat=k):
                mass = math.prod(1 - p if low else p for p, low in zip(chances, lows, strict=True))
                different += mass * max(0.0, math.exp(sum(places) - span * sum(lows)) - math.exp(epsilon))
            assert different <= best * (1 + 1e-9)


@pytest.mark.parametrize(("k", "span"), [(3, "1"), (60, "1/10"), (25, "2"), (40, "1/1000")])
def test_a_searched_place_of_the_range_agrees_with_the_listed_ones(k, span):
    exactly, searched = BoundedRange(Rational(span), k), ManyOfOneRange(k, lambda: ball(Rational(span)))
    for level in ("1e-9", "1e-3"):
        truth = exactly.epsilon(level, 9)
        lower, upper = (float(end.mid()) for end in searched.epsilon_ends(lambda level=level: arb(level)))
        assert lower <= float(truth.upper) * (1 + 1e-12)
        assert upper >= float(truth.lower) * (1 - 1e-12)
        assert upper - lower <= 2e-5 * upper
    at = Rational(span) * k / 5
    truth = exactly.delta(at, 9)
    lower, upper = (float(end.mid()) for end in searched.delta_ends(lambda: ball(at)))
    assert lower * (1 - 1e-12) <= float(truth.upper)
    assert upper * (1 + 1e-12) >= float(truth.lower)
    assert upper - lower <= 2e-3 * upper


@pytest.mark.parametrize(("k", "span", "delta"), [(10**9, "0.00003", "1e-30"), (10**6, "0.001", "1e-6"),
                                                  (10**9, "1e-8", "1e-300")])
def test_bounded_range_any_number_of_times(k, span, delta):
    found = compose(ExponentialMechanism(span), k).epsilon(delta)
    assert 0 < found.upper - found.lower < found.upper / 10**4
    # Randomised response of half of the range is one of them; that of all of it is worse.
    assert found.upper >= compose(RandomisedResponse(Rational(span) / 2), k).epsilon(delta).lower
    assert found.upper < compose(RandomisedResponse(span), k).epsilon(delta).lower


def test_bounded_range_that_reveals_less_than_delta():
    assert compose(ExponentialMechanism("1e-9"), 10**5).epsilon("1e-6").upper == 0


def test_bounded_range_is_better_than_pure_privacy():
    narrow = compose(ExponentialMechanism("1/10"), 60).epsilon("1e-6", digits=6)
    assert narrow.upper < compose(RandomisedResponse("1/10"), 60).epsilon("1e-6").lower
    with pytest.raises(BadQuantity, match="up to k = 1000000000000"):
        compose(ExponentialMechanism(1), 10**13)
    with pytest.raises(BadQuantity, match="beside others"):
        compose([ExponentialMechanism(1), Laplace(1)])


def test_laws_of_choices():
    pair = ChosenByScore(1, [3, 1, 0], [2, 1, 1], by="permute-and-flip")
    chances = [math.exp(-(3 - s) / 2) for s in (3, 1, 0)]
    truth = [0.0] * 3
    for order in itertools.permutations(range(3)):
        left = 1.0
        for i in order:
            truth[i] += left * chances[i] / 6
            left *= 1 - chances[i]
    total = sum(truth)  # an order in which nobody accepts cannot be: the best always does
    assert [float(p) for p in pair.p] == pytest.approx(truth)
    assert total == pytest.approx(1)
    assert pair.max_divergence().upper <= 1
    assert max(abs(float(loss)) for loss, _ in ChosenByScore(1, [3, 1, 0], [2, 1, 1]).privacy_loss().atoms) <= 1
    with pytest.raises(BadQuantity, match="more than the sensitivity"):
        ChosenByScore(1, [3, 1], [1, 1])


# --- mixtures, losses of one's own, groups ----------------------------------------------------------


def test_mixtures_mix_deltas():
    mixed = Mixed([("1/4", Laplace(2)), ("3/4", Gaussian(9))])
    truth = float(Laplace(2).delta("0.3").lower) / 4 + 3 * float(Gaussian(9).delta("0.3").lower) / 4
    assert holds(mixed.delta("0.3"), truth)
    there = compose(mixed, 1).epsilon("0.05")
    assert holds(mixed.delta(str(there.lower)), 0.05, 1e-3)
    alone = Mixed([(1, RandomisedResponse("0.5", "0.01"))])
    assert holds(compose(alone, 7).delta(1), float(compose(RandomisedResponse("0.5", "0.01"), 7).delta(1).lower))
    with pytest.raises(BadQuantity, match="sum to 1"):
        Mixed([("1/2", Laplace(1))])


def test_losses_of_ones_own(tmp_path):
    file = tmp_path / "losses.txt"
    file.write_text("# loss, probability\nlog(2) 1/2\n0 1/4\n-log(2) 0.24\ninf, 0.01\n")
    mine, count = read_mechanism(f"losses file={file} count=3")
    assert count == 3
    assert compose(mine, 3).epsilon("0.01").lower == Decimal("Infinity")
    assert holds(mine.delta(0), 0.26)
    for text, complaint in [("1 2\n", "at most 1"), ("x 1\n", "must be a number"), ("1 1 1\n", "3 numbers"),
                            ("", "at least one"), ("1 1/2\n", "sum to 1"), ("-1 1\n", "more than 1")]:
        file.write_text(text)
        with pytest.raises(BadQuantity, match=complaint):
            LossDistribution(file)
    with pytest.raises(BadQuantity):
        LossDistribution(tmp_path / "nowhere.txt")


def test_groups_are_farther_apart():
    assert read_mechanism("laplace scale=6 group=3")[0].epsilon_0 == Rational(1, 2)
    assert read_mechanism("geometric epsilon=1/4 group=4")[0].epsilon_0 == 1
    assert read_mechanism("gaussian variance=4 group=2")[0].separation == 1
    grouped = RandomisedResponse("1/2", "0.001").for_group(2)
    assert grouped.epsilon_0 == 1
    assert float(grouped.delta_0) == pytest.approx(0.001 * (1 + math.exp(0.5)))
    assert RandomisedResponse(5, "0.1").for_group(9).delta_0 == 1
    for text in ("staircase epsilon=1 group=2", "dp-sgd variance=1 rate=0.1 group=2"):
        with pytest.raises(BadQuantity, match="not known"):
            read_mechanism(text)


def test_many_answers():
    response = KaryResponse("log(3)", 4)
    assert response.max_divergence().upper < Decimal("1.0987")
    assert compose(response, 10**6).epsilon("1e-6").digits >= 12


# --- draws ------------------------------------------------------------------------------------------


def fits(counts, masses, many):
    """Pearson's statistic is below what one law in a million is above."""
    kept = [(counts.get(x, 0), m * many) for x, m in masses.items() if m * many > 5]
    rest = many - sum(seen for seen, _ in kept), many - sum(m for _, m in kept)
    statistic = sum((seen - m) ** 2 / m for seen, m in [*kept, rest] if m > 5)
    freedom = len(kept)
    return statistic < freedom + 5.2 * math.sqrt(2 * freedom) + 20


MANY = 600


@pytest.mark.long
def test_draws_of_integers_have_their_law():
    coins = random.Random(7)
    weights = {z: math.exp(-z * z / 10) for z in range(-20, 21)}
    norm = sum(weights.values())
    assert fits(Counter(DiscreteGaussian(5).sample(coins) for _ in range(MANY)),
                {z: w / norm for z, w in weights.items()}, MANY)
    a = math.exp(-0.5)
    assert fits(Counter(int(Geometric(1, 2).sample(coins)) for _ in range(MANY)),
                {z: (1 - a) / (1 + a) * a ** abs(z) for z in range(-20, 21)}, MANY)
    for mechanism in (RandomisedResponse(1, "1/10"), LossDistribution([("log(2)", "1/2"), (0, "1/4"), ("-log(2)",
        "1/4")]),
                      ChosenByScore(2, [3, 1, 0], [2, 1, 1]), ChosenByScore(2, [3, 1, 0], [2, 1, 1],
                          by="permute-and-flip")):
        for other, side in ((False, mechanism.p), (True, mechanism.q)):
            drawn = Counter(mechanism.sample(coins, other=other) for _ in range(MANY))
            assert fits(drawn, {i: float(m) for i, m in enumerate(side)}, MANY)
    p = math.e / (math.e + 4)
    assert fits(Counter(KaryResponse(1, 5).sample(2, coins) for _ in range(MANY)),
                {i: p if i == 2 else (1 - p) / 4 for i in range(5)}, MANY)


@pytest.mark.parametrize(("noise", "distribution"), [
    (Laplace(2), lambda x: math.exp(x / 2) / 2 if x < 0 else 1 - math.exp(-x / 2) / 2),
    (Gaussian(4), lambda x: math.erfc(-x / 2 / math.sqrt(2)) / 2),
    (TruncatedLaplace(1, 3), lambda x: (0.5 + math.copysign(1 - math.exp(-min(abs(x), 3)),
        x) / 2 / (1 - math.exp(-3)))),
    (TruncatedGaussian(4, 3), lambda x: 0.5 + math.erf(max(min(x, 3), -3) / 2 / math.sqrt(2)) / 2 / math.erf(
        1.5 / math.sqrt(2)))])
def test_draws_of_noise_have_their_law(noise, distribution):
    coins = random.Random(11)
    counts = Counter(noise.sample(coins, 1) for _ in range(MANY))  # multiples of a half
    assert fits(counts, {Fraction(n, 2): distribution((n + 1) / 2) - distribution(n / 2) for n in range(-40, 40)},
        MANY)
    assert noise.sample(coins, 30).denominator > 2**20


def test_a_wrong_law_would_be_seen():
    coins = random.Random(5)
    many = 5 * MANY
    drawn = Counter(sampling.choice(lambda: [arb("0.3"), arb("0.3")], coins) for _ in range(many))
    assert fits(drawn, {0: 0.3, 1: 0.3, 2: 0.4}, many)
    assert not fits(drawn, {0: 0.36, 1: 0.3, 2: 0.34}, many)


# --- edges ------------------------------------------------------------------------------------------


def run(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    return stop.value.code, capsys.readouterr()


@pytest.mark.parametrize("mechanism", [
    "laplace scale=1 count=0", "laplace scale=0", "laplace scale=-1", "laplace scale=x",
    "laplace scale=1 sensitivity=0",
    "gaussian variance=0", "gaussian variance=1 sensitivity=0", "discrete-gaussian variance=1 sensitivity=0",
    "discrete-gaussian variance=1 sensitivity=1/2", "truncated-laplace scale=1 bound=1/2",
    "truncated-laplace scale=1 bound=0",
    "truncated-gaussian variance=1 bound=-1", "dp-sgd variance=1 rate=2", "dp-sgd variance=1 rate=-0.1",
    "dp-sgd variance=1",
    "gaussian-without-replacement variance=1 rate=3/2", "kary-response epsilon=1 answers=1", "exponential epsilon=0",
    "losses file=nowhere.txt", "mixed of=1/2:laplace:scale=1", "mixed of=laplace", "laplace scale=1 group=0",
    "laplace",
    "chosen-by-score epsilon=1 scores=1 others=1;2", "randomised-response epsilon=-1",
    "randomised-response epsilon=1 delta=2",
    "nothing", "", "laplace scale=1 count=1/2"])
def test_what_makes_no_sense_is_one_line(mechanism, capsys):
    code, said = run(["compose", "--mechanism", mechanism, "--target-delta", "1e-6"], capsys)
    assert code == 2
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1


@pytest.mark.parametrize("text", ["2", "-0.1", "x", ""])
def test_a_delta_that_is_none_is_one_line(text, capsys):
    code, said = run(["compose", "--mechanism", "laplace scale=1", "--target-delta", text], capsys)
    assert code == 2
    assert len(said.err.strip().splitlines()) == 1


@pytest.mark.parametrize(("mechanism", "delta", "lower"), [
    ("dp-sgd variance=1 rate=0 count=10", "0", "0"), ("dp-sgd variance=1 rate=0 count=10", "1e-6", "0"),
    ("gaussian-without-replacement variance=1 rate=0 count=10", "0", "0"), ("laplace scale=2 count=4", "0", "2"),
    ("laplace scale=2 count=4", "1", "0"), ("discrete-gaussian variance=2 count=4", "0", "Infinity"),
    ("discrete-gaussian variance=2 count=4", "1", "0"), ("truncated-laplace scale=1 bound=3", "0", "Infinity"),
    ("truncated-laplace scale=1 bound=3 count=9", "0", "Infinity"), ("exponential epsilon=1/2 count=4", "0", "2"),
    ("exponential epsilon=1/2 count=4", "1", "0"), ("kary-response epsilon=0 answers=5 count=7", "0", "0"),
    ("gaussian-without-replacement variance=1 rate=1/2 count=10", "0", "Infinity"),
    ("dp-sgd variance=1 rate=1 count=4", "1", "0")])
def test_edges_have_an_answer(mechanism, delta, lower, capsys):
    code, said = run(["compose", "--mechanism", mechanism, "--target-delta", delta, "--format", "json"], capsys)
    assert code == 0, said.err
    assert Decimal(json.loads(said.out)["epsilon"]["lower"]) == Decimal(lower)


def test_an_empty_list_is_one_line():
    with pytest.raises(BadQuantity, match="no mechanism"):
        compose([])
    with pytest.raises(BadQuantity, match="at least 1"):
        compose(Laplace(1), 0)


def test_losses_that_are_multiples_of_one_another_by_their_primes():
    """log(9/4) is twice log(3/2), which is not seen without taking the numbers apart."""
    pair = FinitePair(["9/55", "6/11", "16/55"], ["1/10", "1/2", "2/5"])
    assert compose(pair, 3).delta(0).digits >= 15
