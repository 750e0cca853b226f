"""Budgets for mechanisms that are chosen one after the other."""

import math

import pytest
from sympy import Rational

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.accounting.filters import (
    ApproximateFilter,
    ConcentratedFilter,
    Odometer,
    PureFilter,
    RenyiFilter,
)


@pytest.mark.parametrize("budget", [PureFilter(1), ConcentratedFilter(1), RenyiFilter(2, 1)])
def test_a_budget_is_spent_to_its_end_and_not_beyond(budget):
    for _ in range(10):
        assert budget.may("0.1")
        budget.spend("0.1")
    assert budget.left == 0
    assert budget.may(0)
    with pytest.raises(BadQuantity, match="would exceed the budget"):
        budget.spend("1e-30")
    assert budget.left == 0
    assert budget.theorem


def test_refused_spending_takes_nothing():
    budget = ApproximateFilter(1, "1e-6", "5e-7")
    assert not budget.try_to_spend(1)
    assert not budget.try_to_spend("0.01", "6e-7")
    assert budget.spent() == 0
    assert budget.try_to_spend("0.01", "5e-7")
    assert not budget.try_to_spend("0.01", "1e-30")
    assert budget.deltas == Rational(1, 2 * 10**6)


def test_the_advanced_filter_stops_where_its_formula_does():
    budget, many = ApproximateFilter(1, "1e-6", "1e-6"), 0
    while budget.try_to_spend("0.02"):
        many += 1

    def cost(n):
        return math.sqrt(2 * math.log(1e6) * n * 0.0004) + n * 0.0002

    assert cost(many) <= 1 < cost(many + 1)


@pytest.mark.parametrize("make", [lambda: PureFilter(-1), lambda: RenyiFilter(1, 1), lambda: ConcentratedFilter(-1),
                                  lambda: ApproximateFilter(1, "1e-6", "1e-5"), lambda: ApproximateFilter(1, 1, 0)])
def test_budgets_that_make_no_sense(make):
    with pytest.raises(BadQuantity):
        make()


def test_an_empty_odometer_has_spent_nothing():
    so_far = Odometer()
    assert (so_far.epsilon, so_far.delta) == (0, 0)
