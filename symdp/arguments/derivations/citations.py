"""Citations of a derivation: a claim or statement by its id, or an entry of the bibliography by its key.

>>> citation_of("kov/thm-2.5")
CitedResult(id='kov/thm-2.5', key='', place='')
>>> citation_of("dwork2010boosting, Theorem III.3")
CitedResult(id='', key='dwork2010boosting', place='Theorem III.3')
>>> citation_of("as everybody knows") is None
True
"""

from __future__ import annotations

from dataclasses import dataclass

from symdp.sources.bibliography import entries
from symdp.sources.registry import UnknownId, lookup, proof


@dataclass(frozen=True)
class CitedResult:
    """A result that stands elsewhere, where a reader can look it up."""

    #: of a claim or a statement of the sources
    id: str = ""
    #: of an entry in ``references.bib``
    key: str = ""
    #: where in that work
    place: str = ""

    def __str__(self) -> str:
        return self.id or ", ".join(filter(None, (self.key, self.place)))

    def as_json(self) -> dict[str, str]:
        if self.id:
            return {"id": self.id}
        return {"reference": self.key, **({"place": self.place} if self.place else {})}


def citation_of(reference: str) -> CitedResult | None:
    """The citation that a text is; None for free text, which is no citation but a part of the argument."""
    key, _, place = (part.strip() for part in reference.partition(","))
    if key in entries():
        return CitedResult(key=key, place=place)
    if "/" not in reference:
        return None
    for find in (lookup, proof):
        try:
            find(reference)
        except UnknownId:
            continue
        return CitedResult(id=reference)
    return None
