r"""Many claims at once: handed to an executor, collected in the order in which they were given.

Anything with the interface of `concurrent.futures.Executor` will do, so that a cluster's client
fits in the place of the default pool of processes. A claim of the literature travels as its id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

from symdp.audit.coq_verdicts import with_coq
from symdp.audit.dispatch import settle
from symdp.audit.formal_goals import lacking
from symdp.audit.memory import NotRechecked, recall, remember
from symdp.audit.rechecking import certificate_of
from symdp.audit.record import Record
from symdp.audit.seal import seal
from symdp.formulas.parsing import ParseError
from symdp.kernel.proof import Proof
from symdp.numbers.domain import DomainError
from symdp.outgoing import NotOurs
from symdp.search.certificates import write_document
from symdp.search.deadline import GUARD, TimeIsUp, hard_deadline
from symdp.search.explanation import explain
from symdp.search.prove import DEFAULT_BUDGET, NotDefined, decide_relation, pose
from symdp.search.verdict import Evidence, Status, Verdict
from symdp.search.view.goals import DEFAULT_BITS, Sketch
from symdp.search.workers import each
from symdp.sources.problems import Problem, told_apart
from symdp.sources.registry import claim as claim_of_id
from symdp.sources.registry import statement
from symdp.sources.statement import Claim
from symdp.watched import OutOfBounds, watched

#: Seconds that a process may take for what is not counted: to start, to write down what it found.
SLACK = 20.0
#: How many budgets a claim of the literature may use at most, one for each line of its derivation.
MOST_LINES = 60
Advance = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Options:
    """What a user may turn, the same for every claim."""

    budget: float = DEFAULT_BUDGET
    bits: int = DEFAULT_BITS
    #: a folder for certificates
    out: Path | None = None
    explain: bool = False
    #: settle everything anew, whatever an earlier audit left in the folder
    fresh: bool = True
    #: bytes that the process of a claim may take; None settles it in this process, with no bound but the budget
    memory: int | None = None

    @property
    def patience(self) -> float:
        """Seconds after which a claim is ended from outside: long after it should have ended by itself."""
        return SLACK + 2 * GUARD * (1.1 * self.budget + 0.5)


def audit_one(item: str | Problem, options: Options) -> Record:
    """The record of a claim of the literature (by its id) or of a problem.

    With a bound on its memory it is settled in a process of its own, which is ended where it does not keep to it.
    """
    if options.memory is None:
        return _audit_here(item, options)
    # A claim of the literature may have a budget for each line of its derivation.
    seconds = options.patience * (1 if isinstance(item, Problem) else MOST_LINES)
    try:
        return watched(_audit_here, item, options, seconds=seconds, memory=options.memory)
    except OutOfBounds as reason:
        return _ended(item, str(reason))


def _ended(item: str | Problem, reason: str, status: Status = Status.UNDECIDED) -> Record:
    """The record of a claim whose process came to no end, or to a violent one."""
    verdict = Verdict(status, f"the search was ended: {reason}")
    message = reason if status is Status.ERROR else ""
    if isinstance(item, Problem):
        return replace(Record.of("name", item.name, item.claim, "", verdict), message=message)
    claim = claim_of_id(item)
    return replace(Record.of("id", claim.id, claim.text(), str(claim.domain), verdict), message=message)


def _audit_here(item: str | Problem, options: Options) -> Record:
    try:
        if isinstance(item, Problem):
            return _audit_problem(item, options)
        return _audit_claim(item, options)
    except (NotOurs, OSError) as reason:  # what cannot be written is not settled, and the others go on
        return _ended(item, f"its certificate cannot be written: {reason}", Status.ERROR)


def _audit_claim(id: str, options: Options) -> Record:
    claim = claim_of_id(id)
    not_rechecked = ""
    if options.out is not None and not options.fresh:
        folder = options.out
        try:
            earlier = recall(claim, options.budget, path_of(folder, id), lambda used: path_of(folder, used))
            if earlier is not None:
                earlier = with_coq(earlier, claim, path_of(folder, id))
                return earlier if options.explain else replace(earlier, explanation=())
        except NotRechecked as reason:
            not_rechecked = str(reason)
    verdict = settle(claim, budget=options.budget, bits=options.bits)
    if not_rechecked and verdict.status is Status.UNDECIDED:
        verdict = replace(verdict, status=Status.NOT_RECHECKED, method=not_rechecked)
    record = _record("id", claim.id, claim.text(), str(claim.domain), verdict, options)
    correction = statement(id).improvement_of(claim, "corrected")
    record = replace(record.with_correction(correction.id if correction else None), beyond=lacking(claim))
    if options.out is not None and verdict.status is not Status.NOT_RECHECKED:
        remember(record, claim, options.budget, path_of(options.out, id))
        record = with_coq(record, claim, path_of(options.out, id))
    return record if options.explain else replace(record, explanation=())


def path_of(folder: Path, name: str) -> Path:
    """Where the certificate of that name lies: no two names have one file, also where capitals do not count.

    >>> path_of(Path(), "kov/thm-3.4.range").name
    'kov_thm-3.4.range.json'
    >>> path_of(Path(), "bound for α") == path_of(Path(), "bound for β")
    False
    """
    plain = re.fullmatch(r"[a-z0-9-][a-z0-9.-]*(/[a-z0-9-][a-z0-9.-]*)*", name) and len(name) <= 120
    if plain and name != "audit":  # which is the name of the whole
        return folder / f"{name.replace('/', '_')}.json"
    readable = re.sub(r"[^A-Za-z0-9.-]+", "_", name).lstrip(".")[:80]
    return folder / f"{readable}~{seal(name)[:32]}.json"


def _audit_problem(problem: Problem, options: Options) -> Record:
    def error(message: str) -> Record:
        return Record.error("name", problem.name, problem.claim, message)

    if problem.malformed:
        return error(problem.malformed)
    try:
        with hard_deadline(options.budget):
            relation, domain, goal = pose(
                problem.claim, problem.where, let=problem.let, integer=problem.integer
            )
        verdict = decide_relation(relation, domain, formal=goal, budget=options.budget, bits=options.bits)
    except (ParseError, DomainError, NotDefined, ValueError, TypeError) as reason:
        return error(" ".join(str(reason).split()))
    except TimeIsUp:
        return _ended(problem, f"its formulas were not built within {options.budget:g} s")
    except RecursionError:
        return error("the claim or its conditions are nested too deeply, or too many")
    record = _record("name", problem.name, str(relation), str(domain), verdict, options)
    return record if options.explain else replace(record, explanation=())


def _record(
    key: str, name: str, claim: str, domain: str, verdict: Verdict, options: Options
) -> Record:
    """The record, after its certificate was written and its explanation made, where asked for."""
    document = None if options.out is None else certificate_of(verdict, name)
    if options.out is not None and document is not None:
        path = path_of(options.out, name)
        write_document(document, path)
        verdict = replace(verdict, certificate=str(path))
    record = Record.of(key, name, claim, domain, verdict)
    # A folder keeps the explanation too, for the page that is made from it.
    if (options.explain or options.out is not None) and verdict.proof is not None:
        lines = explanation_of(verdict.proof)
        record = replace(record, explanation=tuple(lines))
    return record


def explanation_of(proof: Sketch | Proof | Evidence) -> list[str]:
    """The proof line by line."""
    if isinstance(proof, Sketch):
        return explain(proof.goal, proof.step)
    if isinstance(proof, Proof):
        return [str(proof.goal)]
    return proof.explanation()


def audit_all(
    items: Sequence[Claim | Problem],
    options: Options,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    advance: Advance = lambda what, done, total: None,
) -> list[Record]:
    """The records in the order of the items, whatever the number of jobs."""
    apart = iter(told_apart([item for item in items if isinstance(item, Problem)]))
    work = [item.id if isinstance(item, Claim) else next(apart) for item in items]
    names = [w.name if isinstance(w, Problem) else w for w in work]
    if executor is None and (jobs == 1 or len(work) == 1):
        records = []
        for done, (item, name) in enumerate(zip(work, names, strict=True)):
            advance(name, done, len(work))
            records.append(audit_one(item, options))
        return records
    if executor is not None:
        futures: list[Future[Record]] = [executor.submit(audit_one, w, options) for w in work]
        place = {future: i for i, future in enumerate(futures)}
        for done, future in enumerate(as_completed(futures), start=1):
            advance(names[place[future]], done, len(work))
        return [future.result() for future in futures]
    found: dict[int, Record] = {}
    for i, record in each(audit_one, [(w, options) for w in work], jobs):
        found[i] = _ended(work[i], str(record), Status.ERROR) if isinstance(record, OutOfBounds) else record
        advance(names[i], len(found), len(work))
    return [found[i] for i in range(len(work))]
