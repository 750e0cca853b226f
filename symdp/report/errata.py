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

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symdp.audit.record import Record
from symdp.audit.shipped import Told
from symdp.report.terminal.screen import Screen, styled
from symdp.search.status import COLOURS, Status
from symdp.sources.contents import ListedClaim, ListedStatement
from symdp.sources.slips import Slip


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

    @property
    def slip(self) -> Slip:
        """What is wrong, once for all the claims that fall with it."""
        alone = Slip(self.claim.id, self.claim.says.tex, "authors", (self.claim.id,))
        return self.claim.slip or alone

    def as_json(self) -> dict[str, Any]:
        c = self.correction
        return {
            "id": self.claim.id,
            "source": self.statement.source,
            "where": self.claim.where,
            "page": self.claim.page,
            "provenance": self.slip.provenance,
            "slip": self.slip.name,
            "meant": self.slip.meant,
            "finding": self.slip.counts,
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


def slips_in(found: Sequence[Erratum]) -> dict[Slip, list[Erratum]]:
    """The errata by the slip behind them: findings, then what is true as meant, then what the text may have lost."""
    grouped: dict[Slip, list[Erratum]] = {}
    for e in found:
        grouped.setdefault(e.slip, []).append(e)
    return dict(sorted(grouped.items(), key=lambda pair: _group(pair[0])))


def _group(slip: Slip) -> int:
    return 0 if slip.counts else 1 if slip.provenance == "authors" else 2


#: Of a group of slips: its title.
GROUPS = (
    "Findings",
    "True as meant: a degenerate point, a missing range, a word",
    "The text extraction may have lost a sign, a root, an exponent or a letter; the likely original is beside it",
)


def summary_of(found: Sequence[Erratum]) -> dict[str, int]:
    """How many claims fail, and how many slips that are."""
    counted = Counter(_group(slip) for slip in slips_in(found))
    refuted = sum(e.record.status is Status.REFUTED for e in found)
    return {"refuted": refuted, "argued_against": len(found) - refuted, "findings": counted[0],
            "true_as_meant": counted[1], "text_extraction": counted[2]}


def print_errata(found: Sequence[Erratum]) -> None:
    screen = Screen(whole=True)
    before = None
    for slip, group in slips_in(found).items():
        first = group[0].claim
        if _group(slip) != before:
            before = _group(slip)
            screen.say(styled(GROUPS[before], "bold"))
            screen.say()
        claims = f"; {len(group)} claims fall with it" if len(group) > 1 else ""
        screen.say(styled(slip.name, "bold"), f": {(first.wrong if first.slip else first.says).plain}{claims}")
        if slip.meant:
            screen.say(f"  as meant:  {first.meant.plain}")
        for e in group:
            _print_erratum(screen, e)
        screen.say()
    told = summary_of(found)
    screen.say(f"{told['refuted']} claims are refuted as printed, {told['argued_against']} are argued against: "
               f"{told['findings']} findings, {told['true_as_meant']} that are true as meant, "
               f"{told['text_extraction']} that the text extraction may have made")


def _print_erratum(screen: Screen, e: Erratum) -> None:
    page = f", page {e.claim.page}" if e.claim.page else ""
    screen.say("  ", styled(e.claim.id, "bold"), f"  {e.claim.where}{page}")
    screen.say(f"    printed:   {e.claim.says.plain}")
    if e.record.claim != e.claim.says.tex:
        screen.say(f"               {e.record.claim}   for {e.record.domain}")
    word = "refuted:  " if e.record.status is Status.REFUTED else "argued against:"
    screen.say("    ", styled(word, COLOURS[e.record.status]), f" {e.says}")
    if e.correction is None:
        screen.say("    ", styled("no correction is known", "yellow"))
        return
    c = e.correction
    name = "likely:   " if e.slip.provenance == "extraction" else "corrected:"
    screen.say(f"    {name} {c.says.plain}")
    if c.text != c.says.tex:
        screen.say(f"               {c.text}   for {c.domain}")
    if c.because.plain:
        screen.say(f"    because:   {c.because.plain}")
