"""The verdicts that come with the package: the folder of an audit in one file, with the figures of its page.

`symdp show` or `symdp errata` on a fresh machine would otherwise settle claims for minutes. The file has a list of
what is in it, with a digest each, and of the code and the texts that it was made from. Where these are today's,
records are told as they are; the file is a part of the package, as the code is, and `make recheck` replays what is in
it. Where they are not, the file is laid out as an ordinary audit folder of this user's, and :mod:`symdp.audit.memory`
replays with the kernel what it uses. ``python -m symdp.audit.shipped FOLDER`` writes the file anew from the folder of
an audit.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import symdp
from symdp.audit.record import PURPOSE, SUFFIX, Record, path_of
from symdp.audit.seal import seal_of_code
from symdp.sources import contents
from symdp.sources.contents import ListedClaim, ListedStatement
from symdp.users_mark import marked, state_folder

ARCHIVE = Path(__file__).with_name("verdicts.zip")
#: The list of what is in the file; not .json, since it is no certificate.
LIST = "list"
#: So that the same verdicts are the same file: no clock is in it.
_DATE = (2000, 1, 1, 0, 0, 0)

#: Bytes of one file in it.
_LARGEST = 50_000_000

#: Of a figure that is kept for the page, and what the mark of this user is put on.
FIGURE, FIGURE_PURPOSE = ".figure", "figure of a page"
_MARKED = {SUFFIX: PURPOSE, FIGURE: FIGURE_PURPOSE}

Told: TypeAlias = tuple[ListedStatement, ListedClaim, Record]


class NotShipped(ValueError):
    """A folder that cannot be shipped; says why."""


class Damaged(ValueError):
    """The file that came with the package is not the one that was packed."""


def made_from() -> dict[str, str]:
    """What a packed file depends on: the code that settles claims, and the texts of the claims."""
    return {"toolkit": seal_of_code(), "contents": hashlib.sha256(contents.TABLE.read_bytes()).hexdigest()}


def told(ids: Iterable[str], budget: float) -> list[Told] | None:
    """What was shipped of these claims; None where anything of that has to be settled first."""
    table = contents.kept()
    chosen = None if table is None else table.chosen(ids)
    if chosen is None or not ARCHIVE.is_file():
        return None
    with _opened() as archive:
        listed = _list_of(archive)
        if listed is None or listed["from"] != made_from():
            return None
        found = []
        for statement, claim in chosen:
            name = path_of(Path(), claim.id).with_suffix(SUFFIX).name
            if name not in listed["files"]:
                return None
            document = json.loads(_content(archive, name, listed["files"]))
            data = document["data"]
            if data["verdict"] == "undecided" and budget > float(document["budget"]):
                return None
            found.append((statement, claim, Record(
                "id", claim.id, claim.text, claim.domain, data, document["corrected"], beyond=document["beyond"])))
    return found


@contextmanager
def _opened() -> Iterator[zipfile.ZipFile]:
    """The file; Damaged where it is none, or what is in it is not what was packed."""
    try:
        with zipfile.ZipFile(ARCHIVE) as archive:
            yield archive
    except Damaged:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, LookupError, TypeError, AttributeError, ValueError,
            RuntimeError) as reason:  # whatever reading it may say: a list that is none, a method that nobody knows
        raise Damaged(f"{ARCHIVE.name} is not what was packed; install symdp again") from reason


def _list_of(archive: zipfile.ZipFile) -> dict[str, Any] | None:
    return json.loads(_bytes(archive, LIST)) if LIST in archive.namelist() else None


def _bytes(archive: zipfile.ZipFile, name: str) -> bytes:
    """What is in an entry, which has no more bytes than it says."""
    if archive.getinfo(name).file_size > _LARGEST:
        raise Damaged(f"{ARCHIVE.name}: {name} is larger than anything that was packed; install symdp again")
    return archive.read(name)


def _content(archive: zipfile.ZipFile, name: str, digests: Mapping[str, str]) -> bytes:
    content = _bytes(archive, name)
    if hashlib.sha256(content).hexdigest() != digests.get(name):
        raise Damaged(f"{ARCHIVE.name}: {name} is not what was packed; install symdp again")
    return content


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
        with _opened() as archive:
            digests = (_list_of(archive) or {"files": {}})["files"]
            for entry in digests:
                target = made / Path(entry).name
                content = _content(archive, entry, digests)
                if target.suffix in _MARKED:
                    content = marked(_MARKED[target.suffix], json.loads(content)).encode()
                target.write_bytes(content)
        os.rename(made, place)
    except OSError:  # another process was faster, or the disk is full
        return place if place.is_dir() else None
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return place


def pack(entries: Mapping[str, bytes], archive: Path = ARCHIVE) -> int:
    """Write these files into one, with the list of them; the number of bytes that it takes."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(entries.items())}
    listed = {"from": made_from(), "files": digests}
    with tempfile.NamedTemporaryFile(dir=archive.parent, delete=False) as file, \
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for name, content in sorted({**entries, LIST: json.dumps(listed).encode()}.items()):
            made.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    os.chmod(file.name, 0o644)
    os.replace(file.name, archive)
    return archive.stat().st_size


if __name__ == "__main__":
    sys.exit(symdp.ship(Path(sys.argv[1])))
