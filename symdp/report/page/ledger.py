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

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sympy import Expr, Symbol

from symdp.audit.dispatch import settle
from symdp.formulas.notation import symbol_latex
from symdp.formulas.parsing import ParseError, parse_expression
from symdp.formulas.relation import Op, Relation
from symdp.numbers.domain import find_point, holds_at
from symdp.search.prove import DEFAULT_BUDGET
from symdp.search.verdict import MARKS, Status, Verdict
from symdp.search.view.goals import Witness
from symdp.sources.registry import claim as claim_of
from symdp.sources.statement import Claim
from symdp.typeset.line_breaks import SCREEN
from symdp.typeset.prose import markdown, sentence
from symdp.typeset.typesetting import latex

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


def told(method: str) -> str:
    r"""A method as one would tell it: no formulas in the prover's own notation.

    >>> print(told("each entry of the minimum; the entry eps*k; algebra; the gap is least at eps = 0"))
    each entry of the minimum; algebra; the gap is least at $\varepsilon = 0$
    >>> print(told("sqrt(log(1/delta)) has no value at delta = 2"))
    $\sqrt{\log(1/\delta)}$ has no value at $\delta = 2$
    >>> print(told("along eps = t^2, k = 1/t^2 the ratio of the two sides tends to oo"))
    along $\varepsilon = t^{2}$, $k = \frac{1}{t^{2}}$ the ratio of the two sides tends to $\infty$
    """
    path = re.fullmatch(r"along (.*) (the ratio of the two sides tends to) (\S+)", method)
    if path:
        try:
            return f"along {_path(path[1])} {path[2]} ${_limit(path[3])}$"
        except ParseError:
            return method
    expression, nothing, where = method.partition(" has no value at ")
    if nothing:
        try:
            return f"${latex(parse_expression(expression))}${nothing}{_typeset(where)}"
        except ParseError:
            return method
    parts = [part for part in method.split("; ") if not re.search(r"[*^]|\w\(", part)]
    return _typeset("; ".join(parts))


def _path(assignments: str) -> str:
    """The values along a path as formulas."""
    pairs = (part.split(" = ", 1) for part in assignments.split(", "))
    return ", ".join(f"${symbol_latex(name)} = {latex(parse_expression(value))}$" for name, value in pairs)


def _limit(value: str) -> str:
    return value.replace("oo", r"\infty") if value in ("oo", "-oo") else latex(parse_expression(value))


def _typeset(words: str) -> str:
    """Values of variables as formulas."""
    return re.sub(r"\b(\w+) = (-?\d+(?:/\d+)?)(?![\w.])",
                  lambda found: f"${symbol_latex(found[1])} = {found[2]}$", words)


@dataclass
class Ledger:
    """The claims that a notebook has shown, with their verdicts.

    >>> from symdp.sources.registry import claim
    >>> ledger = Ledger()
    >>> shown = ledger.enter(claim("kov/thm-3.1"), Verdict(Status.UNDECIDED, "not tried"))
    >>> print(ledger._repr_markdown_())
    | claim | verdict |
    |:--|:--|
    | `kov/thm-3.1` | ? undecided |
    """

    #: seconds that a claim may take
    budget: float = DEFAULT_BUDGET
    claims: dict[str, Claim] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)

    def settle(self, claim: Claim | str) -> Entry:
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
        rows = [f"| `{_plain(id)}` | {MARKS[verdict.status]} {verdict.status.value} |"
                for id, verdict in self.verdicts.items()]
        return "\n".join(["| claim | verdict |", "|:--|:--|", *rows])


def _plain(id: str) -> str:
    """A name of a user's own, so that it ends neither the code nor the cell that it stands in."""
    return " ".join(id.replace("`", "'").replace("|", "/").split())


def stand_up(claim: Claim, verdict: Verdict) -> None:
    """Raise AssertionError for a verdict that is an error or that its own claim contradicts."""
    assert verdict.status is not Status.ERROR, f"{claim.id}: {verdict}"
    relation = getattr(claim, "relation", None)
    if isinstance(verdict.witness, Witness):
        point = verdict.witness.point
        assert claim.domain.contains(point), f"{claim.id}: the witness is outside of the domain"
        assert relation is None or fails_at(relation, point), f"{claim.id} holds at its witness"
    if verdict.status is Status.PROVED and relation is not None:
        somewhere = find_point(claim.domain)
        assert somewhere is None or not fails_at(relation, somewhere), f"{claim.id} fails"


def steady(verdict: Verdict) -> Verdict:
    """The verdict without what depends on the clock.

    Where an unsuccessful search stood when its time was up differs from run to run; a reason that
    needed no search does not.
    """
    searched = verdict.status is Status.UNDECIDED and verdict.boxes > 0
    return replace(verdict, seconds=0.0, boxes=0, method="" if searched else verdict.method)
