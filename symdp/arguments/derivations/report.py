r"""What became of a derivation: each line with its standing, and the whole of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sympy import Expr, Symbol

from symdp.arguments.derivations.display import report_lines, report_markdown
from symdp.arguments.derivations.standing import RIGHT, Standing, worst
from symdp.formulas.relation import Relation
from symdp.numbers.domain import Domain
from symdp.search.reasons import Trust
from symdp.search.verdict import Status, Verdict
from symdp.sources.derivations.expressions import show
from symdp.sources.derivations.lines import (
    Cite,
    Conclude,
    Expect,
    Implies,
    Lemma,
    Let,
    Line,
    Link,
    Start,
    Suppose,
    With,
)

if TYPE_CHECKING:
    from symdp.arguments.derivations.citations import CitedResult
    from symdp.kernel.goals import Goal
    from symdp.kernel.proof import Proof
    from symdp.sources.derivations.derivation import Derivation


@dataclass(frozen=True)
class Obligation:
    """One relation on one domain that the kernel had to settle for a step."""

    #: what it is for, such as ``the line`` or ``the cases cover everything``
    role: str
    relation: Relation
    domain: Domain
    verdict: Verdict

    @property
    def is_proved(self) -> bool:
        return self.verdict.status is Status.PROVED

    def as_json(self) -> dict[str, Any]:
        return {"role": self.role, "claim": show(self.relation), "domain": str(self.domain),
                **self.verdict.as_json()}


@dataclass(frozen=True)
class Reduction:
    """The obligations to which a claim was reduced, and what they come to."""

    obligations: tuple[Obligation, ...]
    #: the laws of finite sums that reduced the claim to its obligations
    laws: tuple[str, ...] = ()
    #: why there is no verdict, where the claim could not be reduced
    stuck: str = ""

    @property
    def status(self) -> Status:
        statuses = {o.verdict.status for o in self.obligations}
        if Status.REFUTED in statuses:
            return Status.REFUTED
        if self.stuck or not self.obligations or statuses != {Status.PROVED}:
            return Status.UNDECIDED
        return Status.PROVED

    @property
    def refuted(self) -> Obligation | None:
        return next((o for o in self.obligations if o.verdict.status is Status.REFUTED), None)

    @property
    def method(self) -> str:
        """One line that a person understands."""
        if self.stuck:
            return self.stuck
        chosen = self.refuted or next((o for o in self.obligations if not o.is_proved), None)
        if chosen is not None:
            return str(chosen.verdict)
        methods = dict.fromkeys(o.verdict.method for o in self.obligations)
        return "; ".join([*self.laws, *methods])

    def __add__(self, other: Reduction) -> Reduction:
        return Reduction((*self.obligations, *other.obligations),
                       tuple(dict.fromkeys((*self.laws, *other.laws))), self.stuck or other.stuck)


@dataclass(frozen=True)
class Slack:
    """How much a step gives away at worst: a factor where both sides are positive, else a gap.

    ``at_least`` is certified from below by an enclosure at the point; that nothing is worse is only
    an estimate, unless ``at_most`` was proved.
    """

    kind: str  # "factor" or "difference"
    at_least: str
    point: str
    at_most: str | None = None
    #: the estimate still grew at the edge of what was looked at
    grows: bool = False

    def __str__(self) -> str:
        if self.at_most is not None:
            return f"loses a {self.kind} of at most {self.at_most} (proved sharp)"
        size = "an unbounded" if self.grows else "a"
        return f"loses {size} {self.kind}: {self.at_least} at {self.point}" + (
            "" if self.grows else ", the worst seen")

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "at_least": self.at_least, "at": self.point,
                "at_most": self.at_most, "grows": self.grows,
                "certified": self.at_most is not None}


@dataclass(frozen=True)
class CheckedLine:
    """A line and what became of it."""

    number: str
    step: Line
    standing: Standing
    #: what was settled, with every name replaced by what it stands for
    relation: Relation | None = None
    outcome: Reduction = Reduction(())
    #: one line: why it is proved, where it fails
    why: str = ""
    #: an equality although ``<=`` is printed, a premise that is not needed, ...
    notes: tuple[str, ...] = ()
    loss: Slack | None = None
    #: the lines of a block
    lines: tuple[CheckedLine, ...] = ()
    #: what the kernel has proved of it; the last one is the proof of its relation
    proofs: tuple[Proof, ...] = ()
    #: of what is argued: the parts that no kernel checked
    words: tuple[str, ...] = ()
    #: where a result from elsewhere stands
    citation: CitedResult | None = None

    def walk(self) -> Iterator[CheckedLine]:
        """The line and the lines under it."""
        yield self
        for line in self.lines:
            yield from line.walk()

    @property
    def blamed(self) -> bool:
        return self.standing in (Standing.FALSE, Standing.GAP)

    @property
    def text(self) -> str:
        """The line as plain text."""
        return step_text(self.step, self.relation)

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "line": self.step.line,
            "kind": self.step.kind,
            "label": self.step.label or None,
            "text": self.text,
            "reason": self.step.reason,
            "standing": self.standing.value,
            "goal": str(self.proofs[-1].goal) if self.proofs else None,
            "words": list(self.words),
            "citation": self.citation.as_json() if self.citation else None,
            "why": self.why,
            "notes": list(self.notes),
            "loss": self.loss.as_json() if self.loss else None,
            "laws": list(self.outcome.laws),
            "obligations": [o.as_json() for o in self.outcome.obligations],
            "lines": [line.as_json() for line in self.lines],
        }


def step_text(step: Line, relation: Relation | None) -> str:
    """A step as plain text.

    >>> from symdp.formulas.notation import x
    >>> step_text(Link("<=", x), None)
    '<= x'
    """
    if isinstance(step, Start):
        return show(step.expr)
    if isinstance(step, Link):
        return f"{step.op} {show(step.expr)}"
    if isinstance(step, Let | With):
        word = "let" if isinstance(step, Let) else "with"
        return f"{word} {step.name} = {show(step.expr)}"
    if isinstance(step, Suppose):
        return "suppose " + ", ".join(show(r) for r in step.relations)
    if isinstance(step, Cite):
        said = f": {show(step.relation)}" if step.relation is not None else ""
        return f"{step.says}{said}" + (f" [{step.reference}]" if step.reference else "")
    if isinstance(step, Expect) and step.relation is None:
        return f"expectations: {show(relation)}" if relation is not None else "expectations"
    words = {Conclude: "so ", Implies: "hence ", Lemma: "lemma "}
    word = next((w for kind, w in words.items() if isinstance(step, kind)), "")
    if isinstance(step, Implies) and step.both_ways:
        word = "equivalently "
    if isinstance(step, Lemma):
        word += f"{step.label}: "
    if step.kind in ("cases", "induction", "expect"):
        word = {"cases": "by cases, ", "induction": "by induction, ", "expect": "expectations: "}[step.kind]
    claim: Relation | None = getattr(step, "relation", None)
    scope = ", for " + ", ".join(show(r) for r in step.where) \
        if isinstance(step, Lemma) and step.where else ""
    return f"{word}{show(claim)}{scope}" if claim is not None else word


@dataclass(frozen=True, repr=False)
class Report:
    """A derivation with the standing of each line."""

    derivation: Derivation
    lines: tuple[CheckedLine, ...]
    domain: str
    #: the relation that the derivation shows in the end
    conclusion: Relation | None
    seconds: float = 0.0
    #: what the names in it stand for: abbreviations, and values that were chosen for variables
    names: tuple[tuple[Symbol, Expr], ...] = ()
    #: the conclusion without names
    settled: Relation | None = None
    #: whether it ends in a chain whose signs point both ways, so that nothing is shown of its ends
    turned: bool = False
    #: the kernel's proof of what the derivation shows, from its assumptions and what it cites
    proof: Proof | None = None
    #: why there is none
    stopped: str = ""

    def __post_init__(self) -> None:
        for line in self.walk():
            if line.standing is Standing.PROVED and not line.proofs:
                raise TypeError(f"line {line.number}: proved needs a Proof from the kernel")
            if line.standing is Standing.ARGUED and not line.words:
                raise TypeError(f"line {line.number}: what is argued says which part of it is in words")

    @property
    def goal(self) -> Goal | None:
        return None if self.proof is None else self.proof.goal

    @property
    def shown(self) -> str:
        """What the derivation shows, or claims to show, as text."""
        if self.conclusion is None:
            return ""
        names = ", ".join(f"{name} = {show(value)}" for name, value in self.names)
        return show(self.conclusion) + (f" where {names}" if names else "")

    def walk(self) -> Iterator[CheckedLine]:
        for line in self.lines:
            yield from line.walk()

    @property
    def standing(self) -> Standing:
        """Proved only if every line is, and the kernel has one proof of what is shown in the end."""
        found = worst(line.standing for line in self.walk())
        if found is Standing.GIVEN or (self.turned and found in RIGHT):
            return Standing.UNDECIDED
        if found in RIGHT and self.proof is None and (found is Standing.PROVED or self.conclusion is not None):
            return Standing.ARGUED
        return found

    def __bool__(self) -> bool:
        return self.standing is Standing.PROVED

    @property
    def first_wrong(self) -> CheckedLine | None:
        """The first line that is false or does not follow; of a block, the innermost."""
        return next((line for line in self._innermost_first() if line.blamed), None)

    def _innermost_first(self) -> Iterator[CheckedLine]:
        def visit(line: CheckedLine) -> Iterator[CheckedLine]:
            for inner in line.lines:
                yield from visit(inner)
            yield line

        for line in self.lines:
            yield from visit(line)

    @property
    def words(self) -> tuple[str, ...]:
        """The parts of the argument that no kernel checked."""
        found = [f"line {line.number}: {text}" for line in self.walk() for text in line.words]
        if self.standing is Standing.ARGUED and not found:
            found.append("that the lines, each proved by itself, make one argument"
                         + (f" (the kernel stopped at {self.stopped})" if self.stopped else ""))
        return tuple(found)

    @property
    def trust(self) -> Trust:
        """What the derivation relies on: words first, then what is cited, then the kernel's rules."""
        proofs = [self.proof] if self.proof is not None else [p for line in self.walk() for p in line.proofs]
        return Trust.of(
            words=self.words,
            cited=[line.text for line in self.walk() if line.citation is not None],
            theorems=frozenset().union(*(p.trust for p in proofs)),
            claims=frozenset().union(*(p.uses for p in proofs)),
            rules=frozenset().union(*(p.rules for p in proofs)),
        )

    def as_json(self) -> dict[str, Any]:
        wrong = self.first_wrong
        return {
            "title": self.derivation.title,
            "domain": self.domain,
            "standing": self.standing.value,
            "shown": self.shown,
            "goal": None if self.goal is None else str(self.goal),
            "first_wrong": wrong.number if wrong else None,
            "lines": [line.as_json() for line in self.lines],
            "words": list(self.words),
            **self.trust.as_json(),
            "seconds": round(self.seconds, 4),
        }

    def __repr__(self) -> str:
        return f"<Report on {self.derivation!r}: {len(self.lines)} lines>"

    def __str__(self) -> str:
        return "\n".join(report_lines(self))

    def _repr_markdown_(self) -> str:
        return report_markdown(self)
