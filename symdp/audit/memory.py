"""What an earlier audit settled, kept beside the certificates, and used again where it still holds.

A record is used again if the claim says what it said then, and its certificate is the one that was
written then. If the toolkit itself has changed since, the certificate is replayed; a verdict that has no
certificate is then settled anew. An undecided claim is tried again when there is more time for it.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from symdp.audit.formal import lacking
from symdp.audit.rechecking import recheck_file
from symdp.audit.record import Record, digest_of
from symdp.kernel.certificate import BadCertificate
from symdp.sources.statement import Claim

#: not .json: these are no certificates
SUFFIX = ".settled"


@cache
def toolkit() -> str:
    """A digest of the code that settles and checks claims."""
    root = Path(__file__).resolve().parents[1]
    found = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).parts[0] not in ("literature", "report"):
            found.update(path.read_bytes())
    return found.hexdigest()


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def remember(record: Record, claim: Claim, budget: float, path: Path) -> None:
    """Write down what was settled; ``path`` is that of the certificate, whether there is one or not."""
    certificate = record.data.get("certificate")
    document = {
        "claim": digest_of(claim),
        "toolkit": toolkit(),
        "budget": budget,
        "certificate": _digest(Path(certificate)) if certificate else None,
        "data": record.data,
        "corrected": record.corrected,
        "explanation": list(record.explanation),
    }
    _write(document, path)


def _write(document: dict[str, Any], path: Path) -> None:
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(document), encoding="utf-8")
    partial.replace(path.with_suffix(SUFFIX))


def recall(claim: Claim, budget: float, path: Path) -> Record | None:
    """The record of an earlier audit, if it still holds."""
    try:
        document: dict[str, Any] = json.loads(path.with_suffix(SUFFIX).read_text(encoding="utf-8"))
        data = dict(document["data"])
        known = document["claim"] == digest_of(claim)
        same_tools = document["toolkit"] == toolkit()
        longer = data["verdict"] == "undecided" and budget > float(document["budget"])
        if not known or longer or data["verdict"] == "error":
            return None
        if document["certificate"] is not None:
            if _digest(path) != document["certificate"]:
                return None
            data["certificate"] = str(path)
            if not same_tools and recheck_file(path).verdict != data["verdict"]:
                return None
        elif not same_tools and data["verdict"] != "cited":
            return None
        if not same_tools:  # it holds with today's tools as well, and need not be replayed again
            _write({**document, "toolkit": toolkit()}, path)
        return Record("id", claim.id, claim.text(), str(claim.domain), data, document["corrected"],
                      explanation=tuple(document["explanation"]), beyond=lacking(claim))
    except (OSError, ValueError, KeyError, TypeError, BadCertificate):
        return None
