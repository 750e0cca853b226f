r"""What every head of a term does to ranges, and where it is defined: one table. **Trusted.**

:func:`operation` says which operands a part has and how its range follows from theirs. An operand may be
a term that is not written in the part: for ``binomial(n, m)`` also ``n - m``, of which more may be known
than the ranges of n and m tell.

>>> from symdp.kernel.terms import apply, number, variable
>>> operands, image = operation(apply("log", variable("x")), Whole(frozenset()))
>>> operands, image(Range.between(0, 1, lower_open=True))
((Term(x),), (-oo, 0])
"""

from collections.abc import Callable
from functools import reduce

from symdp.kernel.functions.record import Image
from symdp.kernel.goals import Whole
from symdp.kernel.terms import FUNCTIONS, Term
from symdp.kernel.values import ranges
from symdp.kernel.values.ranges import NEG_INF, POS_INF, Range, Unsupported

_MANY: dict[str, Callable[[Range, Range], Range]] = {"+": ranges.add, "*": ranges.mul}


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
    if head == "neg":
        return args, ranges.neg
    return _power(part, whole) if head == "^" else FUNCTIONS[head].of(part, whole)


def _power(part: Term, whole: Whole) -> tuple[tuple[Term, ...], Image]:
    base, exponent = part.args
    if exponent.head == "number" and max(abs(exponent.value.p), exponent.value.q) <= ranges.LARGEST_POWER:
        p, q = int(exponent.value.p), int(exponent.value.q)
        return (base,), lambda a: ranges.rational_power(a, p, q, part)
    # Whether the exponent is an integer is part of what the power means: it must not be guessed.
    if exponent.size > 500 or exponent.depth > 100:
        raise Unsupported("an exponent is too long")
    integer = whole(exponent)
    if base.head == "e" and not integer:
        return (exponent,), ranges.exponential
    return (base, exponent), lambda a, b: ranges.power(a, b, part, integer)


def count_of(span: Range) -> Range:
    """How many integers there are from low to high, given high - low, an integer."""
    return ranges.greatest(Range.of(0), ranges.add(span, Range.of(1)))


def indices(low: Range, high: Range) -> Range | None:
    """Where the index of a sum from low to high may lie; None if the sum is empty for certain."""
    lo, hi = low.integers(), high.integers()
    return None if lo.lo > hi.hi else Range(lo.lo, hi.hi, bool(lo.lo == NEG_INF), bool(hi.hi == POS_INF))
