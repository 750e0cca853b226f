r"""The analytic proofs inside of a certificate: those that speak of real numbers and functions only.

A guarantee, an order relation or a sum is no statement of analysis, but its proof comes down to some that are. A
*piece* is a goal of the proof, as far up as possible, that is a relation between formulas that the exported language
has words for, proved by rules of logic and analysis alone. It is a goal of its own, so that Coq can be asked about it
even where the whole is not exported.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from symdp.formal.printing import conditions, relation
from symdp.formal.refusals import NotExportable
from symdp.kernel.certificate import BadCertificate, Reader
from symdp.kernel.goals import Formula, Goal, IllFormed, Relation
from symdp.kernel.proof import RULES, Rejected, Step, followed
from symdp.kernel.rules import every_rule  # noqa: F401 - rules register themselves
from symdp.kernel.terms import BINDERS, subterms

#: Rules of logic and analysis, by which a piece is proved.
ANALYTIC = frozenset(
    "enclosure paving assumption cut weaken cases contradiction transitivity both replace rewrite lemma aside "
    "branches combine monotone convex concave".split())


@dataclass(frozen=True)
class AnalyticPart:
    """An analytic goal with its proof, and the claim in whose certificate it stands."""

    goal: Goal
    step: Step
    claim: str

    @property
    def key(self) -> str:
        """Equal for equal goals with equal proofs."""
        found, stack = hashlib.sha256(str(self.goal).encode()), [self.step]
        while stack:
            current = stack.pop()
            found.update(f"{current.rule} {len(current.premises)} {_text(current.parameters)}".encode())
            stack += current.premises
        return found.hexdigest()[:16]


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{k}:{_text(v)}" for k, v in sorted(value.items())) + "}"
    return "[" + ",".join(map(_text, value)) + "]" if isinstance(value, (list, tuple)) else str(value)


def speaks(formula: Formula) -> bool:
    """Whether a formula is a relation that the exported language has words for."""
    if not isinstance(formula, Relation) or formula.families:
        return False
    if any(s.head in BINDERS for t in formula.terms() for s in subterms(t)):
        return False
    try:
        return bool(relation(formula)) and conditions(*formula.terms()) is not None
    except NotExportable:
        return False


def is_analytic(step: Step) -> bool:
    stack = [step]
    while stack:
        current = stack.pop()
        if current.rule not in ANALYTIC:
            return False
        stack += current.premises
    return True


def pieces(document: Mapping[str, Any], known: Mapping[str, Goal]) -> Iterator[AnalyticPart]:
    """The pieces of a certificate whose proof uses these claims."""
    reader, claim = Reader(document.get("terms")), str(document.get("name", ""))
    goal, step = reader.goal(document["goal"]), reader.steps(document["steps"])
    # With each goal, its facts: how they were shown, from the first on.
    stack: list[tuple[Goal, Step, tuple[tuple[Goal, Step], ...]]] = [(goal, step, ())]
    while stack:
        goal, step, facts = stack.pop()
        if speaks(goal.claim) and is_analytic(step) and (found := alone(goal, step, facts)) is not None:
            yield AnalyticPart(*found, claim)
            continue
        parameters = step.parameters
        if step.rule == "claim":
            used = str(parameters.get("id"))
            BadCertificate.unless(used in known, f"it uses {used[:80]}, which is not among the certificates")
            parameters = {**parameters, "goal": known[used]}
        left = RULES[step.rule](goal, parameters)
        shown = (*facts, (left[0], step.premises[0])) if step.rule == "cut" else facts
        stack += [(g, below, shown) for g, below in zip(left, step.premises, strict=True)]


def alone(goal: Goal, step: Step, facts: tuple[tuple[Goal, Step], ...] = ()) -> tuple[Goal, Step] | None:
    """A goal of a proof as a theorem of its own, which it is if the kernel accepts it so: without the hypotheses that
    the language has no words for, and with facts as premises, or else shown again."""
    kept = tuple(h for h in goal.hypotheses if speaks(h))
    plain = replace(goal, hypotheses=kept, facts=frozenset(), families=())
    if _accepted(plain, step):
        return plain, step
    again = [(g, s) for g, s in facts if g.claim in goal.facts and speaks(g.claim) and is_analytic(s)]
    assumed = tuple(h for h in kept if h not in {g.claim for g, _ in again})
    whole, proof = replace(plain, hypotheses=assumed), step
    for g, s in reversed(again):
        proof = Step("cut", {"fact": g.claim}, (s, proof))
    return (whole, proof) if again and _accepted(whole, proof) else None


def _accepted(goal: Goal, step: Step) -> bool:
    try:
        followed(goal, step)
    except (Rejected, IllFormed, ArithmeticError):
        return False
    return True
