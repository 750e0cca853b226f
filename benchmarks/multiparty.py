r"""Randomised response beside the best of all protocols: one table, in fractions.

    python benchmarks/multiparty.py            two and three parties, e^epsilon = 2, delta = 0 and 1/10
    python benchmarks/multiparty.py --ratio 3 --delta 1/4 --parties 2
    python benchmarks/multiparty.py --format markdown

Each line has the accuracy of randomised response and the optimum among conversations, factorised
tables and curators. Every optimum is verified from its primal and dual solutions; the conversation
that reaches it is built, and its privacy and accuracy are checked, where it ends.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rich.console import Console
from rich.table import Table

from symdp.privacy.lp.exact_lp import verify
from symdp.privacy.multiparty.accuracy import average, worst_case
from symdp.privacy.multiparty.functions import AND, XOR, BitFunction, majority, total
from symdp.privacy.multiparty.optimum import AMONG, Optimum, best
from symdp.privacy.multiparty.parties import Party, alike
from symdp.privacy.multiparty.walk import Endless, conversation

COLUMNS = ("k", "delta", "function", "viewer", "measure", "responses", *AMONG, "messages", "seconds")


@dataclass(frozen=True)
class Line:
    k: int
    delta: str
    function: str
    viewer: str
    measure: str
    values: tuple[Fraction, ...]
    #: the longest that the conversation gets, or why there is none
    messages: str
    seconds: float

    @property
    def refutes(self) -> bool:
        """Whether a conversation is better than randomised response."""
        return self.values[1] > self.values[0]

    def cells(self) -> list[str]:
        return [str(self.k), self.delta, self.function, self.viewer, self.measure,
                *map(str, self.values), self.messages, f"{self.seconds:.2f}"]


def line(levels: tuple[Party, ...], function: BitFunction, measure: str, viewer: int | None) -> Line:
    began = time.monotonic()
    values = [best(levels, function, measure=measure, viewer=viewer, among="responses").value]
    messages = ""
    for among in AMONG:
        optimum = best(levels, function, measure=measure, viewer=viewer, among=among)
        wrong = verify(optimum.program, optimum.solution)
        if wrong:
            raise ArithmeticError(wrong[0])
        values.append(optimum.value)
        if among == "conversations":
            messages = _conversation(optimum, levels, function, measure, viewer)
    return Line(function.k, str(levels[0].delta), function.name,
                "observer" if viewer is None else f"party {viewer + 1}", measure, tuple(values),
                messages, time.monotonic() - began)


def _conversation(optimum: Optimum, levels: tuple[Party, ...], function: BitFunction, measure: str,
                  viewer: int | None) -> str:
    try:
        talk = conversation(optimum)
    except Endless:
        return "endless"
    table = talk.protocol(function.k)
    find = average if measure == "average" else worst_case
    if not table.is_private(levels) or find(table, function, viewer=viewer).value != optimum.value:
        raise ArithmeticError(f"the conversation for {function.name} is not what the optimum says")
    return str(talk.rounds)


def lines(ratio: str, deltas: Sequence[str], counts: Sequence[int]) -> Iterator[Line]:
    for k in counts:
        for delta in deltas:
            levels = alike(k, f"log({ratio})", delta)
            for function in (XOR(k), AND(k), *([majority(k)] if k % 2 else []), total(k)):
                for viewer in (None, 0):  # the parties are alike
                    for measure in ("average", "worst"):
                        yield line(levels, function, measure, viewer)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ratio", default="2", help="e^epsilon, a rational number")
    parser.add_argument("--delta", nargs="+", default=["0", "1/10"])
    parser.add_argument("--parties", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--format", choices=("terminal", "markdown"), default="terminal")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    found = []
    for one in lines(options.ratio, options.delta, options.parties):
        found.append(one)
        print(f"{len(found)} lines, {time.monotonic() - began:.0f} s", end="\r", file=sys.stderr,
              flush=True)
    worse = sum(one.refutes for one in found)
    summary = (f"e^epsilon = {options.ratio}: randomised response is not optimal in {worse} of "
               f"{len(found)} lines; {time.monotonic() - began:.0f} s")
    if options.format == "markdown":
        print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
        for one in found:
            print("| " + " | ".join(one.cells()) + " |")
        print(f"\n{summary}")
        return 0
    table = Table(*COLUMNS)
    for one in found:
        table.add_row(*one.cells(), style="red" if one.refutes else None)
    Console(width=150).print(table, summary)
    return 0


if __name__ == "__main__":
    sys.exit(main())
