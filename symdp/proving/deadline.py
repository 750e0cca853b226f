"""A deadline that also ends work which never looks at the clock.

Time is that of the processor: what a budget reaches does not depend on who else uses the machine, or on
how many processes work side by side.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


def clock() -> float:
    """Seconds of work of this process."""
    return time.process_time()


class TimeIsUp(BaseException):
    """Not an Exception: code that swallows those must not swallow this."""


@contextmanager
def hard_deadline(seconds: float) -> Iterator[None]:
    """Raise TimeIsUp after that many seconds; without effect outside of the main thread.

    Deadlines nest: an inner one is never later than the outer, which is in force again after it.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(signum: int, frame: FrameType | None) -> None:
        raise TimeIsUp

    def quietly(unraisable: sys.UnraisableHookArgs) -> None:
        if unraisable.exc_type is not TimeIsUp:
            hook(unraisable)

    hook, sys.unraisablehook = sys.unraisablehook, quietly
    outer, start = signal.getitimer(signal.ITIMER_PROF)[0], clock()
    before = signal.signal(signal.SIGPROF, ring)
    # It rings again: the first ring may fall into a destructor, which swallows it.
    signal.setitimer(signal.ITIMER_PROF, min(seconds, outer) if outer else seconds, 0.25)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        sys.unraisablehook = hook
        if outer:
            left = outer - (clock() - start)
            signal.setitimer(signal.ITIMER_PROF, max(left, 0.001), 0.25)
