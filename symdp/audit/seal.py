"""The seal on what an audit keeps: a digest of what was said, by which code; what has another seal is made anew.

A seal is no proof. Proofs and witnesses carry the kernel's own (:mod:`symdp.kernel.proof`), and a certificate the
digest of its goal (:func:`symdp.kernel.certificate.digest_of`), which whoever reads it checks.

>>> seal("a claim", "a verdict") == seal("a claim", "another verdict")
False
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symdp import folders

if TYPE_CHECKING:
    from symdp.sources.statement import Claim

#: The rooms whose code has no part in a verdict.
_SILENT = ("literature", "papers", "report", "cli", "prompt.py")
_ROOT = Path(__file__).resolve().parents[1]


def seal(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def seal_of_claim(claim: Claim) -> str:
    """All that a claim says, and what it brings to be settled with.

    A mechanism of the user's own is shown by its parameters; its law is what its file says.
    """
    law = folders.digest_of(type(getattr(claim, "subject", None)).__module__)
    return seal(claim.id, claim.kind, claim.task, claim.quantifier, claim.text(), str(claim.domain),
                *map(str, claim.examples), str(claim.over), written(claim), *filter(None, [law]))


def seal_of_file(path: Path) -> str:
    """Of a plain file that is really in its folder."""
    return hashlib.sha256(bytes_of(path)).hexdigest()


def bytes_of(path: Path) -> bytes:
    """What is in a plain file of bounded size; OSError or ValueError for a link, a pipe or a device."""
    from symdp.kernel.certificate import LARGEST_FILE  # noqa: PLC0415 - start-up: a seal alone needs no kernel

    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_FILE:
            raise ValueError(f"{path} is no plain file of at most {LARGEST_FILE} bytes")
        return file.read(LARGEST_FILE)


@cache
def seal_of_code(room: str | None = None) -> str:
    """The code that settles and checks claims; with a room, the code of that one."""
    found = hashlib.sha256()
    for path in sorted((_ROOT if room is None else _ROOT / room).rglob("*.py")):
        if room is not None or path.relative_to(_ROOT).parts[0] not in _SILENT:
            found.update(path.read_bytes())
    return found.hexdigest()


def written(value: Any) -> str:
    """Plain data as text, the same in every process: the order within a set is not.

    >>> written((frozenset({2, 10, 1}), {"a": 1}))
    "({1, 10, 2}, {'a': 1})"
    """
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(written, value))) + "}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{written(k)}: {written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(map(written, value)) + ")"
    if is_dataclass(value) and not isinstance(value, type):
        inside = (f"{f.name}={written(getattr(value, f.name))}" for f in fields(value))
        return f"{type(value).__name__}({', '.join(inside)})"
    return repr(value)
