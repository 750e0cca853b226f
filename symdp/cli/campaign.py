"""The records of claims and problems, with a bar that shows how far it is."""

from __future__ import annotations

from typing import Any

from symdp.audit.campaign import Options, audit_all
from symdp.audit.record import Record
from symdp.cli.progress import progress


def records_of(items: Any, options: Options, jobs: int) -> list[Record]:
    """The records of claims or problems, with a bar that shows how far it is."""
    with progress() as advance:
        return audit_all(items, options, jobs=jobs, advance=advance)
