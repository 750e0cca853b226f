"""Processes that settle claims side by side, each claim in one of its own.

What a claim costs depends on what was computed before it, and on the order in which Python walks through sets.
So every process starts from the same state, with the same order, and does one thing: the verdicts of an audit
are the same whatever the number of jobs, and whatever else the machine does.

A process that is killed takes its claim with it and no other: the claims that were under way are tried once more,
each in a pool of its own, and only what dies there as well is given up. When the process that asked ends, however
it ends, all of them do.
"""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import forkserver, get_context, parent_process
from multiprocessing.connection import wait
from typing import Any, TypeVar

from symdp.folders import FOLDERS, BrokenFile
from symdp.watched import OutOfBounds, dies_with_parent

_SEED = "PYTHONHASHSEED"
T = TypeVar("T")


def pool(jobs: int, preloaded: str = "symdp.audit.preloaded") -> ProcessPoolExecutor:
    """An executor whose processes are made from one that has a module, and all that it needs, imported."""
    context = get_context("forkserver")
    context.set_forkserver_preload([preloaded])
    with _in_order():
        forkserver.ensure_running()
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin,
                               initargs=(os.environ.get(FOLDERS, ""),), max_tasks_per_child=1)


def each(
    work: Callable[..., T], items: Sequence[tuple[Any, ...]], jobs: int, preloaded: str = "symdp.audit.preloaded"
) -> Iterator[tuple[int, T | OutOfBounds]]:
    """What becomes of each item, by its place, as soon as it is known."""
    waiting = set(range(len(items)))
    for place, found in _in_pool(work, {i: items[i] for i in waiting}, min(jobs, len(items)), preloaded):
        waiting.discard(place)
        yield place, found
    for place in sorted(waiting):  # a process died: who it was is not known, so that each is tried by itself
        tried = list(_in_pool(work, {place: items[place]}, 1, preloaded))
        yield tried[0] if tried else (place, OutOfBounds("its process was killed, twice"))


def _in_pool(
    work: Callable[..., T], items: dict[int, tuple[Any, ...]], jobs: int, preloaded: str
) -> Iterator[tuple[int, T]]:
    """The items that come to an end; those that a broken pool takes with it are left out."""
    workers = pool(jobs, preloaded)
    try:
        futures = {workers.submit(work, *given): i for i, given in items.items()}
        for future in as_completed(futures):
            try:
                found = future.result()
            except BrokenProcessPool:
                continue
            yield futures[future], found
    except BrokenProcessPool:  # while the items were handed in
        return
    except BaseException:  # interrupted: nobody waits for an answer any more
        _end(workers)
        raise
    finally:
        workers.shutdown(cancel_futures=True)


def _end(workers: ProcessPoolExecutor) -> None:
    for process in list((workers._processes or {}).values()):
        process.kill()


def _begin(folders: str) -> None:
    asked = parent_process()
    if asked is not None:
        threading.Thread(target=_ends_with, args=(asked.sentinel,), daemon=True).start()
    dies_with_parent(os.getppid())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who asked is interrupted, and ends this one
    os.environ[FOLDERS] = folders
    warnings.simplefilter("ignore", BrokenFile)  # the process that asked has said so


def _ends_with(sentinel: int) -> None:
    """The one that asked is not the parent, which would wait for this process, as this one for work."""
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
