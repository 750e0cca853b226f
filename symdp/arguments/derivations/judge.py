r"""The judge goes through the steps of a derivation, one method for each kind of step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sympy import Expr, Integer, Symbol

from symdp.arguments.derivations.chains import composed, sign_implies
from symdp.arguments.derivations.line_checks import STANDING, LineJudge
from symdp.arguments.derivations.report import CheckedLine, Reduction
from symdp.arguments.derivations.standing import Standing, worst
from symdp.formulas.relation import MIRROR, Op, Relation
from symdp.search.verdict import Status
from symdp.sources.derivations.expressions import (
    DerivationError,
    insert_into,
    relation_variables,
    show,
    variables_of,
)
from symdp.sources.derivations.lines import (
    Cases,
    Cite,
    Conclude,
    Expect,
    Implies,
    Induction,
    Lemma,
    Let,
    Line,
    Link,
    Start,
    State,
    Suppose,
    Use,
    With,
)
from symdp.sources.derivations.scope import Fact, Scope

NEGATION: dict[Op, tuple[Op, ...]] = {
    "<=": (">",), "<": (">=",), ">=": ("<",), ">": ("<=",), "==": ("<", ">"),
}


@dataclass
class Judge(LineJudge):
    """Every kind of step."""

    def judge(self, step: Line) -> CheckedLine:
        judges: dict[type[Line], Callable[..., CheckedLine]] = {
            Start: self.start, Link: self.link, State: self.state, Implies: self.implies,
            Let: self.let, With: self.choose, Suppose: self.suppose, Lemma: self.lemma,
            Cite: self.cite, Cases: self.cases, Induction: self.induction, Expect: self.expect,
            Conclude: self.conclude,
        }
        try:
            return judges[type(step)](step)
        except DerivationError as reason:
            place = f"line {step.line}" if step.line else f"step {self.number}"
            if reason.place:  # of a line within this one
                raise
            raise DerivationError(reason, place) from reason

    # --- names, assumptions, lemmas -----------------------------------------------------------

    def let(self, step: Let) -> CheckedLine:
        self.new_name(step.name)
        if step.name in variables_of(step.expr):
            raise DerivationError(f"{step.name} is defined by itself")
        self.scope = self.scope.named(step.name, step.expr)
        return CheckedLine(self.number, step, Standing.GIVEN)

    def is_sought(self, name: Symbol) -> bool:
        """Whether a variable occurs in what a block is to show, for all of its values."""
        return self.goal is not None and name in relation_variables(self.goal)

    def new_name(self, name: Symbol) -> None:
        used = frozenset().union(*(relation_variables(r) for r in (*self.scope.where, *self.known)))
        if self.chain is not None:
            used |= variables_of(*self.chain.exprs)
        if self.is_sought(name):
            raise DerivationError(f"{name} occurs in what is to be shown here; take another name")
        if name in self.scope.meaning:
            raise DerivationError(f"{name} already stands for {show(self.scope.meaning[name])}")
        for other, meaning in self.scope.meaning.items():
            if name in variables_of(meaning):
                raise DerivationError(f"{name} occurs in the definition of {other}, which would change with it; "
                                      f"define {name} before {other}, or take another name")
        if name in used:
            raise DerivationError(f"{name} is a variable already; to give it a value, write "
                                  f"'with {name} = ...'")

    def choose(self, step: With) -> CheckedLine:
        """Whatever was shown for all values of the variable holds for this one, if it is allowed."""
        if step.name in self.scope.meaning:
            raise DerivationError(f"{step.name} already stands for {show(self.scope.meaning[step.name])}")
        if self.is_sought(step.name) or step.name in self.scope.fixed:
            raise DerivationError(f"what is to be shown here is about every {step.name}, not one value")
        value = self.scope.expand(step.expr)
        if step.name in variables_of(value):
            raise DerivationError(f"the value of {step.name} contains {step.name}")
        about = [r for r in self.scope.where if step.name in relation_variables(r)]
        rest = replace(self.scope, where=tuple(r for r in self.scope.where if r not in about))
        outcome = self.defined(step.expr, scope=rest)
        for condition in about:
            here = self.scope.expand_relation(insert_into(condition, {step.name: value}))
            outcome += self.reducer.reduce(here, rest, role=f"{step.name} may have that value")
        if step.name in self.scope.integers and not self.is_whole(value):
            outcome += Reduction((), stuck=f"it was not seen that {show(value)} is an integer")
        # The conditions on the variable stay, as facts about its value.
        kept = tuple(insert_into(r, {step.name: value}) for r in self.scope.where)
        assumed = {**self.scope.assumed, step.name: tuple(about)}
        self.scope = replace(self.scope, where=kept, assumed=assumed).named(step.name, value)
        if not outcome.obligations and not outcome.stuck:
            return CheckedLine(self.number, step, Standing.GIVEN)
        standing = STANDING.get(outcome.status, Standing.UNDECIDED)
        return CheckedLine(self.number, step, standing, None, outcome, outcome.method)

    def suppose(self, step: Suppose) -> CheckedLine:
        if self.goal is not None:
            raise DerivationError("an assumption inside of a block is nowhere redeemed; make it a "
                                  "condition of a case, or assume it before the block")
        self.scope = self.scope.supposing(self.scope.expand_relation(r) for r in step.relations)
        self.scope.refuse_empty()
        self.close_chain()
        self.before = step.relations[-1] if len(step.relations) == 1 else None
        return CheckedLine(self.number, step, Standing.GIVEN)

    def lemma(self, step: Lemma) -> CheckedLine:
        if not step.label:
            raise DerivationError("a lemma needs a label under which it can be used")
        if step.label in self.scope.facts:
            raise DerivationError(f"there are two lines called {step.label!r}")
        fact = Fact(step.relation, step.where, step.integers, is_lemma=True)
        self.scope = self.scope.with_fact(step.label, fact)
        if step.reference:
            return CheckedLine(self.number, step, Standing.CITED, step.relation, why=step.reference)
        relation = replace(step.relation, needs=(*step.relation.needs, *step.needs))
        own = Scope(step.where, step.integers)
        own.refuse_empty("the conditions of the lemma")  # of which it would hold whatever it says
        return self.verdict(step, relation, self.reducer.reduce(relation, own, role="the lemma"))

    def cite(self, step: Cite) -> CheckedLine:
        if step.relation is not None:
            self.close_chain()
            self.before = step.relation
            self.known.append(step.relation)
            self.scope = self.scope.knowing(step, step.relation)
        return CheckedLine(self.number, step, Standing.CITED, step.relation, why=step.reference)

    # --- structure ----------------------------------------------------------------------------

    def cases(self, step: Cases) -> CheckedLine:
        self.close_chain()
        covered = self.covered(step)
        lines: list[CheckedLine] = []
        for i, branch in enumerate(step.branches, start=1):
            under = self.scope.supposing(self.scope.expand_relation(r) for r in branch.where)
            lines += self.block(f"{self.number}.{i}.", under, branch.steps, step.relation)
        return self.block_checked(step, step.relation, covered, lines)

    def covered(self, step: Cases) -> Reduction:
        """Where all cases but the last fail, the last one holds."""
        if len(step.branches) < 2:
            raise DerivationError("a case distinction has at least two cases")
        conditions = [self.scope.expand_relation(r) for b in step.branches for r in b.where]
        # Where a condition means nothing, neither it nor its negation holds.
        outcome = self.defined(*(part for r in conditions for part in (r.left, r.right, *r.needs)))
        *others, last = [tuple(self.scope.expand_relation(r) for r in b.where) for b in step.branches]
        for failing in _all_failing(others):
            for condition in last:
                outcome += self.reducer.reduce(condition, self.scope, failing,
                                               "the cases cover everything")
        return outcome

    def block(
        self, prefix: str, scope: Scope, steps: Sequence[Line], goal: Relation,
        known: Sequence[Relation] | None = None,
    ) -> tuple[CheckedLine, ...]:
        """Steps of their own, which must end in the goal."""
        inner = Judge(self.reducer, scope, self.sharpen, self.moved, prefix,
                      known=list(self.known if known is None else known),
                      goal=scope.expand_relation(goal), remarks=self.remarks)
        body = tuple(steps)
        if not (body and isinstance(body[-1], Conclude) and body[-1].relation == goal):
            shows = any(not isinstance(s, Let | With | Lemma | Start) for s in body)
            body = (*body, Conclude(goal) if shows else State(goal))
        return inner.run(body)

    def block_checked(
        self, step: Line, printed: Relation, own: Reduction, lines: Sequence[CheckedLine]
    ) -> CheckedLine:
        self.before = printed
        self.known.append(printed)
        self.scope = self.scope.knowing(step, printed)
        inner = worst(line.standing for block in lines for line in block.walk())
        mine = STANDING.get(own.status, Standing.UNDECIDED) if own.obligations or own.stuck \
            else Standing.PROVED
        # A wrong line inside is blamed itself; the block is then merely not proved.
        if inner in (Standing.FALSE, Standing.GAP):
            inner = Standing.UNDECIDED
        why = own.method if mine is not Standing.PROVED else ""
        return CheckedLine(self.number, step, worst((mine, inner)), self.scope.expand_relation(printed),
                       own, why, lines=tuple(lines))

    def induction(self, step: Induction) -> CheckedLine:
        """The claim at the first integer; and from each integer to the next.

        The assumptions may speak of the variable. Then the step is made at the points that satisfy
        them for the next integer, and they must hold there for this one, too.
        """
        self.close_chain()
        k, first = step.variable, self.scope.expand(step.first)
        if k in self.scope.meaning:
            raise DerivationError(f"{k} stands for {show(self.scope.meaning[k])}")
        if k not in self.scope.integers:
            raise DerivationError(f"induction over {k}: say that it is an integer")
        if not isinstance(first, Integer):
            raise DerivationError(f"induction starts at an integer, not at {show(first)}")
        claim = self.scope.expand_relation(step.relation)
        about = tuple(r for r in self.scope.where if k in relation_variables(r))
        rest = tuple(r for r in self.scope.where if r not in about)
        own = self.reducer.reduce(Relation(k, ">=", first), self.scope, role="the induction reaches it")
        at_first = tuple(insert_into(r, {k: first}) for r in about)
        base_scope = replace(self.scope, where=(*rest, *(r for r in at_first if _speaks(r))))
        begun = insert_into(claim, {k: first})
        from_first = Relation(k, ">=", first)
        at_next = tuple(insert_into(r, {k: k + 1}) for r in about)
        step_scope = replace(self.scope, where=(*rest, from_first, *(_tidied(r) for r in at_next)))
        for condition in about:
            if condition != from_first:
                own += self.reducer.reduce(condition, step_scope,
                                           role="the hypothesis may be used for the integer before")
        # From here to the end of the step, k is one integer: a line may not be used at the next.
        hypothesis = Fact(claim, step_scope.where, step_scope.integers, fixed=frozenset([k]))
        step_scope = replace(step_scope, fixed=step_scope.fixed | {k}).with_fact("hypothesis", hypothesis)
        goal = insert_into(claim, {k: k + 1})
        earlier = [insert_into(self.scope.expand_relation(r), {k: first}) for r in self.known]
        lines = [*self.block(f"{self.number}.base.", base_scope, step.base, begun, earlier)]
        body = step.step or (State(goal, uses=(Use("hypothesis"),)),)
        if not step.step:
            inner = Judge(self.reducer, step_scope, self.sharpen, self.moved, f"{self.number}.step.",
                          remarks=self.remarks)
            lines += inner.run(body)
        else:
            lines += self.block(f"{self.number}.step.", step_scope, body, goal)
        return self.block_checked(step, step.relation, own, lines)

    def expect(self, step: Expect) -> CheckedLine:
        """A relation that holds for every value holds on average."""
        premise, law = self.last_shown(), step.distribution
        if premise is None:
            raise DerivationError("there is no line before it to take expectations of")
        self.close_chain()
        scope, v = self.scope, law.variable
        # The atoms and the means are looked at without what is assumed of the variable; what was shown
        # of the variable is known where that is assumed, so it comes back into force afterwards.
        if v in scope.meaning:
            raise DerivationError(f"{v} already stands for {show(scope.meaning[v])}")
        if v in scope.fixed:
            raise DerivationError(f"the hypothesis is known for this {v} alone, not for several")
        about = tuple(r for r in scope.where if v in relation_variables(r))
        self.scope = replace(scope, where=tuple(r for r in scope.where if r not in about))
        own = Reduction(())
        total: Expr = Integer(0)
        own += self.defined(*(expr for atom in law.atoms for expr in atom))
        for value, mass in ((scope.expand(a), scope.expand(m)) for a, m in law.atoms):
            if v in variables_of(value, mass):
                raise DerivationError(f"an atom of {v} contains {v}")
            own += self.reducer.reduce(Relation(mass, ">=", Integer(0)), self.scope, role="a mass")
            for condition in about:
                own += self.reducer.reduce(insert_into(condition, {v: value}), self.scope,
                                           role=f"an atom lies where {v} lives")
            total += mass
        own += self.reducer.reduce(Relation(total, "==", Integer(1)), self.scope, role="the masses add up")
        expanded = scope.expand_relation(premise)
        left, right = (scope.expand(law.mean(side)) for side in (expanded.left, expanded.right))
        mean = Relation(left, expanded.op, right)
        printed = mean if step.relation is None else step.relation
        relation = scope.expand_relation(printed)
        outcome = own + self.defined(*relation.needs)
        if relation != mean:
            outcome += self.reducer.reduce(relation, self.scope, (mean,))
        self.before = printed
        self.known.append(printed)
        self.scope = scope.knowing(step, printed)
        return self.verdict(step, relation, outcome)

    # --- conclusions --------------------------------------------------------------------------

    def conclude(self, step: Conclude) -> CheckedLine:
        printed, relation = step.relation, self.scope.expand_relation(step.relation)
        if step.needs:
            relation = replace(relation, needs=(*relation.needs, *step.needs))
        ends = self.ends(relation)
        shown = [self.scope.expand_relation(r) for r in (*self.known, *self.current())]
        self.close_chain()
        self.before = printed
        self.known.append(printed)
        self.scope = self.scope.knowing(step, printed)
        if ends is not None and not step.uses:
            return self.from_chain(step, relation, ends)
        if not shown and not step.uses:
            raise DerivationError("there is nothing from which this could be concluded")
        return self.with_uses(step, printed, relation, tuple(dict.fromkeys(shown)))

    def current(self) -> list[Relation]:
        """What the chain shows: its start against every line, since the best may not be the last."""
        if self.chain is None:
            return []
        found = [self.chain.between(0, j) for j in range(1, len(self.chain.exprs))]
        return [r for r in found[-1:] if r is not None]

    def ends(self, relation: Relation) -> list[Op] | None:
        """The signs between its two sides, if both are lines of the chain."""
        if self.chain is None or not self.chain.ops:
            return None
        exprs = [self.scope.expand(e) for e in self.chain.exprs]
        for i, left in enumerate(exprs):
            for j in range(len(exprs) - 1, i, -1):
                if left == relation.left and exprs[j] == relation.right:
                    return self.chain.ops[i:j]
                if left == relation.right and exprs[j] == relation.left:
                    return [MIRROR[op] for op in self.chain.ops[i:j]]
        return None

    def from_chain(self, step: Conclude, relation: Relation, ops: list[Op]) -> CheckedLine:
        """By transitivity, which the kernel sees with a variable in the place of each line."""
        op = composed(ops)
        if op is not None and sign_implies(op, relation.op):
            names = [Symbol(f"line_{i}") for i in range(len(ops) + 1)]
            links = [Relation(a, o, b) for a, o, b in zip(names, ops, names[1:], strict=False)]
            goal = Relation(names[0], relation.op, names[-1])
            outcome = self.reducer.reduce(goal, Scope(()), links, "transitivity")
            return self.verdict(step, relation, outcome)
        alone = self.reducer.reduce(relation, self.scope)
        says = "nothing" if op is None else f"only {op}"
        if alone.status is Status.PROVED:
            why = f"true, but the chain says {says} about these two"
            return CheckedLine(self.number, step, Standing.GAP, relation, alone, why)
        why = f"the chain says {says} about these two; {alone.method}"
        standing = STANDING.get(alone.status, Standing.UNDECIDED)
        return CheckedLine(self.number, step, standing, relation, alone, why)


def _speaks(relation: Relation) -> bool:
    """Whether a condition still has variables; without them it is true or its block is vacuous."""
    return bool(relation_variables(relation))


def _tidied(relation: Relation) -> Relation:
    """k + 1 >= 3 as k >= 2, so that it bounds an interval."""
    left, right = relation.left, relation.right
    if left.is_Add and not right.free_symbols and left.args[0].is_Rational and len(left.args) == 2:
        return Relation(left.args[1], relation.op, right - left.args[0], relation.needs)
    return relation


def _all_failing(cases: Sequence[tuple[Relation, ...]]) -> list[tuple[Relation, ...]]:
    """The ways in which all of the cases can fail: in each of them, one condition does."""
    ways: list[tuple[Relation, ...]] = [()]
    for case in cases:
        failing = [Relation(r.left, op, r.right) for r in case for op in NEGATION[r.op]]
        ways = [(*way, negation) for way in ways for negation in failing]
    return ways
