"""The refuted claims of a source, each with a witness and its correction, ready for an author.

>>> from symdp.audit.campaign import Options, audit_all
>>> from symdp.sources.registry import select
>>> found = errata_in(audit_all(select(["kov/sec-7.mgf-bound"]), Options()))
>>> found[0].claim.id, found[0].where
('kov/sec-7.mgf-bound', 'Section 7, moment generating function, second line')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symdp.audit.record import Record
from symdp.report.paper.documents import Piece, fragment
from symdp.report.paper.latex import Manner
from symdp.report.terminal.screen import Screen, styled
from symdp.search.verdict import COLOURS, Status
from symdp.sources.registry import claim as claim_of
from symdp.sources.registry import statement
from symdp.sources.statement import Claim, Statement
from symdp.typeset.prose import label_latex, pieces, plain, sentence, words_latex


@dataclass(frozen=True)
class Erratum:
    """A refuted claim as printed, and what holds instead."""

    claim: Claim
    statement: Statement
    record: Record
    correction: Claim | None

    @property
    def where(self) -> str:
        return self.claim.printed_at or self.statement.place.label

    @property
    def says(self) -> str:
        return str(self.record.data["method"])

    def as_json(self) -> dict[str, Any]:
        c = self.correction
        return {
            "id": self.claim.id,
            "source": self.statement.source.key,
            "where": self.where,
            "claim": self.record.claim,
            "domain": self.record.domain,
            "says": self.claim.says,
            "refuted": self.says,
            "verdict": self.record.verdict,
            "witness": self.record.data["witness"],
            "corrected": None if c is None else {
                "id": c.id, "claim": c.text(), "domain": str(c.domain), "says": c.says,
                "because": c.because,
            },
        }


def errata_in(records: Sequence[Record]) -> list[Erratum]:
    """What is refuted as printed, or argued against, in the order of the records."""
    found = []
    for record in records:
        if record.status is not Status.REFUTED and not record.data.get("against"):
            continue
        claim, home = claim_of(record.name), statement(record.name)
        if claim.role == "printed":
            found.append(Erratum(claim, home, record, home.improvement_of(claim, "corrected")))
    return found


def print_errata(found: Sequence[Erratum]) -> None:
    screen = Screen(whole=True)
    for e in found:
        screen.say(styled(e.claim.id, "bold"), f"  {e.where}")
        screen.say(f"  printed:   {plain(e.claim.says)}")
        if e.record.claim != e.claim.says:
            screen.say(f"             {e.record.claim}   for {e.record.domain}")
        word = "refuted:  " if e.record.status is Status.REFUTED else "argued against:"
        screen.say("  ", styled(word, COLOURS[e.record.status]), f" {e.says}")
        if e.correction is None:
            screen.say("  ", styled("no correction is known", "yellow"))
        else:
            c = e.correction
            screen.say(f"  corrected: {plain(c.says)}")
            if c.text() != c.says:
                screen.say(f"             {c.text()}   for {c.domain}")
            if c.because:
                screen.say(f"  because:   {plain(c.because)}")
        screen.say()
    refuted = sum(e.record.status is Status.REFUTED for e in found)
    screen.say(f"{refuted} claims are refuted as printed, {len(found) - refuted} are argued against")


def errata_latex(found: Sequence[Erratum]) -> str:
    r"""A list for an author; compiles with amsmath and amssymb."""
    return fragment([errata_piece(found)])


def breakable(text: str) -> str:
    r"""Words as LaTeX in which a long one, such as a formula in plain text, may be broken.

    >>> print(breakable("at kov/sec-7"), breakable("x" * 20 + "/y"))
    at kov/sec-7 xxxxxxxxxxxxxxxxxxxx/\allowbreak y
    """
    def broken(word: str) -> str:
        return re.sub(r"([*/),=+-])(?=\S)", r"\1\\allowbreak ", word) if len(word) > 18 else word

    return "".join(f"${piece}$" if math else "".join(
        broken(words_latex(part)) for part in re.split(r"(\s+)", piece)) for piece, math in pieces(text))


def errata_piece(found: Sequence[Erratum], manner: Manner | None = None) -> Piece:
    """What does not hold as printed, and what holds instead, in the letters of a manner."""
    lines = [] if found else ["Nothing was refuted."]
    for e in found:
        author = (manner or Manner()).author(e.statement.source)
        lines.append(rf"\paragraph{{{author.words(e.where)}}} \cite{{{label_latex(e.statement.source.cite)}}} "
                     rf"(\texttt{{{breakable(e.claim.id)}}}). {author.words(sentence(e.claim.says))}")
        lines += author.assertion(e.claim)
        lines.append(f"This does not hold: {breakable(e.says)}.")
        if e.correction is not None:
            because = author.words(sentence(e.correction.because)) if e.correction.because else ""
            lines.append(f"Instead: {author.words(sentence(e.correction.says))} {because}".rstrip())
            lines += author.assertion(e.correction)
    keys = tuple(dict.fromkeys(e.statement.source.cite for e in found))
    titles = {e.statement.source.cite: e.statement.source.title for e in found}
    # Formulas in running text leave few places to break; wide spaces are better than a wide line.
    body = "\n".join([r"{\emergencystretch=7em", *lines, r"\par}", ""])
    return Piece(body, keys=keys, titles=titles)
