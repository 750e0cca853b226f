"""Replay certificates from files: no search, a bounded time, and a clear answer for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from symdp.proving.certificate import BadCertificate, read_certificate, recheck
from symdp.proving.deadline import TimeIsUp, hard_deadline
from symdp.proving.kernel import Goal, Witness
from symdp.registry import UnknownId, claim
from symdp.statement import Comparison, Identity, Inequality


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


def recheck_file(path: Path, budget: float = 60.0) -> Rechecked:
    """Replay one certificate; a file that is none at all raises BadCertificate."""
    try:
        document = read_certificate(path)
    except BadCertificate as reason:
        raise BadCertificate(f"{path}: {reason}") from reason
    try:
        with hard_deadline(budget):
            found = recheck(document)
        _still_says_so(document, found.goal)
    except BadCertificate as reason:
        return Rechecked(str(path), False, reason=str(reason))
    except TimeIsUp:
        return Rechecked(str(path), False, reason=f"not replayed within {budget:g} s")
    except (MemoryError, RecursionError):
        return Rechecked(str(path), False, reason="the expressions in it grow too large")
    verdict = "refuted" if isinstance(found, Witness) else "proved"
    return Rechecked(str(path), True, verdict, str(found.goal))


def _still_says_so(document: dict[str, Any], goal: Goal) -> None:
    """A certificate for a claim of the literature must be about the claim as it stands today."""
    name = document.get("name")
    if not isinstance(name, str) or "/" not in name:
        return
    try:
        current = claim(name)
    except UnknownId:
        return
    if isinstance(current, (Inequality, Comparison, Identity)):
        today = Goal.of(current.relation, current.domain)
        if str(today) != str(goal):
            raise BadCertificate(f"out of date: {name} now says {today}")
