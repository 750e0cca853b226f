"""What is packed into the package: the records, certificates and figures of an audit by today's code.

``python -m symdp.audit.shipped FOLDER`` asks for it; figures that the folder does not have yet are drawn.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from symdp.audit import shipped
from symdp.audit.memory import recall_marked, record_document
from symdp.audit.record import SUFFIX, path_of
from symdp.audit.seal import bytes_of, seal_of_claim
from symdp.audit.shipped import FIGURE, FIGURE_PURPOSE, NotShipped
from symdp.report.page.page import anchor
from symdp.report.page.page_figures import figure_of
from symdp.sources import contents
from symdp.sources.registry import claims
from symdp.sources.statement import Claim
from symdp.users_mark import recognised


def entries_of(folder: Path, chosen: Iterable[Claim]) -> dict[str, bytes]:
    """The files to pack for these claims."""
    entries: dict[str, bytes] = {}
    for claim in chosen:
        path = path_of(folder, claim.id)
        document, record = record_document(path), recall_marked(claim, 0, path)
        if document is None or record is None or document["claim"] != seal_of_claim(claim):
            raise NotShipped(f"{claim.id} has no record of today's code in {folder}; run symdp audit --out {folder}")
        if record.verdict in ("error", "not rechecked"):
            raise NotShipped(f"{claim.id} ended as {record.verdict}; settle it first")
        entries[path.with_suffix(SUFFIX).name] = json.dumps({**document, "beyond": record.beyond},
                                                            sort_keys=True).encode()
        if document["certificate"] is not None:
            entries[path.name] = bytes_of(path)
        figure_of(claim, record, anchor(claim.id), folder)
        drawn = recognised(FIGURE_PURPOSE, bytes_of(folder / f"{anchor(claim.id)}{FIGURE}"))
        entries[f"{anchor(claim.id)}{FIGURE}"] = json.dumps(drawn, sort_keys=True).encode()
    return entries


def ship(folder: Path, chosen: Iterable[Claim] | None = None, archive: Path | None = None) -> str | None:
    """Write the file of the package anew; what is wrong, if anything is."""
    archive = archive or shipped.ARCHIVE
    if contents.kept() != contents.read():
        return "symdp: the table of contents is not of today; run make contents"
    try:
        entries = entries_of(folder, claims() if chosen is None else chosen)
    except NotShipped as why:
        return f"symdp: {why}"
    size = shipped.pack(entries, archive)
    sys.stdout.write(f"{archive.name}: {len(entries)} files, {size // 1024} KiB\n")
    return None
