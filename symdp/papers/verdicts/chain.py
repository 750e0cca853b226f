r"""The links of a chain, one after the other: what went before may be a reason for what comes next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

from sympy import Expr, binomial, gamma

from symdp.formulas.relation import Op, Relation
from symdp.papers.finding import Finding
from symdp.papers.formulas.factorials import rearranged
from symdp.papers.verdicts.beside_the_kernel import beside_the_kernel, by_unions
from symdp.papers.verdicts.ends_left_out import NOT_DEFINED, where_defined
from symdp.papers.verdicts.line_judge import PaperJudge, first_line
from symdp.papers.verdicts.question import TROUBLE, PlaceInChain
from symdp.papers.verdicts.settling import BY_RULES, line, settled
from symdp.papers.work import Work
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.sources.derivations.expressions import relation_variables
from symdp.sources.derivations.lines import Link, State

#: Seconds for all links of a chain, behind which those that are left are not looked at.
FOR_A_CHAIN = 40.0
_LATE = f"not looked at: the chain took {FOR_A_CHAIN:g} s before it"


@dataclass
class ChainInPaper:
    """A chain of a paper, whose links are settled until its time is up."""

    work: Work
    budget: float
    out: Path | None
    until: float
    #: has seen the links so far; None behind one that was not understood
    judge: PaperJudge | None = None

    def findings(self) -> Iterator[Finding]:
        work = self.work
        for i, op in enumerate(work.ops):
            finding, left, right = work.findings[i], work.sides[i], work.sides[i + 1]
            if op is None or left is None or right is None:
                self.judge = None
                yield finding
                continue
            begun = process_time()
            if begun > self.until:
                yield replace(finding, verdict=work.otherwise or finding.verdict, message=_LATE)
                continue
            found = self.link(i, left, op, right)
            yield replace(_shown(found, dict(work.typed)), seconds=process_time() - begun)

    def link(self, i: int, left: Expr, op: Op, right: Expr) -> Finding:
        work = self.work
        relation = Relation(left, op, right, (*work.needs[i], *work.needs[i + 1]))
        place = PlaceInChain(work, work.findings[i], relation, work.contexts[i], self.budget, self.out)
        by_rules = False
        try:
            by_rules = _is_rearranged(place)
            with hard_deadline(self.budget if by_rules else 2 * self.budget + 1):
                found = self.looked_at(i, place, by_rules)
        except TimeIsUp:
            found, self.judge = replace(place.finding, message="the time was up"), None
            if by_rules:
                found = replace(place.finding, verdict="argued", message=BY_RULES)
        except TROUBLE as reason:
            found, self.judge = replace(place.finding, message=line(str(reason)) or "it is not understood"), None
        if found.verdict != "undecided" or work.premise:
            return found
        if NOT_DEFINED in found.message:
            return where_defined(place, by_rules=by_rules) or found
        if not found.missing and not {str(v) for v in relation_variables(relation)} & dict(work.typed).keys():
            return beside_the_kernel(place) or found
        return (by_unions(place) if work.unions else None) or found

    def looked_at(self, i: int, place: PlaceInChain, by_rules: bool) -> Finding:
        """What the judge of derivations says of a link, and what becomes of that."""
        work, relation = self.work, place.relation
        q = replace(place.question(), by_rules=by_rules)
        judge = self.judge
        if judge is None:
            judge = self.judge = first_line(q.scope, self.budget, relation.left, work.needs[i], i)
        judge.scope, judge.number = q.scope, str(i + 1)
        if i == 0 and work.premise:
            known = tuple(q.scope.expand_relation(r) for r in work.premise)
            checked = judge.with_uses(State(relation), relation, q.expanded, known)
            self.judge = None
        else:
            checked = judge.link(Link(relation.op, relation.right, needs=work.needs[i + 1]))
        found = settled(q, checked)
        # a reason that does not always hold may be a condition; an equation is none
        if work.otherwise and (found.verdict in ("undecided", "gap") or
                               (found.verdict == "refuted" and relation.op != "==")):
            found = replace(found, verdict=work.otherwise)
        chain = None if self.judge is None else self.judge.chain
        if chain is not None and found.verdict not in ("refuted", "gap"):
            chain.wrong.discard(len(chain.exprs) - 1)  # what is not called wrong here is no reason to go past it
        return found


def _is_rearranged(place: PlaceInChain) -> bool:
    """Whether SymPy's rules of factorials turn one side of an equation into the other."""
    relation = place.relation
    if relation.op != "==" or not relation.left.has(binomial, gamma) or not relation.right.has(binomial, gamma):
        return False
    here = place.scope()
    return rearranged(here.expand_relation(relation), here.where, here.integers)


def _shown(finding: Finding, typed: dict[str, str]) -> Finding:
    """Quantities by what was typed for them."""
    used = {n for n in typed if re.search(rf"\b{n}\b", f"{finding.reading} {finding.message}")}
    if not used:
        return finding
    where = ", ".join(f"{name} = {typed[name]}" for name in sorted(used))
    return replace(finding, reading=f"{finding.reading} where {where}")
