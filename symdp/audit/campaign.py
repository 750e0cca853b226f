r"""Many claims at once: handed to an executor, collected in the order in which they were given.

Anything with the interface of `concurrent.futures.Executor` will do, so that a cluster's client
fits in the place of the default pool of processes. A claim of the literature travels as its id.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from symdp.audit.coq_verdicts import with_coq
from symdp.audit.delivered import OPEN, Delivered, NotAccepted, confirmed
from symdp.audit.memory import NotRechecked, recall, recall_marked, remember, replayed
from symdp.audit.rechecking import PATIENCE, certificate_of
from symdp.audit.record import Record, path_of
from symdp.audit.settling.dispatch import settle
from symdp.audit.settling.formal_goals import formal_goal, lacking, status_by
from symdp.formulas.parsing import ParseError
from symdp.kernel.certificate import BadCertificate, read_document, recheck
from symdp.kernel.proof import Proof
from symdp.numbers.domain import DomainError
from symdp.outgoing import NotOurs, begins, write
from symdp.search.certificates import write_document
from symdp.search.deadline import GUARD, TimeIsUp, hard_deadline
from symdp.search.explanation import explain
from symdp.search.prove import DEFAULT_BUDGET, NotDefined, decide_relation, pose
from symdp.search.verdict import Evidence, Status, Verdict
from symdp.search.view.goals import DEFAULT_BITS, Sketch
from symdp.sources.problems import Problem, told_apart
from symdp.sources.registry import claim as claim_of_id
from symdp.sources.registry import statement
from symdp.sources.statement import Asymptotic, Claim, Guarantee
from symdp.watched import OutOfBounds, watched
from symdp.workers.cluster import each_on, submitted
from symdp.workers.processes import PRELOADED, each, gave_up
from symdp.workers.workshop import workshops

#: Seconds that a process may take for what is not counted: to start, to write down what it found.
SLACK = 20.0
#: How many budgets a claim of the literature may use at most, one for each line of its derivation.
MOST_LINES = 60
#: As how many lines of a derivation a claim counts that asks for routes or orders.
_LONG = 8
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


def audit_together(items: Sequence[str | Problem], options: Options) -> list[Record]:
    """The records of claims that rest on one derivation, which is checked once; each by itself where that fails."""
    if options.memory is None or len(items) == 1:
        return [audit_one(item, options) for item in items]
    try:
        return watched(_all_here, items, options, seconds=options.patience * MOST_LINES, memory=options.memory)
    except OutOfBounds:
        return [audit_one(item, options) for item in items]


def _all_here(items: Sequence[str | Problem], options: Options) -> list[Record]:
    return [_audit_here(item, options) for item in items]


def in_groups(places: Iterable[int], items: Sequence[Claim | Problem]) -> list[list[int]]:
    """The places of what is to be settled, those together whose claims rest on the same derivation.

    What may take long comes first, so that all processes have something to do until the end.
    """
    groups: dict[object, list[int]] = {}
    length: dict[object, int] = {}
    for i in places:
        derivation = getattr(items[i], "derivation", None)
        key = i if derivation is None else derivation
        lines = 0 if derivation is None else len(derivation.steps)
        length[key] = length.get(key, lines) + (_LONG if isinstance(items[i], (Guarantee, Asymptotic)) else 0)
        groups.setdefault(key, []).append(i)
    return [groups[key] for key in sorted(groups, key=lambda key: -length[key])]


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
        why = reason.strerror if isinstance(reason, OSError) else reason
        return _ended(item, f"its certificate cannot be written: {why}", Status.ERROR)
    except Exception as reason:  # a bug of ours in one claim is no reason to lose the others
        return _ended(item, str(gave_up(reason)), Status.ERROR)


def known_at_once(claim: Claim, options: Options) -> Record | None:
    """What an earlier audit of this user's says by today's code; nothing is settled or replayed."""
    if options.out is None or options.fresh:
        return None
    path = path_of(options.out, claim.id)
    earlier = recall_marked(claim, options.budget, path)
    return None if earlier is None else _as_asked(with_coq(earlier, claim, path), options)


def _as_asked(record: Record, options: Options) -> Record:
    return record if options.explain else replace(record, explanation=())


def _audit_claim(id: str, options: Options) -> Record:
    claim = claim_of_id(id)
    not_rechecked = ""
    try:
        earlier = _recalled(id, options)
        if earlier is not None:
            return earlier
    except NotRechecked as reason:
        not_rechecked = str(reason)
    verdict = settle(claim, budget=options.budget, bits=options.bits)
    if not_rechecked and verdict.status is Status.UNDECIDED:
        verdict = replace(verdict, status=Status.NOT_RECHECKED, method=not_rechecked)
    record = _record("id", claim.id, claim.text(), str(claim.domain), verdict, options)
    return _kept(record, claim, options)


def _recalled(id: str, options: Options) -> Record | None:
    """The record of an earlier audit in the folder, if it still holds; NotRechecked as :func:`recall` has it."""
    if options.out is None or options.fresh:
        return None
    claim, folder = claim_of_id(id), options.out
    earlier = recall(claim, options.budget, path_of(folder, id), lambda used: path_of(folder, used))
    return None if earlier is None else _as_asked(with_coq(earlier, claim, path_of(folder, id)), options)


def _kept(record: Record, claim: Claim, options: Options) -> Record:
    """The record with what the literature says beside the claim, after it was written down."""
    correction = statement(claim.id).improvement_of(claim, "corrected")
    record = replace(record.with_correction(correction.id if correction else None), beyond=lacking(claim))
    if options.out is not None and record.status is not Status.NOT_RECHECKED:
        remember(record, claim, options.budget, path_of(options.out, claim.id))
        record = with_coq(record, claim, path_of(options.out, claim.id))
    return _as_asked(record, options)


def _audit_problem(problem: Problem, options: Options) -> Record:
    def error(message: str) -> Record:
        verdict = Verdict(Status.ERROR, "the claim could not be understood")
        return replace(Record.of("name", problem.name, problem.claim, "", verdict), message=message)

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
    return _as_asked(record, options)


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
    """The records in the order of the items, whatever the number of jobs, and whoever does the work."""
    apart = iter(told_apart([item for item in items if isinstance(item, Problem)]))
    work = [item.id if isinstance(item, Claim) else next(apart) for item in items]
    names = [w.name if isinstance(w, Problem) else w for w in work]
    if executor is not None:
        return _audit_on(executor, work, names, options, jobs, advance)
    # what is known already needs no process
    found = {i: known for i, item in enumerate(items)
             if isinstance(item, Claim) and (known := known_at_once(item, options)) is not None}
    left = [i for i in range(len(work)) if i not in found]
    if jobs == 1 or len(left) == 1:
        for i in left:
            advance(names[i], len(found), len(work))
            found[i] = audit_one(work[i], options)
    else:
        for i, record in _in_processes(left, items, work, options, jobs):
            found[i] = record
            advance(names[i], len(found), len(work))
    return [found[i] for i in range(len(work))]


def _in_processes(
    places: Sequence[int], items: Sequence[Claim | Problem], work: Sequence[str | Problem], options: Options,
    jobs: int,
) -> Iterator[tuple[int, Record]]:
    """The records of what is at these places, as soon as they are known."""
    preloaded, groups = preloaded_for(work[i] for i in places), in_groups(places, items)
    apart: list[list[int]] = []
    for around in (groups, apart):
        given = [([work[i] for i in group], options) for group in around]
        for place, records in each(audit_together, given, jobs, preloaded):
            group = around[place]
            if not isinstance(records, OutOfBounds):
                yield from zip(group, records, strict=True)
            elif len(group) == 1:
                yield group[0], _ended(work[group[0]], str(records), Status.ERROR)
            else:  # one of them took their process with it
                apart += [[i] for i in group]


def preloaded_for(work: Iterable[str | Problem]) -> str:
    """What the processes start with: problems of a user's own need no literature, which takes seconds to read."""
    return __name__ if all(isinstance(w, Problem) for w in work) else PRELOADED


