"""Functions with corners or jumps: none of them is smooth, and the floor is not continuous."""

from collections.abc import Callable
from functools import reduce

from symdp.kernel.functions.record import WHOLE_LINE, Function, Operation
from symdp.kernel.goals import Whole
from symdp.kernel.terms import Term
from symdp.kernel.values.ranges import Range, greatest, least, magnitude, whole_part


def _folding(two: Callable[[Range, Range], Range]) -> Callable[[Term, Whole], Operation]:
    return lambda part, _: (part.args, two if len(part.args) == 2 else lambda *parts: reduce(two, parts))


ABS = Function("abs", operation=lambda part, _: (part.args, magnitude), reflected=(1, 0))
FLOOR = Function("floor", WHOLE_LINE, operation=lambda part, _: (part.args, whole_part), continuous=False)
MIN = Function("min", operation=_folding(least), arity=None)
MAX = Function("max", operation=_folding(greatest), arity=None)
