"""The library of lemmas: each is proved when it is first used, and one that is not is of no use."""

import copy

import pytest

from symdp.kernel import lemmas
from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import RULES, Proof, Rejected, Step, rule, verify
from symdp.kernel.terms import ONE, apply, number, variable

x = variable("x")
TANGENT = Goal((("x", REAL),), (), Relation(x + ONE, "<=", apply("exp", x)))
BY_LEMMA = Step("lemma", {"name": "exp-tangent", "at": {"z": x}}, (Step("assumption"),))


@pytest.fixture
def library(monkeypatch):
    """The library in a copy that a test may spoil."""
    changed = copy.deepcopy(lemmas.documents())
    monkeypatch.setattr(lemmas, "documents", lambda: changed)
    lemmas.proved.cache_clear()
    yield changed
    lemmas.proved.cache_clear()


def test_every_lemma_of_the_library_is_proved():
    for name in lemmas.documents():
        assert isinstance(lemmas.proved(name), Proof)


def test_a_lemma_is_used_at_a_value():
    assert verify(TANGENT, BY_LEMMA).rules == {"lemma", "assumption"}
    with pytest.raises(Rejected, match="there is no lemma called 'wishful'"):
        verify(TANGENT, Step("lemma", {"name": "wishful", "at": {"z": x}}, (Step("assumption"),)))


def test_a_lemma_whose_proof_does_not_hold_is_refused(library):
    library["exp-tangent"]["steps"] = [["enclosure", {}, []]]
    with pytest.raises(Rejected, match="the lemma 'exp-tangent' is not proved: "):
        verify(TANGENT, BY_LEMMA)


def test_a_lemma_that_uses_itself_is_refused(library):
    place = len(library["exp-tangent"]["terms"])
    library["exp-tangent"]["terms"] = [*library["exp-tangent"]["terms"], ["variable", "z"]]
    library["exp-tangent"]["steps"] = [
        ["assumption", {}, []],
        ["lemma", {"name": "exp-tangent", "at": {"map": [["z", {"term": place}]]}}, [0]]]
    with pytest.raises(Rejected, match="the lemma 'exp-tangent' is not proved: "):
        verify(TANGENT, BY_LEMMA)


def test_a_counterexample_is_no_lemma(library):
    """1 <= z for every real z, with 0 as a witness against it."""
    from flint import fmpq

    from symdp.kernel.values.points import Point
    from symdp.kernel.witness import refute
    from symdp.search.certificates import document_of

    z = variable("z")
    false = Goal((("z", REAL),), (), Relation(ONE, "<=", z))
    library["exp-tangent"] = document_of(refute(false, Point({"z": fmpq(0)})), "exp-tangent")
    goal = Goal((("x", REAL),), (), Relation(ONE, "<=", x ** number(2)))
    with pytest.raises(Rejected, match=r"the lemma 'exp-tangent' is not proved$"):
        verify(goal, Step("lemma", {"name": "exp-tangent", "at": {"z": x ** number(2)}}, (Step("assumption"),)))


def test_a_name_stands_for_one_rule():
    def enclosure(goal, parameters):
        return []

    kept = RULES["enclosure"]
    with pytest.raises(ValueError, match="there are two rules called 'enclosure'"):
        rule()(enclosure)
    assert RULES["enclosure"] is kept
