"""Budgets count work: what a search reaches does not depend on who else uses the machine.

Work is what the kernel computed and how often SymPy's functions were asked, in seconds of an ordinary machine
of 2024. The clock of the processor only guards against work that nobody counts.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import ClassVar

from sympy.core.cache import CACHE

from symdp.kernel.effort import Effort

#: Seconds for a step of the kernel, and for a call of one of SymPy's functions that it remembers or does not.
#: Fitted to the claims of the literature and the practice problems; most take one to two times what this says.
STEP, REMEMBERED, COMPUTED = 2.2e-5, 0.7e-5, 1.1e-4
#: How many seconds of the processor a second of work may take.
GUARD = 8.0
#: How often work that never looks at the clock is looked at, in seconds of the processor.
POLL = 0.05


class _Work:
    """What neither the kernel counts, nor SymPy; and what SymPy's functions had counted when they were last asked."""

    elsewhere = in_sympy = 0.0
    counts: ClassVar[dict[int, tuple[int, int]]] = {}
    asked = 0


def spend(seconds: float) -> None:
    """Count work that was done elsewhere."""
    _Work.elsewhere += seconds


def clock() -> float:
    """The work that this process has done, in seconds."""
    _Work.in_sympy = _in_sympy(keep=True)
    return _counted(_Work.in_sympy)


def is_past(deadline: float) -> bool:
    """Whether that much work is done; for inner loops.

    To ask SymPy takes as long as a small step of a search, so that only every eighth call does it.
    """
    _Work.asked += 1
    return (clock() if _Work.asked % 8 == 1 else _counted(_Work.in_sympy)) > deadline


def _counted(in_sympy: float) -> float:
    return _Work.elsewhere + in_sympy + Effort.steps * STEP


def _in_sympy(keep: bool) -> float:
    total, before = _Work.in_sympy, _Work.counts
    for place, function in enumerate(CACHE):
        counts = function.cache_info()[:2]
        known = before.get(place, (0, 0))
        if counts == known:  # most of them: few of SymPy's functions are at work
            continue
        for count, old, cost in zip(counts, known, (REMEMBERED, COMPUTED), strict=True):
            # it counts from 0 again where its memory was emptied
            total += cost * (count - old if count >= old else count)
        if keep:
            before[place] = counts
    return total


class TimeIsUp(BaseException):
    """Not an Exception: code that swallows those must not swallow this."""


class _Ends:
    """When to ring: after so much work, or so many seconds of the processor."""

    stack: ClassVar[list[tuple[float, float]]] = []
    #: While an end is put on the stack or taken off. A ring that came then would leave it there for good, and every
    #: later deadline of the process would have passed already.
    changing = False

    @classmethod
    def passed(cls) -> bool:
        # nothing is kept: when the signal comes is chance, and what a search sees must not be
        now, spent = _counted(_in_sympy(keep=False)), time.process_time()
        return any(now > work or spent > seconds for work, seconds in cls.stack)


def time_left() -> float:
    """The seconds of work until the nearest deadline; infinite where there is none."""
    return min((work for work, _ in _Ends.stack), default=float("inf")) - clock()


def _ring(signum: int, frame: FrameType | None) -> None:
    if not _Ends.changing and _Ends.passed():
        raise TimeIsUp


@contextmanager
def hard_deadline(seconds: float) -> Iterator[None]:
    """Raise TimeIsUp after that much work, also in code that does not look at the clock; without effect outside of
    the main thread.

    Deadlines nest: what ends the outer one ends the inner one.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def quietly(unraisable: sys.UnraisableHookArgs) -> None:
        if unraisable.exc_type is not TimeIsUp:
            hook(unraisable)

    _Ends.changing = True
    hook, sys.unraisablehook = sys.unraisablehook, quietly
    before = signal.signal(signal.SIGPROF, _ring)
    _Ends.stack.append((clock() + seconds, time.process_time() + GUARD * seconds))
    if len(_Ends.stack) == 1:  # an inner deadline that wound it anew, often enough, would keep it from ringing at all
        # It rings again: one may fall into a destructor, which swallows it.
        signal.setitimer(signal.ITIMER_PROF, POLL, POLL)
    try:
        _Ends.changing = False
        yield
    finally:
        _Ends.changing = True
        _Ends.stack.pop()
        if not _Ends.stack:
            signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        sys.unraisablehook = hook
        _Ends.changing = False
