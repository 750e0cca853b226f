"""How one line of a derivation is shown: cut into the proof, from what is in force and what the line uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sympy import Expr, Indexed, Symbol

from symdp.arguments.formal.line_formulas import formula_of, free_indices
from symdp.arguments.formal.line_proofs import FAILURES, LineProofs, ShownLine
from symdp.arguments.formal.plain_goals import Unproved, premises_of
from symdp.arguments.formal.sum_evaluation import OpenGoal
from symdp.arguments.formal.sums import Prover
from symdp.formulas.relation import Relation
from symdp.formulas.translation import NotATerm, term_of
from symdp.kernel.goals import INTEGER, REAL, Formula, Goal, IllFormed
from symdp.kernel.goals import Relation as Formal
from symdp.kernel.proof import Parameters, Rejected, Step
from symdp.kernel.terms import ZERO, bound, fresh, member
from symdp.search.elaboration.derived_rules import followed, verify
from symdp.search.elaboration.reused_proofs import step_from
from symdp.sources.derivations.expressions import (
    DerivationError,
    insert,
    insert_into,
    relation_variables,
    variables_of,
)
from symdp.sources.derivations.lines import Lemma, Line, Use
from symdp.sources.derivations.scope import Scope

#: Claimed while nothing else is.
NOTHING = Formal(ZERO, "<=", ZERO)


@dataclass
class LineProver:
    """The state of a walk through a derivation, and the ways to show one relation in it."""


    prover: Prover
    first: Goal
    where: tuple[Formula, ...]
    scope: Scope
    fixed: frozenset[Symbol]
    cited: list[Formula] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    lemmas: list[Lemma] = field(default_factory=list)
    known: list[ShownLine] = field(default_factory=list)
    labels: dict[str, ShownLine | Lemma] = field(default_factory=dict)
    chain: list[Expr] = field(default_factory=list)
    links: list[ShownLine] = field(default_factory=list)
    ops: list[str] = field(default_factory=list)
    #: what cancels in the last expression of the chain
    cancelled: tuple[Expr, ...] = ()
    before: ShownLine | None = None
    number: str = ""
    kind: str = ""
    prefix: str = ""
    #: where the proofs of single lines go
    record: LineProofs | None = None
    #: why the first line without a proof has none
    broken: str = ""
    ctx: OpenGoal = field(init=False)

    def __post_init__(self) -> None:
        self.ctx = OpenGoal(self.prover, self.first, self.where)

    @property
    def place(self) -> str:
        return f"{self.number} {self.kind}".strip()

    def attempt(self, relation: Relation, prove: Callable[[], ShownLine]) -> ShownLine:
        """What ``prove`` shows. Where lines are taken one by one, a line without a proof is assumed by others."""
        record, number = self.record, self.number
        if record is None:
            return prove()
        where = self.where
        try:
            if number in record.wrong:
                raise Unproved("it is wrong")
            return prove()
        except FAILURES as reason:
            self.where, self.number = where, number
            why = f"{self.place}: {reason}"
            if not number:  # the ends of a chain
                return self.assumed(relation, why)
            record.proofs.pop(number, None)
            other = record.compared.get(number)
            if other is None or other == relation or number in record.wrong:
                record.fail(number, reason)
                return self.assumed(relation, why)
            try:
                self.show(other, ())
            except FAILURES:
                record.fail(number, reason)
            return self.assumed(relation, why)

    def assumed(self, relation: Relation, reason: str) -> ShownLine:
        """A line without a proof, as a premise of others; the whole then has none."""
        self.broken = self.broken or " ".join(reason.split())
        try:
            formula = formula_of(relation, self.fixed)
            goal = self.ctx.goal.claiming(formula)
        except (NotATerm, IllFormed):
            formula, goal = NOTHING, self.ctx.goal.claiming(NOTHING)
        self.ctx.goal = self.ctx.goal.claiming(self.ctx.goal.claim, formula)
        return ShownLine(formula, relation, goal.under(self.where), Step("nothing"))

    def kept(self, goal: Goal, step: Step) -> None:
        """Verify what was found for the line at hand, and keep it."""
        if self.record is not None and self.number:
            known = self.record.proofs.setdefault(self.number, [])
            if all(proof.goal != goal for proof in known):
                known.append(verify(goal, step))

    def given(self, relation: Relation, formula: Formula) -> ShownLine:
        """What is assumed or cited: a hypothesis of the goal."""
        goal = self.ctx.goal.claiming(formula)
        return ShownLine(formula, relation, goal, Step("assumption"))

    def expand(self, expr: Expr) -> Expr:
        return self.scope.expand(expr)

    def expand_relation(self, relation: Relation) -> Relation:
        return self.scope.expand_relation(relation)

    def label(self, step: Line, known: ShownLine) -> None:
        if step.label:
            self.labels[step.label] = known

    def alone(self, formula: Formula, base: tuple[Formula, ...]) -> None:
        """A proof for the record, from these hypotheses alone."""
        goal = self.ctx.goal.claiming(formula).under(base)
        self.kept(goal, self.prover.prove(goal))

    def show(self, relation: Relation, premises: Sequence[ShownLine], uses: Sequence[Use] = ()) -> ShownLine:
        """Cut a relation in, from what is in force, the premises, and what the line uses.

        First, what SymPy has cancelled in it is shown to have a value.
        """
        self.defined((*relation.needs, *self.scope.needed_for(*(e for use in uses for e in use.at.values()))))
        formula = formula_of(relation, self.fixed)
        used = [self.used(u) for u in uses]
        lines = list(dict.fromkeys((*premises, *(k for k, at in used if isinstance(k, ShownLine) and not at))))
        cited = [self.cited_instance(k, at) for k, at in used if isinstance(k, Lemma) and k.reference]
        if self.record is not None:  # what is cited says something only where its conditions hold
            for k, at in used:
                if isinstance(k, Lemma) and k.reference:
                    for r in k.where:
                        self.alone(formula_of(self.expand_relation(insert_into(r, at)), self.fixed), self.where)
        base = tuple(dict.fromkeys((*self.where, *(k.formula for k in lines), *cited)))
        goal = self.ctx.goal.claiming(formula).under(base)
        ctx = OpenGoal(self.prover, goal, base)
        here = variables_of(relation.left, relation.right) | self.fixed
        for known, at in used:
            if isinstance(known, Lemma) and known.reference:
                continue
            if loose := self.said_of(known, at) - here:
                self.apply_to_each(ctx, known, at, loose)
            elif isinstance(known, Lemma) or at:
                self.apply(ctx, known, at)
        # A premise may itself be what the line says, in other words.
        step = ctx.closed(self.found(ctx.goal))
        return self.cut(relation, formula, base, step, tuple(lines))

    def defined(self, parts: Iterable[Expr]) -> None:
        """That these have a value."""
        for part in parts:
            self.show(Relation(part, "==", part), ())

    def found(self, goal: Goal) -> Step:
        """A step for a goal: from what the judge has proved of this line, or by a search of its own."""
        known = self.record.settled.get(self.number, ()) if self.record is not None else ()
        for proof in known:
            if isinstance(goal.claim, Formal) and isinstance(proof.goal.claim, Formal) \
                    and proof.goal.claim.normal == goal.claim.normal:
                try:
                    step = step_from(goal, proof, 1.0)
                    followed(goal, step)
                    return step
                except (Rejected, IllFormed):
                    continue
        return self.prover.prove(goal)

    def cut(self, relation: Relation, formula: Formula, base: tuple[Formula, ...], step: Step,
            premises: tuple[ShownLine, ...]) -> ShownLine:
        goal = self.ctx.goal.claiming(formula)
        self.kept(goal.under(base), step)
        step = Step("weaken", {"hypotheses": list(base)}, (step,))
        found = ShownLine(formula, relation, goal.under(self.where), step, premises)
        self.ctx.frames.append(("cut", {"fact": formula}, (step,)))
        self.ctx.goal = self.ctx.goal.claiming(self.ctx.goal.claim, formula)
        return found

    def used(self, use: Use) -> tuple[ShownLine | Lemma, dict[Symbol, Expr]]:
        known = self.labels.get(use.label)
        if known is None:
            raise DerivationError(f"there is no line or lemma {use.label!r}")
        at = {v: self.expand(e) for v, e in use.at.items()}
        return known, {v: e for v, e in at.items() if e != v or isinstance(known, Lemma)}

    def cited_instance(self, lemma: Lemma, at: Mapping[Symbol, Expr]) -> Formula:
        """What a cited lemma says here; it is a hypothesis of the goal."""
        formula = formula_of(self.expand_relation(insert_into(lemma.relation, at)), self.fixed)
        if formula not in self.ctx.goal.hypotheses:
            raise Unproved(f"what {lemma.label} says here is no hypothesis")
        return formula

    def said_of(self, known: ShownLine | Lemma, at: Mapping[Symbol, Expr]) -> frozenset[Symbol]:
        """The variables of what a lemma or line says at these values, without the indices of its own."""
        relation = self.expand_relation(insert_into(known.relation, at))
        own = free_indices(known.relation.left) | free_indices(known.relation.right)
        return variables_of(relation.left, relation.right) - (own - variables_of(*at.values()))

    def apply_to_each(self, ctx: OpenGoal, known: ShownLine | Lemma, at: Mapping[Symbol, Expr],
                      loose: frozenset[Symbol]) -> None:
        """What is used with a variable that the line does not have is used of every integer in its place."""
        relation = self.expand_relation(insert_into(known.relation, at))
        formula = formula_of(relation, self.fixed, loose)
        goal, frames, names = ctx.goal.claiming(formula), [], {}
        for v in sorted(loose, key=str):
            name = fresh_index(goal)
            frames.append({"name": name})
            (goal,) = premises_of(goal, "each", {"name": name})
            names[v] = Symbol(name)
        inner = OpenGoal(self.prover, goal, goal.hypotheses)
        values = {v: insert(e, names) for v, e in at.items()}
        own = variables_of(known.relation.left, known.relation.right)
        values |= {v: u for v, u in names.items() if v in own and v not in values}
        self.apply(inner, known, values)
        step = inner.closed(self.prover.prove(inner.goal))
        for parameters in reversed(frames):
            step = Step("each", parameters, (step,))
        ctx.frames.append(("cut", {"fact": formula}, (step,)))
        ctx.goal = ctx.goal.claiming(ctx.goal.claim, formula)

    def apply(self, ctx: OpenGoal, known: ShownLine | Lemma, at: Mapping[Symbol, Expr]) -> None:
        """A lemma, or an earlier line at other values, shown aside and used here."""
        step = None
        if isinstance(known, Lemma):
            goal = self.of_lemma(known)
            if known.reference:
                return  # what it says here is a hypothesis
        else:
            goal, step = known.goal, known.alone()
        values = {n: term_of(at.get(_symbol(n, at), Symbol(n))) for n in goal.variables}
        for n, t in values.items():
            for v in sorted(t.variables - set(ctx.goal.variables)):
                raise Unproved(f"the lemma's variable {n} has no value here ({v})")
        parameters: Parameters = {
            "sorts": [list(s) for s in goal.sorts], "given": [list(f) for f in goal.families],
            "hypotheses": list(goal.hypotheses), "claim": goal.claim, "at": values,
            "families": {f: member(f, bound(0)) for f, _ in goal.families},
        }
        own, *conditions, rest = premises_of(ctx.goal, "aside", parameters)
        proofs = [step if step is not None else self.prover.prove(own)]
        for c in conditions:
            proofs.append(self.prover.prove(c))
        ctx.frames.append(("aside", parameters, tuple(proofs)))
        ctx.goal = rest

    def of_lemma(self, lemma: Lemma) -> Goal:
        """A lemma as a goal with variables of its own."""
        exprs = [s for r in (lemma.relation, *lemma.where) for s in (r.left, r.right, *r.needs)]
        plain = [r for r in lemma.where if not free_indices(r.left) | free_indices(r.right)]
        fixed = lemma.integers.union(*(relation_variables(r) for r in plain))
        loose = frozenset().union(*(free_indices(e) for e in exprs)) - fixed
        symbols = (variables_of(*exprs) | lemma.integers) - loose
        families = sorted({str(p.base.label) for e in exprs for p in e.atoms(Indexed)})
        sorts = tuple((str(v.name), INTEGER if v in lemma.integers else REAL)
                      for v in sorted(symbols, key=str))
        hypotheses = tuple(formula_of(r, fixed) for r in lemma.where)
        return Goal(sorts, hypotheses, formula_of(lemma.relation, fixed), tuple((f, REAL) for f in families))


def _symbol(name: str, at: Mapping[Symbol, Expr]) -> Symbol:
    return next((v for v in at if str(v.name) == name), Symbol(name))


def fresh_index(goal: Goal) -> str:
    return fresh(getattr(goal.claim, "hint", "i") or "i", goal.taken | goal.claim.variables)
