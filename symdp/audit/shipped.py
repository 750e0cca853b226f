"""The verdicts that come with the package: the folder of an audit in one file, laid out for this user at first use.

`symdp show` or `symdp errata` on a fresh machine would otherwise settle claims for minutes. What is laid out is an
ordinary audit folder: a record is used if the claim still says what it said, and where the code that settles claims
has changed since, the kernel replays the certificate before anything is shown (:mod:`symdp.audit.memory`).
``python -m symdp.audit.shipped FOLDER`` writes the file anew from the folder of an audit.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from symdp.audit.campaign import path_of
from symdp.audit.memory import SUFFIX, put_record, record_document
from symdp.audit.seal import bytes_of, seal_of_claim, seal_of_code
from symdp.sources.registry import claims
from symdp.sources.statement import Claim
from symdp.users_mark import state_folder

ARCHIVE = Path(__file__).with_name("verdicts.zip")
#: So that the same verdicts are the same file: no clock is in it.
_DATE = (2000, 1, 1, 0, 0, 0)


class NotShipped(ValueError):
    """A folder that cannot be shipped; says why."""


@cache
def laid_out() -> Path | None:
    """The shipped audit as a folder of this user's, to be used like that of an earlier audit; None without one."""
    if not ARCHIVE.is_file():
        return None
    digest = hashlib.sha256(ARCHIVE.read_bytes()).hexdigest()
    place = state_folder() / f"verdicts-{digest[:32]}"
    if place.is_dir():
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix="verdicts-", dir=place.parent))
    except OSError:
        return None  # nothing can be kept for this user: claims are settled as they are asked for
    try:
        with zipfile.ZipFile(ARCHIVE) as archive:
            for entry in archive.namelist():
                target = made / Path(entry).name
                if entry.endswith(SUFFIX):
                    put_record(json.loads(archive.read(entry)), target)
                else:
                    target.write_bytes(archive.read(entry))
        os.rename(made, place)
    except OSError:  # another process was faster, or the disk is full
        shutil.rmtree(made, ignore_errors=True)
        return place if place.is_dir() else None
    return place


def pack(folder: Path, archive: Path = ARCHIVE, chosen: Iterable[Claim] | None = None) -> int:
    """Write the records and certificates of an audit, by today's code, into one file; of every claim, or of some."""
    entries: dict[str, bytes] = {}
    for claim in claims() if chosen is None else chosen:
        path = path_of(folder, claim.id)
        record = record_document(path)
        if record is None or record["claim"] != seal_of_claim(claim) or record["toolkit"] != seal_of_code():
            raise NotShipped(f"{claim.id} has no record of today's code in {folder}; run symdp audit --out {folder}")
        if record["data"]["verdict"] in ("error", "not rechecked"):
            raise NotShipped(f"{claim.id} ended as {record['data']['verdict']}; settle it first")
        entries[path.with_suffix(SUFFIX).name] = json.dumps(record, sort_keys=True).encode()
        if record["certificate"] is not None:
            entries[path.name] = bytes_of(path)
    with tempfile.NamedTemporaryFile(dir=archive.parent, delete=False) as file, \
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, content in sorted(entries.items()):
            made.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    os.chmod(file.name, 0o644)
    os.replace(file.name, archive)
    return len(entries)


if __name__ == "__main__":
    try:
        packed = pack(Path(sys.argv[1]))
    except NotShipped as why:
        sys.exit(f"symdp: {why}")
    sys.stdout.write(f"{ARCHIVE.name}: {packed} files, {ARCHIVE.stat().st_size // 1024} KiB\n")
