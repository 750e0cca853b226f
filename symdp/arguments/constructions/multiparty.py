r"""Private multi-party computation: protocols in fractions, for the claims of Section 5.

>>> finding = coin_against_responses([("log(2)", "1/10")] * 2, "XOR", "average")
>>> finding.holds, finding.says
(False, 'a shared coin is right with probability 3/5, randomised response with 29/50')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from symdp.arguments.constructions import Observation, construction
from symdp.numbers.quantity import Quantity
from symdp.privacy.lp.exact_lp import verify
from symdp.privacy.multiparty import accuracy
from symdp.privacy.multiparty.functions import (
    AND,
    OR,
    XOR,
    BitFunction,
    Reward,
    correct,
    inputs,
    majority,
    total,
)
from symdp.privacy.multiparty.optimum import best
from symdp.privacy.multiparty.protocol import Protocol, randomised_response
from symdp.privacy.multiparty.shared_coin import against_responses

FUNCTIONS: dict[str, Callable[[int], BitFunction]] = {
    "XOR": XOR, "AND": AND, "OR": OR, "majority": majority, "sum": total,
}
Levels = Sequence[tuple[Quantity, Quantity]]
#: What the arguments below rely on besides arithmetic.
FACTORISES = "the table of a conversation is a product over its parties"
CORNER = "a linear form on a simplex is largest at a corner"
FINDS = {"average": accuracy.average, "worst": accuracy.worst_case}


@construction
def coin_against_responses(parties: Levels, function: str, measure: str,
                           viewer: int | None = None) -> Observation:
    """Is randomised response at least as good as a coin that everyone sees?"""
    f = FUNCTIONS[function](len(parties))
    found = against_responses(parties, f, measure=measure, viewer=viewer)
    wrong = found.problems()
    return Observation(
        bool(wrong),
        f"a shared coin is right with probability {found.with_coin}, randomised response with "
        f"{found.with_responses}",
        {"parties": shown_levels(parties), "function": f"{function} of {f.k} bits",
         "viewer": _viewer(viewer), "measure": measure, "with the coin": found.with_coin,
         "with randomised response": found.with_responses,
         "table of the protocol": shown_table(found.table)})


@construction
def best_conversation(parties: Levels, function: str, measure: str,
                      viewer: int | None = None) -> Observation:
    """Is randomised response as good as the best of all conversations?"""
    f = FUNCTIONS[function](len(parties))
    optimum = best(parties, f, measure=measure, viewer=viewer)  # type: ignore[arg-type]
    mine = best(parties, f, measure=measure, viewer=viewer, among="responses")  # type: ignore[arg-type]
    if verify(optimum.program, optimum.solution):
        raise ArithmeticError("the optimum does not survive its check")
    return Observation(
        mine.value == optimum.value,
        f"the best conversation is right with probability {optimum.value}, randomised response with "
        f"{mine.value}",
        {"parties": shown_levels(parties), "function": f"{function} of {f.k} bits",
         "viewer": _viewer(viewer), "measure": measure, "best": optimum.value,
         "with randomised response": mine.value})


@construction
def one_other_party(parties: Levels, function: str, measure: str) -> Observation:
    """Of two parties each asks about one bit: given its own bit, (15) is a condition on two laws."""
    seen = best_conversation(parties, function, measure, viewer=0)
    return Observation(seen.holds and len(parties) == 2,
                   "given one's own bit, the transcript has two laws, one for each bit of the other party, "
                   "and randomised response dominates them", seen.exact,
                   trust=frozenset({"exact arithmetic", "Theorem 2.5"}))


@construction
def silence_is_as_good(parties: Levels, function: str) -> Observation:
    """Is randomised response the only optimal protocol? Not where saying nothing is as good."""
    f = FUNCTIONS[function](len(parties))
    silence = Protocol.of(f.k, {"silence": [1] * 2**f.k})
    mine = accuracy.average(randomised_response(parties), f).value
    nothing = accuracy.average(silence, f).value
    return Observation(nothing != mine, f"saying nothing gets {nothing}, randomised response {mine}",
                   {"parties": shown_levels(parties), "function": f"{function} of {f.k} bits"})


@construction
def size_of_responses(parties: Levels, per_party: int) -> Observation:
    """How many transcripts randomised response has, against so many for each party."""
    table = randomised_response(parties)
    expected, seen = per_party ** len(parties), len(table.transcripts)
    return Observation(seen == expected, f"randomised response has {seen} transcripts; {expected} were named",
                   {"parties": shown_levels(parties), "entries of the table": seen * 2 ** len(parties)})


@construction
def two_symbols_without_delta() -> Observation:
    """With delta = 0 the symbols 0 and 3 of (16) never occur: two of four are left for each party."""
    pure, leaky = (randomised_response([("log(2)", d)]).transcripts for d in ("0", "1/10"))
    return Observation(pure == ((1,), (2,)) and len(leaky) == 4,
                   "without delta each party has two symbols, so that there are 2^k transcripts, and with "
                   "0 < delta < 1 and epsilon > 0 four, so that there are 4^k",
                   trust=frozenset({"exact arithmetic", "transcripts are tuples of symbols"}))


@construction
def terms_of_the_rule(parties: Levels, function: str, per_entry: int) -> Observation:
    """Count the products that (10) adds up, against so many for each entry of the table."""
    f, table = FUNCTIONS[function](len(parties)), randomised_response(parties)
    entries = len(table.transcripts) * 2**f.k
    terms = sum(1 for _ in table.transcripts for _ in f.range for _ in inputs(f.k))
    return Observation(terms == per_entry * entries,
                   f"(10) adds up {terms} products for a table of {entries} entries and {len(f.range)} "
                   "guesses", {"parties": shown_levels(parties), "function": function},
                   trust=frozenset({"exact arithmetic", "(10) has one product for each guess and entry"}))


@construction
def size_of_the_program(parties: Levels, function: str, viewer: int | None, variables: int,
                        constraints: int) -> Observation:
    """Count the variables and the constraints of the linear program (12) or (14)."""
    f, table = FUNCTIONS[function](len(parties)), randomised_response(parties)
    columns = dict(zip(table.transcripts, table.columns, strict=True))
    program = accuracy.rule_program(columns, f, correct, viewer, None if viewer is None else 0)
    seen = len(program.variables), len(program.rows)
    return Observation(seen == (variables, constraints),
                   f"the program has {seen[0]} variables and {seen[1]} constraints besides signs; "
                   f"{variables} and {constraints} were named", {"parties": shown_levels(parties)},
                   trust=frozenset({
                       "exact arithmetic", "(12) has one unknown for each transcript and guess, one for "
                       "the minimum, one row for each transcript and each input that is possible"}))


@construction
def timid_reward(parties: Levels, measure: str) -> Observation:
    """XOR with a reward that punishes a wrong 1 more than a wrong 0: is the XOR of the responses best?"""
    k = len(parties)
    timid = Reward.table({(0, 0): 1, (0, 1): 0, (1, 0): "9/10", (1, 1): 1}, "timid")
    table = randomised_response(parties)
    found = FINDS[measure](table, XOR(k), timid)
    rule = {(t, None): {sum(s in (2, 3) for s in t) % 2: Fraction(1)}  # type: ignore[attr-defined]
            for t in table.transcripts}
    each = accuracy.reached(dict(zip(table.transcripts, table.columns, strict=True)), k, XOR(k), timid,
                            None, rule)  # type: ignore[arg-type]
    got = sum(each.values()) / 2**k if measure == "average" else min(each.values())
    return Observation(got == found.value,
                   f"the XOR of the responses gets {got}, the best rule {found.value}",
                   {"parties": shown_levels(parties), "reward": "1 if right, 9/10 for guessing 0 wrongly"})


@construction
def guesses_are_linear(parties: Levels, function: str, measure: str, viewer: int | None) -> Observation:
    """(10) to (14): the rule reaches what a prior allows; the accuracy is linear in each guess."""
    f, table = FUNCTIONS[function](len(parties)), randomised_response(parties)
    found = FINDS[measure](table, f, viewer=viewer)  # raises if its two sides differ
    says = ("the accuracy is a sum over transcripts and own bits of linear forms in the guess, each "
            "largest at one answer" if measure == "average" else
            "the least accuracy over inputs is the least over own bits, each a program of its own")
    return Observation(isinstance(found.value, Fraction), says, {"instance": found.value},
                   trust=frozenset({"exact arithmetic", CORNER}))


@construction
def silence_is_private(k: int) -> Observation:
    """(15) speaks of the table alone: does saying nothing violate it when the bits are dependent?"""
    silence = Protocol.of(k, {"silence": [1] * 2**k})
    private = silence.is_private([(0, 0)] * k)
    return Observation(not private, "(15) has no distribution of the bits in it: silence is (0, 0)-private, "
                   "however the bits depend on each other", {"k": k})


@construction
def privacy_has_no_prior(k: int) -> Observation:
    """(15) compares two rows of the table: it is decided by the table."""
    return Observation(not silence_is_private(k).holds, "(15) is decided by the table of probabilities given "
                   "the bits, whatever their distribution",
                   trust=frozenset({"the definition (15)"}))


def shown_levels(parties: Levels) -> str:
    return ", ".join(f"({e}, {d})" for e, d in parties)


def _viewer(viewer: int | None) -> str:
    return "the observer" if viewer is None else f"party {viewer + 1}"


def shown_table(table: Protocol) -> str:
    rows: Any = zip(table.transcripts, table.columns, strict=True)
    return "; ".join(f"{'/'.join(map(str, t))}: {', '.join(map(str, column))}" for t, column in rows)
