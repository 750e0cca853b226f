"""Documents, and places in them.

>>> book = Source("book", "A book", "nobody2026book")
>>> book.theorem("3.4").id, book.appendix("B").label
('book/thm-3.4', 'Appendix B')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Source:
    """A document: its short key in ids, its title, and its key in ``references.bib``."""

    key: str
    title: str
    cite: str
    #: the names of its logarithm and of symbols, where it does not write them as the house does
    log: str = "log"
    symbols: Mapping[str, str] = field(default_factory=dict, hash=False)

    def at(self, slug: str, label: str) -> Place:
        return Place(self, slug, label)

    def theorem(self, number: str) -> Place:
        return Place(self, f"thm-{number}", f"Theorem {number}")

    def lemma(self, number: str) -> Place:
        return Place(self, f"lem-{number}", f"Lemma {number}")

    def corollary(self, number: str) -> Place:
        return Place(self, f"cor-{number}", f"Corollary {number}")

    def remark(self, number: str) -> Place:
        return Place(self, f"rem-{number}", f"Remark {number}")

    def equation(self, number: str) -> Place:
        return Place(self, f"eq-{number}", f"Equation ({number})")

    def section(self, number: str) -> Place:
        return Place(self, f"sec-{number}", f"Section {number}")

    def figure(self, number: str) -> Place:
        return Place(self, f"fig-{number}", f"Figure {number}")

    def appendix(self, number: str) -> Place:
        return Place(self, f"app-{number.lower()}", f"Appendix {number}")


@dataclass(frozen=True)
class Place:
    """Where in a source a statement stands."""

    source: Source
    slug: str
    label: str

    @property
    def id(self) -> str:
        return f"{self.source.key}/{self.slug}"
