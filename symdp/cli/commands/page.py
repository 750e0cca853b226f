"""``symdp report``: the audit as a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from symdp.audit.campaign import Options
from symdp.cli.campaign import folder_of, known_records
from symdp.cli.console import (
    BadInput,
    Budget,
    Earlier,
    Force,
    Fresh,
    Ids,
    Jobs,
    Memory,
    in_bytes,
    writable,
    writable_file,
    wrote,
)
from symdp.cli.progress import progress
from symdp.outgoing import MARK, write
from symdp.report.page.page import page
from symdp.sources.registry import select


def report(
    output: Annotated[Path, typer.Option("-o", "--output", help="the page to write")],
    ids: Ids = None,
    budget: Budget = 10.0,
    jobs: Jobs = 1,
    out: Earlier = None,
    fresh: Fresh = False,
    memory: Memory = 2.0,
    force: Force = False,
) -> None:
    """The audit as one self-contained page."""
    writable_file(output, (".html", ".htm"), force=force)
    claims = select(ids or ())
    if out is not None:
        writable(out)
    options = Options(budget=budget, out=out, explain=True, memory=in_bytes(memory))
    records = known_records(claims, options, jobs, fresh=fresh)
    with progress() as advance:
        text = page(records, folder=folder_of(out, fresh=fresh), advance=advance)
    try:
        write(output, text + f"<!-- {MARK} -->\n", force=force)
    except OSError as reason:
        raise BadInput(f"cannot write {output}: {reason.strerror}") from reason
    wrote(output, f"{len(records)} claims, {len(text.encode()) // 1024} KiB")
