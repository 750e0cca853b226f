"""Audits as JSON, and whether everything in one is settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from symdp.audit.record import Record
from symdp.search.status import Status
from symdp.sources.contents import ListedClaim, ListedStatement

_SETTLED = {Status.PROVED, Status.DERIVED, Status.DRAWN, Status.CITED}


def counts(records: Sequence[Record]) -> dict[str, int]:
    tally = Counter(r.status for r in records)
    return {s.value: tally[s] for s in Status if tally[s]}


def checked_by_coq(records: Sequence[Record]) -> int:
    """How many verdicts have a theorem of Coq behind them."""
    return sum(r.by_coq for r in records)


def campaign_as_json(records: Sequence[Record]) -> dict[str, Any]:
    by_coq = checked_by_coq(records)
    return {
        "claims": [r.as_json() for r in records],
        "summary": {"total": len(records), **counts(records), **({"checked by Coq": by_coq} if by_coq else {})},
    }


def is_settled(record: Record, among: Sequence[Record]) -> bool:
    """Proved, derived, drawn or cited; or refuted with a proved correction beside it."""
    if record.status is Status.REFUTED and record.corrected is not None:
        return any(r.name == record.corrected and r.status is Status.PROVED for r in among)
    return record.status in _SETTLED


def _as_printed(claim: ListedClaim) -> dict[str, str]:
    """Where a claim is printed, who may have made it what it is, and, where it fails, how it is meant."""
    slip = claim.slip
    found = {"page": claim.page, "provenance": claim.provenance}
    return found if slip is None else {**found, "slip": slip.name, "meant": slip.meant}


def statement_as_json(s: ListedStatement, records: Sequence[Record]) -> dict[str, Any]:
    printed = {c.id: _as_printed(c) for c in s.claims}
    return {
        "id": s.id,
        "title": s.title,
        "where": s.where,
        "source": s.source_title,
        "cite": s.cite,
        "hypotheses": s.hypotheses.tex,
        "formulas": dict(s.formulas),
        "claims": [{**r.as_json(), **printed[r.name]} for r in records],
    }
