r"""Work in a process of its own, with an end to its memory and to its time that holds in any code.

The process that asks waits and looks, twenty times a second, at what the working one has taken: code in C that
neither listens to signals nor gives back control is ended all the same. Its time is what it worked and what it waited
for something, but not what it waited for a processor that others had: a busy machine ends nothing that an idle one
would let come to its end.

>>> watched(sum, [1, 2, 3], seconds=10, memory=2 * GIGABYTE)
6
>>> from time import sleep
>>> watched(sleep, 60, seconds=0.2, memory=None)
Traceback (most recent call last):
...
symdp.watched.OutOfBounds: stopped after 0.2 s
"""

from __future__ import annotations

import ctypes
import os
import pickle
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
GIGABYTE = 2**30
#: How much a process may take, unless the user says otherwise.
MEMORY = 2 * GIGABYTE
_LOOK = 0.05
_PR_SET_PDEATHSIG = 1


class OutOfBounds(RuntimeError):
    """The work was ended, or its process died; the message is one line."""


def dies_with_parent(parent: int) -> None:
    """This process ends when that one does, however it ends; asked for in the new process, at once."""
    try:
        prctl = ctypes.CDLL(None).prctl
    except (AttributeError, OSError):  # not Linux: looked at from time to time
        threading.Thread(target=ends_without, args=(parent,), daemon=True).start()
    else:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it has died meanwhile
        os._exit(1)


def ends_without(parent: int) -> None:
    """Looks for the parent of this process until it is gone, and ends this process; to be run in a thread."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def memory_of(process: int) -> int:
    """Bytes that a process has in use; 0 where there is no way to know."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _worked(process: int) -> tuple[float, bool]:
    """Seconds of processor that a process has had, and whether it has work; as if it had none, where nobody knows."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), fields[0] == "R"
    except (OSError, ValueError, IndexError):
        return 0.0, False


def in_gigabytes(memory: int) -> str:
    return f"{memory / GIGABYTE:.3g} GB"


def watched(work: Callable[..., T], *arguments: Any, seconds: float | None, memory: int | None) -> T:
    """What the work returns, or the error it raises; OutOfBounds if it does not come to an end by itself."""
    reading, writing = os.pipe()
    parent = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of a progress bar have no part in the work
        child = os.fork()
    if child == 0:
        _work(work, arguments, writing, parent)
    os.close(writing)
    try:
        answer = _wait(child, reading, seconds, memory)
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    try:
        good, found = pickle.loads(answer)
    except (EOFError, pickle.UnpicklingError):
        raise OutOfBounds(_ended(os.waitstatus_to_exitcode(status))) from None
    if not good:
        raise found
    result: T = found
    return result


def _work(work: Callable[..., Any], arguments: tuple[Any, ...], writing: int, parent: int) -> None:
    """In the new process: work, answer and leave, without what the old one does when it leaves."""
    code = 1
    try:
        dies_with_parent(parent)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who watches is interrupted, and ends this one
        try:
            answer = pickle.dumps((True, work(*arguments)))
        except MemoryError:
            answer = pickle.dumps((False, OutOfBounds("the memory was not enough")))
        except Exception as reason:
            answer = pickle.dumps((False, reason))
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(answer)
        code = 0
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _wait(child: int, reading: int, seconds: float | None, memory: int | None) -> bytes:
    taken, (worked, _), then = 0.0, _worked(child), time.monotonic()
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([reading], [], [], _LOOK)
        if ready:
            part = os.read(reading, 1 << 20)
            if not part:
                return b"".join(parts)
            parts.append(part)
        if memory is not None and memory_of(child) > memory:
            raise OutOfBounds(f"stopped at {in_gigabytes(memory)} of memory")
        (had, (worked, running)), before, then = (worked, _worked(child)), then, time.monotonic()
        taken += worked - had if running else then - before
        if seconds is not None and taken > seconds:
            raise OutOfBounds(f"stopped after {seconds:g} s")


def _ended(code: int) -> str:
    if code >= 0:
        return "its process left without an answer"
    with suppress(ValueError):
        return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process was ended by signal {-code}"


# --- a whole command ----------------------------------------------------------------------------------


def bounded(command: Callable[[], object], memory: int) -> int | None:
    """The exit code of a command that runs in a process of its own; None if it took more memory than that.

    In the new process this function does not return: the command ends it. A signal to end it is passed on.
    """
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        dies_with_parent(parent)
        signal.signal(signal.SIGTERM, _leave)
        command()
        sys.exit(0)
    asked: list[float] = []
    signal.signal(signal.SIGINT, lambda number, frame: asked.append(time.monotonic()))
    signal.signal(signal.SIGTERM, lambda number, frame: os.kill(child, signal.SIGTERM))
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if memory_of(child) > memory:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        if asked and time.monotonic() > asked[0] + 1:  # a terminal asks both of us; anybody else has asked only me
            asked.clear()
            os.kill(child, signal.SIGINT)
        time.sleep(_LOOK / 2)


def _leave(number: int, frame: object) -> None:
    sys.exit(128 + number)
