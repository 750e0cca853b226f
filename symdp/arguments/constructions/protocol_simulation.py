r"""Simulating protocols from randomised responses: Theorem D.1 and the lines of its proof.

>>> simulation_of_the_coin([("log(2)", "1/10")] * 2).holds
False
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symdp.arguments.constructions import Observation, construction
from symdp.arguments.constructions.multiparty import FUNCTIONS, Levels, shown_levels, shown_table
from symdp.privacy.lp.exact_lp import ProgramSolution, verify
from symdp.privacy.multiparty import accuracy
from symdp.privacy.multiparty.functions import correct
from symdp.privacy.multiparty.protocol import Protocol, randomised_response
from symdp.privacy.multiparty.shared_coin import shared_coin
from symdp.privacy.multiparty.simulation import Separation, first_step, simulate
from symdp.privacy.multiparty.tree import Speak


@construction
def simulation_of_the_coin(parties: Levels) -> Observation:
    """Theorem D.1, asked of the shared coin: is there a map from randomised responses?"""
    found = simulate(shared_coin(parties).protocol(len(parties)), parties)
    if found.problems():
        raise ArithmeticError(found.problems()[0])
    if not isinstance(found, Separation):
        return Observation(True, "a stochastic map makes the transcripts from randomised responses")
    return Observation(
        False, f"a decision problem is worth {found.with_protocol} with the protocol and at most "
        f"{found.with_responses} with randomised responses, so that no map exists",
        {"parties": shown_levels(parties), "table of the protocol": shown_table(found.protocol),
         "gains": "; ".join(f"input {x}, {t}: {v}" for (x, t), v in found.gains.items())})


def _checked_first_step(table: Protocol, parties: Levels) -> ProgramSolution:
    """The maps of (34), checked against the program that they solve."""
    program, solution = first_step(table, parties)
    if verify(program, solution):
        raise ArithmeticError("the maps of the first step do not survive their check")
    return solution


@construction
def induction_step_of_the_coin(parties: Levels) -> Observation:
    """(40) to (42): is some map of (34) private for each response of the first party?"""
    table = shared_coin(parties).protocol(2)
    solution = _checked_first_step(table, parties)
    needed, promised = -solution.value, Fraction(str(parties[1][1]))
    return Observation(
        needed <= promised,
        f"given the response of the first party, any map of (34) is private for the second one with "
        f"delta = {needed} at best, where {promised} is asked for",
        {"parties": shown_levels(parties), "delta needed": needed, "delta promised": promised,
         "private on the whole": table.is_private(parties)})


@construction
def first_step_exists(parties: Levels) -> Observation:
    """(34): with the other bits fixed, the transcript is simulated from one response."""
    _checked_first_step(shared_coin(parties).protocol(2), parties)
    return Observation(True, "with the other bits fixed, (15) is a condition on two distributions, and "
                   "randomised response dominates both", {"parties": shown_levels(parties)},
                   trust=frozenset({"exact arithmetic", "Theorem 2.5"}))


@construction
def regions_given_the_others(parties: Levels) -> Observation:
    """(37): with the other bits fixed, the transcript is as private as (15) says."""
    table = shared_coin(parties).protocol(len(parties))
    return Observation(table.is_private(parties), "with the other bits fixed, (15) is the condition of "
                   "Corollary 2.3", {"parties": shown_levels(parties)},
                   trust=frozenset({"exact arithmetic", "Corollary 2.3"}))


@construction
def maps_forget_the_bits(parties: Levels) -> Observation:
    """(41) from (40): given the response, what is made from it does not depend on the bit behind it.

    For the maps that (34) gives for the shared coin, from the joint law of bit, response and output.
    """
    table = shared_coin(parties).protocol(2)
    _, solution = first_step(table, parties)
    first = randomised_response(parties[:1])
    same = True
    for response, column in zip(first.transcripts, first.columns, strict=True):
        for x2 in (0, 1):
            laws = []
            for bit in (0, 1):
                joint = {t: column[bit] / 2 * solution.primal.get(("map", x2, response, t), Fraction(0))
                         for t in table.transcripts}
                whole = sum(joint.values())
                if whole:
                    laws.append({t: p / whole for t, p in joint.items()})
            same = same and all(law == laws[0] for law in laws)
    return Observation(same, "given the response, the law of what is made from it is the same for both bits, "
                   "so that (40) without the bit is (41)",
                   trust=frozenset({"exact arithmetic", "a map reads the responses and later bits only"}))


@construction
def simulation_suffices(parties: Levels, function: str) -> Observation:
    """Whoever can make the transcripts from the responses can guess as well from the responses."""
    f = FUNCTIONS[function](len(parties))
    coarse = Speak(0, {"no": ("2/3", "1/3"), "yes": ("1/3", "2/3")}).protocol(f.k)
    found = simulate(coarse, parties)
    if isinstance(found, Separation) or found.problems():
        raise ArithmeticError("the example cannot be simulated")
    theirs = accuracy.average(coarse, f)
    made: accuracy.Rule = {}
    for response in found.responses.transcripts:
        chances: dict[Any, Fraction] = {}
        for transcript in coarse.transcripts:
            for y, chance in theirs.rule[transcript, None].items():
                share = found.map.get((response, transcript), Fraction(0)) * chance
                chances[y] = chances.get(y, Fraction(0)) + share
        made[response, None] = chances
    columns = dict(zip(found.responses.transcripts, found.responses.columns, strict=True))
    each = accuracy.reached(columns, f.k, f, correct, None, made)
    return Observation(sum(each.values()) / 2**f.k == theirs.value,
                   "the map followed by the rule is a rule for the responses, with the same accuracy for "
                   "every input", {"accuracy": theirs.value},
                   trust=frozenset({"exact arithmetic", "stochastic maps can be composed"}))


@construction
def chained_maps(parties: Levels) -> Observation:
    """(35), (36): where (42) holds at each step, the maps of Theorem 2.5 are put one behind the other."""
    table = randomised_response(parties)
    program, solution = first_step(table, parties)
    found = simulate(table, parties)
    if verify(program, solution) or found.problems():
        raise ArithmeticError("the maps do not survive their check")
    return Observation(not isinstance(found, Separation) and -solution.value <= Fraction(str(parties[1][1])),
                   "given (42), Theorem 2.5 replaces one bit after the other by its response",
                   trust=frozenset({"exact arithmetic", "Theorem 2.5"}))
