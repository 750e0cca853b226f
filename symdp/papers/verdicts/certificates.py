"""Proofs and witnesses of a paper's relations on disk, named after their places."""

from __future__ import annotations

import re
from pathlib import Path

from symdp.kernel.proof import Proof
from symdp.papers.verdicts.question import LinkQuestion
from symdp.search.certificates import document_of, write_document


def certificate(q: LinkQuestion, proof: object) -> str | None:
    """Where it was written, if certificates are asked for."""
    if q.out is None or (not isinstance(proof, Proof) and type(proof).__name__ != "Witness"):
        return None
    stem = re.sub(r"[^A-Za-z0-9-]+", "_", Path(q.finding.file).stem)
    number = f"-{q.work.findings.index(q.finding)}" if q.finding in q.work.findings else ""
    path = q.out / f"{stem}-{q.finding.line}-{q.finding.column}{number}.json"
    q.out.mkdir(parents=True, exist_ok=True)
    write_document(document_of(proof, path.stem), path)  # type: ignore[arg-type]
    return str(path)
