"""What does not hold as it stands in a source: one slip, with all the claims that fall with it.

A claim that fails may be an error of the authors, or of the way from the page to the text that was read; and a
sentence that fails at a degenerate point may be true as it is meant. That is no matter of a proof, so it is data
beside the literature, ``slips.toml``, and shown with every verdict.

>>> slip = slip_of("kov/eq-38.equality")
>>> slip.name, slip.provenance, slip.counts
('no-bounds-from-above', 'authors', False)
>>> len(slip.claims)
5
>>> slip_of("kov/thm-3.1") is None
True
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

Provenance = Literal["authors", "extraction"]
TABLE = Path(__file__).resolve().parent.parent / "literature" / "slips.toml"


@dataclass(frozen=True)
class Slip:
    """One slip: what is wrong, who may have made it, and the claims that fall with it."""

    name: str
    says: str
    provenance: Provenance
    claims: tuple[str, ...]
    #: how the sentence is true as it is meant, if it is
    meant: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is a finding against the authors."""
        return self.provenance == "authors" and not self.meant


@cache
def slips() -> tuple[Slip, ...]:
    """All of them, in the order of the table."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))["slip"]
    return tuple(Slip(**{**row, "claims": tuple(row["claims"])}) for row in rows)


@cache
def _by_claim() -> dict[str, Slip]:
    return {id: slip for slip in slips() for id in slip.claims}


def slip_of(id: str) -> Slip | None:
    """The slip that makes this claim fail, if one is known."""
    return _by_claim().get(id)
