"""The records of claims and problems, with a bar that shows how far it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from symdp.audit.campaign import Options, audit_all, known_at_once
from symdp.audit.coq_verdicts import with_coq
from symdp.audit.record import Record, path_of
from symdp.audit.shipped import Told, laid_out
from symdp.cli.progress import progress
from symdp.sources.contents import ListedStatement, listed
from symdp.sources.registry import select, statement
from symdp.sources.statement import Claim
from symdp.workers.cluster import executor_of


def records_of(items: Any, options: Options, jobs: int, executor: str | None = None) -> list[Record]:
    """The records of claims or problems, with a bar that shows how far it is."""
    with ExitStack() as stack:
        cluster = None if executor is None else stack.enter_context(executor_of(executor))
        advance = stack.enter_context(progress())
        return audit_all(items, options, jobs=jobs, executor=cluster, advance=advance)


def known_records(claims: Sequence[Claim], options: Options, jobs: int, *, fresh: bool) -> list[Record]:
    """The records of claims of the literature, from an earlier audit where that still holds.

    Without a folder of the user's it is the one that comes with the package.
    """
    options = replace(options, out=folder_of(options.out, fresh=fresh), fresh=fresh)
    known = {claim.id: record for claim in claims if (record := known_at_once(claim, options)) is not None}
    others = [claim for claim in claims if claim.id not in known]
    if others:
        known |= {record.name: record for record in records_of(others, options, jobs)}
    return [known[claim.id] for claim in claims]


def folder_of(out: Path | None, *, fresh: bool) -> Path | None:
    return laid_out() if out is None and not fresh else out


def told_anew(ids: Iterable[str], budget: float, jobs: int, out: Path | None, *, fresh: bool) -> list[Told]:
    """Claims with their statements as text, and their records, of an earlier audit or settled now."""
    claims = select(ids)
    records = known_records(claims, Options(budget=budget, out=out), jobs, fresh=fresh)
    homes = {s.id: listed(s) for s in map(statement, (c.id for c in claims))}
    rows = {c.id: (s, c) for s in homes.values() for c in s.claims}
    return [(*rows[record.name], record) for record in records]


def shown_statement(id: str, budget: float, memory: int, jobs: int, audited: Path, *,
                    fresh: bool) -> tuple[ListedStatement, list[Record]]:
    """A statement as text, and the records of its claims, or of the one that was asked for."""
    home = statement(id)
    claims = [c for c in home.claims if id in (home.id, c.id)]
    records = known_records(claims, Options(budget=budget, memory=memory), jobs, fresh=fresh)
    return listed(home), [with_coq(r, c, path_of(audited, c.id)) for r, c in zip(records, claims, strict=True)]
