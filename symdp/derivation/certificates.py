r"""The certificates of a derivation: one file for every obligation that the kernel settled.

``symdp recheck`` replays them. A certificate speaks of one obligation; that the obligations of a
step together give the step is said in :mod:`symdp.derivation.checking` and
:mod:`symdp.derivation.sum_laws`.
"""

from __future__ import annotations

import json
from pathlib import Path

from symdp.derivation.report import Report
from symdp.proving.certificate import certificate_of
from symdp.proving.kernel import Proof, Witness


def write_certificates(report: Report, folder: Path) -> list[Path]:
    """The files written; ``derivation.json`` says which line each belongs to."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    index: list[dict[str, str]] = []
    for line in report.walk():
        for i, obligation in enumerate(line.outcome.obligations, start=1):
            found = obligation.verdict.proof or obligation.verdict.witness
            if not isinstance(found, Proof | Witness):
                continue
            name = f"{line.number}-{i}"
            path = folder / f"line-{name}.json"
            text = json.dumps(certificate_of(found, name), indent=1, ensure_ascii=False)
            path.write_text(text + "\n", encoding="utf-8")
            written.append(path)
            index.append({"line": line.number, "text": line.text, "role": obligation.role,
                          "certificate": path.name})
    document = json.dumps({"title": report.derivation.title, "obligations": index}, indent=1)
    # Not beside the certificates under a name of theirs: `symdp recheck` reads every .json it finds.
    (folder / "derivation.index").write_text(document + "\n", encoding="utf-8")
    return written
