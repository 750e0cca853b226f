"""Steps and guarantees of the kinds that were accepted before there was a kernel on its own terms."""

import pytest
from sympy import Integer, Rational

from symdp.arguments.guarantees.search import decide_guarantee
from symdp.kernel import lemmas
from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Rejected, Step, verify
from symdp.kernel.terms import ONE, ZERO, apply, number, variable
from symdp.numbers.domain import Domain
from symdp.sources.statement import Guarantee
from symdp.sources.subject import AnyPrivate

x = variable("x")
BELOW_ZERO = (Relation(number(-2), "<=", x), Relation(x, "<=", -ONE))
#: terms without a value for -2 <= x <= -1, though some of them look as if they cancelled
UNDEFINED = [apply("log", x), ZERO * apply("log", x), number(1, 2) * apply("log", x) - apply("log", x),
             apply("sqrt", x), ONE / (x - x), x ** number(1, 2), apply("acosh", x), apply("log1p", x),
             apply("digamma", x), apply("asin", x - ONE), apply("tan", apply("atanh", x))]


@pytest.mark.parametrize("argument", UNDEFINED, ids=str)
def test_no_lemma_is_used_at_what_has_no_value(argument):
    """As once the convexity of exp at log(a), for a negative a."""
    goal = Goal((("x", REAL),), BELOW_ZERO, Relation(ONE, "<=", ZERO))
    for name in lemmas.documents():
        known = lemmas.proved(name).goal
        at = {v: argument if sort == REAL else apply("floor", argument) for v, sort in known.sorts}
        with pytest.raises(Rejected, match="defined"):
            verify(goal, Step("lemma", {"name": name, "at": at}))


#: (epsilon, delta) of one mechanism, how many, and what they are said to be together
TOO_GOOD = [(1, 0, 100, 0, "1/10000"), (1, 0, 2, 1, "1/1000"), (0, "1/2", 3, 0, "1/2"), (1, "1/10", 2, 2, "1/10"),
            ("1/2", 0, 2, "1/2", "1/20")]


@pytest.mark.parametrize(("epsilon", "delta", "fold", "total", "lost"), TOO_GOOD)
def test_a_composition_that_promises_too_much_is_refuted(epsilon, delta, fold, total, lost):
    one = AnyPrivate(Rational(epsilon), Rational(delta))
    found = decide_guarantee(Guarantee.of(one, Integer(fold), Rational(total), Rational(lost), Domain({})))
    assert found.status.value == "refuted"
