r"""The search's own model of the kernel, on SymPy's view of a goal. Not trusted.

It tells a tactic quickly whether an idea works. What it accepts becomes a proof of the kernel on terms
(:mod:`symdp.search.elaboration.steps`), and only that one counts. A tactic hands in a :class:`Move`: the name of a
rule, its parameters, and moves for the premises. That is plain data, and it may be wrong. :func:`sketch` asks
each rule which targets its parameters leave open on the target at hand, and goes on with the premises until
nothing is open. A rule checks its own side conditions and raises :class:`Rejected` when they fail.

What a target means: *at every point of the domain both sides are defined and real, and the relation
holds between them.*

>>> import symdp.search.view.rules
>>> from symdp.numbers.domain import Domain
>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> goal = Target.of(parse_relation("x^2 + 1 >= x"), Domain.of(parse_conditions("2 <= x <= 3")))
>>> proof = sketch(goal, Move("enclosure"))
>>> proof.boxes, sorted(proof.trust)
(1, ['Arb'])
>>> sketch(Target.of(parse_relation("x^2 >= 5"), goal.domain), Move("enclosure"))
Traceback (most recent call last):
...
symdp.kernel.proof.Rejected: x^2 - 5 ranges over [-1, 4] on 2 <= x <= 3
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from sympy import Expr, Symbol, oo

from symdp.formulas.functions import unfolded
from symdp.formulas.parsing import to_text
from symdp.formulas.relation import Relation
from symdp.kernel.proof import Proof, Rejected
from symdp.kernel.witness import Witness
from symdp.numbers.domain import Domain, Interval
from symdp.numbers.ranges import NEG_INF, POS_INF, Range, Tape, enclose_constant, precision

DEFAULT_BITS = 64
MOST_BITS = 4096


@dataclass(frozen=True)
class Target:
    """What a tactic works on: ``left op right`` on the domain, with op one of ``<=``, ``<``, ``==``."""

    domain: Domain
    left: Expr
    op: str
    right: Expr

    def __post_init__(self) -> None:
        if self.op not in ("<=", "<", "=="):
            raise ValueError(f"{self.op!r} is no relation of a goal")

    @classmethod
    def of(cls, relation: Relation, domain: Domain) -> Target:
        if relation.op in (">=", ">"):
            relation = relation.mirrored()
        return cls(domain, unfolded(relation.left), relation.op, unfolded(relation.right))

    @property
    def strict(self) -> bool:
        return self.op == "<"

    @property
    def gap(self) -> Expr:
        return self.right - self.left

    def on(self, domain: Domain) -> Target:
        return Target(domain, self.left, self.op, self.right)

    def __str__(self) -> str:
        relation = f"{to_text(self.left)} {self.op} {to_text(self.right)}"
        return f"{relation} for {self.domain}" if self.domain.variables else relation


@dataclass(frozen=True)
class Move:
    """What a tactic proposes: this rule, with these parameters, and these moves for its premises."""

    rule: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    premises: tuple[Move, ...] = ()

    def size(self) -> int:
        """The number of leaves."""
        count, stack = 0, [self]
        while stack:
            step = stack.pop()
            # a paving is many leaves in one step
            count += list(step.parameters.get("cuts", (-1,))).count(-1) if not step.premises else 0
            stack.extend(step.premises)
        return count


@dataclass(frozen=True)
class Sketch:
    """A target with the move that shows it in SymPy's view: a proof in outline, which :func:`sketch` makes.

    Anybody may make one, and it is worth nothing by itself: what counts is the kernel's proof in ``formal``.
    """

    goal: Target
    step: Move
    trust: frozenset[str] = frozenset()
    #: the kernel's own proof of the goal as it was written; without it nothing is called proved
    formal: Proof | None = None

    @property
    def boxes(self) -> int:
        return self.step.size()


class Counterexample:
    """An exact point at which the kernel sees a goal fail, in SymPy's view. ``left`` and ``right`` are the
    sides as they were written."""

    __slots__ = ("formal", "goal", "left", "point", "right", "violation")

    def __init__(self, goal: Target, point: Mapping[Symbol, Expr], formal: Witness) -> None:
        self.goal, self.point, self.formal = goal, dict(point), formal
        self.left, self.right, self.violation = formal.left, formal.right, formal.violation

    @classmethod
    def of(cls, goal: Target, point: Mapping[Symbol, Expr], formal: Witness) -> Counterexample:
        return cls(goal, {v: point[v] for v in goal.domain.variables}, formal)

    def __reduce__(self) -> tuple[type[Counterexample], tuple[Any, ...]]:
        return Counterexample, (self.goal, self.point, self.formal)


# --- boxes and tapes -------------------------------------------------------------------------


@lru_cache(maxsize=20_000)
def range_of(interval: Interval) -> Range:
    """The interval with its ends rounded outward."""
    lo = NEG_INF if interval.lower == -oo else enclose_constant(interval.lower).lo
    hi = POS_INF if interval.upper == oo else enclose_constant(interval.upper).hi
    return Range(lo, hi, interval.lower_open, interval.upper_open)


def box_of(domain: Domain) -> list[Range]:
    return [range_of(interval) for interval in domain.intervals.values()]


_TAPES: dict[tuple[object, ...], Tape] = {}


def _rounded_bounds(domain: Domain) -> tuple[Relation, ...]:
    """The bounds of variables that a box holds only roughly, such as x < pi/2."""
    if all(end.is_Rational or end in (oo, -oo) for i in domain.intervals.values() for end in (i.lower, i.upper)):
        return ()
    return tuple(r for r in Domain(domain.intervals).relations() if not r.right.is_Rational)


def tape_of(expr: Expr, domain: Domain) -> Tape:
    given = (*_rounded_bounds(domain), *domain.conditions, *domain.facts)
    key = (expr, domain.variables, domain.integers, given)
    if key not in _TAPES:
        if len(_TAPES) > 2000:
            _TAPES.clear()
        _TAPES[key] = Tape(expr, domain.variables, given, domain.integers)
    return _TAPES[key]


def range_on(expr: Expr, domain: Domain, bits: int = DEFAULT_BITS) -> Range:
    """An enclosure of the values of an expression on a domain; raises Undefined or Unsupported."""
    with precision(bits):
        return tape_of(expr, domain)(box_of(domain))


# --- the rules -------------------------------------------------------------------------------

Parameters = Mapping[str, Any]
Rule = Callable[[Target, Parameters], list[Target]]
RULES: dict[str, Rule] = {}
TRUST: dict[str, frozenset[str]] = {}


def rule(*trust: str) -> Callable[[Rule], Rule]:
    """Register a rule under its name, with what it relies on besides this file."""

    def register(function: Rule) -> Rule:
        name = function.__name__.strip("_").replace("_", "-")
        RULES[name], TRUST[name] = function, frozenset(trust)
        return function

    return register


def bits_of(parameters: Parameters) -> int:
    bits = parameters.get("bits", DEFAULT_BITS)
    if not isinstance(bits, int) or not 16 <= bits <= MOST_BITS:
        raise Rejected(f"the precision must be between 16 and {MOST_BITS} bits")
    return bits


# --- verification ----------------------------------------------------------------------------


def sketch(goal: Target, step: Move) -> Sketch:
    """The proof in outline that a move proposes, or Rejected with the reason of the first failure."""
    trust: set[str] = set()
    stack = [(goal, step)]
    while stack:
        current, proposal = stack.pop()
        check = RULES.get(proposal.rule) if isinstance(proposal.rule, str) else None
        if check is None:
            raise Rejected(f"there is no rule called {proposal.rule!r}")
        try:
            premises = check(current, proposal.parameters)
            trust |= TRUST[proposal.rule]
        except ArithmeticError as reason:  # Undefined, Unsupported and TooLarge among them
            raise Rejected(f"{proposal.rule}: {reason}") from reason
        except (KeyError, AttributeError, TypeError, ValueError) as reason:
            raise Rejected(f"{proposal.rule}: malformed parameters ({reason})") from reason
        if len(premises) != len(proposal.premises):
            raise Rejected(
                f"{proposal.rule} leaves {len(premises)} goals open, "
                f"but {len(proposal.premises)} steps were given for them"
            )
        stack.extend(zip(premises, proposal.premises, strict=True))
    return Sketch(goal, step, frozenset(trust))


def describe_point(point: Mapping[Symbol, Expr]) -> str:
    return ", ".join(f"{v} = {value}" for v, value in point.items()) or "the only point"
