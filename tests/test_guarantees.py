"""Guarantees are settled against the exact worst case, and only by the kernel."""

import copy
import json
import pickle
from dataclasses import replace

import pytest
from symdp.proving.certificate import BadCertificate
from sympy import E, Integer, Rational, exp, log, sqrt, tanh

from symdp.domain import Domain
from symdp.notation import delta, eps, eps_total, k, slack
from symdp.parsing import parse_conditions
from symdp.privacy.mechanism import Gaussian, Laplace
from symdp.proving.argument import (
    Argument,
    Promise,
    Violation,
    argue,
    certificate_of_guarantee,
    recheck_guarantee,
    violate,
)
from symdp.proving.guaranteeing import settle_promise
from symdp.proving.kernel import Rejected, Step
from symdp.proving.reduction import Route
from symdp.subject import AnyPrivate, AnySequence, loss_sum, mean_sum, square_sum, survival


def where(*texts, integers=(k,)):
    conditions = [r for text in texts for r in parse_conditions(text)]
    named = {v for c in conditions for v in c.symbols}
    return Domain.of(conditions, [v for v in integers if v in named])


USUAL = ("eps > 0", "0 <= delta <= 1", "k >= 1")
WITH_SLACK = (*USUAL, "0 < slack <= 1")
PAIR = AnyPrivate(eps, delta)
mean = k * eps * tanh(eps / 2)
deviation = eps * sqrt(2 * k * log(1 / slack))
survives = (1 - delta) ** k

