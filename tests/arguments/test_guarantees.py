"""Guarantees are settled against the exact worst case, and only by the kernel."""

import json
import pickle
from dataclasses import replace

import pytest
from campaign import heavy, in_full
from sympy import E, Integer, Rational, exp, log, sqrt, tanh

from symdp.arguments.guarantees import search, violations
from symdp.arguments.guarantees.findings import violate
from symdp.arguments.guarantees.kernel_goals import formal
from symdp.arguments.guarantees.search import GuaranteeSearch as Search
from symdp.arguments.guarantees.search import decide_guarantee
from symdp.audit.settling.formal_goals import formal_goal
from symdp.formulas.notation import delta, eps, eps_total, k, slack, symbol
from symdp.formulas.parsing import parse_conditions
from symdp.kernel.certificate import BadCertificate, recheck
from symdp.kernel.proof import RULES, Proof, Rejected
from symdp.kernel.rules.privacy import Private
from symdp.kernel.terms import number, replace_part, variable
from symdp.kernel.witness import Witness
from symdp.numbers.domain import Domain
from symdp.privacy.johnson_lindenstrauss.two_variances import TwoVariances
from symdp.privacy.mechanisms.every import Gaussian, Laplace
from symdp.search.certificates import document_of
from symdp.search.deadline import clock
from symdp.search.elaboration.steps_for_goals import show
from symdp.search.memories import remembering
from symdp.search.outcomes import beyond_a_cut
from symdp.search.verdict import Status
from symdp.sources.registry import claim
from symdp.sources.statement import Guarantee
from symdp.sources.subject import (
    AnyPrivate,
    AnySequence,
    loss_sum,
    mean_sum,
    square_sum,
    survival,
)


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
    "the losses add up": Guarantee.of(PAIR, k, k * eps, k * delta, where(*USUAL)),
    "a delta of one": Guarantee.of(PAIR, k, Integer(0), Integer(1), where(*USUAL)),
    "centred": Guarantee.of(PAIR, k, k * eps * (exp(eps) - 1) / (exp(eps) + 1) + deviation,
                       1 - survives * (1 - slack), where(*WITH_SLACK)),
    "half the squares": Guarantee.of(PAIR, k, k * eps**2 / 2 + deviation, k * delta + slack,
                                where(*WITH_SLACK)),
    "a sequence": Guarantee.of(AnySequence(pure=True), Integer(1),
                          square_sum / 2 + sqrt(2 * log(1 / slack) * square_sum), slack,
                          where("0 < slack <= 1")),
    "a sequence with deltas": Guarantee.of(AnySequence(), Integer(1), loss_sum, 1 - survival, where()),
    "one Laplace": Guarantee.of(Laplace(scale=1 / eps), Integer(1), eps, Integer(0), where("eps > 0")),
    "many Laplace": Guarantee.of(Laplace(scale=k / eps), k, eps, Integer(0), where("eps > 0", "k >= 1")),
}
FALSE = {
    "half the losses": Guarantee.of(PAIR, k, k * eps / 2, k * delta, where(*USUAL)),
    "no deviation": Guarantee.of(PAIR, k, k * eps * (exp(eps) - 1) / (exp(eps) + 1),
                            1 - survives * (1 - slack), where(*WITH_SLACK)),
    "a forgotten delta": Guarantee.of(PAIR, k, k * eps, delta, where(*USUAL)),
    "a forgotten epsilon": Guarantee.of(PAIR, k, k, k * delta, where(*USUAL)),
    "a root too few": Guarantee.of(PAIR, k, eps * sqrt(2 * log(1 / slack)) + k * eps**2 / 2,
                              k * delta + slack, where(*WITH_SLACK)),
    "a sequence's mean": Guarantee.of(AnySequence(pure=True), Integer(1), mean_sum, slack,
                                 where("0 < slack <= 1")),
    "one Gaussian": Guarantee.of(Gaussian(variance=1 / eps**2), Integer(1), eps, delta,
                            where("eps > 0", "0 < delta <= 1")),
    "Laplace with half the noise": Guarantee.of(Laplace(scale=1 / (2 * eps)), Integer(1), eps, Integer(0),
                                           where("eps > 0")),
    "many Laplace with half the noise": Guarantee.of(Laplace(scale=k / (2 * eps)), k, eps, Integer(0),
                                                where("eps > 0", "k >= 2")),
}


