"""The refuted claims of a source, each with a witness and its correction: plain data, told without SymPy.

>>> from symdp.audit.campaign import Options, audit_all
>>> from symdp.sources.contents import contents
>>> from symdp.sources.registry import select
>>> rows = contents().chosen(["kov/sec-7.mgf-bound"])
>>> (record,) = audit_all(select(["kov/sec-7.mgf-bound"]), Options())
>>> found = errata_in([(*rows[0], record)])
>>> found[0].claim.id, found[0].claim.where
('kov/sec-7.mgf-bound', 'Section 7, moment generating function, second line')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symdp.audit.record import Record
from symdp.audit.shipped import Told
from symdp.report.terminal.screen import Screen, styled
from symdp.search.status import COLOURS, Status
from symdp.sources.contents import ListedClaim, ListedStatement


@dataclass(frozen=True)
class Erratum:
    """A refuted claim as printed, and what holds instead."""

    statement: ListedStatement
    claim: ListedClaim
    record: Record

    @property
    def correction(self) -> ListedClaim | None:
        return next((c for c in self.statement.claims if c.id == self.claim.corrected), None)

    @property
    def says(self) -> str:
        return str(self.record.data["method"])

    def as_json(self) -> dict[str, Any]:
        c = self.correction
        return {
            "id": self.claim.id,
            "source": self.statement.source,
            "where": self.claim.where,
            "claim": self.record.claim,
            "domain": self.record.domain,
            "says": self.claim.says.tex,
            "refuted": self.says,
            "verdict": self.record.verdict,
            "witness": self.record.data["witness"],
            "corrected": None if c is None else {
                "id": c.id, "claim": c.text, "domain": c.domain, "says": c.says.tex, "because": c.because.tex,
            },
        }


def errata_in(rows: Sequence[Told]) -> list[Erratum]:
    """What is refuted as printed, or argued against, in the order of the records."""
    return [Erratum(*row) for row in rows if row[1].role == "printed" and (
        row[2].status is Status.REFUTED or row[2].data.get("against"))]


def print_errata(found: Sequence[Erratum]) -> None:
    screen = Screen(whole=True)
    for e in found:
        screen.say(styled(e.claim.id, "bold"), f"  {e.claim.where}")
        screen.say(f"  printed:   {e.claim.says.plain}")
        if e.record.claim != e.claim.says.tex:
            screen.say(f"             {e.record.claim}   for {e.record.domain}")
        word = "refuted:  " if e.record.status is Status.REFUTED else "argued against:"
        screen.say("  ", styled(word, COLOURS[e.record.status]), f" {e.says}")
        if e.correction is None:
            screen.say("  ", styled("no correction is known", "yellow"))
        else:
            c = e.correction
            screen.say(f"  corrected: {c.says.plain}")
            if c.text != c.says.tex:
                screen.say(f"             {c.text}   for {c.domain}")
            if c.because.plain:
                screen.say(f"  because:   {c.because.plain}")
        screen.say()
    refuted = sum(e.record.status is Status.REFUTED for e in found)
    screen.say(f"{refuted} claims are refuted as printed, {len(found) - refuted} are argued against")
