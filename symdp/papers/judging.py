r"""A chain of a paper -> a verdict for each of its links, by the judge of derivations.

*refuted* is said only where a referee would sign it: every name of the relation is declared in the text, no
hypothesis about it was left unread, the point also satisfies what the author may have in mind besides, and no
quantity of which only the name is known decides it. Otherwise the verdict is *undecided*, with what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time

from sympy import (
    Expr,
    Indexed,
    Integer,
    Pow,
    Rational,
    Symbol,
    binomial,
    degree,
    gamma,
    log,
    roots,
    together,
)

from symdp.arguments.derivations.checking import check_derivation
from symdp.arguments.derivations.judge import Judge
from symdp.arguments.derivations.obligations import Reducer
from symdp.arguments.derivations.report import CheckedLine
from symdp.arguments.derivations.standing import Standing
from symdp.formulas.relation import Op, Relation
from symdp.kernel.proof import Proof, Rejected
from symdp.numbers.domain import DomainError, Interval, bounds_one_variable, find_point
from symdp.papers.finding import Finding
from symdp.papers.formulas.conditions import Condition, has_bare_name
from symdp.papers.formulas.factorials import rearranged
from symdp.papers.formulas.induction import (
    FirstCaseAndStep,
    induction,
    stronger,
    with_one_logarithm,
)
from symdp.papers.formulas.power_facts import with_power_facts
from symdp.papers.formulas.whole_parts import with_whole_parts
from symdp.papers.sentences.context import InForce, contradict, differs
from symdp.papers.sentences.elsewhere import is_bound, letter_of
from symdp.papers.work import Work
from symdp.search.certificates import document_of, write_document
from symdp.search.deadline import TimeIsUp, hard_deadline
from symdp.search.memories import remembering
from symdp.search.prove import NotDefined
from symdp.search.sharpening import NoThreshold, sharpest_of
from symdp.search.verdict import Status, witness_as_json
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.expressions import (
    DerivationError,
    families_of,
    has_sums,
    partial_parts,
    relation_variables,
    variables_of,
)
from symdp.sources.derivations.lines import Link, Start, State
from symdp.sources.derivations.scope import Scope, related

#: Seconds for the range in which a claim that fails would hold, of which one proof may take a part.
RANGE, ONE_PROOF = 6.0, 0.5
#: Seconds for all links of a chain, behind which those that are left are not looked at.
FOR_A_CHAIN = 40.0
#: From the best that may become of a relation to what is reported.
_BADNESS = ("proved", "argued", "gap", "undecided", "refuted")
_LATE = f"not looked at: the chain took {FOR_A_CHAIN:g} s before it"
#: Letters that most authors keep for integers, said or not.
_COUNTERS = frozenset({"n", "m", "k", "N", "M", "K", "T", "d", "r", "l", "ell", "j", "i"})
_UNREAD = "the hypothesis"
_CONTRADICT = "the hypotheses contradict each other"
_NOT_DEFINED = "is not defined at"
_BY_RULES = "by SymPy's rules of factorials, not by the kernel"
_SIDES = ("left", "right", "violation")
_RIGHT = ("proved", "argued")
_OPPOSITE: dict[str, Op] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
#: Of hypotheses that tie names to each other, how many are looked at for a contradiction.
_LOOKED_AT = 3
_TROUBLE = (
    DerivationError,
    DomainError,
    NotDefined,
    Rejected,
    ArithmeticError,
    NotImplementedError,
    ValueError,
    TypeError,
    RecursionError,
    MemoryError,
    AttributeError,
    KeyError,
    IndexError,
)


@dataclass
class PaperJudge(Judge):
    """The judge of derivations, without what a derivation shows besides its verdicts."""

    def appraised(self, checked: CheckedLine) -> CheckedLine:
        return checked


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
    with remembering():
        found = tuple(_Chain(work, budget, out, until).findings())
        pair = _pair_that_differs(work)
        if process_time() > until or all(f.verdict in ("proved", "argued") for f in found):
            return found
        if pair is not None:
            return _in_two_cases(work, pair, budget, until)
        return _beside_a_pole(work, found, budget, until)


def _beside_a_pole(work: Work, found: tuple[Finding, ...], budget: float, until: float) -> tuple[Finding, ...]:
    """What becomes of (1 - q^n)/(1 - q) for q > 0: that q is not 1 goes without saying; the message says it."""
    lacking = [f.verdict == "undecided" and _NOT_DEFINED in f.message for f in found]
    poles = _poles(work) if any(lacking) else frozenset()
    if len(poles) != 1:
        return found
    (pair,) = poles
    said = f"{pair[0]} != {pair[1]}"
    beside = []
    cases = _two_cases(work, pair, budget, until)
    in_mind = any(pair[0] in relation_variables(r) for context in work.contexts for r in context.perhaps)
    for at_all, lacks, below, above in zip(found, lacking, *cases, strict=True):
        inside = _worse(below, above, pair)
        if inside.verdict in _RIGHT:
            why = f"where it is defined, that is for {said}, which the text does not say"
            inside = replace(inside, verdict="argued", certificate=None, missing=(said,), message=why)
        elif in_mind and {below.verdict, above.verdict} != {"refuted"}:
            inside = at_all  # the author may mean one of the two cases
        beside.append(inside if lacks and inside.verdict in ("argued", "refuted") else at_all)
    return tuple(beside)


def _poles(work: Work) -> frozenset[tuple[Expr, Expr]]:
    """The names that a chain divides by their differences to a number, with that number; the text declares them."""
    declared = frozenset.intersection(*(c.declared for c in work.contexts))
    needed = [e for needs in work.needs for e in needs]
    found = set()
    for power in {p for e in (*work.sides, *needed) if e is not None for p in e.atoms(Pow)}:
        names = list(power.base.free_symbols)
        if not (power.exp.is_Integer and power.exp < 0) or len(names) != 1 or names[0] not in declared:
            continue
        linear = power.base.is_polynomial(names[0]) and degree(power.base, names[0]) == 1
        zeros = roots(power.base, names[0]) if linear else ()
        looked_at = {(r.left, r.right) for c in work.contexts for r in c.relations if r.op in ("<", ">")}
        found |= {(names[0], zero) for zero in zeros if zero.is_Rational and (names[0], zero) not in looked_at}
    return frozenset(found)


def _pair_that_differs(work: Work) -> tuple[Expr, Expr] | None:
    """x and 0, where the text says that x is not 0 and the chain speaks of x."""
    needed = [e for needs in work.needs for e in needs]
    names = frozenset().union(*(variables_of(e) for e in (*work.sides, *needed) if e is not None))
    for context in work.contexts:
        for one, other in context.unequal:
            if relation_variables(Relation(one, "<", other)) & names:
                return one, other
    return None


def _in_two_cases(work: Work, pair: tuple[Expr, Expr], budget: float, until: float) -> tuple[Finding, ...]:
    """What differs is smaller or larger: proved is what both cases prove, refuted what one of them refutes."""
    cases = _two_cases(work, pair, budget, until)
    return tuple(_worse(below, above, pair) for below, above in zip(*cases, strict=True))


def _two_cases(
    work: Work, pair: tuple[Expr, Expr], budget: float, until: float
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    def where(op: Op) -> tuple[Finding, ...]:
        supposed = tuple(c.supposing(Relation(pair[0], op, pair[1])) for c in work.contexts)
        return _judged(replace(work, contexts=supposed), budget, None, until)

    return where("<"), where(">")


def _worse(below: Finding, above: Finding, pair: tuple[Expr, Expr]) -> Finding:
    """Of a relation in two cases, the verdict that it has in all."""
    there = [f for f in (below, above) if f.message != _CONTRADICT] or [below]  # x < 0 is no case where x >= 0
    worst = max(there, key=lambda f: _BADNESS.index(f.verdict) if f.verdict in _BADNESS else -1)
    if worst.verdict == "proved":
        worst = replace(worst, message=f"in the two cases {pair[0]} < {pair[1]} and {pair[0]} > {pair[1]}")
    said = tuple(h for h in worst.hypotheses if h[1])
    return replace(worst, hypotheses=said, seconds=below.seconds + above.seconds)


class _Chain:
    def __init__(self, work: Work, budget: float, out: Path | None, until: float) -> None:
        self.work, self.budget, self.out, self.until = work, budget, out, until
        self.typed = dict(work.typed)
        #: whether SymPy's rules of factorials turn one side of the relation into the other
        self.by_rules = False

    def findings(self) -> Iterable[Finding]:
        work = self.work
        judge: PaperJudge | None = None
        for i, op in enumerate(work.ops):
            finding, left, right = work.findings[i], work.sides[i], work.sides[i + 1]
            if op is None or left is None or right is None:
                judge = None
                yield finding
                continue
            begun = process_time()
            if begun > self.until:
                yield replace(finding, verdict=work.otherwise or finding.verdict, message=_LATE)
                continue
            relation = Relation(left, op, right, (*work.needs[i], *work.needs[i + 1]))
            context = work.contexts[i]
            self.by_rules = False
            try:
                if op == "==" and relation.left.has(binomial, gamma) and relation.right.has(binomial, gamma):
                    here = self.scope(context, relation)
                    self.by_rules = rearranged(here.expand_relation(relation), here.where, here.integers)
                with hard_deadline(self.budget if self.by_rules else 2 * self.budget + 1):
                    scope = self.scope(context, relation)
                    if judge is None:
                        judge = PaperJudge(Reducer(self.budget), scope)
                        judge.number = str(i)
                        judge.start(Start(left, needs=work.needs[i]))
                    judge.scope, judge.number = scope, str(i + 1)
                    if i == 0 and work.premise:
                        known = tuple(scope.expand_relation(r) for r in work.premise)
                        checked = judge.with_uses(State(relation), relation, scope.expand_relation(relation), known)
                        judge = None
                    else:
                        checked = judge.link(Link(op, right, needs=work.needs[i + 1]))
                    found = self.settled(finding, relation, context, scope, checked)
                    # a reason that does not always hold may be a condition; an equation is none
                    if work.otherwise and (found.verdict in ("undecided", "gap") or
                                           (found.verdict == "refuted" and op != "==")):
                        found = replace(found, verdict=work.otherwise)
                    if judge is not None and judge.chain is not None and found.verdict not in ("refuted", "gap"):
                        # what is not called wrong here is no reason to go past it
                        judge.chain.wrong.discard(len(judge.chain.exprs) - 1)
            except TimeIsUp:
                found, judge = replace(finding, message="the time was up"), None
                if self.by_rules:
                    found = replace(finding, verdict="argued", message=_BY_RULES)
            except _TROUBLE as reason:
                found, judge = replace(finding, message=_line(str(reason)) or "it is not understood"), None
            if found.verdict == "undecided" and not work.premise:
                if _NOT_DEFINED in found.message:
                    found = self.where_defined(finding, relation, context) or found
                elif not found.missing and not self.opaque(relation):
                    found = (self.by_whole_parts(finding, relation, context)
                             or self.by_induction(finding, relation, context)
                             or self.by_powers(finding, relation, context) or found)
                elif work.unions:
                    found = self.by_unions(finding, relation, context) or found
            yield replace(self.shown(found), seconds=process_time() - begun)

    def where_defined(self, finding: Finding, relation: Relation, context: InForce) -> Finding | None:
        """What becomes of a relation that has no value at an end of its domain, on the rest of it.

        log(x) <= x - 1 for x >= 0: that x is not 0 goes without saying for its author, and is said in the message.
        """
        try:
            with hard_deadline(2 * self.budget + 1):
                scope = self.scope(context, relation)
                inside = self.ends_left_out(scope.expand_relation(relation), scope, context)
                if not inside:
                    return None
                narrowed = scope.supposing(inside)
                judge = PaperJudge(Reducer(self.budget), narrowed)
                judge.number = "0"
                judge.start(Start(relation.left, needs=relation.needs))
                judge.number = "1"
                checked = judge.link(Link(relation.op, relation.right))
                found = self.settled(finding, relation, context, narrowed, checked)
        except (TimeIsUp, *_TROUBLE):
            return None
        said = ", ".join(map(str, inside))
        if found.verdict in ("proved", "argued"):
            return replace(found, verdict="argued", certificate=None, missing=(said,),
                           message=f"where it is defined, that is for {said}, which the text does not say")
        return found if found.verdict == "refuted" else None

    def by_whole_parts(self, finding: Finding, relation: Relation, context: InForce) -> Finding | None:
        """What x - 1 < floor(x) <= x says, where the search has found nothing."""
        try:
            with hard_deadline(2 * self.budget):
                scope = self.scope(context, relation)
                expanded = scope.expand_relation(relation)
                near = related(scope.where, relation_variables(expanded))
                put = with_whole_parts((expanded, *near))
                if put is None:
                    return None
                (hidden, *known), facts, names = put
                within = replace(scope, where=(*known, *facts), integers=scope.integers | names)
                if Reducer(self.budget).reduce(hidden, within).status is not Status.PROVED:
                    return None
                if not self.inhabited(relation, scope):
                    return None
        except (TimeIsUp, *_TROUBLE):
            return None
        return replace(finding, verdict="argued", hypotheses=self.used(context, scope, relation),
                       message="by x - 1 < floor(x) <= x, outside of the kernel; the rest is proved")

    def by_powers(self, finding: Finding, relation: Relation, context: InForce) -> Finding | None:
        """What the bounds of powers by exponentials say, where the search has found nothing."""
        try:
            with hard_deadline(2 * self.budget):
                scope = self.scope(context, relation)
                expanded = scope.expand_relation(relation)
                if has_sums(expanded.left, expanded.right):
                    return None
                quick = Reducer(self.budget / 4)
                found = with_power_facts(expanded, lambda r: quick.reduce(r, scope).status is Status.PROVED)
                if found is None:
                    return None
                hidden, facts = found
                if Reducer(self.budget).reduce(hidden, scope.supposing(facts)).status is not Status.PROVED:
                    return None
                if not self.inhabited(relation, scope):
                    return None
        except (TimeIsUp, *_TROUBLE):
            return None
        return replace(finding, verdict="argued", hypotheses=self.used(context, scope, relation),
                       message="by 1 + t <= e^t for each power, outside of the kernel; the rest is proved")

    def by_induction(self, finding: Finding, relation: Relation, context: InForce) -> Finding | None:
        """What the first case and the step say, where the search has found nothing."""
        try:
            with hard_deadline(3 * self.budget):
                scope = self.scope(context, relation)
                found = self.inducted(scope.expand_relation(relation), scope)
                if found is None or not self.inhabited(relation, scope):
                    return None
        except (TimeIsUp, *_TROUBLE):
            return None
        return replace(finding, verdict="argued", hypotheses=self.used(context, scope, relation),
                       message=f"by induction on {found.n}, outside of the kernel; the first case and the step are "
                       "proved")

    def inducted(self, expanded: Relation, scope: Scope) -> FirstCaseAndStep | None:
        """An induction of which the kernel has proved the first case, the step, and that what it divides is positive.

        Of what is known only that is used which does not speak of the integer.
        """
        return self.plainly_inducted(expanded, scope) or self.strongly_inducted(expanded, scope)

    def strongly_inducted(self, expanded: Relation, scope: Scope) -> FirstCaseAndStep | None:
        """H_n > ln n has no step of its own; H_n >= ln(n + 1) has one, and is more."""
        for n in sorted(scope.integers & relation_variables(expanded), key=str):
            more = stronger(expanded, n)
            found = self.plainly_inducted(more[0], scope) if more is not None else None
            if more is not None and found is not None:
                at_each = replace(scope, where=(*scope.where, found.from_))
                if self.is_shown(more[1], at_each):
                    return found
        return None

    def plainly_inducted(self, expanded: Relation, scope: Scope) -> FirstCaseAndStep | None:
        found = induction(expanded, scope.where, scope.integers)
        if found is None:
            return None
        rest = tuple(r for r in scope.where if found.n not in relation_variables(r))
        around = replace(scope, where=rest)
        at_each = replace(scope, where=(*rest, found.from_))
        quick = Reducer(self.budget / 2)
        for r in (found.first, *(Relation(p, ">", Integer(0)) for p in found.positive)):
            if not variables_of(r.left, r.right) and not has_sums(r.left, r.right) and _is_plainly(r):
                continue
            here = at_each if found.n in relation_variables(r) else around
            if quick.reduce(r, here).status is not Status.PROVED:
                return None
        return found if self.is_shown(found.step, at_each) else None

    def is_shown(self, relation: Relation, scope: Scope) -> bool:
        """Whether a relation is proved, as it stands or with one logarithm in place of several."""
        one = with_one_logarithm(relation)
        if one is not None and all(
            Reducer(self.budget / 2).reduce(r, scope).status is Status.PROVED
            for r in (*(Relation(p, ">", Integer(0)) for p in one[1]), one[0])
        ):
            return True
        return Reducer(self.budget).reduce(relation, scope).status is Status.PROVED

    def by_unions(self, finding: Finding, relation: Relation, context: InForce) -> Finding | None:
        """What the union bound says of events, of which the kernel knows nothing."""
        argued = replace(finding, verdict="argued", message="by the union bound, outside of the kernel")
        if any((r.left, r.op, r.right) == (relation.left, relation.op, relation.right) for r in self.work.unions):
            return argued
        plain = tuple(r for r in self.work.unions if not has_sums(r.left, r.right))
        if has_sums(relation.left, relation.right) or not plain:
            return None
        try:
            with hard_deadline(self.budget + 1):
                scope = self.scope(context, relation)
                found = Reducer(self.budget).reduce(scope.expand_relation(relation), scope.supposing(plain))
                good = found.status is Status.PROVED and self.inhabited(relation, scope)
        except (TimeIsUp, *_TROUBLE):
            return None
        return replace(argued, hypotheses=self.used(context, scope, relation)) if good else None

    def ends_left_out(self, relation: Relation, scope: Scope, context: InForce) -> tuple[Relation, ...]:
        """Bounds that a relation needs to be defined, and that the text has with equality; none if it lacks one."""
        quick, zero = Reducer(self.budget / 4), Integer(0)
        found: list[Relation] = []
        bare = frozenset(variables_of(relation.left, relation.right)) - context.declared
        said = (relation.left, relation.right, *relation.needs)
        for part in dict.fromkeys(p for side in said for p in partial_parts(side)):
            if isinstance(part, log):
                inside = part.args[0]
            elif isinstance(part, Pow) and (part.exp.is_Rational and part.exp > 0):
                continue  # of a root nothing is left out
            elif isinstance(part, Pow):
                inside = part.base
            else:
                return ()
            if quick.reduce(Relation(inside, ">", zero), scope.supposing(found)).status is Status.PROVED:
                continue
            for sign in ((">=", ">"), ("<=", "<")):
                if quick.reduce(Relation(inside, sign[0], zero), scope.supposing(found)).status is Status.PROVED:
                    found.append(Relation(inside, sign[1], zero))
                    break
            else:
                # of names that nobody has declared, what goes without saying; 1/x may be meant for x < 0, too
                if not variables_of(inside) <= bare or (isinstance(part, Pow) and part.exp.is_Integer):
                    return ()
                found.append(Relation(inside, ">", zero))
            if isinstance(part, log) and found[-1].op == "<":
                return ()
        return tuple(found)

    def scope(self, context: InForce, relation: Relation) -> Scope:
        """What is in force, for the judge: names stand for their meanings in hypotheses, too."""
        meaning = {name: m.value for name, m in context.meanings.items() if name not in variables_of(m.value)}
        empty = Scope((), context.integers, meaning)
        where: list[Relation] = []
        wrong = self.wrong_reasons(context, relation, empty)
        for r in (*context.relations, *self.work.facts):
            if r in wrong:
                continue
            expanded = empty.expand_relation(r) if relation_variables(r) & meaning.keys() else r
            if relation_variables(expanded) or has_sums(expanded.left, expanded.right):
                where.append(expanded)
        return Scope(tuple(dict.fromkeys(where)), frozenset(context.integers - meaning.keys()), meaning)

    def wrong_reasons(self, context: InForce, relation: Relation, empty: Scope) -> frozenset[Relation]:
        """Equations that a sentence gives as reasons, and that are refuted by what else is in force."""
        names = relation_variables(relation)
        given = [h for h in context.hypotheses if h.kind == "since" and h.condition.names & names]
        reasons = [r for h in given for r in h.condition.relations if r.op == "==" and not has_bare_name(r)]
        if not reasons:
            return frozenset()
        others = tuple(empty.expand_relation(r) for r in context.relations if r not in reasons)
        scope = Scope((*others, *self.work.facts), empty.integers, empty.meaning)
        return frozenset(
            r
            for r in reasons
            if Reducer(self.budget / 2).reduce(scope.expand_relation(r), scope).status is Status.REFUTED
        )

    def unfounded(
        self, relation: Relation, context: InForce, scope: Scope
    ) -> tuple[tuple[Relation, ...], bool]:
        """Bounds that a sentence gives as reasons (since x >= 1), that matter, and do not follow from the rest;
        whether one of them fails at a point that the rest allows."""
        names = relation_variables(scope.expand_relation(relation))
        said = {r for h in context.hypotheses if h.kind != "since" for r in h.condition.relations}
        reasons = [
            r for h in context.hypotheses if h.kind == "since" for r in h.condition.relations
            if r not in said and r.op != "=="
            and relation_variables(r) <= context.domains and relation_variables(r) & names
        ]
        if not reasons:
            return (), False
        expanded = [scope.expand_relation(r) for r in reasons]
        others = replace(scope, where=tuple(r for r in scope.where if r not in expanded))
        quick = Reducer(self.budget / 2)
        if quick.reduce(scope.expand_relation(relation), others).status is Status.PROVED:
            return (), False
        status = {r: quick.reduce(scope.expand_relation(r), others).status for r in reasons}
        known = context.perhaps  # what else the author may have in mind may say it
        wrong = any(
            s is Status.REFUTED and not any(relation_variables(p) & relation_variables(r) for p in known if p != r)
            for r, s in status.items()
        )
        return tuple(r for r, s in status.items() if s is not Status.PROVED), wrong

    def used(self, context: InForce, scope: Scope, relation: Relation) -> tuple[tuple[str, int], ...]:
        """The hypotheses that say something about the relation, and the definitions of its names."""
        expanded = scope.expand_relation(relation)
        near = related(scope.where, relation_variables(expanded))
        names = relation_variables(expanded).union(*(relation_variables(r) for r in near))
        names |= relation_variables(relation)
        found = [(h.text, h.line) for h in context.hypotheses if h.condition.names & names]
        found += [(m.text, m.line) for name, m in context.meanings.items() if name in relation_variables(relation)]
        return tuple(dict.fromkeys(found))

    # --- verdicts

    def settled(
        self, finding: Finding, relation: Relation, context: InForce, scope: Scope, checked: CheckedLine
    ) -> Finding:
        finding = replace(finding, hypotheses=self.used(context, scope, relation))
        notes = _numbered("; ".join(checked.notes), self.work.findings)
        if checked.standing is Standing.PROVED and not self.inhabited(relation, scope):
            return replace(finding, verdict="undecided", message=_CONTRADICT)
        if checked.standing is Standing.PROVED:
            verdict, proof = self.proved(relation, scope, checked)
            message = (
                notes
                if verdict == "proved"
                else _line(f"found right line by line, without a proof of the kernel's: {checked.why}")
            )
            given, wrong = self.unfounded(relation, context, scope) if verdict == "proved" else ((), False)
            if given:
                proof = None
                said = ", ".join(map(str, given))
                message = f"with {said}, which the text gives as a reason and nothing before it says"
                if wrong:  # and what is said before allows the opposite
                    return replace(finding, verdict="undecided", message=f"it holds {message}", missing=(said,))
                verdict = "argued"
            if self.work.computed and verdict == "proved":
                verdict, proof = "argued", None
                message = f"with the value that SymPy gives of {', '.join(self.work.computed)}"
            return replace(finding, verdict=verdict, message=message, certificate=self.certificate(finding, proof))
        missing = self.missing(relation, context, scope)
        if checked.standing is Standing.GAP and relation.op == "==":
            # the ends of the chain compare as claimed; the equation is false all the same
            return self.refuted(finding, relation, context, scope, checked, missing)
        if checked.standing is Standing.GAP:
            unknown = self.opaque(relation) and not self.homogeneous(relation)
            softer = "" if missing or unknown else self.with_more(relation, context, scope)
            if softer:
                missing = (softer,)
            return replace(
                finding,
                verdict="undecided" if missing or unknown or self.work.denied else "gap",
                message=_numbered(checked.why, self.work.findings),
                witness=_witness(checked, _names(relation, scope)),
                missing=missing,
            )
        if checked.standing is Standing.FALSE:
            return self.refuted(finding, relation, context, scope, checked, missing)
        expanded = scope.expand_relation(relation)
        by_laws = self.proof_of(expanded, scope) if has_sums(expanded.left, expanded.right) else None
        if by_laws is not None and not self.work.computed and self.inhabited(relation, scope):
            return replace(finding, verdict="proved", certificate=self.certificate(finding, by_laws))
        if self.by_rules or rearranged(expanded, scope.where, scope.integers):
            return replace(finding, verdict="argued", message=_BY_RULES)
        why = _numbered(checked.why, self.work.findings).removeprefix("undecided: ") or "no proof was found"
        if self.opaque(relation):
            why = f"it rests on what {self.named(relation)} is; {why}"
        return replace(finding, verdict="undecided", message=_line(why), missing=missing)

    def proved(self, relation: Relation, scope: Scope, checked: CheckedLine) -> tuple[str, Proof | None]:
        """Whether the kernel has a proof of the relation itself, or only the judge says so."""
        outcome = checked.outcome
        proofs = [o.verdict.formal for o in outcome.obligations]
        if not outcome.laws and proofs and all(isinstance(p, Proof) for p in proofs) and not checked.step.uses:
            proof = proofs[-1]
            return "proved", proof if isinstance(proof, Proof) else None
        proof = self.proof_of(checked.relation or scope.expand_relation(relation), scope)
        return ("proved", proof) if proof is not None else ("argued", None)

    def proof_of(self, expanded: Relation, scope: Scope) -> Proof | None:
        """The kernel's proof of a relation as a derivation of one line, which knows the laws of sums."""
        steps = (Start(expanded.left, needs=expanded.needs), Link(expanded.op, expanded.right))
        families = [r for r in scope.where if has_sums(r.left, r.right)]
        near = tuple(dict.fromkeys((*related(scope.where, relation_variables(expanded)), *families)))
        report = check_derivation(
            Derivation("", near, scope.integers, steps), budget=self.budget, reducer=Reducer(self.budget)
        )
        line = report.lines[-1]
        return line.proofs[-1] if line.standing is Standing.PROVED and line.proofs else None

    def inhabited(self, relation: Relation, scope: Scope) -> bool:
        """Whether the hypotheses near a relation can hold together; from those that cannot, all would follow."""
        if not _inhabited(scope):
            return False
        near = [r for r in related(scope.where, relation_variables(scope.expand_relation(relation)))
                if not has_sums(r.left, r.right)]
        tied = [r for r in near if not is_bound(r)]
        if not tied:
            return True
        names = frozenset().union(*(relation_variables(r) for r in near))
        try:
            if find_point(scope.domain(names)) is not None:
                return True
        except _TROUBLE:
            pass
        for r in [r for r in tied if r.op in _OPPOSITE][:_LOOKED_AT]:
            others = replace(scope, where=tuple(s for s in scope.where if s != r))
            denied = Relation(r.left, _OPPOSITE[r.op], r.right)
            if Reducer(self.budget / 2).reduce(denied, others).status is Status.PROVED:
                return False
        return True

    def opaque(self, relation: Relation) -> set[str]:
        return {str(v) for v in relation_variables(relation)} & self.typed.keys()

    def named(self, relation: Relation) -> str:
        return ", ".join(self.typed[name] for name in sorted(self.opaque(relation)))

    def missing(self, relation: Relation, context: InForce, scope: Scope) -> tuple[str, ...]:
        """Names of which the text says nothing, and hypotheses that could not be read."""
        names = relation_variables(scope.expand_relation(relation))
        names = names.union(*(relation_variables(r) for r in related(scope.where, names)))
        known = [side for r in scope.where for side in (r.left, r.right)]
        indices = {i for side in known for m in side.atoms(Indexed) for i in m.indices}
        bare = [v for v in sorted(names, key=str)
                if v not in context.declared | context.presumed and str(v) not in self.typed and v not in indices]
        families = families_of(relation.left, relation.right)
        letters = {letter_of(v) for v in relation_variables(relation) | names | {Symbol(f) for f in families}}
        vague = [h for h in context.vague if {x.lstrip("\\") for x in h.vague} & letters]
        unknown = sorted(families - families_of(*known))
        return (
            *(f"where {v} lives" for v in bare),
            *(f"what is known of each member of {family}" for family in unknown),
            *(f"{_UNREAD} of line {h.line}, which is not read: {h.text}" for h in vague),
        )

    def refuted(
        self,
        finding: Finding,
        relation: Relation,
        context: InForce,
        scope: Scope,
        checked: CheckedLine,
        missing: tuple[str, ...],
    ) -> Finding:
        witness = _as_written(_witness(checked, _names(relation, scope)), relation.op)
        at = _point(witness)
        undecided = replace(finding, verdict="undecided", missing=missing)
        printed = relation
        if checked.relation is not None and checked.relation != scope.expand_relation(relation):
            relation = checked.relation
        if missing and not (all(m.startswith(_UNREAD) for m in missing) and self.fails_everywhere(relation, scope)):
            return replace(undecided, message=self.where_it_holds(relation, context, scope, at))
        if self.opaque(relation) and not self.homogeneous(relation):
            return replace(
                undecided,
                message=f"it rests on what {self.named(relation)} is; as unknown numbers they contradict it at {at}",
            )
        if self.work.denied:
            return replace(undecided, message=f"it fails at {at}, and the sentence may say so")
        anew = [r for r in context.perhaps if set(differs(r, context.meanings)) & relation_variables(printed)]
        if anew:
            return replace(undecided, missing=(str(anew[0]),),
                           message=f"it fails, and the text also says {anew[0]}: say which of them is meant here")
        softer = self.with_more(relation, context, scope)
        if softer:
            return replace(
                undecided,
                message=f"it fails at {at}, but not where {softer}: say on which of them",
                missing=(softer,),
            )
        whole = self.if_integers(relation, context, scope, witness)
        if whole:
            return replace(
                undecided,
                message=f"it fails at {at}, and not where {whole} are integers: say what they are",
                missing=(f"whether {whole} are integers",),
            )
        if self.is_condition(relation, scope) and (not self.work.explicit or self.may_be_a_case(relation, scope)):
            return replace(
                undecided,
                message=f"it reads as a condition: nothing ties its left side to the right (it "
                f"fails at {at}); if it is one, write 'assume' before it",
            )
        proof = checked.outcome.refuted
        message = f"it fails at {at}" + (
            f": the left side is {witness['left']}, the right side {witness['right']}"
            if witness and "left" in witness
            else ""
        )
        message += self.range_of(relation, scope)
        document = proof.verdict.formal if proof is not None else None
        if finding.expected:
            message = f"{message} (a comment says so)"
        return replace(
            finding,
            verdict="refuted",
            message=message,
            witness=witness,
            certificate=self.certificate(finding, document),
        )

    def fails_everywhere(self, relation: Relation, scope: Scope) -> bool:
        """Whether the opposite is proved wherever the hypotheses hold: then no further one could help."""
        expanded = scope.expand_relation(relation)
        opposite: tuple[Op, ...] = ("<", ">") if relation.op == "==" else (_OPPOSITE[relation.op],)
        if not self.inhabited(relation, scope):
            return False
        for op in opposite:
            denied = Relation(expanded.left, op, expanded.right, expanded.needs)
            if Reducer(self.budget / 2).reduce(denied, scope).status is Status.PROVED:
                return True
            if has_sums(expanded.left, expanded.right) and self.inducted(denied, scope) is not None:
                return True
        return False

    def homogeneous(self, relation: Relation) -> bool:
        """Whether a single quantity, which is not negative, is a factor of the difference of the sides."""
        names = self.opaque(relation)
        if len(names) != 1:
            return False
        (name,) = names
        v = next(v for v in relation_variables(relation) if str(v) == name)
        if not all(v in variables_of(side) for side in (relation.left, relation.right)):
            return False  # that it is zero says something of the quantity, and may well be so
        signed = any(r.left == v and r.op == ">=" and r.right == 0 for r in self.work.facts)
        if not signed and relation.op != "==":
            return False
        ratio = together((relation.gap / v).expand())
        return v not in ratio.free_symbols

    def with_more(self, relation: Relation, context: InForce, scope: Scope) -> str:
        """What the author may have in mind besides, where the relation is not refuted with it."""
        near = [
            r for r in context.perhaps if relation_variables(r) & relation_variables(scope.expand_relation(relation))
        ]
        if not near:
            return ""
        near = _without_new_names(near, scope, relation_variables(scope.expand_relation(relation)))
        at_once = _consistent(scope.where, near) and not _opposed(near)
        for group in [near] if at_once else [[r] for r in near if _consistent(scope.where, [r])]:
            narrowed = scope.supposing(tuple(r for r in group if r not in scope.where))
            found = Reducer(self.budget).reduce(scope.expand_relation(relation), narrowed)
            if found.status is not Status.REFUTED:
                return ", ".join(map(str, group))
        return ""

    def if_integers(
        self, relation: Relation, context: InForce, scope: Scope, witness: dict[str, str] | None
    ) -> str:
        """Letters that most authors keep for integers, where the relation fails at others only."""
        values = {n: v for n, v in (witness or {}).items() if n not in _SIDES}
        odd = [v for v in relation_variables(scope.expand_relation(relation))
               if str(v) in _COUNTERS and not values.get(str(v), "0").lstrip("-").isdigit()]
        if not odd:
            return ""
        bounded = Scope(scope.where, scope.integers | frozenset(odd), scope.meaning)
        found = Reducer(self.budget).reduce(scope.expand_relation(relation), bounded)
        return "" if found.status is Status.REFUTED else ", ".join(sorted(map(str, odd)))

    def is_condition(self, relation: Relation, scope: Scope) -> bool:
        """A free name on one side that nothing in force ties to the other side."""
        expanded = scope.expand_relation(relation)
        for one, other in ((expanded.left, expanded.right), (expanded.right, expanded.left)):
            if isinstance(one, Symbol) and one not in variables_of(other):
                ties = [r for r in scope.where if one in relation_variables(r) and len(relation_variables(r)) > 1]
                if not ties:
                    return True
        return False

    def may_be_a_case(self, relation: Relation, scope: Scope) -> bool:
        """x <= 1 of a free x, which nothing in force contradicts: the sentence may speak of those x only."""
        expanded = scope.expand_relation(relation)
        plain = all(isinstance(side, Symbol) or side.is_number for side in (expanded.left, expanded.right))
        return plain and _consistent(scope.where, [expanded])

    # --- where it would hold

    def where_it_holds(self, relation: Relation, context: InForce, scope: Scope, at: str) -> str:
        """The answer that helps most: a range, or a sign that would be enough."""
        expanded = scope.expand_relation(relation)
        names = relation_variables(expanded)
        bare = [v for v in sorted(names, key=str) if v not in context.declared and str(v) not in self.typed]
        said = f"it fails at {at}"
        if not bare or self.opaque(relation):
            return f"{said}: state a condition"
        positive = scope.supposing(tuple(Relation(v, ">", Integer(0)) for v in bare))
        if Reducer(self.budget / 2).reduce(expanded, positive).status is Status.PROVED:
            return f"holds for {', '.join(f'{v} > 0' for v in bare)}, fails at {at}: state a condition"
        found = self.range_of(relation, scope, bare[0])
        return (
            f"{found.lstrip('; it')}, fails at {at}: state a condition".strip()
            if found
            else f"{said}: state a condition"
        )

    def range_of(self, relation: Relation, scope: Scope, v: Symbol | None = None) -> str:
        """On which values of its one variable the relation holds, by proofs on both sides."""
        expanded = scope.expand_relation(relation)
        names = relation_variables(expanded)
        if len(names) != 1 or has_sums(expanded.left, expanded.right) or expanded.op == "==":
            return ""
        v = v or next(iter(names))
        if v in scope.integers or str(v) in self.typed:
            return ""
        try:
            with hard_deadline(RANGE):
                found = sharpest_of(expanded, scope.domain(names), v, budget=ONE_PROOF)
        except (TimeIsUp, NoThreshold, *_TROUBLE):
            return ""
        if not found.holds:
            return ""
        return f"; it holds for {' and '.join(_short(text) for text in found.holds)}"

    # --- what is shown

    def certificate(self, finding: Finding, proof: object) -> str | None:
        if self.out is None or (not isinstance(proof, Proof) and type(proof).__name__ != "Witness"):
            return None
        stem = re.sub(r"[^A-Za-z0-9-]+", "_", Path(finding.file).stem)
        path = (
            self.out / f"{stem}-{finding.line}-{finding.column}-{self.work.findings.index(finding)}.json"
            if finding in self.work.findings
            else self.out / f"{stem}-{finding.line}-{finding.column}.json"
        )
        self.out.mkdir(parents=True, exist_ok=True)
        write_document(document_of(proof, path.stem), path)  # type: ignore[arg-type]
        return str(path)

    def shown(self, finding: Finding) -> Finding:
        """Quantities by what was typed for them."""
        if not self.typed:
            return finding
        used = {n for n in self.typed if re.search(rf"\b{n}\b", f"{finding.reading} {finding.message}")}
        if not used:
            return finding
        where = ", ".join(f"{name} = {self.typed[name]}" for name in sorted(used))
        return replace(finding, reading=f"{finding.reading} where {where}")


