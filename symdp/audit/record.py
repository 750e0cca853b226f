"""The record of one settled claim: plain data, to be printed, stored and sent around."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from symdp.search.verdict import Status, Verdict


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

    @classmethod
    def error(cls, key: str, name: str, claim: str, message: str) -> Record:
        verdict = Verdict(Status.ERROR, "the claim could not be understood")
        return cls(key, name, claim, "", verdict.as_json(), message=message)

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
