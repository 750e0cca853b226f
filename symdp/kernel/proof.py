r"""Proofs, witnesses, and the only functions that make them. **Trusted.**

A search hands in a :class:`Step`: the name of a rule, its parameters, and steps for the premises. That is
plain data, and it may be wrong. :func:`verify` asks each rule which goals its parameters leave open on the
goal at hand, and goes on with the premises until nothing is open. A rule checks its own side conditions,
and raises :class:`Rejected` when they fail. A step from a file is verified by the same code as one that a
search just found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symdp.kernel.goals import Goal, IllFormed, Refusal

DEFAULT_BITS, MOST_BITS = 64, 4096


class Rejected(Refusal):
    """A step does not prove its goal; the reason is one line."""


@dataclass(frozen=True)
class Step:
    """A proposal: this rule, with these parameters, and these steps for its premises."""

    rule: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    premises: tuple[Step, ...] = ()


Parameters = Mapping[str, Any]
#: A rule says which goals are left open; the third argument is what is already proved, by id.
Rule = Callable[[Goal, Parameters], list[Goal]]
RULES: dict[str, Rule] = {}
#: What a rule relies on besides this folder, in words; most rely on nothing.
TRUST: dict[str, frozenset[str]] = {}


def rule(*trust: str) -> Callable[[Rule], Rule]:
    """Register a rule under its name, dashes for underscores."""

    def register(function: Rule) -> Rule:
        name = function.__name__.strip("_").replace("_", "-")
        if name in RULES:
            raise ValueError(f"there are two rules called {name!r}")
        RULES[name], TRUST[name] = function, frozenset(trust)
        return function

    return register


def bits_of(parameters: Parameters) -> int:
    bits = parameters.get("bits", DEFAULT_BITS)
    if type(bits) is not int or not 16 <= bits <= MOST_BITS:
        raise Rejected(f"the precision must be between 16 and {MOST_BITS} bits")
    return bits


#: Shown by whoever makes a Proof or a Witness: the one mark of what the kernel has checked.
_SEAL = object()


class Proof:
    """A goal that holds, with the step that shows it. Only :func:`verify` can make one.

    >>> Proof(None, Step("wishful thinking"), {}, frozenset(), frozenset())
    Traceback (most recent call last):
    ...
    TypeError: only the kernel makes a Proof
    """

    __slots__ = ("goal", "rules", "step", "trust", "uses")

    def __init__(self, goal: Goal, step: Step, uses: Mapping[str, Goal], rules: frozenset[str],
                 trust: frozenset[str], seal: object = None) -> None:
        if seal is not _SEAL:
            raise TypeError("only the kernel makes a Proof")
        self.goal, self.step = goal, step
        #: what was taken as proved, by id
        self.uses, self.rules, self.trust = dict(uses), rules, trust

    def __reduce__(self) -> tuple[Callable[..., Proof], tuple[Any, ...]]:
        # A proof that travels between processes is verified again where it arrives.
        return verify, (self.goal, self.step, self.uses)


def verify(goal: Goal, step: Step, claims: Mapping[str, Goal] | None = None) -> Proof:
    """The proof that a step proposes, or Rejected with the reason of the first failure.

    ``claims`` are goals that may be used by their ids (the rule ``claim``); the proof names those it uses,
    and is worth no more than their proofs.
    """
    Rejected.unless(not goal.facts, "what is to be proved comes without facts")
    return Proof(goal, step, *followed(goal, step, claims), _SEAL)


def followed(goal: Goal, step: Step, claims: Mapping[str, Goal] | None = None
) -> tuple[dict[str, Goal], frozenset[str], frozenset[str]]:
    """The claims, rules and citations that a step uses, if nothing is left open in the end; else Rejected."""
    from symdp.kernel.rules import every_rule  # noqa: F401 - the rules register themselves

    known = dict(claims or {})
    rules: set[str] = set()
    trust: set[str] = set()
    uses: dict[str, Goal] = {}
    stack = [(goal, step)]
    while stack:
        current, proposal = stack.pop()
        name = proposal.rule
        check = RULES.get(name) if isinstance(name, str) else None
        if check is None:
            raise Rejected(f"there is no rule called {str(name)[:40]!r}")
        parameters = proposal.parameters
        if name == "claim":
            used = str(parameters.get("id"))
            Rejected.unless(used in known, f"the claim {used!r} is not among those that are proved")
            uses[used] = known[used]
            parameters = {**parameters, "goal": known[used]}
        try:
            premises = check(current, parameters)
        except (ArithmeticError, IllFormed) as reason:  # undefined, too large, nothing that can be enclosed
            raise Rejected(f"{name}: {reason}") from reason
        except RecursionError as reason:
            raise Rejected(f"{name}: a term is nested too deeply") from reason
        except (KeyError, AttributeError, TypeError, ValueError, IndexError) as reason:
            raise Rejected(f"{name}: malformed parameters ({str(reason)[:120]})") from reason
        if len(premises) != len(proposal.premises):
            raise Rejected(f"{name} leaves {len(premises)} goals open, and {len(proposal.premises)} steps "
                           "were given for them")
        rules.add(name)
        trust |= TRUST[name]
        stack.extend(zip(premises, proposal.premises, strict=True))
    return uses, frozenset(rules), frozenset(trust)
