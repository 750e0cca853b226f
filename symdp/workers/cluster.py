"""Work on an executor: that of a dask cluster, or any other with the interface of ``concurrent.futures.Executor``.

What comes back from a worker is data, and whoever asked has to check it (:mod:`symdp.audit.delivered`). A lost
worker's tasks go to the others; dask gives a task up after it has taken a few workers with it.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from typing import Any, TypeVar

import symdp
from symdp.folders import FOLDERS
from symdp.watched import OutOfBounds
from symdp.workers.processes import PRELOADED, gave_up
from symdp.workers.workshop import in_workshop

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
#: Seconds for the first answer of a scheduler, and for which a cluster may be without any worker.
ANSWER, PATIENCE = 10.0, 60.0
_LOOK = 1.0


class NoCluster(ValueError):
    """There is no such executor; says what to do."""


class Lost(RuntimeError):
    """The cluster has had no worker for a while."""


@contextmanager
def executor_of(address: str) -> Iterator[Executor]:
    """The executor of a cluster, such as ``dask://localhost:8786``, for as long as it is needed."""
    found = re.fullmatch(r"dask://(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):(\d{1,5})", address)
    if found is None:
        raise NoCluster(f"{address[:80]!r} is no executor; write dask://host:port, such as dask://localhost:8786")
    try:
        import distributed  # noqa: PLC0415 - an extra: most users have no cluster
    except ImportError:
        raise NoCluster("a dask cluster needs dask.distributed: pip install 'symdp[cluster]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # lost workers are told of in the verdicts
    try:
        made: Any = distributed.Client
        client = made(f"tcp://{found[1]}:{found[2]}", timeout=ANSWER, set_as_default=False)
    except (OSError, TimeoutError) as reason:
        raise NoCluster(f"no scheduler answers at {address}; start one with: dask scheduler") from reason
    try:
        _ready(client, address)
        yield _Dask(client)
    finally:
        client.close(timeout=ANSWER)


def _ready(client: Any, address: str) -> None:
    """Raise NoCluster unless there are workers, each with this version of symdp."""
    try:
        versions = client.run(_version)
    except ModuleNotFoundError as reason:
        raise NoCluster(f"the workers at {address} do not have symdp; install it there") from reason
    if not versions:
        raise NoCluster(f"there is no worker at {address}; start one with: dask worker {address[7:]}")
    others = sorted({str(v) for v in versions.values()} - {symdp.__version__})
    if others:
        raise NoCluster(f"workers at {address} have symdp {', '.join(others)}, and this is {symdp.__version__}")


def _version() -> str:
    return symdp.__version__


class _Dask(Executor):
    """The executor of a client that also knows whether anybody is there to work."""

    def __init__(self, client: Any) -> None:
        self._client, self._inner = client, client.get_executor(pure=False)
        self._seen = time.monotonic()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = self._inner.submit(fn, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._inner.shutdown(wait=wait, cancel_futures=cancel_futures)

    def look(self) -> None:
        """Raise Lost where no worker has been there for a while."""
        try:
            if self._client.nthreads():
                self._seen = time.monotonic()
        except (OSError, TimeoutError, ValueError):  # the scheduler itself does not answer
            pass
        if time.monotonic() - self._seen > PATIENCE:
            raise Lost(f"the cluster had no worker for {PATIENCE:g} s")


def submitted(
    executor: Executor, work: Callable[..., Any], given: tuple[Any, ...], preloaded: str = PRELOADED
) -> Future[Any]:
    """One piece of work, to be done in the workshop of whatever thread takes it."""
    return executor.submit(in_workshop, work, given, preloaded, os.environ.get(FOLDERS, ""))


def each_on(
    executor: Executor, work: Callable[..., T], items: Mapping[K, tuple[Any, ...]],
    beside: Mapping[K, Future[Any]] | None = None, preloaded: str = PRELOADED,
) -> Iterator[tuple[K, T | OutOfBounds]]:
    """What becomes of each item, by its key, as soon as it is known; and of work that is done elsewhere meanwhile."""
    futures: dict[Future[Any], K] = {future: key for key, future in (beside or {}).items()}
    remote = {submitted(executor, work, given, preloaded): key for key, given in items.items()}
    futures.update(remote)
    waiting = set(futures)
    try:
        while waiting:
            done, waiting = wait(waiting, timeout=_LOOK, return_when=FIRST_COMPLETED)
            given_up = {future for future in waiting if future.cancelled()}  # of which nobody tells who waits
            waiting -= given_up
            for future in done | given_up:
                yield futures[future], _answer(future)
            if not done and not given_up and isinstance(executor, _Dask) and waiting & remote.keys():
                executor.look()
    except Lost as reason:
        for future in waiting & remote.keys():
            yield futures[future], OutOfBounds(str(reason))
        for future in waiting - remote.keys():
            yield futures[future], _answer(future)
    finally:
        for future in waiting:
            future.cancel()


def _answer(future: Future[Any]) -> Any:
    try:
        return future.result()
    except CancelledError:
        return OutOfBounds("the cluster gave it up")
    except Exception as reason:  # whatever the work raised, or dask about its workers
        return gave_up(reason)
