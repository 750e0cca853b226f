r"""Formulas and goals: what is to be shown, and what it means. **Trusted.**

A :class:`Relation` holds at a point if **both sides are defined and real there, as they are written**, and
the relation holds between the two values. An :class:`Each` holds if its body holds for every integer in a
range, *every* one; a relation about a member ``a[i]`` with a variable i speaks of this i and no other.

Which operations are defined where is a matter of values alone, so that putting a term for a variable never
changes what a formula means: a/b where b is not 0; log where positive; sqrt where not negative; gamma and
loggamma where positive; a^b where a > 0, or a = 0 < b, or b is an integer and a is not 0 or b is not
negative (0^0 = 1); binomial(n, m) where m is an integer from 0 on (then it is n(n-1)...(n-m+1)/m!), or else
where n+1, m+1 and n-m+1 are positive (then it is a quotient of Gammas). A sum or a product from low to high
has integer bounds, is 0 or 1 where high < low, and is defined where each of its terms is.

A :class:`Goal` says: for all values of the variables (real, or integers) and of the families (functions
from the integers to the reals) at which all hypotheses hold, the claim holds. A hypothesis that is
undefined at a point does not hold there.

>>> from symdp.kernel.terms import number, variable
>>> x = variable("x")
>>> goal = Goal((("x", REAL),), (Relation(number(0), "<", x),), Relation(x / x, "==", number(1)))
>>> print(goal)
x/x == 1 for every real x with 0 < x
>>> Goal((), (), Relation(x, "<=", x))
Traceback (most recent call last):
...
symdp.kernel.goals.IllFormed: nothing says what x is
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

from symdp.kernel import terms
from symdp.kernel.terms import BINDERS, FUNCTIONS, Term, fresh, instantiate, substitute, variable

REAL, INTEGER = "real", "integer"
SORTS = (REAL, INTEGER)
#: How large the formulas of a goal may be together, as they are written out.
LARGEST = 1_000_000
#: Terms that are nested more deeply are not looked into.
DEEPEST = 200
MIRROR = {"<=": ">=", "<": ">", ">=": "<=", ">": "<", "==": "=="}


class Refusal(Exception):
    """What all refusals are: something is not accepted, for a reason in one line.

    >>> Refusal.unless(1 < 2, "one is less than two")
    """

    @classmethod
    def unless(cls, fact: object, reason: str) -> None:
        """Refuse, for that reason, if the fact does not hold."""
        if not fact:
            raise cls(reason)


class IllFormed(Refusal, ValueError):
    """A formula or goal that says nothing: a name without a meaning, an index that is no integer."""


#: what may stand in a certificate besides terms, by the name of its kind
STATED: dict[str, type[Stated]] = {}


class Stated(ABC):  # noqa: B024 - what is abstract differs
    """A formula or a part of one, as a frozen dataclass whose fields say what they hold."""

    def __init_subclass__(cls) -> None:
        STATED[cls.__name__.lower()] = cls


class Formula(Stated):
    """What a goal may assume or claim."""

    #: whether it brings variables and hypotheses of its own with it
    has_domain: ClassVar[bool] = False

    @abstractmethod
    def terms(self) -> Iterator[Term]:
        """Every term in it."""

    @abstractmethod
    def map(self, change: Callable[[Term], Term]) -> Formula:
        """The formula with every term changed; the change must not touch indices of binders."""

    @abstractmethod
    def check(self, whole: Whole) -> None:
        """IllFormed unless every index and bound in it is visibly an integer."""

    @property
    def variables(self) -> frozenset[str]:
        return frozenset().union(*(t.variables for t in self.terms()))

    @property
    def families(self) -> frozenset[str]:
        return frozenset().union(*(t.families for t in self.terms()))

    def substitute(self, values: Mapping[str, Term]) -> Formula:
        return self.map(lambda t: substitute(t, values))

    def substitute_family(self, name: str, body: Term) -> Formula:
        return self.map(lambda t: terms.substitute_family(t, name, body))


@dataclass(frozen=True)
class Relation(Formula):
    """``left op right``: both sides are defined, and the relation holds."""

    left: Term
    op: str
    right: Term

    def __post_init__(self) -> None:
        IllFormed.unless(self.op in MIRROR, f"{str(self.op)[:20]!r} is no relation")

    @property
    def strict(self) -> bool:
        return self.op in ("<", ">")

    @property
    def mirrored(self) -> Relation:
        """The same, read from the other side."""
        return Relation(self.right, MIRROR[self.op], self.left)

    @property
    def normal(self) -> Relation:
        """The same with ``<=``, ``<`` or ``==``, read from the other side where needed."""
        return self.mirrored if self.op in (">=", ">") else self

    @property
    def gap(self) -> Term:
        """Right minus left of the normal form: not negative, positive, or zero."""
        r = self.normal
        return r.right - r.left

    def terms(self) -> Iterator[Term]:
        yield self.left
        yield self.right

    def map(self, change: Callable[[Term], Term]) -> Relation:
        return Relation(change(self.left), self.op, change(self.right))

    def substitute(self, values: Mapping[str, Term]) -> Relation:
        return self.map(lambda t: substitute(t, values))

    def check(self, whole: Whole) -> None:
        for t in self.terms():
            IllFormed.unless(not t.loose, "an index is used outside of its sum")
            whole.check(t)

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


@dataclass(frozen=True)
class Each(Formula):
    """The body for every integer from ``low`` to ``high``; None is no bound.

    The body refers to that integer as ``bound(0)`` (and, nested, further out as usual).
    """

    low: Term | None
    high: Term | None
    body: Relation | Each
    hint: str = field(default="i", compare=False)

    def terms(self) -> Iterator[Term]:
        yield from (t for t in (self.low, self.high) if t is not None)
        yield from self.body.terms()

    def map(self, change: Callable[[Term], Term]) -> Each:
        low, high = (None if t is None else change(t) for t in (self.low, self.high))
        return Each(low, high, self.body.map(change), self.hint)

    def at(self, index: Term) -> Relation | Each:
        """The body at one integer, a term that refers to no index."""
        return _instantiated(self.body, index, 0)

    def check(self, whole: Whole) -> None:
        for t in (self.low, self.high):
            if t is not None:
                IllFormed.unless(not t.loose, "an index is used outside of its sum")
                whole.check(t)
                whole.need(t)
        name = fresh(self.hint, whole.integers | self.variables)
        self.at(variable(name)).check(Whole(whole.integers | {name}, whole.families))

    def __str__(self) -> str:
        name = fresh("i", self.variables | self.families)  # whatever it was called: equal ones read the same
        low = "" if self.low is None else f"{self.low} <= "
        high = "" if self.high is None else f" <= {self.high}"
        return f"{self.at(variable(name))} for every integer {low}{name}{high}"


def _instantiated(body: Relation | Each, index: Term, level: int) -> Relation | Each:
    """A body with a term for the index that is ``level`` quantifiers further out than its own."""
    if isinstance(body, Relation):
        return body.map(lambda t: instantiate(t, index, level))
    low, high = (None if t is None else instantiate(t, index, level) for t in (body.low, body.high))
    return Each(low, high, _instantiated(body.body, index, level + 1), body.hint)


@dataclass(frozen=True)
class Whole:
    """What is visibly an integer: the rule by which indices, bounds and exponents are read."""

    integers: frozenset[str]
    #: families of integers
    families: frozenset[str] = frozenset()

    def __call__(self, term: Term) -> bool:
        return self._sees(term, {}) if term.depth <= DEEPEST else False

    def _sees(self, term: Term, seen: dict[Term, bool]) -> bool:
        if term not in seen:
            seen[term] = self._is_whole(term, seen)
        return seen[term]

    def _is_whole(self, term: Term, seen: dict[Term, bool]) -> bool:
        head, args = term.head, term.args
        if head == "number":
            return bool(term.value.q == 1)
        if head == "variable":
            return term.value in self.integers
        if head in ("bound", "floor"):
            return True
        if head == "member":
            return term.value in self.families
        if head in ("+", "-", "*", "neg", "abs", "min", "max"):
            return all(self._sees(a, seen) for a in args)
        if head == "^":
            base, exponent = args
            return bool(exponent.head == "number" and exponent.value.q == 1 and exponent.value >= 0
                        and self._sees(base, seen))
        return head in BINDERS and self._sees(args[2], seen)

    def need(self, term: Term) -> None:
        if not self(term):
            raise IllFormed(f"it is not seen that {term} is an integer")

    def check(self, term: Term) -> None:
        """Indices of members and bounds of sums are integers."""
        for t in terms.subterms(term):
            if t.head == "member":
                self.need(t.args[0])
            elif t.head in BINDERS:
                self.need(t.args[0])
                self.need(t.args[1])


@dataclass(frozen=True)
class Goal:
    """For all values of variables and families at which the hypotheses hold, the claim holds."""

    #: name -> real or integer, in the order in which they are shown
    sorts: tuple[tuple[str, str], ...]
    hypotheses: tuple[Formula, ...]
    claim: Formula
    #: families of numbers, name -> real or integer
    families: tuple[tuple[str, str], ...] = ()
    #: those of the hypotheses that were shown to follow from the others: they hold at every point of these,
    #: so that a rule which moves a variable among these points may go on using them
    facts: frozenset[Formula] = frozenset()

    def __post_init__(self) -> None:
        IllFormed.unless(self.facts <= set(self.hypotheses), "a fact is not among the hypotheses")
        names = [n for n, _ in (*self.sorts, *self.families)]
        if len(set(names)) < len(names) or any(s not in SORTS for _, s in (*self.sorts, *self.families)):
            raise IllFormed("a name is declared twice, or as nothing that is known")
        # Equal parts are one object, so that a term with few parts may be too long to be looked through.
        if sum(t.size for formula in (*self.hypotheses, self.claim) for t in formula.terms()) > LARGEST:
            raise IllFormed("the formulas are too large")
        for formula in (*self.hypotheses, self.claim):
            for name in sorted(formula.variables - {n for n, _ in self.sorts}):
                raise IllFormed(f"nothing says what {name} is")
            for name in sorted(formula.families - {n for n, _ in self.families}):
                raise IllFormed(f"nothing says what the family {name} is")
            formula.check(self.whole)

    @cached_property
    def whole(self) -> Whole:
        return Whole(frozenset(n for n, s in self.sorts if s == INTEGER),
                     frozenset(n for n, s in self.families if s == INTEGER))

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(n for n, _ in self.sorts)

    @property
    def taken(self) -> frozenset[str]:
        """Names that are in use."""
        return frozenset(n for n, _ in (*self.sorts, *self.families)) | FUNCTIONS.keys()

    @property
    def relation(self) -> Relation:
        """The claim, which must be a relation, in its normal form."""
        if not isinstance(self.claim, Relation):
            raise IllFormed("the claim is no relation")
        return self.claim.normal

    def claiming(self, claim: Formula, *further: Formula) -> Goal:
        """Another claim under the same hypotheses, and perhaps some more."""
        more = tuple(h for h in further if h not in self.hypotheses)
        return replace(self, hypotheses=(*self.hypotheses, *more), claim=claim)

    def knowing(self, *facts: Formula) -> Goal:
        """The same claim, with facts that follow from the hypotheses."""
        new, known = frozenset(facts) - set(self.hypotheses), self.claiming(self.claim, *facts)
        return replace(known, facts=self.facts | new)

    def under(self, hypotheses: tuple[Formula, ...], facts: frozenset[Formula] = frozenset()) -> Goal:
        """The same claim under other hypotheses; a fact that is not named is one hypothesis among others."""
        kept = tuple(dict.fromkeys(hypotheses))
        return replace(self, hypotheses=kept, facts=facts & set(kept))

    def with_variable(self, name: str, sort: str) -> Goal:
        return replace(self, sorts=(*self.sorts, (name, sort)))

    def __str__(self) -> str:
        every, text = spoken(self.sorts, self.families), str(self.claim)
        if self.claim.has_domain and (every or self.hypotheses):  # or its domain would go on into what follows
            text = f"({text})"
        text = f"{text} for every {every}" if every else text
        return f"{text} with {', '.join(map(str, self.hypotheses))}" if self.hypotheses else text


def spoken(sorts: Sequence[tuple[str, str]], families: Sequence[tuple[str, str]] = ()) -> str:
    """All variables and families with what they are: a text that left one out would say more than is proved."""
    kinds = [(kind, [n for n, sort in sorts if sort == kind]) for kind in SORTS]
    kinds += [(word, [n for n, sort in families if sort == kind])
              for word, kind in (("family", REAL), ("family of integers", INTEGER))]
    return " and ".join(f"{word} {', '.join(names)}" for word, names in kinds if names)
