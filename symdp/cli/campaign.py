"""The records of claims and problems, with a bar that shows how far it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from symdp.audit.campaign import Options, audit_all
from symdp.audit.record import Record
from symdp.audit.shipped import laid_out
from symdp.cli.progress import progress
from symdp.sources.statement import Claim


def records_of(items: Any, options: Options, jobs: int) -> list[Record]:
    """The records of claims or problems, with a bar that shows how far it is."""
    with progress() as advance:
        return audit_all(items, options, jobs=jobs, advance=advance)


def known_records(claims: Sequence[Claim], options: Options, jobs: int, *, fresh: bool) -> list[Record]:
    """The records of claims of the literature, from an earlier audit where that still holds.

    Without a folder of the user's it is the one that comes with the package.
    """
    return records_of(claims, replace(options, out=folder_of(options.out, fresh=fresh), fresh=fresh), jobs)


def folder_of(out: Path | None, *, fresh: bool) -> Path | None:
    return laid_out() if out is None and not fresh else out
