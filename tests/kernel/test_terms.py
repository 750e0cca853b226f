"""Terms are made by their constructors alone, which refuse what would be no term; what is shown is what it is."""

import pickle
import sys

import pytest

from symdp.kernel.goals import REAL, Each, Goal, IllFormed, Relation
from symdp.kernel.proof import Rejected, Step, verify
from symdp.kernel.terms import (
    ONE,
    ZERO,
    apply,
    binder,
    bound,
    constant,
    member,
    number,
    replace_part,
    substitute,
    substitute_family,
    sum_over,
    variable,
)

x, y, k = variable("x"), variable("y"), variable("k")


@pytest.mark.parametrize(("make", "why"), [
    (lambda: constant("tau"), "'tau' is no constant"),
    (lambda: binder("max", ONE, k, bound(0)), "'max' binds nothing"),
    (lambda: apply("log", x, y), "log does not take 2 arguments"),
    (lambda: apply("min"), "min does not take 0 arguments"),
    (lambda: apply("+", x), r"\+ does not take 1 arguments"),
    (lambda: apply("/", x, y, x), "/ does not take 3 arguments"),
])
def test_what_would_be_no_term_is_not_made(make, why):
    with pytest.raises(ValueError, match=why):
        make()


def test_an_index_of_a_sum_around_it_is_not_carried_into_a_term():
    with pytest.raises(ValueError, match="refers to an index of a sum around it"):
        substitute(x + y, {"x": bound(0)})
    with pytest.raises(ValueError, match="refers to an index of a sum around it"):
        substitute_family(member("a", k), "a", bound(0) + bound(1))
    for part, by in ((bound(0), x), (x, bound(0))):
        with pytest.raises(ValueError, match="refers to an index around it is not replaced"):
            replace_part(sum_over("i", ONE, k, x * variable("i")), part, by)
    assert substitute_family(member("a", k), "a", bound(0) + x) is k + x
    assert replace_part(sum_over("i", ONE, k, x), x, y) is sum_over("i", ONE, k, y)


def test_equal_terms_are_one_object_on_the_other_side_of_a_pickle():
    for t in (number(-3, 7), sum_over("i", ONE, k, member("a", variable("i")) / x)):
        assert pickle.loads(pickle.dumps(t)) is t


def test_of_a_term_that_would_fill_the_screen_only_its_size_is_shown():
    large = x
    for _ in range(17):
        large = large + large
    assert str(large) == "<262143 nodes>"
    assert str(-x) == "-x"


def test_a_bound_of_a_statement_about_every_integer_uses_no_index_from_outside():
    loose = Each(bound(0), k, Relation(ZERO, "<=", ONE))
    with pytest.raises(IllFormed, match="an index is used outside of its sum"):
        Goal((("k", "integer"),), (), loose)
    Goal((("k", "integer"),), (), Each(ONE, k, loose))  # here it is the integer of the statement around it


def test_facts_are_hypotheses_and_what_is_to_be_proved_has_none():
    known = Relation(ZERO, "<=", x)
    with pytest.raises(IllFormed, match="a fact is not among the hypotheses"):
        Goal((("x", REAL),), (), known, facts=frozenset([known]))
    pretended = Goal((("x", REAL),), (known,), known, facts=frozenset([known]))
    with pytest.raises(Rejected, match="comes without facts"):
        verify(pretended, Step("assumption"))
    assert verify(Goal((("x", REAL),), (known,), known), Step("assumption"))


def test_a_term_that_is_nested_too_deeply_is_refused_by_the_rule_that_walks_through_it():
    form = variable("s")
    for _ in range(2 * sys.getrecursionlimit()):
        form = -form
    goal = Goal((("x", REAL),), (), Relation(ZERO, "<=", x))
    with pytest.raises(Rejected, match="replace: a term is nested too deeply"):
        verify(goal, Step("replace", {"name": "s", "form": Relation(ZERO, "<=", form), "part": x, "by": x}))
