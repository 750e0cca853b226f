"""Budgets for mechanisms that are chosen one after the other."""

import math

import pytest
from sympy import Rational, oo

from symdp.numbers.quantity import BadQuantity
from symdp.privacy.accounting.filters import (
    ApproximateFilter,
    ApproximateOdometer,
    ConcentratedFilter,
    ConcentratedOdometer,
    Odometer,
    PureFilter,
    PureOdometer,
    RenyiFilter,
    RenyiOdometer,
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


def _responses(choose, steps, read):
    """The probability that the loss of randomised responses is ever above what is read: all paths, exactly.

    ``choose`` says the epsilon of the next one in view of the losses so far, None to stop; ``read`` what an odometer
    says of those that have run.
    """
    above = 0.0
    paths = [((), (), 1.0)]
    while paths:
        spent, losses, mass = paths.pop()
        if spent and sum(losses) > read(spent) + 1e-12:
            above += mass
            continue  # above once is above
        epsilon = None if len(spent) == steps else choose(losses)
        if epsilon is not None:
            true = 1 / (1 + math.exp(-epsilon))
            paths += [((*spent, epsilon), (*losses, epsilon), mass * true),
                      ((*spent, epsilon), (*losses, -epsilon), mass * (1 - true))]
    return above


def _rho(spent):
    return sum(e * e / 2 for e in spent)


def _renyi(spent, alpha):
    return sum(math.log((math.exp(alpha * e) + math.exp((1 - alpha) * e)) / (1 + math.exp(e))) / (alpha - 1)
               for e in spent)


def _more_after_bad_luck(losses):
    return 1.5 if losses and losses[-1] > 0 else 0.5


def _stop_when_high(losses):
    return None if sum(losses) > 4 else 1.0


DELTA, STEPS = 0.25, 11


@pytest.mark.parametrize("choose", [_more_after_bad_luck, _stop_when_high, lambda losses: 0.7])
@pytest.mark.parametrize("make", [
    lambda: (RenyiOdometer(3, DELTA), lambda meter, e: meter.add(repr(_renyi([e], 3)))),
    lambda: (ConcentratedOdometer(DELTA, "1/2"), lambda meter, e: meter.add(repr(e * e / 2))),
    lambda: (ApproximateOdometer(DELTA, DELTA, "1/2"), lambda meter, e: meter.add(repr(e)))])
def test_no_loss_is_above_an_odometer_but_with_probability_delta(choose, make):
    known = {}

    def read(spent):
        if spent not in known:
            meter, add = make()
            for e in spent:
                add(meter, e)
            known[spent] = float(meter.epsilon)
        return known[spent]

    def too_little(spent):  # the test sees what an odometer without its last term would do
        return _rho(spent)

    assert _responses(choose, STEPS, read) <= DELTA
    assert _responses(choose, STEPS, too_little) > DELTA


def test_an_odometer_reads_what_it_costs():
    concentrated = ConcentratedOdometer("1e-6", "1/10")
    for _ in range(10):
        concentrated.add("1/100")
    assert float(concentrated.epsilon) == pytest.approx(float(ConcentratedFilter("1/10").epsilon("1e-6")))
    assert RenyiOdometer(5, 1).add(0) == 0
    approximate = ApproximateOdometer("1e-6", "5e-7", 1)
    assert approximate.add("1/2", "5e-7") == Rational(1, 2)
    assert approximate.add(0, "1e-30") == oo
    assert PureOdometer().epsilon == 0
    assert all(kind.theorem for kind in (PureOdometer, Odometer, RenyiOdometer, ConcentratedOdometer,
                                         ApproximateOdometer))


def test_what_is_left_may_run_and_more_may_not():
    budget = ApproximateFilter(1, "1e-6", "5e-7")
    budget.spend("0.1", "1e-7")
    most, rest = budget.left
    assert budget.may(most * Rational(999, 1000), rest)
    assert not budget.may(most * Rational(1001, 1000), 0)
    assert rest == Rational(4, 10**7)
    with pytest.raises(BadQuantity, match="would exceed the budget"):
        budget.spend(1)
    assert not budget.exhausted
    whole = PureFilter("1/2")
    whole.spend("1/2")
    assert whole.exhausted


@pytest.mark.parametrize("make", [lambda: RenyiOdometer(1, "1e-6"), lambda: RenyiOdometer(2, 0),
                                  lambda: ConcentratedOdometer(0, 1), lambda: ConcentratedOdometer("1e-6", 0),
                                  lambda: ApproximateOdometer("1e-6", "1e-5", 1), lambda: PureOdometer().add(-1),
                                  lambda: PureOdometer().add("much"), lambda: Odometer().add(1, 2)])
def test_odometers_that_make_no_sense(make):
    with pytest.raises(BadQuantity):
        make()
