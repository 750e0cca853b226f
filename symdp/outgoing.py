r"""What is written: the one way in which a file comes to be.

A file is written whole under a name that nobody can know, in the folder where it belongs, brought to the disk, and
then given its name in one step. So a reader sees the old file or the new one, two writers do not mix, and a disk
that is full leaves the old file as it was. The name that is replaced is never written through: where it is a link,
what it leads to stays untouched. What is there already is replaced only if it is ours, by the words of its writer
or by what ``ours`` sees in it, or if it is empty, or with ``force``.

>>> import tempfile
>>> place = Path(tempfile.mkdtemp()) / "references.bib"
>>> write(place, marked("@misc{a}", "%"))
>>> write(place, marked("@misc{b}", "%"))
>>> _ = place.write_text("the work of years")
>>> write(place, marked("@misc{c}", "%"), force=False)
Traceback (most recent call last):
...
symdp.outgoing.NotOurs: references.bib is there already and was not written by symdp; --force replaces it
"""

from __future__ import annotations

import os
import re
import secrets
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

#: Near the beginning or the end of a file that may be replaced.
MARK = "written by symdp"
#: What the user can do about a file of somebody else's.
MOVE, FORCE = "move it away", "--force replaces it"
_SEEN = 4096
_PRIVATE = re.compile(r"\.symdp-[0-9a-f]{32}")
_STALE = 3600.0
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class NotOurs(RuntimeError):
    """There is a file of somebody else's under this name; the message is one line."""


def marked(text: str, comment: str, end: str = "") -> str:
    """The text under a line that says who wrote it, in the comments of its language."""
    return f"{comment} {MARK}{end}\n{text}"


def has_mark(content: bytes) -> bool:
    return MARK.encode() in content


def begins(*texts: str) -> Callable[[bytes], bool]:
    """Ours is what begins in one of these ways, as our JSON does.

    >>> begins('{"format": ')(b'{"format": 4}')
    True
    """
    return lambda content: content.startswith(tuple(t.encode() for t in texts))


def by_name(content: bytes) -> bool:
    """Ours whatever is in it: nobody else gives such names."""
    return True


def write(path: Path, content: str | bytes, *, ours: Callable[[bytes], bool] = has_mark,
          force: bool | None = None) -> None:
    """Write a file whole; NotOurs or OSError, and nothing is changed, if that cannot be.

    ``force``: whether the user said so; None where there is no such option, which is then not named as a cure.
    """
    if not force:
        replaceable(path, ours, cure=MOVE if force is None else FORCE)
    # a name of a file may have bytes in it that are no text; they are shown by their codes
    data = content.encode("utf-8", errors="backslashreplace") if isinstance(content, str) else content
    private = path.with_name(f".symdp-{secrets.token_hex(16)}")
    handle = os.open(private, _NEW, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(private, path)
    except BaseException as reason:
        private.unlink(missing_ok=True)
        if isinstance(reason, OSError):  # a full disk does not say what was to be written, or by its private name
            raise OSError(reason.errno, reason.strerror, str(path)) from reason
        raise


def sweep(folder: Path) -> None:
    """Remove what a writer that was killed has left in the folder, if it has been there for an hour."""
    for left in folder.glob(".symdp-*"):
        with suppress(OSError):
            if _PRIVATE.fullmatch(left.name) and time.time() - left.lstat().st_mtime > _STALE:
                left.unlink()


def replaceable(path: Path, ours: Callable[[bytes], bool] = has_mark, cure: str = MOVE) -> None:
    """NotOurs if there is something under this name that must not be replaced."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return
    if stat.S_ISLNK(found.st_mode):
        raise NotOurs(f"{path.name} is a link, and is not written through; {cure}")
    if not stat.S_ISREG(found.st_mode):
        raise NotOurs(f"{path.name} is no regular file, and is not replaced")
    if found.st_size and not ours(_ends(path)):
        raise NotOurs(f"{path.name} is there already and was not written by symdp; {cure}")


def _ends(path: Path) -> bytes:
    """The beginning and the end of a file."""
    with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        first = file.read(_SEEN)
        file.seek(max(0, os.fstat(file.fileno()).st_size - _SEEN))
        return first + b"\n" + file.read(_SEEN)
