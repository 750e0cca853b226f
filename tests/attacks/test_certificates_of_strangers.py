"""Certificates that are small and mean to explode, that show something else, or that are read in another order."""

import gc
import json
import time

import pytest
from products import product_over

from symdp.kernel.certificate import BadCertificate, digest_of, recheck
from symdp.kernel.goals import INTEGER, REAL, Each, Goal, IllFormed, Relation
from symdp.kernel.proof import Step, verify
from symdp.kernel.terms import (
    ONE,
    ZERO,
    binder,
    bound,
    member,
    number,
    sum_over,
    variable,
)
from symdp.search.certificates import document_of

ASSUMED = [["assumption", {}, []]]


def document(rows, left, right, sort="real", families=()):
    claim = {"is": "relation", "left": left, "op": "<=", "right": right}
    goal = {"variables": [["x", sort]], "families": list(families), "hypotheses": [claim], "claim": claim}
    return {"format": 4, "name": "", "statement": "x <= x", "digest": "", "terms": rows, "goal": goal,
            "steps": ASSUMED}


def doubling(times, head="+"):
    """x + x, the sum of that and itself, and so on: few rows, more nodes than anybody can count."""
    return [["variable", "x"], *([head, i, i] for i in range(times))]


def many_names():
    """A thousand names in each of very many terms."""
    names = [["variable", f"v{i}"] for i in range(1000)]
    total = [["+", *range(1000)]]
    return [*names, *total, *(["+", 1000, i, j] for i in range(40) for j in range(1000))]


HOSTILE = {
    "the text of a term": document(doubling(100), 100, 100),
    "an index": document([*doubling(100), ["member", "a", 100]], 101, 101, "integer", [["a", "real"]]),
    "products": document(doubling(100, "*"), 100, 100),
    "powers": document(doubling(100, "^"), 100, 100),
    "names": document(many_names(), 0, 0),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_explodes_is_refused_at_once(name):
    start = time.process_time()
    with pytest.raises(BadCertificate):
        recheck(HOSTILE[name])
    assert time.process_time() - start < 5


def test_a_reason_that_would_not_fit_anywhere_is_short():
    x, y = variable("x"), variable("y")
    for _ in range(100):
        x, y = x + x, y + y
    with pytest.raises(IllFormed) as reason:
        Goal((("x", REAL), ("y", REAL)), (), Relation(x, "==", y))
    assert len(str(reason.value)) < 10_000


def again(proof):
    return json.loads(json.dumps(document_of(proof)))


def test_a_certificate_is_accepted_whatever_else_was_read_before():
    """Equal terms are one object, so the name that one of them gave to its index must not show in the text."""
    k = variable("k")

    def proof(index):
        small = Relation(sum_over(index, ONE, k, k), "<=", ONE)
        return verify(Goal((("k", INTEGER),), (small,), small), Step("assumption"))

    written = again(proof("l"))
    gc.collect()
    other = proof("j")
    assert recheck(written).goal == other.goal


def test_what_is_said_of_every_member_survives_the_way_to_a_file():
    k = variable("k")
    each = Each(ONE, k, Relation(member("a", bound(0)), "<=", ZERO), "l")
    goal = Goal((("k", INTEGER),), (each,), each, (("a", REAL),))
    assert recheck(again(verify(goal, Step("assumption")))).goal == goal


@pytest.mark.parametrize("hint", ["i", "sum", "product"])
def test_the_digest_tells_a_sum_from_a_product(hint):
    k = variable("k")
    bodies = [binder(head, ONE, k, number(7), hint) for head in ("sum", "product")]
    digests = {digest_of(Goal((("k", INTEGER),), (), Relation(t, "<=", ONE))) for t in bodies}
    assert len(digests) == 2


@pytest.mark.parametrize("hint", ["sum", "product", "k"])
def test_the_digest_does_not_see_the_name_of_an_index(hint):
    k = variable("k")
    plain, named = (digest_of(Goal((("k", INTEGER),), (), Relation(product_over(n, ONE, k, number(5)), "<=", ONE)))
                    for n in ("i", hint))
    assert plain == named


def closed(claim):
    """A certificate of a statement that brings its variables with it; each must be refused before it is shown."""
    goal = {"variables": [], "families": [], "hypotheses": [claim], "claim": claim}
    return {"format": 4, "name": "", "statement": "", "digest": "", "terms": [["variable", "x"], ["number", "0/1"]],
            "goal": goal, "steps": ASSUMED}


X_IS_X = {"is": "relation", "left": 0, "op": "<=", "right": 0}
ORDER = {"is": "order", "left": 0, "kind": "O", "right": 0, "moving": [["x", None]], "fixed": [],
         "sorts": [["x", "real"]], "hypotheses": []}
READING = {"is": "continued", "relation": X_IS_X, "variable": "x", "at": 1, "sorts": [["x", "real"]],
           "hypotheses": []}
INSIDE = {"variables": [["x", "real"]], "families": [], "hypotheses": [], "claim": X_IS_X}
FAILING = {"is": "failsfor", "goal": INSIDE, "parameters": ["x"], "conditions": []}
ANY = {"is": "anyprivate", "epsilon": 1, "delta": 1}
GUARANTEE = {"is": "private", "subject": ANY, "fold": 1, "epsilon": 1, "delta": 1, "ends": []}
PLAIN = [ORDER, READING, FAILING, GUARANTEE, {"is": "fails", "order": ORDER}]


@pytest.mark.parametrize("claim", PLAIN, ids=lambda c: c["is"])
def test_what_is_well_formed_is_read(claim):
    with pytest.raises(BadCertificate, match="the statement"):  # all that is wrong is what it is said to be
        recheck(closed(claim))


@pytest.mark.parametrize("claim", [
    {**ORDER, "fixed": "x"}, {**ORDER, "fixed": [0]}, {**ORDER, "moving": [["x"]]},
    {**ORDER, "moving": [["x", "oo"]]},
    {**ORDER, "moving": {"x": None}}, {**ORDER, "sorts": [["x", "real", "real"]]}, {**ORDER, "sorts": [["x", 0]]},
    {**ORDER, "sorts": [["x y", "real"]]}, {**ORDER, "sorts": [["pi", "real"]]}, {**ORDER, "hypotheses": [ORDER]},
    {**ORDER, "hypotheses": X_IS_X}, {**ORDER, "left": None}, {**ORDER, "left": X_IS_X}, {**ORDER, "kind": "<="},
    {**ORDER, "more": 0}, {k: v for k, v in ORDER.items() if k != "fixed"}, {**ORDER, "is": "closed"},
    {**ORDER, "is": "formula"}, {**ORDER, "is": ["order"]}, {"is": "fails", "order": X_IS_X},
    {**READING, "relation": ORDER}, {**READING, "at": None}, {**READING, "variable": 0},
    {**FAILING, "goal": X_IS_X}, {**FAILING, "conditions": [FAILING]}, {**FAILING, "parameters": "x"},
    {**GUARANTEE, "subject": X_IS_X}, {**GUARANTEE, "subject": {**ANY, "is": "subject"}},
    {**GUARANTEE, "ends": [[1, 1]]}, {**GUARANTEE, "subject": 0},
    {**GUARANTEE, "subject": {**ANY, "epsilon": X_IS_X}},
    {"is": "each", "low": 1, "high": 1, "body": GUARANTEE}, ANY,
], ids=lambda c: str(c)[:60])
def test_a_formula_whose_fields_hold_something_else_is_refused(claim):
    with pytest.raises(BadCertificate) as reason:
        recheck(closed(claim))
    assert "the statement" not in str(reason.value)
