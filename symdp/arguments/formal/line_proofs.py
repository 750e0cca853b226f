"""What the kernel has proved of the single lines of a derivation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from symdp.arguments.formal.plain_goals import Unproved
from symdp.formulas.relation import Relation
from symdp.formulas.translation import NotATerm
from symdp.kernel.goals import Formula, Goal, IllFormed
from symdp.kernel.proof import Proof, Rejected, Step
from symdp.sources.derivations.expressions import DerivationError

#: Why there is no proof of a line, in one of these words.
FAILURES = (Unproved, Rejected, IllFormed, NotATerm, DerivationError)


@dataclass
class LineProofs:
    """The proofs of single lines, by their numbers, and why the others have none."""

    #: lines that were seen to be wrong, for which no proof is sought
    wrong: frozenset[str] = frozenset()
    #: what the judge's search has proved on the way, by the numbers of lines
    settled: Mapping[str, tuple[Proof, ...]] = field(default_factory=dict)
    #: what a line is compared with, where that is not its neighbour
    compared: Mapping[str, Relation] = field(default_factory=dict)
    proofs: dict[str, list[Proof]] = field(default_factory=dict)
    open: dict[str, str] = field(default_factory=dict)

    def of(self, number: str) -> tuple[Proof, ...]:
        """What the kernel has proved of a line: everything that it says, or nothing."""
        return () if number in self.open else tuple(self.proofs.get(number, ()))

    def fail(self, number: str, reason: Exception) -> str:
        said = " ".join(str(reason).split())
        self.open.setdefault(number, said)
        return said


@dataclass(frozen=True, eq=False)
class ShownLine:
    """A line that was shown: from what was in force, and from which lines before it."""

    formula: Formula
    relation: Relation
    goal: Goal
    step: Step
    premises: tuple[ShownLine, ...] = ()

    def alone(self) -> Step:
        """A step that shows it from the assumptions alone."""
        step = self.step
        for premise in reversed(self.premises):
            step = Step("cut", {"fact": premise.formula}, (premise.alone(), step))
        return step
