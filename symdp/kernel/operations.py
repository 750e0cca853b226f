r"""What every head of a term does to ranges, and where it is defined: one table. **Trusted.**

:func:`operation` says which operands a part has and how its range follows from theirs. An operand may be
a term that is not written in the part: for ``binomial(n, m)`` also ``n - m``, of which more may be known
than the ranges of n and m tell.

>>> from symdp.kernel.terms import apply, number, variable
>>> operands, image = operation(apply("log", variable("x")), Whole(frozenset()))
>>> operands, image(Range.between(0, 1, lower_open=True))
((Term(x),), (-oo, 0])
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce

from flint import arb

from symdp.kernel.goals import Whole
from symdp.kernel.terms import ZERO, Term, add, constant
from symdp.kernel.values import ranges
from symdp.kernel.values.ranges import NEG_INF, ONE, POS_INF, Range, Unsupported

Image = Callable[..., Range]
E = constant("e")

_TOTAL: dict[str, Callable[[Range], Range]] = {
    "neg": ranges.neg, "abs": ranges.magnitude, "floor": ranges.whole_part, "cosh": ranges.hyperbolic_cosine,
    "sin": partial(ranges.wave, arb.sin, arb.cos), "cos": partial(ranges.wave, arb.cos, lambda u: -arb.sin(u)),
    **{name: partial(ranges.image_of, name) for name in ranges.MONOTONE},
}
_PARTIAL: dict[str, Callable[[Range, Term], Range]] = {"gamma": ranges.gamma, "loggamma": ranges.log_gamma}
_MANY: dict[str, Callable[[Range, Range], Range]] = {
    "+": ranges.add, "*": ranges.mul, "min": ranges.least, "max": ranges.greatest}


def operation(part: Term, whole: Whole) -> tuple[tuple[Term, ...], Image]:
    """The operands of a part, and the range of its values from theirs."""
    head, args = part.head, part.args
    if head in _MANY:
        many = _MANY[head]
        return args, many if len(args) == 2 else lambda *parts: reduce(many, parts)
    if head == "-":  # equal terms have equal values, if they have any
        return args, ranges.sub if args[0] is not args[1] else lambda a, _: Range.of(0)
    if head == "/":
        return args, lambda a, b: ranges.mul(a, ranges.inverse(b, part))
    if head in _TOTAL:
        return args, _TOTAL[head]
    if head in _PARTIAL:
        image = _PARTIAL[head]
        return args, lambda a: image(a, part)
    if head == "sqrt":
        return args, lambda a: ranges.rational_power(a, 1, 2, part)
    if head == "log":
        return _logarithm(part)
    if head == "^":
        return _power(part, whole)
    if head == "binomial":
        return _binomial(part, whole)
    raise Unsupported(f"there is no enclosure for {head!r}")


def _logarithm(part: Term) -> tuple[tuple[Term, ...], Image]:
    rest = _beside_e(part.args[0])
    if rest is None:
        return part.args, lambda a: ranges.logarithm(a, part)

    def image(a: Range, u: Range) -> Range:
        # log(e + u) = 1 + log(1 + u/e): so log(e) = 1 is exact, which rounding would lose.
        plain = ranges.logarithm(a, part)
        one = Range.of(1)
        ratio = ranges.add(one, ranges.mul(u, ranges.inverse(Range.of_ball(arb.const_e()), part)))
        return plain.meet(ranges.add(one, ranges.logarithm(ratio, part))) if ratio.is_positive() else plain

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


def _is_short(term: Term) -> bool:
    return term.size <= 500 and term.depth <= 100


def _power(part: Term, whole: Whole) -> tuple[tuple[Term, ...], Image]:
    base, exponent = part.args
    if exponent.head == "number" and max(abs(exponent.value.p), exponent.value.q) <= ranges.LARGEST_POWER:
        p, q = int(exponent.value.p), int(exponent.value.q)
        return (base,), lambda a: ranges.rational_power(a, p, q, part)
    # Whether the exponent is an integer is part of what the power means: it must not be guessed.
    if not _is_short(exponent):
        raise Unsupported("an exponent is too long")
    integer = whole(exponent)
    if base.head == "e" and not integer:
        return (exponent,), ranges.exponential
    return (base, exponent), lambda a, b: ranges.power(a, b, part, integer)


NOT_NEGATIVE = Range(arb(0), POS_INF, False, True)


def _binomial(part: Term, whole: Whole) -> tuple[tuple[Term, ...], Image]:
    n, m = part.args
    if m.head == "number" and m.value.q == 1 and m.value >= 0:
        factors = int(m.value)
        return (n,), lambda a: ranges.falling(a, factors)
    integers = _is_short(n) and _is_short(m) and whole(n) and whole(m)

    def image(a: Range, b: Range, rest: Range) -> Range:
        if integers:
            a, b, rest = a.integers(), b.integers(), rest.integers()
            if b.is_nonnegative() and not rest.is_nonnegative():
                # n(n-1)...(n-m+1)/m!, which is 0 for 0 <= n < m; of other n nothing is said
                return NOT_NEGATIVE if a.is_nonnegative() else ranges.EVERYTHING
        value = ranges.binomial(a, b, rest, part)
        return value.meet(Range(ONE, POS_INF, False, True)) if integers else value

    return (n, m, n - m), image


def count_of(span: Range) -> Range:
    """How many integers there are from low to high, given high - low, an integer."""
    return ranges.greatest(Range.of(0), ranges.add(span, Range.of(1)))


def indices(low: Range, high: Range) -> Range | None:
    """Where the index of a sum from low to high may lie; None if the sum is empty for certain."""
    lo, hi = low.integers(), high.integers()
    if lo.lo > hi.hi:
        return None
    return Range(lo.lo, hi.hi, bool(lo.lo == NEG_INF), bool(hi.hi == POS_INF))
