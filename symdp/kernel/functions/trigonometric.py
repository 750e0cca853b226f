"""Sine, cosine and tangent, which is defined between its poles, and their inverses."""

from functools import partial

from flint import arb

from symdp.kernel.functions.record import HALF_PI, MINUS_ONE, PI, TWO, Function, Operation, sqrt
from symdp.kernel.goals import Whole
from symdp.kernel.terms import ONE, Term, apply, number
from symdp.kernel.values.ranges import NEG_INF, POS_INF, Range, Undefined, down, up, wave


def _tangent(part: Term, _: Whole) -> Operation:
    """On one branch it grows. Besides the argument u, both pi/2 + u and pi/2 - u matter: that they are positive may
    be known, although rounding puts an end of u beyond the pole."""
    def image(a: Range, left: Range, right: Range) -> Range:
        slope = a.lo.union(a.hi).cos()
        if slope > 0 or slope < 0:  # there is no pole from end to end
            return Range(down(a.lo.tan()), up(a.hi.tan()), a.lo_open, a.hi_open)
        if not (left.is_positive() and right.is_positive()):
            raise Undefined(part, a)
        low = down(a.lo.tan()) if a.lo + arb.pi() / 2 > 0 else NEG_INF
        high = up(a.hi.tan()) if arb.pi() / 2 - a.hi > 0 else POS_INF
        return Range(low, high, a.lo_open or bool(low == NEG_INF), a.hi_open or bool(high == POS_INF))

    u = part.args[0]
    return (u, HALF_PI + u, HALF_PI - u), image


def _at_quarters(ahead: int, u: Term) -> Term | None:
    """The value at a multiple of pi/2, so many quarters ahead of the sine."""
    turns, *unit = u.args if u.head == "*" else (ONE, u)
    exact = unit == [PI] and turns.head == "number" and (2 * turns.value).q == 1
    return number((0, 1, 0, -1)[(int((2 * turns.value).p) + ahead) % 4]) if exact else None


SIN = Function("sin", slopes=(lambda t, u: apply("cos", u),), image=partial(wave, arb.sin, arb.cos),
               by_others=partial(_at_quarters, 0), reflected=(-1, 0), tex=r"\sin")
COS = Function("cos", slopes=(lambda t, u: -apply("sin", u),), image=partial(wave, arb.cos, lambda u: -arb.sin(u)),
               by_others=partial(_at_quarters, 1), reflected=(1, 0), tex=r"\cos")
TAN = Function("tan", slopes=(lambda t, u: ONE + t**TWO,), by_others=lambda u: apply("sin", u) / apply("cos", u),
               operation=_tangent, partial=True, tex=r"\tan")
ASIN = Function("asin", (-HALF_PI, HALF_PI), slopes=(lambda t, u: ONE / sqrt(ONE - u**TWO),),
                domain=Range(arb(-1), arb(1)), reflected=(-1, 0), aliases=("arcsin",), tex=r"\arcsin",
                by_others={ONE: HALF_PI, MINUS_ONE: -HALF_PI}.get)  # at the ends, where balls see no equality
ACOS = Function("acos", by_others=lambda u: HALF_PI - apply("asin", u), partial=True,
                aliases=("arccos",), tex=r"\arccos")
ATAN = Function("atan", (-HALF_PI, HALF_PI), slopes=(lambda t, u: ONE / (ONE + u**TWO),), reflected=(-1, 0),
                aliases=("arctan",), tex=r"\arctan")