def _is_plainly(r: Relation) -> bool:
    """Whether numbers that are exact are related so."""
    exact = r.left.is_Rational and r.right.is_Rational
    return bool(exact and {"<": r.left < r.right, "<=": r.left <= r.right, ">": r.left > r.right,
                           ">=": r.left >= r.right, "==": r.left == r.right}[r.op])


def _names(relation: Relation, scope: Scope) -> frozenset[str]:
    """The variables of a relation, and of what its names stand for."""
    return frozenset(map(str, relation_variables(relation) | relation_variables(scope.expand_relation(relation))))


def _witness(checked: CheckedLine, names: frozenset[str]) -> dict[str, str] | None:
    """The point by the variables of the relation; that of a sum has its length only in words."""
    failed = checked.outcome.refuted
    if failed is None or failed.verdict.witness is None:
        return None
    found = {name: str(value) for name, value in witness_as_json(failed.verdict.witness).items()}
    told = re.search(r"it fails at ([^;]*); left", checked.why)
    point = dict(pair.split(" = ", 1) for pair in told[1].split(", ") if " = " in pair) if told else {}
    every = {**point, **{n: v for n, v in found.items() if n not in _SIDES}}
    kept = {name: value for name, value in sorted(every.items()) if name in names}
    return {**kept, **{n: v for n, v in found.items() if n in _SIDES}}


