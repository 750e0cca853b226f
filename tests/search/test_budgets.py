"""Budgets count work: the same in every process, however busy the machine is."""

import signal
import subprocess
import sys

import pytest
import sympy
from sympy.core.cache import CACHE

from symdp.search import deadline
from symdp.search.deadline import GUARD, TimeIsUp, clock, hard_deadline, is_past, spend

_WORK = """
from symdp.search.prove import check
from symdp.search.deadline import clock
verdict = check("p*exp(x)+(1-p)*exp(-x) <= exp((2*p-1)*x + x^2/2)", ["0 <= p <= 1"], budget={budget})
print(verdict.status.value, clock())
"""


def _settled(budget: float, seed: str) -> tuple[str, float]:
    done = subprocess.run([sys.executable, "-c", _WORK.format(budget=budget)], capture_output=True, text=True,
                          check=True, env={"PYTHONHASHSEED": seed})
    word, work = done.stdout.split()
    return word, float(work)


@pytest.mark.long
def test_the_same_claim_costs_the_same_work_in_another_process():
    (first, some), (second, other) = _settled(10, "0"), _settled(10, "1")
    assert first == second == "proved"
    assert some == pytest.approx(other, rel=0.05)


def test_less_work_than_it_takes_decides_nothing():
    assert _settled(0.2, "0")[0] == "undecided"


def test_work_is_what_is_done_and_not_what_is_waited_for():
    before = clock()
    for _ in range(10**6):
        pass
    idle = clock() - before
    for n in range(500):
        sympy.exp(sympy.Symbol(f"x{n}")).diff()
    assert idle < 0.01 < clock() - before


def test_what_was_done_before_is_not_counted_as_work_of_what_comes_now():
    """Once a deadline began with an old look at SymPy's counters, and was past at the next one."""
    is_past(0.0)
    for n in range(300):
        sympy.exp(sympy.Symbol(f"y{n}")).diff()
    begun = clock()
    assert not any(is_past(begun + 0.001) for _ in range(20))


def test_a_memory_that_somebody_emptied_is_no_work():
    begun = clock()
    for function in CACHE[:20]:
        function.cache_clear()
    assert clock() - begun < 0.001


def test_a_deadline_ends_what_never_looks_at_the_clock():
    with pytest.raises(TimeIsUp), hard_deadline(0.05):
        n = 0
        while True:
            n += 1
            sympy.sin(n)


def test_what_nobody_counts_is_ended_by_the_processors_clock():
    with pytest.raises(TimeIsUp), hard_deadline(0.2 / GUARD):
        while True:
            pass


def test_an_outer_deadline_ends_an_inner_one():
    with pytest.raises(TimeIsUp), hard_deadline(0.01):
        spend(0.02)
        with hard_deadline(100):
            while True:
                pass


def test_a_bell_that_rings_while_a_deadline_ends_leaves_nothing_behind(monkeypatch):
    """Once a deadline stayed on the stack, and all that came later in that process was over before it began."""
    class Ringing(list):
        def pop(self, *where):
            deadline._ring(signal.SIGPROF, None)
            return super().pop(*where)

    monkeypatch.setattr(deadline._Ends, "stack", Ringing())
    with hard_deadline(-1):
        pass
    assert not deadline._Ends.stack
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
