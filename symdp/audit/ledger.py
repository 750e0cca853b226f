"""What a notebook has shown: claims with their verdicts, each looked at a second time.

The second look uses nothing of the search: a witness must lie in the domain and violate the claim,
and a claim that is proved must not fail at a simple point.

>>> from symdp.sources.registry import claim
>>> ledger = Ledger()
>>> shown = ledger.enter(claim("kov/thm-3.1"), Verdict(Status.UNDECIDED, "not tried"))
>>> ledger.holds()
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sympy import Expr, Symbol

from symdp.audit.settling.dispatch import settle
from symdp.formulas.relation import Op, Relation
from symdp.numbers.domain import find_point, holds_at
from symdp.search.prove import DEFAULT_BUDGET
from symdp.search.reasons import told
from symdp.search.status import INKS, inked
from symdp.search.verdict import MARKS, Status, Verdict
from symdp.search.view.goals import Counterexample
from symdp.sources.registry import claim as claim_of
from symdp.sources.statement import Claim
from symdp.typeset.line_breaks import SCREEN
from symdp.typeset.prose import markdown, sentence

_CONTRARY: dict[Op, tuple[Op, ...]] = {
    "<=": (">",), "<": (">", "=="), ">=": ("<",), ">": ("<", "=="), "==": ("<", ">"),
}


def fails_at(relation: Relation, point: Mapping[Symbol, Expr]) -> bool:
    """Whether a relation is certainly false at a point.

    >>> from sympy import Rational
    >>> from symdp.formulas.notation import x
    >>> fails_at(Relation(x, "<", Rational(1)), {x: Rational(1)})
    True
    """
    contraries = (Relation(relation.left, op, relation.right) for op in _CONTRARY[relation.op])
    return any(holds_at(contrary, point) for contrary in contraries)


@dataclass(frozen=True)
class Entry:
    """A claim and its verdict, which show themselves one below the other."""

    claim: Claim
    verdict: Verdict

    def _repr_markdown_(self) -> str:
        words, formula = self.claim.display(SCREEN)
        parts = [sentence(markdown(self.claim.says)) if self.claim.says else ""]
        if formula:
            parts += [self.claim.leading(markdown(words)), f"$$\n{formula}\n$$"]
        shown = replace(self.verdict, method=told(self.verdict.method))
        return "\n\n".join(filter(None, [*parts, shown._repr_markdown_()]))


@dataclass
class Ledger:
    """The claims that a notebook has shown, with their verdicts.

    >>> from symdp.sources.registry import claim
    >>> ledger = Ledger()
    >>> shown = ledger.enter(claim("kov/thm-3.1"), Verdict(Status.UNDECIDED, "not tried"))
    >>> print(ledger._repr_markdown_())
    | claim | verdict |
    |:--|:--|
    | `kov/thm-3.1` | <span style="color:#7a5600">? undecided</span> |
    """

    #: seconds that a claim may take
    budget: float = DEFAULT_BUDGET
    claims: dict[str, Claim] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)

    def show(self, claim: Claim | str) -> Entry:
        """Settle a claim, given itself or by its id, enter it, and show it with its verdict."""
        chosen = claim_of(claim) if isinstance(claim, str) else claim
        verdict = settle(chosen, budget=self.budget)
        if verdict.status is Status.UNDECIDED:  # where it got stuck hangs on the time there was
            verdict = replace(verdict, method="the search ended without a proof")
        return Entry(chosen, self.enter(chosen, verdict))

    def __getitem__(self, id: str) -> str:
        """The word of the verdict on a claim that was entered."""
        return self.verdicts[id].status.value

    def enter(self, claim: Claim, verdict: Verdict) -> Verdict:
        """Keep a verdict that stands up to a second look, and give it back for display."""
        stand_up(claim, verdict)
        self.claims[claim.id] = claim
        self.verdicts[claim.id] = verdict
        return steady(verdict)

    def holds(self) -> bool:
        """Whether every verdict stands up to a second look."""
        for id, verdict in self.verdicts.items():
            stand_up(self.claims[id], verdict)
        return True

    def _repr_markdown_(self) -> str:
        rows = [f"| `{_plain(id)}` | {inked(f'{MARKS[v.status]} {v.status.value}', INKS[v.status])} |"
                for id, v in self.verdicts.items()]
        return "\n".join(["| claim | verdict |", "|:--|:--|", *rows])


def _plain(id: str) -> str:
    """A name of a user's own, so that it ends neither the code nor the cell that it stands in."""
    return " ".join(id.replace("`", "'").replace("|", "/").split())


class Contradicted(AssertionError):
    """A second look at a claim says otherwise than its verdict."""


def stand_up(claim: Claim, verdict: Verdict) -> None:
    """Raise Contradicted for a verdict that is an error or that its own claim contradicts."""
    if verdict.status is Status.ERROR:
        raise Contradicted(f"{claim.id}: {verdict}")
    relation = getattr(claim, "relation", None)
    if isinstance(verdict.witness, Counterexample):
        point = verdict.witness.point
        if not claim.domain.contains(point):
            raise Contradicted(f"{claim.id}: the witness is outside of the domain")
        if relation is not None and not fails_at(relation, point):
            raise Contradicted(f"{claim.id} holds at its witness")
    if verdict.status is Status.PROVED and relation is not None:
        somewhere = find_point(claim.domain)
        if somewhere is not None and fails_at(relation, somewhere):
            raise Contradicted(f"{claim.id} fails")


def steady(verdict: Verdict) -> Verdict:
    """The verdict without what depends on the clock.

    Where an unsuccessful search stood when its time was up differs from run to run; a reason that
    needed no search does not.
    """
    searched = verdict.status is Status.UNDECIDED and verdict.boxes > 0
    return replace(verdict, seconds=0.0, boxes=0, method="" if searched else verdict.method)
