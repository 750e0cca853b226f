"""An instance in which a claim can be computed: data only, named in the literature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Example:
    """The name of a construction, and exact arguments for it.

    >>> Example("fair-coin", {"sides": 2}).arguments["sides"]
    2
    """

    construction: str
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        inside = ", ".join(f"{name} = {value}" for name, value in self.arguments.items())
        return f"{self.construction}({inside})"
