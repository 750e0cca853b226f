"""Replay certificates from files with the kernel's own checker: no search, a bounded time, a clear answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from symdp.audit.settling.formal_goals import formal_goal, status_by
from symdp.incoming import NotRead, require_file
from symdp.kernel.__main__ import CIRCLE, in_order, name_of, uses_of
from symdp.kernel.certificate import LARGEST_FILE, BadCertificate, read_document, recheck
from symdp.kernel.goals import Goal
from symdp.kernel.proof import Proof
from symdp.kernel.witness import Witness
from symdp.search.certificates import document_of
from symdp.search.deadline import GUARD, TimeIsUp, hard_deadline
from symdp.search.verdict import Verdict
from symdp.sources.registry import UnknownId, claim
from symdp.watched import OutOfBounds, watched
from symdp.workers.cluster import each_on
from symdp.workers.processes import each

T = TypeVar("T")
#: Seconds that a process may take for what is not counted.
SLACK = 20.0

#: Seconds for one certificate, unless the user says otherwise.
PATIENCE = 60.0


@dataclass(frozen=True)
class Rechecked:
    """What became of one certificate."""

    path: str
    accepted: bool
    #: proved or refuted, of what is accepted
    verdict: str = ""
    claim: str = ""
    reason: str = ""
    #: whether the file is no certificate at all
    malformed: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def certificates_in(paths: Iterable[Path]) -> list[Path]:
    """The files themselves, and what lies in folders; a path that does not exist is an error.

    Links in a folder are among them, and are rejected with a line of their own: what they lead to may lie elsewhere.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*.json") if p.name != "audit.json")
            if not inside:
                raise BadCertificate(f"there is no certificate in {path}")
            found += inside
        elif path.exists():
            found.append(path.resolve() if path.is_symlink() else path)
        else:
            raise BadCertificate(f"{path} does not exist")
    return found


def certificate_of(verdict: Verdict, name: str) -> dict[str, Any] | None:
    """The JSON document of the proof or counterexample behind a verdict; None if there is none."""
    if verdict.formal is None:
        return None
    return document_of(verdict.formal, name, versions={p: version(p) for p in ("symdp", "python-flint")})


def tally(rows: Iterable[Rechecked]) -> dict[str, int]:
    """How many certificates show what: n proved, n refuted, n rejected."""
    words = Counter(row.verdict if row.accepted else "rejected" for row in rows)
    return {word: words[word] for word in ("proved", "refuted", "rejected")}


def recheck_all(
    paths: Iterable[Path], budget: float = PATIENCE, jobs: int = 1, executor: Executor | None = None,
    advance: Callable[[str, int, int], None] = lambda what, done, total: None, memory: int | None = None,
) -> list[Rechecked]:
    """Every file, in the order given; each is replayed after those that it uses, and a bad one spoils no other.

    With a bound on the memory each is read and replayed in a process of its own.
    """
    paths = list(paths)
    found: dict[Path, Rechecked] = {}
    documents: dict[Path, Any] = {}
    for path in dict.fromkeys(paths):
        try:
            documents[path] = _bounded(_links_of, path, budget, memory)
        except (BadCertificate, OutOfBounds) as reason:
            found[path] = Rechecked(str(path), False, reason=str(reason), malformed=True)
    proved: dict[str, Goal] = {}
    for layer in in_order(documents):
        work = [((p, {u: proved[u] for u in uses_of(documents[p]) if u in proved}, budget), memory) for p in layer]
        for place, answer in _each(work, jobs, executor):
            path = layer[place]
            found[path], goal = answer if isinstance(answer, tuple) else (
                Rechecked(str(path), False, reason=str(answer)), None)
            advance(path.name, len(found), len(paths))
            if goal is not None:
                proved.setdefault(name_of(documents[path]), goal)
    return [found.get(path) or Rechecked(str(path), False, reason=CIRCLE) for path in paths]


def _each(work: list[Any], jobs: int, executor: Executor | None) -> Iterator[tuple[int, Any]]:
    """What becomes of each file of a layer, by its place."""
    if executor is not None:
        return each_on(executor, _replay_bounded, dict(enumerate(work)))
    if jobs > 1 and len(work) > 1:
        return each(_replay_bounded, work, jobs)
    return ((i, _replay_bounded(*given)) for i, given in enumerate(work))


def _bounded(work: Callable[..., T], given: Any, budget: float, memory: int | None) -> T:
    if memory is None:
        return work(given)
    return watched(work, given, seconds=SLACK + 2 * GUARD * budget, memory=memory)


def _replay_bounded(work: _Work, memory: int | None) -> tuple[Rechecked, Goal | None]:
    try:
        return _bounded(_replay, work, work[2], memory)
    except OutOfBounds as reason:
        return Rechecked(str(work[0]), False, reason=f"not replayed: {reason}"), None


def recheck_file(path: Path, budget: float = PATIENCE) -> Rechecked:
    """One file by itself: what it uses must be given as well, see :func:`recheck_all`."""
    return recheck_all([path], budget)[0]


def read_certificate(path: Path) -> Any:
    """The document in a file that is one: neither a link, nor a pipe, nor a device."""
    try:
        require_file(path, LARGEST_FILE)
    except NotRead as reason:
        raise BadCertificate(str(reason)) from reason
    return read_document(path)


def _links_of(path: Path) -> dict[str, Any]:
    """What a document is called and what it uses: all that has to be known of every file at once."""
    document = read_certificate(path)
    return {"name": name_of(document), "uses": dict.fromkeys(uses_of(document))}


_Work: TypeAlias = tuple[Path, Mapping[str, Goal], float]


def _replay(work: _Work) -> tuple[Rechecked, Goal | None]:
    """One certificate; the goal, if it was proved."""
    path, claims, budget = work
    try:
        with hard_deadline(budget):
            document = read_certificate(path)
            found = recheck(document, claims)
            word = _verdict_of(document, found)
    except BadCertificate as reason:
        return Rechecked(str(path), False, reason=str(reason)), None
    except TimeIsUp:
        return Rechecked(str(path), False, reason=f"not replayed within {budget:g} s"), None
    except (MemoryError, RecursionError):
        return Rechecked(str(path), False, reason="the terms in it grow too large"), None
    return Rechecked(str(path), True, word, str(found.goal)), found.goal if isinstance(found, Proof) else None


def _verdict_of(document: Mapping[str, Any], found: Proof | Witness) -> str:
    """Proved or refuted; a certificate for a claim of the literature must be about the claim as it stands today."""
    shown, name = "proved" if isinstance(found, Proof) else "refuted", document.get("name")
    if not isinstance(name, str) or "/" not in name:
        return shown
    try:
        today = formal_goal(claim(name))
    except UnknownId:
        return shown
    if today is not None and status_by(claim(name), found) is None:
        raise BadCertificate(f"out of date: {name} now says {today}")
    return shown
