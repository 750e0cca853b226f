"""The record of one settled claim: plain data, to be printed, stored and sent around; and where it is stored."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symdp.audit.seal import seal
from symdp.search.status import Status

if TYPE_CHECKING:
    from symdp.search.verdict import Verdict

#: of the record beside a certificate; not .json: these are no certificates
SUFFIX = ".settled"
#: of what Coq said of the certificate
COQ_SUFFIX = ".coq"
#: What the mark of this user is put on.
PURPOSE = "record of an audit"


@dataclass(frozen=True)
class Record:
    """One line of an audit. ``data`` is the JSON of the verdict."""

    key: str  # "id" for a claim of the literature, "name" for one of a user's own
    name: str
    claim: str
    domain: str
    data: dict[str, Any]
    corrected: str | None = None
    message: str = ""
    explanation: tuple[str, ...] = ()
    #: of a claim in words: what a formal statement of it would need
    beyond: str = ""

    @classmethod
    def of(cls, key: str, name: str, claim: str, domain: str, verdict: Verdict) -> Record:
        return cls(key, name, claim, domain, verdict.as_json())

    def with_correction(self, id: str | None) -> Record:
        return replace(self, corrected=id)

    @property
    def verdict(self) -> str:
        return str(self.data["verdict"])

    @property
    def by_coq(self) -> bool:
        """Whether Coq accepted a theorem that says the same."""
        return bool(self.data.get("coq"))

    @property
    def status(self) -> Status:
        return Status(self.verdict)

    def as_json(self) -> dict[str, Any]:
        row = {self.key: self.name, "claim": self.claim, "domain": self.domain, **self.data}
        if self.message:
            row["message"] = self.message
        if self.explanation:
            row["explanation"] = list(self.explanation)
        if self.corrected is not None:
            row["corrected"] = self.corrected
        if self.beyond:
            row["beyond"] = self.beyond
        return row


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
