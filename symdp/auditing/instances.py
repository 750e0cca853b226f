"""Claims that are settled by computing instances: exact finite constructions."""

from __future__ import annotations

from typing import Any

from symdp.auditing.record import digest_of
from symdp.constructions import Finding, run
from symdp.example import Example
from symdp.proving.certificate import FORMAT, BadCertificate, versions
from symdp.proving.evidence import Evidence
from symdp.proving.verdict import Status, Verdict
from symdp.statement import Claim

_SEAL = object()


class Instance(Evidence):
    """What a construction saw in one instance of a claim. Made by :func:`look` alone."""

    def __init__(self, claim: Claim, example: Example, finding: Finding, seal: object = None) -> None:
        if seal is not _SEAL:
            raise TypeError("only `look` makes an Instance")
        self.claim, self.example, self.finding = claim, example, finding
        self.trust, self.supports = finding.trust, finding.holds

    def certificate(self, name: str) -> dict[str, Any]:
        return {"format": FORMAT, "kind": "instance", "name": name, "claim": self.claim.says,
                "digest": digest_of(self.claim), "versions": versions(), "trust": sorted(self.trust),
                "instance": str(self.example), "supports": self.supports,
                "says": self.finding.says, "exact": {k: str(v) for k, v in self.finding.exact.items()}}

    def as_json(self) -> dict[str, Any]:
        return {"instance": str(self.example), **{k: str(v) for k, v in self.finding.exact.items()}}

    def explanation(self) -> list[str]:
        return [f"{self.example}: {self.finding.says}",
                *(f"  {name} = {value}" for name, value in self.finding.exact.items())]


def look(claim: Claim, example: Example) -> Instance:
    return Instance(claim, example, run(example), _SEAL)


def settle_examples(claim: Claim) -> Verdict:
    """One instance refutes a claim about all and proves a claim about some."""
    seen = []
    for example in claim.examples:
        found = look(claim, example)
        seen.append(found.finding.says)
        if claim.quantifier == "all" and not found.supports:
            return Verdict(Status.REFUTED, found.finding.says, witness=found)
        if found.supports and (claim.quantifier == "some" or found.finding.covers_all):
            return Verdict(Status.PROVED, found.finding.says, proof=found)
    return Verdict(Status.UNDECIDED, "instances agree, which proves nothing: " + "; ".join(seen))


def recheck_instance(document: dict[str, Any], claim: Claim) -> Instance:
    """The same instance, computed again."""
    if document.get("digest") != digest_of(claim):
        raise BadCertificate("the certificate does not belong to this claim as it stands today")
    for example in claim.examples:
        if str(example) == document.get("instance"):
            found = look(claim, example)
            decides = not found.supports if claim.quantifier == "all" else found.supports
            if found.supports is document.get("supports") and (decides or found.finding.covers_all):
                return found
            raise BadCertificate("the construction now sees something else")
    raise BadCertificate("the claim has no such instance")
