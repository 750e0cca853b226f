r"""What comes in: the one way in which a file of a stranger's is opened.

Only a regular file is read, and no more of it than its reader allows. A pipe, a device, a socket or a folder is
refused before it is opened, so that nothing waits for a writer and nothing is set off; the open file is looked at
once more, since its name may have been given to something else meanwhile.

>>> import tempfile
>>> place = Path(tempfile.mkdtemp()) / "claims.toml"
>>> _ = place.write_text("x = 1")
>>> text_of(place, 100)
'x = 1'
>>> text_of(place, 3)
Traceback (most recent call last):
...
symdp.incoming.NotRead: it is larger than 3 bytes
>>> text_of(place.parent, 3)
Traceback (most recent call last):
...
symdp.incoming.NotRead: it is a folder, not a file
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

#: Signs in a line of a text. A formula has at most a tenth of it; a key of TOML with more takes a parser minutes.
LONGEST_LINE = 100_000
_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device",
          stat.S_IFSOCK: "a socket", stat.S_IFLNK: "a link"}
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)


class NotRead(ValueError):
    """A file is not read; the reason is one line, without the name of the file."""


def bytes_of(path: Path, most: int, *, links: bool = True) -> bytes:
    """What is in the file; with ``links=False`` its name must not be a link to somewhere else."""
    try:
        _is_file(os.stat(path, follow_symlinks=links), most)
        handle = os.open(path, _OPEN | (0 if links else getattr(os, "O_NOFOLLOW", 0)))
        with os.fdopen(handle, "rb") as file:
            _is_file(os.fstat(file.fileno()), most)
            found = file.read(most + 1)
    except OSError as reason:
        raise NotRead(f"it cannot be read: {reason.strerror}") from reason
    except ValueError as reason:
        if isinstance(reason, NotRead):
            raise
        raise NotRead("no file can have this name") from reason
    if len(found) > most:  # it grew, or is one of those that say nothing of their size
        raise NotRead(f"it is larger than {most} bytes")
    return found


def text_of(path: Path, most: int, *, links: bool = True) -> str:
    """The same as text, which must be UTF-8 in lines of a bounded length; a mark of the byte order is left out."""
    try:
        text = bytes_of(path, most, links=links).decode("utf-8-sig")
    except UnicodeDecodeError as reason:
        raise NotRead(f"it is not UTF-8 text (byte {reason.start})") from reason
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LONGEST_LINE:
            raise NotRead(f"line {number} has more than {LONGEST_LINE} signs")
    return text


def require_file(path: Path, most: int) -> None:
    """Raise NotRead unless a file lies there itself: no link, no pipe, and not too large."""
    try:
        _is_file(os.stat(path, follow_symlinks=False), most)
    except OSError as reason:
        raise NotRead(f"it cannot be read: {reason.strerror}") from reason


def _is_file(found: os.stat_result, most: int) -> None:
    kind = stat.S_IFMT(found.st_mode)
    if kind != stat.S_IFREG:
        raise NotRead(f"it is {_KINDS.get(kind, 'something else')}, not a file")
    if found.st_size > most:
        raise NotRead(f"it is larger than {most} bytes")
