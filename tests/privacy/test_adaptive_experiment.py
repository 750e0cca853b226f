"""The composition experiment with an adversary who chooses everything: Theorem 3.3 bounds it, and is reached."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symdp.privacy.accounting.adaptive_experiment import (
    Family,
    NotPrivate,
    Request,
    excess,
    gained,
    largest_gain,
    views,
)

FAMILY = Family(2, "1/10")


def four_letters(family):
    """Randomised response as in (17) and (18): the worst of the family."""
    t, d = family.exponential, family.delta
    law = {0: d, 1: (1 - d) * t / (1 + t), 2: (1 - d) / (1 + t), 3: Fraction(0)}
    return lambda database, query: law if database == 0 else {3 - x: mass for x, mass in law.items()}


def mixed(family, share):
    """Less private than nothing and more than the response: its law, mixed with one that says nothing."""
    worst = four_letters(family)
    return lambda database, query: {x: share * mass + (1 - share) * Fraction(1, 4)
                                    for x, mass in worst(database, query).items()}


@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize("slope", ["1", "3/2", "2", "4", "9"])
def test_randomised_responses_reach_theorem_3_3(rounds, slope):
    worst = four_letters(FAMILY)
    assert gained(lambda coin, answers: Request((0, 1), "q", worst), FAMILY, rounds, slope) == \
        largest_gain(FAMILY, rounds, slope)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=8, max_size=8),
       st.sampled_from(["1", "2", "3"]))
def test_no_adversary_gains_more(table, slope):
    """One who exchanges databases and picks mechanisms by the answers so far and by a coin."""
    def adversary(coin, answers):
        exchanged, share = table[(sum(answers) + 3 * len(answers) + coin) % len(table)]
        databases = (1, 0) if exchanged else (0, 1)
        return Request(databases, len(answers), mixed(FAMILY, Fraction(share, 4)))

    coins = {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert gained(adversary, FAMILY, 2, slope, coins) <= largest_gain(FAMILY, 2, slope)


def test_the_view_is_a_law_and_has_the_coin():
    worst = four_letters(FAMILY)
    coins = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    found = views(lambda coin, answers: Request((0, 1), "q", worst), FAMILY, 2, 1, coins)
    assert sum(found.values()) == 1
    assert {coin for coin, _ in found} == {"a", "b"}


def test_what_is_not_in_the_family_is_refused_in_the_round_that_asks_for_it():
    def later(coin, answers):
        law = four_letters(Family(3) if answers else FAMILY)
        return Request((0, 1), "q", law)

    with pytest.raises(NotPrivate, match="round 2"):
        gained(later, FAMILY, 2, 1)
    with pytest.raises(NotPrivate, match="add up to 1"):
        gained(lambda coin, answers: Request((0, 1), "q", lambda d, q: {0: Fraction(1, 2)}), FAMILY, 1, 1)
    with pytest.raises(ValueError, match="at least 1"):
        Family("1/2")


def test_privacy_is_asked_for_in_both_directions():
    p, q = {0: Fraction(1)}, {0: Fraction(9, 10), 1: Fraction(1, 10)}
    assert excess(p, q, Fraction(2)) == 0
    assert excess(q, p, Fraction(2)) == Fraction(1, 10)
    Family(2, "1/10").check(p, q, 1)
    with pytest.raises(NotPrivate):
        Family(2, "1/20").check(p, q, 1)
