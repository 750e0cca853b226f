"""The refuted claims of a source, each with a witness and its correction, ready for an author.

>>> from symdp.auditing.campaign import Options, settle_all
>>> from symdp.registry import select
>>> found = errata_in(settle_all(select(["kov/sec-7.mgf-bound"]), Options()))
>>> found[0].claim.id, found[0].where
('kov/sec-7.mgf-bound', 'Section 7, moment generating function, second line')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.markup import escape

from symdp.auditing.record import Record
from symdp.layout import LINE
from symdp.proving.verdict import Status
from symdp.registry import claim as claim_of
from symdp.registry import statement
from symdp.statement import Claim, Statement
from symdp.words import plain, sentence, text_latex


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
            "witness": self.record.data["witness"],
            "corrected": None if c is None else {
                "id": c.id, "claim": c.text(), "domain": str(c.domain), "says": c.says,
                "because": c.because,
            },
        }


def errata_in(records: Sequence[Record]) -> list[Erratum]:
    """What is refuted as printed, in the order of the records."""
    found = []
    for record in records:
        if record.status is not Status.REFUTED:
            continue
        claim, home = claim_of(record.name), statement(record.name)
        if claim.role == "printed":
            found.append(Erratum(claim, home, record, home.improvement_of(claim, "corrected")))
    return found


def print_errata(found: Sequence[Erratum]) -> None:
    console = Console(highlight=False)
    for e in found:
        console.print(f"[bold]{escape(e.claim.id)}[/]  {escape(e.where)}")
        console.print(f"  printed:   {escape(plain(e.claim.says))}", soft_wrap=True)
        if e.record.claim != e.claim.says:
            console.print(f"             {escape(e.record.claim)}   for {escape(e.record.domain)}",
                          soft_wrap=True)
        console.print(f"  [red]refuted[/]:   {escape(e.says)}", soft_wrap=True)
        if e.correction is None:
            console.print("  [yellow]no correction is known[/]")
        else:
            c = e.correction
            console.print(f"  corrected: {escape(plain(c.says))}", soft_wrap=True)
            if c.text() != c.says:
                console.print(f"             {escape(c.text())}   for {escape(str(c.domain))}",
                              soft_wrap=True)
            if c.because:
                console.print(f"  because:   {escape(plain(c.because))}", soft_wrap=True)
        console.print()
    console.print(f"{len(found)} claims are refuted as printed")


def errata_latex(found: Sequence[Erratum]) -> str:
    r"""A list for an author; compiles with amsmath and amssymb."""
    lines = ["% Needs amsmath and amssymb.", r"\begin{description}"]
    for e in found:
        lines.append(rf"\item[{text_latex(e.where)}] (\texttt{{{e.claim.id}}}) "
                     f"{sentence(text_latex(e.claim.says))}")
        lines += _formula(e.claim)
        lines.append(f"This does not hold: {text_latex(e.says)}.")
        if e.correction is not None:
            because = sentence(text_latex(e.correction.because)) if e.correction.because else ""
            lines.append(f"Instead: {sentence(text_latex(e.correction.says))} {because}".rstrip())
            lines += _formula(e.correction)
    return "\n".join([*lines, r"\end{description}", ""])


def _formula(claim: Claim) -> list[str]:
    words, formula = claim.display(LINE)
    if not formula:
        return []
    return [claim.leading(words) or "", r"\[", formula, r"\]"]
