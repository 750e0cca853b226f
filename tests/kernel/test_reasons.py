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
])
def test_what_is_refused_is_refused_for_that_reason(kind, why, refused):
    with pytest.raises(kind) as caught:
        refused()
    assert str(caught.value) == why
