r"""Where a relation that fails would hold: a range, or a sign that would be enough.

>>> short("x <= 14142135623/10000000000"), short("x <= 3/2")
('x <= 1.4142', 'x <= 3/2')
"""

from __future__ import annotations

import re

from sympy import Integer, Symbol

from symdp.formulas.relation import Relation
from symdp.papers.verdicts.question import TROUBLE, LinkQuestion
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.search.sharpening import NoThreshold, sharpest_of
from symdp.sources.derivations.expressions import has_sums

#: Seconds for the range in which a claim that fails would hold, of which one proof may take a part.
_RANGE, _ONE_PROOF = 6.0, 0.5


def where_it_holds(q: LinkQuestion, at: str) -> str:
    """The answer that helps most."""
    bare = [v for v in sorted(q.names, key=str) if v not in q.context.declared and str(v) not in q.typed]
    if not bare or q.opaque:
        return f"it fails at {at}: state a condition"
    positive = q.scope.supposing(tuple(Relation(v, ">", Integer(0)) for v in bare))
    if q.is_proved(q.expanded, positive, part=0.5):
        return f"holds for {', '.join(f'{v} > 0' for v in bare)}, fails at {at}: state a condition"
    found = range_of(q, bare[0])
    said = f"{found.lstrip('; it')}, fails" if found else "it fails"
    return f"{said} at {at}: state a condition".strip()


def range_of(q: LinkQuestion, v: Symbol | None = None) -> str:
    """On which values of its one variable the relation holds, by proofs on both sides."""
    if len(q.names) != 1 or has_sums(q.expanded.left, q.expanded.right) or q.expanded.op == "==":
        return ""
    v = v or next(iter(q.names))
    if v in q.scope.integers or str(v) in q.typed:
        return ""
    try:
        with hard_deadline(_RANGE):
            found = sharpest_of(q.expanded, q.scope.domain(q.names), v, budget=_ONE_PROOF)
    except (TimeIsUp, NoThreshold, *TROUBLE):
        return ""
    if not found.holds:
        return ""
    return f"; it holds for {' and '.join(map(short, found.holds))}"


def short(text: str) -> str:
    """Long fractions as decimals, which are shown and not relied upon."""

    def decimal(found: re.Match[str]) -> str:
        return f"{int(found[1]) / int(found[2]):.5g}" if len(found[2]) > 4 else found[0]

    return re.sub(r"(-?\d+)/(\d+)", decimal, text)
