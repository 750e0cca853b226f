"""Where compositions end: no mechanism, epsilon 0, delta near one, moments that grow fast."""

from decimal import Decimal

import pytest
from flint import acb, arb, ctx

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.composition.compose import compose
from symdp.privacy.lattice.inversion import Inversion, LeftOfZero
from symdp.privacy.lattice.moments import Normal
from symdp.privacy.mechanisms.registry import read_mechanism

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
