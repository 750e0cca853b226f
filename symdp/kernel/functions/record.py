r"""A function as one record: everything that the house knows of it. **Trusted**, but for how it is written.

The file of a function holds its record, and nothing else has to be changed: ranges, derivatives, limits and
normal forms read it, and so do reading and printing, floats and plots. A function of two arguments is described
along its last one. One that is given :attr:`~Function.by_others` needs no more than that.

>>> from symdp.kernel.terms import FUNCTIONS, variable
>>> atan, acos = FUNCTIONS["atan"], FUNCTIONS["acos"]
>>> print(atan.ends[1], atan.slopes[0](None, variable("x")), atan.aliases)
pi/2 1/(1 + x^2) ('arctan',)
>>> print(acos.by_others(variable("x")))
pi/2 - asin(x)
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial

from flint import arb

from symdp.kernel.goals import Whole
from symdp.kernel.terms import Term, apply, constant, number
from symdp.kernel.values import ranges
from symdp.kernel.values.ranges import EVERYTHING, NEG_INF, POS_INF, Range

Image = Callable[..., Range]
Operation = tuple[tuple[Term, ...], Image]
Rewriting = Callable[..., Term]


class Infinity(Enum):
    PLUS = 1
    MINUS = -1


Limit = Term | Infinity
PLUS_INFINITY, MINUS_INFINITY = Infinity.PLUS, Infinity.MINUS
UP, WHOLE_LINE = PLUS_INFINITY, (MINUS_INFINITY, PLUS_INFINITY)
TWO, PI, MINUS_ONE = number(2), constant("pi"), number(-1)
HALF_PI = PI / TWO
exp, log, sqrt = (partial(apply, name) for name in ("exp", "log", "sqrt"))


def ball_of(end: Limit) -> arb:
    """The number that a limit is, a rational or a multiple of pi or infinite, to more digits than are ever used."""
    with ranges.precision(4096):
        if isinstance(end, Infinity):
            return POS_INF if end is PLUS_INFINITY else NEG_INF
        return {PI: arb.pi(), HALF_PI: arb.pi() / 2, -HALF_PI: -arb.pi() / 2}[end] if end.args else arb(end.value)


@dataclass(frozen=True)
class Function:
    """One function: what it means, then how it is written."""

    name: str
    #: the limits at the two ends of the domain, and terms that are alike there: the quotient tends to 1
    ends: tuple[Limit | None, Limit | None] = (None, None)
    alike: tuple[Rewriting | None, Rewriting | None] = (None, None)
    #: the derivative in each argument, from the value and the arguments, for arguments inside of the domain; None:
    #: all derivatives exist, but are no terms. Without any, the function is as smooth as what it is by others
    slopes: tuple[Rewriting | None, ...] = ()
    #: where it is defined, and continuous unless it says otherwise
    domain: Range = EVERYTHING
    #: the same by other functions, where that can be said: they are defined wherever it is
    by_others: Callable[..., Term | None] = lambda *_: None
    #: the value at balls; Arb's function of that name, if none is given
    ball: Callable[..., arb] | None = None
    #: the range of the values from those of the arguments, and the part itself. If none is given, the function is
    #: strictly monotone from one end of the domain to the other, or has no ends and is what it is by others
    image: Image | None = None
    #: the operands of a part and its image, where more than the arguments matters
    operation: Callable[[Term, Whole], Operation] | None = None
    #: a and b, if f(-u) = a f(u) + b
    reflected: tuple[int, int] | None = None
    #: the value at u + 1 from that at u > 0
    onward: Rewriting | None = None
    #: how many arguments; None means one or more
    arity: int | None = 1
    positive: bool = False
    continuous: bool = True
    #: whether it may be undefined, although its domain is everything
    partial: bool = False
    #: what says that it is defined nowhere on a range, if that is not all that lies outside of the domain
    nowhere: Callable[[Range], bool] | None = None

    # How it is written, for reading and printing: other names in text, and the command in LaTeX if there is one.
    aliases: tuple[str, ...] = ()
    tex: str = ""

    @property
    def is_total(self) -> bool:
        return self.domain is EVERYTHING and not self.partial

    @cached_property
    def _image(self) -> Image:
        low, high = (ball_of(end) for end in self.ends if end is not None)
        return ranges.monotone(self.ball or getattr(arb, self.name), low, high, self.domain, self.nowhere)

    def of(self, part: Term, whole: Whole) -> Operation:
        """The operands of a part, and the range of its values from theirs."""
        if self.operation:
            return self.operation(part, whole)
        if self.ends == (None, None) and not self.image and (same := self.by_others(*part.args)) is not None:
            return (same,), lambda a: a
        return part.args, partial(self.image or self._image, part=part)
