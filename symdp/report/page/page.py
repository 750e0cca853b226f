"""The audit as one self-contained page: formulas as MathML, no request, readable without a script."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from symdp import __version__
from symdp.audit.campaign import Advance
from symdp.audit.record import Record
from symdp.audit.seal import bytes_of
from symdp.report.errata import Erratum
from symdp.report.failures import why_false
from symdp.report.page.findings import findings_in
from symdp.report.page.mathml import formula, prose
from symdp.report.page.page_figures import Shown, figure_of
from symdp.report.page.steps import is_rules, proof_steps, rule_words
from symdp.report.page.summary import checked_by_coq
from symdp.report.page.trusting import believed
from symdp.report.paper.latex import render
from symdp.search.reasons import Trust
from symdp.search.verdict import MARKS, Status
from symdp.sources import registry
from symdp.sources.bibliography import bibtex
from symdp.sources.contents import ListedClaim, ListedStatement, Words, contents
from symdp.sources.registry import statements
from symdp.sources.statement import Claim, Statement
from symdp.typeset.line_breaks import SCREEN
from symdp.typeset.prose import lettered, sentence
from symdp.typeset.typesetting import latex

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


def page(records: Sequence[Record], *, folder: Path | None = None,
         advance: Advance = lambda what, done, total: None) -> str:
    """The page for these records, in the order of the literature; ``folder`` keeps its figures."""
    known = {record.name: record for record in records}
    rows = [(s, [c for c in s.claims if c.id in known]) for s in statements()]
    rows = [(s, claims) for s, claims in rows if claims]
    chosen = [c for _, claims in rows for c in claims]
    numbers = Counter(r.status for r in records)
    verdicts = [s for s in Status if numbers[s]]
    sources = dict.fromkeys(s.source.key for s, _ in rows)
    found = findings_in([(s, c, known[c.id]) for s in contents().statements for c in s.claims if c.id in known])
    drawn = _figures(chosen, known, folder, advance)
    made = str(_template().render(
        style=_part("style.css"), script=_part("filter.js"), script_digest=_digest(_part("filter.js")),
        version=__version__, total=len(records), by_coq=checked_by_coq(records),
        printed=sum(c.role == "printed" for c in chosen), sources=list(sources),
        kinds=list(dict.fromkeys(c.kind for c in chosen)), verdicts=[v.value for v in verdicts],
        counts=[{"verdict": v.value, "number": numbers[v]} for v in verdicts],
        by_source=list(_by_source(rows, known, verdicts)),
        corrected=found.corrected,
        refuted=sum(map(len, (found.change, found.slips, found.as_meant, found.extracted))),
        change=[_finding(e, known) for e in found.change],
        slips=[_finding(e, known) for e in found.slips],
        as_meant=[_finding(e, known) for e in found.as_meant],
        extracted=[_finding(e, known) for e in found.extracted],
        findings=len({e.slip for e in found.slips}),
        sharper=_together(_improvement(s, c) for s, c in found.sharper),
        statements=[_statement(s, claims, known, drawn) for s, claims in rows],
    ))
    return made.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")  # HTML knows what <math> is


Drawn = dict[str, Shown | None]


def _figures(claims: Sequence[Claim], known: dict[str, Record], folder: Path | None,
             advance: Advance) -> Drawn:
    drawn = {}
    for done, claim in enumerate(claims):
        advance(f"drawing {claim.id}", done, len(claims))
        drawn[claim.id] = figure_of(claim, known[claim.id], anchor(claim.id), folder)
    return drawn


def _template() -> Any:
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_part("page.html.j2"))


def _part(name: str) -> Any:
    text = files("symdp.report.page").joinpath("parts", name).read_text(encoding="utf-8")
    if name.endswith(".j2"):
        return text
    return Markup(text)  # the style and the script are ours; nothing of a user is in them


def _digest(script: str) -> str:
    """By which the page lets its own script run, and no other."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


def _by_source(rows: Any, known: dict[str, Record], verdicts: Sequence[Status]) -> Iterator[Any]:
    titles = {s.source.key: s.source.title for s, _ in rows}
    for key, title in titles.items():
        tally = Counter(known[c.id].status for s, claims in rows if s.source.key == key for c in claims)
        yield {"title": f"{title} ({key})", "numbers": [tally[v] for v in verdicts]}


def _together(findings: Iterable[dict[str, str]]) -> list[dict[str, Any]]:
    """Findings of one place with one reason stand together: what is said several times, once."""
    groups: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for f in findings:
        groups.setdefault((f["source"], f["where"], f["because"] or f["anchor"]), []).append(f)
    return [{**several[0], "several": several} for several in groups.values()]


def _finding(erratum: Erratum, known: dict[str, Record]) -> dict[str, Any]:
    """What is printed, why it is false, and what is true instead; each with its mark."""
    printed, correction = registry.claim(erratum.claim.id), erratum.correction
    why, numbers = _folded(why_false(erratum.record.data))
    return {**_found(erratum.statement, erratum.claim, correction.because if correction is not None else None),
            "slip": prose(sentence(erratum.slip.says).rstrip(".")) if len(erratum.slip.claims) > 1 else "",
            "beside": len(erratum.slip.claims),
            "meant": erratum.slip.meant and prose(sentence(erratum.slip.meant)),
            "extracted": erratum.slip.provenance == "extraction",
            "refuted": erratum.record.status is Status.REFUTED, "formula": _asserted(printed),
            "false": prose(sentence(why)), "numbers": numbers,
            "corrected": None if correction is None else _correction(registry.claim(correction.id), known)}


