"""Pave the set where a claim may fail with codac: read problems as JSON, write what became of them.

This script knows nothing of symdp and runs in a virtual environment that has only codac in it;
`benchmarks/prover.py` makes that environment and calls it. The claim is `gap >= 0` (or `> 0`); the set
`gap <= 0` is contracted (codac's CtcInverse: forward-backward and the centred form) and bisected
until nothing is left, which settles the claim on the box, up to trust in codac's doubles.

    python codac_paving.py < problems.json > results.json

A problem: `name`, `box` (a list of [lower, upper], rationals as text), `gap` (a tree: ["var", i],
["number", "p/q"], or [operation, *arguments]).
"""

from __future__ import annotations

import json
import sys
import time
from fractions import Fraction
from importlib.metadata import version
from typing import Any

import codac

Tree = list[Any]


class NotExpressible(ValueError):
    """codac has no such function."""


def enclosing(text: str) -> codac.Interval:
    """The doubles around a rational."""
    number = Fraction(text)
    if abs(number.numerator) > 2**53 or number.denominator > 2**53:
        raise NotExpressible(f"the number {text}")
    return codac.Interval(number.numerator) / codac.Interval(number.denominator)


def power(base: Any, exponent: str) -> Any:
    """A rational power: whole ones and square roots.

    codac evaluates powers with an interval for exponent, but ends the process when it contracts
    one (2.1.2: "not implemented yet with Gaol").
    """
    e = Fraction(exponent)
    if e < 0:
        return 1.0 / power(base, str(-e))
    if e.denominator == 2:
        root = codac.sqrt(base)
        return root if e.numerator == 1 else codac.pow(root, e.numerator)
    if e.denominator != 1:
        raise NotExpressible(f"the power {exponent}")
    if e == 2:
        return codac.sqr(base)
    return base if e == 1 else codac.pow(base, e.numerator)


_FUNCTIONS = ("exp", "log", "sinh", "cosh", "tanh", "sin", "cos", "abs", "min", "max", "floor")


def build(tree: Tree, variables: list[Any]) -> Any:
    """The expression of codac that a tree stands for."""
    operation, *rest = tree
    if operation == "var":
        return variables[rest[0]]
    if operation == "number":
        return enclosing(rest[0])
    if operation == "e":
        return codac.exp(codac.Interval(1))
    if operation == "pi":
        return codac.Interval.pi()
    if operation == "power":
        return power(build(rest[0], variables), rest[1])
    if operation == "div":
        return build(rest[0], variables) / build(rest[1], variables)
    if operation in ("add", "mul"):
        total = build(rest[0], variables)
        for part in rest[1:]:
            # A difference, where one is meant, keeps the tape short.
            if operation == "add" and part[0] == "neg":
                total = total - build(part[1], variables)
            else:
                value = build(part, variables)
                total = total + value if operation == "add" else total * value
        return total
    if operation == "neg":
        return -build(rest[0], variables)
    if operation in _FUNCTIONS:
        return getattr(codac, operation)(*(build(part, variables) for part in rest))
    raise NotExpressible(operation)


def function_of(tree: Tree, size: int) -> Any:
    variables = [codac.ScalarVar() for _ in range(size)]
    return codac.AnalyticFunction(variables, build(tree, variables))


def pave(problem: dict[str, Any], most_boxes: int, seconds: float, smallest: float) -> dict[str, Any]:
    """Contract and bisect, depth first; boxes below the smallest width are given up."""
    box = codac.IntervalVector([enclosing(low) | enclosing(high) for low, high in problem["box"]])
    start = time.perf_counter()
    contractor = codac.CtcInverse(function_of(problem["gap"], box.size()), codac.Interval(-codac.oo, 0))
    open_boxes, boxes, given_up, narrowest = [box], 0, 0, float("inf")
    capped = ""
    while open_boxes:
        if boxes >= most_boxes or time.perf_counter() - start > seconds:
            capped = f"{most_boxes:,} boxes" if boxes >= most_boxes else f"{seconds:g} s"
            break
        current = open_boxes.pop()
        boxes += 1
        left = contractor.contract(current)
        if left.is_empty():
            continue
        width = left.max_diam()
        narrowest = min(narrowest, width)
        if width <= smallest:
            given_up += 1
            continue
        open_boxes.extend(left.bisect_largest())
    spent = time.perf_counter() - start
    decided = not capped and not given_up
    result = {"boxes": boxes, "seconds": spent, "decided": decided, "given_up": given_up,
              "open": len(open_boxes), "capped": capped}
    if decided and boxes > 1:
        result["native_seconds"] = native_seconds(problem, box, narrowest)
    return result


def native_seconds(problem: dict[str, Any], box: Any, narrowest: float) -> float | None:
    """What codac's own loop in C++ takes for the same, or None if it leaves something."""
    start = time.perf_counter()
    contractor = codac.CtcInverse(function_of(problem["gap"], box.size()), codac.Interval(-codac.oo, 0))
    paving = codac.pave(box, contractor, narrowest / 2)
    spent = time.perf_counter() - start
    left = [b for b in paving.boxes(codac.PavingOut.outer) if not b.is_empty()]
    return None if left else spent


def main() -> None:
    request = json.load(sys.stdin)
    limits = (request["most_boxes"], request["seconds"], request["smallest"])
    results = []
    for problem in request["problems"]:
        try:
            found = pave(problem, *limits)
        except NotExpressible as reason:
            found = {"decided": False, "unsupported": str(reason)}
        results.append({"name": problem["name"], "domain": problem["domain"], **found})
    json.dump({"version": version("codac"), "results": results}, sys.stdout)


if __name__ == "__main__":
    main()