#: Those that take long
LONG = ("half the squares", "many Laplace")


@pytest.mark.long
@pytest.mark.parametrize("name", [heavy(name) if name in LONG else name for name in TRUE])
def test_what_holds_is_proved(name):
    verdict = decide_guarantee(TRUE[name], budget=30)
    assert verdict.status.value == "proved", str(verdict)
    assert isinstance(verdict.formal, Proof)
    assert verdict.formal.goal == formal(TRUE[name])
    assert isinstance(verdict.formal.goal.claim, Private)


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_is_refuted_at_a_point(name):
    verdict = decide_guarantee(FALSE[name], budget=20)
    assert verdict.status.value == "refuted", str(verdict)
    assert isinstance(verdict.formal, Witness)
    assert verdict.formal.left.lo > verdict.formal.right.hi
    assert verdict.witness.exact.lower > verdict.witness.claimed.upper


@pytest.mark.long
def test_the_simplified_theorem_for_every_k():
    log_deviation = eps * sqrt(2 * k * log(E + sqrt(k * eps**2) / slack))
    centre = k * eps * (exp(eps) - 1) / (exp(eps) + 1)
    total = 1 - survives * (1 - slack)
    verdict = decide_guarantee(Guarantee.of(PAIR, k, centre + log_deviation, total, where(*WITH_SLACK)),
                             budget=40)
    assert verdict, str(verdict)


@pytest.fixture(scope="module")
def shown():
    return decide_guarantee(TRUE["the losses add up"], budget=20).formal


def test_certificates_are_accepted_again(shown):
    document = json.loads(json.dumps(document_of(shown, "mine")))
    assert recheck(document).goal == shown.goal
    assert pickle.loads(pickle.dumps(shown)).goal == shown.goal
    broken = decide_guarantee(FALSE["a forgotten delta"], budget=10).formal
    document = json.loads(json.dumps(document_of(broken)))
    assert recheck(document).point == broken.point


@pytest.mark.parametrize("other", [
    FALSE["half the losses"], FALSE["a forgotten delta"],
    Guarantee.of(PAIR, k, k * eps, k * delta, where("0 <= delta <= 2", *USUAL[::2])),
    Guarantee.of(AnyPrivate(2 * eps, delta), k, k * eps, k * delta, where(*USUAL)),
    Guarantee.of(PAIR, k + 1, k * eps, k * delta, where(*USUAL)),
], ids=["epsilon", "delta", "domain", "subject", "fold"])
def test_the_steps_of_one_guarantee_do_not_serve_another(shown, other):
    from symdp.kernel.proof import verify

    with pytest.raises(Rejected):
        verify(formal(other), shown.step)
    document = document_of(shown)
    with pytest.raises(BadCertificate):
        recheck({**document, "goal": document_of(verify(shown.goal, shown.step))["goal"],
                 "statement": str(formal(other))})


@pytest.mark.parametrize("point", [
    {eps: Integer(-1), delta: Integer(0), k: Integer(1)},
    {eps: Integer(1), delta: Integer(0), k: Rational(1, 2)},
    {eps: sqrt(2), delta: Integer(0), k: Integer(1)},
    {eps: Integer(1), delta: Integer(0), k: Integer(10) ** 12},
    {eps: Integer(1), delta: Integer(0)},
])
def test_a_point_outside_is_no_violation(point):
    with pytest.raises(Rejected):
        violate(FALSE["half the losses"], point)


def divided():
    """Beyond eps = 1 the moments are not enough, and there the losses simply add up."""
    root = sqrt(2 * k * eps * log(1 / slack))
    return Guarantee.of(AnyPrivate(eps), k, k * eps * (exp(eps) - 1) + root, slack,
                   where("eps > 0", "k >= 1", "0 < slack <= 1"))


@in_full
def test_a_domain_may_be_divided_and_each_half_is_shown():
    verdict = decide_guarantee(divided(), budget=40)
    assert verdict.status.value == "proved", str(verdict)
    assert {"cases", "linear", "moments"} <= verdict.formal.rules


