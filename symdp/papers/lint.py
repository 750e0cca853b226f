r"""A verdict for every relation of a document.

>>> import tempfile
>>> place = Path(tempfile.mkdtemp()) / "paper.tex"
>>> _ = place.write_text(r"Let $x > 0$. Then $$x \le x + 1 < x.$$")
>>> [finding.verdict for finding in lint([place])]
['assumption', 'proved', 'refuted']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

from symdp.papers.elsewhere import certificates_of, in_bounds, judged_there, judged_with, left_open
from symdp.papers.finding import Finding
from symdp.papers.reading import read_document
from symdp.papers.text.source_text import NoPaper, document
from symdp.papers.work import Entry, Work
from symdp.watched import MEMORY, OutOfBounds, watched
from symdp.workers.cluster import each_on
from symdp.workers.processes import each

#: Seconds for each relation.
BUDGET = 2.0
#: Seconds in which a document is read, before any of it is settled.
READING = 120.0
_ENDED = "the search was ended: "
_PRELOADED = "symdp.papers.judging"
Advance = Callable[[str, int, int], None]
#: The place of a chain, its findings, and whether they were judged here: nothing else is kept.
_Judged = tuple[int, tuple[Finding, ...], bool]


class Remembered(Protocol):
    """A memory of chains that were judged before."""

    def recall(self, work: Work, budget: float) -> tuple[Finding, ...] | None: ...

    def remember(self, work: Work, budget: float, findings: tuple[Finding, ...]) -> None: ...


def lint(
    paths: Iterable[Path | str],
    *,
    budget: float = BUDGET,
    jobs: int = 1,
    executor: Executor | None = None,
    memory: int | None = MEMORY,
    out: Path | None = None,
    texts: Mapping[Path, str] | None = None,
    kept: Remembered | None = None,
    advance: Advance = lambda what, done, total: None,
) -> Iterator[Finding]:
    """The findings in the order of the documents, each as soon as those before it are known.

    ``budget`` is for each relation, ``out`` a folder for certificates, ``memory`` in bytes for each process; None
    settles all of them in this process. ``texts`` are what an editor has in place of files, by their resolved paths;
    ``kept`` remembers chains that were judged before, where no certificates are asked for. An ``executor`` searches
    in place of ``jobs`` processes; what it settles is judged again here (:mod:`symdp.papers.elsewhere`).
    """
    for path in map(Path, paths):
        entries = _read(path, texts or {}, memory)
        chains = [entry for entry in entries if isinstance(entry, Work)]
        judged = partial(_judged, budget=budget, jobs=jobs, memory=memory, out=out, executor=executor)
        answers = _recalled(chains, judged, budget, None if out is not None else kept)
        yield from _in_order(entries, answers, lambda done: advance(str(path), done, len(chains)))  # noqa: B023


def _read(path: Path, texts: Mapping[Path, str], memory: int | None) -> list[Entry]:
    """What is in a document, read in a process of its own: a text may be made to be read for ever."""
    if memory is None:
        return read_document(*document(path, texts))
    try:
        return watched(_entries, path, texts, seconds=READING, memory=memory)
    except OutOfBounds as reason:
        raise NoPaper(f"{path}: the reading of it was {reason}; lint its parts, each in a file") from reason


def _entries(path: Path, texts: Mapping[Path, str]) -> list[Entry]:
    return read_document(*document(path, texts))


def _in_order(
    entries: list[Entry], answers: Iterator[tuple[int, tuple[Finding, ...]]], done: Callable[[int], None]
) -> Iterator[Finding]:
    """Findings in the order of the text, whatever the order in which they are known."""
    known: dict[int, tuple[Finding, ...]] = {}
    number = 0
    for entry in entries:
        if isinstance(entry, Finding):
            yield entry
            continue
        while number not in known:
            place, found = next(answers)
            known[place] = found
            done(len(known))
        yield from known[number]
        number += 1


def _recalled(
    chains: list[Work], judged: Callable[[list[Work]], Iterator[_Judged]], budget: float, kept: Remembered | None
) -> Iterator[tuple[int, tuple[Finding, ...]]]:
    """The findings of the chains: those that are kept, then those of the judge, which are kept from now on."""
    asked = []
    for number, work in enumerate(chains):
        found = None if kept is None else kept.recall(work, budget)
        if found is None:
            asked.append(number)
        else:
            yield number, found
    for place, found, ours in judged([chains[number] for number in asked]):
        # what was ended was the machine, not the paper
        if kept is not None and ours and not any(f.message.startswith(_ENDED) for f in found):
            kept.remember(chains[asked[place]], budget, found)
        yield asked[place], found


def _judged(
    chains: list[Work], budget: float, jobs: int, memory: int | None, out: Path | None, executor: Executor | None
) -> Iterator[_Judged]:
    if executor is not None:
        yield from _judged_on(executor, chains, budget, memory, out)
    elif memory is None or jobs == 1 or len(chains) < 2:
        for number, work in enumerate(chains):
            yield number, bounded(work, budget, out, memory), True
    else:
        items = [(work, budget, out, memory) for work in chains]
        for place, found in each(bounded, items, jobs, _PRELOADED):
            yield place, _ended(chains[place], str(found)) if isinstance(found, OutOfBounds) else found, True


def _judged_on(
    executor: Executor, chains: list[Work], budget: float, memory: int | None, out: Path | None
) -> Iterator[_Judged]:
    """What an executor leaves open, and what is judged here with the certificates that it sends."""
    items = {number: (work, budget, memory) for number, work in enumerate(chains)}
    for number, sent in each_on(executor, judged_there, items, preloaded=_PRELOADED):
        work = chains[number]
        if isinstance(sent, OutOfBounds):
            yield number, _ended(work, str(sent)), False
        elif (found := left_open(work, sent)) is not None:
            yield number, found, False
        else:
            yield number, bounded(work, budget, out, memory, certificates_of(sent)), True


def bounded(
    work: Work, budget: float, out: Path | None, memory: int | None, certificates: Mapping[str, str] | None = None
) -> tuple[Finding, ...]:
    """The findings of a chain, settled in a process of its own with an end to its memory and time."""
    if memory is None:
        return judged_with(work, budget, out, certificates or {})
    try:
        return in_bounds(work, budget, out, memory, certificates)
    except OutOfBounds as reason:
        return _ended(work, str(reason))


def _ended(work: Work, reason: str) -> tuple[Finding, ...]:
    return tuple(
        finding if op is None else replace(finding, message=f"{_ENDED}{reason}")
        for finding, op in zip(work.findings, work.ops, strict=True)
    )


__all__ = ["BUDGET", "NoPaper", "lint"]
