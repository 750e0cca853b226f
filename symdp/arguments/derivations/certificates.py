r"""The certificates of a derivation: the kernel's proofs of what it shows and of its lines, for ``symdp recheck``."""

from __future__ import annotations

from pathlib import Path

from symdp.arguments.derivations.report import Report
from symdp.search.certificates import document_of, write_document


def write_certificates(report: Report, folder: Path) -> list[Path]:
    """One file for the whole, where the kernel has it, and one for each line that is proved."""
    named = {} if report.proof is None else {"derivation": report.proof}
    for line in report.walk():
        named |= {f"line-{line.number}": proof for proof in line.proofs[-1:]}
    written = [folder / f"{name}.json" for name in named]
    if written:
        folder.mkdir(parents=True, exist_ok=True)
    for path, proof in zip(written, named.values(), strict=True):
        write_document(document_of(proof, path.stem), path)
    return written
