"""Parameters from strangers: whatever they are, a rule rejects them with one line, and soon."""

from __future__ import annotations

import pytest
from flint import arb, fmpq

from symdp.kernel.goals import Each, Goal, IllFormed, Relation
from symdp.kernel.proof import RULES, Proof, Rejected, Step, verify
from symdp.kernel.rules import every_rule
from symdp.kernel.rules.privacy import AnyPrivate, Private
from symdp.kernel.terms import ONE, ZERO, apply, bound, member, number, sum_over, variable
from symdp.kernel.values.points import Point
from symdp.kernel.witness import Witness, refute

assert every_rule  # which registers them
x, y, k = variable("x"), variable("y"), variable("k")
SORTS = (("x", "real"), ("y", "real"), ("k", "integer"))
BOX = (Relation(ZERO, "<=", x), Relation(x, "<=", ONE), Relation(ZERO, "<=", y), Relation(y, "<=", ONE),
       Relation(ONE, "<=", k), Each(ONE, k, Relation(ZERO, "<", member("a", bound(0)))))
TOTAL = sum_over("i", ONE, k, member("a", variable("i")))
#: False, each of them, and of the kinds that rules look for.
FALSE = [
    Goal(SORTS, BOX, claim, (("a", "real"),))
    for claim in (
        Relation(apply("max", x, y), "<=", apply("min", x, y)),
        Relation(x, "<", x),
        Relation(x, "==", y),
        Relation(ONE, "<=", TOTAL),
        Each(ONE, k, Relation(ONE, "<=", member("a", bound(0)))),
        Private(AnyPrivate(ONE, ZERO), k, ZERO, ZERO),
    )
]
LOOP: list[object] = []
LOOP.append(LOOP)
#: Nothing that a rule could want, or nearly that: a variable that is not there, an index of no sum, text.
GARBAGE: list[object] = [
    None, "x", "", "\0", 0.5, 10**400, -1, True, b"x", arb(1), fmpq(1, 2), [], (), {}, LOOP, [None], [[]], [[x]],
    [["x", "real"]], {"x": 1}, {"x": x}, object(), len, x, variable("w"), bound(0), bound(7), member("b", k),
    member("a", x), apply("log", x - ONE), ONE / (x - x), number(10) ** number(10**9), Relation(ONE, "<=", ZERO),
    Relation(ONE / ZERO, "<=", ONE), FALSE[0].claim, FALSE[0], Each(None, None, Relation(ZERO, "<=", bound(0))),
    Step("assumption"),
]
NAMES = (
    "variable", "at", "node", "entry", "new", "forward", "inverse", "where", "fact", "middle", "name", "terms",
    "function", "lower", "upper", "images", "factor", "end", "weight", "core", "positive", "bits", "gap", "slope",
    "bend", "cuts", "cases", "hypotheses", "hypothesis", "variables", "families", "real", "sorts", "given", "claim",
    "id", "goal", "parts", "left", "right", "law", "index", "low", "high", "body", "family", "term", "order",
    "limit_lower", "limit_upper", "strict_slope", "strict_bend", "strict_first", "reverse", "kind", "epsilon",
    "form", "part", "by", "delta", "lam", "subject", "mean", "variance", "tail", "step", "values", "split",
)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_garbage_for_parameters_is_rejected(rule):
    """A rule may leave goals open; a proof of something false it is not."""
    for goal in FALSE:
        for garbage in GARBAGE:
            for step in (Step(rule, dict.fromkeys(NAMES, garbage)), Step(rule, {}),
                         Step(rule, dict.fromkeys(NAMES, garbage), (Step("assumption"),))):
                with pytest.raises(Rejected) as caught:
                    verify(goal, step)
                assert "\n" not in str(caught.value)
                assert len(str(caught.value)) < 2000


@pytest.mark.parametrize("rule", [None, 1, ["enclosure"], "", "Enclosure", "verify", b"enclosure"])
def test_a_rule_that_is_no_rule_is_rejected(rule):
    with pytest.raises(Rejected):
        verify(FALSE[0], Step(rule))


@pytest.mark.parametrize("bits", [10**9, -1, 0, 15, "64", 64.0, True, None, [64]])
def test_a_precision_that_is_none_is_rejected(bits):
    with pytest.raises(Rejected):
        verify(Goal((("x", "real"),), (), Relation(ZERO, "<=", x**number(2) - x + ONE)),
               Step("enclosure", {"bits": bits}))


@pytest.mark.parametrize("at", [
    {}, {"x": fmpq(1)}, {"x": fmpq(2), "y": fmpq(0), "k": fmpq(1)}, {"x": fmpq(1), "y": fmpq(0), "k": fmpq(3, 2)},
    {"x": fmpq(1), "y": fmpq(0), "k": fmpq(1), "z": fmpq(0)}, {"x": 0.5, "y": fmpq(0), "k": fmpq(1)},
    {"x": "one", "y": fmpq(0), "k": fmpq(1)}, {"x": None, "y": fmpq(0), "k": fmpq(1)},
])
def test_what_is_no_point_of_the_domain_is_no_witness(at):
    plain = Goal(SORTS, BOX[:5], Relation(x, "<=", y))
    assert isinstance(refute(plain, Point({"x": fmpq(1), "y": fmpq(0), "k": fmpq(1)})), Witness)
    with pytest.raises(Rejected):
        refute(plain, Point(at))


def test_only_the_kernel_makes_proofs_and_witnesses():
    with pytest.raises(TypeError, match="only the kernel"):
        Proof(FALSE[0], Step("enclosure"), {}, frozenset(), frozenset())
    with pytest.raises(TypeError, match="only the kernel"):
        Proof(FALSE[0], Step("enclosure"), {}, frozenset(), frozenset(), object())
    with pytest.raises(TypeError, match="only the kernel"):
        Witness(FALSE[0], Point(), None, None, None)


def test_a_goal_that_says_nothing_is_none():
    for sorts, claim in (((), Relation(x, "<=", x)), ((("x", "complex"),), Relation(x, "<=", x)),
                         ((("x", "real"), ("x", "integer")), Relation(x, "<=", x)),
                         ((("x", "real"),), Relation(member("a", x), "<=", x)),
                         ((("x", "real"),), Relation(bound(0), "<=", x))):
        with pytest.raises(IllFormed):
            Goal(sorts, (), claim)
    with pytest.raises(IllFormed):
        Relation(x, "!=", y)


def test_a_term_that_is_short_only_because_it_repeats_itself_makes_no_goal():
    large = x
    for _ in range(60):
        large = large + large
    with pytest.raises(IllFormed, match="too large"):
        Goal((("x", "real"),), (), Relation(ZERO, "<=", large))
