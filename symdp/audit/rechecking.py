"""Replay certificates from files with the kernel's own checker: no search, a bounded time, a clear answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from symdp.audit.formal import formal_goal
from symdp.kernel.__main__ import CIRCLE, in_order, name_of, uses_of
from symdp.kernel.certificate import BadCertificate, digest_of, read_document, recheck
from symdp.kernel.goals import Goal
from symdp.kernel.proof import Proof
from symdp.search.certificates import document_of
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.search.verdict import Verdict
from symdp.sources.registry import UnknownId, claim

#: Seconds for one certificate, unless the user says otherwise.
PATIENCE = 60.0


@dataclass(frozen=True)
class Rechecked:
    """What became of one certificate."""

    path: str
    accepted: bool
    verdict: str = ""
    claim: str = ""
    reason: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def certificates_in(paths: Iterable[Path]) -> list[Path]:
    """The files themselves, and what lies in folders; a path that does not exist is an error."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*.json") if p.name != "audit.json")
            if not inside:
                raise BadCertificate(f"there is no certificate in {path}")
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise BadCertificate(f"{path} does not exist")
    return found


def certificate_of(verdict: Verdict, name: str) -> dict[str, Any] | None:
    """The JSON document of the proof or counterexample behind a verdict; None if there is none."""
    if verdict.formal is None:
        return None
    return document_of(verdict.formal, name, versions={p: version(p) for p in ("symdp", "python-flint")})


def recheck_all(
    paths: Iterable[Path], budget: float = PATIENCE, jobs: int = 1, executor: Executor | None = None,
    advance: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> list[Rechecked]:
    """Every file, in the order given; each is replayed after those that it uses."""
    paths = list(paths)
    documents = {path: _read(path) for path in paths}
    found: dict[Path, Rechecked] = {}
    proved: dict[str, Goal] = {}
    pool = executor or (ProcessPoolExecutor(jobs) if jobs > 1 and len(paths) > 1 else None)
    apply: Callable[..., Iterator[Any]] = map if pool is None else pool.map
    try:
        for layer in in_order(documents):
            work = [(p, {u: proved[u] for u in uses_of(documents[p]) if u in proved}, budget) for p in layer]
            for path, (outcome, goal) in zip(layer, apply(_replay, work), strict=True):
                found[path] = outcome
                advance(path.name, len(found), len(paths))
                if goal is not None:
                    proved.setdefault(name_of(documents[path]), goal)
    finally:
        if executor is None and pool is not None:
            pool.shutdown()
    return [found.get(path) or Rechecked(str(path), False, reason=CIRCLE) for path in paths]


def recheck_file(path: Path, budget: float = PATIENCE) -> Rechecked:
    """One file by itself: what it uses must be given as well, see :func:`recheck_all`."""
    return recheck_all([path], budget)[0]


def _read(path: Path) -> Any:
    try:
        return read_document(path)
    except BadCertificate as reason:
        raise BadCertificate(f"{path}: {reason}") from reason


def _replay(work: tuple[Path, Mapping[str, Goal], float]) -> tuple[Rechecked, Goal | None]:
    """One certificate; the goal, if it was proved."""
    path, claims, budget = work
    document = read_document(path)
    try:
        with hard_deadline(budget):
            found = recheck(document, claims)
            _still_says_so(document, found.goal)
    except BadCertificate as reason:
        return Rechecked(str(path), False, reason=str(reason)), None
    except TimeIsUp:
        return Rechecked(str(path), False, reason=f"not replayed within {budget:g} s"), None
    except (MemoryError, RecursionError):
        return Rechecked(str(path), False, reason="the terms in it grow too large"), None
    if isinstance(found, Proof):
        return Rechecked(str(path), True, "proved", str(found.goal)), found.goal
    return Rechecked(str(path), True, "refuted", str(found.goal)), None


def _still_says_so(document: Mapping[str, Any], goal: Goal) -> None:
    """A certificate for a claim of the literature must be about the claim as it stands today."""
    name = document.get("name")
    if not isinstance(name, str) or "/" not in name:
        return
    try:
        today = formal_goal(claim(name))
    except UnknownId:
        return
    if today is not None and digest_of(today) != digest_of(goal):
        raise BadCertificate(f"out of date: {name} now says {today}")
