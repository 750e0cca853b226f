r"""Check a derivation: every step becomes obligations that the kernel settles.

What *follows* means. Let D be the assumptions in force at a line.

* A **link** ``a <= b`` of a chain is the relation of two neighbours, on D. If it is false at a point
  and yet the line holds when compared with the *start* of its chain, the line is a **gap**: true, but
  not by what stands before it. If that does not hold either, the line is **false**.
* A line after a wrong one is not blamed for it: where it fails only against the wrong line, it is
  compared with the last line before that one.
* ``A implies B`` is B on the points of D at which A holds. A line that **uses** earlier lines or
  lemmas is a relation on the points at which these hold, and the conditions of each lemma must hold
  at the values for which it is used; if they do not, although the line is true, it is a gap.
* A line is **proved** if the kernel has a Proof of its own formal goal (:mod:`~symdp.arguments.formal.derivations`).
  What only the judge of this folder finds right is **argued**.
* A **conclusion** follows if its sides are those of a chain and the signs of the chain compose to its
  sign, or if the kernel derives it from the lines that are shown. If the signs do not compose, and
  it is true nevertheless, it is a gap.

>>> from symdp.sources.derivations.derivation import Derivation
>>> report = Derivation(where=["x >= 0"]).start("0").le("x + 2").le("x + 1").check()
>>> [line.standing.value for line in report.lines]
['given', 'proved', 'gap']
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import process_time

from sympy import Expr, Symbol

from symdp.arguments.derivations.citations import citation_of
from symdp.arguments.derivations.judge import Judge
from symdp.arguments.derivations.obligations import Reducer
from symdp.arguments.derivations.report import CheckedLine, Report
from symdp.arguments.derivations.standing import Standing, worst
from symdp.arguments.formal.derivations import formalise
from symdp.arguments.formal.line_proofs import LineProofs
from symdp.formulas.relation import Relation
from symdp.kernel.proof import Proof
from symdp.numbers.domain import Domain
from symdp.search.elaboration.trivial_goals import is_reflexive
from symdp.search.memories import remembering
from symdp.search.verdict import Status
from symdp.sources.derivations.derivation import Derivation
from symdp.sources.derivations.expressions import relation_variables, show
from symdp.sources.derivations.lines import Cases, Cite, Induction, Lemma, Line, Suppose
from symdp.sources.derivations.scope import Scope

Advance = Callable[[str, int, int], None]
#: Seconds in which the kernel's proof of one goal is sought, at most.
MOST_FOR_A_GOAL = 10.0


def check_derivation(
    derivation: Derivation,
    *,
    budget: float = 10.0,
    sharpen: bool = False,
    remarks: bool = True,
    advance: Advance = lambda what, done, total: None,
    reducer: Reducer | None = None,
) -> Report:
    """The report on a derivation; DerivationError or DomainError where it cannot be understood.

    Without ``remarks`` it does not say what proved lines give away or could do without.
    """
    begun = process_time()
    scope = Scope(derivation.where, derivation.integers)
    domain = _domain(scope, derivation.steps)
    total, done = count(derivation.steps), 0

    def moved(step: Line) -> None:
        nonlocal done
        advance(step.reason or step.kind, done, total)
        done += 1

    with remembering():  # what a line needs is needed again where all lines become one proof
        judge = Judge(reducer or Reducer(budget), scope, sharpen=sharpen, moved=moved, remarks=remarks)
        return _checked(judge, derivation, domain, budget, begun)


def _checked(judge: Judge, derivation: Derivation, domain: str, budget: float, begun: float) -> Report:
    lines = judge.run(derivation.steps)
    shown = _shown(judge, lines)
    names: tuple[tuple[Symbol, Expr], ...] = ()
    if shown is not None:
        names = tuple(judge.scope.names_in(shown))
    settled = None if shown is None else judge.scope.expand_relation(shown)
    turned = shown is None and judge.chain is not None and bool(judge.chain.ops)
    record = _asked(lines)
    whole = formalise(derivation, min(budget, MOST_FOR_A_GOAL), claim=shown, record=record)
    lines = tuple(backed(line, record) for line in lines)
    return Report(derivation, lines, domain, shown, process_time() - begun, names, settled, turned, whole.proof,
                  whole.stopped)


def _asked(lines: Sequence[CheckedLine]) -> LineProofs:
    """What the kernel is asked: no proof of what is wrong, and of a line what the judge compared it with."""
    every = [inner for line in lines for inner in line.walk()]
    wrong = frozenset(c.number for c in every if c.blamed and not c.lines)
    settled = {c.number: tuple(o.verdict.formal for o in c.outcome.obligations
                               if isinstance(o.verdict.formal, Proof)) for c in every}
    return LineProofs(wrong, settled,
                  {c.number: c.relation for c in every if c.relation is not None and c.step.kind == "link"})


def backed(line: CheckedLine, record: LineProofs) -> CheckedLine:
    """A line that was judged, with the kernel's proofs: only with them it is proved."""
    if line.lines:
        return _block(replace(line, lines=tuple(backed(inner, record) for inner in line.lines)), record)
    if line.standing in (Standing.FALSE, Standing.GAP, Standing.GIVEN):
        return line
    if isinstance(line.step, Cite | Lemma) and line.standing is Standing.CITED:
        found = citation_of(line.step.reference)
        if found is not None:
            return replace(line, citation=found)
        return replace(line, standing=Standing.ARGUED, words=(line.text,))
    if proofs := record.of(line.number):
        notes = line.notes
        if len(proofs) == 1 and is_reflexive(proofs[0].goal):
            notes = (*notes, "both sides read the same, so that the proof says nothing of the words")
        return replace(line, standing=Standing.PROVED, proofs=proofs, notes=notes)
    if line.standing is Standing.PROVED:
        return replace(line, standing=Standing.ARGUED, words=(_found(line, record),))
    statuses = {o.verdict.status for o in line.outcome.obligations}
    if statuses and statuses <= {Status.PROVED, Status.SUPPORTED} and not line.outcome.stuck:
        return replace(line, standing=Standing.SUPPORTED)
    return line


