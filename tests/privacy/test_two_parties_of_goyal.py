"""Two parties and pure privacy, as in Goyal, Mironov, Pandey and Sahai: the optima for AND and XOR, computed.

Theorem 5.1 without delta says that randomised response is optimal for every function. For an observer of two parties
the exact optimum in the worst case is (1 + l^2)/(1 + l)^2 for XOR and l(l^2 + l + 2)/(1 + l)^3 for AND, with l for
e^epsilon; with delta a coin that all see is better than the responses for XOR, by delta(1 - delta)(1 - t)^2.
"""

from fractions import Fraction

import pytest

from symdp.privacy.multiparty.accuracy import average, worst_case
from symdp.privacy.multiparty.functions import AND, XOR
from symdp.privacy.multiparty.parties import alike
from symdp.privacy.multiparty.protocol import randomised_response


@pytest.mark.parametrize("ratio", [2, 3, 5])
def test_the_optima_of_two_pure_parties(ratio):
    bits, l_ = randomised_response(alike(2, f"log({ratio})")), Fraction(ratio)
    assert worst_case(bits, XOR(2)).value == (1 + l_**2) / (1 + l_) ** 2
    assert average(bits, XOR(2)).value == (1 + l_**2) / (1 + l_) ** 2
    assert worst_case(bits, AND(2)).value == l_ * (l_**2 + l_ + 2) / (1 + l_) ** 3


@pytest.mark.parametrize(("ratio", "delta"), [(2, "1/10"), (3, "1/100")])
def test_what_the_responses_lose_for_xor_against_a_shared_coin(ratio, delta):
    """The advantage of the responses is the square of that of one; a shared coin has the mean of two squares."""
    d, t = Fraction(delta), Fraction(ratio - 1, ratio + 1)
    bits = randomised_response(alike(2, f"log({ratio})", delta))
    ahead = 2 * average(bits, XOR(2)).value - 1
    assert ahead == (d + (1 - d) * t) ** 2
    assert (d + (1 - d) * t**2) - ahead == d * (1 - d) * (1 - t) ** 2
