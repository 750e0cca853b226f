r"""A derivation as one kernel proof of a formal goal. Not trusted: the kernel verifies the proof.

The goal says: for all values of the variables and families at which the assumptions hold, the conclusion
holds. Each line is a cut, cases and inductions are rules of the kernel, and a lemma is a goal of its own
that is shown aside and used at values.

>>> from symdp.sources.derivation import Derivation
>>> d = Derivation(where=["0 <= x <= 1"]).start("x^3").le("x^2").le("x").conclude("x^3 <= x")
>>> found = formalise(d, budget=5)
>>> print(found.goal)
x^3 <= x for every real x with 0 <= x, x <= 1

**How members of families are read.** An index that was neither declared an integer nor assumed
anything of stands for *every* integer: the assumption ``a[i] > 0`` is said of all members, and so is a line
about ``a[i]``. An index that was declared is *this* integer. A name that is an index here and a
number there is refused.

What a derivation cites is a hypothesis of the goal, and listed; what it says in words alone is listed, too.

**Lines.** With a :class:`Record` each line is a goal of its own, with a proof of its own: its relation under the
assumptions in force, from the lines that it names as its premises. A line without a proof is then a
hypothesis of those that go on from it, and the whole has no proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from sympy import Add, Expr, Indexed, IndexedBase, Integer, Product, Sum, Symbol

from symdp.arguments.derivations.chains import composed
from symdp.arguments.derivations.formal_plain import Unproved, leaf, premises_of
from symdp.arguments.sums.formal_sums import Context, Prover
from symdp.formulas.relation import MIRROR, Relation
from symdp.formulas.translation import NotATerm, term_of
from symdp.kernel.goals import INTEGER, REAL, Each, Formula, Goal, IllFormed
from symdp.kernel.goals import Relation as Formal
from symdp.kernel.proof import Parameters, Proof, Rejected, Step
from symdp.kernel.terms import ZERO, Term, bound, fresh, member, number, transform, variable
from symdp.search.elaboration.derived import followed, verify
from symdp.search.elaboration.fitting import step_from
from symdp.sources.derivation import Derivation
from symdp.sources.scope import (
    DerivationError,
    Scope,
    insert,
    insert_into,
    is_whole,
    partial_parts,
    relation_variables,
    terms,
    variables_of,
)
from symdp.sources.steps import (
    Cases,
    Cite,
    Conclude,
    Expect,
    Implies,
    Induction,
    Lemma,
    Let,
    Link,
    Start,
    State,
    Suppose,
    Use,
    With,
)
from symdp.sources.steps import Step as Line

_NOTHING = Formal(ZERO, "<=", ZERO)
ZERO_EXPR = Integer(0)


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


#: Why there is no proof of a line, in one of these words.
FAILURES = (Unproved, Rejected, IllFormed, NotATerm, DerivationError)


@dataclass
class Record:
    """The proofs of single lines, by their numbers, and why the others have none."""

    #: lines that were seen to be wrong, for which no proof is sought
    wrong: frozenset[str] = frozenset()
    #: what the judge's search has proved on the way, by the numbers of lines
    settled: Mapping[str, tuple[Proof, ...]] = field(default_factory=dict)
    #: what a line is compared with, where that is not its neighbour
    compared: Mapping[str, Relation] = field(default_factory=dict)
    proofs: dict[str, list[Proof]] = field(default_factory=dict)
    open: dict[str, str] = field(default_factory=dict)

    def of(self, number: str) -> tuple[Proof, ...]:
        """What the kernel has proved of a line: everything that it says, or nothing."""
        return () if number in self.open else tuple(self.proofs.get(number, ()))

    def fail(self, number: str, reason: Exception) -> str:
        said = " ".join(str(reason).split())
        self.open.setdefault(number, said)
        return said


def formalise(derivation: Derivation, budget: float = 5.0, claim: Relation | None = None,
              record: Record | None = None) -> Formalised:
    """The kernel proof of what a derivation shows, as far as it can be found.

    With a ``claim``, that relation is to follow from the lines. Without one it is the last conclusion,
    chain or line; a derivation that consists of lemmas alone shows the last of them. With a ``record``,
    the lines get proofs of their own, also where the whole has none.
    """
    prover, walk = Prover(budget), None
    rename = _clashing(derivation)
    derivation = _renamed(derivation, rename)
    claim = _renamed(claim, rename)
    if record is not None:
        record.compared = _renamed(record.compared, rename)
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


def _clashing(derivation: Derivation) -> dict[str, str]:
    """Families that are called like a variable get another name: a name means one thing."""
    exprs = [*_exprs(derivation.steps, lemmas=True), *(s for r in derivation.where for s in (r.left, r.right))]
    variables = {str(v.name) for e in exprs for v in variables_of(e)} | {str(v) for v in derivation.integers}
    families = {str(part.base.label) for e in exprs for part in e.atoms(Indexed)}
    taken = variables | families
    found = {}
    for name in sorted(families & variables):
        found[name] = fresh(f"{name}_", taken)
        taken.add(found[name])
    return found


def _renamed(thing: Any, names: Mapping[str, str]) -> Any:
    """An expression, or whatever data has expressions in it, with other names for families."""
    if not names:
        return thing
    if isinstance(thing, Expr):
        return thing.xreplace({part.base: IndexedBase(names[str(part.base.label)])
                               for part in thing.atoms(Indexed) if str(part.base.label) in names})
    if isinstance(thing, tuple):
        return tuple(_renamed(part, names) for part in thing)
    if isinstance(thing, Mapping):
        return {key: _renamed(value, names) for key, value in thing.items()}
    if isinstance(thing, Derivation):
        return Derivation(thing.title, _renamed(thing.where, names), thing.integers,
                          _renamed(thing.steps, names))
    if is_dataclass(thing) and not isinstance(thing, type):
        changed = {f.name: _renamed(getattr(thing, f.name), names) for f in fields(thing) if f.name != "written"}
        return replace(thing, **changed, **({"written": None} if isinstance(thing, Relation) else {}))
    return thing


# --- reading formulas ---------------------------------------------------------------------------


def free_indices(expr: Expr, bound_: frozenset[Symbol] = frozenset()) -> frozenset[Symbol]:
    """The variables in the indices of members that no sum around them binds."""
    if isinstance(expr, Indexed):
        return variables_of(*expr.indices) - bound_
    if isinstance(expr, Sum | Product):
        body, index, low, high = terms(expr)
        return free_indices(body, bound_ | {index}) | free_indices(low, bound_) | free_indices(high, bound_)
    return frozenset().union(*(free_indices(a, bound_) for a in expr.args)) if expr.args else frozenset()


def formula_of(relation: Relation, fixed: frozenset[Symbol], also: Iterable[Symbol] = ()) -> Formula:
    """The formula of a relation: said of every integer for an index that is not fixed (and for ``also``)."""
    found: Formal | Each = Formal(term_of(relation.left), relation.op, term_of(relation.right))
    loose = free_indices(relation.left) | free_indices(relation.right)
    for index in sorted((loose - fixed).union(also), key=str, reverse=True):
        found = Each(None, None, _closed(found, str(index.name)), str(index.name))
    return found


def _closed(formula: Formal | Each, name: str, level: int = 0) -> Formal | Each:
    """The formula with the variable of that name as an index further out than its own quantifiers."""
    if isinstance(formula, Formal):
        return formula.map(lambda t: _index_of(t, name, level))
    return Each(formula.low, formula.high, _closed(formula.body, name, level + 1), formula.hint)


def _index_of(term: Term, name: str, level: int) -> Term:
    def leaf(t: Term, inner: int) -> Term | None:
        if t.head == "variable" and t.value == name:
            return bound(inner)
        if t.head == "bound" and t.value >= inner:
            return bound(t.value + 1)
        return t if name not in t.variables and t.loose <= inner else None

    return transform(term, leaf, level)


@dataclass(frozen=True, eq=False)
class Known:
    """A line that was shown: from what was in force, and from which lines before it."""

    formula: Formula
    relation: Relation
    goal: Goal
    step: Step
    premises: tuple[Known, ...] = ()

    def alone(self) -> Step:
        """A step that shows it from the assumptions alone."""
        step = self.step
        for premise in reversed(self.premises):
            step = Step("cut", {"fact": premise.formula}, (premise.alone(), step))
        return step


@dataclass
class Walk:
    """Goes through the steps of a derivation or of a block and builds the frames of its proof."""

    prover: Prover
    first: Goal
    where: tuple[Formula, ...]
    scope: Scope
    fixed: frozenset[Symbol]
    cited: list[Formula] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    lemmas: list[Lemma] = field(default_factory=list)
    known: list[Known] = field(default_factory=list)
    labels: dict[str, Known | Lemma] = field(default_factory=dict)
    chain: list[Expr] = field(default_factory=list)
    links: list[Known] = field(default_factory=list)
    ops: list[str] = field(default_factory=list)
    #: what cancels in the last expression of the chain
    cancelled: tuple[Expr, ...] = ()
    before: Known | None = None
    number: str = ""
    kind: str = ""
    prefix: str = ""
    #: where the proofs of single lines go
    record: Record | None = None
    #: why the first line without a proof has none
    broken: str = ""
    ctx: Context = field(init=False)

    def __post_init__(self) -> None:
        self.ctx = Context(self.prover, self.first, self.where)

    @classmethod
    def of(cls, derivation: Derivation, prover: Prover, record: Record | None = None) -> Walk:
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
        for use in _uses(derivation.steps):
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
        for expr in (*_exprs(derivation.steps), *(s for r in said for s in (r.left, r.right))):
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
        goal = Goal(sorts, hypotheses, _NOTHING, tuple((f, REAL) for f in sorted(families)))
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

    # --- the proof ----------------------------------------------------------------------------

    last_conclusion: Known | None = None

    def run(self, steps: Sequence[Line]) -> None:
        for i, step in enumerate(steps, start=1):
            self.number, self.kind = f"{self.prefix}{i}", step.kind
            self.line(step)

    @property
    def place(self) -> str:
        return f"{self.number} {self.kind}".strip()

    def attempt(self, relation: Relation, prove: Callable[[], Known]) -> Known:
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

    def assumed(self, relation: Relation, reason: str) -> Known:
        """A line without a proof, as a premise of others; the whole then has none."""
        self.broken = self.broken or " ".join(reason.split())
        try:
            formula = formula_of(relation, self.fixed)
            goal = self.ctx.goal.claiming(formula)
        except (NotATerm, IllFormed):
            formula, goal = _NOTHING, self.ctx.goal.claiming(_NOTHING)
        self.ctx.goal = self.ctx.goal.claiming(self.ctx.goal.claim, formula)
        return Known(formula, relation, goal.under(self.where), Step("nothing"))

    def kept(self, goal: Goal, step: Step) -> None:
        """Verify what was found for the line at hand, and keep it."""
        if self.record is not None and self.number:
            known = self.record.proofs.setdefault(self.number, [])
            if all(proof.goal != goal for proof in known):
                known.append(verify(goal, step))

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

    def given(self, relation: Relation, formula: Formula) -> Known:
        """What is assumed or cited: a hypothesis of the goal."""
        goal = self.ctx.goal.claiming(formula)
        return Known(formula, relation, goal, Step("assumption"))

    def expand(self, expr: Expr) -> Expr:
        return self.scope.expand(expr)

    def lost(self, step: Line, *exprs: Expr) -> tuple[Expr, ...]:
        """What cancels in expressions of a line, as they are written and without names."""
        sides = (Relation(e, "==", ZERO_EXPR, step.needs) for e in exprs)
        return tuple(dict.fromkeys(part for r in sides for part in self.scope.expand_relation(r).needs))

    def expand_relation(self, relation: Relation) -> Relation:
        return self.scope.expand_relation(relation)

    def label(self, step: Line, known: Known) -> None:
        if step.label:
            self.labels[step.label] = known

    def stated(self, step: Line, printed: Relation, premises: tuple[Known, ...]) -> None:
        relation = self.expand_relation(replace(printed, needs=(*printed.needs, *step.needs)))

        def prove() -> Known:
            found = self.show(relation, premises, step.uses)
            if isinstance(step, Implies) and step.both_ways and self.record is not None:
                for premise in premises:
                    self.back(found, premise)
            return found

        found = self.attempt(relation, prove)
        self.before = found
        self.known.append(found)
        self.label(step, found)

    def back(self, found: Known, premise: Known) -> None:
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
            if partial_parts(value):
                same = formula_of(Relation(value, "==", value), self.fixed)
                self.alone(same, rest)
            for h in before:
                if name in h.variables:
                    self.alone(h, (*rest, said))
        except FAILURES as reason:
            self.broken = self.broken or f"{self.place}: {self.record.fail(self.number, reason)}"
        self.where = (*before, said)

    def alone(self, formula: Formula, base: tuple[Formula, ...]) -> None:
        """A proof for the record, from these hypotheses alone."""
        goal = self.ctx.goal.claiming(formula).under(base)
        self.kept(goal, self.prover.prove(goal))

    def lemma(self, lemma: Lemma) -> None:
        """The proof of a lemma, for the record; what cancels in it must have a value."""
        if self.record is None:
            return
        try:
            if self.number in self.record.wrong:
                raise Unproved("it is wrong")
            goal = self.of_lemma(lemma)
            for part in dict.fromkeys((*lemma.relation.needs, *lemma.needs)):
                same = goal.claiming(Formal(term_of(part), "==", term_of(part)))
                self.kept(same, self.prover.prove(same))
            self.kept(goal, self.prover.prove(goal))
        except FAILURES as reason:
            self.broken = self.broken or f"{self.place}: {self.record.fail(self.number, reason)}"

    # --- showing a relation -------------------------------------------------------------------

    def show(self, relation: Relation, premises: Sequence[Known], uses: Sequence[Use] = ()) -> Known:
        """Cut a relation in, from what is in force, the premises, and what the line uses.

        First, what SymPy has cancelled in it is shown to have a value.
        """
        for part in relation.needs:
            self.show(Relation(part, "==", part), ())
        formula = formula_of(relation, self.fixed)
        used = [self.used(u) for u in uses]
        lines = list(dict.fromkeys((*premises, *(k for k, at in used if isinstance(k, Known) and not at))))
        cited = [self.cited_instance(k, at) for k, at in used if isinstance(k, Lemma) and k.reference]
        if self.record is not None:  # what is cited says something only where its conditions hold
            for k, at in used:
                if isinstance(k, Lemma) and k.reference:
                    for r in k.where:
                        self.alone(formula_of(self.expand_relation(insert_into(r, at)), self.fixed), self.where)
        base = tuple(dict.fromkeys((*self.where, *(k.formula for k in lines), *cited)))
        goal = self.ctx.goal.claiming(formula).under(base)
        ctx = Context(self.prover, goal, base)
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
            premises: tuple[Known, ...]) -> Known:
        goal = self.ctx.goal.claiming(formula)
        self.kept(goal.under(base), step)
        step = Step("weaken", {"hypotheses": list(base)}, (step,))
        found = Known(formula, relation, goal.under(self.where), step, premises)
        self.ctx.frames.append(("cut", {"fact": formula}, (step,)))
        self.ctx.goal = self.ctx.goal.claiming(self.ctx.goal.claim, formula)
        return found

    def used(self, use: Use) -> tuple[Known | Lemma, dict[Symbol, Expr]]:
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

    def said_of(self, known: Known | Lemma, at: Mapping[Symbol, Expr]) -> frozenset[Symbol]:
        """The variables of what a lemma or line says at these values, without the indices of its own."""
        relation = self.expand_relation(insert_into(known.relation, at))
        own = free_indices(known.relation.left) | free_indices(known.relation.right)
        return variables_of(relation.left, relation.right) - (own - variables_of(*at.values()))

    def apply_to_each(self, ctx: Context, known: Known | Lemma, at: Mapping[Symbol, Expr],
                      loose: frozenset[Symbol]) -> None:
        """What is used with a variable that the line does not have is used of every integer in its place."""
        relation = self.expand_relation(insert_into(known.relation, at))
        formula = formula_of(relation, self.fixed, loose)
        goal, frames, names = ctx.goal.claiming(formula), [], {}
        for v in sorted(loose, key=str):
            name = _fresh_name(goal)
            frames.append({"name": name})
            (goal,) = premises_of(goal, "each", {"name": name})
            names[v] = Symbol(name)
        inner = Context(self.prover, goal, goal.hypotheses)
        values = {v: insert(e, names) for v, e in at.items()}
        own = variables_of(known.relation.left, known.relation.right)
        values |= {v: u for v, u in names.items() if v in own and v not in values}
        self.apply(inner, known, values)
        step = inner.closed(self.prover.prove(inner.goal))
        for parameters in reversed(frames):
            step = Step("each", parameters, (step,))
        ctx.frames.append(("cut", {"fact": formula}, (step,)))
        ctx.goal = ctx.goal.claiming(ctx.goal.claim, formula)

    def apply(self, ctx: Context, known: Known | Lemma, at: Mapping[Symbol, Expr]) -> None:
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
        exprs = [s for r in (lemma.relation, *lemma.where) for s in (r.left, r.right)]
        plain = [r for r in lemma.where if not free_indices(r.left) | free_indices(r.right)]
        fixed = lemma.integers.union(*(relation_variables(r) for r in plain))
        loose = frozenset().union(*(free_indices(e) for e in exprs)) - fixed
        symbols = (variables_of(*exprs) | lemma.integers) - loose
        families = sorted({str(p.base.label) for e in exprs for p in e.atoms(Indexed)})
        sorts = tuple((str(v.name), INTEGER if v in lemma.integers else REAL)
                      for v in sorted(symbols, key=str))
        hypotheses = tuple(formula_of(r, fixed) for r in lemma.where)
        return Goal(sorts, hypotheses, formula_of(lemma.relation, fixed), tuple((f, REAL) for f in families))

    # --- chains and conclusions ----------------------------------------------------------------

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

    def from_links(self, relation: Relation, links: Sequence[Known], chain: Sequence[Expr],
                   ops: Sequence[str]) -> Known:
        """By transitivity, from the lines of a chain."""
        formula = formula_of(relation, self.fixed)
        base = tuple(dict.fromkeys((*self.where, *(k.formula for k in links))))
        goal = self.ctx.goal.claiming(formula).under(base)
        frames: list[tuple[str, dict[str, Any]]] = []
        while isinstance(goal.claim, Each):
            name = _fresh_name(goal)
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

        def prove() -> Known:
            for part in relation.needs:
                self.show(Relation(part, "==", part), ())
            found = None if step.uses else self.from_chain(relation, *chain)
            return found or self.concluded(relation, step.uses)

        found = self.attempt(relation, prove)
        self.before = found
        self.known.append(found)
        self.last_conclusion = found
        self.label(step, found)

    def concluded(self, relation: Relation, uses: Sequence[Use]) -> Known:
        """From few lines first: the more premises, the longer the search."""
        lines = list(dict.fromkeys(self.known))
        last: Unproved | None = None
        for premises in (lines[-1:], lines[-2:], lines) if lines else ([],):
            try:
                return self.show(relation, premises, uses)
            except Unproved as reason:
                last = reason
        assert last is not None
        raise last

    def from_chain(self, relation: Relation, exprs: Sequence[Expr], lines: Sequence[Known],
                   signs: Sequence[str]) -> Known | None:
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

    # --- blocks -------------------------------------------------------------------------------

    def block(self, step: Line, printed: Relation, prove: Callable[[Goal], Step]) -> None:
        relation = self.expand_relation(printed)
        number = self.number

        def shown() -> Known:
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
              where: tuple[Formula, ...] | None = None) -> Walk:
        """A walk through a block that ends in the claim of this goal."""
        walk = Walk(self.prover, goal, self.where if where is None else where, self.scope,
                    self.fixed if fixed is None else fixed, self.cited, self.words)
        walk.labels, walk.lemmas = dict(self.labels), self.lemmas
        walk.known = list(self.known)
        walk.prefix = f"{self.number}.{prefix}."
        walk.record = self.record
        return walk

    def finish(self, walk: Walk, steps: Sequence[Line]) -> Step:
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

    def ending(self, walk: Walk, shown: Sequence[Known]) -> Step:
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

        def prove() -> Known:
            self.where = tuple(h for h in everything if str(v.name) not in h.variables)
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

    def at_value(self, known: Known, relation: Relation, at: Mapping[Symbol, Expr]) -> Known:
        formula = formula_of(relation, self.fixed)
        ctx = Context(self.prover, self.ctx.goal.claiming(formula).under(self.where), self.where)
        self.apply(ctx, known, at)
        return self.cut(relation, formula, self.where, ctx.closed(self.prover.prove(ctx.goal)), ())

    def averaged(self, mean: Relation, parts: Sequence[tuple[Expr, Relation]], lines: Sequence[Known]) -> Known:
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


def _symbol(name: str, at: Mapping[Symbol, Expr]) -> Symbol:
    return next((v for v in at if str(v.name) == name), Symbol(name))


def _fresh_name(goal: Goal) -> str:
    return fresh(getattr(goal.claim, "hint", "i") or "i", goal.taken | goal.claim.variables)


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


def _uses(steps: Iterable[Line]) -> Iterator[Use]:
    for step in steps:
        yield from step.uses
        if isinstance(step, Cases):
            for b in step.branches:
                yield from _uses(b.steps)
        if isinstance(step, Induction):
            yield from _uses((*step.base, *step.step))


def _exprs(steps: Iterable[Line], *, lemmas: bool = False) -> Iterator[Expr]:
    """Every expression of the steps, without those of lemmas, whose variables are their own."""
    for step in steps:
        if isinstance(step, Lemma) and not lemmas:
            continue
        if isinstance(step, Lemma):
            for r in step.where:
                yield r.left
                yield r.right
        if isinstance(step, Start | Link | Let | With):
            yield step.expr
        if isinstance(step, With):
            yield step.name
        yield from step.needs
        relation = getattr(step, "relation", None)
        if isinstance(relation, Relation):
            yield from (relation.left, relation.right, *relation.needs)
        if isinstance(step, Suppose):
            for r in step.relations:
                yield r.left
                yield r.right
        if isinstance(step, Cases):
            for b in step.branches:
                for r in b.where:
                    yield r.left
                    yield r.right
                yield from _exprs(b.steps, lemmas=lemmas)
        if isinstance(step, Induction):
            yield from _exprs((*step.base, *step.step), lemmas=lemmas)
