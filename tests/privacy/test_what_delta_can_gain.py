"""With delta > 0 randomised response is not optimal: what is, for XOR, and how much it can lose, for every function.

The exact optimum over all conversations is a linear program, which shares nothing with the formulas.
"""

import random

import pytest

from symdp.privacy.multiparty.accuracy import average, worst_case
from symdp.privacy.multiparty.functions import XOR, BitFunction, Reward
from symdp.privacy.multiparty.optimum import best
from symdp.privacy.multiparty.shared_coin import best_for_xor, most_to_gain, shared_coin

LEVELS = [
    (("log(2)", "1/10"), ("log(2)", "1/10")),
    (("log(2)", "1/10"), ("log(3)", "1/4")),
    (("log(2)", "1/4"), ("log(3)", "1/10")),
    (("log(2)", "0"), ("log(3)", "1/10")),
    (("log(2)", "1/10"), ("log(3)", "1/4"), ("log(3/2)", "1/20")),
]


@pytest.mark.parametrize("levels", LEVELS, ids=str)
@pytest.mark.parametrize("measure", ["average", "worst"])
def test_for_xor_leaks_by_one_number_are_the_best_of_all_conversations(levels, measure):
    assert best(levels, XOR(len(levels)), measure=measure).value == best_for_xor(levels)
    table = shared_coin(levels).protocol(len(levels))
    find = average if measure == "average" else worst_case
    assert table.is_private(levels)
    assert find(table, XOR(len(levels))).value == best_for_xor(levels)


@pytest.mark.parametrize("ratio", ["11/10", "2", "5"])
@pytest.mark.parametrize("delta", ["1/1000", "1/10", "1/2"])
@pytest.mark.parametrize("measure", ["average", "worst"])
def test_no_conversation_gains_more_than_the_bound_over_pure_responses(ratio, delta, measure):
    """For functions of two bits drawn at random, with two to four values, and rewards drawn at random too."""
    draw = random.Random(f"{ratio} {delta} {measure}")
    levels = ((f"log({ratio})", delta), (f"log({draw.choice(['3/2', '4'])})", delta))
    pure = tuple((e, "0") for e, _ in levels)
    for _ in range(6):
        f = BitFunction(2, tuple(draw.randrange(4) for _ in range(4)))
        reward = Reward.table({(a, b): f"{draw.randrange(5)}/4" for a in f.range for b in f.range})
        most = best(levels, f, reward, measure=measure).value
        least = best(pure, f, reward, measure=measure, among="responses").value
        assert most - least <= most_to_gain(levels, measure)


def test_the_bound_is_no_formality():
    """The optimum is more than a quarter of the way up to the bound."""
    levels = LEVELS[0]
    pure = tuple((e, "0") for e, _ in levels)
    gained = best_for_xor(levels) - best(pure, XOR(2), among="responses").value
    assert gained > most_to_gain(levels) / 4
