r"""Verdicts: what became of a claim, and on what grounds.

The word *proved* needs a Proof and the word *refuted* a Witness; both come from the kernel alone. Where a
part of the argument is in words, or was computed by code that the kernel does not check, a claim is
*argued*, for or against.

>>> Verdict(Status.PROVED)
Traceback (most recent call last):
...
TypeError: proved needs a Proof from the kernel

What may stand behind a verdict besides a Proof or a Witness of the kernel is :class:`Evidence`. A kind of it is a
class whose objects are made only by a function that checks them. It names what it relies on, and can be written down
as a certificate and made anew from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import arb

from symdp.formulas.parsing import to_text
from symdp.kernel.proof import Proof
from symdp.kernel.rules.orders import Fails
from symdp.kernel.witness import Witness
from symdp.numbers.ranges import NEG_INF, POS_INF, Range
from symdp.search.certificates import document_of
from symdp.search.reasons import Trust, typeset
from symdp.search.status import COLOURS as COLOURS
from symdp.search.status import INKS, inked
from symdp.search.status import MARKS as MARKS
from symdp.search.status import Status as Status
from symdp.search.view.goals import Counterexample, Sketch
from symdp.typeset.line_breaks import aligned
from symdp.typeset.numerals import decimal_latex, point_latex
from symdp.typeset.prose import formula_lines, listed, markdown


class Evidence:
    """An argument for a claim, or a counterexample to it."""

    #: the kernel's own proof or counterexample; without it the claim is argued at best
    formal: Any = None
    #: what it relies on besides the kernel
    trust: frozenset[str] = frozenset()
    #: enclosures that the kernel looked at
    boxes: int = 0
    #: whether it speaks for the claim or against it
    supports: bool = True

    def certificate(self, name: str) -> dict[str, Any]:
        """The JSON document from which it can be made anew."""
        return document_of(self.formal, name)

    def as_json(self) -> dict[str, Any]:
        """What a reader of a counterexample wants to see: a point, a construction."""
        return {}

    def explanation(self) -> list[str]:
        """The argument in lines, as a person would write it."""
        return []


class Departure(Evidence):
    """The kernel's proof that an order relation fails, with the path along which it does."""

    supports = False

    def __init__(self, proof: Proof) -> None:
        if not isinstance(proof.goal.claim, Fails):
            raise TypeError("this does not say that an order relation fails")
        self.formal, self.trust = proof, proof.trust

    @property
    def path(self) -> dict[str, str]:
        return {v: str(e) for v, e in self.formal.step.parameters["path"].items()}

    def as_json(self) -> dict[str, Any]:
        return {**self.path, "ratio": str(self.formal.step.parameters.get("ratio", ""))}


@dataclass(frozen=True, repr=False)
class Verdict:
    """The outcome for one claim."""

    status: Status
    #: one line that a person understands; a :class:`Reason` where there are formulas in it
    method: str = ""
    proof: Sketch | Proof | Evidence | None = None
    witness: Counterexample | Witness | Evidence | None = None
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
        if self.status is Status.PROVED and not isinstance(formal_of(self.proof), Proof):
            raise TypeError("proved needs a Proof from the kernel")
        if self.status is Status.REFUTED and not _refutes(formal_of(self.witness)):
            raise TypeError("refuted needs a Witness from the kernel")
        if self.status is Status.ARGUED and not self.words:
            raise TypeError("what is argued says which part of it is in words")

    @property
    def formal(self) -> Proof | Witness | None:
        """The kernel's proof or counterexample."""
        found: Proof | Witness | None = formal_of(
            self.proof if self.proof is not None else self.witness)
        return found

    @property
    def trust(self) -> Trust:
        """What the verdict relies on: words first, then what is cited, then the kernel's rules."""
        found = self.formal
        if isinstance(found, Proof):
            return Trust.of(words=self.words, theorems=found.trust, claims=found.uses, rules=found.rules)
        shown = self.proof if self.proof is not None else self.witness
        return Trust.of(words=self.words, theorems=getattr(shown, "trust", ()))

    def __bool__(self) -> bool:
        """True only for what is proved."""
        return self.status is Status.PROVED

    def as_json(self) -> dict[str, Any]:
        return {
            "verdict": self.status.value,
            "method": self.method,
            **self.trust.as_json(),
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

    def __repr__(self) -> str:
        return f"<Verdict {self}>"

    def _repr_markdown_(self) -> str:
        reason = self.reason()
        shown = f": {markdown(reason)}" if reason else ""
        return inked(f"{MARKS[self.status]} **{self.status.value}**", INKS[self.status]) + shown

    def _repr_latex_(self) -> str:
        reason = self.reason()
        rows = formula_lines(f"{self.status.value}: {reason}" if reason else self.status.value, 72)
        return f"${rows[0] if len(rows) == 1 else aligned(rows)}$"

    def reason(self) -> str:
        """The method, or the point at which the claim fails, with formulas between dollar signs."""
        if not isinstance(self.witness, Counterexample):
            return typeset(self.method)
        at = listed([f"${part}$" for part in point_latex(self.witness.point)])
        ranges = (self.witness.violation, self.witness.left, self.witness.right)
        violation, left, right = (f"${decimal_latex(digits(r, most=6))}$" for r in ranges)
        return f"it fails at {at} by {violation}: the left side is {left}, the right side {right}"


#: what refutes a claim: a point, or another kind of counterexample that the kernel has checked
REFUTATIONS: tuple[type, ...] = (Witness,)


def _refutes(found: object) -> bool:
    """A point at which a claim fails, or a proof that an order relation does."""
    return isinstance(found, REFUTATIONS) or (
        isinstance(found, Proof) and isinstance(found.goal.claim, Fails))


def formal_of(found: object) -> Any:
    """The kernel's own object behind what a search found; None if there is none."""
    if found is None or isinstance(found, (Proof, *REFUTATIONS)):
        return found
    return getattr(found, "formal", None)


def witness_as_json(witness: object) -> dict[str, Any]:
    if isinstance(witness, Evidence):
        return witness.as_json()
    if not isinstance(witness, Counterexample):  # the kernel's own speaks for itself
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
    >>> digits(Range(arb("-1e-40"), arb("1e-40")))
    '0'
    """
    if r.lo == NEG_INF or r.hi == POS_INF:
        return str(r)
    middle = (r.lo + r.hi) / 2
    ball = arb(middle.mid(), (r.hi - r.lo).upper() / 2 + middle.rad())
    whole = ball.unique_fmpz() if r.lo == r.hi and ball.is_integer() else None
    if whole is not None:
        return str(int(whole))
    shown = str(ball.str(most, radius=False))
    return "0" if shown.startswith("0e") else shown  # Arb writes 0e-37 for what lies between -1e-37 and 1e-37
