"""Chains of a derivation and its conclusions: what follows by transitivity from lines that were shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import Expr

from symdp.arguments.derivations.chains import composed
from symdp.arguments.formal.line_formulas import formula_of
from symdp.arguments.formal.line_proofs import ShownLine
from symdp.arguments.formal.line_prover import LineProver, fresh_index
from symdp.arguments.formal.plain_goals import Unproved, premises_of
from symdp.formulas.relation import MIRROR, Relation
from symdp.formulas.translation import term_of
from symdp.kernel.goals import Each, Goal
from symdp.kernel.goals import Relation as Formal
from symdp.kernel.proof import Step
from symdp.kernel.terms import variable
from symdp.sources.derivations.lines import Conclude, Use


@dataclass
class ChainProver(LineProver):
    """A walk that also closes chains and draws conclusions."""

    last_conclusion: ShownLine | None = None

    def close_chain(self) -> None:
        """What a chain shows of its ends stays known."""
        chain, links, ops = self.chain, self.links, self.ops
        self.chain, self.links, self.ops = [], [], []
        op = composed(ops) if ops else None  # type: ignore[arg-type]
        if op is None:
            return
        if len(links) == 1:
            self.known.append(links[0])
            return
        relation = Relation(chain[0], op, chain[-1])
        number, self.number = self.number, ""  # it is no line
        found = self.attempt(relation, lambda: self.from_links(relation, links, chain, ops))
        self.number = number
        self.known.append(found)
        self.before = found

    def from_links(self, relation: Relation, links: Sequence[ShownLine], chain: Sequence[Expr],
                   ops: Sequence[str]) -> ShownLine:
        """By transitivity, from the lines of a chain."""
        formula = formula_of(relation, self.fixed)
        base = tuple(dict.fromkeys((*self.where, *(k.formula for k in links))))
        goal = self.ctx.goal.claiming(formula).under(base)
        frames: list[tuple[str, dict[str, Any]]] = []
        while isinstance(goal.claim, Each):
            name = fresh_index(goal)
            frames.append(("each", {"name": name}))
            (goal,) = premises_of(goal, "each", {"name": name})
            for k in links:
                for place, h in enumerate(goal.hypotheses):
                    if h == k.formula and isinstance(h, Each):
                        parameters: dict[str, Any] = {"hypothesis": place, "at": variable(name)}
                        goal = premises_of(goal, "instance", parameters)[-1]
                        frames.append(("instance", parameters))
                        break
        step = _transitive(goal, chain, ops)
        for rule, parameters in reversed(frames):
            step = Step(rule, parameters, (step,))
        return self.cut(relation, formula, base, step, tuple(links))

    def conclude(self, step: Conclude) -> None:
        relation = self.expand_relation(replace(step.relation, needs=(*step.relation.needs, *step.needs)))
        chain = (self.chain, self.links, self.ops)
        self.close_chain()

        def prove() -> ShownLine:
            self.defined(relation.needs)
            found = None if step.uses else self.from_chain(relation, *chain)
            return found or self.concluded(relation, step.uses)

        found = self.attempt(relation, prove)
        self.before = found
        self.known.append(found)
        self.last_conclusion = found
        self.label(step, found)

    def concluded(self, relation: Relation, uses: Sequence[Use]) -> ShownLine:
        """From few lines first: the more premises, the longer the search."""
        lines = list(dict.fromkeys(self.known))
        last = Unproved("there is no way to show it")
        for premises in (lines[-1:], lines[-2:], lines) if lines else ([],):
            try:
                return self.show(relation, premises, uses)
            except Unproved as reason:
                last = reason
        raise last

    def from_chain(self, relation: Relation, exprs: Sequence[Expr], lines: Sequence[ShownLine],
                   signs: Sequence[str]) -> ShownLine | None:
        for i, left in enumerate(exprs):
            for j in range(len(exprs) - 1, i, -1):
                ends = (left, exprs[j])
                ops = signs[i:j]
                if ends == (relation.right, relation.left):
                    ends, mirrored = (relation.right, relation.left), True
                elif ends == (relation.left, relation.right):
                    mirrored = False
                else:
                    continue
                wanted = MIRROR[relation.op] if mirrored else relation.op
                op = composed(ops)  # type: ignore[arg-type]
                if op is None or not _gives(op, wanted):
                    return None
                if op != wanted or mirrored:
                    whole = Relation(ends[0], op, ends[1])
                    links, chain = lines[i:j], exprs[i:j + 1]
                    known = links[0] if j == i + 1 else self.from_links(whole, links, chain, ops)
                    return self.show(relation, (known,))
                if j == i + 1:
                    return self.show(relation, (lines[i],))
                return self.from_links(relation, lines[i:j], exprs[i:j + 1], ops)
        return None


def _gives(op: str, wanted: str) -> bool:
    return op == wanted or (op == "==" and wanted in ("<=", ">=")) or (op, wanted) in (("<", "<="), (">", ">="))


def _transitive(goal: Goal, chain: Sequence[Expr], ops: Sequence[str]) -> Step:
    """The claim of the goal, through the expressions from one of its sides to the other."""
    exprs, signs = list(chain), list(ops)
    if isinstance(goal.claim, Formal) and goal.claim.op in (">=", ">"):
        exprs.reverse()
        signs = [MIRROR[op] for op in reversed(signs)]  # type: ignore[index]
    return _onwards(goal.relation.op, exprs, signs)


def _onwards(op: str, exprs: Sequence[Expr], signs: Sequence[str]) -> Step:
    """Through the expressions one after the other; a strict sign is used where it stands."""
    if len(exprs) == 2:
        return Step("assumption")
    first_strict = op == "<" and signs[0] == "<"
    rest = "<=" if first_strict else op
    parameters: dict[str, object] = {"middle": term_of(exprs[1])}
    if first_strict:
        parameters["strict_first"] = True
    return Step("transitivity", parameters, (Step("assumption"), _onwards(rest, exprs[1:], signs[1:])))
