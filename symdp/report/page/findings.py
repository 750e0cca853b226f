"""What a reader wants to know first: which findings change a theorem, and which are slips elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symdp.audit.shipped import Told
from symdp.report.errata import Erratum, errata_in
from symdp.search.status import Status
from symdp.sources.contents import ListedClaim, ListedStatement

#: How places begin whose statements others cite.
_THEOREMS = ("thm", "lem", "cor")


def is_theorem(s: ListedStatement) -> bool:
    """Whether others would cite it: a theorem, a lemma or a corollary.

    >>> from symdp.sources.contents import contents
    >>> [is_theorem(s) for s in contents().statements if s.id in ("kov/thm-3.4", "kov/sec-7")]
    [True, False]
    """
    return s.id.partition("/")[2].partition("-")[0] in _THEOREMS


@dataclass(frozen=True)
class Findings:
    """The refuted claims in theorems and elsewhere, and the theorems that hold in a sharper form.

    What is true as it is meant, and what the text extraction may have made, is told apart: see symdp.sources.slips.
    """

    #: refuted, in a theorem
    change: list[Erratum]
    #: refuted, in a proof, a remark or an introduction
    slips: list[Erratum]
    #: refuted as it stands, and true as it is meant
    as_meant: list[Erratum]
    #: refuted as it stands in the text, which may not be what was printed
    extracted: list[Erratum]
    #: proved, and sharper than a theorem
    sharper: list[tuple[ListedStatement, ListedClaim]]
    #: refuted claims whose correction is proved
    corrected: int


def findings_in(rows: Sequence[Told]) -> Findings:
    proved = {record.name for _, _, record in rows if record.status is Status.PROVED}
    found = errata_in(rows)
    sharper = [(home, claim) for home, claim, _ in rows
               if claim.role == "sharper" and claim.id in proved and is_theorem(home)]
    against = [e for e in found if e.slip.counts]
    return Findings([e for e in against if is_theorem(e.statement)],
                    [e for e in against if not is_theorem(e.statement)],
                    [e for e in found if e.slip.meant and e.slip.provenance == "authors"],
                    [e for e in found if e.slip.provenance == "extraction"], sharper,
                    sum(e.claim.corrected in proved for e in found))