def _as_written(witness: dict[str, str] | None, op: str) -> dict[str, str] | None:
    """The sides of a witness as the relation was written, where the search has turned a >= around."""
    if witness is None or not {"left", "right"} <= witness.keys():
        return witness
    try:
        left, right = Rational(witness["left"]), Rational(witness["right"])
    except (ValueError, TypeError):
        return witness
    if (op in ("<", "<=") and left < right) or (op in (">", ">=") and left > right):
        return {**witness, "left": witness["right"], "right": witness["left"]}
    return witness


def _point(witness: dict[str, str] | None) -> str:
    values = {n: v for n, v in (witness or {}).items() if n not in _SIDES}
    return ", ".join(f"{name} = {value}" for name, value in values.items()) or "a point"


def _without_new_names(near: list[Relation], scope: Scope, names: frozenset[Symbol]) -> list[Relation]:
    """lam = ln(1 + x) says nothing of x but what is said of lam."""
    for r in [r for r in near if r.op == "=="]:
        for one, other in ((r.left, r.right), (r.right, r.left)):
            if isinstance(one, Symbol) and one not in names and one not in variables_of(other):
                said = [*(s for s in near if s != r), *(s for s in scope.where if one in relation_variables(s))]
                value = {one: other}
                near = [Relation(s.left.xreplace(value), s.op, s.right.xreplace(value)) for s in said]
                near = [s for s in near if relation_variables(s)]
                break
    return near


