r"""The search's own model of the kernel, on SymPy's view of a goal. Not trusted.

It tells a tactic quickly whether an idea works. What it accepts becomes a proof of the kernel on terms
(:mod:`symdp.search.elaboration.steps`), and only that one counts. A tactic hands in a :class:`Step`: the name of a
rule, its parameters, and steps for the premises. That is plain data, and it may be wrong. :func:`verify` asks
each rule which goals its parameters leave open on the goal at hand, and goes on with the premises until
nothing is open. A rule checks its own side conditions and raises :class:`Rejected` when they fail.

What a goal means: *at every point of the domain both sides are defined and real, and the relation
holds between them.*

>>> import symdp.search.view.rules
>>> from symdp.numbers.domain import Domain
>>> from symdp.formulas.parsing import parse_conditions, parse_relation
>>> goal = Goal.of(parse_relation("x^2 + 1 >= x"), Domain.of(parse_conditions("2 <= x <= 3")))
>>> proof = verify(goal, Step("enclosure"))
>>> proof.boxes, sorted(proof.trust)
(1, ['Arb'])
>>> verify(Goal.of(parse_relation("x^2 >= 5"), goal.domain), Step("enclosure"))
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

from symdp.formulas.parsing import to_text
from symdp.formulas.relation import Relation
from symdp.kernel.proof import Proof as FormalProof
from symdp.kernel.proof import Rejected as Rejected
from symdp.kernel.witness import Witness as FormalWitness
from symdp.numbers.domain import Domain, Interval
from symdp.numbers.ranges import NEG_INF, POS_INF, Range, Tape, enclose_constant, precision

DEFAULT_BITS = 64
MOST_BITS = 4096


@dataclass(frozen=True)
class Goal:
    """``left op right`` on the domain, with op one of ``<=``, ``<``, ``==``."""

    domain: Domain
    left: Expr
    op: str
    right: Expr

    def __post_init__(self) -> None:
        if self.op not in ("<=", "<", "=="):
            raise ValueError(f"{self.op!r} is no relation of a goal")

    @classmethod
    def of(cls, relation: Relation, domain: Domain) -> Goal:
        if relation.op in (">=", ">"):
            relation = relation.mirrored()
        return cls(domain, relation.left, relation.op, relation.right)

    @property
    def strict(self) -> bool:
        return self.op == "<"

    @property
    def gap(self) -> Expr:
        return self.right - self.left

    def on(self, domain: Domain) -> Goal:
        return Goal(domain, self.left, self.op, self.right)

    def __str__(self) -> str:
        relation = f"{to_text(self.left)} {self.op} {to_text(self.right)}"
        return f"{relation} for {self.domain}" if self.domain.variables else relation


@dataclass(frozen=True)
class Step:
    """A proposal: this rule, with these parameters, and these steps for its premises."""

    rule: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    premises: tuple[Step, ...] = ()

    def size(self) -> int:
        """The number of leaves."""
        count, stack = 0, [self]
        while stack:
            step = stack.pop()
            # a paving is many leaves in one step
            count += list(step.parameters.get("cuts", (-1,))).count(-1) if not step.premises else 0
            stack.extend(step.premises)
        return count


_SEAL = object()


class Proof:
    """A goal that holds, with the step that shows it. Only the kernel can make one.

    >>> Proof(None, Step("wishful thinking"), frozenset())
    Traceback (most recent call last):
    ...
    TypeError: only the kernel makes a Proof
    """

    __slots__ = ("boxes", "formal", "goal", "step", "trust")

    def __init__(
        self, goal: Goal, step: Step, trust: frozenset[str], seal: object = None
    ) -> None:
        if seal is not _SEAL:
            raise TypeError("only the kernel makes a Proof")
        self.goal, self.step, self.trust, self.boxes = goal, step, trust, step.size()
        #: the kernel's own proof of the goal as it was written; without it nothing is called proved
        self.formal: FormalProof | None = None

    def __reduce__(self) -> tuple[Callable[..., Proof], tuple[Any, ...]]:
        # A proof that travels between processes is verified again where it arrives.
        return _arrived, (self.goal, self.step, self.formal)


class Witness:
    """An exact point at which the kernel sees a goal fail, in SymPy's view. ``left`` and ``right`` are the
    sides as they were written."""

    __slots__ = ("formal", "goal", "left", "point", "right", "violation")

    def __init__(self, goal: Goal, point: Mapping[Symbol, Expr], formal: FormalWitness) -> None:
        self.goal, self.point, self.formal = goal, dict(point), formal
        self.left, self.right, self.violation = formal.left, formal.right, formal.violation

    @classmethod
    def of(cls, goal: Goal, point: Mapping[Symbol, Expr], formal: FormalWitness) -> Witness:
        return cls(goal, {v: point[v] for v in goal.domain.variables}, formal)

    def __reduce__(self) -> tuple[type[Witness], tuple[Any, ...]]:
        return Witness, (self.goal, self.point, self.formal)


def _arrived(goal: Goal, step: Step, formal: FormalProof | None) -> Proof:
    return verify(goal, step) if formal is None else found_proof(goal, step, formal)


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


def tape_of(expr: Expr, domain: Domain) -> Tape:
    key = (expr, domain.variables, domain.integers, domain.conditions, domain.facts)
    if key not in _TAPES:
        if len(_TAPES) > 2000:
            _TAPES.clear()
        _TAPES[key] = Tape(expr, domain.variables, (*domain.conditions, *domain.facts), domain.integers)
    return _TAPES[key]


def range_on(expr: Expr, domain: Domain, bits: int = DEFAULT_BITS) -> Range:
    """An enclosure of the values of an expression on a domain; raises Undefined or Unsupported."""
    with precision(bits):
        return tape_of(expr, domain)(box_of(domain))


# --- the rules -------------------------------------------------------------------------------

Parameters = Mapping[str, Any]
Rule = Callable[[Goal, Parameters], list[Goal]]
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


def verify(goal: Goal, step: Step) -> Proof:
    """The proof that a step proposes, or Rejected with the reason of the first failure."""
    from symdp.search.view import calculus, paving, rules  # noqa: F401 - the rules register themselves

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
    return Proof(goal, step, frozenset(trust), _SEAL)


def found_proof(goal: Goal, step: Step, formal: FormalProof) -> Proof:
    """The search's view of what the kernel has proved."""
    proof = Proof(goal, step, frozenset(), _SEAL)
    proof.formal = formal
    return proof


def describe_point(point: Mapping[Symbol, Expr]) -> str:
    return ", ".join(f"{v} = {value}" for v, value in point.items()) or "the only point"
