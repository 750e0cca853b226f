"""What may stand behind a verdict besides a Proof or a Witness of the kernel.

A kind of evidence is a class whose objects are made only by a function that checks them, that names
what it relies on, and that can be written down as a certificate and made anew from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from symdp.kernel.proof import Proof
from symdp.kernel.rules.orders import Fails
from symdp.search.certificates import document_of


class Evidence(ABC):
    """An argument for a claim, or a counterexample to it."""

    #: the kernel's own proof or counterexample; without it the claim is argued at best
    formal: Any = None
    #: what it relies on besides the kernel
    trust: frozenset[str] = frozenset()
    #: enclosures that the kernel looked at
    boxes: int = 0
    #: whether it speaks for the claim or against it
    supports: bool = True

    @abstractmethod
    def certificate(self, name: str) -> dict[str, Any]:
        """The JSON document from which it can be made anew."""

    def as_json(self) -> dict[str, Any]:
        """What a reader of a counterexample wants to see: a point, a construction."""
        return {}

    def explanation(self) -> list[str]:
        """The argument in lines, as a person would write it."""
        return []


class Departure(Evidence):
    """The kernel's proof that an order relation fails, with the path along which it does."""

    supports = False

    def __init__(self, proof: Proof) -> None:
        if not isinstance(proof.goal.claim, Fails):
            raise TypeError("this does not say that an order relation fails")
        self.formal, self.trust = proof, proof.trust

    @property
    def path(self) -> dict[str, str]:
        return {v: str(e) for v, e in self.formal.step.parameters["path"].items()}

    def certificate(self, name: str) -> dict[str, Any]:
        return document_of(self.formal, name)

    def as_json(self) -> dict[str, Any]:
        return {**self.path, "ratio": str(self.formal.step.parameters.get("ratio", ""))}
