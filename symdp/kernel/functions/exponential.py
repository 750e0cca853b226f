r"""The exponential and the logarithm, also as $e^u-1$ and $\log(1+u)$ under names of their own, and the root."""

from flint import arb

from symdp.kernel.functions.record import TWO, UP, WHOLE_LINE, Function, Operation, exp, log
from symdp.kernel.goals import Whole
from symdp.kernel.terms import ONE, ZERO, Term, add, constant
from symdp.kernel.values import ranges
from symdp.kernel.values.ranges import Range, logarithm

E = constant("e")


def _logarithm(part: Term, _: Whole) -> Operation:
    rest = _beside_e(part.args[0])
    if rest is None:
        return part.args, lambda a: logarithm(a, part)

    def image(a: Range, u: Range) -> Range:
        # log(e + u) = 1 + log(1 + u/e): so log(e) = 1 is exact, which rounding would lose.
        plain, one = logarithm(a, part), Range.of(1)
        ratio = ranges.add(one, ranges.mul(u, ranges.inverse(Range.of_ball(arb.const_e()), part)))
        return plain.meet(ranges.add(one, logarithm(ratio, part))) if ratio.is_positive() else plain

    return (part.args[0], rest), image


def _beside_e(term: Term) -> Term | None:
    """The terms besides e, where e is a term of a sum."""
    if term.head == "-" and term.depth <= 100:
        rest = _beside_e(term.args[0])
        return None if rest is None else rest - term.args[1]
    parts = list(term.args if term.head == "+" else [term])
    if E not in parts:
        return None
    parts.remove(E)
    return add(ZERO, *parts)


EXP = Function("exp", (ZERO, UP), slopes=(lambda t, u: t,), positive=True, tex=r"\exp")
LOG = Function("log", WHOLE_LINE, slopes=(lambda t, u: ONE / u,), domain=ranges.POSITIVE, operation=_logarithm,
               aliases=("ln",), tex=r"\log")
EXPM1 = Function("expm1", by_others=lambda u: exp(u) - ONE)
LOG1P = Function("log1p", by_others=lambda u: log(ONE + u), partial=True)
SQRT = Function("sqrt", (ZERO, UP), slopes=(lambda t, u: ONE / (TWO * t),), domain=ranges.NOT_NEGATIVE,
                image=lambda a, part: ranges.rational_power(a, 1, 2, part))