#: Signs of a reason that are read at once; of a longer one only what it comes to.
AT_ONCE = 200


def _folded(why: str) -> tuple[str, list[tuple[str, str]]]:
    """Why it is false, and apart from it the numbers of a construction, each with its name, if they are many.

    >>> _folded("a coin is right with 3/5; parties = 3; table = " + ", ".join(["1/10"] * 50))[0]
    'a coin is right with 3/5'
    >>> _folded("at $x = 1$ it fails; off by 2")
    ('at $x = 1$ it fails; off by 2', [])
    """
    first, *others = why.split("; ")
    if len(why) <= AT_ONCE or "$" in why or not others:
        return why, []
    numbers: list[tuple[str, str]] = []
    for other in others:
        name, sign, value = other.partition(" = ")
        if sign:
            numbers.append((name, value))
        elif numbers:  # a value that goes on
            numbers[-1] = (numbers[-1][0], f"{numbers[-1][1]}; {other}")
        else:
            first = f"{first}; {other}"
    return first, numbers


def _asserted(c: Claim) -> Markup:
    """The formula of a claim, with where it is said to hold."""
    words, tex = c.display(SCREEN)
    return Markup('<span class="lead">{}</span>{}').format(prose(c.leading(words)), formula(tex, display=True)) \
        if tex else Markup("")


def _correction(c: Claim, known: dict[str, Record]) -> dict[str, Any]:
    """What holds instead of a claim, as it is shown beside it."""
    record = known.get(c.id)
    return {"anchor": anchor(c.id) if record is not None else "", "id": c.id, "says": prose(sentence(c.says)),
            "formula": _asserted(c), "because": prose(sentence(c.because)) if c.because else "",
            "verdict": record.verdict if record is not None else "",
            "mark": MARKS[record.status] if record is not None else ""}


def _improvement(s: ListedStatement, c: ListedClaim) -> dict[str, str]:
    return _found(s, c, c.because)


def _found(s: ListedStatement, c: ListedClaim, because: Words | None) -> dict[str, str]:
    return {"anchor": anchor(c.id), "where": c.where, "source": s.source, "says": prose(sentence(c.says.tex)),
            "because": prose(sentence(because.tex)) if because is not None and because.tex else ""}


def _statement(s: Statement, claims: Sequence[Claim], known: dict[str, Record],
               drawn: Drawn) -> dict[str, Any]:
    return {"id": s.id, "anchor": anchor(f"{s.id}."), "label": s.place.label, "title": s.title,
            "source": s.source.key, "hypotheses": prose(s.hypotheses),
            "claims": [_claim(c, s, known, drawn[c.id]) for c in claims]}


def _claim(c: Claim, s: Statement, known: dict[str, Record], figure: Shown | None) -> dict[str, Any]:
    record, trust = known[c.id], Trust.read(known[c.id].data)
    witness = record.data.get("witness") or {}
    against = record.status is Status.REFUTED or bool(record.data.get("against"))
    lines = record.explanation
    instead = next((other for other in s.claims if other.id == record.corrected), None)
    return {
        "id": c.id, "anchor": anchor(c.id), "kind": c.kind, "role": c.role,
        "verdict": record.verdict, "mark": MARKS[record.status],
        "where": (c.printed_at or s.place.label) + (f", page {c.page}" if c.page else ""),
        "says": prose(sentence(c.says)), "formula": _asserted(c),
        "because": prose(sentence(c.because)) if c.because else "",
        "summary": _summary(record),
        "method": "" if against else prose(lettered(sentence(str(record.data["method"])))),
        "false": prose(sentence(why_false(record.data))) if against else "",
        "corrected": _correction(instead, known) if against and instead is not None else None,
        "witness": [(_witness_name(name, c), value) for name, value in witness.items() if value],
        "steps": proof_steps(lines) if lines and not is_rules(lines) else [],
        "rules": rule_words(lines) if lines and is_rules(lines) else "",
        "believed": believed(record.status, trust, by_coq=record.by_coq),
        "trust": [prose(line) for line in trust.lines], "by_coq": record.by_coq,
        "figure": figure, "downloads": list(_downloads(c, s, record)),
    }


def _witness_name(name: str, c: Claim) -> str:
    """A coordinate as a formula, a side in words."""
    known = {str(v): v for v in c.domain.variables}
    if name in known:
        return formula(latex(known[name]))
    return {"left": "left side", "right": "right side"}.get(name, name)


def _summary(record: Record) -> str:
    words = {Status.PROVED: "the proof", Status.REFUTED: "where it fails",
             Status.UNDECIDED: "what is missing", Status.NOT_RECHECKED: "what is missing",
             Status.CITED: "the reference", Status.ARGUED: "the argument"}
    return words.get(record.status, "how")


def _downloads(c: Claim, s: Statement, record: Record) -> Iterator[Download]:
    name = anchor(c.id)
    certificate = record.data.get("certificate")
    found = bytes_of(Path(certificate)) if certificate else b""
    if 0 < len(found) <= LARGEST_CERTIFICATE:
        packed = gzip.compress(found, mtime=0)
        yield Download(_data("application/gzip", packed), f"{name}.json.gz", "certificate")
    yield Download(_data("text/plain", render([c.id]).encode()), f"{name}.tex", "LaTeX")
    references = bibtex(dict.fromkeys((s.source.cite, *s.cites)))
    yield Download(_data("text/plain", references.encode()), f"{name}.bib", "BibTeX")


def _data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"

