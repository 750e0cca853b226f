"""Memories of searches, which last as long as one piece of work.

A claim is settled line by line and as a whole, and needs the same small facts again and again. Nothing is kept
for the next claim: what becomes of it must not depend on those that the process has settled before.

>>> seen = memory()
>>> seen["outside"] = 1
>>> with remembering():
...     seen["inside"] = 2
...     print(dict(seen))
{'inside': 2}
>>> dict(seen)
{}
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

#: Beyond so many entries a memory begins anew.
MOST = 50_000


class _Memory(dict[Any, Any]):
    """A dictionary that stays empty while there is no work to remember it for."""

    all: ClassVar[list[_Memory]] = []
    depth: ClassVar[int] = 0

    def __setitem__(self, key: Any, value: Any) -> None:
        if _Memory.depth:
            if len(self) >= MOST:
                self.clear()
            super().__setitem__(key, value)


def memory() -> _Memory:
    """A new memory, emptied with all others."""
    _Memory.all.append(_Memory())
    return _Memory.all[-1]


@contextmanager
def remembering() -> Iterator[None]:
    """Within one piece of work, what was sought once is not sought again. The kernel still checks each proof."""
    _Memory.depth += 1
    try:
        yield
    finally:
        _Memory.depth -= 1
        if not _Memory.depth:
            for each in _Memory.all:
                each.clear()
