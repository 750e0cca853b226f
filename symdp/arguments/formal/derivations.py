r"""A derivation as one kernel proof of a formal goal. Not trusted: the kernel verifies the proof.

The goal says: for all values of the variables and families at which the assumptions hold, the conclusion
holds. Each line is a cut, cases and inductions are rules of the kernel, and a lemma is a goal of its own
that is shown aside and used at values.

>>> from symdp.sources.derivations.derivation import Derivation
>>> d = Derivation(where=["0 <= x <= 1"]).start("x^3").le("x^2").le("x").conclude("x^3 <= x")
>>> found = formalise(d, budget=5)
>>> print(found.goal)
x^3 <= x for every real x with 0 <= x, x <= 1

**How members of families are read.** An index that was neither declared an integer nor assumed
anything of stands for *every* integer: the assumption ``a[i] > 0`` is said of all members, and so is a line
about ``a[i]``. An index that was declared is *this* integer. A name that is an index here and a
number there is refused.

What a derivation cites is a hypothesis of the goal, and listed; what it says in words alone is listed, too.

**Lines.** With a :class:`LineProofs` each line is a goal of its own, with a proof of its own: its relation under the
assumptions in force, from the lines that it names as its premises. A line without a proof is then a
hypothesis of those that go on from it, and the whole has no proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sympy import Expr, Indexed, Integer, Symbol

from symdp.arguments.formal.block_prover import BlockProver
from symdp.arguments.formal.line_formulas import (
    expressions,
    families_to_rename,
    formula_of,
    free_indices,
    uses_in,
    with_families,
)
from symdp.arguments.formal.line_proofs import FAILURES, LineProofs, ShownLine
from symdp.arguments.formal.line_prover import NOTHING
from symdp.arguments.formal.plain_goals import Unproved
from symdp.arguments.formal.sums import Prover
from symdp.formulas.relation import Relation
from symdp.formulas.translation import term_of
from symdp.kernel.goals import INTEGER, REAL, Formula, Goal
from symdp.kernel.goals import Relation as Formal
from symdp.kernel.proof import Proof, Step
from symdp.search.elaboration.derived_rules import verify
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.expressions import (
    DerivationError,
    insert_into,
    is_whole,
    relation_variables,
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
    With,
)
from symdp.sources.derivations.scope import Scope


@dataclass(frozen=True)
class Formalised:
    """The goal of a derivation and its proof; without a proof, the line that stopped it and why."""

    goal: Goal | None
    proof: Proof | None
    #: relations that are cited: they are hypotheses of the goal
    cited: tuple[Formula, ...] = ()
    #: what is said in words alone
    words: tuple[str, ...] = ()
    #: the lemmas of the derivation, used or not
    lemmas: tuple[Proof, ...] = ()
    stopped: str = ""


def formalise(derivation: Derivation, budget: float = 5.0, claim: Relation | None = None,
              record: LineProofs | None = None) -> Formalised:
    """The kernel proof of what a derivation shows, as far as it can be found.

    With a ``claim``, that relation is to follow from the lines. Without one it is the last conclusion,
    chain or line; a derivation that consists of lemmas alone shows the last of them. With a ``record``,
    the lines get proofs of their own, also where the whole has none.
    """
    prover, walk = Prover(budget), None
    rename = families_to_rename(derivation)
    derivation = with_families(derivation, rename)
    claim = with_families(claim, rename)
    if record is not None:
        record.compared = with_families(record.compared, rename)
    try:
        walk = Walk.of(derivation, prover, record)
        walk.run(derivation.steps)
        walk.close_chain()
        if walk.broken:
            return Formalised(None, None, tuple(walk.cited), tuple(walk.words), stopped=walk.broken)
        lemmas = []
        for lemma in walk.lemmas:
            walk.number, walk.kind = "lemma", lemma.label
            goal = walk.of_lemma(lemma)
            for same in walk.needs_of(lemma, goal):
                verify(same, prover.prove(same))
            lemmas.append(verify(goal, prover.prove(goal)))
        walk.number, walk.kind, walk.record = "the whole", "", None
        if claim is not None:
            walk.last_conclusion = walk.concluded(walk.expand_relation(claim), ())
        target = walk.last_conclusion or (walk.known[-1] if walk.known else None)
        if target is None:
            if not lemmas:
                raise Unproved("nothing is shown")
            proof = lemmas[-1]
        else:
            goal = replace(walk.first, claim=target.formula)
            proof = verify(goal, walk.ctx.closed(Step("assumption")))
        return Formalised(proof.goal, proof, tuple(walk.cited), tuple(walk.words), tuple(lemmas))
    except FAILURES as reason:
        if walk is None:
            return Formalised(None, None, stopped=f"{type(reason).__name__}: {reason}")
        stopped = f"{walk.place}: {type(reason).__name__}: {reason}"
        return Formalised(None, None, tuple(walk.cited), tuple(walk.words), stopped=stopped)


@dataclass
class Walk(BlockProver):
    """Goes through the steps of a derivation or of a block and builds the frames of its proof."""

    @classmethod
    def of(cls, derivation: Derivation, prover: Prover, record: LineProofs | None = None) -> Walk:
        """The walk through a whole derivation: variables, families and assumptions are collected."""
        supposed: list[Relation] = []
        scope = Scope(derivation.where, derivation.integers)
        meaning: dict[Symbol, Expr] = {}
        chosen: dict[Symbol, Expr] = {}
        cited: list[Relation] = []
        for step in derivation.steps:
            if isinstance(step, Let):
                meaning[step.name] = step.expr
            elif isinstance(step, With):
                chosen[step.name] = step.expr
            elif isinstance(step, Suppose):
                supposed += [replace(scope, meaning=meaning).expand_relation(r) for r in step.relations]
            elif isinstance(step, Cite) and step.relation is not None:
                cited.append(replace(scope, meaning=meaning).expand_relation(step.relation))
        expanded = replace(scope, meaning=meaning)
        references = {s.label: s for s in derivation.steps if isinstance(s, Lemma) and s.reference}
        for use in uses_in(derivation.steps):
            if use.label in references:
                at = {v: expanded.expand(e) for v, e in use.at.items()}
                cited.append(expanded.expand_relation(insert_into(references[use.label].relation, at)))
        plain = [r for r in (*derivation.where, *supposed) if not free_indices(r.left) | free_indices(r.right)]
        fixed = derivation.integers.union(*(relation_variables(r) for r in plain))
        symbols: set[Symbol] = set(derivation.integers)
        families: set[str] = set()
        numbers: set[Symbol] = set()
        indices: set[Symbol] = set()
        said = (*derivation.where, *cited)
        for expr in (*expressions(derivation.steps), *(s for r in said for s in (r.left, r.right))):
            here = expanded.expand(expr)
            loose = free_indices(here) - fixed
            indices |= loose
            numbers |= variables_of(here) - loose
            symbols |= variables_of(here) - loose
            families |= {str(part.base.label) for part in here.atoms(Indexed)}
        for clash in sorted((indices & numbers) - set(meaning), key=str):
            raise DerivationError(f"{clash} is an index here and a number there; take two names")
        sorts = tuple((str(v.name), INTEGER if v in derivation.integers else REAL)
                      for v in sorted(symbols - set(meaning), key=str))
        about = set(chosen)
        where = tuple(formula_of(r, fixed) for r in derivation.where if not relation_variables(r) & about)
        values = tuple(Formal(term_of(v), "==", term_of(expanded.expand(e))) for v, e in chosen.items())
        later = tuple(formula_of(r, fixed) for r in (*supposed, *cited))
        hypotheses = tuple(dict.fromkeys((*where, *values, *later)))
        goal = Goal(sorts, hypotheses, NOTHING, tuple((f, REAL) for f in sorted(families)))
        walk = cls(prover, goal, (*where, *values), scope, fixed)
        walk.cited = [formula_of(r, fixed) for r in cited]
        in_force = where
        for r in derivation.where:  # what is assumed of a variable that is given a value is shown of it
            if relation_variables(r) & about:
                walk.number = f"the value of {', '.join(map(str, chosen))}"
                formula = formula_of(r, fixed)
                if record is None:
                    walk.show(r, ())
                else:  # that is said at the line of the value
                    try:
                        walk.show(r, ())
                    except FAILURES as reason:
                        walk.assumed(r, str(reason))
                walk.where = (*walk.where, formula)
                in_force = (*in_force, formula)
        walk.where, walk.record = in_force, record  # a value is in force from its line on
        return walk

    def run(self, steps: Sequence[Line]) -> None:
        for i, step in enumerate(steps, start=1):
            self.number, self.kind = f"{self.prefix}{i}", step.kind
            self.line(step)

    def line(self, step: Line) -> None:
        number = self.number
        if isinstance(step, Start):
            self.close_chain()
            self.chain, self.before = [self.expand(step.expr)], None
            self.cancelled = self.lost(step, step.expr)
        elif isinstance(step, Link):
            self.chain.append(self.expand(step.expr))
            before, self.cancelled = self.cancelled, self.lost(step, step.expr)
            relation = Relation(self.chain[-2], step.op, self.chain[-1], (*before, *self.cancelled))
            found = self.attempt(relation, lambda: self.show(relation, (), step.uses))
            self.links.append(found)
            self.ops.append(step.op)
            self.before = found
            self.label(step, found)
        elif isinstance(step, State):
            self.close_chain()
            self.stated(step, step.relation, ())
        elif isinstance(step, Implies):
            self.close_chain()
            self.stated(step, step.relation, () if self.before is None else (self.before,))
        elif isinstance(step, Let):
            self.scope = self.scope.named(step.name, step.expr)
        elif isinstance(step, With):
            self.choose(step)
        elif isinstance(step, Suppose):
            relations = [self.expand_relation(r) for r in step.relations]
            self.close_chain()
            for r in relations:
                formula = formula_of(r, self.fixed)
                self.where = (*self.where, formula)
                self.before = self.given(r, formula)
        elif isinstance(step, Lemma):
            self.labels[step.label] = step
            if not step.reference:
                self.lemmas.append(step)
                self.lemma(step)
        elif isinstance(step, Cite):
            self.words.append(step.says)
            if step.relation is not None:
                self.close_chain()
                r = self.expand_relation(step.relation)
                found = self.given(r, formula_of(r, self.fixed))
                self.known.append(found)
                self.before = found
                self.label(step, found)
        elif isinstance(step, Cases):
            self.close_chain()
            self.block(step, step.relation, lambda goal: self.cases(step, goal))
        elif isinstance(step, Induction):
            self.close_chain()
            self.block(step, step.relation, lambda goal: self.induction(step, goal))
        elif isinstance(step, Expect):
            self.expect(step)
        elif isinstance(step, Conclude):
            self.conclude(step)
        self.number = number

    def lost(self, step: Line, *exprs: Expr) -> tuple[Expr, ...]:
        """What cancels in expressions of a line, as they are written and without names."""
        sides = (Relation(e, "==", Integer(0), step.needs) for e in exprs)
        return tuple(dict.fromkeys(part for r in sides for part in self.scope.expand_relation(r).needs))

    def stated(self, step: Line, printed: Relation, premises: tuple[ShownLine, ...]) -> None:
        relation = self.expand_relation(replace(printed, needs=(*printed.needs, *step.needs)))

        def prove() -> ShownLine:
            found = self.show(relation, premises, step.uses)
            if isinstance(step, Implies) and step.both_ways and self.record is not None:
                for premise in premises:
                    self.back(found, premise)
            return found

        found = self.attempt(relation, prove)
        self.before = found
        self.known.append(found)
        self.label(step, found)

    def back(self, found: ShownLine, premise: ShownLine) -> None:
        """The premise from what it implies; on the way back it is not assumed, even where it was supposed."""
        base = (*(h for h in self.where if h != premise.formula), found.formula)
        goal = self.ctx.goal.claiming(premise.formula).under(base)
        self.kept(goal, self.prover.prove(goal))

    def choose(self, step: With) -> None:
        """A value is a hypothesis of the goal; it has to have a value, and to lie where the variable lives."""
        if self.record is None:
            return
        name, before = str(step.name.name), self.where
        value = self.expand(step.expr)
        said = Formal(term_of(step.name), "==", term_of(value))
        rest = tuple(h for h in before if name not in h.variables)
        try:
            if step.name in self.scope.integers and not is_whole(value, self.scope.integers):
                raise Unproved(f"it was not seen that {value} is an integer")
            for part in self.scope.needed_for(step.expr):
                self.alone(formula_of(Relation(part, "==", part), self.fixed), rest)
            for h in before:
                if name in h.variables:
                    self.alone(h, (*rest, said))
        except FAILURES as reason:
            self.broken = self.broken or f"{self.place}: {self.record.fail(self.number, reason)}"
        self.where = (*before, said)

    def lemma(self, lemma: Lemma) -> None:
        """The proof of a lemma, for the record; what cancels in it must have a value."""
        if self.record is None:
            return
        try:
            if self.number in self.record.wrong:
                raise Unproved("it is wrong")
            goal = self.of_lemma(lemma)
            for same in self.needs_of(lemma, goal):
                self.kept(same, self.prover.prove(same))
            self.kept(goal, self.prover.prove(goal))
        except FAILURES as reason:
            self.broken = self.broken or f"{self.place}: {self.record.fail(self.number, reason)}"

    def needs_of(self, lemma: Lemma, goal: Goal) -> list[Goal]:
        """That what cancels in a lemma has a value, wherever the lemma says something."""
        parts = dict.fromkeys(part for part in (*lemma.relation.needs, *lemma.needs) if not isinstance(part, Symbol))
        return [goal.claiming(Formal(term_of(part), "==", term_of(part))) for part in parts]
