r"""A mechanism seen through a pair of neighbours: two distributions of its output.

Every question has two answers. ``closed_form("delta")`` is the formula in SymPy, in the parameters
of the mechanism and the symbols of the house: $\tilde\varepsilon$ (``eps_total``) is where the curve
is asked for, as in $d_{\tilde\varepsilon}(P, Q)$, and ``alpha`` is the order of Renyi. The method of
the same name, ``delta(epsilon)``, is a number with error bars.

>>> from symdp.formulas.notation import symbol
>>> from symdp.privacy.mechanisms.every import Laplace
>>> Laplace(symbol("b")).closed_form("delta")
Max(0, 1 - exp(eps_total/2 - 1/(2*b)))
>>> print(Laplace(2).delta(epsilon="1/4", digits=20))
0.1175030974154045971351
>>> Laplace(symbol("b")).delta(1)
Traceback (most recent call last):
...
symdp.numbers.quantity.BadQuantity: Laplace noise has no number for b; closed_form gives the formula
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar, Self

import sympy
from sympy import Expr, Symbol

from symdp.numbers import quantity
from symdp.numbers.decimals import Enclosure, enclose
from symdp.numbers.exact import Number, ball, sign
from symdp.numbers.quantity import BadQuantity, Quantity, digits_wanted, within
from symdp.privacy.pairs.privacy_loss import PrivacyLoss
from symdp.typeset.typesetting import latex

if TYPE_CHECKING:
    from symdp.privacy.lattice.losses import Loss
    from symdp.privacy.mechanisms.finite_laws.finite import FinitePair

#: Digits that are certain unless more are asked for.
DIGITS = 17


class Mechanism(ABC):
    """A pair of distributions: P under one database, Q under its neighbour."""

    #: in words, for messages and for the origin of a number
    name: str = "the pair"
    #: its names on the command line, where it has parameters that fit into a line
    names: ClassVar[tuple[str, ...]] = ()

    # --- what each mechanism tells about itself ---

    @property
    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """What it was made with."""

    @abstractmethod
    def closed_forms(self) -> dict[str, Expr]:
        """The formulas, by name."""

    @abstractmethod
    def privacy_loss(self, *, reverse: bool = False) -> PrivacyLoss:
        """The law of log P(x)/Q(x) under P; reversed, of log Q(x)/P(x) under Q."""

    @property
    @abstractmethod
    def symmetric(self) -> bool:
        """Whether exchanging the databases changes no divergence."""

    @property
    def directions(self) -> tuple[bool, ...]:
        """Which ways round count: P against Q (False), and Q against P (True)."""
        return (False,) if self.symmetric else (False, True)

    @abstractmethod
    def _hockey_stick(self, epsilon: Expr, reverse: bool, digits: int) -> Enclosure: ...

    @abstractmethod
    def _epsilon(self, delta: Expr, reverse: bool, digits: int) -> Enclosure: ...

    @abstractmethod
    def _false_alarm(self, missed: Expr, digits: int, origin: str) -> Enclosure: ...

    @abstractmethod
    def _renyi(self, alpha: Expr, reverse: bool) -> Callable[[], Any]: ...

    # --- how it composes: one of these is enough, and more than one makes it faster ---

    def finite_pair(self) -> FinitePair | None:
        """Finitely many outcomes that tell everything; None if there are too many losses for that."""
        return None

    def loss(self, reverse: bool = False) -> Loss:
        """The law of its loss, to be put on a lattice and added to the losses of others."""
        pair = self.finite_pair()
        if pair is None:
            raise BadQuantity(f"there is no composition of {type(self).__name__}")
        return pair.loss(reverse)

    #: whether it is noise of a log-concave law, so that the largest distance speaks for all smaller ones
    log_concave: ClassVar[bool] = False
    #: for which neighbours alone its laws speak; empty where the sensitivity says it, whatever neighbours are
    neighbours_are: str = ""
    #: why several of them compose; empty where that their pairs are dominating is all that is used
    composes_by: ClassVar[str] = ""

    @property
    def speaks_for(self) -> str:
        """For which neighbours its two laws speak, and why: a line for people."""
        if self.log_concave:
            return (f"{self.name}, at the distance of the sensitivity; smaller distances reveal less, as it is "
                    "log-concave")
        return f"{self.name}, its two laws as they are given"

    def simplified(self) -> Mechanism:
        """A simpler mechanism with the same laws, as noise on a sample of everything is the noise."""
        return self

    def as_private(self) -> tuple[Expr, Expr] | None:
        """The (epsilon, delta) of which it is the worst case, if it is one: then Theorem 3.3 is exact."""
        return None

    #: the theorem by which several of them are one, if there is one
    as_one_theorem: ClassVar[str] = ""

    @classmethod
    def as_one(cls, mechanisms: Sequence[tuple[Self, int]]) -> Self | None:
        """Several of them, each so many times, as a single one; None without such a theorem."""
        return None

    def composed(self, k: int, **options: Any) -> Any:
        """k of them by a formula of its own, in the way of ``compose``; None without one."""
        return None

    def for_group(self, size: int) -> Mechanism:
        """The same mechanism between databases that differ in so many records; refused where that is not known."""
        raise BadQuantity(f"what {self.name} gives a group of records is not known here")

    # --- what everyone may ask ---

    def closed_form(self, name: str) -> Expr:
        """The formula of that name.

        >>> from symdp.formulas.notation import eps
        >>> from symdp.privacy.mechanisms.every import Gaussian, RandomisedResponse
        >>> RandomisedResponse(eps).closed_form("total_variation")
        (exp(eps) - 1)/(exp(eps) + 1)
        >>> Gaussian(1).closed_form("speed")
        Traceback (most recent call last):
        ...
        symdp.numbers.quantity.BadQuantity: Gaussian noise has no closed form 'speed'; it has delta,
        false_alarm, kullback_leibler, max_divergence, renyi, total_variation, variance
        """
        forms = self.closed_forms()
        if name not in forms:
            raise BadQuantity(f"{self.name} has no closed form {name!r}; "
                              f"it has {', '.join(sorted(forms))}")
        return forms[name]

    def hockey_stick(self, epsilon: Quantity, *, reverse: bool = False,
                     digits: int = DIGITS) -> Enclosure:
        r"""$d_\varepsilon(P, Q) = \max_S P(S) - e^\varepsilon Q(S)$; reversed, with P and Q exchanged."""
        at = quantity.epsilon(epsilon)
        self._must_be_numeric()
        found = self._hockey_stick(at, reverse, digits_wanted(digits))
        return replace(found, upper=min(found.upper, Decimal(1)))  # rounded outward, it may be above one

    def delta(self, epsilon: Quantity, *, digits: int = DIGITS) -> Enclosure:
        """The smallest delta for which the pair is (epsilon, delta)-private, both ways round."""
        first, *others = (self.hockey_stick(epsilon, reverse=reverse, digits=digits) for reverse in self.directions)
        return larger(first, others[0]) if others else first

    def epsilon(self, delta: Quantity, *, digits: int = DIGITS) -> Enclosure:
        """The smallest epsilon >= 0 for which the pair is (epsilon, delta)-private; may be infinite."""
        target = quantity.probability(delta)
        self._must_be_numeric()
        wanted = digits_wanted(digits)
        first, *others = (self._epsilon(target, reverse, wanted) for reverse in self.directions)
        return larger(first, others[0]) if others else first

    def false_alarm(self, missed: Quantity, *, digits: int = DIGITS) -> Enclosure:
        """The smallest P_FA of a test with that P_MD: the lower boundary of the privacy region.

        >>> from symdp.privacy.mechanisms.every import Gaussian, RandomisedResponse
        >>> print(RandomisedResponse("log(3)").false_alarm("1/4"), Gaussian(1).false_alarm("1/2", digits=9))
        0.25 0.15865525393
        """
        at = quantity.probability(missed, "P_MD")
        self._must_be_numeric()
        return self._false_alarm(at, digits_wanted(digits), f"trade-off of errors of {self.name}")

    def total_variation(self, *, digits: int = DIGITS) -> Enclosure:
        """The largest difference of the probabilities that P and Q give to one set."""
        found = self.hockey_stick(0, digits=digits)
        return replace(found, theorem=f"total variation of {self.name}")

    def renyi(self, alpha: Quantity, *, reverse: bool = False, digits: int = DIGITS) -> Enclosure:
        """The Renyi divergence of P from Q; order 1 is Kullback and Leibler's, "inf" the largest loss."""
        order = renyi_order(alpha)
        self._must_be_numeric()
        origin = f"Renyi divergence of order {alpha} of {self.name}"
        return enclose(self._renyi(order, reverse), digits_wanted(digits), origin)

    def kullback_leibler(self, *, reverse: bool = False, digits: int = DIGITS) -> Enclosure:
        """The mean of the privacy loss."""
        return self.renyi(1, reverse=reverse, digits=digits)

    def max_divergence(self, *, reverse: bool = False, digits: int = DIGITS) -> Enclosure:
        """The largest privacy loss: the epsilon of pure privacy, in this direction."""
        return self.renyi(sympy.oo, reverse=reverse, digits=digits)

    def variance(self, *, digits: int = DIGITS) -> Enclosure:
        """The variance of the noise."""
        form = self.closed_form("variance")
        self._must_be_numeric()
        return enclosed(form, digits, f"variance of {self.name}")

    def at(self, values: Mapping[Symbol, Quantity]) -> Self:
        """The same mechanism with numbers for its variables."""
        exact = {v: quantity.quantity(value, str(v)) for v, value in values.items()}
        return type(self)(**{name: _substituted(value, exact)
                             for name, value in self.parameters.items()})

    @property
    def free_symbols(self) -> frozenset[Symbol]:
        """The variables that have no value."""
        return frozenset().union(*(part.free_symbols for value in self.parameters.values()
                                   for part in (value if isinstance(value, tuple) else (value,))
                                   if isinstance(part, Expr)))

    def _must_be_numeric(self) -> None:
        if self.free_symbols:
            names = ", ".join(sorted(map(str, self.free_symbols)))
            raise BadQuantity(f"{self.name} has no number for {names}; closed_form gives the formula")

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{type(self).__name__}({inside})"

    def _repr_latex_(self) -> str:
        return rf"$\delta(\tilde{{\varepsilon}}) = {latex(self.closed_form('delta'))}$"


