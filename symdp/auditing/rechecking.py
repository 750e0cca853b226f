"""Replay certificates from files: no search, a bounded time, and a clear answer for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sympy import Integer, Symbol, preorder_traversal

from symdp.auditing.established import recheck_established
from symdp.auditing.instances import recheck_instance
from symdp.auditing.supporting import promise_of
from symdp.domain import Domain
from symdp.expansions.certificates import recheck_order
from symdp.insertion import Overgrown, put
from symdp.proving.argument import Argument, Promise, Violation, recheck_guarantee
from symdp.proving.certificate import BadCertificate, certificate_of, read_certificate, recheck
from symdp.proving.continuation import Continued, recheck_continued
from symdp.proving.deadline import TimeIsUp, hard_deadline
from symdp.proving.evidence import Evidence
from symdp.proving.kernel import Goal, Proof, Witness
from symdp.registry import UnknownId, claim
from symdp.statement import Comparison, Guarantee, Identity, Inequality


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
            found = replayed(document)
        if isinstance(found, Proof | Witness | Argument | Violation | Continued):
            _still_says_so(document, found.goal)
    except BadCertificate as reason:
        return Rechecked(str(path), False, reason=str(reason))
    except TimeIsUp:
        return Rechecked(str(path), False, reason=f"not replayed within {budget:g} s")
    except (MemoryError, RecursionError):
        return Rechecked(str(path), False, reason="the expressions in it grow too large")
    against = not found.supports if isinstance(found, Evidence) else isinstance(found, Witness)
    said = str(getattr(found, "goal", document.get("claim", "")))
    return Rechecked(str(path), True, "refuted" if against else "proved", said)


def document_of(found: Proof | Witness | Evidence, name: str = "") -> dict[str, Any]:
    """The certificate of whatever settles a claim."""
    return found.certificate(name) if isinstance(found, Evidence) else certificate_of(found, name)


def replayed(document: Any) -> Proof | Witness | Evidence:
    """What a certificate stands for, made anew; BadCertificate if it does not hold."""
    kind = document.get("kind") if isinstance(document, dict) else None
    if kind is None:
        return recheck(document)
    if kind == "guarantee":
        return recheck_guarantee(document)
    if kind == "continued":
        return recheck_continued(document)
    if kind in ("derivation", "instance", "order"):
        try:
            current = claim(str(document.get("name")))
        except UnknownId as reason:
            raise BadCertificate(str(reason)) from reason
        if kind == "order":
            return recheck_order(document, current)
        if kind == "instance":
            return recheck_instance(document, current)
        return recheck_established(document, current)
    raise BadCertificate(f"there are no certificates of the kind {str(kind)[:40]!r}")


def _still_says_so(document: dict[str, Any], goal: Goal | Promise) -> None:
    """A certificate for a claim of the literature must be about the claim as it stands today."""
    name = document.get("name")
    if not isinstance(name, str) or "/" not in name:
        return
    try:
        current = claim(name)
    except UnknownId:
        return
    if isinstance(current, (Inequality, Comparison, Identity)):
        today: Goal | Promise = Goal.of(current.relation, current.domain)
    elif isinstance(current, Guarantee):
        today = promise_of(current)
    else:
        return
    forms = {str(today)}
    if current.over is not None and isinstance(today, Goal) and isinstance(goal, Goal):
        forms |= {str(at) for at in _at_found_values(today, current.over, goal)}
    if str(goal) not in forms:
        raise BadCertificate(f"out of date: {name} now says {today}")


def _at_found_values(today: Goal, over: Symbol, found: Goal) -> Iterator[Goal]:
    """Where the best value of a variable was asked for: the claim at the constants of what was found."""
    rest = Domain({v: i for v, i in today.domain.intervals.items() if v != over}, today.domain.integers,
                  tuple(c for c in today.domain.conditions if over not in c.symbols))
    parts = (e for side in (found.left, found.right) for e in preorder_traversal(side))
    for value in {Integer(1), *(e for e in parts if e.is_number)}:
        try:
            left, right = (put(side, {over: value}) for side in (today.left, today.right))
        except Overgrown:
            continue
        yield Goal(rest, left, today.op, right)
