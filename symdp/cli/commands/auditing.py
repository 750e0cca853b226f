"""``symdp audit``: the claims of the literature, settled, or told where nothing has changed since they were."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from symdp.audit.record import Record
from symdp.audit.unchanged import unchanged
from symdp.cli.console import (
    Budget,
    ExecutorOption,
    Explain,
    Format,
    FormatOption,
    Ids,
    Jobs,
    Memory,
    Out,
    Precision,
    emit,
    in_bytes,
    leave,
    writable,
    wrote,
)
from symdp.outgoing import by_name, write
from symdp.report.page.summary import campaign_as_json, is_settled
from symdp.report.terminal.verdicts import print_audit
from symdp.workers.processes import prepare


def audit(
    ids: Ids = None,
    strict: Annotated[bool, typer.Option("--strict", help="fail unless all is settled")] = False,
    budget: Budget = 10.0,
    precision: Precision = 64,
    jobs: Jobs = 1,
    executor: ExecutorOption = None,
    memory: Memory = 2.0,
    out: Out = None,
    explain: Explain = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="ignore what lies in --out already")] = False,
    format: FormatOption = Format.TEXT,
) -> None:
    """Settle the claims of the literature, and write their certificates.

    What an earlier audit left in the folder is used again where it still holds.

    A verdict is proved or refuted by the kernel; argued where a part of the argument is in words or was computed
    by code that the kernel does not check, which is never counted as proved; supported where only a search agrees.
    """
    records: list[Record] | None = None
    complete = True
    if out is not None and not fresh:
        records = unchanged(ids or (), out, budget, explain=explain)
    if records is None:
        from symdp.audit.campaign import Options  # noqa: PLC0415 - start-up: the prover
        from symdp.cli.campaign import records_of  # noqa: PLC0415 - start-up: the prover
        from symdp.sources import registry  # noqa: PLC0415 - start-up: it builds every formula

        if jobs > 1 and executor is None:
            prepare()  # which takes as long as to read the literature here, and needs not wait for it
        claims = registry.select(ids or ())
        if out is not None:
            writable(out)  # no folder is left behind for claims that there are not
        options = Options(budget=budget, bits=precision, out=out, explain=explain, fresh=fresh,
                          memory=in_bytes(memory))
        records = records_of(claims, options, jobs, executor)
        complete = bool(ids) or not registry.broken()
    document = campaign_as_json(records)
    if out is not None:
        write(out / "audit.json", json.dumps(document, indent=2) + "\n", ours=by_name)
        wrote(out / "audit.json", f"and certificates beside it, {len(records)} claims")
    if format is Format.JSON:
        emit(document)
    else:
        print_audit(records)
    if not complete or any(r.verdict == "error" for r in records):
        leave(2)
    leave(1 if strict and not all(is_settled(r, records) for r in records) else 0)
