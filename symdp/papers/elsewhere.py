r"""A chain that was judged on another machine, and what is taken from there.

A worker is not trusted. It sends its findings and a certificate for every goal that it has settled. Where it calls
something proved, argued, refuted or a gap, the chain is judged here, by the same judge: a goal for which there is a
certificate is replayed by the kernel instead of searched for, and everything else is searched for here. So each of
these words is of this machine. What a worker leaves open is taken as it is, words included: it makes nothing true.

>>> from symdp.papers.text.source_text import document
>>> import tempfile
>>> from pathlib import Path
>>> place = Path(tempfile.mkdtemp()) / "paper.tex"
>>> _ = place.write_text(r"Let $x > 0$. Then $$e^x < x.$$")
>>> from symdp.papers.reading import read_document
>>> work = read_document(*document(place))[-1]
>>> sent = judged_there(work, 2.0, None)
>>> [f.verdict for f in judged_with(work, 2.0, None, sent.certificates)]
['refuted']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from symdp.arguments.derivations.found_elsewhere import given, written_down
from symdp.papers.finding import Finding
from symdp.papers.judging import FOR_A_CHAIN, judge
from symdp.papers.work import Work
from symdp.watched import watched

#: Seconds behind those that a chain gives itself, after which it is ended from outside.
GRACE = 15.0
#: What is never taken from a worker.
SETTLED = ("proved", "argued", "refuted", "gap")


@dataclass(frozen=True)
class Sent:
    """What a worker says of a chain, and the certificates of all that it has settled, by the digests of the goals."""

    findings: tuple[Finding, ...]
    certificates: Mapping[str, str]


def judged_there(work: Work, budget: float, memory: int | None) -> Sent:
    """What a worker does; OutOfBounds as in :func:`in_bounds`."""
    return _with_certificates(work, budget) if memory is None else watched(
        _with_certificates, work, budget, seconds=_seconds(budget), memory=memory)


def in_bounds(
    work: Work, budget: float, out: Path | None, memory: int, certificates: Mapping[str, str] | None = None
) -> tuple[Finding, ...]:
    """The findings of a chain, settled in a process of its own; OutOfBounds if that has to be ended."""
    return watched(judged_with, work, budget, out, certificates or {}, seconds=_seconds(budget), memory=memory)


def judged_with(
    work: Work, budget: float, out: Path | None, certificates: Mapping[str, str]
) -> tuple[Finding, ...]:
    """The findings of a chain by the judge, who looks among certificates before searching."""
    with given(certificates):
        return judge(work, budget, out)


def left_open(work: Work, sent: object) -> tuple[Finding, ...] | None:
    """Our findings with a worker's words, where it has settled none of them; None if they are to be judged here."""
    if not isinstance(sent, Sent) or len(sent.findings) != len(work.findings):
        return None
    if not all(_is_open(ours, theirs, work.otherwise)
               for ours, theirs in zip(work.findings, sent.findings, strict=True)):
        return None
    return tuple(
        replace(ours, verdict=theirs.verdict, message=theirs.message, missing=theirs.missing, reading=theirs.reading,
                hypotheses=theirs.hypotheses, seconds=theirs.seconds)
        for ours, theirs in zip(work.findings, sent.findings, strict=True)
    )


def certificates_of(sent: object) -> dict[str, str]:
    """The certificates that were sent, as far as they are texts."""
    found = sent.certificates if isinstance(sent, Sent) and isinstance(sent.certificates, Mapping) else {}
    return {name: text for name, text in found.items() if isinstance(name, str) and isinstance(text, str)}


def _is_open(ours: Finding, theirs: object, otherwise: str) -> bool:
    return (
        isinstance(theirs, Finding)
        and theirs.verdict not in SETTLED
        and theirs.verdict in (ours.verdict, otherwise, "undecided")
        and theirs.witness is None  # a point at which it fails would be believed
        and theirs.reading.startswith(ours.reading)
    )


def _with_certificates(work: Work, budget: float) -> Sent:
    with written_down() as certificates:
        return Sent(judge(work, budget), certificates)


def _seconds(budget: float) -> float:
    return FOR_A_CHAIN + GRACE + 2 * budget