# --- on an executor --------------------------------------------------------------------------------


def deliver(item: str | Problem, options: Options) -> Delivered:
    """What a worker does: settle the claim in a folder of its own, and send what it found as data."""
    with tempfile.TemporaryDirectory(prefix="symdp-") as name:
        folder = Path(name)
        record = audit_one(item, replace(options, out=folder, fresh=True, explain=True))
        path = path_of(folder, record.name)
        certificate = path.read_bytes() if record.data["certificate"] else None
        return Delivered(replace(record, data={**record.data, "certificate": None}), certificate)


def _audit_on(
    executor: Executor, work: list[str | Problem], names: list[str], options: Options, jobs: int, advance: Advance
) -> list[Record]:
    """The records, with the work done elsewhere, and what comes back checked here.

    What no certificate can show, such as an argument in words, is settled in processes of this machine.
    """
    with ExitStack() as stack:
        folder = options.out or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="symdp-")))
        found: dict[int, Record] = {}
        for i, item in enumerate(work):
            with suppress(NotRechecked):
                earlier = None if isinstance(item, Problem) else _recalled(item, options)
                if earlier is not None:
                    found[i] = earlier
        left = [i for i in range(len(work)) if i not in found]
        there = {i: (work[i], options) for i in left if _has_goal(work[i])}
        beside = {}
        if len(there) < len(left):
            here = stack.enter_context(workshops(jobs))
            beside = {i: submitted(here, audit_one, (work[i], options)) for i in left if i not in there}
        later: list[tuple[int, Record]] = []
        for i, answer in each_on(executor, deliver, there, beside, preloaded_for(work)):
            advance(names[i], len(found) + len(later) + 1, len(work))
            if isinstance(answer, OutOfBounds):
                found[i] = _ended(work[i], str(answer), Status.ERROR)
            elif i in beside and isinstance(answer, Record):
                found[i] = answer
            elif not isinstance(answer, Delivered) or answer.record.name != names[i]:
                found[i] = _ended(work[i], "what a worker sent is no record of it", Status.ERROR)
            elif answer.certificate is None:
                found[i] = answer.record if answer.record.status in OPEN else audit_one(work[i], options)
            elif answer.record.data["trust"]:  # it may use other claims, and is replayed after them
                later.append((i, _put(answer, folder)))
            else:
                found[i] = _received(work[i], _put(answer, folder), options, folder)
        for i, record in later:
            found[i] = _received(work[i], record, options, folder)
        return [found[i] for i in range(len(work))]


