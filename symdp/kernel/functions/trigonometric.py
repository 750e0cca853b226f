"""Sine, cosine and tangent, which is defined between its poles, and their inverses."""

from functools import partial

from flint import arb, fmpq

from symdp.kernel.functions.record import HALF_PI, PI, TWO, Function, Operation, sqrt
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


#: Angles in twelfths of pi, and their sines and tangents: a rational number times the root of an integer.
_SINES = {0: (fmpq(0), 1), 2: (fmpq(1, 2), 1), 3: (fmpq(1, 2), 2), 4: (fmpq(1, 2), 3), 6: (fmpq(1), 1)}
_TANGENTS = {2: (fmpq(1, 3), 3), 3: (fmpq(1), 1), 4: (fmpq(1), 3)}


def _multiple(factor: fmpq, square: int) -> Term:
    """The number as a normal form has it."""
    root = number(square) ** number(1, 2)
    return number(factor) if square == 1 else root if factor == 1 else number(factor) * root


def _at_twelfths(ahead: int, u: Term) -> Term | None:
    """The value at a multiple of pi/12, so many of these ahead of the sine, where that is known."""
    turns, *unit = u.args if u.head == "*" else (ONE, u)
    if unit != [PI] or turns.head != "number" or (12 * turns.value).q != 1:
        return None
    half_turns, rest = divmod(int((12 * turns.value).p) + ahead, 12)
    factor, square = _SINES.get(min(rest, 12 - rest), (None, 0))
    return None if factor is None else _multiple(-factor if half_turns % 2 else factor, square)


def _angles(known: dict[int, tuple[fmpq, int]]) -> dict[Term, Term]:
    """The inverse: balls see no equality there."""
    return {_multiple(sign * factor, square): number(fmpq(sign * n, 12)) * PI
            for n, (factor, square) in known.items() for sign in (1, -1)}


SIN = Function("sin", slopes=(lambda t, u: apply("cos", u),), image=partial(wave, arb.sin, arb.cos),
               by_others=partial(_at_twelfths, 0), reflected=(-1, 0), tex=r"\sin")
COS = Function("cos", slopes=(lambda t, u: -apply("sin", u),), image=partial(wave, arb.cos, lambda u: -arb.sin(u)),
               by_others=partial(_at_twelfths, 6), reflected=(1, 0), tex=r"\cos")
TAN = Function("tan", slopes=(lambda t, u: ONE + t**TWO,), by_others=lambda u: apply("sin", u) / apply("cos", u),
               operation=_tangent, partial=True, tex=r"\tan")
ASIN = Function("asin", (-HALF_PI, HALF_PI), slopes=(lambda t, u: ONE / sqrt(ONE - u**TWO),),
                domain=Range(arb(-1), arb(1)), reflected=(-1, 0), aliases=("arcsin",), tex=r"\arcsin",
                by_others=_angles(_SINES).get)
ACOS = Function("acos", by_others=lambda u: HALF_PI - apply("asin", u), partial=True,
                aliases=("arccos",), tex=r"\arccos")
ATAN = Function("atan", (-HALF_PI, HALF_PI), slopes=(lambda t, u: ONE / (ONE + u**TWO),), reflected=(-1, 0),
                by_others=_angles(_TANGENTS).get, aliases=("arctan",), tex=r"\arctan")
