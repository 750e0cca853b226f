r"""Lemmas of the kernel's library about powers with integer exponents and binomial coefficients, proved by hand.

>>> from symdp.search.elaboration.derived_rules import verify
>>> for name, goal, step in lemmas(): print(f"{name}: {verify(goal, step).goal}")
power-of-fraction: x^n <= x for every real x and integer n with 1 <= n, 0 <= x, x <= 1
power-of-large: x <= x^n for every real x and integer n with 1 <= n, 1 <= x
power-sign: 0 <= x^n for every real x and integer n with 0 <= n, 0 <= x
choose-positive: 1 <= binomial(n, m) for every integer n, m with 0 <= m, m <= n
"""

from __future__ import annotations

from collections.abc import Iterator

from symdp.kernel.goals import INTEGER, REAL, Goal, Relation
from symdp.kernel.proof import Step
from symdp.kernel.terms import ONE, ZERO, Term, apply, variable


def lemmas() -> Iterator[tuple[str, Goal, Step]]:
    """The name, the goal and the proof of each."""
    x, n, m = variable("x"), variable("n"), variable("m")
    power, leaf = x ** n, Step("enclosure")

    def step(first: Term, second: Term) -> Step:
        # x^(n+1) is as far from x as x*first and x*second together, of which the second is known
        signs = [[ONE, [[x, 1, ">="], [factor, 1, ">="]]] for factor in (first, second)]
        onward = Step("combine", {"terms": signs}, (leaf, leaf, Step("assumption")))
        return Step("induction", {"variable": "n", "first": 1}, (Step("identity"), onward))

    of_both = (("x", REAL), ("n", INTEGER))
    from_one, from_zero = Relation(ONE, "<=", n), Relation(ZERO, "<=", n)
    not_negative = Relation(ZERO, "<=", x)
    fraction = (from_one, not_negative, Relation(x, "<=", ONE))
    yield "power-of-fraction", Goal(of_both, fraction, Relation(power, "<=", x)), step(ONE - x, x - power)
    yield ("power-of-large", Goal(of_both, (from_one, Relation(ONE, "<=", x)), Relation(x, "<=", power)),
           step(x - ONE, power - x))
    yield "power-sign", Goal(of_both, (from_zero, not_negative), Relation(ZERO, "<=", power)), leaf
    chosen = Relation(ONE, "<=", apply("binomial", n, m))
    between = (Relation(ZERO, "<=", m), Relation(m, "<=", n))
    yield "choose-positive", Goal((("n", INTEGER), ("m", INTEGER)), between, chosen), leaf