def test_a_condition_on_the_sums_is_one_on_the_sequence():
    within = Guarantee.of(AnySequence(pure=True), Integer(1), eps, Integer(0),
                     where("eps > 0", "loss_sum > 0", "loss_sum <= eps"))
    assert decide_guarantee(within).status.value == "proved"
    one = {eps: Integer(1), loss_sum: Rational(1, 2)}
    with pytest.raises(Rejected):  # the losses of the sequence are 2, whatever the point says
        violate(within, one, ((Rational(2), Rational(0)),))
    beyond = Guarantee.of(AnySequence(pure=True), Integer(1), eps, Integer(0),
                     where("eps > 0", "loss_sum > 0", "loss_sum <= 2*eps"))
    assert decide_guarantee(beyond).status.value == "refuted"


ONE = Integer(1)
CONVERTED = (*USUAL[:2], "0 <= slack <= 1", "slack >= delta", "eps_total >= 0")


def test_one_step_converts_exactly_as_its_region_allows():
    def converted(condition, fold=ONE):
        domain = where(*CONVERTED, condition)
        return Guarantee.of(PAIR, fold, eps_total, slack, domain)

    printed = "(1 - delta)/(1 + exp(eps)) >= (1 - slack)/(1 + exp(eps_total))"
    assert decide_guarantee(converted(printed)).status.value == "proved"
    weaker = "(1 - delta)/(1 + exp(eps)) >= 0.5*(1 - slack)/(1 + exp(eps_total))"
    assert decide_guarantee(converted(weaker)).status.value == "refuted"
    assert decide_guarantee(converted(printed, Integer(2))).status.value == "refuted"


def test_a_delta_beyond_one_promises_nothing_whatever_epsilon_is():
    domain = where("eps > 0", "delta > 0", "k >= 1")
    pure = AnyPrivate(eps, Integer(0))
    centre = k * eps * (exp(eps) - 1) / (exp(eps) + 1)
    deviation = eps * sqrt(2 * k * log(1 / delta))
    verdict = decide_guarantee(Guarantee.of(pure, k, centre + deviation, delta, domain))
    assert verdict.status.value == "proved", str(verdict)
    assert any("promises nothing" in line for line in verdict.trust.lines)
    # with half of delta, what lies beyond 1 is a promise still
    half = Guarantee.of(pure, k, mean + deviation, delta / 2, domain)
    assert decide_guarantee(half, budget=5).status.value != "proved"


@pytest.mark.long
def test_a_closed_end_is_read_as_a_limit_and_the_statement_says_so():
    domain = where("eps > 0", "0 <= delta <= 1", "k >= 1", "0 <= slack <= 1")
    centre = k * eps * (exp(eps) - 1) / (exp(eps) + 1)
    promise = Guarantee.of(PAIR, k, centre + deviation, 1 - survives * (1 - slack), domain)
    verdict = decide_guarantee(promise, budget=30)
    assert verdict.status.value == "proved", str(verdict)
    assert "read as infinity at slack = 0" in str(verdict.formal.goal)
    assert any(line.startswith("reading") for line in verdict.trust.lines)


# --- concentrated losses ------------------------------------------------------------------------------

loss_mean = k * eps * (exp(eps) - 1) / (exp(eps) + 1)
CONCENTRATED = Guarantee.of(PAIR, k, loss_mean + 2 * sqrt(loss_mean * log(1 / slack)),
                       1 - (1 - delta) ** k * (1 - slack), where(*WITH_SLACK))


@pytest.mark.long
def test_twice_the_mean_takes_the_place_of_the_squares():
    shown = decide_guarantee(CONCENTRATED, budget=30)
    assert shown.status.value == "proved", str(shown)
    assert "concentrated" in shown.formal.rules
    assert "mgf-bound.sharper" in " ".join(shown.trust.lines)


def test_less_than_twice_the_mean_is_not_enough():
    less = loss_mean + Rational(19, 10) * sqrt(loss_mean * log(1 / slack))
    point = {eps: Rational(1, 10**4), k: Integer(10**6), delta: Integer(0), slack: Rational(1, 10**800)}
    assert violate(replace(CONCENTRATED, epsilon=less), point).exact.lower > 0
    assert decide_guarantee(replace(CONCENTRATED, epsilon=less), budget=5).status.value != "proved"


