r"""A chain of a paper -> a verdict for each of its links, by the judge of derivations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import process_time

from symdp.formulas.relation import Relation
from symdp.papers.finding import Finding
from symdp.papers.verdicts.chain import FOR_A_CHAIN, ChainInPaper
from symdp.papers.verdicts.two_cases import beside_a_pole, in_two_cases, pair_that_differs
from symdp.papers.work import Work
from symdp.search.memories import remembering

_RIGHT = ("proved", "argued")


def judge(work: Work, budget: float, out: Path | None = None) -> tuple[Finding, ...]:
    """The findings of a chain, each with its verdict."""
    until = process_time() + FOR_A_CHAIN
    found = _judged(work, budget, out, until)
    if work.beyond:
        why = f"its sentence says something else with {work.beyond!r}, which is not read"
        return tuple(_open(f, why) for f in found)
    if work.both_ways and work.premise and found[0].verdict in _RIGHT:
        back = _judged(_turned_round(work), budget, None, until)[0]
        if back.verdict not in _RIGHT:
            return (_open(found[0], "it follows; that what stands before the arrow follows from it is not shown"),
                    *found[1:])
        if back.verdict == "argued":
            return (replace(found[0], verdict="argued", message=back.message, certificate=None), *found[1:])
    return found


def _open(finding: Finding, why: str) -> Finding:
    """The finding, undecided if it was settled one way or the other."""
    if finding.verdict not in (*_RIGHT, "refuted", "gap"):
        return finding
    return replace(finding, verdict="undecided", message=why, certificate=None, witness=None)


def _turned_round(work: Work) -> Work:
    """What stands before an arrow in both directions, from the first relation behind it."""
    (given,), op, (left, right, *_) = work.premise, work.ops[0], work.sides
    if op is None or left is None or right is None:
        raise ValueError("what was not read was found right")
    return replace(work, findings=work.findings[:1], sides=(given.left, given.right), needs=((), given.needs),
                   ops=(given.op,), contexts=work.contexts[:1], premise=(Relation(left, op, right),), both_ways=False)


def _judged(work: Work, budget: float, out: Path | None, until: float) -> tuple[Finding, ...]:
    def in_a_case(case: Work) -> tuple[Finding, ...]:
        return _judged(case, budget, None, until)

    with remembering():
        found = tuple(ChainInPaper(work, budget, out, until).findings())
        if process_time() > until or all(f.verdict in _RIGHT for f in found):
            return found
        pair = pair_that_differs(work)
        return beside_a_pole(work, found, in_a_case) if pair is None else in_two_cases(work, pair, in_a_case)


__all__ = ["FOR_A_CHAIN", "judge"]
