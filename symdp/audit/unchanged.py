"""An audit in which nothing has changed since the last one, told without the prover and without any formula.

To build the formulas of the literature takes seconds, to read what was written down of them does not. Each record of
an audit says by which code it was made and of which literature. Where both are today's, and the folder carries the
mark of this user and the certificates that were written then, the records are what an audit would find in them
(:func:`symdp.audit.memory.recall_marked`); anything else is no answer, and the audit goes its usual way.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from symdp.audit.record import COQ_SUFFIX, PURPOSE, SUFFIX, Record, path_of
from symdp.audit.seal import bytes_of, seal_of_code, seal_of_file
from symdp.sources import contents
from symdp.sources.contents import ListedClaim
from symdp.users_mark import recognised


def unchanged(ids: Iterable[str], folder: Path, budget: float, *, explain: bool = False) -> list[Record] | None:
    """The records of all of these claims, or None where one of them has to be looked at."""
    table = contents.kept()
    chosen = None if table is None else table.chosen(ids)
    if chosen is None:
        return None
    literature, found = contents.digest(), []
    for _, claim in chosen:
        record = _told(claim, path_of(folder, claim.id), literature, budget, explain)
        if record is None:
            return None
        found.append(record)
    return found


def holds(document: dict[str, Any], toolkit: str, path: Path, budget: float) -> bool:
    """Whether a record of ours is of that code, with its certificate beside it, and nothing more can be found."""
    verdict = document["data"]["verdict"]
    if document["toolkit"] != toolkit or verdict == "error":
        return False
    if verdict == "undecided" and budget > float(document["budget"]):
        return False
    return document["certificate"] is None or seal_of_file(path) == document["certificate"]


def _told(claim: ListedClaim, path: Path, literature: str, budget: float, explain: bool) -> Record | None:
    try:
        document = recognised(PURPOSE, bytes_of(path.with_suffix(SUFFIX)))
        if document is None or document["literature"] != literature \
                or not holds(document, seal_of_code(), path, budget):
            return None
        data = {**document["data"], "certificate": None if document["certificate"] is None else str(path)}
        record = Record("id", claim.id, claim.text, claim.domain, data, document["corrected"],
                        explanation=tuple(document["explanation"]) if explain else (), beyond=document["beyond"])
        goal = document["goal"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if goal is None or not path.with_suffix(COQ_SUFFIX).is_file():
        return record
    from symdp.audit.coq_verdicts import said_by_coq  # noqa: PLC0415 - start-up: few folders have any

    return said_by_coq(record, goal, path)
