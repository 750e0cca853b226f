"""The audit as one self-contained page: formulas as MathML, no request, readable without a script."""

from __future__ import annotations

import base64
import gzip
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment

from symdp import __version__
from symdp.auditing.record import Record
from symdp.layout import SCREEN
from symdp.proving.verdict import MARKS, Status
from symdp.registry import statements
from symdp.reporting.errata import errata_in
from symdp.reporting.latex import render
from symdp.reporting.mathml import mathml, prose
from symdp.reporting.references import entries
from symdp.statement import Claim, Statement
from symdp.words import sentence

#: Certificates larger than this are left to the folder of the audit.
LARGEST_CERTIFICATE = 200_000


@dataclass(frozen=True)
class Download:
    href: str
    name: str
    words: str


def anchor(id: str) -> str:
    """The permanent name of a claim in the page's address.

    >>> anchor("kov/thm-3.4.log-branch")
    'kov-thm-3.4.log-branch'
    """
    return re.sub(r"[^A-Za-z0-9.]+", "-", id)


def page(records: Sequence[Record]) -> str:
    """The page for these records, in the order of the literature."""
    known = {record.name: record for record in records}
    rows = [(s, [c for c in s.claims if c.id in known]) for s in statements()]
    rows = [(s, claims) for s, claims in rows if claims]
    chosen = [c for _, claims in rows for c in claims]
    numbers = Counter(r.status for r in records)
    verdicts = [s for s in Status if numbers[s]]
    sources = dict.fromkeys(s.source.key for s, _ in rows)
    return str(_template().render(
        style=_part("style.css"), script=_part("filter.js"), version=__version__, total=len(records),
        printed=sum(c.role == "printed" for c in chosen), sources=list(sources),
        kinds=list(dict.fromkeys(c.kind for c in chosen)), verdicts=[v.value for v in verdicts],
        counts=[{"verdict": v.value, "number": numbers[v]} for v in verdicts],
        by_source=list(_by_source(rows, known, verdicts)),
        findings=[_finding(e) for e in errata_in(records)],
        statements=[_statement(s, claims, known) for s, claims in rows],
    ))


def _template() -> Any:
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_part("page.html.j2"))


def _part(name: str) -> Any:
    text = files("symdp.reporting").joinpath("page_parts", name).read_text(encoding="utf-8")
    if name.endswith(".j2"):
        return text
    from markupsafe import Markup

    return Markup(text)  # the style and the script are ours; nothing of a user is in them


def _by_source(rows: Any, known: dict[str, Record], verdicts: Sequence[Status]) -> Iterator[Any]:
    titles = {s.source.key: s.source.title for s, _ in rows}
    for key, title in titles.items():
        tally = Counter(known[c.id].status for s, claims in rows if s.source.key == key for c in claims)
        yield {"title": f"{title} ({key})", "numbers": [tally[v] for v in verdicts]}


def _finding(erratum: Any) -> dict[str, str]:
    correction = erratum.correction
    because = correction.because if correction is not None and correction.because else ""
    return {"anchor": anchor(erratum.claim.id), "where": erratum.where,
            "source": erratum.statement.source.key, "says": prose(sentence(erratum.claim.says)),
            "because": prose(sentence(because)) if because else ""}


def _statement(s: Statement, claims: Sequence[Claim], known: dict[str, Record]) -> dict[str, Any]:
    return {"id": s.id, "anchor": anchor(f"{s.id}."), "label": s.place.label, "title": s.title,
            "source": s.source.key, "hypotheses": prose(s.hypotheses),
            "claims": [_claim(c, s, known[c.id]) for c in claims]}


def _claim(c: Claim, s: Statement, record: Record) -> dict[str, Any]:
    words, formula = c.display(SCREEN)
    witness = record.data.get("witness") or {}
    return {
        "id": c.id, "anchor": anchor(c.id), "kind": c.kind, "role": c.role,
        "verdict": record.verdict, "mark": MARKS[record.status], "where": c.printed_at or s.place.label,
        "says": prose(sentence(c.says)), "leading": prose(c.leading(words)) if formula else "",
        "formula": mathml(formula, display=True) if formula else "",
        "because": prose(sentence(c.because)) if c.because else "",
        "summary": _summary(record), "method": record.data["method"],
        "witness": list(witness.items()), "explanation": "\n".join(record.explanation),
        "trust": ", ".join(record.data["trust"]),
        "downloads": list(_downloads(c, s, record)),
    }


def _summary(record: Record) -> str:
    words = {Status.PROVED: "the proof", Status.REFUTED: "where it fails",
             Status.UNDECIDED: "what is missing", Status.CITED: "the reference"}
    return words.get(record.status, "how")


def _downloads(c: Claim, s: Statement, record: Record) -> Iterator[Download]:
    name = anchor(c.id)
    certificate = record.data.get("certificate")
    if certificate and Path(certificate).stat().st_size <= LARGEST_CERTIFICATE:
        packed = gzip.compress(Path(certificate).read_bytes(), mtime=0)
        yield Download(_data("application/gzip", packed), f"{name}.json.gz", "certificate")
    yield Download(_data("text/plain", render([c.id]).encode()), f"{name}.tex", "LaTeX")
    keys = dict.fromkeys((s.source.cite, *s.cites))
    bibtex = "\n".join(entries()[key] for key in keys if key in entries()) + "\n"
    yield Download(_data("text/plain", bibtex.encode()), f"{name}.bib", "BibTeX")


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"

