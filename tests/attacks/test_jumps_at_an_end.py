"""A gap may be written in another form; at an end that does not belong to the domain, that form may jump."""

import pytest
from products import product_over

from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Rejected, Step
from symdp.kernel.terms import ONE, ZERO, apply, number, sum_over, variable
from symdp.search.elaboration.derived_rules import verify

x = variable("x")
ENCLOSED = Step("enclosure")
#: Between 0 and 1 this is 0, and at 0 it is -1.
BELOW = -apply("floor", -x) - ONE
#: 0 in between, but 1 at the end.
JUMPS = [
    sum_over("i", ONE, BELOW, ONE) - BELOW,
    product_over("i", ONE, BELOW, number(2)) - number(2) ** BELOW + sum_over("i", ONE, BELOW, ONE) - BELOW,
]
INSIDE = (Relation(ZERO, "<", x), Relation(x, "<", ONE))


@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize(("rule", "claim", "further"), [
    ("monotone", Relation(ONE, "<=", x), {"end": "lower"}),
    ("convex", Relation(ONE, "<=", x * x), {"at": ZERO, "weight": ONE, "core": number(2) * x}),
    ("concave", Relation(ONE, "<=", x), {"weight": ONE, "core": ONE}),
])
def test_the_value_at_an_open_end_is_that_of_the_gap(rule, claim, further, jump):
    goal = Goal((("x", REAL),), INSIDE, claim)
    gap = claim.gap + number(5) * jump
    parameters = {"variable": "x", "gap": gap, "positive": [BELOW + ONE], **further}
    for premises in ((ENCLOSED,) * 2, (ENCLOSED,) * 3, (ENCLOSED,) * 4):
        with pytest.raises(Rejected):
            verify(goal, Step(rule, parameters, premises))


def test_another_form_that_does_not_jump_is_taken():
    claim = Relation(x - ONE, "<=", x * apply("log", x))
    goal = Goal((("x", REAL),), (Relation(ONE, "<=", x),), claim)
    parameters = {"variable": "x", "end": "lower", "slope": apply("log", x),
                  "gap": x * apply("log", x) - (x - ONE)}
    assert verify(goal, Step("monotone", parameters, (ENCLOSED, ENCLOSED)))
