"""An end at which a formula has no value may be read as a limit, and nothing else may."""

import copy
import json
import pickle

import pytest

from symdp.auditing.formal import read_as_limit
from symdp.auditing.settling import settle
from symdp.bridge import goal_of
from symdp.domain import Domain
from symdp.kernel.certificate import BadCertificate, document_of, recheck
from symdp.kernel.goals import Goal
from symdp.kernel.proof import Proof, Rejected, Step, verify
from symdp.kernel.readings import Continued
from symdp.notation import x
from symdp.parsing import parse_conditions, parse_relation
from symdp.statement import Inequality, Source, Statement, real

BOOK = Source("book", "A book", "nobody2026book")


def reading(text, *conditions, at=0):
    """The goal with the end x = at read as a limit."""
    domain = Domain.of([r for c in conditions for r in parse_conditions(c)])
    return read_as_limit(goal_of(parse_relation(text), domain), parse_relation(f"x == {at}"))


def shown(text, *conditions, at=0):
    claim = Inequality("", "in the limit", parse_relation(text), limit_at=parse_relation(f"x == {at}"),
                       where=tuple(r for c in conditions for r in parse_conditions(c)))
    variables = dict.fromkeys(sorted(claim.relation.symbols, key=str), real)
    (stated,) = Statement(BOOK.lemma("1"), "A lemma", variables=variables, claims=(claim,)).claims
    verdict = settle(stated, budget=5)
    assert verdict, str(verdict)
    return verdict.formal


@pytest.mark.parametrize(("text", "conditions", "at"), [
    ("x*log(x) >= x - 1", ["0 <= x <= 1"], 0),
    ("min(1, 1/x) <= 1", ["x >= 0"], 0),  # a minimum with an entry that is infinite
    ("x*log(x) + y >= x - 1", ["0 <= x <= 1", "y >= 0"], 0),
    ("(1-x)*log(1-x) >= -x", ["0 <= x <= 1"], 1),
])
def test_what_holds_inside_holds_in_the_limit(text, conditions, at):
    found = shown(text, *conditions, at=at)
    assert isinstance(found.goal.claim, Continued)
    assert found.goal == reading(text, *conditions, at=at)
    assert f"read as its limit at x = {at}" in str(found.goal)
    assert "a formula without a value at an end is read as its limit there" in found.trust
    document = json.loads(json.dumps(document_of(found)))
    assert recheck(document).goal == found.goal
    assert pickle.loads(pickle.dumps(found)).goal == found.goal


@pytest.mark.parametrize(("text", "conditions", "at", "reason"), [
    # it has a value there, which is not the limit
    ("floor(x) <= 0", ["0 <= x <= 1"], 1, "limit|value|smooth"),
    ("floor(x) + log(1-x)*(1-x) <= 0", ["0 <= x <= 1"], 1, "limit"),
    ("floor(x) <= 1 + log(1-x)*(1-x)", ["0 <= x <= 1"], 1, "limit|value|smooth"),
    # a strict relation may be an equality in the limit
    ("x/x^2 > 0", ["x >= 0"], 0, "strict"),
    # no closed end
    ("x*log(x) >= x - 1", ["0 < x <= 1"], 0, "no closed end"),
    ("x*log(x) >= x - 1", ["0 <= x <= 1"], 2, "no closed end"),
    # the other points with x = 0 may have no neighbours in the domain
    ("x*log(x) >= -1", ["0 <= x <= 1", "0 <= y <= 1", "x >= y"], 0, "ties"),
    # no limit is known
    ("sin(1/x) <= 1", ["0 <= x <= 1"], 0, "limit"),
])
def test_anything_else_is_rejected(text, conditions, at, reason):
    with pytest.raises((Rejected, ArithmeticError), match=reason):
        verify(reading(text, *conditions, at=at), Step("continued", {}, (Step("enclosure"),)))


def test_a_side_that_has_a_value_at_the_end_stands_for_it():
    """x <= 1 on 0 <= x <= 1 is continuous at 0: read as a limit it says what it says anyway."""
    goal = reading("x <= 1", "0 <= x <= 1")
    assert isinstance(verify(goal, Step("continued", {}, (Step("enclosure"),))), Proof)


def test_a_reading_is_not_the_relation_itself():
    """No other rule takes x*log(x) at 0 for a number, and the reading is refuted by no point."""
    goal = reading("x*log(x) >= x - 1", "0 <= x <= 1")
    for step in (Step("enclosure"), Step("identity"), Step("assumption"), Step("contradiction")):
        with pytest.raises(Rejected):
            verify(goal, step)
    plain = Goal(goal.claim.sorts, goal.claim.hypotheses, goal.claim.relation)
    with pytest.raises(Rejected):
        verify(plain, Step("continued", {}, (Step("enclosure"),)))


def test_a_changed_certificate_is_rejected():
    document = json.loads(json.dumps(document_of(shown("x*log(x) >= x - 1", "0 <= x <= 1"))))
    assert document["goal"]["claim"]["is"] == "continued"
    one = document["terms"].index(["number", "1/1"])
    for change in ({"variable": "y"}, {"variable": 3}, {"at": one}, {"at": -1}, {"inside": {}}, {"inside": 3},
                   {"inside": {**document["goal"]["claim"]["inside"], "hypotheses": []}}):
        changed = copy.deepcopy(document)
        changed["goal"]["claim"].update(change)
        with pytest.raises(BadCertificate):
            recheck(changed)


def test_variables_that_do_not_reach_the_end_keep_their_values():
    found = shown("x*log(x) + y >= x - 1", "0 <= x <= 1", "y >= 0")
    assert {name for name, _ in found.goal.claim.sorts} == {str(x), "y"}
