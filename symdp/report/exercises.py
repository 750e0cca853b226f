r"""Exercises that check answers: a formula in any form, a number, or an inequality.

A right formula in another form is recognised by the prover, not by its looks; a wrong one is answered
with a point at which it differs. Nothing here prints the solution unless it is asked for.

>>> exercise("best-advantage").check("(e^eps - 1)/(e^eps + 1)")
Feedback(right=True, says='right: the same as the solution, by algebra')
>>> print(exercise("best-advantage").check("eps/2"))
not yet: at eps = 1 your formula is 0.500000000000, and it should be 0.462117157260
>>> print(exercise("best-advantage").check("eps/2 +"))
not yet: column 8: the text ends where an expression is missing
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from flint import ctx
from sympy import Expr, Rational, Symbol, nan, zoo

from symdp.formulas.balls import Refused, ball
from symdp.formulas.parsing import ParseError, parse_expression, parse_name, parse_relation, to_text
from symdp.formulas.relation import Relation
from symdp.numbers.domain import DomainError
from symdp.search.prove import NotDefined, decide_relation, pose
from symdp.search.status import INKS, inked
from symdp.search.verdict import Status, Verdict, digits
from symdp.search.view.goals import Counterexample
from symdp.typeset.prose import listed

Answer: TypeAlias = str | int | float | Fraction | Decimal | Expr
#: Seconds for the prover; the solutions need one.
BUDGET = 20.0
BITS = 256


class UnknownExercise(LookupError):
    """There is no exercise of that name."""


class BadAnswer(ValueError):
    """An answer that cannot be read; the message says why."""


@dataclass(frozen=True)
class Feedback:
    """What becomes of an answer; true if it is right."""

    right: bool
    says: str

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return self.says

    def _repr_markdown_(self) -> str:
        return inked("✓", INKS[Status.PROVED]) + f" {self.says}" if self.right else \
            inked("✗", INKS[Status.REFUTED]) + f" {self.says}"


@dataclass(frozen=True, repr=False)
class Exercise:
    """A question with a solution.

    A *formula* is compared with the solution on the whole domain. A *number* may be off by
    ``tolerance`` of itself. A *bound* takes the place of ``slot`` in ``claim``, which has to hold
    then; with ``sharp``, nothing better than the solution is possible and nothing less is right. A
    ``family`` says which bounds are meant, with ``one`` for the answer's value where all variables
    are 1: without it, each side of an inequality would be a bound on itself.
    """

    name: str
    title: str
    question: str
    kind: Literal["formula", "number", "bound"]
    #: as a text, such as a student would write
    solution: str
    why: str = ""
    where: tuple[str, ...] = ()
    integer: tuple[str, ...] = ()
    claim: str = ""
    slot: str = ""
    sharp: bool = False
    family: str = ""
    tolerance: str = "0.001"

    def __repr__(self) -> str:  # without the solution
        return f"<Exercise {self.name}: {self.title}>"

    def check(self, answer: Answer) -> Feedback:
        """Whether the answer is right, and if not, where it fails."""
        try:
            if self.kind == "number":
                return self._number(_read(answer))
            if self.kind == "bound":
                return self._bound(answer)
            return self._formula(_read(answer))
        except (BadAnswer, ParseError, DomainError, NotDefined, Refused) as reason:
            return Feedback(False, f"not yet: {reason}")

    def solve(self) -> Solution:
        """The solution with its reason, for whoever asks."""
        return Solution(self.solution, self.why)

    # --- the three kinds ------------------------------------------------------------------------

    def _formula(self, answer: Expr) -> Feedback:
        self._known(answer, self._symbols())
        relation = Relation(answer, "==", parse_expression(self.solution))
        verdict = self._settled(relation)
        if verdict.status is Status.PROVED:
            return Feedback(True, "right: the same as the solution, by algebra")
        if isinstance(verdict.witness, Counterexample):
            mine, its = digits(verdict.witness.left), digits(verdict.witness.right)
            return Feedback(False, f"not yet: at {_point(verdict.witness)} your formula is {mine}, "
                                   f"and it should be {its}")
        return Feedback(False, "not decided: no difference was found, and no proof that there is none; "
                               "try to write it more simply")

    def _number(self, answer: Expr) -> Feedback:
        self._known(answer, frozenset())
        with ctx.workprec(BITS):
            mine, truth = ball(answer), ball(parse_expression(self.solution))
            room = abs(truth) * ball(Rational(self.tolerance))
            gap = mine - truth
            if abs(gap) <= room:
                return Feedback(True, f"right: within {self.tolerance} of itself")
            if abs(gap) > room:
                return Feedback(False, f"not yet: {mine.str(6, radius=False)} is too "
                                       f"{'large' if gap > 0 else 'small'}")
        return Feedback(False, "not decided: the answer lies on the edge of the tolerance")

    def _bound(self, answer: Answer) -> Feedback:
        value = self._in_slot(answer)
        self._known(value, self._symbols())
        if self.family:
            self._of_the_family(value)
        slot = parse_name(self.slot)
        verdict = self._settled(parse_relation(self.claim).subs({slot: value}))
        if isinstance(verdict.witness, Counterexample):
            left, right = digits(verdict.witness.left), digits(verdict.witness.right)
            return Feedback(False, f"not yet: a counterexample is {_point(verdict.witness)}, where the "
                                   f"left side is {left} and the right side {right}")
        if verdict.status is not Status.PROVED:
            return Feedback(False, "not decided: neither a proof nor a counterexample was found")
        if not self.sharp:
            return Feedback(True, "right: the prover agrees on the whole domain")
        best = self._settled(Relation(value, "==", parse_expression(self.solution)))
        if best.status is Status.PROVED:
            return Feedback(True, "right: it holds on the whole domain, and nothing better does")
        return Feedback(False, "not yet: it holds, but something better holds as well")

    def _of_the_family(self, value: Expr) -> None:
        at_one = value.subs(dict.fromkeys(value.free_symbols, 1))
        member = parse_expression(self.family).subs(parse_name("one"), at_one)
        if at_one.has(zoo, nan) or \
                self._settled(Relation(value, "==", member)).status is not Status.PROVED:
            raise BadAnswer("it is not of the form that is asked for")

    def _in_slot(self, answer: Answer) -> Expr:
        """What stands in the slot; a student may also write the whole inequality."""
        if not (isinstance(answer, str) and any(sign in answer for sign in "<>≤≥=")):
            return _read(answer)
        given, asked = parse_relation(answer), parse_relation(self.claim)
        slot = parse_name(self.slot)
        whole, open_side = (asked.left, "right") if asked.right == slot else (asked.right, "left")
        if slot not in (asked.left, asked.right):
            raise BadAnswer(f"give {self.slot} alone, not the whole inequality")
        kept = given.left if open_side == "right" else given.right
        if given.op != asked.op or self._settled(Relation(kept, "==", whole)).status is not Status.PROVED:
            form = f"{to_text(whole)} {asked.op} ..." if open_side == "right" \
                else f"... {asked.op} {to_text(whole)}"
            raise BadAnswer(f"the inequality that is asked for has the form {form}")
        return given.right if open_side == "right" else given.left

    # --- what they share ------------------------------------------------------------------------

    def _symbols(self) -> frozenset[Symbol]:
        parts = [parse_expression(self.solution)]
        if self.claim:
            asked = parse_relation(self.claim)
            parts += [asked.left, asked.right]
        found = frozenset().union(*(e.free_symbols for e in parts))
        conditions = pose("0 <= 1", self.where, integer=self.integer)[1].variables
        return (found | frozenset(conditions)) - ({parse_name(self.slot)} if self.slot else set())

    def _known(self, answer: Expr, known: frozenset[Symbol]) -> None:
        strange = sorted(map(str, answer.free_symbols - known))
        if strange:
            allowed = listed(sorted(map(str, known))) if known else "no variable"
            raise BadAnswer(f"the answer has {listed(strange)} in it; it may have {allowed}")

    def _settled(self, relation: Relation) -> Verdict:
        here = {str(v) for v in relation.symbols}
        chosen, domain, _ = pose(relation, self.where, integer=[v for v in self.integer if v in here])
        return decide_relation(chosen, domain, budget=BUDGET)


@dataclass(frozen=True)
class Solution:
    """A solution and its reason."""

    answer: str
    why: str

    def __str__(self) -> str:
        return f"{self.answer}: {self.why}" if self.why else self.answer

    def _repr_markdown_(self) -> str:
        return f"`{self.answer}` {self.why}".rstrip()


def _read(answer: object) -> Expr:
    """An exact expression; a decimal is what it says, also as a float."""
    if isinstance(answer, bool) or not isinstance(answer, str | int | float | Fraction | Decimal | Expr):
        raise BadAnswer("an answer is a formula as text, such as \"eps/2\", or a number")
    try:
        # through the text, so that a student's Symbol("eps") is the eps of the question
        text = to_text(answer) if isinstance(answer, Expr) else str(answer)
    except TypeError as reason:  # nothing that a formula can say, such as an integral or infinity
        raise BadAnswer(str(reason)) from reason
    except (ValueError, RecursionError) as reason:
        raise BadAnswer("the number is too long, or the formula nested too deeply") from reason
    return parse_expression(text)


def _point(witness: Counterexample) -> str:
    return listed([f"{v} = {to_text(value)}" for v, value in witness.point.items()])


# --- the collection -------------------------------------------------------------------------------


def exercise(name: str) -> Exercise:
    """The exercise of that name.

    >>> exercise("nothing")
    Traceback (most recent call last):
    ...
    symdp.report.exercises.UnknownExercise: there is no exercise 'nothing'; exercises() lists them
    """
    for known in exercises():
        if known.name == name:
            return known
    raise UnknownExercise(f"there is no exercise {name[:60]!r}; exercises() lists them")


@cache
def exercises() -> tuple[Exercise, ...]:
    """All exercises, in the order of the course."""
    text = (files("symdp.report") / "exercises.toml").read_text(encoding="utf-8")
    return tuple(exercises_from(tomllib.loads(text)["exercise"]))


def exercises_from(entries: Iterable[Mapping[str, Any]]) -> Iterable[Exercise]:
    for entry in entries:
        fields: dict[str, Any] = {}
        for key, value in entry.items():
            fields[key] = value.strip() if isinstance(value, str) else value
            if isinstance(value, list):
                fields[key] = tuple(value)
        yield Exercise(**fields)
