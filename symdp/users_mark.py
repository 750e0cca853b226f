"""The mark of this user: by it we know again what we wrote ourselves, and nobody else can make it.

What lies in a folder may come from anybody. A record, a figure or a notebook that we keep to use again carries a
message authentication code under a key that only this user has: 32 random bytes in a file of mode 0600 in the user's
state folder (``$SYMDP_STATE``, else ``$XDG_STATE_HOME/symdp``, else ``~/.local/state/symdp``), made at first use.
What has no such mark is a stranger's: it is replayed or made anew. Where no key can be kept, nothing has a mark.

>>> import tempfile
>>> os.environ[STATE], before = tempfile.mkdtemp(), os.environ.get(STATE)
>>> given = mark("record", "a verdict")
>>> is_ours("record", "a verdict", given), is_ours("record", "another", given), is_ours("figure", "a verdict", given)
(True, False, False)
>>> _ = os.environ.pop(STATE) if before is None else os.environ.update({STATE: before})
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

#: The environment variable that names the state folder.
STATE = "SYMDP_STATE"
SIZE = 32


def state_folder() -> Path:
    """Where what belongs to this user is kept."""
    named = os.environ.get(STATE)
    if named:
        return Path(named)
    state = os.environ.get("XDG_STATE_HOME", "")
    return (Path(state) if os.path.isabs(state) else Path("~/.local/state").expanduser()) / "symdp"


def mark(purpose: str, content: str) -> str | None:
    """The mark on a content for a purpose; None where there is no key."""
    key = _key(state_folder())
    return None if key is None else hmac.new(key, f"{purpose}\0{content}".encode(), hashlib.sha256).hexdigest()


def is_ours(purpose: str, content: str, given: object) -> bool:
    """Whether we put that mark on that content, for that purpose."""
    made = mark(purpose, content)
    return made is not None and isinstance(given, str) and hmac.compare_digest(made.encode(), given.encode())


def marked(purpose: str, document: Mapping[str, Any]) -> str:
    """A document as JSON, with our mark in it.

    >>> recognised("record", marked("record", {"verdict": "proved"}).replace("proved", "refuted")) is None
    True
    """
    said = {name: value for name, value in document.items() if name != "mark"}
    return json.dumps({**said, "mark": mark(purpose, json.dumps(said, sort_keys=True))})


def recognised(purpose: str, text: str | bytes) -> dict[str, Any] | None:
    """The document in such a text, without its mark; None if it is not one that we marked for that purpose."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict):
        return None
    given = document.pop("mark", None)
    return document if is_ours(purpose, json.dumps(document, sort_keys=True), given) else None


def keep(purpose: str, content: str) -> None:
    """Keep the mark of a content in the state folder, for a file whose own bytes are to stay what they are."""
    made = mark(purpose, content)
    if made is not None:
        try:
            _own_folder(state_folder() / purpose)
            (state_folder() / purpose / made).touch(mode=0o600)
        except OSError:
            pass  # then it is made anew the next time


def is_kept(purpose: str, content: str) -> bool:
    """Whether the mark of a content was kept."""
    made = mark(purpose, content)
    return made is not None and (state_folder() / purpose / made).is_file()


@lru_cache(maxsize=8)
def _key(folder: Path) -> bytes | None:
    path = folder / "key"
    try:
        _own_folder(folder)
        try:
            return _read(path)
        except FileNotFoundError:
            _make(path)
            return _read(path)
    except (OSError, ValueError, RuntimeError):
        return None


def _own_folder(folder: Path) -> None:
    """Make the folder; ValueError if another user could put something into it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_mode & 0o022 or not _mine(found):
        raise ValueError(f"{folder} is not a folder of this user alone")


def _make(path: Path) -> None:
    """Whole or not at all, and of two processes that make one, one wins."""
    private = path.with_name(f".key-{os.getpid()}-{secrets.token_hex(8)}")
    handle = os.open(private, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(SIZE))
        os.link(private, path)
    except FileExistsError:
        pass
    finally:
        private.unlink()


def _read(path: Path) -> bytes:
    """The key, from a plain file that nobody else can read; never through a link."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_mode & 0o077 or not _mine(found):
            raise ValueError(f"{path} is not a file of this user alone")
        key = file.read(SIZE + 1)
    if len(key) != SIZE:
        raise ValueError(f"{path} is no key")
    return key


def _mine(found: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or found.st_uid == os.getuid()
