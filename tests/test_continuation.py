"""An end at which a formula has no value may be read as a limit, and nothing else may."""

import copy
import json
import pickle

import pytest
from symdp.proving.certificate import BadCertificate
from symdp.proving.continuation import Continued, continued, without_end
from sympy import Integer

from symdp.auditing.rechecking import replayed
from symdp.domain import Domain
from symdp.notation import x, y
from symdp.parsing import parse_conditions, parse_relation
from symdp.proving.kernel import Goal, Rejected, Step
from symdp.proving.settling import settle_relation


def goal_of(text, *conditions):
    return Goal.of(parse_relation(text), Domain.of([r for c in conditions for r in parse_conditions(c)]))


def shown(text, *conditions, at=0):
    goal, at = goal_of(text, *conditions), Integer(at)
    verdict = settle_relation(parse_relation(text), without_end(goal.domain, x, at), budget=5)
    return continued(goal, x, at, verdict.proof.step)


@pytest.mark.parametrize(("text", "conditions", "at"), [
    ("x*log(x) >= x - 1", ["0 <= x <= 1"], 0),
    ("min(1, 1/x) <= 1", ["x >= 0"], 0),  # a minimum with an entry that is infinite
    ("x*log(x) + y >= x - 1", ["0 <= x <= 1", "y >= 0"], 0),
    ("(1-x)*log(1-x) >= -x", ["0 <= x <= 1"], 1),
])
def test_what_holds_inside_holds_in_the_limit(text, conditions, at):
    found = shown(text, *conditions, at=at)
    assert f"the formulas read as their limits at x = {at}" in found.trust
    document = json.loads(json.dumps(found.certificate("")))
    assert replayed(document).goal == found.goal
    assert pickle.loads(pickle.dumps(found)).goal == found.goal


@pytest.mark.parametrize(("text", "conditions", "at", "reason"), [
    # it has a value there, which is not the limit
    ("floor(x) <= 0", ["0 <= x <= 1"], 1, "may have values"),
    ("x <= 1", ["0 <= x <= 1"], 0, "may have values"),
    ("floor(x) + log(1-x)*(1-x) <= 0", ["0 <= x <= 1"], 1, "inserted|limit"),
    ("floor(x) <= 1 + log(1-x)*(1-x)", ["0 <= x <= 1"], 1, "inserted|limit"),
    # a strict relation may be an equality in the limit
    ("x/x^2 > 0", ["x >= 0"], 0, "strict"),
    # no closed end
    ("x*log(x) >= x - 1", ["0 < x <= 1"], 0, "no closed end"),
    ("x*log(x) >= x - 1", ["0 <= x <= 1"], 2, "no closed end"),
    # the other points with x = 0 may have no neighbours in the domain
    ("x*log(x) >= -1", ["0 <= x <= 1", "0 <= y <= 1", "x >= y"], 0, "condition"),
    # no limit is known
    ("sin(1/x) <= 1", ["0 <= x <= 1"], 0, "limit"),
])
def test_anything_else_is_rejected(text, conditions, at, reason):
    with pytest.raises(Rejected, match=reason):
        continued(goal_of(text, *conditions), x, Integer(at), Step("enclosure"))


def test_only_the_rule_makes_one():
    with pytest.raises(TypeError, match="only"):
        Continued(goal_of("x*log(x) >= x - 1", "0 <= x <= 1"), x, Integer(0), None)


def test_a_changed_certificate_is_rejected():
    document = shown("x*log(x) >= x - 1", "0 <= x <= 1").certificate("")
    for change in ({"end": {"variable": "y", "at": "0"}}, {"end": {"variable": "x", "at": "1"}},
                   {"end": 3}, {"inside": {}}, {"inside": {**document["inside"], "claim": "x >= 5"}}):
        with pytest.raises(BadCertificate):
            replayed({**copy.deepcopy(document), **change})


def test_variables_that_do_not_reach_the_end_keep_their_values():
    found = shown("x*log(x) + y >= x - 1", "0 <= x <= 1", "y >= 0")
    assert set(found.goal.domain.variables) == {x, y}
