"""Processes that settle claims side by side, each piece of work in one of its own.

What a claim costs depends on what was computed before it, and on the order in which Python walks through sets.
So every process starts from the same state, with the same order, and does one thing: the verdicts of an audit
are the same whatever the number of jobs, and whatever else the machine does.

A process that is killed takes its claim with it and no other: its claim is tried once more, and only what dies twice
is given up. Work that raises is given up with what it said. When the process that asked ends, however it ends, all of
them do.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import forkserver, get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from symdp.folders import FOLDERS, BrokenFile
from symdp.watched import OutOfBounds, dies_with_parent

_SEED = "PYTHONHASHSEED"
#: What every process starts with, unless it is said otherwise.
PRELOADED = "symdp.audit.preloaded"
T = TypeVar("T")


def each(
    work: Callable[..., T], items: Sequence[tuple[Any, ...]], jobs: int, preloaded: str = PRELOADED
) -> Iterator[tuple[int, T | OutOfBounds]]:
    """What becomes of each item, by its place, as soon as it is known."""
    if not items:
        return
    waiting = set(range(len(items)))
    for place, found in _in_pool(work, {i: items[i] for i in waiting}, min(jobs, len(items)), preloaded):
        waiting.discard(place)
        yield place, found
    for place in sorted(waiting):  # its process died
        tried = list(_in_pool(work, {place: items[place]}, 1, preloaded))
        yield tried[0] if tried else (place, OutOfBounds("its process was killed, twice"))


def _in_pool(
    work: Callable[..., T], items: dict[int, tuple[Any, ...]], jobs: int, preloaded: str
) -> Iterator[tuple[int, T | OutOfBounds]]:
    """The items that come to an end, each in a process of its own; those whose process dies are left out.

    An executor with one task for each process may wait for ever (CPython issue 115634), so that none is used.
    """
    context = get_context("forkserver")
    prepare(preloaded)
    waiting = deque(items.items())
    running: dict[Connection, tuple[int, BaseProcess]] = {}
    answers: Connection
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                place, given = waiting.popleft()
                answers, asked = context.Pipe(duplex=False)
                given_to = (asked, os.environ.get(FOLDERS, ""), work, given)
                process = context.Process(target=_answer, args=given_to, daemon=True)  # ended with us
                process.start()
                asked.close()
                running[answers] = (place, process)
            ready = set(wait(list(running)))
            for answers in [one for one in running if one in ready]:
                place, ended = running.pop(answers)
                found: Any
                try:
                    done, found = answers.recv()
                except (EOFError, OSError):
                    continue
                finally:
                    answers.close()
                    ended.join()
                yield place, found if done else gave_up(found)
    finally:  # if it was interrupted, nobody waits for an answer any more
        for _, left in running.values():
            left.kill()


def prepare(preloaded: str = PRELOADED) -> None:
    """Let the process from which all others are made begin to import what they need; it is not waited for."""
    get_context("forkserver").set_forkserver_preload([preloaded])
    with _in_order():
        forkserver.ensure_running()


def gave_up(reason: BaseException) -> OutOfBounds:
    """Why there is no answer, in one line."""
    return OutOfBounds(f"it raised {type(reason).__name__}: {' '.join(str(reason).split())[:200]}")


def _answer(asked: Connection, folders: str, work: Callable[..., Any], given: tuple[Any, ...]) -> None:
    _begin(folders)
    found: tuple[bool, Any]
    try:
        found = (True, work(*given))
    except Exception as error:
        found = (False, error)
    asked.send(found)


def _begin(folders: str) -> None:
    asked = parent_process()
    if asked is not None:
        _ends_with(asked.sentinel)
    dies_with_parent(os.getppid())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asked is interrupted, and ends this one
    os.environ[FOLDERS] = folders
    warnings.simplefilter("ignore", BrokenFile)  # the process that asked has said so


def _ends_with(sentinel: int) -> None:
    """Ends this process with the one that asked, which is not its parent: the pipe between them is closed then.

    Linux sends a signal at that moment, which ends a process in any code. No thread waits for it where that can be
    helped: a process that has one cannot be forked without the danger that the new one waits for a lock for ever.
    """
    if sys.platform != "linux":
        threading.Thread(target=_waits_for, args=(sentinel,), daemon=True).start()
        return
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(sentinel, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(sentinel, fcntl.F_SETFL, fcntl.fcntl(sentinel, fcntl.F_GETFL) | os.O_ASYNC)
    if wait([sentinel], timeout=0):  # it has died meanwhile
        os._exit(1)


def _waits_for(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextmanager
def _in_order() -> Iterator[None]:
    before = os.environ.get(_SEED)
    os.environ[_SEED] = "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SEED]
        else:
            os.environ[_SEED] = before
