"""Processes that settle claims side by side, each claim in one of its own.

What a claim costs depends on what was computed before it, and on the order in which Python walks through sets.
So every process starts from the same state, with the same order, and does one thing: the verdicts of an audit
are the same whatever the number of jobs, and whatever else the machine does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import forkserver, get_context

from symdp.sources.registry import FOLDERS

_SEED = "PYTHONHASHSEED"


def pool(jobs: int) -> ProcessPoolExecutor:
    """An executor whose processes are made from one that has everything imported."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["symdp.audit.warm"])
    with _in_order():
        forkserver.ensure_running()
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_with_folders,
                               initargs=(os.environ.get(FOLDERS, ""),), max_tasks_per_child=1)


def _with_folders(folders: str) -> None:
    os.environ[FOLDERS] = folders


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
