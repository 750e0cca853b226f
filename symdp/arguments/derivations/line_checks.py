r"""Judging single lines: links of a chain, relations by themselves, and what they use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from sympy import Expr, Symbol

from symdp.arguments.derivations.chains import composed
from symdp.arguments.derivations.obligations import Reducer
from symdp.arguments.derivations.report import CheckedLine, Reduction
from symdp.arguments.derivations.slack import loss_of
from symdp.arguments.derivations.standing import Standing, worst
from symdp.arguments.sums.named_values import reduce_named
from symdp.arguments.sums.relations_of_sums import seem_equal
from symdp.formulas.relation import Op, Relation
from symdp.search.verdict import Status
from symdp.sources.derivations.expressions import (
    DerivationError,
    has_sums,
    insert_into,
    is_whole,
    relation_variables,
    show,
)
from symdp.sources.derivations.lines import Implies, Line, Link, Start, State, Use
from symdp.sources.derivations.scope import Fact, Scope

STANDING = {Status.PROVED: Standing.PROVED, Status.REFUTED: Standing.FALSE}


@dataclass
class Chain:
    """Expressions and the signs between them; ``numbers`` are the lines they stand on."""

    exprs: list[Expr]
    needs: list[tuple[Expr, ...]]
    numbers: list[str]
    ops: list[Op] = field(default_factory=list)
    #: the places of lines that turned out wrong
    wrong: set[int] = field(default_factory=set)

    def between(self, i: int, j: int) -> Relation | None:
        """What the signs say about the expressions at two places, if they compose."""
        op = composed(self.ops[i:j])
        if op is None or i == j:
            return None
        return Relation(self.exprs[i], op, self.exprs[j], (*self.needs[i], *self.needs[j]))

    def at(self, i: int) -> Relation:
        """What the sign after that place says."""
        return Relation(self.exprs[i], self.ops[i], self.exprs[i + 1], (*self.needs[i], *self.needs[i + 1]))

    def sound_before(self, i: int) -> int:
        """The last place before i that is not wrong."""
        return max((j for j in range(i) if j not in self.wrong), default=0)


@dataclass
class LineJudge:
    """Walks through steps; what is in force changes on the way."""

    reducer: Reducer
    scope: Scope
    sharpen: bool = False
    moved: Callable[[Line], None] = lambda step: None
    prefix: str = ""
    #: the line before, as a relation
    before: Relation | None = None
    chain: Chain | None = None
    #: relations that the lines so far show, not yet expanded
    known: list[Relation] = field(default_factory=list)
    number: str = ""
    #: what the steps of a block are to end in
    goal: Relation | None = None
    #: whether to say of a proved line what it gives away, and what it does not need; that takes searches of its own
    remarks: bool = True

    def run(self, steps: Sequence[Line]) -> tuple[CheckedLine, ...]:
        lines = []
        for i, step in enumerate(steps, start=1):
            self.number = f"{self.prefix}{i}"
            self.moved(step)
            lines.append(self.judge(step))
        return tuple(lines)

    def judge(self, step: Line) -> CheckedLine:
        raise NotImplementedError  # the kinds of steps are put together in `judging`

    def last_shown(self) -> Relation | None:
        """The last relation shown; for a chain that of its ends."""
        if self.chain is not None and self.chain.ops:
            return self.chain.between(0, len(self.chain.ops))
        return self.before

    # --- chains -------------------------------------------------------------------------------

    def start(self, step: Start) -> CheckedLine:
        self.close_chain()
        self.chain = Chain([step.expr], [step.needs], [self.number])
        self.before = None
        return CheckedLine(self.number, step, Standing.GIVEN)

    def close_chain(self) -> None:
        """What a chain shows stays known when the next one begins."""
        if self.chain is not None and (whole := self.chain.between(0, len(self.chain.ops))):
            self.known.append(whole)
        self.chain = None

    def link(self, step: Link) -> CheckedLine:
        chain = self.chain
        if chain is None:
            raise DerivationError(f"'{step.op} ...' continues a chain, but there is none; start one first")
        last = len(chain.exprs) - 1
        chain.exprs.append(step.expr)
        chain.needs.append(step.needs)
        chain.numbers.append(self.number)
        chain.ops.append(step.op)
        printed = self.before = chain.at(last)
        relation = self.scope.expand_relation(printed)
        checked = self.with_uses(step, printed, relation)
        self.scope = self.scope.knowing(step, printed)  # only now: no line may use itself
        if chain.between(0, last + 1) is None and (last == 0 or chain.between(0, last) is not None):
            note = f"the signs turn here: nothing is said of this line and line {chain.numbers[0]}"
            checked = replace(checked, notes=(*checked.notes, note))
        if checked.standing is Standing.PROVED:
            return self.appraised(checked)
        if last in chain.wrong:
            return self.past_the_wrong_line(chain, checked, last)
        if checked.standing is not Standing.FALSE:
            return checked
        chain.wrong.add(last + 1)
        start = chain.between(0, last + 1)
        if last == 0 or start is None:
            return checked
        outcome = self.reducer.reduce(self.scope.expand_relation(start), self.scope)
        if outcome.status is Status.PROVED:
            why = (f"true of line {chain.numbers[0]}, but it does not follow from line "
                   f"{chain.numbers[last]}: {checked.why}")
            return replace(checked, standing=Standing.GAP, why=why, outcome=checked.outcome)
        return checked

    def past_the_wrong_line(self, chain: Chain, checked: CheckedLine, last: int) -> CheckedLine:
        """A line right after a wrong one is judged against the last line that is not wrong."""
        sound = chain.sound_before(last)
        relation = chain.between(sound, last + 1)
        here, wrong = chain.numbers[sound], chain.numbers[last]
        if relation is None:
            why = f"line {wrong}, before it, is wrong, and the signs do not lead here from line {here}"
            return replace(checked, standing=Standing.UNDECIDED, why=why)
        again = self.with_uses(checked.step, relation, self.scope.expand_relation(relation))
        if again.standing is Standing.FALSE:
            chain.wrong.add(last + 1)
            return again
        if again.standing is Standing.PROVED:
            note = f"compared with line {here}, since line {wrong} is wrong"
            return replace(again, notes=(*again.notes, note))
        why = f"line {wrong}, before it, is wrong, and no proof was found from line {here}"
        return replace(again, why=why)

    def appraised(self, checked: CheckedLine) -> CheckedLine:
        """What a proved inequality gives away."""
        relation = checked.relation
        if not self.remarks or relation is None or relation.op not in ("<=", ">=", "<", ">"):
            return checked
        sums = has_sums(relation.left, relation.right)
        if relation.op in ("<=", ">=") and not (sums and not seem_equal(relation, self.scope)):
            same = Relation(relation.left, "==", relation.right)
            if self.reducer.hurried(1.0).reduce(same, self.scope, refute=False).status is Status.PROVED:
                return replace(checked, notes=(*checked.notes, "it is an equality"))
        if sums:
            return checked
        domain = self.scope.domain(relation_variables(relation))
        loss = loss_of(relation, domain, sharpen=self.sharpen, budget=self.reducer.budget)
        return replace(checked, loss=loss)

    # --- relations ----------------------------------------------------------------------------

    def state(self, step: State) -> CheckedLine:
        return self.stated(step, step.relation, ())

    def implies(self, step: Implies) -> CheckedLine:
        if self.before is None and self.chain is None:
            raise DerivationError("there is no line before it that could imply anything")
        premise = self.last_shown()
        if premise is None:
            raise DerivationError("the chain before it says nothing about its ends, so implies nothing")
        checked = self.stated(step, step.relation, (self.scope.expand_relation(premise),))
        if not step.both_ways:
            return checked
        # On the way back, the premise is not assumed, even where it was supposed.
        goal = self.scope.expand_relation(premise)
        free = replace(self.scope, where=tuple(r for r in self.scope.where if r != goal))
        back = self.reducer.reduce(goal, free, (self.scope.expand_relation(step.relation),),
                                   "the way back")
        outcome = checked.outcome + back
        standing = worst((checked.standing, STANDING.get(back.status, Standing.UNDECIDED)))
        why = checked.why if back.status is Status.PROVED else f"the way back: {back.method}"
        return replace(checked, outcome=outcome, standing=standing, why=why)

    def stated(self, step: Line, printed: Relation, premises: tuple[Relation, ...]) -> CheckedLine:
        self.close_chain()
        if step.needs:
            printed = replace(printed, needs=(*printed.needs, *step.needs))
        relation = self.scope.expand_relation(printed)
        checked = self.with_uses(step, printed, relation, premises)
        self.before = printed
        self.known.append(printed)
        self.scope = self.scope.knowing(step, printed)
        return checked

    def with_uses(
        self, step: Line, printed: Relation, relation: Relation, premises: tuple[Relation, ...] = ()
    ) -> CheckedLine:
        """The relation, printed with names, from the premises and from what the step uses."""
        applicable, found = self.premises_of(step.uses)
        if (applicable.obligations or applicable.stuck) and applicable.status is not Status.PROVED:
            alone = self.reducer.reduce(relation, self.scope, premises, universal=premises)
            if alone.status is Status.REFUTED:
                return self.verdict(step, relation, alone)
            why = f"what it uses does not apply: {applicable.method}"
            misapplied = applicable.status is Status.REFUTED and alone.status is Status.PROVED
            standing = Standing.GAP if misapplied else Standing.UNDECIDED
            if misapplied:
                why = f"true, but {why}"
            return CheckedLine(self.number, step, standing, relation, applicable + alone, why)
        known = (*premises, *found)
        outcome = applicable + self.reducer.reduce(relation, self.scope, known, universal=known)
        if outcome.status is Status.UNDECIDED:
            named = reduce_named(self.reducer, printed, self.scope, (*premises, *found))
            if named is not None:
                return self.verdict(step, relation, applicable + named + self.defined(*relation.needs))
        notes: tuple[str, ...] = ()
        # With sums, the search for another proof takes longer than its news is worth.
        if self.remarks and outcome.status is Status.PROVED and (premises or found) and not has_sums(
                relation.left, relation.right):
            free = tuple(r for r in self.scope.where if r not in (*premises, *found))
            without = replace(self.scope, where=free)
            alone = self.reducer.hurried(1.0).reduce(relation, without, refute=False)
            if alone.status is Status.PROVED:
                notes = ("it holds by itself; what it is derived from is not needed",)
        return replace(self.verdict(step, relation, outcome), notes=notes)

    def verdict(self, step: Line, relation: Relation, outcome: Reduction) -> CheckedLine:
        standing = STANDING.get(outcome.status, Standing.UNDECIDED)
        return CheckedLine(self.number, step, standing, relation, outcome, outcome.method)

    def premises_of(self, uses: Iterable[Use]) -> tuple[Reduction, tuple[Relation, ...]]:
        """What the used lines and lemmas say here, and the obligations that they apply."""
        applicable = Reduction(())
        found: list[Relation] = []
        for used in uses:
            fact = self.scope.facts.get(used.label)
            if fact is None:
                known = ", ".join(self.scope.facts) or "nothing yet"
                raise DerivationError(f"there is no line or lemma {used.label!r}; known: {known}")
            at = {v: self.scope.expand(e) for v, e in used.at.items()}
            own = relation_variables(fact.relation).union(*(relation_variables(r) for r in fact.where))
            for v in sorted(set(at) - own, key=str):
                raise DerivationError(f"{used.label} has no variable {v}")
            for v in sorted(set(at) & fact.fixed, key=str):
                raise DerivationError(f"{used.label} is known for this {v} alone, not for "
                                      f"{show(at[v])} in its place")
            if fact.is_lemma and (left := own - set(at)):
                # A lemma's variable that is not given a value is the variable of that name here.
                at |= {v: self.scope.expand(v) for v in left}
            applicable += self.applicable(fact, at, used.label, tuple(found)) + self.defined(*used.at.values())
            found.append(self.scope.expand_relation(insert_into(fact.relation, at)))
        return applicable, tuple(found)

    def applicable(
        self, fact: Fact, at: dict[Symbol, Expr], label: str, known: tuple[Relation, ...]
    ) -> Reduction:
        """The conditions of a fact at these values, where they are not simply in force.

        What was named before it among the uses of the same line is known, and may be what they need.
        """
        in_force = {self.scope.expand_relation(r) for r in self.scope.where}
        outcome, role = Reduction(()), f"{label} applies"
        for condition in fact.where:
            here = self.scope.expand_relation(insert_into(condition, at))
            if here in in_force:
                continue
            alone = None
            if known and here not in known:
                alone = self.reducer.hurried(2.0).reduce(here, self.scope, role=role, refute=False)
            if alone is None or alone.status is not Status.PROVED:
                alone = self.reducer.reduce(here, self.scope, known, role)
            outcome += alone
        for v in fact.integers & at.keys():
            if not self.is_whole(at[v]):
                outcome += Reduction((), stuck=f"it was not seen that {v} = {show(at[v])} is an integer")
        return outcome

    def defined(self, *values: Expr, scope: Scope | None = None) -> Reduction:
        """That expressions, with what their names stand for, have a value wherever the assumptions hold."""
        outcome, here = Reduction(()), scope or self.scope
        for part in here.needed_for(*values):
            outcome += self.reducer.reduce(Relation(part, "==", part), here, role="the value is defined")
        return outcome

    def is_whole(self, expr: Expr) -> bool:
        return is_whole(expr, self.scope.integers)
