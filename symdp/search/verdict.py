r"""Verdicts: what became of a claim, and on what grounds.

The word *proved* needs a Proof and the word *refuted* a Witness; both come from the kernel alone. Where a
part of the argument is in words, or was computed by code that the kernel does not check, a claim is
*argued*, for or against.

>>> Verdict(Status.PROVED)
Traceback (most recent call last):
...
TypeError: proved needs a Proof from the kernel
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from flint import arb

from symdp.formulas.parsing import to_text
from symdp.kernel.proof import Proof as FormalProof
from symdp.kernel.rules.orders import Fails
from symdp.kernel.witness import Witness as FormalWitness
from symdp.numbers.ranges import NEG_INF, POS_INF, Range
from symdp.search.evidence import Evidence
from symdp.search.trust import trust_of
from symdp.search.view.goals import Proof, Witness
from symdp.typeset.line_breaks import aligned
from symdp.typeset.numerals import decimal_latex, point_latex
from symdp.typeset.prose import formula_lines, listed, markdown


class Status(StrEnum):
    PROVED = "proved"
    REFUTED = "refuted"
    ARGUED = "argued"
    SUPPORTED = "supported"
    UNDECIDED = "undecided"
    CITED = "cited"
    DERIVED = "derived"
    DRAWN = "drawn"
    ERROR = "error"


#: How a verdict is shown. Only what is proved is green.
COLOURS = {
    Status.PROVED: "green",
    Status.REFUTED: "red",
    Status.ARGUED: "cyan",
    Status.SUPPORTED: "yellow",
    Status.UNDECIDED: "yellow",
    Status.CITED: "blue",
    Status.DERIVED: "green",
    Status.DRAWN: "green",
    Status.ERROR: "magenta",
}
MARKS = {
    Status.PROVED: "✓",
    Status.REFUTED: "✗",
    Status.ARGUED: "∴",
    Status.SUPPORTED: "≈",
    Status.UNDECIDED: "?",
    Status.CITED: "❝",
    Status.DERIVED: "✓",
    Status.DRAWN: "✓",
    Status.ERROR: "!",
}


@dataclass(frozen=True)
class Verdict:
    """The outcome for one claim."""

    status: Status
    #: one line that a person understands
    method: str = ""
    proof: Proof | FormalProof | Evidence | None = None
    witness: Witness | FormalWitness | Evidence | None = None
    seconds: float = 0.0
    #: the boxes that were looked at, also when nothing came of it
    boxes: int = 0
    #: the path of the certificate, where one was written
    certificate: str | None = None
    #: of what is argued: the parts of the argument that no machine checked
    words: tuple[str, ...] = ()
    #: of what is argued: what the kernel has proved on the way
    checked: tuple[str, ...] = ()
    #: of what is argued: whether the argument is against the claim
    against: bool = False

    def __post_init__(self) -> None:
        if self.status is Status.PROVED and not isinstance(formal_of(self.proof), FormalProof):
            raise TypeError("proved needs a Proof from the kernel")
        if self.status is Status.REFUTED and not _refutes(formal_of(self.witness)):
            raise TypeError("refuted needs a Witness from the kernel")
        if self.status is Status.ARGUED and not self.words:
            raise TypeError("what is argued says which part of it is in words")

    @property
    def formal(self) -> FormalProof | FormalWitness | None:
        """The kernel's proof or counterexample."""
        found: FormalProof | FormalWitness | None = formal_of(
            self.proof if self.proof is not None else self.witness)
        return found

    @property
    def trust(self) -> tuple[str, ...]:
        """What the verdict relies on: words first, then what is cited, then the kernel's rules."""
        found = self.formal
        if isinstance(found, FormalProof):
            return trust_of(words=self.words, theorems=found.trust, claims=found.uses, rules=found.rules)
        shown = self.proof if self.proof is not None else self.witness
        return trust_of(words=self.words, theorems=getattr(shown, "trust", ()))

    def __bool__(self) -> bool:
        """True only for what is proved."""
        return self.status is Status.PROVED

    def as_json(self) -> dict[str, Any]:
        return {
            "verdict": self.status.value,
            "method": self.method,
            "trust": list(self.trust),
            **self._argument(),
            "witness": witness_as_json(self.witness) if self.witness else None,
            "seconds": round(self.seconds, 4),
            "boxes": self.boxes,
            "certificate": self.certificate,
        }

    def _argument(self) -> dict[str, Any]:
        if not self.words:
            return {}
        return {"words": list(self.words), "checked": list(self.checked), "against": self.against}

    def __str__(self) -> str:
        text = f"{self.status.value}: {self.method}" if self.method else self.status.value
        if self.witness:
            w = witness_as_json(self.witness)
            if "left" in w:
                text += f"; left {w['left']}, right {w['right']}"
        return text

    def _repr_markdown_(self) -> str:
        reason = self.reason()
        shown = f": {markdown(reason)}" if reason else ""
        return f"{MARKS[self.status]} **{self.status.value}**{shown}"

    def _repr_latex_(self) -> str:
        reason = self.reason()
        rows = formula_lines(f"{self.status.value}: {reason}" if reason else self.status.value, 72)
        return f"${rows[0] if len(rows) == 1 else aligned(rows)}$"

    def reason(self) -> str:
        """The method, or the point at which the claim fails, with formulas between dollar signs."""
        if not isinstance(self.witness, Witness):
            return self.method
        at = listed([f"${part}$" for part in point_latex(self.witness.point)])
        ranges = (self.witness.violation, self.witness.left, self.witness.right)
        violation, left, right = (f"${decimal_latex(digits(r, most=6))}$" for r in ranges)
        return f"it fails at {at} by {violation}: the left side is {left}, the right side {right}"


#: what refutes a claim: a point, or another kind of counterexample that the kernel has checked
REFUTATIONS: tuple[type, ...] = (FormalWitness,)


def _refutes(found: object) -> bool:
    """A point at which a claim fails, or a proof that an order relation does."""
    return isinstance(found, REFUTATIONS) or (
        isinstance(found, FormalProof) and isinstance(found.goal.claim, Fails))


def formal_of(found: object) -> Any:
    """The kernel's own object behind what a search found; None if there is none."""
    if found is None or isinstance(found, (FormalProof, *REFUTATIONS)):
        return found
    return getattr(found, "formal", None)


def witness_as_json(witness: object) -> dict[str, Any]:
    if isinstance(witness, Evidence):
        return witness.as_json()
    if not isinstance(witness, Witness):  # the kernel's own speaks for itself
        return {}
    return {
        **{str(v): to_text(value) for v, value in witness.point.items()},
        "left": digits(witness.left),
        "right": digits(witness.right),
        "violation": digits(witness.violation),
    }


def digits(r: Range, most: int = 12) -> str:
    """A range as a decimal with as many digits as both ends share, or as two ends.

    >>> from symdp.kernel.values.ranges import Range
    >>> digits(Range.between(3, 3))
    '3'
    """
    if r.lo == NEG_INF or r.hi == POS_INF:
        return str(r)
    middle = (r.lo + r.hi) / 2
    ball = arb(middle.mid(), (r.hi - r.lo).upper() / 2 + middle.rad())
    whole = ball.unique_fmpz() if r.lo == r.hi and ball.is_integer() else None
    if whole is not None:
        return str(int(whole))
    return str(ball.str(most, radius=False))
