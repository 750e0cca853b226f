r"""Lemmas of the kernel's library about sine and cosine, proved by hand: the circle, and the laws of addition.

The derivative of $\sin^2+\cos^2$ is 0, and so is that of $f^2+g^2$, where f and g are what the two laws of addition
would miss: f' = g and g' = -f. So both are what they are at 0.

>>> from symdp.search.elaboration.derived_rules import verify
>>> for name, goal, step in lemmas(): print(f"{name}: {verify(goal, step).goal}")
circle: sin(x)^2 + cos(x)^2 == 1 for every real x
sine-of-sum: sin(x + y) == sin(x)*cos(y) + cos(x)*sin(y) for every real x, y
cosine-of-sum: cos(x + y) == cos(x)*cos(y) - sin(x)*sin(y) for every real x, y
"""

from __future__ import annotations

from collections.abc import Iterator

from symdp.kernel.goals import REAL, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import ONE, ZERO, Term, apply, number, variable

_TWO = number(2)
_SAME = Step("identity")


def sin(u: Term) -> Term:
    return apply("sin", u)


def cos(u: Term) -> Term:
    return apply("cos", u)


def lemmas() -> Iterator[tuple[str, Goal, Step]]:
    """The name, the goal and the proof of each."""
    x, y = variable("x"), variable("y")
    circle = Relation(sin(x) ** _TWO + cos(x) ** _TWO, "==", ONE)
    yield "circle", Goal((("x", REAL),), (), circle), Step("both", {}, (_constant_in_x(), _constant_in_x()))
    sine = sin(x) * cos(y) + cos(x) * sin(y)
    cosine = cos(x) * cos(y) - sin(x) * sin(y)
    f, g = sin(x + y) - sine, cos(x + y) - cosine
    missing = Relation(f**_TWO + g**_TWO, "<=", ZERO)
    of_both = (("x", REAL), ("y", REAL))
    for name, left, right, part in (("sine-of-sum", sin(x + y), sine, f), ("cosine-of-sum", cos(x + y), cosine, g)):
        halves = tuple(Step("rewrite", {"left": a, "right": b}, (_vanishing(f, g, part, a),))
                       for a, b in ((part, ZERO), (ZERO, part)))
        known = Step("cut", {"fact": missing}, (_constant_in_x(), Step("both", {}, halves)))
        yield name, Goal(of_both, (), Relation(left, "==", right)), known


def _constant_in_x() -> Step:
    """The gap does not change with x, and is 0 at 0."""
    def from_zero(end: str) -> Step:
        return Step("monotone", {"variable": "x", "end": end}, (_SAME, _SAME))

    return Step("cases", {"relation": Relation(variable("x"), "<=", ZERO)}, (from_zero("upper"), from_zero("lower")))


def _vanishing(f: Term, g: Term, part: Term, left: Term) -> Step:
    """From f^2 + g^2 <= 0, that one of them is not positive, or not negative."""
    names = {f: "f", g: "g"}
    value = variable(names[part])
    claim = Relation(value, "<=", ZERO) if left is part else Relation(ZERO, "<=", value)
    alone = Step("cases", {"relation": claim}, (Step("assumption"), Step("contradiction")))
    return Step("generalise", {"parts": [[t, n] for t, n in names.items()]}, (alone,))
