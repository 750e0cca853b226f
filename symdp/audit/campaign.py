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

from symdp.audit.dispatch import settle
from symdp.audit.formal import lacking
from symdp.audit.memory import recall, remember
from symdp.audit.rechecking import certificate_of
from symdp.audit.record import Record
from symdp.audit.workers import pool as workers
from symdp.formulas.parsing import ParseError
from symdp.kernel.proof import Proof as FormalProof
from symdp.numbers.domain import DomainError
from symdp.search.certificates import write_document
from symdp.search.evidence import Evidence
from symdp.search.explanation import explain
from symdp.search.prove import DEFAULT_BUDGET, NotDefined, pose, settle_relation
from symdp.search.verdict import Verdict
from symdp.search.view.goals import DEFAULT_BITS, Proof
from symdp.sources.problems import Problem
from symdp.sources.registry import claim as claim_of_id
from symdp.sources.registry import statement
from symdp.sources.statement import Claim

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


def settle_one(item: str | Problem, options: Options) -> Record:
    """The record of a claim of the literature (by its id) or of a problem."""
    if isinstance(item, Problem):
        return _settle_problem(item, options)
    return _settle_id(item, options)


def _settle_id(id: str, options: Options) -> Record:
    claim = claim_of_id(id)
    if options.out is not None and not options.fresh:
        earlier = recall(claim, options.budget, _path(options.out, id))
        if earlier is not None:
            return earlier if options.explain else replace(earlier, explanation=())
    verdict = settle(claim, budget=options.budget, bits=options.bits)
    record = _record("id", claim.id, claim.text(), str(claim.domain), verdict, options)
    correction = statement(id).improvement_of(claim, "corrected")
    record = replace(record.with_correction(correction.id if correction else None), beyond=lacking(claim))
    if options.out is not None:
        remember(record, claim, options.budget, _path(options.out, id))
    return record if options.explain else replace(record, explanation=())


def _path(folder: Path, name: str) -> Path:
    return folder / f"{re.sub(r'[^A-Za-z0-9.-]+', '_', name)[:120]}.json"


def _settle_problem(problem: Problem, options: Options) -> Record:
    def error(message: str) -> Record:
        return Record.error("name", problem.name, problem.claim, message)

    if problem.malformed:
        return error(problem.malformed)
    try:
        relation, domain, goal = pose(
            problem.claim, problem.where, let=problem.let, integer=problem.integer
        )
        verdict = settle_relation(relation, domain, formal=goal, budget=options.budget, bits=options.bits)
    except (ParseError, DomainError, NotDefined, ValueError, TypeError) as reason:
        return error(" ".join(str(reason).split()))
    record = _record("name", problem.name, str(relation), str(domain), verdict, options)
    return record if options.explain else replace(record, explanation=())


def _record(
    key: str, name: str, claim: str, domain: str, verdict: Verdict, options: Options
) -> Record:
    """The record, after its certificate was written and its explanation made, where asked for."""
    document = None if options.out is None else certificate_of(verdict, name)
    if options.out is not None and document is not None:
        path = _path(options.out, name)
        write_document(document, path)
        verdict = replace(verdict, certificate=str(path))
    record = Record.of(key, name, claim, domain, verdict)
    # A folder keeps the explanation too, for the page that is made from it.
    if (options.explain or options.out is not None) and verdict.proof is not None:
        lines = explanation_of(verdict.proof)
        record = replace(record, explanation=tuple(lines))
    return record


def explanation_of(proof: Proof | FormalProof | Evidence) -> list[str]:
    """The proof line by line."""
    if isinstance(proof, Proof):
        return explain(proof.goal, proof.step)
    if isinstance(proof, FormalProof):
        return [str(proof.goal)]
    return proof.explanation()


def settle_all(
    items: Sequence[Claim | Problem],
    options: Options,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    advance: Advance = lambda what, done, total: None,
) -> list[Record]:
    """The records in the order of the items, whatever the number of jobs."""
    work = [item.id if isinstance(item, Claim) else item for item in items]
    names = [w.name if isinstance(w, Problem) else w for w in work]
    if executor is None and (jobs == 1 or len(work) == 1):
        records = []
        for done, (item, name) in enumerate(zip(work, names, strict=True)):
            advance(name, done, len(work))
            records.append(settle_one(item, options))
        return records
    pool = executor or workers(min(jobs, len(work)))
    try:
        futures: list[Future[Record]] = [pool.submit(settle_one, w, options) for w in work]
        place = {future: i for i, future in enumerate(futures)}
        for done, future in enumerate(as_completed(futures), start=1):
            advance(names[place[future]], done, len(work))
        return [future.result() for future in futures]
    finally:
        if executor is None:
            pool.shutdown(cancel_futures=True)
