r"""The lines of a derivation, as plain data: what an author writes, before anybody checks it.

A line never carries its verdict. Checking is the business of :mod:`symdp.arguments.derivations.checking`.

>>> from symdp.formulas.notation import x
>>> Link("<=", x + 1, reason="x is at most x + 1").expr
x + 1
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from sympy import Add, Expr, Integer, Mul, Symbol

from symdp.formulas.relation import Op, Relation
from symdp.sources.derivations.expressions import insert


@dataclass(frozen=True)
class Use:
    """A lemma or an earlier line, by its label, at these values of its variables."""

    label: str
    at: Mapping[Symbol, Expr] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Line:
    """What every line may have."""

    reason: str = field(default="", kw_only=True)
    #: under which later lines may refer to it
    label: str = field(default="", kw_only=True)
    uses: tuple[Use, ...] = field(default=(), kw_only=True)
    #: the line of the file it was read from
    line: int | None = field(default=None, kw_only=True, compare=False)
    #: parts of the formula that must be defined although SymPy has simplified them away
    needs: tuple[Expr, ...] = field(default=(), kw_only=True, compare=False)

    kind: ClassVar[str] = ""


@dataclass(frozen=True)
class Start(Line):
    """The first expression of a chain."""

    expr: Expr
    kind: ClassVar[str] = "start"


@dataclass(frozen=True)
class Link(Line):
    """``op expr``, said of the expression in the line before."""

    op: Op
    expr: Expr
    kind: ClassVar[str] = "link"


@dataclass(frozen=True)
class State(Line):
    """A relation that holds by itself under the assumptions in force."""

    relation: Relation
    kind: ClassVar[str] = "state"


@dataclass(frozen=True)
class Implies(Line):
    """A relation that follows from the one before; with ``both_ways``, and the other way round."""

    relation: Relation
    both_ways: bool = False
    kind: ClassVar[str] = "implies"


@dataclass(frozen=True)
class Let(Line):
    """An abbreviation: a new name for an expression."""

    name: Symbol
    expr: Expr
    kind: ClassVar[str] = "let"


@dataclass(frozen=True)
class With(Line):
    """A choice: from here on a variable has that value, which must lie where the variable lives."""

    name: Symbol
    expr: Expr
    kind: ClassVar[str] = "with"


@dataclass(frozen=True)
class Suppose(Line):
    """A further assumption, in force from here on."""

    relations: tuple[Relation, ...]
    kind: ClassVar[str] = "suppose"


@dataclass(frozen=True)
class Lemma(Line):
    """A relation with variables and conditions of its own; cited where a reference is given."""

    relation: Relation
    where: tuple[Relation, ...] = ()
    integers: frozenset[Symbol] = frozenset()
    reference: str = ""
    kind: ClassVar[str] = "lemma"


@dataclass(frozen=True)
class Cite(Line):
    """A structural line that rests on a theorem from elsewhere. Never more than cited.

    A ``relation``, where the theorem yields one, may be used by later lines.
    """

    says: str
    reference: str = ""
    relation: Relation | None = None
    kind: ClassVar[str] = "cite"


@dataclass(frozen=True)
class Branch:
    """One case: its conditions and the lines under them."""

    where: tuple[Relation, ...]
    steps: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Cases(Line):
    """A case distinction: together the cases cover the domain, and each shows the relation."""

    branches: tuple[Branch, ...]
    relation: Relation
    kind: ClassVar[str] = "cases"


@dataclass(frozen=True)
class Induction(Line):
    """The relation for all integers ``variable`` from ``first`` on.

    Steps may be given for the base (where the variable is ``first``) and for the step (from the
    variable to the next integer); under the latter, the label ``hypothesis`` is known.
    """

    variable: Symbol
    first: Expr
    relation: Relation
    base: tuple[Line, ...] = ()
    step: tuple[Line, ...] = ()
    kind: ClassVar[str] = "induction"


@dataclass(frozen=True)
class Distribution:
    """A random variable with finitely many values.

    >>> from symdp.formulas.notation import p, x
    >>> Distribution(x, ((p, 1 - p), (-p, p))).mean(x**2)
    p**3 + p**2*(1 - p)
    """

    variable: Symbol
    #: (value, mass) of each atom
    atoms: tuple[tuple[Expr, Expr], ...]

    @property
    def conditions(self) -> tuple[Relation, ...]:
        """That it is a law: no mass is negative, and together they are 1. What is plain is left out."""
        masses = [mass for _, mass in self.atoms]
        total = Add(*masses)
        signs = tuple(Relation(mass, ">=", Integer(0)) for mass in masses if not mass.is_nonnegative)
        return signs if total == 1 else (*signs, Relation(total, "==", Integer(1)))

    def mean(self, expr: Expr) -> Expr:
        """The expectation, written out."""
        return Add(*(Mul(mass, insert(expr, {self.variable: value})) for value, mass in self.atoms))


@dataclass(frozen=True)
class Expect(Line):
    """The expectation of the relation before; ``relation`` is how the author writes the result."""

    distribution: Distribution
    relation: Relation | None = None
    kind: ClassVar[str] = "expect"


@dataclass(frozen=True)
class Conclude(Line):
    """What the lines so far show."""

    relation: Relation
    kind: ClassVar[str] = "conclude"