def _block(line: CheckedLine, record: LineProofs) -> CheckedLine:
    """A block is proved if its lines are and the kernel has it whole; a wrong line in it is blamed itself."""
    inner = worst(c.standing for block in line.lines for c in block.walk())
    proofs = record.of(line.number)
    if proofs and inner in (Standing.PROVED, Standing.GIVEN):
        return replace(line, standing=Standing.PROVED, proofs=proofs)
    if line.standing in (Standing.FALSE, Standing.GAP):
        return line
    own = line.outcome
    if (own.obligations or own.stuck) and own.status is not Status.PROVED:
        return replace(line, standing=Standing.UNDECIDED)
    if inner in (Standing.FALSE, Standing.GAP):
        return replace(line, standing=Standing.UNDECIDED)
    standing = worst((inner, Standing.ARGUED))
    words = (_found(line, record),) if standing is Standing.ARGUED else ()
    return replace(line, standing=standing, words=words)


def _found(line: CheckedLine, record: LineProofs) -> str:
    """What the judge found and the kernel does not have, as a part in words."""
    how = "; ".join(line.outcome.laws) or ("its lines make one argument" if line.lines else line.why)
    reason = " ".join(record.open.get(line.number, "").split())
    short = f" ({reason if len(reason) <= 160 else f'{reason[:157]}...'})" if reason else ""
    return f"the line check says: {how}; the kernel has no proof of it{short}"


def count(steps: Sequence[Line]) -> int:
    """All steps, those inside of blocks included."""
    total = len(steps)
    for step in steps:
        if isinstance(step, Cases):
            total += sum(count(branch.steps) for branch in step.branches)
        elif isinstance(step, Induction):
            total += count(step.base) + count(step.step)
    return total


def _domain(scope: Scope, steps: Sequence[Line]) -> str:
    """The assumptions as text, after a look at whether anything satisfies them."""
    variables = frozenset().union(*(relation_variables(r) for r in scope.plain))
    for v in sorted(scope.integers - variables, key=str):
        variables |= {v}
    scope.refuse_empty()
    domain = Domain.of(scope.plain, scope.integers, variables)
    supposed = [show(r) for step in steps if isinstance(step, Suppose) for r in step.relations]
    return ", ".join(filter(None, [str(domain), *(show(r) for r in scope.families), *supposed]))


def _shown(judge: Judge, lines: Sequence[CheckedLine]) -> Relation | None:
    """What the derivation as a whole says: its last conclusion, else its last chain or line."""
    concluded = [line for line in lines if line.step.kind == "conclude"]
    if concluded and concluded[-1].standing is not Standing.GIVEN:
        relation: Relation | None = getattr(concluded[-1].step, "relation", None)
        return relation
    return judge.last_shown()
