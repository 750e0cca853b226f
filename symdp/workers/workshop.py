"""What a worker of an executor does: it hands its work to a process of its own, in which all is as on one machine.

The workers of a cluster run their tasks in threads, and there a deadline has no effect and z3 crashes. So each
thread has a workshop: a process that is started once, that does every piece of work in a fresh process under it
(:mod:`symdp.workers.processes`), and that ends when its worker does.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from symdp.folders import FOLDERS
from symdp.watched import OutOfBounds, ends_without
from symdp.workers.processes import each

#: How often a piece of work is tried whose workshop dies.
TRIES = 2


class Workshop:
    """The process of one thread."""

    def __init__(self, folders: str) -> None:
        words = [sys.executable, "-m", "symdp.workers.workshop"]
        self.folders = folders
        self.ended = False
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         env={**os.environ, "PYTHONHASHSEED": "0", FOLDERS: folders})

    def do(self, work: Callable[..., Any], given: tuple[Any, ...], preloaded: str) -> Any:
        """What comes of it; EOFError or OSError if the process is gone."""
        if self._process.stdin is None or self._process.stdout is None:
            raise EOFError
        pickle.dump((work, given, preloaded), self._process.stdin)
        self._process.stdin.flush()
        return pickle.load(self._process.stdout)

    def end(self) -> None:
        self.ended = True
        self._process.kill()

    def close(self) -> None:
        _OPEN.discard(self)
        self._process.kill()
        self._process.communicate()


class _Here(threading.local):
    workshop: Workshop | None = None


_HERE = _Here()
#: Those of all threads of this process.
_OPEN: set[Workshop] = set()


def in_workshop(work: Callable[..., Any], given: tuple[Any, ...], preloaded: str, folders: str) -> Any:
    """What the work returns, or OutOfBounds; safe in any thread of any process."""
    for _ in range(TRIES):
        here = _HERE.workshop
        if here is not None and here.folders != folders:
            here.close()
            here = None
        here = _HERE.workshop = here or Workshop(folders)
        _OPEN.add(here)
        try:
            return here.do(work, given, preloaded)
        except (EOFError, OSError, pickle.UnpicklingError):  # it was killed, and what it was told with it
            here.close()
            _HERE.workshop = None
            if here.ended:
                return OutOfBounds("it was ended")
    return OutOfBounds("its process was killed, twice")


@contextmanager
def workshops(jobs: int) -> Iterator[Executor]:
    """Threads of this process, each with its workshop; whatever still works in the end is ended."""
    threads = ThreadPoolExecutor(jobs)
    try:
        yield threads
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for workshop in list(_OPEN):
            workshop.end()
        threads.shutdown()


def main() -> None:
    """Work until there is no more, or until the worker is gone."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever the work prints is no answer
    threading.Thread(target=ends_without, args=(os.getppid(),), daemon=True).start()
    while True:
        try:
            work, given, preloaded = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        ((_, found),) = each(work, [given], 1, preloaded)
        pickle.dump(found, answers)
        answers.flush()


if __name__ == "__main__":
    main()
