"""Budgets count work: the same in every process, however busy the machine is."""

import signal
import subprocess
import sys
from itertools import product

import pytest
import sympy
from sympy import Rational
from sympy.core import assumptions
from sympy.core.cache import CACHE

from symdp.formulas.notation import symbol
from symdp.formulas.parsing import parse_conditions
from symdp.numbers.domain import holds_at
from symdp.search import deadline
from symdp.search.deadline import GUARD, TimeIsUp, clock, hard_deadline, is_past, spend
from symdp.search.memories import remembering
from symdp.search.prove import decide_relation, pose
from symdp.search.tactics import sample_points
from symdp.search.verdict import Status

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


def test_sympy_asks_what_is_known_in_one_order():
    """It shuffles its questions, so that the same search would count another work each time."""
    facts = ["zero", "real", "even"]
    assumptions.shuffle(facts)
    assert facts == sorted(facts)


def test_what_was_refuted_is_not_refuted_again():
    relation, domain, _ = pose("t^2 <= 1", "t >= 1", integer="t")
    with remembering():
        first = decide_relation(relation, domain)
        begun = clock()
        assert decide_relation(relation, domain) is first
        assert clock() - begun < 0.001
        turned = decide_relation(relation.mirrored(), domain)
        assert turned.status is first.status is Status.REFUTED
        assert turned.formal.goal.claim != first.formal.goal.claim
    assert decide_relation(relation, domain) is not first


@pytest.mark.parametrize("condition", ["x*y <= 1", "x > y^2", "exp(x) <= 1 + y", "x == y", "log(x) >= y"])
def test_a_condition_holds_at_a_sample_point_where_it_holds(condition):
    (relation,) = parse_conditions(condition)
    variables = (symbol("x"), symbol("y"))
    holds = sample_points._condition(relation, variables, frozenset())
    for values in product((Rational(-1), Rational(0), Rational(1, 4), Rational(1), Rational(2)), repeat=2):
        assert holds(values) == holds_at(relation, dict(zip(variables, values, strict=True))), values
