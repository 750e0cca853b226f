"""Every number of a composition says by which theorem, for whom, what is exact and what is rounded."""

import json

import pytest

from symdp.privacy.composition.compose import compose
from symdp.privacy.composition.grounds import ANY_PRIVATE, DOMINATING, grounds
from symdp.privacy.composition.heterogeneous import Part
from symdp.privacy.mechanisms.registry import mechanisms, read_mechanism

LINES = [
    "bounded-range epsilon=1/10", "chosen-by-score epsilon=1 scores=3;1;0 others=2;1;1",
    "discrete-gaussian variance=4", "discrete-laplace epsilon=1/10",
    "dp-sgd variance=1 rate=0.01", "exponential epsilon=1/10", "gaussian variance=4",
    "gaussian-without-replacement variance=1 rate=1/5", "geometric epsilon=1/10", "kary-response epsilon=1 answers=5",
    "laplace scale=10", "laplace-without-replacement scale=1 rate=1/10",
    "mixed of=1/2:laplace:scale=10;1/2:gaussian:variance=4", "randomised-response epsilon=1/10",
    "staircase epsilon=1/10", "subsampled-gaussian variance=1 rate=0.01", "subsampled-laplace scale=10 rate=1/10",
    "truncated-gaussian variance=4 bound=6", "truncated-laplace scale=1 bound=6"]


def test_all_kinds_are_listed_here():
    assert {line.split()[0] for line in LINES} | {"losses"} == set(mechanisms())


@pytest.mark.parametrize("line", LINES)
def test_every_kind_of_mechanism_says_what_its_number_rests_on(line):
    made, _ = read_mechanism(line)
    found = compose(made, 1).delta("1/20", 6)
    said = grounds(found, [(made, 1)], 6)
    assert said.theorem
    assert said.laws
    assert said.exact
    assert said.rounded
    assert said.composed == ""  # it is one alone


def test_two_kinds_and_a_part_are_all_named():
    laplace, gaussian = read_mechanism("laplace scale=10")[0], read_mechanism("gaussian variance=4")[0]
    from_all = compose([(laplace, 3), (gaussian, 1), ("0.1", 0)]).epsilon("1e-6", 6)
    said = grounds(from_all, [(laplace, 3), (gaussian, 1), Part.read("0.1")], 6)
    assert [law.split(",")[0] for law in said.laws[:2]] == ["Laplace noise", "Gaussian noise"]
    assert said.laws[2] == ANY_PRIVATE
    assert said.composed == DOMINATING
    assert said.rounded == "the two ends, outward"


def test_rounded_losses_are_said():
    step, _ = read_mechanism("laplace-without-replacement scale=1 rate=1/10")
    found = compose(step, 100).delta("1", 6)
    said = grounds(found, [(step, 100)], 6)
    assert "losses to multiples of" in said.rounded
    assert found.lower < found.upper < found.lower * 11 / 10


def test_the_terminal_and_json_say_the_same(symdp):
    line = ("compose", "--mechanism", "laplace scale=10 count=100", "--target-delta", "1e-6")
    code, text, _ = symdp(*line)
    assert code == 0
    _, document, _ = symdp(*line, "--format", "json")
    said = json.loads(document)["grounds"]["epsilon"]
    for value in (said["theorem"], said["exact"], said["rounded"], *said["laws"]):
        assert value in " ".join(text.split())
