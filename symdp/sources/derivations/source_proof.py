r"""A proof of a source, as printed and, where a printed line fails, repaired.

Both are derivations. The printed one follows the source line by line and may well be wrong; the
repaired one goes from the definitions to the theorem. Neither carries verdicts: checking gives them.

>>> from symdp.sources.derivations.derivation import Derivation
>>> from symdp.sources.statement import Source
>>> book = Source("book", "A book", "nobody2026book")
>>> wrong = Derivation("As printed", where=["x > 0"]).start("exp(x)").le("1 + x")
>>> right = Derivation("Repaired", where=["x > 0"]).start("exp(x)").ge("1 + x")
>>> proof = SourceProof(book.lemma("1"), "The tangent", (wrong,), (right,))
>>> proof.id, [report.standing.value for report in proof.check()]
('book/lem-1', ['false', 'proved'])
>>> print(proof._repr_markdown_().splitlines()[0])
### The tangent (Lemma 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import symdp
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.statement import Place, Source

if TYPE_CHECKING:
    from symdp.arguments.derivations.report import Report


@dataclass(frozen=True, repr=False)
class SourceProof:
    """Where it is printed, its lines in parts, and the parts that go through where those do not."""

    place: Place
    title: str
    printed: tuple[Derivation, ...]
    repaired: tuple[Derivation, ...] = ()
    #: the claims that rest on one of these derivations: what the proof is for
    supports: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<SourceProof {self.id}: {self.title}>"

    @property
    def id(self) -> str:
        return self.place.id

    @property
    def source(self) -> Source:
        return self.place.source

    @property
    def derivations(self) -> tuple[Derivation, ...]:
        """All parts, the printed ones first."""
        return (*self.printed, *self.repaired)

    @property
    def number_of_lines(self) -> int:
        """How many lines there are to check, blocks counted as one; a part that is both counts once."""
        return sum(len(part.steps) for part in dict.fromkeys(self.derivations))

    def check(
        self,
        *,
        budget: float = 10.0,
        advance: Callable[[str, int, int], None] = lambda what, done, total: None,
    ) -> Iterator[Report]:
        """A report on each part, one after the other; a part that stands in both is checked once."""
        done: dict[Derivation, Report] = {}
        for derivation in self.derivations:
            if derivation not in done:
                done[derivation] = derivation.check(budget=budget, advance=advance)
            yield done[derivation]

    def _repr_markdown_(self) -> str:
        return str(symdp.proof_markdown(self))
