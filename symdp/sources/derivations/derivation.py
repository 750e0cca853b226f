r"""A derivation, written in Python so that it reads like the paper.

Formulas are SymPy expressions, or texts in the grammar of :mod:`symdp.formulas.parsing`.

>>> proof = (
...     Derivation("Centring helps", where=["0 < eps <= 1"])
...     .start("2*tanh(eps/2)")
...     .eq("2*(exp(eps) - 1)/(exp(eps) + 1)", "definition of tanh")
...     .le("exp(eps) - 1", "the denominator is at least 2")
...     .conclude("2*tanh(eps/2) <= exp(eps) - 1")
... )
>>> print(proof.check())
Centring helps: proved
  1    2*tanh(eps/2)
  2 ✓  == 2*(exp(eps) - 1)/(exp(eps) + 1)   [definition of tanh]
  3 ✓  <= exp(eps) - 1   [the denominator is at least 2]; loses a factor: 1.8591 at eps = 1, the worst seen
  4 ✓  so 2*tanh(eps/2) <= exp(eps) - 1
proved: 2*tanh(eps/2) <= exp(eps) - 1, for 0 < eps <= 1
kernel rules: aside, assumption, combine, cut, enclosure, rewrite, transitivity, weaken
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from sympy import Expr, Symbol

import symdp
from symdp.formulas.notation import exact
from symdp.formulas.parsing import parse_conditions, parse_expression, parse_name, parse_relation
from symdp.formulas.printing import to_text
from symdp.formulas.relation import Op, Relation
from symdp.sources.derivations.lines import (
    Branch,
    Cases,
    Cite,
    Conclude,
    Distribution,
    Expect,
    Implies,
    Induction,
    Lemma,
    Let,
    Line,
    Link,
    Start,
    State,
    Suppose,
    Use,
    With,
)

if TYPE_CHECKING:
    from symdp.arguments.derivations.report import Report

Formula: TypeAlias = str | Expr | int
Condition: TypeAlias = str | Relation
Uses: TypeAlias = Use | str | Sequence[Use | str]


def use(label: str, /, **at: Formula) -> Use:
    """A lemma or an earlier line at these values of its variables.

    >>> use("two-point", p="1/2").at
    {p: 1/2}
    """
    return Use(label, {parse_name(name): expression(value) for name, value in at.items()})


def expression(formula: Formula) -> Expr:
    """The expression; a text of which a part cancels, such as x/x, is refused.

    >>> expression("x/x")
    Traceback (most recent call last):
    ...
    ValueError: 1/x cancels in 'x/x'; write what is left
    """
    for part in sorted(cancelled(formula), key=lambda part: part.is_Symbol):
        raise ValueError(f"{to_text(part)} cancels in {formula!r}; write what is left")
    return line_expression(formula)


def line_expression(formula: Formula) -> Expr:
    return parse_expression(formula) if isinstance(formula, str) else exact(formula)


def cancelled(formula: Formula) -> tuple[Expr, ...]:
    """Parts of a text that SymPy cancels, and that must still be defined.

    >>> cancelled("x*log(x)/log(x)")
    (log(x), 1/log(x))
    """
    if not isinstance(formula, str):
        return ()
    parse_expression(formula)  # an error is to point into the formula itself
    return parse_relation(f"{formula} == 0").needs


def relation_of(condition: Condition) -> Relation:
    return parse_relation(condition) if isinstance(condition, str) else condition


def conditions(where: Condition | Iterable[Condition]) -> tuple[Relation, ...]:
    """Each relation of the texts and relations given; a text may be a chain such as 0 < d <= 1."""
    if isinstance(where, str | Relation):
        where = (where,)
    found: list[Relation] = []
    for condition in where:
        found += parse_conditions(condition) if isinstance(condition, str) else [condition]
    return tuple(found)


def _uses(by: Uses) -> tuple[Use, ...]:
    given = [by] if isinstance(by, str | Use) else by
    return tuple(Use(u) if isinstance(u, str) else u for u in given)


@dataclass(frozen=True, init=False, repr=False)
class Derivation:
    """Assumptions, then steps. Every method returns a longer derivation; none changes this one."""

    title: str
    where: tuple[Relation, ...]
    integers: frozenset[Symbol]
    steps: tuple[Line, ...]

    def __init__(
        self,
        title: str = "",
        where: Condition | Iterable[Condition] = (),
        integer: Iterable[str | Symbol] = (),
        steps: Iterable[Line] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "title", title)
        put(self, "where", conditions(where))
        whole = (parse_name(v) if isinstance(v, str) else v for v in integer)
        put(self, "integers", frozenset(whole))
        put(self, "steps", tuple(steps))

    def __repr__(self) -> str:
        return f"<Derivation {self.title!r} of {len(self.steps)} steps>"

    def then(self, step: Line) -> Derivation:
        """The derivation with one more step."""
        return Derivation(self.title, self.where, self.integers, (*self.steps, step))

    # --- chains

    def start(self, expr: Formula, *, label: str = "") -> Derivation:
        """Begin a chain."""
        return self.then(Start(line_expression(expr), label=label, needs=cancelled(expr)))

    def link(self, op: Op, expr: Formula, because: str = "", by: Uses = (), label: str = "") -> Derivation:
        """One more expression of the chain, related to the one before."""
        return self.then(Link(op, line_expression(expr), reason=because, uses=_uses(by), label=label,
                              needs=cancelled(expr)))

    def eq(self, expr: Formula, because: str = "", by: Uses = (), label: str = "") -> Derivation:
        return self.link("==", expr, because, by, label)

    def le(self, expr: Formula, because: str = "", by: Uses = (), label: str = "") -> Derivation:
        return self.link("<=", expr, because, by, label)

    def lt(self, expr: Formula, because: str = "", by: Uses = (), label: str = "") -> Derivation:
        return self.link("<", expr, because, by, label)

    def ge(self, expr: Formula, because: str = "", by: Uses = (), label: str = "") -> Derivation:
        return self.link(">=", expr, because, by, label)

    def gt(self, expr: Formula, because: str = "", by: Uses = (), label: str = "") -> Derivation:
        return self.link(">", expr, because, by, label)

    # --- lines that are relations

    def state(self, claim: Condition, because: str = "", by: Uses = (), label: str = "") -> Derivation:
        """A relation that holds by itself: *note that* ..."""
        return self.then(State(relation_of(claim), reason=because, uses=_uses(by), label=label))

    def implies(self, claim: Condition, because: str = "", by: Uses = (), label: str = "") -> Derivation:
        """A relation that follows from the line before."""
        return self.then(Implies(relation_of(claim), reason=because, uses=_uses(by), label=label))

    def iff(self, claim: Condition, because: str = "", by: Uses = (), label: str = "") -> Derivation:
        """A relation that is equivalent to the line before."""
        step = Implies(relation_of(claim), True, reason=because, uses=_uses(by), label=label)
        return self.then(step)

    def conclude(self, claim: Condition, because: str = "", by: Uses = (), label: str = "") -> Derivation:
        """What the lines so far show."""
        return self.then(Conclude(relation_of(claim), reason=because, uses=_uses(by), label=label))

    # --- names, choices, assumptions, lemmas

    def let(self, name: str | Symbol, expr: Formula) -> Derivation:
        """A new name for an expression."""
        return self.then(Let(_name(name), expression(expr)))

    def choose(self, name: str | Symbol, expr: Formula, because: str = "") -> Derivation:
        """*With lambda = ...*: a value for a variable, from here on."""
        return self.then(With(_name(name), expression(expr), reason=because))

    def suppose(self, *where: Condition) -> Derivation:
        """Further assumptions, in force from here on."""
        return self.then(Suppose(conditions(where)))

    def lemma(
        self,
        label: str,
        claim: Condition,
        where: Condition | Iterable[Condition] = (),
        integer: Iterable[str | Symbol] = (),
        cited: str = "",
    ) -> Derivation:
        """A relation with variables of its own, to be used by name; on trust if it is cited."""
        whole = frozenset(_name(v) for v in integer)
        return self.then(Lemma(relation_of(claim), conditions(where), whole, cited, label=label))

    def cite(
        self, says: str, reference: str = "", claim: Condition | None = None, label: str = ""
    ) -> Derivation:
        """A structural step that rests on a theorem from elsewhere."""
        relation = None if claim is None else relation_of(claim)
        return self.then(Cite(says, reference, relation, label=label))

    # --- structure

    def cases(
        self,
        claim: Condition,
        *branches: tuple[Condition | Iterable[Condition], Callable[[Derivation], Derivation] | None],
        because: str = "",
        label: str = "",
    ) -> Derivation:
        """A case distinction: each branch is a condition, and steps under it (or None).

        >>> d = Derivation().cases("abs(x) >= x", ("x >= 0", None), ("x < 0", None))
        >>> d.check().standing.value
        'proved'
        """
        found = tuple(Branch(conditions(where), _steps(body)) for where, body in branches)
        return self.then(Cases(found, relation_of(claim), reason=because, label=label))

    def induction(
        self,
        over: str | Symbol,
        claim: Condition,
        first: Formula = 1,
        base: Callable[[Derivation], Derivation] | None = None,
        step: Callable[[Derivation], Derivation] | None = None,
        because: str = "",
        label: str = "",
    ) -> Derivation:
        """The claim for all integers from ``first`` on.

        >>> d = Derivation(where=["k >= 1"], integer=["k"]).induction("k", "2^k >= 1 + k")
        >>> d.check().standing.value
        'proved'
        """
        return self.then(Induction(_name(over), expression(first), relation_of(claim),
                                   _steps(base), _steps(step), reason=because, label=label))

    def expect(
        self,
        variable: str | Symbol,
        atoms: Iterable[tuple[Formula, Formula]],
        claim: Condition | None = None,
        because: str = "",
        label: str = "",
    ) -> Derivation:
        """Expectations on both sides of the line before, over (value, mass) pairs."""
        law = Distribution(_name(variable), tuple((expression(v), expression(m)) for v, m in atoms))
        written = None if claim is None else relation_of(claim)
        return self.then(Expect(law, written, reason=because, label=label))

    # --- checking and showing

    def check(
        self,
        *,
        budget: float = 10.0,
        sharpen: bool = False,
        advance: Callable[[str, int, int], None] = lambda what, done, total: None,
    ) -> Report:
        """Settle every step; ``budget`` is the number of seconds for each relation that it takes.

        With ``sharpen``, the factor that a step loses is certified from both sides where possible.
        """
        report: Report = symdp.check_derivation(self, budget=budget, sharpen=sharpen, advance=advance)
        return report

    def _repr_markdown_(self) -> str:
        return str(symdp.derivation_markdown(self))


def _name(name: str | Symbol) -> Symbol:
    return parse_name(name) if isinstance(name, str) else name


def _steps(body: Callable[[Derivation], Derivation] | None) -> tuple[Line, ...]:
    return () if body is None else body(Derivation()).steps