def one_kind_of_neighbours(mechanisms: Iterable[Mechanism]) -> None:
    """Refuse what speaks for different neighbours: the sum of such losses would speak for none."""
    kinds = {mechanism.neighbours_are: mechanism.name for mechanism in mechanisms if mechanism.neighbours_are}
    if len(kinds) > 1:
        words = ", ".join(f"{name} is for {kind}" for kind, name in kinds.items())
        raise BadQuantity(f"mechanisms go together for one kind of neighbours: {words}")


# --- reading and answering ---------------------------------------------------------------------


def parameter(value: Quantity, name: str, read: Callable[[Quantity, str], Expr]) -> Expr:
    """A parameter of a mechanism: an expression with variables as it is, a number if it reads."""
    if isinstance(value, Expr) and value.free_symbols:
        if value.atoms(sympy.Float):
            raise BadQuantity(f"{name} has a floating-point number in it; write Rational('0.1')")
        return value
    return read(value, name)


def positive(value: Quantity, name: str) -> Expr:
    """A number greater than zero."""
    return within(value, name, 0, None, open_below=True)


def renyi_order(value: Quantity) -> Expr:
    """A positive number or infinity.

    >>> renyi_order("inf"), renyi_order("3/2")
    (oo, 3/2)
    """
    if value in ("inf", "oo", "infinity", math.inf, sympy.oo):
        return sympy.oo
    return positive(value, "alpha")


def enclosed(value: Number, digits: int, theorem: str, note: str = "") -> Enclosure:
    """An exact number as an enclosure; zero is told from small."""
    if sign(value) == 0:
        return Enclosure.exactly(0, theorem, note)
    return enclose(lambda: ball(value), digits_wanted(digits), theorem, note)


def larger(one: Enclosure, other: Enclosure) -> Enclosure:
    """The maximum of two numbers."""
    first = one if one.upper >= other.upper else other
    return replace(first, lower=max(one.lower, other.lower))


def _substituted(value: Any, exact: Mapping[Symbol, Expr]) -> Any:
    if isinstance(value, tuple):
        return tuple(_substituted(part, exact) for part in value)
    return value.subs(exact, simultaneous=True) if isinstance(value, Expr) else value