# --- names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [("square_sum", "eps_total", "survival"), ("l", "j", "s"), ("m", "r", "p")])
def test_names_of_our_own_symbols_are_names_like_others(names):
    """Once: a variable called eps_total or square_sum was taken for ours, and false guarantees went through."""
    e, d, n = (symbol(name) for name in names)
    domain = where(f"{e} > 0", f"0 <= {d} <= 1", f"{n} >= 1", integers=(n,))
    subject = AnyPrivate(e, d)
    assert decide_guarantee(Guarantee.of(subject, n, n * e, n * d, domain)).status.value == "proved"
    assert decide_guarantee(Guarantee.of(subject, n, n * e / 2, n * d, domain)).status.value == "refuted"
    assert decide_guarantee(Guarantee.of(subject, n, n * e, d, domain)).status.value == "refuted"


# --- routes of their own: a sum over outcomes, two variances, calibrated steps ------------------------


@pytest.mark.long
@pytest.mark.parametrize("id", ["kov/thm-3.3.guarantee", "kov/lem-1.privacy.two-variances",
                                "kov/lem-1.privacy.sharper"])
def test_the_theorem_is_proved_by_a_route(id):
    verdict = decide_guarantee(claim(id), budget=20)
    assert verdict.status is Status.PROVED, verdict.method
    assert verdict.formal.goal == formal_goal(claim(id))
    assert isinstance(recheck(document_of(verdict.formal, id)), Proof)


def test_a_row_with_too_little_noise_is_not_private():
    one = claim("kov/lem-1.privacy.two-variances")
    for spread in (10, 1 / one.delta):
        assert decide_guarantee(replace(one, subject=TwoVariances(1 + spread * one.epsilon))).status is Status.REFUTED


def test_nothing_is_proposed_where_an_outcome_beyond_the_cut_still_gains():
    goal = formal_goal(claim("kov/thm-3.3.guarantee"))
    whole = RULES["worst-case"](goal, {})[-1]
    end = variable("i") - number(1)
    for other in (end, end - number(1), end + number(2)):  # but for the first, the cut is not where the gain ends
        moved = whole.claiming(whole.claim.map(lambda t, other=other: replace_part(t, end, other)))
        assert (beyond_a_cut(moved, 2.0) is None) == (other is not end)


# --- first a look at every route ------------------------------------------------------------------


def test_every_route_is_looked_at_before_one_of_them_is_sought_for_long(monkeypatch):
    """The moments over the whole domain lead nowhere, and took most of the time before the domain was divided."""
    budgets = []
    monkeypatch.setattr(search, "show", lambda goal, budget: budgets.append(budget) or show(goal, budget))
    verdict = decide_guarantee(divided(), budget=20)
    assert verdict.status is Status.PROVED
    assert {"cases", "linear", "moments"} <= verdict.formal.rules
    assert max(budgets) <= search.LOOKS[0][0]


def test_a_glance_is_short_and_what_is_false_is_not_shown_by_it(monkeypatch):
    made = []
    monkeypatch.setattr(search, "GuaranteeSearch", lambda *given, **more: made.append(more) or Search(*given, **more))
    assert decide_guarantee(FALSE["a forgotten delta"], refute=False, glance=True).status is Status.UNDECIDED
    assert made[1:] == [{"most": most} for most, _ in search.GLANCES]


def test_the_simplest_points_come_first_and_are_looked_at_once(monkeypatch):
    seen = []

    def rejecting(goal, point):
        seen.append(tuple(point.values.values()))
        raise Rejected("not here")

    monkeypatch.setattr(violations, "refute", rejecting)
    goal = formal(TRUE["the losses add up"])
    with remembering():
        for simplest in (True, True, False, False):
            assert violations.find_violation(goal, clock() + 60, simplest=simplest) is None
            if simplest:
                assert len(seen) == violations.FIRST
    assert len(seen) > violations.FIRST
    assert len(seen) == len(list(violations._points(goal, goal.claim)))
