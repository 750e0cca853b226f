r"""A verdict for every relation of a document.

>>> import tempfile
>>> place = Path(tempfile.mkdtemp()) / "paper.tex"
>>> _ = place.write_text(r"Let $x > 0$. Then $$x \le x + 1 < x.$$")
>>> [finding.verdict for finding in lint([place])]
['assumption', 'proved', 'refuted']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from symdp.papers.finding import Finding
from symdp.papers.judging import judge
from symdp.papers.reading import Entry, Work, read_document
from symdp.papers.source_text import NoPaper, document
from symdp.search.workers import each
from symdp.watched import MEMORY, OutOfBounds, watched

#: Seconds for each relation.
BUDGET = 2.0
#: Seconds after which a chain is ended from outside, for each of its links and for all.
FOR_A_LINK, FOR_ALL = 200.0, 200.0
Advance = Callable[[str, int, int], None]


def lint(
    paths: Iterable[Path | str],
    *,
    budget: float = BUDGET,
    jobs: int = 1,
    memory: int | None = MEMORY,
    out: Path | None = None,
    advance: Advance = lambda what, done, total: None,
) -> Iterator[Finding]:
    """The findings in the order of the documents, each as soon as those before it are known.

    ``budget`` is for each relation, ``out`` a folder for certificates, ``memory`` in bytes for each process; None
    settles all of them in this process.
    """
    for path in map(Path, paths):
        entries = read_document(*document(path))
        chains = [entry for entry in entries if isinstance(entry, Work)]
        answers = _judged(chains, budget, jobs, memory, out)
        yield from _in_order(entries, answers, lambda done: advance(str(path), done, len(chains)))  # noqa: B023


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


def _judged(
    chains: list[Work], budget: float, jobs: int, memory: int | None, out: Path | None
) -> Iterator[tuple[int, tuple[Finding, ...]]]:
    if memory is None:
        for number, work in enumerate(chains):
            yield number, judge(work, budget, out)
    elif jobs == 1 or len(chains) < 2:
        for number, work in enumerate(chains):
            yield number, bounded(work, budget, out, memory)
    else:
        items = [(work, budget, out, memory) for work in chains]
        for place, found in each(bounded, items, jobs, "symdp.papers.judging"):
            yield place, _ended(chains[place], str(found)) if isinstance(found, OutOfBounds) else found


def bounded(work: Work, budget: float, out: Path | None, memory: int) -> tuple[Finding, ...]:
    """The findings of a chain, settled in a process of its own with an end to its memory and time."""
    seconds = FOR_ALL + len(work.ops) * (FOR_A_LINK + 10 * budget)
    try:
        return watched(judge, work, budget, out, seconds=seconds, memory=memory)
    except OutOfBounds as reason:
        return _ended(work, str(reason))


def _ended(work: Work, reason: str) -> tuple[Finding, ...]:
    return tuple(
        finding if op is None else replace(finding, message=f"the search was ended: {reason}")
        for finding, op in zip(work.findings, work.ops, strict=True)
    )


__all__ = ["BUDGET", "NoPaper", "lint"]