def _consistent(known: Iterable[Relation], more: Iterable[Relation]) -> bool:
    """Whether bounds leave something, as far as bounds of one name tell."""
    every = tuple(dict.fromkeys((*known, *more)))
    return not any(contradict(Condition(every[:i]), Condition((r,))) for i, r in enumerate(every))


def _opposed(relations: Iterable[Relation]) -> bool:
    """Whether one of them is the opposite of another: t <= v/c and t > v/c."""
    every = list(relations)
    return any(Relation(r.left, _OPPOSITE[r.op], r.right) in every for r in every if r.op in _OPPOSITE)


def _inhabited(scope: Scope) -> bool:
    """Whether the bounds of each name leave something, and an integer of integers: from nothing all would follow."""
    left: dict[Symbol, Interval] = {}
    for r in scope.where:
        try:
            found = bounds_one_variable(r)
        except DomainError:
            continue
        if found is not None:
            name, interval = found
            left[name] = left[name].meet(interval) if name in left else interval
    return not any(
        (interval.to_integers() if name in scope.integers else interval).is_empty() for name, interval in left.items()
    )


def _line(text: str) -> str:
    return " ".join(text.split())[:400]


def _numbered(why: str, findings: tuple[Finding, ...]) -> str:
    """Lines of a chain by those of the document."""

    def line(found: re.Match[str]) -> str:
        number = int(found[1])
        return f"line {findings[max(0, min(number - 1, len(findings) - 1))].line}"

    return _line(re.sub(r"\bline (\d+)\b", line, why))


def _short(text: str) -> str:
    """Long fractions as decimals, which are shown and not relied upon."""

    def decimal(found: re.Match[str]) -> str:
        return f"{int(found[1]) / int(found[2]):.5g}" if len(found[2]) > 4 else found[0]

    return re.sub(r"(-?\d+)/(\d+)", decimal, text)


