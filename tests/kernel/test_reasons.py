"""A check in one line has no branch that a measurement of coverage would miss: a test names its reason instead."""

import ast
from pathlib import Path

import pytest
from flint import fmpq

from symdp.kernel.certificate import BadCertificate, Reader
from symdp.kernel.goals import REAL, Each, Goal, IllFormed, Relation
from symdp.kernel.proof import RULES, Rejected, Step, verify
from symdp.kernel.rules.orders import Order
from symdp.kernel.rules.privacy import AnyPrivate, Private
from symdp.kernel.rules.readings import Continued
from symdp.kernel.rules.sums import conditions_of
from symdp.kernel.terms import ONE, ZERO, apply, bound, number, variable
from symdp.kernel.values.calculus import derivative, need_smooth
from symdp.kernel.values.limits import PLUS_INFINITY, limit
from symdp.kernel.values.points import Point
from symdp.kernel.witness import refute

HERE = Path(__file__).parent
KERNEL = HERE.parents[1] / "symdp" / "kernel"


def reasons(text):
    """The words of each reason that is given to ``unless``, as far as they are always the same."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "unless":
            parts = getattr(node.args[1], "values", [node.args[1]])
            yield max((p.value.strip() for p in parts if isinstance(p, ast.Constant)), key=len)


def test_reasons_are_found():
    assert list(reasons('Rejected.unless(x, "a")\nC.unless(y, f"{y} is {x} no b")\n')) == ["a", "no b"]


def test_every_reason_for_which_the_kernel_refuses_in_one_line_is_named_by_a_test():
    files = [path for folder in ("kernel", "attacks") for path in (HERE.parent / folder).glob("*.py")]
    named = "\n".join(path.read_text() for path in files)
    found = {reason for path in KERNEL.rglob("*.py") for reason in reasons(path.read_text())}
    assert found
    assert sorted(reason for reason in found if reason not in named) == []


x, k = variable("x"), variable("k")
LINE = Goal((("x", REAL),), (), Relation(x, "<=", x))
LARGE = apply("+", *(x * number(j) for j in range(10_000)))
KNOWN = Relation(ZERO, "<=", x)
SUM = {"low": ONE, "high": number(2)}


@pytest.mark.parametrize(("kind", "why", "refused"), [
    (BadCertificate, "a formula is malformed", lambda: Reader([]).stated(3)),
    (BadCertificate, "a formula has other parts than its kind", lambda: Reader([]).stated({"is": "relation"})),
    (BadCertificate, "a part of a formula is of another kind than it should be",
     lambda: Reader([["number", "1"]]).stated(
         {"is": "fails", "order": {"is": "relation", "left": 0, "op": "<=", "right": 0}})),
    (BadCertificate, "an index is malformed", lambda: Reader([["bound", -1]])),
    (BadCertificate, "a row is malformed", lambda: Reader([3])),
    (Rejected, "what is to be proved comes without facts",
     lambda: verify(Goal((("x", REAL),), (KNOWN,), KNOWN, facts=frozenset([KNOWN])), Step("assumption"))),
    (Rejected, "the mean-value form needs a finite box",
     lambda: verify(Goal((("x", REAL),), (KNOWN,), Relation(ZERO, "<=", x * x)), Step("paving"))),
    (Rejected, "the guarantee names no end at which epsilon is infinity",
     lambda: RULES["opened"](Goal((), (), Private(AnyPrivate(ONE, ZERO), ONE, ONE, ZERO)), {})),
    (Rejected, "this is about one mechanism, taken once",
     lambda: RULES["one-step"](Goal((), (), Private(AnyPrivate(ONE, ZERO), number(2), ONE, ZERO)), {})),
    (IllFormed, "a parameter of a mechanism is no term", lambda: AnyPrivate("1", ZERO)),
    (Rejected, "a strict relation does not pass to a limit",
     lambda: RULES["continued"](Goal((), (), Continued(
         Relation(-x, "<", ONE), "x", ZERO, (("x", REAL),), (KNOWN,))), {})),
    (Rejected, "a combination of nothing", lambda: conditions_of("combination", {**SUM, "op": "<=", "parts": []})),
    (Rejected, "a product is compared with 0 from above",
     lambda: conditions_of("product-sign", {**SUM, "op": ">", "body": bound(0)})),
    (Rejected, "there is no law of sums called 'wishful'", lambda: conditions_of("wishful", SUM)),
    (Rejected, "k is no real variable of the goal", lambda: need_smooth(x, "k", LINE)),
    (Rejected, "k is no real variable of the goal", lambda: verify(LINE, Step(
        "monotone", {"variable": "k", "end": "lower"}))),
    (Rejected, "x does not tend to that", lambda: limit(x, "x", x, LINE)),
    (IllFormed, "'Omega' is no order", lambda: Order(x, "Omega", x, (("x", None),), (), LINE.sorts, ())),
    (IllFormed, "x does not move to a constant or to infinity",
     lambda: Order(x, "O", x, (("x", x),), (), LINE.sorts, ())),
    (BadCertificate, "'pi' is the name of something else", lambda: Reader([["variable", "pi"]])),
    (Rejected, "the term is too large to differentiate", lambda: derivative(LARGE, "x")),
    (Rejected, "the term is too large to differentiate", lambda: need_smooth(LARGE, "x", LINE)),
    (Rejected, "the term is too long for a limit", lambda: limit(LARGE, "x", PLUS_INFINITY, LINE)),
    (Rejected, "no term of a sum is seen to outgrow the others",
     lambda: limit(apply("floor", x) - apply("floor", number(2) * x), "x", PLUS_INFINITY, LINE)),
    (Rejected, "more integers were named than the claim speaks of",
     lambda: refute(Goal((), (), Each(ONE, number(9), Relation(bound(0), "<=", ONE))), Point(indices=(4, 4)))),
    (Rejected, "a hypothesis is not seen to hold at this point",
     lambda: refute(Goal((("x", REAL),), (KNOWN,), Relation(ONE, "<=", x)), Point({"x": fmpq(-1)}))),
    (Rejected, "the claim speaks of a range, and none was named",
     lambda: refute(Goal((), (), Each(ONE, number(9), Relation(bound(0), "<=", ONE))), Point())),
    (Rejected, "a closeness is for each moving variable", lambda: RULES["order-bounded"](
        Goal((), (), Order(x, "O", x, (("x", None),), (), LINE.sorts, ())), {"path": {"x": x}, "closeness": {}})),
    (Rejected, "term by term a sum is O or o", lambda: RULES["order-sum"](
        Goal((), (), Order(x, "O", x, (("x", None),), (), LINE.sorts, ())), {})),
    (Rejected, "a power whose base may be 0 has no limit", lambda: limit(
        apply("abs", apply("sin", x)) ** x, "x", PLUS_INFINITY, Goal(
            (("x", REAL),), (Relation(ZERO, "<", x),), Relation(x, "<=", x)))),
    (Rejected, "an equality, or x is tied to others", lambda: RULES["convex"](
        Goal((("x", REAL), ("y", REAL)), (Relation(x, "<=", variable("y")),), KNOWN), {"variable": "x", "at": ONE})),
    (Rejected, "the stationary point may depend on other variables only",
     lambda: RULES["convex"](LINE, {"variable": "x", "at": x})),
    (Rejected, "the claim must be strict at an end of the domain", lambda: RULES["monotone"](
        Goal((("x", REAL),), (KNOWN,), Relation(-x, "<", ONE)),
        {"variable": "x", "end": "lower", "strict_slope": True})),
    (Rejected, "it was not seen that x is at least 1", lambda: RULES["opened"](Goal((("x", REAL),), (KNOWN,), Private(
        AnyPrivate(ONE / x, ZERO), ONE, ONE / x, ZERO, ends=((x, ONE),))), {})),
    (Rejected, "the range has no two integers as ends",
     lambda: conditions_of("written-out", {"low": ONE, "high": k, "head": "sum", "body": bound(0)})),
    (Rejected, "too many terms",
     lambda: conditions_of("written-out", {"low": ONE, "high": number(10**6), "head": "sum", "body": bound(0)})),
    (Rejected, "there are no two sums to be exchanged", lambda: conditions_of("exchange", {"sum": x})),
    (Rejected, "a hypothesis ties x to others: its end cannot be left out alone",
     lambda: RULES["continued"](Goal((), (), Continued(Relation(-x, "<=", ONE), "x", ZERO, (
         ("x", REAL), ("y", REAL)), (KNOWN, Relation(x, "<=", variable("y"))))), {})),
    (Rejected, "what is aside is made of formulas", lambda: RULES["aside"](
        LINE, {"sorts": [], "given": [], "hypotheses": [3], "claim": KNOWN})),
    (Rejected, "x cannot go on without end", lambda: RULES["telescoping"](
        Goal((("x", REAL),), (Relation(x, "<=", ONE),), KNOWN), {"variable": "x"})),
    (Rejected, "x cannot go on without end", lambda: RULES["telescoping"](
        Goal((("x", REAL),), (), Relation(x, "==", x)), {"variable": "x"})),
    (Rejected, "exp has another law, or none", lambda: RULES["recurrence"](LINE, {"function": "exp", "at": x})),
    (Rejected, "gamma has another law, or none", lambda: RULES["recurrence"](LINE, {"function": "gamma", "at": x})),
])
def test_what_is_refused_is_refused_for_that_reason(kind, why, refused):
    with pytest.raises(kind) as caught:
        refused()
    assert str(caught.value) == why
