r"""The best guess from a transcript: on average by (10) and (13), in the worst case by (12) and (14).

The viewer is the central observer (``viewer=None``), who has the transcript only, or a party, who
has its own bit besides. Every answer carries two things that prove it: a rule of guessing, which
reaches the value, and a prior on the inputs against which no rule gets more. For average accuracy the
prior is uniform; in the worst case it is the least favourable one.

>>> from symdp.privacy.multiparty.functions import AND, XOR, correct
>>> from symdp.privacy.multiparty.parties import alike
>>> from symdp.privacy.multiparty.protocol import randomised_response
>>> bits = randomised_response(alike(2, "log(3)"))
>>> average(bits, XOR(2)).value, worst_case(bits, XOR(2)).value
(Fraction(5, 8), Fraction(5, 8))
>>> found = worst_case(bits, AND(2))
>>> found.value, found.prior
(Fraction(21, 32), {(0, 1): Fraction(3, 16), (1, 0): Fraction(3, 16), (1, 1): Fraction(5, 8)})
>>> average(bits, AND(2), viewer=0).value
Fraction(7, 8)

If $e^\varepsilon$ is not rational, the two sides are evaluated in balls:

>>> print(worst_case(randomised_response(alike(2, 1)), AND(2)).value)
0.6402008309570564698
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from symdp.numbers import exact
from symdp.numbers.decimals import Enclosure
from symdp.numbers.quantity import BadQuantity
from symdp.privacy.lp.exact_lp import LinearProgram
from symdp.privacy.multiparty.functions import BitFunction, Bits, Reward, correct, inputs
from symdp.privacy.multiparty.protocol import Protocol

#: What a viewer knows besides the transcript: nothing (None), or its own bit.
Known = int | None
Rule = dict[tuple[Hashable, Known], dict[int | str, Fraction]]
#: Digits to which irrational probabilities are rounded before the linear program sees them.
ROUNDED = 24


@dataclass(frozen=True)
class Accuracy:
    """The accuracy that a rule reaches; nothing exceeds it, as the prior shows."""

    value: Fraction | Enclosure
    #: (transcript, own bit or None) -> how likely each guess is
    rule: Rule
    #: weights of the inputs, which sum to one
    prior: dict[Bits, Fraction]


def average(protocol: Protocol, function: BitFunction, reward: Reward = correct,
            viewer: int | None = None) -> Accuracy:
    """The best average accuracy (9) over uniform inputs, by the rule (10) or (13)."""
    check_arity(protocol.k, function, viewer)
    uniform = {x: Fraction(1, 2**protocol.k) for x in inputs(protocol.k)}
    rule = bayes_rule(_rounded(protocol), function, reward, viewer, uniform)
    return Accuracy(_value(protocol, function, reward, viewer, rule, uniform, mean=True), rule, uniform)


def worst_case(protocol: Protocol, function: BitFunction, reward: Reward = correct,
               viewer: int | None = None) -> Accuracy:
    """The best worst-case accuracy (11), by the linear program (12) or (14)."""
    check_arity(protocol.k, function, viewer)
    table = _rounded(protocol)
    rule: Rule = {}
    priors: list[tuple[Fraction, dict[Bits, Fraction]]] = []
    for bit in knowledge(viewer):
        solution = rule_program(table, function, reward, viewer, bit).solve()
        for transcript in protocol.transcripts:
            rule[transcript, bit] = {y: q for y in reward.choices(function)
                                     if (q := solution.primal.get((transcript, y), Fraction(0)))}
        prior = {x: -solution.dual[x] for x in inputs(protocol.k) if x in solution.dual}
        priors.append((solution.value, prior))
    _, hardest = min(priors, key=lambda found: found[0])
    value = _value(protocol, function, reward, viewer, rule, hardest, mean=False)
    return Accuracy(value, rule, hardest)


# --- both sides, without a solver ----------------------------------------------------------------


def reached(table: dict[Hashable, tuple[Any, ...]], k: int, function: BitFunction, reward: Reward,
            viewer: int | None, rule: Rule) -> dict[Bits, Any]:
    """What the rule gets for each input, whatever the entries of the table are."""
    found: dict[Bits, Any] = {}
    worth = {(truth, y): reward(truth, y) for truth in function.range for y in reward.choices(function)}
    for row, x in enumerate(inputs(k)):
        truth = function.values[row]
        bit = None if viewer is None else x[viewer]
        found[x] = sum((column[row] * _exact(chance * worth[truth, y], column[row])
                        for transcript, column in table.items()
                        for y, chance in rule[transcript, bit].items() if worth[truth, y]), 0)
    return found


def bound(table: dict[Hashable, tuple[Any, ...]], k: int, function: BitFunction, reward: Reward,
          viewer: int | None, prior: dict[Bits, Fraction]) -> Any:
    """What the best rule gets on average over the prior: no rule does better in the worst case."""
    whole: Any = 0
    for column in table.values():
        for bit in knowledge(viewer):
            scores = list(_scores(column, k, function, reward, viewer, bit, prior).values())
            whole = whole + _largest(scores)
    return whole


def bayes_rule(table: dict[Hashable, tuple[Fraction, ...]], function: BitFunction, reward: Reward,
               viewer: int | None, prior: dict[Bits, Fraction]) -> Rule:
    """For each transcript the guess that is worth most on average."""
    rule: Rule = {}
    for transcript, column in table.items():
        for bit in knowledge(viewer):
            scores = _scores(column, function.k, function, reward, viewer, bit, prior)
            rule[transcript, bit] = {max(scores, key=lambda y: scores[y]): Fraction(1)}
    return rule


def _scores(column: tuple[Any, ...], k: int, function: BitFunction, reward: Reward,
            viewer: int | None, bit: Known, prior: dict[Bits, Fraction]) -> dict[int | str, Any]:
    scores: dict[int | str, Any] = {}
    for y in reward.choices(function):
        worth = {truth: reward(truth, y) for truth in function.range}
        scores[y] = sum(
            (column[row] * _exact(prior[x] * worth[function.values[row]], column[row])
             for row, x in enumerate(inputs(k))
             if worth[function.values[row]] and x in prior and (viewer is None or x[viewer] == bit)), 0)
    return scores


def knowledge(viewer: int | None) -> Iterator[Known]:
    """What the viewer may know besides the transcript."""
    yield from ((None,) if viewer is None else (0, 1))


def check_arity(k: int, function: BitFunction, viewer: int | None) -> None:
    """The function and the viewer must fit the number of parties."""
    if function.k != k:
        raise BadQuantity(f"{function.name} takes {function.k} bits, but there are {k} parties")
    if viewer is not None and not 0 <= viewer < k:
        raise BadQuantity(f"there is no party {viewer + 1} among {k}")


def _value(protocol: Protocol, function: BitFunction, reward: Reward, viewer: int | None, rule: Rule,
           prior: dict[Bits, Fraction], mean: bool) -> Fraction | Enclosure:
    if protocol.is_rational:
        table: dict[Hashable, tuple[Any, ...]] = _table(protocol)
        each = reached(table, protocol.k, function, reward, viewer, rule)
        low = sum((prior[x] * v for x, v in each.items()), Fraction(0)) if mean else min(each.values())
        high = bound(table, protocol.k, function, reward, viewer, prior)
        if low != high:
            raise ArithmeticError(f"the rule reaches {low}, the prior allows {high}")
        return Fraction(low)
    with ctx.workprec(128):
        balls = {t: tuple(map(exact.ball, c)) for t, c in _table(protocol).items()}
        each = reached(balls, protocol.k, function, reward, viewer, rule)
        if mean:
            low = sum((_ball(v) * _ball(prior[x]) for x, v in each.items()), arb(0))
        else:
            low = -_largest([-_ball(v) for v in each.values()])
        high = _ball(bound(balls, protocol.k, function, reward, viewer, prior))
        return Enclosure.between(low, high, theorem="best accuracy of the protocol")


# --- the linear program --------------------------------------------------------------------------


def rule_program(table: dict[Hashable, tuple[Fraction, ...]], function: BitFunction, reward: Reward,
                 viewer: int | None, bit: Known) -> LinearProgram:
    """Maximise the least reward over inputs with this bit, over randomised rules."""
    program = LinearProgram(free={"least"})
    program.maximise({"least": 1})
    for row, x in enumerate(inputs(function.k)):
        if viewer is None or x[viewer] == bit:
            gains = {(t, y): column[row] * reward(function.values[row], y)
                     for t, column in table.items() for y in reward.choices(function)}
            program.at_least(x, {**gains, "least": -1}, 0)
    for t in table:
        program.equal(("rule", t), {(t, y): 1 for y in reward.choices(function)}, 1)
    return program


def _table(protocol: Protocol) -> dict[Hashable, tuple[Any, ...]]:
    return dict(zip(protocol.transcripts, protocol.columns, strict=True))


def _rounded(protocol: Protocol) -> dict[Hashable, tuple[Fraction, ...]]:
    """The table in fractions, rounded where it is irrational: good enough to find a rule with."""
    return {t: tuple(map(_nearby, column)) for t, column in _table(protocol).items()}


def _nearby(value: Any) -> Fraction:
    if isinstance(value, Fraction):
        return value
    if exact.sign(value) == 0:
        return Fraction(0)
    with ctx.workprec(4 * ROUNDED):
        scaled = (exact.ball(value) * 10**ROUNDED).mid().floor()
        return Fraction(int(scaled.unique_fmpz()), 10**ROUNDED)


def _exact(value: Fraction, like: Any) -> Any:
    return _ball(value) if isinstance(like, arb) else value


def _ball(value: Any) -> Any:
    return value if isinstance(value, arb) else arb(fmpq(value.numerator, value.denominator))


def _largest(values: list[Any]) -> Any:
    if not any(isinstance(v, arb) for v in values):
        return max(values)
    largest = _ball(values[0])
    for v in values[1:]:
        largest = largest.max(_ball(v))
    return largest
