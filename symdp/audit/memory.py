"""What an earlier audit settled, kept beside the certificates, and used again where it still holds.

A folder may come from anybody, so nothing in it is believed. A record that carries the mark of this user
(:mod:`symdp.users_mark`) is used again if the claim says what it said then, and its certificate is the one that
was written then; if the toolkit itself has changed since, the certificate is replayed. Of a folder without that mark
only certificates count: the kernel replays one now, it must be about the formal goal that the claim is, and what is
shown is what the kernel found, not what the record says. Everything else is settled anew. A certificate that was not
replayed in the time is :class:`NotRechecked`. An undecided claim is tried again when there is more time for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from symdp.audit.rechecking import PATIENCE
from symdp.audit.record import PURPOSE, SUFFIX, Record
from symdp.audit.seal import bytes_of, seal_of_claim, seal_of_code, seal_of_file
from symdp.audit.settling.formal_goals import formal_goal, lacking, status_by
from symdp.audit.unchanged import holds
from symdp.kernel.__main__ import CIRCLE, uses_of
from symdp.kernel.certificate import BadCertificate, digest_of, read_document, recheck
from symdp.kernel.goals import Goal
from symdp.kernel.proof import Proof
from symdp.kernel.witness import Witness
from symdp.outgoing import by_name, write
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.search.reasons import Trust
from symdp.search.verdict import Status, Verdict, digits
from symdp.sources import contents
from symdp.sources.registry import UnknownId, statement
from symdp.sources.registry import claim as claim_of_id
from symdp.sources.statement import Claim
from symdp.users_mark import marked, recognised

#: The path of the certificate of a claim, from its id.
Place = Callable[[str], Path]


#: What a record may say of a claim whose certificate is a proof: what was to be found is *derived*, and then proved.
_SAID_OF = {Status.PROVED: (Status.PROVED.value, Status.DERIVED.value)}


class NotRechecked(Exception):
    """There is a certificate, and the kernel did not come to its end in the time; says so."""


def remember(record: Record, claim: Claim, budget: float, path: Path) -> None:
    """Write down what was settled; ``path`` is that of the certificate, whether there is one or not."""
    certificate = record.data.get("certificate")
    put_record({
        **_today(claim),
        "budget": budget,
        "certificate": seal_of_file(path) if certificate else None,
        "data": {**record.data, "certificate": None},  # its path follows from the id of the claim
        "corrected": record.corrected,
        "explanation": list(record.explanation),
    }, path)


def _today(claim: Claim) -> dict[str, Any]:
    """What a record holds for: the claim and its goal, the literature it is in, and the code."""
    goal = formal_goal(claim)
    return {"claim": seal_of_claim(claim), "goal": None if goal is None else digest_of(goal),
            "beyond": lacking(claim), "literature": contents.digest(), "toolkit": seal_of_code()}


def put_record(document: dict[str, Any], path: Path) -> None:
    """Write a record beside the certificate of that path, with the mark of this user."""
    write(path.with_suffix(SUFFIX), marked(PURPOSE, document), ours=by_name)


def recall(claim: Claim, budget: float, path: Path, place: Place) -> Record | None:
    """The record of an earlier audit, if it still holds; NotRechecked if that was not seen in the time."""
    record = recall_marked(claim, budget, path)
    if record is not None:
        return record
    try:
        earlier = record_document(path)
        found = replayed(claim, place, budget)
        status = status_by(claim, found)
        if status is None:
            return None
        if earlier is not None and earlier["claim"] == seal_of_claim(claim) \
                and earlier["data"]["verdict"] in _SAID_OF.get(status, (status.value,)):
            # ours, of another toolkit: it holds with today's as well, and need not be replayed again
            put_record({**earlier, **_today(claim), "certificate": seal_of_file(path)}, path)
            return _record(claim, earlier, path)
    except (OSError, ValueError, KeyError, TypeError, UnknownId, BadCertificate):
        return None
    record = _asreplayed(claim, found, status, path)
    remember(record, claim, budget, path)
    return record


def recall_marked(claim: Claim, budget: float, path: Path) -> Record | None:
    """The record of an earlier audit of our own, by today's toolkit; nothing is replayed."""
    try:
        document = record_document(path)
        if document is None or not holds(document, seal_of_code(), path, budget) \
                or document["claim"] != seal_of_claim(claim):
            return None
        return _record(claim, document, path)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def record_document(path: Path) -> dict[str, Any] | None:
    """What is written beside a certificate, if we wrote it."""
    try:
        return recognised(PURPOSE, bytes_of(path.with_suffix(SUFFIX)))
    except (OSError, ValueError):
        return None


def _record(claim: Claim, document: dict[str, Any], path: Path) -> Record:
    data = {**document["data"], "certificate": str(path) if document["certificate"] is not None else None}
    Trust.read(data)  # written before trust was two lists: settled anew
    return Record("id", claim.id, claim.text(), str(claim.domain), data, document["corrected"],
                  explanation=tuple(document["explanation"]), beyond=lacking(claim))


# --- what a stranger's folder can show -----------------------------------------------------------


def replayed(claim: Claim, place: Place, budget: float) -> Proof | Witness:
    """What the kernel finds in the certificate of a claim, after those of the claims that it uses."""
    patience = max(budget, PATIENCE)
    try:
        with hard_deadline(patience):
            return _replay(claim.id, place, ())
    except TimeIsUp:
        raise NotRechecked(f"its certificate was not replayed within {patience:g} s") from None
    except (MemoryError, RecursionError) as reason:
        raise BadCertificate("the terms in it grow too large") from reason


def _replay(id: str, place: Place, above: Collection[str]) -> Proof | Witness:
    if id in above:
        raise BadCertificate(CIRCLE)
    path = place(id)
    seal_of_file(path)  # no link out of the folder, no pipe, no device
    document = read_document(path)
    known: dict[str, Goal] = {}
    for used in uses_of(document):
        found = _replay(used, place, (*above, id))
        if status_by(claim_of_id(used), found) is not Status.PROVED:
            raise BadCertificate(f"{used} is not what is proved")
        known[used] = found.goal
    return recheck(document, known)


def _asreplayed(claim: Claim, found: Proof | Witness, status: Status, path: Path) -> Record:
    """The record of what the kernel found; nothing in it is taken from what lay there."""
    if isinstance(found, Proof):
        kept = {"proof": found} if status is Status.PROVED else {"witness": found}
        data = Verdict(status, "by its certificate, which the kernel replayed", **kept).as_json()  # type: ignore[arg-type]
    else:
        at = {name: str(value) for name, value in found.point.values.items()}
        where = ", ".join(f"{name} = {value}" for name, value in at.items())
        data = Verdict(status, f"it fails at {where}, by its certificate, which the kernel replayed" if where else
                       "by its certificate, which the kernel replayed", witness=found).as_json()
        data["witness"] = {**at, "left": digits(found.left), "right": digits(found.right),
                           "violation": digits(found.violation)}
    data["certificate"] = str(path)
    correction = statement(claim.id).improvement_of(claim, "corrected")
    return Record("id", claim.id, claim.text(), str(claim.domain), data, correction.id if correction else None,
                  explanation=(str(found.goal),), beyond=lacking(claim))