TRUE = {
    "the losses add up": Promise(PAIR, k, k * eps, k * delta, where(*USUAL)),
    "a delta of one": Promise(PAIR, k, Integer(0), Integer(1), where(*USUAL)),
    "centred": Promise(PAIR, k, k * eps * (exp(eps) - 1) / (exp(eps) + 1) + deviation,
                       1 - survives * (1 - slack), where(*WITH_SLACK)),
    "half the squares": Promise(PAIR, k, k * eps**2 / 2 + deviation, k * delta + slack,
                                where(*WITH_SLACK)),
    "a sequence": Promise(AnySequence(pure=True), Integer(1),
                          square_sum / 2 + sqrt(2 * log(1 / slack) * square_sum), slack,
                          where("0 < slack <= 1")),
    "a sequence with deltas": Promise(AnySequence(), Integer(1), loss_sum, 1 - survival, where()),
    "one Laplace": Promise(Laplace(scale=1 / eps), Integer(1), eps, Integer(0), where("eps > 0")),
    "many Laplace": Promise(Laplace(scale=k / eps), k, eps, Integer(0), where("eps > 0", "k >= 1")),
}
FALSE = {
    "half the losses": Promise(PAIR, k, k * eps / 2, k * delta, where(*USUAL)),
    "no deviation": Promise(PAIR, k, k * eps * (exp(eps) - 1) / (exp(eps) + 1),
                            1 - survives * (1 - slack), where(*WITH_SLACK)),
    "a forgotten delta": Promise(PAIR, k, k * eps, delta, where(*USUAL)),
    "a forgotten epsilon": Promise(PAIR, k, k, k * delta, where(*USUAL)),
    "a root too few": Promise(PAIR, k, eps * sqrt(2 * log(1 / slack)) + k * eps**2 / 2,
                              k * delta + slack, where(*WITH_SLACK)),
    "a sequence's mean": Promise(AnySequence(pure=True), Integer(1), mean_sum, slack,
                                 where("0 < slack <= 1")),
    "one Gaussian": Promise(Gaussian(variance=1 / eps**2), Integer(1), eps, delta,
                            where("eps > 0", "0 < delta <= 1")),
    "Laplace with half the noise": Promise(Laplace(scale=1 / (2 * eps)), Integer(1), eps, Integer(0),
                                           where("eps > 0")),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_proved(name):
    verdict = settle_promise(TRUE[name], budget=30)
    assert verdict.status.value == "proved", str(verdict)
    assert isinstance(verdict.proof, Argument)


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_is_refuted_at_a_point(name):
    verdict = settle_promise(FALSE[name], budget=20)
    assert verdict.status.value == "refuted", str(verdict)
    violation = verdict.witness
    assert isinstance(violation, Violation)
    assert violation.exact.lower > violation.claimed.upper


def test_the_simplified_theorem_for_every_k():
    log_deviation = eps * sqrt(2 * k * log(E + sqrt(k * eps**2) / slack))
    centre = k * eps * (exp(eps) - 1) / (exp(eps) + 1)
    total = 1 - survives * (1 - slack)
    verdict = settle_promise(Promise(PAIR, k, centre + log_deviation, total, where(*WITH_SLACK)),
                             budget=40)
    assert verdict, str(verdict)


@pytest.fixture(scope="module")
def shown():
    return settle_promise(TRUE["the losses add up"], budget=20).proof


def test_certificates_are_accepted_again(shown):
    document = json.loads(json.dumps(certificate_of_guarantee(shown, "mine")))
    assert recheck_guarantee(document).promise == shown.promise
    assert isinstance(pickle.loads(pickle.dumps(shown)), Argument)
    broken = settle_promise(FALSE["a forgotten delta"], budget=10).witness
    document = json.loads(json.dumps(certificate_of_guarantee(broken)))
    assert recheck_guarantee(document).point == broken.point


def redigested(document):
    from symdp.proving.argument import _digest

    return {**document, "digest": _digest(document)}


@pytest.mark.parametrize("change", [
    {"epsilon": {"e": "k*eps/2"}}, {"delta": {"e": "delta"}}, {"where": []}, {"fold": {"e": "k+1"}},
    {"route": {"name": "certain", "half": False}}, {"route": {"name": "magic", "half": False}},
    {"parts": []}, {"subject": {"any": [{"e": "2*eps"}, {"e": "delta"}]}},
    {"subject": {"sequence": "pure"}}, {"subject": {"noise": "__class__", "parameters": {}}},
    {"subject": 3}, {"opened": ["eps"]}, {"void": ["delta"]}, {"void": 3},
    {"integer": []}, {"format": 2},
])
def test_a_changed_certificate_is_rejected(shown, change):
    document = {**copy.deepcopy(certificate_of_guarantee(shown)), **change}
    with pytest.raises(BadCertificate):
        recheck_guarantee(document)
    with pytest.raises(BadCertificate):
        recheck_guarantee(redigested(document))


def test_only_the_kernel_makes_an_argument(shown):
    with pytest.raises(TypeError, match="only"):
        Argument(shown.promise, shown.route, (), (), ())
    with pytest.raises(TypeError, match="only"):
        Violation(shown.promise, {}, (), None, None)


@pytest.mark.parametrize(("promise", "route", "steps"), [
    # a share that delta does not have room for
    (TRUE["the losses add up"], Route("moments", share=Integer(1)), 3),
    # nothing shown
    (TRUE["the losses add up"], Route("linear"), 0),
    # a variance that something else depends on
    (TRUE["centred"], Route("moments", share=slack, size=eps, excess=deviation, bound=slack), 3),
    (TRUE["centred"], Route("moments", share=slack, size=k, excess=eps, bound=slack), 3),
    # the losses of a Gaussian have no sum
    (Promise(Gaussian(variance=1), Integer(1), Integer(9), Integer(0), where()), Route("linear"), 2),
    # parameters that no mechanism has, and a fold that is no number of times
    (Promise(AnyPrivate(eps, 2 * delta), k, k * eps, 2 * k * delta, where(*USUAL)), Route("linear"), 2),
    (Promise(AnyPrivate(eps - 1, delta), k, k * eps, k * delta, where(*USUAL)), Route("linear"), 2),
    (Promise(PAIR, k, k * eps, k * delta, where(*USUAL, integers=())), Route("linear"), 2),
    (Promise(PAIR, k / 2, k * eps, k * delta, where(*USUAL)), Route("linear"), 2),
])
def test_a_wrong_route_is_rejected(promise, route, steps):
    with pytest.raises(Rejected):
        argue(promise, route, [Step("enclosure")] * steps)


def test_an_end_is_left_out_only_where_epsilon_is_infinite():
    promise = Promise(PAIR, k, k * eps, k * delta, where(*USUAL))
    with pytest.raises(Rejected):
        argue(promise, Route("linear"), [Step("enclosure")] * 2, [delta])


@pytest.mark.parametrize("point", [
    {eps: Integer(-1), delta: Integer(0), k: Integer(1)},
    {eps: Integer(1), delta: Integer(0), k: Rational(1, 2)},
    {eps: sqrt(2), delta: Integer(0), k: Integer(1)},
    {eps: Integer(1), delta: Integer(0), k: Integer(10) ** 9},
])
def test_a_point_outside_is_no_violation(point):
    with pytest.raises(Rejected):
        violate(FALSE["half the losses"], point)


def divided():
    """Beyond eps = 1 the moments are not enough, and there the losses simply add up."""
    root = sqrt(2 * k * eps * log(1 / slack))
    return Promise(AnyPrivate(eps), k, k * eps * (exp(eps) - 1) + root, slack,
                   where("eps > 0", "k >= 1", "0 < slack <= 1"))


def test_a_domain_may_be_divided_and_each_half_is_shown():
    verdict = settle_promise(divided(), budget=30)
    assert verdict.status.value == "proved"
    shown = verdict.proof
    assert (shown.route.turn, shown.route.at) == (eps, 1)
    again = recheck_guarantee(json.loads(json.dumps(certificate_of_guarantee(shown, "divided"))))
    assert isinstance(again, Argument)
    steps = [p.step for p in shown.parts]
    for wrong in (
        {"at": Rational(1, 2)},  # there the losses do not add up yet
        {"at": Integer(3)},  # and up to there the moments are not enough
        {"at": Integer(0)},
        {"at": Integer(-1)},
        {"at": None},
        {"at": exp(1) / 2},
        {"turn": k},
        {"turn": delta},
        {"turn": None},
    ):
        with pytest.raises(Rejected):
            argue(divided(), replace(shown.route, **wrong), steps, shown.opened)
    with pytest.raises(Rejected, match="leaves"):
        argue(divided(), shown.route, steps[:-1], shown.opened)


def test_a_condition_on_the_sums_is_one_on_the_sequence():
    within = Promise(AnySequence(pure=True), Integer(1), eps, Integer(0),
                     where("eps > 0", "loss_sum > 0", "loss_sum <= eps"))
    assert settle_promise(within).status.value == "proved"
    one = {eps: Integer(1), loss_sum: Rational(1, 2)}
    with pytest.raises(Rejected):  # the losses of the sequence are 2, whatever the point says
        violate(within, one, ((Rational(2), Rational(0)),))
    beyond = Promise(AnySequence(pure=True), Integer(1), eps, Integer(0),
                     where("eps > 0", "loss_sum > 0", "loss_sum <= 2*eps"))
    assert settle_promise(beyond).status.value == "refuted"


ONE = Integer(1)
CONVERTED = (*USUAL[:2], "0 <= slack <= 1", "slack >= delta", "eps_total >= 0")


def test_one_step_converts_exactly_as_its_region_allows():
    def converted(condition, fold=ONE):
        domain = where(*CONVERTED, condition)
        return Promise(PAIR, fold, eps_total, slack, domain)

    printed = "(1 - delta)/(1 + exp(eps)) >= (1 - slack)/(1 + exp(eps_total))"
    assert settle_promise(converted(printed)).status.value == "proved"
    weaker = "(1 - delta)/(1 + exp(eps)) >= 0.5*(1 - slack)/(1 + exp(eps_total))"
    assert settle_promise(converted(weaker)).status.value == "refuted"
    twice = converted(printed, Integer(2))
    assert settle_promise(twice).status.value == "refuted"
    proof = settle_promise(converted(printed)).proof
    with pytest.raises(Rejected):  # the curve of one step is none of two
        argue(twice, proof.route, [p.step for p in proof.parts])
    with pytest.raises(Rejected):  # nor that of a weaker condition
        argue(converted(weaker), proof.route, [p.step for p in proof.parts])


def test_a_delta_beyond_one_promises_nothing_whatever_epsilon_is():
    domain = where("eps > 0", "delta > 0", "k >= 1")
    pure = AnyPrivate(eps, Integer(0))
    deviation = eps * sqrt(2 * k * log(1 / delta))
    verdict = settle_promise(Promise(pure, k, mean + deviation, delta, domain))
    assert verdict.status.value == "proved"
    assert any("promises nothing" in line for line in verdict.trust)
    assert recheck_guarantee(json.loads(json.dumps(verdict.proof.certificate(""))))
    # with half of delta, what lies beyond 1 is a promise still
    half = Promise(pure, k, mean + deviation, delta / 2, domain)
    assert settle_promise(half).status.value != "proved"
    with pytest.raises(Rejected, match="at least 1"):
        argue(half, Route("linear"), [], (), (delta,))


# --- concentrated losses ------------------------------------------------------------------------------

loss_mean = k * eps * (exp(eps) - 1) / (exp(eps) + 1)
CONCENTRATED = Promise(PAIR, k, loss_mean + 2 * sqrt(loss_mean * log(1 / slack)),
                       1 - (1 - delta) ** k * (1 - slack), where(*WITH_SLACK))


def test_twice_the_mean_takes_the_place_of_the_squares():
    shown = settle_promise(CONCENTRATED, budget=20).proof
    assert shown.route.concentrated
    assert "mgf-bound.sharper" in " ".join(shown.trust)
    document = json.loads(json.dumps(certificate_of_guarantee(shown)))
    assert recheck_guarantee(document).route == shown.route
    del document["route"]["concentrated"]  # without it, the squares are asked for
    with pytest.raises(BadCertificate):
        recheck_guarantee(document)


def test_less_than_twice_the_mean_is_not_enough():
    less = loss_mean + Rational(19, 10) * sqrt(loss_mean * log(1 / slack))
    point = {eps: Rational(1, 10**4), k: Integer(10**6), delta: Integer(0), slack: Rational(1, 10**800)}
    assert violate(replace(CONCENTRATED, epsilon=less), point).exact.lower > 0
    assert settle_promise(replace(CONCENTRATED, epsilon=less), budget=5).status.value != "proved"


def test_only_losses_of_randomised_responses_are_concentrated():
    noise = Promise(Gaussian(variance=1 / eps**2), k, CONCENTRATED.epsilon, slack, where(*WITH_SLACK))
    with pytest.raises(Rejected, match="randomised responses"):
        argue(noise, Route("moments", share=slack, concentrated=True), [])
