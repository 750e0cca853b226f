"""What Coq said of a certificate, kept beside it, and shown with the verdict while nothing has changed.

``symdp formal --check`` keeps a record beside each certificate whose theorem Coq accepted. The record ties together
the certificate, what it is about, the Coq file with the theorem, the Coq library, the code that writes theorems, and
what coqc said; change one of them and it counts no more. Nothing stored is believed: the record carries the mark of
this user (:mod:`symdp.users_mark`), which a stranger's folder cannot have. Whoever gets such a folder runs
``symdp formal --check`` himself.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from symdp.audit.record import COQ_SUFFIX, Record
from symdp.audit.seal import bytes_of, seal_of_code, seal_of_file
from symdp.formal.compiling import Checked, file_of, library_digest
from symdp.formal.export import Exported, theorem_name
from symdp.kernel.certificate import BadCertificate, digest_of, read_document
from symdp.outgoing import NotOurs, by_name, write
from symdp.search.status import Status
from symdp.users_mark import marked, recognised

if TYPE_CHECKING:
    from symdp.sources.statement import Claim

_PURPOSE = "verdict of Coq"
#: What a theorem of Coq does not speak for: how a formula without a value is read.
READING = "reading: "


@dataclass(frozen=True)
class CoqVerdict:
    """A theorem that coqc accepted, and the axioms behind it."""

    theorem: str
    file: str
    axioms: tuple[str, ...]


def place_of(certificate: Path) -> Path:
    return certificate.with_suffix(COQ_SUFFIX)


def keep(exported: Exported, checked: Checked, out: Path) -> None:
    """Write down that Coq accepted a theorem, or remove what was written before it did not."""
    certificate, place = exported.file, place_of(exported.file)
    if not checked.accepted:
        if place.is_file() and not place.is_symlink():
            place.unlink()
        return
    file = file_of(exported, out)
    document = {
        "certificate": seal_of_file(certificate),
        "goal": str(read_document(certificate).get("digest", "")),
        "verdict": exported.verdict,
        "theorem": theorem_name(exported.claim),
        "file": os.path.relpath(file.resolve(), certificate.parent.resolve()),
        "text": hashlib.sha256((exported.text or "").encode()).hexdigest(),  # what coqc was given
        "library": library_digest(),
        "exporter": seal_of_code("formal"),
        "coq": {"accepted": True, "axioms": list(checked.axioms), "message": checked.message},
    }
    with suppress(NotOurs, OSError):  # then the verdict is shown without it
        write(place, marked(_PURPOSE, document), ours=by_name)


def keep_all(found: Sequence[Exported], rows: Sequence[Checked], out: Path) -> None:
    for exported, checked in zip(found, rows, strict=True):
        keep(exported, checked, out)


def recalled(certificate: Path, goal: str, verdict: str) -> CoqVerdict | None:
    """What Coq said of the certificate of a goal with that digest, if we wrote it down and nothing has changed."""
    try:
        document = recognised(_PURPOSE, bytes_of(place_of(certificate)))
        if document is None:
            return None
        file = certificate.parent / document["file"]
        now = {"certificate": seal_of_file(certificate), "goal": goal, "verdict": verdict,
               "text": seal_of_file(file), "library": library_digest(), "exporter": seal_of_code("formal")}
        if any(document[name] != value for name, value in now.items()) or document["coq"]["accepted"] is not True:
            return None
        return CoqVerdict(document["theorem"], document["file"], tuple(map(str, document["coq"]["axioms"])))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, BadCertificate):
        return None


def with_coq(record: Record, claim: Claim, certificate: Path) -> Record:
    """The record, which says *checked by Coq* where a theorem of the same goal was accepted.

    Coq proves what the kernel's rules cite (that randomised response dominates, for instance), so that this is no
    longer on trust; how formulas are read still is.
    """
    if record.status not in (Status.PROVED, Status.REFUTED) or not place_of(certificate).is_file():
        return record
    from symdp.audit.settling.formal_goals import formal_goal  # noqa: PLC0415 - start-up: the prover

    goal = formal_goal(claim)
    return record if goal is None else said_by_coq(record, digest_of(goal), certificate)


def said_by_coq(record: Record, goal: str, certificate: Path) -> Record:
    """The same, of a claim whose goal has that digest."""
    if record.status not in (Status.PROVED, Status.REFUTED):
        return record
    found = recalled(certificate, goal, record.verdict)
    if found is None:
        return record
    said = {"theorem": found.theorem, "file": found.file, "axioms": list(found.axioms)}
    trust = [line for line in record.data["trust"] if line.startswith(READING)]
    return replace(record, data={**record.data, "trust": trust, "coq": said})