def _has_goal(item: str | Problem) -> bool:
    return isinstance(item, Problem) or formal_goal(claim_of_id(item)) is not None


def _put(delivered: Delivered, folder: Path) -> Record:
    """Write the certificate down, still to be checked: a run that is stopped finds it there, without our mark."""
    write(path_of(folder, delivered.record.name), delivered.certificate or b"", ours=begins('{"format": '))
    return delivered.record


def _received(item: str | Problem, record: Record, options: Options, folder: Path) -> Record:
    """The record after the kernel has replayed its certificate."""
    path = path_of(folder, record.name)
    try:
        if isinstance(item, Problem):
            record = _received_problem(item, record, path, options)
        else:
            claim = claim_of_id(item)
            found = replayed(claim, lambda used: path_of(folder, used), options.budget)
            record = confirmed(record, found, status_by(claim, found))
            record = replace(record, claim=claim.text(), domain=str(claim.domain))
    except FileNotFoundError:  # it uses a claim that was not among those asked for
        return audit_one(item, options)
    except (BadCertificate, NotAccepted, NotRechecked, OSError, ValueError) as reason:
        path.unlink(missing_ok=True)
        return _ended(item, f"what a worker sent was not accepted: {reason}", Status.ERROR)
    if options.out is not None:
        record = replace(record, data={**record.data, "certificate": str(path)})
    if isinstance(item, Problem):
        return record if options.explain else replace(record, explanation=())
    return _kept(record, claim_of_id(item), options)


def _received_problem(problem: Problem, record: Record, path: Path, options: Options) -> Record:
    try:
        with hard_deadline(max(options.budget, PATIENCE)):
            relation, domain, goal = pose(problem.claim, problem.where, let=problem.let, integer=problem.integer)
            found = recheck(read_document(path))
    except TimeIsUp:
        raise NotAccepted(f"its certificate was not replayed within {PATIENCE:g} s") from None
    status = None if found.goal != goal else Status.PROVED if isinstance(found, Proof) else Status.REFUTED
    return replace(confirmed(record, found, status), claim=str(relation), domain=str(domain))
