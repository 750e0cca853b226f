"""Blocks of a derivation: cases, inductions and expectations, each with lines of its own inside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from sympy import Add, Expr, Integer, Symbol

from symdp.arguments.formal.chain_prover import ChainProver
from symdp.arguments.formal.line_formulas import formula_of
from symdp.arguments.formal.line_proofs import ShownLine
from symdp.arguments.formal.plain_goals import Unproved, leaf, premises_of
from symdp.arguments.formal.sum_evaluation import OpenGoal
from symdp.formulas.relation import Relation
from symdp.formulas.translation import term_of
from symdp.kernel.goals import Formula, Goal
from symdp.kernel.goals import Relation as Formal
from symdp.kernel.proof import Step
from symdp.kernel.terms import number
from symdp.sources.derivations.expressions import DerivationError, insert_into
from symdp.sources.derivations.lines import Cases, Expect, Induction, Line, State, Use


@dataclass
class BlockProver(ChainProver, ABC):
    """A walk that also goes into the blocks of a derivation, each with a walk of its own."""

    @abstractmethod
    def run(self, steps: Sequence[Line]) -> None:
        """Go through the lines of a block."""

    def block(self, step: Line, printed: Relation, prove: Callable[[Goal], Step]) -> None:
        relation = self.expand_relation(printed)
        number = self.number

        def shown() -> ShownLine:
            self.defined(relation.needs)
            formula = formula_of(relation, self.fixed)
            earlier = tuple(k for k in self.known if isinstance(step, Cases))
            base = tuple(dict.fromkeys((*self.where, *(k.formula for k in earlier))))
            goal = self.ctx.goal.claiming(formula).under(base)
            done = prove(goal)
            self.number = number
            return self.cut(relation, formula, base, done, earlier)

        found = self.attempt(relation, shown)
        self.before = found
        self.known.append(found)
        self.label(step, found)

    def inner(self, goal: Goal, prefix: str, fixed: frozenset[Symbol] | None = None,
              where: tuple[Formula, ...] | None = None) -> Self:
        """A walk through a block that ends in the claim of this goal."""
        walk = type(self)(self.prover, goal, self.where if where is None else where, self.scope,
                    self.fixed if fixed is None else fixed, self.cited, self.words)
        walk.labels, walk.lemmas = dict(self.labels), self.lemmas
        walk.known = list(self.known)
        walk.prefix = f"{self.number}.{prefix}."
        walk.record = self.record
        return walk

    def finish(self, walk: Self, steps: Sequence[Line]) -> Step:
        """Run the steps of a block; its claim follows from the last of them, or by itself."""
        try:
            walk.run(steps)
            walk.close_chain()
        except (Unproved, DerivationError) as reason:
            raise Unproved(f"{walk.number}: {reason}") from reason
        walk.number = f"{walk.prefix}{len(steps) + 1}"
        shown = [k for k in walk.known if k not in self.known]
        try:
            if self.record is not None and walk.number in self.record.wrong:
                raise Unproved("it is wrong")
            step = self.ending(walk, shown)
        except Unproved as reason:
            if self.record is not None:
                self.record.fail(walk.number, reason)
            raise
        if walk.broken:
            raise Unproved(walk.broken)
        return step

    def ending(self, walk: Self, shown: Sequence[ShownLine]) -> Step:
        """The claim of a block by itself, from its last line, or from all of them."""
        goal, last = walk.ctx.goal, Unproved("nothing is shown")
        for found in shown:
            if found.formula == goal.claim:
                if not walk.broken:
                    # from the lines before it, like any other line
                    base = (*found.goal.hypotheses, *(p.formula for p in found.premises))
                    walk.kept(found.goal.under(tuple(dict.fromkeys(base))), found.step)
                return walk.ctx.closed(Step("assumption"))
        for lines in ([], shown[-1:], shown) if shown else ([],):
            kept = tuple(dict.fromkeys((*walk.where, *(k.formula for k in lines))))
            kept = tuple(h for h in kept if h in goal.hypotheses)
            try:
                inner = self.prover.prove(goal.under(kept))
            except Unproved as reason:
                last = reason
                continue
            walk.kept(goal.under(kept), inner)
            return walk.ctx.closed(Step("weaken", {"hypotheses": list(kept)}, (inner,)))
        raise last

    def cases(self, step: Cases, goal: Goal) -> Step:
        branches = [([self.expand_relation(r) for r in b.where], b.steps) for b in step.branches]
        failed: list[Unproved] = []

        def perhaps(prove: Callable[[], Step]) -> Step:
            """Where lines are taken one by one, those of the other branches are still to come."""
            try:
                return prove()
            except Unproved as reason:
                if self.record is None:
                    raise
                failed.append(reason)
                return Step("nothing")

        def branch(place: int, done: int, goal: Goal, own: tuple[Formula, ...], else_: tuple[Formula, ...]) -> Step:
            """``own`` are the conditions of this case so far; ``else_`` is why the cases before it fail."""
            conditions, steps = branches[place]
            if done == len(conditions):
                walk = self.inner(goal, f"{place + 1}", where=(*self.where, *own))
                return perhaps(lambda: self.finish(walk, steps))
            formula = formula_of(conditions[done], self.fixed)
            if not isinstance(formula, Formal):
                raise Unproved("a case distinction about every member of a family is none")
            if formula in (*self.where, *else_, *own):
                return branch(place, done + 1, goal, (*own, formula), else_)
            if place == len(branches) - 1:
                here = goal.claiming(formula)
                kept = tuple(h for h in (*self.where, *else_, *own) if h in here.hypotheses)
                proof = Step("weaken", {"hypotheses": list(kept)},
                             (perhaps(lambda: self.prover.prove(here.under(kept))),))
                rest = branch(place, done + 1, goal.claiming(goal.claim, formula), (*own, formula), else_)
                return Step("cut", {"fact": formula}, (proof, rest))
            made = []
            for open_goal in premises_of(goal, "cases", {"relation": formula}):
                (new,) = [h for h in open_goal.hypotheses if h not in goal.hypotheses] or [formula]
                if new == formula:
                    made.append(branch(place, done + 1, open_goal, (*own, formula), else_))
                elif (impossible := leaf(open_goal, "contradiction")) is not None:
                    made.append(impossible)
                else:
                    made.append(branch(place + 1, 0, open_goal, (), (*else_, *own, new)))
            return Step("cases", {"relation": formula}, tuple(made))

        made = branch(0, 0, goal, (), ())
        if failed:
            raise failed[0]
        return made

    def induction(self, step: Induction, goal: Goal) -> Step:
        k, first = step.variable, self.expand(step.first)
        if not isinstance(first, Integer):
            raise Unproved("an induction begins at an integer")
        relation = self.expand_relation(step.relation)
        parameters = {"variable": str(k.name), "first": int(first)}
        base, *missing, after = premises_of(goal, "induction", parameters)
        walk = self.inner(base, "base", where=base.hypotheses)
        walk.known = []
        failed: list[Unproved] = []
        begin = Step("nothing")
        try:
            begin = self.finish(walk, step.base)
        except Unproved as reason:
            if self.record is None:
                raise
            failed.append(reason)
        between = [self.prover.prove(g) for g in missing]
        walk = self.inner(after, "step", where=tuple(h for h in after.hypotheses if h != goal.claim))
        walk.known = []
        for h in after.hypotheses:
            if h == goal.claim:
                walk.labels["hypothesis"] = walk.given(relation, h)
        following = insert_into(relation, {k: k + 1})
        steps = step.step or (State(following, uses=(Use("hypothesis"),)),)
        going = self.finish(walk, steps)
        if failed:
            raise failed[0]
        return Step("induction", parameters, (begin, *between, going))

    def expect(self, step: Expect) -> None:
        """A relation that holds for every value holds on average: a combination with the masses."""
        self.close_chain()
        premise, law = self.before, step.distribution
        if premise is None:
            raise DerivationError("there is no line before it to take expectations of")
        v, zero = law.variable, Integer(0)
        everything = self.where
        mean = Relation(law.mean(premise.relation.left), premise.relation.op, law.mean(premise.relation.right))
        wanted = self.expand_relation(mean if step.relation is None else step.relation)

        def prove() -> ShownLine:
            self.where = tuple(h for h in everything if str(v.name) not in h.variables)
            self.defined(self.scope.needed_for(*(expr for atom in law.atoms for expr in atom)))
            atoms = [(self.expand(value), self.expand(mass)) for value, mass in law.atoms]
            shown = [self.show(Relation(mass, ">=", zero), ()) for _, mass in atoms]
            whole = self.show(Relation(Add(*(mass for _, mass in atoms)), "==", Integer(1)), ())
            for value, _ in atoms:
                here = insert_into(premise.relation, {v: value})
                shown.append(self.at_value(premise, here, {v: value}))
            found = self.averaged(self.expand_relation(mean), [(m, insert_into(premise.relation, {v: a}))
                                                               for a, m in atoms], [*shown, whole])
            return found if step.relation is None else self.show(wanted, (found,), step.uses)

        found = self.attempt(wanted, prove)
        self.where = everything
        self.before = found
        self.known.append(found)
        self.label(step, found)

    def at_value(self, known: ShownLine, relation: Relation, at: Mapping[Symbol, Expr]) -> ShownLine:
        formula = formula_of(relation, self.fixed)
        ctx = OpenGoal(self.prover, self.ctx.goal.claiming(formula).under(self.where), self.where)
        self.apply(ctx, known, at)
        return self.cut(relation, formula, self.where, ctx.closed(self.prover.prove(ctx.goal)), ())

    def averaged(self, mean: Relation, parts: Sequence[tuple[Expr, Relation]],
                 lines: Sequence[ShownLine]) -> ShownLine:
        formula = formula_of(mean, self.fixed)
        base = tuple(dict.fromkeys((*self.where, *(k.formula for k in lines))))
        goal = self.ctx.goal.claiming(formula).under(base)
        terms_ = [[number(1), [[term_of(mass), 1, ">="], [term_of(r.gap), 1, ">="]]] for mass, r in parts]
        try:
            premises = premises_of(goal, "combine", {"terms": terms_})
            step = Step("combine", {"terms": terms_}, tuple(self.prover.prove(p) for p in premises))
        except Unproved:
            step = self.prover.prove(goal)
        return self.cut(mean, formula, base, step, tuple(lines))
