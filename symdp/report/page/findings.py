"""What a reader wants to know first: which findings change a theorem, and which are slips elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symdp.audit.record import Record
from symdp.report.page.errata import Erratum, errata_in
from symdp.search.verdict import Status
from symdp.sources.registry import claim as claim_of
from symdp.sources.registry import statement
from symdp.sources.statement import Claim, Statement

#: How places begin whose statements others cite.
_THEOREMS = ("thm", "lem", "cor")


def is_theorem(s: Statement) -> bool:
    """Whether others would cite it: a theorem, a lemma or a corollary.

    >>> is_theorem(statement("kov/thm-3.4")), is_theorem(statement("kov/sec-7"))
    (True, False)
    """
    return s.place.slug.partition("-")[0] in _THEOREMS


@dataclass(frozen=True)
class Findings:
    """The refuted claims in theorems and elsewhere, and the theorems that hold in a sharper form."""

    #: refuted, in a theorem
    change: list[Erratum]
    #: refuted, in a proof, a remark or an introduction
    slips: list[Erratum]
    #: proved, and sharper than a theorem
    sharper: list[tuple[Statement, Claim]]
    #: refuted claims whose correction is proved
    corrected: int


def findings_in(records: Sequence[Record]) -> Findings:
    known = {r.name: r for r in records}
    found = errata_in(records)
    sharper = []
    for record in records:
        claim, home = claim_of(record.name), statement(record.name)
        if claim.role == "sharper" and record.status is Status.PROVED and is_theorem(home):
            sharper.append((home, claim))
    corrected = sum(e.correction is not None and e.correction.id in known
                    and known[e.correction.id].status is Status.PROVED for e in found)
    return Findings([e for e in found if is_theorem(e.statement)],
                    [e for e in found if not is_theorem(e.statement)], sharper, corrected)
