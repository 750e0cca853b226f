"""What a worker elsewhere sends back, and what is taken from it.

A worker is not trusted. Of what it calls proved or refuted the certificate counts: the kernel replays it here, and
it must be about the claim that was asked for. What the verdict relies on, and where a claim fails, is what the kernel
found; only the words on how it was found are the worker's own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from symdp.audit.record import Record
from symdp.kernel.proof import Proof
from symdp.kernel.witness import Witness
from symdp.search.reasons import Trust
from symdp.search.verdict import Departure, Status, digits

#: What a worker may say without a certificate: it makes nothing true.
OPEN = (Status.UNDECIDED, Status.SUPPORTED, Status.ERROR)


class NotAccepted(ValueError):
    """What a worker sent does not show what it says; one line."""


@dataclass(frozen=True)
class Delivered:
    """The record of a claim as its worker has it, and the certificate behind it, as bytes of a file."""

    record: Record
    certificate: bytes | None


def confirmed(record: Record, found: Proof | Witness, status: Status | None) -> Record:
    """The record with what the kernel found in its certificate, which must be what the record says."""
    if status is None:
        raise NotAccepted("the certificate is about something else")
    if record.status is not status:
        raise NotAccepted(f"the record says {record.verdict}, and its certificate {status.value}")
    return replace(record, data={**record.data, **_shown(found, status)})


def _shown(found: Proof | Witness, status: Status) -> dict[str, Any]:
    if isinstance(found, Witness):
        at = {name: str(value) for name, value in found.point.values.items()}
        return {**Trust().as_json(), "witness": {
            **at, "left": digits(found.left), "right": digits(found.right), "violation": digits(found.violation)}}
    trust = Trust.of(theorems=found.trust, claims=found.uses, rules=found.rules)
    return {**trust.as_json(), "witness": Departure(found).as_json() if status is Status.REFUTED else None}
