r"""The certificate of a derivation: the kernel's proof of what it shows, which ``symdp recheck`` replays."""

from __future__ import annotations

from pathlib import Path

from symdp.certificates import document_of, write_document
from symdp.derivation.derivation import Derivation
from symdp.derivation.formal import Formalised, formalise


def write_certificate(derivation: Derivation, folder: Path, name: str = "derivation") -> Formalised:
    """What was proved; a file is written only where there is a proof."""
    found = formalise(derivation)
    if found.proof is not None:
        folder.mkdir(parents=True, exist_ok=True)
        write_document(document_of(found.proof, name), folder / f"{name}.json")
    return found
